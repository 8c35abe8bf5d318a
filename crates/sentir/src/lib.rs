//! The brain of game characters, for any engine: **sense, think, act** (*sentir, pensar, actuar*).
//!
//! The facade: the [`Loop`] that takes a host's truth in and gives motion out, once a tick, for any number of agents.
//!
//! ```text
//! host truth ──> sense ──> beliefs ──> think ──> intents ──> coordinate ──> act ──> motion ──> host
//!                             ^                                  |           |
//!                             └─ answers, notices and outcomes, on the next tick
//! ```
//!
//! A game implements [`Mind`], any part of which may be empty, and drives the loop:
//!
//! ```
//! use sentir::prelude::*;
//!
//! /// Walks to the origin and stays there.
//! struct Homing;
//!
//! impl Mind for Homing {
//!     type Senses = ();
//!     type Brain = ();
//!     type Motor = ();
//!     type Squad = ();
//!     type Notice = ();
//!
//!     fn think(&self, view: &ThinkView<'_>, _brain: &mut (), intents: &mut Intents, _notes: &mut Notes<'_>) {
//!         let home = Travel { goal: Vec3::ZERO, manner: Manner::Straight, pace_m_per_s: 2.0, arrive_m: 0.1 };
//!         if view.beliefs.me.pose.position.length() > 0.1 { intents.go(home); } else { intents.stay(); }
//!     }
//!
//!     fn act(&self, view: &ActView<'_>, _motor: &mut (), motion: &mut Motion, _out: &mut Outcomes<'_>, _notes: &mut Notes<'_>) {
//!         let way = view.travel().map_or(Vec3::ZERO, |(_, travel)| travel.goal - view.me.body.pose.position);
//!         motion.velocity = way.clamp_length_max(2.0);
//!     }
//! }
//!
//! let mut brains = Loop::<Homing>::new(LoopConfig::default(), 7);
//! let mut scratch = Scratch::default();
//! let mut body = Body { pose: Pose { position: Vec3::X * 3.0, yaw: 0.0 }, ..Body::default() };
//! let agent = brains.spawn(AgentSpec { body, ..AgentSpec::new(HostKey(1)) }).unwrap();
//! for _ in 0..600 {
//!     brains.observe(agent, body);
//!     brains.step(&Homing, &Open, &Serial, &mut scratch);
//!     body.pose.position += brains.motion(agent).unwrap().velocity * brains.rate().tick_s();
//! }
//! assert!(body.pose.position.length() < 0.2);
//! ```
//!
//! **Features**, which only ever add and never change a result:
//!
//! | feature | by default | brings |
//! |---|---|---|
//! | `files` | on | brains and queries from files |
//! | `levels` | on | levels from YAML and PNG; tiles, OBJ and BSP are always read |
//! | `bake` | on | navigation meshes out of levels, triangles and floor plans |
//! | `soldier` | on | squads and the soldier ([`squad`], [`soldier`]), with `files` and `bake` |
//! | `vision` | on | synthetic vision ([`vision`]) |
//! | `schema` | off | JSON schemas of brains and queries, for editors |
//! | `gltf` | off | levels from glTF |
//! | `xml` | off | behavior trees from and to the XML of BehaviorTree.CPP |
//!
//! Without any there are the loop, senses, beliefs, brains and levels made by code, searches on grids and meshes, and all of
//! movement.
//!
//! Nothing here reads a clock, a file or a global; the same calls give the same bits. A loop is plain state: save it with
//! [`Loop::snapshot`], hash it with [`sentir_core::state::hash`], run as many of them as you like.

mod agent;
mod clock;
mod coordinate;
mod cycle;
mod digest;
mod host;
mod mind;
mod pass;
mod perceive;
mod schedule;
#[cfg(feature = "soldier")]
pub mod soldier;
pub mod walk;
mod why;

pub use clock::Clock;
pub use coordinate::{FoundPath, Member, Order, Roster, SquadView};
pub use cycle::{Loop, RestoreError, Scratch, TOLD_MAX};
pub use host::{AgentSpec, HostKey, Hurt, Noise, Presence, SpawnError};
pub use mind::{ActView, Mind, Notes, Outcomes, SenseView, ThinkView, WorldView};
pub use schedule::{Detail, Importance, LoopConfig, Quota};
pub use sentir_act as act;
pub use sentir_core as core;
pub use sentir_core::state::State;
pub use sentir_derive::FacadeState as State;
pub use sentir_level as level;
pub use sentir_nav as nav;
pub use sentir_sense as sense;
pub use sentir_space as space;
#[cfg(feature = "soldier")]
pub use sentir_squad as squad;
pub use sentir_think as think;
#[cfg(feature = "vision")]
pub use sentir_vision as vision;
pub use why::{Stage, Why};

/// Everything a host or a mind usually names.
pub mod prelude {
    pub use crate::{
        ActView, AgentSpec, Clock, Detail, FoundPath, HostKey, Hurt, Importance, Loop, LoopConfig, Mind, Noise, Notes,
        Order, Outcomes, Presence, Quota, Roster, Scratch, SenseView, SpawnError, SquadView, State, ThinkView, Why,
        WorldView,
    };
    pub use sentir_core::belief::{Beliefs, Felt, Heard, Message, Other, Percept, Sense, Sighted, Smelled, Thing};
    pub use sentir_core::blunder::Blunder;
    pub use sentir_core::body::{Body, Pose, Stance};
    pub use sentir_core::event::{EventKind, EventTag, GameEvent};
    pub use sentir_core::geometry::{Geometry, Open, Prop, Ray, RayHit};
    pub use sentir_core::glam::{Vec2, Vec3};
    pub use sentir_core::id::{AgentId, SquadId, TeamId};
    pub use sentir_core::intent::{
        Actions, Ask, Attention, Gaze, Intents, Manner, Motion, Question, Say, Ticket, Travel,
    };
    pub use sentir_core::outcome::{Answer, Cause, Outcome};
    pub use sentir_core::pool::{Pool, Serial};
    pub use sentir_core::random::{Purpose, Stream, Streams};
    pub use sentir_core::tick::{Tick, TickRate};
    pub use sentir_core::why::Reason;
    pub use sentir_sense::{SenseConfig, Senses, Surroundings};
}

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// The guide's chapter about soldiers, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/soldier.md")]
pub struct SoldierGuide;
