//! Any kind of brain behind one face: the same cases, charts that tell the truth, and files drawn elsewhere.

use sentir_core::chart::Mood;
use sentir_think::brain::{Brain, BrainScratch, BrainState, SourceFile};
use sentir_think::key::Keys;
use sentir_think::leaf::Host;
use sentir_think::registry::Leaves;
use sentir_think::stock;
use sentir_think::tree::asset::Library;

use super::guard::{happen, shown};
use super::host::{Game, World, leaves};

fn guard(name: &str) -> (Brain<Game>, World) {
    let (_, file, text) = stock::GUARD.into_iter().find(|(one, ..)| *one == name).unwrap();
    let brain = Brain::read(text.as_bytes(), file, &Keys::default(), &leaves()).unwrap();
    let mut world = World::new(brain.keys());
    for key in ["heard", "seen", "phone"] {
        world.set_bool(key, false);
    }
    world.set_float("health", 1.0);
    world.set_float("nerve", 0.3);
    (brain, world)
}

#[test]
fn every_kind_passes_the_cases_behind_one_face() {
    let mut passed = 0;
    for (name, ..) in stock::GUARD {
        for case in include_str!("../../assets/guard/cases.txt").split("\ncase ").skip(1) {
            let (brain, mut world) = guard(name);
            let (mut state, mut scratch) = (BrainState::default(), BrainScratch::default());
            for line in case.lines().skip(1).filter(|line| line.contains('|')) {
                let parts: Vec<&str> = line.split('|').map(str::trim).collect();
                parts[0].split(' ').for_each(|event| happen(&mut world, event));
                for _ in 0..parts[2].parse().unwrap() {
                    world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
                    assert_eq!(shown(&world), parts[1], "{name}: `{line}`");
                }
            }
            passed += 1;
        }
    }
    assert_eq!(passed, 8 * 14);
}

#[test]
fn charts_light_what_runs_and_say_what_refused() {
    for (name, ..) in stock::GUARD {
        let (brain, mut world) = guard(name);
        let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
        world.why.listen(true);
        world.set_bool("seen", true);
        world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
        let whys: Vec<_> = world.why.entries().iter().map(|entry| entry.why).collect();
        let chart = brain.chart("guard", &state, &whys);
        let lit: Vec<&str> =
            chart.parts().iter().filter(|part| part.mood == Mood::Active).map(|part| part.label.as_str()).collect();
        let expected: &[&str] = match name {
            "bt" => &["", "seen == true", "attack"],
            "fsm" | "hfsm" | "utility" => &["", "attack"],
            "dtree" => &["badly_hurt (health < nerve)", "no: sees (seen == true)", "yes: attack"],
            "goap" => &["", "win", "1. attack"],
            "htn" => &["be_guard", "", "1. attack"],
            _ => &["", "attack (seen == true)"],
        };
        assert_eq!(lit, expected, "{name}: what runs with all that it is a part of, and nothing else");
        // Why it does not flee stands at what would have made it flee: a branch, a transition, a consideration, a goal.
        let refused = chart.parts().iter().find(|part| part.note == "health is 1, wanted < 0.3");
        let refused = refused.unwrap_or_else(|| panic!("{name}: {chart:?}"));
        assert_eq!(refused.mood, Mood::Refused, "{name}");
        let flee = ["flee", "health < nerve", "hurt", "live"];
        assert!(flee.iter().any(|word| refused.label.contains(word)), "{name}: {}", refused.label);
        assert!(chart.svg().contains("class=\"box active\""), "{name}");
    }
}

#[test]
fn another_kind_of_brain_begins_anew_and_ends_what_was_at_work() {
    let (old, mut world) = guard("fsm");
    let (mut state, mut scratch) = (old.start(), BrainScratch::default());
    world.think(|thought| old.tick(&mut state, &mut scratch, thought));
    let (new, _) = guard("utility");
    world.think(|thought| new.adopt(&old, &mut state, thought));
    assert_eq!((world.body.started, world.body.aborted), (1, 1));
    world.think(|thought| new.tick(&mut state, &mut scratch, thought));
    assert!(matches!(state, BrainState::Utility(_)));
    assert_eq!(shown(&world), "door");
}

struct Nobody;

impl Host for Nobody {
    type View<'a> = ();
    type Out = ();
}

#[test]
fn leaves_of_an_unknown_game_are_told_by_their_names() {
    let library =
        Library::read(&Keys::default(), [("zombies.yaml", &include_bytes!("../../assets/zombies.yaml")[..])]).unwrap();
    let tree = library.tree("example", &Leaves::<Game>::open()).unwrap();
    let names: Vec<&str> =
        tree.labels().map(|(_, label)| label.name.as_str()).filter(|name| !name.is_empty()).collect();
    assert_eq!(names, ["player_in_reach", "attack", "patrol_due", "patrol", "wander"]);
}

#[test]
fn a_tool_reads_brains_of_games_it_does_not_know() {
    for (_, file, text) in stock::GUARD {
        let brain = Brain::<Nobody>::read(text.as_bytes(), file, &Keys::default(), &Leaves::open()).unwrap();
        assert!(brain.outline(None).parts.len() > 4, "{file}");
    }
    let refused = Brain::<Nobody>::read(b"sentir: tee 1", "a.yaml", &Keys::default(), &Leaves::open()).err().unwrap();
    assert!(
        refused.to_string().starts_with("a.yaml:1:9: unknown kind of file `tee` (did you mean `tree`?)"),
        "{refused}"
    );
}

