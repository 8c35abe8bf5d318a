//! Any-angle paths: shorter than the eight directions allow, from corner to corner. (Lazy Theta*: Nash, Koenig, Tovey 2010.)
//!
//! For: what a body should walk on uniform ground. Lazy Theta* and not Anya, because it needs nothing but a line of sight, and
//! its paths are within a percent or so of the shortest. As A*, but a cell's way comes straight from the turn before it,
//! assumed to be visible; when the cell's turn comes and it is not, the best of its done neighbors takes that place.
//!
//! That alone promises nothing. So jump-point search finds the octile way first, it is pulled taut, and the shorter of both is
//! the answer: **never longer than the octile path**. Where the budget does not last for Theta*, the taut one is the answer.
//! A node is 16 bytes, beside those of the jump-point search. Allocates nothing once it has seen the ground and as long a search.

use super::astar::FIRST;
use super::heap::Heap;
use super::sight::{distance, is_clear};
use super::smooth::pull;
use super::trace::{self, CheckedQuery};
use super::{Cell, JumpPoint, Query, UnitGrid};
use crate::answer::{Ending, PathAnswer};

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    length: f64,
    parent: u32,
    mark: u32,
}

const CLOSED: u32 = 1;
const MARKS: u32 = 2;
const CELL_BITS: u32 = 22;

/// The memory of a search, to be used again.
#[derive(Clone, Debug, Default)]
pub struct AnyAngle {
    jump: JumpPoint,
    nodes: Vec<Node>,
    base: u32,
    heap: Heap<u64>,
    path: Vec<Cell>,
    taut: Vec<Cell>,
    done: Vec<u32>,
}

impl AnyAngle {
    /// Bytes kept for each cell of the ground; the open lists are extra, 8 bytes an entry.
    pub const BYTES_PER_CELL: usize = size_of::<Node>() + JumpPoint::BYTES_PER_CELL;

    /// A taut way from start to goal: the cells where it turns. Its cost is its length, in cells.
    pub fn query(&mut self, ground: &UnitGrid, query: &Query) -> PathAnswer<'_, Cell> {
        let errand = match trace::enter(ground, query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        let octile = self.jump.query(ground, query);
        let (mut expanded, ending) = (octile.expanded, octile.ending);
        pull(ground, self.jump.path(), &mut self.taut);
        let mut cost = length(&self.taut);
        if ending != Ending::OutOfBudget {
            let (is_there, more) = self.search(ground, errand, query.expansions_max - expanded);
            expanded += more;
            if is_there {
                self.trace(ground, errand.goal);
                let other = length(&self.path);
                if other < cost {
                    std::mem::swap(&mut self.path, &mut self.taut);
                    cost = other;
                }
            }
        }
        PathAnswer { ending, path: &self.taut, cost, expanded }
    }

    /// The cells that the last query took from Theta*'s open list: for pictures.
    pub fn expanded<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        self.done.iter().map(|&index| ground.cell(index))
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
        self.nodes[errand.start as usize] = Node { length: 0.0, parent: errand.start, mark: base };
        self.heap.push(u64::from(errand.start));
        while let Some(key) = self.heap.pop() {
            let index = key as u32 & ((1 << CELL_BITS) - 1);
            if self.nodes[index as usize].mark & CLOSED != 0 {
                continue;
            }
            self.settle(ground, index, &offsets);
            if index == errand.goal {
                return (true, self.done.len() as u32);
            }
            if self.done.len() as u32 == expansions_max {
                return (false, expansions_max);
            }
            self.done.push(index);
            let node = &mut self.nodes[index as usize];
            node.mark |= CLOSED;
            let parent = node.parent;
            let (turn, length) = (ground.cell(parent), self.nodes[parent as usize].length);
            let mut open = ground.moves()[index as usize];
            while open != 0 {
                let way = open.trailing_zeros() as usize;
                open &= open - 1;
                let next = index.wrapping_add_signed(offsets[way]);
                let cell = ground.cell(next);
                let total = length + distance(turn, cell);
                let node = &mut self.nodes[next as usize];
                let is_known = node.mark.wrapping_sub(base) < MARKS;
                if is_known && (node.mark & CLOSED != 0 || node.length <= total) {
                    continue;
                }
                *node = Node { length: total, parent, mark: base };
                let left = distance(cell, goal);
                let key = ((total + left) * 1024.0) as u64;
                self.heap.push(key << 32 | ((left * 0.125) as u64).min(1023) << CELL_BITS | u64::from(next));
            }
        }
        (false, self.done.len() as u32)
    }

    /// Makes good what was assumed: that the turn before is visible.
    fn settle(&mut self, ground: &UnitGrid, index: u32, offsets: &[i32; 8]) {
        let (cell, parent) = (ground.cell(index), self.nodes[index as usize].parent);
        if is_clear(ground, ground.cell(parent), cell) {
            return;
        }
        let mut best: Option<(f64, u32)> = None;
        for way in (0..FIRST as usize).filter(|way| ground.moves()[index as usize] >> way & 1 == 1) {
            let near = index.wrapping_add_signed(offsets[way]);
            let node = self.nodes[near as usize];
            if node.mark.wrapping_sub(self.base) < MARKS && node.mark & CLOSED != 0 {
                let total = node.length + distance(ground.cell(near), cell);
                if best.is_none_or(|(least, _)| total < least) {
                    best = Some((total, near));
                }
            }
        }
        // There is one: the neighbor that put it on the open list.
        if let Some((length, parent)) = best {
            let node = &mut self.nodes[index as usize];
            (node.length, node.parent) = (length, parent);
        }
    }

    fn trace(&mut self, ground: &UnitGrid, last: u32) {
        self.path.clear();
        let mut index = last;
        self.path.push(ground.cell(index));
        while self.nodes[index as usize].parent != index {
            index = self.nodes[index as usize].parent;
            self.path.push(ground.cell(index));
        }
        self.path.reverse();
    }
}

/// The length of a path of straight lines, in cells.
fn length(path: &[Cell]) -> f64 {
    path.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}
