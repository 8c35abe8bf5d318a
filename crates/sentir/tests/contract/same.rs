//! Same bits: for any number of threads, across snapshots, without caches, with reasons on; and nothing allocated.

use crate::village::{Gossip, Host, Threads, Village};
use sentir::core::state::{self, Noticed, Schema, leaves, perturb};
use sentir::prelude::*;

fn config() -> LoopConfig {
    LoopConfig::default()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |pool: &dyn Pool| {
        let mut host = Host::new(config(), 7, 300);
        (0..150)
            .map(|_| {
                host.step(pool);
                (host.hash(), host.scratch.events().to_vec())
            })
            .collect::<Vec<_>>()
    };
    let alone = run(&Serial);
    for width in 2..=4 {
        let pool = Threads::new(width);
        assert!(run(&pool) == alone, "{width} threads differ");
        let most = pool.most_at_once.load(std::sync::atomic::Ordering::SeqCst);
        assert!(most > 1, "{width} threads never worked at the same time");
    }
}

#[test]
fn another_seed_gives_another_world() {
    let run = |seed| {
        let mut host = Host::new(config(), seed, 5);
        (0..60).for_each(|_| host.step(&Serial));
        host.hash()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_restored_world_goes_on_as_the_original() {
    let mut host = Host::new(config(), 3, 40);
    let mut random = Streams { seed: 99 }.stream(0, Purpose::new("ticks"));
    let mut saved = Vec::new();
    let mut hashes = Vec::new();
    for tick in 0..300u64 {
        if random.chance(20.0 / 300.0) {
            saved.push((tick, host.brains.snapshot()));
        }
        host.step(&Serial);
        hashes.push(host.hash());
    }
    assert!(saved.len() >= 10);
    for (tick, file) in saved {
        let brains = Loop::<Village>::restore(&file).unwrap();
        let mut again = Host { brains, scratch: Scratch::default() };
        for later in tick..300 {
            again.step(&Serial);
            assert_eq!(again.hash(), hashes[later as usize], "saved at {tick}, differs at {later}");
        }
    }
}

#[test]
fn dropping_the_scratch_at_any_tick_changes_nothing() {
    let (mut kept, mut dropped) = (Host::new(config(), 5, 60), Host::new(config(), 5, 60));
    for _ in 0..120 {
        kept.step(&Serial);
        dropped.scratch = Scratch::default();
        dropped.step(&Serial);
        assert_eq!(kept.hash(), dropped.hash());
        assert_eq!(kept.scratch.events(), dropped.scratch.events());
    }
}

#[test]
fn listening_to_reasons_changes_nothing_and_hears_the_same_on_any_pool() {
    let (mut deaf, mut all_ears) = (Host::new(config(), 5, 200), Host::new(config(), 5, 200));
    let mut on_threads = Host::new(config(), 5, 200);
    all_ears.scratch.listen(true);
    on_threads.scratch.listen(true);
    let pool = Threads::new(3);
    for _ in 0..120 {
        deaf.step(&Serial);
        all_ears.step(&Serial);
        on_threads.step(&pool);
        assert_eq!(deaf.hash(), all_ears.hash());
    }
    assert!(deaf.scratch.whys().entries().is_empty());
    let heard = all_ears.scratch.whys().entries();
    assert!(heard.iter().any(|one| matches!(one.why, Why::Because(Reason { what: "restless", .. }))));
    assert!(heard.iter().any(|one| matches!(one.why, Why::Overruled(_))));
    assert!(heard == on_threads.scratch.whys().entries());
    all_ears.scratch.forget();
    assert!(all_ears.scratch.whys().entries().is_empty());
}

#[test]
fn every_field_of_a_living_world_counts() {
    let mut config = config();
    config.detail.iter_mut().for_each(|detail| detail.coordinate_every = 7);
    let mut host = Host::new(config, 11, 4);
    for _ in 0..200 {
        host.step(&Serial);
    }
    host.brains.noise(Noise { position: Vec3::ONE, range_m: 2.0, by: Some(host.agent(1)), at: Tick(0) });
    host.brains.hurt(Hurt { who: host.agent(0), amount: 0.5, from: Vec3::X, at: Tick(0) });
    host.brains.pause_agent(host.agent(3), true);
    let report = perturb(&host.brains);
    assert_eq!(report.len(), leaves(&host.brains).iter().filter(|leaf| !leaf.span.is_empty()).count());
    assert!(report.len() > 200, "the world is too small to tell");
    for one in &report {
        match &one.outcome {
            Noticed::Yes => {}
            // Lengths, variants, ids and keys that must fit together, and numbers that must be finite.
            Noticed::Refused(why) => {
                let is_checked = ["agent", "key", "team", "squad", "members", "generation", "free", "rate"];
                let may = one.is_shape || is_checked.iter().any(|word| one.path.contains(word));
                assert!(may, "{} was refused: {why}", one.path);
            }
            Noticed::No => panic!("{} can change unnoticed", one.path),
        }
    }
}

#[test]
fn a_difference_names_the_path_of_the_field() {
    let (mut left, mut right) = (Host::new(config(), 1, 3), Host::new(config(), 1, 3));
    assert_eq!(state::diff(&left.brains, &right.brains, 5), []);
    let (first, second) = (left.agent(1), right.agent(1));
    left.brains.notify(first, Gossip::Rumor(0));
    right.brains.notify(second, Gossip::Rumor(9));
    let found = state::diff(&left.brains, &right.brains, 5);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].to_string(), "agents.entries[1].value.inbox[0].0: 0 and 9");
}

