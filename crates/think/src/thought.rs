//! All that one thought of one agent may read and write.

use sentir_core::id::AgentId;
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;

use crate::board::Board;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::why::Why;

/// One thought: made by the host for each tick of a brain.
#[derive(Debug)]
pub struct Thought<'a, H: Host> {
    /// Whose.
    pub agent: AgentId,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// What the leaves may read.
    pub view: H::View<'a>,
    /// Where the leaves write what they want.
    pub out: &'a mut H::Out,
    /// The boards.
    pub board: Board<'a>,
    /// The world's seed.
    pub streams: Streams,
    /// Where reasons go.
    pub why: &'a mut WhyLog<Why>,
    /// The node at work. Brains set it before they call a leaf.
    pub node: NodeId,
    /// When the leaf at work wants its next tick. Brains set it to the next tick before they call a task.
    pub wake: Tick,
    /// The last breakpoint that was entered: a host that wants to stop there looks after the tick.
    pub breakpoint: Option<NodeId>,
}

/// Who thinks, and when.
#[derive(Clone, Copy, Debug)]
pub struct Thinker {
    /// Whose thought it is.
    pub agent: AgentId,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// The world's seed.
    pub streams: Streams,
}

/// Where a thought writes to, but for the boards.
#[derive(Debug)]
pub struct Sinks<'a, Out> {
    /// Where the leaves write what they want.
    pub out: &'a mut Out,
    /// Where reasons go.
    pub why: &'a mut WhyLog<Why>,
}

impl<'a, H: Host> Thought<'a, H> {
    /// A thought at the start of its tick.
    #[inline]
    pub fn new(thinker: Thinker, view: H::View<'a>, board: Board<'a>, sinks: Sinks<'a, H::Out>) -> Self {
        let (Thinker { agent, tick, rate, streams }, Sinks { out, why }) = (thinker, sinks);
        Thought { agent, tick, rate, view, out, board, streams, why, node: NodeId::NONE, wake: tick, breakpoint: None }
    }

    /// Chance for the node at work, in this tick, for this purpose. Another node, tick or purpose gives unrelated numbers,
    /// so an edit of a brain does not change the luck of its other nodes; the same three give the same numbers again.
    pub fn random(&self, purpose: Purpose) -> Stream {
        self.streams.at(self.agent.to_bits() ^ self.node.0, purpose, self.tick)
    }

    /// For a task that goes on: it need not be ticked before that moment. Until then it costs nothing, unless something
    /// else ends it. At or before the present tick it means the next one.
    pub fn sleep_until(&mut self, tick: Tick) {
        self.wake = tick.max(self.tick + 1);
    }

    /// Notes a reason, if anybody listens.
    #[inline]
    pub fn because(&mut self, why: impl FnOnce() -> Why) {
        self.why.because(self.tick, self.agent, why);
    }
}
