//! What was worth a mark on the time bar: the events of a run that a person would want to go back to, kept as it is played.
//!
//! At most [`NOTES_MAX`] are kept. When there are more, those of the least weight go first, then every other one.

use sentir::core::tick::Tick;
use sentir::prelude::{AgentId, EventKind, HostKey};
use sentir_harness::game_match::Match;

/// Notes that a run keeps.
pub const NOTES_MAX: usize = 400;

/// One thing that happened, worth finding again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// In which tick.
    pub tick: Tick,
    /// To whom; none if to nobody.
    pub key: Option<HostKey>,
    /// What.
    pub kind: EventKind,
    /// From 1, small, to 3, what matches are about.
    pub weight: u8,
}

/// The notes of one run, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    all: Vec<Note>,
    /// Below this weight nothing is taken any more.
    weight_min: u8,
}

impl Notes {
    /// All there are.
    pub fn all(&self) -> &[Note] {
        &self.all
    }

    /// Takes what happened in the last tick.
    pub fn take(&mut self, game: &dyn Match) {
        let weighed = game.events().iter().map(|event| (event, weight(event.kind)));
        let mut agents = Vec::new();
        for (event, weight) in weighed.filter(|(_, weight)| *weight > 0 && *weight >= self.weight_min) {
            if agents.is_empty() {
                game.agents(&mut agents);
            }
            let key_of = |agent: Option<AgentId>| agents.iter().find(|it| Some(it.agent) == agent).map(|it| it.key);
            self.all.push(Note { tick: event.tick, key: key_of(event.agent), kind: event.kind, weight });
        }
        while self.all.len() > NOTES_MAX {
            self.thin();
        }
    }

    fn thin(&mut self) {
        let least = self.all.iter().map(|note| note.weight).min().unwrap_or(3);
        if least < 3 {
            self.weight_min = least + 1;
            self.all.retain(|note| note.weight > least);
        } else {
            let mut is_kept = false;
            self.all.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
        }
    }

    /// Forgets what happened in this tick and after it.
    pub fn forget_from(&mut self, tick: Tick) {
        self.all.retain(|note| note.tick < tick);
    }
}

/// How much a person would want to find it again; 0 for not at all.
fn weight(kind: EventKind) -> u8 {
    match kind {
        EventKind::Died | EventKind::RoundEnded { .. } | EventKind::PieceBroken { .. } => 3,
        EventKind::Hurt { .. } | EventKind::Blast { .. } | EventKind::RoundBegan { .. } => 2,
        EventKind::Blunder { .. } | EventKind::Breakpoint { .. } => 2,
        EventKind::Noticed { .. } | EventKind::Failed { .. } | EventKind::Despawned => 2,
        EventKind::DoorOpened { .. } | EventKind::DoorClosed { .. } => 1,
        EventKind::TookItem { .. } | EventKind::Healed { .. } => 1,
        EventKind::Lost { .. } | EventKind::Decided { .. } | EventKind::Arrived { .. } => 1,
        EventKind::Overruled { .. } | EventKind::Said { .. } => 1,
        // Shots and hits come by the hundred; who was hurt is noted.
        EventKind::Fired { .. } | EventKind::Hit { .. } | EventKind::HeadHit { .. } => 0,
        EventKind::Killed | EventKind::KilledFriend | EventKind::Reloaded => 0,
        EventKind::NearMiss { .. } | EventKind::FriendNearMiss { .. } | EventKind::Custom { .. } => 0,
        EventKind::Spawned | EventKind::Teleported | EventKind::Released | EventKind::Forgot | EventKind::BadBody => 0,
    }
}
