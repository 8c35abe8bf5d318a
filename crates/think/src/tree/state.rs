//! What one agent remembers of its tree: one block of plain words.

use sentir_core::State;
use sentir_core::tick::Tick;

use crate::key::KeySet;

/// The state of one agent's tree. The default fits no tree yet: the first tick makes room.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct TreeState {
    /// Which tree it is of: see [`Tree::shape`](super::Tree::shape).
    pub(super) shape: u64,
    /// Nothing is due before this tick.
    pub(super) wake: Tick,
    /// Own keys whose change matters to what runs now.
    pub(super) watch: KeySet,
    /// The versions of the own, the team's and the world's board that were seen last.
    pub(super) seen: [u64; 3],
    /// A bit for each node that runs.
    pub(super) active: Vec<u64>,
    /// Counters, positions and moments of the nodes.
    pub(super) words: Vec<u64>,
    /// State of the leaves.
    pub(super) slots: Vec<u8>,
}

impl TreeState {
    #[inline]
    pub(super) fn is_active(&self, at: usize) -> bool {
        self.active[at >> 6] >> (at & 63) & 1 == 1
    }

    #[inline]
    pub(super) fn activate(&mut self, at: usize) {
        self.active[at >> 6] |= 1 << (at & 63);
    }

    #[inline]
    pub(super) fn deactivate(&mut self, at: usize) {
        self.active[at >> 6] &= !(1 << (at & 63));
    }

    /// When the tree has to be ticked at the latest; before that a tick does nothing unless a watched key changes.
    pub fn wake(&self) -> Tick {
        self.wake
    }

    /// The keys whose change would make a tick before that do something: those that the observers of what runs look at.
    pub fn watch(&self) -> &KeySet {
        &self.watch
    }
}
