//! What all brains in files share: keys, tests and parameters.
//!
//! In a file `$name` stands for a blackboard key; inside a subtree it stands for a port of that name, if there is one,
//! and so for whatever the subtree's user put there: a value or a key. [`resolve`] replaces all of them once, so that
//! parameters get keys that are known to exist, and typed [`Key`]s check their kind while they are read.

use std::collections::BTreeMap;

use sentir_asset::{Entry, Node, Problem, Refusal, Value as Asset};
use sentir_core::glam::Vec3;

use crate::key::{AnyBind, AnyKey, Bind, Key, KeyError, KeySpec, Keys, Scope, expected};
use crate::test::{Comparison, Test};
use crate::value::{Kind, Literal, Value};

/// What the ports of a subtree stand for, resolved.
pub type Ports = BTreeMap<String, Node>;

/// The node with each `$name` replaced by what it stands for.
pub fn resolve(node: &Node, keys: &Keys, ports: &Ports) -> Result<Node, Refusal> {
    let value = match &node.value {
        Asset::Text(text) => match text.strip_prefix('$') {
            Some(name) => match ports.get(name) {
                // The place stays where the name stands: that is what the reader of the file has to look at.
                Some(bound) => bound.value.clone(),
                // The name goes along for whoever compares files; a mark is read without it.
                None => Asset::Text(format!("{} {name}", key_of(node, name, keys, ports)?.mark())),
            },
            None => node.value.clone(),
        },
        Asset::List(nodes) => Asset::List(nodes.iter().map(|one| resolve(one, keys, ports)).collect::<Result<_, _>>()?),
        Asset::Map(entries) => {
            let resolved = |entry: &Entry| {
                let node = resolve(&entry.node, keys, ports)?;
                Ok(Entry { key: entry.key.clone(), place: entry.place, node })
            };
            Asset::Map(entries.iter().map(resolved).collect::<Result<_, Refusal>>()?)
        }
        plain => plain.clone(),
    };
    Ok(Node { place: node.place, value })
}

fn key_of(node: &Node, name: &str, keys: &Keys, ports: &Ports) -> Result<AnyKey, Refusal> {
    keys.any(name).map_err(|_| {
        let known: Vec<&str> =
            ports.keys().map(String::as_str).chain(keys.specs().iter().map(|spec| spec.name.as_str())).collect();
        Refusal::unknown(node.place, "blackboard key", name, known)
    })
}

/// A key that is written as `$name`, in a resolved node.
pub fn read_key(node: &Node) -> Result<AnyKey, Refusal> {
    match &node.value {
        Asset::Text(text) => AnyKey::from_mark(text).ok_or_else(|| node.expected("a blackboard key, as in $name")),
        _ => Err(node.expected("a blackboard key, as in $name")),
    }
}

/// A value of that kind, or a key that holds one, in a resolved node.
pub fn read_bind(node: &Node, kind: Kind) -> Result<AnyBind, Refusal> {
    let wrong = |what: String| Refusal::wrong(node.place, format!("found {what}: expected {}", expected(kind)));
    if let Ok(key) = read_key(node) {
        let is_of_kind = key.kind() == kind;
        return if is_of_kind { Ok(AnyBind::Key(key)) } else { Err(wrong(format!("a key of kind {}", key.kind()))) };
    }
    let literal: Literal = node.read()?;
    literal.value(kind).map(AnyBind::Literal).ok_or_else(|| wrong(node.value.kind().to_owned()))
}

/// The declarations of keys: `name: kind`, or `name: {kind: …, scope: own | team | world, falls_through: true}`.
pub fn read_keys(node: &Node) -> Result<Vec<KeySpec>, Refusal> {
    node.map()?.iter().map(read_spec).collect()
}

fn read_spec(entry: &Entry) -> Result<KeySpec, Refusal> {
    let kind_of = |node: &Node| {
        let name = node.text()?;
        let names = Kind::NAMES.map(|(name, _)| name);
        let found = Kind::NAMES.iter().find(|(one, _)| *one == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| Refusal::unknown(node.place, "kind of key", name, names))
    };
    let name = entry.key.clone();
    if let Asset::Text(_) = entry.node.value {
        return Ok(KeySpec { name, kind: kind_of(&entry.node)?, scope: Scope::Own, falls_through: false });
    }
    entry.node.allow(&["kind", "scope", "falls_through"])?;
    let scope = match entry.node.find("scope") {
        None => Scope::Own,
        Some(node) => match node.text()? {
            "own" => Scope::Own,
            "team" => Scope::Team,
            "world" => Scope::World,
            other => return Err(Refusal::unknown(node.place, "scope", other, ["own", "team", "world"])),
        },
    };
    let falls_through = entry.node.find("falls_through").map_or(Ok(false), Node::read)?;
    Ok(KeySpec { name, kind: kind_of(entry.node.need("kind")?)?, scope, falls_through })
}

