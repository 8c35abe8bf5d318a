//! Composites: which child comes next.

use sentir_core::random::Purpose;

use super::run::Run;
use super::{FAILS, MIXED_CHILDREN_MAX, NodeKind, SUCCEEDS};
use crate::leaf::{Host, ScoreLeaf, Status};
use crate::node::NodeId;
use crate::why::Cause;

const ORDER: Purpose = Purpose::new("tree order");

/// Stands in an order for a child that is not to be tried, behind all that are: no node has so many children.
pub(super) const NOBODY: u8 = u8::MAX;

impl<H: Host> Run<'_, '_, H> {
    /// A sequence or selector, with all such with memory below it: from leaf to leaf, by where each leads on success and on
    /// failure, as the build worked it out. So the composites in between cost next to nothing. A reactive one is always the
    /// topmost.
    pub(super) fn in_order(&mut self, root: usize) -> Status {
        let tree = self.tree;
        let is_active = self.state.is_active(root);
        let is_reactive = matches!(tree.nodes[root].kind, NodeKind::ReactiveSequence | NodeKind::ReactiveSelector);
        let mut at = if is_reactive { root + 1 } else { root };
        loop {
            let node = &tree.nodes[at];
            let status = match &node.kind {
                NodeKind::Check(leaf) => self.check(node.id, leaf),
                NodeKind::Sequence | NodeKind::Selector => {
                    at = self.enter(at, is_active);
                    continue;
                }
                _ => self.run(at),
            };
            let next = match status {
                Status::Success => node.next[0],
                Status::Failure => node.next[1],
                Status::Running if is_reactive => return self.close(at, root, status, is_active),
                Status::Running => {
                    self.stay(at, root);
                    return status;
                }
            };
            if next < FAILS {
                at = usize::from(next);
                continue;
            }
            let ended = if next == SUCCEEDS { Status::Success } else { Status::Failure };
            return if is_reactive { self.close(at, root, ended, is_active) } else { ended };
        }
    }

    /// The node with which a sequence or selector with memory begins, or goes on.
    #[inline(always)]
    fn enter(&mut self, at: usize, may_be_active: bool) -> usize {
        if may_be_active && self.state.is_active(at) {
            return self.resume(at);
        }
        let (first, last) = self.tree.nodes[at].lowers;
        if first != last {
            self.forget(at, at);
        }
        at + 1
    }

    /// How a reactive composite stands: what ran to the right of the child that decided is ended.
    fn close(&mut self, at: usize, root: usize, status: Status, is_active: bool) -> Status {
        let tree = self.tree;
        let mut child = at;
        loop {
            let parent = usize::from(tree.nodes[child].parent);
            if parent == root {
                break;
            }
            child = parent;
        }
        if status == Status::Running {
            self.stay(at, child);
            self.due(self.thought.tick.0.saturating_add(1));
        }
        if is_active {
            let by = tree.nodes[child].id;
            self.halt(tree.nodes[child].end.into(), tree.nodes[root].end.into(), by, || Cause::Branch { node: by });
        }
        self.keep(root, status)
    }

    /// Where a sequence or selector goes on. The running ones on the way are running no more, unless [`Run::stay`] says so.
    #[inline(never)]
    fn resume(&mut self, root: usize) -> usize {
        let mut at = root;
        while self.state.is_active(at) {
            let node = &self.tree.nodes[at];
            if !matches!(node.kind, NodeKind::Sequence | NodeKind::Selector) {
                break;
            }
            self.state.deactivate(at);
            // A block may have been forged: what is no child of this node is none.
            let child = self.state.words[node.word as usize] as usize;
            let is_child = self.tree.nodes.get(child).is_some_and(|one| usize::from(one.parent) == at && child > at);
            at = if is_child { child } else { at + 1 };
        }
        at
    }

    /// All sequences and selectors from a running node up to `root` are where it is.
    fn stay(&mut self, mut at: usize, root: usize) {
        while at > root {
            let parent = usize::from(self.tree.nodes[at].parent);
            self.state.words[self.tree.nodes[parent].word as usize] = at as u64;
            self.state.activate(parent);
            at = parent;
        }
    }

