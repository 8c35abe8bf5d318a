//! What there is to see of scouts: cones, what is half noticed, and what is believed beside the truth.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::plane;
use sentir::prelude::*;

use super::{Head, PUPPET, Scout};

pub(crate) const INK: Color = Color::rgb(0x23272b);
const DIM: Color = Color::rgb(0x5a6068);

/// The dark areas of the level, over its floor.
pub(crate) fn draw_dark(scout: &Scout, shift: Vec3, list: &mut DrawList) {
    for area in scout.level.areas().iter().filter(|area| area.kind == "dark") {
        let corners = area.outline.iter().map(|&corner| plane::lift(corner, 0.01) + shift);
        list.polygon(Layer::LEVEL, DIM.alpha(110), corners);
    }
}

/// Somebody: body, nose, both cones, whom it believes where, what it heard, and what it does. `shift` moves the picture.
pub(crate) fn draw_scout(
    scout: &Scout,
    brains: &Loop<Scout>,
    it: &Presence,
    color: Color,
    shift: Vec3,
    list: &mut DrawList,
) {
    let Pose { position, yaw } = it.body.pose;
    let center = position + shift;
    let sight = &scout.senses.sight;
    if it.kind != PUPPET {
        let far = Shape::Sector { center, yaw, half_angle: sight.focus_half_rad, radius_m: sight.range_m };
        let wide = sight.range_m * sight.periphery_share;
        list.add(Layer::SENSES, color.alpha(18), far);
        list.add(
            Layer::SENSES,
            color.alpha(14),
            Shape::Sector { center, yaw, half_angle: sight.half_rad, radius_m: wide },
        );
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
    list.circle(Layer::BODIES, color, center, it.body.radius_m, true);
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
