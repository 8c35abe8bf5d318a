//! A tracked hull with a turret: the one goes, the other looks.

use sentir_core::{math, plane};

use super::{Drive, Limits, LocomotionState, Maneuver, clamped, speed_toward, turn_toward};

/// A hull on tracks and its turret. Values outside a limit count as the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurretConfig {
    /// Fastest forward, m/s. Limit: 0..=100.
    pub speed_m_per_s_max: f32,
    /// Fastest in reverse, m/s. Limit: 0..=`speed_m_per_s_max`.
    pub reverse_m_per_s_max: f32,
    /// Gain or loss of speed along its heading, m/s². Limit: 0..=1000.
    pub acceleration_m_per_s2_max: f32,
    /// Fastest turn of the hull, rad/s; on the spot, too. Limit: 0..=100.
    pub hull_rad_per_s_max: f32,
    /// Fastest turn of the turret upon the hull, rad/s. Limit: 0..=100.
    pub turret_rad_per_s_max: f32,
    /// How long the end of a turn is drawn out, s. Limit: 0..=10.
    pub settle_s: f32,
    /// What is wanted more slowly than this is not worth turning for: it stands, m/s. Limit: 0..=10.
    pub still_m_per_s: f32,
    /// In what time steering puts a wrong velocity right, s. Limit: 0.02..=10.
    pub response_s: f32,
    /// Half its width, m. Limit: 0..=100.
    pub radius_m: f32,
}

impl Default for TurretConfig {
    fn default() -> Self {
        TurretConfig {
            speed_m_per_s_max: 3.0,
            reverse_m_per_s_max: 1.5,
            acceleration_m_per_s2_max: 4.0,
            hull_rad_per_s_max: 0.9,
            turret_rad_per_s_max: 2.5,
            settle_s: 0.1,
            still_m_per_s: 0.15,
            response_s: 0.25,
            radius_m: 1.0,
        }
    }
}

impl TurretConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> TurretConfig {
        let stock = TurretConfig::default();
        let speed = clamped(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 100.0);
        TurretConfig {
            speed_m_per_s_max: speed,
            reverse_m_per_s_max: clamped(self.reverse_m_per_s_max, stock.reverse_m_per_s_max, 0.0, speed),
            acceleration_m_per_s2_max: clamped(
                self.acceleration_m_per_s2_max,
                stock.acceleration_m_per_s2_max,
                0.0,
                1000.0,
            ),
            hull_rad_per_s_max: clamped(self.hull_rad_per_s_max, stock.hull_rad_per_s_max, 0.0, 100.0),
            turret_rad_per_s_max: clamped(self.turret_rad_per_s_max, stock.turret_rad_per_s_max, 0.0, 100.0),
            settle_s: clamped(self.settle_s, stock.settle_s, 0.0, 10.0),
            still_m_per_s: clamped(self.still_m_per_s, stock.still_m_per_s, 0.0, 10.0),
            response_s: clamped(self.response_s, stock.response_s, 0.02, 10.0),
            radius_m: clamped(self.radius_m, stock.radius_m, 0.0, 100.0),
        }
    }
}

pub(super) fn limits(config: &TurretConfig) -> Limits {
    Limits {
        speed_m_per_s_max: config.speed_m_per_s_max,
        acceleration_m_per_s2_max: config.acceleration_m_per_s2_max,
        response_s: config.response_s,
        radius_m: config.radius_m,
    }
}

/// What is slow enough to be reached in reverse is so when farther aside than this, rad; once it is, until nearer.
const BEHIND_RAD: f32 = 2.36;
const BESIDE_RAD: f32 = 1.57;

pub(super) fn step(config: &TurretConfig, stride: &mut LocomotionState, drive: &Drive, tick_s: f32) {
    let speed = math::clamp(stride.speed(), -config.reverse_m_per_s_max, config.speed_m_per_s_max);
    stride.velocity = plane::heading(stride.yaw) * speed;
    let wanted = drive.wanted(stride.velocity, config.response_s);
    let wish = wanted.length();
    let (mut to, mut turn) = (0.0, 0.0);
    if wish >= config.still_m_per_s {
        let aside = math::angle_between(stride.yaw, plane::yaw(wanted));
        let (limit, give) = if stride.maneuver == Maneuver::Back { (BESIDE_RAD, 1.2) } else { (BEHIND_RAD, 1.0) };
        let backs = aside.abs() > limit && wish <= config.reverse_m_per_s_max * give;
        stride.maneuver = if backs { Maneuver::Back } else { Maneuver::Ahead };
        let error = match backs {
            true if aside > 0.0 => aside - math::PI,
            true => aside + math::PI,
            false => aside,
        };
        // Full speed straight on, none for what is more than a sixth of a turn aside.
        let share = math::max(math::cos(error) * 2.0 - 1.0, 0.0);
        to = if backs { -wish * share } else { wish * share };
        turn = turn_toward(error, config.hull_rad_per_s_max, config.settle_s, tick_s);
    }
    let to = math::clamp(to, -config.reverse_m_per_s_max, config.speed_m_per_s_max);
    let response_s = drive.response_s(config.response_s);
    let after = speed_toward(speed, to, response_s, config.acceleration_m_per_s2_max, tick_s);
    stride.roll(after, turn, tick_s);
    // The hull carries the turret along, and the turret makes up for it as fast as it can.
    let carried = math::wrap_angle(stride.turret_yaw + turn);
    let error = math::angle_between(carried, drive.face.unwrap_or(stride.yaw));
    // Held to a moving mark, a drawn-out end would lag behind: what the hull does is made up for at once.
    let most = config.turret_rad_per_s_max * tick_s;
    let own = turn_toward(math::wrap_angle(error + turn), config.turret_rad_per_s_max, config.settle_s, tick_s) - turn;
    stride.turret_yaw = math::wrap_angle(carried + math::clamp(own, -most, most));
}
