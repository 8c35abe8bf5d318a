//! The task at work: what brains that do one thing at a time share.

use sentir_core::State;
use sentir_core::tick::Tick;

use crate::leaf::{Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::{Cause, Why};

/// One running task, or none: part of an agent's block.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Work {
    /// The task's own state.
    slot: Vec<u8>,
    is_running: bool,
    /// It need not be ticked before that.
    wake: Tick,
}

/// The task at work, and the node it is of.
pub(crate) struct Running<'a, H: Host> {
    pub(crate) task: &'a TaskLeaf<H>,
    pub(crate) node: NodeId,
}

impl Work {
    /// Room for any of these tasks.
    pub(crate) fn new<'a, H: Host>(tasks: impl IntoIterator<Item = &'a TaskLeaf<H>>) -> Work {
        let bytes = tasks.into_iter().map(TaskLeaf::slot_bytes).max().unwrap_or(0);
        Work { slot: vec![0; bytes], ..Work::default() }
    }

    /// Whether a task runs.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Starts the task, or goes on with it if one runs, which must be this one.
    pub(crate) fn tick<H: Host>(&mut self, task: &TaskLeaf<H>, node: NodeId, thought: &mut Thought<'_, H>) -> Status {
        thought.because(|| Why::Active { node });
        if self.is_running && thought.tick < self.wake {
            return Status::Running;
        }
        thought.node = node;
        thought.wake = thought.tick + 1;
        if self.slot.len() < task.slot_bytes() {
            // A block of another brain, or a forged one.
            self.slot.resize(task.slot_bytes(), 0);
        }
        let slot = &mut self.slot[..task.slot_bytes()];
        let status = if self.is_running { task.tick(slot, thought) } else { task.start(slot, thought) };
        self.is_running = status == Status::Running;
        self.wake = if self.is_running { thought.wake } else { Tick(0) };
        if !self.is_running {
            self.slot.fill(0);
            thought.because(|| Why::Finished { node, status });
        }
        status
    }

    /// Goes over to another version of a brain, whose tasks need the room of `fresh`: what runs goes on if it is the same
    /// task there, and is ended otherwise. Whether something goes on.
    pub(crate) fn adopt<H: Host>(
        &mut self,
        fresh: Work,
        running: &Running<'_, H>,
        new: Option<&TaskLeaf<H>>,
        thought: &mut Thought<'_, H>,
    ) -> bool {
        let &Running { task: old, node } = running;
        if is_same(Some(old), new) && self.is_running {
            self.slot.resize(fresh.slot.len(), 0);
            return true;
        }
        self.abort(old, node, NodeId::NONE, |_| Cause::Host, thought);
        *self = fresh;
        false
    }

    /// Ends the task before it is done. Nothing when none runs.
    pub(crate) fn abort<H: Host>(
        &mut self,
        task: &TaskLeaf<H>,
        node: NodeId,
        by: NodeId,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        thought: &mut Thought<'_, H>,
    ) {
        if !std::mem::replace(&mut self.is_running, false) {
            return;
        }
        if thought.why.is_on() {
            let cause = cause(thought);
            thought.because(|| Why::Aborted { node, by, cause });
        }
        thought.node = node;
        if let Some(slot) = self.slot.get_mut(..task.slot_bytes()) {
            task.abort(slot, thought);
        }
        self.slot.fill(0);
        self.wake = Tick(0);
    }
}

/// Whether two tasks are the same as far as what an agent remembers of them is concerned.
pub(crate) fn is_same<H: Host>(old: Option<&TaskLeaf<H>>, new: Option<&TaskLeaf<H>>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => new.name() == old.name() && new.slot_bytes() == old.slot_bytes(),
        (None, None) => true,
        _ => false,
    }
}
