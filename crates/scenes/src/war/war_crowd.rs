//! `war-crowd`: a thousand units on either side.

use super::game::{
    self, BLUE, FOG, FormOrder, INFLUENCE, KINDS, LAYERS, Mission, Plan, RATE, RED, TICKS_MAX, asset, command, lead_of,
    pull_of, rules_of,
};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war-crowd",
    title: "A thousand on either side",
    about: "The war with armies of a thousand, drawn up around their bases: everybody sees, decides by its file, gets ways from its \
            side and fights, at twenty steps a second. For measuring, and to look at.",
    controls: Some(command::CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow]).with_minimap(),
    layers: LAYERS,
    settings: SETTINGS,
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&["units=24", "seconds=20"]],
    build,
};

const SETTINGS: &[Setting] = &[
    BLUE,
    RED,
    Setting {
        name: "units",
        about: "how many units on either side",
        kind: SettingKind::Whole { min: 1, max: 1000 },
        stock: "1000",
    },
    Setting {
        name: "seconds",
        about: "when it ends at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 900.0 },
        stock: "60",
    },
    FOG,
    INFLUENCE,
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
        seconds: setup.settings.number("seconds"),
    };
    game::build(setup, &plan)
}
