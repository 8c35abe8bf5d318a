//! The hand on a door: opens or closes the nearest one before one.
//!
//! People and brains use the same function: `Actions::USE` is enough. O(triangles in reach), allocates nothing.

use sentir::State;
use sentir::core::glam::Vec3;
use sentir::core::{math, plane};
use sentir_level::{Blocks, DoorAnswer, Level, LevelState, LevelView, PieceId};

use crate::reach::{NearPiece, is_open_to, near_pieces};

/// How doors are reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoorConfig {
    /// How far from the eyes, m. Limit: ≥ 0.
    pub reach_m: f32,
    /// How far off the way one faces, on the ground, rad. Limit: 0..=π.
    pub half_angle_rad: f32,
}

impl Default for DoorConfig {
    fn default() -> Self {
        DoorConfig { reach_m: 1.5, half_angle_rad: 1.0 }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum DoorUse {
    /// It begins to open.
    Opens(PieceId),
    /// It begins to close.
    Closes(PieceId),
    /// It is locked.
    Locked(PieceId),
    /// There is no door to use.
    NoDoor,
}

/// The nearest door in reach of the eyes, on the side one faces, with nothing solid between; the first of equals. Right at
/// it, the side does not matter.
pub fn nearest_door(view: &LevelView<'_>, eye: Vec3, yaw: f32, config: &DoorConfig) -> Option<PieceId> {
    let (heading, cos_least) = (plane::heading(yaw), math::cos(config.half_angle_rad));
    let mut best: Option<NearPiece> = None;
    near_pieces(view, eye, config.reach_m, |near| {
        let is_door = view.level.pieces().get(usize::from(near.piece.0)).is_some_and(|piece| piece.door.is_some());
        let way = plane::ground(near.point - eye);
        let is_before = way.dot(heading) >= cos_least * way.length();
        let is_nearer = best.is_none_or(|old| near.distance_m < old.distance_m);
        if is_door && is_before && is_nearer && is_open_to(view, eye, &near, Blocks::BODIES) {
            best = Some(near);
        }
    });
    best.map(|near| near.piece)
}

/// Opens the nearest door, or closes it if it is open or opening.
pub fn use_door(level: &Level, state: &mut LevelState, eye: Vec3, yaw: f32, config: &DoorConfig) -> DoorUse {
    let Some(door) = nearest_door(&LevelView { level, state }, eye, yaw, config) else { return DoorUse::NoDoor };
    let is_open = state.piece(door).is_some_and(|piece| piece.is_opening);
    let answer = if is_open { state.close_door(level, door) } else { state.open_door(level, door) };
    match answer {
        DoorAnswer::Moves if is_open => DoorUse::Closes(door),
        DoorAnswer::Moves => DoorUse::Opens(door),
        DoorAnswer::Locked => DoorUse::Locked(door),
        DoorAnswer::NoDoor => DoorUse::NoDoor,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir::core::tick::TickRate;
    use sentir_level::stock;

    /// Looks along +x, toward the doors of `collapse`.
    const EAST: f32 = -math::FRAC_PI_2;

    #[test]
    fn the_door_before_one_opens_and_closes() {
        let level = stock("collapse").unwrap();
        let mut state = LevelState::new(&level);
        let south = level.piece_named("door south").unwrap();
        let (eye, config) = (Vec3::new(9.0, 1.7, 8.0), DoorConfig::default());
        assert_eq!(use_door(&level, &mut state, eye, EAST, &config), DoorUse::Opens(south));
        for _ in 0..60 {
            state.step(&level, TickRate::new(60));
        }
        assert_eq!(state.piece(south).unwrap().openness, 1.0);
        // Swung away to the other side of the wall or not: whoever reaches it may close it.
        let near = nearest_door(
            &LevelView { level: &level, state: &state },
            eye,
            EAST,
            &DoorConfig { reach_m: 2.5, half_angle_rad: math::PI },
        );
        assert_eq!(near, Some(south));
        let answer = use_door(&level, &mut state, eye, EAST, &DoorConfig { reach_m: 2.5, half_angle_rad: math::PI });
        assert_eq!(answer, DoorUse::Closes(south));
    }

    #[test]
    fn doors_behind_one_out_of_reach_or_locked_stay_shut() {
        let level = stock("collapse").unwrap();
        let mut state = LevelState::new(&level);
        let config = DoorConfig::default();
        let at = |x: f32, z: f32| Vec3::new(x, 1.7, z);
        assert_eq!(use_door(&level, &mut state, at(9.0, 8.0), EAST + math::PI, &config), DoorUse::NoDoor);
        assert_eq!(use_door(&level, &mut state, at(7.0, 8.0), EAST, &config), DoorUse::NoDoor);
        let north = level.piece_named("door north").unwrap();
        assert_eq!(use_door(&level, &mut state, at(9.0, -8.0), EAST, &config), DoorUse::Locked(north));
        assert_eq!(use_door(&level, &mut state, Vec3::NAN, EAST, &config), DoorUse::NoDoor);
        assert_eq!(state, LevelState::new(&level));
    }
}
