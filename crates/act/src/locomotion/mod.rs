//! Locomotion: what a body can really do of what steering asks. Four bodies under one interface.
//!
//! Steering asks for an acceleration that leads to a velocity it wants, and every body goes about that velocity in its own
//! way (the third of Reynolds' layers, GDC 1999). Who steers by [`Drive::arrive`] and its like hands the velocity over;
//! else a body reads it back out of (wanted − velocity) / response, with the response that [`Locomotion::mover`] told. So
//! what is divided by another time, as every arrival is, needs its velocity beside it:
//!
//! | body | what it does |
//! |---|---|
//! | [`PointMassConfig`] | a force, cut at its greatest, moves a mass; it faces where it goes |
//! | [`BipedConfig`] | turns on the spot, faces on its own, walks sideways and backward, slower |
//! | [`CarConfig`] | rolls along its heading on arcs no tighter than its radius, forward and in reverse; a goal that lies inside its circle is reached in several legs, as in a three-point turn |
//! | [`TurretConfig`] | a tracked hull that turns slowly, on the spot if need be, and a turret that turns on its own |
//!
//! **Cost** O(1): a handful of sines a step. **Guarantees**: a step allocates nothing; limits of speed, acceleration and
//! turn rate hold; for finite input everything is finite; steps turn and mirror with the world; the same drive at another
//! rate ends at the same place but for what a tick is long. Angles are taken the short way, so nothing spins at ±π. The
//! speed limit is stronger than that of the acceleration: who is found too fast is slowed at once.
//!
//! A configuration outside its limits counts as at the limit, what is no number as the stock value; a `tick_s` that is no
//! number or below [`TICK_S_MIN`] counts as 0, and 0 changes nothing but the stance; it counts as [`TICK_S_MAX`] at most.

mod biped;
mod car;
mod point_mass;
#[cfg(test)]
mod tests;
mod turret;

use sentir_core::State;
use sentir_core::body::Stance;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use crate::mover::{Mover, Moving, limited};
use crate::steer::goal::arrive_velocity;
use crate::steer::{self, Deceleration};

pub use biped::BipedConfig;
pub use car::{CarConfig, Maneuver};
pub use point_mass::PointMassConfig;
pub use turret::TurretConfig;

/// Shortest step, s.
pub const TICK_S_MIN: f32 = 1e-6;
/// Longest step, s.
pub const TICK_S_MAX: f32 = 1.0;
/// What is asked for beyond this counts as this, m/s²: it only says where to.
const ASKED_MAX: f32 = 1e6;
/// The same of a velocity, m/s.
const SPEED_MAX: f32 = 1e6;

/// A body, by what it can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Locomotion {
    /// A mass that a force pushes about.
    PointMass(PointMassConfig),
    /// A person.
    Biped(BipedConfig),
    /// A car.
    Car(CarConfig),
    /// A hull on tracks with a turret.
    Turret(TurretConfig),
}

/// What a body is told to do this tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// What steering asks, m/s². No number counts as zero.
    pub acceleration: Vec2,
    /// The velocity that steering wants, m/s, if it is known: taken up as fast as the body can. None, or no number: read
    /// back out of the acceleration.
    pub velocity: Option<Vec2>,
    /// Where to face, rad: the whole biped, the turret alone; the others cannot. None, or no number: where it goes.
    pub face: Option<f32>,
    /// How to hold itself.
    pub stance: Stance,
}

impl Drive {
    /// [`steer::arrive`]: to a place, and to a stop on it.
    pub fn arrive(me: &Mover, target: Vec2, deceleration: Deceleration) -> Drive {
        let acceleration = steer::arrive(me, target, deceleration);
        Drive { acceleration, velocity: Some(arrive_velocity(me, target, deceleration)), ..Drive::default() }
    }

    /// [`steer::offset_arrive`]: to a place in a leader's frame, and along with it.
    pub fn offset_arrive(me: &Mover, leader: &Moving, offset: Vec2, deceleration: Deceleration) -> Drive {
        let acceleration = steer::offset_arrive(me, leader, offset, deceleration);
        let velocity = leader.velocity + arrive_velocity(me, leader.to_world(offset), deceleration);
        Drive { acceleration, velocity: Some(velocity), ..Drive::default() }
    }

