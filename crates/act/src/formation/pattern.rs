//! Patterns: where the slots of a formation lie, which way they face and what role they have.
//!
//! Places are in the leader's frame (x to the right, y ahead) with slot 0 at the origin. Rows are filled from the middle
//! outward, front to back, so that a slot keeps its number as a formation grows. O(n).

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::math;

use super::role::Role;

/// Most slots of a formation; units past it do not form.
pub const SLOTS_MAX: usize = 256;

/// A shape to form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Pattern {
    /// Fixed, four slots, one of each role: one ahead, one at either side, one behind.
    #[default]
    Diamond,
    /// Fixed, seven slots: one ahead of three pairs.
    Pairs,
    /// A ring that looks outward.
    Circle,
    /// A wedge, tip ahead: rows of one, two, three and so on.
    Triangle,
    /// A block about as wide as deep.
    Squares,
    /// One behind the other.
    Column,
    /// One beside the other.
    Line,
}

/// A place in a formation.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Slot {
    /// Where, in the leader's frame with slot 0 at the origin: x to the right, y ahead, m.
    pub offset: Vec2,
    /// Which way it faces, from straight ahead to the left, rad.
    pub yaw: f32,
    /// What it asks for.
    pub role: Role,
}

impl Pattern {
    /// Every pattern.
    pub const ALL: [Pattern; 7] = [
        Pattern::Diamond,
        Pattern::Pairs,
        Pattern::Circle,
        Pattern::Triangle,
        Pattern::Squares,
        Pattern::Column,
        Pattern::Line,
    ];

    /// How many slots it has for so many units: its own number if it is fixed, else as many, up to [`SLOTS_MAX`]. None
    /// for nobody.
    pub fn slot_count(self, units: usize) -> usize {
        match self {
            _ if units == 0 => 0,
            Pattern::Diamond => 4,
            Pattern::Pairs => 7,
            _ => units.min(SLOTS_MAX),
        }
    }

    /// Fills `out` with the slots for so many units, neighbors `spacing_m` apart. Limit of the spacing: 0..=1000; what is
    /// no number counts as 1.
    pub fn lay_out(self, units: usize, spacing_m: f32, out: &mut Vec<Slot>) {
        let spacing_m = if spacing_m.is_nan() { 1.0 } else { math::clamp(spacing_m, 0.0, 1000.0) };
        let count = self.slot_count(units);
        out.clear();
        match self {
            Pattern::Diamond | Pattern::Pairs => fixed(self, count, out),
            Pattern::Circle => circle(count, out),
            Pattern::Triangle => rows(count, |row| row + 1, out),
            Pattern::Squares => {
                let side = (1..=count).find(|side| side * side >= count).unwrap_or(1);
                rows(count, |_| side, out);
            }
            Pattern::Column => rows(count, |_| 1, out),
            Pattern::Line => rows(count, |_| count, out),
        }
        if !matches!(self, Pattern::Diamond | Pattern::Pairs) {
            give_roles(out);
        }
        let origin = out.first().map_or(Vec2::ZERO, |slot| slot.offset);
        out.iter_mut().for_each(|slot| slot.offset = (slot.offset - origin) * spacing_m);
    }
}

/// The fixed patterns, in spacings.
fn fixed(pattern: Pattern, count: usize, out: &mut Vec<Slot>) {
    const SIDE: f32 = math::FRAC_PI_2;
    const DIAMOND: [(f32, f32, f32, Role); 4] = [
        (0.0, 0.0, 0.0, Role::Tank),
        (-1.0, -1.0, 0.5 * SIDE, Role::Lateral),
        (1.0, -1.0, -0.5 * SIDE, Role::Melee),
        (0.0, -2.0, math::PI, Role::Rearguard),
    ];
    const PAIRS: [(f32, f32, f32, Role); 7] = [
        (0.0, 0.0, 0.0, Role::Tank),
        (-0.6, -1.0, 0.0, Role::Melee),
        (0.6, -1.0, 0.0, Role::Melee),
        (-0.6, -2.0, SIDE, Role::Lateral),
        (0.6, -2.0, -SIDE, Role::Lateral),
        (-0.6, -3.0, math::PI, Role::Rearguard),
        (0.6, -3.0, math::PI, Role::Rearguard),
    ];
    let table: &[_] = if pattern == Pattern::Diamond { &DIAMOND } else { &PAIRS };
    out.extend(table.iter().take(count).map(|&(x, y, yaw, role)| Slot { offset: Vec2::new(x, y), yaw, role }));
}

/// A ring with slot 0 at its front, then by turns left and right, so that a growing ring moves everybody little.
fn circle(count: usize, out: &mut Vec<Slot>) {
    let step = math::TAU / count as f32;
    let radius = if count < 2 { 0.0 } else { 0.5 / math::sin(step * 0.5) };
    for number in 0..count {
        let along = (number.div_ceil(2)) as f32 * step;
        let angle = if number % 2 == 1 { along } else { -along };
        let (sin, cos) = math::sin_cos(angle);
        let offset = Vec2::new(-sin, cos - 1.0) * radius;
        out.push(Slot { offset, yaw: math::wrap_angle(angle), role: Role::Melee });
    }
}

