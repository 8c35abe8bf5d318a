//! Contract: the table of semantics. Each line is a case: tree | script | what happens.
//!
//! The script gives each task one letter a tick (S, F, R; a digit runs and sleeps so many ticks; the last letter goes on),
//! each condition S or F, and keys their values from a tick on (`p@2=1`). What happens is told tick by tick, between
//! slashes: `a+` a task starts and has its first tick, `a.` a later one, `a-` it is aborted, `a!` a service runs; then
//! how the tree stands. The twin and the engine both have to agree with every line.

use sentir_think::leaf::Status;
use sentir_think::tree::Tree;

use super::host::{Actor, Event, LEAVES, Notes, Script};
use super::shape::{Shape, key_number, parse, spec};
use super::twin::{Twin, World};

const TABLE: &str = include_str!("semantics.txt");

struct Case {
    shape: Shape,
    script: Script,
    keys: Vec<(u64, u8, bool)>,
}

fn read(tree: &str, said: &str) -> Case {
    let mut letters = vec![b"S".to_vec(); LEAVES];
    let mut keys = Vec::new();
    for word in said.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        match name.split_once('@') {
            Some((key, tick)) => keys.push((tick.parse().unwrap(), key_number(key), value == "1")),
            None => letters[usize::from(name.as_bytes()[0] - b'a')] = value.as_bytes().to_vec(),
        }
    }
    Case { shape: parse(tree), script: Script::Letters(letters), keys }
}

fn told(events: &[Event], status: Status) -> String {
    let letter = |leaf: u8| char::from(b'a' + leaf);
    let mut words = Vec::new();
    for event in events {
        match *event {
            Event::Start(leaf) => words.push(format!("{}+", letter(leaf))),
            Event::Tick(_, 1) => {}
            Event::Tick(leaf, _) => words.push(format!("{}.", letter(leaf))),
            Event::Abort(leaf, _) => words.push(format!("{}-", letter(leaf))),
            Event::Serve(leaf, _) => words.push(format!("{}!", letter(leaf))),
        }
    }
    words.push(match status {
        Status::Success => "S".to_owned(),
        Status::Failure => "F".to_owned(),
        Status::Running => "R".to_owned(),
    });
    words.join(" ")
}

fn by_engine(case: &Case, ticks: u64) -> String {
    let mut actor = Actor::new(1);
    let tree = Tree::build(spec(&case.shape, &actor.keys)).unwrap();
    let mut line = Vec::new();
    for tick in 0..ticks {
        for &(_, key, value) in case.keys.iter().filter(|(at, ..)| *at == tick) {
            actor.set(key, value);
        }
        actor.notes.events.clear();
        let status = actor.step(&tree, &case.script);
        line.push(told(&actor.notes.events, status));
    }
    line.join(" / ")
}

fn by_twin(case: &Case, ticks: u64) -> String {
    let tree = Tree::build(spec(&case.shape, &Actor::new(1).keys)).unwrap();
    let mut twin = Twin::new(&case.shape, &mut tree.labels().map(|(id, _)| id));
    let (mut notes, mut keys, mut posts) = (Notes::default(), [false; 5], Vec::new());
    let mut line = Vec::new();
    for tick in 0..ticks {
        for &(_, key, value) in case.keys.iter().filter(|(at, ..)| *at == tick) {
            keys[usize::from(key)] = value;
        }
        notes.events.clear();
        let script = &case.script;
        let mut world = World { script, notes: &mut notes, keys: &mut keys, posts: &mut posts, tick, seed: 1 };
        let status = twin.tick(&mut world);
        line.push(told(&notes.events, status));
        for (key, value) in posts.drain(..) {
            keys[usize::from(key)] = value;
        }
    }
    line.join(" / ")
}

fn cases() -> impl Iterator<Item = (usize, &'static str, Case, &'static str)> {
    TABLE.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(index, line)| {
        let mut parts = line.split('|').map(str::trim);
        let (tree, said, expected) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        (index + 1, line, read(tree, said), expected)
    })
}

#[test]
fn the_engine_agrees_with_every_line() {
    let mut count = 0;
    for (number, line, case, expected) in cases() {
        let ticks = expected.split('/').count() as u64;
        assert_eq!(by_engine(&case, ticks), expected, "line {number}: {line}");
        count += 1;
    }
    assert!(count >= 300, "{count} cases");
}

#[test]
fn the_twin_agrees_with_every_line() {
    for (number, line, case, expected) in cases() {
        let ticks = expected.split('/').count() as u64;
        assert_eq!(by_twin(&case, ticks), expected, "line {number}: {line}");
    }
}

#[test]
fn a_service_keeps_to_its_period_within_its_deviation() {
    let mut actor = Actor::new(4);
    let tree = Tree::build(spec(&parse("serve.p.4(idle)"), &actor.keys)).unwrap();
    let script = Script::Chance(1);
    let mut runs = Vec::new();
    for tick in 0..400 {
        actor.notes.events.clear();
        actor.step(&tree, &script);
        if !actor.notes.events.is_empty() {
            runs.push(tick);
        }
    }
    let gaps: std::collections::BTreeSet<u32> = runs.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(gaps, [3, 4, 5].into(), "4 s, a second more or less");
}
