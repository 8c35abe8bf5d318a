//! Bad files and bad specs are refused with a sentence one can act on.

use super::yard::{lexicon, own};
use proptest::prelude::*;
use sentir_space::query::{
    Curve, GeneratorSpec, Lexicon, Purpose, QuerySpec, Scale, TestKindSpec, TestSpec, load, stock,
};

const HEAD: &str = "sentir: query 1\nname: a\npoints:\n  - grid: { half_m: 5, step_m: 1 }\ntests:\n";

fn refused(text: &str) -> String {
    load(text.as_bytes(), "a.yaml", &Lexicon::default()).unwrap_err().to_string()
}

fn after(test: &str) -> String {
    refused(&format!("{HEAD}{test}"))
}

#[test]
fn unknown_words_are_told_with_their_place_and_the_nearest_one() {
    let known = "`path_cost`, `distance`, `visibility`, `behind_cover`, `obstacles`, `randomness`, `influence`, \
                 `spread`, `flank`, `repetition`, `line_of_fire`, `facing`, …";
    assert_eq!(
        after("  - test: { distanse: { to: self } }\n"),
        format!("a.yaml:6:13: unknown kind `distanse` (did you mean `distance`?): expected {known}")
    );
    assert_eq!(
        after("  - test: { distance: { to: targt } }\n"),
        "a.yaml:6:29: unknown context `targt` (did you mean `target`?): expected `self`, `target`, `allies`, `claimed`"
    );
    assert_eq!(
        after("  - test: { influence: { map: predictions } }\n"),
        "a.yaml:6:31: unknown influence map `predictions` (did you mean `prediction`?): expected `prediction`"
    );
    assert_eq!(after("  - test: { own: { name: x } }\n"), "a.yaml:6:26: unknown test `x`: expected none here");
    assert!(after("  - test: { flank: {} }\n    wait: 3\n").starts_with("a.yaml:7:5: unknown key `wait`"));
}

#[test]
fn numbers_out_of_their_limits_are_told_with_their_place() {
    let weight = "  - test: { flank: {} }\n    weight: -1\n";
    assert_eq!(after(weight), "a.yaml:7:13: found -1: expected 0 to 1000");
    assert_eq!(after("  - test: { randomness: { share: 0.5 } }\n"), "a.yaml:6:34: found 0.5: expected 0 to 0.1");
    assert_eq!(
        after("  - test: { flank: {} }\n    scale: { range: { low: 3, high: 1 } }\n"),
        "a.yaml:7:12: a scale cannot go from 3 to 1: expected `low` under `high`"
    );
    assert_eq!(
        after("  - test: { flank: {} }\n    curve: { power: { exponent: 0 } }\n"),
        "a.yaml:7:33: found 0: expected 0.01 to 100"
    );
    assert_eq!(
        after("  - test: { flank: {} }\n    least: 2\n    most: 1\n"),
        "a.yaml:8:11: no value is at least 2 and at most 1"
    );
    let wide = "sentir: query 1\nname: a\npoints:\n  - grid: { half_m: 500, step_m: 1 }\ntests: []\n";
    assert_eq!(
        refused(wide),
        "a.yaml:4:34: there would be about 1002001 points: expected at most 4096, so a wider step"
    );
}

#[test]
fn purposes_that_make_no_sense_are_told() {
    assert_eq!(
        after("  - test: { flank: {} }\n    use: filter\n"),
        "a.yaml:7:10: a filter without bounds keeps everything: expected `least` or `most`"
    );
    assert_eq!(
        after("  - test: { flank: {} }\n    use: score\n    most: 1\n"),
        "a.yaml:8:11: a test that only scores has no bounds: expected `use: filter` or `use: both`"
    );
    assert_eq!(
        after("  - test: { randomness: {} }\n    use: filter\n"),
        "a.yaml:6:5: chance neither drops nor scores by itself: expected `share` only"
    );
    assert_eq!(
        after("  - test: { randomness: {} }\n  - test: { randomness: {} }\n"),
        "a.yaml:7:5: two tests are called `randomness`: expected every name once"
    );
}

#[test]
fn files_of_another_kind_or_shape_are_told() {
    assert!(refused("sentir: tree 1\n").starts_with("a.yaml:1:9: unknown kind of file `tree`"));
    assert_eq!(refused("sentir: query 1\nname: a\ntests: []\n"), "a.yaml:1:1: `points` is missing");
    assert!(refused("sentir: query 9\nname: a\n").contains("newer than this program"));
    let empty = "sentir: query 1\nname: a\npoints: []\ntests: []\n";
    assert_eq!(refused(empty), "a.yaml:3:9: found 0: expected 1 to 64");
}

#[test]
fn specs_made_by_code_name_the_way_to_what_is_wrong() {
    let test = |test| TestSpec::new(test);
    let build = |points: Vec<GeneratorSpec>, tests| {
        let spec = QuerySpec { name: "a".to_owned(), points, tests, ..QuerySpec::default() };
        spec.build(&lexicon()).map(|_| ()).map_err(|error| error.to_string())
    };
    let odd = |reach_m| vec![test(TestKindSpec::Obstacles { reach_m })];
    assert_eq!(
        build(own(), odd(f32::NAN)),
        Err("tests[0].test.obstacles.reach_m: found NaN: expected 0.1 to 100".to_owned())
    );
    let nan = TestSpec { weight: f32::NAN, ..test(TestKindSpec::Clearance { reach_m: 1.0 }) };
    assert_eq!(build(own(), vec![nan]), Err("tests[0].weight: found NaN: expected 0 to 1000".to_owned()));
    let bound = TestSpec { most: Some(f32::NAN), ..test(TestKindSpec::Clearance { reach_m: 1.0 }) };
    assert_eq!(build(own(), vec![bound]), Err("tests[0].most: found NaN: expected a number".to_owned()));
    let ring = GeneratorSpec::Ring { around: "self".to_owned(), least_m: 5.0, most_m: 1.0, step_m: 1.0 };
    assert_eq!(build(vec![ring], vec![]), Err("points[0].ring.most_m: found 1: expected 5 to 1000".to_owned()));
    let curve = TestSpec {
        curve: Some(Curve::Logistic { middle: 0.5, steepness: 0.0 }),
        purpose: Some(Purpose::Score),
        scale: Some(Scale::Greatest),
        ..test(TestKindSpec::Clearance { reach_m: 1.0 })
    };
    let sentence = "tests[0].curve.logistic.steepness: found 0: expected -1000 to 1000, not 0";
    assert_eq!(build(own(), vec![curve]), Err(sentence.to_owned()));
    assert_eq!(build(vec![], vec![]), Err("points: found 0: expected 1 to 64".to_owned()));
}

proptest! {
    #[test]
    fn broken_files_are_refused_without_a_panic(number in 0usize..6, cut in 0usize..800, at in 0usize..800, byte in any::<u8>()) {
        let mut bytes = stock::STOCK[number].1.to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        bytes.truncate(cut.max(1));
        stock::fuzz(&bytes);
        prop_assert!(load(&bytes[..1], "a.yaml", &Lexicon::default()).is_err());
    }
}
