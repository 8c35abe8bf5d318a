//! A car: it rolls where its wheels point, so what lies beside it takes a maneuver.
//!
//! What steering wants is ahead, behind or aside. Ahead is driven to, steering at it. Behind and slow is driven to in
//! reverse. Everything else is a turn in legs, wheels locked: in reverse until it points at the goal, or, with the goal
//! straight behind, forward first: a three-point turn. A car that would circle its goal sees it abeam, and falls into
//! such a turn. A leg in which it is held up (the host puts the observed velocity into the stride) ends early.

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use super::{Drive, Limits, LocomotionState, clamped, speed_toward};

/// A car. Its place is the middle of the rear axle. Values outside a limit count as the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarConfig {
    /// Fastest forward, m/s. Limit: 0..=100.
    pub speed_m_per_s_max: f32,
    /// Fastest in reverse, m/s. Limit: 0..=`speed_m_per_s_max`.
    pub reverse_m_per_s_max: f32,
    /// How fast the legs of a turn are driven, m/s. Limit: 0..=`reverse_m_per_s_max`.
    pub maneuver_m_per_s: f32,
    /// Gain or loss of speed along its heading, m/s². Limit: 0..=1000.
    pub acceleration_m_per_s2_max: f32,
    /// What the tires hold sideways, m/s²: fast turns are wider. Limit: 0.1..=1000.
    pub grip_m_per_s2: f32,
    /// Radius of its tightest turn, m. Limit: 0.1..=1000.
    pub radius_m_min: f32,
    /// From straight wheels to locked ones, s. Limit: 0..=10.
    pub lock_s: f32,
    /// What is wanted more slowly than this is not worth a maneuver: it stands, m/s. Limit: 0..=10.
    pub still_m_per_s: f32,
    /// In what time steering puts a wrong velocity right, s. Limit: 0.02..=10.
    pub response_s: f32,
    /// Half its width, m. Limit: 0..=100.
    pub radius_m: f32,
}

impl Default for CarConfig {
    /// A small one.
    fn default() -> Self {
        CarConfig {
            speed_m_per_s_max: 6.0,
            reverse_m_per_s_max: 2.5,
            maneuver_m_per_s: 2.0,
            acceleration_m_per_s2_max: 6.0,
            grip_m_per_s2: 7.0,
            radius_m_min: 3.5,
            lock_s: 0.35,
            still_m_per_s: 0.2,
            response_s: 0.25,
            radius_m: 0.8,
        }
    }
}

impl CarConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> CarConfig {
        let stock = CarConfig::default();
        let speed = clamped(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 100.0);
        let reverse = clamped(self.reverse_m_per_s_max, stock.reverse_m_per_s_max, 0.0, speed);
        CarConfig {
            speed_m_per_s_max: speed,
            reverse_m_per_s_max: reverse,
            maneuver_m_per_s: clamped(self.maneuver_m_per_s, stock.maneuver_m_per_s, 0.0, reverse),
            acceleration_m_per_s2_max: clamped(
                self.acceleration_m_per_s2_max,
                stock.acceleration_m_per_s2_max,
                0.0,
                1000.0,
            ),
            grip_m_per_s2: clamped(self.grip_m_per_s2, stock.grip_m_per_s2, 0.1, 1000.0),
            radius_m_min: clamped(self.radius_m_min, stock.radius_m_min, 0.1, 1000.0),
            lock_s: clamped(self.lock_s, stock.lock_s, 0.0, 10.0),
            still_m_per_s: clamped(self.still_m_per_s, stock.still_m_per_s, 0.0, 10.0),
            response_s: clamped(self.response_s, stock.response_s, 0.02, 10.0),
            radius_m: clamped(self.radius_m, stock.radius_m, 0.0, 100.0),
        }
    }
}

