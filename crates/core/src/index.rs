//! A uniform grid over points on the ground: who is near, in a fixed order.
//!
//! Built by a counting sort: points lie by cell, and by index within a cell. Building is O(points + cells) and can use a
//! [`Pool`] with the same result; a query looks only at the cells it touches. Answers agree to the last bit with the
//! plain comparison of every point, which the tests hold against it. Rebuilt each tick; after the first build of a size
//! it allocates nothing. Points that are not finite, or farther than [`REACH_M`] from the origin, are left out.

use glam::Vec2;

use crate::math;
use crate::order::Ranked;
use crate::plane;
use crate::pool::{Pool, each};

/// How far from the origin a point may lie on either axis, m. Past this a float has steps of over 60 m.
pub const REACH_M: f32 = 1e9;

/// Cells per point at most: a few far-flung points must not make a huge grid.
const CELLS_PER_POINT_MAX: usize = 4;
/// A grid of this many cells is always allowed.
const CELLS_MIN: usize = 1024;
/// Cells for which there is always room.
const STARTS_KEPT: usize = 4096;
/// Points below which several threads do not pay.
const SHARED_POINTS_MIN: usize = 8192;
/// Most threads that a build uses.
const SHARES_MAX: usize = 8;
/// Marks a point without a cell.
const NO_CELL: u32 = u32::MAX;

/// The index. Keep one and build it anew each tick.
#[derive(Clone, Debug, Default)]
pub struct PointIndex {
    grid: Grid,
    /// First item of each cell, and one past the last.
    starts: Vec<u32>,
    /// Points by cell.
    items: Vec<Item>,
    /// Cell of each point.
    cells: Vec<u32>,
    /// Points dealt out by share of the cells: cell and index, by job and share.
    dealt: Vec<Vec<(u32, u32)>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Item {
    position: Vec2,
    index: u32,
}

/// Where cells lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Grid {
    origin: Vec2,
    /// The number of the first column and row, counted from the world's origin.
    first: [i32; 2],
    per_cell: f32,
    cell_m: f32,
    columns: u32,
    rows: u32,
}

/// Numbers of cells stay below this, so that they are exact as floats.
const NUMBER_MAX: f32 = 8_388_608.0;

impl Grid {
    /// A grid of cells of `cell_m` over the box, coarsened by doubling until it has at most `cells_max` cells. Cells lie where
    /// they lie whatever the box is: somebody far off must not change the order in which those near by are visited.
    fn over(low: Vec2, high: Vec2, cell_m: f32, cells_max: usize) -> Grid {
        let mut cell_m = if cell_m.is_finite() && cell_m > 1e-3 { cell_m } else { 1e-3 };
        let far = math::max(low.abs().max_element(), high.abs().max_element());
        loop {
            let per_cell = 1.0 / cell_m;
            if far * per_cell < NUMBER_MAX {
                let first = [number(low.x * per_cell), number(low.y * per_cell)];
                let count = |high: f32, first: i32| (number(high * per_cell) - first) as u32 + 1;
                let (columns, rows) = (count(high.x, first[0]), count(high.y, first[1]));
                if u64::from(columns) * u64::from(rows) <= cells_max as u64 {
                    let origin = Vec2::new(first[0] as f32, first[1] as f32) * cell_m;
                    return Grid { origin, first, per_cell, cell_m, columns, rows };
                }
            }
            cell_m *= 2.0;
        }
    }

    /// The column of an x, held within the grid. Never decreases as x grows, so a range of x is a range of columns.
    #[inline]
    fn column(&self, x: f32) -> u32 {
        held(number(x * self.per_cell), self.first[0], self.columns)
    }

    #[inline]
    fn row(&self, y: f32) -> u32 {
        held(number(y * self.per_cell), self.first[1], self.rows)
    }

    fn cell(&self, point: Vec2) -> u32 {
        self.row(point.y) * self.columns + self.column(point.x)
    }
}

/// The greatest whole number that is not above a number; those out of reach are held within it.
#[inline]
fn number(value: f32) -> i32 {
    let cut = value as i32;
    cut.saturating_sub(i32::from(value < cut as f32))
}

/// A number of a cell from the first one on, held within the grid.
#[inline]
fn held(number: i32, first: i32, count: u32) -> u32 {
    (number.saturating_sub(first).max(0) as u32).min(count - 1)
}

/// Whether a point is indexed. False for NaN, too.
fn is_usable(point: Vec2) -> bool {
    point.abs().max_element() <= REACH_M && !point.is_nan()
}

/// How far rounding can push a point at `center ± reach` across a border.
fn slack(center: f32, reach: f32) -> f32 {
    (center.abs() + reach) * 1e-6
}

