//! Talk: messages of the own team, heard within a range and after a delay. What a message tells of somebody becomes a belief
//! of the source [`Sense::Message`], unless one knows better.

use sentir_core::belief::{Beliefs, Message, Other, Sense};
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::tick::{Tick, TickRate};

use crate::senses::{PENDING_MAX, Senses};

/// Tuning of messages. What is no number counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TalkConfig {
    /// How far a teammate is heard, m; infinite for a radio.
    pub range_m: f32,
    /// How long a message takes, s.
    pub delay_s: f32,
    /// How sure one is of what one was told, 0..=1.
    pub trust: f32,
}

impl Default for TalkConfig {
    /// A radio: everywhere, at once.
    fn default() -> Self {
        TalkConfig { range_m: f32::INFINITY, delay_s: 0.0, trust: 0.8 }
    }
}

/// Whether a message said `distance_m` away is heard.
pub fn is_heard(config: &TalkConfig, distance_m: f32) -> bool {
    distance_m <= config.range_m
}

/// Takes a message in; [`deliver`] gives it when it is time. The oldest goes when there are too many.
pub fn receive(senses: &mut Senses, message: Message) {
    if senses.pending.len() >= PENDING_MAX {
        senses.pending.remove(0);
    }
    senses.pending.push(message);
}

/// Gives the messages that are due to `beliefs`, oldest first. Whether there was any.
pub fn deliver(
    config: &TalkConfig,
    me: AgentId,
    now: Tick,
    rate: TickRate,
    senses: &mut Senses,
    beliefs: &mut Beliefs,
) -> bool {
    let delay = rate.ticks(config.delay_s);
    let mut is_any = false;
    senses.pending.retain(|message| {
        if message.at + delay > now {
            return true;
        }
        is_any = true;
        if beliefs.messages.len() < PENDING_MAX {
            beliefs.messages.push(*message);
        }
        believe(config, me, message, beliefs);
        false
    });
    is_any
}

/// What a message tells of somebody, if it is news.
fn believe(config: &TalkConfig, me: AgentId, message: &Message, beliefs: &mut Beliefs) {
    let (Some(who), Some(position)) = (message.say.who, message.say.place) else { return };
    let known = beliefs.other(who);
    let Some(team) = message.say.team.or(known.map(|other| other.team)) else { return };
    let is_stale = known.is_some_and(|other| other.is_visible || other.at >= message.at);
    if who == me || is_stale || !position.is_finite() {
        return;
    }
    beliefs.update(Other {
        who,
        team,
        position,
        velocity: Vec3::ZERO,
        yaw: 0.0,
        at: message.at,
        is_visible: false,
        is_vanished: false,
        confidence: config.trust,
        source: Sense::Message,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::id::TeamId;
    use sentir_core::intent::Say;

    const RATE: TickRate = TickRate::new(10);

    fn me() -> AgentId {
        AgentId::from_bits(1)
    }

    fn foe() -> AgentId {
        AgentId::from_bits(9)
    }

    fn message(at: u64, place: Vec3) -> Message {
        let say = Say { word: 4, place: Some(place), who: Some(foe()), team: Some(TeamId(7)) };
        Message { from: AgentId::from_bits(2), say, at: Tick(at) }
    }

    #[test]
    fn a_message_is_a_belief_after_its_delay() {
        let config = TalkConfig { range_m: 10.0, delay_s: 0.5, trust: 0.6 };
        assert!(is_heard(&config, 10.0) && !is_heard(&config, 10.1) && !is_heard(&config, f32::NAN));
        let (mut senses, mut beliefs) = (Senses::default(), Beliefs::default());
        receive(&mut senses, message(20, Vec3::X));
        assert!(!deliver(&config, me(), Tick(24), RATE, &mut senses, &mut beliefs));
        assert!(deliver(&config, me(), Tick(25), RATE, &mut senses, &mut beliefs));
        let told = beliefs.others()[0];
        assert_eq!((told.who, told.team, told.position, told.at), (foe(), TeamId(7), Vec3::X, Tick(20)));
        assert_eq!((told.source, told.confidence, told.is_visible), (Sense::Message, 0.6, false));
        assert_eq!(beliefs.messages.len(), 1);
    }

    #[test]
    fn who_knows_better_believes_his_eyes() {
        let config = TalkConfig::default();
        let (mut senses, mut beliefs) = (Senses::default(), Beliefs::default());
        let body = sentir_core::body::Body::default();
        beliefs.update(Other::seen(foe(), TeamId(7), &body, Tick(30)));
        receive(&mut senses, message(40, Vec3::X));
        deliver(&config, me(), Tick(40), RATE, &mut senses, &mut beliefs);
        assert_eq!(beliefs.others()[0].source, Sense::Sight);
        beliefs.revise(|other| {
            other.is_visible = false;
            true
        });
        receive(&mut senses, message(29, Vec3::X));
        deliver(&config, me(), Tick(41), RATE, &mut senses, &mut beliefs);
        assert_eq!(beliefs.others()[0].at, Tick(30), "older than what one saw");
        receive(&mut senses, message(41, Vec3::X));
        deliver(&config, me(), Tick(41), RATE, &mut senses, &mut beliefs);
        assert_eq!(beliefs.others()[0].source, Sense::Message);
    }

    #[test]
    fn nobody_believes_news_of_himself_and_lists_stay_bounded() {
        let config = TalkConfig::default();
        let (mut senses, mut beliefs) = (Senses::default(), Beliefs::default());
        for at in 0..100 {
            receive(&mut senses, message(at, Vec3::X));
        }
        assert_eq!(senses.pending.len(), PENDING_MAX);
        deliver(&config, foe(), Tick(200), RATE, &mut senses, &mut beliefs);
        assert!(beliefs.others().is_empty() && beliefs.messages.len() == PENDING_MAX && senses.pending.is_empty());
    }
}
