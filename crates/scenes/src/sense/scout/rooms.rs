//! What senses find around them in a building: dark corners, ways of sound through open doors, and the doors themselves.

use sentir::core::geometry::Geometry;
use sentir::core::plane;
use sentir::prelude::*;
use sentir::sense::{Scents, Visible};

use super::{DARK, Scout};
use crate::sense::waypoint_path::Doorway;

/// A shut door, as a thing's value; an open one is 0.
pub(super) const SHUT: u16 = 1;
/// Height at which one looks whether a door is shut, m.
const CHEST_M: f32 = 1.3;
/// How far a look through a door reaches on either side, m.
const THROUGH_M: f32 = 0.5;

/// The surroundings of somebody, as they are in truth.
pub(super) struct Rooms<'a> {
    pub(super) scout: &'a Scout,
    pub(super) geometry: &'a dyn Geometry,
}

impl Rooms<'_> {
    /// Whether a door is shut, in truth.
    pub(super) fn is_shut(&self, door: &Doorway) -> bool {
        let spot = |side: f32| plane::lift(door.at + door.through * side, CHEST_M);
        !self.geometry.is_clear(spot(-THROUGH_M), spot(THROUGH_M))
    }
}

impl Surroundings for Rooms<'_> {
    fn light(&self, at: Vec3) -> f32 {
        if self.scout.level.areas_at(at).any(|area| area.kind == "dark") { DARK } else { 1.0 }
    }

    fn path_m(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let (from, to) = (plane::ground(from), plane::ground(to));
        let is_shut = |door: u8| self.scout.ways.doors.get(usize::from(door)).is_some_and(|door| self.is_shut(door));
        self.scout.ways.toward(&self.scout.level, to, from, is_shut).map(|(_, length_m)| length_m)
    }

    fn scents(&self) -> Option<&Scents> {
        Some(&self.scout.scents)
    }

    fn visit_things(&self, center: Vec3, radius_m: f32, visit: &mut dyn FnMut(&Visible)) {
        for (id, door) in (0..).zip(&self.scout.ways.doors) {
            if door.at.distance(plane::ground(center)) <= radius_m {
                let value = if self.is_shut(door) { SHUT } else { 0 };
                let position = plane::lift(door.at, CHEST_M);
                visit(&Visible { id, value, position, radius_m: 0.25, is_public: false });
            }
        }
    }
}
