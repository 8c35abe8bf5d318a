//! All senses in one call: what reaches an agent through the loop, and what does not.

use sentir::core::geometry::Open;
use sentir::prelude::*;
use sentir::sense::TalkConfig;

/// Perceives, and says once where the first foe is.
struct Lookout {
    config: SenseConfig,
}

#[derive(Clone, Debug, Default, PartialEq, State)]
struct Log {
    heard: Vec<Heard>,
    felt: Vec<Felt>,
    told: Vec<Message>,
    has_said: bool,
}

impl Mind for Lookout {
    type Senses = Senses;
    type Brain = Log;
    type Motor = ();
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        view.perceive(&self.config, &(), senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, log: &mut Log, intents: &mut Intents, _: &mut Notes<'_>) {
        log.heard.extend(&view.beliefs.noises);
        log.felt.extend(&view.beliefs.hurts);
        log.told.extend(&view.beliefs.messages);
        let foe = view.beliefs.others().iter().find(|other| other.is_visible && other.team != view.team);
        if let Some(foe) = foe.filter(|_| !log.has_said) {
            log.has_said = true;
            intents.say(Say { word: 1, place: Some(foe.position), who: Some(foe.who), team: Some(foe.team) });
        }
    }
}

fn lone(brains: &mut Loop<Lookout>, key: u64, team: u32, x: f32, z: f32) -> AgentId {
    let body = Body { pose: Pose { position: Vec3::new(x, 0.0, z), yaw: 0.0 }, ..Body::default() };
    brains.spawn(AgentSpec { team: TeamId(team), body, ..AgentSpec::new(HostKey(key)) }).unwrap()
}

fn play(brains: &mut Loop<Lookout>, mind: &Lookout, ticks: u32) -> Vec<GameEvent> {
    let mut scratch = Scratch::default();
    let mut events = Vec::new();
    for _ in 0..ticks {
        brains.step(mind, &Open, &Serial, &mut scratch);
        events.extend_from_slice(scratch.events());
    }
    events
}

#[test]
fn a_noise_is_a_place_and_a_hurt_a_direction() {
    let mind = Lookout { config: SenseConfig::default() };
    let mut brains = Loop::new(LoopConfig::default(), 1);
    let (near, far) = (lone(&mut brains, 1, 0, 0.0, 0.0), lone(&mut brains, 2, 1, 30.0, 40.0));
    let place = Vec3::new(6.0, 0.0, 0.0);
    brains.noise(Noise { position: place, range_m: 12.0, by: Some(far), at: Tick(0) });
    brains.hurt(Hurt { who: near, amount: 0.2, from: Vec3::new(0.0, 0.0, 5.0), at: Tick(0) });
    play(&mut brains, &mind, 12);
    let log = brains.brain(near).unwrap();
    assert_eq!((log.heard.len(), log.heard[0].position), (1, place));
    assert!((0.4..0.6).contains(&log.heard[0].loudness));
    assert_eq!((log.felt.len(), log.felt[0].from, log.felt[0].amount), (1, Vec3::Z, 0.2));
    assert!(brains.brain(far).unwrap().heard.is_empty() && brains.brain(far).unwrap().felt.is_empty());
    // Nobody is known by a noise alone.
    assert!(brains.beliefs(near).unwrap().others().is_empty());
}

#[test]
fn what_one_notices_the_team_in_range_learns_after_a_while() {
    let talk = TalkConfig { range_m: 20.0, delay_s: 0.5, trust: 0.7 };
    let mind = Lookout { config: SenseConfig { talk, ..SenseConfig::default() } };
    let mut brains = Loop::new(LoopConfig::default(), 1);
    let watch = lone(&mut brains, 1, 0, 0.0, 0.0);
    // Both look away from the foe; one is out of earshot.
    let (near, far) = (lone(&mut brains, 2, 0, 8.0, -60.0), lone(&mut brains, 3, 0, 0.0, -90.0));
    let foe = lone(&mut brains, 4, 1, 0.0, -10.0);
    for agent in [near, far] {
        let pose = brains.presence(agent).unwrap().body.pose;
        let position = if agent == near { Vec3::new(8.0, 0.0, 8.0) } else { pose.position };
        brains.teleport(agent, Pose { position, yaw: 3.0 });
    }
    let events = play(&mut brains, &mind, 120);
    let noticed =
        events.iter().find(|event| event.agent == Some(watch) && event.kind == EventKind::Noticed { other: foe });
    let told = brains.beliefs(near).unwrap().other(foe).copied().unwrap();
    assert_eq!((told.source, told.is_visible, told.team), (Sense::Message, false, TeamId(1)));
    let message = brains.brain(near).unwrap().told[0];
    assert_eq!((message.from, message.at), (watch, noticed.unwrap().tick + 1));
    assert!(told.confidence < 0.7 && told.confidence > 0.3);
    assert!(brains.beliefs(far).unwrap().other(foe).is_none() && brains.brain(far).unwrap().told.is_empty());
}
