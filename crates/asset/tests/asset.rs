//! Contract: files are read strictly, and every refusal says where, what and what else was expected.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use proptest::prelude::*;
use sentir_asset::{
    AssetError, BYTES_MAX, Edits, FilePosition, Header, Migration, MigrationError, MigrationPlan, Node, Refusal, Value,
    migrate, parse,
};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Leaf {
    name: String,
    #[serde(default)]
    seconds: f32,
    #[serde(default)]
    count: u8,
    #[serde(default)]
    is_on: bool,
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    at: Option<(f32, f32)>,
    #[serde(default)]
    list: Vec<Mode>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Mode {
    #[default]
    Plain,
    Times(u32),
    Between {
        low: f32,
        high: f32,
    },
}

fn node(text: &str) -> Node {
    parse(text.as_bytes(), "a.yaml").unwrap()
}

fn leaf(text: &str) -> Result<Leaf, String> {
    node(text).read().map_err(|refusal: Refusal| AssetError::new("a.yaml", refusal).to_string())
}

#[test]
fn every_value_has_its_place() {
    let file = node("one: 1\ntwo:\n  - true\n  - 2.5\n  - \"7\"\n  - seven words here\nthree: ~\n");
    let two = file.find("two").unwrap();
    let places: Vec<_> = two.list().unwrap().iter().map(|node| (node.place.line, node.place.column)).collect();
    assert_eq!(places, [(3, 5), (4, 5), (5, 5), (6, 5)]);
    let values: Vec<_> = two.list().unwrap().iter().map(|node| node.value.clone()).collect();
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(values, [Value::Bool(true), Value::Float(2.5), text("7"), text("seven words here")]);
    assert_eq!(file.entries()[1].place, FilePosition { line: 2, column: 1 });
    assert_eq!(file.find("three").unwrap().value, Value::Null);
    assert_eq!(file.find("four"), None);
}

#[test]
fn a_part_of_a_file_becomes_a_typed_value() {
    let text = "name: wait\nseconds: 2\ncount: 3\nis_on: true\nmode: { times: 4 }\nat: [1, -2.5]\nlist: [plain, { between: { low: 0, high: 1 } }]\n";
    let expected = Leaf {
        name: "wait".to_owned(),
        seconds: 2.0,
        count: 3,
        is_on: true,
        mode: Mode::Times(4),
        at: Some((1.0, -2.5)),
        list: vec![Mode::Plain, Mode::Between { low: 0.0, high: 1.0 }],
    };
    assert_eq!(leaf(text), Ok(expected.clone()));
    // The same type read straight from the bytes is the same value.
    assert_eq!(parse::<Leaf>(text.as_bytes(), "a.yaml"), Ok(expected));
}

#[test]
fn refusals_of_typed_parts_say_where_and_what() {
    let cases = [
        (
            "name: a\nsecond: 2",
            "a.yaml:2:1: unknown key `second` (did you mean `seconds`?): expected `name`, `seconds`, `count`, `is_on`, `mode`, `at`, `list`",
        ),
        ("seconds: 2", "a.yaml:1:1: `name` is missing"),
        ("name: a\nseconds: soon", "a.yaml:2:10: found text: expected a number"),
        ("name: 5", "a.yaml:1:7: found a whole number: expected text"),
        ("name: a\ncount: 300", "a.yaml:2:8: found 300: expected 0 to 255"),
        ("name: a\ncount: 1.5", "a.yaml:2:8: found a number: expected a whole number"),
        ("name: a\nis_on: 1", "a.yaml:2:8: found a whole number: expected `true` or `false`"),
        (
            "name: a\nmode: plane",
            "a.yaml:2:7: unknown kind `plane` (did you mean `plain`?): expected `plain`, `times`, `between`",
        ),
        ("name: a\nmode: times", "a.yaml:2:7: `times` stands alone: expected a value after it, as in `times: …`"),
        (
            "name: a\nmode:\n  between: { low: 1, hi: 2 }",
            "a.yaml:3:22: unknown key `hi` (did you mean `high`?): expected `low`, `high`",
        ),
        ("name: a\nmode: { times: -1 }", "a.yaml:2:16: found -1: expected 0 to 4294967295"),
        ("name: a\nmode: { plain: 3 }", "a.yaml:2:16: found a whole number: expected nothing"),
        ("name: a\nat: [1, 2, 3]", "a.yaml:2:5: found 3 values: expected 2"),
        ("name: a\nlist: plain", "a.yaml:2:7: found text: expected a list"),
        ("- 1", "a.yaml:1:1: found a list: expected keys with values"),
    ];
    for (text, expected) in cases {
        assert_eq!(leaf(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_the_subset_leaves_out_is_refused() {
    let long = vec![b' '; BYTES_MAX + 1];
    let deep = format!("{}1{}", "[".repeat(80), "]".repeat(80));
    let cases: [(&[u8], &str); 9] = [
        (b"a: &x 1", "a.yaml:1:4: anchors (`&`) are not used in these files: write the value out"),
        (b"a: *x", "a.yaml:1:4: aliases (`*`) are not used in these files: write the value out"),
        (b"a: !int 1", "a.yaml:1:4: tags (`!`) are not used in these files: write the value out"),
        (b"<<: 1", "a.yaml:1:1: merge keys (`<<`) are not used in these files: write the value out"),
        (b"a: 1\na: 2", "a.yaml:2:1: two keys are called `a`: expected every name once"),
        (b"a: 1\n---\nb: 2", "a.yaml:2:1: a second document begins here: expected one a file"),
        (b"\xff\xfe", "a.yaml: not UTF-8 text"),
        (&long, "a.yaml: 1048577 bytes are too many: expected at most 1048576"),
        (deep.as_bytes(), "a.yaml:1:65: "),
    ];
    for (bytes, expected) in cases {
        let refused = parse::<Node>(bytes, "a.yaml").unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
}

#[test]
fn an_empty_file_is_nothing() {
    for text in ["", "\n", "# only a comment\n", "~"] {
        assert_eq!(node(text).value, Value::Null, "{text:?}");
    }
    assert_eq!(leaf("").unwrap_err(), "a.yaml:1:1: `name` is missing");
}

#[test]
fn parameters_with_defaults_may_be_left_out() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Wait {
        #[serde(default)]
        seconds: f32,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    let file = node("with:\nmore: { a: 1 }");
    assert_eq!(file.find("with").unwrap().read(), Ok(Wait { seconds: 0.0 }));
    assert_eq!(file.find("with").unwrap().read(), Ok(Nothing {}));
    let refused = file.find("more").unwrap().read::<Nothing>().unwrap_err();
    assert_eq!(refused.to_string(), "2:9: unknown key `a`: expected none here");
    assert!(file.find("more").unwrap().read::<()>().is_err());
    assert_eq!(file.find("with").unwrap().read(), Ok(()));
}

#[test]
fn keys_are_asked_for_by_name() {
    let file = node("one: 1\nother: [2]\n");
    assert_eq!(file.need("one").unwrap().number(), Ok(1.0));
    assert_eq!(file.need("two").unwrap_err().to_string(), "1:1: `two` is missing");
    assert_eq!(file.allow(&["one", "other"]), Ok(()));
    let refused = file.allow(&["one", "others"]).unwrap_err().to_string();
    assert_eq!(refused, "2:1: unknown key `other` (did you mean `others`?): expected `one`, `others`");
    assert_eq!(file.need("other").unwrap().number().unwrap_err().to_string(), "2:8: found a list: expected a number");
    for text in ["a: .nan", "a: .inf", "a: -.inf"] {
        assert!(parse::<Node>(text.as_bytes(), "a.yaml").is_err(), "{text}");
    }
}

#[test]
fn a_file_says_what_it_is() {
    let known = [("tree", 2), ("query", 1)];
    let say = |text: &str| Header::expect(&node(text), &known).map_err(|refusal| refusal.to_string());
    assert_eq!(say("sentir: tree 2\nname: x"), Ok(Header { kind: "tree".to_owned(), version: 2 }));
    let cases = [
        ("name: x", "1:1: `sentir` is missing"),
        ("sentir: tree", "1:9: found text: expected a kind and a version, as in `sentir: tree 1`"),
        ("sentir: tree 0", "1:9: found text: expected a kind and a version, as in `sentir: tree 1`"),
        ("sentir: quary 1", "1:9: unknown kind of file `quary` (did you mean `query`?): expected `tree`, `query`"),
        ("sentir: tree 1", "1:9: this is version 1 of `tree`, and 2 is current: `sentir migrate` brings it there"),
        ("sentir: tree 3", "1:9: version 3 of `tree` is newer than this program: expected 2"),
    ];
    for (text, expected) in cases {
        assert_eq!(say(text), Err(expected.to_owned()), "{text}");
    }
}

/// Version 2 calls `fallback` a `selector`; version 3 calls the root's name `title`.
const STEPS: [Migration; 2] = [
    Migration {
        kind: "tree",
        from: 1,
        edit: |node, edits| {
            for entry in node.entries().iter().filter(|entry| entry.key == "fallback") {
                edits.swap(entry.place, "fallback", "selector");
            }
        },
    },
    Migration {
        kind: "tree",
        from: 2,
        edit: |node, edits| {
            for entry in node.entries().iter().filter(|entry| entry.key == "name") {
                edits.swap(entry.place, "name", "title");
            }
        },
    },
];

#[test]
fn an_old_file_is_brought_forward_with_its_comments() {
    let old = "# guards\nsentir: tree 1   # first\nname: \"fallback\"\nfallback:   # the root\n  - a\n";
    let new = "# guards\nsentir: tree 3   # first\ntitle: \"fallback\"\nselector:   # the root\n  - a\n";
    assert_eq!(
        migrate(old, "a.yaml", &MigrationPlan { known: &[("tree", 3)], steps: &STEPS }),
        Ok(Some(new.to_owned()))
    );
    assert_eq!(migrate(new, "a.yaml", &MigrationPlan { known: &[("tree", 3)], steps: &STEPS }), Ok(None));
    let newer = migrate("sentir: tree 4", "a.yaml", &MigrationPlan { known: &[("tree", 3)], steps: &STEPS })
        .unwrap_err()
        .to_string();
    assert_eq!(newer, "a.yaml:1:9: version 4 of `tree` is newer than this program: expected 3");
}

#[test]
fn an_edit_that_misses_changes_nothing() {
    let lost = Migration {
        kind: "tree",
        from: 1,
        edit: |_, edits: &mut Edits| edits.swap(FilePosition { line: 9, column: 1 }, "a", "b"),
    };
    let refused =
        migrate("sentir: tree 1", "a.yaml", &MigrationPlan { known: &[("tree", 2)], steps: &[lost] }).unwrap_err();
    assert_eq!(refused, MigrationError::Elsewhere { wanted: "a".to_owned(), line: 9, column: 1 });
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(node) = parse::<Node>(&bytes, "a.yaml") {
            prop_assert!(node.read::<Leaf>().is_err() || node.find("name").is_some());
        }
    }

    #[test]
    fn a_typed_value_is_the_same_by_both_ways(
        seconds in -1e6f32..1e6,
        count in any::<u8>(),
        times in any::<u32>(),
        is_on in any::<bool>(),
    ) {
        let text = format!("name: x\nseconds: {seconds:?}\ncount: {count}\nis_on: {is_on}\nmode:\n  times: {times}\n");
        prop_assert_eq!(leaf(&text).unwrap(), parse::<Leaf>(text.as_bytes(), "a.yaml").unwrap());
    }
}
