//! LRTA* with the smallest local search space: one cell looked around, one step taken, one figure learned. (Korf 1990.)
//!
//! For: many cheap units, and to show what it costs: a unit that knows nothing but its neighbors and what it learned walks
//! into every bay and out again. At each step the cell's heuristic is raised to what its best neighbor says (never lowered),
//! and the unit goes there. On ground that hangs together it reaches the goal; whether it does is asked of the components, so
//! a goal on an islet is refused at the first step. O(1) a step, 4 bytes a cell; all of it is plain state.

use sentir_core::State;

use super::{Cell, UnitGrid, octile};
use crate::answer::Fault;

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum LrtaStep {
    /// It went to a neighbor.
    Moved(Cell),
    /// It stands on the goal.
    Arrived,
    /// No way leads to the goal; it stays.
    NoPath,
    /// It stands where nobody can, perhaps because the map changed.
    BadStart,
    /// Nobody can stand on the goal.
    BadGoal,
}

/// A unit on its way, and what it learned.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Lrta {
    cell: Cell,
    goal: Cell,
    steps: u32,
    /// What was learned of each cell; 0 where nothing was. As many as the ground has cells.
    learned: Vec<u32>,
}

impl Lrta {
    /// Bytes of state for each cell of the ground.
    pub const BYTES_PER_CELL: usize = size_of::<u32>();

    /// A unit that has learned nothing yet. Any cells are allowed: what is wrong with them is told at the first step.
    #[must_use]
    pub fn new(ground: &UnitGrid, start: Cell, goal: Cell) -> Lrta {
        Lrta { cell: start, goal, steps: 0, learned: vec![0; ground.len()] }
    }

    /// Where it is.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// Where it wants to.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Steps taken so far: each looked at one cell's neighbors.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// What it thinks is left from a cell, in cells of cost 1; none outside. Never falls while the map stays as it is.
    #[must_use]
    pub fn heuristic(&self, ground: &UnitGrid, cell: Cell) -> Option<f64> {
        let index = ground.index(cell)? as usize;
        (index < self.learned.len())
            .then(|| f64::from(self.guess(ground, cell, index)) / f64::from(2 * super::STRAIGHT))
    }

    /// Whether it learned anything of a cell.
    #[must_use]
    pub fn has_learned(&self, ground: &UnitGrid, cell: Cell) -> bool {
        ground.index(cell).and_then(|index| self.learned.get(index as usize)).is_some_and(|&learned| learned > 0)
    }

    /// Takes it back to a cell with all it learned: the next trial is better.
    pub fn restart(&mut self, cell: Cell) {
        (self.cell, self.steps) = (cell, 0);
    }

    /// One step. On another ground than the one it was made for it does nothing but say so ([`LrtaStep::BadStart`]).
    pub fn step(&mut self, ground: &UnitGrid) -> LrtaStep {
        let stand = |cell: Cell| ground.index(cell).filter(|_| ground.is_free(cell)).ok_or(Fault::Blocked);
        let (Ok(index), true) = (stand(self.cell), self.learned.len() == ground.len()) else {
            return LrtaStep::BadStart;
        };
        if stand(self.goal).is_err() {
            return LrtaStep::BadGoal;
        }
        if self.cell == self.goal {
            return LrtaStep::Arrived;
        }
        if ground.component(self.cell) != ground.component(self.goal) {
            return LrtaStep::NoPath;
        }
        let offsets = ground.offsets();
        let mut best: Option<(u32, u32)> = None;
        for way in (0..8).filter(|way| ground.moves()[index as usize] >> way & 1 == 1) {
            let next = index.wrapping_add_signed(offsets[way]);
            let guess = self.guess(ground, ground.cell(next), next as usize);
            let total = guess.saturating_add(ground.step_cost(index, next, way));
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, next));
            }
        }
        let Some((total, next)) = best else { return LrtaStep::NoPath };
        self.learned[index as usize] = self.guess(ground, self.cell, index as usize).max(total);
        self.cell = ground.cell(next);
        self.steps = self.steps.saturating_add(1);
        LrtaStep::Moved(self.cell)
    }

    /// Whether this state belongs to a ground of that many cells, as after loading it.
    #[must_use]
    pub fn fits(&self, ground: &UnitGrid) -> bool {
        self.learned.len() == ground.len()
    }

    fn guess(&self, ground: &UnitGrid, cell: Cell, index: usize) -> u32 {
        let plain = octile(cell.apart(self.goal)) * u32::from(ground.cost_min());
        if plain > self.learned[index] { plain } else { self.learned[index] }
    }
}
