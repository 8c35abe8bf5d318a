//! `door`: the halls of `crowd` and the same start, but people who mind each other.

use sentir::core::draw::Layer;
use sentir::prelude::*;
use sentir_act::avoid::{AvoidConfig, WallIndex};

use crate::orca_walker::{Gate, OrcaWalker};
use crate::walk_scene::{Finish, RATE, Stroll, begin, brains, put};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySet;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "door",
    title: "Five hundred through one door, minding each other",
    about: "The same hall, door and start as in 'crowd'. Who is nearer to the door goes first and who is behind yields, so \
            two streams join like a zipper and the door never jams.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::AVOIDANCE],
    settings: SETTINGS,
    assets: &[("doorway.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../level/levels/doorway.yaml")))],
    rate: RATE,
    ticks_max: 600 * 60,
    trials: &[&["count=30"], &["count=120", "seconds=10"]],
    build,
};

// The same draws as in `crowd`, so that the same seed is the same start.
const PLACE: Purpose = Purpose::new("crowd.place");
/// Distance between two bodies at the start, m.
const STEP_M: f32 = 0.75;

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many people", kind: SettingKind::Whole { min: 1, max: 600 }, stock: "500" },
    Setting {
        name: "seconds",
        about: "when the match ends at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "600",
    },
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "doorway.yaml")?;
    let mut brains = brains(setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    let mut places: Vec<Vec2> = (0..32u16)
        .flat_map(|column| (0..24u16).map(move |row| (column, row)))
        .map(|(column, row)| Vec2::new(-28.5 + f32::from(column) * STEP_M, (f32::from(row) - 11.5) * STEP_M))
        .collect();
    random.shuffle(&mut places);
    for (number, &place) in (0..u64::from(setup.settings.whole("count"))).zip(&places) {
        let jitter = Vec2::new(random.between(-0.05, 0.05), random.between(-0.05, 0.05));
        let far = Vec2::new(random.between(8.0, 28.0), random.between(-8.5, 8.5));
        put(&mut brains, &mut bodies, number, place + jitter, vec![far]);
    }
    let body = [BodyConfig { speed_m_per_s_max: 1.5, ..BodyConfig::default() }];
    let mind = OrcaWalker {
        pace_m_per_s: 1.5,
        horizon_s: 0.6,
        margin_m: 0.03,
        stand_priority: 0.5,
        lean_rad_max: 0.0,
        acceleration_m_per_s2: 6.0,
        avoid: AvoidConfig { range_m: 2.0, neighbors_max: 10, wall_horizon_s: 0.25, separate_s: 0.5 },
        walls: WallIndex::build(&sentir_sim::wall::walls(&level), 1.0),
        gate: Some(Gate { at: Vec2::ZERO, ahead: Vec2::X, half_m: 0.28 }),
    };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let scene =
        Stroll { mind, level, body, ticks_max, finish: Finish::East(0.5), leaves: false, label: Vec2::new(0.0, 11.3) };
    Ok(Box::new(begin(scene, brains, bodies)))
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn the_door_never_jams_where_plain_seeking_does() {
        for seed in [1, 2] {
            let (ending, metric) = play("door", seed, &[("count", "60"), ("seconds", "80")]);
            assert_eq!(ending, Some("cleared"));
            assert!(metric("least_gap_m") >= 0.0, "{}", metric("least_gap_m"));
            assert!(metric("flow_per_s") > 1.5, "{}", metric("flow_per_s"));
            assert!(metric("longest_stand_s") < 8.0, "{}", metric("longest_stand_s"));
            assert!(metric("avoidance_overlap_m") < 0.06, "{}", metric("avoidance_overlap_m"));
        }
    }
}
