//! Turning: to a yaw, from one, at a place, along the way. Results are angular accelerations, rad/s²; to the left is
//! positive. All go the short way round, so nothing spins where −π meets π.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use crate::mover::Moving;

/// Somebody who turns.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Turning {
    /// Where it faces, rad.
    pub yaw: f32,
    /// How fast it turns, rad/s; to the left is positive.
    pub turn_rad_per_s: f32,
    /// Fastest turn, rad/s. Limit: ≥ 0.
    pub turn_rad_per_s_max: f32,
    /// Strongest angular acceleration, rad/s². Limit: ≥ 0.
    pub turn_rad_per_s2_max: f32,
}

impl Turning {
    /// What comes of an angular acceleration after `tick_s`, within its limits.
    pub fn after(self, acceleration: f32, tick_s: f32) -> Turning {
        let clamped = math::clamp(acceleration, -self.turn_rad_per_s2_max, self.turn_rad_per_s2_max);
        let rate = self.turn_rad_per_s + clamped * tick_s;
        let turn_rad_per_s = math::clamp(rate, -self.turn_rad_per_s_max, self.turn_rad_per_s_max);
        Turning { yaw: math::wrap_angle(self.yaw + turn_rad_per_s * tick_s), turn_rad_per_s, ..self }
    }
}

/// How a turn ends.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct AlignConfig {
    /// As near as this is there, rad. Limit: ≥ 0.
    pub target_rad: f32,
    /// Within this it slows down, rad. Limit: ≥ `target_rad`.
    pub slow_rad: f32,
    /// In what time a wrong turn rate is put right, s. Limit: > 0.
    pub response_s: f32,
}

impl Default for AlignConfig {
    fn default() -> Self {
        AlignConfig { target_rad: 0.01, slow_rad: 1.2, response_s: 0.08 }
    }
}

/// Turns to a yaw and rests there.
pub fn align(me: &Turning, yaw: f32, config: &AlignConfig) -> f32 {
    let left = math::angle_between(me.yaw, yaw);
    let share = math::saturate(left.abs() / math::max(config.slow_rad, 1e-3));
    // What can still be braked off, as for arrivals.
    let brake = math::max(0.0, me.turn_rad_per_s2_max) * 0.8;
    let lag = config.response_s * brake;
    let braked = (lag * lag + 2.0 * brake * left.abs()).sqrt() - lag;
    let rate = math::min(me.turn_rad_per_s_max * share, math::max(braked, 0.0));
    let wanted = if left.abs() <= config.target_rad { 0.0 } else { rate * left.signum() };
    let acceleration = (wanted - me.turn_rad_per_s) / math::max(config.response_s, 1e-3);
    math::clamp(acceleration, -me.turn_rad_per_s2_max, me.turn_rad_per_s2_max)
}

/// Turns to the opposite of a yaw.
pub fn anti_align(me: &Turning, yaw: f32, config: &AlignConfig) -> f32 {
    align(me, math::wrap_angle(yaw + math::PI), config)
}

/// Turns to a place; on the very place, it comes to rest.
pub fn face(me: &Turning, position: Vec2, target: Vec2, config: &AlignConfig) -> f32 {
    let way = target - position;
    let yaw = if plane::direction(way) == Vec2::ZERO { me.yaw } else { plane::yaw(way) };
    align(me, yaw, config)
}

/// Slower than this, m/s, a way has no direction worth facing.
const STILL_M_PER_S: f32 = 0.05;

/// Turns to where one goes; at rest, it comes to rest.
pub fn look_ahead(me: &Turning, velocity: Vec2, config: &AlignConfig) -> f32 {
    let yaw = if velocity.length() < STILL_M_PER_S { me.yaw } else { plane::yaw(velocity) };
    align(me, yaw, config)
}

/// Turns to an angle relative to a leader's.
pub fn offset_align(me: &Turning, leader: &Moving, offset_rad: f32, config: &AlignConfig) -> f32 {
    align(me, math::wrap_angle(leader.yaw + offset_rad), config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turning(yaw: f32) -> Turning {
        Turning { yaw, turn_rad_per_s: 0.0, turn_rad_per_s_max: 5.0, turn_rad_per_s2_max: 20.0 }
    }

    #[test]
    fn turns_go_the_short_way_past_pi_and_come_to_rest() {
        for rate in [20.0f32, 60.0, 144.0] {
            for (from, to, turned) in
                [(3.0, -3.0, 0.283_185), (-3.0, 3.0, -0.283_185), (0.0, 3.1, 3.1), (1.0, 1.0, 0.0)]
            {
                let mut me = turning(from);
                let (mut sum, mut most) = (0.0f32, 0.0f32);
                for _ in 0..(6.0 * rate) as u32 {
                    me = me.after(align(&me, to, &AlignConfig::default()), 1.0 / rate);
                    sum += me.turn_rad_per_s / rate;
                    most = math::max(most, sum.abs());
                }
                assert!((sum - turned).abs() < 0.02, "{sum} for {turned} at {rate} Hz");
                assert!(most <= turned.abs() + 0.03, "overshoot: {most} for {turned} at {rate} Hz");
                assert!(me.turn_rad_per_s.abs() < 1e-3, "still turning at {rate} Hz");
            }
        }
    }

    #[test]
    fn anti_align_looks_the_other_way_and_face_looks_at_places() {
        let me = turning(0.3);
        let config = AlignConfig::default();
        assert_eq!(anti_align(&me, 0.3, &config), align(&me, 0.3 - math::PI, &config));
        assert!(face(&me, Vec2::ZERO, Vec2::NEG_X, &config) > 0.0);
        assert_eq!(face(&me, Vec2::ONE, Vec2::ONE, &config), 0.0);
        assert_eq!(look_ahead(&me, Vec2::ZERO, &config), 0.0);
        assert!(look_ahead(&me, Vec2::X, &config) < 0.0);
        let leader = Moving { yaw: 0.3, ..Moving::default() };
        assert!(offset_align(&me, &leader, 0.5, &config) > 0.0);
        assert_eq!(offset_align(&me, &leader, 0.0, &config), 0.0);
    }

    proptest! {
        #[test]
        fn turns_are_finite_limited_and_mirrored(yaw in -4.0f32..4.0, to in any::<f32>(), rate in -9.0f32..9.0) {
            prop_assume!(to.is_finite());
            let me = Turning { turn_rad_per_s: rate, ..turning(yaw) };
            let acceleration = align(&me, to, &AlignConfig::default());
            prop_assert!(acceleration.is_finite() && acceleration.abs() <= 20.0);
            let mirrored = Turning { yaw: -yaw, turn_rad_per_s: -rate, ..me };
            // A half turn has no short way.
            if math::angle_between(yaw, to).abs() < 3.1 {
                prop_assert!((align(&mirrored, -to, &AlignConfig::default()) + acceleration).abs() < 1e-2);
            }
        }
    }
}
