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
mod lane;
mod link;
mod precedence;
mod route;
#[cfg(test)]
mod tests;
mod wall;

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::intent::{Actions, Ticket};
use sentir_core::outcome::{Cause, Outcome};
use sentir_core::{State, math, plane};
use sentir_nav::mesh::{AreaCosts, LinkId, Mesh, Place};
use sentir_nav::request::RequestId;

use crate::mover::{Mover, Moving};
use crate::steer::{Deceleration, arrive_velocity};

pub use wall::{SteerConfig, WallList, walls_near};

/// Corners that a follower keeps at most; of a longer path the rest is asked for when it comes near.
pub const CORNERS_MAX: usize = 128;

/// What is walked on.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The mesh, baked for this kind of body.
    pub mesh: &'a Mesh,
    /// Its version: another number whenever polygons, or the costs below, may have changed.
    pub version: u32,
    /// What may be entered.
    pub costs: &'a AreaCosts,
}

/// Tuning, the same for all. Limit: all finite and ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct FollowConfig {
    /// How far beside the mesh the body is still put onto it, m.
    pub reach_m: f32,
    /// How far above or below, m; under half of the height of a storey.
    pub height_m: f32,
    /// How far off the walls corners are taken where there is room, m.
    pub corner_m: f32,
    /// Less than this along the path is no progress, m.
    pub progress_m: f32,
    /// After so long without progress it bears aside, s.
    pub aside_s: f32,
    /// Every so long without progress it reports `Blocked` and asks for another path, s.
    pub replan_s: f32,
    /// After so long without progress it fails, s.
    pub give_up_s: f32,
    /// After so long with the path out of sight it asks for another, s.
    pub lost_s: f32,
    /// Held up within this of a goal that another body stands on, it has arrived, m.
    pub near_enough_m: f32,
    /// Held up for so long, that is, s.
    pub patience_s: f32,
    /// Where the ground is narrower than this, one keeps to the right half of it, m; 0 for nowhere.
    pub passage_m: f32,
    /// How far ahead it looks for a way past others, m; 0 for not at all.
    pub look_m: f32,
    /// A goal that moved less than this moves the last corner if that is in sight, m.
    pub goal_slack_m: f32,
    /// So near to its end a link is begun or done, m.
    pub link_m: f32,
    /// A link takes this long at most, s.
    pub link_s: f32,
    /// Strongest change of velocity, m/s².
    pub acceleration_m_per_s2: f32,
    /// How far it bears aside at most, rad.
    pub aside_rad: f32,
    /// How long it makes room for who goes first where two streams stand against each other, s; 0 for never, and for no way
    /// out of a press either.
    pub room_s: f32,
}

impl Default for FollowConfig {
    /// People on foot.
    fn default() -> Self {
        FollowConfig {
            reach_m: 1.0,
            height_m: 1.0,
            corner_m: 0.3,
            progress_m: 0.3,
            aside_s: 0.5,
            replan_s: 3.0,
            give_up_s: 40.0,
            lost_s: 0.25,
            near_enough_m: 1.5,
            patience_s: 1.0,
            passage_m: 7.0,
            look_m: 6.0,
            goal_slack_m: 3.0,
            link_m: 0.35,
            link_s: 5.0,
            acceleration_m_per_s2: 6.0,
            aside_rad: 0.8,
            room_s: 1.0,
        }
    }
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

/// What it wants from the queue of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Need {
    #[default]
    Nothing,
    /// A path; it has none, or one to another goal.
    Path,
    /// Another path to the same goal.
    Repair,
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
    need: Need,
    /// The open request, and the goal it is for.
    request: RequestId,
    asked: Vec3,
    /// Why the wish failed; told in the next tick.
    failed: Option<Cause>,
    /// The version of the mesh that `place` is of.
    version: u32,
    place: Option<Place>,
    /// Corners, the start first; `at` is the one it heads for.
    path: Vec<Vec3>,
    at: u32,
    /// Links: each leads from the corner of that number to the next.
    hops: Vec<(u32, LinkId)>,
    /// Whether the path goes on beyond the last corner.
    is_cut: bool,
    /// Whether the goal is another than the path leads to.
    is_moved: bool,
    /// Least rest of the path so far, m, and for how many ticks it has not become less.
    best_m: f32,
    stall: u32,
    /// Whether another body stands on the goal, as it was seen last.
    is_taken: bool,
    /// Length of the path as it was found, m.
    length_m: f32,
    /// Times it was blocked since the rest of the path was `far_m`, m; much less than that is an end of the trouble.
    tries: u16,
    far_m: f32,
    /// Ticks that it still backs off, to come at what holds it from elsewhere.
    backing: u16,
    /// For how many ticks nothing of the path has been in sight.
    lost: u32,
    /// Ticks on the link.
    linked: u32,
    /// What it does now, smoothed, m/s.
    velocity: Vec2,
    /// How far it bears to the right, rad, and whether it tries the left.
    lean: f32,
    tries_left: bool,
    /// Ticks for which it has wanted to go and stood; ticks for which it still makes room, and the way it does so.
    held: u16,
    yielding: u16,
    room: Vec2,
    /// Where it has been for long, and for how many ticks.
    anchor: Vec2,
    anchored: u16,
}

