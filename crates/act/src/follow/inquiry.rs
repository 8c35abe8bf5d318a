//! Between a follower and the queue of requests: how it asks for a path, and what it makes of the answer.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::outcome::Cause;
use sentir_core::tick::Tick;
use sentir_nav::request::{Failure, Reply, Request, RequestConfig, RequestId, Requests};

use super::{FollowConfig, Follower, MeshGround, Phase};

/// Priority of who stands and waits, and of who has a path for the time being.
const WAITING: u8 = 192;
const REPAIR: u8 = 128;

/// What it wants from the queue of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(super) enum Need {
    #[default]
    Nothing,
    /// A path; it has none, or one to another goal.
    Path,
    /// Another path to the same goal.
    Repair,
}

/// What it asks for.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Inquiry {
    pub(super) need: Need,
    /// The open request, and the goal it is for.
    request: RequestId,
    asked: Vec3,
    /// Why the wish failed; told in the next tick.
    pub(super) failed: Option<Cause>,
}

impl Follower {
    /// Brings what it needs to the queue: asks, asks anew for a goal that moved, takes back what it needs no more. To be
    /// called once a tick, after the steps of all, for agent after agent. Goal and priority are the follower's, the rest of
    /// the request is the caller's.
    pub fn post(&mut self, request: Request, requests: &mut Requests, now: Tick, config: &RequestConfig) {
        // What somebody else took back is asked for anew.
        let open = self.inquiry.request;
        let is_open = open != RequestId::default() && requests.is_open(open);
        if self.inquiry.need == Need::Nothing {
            if is_open {
                requests.cancel(open);
                self.inquiry.request = RequestId::default();
            }
            return;
        }
        if is_open && self.inquiry.asked == self.goal {
            return;
        }
        if matches!(self.phase, Phase::Traverse(_)) {
            // From mid-air no path leads on: it is asked for on the far side.
            return;
        }
        let priority = if self.route.is_empty() { WAITING } else { REPAIR };
        let request = Request { priority, to: self.goal, ..request };
        let answer = match is_open {
            true => requests.supersede(open, request, now, config),
            false => requests.submit(request, now, config),
        };
        // Refused for the quota: the need stays, and so it asks again in the next tick.
        (self.inquiry.request, self.inquiry.asked) = (answer.unwrap_or_default(), self.goal);
    }

    /// Takes an answer. One that it does not wait for (any more) changes nothing.
    pub fn take(&mut self, reply: &Reply<'_>, ground: &MeshGround<'_>, config: &FollowConfig) {
        if reply.id != self.inquiry.request || reply.id == RequestId::default() {
            return;
        }
        self.inquiry.request = RequestId::default();
        if matches!(self.phase, Phase::Traverse(_) | Phase::Idle) {
            // In the air, or done: what is needed then is asked for then.
            return;
        }
        let need = std::mem::take(&mut self.inquiry.need);
        match reply.failure {
            None if reply.path.is_empty() => self.inquiry.failed = Some(Cause::NoPath),
            None => {
                self.drop_path();
                self.route.install(reply, ground, config);
                (self.phase, self.progress.length_m) = (Phase::Walking, reply.cost as f32);
                if need == Need::Repair {
                    // Another path is no progress yet.
                    self.progress.best_m = self.rest_m(self.route.start());
                }
            }
            // With a path in hand, want of budget is no reason to give up.
            Some(Failure::OutOfBudget) if need == Need::Repair && !self.route.is_empty() => {}
            Some(failure) => self.inquiry.failed = Some(cause_of(failure)),
        }
    }
}

/// The cause that the outcome of a wish names.
fn cause_of(failure: Failure) -> Cause {
    match failure {
        Failure::BadGoal => Cause::BadGoal,
        Failure::NoPath => Cause::NoPath,
        Failure::BadStart => Cause::BadStart,
        Failure::OutOfBudget | Failure::Quota | Failure::Cancelled | Failure::Superseded | Failure::RequesterGone => {
            Cause::OutOfBudget
        }
    }
}
