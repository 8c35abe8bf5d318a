//! What the player's skin, ears and eyes have lately told, for the screen.

use sentir::prelude::*;
use sentir_harness::hud::{Fallen, SIGNS_MAX, Sign, push};

use super::HORDE;

/// Dead that are shown at most.
const FALLEN_MAX: usize = 40;

/// What was felt.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Felt {
    pub(super) hurts: [Option<Sign>; SIGNS_MAX],
    pub(super) noises: [Option<Sign>; SIGNS_MAX],
    pub(super) fired: Option<Tick>,
    pub(super) hit: Option<Tick>,
    pub(super) kill: Option<Tick>,
    fallen: Vec<Fallen>,
}

impl Felt {
    /// A hurt and where it came from.
    pub(super) fn hurt(&mut self, from: Vec3, amount: f32, at: Tick) {
        push(&mut self.hurts, Sign { from, amount, at });
    }

    /// What was heard.
    pub(super) fn hear(&mut self, heard: &Heard) {
        let sign = Sign { from: heard.position, amount: heard.loudness, at: heard.at };
        // A noise stays with the beliefs until the next thought.
        if !self.noises.contains(&Some(sign)) {
            push(&mut self.noises, sign);
        }
    }

    /// A zombie lies dead; of many the oldest is gone.
    pub(super) fn fall(&mut self, key: HostKey, kind: u16, pose: Pose, at: Tick) {
        if self.fallen.capacity() < FALLEN_MAX {
            self.fallen.reserve_exact(FALLEN_MAX);
        }
        if self.fallen.len() >= FALLEN_MAX {
            self.fallen.remove(0);
        }
        self.fallen.push(Fallen { key, team: HORDE, kind, pose, at });
    }

    /// Who lies dead.
    pub(super) fn fallen(&self) -> &[Fallen] {
        &self.fallen
    }
}
