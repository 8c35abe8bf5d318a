//! One agent, as the loop keeps it.

use sentir_core::State;
use sentir_core::belief::Beliefs;
use sentir_core::intent::{Intents, Motion, Ticket};
use sentir_core::outcome::Outcome;
use sentir_core::tick::Tick;

use crate::coordinate::Order;
use crate::mind::Mind;
use crate::schedule::Importance;

/// Everything the loop knows of an agent but its body, which others may see.
#[derive(State)]
pub(crate) struct Agent<M: Mind> {
    pub(crate) importance: Importance,
    pub(crate) is_paused: bool,
    /// Facts before this tick were sensed.
    pub(crate) sensed_until: Tick,
    /// Whether the last tick's thought has used up what was news.
    pub(crate) has_digested: bool,
    pub(crate) beliefs: Beliefs,
    pub(crate) intents: Intents,
    pub(crate) order: Option<Order>,
    pub(crate) order_ticket: Ticket,
    pub(crate) motion: Motion,
    /// What became of the intents this tick; beliefs on the next.
    pub(crate) outcomes: Vec<Outcome>,
    /// What the host and the squad tell the brain; it receives it on the next tick.
    pub(crate) inbox: Vec<M::Notice>,
    pub(crate) senses: M::Senses,
    pub(crate) brain: M::Brain,
    pub(crate) motor: M::Motor,
}

/// The lists of an agent that left, kept so that the next one need not allocate them.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    beliefs: Beliefs,
    intents: Intents,
    outcomes: Vec<Outcome>,
}

impl<M: Mind> Agent<M> {
    pub(crate) fn new(spare: Spare, brain: M::Brain, importance: Importance, yaw: f32, now: Tick) -> Self {
        let Spare { mut beliefs, mut intents, mut outcomes } = spare;
        beliefs.reset();
        intents.reset();
        outcomes.clear();
        outcomes.reserve(4);
        Agent {
            importance,
            is_paused: false,
            sensed_until: now,
            has_digested: false,
            beliefs,
            intents,
            order: None,
            order_ticket: Ticket::default(),
            motion: Motion { yaw, ..Motion::default() },
            outcomes,
            inbox: Vec::new(),
            senses: M::Senses::default(),
            brain,
            motor: M::Motor::default(),
        }
    }

    pub(crate) fn into_spare(self) -> Spare {
        Spare { beliefs: self.beliefs, intents: self.intents, outcomes: self.outcomes }
    }
}
