//! One thing done at a time, with a reaction time between wanting another and turning to it. Utility, decision trees and
//! rules stand on it.

use sentir_core::State;
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use crate::leaf::{Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};
use crate::work::{Running, Work};

/// Chance of the reaction time.
const REACTION: Purpose = Purpose::new("reaction");

/// Things that may end within one thought.
const ENDS_MAX: usize = 8;

/// Something that can be done.
#[derive(Clone, Debug)]
pub(crate) struct Act<H: Host> {
    pub(crate) id: NodeId,
    pub(crate) task: TaskLeaf<H>,
}

/// What is done now, and what else is wanted: part of an agent's block.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct CurrentTask {
    current: Option<u16>,
    /// Wanted instead, from `react_at` on.
    pending: Option<u16>,
    react_at: Tick,
    work: Work,
}

impl CurrentTask {
    pub(crate) fn new<H: Host>(acts: &[Act<H>]) -> CurrentTask {
        CurrentTask { work: Work::new(acts.iter().map(|act| &act.task)), ..CurrentTask::default() }
    }

    /// What is done now, by number.
    pub fn current(&self) -> Option<u16> {
        self.current
    }

    /// What is about to be done instead, by number.
    pub(crate) fn pending(&self) -> Option<u16> {
        self.pending
    }

    /// Whether it fits so many acts; a block from outside may not.
    pub(crate) fn fits(&self, count: usize) -> bool {
        [self.current, self.pending].into_iter().flatten().all(|one| usize::from(one) < count)
            && (self.current.is_some() || !self.work.is_running())
    }

    /// Wants something done: turns to it now, or when the reaction time has passed. With
    /// nothing at work it begins at once, and stopping takes no time.
    pub(crate) fn want<H: Host>(
        &mut self,
        acts: &[Act<H>],
        wanted: Option<u16>,
        delay: Span,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        thought: &mut Thought<'_, H>,
    ) {
        if self.current == wanted {
            self.pending = None;
            return;
        }
        let id = wanted.map_or(NodeId::NONE, |one| acts[usize::from(one)].id);
        if self.current.is_some() && wanted.is_some() && delay != Span::default() {
            if self.pending != wanted {
                self.pending = wanted;
                thought.node = id;
                self.react_at = thought.tick + delay.ticks(thought.rate, || thought.random(REACTION));
            }
            if thought.tick < self.react_at {
                let until = self.react_at;
                thought.because(|| Why::Refused { node: id, cause: Cause::Cooldown { until } });
                return;
            }
        }
        self.abort(acts, id, cause, thought);
        self.current = wanted;
        self.pending = None;
    }

    /// Wants and does, as long as ends make room for something else: `choose` is asked again after each. What ended is not
    /// begun again in the same thought.
    pub(crate) fn follow<H: Host>(
        &mut self,
        acts: &[Act<H>],
        delay: Span,
        mut choose: impl FnMut(&mut Thought<'_, H>) -> (Option<u16>, Cause),
        thought: &mut Thought<'_, H>,
    ) -> Status {
        let mut ended = [u16::MAX; ENDS_MAX];
        let mut status = Status::Failure;
        for count in 0..ENDS_MAX {
            let (wanted, cause) = choose(thought);
            if wanted.is_some_and(|one| ended[..count].contains(&one)) {
                break;
            }
            self.want(acts, wanted, delay, |_| cause, thought);
            let Some(current) = self.current else { return Status::Failure };
            status = self.run(acts, thought);
            if status == Status::Running {
                break;
            }
            ended[count] = current;
        }
        status
    }

    /// Does what is to be done. When it ends, nothing is at work.
    pub(crate) fn run<H: Host>(&mut self, acts: &[Act<H>], thought: &mut Thought<'_, H>) -> Status {
        let Some(current) = self.current else { return Status::Failure };
        let act = &acts[usize::from(current)];
        let status = self.work.tick(&act.task, act.id, thought);
        if status != Status::Running {
            self.current = None;
        }
        status
    }

    /// Goes over to another version of a brain: what is done goes on if it is there. `partners` says for each new act which
    /// old one it is.
    pub(crate) fn adopt<H: Host>(
        &mut self,
        old: &[Act<H>],
        new: &[Act<H>],
        partners: impl IntoIterator<Item = Option<usize>>,
        thought: &mut Thought<'_, H>,
    ) {
        let fresh = CurrentTask::new(new);
        let Some((was, act)) = self.current.and_then(|one| Some((usize::from(one), old.get(usize::from(one))?))) else {
            *self = fresh;
            return;
        };
        let found = partners.into_iter().position(|partner| partner == Some(was));
        let task = found.map(|at| &new[at].task);
        let goes_on = self.work.adopt(fresh.work, &Running { task: &act.task, node: act.id }, task, thought);
        // As many as there were when the brain was built.
        self.current = found.filter(|_| goes_on).map(|at| at as u16);
        self.pending = None;
    }

    pub(crate) fn abort<H: Host>(
        &mut self,
        acts: &[Act<H>],
        by: NodeId,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        thought: &mut Thought<'_, H>,
    ) {
        if let Some(current) = self.current.take() {
            let act = &acts[usize::from(current)];
            self.work.abort(&act.task, act.id, by, cause, thought);
        }
    }
}

/// For each new act the old one with the same id: for brains whose acts have names of their own.
pub(crate) fn by_id<'a, H: Host>(old: &'a [Act<H>], new: &'a [Act<H>]) -> impl Iterator<Item = Option<usize>> + 'a {
    new.iter().map(|act| old.iter().position(|one| one.id == act.id))
}
