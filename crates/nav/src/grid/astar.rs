//! A*: the least cost between two cells, whatever the ground costs. (Hart, Nilsson, Raphael 1968.)
//!
//! For: single queries where costs differ, four-neighbor worlds, and as the yardstick of the other searches. With the octile,
//! Euclidean or zero heuristic (for four neighbors also Manhattan) the path is optimal. Manhattan with eight neighbors says too
//! much: faster, and at worst √2 times too long.
//!
//! The open list is a [`BucketQueue`], the latest of equals first, so ties go to who is farther on. A node is 8 bytes, stamped
//! with the number of the query, so nothing is cleared between two. Steps that cannot be part of the best way, as the cell
//! before could have taken them for less, are not looked at: on uniform ground those that jump-point search leaves out, on
//! other ground the way back. Costs O(cells) at worst; allocates nothing once it has seen the ground and as long a search.

use super::bucket::BucketQueue;
use super::trace::{self, CheckedQuery};
use super::{Cell, DIAGONAL, Query, REACH_MAX, STRAIGHT, UnitGrid, octile};
use crate::answer::{Ending, PathAnswer};

/// Where one can go from a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbors {
    /// Straight steps only.
    Four,
    /// Diagonal ones, too.
    #[default]
    Eight,
}

/// What is assumed of the way left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// Columns and rows: exact for four neighbors on open ground.
    Manhattan,
    /// Exact for eight neighbors on open ground.
    #[default]
    Octile,
    /// A straight line.
    Euclid,
    /// Nothing: Dijkstra's search.
    Zero,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AstarConfig {
    /// Four or eight.
    pub neighbors: Neighbors,
    /// Which guess of the way left.
    pub heuristic: Heuristic,
}

/// What is known of a cell: the length to it, and in one number the query, the step that led there, and whether it is done.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    length: u32,
    mark: u32,
}

const CLOSED: u32 = 1;
/// The step that led to the start: none.
pub(crate) const FIRST: u32 = 8;
/// Marks of one query differ in the low bits only.
const MARKS: u32 = 32;

/// The memory of a search, to be used again.
#[derive(Clone, Debug, Default)]
pub struct Astar {
    nodes: Vec<Node>,
    /// The least mark of the query.
    base: u32,
    queue: BucketQueue,
    path: Vec<Cell>,
}

/// What does not change in the course of a search.
struct Task<'a> {
    ground: &'a UnitGrid,
    errand: CheckedQuery,
    expansions_max: u32,
    /// The steps there are.
    ways: u8,
    /// Whether the heuristic may say too much: then a way found first need not be the best.
    is_bold: bool,
}

impl Astar {
    /// Bytes kept for each cell of the ground; the open list is extra, 8 bytes an entry.
    pub const BYTES_PER_CELL: usize = size_of::<Node>();

    /// A way from start to goal.
    pub fn query(&mut self, ground: &UnitGrid, query: &Query, config: &AstarConfig) -> PathAnswer<'_, Cell> {
        let errand = match trace::enter(ground, query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        self.begin(ground);
        let ways = if config.neighbors == Neighbors::Four { 0b0101_0101 } else { 0xff };
        let is_bold = ways == 0xff && config.heuristic == Heuristic::Manhattan;
        let task = Task { ground, errand, expansions_max: query.expansions_max, ways, is_bold };
        let least = u32::from(ground.cost_min());
        let (last, expanded) = match config.heuristic {
            Heuristic::Octile => self.search(&task, |dx, dy| least * octile((dx, dy))),
            Heuristic::Manhattan => self.search(&task, |dx, dy| 2 * least * STRAIGHT * (dx + dy)),
            Heuristic::Zero => self.search(&task, |_, _| 0),
            Heuristic::Euclid => {
                // A diagonal step is a hair shorter here than √2 straight ones; the line must not be longer.
                let scale = f64::from(least) * f64::from(2 * DIAGONAL) / std::f64::consts::SQRT_2;
                self.search(&task, |dx, dy| (scale * f64::from(dx * dx + dy * dy).sqrt()) as u32)
            }
        };
        let ending = if last.is_some() { errand.ending } else { Ending::OutOfBudget };
        let last = last.unwrap_or_else(|| self.promising(ground, errand));
        self.trace(ground, last);
        PathAnswer { ending, path: &self.path, cost: trace::cost(ground, &self.path), expanded }
    }

