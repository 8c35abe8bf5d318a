//! Observers: resolved once, when a tick starts, in node order.

use sentir_core::tick::Tick;

use super::run::Run;
use super::{NodeKind, Observer};
use crate::key::KeySet;
use crate::leaf::Host;
use crate::why::Cause;

/// The word of a `when`: what it answered last, and that its branch was ended and has yet to fail.
const HELD: u64 = 1;
pub(super) const ENDED: u64 = 2;
/// It stood to the left of what ran when the last tick ended: a change of its answer counts from then on.
const WATCHING: u64 = 4;
/// The rest of the word: the tick in which it was asked last.
const TICK_SHIFT: u32 = 3;

/// The word of a `when` that was asked in this tick.
pub(super) fn asked(holds: bool, now: Tick) -> u64 {
    now.0 << TICK_SHIFT | u64::from(holds)
}

impl<H: Host> Run<'_, '_, H> {
    /// Whether the observer could end something now: its own branch, or what is to its right.
    fn relevance(&self, observer: &Observer) -> (bool, bool) {
        let at = usize::from(observer.node);
        if self.state.is_active(at) {
            return (observer.own && self.state.words[self.tree.nodes[at].word as usize] & ENDED == 0, false);
        }
        let Some((selector, child)) = observer.lower else { return (false, false) };
        let above = &self.tree.nodes[usize::from(selector)];
        let is_lower = matches!(above.kind, NodeKind::Selector)
            && self.state.is_active(selector.into())
            && self.state.words[above.word as usize] > u64::from(child);
        (false, is_lower)
    }

    /// Lets every observer that matters and whose keys changed ask again, in node order.
    pub(super) fn resolve(&mut self, changed: &KeySet) {
        for observer in &self.tree.observers {
            let (is_own, is_lower) = self.relevance(observer);
            if !is_own && !is_lower {
                continue;
            }
            let at = usize::from(observer.node);
            let node = &self.tree.nodes[at];
            let word = node.word as usize;
            match &node.kind {
                NodeKind::When { test, .. } if observer.keys.meets(changed) => {
                    let (holds, before) = (test.holds(&self.thought.board), self.state.words[word]);
                    if holds == (before & HELD != 0) || is_lower && before & WATCHING == 0 {
                        continue;
                    }
                    self.state.words[word] = asked(holds, self.thought.tick) | WATCHING;
                    let cause = self.cause(test);
                    if is_own && !holds {
                        self.halt(at + 1, node.end.into(), node.id, || cause);
                        self.state.words[word] |= ENDED;
                    } else if is_lower && holds {
                        self.take_over(observer, cause);
                    }
                }
                NodeKind::Cooldown { .. } if is_lower && is_over(self.state.words[word], self.thought.tick) => {
                    let until = Tick(self.state.words[word]);
                    self.state.words[word] = 0;
                    self.take_over(observer, Cause::Cooldown { until });
                }
                _ => {}
            }
        }
    }

    /// Ends what runs to the right of the observer, so that its selector goes on with it.
    fn take_over(&mut self, observer: &Observer, cause: Cause) {
        let Some((selector, child)) = observer.lower else { return };
        let above = &self.tree.nodes[usize::from(selector)];
        let by = self.tree.nodes[usize::from(observer.node)].id;
        self.halt(usize::from(child), above.end.into(), by, || cause);
        self.state.words[above.word as usize] = u64::from(child);
        self.forget(selector.into(), child.into());
    }

    /// A selector starts, or goes back to an earlier child: its observers from there on have yet to be asked.
    pub(super) fn forget(&mut self, selector: usize, from: usize) {
        let (first, last) = self.tree.nodes[selector].lowers;
        for observer in &self.tree.lowers[usize::from(first)..usize::from(last)] {
            let node = &self.tree.nodes[usize::from(*observer)];
            if usize::from(*observer) >= from && matches!(node.kind, NodeKind::When { .. }) {
                self.state.words[node.word as usize] &= !WATCHING;
            }
        }
    }

    /// The keys that matter to what runs now; notes when resting observers are due.
    pub(super) fn watched(&mut self) -> KeySet {
        let mut watch = self.tree.judged;
        for observer in &self.tree.observers {
            let (is_own, is_lower) = self.relevance(observer);
            if is_own || is_lower {
                watch.extend(&observer.keys);
            }
            let node = &self.tree.nodes[usize::from(observer.node)];
            let word = &mut self.state.words[node.word as usize];
            match &node.kind {
                NodeKind::When { .. } if !is_lower => *word &= !WATCHING,
                NodeKind::When { test, .. } => {
                    // Passed by without being asked: what it says now is where it starts from.
                    if *word & WATCHING == 0 && *word >> TICK_SHIFT != self.thought.tick.0 << TICK_SHIFT >> TICK_SHIFT {
                        *word = asked(test.holds(&self.thought.board), self.thought.tick);
                    }
                    *word |= WATCHING;
                }
                // A rest that was over before anything could be ended by it ends nothing later.
                NodeKind::Cooldown { .. } if is_lower && is_over(*word, self.thought.tick) => *word = 0,
                NodeKind::Cooldown { .. } if is_lower && *word != 0 => self.wake = self.wake.min(*word),
                _ => {}
            }
        }
        watch
    }
}

/// Whether there is a rest, and it is over. 0 is none.
fn is_over(until: u64, now: Tick) -> bool {
    until != 0 && now.0 >= until
}
