//! What steering reads of the world: plain values in ground coordinates.

use sentir_core::State;
use sentir_core::body::Body;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

/// What anybody can see of somebody who moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Moving {
    /// Where, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Where it faces, rad.
    pub yaw: f32,
    /// Radius, m. Limit: ≥ 0.
    pub radius_m: f32,
}

impl Moving {
    /// Somebody at rest.
    pub fn at(position: Vec2) -> Moving {
        Moving { position, ..Moving::default() }
    }

    /// A body as it looks on the ground.
    pub fn of(body: &Body) -> Moving {
        Moving {
            position: plane::ground(body.pose.position),
            velocity: plane::ground(body.velocity),
            yaw: body.pose.yaw,
            radius_m: body.radius_m,
        }
    }

    /// The direction it faces; unit length.
    pub fn heading(&self) -> Vec2 {
        plane::heading(self.yaw)
    }

    /// A place given in its own frame (x to its right, y ahead of it) in the world's.
    pub fn to_world(&self, local: Vec2) -> Vec2 {
        self.position + self.turned(local)
    }

    /// A direction given in its own frame in the world's.
    pub fn turned(&self, local: Vec2) -> Vec2 {
        let ahead = self.heading();
        ahead * local.y - plane::left_of(ahead) * local.x
    }

    /// A place of the world in its own frame: x to its right, y ahead.
    pub fn to_local(&self, place: Vec2) -> Vec2 {
        let (way, ahead) = (place - self.position, self.heading());
        Vec2::new(-way.dot(plane::left_of(ahead)), way.dot(ahead))
    }
}

/// Somebody who is steered: what can be seen of it, and what it can do.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Mover {
    /// Where it is and how it moves.
    pub at: Moving,
    /// Fastest, m/s. Limit: ≥ 0.
    pub speed_m_per_s_max: f32,
    /// Strongest acceleration in any direction, m/s². Limit: ≥ 0.
    pub acceleration_m_per_s2_max: f32,
    /// In what time a wrong velocity is put right, s: steering asks for (wanted − velocity) / response. The books leave it
    /// out, which is to say 1; less is more lively. Limit: > 0; what is not counts as 1.
    pub response_s: f32,
}

impl Default for Mover {
    /// A person at rest at the origin.
    fn default() -> Self {
        Mover {
            at: Moving { radius_m: 0.3, ..Moving::default() },
            speed_m_per_s_max: 2.0,
            acceleration_m_per_s2_max: 10.0,
            response_s: 0.25,
        }
    }
}

/// Longest acceleration that is ever asked for, m/s²: past all bodies, and short of infinity.
const ACCELERATION_MAX: f32 = 1e9;

impl Mover {
    /// The acceleration that brings it to a velocity: (wanted − velocity) / response.
    pub fn toward(&self, wanted: Vec2) -> Vec2 {
        let response_s = if self.response_s > 0.0 { self.response_s } else { 1.0 };
        sound((wanted - self.at.velocity) / response_s)
    }

    /// An acceleration cut down to what it can do. Never NaN for what is no NaN.
    pub fn clamped(&self, acceleration: Vec2) -> Vec2 {
        limited(acceleration, self.acceleration_m_per_s2_max)
    }

    /// Its velocity after `tick_s` of an acceleration, within its limits.
    pub fn velocity_after(&self, acceleration: Vec2, tick_s: f32) -> Vec2 {
        limited(self.at.velocity + self.clamped(acceleration) * tick_s, self.speed_m_per_s_max)
    }
}

/// `vector`, no longer than `length` (what is below 0 or no number counts as 0), even where its square is past all numbers.
/// NaN becomes zero.
pub fn limited(vector: Vec2, length: f32) -> Vec2 {
    let length = math::max(0.0, length);
    // Squares of single-precision numbers neither overflow nor vanish in double precision.
    let wide = vector.as_dvec2();
    let squared = wide.length_squared();
    if squared <= f64::from(length) * f64::from(length) {
        vector
    } else if squared.is_finite() {
        (wide * (f64::from(length) / squared.sqrt())).as_vec2()
    } else {
        // An infinite axis is the direction.
        let axis = |value: f32| if value.is_infinite() { value.signum() } else { 0.0 };
        let direction = plane::direction(Vec2::new(axis(vector.x), axis(vector.y)));
        if vector.is_nan() { Vec2::ZERO } else { direction * length }
    }
}

/// An acceleration that can be worked with: finite, whatever it was.
pub(crate) fn sound(acceleration: Vec2) -> Vec2 {
    limited(acceleration, ACCELERATION_MAX)
}

/// A round obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Disc {
    /// Middle, m.
    pub center: Vec2,
    /// Radius, m. Limit: ≥ 0.
    pub radius_m: f32,
}

/// A straight piece of a wall. Its open side is on the right of the way from `from` to `to`: the border of a solid goes
/// round it counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Wall {
    /// One end, m.
    pub from: Vec2,
    /// The other end, m.
    pub to: Vec2,
}

impl Wall {
    /// Unit normal, into the open; zero for a wall of no length.
    pub fn normal(&self) -> Vec2 {
        -plane::left_of(plane::direction(self.to - self.from))
    }

    /// The place on it nearest to a point.
    pub fn nearest(&self, point: Vec2) -> Vec2 {
        plane::nearest_on_segment(self.from, self.to, point).0
    }

    /// The walls round a solid whose border is given counter-clockwise.
    pub fn around(border: &[Vec2]) -> impl Iterator<Item = Wall> + '_ {
        (0..border.len()).map(|number| Wall { from: border[number], to: border[(number + 1) % border.len()] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frames_have_right_and_ahead() {
        let me = Moving { position: Vec2::new(3.0, 1.0), yaw: math::FRAC_PI_2, ..Moving::default() };
        // Facing west, right is north.
        assert!(me.to_world(Vec2::new(2.0, 0.0)).distance(Vec2::new(3.0, 3.0)) < 1e-6);
        assert!(me.to_world(Vec2::new(0.0, 2.0)).distance(Vec2::new(1.0, 1.0)) < 1e-6);
        let place = Vec2::new(-0.7, 2.9);
        assert!(me.to_world(me.to_local(place)).distance(place) < 1e-6);
    }

    #[test]
    fn walls_of_a_solid_face_outward() {
        let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let normals: Vec<Vec2> = Wall::around(&square).map(|wall| wall.normal()).collect();
        assert_eq!(normals, [Vec2::NEG_Y, Vec2::X, Vec2::Y, Vec2::NEG_X]);
        assert_eq!(Wall::default().normal(), Vec2::ZERO);
    }

    proptest! {
        #[test]
        fn limits_hold_for_all_numbers(x in any::<f32>(), y in any::<f32>(), length in any::<f32>()) {
            let vector = Vec2::new(x, y);
            let cut = limited(vector, length);
            prop_assert!(vector.is_nan() || cut.is_finite() || length == f32::INFINITY);
            let most = math::max(0.0, length);
            prop_assert!(!cut.is_finite() || cut.as_dvec2().length() <= f64::from(most) * 1.000_001 + 1e-30);
        }
    }
}
