//! Contract: named conditions and tests put together are what a naive reading of the file says, in every tick, however long
//! the tree sleeps; they wake what observes them, tell what is behind them, and outlive an edit.

use proptest::prelude::*;
use sentir_core::random::{Purpose, Streams};
use sentir_think::board::Blackboard;
use sentir_think::key::Keys;
use sentir_think::outline::in_words;
use sentir_think::registry::Leaves;
use sentir_think::tree::Tree;
use sentir_think::tree::asset::Library;
use sentir_think::value::Value;
use sentir_think::why::Why;

use super::host::{Actor, Event, LEAVES, LIMIT, Script, Stage, Work, keys};

/// A test as the file has it, over the keys of the stage and the conditions above.
#[derive(Clone, Debug)]
enum Formula {
    Key(u8),
    Named(usize),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    fn text(&self) -> String {
        let several = |parts: &[Formula]| parts.iter().map(Formula::text).collect::<Vec<_>>().join(", ");
        match self {
            Formula::Key(0) => "$p".to_owned(),
            Formula::Key(1) => "{key: $q, \"<\": 0.5}".to_owned(),
            Formula::Key(2) => "{at: [0, 0, 0], here: $r, within_m: 1}".to_owned(),
            Formula::Key(3) => "{key: $t, \">=\": $limit}".to_owned(),
            Formula::Key(_) => "{key: $w, \"==\": true}".to_owned(),
            Formula::Named(number) => format!("$c{number}"),
            Formula::Not(inner) => format!("{{not: {}}}", inner.text()),
            // A list is all of them, under its name or not.
            Formula::All(parts) if parts.len() > 1 => format!("[{}]", several(parts)),
            Formula::All(parts) => format!("{{all: [{}]}}", several(parts)),
            Formula::Any(parts) => format!("{{any: [{}]}}", several(parts)),
        }
    }

    fn holds(&self, keys: &[bool; 5], named: &[bool]) -> bool {
        match self {
            Formula::Key(number) => keys[usize::from(*number)],
            Formula::Named(number) => named[*number],
            Formula::Not(inner) => !inner.holds(keys, named),
            Formula::All(parts) => parts.iter().filter(|part| !part.holds(keys, named)).count() == 0,
            Formula::Any(parts) => parts.iter().filter(|part| part.holds(keys, named)).count() > 0,
        }
    }
}

/// A condition: when, keep, after so many seconds, which are ticks here.
type Authored = (Formula, Option<Formula>, Option<u64>);

fn formula(above: usize) -> impl Strategy<Value = Formula> {
    let key = (0u8..5).prop_map(Formula::Key);
    let leaf = if above == 0 { key.boxed() } else { prop_oneof![key, (0..above).prop_map(Formula::Named)].boxed() };
    leaf.prop_recursive(3, 8, 3, |inner| {
        let several = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            inner.clone().prop_map(|one| Formula::Not(Box::new(one))),
            several().prop_map(Formula::All),
            several().prop_map(Formula::Any),
        ]
    })
}

fn authored(above: usize) -> impl Strategy<Value = Authored> {
    (formula(above), prop::option::of(formula(above)), prop::option::of(0u64..4))
}

fn text(conditions: &[Authored]) -> String {
    let one = |(number, (when, keep, after)): (usize, &Authored)| {
        let keep = keep.as_ref().map(|keep| format!(", keep: {}", keep.text())).unwrap_or_default();
        let after = after.map(|after| format!(", after: {after}")).unwrap_or_default();
        match (keep.is_empty(), after.is_empty()) {
            (true, true) => format!("  c{number}: {}\n", when.text()),
            _ => format!("  c{number}: {{when: {}{keep}{after}}}\n", when.text()),
        }
    };
    conditions.iter().enumerate().map(one).collect()
}

fn load(conditions: &str, root: &str) -> Result<(Keys, Tree<Stage>), String> {
    let mut leaves = Leaves::default();
    leaves.task::<Work>();
    let text = format!("sentir: tree 1\nconditions:\n{conditions}trees:\n  main: {root}\n");
    let library = Library::read(&keys(), [("a.yaml", text.as_bytes())]).map_err(|error| error.to_string())?;
    Ok((library.keys().clone(), library.tree("main", &leaves).map_err(|error| error.to_string())?))
}