    /// [`steer::interpose`]: between two others.
    pub fn interpose(me: &Mover, one: &Moving, other: &Moving, deceleration: Deceleration) -> Drive {
        let acceleration = steer::interpose(me, one, other, deceleration);
        let response_s = deceleration.response_s();
        Drive { acceleration, velocity: Some(me.at.velocity + acceleration * response_s), ..Drive::default() }
    }

    /// The velocity that is wanted, as far as it can be told, of a body with a velocity and a response.
    fn wanted(&self, velocity: Vec2, response_s: f32) -> Vec2 {
        self.velocity.unwrap_or(velocity + self.acceleration * response_s)
    }

    /// In what time to take up the speed that is wanted, s: at once if it is known, for whoever knows it counts on it.
    fn response_s(&self, response_s: f32) -> f32 {
        if self.velocity.is_some() { 0.0 } else { response_s }
    }
}

/// Where a body is and what it remembers of its movement. What is not finite counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct LocomotionState {
    /// Where, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Where the body (the hull, the car) points, rad.
    pub yaw: f32,
    /// Where the turret points, rad, in the world's frame; without a turret, the same as the yaw.
    pub turret_yaw: f32,
    /// How the wheels of a car are turned: one over the radius of its arc, 1/m; positive is left.
    pub curvature_per_m: f32,
    /// What a car or a hull is about.
    pub maneuver: Maneuver,
    /// How it holds itself.
    pub stance: Stance,
}

/// What the body did in a step, for animation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnimationInput {
    /// Speed along where the body points, m/s; backward is negative.
    pub speed_m_per_s: f32,
    /// Speed to its right, m/s.
    pub strafe_m_per_s: f32,
    /// Turn of the body, rad/s; positive is left.
    pub turn_rad_per_s: f32,
    /// Where the turret points as the body sees it, rad; positive is left. 0 without one.
    pub turret_rad: f32,
    /// How it holds itself.
    pub stance: Stance,
}

impl LocomotionState {
    /// At rest.
    pub fn at(position: Vec2, yaw: f32) -> LocomotionState {
        let yaw = math::wrap_angle(yaw);
        LocomotionState { position, yaw, turret_yaw: yaw, ..LocomotionState::default() }
    }

    /// Speed along where it points, m/s.
    pub fn speed(&self) -> f32 {
        self.velocity.dot(plane::heading(self.yaw))
    }

    /// Makes a forged or broken state a sound one.
    fn heal(&mut self, speed_max: f32) {
        let finite = |vector: Vec2| if vector.is_finite() { vector } else { Vec2::ZERO };
        self.position = finite(self.position);
        self.velocity = limited(finite(self.velocity), speed_max);
        self.yaw = math::wrap_angle(self.yaw);
        self.turret_yaw = math::wrap_angle(self.turret_yaw);
        self.curvature_per_m = clamped(self.curvature_per_m, 0.0, -1e3, 1e3);
    }

    /// Rolls along an arc: from the speed it has to `speed`, turning by `turn`; never sideways.
    fn roll(&mut self, speed: f32, turn: f32, tick_s: f32) {
        let way = (self.speed() + speed) * 0.5 * tick_s;
        // The chord of the arc, so that the points of a steady turn lie on one circle.
        let half = turn * 0.5;
        let chord = if half.abs() > 1e-3 { math::sin(half) / half } else { 1.0 - half * half / 6.0 };
        self.position += plane::heading(self.yaw + half) * (way * chord);
        self.yaw = math::wrap_angle(self.yaw + turn);
        self.velocity = plane::heading(self.yaw) * speed;
    }
}

