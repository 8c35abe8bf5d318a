//! Reasons are causes: when just the value that a reason names becomes what the reason wanted, the branch is taken.

use sentir_think::test::{Comparison, Finding, Wanted};
use sentir_think::value::Value;
use sentir_think::why::{Cause, Why};

use super::guard::{FILES, guard, shown};
use super::host::World;
use super::kind::reasons;

/// Makes the value what the finding wanted.
fn grant(world: &mut World, finding: &Finding) {
    let value = match finding.wanted {
        Wanted::Compared { how: Comparison::Equal, with } => with,
        Wanted::Compared { how: Comparison::Unequal, with: Some(Value::Bool(with)) } => Some(Value::Bool(!with)),
        Wanted::Compared { how: Comparison::Less, with: Some(Value::Float(with)) } => Some(Value::Float(with - 0.01)),
        other => panic!("no way to grant {other:?}"),
    };
    world.own.put(finding.key, value);
}

/// What the guard does by itself, from the most urgent on, with the key that makes it.
const URGENT: [(&str, &str); 4] = [("health", "flee"), ("seen", "attack"), ("phone", "talk"), ("heard", "investigate")];

#[test]
fn granting_what_a_reason_names_makes_the_branch_be_taken() {
    for (file, text) in FILES {
        let mut granted = 0;
        // Whatever it does at first, everything that is more urgent was refused.
        for present in 1..=URGENT.len() {
            for (key, activity) in URGENT[..present].iter().copied() {
                let (mut brain, mut world) = guard(file, text);
                let at_work = URGENT.get(present).map_or("door", |(key, activity)| {
                    world.set_bool(key, true);
                    activity
                });
                let key = world.keys.any(key).unwrap();
                let why = reasons(&mut brain, &mut world);
                assert_eq!(shown(&world), at_work, "{file}");
                assert!(why.iter().any(|one| matches!(one, Why::Active { .. })), "{file} says what is active");
                let about = why.iter().find_map(|one| match one {
                    Why::Refused { cause: Cause::Finding(found), .. } if found.key == key => Some(*found),
                    _ => None,
                });
                // A machine that asks twice about the same key names it twice; any of them will do.
                let finding = about.unwrap_or_else(|| panic!("{file} does not say why not to {activity}: {why:?}"));
                grant(&mut world, &finding);
                let why = reasons(&mut brain, &mut world);
                assert_eq!(shown(&world), activity, "{file}");
                let ended = why.iter().filter(|one| matches!(one, Why::Aborted { .. })).count();
                assert_eq!(ended, 1, "{file} says what ended it: {why:?}");
                granted += 1;
            }
        }
        assert_eq!(granted, 10);
    }
}

#[test]
fn reasons_read_as_sentences() {
    let (mut brain, mut world) = guard(FILES[2].0, FILES[2].1);
    let why = reasons(&mut brain, &mut world);
    let refused = why.iter().find_map(|one| match one {
        Why::Refused { node, cause } if *node == brain.node("flee") => Some(cause.to_string()),
        _ => None,
    });
    assert_eq!(refused.unwrap(), "key 3 is 1, wanted < 0.3");
}
