//! What the figure of an agent does, for whoever draws it: derived from body, events and the scene, and never part of the state.

use sentir::core::plane;
use sentir::prelude::{Body, EventKind, GameEvent};

use crate::info::names;

names! {
    /// What a figure is about beside walking.
    Activity {
        /// Nothing.
        None = "none",
        /// A shot.
        Fire = "fire",
        /// A reload.
        Reload = "reload",
        /// Being hit.
        Hit = "hit",
        /// A strike or a bite.
        Strike = "strike",
        /// Carrying something.
        Carry = "carry",
        /// Building or repairing.
        Build = "build",
        /// A howl or a shout.
        Howl = "howl",
        /// A throw.
        Throw = "throw",
    }
}

/// How the figure of an agent moves at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Speed over ground along where the body points, m/s; backward is negative.
    pub speed_m_per_s: f32,
    /// Speed over ground to its right, m/s.
    pub side_m_per_s: f32,
    /// How far it leans to its right, −1..=1; 0 where bodies do not lean.
    pub lean: f32,
    /// What it is about.
    pub activity: Activity,
    /// How far that is, 0..=1; 0 where that is unknown.
    pub share: f32,
    /// How high it looks, rad.
    pub pitch_rad: f32,
}

impl Animation {
    /// That of a body that does nothing but move.
    pub fn of(body: &Body) -> Animation {
        let ahead = plane::heading(body.pose.yaw);
        let velocity = plane::ground(body.velocity);
        Animation {
            speed_m_per_s: velocity.dot(ahead),
            side_m_per_s: -velocity.dot(plane::left_of(ahead)),
            lean: 0.0,
            activity: Activity::None,
            share: 0.0,
            pitch_rad: body.pitch,
        }
    }

    /// The same about something.
    pub fn doing(self, activity: Activity, share: f32) -> Animation {
        Animation { activity, share, ..self }
    }
}

/// What an event makes a figure do in its tick, where the scene knows no better.
pub fn activity_of(event: &GameEvent) -> Option<Activity> {
    match event.kind {
        EventKind::Fired { .. } => Some(Activity::Fire),
        EventKind::Reloaded => Some(Activity::Reload),
        EventKind::Hurt { .. } => Some(Activity::Hit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir::core::math;
    use sentir::prelude::{Pose, Vec3};

    #[test]
    fn speed_is_along_the_face_and_to_the_right_of_it() {
        // Yaw 0 looks north (−z); east is to the right.
        let body = |yaw, velocity| Body { pose: Pose { yaw, ..Pose::default() }, velocity, ..Body::default() };
        let told = |yaw, velocity| {
            let it = Animation::of(&body(yaw, velocity));
            [it.speed_m_per_s, it.side_m_per_s].map(|speed| (speed * 100.0).round() / 100.0)
        };
        assert_eq!(told(0.0, Vec3::NEG_Z * 2.0), [2.0, 0.0]);
        assert_eq!(told(0.0, Vec3::X * 2.0), [0.0, 2.0]);
        assert_eq!(told(math::PI, Vec3::NEG_Z * 2.0), [-2.0, 0.0]);
        // A fall is no walk.
        assert_eq!(told(0.3, Vec3::NEG_Y * 9.0), [0.0, 0.0]);
    }
}
