//! One suite, every search: the same maps and queries, what each may cost, and where its path may lead.

use proptest::prelude::*;
use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Cell, Dstar, FlowField, Heuristic, Hierarchy, HierarchyConfig, HierarchySearch,
    JumpPoint, Lrta, LrtaStep, Neighbors, Query, Terrain, UnitGrid, is_clear, is_walkable,
};
use sentir_nav::{Ending, PathAnswer};

use crate::oracle;

/// What a search promises.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Promise {
    /// The least cost over eight neighbors.
    Optimal,
    /// The least over four neighbors.
    OptimalFour,
    /// At most so many times the least.
    Within(f64),
    /// No longer than the least over eight neighbors; straight lines instead of steps.
    Taut,
}

/// What is asked of one search.
struct Case<'a> {
    terrain: &'a Terrain,
    ground: &'a UnitGrid,
    query: Query,
}

/// A search's ending, path and cost.
type Outcome = (Ending, Vec<Cell>, f64);
type Ask = fn(&Case<'_>) -> Outcome;

/// Name, whether it minds costs, its promise, and the search itself. Hierarchies are held to little here, where costs change by
/// chance from cell to cell; how good they are on maps is told in `walk`.
const SEARCHES: &[(&str, bool, Promise, Ask)] = &[
    ("astar octile", true, Promise::Optimal, |case| astar(case, Neighbors::Eight, Heuristic::Octile)),
    ("astar euclid", true, Promise::Optimal, |case| astar(case, Neighbors::Eight, Heuristic::Euclid)),
    ("astar zero", true, Promise::Optimal, |case| astar(case, Neighbors::Eight, Heuristic::Zero)),
    ("astar bold", true, Promise::Within(1.415), |case| astar(case, Neighbors::Eight, Heuristic::Manhattan)),
    ("astar four", true, Promise::OptimalFour, |case| astar(case, Neighbors::Four, Heuristic::Manhattan)),
    ("astar four octile", true, Promise::OptimalFour, |case| astar(case, Neighbors::Four, Heuristic::Octile)),
    ("jump point", false, Promise::Optimal, jump),
    ("any angle", false, Promise::Taut, any_angle),
    ("hierarchy", true, Promise::Within(1.5), |case| hierarchy(case, 16)),
    ("small hierarchy", true, Promise::Within(2.5), |case| hierarchy(case, 5)),
    ("dstar", true, Promise::Optimal, dstar),
    ("flow field", true, Promise::Optimal, flow),
    ("lrta", true, Promise::Within(1e9), lrta),
];

fn kept(answer: PathAnswer<'_, Cell>) -> Outcome {
    (answer.ending, answer.path.to_vec(), answer.cost)
}

fn astar(case: &Case<'_>, neighbors: Neighbors, heuristic: Heuristic) -> Outcome {
    kept(Astar::default().query(case.ground, &case.query, &AstarConfig { neighbors, heuristic }))
}

fn jump(case: &Case<'_>) -> Outcome {
    kept(JumpPoint::default().query(case.ground, &case.query))
}

fn any_angle(case: &Case<'_>) -> Outcome {
    kept(AnyAngle::default().query(case.ground, &case.query))
}

fn hierarchy(case: &Case<'_>, side: u32) -> Outcome {
    let map = Hierarchy::build(case.ground, &HierarchyConfig { side, ..HierarchyConfig::default() });
    kept(HierarchySearch::default().query(case.ground, &map, &case.query))
}

fn dstar(case: &Case<'_>) -> Outcome {
    let mut path = Vec::new();
    let query = case.query;
    kept(Dstar::new(query.goal).plan(case.terrain, case.ground, query.start, query.expansions_max, &mut path))
}

fn flow(case: &Case<'_>) -> Outcome {
    let (mut field, mut path) = (FlowField::default(), vec![case.query.start]);
    let goal = case.ground.nearest(case.query.start, case.query.goal).unwrap();
    let (ending, _) = field.fill(case.ground, &[goal], u32::MAX);
    assert_eq!(ending, Ending::Found);
    while let Some(next) = field.next(path[path.len() - 1]) {
        path.push(next);
    }
    let ending = if goal == case.query.goal { Ending::Found } else { Ending::NoPath };
    (ending, path, field.length(case.query.start).unwrap())
}

/// What it walked; where there is no way, it does not even try.
fn lrta(case: &Case<'_>) -> Outcome {
    let mut unit = Lrta::new(case.ground, case.query.start, case.query.goal);
    let mut path = vec![unit.cell()];
    loop {
        match unit.step(case.ground) {
            LrtaStep::Moved(cell) => path.push(cell),
            LrtaStep::Arrived => return (Ending::Found, path, 0.0),
            LrtaStep::NoPath => {
                let nearest = case.ground.nearest(case.query.start, case.query.goal).unwrap();
                let way = astar(
                    &Case { query: Query::new(case.query.start, nearest), ..*case },
                    Neighbors::Eight,
                    Heuristic::Octile,
                );
                return (Ending::NoPath, way.1, 0.0);
            }
            bad => panic!("{bad:?}"),
        }
        assert!(path.len() < 100_000);
    }
}

/// The nearest cell to the goal that can be reached, by looking at all.
fn nearest(lengths: &[f64], width: usize, goal: Cell) -> Cell {
    let rank = |index: usize| {
        let (x, y) = (index % width, index / width);
        let (dx, dy) = (x.abs_diff(goal.x.into()), y.abs_diff(goal.y.into()));
        (dx * dx + dy * dy, y, x)
    };
    let best = (0..lengths.len()).filter(|&index| lengths[index].is_finite()).map(rank).min();
    best.map(|(_, y, x)| Cell::new(x as u16, y as u16)).unwrap()
}

/// Holds every search to its promise; how many were asked.
fn check(terrain: &Terrain, ground: &UnitGrid, start: Cell, goal: Cell) -> usize {
    let mut asked = 0;
    let case = Case { terrain, ground, query: Query::new(start, goal) };
    let width = ground.width() as usize;
    let (eight, four) = (oracle::lengths(ground, start, true), oracle::lengths(ground, start, false));
    let end = nearest(&eight, width, goal);
    let index = usize::from(end.y) * width + usize::from(end.x);
    for &(name, minds_costs, promise, ask) in SEARCHES {
        if !minds_costs && !ground.is_uniform() {
            continue;
        }
        let (ending, path, cost) = ask(&case);
        asked += 1;
        let about = format!("{name} from {start:?} to {goal:?}");
        assert_eq!(ending, if end == goal { Ending::Found } else { Ending::NoPath }, "{about}");
        assert_eq!((path.first(), path.last()), (Some(&start), Some(&end)), "{about}");
        let slack = 1e-6 * eight[index] + 1e-9;
        match promise {
            Promise::Optimal => assert!((cost - eight[index]).abs() <= slack, "{about}: {cost} for {}", eight[index]),
            Promise::OptimalFour => assert!((cost - four[index]).abs() <= slack, "{about}: {cost} for {}", four[index]),
            Promise::Within(factor) => {
                assert!(cost <= factor * eight[index] + slack, "{about}: {cost} for {}", eight[index]);
            }
            Promise::Taut => assert!(cost <= eight[index] + 1e-9, "{about}: {cost} for {}", eight[index]),
        }
        if promise == Promise::Taut {
            assert!(path.windows(2).all(|pair| is_clear(ground, pair[0], pair[1])), "{about}");
        } else {
            assert!(is_walkable(ground, &path), "{about}");
        }
    }
    asked
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn every_search_keeps_its_promise_on_speckled_maps(seed in any::<u64>(), walls in 0u32..45, width in 1u32..70, height in 1u32..40) {
        let mut random = Streams { seed }.stream(0, Purpose::new("suite"));
        let terrain = oracle::speckled(width, height, walls, &mut random);
        let ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
        for _ in 0..4 {
            if let (Some(start), Some(goal)) = (oracle::spot(&ground, &mut random), oracle::spot(&ground, &mut random)) {
                prop_assert!(check(&terrain, &ground, start, goal) >= 11);
            }
        }
    }

    #[test]
    fn every_search_keeps_its_promise_among_rooms(seed in any::<u64>(), side in 3u32..14, weights in 0u8..9) {
        let mut random = Streams { seed }.stream(0, Purpose::new("suite"));
        let terrain = oracle::rooms(66, 50, side, weights > 0, &mut random);
        let ground = UnitGrid::build(&terrain, &oracle::unit(1 + weights / 3, 1 + weights)).unwrap();
        for _ in 0..3 {
            if let (Some(start), Some(goal)) = (oracle::spot(&ground, &mut random), oracle::spot(&ground, &mut random)) {
                prop_assert!(check(&terrain, &ground, start, goal) >= 11);
            }
        }
    }

    #[test]
    fn a_flow_field_of_several_goals_is_the_least_of_all(seed in any::<u64>(), goals in 1usize..5) {
        let mut random = Streams { seed }.stream(0, Purpose::new("suite"));
        let terrain = oracle::rooms(40, 30, 7, true, &mut random);
        let ground = UnitGrid::build(&terrain, &oracle::unit(2, 5)).unwrap();
        let goals: Vec<Cell> = (0..goals).filter_map(|_| oracle::spot(&ground, &mut random)).collect();
        let twins: Vec<Vec<f64>> = goals.iter().map(|&goal| oracle::lengths(&ground, goal, true)).collect();
        let mut field = FlowField::default();
        field.fill(&ground, &goals, u32::MAX);
        for index in 0..40 * 30 {
            let least = twins.iter().map(|lengths| lengths[index]).fold(f64::INFINITY, |a, b| if b < a { b } else { a });
            let ours = field.length(Cell::new(index as u16 % 40, index as u16 / 40));
            prop_assert!(ours.map_or(least.is_infinite(), |ours| (ours - least).abs() <= 1e-6 * least), "{:?} for {}", ours, least);
        }
    }
}

#[test]
fn every_search_handles_the_smallest_map_and_a_start_that_is_the_goal() {
    let terrain = oracle::drawn(&["."]);
    let ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    check(&terrain, &ground, Cell::new(0, 0), Cell::new(0, 0));
    let terrain = oracle::drawn(&["..#.", "..#."]);
    let ground = UnitGrid::build(&terrain, &oracle::unit(1, 1)).unwrap();
    check(&terrain, &ground, Cell::new(0, 0), Cell::new(0, 0));
    check(&terrain, &ground, Cell::new(0, 1), Cell::new(3, 0));
    assert_eq!(ground.nearest(Cell::new(0, 0), Cell::new(900, 1)), Some(Cell::new(1, 1)));
}
