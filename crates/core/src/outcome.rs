//! Outcomes: what became of an intent. They reach the brain on the next tick, as beliefs about itself.

use glam::Vec3;
use sentir_derive::State;

use crate::intent::{Actions, Ticket};

/// What became of something an agent wanted.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Outcome {
    /// It is where it wanted to be.
    Arrived {
        /// Which wish.
        ticket: Ticket,
    },
    /// It will not get there.
    Failed {
        /// Which wish.
        ticket: Ticket,
        /// Why.
        cause: Cause,
    },
    /// Somebody or something stands in the way just now.
    Blocked {
        /// Which wish.
        ticket: Ticket,
    },
    /// The squad wants something else.
    Overruled {
        /// Which wish to go was put aside; the empty ticket if there was none or the order is about other things.
        ticket: Ticket,
    },
    /// The squad's order ended: the own wishes hold again.
    Released,
    /// An answer to a question.
    Answered {
        /// Which question.
        ticket: Ticket,
        /// The answer.
        answer: Answer,
    },
    /// An action the body could not do: an empty magazine, nothing to use.
    Refused {
        /// Which action.
        action: Actions,
    },
    /// The host moved the body by force; the wish of that ticket was given up.
    Teleported {
        /// Which wish; the empty ticket if there was none.
        ticket: Ticket,
    },
}

/// Why a wish failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Cause {
    /// There is no way.
    NoPath,
    /// The goal is no place to stand.
    BadGoal,
    /// The search ended before it found a way.
    OutOfBudget,
    /// The way was blocked for too long.
    Stuck,
    /// It is where nobody can walk from.
    BadStart,
}

/// The answer to a [`Question`](crate::intent::Question).
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Answer {
    /// There is a way.
    Path {
        /// Its length, m.
        length_m: f32,
        /// Its cost; equals the length for the shortest way.
        cost: f32,
    },
    /// The best place.
    Place {
        /// Where, m.
        at: Vec3,
        /// How good, 0..=1.
        score: f32,
    },
    /// There is none.
    Nothing(Cause),
}
