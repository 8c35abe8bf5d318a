//! `war-march`: a formation over one bridge and back over the other.

use super::game::{self, FormOrder, KINDS, LAYERS, Mission, Plan, RATE, TICKS_MAX, asset, lead_of, pull_of};
use sentir::core::draw::Layer;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war-march",
    title: "A formation crosses the river",
    about: "Foot, archers and a spy form up, march over the bridge to the other bank and back. Before the bridge the formation narrows, \
            behind it opens again; roles are rules, costs, or do not matter.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow]),
    layers: MARCH_LAYERS,
    settings: SETTINGS,
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[], &["pattern=triangle", "roles=soft"]],
    build,
};

/// Nobody strikes here.
const MARCH_LAYERS: &[Layer] = &[LAYERS[0], LAYERS[1], LAYERS[2], LAYERS[3]];
const PATTERNS: &[&str] = &["diamond", "pairs", "circle", "triangle", "squares", "column", "line"];
const ROLES: &[&str] = &["none", "hard", "soft"];

const SETTINGS: &[Setting] = &[
    Setting { name: "pattern", about: "what is formed", kind: SettingKind::Choice(PATTERNS), stock: "squares" },
    Setting {
        name: "roles",
        about: "whether roles do not matter, are rules, or costs",
        kind: SettingKind::Choice(ROLES),
        stock: "none",
    },
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let number = |words: &[&str], name: &str| {
        let word = setup.settings.word(name);
        words.iter().position(|it| *it == word).unwrap_or(0) as u8
    };
    let plan = Plan {
        mission: Mission::March,
        leads: [lead_of("defend"); 2],
        armies: [[0, 4, 3, 4, 1], [0; 5]],
        has_fog: true,
        pull: pull_of("off"),
        layers: LayerUse::Cost,
        pattern: FormOrder { pattern: number(PATTERNS, "pattern"), rule: number(ROLES, "roles") },
        seconds: 400.0,
    };
    game::build(setup, &plan)
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn every_pattern_crosses_both_ways_and_nobody_is_stuck_on_the_bridge() {
        for pattern in super::PATTERNS {
            let settings = [("pattern", *pattern)];
            let (ending, metric) = play("war-march", 1, &settings);
            assert_eq!(ending, Some("done"), "{pattern}");
            assert!(metric("bridge_held_s") < 5.0, "{pattern}: {}", metric("bridge_held_s"));
        }
    }
}
