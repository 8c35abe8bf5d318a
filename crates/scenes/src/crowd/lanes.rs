//! `lanes`: two streams cross at right angles.

use sentir::core::draw::Layer;
use sentir::prelude::*;
use sentir_act::avoid::{AvoidConfig, WallIndex};

use crate::orca_walker::OrcaWalker;
use crate::walk_scene::{Finish, RATE, Stroll, begin, brains, put};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySet;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "lanes",
    title: "Two streams of people cross at a street corner",
    about: "One stream goes east, one north, through a crossing eight meters wide between four buildings. They pass \
            between each other without a stop; who comes to the end of the street is gone.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::AVOIDANCE],
    settings: SETTINGS,
    assets: &[("crossing.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../level/levels/crossing.yaml")))],
    rate: RATE,
    ticks_max: 180 * 60,
    trials: &[&["count=40"], &["count=96", "seconds=15"]],
    build,
};

const PLACE: Purpose = Purpose::new("lanes.place");

const SETTINGS: &[Setting] = &[
    Setting {
        name: "count",
        about: "how many people in all",
        kind: SettingKind::Whole { min: 2, max: 96 },
        stock: "80",
    },
    Setting {
        name: "seconds",
        about: "when the match ends at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 180.0 },
        stock: "180",
    },
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "crossing.yaml")?;
    let mut brains = brains(setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    for number in 0..setup.settings.whole("count") {
        // Ranks of four across a street, with room for others to pass between.
        let (stream, place) = (number % 2, number / 2);
        let (across, along) = ((place % 4) as f32 * 1.9 - 2.85, 6.0 + (place / 4) as f32 * 2.0);
        let jitter = Vec2::new(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
        let (from, to) = (Vec2::new(-along, across) + jitter, Vec2::new(29.5, across));
        // By way of the far side of the crossing, for those who are carried off into the other street.
        let by = Vec2::new(8.0, across * 0.6);
        let turned = |place: Vec2| if stream == 0 { place } else { Vec2::new(place.y, place.x) };
        put(&mut brains, &mut bodies, number.into(), turned(from), vec![turned(to), turned(by)]);
    }
    let mind = OrcaWalker {
        pace_m_per_s: 1.4,
        horizon_s: 2.0,
        margin_m: 0.05,
        stand_priority: 0.5,
        lean_rad_max: 0.5,
        acceleration_m_per_s2: 5.0,
        avoid: AvoidConfig { range_m: 4.0, neighbors_max: 12, wall_horizon_s: 0.4, separate_s: 0.5 },
        walls: WallIndex::build(&sentir_sim::wall::walls(&level), 2.0),
        gate: None,
    };
    let body = [BodyConfig { speed_m_per_s_max: 1.5, ..BodyConfig::default() }];
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let scene =
        Stroll { mind, level, body, ticks_max, finish: Finish::Stops, leaves: true, label: Vec2::new(-15.0, 15.0) };
    Ok(Box::new(begin(scene, brains, bodies)))
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn both_streams_get_through_each_other() {
        for seed in [1, 2] {
            let (ending, metric) = play("lanes", seed, &[("count", "48")]);
            assert_eq!(ending, Some("cleared"));
            assert!(metric("least_gap_m") >= 0.0, "{}", metric("least_gap_m"));
            // The last have 41 m to go, at 1.4 m/s 29 s.
            assert!(metric("last_s") < 70.0, "{}", metric("last_s"));
        }
    }
}
