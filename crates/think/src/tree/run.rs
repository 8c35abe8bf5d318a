//! One tick of one agent's tree.

use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::observe::ENDED;
use super::{NodeKind, Tree, TreeState};
use crate::leaf::{ConditionLeaf, Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};

const TIME: Purpose = Purpose::new("tree time");

/// What a tick needs at hand.
pub(super) struct Run<'r, 'a, H: Host> {
    pub(super) tree: &'r Tree<H>,
    pub(super) state: &'r mut TreeState,
    pub(super) thought: &'r mut Thought<'a, H>,
    /// The next tick at which anything is due.
    pub(super) wake: u64,
}

/// A tick in which something is due.
pub(super) fn think<H: Host>(tree: &Tree<H>, state: &mut TreeState, thought: &mut Thought<'_, H>) -> Status {
    if !tree.fits(state) {
        *state = tree.state();
    }
    let mut run = Run { tree, state, thought, wake: u64::MAX };
    run.judge();
    if tree.watches() {
        let mut changed = run.thought.board.own.dirty;
        let (team, world) = (run.thought.board.team, run.thought.board.world);
        for &index in &tree.shared {
            if team.index_is_newer(index, run.state.seen[1]) || world.index_is_newer(index, run.state.seen[2]) {
                changed.insert_index(index);
            }
        }
        // What leaves write in this tick is news in the next one.
        run.state.seen = [run.thought.board.own.version(), team.version(), world.version()];
        run.resolve(&changed);
    }
    run.thought.board.own.settle();
    let status = run.run(0);
    if status != Status::Running {
        run.wake = run.thought.tick.0.saturating_add(1);
    }
    if tree.watches() {
        run.state.watch = run.watched();
    }
    run.state.wake = Tick(run.wake);
    status
}

impl<H: Host> Run<'_, '_, H> {
    /// Runs a node: starts it, or goes on with it. What most nodes are is dealt with in place.
    #[inline(always)]
    pub(super) fn step(&mut self, at: usize) -> Status {
        let node = &self.tree.nodes[at];
        match &node.kind {
            NodeKind::Check(leaf) => self.check(node.id, leaf),
            NodeKind::Sequence | NodeKind::Selector => self.in_order(at),
            _ => self.run(at),
        }
    }

    #[inline(always)]
    pub(super) fn check(&mut self, id: NodeId, leaf: &ConditionLeaf<H>) -> Status {
        self.thought.node = id;
        if leaf.holds(self.thought) {
            return Status::Success;
        }
        if self.thought.why.is_on() {
            self.refuse_answer(id, leaf);
        }
        Status::Failure
    }

    #[cold]
    fn refuse_answer(&mut self, id: NodeId, leaf: &ConditionLeaf<H>) {
        // Conditions change nothing, so asking again gives the same answer.
        let answer = leaf.check(self.thought);
        self.refuse(id, || Cause::ConditionResult(answer));
    }

    /// Runs a node: starts it, or goes on with it.
    pub(super) fn run(&mut self, at: usize) -> Status {
        use NodeKind as K;
        let tree = self.tree;
        let node = &tree.nodes[at];
        match &node.kind {
            K::Task(leaf) => self.task(at, leaf),
            K::Check(leaf) => self.check(node.id, leaf),
            K::Sequence | K::Selector | K::ReactiveSequence | K::ReactiveSelector => self.in_order(at),
            K::Parallel { .. } => self.parallel(at),
            K::RandomSequence { .. } => self.mixed(at, Status::Success),
            K::RandomSelector { .. } | K::UtilitySelector { .. } => self.mixed(at, Status::Failure),
            K::Test(_) | K::Wait(_) | K::Set { .. } | K::Succeed | K::Fail | K::Idle => self.leaf(at),
            _ => self.decorator(at),
        }
    }

