//! What could be heard of the last tick, for whoever plays sounds: made of game events and of the noises that agents hear, so
//! that a player hears what they do. Derived, and never part of the state.
//!
//! A noise tells where and how far, an event tells what. Those of one agent and one tick belong together, the loudest with the
//! loudest; a noise that is left over is a step, an event that is left over has the loudness of its kind.

use sentir::core::math;
use sentir::prelude::*;

use crate::info::names;

names! {
    /// What is heard.
    SoundKind {
        /// A foot on the ground.
        Step = "step",
        /// A shot.
        Shot = "shot",
        /// A weapon being loaded.
        Reload = "reload",
        /// Something hits somebody or something.
        Impact = "impact",
        /// Somebody says something.
        Voice = "voice",
        /// An alarm, a gong.
        Alarm = "alarm",
        /// A bite or a blow.
        Bite = "bite",
        /// A door.
        Door = "door",
        /// Something bursts.
        Blast = "blast",
        /// A thing is taken.
        Pickup = "pickup",
    }
}

/// Something that can be heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// What.
    pub kind: SoundKind,
    /// Where, m.
    pub position: Vec3,
    /// How loud at its place, 0..=1.
    pub loudness: f32,
    /// Whose, if anybody's.
    pub key: Option<HostKey>,
    /// What is said, where there are words.
    pub text: Option<String>,
}

/// How far a noise carries that is as loud as can be, m: somewhat more than a rifle's.
const LOUDEST_M: f32 = 80.0;

impl Sound {
    /// One without words.
    pub fn new(kind: SoundKind, position: Vec3, loudness: f32, key: Option<HostKey>) -> Sound {
        Sound { kind, position, loudness: math::saturate(loudness), key, text: None }
    }

    /// The same with words.
    pub fn saying(self, text: impl Into<String>) -> Sound {
        Sound { text: Some(text.into()), ..self }
    }
}

/// The loudness of a noise that carries so far, 0..=1. By the root, so that steps are not lost beside shots.
pub fn loudness(range_m: f32) -> f32 {
    math::saturate((math::max(range_m, 0.0) / LOUDEST_M).sqrt())
}

/// What an event sounds like, and how far that carries by itself, m.
fn sound_of(kind: EventKind) -> Option<(SoundKind, f32)> {
    match kind {
        EventKind::Blast { .. } => Some((SoundKind::Blast, 80.0)),
        EventKind::Fired { .. } => Some((SoundKind::Shot, 60.0)),
        EventKind::PieceBroken { .. } => Some((SoundKind::Impact, 40.0)),
        EventKind::DoorOpened { .. } | EventKind::DoorClosed { .. } => Some((SoundKind::Door, 10.0)),
        EventKind::Reloaded => Some((SoundKind::Reload, 8.0)),
        EventKind::TookItem { .. } => Some((SoundKind::Pickup, 5.0)),
        _ => None,
    }
}

/// Adds what could be heard of the last tick of a loop. `events` are those of its scratch.
pub fn hear<M: Mind>(brains: &Loop<M>, events: &[GameEvent], list: &mut Vec<Sound>) {
    let Some(last) = brains.tick().0.checked_sub(1).map(Tick) else { return };
    let mut made: Vec<(AgentId, SoundKind, f32)> = events
        .iter()
        .filter(|event| event.tick == last)
        .filter_map(|event| sound_of(event.kind).and_then(|(kind, range_m)| Some((event.agent?, kind, range_m))))
        .collect();
    let mut noises: Vec<&Noise> = brains.noises().iter().filter(|noise| noise.at == last).collect();
    // Stable sorts: what is as loud keeps its order, so the pairs are the same on every machine.
    made.sort_by(|a, b| b.2.total_cmp(&a.2));
    noises.sort_by(|a, b| b.range_m.total_cmp(&a.range_m));
    for noise in noises {
        let place = made.iter().position(|(agent, ..)| Some(*agent) == noise.by);
        let own = place.map(|place| made.remove(place).1);
        let kind = own.unwrap_or(if noise.by.is_some() { SoundKind::Step } else { SoundKind::Impact });
        let key = noise.by.and_then(|agent| brains.presence(agent)).map(|it| it.key);
        list.push(Sound::new(kind, noise.position, loudness(noise.range_m), key));
    }
    for (agent, kind, range_m) in made {
        if let Some(it) = brains.presence(agent) {
            list.push(Sound::new(kind, it.body.eye(), loudness(range_m), Some(it.key)));
        }
    }
    for event in events.iter().filter(|event| matches!(event.kind, EventKind::Hurt { .. })) {
        if let Some(it) = event.agent.and_then(|agent| brains.presence(agent)) {
            list.push(Sound::new(SoundKind::Impact, it.body.eye(), loudness(HURT_M), Some(it.key)));
        }
    }
}

