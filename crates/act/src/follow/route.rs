//! Paths of a follower: how it asks for one, and what it makes of the answer.

use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::outcome::Cause;
use sentir_core::tick::Tick;
use sentir_core::{math, plane};
use sentir_nav::request::{Failure, Reply, Request, RequestConfig, RequestId, Requests};

use super::{CORNERS_MAX, FollowConfig, Follower, Ground, Need, Phase, change, lane};

/// Priority of who stands and waits, and of who has a path for the time being.
const WAITING: u8 = 192;
const REPAIR: u8 = 128;
/// A turn as slight as this needs no room, as the difference of two unit vectors.
const SLIGHT: f32 = 0.1;
/// The most room that anybody takes at a corner, as a multiple of the least: streams spread.
const SPREAD: f32 = 4.0;

impl Follower {
    /// Brings what it needs to the queue: asks, asks anew for a goal that moved, takes back what it needs no more. To be
    /// called once a tick, after the steps of all, for agent after agent.
    pub fn post(&mut self, agent: AgentId, from: Vec3, requests: &mut Requests, now: Tick, config: &RequestConfig) {
        self.post_by(agent, (from, 0), requests, now, config);
    }

    /// The same by a table of costs of its own: `from` has where it is and the number of the table, as
    /// [`Request::costs`] has it.
    pub fn post_by(
        &mut self,
        agent: AgentId,
        (from, costs): (Vec3, u16),
        requests: &mut Requests,
        now: Tick,
        config: &RequestConfig,
    ) {
        let request = Request { costs, ..Request::new(agent, from, self.goal) };
        self.post_as(request, requests, now, config);
    }

    /// The same by any request: goal and priority are the follower's, the rest is the caller's.
    pub fn post_as(&mut self, request: Request, requests: &mut Requests, now: Tick, config: &RequestConfig) {
        // What somebody else took back is asked for anew.
        let is_open = self.request != RequestId::default() && requests.is_open(self.request);
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
        if matches!(self.phase, Phase::Traverse(_)) {
            // From mid-air no path leads on: it is asked for on the far side.
            return;
        }
        let priority = if self.path.is_empty() { WAITING } else { REPAIR };
        let request = Request { priority, to: self.goal, ..request };
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
        (self.phase, self.length_m) = (Phase::Walking, reply.cost as f32);
        let goal = self.path.last().copied().unwrap_or_default();
        self.widen(ground, config, share_of(reply.agent.to_bits(), goal));
    }

    /// Takes corners a little off the walls, or to the right half of a passage, where there is room and all stays in sight.
    /// `share` is its own place within that half, from 0, the middle, to 1.
    fn widen(&mut self, ground: &Ground<'_>, config: &FollowConfig, share: f32) {
        let mut before = self.path[0];
        for number in 1..self.path.len().saturating_sub(1) {
            let bend = [before, self.path[number], self.path[number + 1]];
            if self.hop_at(number).is_none() && self.hop_at(number - 1).is_none() {
                let fits = |corner: &Vec3| self.is_passable(ground, [bend[0], *corner, bend[2]]);
                let lane = lane::beside(bend, ground, config.passage_m, share).filter(fits);
                // As much room as there is, at least a little: along a border nothing is in sight.
                let rooms = [math::lerp(1.0, SPREAD, share), 1.0, 0.5, 0.2].map(|part| part * config.corner_m);
                let wide = || rooms.into_iter().find_map(|room_m| wider(bend, ground, room_m).filter(fits));
                if let Some(corner) = lane.or_else(wide) {
                    self.path[number] = corner;
                }
            }
            before = self.path[number];
        }
    }

    /// Whether both legs of a bend can be walked straight.
    fn is_passable(&self, ground: &Ground<'_>, [before, corner, next]: [Vec3; 3]) -> bool {
        let place = |point: Vec3| change::locate(ground, point);
        place(before).is_some_and(|from| self.sees(ground, from, corner))
            && place(corner).is_some_and(|from| self.sees(ground, from, next))
    }
}

/// A share in 0..1 of one's own, by who goes where. Not by the number of the request: that counts what others ask, too, and
/// nobody is to know.
fn share_of(agent: u64, goal: Vec3) -> f32 {
    let place = goal.x.to_bits() ^ goal.z.to_bits().rotate_left(16);
    let bits = place ^ (agent as u32) ^ ((agent >> 32) as u32).rotate_left(8);
    (bits.wrapping_mul(0x9e37_79b9) >> 8) as f32 / (1 << 24) as f32
}

/// The corner moved outward, away from what the path bends round; half of the room where there is less than wanted.
fn wider([before, corner, next]: [Vec3; 3], ground: &Ground<'_>, room_m: f32) -> Option<Vec3> {
    let [a, b, c] = [before, corner, next].map(plane::ground);
    let turn = plane::direction(b - a) - plane::direction(c - b);
    if turn.length() < SLIGHT {
        return None;
    }
    let place = change::locate(ground, corner)?;
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
        Failure::BadStart => Cause::BadStart,
        Failure::OutOfBudget | Failure::Quota | Failure::Cancelled | Failure::Superseded | Failure::RequesterGone => {
            Cause::OutOfBudget
        }
    }
}
