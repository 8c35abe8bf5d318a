//! Grants: answers that were just given and are not claimed yet, so that two who ask in one tick do not get one place.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::tick::Tick;

use super::{Asker, SUBJECTS_MAX};
use crate::claim::ClaimKind;

/// An answer that was just given.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Grant {
    /// To whom.
    pub(super) who: AgentId,
    /// What the place is for.
    pub(super) kind: ClaimKind,
    /// Which place, m.
    pub(super) place: Vec3,
    /// When it no longer stands.
    pub(super) until: Tick,
}

/// The grants that stand, oldest first.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Grants {
    list: Vec<Grant>,
}

impl Grants {
    /// Drops what no longer stands, and what was given to who is gone.
    pub(super) fn retain(&mut self, now: Tick, is_there: impl Fn(AgentId) -> bool) {
        self.list.retain(|grant| grant.until > now && is_there(grant.who));
    }

    /// Adds one; of too many, the newest are dropped.
    pub(super) fn add(&mut self, grant: Grant) {
        if self.list.len() < SUBJECTS_MAX {
            self.list.reserve(SUBJECTS_MAX - self.list.len());
            self.list.push(grant);
        }
    }

    /// Where others than the asker are at or have gone for the same purpose, m: their claims, then grants.
    pub(super) fn claimed<'a>(&'a self, asker: Asker<'a>, kind: ClaimKind) -> impl Iterator<Item = Vec3> + 'a {
        let Asker { members, me } = asker;
        let others = members.iter().filter(move |it| it.agent != me.agent);
        let grants = self.list.iter().filter(move |it| it.who != me.agent && it.kind == kind);
        others.filter_map(move |it| it.claims.of(kind)).chain(grants.map(|it| it.place))
    }
}
