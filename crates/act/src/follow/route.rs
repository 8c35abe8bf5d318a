//! Paths of a follower: how it asks for one, and what it makes of the answer.

use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::outcome::Cause;
use sentir_core::plane;
use sentir_core::tick::Tick;
use sentir_nav::request::{Failure, Reply, Request, RequestConfig, RequestId, Requests};

use super::{CORNERS_MAX, FollowConfig, Follower, Ground, LEVEL_M, Need, Phase};

/// Priority of who stands and waits, and of who has a path for the time being.
const WAITING: u8 = 192;
const REPAIR: u8 = 128;
/// A turn as slight as this needs no room, as the difference of two unit vectors.
const SLIGHT: f32 = 0.1;

impl Follower {
    /// Brings what it needs to the queue: asks, asks anew for a goal that moved, takes back what it needs no more. To be
    /// called once a tick, after the steps of all, for agent after agent.
    pub fn post(&mut self, agent: AgentId, from: Vec3, requests: &mut Requests, now: Tick, config: &RequestConfig) {
        let is_open = self.request != RequestId::default();
        if self.need == Need::Nothing {
            if is_open {
                requests.cancel(self.request);
                self.request = RequestId::default();
            }
            return;
        }
        if is_open && self.asked == self.goal {
            return;
        }
        let priority = if self.path.is_empty() { WAITING } else { REPAIR };
        let request = Request { priority, ..Request::new(agent, from, self.goal) };
        let answer = match is_open {
            true => requests.supersede(self.request, request, now, config),
            false => requests.submit(request, now, config),
        };
        // Refused for the quota: the need stays, and so it asks again in the next tick.
        self.request = answer.unwrap_or_default();
        self.asked = self.goal;
    }

    /// Takes an answer. One that it does not wait for (any more) changes nothing.
    pub fn take(&mut self, reply: &Reply<'_>, ground: &Ground<'_>, config: &FollowConfig) {
        if reply.id != self.request || reply.id == RequestId::default() {
            return;
        }
        self.request = RequestId::default();
        if matches!(self.phase, Phase::Traverse(_) | Phase::Idle) {
            // In the air, or done: what is needed then is asked for then.
            return;
        }
        let need = std::mem::take(&mut self.need);
        match reply.failure {
            None if reply.path.is_empty() => self.failed = Some(Cause::NoPath),
            None => {
                self.install(reply, ground, config);
                if need == Need::Repair {
                    // Another path is no progress yet.
                    self.best_m = self.rest_m(self.path[0]);
                }
            }
            // With a path in hand, want of budget is no reason to give up.
            Some(Failure::OutOfBudget) if need == Need::Repair && !self.path.is_empty() => {}
            Some(failure) => self.failed = Some(cause_of(failure)),
        }
    }

    fn install(&mut self, reply: &Reply<'_>, ground: &Ground<'_>, config: &FollowConfig) {
        self.drop_path();
        // Room for the longest path at once, so that later ones find it.
        self.path.reserve(CORNERS_MAX);
        self.hops.reserve(CORNERS_MAX / 8);
        let count = reply.path.len().min(CORNERS_MAX);
        self.path.extend(&reply.path[..count]);
        self.is_cut = count < reply.path.len();
        for &(corner, link) in reply.links.iter().take(CORNERS_MAX / 8) {
            if (corner as usize) + 1 < count {
                self.hops.push((corner, link));
            }
        }
        if self.path.len() == 1 {
            self.path.push(self.path[0]);
        }
        self.at = if self.hop_at(0).is_some() { 0 } else { 1 };
        self.phase = Phase::Walking;
        self.widen(ground, config);
    }

    /// Takes corners a little off the walls, where there is room and all stays in sight.
    fn widen(&mut self, ground: &Ground<'_>, config: &FollowConfig) {
        let mut before = self.path[0];
        for number in 1..self.path.len().saturating_sub(1) {
            let corner = self.path[number];
            let next = self.path[number + 1];
            let is_link = self.hop_at(number).is_some() || self.hop_at(number - 1).is_some();
            let wide = if is_link { None } else { wider([before, corner, next], ground, config.corner_m) };
            if let Some(wide) = wide
                && let (Some(from), Some(to)) = (ground.mesh.locate(before, LEVEL_M), ground.mesh.locate(wide, LEVEL_M))
                && self.sees(ground, from, wide)
                && self.sees(ground, to, next)
            {
                self.path[number] = wide;
            }
            before = self.path[number];
        }
    }
}

/// The corner moved outward, away from what the path bends round; half of the room where there is less than wanted.
fn wider([before, corner, next]: [Vec3; 3], ground: &Ground<'_>, room_m: f32) -> Option<Vec3> {
    let [a, b, c] = [before, corner, next].map(plane::ground);
    let turn = plane::direction(b - a) - plane::direction(c - b);
    if turn.length() < SLIGHT {
        return None;
    }
    let place = ground.mesh.locate(corner, LEVEL_M)?;
    let out = b + plane::direction(turn) * room_m * 2.0;
    let ray = ground.mesh.ray(place, plane::lift(out, corner.y), ground.costs)?;
    let wide = b + (out - b) * (ray.share * 0.5);
    let ray = ground.mesh.ray(place, plane::lift(wide, corner.y), ground.costs)?;
    Some(ray.place.point)
}

/// The cause that the outcome of a wish names.
fn cause_of(failure: Failure) -> Cause {
    match failure {
        Failure::BadGoal => Cause::BadGoal,
        Failure::NoPath => Cause::NoPath,
        // It is where nobody can walk from.
        Failure::BadStart => Cause::Stuck,
        Failure::OutOfBudget | Failure::Quota | Failure::Cancelled | Failure::Superseded | Failure::RequesterGone => {
            Cause::OutOfBudget
        }
    }
}
