//! What pieces of a level are near a point: the common ground of blasts and of hands that open doors.
//!
//! Exact to the triangle; O(triangles in the box around the reach). Allocates nothing.

use sentir::core::glam::Vec3;
use sentir::core::math;
use sentir_level::{Aabb, Blocks, LevelView, PieceId};

use crate::shot::is_open;

/// A piece near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPiece {
    /// Which.
    pub piece: PieceId,
    /// Its nearest point, m.
    pub point: Vec3,
    /// How far that is, m.
    pub distance_m: f32,
}

/// Calls `visit` with each piece that has a point within `reach_m` of `from`, in the level's order.
pub fn near_pieces(view: &LevelView<'_>, from: Vec3, reach_m: f32, mut visit: impl FnMut(NearPiece)) {
    let around = Aabb { low: from, high: from }.grown(reach_m);
    let mut run: Option<NearPiece> = None;
    // The triangles of one piece come in one run.
    view.triangles_in(&around, Blocks::ANYTHING, |triangle| {
        let Some(piece) = triangle.piece else { return };
        let point = nearest_on_triangle(from, &triangle.corners);
        let near = NearPiece { piece, point, distance_m: (point - from).length() };
        match run {
            Some(old) if old.piece == piece && old.distance_m <= near.distance_m => {}
            Some(old) if old.piece != piece => {
                if old.distance_m <= reach_m {
                    visit(old);
                }
                run = Some(near);
            }
            _ => run = Some(near),
        }
    });
    if let Some(last) = run.filter(|near| near.distance_m <= reach_m) {
        visit(last);
    }
}

/// Whether nothing that blocks `blocks` is between a point and a piece near it; the piece itself does not count.
pub fn is_open_to(view: &LevelView<'_>, from: Vec3, near: &NearPiece, blocks: Blocks) -> bool {
    /// How far before the piece one looks, m: its own face is not in the way.
    const SHORT_M: f32 = 0.02;
    if near.distance_m <= SHORT_M {
        return true;
    }
    is_open(view, from, near.point + (from - near.point) * (SHORT_M / near.distance_m), blocks)
}

/// The point of a triangle nearest to `point` (Ericson, Real-Time Collision Detection, 5.1.5).
fn nearest_on_triangle(point: Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (ab, ac) = (*b - *a, *c - *a);
    let from_a = point - *a;
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let from_b = point - *b;
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return *a + ab * math::saturate(d1 / (d1 - d3));
    }
    let from_c = point - *c;
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return *a + ac * math::saturate(d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return *b + (*c - *b) * math::saturate((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let under = va + vb + vc;
    *a + ab * (vb / under) + ac * (vc / under)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir_level::{LevelState, stock};

    #[test]
    fn pieces_are_met_once_each_and_in_order() {
        let level = stock("collapse").unwrap();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let mut near = Vec::new();
        near_pieces(&view, Vec3::new(9.0, 1.0, 8.0), 3.0, |one| near.push(one));
        assert_eq!(near.iter().map(|one| one.piece).collect::<Vec<_>>(), [level.piece_named("door south").unwrap()]);
        assert!((near[0].distance_m - 0.95).abs() < 1e-3, "{near:?}");
        near.clear();
        near_pieces(&view, Vec3::new(9.0, 1.0, 8.0), 60.0, |one| near.push(one));
        let pieces: Vec<_> = near.iter().map(|one| one.piece.0).collect();
        assert_eq!(pieces, (0..level.pieces().len() as u16).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn no_sampled_point_of_a_triangle_is_nearer(corners in any::<[[i8; 3]; 3]>(), p in any::<[i8; 3]>()) {
            let vec = |[x, y, z]: [i8; 3]| Vec3::new(x.into(), y.into(), z.into()) * 0.05;
            let (corners, p) = (corners.map(vec), vec(p));
            let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            prop_assume!(cross.length() > 1e-2);
            let exact = (nearest_on_triangle(p, &corners) - p).length();
            for s in 0..=20 {
                for t in 0..=(20 - s) {
                    let (s, t) = (s as f32 / 20.0, t as f32 / 20.0);
                    let sample = corners[0] + (corners[1] - corners[0]) * s + (corners[2] - corners[0]) * t;
                    prop_assert!(exact <= (sample - p).length() + 2e-3);
                }
            }
        }
    }
}
