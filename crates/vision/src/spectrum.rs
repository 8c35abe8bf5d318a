//! Other visions: the same look through other eyes. Each makes less of a viewport, never more, so that nothing is seen that the
//! rendering did not show. O(pixels · classes); nothing allocates.

use crate::thing::Class;
use crate::viewport::Viewport;

/// What an eye is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Spectrum<'a> {
    /// Everything, as it is.
    #[default]
    Plain,
    /// Warmth: only classes at least that warm are told from the rest; the rest is a cold background with a depth, a wall.
    /// Does not need light.
    Infrared {
        /// How warm classes are; others are at 0.
        warmths: &'a [(Class, f32)],
        /// The least warmth that shows.
        warmth_min: f32,
    },
    /// As frogs see: only what moves, at this share of the fastest speed or more; all else is nothing.
    Moving {
        /// The least speed that shows, 0..=1.
        speed_min: f32,
    },
    /// Echoes: how far things are, up to a distance, and never what they are: all is a wall. Motion is not told.
    Echo {
        /// How far echoes come back from, m along the view.
        range_m: f32,
    },
}

impl Spectrum<'_> {
    /// Makes a viewport as such an eye has it.
    pub fn apply(&self, view: &mut Viewport) {
        let (near, far) = (view.lens().near_m, view.lens().far_m);
        for place in 0..view.classes.len() {
            let class = view.classes[place];
            if class == Class::NOTHING {
                continue;
            }
            match *self {
                Spectrum::Plain => {}
                Spectrum::Infrared { warmths, warmth_min } => {
                    let warmth = warmths.iter().find(|(one, _)| *one == class).map_or(0.0, |&(_, warmth)| warmth);
                    // A warmth that is no number is cold.
                    let is_warm = warmth >= warmth_min;
                    if !is_warm {
                        view.classes[place] = Class::WALL;
                        view.motions[place] = crate::color::Motion::STILL;
                    }
                }
                Spectrum::Moving { speed_min } => {
                    let motion = view.motions[place];
                    if motion.speed < speed_min || motion.speed == 0.0 {
                        view.blank(place);
                    }
                }
                Spectrum::Echo { range_m } => {
                    if (far - near) * view.depths[place] + near > range_m {
                        view.blank(place);
                    } else {
                        view.classes[place] = Class::WALL;
                        view.motions[place] = crate::color::Motion::STILL;
                    }
                }
            }
        }
    }
}
