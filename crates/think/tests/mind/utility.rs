//! Utility: curves against their formulas, compensation, ways to pick, inertia, bad files.

use proptest::prelude::*;
use sentir_core::random::{Purpose, Streams};
use sentir_think::key::Keys;
use sentir_think::outline::in_words;
use sentir_think::utility::{Curve, Pick, compensated};
use sentir_think::why::{Cause, Why};

use super::host::World;
use super::kind::{Brain, read, reasons, refused};

const ANY: Purpose = Purpose::new("test");

/// The same formulas by the standard library, in double precision.
#[expect(clippy::disallowed_methods, reason = "the standard library is the twin here")]
fn twin(curve: &Curve, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let wide = |number: f32| f64::from(number);
    let y = match curve {
        Curve::Linear { slope, shift } => wide(*slope) * x + wide(*shift),
        Curve::Polynomial { exponent, slope, middle, shift } => {
            let base = x - wide(*middle);
            let is_whole = exponent.round() == *exponent;
            let power = if is_whole { base.powf(wide(*exponent)) } else { base.max(0.0).powf(wide(*exponent)) };
            wide(*slope) * power + wide(*shift)
        }
        Curve::Logistic { slope, middle } => 1.0 / (1.0 + (-wide(*slope) * (x - wide(*middle))).exp()),
        Curve::Logit { slope } => {
            let x = x.clamp(1.0 / 1024.0, 1023.0 / 1024.0);
            wide(*slope) * (x / (1.0 - x)).ln() + 0.5
        }
        Curve::Bell { middle, width } => (-0.5 * ((x - wide(*middle)) / wide(*width)).powi(2)).exp(),
        Curve::Table(points) => {
            let at = points.iter().rposition(|point| wide(point[0]) <= x);
            match at {
                None => wide(points[0][1]),
                Some(last) if last + 1 == points.len() => wide(points[last][1]),
                Some(at) => {
                    let ([x0, y0], [x1, y1]) = (points[at].map(f64::from), points[at + 1].map(f64::from));
                    y0 + (y1 - y0) * (x - x0) / (x1 - x0)
                }
            }
        }
    };
    y.clamp(0.0, 1.0)
}

