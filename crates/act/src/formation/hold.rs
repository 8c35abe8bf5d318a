//! Holding a slot: steering's offset arrive and offset align with a dead zone at rest, and keeping clear of each other on
//! the way.

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use crate::mover::limited;
use crate::steer::goal::arrive_velocity;
use crate::steer::{self, AlignConfig, Deceleration, Turning};
use crate::{Mover, Moving};

/// Where a slot is in the world, now.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct SlotPose {
    /// Where, m.
    pub position: Vec2,
    /// Which way it faces, rad.
    pub yaw: f32,
    /// Where on the leader's way it belongs: arc length ahead of the leader, m; negative behind.
    pub arc_m: f32,
}

/// How near to a slot at rest is on it, m: inside, one stands still rather than shuffle.
pub const DEAD_M: f32 = 0.06;
/// Slots slower than this are at rest, m/s.
const REST_M_PER_S: f32 = 0.1;
/// Farther from its slot than this one looks where one goes, m.
const LOOK_M: f32 = 1.2;
/// Skin to skin, from where on others are kept clear of, m.
const APART_M: f32 = 0.25;
/// How hard, m/s at touch.
const APART_M_PER_S: f32 = 0.9;
/// From what error on a leader slows down, and where it goes slowest, m.
const SLACK_M: f32 = 0.6;
const STRAGGLE_M: f32 = 2.5;
/// The slowest it goes, as a share: one who is stuck must not stop all for ever.
pub const PACE_MIN: f32 = 0.25;

/// Offset arrive as a velocity, for bodies that are told one: what brings a unit onto its slot and along with it, m/s; at
/// most the unit's own. On a slot at rest it is exactly zero. Zero for what is no number.
pub fn wanted(unit: &Mover, slot: Vec2, slot_velocity: Vec2) -> Vec2 {
    let far = slot.distance(unit.at.position);
    let is_at_rest = slot_velocity.length() < REST_M_PER_S;
    if is_at_rest && far < DEAD_M {
        return Vec2::ZERO;
    }
    let drift = if is_at_rest { Vec2::ZERO } else { slot_velocity };
    limited(drift + arrive_velocity(unit, slot, Deceleration::Normal), unit.speed_m_per_s_max)
}

/// Offset align: how to turn, rad/s². As the slot does once there, else to where one goes.
pub fn align(unit: &Turning, at: &Moving, slot: &SlotPose, config: &AlignConfig) -> f32 {
    if slot.position.distance(at.position) < LOOK_M {
        let frame = Moving { yaw: slot.yaw, ..Moving::at(slot.position) };
        steer::offset_align(unit, &frame, 0.0, config)
    } else {
        steer::look_ahead(unit, at.velocity, config)
    }
}

/// A leader's pace for the worst slot error of those who follow, as a share from [`PACE_MIN`] to 1; falls smoothly.
pub fn pace(worst_m: f32) -> f32 {
    let share = math::saturate((worst_m - SLACK_M) / (STRAGGLE_M - SLACK_M));
    if share.is_nan() { PACE_MIN } else { math::lerp(1.0, PACE_MIN, share * share * (3.0 - 2.0 * share)) }
}

