//! Cost layers: searches on layered ground are optimal for the cost that the layers say, which is always positive; reasons add up.

use proptest::prelude::*;
use sentir_nav::core::glam::Vec2;
use sentir_nav::core::math;
use sentir_nav::core::random::{Purpose, Stream, Streams};
use sentir_nav::grid::{
    Cell, CostLayer, FlowField, Hierarchy, HierarchyConfig, HierarchySearch, LayerUse, LayeredGrid, LayeredSearch,
    Pull, Query, UnitGrid, is_walkable,
};

use crate::oracle;

const DETAIL: u8 = 8;

/// A random country with two random layers.
struct Country {
    base: UnitGrid,
    shares: [Vec<f32>; 2],
    pulls: [Pull; 2],
    weights: [f32; 2],
}

impl Country {
    fn of(seed: u64) -> Option<(Country, Query)> {
        let mut random = Streams { seed }.stream(0, Purpose::new("layer"));
        let (width, height) = (4 + random.below(14), 4 + random.below(14));
        let terrain = oracle::rooms(width, height, 3 + random.below(5), true, &mut random);
        let base = UnitGrid::build(&terrain, &oracle::unit(2, 4)).unwrap();
        let pull = |random: &mut Stream| [Pull::Shun, Pull::Seek, Pull::Off][random.below(3) as usize];
        let field = |random: &mut Stream| (0..width * height).map(|_| random.between(-0.2, 1.2)).collect();
        let shares = [field(&mut random), field(&mut random)];
        let pulls = [pull(&mut random), pull(&mut random)];
        let weights = [random.between(0.0, 3.0), random.between(-1.0, 2.0)];
        let start = oracle::spot(&base, &mut random)?;
        let goal = oracle::spot(&base, &mut random)?;
        Some((Country { base, shares, pulls, weights }, Query::new(start, goal)))
    }

    fn layers(&self) -> [CostLayer<'_>; 2] {
        [0, 1].map(|number| CostLayer {
            name: ["influence", "danger"][number],
            pull: self.pulls[number],
            weight: self.weights[number],
            shares: &self.shares[number],
        })
    }

    fn grid(&self) -> LayeredGrid {
        let mut grid = LayeredGrid::new(self.base.clone(), DETAIL);
        grid.lay(&self.layers());
        grid
    }
}

/// What a cell costs by the definition, in floats.
fn by_definition(country: &Country, cell: Cell) -> f32 {
    let index = usize::from(cell.y) * country.base.width() as usize + usize::from(cell.x);
    let own = f32::from(country.base.cost(cell).unwrap());
    let part = |number: usize| {
        let (weight, share) = (math::max(country.weights[number], 0.0), math::saturate(country.shares[number][index]));
        match country.pulls[number] {
            Pull::Shun => weight * share,
            Pull::Seek => weight * (1.0 - share),
            Pull::Off => 0.0,
        }
    };
    math::min(own + part(0) + part(1), 8.0)
}

