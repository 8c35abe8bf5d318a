//! What there is to see of `skirmish`.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use crate::cone::Cone;

use super::mind::{HALF_ANGLE, Soldier};
use super::{MarkKind, RED, Skirmish, World};
use sentir_sim::item::Gives;

const INK: Color = Color::rgb(0x23272b);
const GREEN: Color = Color::rgb(0x3a8f4d);
const ORANGE: Color = Color::rgb(0xd9822b);
const GRAY: Color = Color::rgb(0x9aa4ad);

/// The color of a side.
fn color_of(team: TeamId) -> Color {
    Color::rgb(if team == RED { 0xb8433f } else { 0x2f6fb0 })
}

/// Level, items, bodies with what they look at and want, shots, blasts, noises.
pub(super) fn draw(skirmish: &Skirmish, brains: &Loop<Soldier>, world: &World, list: &mut DrawList) {
    let tick = brains.tick();
    sentir_level::draw::draw(&LevelView { level: &skirmish.mind.layout.level, state: &world.bodies.level }, list);
    for (item, rule) in (0..).zip(skirmish.items.rules()) {
        let (color, name) = match rule.gives {
            Gives::Health => (GREEN, "+"),
            Gives::Armor => (Color::rgb(0x7a5ea8), "armor"),
            Gives::Ammo | Gives::Weapon(_) => (ORANGE, "ammo"),
        };
        let is_here = world.items.is_here(item, tick);
        list.circle(Layer::LEVEL, color.alpha(if is_here { 255 } else { 70 }), rule.position, 0.25, is_here);
        list.label(Layer::NAMES, color, rule.position - plane::lift(Vec2::Y * 0.8, 0.0), format_args!("{name}"));
    }
    for mark in &world.marks {
        let age = math::saturate(tick.since(mark.at) as f32 / mark.kind.shown_ticks() as f32);
        let faint = |most: f32| (most * (1.0 - age)) as u8;
        match mark.kind {
            MarkKind::Shot => list.line(Layer::SENSES, INK.alpha(faint(170.0)), mark.from, mark.to, 0.05),
            MarkKind::Strike => list.line(Layer::SENSES, ORANGE.alpha(faint(255.0)), mark.from, mark.to, 0.16),
            MarkKind::Blast => list.circle(Layer::SENSES, ORANGE.alpha(faint(150.0)), mark.from, mark.to.x, true),
            // A twentieth of how far it carries: more would cover the picture.
            MarkKind::Noise => list.circle(Layer::SENSES, GRAY.alpha(faint(130.0)), mark.from, mark.to.x * 0.05, false),
        }
    }
    for flight in &world.flights {
        list.circle(Layer::BODIES, INK, flight.position, 0.14, true);
    }
    draw_fighters(skirmish, brains, world, list);
    let (red, blue) = (&world.score.teams[0], &world.score.teams[1]);
    let at = Vec3::new(0.0, 0.0, -12.9);
    let text = format_args!(
        "round {}: red {} ({}), blue {} ({})",
        world.round.number, red.points, red.rounds, blue.points, blue.rounds
    );
    list.label(Layer::NAMES, INK, at, text);
}

fn draw_fighters(skirmish: &Skirmish, brains: &Loop<Soldier>, world: &World, list: &mut DrawList) {
    let view = LevelView { level: &skirmish.mind.layout.level, state: &world.bodies.level };
    for (_, fighter) in world.fighters.iter() {
        let Some(it) = brains.presence(fighter.agent) else { continue };
        let color = color_of(fighter.team);
        let position = it.body.pose.position;
        Cone::of(&it.body, HALF_ANGLE, 5.0).draw(&view, color.alpha(26), Vec3::ZERO, list);
        if let Some((_, travel)) = brains.intents(it.agent).and_then(Intents::travel) {
            list.line(Layer::PATHS, color.alpha(110), position, travel.goal, 0.05);
        }
        list.body(it.key.0, color, position, it.body.radius_m);
        let nose = position + it.body.facing() * (it.body.radius_m * 2.0);
        list.line(Layer::BODIES, color, position, nose, 0.12);
        // Health as a bar under the body.
        let (left, width) = (position + Vec3::new(-0.5, 0.0, 0.65), fighter.vitals.share());
        list.line(Layer::NAMES, GRAY.alpha(160), left, left + Vec3::X, 0.12);
        list.line(Layer::NAMES, GREEN, left, left + Vec3::X * width, 0.12);
        let is_steered = skirmish.is_steered && fighter.is_player();
        let doing = brains.brain(it.agent).map_or("", |brain| brain.mode.name());
        let doing = if is_steered { "player" } else { doing };
        let above = position + plane::lift(Vec2::Y * 0.75, 0.0);
        let side = if fighter.team == RED { 'R' } else { 'B' };
        list.label(Layer::NAMES, INK, above, format_args!("{side}{} {doing}", fighter.number + 1));
    }
}
