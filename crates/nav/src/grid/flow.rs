//! Flow field: the way to a goal from everywhere, by one search. (Dijkstra 1959, from the goals backward.)
//!
//! For: thousands that go to the same place. Each cell gets the length left to the nearest goal and the step to take; a
//! follower looks up its cell, or a point between cells. O(cells); 5 bytes a cell, beside the queue; building again allocates
//! nothing once it has seen the ground.

use sentir_core::glam::Vec2;

use super::bucket::BucketQueue;
use super::{Cell, DIAGONAL, REACH_MAX, STEPS, STRAIGHT, UnitGrid};
use crate::answer::Ending;

/// No length: the goals cannot be reached from there.
const FAR: u32 = u32::MAX;
/// No step: a goal, or out of reach.
const STAY: u8 = 8;

/// Lengths and steps.
#[derive(Clone, Debug, Default)]
pub struct FlowField {
    width: u32,
    height: u32,
    lengths: Vec<u32>,
    ways: Vec<u8>,
    queue: BucketQueue,
}

impl FlowField {
    /// Bytes kept for each cell of the ground; the queue is extra, 8 bytes an entry.
    pub const BYTES_PER_CELL: usize = size_of::<u32>() + size_of::<u8>();

    /// Fills the field toward the nearest of the goals. Goals where nobody can stand are left out; with none left, nothing is in
    /// reach and the ending is [`Ending::NoPath`]. When the budget is used up, what is nearer than the rest is right already.
    /// Returns the ending and how many cells were expanded.
    pub fn fill(&mut self, ground: &UnitGrid, goals: &[Cell], expansions_max: u32) -> (Ending, u32) {
        (self.width, self.height) = (ground.width(), ground.height());
        self.lengths.clear();
        self.lengths.resize(ground.len(), FAR);
        self.ways.clear();
        self.ways.resize(ground.len(), STAY);
        self.queue.clear(2 * DIAGONAL * u32::from(ground.cost_max()), 0);
        for &goal in goals {
            if let Some(index) = ground.index(goal).filter(|_| ground.is_free(goal))
                && self.lengths[index as usize] != 0
            {
                self.lengths[index as usize] = 0;
                self.queue.push(0, index);
            }
        }
        let is_empty = self.queue.pushed().next().is_none();
        let (moves, costs, offsets) = (ground.moves(), ground.costs(), ground.offsets());
        let mut expanded = 0;
        while let Some((key, index)) = self.queue.pop_key() {
            let length = self.lengths[index as usize];
            // An entry of a longer way than the one known by now.
            if key != length || length > REACH_MAX {
                continue;
            }
            if expanded == expansions_max {
                return (Ending::OutOfBudget, expanded);
            }
            expanded += 1;
            let mut open = moves[index as usize];
            while open != 0 {
                let way = open.trailing_zeros() as usize & 7;
                open &= open - 1;
                let next = index.wrapping_add_signed(offsets[way]);
                let sum = u32::from(costs[index as usize]) + u32::from(costs[next as usize]);
                let total = length + (if way & 1 == 0 { STRAIGHT } else { DIAGONAL }) * sum;
                if total < self.lengths[next as usize] {
                    self.lengths[next as usize] = total;
                    self.ways[next as usize] = way as u8 ^ 4;
                    self.queue.push(total, next);
                }
            }
        }
        (if is_empty { Ending::NoPath } else { Ending::Found }, expanded)
    }

    /// The length left from a cell, in cells of cost 1 (diagonals are √2 but for 2.6 parts in ten million); none where no goal
    /// is in reach, or the field is empty.
    #[must_use]
    pub fn length(&self, cell: Cell) -> Option<f64> {
        let length = self.lengths[self.index(cell)?];
        (length != FAR).then(|| f64::from(length) / f64::from(2 * STRAIGHT))
    }

    /// The cell to go to from a cell; none on a goal and out of reach.
    #[must_use]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        let way = self.ways[self.index(cell)?];
        let &(dx, dy) = STEPS.get(usize::from(way))?;
        Some(Cell::new(cell.x.wrapping_add_signed(dx as i16), cell.y.wrapping_add_signed(dy as i16)))
    }

    /// The direction to go from a point, in cells: cell (x, y) reaches from (x, y) to (x + 1, y + 1). Between four cells that all
    /// lead somewhere, their directions are mixed by nearness; beside anything else one heads for the middle of the cell to go
    /// to, so corners are not cut. Of length 1, or zero on a goal, out of reach, outside, and for a point that is no number.
    #[must_use]
    pub fn direction(&self, point: Vec2) -> Vec2 {
        let Some(own) = self.cell_at(point) else { return Vec2::ZERO };
        let Some(next) = self.next(own) else { return Vec2::ZERO };
        let corner = (point - Vec2::splat(0.5)).floor();
        let share = point - Vec2::splat(0.5) - corner;
        let mut mixed = Vec2::ZERO;
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let weight_x = if dx > 0.0 { share.x } else { 1.0 - share.x };
            let weight_y = if dy > 0.0 { share.y } else { 1.0 - share.y };
            let near = self.cell_at(corner + Vec2::new(dx + 0.5, dy + 0.5));
            let Some(way) =
                near.and_then(|cell| self.index(cell)).map(|index| self.ways[index]).filter(|&way| way < STAY)
            else {
                mixed = Vec2::ZERO;
                break;
            };
            let (step_x, step_y) = STEPS[usize::from(way)];
            mixed += Vec2::new(step_x as f32, step_y as f32).normalize_or_zero() * (weight_x * weight_y);
        }
        let straight = Vec2::new(f32::from(next.x) + 0.5, f32::from(next.y) + 0.5) - point;
        let is_mixed = mixed.length_squared() > 0.25;
        (if is_mixed { mixed } else { straight }).normalize_or_zero()
    }

    fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let is_inside = point.x >= 0.0 && point.y >= 0.0 && point.x < self.width as f32 && point.y < self.height as f32;
        is_inside.then(|| Cell::new(point.x as u16, point.y as u16))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.width && y < self.height).then_some((y * self.width + x) as usize)
    }
}
