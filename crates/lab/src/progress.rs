//! A progress bar with speed, on a terminal; silence in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Shows how far a match is and how fast it goes.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    rate_hz: f64,
}

/// A bar of that length and look. Hidden when nobody looks.
fn bar(length: u64, template: &str, is_wanted: bool) -> ProgressBar {
    let is_shown = is_wanted && std::io::stderr().is_terminal();
    let target = if is_shown { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl Progress {
    /// A bar over `ticks` ticks of a match at `rate_hz`. Hidden when nobody looks.
    pub(crate) fn new(ticks: u64, rate_hz: u16, is_wanted: bool) -> Progress {
        let bar = bar(ticks, "{bar:40.cyan} tick {pos} of at most {len}  {msg}", is_wanted);
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

/// Shows how many matches are played and how fast they go. For all threads at once.
pub(crate) struct MatchProgress {
    bar: ProgressBar,
    started: Instant,
    /// How many are played: the bar counts nothing while it is hidden.
    played: AtomicU64,
}

impl MatchProgress {
    /// A bar over `matches` matches. Hidden when nobody looks.
    pub(crate) fn new(matches: u64, is_wanted: bool) -> MatchProgress {
        let bar = bar(matches, "{bar:40.cyan} match {pos} of {len}  {msg}, {eta} left", is_wanted);
        MatchProgress { bar, started: Instant::now(), played: AtomicU64::new(0) }
    }

    /// One more match is played.
    pub(crate) fn one_more(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("{:.1} matches/s", self.matches_per_s()));
            self.bar.set_position(played);
        }
    }

    /// How many matches a second it was so far.
    pub(crate) fn matches_per_s(&self) -> f64 {
        self.played.load(Ordering::Relaxed) as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
