//! The host of the eyes: what is drawn for whom.

use sentir::core::glam::Vec3;
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelView};
use sentir_vision::{Class, Eye, Lens, MotionMode, Retina, Scenery, Solid, Thing, Viewport};

/// Things that are drawn at most; the others are not seen.
const THINGS_MAX: usize = 96;

/// The memory that looking takes. Made when it is missing.
pub(super) struct Sight {
    retina: Retina,
    pub(super) view: Viewport,
}

impl Sight {
    /// Eyes with a lens; a lens that cannot be is none.
    pub(super) fn new(lens: Lens) -> Option<Sight> {
        Some(Sight { retina: Retina::new(lens).ok()?, view: Viewport::new(lens).ok()? })
    }

    /// Looks.
    pub(super) fn look<'a>(
        &mut self,
        eye: &Eye,
        scenery: &Scenery,
        things: impl Iterator<Item = Thing<'a>>,
        nothing: &'a Solid,
        mode: MotionMode,
        speed_max_m_per_s: f32,
    ) {
        let blank =
            Thing { solid: nothing, position: Vec3::ZERO, yaw: 0.0, velocity: Vec3::ZERO, class: Class::NOTHING };
        let (mut drawn, mut count) = ([blank; THINGS_MAX], 0);
        for thing in things.take(THINGS_MAX) {
            drawn[count] = thing;
            count += 1;
        }
        self.retina.look(eye, scenery, &drawn[..count]);
        // Both were made with one lens.
        let _ = self.view.take(&self.retina, eye, mode, speed_max_m_per_s);
    }
}

/// What of a level can be seen, as it stands at the beginning.
pub(super) fn scenery(level: &Level) -> Scenery {
    let state = LevelState::new(level);
    let mut triangles = Vec::new();
    let all = Aabb { low: Vec3::splat(-1e4), high: Vec3::splat(1e4) };
    LevelView { level, state: &state }.triangles_in(&all, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
    Scenery::build(&triangles)
}