/// Rows one behind the other, each filled from its middle outward; the last one may be short and is centered.
fn rows(count: usize, width: impl Fn(usize) -> usize, out: &mut Vec<Slot>) {
    let mut row = 0;
    while out.len() < count {
        let wide = width(row).clamp(1, count - out.len());
        for place in 0..wide {
            // 0, −1, 1, −2, 2 for odd widths; −½, ½, −1½, 1½ for even ones.
            let x = if wide % 2 == 1 {
                let far = place.div_ceil(2) as f32;
                if place % 2 == 1 { -far } else { far }
            } else {
                let far = (place / 2) as f32 + 0.5;
                if place % 2 == 0 { -far } else { far }
            };
            out.push(Slot { offset: Vec2::new(x, -(row as f32)), yaw: 0.0, role: Role::Melee });
        }
        row += 1;
    }
}

/// Roles by place: the last third is rearguard, the flanks are lateral support, the front fights, and the heart holds. Who
/// goes first takes the blows.
fn give_roles(slots: &mut [Slot]) {
    let bounds =
        slots.iter().fold((Vec2::ZERO, Vec2::ZERO), |(low, high), slot| (low.min(slot.offset), high.max(slot.offset)));
    let (deep, middle) = (bounds.1.y - bounds.0.y, (bounds.0.x + bounds.1.x) * 0.5);
    let half = (bounds.1.x - bounds.0.x) * 0.5;
    for (number, slot) in slots.iter_mut().enumerate() {
        let depth = if deep > 0.0 { (bounds.1.y - slot.offset.y) / deep } else { 0.0 };
        let aside = if half > 0.0 { (slot.offset.x - middle).abs() / half } else { 0.0 };
        slot.role = match () {
            () if number == 0 => Role::Tank,
            () if depth >= 0.67 => Role::Rearguard,
            () if aside >= 0.75 => Role::Lateral,
            () if depth <= 0.34 => Role::Melee,
            () => Role::Tank,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slots(pattern: Pattern, units: usize, spacing_m: f32) -> Vec<Slot> {
        let mut out = Vec::new();
        pattern.lay_out(units, spacing_m, &mut out);
        out
    }

    #[test]
    fn nobody_has_no_slots_and_one_stands_on_the_origin() {
        for pattern in Pattern::ALL {
            assert!(slots(pattern, 0, 1.5).is_empty());
            let one = slots(pattern, 1, 1.5);
            assert_eq!((one[0].offset, one[0].yaw, one[0].role), (Vec2::ZERO, 0.0, Role::Tank));
            let is_fixed = matches!(pattern, Pattern::Diamond | Pattern::Pairs);
            assert_eq!(one.len() == 1, !is_fixed);
        }
        assert_eq!(slots(Pattern::Line, 9999, 1.0).len(), SLOTS_MAX);
    }

    #[test]
    fn the_diamond_has_each_role_once() {
        let mut roles: Vec<Role> = slots(Pattern::Diamond, 4, 1.0).iter().map(|slot| slot.role).collect();
        roles.sort();
        assert_eq!(roles, Role::ALL);
    }

    #[test]
    fn a_ring_looks_outward_and_a_line_ahead() {
        let ring = slots(Pattern::Circle, 8, 1.0);
        let center = ring.iter().map(|slot| slot.offset).sum::<Vec2>() / 8.0;
        for slot in &ring {
            let out = sentir_core::plane::yaw(slot.offset - center);
            assert!(math::angle_between(out, slot.yaw).abs() < 1e-3, "{slot:?}");
        }
        assert!(slots(Pattern::Line, 8, 1.0).iter().all(|slot| slot.yaw == 0.0 && slot.offset.y == 0.0));
        assert!(slots(Pattern::Column, 8, 1.0).iter().all(|slot| slot.offset.x == 0.0));
    }

    #[test]
    fn odd_spacings_give_finite_places() {
        for spacing in [f32::NAN, f32::INFINITY, -1.0, 1e30] {
            for pattern in Pattern::ALL {
                assert!(slots(pattern, 7, spacing).iter().all(|slot| slot.offset.is_finite()));
            }
        }
        assert_eq!(slots(Pattern::Column, 2, f32::NAN)[1].offset, Vec2::new(0.0, -1.0));
    }

    proptest! {
        #[test]
        fn no_two_slots_are_nearer_than_the_spacing(which in 0usize..7, units in 0usize..60, spacing in 0.5f32..3.0) {
            let slots = slots(Pattern::ALL[which], units, spacing);
            for (number, one) in slots.iter().enumerate() {
                for other in &slots[..number] {
                    prop_assert!(one.offset.distance(other.offset) >= spacing * 0.99);
                }
            }
        }

        #[test]
        fn every_pattern_is_its_own_mirror_image(which in 0usize..7, units in 1usize..60) {
            let slots = slots(Pattern::ALL[which], units, 1.0);
            let (low, high) = slots.iter().fold((f32::MAX, f32::MIN), |(low, high), slot| {
                (math::min(low, slot.offset.x), math::max(high, slot.offset.x))
            });
            // An even ring has its only slot on the axis at the front and at the back.
            let middle = if Pattern::ALL[which] == Pattern::Circle { 0.0 } else { (low + high) * 0.5 };
            for slot in &slots {
                let mirrored = Vec2::new(2.0 * middle - slot.offset.x, slot.offset.y);
                let has_twin = slots.iter().any(|other| other.offset.distance(mirrored) < 1e-3);
                prop_assert!(has_twin, "{:?} of {:?}", slot.offset, slots);
            }
        }

        #[test]
        fn nobody_stands_ahead_of_slot_0(which in 0usize..7, units in 1usize..60) {
            prop_assert!(slots(Pattern::ALL[which], units, 1.0).iter().all(|slot| slot.offset.y <= 1e-6));
        }
    }
}