#[test]
fn a_snapshot_of_another_mind_is_refused() {
    let file = Host::new(config(), 1, 2).brains.snapshot();
    let error = Loop::<()>::restore(&file).err().unwrap().to_string();
    assert!(error.starts_with("the snapshot was written by sentir"), "{error}");
    assert_ne!(Schema::of::<Loop<Village>>(), Schema::of::<Loop<()>>());
    assert_eq!(Loop::<()>::restore(&[]).err().unwrap().to_string(), "the snapshot is empty");
}

#[test]
fn steady_ticks_allocate_nothing() {
    let mut host = Host::new(config(), 7, 100);
    // Lists find their size when everybody has met everybody, and everything happened a few times.
    for key in 0..100 {
        let agent = host.agent(key);
        host.brains.teleport(agent, Pose::default());
    }
    for _ in 0..6000 {
        host.step(&Serial);
    }
    let counted = allocation_counter::measure(|| (0..600).for_each(|_| host.step(&Serial)));
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn spawning_in_the_place_of_the_dead_allocates_nothing_but_inboxes() {
    let mut host = Host::new(config(), 7, 50);
    let round = |host: &mut Host| {
        for key in 0..50 {
            let agent = host.agent(key);
            host.brains.despawn_into(agent, &mut host.scratch);
        }
        for key in 0..50 {
            host.brains.spawn_from(AgentSpec::new(HostKey(key)), Default::default(), &mut host.scratch).unwrap();
        }
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    };
    (0..200).for_each(|_| round(&mut host));
    let counted = allocation_counter::measure(|| (0..10).for_each(|_| round(&mut host)));
    // The list of who is told something for the first time, whose type only the mind knows.
    assert!(counted.count_total <= 10 * 50 && counted.count_max <= 50, "{counted:?}");
}

#[test]
fn worlds_side_by_side_do_not_meet() {
    let mut alone = Host::new(config(), 1, 10);
    let (mut first, mut second) = (Host::new(config(), 1, 10), Host::new(config(), 2, 30));
    for _ in 0..100 {
        alone.step(&Serial);
        second.step(&Serial);
        first.step(&Serial);
        assert_eq!(alone.hash(), first.hash());
    }
}
