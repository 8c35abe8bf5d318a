//! What eyes need in a scene: the memory of a picture, and what is drawn on it.

use sentir::core::glam::Vec3;
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelView};
use sentir_vision::bronto::BrontoScratch;
use sentir_vision::{Class, Eye, Lens, MotionMode, Outlook, Retina, Scenery, Solid, Thing, Viewport};

/// Things that are drawn at most; the others are not seen.
const THINGS_MAX: usize = 96;

/// The memory that looking takes.
pub(crate) struct Sight {
    retina: Retina,
    pub(crate) view: Viewport,
}

/// What a look needs and need not remember: no state.
#[derive(Default)]
pub(crate) struct SightScratch {
    pub(crate) sight: Option<Sight>,
    pub(crate) bronto: BrontoScratch,
    pub(crate) outlook: Outlook,
}

/// The things of a picture.
pub(crate) struct Drawn<'a> {
    things: [Thing<'a>; THINGS_MAX],
    count: usize,
}

impl<'a> Drawn<'a> {
    /// None yet; `any` is any solid.
    pub(crate) fn new(any: &'a Solid) -> Drawn<'a> {
        let blank = Thing { solid: any, position: Vec3::ZERO, yaw: 0.0, velocity: Vec3::ZERO, class: Class::NOTHING };
        Drawn { things: [blank; THINGS_MAX], count: 0 }
    }

    /// One more, if there is room.
    pub(crate) fn add(&mut self, thing: Thing<'a>) {
        if let Some(place) = self.things.get_mut(self.count) {
            *place = thing;
            self.count += 1;
        }
    }
}

impl Sight {
    /// Eyes with a lens; a lens that cannot be is none.
    pub(crate) fn new(lens: Lens) -> Option<Sight> {
        Some(Sight { retina: Retina::new(lens).ok()?, view: Viewport::new(lens).ok()? })
    }

    /// Eyes with a lens, made when they are missing or have another one.
    pub(crate) fn provide(sight: &mut Option<Sight>, lens: Lens) -> Option<&mut Sight> {
        if sight.as_ref().is_none_or(|sight| *sight.view.lens() != lens) {
            *sight = Sight::new(lens);
        }
        sight.as_mut()
    }

    /// Looks.
    pub(crate) fn look(
        &mut self,
        eye: &Eye,
        scenery: &Scenery,
        drawn: &Drawn<'_>,
        mode: MotionMode,
        speed_max_m_per_s: f32,
    ) {
        self.retina.look(eye, scenery, &drawn.things[..drawn.count]);
        // Both were made with one lens.
        let _ = self.view.take(&self.retina, eye, mode, speed_max_m_per_s);
    }
}

/// What of a level can be seen, as it stands at the beginning.
pub(crate) fn scenery(level: &Level) -> Scenery {
    let state = LevelState::new(level);
    let mut triangles = Vec::new();
    let all = Aabb { low: Vec3::splat(-1e4), high: Vec3::splat(1e4) };
    LevelView { level, state: &state }.triangles_in(&all, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
    Scenery::build(&triangles)
}
