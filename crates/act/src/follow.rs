//! Following a path on a navigation mesh: corner by corner, through pushes, moved goals, changed meshes and links.
//!
//! **Method.** A follower keeps the corners of a taut path, drawn a little off the walls (`route`), and the place on
//! the mesh where its body is, which goes along with the body by mesh rays. Each tick it heads for the farthest corner it
//! sees by such a ray (Detour's corridors look ahead in the same spirit), so a push costs nothing as long as something of
//! the path is in sight. Out of sight for long, or held up, it asks for a new path from
//! where it is and goes on by the old one meanwhile. On another version of the mesh (or of what its agent believes of it) it
//! first walks the rest of its path by rays, and asks only if that leads there no more. A goal that moved a little moves the last corner only.
//!
//! **Right of way.** Where the ground is narrow, everybody keeps to the right half of it (`lane`), so that two streams pass
//! each other on a ramp or in a door as two lanes. Alone one does so, too: it costs next to nothing.
//!
//! **Who goes first.** Where two streams stand against each other, all near by make room for the one of the lowest rank for a
//! moment (`precedence`); who is still about one place after that takes the clearest way out of the press, and comes again.
//!
//! **Past others.** Before avoidance, the wish turns to where the way on is clear for longest (`bypass`): round a crowd, not
//! into it.
//!
//! **Stuck** is too little progress along the rest of the path for too long: first it bears aside, then it reports
//! `Blocked` and asks anew, in the end it fails with [`Cause::Stuck`]. Near enough to a goal that another body stands on, it
//! has arrived.
//!
//! **Links** are tasks in three phases: [`Phase::Approach`] to the near end, [`Phase::Traverse`] by what the kind of link
//! asks for, [`Phase::Land`] where the body stands on the far side.
//!
//! **On the mesh.** [`Follower::steer`] gives mutual avoidance the walls of the mesh near by, and cuts what it chose where
//! it would leave the mesh. The mesh is baked for the body, so that the body is a point there.
//!
//! Cost of a tick: two to four mesh rays, one more while held up, and those of `bypass`. Nothing is allocated once a path of
//! full size was taken. Paths come from [`Requests`](sentir_nav::request::Requests): see [`Follower::post`] and
//! [`Follower::take`].

mod bypass;
mod change;
mod config;
mod footing;
mod inquiry;
mod jam;
mod lane;
mod link;
mod motion;
mod precedence;
mod progress;
mod route;
#[cfg(test)]
mod tests;
mod wall;

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::intent::{Actions, Ticket};
use sentir_core::outcome::{Cause, Outcome};
use sentir_core::{State, math, plane};
use sentir_nav::mesh::{AreaCosts, LinkId, Mesh, MeshPoint};

use crate::mover::{Mover, Moving};
use crate::steer::{Deceleration, arrive_velocity};
use footing::{Footing, Spot};
use inquiry::{Inquiry, Need};
use jam::Jam;
use motion::Motion;
use progress::Progress;
use route::Route;

pub use config::{FollowConfig, SteerConfig};
pub use motion::Neighborhood;
pub use wall::{WallList, walls_near};

/// Corners that a follower keeps at most; of a longer path the rest is asked for when it comes near.
pub const CORNERS_MAX: usize = 128;

/// What is walked on.
#[derive(Clone, Copy, Debug)]
pub struct MeshGround<'a> {
    /// The mesh, baked for this kind of body.
    pub mesh: &'a Mesh,
    /// Its version: another number whenever polygons, or the costs below, may have changed.
    pub version: u32,
    /// What may be entered.
    pub costs: &'a AreaCosts,
}

/// What a follower reads of its body in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Where the feet are, m.
    pub position: Vec3,
    /// Velocity on the ground, m/s.
    pub velocity: Vec2,
    /// Whether the feet are on the ground.
    pub is_grounded: bool,
    /// How fast to go, m/s.
    pub pace_m_per_s: f32,
    /// How near counts as there, m.
    pub arrive_m: f32,
    /// Length of a tick, s.
    pub tick_s: f32,
}

/// What a follower does at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Phase {
    /// Nothing to do.
    #[default]
    Idle,
    /// Waits for its path.
    Waiting,
    /// Walks along it.
    Walking,
    /// Goes to the near end of a link.
    Approach(LinkId),
    /// Is on a link.
    Traverse(LinkId),
    /// Has just left a link.
    Land(LinkId),
}

