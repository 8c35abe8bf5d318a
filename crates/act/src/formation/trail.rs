//! The leader's way: where it was, where it is, where it is about to go, measured by arc length.
//!
//! A formation that lies along this line bends round corners as a column of people does: everybody goes where the leader
//! went. Behind the oldest place kept and past the end of the path the line goes on straight.

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::{math, order, plane};

use crate::Wall;

/// Distance between two places kept, m.
pub const STEP_M: f32 = 0.25;
/// Most places kept: 64 m of way.
pub const POINTS_MAX: usize = 256;
/// A leader that is suddenly this far away was put there, m: its trail begins anew.
const JUMP_M: f32 = 5.0;

/// Where a leader was, oldest first.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Trail {
    points: Vec<Vec2>,
    /// The direction of march at its end; unit length, zero before it begins.
    heading: Vec2,
}

impl Trail {
    /// Begins anew: as if the leader had come here straight along `heading`.
    pub fn begin(&mut self, here: Vec2, heading: Vec2) {
        self.points.clear();
        if here.is_finite() {
            let heading = plane::direction(heading);
            self.heading = if heading == Vec2::ZERO { Vec2::Y } else { heading };
            self.points.push(here - self.heading * STEP_M);
        }
    }

    /// Keeps where the leader is now, if it came on. What is not finite is passed over.
    pub fn record(&mut self, here: Vec2, heading: Vec2) {
        let far = self.points.last().map_or(f32::INFINITY, |last| last.distance(here));
        if far > JUMP_M {
            self.begin(here, heading);
        } else if far >= STEP_M {
            self.heading = self.points.last().map_or(self.heading, |&last| plane::direction(here - last));
            if self.points.len() >= POINTS_MAX {
                self.points.remove(0);
            }
            self.points.push(here);
        }
    }

    /// Forgets what lies ahead of `here`: somebody else leads from there, who came by the same way. Where nothing is left
    /// behind it, the trail begins anew with the direction that it had there.
    pub fn rewind(&mut self, here: Vec2) {
        let reach = self.points.iter().map(|point| point.distance_squared(here));
        if let Some(nearest) = order::least(reach).filter(|_| here.is_finite()) {
            // The step that led there, or the first one of all.
            if let Some(&[from, to]) = self.points.get(nearest.saturating_sub(1)..nearest.max(1) + 1) {
                let way = plane::direction(to - from);
                self.heading = if way == Vec2::ZERO { self.heading } else { way };
            }
            if nearest == 0 {
                self.begin(here, self.heading);
            }
            // One more goes, lest the line begin with a step ahead.
            self.points.truncate(nearest.max(1));
        }
    }

    /// The direction of march at its end, whoever stands where; unit length. Zero before it begins.
    pub fn heading(&self) -> Vec2 {
        self.heading
    }

    /// The places, oldest first.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }
}

/// The whole line at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// Where the leader was, oldest first.
    pub behind: &'a [Vec2],
    /// Where it is, m.
    pub here: Vec2,
    /// Where it faces; unit length.
    pub heading: Vec2,
    /// Where it will go, next first.
    pub ahead: &'a [Vec2],
}

impl Way<'_> {
    /// The place at an arc length from the leader: ahead of it if positive, else behind it, m.
    pub fn at(&self, arc_m: f32) -> Vec2 {
        if arc_m >= 0.0 {
            let way = Way::along(self.here, self.ahead.iter().copied(), arc_m);
            way.unwrap_or_else(|(end, last, left)| end + if last == Vec2::ZERO { self.heading } else { last } * left)
        } else {
            let way = Way::along(self.here, self.behind.iter().rev().copied(), -arc_m);
            way.unwrap_or_else(|(end, last, left)| end + if last == Vec2::ZERO { -self.heading } else { last } * left)
        }
    }

    /// The direction of march there; unit length. Smoothed over `half_m` to either side, so that who is far from the line
    /// is not flung about at corners.
    pub fn direction(&self, arc_m: f32, half_m: f32) -> Vec2 {
        let half_m = math::max(half_m, 0.05);
        let chord = plane::direction(self.at(arc_m + half_m) - self.at(arc_m - half_m));
        if chord == Vec2::ZERO { self.heading } else { chord }
    }

    /// How much of the line is known ahead of the leader, m.
    pub fn ahead_m(&self) -> f32 {
        let mut from = self.here;
        self.ahead.iter().fold(0.0, |sum, &to| sum + std::mem::replace(&mut from, to).distance(to))
    }

    /// How much of the line is known behind it, m.
    pub fn behind_m(&self) -> f32 {
        let mut from = self.here;
        self.behind.iter().rev().fold(0.0, |sum, &to| sum + std::mem::replace(&mut from, to).distance(to))
    }

    /// The place `left` m along the points from `from`; or the end, its direction and what is left.
    fn along(from: Vec2, points: impl Iterator<Item = Vec2>, left: f32) -> Result<Vec2, (Vec2, Vec2, f32)> {
        let (mut from, mut left, mut last) = (from, left, Vec2::ZERO);
        for to in points {
            let length = from.distance(to);
            if length >= left && length > 0.0 {
                return Ok(from + (to - from) * (left / length));
            }
            left -= length;
            // A leader that only shuffled since gives no direction to rely on.
            if length > 0.01 {
                last = plane::direction(to - from);
            }
            from = to;
        }
        Err((from, last, left))
    }
}

