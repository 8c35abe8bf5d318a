//! What a match measures: the rows of the source's tables, and how the player was surrounded.

use sentir::prelude::*;
use sentir_harness::metric::Metric;

use super::surround::Surround;
use super::{BARKER, DUMMY, End, World};

/// The figures of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Tally {
    /// Health that the player lost, in all and by bites of dummies and barkers; times that was.
    pub(super) damage: f32,
    pub(super) bites: [u32; 3],
    pub(super) first_bite: Option<Tick>,
    pub(super) shots: u32,
    pub(super) hits: u32,
    pub(super) kills: u32,
    pub(super) heals: u32,
    pub(super) refills: u32,
    pub(super) throws: u32,
    pub(super) rounds_won: u32,
    /// Alarms that began, and cries.
    pub(super) alarms: u32,
    pub(super) cries: u32,
    pub(super) ticks: u64,
    /// Ticks with an alarm on.
    pub(super) alarmed: u64,
    pub(super) lost_seats: u32,
}

impl Tally {
    /// The player lost health.
    pub(super) fn suffer(&mut self, kind: u16, lost: f32, tick: Tick) {
        self.damage += lost;
        let place = match kind {
            DUMMY => 0,
            BARKER => 1,
            _ => 2,
        };
        self.bites[place] += 1;
        self.first_bite = self.first_bite.or(Some(tick));
    }

    /// Hits taken in all.
    pub(super) fn bitten(&self) -> u32 {
        self.bites.iter().sum()
    }
}

/// All figures. What never happened is NaN.
pub(super) fn metrics(world: &World, rate: TickRate) -> Vec<Metric> {
    let tally = &world.tally;
    let seconds = |ticks: u64| rate.seconds(ticks);
    let Surround { surrounded, times, escapes, .. } = world.surround;
    let values = [
        ("won", f32::from(u8::from(world.ending == Some(End::Won)))),
        ("damage_taken", tally.damage),
        ("hits_taken", tally.bitten() as f32),
        ("kills", tally.kills as f32),
        ("heals", tally.heals as f32),
        ("bites_of_dummies", tally.bites[0] as f32),
        ("bites_of_barkers", tally.bites[1] as f32),
        ("first_bite_s", tally.first_bite.map_or(f32::NAN, |tick| seconds(tick.0))),
        ("sectors_held", world.surround.mean()),
        ("surrounded_s", seconds(surrounded)),
        ("surrounded_times", times as f32),
        ("escapes", escapes as f32),
        ("escape_share", escapes as f32 / times as f32),
        ("alarms", tally.alarms as f32),
        ("cries", tally.cries as f32),
        ("alarmed_s", seconds(tally.alarmed)),
        ("lost_seats", tally.lost_seats as f32),
        ("shots", tally.shots as f32),
        ("accuracy", tally.hits as f32 / tally.shots as f32),
        ("throws", tally.throws as f32),
        ("refills", tally.refills as f32),
        ("rounds_won", tally.rounds_won as f32),
        ("health_left", world.player.vitals.health),
        ("match_s", seconds(tally.ticks)),
    ];
    values.into_iter().map(|(name, value)| Metric::new(name, value)).collect()
}
