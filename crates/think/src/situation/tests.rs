use super::*;
use proptest::prelude::*;
use sentir_asset::{FilePosition, Node, parse};

fn table() -> Variables {
    let words = ["door", "safe", "street"].map(str::to_owned).to_vec();
    Variables::build(vec![
        VariableSpec::new("armed", Domain::Bool),
        VariableSpec::new("ammo", Domain::Range { low: -1, high: 6 }),
        VariableSpec::new("place", Domain::Words(words)),
        VariableSpec::new("wide", Domain::Range { low: 0, high: 63 }),
    ])
    .unwrap()
}

fn need(text: &str) -> Result<Need, sentir_asset::Refusal> {
    let node: Node = parse(text.as_bytes(), "x").unwrap();
    let read: Vec<_> = node
        .entries()
        .iter()
        .map(|entry| Ok((entry.key.as_str(), Allowed::read(&entry.node)?, entry.node.place)))
        .collect::<Result<_, sentir_asset::Refusal>>()?;
    needed(&table(), read.iter().map(|(name, allowed, place)| (*name, allowed, *place)))
}

fn effects(text: &str) -> Result<(Effects, Need), sentir_asset::Refusal> {
    let node: Node = parse(text.as_bytes(), "x").unwrap();
    let read: Vec<_> = node
        .entries()
        .iter()
        .map(|entry| Ok((entry.key.as_str(), Change::read(&entry.node)?, entry.node.place)))
        .collect::<Result<_, sentir_asset::Refusal>>()?;
    stated(&table(), read.iter().map(|(name, change, place)| (*name, change, *place)))
}

fn at(table: &Variables, codes: [u8; 4]) -> Situation {
    let mut situation = table.first();
    for (id, code) in table.ids().zip(codes) {
        table.set(&mut situation, id, code);
    }
    situation
}

#[test]
fn conditions_allow_what_they_say() {
    let table = table();
    for (text, allowed) in [
        ("armed: true", vec![(0, vec![1])]),
        ("ammo: 3", vec![(1, vec![4])]),
        ("ammo: '>= 5'", vec![(1, vec![6, 7])]),
        ("ammo: '< 1'", vec![(1, vec![0, 1])]),
        ("ammo: '!= 0'", vec![(1, vec![0, 2, 3, 4, 5, 6, 7])]),
        ("place: [door, street]", vec![(2, vec![0, 2])]),
        ("place: not door", vec![(2, vec![1, 2])]),
        ("wide: '<= 63'", vec![(3, (0..64).collect())]),
    ] {
        let need = need(text).unwrap();
        for (id, variable) in table.ids().zip(table.list()) {
            let expected = allowed.iter().find(|(index, _)| *index == id.index());
            let expected = expected.map_or_else(|| (0..variable.width).collect(), |(_, codes)| codes.clone());
            let found: Vec<u8> = (0..variable.width).filter(|code| table.allowed(&need, id) >> code & 1 == 1).collect();
            assert_eq!(found, expected, "{text}, {}", variable.name);
        }
    }
}

#[test]
fn bad_conditions_say_what_and_where() {
    let say = |text: &str| need(text).unwrap_err().to_string();
    assert_eq!(
        say("amo: 3"),
        "1:6: unknown fact `amo` (did you mean `ammo`?): expected `armed`, `ammo`, `place`, `wide`"
    );
    assert_eq!(say("ammo: 9"), "1:7: `ammo` is 9 here: expected -1 to 6");
    assert_eq!(say("ammo: true"), "1:7: `ammo` is `true` or `false` here: expected a whole number from -1 to 6");
    assert_eq!(say("armed: 1"), "1:8: `armed` is a number here: expected `true` or `false`");
    assert_eq!(say("place: dor"), "1:8: unknown word `dor` (did you mean `door`?): expected `door`, `safe`, `street`");
    assert_eq!(say("armed: '>= 1'"), "1:8: `armed` is no number: expected one of its values");
    assert_eq!(say("ammo: '>= 8'"), "1:7: no value of `ammo` can be like this");
    assert_eq!(say("ammo: '>= x'"), "1:7: found text: expected a value, or a limit as in \">= 2\"");
    assert_eq!(say("ammo: 1.5"), "1:7: found a number: expected `true`, `false`, a whole number or a word");
}

