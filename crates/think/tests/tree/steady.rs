//! Contract: steady ticks allocate nothing, and a waiting tree does nothing.

use sentir_core::id::AgentId;
use sentir_core::random::Streams;
use sentir_core::state::hash;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::{Blackboard, Board};
use sentir_think::key::{AnyKey, KeySet};
use sentir_think::leaf::Status;
use sentir_think::sleep::Sleepers;
use sentir_think::thought::Thought;
use sentir_think::tree::{Tree, TreeState};
use sentir_think::value::Value;

use super::host::{Actor, Event, Notes, Script, Stage};
use super::shape::{parse, spec};

#[test]
fn steady_ticks_allocate_nothing() {
    let shapes = [
        "rsel(when.p.both(a),seq(?b,c),wsel(d,e),util(f,g,h),par.n.n(i,j),k)",
        "sel(cool.2.lower(a),when.p.both(b),seq(rndsel(c,d),delay.1(e)),serve.z.1(limit.3(loop(f))))",
        "par.n.n(rep.3(a),untils(b),catch.2(c),runs.3(d),prob.5(e),wait.3,if.f(log(g)))",
    ];
    for text in shapes {
        let mut actor = Actor::new(5);
        let tree = Tree::build(spec(&parse(text), &actor.keys)).unwrap();
        let script = Script::Chance(9);
        // The notes of the test itself.
        actor.notes.events.reserve(256);
        let mut run = |ticks: u64| {
            for tick in 0..ticks {
                actor.set((tick % 3) as u8, tick % 7 < 3);
                actor.notes.events.clear();
                actor.step(&tree, &script);
            }
        };
        run(200);
        let counted = allocation_counter::measure(|| run(500));
        assert_eq!(counted.count_total, 0, "{text}");
    }
}

#[test]
fn a_waiting_tree_changes_nothing_and_wakes_in_time() {
    let mut actor = Actor::new(1);
    let tree = Tree::build(spec(&parse("sel(when.p.both(a),seq(wait.50,b))"), &actor.keys)).unwrap();
    let script = Script::Letters(vec![b"R".to_vec(); super::host::LEAVES]);
    actor.step(&tree, &script);
    assert_eq!(actor.state.wake().0, 50);
    let before = hash(&actor.state);
    for _ in 1..50 {
        // A key that nobody observes now wakes nobody.
        actor.set(1, actor.tick & 1 == 0);
        assert_eq!(actor.step(&tree, &script), Status::Running);
        assert_eq!(hash(&actor.state), before);
    }
    assert!(actor.notes.events.is_empty());
    actor.step(&tree, &script);
    assert_eq!(actor.notes.events.len(), 2, "the wait is over and the task starts");
}

#[test]
fn a_change_of_another_shared_key_wakes_nobody() {
    let mut actor = Actor::new(1);
    let tree = Tree::build(spec(&parse("sel(when.t.both(a),seq(b,when.w.both(c)),seq(wait.50,d))"), &actor.keys));
    assert!(tree.is_err(), "an observer of lower branches stands under a selector");
    let tree =
        Tree::build(spec(&parse("sel(when.t.both(a),seq(wait.50,sel(when.w.both(b),c)))"), &actor.keys)).unwrap();
    let script = Script::Letters(vec![b"R".to_vec(); super::host::LEAVES]);
    actor.step(&tree, &script);
    let before = hash(&actor.state);
    for _ in 1..20 {
        // The other observer is not on the way of what runs: its key, on a shared board as well, matters to nobody.
        actor.set(4, actor.tick & 1 == 0);
        assert_eq!(actor.step(&tree, &script), Status::Running);
        assert_eq!(hash(&actor.state), before);
    }
    actor.set(3, true);
    actor.step(&tree, &script);
    assert_eq!(actor.notes.events, [Event::Start(0), Event::Tick(0, 1)], "the one that is watched wakes it");
}

/// An agent among many: its board and its block.
struct Agent {
    own: Blackboard,
    state: TreeState,
    ticked: u32,
}

/// The crowd of the next test.
struct Crowd {
    trees: Vec<Tree<Stage>>,
    agents: Vec<Agent>,
    team: Blackboard,
    world: Blackboard,
    events: u64,
}

