//! `safe-path`: two go from one side of a watched yard to the other, one by the shortest way, one by the safest.

use sentir::core::body::person::PLAN_EYE_M;
use sentir::core::draw::{Color, Layer};
use sentir::core::geometry::Ray;
use sentir::core::{math, order, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::LevelFilter;
use sentir_nav::tactic::{
    Exposure, ExposurePrice, PathCost, PathWhy, Region, RegionSet, Tactic, TacticQuery, TacticSearch,
};

use super::tactical_paths::{Hiker, RATE, Trek, begin, mesh_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "safe-path",
    title: "The shortest way and the safe one",
    about: "A watcher overlooks a yard. One walker crosses it, since that is shortest; the other one goes round behind the \
            wall, unless the way round is ten times as long. What the watcher sees is red, and so are the stretches of a \
            way that cost for being seen.",
    controls: None,
    kinds: &[KindLook::new(0, "traveler", Model::Person)],
    look: SceneLook::map(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::NAVMESH],
    settings: SETTINGS,
    assets: &[
        ("safe_path.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/navigation/safe_path.yaml"))),
        (
            "safe_path_tenfold.yaml",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/navigation/safe_path_tenfold.yaml")),
        ),
    ],
    rate: RATE,
    ticks_max: 300 * 60,
    trials: &[&[], &["detour=tenfold"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "detour",
        about: "how long the covered way is",
        kind: SettingKind::Choice(&["normal", "tenfold"]),
        stock: "normal",
    },
    Setting {
        name: "exposure_weight",
        about: "what a meter in sight costs, in meters of way, before the power",
        kind: SettingKind::Number { min: 0.0, max: 100.0 },
        stock: "0.5",
    },
    Setting {
        name: "exposure_exponent",
        about: "the power of how long one is seen on end",
        kind: SettingKind::Number { min: 1.0, max: 4.0 },
        stock: "2",
    },
];

const WATCHER: Vec2 = Vec2::new(0.0, -7.5);
/// How far the watcher sees, m.
const SIGHT_M: f32 = 60.0;
/// Rays all round, beside those at the corners of walls.
const RAYS: u16 = 360;
/// North of this, a way is the covered one.
const COVERED_Y: f32 = 4.5;

