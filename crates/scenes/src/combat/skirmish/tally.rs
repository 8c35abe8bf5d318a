//! What `skirmish` measures, side by side.

use sentir::State;
use sentir::core::event::EventTag;
use sentir::core::id::TeamId;

use super::RED;
use sentir_harness::metric::Metric;
use sentir_sim::event::Totals;
use sentir_sim::round::Score;

/// The figures of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Side {
    /// Everything that is an event.
    pub(super) totals: Totals,
    /// Rounds out of guns.
    pub(super) shots: u32,
    /// Those that hurt a foe.
    pub(super) hits: u32,
    /// Grenades thrown.
    pub(super) grenades: u32,
    /// Foes killed by a blast.
    pub(super) blast_kills: u32,
    /// Foes killed by a blade.
    pub(super) melee_kills: u32,
    /// Rounds that the supply area gave.
    pub(super) supplied: u32,
}

/// The place of a side.
pub(super) fn place(team: TeamId) -> usize {
    usize::from(team != RED)
}

/// Names of the figures, by side.
const NAMES: [[&str; 15]; 2] = [
    [
        "red_rounds_won",
        "red_kills",
        "red_deaths",
        "red_shots",
        "red_hits",
        "red_accuracy",
        "red_grenades",
        "red_blast_kills",
        "red_melee_kills",
        "red_items",
        "red_supplied_rounds",
        "red_damage",
        "red_doors_opened",
        "red_walls_broken",
        "red_reloads",
    ],
    [
        "blue_rounds_won",
        "blue_kills",
        "blue_deaths",
        "blue_shots",
        "blue_hits",
        "blue_accuracy",
        "blue_grenades",
        "blue_blast_kills",
        "blue_melee_kills",
        "blue_items",
        "blue_supplied_rounds",
        "blue_damage",
        "blue_doors_opened",
        "blue_walls_broken",
        "blue_reloads",
    ],
];

/// All figures; the accuracy of who has not shot is NaN.
pub(super) fn metrics(sides: &[Side; 2], score: &Score, seconds: f32) -> Vec<Metric> {
    let mut metrics = vec![Metric::new("match_s", seconds)];
    for ((side, names), team) in sides.iter().zip(NAMES).zip(&score.teams) {
        let count = |tag: EventTag| side.totals.count(tag) as f32;
        let values = [
            team.rounds as f32,
            count(EventTag::Killed),
            count(EventTag::Died),
            side.shots as f32,
            side.hits as f32,
            side.hits as f32 / side.shots as f32,
            side.grenades as f32,
            side.blast_kills as f32,
            side.melee_kills as f32,
            count(EventTag::TookItem),
            side.supplied as f32,
            side.totals.sum(EventTag::Hit) as f32,
            count(EventTag::DoorOpened),
            count(EventTag::PieceBroken),
            count(EventTag::Reloaded),
        ];
        metrics.extend(names.into_iter().zip(values).map(|(name, value)| Metric::new(name, value)));
    }
    metrics
}
