//! A query over crossings, filled in and straightened.

use super::super::bucket::BucketQueue;
use super::super::heap::Heap;
use super::super::smooth::{direct, straighten, walk};
use super::super::trace::{self, CheckedQuery};
use super::super::{Astar, AstarConfig, Cell, Query, STRAIGHT, UnitGrid, octile};
use super::cluster::Patch;
use super::{FAR, Hierarchy, PLAIN};
use crate::answer::{Ending, PathAnswer};

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    length: u32,
    mark: u32,
    parent: u32,
}

const CLOSED: u32 = 1;
const MARKS: u32 = 2;
const CELL_BITS: u32 = 22;

/// The memory of a hierarchical search, to be used again.
#[derive(Clone, Debug, Default)]
pub struct HierarchySearch {
    nodes: Vec<Node>,
    base: u32,
    heap: Heap<u64>,
    patch: Patch,
    queue: BucketQueue,
    /// Crossings of the goal's cluster and the lengths from there.
    ends: Vec<(u32, u32)>,
    turns: Vec<u32>,
    rough: Vec<Cell>,
    lengths: Vec<u32>,
    path: Vec<Cell>,
    done: Vec<u32>,
    /// For short ways.
    plain: Astar,
}

/// Ways up to six clusters long are searched plainly: there a detour over crossings would weigh most, and A* costs little.
fn short_max(ground: &UnitGrid, map: &Hierarchy) -> u32 {
    6 * map.config.side * 2 * STRAIGHT * u32::from(ground.cost_min())
}

impl HierarchySearch {
    /// Bytes kept for each cell of the ground; the open list is extra, 8 bytes an entry.
    pub const BYTES_PER_CELL: usize = size_of::<Node>() + Astar::BYTES_PER_CELL;

    /// A way from start to goal. `hierarchy` must follow `ground`. Expansions are counted over crossings and within clusters;
    /// what it takes to connect both ends and to fill in the steps of the way found is counted, but not held back by the budget.
    pub fn query(&mut self, ground: &UnitGrid, hierarchy: &Hierarchy, query: &Query) -> PathAnswer<'_, Cell> {
        let errand = match trace::enter(ground, query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        let (is_there, mut expanded) = self.search(ground, hierarchy, errand, query.expansions_max);
        if is_there && self.nodes[errand.goal as usize].length <= short_max(ground, hierarchy) {
            let left = query.expansions_max.saturating_sub(expanded);
            let goal = ground.cell(errand.goal);
            let plain = Query { goal, expansions_max: left, ..*query };
            let answer = self.plain.query(ground, &plain, &AstarConfig::default());
            expanded += answer.expanded;
            if answer.is_found() {
                return PathAnswer { ending: errand.ending, expanded, ..self.plain.answer(ground) };
            }
        }
        let last = if is_there { errand.goal } else { self.promising(ground, errand) };
        expanded = expanded.saturating_add(self.fill_in(ground, hierarchy, last));
        straighten(ground, &self.rough, &mut self.lengths, &mut self.path);
        let ending = if is_there { errand.ending } else { Ending::OutOfBudget };
        PathAnswer { ending, path: &self.path, cost: trace::cost(ground, &self.path), expanded }
    }

