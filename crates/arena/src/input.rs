//! What a person or a script does with one body, quantized at the door: the same input is the same bits on any machine,
//! and a recording holds just what was played.

use sentir::State;
use sentir::core::glam::Vec2;
use sentir::core::math;
use sentir::core::tick::Tick;
use sentir::prelude::Actions;

/// The controls of one player at one moment. Held until the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Input {
    /// Which player.
    pub player: u8,
    /// To the right, −127..=127.
    pub right: i8,
    /// Forward, −127..=127.
    pub forward: i8,
    /// Where to look, in 65 536ths of a turn to the left.
    pub yaw: i16,
    /// What to do.
    pub actions: Actions,
}

/// An input and when it begins to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct InputAt {
    /// From which tick on.
    pub tick: Tick,
    /// What.
    pub input: Input,
}

impl Input {
    /// Quantizes a stick (length up to 1; x right, y forward) and a yaw in radians. What is not finite counts as 0.
    pub fn quantized(player: u8, stick: Vec2, yaw: f32, actions: Actions) -> Input {
        let stick = if stick.is_finite() { sentir::core::plane::truncated(stick, 1.0) } else { Vec2::ZERO };
        let axis = |value: f32| (value * 127.0).round() as i8;
        // A half turn either way is the same direction; `as` would saturate at +π.
        let steps = (math::wrap_angle(yaw) / math::TAU * 65_536.0).round() as i32;
        Input { player, right: axis(stick.x), forward: axis(stick.y), yaw: steps as i16, actions }
    }

    /// The stick, x right and y forward, length up to 1.
    pub fn stick(self) -> Vec2 {
        let axis = |value: i8| f32::from(value.max(-127)) / 127.0;
        sentir::core::plane::truncated(Vec2::new(axis(self.right), axis(self.forward)), 1.0)
    }

    /// Where to look, rad.
    pub fn yaw_rad(self) -> f32 {
        f32::from(self.yaw) / 65_536.0 * math::TAU
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quantizing_twice_is_quantizing_once(x in -2.0f32..2.0, y in -2.0f32..2.0, yaw in -9.0f32..9.0) {
            let once = Input::quantized(1, Vec2::new(x, y), yaw, Actions::FIRE);
            let twice = Input::quantized(1, once.stick(), once.yaw_rad(), Actions::FIRE);
            prop_assert!((i32::from(once.right) - i32::from(twice.right)).abs() <= 1);
            prop_assert_eq!(once.yaw, twice.yaw);
            prop_assert!(once.stick().length() <= 1.000_001);
            prop_assert!(math::angle_between(once.yaw_rad(), yaw).abs() < 1e-3);
        }
    }

    #[test]
    fn what_is_not_finite_is_at_rest() {
        let input = Input::quantized(0, Vec2::new(f32::NAN, 1.0), f32::INFINITY, Actions::default());
        assert_eq!(input, Input::default());
        assert_eq!(Input { right: i8::MIN, ..Input::default() }.stick(), Vec2::NEG_X);
    }
}