    fn leaf(&mut self, at: usize) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[at];
        match &node.kind {
            NodeKind::Test(test) => {
                if test.holds(&self.thought.board) {
                    return Status::Success;
                }
                if self.thought.why.is_on() {
                    let cause = self.cause(test);
                    self.refuse(node.id, || cause);
                }
                Status::Failure
            }
            NodeKind::Wait(span) => self.wait(at, *span),
            NodeKind::Set { key, value } => {
                let value = value.and_then(|value| value.read(&self.thought.board));
                self.thought.board.put(*key, value);
                Status::Success
            }
            NodeKind::Idle => {
                self.state.activate(at);
                self.thought.because(|| Why::Active { node: node.id });
                Status::Running
            }
            NodeKind::Succeed => Status::Success,
            _ => {
                self.refuse(node.id, || Cause::Failed);
                Status::Failure
            }
        }
    }

    #[inline(always)]
    pub(super) fn refuse(&mut self, node: NodeId, cause: impl FnOnce() -> Cause) {
        self.thought.because(|| Why::Refused { node, cause: cause() });
    }

    pub(super) fn due(&mut self, tick: u64) {
        self.wake = self.wake.min(tick);
    }

    pub(super) fn ticks(&mut self, at: usize, span: Span) -> u64 {
        self.thought.node = self.tree.nodes[at].id;
        span.ticks(self.thought.rate, || self.thought.random(TIME))
    }

    /// Runs the only child; the node runs as long as the child does.
    pub(super) fn child(&mut self, at: usize) -> Status {
        let status = self.step(at + 1);
        self.keep(at, status)
    }

    #[inline(always)]
    pub(super) fn keep(&mut self, at: usize, status: Status) -> Status {
        if status == Status::Running {
            self.state.activate(at);
        } else if self.state.is_active(at) {
            self.state.deactivate(at);
        }
        status
    }

    fn task(&mut self, at: usize, leaf: &TaskLeaf<H>) -> Status {
        let node = &self.tree.nodes[at];
        let word = node.word as usize;
        let (start, length) = (node.slot.0 as usize, node.slot.1 as usize);
        let is_active = self.state.is_active(at);
        if is_active && self.thought.tick.0 < self.state.words[word] {
            self.due(self.state.words[word]);
            self.thought.because(|| Why::Active { node: node.id });
            return Status::Running;
        }
        self.thought.node = node.id;
        self.thought.wake = self.thought.tick + 1;
        let slot = &mut self.state.slots[start..start + length];
        let status = if is_active { leaf.tick(slot, self.thought) } else { leaf.start(slot, self.thought) };
        if status == Status::Running {
            self.state.words[word] = self.thought.wake.0;
            self.due(self.thought.wake.0);
            self.state.activate(at);
            self.thought.because(|| Why::Active { node: node.id });
        } else {
            if is_active {
                self.state.deactivate(at);
            }
            self.thought.because(|| Why::Finished { node: node.id, status });
        }
        status
    }

    fn wait(&mut self, at: usize, span: Span) -> Status {
        let node = &self.tree.nodes[at];
        let word = node.word as usize;
        if !self.state.is_active(at) {
            self.state.words[word] = self.thought.tick.0.saturating_add(self.ticks(at, span));
        }
        let until = self.state.words[word];
        if self.thought.tick.0 >= until {
            return self.keep(at, Status::Success);
        }
        self.due(until);
        self.thought.because(|| Why::Active { node: node.id });
        self.keep(at, Status::Running)
    }

    /// Ends what runs among the nodes from `start` to before `end`, the last first.
    pub(super) fn halt(&mut self, start: usize, end: usize, by: NodeId, cause: impl Fn() -> Cause) {
        for at in (start..end).rev() {
            if !self.state.is_active(at) {
                continue;
            }
            self.state.deactivate(at);
            let node = &self.tree.nodes[at];
            match &node.kind {
                NodeKind::Task(task) => {
                    self.thought.node = node.id;
                    let (start, length) = (node.slot.0 as usize, node.slot.1 as usize);
                    task.abort(&mut self.state.slots[start..start + length], self.thought);
                    self.thought.because(|| Why::Aborted { node: node.id, by, cause: cause() });
                }
                NodeKind::Wait(_) | NodeKind::Idle => {
                    self.thought.because(|| Why::Aborted { node: node.id, by, cause: cause() });
                }
                NodeKind::Cooldown { rest, .. } => self.rest(at, *rest),
                NodeKind::When { .. } => self.state.words[node.word as usize] &= !ENDED,
                _ => {}
            }
        }
    }
}