impl PointIndex {
    /// Indexes `points`; the answers name them by their position in the slice. `cell_m` is about the usual radius asked
    /// for; anything at or under a millimeter, or not finite, counts as a millimeter.
    pub fn build(&mut self, points: &[Vec2], cell_m: f32, pool: &dyn Pool) {
        let usable = || points.iter().filter(|point| is_usable(**point));
        let Some(&first) = usable().next() else {
            self.starts.clear();
            self.items.clear();
            self.cells.clear();
            return;
        };
        let (low, high) = usable().fold((first, first), |(low, high), &point| (low.min(point), high.max(point)));
        let cells_max = (points.len() * CELLS_PER_POINT_MAX).max(CELLS_MIN);
        self.grid = Grid::over(low, high, cell_m, cells_max);
        let cell_count = self.grid.columns as usize * self.grid.rows as usize;
        self.starts.clear();
        // Room for a small world's points wherever they go, so that spreading out is no reason to allocate.
        self.starts.reserve(cell_count.max(cells_max.min(STARTS_KEPT)) + 1);
        self.starts.resize(cell_count + 1, 0);
        let jobs = pool.width().clamp(1, SHARES_MAX);
        if jobs == 1 || points.len() < SHARED_POINTS_MIN {
            self.sort_alone(points);
        } else {
            self.sort_shared(points, jobs, pool);
        }
    }

    /// The counting sort: how many points each cell has, where each cell begins, then every point into its place.
    fn sort_alone(&mut self, points: &[Vec2]) {
        let grid = self.grid;
        self.cells.clear();
        self.cells.resize(points.len(), NO_CELL);
        let counts = self.starts.as_mut_slice();
        for (cell, &point) in self.cells.iter_mut().zip(points) {
            if is_usable(point) {
                *cell = grid.cell(point);
                counts[*cell as usize] += 1;
            }
        }
        self.begin_cells();
        let (heads, items) = (self.starts.as_mut_slice(), self.items.as_mut_slice());
        for (index, (&position, &cell)) in (0..).zip(points.iter().zip(&self.cells)) {
            if cell != NO_CELL {
                let head = &mut heads[cell as usize];
                items[*head as usize] = Item { position, index };
                *head += 1;
            }
        }
        // Each head now stands at the end of its cell, which is the start of the next: move them back by one.
        let last = heads.len() - 1;
        heads.copy_within(..last, 1);
        heads[0] = 0;
    }

    /// The same on several threads. Each job first deals its run of points out by share of the cells; then each job owns
    /// a share, goes through what the first ones dealt it, in order, and so fills one slice of the output.
    fn sort_shared(&mut self, points: &[Vec2], jobs: usize, pool: &dyn Pool) {
        let grid = self.grid;
        let cell_count = self.starts.len() - 1;
        let (run, share) = (points.len().div_ceil(jobs), cell_count.div_ceil(jobs));
        self.dealt.resize_with(self.dealt.len().max(jobs * jobs), Vec::new);
        self.dealt.iter_mut().for_each(Vec::clear);
        each(pool, points.chunks(run).zip(self.dealt.chunks_mut(jobs)).enumerate(), |(job, (points, hands))| {
            for (index, &point) in ((job * run) as u32..).zip(points) {
                if is_usable(point) {
                    let cell = grid.cell(point);
                    hands[cell as usize / share].push((cell, index));
                }
            }
        });
        let dealt = &self.dealt;
        let hand = |part: usize| (0..jobs).flat_map(move |job| dealt[job * jobs + part].iter().copied());
        each(pool, self.starts[..cell_count].chunks_mut(share).enumerate(), |(part, counts)| {
            let first = (part * share) as u32;
            hand(part).for_each(|(cell, _)| counts[(cell - first) as usize] += 1);
        });
        self.begin_cells();
        let dealt = &self.dealt;
        let hand = |part: usize| (0..jobs).flat_map(move |job| dealt[job * jobs + part].iter().copied());
        let ends: [u32; SHARES_MAX] = std::array::from_fn(|part| self.starts[((part + 1) * share).min(cell_count)]);
        let mut rest = self.items.as_mut_slice();
        let shares = self.starts[..cell_count].chunks_mut(share).zip(ends).enumerate().map(|(part, (heads, end))| {
            let (mine, others) = std::mem::take(&mut rest).split_at_mut((end - heads[0]) as usize);
            rest = others;
            (part, heads, mine)
        });
        each(pool, shares, |(part, heads, mine)| {
            let (first, base) = ((part * share) as u32, heads[0]);
            for (cell, index) in hand(part) {
                let head = &mut heads[(cell - first) as usize];
                mine[(*head - base) as usize] = Item { position: points[index as usize], index };
                *head += 1;
            }
            heads.copy_within(..heads.len() - 1, 1);
            heads[0] = base;
        });
    }

