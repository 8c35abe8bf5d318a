//! One guard, every kind of brain: the cases of `assets/guard/cases.txt`, and whatever else may happen to a guard.

use proptest::prelude::*;
use sentir_core::state::{from_bytes, to_bytes};
use sentir_think::value::Symbol;

use super::host::World;
use super::kind::{Brain, read};

pub const FILES: [(&str, &str); 8] = [
    ("machine.yaml", include_str!("../../assets/guard/machine.yaml")),
    ("nested.yaml", include_str!("../../assets/guard/nested.yaml")),
    ("decision.yaml", include_str!("../../assets/guard/decision.yaml")),
    ("utility.yaml", include_str!("../../assets/guard/utility.yaml")),
    ("goap.yaml", include_str!("../../assets/guard/goap.yaml")),
    ("htn.yaml", include_str!("../../assets/guard/htn.yaml")),
    ("rule.yaml", include_str!("../../assets/guard/rule.yaml")),
    ("tree.yaml", include_str!("../../assets/guard/tree.yaml")),
];

const CASES: &str = include_str!("../../assets/guard/cases.txt");

const ACTIVITIES: [&str; 6] = ["door", "safe", "investigate", "attack", "flee", "talk"];

pub fn guard(file: &str, text: &str) -> (Brain, World) {
    let brain = read(text, file).unwrap();
    let mut world = World::new(brain.keys());
    for key in ["heard", "seen", "phone"] {
        world.set_bool(key, false);
    }
    world.set_float("health", 1.0);
    world.set_float("nerve", 0.3);
    (brain, world)
}

pub fn happen(world: &mut World, event: &str) {
    match event {
        "." => {}
        "heard" | "seen" | "phone" => world.set_bool(event, true),
        "lost" => world.set_bool("seen", false),
        _ => {
            let (key, value) = event.split_once('=').unwrap();
            world.set_float(key, value.parse().unwrap());
        }
    }
}

pub fn shown(world: &World) -> &'static str {
    let is_it = |name: &&&str| Some(Symbol::new(name)) == world.body.shows;
    ACTIVITIES.iter().find(is_it).copied().unwrap_or("nothing")
}

#[test]
fn every_kind_passes_the_same_cases() {
    let mut passed = 0;
    for (file, text) in FILES {
        for case in CASES.split("\ncase ").skip(1) {
            let (name, lines) = case.split_once('\n').unwrap();
            let (mut brain, mut world) = guard(file, text);
            for line in lines.lines().filter(|line| line.contains('|')) {
                let parts: Vec<&str> = line.split('|').map(str::trim).collect();
                for event in parts[0].split(' ') {
                    happen(&mut world, event);
                }
                for count in 0..parts[2].parse().unwrap() {
                    world.think(|thought| brain.tick(thought));
                    assert_eq!(shown(&world), parts[1], "{file}, {name}: `{line}`, tick {count} of it");
                }
            }
            passed += 1;
        }
    }
    assert_eq!(passed, 8 * 14);
}

const EVENTS: [&str; 9] = [".", "heard", "seen", "lost", "phone", "health=0.1", "health=1", "nerve=0.05", "nerve=0.3"];

fn events() -> impl Strategy<Value = Vec<&'static str>> {
    let quiet = Just(".");
    proptest::collection::vec(prop_oneof![5 => quiet, 3 => (0..EVENTS.len()).prop_map(|at| EVENTS[at])], 1..80)
}

fn run(brain: &mut Brain, world: &mut World, events: &[&str]) -> Vec<&'static str> {
    let one = |event: &&str| {
        happen(world, event);
        world.think(|thought| brain.tick(thought));
        shown(world)
    };
    events.iter().map(one).collect()
}

proptest! {
    #[test]
    fn all_kinds_do_the_same_whatever_happens(events in events()) {
        let (mut brain, mut world) = guard(FILES[0].0, FILES[0].1);
        let first = run(&mut brain, &mut world, &events);
        for (file, text) in &FILES[1..] {
            let (mut brain, mut world) = guard(file, text);
            prop_assert_eq!(&run(&mut brain, &mut world, &events), &first, "{}", file);
            let body = &world.body;
            let at_work = u32::from(body.shows.is_some());
            prop_assert_eq!(body.started, body.ended + body.aborted + at_work, "{}: every start has its end", file);
        }
    }

    #[test]
    fn a_snapshot_in_the_middle_goes_on_alike(events in events(), share in 0.0..1.0f64) {
        for (file, text) in FILES {
            let (mut brain, mut world) = guard(file, text);
            let cut = (events.len() as f64 * share) as usize;
            run(&mut brain, &mut world, &events[..cut]);
            let (block, around) = (brain.save(), to_bytes(&world.saved()));
            let rest = run(&mut brain, &mut world, &events[cut..]);
            let (mut again, mut world) = guard(file, text);
            prop_assert!(again.load(&block));
            world.restore(from_bytes(&around).unwrap());
            // Listening to reasons changes nothing either.
            world.why.listen(true);
            prop_assert_eq!(run(&mut again, &mut world, &events[cut..]), rest, "{}", file);
            prop_assert_eq!(again.save(), brain.save(), "{}", file);
        }
    }

    #[test]
    fn forged_blocks_do_no_harm(events in events(), bytes in any::<Vec<u8>>(), at in any::<usize>(), byte in any::<u8>()) {
        for (file, text) in FILES {
            let (mut brain, mut world) = guard(file, text);
            run(&mut brain, &mut world, &events);
            let mut block = brain.save();
            let length = block.len();
            block[at % length] = byte;
            for forged in [&block, &bytes] {
                brain.load(forged);
                prop_assert_eq!(run(&mut brain, &mut world, &events).len(), events.len(), "{}", file);
            }
        }
    }
}

