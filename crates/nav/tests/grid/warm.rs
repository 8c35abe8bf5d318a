//! A warm search allocates nothing.

use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Cell, FlowField, Hierarchy, HierarchyConfig, HierarchySearch, JumpPoint, Lrta, Query,
    UnitGrid,
};

use crate::oracle;

#[test]
fn warm_searches_allocate_nothing() {
    let mut random = Streams { seed: 8 }.stream(0, Purpose::new("warm"));
    let terrain = oracle::rooms(120, 100, 13, false, &mut random);
    let ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    let map = Hierarchy::build(&ground, &HierarchyConfig::default());
    let queries: Vec<Query> = (0..40)
        .map(|_| Query::new(oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap()))
        .collect();
    let (mut astar, mut jump, mut angle) = (Astar::default(), JumpPoint::default(), AnyAngle::default());
    let (mut hierarchy, mut field) = (HierarchySearch::default(), FlowField::default());
    let mut unit = Lrta::new(&ground, queries[0].start, queries[0].goal);
    let mut round = || {
        let mut cost = 0.0;
        for query in &queries {
            cost += astar.query(&ground, query, &AstarConfig::default()).cost;
            cost += jump.query(&ground, query).cost;
            cost += angle.query(&ground, query).cost;
            cost += hierarchy.query(&ground, &map, query).cost;
            field.fill(&ground, &[query.goal, Cell::new(1, 1)], u32::MAX);
            unit.step(&ground);
        }
        cost
    };
    let cold = round();
    let mut warm = 0.0;
    let count = allocation_counter::measure(|| warm = round());
    assert_eq!((count.count_total, warm), (0, cold));
}

#[test]
fn bytes_per_cell_are_as_told() {
    let mut random = Streams { seed: 8 }.stream(0, Purpose::new("warm"));
    let ground = UnitGrid::build(&oracle::speckled(128, 128, 20, &mut random), &oracle::unit(1, 1)).unwrap();
    assert!(ground.bytes_per_cell() > 6.0 && ground.bytes_per_cell() < 7.5, "{}", ground.bytes_per_cell());
    let map = Hierarchy::build(&ground, &HierarchyConfig::default());
    assert!(map.bytes_per_cell() < 30.0, "{}", map.bytes_per_cell());
    assert_eq!((Astar::BYTES_PER_CELL, JumpPoint::BYTES_PER_CELL, Lrta::BYTES_PER_CELL), (8, 12, 4));
}
