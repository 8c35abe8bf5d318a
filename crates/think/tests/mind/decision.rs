//! Decision trees: the three of the strategy game, holding on to answers, bad files.

use super::host::World;
use super::kind::{Brain, read, refused};

fn brain(text: &str) -> (Brain, World) {
    let brain = read(text, "tree.yaml").unwrap();
    let world = World::new(brain.keys());
    (brain, world)
}

/// Sets facts as in `health=0.2 enemy -attacked`, thinks once, and says whether that is shown.
fn does(brain: &mut Brain, world: &mut World, facts: &str, what: &str) -> bool {
    for fact in facts.split_whitespace() {
        match fact.split_once('=') {
            Some((key, value)) => world.set_float(key, value.parse().unwrap()),
            None => world.set_bool(fact.trim_start_matches('-'), !fact.starts_with('-')),
        }
    }
    world.think(|thought| brain.tick(thought));
    world.shows(what)
}

/// How many of the cases pass; the first that does not fails the test.
fn passed(text: &str, cases: &[(&str, &str)]) -> usize {
    let (mut brain, mut world) = brain(text);
    for (facts, what) in cases {
        assert!(does(&mut brain, &mut world, facts, what), "after `{facts}` it should {what}");
    }
    cases.len()
}

#[test]
fn the_soldier_heals_fights_walks_and_marches() {
    let count = passed(
        include_str!("../../assets/rts/soldier.yaml"),
        &[
            ("health=1 -in_hospital -enemy -in_range -has_route", "march"),
            ("has_route", "patrol"),
            ("enemy", "chase"),
            ("in_range", "attack"),
            ("health=0.2", "to_hospital"),
            ("in_hospital", "rest"),
            // Better, but not well: it stays until it is.
            ("health=0.7", "rest"),
            ("health=0.85", "attack"),
            // Well enough now, though it would not have been allowed to leave.
            ("health=0.7", "attack"),
            ("-enemy", "patrol"),
        ],
    );
    assert_eq!(count, 10);
}

#[test]
fn the_spy_stays_unnoticed() {
    let count = passed(
        include_str!("../../assets/rts/spy.yaml"),
        &[
            ("health=1 -noticed -enemy -in_range", "sneak"),
            ("enemy", "stalk"),
            ("in_range", "kill"),
            ("noticed", "hide"),
            ("health=0.4", "to_hospital"),
            // Noticed once, it believes so for a second.
            ("-noticed", "to_hospital"),
            ("health=1", "hide"),
        ],
    );
    assert_eq!(count, 7);
    let (mut brain, mut world) = brain(include_str!("../../assets/rts/spy.yaml"));
    assert!(does(&mut brain, &mut world, "health=1 noticed -enemy -in_range", "hide"));
    let hiding = (1..).take_while(|_| does(&mut brain, &mut world, "-noticed", "hide")).count();
    assert_eq!(hiding, 9, "ten ticks are a second");
}

#[test]
fn the_worker_fetches_builds_and_defends_itself() {
    let count = passed(
        include_str!("../../assets/rts/worker.yaml"),
        &[
            ("-enemy -attacked -has_resource site_free", "fetch"),
            ("has_resource", "build"),
            ("attacked", "fight"),
            ("-attacked enemy", "fight"),
            ("-enemy", "build"),
            ("-site_free", "to_base"),
            ("-has_resource", "fetch"),
        ],
    );
    assert_eq!(count, 7);
}

#[test]
fn turning_to_something_else_takes_its_time() {
    let text = "
sentir: decision 1
keys: {enemy: bool}
delay: 0.3
root: {if: {set: $enemy}, then: {do: act, with: {what: fight}}, else: {do: act, with: {what: walk}}}
";
    let (mut brain, mut world) = brain(text);
    assert!(does(&mut brain, &mut world, "", "walk"));
    for _ in 0..3 {
        assert!(does(&mut brain, &mut world, "enemy", "walk"));
    }
    assert!(does(&mut brain, &mut world, "", "fight"));
}

#[test]
fn what_ends_is_begun_again_with_the_next_thought() {
    let text = "
sentir: decision 1
keys: {x: bool}
root: {if: {set: $x}, then: {do: mark, with: {what: a}}, else: {do: mark, with: {what: b}}}
";
    let (mut brain, mut world) = brain(text);
    for _ in 0..3 {
        world.think(|thought| brain.tick(thought));
    }
    assert_eq!(world.body.names(&["a", "b"]), ["b", "b", "b"]);
}

#[test]
fn bad_trees_say_what_and_where() {
    let say = |text: &str| refused(&format!("sentir: decision 1\nkeys: {{seen: bool}}\n{text}"));
    let stay = "{do: act, with: {what: stay}}";
    assert_eq!(
        say(&format!("root: {{if: [], then: {stay}, else: {stay}}}\n")),
        "brain.yaml:3:59: this is out of reach: the question before it is always answered yes"
    );
    assert_eq!(
        say("root: {use: part}\nparts: {part: {use: part}}\n"),
        "brain.yaml:4:21: the part `part` uses itself: expected no cycle"
    );
    assert_eq!(
        say("root: {use: pat}\nparts: {part: {do: act}}\n"),
        "brain.yaml:3:13: unknown part `pat` (did you mean `part`?): expected `part`"
    );
    assert_eq!(
        say(&format!("root: {stay}\nparts: {{part: {stay}}}\n")),
        "brain.yaml:4:9: `part` is out of reach: nothing uses this part"
    );
    assert_eq!(
        say("root: {iff: 1}\n"),
        "brain.yaml:3:8: unknown decision `iff` (did you mean `if`?): expected `if`, `do`, `use`"
    );
    assert_eq!(say(&format!("root: {{if: {{set: $seen}}, then: {stay}}}\n")), "brain.yaml:3:7: `else` is missing");
    assert_eq!(say("root: {do: act}\n"), "brain.yaml:3:7: `what` is missing");
    // Parts that double themselves are counted where they are used.
    let mut text = "root: {use: p0}\nparts:\n".to_owned();
    for level in 0..12 {
        let next = level + 1;
        text += &format!("  p{level}: {{if: {{set: $seen}}, then: {{use: p{next}}}, else: {{use: p{next}}}}}\n");
    }
    text += &format!("  p12: {stay}\n");
    assert!(say(&text).ends_with("more than 1024 nodes, with every used part counted, are too many"));
}

#[test]
fn two_answers_with_one_id_are_refused() {
    assert_eq!(
        refused(
            "sentir: decision 1\nkeys: {p: bool}\nroot:\n  if: {set: $p}\n  then: {do: act, id: x, with: {what: a}}\n  else: {do: act, id: x, with: {what: b}}\n"
        ),
        "brain.yaml:6:9: both answers have the id `x`: expected every id once"
    );
}
