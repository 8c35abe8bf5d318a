//! Visibility: the region a watcher sees, as an ordered fan round it.
//!
//! The region is the lower envelope of all walls in polar coordinates: for each direction the nearest wall. It is kept as a
//! list of breaks in order of direction, and walls are laid into it one by one, nearest first, out of a tree of boxes. A box
//! whose every direction is closed by nearer walls is left out with all that is in it, so what is hidden is never looked at.
//! Where two walls change places within a stretch they cross, and the crossing becomes a break: obstacles may touch, overlap
//! and cross as they like. The field of view is no special case: directions outside of it are closed from the start.
//!
//! | room | holds |
//! |---|---|
//! | [`obstacle`] | polygons and walls with their tree, versions and a log of changes |
//! | [`sweep`] | the region of a watcher |
//! | [`region`] | the answer: does it hold a point, triangles, area, ring, stretches of a segment; for `nav::tactic` |
//! | [`memo`] | answers kept until something that they depend on moves |
//! | [`floor`] | obstacles of a floor of a level, at the height of an eye |
//! | [`fan`] | the two classic algorithms with rays, for comparison |
//! | [`draw`] | all of it as shapes |
//!
//! **Cost**: O(k log k + hidden boxes) for k walls that are in view or nearly so; O(n log n) at worst (with the inverse
//! Ackermann factor of envelopes of segments that cross, at most 4), held by a switch to divide and conquer when laying walls
//! in one by one does too much. Nothing is allocated once the buffers have grown.
//!
//! **Guarantees**: a wall blocks, and itself is seen; walls seen edge-on block nothing. Who stands on a wall, or on a corner,
//! sees what lies on both sides of it; who stands inside an obstacle sees the inside. All sums are in double precision over
//! single precision inputs, shared corners have the same direction to the bit, so between walls that share a corner there is
//! no crack. Elsewhere directions are exact but for rounding (about 1e-15 of a turn).
//!
//! ```
//! use sentir_space::core::glam::Vec2;
//! use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};
//!
//! let block = [Vec2::new(2.0, -1.0), Vec2::new(3.0, -1.0), Vec2::new(3.0, 1.0), Vec2::new(2.0, 1.0)];
//! let mut obstacles = Obstacles::default();
//! obstacles.add_polygon(&block)?;
//! let watcher = Watcher::all_round(Vec2::ZERO, 10.0);
//! let (mut sweep, mut region) = (Sweep::default(), Region::default());
//! sweep.look(&obstacles, &watcher, &mut region);
//! assert!(region.contains(Vec2::new(1.9, 0.0)) && !region.contains(Vec2::new(4.0, 0.0)));
//! # Ok::<(), sentir_space::visibility::ObstacleError>(())
//! ```

pub mod draw;
mod envelope;
pub mod fan;
pub mod floor;
pub mod memo;
pub mod obstacle;
mod ray;
pub mod region;
pub mod sweep;
mod tree;

pub use floor::FloorSight;
pub use memo::Memo;
pub use obstacle::{ObstacleError, ObstacleId, Obstacles};
pub use region::{Region, Seen, Span};
pub use sweep::Sweep;

use sentir_core::State;
use sentir_core::glam::{DVec2, Vec2};
use sentir_core::math;

/// How far a watcher may see at most, and how far from the middle of the world things may be, m.
pub const REACH_M: f32 = 1e6;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Watcher {
    /// Where the eye is, on the ground, m. Limit: within [`REACH_M`] along each axis.
    pub origin: Vec2,
    /// The middle of the field of view: a yaw, rad.
    pub facing: f32,
    /// Angle to either side, rad. Limit: > 0; from π on it sees all round.
    pub half_angle_rad: f32,
    /// How far it sees, m. Limit: > 0, at most [`REACH_M`].
    pub range_m: f32,
}

impl Watcher {
    /// One that sees all round.
    #[must_use]
    pub fn all_round(origin: Vec2, range_m: f32) -> Watcher {
        Watcher { origin, facing: 0.0, half_angle_rad: math::PI, range_m }
    }

    /// Whether it can see at all: everything within its limits. One that cannot has an empty region.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let is_here = self.origin.x.abs() <= REACH_M && self.origin.y.abs() <= REACH_M;
        is_here && self.facing.is_finite() && self.half_angle_rad > 0.0 && self.range_m > 0.0 && self.range_m <= REACH_M
    }

    /// Whether it sees all round.
    #[must_use]
    pub fn is_all_round(&self) -> bool {
        self.half_angle_rad >= math::PI
    }

    /// Its bits: two watchers with the same ones ask the same question.
    pub(crate) fn bits(&self) -> [u32; 5] {
        [self.origin.x, self.origin.y, self.facing, self.half_angle_rad, self.range_m].map(f32::to_bits)
    }
}

/// A number that grows with the direction of `d`, counter-clockwise from the x axis, from 0 to 4: an angle for comparing,
/// without trigonometry. The same vector has the same number. NaN for zero.
#[inline(always)]
pub(crate) fn key(d: DVec2) -> f64 {
    let share = d.x / (d.x.abs() + d.y.abs());
    if d.y >= 0.0 { 1.0 - share } else { 3.0 + share }
}

/// The key of a direction that lies between two others; the nearer one of them if rounding has put it outside.
pub(crate) fn key_within(d: DVec2, low: f64, high: f64) -> f64 {
    let at = key(d);
    if at >= low && at <= high {
        at
    } else if at < low {
        if low - at <= at + 4.0 - high { low } else { high }
    } else if at > high && at - high > low + 4.0 - at {
        low
    } else {
        high
    }
}

/// The directions of the right and the left edge of a field of view; none if it is all round.
pub(crate) fn edges(watcher: &Watcher) -> Option<[DVec2; 2]> {
    if watcher.is_all_round() {
        return None;
    }
    let heading = |turn: f32| sentir_core::plane::heading(watcher.facing + turn).as_dvec2();
    Some([heading(-watcher.half_angle_rad), heading(watcher.half_angle_rad)])
}
