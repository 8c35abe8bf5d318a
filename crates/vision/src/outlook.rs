//! Where one can walk, from pixels: the ground that is seen, as ground, instead of floor colors on a picture.
//!
//! Each column is followed from its lowest row up, from the feet outward. A pixel goes on with the ground if it is floor and
//! neither rises nor falls more than a body can step on the way from the last one; so the top of a box is no ground, and a
//! ledge ends it. What ends a column is an obstacle, a point on the ground. A way is free if no such point is nearer to it
//! than half the body: a strip of one width in the world, however it looks in perspective. O(pixels) to look,
//! O(columns) to ask about one straight way. Points seen lately are kept for a while, because what is before one's feet is
//! below the picture.

use sentir_core::State;
use sentir_core::belief::Percept;
pub use sentir_core::belief::Reach;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::plane;

use crate::curve::Curve;
use crate::thing::Class;
use crate::viewport::Viewport;

/// Points remembered at most; the oldest go first.
pub const REMEMBERED_MAX: usize = 512;

/// What a body can do, and how much room it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyLimits {
    /// Half its width and what it keeps away from things, m.
    pub half_width_m: f32,
    /// Height of a step it climbs, m.
    pub step_m: f32,
    /// How far down it steps, m: what falls off more is a ledge.
    pub drop_m: f32,
    /// Rise a meter of ground it can climb besides.
    pub slope: f32,
    /// How far remembered points matter, m.
    pub near_m: f32,
}

impl Default for BodyLimits {
    fn default() -> Self {
        BodyLimits { half_width_m: 0.45, step_m: 0.4, drop_m: 0.4, slope: 0.7, near_m: 4.0 }
    }
}

/// What is remembered from look to look.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct OutlookMemory {
    points: Vec<Vec2>,
}

impl OutlookMemory {
    /// Remembers something in the way that was felt rather than seen, m.
    pub fn feel(&mut self, point: Vec2) {
        if self.points.len() >= REMEMBERED_MAX {
            self.points.remove(0);
        }
        self.points.push(point);
    }

    /// Forgets all.
    pub fn forget(&mut self) {
        self.points.clear();
    }
}

/// What the last look says about the ground. Empty until [`Outlook::look`].
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    feet: Vec2,
    gait: BodyLimits,
    reaches: Vec<Reach>,
    obstacles: Vec<Vec2>,
    /// How far up the way through each row leads.
    rises: Vec<f32>,
}

impl Outlook {
    /// One that knows of these points only, for tests.
    #[cfg(test)]
    pub(crate) fn among(obstacles: Vec<Vec2>) -> Outlook {
        Outlook { obstacles, ..Outlook::default() }
    }

    /// Reads a viewport and remembers: [`Outlook::read`] and [`Outlook::recall`] in one.
    pub fn look(
        &mut self,
        view: &Viewport,
        feet_m: f32,
        gait: &BodyLimits,
        passable: &[Class],
        memory: &mut OutlookMemory,
    ) {
        self.read(view, feet_m, gait, passable);
        self.recall(memory);
    }

    /// Reads a viewport: what eyes do. `feet` is the height the body stands at, m; pixels of `passable` classes (things to
    /// pick up) are walked through.
    pub fn read(&mut self, view: &Viewport, feet_m: f32, gait: &BodyLimits, passable: &[Class]) {
        (self.feet, self.gait) = (plane::ground(view.eye().position), *gait);
        self.reaches.clear();
        self.obstacles.clear();
        view.rises(&mut self.rises);
        for column in 0..view.lens().width {
            let (reach, obstacle) = self.follow(view, column, feet_m, passable);
            self.reaches.extend(reach);
            self.obstacles.extend(obstacle);
        }
    }

    /// Adds what it saw to what the brain believes.
    pub fn tell(&self, percept: &mut Percept) {
        percept.reaches.extend_from_slice(&self.reaches);
        percept.obstacles.extend_from_slice(&self.obstacles);
    }

    /// Takes what eyes told: what brains do, in place of [`Outlook::read`].
    pub fn take(&mut self, percept: &Percept, gait: &BodyLimits) {
        (self.feet, self.gait) = (plane::ground(percept.from), *gait);
        self.reaches.clone_from(&percept.reaches);
        self.obstacles.clone_from(&percept.obstacles);
    }

    /// Adds what is remembered of earlier looks, and remembers this one.
    pub fn recall(&mut self, memory: &mut OutlookMemory) {
        // What is before the feet was seen a moment ago.
        let (feet, near) = (self.feet, self.gait.near_m);
        memory.points.retain(|point| point.distance(feet) <= near);
        let remembered = memory.points.len();
        let fresh = self.obstacles.iter().filter(|point| point.distance(feet) <= near);
        memory.points.extend(fresh.step_by(2));
        let over = memory.points.len().saturating_sub(REMEMBERED_MAX);
        memory.points.drain(..over);
        self.obstacles.extend_from_slice(&memory.points[..remembered.saturating_sub(over)]);
    }

