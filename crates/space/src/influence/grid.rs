//! Where influence spreads: cells of a floor on which one can walk, and those that somebody watches.

use sentir_core::glam::{DVec2, Vec2};
use sentir_nav::grid::{self as tile, Cell};
use sentir_nav::mesh::Mesh;
use thiserror::Error;

use crate::visibility::Region;

/// Cells along one axis at most.
pub const SIDE_MAX: u32 = 4096;
/// Cells at most.
pub const CELLS_MAX: u32 = 1 << 22;
/// Cells of a block: blocks without walls are spread without looking at walls.
const BLOCK: usize = 16;

/// Why a grid is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum GridError {
    /// Too small or too large.
    #[error(
        "a grid of {columns} × {rows} cells: expected 1 to {SIDE_MAX} along each side and at most {CELLS_MAX} in all"
    )]
    Size {
        /// Columns asked for.
        columns: u32,
        /// Rows asked for.
        rows: u32,
    },
    /// A cell or a place that is no length.
    #[error("a grid with cells of {cell_m} m at {origin}: expected a finite place and cells of 0.001 to 1000 m")]
    Cell {
        /// Side asked for, m.
        cell_m: f32,
        /// Corner asked for, m.
        origin: Vec2,
    },
}

/// The eight steps, counter-clockwise from +x, as in `nav::grid`; odd ones are diagonal.
pub(super) const STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// All steps open.
const ALL: u8 = 255;

/// Cells in a row that are spread alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Number of the first cell, and of the one after the last.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether no wall is near.
    pub(super) is_open: bool,
}

/// The ground that influence spreads over. The default has no cells. Maps lie on it with a rim of one cell, so that every cell has eight neighbors.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    origin: Vec2,
    cell_m: f32,
    columns: u32,
    rows: u32,
    /// Open steps of each cell with the rim, a bit each; 0 where nobody can walk.
    pub(super) moves: Vec<u8>,
    free: Vec<bool>,
    pub(super) runs: Vec<Run>,
    free_count: u32,
}

impl Grid {
    /// A grid whose corner with the least coordinates is at `origin`; `is_free` says where one can walk.
    ///
    /// # Errors
    /// When its size or its place is out of bounds.
    pub fn build(
        origin: Vec2,
        cell_m: f32,
        [columns, rows]: [u32; 2],
        mut is_free: impl FnMut(Cell) -> bool,
    ) -> Result<Grid, GridError> {
        let sides = 1..=SIDE_MAX;
        if !sides.contains(&columns) || !sides.contains(&rows) || columns * rows > CELLS_MAX {
            return Err(GridError::Size { columns, rows });
        }
        if !origin.is_finite() || !(0.001..=1000.0).contains(&cell_m) {
            return Err(GridError::Cell { cell_m, origin });
        }
        let count = (columns as usize + 2) * (rows as usize + 2);
        let mut free = vec![false; count];
        let stride = columns as usize + 2;
        for y in 0..rows as u16 {
            for x in 0..columns as u16 {
                free[(usize::from(y) + 1) * stride + usize::from(x) + 1] = is_free(Cell::new(x, y));
            }
        }
        let free_count = free.iter().filter(|&&free| free).count() as u32;
        let mut grid =
            Grid { origin, cell_m, columns, rows, moves: vec![0; count], free, runs: Vec::new(), free_count };
        grid.open_steps();
        grid.find_runs();
        Ok(grid)
    }

    /// The cells that a unit can stand on, with its corner rule.
    ///
    /// # Errors
    /// When its place is out of bounds.
    pub fn from_ground(ground: &tile::UnitGrid, origin: Vec2, cell_m: f32) -> Result<Grid, GridError> {
        Grid::build(origin, cell_m, [ground.width(), ground.height()], |cell| ground.is_free(cell))
    }

    /// The cells whose middles lie on a navigation mesh, within `reach_m` of a height.
    ///
    /// # Errors
    /// When its size or its place is out of bounds.
    pub fn from_mesh(
        mesh: &Mesh,
        origin: Vec2,
        cell_m: f32,
        size: [u32; 2],
        [height_m, reach_m]: [f32; 2],
    ) -> Result<Grid, GridError> {
        Grid::build(origin, cell_m, size, |cell| {
            let at = origin + (Vec2::new(cell.x.into(), cell.y.into()) + 0.5) * cell_m;
            mesh.locate(sentir_core::plane::lift(at, height_m), reach_m).is_some()
        })
    }

