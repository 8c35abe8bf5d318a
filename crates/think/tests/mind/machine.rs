//! Machines: order of ways in and out, priorities, times, history, shared states, bad files.

use sentir_core::state::{from_bytes, to_bytes};
use sentir_think::key::Keys;
use sentir_think::machine::{Machine, StateLibrary};

use super::host::{World, leaves};
use super::kind::{Brain, read, read_with, refused};

fn active(brain: &Brain) -> Vec<&str> {
    match brain {
        Brain::Machine(machine, state) => machine.active(state).collect(),
        _ => panic!("no machine"),
    }
}

fn think(brain: &mut Brain, world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.think(|thought| brain.tick(thought));
    }
}

const PHONE: &str = "
sentir: machine 1
keys: {phone: bool, alarm: bool}
start: watch_building
states:
  - name: watch_building
    history: HISTORY
    go: [{to: conversation, when: {key: $phone, \"==\": true}}]
    states:
      - name: outside
        states:
          - {name: at_gate, go: [{to: at_fence, after: 0.2}]}
          - {name: at_fence}
        go: [{to: inside, when: {key: $alarm, \"==\": true}}]
      - name: inside
        states:
          - {name: to_door, task: act, with: {what: door, for_s: 0.2}, go: [{to: to_safe, on: done}]}
          - {name: to_safe, task: act, with: {what: safe, for_s: 0.2}, go: [{to: to_door, on: done}]}
  - {name: conversation, task: act, with: {what: talk, for_s: 0.3, clears: $phone}, go: [{to: watch_building, on: done}]}
";

#[test]
fn a_call_leads_back_to_the_very_state_it_came_from() {
    for (history, expected) in [
        ("deep", ["to_safe", "inside", "watch_building"]),
        ("shallow", ["to_door", "inside", "watch_building"]),
        ("none", ["at_gate", "outside", "watch_building"]),
    ] {
        let mut brain = read(&PHONE.replace("HISTORY", history), "phone.yaml").unwrap();
        let mut world = World::new(brain.keys());
        world.set_bool("alarm", true);
        think(&mut brain, &mut world, 3);
        assert_eq!(active(&brain), ["to_safe", "inside", "watch_building"]);
        world.set_bool("phone", true);
        world.set_bool("alarm", false);
        think(&mut brain, &mut world, 2);
        assert_eq!(active(&brain), ["conversation"]);
        // The way back is in the block.
        let (block, around) = (brain.save(), to_bytes(&world.saved()));
        assert!(brain.load(&block));
        world.restore(from_bytes(&around).unwrap());
        think(&mut brain, &mut world, 2);
        assert_eq!(active(&brain), expected, "{history}");
    }
}

#[test]
fn states_are_entered_from_outside_in_and_left_from_inside_out() {
    let text = "
sentir: machine 1
keys: {out: bool}
states:
  - name: a
    enter: [{task: mark, with: {what: in_a}}]
    exit: [{task: mark, with: {what: out_a}}]
    go: [{to: b, when: {set: $out}}]
    states:
      - name: a1
        enter: [{task: mark, with: {what: in_a1}}]
        exit: [{task: mark, with: {what: out_a1}}, {task: act, with: {what: long}}]
        task: act
        with: {what: work}
  - {name: b, enter: [{task: mark, with: {what: in_b}}]}
";
    let mut brain = read(text, "order.yaml").unwrap();
    let mut world = World::new(brain.keys());
    think(&mut brain, &mut world, 2);
    world.set_bool("out", true);
    think(&mut brain, &mut world, 2);
    let known = ["in_a", "in_a1", "out_a1", "out_a", "in_b"];
    assert_eq!(world.body.names(&known), known);
    // The work and the long exit were broken off.
    assert_eq!(world.body.aborted, 2);
}

#[test]
fn outer_ways_come_first_then_priority_then_order() {
    let text = "
sentir: machine 1
keys: {go: bool}
states:
  - name: home
    go: [{to: outer, when: OUTER}]
    states:
      - name: room
        go:
          - {to: low, when: {set: $go}}
          - {to: high, when: {set: $go}, priority: 2}
          - {to: also_high, when: {set: $go}, priority: 2}
  - {name: low}
  - {name: high}
  - {name: also_high}
  - {name: outer}
";
    for (outer, expected) in [("{set: $go}", "outer"), ("{unset: $go}", "high")] {
        let text = text.replace("OUTER", outer);
        let mut brain = read(&text, "priority.yaml").unwrap();
        let mut world = World::new(brain.keys());
        world.set_bool("go", true);
        think(&mut brain, &mut world, 1);
        assert_eq!(active(&brain), [expected]);
    }
}

#[test]
fn a_reaction_takes_its_time_and_is_forgotten_when_the_cause_goes() {
    let text = "
sentir: machine 1
keys: {noise: bool}
states:
  - {name: calm, go: [{to: alert, when: {key: $noise, \"==\": true}, delay: 0.5 ± 0.2}]}
  - {name: alert}
";
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let mut brain = read(text, "delay.yaml").unwrap();
        let mut world = World::new(brain.keys());
        world.seed = seed;
        world.set_bool("noise", true);
        think(&mut brain, &mut world, 2);
        world.set_bool("noise", false);
        think(&mut brain, &mut world, 10);
        assert_eq!(active(&brain), ["calm"]);
        world.set_bool("noise", true);
        let mut ticks = 0;
        while active(&brain) == ["calm"] {
            think(&mut brain, &mut world, 1);
            ticks += 1;
        }
        // The tick of the noise, and 3 to 7 more.
        assert!((4..=8).contains(&ticks), "{ticks}");
        seen.insert(ticks);
    }
    assert_eq!(seen.len(), 5);
}

#[test]
fn states_of_one_machine_can_be_used_by_another() {
    let common = "
sentir: machine 1
keys: {phone: bool}
states:
  - name: call
    task: act
    with: {what: talk, for_s: 0.2, clears: $phone}
    go: [{to: home, on: done}]
  - {name: home, go: [{to: call, when: {set: $phone}}]}
";
    let keys = read(common, "common.yaml").unwrap().keys().clone();
    let library = Machine::read_library(common.as_bytes(), "common.yaml", &keys, &leaves()).unwrap();
    let guard = "
sentir: machine 1
states:
  - {name: home, task: act, with: {what: walk}, go: [{to: call, when: {key: $phone, \"==\": true}}]}
  - {name: call, use: call}
";
    let mut brain = read_with(guard, "guard.yaml", &keys, &library).unwrap();
    let mut world = World::new(brain.keys());
    think(&mut brain, &mut world, 1);
    world.set_bool("phone", true);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("talk"));
    think(&mut brain, &mut world, 2);
    assert!(world.shows("walk"));
    let wrong = guard.replace("use: call", "use: cal");
    let refused = read_with(&wrong, "guard.yaml", &keys, &library).err().unwrap().to_string();
    assert_eq!(refused, "guard.yaml:5:23: unknown shared state `cal` (did you mean `call`?): expected `call`, `home`");
}

#[test]
fn the_ghost_patrols_chases_and_flees() {
    let mut brain = read(include_str!("../../assets/ghost.yaml"), "ghost.yaml").unwrap();
    let mut world = World::new(brain.keys());
    for (sees, edible, ticks, expected) in [
        (false, false, 2, "patrol"),
        (true, false, 2, "chase"),
        // Out of sight is not out of mind at once.
        (false, false, 3, "chase"),
        (false, false, 1, "patrol"),
        (true, true, 2, "flee"),
        (true, false, 1, "chase"),
        (false, true, 1, "flee"),
        (false, false, 1, "patrol"),
    ] {
        world.set_bool("sees", sees);
        world.set_bool("edible", edible);
        for _ in 0..ticks {
            think(&mut brain, &mut world, 1);
            assert!(world.shows(expected), "{sees}, {edible}: {expected}");
        }
    }
}

#[test]
fn machines_made_by_code_run_alike() {
    use sentir_think::clause::Clause;
    use sentir_think::key::{KeySpec, Scope};
    use sentir_think::machine::{MachineSpec, StateSpec, TransitionSpec};
    use sentir_think::test::Test;
    let keys = Keys::build([KeySpec::new::<bool>("enemy", Scope::Own)]).unwrap();
    let enemy = keys.any("enemy").unwrap();
    let mut idle = StateSpec::new("idle");
    idle.go.push(TransitionSpec::new("chase", Clause::Test(Test::IsSet(enemy))));
    let mut chase = StateSpec::new("chase");
    chase.go.push(TransitionSpec::new("idle", Clause::Test(Test::IsUnset(enemy))));
    let spec = MachineSpec { states: vec![idle, chase], start: None, any: Vec::new() };
    let machine: Machine<super::host::Game> = Machine::build(spec, keys.clone()).unwrap();
    let state = machine.start();
    let mut brain = Brain::Machine(machine, state);
    let mut world = World::new(&keys);
    think(&mut brain, &mut world, 1);
    assert_eq!(active(&brain), ["idle"]);
    world.set_bool("enemy", true);
    think(&mut brain, &mut world, 1);
    assert_eq!(active(&brain), ["chase"]);
    let _unused: StateLibrary<super::host::Game> = StateLibrary::new();
}

#[test]
fn bad_machines_say_what_and_where() {
    let states =
        |states: &str| refused(&format!("sentir: machine 1\nkeys: {{seen: bool, health: float}}\nstates:\n{states}"));
    assert_eq!(
        states("  - {name: a, go: [{to: bb, when: {set: $seen}}]}\n  - {name: b}\n"),
        "brain.yaml:4:25: unknown state `bb` (did you mean `b`?): expected `a`, `b`"
    );
    assert_eq!(
        states("  - {name: a, task: atc}\n"),
        "brain.yaml:4:21: unknown task `atc` (did you mean `act`?): expected `act`, `mark`, `patrol`"
    );
    assert_eq!(
        states("  - {name: a, task: act, with: {what: x, for_s: long}}\n"),
        "brain.yaml:4:49: found text: expected a number"
    );
    assert_eq!(
        states("  - {name: a, task: act, with: {wat: x}}\n"),
        "brain.yaml:4:33: unknown key `wat` (did you mean `what`?): expected `what`, `for_s`, `clears`, `sets`, `forgets`, `fails`"
    );
    assert!(states("  - {name: a, go: [{to: a, when: {set: $sen}}]}\n").starts_with(
        "brain.yaml:4:40: unknown blackboard key `sen` (did you mean `seen`?): expected `seen`, `health`"
    ));
    assert_eq!(
        states("  - {name: a}\n  - {name: b}\n"),
        "brain.yaml:5:5: `b` is out of reach: no transition leads there"
    );
    assert_eq!(
        states("  - {name: a, go: [{to: b}]}\n  - {name: b, go: [{to: a}]}\n"),
        "brain.yaml:4:5: `a` goes round in a cycle: expected a condition or a time"
    );
    assert_eq!(
        states("  - {name: a}\n  - {name: a}\n"),
        "brain.yaml:5:5: two states are called `a`: expected every name once"
    );
    assert_eq!(
        states("  - {name: a, task: act, with: {what: x}, states: [{name: b}]}\n"),
        "brain.yaml:4:5: `a` has a task and states: expected one or the other"
    );
    assert_eq!(
        states("  - {name: a, start: c, states: [{name: b}]}\n"),
        "brain.yaml:4:22: unknown state `c` (did you mean `b`?): expected `b`"
    );
    assert_eq!(
        states("  - {name: a, history: dep, states: [{name: b}]}\n"),
        "brain.yaml:4:24: unknown history `dep` (did you mean `deep`?): expected `none`, `shallow`, `deep`"
    );
    assert_eq!(
        states("  - {name: a, go: [{to: a, after: 1, delay: 1}]}\n"),
        "brain.yaml:4:25: `after` and `delay` at once: expected one of them"
    );
    assert_eq!(
        states("  - {name: a}\nany: [{to: a, after: 1}]\n"),
        "brain.yaml:5:12: `after` counts from entering a state, and `any` belongs to none: expected `delay`, or a state's own"
    );
    assert_eq!(
        states("  - {name: a, go: [{to: a, when: {sett: $seen}}]}\n"),
        "brain.yaml:4:35: unknown condition `sett` (did you mean `set`?): expected `check`, `set`, `unset`, `key`, `at`, `not`, `all`, `any`"
    );
    assert_eq!(
        states("  - {name: a, go: [{to: a, after: soon}]}\n"),
        "brain.yaml:4:35: not a time: expected seconds, as in 2, [2, 0.5] or 2 ± 0.5, none negative"
    );
    assert_eq!(
        refused("sentir: machine 1\nstates: []\n"),
        "brain.yaml: the machine has no states: expected at least one"
    );
    assert_eq!(
        refused("sentir: machine 2\nstates: []\n"),
        "brain.yaml:1:9: version 2 of `machine` is newer than this program: expected 1"
    );
    assert_eq!(refused("sentir: machine 1\n"), "brain.yaml:1:1: `states` is missing");
}

#[test]
fn a_reaction_from_any_state_takes_its_time_every_time() {
    let text = "sentir: machine 1\nkeys: {p: bool, q: bool}\nany: [{to: f, when: {key: $p, '==': true}, delay: 0.5}]\nstates:\n  - {name: s, task: act, with: {what: a}, go: [{to: f, when: {key: $q, '==': true}}]}\n  - {name: f, task: act, with: {what: b, for_s: 1, clears: $q}, go: [{to: s, on: done}]}\n";
    let mut brain = read(text, "brain.yaml").unwrap();
    let mut world = World::new(brain.keys());
    world.set_bool("p", true);
    let mut shown = |world: &mut World, ticks: u32| -> String {
        let one = |_| {
            think(&mut brain, world, 1);
            if world.shows("a") { 'a' } else { 'b' }
        };
        (0..ticks).map(one).collect()
    };
    assert_eq!(shown(&mut world, 33), "aaaaabbbbbbbbbbaaaaabbbbbbbbbbaaa");
    // Also when another way led there while it was being waited for.
    world.set_bool("q", true);
    assert_eq!(shown(&mut world, 17), "bbbbbbbbbbaaaaabb");
}

#[test]
fn two_states_with_one_id_are_refused() {
    assert_eq!(
        refused(
            "sentir: machine 1\nstates:\n  - {name: a, id: x, go: [{to: c, after: 1}]}\n  - name: b\n    states:\n      - {name: c, id: x}\n"
        ),
        "brain.yaml:6:9: `c` has the id `x`, as `a` at 3:5 has: expected every id once"
    );
}