    /// The path of the last query and its cost, once more.
    pub(crate) fn answer(&self, ground: &UnitGrid) -> PathAnswer<'_, Cell> {
        PathAnswer { ending: Ending::Found, path: &self.path, cost: trace::cost(ground, &self.path), expanded: 0 }
    }

    /// The cells that the last query took from the open list, in no useful order: for pictures.
    pub fn expanded<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        let is_done = |node: &Node| node.mark.wrapping_sub(self.base) < MARKS && node.mark & CLOSED != 0;
        let done = self.nodes.iter().zip(0u32..).filter(move |(node, _)| is_done(node));
        done.map(|(_, index)| ground.cell(index))
    }

    fn begin(&mut self, ground: &UnitGrid) {
        if self.nodes.len() != ground.len() || self.base > u32::MAX - 2 * MARKS {
            self.nodes.clear();
            self.nodes.resize(ground.len(), Node::default());
            self.base = 0;
        }
        self.base += MARKS;
    }

    fn search(&mut self, task: &Task<'_>, guess: impl Fn(u32, u32) -> u32) -> (Option<u32>, u32) {
        if task.ground.is_uniform() && task.ways == 0xff && !task.is_bold {
            self.run::<true>(task, guess)
        } else {
            self.run::<false>(task, guess)
        }
    }

    /// Searches; the cell where it ended, if that is the goal, and how many were expanded.
    fn run<const UNIFORM: bool>(&mut self, task: &Task<'_>, guess: impl Fn(u32, u32) -> u32) -> (Option<u32>, u32) {
        let Task { ground, errand, expansions_max, ways, is_bold } = *task;
        let (moves, costs, width, base) = (ground.moves(), ground.costs(), ground.width(), self.base);
        let (offsets, goal) = (ground.offsets(), ground.cell(errand.goal));
        let (goal_x, goal_y) = (u32::from(goal.x), u32::from(goal.y));
        let nodes = &mut self.nodes[..moves.len()];
        let start = ground.cell(errand.start).apart(goal);
        let first = guess(start.0, start.1);
        // A step raises f by its own length and at most as much again in the heuristic (Manhattan over a diagonal).
        self.queue.clear(2 * (DIAGONAL + 2 * STRAIGHT) * u32::from(ground.cost_max()), first);
        nodes[errand.start as usize] = Node { length: 0, mark: base | FIRST << 1 };
        self.queue.push(first, errand.start);
        let even = 2 * u32::from(ground.cost_min());
        let mut expanded = 0;
        while let Some(index) = self.queue.pop() {
            let node = &mut nodes[index as usize];
            if node.mark & CLOSED != 0 {
                continue;
            }
            if index == errand.goal {
                return (Some(index), expanded);
            }
            if expanded == expansions_max {
                return (None, expanded);
            }
            expanded += 1;
            let (length, came) = (node.length, (node.mark - base) >> 1);
            node.mark |= CLOSED;
            if length > REACH_MAX {
                continue;
            }
            let mut open = if UNIFORM {
                canonical(moves, index, came, &offsets)
            } else {
                ways & onward(moves, index, came, is_bold)
            };
            let (x, y) = (index % width, index / width);
            while open != 0 {
                let way = open.trailing_zeros() as usize & 7;
                open &= open - 1;
                let next = index.wrapping_add_signed(offsets[way]);
                let step = if way & 1 == 0 { STRAIGHT } else { DIAGONAL };
                let sum =
                    if UNIFORM { even } else { u32::from(costs[index as usize]) + u32::from(costs[next as usize]) };
                let total = length + step * sum;
                let node = &mut nodes[next as usize];
                if node.mark.wrapping_sub(base) < MARKS && (node.length <= total || node.mark & CLOSED != 0) {
                    continue;
                }
                *node = Node { length: total, mark: base | (way as u32) << 1 };
                let (dx, dy) = super::STEPS[way];
                let (dx, dy) = (x.wrapping_add_signed(dx).abs_diff(goal_x), y.wrapping_add_signed(dy).abs_diff(goal_y));
                self.queue.push(total + guess(dx, dy), next);
            }
        }
        (None, expanded)
    }

    /// Of all cells seen, the one nearest to the goal; of equals the one with the shorter way, then the first.
    fn promising(&self, ground: &UnitGrid, errand: CheckedQuery) -> u32 {
        let goal = ground.cell(errand.goal);
        let rank = |index: u32| {
            let node = self.nodes[index as usize];
            (node.mark & CLOSED == 0, octile(ground.cell(index).apart(goal)), node.length, index)
        };
        let best = self.queue.pushed().map(rank).min();
        best.filter(|(is_open, ..)| !is_open).map_or(errand.start, |(.., index)| index)
    }

    fn trace(&mut self, ground: &UnitGrid, last: u32) {
        let offsets = ground.offsets();
        self.path.clear();
        let mut index = last;
        loop {
            self.path.push(ground.cell(index));
            let came = (self.nodes[index as usize].mark - self.base) >> 1;
            if came >= FIRST {
                break;
            }
            index = index.wrapping_add_signed(-offsets[came as usize]);
        }
        self.path.reverse();
    }
}

/// The steps worth looking at from a cell that was reached by a step, whatever the ground costs: ahead, and up to two to
/// either side, as the cell before has the others straight at hand; all but the way back if what came first may be no best way.
#[inline(always)]
fn onward(moves: &[u8], index: u32, came: u32, is_bold: bool) -> u8 {
    let open = moves[index as usize];
    let ahead: u8 = if is_bold { 0b1110_1111 } else { 0b1100_0111 };
    if came >= FIRST { open } else { open & ahead.rotate_left(came) }
}

/// The steps worth looking at on uniform ground: of ways of equal length, the one that goes diagonally first is enough, so
/// one turns aside only where an obstacle kept one from doing so before. The pruning of jump-point search.
#[inline(always)]
pub(crate) fn canonical(moves: &[u8], index: u32, came: u32, offsets: &[i32; 8]) -> u8 {
    let open = moves[index as usize];
    if came >= FIRST {
        return open;
    }
    if came & 1 == 1 {
        return open & 0b1000_0011u8.rotate_left(came);
    }
    let before = index.wrapping_add_signed(-offsets[came as usize]);
    let lacks = !moves[before as usize].rotate_right(came);
    let (left, right) = ((lacks >> 1 & 1) * 0b110, (lacks >> 7 & 1) * 0b1100_0000);
    open & (1 | left | right).rotate_left(came)
}
