//! D* Lite: a plan that is repaired while the unit walks and the map changes. (Koenig and Likhachev 2002, optimized version.)
//!
//! For: a unit on a long way through a world where doors shut and walls fall. The search runs from the goal to the unit and
//! keeps what it found; a change sets right only what it touched. The path is the one a new A* would find, to the last step's
//! cost. Bytes a cell: 16, and 16 an entry of the open list; all of it is plain state, so it is saved with the unit.
//!
//! Where the goal is cut off, the plan leads to the reachable cell nearest to it, and begins anew for that one.

use sentir_core::State;

use super::heap::Heap;
use super::terrain::Terrain;
use super::trace::{self, CheckedQuery};
use super::{Cell, Query, UnitGrid, octile};
use crate::answer::{Ending, PathAnswer};

const FAR: u32 = u32::MAX;
/// Not on the open list.
const OUT: u64 = u64::MAX;

/// A plan.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Dstar {
    goal: Cell,
    /// The cell that the plan leads to: the goal or the nearest one in reach. A number past all cells if there is no plan yet.
    aim: u32,
    /// The unit's cell when keys were last true, and how much they have grown too small by since.
    last: u32,
    drift: u32,
    version: u64,
    /// Length to the aim as settled, and as the neighbors have it.
    settled: Vec<u32>,
    hoped: Vec<u32>,
    /// Key on the open list.
    keys: Vec<u64>,
    open: Heap<(u64, u32)>,
}

impl Dstar {
    /// Bytes of state for each cell of the ground; the open list is extra.
    pub const BYTES_PER_CELL: usize = 2 * size_of::<u32>() + size_of::<u64>();

    /// A plan to a goal, not made yet.
    #[must_use]
    pub fn new(goal: Cell) -> Dstar {
        Dstar {
            goal,
            aim: u32::MAX,
            last: 0,
            drift: 0,
            version: 0,
            settled: Vec::new(),
            hoped: Vec::new(),
            keys: Vec::new(),
            open: Heap::default(),
        }
    }