impl Follower {
    /// Wants to be at a goal. The same ticket and goal again change nothing; another goal near by keeps the path.
    pub fn go(&mut self, ticket: Ticket, goal: Vec3, config: &FollowConfig) {
        if self.ticket == ticket && (self.goal == goal || !goal.is_finite()) {
            return;
        }
        let is_near = self.goal.distance(goal) < config.goal_slack_m;
        (self.ticket, self.goal, self.failed, self.stall) = (ticket, goal, None, 0);
        (self.tries, self.far_m, self.backing, self.is_taken) = (0, f32::MAX, 0, false);
        if !goal.is_finite() {
            self.goal = Vec3::ZERO;
            self.drop_path();
            (self.failed, self.phase, self.need) = (Some(Cause::BadGoal), Phase::Waiting, Need::Nothing);
        } else if is_near && !self.path.is_empty() {
            self.is_moved = true;
        } else if matches!(self.phase, Phase::Traverse(_)) {
            // In the air one cannot turn round: the goal is looked at on the far side.
            self.is_moved = true;
        } else {
            self.drop_path();
            (self.phase, self.need) = (Phase::Waiting, Need::Path);
        }
    }

    /// Wants to be nowhere: the path and an open request are given up.
    pub fn stop(&mut self) {
        self.drop_path();
        (self.ticket, self.phase, self.need, self.failed) = (Ticket::default(), Phase::Idle, Need::Nothing, None);
    }

    /// What it does.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The corners still ahead, the next first.
    pub fn ahead(&self) -> &[Vec3] {
        self.path.get(self.at as usize..).unwrap_or_default()
    }

    /// For how many ticks it has made no progress.
    pub fn stall_ticks(&self) -> u32 {
        self.stall
    }

    /// Where on the mesh it is; none before the first tick and far off the mesh.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// Length of its path as the search found it, m; 0 before it has one.
    pub fn length_m(&self) -> f32 {
        self.length_m
    }

    /// What is left of the path from a point, m; 0 without one.
    pub fn rest_m(&self, position: Vec3) -> f32 {
        let mut here = plane::ground(position);
        let mut sum = 0.0;
        for &corner in self.ahead() {
            let there = plane::ground(corner);
            sum += here.distance(there);
            here = there;
        }
        sum
    }

    fn drop_path(&mut self) {
        self.path.clear();
        self.hops.clear();
        (self.at, self.lost, self.linked, self.best_m) = (0, 0, 0, f32::MAX);
        (self.is_cut, self.is_moved, self.length_m) = (false, false, 0.0);
    }

    /// One tick: where to head, before avoidance.
    pub fn step(&mut self, ground: &Ground<'_>, me: &Walk, config: &FollowConfig) -> Advice {
        if !me.position.is_finite() {
            return Advice::default();
        }
        self.locate(ground, me.position, config);
        if self.phase == Phase::Idle {
            return Advice::default();
        }
        if let Some(cause) = self.failed.take() {
            return self.settle(Some(cause));
        }
        let give_up = math::max(config.give_up_s / math::max(me.tick_s, 1e-4), 1.0) as u32;
        let Some(place) = self.place else {
            // Off the mesh altogether: nothing to head for, but perhaps it is brought back.
            self.stall = self.stall.saturating_add(1);
            return if self.stall > give_up { self.settle(Some(Cause::BadStart)) } else { Advice::default() };
        };
        if self.is_moved && !matches!(self.phase, Phase::Traverse(_)) {
            self.mend_goal(ground);
        }
        if self.path.is_empty() {
            return match self.sees(ground, place, self.goal) {
                true => self.walk_straight(place, me, config),
                false => Advice::default(),
            };
        }
        match self.phase {
            Phase::Approach(id) | Phase::Traverse(id) | Phase::Land(id) => self.pass_link(id, ground, me, config),
            _ => self.walk(ground, place, me, config),
        }
    }

