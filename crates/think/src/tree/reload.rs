//! Another tree for an agent whose tree is running: what is the same goes on.
//!
//! From the root down the children of each pair of nodes are aligned ([`align`]): by authored id, by kind and name, and
//! among equals by what the file says of them, so that a node put in before a running one of the same kind leaves it
//! running. A node with an authored id is found wherever it went.

use std::collections::BTreeMap;

use super::composite::NOBODY;
use super::run::Run;
use super::{NodeKind, Tree, TreeState};
use crate::align::align;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::Cause;

/// A node that goes on in another version of its tree.
struct Renewed<'a, H: Host> {
    /// Its number now.
    at: usize,
    /// The tree before, and its number there.
    old: &'a Tree<H>,
    before: usize,
    /// By node of the new tree: which node of the old one it is, if any.
    partners: &'a [Option<usize>],
}

impl<H: Host> Tree<H> {
    /// Takes over what runs in `old`: a node that is there and of the same kind goes on, with its counters, its position
    /// and the state of its leaf. What ran and has no such node any more is aborted, by the old tree. A sequence or selector whose
    /// running child is gone goes on with what stands in its place now, and begins anew if that is nothing. So a node of
    /// another kind, or with another leaf, starts anew alone, and its parent stays where it was.
    pub fn adopt(&self, old: &Tree<H>, state: &mut TreeState, thought: &mut Thought<'_, H>) {
        let mut fresh = self.state();
        if !old.fits(state) {
            *state = fresh;
            return;
        }
        let partners = self.partners(old);
        let is_same = |at: usize| partners[at].filter(|&before| self.is_same(at, old, before));
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
            if self.carry(&Renewed { at, old, before, partners: &partners }, &mut fresh, state) {
                fresh.activate(at);
                kept[before] = true;
            }
        }
        for condition in &self.conditions {
            let was = old.conditions.iter().find(|one| one.spec.name == condition.spec.name);
            if let (Some(to), Some(from)) = (condition.word, was.and_then(|was| was.word)) {
                fresh.words[to as usize] = state.words[from as usize];
            }
        }
        // What is not kept ends by its own tree, the last first, before anything of the new one runs.
        for at in (0..old.nodes.len()).rev().filter(|&at| !kept[at]) {
            let mut run = Run { tree: old, state: &mut *state, thought: &mut *thought, wake: 0 };
            run.halt(at, at + 1, NodeId::NONE, || Cause::Host);
            // Resting begins when a branch is ended: also when an edit ends it.
            let node = &old.nodes[at];
            if let (NodeKind::Cooldown { .. }, Some(now)) =
                (&node.kind, partners.iter().position(|was| *was == Some(at)))
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
    fn carry(&self, renewed: &Renewed<'_, H>, fresh: &mut TreeState, state: &TreeState) -> bool {
        let &Renewed { at, old, before, .. } = renewed;
        let (new_node, old_node) = (&self.nodes[at], &old.nodes[before]);
        let (to, from) = (new_node.word as usize, old_node.word as usize);
        match new_node.kind {
            NodeKind::Sequence | NodeKind::Selector => match self.position(renewed, state.words[from] as usize) {
                Some(child) => fresh.words[to] = child as u64,
                None => return false,
            },
            NodeKind::Parallel { .. } => {
                fresh.words[to] = self.finished(renewed, state.words[from]);
            }
            NodeKind::RandomSelector { .. } | NodeKind::RandomSequence { .. } | NodeKind::UtilitySelector { .. } => {
                let Some((position, order)) = self.drawn(renewed, &state.words[from..]) else {
                    return false;
                };
                fresh.words[to] = position;
                for (index, chunk) in order.chunks(8).enumerate() {
                    fresh.words[to + 1 + index] =
                        chunk.iter().rev().fold(0, |word, &place| word << 8 | u64::from(place));
                }
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
    fn position(&self, renewed: &Renewed<'_, H>, running: usize) -> Option<usize> {
        let &Renewed { at, old, before, partners } = renewed;
        let now = |child: usize| self.children(at).find(|&one| partners[one] == Some(child));
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
    fn finished(&self, renewed: &Renewed<'_, H>, word: u64) -> u64 {
        let &Renewed { at, old, before, partners } = renewed;
        let mut finished = 0;
        for (place, child) in self.children(at).enumerate() {
            let was = old.children(before).position(|one| partners[child] == Some(one));
            if let Some(was) = was {
                finished |= (word >> was & 1) << place | (word >> (32 + was) & 1) << (32 + place);
            }
        }
        finished
    }

    /// The drawn order over the children there are now, and where it stands: what is gone is left out, what is new comes
    /// behind all that were to be tried. None when the running child is gone.
    fn drawn(&self, renewed: &Renewed<'_, H>, words: &[u64]) -> Option<(u64, Vec<u8>)> {
        let &Renewed { at, old, before, partners } = renewed;
        let (now, were): (Vec<usize>, Vec<usize>) = (self.children(at).collect(), old.children(before).collect());
        let entry = |position: usize| (words[1 + position / 8] >> (position % 8 * 8) & 0xff) as usize;
        // At most 32 children.
        let place_of = |was: usize| now.iter().position(|&one| partners[one] == Some(was)).map(|place| place as u8);
        let (mut order, mut running) = (Vec::with_capacity(now.len()), None);
        for position in 0..were.len() {
            let Some(place) = were.get(entry(position)).and_then(|&was| place_of(was)) else { continue };
            if position as u64 == words[0] {
                running = Some(order.len() as u64);
            }
            // A block may have been forged: nobody is tried twice.
            if !order.contains(&place) {
                order.push(place);
            }
        }
        let is_new = |place: &u8| !order.contains(place) && partners[now[usize::from(*place)]].is_none();
        let fresh: Vec<u8> = (0..now.len() as u8).filter(is_new).collect();
        order.extend(fresh);
        order.resize(now.len(), NOBODY);
        running.map(|position| (position, order))
    }

    /// By node: which node of the old tree it is, if any.
    fn partners(&self, old: &Tree<H>) -> Vec<Option<usize>> {
        let authored = |(at, part): (usize, &crate::align::Part)| part.is_authored.then_some((part.id, at));
        let authored: BTreeMap<NodeId, usize> = old.parts.iter().enumerate().filter_map(authored).collect();
        let mut partners = vec![None; self.nodes.len()];
        partners[0] = Some(0).filter(|_| self.nodes[0].id == old.nodes[0].id);
        for at in 0..self.nodes.len() {
            if partners[at].is_none() && self.parts[at].is_authored {
                partners[at] = authored.get(&self.nodes[at].id).copied();
            }
            let Some(before) = partners[at] else { continue };
            let (now, were): (Vec<usize>, Vec<usize>) = (self.children(at).collect(), old.children(before).collect());
            let parts =
                |tree: &Tree<H>, places: &[usize]| places.iter().map(|&one| tree.parts[one]).collect::<Vec<_>>();
            for (child, was) in now.iter().zip(align(&parts(old, &were), &parts(self, &now))) {
                partners[*child] = was.map(|was| were[was]);
            }
        }
        partners
    }
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
