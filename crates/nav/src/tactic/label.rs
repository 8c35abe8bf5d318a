//! The search with labels: the cheapest way where the cost of a step depends on how long one has been seen already.
//!
//! A label is (node, cost so far with the open run in it, length of the open run). One label *dominates* another of the same
//! node if neither its cost nor its run is greater: runs cost by a convex power, so whatever comes next costs the one with
//! the shorter run no more. A* over labels, estimate = straight line: the first label taken from the open list at the goal is
//! the cheapest. With exponent 1, or nobody watching, runs are 0 and this is plain A*.
//!
//! Labels a node are bounded. When a node is full the dearest goes, and [`LabelSearch::is_exact`] says that the answer may
//! not be the very cheapest. Cost: O(labels · edges), with a clipping for those that straight ground would not make too dear
//! already; no allocation when warm.

use sentir_core::glam::{DVec2, Vec3};

use super::exposure::Spans;
use super::graph::Graph;
use super::layer::{Segment, Tactic, Walk, ground};
use crate::answer::{Ending, Fault, PathAnswer};
use crate::mesh::open::OpenList;

const NONE: u32 = u32::MAX;

/// Bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelConfig {
    /// Most labels taken from the open list.
    pub expansions_max: u32,
    /// Most labels a node. Limit: >= 1; 0 counts as 1.
    pub labels_max: u16,
}

impl Default for LabelConfig {
    fn default() -> Self {
        LabelConfig { expansions_max: 1_000_000, labels_max: 16 }
    }
}

/// A goal of a search for many: what its way may cost at most to be of interest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// Which node it is.
    pub(super) node: u32,
    /// Where it is, on the ground, m.
    pub(super) at: DVec2,
    /// What a way to it may cost at most, m of plain way; less once one is known.
    pub(super) cost_max: f64,
}

/// A search from one node to many.
#[derive(Clone, Copy)]
pub(super) struct FloodTask<'a> {
    /// Where all ways begin.
    pub(super) from: u32,
    /// Nodes from this one on are goals, and lead nowhere.
    pub(super) first_goal: u32,
    /// What counts.
    pub(super) tactic: &'a Tactic<'a>,
    /// Bounds of the work.
    pub(super) bounds: LabelConfig,
    /// Ways that cost more are not looked for, m of plain way.
    pub(super) cost_max: f64,
    /// What a meter costs at least, links counted, m of plain way.
    pub(super) per_m: f64,
}

/// What one may have paid at a point for a way over it to be of interest to any of the goals: each at the straight line's cost
/// from here; a hair more, so that rounding does not matter.
fn reach(point: Vec3, aims: &[Aim], per_m: f64) -> f64 {
    let at = ground(point);
    let mut most = f64::NEG_INFINITY;
    for aim in aims {
        let left = aim.cost_max * (1.0 + 1e-9) + 1e-9 - per_m * (aim.at - at).length();
        most = if left > most { left } else { most };
    }
    most
}

/// What one who goes on over a segment has paid at least; a hair less, so that rounding does not matter.
#[inline]
fn least(walk: Walk, segment: &Segment, floor_per_m: f64) -> f64 {
    let way = if segment.link_cost_m.is_some() { 0.0 } else { floor_per_m * segment.length_m() };
    (walk.cost + way) * (1.0 - 1e-12)
}

#[derive(Clone, Copy, Debug)]
struct Label {
    walk: Walk,
    /// The edge that leads here; none at the start.
    segment: Option<Segment>,
    node: u32,
    /// The label before, or [`NONE`].
    parent: u32,
    /// The next label of the same node, or [`NONE`].
    next: u32,
    is_dead: bool,
}

/// A label that may become one of its node's.
struct NewLabel<'a> {
    node: u32,
    /// The label before, or [`NONE`].
    parent: u32,
    /// The edge that leads here; none at the start.
    segment: Option<&'a Segment>,
    walk: Walk,
    /// What the rest of the path costs at least; 0 in a search for many goals.
    estimate: f64,
}

impl NewLabel<'_> {
    /// The first label of a search.
    fn start(node: u32) -> NewLabel<'static> {
        NewLabel { node, parent: NONE, segment: None, walk: Walk::default(), estimate: 0.0 }
    }
}

/// The memory of searches with labels: keep one, use it for any graph; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct LabelSearch {
    open: OpenList,
    labels: Vec<Label>,
    /// By node: round, first label, count.
    heads: Vec<(u32, u32, u16)>,
    /// By node: round, and what one may have paid there; see [`reach`].
    reaches: Vec<(u32, f64)>,
    round: u32,
    spans: Spans,
    nodes: Vec<u32>,
    segments: Vec<Segment>,
    path: Vec<Vec3>,
    was_cut: bool,
}

