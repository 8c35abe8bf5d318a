//! Noise of the eye: distances are a little wrong, and some pixels show nothing.
//!
//! O(pixels); nothing allocates. The same stream and viewport give the same bits. A noise of zero changes no bit.

use sentir_core::math;
use sentir_core::random::Stream;

use crate::thing::Class;
use crate::viewport::Viewport;

/// How bad an eye is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// By how much of itself a distance is off at the most; all amounts are as likely. Limit: 0..=1; beyond counts as the
    /// nearer end.
    pub distance_share: f32,
    /// Share of the pixels that show nothing. Limit: 0..=1.
    pub missed_share: f32,
}

impl Noise {
    /// Makes a viewport as noisy as this eye. Each pixel takes two draws, whatever it shows, so that what is seen in one
    /// pixel changes no other.
    pub fn apply(&self, view: &mut Viewport, random: &mut Stream) {
        let (most, missed) = (math::saturate(self.distance_share), math::saturate(self.missed_share));
        let (near, far) = (view.lens().near_m, view.lens().far_m);
        let span = far - near;
        for place in 0..view.classes.len() {
            let (is_missed, off) = (random.unit() < missed, random.between(-1.0, 1.0));
            if view.classes[place] == Class::NOTHING {
                continue;
            }
            if is_missed {
                view.blank(place);
            } else if most > 0.0 {
                let distance = (span * view.depths[place] + near) * (1.0 + most * off);
                view.depths[place] = math::saturate((distance - near) / span);
            }
        }
    }
}
