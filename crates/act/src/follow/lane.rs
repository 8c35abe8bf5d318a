//! Keeping to the right where the ground is narrow: two streams pass each other as two lanes.
//!
//! How wide the ground is across the way is measured by two rays on the mesh. In a passage, corners of a path are taken in
//! the right half, everybody at a place of its own there, and who walks in the left half bears to the right. In the open
//! nothing is changed.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};

use super::MeshGround;
use super::footing::Spot;

/// Nearer to the goal than this, one goes where one wants, m.
pub(super) const FREE_M: f32 = 3.0;
/// How far ahead the width is measured, m.
const LOOK_M: f32 = 1.5;
/// How far past a corner, m.
const PAST_M: f32 = 0.4;
/// How hard one bears to the right at most, m aside on the way of [`LOOK_M`].
const ASIDE_M: f32 = 0.9;
/// The middle is left free by this share of the width, and at most by so much, m.
const MIDDLE: f32 = 0.1;
const MIDDLE_M: f32 = 0.3;
/// The part of the right half in which corners are taken, as shares of the width from the left.
const HALF: [f32; 2] = [0.6, 0.85];

/// Free ground from a place along a direction, m, up to a limit.
fn free(Spot { ground, place }: Spot<'_>, along: Vec2, limit_m: f32) -> f32 {
    let to = plane::lift(plane::ground(place.point) + along * limit_m, place.point.y);
    ground.mesh.ray(place, to, ground.costs).map_or(0.0, |ray| ray.share * limit_m)
}

/// Free ground to the left and to the right of a way, m; none in the open, where both together pass the limit.
fn passage(spot: Spot<'_>, along: Vec2, limit_m: f32) -> Option<[f32; 2]> {
    let left = free(spot, plane::left_of(along), limit_m);
    if left >= limit_m {
        return None;
    }
    let right = free(spot, -plane::left_of(along), limit_m);
    (left + right < limit_m).then_some([left, right])
}

/// Whether the ground about a place is narrow across a way.
pub(super) fn is_narrow(spot: Spot<'_>, along: Vec2, limit_m: f32) -> bool {
    limit_m > 0.0 && passage(spot, along, limit_m).is_some()
}

/// A wish turned to the right, if it leads along the left half of a passage.
pub(super) fn keep_right(spot: Spot<'_>, wanted: Vec2, distance: f32, limit_m: f32) -> Vec2 {
    let Spot { ground, place } = spot;
    let along = plane::direction(wanted);
    if limit_m <= 0.0 || along == Vec2::ZERO {
        return wanted;
    }
    let to = plane::lift(plane::ground(place.point) + along * math::min(LOOK_M, distance), place.point.y);
    let Some(ahead) = ground.mesh.ray(place, to, ground.costs) else { return wanted };
    let Some([left, right]) = passage(Spot { ground, place: ahead.place }, along, limit_m) else { return wanted };
    let wide = left + right;
    let short = 0.5 * wide + math::min(MIDDLE * wide, MIDDLE_M) - left;
    if short <= 0.0 {
        return wanted;
    }
    let aside = math::min(math::min(short, right), ASIDE_M);
    plane::direction(along * LOOK_M - plane::left_of(along) * aside) * wanted.length()
}

/// The corner of a bend in the right half of the passage that it lies in; none if it lies in none.
pub(super) fn beside(
    [before, corner, next]: [Vec3; 3],
    ground: &MeshGround<'_>,
    limit_m: f32,
    share: f32,
) -> Option<Vec3> {
    let [a, b, c] = [before, corner, next].map(plane::ground);
    let share = math::lerp(HALF[0], HALF[1], share);
    // Into a passage, or out of one.
    for (along, past) in [(plane::direction(c - b), PAST_M), (plane::direction(b - a), -PAST_M)] {
        let Some(spot) = ground.locate(plane::lift(b + along * past, corner.y)) else { continue };
        let Some([left, right]) = passage(spot, along, limit_m) else { continue };
        let aside = share * (left + right) - left;
        // From within the passage: a ray from the corner itself would run along its wall, and end there.
        let to = b - plane::left_of(along) * aside;
        let ray = ground.mesh.ray(spot.place, plane::lift(to, corner.y), ground.costs)?;
        return Some(ray.place.point);
    }
    None
}
