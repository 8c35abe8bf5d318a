//! What flows where and when: outcomes on the next tick, facts missed by nobody, news told once.

use crate::village::{Host, Village};
use sentir::prelude::*;

fn every_tick() -> LoopConfig {
    LoopConfig::every_tick(TickRate::new(60))
}

#[test]
fn outcomes_reach_the_brain_on_the_next_tick_and_once() {
    let mut host = Host::new(every_tick(), 1, 1);
    host.step(&Serial);
    let agent = host.agent(0);
    let refused = Outcome::Refused { action: Actions::FIRE };
    assert!(host.brains.report(agent, refused));
    assert_eq!(host.head(0).refused, 0);
    host.step(&Serial);
    assert_eq!(host.head(0).last_outcomes, [refused]);
    host.step(&Serial);
    assert_eq!((host.head(0).refused, host.head(0).last_outcomes.len()), (1, 0));
}

#[test]
fn answers_come_one_tick_after_the_question() {
    let mut host = Host::new(every_tick(), 1, 1);
    let mut asked = None;
    for _ in 0..200 {
        host.step(&Serial);
        let said = host.scratch.events().iter().any(|event| matches!(event.kind, EventKind::Said { .. }));
        if let Some(tick) = asked.take() {
            assert_eq!(host.brains.tick().0, tick + 1);
            assert!(host.head(0).last_outcomes.iter().any(|one| matches!(one, Outcome::Answered { .. })));
        }
        if said {
            asked = Some(host.brains.tick().0);
        }
    }
    assert!(host.head(0).answers > 5);
}

#[test]
fn nobody_misses_a_fact_between_two_looks() {
    // Whatever the periods: 20 noises, heard by everybody exactly once.
    let mut host = Host::new(LoopConfig::default(), 1, 8);
    for _ in 0..400 {
        let tick = host.brains.tick().0;
        if tick % 13 == 5 && tick < 13 * 20 {
            host.brains.noise(Noise { position: Vec3::X, range_m: 5.0, by: None, at: Tick(0) });
        }
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    for key in 0..8 {
        assert_eq!(host.head(key).heard, 20, "agent {key}");
    }
}

#[test]
fn nobody_misses_a_fact_while_its_importance_changes() {
    // Periods without a common factor, and importance that flickers.
    let detail = |sense_every| Detail {
        sense_every,
        think_every: 1,
        coordinate_every: 1,
        act_every: 1,
        quota: Quota::default(),
    };
    let config = LoopConfig { detail: [detail(7), detail(10), detail(1), detail(23)], ..LoopConfig::default() };
    let mut host = Host::new(config, 1, 8);
    let mut random = Streams { seed: 5 }.stream(0, Purpose::new("importance"));
    for tick in 0..600 {
        for key in 0..8 {
            let agent = host.agent(key);
            if random.chance(0.2) {
                let all = [Importance::Full, Importance::Near, Importance::Far, Importance::Least];
                host.brains.set_importance(agent, all[random.below(4) as usize]);
            }
        }
        if tick % 3 == 0 && tick < 540 {
            host.brains.noise(Noise { position: Vec3::X, range_m: 5.0, by: None, at: Tick(0) });
        }
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    for key in 0..8 {
        assert_eq!(host.head(key).heard, 180, "agent {key}");
    }
}

#[test]
fn messages_reach_the_own_team_alone_and_not_before_the_next_tick() {
    let mut host = Host::new(every_tick(), 1, 9);
    let (mut said, mut heard_by_team) = ([0u32; 3], [0u32; 9]);
    for _ in 0..100 {
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
        // Heard so far is what had been said before this tick.
        for key in 0..9u64 {
            assert!(host.head(key).messages <= said[key as usize % 3]);
            heard_by_team[key as usize] = host.head(key).messages;
        }
        for event in host.scratch.events() {
            if let EventKind::Said { .. } = event.kind {
                said[event.agent.unwrap().index() % 3] += 1;
            }
        }
    }
    host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    assert!(said.iter().all(|&count| count > 10));
    for (team, words) in (0..).zip(said) {
        // Everybody hears all of the team's words but its own: three members, so twice the words in all.
        let heard: u32 = (0..3).map(|member| host.head(team + member * 3).messages).sum();
        assert_eq!(heard, words * 2);
    }
}

#[test]
fn hurts_wake_the_one_who_is_hurt() {
    let mut host = Host::new(
        LoopConfig {
            detail: [Detail {
                sense_every: 1,
                think_every: 600,
                coordinate_every: 1,
                act_every: 1,
                quota: Quota::default(),
            }; 4],
            ..LoopConfig::default()
        },
        1,
        3,
    );
    for _ in 0..30 {
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    let before: Vec<_> = (0..3).map(|key| host.head(key).thoughts).collect();
    host.brains.hurt(Hurt { who: host.agent(1), amount: 0.2, from: Vec3::X, at: Tick(0) });
    host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    let after: Vec<_> = (0..3).map(|key| host.head(key).thoughts).collect();
    assert_eq!(after, [before[0], before[1] + 1, before[2]]);
    assert_eq!(host.head(1).hurts, 1);
}

#[test]
fn facts_that_are_not_finite_are_not_taken() {
    let mut host = Host::new(every_tick(), 1, 1);
    let before = host.hash();
    host.brains.noise(Noise { position: Vec3::NAN, range_m: 5.0, by: None, at: Tick(0) });
    host.brains.noise(Noise { position: Vec3::X, range_m: f32::NAN, by: None, at: Tick(0) });
    host.brains.hurt(Hurt { who: host.agent(0), amount: f32::INFINITY, from: Vec3::X, at: Tick(0) });
    assert_eq!(host.hash(), before);
}
