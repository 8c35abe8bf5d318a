//! Room for bodies before pieces that move: doors do not close through people, and nothing is crushed.
//!
//! A piece, door or mover, stops for the tick in which it would touch a body, and goes on when the body has left: a door waits
//! behind it, a lift stops over its head, a cart before it. A rider is no obstacle to its piece, as long as there
//! is room where the rider is taken. So pieces push nobody; what a host moves by force still does. A door that waits does
//! not turn back by itself: who is caught between it and the frame uses it, and it opens.

use sentir::core::body::Pose;
use sentir::core::glam::Vec3;
use sentir_level::{CapsuleAxis, LevelView, PieceId};

use super::{Capsule, CharacterBody, drive};

/// Room that a moving piece keeps to bodies, m: more than the widest skin, so that nobody is pushed by it.
pub const PIECE_ROOM_M: f32 = 0.06;
/// Room that a rider has at least where it is taken, m: less than the narrowest skin, so that a rider at a wall fits.
const RIDER_ROOM_M: f32 = 5e-4;
/// How far over the feet of a rider that begins to count, m: they are on the piece.
const RIDER_FOOT_M: f32 = 0.05;

/// Whether a piece can go to a pose without touching a body, or taking a rider into something. For
/// [`LevelState::step_held`](sentir_level::LevelState::step_held).
pub fn piece_may_go(view: &LevelView<'_>, piece: PieceId, next: &Pose, walkers: &[CharacterBody]) -> bool {
    walkers.iter().all(|walker| {
        let capsule = walker.capsule();
        if walker.is_grounded
            && let Some(ride) = walker.ride.filter(|ride| ride.piece == piece)
        {
            return has_room(view, &capsule.by(drive::carried(capsule.feet, &ride.pose, next)));
        }
        let radius_m = capsule.radius_m + PIECE_ROOM_M;
        view.piece_may_go(piece, next, &CapsuleAxis { low: capsule.low(), high: capsule.high(), radius_m })
    })
}

/// Whether a rider fits where it is taken.
fn has_room(view: &LevelView<'_>, capsule: &Capsule) -> bool {
    let foot = capsule.low() + Vec3::Y * RIDER_FOOT_M;
    !view.capsule_overlap(foot, capsule.high(), capsule.radius_m + RIDER_ROOM_M)
}
