//! What there is to see of scouts: cones, what is half noticed, and what is believed beside the truth.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::LevelView;

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

/// Rays by which a cone is drawn, and how high over the ground it lies, m.
const CONE_RAYS: u8 = 28;
const CONE_LIFT_M: f32 = 0.03;

/// A cone as far as one sees in it: walls cut it off.
fn draw_cone(
    view: &LevelView<'_>,
    body: &Body,
    half_rad: f32,
    range_m: f32,
    color: Color,
    shift: Vec3,
    list: &mut DrawList,
) {
    let eye = body.eye();
    let end = |number: u8| {
        let share = f32::from(number) / f32::from(CONE_RAYS) * 2.0 - 1.0;
        let direction = plane::lift(plane::heading(body.pose.yaw + share * half_rad), 0.0);
        let hit = view.sight_ray(&Ray { origin: eye, direction, length_m: range_m });
        let at = eye + direction * hit.map_or(range_m, |hit| hit.distance_m);
        Vec3::new(at.x, CONE_LIFT_M, at.z) + shift
    };
    let center = Vec3::new(eye.x, CONE_LIFT_M, eye.z) + shift;
    let mut last = end(0);
    for number in 1..=CONE_RAYS {
        let next = end(number);
        list.polygon(Layer::SENSES, color, [center, last, next]);
        last = next;
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
        draw_cone(view, &it.body, sight.focus_half_rad, sight.range_m, color.alpha(26), shift, list);
        draw_cone(view, &it.body, sight.half_rad, wide_m, color.alpha(18), shift, list);
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
