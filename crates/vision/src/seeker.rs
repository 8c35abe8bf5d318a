//! Two minds that aim by what they see: a missile that flies at what is hot, a gun that leads its shots.
//!
//! Both take the middle of all pixels of a class. The missile turns with the line of sight, a few times as fast
//! (proportional navigation), so that it meets a crosser instead of trailing it. The gun takes two fixes for a velocity and
//! solves for where a shot and its target meet. O(pixels) a look; nothing is allocated.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::tick::{Tick, TickRate};

use crate::thing::Class;
use crate::viewport::Viewport;

/// Where something is, as far as its pixels tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fix {
    /// Its middle, m.
    pub place: Vec3,
    /// How many pixels show it.
    pub pixels: u32,
}

/// The middle of all pixels of a class; none if it is not seen.
pub fn fix(view: &Viewport, class: Class) -> Option<Fix> {
    let (mut sum, mut pixels) = (Vec3::ZERO, 0u32);
    for row in 0..view.lens().height {
        for column in 0..view.lens().width {
            if view.class(column, row) == class {
                let point = view.unproject(column, row)?;
                // About the eye, so that large coordinates cost no precision.
                sum += point - view.eye().position;
                pixels += 1;
            }
        }
    }
    (pixels > 0).then(|| Fix { place: view.eye().position + sum / pixels as f32, pixels })
}

/// What an aiming mind remembers of the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Seeker {
    /// Where the target was, m, and from where it was seen.
    last: Vec3,
    from: Vec3,
    at: Tick,
    /// Looks since it was seen; at the most when it never was.
    lost: u32,
    is_known: bool,
}

impl Seeker {
    /// Takes a look in: from where, and where the target is, by [`fix`], if it is seen.
    pub fn see(&mut self, from: Vec3, target: Option<Vec3>, now: Tick) -> Option<Sight> {
        let Some(place) = target else {
            self.lost = self.lost.saturating_add(1);
            self.is_known &= self.lost < 3;
            return None;
        };
        let before = self.is_known.then_some((self.last, self.from, self.at));
        *self = Seeker { last: place, from, at: now, lost: 0, is_known: true };
        Some(Sight { place, from, before, now })
    }

    /// Looks since the target was seen.
    pub fn lost_looks(&self) -> u32 {
        self.lost
    }
}

/// A target in sight, and how it was the look before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Where it is, m.
    pub place: Vec3,
    from: Vec3,
    before: Option<(Vec3, Vec3, Tick)>,
    now: Tick,
}

impl Sight {
    /// Which way a missile flies that flies along `heading` now: it turns `gain` times as far as the line of sight did, and
    /// straight at what it sees first.
    pub fn pursue(&self, heading: Vec3, gain: f32) -> Vec3 {
        let line = (self.place - self.from).normalize_or_zero();
        let Some((place, from, _)) = self.before else { return line };
        let old = (place - from).normalize_or_zero();
        let turned = (heading + (line - old) * gain).normalize_or_zero();
        // Never so far aside that it loses it.
        if turned.dot(line) > 0.75 { turned } else { line }
    }

    /// How it moves, by two looks, m/s; none for the first.
    pub fn velocity(&self, rate: TickRate) -> Option<Vec3> {
        let (place, _, at) = self.before?;
        let time_s = rate.seconds(self.now.since(at));
        (time_s > 0.0 && time_s < 1.0).then(|| (self.place - place) / time_s)
    }

    /// Where to shoot for a shot of this speed to meet it, m: by a few rounds of 'where will it be by then'.
    pub fn lead(&self, rate: TickRate, shot_m_per_s: f32) -> Vec3 {
        let velocity = self.velocity(rate).unwrap_or(Vec3::ZERO);
        let mut place = self.place;
        for _ in 0..4 {
            let time_s = place.distance(self.from) / math::max(shot_m_per_s, 1e-3);
            place = self.place + velocity * math::min(time_s, 5.0);
        }
        place
    }
}
