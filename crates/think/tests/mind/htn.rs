//! Brains of tasks: the soldier of the sources, interruption, mending, pausing, bad files.

use sentir_think::leaf::Status;

use super::host::World;
use super::kind::{Brain, read, refused};

fn brain(text: &str) -> (Brain, World) {
    let brain = read(text, "tasks.yaml").unwrap();
    let world = World::new(brain.keys());
    (brain, world)
}

fn plan(brain: &Brain) -> Vec<&str> {
    match brain {
        Brain::Htn(htn, state, _) => htn.plan(state).collect(),
        _ => panic!("no planner"),
    }
}

fn think(brain: &mut Brain, world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.think(|thought| brain.tick(thought));
    }
}

fn soldier() -> (Brain, World) {
    let (brain, mut world) = brain(include_str!("../../assets/soldier.yaml"));
    for (key, value) in [("enemy", false), ("rifle", true), ("near", false)] {
        world.set_bool(key, value);
    }
    world.set_int("ammo", 2);
    (brain, world)
}

#[test]
fn the_soldier_shoots_while_it_has_ammunition_and_then_uses_its_knife() {
    let (mut brain, mut world) = soldier();
    think(&mut brain, &mut world, 2);
    assert_eq!(plan(&brain), ["patrol"]);
    world.set_bool("enemy", true);
    think(&mut brain, &mut world, 1);
    assert_eq!(plan(&brain), ["aim", "shoot"]);
    // Two shots of three ticks each; the ammunition is written down as it is used.
    think(&mut brain, &mut world, 6);
    assert_eq!(world.own.get(world.keys.key::<i32>("ammo").unwrap()), Some(0));
    assert_eq!(plan(&brain), ["run", "stab"]);
    think(&mut brain, &mut world, 3);
    assert!(world.shows("stab"));
    world.set_bool("enemy", false);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("patrol"));
}

#[test]
fn a_better_method_takes_over_as_soon_as_it_can() {
    let (mut brain, mut world) = soldier();
    world.set_int("ammo", 0);
    world.set_bool("enemy", true);
    think(&mut brain, &mut world, 2);
    assert!(world.shows("run"));
    // It finds a magazine.
    world.set_int("ammo", 1);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("aim"));
    assert_eq!(world.body.aborted, 1);
}

const BURGLAR: &str = "
sentir: htn 1
keys: {door: bool, window: bool, inside: bool, alarm: bool}
retry: 0.5
delay: DELAY
facts: {door: {key: $door}, window: {key: $window}, inside: {key: $inside}, alarm: {key: $alarm}}
root: burgle
tasks:
  burgle:
    - {name: alarmed, when: {alarm: true}, do: [hide]}
    - {name: plain, do: [scout, enter, pause, loot]}
  enter:
    - {name: by_door, when: {door: true}, do: [push, step_in]}
    - {name: by_window, when: {window: true}, do: [climb]}
  loot:
    - {name: lots, when: {window: true}, do: [carry]}
    - {name: little, do: [grab]}
  hide: {task: act, with: {what: hide, for_s: 0.2, clears: $alarm}}
  scout: {task: act, with: {what: scout, for_s: 0.1}}
  push: {task: act, with: {what: push, for_s: 0.1, fails: true}}
  step_in: {task: act, with: {what: step_in, for_s: 0.1}, makes: {inside: true}}
  climb: {task: act, with: {what: climb, for_s: 0.1, sets: $inside}, makes: {inside: true}}
  grab: {task: act, with: {what: grab, for_s: 0.1}, when: {inside: true}}
  carry: {task: act, with: {what: carry, for_s: 0.1}, when: {inside: true}}
";

fn burglar(delay: &str) -> (Brain, World) {
    let (brain, mut world) = brain(&BURGLAR.replace("DELAY", delay));
    for (key, value) in [("door", true), ("window", true), ("inside", false), ("alarm", false)] {
        world.set_bool(key, value);
    }
    (brain, world)
}

#[test]
fn a_failed_step_is_mended_and_what_is_done_stays_done() {
    let (mut brain, mut world) = burglar("0");
    think(&mut brain, &mut world, 1);
    assert_eq!(plan(&brain), ["scout", "push", "step_in"], "planned up to the pause");
    think(&mut brain, &mut world, 2);
    assert!(world.shows("climb"), "the door does not give, so it takes the window, without scouting again");
    assert_eq!(plan(&brain), ["climb"]);
    // What is behind the pause is planned with what is true then.
    world.set_bool("window", false);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("grab"));
}

#[test]
fn what_cannot_be_mended_waits_for_a_change_or_a_while() {
    let (mut brain, mut world) = burglar("0");
    world.set_bool("window", false);
    think(&mut brain, &mut world, 3);
    assert!(world.body.shows.is_none() && plan(&brain).is_empty());
    let started = world.body.started;
    think(&mut brain, &mut world, 4);
    assert_eq!(world.body.started, started, "it does not try the door again and again");
    think(&mut brain, &mut world, 2);
    assert!(world.body.started > started, "after half a second it does");
    world.set_bool("alarm", true);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("hide"));
}

