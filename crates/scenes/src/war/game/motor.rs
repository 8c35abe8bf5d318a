//! How units walk: along paths that their side found, past each other, straight where nothing is between.

use sentir::core::{math, plane};
use sentir::prelude::*;

use super::mind::WarMind;
use super::rules::Kind;

/// So near to a stop on the way is past it, m.
const PASSED_M: f32 = 1.3;
/// Nearer than this one goes straight if nothing is between, m.
const STRAIGHT_M: f32 = 7.0;
/// Room that is kept to others beside the bodies, m, and how hard, m/s.
const ROOM_M: f32 = 0.5;
const PUSH_M_PER_S: f32 = 1.6;
/// Who comes the other way is passed on the right from so far, m.
const PASS_M: f32 = 3.0;
/// Strongest change of velocity, m/s².
const ACCELERATION_M_PER_S2: f32 = 14.0;

/// Places of a path that are kept.
const STOPS: usize = 24;

/// What movement remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Motor {
    /// Places still to go to, the next one last: the first [`STOPS`] of a path, which is found anew long before they are used up.
    stops: [Vec2; STOPS],
    count: u8,
    /// Where the path leads, and when it was found.
    pub(crate) goal: Vec2,
    pub(crate) at: Tick,
    /// Whether no way leads there.
    pub(crate) is_hopeless: bool,
    velocity: Vec2,
}

impl Motor {
    /// Whether a path to `goal` should be found: there is none, it leads elsewhere, or it is old. Who is about to be there, or to see
    /// that it can go straight, needs none.
    pub(crate) fn needs_path(&self, place: Vec2, goal: Vec2, tick: Tick, every: u64) -> bool {
        let off = self.goal.distance(goal);
        let is_other = off > 1.0 + 0.15 * place.distance(goal);
        self.at == Tick(0) || is_other || tick.since(self.at) >= every
    }

    /// Takes a path.
    pub(crate) fn take(&mut self, path: &FoundPath<'_>) {
        let near = &path.stops[path.stops.len().saturating_sub(STOPS)..];
        self.stops[..near.len()].copy_from_slice(near);
        (self.count, self.goal, self.at) = (near.len() as u8, path.goal, path.tick);
        self.is_hopeless = path.is_hopeless;
    }

    /// Places still to go to, the next one last.
    pub(crate) fn path(&self) -> &[Vec2] {
        &self.stops[..usize::from(self.count).min(STOPS)]
    }
}

impl WarMind {
    /// The velocity one wants, were nobody else there.
    fn wish(&self, view: &ActView<'_>, motor: &mut Motor) -> Vec2 {
        let Some((_, travel)) = view.travel() else { return Vec2::ZERO };
        let (place, goal) = (plane::ground(view.me.body.pose.position), plane::ground(travel.goal));
        let left_m = place.distance(goal);
        if left_m <= travel.arrive_m {
            return Vec2::ZERO;
        }
        let is_straight =
            travel.manner == Manner::Straight || (left_m < STRAIGHT_M && self.map.is_straight(place, goal, 0.4));
        let aim = if is_straight {
            goal
        } else {
            while let [.., next, stop] = *motor.path()
                && (stop.distance(place) < PASSED_M || self.is_behind(place, stop, next))
            {
                motor.count -= 1;
            }
            match motor.path().last() {
                Some(&stop) => stop,
                None => return Vec2::ZERO,
            }
        };
        let speed = math::min(travel.pace_m_per_s, (left_m - travel.arrive_m) * 3.0 + 0.3);
        plane::direction(aim - place) * speed
    }

    /// Whether one is past a stop already: nearer to the next one than the stop is, with nothing between.
    fn is_behind(&self, place: Vec2, stop: Vec2, next: Vec2) -> bool {
        place.distance_squared(next) < stop.distance_squared(next) && self.map.is_straight(place, next, 0.4)
    }

    /// What others near by add to the wish: room to all, and the right side to who comes the other way.
    fn aside(&self, view: &ActView<'_>, wish: Vec2) -> Vec2 {
        let me = &view.me.body;
        let (place, own) = (plane::ground(me.pose.position), plane::direction(wish));
        let mut sum = Vec2::ZERO;
        view.world.visit_near(me.pose.position, PASS_M, |it| {
            if it.agent == view.me.agent || it.body.pose.position.y < -1.0 {
                return;
            }
            let way = place - plane::ground(it.body.pose.position);
            let distance = way.length();
            let room = distance - me.radius_m - it.body.radius_m;
            if room < ROOM_M && distance > 1e-3 {
                sum += way * (PUSH_M_PER_S * (1.0 - math::max(room, 0.0) / ROOM_M) / distance);
            }
            let comes = plane::ground(it.body.velocity).dot(own) < -0.3;
            let is_ahead = -way.dot(own) > 0.6 * distance;
            if comes && is_ahead && it.team == view.me.team {
                sum -= plane::left_of(own) * (0.8 * (1.0 - distance / PASS_M));
            }
        });
        sum
    }

    /// Walks for a tick.
    pub(crate) fn walk(&self, view: &ActView<'_>, motor: &mut Motor, motion: &mut Motion) {
        motion.actions = view.actions();
        let kind = Kind::of(view.me.kind);
        let body = &view.me.body;
        if kind.is_structure() {
            motion.velocity = Vec3::ZERO;
            if let Gaze::At(place) = view.gaze() {
                motion.yaw = plane::yaw(plane::ground(place - body.pose.position));
            }
            return;
        }
        let wish = self.wish(view, motor);
        let speed = self.rules.kind(kind).speed;
        let wanted = plane::truncated(wish + self.aside(view, wish), speed);
        motor.velocity += plane::truncated(wanted - motor.velocity, ACCELERATION_M_PER_S2 * view.rate.tick_s());
        motion.velocity = plane::lift(motor.velocity, 0.0);
        let toward = match view.gaze() {
            Gaze::Along(yaw) => {
                motion.yaw = yaw;
                return;
            }
            Gaze::Ahead => wish,
            Gaze::At(place) => plane::ground(place - body.pose.position),
        };
        if toward.length() > 0.1 {
            motion.yaw = math::approach_angle(body.pose.yaw, plane::yaw(toward), 9.0 * view.rate.tick_s());
        }
    }
}
