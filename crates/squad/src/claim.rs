//! Claims: places that somebody has taken for a purpose, so that two do not go to one.
//!
//! A claim is kept by who made it and by nobody else: a team's claims are those of its living members. So whoever dies, changes
//! its mind or arrives releases it, and there is nothing to clean up.

use sentir_core::State;
use sentir_core::glam::Vec3;
use serde::Deserialize;

/// What a place was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, State)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// To look there.
    Search,
    /// To shoot from there.
    Attack,
    /// To hide there.
    Cover,
    /// To shoot at it.
    Suppress,
}

impl ClaimKind {
    /// All of them, in the order of [`Claims`].
    pub const ALL: [ClaimKind; 4] = [ClaimKind::Search, ClaimKind::Attack, ClaimKind::Cover, ClaimKind::Suppress];
}

/// What one has claimed: at most one place for each purpose, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Claims([Option<Vec3>; 4]);

impl Claims {
    /// The place claimed for a purpose.
    pub fn of(&self, kind: ClaimKind) -> Option<Vec3> {
        self.0[kind as usize]
    }

    /// Takes a place, in place of the one before.
    pub fn take(&mut self, kind: ClaimKind, place: Vec3) {
        self.0[kind as usize] = Some(place);
    }

    /// Gives back what was taken for a purpose.
    pub fn release(&mut self, kind: ClaimKind) {
        self.0[kind as usize] = None;
    }
}