#[test]
fn interrupting_takes_the_reaction_time() {
    let (mut brain, mut world) = burglar("0.2");
    let text = |world: &World| world.shows("hide");
    think(&mut brain, &mut world, 1);
    world.set_bool("alarm", true);
    think(&mut brain, &mut world, 2);
    assert!(!text(&world));
    think(&mut brain, &mut world, 1);
    assert!(text(&world));
}

#[test]
fn bad_networks_say_what_and_where() {
    let say = |tasks: &str| {
        refused(&format!("sentir: htn 1\nkeys: {{a: bool}}\nfacts: {{a: {{key: $a}}}}\nroot: go\ntasks:\n{tasks}"))
    };
    assert_eq!(
        say("  go: [{name: m, do: [wak]}]\n  walk: {task: act, with: {what: x}}\n"),
        "brain.yaml:6:23: unknown task `wak` (did you mean `walk`?): expected `go`, `walk`"
    );
    assert_eq!(
        say("  go: [{name: m, do: [go]}]\n"),
        "brain.yaml:6:3: `go` goes round in a cycle: expected a method that ends"
    );
    assert_eq!(
        say("  go: {task: act, with: {what: x}}\n  walk: {task: act, with: {what: x}}\n"),
        "brain.yaml:7:3: `walk` is out of reach: no method that `go` leads to uses it"
    );
    assert_eq!(
        say("  og: {task: act, with: {what: x}}\n"),
        "brain.yaml:4:7: unknown task `go` (did you mean `og`?): expected `og`"
    );
    assert_eq!(say("  go: {when: {a: true}}\n"), "brain.yaml:6:7: `task` is missing");
    assert_eq!(
        say("  go: [{name: m, when: {b: true}, do: []}]\n"),
        "brain.yaml:6:25: unknown fact `b` (did you mean `a`?): expected `a`"
    );
    assert_eq!(
        say("  go: [{name: m, when: {a: true}, while: {a: false}, do: []}]\n"),
        "brain.yaml:6:8: `m` can never be chosen: `when` and `while` exclude each other"
    );
    assert_eq!(say("  go: []\n"), "brain.yaml:6:3: `go` has no methods: expected at least one");
    assert_eq!(say("  go: [{name: m}]\n"), "brain.yaml:6:8: `do` is missing");
}

#[test]
fn a_plan_that_cannot_go_on_behind_its_pause_has_failed() {
    let text = "sentir: htn 1\nkeys: {p: bool}\nfacts: {p: {key: $p}}\nroot: r\ntasks:\n  r: [{name: m, do: [a, pause, b]}]\n  a: {task: act, with: {what: a, for_s: 0.1}}\n  b: {when: {p: true}, task: act, with: {what: b}}\n";
    let (mut brain, mut world) = brain(text);
    let said: Vec<Status> = (0..4).map(|_| world.think(|thought| brain.tick(thought))).collect();
    assert_eq!(said, [Status::Running, Status::Failure, Status::Failure, Status::Failure]);
    world.set_bool("p", true);
    think(&mut brain, &mut world, 2);
    assert!(world.shows("b"), "it begins anew when something changes");
}

#[test]
fn a_pause_is_no_task() {
    assert_eq!(
        refused("sentir: htn 1\nfacts: {}\nroot: pause\ntasks: {}\n"),
        "brain.yaml:3:7: `pause` is no task: expected the one that every plan begins with"
    );
    assert_eq!(
        refused(
            "sentir: htn 1\nfacts: {}\nroot: a\ntasks:\n  a: {task: act, with: {what: a}}\n  pause: {task: act, with: {what: a}}\n"
        ),
        "brain.yaml:6:3: `pause` is what stops planning within a method: expected another name"
    );
    assert_eq!(
        refused(
            "sentir: htn 1\nfacts: {}\nroot: r\ntasks:\n  r: [{name: m, do: [a, b]}]\n  a: {id: x, task: act, with: {what: a}}\n  b: {id: x, task: act, with: {what: a}}\n"
        ),
        "brain.yaml:7:3: `b` has the id `x`, as `a` at 6:3 has: expected every id once"
    );
}

#[test]
fn what_no_task_brings_about_is_refused() {
    let say = |tasks: &str| {
        refused(&format!(
            "sentir: htn 1\nkeys: {{a: bool}}\nfacts: {{a: {{key: $a}}, n: note}}\nroot: r\ntasks:\n{tasks}"
        ))
    };
    let walk = "  walk: {task: act, with: {what: x}}\n";
    assert_eq!(
        say(&format!(
            "  r:\n    - {{name: m, when: {{n: true}}, do: [walk]}}\n    - {{name: o, when: {{a: true}}, do: [walk]}}\n{walk}"
        )),
        "brain.yaml:7:7: `m` can never be used: no task makes `n` true"
    );
    assert_eq!(
        say(&format!(
            "  r: [{{name: m, do: [walk, run]}}]\n{walk}  run: {{when: {{n: true}}, makes: {{n: true}}, task: act, with: {{what: x}}}}\n"
        )),
        "brain.yaml:8:3: `run` can never be used: no task makes `n` true"
    );
}
