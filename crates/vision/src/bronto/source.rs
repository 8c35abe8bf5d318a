//! The source's way: a pixel to go to, chosen by colors, and one curve to it, whatever is between.

use sentir_core::plane;
use sentir_core::random::Stream;

use super::{Aim, Bronto, BrontoConfig, BrontoScratch, FOOT_M, Feel, Reaction};
use crate::classic::{Side, SideRule, Target, choose, turn};
use crate::curve::Curve;
use crate::object::{self, Joining, Object};
use crate::viewport::Viewport;

impl Bronto {
    pub(super) fn see_source(
        &mut self,
        config: &BrontoConfig,
        rule: SideRule,
        view: &Viewport,
        feel: &Feel,
        random: &mut Stream,
        scratch: &mut BrontoScratch,
    ) {
        let joining = Joining::Source { reach: config.object_m };
        let enemy = self.react(config, view, feel, joining, &mut scratch.objects);
        if self.turn_to.is_some() {
            return;
        }
        let chased = enemy.filter(|_| self.reaction == Reaction::Intercept);
        if let Some(foot) = chased.and_then(|enemy| foot(view, &enemy)) {
            self.go_to(view, feel, foot, Aim::Enemy);
            return;
        }
        if !self.legs.is_empty() && self.share_travelled() < config.renew_share {
            return;
        }
        let wanted = self.mood.wanted();
        if !wanted.is_empty() {
            object::find(view, wanted, joining, &mut scratch.objects);
            if let Some(foot) = object::nearest(&scratch.objects).and_then(|item| foot(view, item)) {
                self.go_to(view, feel, foot, Aim::Item);
                return;
            }
        }
        self.walk_around(config, rule, view, feel, random);
    }

    fn walk_around(
        &mut self,
        config: &BrontoConfig,
        rule: SideRule,
        view: &Viewport,
        feel: &Feel,
        random: &mut Stream,
    ) {
        let margins = &config.margins;
        let sides = if random.chance(0.5) { [Side::Left, Side::Right] } else { [Side::Right, Side::Left] };
        let target = choose(view, margins, rule).or_else(|| sides.iter().find_map(|&side| turn(view, margins, side)));
        match target {
            Some(target) => self.go_to(view, feel, target, |_| Aim::Around),
            None if self.legs.is_empty() => self.turn(feel.yaw, sentir_core::math::PI, random),
            None => {}
        }
    }

    fn go_to(&mut self, view: &Viewport, feel: &Feel, target: Target, aim: impl Fn(sentir_core::glam::Vec2) -> Aim) {
        let Some(point) = view.unproject(target.column, target.row) else { return };
        let (from, to) = (plane::ground(feel.feet), plane::ground(point));
        if let Some(curve) = Curve::to(from, plane::heading(feel.yaw), to) {
            self.go(aim(to), &[curve]);
        }
    }
}

/// The floor below something, as the source finds it.
fn foot(view: &Viewport, object: &Object) -> Option<Target> {
    let lens = view.lens();
    let (column, row) = object::foot(view, object, FOOT_M / (lens.far_m - lens.near_m))?;
    Some(Target { column, row })
}
