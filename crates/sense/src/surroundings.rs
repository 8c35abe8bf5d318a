//! What a host may tell the senses beside bodies and geometry. Every method has an answer by itself, so a host tells what it
//! has.

use sentir_core::glam::Vec3;

use crate::smell::Scents;

/// Light, ways of sound, things and trails of a world. `()` is a world in plain daylight with nothing of it.
pub trait Surroundings {
    /// How light it is at a place, 0 (dark) to 1 (daylight). What is no number counts as dark.
    fn light(&self, _at: Vec3) -> f32 {
        1.0
    }

    /// How far sound goes from one place to another round what stands between, m; none if it does not get there or nobody
    /// knows. It is asked only where the straight way is blocked.
    fn path_m(&self, _from: Vec3, _to: Vec3) -> Option<f32> {
        None
    }

    /// Shows every thing within `radius_m` of a place, in a fixed order: doors, obstacles, items.
    fn visit_things(&self, _center: Vec3, _radius_m: f32, _visit: &mut dyn FnMut(&Visible)) {}

    /// The trails of this world.
    fn scents(&self) -> Option<&Scents> {
        None
    }
}

impl Surroundings for () {}

/// The truth about a thing that can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visible {
    /// Which; numbers are the game's.
    pub id: u32,
    /// How it is; numbers are the game's.
    pub value: u16,
    /// Its middle, m.
    pub position: Vec3,
    /// How far it reaches around its middle, m: a look ends there, so that a shut door does not hide itself.
    pub radius_m: f32,
    /// Whether everybody knows it whatever the eyes see: a change that the game announces.
    pub is_public: bool,
}
