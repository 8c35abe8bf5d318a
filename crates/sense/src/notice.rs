//! Time to notice: how long a target must be in view before one is aware of it.
//!
//! From `near_s` at arm's length to `far_s` at the end of the range, with the square of the distance (what the eye has of a
//! body shrinks with it); longer for who stands still, longer in the corner of the eye, and divided by the light. While
//! a target is in view, each look adds the time since the last one over the time it takes; at 1 the target is noticed. Out of
//! view, that fades.

use sentir_core::math;

use crate::sight::{SightConfig, Zone};

/// How long it takes to notice somebody under conditions that stay, s; infinite where it is too dark. `light` is 0..=1.
pub fn notice_s(config: &SightConfig, zone: Zone, distance_m: f32, speed_m_per_s: f32, light: f32) -> f32 {
    let factor = match zone {
        Zone::Touch => return 0.0,
        Zone::Focus => 1.0,
        Zone::Periphery => config.periphery_factor,
    };
    // Negated, so that what is no number is dark.
    if !(light > config.dark && light > 0.0) {
        return f32::INFINITY;
    }
    let share = math::saturate(distance_m / math::max(config.range_m, 1e-6));
    let seconds = math::lerp(config.near_s, config.far_s, share * share);
    let pace = math::saturate(speed_m_per_s / math::max(config.moving_m_per_s, 1e-6));
    let still = math::lerp(config.still_factor, 1.0, pace);
    math::max(0.0, seconds * still * factor / math::min(light, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_curve_goes_through_its_ends() {
        let config = SightConfig::default();
        let at = |distance, speed, light| notice_s(&config, Zone::Focus, distance, speed, light);
        assert_eq!(at(0.0, config.moving_m_per_s, 1.0), config.near_s);
        assert_eq!(at(config.range_m, config.moving_m_per_s, 1.0), config.far_s);
        assert_eq!(at(config.range_m, 0.0, 1.0), config.far_s * config.still_factor);
        assert_eq!(at(config.range_m, 99.0, 0.5), config.far_s * 2.0);
        assert_eq!(at(1.0, 0.0, config.dark), f32::INFINITY);
        assert_eq!(at(1.0, 0.0, f32::NAN), f32::INFINITY);
        assert_eq!(notice_s(&config, Zone::Touch, 1.0, 0.0, 0.0), 0.0);
    }

    proptest! {
        #[test]
        fn farther_stiller_darker_and_aside_take_longer(
            distance in 0.0f32..40.0, more in 0.0f32..5.0,
            speed in 0.0f32..6.0, light in 0.2f32..1.0,
        ) {
            let config = SightConfig::default();
            let at = |zone, distance, speed, light| notice_s(&config, zone, distance, speed, light);
            let base = at(Zone::Focus, distance, speed, light);
            prop_assert!(base > 0.0);
            prop_assert!(at(Zone::Focus, distance + more, speed, light) >= base);
            prop_assert!(at(Zone::Focus, distance, speed + more, light) <= base);
            prop_assert!(at(Zone::Focus, distance, speed, light * 0.9) >= base);
            prop_assert!(at(Zone::Periphery, distance, speed, light) >= base);
        }
    }
}
