//! Influence against Dijkstra on the same cells.

use sentir_nav::grid::{self as tile, Cell};
use sentir_space::core::glam::Vec2;
use sentir_space::core::math;
use sentir_space::core::random::{Purpose, Stream, Streams};
use sentir_space::core::state::{Noticed, from_bytes, perturb, to_bytes};
use sentir_space::influence::{Config, Graph, GraphMap, Grid, InfluenceSource, Map, Scratch, Watch};
use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};

const CELL_M: f32 = 0.5;

fn speckled(random: &mut Stream, size: [u32; 2], density: f32) -> Grid {
    Grid::build(Vec2::new(-3.0, 2.0), CELL_M, size, |_| !random.chance(density)).unwrap()
}

fn free(grid: &Grid, random: &mut Stream) -> Cell {
    let cells: Vec<Cell> = grid.free_cells().collect();
    *random.pick(&cells).unwrap()
}

/// The twin: distances over walkable cells, m, by the slowest obvious way.
fn distances(grid: &Grid, from: Cell) -> Vec<(Cell, f32)> {
    let cells: Vec<Cell> = grid.free_cells().collect();
    let mut far = vec![f32::INFINITY; cells.len()];
    let number = |cell: Cell| cells.binary_search_by_key(&(cell.y, cell.x), |one| (one.y, one.x)).ok();
    far[number(from).unwrap()] = 0.0;
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for (at, cell) in cells.iter().enumerate() {
            for way in (0..8u8).filter(|&way| grid.is_open(*cell, way)) {
                let (dx, dy) = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)][usize::from(way)];
                let next = Cell::new((i32::from(cell.x) + dx) as u16, (i32::from(cell.y) + dy) as u16);
                let step = if way % 2 == 0 { CELL_M } else { CELL_M * std::f32::consts::SQRT_2 };
                let next = number(next).unwrap();
                if far[at] + step < far[next] - 1e-5 {
                    far[next] = far[at] + step;
                    is_changing = true;
                }
            }
        }
    }
    cells.into_iter().zip(far).collect()
}

#[test]
fn without_momentum_it_is_the_walking_distance() {
    for seed in 0..30 {
        let mut random = Streams { seed }.stream(0, Purpose::new("spread"));
        let columns = 20 + random.below(20);
        let grid = speckled(&mut random, [columns, 17], 0.3);
        let source = free(&grid, &mut random);
        let config = Config { momentum: 0.0, decay_per_m: 0.3, fade_per_s: 0.0, ..Config::TACTICAL };
        let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
        map.raise(&grid, source, 1.0);
        (0..200).for_each(|_| map.update(&grid, &config, None, &mut scratch));
        for (cell, far_m) in distances(&grid, source) {
            let expected = math::exp(-0.3 * far_m);
            assert!((map.value(cell) - expected).abs() < 1e-5, "seed {seed}: {cell:?} {far_m} m {}", map.value(cell));
        }
        let walls = map.rows().flatten().filter(|&&value| value == 0.0).count();
        assert!(walls > 0 && map.greatest() == (1.0, source));
    }
}

#[test]
fn values_stay_between_nothing_and_the_strongest_source() {
    let mut random = Streams { seed: 5 }.stream(0, Purpose::new("spread"));
    let grid = speckled(&mut random, [40, 30], 0.2);
    for momentum in [0.0, 0.3, 0.9, 1.0] {
        let config = Config { momentum, ..Config::TACTICAL };
        let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
        for round in 0..60 {
            if round < 30 {
                let sources: Vec<InfluenceSource> = (0..5)
                    .map(|_| InfluenceSource {
                        at: grid.center(free(&grid, &mut random)),
                        strength: random.between(0.0, 2.0),
                    })
                    .collect();
                map.stamp(&grid, &sources);
            }
            map.update_many(&grid, &config, None, 1 + round % 3, &mut scratch);
            assert!(map.rows().flatten().all(|value| (0.0..=2.0).contains(value)));
        }
    }
}

