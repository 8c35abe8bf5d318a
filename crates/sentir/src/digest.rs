//! What a tick came to, for a short hash of it: cheap enough for every tick, and enough to see on which one two runs part.

use sentir_core::state::StateHasher;

use crate::cycle::Loop;
use crate::mind::Mind;

impl<M: Mind> Loop<M> {
    /// Adds what can be seen of the last tick to a hash: where everybody is, what it wants, what its squad wants of it and
    /// what its body is asked to do; what was to be heard, felt and said. What agents believe and remember is left out:
    /// it shows as soon as it changes a decision. The hash of all is [`sentir_core::state::hash`].
    pub fn digest(&self, hasher: &mut StateHasher) {
        hasher.add(&self.tick());
        for (presence, motion) in self.motions() {
            hasher.add(presence);
            hasher.add(motion);
            self.intents(presence.agent).into_iter().for_each(|intents| hasher.add(intents));
            hasher.add(&self.order(presence.agent).copied());
        }
        hasher.add_items(self.noises());
        hasher.add_items(self.hurts());
        hasher.add_items(self.messages());
    }
}