/// What to do in this tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advice {
    /// The velocity it would take if it were alone, m/s.
    pub wanted: Vec2,
    /// What links ask of hands and feet.
    pub actions: Actions,
    /// What became of the wish, if that was settled now.
    pub outcome: Option<Outcome>,
}

/// Somebody on the way. Plain state; a few hundred bytes and the corners.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Follower {
    ticket: Ticket,
    goal: Vec3,
    phase: Phase,
    inquiry: Inquiry,
    footing: Footing,
    route: Route,
    progress: Progress,
    motion: Motion,
    jam: Jam,
}

impl Follower {
    /// Wants to be at a goal. The same ticket and goal again change nothing; another goal near by keeps the path.
    pub fn go(&mut self, ticket: Ticket, goal: Vec3, config: &FollowConfig) {
        if self.ticket == ticket && (self.goal == goal || !goal.is_finite()) {
            return;
        }
        let is_near = self.goal.distance(goal) < config.goal_slack_m;
        (self.ticket, self.goal, self.inquiry.failed) = (ticket, goal, None);
        self.progress.start_over();
        if !goal.is_finite() {
            self.goal = Vec3::ZERO;
            self.drop_path();
            (self.inquiry.failed, self.phase, self.inquiry.need) =
                (Some(Cause::BadGoal), Phase::Waiting, Need::Nothing);
        } else if is_near && !self.route.is_empty() {
            self.route.is_moved = true;
        } else if matches!(self.phase, Phase::Traverse(_)) {
            // In the air one cannot turn round: the goal is looked at on the far side.
            self.route.is_moved = true;
        } else {
            self.drop_path();
            (self.phase, self.inquiry.need) = (Phase::Waiting, Need::Path);
        }
    }

    /// Wants to be nowhere: the path and an open request are given up.
    pub fn stop(&mut self) {
        self.drop_path();
        (self.ticket, self.phase) = (Ticket::default(), Phase::Idle);
        (self.inquiry.need, self.inquiry.failed) = (Need::Nothing, None);
    }

    /// What it does.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The corners still ahead, the next first.
    pub fn ahead(&self) -> &[Vec3] {
        self.route.ahead()
    }

    /// For how many ticks it has made no progress.
    pub fn stall_ticks(&self) -> u32 {
        self.progress.stall
    }

    /// Where on the mesh it is; none before the first tick and far off the mesh.
    pub fn place(&self) -> Option<MeshPoint> {
        self.footing.place
    }

    /// Length of its path as the search found it, m; 0 before it has one.
    pub fn length_m(&self) -> f32 {
        self.progress.length_m
    }

    /// What is left of the path from a point, m; 0 without one.
    pub fn rest_m(&self, position: Vec3) -> f32 {
        self.route.rest_m(position)
    }

    fn drop_path(&mut self) {
        self.route.clear();
        self.progress.begin_path();
    }

    /// One tick: where to head, before avoidance.
    pub fn step(&mut self, ground: &MeshGround<'_>, me: &Walk, config: &FollowConfig) -> Advice {
        if !me.position.is_finite() {
            return Advice::default();
        }
        if self.footing.track(ground, me.position, config) {
            self.look_again(ground);
        }
        if self.phase == Phase::Idle {
            return Advice::default();
        }
        if let Some(cause) = self.inquiry.failed.take() {
            return self.settle(Some(cause));
        }
        let give_up = math::max(config.give_up_s / math::max(me.tick_s, 1e-4), 1.0) as u32;
        let Some(spot) = self.footing.spot(ground) else {
            // Off the mesh altogether: nothing to head for, but perhaps it is brought back.
            let stall = &mut self.progress.stall;
            *stall = stall.saturating_add(1);
            return if *stall > give_up { self.settle(Some(Cause::BadStart)) } else { Advice::default() };
        };
        if self.route.is_moved && !matches!(self.phase, Phase::Traverse(_)) {
            self.mend_goal(ground);
        }
        if self.route.is_empty() {
            return match spot.sees(self.goal) {
                true => self.walk_straight(spot.place, me, config),
                false => Advice::default(),
            };
        }
        match self.phase {
            Phase::Approach(id) | Phase::Traverse(id) | Phase::Land(id) => self.pass_link(id, ground, me, config),
            _ => self.walk(spot, me, config),
        }
    }

    /// The wish is over: the outcome, and nothing left of it.
    fn settle(&mut self, cause: Option<Cause>) -> Advice {
        let ticket = self.ticket;
        let outcome = cause.map_or(Outcome::Arrived { ticket }, |cause| Outcome::Failed { ticket, cause });
        self.drop_path();
        (self.phase, self.inquiry.need, self.progress.stall) = (Phase::Idle, Need::Nothing, 0);
        Advice { outcome: Some(outcome), ..Advice::default() }
    }

