//! `war-crowd`: a thousand a side.

use super::game::{
    self, BLUE, FOG, FormOrder, INFLUENCE, KINDS, LAYERS, Mission, Plan, RATE, RED, TICKS_MAX, asset, lead_of, pull_of,
    rules_of,
};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war-crowd",
    title: "A war of two thousand",
    about: "The war with a thousand units on either side: the same eyes, files and ways, and one step in less than a sixtieth of a \
            second on two cores.",
    controls: Some(game::command::CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit]).with_minimap(),
    layers: LAYERS,
    settings: SETTINGS,
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&["units=20", "blue=attack"]],
    build,
};

const SETTINGS: &[Setting] = &[
    BLUE,
    RED,
    FOG,
    INFLUENCE,
    Setting {
        name: "units",
        about: "how many units on either side",
        kind: SettingKind::Whole { min: 1, max: 1500 },
        stock: "1000",
    },
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let word = |name: &str| setup.settings.word(name);
    let army = rules_of(setup)?.army(setup.settings.whole("units"));
    let plan = Plan {
        mission: Mission::Battle,
        leads: [lead_of(word("blue")), lead_of(word("red"))],
        armies: [army; 2],
        has_fog: word("fog") == "on",
        pull: pull_of(word("influence")),
        layers: LayerUse::Cost,
        pattern: FormOrder::default(),
        seconds: f32::INFINITY,
    };
    game::build(setup, &plan)
}