/// The keys a file declares, behind those the game has. A key may be declared again if it is the same.
pub fn with_keys(keys: &Keys, node: &Node) -> Result<Keys, Refusal> {
    let mut specs = keys.specs().to_vec();
    for (entry, spec) in node.map()?.iter().zip(read_keys(node)?) {
        match specs.iter().find(|one| one.name == spec.name) {
            Some(same) if *same == spec => {}
            Some(other) => {
                let sentence = format!(
                    "the blackboard key `{}` is declared as {} elsewhere: expected the same here",
                    spec.name, other.kind
                );
                return Err(Refusal::wrong(entry.place, sentence));
            }
            None => specs.push(spec),
        }
        Keys::build(specs.iter().cloned()).map_err(|error| refused(entry, &error))?;
    }
    Keys::build(specs).map_err(|error| Refusal::wrong(node.place, error.to_string()))
}

fn refused(entry: &Entry, error: &KeyError) -> Refusal {
    Refusal::wrong(entry.place, error.to_string())
}

/// A test, in a resolved node: `{set: $key}`, `{unset: $key}`, `{key: $key, "<": 3}` with any comparison,
/// `{at: place, here: $key, within_m: 1}`, a yes-or-no key alone, or others put together: `{not: …}`, `{all: […]}`,
/// `{any: […]}`, and a list, which means all of them.
pub fn read_test(node: &Node) -> Result<Test, Refusal> {
    let forms = ["set", "unset", "key", "at", "not", "all", "any"];
    match &node.value {
        Asset::Text(_) => return read_flag(node).map(Test::flag),
        Asset::List(_) => return read_tests(node).map(Test::All),
        _ => {}
    }
    let first = node.map()?.first().ok_or_else(|| node.expected("a test, as in {set: $key}"))?;
    for form in ["not", "all", "any"] {
        if let Some(inner) = node.find(form) {
            node.allow(&[form])?;
            return Ok(match form {
                "not" => Test::Not(Box::new(read_test(inner)?)),
                "all" => Test::All(read_tests(inner)?),
                _ => Test::Any(read_tests(inner)?),
            });
        }
    }
    if let Some(key) = node.find("set") {
        node.allow(&["set"])?;
        return Ok(Test::IsSet(read_key(key)?));
    }
    if let Some(key) = node.find("unset") {
        node.allow(&["unset"])?;
        return Ok(Test::IsUnset(read_key(key)?));
    }
    if let Some(place) = node.find("at") {
        node.allow(&["at", "here", "within_m"])?;
        return read_is_at(node, place);
    }
    let Some(key) = node.find("key") else {
        return Err(Refusal::unknown(first.place, "test", &first.key, forms));
    };
    read_comparison(node, key)
}

/// Tests that are put together.
fn read_tests(node: &Node) -> Result<Vec<Test>, Refusal> {
    let parts = node.list()?;
    if parts.is_empty() {
        return Err(node.expected("one test or more"));
    }
    parts.iter().map(read_test).collect()
}

/// A yes-or-no key that stands alone.
fn read_flag(node: &Node) -> Result<Key<bool>, Refusal> {
    let key = read_key(node)?;
    key.typed().ok_or_else(|| {
        let sentence =
            format!("a {} says neither yes nor no: expected a comparison, as in {{key: $name, …}}", key.kind());
        Refusal::wrong(node.place, sentence)
    })
}

fn read_comparison(node: &Node, key: &Node) -> Result<Test, Refusal> {
    let names = Comparison::NAMES.map(|(name, _)| name);
    let mut others = node.entries().iter().filter(|entry| entry.key != "key");
    let entry = others.next().ok_or_else(|| {
        Refusal::new(node.place, Problem::Missing("==` or another comparison, as in `\"<\": 3".to_owned()))
    })?;
    let unknown = || Refusal::unknown(entry.place, "comparison", &entry.key, names);
    let how = Comparison::NAMES.iter().find(|(name, _)| *name == entry.key).ok_or_else(unknown)?.1;
    if let Some(more) = others.next() {
        return Err(Refusal::wrong(more.place, "a second comparison: expected one a test"));
    }
    let key = read_key(key)?;
    if how.needs_order() && !key.kind().is_ordered() {
        let sentence = format!("a {} is not less or more than another: expected == or !=", key.kind());
        return Err(Refusal::wrong(entry.place, sentence));
    }
    Ok(Test::Compare { key, how, with: read_bind(&entry.node, key.kind())? })
}