/// What a car is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum Maneuver {
    /// Forward, to what lies ahead.
    #[default]
    Ahead,
    /// In reverse, to what lies behind.
    Back,
    /// A leg of a turn, wheels locked.
    Leg {
        /// Forward rather than in reverse.
        is_forward: bool,
        /// To which side the heading turns.
        is_left: bool,
        /// How far it has turned in this leg, rad.
        turned_rad: f32,
        /// For how long it has been held up, s.
        stalled_s: f32,
    },
}

/// What it can do sideways counts, too, or a cut-down wish would lose its side.
pub(super) fn limits(config: &CarConfig) -> Limits {
    Limits {
        speed_m_per_s_max: config.speed_m_per_s_max,
        acceleration_m_per_s2_max: math::max(config.acceleration_m_per_s2_max, config.grip_m_per_s2),
        response_s: config.response_s,
        radius_m: config.radius_m,
    }
}

/// Farther aside than this is not ahead any more, rad.
const ABEAM_RAD: f32 = 1.3;
/// Farther aside than this is behind, rad.
const BEHIND_RAD: f32 = 2.36;
/// A leg in reverse has done its work when the goal is this near to straight ahead, rad.
const ALIGNED_RAD: f32 = 0.25;
/// Longest forward leg, as turned, rad.
const FORWARD_LEG_RAD: f32 = 1.05;
/// Longest leg in reverse, as turned, rad.
const REVERSE_LEG_RAD: f32 = 1.75;
/// Least share of the wanted speed in a bend.
const BEND_SHARE: f32 = 0.25;
/// How far ahead it aims: so many seconds of its way, and so many of its radii at least.
const LOOK_S: f32 = 0.5;
const LOOK_RADII: f32 = 0.15;
/// Slower than this is held up, m/s, and for so long it tries, s.
const STALL_M_PER_S: f32 = 0.05;
const STALL_S: f32 = 0.8;

pub(super) fn step(config: &CarConfig, stride: &mut LocomotionState, drive: &Drive, tick_s: f32) {
    let speed = math::clamp(stride.speed(), -config.reverse_m_per_s_max, config.speed_m_per_s_max);
    stride.velocity = plane::heading(stride.yaw) * speed;
    let wanted = drive.velocity.unwrap_or_else(|| wanted(config, stride.velocity, drive.acceleration));
    let wish = wanted.length();
    let aside = math::angle_between(stride.yaw, plane::yaw(wanted));
    let (to, wheels) = if wish < config.still_m_per_s {
        stride.maneuver = Maneuver::Ahead;
        (0.0, stride.curvature_per_m)
    } else {
        stride.maneuver = next(config, stride.maneuver, aside, wish);
        pursue(config, stride, aside, wish)
    };
    let to = math::clamp(to, -config.reverse_m_per_s_max, config.speed_m_per_s_max);
    let response_s = drive.response_s(config.response_s);
    let after = speed_toward(speed, to, response_s, config.acceleration_m_per_s2_max, tick_s);
    // While it still rolls the other way, the wheels stay as they are.
    let rolls_on = to * after < 0.0 && after.abs() > 0.1;
    let lock = 1.0 / config.radius_m_min;
    let gain = if config.lock_s > 0.0 { lock * tick_s / config.lock_s } else { 2.0 * lock };
    let wheels = if rolls_on { stride.curvature_per_m } else { wheels };
    let before = stride.curvature_per_m;
    stride.curvature_per_m = math::approach(before, math::clamp(wheels, -lock, lock), gain);
    let fastest = math::max(speed.abs(), after.abs());
    let most = math::min(lock, config.grip_m_per_s2 / math::max(fastest * fastest, 1e-6));
    let bend = math::clamp((before + stride.curvature_per_m) * 0.5, -most, most);
    let turn = bend * (speed + after) * 0.5 * tick_s;
    stride.roll(after, turn, tick_s);
    if let Maneuver::Leg { is_left, turned_rad, stalled_s, .. } = &mut stride.maneuver {
        *turned_rad += if *is_left { turn } else { -turn };
        *stalled_s = if speed.abs() < STALL_M_PER_S { *stalled_s + tick_s } else { 0.0 };
    }
}