impl Locomotion {
    /// Moves a body by one tick, and tells how that looks.
    pub fn step(&self, stride: &mut LocomotionState, drive: &Drive, tick_s: f32) -> AnimationInput {
        let tick_s = clamped(tick_s, 0.0, 0.0, TICK_S_MAX);
        let asked = limited(drive.acceleration, ASKED_MAX);
        let face = drive.face.filter(|face| face.is_finite());
        let velocity = drive.velocity.filter(|velocity| velocity.is_finite());
        let velocity = velocity.map(|velocity| limited(velocity, SPEED_MAX));
        let drive = Drive { acceleration: asked, velocity, face, stance: drive.stance };
        stride.stance = drive.stance;
        stride.heal(self.mover(stride).speed_m_per_s_max);
        let before = stride.yaw;
        if tick_s >= TICK_S_MIN {
            match self {
                Locomotion::PointMass(config) => point_mass::step(&config.clamped(), stride, &drive, tick_s),
                Locomotion::Biped(config) => biped::step(&config.clamped(), stride, &drive, tick_s),
                Locomotion::Car(config) => car::step(&config.clamped(), stride, &drive, tick_s),
                Locomotion::Turret(config) => turret::step(&config.clamped(), stride, &drive, tick_s),
            }
        }
        if !matches!(self, Locomotion::Turret(_)) {
            stride.turret_yaw = stride.yaw;
        }
        let ahead = plane::heading(stride.yaw);
        let turned = math::angle_between(before, stride.yaw);
        AnimationInput {
            speed_m_per_s: stride.velocity.dot(ahead),
            strafe_m_per_s: -stride.velocity.dot(plane::left_of(ahead)),
            turn_rad_per_s: if tick_s >= TICK_S_MIN { turned / tick_s } else { 0.0 },
            turret_rad: math::angle_between(stride.yaw, stride.turret_yaw),
            stance: stride.stance,
        }
    }

    /// The body as steering reads it: what it can do in any direction, at its best.
    pub fn mover(&self, stride: &LocomotionState) -> Mover {
        let (position, velocity, yaw) = (stride.position, stride.velocity, stride.yaw);
        let limits = match self {
            Locomotion::PointMass(config) => point_mass::limits(&config.clamped()),
            Locomotion::Biped(config) => biped::limits(&config.clamped(), stride.stance),
            Locomotion::Car(config) => car::limits(&config.clamped()),
            Locomotion::Turret(config) => turret::limits(&config.clamped()),
        };
        let Limits { speed_m_per_s_max, acceleration_m_per_s2_max, response_s, radius_m } = limits;
        let at = Moving { position, velocity, yaw, radius_m };
        Mover { at, speed_m_per_s_max, acceleration_m_per_s2_max, response_s }
    }
}

/// What a body can do in any direction, at its best; as [`Mover`] has it.
struct Limits {
    speed_m_per_s_max: f32,
    acceleration_m_per_s2_max: f32,
    response_s: f32,
    radius_m: f32,
}

/// `value` within its limits; what is no number is `stock`.
fn clamped(value: f32, stock: f32, low: f32, high: f32) -> f32 {
    math::clamp(if value.is_nan() { stock } else { value }, low, high)
}

/// How far to turn in a tick toward something `error` away, rad: at the greatest rate, and from `rate · settle_s` on ever
/// slower. This is the exact solution of that rule, so the rate of ticks does not matter, and it never overshoots.
fn turn_toward(error: f32, rate: f32, settle_s: f32, tick_s: f32) -> f32 {
    let (size, soft) = (error.abs(), rate * settle_s);
    let steady = math::min(math::max(size - soft, 0.0), rate * tick_s);
    let left_s = if rate > 0.0 { tick_s - steady / rate } else { 0.0 };
    let ease = if left_s > 0.0 && settle_s > 0.0 { 1.0 - math::exp(-left_s / settle_s) } else { 0.0 };
    let turn = math::min(steady + (size - steady) * ease, rate * tick_s);
    if error < 0.0 { -turn } else { turn }
}

/// A speed brought toward another: in about the response's time, at no more than `gain_max` m/s².
fn speed_toward(from: f32, to: f32, response_s: f32, gain_max: f32, tick_s: f32) -> f32 {
    let gain = (to - from) / math::max(response_s, tick_s);
    from + math::clamp(gain, -gain_max, gain_max) * tick_s
}
