//! The two classic algorithms by rays, as alternatives to the sweep and for comparison.
//!
//! **Algorithm 1**: a ray every so many radians. Never wrong by more than lies between two rays, which is much, far out.
//!
//! **Algorithm 2**: rays to the corners of obstacles that lie within the field of view and the range, and to the two edges
//! of the view, in order; where a ray grazes a corner, the corner and the end of the ray are both kept, in the order that the
//! side of the corner asks for. It is kept as published, with its mistakes, which tests show: walls that cross the view with
//! no corner inside are seen through, so are those behind a grazed corner, corners past the range do not count even if their
//! wall is near, and the printed far point is not normalized ([`FarPoint::AsPrinted`]).
//!
//! Both cost a ray through the tree of obstacles for each point; both are for one watcher and keep nothing.

use sentir_core::glam::{DVec2, Vec2};
use sentir_core::{math, plane};

use super::{Obstacles, Watcher, edges, key};

/// Rays of algorithm 1 at most.
pub const RAYS_MAX: u32 = 1 << 16;

/// Triangles round a watcher: each has the origin and two points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fan {
    /// The tip of all triangles, m.
    pub origin: Vec2,
    /// The other two corners of each, counter-clockwise, m.
    pub edges: Vec<[Vec2; 2]>,
}

impl Fan {
    /// Whether any triangle holds a point; their borders count, triangles without area do not. O(triangles).
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.edges.iter().any(|&[a, b]| {
            if plane::side(self.origin, a, b) <= 0.0 {
                return false;
            }
            let (right, out) = (plane::side(self.origin, a, point), plane::side(a, b, point));
            right >= 0.0 && out >= 0.0 && plane::side(b, self.origin, point) >= 0.0
        })
    }

    fn close(&mut self, points: impl IntoIterator<Item = Vec2>) {
        let mut last: Option<Vec2> = None;
        for point in points {
            if let Some(last) = last {
                self.edges.push([last, point]);
            }
            last = Some(point);
        }
    }
}

/// Algorithm 1: a ray every `step_rad` (and at both edges); at most [`RAYS_MAX`] rays. Empty for a watcher that cannot see.
#[must_use]
pub fn fixed_angles(obstacles: &Obstacles, watcher: &Watcher, step_rad: f32) -> Fan {
    let mut fan = Fan { origin: watcher.origin, edges: Vec::new() };
    if !watcher.is_sound() {
        return fan;
    }
    let whole = 2.0 * math::min(watcher.half_angle_rad, math::PI);
    let wanted = whole / math::max(step_rad, 1e-6);
    let count = (wanted.ceil() as u32).clamp(1, RAYS_MAX - 1);
    let point = |number: u32| {
        let turn = whole * (number as f32 / count as f32 - 0.5);
        let heading = plane::heading(watcher.facing + turn);
        let far = f64::from(watcher.range_m);
        let at = obstacles.ray(watcher.origin, heading, far).unwrap_or(far);
        watcher.origin + heading * at as f32
    };
    fan.close((0..=count).map(point));
    fan
}

/// Where a grazed corner's ray ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FarPoint {
    /// At the range.
    Normalized,
    /// As far as the corner times the range in meters: what the listing does.
    AsPrinted,
}

/// What is special about a corner.
#[derive(Clone, Copy, PartialEq)]
enum Corner {
    /// An edge of the view.
    Edge,
    /// The first one of its obstacle that the sweep comes to.
    First,
    /// The last one.
    Last,
    /// One in between: a ray to it ends there.
    Middle,
}

/// Algorithm 2, as published. Empty for a watcher that cannot see.
#[must_use]
pub fn corner_rays(obstacles: &Obstacles, watcher: &Watcher, far_point: FarPoint) -> Fan {
    let mut fan = Fan { origin: watcher.origin, edges: Vec::new() };
    if !watcher.is_sound() {
        return fan;
    }
    let origin = watcher.origin.as_dvec2();
    let range = f64::from(watcher.range_m);
    let view = edges(watcher).unwrap_or_else(|| {
        let back = plane::heading(watcher.facing + math::PI).as_dvec2();
        [back, back]
    });
    let start = key(view[0]);
    let turn_of = |d: DVec2| {
        let turn = key(d) - start;
        if turn < 0.0 { turn + 4.0 } else { turn }
    };
    let whole = if watcher.is_all_round() { 4.0 } else { turn_of(view[1]) };
    let mut targets = vec![(0.0, view[0] * range, Corner::Edge), (whole, view[1] * range, Corner::Edge)];
    for (corners, is_closed) in obstacles.rings() {
        for number in 0..corners.len() {
            let d = corners[number] - origin;
            let turn = turn_of(d);
            if d.length_squared() <= range * range && turn > 0.0 && turn < whole {
                targets.push((turn, d, kind(corners, is_closed, number, origin)));
            }
        }
    }
    targets.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.length_squared().total_cmp(&b.1.length_squared())));
    let mut last: Option<DVec2> = None;
    for &(_, d, corner) in &targets {
        let hit = obstacles.ray(watcher.origin, d.as_vec2(), 1.0 - 1e-6).map(|far| d * far);
        let far = match far_point {
            FarPoint::Normalized => d * (range / d.length()),
            FarPoint::AsPrinted => d * range,
        };
        // The point that ends this triangle and the one that begins the next.
        let (end, begin) = match (hit, corner) {
            (Some(hit), _) => (hit, hit),
            (None, Corner::Edge | Corner::Middle) => (d, d),
            (None, Corner::First) => (far, d),
            (None, Corner::Last) => (d, far),
        };
        if let Some(last) = last {
            fan.edges.push([(origin + last).as_vec2(), (origin + end).as_vec2()]);
        }
        last = Some(begin);
    }
    fan
}

/// On which side of its obstacle a corner is, as seen from the origin.
fn kind(corners: &[DVec2], is_closed: bool, number: usize, origin: DVec2) -> Corner {
    let count = corners.len();
    let here = corners[number] - origin;
    let next = if number + 1 < count { Some(number + 1) } else { is_closed.then_some(0) };
    let before = if number > 0 { Some(number - 1) } else { is_closed.then_some(count - 1) };
    let sides = [before, next].map(|other| other.map(|other| here.perp_dot(corners[other] - origin)));
    let is_left = sides.iter().flatten().all(|&side| side >= 0.0);
    let is_right = sides.iter().flatten().all(|&side| side <= 0.0);
    match (is_left, is_right) {
        (true, false) => Corner::First,
        (false, true) => Corner::Last,
        _ => Corner::Middle,
    }
}
