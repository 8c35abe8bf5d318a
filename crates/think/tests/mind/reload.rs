//! Contract: an edit of a file leaves what runs as it is, unless it is just that which was taken out: for every kind of
//! brain. And blocks from elsewhere, with whatever in them, do no harm.

use super::guard::{FILES, guard, happen, shown};
use super::host::World;
use super::kind::{Brain, read};

fn brain(text: &str) -> (Brain, World) {
    let brain = read(text, "old.yaml").unwrap_or_else(|error| panic!("{error}"));
    let world = World::new(brain.keys());
    (brain, world)
}

fn think(brain: &mut Brain, world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.think(|thought| brain.tick(thought));
    }
}

/// Gives the brain another version of its file; no time passes.
fn edit(brain: &mut Brain, world: &mut World, text: &str) {
    let new = read(text, "new.yaml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    world.think(|thought| brain.adopt(new, thought));
    world.tick.0 -= 1;
}

/// For each guard: where something of the same kind is put in before everything else.
const PUT_IN: [(&str, &str, &str); 8] = [
    ("machine.yaml", "states:\n", "  - {name: rest, task: act, with: {what: rest}, go: [{to: patrol, after: 3}]}\n"),
    (
        "nested.yaml",
        "    states:\n",
        "      - {name: rest, task: act, with: {what: rest}, go: [{to: round, after: 3}]}\n",
    ),
    (
        "decision.yaml",
        "  calm:\n",
        "    if: {key: $nerve, \">\": 9}\n    then: {do: act, with: {what: rest}}\n    else: {use: calmer}\n  calmer:\n",
    ),
    ("utility.yaml", "options:\n", "  - {name: rest, weight: 0.1, task: act, with: {what: rest}}\n"),
    ("goap.yaml", "actions:\n", "  - {name: rest, makes: {walked: true}, cost: 9, task: act, with: {what: rest}}\n"),
    ("htn.yaml", "  keep_watch:\n", "    - {name: rest, while: {hurt: true}, do: [flee]}\n"),
    ("rule.yaml", "rules:\n", "  - {name: rest, when: {key: $nerve, \">\": 9}, do: act, with: {what: rest}}\n"),
    (
        "tree.yaml",
        "    selector:\n",
        "      - when: {key: $nerve, \">\": 9}\n        aborts: both\n        do: {force_failure: {task: act, with: {what: rest}}}\n",
    ),
];

/// The file with that put in, and with a state of its own reached where it needs to be.
fn longer(file: &str, text: &str) -> String {
    let (_, before, more) = PUT_IN.into_iter().find(|(one, ..)| *one == file).unwrap();
    let longer = text.replacen(before, &format!("{before}{more}"), 1);
    assert_ne!(longer, text, "{file}");
    let way = "{to: rest, when: {key: $nerve, \">\": 9}}";
    match file {
        "machine.yaml" => longer.replacen("any:\n", &format!("any:\n  - {way}\n"), 1),
        "nested.yaml" => longer.replacen("any:\n", &format!("any:\n  - {way}\n"), 1),
        _ => longer,
    }
}

#[test]
fn what_is_put_in_or_taken_out_before_the_present_activity_leaves_it_running() {
    for (file, text) in FILES {
        let longer = longer(file, text);
        for (old, new) in [(text, longer.as_str()), (longer.as_str(), text)] {
            for (event, activity) in [("heard", "investigate"), ("seen", "attack"), ("phone", "talk"), (".", "door")] {
                let (mut brain, mut world) = guard(file, old);
                happen(&mut world, event);
                think(&mut brain, &mut world, 2);
                assert_eq!(shown(&world), activity, "{file}");
                let (started, aborted) = (world.body.started, world.body.aborted);
                edit(&mut brain, &mut world, new);
                think(&mut brain, &mut world, 1);
                assert_eq!(
                    (shown(&world), world.body.started, world.body.aborted),
                    (activity, started, aborted),
                    "{file}"
                );
                // What it had done already counts: five ticks of looking, not five more.
                if event == "heard" {
                    think(&mut brain, &mut world, 3);
                    assert_eq!((shown(&world), world.body.ended), ("door", 1), "{file}");
                }
            }
        }
    }
}

#[test]
fn the_present_activity_is_ended_once_when_it_is_taken_out() {
    for (file, text) in FILES {
        let longer = longer(file, text).replace("\">\": 9", "\"<\": 0.1");
        let longer = longer.replace(
            "weight: 0.1, task",
            "weight: 9, considerations: [{name: n, when: {key: $nerve, \"<\": 0.1}}], task",
        );
        let longer = longer.replace(
            "{name: rest, while: {hurt: true}, do: [flee]}",
            "{name: rest, while: {unnerved: true}, do: [rest]}",
        );
        let longer = longer
            .replace("  walked: note", "  walked: note\n  unnerved: {test: {key: $nerve, \"<\": 0.1}}\n  rested: note");
        let longer = longer.replace("makes: {walked: true}, cost: 9", "makes: {rested: true}");
        let longer =
            longer.replace("goals:\n", "goals:\n  - {name: rest, when: {unnerved: true}, wants: {rested: true}}\n");
        let longer = match file {
            "htn.yaml" => {
                longer.replace(
                    "  heard: {key: $heard}\n",
                    "  heard: {key: $heard}\n  unnerved: {test: {key: $nerve, \"<\": 0.1}}\n",
                ) + "  rest: {task: act, with: {what: rest}}\n"
            }
            _ => longer,
        };
        let (mut brain, mut world) = guard(file, &longer);
        world.set_float("nerve", 0.05);
        think(&mut brain, &mut world, 2);
        assert!(world.shows("rest"), "{file}");
        let (started, aborted) = (world.body.started, world.body.aborted);
        edit(&mut brain, &mut world, text);
        assert_eq!(world.body.aborted, aborted + 1, "{file}");
        think(&mut brain, &mut world, 1);
        assert_eq!(
            (shown(&world), world.body.started, world.body.aborted),
            ("door", started + 1, aborted + 1),
            "{file}"
        );
    }
}

#[test]
fn a_state_that_is_taken_out_while_active_is_left_as_it_should_be() {
    let with = "sentir: machine 1\nstates:\n  - {name: s, go: [{to: f}]}\n  - {name: f, enter: [{task: mark, with: {what: in}}], exit: [{task: mark, with: {what: out}}], task: act, with: {what: b}}\n";
    let (mut brain, mut world) = brain(with);
    think(&mut brain, &mut world, 1);
    edit(&mut brain, &mut world, "sentir: machine 1\nstates:\n  - {name: s, task: act, with: {what: a}}\n");
    assert_eq!((world.body.names(&["in", "out"]), world.body.aborted), (vec!["in", "out"], 1));
    think(&mut brain, &mut world, 1);
    assert!(world.shows("a"));
}

#[test]
fn another_task_starts_in_a_state_whose_task_had_ended() {
    let (mut brain, mut world) =
        brain("sentir: machine 1\nkeys: {leg: int}\nstates:\n  - {name: s, task: act, with: {what: a, for_s: 0.1}}\n");
    think(&mut brain, &mut world, 4);
    assert_eq!(world.body.ended, 1);
    let same = "sentir: machine 1\nkeys: {leg: int}\nstates:\n  - {name: s, task: act, with: {what: b, for_s: 0.1}}\n";
    edit(&mut brain, &mut world, same);
    think(&mut brain, &mut world, 2);
    assert_eq!(world.body.started, 1, "the same task is done already");
    let other =
        "sentir: machine 1\nkeys: {leg: int}\nstates:\n  - {name: s, task: patrol, with: {leg: $leg, for_s: 1}}\n";
    edit(&mut brain, &mut world, other);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("door"));
}