    /// The part of this grid that begins at a cell and has so many columns and rows, as far as there are any: its ground and its
    /// steps are the same, but nothing leaves it. The memory of `into` is used again. O(cells of the part).
    pub fn crop(&self, first: Cell, [columns, rows]: [u32; 2], into: &mut Grid) {
        let columns = columns.min(self.columns.saturating_sub(first.x.into())).max(1);
        let rows = rows.min(self.rows.saturating_sub(first.y.into())).max(1);
        let corner = self.origin + Vec2::new(first.x.into(), first.y.into()) * self.cell_m;
        (into.origin, into.cell_m, into.columns, into.rows) = (corner, self.cell_m, columns, rows);
        let (stride, count) = (into.stride(), into.stride() * (rows as usize + 2));
        into.moves.clear();
        into.moves.resize(count, 0);
        into.free.clear();
        into.free.resize(count, false);
        into.runs.clear();
        for y in 0..rows as usize {
            let cell = Cell::new(first.x, first.y.saturating_add(y as u16));
            let Some(from) = self.index(cell) else { continue };
            let to = (y + 1) * stride + 1;
            let len = columns as usize;
            into.moves[to..to + len].copy_from_slice(&self.moves[from..from + len]);
            into.free[to..to + len].copy_from_slice(&self.free[from..from + len]);
            into.runs.push(Run { start: to as u32, end: (to + len) as u32, is_open: false });
        }
        into.free_count = into.free.iter().filter(|&&free| free).count() as u32;
    }

    fn open_steps(&mut self) {
        let stride = self.stride() as i32;
        for y in 1..=self.rows as i32 {
            for x in 1..=self.columns as i32 {
                let index = y * stride + x;
                let is_free = |dx: i32, dy: i32| self.free[(index + dy * stride + dx) as usize];
                let is_open = |&(dx, dy): &(i32, i32)| is_free(dx, dy) && is_free(dx, 0) && is_free(0, dy);
                let bits = STEPS.iter().enumerate().filter(|(_, step)| is_open(step));
                let moves = bits.fold(0, |moves, (way, _)| moves | 1 << way);
                self.moves[index as usize] = if is_free(0, 0) { moves } else { 0 };
            }
        }
    }

    fn find_runs(&mut self) {
        let stride = self.stride();
        for y in 1..=self.rows as usize {
            let row = y * stride + 1;
            for begin in (0..self.columns as usize).step_by(BLOCK) {
                let (start, end) = (row + begin, row + (begin + BLOCK).min(self.columns as usize));
                // On the rim of the map steps lead outside, where nothing is: no wall is in the way of anything.
                let is_open = (start..end).all(|index| self.is_plain(index));
                let (start, end) = (start as u32, end as u32);
                match self.runs.last_mut() {
                    Some(run) if run.end == start && run.is_open == is_open => run.end = end,
                    _ => self.runs.push(Run { start, end, is_open }),
                }
            }
        }
    }

    /// Whether every step from a cell is open, but for those that lead off the map.
    fn is_plain(&self, index: usize) -> bool {
        let stride = self.stride();
        let (x, y) = ((index % stride) as i32, (index / stride) as i32);
        let off = STEPS.iter().enumerate().filter(|(_, (dx, dy))| {
            let (x, y) = (x + dx, y + dy);
            x < 1 || y < 1 || x > self.columns as i32 || y > self.rows as i32
        });
        let off = off.fold(0, |bits, (way, _)| bits | 1 << way);
        self.free[index] && self.moves[index] | off == ALL
    }

    /// The corner with the least coordinates, m.
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// Side of a cell, m.
    #[must_use]
    pub fn cell_m(&self) -> f32 {
        self.cell_m
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// How many cells one can walk on.
    #[must_use]
    pub fn free_count(&self) -> u32 {
        self.free_count
    }

    /// Whether one can walk on a cell; not outside.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.free[index])
    }

    /// The cell of a ground point; none off the grid.
    #[must_use]
    pub fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let at = (point - self.origin) / self.cell_m;
        let is_on = at.x >= 0.0 && at.y >= 0.0 && at.x < self.columns as f32 && at.y < self.rows as f32;
        is_on.then(|| Cell::new(at.x as u16, at.y as u16))
    }

    /// The middle of a cell, m.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        self.origin + (Vec2::new(cell.x.into(), cell.y.into()) + 0.5) * self.cell_m
    }

    /// Every cell one can walk on, row by row.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = (0..self.rows as u16).flat_map(|y| (0..self.columns as u16).map(move |x| Cell::new(x, y)));
        cells.filter(|&cell| self.is_free(cell))
    }

    /// Whether the step `way` (counter-clockwise from +x, 45° each) from a cell is open.
    #[must_use]
    pub fn is_open(&self, cell: Cell, way: u8) -> bool {
        self.index(cell).is_some_and(|index| way < 8 && self.moves[index] & (1 << way) != 0)
    }

    /// The cells whose middles are within `radius_m` of a point: rows, and columns in each.
    pub(super) fn disc(&self, point: Vec2, radius_m: f32) -> impl Iterator<Item = Cell> + '_ {
        let (at, reach) = ((point - self.origin) / self.cell_m, radius_m / self.cell_m);
        let axis = |at: f32, count: u32| {
            // A cast keeps within its range; NaN is 0.
            let (low, high) = ((at - reach).floor() as i64, (at + reach).ceil() as i64);
            (low.max(0) as u32)..(high.clamp(0, i64::from(count)) as u32)
        };
        let is_sound = point.is_finite() && radius_m >= 0.0;
        let rows = if is_sound { axis(at.y, self.rows) } else { 0..0 };
        let columns = axis(at.x, self.columns);
        let cells = rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x as u16, y as u16)));
        cells.filter(move |&cell| self.center(cell).distance_squared(point) <= radius_m * radius_m)
    }

    pub(super) fn stride(&self) -> usize {
        self.columns as usize + 2
    }

    /// The number of a cell with the rim; none outside.
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.columns && y < self.rows).then(|| (y as usize + 1) * self.stride() + x as usize + 1)
    }

    pub(super) fn free_bits(&self) -> &[bool] {
        &self.free
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }
}

