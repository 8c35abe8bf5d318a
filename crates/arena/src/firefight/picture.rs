//! What there is to see of `firefight`.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::space::influence::draw::draw_map;
use sentir::squad::claim::ClaimKind;
use sentir_level::LevelView;

use super::mind::FirefightMind;
use super::{Field, Firefight, MARK_TICKS, SOLDIERS};

const INK: Color = Color::rgb(0x23272b);
const GREEN: Color = Color::rgb(0x3a8f4d);
const GRAY: Color = Color::rgb(0x9aa4ad);
const BLUE: Color = Color::rgb(0x2f6fb0);
const RED: Color = Color::rgb(0xb8433f);
const HEAT: Color = Color::rgb(0x7d4bb0);
/// How far cones are drawn, m.
const CONE_M: f32 = 6.0;

/// Level, where he may be, cones, ways, claims, shots, bodies with what they are at.
pub(super) fn draw(story: &Firefight, brains: &Loop<FirefightMind>, world: &Field, list: &mut DrawList) {
    let theater = &story.mind.soldiers.soldier.theater;
    sentir_level::draw::draw(&LevelView { level: story.level(), state: &world.cast.level }, list);
    if let Some(desk) = world.desks.first() {
        if desk.team.prediction().is_active() {
            draw_map(theater.grid(), desk.team.prediction().map(), HEAT.alpha(110), 1.0, 0.02, list);
        }
        if let Some(lead) = desk.team.lead() {
            let at = lead.place + Vec3::Y * 0.05;
            list.circle(Layer::SENSES, RED.alpha(150), at, 0.55, false);
            let arm = |x: f32, z: f32| Vec3::new(x, 0.0, z) * 0.4;
            list.line(Layer::SENSES, RED.alpha(150), at + arm(-1.0, -1.0), at + arm(1.0, 1.0), 0.06);
            list.line(Layer::SENSES, RED.alpha(150), at + arm(-1.0, 1.0), at + arm(1.0, -1.0), 0.06);
        }
    }
    let tick = brains.tick();
    for mark in &world.marks {
        let faint = (200.0 * (1.0 - math::saturate(tick.since(mark.at) as f32 / MARK_TICKS as f32))) as u8;
        list.line(Layer::SENSES, color_of(mark.team).alpha(faint), mark.from, mark.to, 0.05);
    }
    for it in &world.fighters {
        draw_fighter(story, brains, it, list);
    }
    let alert = world.desks.first().map_or("", |desk| desk.team.alert().name());
    let at = Vec3::new(0.0, 0.0, -17.0);
    let left = world.fighters.iter().filter(|it| it.team == SOLDIERS).count();
    list.label(Layer::NAMES, INK, at, format_args!("{alert}: {left} soldiers, {:.0} s", brains.rate().seconds(tick.0)));
}

fn color_of(team: TeamId) -> Color {
    if team == SOLDIERS { BLUE } else { RED }
}

fn draw_fighter(story: &Firefight, brains: &Loop<FirefightMind>, it: &super::Fighter, list: &mut DrawList) {
    let Some(presence) = brains.presence(it.agent) else { return };
    let color = color_of(it.team);
    let Pose { position, yaw } = presence.body.pose;
    let half_angle = story.mind.soldiers.senses.sight.half_rad;
    list.add(Layer::SENSES, color.alpha(26), Shape::Sector { center: position, yaw, half_angle, radius_m: CONE_M });
    if let Some(legs) = brains.motor(it.agent) {
        let tint = if legs.is_safest { GREEN } else { color };
        let mut from = position;
        for &corner in legs.follower.ahead() {
            list.line(Layer::PATHS, tint.alpha(130), from, corner, 0.06);
            from = corner;
        }
    }
    let head = brains.brain(it.agent);
    if let Some(head) = head.filter(|head| head.is_soldier) {
        for kind in ClaimKind::ALL {
            if let Some(place) = head.soldier.hand.claims.of(kind) {
                list.circle(Layer::PATHS, color.alpha(170), place + Vec3::Y * 0.05, 0.35, false);
                list.line(Layer::PATHS, color.alpha(50), position, place, 0.03);
            }
        }
    }
    let is_low = presence.body.stance == Stance::Crouch;
    let radius_m = presence.body.radius_m * if is_low { 0.8 } else { 1.15 };
    list.circle(Layer::BODIES, color, position, radius_m, true);
    let nose = position + presence.body.facing() * (presence.body.radius_m * 2.2);
    list.line(Layer::BODIES, color, position, nose, 0.12);
    let (left, width) = (position + Vec3::new(-0.5, 0.0, 0.7), it.vitals.share());
    list.line(Layer::NAMES, GRAY.alpha(160), left, left + Vec3::X, 0.12);
    list.line(Layer::NAMES, GREEN, left, left + Vec3::X * width, 0.12);
    let above = position + plane::lift(Vec2::Y * 0.8, 0.0);
    let doing = head.and_then(|head| head.doing()).map_or("player", |doing| doing.name());
    let name = if it.team == SOLDIERS { doing } else { "player" };
    list.label(Layer::NAMES, INK, above, format_args!("{name}"));
}
