//! Aimless walking that looks like somebody's: a target on the rim of a circle ahead, which strays along the rim.
//!
//! The target's angle is a random walk whose variance grows with time, not with calls, so that the ways of a character
//! have the same statistics at any rate. Farther circles give gentler turns, wider ones sharper turns, more jitter more
//! change.

use sentir_core::glam::Vec2;
use sentir_core::random::Stream;
use sentir_core::{State, math};

use super::goal::seek;
use crate::mover::Mover;

/// Tuning of [`wander`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct WanderConfig {
    /// Radius of the circle, m. Limit: > 0.
    pub radius_m: f32,
    /// How far ahead its middle is, m. Limit: > `radius_m`, or the target may lie behind.
    pub distance_m: f32,
    /// How far along the rim the target strays in a second (standard deviation), m. Limit: ≥ 0.
    pub jitter_m: f32,
}

impl Default for WanderConfig {
    fn default() -> Self {
        WanderConfig { radius_m: 1.2, distance_m: 2.0, jitter_m: 1.5 }
    }
}

/// What is remembered of the target: its angle on the rim, rad; 0 is ahead, positive to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Wander {
    /// The angle, rad.
    pub angle_rad: f32,
}

impl Wander {
    /// Strays for `tick_s`; `noise` has mean 0 and variance 1.
    pub fn stray(&mut self, config: &WanderConfig, noise: f32, tick_s: f32) {
        let step = config.jitter_m / math::max(config.radius_m, 1e-3) * math::max(tick_s, 0.0).sqrt();
        self.angle_rad = math::wrap_angle(self.angle_rad + noise * step);
    }

    /// The target, m.
    pub fn target(&self, me: &Mover, config: &WanderConfig) -> Vec2 {
        let (sin, cos) = math::sin_cos(self.angle_rad);
        me.at.to_world(Vec2::new(-sin * config.radius_m, config.distance_m + cos * config.radius_m))
    }
}

/// A number of mean 0 and variance 1, within ±√3.
pub fn noise(random: &mut Stream) -> f32 {
    random.between(-1.732_050_8, 1.732_050_8)
}

/// Goes on wandering: lets the target stray, and seeks it.
pub fn wander(me: &Mover, state: &mut Wander, config: &WanderConfig, noise: f32, tick_s: f32) -> Vec2 {
    state.stray(config, noise, tick_s);
    seek(me, state.target(me, config))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::plane;
    use sentir_core::random::{Purpose, Streams};

    /// Standard deviation of the change of heading within one second, rad.
    fn turned(rate: f32, config: &WanderConfig) -> f32 {
        let mut random = Streams { seed: 5 }.stream(0, Purpose::new("wander test"));
        let (mut sum, mut count) = (0.0f64, 0.0f64);
        for _ in 0..40 {
            let mut me = Mover::default();
            let mut state = Wander::default();
            let mut before = 0.0;
            for tick in 0..(40.0 * rate) as u32 {
                let acceleration = wander(&me, &mut state, config, noise(&mut random), 1.0 / rate);
                me.at.velocity = me.velocity_after(acceleration, 1.0 / rate);
                me.at.position += me.at.velocity / rate;
                me.at.yaw = plane::yaw(me.at.velocity);
                if tick % rate as u32 == 0 {
                    let change = f64::from(math::angle_between(before, me.at.yaw));
                    if tick > 0 {
                        (sum, count) = (sum + change * change, count + 1.0);
                    }
                    before = me.at.yaw;
                }
            }
        }
        (sum / count).sqrt() as f32
    }

    #[test]
    fn headings_have_the_same_statistics_at_any_rate() {
        let config = WanderConfig::default();
        let [slow, usual, fast] = [20.0, 60.0, 144.0].map(|rate| turned(rate, &config));
        for one in [slow, fast] {
            assert!((one / usual - 1.0).abs() < 0.1, "{slow} {usual} {fast}");
        }
    }

    #[test]
    fn distance_calms_and_jitter_excites() {
        let config = WanderConfig::default();
        let near = turned(60.0, &config);
        let far = turned(60.0, &WanderConfig { distance_m: 6.0, ..config });
        assert!(far < near * 0.7, "{far} {near}");
        // Short of where the angle is mixed up altogether.
        let [calm, usual, wild] = [0.2, 0.5, 1.0].map(|jitter_m| turned(60.0, &WanderConfig { jitter_m, ..config }));
        assert!(calm < usual && usual < wild, "{calm} {usual} {wild}");
        let narrow = turned(60.0, &WanderConfig { radius_m: 0.4, jitter_m: 0.5, ..config });
        assert!(narrow < usual, "{narrow} {usual}");
    }

    #[test]
    fn odd_settings_stay_finite() {
        for config in [
            WanderConfig { radius_m: 0.0, distance_m: 0.0, jitter_m: 0.0 },
            WanderConfig { radius_m: f32::MAX, distance_m: f32::MAX, jitter_m: f32::MAX },
        ] {
            let mut state = Wander::default();
            assert!(wander(&Mover::default(), &mut state, &config, 1.0, 0.1).is_finite());
        }
    }
}
