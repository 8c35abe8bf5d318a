//! Jump-point search: A*'s lengths on uniform ground, for a fraction of its work. (Harabor and Grastien 2011, 2014.)
//!
//! For: single queries between any two cells where all ground costs the same. Counts length alone: where costs differ, it
//! treats them as equal.
//!
//! Of all ways of equal length only the one that goes diagonally first is followed, so between two turns nothing needs to be
//! put on the open list. Straight runs are scanned 64 cells at a time, on bits by rows or by columns; a turn is possible where
//! a neighboring line opens behind an obstacle, for corners are not cut. What straight runs find on a diagonal goes on the open
//! list at once, and the diagonal itself does not. Needs no preparation but the bits of the ground. A node is 12 bytes, stamped
//! with the number of the query. Allocates nothing once it has seen the ground and as long a search.

use super::astar::{FIRST, canonical};
use super::bitmap::{Bitmap, Stop};
use super::heap::Heap;
use super::trace::{self, CheckedQuery};
use super::{Cell, DIAGONAL, Query, STEPS, STRAIGHT, UnitGrid, octile};
use crate::answer::{Ending, PathAnswer};

/// What is known of a jump point: the length to it, in one number the query, the last step to it and whether it is done, and
/// the jump point before it.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    length: u32,
    mark: u32,
    parent: u32,
}

const CLOSED: u32 = 1;
const MARKS: u32 = 32;
/// Bits of a cell's number in a key.
const CELL_BITS: u32 = 22;

/// The memory of a search, to be used again.
#[derive(Clone, Debug, Default)]
pub struct JumpPoint {
    nodes: Vec<Node>,
    base: u32,
    heap: Heap<u64>,
    path: Vec<Cell>,
    /// Jump points taken from the open list.
    done: Vec<u32>,
}

/// A jump point being expanded, and where one wants to go. Positions count the rim of the bitmaps.
struct Run<'a> {
    rows: &'a Bitmap,
    columns: &'a Bitmap,
    width: usize,
    goal_x: usize,
    goal_y: usize,
    from: u32,
}

/// A cell on the way of a run.
#[derive(Clone, Copy)]
struct Reached {
    /// Column and row; they count the rim of the bitmaps.
    x: usize,
    y: usize,
    /// The direction of the run. Limit: 0..=7.
    way: u32,
    /// The length from the start, twice, in the units of [`STRAIGHT`].
    length: u32,
}

impl JumpPoint {
    /// Bytes kept for each cell of the ground; the open list is extra, 8 bytes an entry.
    pub const BYTES_PER_CELL: usize = size_of::<Node>();

    /// The shortest way from start to goal. The cost in the answer is its length, in cells.
    pub fn query(&mut self, ground: &UnitGrid, query: &Query) -> PathAnswer<'_, Cell> {
        let errand = match trace::enter(ground, query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        let (is_there, expanded) = self.search(ground, errand, query.expansions_max);
        let ending = if is_there { errand.ending } else { Ending::OutOfBudget };
        let last = if is_there { errand.goal } else { self.promising(ground, errand) };
        self.trace(ground, last);
        PathAnswer { ending, path: &self.path, cost: trace::length(&self.path), expanded }
    }

