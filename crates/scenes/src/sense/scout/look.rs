//! What there is to see of scouts: cones, what is half noticed, and what is believed beside the truth.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::LevelView;

use crate::cone::Cone;

use super::{HOUND, Head, PUPPET, Scout};

pub(crate) const INK: Color = Color::rgb(0x23272b);
const DIM: Color = Color::rgb(0x5a6068);

/// The dark areas of the level, over its floor.
pub(crate) fn draw_dark(scout: &Scout, shift: Vec3, list: &mut DrawList) {
    for area in scout.level.areas().iter().filter(|area| area.kind == "dark") {
        let corners = area.outline.iter().map(|&corner| plane::lift(corner, 0.01) + shift);
        list.polygon(Layer::LEVEL, DIM.alpha(110), corners);
    }
}

/// Leaves room above and below a level for what is written there: a line that nobody sees at `z_m` to either side.
pub(crate) fn draw_margin(z_m: f32, list: &mut DrawList) {
    for z in [-z_m, z_m] {
        list.line(Layer::LEVEL, INK.alpha(0), Vec3::new(0.0, 0.0, z), Vec3::new(1.0, 0.0, z), 0.1);
    }
}

/// Somebody: body, nose, both cones, whom it believes where, what it heard, and what it does. `shift` moves the picture.
pub(crate) fn draw_scout(
    scout: &Scout,
    view: &LevelView<'_>,
    brains: &Loop<Scout>,
    it: &Presence,
    color: Color,
    shift: Vec3,
    list: &mut DrawList,
) {
    let center = it.body.pose.position + shift;
    let sight = &scout.senses.sight;
    if it.kind != PUPPET && it.kind != HOUND {
        let wide_m = sight.range_m * sight.periphery_share;
        Cone::of(&it.body, sight.focus_half_rad, sight.range_m).draw(view, color.alpha(26), shift, list);
        Cone::of(&it.body, sight.half_rad, wide_m).draw(view, color.alpha(18), shift, list);
    }
    let beliefs = brains.beliefs(it.agent);
    for other in beliefs.map(Beliefs::others).unwrap_or_default() {
        let alpha = (60.0 + 160.0 * other.confidence) as u8;
        let spot = other.position + shift;
        list.circle(Layer::SENSES, color.alpha(alpha), spot, if other.is_vanished { 0.25 } else { 0.5 }, false);
        if other.team != it.team {
            list.line(Layer::SENSES, color.alpha(alpha / 2), center, spot, 0.04);
        }
    }
    if let Some(lead) = brains.brain(it.agent).and_then(|head: &Head| head.lead) {
        let spot = Vec3::new(lead.x, 0.0, lead.z) + shift;
        list.line(Layer::SENSES, color.alpha(120), center, spot, 0.03);
        list.circle(Layer::SENSES, color.alpha(160), spot, 0.7, false);
    }
    list.body(it.key.0, color, center, it.body.radius_m);
    let nose = center + it.body.facing() * (it.body.radius_m * 1.9);
    list.line(Layer::BODIES, color, center, nose, 0.14);
}

/// What somebody does, as a word over its head.
pub(crate) fn draw_mode(brains: &Loop<Scout>, it: &Presence, shift: Vec3, list: &mut DrawList) {
    if let Some(head) = brains.brain(it.agent) {
        let above = it.body.pose.position + shift + plane::lift(Vec2::Y * 0.8, 0.0);
        list.label(Layer::NAMES, INK, above, format_args!("{}", head.mode.name()));
    }
}