/// Cells that somebody watches: influence does not enter them, and what was there goes. A pure function of the regions added,
/// so no state.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// First and past the last number of each stretch.
    pub(super) spans: Vec<[u32; 2]>,
}

impl Watch {
    /// Forgets all regions and keeps the memory.
    pub fn clear(&mut self) {
        self.spans.clear();
    }

    /// Whether nothing is watched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds the cells whose middles a region holds. O(rows in range · log n + cells); allocates nothing once warm.
    pub fn add(&mut self, grid: &Grid, region: &Region) {
        self.visit(grid, region, |spans, low, high| spans.push([low, high]));
    }

    /// The same for those of them that `counts` says of: one call a cell in sight.
    pub fn add_where(&mut self, grid: &Grid, region: &Region, mut counts: impl FnMut(Cell) -> bool) {
        let stride = grid.stride() as u32;
        self.visit(grid, region, |spans, low, high| {
            for index in low..high {
                if !counts(Cell::new((index % stride - 1) as u16, (index / stride - 1) as u16)) {
                    continue;
                }
                match spans.last_mut() {
                    Some(last) if last[1] == index && last[0] >= low => last[1] = index + 1,
                    _ => spans.push([index, index + 1]),
                }
            }
        });
    }

    /// Every stretch of cells in a row whose middles a region holds: numbers of the first, and past the last.
    fn visit(&mut self, grid: &Grid, region: &Region, mut note: impl FnMut(&mut Vec<[u32; 2]>, u32, u32)) {
        let (origin, cell_m) = (grid.origin.as_dvec2(), f64::from(grid.cell_m));
        let (eye, range) = (region.origin().as_dvec2(), f64::from(region.range_m()));
        let first = ((eye.y - range - origin.y) / cell_m).floor() as i64;
        let last = ((eye.y + range - origin.y) / cell_m).ceil() as i64;
        let rows = first.clamp(0, i64::from(grid.rows)) as u32..last.clamp(0, i64::from(grid.rows)) as u32;
        let spans = &mut self.spans;
        for row in rows {
            // Along the middles of the row's cells; one cell more at both ends, so that whole stretches are cut inside.
            let y = origin.y + (f64::from(row) + 0.5) * cell_m;
            let from = origin.with_y(y) - cell_m * DVec2::X * 0.5;
            let length = (f64::from(grid.columns) + 1.0) * cell_m;
            let to = from + DVec2::X * length;
            let start = (row as usize + 1) * grid.stride() + 1;
            region.visit_spans(from, to, |begin, end| {
                // Cell x has its middle at (x + 1) cells.
                let column = |at: f64| (at as i64).clamp(0, i64::from(grid.columns)) as u32;
                let low = column((begin / cell_m).ceil() - 1.0);
                let high = column((end / cell_m).floor());
                if low < high {
                    note(spans, start as u32 + low, start as u32 + high);
                }
            });
        }
    }

    /// Adds one cell; outside is fine.
    pub fn add_cell(&mut self, grid: &Grid, cell: Cell) {
        if let Some(index) = grid.index(cell) {
            self.spans.push([index as u32, index as u32 + 1]);
        }
    }

    /// Whether a cell is watched. O(stretches).
    #[must_use]
    pub fn holds(&self, grid: &Grid, cell: Cell) -> bool {
        let index = grid.index(cell).map(|index| index as u32);
        index.is_some_and(|index| self.spans.iter().any(|span| (span[0]..span[1]).contains(&index)))
    }

    /// Empties the watched cells of a buffer.
    pub(super) fn wipe(&self, values: &mut [f32]) {
        for span in &self.spans {
            if let Some(run) = values.get_mut(span[0] as usize..span[1] as usize) {
                run.fill(0.0);
            }
        }
    }
}