fn curve() -> impl Strategy<Value = Curve> {
    prop_oneof![
        (-3.0f32..3.0, -1.0f32..1.0).prop_map(|(slope, shift)| Curve::Linear { slope, shift }),
        (prop_oneof![(1i32..5).prop_map(|n| n as f32), 0.3f32..4.0], -2.0f32..2.0, 0.0f32..1.0, -0.5f32..0.5)
            .prop_map(|(exponent, slope, middle, shift)| Curve::Polynomial { exponent, slope, middle, shift }),
        (-20.0f32..20.0, 0.0f32..1.0).prop_map(|(slope, middle)| Curve::Logistic { slope, middle }),
        (-0.3f32..0.3).prop_map(|slope| Curve::Logit { slope }),
        (0.0f32..1.0, 0.05f32..1.0).prop_map(|(middle, width)| Curve::Bell { middle, width }),
        proptest::collection::vec((0.01f32..0.5, 0.0f32..1.0), 1..6).prop_map(|steps| {
            let mut x = 0.0;
            Curve::Table(
                steps
                    .into_iter()
                    .map(|(step, y)| {
                        x += step;
                        [x, y]
                    })
                    .collect(),
            )
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn curves_follow_their_formulas(curve in curve(), x in -0.2f32..1.2) {
        prop_assert_eq!(curve.problem(), None);
        let y = curve.at(x);
        prop_assert!((0.0..=1.0).contains(&y));
        prop_assert!((f64::from(y) - twin(&curve, f64::from(x))).abs() < 2e-4, "{curve:?} at {x}: {y}");
        prop_assert!((0.0..=1.0).contains(&curve.at(f32::NAN)) && (0.0..=1.0).contains(&curve.at(f32::INFINITY)));
    }

    #[test]
    fn compensation_gives_back_but_never_turns_the_order_round(a in 0.0f32..=1.0, b in 0.0f32..=1.0, count in 1usize..20) {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let (low_c, high_c) = (compensated(low, count), compensated(high, count));
        prop_assert!(low_c <= high_c + 1e-6 && low_c >= low && high_c <= 1.0 + 1e-6);
        prop_assert!((low == 0.0) == (low_c == 0.0));
        // The same average of more considerations suffers less.
        prop_assert!(compensated(low, count + 1) >= low_c);
    }

    #[test]
    fn picks_are_among_the_best(scores in proptest::collection::vec(-1.0f32..3.0, 1..20), top in 1u32..6, seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] > 0.0).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let random = || Streams { seed }.stream(1, ANY);
        prop_assert_eq!(Pick::Best.choose(&scores, random), order.first().copied());
        for pick in [Pick::Top(top), Pick::Weighted(top)] {
            match pick.choose(&scores, random) {
                None => prop_assert!(order.is_empty()),
                Some(one) => prop_assert!(order.iter().take(top as usize).any(|&good| good == one)),
            }
        }
    }
}

#[test]
fn weighted_picks_are_as_likely_as_they_are_good() {
    let scores = [3.0, 0.0, 1.0, f32::NAN];
    let mut counts = [0; 4];
    for seed in 0..4000 {
        counts[Pick::Weighted(3).choose(&scores, || Streams { seed }.stream(1, ANY)).unwrap()] += 1;
    }
    assert_eq!((counts[1], counts[3]), (0, 0));
    // Three quarters, give or take four standard errors.
    assert!((2890..3110).contains(&counts[0]), "{counts:?}");
}

fn brain(text: &str) -> (Brain, World) {
    let brain = read(text, "worth.yaml").unwrap();
    let world = World::new(brain.keys());
    (brain, world)
}

fn two(head: &str, extra: &str) -> String {
    format!(
        "
sentir: utility 1
keys: {{a: float, b: float, c: float}}
{head}
options:
  - {{name: a, considerations: [{{name: x, input: $a}}], task: act, with: {{what: a}}{extra}}}
  - {{name: b, considerations: [{{name: x, input: $b}}], task: act, with: {{what: b}}}}
  - {{name: c, rank: 1, considerations: [{{name: x, input: $c}}], task: act, with: {{what: c}}}}
"
    )
}

/// How often it turns to something else while two scores cross again and again.
fn turns(text: &str) -> u32 {
    let (mut brain, mut world) = brain(text);
    for tick in 0..100 {
        let up = tick % 2 == 0;
        world.set_float("a", if up { 0.55 } else { 0.5 });
        world.set_float("b", if up { 0.5 } else { 0.55 });
        world.think(|thought| brain.tick(thought));
    }
    world.body.started
}

#[test]
fn inertia_and_least_times_keep_it_from_dithering() {
    assert_eq!(turns(&two("", "")), 100);
    assert_eq!(turns(&two("inertia: 0.2", "")), 1);
    assert_eq!(turns(&two("least: 1", "")), 10);
    assert!(turns(&two("delay: 0.2", "")) <= 2);
}

#[test]
fn a_higher_rank_interrupts_even_a_least_time() {
    let (mut brain, mut world) = brain(&two("least: 5", ""));
    world.set_float("a", 0.9);
    world.think(|thought| brain.tick(thought));
    world.set_float("b", 1.0);
    world.set_float("a", 0.0);
    world.think(|thought| brain.tick(thought));
    assert!(world.shows("a"), "kept for the least time, though it is worth nothing now");
    world.set_float("c", 0.01);
    world.think(|thought| brain.tick(thought));
    assert!(world.shows("c"));
}

#[test]
fn what_rests_is_not_done() {
    let (mut brain, mut world) = brain(&two("", ", cooldown: 0.5").replace("what: a}", "what: a, for_s: 0.2}"));
    world.set_float("a", 0.9);
    world.set_float("b", 0.1);
    let shown: String = (0..12)
        .map(|_| {
            world.think(|thought| brain.tick(thought));
            if world.shows("a") { 'a' } else { 'b' }
        })
        .collect();
    assert_eq!(shown, "aabbbbbaabbb");
}

#[test]
fn character_is_a_weight() {
    let text = "
sentir: utility 1
keys: {bravery: float, caution: float, threat: float}
options:
  - {name: fight, weight: $bravery, considerations: [{name: threat, input: $threat, curve: {linear: {slope: -0.5, shift: 1}}}], task: act, with: {what: fight}}
  - {name: hide, weight: $caution, considerations: [{name: threat, input: $threat, curve: {polynomial: {exponent: 2}}}], task: act, with: {what: hide}}
";
    let mut limits = Vec::new();
    for (bravery, caution) in [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5)] {
        let (mut brain, mut world) = brain(text);
        world.set_float("bravery", bravery);
        world.set_float("caution", caution);
        // The threat at which it hides.
        let hides = |step: &i32| {
            world.set_float("threat", *step as f32 / 100.0);
            world.think(|thought| brain.tick(thought));
            world.shows("hide")
        };
        limits.push((0..=100).find(hides));
    }
    let [plain, timid, brave] = limits[..] else { panic!() };
    assert!(timid < plain && plain.is_some() && brave.is_none(), "{limits:?}");
}

