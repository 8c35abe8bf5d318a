//! What a person, a script or a brain does with one body, quantized at the door: the same input is the same bits on any
//! machine, and a recording holds just what was played.

use sentir::State;
use sentir::core::glam::Vec2;
use sentir::core::tick::Tick;
use sentir::core::{math, plane};
use sentir::prelude::{Actions, Motion, Stance};

/// The controls of one player at one moment. Held until the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Input {
    /// Which player.
    pub player: u8,
    /// Along ground x, −127..=127; 127 is as fast as the body can.
    pub east: i8,
    /// Along ground y, −127..=127.
    pub north: i8,
    /// Where to look, in 65 536ths of a turn to the left.
    pub yaw: i16,
    /// How high to look, in 65 536ths of a turn up.
    pub pitch: i16,
    /// How to hold oneself.
    pub stance: Stance,
    /// What to do.
    pub actions: Actions,
    /// The letter key that is down, as an upper-case ASCII letter; 0 for none.
    pub key: u8,
    /// What is pointed at: ground x and y in steps of [`SPOT_M`].
    pub spot: [i16; 2],
    /// Whether what is selected joins the selection instead of replacing it.
    pub is_adding: bool,
    /// The button of the scene's panels that is pressed with it, by its number; 0 for none. Pressed once, never held.
    pub button: u16,
}

/// What of an input is held until the next one: all but its button. This is what bodies and scenes remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Held {
    /// Which player.
    pub player: u8,
    /// As [`Input::east`].
    pub east: i8,
    /// As [`Input::north`].
    pub north: i8,
    /// As [`Input::yaw`].
    pub yaw: i16,
    /// As [`Input::pitch`].
    pub pitch: i16,
    /// How to hold oneself.
    pub stance: Stance,
    /// What to do.
    pub actions: Actions,
    /// As [`Input::key`].
    pub key: u8,
    /// As [`Input::spot`].
    pub spot: [i16; 2],
    /// As [`Input::is_adding`].
    pub is_adding: bool,
}

impl Held {
    /// As an input without a button.
    pub fn input(self) -> Input {
        let Held { player, east, north, yaw, pitch, stance, actions, key, spot, is_adding } = self;
        Input { player, east, north, yaw, pitch, stance, actions, key, spot, is_adding, button: 0 }
    }
}

/// A step of [`Input::spot`], m: spots reach over 1.6 km either way.
pub const SPOT_M: f32 = 0.05;

/// An input and when it begins to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct InputAt {
    /// From which tick on.
    pub tick: Tick,
    /// What.
    pub input: Input,
}

impl Input {
    /// Quantizes a stick (ground x and y, length up to 1), where to look in radians, and what to do. What is not finite
    /// counts as 0.
    pub fn quantized(player: u8, stick: Vec2, yaw: f32, pitch: f32, stance: Stance, actions: Actions) -> Input {
        let stick = if stick.is_finite() { plane::truncated(stick, 1.0) } else { Vec2::ZERO };
        let axis = |value: f32| (value * 127.0).round() as i8;
        let pitch = math::clamp(math::wrap_angle(pitch), -math::FRAC_PI_2, math::FRAC_PI_2);
        let (east, north) = (axis(stick.x), axis(stick.y));
        let (yaw, pitch) = (turn(yaw), turn(pitch));
        Input { player, east, north, yaw, pitch, stance, actions, key: 0, spot: [0; 2], is_adding: false, button: 0 }
    }

    /// What of it is held.
    pub fn held(self) -> Held {
        let Input { player, east, north, yaw, pitch, stance, actions, key, spot, is_adding, button: _ } = self;
        Held { player, east, north, yaw, pitch, stance, actions, key, spot, is_adding }
    }

    /// The same with a button of the scene's panels pressed.
    pub fn with_button(self, button: u16) -> Input {
        Input { button, ..self }
    }

    /// At rest, looking along a direction, rad.
    pub fn looking(yaw: f32) -> Input {
        Input::quantized(0, Vec2::ZERO, yaw, 0.0, Stance::Stand, Actions::default())
    }

    /// The same with a letter key down; what is no letter is no key.
    pub fn with_key(self, key: char) -> Input {
        let key = if key.is_ascii_alphabetic() { key.to_ascii_uppercase() as u8 } else { 0 };
        Input { key, ..self }
    }

