//! Decorators: whether, how long and how often their child runs, and what its end means.

use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::NodeKind;
use super::observe::{ENDED, asked};
use super::run::Run;
use crate::leaf::{Host, Status};
use crate::span::Span;
use crate::why::{Cause, Why};

const CHANCE: Purpose = Purpose::new("tree chance");

impl<H: Host> Run<'_, '_, H> {
    pub(super) fn decorator(&mut self, at: usize) -> Status {
        use NodeKind as K;
        match &self.tree.nodes[at].kind {
            K::Invert => match self.child(at) {
                Status::Success => Status::Failure,
                Status::Failure => Status::Success,
                Status::Running => Status::Running,
            },
            K::ForceSuccess => self.child(at).or(Status::Success),
            K::ForceFailure => self.child(at).or(Status::Failure),
            K::Loop => match self.child(at) {
                Status::Running => Status::Running,
                _ => self.once_more(at),
            },
            K::UntilSuccess => match self.child(at) {
                Status::Failure => self.once_more(at),
                other => other,
            },
            K::UntilFailure => match self.child(at) {
                Status::Success => self.once_more(at),
                Status::Failure => Status::Success,
                Status::Running => Status::Running,
            },
            K::Repeat { times } => self.counted(at, Status::Success, times.saturating_sub(1)),
            K::Catch { restarts } => self.counted(at, Status::Failure, *restarts),
            K::When { .. } if self.state.is_active(at) => self.when(at),
            K::When { .. } | K::If { .. } | K::Probability { .. } | K::RunLimit { .. } => {
                if self.state.is_active(at) || self.admits(at) { self.child(at) } else { Status::Failure }
            }
            K::Log | K::Breakpoint => {
                if !self.state.is_active(at) {
                    self.note(at);
                }
                self.child(at)
            }
            K::Cooldown { rest, .. } => self.cooldown(at, *rest),
            K::TimeLimit { limit } => self.time_limit(at, *limit),
            K::Delay { wait } => self.delay(at, *wait),
            _ => self.service(at),
        }
    }

    /// A `when` whose branch runs.
    fn when(&mut self, at: usize) -> Status {
        let word = self.tree.nodes[at].word as usize;
        if self.state.words[word] & ENDED != 0 {
            self.state.words[word] &= !ENDED;
            return self.keep(at, Status::Failure);
        }
        self.child(at)
    }

    fn delay(&mut self, at: usize, span: Span) -> Status {
        let word = self.tree.nodes[at].word as usize;
        if !self.state.is_active(at) {
            self.state.words[word] = self.thought.tick.0.saturating_add(self.ticks(at, span));
        }
        let until = self.state.words[word];
        if self.thought.tick.0 < until {
            self.due(until);
            return self.keep(at, Status::Running);
        }
        self.child(at)
    }

    fn time_limit(&mut self, at: usize, limit: Span) -> Status {
        let node = &self.tree.nodes[at];
        let word = node.word as usize;
        if !self.state.is_active(at) {
            self.state.words[word] = self.thought.tick.0.saturating_add(self.ticks(at, limit));
        } else if self.thought.tick.0 >= self.state.words[word] {
            let up = Tick(self.state.words[word]);
            self.halt(at + 1, node.end.into(), node.id, || Cause::TimeLimit { at: up });
            self.refuse(node.id, || Cause::TimeLimit { at: up });
            return self.keep(at, Status::Failure);
        }
        let status = self.child(at);
        if status == Status::Running {
            self.due(self.state.words[word].max(self.thought.tick.0.saturating_add(1)));
        }
        status
    }

    fn cooldown(&mut self, at: usize, rest: Span) -> Status {
        let node = &self.tree.nodes[at];
        let word = node.word as usize;
        let until = self.state.words[word];
        if !self.state.is_active(at) && self.thought.tick.0 < until {
            self.refuse(node.id, || Cause::Cooldown { until: Tick(until) });
            return Status::Failure;
        }
        let status = self.child(at);
        if status != Status::Running {
            self.rest(at, rest);
        }
        status
    }

    pub(super) fn rest(&mut self, at: usize, rest: Span) {
        let ticks = self.ticks(at, rest).max(1);
        self.state.words[self.tree.nodes[at].word as usize] = self.thought.tick.0.saturating_add(ticks);
    }

    fn service(&mut self, at: usize) -> Status {
        let node = &self.tree.nodes[at];
        let NodeKind::Service { service, period } = &node.kind else { return Status::Failure };
        let word = node.word as usize;
        let slots = node.slot.0 as usize..(node.slot.0 + node.slot.1) as usize;
        let is_active = self.state.is_active(at);
        if !is_active || self.thought.tick.0 >= self.state.words[word] {
            self.thought.node = node.id;
            let slot = &mut self.state.slots[slots];
            if is_active {
                service.run(slot, self.thought);
            } else {
                service.start(slot, self.thought);
            }
            let ticks = self.ticks(at, *period).max(1);
            self.state.words[word] = self.thought.tick.0.saturating_add(ticks);
        }
        let status = self.child(at);
        if status == Status::Running {
            self.due(self.state.words[word]);
        }
        status
    }

    /// Whether a node lets its child start.
    fn admits(&mut self, at: usize) -> bool {
        let node = &self.tree.nodes[at];
        let word = node.word as usize;
        self.thought.node = node.id;
        let cause = match &node.kind {
            NodeKind::When { test, .. } => {
                let holds = test.holds(&self.thought.board);
                self.state.words[word] = asked(holds, self.thought.tick);
                if holds {
                    return true;
                }
                if !self.thought.why.is_on() {
                    return false;
                }
                self.cause(test)
            }
            NodeKind::If { condition } => match condition.check(self.thought) {
                answer if answer.held => return true,
                answer => Cause::ConditionResult(answer),
            },
            NodeKind::Probability { chance } => match self.thought.random(CHANCE).unit() {
                drawn if drawn < *chance => return true,
                drawn => Cause::Chance { drawn, below: *chance },
            },
            NodeKind::RunLimit { runs } => {
                if self.state.words[word] < u64::from(*runs) {
                    self.state.words[word] += 1;
                    return true;
                }
                Cause::RunLimit { runs: *runs }
            }
            _ => return true,
        };
        self.refuse(node.id, || cause);
        false
    }

    fn note(&mut self, at: usize) {
        let node = &self.tree.nodes[at];
        let id = node.id;
        if matches!(node.kind, NodeKind::Breakpoint) {
            self.thought.breakpoint = Some(id);
            self.thought.because(|| Why::Breakpoint { node: id });
        } else {
            self.thought.because(|| Why::Logged { node: id });
        }
    }

    /// The child ended, and starts again in the next tick.
    fn once_more(&mut self, at: usize) -> Status {
        self.state.activate(at);
        self.due(self.thought.tick.0.saturating_add(1));
        Status::Running
    }

    /// Starts its child again after that `end`, so many times in one run.
    fn counted(&mut self, at: usize, end: Status, times: u32) -> Status {
        let word = self.tree.nodes[at].word as usize;
        if !self.state.is_active(at) {
            self.state.words[word] = 0;
        }
        let status = self.child(at);
        if status == end && self.state.words[word] < u64::from(times) {
            self.state.words[word] += 1;
            return self.once_more(at);
        }
        status
    }
}

impl Status {
    /// The other status for any end.
    fn or(self, ended: Status) -> Status {
        if self == Status::Running { Status::Running } else { ended }
    }
}