#[test]
fn a_reason_names_the_consideration_that_weighed_least() {
    let text = "
sentir: utility 1
keys: {near: float, fit: float}
options:
  - name: fight
    considerations: [{name: near, input: $near}, {name: fit, input: $fit}]
    task: act
    with: {what: fight}
  - {name: wait, weight: 0.4, task: act, with: {what: wait}}
";
    let (mut brain, mut world) = brain(text);
    world.set_float("near", 0.9);
    world.set_float("fit", 0.1);
    let why = reasons(&mut brain, &mut world);
    assert!(world.shows("wait"));
    let fight = brain.node("fight");
    let score = why.iter().find_map(|one| match one {
        Why::Refused { node, cause: Cause::ConditionResult(answer) } if *node == fight => Some(*answer),
        _ => None,
    });
    let score = score.unwrap();
    assert!(score.value < score.limit && score.limit == 0.4);
    let named = sentir_think::utility::consideration_id(fight, "fit");
    let told = why.iter().find_map(|one| match one {
        Why::Refused { node, cause } if *node == named => Some(in_words(cause, &world.keys)),
        _ => None,
    });
    assert_eq!(told.unwrap(), "fit is 0.1, wanted >= 1", "the key, what stands there, and what would be best");
    // Just that value, and the branch is taken; the other one alone would not do.
    world.set_float("near", 1.0);
    world.think(|thought| brain.tick(thought));
    assert!(world.shows("wait"));
    world.set_float("near", 0.9);
    world.set_float("fit", 0.9);
    world.think(|thought| brain.tick(thought));
    assert!(world.shows("fight"));
}

#[test]
fn an_appeal_is_a_score_for_a_tree() {
    use sentir_think::key::Bind;
    use sentir_think::leaf::{ScoreLeaf, Status, TaskLeaf};
    use sentir_think::tree::{NodeKind, Tree, TreeState};
    use sentir_think::utility::{Appeal, Appraise, Consideration, Input};
    let (_, mut world) = brain(&two("", ""));
    let appeal = |key: &str, keys: &Keys| {
        let input = Input::Key(Bind::Key(keys.key::<f32>(key).unwrap()));
        let one = Consideration { name: key.to_owned(), input, from: 0.0, to: 1.0, curve: Curve::default() };
        ScoreLeaf::new::<Appraise>(Appeal { weight: Bind::Literal(1.0), considerations: vec![one] })
    };
    let scores = vec![appeal("a", &world.keys), appeal("b", &world.keys)];
    let act = |what: &str| {
        let params = sentir_asset::parse::<super::host::MarkParams>(format!("what: {what}").as_bytes(), "x").unwrap();
        NodeKind::Task(TaskLeaf::new::<super::host::Mark>(params)).leaf()
    };
    let tree = Tree::build(NodeKind::UtilitySelector { scores }.of([act("a"), act("b")])).unwrap();
    let mut state = TreeState::default();
    for (a, b) in [(0.2, 0.8), (0.9, 0.8)] {
        world.set_float("a", a);
        world.set_float("b", b);
        assert_eq!(world.think(|thought| tree.tick(&mut state, thought)), Status::Success);
    }
    assert_eq!(world.body.names(&["a", "b"]), ["b", "a"]);
}

