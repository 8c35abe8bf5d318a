//! Cover of every cell by direction: as the shooter Killzone did with small cube maps, here sixteen directions a cell.
//!
//! The mesh is cut into square cells; each cell whose middle is on a polygon has a record: for each direction how high what
//! stands close by is (none, low, high), and how far one sees standing (four classes), four bits in all, 64 bits a cell.
//! Several floors over one another are several records. Building casts three rays a direction; cells are independent, so a
//! pool may share them. When pieces of the level move, cells whose rays may meet the boxes of the change are done again, so
//! that the map equals one built afresh.

use sentir_core::geometry::Ray;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::pool::{Pool, chunk_len, each};
use sentir_core::{math, plane};
use sentir_level::{Aabb, Blocks, Changes, LevelView};
use sentir_nav::mesh::{Mesh, MeshPoint};

use super::set::{CoverConfig, CoverHeight, height_at};

/// Directions of a cell.
pub const DIRECTIONS: u32 = 16;
/// Cells at most; a mesh that would have more gets wider ones.
pub const CELLS_MAX: f32 = 4_000_000.0;
/// Up to which distance each class of sight goes, m; the last one is the longest ray.
pub const SIGHT_M: [f32; 4] = [3.0, 8.0, 20.0, 50.0];
/// Cells a job does at least.
const JOB_CELLS: usize = 64;
/// How far a record may be above or below a point, m.
const FLOOR_M: f32 = 1.5;

/// How the map is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverMapConfig {
    /// Side of a cell, m. Limit: 0.1..=100; otherwise it is 1.
    pub cell_m: f32,
    /// Heights and reach of cover; `reach_m` is from the middle of a cell.
    pub cover: CoverConfig,
}

impl Default for CoverMapConfig {
    fn default() -> Self {
        CoverMapConfig { cell_m: 1.0, cover: CoverConfig { reach_m: 1.5, ..CoverConfig::default() } }
    }
}

/// A cell of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverCell {
    /// Its middle on the ground, m.
    pub middle: Vec3,
    /// Column and row.
    at: [u32; 2],
    /// Four bits a direction: two of height, two of sight.
    bits: u64,
}

impl CoverCell {
    /// How high cover in a direction is. Directions count counter-clockwise from ground x.
    pub fn height(&self, direction: u32) -> Option<CoverHeight> {
        match self.bits >> (4 * (direction % DIRECTIONS)) & 3 {
            1 => Some(CoverHeight::Low),
            2 => Some(CoverHeight::High),
            _ => None,
        }
    }

    /// How far one sees in a direction, as the distance its class goes up to, m.
    pub fn sight_m(&self, direction: u32) -> f32 {
        SIGHT_M[(self.bits >> (4 * (direction % DIRECTIONS) + 2) & 3) as usize]
    }

    /// In how many directions one is covered, standing or crouching.
    pub fn covered_count(&self) -> u32 {
        (0..DIRECTIONS).filter(|&direction| self.height(direction).is_some()).count() as u32
    }
}

/// The map.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverMap {
    config: CoverMapConfig,
    origin: Vec2,
    columns: u32,
    rows: u32,
    /// Row by row, then by height.
    cells: Vec<CoverCell>,
    /// Where the records of each column of the table begin, and the end.
    firsts: Vec<u32>,
    version: u64,
}

impl CoverMap {
    /// Cuts a mesh into cells and looks from each of them. Polygons that are not finite have none.
    #[must_use]
    pub fn build(mesh: &Mesh, view: &LevelView<'_>, config: &CoverMapConfig, pool: &dyn Pool) -> CoverMap {
        let mut map = CoverMap::table(mesh, config);
        let (config, len) = (map.config, chunk_len(pool, map.cells.len(), JOB_CELLS));
        each(pool, map.cells.chunks_mut(len), |part| {
            part.iter_mut().for_each(|cell| look(cell, view, &config, |_| true));
        });
        map.version = view.state.version();
        map
    }

