//! LRTA* on the map of two zones with few passes and an islet: it arrives, it learns, it zigzags, and it knows the islet.

use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::grid::{Astar, AstarConfig, Cell, Lrta, LrtaStep, Query, Terrain, UnitGrid};

use crate::oracle;

/// Two zones of 30 × 30 cells in all, a wall with two passes between them, pockets, and an islet in the corner.
fn zones() -> Terrain {
    let mut tags = vec![0u8; 900];
    let mut wall = |x: usize, y: usize| tags[y * 30 + x] = 1;
    (0..30).filter(|&y| y != 3 && y != 26).for_each(|y| wall(15, y));
    (8..22).for_each(|y| wall(12, y));
    (6..13).for_each(|x| (wall(x, 8), wall(x, 21)).0);
    (18..27).for_each(|x| wall(x, 12));
    (12..24).for_each(|y| wall(18, y));
    (22..30).for_each(|at| (wall(22, at), wall(at, 22)).0);
    oracle::terrain(30, 30, tags)
}

#[test]
fn it_reaches_the_goal_learns_upward_only_and_walks_farther_than_a_star() {
    let ground = UnitGrid::build(&zones(), &oracle::unit(1, 1)).unwrap();
    let (start, goal) = (Cell::new(9, 15), Cell::new(21, 16));
    let mut unit = Lrta::new(&ground, start, goal);
    let cells = || (0..900u16).map(|index| Cell::new(index % 30, index / 30)).filter(|&cell| ground.is_free(cell));
    let mut known: Vec<f64> = cells().map(|cell| unit.heuristic(&ground, cell).unwrap()).collect();
    let truth = oracle::lengths(&ground, goal, true);
    while let LrtaStep::Moved(cell) = unit.step(&ground) {
        assert!(ground.is_free(cell) && unit.steps() < 20_000);
        for (cell, known) in cells().zip(&mut known) {
            let now = unit.heuristic(&ground, cell).unwrap();
            let length = truth[usize::from(cell.y) * 30 + usize::from(cell.x)];
            assert!(now >= *known, "{cell:?} fell from {known} to {now}");
            assert!(now <= length * (1.0 + 1e-6), "{cell:?} is {now}, above {length}");
            *known = now;
        }
    }
    assert_eq!((unit.cell(), unit.step(&ground)), (goal, LrtaStep::Arrived));
    let mut astar = Astar::default();
    let best = astar.query(&ground, &Query::new(start, goal), &AstarConfig::default());
    let first = unit.steps();
    assert!(first as usize > 2 * best.path.len(), "{first} steps beside {}", best.path.len());
    // What was learned is kept: trial after trial gets better, until it walks as A* does.
    for _ in 0..200 {
        unit.restart(start);
        while unit.step(&ground) != LrtaStep::Arrived {}
    }
    assert_eq!(unit.steps() as usize + 1, best.path.len());
}

#[test]
fn it_says_no_path_for_the_islet_at_the_first_step() {
    let ground = UnitGrid::build(&zones(), &oracle::unit(1, 1)).unwrap();
    let mut unit = Lrta::new(&ground, Cell::new(2, 2), Cell::new(27, 27));
    assert_eq!((unit.step(&ground), unit.steps(), unit.cell()), (LrtaStep::NoPath, 0, Cell::new(2, 2)));
}

#[test]
fn bad_ends_are_told() {
    let ground = UnitGrid::build(&zones(), &oracle::unit(1, 1)).unwrap();
    let step = |start: Cell, goal: Cell| Lrta::new(&ground, start, goal).step(&ground);
    assert_eq!(step(Cell::new(15, 15), Cell::new(1, 1)), LrtaStep::BadStart);
    assert_eq!(step(Cell::new(1, 1), Cell::new(15, 15)), LrtaStep::BadGoal);
    assert_eq!(step(Cell::new(1, 1), Cell::new(30, 1)), LrtaStep::BadGoal);
    assert_eq!(step(Cell::new(1, 1), Cell::new(1, 1)), LrtaStep::Arrived);
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("lrta"));
    let other = UnitGrid::build(&oracle::speckled(4, 4, 0, &mut random), &oracle::unit(1, 1)).unwrap();
    let mut lost = Lrta::new(&ground, Cell::new(1, 1), Cell::new(2, 2));
    assert!(!lost.fits(&other) && lost.step(&other) == LrtaStep::BadStart);
}