/// The velocity that is wanted, read back. Of a wish that was cut to the limit only the way to it is known, and it is taken for one
/// of full speed: or else a car that rolls backward could never read that it is wanted ahead.
fn wanted(config: &CarConfig, velocity: Vec2, asked: Vec2) -> Vec2 {
    let Limits { acceleration_m_per_s2_max: limit, response_s, .. } = limits(config);
    let change = asked * response_s;
    let (size, fastest) = (change.length(), config.speed_m_per_s_max);
    // Who asks for more has not cut it.
    let is_cut = (asked.length() - limit).abs() <= limit * 1e-3;
    if !is_cut || size <= 0.0 {
        return velocity + change;
    }
    // Where the way of the change leaves the circle of full speed: |velocity + way · s| = fastest.
    let way = change / size;
    let along = velocity.dot(way);
    let room = math::max(along * along + fastest * fastest - velocity.length_squared(), 0.0);
    velocity + way * math::max(room.sqrt() - along, size)
}

fn leg(is_forward: bool, is_left: bool) -> Maneuver {
    Maneuver::Leg { is_forward, is_left, turned_rad: 0.0, stalled_s: 0.0 }
}

/// What to be about now, with the wish so far aside.
fn next(config: &CarConfig, now: Maneuver, aside: f32, wish: f32) -> Maneuver {
    let (far, is_left) = (aside.abs(), aside > 0.0);
    // Slow enough to be driven in reverse all the way.
    let backs = |give: f32| wish <= config.reverse_m_per_s_max * give;
    let anew = || {
        if far <= ABEAM_RAD {
            Maneuver::Ahead
        } else if far > BEHIND_RAD && backs(1.0) {
            Maneuver::Back
        } else {
            leg(far > BEHIND_RAD, is_left)
        }
    };
    match now {
        Maneuver::Ahead => anew(),
        Maneuver::Back if far > math::PI - ABEAM_RAD && backs(1.2) => Maneuver::Back,
        Maneuver::Back => anew(),
        Maneuver::Leg { is_forward, is_left: side, turned_rad, stalled_s } => {
            // Past straight ahead, or nearly there.
            let is_aligned = far < ALIGNED_RAD || (side != is_left && far < math::FRAC_PI_2);
            let longest = if is_forward { FORWARD_LEG_RAD } else { REVERSE_LEG_RAD };
            let is_ahead = is_aligned || (is_forward && far < ABEAM_RAD * 0.8);
            if is_ahead {
                Maneuver::Ahead
            } else if stalled_s > STALL_S {
                leg(!is_forward, side)
            } else if turned_rad < longest {
                now
            } else if far <= ABEAM_RAD {
                Maneuver::Ahead
            } else {
                leg(!is_forward, side)
            }
        }
    }
}

/// The speed to drive at, backward below 0, and how to turn the wheels, 1/m.
fn pursue(config: &CarConfig, stride: &LocomotionState, aside: f32, wish: f32) -> (f32, f32) {
    let look_m = math::max(stride.speed().abs() * LOOK_S, config.radius_m_min * LOOK_RADII);
    match stride.maneuver {
        Maneuver::Ahead => {
            let share = math::max(math::cos(aside), BEND_SHARE);
            (wish * share, 2.0 * math::sin(math::clamp(aside, -1.5, 1.5)) / look_m)
        }
        Maneuver::Back => {
            // Seen from the tail.
            let aside = if aside > 0.0 { aside - math::PI } else { aside + math::PI };
            let share = math::max(math::cos(aside), BEND_SHARE);
            (-wish * share, -2.0 * math::sin(math::clamp(aside, -1.5, 1.5)) / look_m)
        }
        Maneuver::Leg { is_forward, is_left, .. } => {
            let lock = 1.0 / config.radius_m_min;
            let wheels = if is_forward == is_left { lock } else { -lock };
            (if is_forward { config.maneuver_m_per_s } else { -config.maneuver_m_per_s }, wheels)
        }
    }
}
