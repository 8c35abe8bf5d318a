//! `war-economy`: workers alone fetch resources and build what there is to build.

use super::game::{self, FormOrder, INFLUENCE, KINDS, LAYERS, Mission, Plan, RATE, TICKS_MAX, asset, lead_of, pull_of};
use sentir::core::draw::Layer;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war-economy",
    title: "Workers, resources, turrets",
    about: "Nobody but workers. They fetch resources, which come back after a while, build the turrets of their side, and wait at \
            the base when there is nothing left to build. They believe a resource to be there until one of their side has seen \
            that it is not.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow, View::Eyes]),
    layers: ECONOMY_LAYERS,
    settings: SETTINGS,
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&["seconds=150"]],
    build,
};

/// Nobody strikes here.
const ECONOMY_LAYERS: &[Layer] = &[LAYERS[0], LAYERS[1], LAYERS[2], LAYERS[3]];

const SETTINGS: &[Setting] = &[
    Setting {
        name: "workers",
        about: "how many on either side",
        kind: SettingKind::Whole { min: 1, max: 20 },
        stock: "3",
    },
    Setting {
        name: "seconds",
        about: "when it ends, s",
        kind: SettingKind::Number { min: 1.0, max: 900.0 },
        stock: "180",
    },
    INFLUENCE,
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let workers = setup.settings.whole("workers");
    let plan = Plan {
        mission: Mission::Economy,
        leads: [lead_of("defend"); 2],
        armies: [[workers, 0, 0, 0, 0]; 2],
        has_fog: true,
        pull: pull_of(setup.settings.word("influence")),
        layers: LayerUse::Cost,
        pattern: FormOrder::default(),
        seconds: setup.settings.number("seconds"),
    };
    game::build(setup, &plan)
}
