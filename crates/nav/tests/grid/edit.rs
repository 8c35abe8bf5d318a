//! Edits: plans, components, the hierarchy and the ground stay what they would be if made anew.

use sentir_nav::core::random::{Purpose, Stream, Streams};
use sentir_nav::core::state;
use sentir_nav::grid::{
    Astar, AstarConfig, Cell, Dstar, Hierarchy, HierarchyConfig, HierarchySearch, Query, Tag, Terrain, UnitGrid,
    is_walkable,
};
use sentir_nav::{Ending, PathAnswer};

use crate::oracle;

/// Something done to a cell by chance.
fn edit(terrain: &mut Terrain, random: &mut Stream) {
    let cell = Cell::new(random.below(terrain.width()) as u16, random.below(terrain.height()) as u16);
    match random.below(5) {
        0 | 1 => terrain.block(cell),
        2 | 3 => terrain.unblock(cell) || terrain.paint(cell, Tag(0)),
        _ => terrain.paint(cell, Tag(random.below(4) as u8)),
    };
}

#[test]
fn a_repaired_plan_equals_a_new_search_after_each_of_a_thousand_edits() {
    let mut random = Streams { seed: 11 }.stream(0, Purpose::new("edit"));
    for weights in [1, 5] {
        let mut terrain = oracle::speckled(48, 40, 28, &mut random);
        let unit = oracle::unit(weights, 2 * weights - 1);
        let mut ground = UnitGrid::build(&terrain, &unit).unwrap();
        let (mut at, goal) = (oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap());
        let (mut plan, mut astar) = (Dstar::new(goal), Astar::default());
        let (mut path, mut again) = (Vec::new(), Vec::new());
        let (mut repaired, mut anew, mut found) = (0u64, 0u64, 0);
        for _ in 0..1000 {
            for _ in 0..=random.below(3) {
                edit(&mut terrain, &mut random);
            }
            ground.follow(&terrain);
            let fresh = Dstar::new(goal).plan(&terrain, &ground, at, u32::MAX, &mut again).expanded;
            let ours = plan.plan(&terrain, &ground, at, u32::MAX, &mut path);
            let theirs = astar.query(&ground, &Query::new(at, goal), &AstarConfig::default());
            assert_eq!(ours.ending, theirs.ending);
            assert!((ours.cost - theirs.cost).abs() <= 1e-6 * theirs.cost, "{} for {}", ours.cost, theirs.cost);
            assert!(is_walkable(&ground, ours.path) && ours.path.last() == theirs.path.last());
            found += u32::from(ours.is_found());
            repaired += u64::from(ours.expanded);
            anew += u64::from(fresh);
            // On its way, one step at a time; from the goal or out of a wall it begins elsewhere.
            let next = ours.path.get(1).copied();
            let is_lost = next.is_none();
            at = next.unwrap_or(at);
            if is_lost {
                at = oracle::spot(&ground, &mut random).unwrap();
            }
        }
        assert!(found > 300, "{found}");
        assert!(repaired < anew, "{repaired} expansions of repairs, {anew} anew");
    }
}

#[test]
fn a_plan_can_be_saved_and_goes_on_the_same() {
    let mut random = Streams { seed: 2 }.stream(0, Purpose::new("edit"));
    let mut terrain = oracle::speckled(30, 30, 20, &mut random);
    let mut ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    let (start, goal) = (oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap());
    let (mut plan, mut path, mut other) = (Dstar::new(goal), Vec::new(), Vec::new());
    plan.plan(&terrain, &ground, start, u32::MAX, &mut path);
    let mut copy: Dstar = state::from_bytes(&state::to_bytes(&plan)).unwrap();
    assert!(copy.fits(&ground));
    edit(&mut terrain, &mut random);
    ground.follow(&terrain);
    let ours: PathAnswer<'_, Cell> = plan.plan(&terrain, &ground, start, u32::MAX, &mut path);
    assert_eq!(ours, copy.plan(&terrain, &ground, start, u32::MAX, &mut other));
    assert_eq!(state::hash(&plan), state::hash(&copy));
}

#[test]
fn a_plan_out_of_budget_goes_on_next_time() {
    let terrain = oracle::speckled(40, 40, 0, &mut Streams { seed: 1 }.stream(0, Purpose::new("edit")));
    let ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    let (mut plan, mut path) = (Dstar::new(Cell::new(39, 39)), Vec::new());
    let mut calls = 0;
    while plan.plan(&terrain, &ground, Cell::new(0, 3), 10, &mut path).ending == Ending::OutOfBudget {
        assert_eq!(path, [Cell::new(0, 3)]);
        calls += 1;
    }
    assert!(calls > 1 && path.last() == Some(&Cell::new(39, 39)));
}

#[test]
fn the_ground_and_its_components_follow_edits() {
    let mut random = Streams { seed: 4 }.stream(0, Purpose::new("edit"));
    let mut terrain = oracle::speckled(24, 20, 45, &mut random);
    let unit = oracle::unit(3, 2);
    let mut ground = UnitGrid::build(&terrain, &unit).unwrap();
    for _ in 0..2000 {
        edit(&mut terrain, &mut random);
        let is_behind = ground.version() != terrain.version();
        assert_eq!(ground.follow(&terrain), is_behind);
        let fresh = UnitGrid::build(&terrain, &unit).unwrap();
        let from = oracle::spot(&ground, &mut random).unwrap();
        for index in 0..24 * 20 {
            let cell = Cell::new(index % 24, index / 24);
            assert_eq!(ground.cost(cell), fresh.cost(cell));
            // Numbers may differ, what hangs together may not.
            let is_joined = |ground: &UnitGrid| {
                ground.component(cell).is_some() && ground.component(cell) == ground.component(from)
            };
            assert_eq!(is_joined(&ground), is_joined(&fresh), "{cell:?} and {from:?}");
        }
    }
}

#[test]
fn a_hierarchy_follows_edits() {
    let mut random = Streams { seed: 6 }.stream(0, Purpose::new("edit"));
    let mut terrain = oracle::rooms(60, 50, 9, true, &mut random);
    let mut ground = UnitGrid::build(&terrain, &oracle::unit(2, 3)).unwrap();
    let config = HierarchyConfig { side: 8, spacing: 4 };
    let mut map = Hierarchy::build(&ground, &config);
    let (mut ours, mut theirs) = (HierarchySearch::default(), HierarchySearch::default());
    for _ in 0..200 {
        edit(&mut terrain, &mut random);
        ground.follow(&terrain);
        map.follow(&terrain, &ground);
        let fresh = Hierarchy::build(&ground, &config);
        let (start, goal) = (oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap());
        let query = Query::new(start, goal);
        assert_eq!(ours.query(&ground, &map, &query), theirs.query(&ground, &fresh, &query));
        assert_eq!(map.crossing_count(), fresh.crossing_count());
    }
}
