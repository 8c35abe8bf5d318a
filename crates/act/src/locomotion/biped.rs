//! A biped: legs that go any way, ahead best, under a trunk that turns.

use sentir_core::body::Stance;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use super::{Drive, Limits, LocomotionState, clamped, turn_toward};
use crate::mover::limited;

/// A person. Values outside a limit count as the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BipedConfig {
    /// Fastest ahead, m/s. Limit: 0..=30.
    pub speed_m_per_s_max: f32,
    /// Share of that sideways. Limit: 0..=1.
    pub strafe_factor: f32,
    /// Share of it backward. Limit: 0..=1.
    pub back_factor: f32,
    /// Share of all of them when crouched. Limit: 0..=1.
    pub crouch_factor: f32,
    /// Gain or loss of speed in any direction, m/s². Limit: 0..=1000.
    pub acceleration_m_per_s2_max: f32,
    /// Fastest turn, rad/s. Limit: 0..=100.
    pub turn_rad_per_s_max: f32,
    /// How long the end of a turn is drawn out, s. Limit: 0..=10.
    pub settle_s: f32,
    /// With nothing to face, a way that leads farther aside than this is first turned to on the spot, rad. Limit: 0..=π.
    pub pivot_rad: f32,
    /// In what time steering puts a wrong velocity right, s. Limit: 0.02..=10.
    pub response_s: f32,
    /// Half its width, m. Limit: 0..=100.
    pub radius_m: f32,
}

impl Default for BipedConfig {
    fn default() -> Self {
        BipedConfig {
            speed_m_per_s_max: 3.0,
            strafe_factor: 0.65,
            back_factor: 0.5,
            crouch_factor: 0.5,
            acceleration_m_per_s2_max: 12.0,
            turn_rad_per_s_max: 5.0,
            settle_s: 0.08,
            pivot_rad: 1.75,
            response_s: 0.25,
            radius_m: 0.3,
        }
    }
}

impl BipedConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> BipedConfig {
        let stock = BipedConfig::default();
        BipedConfig {
            speed_m_per_s_max: clamped(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 30.0),
            strafe_factor: clamped(self.strafe_factor, stock.strafe_factor, 0.0, 1.0),
            back_factor: clamped(self.back_factor, stock.back_factor, 0.0, 1.0),
            crouch_factor: clamped(self.crouch_factor, stock.crouch_factor, 0.0, 1.0),
            acceleration_m_per_s2_max: clamped(
                self.acceleration_m_per_s2_max,
                stock.acceleration_m_per_s2_max,
                0.0,
                1000.0,
            ),
            turn_rad_per_s_max: clamped(self.turn_rad_per_s_max, stock.turn_rad_per_s_max, 0.0, 100.0),
            settle_s: clamped(self.settle_s, stock.settle_s, 0.0, 10.0),
            pivot_rad: clamped(self.pivot_rad, stock.pivot_rad, 0.0, math::PI),
            response_s: clamped(self.response_s, stock.response_s, 0.02, 10.0),
            radius_m: clamped(self.radius_m, stock.radius_m, 0.0, 100.0),
        }
    }

    fn speed(&self, stance: Stance) -> f32 {
        self.speed_m_per_s_max * if stance == Stance::Crouch { self.crouch_factor } else { 1.0 }
    }
}

pub(super) fn limits(config: &BipedConfig, stance: Stance) -> Limits {
    Limits {
        speed_m_per_s_max: config.speed(stance),
        acceleration_m_per_s2_max: config.acceleration_m_per_s2_max,
        response_s: config.response_s,
        radius_m: config.radius_m,
    }
}

/// A way slower than this is a step aside, not worth turning for, m/s.
const FACING_MIN: f32 = 0.2;

pub(super) fn step(config: &BipedConfig, stride: &mut LocomotionState, drive: &Drive, tick_s: f32) {
    let before = stride.velocity;
    let wanted = drive.wanted(before, config.response_s);
    let goes = wanted.length() > FACING_MIN;
    let face = drive.face.unwrap_or(if goes { plane::yaw(wanted) } else { stride.yaw });
    let error = math::angle_between(stride.yaw, face);
    let pivots = drive.face.is_none() && goes && error.abs() > config.pivot_rad;
    let turn = turn_toward(error, config.turn_rad_per_s_max, config.settle_s, tick_s);
    stride.yaw = math::wrap_angle(stride.yaw + turn);
    let gain_max = config.acceleration_m_per_s2_max;
    let target = if pivots { Vec2::ZERO } else { before + limited(drive.acceleration, gain_max) * tick_s };
    let target = legs(config, stride, target);
    stride.velocity = limited(before + limited(target - before, gain_max * tick_s), config.speed(stride.stance));
    stride.position += (before + stride.velocity) * (0.5 * tick_s);
}

/// A velocity cut down to what the legs do in that direction: within half an ellipse ahead and a shorter one behind.
fn legs(config: &BipedConfig, stride: &LocomotionState, velocity: Vec2) -> Vec2 {
    let ahead = plane::heading(stride.yaw);
    let left = plane::left_of(ahead);
    let (along, aside) = (velocity.dot(ahead), velocity.dot(left));
    let speed = config.speed(stride.stance);
    let share = |value: f32, most: f32| if most > 0.0 { value / most } else { 0.0 };
    let along_max = if along < 0.0 { speed * config.back_factor } else { speed };
    let aside_max = speed * config.strafe_factor;
    // What a direction has no speed for is left out.
    let velocity = ahead * if along_max > 0.0 { along } else { 0.0 } + left * if aside_max > 0.0 { aside } else { 0.0 };
    let stretch = Vec2::new(share(along, along_max), share(aside, aside_max)).length();
    if stretch > 1.0 { velocity / stretch } else { velocity }
}