/// An actor with room for the conditions, whose keys all say no.
fn actor(table: &Keys) -> Actor {
    let mut actor = Actor::new(1);
    (actor.own, actor.team, actor.world) = (Blackboard::new(table), Blackboard::new(table), Blackboard::new(table));
    actor.team.set(table.key(LIMIT.0).unwrap(), 2);
    actor
}

/// Everything runs for ever, and sleeps nine ticks at a time.
fn sleepy() -> Script {
    Script::Letters(vec![b"9".to_vec(); LEAVES])
}

const ROOT: &str = "{selector: [{when: $c2, aborts: both, do: {task: work, with: 1}}, {task: work, with: 2}]}";

proptest! {
    #[test]
    fn conditions_say_what_a_naive_reading_says(
        conditions in (authored(0), authored(1), authored(2)).prop_map(|(a, b, c)| vec![a, b, c]),
        seed in 0u64..1000,
    ) {
        let (table, tree) = load(&text(&conditions), ROOT).unwrap();
        let (mut actor, script) = (actor(&table), sleepy());
        let mut rng = Streams { seed }.stream(0, Purpose::new("conditions"));
        let (mut keys, mut named, mut since, mut at_work) = ([false; 5], vec![false; 3], [None; 3], 0);
        for tick in 0..60u64 {
            if rng.chance(0.4) {
                let key = rng.below(5) as u8;
                keys[usize::from(key)] = rng.chance(0.5);
                actor.set(key, keys[usize::from(key)]);
            }
            for (number, (when, keep, after)) in conditions.iter().enumerate() {
                let is_kept = since[number].is_some() && keep.as_ref().is_some_and(|keep| keep.holds(&keys, &named));
                let holds = when.holds(&keys, &named) || is_kept;
                since[number] = if holds { since[number].or(Some(tick)) } else { None };
                named[number] = since[number].is_some_and(|since: u64| tick - since >= after.unwrap_or(0));
            }
            actor.notes.events.clear();
            actor.step(&tree, &script);
            for (number, expected) in named.iter().enumerate() {
                let found = actor.own.value(table.any(&format!("c{number}")).unwrap());
                prop_assert_eq!(found, Some(Value::Bool(*expected)), "c{} at {}: {}", number, tick, text(&conditions));
            }
            for event in &actor.notes.events {
                at_work = if let Event::Start(leaf) = *event { leaf } else { at_work };
            }
            prop_assert_eq!(at_work, if named[2] { 1 } else { 2 }, "at {}: {}", tick, text(&conditions));
        }
    }

    #[test]
    fn tests_put_together_hold_as_a_naive_reading_says(one in formula(0), bits in 0u8..32) {
        let root = format!("{{selector: [{{when: {}, do: {{task: work, with: 1}}}}, {{task: work, with: 2}}]}}", one.text());
        let (table, tree) = load("  unused: $p\n", &root).unwrap();
        let mut actor = actor(&table);
        let keys: [bool; 5] = std::array::from_fn(|number| bits >> number & 1 == 1);
        (0..5).for_each(|number| actor.set(number, keys[usize::from(number)]));
        actor.step(&tree, &sleepy());
        let expected = if one.holds(&keys, &[]) { 1 } else { 2 };
        prop_assert_eq!(actor.notes.events[0], Event::Start(expected), "{}", one.text());
    }
}

/// What the first refusal of a tick says.
fn refusal(conditions: &str, when: &str, set: impl Fn(&mut Actor)) -> String {
    let root = format!("{{selector: [{{when: {when}, do: idle}}, idle]}}");
    let (table, tree) = load(conditions, &root).unwrap();
    let mut actor = actor(&table);
    set(&mut actor);
    actor.why.listen(true);
    actor.step(&tree, &sleepy());
    let mut whys = actor.why.entries().iter().map(|entry| entry.why);
    let refused = whys.find_map(|why| if let Why::Refused { cause, .. } = why { Some(cause) } else { None });
    in_words(&refused.unwrap(), &table)
}

