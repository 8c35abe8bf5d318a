//! What there is to see: the level, what lies and flies about, and what Bronto sees and wants.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::glam::UVec2;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_vision::bronto::{Aim, Way};
use sentir_vision::{Class, Lens, Palette, Viewport};

use crate::cone::Cone;

use super::ball::BALL_M;
use super::host::{Host, Supply, World};
use super::mind::{Seer, decision_name};

const OURS: Color = Color::rgb(0x2f_6fb0);
const SOURCE: Color = Color::rgb(0xc2_5f2a);
const DEAD: Color = Color::rgb(0x8a_8a8a);
const HEALTH: Color = Color::rgb(0xd4_9a00);
const AMMO: Color = Color::rgb(0x00_8f9c);
const BALL: Color = Color::rgb(0xa8_2ca8);
const INK: Color = Color::rgb(0x23_272b);
/// Width of the picture of what it sees at the most, m.
const INSET_M: f32 = 8.0;
/// Height of a line of words beneath the level, m.
const LINE_M: f32 = 1.0;

pub(super) fn draw(host: &Host, brains: &Loop<Seer>, world: &World, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: &host.level, state: &world.bodies.level }, list);
    let (now, bounds) = (brains.tick(), host.level.bounds());
    let below = Vec3::new(bounds.high.x, 0.0, bounds.high.z + INSET_M * 0.75 + 2.0 + 2.0 * LINE_M);
    panel(Vec3::new(bounds.low.x, 0.0, bounds.high.z), below, list);
    for (supply, back) in host.supplies.iter().zip(&world.back_at) {
        let color = if supply.class == sentir_vision::HEALTH { HEALTH } else { AMMO };
        let is_here = now >= *back;
        list.circle(Layer::LEVEL, color.alpha(if is_here { 255 } else { 90 }), supply.position, 0.28, is_here);
    }
    for ball in &world.balls {
        list.circle(Layer::BODIES, BALL, ball.position, BALL_M, true);
        let to = ball.position + ball.velocity * 0.4;
        list.add(Layer::FORCES, BALL.alpha(140), Shape::Arrow { from: ball.position, to, width_m: 0.05 });
    }
    for (number, (key, _)) in world.bodies.iter().enumerate() {
        if let Some(agent) = brains.agent_of(key) {
            draw_one(host, brains, world, agent, number, list);
        }
    }
}

