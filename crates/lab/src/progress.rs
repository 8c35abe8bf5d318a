//! A progress bar with speed, on a terminal; silence in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Instant;

/// Shows how far a match is and how fast it goes.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    rate_hz: f64,
}

impl Progress {
    /// A bar over `ticks` ticks of a match at `rate_hz`. Hidden when nobody looks.
    pub(crate) fn new(ticks: u64, rate_hz: u16, is_wanted: bool) -> Progress {
        let is_shown = is_wanted && std::io::stderr().is_terminal();
        let target = if is_shown { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(ticks), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40.cyan} tick {pos} of at most {len}  {msg}") {
            bar.set_style(style);
        }
        Progress { bar, started: Instant::now(), rate_hz: f64::from(rate_hz) }
    }

    /// So many ticks are played.
    pub(crate) fn at(&self, ticks: u64) {
        // Once in a while is enough, and keeps the bar out of the way of the speed it shows.
        if ticks.is_multiple_of(256) && !self.bar.is_hidden() {
            self.bar.set_position(ticks);
            self.bar.set_message(format!("{:.0} × real time", self.speed(ticks)));
        }
    }

    /// How many times faster than real time it went.
    pub(crate) fn speed(&self, ticks: u64) -> f64 {
        ticks as f64 / self.rate_hz / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
