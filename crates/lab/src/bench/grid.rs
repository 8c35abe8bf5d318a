//! `sentir bench grid`: every query of the scenario files in a folder, by every search that answers single queries.
//!
//! A length is wrong if it is not the file's, but for the rounding there. With `--only` one search runs alone; the difference in instructions between two `--repeat` is that of the queries alone.

use super::{Figure, Row, Rows, row};
use crate::cli::{BenchOptions, GridSearch};
use crate::error::LabError;
use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Hierarchy, HierarchyConfig, HierarchySearch, JumpPoint, Query, Scenario, UnitGrid,
    map, plain_unit, scenarios,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What came of all queries of a file by one search.
#[derive(Default)]
struct Tally {
    wrong: u32,
    expanded: u64,
    /// Sum of lengths, the greatest share of the least length, s.
    length: f64,
    worst: f64,
    wall_s: f64,
}

/// A map and its queries.
struct World {
    name: String,
    ground: UnitGrid,
    chosen: Vec<Scenario>,
    repeat: u32,
}

/// The rows of every map.
pub(super) fn rows(options: &BenchOptions) -> Result<Rows, LabError> {
    let Some(folder) = &options.data else {
        return Err(LabError::Needs { what: "grid", option: "--data FOLDER" });
    };
    let mut rows = Rows::new();
    for path in files(folder, options.map.as_deref())? {
        rows.extend(World::open(&path, options)?.rows(options.only));
    }
    Ok(rows)
}

/// The scenario files of a folder, by name.
fn files(folder: &Path, name: Option<&str>) -> Result<Vec<PathBuf>, LabError> {
    if let Some(name) = name {
        return Ok(vec![folder.join(format!("{name}.map.scen"))]);
    }
    let unreadable = |why: std::io::Error| LabError::Read { path: folder.to_owned(), why: why.to_string() };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.to_string_lossy().ends_with(".map.scen") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(LabError::NoMap {
            path: folder.to_owned(),
            missing: "file whose name ends in .map.scen".to_owned(),
        });
    }
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    std::fs::read(path).map_err(|why| LabError::Read { path: path.to_owned(), why: why.to_string() })
}

impl World {
    fn open(path: &Path, options: &BenchOptions) -> Result<World, LabError> {
        let map_path = path.with_extension("");
        let terrain = map(&read(&map_path)?, &map_path.to_string_lossy())?;
        let mut all = scenarios(&read(path)?, &path.to_string_lossy())?;
        if let Some(spread) = options.spread.filter(|&spread| (spread as usize) < all.len()) {
            let (count, spread) = (all.len(), spread as usize);
            all = (0..spread).map(|number| all[number * count / spread].clone()).collect();
        }
        let ground = UnitGrid::build(&terrain, &plain_unit())?;
        let name = map_path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Ok(World { name, ground, chosen: all, repeat: options.repeat })
    }

    fn rows(&self, only: Option<GridSearch>) -> Rows {
        let ground = &self.ground;
        let is_wanted = |search: GridSearch| only.is_none_or(|only| only == search);
        let mut rows = Rows::new();
        if only.is_none() {
            let size = format!("{} × {} cells", ground.width(), ground.height());
            let queries = Figure::new(self.chosen.len() as f64, 0, "queries");
            let what = format!("{}: {} queries", self.name, self.chosen.len());
            rows.push(row(self.key("queries"), what, queries, "").shown_as(size));
            let bytes = Figure::new(ground.bytes_per_cell(), 1, "bytes a cell");
            rows.push(row(self.key("ground"), "  ground", bytes, ""));
        }
        if is_wanted(GridSearch::Astar) {
            let (mut search, config) = (Astar::default(), AstarConfig::default());
            let tally = self.ask(false, |query| {
                let answer = search.query(ground, query, &config);
                (answer.cost, answer.expanded)
            });
            rows.push(self.row("astar", "A*", &tally, Astar::BYTES_PER_CELL as f64, false));
        }
        if is_wanted(GridSearch::Jump) {
            let mut search = JumpPoint::default();
            let tally = self.ask(false, |query| {
                let answer = search.query(ground, query);
                (answer.cost, answer.expanded)
            });
            rows.push(self.row("jump", "jump-point search", &tally, JumpPoint::BYTES_PER_CELL as f64, false));
        }
        if is_wanted(GridSearch::Angle) {
            let mut search = AnyAngle::default();
            let tally = self.ask(true, |query| {
                let answer = search.query(ground, query);
                (answer.cost, answer.expanded)
            });
            rows.push(self.row("angle", "any angle", &tally, AnyAngle::BYTES_PER_CELL as f64, true));
        }
        if is_wanted(GridSearch::Hierarchy) {
            rows.extend(self.hierarchy());
        }
        if is_wanted(GridSearch::Peer) {
            rows.push(self.peer());
        }
        rows
    }

