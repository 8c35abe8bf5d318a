//! Where a runner hides: the rank of its true cell.

use sentir_nav::Ending;
use sentir_nav::grid::{self as tile, Cell};
use sentir_space::core::glam::Vec2;
use sentir_space::core::random::{Purpose, Stream, Streams};
use sentir_space::core::state::{from_bytes, to_bytes};
use sentir_space::influence::{Grid, Prediction, PredictionConfig, Scratch, Watch};

const SIDE: u32 = 48;

/// Ground with blocks on it, and as influence sees it.
fn town(random: &mut Stream) -> (tile::UnitGrid, Grid) {
    let mut tags = vec![0u8; (SIDE * SIDE) as usize];
    for _ in 0..30 {
        let (x, y) = (random.below(SIDE - 8), random.below(SIDE - 8));
        let (wide, high) = (2 + random.below(6), 2 + random.below(6));
        for row in y..y + high {
            tags[(row * SIDE + x) as usize..][..wide as usize].fill(1);
        }
    }
    let terrain = tile::Terrain::build(SIDE, SIDE, vec!["floor".into(), "block".into()], tags).unwrap();
    let unit = tile::Unit { name: "runner".into(), costs: vec![tile::Cost::Times(1), tile::Cost::Impassable] };
    let ground = tile::UnitGrid::build(&terrain, &unit).unwrap();
    let grid = Grid::from_ground(&ground, Vec2::ZERO, 1.0).unwrap();
    (ground, grid)
}

/// Where somebody is who has run so far along a way.
fn along(path: &[Vec2], run_m: f32) -> (Vec2, Vec2) {
    let mut left = run_m;
    for pair in path.windows(2) {
        let (way, length) = (pair[1] - pair[0], pair[0].distance(pair[1]));
        if left < length {
            return (pair[0] + way * (left / length), way / length);
        }
        left -= length;
    }
    (path[path.len() - 1], Vec2::ZERO)
}

/// Mean rank of the true cell, as a share of all walkable cells, over random runs: a runner on the way to a hiding place is
/// lost from sight on the way, runs on and then stays there.
fn mean_rank(config: &PredictionConfig, knows_velocity: bool, runs: u64) -> f32 {
    let (mut sum, mut count) = (0.0f64, 0u32);
    for seed in 0..runs {
        let mut random = Streams { seed }.stream(0, Purpose::new("runs"));
        let (ground, grid) = town(&mut random);
        let cells: Vec<Cell> = grid.free_cells().collect();
        let (from, to) = (*random.pick(&cells).unwrap(), *random.pick(&cells).unwrap());
        let mut search = tile::AnyAngle::default();
        let answer = search.query(&ground, &tile::Query::new(from, to));
        if answer.ending != Ending::Found || answer.path.len() < 2 {
            continue;
        }
        let path: Vec<Vec2> = answer.path.iter().map(|&cell| grid.center(cell)).collect();
        let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let lost_m = random.between(0.0, length * 0.6);
        let (at, heading) = along(&path, lost_m);
        let velocity = if knows_velocity { heading * config.speed_m_per_s } else { Vec2::ZERO };
        let (mut prediction, mut scratch) = (Prediction::new(&grid), Scratch::default());
        prediction.lost(&grid, config, at, velocity);
        for update in 1..=32u16 {
            prediction.update(&grid, config, None, &mut scratch);
            if [4, 8, 16, 32].contains(&update) {
                let run_m = f32::from(update) * config.period_s * config.speed_m_per_s;
                let (place, _) = along(&path, lost_m + run_m);
                let cell = grid.cell_at(place).unwrap();
                sum += f64::from(prediction.rank(&grid, config, cell) / grid.free_count() as f32);
                count += 1;
            }
        }
    }
    assert!(u64::from(count) > 3 * runs);
    (sum / f64::from(count)) as f32
}

