//! Changed meshes and changed beliefs: whether a path still leads where it led.

use super::footing::Spot;
use super::route::Route;
use super::{Follower, MeshGround, Need, Phase};

impl Follower {
    /// Asks for another path, since there may be a better one now; goes on by the old one meanwhile.
    pub fn reconsider(&mut self) {
        let is_free = !matches!(self.phase, Phase::Traverse(_) | Phase::Idle);
        if is_free && !self.route.is_empty() && self.inquiry.need == Need::Nothing {
            self.inquiry.need = Need::Repair;
        }
    }

    /// The mesh, or what is believed of it, is another one: asks for another path if this one leads there no more.
    pub(super) fn look_again(&mut self, ground: &MeshGround<'_>) {
        let still_leads = self.footing.spot(ground).is_none_or(|here| self.route.still_leads(here));
        if !still_leads {
            self.reconsider();
        }
    }
}

impl Route {
    /// Whether the rest of the path can be walked: one ray a corner, [`CORNERS_MAX`](super::CORNERS_MAX) at most.
    fn still_leads(&self, here: Spot<'_>) -> bool {
        let (at, ground) = (self.at as usize, here.ground);
        let Some(&next) = self.path.get(at) else { return true };
        let leads = |number: usize| {
            let [from, to] = [self.path[number], self.path[number + 1]];
            match self.hop_at(number) {
                Some(link) => {
                    let is_there = ground.mesh.links().len() > link.0 as usize;
                    is_there && ground.enter(from).is_some() && ground.enter(to).is_some()
                }
                None => ground.enter(from).is_some_and(|spot| spot.sees(to)),
            }
        };
        here.sees(next) && (at..self.path.len() - 1).all(leads)
    }
}
