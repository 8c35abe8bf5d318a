//! Game events: small facts about what happened, always on. Every metric is counted from them.

use sentir_derive::State;

use crate::id::AgentId;
use crate::intent::Ticket;
use crate::outcome::Cause;
use crate::tick::Tick;

/// One thing that happened to one agent.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct GameEvent {
    /// When.
    pub tick: Tick,
    /// To whom.
    pub agent: AgentId,
    /// What.
    pub kind: EventKind,
}

/// What can happen. Numbers (`decision`, `code`, `word`) are indices into the game's own tables.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum EventKind {
    /// It came into the world.
    Spawned,
    /// It left the world.
    Despawned,
    /// The host moved it by force.
    Teleported,
    /// It noticed another.
    Noticed {
        /// Whom.
        other: AgentId,
    },
    /// It no longer sees another.
    Lost {
        /// Whom.
        other: AgentId,
    },
    /// It changed its mind.
    Decided {
        /// To what.
        decision: u16,
    },
    /// It reached a goal.
    Arrived {
        /// Which.
        ticket: Ticket,
    },
    /// It gave up a goal.
    Failed {
        /// Which.
        ticket: Ticket,
        /// Why.
        cause: Cause,
    },
    /// Its squad overruled it.
    Overruled {
        /// Which of its wishes was put aside; the empty ticket if it wanted to go nowhere or the order is about other things.
        ticket: Ticket,
    },
    /// Its squad's order ended.
    Released,
    /// It said something to its team.
    Said {
        /// Which word.
        word: u16,
    },
    /// An outcome was dropped because the brain had not thought for too long.
    Forgot,
    /// The host gave a body that is not finite; the old one was kept.
    BadBody,
    /// Something of the game's own.
    Custom {
        /// Which kind.
        code: u16,
        /// How much.
        value: f32,
    },
}