fn draw_one(host: &Host, brains: &Loop<Seer>, world: &World, agent: AgentId, number: usize, list: &mut DrawList) {
    let (Some(presence), Some(head), Some(life)) =
        (brains.presence(agent), brains.brain(agent), world.lives.get(number))
    else {
        return;
    };
    let config = host.mind.config(presence.kind);
    let body = &presence.body;
    let color = match config.way {
        _ if life.died.is_some() => DEAD,
        Way::Ours => OURS,
        Way::Source(_) => SOURCE,
    };
    let at = body.pose.position;
    let eye = head.bronto.eye(&config, body.eye(), body.pose.yaw);
    let lens = &host.mind.eyes.lens;
    let half_angle = math::atan2(lens.width as f32 / 2.0, lens.focal_px());
    if life.died.is_none() {
        let view = LevelView { level: &host.level, state: &world.bodies.level };
        let cone = Cone { yaw: eye.yaw, ..Cone::of(body, half_angle, 4.0) };
        cone.draw(&view, color.alpha(26), Vec3::ZERO, list);
    }
    let lift = Vec3::Y * 0.1;
    for curve in head.bronto.curves() {
        let knot = |piece: u32| plane::lift(curve.at(piece as f32 / 12.0), at.y) + lift;
        for piece in 0..12 {
            list.line(Layer::PATHS, color.alpha(200), knot(piece), knot(piece + 1), 0.07);
        }
        list.circle(Layer::PATHS, color, knot(12), 0.15, false);
    }
    if let Aim::Item(goal) | Aim::Enemy(goal) = head.bronto.aim() {
        list.circle(Layer::PATHS, color, plane::lift(goal, at.y) + lift, 0.4, false);
    }
    list.body(presence.key.0, color, at, body.radius_m);
    let nose = at + plane::lift(plane::heading(body.pose.yaw) * body.radius_m, 0.0);
    list.line(Layer::BODIES, Color::rgb(0xff_ffff), at, nose, 0.09);
    let now = brains.tick();
    let (health, ammo) = (life.health.at(&host.rules.health_decay, now), life.ammo.at(&host.rules.ammo_decay, now));
    let low = host.level.bounds().low;
    let high = host.level.bounds().high;
    // Under the level, each in a column of its own: two lines of words, then the picture.
    let column_m = (high.x - low.x) / world.lives.len().clamp(1, 2) as f32;
    let inset_m = math::min(INSET_M, column_m * 0.92);
    let middle = if world.lives.len() < 2 {
        low.x + math::max(inset_m, INSET_M) * 0.5
    } else {
        low.x + column_m * (number as f32 + 0.5)
    };
    let top = high.z + 1.1;
    let name = match config.way {
        Way::Ours => "ours",
        Way::Source(_) => "source",
    };
    let taken = life.taken();
    let doing = decision_name(head.decision());
    let line = |number: f32| Vec3::new(middle, 0.0, top + number * LINE_M);
    list.label(Layer::NAMES, INK, line(0.0), format_args!("{name}: {doing}"));
    list.label(Layer::NAMES, INK, line(1.0), format_args!("H {health} W {ammo}, took {taken}"));
    if let Some(view) = host.seen(world, &eye, config.way, now) {
        inset(&view, line(2.0) - Vec3::X * (inset_m / 2.0) - Vec3::Z * 0.2, inset_m, list);
    }
}

/// Blank paper beside the level, so that pictures on it belong to what is shown; two corners. It is no part of the level: a page has
/// views of its own for what eyes see, and leaves out what is opaque in this layer.
pub(crate) fn panel(low: Vec3, high: Vec3, list: &mut DrawList) {
    let corners = [low, Vec3::new(high.x, low.y, low.z), high, Vec3::new(low.x, low.y, high.z)];
    list.polygon(Layer::SENSES, Color::rgb(0xf6_f4ee), corners.map(|corner| corner - Vec3::Y * 0.6));
}

/// The picture of what is seen, flat on the ground; `corner` is its upper left.
pub(crate) fn inset(view: &Viewport, corner: Vec3, width_m: f32, list: &mut DrawList) {
    let Lens { width, height, .. } = *view.lens();
    let step = (width / 80).max(1);
    let size = UVec2::new(width / step, height / step);
    let cell_m = width_m / size.x as f32;
    let origin = corner + Vec3::Z * (cell_m * size.y as f32);
    let far = origin + Vec3::new(width_m, 0.0, -cell_m * size.y as f32);
    let frame = [origin, Vec3::new(far.x, 0.0, origin.z), far, Vec3::new(origin.x, 0.0, far.z)];
    list.polygon(Layer::SENSES, Color::rgb(0x10_1214), frame);
    let mut values = vec![0.0; (size.x * size.y) as usize];
    let own = [(Class(7), [1.0, 1.0, 1.0])];
    for &(class, color) in Palette::source().colors().iter().chain(&own) {
        if class == Class::NOTHING {
            continue;
        }
        let mut is_any = false;
        for (place, value) in (0u32..).zip(&mut values) {
            let is_it = view.class(place % size.x * step, place / size.x * step) == class;
            *value = f32::from(u8::from(is_it));
            is_any |= is_it;
        }
        if is_any {
            let [r, g, b] = color.map(|part| (part * 255.0) as u8);
            list.heat(Layer::SENSES, Color { r, g, b, a: 255 }, origin, cell_m, size, &values);
        }
    }
}

/// Where something to pick up is drawn for eyes, m.
pub(super) fn middle_of(supply: &Supply) -> Vec3 {
    supply.position + Vec3::Y * 0.3
}
