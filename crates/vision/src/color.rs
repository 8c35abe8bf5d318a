//! False colors: a color for each class, no two alike, and the color of motion.

use sentir_core::glam::Vec3;
use sentir_core::math;
use thiserror::Error;

use crate::thing::Class;

/// Red, green, blue, each 0..=1.
pub type Color = [f32; 3];

/// Which color stands for which class; no color stands for two.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    colors: Vec<(Class, Color)>,
}

/// Why a palette is refused.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum PaletteError {
    /// Two classes of one color: who sees it cannot tell them apart.
    #[error("classes {} and {} have one color: expected every color once", .0.0, .1.0)]
    Alike(Class, Class),
    /// One class with two colors.
    #[error("class {} has two colors: expected one", .0.0)]
    Twice(Class),
    /// A color outside of what can be shown.
    #[error("class {} has a color outside of 0 to 1", .0.0)]
    Outside(Class),
}

/// Class of health to pick up in the palette of the source.
pub const HEALTH: Class = Class(4);
/// Class of ammunition to pick up in the palette of the source.
pub const AMMO: Class = Class(5);
/// Class of an enemy in the palette of the source.
pub const ENEMY: Class = Class(6);

impl Palette {
    /// A palette, checked: colors are compared as they come out of a picture with 8 bits a channel.
    pub fn build(colors: &[(Class, Color)]) -> Result<Palette, PaletteError> {
        for (index, &(class, color)) in colors.iter().enumerate() {
            if !color.iter().all(|part| (0.0..=1.0).contains(part)) {
                return Err(PaletteError::Outside(class));
            }
            for &(other, earlier) in &colors[..index] {
                if other == class {
                    return Err(PaletteError::Twice(class));
                }
                if bytes(earlier) == bytes(color) {
                    return Err(PaletteError::Alike(other, class));
                }
            }
        }
        Ok(Palette { colors: colors.to_vec() })
    }

    /// The colors of the source: health yellow, ammunition cyan, enemies magenta, walls blue, floors green, ceilings red.
    pub fn source() -> Palette {
        Palette {
            colors: vec![
                (Class::NOTHING, [0.0, 0.0, 0.0]),
                (Class::WALL, [0.0, 0.0, 1.0]),
                (Class::FLOOR, [0.0, 1.0, 0.0]),
                (Class::CEILING, [1.0, 0.0, 0.0]),
                (HEALTH, [1.0, 1.0, 0.0]),
                (AMMO, [0.0, 1.0, 1.0]),
                (ENEMY, [1.0, 0.0, 1.0]),
            ],
        }
    }

    /// The color of a class; none if the palette has none.
    pub fn color(&self, class: Class) -> Option<Color> {
        self.colors.iter().find(|(one, _)| *one == class).map(|(_, color)| *color)
    }

    /// The class of a color of a picture.
    pub fn class(&self, color: [u8; 3]) -> Option<Class> {
        self.colors.iter().find(|(_, one)| bytes(*one) == color).map(|(class, _)| *class)
    }

    /// The classes with their colors.
    pub fn colors(&self) -> &[(Class, Color)] {
        &self.colors
    }
}

/// A color as the bytes of a picture.
pub fn bytes(color: Color) -> [u8; 3] {
    color.map(|part| (math::saturate(part) * 255.0 + 0.5) as u8)
}

/// How motion is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionMode {
    /// Against the direction in which the eye looks, as the source has it: the same for all of an object. Who crosses far
    /// off the middle may seem to approach.
    #[default]
    View,
    /// Against the line from the eye to the very pixel: how fast it truly closes in.
    Line,
}

/// How what a pixel shows moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Speed as a share of the fastest, 0..=1.
    pub speed: f32,
    /// How far it moves away along the view: 0 toward the eye, 0.5 across or not at all, 1 away.
    pub away: f32,
    /// How far it moves across: 1 across or not at all, 0 straight along.
    pub across: f32,
}

impl Motion {
    /// What does not move.
    pub const STILL: Motion = Motion { speed: 0.0, away: 0.5, across: 1.0 };

    /// The motion of something seen along `line`, which need not be of unit length.
    pub fn of(velocity: Vec3, line: Vec3, speed_max_m_per_s: f32) -> Motion {
        let speed = velocity.length();
        let scale = speed * line.length();
        if !(speed > 0.0 && scale > 0.0 && scale.is_finite() && speed_max_m_per_s > 0.0) {
            return Motion::STILL;
        }
        let cosine = math::clamp(velocity.dot(line) / scale, -1.0, 1.0);
        Motion {
            speed: math::min(speed / speed_max_m_per_s, 1.0),
            away: cosine / 2.0 + 0.5,
            across: (1.0 - cosine * cosine).sqrt(),
        }
    }

    /// As the color of the source: red for speed, green for away, blue for across.
    pub fn color(self) -> Color {
        [self.speed, self.away, self.across]
    }
}
