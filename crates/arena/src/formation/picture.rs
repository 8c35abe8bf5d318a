//! What there is to see of the formation scenes.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::formation::Rule;
use sentir_level::LevelView;

use super::field::{Field, kind_of};
use super::layout::Layout;
use super::mind::Drill;

/// Bodies by type: light, heavy, spy, ranged.
const TYPES: [Color; 4] = [Color::rgb(0x2f6fb0), Color::rgb(0x6b4fa3), Color::rgb(0x3d8b5f), Color::rgb(0xd9822b)];
/// Rings by role, where roles count: melee, lateral, rearguard, tank.
const ROLES: [Color; 4] = [Color::rgb(0xb8433f), Color::rgb(0x3d8b5f), Color::rgb(0xd9822b), Color::rgb(0x6b4fa3)];
const SLOT: Color = Color::rgb(0x5c6670);
const TRAIL: Color = Color::rgb(0x9aa4ad);
const CHOSEN: Color = Color::rgb(0x23272b);

/// Level, trail, slots, bodies.
pub fn draw(layout: &Layout, brains: &Loop<Drill>, field: &Field, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: &layout.level, state: &field.cast.level }, list);
    for pair in field.formation.trail().points().windows(2) {
        list.line(Layer::PATHS, TRAIL, plane::lift(pair[0], 0.0), plane::lift(pair[1], 0.0), 0.06);
    }
    let has_roles = field.formation.rule() != Rule::Plain;
    let slots = field.slots(brains, layout);
    for (slot, pose) in field.formation.slots().iter().zip(&slots) {
        let center = plane::lift(pose.position, 0.0);
        let color = if has_roles { ROLES[slot.role as usize] } else { SLOT };
        list.circle(Layer::SLOTS, color, center, 0.42, false);
        let nose = center + plane::lift(plane::heading(pose.yaw) * 0.6, 0.0);
        list.line(Layer::SLOTS, color, center + (nose - center) * 0.7, nose, 0.06);
    }
    let leader = field.formation.leader();
    for (it, _) in brains.motions() {
        let (position, color) = (it.body.pose.position, TYPES[kind_of(it.kind) as usize]);
        if let Some(pose) = field.formation.slot_of(it.agent).and_then(|slot| slots.get(usize::from(slot))) {
            list.line(Layer::SLOTS, color.alpha(150), position, plane::lift(pose.position, 0.0), 0.05);
        }
        list.circle(Layer::BODIES, color, position, it.body.radius_m, true);
        let nose = position + it.body.facing() * (it.body.radius_m * 1.6);
        list.line(Layer::BODIES, color, position, nose, 0.12);
        if Some(it.agent) == leader {
            list.circle(Layer::BODIES, Color::rgb(0xffffff), position, 0.13, true);
        }
        if field.selected.contains(&it.agent) {
            list.circle(Layer::NAMES, CHOSEN.alpha(140), position, 0.36, false);
        }
    }
    let at = plane::lift(Vec2::new(0.0, -15.0), 0.0);
    let [mean, worst] = field.error_m;
    let stage = field.stage_name();
    list.label(Layer::NAMES, CHOSEN, at, format_args!("{stage}: error {mean:.2} m, most {worst:.2} m"));
}