    /// The goal is in sight: no search is needed.
    fn walk_straight(&mut self, place: MeshPoint, me: &Walk, config: &FollowConfig) -> Advice {
        self.route.lead_straight(place.point, self.goal);
        (self.phase, self.inquiry.need) = (Phase::Walking, Need::Nothing);
        (self.progress.best_m, self.progress.length_m) = (f32::MAX, place.point.distance(self.goal));
        let wanted = head_for(&Heading { place, target: self.goal, is_end: true }, me, config);
        Advice { wanted, ..Advice::default() }
    }

    /// Moves the end of the path to where the goal is now, if it is in sight of the corner before; else asks anew.
    fn mend_goal(&mut self, ground: &MeshGround<'_>) {
        if self.route.mend(self.goal, ground) {
            (self.progress.best_m, self.inquiry.need) = (f32::MAX, Need::Nothing);
        } else {
            self.inquiry.need = Need::Path;
        }
    }

    fn walk(&mut self, spot: Spot<'_>, me: &Walk, config: &FollowConfig) -> Advice {
        let is_seen = self.route.advance(spot, me.position, self.inquiry.need == Need::Repair);
        let is_lost = self.progress.is_lost(is_seen, me.tick_s, config);
        if (is_lost || self.route.is_at_cut()) && self.inquiry.need == Need::Nothing {
            self.inquiry.need = Need::Repair;
            self.progress.lost = 0;
        }
        let target = self.route.target();
        let distance = plane::ground(me.position).distance(plane::ground(target));
        if let Some(id) = self.route.next_hop()
            && distance < 4.0 * config.link_m
        {
            (self.phase, self.progress.linked) = (Phase::Approach(id), 0);
        }
        let rest_m = self.rest_m(me.position);
        self.progress.measure(rest_m, config);
        let is_end = self.route.is_at_end() && self.inquiry.need != Need::Path;
        let is_level = (me.position.y - target.y).abs() <= LEVEL_M;
        let is_content = distance < config.near_enough_m && self.progress.is_content(me.tick_s, config);
        if is_end && is_level && (distance <= me.arrive_m || is_content) {
            return self.settle(None);
        }
        if self.progress.is_stuck(rest_m, me.tick_s, config) {
            return self.settle(Some(Cause::Stuck));
        }
        let wanted = head_for(&Heading { place: spot.place, target, is_end }, me, config);
        let mut advice = Advice { wanted, ..Advice::default() };
        if !is_end || distance > lane::FREE_M {
            advice.wanted = lane::keep_right(spot, advice.wanted, distance, config.passage_m);
        }
        self.back_off(&mut advice, me, config);
        advice
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_sound = self.route.is_sound() && self.goal.is_finite();
        if is_sound { Ok(()) } else { Err("a follower's path does not hold together") }
    }
}

/// Where to head from a place on the mesh.
struct Heading {
    place: MeshPoint,
    /// The corner it heads for, m.
    target: Vec3,
    /// Whether it stops there.
    is_end: bool,
}

/// The velocity toward a corner, m/s; back onto the mesh first, if it is off.
fn head_for(heading: &Heading, me: &Walk, config: &FollowConfig) -> Vec2 {
    let here = plane::ground(me.position);
    let back = plane::ground(heading.place.point) - here;
    let there = plane::ground(heading.target);
    if back.length() > OFF_M {
        plane::direction(plane::direction(back) * 2.0 + plane::direction(there - here)) * me.pace_m_per_s
    } else if heading.is_end {
        let mover = Mover {
            at: Moving { position: here, velocity: me.velocity, ..Moving::default() },
            speed_m_per_s_max: me.pace_m_per_s,
            acceleration_m_per_s2_max: config.acceleration_m_per_s2,
            ..Mover::default()
        };
        arrive_velocity(&mover, there, Deceleration::Fast)
    } else {
        plane::direction(there - here) * me.pace_m_per_s
    }
}

/// A ray that ends this near to a point has reached it, m.
const SEEN_M: f32 = 0.05;
/// Points of one place differ by less than this in height, m.
const LEVEL_M: f32 = 1.2;
/// Off the mesh by less than this is on it, m.
const OFF_M: f32 = 0.05;
/// Slower than this is standing, m/s.
const STILL_M_PER_S: f32 = 0.05;
