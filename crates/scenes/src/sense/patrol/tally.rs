//! What `patrol` measures, counted from events.

use sentir::prelude::*;

use super::mind::{GAVE_UP, INTRUDER, Mode, PatrolMind};
use sentir_harness::metric::Metric;

/// The figures so far.
#[derive(Clone, Debug, PartialEq, State)]
pub(super) struct Tally {
    /// First notice, s; NaN before it.
    noticed_s: f32,
    /// How often a guard began to follow.
    pub(super) follows: u32,
    /// How often a guard gave up a search.
    give_ups: u32,
    /// Time guards spent following or searching, s, summed over guards.
    chase_s: f32,
    /// Waypoints reached.
    waypoints: u32,
    /// Way the guards walked, m, summed over guards.
    walked_m: f32,
    /// Nearest a guard came to the intruder, m; infinite before it is there.
    pub(super) least_distance_m: f32,
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            noticed_s: f32::NAN,
            follows: 0,
            give_ups: 0,
            chase_s: 0.0,
            waypoints: 0,
            walked_m: 0.0,
            least_distance_m: f32::INFINITY,
        }
    }
}

impl Tally {
    /// Adds one tick.
    pub(super) fn count(&mut self, events: &[GameEvent], brains: &Loop<PatrolMind>, rate: TickRate) {
        let is_guard = |agent: AgentId| brains.presence(agent).is_some_and(|it| it.kind != INTRUDER);
        for event in events.iter().filter(|event| event.agent.is_some_and(is_guard)) {
            match event.kind {
                EventKind::Noticed { .. } if self.noticed_s.is_nan() => self.noticed_s = rate.seconds(event.tick.0),
                EventKind::Decided { decision } if decision == Mode::Follow as u16 => {
                    self.follows = self.follows.saturating_add(1);
                }
                EventKind::Custom { code: GAVE_UP, .. } => self.give_ups = self.give_ups.saturating_add(1),
                EventKind::Decided { decision } if decision == Mode::Wait as u16 => {
                    self.waypoints = self.waypoints.saturating_add(1);
                }
                _ => {}
            }
        }
        for (it, _) in brains.motions().filter(|(it, _)| it.kind != INTRUDER) {
            self.walked_m += it.body.velocity.length() * rate.tick_s();
            let mode = brains.brain(it.agent).map(|brain| brain.mode);
            if matches!(mode, Some(Mode::Follow | Mode::Search)) {
                self.chase_s += rate.tick_s();
            }
        }
    }

    pub(super) fn metrics(&self) -> Vec<Metric> {
        let known = |value: f32| if value.is_finite() { value } else { f32::NAN };
        [
            ("noticed_s", known(self.noticed_s)),
            ("follows", self.follows as f32),
            ("give_ups", self.give_ups as f32),
            ("chase_s", self.chase_s),
            ("waypoints", self.waypoints as f32),
            ("walked_m", self.walked_m),
            ("least_distance_m", known(self.least_distance_m)),
        ]
        .map(|(name, value)| Metric::new(name, value))
        .into()
    }
}