    /// The wish is over: the outcome, and nothing left of it.
    fn settle(&mut self, cause: Option<Cause>) -> Advice {
        let ticket = self.ticket;
        let outcome = cause.map_or(Outcome::Arrived { ticket }, |cause| Outcome::Failed { ticket, cause });
        self.drop_path();
        (self.phase, self.need, self.stall) = (Phase::Idle, Need::Nothing, 0);
        Advice { outcome: Some(outcome), ..Advice::default() }
    }

    /// Moves the place along with the body, or finds it anew.
    fn locate(&mut self, ground: &Ground<'_>, position: Vec3, config: &FollowConfig) {
        let has_changed = self.version != ground.version;
        if has_changed {
            (self.version, self.place) = (ground.version, None);
        }
        let is_level = |place: &Place| (place.point.y - position.y).abs() <= config.height_m;
        let walked = self.place.and_then(|place| ground.mesh.ray(place, position, ground.costs));
        let walked = walked.filter(|ray| ray.wall.is_none()).map(|ray| ray.place).filter(is_level);
        let extent = Vec3::new(config.reach_m, config.height_m, config.reach_m);
        self.place = walked
            .or_else(|| ground.mesh.nearest_passable(position, extent, ground.costs))
            .or_else(|| ground.mesh.nearest(position, extent));
        if has_changed {
            self.look_again(ground);
        }
    }

    /// Whether a straight walk leads to a point, but for a rounding.
    fn sees(&self, ground: &Ground<'_>, place: Place, point: Vec3) -> bool {
        let Some(ray) = ground.mesh.ray(place, point, ground.costs) else { return false };
        let gap = plane::ground(ray.place.point).distance(plane::ground(point));
        gap <= SEEN_M && (ray.place.point.y - point.y).abs() <= LEVEL_M
    }

    /// The goal is in sight: no search is needed.
    fn walk_straight(&mut self, place: Place, me: &Walk, config: &FollowConfig) -> Advice {
        self.path.clear();
        self.path.extend([place.point, self.goal]);
        self.hops.clear();
        (self.at, self.best_m, self.phase, self.need) = (1, f32::MAX, Phase::Walking, Need::Nothing);
        self.length_m = place.point.distance(self.goal);
        self.head_for(self.goal, true, place, me, config)
    }

    /// Moves the end of the path to where the goal is now, if it is in sight of the corner before; else asks anew.
    fn mend_goal(&mut self, ground: &Ground<'_>) {
        self.is_moved = false;
        let before = self.path.len().wrapping_sub(2);
        let is_plain = !self.is_cut && !self.hops.iter().any(|hop| hop.0 as usize == before);
        let corner = self.path.get(before).filter(|_| is_plain).copied();
        let place = corner.and_then(|corner| change::locate(ground, corner));
        match place {
            Some(place) if self.sees(ground, place, self.goal) => {
                self.path[before + 1] = self.goal;
                (self.best_m, self.need) = (f32::MAX, Need::Nothing);
            }
            _ => self.need = Need::Path,
        }
    }

