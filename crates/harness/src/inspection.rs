//! What a debugger may see of one agent: the truth beside what it believes and wants. Looking changes nothing.

use sentir::prelude::*;

pub use sentir_vision::Eyesight;

/// One agent, looked into between two ticks.
#[derive(Clone, Copy, Debug)]
pub struct Inspection<'a> {
    /// The truth about it.
    pub presence: &'a Presence,
    /// What it believes.
    pub beliefs: &'a Beliefs,
    /// What it wants.
    pub intents: &'a Intents,
    /// What its squad wants of it, if anything.
    pub order: Option<&'a Order>,
    /// What its body is asked to do.
    pub motion: &'a Motion,
}

/// Looks into an agent; none if it is not there.
pub fn inspect<M: Mind>(brains: &Loop<M>, agent: AgentId) -> Option<Inspection<'_>> {
    Some(Inspection {
        presence: brains.presence(agent)?,
        beliefs: brains.beliefs(agent)?,
        intents: brains.intents(agent)?,
        order: brains.order(agent),
        motion: brains.motion(agent)?,
    })
}