    /// The crossings that the last query took from the open list: for pictures.
    pub fn expanded<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        self.done.iter().map(|&index| ground.cell(index))
    }

    fn search(&mut self, ground: &UnitGrid, map: &Hierarchy, errand: CheckedQuery, expansions_max: u32) -> (bool, u32) {
        if self.nodes.len() != ground.len() || self.base > u32::MAX - 2 * MARKS {
            self.nodes.clear();
            self.nodes.resize(ground.len(), Node::default());
            self.base = 0;
        }
        self.base += MARKS;
        self.heap.clear();
        self.done.clear();
        let CheckedQuery { start, goal, .. } = errand;
        self.nodes[start as usize] = Node { length: 0, mark: self.base | CLOSED, parent: start };
        if start == goal || expansions_max == 0 {
            return (start == goal, 0);
        }
        let mut expanded = self.connect(ground, map, goal);
        self.ends.clear();
        let goal_cluster = map.cluster_of(ground, goal);
        let crossings = &map.clusters[goal_cluster as usize].crossings;
        self.ends.extend(crossings.iter().map(|&crossing| (crossing, self.patch.length(ground, crossing))));
        expanded += self.connect(ground, map, start);
        let start_cluster = map.cluster_of(ground, start);
        if start_cluster == goal_cluster {
            let length = self.patch.length(ground, goal);
            self.reach(ground, goal, errand, start, length);
        }
        for &crossing in &map.clusters[start_cluster as usize].crossings {
            let length = self.patch.length(ground, crossing);
            self.reach(ground, crossing, errand, start, length);
        }
        // The start may be a crossing itself, which the loop above has as a way of no length.
        self.step_over(ground, map, errand, start, 0);
        while let Some(key) = self.heap.pop() {
            let index = key as u32 & ((1 << CELL_BITS) - 1);
            let node = &mut self.nodes[index as usize];
            if node.mark & CLOSED != 0 {
                continue;
            }
            node.mark |= CLOSED;
            let length = node.length;
            if index == goal {
                return (true, expanded);
            }
            if expanded >= expansions_max {
                return (false, expanded);
            }
            expanded += 1;
            self.done.push(index);
            let number = map.cluster_of(ground, index);
            let cluster = &map.clusters[number as usize];
            let slot = usize::from(map.slots[index as usize]);
            let count = cluster.crossings.len();
            for (&other, &between) in cluster.crossings.iter().zip(&cluster.lengths[slot * count..(slot + 1) * count]) {
                if between != FAR {
                    self.reach(ground, other, errand, index, length + between);
                }
            }
            if number == goal_cluster {
                self.reach(ground, goal, errand, index, length.saturating_add(self.ends[slot].1));
            }
            self.step_over(ground, map, errand, index, length);
        }
        (false, expanded)
    }

    /// Lengths within the cluster of a cell. How many cells were expanded.
    fn connect(&mut self, ground: &UnitGrid, map: &Hierarchy, index: u32) -> u32 {
        let number = map.cluster_of(ground, index);
        self.patch.take(ground, map.config.side, number % map.columns, number / map.columns);
        self.patch.run(ground, &mut self.queue, index, None)
    }

    /// Steps over the borders of a cluster from a crossing.
    fn step_over(&mut self, ground: &UnitGrid, map: &Hierarchy, errand: CheckedQuery, index: u32, length: u32) {
        let offsets = ground.offsets();
        for way in [0, 2, 4, 6] {
            if ground.moves()[index as usize] >> way & 1 == 1 {
                let next = index.wrapping_add_signed(offsets[way]);
                let is_crossing = map.slots[next as usize] != PLAIN;
                if is_crossing && map.cluster_of(ground, next) != map.cluster_of(ground, index) {
                    self.reach(ground, next, errand, index, length + ground.step_cost(index, next, way));
                }
            }
        }
    }

    fn reach(&mut self, ground: &UnitGrid, index: u32, errand: CheckedQuery, parent: u32, length: u32) {
        let node = &mut self.nodes[index as usize];
        let is_known = node.mark.wrapping_sub(self.base) < MARKS && node.length <= length;
        if length == FAR || is_known {
            return;
        }
        *node = Node { length, mark: self.base, parent };
        let left = octile(ground.cell(index).apart(ground.cell(errand.goal)));
        let sum = length.saturating_add(left * u32::from(ground.cost_min()));
        self.heap.push(u64::from(sum) << 32 | u64::from(left >> 14) << CELL_BITS | u64::from(index));
    }

    fn promising(&self, ground: &UnitGrid, errand: CheckedQuery) -> u32 {
        let goal = ground.cell(errand.goal);
        let rank = |&index: &u32| (octile(ground.cell(index).apart(goal)), self.nodes[index as usize].length, index);
        self.done.iter().map(rank).min().map_or(errand.start, |(.., index)| index)
    }

    /// The steps between the crossings. How many cells were expanded.
    fn fill_in(&mut self, ground: &UnitGrid, map: &Hierarchy, last: u32) -> u32 {
        let mut expanded = 0;
        self.turns.clear();
        self.turns.push(last);
        let mut index = last;
        while self.nodes[index as usize].parent != index {
            index = self.nodes[index as usize].parent;
            self.turns.push(index);
        }
        self.rough.clear();
        self.rough.push(ground.cell(last));
        for pair in 1..self.turns.len() {
            // From the far end back: searched from the nearer one, so that going back gives the order wanted.
            let (to, from) = (self.turns[pair - 1], self.turns[pair]);
            if map.cluster_of(ground, to) == map.cluster_of(ground, from) {
                expanded += self.link(ground, map, from, to);
            }
            self.rough.push(ground.cell(from));
        }
        self.rough.reverse();
        expanded
    }

    /// The cells between two of the same cluster, from the far one back: the direct way if that is as short as can be, else
    /// searched. How many cells were expanded.
    fn link(&mut self, ground: &UnitGrid, map: &Hierarchy, from: u32, to: u32) -> u32 {
        let (near, far) = (ground.cell(from), ground.cell(to));
        let length = self.nodes[to as usize].length - self.nodes[from as usize].length;
        let is_open = |&is_diagonal_first: &bool| direct(ground, far, near, is_diagonal_first, length).is_some();
        let rough = &mut self.rough;
        if let Some(is_diagonal_first) = [true, false].into_iter().find(is_open) {
            walk(far, near, is_diagonal_first, |cell| {
                if cell != near {
                    rough.push(cell);
                }
            });
            return 0;
        }
        let number = map.cluster_of(ground, to);
        self.patch.take(ground, map.config.side, number % map.columns, number / map.columns);
        let expanded = self.patch.run(ground, &mut self.queue, from, Some(to));
        self.patch.back(ground, to, |index| {
            if index != to {
                rough.push(ground.cell(index));
            }
        });
        expanded
    }
}
