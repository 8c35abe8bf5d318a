//! `unit-tastes`: four kinds of units cross the same country, each by the ground it likes.

use sentir::core::draw::{Color, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_nav::bake::LevelFilter;
use sentir_nav::mesh::{AreaCost, AreaCosts, AreaId};
use sentir_nav::tactic::{PathWhy, RegionSet, Tactic, TacticQuery, TacticSearch, Terrain, Weighted};

use super::tactical_paths::{Hiker, RATE, Trek, begin, mesh_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "unit-tastes",
    title: "Four kinds of units, four ways over the same country",
    about: "A wood in the middle, a lake to the south, a road round the north, grass everywhere else. The ranger goes \
            straight through the wood, the rider round it over the grass, the otter swims, and the cart keeps to the road.",
    controls: None,
    kinds: &[KindLook::new(0, "light", Model::Light)],
    look: SceneLook::map(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::NAVMESH],
    settings: &[],
    assets: &[("tastes.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/navigation/tastes.yaml")))],
    rate: RATE,
    ticks_max: 120 * 60,
    trials: &[&[]],
    build,
};

/// Kinds of ground; the first is what is no other.
const KINDS: [&str; 4] = ["grass", "path", "forest", "water"];

/// A kind of unit.
struct Unit {
    name: &'static str,
    hex: u32,
    /// Where it begins and ends, on ground y, m.
    y: f32,
    /// What a meter of each of [`KINDS`] costs; 0 where it cannot go.
    factors: [f32; 4],
    figures: [&'static str; 4],
}

const UNITS: [Unit; 4] = [
    Unit {
        name: "cart",
        hex: 0x6b4f2a,
        y: 3.0,
        factors: [6.0, 1.0, 0.0, 0.0],
        figures: ["cart_length_m", "cart_cost", "", "cart_arrived_s"],
    },
    Unit {
        name: "rider",
        hex: 0xe08a2a,
        y: 1.0,
        factors: [1.0, 1.0, 6.0, 6.0],
        figures: ["rider_length_m", "rider_cost", "", "rider_arrived_s"],
    },
    Unit {
        name: "ranger",
        hex: 0xb8433f,
        y: -1.0,
        factors: [1.5, 1.5, 1.0, 6.0],
        figures: ["ranger_length_m", "ranger_cost", "", "ranger_arrived_s"],
    },
    Unit {
        name: "otter",
        hex: 0x123f78,
        y: -3.0,
        factors: [3.0, 4.0, 4.0, 1.0],
        figures: ["otter_length_m", "otter_cost", "", "otter_arrived_s"],
    },
];

fn costs(factors: [f32; 4]) -> AreaCosts {
    let cost = |factor: f32| if factor > 0.0 { AreaCost::Times(factor) } else { AreaCost::Impassable };
    (0u8..).zip(factors).fold(AreaCosts::PLAIN, |costs, (area, factor)| costs.with(AreaId(area), cost(factor)))
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "tastes.yaml")?;
    let areas = (0u8..).zip(KINDS).skip(1).map(|(area, kind)| (kind.to_owned(), Some(AreaId(area)))).collect();
    let (mesh, spread) = mesh_of(&level, &LevelFilter { areas, ..LevelFilter::default() })?;
    let mut search = TacticSearch::default();
    let hikers = UNITS.iter().map(|unit| {
        let costs = costs(unit.factors);
        let terrain = Terrain { costs: &costs };
        let layers = [Weighted { layer: &terrain, weight: 1.0 }];
        let [from, to] = [-17.0, 17.0].map(|x| plane::lift(Vec2::new(x, unit.y), 0.0));
        let tactic = Tactic { layers: &layers, exposure: None };
        let query = TacticQuery { tactic, costs: &costs, ..TacticQuery::new(from, to) };
        let mut why = PathWhy::default();
        let _ = search.find(&mesh, &spread, &query);
        search.why(&mesh, &query, &mut why);
        let at = Vec2::new(-17.0, unit.y);
        Hiker { name: unit.name, color: Color::rgb(unit.hex), at, way: why.taken, figures: unit.figures }
    });
    let hikers = hikers.collect();
    let trek = Trek { level, mesh, sight: RegionSet::default(), hikers, metrics: Vec::new(), ticks_max: 110 * 60 };
    Ok(Box::new(begin(trek, setup.seed)))
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn each_unit_goes_its_own_way_at_a_cost_of_its_own() {
        let (ending, metric) = play("unit-tastes", 1, &[]);
        assert_eq!(ending, Some("everybody is there"));
        let length = |name: &str| metric(&format!("{name}_length_m"));
        // Straight on is 34 m.
        assert!(length("ranger") < 35.0, "{}", length("ranger"));
        assert!(length("rider") > 34.5 && length("rider") < 39.0, "{}", length("rider"));
        assert!(length("otter") > 34.5 && length("otter") < 39.0, "{}", length("otter"));
        assert!(length("cart") > 44.0, "{}", length("cart"));
        assert!(metric("cart_cost") < 6.0 * 34.0 && metric("cart_cost") >= length("cart"));
        // The rider stays on grass.
        assert!((metric("rider_cost") - length("rider")).abs() < 0.5, "{}", metric("rider_cost"));
    }
}
