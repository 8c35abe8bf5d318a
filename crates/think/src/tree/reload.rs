//! Another tree for an agent whose tree is running: what is the same goes on, by node id.

use std::collections::BTreeMap;

use super::run::Run;
use super::{NodeKind, Tree, TreeState};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::Cause;

impl<H: Host> Tree<H> {
    /// Takes over what runs in `old`: a node with the same id and kind goes on, with its counters, its position and the
    /// state of its leaf. What ran and has no such node any more is aborted, by the old tree. A sequence or selector whose
    /// running child is gone goes on with what stands in its place now, and begins anew if that is nothing. So a node of
    /// another kind, or with another leaf, starts anew alone, and its parent stays where it was.
    pub fn adopt(&self, old: &Tree<H>, state: &mut TreeState, thought: &mut Thought<'_, H>) {
        let mut fresh = self.state();
        if !old.fits(state) {
            *state = fresh;
            return;
        }
        let (places, places_before) = (places(self), places(old));
        let partner = |at: usize| places_before.get(&self.nodes[at].id).copied();
        let is_same = |at: usize| partner(at).filter(|&before| self.is_same(at, old, before));
        let mut kept = vec![false; old.nodes.len()];
        for at in 0..self.nodes.len() {
            let Some(before) = is_same(at) else { continue };
            let lasts = matches!(
                self.nodes[at].kind,
                NodeKind::Cooldown { .. } | NodeKind::RunLimit { .. } | NodeKind::When { .. }
            );
            if lasts {
                fresh.words[self.nodes[at].word as usize] = state.words[old.nodes[before].word as usize];
            }
            let parent = usize::from(self.nodes[at].parent);
            let is_on_path = at == 0 || fresh.is_active(parent) && self.leads(&fresh, parent, at);
            if !state.is_active(before) || !is_on_path {
                continue;
            }
            if self.carry(at, &mut fresh, old, before, state) {
                fresh.activate(at);
                kept[before] = true;
            }
        }
        // What is not kept ends by its own tree, the last first, before anything of the new one runs.
        for at in (0..old.nodes.len()).rev().filter(|&at| !kept[at]) {
            let mut run = Run { tree: old, state: &mut *state, thought: &mut *thought, wake: 0 };
            run.halt(at, at + 1, NodeId::NONE, || Cause::Host);
            // Resting begins when a branch is ended: also when an edit ends it.
            let node = &old.nodes[at];
            if let (NodeKind::Cooldown { .. }, Some(now)) = (&node.kind, places.get(&node.id).copied())
                && matches!(self.nodes[now].kind, NodeKind::Cooldown { .. })
            {
                fresh.words[self.nodes[now].word as usize] = state.words[node.word as usize];
            }
        }
        fresh.seen = state.seen;
        fresh.wake = thought.tick;
        *state = fresh;
    }

    /// Whether a node is what it was: of the same kind, over the same leaf with as much state.
    fn is_same(&self, at: usize, old: &Tree<H>, before: usize) -> bool {
        let (new, old) = (&self.nodes[at], &old.nodes[before]);
        new.kind.name() == old.kind.name() && new.kind.leaf_name() == old.kind.leaf_name() && new.slot.1 == old.slot.1
    }

    /// Whether a running parent's position, as it is carried over, leads to that child.
    fn leads(&self, state: &TreeState, parent: usize, at: usize) -> bool {
        let node = &self.nodes[parent];
        let word = node.word as usize;
        match node.kind {
            NodeKind::Sequence | NodeKind::Selector => state.words[word] == at as u64,
            NodeKind::Parallel { .. } => {
                let place = self.children(parent).position(|child| child == at).unwrap_or(0);
                state.words[word] >> (place & 31) & 1 == 0
            }
            NodeKind::RandomSelector { .. } | NodeKind::RandomSequence { .. } | NodeKind::UtilitySelector { .. } => {
                let place = self.children(parent).position(|child| child == at);
                place.is_some_and(|place| place as u64 == current(state, word))
            }
            _ => true,
        }
    }

