//! Ten thousand queries a world: no step leaves the ground or cuts a corner, no line touches a wall.

use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Cell, Hierarchy, HierarchyConfig, HierarchySearch, JumpPoint, Query, Terrain,
    UnitGrid, is_clear, is_walkable,
};

use crate::oracle;

const QUERIES: u32 = 10_000;

/// Whether a line from center to center stays off walls: every blocked cell is looked at as a closed square, exactly.
fn line_is_clear(ground: &UnitGrid, from: Cell, to: Cell) -> bool {
    let (ax, ay, bx, by) = (2 * i64::from(from.x), 2 * i64::from(from.y), 2 * i64::from(to.x), 2 * i64::from(to.y));
    let (left, right) = (from.x.min(to.x), from.x.max(to.x));
    let (low, high) = (from.y.min(to.y), from.y.max(to.y));
    for y in low..=high {
        for x in left..=right {
            if ground.is_free(Cell::new(x, y)) {
                continue;
            }
            // In halves of a cell, the square's corners are a half cell off its center. All on one side: not touched.
            let side = |dx: i64, dy: i64| {
                let (px, py) = (2 * i64::from(x) + dx, 2 * i64::from(y) + dy);
                ((bx - ax) * (py - ay) - (by - ay) * (px - ax)).signum()
            };
            let sides = [side(-1, -1), side(1, -1), side(-1, 1), side(1, 1)];
            if !(sides == [1; 4] || sides == [-1; 4]) {
                return false;
            }
        }
    }
    true
}

fn walk(name: &str, terrain: &Terrain) -> (f64, f64) {
    let mut random = Streams { seed: 5 }.stream(0, Purpose::new("walk"));
    let ground = UnitGrid::build(terrain, &oracle::unit(2, 4)).unwrap();
    let map = Hierarchy::build(&ground, &HierarchyConfig::default());
    let (mut astar, mut jump, mut angle) = (Astar::default(), JumpPoint::default(), AnyAngle::default());
    let (mut hierarchy, config) = (HierarchySearch::default(), AstarConfig::default());
    let (mut least, mut ours, mut worst) = (0.0, 0.0, 1.0);
    for number in 0..QUERIES {
        let (start, goal) = (oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap());
        let query = Query::new(start, goal);
        let best = astar.query(&ground, &query, &config);
        assert!(is_walkable(&ground, best.path), "{name}: A* {query:?}");
        let (best_cost, ending) = (best.cost, best.ending);
        let rough = hierarchy.query(&ground, &map, &query);
        assert!(is_walkable(&ground, rough.path) && rough.ending == ending, "{name}: hierarchy {query:?}");
        assert!(rough.cost >= best_cost - 1e-6 * best_cost, "{name}: {query:?}");
        least += best_cost;
        ours += rough.cost;
        if best_cost > 40.0 && rough.cost / best_cost > worst {
            worst = rough.cost / best_cost;
        }
        if ground.is_uniform() {
            let jumped = jump.query(&ground, &query);
            assert!(is_walkable(&ground, jumped.path) && jumped.cost == best_cost, "{name}: jump point {query:?}");
            if number.is_multiple_of(10) {
                let taut = angle.query(&ground, &query);
                assert!(taut.cost <= best_cost + 1e-9, "{name}: any angle {query:?}");
                for pair in taut.path.windows(2) {
                    assert!(is_clear(&ground, pair[0], pair[1]), "{name}: {query:?}");
                    assert!(line_is_clear(&ground, pair[0], pair[1]), "{name}: {pair:?} of {query:?}");
                }
            }
        }
    }
    (ours / least, worst)
}

#[test]
fn no_path_leaves_the_ground() {
    let mut random = Streams { seed: 9 }.stream(0, Purpose::new("worlds"));
    let worlds = [
        ("speckles", oracle::speckled(90, 70, 12, &mut random)),
        ("thicket", oracle::speckled(90, 70, 30, &mut random)),
        ("rooms", oracle::rooms(97, 80, 12, false, &mut random)),
        ("mixed rooms", oracle::rooms(97, 80, 16, true, &mut random)),
        ("open", oracle::speckled(80, 80, 0, &mut random)),
    ];
    for (name, terrain) in &worlds {
        let (mean, worst) = walk(name, terrain);
        println!("{name}: hierarchy {mean:.4} of the least on average, {worst:.4} at worst");
        assert!(mean < 1.01 && worst < 1.05, "{name}: {mean}, {worst}");
    }
}

/// Worlds so big that most ways go over crossings.
#[test]
fn the_hierarchy_stays_within_five_percent() {
    let mut random = Streams { seed: 11 }.stream(0, Purpose::new("worlds"));
    let worlds = [
        ("speckles", oracle::speckled(220, 180, 12, &mut random)),
        ("thicket", oracle::speckled(220, 180, 30, &mut random)),
        ("rooms", oracle::rooms(217, 180, 12, false, &mut random)),
        ("open", oracle::speckled(200, 200, 0, &mut random)),
    ];
    for (name, terrain) in &worlds {
        let ground = UnitGrid::build(terrain, &oracle::unit(2, 4)).unwrap();
        let map = Hierarchy::build(&ground, &HierarchyConfig::default());
        let (mut astar, mut hierarchy) = (Astar::default(), HierarchySearch::default());
        let (mut least, mut ours, mut worst) = (0.0, 0.0, 1.0f64);
        for _ in 0..1_500 {
            let [start, goal] = [(); 2].map(|()| oracle::spot(&ground, &mut random).unwrap());
            let query = Query::new(start, goal);
            let best = astar.query(&ground, &query, &AstarConfig::default()).cost;
            let rough = hierarchy.query(&ground, &map, &query).cost;
            least += best;
            ours += rough;
            if best > 0.0 && rough / best > worst {
                worst = rough / best;
            }
        }
        let mean = ours / least;
        println!("{name}: hierarchy {mean:.4} of the least on average, {worst:.4} at worst");
        assert!(mean < 1.01 && worst < 1.05, "{name}: {mean}, {worst}");
    }
}

#[test]
fn sight_agrees_with_looking_at_every_wall() {
    let mut random = Streams { seed: 3 }.stream(0, Purpose::new("sight"));
    let ground = UnitGrid::build(&oracle::speckled(40, 40, 8, &mut random), &oracle::unit(1, 1)).unwrap();
    let mut clear = 0;
    for _ in 0..20_000 {
        let (from, to) = (oracle::spot(&ground, &mut random).unwrap(), oracle::spot(&ground, &mut random).unwrap());
        assert_eq!(is_clear(&ground, from, to), line_is_clear(&ground, from, to), "{from:?} {to:?}");
        clear += u32::from(is_clear(&ground, from, to));
    }
    assert!(clear > 1000 && clear < 19_000);
}