    fn table(mesh: &Mesh, config: &CoverMapConfig) -> CoverMap {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for polygon in 0..mesh.polygon_count() {
            for corner in mesh.ring(polygon) {
                (low, high) = (low.min(plane::ground(corner)), high.max(plane::ground(corner)));
            }
        }
        let mut config = *config;
        if !(0.1..=100.0).contains(&config.cell_m) {
            config.cell_m = 1.0;
        }
        if mesh.polygon_count() == 0 || !low.is_finite() || !high.is_finite() {
            let firsts = vec![0; 2];
            return CoverMap { config, origin: Vec2::ZERO, columns: 1, rows: 1, cells: Vec::new(), firsts, version: 0 };
        }
        let size = high - low;
        while (size.x / config.cell_m + 1.0) * (size.y / config.cell_m + 1.0) > CELLS_MAX {
            config.cell_m *= 2.0;
        }
        let columns = (size.x / config.cell_m) as u32 + 1;
        let rows = (size.y / config.cell_m) as u32 + 1;
        let mut map =
            CoverMap { config, origin: low, columns, rows, cells: Vec::new(), firsts: Vec::new(), version: 0 };
        for polygon in 0..mesh.polygon_count() {
            map.add_polygon(mesh, polygon);
        }
        let key = |cell: &CoverCell| cell.at[1] * columns + cell.at[0];
        map.cells.sort_by(|a, b| key(a).cmp(&key(b)).then(a.middle.y.total_cmp(&b.middle.y)));
        // The border of two polygons may give a cell to both.
        map.cells.dedup_by(|a, b| a.at == b.at && (a.middle.y - b.middle.y).abs() < 0.1);
        map.firsts = (0..=columns * rows).map(|one| map.cells.partition_point(|cell| key(cell) < one) as u32).collect();
        map
    }

    fn add_polygon(&mut self, mesh: &Mesh, polygon: u32) {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for corner in mesh.ring(polygon) {
            (low, high) = (low.min(plane::ground(corner)), high.max(plane::ground(corner)));
        }
        let [from, to] = [low, high].map(|point| self.cell_of(point));
        for row in from[1]..=to[1] {
            for column in from[0]..=to[0] {
                let middle = self.origin + Vec2::new(column as f32 + 0.5, row as f32 + 0.5) * self.config.cell_m;
                let ends = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
                let is_in = |(a, b): (Vec3, Vec3)| plane::side(plane::ground(a), plane::ground(b), middle) >= 0.0;
                if ends.into_iter().all(is_in) {
                    let mean =
                        mesh.ring(polygon).fold(0.0, |sum, corner| sum + corner.y) / mesh.ring(polygon).len() as f32;
                    let found: Option<MeshPoint> = mesh.locate(plane::lift(middle, mean), f32::MAX);
                    let height_m = found.map_or(mean, |place| place.point.y);
                    let at = [column, row];
                    self.cells.push(CoverCell { middle: plane::lift(middle, height_m), at, bits: 0 });
                }
            }
        }
    }

    fn cell_of(&self, point: Vec2) -> [u32; 2] {
        let at = (point - self.origin) / self.config.cell_m;
        [(at.x as u32).min(self.columns - 1), (at.y as u32).min(self.rows - 1)]
    }

