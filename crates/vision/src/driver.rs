//! A racing driver that sees: where the road goes farthest, and how fast one can be and still stop or turn.
//!
//! **Method.** Of all columns it takes the one along which its width is free the farthest, less a little for turning; so it
//! cuts corners as far as it can see into them. Speed is bounded by what brakes lose within the free way ahead, and by the
//! circle that leads to the chosen point. O(columns · obstacles) a look.

use sentir_core::glam::Vec2;
use sentir_core::math;

use crate::outlook::Outlook;

/// Tuning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriverConfig {
    /// Fastest, m/s.
    pub speed_m_per_s_max: f32,
    /// What tires hold sideways, m/s².
    pub grip_m_per_s2: f32,
    /// What brakes lose, m/s².
    pub brake_m_per_s2: f32,
    /// How far it looks, m.
    pub range_m: f32,
    /// Kept free ahead whatever happens, m.
    pub margin_m: f32,
}

impl Default for DriverConfig {
    fn default() -> Self {
        DriverConfig { speed_m_per_s_max: 16.0, grip_m_per_s2: 7.0, brake_m_per_s2: 6.0, range_m: 40.0, margin_m: 2.0 }
    }
}

/// What to do with wheel and pedals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Helm {
    /// Where to, a unit direction.
    pub toward: Vec2,
    /// How fast, m/s.
    pub speed_m_per_s: f32,
    /// How far the way is free, m.
    pub free_m: f32,
}

/// Reads the road. None where there is none.
pub fn drive(outlook: &Outlook, heading: Vec2, config: &DriverConfig) -> Option<Helm> {
    let mut best: Option<(f32, Vec2, f32)> = None;
    for reach in outlook.reaches() {
        let free = math::min(outlook.free_m(reach.toward, config.range_m), reach.ground_m);
        let along = math::clamp(reach.toward.dot(heading), -1.0, 1.0);
        let worth = free * (0.6 + 0.4 * along);
        if best.is_none_or(|(most, ..)| worth > most) {
            best = Some((worth, reach.toward, free));
        }
    }
    let (_, toward, free_m) = best?;
    let ahead = outlook.free_m(heading, config.range_m);
    // What is straight ahead must leave room to brake; where one turns to, too.
    let room = math::max(math::min(ahead * 1.6, free_m) - config.margin_m, 0.0);
    let stop = (2.0 * config.brake_m_per_s2 * room).sqrt();
    // The circle from here, along the heading, to the end of the way.
    let across = toward.perp_dot(heading).abs();
    let radius = math::max(free_m, 1.0) / math::max(2.0 * across, 1e-3);
    let bend = (config.grip_m_per_s2 * radius).sqrt();
    let speed = math::min(math::min(stop, bend), config.speed_m_per_s_max);
    Some(Helm { toward, speed_m_per_s: math::max(speed, 1.0), free_m })
}