#[test]
fn velocity_and_recency_find_a_runner_sooner() {
    let plain = PredictionConfig { recency_half_life_s: f32::INFINITY, ..PredictionConfig::default() };
    let recent = PredictionConfig::default();
    let cases = [(&plain, false, 250), (&plain, true, 250), (&recent, false, 1000), (&recent, true, 1000)];
    let ranks = cases.map(|(config, knows_velocity, runs)| mean_rank(config, knows_velocity, runs));
    println!("mean rank of the true cell, share of all cells: {ranks:?} (plain, velocity, recency, both)");
    assert!(ranks[3] < ranks[2] && ranks[3] < ranks[1] && ranks[1] < ranks[0], "{ranks:?}");
}

#[test]
fn the_front_runs_as_fast_as_the_target_can() {
    let grid = Grid::build(Vec2::ZERO, 0.5, [120, 120], |_| true).unwrap();
    let config = PredictionConfig { speed_m_per_s: 5.0, ..PredictionConfig::default() };
    let (mut prediction, mut scratch) = (Prediction::new(&grid), Scratch::default());
    prediction.lost(&grid, &config, Vec2::splat(30.25), Vec2::ZERO);
    for update in 1..=16 {
        prediction.update(&grid, &config, None, &mut scratch);
        let reach_m = 5.0 * 0.25 * update as f32;
        // By eight directions, up to 8.24 % and a cell farther.
        let front_m = reach_m * 1.0824 + 0.5;
        for cell in grid.free_cells() {
            let apart = (grid.center(cell) - Vec2::splat(30.25)).abs();
            let (long, short) = (apart.max_element(), apart.min_element());
            let way_m = long - short + short * std::f32::consts::SQRT_2;
            let is_reached = prediction.map().value(cell) > 0.0;
            assert!(!is_reached || way_m <= front_m + 0.02, "{way_m} m after {reach_m} m");
            assert!(is_reached || apart.length() > reach_m, "{way_m} m not after {reach_m} m");
        }
    }
}

#[test]
fn it_does_not_enter_what_is_watched_and_stops_when_found() {
    let grid = Grid::build(Vec2::ZERO, 1.0, [30, 9], |_| true).unwrap();
    let config = PredictionConfig::default();
    let (mut prediction, mut scratch, mut watch) = (Prediction::new(&grid), Scratch::default(), Watch::default());
    for y in 0..9 {
        watch.add_cell(&grid, Cell::new(15, y));
    }
    prediction.lost(&grid, &config, Vec2::new(10.5, 4.5), Vec2::new(4.0, 0.0));
    assert!(prediction.map().value(Cell::new(12, 4)) == 1.0, "it begins ahead, too");
    for _ in 0..60 {
        prediction.update(&grid, &config, Some(&watch), &mut scratch);
    }
    assert!(prediction.map().value(Cell::new(14, 0)) > 0.0);
    assert!((15..30).all(|x| prediction.map().value(Cell::new(x, 4)) == 0.0));
    assert_eq!(prediction.rank(&grid, &config, Cell::new(29, 8)), 270.0);
    let again = from_bytes::<Prediction>(&to_bytes(&prediction)).unwrap();
    assert_eq!(again, prediction);
    // Nobody looks any more: it comes in from beside, and what was reached just now is likelier than what was long ago.
    for _ in 0..8 {
        prediction.update(&grid, &config, None, &mut scratch);
    }
    let likely = |x| prediction.likelihood(&config, Cell::new(x, 4));
    assert!(likely(16) > likely(12) && likely(12) > 0.0);
    prediction.found();
    prediction.update(&grid, &config, None, &mut scratch);
    assert!(!prediction.is_active() && prediction.map().greatest().0 == 0.0);
    prediction.lost(&grid, &config, Vec2::NAN, Vec2::NAN);
    assert!(!prediction.is_active());
    prediction.lost(&grid, &config, Vec2::splat(-500.0), Vec2::X);
    assert!(prediction.map().greatest().0 == 0.0);
}