#[test]
fn the_order_of_stamps_is_moot_to_the_bit() {
    let mut random = Streams { seed: 6 }.stream(0, Purpose::new("spread"));
    let grid = speckled(&mut random, [40, 30], 0.2);
    let mut stamps: Vec<(Vec2, f32)> = (0..60)
        .map(|_| (Vec2::new(random.between(-4.0, 18.0), random.between(1.0, 18.0)), random.between(-6.0, 6.0)))
        .collect();
    let made = |stamps: &[(Vec2, f32)]| {
        let mut map = Map::new(&grid);
        for &(at, value) in stamps {
            map.stamp_linear(&grid, at, value);
            map.stamp(&grid, &[InfluenceSource { at, strength: -100.0 }]);
        }
        map
    };
    let first = made(&stamps);
    for _ in 0..20 {
        random.shuffle(&mut stamps);
        assert_eq!(made(&stamps), first);
    }
    // Alone, a stamp is a cone as wide as it is strong, of its sign.
    let grid = Grid::build(Vec2::ZERO, 1.0, [20, 20], |_| true).unwrap();
    let mut map = Map::new(&grid);
    map.stamp_linear(&grid, Vec2::new(10.5, 10.5), -4.0);
    assert_eq!([10, 12, 14, 15].map(|x| map.value(Cell::new(x, 10))), [-4.0, -2.0, 0.0, 0.0]);
}

#[test]
fn what_is_not_stamped_again_is_forgotten_and_what_is_done_is_not() {
    let grid = Grid::build(Vec2::ZERO, 1.0, [30, 30], |_| true).unwrap();
    for config in [Config::TACTICAL, Config::STRATEGIC, Config::HISTORY] {
        let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
        let source = [InfluenceSource { at: Vec2::splat(15.5), strength: 1.0 }];
        for _ in 0..200 {
            map.stamp(&grid, &source);
            map.update(&grid, &config, None, &mut scratch);
        }
        let held = map.value(Cell::new(15, 15));
        assert!(held > 0.8);
        // With momentum, as many seconds as its half-life takes longer by 1 / (1 − momentum) at most.
        let updates = (10.0 / (config.fade_per_s * config.period_s * (1.0 - config.momentum))) as u32;
        (0..updates).for_each(|_| map.update(&grid, &config, None, &mut scratch));
        assert!(map.greatest().0 < 0.001 * held, "{config:?}: {}", map.greatest().0);
    }
}

#[test]
fn walls_stop_it_and_corners_are_not_cut() {
    // Two rooms that touch at a corner only.
    let grid = Grid::build(Vec2::ZERO, 1.0, [8, 8], |cell| (cell.x < 4) == (cell.y < 4)).unwrap();
    let config = Config { momentum: 0.0, decay_per_m: 0.01, fade_per_s: 0.0, ..Config::TACTICAL };
    let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
    map.raise(&grid, Cell::new(3, 3), 1.0);
    map.raise(&grid, Cell::new(5, 2), 1.0);
    map.raise(&grid, Cell::new(900, 2), 1.0);
    map.raise(&grid, Cell::new(2, 2), f32::NAN);
    (0..50).for_each(|_| map.update(&grid, &config, None, &mut scratch));
    assert!(map.value(Cell::new(0, 0)) > 0.9 && map.value(Cell::new(4, 4)) == 0.0 && map.value(Cell::new(5, 2)) == 0.0);
    assert_eq!((map.value(Cell::new(900, 1)), map.value_at(&grid, Vec2::NAN)), (0.0, 0.0));
    let mean = map.mean(&grid, Vec2::new(2.0, 2.0), 1.5);
    assert!(mean > 0.9 && mean < 1.0 && map.mean(&grid, Vec2::NAN, 1.0) == 0.0);
    assert_eq!(map.mean(&grid, Vec2::new(3.4, 3.5), 0.01), 1.0);
}

