//! The choice: of the velocities within the half-planes and the speed limit, the one nearest to a wish.
//!
//! An incremental linear program (de Berg et al., *Computational Geometry*, ch. 4): planes are added one by one; where the
//! best so far breaks one, the new best lies on its border, found in one pass over the planes before. Where nothing is
//! left, the greatest breach of the neighbors' planes is made as small as can be, in the same way: that plane i is broken
//! at least as much as j is a half-plane again, with normal nⱼ − nᵢ and offset oⱼ − oᵢ, so the least breach on i is the
//! farthest velocity along nᵢ within those.

use sentir_core::glam::Vec2;
use sentir_core::plane::left_of;

use super::{NEIGHBORS_MAX, WALLS_MAX};

/// Half of all velocities: those with normal · v ≥ offset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfPlane {
    /// Into the allowed side; unit length.
    pub normal: Vec2,
    /// How far the border is from standing still along the normal, m/s; above 0 standing still is not allowed.
    pub offset: f32,
}

impl HalfPlane {
    /// How far a velocity is outside, m/s; 0 or less inside.
    #[inline]
    pub fn breach(&self, velocity: Vec2) -> f32 {
        self.offset - self.normal.dot(velocity)
    }
}

const PLANES_MAX: usize = NEIGHBORS_MAX + WALLS_MAX;
/// Sines below this count as parallel.
const PARALLEL: f32 = 1e-5;
/// A breach up to this is rounding, m/s.
const TOLERANCE: f32 = 1e-6;

/// The half-planes of one choice: walls first. Keep one per thread; it is scratch.
#[derive(Clone, Debug)]
pub struct Planes {
    all: [HalfPlane; PLANES_MAX],
    /// The same relative to one of them, while a breach is being made small.
    relative: [HalfPlane; PLANES_MAX],
    walls: usize,
    count: usize,
}

impl Default for Planes {
    fn default() -> Self {
        let none = [HalfPlane::default(); PLANES_MAX];
        Planes { all: none, relative: none, walls: 0, count: 0 }
    }
}

impl Planes {
    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        (self.walls, self.count) = (0, 0);
    }

    /// Adds the plane of a wall; before those of neighbors, else it counts as one of those. What is too much is left out.
    pub fn push_wall(&mut self, plane: HalfPlane) {
        if self.walls == self.count && self.walls < WALLS_MAX {
            self.walls += 1;
        }
        self.push_neighbor(plane);
    }

    /// Adds the plane of a neighbor. What is too much is left out.
    #[inline]
    pub fn push_neighbor(&mut self, plane: HalfPlane) {
        if let Some(place) = self.all.get_mut(self.count) {
            *place = plane;
            self.count += 1;
        }
    }

    /// Those of walls, which are kept whatever the neighbors do.
    pub fn walls(&self) -> &[HalfPlane] {
        &self.all[..self.walls]
    }

    /// Those of neighbors.
    pub fn neighbors(&self) -> &[HalfPlane] {
        &self.all[self.walls..self.count]
    }

    /// The velocity nearest to `wanted` within all planes and `speed_max`, m/s. If there is none, the one with the least
    /// greatest breach of neighbors' planes within those of walls; if walls alone leave none, of all planes.
    pub fn best(&mut self, wanted: Vec2, speed_max: f32) -> Vec2 {
        let all = &self.all[..self.count];
        let start = within(wanted, speed_max);
        let velocity = match nearest(all, start, wanted, speed_max) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => {
                let hard = if failed < self.walls { 0 } else { self.walls };
                let from = Unsolved { planes: all, hard, failed, velocity };
                least_breach(&from, &mut self.relative, speed_max)
            }
        };
        if velocity.is_finite() { within(velocity, speed_max) } else { Vec2::ZERO }
    }
}

#[inline]
fn within(velocity: Vec2, speed_max: f32) -> Vec2 {
    let square = velocity.length_squared();
    if square > speed_max * speed_max { velocity * (speed_max / square.sqrt()) } else { velocity }
}