    /// Copies a running node's words and slot; false when it has to start anew.
    fn carry(&self, at: usize, fresh: &mut TreeState, old: &Tree<H>, before: usize, state: &TreeState) -> bool {
        let (new_node, old_node) = (&self.nodes[at], &old.nodes[before]);
        let (to, from) = (new_node.word as usize, old_node.word as usize);
        match new_node.kind {
            NodeKind::Sequence | NodeKind::Selector => match self.position(at, old, before, state.words[from] as usize)
            {
                Some(child) => fresh.words[to] = child as u64,
                None => return false,
            },
            NodeKind::Parallel { .. } => fresh.words[to] = self.finished(at, old, before, state.words[from]),
            NodeKind::RandomSelector { .. } | NodeKind::RandomSequence { .. } | NodeKind::UtilitySelector { .. } => {
                // An order means the same only over the same children.
                let ids =
                    |tree: &Tree<H>, at| -> Vec<NodeId> { tree.children(at).map(|one| tree.nodes[one].id).collect() };
                let children = ids(self, at);
                if children != ids(old, before) {
                    return false;
                }
                let words = 1 + children.len().div_ceil(8);
                fresh.words[to..to + words].copy_from_slice(&state.words[from..from + words]);
            }
            _ => {
                // One word or none; both trees agree, since the kinds do.
                if let (Some(word), Some(was)) = (fresh.words.get_mut(to), state.words.get(from))
                    && has_word(&new_node.kind)
                {
                    *word = *was;
                }
            }
        }
        let ((to, length), (from, _)) = (new_node.slot, old_node.slot);
        let (to, from, length) = (to as usize, from as usize, length as usize);
        fresh.slots[to..to + length].copy_from_slice(&state.slots[from..from + length]);
        true
    }

    /// Where a sequence or selector goes on: at its running child, or at what stands in its place now.
    fn position(&self, at: usize, old: &Tree<H>, before: usize, running: usize) -> Option<usize> {
        let now = |child: usize| self.children(at).find(|&one| self.nodes[one].id == old.nodes[child].id);
        if let Some(child) = old.children(before).find(|&child| child == running).and_then(now) {
            return Some(child);
        }
        // The last sibling before it that is left says where it stood.
        match old.children(before).take_while(|&child| child < running).filter_map(now).last() {
            Some(left) => self.children(at).find(|&child| child > left),
            None => self.children(at).next(),
        }
    }

    /// Which children of a parallel are done, by their ids.
    fn finished(&self, at: usize, old: &Tree<H>, before: usize, word: u64) -> u64 {
        let mut finished = 0;
        for (place, child) in self.children(at).enumerate() {
            let id = self.nodes[child].id;
            let was = old.children(before).position(|one| old.nodes[one].id == id);
            if let Some(was) = was {
                finished |= (word >> was & 1) << place | (word >> (32 + was) & 1) << (32 + place);
            }
        }
        finished
    }
}

fn places<H: Host>(tree: &Tree<H>) -> BTreeMap<NodeId, usize> {
    tree.nodes.iter().enumerate().map(|(at, node)| (node.id, at)).collect()
}

/// The child that a node with a drawn order is at.
fn current(state: &TreeState, word: usize) -> u64 {
    let position = state.words[word] as usize;
    state.words.get(word + 1 + position / 8).map_or(u64::MAX, |order| order >> (position % 8 * 8) & 0xff)
}

fn has_word<H: Host>(kind: &NodeKind<H>) -> bool {
    use NodeKind as K;
    matches!(
        kind,
        K::Repeat { .. }
            | K::Cooldown { .. }
            | K::TimeLimit { .. }
            | K::When { .. }
            | K::RunLimit { .. }
            | K::Catch { .. }
            | K::Delay { .. }
            | K::Wait(_)
            | K::Task(_)
            | K::Service { .. }
    )
}
