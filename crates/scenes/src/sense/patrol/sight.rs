//! What there is to see of `patrol`.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{LevelState, LevelView};

use crate::cone::Cone;

use super::mind::{INTRUDER, Mode, PatrolMind};

const ROUND: Color = Color::rgb(0x9aa4ad);
const GUARD: Color = Color::rgb(0x2f6fb0);
const ALERT: Color = Color::rgb(0xd9822b);
const THIEF: Color = Color::rgb(0xb8433f);
const INK: Color = Color::rgb(0x23272b);

/// Walls, the round, bodies with what they see, want and remember.
pub(super) fn draw(mind: &PatrolMind, brains: &Loop<PatrolMind>, level: &LevelState, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: &mind.layout.level, state: level }, list);
    let stops = &mind.layout.waypoints;
    for (place, &stop) in stops.iter().enumerate() {
        let next = stops[(place + 1) % stops.len()];
        list.line(Layer::PATHS, ROUND.alpha(120), plane::lift(stop, 0.0), plane::lift(next, 0.0), 0.05);
        list.circle(Layer::PATHS, ROUND, plane::lift(stop, 0.0), 0.25, false);
    }
    for (it, _) in brains.motions() {
        let Some(brain) = brains.brain(it.agent) else { continue };
        let is_hunting = matches!(brain.mode, Mode::Follow | Mode::Search);
        let color = match it.kind {
            INTRUDER => THIEF,
            _ if is_hunting => ALERT,
            _ => GUARD,
        };
        draw_agent(mind, brains, level, it, color, list);
        let above = it.body.pose.position + plane::lift(Vec2::Y * 0.75, 0.0);
        list.label(Layer::NAMES, INK, above, format_args!("{}", brain.mode.name()));
    }
}

fn draw_agent(
    mind: &PatrolMind,
    brains: &Loop<PatrolMind>,
    level: &LevelState,
    it: &Presence,
    color: Color,
    list: &mut DrawList,
) {
    let position = it.body.pose.position;
    let view = LevelView { level: &mind.layout.level, state: level };
    Cone::of(&it.body, mind.half_angle_of(it.kind), mind.sight_m).draw(&view, color.alpha(30), Vec3::ZERO, list);
    if let Some((_, travel)) = brains.intents(it.agent).and_then(Intents::travel) {
        list.line(Layer::PATHS, color.alpha(150), position, travel.goal, 0.06);
    }
    for other in brains.beliefs(it.agent).map(Beliefs::others).unwrap_or_default() {
        list.circle(Layer::SENSES, color.alpha(160), other.position, 0.45, false);
    }
    list.body(it.key.0, color, position, it.body.radius_m);
    let nose = position + it.body.facing() * (it.body.radius_m * 1.8);
    list.line(Layer::BODIES, color, position, nose, 0.12);
}