/// What is in sight of an eye at a height, by level rays: all round, and on both sides of each corner, so that the borders
/// of what corners hide are where they should be.
fn sight(level: &Level, eye: Vec2) -> Vec<Vec2> {
    let state = LevelState::new(level);
    let view = LevelView { level, state: &state };
    let mut yaws: Vec<f32> =
        (0..RAYS).map(|number| f32::from(number) * math::TAU / f32::from(RAYS) - math::PI).collect();
    for corner in level.outlines(PLAN_EYE_M - 0.1, PLAN_EYE_M + 0.1).iter().flatten() {
        let yaw = plane::yaw(*corner - eye);
        yaws.extend([yaw - 1e-4, yaw, yaw + 1e-4]);
    }
    yaws.sort_unstable_by(f32::total_cmp);
    let reach = |&yaw: &f32| {
        let heading = plane::heading(yaw);
        let ray = Ray { origin: plane::lift(eye, PLAN_EYE_M), direction: plane::lift(heading, 0.0), length_m: SIGHT_M };
        eye + heading * view.sight_ray(&ray).map_or(SIGHT_M, |hit| hit.distance_m)
    };
    yaws.iter().map(reach).collect()
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let is_tenfold = setup.settings.word("detour") == "tenfold";
    let level = level_asset(setup, if is_tenfold { "safe_path_tenfold.yaml" } else { "safe_path.yaml" })?;
    let (mesh, spread) = mesh_of(&level, &LevelFilter::default())?;
    let refuse = |what: String| SceneError::Asset { name: level.name().to_owned(), line: 0, column: 0, what };
    let sight = RegionSet::new(&[Region::new(sight(&level, WATCHER))]).map_err(|error| refuse(error.to_string()))?;
    let (weight, exponent) = (setup.settings.number("exposure_weight"), setup.settings.number("exposure_exponent"));
    let price = ExposurePrice::new(weight.into(), exponent.into());
    let exposure = Some(Exposure { sight: &sight, price });
    let mut search = TacticSearch::default();
    let mut ways = [(0.6, PathWhy::default()), (1.8, PathWhy::default())].map(|(y, mut why)| {
        let [from, to] = [-10.0, 10.0].map(|x| plane::lift(Vec2::new(x, y), 0.0));
        let query = TacticQuery { tactic: Tactic { layers: &[], exposure }, ..TacticQuery::new(from, to) };
        let _ = search.find(&mesh, &spread, &query);
        search.why(&mesh, &query, &mut why);
        why
    });
    let [plain, tactical] = [std::mem::take(&mut ways[0].shortest), std::mem::take(&mut ways[1].taken)];
    let is_covered = |way: &PathCost| f32::from(u8::from(north(way) > COVERED_Y));
    let metrics = vec![
        Metric::new("plain_covered", is_covered(&plain)),
        Metric::new("tactical_covered", is_covered(&tactical)),
        Metric::new("refused_cost", ways[1].shortest.total.total() as f32),
    ];
    let hiker = |name, hex, y, way, figures| {
        let at = Vec2::new(-10.0, y);
        Hiker { name, color: Color::rgb(hex), at, way, figures }
    };
    let hikers = vec![
        hiker("shortest", 0x2f6fb0, 0.6, plain, ["plain_length_m", "plain_cost", "plain_exposed_s", "plain_arrived_s"]),
        hiker(
            "safest",
            0xe08a2a,
            1.8,
            tactical,
            ["tactical_length_m", "tactical_cost", "tactical_exposed_s", "tactical_arrived_s"],
        ),
        Hiker { name: "watcher", color: Color::rgb(0xb8433f), at: WATCHER, way: PathCost::default(), figures: [""; 4] },
    ];
    let trek = Trek { level, mesh, sight, hikers, metrics, ticks_max: 290 * 60 };
    Ok(Box::new(begin(trek, setup.seed)))
}

/// How far north a way comes, m.
fn north(way: &PathCost) -> f32 {
    let northing = way.points.iter().map(|&point| plane::ground(point).y);
    order::greatest(northing.clone()).and_then(|number| northing.clone().nth(number)).unwrap_or(f32::MIN)
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn the_plain_one_crosses_the_yard_and_the_tactical_one_goes_round() {
        let (ending, metric) = play("safe-path", 1, &[]);
        assert_eq!(ending, Some("everybody is there"));
        assert_eq!((metric("plain_covered"), metric("tactical_covered")), (0.0, 1.0));
        assert!(
            metric("tactical_exposed_s") == 0.0 && metric("plain_exposed_s") > 5.0,
            "{}",
            metric("plain_exposed_s")
        );
        assert!(metric("tactical_length_m") > metric("plain_length_m"));
        assert!(metric("tactical_cost") < metric("refused_cost"));
    }

    #[test]
    fn a_way_round_ten_times_as_long_is_not_worth_it() {
        let (ending, metric) = play("safe-path", 1, &[("detour", "tenfold")]);
        assert_eq!(ending, Some("everybody is there"));
        assert_eq!((metric("plain_covered"), metric("tactical_covered")), (0.0, 0.0));
        assert!(metric("tactical_exposed_s") > 5.0);
        // For who fears to be seen enough, it is: and it is over ten times the way of the other level.
        let (_, afraid) = play("safe-path", 1, &[("detour", "tenfold"), ("exposure_weight", "10")]);
        let (_, normal) = play("safe-path", 1, &[]);
        assert!(afraid("tactical_covered") == 1.0 && afraid("tactical_exposed_s") == 0.0);
        assert!(afraid("tactical_length_m") > 10.0 * normal("tactical_length_m"), "{}", afraid("tactical_length_m"));
    }
}