    fn hierarchy(&self) -> Rows {
        let started = Instant::now();
        let map = Hierarchy::build(&self.ground, &HierarchyConfig::default());
        let built_ms = started.elapsed().as_secs_f64() * 1e3;
        let mut search = HierarchySearch::default();
        let tally = self.ask(true, |query| {
            let answer = search.query(&self.ground, &map, query);
            // Longer than the least is right here, as long as it arrives.
            (if answer.is_found() { answer.cost } else { f64::NAN }, answer.expanded)
        });
        let bytes = HierarchySearch::BYTES_PER_CELL as f64 + map.bytes_per_cell();
        let crossings = format!("{} crossings", map.crossing_count());
        vec![
            row(self.key("building"), "  hierarchy, building", Figure::new(built_ms, 1, "ms"), crossings),
            self.row("hierarchy", "hierarchy", &tally, bytes, true),
        ]
    }

    /// Asks all queries. A bent search may have any length, but must arrive.
    fn ask(&self, is_bent: bool, mut search: impl FnMut(&Query) -> (f64, u32)) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..self.repeat {
            for one in &self.chosen {
                let query = Query::new(one.start, one.goal);
                let started = Instant::now();
                let (length, expanded) = search(&query);
                tally.wall_s += started.elapsed().as_secs_f64();
                tally.expanded += u64::from(expanded);
                tally.wrong += u32::from(if is_bent { length.is_nan() } else { !one.agrees(length) });
                tally.length += length;
                let share = length / one.length;
                if one.length > 0.0 && share > tally.worst {
                    tally.worst = share;
                }
            }
        }
        tally
    }

    /// The key of something on this map.
    fn key(&self, what: &str) -> String {
        format!("{}_{what}", self.name)
    }

    fn row(&self, key: &str, name: &str, tally: &Tally, bytes_per_cell: f64, is_bent: bool) -> Row {
        let count = self.chosen.len() as f64 * f64::from(self.repeat);
        let micros = tally.wall_s * 1e6 / count;
        let least: f64 = self.chosen.iter().map(|one| one.length).sum::<f64>() * f64::from(self.repeat);
        let share = tally.length / least;
        let length = if is_bent {
            format!("{share:.4} of the least length, {:.4} at worst", tally.worst)
        } else {
            format!("{} wrong lengths", tally.wrong)
        };
        let work = tally.expanded as f64 / count;
        let remark = format!("{length}; {work:.0} expansions, {bytes_per_cell:.1} bytes a cell");
        let one = row(self.key(key), format!("  {name}"), Figure::new(micros, 1, "µs a query"), remark);
        let one = one.also("wrong", f64::from(tally.wrong)).also("expansions", work);
        one.also("of_least_length", share).also("worst", tally.worst)
    }

    #[cfg(not(feature = "peers"))]
    fn peer(&self) -> Row {
        row(self.key("pathfinding"), "  beside the crate pathfinding", "not measured", "build with --features peers")
    }

    /// The A* of the crate `pathfinding` over the same ground, octile heuristic, whole numbers for costs.
    #[cfg(feature = "peers")]
    fn peer(&self) -> Row {
        use pathfinding::prelude::astar;
        use sentir_nav::grid::Cell;
        const STEP: [u32; 2] = [985, 1393];
        let (width, height) = (self.ground.width() as i32, self.ground.height() as i32);
        let free: Vec<bool> = (0..width * height)
            .map(|index| self.ground.is_free(Cell::new((index % width) as u16, (index / width) as u16)))
            .collect();
        let is_free = |x: i32, y: i32| x >= 0 && y >= 0 && x < width && y < height && free[(y * width + x) as usize];
        let successors = |&(x, y): &(i32, i32)| {
            let around = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
            around
                .into_iter()
                .filter(move |&(dx, dy)| is_free(x + dx, y + dy) && is_free(x + dx, y) && is_free(x, y + dy))
                .map(move |(dx, dy)| ((x + dx, y + dy), STEP[usize::from(dx != 0 && dy != 0)]))
        };
        let tally = self.ask(false, |query| {
            let (start, goal) = ((i32::from(query.start.x), i32::from(query.start.y)), query.goal);
            let goal = (i32::from(goal.x), i32::from(goal.y));
            let guess = |&(x, y): &(i32, i32)| {
                let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
                let less = if dx < dy { dx } else { dy };
                STEP[0] * (dx + dy) - (2 * STEP[0] - STEP[1]) * less
            };
            let found = astar(&start, successors, guess, |cell| *cell == goal);
            let length = found.map_or(f64::NAN, |(path, _)| {
                let is_diagonal = |pair: &&[(i32, i32)]| pair[0].0 != pair[1].0 && pair[0].1 != pair[1].1;
                let diagonals = path.windows(2).filter(is_diagonal).count();
                (path.len() - 1 - diagonals) as f64 + diagonals as f64 * std::f64::consts::SQRT_2
            });
            (length, 0)
        });
        let count = self.chosen.len() as f64 * f64::from(self.repeat);
        let micros = tally.wall_s * 1e6 / count;
        let mut ours = Astar::default();
        let config = AstarConfig::default();
        let our_tally = self.ask(false, |query| (ours.query(&self.ground, query, &config).cost, 0));
        let ratio = tally.wall_s / our_tally.wall_s;
        let remark = format!("{} wrong lengths; {ratio:.1} × our A*", tally.wrong);
        let figure = Figure::new(micros, 1, "µs a query");
        row(self.key("pathfinding"), "  A* of the crate pathfinding", figure, remark).also("times_ours", ratio)
    }
}
