//! The source's way: a pixel to go to, chosen by colors, and one curve to it, whatever is between.

use sentir_core::belief::Percept;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::random::Stream;
use sentir_core::{math, plane};

use super::{Aim, Bronto, BrontoConfig, Feel, Reaction};
use crate::curve::Curve;

/// What places on its pictures mean: where floor goes on, and where it does to the sides.
pub(super) const ON: u8 = 0;
pub(super) const LEFT: u8 = 1;
pub(super) const RIGHT: u8 = 2;

impl Bronto {
    pub(super) fn decide_by_source(
        &mut self,
        config: &BrontoConfig,
        percept: &Percept,
        feel: &Feel,
        random: &mut Stream,
    ) {
        let enemy = self.react(config, percept, feel);
        if self.turn_to.is_some() {
            return;
        }
        let chased = enemy.filter(|_| self.reaction == Reaction::Intercept);
        if let Some(foot) = chased.and_then(|enemy| enemy.foot) {
            self.go_to(feel, foot, Aim::Enemy);
            return;
        }
        if !self.legs.is_empty() && self.share_travelled() < config.renew_share {
            return;
        }
        let wanted = self.mood.wanted();
        let item = percept.objects.iter().find(|object| wanted.iter().any(|class| class.0 == object.class));
        if let Some(foot) = item.and_then(|item| item.foot) {
            self.go_to(feel, foot, Aim::Item);
            return;
        }
        self.walk_around(percept, feel, random);
    }

    fn walk_around(&mut self, percept: &Percept, feel: &Feel, random: &mut Stream) {
        let sides = if random.chance(0.5) { [LEFT, RIGHT] } else { [RIGHT, LEFT] };
        let known = |meaning: u8| percept.landmarks.iter().find(|mark| mark.meaning == meaning);
        match [ON, sides[0], sides[1]].into_iter().find_map(known) {
            Some(mark) => self.go_to(feel, mark.place, |_| Aim::Around),
            None if self.legs.is_empty() => self.turn(feel.yaw, math::PI, random),
            None => {}
        }
    }

    fn go_to(&mut self, feel: &Feel, place: Vec3, aim: impl Fn(Vec2) -> Aim) {
        let (from, to) = (plane::ground(feel.feet), plane::ground(place));
        if let Some(curve) = Curve::to(from, plane::heading(feel.yaw), to) {
            self.go(aim(to), &[curve]);
        }
    }
}
