//! Rules and fuzzy sets: the agent of the vision source, strengths, bad files.

use proptest::prelude::*;
use sentir_think::rule::FuzzySet;

use super::host::World;
use super::kind::{Brain, read, refused};

const BRONTO: &str = include_str!("../../assets/bronto.yaml");

fn bronto() -> (Brain, World) {
    let brain = read(BRONTO, "bronto.yaml").unwrap();
    let mut world = World::new(brain.keys());
    for (key, value) in [("hlt", 25.0), ("hut", 75.0), ("wlt", 20.0), ("wut", 60.0)] {
        world.set_float(key, value);
    }
    (brain, world)
}

/// The definitions of the source, written out.
fn expected(enemy: bool, comes: bool, health: f32, ammo: f32) -> &'static str {
    let is_fit = health >= 75.0 && ammo >= 60.0;
    match (enemy, is_fit, comes) {
        (true, true, _) => return "intercept",
        (true, false, true) => return "avoid",
        _ => {}
    }
    if health < 25.0 {
        "quickly_health"
    } else if ammo <= 20.0 {
        "quickly_ammo"
    } else {
        match (health < 75.0, ammo < 60.0) {
            (true, true) => "anything",
            (true, false) => "health",
            (false, true) => "ammo",
            (false, false) => "walk",
        }
    }
}

proptest! {
    #[test]
    fn the_agent_of_the_source_does_what_its_definitions_say(
        enemy in any::<bool>(), comes in any::<bool>(), health in 0u8..=100, ammo in 0u8..=100,
    ) {
        let (mut brain, mut world) = bronto();
        world.set_bool("enemy", enemy);
        world.set_bool("comes", comes);
        world.set_float("health", health.into());
        world.set_float("ammo", ammo.into());
        world.think(|thought| brain.tick(thought));
        prop_assert!(world.shows(expected(enemy, comes, health.into(), ammo.into())));
        let courage = world.own.get(world.keys.key::<f32>("courage").unwrap());
        prop_assert!(courage.is_none_or(|courage| (0.0..=1.0).contains(&courage)));
    }

    #[test]
    fn degrees_stay_between_the_points(input in -50.0f32..150.0, low in 0.0f32..40.0, width in 1.0f32..40.0) {
        let rising = FuzzySet { name: "high".to_owned(), points: vec![[low, 0.0], [low + width, 1.0]] };
        let degree = rising.degree(input);
        let share = (f64::from(input) - f64::from(low)) / f64::from(width);
        let twin = f64::from(sentir_core::math::saturate(share as f32));
        prop_assert!((f64::from(degree) - twin).abs() < 1e-4);
        prop_assert_eq!(rising.degree(f32::NAN), 0.0);
    }
}

#[test]
fn courage_follows_from_feelings() {
    let (mut brain, mut world) = bronto();
    let courage = world.keys.key::<f32>("courage").unwrap();
    for (health, ammo, expected) in
        [(100.0, 100.0, Some(1.0)), (10.0, 100.0, Some(0.0)), (100.0, 5.0, Some(0.2)), (60.0, 60.0, Some(1.0))]
    {
        world.set_float("health", health);
        world.set_float("ammo", ammo);
        world.think(|thought| brain.tick(thought));
        assert_eq!(world.own.get(courage), expected, "{health}, {ammo}");
    }
}

#[test]
fn the_strongest_feeling_wins_within_a_priority() {
    let text = "
sentir: rule 1
keys: {fear: float, hunger: float, alarm: bool}
sets:
  fear: {input: $fear, great: [[0, 0], [1, 1]]}
  hunger: {input: $hunger, great: [[0, 0], [1, 1]]}
threshold: 0.2
rules:
  - {name: hide, feels: {fear: great}, do: act, with: {what: hide}}
  - {name: eat, feels: {hunger: great}, do: act, with: {what: eat}}
  - {name: run, when: {set: $alarm}, priority: 1, do: act, with: {what: run}}
  - {name: rest, priority: -1, do: act, with: {what: rest}}
";
    let mut brain = read(text, "moods.yaml").unwrap();
    let mut world = World::new(brain.keys());
    for (fear, hunger, expected) in [(0.5, 0.3, "hide"), (0.5, 0.6, "eat"), (0.6, 0.6, "hide"), (0.1, 0.1, "rest")] {
        world.set_float("fear", fear);
        world.set_float("hunger", hunger);
        world.think(|thought| brain.tick(thought));
        assert!(world.shows(expected), "{fear}, {hunger}");
    }
    world.set_bool("alarm", true);
    world.think(|thought| brain.tick(thought));
    assert!(world.shows("run"));
}

#[test]
fn bad_rules_say_what_and_where() {
    let say = |text: &str| refused(&format!("sentir: rule 1\nkeys: {{health: float, seen: bool}}\n{text}"));
    let stay = "do: act, with: {what: stay}";
    assert_eq!(
        say(&format!("rules:\n  - {{name: a, {stay}}}\n  - {{name: b, {stay}}}\n")),
        "brain.yaml:5:5: `b` is out of reach: `a` before it always fits"
    );
    assert_eq!(
        say(&format!(
            "rules:\n  - {{name: a, feels: {{health: low}}, {stay}}}\nsets: {{health: {{input: $health, lo: [[0, 1]]}}}}\n"
        )),
        "brain.yaml:4:31: unknown set `low` (did you mean `lo`?): expected `lo`"
    );
    assert_eq!(
        say(&format!(
            "rules: [{{name: a, feels: {{helth: low}}, {stay}}}]\nsets: {{health: {{input: $health, low: [[0, 1]]}}}}\n"
        )),
        "brain.yaml:3:34: unknown input `helth` (did you mean `health`?): expected `health`"
    );
    assert_eq!(
        say(&format!("rules: [{{name: a, {stay}}}]\nsets: {{health: {{input: $seen, low: [[0, 1]]}}}}\n")),
        "brain.yaml:4:24: found a key of kind bool: expected a number, or a key of kind float, as in $name"
    );
    assert_eq!(
        say(&format!("rules: [{{name: a, {stay}}}]\nsets: {{health: {{input: $health, low: [[1, 1], [0, 0]]}}}}\n")),
        "brain.yaml:4:33: the points of `low` do not ascend: expected each input above the one before"
    );
    assert_eq!(
        say(&format!("threshold: 2\nrules: [{{name: a, {stay}}}]\n")),
        "brain.yaml:3:12: a threshold of 2: expected 0 to 1"
    );
    assert_eq!(say("rules: []\n"), "brain.yaml: 0 rules: expected 1 to 1024");
    assert_eq!(
        say(&format!("rules: [{{name: a, {stay}}}]\noutputs: [{{key: $seen, rules: []}}]\n")),
        "brain.yaml:4:17: found a key of kind bool: expected one of kind float"
    );
}

#[test]
fn two_rules_with_one_id_are_refused() {
    assert_eq!(
        refused(
            "sentir: rule 1\nkeys: {p: bool}\nrules:\n  - {name: a, id: x, when: {set: $p}, do: act, with: {what: a}}\n  - {name: b, id: x, do: act, with: {what: b}}\n"
        ),
        "brain.yaml:5:5: `b` has the id `x`, as `a` at 4:5 has: expected every id once"
    );
}
