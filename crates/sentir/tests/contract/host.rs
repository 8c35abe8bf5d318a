//! What a host may do: spawn, despawn, teleport, pause, run at any rate; and what it gets for nonsense.

use crate::village::{Host, Village};
use sentir::core::state::hash;
use sentir::prelude::*;
use std::time::Duration;

fn every_tick() -> LoopConfig {
    LoopConfig::every_tick(TickRate::new(60))
}

#[test]
fn a_key_has_one_agent_and_a_body_is_finite() {
    let mut brains = Loop::<Village>::new(every_tick(), 1);
    let first = brains.spawn(AgentSpec::new(HostKey(5))).unwrap();
    let again = brains.spawn(AgentSpec::new(HostKey(5))).unwrap_err();
    assert_eq!(again.to_string(), "the host key 5 already has agent #0: despawn it first");
    let broken = AgentSpec { body: Body { health: f32::NAN, ..Body::default() }, ..AgentSpec::new(HostKey(6)) };
    assert_eq!(
        brains.spawn(broken).unwrap_err().to_string(),
        "the body of host key 6 is not finite, or absurdly far out, fast or large"
    );
    assert_eq!((brains.len(), brains.agent_of(HostKey(5)), brains.agent_of(HostKey(6))), (1, Some(first), None));
}

#[test]
fn whoever_left_is_gone_everywhere() {
    let mut host = Host::new(every_tick(), 1, 3);
    host.step(&Serial);
    let gone = host.agent(1);
    assert!(host.brains.despawn(gone));
    assert!(!host.brains.despawn(gone));
    assert!(!host.brains.observe(gone, Body::default()));
    assert!(!host.brains.teleport(gone, Pose::default()));
    assert!(!host.brains.pause_agent(gone, true));
    assert!(!host.brains.set_importance(gone, Importance::Far));
    assert!(!host.brains.report(gone, Outcome::Refused { action: Actions::USE }));
    assert!(host.brains.motion(gone).is_none() && host.brains.beliefs(gone).is_none());
    host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    assert!(host.scratch.events().contains(&GameEvent {
        tick: Tick(1),
        agent: Some(gone),
        kind: EventKind::Despawned
    }));
    assert_eq!(host.brains.motions().count(), 2);
    // The slot is used again; the old id still names nobody.
    let new = host.brains.spawn(AgentSpec::new(HostKey(1))).unwrap();
    assert_eq!(new.index(), gone.index());
    assert!(host.brains.presence(gone).is_none() && host.brains.presence(new).is_some());
    assert_eq!(host.head(1).thoughts, 0);
}

#[test]
fn a_body_that_is_not_finite_is_refused_and_told() {
    let mut host = Host::new(every_tick(), 1, 1);
    let agent = host.agent(0);
    let before = *host.brains.presence(agent).unwrap();
    let broken = Body { pose: Pose { position: Vec3::NAN, yaw: 0.0 }, ..Body::default() };
    assert!(!host.brains.observe(agent, broken));
    assert!(!host.brains.teleport(agent, broken.pose));
    assert_eq!(host.brains.presence(agent), Some(&before));
    host.step(&Serial);
    let told = host.scratch.events().iter().filter(|event| event.kind == EventKind::BadBody).count();
    assert_eq!(told, 1);
}

#[test]
fn a_body_at_an_absurd_place_is_refused_like_one_that_is_no_number() {
    let mut host = Host::new(every_tick(), 1, 1);
    let agent = host.agent(0);
    for far in [1e30, -1e7] {
        let body = Body { pose: Pose { position: Vec3::X * far, yaw: 0.0 }, ..Body::default() };
        assert!(!host.brains.observe(agent, body) && !host.brains.teleport(agent, body.pose));
        let spec = AgentSpec { body, ..AgentSpec::new(HostKey(77)) };
        assert!(host.brains.spawn(spec).is_err());
    }
}

#[test]
fn what_is_told_to_a_paused_loop_does_not_pile_up() {
    let mut host = Host::new(every_tick(), 1, 1);
    let agent = host.agent(0);
    host.brains.pause(true);
    let told = sentir::TOLD_MAX + 1000;
    for _ in 0..told {
        host.brains.noise(Noise { position: Vec3::X, range_m: 3.0, by: None, at: Tick(0) });
        host.brains.emit(Some(agent), EventKind::BadBody);
        host.brains.report(agent, Outcome::Refused { action: Actions::USE });
    }
    assert_eq!(host.brains.noises().len(), sentir::TOLD_MAX);
    host.brains.pause(false);
    host.step(&Serial);
    let events = host.scratch.events().iter().filter(|event| event.kind == EventKind::BadBody).count();
    assert!(events <= sentir::TOLD_MAX, "{events}");
}

