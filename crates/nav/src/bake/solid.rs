//! Closed bodies of a level: floors that other solids stand on go on inside them, and nobody walks there.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::polygon;
use sentir_level::solid::{Patch, PatchKind};

use super::obstacle;

/// A body over an outline: any simple one with a flat top, a convex one with a slanted top.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub outline: Vec<Vec2>,
    is_convex: bool,
    foot_m: f32,
    top: Vec3,
    /// How the top rises along x and ground y.
    rise: Vec2,
}

impl Solid {
    /// From the upper face of a solid; none when the face has no area, or nothing below it.
    pub(crate) fn new(patch: &Patch) -> Option<Solid> {
        let [a, b, c] = [*patch.corners.first()?, *patch.corners.get(1)?, *patch.corners.get(2)?];
        let outline: Vec<Vec2> = patch.corners.iter().map(|&corner| plane::ground(corner)).collect();
        let is_convex = obstacle::is_convex(&outline);
        let mut solid = Solid { outline, is_convex, foot_m: patch.foot_m, top: a, rise: Vec2::ZERO };
        if patch.corners.iter().all(|corner| corner.y == a.y) {
            // A sheet, such as a level piece of a mesh, has no inside.
            return (patch.foot_m < a.y).then_some(solid);
        }
        let normal = (b - a).cross(c - a);
        solid.rise = Vec2::new(-normal.x / normal.y, normal.z / normal.y);
        // A slanted piece of a mesh has nothing below it: only ramps and steps are bodies.
        let is_good = normal.y > 0.0 && solid.rise.is_finite() && is_convex && patch.kind != PatchKind::Ground;
        is_good.then_some(solid)
    }

    /// Whether a point is inside, its surface and `margin_m` below the top not included.
    pub(crate) fn holds(&self, point: Vec3, margin_m: f32) -> bool {
        let ground = plane::ground(point);
        let top_m = self.top.y + self.rise.dot(ground - plane::ground(self.top));
        let is_at_height = point.y >= self.foot_m - math::max(margin_m, 0.0) && point.y < top_m - margin_m;
        is_at_height
            && if self.is_convex {
                obstacle::is_inside(&self.outline, ground)
            } else {
                polygon::contains(&self.outline, ground)
            }
    }
}