    pub(super) fn parallel(&mut self, at: usize) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[at];
        let NodeKind::Parallel { success, failure } = node.kind else { return Status::Failure };
        let word = node.word as usize;
        let kept = if self.state.is_active(at) { self.state.words[word] } else { 0 };
        let (mut done, mut good) = (kept as u32, (kept >> 32) as u32);
        let mut count = 0;
        let (mut child, end) = (at + 1, usize::from(node.end));
        while child < end {
            let bit = 1_u32 << (count & 31);
            if done & bit == 0 {
                let status = self.step(child);
                if status != Status::Running {
                    done |= bit;
                    good |= if status == Status::Success { bit } else { 0 };
                }
            }
            count += 1;
            child = usize::from(tree.nodes[child].end);
        }
        let failures = (done & !good).count_ones();
        let status = if failures >= failure.needed(count) {
            Status::Failure
        } else if good.count_ones() >= success.needed(count) {
            Status::Success
        } else if done.count_ones() >= count {
            Status::Failure
        } else {
            self.state.words[word] = u64::from(good) << 32 | u64::from(done);
            self.state.activate(at);
            return Status::Running;
        };
        self.halt(at + 1, end, node.id, || Cause::Branch { node: node.id });
        self.keep(at, status)
    }

    /// A sequence or selector in an order that is drawn when it starts.
    pub(super) fn mixed(&mut self, at: usize, on: Status) -> Status {
        let tree = self.tree;
        let word = tree.nodes[at].word as usize;
        let count = tree.children(at).count();
        if !self.state.is_active(at) {
            self.order(at, count);
            self.state.words[word] = 0;
        }
        let mut position = self.state.words[word] as usize;
        let mut status = on;
        while position < count {
            let place = self.state.words[word + 1 + position / 8] >> (position % 8 * 8) & 0xff;
            let Some(child) = tree.children(at).nth(place as usize) else { break };
            status = self.step(child);
            if status != on {
                break;
            }
            position += 1;
        }
        self.state.words[word] = position as u64;
        self.keep(at, status)
    }

    /// The best first; equals keep their order. Those that score −∞ become [`NOBODY`].
    fn by_score(&mut self, at: usize, scores: &[ScoreLeaf<H>], order: &mut [u8]) {
        let mut found = [f32::NEG_INFINITY; MIXED_CHILDREN_MAX];
        for (score, leaf) in found.iter_mut().zip(scores).take(order.len()) {
            *score = leaf.score(self.thought);
        }
        order.sort_unstable_by(|&a, &b| found[usize::from(b)].total_cmp(&found[usize::from(a)]).then(a.cmp(&b)));
        let best = order.first().map_or(0.0, |&first| found[usize::from(first)]);
        for (position, place) in order.iter_mut().enumerate() {
            let (number, score) = (usize::from(*place), found[usize::from(*place)]);
            let is_forbidden = score == f32::NEG_INFINITY;
            if self.thought.why.is_on() && (position > 0 || is_forbidden) {
                let node = self.tree.children(at).nth(number).map_or(NodeId::NONE, |child| self.tree.nodes[child].id);
                scores[number].refuse(node, score, best, self.thought);
            }
            if is_forbidden {
                *place = NOBODY;
            }
        }
    }

    fn order(&mut self, at: usize, count: usize) {
        let tree = self.tree;
        let node = &tree.nodes[at];
        self.thought.node = node.id;
        let mut order = [0_u8; MIXED_CHILDREN_MAX];
        let order = &mut order[..count];
        for (place, slot) in (0..).zip(order.iter_mut()) {
            *slot = place;
        }
        match &node.kind {
            NodeKind::UtilitySelector { scores } => self.by_score(at, scores, order),
            NodeKind::RandomSelector { weights } | NodeKind::RandomSequence { weights } if weights.is_empty() => {
                self.thought.random(ORDER).shuffle(order);
            }
            NodeKind::RandomSelector { weights } | NodeKind::RandomSequence { weights } => {
                let mut random = self.thought.random(ORDER);
                for first in 0..count {
                    let weight = |place: u8| weights[usize::from(place)];
                    let total: f32 = order[first..].iter().map(|&place| weight(place)).sum();
                    let mut drawn = random.unit() * total;
                    let fits = |place: &u8| {
                        drawn -= weight(*place);
                        drawn < 0.0
                    };
                    let next = order[first..].iter().position(fits).unwrap_or(0);
                    order[first..=first + next].rotate_right(1);
                }
            }
            _ => {}
        }
        for (index, chunk) in order.chunks(8).enumerate() {
            let packed = chunk.iter().rev().fold(0_u64, |word, &place| word << 8 | u64::from(place));
            self.state.words[node.word as usize + 1 + index] = packed;
        }
    }
}