    /// Where it leads.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// The cells whose way to the goal is settled: for pictures.
    pub fn settled<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        let settled = (0..).zip(&self.settled).filter(|&(_, &length)| length != FAR);
        settled.map(|(index, _)| ground.cell(index))
    }

    /// Whether this state belongs to a ground of that many cells, as after loading it.
    #[must_use]
    pub fn fits(&self, ground: &UnitGrid) -> bool {
        let is_whole = self.settled.len() == self.hoped.len() && self.settled.len() == self.keys.len();
        let is_inside = |index: u32| (index as usize) < ground.len();
        let has_plan = !self.settled.is_empty();
        let is_planned = self.settled.len() == ground.len() && is_inside(self.last) && is_inside(self.aim);
        is_whole && (!has_plan || is_planned) && self.open.iter().all(|&(_, index)| is_inside(index))
    }

    /// The way from where the unit is now, over the ground as it is now. `ground` must follow `terrain`. The path is written to
    /// `path`. When the budget is used up, the path is the start alone, and the next call goes on where this one stopped.
    pub fn plan<'a>(
        &mut self,
        terrain: &Terrain,
        ground: &UnitGrid,
        start: Cell,
        expansions_max: u32,
        path: &'a mut Vec<Cell>,
    ) -> PathAnswer<'a, Cell> {
        path.clear();
        let query = Query { start, goal: self.goal, expansions_max };
        let errand = match trace::enter(ground, &query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        self.follow(terrain, ground, errand);
        let (is_there, expanded) = self.repair(ground, errand.start, expansions_max);
        path.push(start);
        let ending = if is_there { errand.ending } else { Ending::OutOfBudget };
        if is_there {
            self.trace(ground, errand.start, path);
        }
        PathAnswer { ending, path, cost: trace::cost(ground, path), expanded }
    }

    /// Takes over what changed since the last plan.
    fn follow(&mut self, terrain: &Terrain, ground: &UnitGrid, errand: CheckedQuery) {
        let changes = terrain.changes_since(self.version);
        let is_same = self.aim == errand.goal && self.settled.len() == ground.len() && self.keys.len() == ground.len();
        self.version = terrain.version();
        let Some(changes) = changes.filter(|_| is_same && self.hoped.len() == ground.len()) else {
            self.begin(ground, errand);
            return;
        };
        if changes.is_empty() && self.last == errand.start {
            return;
        }
        self.drift = self.drift.saturating_add(guess(ground, self.last, errand.start));
        self.last = errand.start;
        for change in changes {
            let (x, y) = (i32::from(change.cell.x), i32::from(change.cell.y));
            for (near_y, near_x) in (y - 1..=y + 1).flat_map(|row| (x - 1..=x + 1).map(move |column| (row, column))) {
                if let (Ok(near_x), Ok(near_y)) = (u16::try_from(near_x), u16::try_from(near_y))
                    && let Some(near) = ground.index(Cell::new(near_x, near_y))
                {
                    self.hope(ground, near);
                    self.enqueue(ground, near);
                }
            }
        }
    }

    fn begin(&mut self, ground: &UnitGrid, errand: CheckedQuery) {
        (self.aim, self.last, self.drift) = (errand.goal, errand.start, 0);
        for lengths in [&mut self.settled, &mut self.hoped] {
            lengths.clear();
            lengths.resize(ground.len(), FAR);
        }
        self.keys.clear();
        self.keys.resize(ground.len(), OUT);
        self.open.clear();
        self.hoped[self.aim as usize] = 0;
        self.enqueue(ground, self.aim);
    }

    /// Settles cells until the way from the unit is settled. Whether it is, and how many were expanded.
    fn repair(&mut self, ground: &UnitGrid, start: u32, expansions_max: u32) -> (bool, u32) {
        let (offsets, mut expanded) = (ground.offsets(), 0);
        while let Some((key, index)) = self.open.peek() {
            if self.keys[index as usize] != key {
                self.open.pop();
                continue;
            }
            let at = start as usize;
            if key >= self.key(ground, start) && self.settled[at] == self.hoped[at] {
                break;
            }
            if expanded == expansions_max {
                return (false, expanded);
            }
            expanded += 1;
            self.open.pop();
            self.keys[index as usize] = OUT;
            let fresh = self.key(ground, index);
            let (old, new) = (self.settled[index as usize], self.hoped[index as usize]);
            if key < fresh {
                self.enqueue(ground, index);
                continue;
            }
            self.settled[index as usize] = if old > new { new } else { FAR };
            for way in (0..8).filter(|way| ground.moves()[index as usize] >> way & 1 == 1) {
                let near = index.wrapping_add_signed(offsets[way]);
                let step = ground.step_cost(near, index, way);
                if old > new {
                    let total = new.saturating_add(step);
                    if near == self.aim || total >= self.hoped[near as usize] {
                        continue;
                    }
                    self.hoped[near as usize] = total;
                } else if self.hoped[near as usize] == old.saturating_add(step) {
                    self.hope(ground, near);
                }
                self.enqueue(ground, near);
            }
            if old <= new {
                self.hope(ground, index);
                self.enqueue(ground, index);
            }
        }
        (true, expanded)
    }

    /// What the neighbors say of a cell.
    fn hope(&mut self, ground: &UnitGrid, index: u32) {
        if index == self.aim {
            return;
        }
        let offsets = ground.offsets();
        let ways = (0..8).filter(|way| ground.moves()[index as usize] >> way & 1 == 1);
        let totals = ways.map(|way| {
            let near = index.wrapping_add_signed(offsets[way]);
            self.settled[near as usize].saturating_add(ground.step_cost(index, near, way))
        });
        self.hoped[index as usize] = totals.min().unwrap_or(FAR);
    }

    /// Puts a cell on the open list if it is not settled, and takes it off if it is.
    fn enqueue(&mut self, ground: &UnitGrid, index: u32) {
        let at = index as usize;
        let key = if self.settled[at] == self.hoped[at] { OUT } else { self.key(ground, index) };
        if key != self.keys[at] {
            self.keys[at] = key;
            if key != OUT {
                self.open.push((key, index));
            }
        }
    }

    fn key(&self, ground: &UnitGrid, index: u32) -> u64 {
        let (settled, hoped) = (self.settled[index as usize], self.hoped[index as usize]);
        let least = if settled < hoped { settled } else { hoped };
        let sum = u64::from(least) + u64::from(guess(ground, self.last, index)) + u64::from(self.drift);
        // No key may look like none; so long a way does not matter.
        sum.min(u64::from(FAR) - 1) << 32 | u64::from(least)
    }

    fn trace(&self, ground: &UnitGrid, start: u32, path: &mut Vec<Cell>) {
        let (offsets, mut index) = (ground.offsets(), start);
        while index != self.aim && path.len() <= ground.len() {
            let ways = (0..8).filter(|way| ground.moves()[index as usize] >> way & 1 == 1);
            let totals = ways.map(|way| {
                let near = index.wrapping_add_signed(offsets[way]);
                (self.settled[near as usize].saturating_add(ground.step_cost(index, near, way)), near)
            });
            let Some((_, near)) = totals.min() else { return };
            index = near;
            path.push(ground.cell(index));
        }
    }
}

fn guess(ground: &UnitGrid, from: u32, to: u32) -> u32 {
    octile(ground.cell(from).apart(ground.cell(to))) * u32::from(ground.cost_min())
}
