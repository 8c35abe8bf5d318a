//! Changed meshes and changed beliefs: whether a path still leads where it led.

use sentir_core::glam::Vec3;
use sentir_nav::mesh::Place;

use super::{Follower, Ground, LEVEL_M, Need, Phase, SEEN_M};

/// The place at a point of a path, on ground that may be entered: at the border of an area that may not, two polygons have it.
pub(super) fn locate(ground: &Ground<'_>, point: Vec3) -> Option<Place> {
    let place = ground.mesh.locate(point, LEVEL_M)?;
    if ground.costs.is_passable(ground.mesh.area(place.polygon)) {
        return Some(place);
    }
    ground.mesh.nearest_passable(point, Vec3::new(SEEN_M, LEVEL_M, SEEN_M), ground.costs)
}

impl Follower {
    /// Asks for another path, since there may be a better one now; goes on by the old one meanwhile.
    pub fn reconsider(&mut self) {
        let is_free = !matches!(self.phase, Phase::Traverse(_) | Phase::Idle);
        if is_free && !self.path.is_empty() && self.need == Need::Nothing {
            self.need = Need::Repair;
        }
    }

    /// The mesh, or what is believed of it, is another one: asks for another path if this one leads there no more.
    pub(super) fn look_again(&mut self, ground: &Ground<'_>) {
        if !self.still_leads(ground) {
            self.reconsider();
        }
    }

    /// Whether the rest of the path can be walked: one ray a corner, [`CORNERS_MAX`](super::CORNERS_MAX) at most.
    fn still_leads(&self, ground: &Ground<'_>) -> bool {
        let at = self.at as usize;
        let (Some(here), Some(&next)) = (self.place, self.path.get(at)) else { return true };
        let place = |corner: Vec3| -> Option<Place> {
            ground.mesh.nearest_passable(corner, Vec3::new(SEEN_M, LEVEL_M, SEEN_M), ground.costs)
        };
        let leads = |number: usize| {
            let [from, to] = [self.path[number], self.path[number + 1]];
            match self.hop_at(number) {
                Some(link) => {
                    let is_there = ground.mesh.links().len() > link.0 as usize;
                    is_there && place(from).is_some() && place(to).is_some()
                }
                None => place(from).is_some_and(|place| self.sees(ground, place, to)),
            }
        };
        self.sees(ground, here, next) && (at..self.path.len() - 1).all(leads)
    }
}
