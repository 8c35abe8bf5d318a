//! A formation made visible: slots, who is to be where, and the leader's trail, into a draw list.

use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::glam::Vec2;
use sentir_core::id::AgentId;
use sentir_core::plane;

use super::{Formation, Rule, SlotPose, UnitType};

/// By type: light, heavy, spy, ranged.
const TYPES: [Color; 4] = [Color::rgb(0x2f6fb0), Color::rgb(0x6b4fa3), Color::rgb(0x3d8b5f), Color::rgb(0xd9822b)];
/// By role, where roles count: melee, lateral, rearguard, tank.
const ROLES: [Color; 4] = [Color::rgb(0xb8433f), Color::rgb(0x3d8b5f), Color::rgb(0xd9822b), Color::rgb(0x6b4fa3)];
const SLOT: Color = Color::rgb(0x5c6670);
const TRAIL: Color = Color::rgb(0x9aa4ad);
/// Radius of a slot's ring, m.
const RING_M: f32 = 0.42;

/// The color of a type of unit.
pub fn color_of(kind: UnitType) -> Color {
    TYPES[kind as usize]
}

/// Where the leader was.
pub fn trail(formation: &Formation, list: &mut DrawList) {
    for pair in formation.trail().points().windows(2) {
        list.line(Layer::PATHS, TRAIL, plane::lift(pair[0], 0.0), plane::lift(pair[1], 0.0), 0.06);
    }
}

/// Every slot as a ring that shows where it faces, colored by its role if roles count, and a line to it from who has it;
/// `poses` are from [`Formation::poses`], `at` says where everybody is.
pub fn slots(formation: &Formation, poses: &[SlotPose], at: impl Fn(AgentId) -> Option<Vec2>, list: &mut DrawList) {
    let has_roles = formation.rule() != Rule::Plain;
    for (slot, pose) in formation.slots().iter().zip(poses) {
        let color = if has_roles { ROLES[slot.role as usize] } else { SLOT };
        let center = plane::lift(pose.position, 0.0);
        list.circle(Layer::SLOTS, color, center, RING_M, false);
        let ahead = plane::lift(plane::heading(pose.yaw), 0.0) * RING_M;
        list.line(Layer::SLOTS, color, center + ahead, center + ahead * 1.4, 0.06);
    }
    for member in formation.members() {
        let pose = member.slot.and_then(|slot| poses.get(usize::from(slot)));
        if let (Some(pose), Some(from)) = (pose, at(member.agent)) {
            let [from, to] = [from, pose.position].map(|place| plane::lift(place, 0.0));
            list.line(Layer::SLOTS, color_of(member.kind).alpha(150), from, to, 0.05);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MarchGround, Pattern, Recruit};
    use super::*;
    use crate::Moving;

    #[test]
    fn slots_units_and_the_trail_are_in_the_list_each_on_its_layer() {
        let recruit = |number: u16| Recruit {
            agent: AgentId::from_bits(u64::from(number) + 1),
            kind: UnitType::Light,
            position: Vec2::new(f32::from(number), 0.0),
        };
        let squad: Vec<Recruit> = (0..6).map(recruit).collect();
        let mut formation = Formation::form(Pattern::Diamond, Rule::Plain, 1.2, &squad, 0.0);
        let ground = MarchGround { walls: &[], radius_m: 0.3, speed_m_per_s: 1.5 };
        let (mut poses, mut list) = (Vec::new(), DrawList::default());
        for step in 1..=4u8 {
            formation.step(&Moving::at(Vec2::Y * f32::from(step)), &[], &ground, 0.0, 0.02);
        }
        formation.poses(&Moving::at(Vec2::Y * 4.0), &[], &ground, &mut poses);
        trail(&formation, &mut list);
        // One of those with a slot is nowhere to be found.
        let at = |agent: AgentId| squad[1..].iter().find(|one| one.agent == agent).map(|one| one.position);
        slots(&formation, &poses, at, &mut list);
        let on = |layer: Layer| list.items().iter().filter(|item| item.layer == layer).count();
        assert_eq!((on(Layer::PATHS), on(Layer::SLOTS)), (4, 4 * 2 + 3));
        assert_eq!(on(Layer::PATHS) + on(Layer::SLOTS), list.items().len());
    }
}
