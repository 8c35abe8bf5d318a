//! From a host's frames to ticks: an accumulator for hosts that run at a variable rate.

use std::time::Duration;

use sentir_core::State;
use sentir_core::tick::TickRate;

/// Nanoseconds per second.
const NANOS: u64 = 1_000_000_000;

/// Turns frame times into whole ticks, without drift: time is kept in fractions of a nanosecond that divide evenly.
///
/// ```
/// # use std::time::Duration;
/// # use sentir::prelude::*;
/// let mut clock = Clock::new(TickRate::new(60), 5);
/// let mut ticks = 0;
/// for _ in 0..144 {
///     ticks += clock.advance(Duration::from_nanos(1_000_000_000 / 144));
///     let _between_the_last_two_ticks = clock.alpha();
/// }
/// assert_eq!(ticks, 59); // 144 frames of 6.944444 ms are a hair less than a second
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
#[state(check)]
pub struct Clock {
    rate: TickRate,
    /// Most ticks one frame may ask for.
    catch_up_max: u32,
    /// Time not yet turned into ticks, in nanoseconds × Hz. Below one second's worth.
    rest: u64,
    /// Ticks given up because a frame took too long.
    dropped: u64,
}

impl Clock {
    /// A clock for `rate`. A frame that took longer than `catch_up_max` ticks (at least 1) gets that many, and the rest
    /// of its time is dropped: a slow host slows the world down instead of choking on it.
    pub fn new(rate: TickRate, catch_up_max: u32) -> Self {
        Clock { rate, catch_up_max: catch_up_max.max(1), rest: 0, dropped: 0 }
    }

    /// Adds a frame's time; says how many ticks to step now.
    pub fn advance(&mut self, frame: Duration) -> u32 {
        let total = frame.as_nanos().saturating_mul(u128::from(self.rate.hz())).saturating_add(u128::from(self.rest));
        let due = total / u128::from(NANOS);
        self.rest = (total % u128::from(NANOS)) as u64;
        let given = due.min(u128::from(self.catch_up_max)) as u32;
        let lost = u64::try_from(due - u128::from(given)).unwrap_or(u64::MAX);
        self.dropped = self.dropped.saturating_add(lost);
        given
    }

    /// How far the present is past the last tick, as a share of a tick, 0..1: what to interpolate drawn poses by.
    pub fn alpha(&self) -> f32 {
        // Rounded down in f32, so that it stays below 1.
        ((self.rest as f64 / NANOS as f64) * 16_777_216.0).floor() as f32 / 16_777_216.0
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.catch_up_max > 0 && self.rest < NANOS { Ok(()) } else { Err("a clock holds more than a tick") }
    }

    /// Ticks dropped so far because frames took too long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_lost_at_any_frame_rate() {
        for frame in [1, 333, 6_944_444, 16_666_667, 40_000_000] {
            let mut clock = Clock::new(TickRate::new(60), 100);
            let frames = 10_000;
            let ticks: u64 = (0..frames).map(|_| u64::from(clock.advance(Duration::from_nanos(frame)))).sum();
            assert_eq!(ticks, frame * frames * 60 / NANOS);
            assert!((0.0..1.0).contains(&clock.alpha()));
        }
    }

    #[test]
    fn a_long_frame_is_capped_and_counted() {
        let mut clock = Clock::new(TickRate::new(60), 5);
        assert_eq!(clock.advance(Duration::from_secs(1)), 5);
        assert_eq!(clock.dropped(), 55);
        assert_eq!(clock.advance(Duration::MAX), 5);
        assert_eq!(Clock::new(TickRate::new(1), 0).advance(Duration::from_secs(9)), 1);
    }

    #[test]
    fn alpha_says_where_between_two_ticks_the_frame_is() {
        let mut clock = Clock::new(TickRate::new(100), 5);
        assert_eq!(clock.advance(Duration::from_millis(25)), 2);
        assert_eq!(clock.alpha(), 0.5);
    }
}
