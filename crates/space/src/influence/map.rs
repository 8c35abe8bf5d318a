//! A map: a value for each cell, stamps, and updates.

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::math;
use sentir_nav::grid::Cell;
use sentir_nav::tactic::{Field, FieldError};

use super::grid::{CELLS_MAX, SIDE_MAX};
use super::kernel::{self, Factors};
use super::{Config, Grid, Watch};

/// The other buffer of an update; may be dropped at any time, and shared by maps.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) next: Vec<f32>,
}

impl Scratch {
    /// A buffer as long as a map, all of it 0 or about to be written.
    pub(super) fn fit(&mut self, count: usize) -> &mut Vec<f32> {
        if self.next.len() != count {
            self.next.clear();
            self.next.resize(count, 0.0);
        }
        &mut self.next
    }
}

/// Somebody or something with influence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfluenceSource {
    /// Where, on the ground, m.
    pub at: Vec2,
    /// How strong. Limit: >= 0 in maps that spread.
    pub strength: f32,
}

/// Values on the cells of a [`Grid`]; state. Cells nobody can walk on are 0. Maps that spread hold values >= 0: what is both
/// red and blue is two maps, and their difference a third.
///
/// The default has no cells and fits no grid.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Map {
    columns: u32,
    rows: u32,
    /// Row by row with a rim of one cell, which stays 0.
    pub(super) values: Vec<f32>,
}

impl Map {
    /// A map with nothing on it.
    #[must_use]
    pub fn new(grid: &Grid) -> Map {
        let [columns, rows] = grid.size();
        Map { columns, rows, values: vec![0.0; grid.len()] }
    }

