//! Light, and eyes that get used to it: what is much darker or much brighter than what the eye is used to is not seen.
//!
//! The light on a place is that of the surroundings and, for each lamp, its strength over the square of the distance; walls
//! throw no shadows. An eye is used to a level, kept as a logarithm, and goes toward the mean of what it looks at: fast to the
//! bright, slowly to the dark. O(pixels · lamps); nothing allocates.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;

use crate::thing::Class;
use crate::viewport::Viewport;

/// The least light that counts: below, it is this.
const LIGHT_MIN: f32 = 1e-6;

/// A lamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Where, m.
    pub position: Vec3,
    /// Light at a distance of one meter; a sunny day is about 10 000, a lit room 300, a full moon 0.1.
    pub strength: f32,
}

/// The light of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light<'a> {
    /// Light that is everywhere.
    pub ambient: f32,
    /// Lamps.
    pub lamps: &'a [Lamp],
}

impl Light<'_> {
    /// How much light falls on a place; never less than a millionth. Lamps closer than 10 cm count as 10 cm away.
    pub fn at(&self, place: Vec3) -> f32 {
        let lamps = self.lamps.iter().map(|lamp| {
            let square = place.distance_squared(lamp.position);
            lamp.strength / math::max(square, 0.01)
        });
        let sum = lamps.fold(self.ambient, |sum, one| sum + one);
        // No number counts as dark.
        if sum > LIGHT_MIN { sum } else { LIGHT_MIN }
    }
}

/// How an eye gets used to light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptationConfig {
    /// Time to get two thirds of the way to the bright, s.
    pub bright_s: f32,
    /// Time to get two thirds of the way to the dark, s.
    pub dark_s: f32,
    /// What is this many times darker than what the eye is used to is not seen. Limit: >= 1.
    pub darker_max: f32,
    /// What is this many times brighter dazzles: not seen either. Limit: >= 1.
    pub brighter_max: f32,
    /// Less light than this is darkness for the best used eye.
    pub light_min: f32,
}

impl Default for AdaptationConfig {
    fn default() -> Self {
        AdaptationConfig { bright_s: 0.7, dark_s: 12.0, darker_max: 100.0, brighter_max: 1000.0, light_min: 1e-3 }
    }
}

/// What light an eye is used to.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Adaptation {
    /// Its logarithm.
    level: f32,
}

impl Default for Adaptation {
    /// A lit room.
    fn default() -> Self {
        Adaptation::to(300.0)
    }
}

impl Adaptation {
    /// An eye that is used to so much light.
    pub fn to(light: f32) -> Adaptation {
        Adaptation { level: math::ln(if light > LIGHT_MIN { light } else { LIGHT_MIN }) }
    }

    /// The light it is used to.
    pub fn light(&self) -> f32 {
        math::exp(self.level)
    }

    /// Goes on by a time, s, in which the eye looked at this, as it truly is (before [`apply`](Self::apply)). Where nothing is
    /// there is the light of the surroundings.
    pub fn step(&mut self, config: &AdaptationConfig, view: &Viewport, light: &Light<'_>, step_s: f32) {
        let lens = *view.lens();
        let mut sum = 0.0;
        // Every fourth pixel of every fourth row: a mean needs no more.
        let (mut count, beyond) = (0u32, math::ln(light.at(Vec3::splat(1e9))));
        for row in (0..lens.height).step_by(4) {
            for column in (0..lens.width).step_by(4) {
                sum += view.unproject(column, row).map_or(beyond, |place| math::ln(light.at(place)));
                count += 1;
            }
        }
        let mean = sum / count as f32;
        let step_s = if step_s > 0.0 { step_s } else { 0.0 };
        let constant_s = if mean > self.level { config.bright_s } else { config.dark_s };
        let left = if constant_s > 0.0 { math::exp(-step_s / constant_s) } else { 0.0 };
        self.level = mean + (self.level - mean) * left;
    }

    /// Blanks what this eye cannot see in this light. What shines by itself (`glowing` classes) is seen in any darkness.
    pub fn apply(&self, config: &AdaptationConfig, view: &mut Viewport, light: &Light<'_>, glowing: &[Class]) {
        let used = self.light();
        let low = math::max(used / math::max(config.darker_max, 1.0), config.light_min);
        let high = used * math::max(config.brighter_max, 1.0);
        let lens = *view.lens();
        for row in 0..lens.height {
            for column in 0..lens.width {
                let place = (row * lens.width + column) as usize;
                if glowing.contains(&view.classes[place]) {
                    continue;
                }
                let here = view.unproject(column, row).map(|place| light.at(place));
                if here.is_some_and(|here| here < low || here > high) {
                    view.blank(place);
                }
            }
        }
    }
}
