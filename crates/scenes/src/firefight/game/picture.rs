//! What there is to see of `firefight`.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use super::arms::SUPPLY_M;
use super::mind::FirefightMind;
use super::{Firefight, MARK_TICKS, SOLDIER_TEAM, World, overlay};

const INK: Color = Color::rgb(0x23272b);
const GREEN: Color = Color::rgb(0x3a8f4d);
const GRAY: Color = Color::rgb(0x9aa4ad);
const BLUE: Color = Color::rgb(0x2f6fb0);
const RED: Color = Color::rgb(0xb8433f);

/// Level, what goes on in heads, the dead, shots, bodies with what they are at.
pub(super) fn draw(scene: &Firefight, brains: &Loop<FirefightMind>, world: &World, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: scene.level(), state: &world.bodies.level }, list);
    overlay::draw(scene, brains, world, list);
    let tick = brains.tick();
    for &at in scene.mind.soldiers.soldier.tactical_map.supplies() {
        list.circle(Layer::LEVEL, GREEN.alpha(150), at, SUPPLY_M, false);
        list.label(Layer::NAMES, GREEN, at, format_args!("rounds"));
    }
    for it in world.felt.fallen() {
        // He lies on his back, the head where he came from.
        let (foot, back) = (it.pose.position, plane::lift(plane::heading(it.pose.yaw) * -1.0, 0.0));
        list.tint(it.key.0, color_of(it.team));
        list.line(Layer::BODIES, color_of(it.team).alpha(120), foot + back * 0.2, foot + back * 1.1, 0.4);
        list.circle(Layer::BODIES, color_of(it.team).alpha(120), foot + back * 1.4, 0.17, true);
    }
    for mark in &world.marks {
        let faint = (200.0 * (1.0 - math::saturate(tick.since(mark.at) as f32 / MARK_TICKS as f32))) as u8;
        list.line(Layer::SHOTS, color_of(mark.team).alpha(faint), mark.from, mark.to, 0.05);
    }
    for it in &world.fighters {
        draw_fighter(brains, it, list);
    }
    let alert = brains.squad(SquadId::whole(SOLDIER_TEAM)).map_or("", |squad| squad.team.alert().name());
    // Inside of the ground, at its upper edge, in the middle.
    let grid = scene.mind.soldiers.soldier.tactical_map.grid();
    let size = Vec2::new(grid.size()[0] as f32, grid.size()[1] as f32) * grid.cell_m();
    let at = plane::lift(grid.origin() + Vec2::new(size.x * 0.5, size.y - 1.0), 0.0);
    let left = world.fighters.iter().filter(|it| it.team == SOLDIER_TEAM).count();
    list.label(Layer::NAMES, INK, at, format_args!("{alert}, {left} left, {:.0} s", brains.rate().seconds(tick.0)));
}

pub(super) fn color_of(team: TeamId) -> Color {
    if team == SOLDIER_TEAM { BLUE } else { RED }
}

fn draw_fighter(brains: &Loop<FirefightMind>, it: &super::Fighter, list: &mut DrawList) {
    let Some(presence) = brains.presence(it.agent) else { return };
    let color = color_of(it.team);
    let Pose { position, .. } = presence.body.pose;
    let head = brains.brain(it.agent);
    let is_low = presence.body.stance == Stance::Crouch;
    let radius_m = presence.body.radius_m * if is_low { 0.8 } else { 1.15 };
    list.body(presence.key.0, color, position, radius_m);
    let nose = position + presence.body.facing() * (presence.body.radius_m * 2.2);
    list.line(Layer::BODIES, color, position, nose, 0.12);
    let (left, width) = (position + Vec3::new(-0.5, 0.0, 0.7), it.vitals.share());
    list.line(Layer::NAMES, GRAY.alpha(160), left, left + Vec3::X, 0.12);
    list.line(Layer::NAMES, GREEN, left, left + Vec3::X * width, 0.12);
    let above = position + plane::lift(Vec2::Y * 0.8, 0.0);
    let behavior = head.and_then(|head| head.behavior()).map_or("player", |behavior| behavior.name());
    let name = if it.team == SOLDIER_TEAM { behavior } else { "player" };
    list.label(Layer::NAMES, INK, above, format_args!("{name}"));
}