    /// Follows the level: looks again from cells near what changed. How many there were.
    pub fn follow(&mut self, view: &LevelView<'_>, pool: &dyn Pool) -> usize {
        let changes = view.state.changes_since(self.version);
        self.version = view.state.version();
        let boxes = match changes {
            Changes::None => return 0,
            Changes::All => None,
            Changes::Some(changes) => Some(changes),
        };
        let config = self.config;
        let is_due = |cell: &CoverCell, direction: u32| {
            let Some(changes) = boxes else { return true };
            let swath = swath(cell, direction, &config);
            changes.iter().any(|it| swath.touches(&it.before) || swath.touches(&it.after))
        };
        let is_touched = |cell: &CoverCell| (0..DIRECTIONS).any(|direction| is_due(cell, direction));
        let numbered = (0..).zip(&self.cells).filter(|(_, cell)| is_touched(cell));
        let mut touched: Vec<(u32, CoverCell)> = numbered.map(|(number, cell)| (number, *cell)).collect();
        let len = chunk_len(pool, touched.len(), JOB_CELLS);
        each(pool, touched.chunks_mut(len), |part| {
            for (_, cell) in part {
                let old = *cell;
                look(cell, view, &config, |direction| is_due(&old, direction));
            }
        });
        for (number, cell) in &touched {
            self.cells[*number as usize] = *cell;
        }
        touched.len()
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[CoverCell] {
        &self.cells
    }

    /// Side of a cell, m.
    pub fn cell_m(&self) -> f32 {
        self.config.cell_m
    }

    /// The cell a point is in, on its floor; none off the ground.
    pub fn cell_at(&self, point: Vec3) -> Option<&CoverCell> {
        let at = plane::ground(point);
        let inside = (at - self.origin) / self.config.cell_m;
        let is_in = inside.x >= 0.0 && inside.y >= 0.0 && inside.x < self.columns as f32 && inside.y < self.rows as f32;
        if !is_in {
            return None;
        }
        let [column, row] = self.cell_of(at);
        let column = (row * self.columns + column) as usize;
        let run = &self.cells[self.firsts[column] as usize..self.firsts[column + 1] as usize];
        let gaps = run.iter().map(|cell| (cell.middle.y - point.y).abs());
        sentir_core::order::least(gaps)
            .map(|number| &run[number])
            .filter(|cell| (cell.middle.y - point.y).abs() <= FLOOR_M)
    }

    /// How well one is covered at a point against somebody elsewhere: 1 standing, 1/2 crouching, 0 not; 0 off the ground.
    pub fn quality(&self, point: Vec3, threat: Vec3) -> f32 {
        let way = plane::ground(threat - point);
        match self.cell_at(point).and_then(|cell| cell.height(direction_of(way))) {
            Some(CoverHeight::High) => 1.0,
            Some(CoverHeight::Low) => 0.5,
            None => 0.0,
        }
    }
}

/// The direction nearest to a way on the ground; the first for none.
pub fn direction_of(way: Vec2) -> u32 {
    let turn = math::atan2(way.y, way.x) / math::TAU * DIRECTIONS as f32;
    turn.round() as i32 as u32 % DIRECTIONS
}

/// The way of a direction; unit length.
pub fn way_of(direction: u32) -> Vec2 {
    let (sin, cos) = math::sin_cos(math::TAU * (direction % DIRECTIONS) as f32 / DIRECTIONS as f32);
    Vec2::new(cos, sin)
}

/// The box around all rays of a cell in a direction, and a little.
fn swath(cell: &CoverCell, direction: u32, config: &CoverMapConfig) -> Aabb {
    let far = plane::lift(way_of(direction) * math::max(SIGHT_M[3], config.cover.reach_m), 0.0);
    let ends = [config.cover.crouch_m, config.cover.stand_m].map(|height_m| cell.middle + Vec3::Y * height_m);
    Aabb::around(ends.into_iter().flat_map(|end| [end, end + far])).grown(0.01)
}

/// Looks into the directions that are due; the others stay as they are.
fn look(cell: &mut CoverCell, view: &LevelView<'_>, config: &CoverMapConfig, is_due: impl Fn(u32) -> bool) {
    for direction in (0..DIRECTIONS).filter(|&direction| is_due(direction)) {
        let way = way_of(direction);
        let height = match height_at(view, &config.cover, cell.middle, way) {
            None => 0,
            Some(CoverHeight::Low) => 1,
            Some(CoverHeight::High) => 2,
        };
        let origin = cell.middle + Vec3::Y * config.cover.stand_m;
        let ray = Ray { origin, direction: plane::lift(way, 0.0), length_m: SIGHT_M[3] };
        let seen_m = view.hit(&ray, Blocks::SIGHT).map_or(SIGHT_M[3], |hit| hit.hit.distance_m);
        let sight = SIGHT_M[..3].iter().filter(|&&limit| seen_m > limit).count() as u64;
        cell.bits &= !(15 << (4 * direction));
        cell.bits |= (height | sight << 2) << (4 * direction);
    }
}