#[test]
fn a_refusal_tells_the_key_and_the_value_behind_a_condition() {
    let conditions = "  low: {key: $q, \"<\": 0.5}\n  hides: [$p, $low]\n  fights: {not: $hides}\n";
    let set = |p: bool, q: f32| {
        move |actor: &mut Actor| {
            actor.set(0, p);
            actor.put(1, Value::Float(q));
        }
    };
    assert_eq!(refusal(conditions, "$hides", set(true, 0.75)), "q is 0.75, wanted < 0.5");
    assert_eq!(refusal(conditions, "$hides", set(false, 0.25)), "p is false, wanted == true");
    // What holds and should not is told by what would end it.
    assert_eq!(refusal(conditions, "$fights", set(true, 0.25)), "p is true, wanted != true");
    assert_eq!(refusal(conditions, "{not: $low}", set(true, 0.25)), "q is 0.25, wanted >= 0.5");
    assert_eq!(refusal(conditions, "{any: [$hides, $w]}", set(true, 0.75)), "q is 0.75, wanted < 0.5");
    // Not long enough yet: then it is the condition itself.
    let sure = "  sure: {when: $p, after: 3}\n";
    assert_eq!(refusal(sure, "$sure", set(true, 0.0)), "sure is false, wanted == true");
    assert_eq!(refusal(sure, "$sure", set(false, 0.0)), "p is false, wanted == true");
}

#[test]
fn an_edit_keeps_since_when_a_condition_would_hold() {
    let (table, old) = load("  c2: {when: $p, after: 4}\n", ROOT).unwrap();
    // Another condition before it, another time: what is known by its name goes on.
    let (other, new) = load("  a: {when: $w, after: 1}\n  c2: {when: $p, after: 5}\n", ROOT).unwrap();
    let (mut actor, script) = (actor(&table), sleepy());
    actor.set(0, true);
    for _ in 0..3 {
        actor.step(&old, &script);
    }
    actor.with(&script, |state, thought| new.adopt(&old, state, thought));
    let mut own = Blackboard::new(&other);
    own.carry(&other, &actor.own, &table);
    let shared = Blackboard::new(&other);
    (actor.own, actor.team, actor.world) = (own, shared.clone(), shared);
    actor.notes.events.clear();
    // It has held since tick 0: at 3 and 4 not long enough, at 5 it is.
    let started = |actor: &mut Actor| {
        actor.step(&new, &script);
        actor.notes.events.contains(&Event::Start(1))
    };
    assert_eq!([0; 3].map(|_| started(&mut actor)), [false, false, true]);
}

#[test]
fn each_way_to_be_wrong_has_its_own_sentence() {
    let say = |conditions: &str, root: &str| load(conditions, root).err().unwrap();
    let idle = |conditions: &str| say(conditions, "idle");
    assert_eq!(
        idle("  a: $b\n  b: $p\n"),
        "a.yaml:3:3: `a` reads `b`, which is asked after it: expected that above it"
    );
    assert_eq!(idle("  a: $a\n"), "a.yaml:3:3: `a` reads `a`, which is asked after it: expected that above it");
    assert_eq!(
        idle("  a: $q\n"),
        "a.yaml:3:6: a float says neither yes nor no: expected a comparison, as in {key: $name, …}"
    );
    assert!(idle("  a: $pp\n").starts_with("a.yaml:3:6: unknown blackboard key `pp` (did you mean `p`?)"));
    assert_eq!(
        idle("  q: $p\n"),
        "a.yaml:3:3: the blackboard key `q` is declared as float elsewhere: expected the same here"
    );
    assert_eq!(idle("  a: []\n"), "a.yaml:3:6: found a list: expected one test or more");
    assert!(idle("  a: {when: $p, untill: $w}\n").starts_with("a.yaml:3:17: unknown key `untill`"));
    assert!(idle("  a: {when: $p, after: -1}\n").ends_with("expected seconds, 0 to 1 000 000"));
    assert!(idle("  a: {nott: $p}\n").starts_with("a.yaml:3:7: unknown test `nott` (did you mean `not`?)"));
    assert_eq!(
        say("  a: $p\n", "{set: $a, to: true}"),
        "a.yaml:5:15: `a` is a condition, which is not written: expected a key"
    );
}
