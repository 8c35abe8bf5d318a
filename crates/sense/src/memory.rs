//! Memory: what one knows of others grows old, and what is too old is forgotten.
//!
//! Confidence is a function of how and when something was learned, not a number that is changed step by step: so it is the
//! same however often one looks. It halves every `half_life_s`; under `forget_below` the belief is dropped. When the last
//! known place of an agent is in clear view and the agent is not there, it is marked as vanished, and one is less sure still.

use sentir_core::belief::{Beliefs, Sense};
use sentir_core::glam::Vec3;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};

use crate::SenseConfig;
use crate::senses::Senses;
use crate::sight::{Eyes, Look, Sighting};

/// Most last known places that one look checks, a ray each; the others have their turn.
pub const PLACES_PER_LOOK: u32 = 4;

/// Height over the ground at which one looks whether somebody is there, m.
const CHEST_M: f32 = 1.2;

/// Tuning of memory. What is no number counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryConfig {
    /// In what time confidence halves, s.
    pub half_life_s: f32,
    /// Confidence under which one forgets, 0..=1.
    pub forget_below: f32,
    /// Share of confidence that is left of who vanished, 0..=1.
    pub vanished_share: f32,
}

impl Default for MemoryConfig {
    /// Half a minute until somebody seen is forgotten.
    fn default() -> Self {
        MemoryConfig { half_life_s: 7.0, forget_below: 0.05, vanished_share: 0.4 }
    }
}

/// How sure one is of somebody who was sensed `age_s` ago, 0..=1.
pub fn confidence(config: &SenseConfig, source: Sense, is_vanished: bool, age_s: f32) -> f32 {
    let memory = &config.memory;
    let base = match source {
        Sense::Message => math::saturate(config.talk.trust),
        Sense::Hearing | Sense::Damage | Sense::Smell => 0.5,
        Sense::Sight | Sense::Touch | Sense::Public => 1.0,
    };
    let halves = if memory.half_life_s > 0.0 { math::max(age_s, 0.0) / memory.half_life_s } else { f32::INFINITY };
    let vanished = if is_vanished { math::saturate(memory.vanished_share) } else { 1.0 };
    // Nothing is unsure at the moment it is sensed.
    let faded = if age_s > 0.0 { math::exp2(-halves) } else { 1.0 };
    base * vanished * faded
}

/// Lets what is believed about others grow old, and forgets what is too old. Call it once a look, after the senses.
pub fn age(config: &SenseConfig, now: Tick, rate: TickRate, beliefs: &mut Beliefs) {
    beliefs.revise(|other| {
        if other.is_visible {
            return true;
        }
        let age_s = rate.seconds(now.since(other.at));
        other.confidence = confidence(config, other.source, other.is_vanished, age_s);
        other.confidence >= config.memory.forget_below
    });
}

/// Looks at the last known places of those out of sight. They take turns, by the tick: whose turn it is depends on nothing
/// that is not believed.
pub(crate) fn recheck(
    config: &SenseConfig,
    look: &Look<'_>,
    eyes: &Eyes,
    senses: &Senses,
    beliefs: &mut Beliefs,
    tell: &mut impl FnMut(Sighting),
) {
    let count = beliefs.others().len();
    if count == 0 {
        return;
    }
    let first = (look.now.0 % count as u64) as usize;
    let mut rays = 0;
    for place in (first..count).chain(0..first) {
        let other = beliefs.others()[place];
        let is_open = !other.is_visible && !other.is_vanished && other.at < look.now;
        if !is_open || rays >= PLACES_PER_LOOK || eyes.zone_of(plane::ground(other.position), 0.0).is_none() {
            continue;
        }
        // Who is in view and not noticed again yet has not vanished.
        let is_glimpsed = senses.glimpse(other.who).is_some_and(|glimpse| glimpse.is_seen);
        let spot = other.position + Vec3::Y * CHEST_M;
        if !is_glimpsed && look.around.light(other.position) > config.sight.dark {
            rays += 1;
            if look.geometry.is_clear(eyes.eye, spot) {
                beliefs.update(sentir_core::belief::Other { is_vanished: true, ..other });
                tell(Sighting::Vanished { who: other.who });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir_core::belief::Other;
    use sentir_core::body::Body;
    use sentir_core::id::{AgentId, TeamId};

    #[test]
    fn memory_halves_and_ends() {
        let config = SenseConfig::default();
        let rate = TickRate::new(10);
        let mut beliefs = Beliefs::default();
        let who = AgentId::from_bits(4);
        beliefs.update(Other { is_visible: false, ..Other::seen(who, TeamId(0), &Body::default(), Tick(0)) });
        age(&config, Tick(70), rate, &mut beliefs);
        assert!((beliefs.others()[0].confidence - 0.5).abs() < 1e-6);
        // Looking twice ages nobody twice.
        age(&config, Tick(70), rate, &mut beliefs);
        assert!((beliefs.others()[0].confidence - 0.5).abs() < 1e-6);
        age(&config, Tick(310), rate, &mut beliefs);
        assert!(beliefs.others().is_empty());
        let odd = SenseConfig { memory: MemoryConfig { half_life_s: f32::NAN, ..config.memory }, ..config };
        assert_eq!(confidence(&odd, Sense::Sight, false, 1.0), 0.0);
        assert_eq!(confidence(&odd, Sense::Sight, false, 0.0), 1.0);
    }

    proptest! {
        #[test]
        fn older_and_vanished_is_never_surer(age_s in 0.0f32..60.0, more_s in 0.0f32..60.0, vanished in any::<bool>()) {
            let config = SenseConfig::default();
            for source in [Sense::Sight, Sense::Message, Sense::Touch, Sense::Hearing] {
                let now = confidence(&config, source, vanished, age_s);
                prop_assert!((0.0..=1.0).contains(&now));
                prop_assert!(confidence(&config, source, vanished, age_s + more_s) <= now);
                prop_assert!(confidence(&config, source, true, age_s) <= now);
            }
        }
    }
}