#[test]
fn times_of_transitions_go_on_and_new_ones_count_from_the_edit() {
    let machine = |ways: &str| {
        format!(
            "sentir: machine 1\nkeys: {{p: bool}}\nstates:\n  - {{name: s, task: act, with: {{what: a}}, go: [{ways}]}}\n  - {{name: f, task: act, with: {{what: b}}}}\n"
        )
    };
    let (mut brain, mut world) = brain(&machine("{to: f, after: 1}"));
    think(&mut brain, &mut world, 8);
    // Another way to the same state is put in before it: the one that waits for its time goes on waiting.
    edit(&mut brain, &mut world, &machine("{to: f, when: {key: $p, '==': true}}, {to: f, after: 1}"));
    think(&mut brain, &mut world, 2);
    assert!(world.shows("a"));
    think(&mut brain, &mut world, 1);
    assert!(world.shows("b"), "ten ticks after the state was entered");
    let (mut brain, mut world) = self::brain(&machine("{to: f, when: {key: $p, '==': true}}"));
    think(&mut brain, &mut world, 3);
    edit(&mut brain, &mut world, &machine("{to: f, after: 0.5}"));
    think(&mut brain, &mut world, 5);
    assert!(world.shows("a"));
    think(&mut brain, &mut world, 1);
    assert!(world.shows("b"), "five ticks after the edit");
}

const ERRAND: &str = "sentir: goap 1
keys: {p: bool, q: bool}
facts:
  p: {key: $p}
  half: note
  q: {key: $q}
retry: 5
actions:
  - {name: first, makes: {half: true}, task: act, with: {what: a, for_s: 0.2}}
  - {name: second, when: {half: true}, makes: {p: true}, task: act, with: {what: b}}
goals: [{name: g, wants: {p: true}}]
";