/// `velocity`, turned aside for others close by: what leads into somebody is taken out and turned into a step round that agent,
/// to the right of one's way, and who touches is pushed off. Nobody who stands still is moved unless touched.
pub fn apart(me: &Moving, velocity: Vec2, others: impl Iterator<Item = Moving>, speed_max: f32) -> Vec2 {
    let (mut go, mut push) = (velocity, Vec2::ZERO);
    let is_going = velocity.length() > REST_M_PER_S;
    for other in others {
        let way = other.position - me.position;
        let toward = plane::direction(way);
        let gap = way.length() - me.radius_m - other.radius_m;
        if toward == Vec2::ZERO || gap > APART_M || gap.is_nan() {
            continue;
        }
        let near = math::saturate(1.0 - gap / APART_M);
        if is_going || gap < 0.02 {
            push -= toward * (APART_M_PER_S * near * near);
        }
        // Only what is faster than the other's own velocity leads into it.
        let into = go.dot(toward) - math::max(other.velocity.dot(toward), 0.0);
        if is_going && into > 0.0 {
            let aside = -plane::left_of(toward);
            // Past the other on the side one is going anyway; straight on, to the right.
            let side = if go.dot(aside) >= -0.1 * into { aside } else { -aside };
            go += (side * 0.7 - toward) * (into * near);
        }
    }
    limited(go + push, speed_max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tick(unit: &mut Mover, slot: Vec2, slot_velocity: Vec2) {
        let tick_s = 1.0 / 60.0;
        unit.at.velocity = unit.velocity_after(unit.toward(wanted(unit, slot, slot_velocity)), tick_s);
        unit.at.position += unit.at.velocity * tick_s;
    }

    #[test]
    fn a_unit_comes_to_rest_on_its_slot_and_stays_there() {
        let mut unit = Mover::default();
        let slot = Vec2::new(3.0, -2.0);
        (0..600).for_each(|_| tick(&mut unit, slot, Vec2::ZERO));
        let rest = unit.at.position;
        assert!(rest.distance(slot) < DEAD_M * 1.5, "{rest}");
        (0..600).for_each(|_| tick(&mut unit, slot, Vec2::ZERO));
        assert!(unit.at.position.distance(rest) < 1e-3 && unit.at.velocity.length() < 1e-3);
    }

    #[test]
    fn a_unit_keeps_up_with_a_slot_that_moves() {
        let mut unit = Mover::default();
        let velocity = Vec2::new(1.2, 0.5);
        let mut slot = Vec2::new(1.0, 1.0);
        for _ in 0..600 {
            slot += velocity / 60.0;
            tick(&mut unit, slot, velocity);
        }
        assert!(unit.at.position.distance(slot) < 0.1);
    }

    #[test]
    fn far_from_the_slot_one_looks_where_one_goes() {
        let slot = SlotPose { position: Vec2::new(0.5, 0.0), yaw: 1.0, arc_m: 0.0 };
        let far = SlotPose { position: Vec2::new(5.0, 0.0), ..slot };
        let turned = |slot: &SlotPose, velocity: Vec2| {
            let still = Turning { yaw: 0.0, turn_rad_per_s: 0.0, turn_rad_per_s_max: 5.0, turn_rad_per_s2_max: 20.0 };
            let (at, config) = (Moving { velocity, ..Moving::default() }, AlignConfig::default());
            (0..240).fold(still, |unit, _| unit.after(align(&unit, &at, slot, &config), 1.0 / 60.0)).yaw
        };
        assert!((turned(&slot, Vec2::X) - 1.0).abs() < 0.02);
        assert!((turned(&far, Vec2::X) + math::FRAC_PI_2).abs() < 0.02);
        assert_eq!(turned(&far, Vec2::ZERO), 0.0);
    }

    #[test]
    fn a_leader_slows_smoothly_and_never_stops() {
        assert_eq!((pace(0.0), pace(SLACK_M), pace(99.0), pace(f32::NAN)), (1.0, 1.0, PACE_MIN, PACE_MIN));
        let steps: Vec<f32> = (0..300).map(|step| pace(step as f32 * 0.01)).collect();
        assert!(steps.windows(2).all(|pair| pair[1] <= pair[0] && pair[0] - pair[1] < 0.01));
    }

    #[test]
    fn who_walks_into_somebody_is_turned_aside_and_who_stands_is_left_alone() {
        let me = Moving { radius_m: 0.3, ..Moving::default() };
        let other = Moving { position: Vec2::new(0.0, 0.7), ..me };
        let turned = apart(&me, Vec2::Y * 1.5, std::iter::once(other), 2.0);
        assert!(turned.x > 0.2 && turned.y < 1.2, "{turned}");
        assert_eq!(apart(&me, Vec2::ZERO, std::iter::once(other), 2.0), Vec2::ZERO);
        // Who goes ahead as fast is nobody's obstacle.
        let ahead = Moving { velocity: Vec2::Y * 1.5, ..other };
        assert!(apart(&me, Vec2::Y * 1.5, std::iter::once(ahead), 2.0).x.abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn any_numbers_give_a_velocity_within_the_limit(x in any::<f32>(), y in any::<f32>(), u in any::<f32>(), v in any::<f32>()) {
            let unit = Mover::default();
            let wish = wanted(&unit, Vec2::new(x, y), Vec2::new(u, v));
            prop_assert!(wish.is_finite() && wish.length() <= unit.speed_m_per_s_max * 1.000_01);
            let other = Moving { position: Vec2::new(u, v), ..Moving::default() };
            let turned = apart(&unit.at, wish, std::iter::once(other), 2.0);
            prop_assert!(turned.is_finite() && turned.length() <= 2.000_1);
        }
    }
}
