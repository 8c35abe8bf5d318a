//! Why a brain did what it did: which node is active, which branch was refused by which value, what aborted what.
//!
//! Reasons go to the [`WhyLog`](sentir_core::why::WhyLog) of a [`Thought`](crate::thought::Thought). They are made only
//! while it listens and never change a decision.

use sentir_core::tick::Tick;

use crate::leaf::{ConditionResult, Status};
use crate::node::NodeId;
use crate::test::{Finding, Wanted};

/// One reason of a brain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// A leaf is at work. One for each active leaf, each time its brain thinks.
    Active {
        /// The leaf.
        node: NodeId,
    },
    /// A branch was not taken, or a transition, or an option.
    Refused {
        /// The node that refused.
        node: NodeId,
        /// Because of what.
        cause: Cause,
    },
    /// What ran was ended before it was done.
    Aborted {
        /// The leaf that was ended.
        node: NodeId,
        /// The node that ended it.
        by: NodeId,
        /// Because of what.
        cause: Cause,
    },
    /// A task ended by itself.
    Finished {
        /// The task.
        node: NodeId,
        /// How.
        status: Status,
    },
    /// A node that is to be noted was entered.
    Logged {
        /// The node.
        node: NodeId,
    },
    /// A breakpoint was entered; see [`Thought::breakpoint`](crate::thought::Thought::breakpoint).
    Breakpoint {
        /// The node.
        node: NodeId,
    },
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// A condition of the game's own, and what it found.
    ConditionResult(ConditionResult),
    /// A test of boards, and what it found.
    Finding(Finding),
    /// Chance.
    Chance {
        /// What was drawn, 0..1.
        drawn: f32,
        /// What it had to stay below.
        below: f32,
    },
    /// It rests.
    Cooldown {
        /// Until then.
        until: Tick,
    },
    /// Its time was up.
    TimeLimit {
        /// Since then.
        at: Tick,
    },
    /// It ran as often as it may.
    RunLimit {
        /// How often.
        runs: u32,
    },
    /// A task or a constant failed.
    Failed,
    /// Another branch decided.
    Branch {
        /// Which.
        node: NodeId,
    },
    /// The host ended the brain, or gave it another.
    Host,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cause::ConditionResult(answer) => {
                let said = if answer.held { "yes" } else { "no" };
                write!(f, "{said} ({} against {})", answer.value, answer.limit)
            }
            Cause::Finding(found) => {
                match found.value {
                    Some(value) => write!(f, "key {} is {value}", found.key.index())?,
                    None => write!(f, "key {} is not set", found.key.index())?,
                }
                match found.wanted {
                    Wanted::Set => f.write_str(", wanted any value"),
                    Wanted::Unset => f.write_str(", wanted none"),
                    Wanted::Compared { how, with: Some(with) } => write!(f, ", wanted {how} {with}"),
                    Wanted::Compared { how, with: None } => write!(f, ", wanted {how} what is not set"),
                    Wanted::Within { within_m, .. } => write!(f, ", wanted within {within_m} m"),
                    Wanted::Beyond { within_m, .. } => write!(f, ", wanted farther than {within_m} m"),
                }
            }
            Cause::Chance { drawn, below } => write!(f, "drew {drawn}, wanted below {below}"),
            Cause::Cooldown { until } => write!(f, "rests until tick {until}"),
            Cause::TimeLimit { at } => write!(f, "time was up at tick {at}"),
            Cause::RunLimit { runs } => write!(f, "ran {runs} times already"),
            Cause::Failed => f.write_str("failed"),
            Cause::Branch { node } => write!(f, "branch {node} decided"),
            Cause::Host => f.write_str("the host ended it"),
        }
    }
}