const IN_A_TREE: &str = "
sentir: tree 1
keys: {a: float, b: float, bold: float}
trees:
  day:
    utility_selector:
      - {task: mark, with: {what: eat}}
      - {subtree: rest, ports: {need: $b}}
      - {task: mark, with: {what: play}}
    scores:
      - {weight: $bold, considerations: [{name: hunger, input: $a, curve: {logistic: {slope: 10}}}]}
      - considerations:
          - {name: tired, input: $b, to: 10, curve: {table: [[0, 0], [0.5, 0], [1, 1]]}}
          - {name: quiet, when: {key: $a, '<': 0.9}}
      - {score: times, with: {what: $a, by: 0.5}}
  rest:
    ports: {need: float}
    root:
      utility_selector: [{task: mark, with: {what: sleep}}]
      scores: [{considerations: [{name: need, input: $need, to: 10}]}]
";

#[test]
fn response_curves_choose_among_the_branches_of_a_tree_in_a_file() {
    use sentir_think::leaf::Status;
    use sentir_think::tree::TreeState;
    use sentir_think::tree::asset::Library;
    let library = Library::read(&Keys::default(), [("day.yaml", IN_A_TREE.as_bytes())]).unwrap();
    let tree = library.tree("day", &super::host::leaves()).unwrap();
    let mut world = World::new(library.keys());
    world.set_float("bold", 1.0);
    let ids: Vec<_> = tree.labels().map(|(id, _)| id).collect();
    for (a, b, expected) in [(0.8, 0.0, "eat"), (0.1, 10.0, "sleep"), (0.3, 4.0, "play"), (0.95, 10.0, "eat")] {
        world.set_float("a", a);
        world.set_float("b", b);
        world.why.clear();
        world.why.listen(true);
        let status = world.think(|thought| tree.tick(&mut TreeState::default(), thought));
        assert_eq!(status, Status::Success, "{a} {b}");
        assert_eq!(world.body.names(&["eat", "sleep", "play"]).pop(), Some(expected), "{a} {b}");
    }
    // The last time sleep was forbidden by the noise, and playing was worth less than eating.
    let told: Vec<Why> = world.why.entries().iter().map(|entry| entry.why).collect();
    let refused = |node| told.iter().find(|why| matches!(why, Why::Refused { node: one, .. } if *one == node));
    let quiet = sentir_think::utility::consideration_id(ids[2], "quiet");
    assert!(matches!(refused(quiet), Some(Why::Refused { cause: Cause::Finding(_), .. })), "{told:?}");
    let Some(Why::Refused { cause: Cause::ConditionResult(answer), .. }) = refused(ids[4]) else { panic!("{told:?}") };
    assert!(answer.value < answer.limit, "{answer:?}");
}

#[test]
fn a_tree_in_which_nothing_is_worth_doing_fails() {
    use sentir_think::leaf::Status;
    use sentir_think::tree::TreeState;
    use sentir_think::tree::asset::Library;
    let text =
        "sentir: tree 1\nkeys: {a: float}\ntrees:\n  day: {utility_selector: [succeed], scores: [{weight: $a}]}\n";
    let library = Library::read(&Keys::default(), [("day.yaml", text.as_bytes())]).unwrap();
    let tree = library.tree("day", &super::host::leaves()).unwrap();
    let mut world = World::new(library.keys());
    assert_eq!(world.think(|thought| tree.tick(&mut TreeState::default(), thought)), Status::Failure);
    world.set_float("a", 1.0);
    assert_eq!(world.think(|thought| tree.tick(&mut TreeState::default(), thought)), Status::Success);
}

