//! Contract: on any tree the engine does what the twin does, tick by tick; every started task ends or is aborted exactly
//! once; a block that was saved and loaded in the middle goes on in the same way.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sentir_core::random::{Purpose, Streams};
use sentir_core::state::{from_bytes, hash, to_bytes};
use sentir_core::tick::Tick;
use sentir_think::leaf::Status;
use sentir_think::tree::Tree;
use sentir_think::tree::asset::KINDS;

use super::host::{Actor, Event, LEAVES, Notes, Script, Stage};
use super::shape::{Shape, any_shape, spec};
use super::twin::{Twin, World};

pub fn built(shape: &Shape, actor: &Actor) -> Option<Tree<Stage>> {
    Tree::build(spec(shape, &actor.keys)).ok()
}

/// Which keys the outside changes before that tick.
fn changes(seed: u64, tick: u64) -> Vec<(u8, bool)> {
    let mut random = Streams { seed }.at(0, Purpose::new("changes"), Tick(tick));
    let count = if random.chance(0.4) { 1 + random.below(2) } else { 0 };
    (0..count).map(|_| (random.below(5) as u8, random.chance(0.5))).collect()
}

/// Starts and ends of every task, by letter: a started one ends or is aborted once. A letter may stand in several places.
#[derive(Default)]
struct Ledger {
    open: [i64; LEAVES],
}

impl Ledger {
    /// Takes in the events of a tick; `ended` are the ticks after which a task was done.
    fn take(&mut self, events: &[Event], script: &Script, tick: u64) {
        for event in events {
            match *event {
                Event::Start(leaf) => self.open[usize::from(leaf)] += 1,
                Event::Abort(leaf, ticks) => {
                    assert!(ticks > 0, "an aborted task was ticked once at least");
                    self.open[usize::from(leaf)] -= 1;
                }
                Event::Tick(leaf, _) => {
                    // With a script by chance the answer depends on leaf and tick alone.
                    if script.task(leaf, 0, tick).0 != Status::Running {
                        self.open[usize::from(leaf)] -= 1;
                    }
                }
                Event::Serve(..) => {}
            }
        }
        assert!(self.open.iter().all(|&open| open >= 0), "something ended that had not started");
    }
}

fn follow(shape: &Shape, seed: u64, ticks: u64) -> Result<bool, TestCaseError> {
    let mut actor = Actor::new(seed);
    let Some(tree) = built(shape, &actor) else { return Ok(false) };
    let script = Script::Chance(seed);
    let mut twin = Twin::new(shape, &mut tree.labels().map(|(id, _)| id));
    let (mut notes, mut keys, mut posts) = (Notes::default(), [false; 5], Vec::new());
    let mut ledger = Ledger::default();
    for tick in 0..ticks {
        for (key, value) in changes(seed, tick) {
            actor.set(key, value);
            keys[usize::from(key)] = value;
        }
        let status = actor.step(&tree, &script);
        let mut world = World { script: &script, notes: &mut notes, keys: &mut keys, posts: &mut posts, tick, seed };
        let expected = twin.tick(&mut world);
        prop_assert_eq!(status, expected, "tick {}", tick);
        prop_assert_eq!(&actor.notes.events, &notes.events, "tick {}", tick);
        for (key, value) in posts.drain(..) {
            keys[usize::from(key)] = value;
        }
        let mut running = Vec::new();
        twin.running(&mut running);
        prop_assert_eq!(tree.active(&actor.state).collect::<Vec<_>>(), running, "tick {}", tick);
        ledger.take(&actor.notes.events, &script, tick);
        if status != Status::Running {
            prop_assert!(ledger.open.iter().all(|&open| open == 0), "the tree is done and a task is not");
        }
        if tick % 16 == 7 {
            let bytes = to_bytes(&actor.state);
            actor.state = from_bytes(&bytes).unwrap();
            prop_assert_eq!(to_bytes(&actor.state), bytes);
        }
        actor.notes.events.clear();
        notes.events.clear();
    }
    actor.with(&script, |state, thought| tree.stop(state, thought));
    ledger.take(&actor.notes.events, &script, ticks);
    prop_assert!(ledger.open.iter().all(|&open| open == 0), "all is ended when the tree is stopped");
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_engine_does_what_the_twin_does(shape in any_shape(), seed in any::<u64>()) {
        follow(&shape, seed, 60)?;
    }

    #[test]
    fn listening_to_reasons_changes_no_hash(shape in any_shape(), seed in any::<u64>()) {
        let (mut deaf, script) = (Actor::new(seed), Script::Chance(seed));
        let mut listening = deaf.clone();
        listening.why.listen(true);
        if let Some(tree) = built(&shape, &deaf) {
            for tick in 0..30 {
                for (key, value) in changes(seed, tick) {
                    deaf.set(key, value);
                    listening.set(key, value);
                }
                prop_assert_eq!(deaf.step(&tree, &script), listening.step(&tree, &script));
                prop_assert_eq!(hash(&deaf.state), hash(&listening.state));
                prop_assert_eq!(hash(&deaf.own), hash(&listening.own));
            }
            prop_assert_eq!(deaf.notes.events, listening.notes.events);
            prop_assert!(deaf.why.entries().is_empty());
        }
    }

    #[test]
    fn damaged_blocks_never_panic(shape in any_shape(), seed in any::<u64>(), flips in proptest::collection::vec(any::<(u16, u8)>(), 1..8)) {
        let (mut actor, script) = (Actor::new(seed), Script::Chance(seed));
        if let Some(tree) = built(&shape, &actor) {
            for tick in 0..20 {
                actor.step(&tree, &script);
                let mut bytes = to_bytes(&actor.state);
                for (at, value) in &flips {
                    let length = bytes.len();
                    bytes[usize::from(*at) % length] ^= value;
                }
                if let Ok(state) = from_bytes(&bytes) {
                    actor.state = state;
                }
                prop_assert!(actor.tick == tick + 1);
            }
        }
    }
}

#[test]
fn every_field_of_a_block_is_in_its_hash() {
    let mut actor = Actor::new(3);
    let shape = super::shape::parse("par.n.n(sel(when.p.both(a),b),wsel(c,d),serve.z.2(cool.3(wait.9)),e)");
    let tree = built(&shape, &actor).unwrap();
    actor.step(&tree, &Script::Chance(5));
    let found = sentir_core::state::perturb(&actor.state);
    assert!(found.len() > 20 && found.iter().all(|one| one.outcome != sentir_core::state::Noticed::No));
    assert!(found.iter().all(|one| one.is_shape || one.outcome == sentir_core::state::Noticed::Yes));
}

#[test]
fn random_trees_keep_their_invariants_for_100_000_ticks() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let (mut followed, mut kinds) = (0, BTreeSet::new());
    for seed in 0.. {
        let shape = any_shape().new_tree(&mut runner).unwrap().current();
        if follow(&shape, seed, 1000).unwrap() {
            followed += 1;
            let tree = built(&shape, &Actor::new(seed)).unwrap();
            kinds.extend(tree.labels().map(|(_, label)| label.kind));
        }
        if followed == 100 {
            break;
        }
    }
    assert_eq!(followed * 1000, 100_000);
    // All but `clear`, which is a `set`, and `subtree`, which leaves no node.
    let all = KINDS.iter().map(|(name, ..)| *name).filter(|name| !["clear", "subtree"].contains(name));
    assert_eq!(kinds, all.collect(), "every kind of node was in one of them");
}
