//! What there is to see of `guard` and `soldier-plan`.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{LevelState, LevelView};

use crate::cone::Cone;

use super::leaf::Deed;
use super::mind::{FOE, GuardMind};

const BLUE: Color = Color::rgb(0x2f6fb0);
const RED: Color = Color::rgb(0xb8433f);
const ALERT: Color = Color::rgb(0xd9822b);
const INK: Color = Color::rgb(0x23272b);
const SOFT: Color = Color::rgb(0x7a8590);

/// The court, its posts, and everybody with what they do.
pub(crate) fn draw(mind: &GuardMind, brains: &Loop<GuardMind>, level: &LevelState, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: &mind.level, state: level }, list);
    let posts = &mind.posts;
    let named = [(posts.door, "door"), (posts.safe, "safe"), (posts.phone, "phone"), (posts.aid, "first aid")];
    for (place, name) in named {
        list.circle(Layer::PATHS, SOFT, place, 0.3, false);
        list.label(Layer::NAMES, SOFT, place + plane::lift(Vec2::NEG_Y * 0.9, 0.0), format_args!("{name}"));
    }
    for (it, _) in brains.motions() {
        let position = it.body.pose.position;
        let deed = brains.intents(it.agent).and_then(Deed::of).filter(|_| it.kind != FOE);
        let color = match (it.kind, deed) {
            (FOE, _) => RED,
            (_, Some(Deed::Attack | Deed::Flee | Deed::Investigate | Deed::Run | Deed::Stab)) => ALERT,
            _ => BLUE,
        };
        if it.kind != FOE {
            let view = LevelView { level: &mind.level, state: level };
            Cone::of(&it.body, mind.half_angle, mind.sight_m).draw(&view, color.alpha(26), Vec3::ZERO, list);
        }
        if let Some((_, travel)) = brains.intents(it.agent).and_then(Intents::travel) {
            list.line(Layer::PATHS, color.alpha(130), position, travel.goal, 0.06);
        }
        list.body(it.key.0, color, position, it.body.radius_m);
        list.line(Layer::BODIES, color, position, position + it.body.facing() * (it.body.radius_m * 1.8), 0.12);
        let (above, health) = (position + plane::lift(Vec2::Y * 0.8, 0.0), (it.body.health * 100.0) as i32);
        match deed {
            Some(deed) => list.label(Layer::NAMES, INK, above, format_args!("{} {health} %", deed.name())),
            None => list.label(Layer::NAMES, INK, above, format_args!("{health} %")),
        }
    }
}

/// Waves around a phone that rings.
pub(crate) fn ring(place: Vec3, tick: Tick, list: &mut DrawList) {
    let phase = (tick.0 % 30) as f32 / 30.0;
    for wave in 0..2 {
        let radius_m = 0.5 + (phase + wave as f32) * 0.7;
        list.circle(Layer::SENSES, ALERT.alpha(160), place, radius_m, false);
    }
}