#[test]
fn a_watched_region_stays_empty_and_is_entered_again_after() {
    let grid = Grid::build(Vec2::ZERO, 0.5, [60, 60], |_| true).unwrap();
    let obstacles = Obstacles::build(&[], &[[Vec2::new(10.0, 20.0), Vec2::new(20.0, 20.0)]]).unwrap();
    let mut region = Region::default();
    let watcher = Watcher { half_angle_rad: 0.7, ..Watcher::all_round(Vec2::new(15.0, 8.0), 20.0) };
    Sweep::default().look(&obstacles, &watcher, &mut region);
    let mut watch = Watch::default();
    watch.add(&grid, &region);
    // The same cells as asking about each.
    let mut held = 0;
    for cell in grid.free_cells() {
        let center = grid.center(cell);
        let at_border = [Vec2::X, Vec2::Y].iter().any(|&it| {
            region.contains(center + it * 1e-3) != region.contains(center)
                || region.contains(center - it * 1e-3) != region.contains(center)
        });
        assert!(at_border || watch.holds(&grid, cell) == region.contains(center), "{cell:?}");
        held += u32::from(watch.holds(&grid, cell));
    }
    assert!(held > 300);
    let config = Config { momentum: 0.0, decay_per_m: 0.01, fade_per_s: 0.0, ..Config::TACTICAL };
    let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
    for cell in grid.free_cells() {
        map.raise(&grid, cell, 0.5);
    }
    map.raise(&grid, Cell::new(2, 2), 1.0);
    for _ in 0..100 {
        map.update(&grid, &config, Some(&watch), &mut scratch);
        assert!(grid.free_cells().all(|cell| !watch.holds(&grid, cell) || map.value(cell) == 0.0));
    }
    let inside = grid.cell_at(Vec2::new(15.0, 15.0)).unwrap();
    assert!(map.value(Cell::new(50, 50)) > 0.5 && watch.holds(&grid, inside));
    (0..40).for_each(|_| map.update(&grid, &config, None, &mut scratch));
    assert!(map.value(inside) > 0.5);
    watch.clear();
    watch.add_cell(&grid, Cell::new(99, 99));
    assert!(watch.is_empty());
}

#[test]
fn layers_combine_in_place_and_sizes_must_agree() {
    let grid = Grid::build(Vec2::ZERO, 1.0, [6, 1], |_| true).unwrap();
    let other = Grid::build(Vec2::ZERO, 1.0, [5, 1], |_| true).unwrap();
    let made = |values: [f32; 6]| {
        let mut map = Map::new(&grid);
        (0..).zip(values).for_each(|(x, value)| map.add(&grid, Cell::new(x, 0), value));
        map
    };
    let row = |map: &Map| -> Vec<f32> { map.rows().flatten().copied().collect() };
    let (own, enemy) = (made([4.0, 3.0, 2.0, 1.0, 0.0, 0.0]), made([0.0, 0.0, 1.0, 2.0, 3.0, 1.0]));
    let mut out = Map::new(&grid);
    out.control(&own, &enemy);
    assert_eq!(row(&out), [4.0, 3.0, 1.0, -1.0, -3.0, -1.0]);
    out.tension(&own, &enemy);
    assert_eq!(row(&out), [4.0, 3.0, 3.0, 3.0, 3.0, 1.0]);
    out.vulnerability(&own, &enemy);
    assert_eq!(row(&out), [0.0, 0.0, 2.0, 2.0, 0.0, 0.0]);
    out.front(&grid, &own, &enemy);
    assert_eq!(row(&out), [0.0, 0.0, 3.0, 3.0, 0.0, 0.0]);
    out.max(&own);
    out.multiply(&enemy);
    assert_eq!(row(&out), [0.0, 0.0, 3.0, 6.0, 0.0, 0.0]);
    out.normalize();
    out.threshold(0.6);
    out.clamp(0.0, 0.9);
    assert_eq!(row(&out), [0.0, 0.0, 0.0, 0.9, 0.0, 0.0]);
    out.max(&Map::new(&other));
    out.front(&other, &own, &enemy);
    out.update(&other, &Config::TACTICAL, None, &mut Scratch::default());
    assert_eq!(row(&out), [0.0, 0.0, 0.0, 0.9, 0.0, 0.0]);
    let counted = allocation_counter::measure(|| {
        out.control(&own, &enemy);
        out.normalize();
        out.front(&grid, &own, &enemy);
    });
    assert_eq!(counted.count_total, 0);
    assert!(out.to_field(&grid).is_ok() && out.to_field(&other).is_err());
}