#[test]
fn bad_effects_say_what_and_where() {
    let say = |text: &str| effects(text).unwrap_err().to_string();
    assert_eq!(say("armed: {add: 1}"), "1:8: `armed` is no number: nothing can be added to it");
    assert_eq!(say("ammo: {add: 8}"), "1:7: `ammo` cannot change by 8: expected 1 to 7 either way");
    assert_eq!(say("ammo: {ad: 1}"), "1:8: unknown key `ad` (did you mean `add`?): expected `add`");
    let table = table();
    let (up, down) = (Change::Add(1), Change::Add(-1));
    let twice =
        stated(&table, [("ammo", &up, FilePosition::default()), ("ammo", &down, FilePosition::default())]).unwrap_err();
    assert_eq!(twice.problem.to_string(), "`ammo` is changed twice: expected one effect for each fact");
}

#[test]
fn bad_tables_say_what() {
    let say = |specs| Variables::build(specs).unwrap_err().problem.to_string();
    let range = |name, high| VariableSpec::new(name, Domain::Range { low: 0, high });
    assert_eq!(say(vec![range("a", 3), range("a", 3)]), "two facts are called `a`: expected every name once");
    assert_eq!(say(vec![range("a", 64)]), "`a` has 65 values: expected 2 to 64");
    assert_eq!(say(vec![range("a", -5)]), "`a` has 0 values: expected 2 to 64");
    let five = (0..5).map(|number| range(["a", "b", "c", "d", "e"][number], 63)).collect();
    assert_eq!(say(five), "no bits are left for `e`: expected at most 256 values in all");
    let same = Domain::Words(vec!["x".to_owned(), "x".to_owned()]);
    assert_eq!(say(vec![VariableSpec::new("a", same)]), "two words are called `x`: expected every name once");
}

#[test]
fn limits_far_outside_a_range_are_taken_as_its_ends() {
    let table = Variables::build(vec![VariableSpec::new("a", Domain::Range { low: 1, high: 5 })]).unwrap();
    let need = |allowed| needed(&table, [("a", &allowed, FilePosition::default())]);
    assert_eq!(need(Allowed::AtLeast(i64::MIN)), Ok(table.anything()));
    assert_eq!(need(Allowed::AtMost(i64::MAX)), Ok(table.anything()));
    assert!(need(Allowed::AtLeast(i64::MAX)).is_err() && need(Allowed::AtMost(i64::MIN)).is_err());
}

#[test]
fn saved_bits_that_are_no_situation_are_mended() {
    let table = table();
    let forged = Situation { words: [u64::MAX; WORDS] };
    assert_eq!(table.mended(&forged).words[0] & 3, 1);
    let fine = at(&table, [1, 7, 2, 63]);
    assert_eq!(table.mended(&fine), fine);
}

proptest! {
    #[test]
    fn effects_forward_and_backward_agree(
        codes in (0u8..2, 0u8..8, 0u8..3, 0u8..64),
        allowed in any::<[u64; 4]>(),
        armed in any::<Option<bool>>(),
        by in -7i64..8,
        word in any::<Option<bool>>(),
    ) {
        let table = table();
        let before = at(&table, codes.into());
        let mut after_need = table.anything();
        for (id, bits) in table.ids().zip(allowed) {
            table.restrict(&mut after_need, id, bits | 1);
        }
        let mut changes = Vec::new();
        changes.extend(armed.map(|to| ("armed", Change::Set(Sample::Bool(to)))));
        changes.extend((by != 0).then_some(("ammo", Change::Add(by))));
        changes.extend(word.map(|_| ("place", Change::Set(Sample::Word("safe".to_owned())))));
        let listed = changes.iter().map(|(name, change)| (*name, change, FilePosition::default()));
        let (effects, possible) = stated(&table, listed).unwrap();
        if !before.meets(&possible) {
            return Ok(());
        }
        let after = effects.apply(&before);
        prop_assert_eq!(table.mended(&after), after);
        prop_assert_eq!(table.code(&after, VariableId(1)), (i64::from(codes.1) + by) as u8);
        let regressed = effects.regress(&after_need).map(|need| need.and(&possible));
        prop_assert_eq!(after.meets(&after_need), regressed.is_some_and(|need| before.meets(&need)));
    }

    #[test]
    fn empty_groups_are_found(words in any::<[u64; 4]>()) {
        let table = table();
        let mut need = table.anything();
        for (id, bits) in table.ids().zip(words) {
            table.restrict(&mut need, id, bits & words[3]);
        }
        let slow = table.ids().any(|id| table.allowed(&need, id) == 0);
        prop_assert_eq!(table.is_impossible(&need), slow);
    }
}