fn read_is_at(node: &Node, place: &Node) -> Result<Test, Refusal> {
    let here_node = node.need("here")?;
    let here: Key<Vec3> = here_node.read()?;
    let within = node.need("within_m")?;
    let within_m = within.number()? as f32;
    if within_m < 0.0 {
        return Err(within.expected("meters, not negative"));
    }
    let place = match read_bind(place, Kind::FilePosition)? {
        AnyBind::Key(key) => key.typed().map(Bind::Key),
        AnyBind::Literal(Value::FilePosition(place)) => Some(Bind::Literal(place)),
        AnyBind::Literal(_) => None,
    };
    let place = place.ok_or_else(|| node.expected("a place"))?;
    Ok(Test::IsAt { here, place, within_m })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_asset::parse;

    fn node(text: &str) -> Node {
        parse(text.as_bytes(), "a.yaml").unwrap()
    }

    fn keys() -> Keys {
        with_keys(
            &Keys::default(),
            &node("health: float\ngoal: place\nhere: place\nalarm: {kind: bool, scope: team}\nenemy: agent\n"),
        )
        .unwrap()
    }

    fn test(text: &str) -> Result<Test, String> {
        let resolved = resolve(&node(text), &keys(), &Ports::new()).map_err(|refusal| refusal.to_string())?;
        read_test(&resolved).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn tests_read_as_they_are_written() {
        let keys = keys();
        let health = keys.key::<f32>("health").unwrap();
        let (here, goal) = (keys.key::<Vec3>("here").unwrap(), keys.key::<Vec3>("goal").unwrap());
        assert_eq!(test("{set: $goal}"), Ok(Test::IsSet(goal.any())));
        assert_eq!(test("{unset: $enemy}"), Ok(Test::IsUnset(keys.any("enemy").unwrap())));
        assert_eq!(test("{key: $health, \"<\": 1}"), Ok(Test::compare(health, Comparison::Less, 1.0)));
        assert_eq!(test("{key: $goal, \"!=\": $here}"), Ok(Test::compare(goal, Comparison::Unequal, Bind::Key(here))));
        let at = Test::IsAt { here, place: Bind::Key(goal), within_m: 2.0 };
        assert_eq!(test("{at: $goal, here: $here, within_m: 2}"), Ok(at));
    }

    #[test]
    fn each_way_to_be_wrong_has_its_own_sentence() {
        let say = |text: &str| test(text).unwrap_err();
        assert!(
            say("{set: $gaol}").starts_with("1:7: unknown blackboard key `gaol` (did you mean `goal`?): expected ")
        );
        assert_eq!(
            say("{sett: $goal}"),
            "1:2: unknown test `sett` (did you mean `set`?): expected `set`, `unset`, `key`, `at`, `not`, `all`, `any`"
        );
        assert_eq!(say("{key: $health}"), "1:1: `==` or another comparison, as in `\"<\": 3` is missing");
        assert_eq!(
            say("{key: $health, \"<\": true}"),
            "1:21: found `true` or `false`: expected a number, or a key of kind float, as in $name"
        );
        assert_eq!(
            say("{key: $health, \"<\": $goal}"),
            "1:21: found a key of kind place: expected a number, or a key of kind float, as in $name"
        );
        assert_eq!(
            say("{key: $goal, \"<\": $here}"),
            "1:14: a place is not less or more than another: expected == or !="
        );
        assert_eq!(say("{set: goal}"), "1:7: found text: expected a blackboard key, as in $name");
        assert!(say("{key: $health, \"=<\": 1}").contains("unknown comparison `=<`"));
        assert_eq!(
            say("{at: $goal, here: $here, within_m: -1}"),
            "1:36: found a whole number: expected meters, not negative"
        );
        assert!(
            say("{at: $goal, here: $health, within_m: 1}")
                .starts_with("1:19: found a key of kind float: expected a place")
        );
        assert_eq!(say("7"), "1:1: found a whole number: expected keys with values");
    }

    #[test]
    fn declarations_of_keys_are_checked() {
        let say = |text: &str| with_keys(&keys(), &node(text)).unwrap_err().to_string();
        assert!(say("a: flaot").starts_with("1:4: unknown kind of key `flaot` (did you mean `float`?)"));
        assert!(say("a: {kind: bool, scope: tem}").starts_with("1:24: unknown scope `tem` (did you mean `team`?)"));
        assert_eq!(
            say("health: bool"),
            "1:1: the blackboard key `health` is declared as float elsewhere: expected the same here"
        );
        assert!(say("Big: bool").starts_with("1:1: `Big` cannot be the name of a key"));
        assert_eq!(with_keys(&keys(), &node("health: float")).unwrap(), keys());
    }

    #[test]
    fn ports_shadow_keys() {
        let ports = Ports::from([("goal".to_owned(), node("[1, 2, 3]"))]);
        let resolved = resolve(&node("{to: $goal, by: $here}"), &keys(), &ports).unwrap();
        assert_eq!(resolved.find("to").unwrap().list().unwrap().len(), 3);
        assert_eq!(read_key(resolved.find("by").unwrap()).unwrap(), keys().any("here").unwrap());
    }
}
