//! Walls near a place: a uniform grid over the boxes of segments, built once.
//!
//! Every wall lies in all cells its box touches; a query names it in the first of those it has in common, so once. Building
//! is O(walls × cells of a box), a query looks at the cells it touches. Best for walls along the axes or short ones; a long
//! diagonal is looked at too often, and still found rightly. Walls that are not finite or lie past
//! [`REACH_M`](sentir_core::index::REACH_M) are left out.

use sentir_core::glam::Vec2;
use sentir_core::index::REACH_M;
use sentir_core::math;
use sentir_core::order::Ranked;

use super::WALLS_MAX;
use crate::mover::Wall;

/// Cells at most; past that they are made coarser.
const CELLS_MAX: f32 = 65_536.0;

/// The index. It keeps a copy of the walls.
#[derive(Clone, Debug, Default)]
pub struct WallIndex {
    walls: Vec<Wall>,
    origin: Vec2,
    cell_m: f32,
    columns: usize,
    rows: usize,
    /// First entry of each cell in `numbers`, and one past the last.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl WallIndex {
    /// Indexes walls; answers name them by their place in the slice. `cell_m` is about the usual radius asked for; what is
    /// under a centimeter, or not a number, counts as a meter.
    pub fn build(walls: &[Wall], cell_m: f32) -> WallIndex {
        let usable = |wall: &Wall| {
            wall.from.abs().max(wall.to.abs()).max_element() <= REACH_M && !wall.from.is_nan() && !wall.to.is_nan()
        };
        let mut index = WallIndex { walls: walls.to_vec(), ..WallIndex::default() };
        let kept: Vec<u32> = (0..).zip(walls).filter(|(_, wall)| usable(wall)).map(|(number, _)| number).collect();
        let corners = || kept.iter().map(|&number| walls[number as usize]);
        let Some(first) = corners().next() else { return index };
        let low = corners().fold(first.from, |low, wall| low.min(wall.from).min(wall.to));
        let high = corners().fold(first.from, |high, wall| high.max(wall.from).max(wall.to));
        let mut cell_m = if cell_m >= 0.01 && cell_m.is_finite() { cell_m } else { 1.0 };
        let count = |length: f32, cell_m: f32| (length / cell_m).floor() + 1.0;
        while count(high.x - low.x, cell_m) * count(high.y - low.y, cell_m) > CELLS_MAX {
            cell_m *= 2.0;
        }
        (index.origin, index.cell_m) = (low, cell_m);
        (index.columns, index.rows) = (count(high.x - low.x, cell_m) as usize, count(high.y - low.y, cell_m) as usize);
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for &number in &kept {
            let wall = walls[number as usize];
            let (from, to) = (index.cell(wall.from.min(wall.to)), index.cell(wall.from.max(wall.to)));
            for row in from.1..=to.1 {
                entries.extend((from.0..=to.0).map(|column| ((row * index.columns + column) as u32, number)));
            }
        }
        entries.sort_unstable();
        let cells = (index.columns * index.rows) as u32;
        index.starts = (0..=cells).map(|cell| entries.partition_point(|entry| entry.0 < cell) as u32).collect();
        index.numbers = entries.into_iter().map(|(_, number)| number).collect();
        index
    }

    /// The walls it was built of.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// Calls `visit(number, wall, distance squared)` once for every wall within `radius_m` of `center`, in a fixed order.
    pub fn visit_near(&self, center: Vec2, radius_m: f32, mut visit: impl FnMut(u32, &Wall, f32)) {
        if self.numbers.is_empty() || !center.is_finite() || radius_m.is_nan() || radius_m < 0.0 {
            return;
        }
        // Room for rounding: cells may be looked at in vain.
        let reach = Vec2::splat(radius_m + (center.abs().max_element() + radius_m) * 1e-6);
        let (low, high) = (self.cell(center - reach), self.cell(center + reach));
        for row in low.1..=high.1 {
            for column in low.0..=high.0 {
                let cell = row * self.columns + column;
                for &number in &self.numbers[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    let wall = &self.walls[number as usize];
                    let first = self.cell(wall.from.min(wall.to));
                    if (first.0.max(low.0), first.1.max(low.1)) != (column, row) {
                        continue;
                    }
                    let square = wall.nearest(center).distance_squared(center);
                    if square <= radius_m * radius_m {
                        visit(number, wall, square);
                    }
                }
            }
        }
    }

    /// The walls nearest to `center` within `radius_m`, nearest first, equals by number: as many as `found` holds. Returns
    /// how many there are.
    pub fn nearest(&self, center: Vec2, radius_m: f32, found: &mut [Ranked]) -> usize {
        let mut count = 0;
        self.visit_near(center, radius_m, |index, _, value| {
            let rank = Ranked { value, index };
            let mut to = count;
            if to < found.len() {
                count += 1;
            } else if found.last().is_some_and(|last| rank < *last) {
                to -= 1;
            } else {
                return;
            }
            while to > 0 && rank < found[to - 1] {
                found[to] = found[to - 1];
                to -= 1;
            }
            found[to] = rank;
        });
        count
    }

    /// The walls that count for somebody at `center`: see [`WallIndex::nearest`].
    pub fn around(&self, center: Vec2, radius_m: f32) -> impl Iterator<Item = Wall> + '_ {
        let mut found = [Ranked { value: 0.0, index: 0 }; WALLS_MAX];
        let count = self.nearest(center, radius_m, &mut found);
        found.into_iter().take(count).map(|rank| self.walls[rank.index as usize])
    }

    /// Column and row of a place, held within the grid.
    fn cell(&self, place: Vec2) -> (usize, usize) {
        // `as` takes what is below 0 as 0.
        let at = (place - self.origin) / math::max(self.cell_m, 0.01);
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }
}
