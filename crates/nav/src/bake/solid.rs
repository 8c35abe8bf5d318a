//! Closed bodies of a level: floors that other solids stand on go on inside them, and nobody walks there.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::solid::Patch;

use super::obstacle;

/// A body over a convex outline, with a flat or slanted top.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub outline: Vec<Vec2>,
    foot_m: f32,
    top: Vec3,
    /// How the top rises along x and ground y.
    rise: Vec2,
}

impl Solid {
    /// From the upper face of a solid; none when the face has no area.
    pub(crate) fn new(patch: &Patch) -> Option<Solid> {
        let [a, b, c] = [*patch.corners.first()?, *patch.corners.get(1)?, *patch.corners.get(2)?];
        let normal = (b - a).cross(c - a);
        let outline: Vec<Vec2> = patch.corners.iter().map(|&corner| plane::ground(corner)).collect();
        let rise = Vec2::new(-normal.x / normal.y, normal.z / normal.y);
        let is_good = normal.y > 0.0 && rise.is_finite() && obstacle::is_convex(&outline);
        is_good.then_some(Solid { outline, foot_m: patch.foot_m, top: a, rise })
    }

    /// Whether a point is inside, its surface and `margin_m` below the top not included.
    pub(crate) fn holds(&self, point: Vec3, margin_m: f32) -> bool {
        let ground = plane::ground(point);
        let top_m = self.top.y + self.rise.dot(ground - plane::ground(self.top));
        point.y >= self.foot_m - math::max(margin_m, 0.0)
            && point.y < top_m - margin_m
            && obstacle::is_inside(&self.outline, ground)
    }
}
