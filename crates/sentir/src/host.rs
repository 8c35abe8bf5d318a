//! What a host tells the loop: who there is, what was heard, who was hurt.

use sentir_core::State;
use sentir_core::body::Body;
use sentir_core::glam::Vec3;
use sentir_core::id::{AgentId, SquadId, TeamId};
use sentir_core::tick::Tick;
use thiserror::Error;

use crate::schedule::Importance;

/// The host's own handle of an entity, as 64 bits: an engine's entity id, a database key, a pointer. Never interpreted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct HostKey(pub u64);

/// What it takes to bring an agent into the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSpec {
    /// The host's handle; one agent each.
    pub key: HostKey,
    /// On which side.
    pub team: TeamId,
    /// In which squad of that side; a side that is not divided is squad 0.
    pub squad: u32,
    /// What kind of character; numbers are the game's.
    pub kind: u16,
    /// How much it matters.
    pub importance: Importance,
    /// Its body now.
    pub body: Body,
}

impl AgentSpec {
    /// An agent of team 0, squad 0 and kind 0, of full importance, standing at the origin.
    pub fn new(key: HostKey) -> Self {
        AgentSpec { key, team: TeamId(0), squad: 0, kind: 0, importance: Importance::Full, body: Body::default() }
    }
}

/// Why an agent could not come into the loop.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SpawnError {
    /// The host's handle is in use.
    #[error("the host key {} already has agent {agent}: despawn it first", key.0)]
    KeyTaken {
        /// Which handle.
        key: HostKey,
        /// Who has it.
        agent: AgentId,
    },
    /// A number of the body is NaN or infinite.
    #[error("the body of host key {} is not finite, or absurdly far out, fast or large", key.0)]
    BadBody {
        /// Whose.
        key: HostKey,
    },
}

/// What the world knows of an agent: the truth that senses look at and brains do not.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Presence {
    /// Who.
    pub agent: AgentId,
    /// The host's handle.
    pub key: HostKey,
    /// On which side.
    pub team: TeamId,
    /// In which squad of that side.
    pub squad: u32,
    /// What kind of character.
    pub kind: u16,
    /// Its body.
    pub body: Body,
}

impl Presence {
    /// The squad it is coordinated with.
    pub fn squad_id(&self) -> SquadId {
        SquadId { team: self.team, number: self.squad }
    }
}

/// A noise in the world.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Noise {
    /// Where, m.
    pub position: Vec3,
    /// How far it carries in the open, m.
    pub range_m: f32,
    /// Who made it, if anybody. Senses use it so that no agent hears itself; it is never passed on.
    pub by: Option<AgentId>,
    /// When; set by the loop.
    pub at: Tick,
}

/// A hurt in the world.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Hurt {
    /// Who was hurt.
    pub who: AgentId,
    /// Share of full health lost, 0..=1.
    pub amount: f32,
    /// Where it came from, m.
    pub from: Vec3,
    /// When; set by the loop.
    pub at: Tick,
}