    /// Follows one column from the feet outward: how far it goes, and what ends it.
    fn follow(&self, view: &Viewport, column: u32, feet_m: f32, passable: &[Class]) -> (Option<Reach>, Option<Vec2>) {
        let mut last = plane::lift(self.feet, feet_m);
        let (mut is_blocked, mut obstacle, mut riser) = (false, None, None);
        for (class, point) in view.column(column, &self.rises) {
            if passable.contains(&class) {
                continue;
            }
            let Some(point) = point else { break };
            let run = || plane::ground(point).distance(plane::ground(last));
            // Up, it may be a slope; down, what lies between two pixels is hidden, so more than a step is a ledge.
            let rise = point.y - last.y;
            let is_step = rise <= self.gait.step_m || rise <= self.gait.step_m + self.gait.slope * run();
            let is_level = is_step && rise >= -self.gait.drop_m;
            if class == Class::FLOOR && is_level {
                (last, riser) = (point, None);
                continue;
            }
            // A face no higher than a step may be one: what comes above it tells.
            let is_riser = class == Class::WALL && rise >= -self.gait.step_m && rise <= self.gait.step_m;
            if is_riser {
                riser = riser.or(Some(point));
                continue;
            }
            (is_blocked, obstacle) = (true, Some(riser.map_or_else(|| self.end(last, point), plane::ground)));
            break;
        }
        if let Some(riser) = riser.filter(|_| !is_blocked) {
            (is_blocked, obstacle) = (true, Some(plane::ground(riser)));
        }
        let toward = plane::direction(plane::ground(last) - self.feet);
        if toward == Vec2::ZERO {
            let toward = view.unproject(column, 0).map(|point| plane::direction(plane::ground(point) - self.feet));
            return (toward.map(|toward| Reach { toward, ground_m: 0.0, is_blocked }), obstacle);
        }
        let ground_m = plane::ground(last).distance(self.feet);
        (Some(Reach { toward, ground_m, is_blocked }), obstacle)
    }

    /// Where the ground ends between the last point of it and the first that is none: there, when that is a thing on the
    /// ground; at the last point, when it is beyond a ledge.
    fn end(&self, last: Vec3, beyond: Vec3) -> Vec2 {
        let is_ledge = beyond.y < last.y - self.gait.drop_m;
        plane::ground(if is_ledge { last } else { beyond })
    }

    /// Each column, from the left.
    pub fn reaches(&self) -> &[Reach] {
        &self.reaches
    }

    /// Points on the ground that are in the way, m.
    pub fn obstacles(&self) -> &[Vec2] {
        &self.obstacles
    }

    /// How far the body can go straight along a direction before it touches something that is known, m; at most
    /// `range_m`. Directions that are no direction lead nowhere.
    pub fn free_m(&self, toward: Vec2, range_m: f32) -> f32 {
        let toward = plane::direction(toward);
        if toward == Vec2::ZERO || self.reaches.is_empty() {
            return 0.0;
        }
        let half = self.gait.half_width_m;
        let mut free = range_m;
        for &point in &self.obstacles {
            let off = point - self.feet;
            let (along, across) = (off.dot(toward), off.perp_dot(toward).abs());
            // The body is round: it stops as far before a point as its front reaches at that offset.
            if along > 0.0 && across < half {
                let stop = along - (half * half - across * across).sqrt();
                let stop = if stop > 0.0 { stop } else { 0.0 };
                free = if stop < free { stop } else { free };
            }
        }
        free
    }

    /// How far ground was seen in the column nearest to a direction, m.
    pub fn seen_m(&self, toward: Vec2) -> f32 {
        let toward = plane::direction(toward);
        let best = self.reaches.iter().max_by(|a, b| a.toward.dot(toward).total_cmp(&b.toward.dot(toward)));
        best.map_or(0.0, |reach| reach.ground_m)
    }

    /// Whether the body fits all along a curve, as far as is known.
    pub fn is_clear(&self, curve: &Curve) -> bool {
        let half = self.gait.half_width_m;
        let step = if half > 0.05 { half / 2.0 } else { 0.025 };
        let steps = (curve.length_m() / step).ceil();
        // A curve longer than anybody sees is not clear.
        if steps.is_nan() || steps > 10_000.0 {
            return false;
        }
        (0..=steps as u32).all(|index| {
            let (place, _) = curve.along(index as f32 * step);
            self.obstacles.iter().all(|point| point.distance(place) >= half * 0.98)
        })
    }

    /// The best way on: far, and not too far from `wish`. Each column is a candidate; its worth is how far it is free, up to
    /// `range_m`, less `turn_cost_m` a radian away from the wish. None if all are shorter than `least_m`.
    pub fn best(&self, wish: Vec2, range_m: f32, turn_cost_m: f32, least_m: f32) -> Option<(Vec2, f32)> {
        let wish = plane::direction(wish);
        let worth = |reach: &Reach| {
            let free = self.free_m(reach.toward, range_m);
            let seen = if reach.ground_m < free { reach.ground_m } else { free };
            let angle = sentir_core::math::acos(reach.toward.dot(wish));
            (seen, seen - turn_cost_m * angle)
        };
        let ways = self.reaches.iter().map(|reach| (reach.toward, worth(reach)));
        let best = ways.filter(|(_, (free, _))| *free >= least_m).max_by(|a, b| a.1.1.total_cmp(&b.1.1));
        best.map(|(toward, (free, _))| (toward, free))
    }
}