proptest! {
    /// Cut, doubled, changed: a file is refused with its name and place, or what it says now is done.
    #[test]
    fn broken_files_are_refused_or_run(
        file in 0..FILES.len(),
        at in 0.0..1.0f64,
        length in 0usize..30,
        put in ".{0,3}|\\{|\\[|: |\\$|name|true|-1|1e9",
        ticks in 1u32..40,
    ) {
        let (name, text) = FILES[file];
        let letters: Vec<char> = text.chars().collect();
        let from = (letters.len() as f64 * at) as usize;
        let to = (from + length).min(letters.len());
        let broken = letters[..from].iter().copied().chain(put.chars()).chain(letters[to..].iter().copied());
        match read(&broken.collect::<String>(), name) {
            // A library without any tree is no file's fault.
            Err(error) => prop_assert!(error.file.is_empty() || error.to_string().starts_with(name), "{}", error),
            Ok(mut brain) => {
                let mut world = World::new(brain.keys());
                for _ in 0..ticks {
                    world.think(|thought| brain.tick(thought));
                }
                prop_assert!(world.body.started >= world.body.aborted + world.body.ended);
            }
        }
    }
}

#[test]
fn every_field_of_a_block_is_in_its_hash() {
    use sentir_core::state::{Noticed, perturb};
    for (file, text) in FILES {
        let (mut brain, mut world) = guard(file, text);
        run(&mut brain, &mut world, &[".", "heard", "."]);
        let report = match &brain {
            Brain::Machine(_, state) => perturb(state),
            Brain::Decision(_, state) => perturb(state),
            Brain::Utility(_, state) => perturb(state),
            Brain::Goap(_, state, _) => perturb(state),
            Brain::Htn(_, state, _) => perturb(state),
            Brain::Rules(_, state) => perturb(state),
            Brain::Tree(_, _, state) => perturb(state),
        };
        assert!(report.len() > 3 && report.iter().all(|one| one.outcome != Noticed::No), "{file}");
    }
}

#[test]
fn ticks_allocate_nothing_once_everything_has_happened() {
    let events =
        [".", "heard", ".", "phone", ".", ".", ".", ".", ".", "seen", ".", "health=0.1", ".", "health=1", "lost"];
    for (file, text) in FILES {
        let (mut brain, mut world) = guard(file, text);
        run(&mut brain, &mut world, &events);
        run(&mut brain, &mut world, &["."; 20]);
        let counted = allocation_counter::measure(|| {
            for event in events {
                happen(&mut world, event);
                world.think(|thought| brain.tick(thought));
            }
        });
        // Reading the numbers of `health=…` allocates nothing either.
        assert_eq!(counted.count_total, 0, "{file}");
    }
}

#[test]
fn a_stopped_brain_ends_what_it_did_and_begins_anew() {
    for (file, text) in FILES {
        let (mut brain, mut world) = guard(file, text);
        run(&mut brain, &mut world, &["seen", "."]);
        world.think(|thought| brain.stop(thought));
        assert_eq!((world.body.started, world.body.aborted), (1, 1), "{file}");
        assert_eq!(run(&mut brain, &mut world, &["."]), ["attack"], "{file}");
    }
}

#[test]
fn a_changed_file_goes_on_where_the_old_one_was() {
    for (file, text) in FILES {
        // The look at a noise takes a second now; what is looked at goes on.
        let (mut brain, mut world) = guard(file, text);
        assert_eq!(run(&mut brain, &mut world, &[".", "heard", "."]), ["door", "investigate", "investigate"]);
        let edited = text.replace("for_s: 0.5", "for_s: 1");
        assert_ne!(edited, text);
        let started = world.body.started;
        world.think(|thought| brain.adopt(read(&edited, file).unwrap(), thought));
        let rest = run(&mut brain, &mut world, &["."; 9]);
        // One tick went by with the change: 2 and 1 are done, 7 are left.
        assert_eq!(rest, [["investigate"; 7].as_slice(), &["door"; 2]].concat(), "{file}");
        assert_eq!((world.body.started, world.body.aborted), (started + 1, 1), "{file}");
        // Another task in its place begins anew, and the old one is ended.
        world.set_bool("heard", true);
        run(&mut brain, &mut world, &["."]);
        let aborted = world.body.aborted;
        let other = edited.replace("{what: investigate, for_s: 1, clears: $heard}", "{leg: $leg, for_s: 9}");
        let other = other.replace("task: act\n    with: {leg", "task: patrol\n    with: {leg");
        let other = other.replace("task: act\n        with: {leg", "task: patrol\n        with: {leg");
        let other = other.replace("task: act, with: {leg", "task: patrol, with: {leg");
        let other = other.replace("do: act, with: {leg", "do: patrol, with: {leg");
        let other = other.replace(": act, name: investigate, with: {leg", ": patrol, name: investigate, with: {leg");
        world.think(|thought| brain.adopt(read(&other, file).unwrap(), thought));
        assert_eq!(world.body.aborted, aborted + 1, "{file}");
        assert_eq!(run(&mut brain, &mut world, &["."]), ["door"], "{file}");
    }
}

#[test]
fn a_brain_without_the_present_activity_finds_another() {
    for (file, text) in FILES {
        let (mut brain, mut world) = guard(file, text);
        run(&mut brain, &mut world, &["seen", "."]);
        let other = text.replace("attack", "assault");
        world.think(|thought| brain.adopt(read(&other, file).unwrap(), thought));
        assert_eq!(world.body.aborted, 1, "{file}");
        run(&mut brain, &mut world, &["."]);
        assert!(world.shows("assault"), "{file}");
        assert_eq!(world.body.started, world.body.aborted + world.body.ended + 1, "{file}");
    }
}