impl LabelSearch {
    /// The cheapest way from node to node. `Outside` if a node does not exist.
    pub fn find<G: Graph>(
        &mut self,
        graph: &G,
        [from, to]: [u32; 2],
        tactic: &Tactic<'_>,
        config: &LabelConfig,
    ) -> PathAnswer<'_, Vec3> {
        let count = graph.node_count();
        self.clear(count);
        if from >= count {
            return PathAnswer::refused(Ending::BadStart(Fault::Outside));
        }
        if to >= count {
            return PathAnswer::refused(Ending::BadGoal(Fault::Outside));
        }
        let goal = ground(graph.point(to));
        let floor = tactic.floor_per_m();
        let per_m = floor * graph.thrift();
        let distance = |node: u32| (ground(graph.point(node)) - goal).length();
        let start = NewLabel { estimate: per_m * distance(from), ..NewLabel::start(from) };
        self.add(&start, config.labels_max);
        let (mut expanded, mut ending) = (0, Ending::NoPath);
        // Where the way leads if it does not lead to the goal: the label nearest to it.
        let mut best = (f64::INFINITY, 0);
        // What a way to the goal costs that is known: dearer labels would never be taken from the open list.
        let mut known = f64::INFINITY;
        while let Some((_, number)) = self.open.pop() {
            let label = self.labels[number as usize];
            if label.is_dead {
                continue;
            }
            if label.node == to {
                (ending, best.1) = (Ending::Found, number);
                break;
            }
            if expanded >= config.expansions_max {
                ending = Ending::OutOfBudget;
                break;
            }
            expanded += 1;
            let rest = distance(label.node);
            if rest < best.0 {
                best = (rest, number);
            }
            let mut spans = std::mem::take(&mut self.spans);
            graph.visit_edges(label.node, &mut |next, segment| {
                if self.is_beaten(next, label.walk.cost, || least(label.walk, segment, floor)) {
                    return;
                }
                let estimate = per_m * distance(next);
                if least(label.walk, segment, floor) + estimate > known {
                    return;
                }
                let walk = tactic.advance(label.walk, segment, &mut spans);
                let is_nearer = next == to && walk.cost < known;
                known = if is_nearer { walk.cost * (1.0 + 1e-9) + 1e-9 } else { known };
                let label = NewLabel { node: next, parent: number, segment: Some(segment), walk, estimate };
                self.add(&label, config.labels_max);
            });
            self.spans = spans;
        }
        let cost = self.labels[best.1 as usize].walk.cost;
        self.trace(graph, best.1);
        PathAnswer { ending, path: &self.path, cost, expanded }
    }

    /// The cheapest ways from a node to each of the goals, cheapest first: `found` gets the label of each one that is reached,
    /// none before. It ends when all aims are reached, or when no way left is of interest. The work done, and whether it was
    /// enough.
    ///
    /// A label from which even the straight line is too dear for every goal is left out. The labels of ways that are of
    /// interest stay, in the same order: what is found is what would be found without that (tested).
    pub(super) fn flood<G: Graph>(
        &mut self,
        graph: &G,
        task: &FloodTask<'_>,
        aims: &mut [Aim],
        found: &mut [Option<u32>],
    ) -> (u32, bool) {
        self.clear(graph.node_count());
        self.reaches.resize(self.heads.len(), (0, 0.0));
        let (mut expanded, mut left) = (0, aims.len());
        self.add(&NewLabel::start(task.from), task.bounds.labels_max);
        while let Some((cost, number)) = self.open.pop() {
            let Label { node, is_dead, .. } = self.labels[number as usize];
            if is_dead {
                continue;
            }
            if node >= task.first_goal {
                let found = &mut found[(node - task.first_goal) as usize];
                // The first label of a goal is its cheapest.
                if found.is_none() {
                    *found = Some(number);
                    left -= 1;
                }
                if left == 0 {
                    break;
                }
                continue;
            }
            // Ways that became known in the meantime leave less to hope for.
            if cost > reach(graph.point(node), aims, task.per_m) {
                continue;
            }
            if expanded >= task.bounds.expansions_max {
                return (expanded, false);
            }
            expanded += 1;
            self.flow(graph, task, aims, number);
        }
        (expanded, true)
    }

    /// Goes on from a label of a search for many.
    fn flow<G: Graph>(&mut self, graph: &G, task: &FloodTask<'_>, aims: &mut [Aim], number: u32) {
        let Label { walk: before, node, .. } = self.labels[number as usize];
        let FloodTask { first_goal, tactic, bounds, cost_max, per_m, .. } = *task;
        let floor = tactic.floor_per_m();
        let mut spans = std::mem::take(&mut self.spans);
        graph.visit_edges(node, &mut |next, segment| {
            if self.is_beaten(next, before.cost, || least(before, segment, floor)) {
                return;
            }
            let Some(known) = self.reaches.get_mut(next as usize) else { return };
            if known.0 != self.round {
                *known = (self.round, reach(graph.point(next), aims, per_m));
            }
            let most = known.1;
            if least(before, segment, floor) > most {
                return;
            }
            let walk = tactic.advance(before, segment, &mut spans);
            if walk.cost > cost_max || walk.cost > most {
                return;
            }
            let label = NewLabel { node: next, parent: number, segment: Some(segment), walk, estimate: 0.0 };
            self.add(&label, bounds.labels_max);
            if next >= first_goal
                && let Some(aim) = aims.iter_mut().find(|aim| aim.node == next)
                && walk.cost < aim.cost_max
            {
                aim.cost_max = walk.cost;
            }
        });
        self.spans = spans;
    }

    /// How many labels the last search has; a label comes after the one before it.
    pub(super) fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// A label of the last search: its node, the label before with the edge that leads here.
    pub(super) fn label(&self, number: u32) -> (u32, Option<(u32, Segment)>) {
        let Label { node, parent, segment, .. } = self.labels[number as usize];
        (node, segment.map(|segment| (parent, segment)))
    }

    /// What a label of the last search costs.
    pub(super) fn cost(&self, number: u32) -> f64 {
        self.labels[number as usize].walk.cost
    }

    /// The nodes of the last path.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The points of the last path.
    pub fn path(&self) -> &[Vec3] {
        &self.path
    }

    /// The edges of the last path.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether no label had to go for lack of room in the last search: a path that was found is then the cheapest one.
    pub fn is_exact(&self) -> bool {
        !self.was_cut
    }

    fn clear(&mut self, count: u32) {
        self.open.clear();
        self.labels.clear();
        self.nodes.clear();
        self.segments.clear();
        self.path.clear();
        self.was_cut = false;
        if self.round == u32::MAX {
            self.heads.clear();
            self.reaches.clear();
            self.round = 0;
        }
        self.round += 1;
        if self.heads.len() < count as usize {
            self.heads.resize(count as usize, (0, NONE, 0));
        }
    }

    /// Whether a node has a label that dominates all that cost more than `cost` and at least `least`: then no clipping is
    /// needed to know.
    #[inline]
    fn is_beaten(&self, node: u32, cost: f64, least: impl Fn() -> f64) -> bool {
        let Some(&(_, mut at, _)) = self.heads.get(node as usize).filter(|head| head.0 == self.round) else {
            return false;
        };
        while at != NONE {
            let Label { walk, next, .. } = &self.labels[at as usize];
            // Most have been there before, and need no length to be known.
            if walk.run_m <= 0.0 && (walk.cost <= cost || walk.cost <= least()) {
                return true;
            }
            at = *next;
        }
        false
    }

    /// Adds a label unless another one dominates it; those it dominates die.
    fn add(&mut self, label: &NewLabel<'_>, labels_max: u16) {
        let &NewLabel { node, parent, segment, walk, estimate } = label;
        // A node that is none, or a point that is no number, leads nowhere.
        let Some(head) = self.heads.get_mut(node as usize).filter(|_| (walk.cost + estimate).is_finite()) else {
            return;
        };
        if head.0 != self.round {
            *head = (self.round, NONE, 0);
        }
        let (mut at, mut before, mut dearest) = (head.1, NONE, NONE);
        while at != NONE {
            let Label { walk: old, next, .. } = self.labels[at as usize];
            if old.cost <= walk.cost && old.run_m <= walk.run_m {
                return;
            }
            if walk.cost <= old.cost && walk.run_m <= old.run_m {
                self.drop_label(node, before, at);
            } else {
                if dearest == NONE || old.cost > self.labels[dearest as usize].walk.cost {
                    dearest = at;
                }
                before = at;
            }
            at = next;
        }
        if self.heads[node as usize].2 >= labels_max.max(1) && dearest != NONE {
            self.was_cut = true;
            if self.labels[dearest as usize].walk.cost <= walk.cost {
                return;
            }
            let before = self.before(node, dearest);
            self.drop_label(node, before, dearest);
        }
        let number = self.labels.len() as u32;
        let head = &mut self.heads[node as usize];
        self.labels.push(Label { walk, segment: segment.copied(), node, parent, next: head.1, is_dead: false });
        (head.1, head.2) = (number, head.2 + 1);
        self.open.push(walk.cost + estimate, number);
    }

    /// The label before another one in its node's list, or [`NONE`].
    fn before(&self, node: u32, label: u32) -> u32 {
        let (mut at, mut before) = (self.heads[node as usize].1, NONE);
        while at != label && at != NONE {
            (before, at) = (at, self.labels[at as usize].next);
        }
        before
    }

    fn drop_label(&mut self, node: u32, before: u32, label: u32) {
        let next = self.labels[label as usize].next;
        self.labels[label as usize].is_dead = true;
        let head = &mut self.heads[node as usize];
        head.2 -= 1;
        if before == NONE {
            head.1 = next;
        } else {
            self.labels[before as usize].next = next;
        }
    }

    fn trace(&mut self, graph: &impl Graph, last: u32) {
        let mut at = last;
        while at != NONE {
            self.nodes.push(self.labels[at as usize].node);
            self.segments.extend(self.labels[at as usize].segment);
            at = self.labels[at as usize].parent;
        }
        self.nodes.reverse();
        self.segments.reverse();
        self.path.extend(self.nodes.iter().map(|&node| graph.point(node)));
    }
}
