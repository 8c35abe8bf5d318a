//! Why: the reasons of every part, joined. Later parts add their own enums here.

use sentir_core::why::Reason;
use sentir_think::why::Why as BrainWhy;

/// A stage of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Truth to beliefs.
    Sense,
    /// Beliefs to intents.
    Think,
    /// Reports and questions to answers and orders.
    Coordinate,
    /// Intents and orders to motion.
    Act,
}

/// Why an agent did, or did not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// It thought: because it was its turn, or because its senses woke it.
    Thought {
        /// Whether its senses woke it before its turn.
        is_woken: bool,
    },
    /// A question a mind asked itself, and the answer.
    Because(Reason),
    /// A stage wanted more work than the agent's quota allows.
    OutOfBudget {
        /// Which stage.
        stage: Stage,
        /// Units it asked for.
        wanted: u32,
        /// Units that were left.
        left: u32,
    },
    /// A brain of `sentir_think`: what is active, what was refused by which value, what ended what.
    Brain(BrainWhy),
    /// The squad put the agent's own wish aside.
    Overruled(Reason),
}
