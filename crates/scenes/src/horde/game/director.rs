//! The director: paces who comes in by how hard-pressed the player is. It builds up to a peak, sustains it, lets it fade, and
//! leaves the player alone for a while. Off in batteries.

use sentir::core::math;
use sentir::prelude::*;
use sentir_sim::body::CharacterBody;

use super::rules::DirectorRules;

/// Where the pace is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) enum Stage {
    /// More and more come.
    #[default]
    BuildUp,
    /// It stays hard.
    Sustain,
    /// Nobody comes until it is calm.
    Fade,
    /// A few come.
    Relax,
}

impl Stage {
    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stage::BuildUp => "builds up",
            Stage::Sustain => "sustains",
            Stage::Fade => "fades",
            Stage::Relax => "relaxes",
        }
    }
}

/// What the director remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Director {
    stage: Stage,
    since: Tick,
    /// How hard-pressed the player is, 0..=2.
    intensity: f32,
}

impl Director {
    /// Where the pace is.
    pub(crate) fn stage(&self) -> Stage {
        self.stage
    }

    /// How hard-pressed the player is.
    pub(crate) fn intensity(&self) -> f32 {
        self.intensity
    }

    /// The player lost a share of its health.
    pub(super) fn hurt(&mut self, share: f32, rules: &DirectorRules) {
        self.intensity = math::min(self.intensity + share * rules.per_hurt, 2.0);
    }

    /// A zombie died, perhaps near the player.
    pub(super) fn kill(&mut self, place: Vec3, player: Option<&CharacterBody>, rules: &DirectorRules) {
        if player.is_some_and(|it| it.pose.position.distance(place) < rules.kill_m) {
            self.intensity = math::min(self.intensity + rules.per_kill, 2.0);
        }
    }

    /// One tick.
    pub(super) fn step(&mut self, tick: Tick, rate: TickRate, rules: &DirectorRules) {
        self.intensity = math::max(self.intensity - rules.fade_per_s * rate.tick_s(), 0.0);
        let has_lasted = |seconds: f32| tick.since(self.since) >= rate.ticks(seconds);
        let next = match self.stage {
            Stage::BuildUp if self.intensity >= rules.peak => Stage::Sustain,
            Stage::Sustain if has_lasted(rules.sustain_s) => Stage::Fade,
            Stage::Fade if self.intensity <= rules.calm => Stage::Relax,
            Stage::Relax if has_lasted(rules.relax_s) => Stage::BuildUp,
            stage => stage,
        };
        if next != self.stage {
            (self.stage, self.since) = (next, tick);
        }
    }
}
