//! Upright capsules and how far they are from triangles and from each other.
//!
//! A capsule and a triangle are convex, so their distance is a convex function of a translation: with the unit normal
//! `n` from the nearest point of one to the other, a move `m` leaves them at least `distance + n·m` apart, on the whole
//! way. Every guarantee of the solver rests on this.

use sentir::core::glam::Vec3;
use sentir::core::math;
use sentir_level::{Aabb, LevelTriangle, PieceId, nearest_on_triangle};

/// Shorter than this has no direction, m.
const LENGTH_MIN_M: f32 = 1e-6;

/// An upright capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Its lowest point, m.
    pub feet: Vec3,
    /// Its radius, m. Limit: > 0.
    pub radius_m: f32,
    /// Its whole height, m. Limit: ≥ twice the radius.
    pub height_m: f32,
}

impl Capsule {
    /// The lower end of its axis, m.
    #[inline]
    pub fn low(&self) -> Vec3 {
        self.feet + Vec3::Y * self.radius_m
    }

    /// The upper end of its axis, m.
    #[inline]
    pub fn high(&self) -> Vec3 {
        self.feet + Vec3::Y * math::max(self.height_m - self.radius_m, self.radius_m)
    }

    /// Moved.
    #[inline]
    pub(super) fn by(self, way: Vec3) -> Capsule {
        Capsule { feet: self.feet + way, ..self }
    }

    /// The box around it.
    #[inline]
    pub(super) fn bounds(&self) -> Aabb {
        Aabb::around([self.low(), self.high()]).grown(self.radius_m)
    }

    /// The unit normal from `other` to this one, and the room between them, m; negative when they overlap. None when
    /// their axes meet: then there is no direction.
    #[inline]
    pub(super) fn apart(&self, other: &Capsule) -> (Option<Vec3>, f32) {
        let (low, high) = (self.low(), self.high());
        let (other_low, other_high) = (other.low(), other.high());
        let up = if low.y > other_high.y {
            low.y - other_high.y
        } else if other_low.y > high.y {
            high.y - other_low.y
        } else {
            0.0
        };
        let away = Vec3::new(low.x - other_low.x, up, low.z - other_low.z);
        let distance_m = away.length();
        let normal = (distance_m > LENGTH_MIN_M).then(|| away / distance_m);
        (normal, distance_m - self.radius_m - other.radius_m)
    }
}

/// A triangle, prepared for many tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [Vec3; 3],
    /// Unit normal of its front.
    pub normal: Vec3,
    pub bounds: Aabb,
    pub piece: Option<PieceId>,
    /// Whether its surface may be walked on, where it is flat enough.
    pub is_walkable: bool,
}

impl Face {
    /// None for a triangle without area.
    #[inline]
    pub(super) fn new(triangle: &LevelTriangle, is_walkable: bool) -> Option<Face> {
        let [a, b, c] = triangle.corners;
        let cross = (b - a).cross(c - a);
        let length = cross.length();
        let has_area = length > 0.0 && length.is_finite() && (1.0 / length).is_finite();
        let bounds = Aabb::around(triangle.corners);
        let LevelTriangle { corners, piece, .. } = *triangle;
        has_area.then(|| Face { corners, normal: cross / length, bounds, piece, is_walkable })
    }

    /// How far a point is before its front, m; negative behind it.
    #[inline]
    pub(super) fn side(&self, point: Vec3) -> f32 {
        self.normal.dot(point - self.corners[0])
    }
}

/// The nearest points of an axis and a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    /// Unit, from the triangle to the axis.
    pub normal: Vec3,
    /// Between the axis and the triangle, m; 0 when they meet.
    pub distance_m: f32,
    /// On the triangle.
    pub point: Vec3,
}

/// The nearest points of an upright axis and a triangle.
#[inline]
pub(super) fn nearest(low: Vec3, high: Vec3, face: &Face) -> Near {
    let (below, above) = (face.side(low), face.side(high));
    let crosses = (below > 0.0) != (above > 0.0);
    // The end that is nearer to the plane; if it lies over the triangle, nothing is nearer.
    let (end, side) = if below.abs() <= above.abs() { (low, below) } else { (high, above) };
    let over = end - face.normal * side;
    if !crosses && side.abs() > LENGTH_MIN_M && holds(face, over) {
        let normal = if side > 0.0 { face.normal } else { -face.normal };
        return Near { normal, distance_m: side.abs(), point: over };
    }
    if crosses && below != above {
        let point = low + (high - low) * (below / (below - above));
        if holds(face, point) {
            let normal = if below + above >= 0.0 { face.normal } else { -face.normal };
            return Near { normal, distance_m: 0.0, point };
        }
    }
    let mut best = pair(end, nearest_on_triangle(end, &face.corners));
    let mut offer = |axis: Vec3, point: Vec3| {
        let other = pair(axis, point);
        if other.2 < best.2 {
            best = other;
        }
    };
    for index in 0..3 {
        let (axis, point) = nearest_of_segments(low, high, face.corners[index], face.corners[(index + 1) % 3]);
        offer(axis, point);
    }
    let (away, point, squared) = best;
    let distance_m = squared.sqrt();
    let normal = if distance_m > LENGTH_MIN_M { away / distance_m } else { face.normal };
    Near { normal, distance_m, point }
}

fn pair(axis: Vec3, point: Vec3) -> (Vec3, Vec3, f32) {
    (axis - point, point, (axis - point).length_squared())
}

/// Whether a point of the triangle's plane lies in the triangle.
#[inline]
fn holds(face: &Face, point: Vec3) -> bool {
    let [a, b, c] = face.corners;
    let inside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(face.normal) >= 0.0;
    inside(a, b) && inside(b, c) && inside(c, a)
}

/// The nearest points of two segments (Ericson, 5.1.9); either may be a point.
#[inline]
fn nearest_of_segments(p1: Vec3, q1: Vec3, p2: Vec3, q2: Vec3) -> (Vec3, Vec3) {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f, c) = (d1.dot(d1), d2.dot(d2), d2.dot(r), d1.dot(r));
    let share = |part: f32, whole: f32| if whole > 0.0 { math::saturate(part / whole) } else { 0.0 };
    if e <= 0.0 {
        return (p1 + d1 * share(-c, a), p2);
    }
    let b = d1.dot(d2);
    let s = share(b * f - c * e, a * e - b * b);
    let t = (b * s + f) / e;
    let (s, t) = if t < 0.0 {
        (share(-c, a), 0.0)
    } else if t > 1.0 {
        (share(b - c, a), 1.0)
    } else {
        (s, t)
    };
    (p1 + d1 * s, p2 + d2 * t)
}