#[test]
fn a_plan_goes_on_beside_other_facts_actions_and_goals() {
    let (mut brain, mut world) = brain(ERRAND);
    think(&mut brain, &mut world, 4);
    assert!(world.shows("b"), "what it noted of the first step is needed for the second");
    let more = ERRAND.replace("facts:\n", "facts:\n  far: note\n  pace: {words: [slow, fast]}\n");
    let more = more.replace(
        "actions:\n",
        "actions:\n  - {name: run, makes: {far: true, pace: fast}, task: act, with: {what: c}}\n",
    );
    let more = more.replace("goals: [", "goals: [{name: f, when: {q: true}, wants: {far: true}}, ");
    edit(&mut brain, &mut world, &more);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("b"));
    assert_eq!((world.body.started, world.body.aborted), (2, 0));
    // An action that is done already may go; one that is to be done may not.
    let less = ERRAND.replace("  - {name: first, makes: {half: true}", "  - {name: other, makes: {half: true}");
    edit(&mut brain, &mut world, &less);
    think(&mut brain, &mut world, 1);
    assert_eq!((world.shows("b"), world.body.aborted), (true, 0));
    edit(&mut brain, &mut world, &less.replace("name: second", "name: third"));
    assert_eq!(world.body.aborted, 1);
}

#[test]
fn an_action_that_failed_rests_on_after_an_edit() {
    let failing = ERRAND.replace("{what: a, for_s: 0.2}", "{what: a, for_s: 0, fails: true}");
    let (mut brain, mut world) = brain(&failing);
    think(&mut brain, &mut world, 3);
    assert_eq!(world.body.started, 1);
    let more =
        failing.replace("actions:\n", "actions:\n  - {name: run, makes: {q: true}, task: act, with: {what: c}}\n");
    edit(&mut brain, &mut world, &more);
    think(&mut brain, &mut world, 40);
    assert_eq!(world.body.started, 1);
    think(&mut brain, &mut world, 10);
    assert_eq!(world.body.started, 2);
}

const NETWORK: &str = "sentir: htn 1
keys: {p: bool}
facts: {p: {key: $p}}
root: day
tasks:
  day:
    - {name: usual, do: [morning, work, sleep]}
  morning:
    - {name: slow, do: [eat]}
  eat: {task: act, with: {what: a, for_s: 0.1}}
  work: {task: act, with: {what: b, for_s: 0.5}}
  sleep: {task: act, with: {what: c, for_s: 0.2}}
";

#[test]
fn a_step_goes_on_and_what_comes_behind_it_is_planned_with_the_new_methods() {
    let (mut brain, mut world) = brain(NETWORK);
    think(&mut brain, &mut world, 3);
    assert!(world.shows("b"));
    let more = NETWORK.replace("do: [morning, work, sleep]", "do: [morning, eat, work, walk, sleep]");
    let more = more.replace("  eat:", "  walk: {task: act, with: {what: d, for_s: 0.2}}\n  eat:");
    let more = more.replace("  day:\n", "  day:\n    - {name: sick, when: {p: true}, do: [sleep]}\n");
    edit(&mut brain, &mut world, &more);
    let shows = |brain: &mut Brain, world: &mut World| {
        think(brain, world, 1);
        *["a", "b", "c", "d"].iter().find(|name| world.shows(name)).unwrap_or(&"-")
    };
    let seen: String = (0..8).map(|_| shows(&mut brain, &mut world)).collect();
    // Three ticks of work are left of five; then the walk that was put in, and the sleep.
    assert_eq!((seen.as_str(), world.body.aborted), ("bbbddcca", 0));
    // A method it comes from is gone: it is given up.
    think(&mut brain, &mut world, 3);
    let aborted = world.body.aborted;
    edit(&mut brain, &mut world, &more.replace("name: usual", "name: rare"));
    assert_eq!(world.body.aborted, aborted + 1);
}

#[test]
fn a_plan_that_is_done_but_for_the_running_step_begins_anew_without_a_pause() {
    let (mut brain, mut world) = brain(NETWORK);
    think(&mut brain, &mut world, 7);
    assert!(world.shows("c"));
    edit(
        &mut brain,
        &mut world,
        &(NETWORK.replace("do: [eat]}", "do: [eat]}\n    - {name: hasty, do: [drink]}")
            + "  drink: {task: act, with: {what: d}}\n"),
    );
    think(&mut brain, &mut world, 2);
    assert!(world.shows("a"));
}

#[test]
fn a_block_with_any_byte_wrong_does_no_harm() {
    let paused = NETWORK.replace("do: [morning, work, sleep]", "do: [morning, work, pause, sleep]");
    let texts = FILES.map(|(_, text)| text).into_iter().chain([NETWORK, &paused, ERRAND]);
    for text in texts {
        for ticks in [1, 4, 7] {
            let (mut brain, mut world) = brain(text);
            if world.keys.any("heard").is_ok() {
                world.set_bool("heard", true);
            }
            think(&mut brain, &mut world, ticks);
            let (block, mut other) = (brain.save(), read(text, "a.yaml").unwrap());
            for at in 0..block.len() {
                for wrong in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut forged = block.clone();
                    forged[at] = wrong;
                    let mut world = world.clone();
                    if other.load(&forged) {
                        think(&mut other, &mut world, 3);
                        world.think(|thought| other.stop(thought));
                        let aborted = world.body.aborted;
                        world.think(|thought| other.stop(thought));
                        assert_eq!(world.body.aborted, aborted, "what is stopped has stopped");
                    }
                }
            }
        }
    }
}