/// Free room to the left and to the right of a place on the way, m, up to `limit_m`: to the nearest wall in the strip that
/// reaches `half_m` ahead and back. A wall across the way leaves none.
pub fn room(at: Vec2, along: Vec2, half_m: f32, limit_m: f32, walls: &[Wall]) -> [f32; 2] {
    let left_of = plane::left_of(along);
    let mut room = [limit_m; 2];
    for wall in walls {
        let (from, to) = (wall.from - at, wall.to - at);
        let (mut a, mut b) = (Vec2::new(from.dot(along), from.dot(left_of)), Vec2::new(to.dot(along), to.dot(left_of)));
        if a.x > b.x {
            std::mem::swap(&mut a, &mut b);
        }
        if !(a.x <= half_m && b.x >= -half_m) {
            continue;
        }
        let (steep, low, high) = (b - a, math::max(a.x, -half_m), math::min(b.x, half_m));
        let height = |x: f32| if steep.x > 1e-6 { a.y + steep.y * ((x - a.x) / steep.x) } else { a.y };
        let (one, other) = if steep.x > 1e-6 { (height(low), height(high)) } else { (a.y, b.y) };
        if one * other <= 0.0 {
            return [0.0; 2];
        }
        let (side, near) = if one > 0.0 { (0, math::min(one, other)) } else { (1, -math::max(one, other)) };
        room[side] = math::min(room[side], near);
    }
    room
}

/// The farthest place on the straight way from one place to another that keeps `radius_m` to the first wall in between.
pub fn cut(from: Vec2, to: Vec2, radius_m: f32, walls: &[Wall]) -> Vec2 {
    let way = to - from;
    let length = way.length();
    if !(length > 1e-6 && length.is_finite()) {
        return from;
    }
    let direction = way / length;
    let mut free = length + radius_m;
    for wall in walls {
        let along = wall.to - wall.from;
        let turn = direction.perp_dot(along);
        let start = wall.from - from;
        let (distance, share) = (start.perp_dot(along) / turn, start.perp_dot(direction) / turn);
        if turn != 0.0 && distance >= 0.0 && (0.0..=1.0).contains(&share) {
            // A slanting wall is reached sooner by a round body.
            let slant = math::max(turn.abs() / math::max(along.length(), 1e-6), 0.2);
            free = math::min(free, math::max(distance - radius_m * (1.0 / slant - 1.0), 0.0));
        }
    }
    from + direction * math::clamp(free - radius_m, 0.0, length)
}

/// Whether somebody of a radius can go straight from one place to another. Ends nearer to a wall than that are forgiven
/// if the way leads off.
pub fn is_clear(from: Vec2, to: Vec2, radius_m: f32, walls: &[Wall]) -> bool {
    let aside = plane::left_of(plane::direction(to - from)) * radius_m;
    walls.iter().all(|wall| {
        [aside, -aside].into_iter().all(|aside| {
            let (a, b) = (from + aside, to + aside);
            let is_apart = |one: f32, other: f32| (one > 0.0) == (other > 0.0);
            is_apart(plane::side(a, b, wall.from), plane::side(a, b, wall.to))
                || is_apart(plane::side(wall.from, wall.to, a), plane::side(wall.from, wall.to, b))
        })
    })
}