proptest! {
    #[test]
    fn every_cell_costs_what_the_layers_say_and_never_less_than_its_terrain(seed in any::<u64>()) {
        let Some((country, _)) = Country::of(seed) else { return Ok(()) };
        let grid = country.grid();
        for y in 0..country.base.height() as u16 {
            for x in 0..country.base.width() as u16 {
                let cell = Cell::new(x, y);
                let laid = grid.ground().cost(cell);
                prop_assert_eq!(laid.is_some(), country.base.is_free(cell));
                if let Some(laid) = laid {
                    let told = f32::from(laid) / f32::from(DETAIL);
                    // Half a step of rounding for each layer.
                    prop_assert!((told - by_definition(&country, cell)).abs() <= 1.01 / f32::from(DETAIL));
                    prop_assert!(told >= math::min(f32::from(country.base.cost(cell).unwrap()), 8.0));
                }
            }
        }
    }

    #[test]
    fn searches_on_layers_find_the_least_cost_and_the_leaning_one_finds_some_way(seed in any::<u64>()) {
        let Some((country, query)) = Country::of(seed) else { return Ok(()) };
        let grid = country.grid();
        let index = usize::from(query.goal.y) * grid.ground().width() as usize + usize::from(query.goal.x);
        let least = oracle::lengths(grid.ground(), query.start, true)[index] / f64::from(DETAIL);
        let mut search = LayeredSearch::default();
        for layers in [LayerUse::Cost, LayerUse::Heuristic] {
            let answer = search.query(&grid, &query, layers);
            prop_assert_eq!(answer.is_found(), least.is_finite());
            if !answer.is_found() {
                continue;
            }
            let path = answer.path.to_vec();
            let cost = answer.cost;
            prop_assert!(is_walkable(grid.ground(), &path));
            prop_assert_eq!((path[0], path[path.len() - 1]), (query.start, query.goal));
            if layers == LayerUse::Cost {
                prop_assert!((cost - least).abs() < 1e-4 * (1.0 + least), "{} and not {}", cost, least);
            } else {
                prop_assert!(cost > least - 1e-4 * (1.0 + least), "{} under {}", cost, least);
            }
            let mut why = Vec::new();
            grid.why(&path, &mut why);
            let names: Vec<&str> = why.iter().map(|part| part.name).collect();
            prop_assert_eq!(names, ["terrain", "influence", "danger"]);
            let sum: f64 = why.iter().map(|part| part.cost).sum();
            prop_assert!(sum >= cost - 1e-6 && why.iter().all(|part| part.cost >= 0.0));
            let is_cut = path.iter().any(|&cell| by_definition(&country, cell) > 7.8);
            prop_assert!(is_cut || (sum - cost).abs() < 1e-6, "{} and not {}", sum, cost);
        }
    }

    #[test]
    fn flow_fields_and_hierarchies_read_the_layers(seed in any::<u64>()) {
        let Some((country, query)) = Country::of(seed) else { return Ok(()) };
        let grid = country.grid();
        let mut field = FlowField::default();
        let _ = field.fill(grid.ground(), &[query.goal], u32::MAX);
        let least = LayeredSearch::default().query(&grid, &query, LayerUse::Cost).cost;
        if let Some(length) = field.length(query.start) {
            prop_assert!((length / f64::from(DETAIL) - least).abs() < 1e-4 * (1.0 + least));
        }
        let map = Hierarchy::build(grid.ground(), &HierarchyConfig { side: 5, ..HierarchyConfig::default() });
        let long = HierarchySearch::default().query(grid.ground(), &map, &query).cost / f64::from(DETAIL);
        prop_assert!(long >= least - 1e-4 * (1.0 + least));
    }
}

/// Two ways round a wall, of equal length; the second one lies in influence.
#[test]
fn who_shuns_goes_round_who_seeks_goes_through_and_off_is_plain() {
    let rows = ["........", ".######.", "........"];
    let terrain = oracle::drawn(&rows);
    let base = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    let shares: Vec<f32> = (0..24).map(|index| f32::from(u8::from((16..24).contains(&index)))).collect();
    let query = Query::new(Cell::new(0, 1), Cell::new(7, 1));
    let row_of = |pull: Pull, layers: LayerUse| {
        let mut grid = LayeredGrid::new(base.clone(), DETAIL);
        grid.lay(&[CostLayer { name: "influence", pull, weight: 3.0, shares: &shares }]);
        let mut search = LayeredSearch::default();
        let answer = search.query(&grid, &query, layers);
        answer.path[answer.path.len() / 2].y
    };
    assert_eq!(row_of(Pull::Shun, LayerUse::Cost), 0);
    assert_eq!(row_of(Pull::Seek, LayerUse::Cost), 2);
    assert_eq!(row_of(Pull::Shun, LayerUse::Heuristic), 0);
    assert_eq!(row_of(Pull::Seek, LayerUse::Heuristic), 2);
}

#[test]
fn a_field_on_layers_leads_round_what_is_shunned() {
    let terrain = oracle::drawn(&["........", ".######.", "........"]);
    let base = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    let shares: Vec<f32> = (0..24).map(|index| f32::from(u8::from((16..24).contains(&index)))).collect();
    let mut grid = LayeredGrid::new(base, DETAIL);
    let mut field = FlowField::default();
    for (pull, y) in [(Pull::Shun, -1.0f32), (Pull::Seek, 1.0)] {
        grid.lay(&[CostLayer { name: "danger", pull, weight: 3.0, shares: &shares }]);
        let _ = field.fill(grid.ground(), &[Cell::new(7, 1)], u32::MAX);
        assert_eq!(field.direction(Vec2::new(0.5, 1.5)).y.signum(), y, "{pull:?}");
    }
}
