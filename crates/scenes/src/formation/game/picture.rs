//! What there is to see of the formation scenes.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::formation::draw;
use sentir_level::LevelView;

use sentir_harness::info::Ground;

use super::layout::Layout;
use super::march::kind_of;
use super::mind::Drill;
use super::world::{World, formation, leader, place_of, slots};

const CHOSEN: Color = Color::rgb(0x23272b);

/// Level, trail, slots, bodies.
pub fn draw(layout: &Layout, brains: &Loop<Drill>, world: &World, list: &mut DrawList) {
    let view = LevelView { level: &layout.level, state: &world.bodies.level };
    sentir_level::draw::draw_on(&view, Ground::Grass.tints(), list);
    if let Some(formation) = formation(brains) {
        draw::trail(formation, list);
        draw::slots(formation, &slots(brains, layout), |agent| place_of(brains, agent), list);
    }
    let leader = leader(brains);
    for (it, _) in brains.motions() {
        let (position, color) = (it.body.pose.position, draw::color_of(kind_of(it.kind)));
        list.body(it.key.0, color, position, it.body.radius_m);
        let nose = position + it.body.facing() * (it.body.radius_m * 1.6);
        list.line(Layer::BODIES, color, position, nose, 0.12);
        if Some(it.agent) == leader {
            list.circle(Layer::BODIES, Color::rgb(0xffffff), position, 0.13, true);
        }
        if world.selected.contains(&it.agent) {
            list.circle(Layer::NAMES, CHOSEN.alpha(140), position, 0.36, false);
        }
    }
    let at = plane::lift(Vec2::new(0.0, -15.0), 0.0);
    let [mean, worst] = world.error_m;
    let stage = world.stage_name();
    list.label(Layer::NAMES, CHOSEN, at, format_args!("{stage}: error {mean:.2} m, most {worst:.2} m"));
}
