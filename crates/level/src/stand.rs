//! Whether a body can stand somewhere.

use glam::Vec3;
use sentir_core::body::person::{HEIGHT_M, RADIUS_M};
use sentir_core::plane;

use crate::level::FloorId;
use crate::view::LevelView;

/// How far above and below the asked height ground is looked for, m.
pub const REACH_M: f32 = 0.5;
/// How far things of levels made for other games fall, m.
pub const FALL_M: f32 = 128.0;
/// How much of its foot may be in a slope or a step, m.
const STEP_M: f32 = 0.3;

/// Why nobody can stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No ground near that height.
    NoGround,
    /// Something solid is in the way.
    NoRoom,
}

/// Where the feet of a person come to stand near `point`. On levels without geometry, tiles decide.
pub fn feet(view: &LevelView<'_>, point: Vec3, floor: FloorId) -> Result<Vec3, Refused> {
    feet_below(view, point, floor, REACH_M)
}

/// As [`feet`], for who is let fall at `point` and may fall far.
pub fn fallen(view: &LevelView<'_>, point: Vec3, floor: FloorId) -> Result<Vec3, Refused> {
    feet_below(view, point, floor, FALL_M)
}

fn feet_below(view: &LevelView<'_>, point: Vec3, floor: FloorId, fall_m: f32) -> Result<Vec3, Refused> {
    let ground = plane::ground(point);
    let blocks = |map: &crate::level::TileMap| {
        map.floor == floor && map.cell_at(ground).and_then(|cell| map.tag(cell)).is_some_and(|tag| tag.is_impassable)
    };
    if view.level.tiles().iter().any(blocks) {
        return Err(Refused::NoRoom);
    }
    if view.level.triangle_count() == 0 {
        return Ok(point);
    }
    let above = point + Vec3::Y * REACH_M;
    if view.is_inside(above) || view.is_inside(point + Vec3::Y * HEIGHT_M * 0.5) {
        return Err(Refused::NoRoom);
    }
    let found = view.ground_below(above, REACH_M + fall_m).ok_or(Refused::NoGround)?;
    let up = |height_m: f32| found.position + Vec3::Y * height_m;
    if view.capsule_overlap(up(STEP_M + RADIUS_M), up(HEIGHT_M - RADIUS_M), RADIUS_M) {
        return Err(Refused::NoRoom);
    }
    Ok(found.position)
}