#[test]
fn warm_updates_allocate_nothing() {
    let mut random = Streams { seed: 4 }.stream(0, Purpose::new("spread"));
    let grid = speckled(&mut random, [100, 100], 0.1);
    let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
    map.update(&grid, &Config::TACTICAL, None, &mut scratch);
    let counted = allocation_counter::measure(|| {
        map.raise(&grid, Cell::new(50, 50), 1.0);
        map.update_many(&grid, &Config::TACTICAL, None, 4, &mut scratch);
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn maps_are_state_to_the_last_cell() {
    let grid = Grid::build(Vec2::ZERO, 1.0, [4, 3], |_| true).unwrap();
    let mut map = Map::new(&grid);
    map.raise(&grid, Cell::new(2, 1), 0.7);
    assert_eq!(from_bytes::<Map>(&to_bytes(&map)).unwrap(), map);
    let unnoticed = perturb(&map).into_iter().filter(|it| matches!(it.outcome, Noticed::No));
    assert_eq!(unnoticed.count(), 0);
    let mut bytes = to_bytes(&map);
    bytes[0] += 1;
    assert!(from_bytes::<Map>(&bytes).is_err());
}

#[test]
fn grids_out_of_bounds_are_refused_with_a_sentence() {
    let say = |origin, cell_m, size| Grid::build(origin, cell_m, size, |_| true).unwrap_err().to_string();
    let sentence = "a grid of 0 × 5 cells: expected 1 to 4096 along each side and at most 4194304 in all";
    assert_eq!(say(Vec2::ZERO, 1.0, [0, 5]), sentence);
    assert!(say(Vec2::ZERO, 1.0, [4096, 4096]).starts_with("a grid of 4096 × 4096 cells"));
    let sentence = "a grid with cells of NaN m at [0, 0]: expected a finite place and cells of 0.001 to 1000 m";
    assert_eq!(say(Vec2::ZERO, f32::NAN, [5, 5]), sentence);
    assert!(say(Vec2::INFINITY, 1.0, [5, 5]).contains("inf"));
}

#[test]
fn a_grid_of_tiles_has_the_open_steps_of_its_ground() {
    let mut random = Streams { seed: 9 }.stream(0, Purpose::new("tiles"));
    let tags = (0..30 * 20).map(|_| u8::from(random.chance(0.3))).collect();
    let terrain = tile::Terrain::build(30, 20, vec!["floor".into(), "wall".into()], tags).unwrap();
    let unit = tile::Unit { name: "one".into(), costs: vec![tile::Cost::Times(1), tile::Cost::Impassable] };
    let ground = tile::UnitGrid::build(&terrain, &unit).unwrap();
    let grid = Grid::from_ground(&ground, Vec2::ZERO, CELL_M).unwrap();
    let mut search = tile::Astar::default();
    for _ in 0..40 {
        let (from, to) = (free(&grid, &mut random), free(&grid, &mut random));
        let answer = search.query(&ground, &tile::Query::new(from, to), &tile::AstarConfig::default());
        let far_m = distances(&grid, from).into_iter().find(|(cell, _)| *cell == to).unwrap().1;
        let is_there = answer.ending == sentir_nav::Ending::Found;
        assert!(is_there == far_m.is_finite() && (!is_there || (answer.cost as f32 * CELL_M - far_m).abs() < 1e-3));
    }
}

#[test]
fn graphs_spread_as_grids_do() {
    let grid = Grid::build(Vec2::ZERO, CELL_M, [7, 5], |cell| cell.x != 3 || cell.y == 2).unwrap();
    let cells: Vec<Cell> = grid.free_cells().collect();
    let mut edges = Vec::new();
    for (a, cell) in (0..).zip(&cells) {
        for (b, other) in (0..).zip(&cells) {
            let step = (i32::from(other.x) - i32::from(cell.x), i32::from(other.y) - i32::from(cell.y));
            let ways = [(1, 0), (1, 1), (0, 1), (-1, 1)];
            let Some(way) = ways.iter().position(|&way| way == step) else { continue };
            if grid.is_open(*cell, way as u8) {
                edges.push((a, b, if way % 2 == 0 { CELL_M } else { CELL_M * std::f32::consts::SQRT_2 }));
            }
        }
    }
    edges.push((0, 9999, 1.0));
    edges.push((0, 1, f32::NAN));
    let graph = Graph::build(cells.len() as u32, &edges);
    let (mut map, mut on_graph, mut scratch) = (Map::new(&grid), GraphMap::new(&graph), Scratch::default());
    let source = 2;
    let watched = Cell::new(0, 0);
    let mut watch = Watch::default();
    watch.add_cell(&grid, watched);
    for _ in 0..12 {
        map.raise(&grid, cells[source], 1.0);
        on_graph.raise(source as u32, 1.0);
        on_graph.raise(9999, 1.0);
        map.update(&grid, &Config::TACTICAL, Some(&watch), &mut scratch);
        on_graph.update(&graph, &Config::TACTICAL, |node| cells[node as usize] == watched, &mut scratch);
        for (node, &cell) in (0..).zip(&cells) {
            assert!((map.value(cell) - on_graph.value(node)).abs() < 1e-6);
        }
    }
    assert!(on_graph.values().iter().any(|&value| value > 0.1 && value < 0.9));
}
