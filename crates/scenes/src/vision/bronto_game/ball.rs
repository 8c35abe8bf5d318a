//! Flying balls: constant speed, thrown back by whatever they touch.

use sentir::core::geometry::Ray;
use sentir::core::math;
use sentir::prelude::*;
use sentir_level::{Blocks, LevelView};

/// Half a ball, m.
pub(super) const BALL_M: f32 = 0.35;
/// The level is looked for so far around a ball's way; what it flies into is thrown back from there.
const SKIN_M: f32 = 0.02;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Ball {
    /// Its middle, m.
    pub(super) position: Vec3,
    /// Its velocity, m/s.
    pub(super) velocity: Vec3,
}

impl Ball {
    /// A ball at a place, off in a random direction, level: a hall without a roof would lose the others.
    pub(super) fn thrown(position: Vec3, speed_m_per_s: f32, random: &mut Stream) -> Ball {
        let (sin, cos) = math::sin_cos(random.between(-math::PI, math::PI));
        let velocity = Vec3::new(sin, 0.0, cos) * speed_m_per_s;
        Ball { position, velocity }
    }

    /// Flies on for a while; three bounces at most.
    pub(super) fn fly(&mut self, view: &LevelView<'_>, time_s: f32) {
        let mut left_m = self.velocity.length() * time_s;
        for _ in 0..3 {
            let direction = self.velocity.normalize_or_zero();
            if left_m <= 0.0 || direction == Vec3::ZERO {
                return;
            }
            let ray = Ray { origin: self.position, direction, length_m: left_m + BALL_M + SKIN_M };
            let Some(hit) = view.hit(&ray, Blocks::BODIES).map(|it| it.hit) else {
                self.position += direction * left_m;
                return;
            };
            let room = math::max(hit.distance_m - BALL_M - SKIN_M, 0.0);
            let go = math::min(room, left_m);
            self.position += direction * go;
            left_m -= go;
            if room >= left_m + go {
                return;
            }
            let against = self.velocity.dot(hit.normal);
            if against < 0.0 {
                self.velocity -= hit.normal * (2.0 * against);
            }
        }
    }
}