/// Whether a place is inside a solid: the borders of solids go round it counter-clockwise.
pub fn is_inside(point: Vec2, walls: &[Wall]) -> bool {
    let turns = walls.iter().fold(0, |turns, wall| {
        let side = plane::side(wall.from, wall.to, point);
        match (wall.from.y <= point.y, wall.to.y <= point.y) {
            (true, false) if side > 0.0 => turns + 1,
            (false, true) if side < 0.0 => turns - 1,
            _ => turns,
        }
    });
    turns > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solid(low: Vec2, high: Vec2) -> Vec<Wall> {
        let border = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        Wall::around(&border).collect()
    }

    #[test]
    fn a_trail_bends_where_the_leader_went_and_is_straight_beyond() {
        let mut trail = Trail::default();
        trail.begin(Vec2::ZERO, Vec2::Y);
        for step in 0..=40 {
            trail.record(Vec2::new(0.0, step as f32 * 0.1), Vec2::Y);
        }
        for step in 0..=30 {
            trail.record(Vec2::new(step as f32 * 0.1, 4.0), Vec2::X);
        }
        let ahead = [Vec2::new(3.0, 4.0), Vec2::new(5.0, 4.0), Vec2::new(5.0, 0.0)];
        let way = Way { behind: trail.points(), here: Vec2::new(3.0, 4.0), heading: Vec2::X, ahead: &ahead };
        for (arc, place) in [(0.0, [3.0, 4.0]), (-2.0, [1.0, 4.0]), (-5.0, [0.0, 2.0]), (-12.0, [0.0, -5.0])] {
            assert!(way.at(arc).distance(place.into()) < 0.2, "{arc}: {}", way.at(arc));
        }
        assert!(way.at(4.0).distance(Vec2::new(5.0, 2.0)) < 1e-4 && way.at(9.0).distance(Vec2::new(5.0, -3.0)) < 1e-4);
        assert!(way.direction(-6.0, 0.5).distance(Vec2::Y) < 0.05);
        // On the corner the direction is half way round.
        assert!(way.direction(-3.0, 1.0).distance(Vec2::new(0.707, 0.707)) < 0.15);
        assert!((way.ahead_m() - 6.0).abs() < 1e-4 && (way.behind_m() - 7.25).abs() < 0.3);
    }

    #[test]
    fn a_trail_keeps_a_limited_length_and_begins_anew_after_a_jump() {
        let mut trail = Trail::default();
        (0..9000).for_each(|step| trail.record(Vec2::new(0.0, step as f32 * 0.1), Vec2::Y));
        assert!(trail.points().len() == POINTS_MAX);
        let (end, heir) = (trail.points()[POINTS_MAX - 1], trail.points()[POINTS_MAX - 9]);
        trail.rewind(heir + Vec2::X * 0.5);
        assert_eq!((trail.points().len(), trail.points().contains(&end)), (POINTS_MAX - 9, false));
        trail.record(Vec2::splat(500.0), Vec2::X);
        assert_eq!(trail.points(), [Vec2::new(499.75, 500.0)]);
        trail.record(Vec2::NAN, Vec2::X);
        assert!(trail.points().iter().all(|point| point.is_finite()));
    }

    #[test]
    fn a_trail_knows_its_direction_wherever_its_heir_stands() {
        let mut trail = Trail::default();
        trail.begin(Vec2::ZERO, Vec2::X);
        // Nothing lies behind these: not where the leader was, not on the only point, not behind or beside it.
        for here in [Vec2::ZERO, Vec2::X * -0.25, Vec2::X * -3.0, Vec2::Y * 2.0] {
            let mut heir = trail.clone();
            heir.rewind(here);
            assert_eq!((heir.heading(), heir.points()), (Vec2::X, [here - Vec2::X * STEP_M].as_slice()));
        }
        (1..=40).for_each(|step| trail.record(Vec2::X * (step as f32 * 0.1), Vec2::X));
        (1..=40).for_each(|step| trail.record(Vec2::new(4.0, step as f32 * 0.1), Vec2::Y));
        assert!(trail.heading().distance(Vec2::Y) < 1e-3);
        // Back before the corner, right on a point and beside one.
        for aside in [0.0, 1.5, -1.5] {
            let mut heir = trail.clone();
            let here = trail.points()[5] + Vec2::Y * aside;
            heir.rewind(here);
            assert!(heir.heading().distance(Vec2::X) < 1e-3 && heir.points().len() == 5, "{heir:?}");
        }
        let whole = trail.clone();
        trail.rewind(Vec2::NAN);
        assert_eq!(trail, whole);
    }

    #[test]
    fn room_is_measured_to_either_side_and_sees_thin_walls() {
        let mut walls = solid(Vec2::new(-9.0, 2.0), Vec2::new(9.0, 3.0));
        walls.extend(solid(Vec2::new(0.1, -5.0), Vec2::new(0.2, -1.0)));
        let [left, right] = room(Vec2::ZERO, Vec2::X, 0.4, 8.0, &walls);
        assert!((left - 2.0).abs() < 1e-5 && (right - 1.0).abs() < 1e-5, "{left} {right}");
        assert_eq!(room(Vec2::new(-3.0, 0.0), Vec2::X, 0.4, 8.0, &walls)[1], 8.0);
        assert_eq!(room(Vec2::new(0.0, -3.0), Vec2::X, 0.4, 8.0, &walls), [0.0; 2]);
    }

    #[test]
    fn a_way_is_cut_before_the_first_wall() {
        let walls = solid(Vec2::new(4.0, -1.0), Vec2::new(6.0, 1.0));
        assert!(cut(Vec2::ZERO, Vec2::new(9.0, 0.0), 0.3, &walls).distance(Vec2::new(3.7, 0.0)) < 1e-4);
        assert!(cut(Vec2::ZERO, Vec2::new(3.9, 0.0), 0.3, &walls).distance(Vec2::new(3.7, 0.0)) < 1e-4);
        assert_eq!(cut(Vec2::ZERO, Vec2::new(0.0, 5.0), 0.3, &walls), Vec2::new(0.0, 5.0));
        assert!(!is_clear(Vec2::ZERO, Vec2::new(9.0, 0.0), 0.3, &walls));
        assert!(!is_clear(Vec2::new(0.0, 1.2), Vec2::new(9.0, 1.2), 0.3, &walls));
        assert!(is_clear(Vec2::new(0.0, 1.4), Vec2::new(9.0, 1.4), 0.3, &walls));
        assert!(is_inside(Vec2::new(5.0, 0.0), &walls) && !is_inside(Vec2::new(7.0, 0.0), &walls));
        assert!(!is_inside(Vec2::new(3.0, 0.0), &walls) && !is_inside(Vec2::NAN, &walls));
    }
}