    fn walk(&mut self, ground: &Ground<'_>, place: Place, me: &Walk, config: &FollowConfig) -> Advice {
        let last = self.path.len() - 1;
        let mut at = (self.at as usize).min(last);
        while at < last && self.hop_at(at).is_none() && self.sees(ground, place, self.path[at + 1]) {
            at += 1;
        }
        // A corner that is reached is done, whatever is in sight: along a border nothing is, and yet one can walk.
        let here = plane::ground(me.position);
        if at < last && self.hop_at(at).is_none() && here.distance(plane::ground(self.path[at])) < REACHED_M {
            at += 1;
        }
        let mut is_seen = self.sees(ground, place, self.path[at]);
        // Who waits for another path may go back to the corner before.
        let is_back = !is_seen && self.need == Need::Repair && at > 0 && self.hop_at(at - 1).is_none();
        if is_back && self.sees(ground, place, self.path[at - 1]) {
            (at, is_seen) = (at - 1, true);
        }
        self.at = at as u32;
        self.lost = if is_seen { 0 } else { self.lost.saturating_add(1) };
        let is_lost = self.lost as f32 * me.tick_s > config.lost_s;
        let is_at_cut = self.is_cut && at + 2 >= self.path.len();
        if (is_lost || is_at_cut) && self.need == Need::Nothing {
            self.need = Need::Repair;
            self.lost = 0;
        }
        let target = self.path[at];
        let distance = here.distance(plane::ground(target));
        if let Some(id) = self.hop_at(at)
            && distance < 4.0 * config.link_m
        {
            (self.phase, self.linked) = (Phase::Approach(id), 0);
        }
        let rest_m = self.rest_m(me.position);
        if rest_m < self.best_m - config.progress_m {
            (self.best_m, self.stall) = (rest_m, 0);
        } else {
            self.stall = self.stall.saturating_add(1);
        }
        let stall_s = self.stall as f32 * me.tick_s;
        let is_end = at == last && !self.is_cut && self.need != Need::Path;
        let is_level = (me.position.y - target.y).abs() <= LEVEL_M;
        let is_content = self.is_taken && distance < config.near_enough_m && stall_s > config.patience_s;
        if is_end && is_level && (distance <= me.arrive_m || is_content) {
            return self.settle(None);
        }
        if rest_m < self.far_m - FAR_M {
            (self.far_m, self.tries) = (rest_m, 0);
        }
        if stall_s > config.give_up_s || f32::from(self.tries) * config.replan_s >= config.give_up_s {
            return self.settle(Some(Cause::Stuck));
        }
        let mut advice = self.head_for(target, is_end, place, me, config);
        if !is_end || distance > lane::FREE_M {
            advice.wanted = lane::keep_right(ground, place, advice.wanted, distance, config.passage_m);
        }
        self.back_off(&mut advice, me, config);
        advice
    }

    /// Held up for long: says so, backs off for a moment, to the right and to the left by turns, and asks for a path from
    /// there.
    fn back_off(&mut self, advice: &mut Advice, me: &Walk, config: &FollowConfig) {
        let tick_s = math::max(me.tick_s, 1e-4);
        let replan = math::max(config.replan_s / tick_s, 1.0) as u32;
        if self.stall > 0 && self.stall.is_multiple_of(replan) {
            self.tries = self.tries.saturating_add(1);
            self.backing = math::clamp(BACK_S / tick_s, 1.0, 1e4) as u16;
            advice.outcome = Some(Outcome::Blocked { ticket: self.ticket });
        }
        if self.backing > 0 {
            self.backing -= 1;
            let side = if self.tries % 2 == 1 { -1.0 } else { 1.0 };
            advice.wanted = plane::left_of(advice.wanted) * side * 0.7 - advice.wanted * 0.7;
            if self.backing == 0 && self.need == Need::Nothing {
                self.need = Need::Repair;
            }
        }
    }

    /// The velocity toward a corner; back onto the mesh first, if it is off.
    fn head_for(&self, target: Vec3, is_end: bool, place: Place, me: &Walk, config: &FollowConfig) -> Advice {
        let here = plane::ground(me.position);
        let back = plane::ground(place.point) - here;
        let there = plane::ground(target);
        let wanted = if back.length() > OFF_M {
            plane::direction(plane::direction(back) * 2.0 + plane::direction(there - here)) * me.pace_m_per_s
        } else if is_end {
            let mover = Mover {
                at: Moving { position: here, velocity: me.velocity, ..Moving::default() },
                speed_m_per_s_max: me.pace_m_per_s,
                acceleration_m_per_s2_max: config.acceleration_m_per_s2,
                ..Mover::default()
            };
            arrive_velocity(&mover, there, Deceleration::Fast)
        } else {
            plane::direction(there - here) * me.pace_m_per_s
        };
        Advice { wanted, ..Advice::default() }
    }

    fn hop_at(&self, corner: usize) -> Option<LinkId> {
        self.hops.iter().find(|hop| hop.0 as usize == corner).map(|hop| hop.1)
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_in = self.path.is_empty() || (self.at as usize) < self.path.len();
        let hops = self.hops.iter().all(|hop| (hop.0 as usize) + 1 < self.path.len());
        let points = self.path.iter().all(|corner| corner.is_finite()) && self.goal.is_finite();
        if is_in && hops && points { Ok(()) } else { Err("a follower's path does not hold together") }
    }
}

/// So much less of a path is left when a trouble is over, m.
const FAR_M: f32 = 3.0;
/// So near to a corner it is reached, m.
const REACHED_M: f32 = 0.1;
/// How long it backs off, s.
const BACK_S: f32 = 1.0;
/// A ray that ends this near to a point has reached it, m.
const SEEN_M: f32 = 0.05;
/// Points of one place differ by less than this in height, m.
const LEVEL_M: f32 = 1.2;
/// Off the mesh by less than this is on it, m.
const OFF_M: f32 = 0.05;
