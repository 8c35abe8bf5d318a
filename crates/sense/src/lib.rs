//! Senses: what of the truth reaches a character, and what it remembers of it.
//!
//! | module | holds |
//! |---|---|
//! | [`sight`] | cones, three rays to a body, quotas with a bound on how late one is noticed |
//! | [`notice`] | how long it takes to notice somebody in view |
//! | [`hearing`] | loudness by distance, walls and ways round them: a place, never an identity |
//! | [`smell`] | trails: a bounded ring of traces, and the nose for them |
//! | [`talk`] | messages within the team, with range and delay |
//! | [`memory`] | ageing, forgetting, what vanished, doors and other things |
//! | [`surroundings`] | what a host may tell of light, ways of sound, things and trails |
//!
//! Everything is a function of (tuning, truth near by, the agent's own [`Senses`] and beliefs): nothing is shared between
//! agents, so they may run in any order and on any number of threads. Nothing allocates once lists have their size. The
//! facade's `SenseView::perceive` calls all of it in the right order.
//!
//! **Honesty.** What no sense reaches changes nothing that is written here, with one exception that is stated: rays are
//! bought from the agent's quota, and somebody hidden in the cone costs three of them. While the quota is enough for all
//! who are in the cone, nobody's notice depends on anybody else; when it is not, who waits longest comes first, and
//! somebody unseen may make others be noticed later, within [`sight::looks_max`].
//!
//! ```
//! use sentir_core::belief::Beliefs;
//! use sentir_core::body::{Body, Pose};
//! use sentir_core::budget::Budget;
//! use sentir_core::geometry::Open;
//! use sentir_core::glam::Vec3;
//! use sentir_core::id::{AgentId, TeamId};
//! use sentir_core::tick::{Tick, TickRate};
//! use sentir_sense::sight::{Look, look};
//! use sentir_sense::{SenseConfig, Senses, Subject};
//!
//! let guard = Body::default(); // looks along -z
//! let thief = Body { pose: Pose { position: Vec3::new(0.0, 0.0, -8.0), yaw: 0.0 }, ..Body::default() };
//! let [me, other] = [(1, &guard), (2, &thief)]
//!     .map(|(bits, body)| Subject { who: AgentId::from_bits(bits), team: TeamId(bits as u32), body });
//! let (config, mut senses, mut beliefs) = (SenseConfig::default(), Senses::default(), Beliefs::default());
//! let mut noticed_at = None;
//! for tick in (0..60).step_by(6) {
//!     let now = Look { me, now: Tick(tick), rate: TickRate::new(60), geometry: &Open, around: &() };
//!     let mut quota = Budget::new(64);
//!     look(&config, &now, |_radius_m, visit| visit(other), &mut senses, &mut beliefs, &mut quota, |_| {
//!         noticed_at.get_or_insert(tick);
//!     });
//! }
//! // Not at first sight: that takes a moment.
//! assert!(noticed_at.is_some_and(|tick| tick > 0));
//! assert_eq!(beliefs.others()[0].position, thief.pose.position);
//! ```

pub mod hearing;
pub mod memory;
pub mod notice;
mod senses;
pub mod sight;
pub mod smell;
pub mod surroundings;
pub mod talk;

use sentir_core::body::Body;
use sentir_core::id::{AgentId, TeamId};

pub use hearing::HearingConfig;
pub use memory::MemoryConfig;
pub use senses::{GLIMPSES_MAX, Glimpse, PENDING_MAX, Senses};
pub use sentir_core as core;
pub use sight::SightConfig;
pub use smell::{Scents, SmellConfig};
pub use surroundings::{Surroundings, Visible};
pub use talk::TalkConfig;

/// Tuning of all senses of a kind of character. Every value is valid: what is no number counts as 0, so a range of NaN is
/// no sense at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SenseConfig {
    /// Eyes, and hands: who is in touch is noticed at once.
    pub sight: SightConfig,
    /// Ears.
    pub hearing: HearingConfig,
    /// Nose.
    pub smell: SmellConfig,
    /// Messages of the own team.
    pub talk: TalkConfig,
    /// What stays of it.
    pub memory: MemoryConfig,
}

/// The truth about somebody with a body: who senses, or who is sensed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject<'a> {
    /// Who.
    pub who: AgentId,
    /// On which side.
    pub team: TeamId,
    /// Its body.
    pub body: &'a Body,
}
