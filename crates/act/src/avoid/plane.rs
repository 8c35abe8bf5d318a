//! Half-planes of safe velocities: of a neighbor, and of a wall.

use sentir_core::glam::Vec2;
use sentir_core::math;
use sentir_core::plane::left_of;

use super::{AvoidConfig, Avoider, HalfPlane, Neighbor};
use crate::mover::Wall;

/// The share of the trouble that one of priority `mine` takes with one of priority `other`: other / (mine + other). The
/// shares of the two sum to exactly 1. Half where that says nothing (both 0, both infinite, NaN).
#[inline]
pub fn share_of(mine: f32, other: f32) -> f32 {
    if mine == other {
        return 0.5;
    }
    // The smaller share is reckoned and the other one is the rest of it, so that both sides agree.
    let (less, more) = if mine < other { (mine, other) } else { (other, mine) };
    if less.is_nan() || more.is_nan() || less < 0.0 {
        return 0.5;
    }
    let small = less / (less + more);
    let small = if small.is_nan() { 0.0 } else { small };
    if mine < other { 1.0 - small } else { small }
}

/// The velocities by which `me` does its share of not running into a neighbor within its horizon.
///
/// Relative velocities that collide form a cone, cut off by a disc at p / horizon. With d the way of the relative velocity
/// out of it (or, from outside, into it), the plane lies a share of d from the own velocity: of a way out the own share;
/// of a way in, which is room to move, half, or all of it where the other never yields and so keeps its velocity.
#[inline]
pub fn neighbor_plane(me: &Avoider, rank: u32, other: &Neighbor, separate_s: f32) -> HalfPlane {
    let to = other.position - me.position;
    let relative = me.velocity - other.velocity;
    let radius = me.radius_m + other.radius_m;
    let (square, radius_square) = (to.length_squared(), radius * radius);
    let (normal, depth) = if square > radius_square {
        let horizon_s = math::clamp(me.horizon_s, 0.01, 1000.0);
        let per_s = if horizon_s.is_nan() { 1.0 } else { 1.0 / horizon_s };
        let out = relative - to * per_s;
        let along = out.dot(to);
        if along < 0.0 && along * along > radius_square * out.length_squared() {
            let length = out.length();
            (out / length, radius * per_s - length)
        } else {
            // The leg on whose side the relative velocity is; right when on neither.
            let leg = (square - radius_square).sqrt();
            let across = if to.perp_dot(out) > 0.0 { radius } else { -radius };
            let side = across.signum();
            // Direction of the leg is (to · leg + left_of(to) · across) / square; its outward normal a quarter turn from it.
            let normal = (left_of(to) * (leg * side) - to * (across * side)) / square;
            (normal, -relative.dot(normal))
        }
    } else {
        let per_s = 1.0 / separate_s;
        let out = relative - to * per_s;
        let length = out.length();
        let normal = if length > 1e-6 {
            out / length
        } else if square > 0.0 {
            -to / square.sqrt()
        } else if rank < other.rank {
            Vec2::NEG_X
        } else {
            Vec2::X
        };
        (normal, radius * per_s - length)
    };
    let share = share_of(me.priority, other.priority);
    let share = if depth < 0.0 && share > 0.0 && share < 1.0 { 0.5 } else { share };
    HalfPlane { normal, offset: normal.dot(me.velocity) + share * depth }
}

/// The velocities that keep `me` off a wall for the wall horizon; none where the wall says nothing: seen from behind, or
/// not a number.
///
/// Velocities that hit form a convex set: the wall, thickened by the radius and shrunk by the horizon, and all beyond it.
/// Every plane that supports it is safe; of those worth a look (both legs, the face, the round ends) the one with the most
/// room for the present velocity is taken. Standing still is always safe, so walls alone never contradict each other but
/// where one is in them already.
pub fn wall_plane(me: &Avoider, wall: &Wall, config: &AvoidConfig) -> Option<HalfPlane> {
    let (a, b) = (wall.from - me.position, wall.to - me.position);
    let along = b - a;
    if !(a.abs().max_element() <= 1e9 && b.abs().max_element() <= 1e9) || along.perp_dot(-a) > 0.0 {
        return None;
    }
    let radius = me.radius_m;
    let share = math::saturate(-a.dot(along) / math::max(along.length_squared(), 1e-12));
    let nearest = a + along * share;
    let distance = nearest.length();
    if distance <= radius {
        // In touch: away from it, at the pace that parts two who overlap.
        let face = Vec2::new(along.y, -along.x);
        let normal = if distance > 1e-6 { -nearest / distance } else { unit(face)? };
        return Some(HalfPlane { normal, offset: (radius - distance) / config.separate_s });
    }
    let per_s = 1.0 / config.wall_horizon_s;
    // Far beyond reach: no velocity within the limit gets there.
    if (distance - radius) * per_s > me.speed_m_per_s_max {
        return None;
    }
    let (left, right) = legs(a, b, radius);
    let velocity = me.velocity;
    let ends = [velocity - a * per_s, velocity - b * per_s];
    let candidates = [
        Some(left_of(left)),
        Some(-left_of(right)),
        unit(Vec2::new(along.y, -along.x)),
        unit(ends[0]),
        unit(ends[1]),
        Some(-nearest / distance),
    ];
    let mut best: Option<(f32, HalfPlane)> = None;
    for normal in candidates.into_iter().flatten() {
        // A plane supports the set only if nothing beyond the wall sticks out of it.
        if normal.dot(left) > 1e-5 || normal.dot(right) > 1e-5 {
            continue;
        }
        let offset = (math::max(normal.dot(a), normal.dot(b)) + radius) * per_s;
        let room = normal.dot(velocity) - offset;
        if best.is_none_or(|(most, _)| room > most) {
            best = Some((room, HalfPlane { normal, offset }));
        }
    }
    // The offset of a leg is 0 but for rounding: standing still stays safe.
    best.map(|(_, plane)| HalfPlane { offset: math::min(plane.offset, 0.0), ..plane })
}

/// The leftmost and the rightmost direction from the origin that touch the segment thickened by a radius. The origin is
/// outside of it.
fn legs(a: Vec2, b: Vec2, radius: f32) -> (Vec2, Vec2) {
    let tangent = |end: Vec2, side: f32| {
        let square = end.length_squared();
        let leg = math::max(square - radius * radius, 0.0).sqrt();
        (end * leg + left_of(end) * (radius * side)) / square
    };
    let outer = |side: f32| {
        let (one, other) = (tangent(a, side), tangent(b, side));
        if one.perp_dot(other) * side > 0.0 { other } else { one }
    };
    (outer(1.0), outer(-1.0))
}

fn unit(vector: Vec2) -> Option<Vec2> {
    let length = vector.length();
    (length > 1e-6 && length.is_finite()).then(|| vector / length)
}
