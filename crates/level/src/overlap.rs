//! Distances between points, segments and triangles (Ericson, Real-Time Collision Detection, 5.1).

use glam::Vec3;
use sentir_core::math;

/// The point of a triangle nearest to `point`.
#[inline]
pub fn nearest_on_triangle(point: Vec3, &[a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let whole = va + vb + vc;
    a + ab * (vb / whole) + ac * (vc / whole)
}

/// Squared distance between two segments; either may be a point.
#[inline]
pub(crate) fn segments_distance_squared(p1: Vec3, q1: Vec3, p2: Vec3, q2: Vec3) -> f32 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.dot(d1), d2.dot(d2), d2.dot(r));
    let (s, t) = if a <= 0.0 && e <= 0.0 {
        (0.0, 0.0)
    } else if a <= 0.0 {
        (0.0, math::saturate(f / e))
    } else {
        let c = d1.dot(r);
        if e <= 0.0 {
            (math::saturate(-c / a), 0.0)
        } else {
            let b = d1.dot(d2);
            let parallel = a * e - b * b;
            let s = if parallel > 0.0 { math::saturate((b * f - c * e) / parallel) } else { 0.0 };
            let t = (b * s + f) / e;
            if t < 0.0 {
                (math::saturate(-c / a), 0.0)
            } else if t > 1.0 {
                (math::saturate((b - c) / a), 1.0)
            } else {
                (s, t)
            }
        }
    };
    ((p1 + d1 * s) - (p2 + d2 * t)).length_squared()
}

/// Squared distance between a segment and a triangle; 0 when they meet.
#[inline]
pub(crate) fn segment_distance_squared(from: Vec3, to: Vec3, triangle: &[Vec3; 3]) -> f32 {
    let ends = |end: Vec3| (nearest_on_triangle(end, triangle) - end).length_squared();
    let mut least = ends(from);
    if from == to {
        return least;
    }
    least = math::min(least, ends(to));
    for index in 0..3 {
        let side = segments_distance_squared(from, to, triangle[index], triangle[(index + 1) % 3]);
        least = math::min(least, side);
    }
    if pierces(from, to, triangle) { 0.0 } else { least }
}

/// Whether a segment passes through the inside of a triangle.
fn pierces(from: Vec3, to: Vec3, &[a, b, c]: &[Vec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    let (near, far) = (normal.dot(from - a), normal.dot(to - a));
    if (near > 0.0) == (far > 0.0) || near == far {
        return false;
    }
    let point = from + (to - from) * (near / (near - far));
    let inside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    inside(a, b) && inside(b, c) && inside(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        (-4.0f32..4.0, -4.0f32..4.0, -4.0f32..4.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        /// No sampled pair of points is nearer, and some sampled pair is about as near.
        #[test]
        fn distances_agree_with_sampling(from in point(), to in point(), a in point(), b in point(), c in point()) {
            let found = segment_distance_squared(from, to, &[a, b, c]).sqrt();
            let mut least = f32::INFINITY;
            for i in 0..=24 {
                let on = from.lerp(to, i as f32 / 24.0);
                for j in 0..=24 {
                    for k in 0..=24 - j {
                        let (u, v) = (j as f32 / 24.0, k as f32 / 24.0);
                        least = math::min(least, (a + (b - a) * u + (c - a) * v - on).length());
                    }
                }
            }
            prop_assert!(found <= least + 1e-3, "{found} past {least}");
            prop_assert!(least <= found + 0.6, "{least} far past {found}");
        }
    }
}