    /// Turns counts into first places, and makes room for the points.
    fn begin_cells(&mut self) {
        let mut total = 0;
        for start in &mut self.starts {
            (total, *start) = (total + *start, total);
        }
        self.items.clear();
        self.items.resize(total as usize, Item::default());
    }

    /// How many points are indexed.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether no point is indexed.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Calls `visit(index, distance squared)` for every point within `radius_m` of `center`. The order is fixed: by
    /// cell, then by index; the same points and cell size give the same order.
    pub fn visit_radius(&self, center: Vec2, radius_m: f32, mut visit: impl FnMut(u32, f32)) {
        if !center.is_finite() || radius_m.is_nan() || radius_m < 0.0 {
            return;
        }
        let limit = radius_m * radius_m;
        let reach = Vec2::new(slack(center.x, radius_m), slack(center.y, radius_m)) + Vec2::splat(radius_m);
        self.visit_box(center - reach, center + reach, |item| {
            let squared = item.position.distance_squared(center);
            if squared <= limit {
                visit(item.index, squared);
            }
        });
    }

    /// The indexed points with their indices in the order in which they lie, row of cells by row: by cell, then by index.
    /// Whoever asks for the neighbors of all lays its own data out likewise and reads it by [`PointIndex::visit_runs`].
    pub fn rows(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = (u32, Vec2)> + '_> + '_ {
        let rows = if self.is_empty() { 0 } else { self.grid.rows as usize };
        let columns = self.grid.columns as usize;
        (0..rows).map(move |row| {
            let (first, end) = (self.starts[row * columns], self.starts[(row + 1) * columns]);
            self.items[first as usize..end as usize].iter().map(|item| (item.index, item.position))
        })
    }

    /// Calls `visit` with the row and a run of places, counted through all [`PointIndex::rows`], such that the runs
    /// together hold every point within `radius_m` of `center`, and others near: one run for each row of cells at most.
    #[inline]
    pub fn visit_runs(&self, center: Vec2, radius_m: f32, mut visit: impl FnMut(usize, std::ops::Range<usize>)) {
        if self.is_empty() || !center.is_finite() || radius_m.is_nan() || radius_m < 0.0 {
            return;
        }
        let reach = Vec2::new(slack(center.x, radius_m), slack(center.y, radius_m)) + Vec2::splat(radius_m);
        let (low, high) = (center - reach, center + reach);
        let (from, to) = (self.grid.column(low.x), self.grid.column(high.x));
        for row in self.grid.row(low.y)..=self.grid.row(high.y) {
            let base = row * self.grid.columns;
            let (first, end) = (self.starts[(base + from) as usize], self.starts[(base + to) as usize + 1]);
            if first < end {
                visit(row as usize, first as usize..end as usize);
            }
        }
    }

    /// The points within `radius_m` of `center`, ascending by index.
    pub fn radius(&self, center: Vec2, radius_m: f32, found: &mut Vec<u32>) {
        found.clear();
        self.visit_radius(center, radius_m, |index, _| found.push(index));
        found.sort_unstable();
    }

    /// The points inside the box from `low` to `high`, borders included, ascending by index.
    pub fn boxed(&self, low: Vec2, high: Vec2, found: &mut Vec<u32>) {
        found.clear();
        self.visit_box(low, high, |item| {
            if item.position.cmpge(low).all() && item.position.cmple(high).all() {
                found.push(item.index);
            }
        });
        found.sort_unstable();
    }

    /// The points within `margin_m` of the segment a–b, ascending by index.
    pub fn segment(&self, a: Vec2, b: Vec2, margin_m: f32, found: &mut Vec<u32>) {
        found.clear();
        if self.is_empty() || !a.is_finite() || !b.is_finite() || margin_m.is_nan() || margin_m < 0.0 {
            return;
        }
        let limit = margin_m * margin_m;
        let far = math::max(a.abs().max_element(), b.abs().max_element());
        let reach = margin_m + slack(far, margin_m);
        let (low, high) = (a.min(b) - Vec2::splat(reach), a.max(b) + Vec2::splat(reach));
        for row in self.grid.row(low.y)..=self.grid.row(high.y) {
            // The part of the segment that can be within reach of this row.
            let floor = self.grid.origin.y + row as f32 * self.grid.cell_m;
            let give = reach + slack(floor, self.grid.cell_m);
            let is_edge = row == 0 || row == self.grid.rows - 1;
            let (from, to) =
                if is_edge { (low.x, high.x) } else { span(a, b, floor - give, floor + self.grid.cell_m + give) };
            self.visit_row(row, from - give, to + give, &mut |item: &Item| {
                let (nearest, _) = plane::nearest_on_segment(a, b, item.position);
                if nearest.distance_squared(item.position) <= limit {
                    found.push(item.index);
                }
            });
        }
        found.sort_unstable();
    }

    /// The `count` points nearest to `center` within `radius_m`, nearest first, equals by index.
    pub fn nearest(&self, center: Vec2, count: usize, radius_m: f32, found: &mut Vec<Ranked>) {
        found.clear();
        if self.is_empty() || count == 0 || !center.is_finite() || radius_m.is_nan() || radius_m < 0.0 {
            return;
        }
        let limit = radius_m * radius_m;
        let (column, row) = (self.grid.column(center.x), self.grid.row(center.y));
        let rings = self.grid.columns.max(self.grid.rows);
        for ring in 0..rings {
            // Whatever lies in this ring of cells is at least this far away.
            let gap = (ring as f32 - 1.0) * self.grid.cell_m;
            let gap = math::max(gap - slack(math::max(center.abs().max_element(), self.reach()), gap), 0.0);
            let gap_squared = gap * gap;
            let is_full = found.len() == count && found.last().is_some_and(|last| last.value < gap_squared);
            if is_full || gap_squared > limit {
                break;
            }
            self.visit_ring(column, row, ring, |item| {
                let value = item.position.distance_squared(center);
                if value <= limit {
                    keep_best(found, count, Ranked { value, index: item.index });
                }
            });
        }
    }

    /// The greatest coordinate the grid covers, for the slack of rounding.
    fn reach(&self) -> f32 {
        let far = self.grid.origin + Vec2::new(self.grid.columns as f32, self.grid.rows as f32) * self.grid.cell_m;
        math::max(self.grid.origin.abs().max_element(), far.abs().max_element())
    }

    fn visit_box(&self, low: Vec2, high: Vec2, mut visit: impl FnMut(&Item)) {
        // Also false for NaN.
        if self.is_empty() || !(low.cmple(high).all()) {
            return;
        }
        for row in self.grid.row(low.y)..=self.grid.row(high.y) {
            self.visit_row(row, low.x, high.x, &mut visit);
        }
    }

    #[inline]
    fn visit_row(&self, row: u32, from_x: f32, to_x: f32, visit: &mut impl FnMut(&Item)) {
        let base = row * self.grid.columns;
        let first = self.starts[(base + self.grid.column(from_x)) as usize];
        let end = self.starts[(base + self.grid.column(to_x)) as usize + 1];
        self.items[first as usize..(end as usize).max(first as usize)].iter().for_each(visit);
    }

    /// The cells at `ring` steps from a cell, row by row.
    fn visit_ring(&self, column: u32, row: u32, ring: u32, mut visit: impl FnMut(&Item)) {
        let (columns, rows) = (i64::from(self.grid.columns), i64::from(self.grid.rows));
        let (column, row, ring) = (i64::from(column), i64::from(row), i64::from(ring));
        for y in (row - ring).max(0)..=(row + ring).min(rows - 1) {
            let is_border = (y - row).abs() == ring;
            let step = if is_border { 1 } else { (2 * ring).max(1) };
            let mut x = column - ring;
            while x <= column + ring {
                if (0..columns).contains(&x) {
                    let cell = (y * columns + x) as usize;
                    let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                    self.items[range].iter().for_each(&mut visit);
                }
                x += step;
            }
        }
    }
}

/// The least and greatest x of the segment a–b where its y is within `low..=high`.
fn span(a: Vec2, b: Vec2, low: f32, high: f32) -> (f32, f32) {
    let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
    let rise = b.y - a.y;
    let x_at = |y: f32| {
        let share = if rise > 0.0 { math::saturate((y - a.y) / rise) } else { 0.0 };
        math::lerp(a.x, b.x, share)
    };
    // A flat segment is within the row as a whole.
    let (from, to) = if rise > 0.0 { (x_at(low), x_at(high)) } else { (a.x, b.x) };
    (math::min(from, to), math::max(from, to))
}

/// Keeps the `count` best, in order.
fn keep_best(best: &mut Vec<Ranked>, count: usize, new: Ranked) {
    if best.len() == count {
        match best.last() {
            Some(&last) if new < last => {
                best.pop();
            }
            _ => return,
        }
    }
    let place = best.partition_point(|&other| other < new);
    best.insert(place, new);
}

#[cfg(test)]
mod tests;
