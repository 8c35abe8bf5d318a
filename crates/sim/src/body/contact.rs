//! What a move meets, and the nearest move that meets nothing.
//!
//! Each obstacle near the way is a half-space of moves: `n·m ≥ −gap`. No move at all is in all of them, so scaling a
//! move down always helps, and the last word is such a scaling: see [`permitted`]. Before that, [`solve`] looks for the
//! move nearest to the wish by projected Gauss–Seidel.

use sentir::core::glam::Vec3;
use sentir::core::math;

use super::shape::{Capsule, Face, Near, nearest};

/// Rounds of the solver at most; most moves need two.
const ROUNDS_MAX: u32 = 8;
/// Changes under this end the solver, m.
const CHANGE_MIN_M: f32 = 1e-5;
/// Moves this little toward something are along it, m.
const APPROACH_MIN_M: f32 = 1e-7;

/// A triangle near the way of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub near: Near,
    /// Number of its face.
    pub face: u32,
    /// Whether it is among the rows already.
    pub is_active: bool,
}

/// A half-space of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Unit normal, from the obstacle.
    pub normal: Vec3,
    /// How far one may go against the normal, m. Limit: ≥ 0.
    pub gap_m: f32,
    /// The same as a last word: a little more, so that rounding does not make bodies stick.
    pub gap_hard_m: f32,
    /// The direction in which it turns a move away: the normal in the air; on the ground level, or straight up.
    pub along: Vec3,
    /// How much it did so, m.
    pub load_m: f32,
    /// How much of it a meter of room takes; kept by [`solve`].
    pub per_load: f32,
    /// What it is.
    pub from: Obstacle,
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// A face, by number.
    Face(u32),
    /// A body, by number.
    Body(u32),
}

/// Finds all faces that come within `reach_m` of a capsule.
pub(super) fn find(capsule: &Capsule, faces: &[Face], reach_m: f32, contacts: &mut Vec<Contact>) {
    contacts.clear();
    let around = capsule.bounds().grown(reach_m);
    let (low, high) = (capsule.low(), capsule.high());
    let limit = capsule.radius_m + reach_m;
    for (index, face) in (0..).zip(faces) {
        if !face.bounds.touches(&around) {
            continue;
        }
        let (below, above) = (face.side(low), face.side(high));
        if (below > limit && above > limit) || (below < -limit && above < -limit) {
            continue;
        }
        let near = nearest(low, high, face);
        if near.distance_m <= limit {
            if contacts.capacity() == 0 {
                contacts.reserve(16);
            }
            contacts.push(Contact { near, face: index, is_active: false });
        }
    }
}

/// The share of `way` that a capsule can go, on a straight line, before it is nearer than `skin_m` to a face.
///
/// Any plane between the two will do. Three are tried: the one across the nearest points, the face's own, and the one
/// along the way: without the last two, bodies would slow down at the seams of flat floors and at the ends of walls.
pub(super) fn permitted(capsule: &Capsule, contact: &Contact, face: &Face, way: Vec3, skin_m: f32) -> f32 {
    let near = &contact.near;
    let share = |approach: f32, gap: f32| {
        if approach <= APPROACH_MIN_M { 1.0 } else { math::saturate(math::max(gap, 0.0) / approach) }
    };
    let first = share(-near.normal.dot(way), near.distance_m - capsule.radius_m - skin_m);
    if first >= 1.0 {
        return 1.0;
    }
    let (low, high) = (capsule.low(), capsule.high());
    let room = capsule.radius_m + skin_m;
    let (below, above) = (face.side(low), face.side(high));
    let mut best = first;
    let (plane, gap) = if below > 0.0 && above > 0.0 {
        (face.normal, math::min(below, above) - room)
    } else {
        (-face.normal, math::min(-below, -above) - room)
    };
    if gap >= 0.0 {
        best = math::max(best, share(-plane.dot(way), gap));
    }
    let squared = way.length_squared();
    let level = near.normal - way * (near.normal.dot(way) / squared);
    let length = level.length();
    if best < 1.0 && length > 1e-3 {
        let level = level / length;
        let nearer = math::min(level.dot(low), level.dot(high));
        let [a, b, c] = face.corners.map(|corner| level.dot(corner));
        if nearer - math::max(math::max(a, b), c) >= room {
            best = 1.0;
        }
    }
    best
}

/// The move nearest to `wish` that all rows let pass, as far as a few rounds find it.
pub(super) fn solve(rows: &mut [Row], wish: Vec3) -> Vec3 {
    let mut way = wish;
    for row in rows.iter_mut() {
        row.load_m = 0.0;
        row.per_load = 1.0 / row.normal.dot(row.along);
    }
    for _ in 0..ROUNDS_MAX {
        let mut change = 0.0;
        for row in rows.iter_mut() {
            let missing = -row.gap_m - row.normal.dot(way);
            let load = math::max(row.load_m + missing * row.per_load, 0.0);
            let step = load - row.load_m;
            way += row.along * step;
            row.load_m = load;
            change = math::max(change, step.abs());
        }
        if change < CHANGE_MIN_M {
            break;
        }
    }
    way
}

/// The share of `way` that the rows of bodies let pass.
pub(super) fn permitted_by_rows(rows: &[Row], way: Vec3) -> f32 {
    let mut share = 1.0;
    for row in rows.iter().filter(|row| matches!(row.from, Obstacle::Body(_))) {
        let approach = -row.normal.dot(way);
        if approach > APPROACH_MIN_M {
            share = math::min(share, row.gap_hard_m / approach);
        }
    }
    math::max(share, 0.0)
}

/// How far a capsule can go straight along `way` before it is nearer than `skin_m` to a face; no sliding.
pub(super) fn advance(capsule: &Capsule, faces: &[Face], way: Vec3, skin_m: f32, contacts: &mut Vec<Contact>) -> Vec3 {
    let mut gone = Vec3::ZERO;
    // Each round ends at a plane before the first obstacle; they come together fast.
    for _ in 0..8 {
        let left = way - gone;
        let length = left.length();
        if length < CHANGE_MIN_M {
            break;
        }
        let here = capsule.by(gone);
        find(&here, faces, length + skin_m, contacts);
        let mut share = 1.0;
        for contact in contacts.iter() {
            share = math::min(share, permitted(&here, contact, &faces[contact.face as usize], left, skin_m));
        }
        gone += left * share;
        if share >= 1.0 || length * share < 1e-5 {
            break;
        }
    }
    gone
}