impl Crowd {
    fn new(count: usize) -> Crowd {
        let keys = Actor::new(1).keys;
        let shape = |wait: u32| format!("sel(when.p.both(a),when.t.both(b),loop(seq(wait.{wait},c)))");
        let trees = (3..13).map(|wait| Tree::build(spec(&parse(&shape(wait * 5)), &keys)).unwrap()).collect();
        let board = Blackboard::new(&super::host::keys());
        let agent = |_| Agent { own: board.clone(), state: TreeState::default(), ticked: 0 };
        let mut team = board.clone();
        team.put(keys[5], Some(Value::Int(2)));
        Crowd { trees, agents: (0..count).map(agent).collect(), team, world: board.clone(), events: 0 }
    }

    fn tick(&mut self, slot: usize, tick: u64, script: &Script) {
        let agent = &mut self.agents[slot];
        let board = Board { own: &mut agent.own, team: &self.team, world: &self.world };
        let (mut notes, mut why) = (Notes::default(), WhyLog::default());
        let now = (AgentId::from_bits(slot as u64), Tick(tick), TickRate::new(1));
        let mut thought = Thought::new(now, script, &mut notes, board, Streams { seed: 1 }, &mut why);
        self.trees[slot % 10].tick(&mut agent.state, &mut thought);
        agent.ticked += 1;
        self.events += notes.events.len() as u64;
    }

    /// What the world writes before a tick: to some own boards, and once to the team's. The slots and shared keys written.
    fn write(&mut self, tick: u64, keys: &[AnyKey]) -> (Vec<usize>, KeySet) {
        let slots: Vec<usize> =
            (0..5).map(|number| (tick as usize * 7919 + number * 104_729) % self.agents.len()).collect();
        for &slot in &slots {
            let key = if slot % 3 == 0 { 0 } else { 1 };
            self.agents[slot].own.put(keys[key], Some(super::host::value(key as u8, tick.is_multiple_of(2))));
        }
        let mut changed = KeySet::default();
        if tick == 40 || tick == 43 {
            self.team.put(keys[3], Some(super::host::value(3, tick == 40)));
            changed.insert(keys[3]);
        }
        (slots, changed)
    }
}

#[test]
fn of_a_hundred_thousand_waiting_trees_only_those_are_ticked_that_are_due_or_were_written_to() {
    const COUNT: usize = 100_000;
    let (script, keys) = (Script::Letters(vec![b"9".to_vec(), b"9".to_vec(), b"S".to_vec()]), Actor::new(1).keys);
    let (mut all, mut few) = (Crowd::new(COUNT), Crowd::new(COUNT));
    let (mut sleepers, mut due) = (Sleepers::default(), Vec::new());
    (0..COUNT as u32).for_each(|slot| sleepers.sleep(slot, Tick(0), KeySet::default()));
    let mut calm = 0;
    for tick in 1..60 {
        all.write(tick, &keys);
        (0..COUNT).for_each(|slot| all.tick(slot, tick, &script));
        let (slots, changed) = few.write(tick, &keys);
        for slot in slots {
            if few.agents[slot].state.watch().meets(few.agents[slot].own.dirty()) {
                sleepers.rouse(slot as u32);
            }
        }
        if !changed.is_empty() {
            sleepers.rouse_watchers(&changed);
        }
        due.clear();
        sleepers.advance(Tick(tick), &mut due);
        for &slot in &due {
            few.tick(slot as usize, tick, &script);
            let state = &few.agents[slot as usize].state;
            sleepers.sleep(slot, state.wake(), *state.watch());
        }
        calm += usize::from(due.len() < COUNT / 1000);
    }
    assert_eq!(few.events, all.events);
    assert!((0..COUNT).all(|slot| {
        let active = |crowd: &Crowd| crowd.trees[slot % 10].active(&crowd.agents[slot].state).collect::<Vec<_>>();
        active(&few) == active(&all)
    }));
    let (ticked, every): (u32, u32) =
        (few.agents.iter().map(|one| one.ticked).sum(), all.agents.iter().map(|one| one.ticked).sum());
    assert!(calm > 30 && ticked < every / 4, "{ticked} of {every}, {calm} ticks with next to nothing to do");
}