#[test]
fn a_teleported_agent_forgets_its_way_and_learns_of_it() {
    let mut host = Host::new(every_tick(), 1, 1);
    for _ in 0..15 {
        host.step(&Serial);
    }
    let agent = host.agent(0);
    let (ticket, _) = host.brains.intents(agent).unwrap().travel().unwrap();
    assert!(host.brains.teleport(agent, Pose { position: Vec3::ONE, yaw: 1.0 }));
    assert_eq!(host.brains.intents(agent).unwrap().travel(), None);
    assert_eq!(host.brains.motion(agent).unwrap().velocity, Vec3::ZERO);
    host.step(&Serial);
    assert_eq!(host.head(0).last_outcomes, [Outcome::Teleported { ticket }]);
    assert!(host.scratch.events().iter().any(|event| event.kind == EventKind::Teleported));
    assert!(host.brains.intents(agent).unwrap().travel().unwrap().0 > ticket);
}

#[test]
fn a_paused_world_does_not_move_and_goes_on_as_if_nothing_was() {
    let (mut paused, mut plain) = (Host::new(every_tick(), 1, 5), Host::new(every_tick(), 1, 5));
    for _ in 0..20 {
        paused.step(&Serial);
        plain.step(&Serial);
    }
    paused.brains.pause(true);
    let before = paused.hash();
    assert!(!paused.brains.step(&Village, &Open, &Serial, &mut paused.scratch));
    assert_eq!(paused.hash(), before);
    paused.brains.pause(false);
    paused.step(&Serial);
    plain.step(&Serial);
    assert_eq!(paused.hash(), plain.hash());
}

#[test]
fn a_paused_agent_stands_still_and_is_seen() {
    let mut host = Host::new(every_tick(), 1, 2);
    let (still, other) = (host.agent(0), host.agent(1));
    for agent in [still, other] {
        host.brains.teleport(agent, Pose { position: Vec3::X * agent.index() as f32, yaw: 0.0 });
    }
    host.brains.pause_agent(still, true);
    for _ in 0..30 {
        host.step(&Serial);
        assert_eq!(host.brains.motion(still).unwrap().velocity, Vec3::ZERO);
    }
    assert_eq!(host.head(0).thoughts, 0);
    assert!(host.brains.beliefs(other).unwrap().other(still).is_some());
    host.brains.pause_agent(still, false);
    host.step(&Serial);
    assert_eq!(host.head(0).thoughts, 1);
}

#[test]
fn the_frame_rate_of_the_host_changes_nothing() {
    let run = |frame_ms: &dyn Fn(u64) -> u64| {
        let mut host = Host::new(LoopConfig::default(), 4, 6);
        let mut clock = Clock::new(host.brains.rate(), 100);
        let mut frame = 0;
        while host.brains.tick() < Tick(240) {
            for _ in 0..clock.advance(Duration::from_millis(frame_ms(frame))) {
                if host.brains.tick() < Tick(240) {
                    host.step(&Serial);
                }
            }
            frame += 1;
        }
        host.hash()
    };
    let steady = run(&|_| 16);
    assert_eq!(run(&|_| 7), steady);
    assert_eq!(run(&|frame| 1 + frame * 31 % 90), steady);
}

#[test]
fn poses_between_two_ticks_are_between_them() {
    let mut host = Host::new(every_tick(), 1, 1);
    let mut clock = Clock::new(host.brains.rate(), 5);
    let agent = host.agent(0);
    let mut before = host.brains.presence(agent).unwrap().body.pose;
    for _ in 0..50 {
        for _ in 0..clock.advance(Duration::from_millis(7)) {
            before = host.brains.presence(agent).unwrap().body.pose;
            host.step(&Serial);
        }
        let now = host.brains.presence(agent).unwrap().body.pose;
        let drawn = before.lerp(now, clock.alpha()).position;
        assert!(drawn.distance(before.position) <= now.position.distance(before.position) + 1e-5);
    }
}

#[test]
fn an_empty_world_steps() {
    let mut brains = Loop::<Village>::new(LoopConfig::default(), 0);
    let mut scratch = Scratch::default();
    let before = hash(&brains);
    assert!(brains.is_empty() && brains.step(&Village, &Open, &Serial, &mut scratch));
    assert_ne!(hash(&brains), before);
    assert_eq!(brains.tick(), Tick(1));
}