#[test]
fn the_chart_of_a_machine_says_when_transitions_are_taken_and_why_not() {
    let text = "sentir: machine 1\nkeys: {p: bool}\nstates:\n  - name: a\n    go:\n      - {to: b, after: 3}\n      - {to: b, when: {key: $p, '==': true}, delay: 0.5 ± 0.25}\n      - {to: b, on: done, after: 1 ± 0.5}\n      - {to: b, on: done, when: {set: $p}}\n  - {name: b}\n";
    let brain = Brain::read(text.as_bytes(), "a.yaml", &Keys::default(), &leaves()).unwrap();
    let mut world = World::new(brain.keys());
    world.why.listen(true);
    let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
    world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
    let whys: Vec<_> = world.why.entries().iter().map(|entry| entry.why).collect();
    let chart = brain.chart("machine", &state, &whys);
    let labels: Vec<&str> = chart.arrows().iter().map(|arrow| arrow.label.as_str()).collect();
    let expected = ["after 3 s", "p == true for 0.5 ± 0.25 s", "done after 1 ± 0.5 s", "done and p is set"];
    assert_eq!(labels, expected);
    let of = |label: &str| chart.parts().iter().find(|part| part.label == label).unwrap();
    let (timed, tested) = (of("to b: after 3 s"), of("to b: p == true for 0.5 ± 0.25 s"));
    assert_eq!((timed.kind, timed.mood, timed.note.as_str()), ("transition", Mood::Refused, "rests until tick 30"));
    assert_eq!((tested.mood, tested.note.as_str()), (Mood::Refused, "p is not set, wanted == true"));
}

fn file<'a>(name: &'a str, text: &'a str) -> SourceFile<'a> {
    SourceFile { name, bytes: text.as_bytes() }
}

#[test]
fn a_tree_uses_trees_of_other_files_and_errors_name_the_right_one() {
    let main = "sentir: tree 1\nkeys: {p: bool}\ntrees:\n  guard: {sequence: [{subtree: show, ports: {for: 9}}, {subtree: wait_there}]}\n";
    let show = "sentir: tree 1\nkeys: {q: bool}\ntrees:\n  show:\n    ports: {for: float}\n    root: {sequence: [{time_limit: $for, do: {force_success: {task: act, with: {what: door, for_s: 0.1, sets: $q}}}}]}\n";
    let wait = "sentir: tree 1\ntrees:\n  wait_there: {task: act, with: {what: safe}}\n";
    let read = |show: &str| {
        let others = [file("show.yaml", show), file("wait.yaml", wait)];
        Brain::read_with(file("main.yaml", main), &others, &Keys::default(), &leaves())
    };
    let brain = read(show).unwrap();
    let mut world = World::new(brain.keys());
    let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
    for expected in ["door", "safe", "safe"] {
        world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
        assert!(world.shows(expected), "{expected}");
    }
    let refused = |show: &str| read(show).err().unwrap().to_string();
    let wrong = refused(&show.replace("task: act", "task: atc"));
    assert!(wrong.starts_with("show.yaml:6:"), "{wrong}");
    let twice = refused(&show.replace("  show:", "  guard:"));
    assert!(twice.starts_with("show.yaml:4:3: "), "{twice}");
    let missing = refused(&show.replace("  show:", "  shaw:"));
    assert!(missing.starts_with("main.yaml:4:32: unknown tree `show` (did you mean `shaw`?)"), "{missing}");
}

#[test]
fn a_machine_uses_states_of_other_files_with_their_keys() {
    let main = "sentir: machine 1\nkeys: {p: bool}\nstates:\n  - {name: walk, task: act, with: {what: door}, go: [{to: run, when: {key: $p, '==': true}}]}\n  - {name: run, use: flee}\n";
    let shared = "sentir: machine 1\nkeys: {hurt: bool, tired: bool}\nstates:\n  - {name: flee, task: act, with: {what: flee, for_s: 0.2, sets: $tired}, go: [{to: walk, on: done}]}\n";
    let read = |others: &[SourceFile<'_>]| {
        Brain::<Game>::read_with(file("main.yaml", main), others, &Keys::default(), &leaves())
    };
    let brain = read(&[file("shared.yaml", shared)]).unwrap();
    let mut world = World::new(brain.keys());
    let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
    world.set_bool("p", true);
    for _ in 0..3 {
        world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
    }
    let tired = |world: &World| world.own.get(world.keys.key::<bool>("tired").unwrap());
    assert_eq!((tired(&world), world.body.ended), (Some(true), 1), "the state writes to its own key, not to another's");
    let refused = |others: &[SourceFile<'_>]| read(others).err().unwrap().to_string();
    assert_eq!(refused(&[]), "main.yaml:5:22: unknown shared state `flee`: expected none here");
    let broken = shared.replace("task: act", "task: atc");
    let wrong = refused(&[file("shared.yaml", &broken)]);
    assert!(wrong.starts_with("shared.yaml:4:24: unknown task `atc` (did you mean `act`?)"), "{wrong}");
    let twice = refused(&[file("shared.yaml", shared), file("more.yaml", shared)]);
    assert_eq!(twice, "more.yaml:4:5: two shared states are called `flee`: expected every name once");
    let rules = "sentir: rule 1\nrules: [{name: a, do: act, with: {what: a}}]\n";
    let other = Brain::<Game>::read_with(file("a.yaml", rules), &[file("b.yaml", rules)], &Keys::default(), &leaves());
    assert_eq!(other.err().unwrap().to_string(), "b.yaml: a brain of kind `rule` uses no other files: expected none");
}