    /// The jump points that the last query took from the open list: for pictures.
    pub fn expanded<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        self.done.iter().map(|&index| ground.cell(index))
    }

    /// The path of the last query.
    pub(crate) fn path(&self) -> &[Cell] {
        &self.path
    }

    fn search(&mut self, ground: &UnitGrid, errand: CheckedQuery, expansions_max: u32) -> (bool, u32) {
        if self.nodes.len() != ground.len() || self.base > u32::MAX - 2 * MARKS {
            self.nodes.clear();
            self.nodes.resize(ground.len(), Node::default());
            self.base = 0;
        }
        self.base += MARKS;
        self.heap.clear();
        self.done.clear();
        let (base, goal, offsets) = (self.base, ground.cell(errand.goal), ground.offsets());
        let mut run = Run {
            rows: ground.rows(),
            columns: ground.columns(),
            width: ground.width() as usize,
            goal_x: usize::from(goal.x) + 1,
            goal_y: usize::from(goal.y) + 1,
            from: errand.start,
        };
        self.nodes[errand.start as usize] = Node { length: 0, mark: base | FIRST << 1, parent: errand.start };
        self.heap.push(u64::from(errand.start));
        while let Some(key) = self.heap.pop() {
            let index = key as u32 & ((1 << CELL_BITS) - 1);
            let node = &mut self.nodes[index as usize];
            if node.mark & CLOSED != 0 {
                continue;
            }
            if index == errand.goal {
                return (true, self.done.len() as u32);
            }
            if self.done.len() as u32 == expansions_max {
                return (false, expansions_max);
            }
            let (length, came) = (node.length, (node.mark - base) >> 1);
            node.mark |= CLOSED;
            self.done.push(index);
            run.from = index;
            let mut open = canonical(ground.moves(), index, came, &offsets);
            let (x, y) = (index as usize % run.width + 1, index as usize / run.width + 1);
            while open != 0 {
                let way = open.trailing_zeros();
                open &= open - 1;
                let from = Reached { x, y, way, length };
                if way & 1 == 0 {
                    self.straight(&run, from);
                } else {
                    self.diagonal(&run, ground.moves(), from);
                }
            }
        }
        (false, self.done.len() as u32)
    }

    /// A straight run, to where one can turn or to the goal.
    #[inline(always)]
    fn straight(&mut self, run: &Run<'_>, from: Reached) {
        let Reached { x, y, way, length } = from;
        if way & 2 == 0 {
            let stop = if way == 0 { run.rows.scan_up(x, y) } else { run.rows.scan_down(x, y) };
            if let Some(at) = end(stop, x, run.goal_x, y == run.goal_y) {
                let length = length + 2 * STRAIGHT * at.abs_diff(x) as u32;
                self.reach(run, Reached { x: at, y, way, length });
            }
        } else {
            let stop = if way == 2 { run.columns.scan_up(y, x) } else { run.columns.scan_down(y, x) };
            if let Some(at) = end(stop, y, run.goal_y, x == run.goal_x) {
                let length = length + 2 * STRAIGHT * at.abs_diff(y) as u32;
                self.reach(run, Reached { x, y: at, way, length });
            }
        }
    }

    /// A diagonal run, and the straight runs to both sides of each of its cells.
    fn diagonal(&mut self, run: &Run<'_>, moves: &[u8], from: Reached) {
        let Reached { mut x, mut y, way, mut length } = from;
        let (dx, dy) = STEPS[way as usize & 7];
        let (along, across) = if way & 2 == 0 { (way - 1, (way + 1) & 7) } else { ((way + 1) & 7, way - 1) };
        let mut index = (y - 1) * run.width + x - 1;
        let offset = (dy as isize) * run.width as isize + dx as isize;
        while moves[index] >> way & 1 == 1 {
            (x, y) = (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
            index = index.wrapping_add_signed(offset);
            length += 2 * DIAGONAL;
            if (x, y) == (run.goal_x, run.goal_y) {
                self.reach(run, Reached { x, y, way, length });
                return;
            }
            self.straight(run, Reached { x, y, way: along, length });
            self.straight(run, Reached { x, y, way: across, length });
        }
    }

    /// Puts a jump point on the open list, unless a way no longer is known.
    #[inline(always)]
    fn reach(&mut self, run: &Run<'_>, to: Reached) {
        let Reached { x, y, way, length } = to;
        let index = (y - 1) * run.width + x - 1;
        let node = &mut self.nodes[index];
        if node.mark.wrapping_sub(self.base) < MARKS && node.length <= length {
            return;
        }
        *node = Node { length, mark: self.base | way << 1, parent: run.from };
        let left = octile((x.abs_diff(run.goal_x) as u32, y.abs_diff(run.goal_y) as u32));
        // Of equal sums the one with less way left.
        self.heap.push(u64::from(length + left) << 32 | u64::from(left >> 14) << CELL_BITS | index as u64);
    }

    /// Of all jump points done, the one nearest to the goal, then with the shorter way, then the first.
    fn promising(&self, ground: &UnitGrid, errand: CheckedQuery) -> u32 {
        let goal = ground.cell(errand.goal);
        let rank = |&index: &u32| (octile(ground.cell(index).apart(goal)), self.nodes[index as usize].length, index);
        self.done.iter().map(rank).min().map_or(errand.start, |(.., index)| index)
    }

    /// The path by single steps: from each jump point back to the one before, straight first, as diagonals came first.
    fn trace(&mut self, ground: &UnitGrid, last: u32) {
        self.path.clear();
        let mut index = last;
        self.path.push(ground.cell(index));
        loop {
            let parent = self.nodes[index as usize].parent;
            if parent == index {
                break;
            }
            let (mut at, to) = (ground.cell(index), ground.cell(parent));
            let toward =
                |from: u16, to: u16| from.wrapping_add_signed((i32::from(to) - i32::from(from)).signum() as i16);
            while at != to {
                let (dx, dy) = at.apart(to);
                if dx >= dy {
                    at.x = toward(at.x, to.x);
                }
                if dy >= dx {
                    at.y = toward(at.y, to.y);
                }
                self.path.push(at);
            }
            index = parent;
        }
        self.path.reverse();
    }
}

/// Where a scan along a line ends: at the goal if it was passed, else at a jump point.
#[inline(always)]
fn end(stop: Stop, from: usize, goal: usize, is_goal_line: bool) -> Option<usize> {
    if is_goal_line {
        // The goal is free, so it lies before the first blocked cell if it lies between.
        let is_passed = if stop.at > from { goal > from && goal <= stop.at } else { goal < from && goal >= stop.at };
        if is_passed {
            return Some(goal);
        }
    }
    stop.is_jump.then_some(stop.at)
}
