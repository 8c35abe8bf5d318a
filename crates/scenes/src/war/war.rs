//! `war`: two sides, five kinds of units, structures, fog, attitudes; to be watched or commanded.

use super::game::{
    self, BLUE, FOG, FormOrder, INFLUENCE, KINDS, LAYERS, Mission, Plan, RATE, RED, SEARCH, TICKS_MAX, asset, command,
    lead_of, pull_of, rules_of,
};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war",
    title: "A war over a river",
    about: "Blue in the west, red in the east, two bridges. Workers fetch resources and build turrets, light and heavy foot, archers \
            and spies fight by decision trees out of files, the wounded go to the hospital, the dead come back at the base. Who \
            loses the base has lost. Each side knows only what its own see, and takes an attitude: attack, defend, total war, or \
            what its strategy file makes of what it believes. Ways are found by taste for the ground and by the enemy's influence.",
    controls: Some(command::CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow, View::Eyes]).with_minimap(),
    layers: LAYERS,
    settings: SETTINGS,
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&["units=6", "blue=attack"], &["units=8", "blue=total", "red=input", "influence=seek"]],
    build,
};

pub(crate) const UNITS: Setting = Setting {
    name: "units",
    about: "how many units on either side",
    kind: SettingKind::Whole { min: 1, max: 200 },
    stock: "16",
};
const SETTINGS: &[Setting] = &[BLUE, RED, FOG, INFLUENCE, SEARCH, UNITS];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    game::build(setup, &plan(setup)?)
}

pub(crate) fn plan(setup: &Setup) -> Result<Plan, SceneError> {
    let word = |name: &str| setup.settings.word(name);
    let army = rules_of(setup)?.army(setup.settings.whole("units"));
    Ok(Plan {
        mission: Mission::Battle,
        leads: [lead_of(word("blue")), lead_of(word("red"))],
        armies: [army; 2],
        has_fog: word("fog") == "on",
        pull: pull_of(word("influence")),
        layers: if word("search") == "heuristic" { LayerUse::Heuristic } else { LayerUse::Cost },
        pattern: FormOrder::default(),
        seconds: f32::INFINITY,
    })
}