    /// The same pointing at a place on the ground, m. Held within reach; what is no number counts as 0.
    pub fn with_spot(self, place: Vec2) -> Input {
        // `as` saturates, and makes 0 of what is no number.
        let spot = [place.x, place.y].map(|value| (value / SPOT_M).round() as i16);
        Input { spot, ..self }
    }

    /// What is pointed at, m.
    pub fn spot_m(self) -> Vec2 {
        Vec2::new(f32::from(self.spot[0]), f32::from(self.spot[1])) * SPOT_M
    }

    /// What a brain wants of a body that can go `speed_max`, m/s.
    pub fn of_motion(motion: &Motion, speed_max: f32) -> Input {
        let stick = plane::ground(motion.velocity) / math::max(speed_max, 1e-3);
        Input::quantized(0, stick, motion.yaw, motion.pitch, motion.stance, motion.actions)
    }

    /// The stick in ground coordinates, length up to 1.
    pub fn stick(self) -> Vec2 {
        let axis = |value: i8| f32::from(value.max(-127)) / 127.0;
        plane::truncated(Vec2::new(axis(self.east), axis(self.north)), 1.0)
    }

    /// Where to look, rad.
    pub fn yaw_rad(self) -> f32 {
        f32::from(self.yaw) / 65_536.0 * math::TAU
    }

    /// How high to look, rad.
    pub fn pitch_rad(self) -> f32 {
        f32::from(self.pitch) / 65_536.0 * math::TAU
    }
}

/// An angle in 65 536ths of a turn. A half turn either way is the same direction; `as` would saturate at +π.
fn turn(angle: f32) -> i16 {
    (math::wrap_angle(angle) / math::TAU * 65_536.0).round() as i32 as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quantizing_twice_is_quantizing_once(x in -2.0f32..2.0, y in -2.0f32..2.0, yaw in -9.0f32..9.0) {
            let once = Input::quantized(1, Vec2::new(x, y), yaw, yaw, Stance::Crouch, Actions::FIRE);
            let twice = Input::quantized(1, once.stick(), once.yaw_rad(), once.pitch_rad(), Stance::Crouch, Actions::FIRE);
            prop_assert!((i32::from(once.east) - i32::from(twice.east)).abs() <= 1);
            prop_assert_eq!((once.yaw, once.pitch), (twice.yaw, twice.pitch));
            prop_assert!(once.stick().length() <= 1.000_001);
            prop_assert!(math::angle_between(once.yaw_rad(), yaw).abs() < 1e-3);
        }
    }

    #[test]
    fn what_is_not_finite_is_at_rest() {
        let input =
            Input::quantized(0, Vec2::new(f32::NAN, 1.0), f32::INFINITY, f32::NAN, Stance::Stand, Actions::default());
        assert_eq!(input, Input::default());
        assert_eq!(Input { east: i8::MIN, ..Input::default() }.stick(), Vec2::NEG_X);
        assert_eq!(input.with_spot(Vec2::new(f32::NAN, f32::INFINITY)).spot, [0, i16::MAX]);
    }

    #[test]
    fn a_button_is_pressed_and_all_else_is_held() {
        let input = Input::quantized(3, Vec2::new(0.2, -0.7), 1.0, -0.3, Stance::Crouch, Actions::USE);
        let input = Input { is_adding: true, ..input.with_key('q').with_spot(Vec2::new(4.0, 5.0)) };
        assert_eq!(input.held().input(), input);
        assert_eq!(input.with_button(7).button, 7);
        assert_eq!(input.with_button(7).held(), input.held());
    }

    #[test]
    fn keys_are_upper_case_letters_and_spots_are_in_steps() {
        let input = Input::default().with_key('z').with_spot(Vec2::new(1.26, -3.02));
        assert_eq!((input.key, input.spot), (b'Z', [25, -60]));
        assert!(input.spot_m().distance(Vec2::new(1.25, -3.0)) < 1e-5);
        assert_eq!(input.with_spot(input.spot_m()), input);
        assert_eq!(input.with_key('\u{e9}').with_key('1').key, 0);
    }
}