/// How far it carries that somebody is hit, m.
const HURT_M: f32 = 12.0;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    /// Two agents, a tick with these noises and events, and what is heard of it.
    fn heard(noises: &[(f32, Option<usize>)], events: &[(usize, EventKind)]) -> Vec<Sound> {
        let mut brains = Loop::<()>::new(LoopConfig::default(), 1);
        let mut scratch = Scratch::default();
        let agents = [1, 2].map(|key| brains.spawn(AgentSpec::new(HostKey(key))).unwrap());
        for &(range_m, by) in noises {
            let by = by.map(|number| agents[number]);
            brains.noise(Noise { position: Vec3::X * range_m, range_m, by, at: Tick(0) });
        }
        for &(number, kind) in events {
            brains.emit(Some(agents[number]), kind);
        }
        brains.step(&(), &Open, &Serial, &mut scratch);
        let mut list = Vec::new();
        hear(&brains, scratch.events(), &mut list);
        // The tick after it is silent.
        brains.step(&(), &Open, &Serial, &mut scratch);
        let mut after = Vec::new();
        hear(&brains, scratch.events(), &mut after);
        assert_eq!(after, []);
        list
    }

    #[test]
    fn the_loudest_noise_of_somebody_is_his_loudest_event_and_the_rest_are_steps() {
        let fired = EventKind::Fired { rounds: 1 };
        let list = heard(&[(7.0, Some(0)), (60.0, Some(0)), (5.0, Some(1))], &[(0, EventKind::Reloaded), (0, fired)]);
        let told: Vec<_> = list.iter().map(|it| (it.kind, it.key.unwrap().0, it.position.x)).collect();
        let step = (SoundKind::Step, 2, 5.0);
        assert_eq!(told, [(SoundKind::Shot, 1, 60.0), (SoundKind::Reload, 1, 7.0), step]);
        assert!(list.is_sorted_by(|a, b| a.loudness >= b.loudness));
    }

    #[test]
    fn what_makes_no_noise_of_its_own_is_heard_from_whose_it_is() {
        let list = heard(&[], &[(1, EventKind::TookItem { item: 3 }), (0, EventKind::Hurt { damage: 5.0 })]);
        let told: Vec<_> = list.iter().map(|it| (it.kind, it.key.unwrap().0)).collect();
        assert_eq!(told, [(SoundKind::Pickup, 2), (SoundKind::Impact, 1)]);
        assert_eq!(heard(&[(30.0, None)], &[])[0].kind, SoundKind::Impact);
        assert_eq!(heard(&[], &[(0, EventKind::Killed)]), []);
    }

    #[test]
    fn farther_is_louder_within_bounds() {
        let all = [-1.0, 0.0, 7.0, 14.0, 60.0, 80.0, 900.0].map(loudness);
        assert!(all.is_sorted() && all[1] == 0.0 && all[6] == 1.0, "{all:?}");
        assert_eq!(Sound::new(SoundKind::Step, Vec3::ZERO, 7.0, None).saying("ha").text.as_deref(), Some("ha"));
    }
}
