//! Time as a count of ticks. Seconds exist only where people read or write them.

use std::ops::{Add, Sub};

use sentir_derive::State;

/// A moment: ticks since the world began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct Tick(pub u64);

impl Tick {
    /// Ticks from `earlier` to this one; 0 if `earlier` is later.
    pub fn since(self, earlier: Tick) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Tick {
    type Output = Tick;
    fn add(self, ticks: u64) -> Tick {
        Tick(self.0.saturating_add(ticks))
    }
}

impl Sub<u64> for Tick {
    type Output = Tick;
    fn sub(self, ticks: u64) -> Tick {
        Tick(self.0.saturating_sub(ticks))
    }
}

impl std::fmt::Display for Tick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Ticks per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
#[state(check)]
pub struct TickRate {
    /// Limit: 1..=1000.
    hz: u16,
}

impl TickRate {
    /// The fastest rate there is, in Hz.
    pub const HZ_MAX: u16 = 1000;

    /// A rate, held within 1..=1000 Hz.
    pub const fn new(hz: u16) -> Self {
        TickRate {
            hz: match hz {
                0 => 1,
                1..=Self::HZ_MAX => hz,
                _ => Self::HZ_MAX,
            },
        }
    }

    /// Ticks per second.
    pub fn hz(self) -> u16 {
        self.hz
    }

    /// Length of a tick, s.
    pub fn tick_s(self) -> f32 {
        1.0 / f32::from(self.hz)
    }

    /// Seconds as ticks, rounded to the nearest, at least 1 for anything positive; 0 for zero, negative or NaN.
    pub fn ticks(self, seconds: f32) -> u64 {
        // Negative, zero and NaN fail this comparison.
        if seconds > 0.0 {
            // `as` saturates, so an infinite time becomes the longest there is.
            ((f64::from(seconds) * f64::from(self.hz)).round() as u64).max(1)
        } else {
            0
        }
    }

    /// Ticks as seconds.
    pub fn seconds(self, ticks: u64) -> f32 {
        (ticks as f64 / f64::from(self.hz)) as f32
    }

    fn check(&self) -> Result<(), &'static str> {
        if (1..=Self::HZ_MAX).contains(&self.hz) { Ok(()) } else { Err("a tick rate is outside 1..=1000 Hz") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_the_nearest_tick_count() {
        let rate = TickRate::new(60);
        assert_eq!([0.0, -1.0, f32::NAN, 0.001, 0.5, 1.0, 0.99].map(|s| rate.ticks(s)), [0, 0, 0, 1, 30, 60, 59]);
        assert_eq!(rate.ticks(f32::INFINITY), u64::MAX);
        assert_eq!(rate.seconds(90), 1.5);
    }

    #[test]
    fn rates_stay_within_their_limits() {
        assert_eq!([0, 1, 60, 1000, 5000].map(|hz| TickRate::new(hz).hz()), [1, 1, 60, 1000, 1000]);
        assert!(crate::state::from_bytes::<TickRate>(&[0, 0]).is_err());
    }

    #[test]
    fn ticks_saturate_instead_of_wrapping() {
        assert_eq!(Tick(3) - 5, Tick(0));
        assert_eq!(Tick(u64::MAX) + 5, Tick(u64::MAX));
        assert_eq!(Tick(3).since(Tick(9)), 0);
    }
}
