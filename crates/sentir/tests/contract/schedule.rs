//! Level of detail and quotas: by what the host says, in nominal work, without side effects on others.

use crate::village::{Host, Village};
use sentir::prelude::*;

#[test]
fn importance_sets_how_often_an_agent_thinks() {
    let mut host = Host::new(LoopConfig::default(), 1, 4);
    for _ in 0..600 {
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    // Full, Near, Far, Least: every 6, 12, 30 and 60 ticks.
    assert_eq!([0, 1, 2, 3].map(|key| host.head(key).thoughts), [100, 50, 20, 10]);
}

#[test]
fn an_agent_that_becomes_important_thinks_soon() {
    let mut host = Host::new(LoopConfig::default(), 1, 4);
    for _ in 0..100 {
        host.step(&Serial);
    }
    let agent = host.agent(3);
    assert!(host.brains.set_importance(agent, Importance::Full));
    let before = host.head(3).thoughts;
    for _ in 0..6 {
        host.step(&Serial);
    }
    assert_eq!(host.head(3).thoughts, before + 1);
}

#[test]
fn motion_holds_between_two_acts() {
    let mut host = Host::new(LoopConfig::default(), 1, 4);
    for _ in 0..120 {
        host.step(&Serial);
    }
    let agent = host.agent(3);
    let mut held = 0;
    let mut last = *host.brains.motion(agent).unwrap();
    for _ in 0..40 {
        host.step(&Serial);
        let now = *host.brains.motion(agent).unwrap();
        held += u32::from(now == last);
        last = now;
    }
    assert!((29..=33).contains(&held), "an act every 4 ticks holds for 3, so 30 of 40; it was {held}");
}

#[test]
fn work_past_the_quota_is_refused_and_told() {
    let mut config = LoopConfig::every_tick(TickRate::new(60));
    for detail in &mut config.detail {
        detail.quota.sense = 3;
    }
    let mut host = Host::new(config, 1, 9);
    for key in 0..9 {
        let agent = host.agent(key);
        host.brains.teleport(agent, Pose { position: Vec3::X * key as f32 * 0.1, yaw: 0.0 });
    }
    host.scratch.listen(true);
    host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    for key in 0..9 {
        assert_eq!(host.brains.beliefs(host.agent(key)).unwrap().others().len(), 3);
    }
    let refused =
        host.scratch.whys().entries().iter().filter(|one| matches!(one.why, Why::OutOfBudget { left: 0, .. }));
    assert_eq!(refused.count(), 9 * 5);
}

#[test]
fn one_agents_quota_is_no_affair_of_another() {
    // Two worlds that differ in what agent 0 may do: the others cannot tell.
    let run = |quota| {
        let mut config = LoopConfig::every_tick(TickRate::new(60));
        config.detail[Importance::Least as usize].quota.sense = quota;
        let mut host = Host::new(config, 1, 6);
        for key in 0..6 {
            let agent = host.agent(key);
            let importance = if key == 0 { Importance::Least } else { Importance::Full };
            host.brains.set_importance(agent, importance);
            host.brains.teleport(agent, Pose { position: Vec3::X * key as f32 * 0.1, yaw: 0.0 });
        }
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
        let known = |key| host.brains.beliefs(host.agent(key)).unwrap().clone();
        (known(0).others().len(), (1..6).map(known).collect::<Vec<_>>())
    };
    let (poor, poor_others) = run(0);
    let (rich, rich_others) = run(64);
    assert_eq!((poor, rich), (0, 5));
    assert_eq!(poor_others, rich_others);
}

#[test]
fn neighbors_are_the_same_with_and_without_the_index() {
    let run = |cell_m| {
        let mut host =
            Host::new(LoopConfig { index_cell_m: cell_m, ..LoopConfig::every_tick(TickRate::new(60)) }, 3, 40);
        (0..60).for_each(|_| host.step(&Serial));
        (0..40).map(|key| host.brains.beliefs(host.agent(key)).unwrap().others().to_vec()).collect::<Vec<_>>()
    };
    let indexed = run(3.0);
    assert!(indexed.iter().any(|others| others.len() > 1));
    assert_eq!(indexed, run(0.0));
}
