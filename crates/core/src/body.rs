//! What a host tells about a body, and what anybody may know about a pose.

use glam::Vec3;
use sentir_derive::State;

use crate::{math, plane};

/// Where a body stands and looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Pose {
    /// Feet, m.
    pub position: Vec3,
    /// Where it looks, rad; see [`plane`].
    pub yaw: f32,
}

impl Pose {
    /// The pose a share `t` of the way to another, turning the short way: what a host draws between two ticks.
    pub fn lerp(self, to: Pose, t: f32) -> Pose {
        Pose {
            position: self.position.lerp(to.position, t),
            yaw: math::wrap_angle(self.yaw + math::angle_between(self.yaw, to.yaw) * t),
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.yaw.is_finite()
    }

    /// Whether every number is finite and none absurd: squares and sums of what a world reckons with stay finite.
    pub fn is_in_reach(self) -> bool {
        self.is_finite() && self.position.abs().max_element() <= REACH_M && self.yaw.abs() <= REACH_M
    }
}

/// How far from the origin a body may be, m, and how fast, m/s: a thousand kilometers. At that distance floats are 6 cm apart.
pub const REACH_M: f32 = 1e6;

/// The measures of a person, m: what a body has unless somebody says otherwise.
pub mod person {
    /// Half the width.
    pub const RADIUS_M: f32 = 0.3;
    /// Height upright.
    pub const HEIGHT_M: f32 = 1.8;
    /// Height crouched.
    pub const CROUCH_HEIGHT_M: f32 = 1.1;
    /// Eyes over the feet, upright.
    pub const EYE_M: f32 = 1.7;
    /// Eyes over the feet, crouched.
    pub const CROUCH_EYE_M: f32 = 1.0;
    /// Eyes over the feet as plans of sight take them: a little low, so that they promise no look that a body would not have.
    pub const PLAN_EYE_M: f32 = 1.6;
}

/// Height of the shoulders, as a share of the height of the eyes.
const SHOULDER_SHARE: f32 = 0.85;

/// How a body holds itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Stance {
    /// Upright.
    #[default]
    Stand,
    /// Low.
    Crouch,
}

/// The truth about a body, as the host tells it each tick. Only senses and movement read it.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Body {
    /// Where it stands and looks.
    pub pose: Pose,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Radius on the ground, m. Limit: ≥ 0.
    pub radius_m: f32,
    /// Eye height over the feet, m. Limit: ≥ 0.
    pub eye_m: f32,
    /// Share of full health, 0..=1.
    pub health: f32,
    /// How it holds itself.
    pub stance: Stance,
    /// How far up it looks, rad; down is negative. Limit: ±π/2.
    pub pitch: f32,
}

impl Default for Body {
    /// A person standing at the origin.
    fn default() -> Self {
        Body {
            pose: Pose::default(),
            velocity: Vec3::ZERO,
            radius_m: person::RADIUS_M,
            eye_m: person::EYE_M,
            health: 1.0,
            stance: Stance::Stand,
            pitch: 0.0,
        }
    }
}

impl Body {
    /// Where the eyes are, m.
    pub fn eye(&self) -> Vec3 {
        self.pose.position + Vec3::Y * self.eye_m
    }

    /// The unit direction in which it looks, level.
    pub fn facing(&self) -> Vec3 {
        plane::lift(plane::heading(self.pose.yaw), 0.0)
    }

    /// The three points of it that a watcher looks for: head, left and right shoulder as the watcher sees them, m. The
    /// shoulders are across the line of sight, or across its own facing when the eye is straight above or below.
    pub fn outline(&self, eye: Vec3) -> [Vec3; 3] {
        let head = self.eye();
        let across = plane::direction(plane::ground(head - eye));
        let across = if across == glam::Vec2::ZERO { plane::heading(self.pose.yaw) } else { across };
        let left = plane::lift(plane::left_of(across) * self.radius_m, 0.0);
        let middle = self.pose.position + Vec3::Y * (self.eye_m * SHOULDER_SHARE);
        [head, middle + left, middle - left]
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let numbers = [self.radius_m, self.eye_m, self.health, self.pitch];
        self.pose.is_finite() && self.velocity.is_finite() && numbers.iter().all(|number| number.is_finite())
    }

    /// Whether every number is finite and none absurd ([`REACH_M`]).
    pub fn is_in_reach(&self) -> bool {
        let numbers = [self.radius_m, self.eye_m, self.pitch];
        self.is_finite()
            && self.pose.is_in_reach()
            && self.velocity.abs().max_element() <= REACH_M
            && numbers.iter().all(|number| number.abs() <= REACH_M)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::PI;

    #[test]
    fn poses_turn_the_short_way() {
        let from = Pose { position: Vec3::ZERO, yaw: PI - 0.1 };
        let to = Pose { position: Vec3::X * 2.0, yaw: -PI + 0.1 };
        let half = from.lerp(to, 0.5);
        assert_eq!(half.position, Vec3::X);
        assert!((half.yaw.abs() - PI).abs() < 1e-5);
    }

    #[test]
    fn a_body_looks_along_its_yaw_from_its_eyes() {
        let body = Body::default();
        assert_eq!(body.facing(), Vec3::NEG_Z);
        assert_eq!(body.eye(), Vec3::new(0.0, 1.7, 0.0));
        assert!(body.is_finite() && !Body { health: f32::NAN, ..body }.is_finite());
        assert!(body.is_in_reach() && !Body { health: f32::NAN, ..body }.is_in_reach());
        for far in [1e30, -1e30, f32::INFINITY] {
            let moved = Pose { position: Vec3::new(0.0, far, 0.0), yaw: 0.0 };
            assert!(!moved.is_in_reach() && !Body { velocity: Vec3::X * far, ..body }.is_in_reach(), "{far}");
            assert!(!Body { radius_m: far, ..body }.is_in_reach(), "{far}");
        }
    }
}