#[test]
fn bad_options_say_what_and_where() {
    let say = |option: &str| {
        refused(&format!("sentir: utility 1\nkeys: {{a: float, s: bool}}\noptions:\n  - {{{option}}}\n"))
    };
    let consider = |one: &str| say(&format!("name: a, task: act, with: {{what: a}}, considerations: [{{{one}}}]"));
    assert_eq!(consider("name: x"), "brain.yaml:4:60: expected one of `input`, `score` and `when`");
    assert_eq!(
        consider("name: x, input: $s"),
        "brain.yaml:4:77: found a key of kind bool: expected a number, or a key of kind float, as in $name"
    );
    assert_eq!(
        consider("name: x, input: $a, curve: {bel: {width: 1}}"),
        "brain.yaml:4:89: unknown kind `bel` (did you mean `bell`?): expected `linear`, `polynomial`, `logistic`, `logit`, `bell`, `table`"
    );
    assert_eq!(
        consider("name: x, input: $a, curve: {bell: {width: 0}}"),
        "brain.yaml:4:88: a bell is 0 wide: expected more than 0"
    );
    assert_eq!(
        consider("name: x, input: $a, curve: {table: [[0, 1], [0, 0]]}"),
        "brain.yaml:4:88: 0 follows 0 in a table: expected ascending inputs"
    );
    assert_eq!(
        consider("name: x, input: $a, from: 2, to: 2"),
        "brain.yaml:4:60: the input goes from 2 to 2: expected two numbers"
    );
    assert_eq!(
        consider("name: x, score: time, with: {what: $a, by: 2}"),
        "brain.yaml:4:77: unknown score `time` (did you mean `times`?): expected `times`"
    );
    assert_eq!(refused("sentir: utility 1\noptions: []\n"), "brain.yaml: 0 options: expected 1 to 64");
    assert_eq!(
        refused("sentir: utility 1\npick: bets\noptions: []\n"),
        "brain.yaml:2:7: unknown way to pick `bets` (did you mean `best`?): expected `best`, `top`, `weighted`"
    );
    assert_eq!(
        refused("sentir: utility 1\npick: {top: 0}\noptions: []\n"),
        "brain.yaml:2:13: found 0: expected a whole number from 1 to 64"
    );
    assert_eq!(
        refused("sentir: utility 1\ninertia: -1\noptions: []\n"),
        "brain.yaml:2:10: an inertia of -1: expected 0 or more"
    );
}

#[test]
fn a_draw_among_the_best_does_not_begin_the_reaction_time_anew() {
    for pick in ["{top: 2}", "{weighted: 2}"] {
        let text = format!(
            "sentir: utility 1\nkeys: {{p: bool}}\npick: {pick}\ndelay: 1\noptions:\n  - {{name: a, considerations: [{{name: x, when: {{key: $p, '==': true}}}}], rank: 1, task: act, with: {{what: a}}}}\n  - {{name: b, task: act, with: {{what: b}}}}\n  - {{name: c, task: act, with: {{what: c}}}}\n"
        );
        let mut brain = read(&text, "brain.yaml").unwrap();
        let mut world = World::new(brain.keys());
        world.set_bool("p", true);
        world.think(|thought| brain.tick(thought));
        assert!(world.shows("a"));
        world.set_bool("p", false);
        for _ in 0..10 {
            world.think(|thought| brain.tick(thought));
            assert!(world.shows("a"), "{pick}");
        }
        world.think(|thought| brain.tick(thought));
        assert!(world.shows("b") || world.shows("c"), "{pick}");
    }
}

#[test]
fn two_options_with_one_id_are_refused() {
    assert_eq!(
        refused(
            "sentir: utility 1\noptions:\n  - {name: a, id: x, task: act, with: {what: a}}\n  - {name: b, id: x, task: act, with: {what: b}}\n"
        ),
        "brain.yaml:4:5: `b` has the id `x`, as `a` at 3:5 has: expected every id once"
    );
}
