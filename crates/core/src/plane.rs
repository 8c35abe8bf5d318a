//! The ground plane: the one place that knows how 3D and 2D, directions and yaw fit together.
//!
//! Space is right-handed, Y up, in meters. Ground coordinates are (x, −z), so that seen from above, with x to the right
//! and ground y up, counter-clockwise is positive. Yaw 0 looks along −Z, which is ground (0, 1); positive yaw turns left.

use glam::{Vec2, Vec3};

use crate::math;

/// The ground point below (or above) a point in space.
#[inline]
pub fn ground(point: Vec3) -> Vec2 {
    Vec2::new(point.x, -point.z)
}

/// The point in space at `height` over a ground point.
#[inline]
pub fn lift(ground: Vec2, height: f32) -> Vec3 {
    Vec3::new(ground.x, height, -ground.y)
}

/// The ground direction in which a yaw looks; unit length.
#[inline]
pub fn heading(yaw: f32) -> Vec2 {
    let (sin, cos) = math::sin_cos(yaw);
    Vec2::new(-sin, cos)
}

/// The yaw that looks along a ground direction, in [−π, π]; 0 for the zero vector.
#[inline]
pub fn yaw(direction: Vec2) -> f32 {
    if direction == Vec2::ZERO { 0.0 } else { math::atan2(-direction.x, direction.y) }
}

/// The direction a quarter turn to the left.
#[inline]
pub fn left_of(direction: Vec2) -> Vec2 {
    Vec2::new(-direction.y, direction.x)
}

/// Twice the signed area of the triangle a, b, c: positive when c is left of the way from a to b.
#[inline]
pub fn side(a: Vec2, b: Vec2, c: Vec2) -> f32 {
    (b - a).perp_dot(c - a)
}

/// The point of the segment a–b nearest to `point`, and its share of the way from a to b. A segment of no length is a.
#[inline]
pub fn nearest_on_segment(a: Vec2, b: Vec2, point: Vec2) -> (Vec2, f32) {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared > 0.0 {
        let share = math::saturate((point - a).dot(along) / length_squared);
        (a + along * share, share)
    } else {
        (a, 0.0)
    }
}

/// `vector`, no longer than `length`. NaN and zero stay as they are.
#[inline]
pub fn truncated(vector: Vec2, length: f32) -> Vec2 {
    let squared = vector.length_squared();
    if squared > length * length { vector * (length / squared.sqrt()) } else { vector }
}

/// The direction of `vector`, or zero when it has none (zero, subnormal or not finite).
#[inline]
pub fn direction(vector: Vec2) -> Vec2 {
    let length = vector.length();
    if length > 0.0 && length.is_finite() && (1.0 / length).is_finite() { vector / length } else { Vec2::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{FRAC_PI_2, PI};
    use proptest::prelude::*;

    fn near(a: Vec2, b: Vec2) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn yaw_zero_looks_along_minus_z_and_positive_turns_left() {
        assert!(near(heading(0.0), ground(Vec3::NEG_Z)));
        assert!(near(heading(FRAC_PI_2), ground(Vec3::NEG_X)));
        assert!(near(left_of(heading(0.3)), heading(0.3 + FRAC_PI_2)));
        assert_eq!(lift(ground(Vec3::new(1.0, 2.0, 3.0)), 2.0), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(yaw(Vec2::ZERO), 0.0);
        assert!(side(Vec2::ZERO, Vec2::X, Vec2::Y) > 0.0);
    }

    #[test]
    fn directions_of_nothing_are_nothing() {
        for odd in [Vec2::ZERO, Vec2::splat(1e-44), Vec2::new(f32::NAN, 1.0), Vec2::new(f32::INFINITY, 0.0)] {
            assert_eq!(direction(odd), Vec2::ZERO);
        }
        assert_eq!(nearest_on_segment(Vec2::ONE, Vec2::ONE, Vec2::X), (Vec2::ONE, 0.0));
    }

    proptest! {
        #[test]
        fn yaw_and_heading_are_inverse(angle in -PI..PI) {
            prop_assert!(math::angle_between(angle, yaw(heading(angle))).abs() < 1e-5);
        }

        #[test]
        fn truncated_vectors_keep_their_direction(x in -1e3f32..1e3, y in -1e3f32..1e3, length in 0.0f32..1e3) {
            let (vector, cut) = (Vec2::new(x, y), truncated(Vec2::new(x, y), length));
            prop_assert!(cut.length() <= math::min(vector.length(), length) * 1.000_001);
            prop_assert!((direction(cut) * cut.length() - cut).length() <= 1e-6 * cut.length());
            prop_assert!(vector.length() > length || cut == vector);
        }

        #[test]
        fn no_sampled_point_of_a_segment_is_nearer(a in any::<[i8; 2]>(), b in any::<[i8; 2]>(), p in any::<[i8; 2]>(), share in 0.0f32..=1.0) {
            let [a, b, p] = [a, b, p].map(|[x, y]| Vec2::new(x.into(), y.into()));
            let (nearest, _) = nearest_on_segment(a, b, p);
            prop_assert!(nearest.distance(p) <= a.lerp(b, share).distance(p) + 1e-3);
        }
    }
}
