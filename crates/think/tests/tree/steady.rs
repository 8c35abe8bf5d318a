//! Contract: steady ticks allocate nothing, and a waiting tree does nothing.

use sentir_core::state::hash;
use sentir_think::leaf::Status;
use sentir_think::tree::Tree;

use super::host::{Actor, Event, Script};
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
