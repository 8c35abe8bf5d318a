//! A point mass: Reynolds' simplest vehicle.

use sentir_core::plane;

use super::{Drive, Limits, LocomotionState, clamped};
use crate::mover::limited;

/// A mass pushed by a force in any direction. Values outside a limit count as the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMassConfig {
    /// Mass, kg. Limit: 0.001..=1e6.
    pub mass_kg: f32,
    /// Greatest force, N. Limit: 0..=1e9.
    pub force_n_max: f32,
    /// Fastest, m/s. Limit: 0..=1000.
    pub speed_m_per_s_max: f32,
    /// In what time steering puts a wrong velocity right, s. Limit: 0.02..=10.
    pub response_s: f32,
    /// Half its width, m. Limit: 0..=100.
    pub radius_m: f32,
}

impl Default for PointMassConfig {
    /// As heavy and as fast as a person who runs.
    fn default() -> Self {
        PointMassConfig { mass_kg: 70.0, force_n_max: 700.0, speed_m_per_s_max: 4.0, response_s: 0.25, radius_m: 0.3 }
    }
}

impl PointMassConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> PointMassConfig {
        let stock = PointMassConfig::default();
        PointMassConfig {
            mass_kg: clamped(self.mass_kg, stock.mass_kg, 1e-3, 1e6),
            force_n_max: clamped(self.force_n_max, stock.force_n_max, 0.0, 1e9),
            speed_m_per_s_max: clamped(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 1e3),
            response_s: clamped(self.response_s, stock.response_s, 0.02, 10.0),
            radius_m: clamped(self.radius_m, stock.radius_m, 0.0, 100.0),
        }
    }
}

pub(super) fn limits(config: &PointMassConfig) -> Limits {
    Limits {
        speed_m_per_s_max: config.speed_m_per_s_max,
        acceleration_m_per_s2_max: config.force_n_max / config.mass_kg,
        response_s: config.response_s,
        radius_m: config.radius_m,
    }
}

/// Slower than this it has no direction to face, m/s.
const FACING_MIN: f32 = 0.05;

pub(super) fn step(config: &PointMassConfig, stride: &mut LocomotionState, drive: &Drive, tick_s: f32) {
    let acceleration = limited(drive.acceleration, config.force_n_max / config.mass_kg);
    let before = stride.velocity;
    stride.velocity = limited(before + acceleration * tick_s, config.speed_m_per_s_max);
    stride.position += (before + stride.velocity) * (0.5 * tick_s);
    if stride.velocity.length() > FACING_MIN {
        stride.yaw = plane::yaw(stride.velocity);
    }
}