/// The velocity of unit-length `planes` nearest to `wanted`; or which plane left nothing, and the best before it.
#[inline]
fn nearest(planes: &[HalfPlane], start: Vec2, wanted: Vec2, speed_max: f32) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = start;
    for (number, plane) in planes.iter().enumerate() {
        if plane.breach(velocity) > TOLERANCE {
            let direction = left_of(plane.normal);
            let Some((base, low, high)) = border(&planes[..number], *plane, direction, speed_max) else {
                return Err((number, velocity));
            };
            let share = wanted.dot(direction);
            let share = if share < low {
                low
            } else if share > high {
                high
            } else {
                share
            };
            velocity = base + direction * share;
        }
    }
    Ok(velocity)
}

/// The velocity of `planes`, whose normals may have any length, farthest along a unit direction.
#[inline]
fn farthest(planes: &[HalfPlane], along: Vec2, speed_max: f32) -> Option<Vec2> {
    let mut velocity = along * speed_max;
    for (number, plane) in planes.iter().enumerate() {
        if plane.breach(velocity) > TOLERANCE {
            let per_length = 1.0 / plane.normal.length();
            let plane = HalfPlane { normal: plane.normal * per_length, offset: plane.offset * per_length };
            let direction = left_of(plane.normal);
            let (base, low, high) = border(&planes[..number], plane, direction, speed_max)?;
            velocity = base + direction * if along.dot(direction) > 0.0 { high } else { low };
        }
    }
    Some(velocity)
}

/// What the speed limit and other planes leave of the border of a plane: a point on it, and from where to where along
/// `direction`. None if nothing is left.
#[inline]
fn border(others: &[HalfPlane], plane: HalfPlane, direction: Vec2, speed_max: f32) -> Option<(Vec2, f32, f32)> {
    let room = speed_max * speed_max - plane.offset * plane.offset;
    if room < 0.0 {
        return None;
    }
    let base = plane.normal * plane.offset;
    let half = room.sqrt();
    let (mut low, mut high) = (-half, half);
    for other in others {
        let slope = other.normal.dot(direction);
        let gap = other.breach(base);
        if slope.abs() <= PARALLEL {
            if gap > TOLERANCE * 10.0 {
                return None;
            }
            continue;
        }
        let at = gap / slope;
        if slope > 0.0 {
            low = if at > low { at } else { low };
        } else {
            high = if at < high { at } else { high };
        }
        if low > high {
            return None;
        }
    }
    Some((base, low, high))
}

/// Planes that no velocity is within.
struct Unsolved<'a> {
    planes: &'a [HalfPlane],
    /// So many planes, the first ones, are kept nevertheless.
    hard: usize,
    /// The plane that left nothing.
    failed: usize,
    /// The best velocity before it, m/s.
    velocity: Vec2,
}

/// Makes the greatest breach small, from the plane that failed on.
fn least_breach(from: &Unsolved<'_>, relative: &mut [HalfPlane], speed_max: f32) -> Vec2 {
    let &Unsolved { planes, hard, failed, mut velocity } = from;
    let mut most = 0.0;
    relative[..hard].copy_from_slice(&planes[..hard]);
    for number in failed..planes.len() {
        let plane = planes[number];
        if plane.breach(velocity) <= most {
            continue;
        }
        let mut count = hard;
        for other in &planes[hard..number] {
            let normal = other.normal - plane.normal;
            // Along the same normal the one with the greater offset is always broken more; it was there before.
            if normal.length_squared() > PARALLEL {
                relative[count] = HalfPlane { normal, offset: other.offset - plane.offset };
                count += 1;
            }
        }
        velocity = farthest(&relative[..count], plane.normal, speed_max).unwrap_or(velocity);
        most = plane.breach(velocity);
    }
    velocity
}