    /// What a loaded map must satisfy.
    fn check(&self) -> Result<(), &'static str> {
        if *self == Map::default() {
            return Ok(());
        }
        let is_sized = (1..=SIDE_MAX).contains(&self.columns)
            && (1..=SIDE_MAX).contains(&self.rows)
            && self.columns * self.rows <= CELLS_MAX
            && self.values.len() == (self.columns as usize + 2) * (self.rows as usize + 2);
        if !is_sized {
            return Err("an influence map has not one value a cell");
        }
        if self.values.iter().any(|value| !value.is_finite()) {
            return Err("an influence map has a value that is no number");
        }
        Ok(())
    }

    /// Whether it is a map of that grid, as far as sizes tell. After loading, ask before use.
    #[must_use]
    pub fn fits(&self, grid: &Grid) -> bool {
        [self.columns, self.rows] == grid.size()
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let is_on = x < self.columns && y < self.rows;
        is_on.then(|| (y as usize + 1) * (self.columns as usize + 2) + x as usize + 1)
    }

    /// The value of a cell; 0 outside.
    #[must_use]
    pub fn value(&self, cell: Cell) -> f32 {
        self.index(cell).map_or(0.0, |index| self.values[index])
    }

    /// The value at a ground point; 0 off the grid.
    #[must_use]
    pub fn value_at(&self, grid: &Grid, point: Vec2) -> f32 {
        grid.cell_at(point).map_or(0.0, |cell| self.value(cell))
    }

    /// The mean over the walkable cells whose middles are within `radius_m` of a point; that of the point's own cell if there
    /// is none.
    #[must_use]
    pub fn mean(&self, grid: &Grid, point: Vec2, radius_m: f32) -> f32 {
        let (mut sum, mut count) = (0.0f64, 0u32);
        for cell in grid.disc(point, radius_m).filter(|&cell| grid.is_free(cell)) {
            sum += f64::from(self.value(cell));
            count += 1;
        }
        if count == 0 { self.value_at(grid, point) } else { (sum / f64::from(count)) as f32 }
    }

    /// The greatest value, and where: the first by row and column of equals.
    #[must_use]
    pub fn greatest(&self) -> (f32, Cell) {
        let mut best = (f32::NEG_INFINITY, Cell::new(0, 0));
        for (y, row) in self.rows().enumerate() {
            for (x, &value) in row.iter().enumerate() {
                if value > best.0 {
                    best = (value, Cell::new(x as u16, y as u16));
                }
            }
        }
        best
    }

    /// The values, row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        let stride = self.columns as usize + 2;
        self.values.chunks_exact(stride).skip(1).take(self.rows as usize).map(move |row| &row[1..stride - 1])
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Raises a cell to at least `strength`. Off the map and in walls is fine: nothing happens; so it does for NaN.
    pub fn raise(&mut self, grid: &Grid, cell: Cell, strength: f32) {
        self.touch(grid, cell, |value| math::max(value, strength));
    }

    /// Adds to a cell, as `raise` raises it. Sums are rounded to 1/256: below 65 536 they are exact, so the order of
    /// additions is moot.
    pub fn add(&mut self, grid: &Grid, cell: Cell, value: f32) {
        let rounded = (value * 256.0).round() / 256.0;
        self.touch(grid, cell, |old| old + rounded);
    }

    fn touch(&mut self, grid: &Grid, cell: Cell, change: impl Fn(f32) -> f32) {
        if let Some(index) = self.index(cell).filter(|_| self.fits(grid) && grid.is_free(cell)) {
            let new = change(self.values[index]);
            if new.is_finite() {
                self.values[index] = new;
            }
        }
    }

    /// Raises the cells of agents and other sources. The order is moot.
    pub fn stamp(&mut self, grid: &Grid, sources: &[InfluenceSource]) {
        for source in sources {
            if let Some(cell) = grid.cell_at(source.at) {
                self.raise(grid, cell, source.strength);
            }
        }
    }

    /// Adds a cone round a point: |`value`| in the middle, less by 1 a meter, 0 from |`value`| meters on; with the sign of
    /// `value`, as in red and blue. Through walls. The order of stamps is moot, as with [`add`](Self::add).
    pub fn stamp_linear(&mut self, grid: &Grid, at: Vec2, value: f32) {
        let radius_m = value.abs();
        let sign = if value < 0.0 { -1.0 } else { 1.0 };
        if !self.fits(grid) {
            return;
        }
        for cell in grid.disc(at, radius_m) {
            let left = radius_m - grid.center(cell).distance(at);
            self.add(grid, cell, sign * left);
        }
    }

    /// One update: spreads once, fades, and moves toward the new values; then empties what is watched. A map of another size
    /// than the grid is left alone.
    pub fn update(&mut self, grid: &Grid, config: &Config, watch: Option<&Watch>, scratch: &mut Scratch) {
        self.update_many(grid, config, watch, 1, scratch);
    }

    /// One update in which values go on by up to `iterations` cells, for fronts that run (see [`Config::iterations`]). Momentum
    /// and fade are those of the whole update.
    pub fn update_many(
        &mut self,
        grid: &Grid,
        config: &Config,
        watch: Option<&Watch>,
        iterations: u32,
        scratch: &mut Scratch,
    ) {
        if !self.fits(grid) {
            return;
        }
        let config = config.checked();
        let count = iterations.clamp(1, super::ITERATIONS_MAX);
        let share = 1.0 / count as f32;
        let factors = Factors {
            straight: math::exp(-config.decay_per_m * grid.cell_m()),
            diagonal: math::exp(-config.decay_per_m * grid.cell_m() * std::f32::consts::SQRT_2),
            fade: math::exp(-config.fade_per_s * config.period_s * share),
            momentum: if count == 1 { config.momentum } else { math::pow(config.momentum, share) },
        };
        for _ in 0..count {
            let next = scratch.fit(self.values.len());
            kernel::spread(grid, &factors, &self.values, next);
            if let Some(watch) = watch {
                watch.wipe(next);
            }
            std::mem::swap(&mut self.values, next);
        }
        // The rim is never written; the buffer may have been another map's.
        self.clear_rim();
    }

    pub(super) fn clear_rim(&mut self) {
        let stride = self.columns as usize + 2;
        let count = self.values.len();
        self.values[..stride].fill(0.0);
        self.values[count - stride..].fill(0.0);
        for row in self.values.chunks_exact_mut(stride) {
            row[0] = 0.0;
            row[stride - 1] = 0.0;
        }
    }

    /// The map as a field of `nav::tactic`, for costs of ways.
    ///
    /// # Errors
    /// When it is not of that grid.
    pub fn to_field(&self, grid: &Grid) -> Result<Field, FieldError> {
        let values = self.rows().flatten().copied().collect();
        Field::new(grid.origin(), grid.cell_m(), grid.size(), values)
    }
}
