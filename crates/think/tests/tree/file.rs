//! Contract: trees in files are checked with file, line, column and the nearest valid word; what is in a file is what runs.

use proptest::prelude::*;
use sentir_core::glam::Vec3;
use sentir_think::key::{Bind, Key, KeySpec, Keys, Scope};
use sentir_think::leaf::{Host, Score, Service, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::Thought;
use sentir_think::tree::asset::{FORMAT, Library, migrate};
use sentir_think::tree::schema;

use super::host::{Ask, Serve, Stage, Work, Worth};

/// Where it was told to go, and how fast.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoParams {
    to: Bind<Vec3>,
    #[serde(default = "one")]
    speed: Bind<f32>,
    #[serde(default)]
    report: Option<Key<bool>>,
}

fn one() -> Bind<f32> {
    Bind::Literal(1.0)
}

/// A game whose leaves note what they were given.
pub struct Clerk;

impl Host for Clerk {
    type View<'a> = ();
    type Out = Vec<(Option<Vec3>, Option<f32>)>;
}

pub struct Go;

impl Task<Clerk> for Go {
    const NAME: &'static str = "go";
    type Params = GoParams;
    type State = ();

    fn tick(params: &GoParams, (): &mut (), thought: &mut Thought<'_, Clerk>) -> Status {
        let went = (params.to.read(&thought.board), params.speed.read(&thought.board));
        thought.out.push(went);
        if let Some(report) = params.report {
            thought.board.write(report, true);
        }
        Status::Success
    }
}

pub struct Look;

impl Service<Clerk> for Look {
    const NAME: &'static str = "look";
    type Params = ();
    type State = ();
    fn run((): &(), (): &mut (), _: &mut Thought<'_, Clerk>) {}
}

pub struct Good;

impl Score<Clerk> for Good {
    const NAME: &'static str = "good";
    type Params = f32;
    fn score(params: &f32, _: &Thought<'_, Clerk>) -> f32 {
        *params
    }
}

fn leaves() -> Leaves<Clerk> {
    let mut leaves = Leaves::default();
    leaves.task_with_schema::<Go>().service::<Look>().score_with_schema::<Good>();
    leaves
}

fn keys() -> Keys {
    Keys::build([
        KeySpec::new::<Vec3>("home", Scope::Own),
        KeySpec::new::<f32>("pace", Scope::Own),
        KeySpec::new::<bool>("arrived", Scope::Own),
    ])
    .unwrap()
}

fn refused(trees: &str) -> String {
    let text = format!("sentir: tree 1\ntrees:\n{trees}");
    let library = match Library::read(&keys(), [("a.yaml", text.as_bytes())]) {
        Ok(library) => library,
        Err(error) => return error.to_string(),
    };
    library.check(&leaves()).unwrap_err().to_string()
}

#[test]
fn each_way_to_be_wrong_has_its_own_sentence() {
    let cases = [
        ("  a: {task: goo}", "a.yaml:3:13: unknown task `goo` (did you mean `go`?): expected `go`"),
        (
            "  a: {tusk: go}",
            "a.yaml:3:7: unknown kind of node `tusk` (did you mean `task`?): expected `sequence`, `selector`, `reactive_sequence`, `reactive_selector`, `parallel`, `random_selector`, `random_sequence`, `utility_selector`, `invert`, `force_success`, `force_failure`, `until_success`, …",
        ),
        (
            "  a: {task: go, with: {to: $hone}}",
            "a.yaml:3:28: unknown blackboard key `hone` (did you mean `home`?): expected `home`, `pace`, `arrived`",
        ),
        (
            "  a: {task: go, with: {to: $pace}}",
            "a.yaml:3:28: found a key of kind float: expected a place as in [1, 0, 2], or a key of kind place, as in $name",
        ),
        (
            "  a: {task: go, with: {to: [1, 2]}}",
            "a.yaml:3:28: found a list of 2: expected a place as in [1, 0, 2], or a key of kind place, as in $name",
        ),
        (
            "  a: {task: go, with: {too: $home}}",
            "a.yaml:3:24: unknown key `too` (did you mean `to`?): expected `to`, `speed`, `report`",
        ),
        ("  a: {task: go}", "a.yaml:3:7: `to` is missing"),
        (
            "  a: {task: go, with: {to: $home, report: true}}",
            "a.yaml:3:43: found a value: expected a blackboard key, as in $name",
        ),
        (
            "  a: {task: go, wiht: {}}",
            "a.yaml:3:17: unknown key `wiht` (did you mean `with`?): expected `task`, `id`, `name`, `with`",
        ),
        ("  a: {sequence: []}", "a.yaml:3:7: sequence: has 0 children: expected one or more"),
        ("  a: {sequence: {task: go}}", "a.yaml:3:17: found keys with values: expected a list"),
        ("  a: {repeat: 3}", "a.yaml:3:6: `do` is missing"),
        ("  a: {repeat: 0, do: succeed}", "a.yaml:3:7: repeat: the number of times is 0: expected 1 or more"),
        ("  a: {repeat: -1, do: succeed}", "a.yaml:3:15: found -1: expected 0 to 4294967295"),
        ("  a: {probability: 1.5, do: succeed}", "a.yaml:3:7: probability: the probability is 1.5: expected 0 to 1"),
        ("  a: {cooldown: 0, do: succeed}", "a.yaml:3:7: cooldown: the rest is 0: expected more than 0 seconds"),
        ("  a: {wait: soon}", "a.yaml:3:13: not a time: expected seconds, as in 2, [2, 0.5] or 2 ± 0.5, none negative"),
        (
            "  a: {parallel: [succeed, succeed], success: 3}",
            "a.yaml:3:7: parallel: the quorum of success is 3: expected 1 to the number of children",
        ),
        ("  a: {parallel: [succeed], success: most}", "a.yaml:3:37: found text: expected `one`, `all` or a number"),
        (
            "  a: {random_selector: [fail, fail], weights: [1]}",
            "a.yaml:3:7: random_selector: has 1 weights for 2 children: expected one each",
        ),
        (
            "  a: {random_selector: [fail], weights: [-1]}",
            "a.yaml:3:7: random_selector: a weight is -1: expected 0 to 1 000 000",
        ),
        (
            "  a: {utility_selector: [fail, fail], scores: [{score: good, with: 1}]}",
            "a.yaml:3:7: utility_selector: has 1 scores for 2 children: expected one each",
        ),
        (
            "  a: {utility_selector: [fail], scores: [{score: god, with: 1}]}",
            "a.yaml:3:50: unknown score `god` (did you mean `good`?): expected `good`",
        ),
        (
            "  a: {utility_selector: [fail], scores: [{wieght: 2}]}",
            "a.yaml:3:43: unknown key `wieght` (did you mean `weight`?): expected `score`, `weight`, `considerations`",
        ),
        (
            "  a: {utility_selector: [fail], scores: [{}]}",
            "a.yaml:3:42: found keys with values: expected `score`, or `weight` and `considerations`",
        ),
        (
            "  a: {utility_selector: [fail], scores: [{considerations: [{name: x, input: 1, curve: {bel: {width: 1}}}]}]}",
            "a.yaml:3:88: unknown kind `bel` (did you mean `bell`?): expected `linear`, `polynomial`, `logistic`, `logit`, `bell`, `table`",
        ),
        (
            "  a: {selector: [succeed, {task: go, with: {to: $home}}]}",
            "a.yaml:3:28: task `go`: is never reached: the succeed before it never fails",
        ),
        (
            "  a: {sequence: [{loop: fail}, idle]}",
            "a.yaml:3:32: idle: is never reached: the loop before it never succeeds",
        ),
        (
            "  a: {sequence: [{when: {set: $home}, aborts: lower, do: succeed}]}",
            "a.yaml:3:19: when: cannot abort lower branches here: expected a selector as the next composite above",
        ),
        (
            "  a: {when: {set: $home}, aborts: bath, do: succeed}",
            "a.yaml:3:35: unknown abort mode `bath` (did you mean `both`?): expected `none`, `self`, `lower`, `both`",
        ),
        (
            "  a: {cooldown: 1, aborts: self, do: succeed}",
            "a.yaml:3:7: cooldown: cannot abort its own branch: expected `none` or `lower`",
        ),
        (
            "  a: {when: {key: $pace, \"<\": true}, do: succeed}",
            "a.yaml:3:31: found `true` or `false`: expected a number, or a key of kind float, as in $name",
        ),
        (
            "  a: {set: $pace, to: high}",
            "a.yaml:3:23: found text: expected a number, or a key of kind float, as in $name",
        ),
        (
            "  a: {sequence: [{succeed: , id: x}, {succeed: , id: x}]}",
            "a.yaml:3:39: succeed: two nodes have the id `x`: expected every id once",
        ),
        ("  a: {invert: succeed, task: go}", "a.yaml:3:24: a second kind of node, `task`: expected one a node"),
        (
            "  a: {id: x}",
            "a.yaml:3:6: found keys with values: expected a key that names the kind of node, as in `sequence:` or `task:`",
        ),
        ("  a: {subtree: b}\n  b: {subtree: a}", "a.yaml:4:16: a tree cannot be part of itself: `a` → `b` → `a`"),
        ("  a: {subtree: a}", "a.yaml:3:16: a tree cannot be part of itself: `a` → `a`"),
        ("  a: {subtree: bb}\n  b: succeed", "a.yaml:3:16: unknown tree `bb` (did you mean `b`?): expected `a`, `b`"),
        (
            "  a: {subtree: b}\n  b: {ports: {goal: place}, root: {task: go, with: {to: $goal}}}",
            "a.yaml:3:16: the port `goal` of `b` is not given: expected `ports: {goal: …}`",
        ),
        (
            "  a: {subtree: b, ports: {gaol: $home}}\n  b: {ports: {goal: place}, root: succeed}",
            "a.yaml:3:27: unknown port `gaol` (did you mean `goal`?): expected `goal`",
        ),
        (
            "  a: {subtree: b, ports: {goal: $pace}}\n  b: {ports: {goal: place}, root: succeed}",
            "a.yaml:3:33: found a key of kind float: expected a place as in [1, 0, 2], or a key of kind place, as in $name",
        ),
        (
            "  b: {ports: {goal: plaice}, root: succeed}",
            "a.yaml:3:21: unknown kind of port `plaice` (did you mean `place`?): expected `bool`, `int`, `long`, `float`, `place`, `agent`, `tick`, `symbol`",
        ),
        (
            "  b: {ports: {goal: float}, root: {task: go, with: {to: $goal}}}",
            "a.yaml:3:57: found `0`: expected a place as in [1, 0, 2], or a key of kind place, as in $name",
        ),
        ("  a: succeed\n  a: fail", "a.yaml:4:3: two keys are called `a`: expected every name once"),
        ("  a: 7", "a.yaml:3:6: found a whole number: expected keys with values"),
        (
            "  a: {service: loook, every: 1, do: idle}",
            "a.yaml:3:16: unknown service `loook` (did you mean `look`?): expected `look`",
        ),
        ("  a: {service: look, do: idle}", "a.yaml:3:6: `every` is missing"),
    ];
    for (trees, expected) in cases {
        assert_eq!(refused(trees), expected, "{trees}");
    }
}

#[test]
fn headers_and_file_names_are_told() {
    let read = |text: &str| Library::read(&keys(), [("b.yaml", text.as_bytes())]).unwrap_err().to_string();
    assert_eq!(read("trees: {}"), "b.yaml:1:1: `sentir` is missing");
    assert_eq!(read("sentir: query 1"), "b.yaml:1:9: unknown kind of file `query`: expected `tree`");
    assert_eq!(read("sentir: tree 2"), "b.yaml:1:9: version 2 of `tree` is newer than this program: expected 1");
    assert_eq!(
        read("sentir: tree 1\ntree: {}"),
        "b.yaml:2:1: unknown key `tree` (did you mean `trees`?): expected `sentir`, `keys`, `conditions`, `trees`"
    );
    let files: [(&str, &[u8]); 2] = [
        ("one.yaml", b"sentir: tree 1\ntrees:\n  a: {subtree: b}\n"),
        ("two.yaml", b"sentir: tree 1\ntrees:\n  b: {sequence: [fail, idle]}\n"),
    ];
    let library = Library::read(&keys(), files).unwrap();
    let error = library.tree("a", &leaves()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "two.yaml:3:24: idle: is never reached: the fail before it never succeeds");
    let error = library.tree("c", &leaves()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "file: unknown tree `c` (did you mean `a`?): expected `a`, `b`");
}

#[test]
fn ports_carry_values_and_keys_into_subtrees() {
    let text = "
sentir: tree 1
keys: {post: place}
trees:
  round:
    sequence:
      - {set: $post, to: [7, 0, 7]}
      - {subtree: reach, ports: {goal: $post}}
      - {subtree: reach, ports: {goal: [1, 2, 3], pace: 5}}
  reach:
    ports: {goal: place, pace: {kind: float, default: 2}}
    root: {subtree: walk, ports: {to: $goal, speed: $pace}}
  walk:
    ports: {to: place, speed: float}
    root: {task: go, with: {to: $to, speed: $speed, report: $arrived}}
";
    let library = Library::read(&keys(), [("a.yaml", text.as_bytes())]).unwrap();
    let tree = library.tree("round", &leaves()).unwrap();
    assert_eq!(tree.len(), 4);
    let table = library.keys();
    let boards = [0, 1, 2].map(|_| sentir_think::board::Blackboard::new(table));
    let [mut own, team, world] = boards;
    let (mut state, mut out, mut why) = (tree.state(), Vec::new(), sentir_core::why::WhyLog::default());
    let board = sentir_think::board::Board { own: &mut own, team: &team, world: &world };
    let moment = sentir_think::thought::Thinker {
        agent: sentir_core::id::AgentId::from_bits(1),
        tick: sentir_core::tick::Tick(0),
        rate: sentir_core::tick::TickRate::new(10),
        streams: sentir_core::random::Streams { seed: 1 },
    };
    let sinks = sentir_think::thought::Sinks { out: &mut out, why: &mut why };
    let mut thought = Thought::new(moment, (), board, sinks);
    assert_eq!(tree.tick(&mut state, &mut thought), Status::Success);
    assert_eq!(out, [(Some(Vec3::new(7.0, 0.0, 7.0)), Some(2.0)), (Some(Vec3::new(1.0, 2.0, 3.0)), Some(5.0))]);
    assert_eq!(own.get(table.key::<bool>("arrived").unwrap()), Some(true));
}

#[test]
fn every_kind_of_node_can_be_written() {
    let text = "
sentir: tree 1
trees:
  all:
    parallel:
      - sequence: [{test: {unset: $home}}, {clear: $home}, {check: ask, with: 1}]
      - selector: [{task: work, with: 2}, fail]
      - reactive_sequence: [{task: work, with: 3}]
      - reactive_selector: [{task: work, with: 3}]
      - {random_selector: [{task: work, with: 4}, fail], weights: [1, 2.5]}
      - random_sequence: [{task: work, with: 4}]
      - {utility_selector: [fail, idle], scores: [{score: worth, with: 1}, {score: worth, with: 2}]}
      - invert: {force_success: {force_failure: {until_success: {until_failure: {breakpoint: succeed}}}}}
      - {repeat: 2, do: {cooldown: 2, aborts: none, do: {time_limit: 2 ± 1, do: {probability: 0.5, do: succeed}}}}
      - {when: {set: $home}, aborts: self, do: {if: ask, with: 1, do: {run_limit: 2, do: {catch: 2, do: succeed}}}}
      - {delay: [1, 0.5], do: {log: here, do: {service: serve, with: 5, every: 0.5, do: {wait: 1}}}, id: slow, name: slow one}
      - loop: succeed
    success: one
    failure: 2
";
    let mut leaves = Leaves::<Stage>::default();
    leaves.task::<Work>().condition::<Ask>().service::<Serve>().score::<Worth>();
    let library = Library::read(&keys(), [("a.yaml", text.as_bytes())]).unwrap();
    let tree = library.tree("all", &leaves).unwrap();
    let found: std::collections::BTreeSet<&str> = tree.labels().map(|(_, label)| label.kind).collect();
    // All but `clear`, which is a `set`, and `subtree`, which leaves no node.
    assert_eq!(found.len(), sentir_think::tree::asset::KINDS.len() - 2);
    assert!(tree.labels().any(|(_, label)| label.name == "slow one" && label.place.line == 16));
}

#[test]
fn a_schema_is_published() {
    let schema = schema(&leaves());
    let text = schema.to_string();
    for part in ["\"go\"", "\"report\"", "\"utility_selector\"", "\"value_or_key_place\"", "\"$defs\"", "tree 1"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(schema["$defs"]["node"]["anyOf"].as_array().unwrap().len() >= 30);
}

#[test]
fn current_files_need_no_migration() {
    assert_eq!(FORMAT, ("tree", 1));
    assert_eq!(migrate("sentir: tree 1\ntrees: {}\n", "a.yaml"), Ok(None));
    let newer = migrate("sentir: tree 9\n", "a.yaml").unwrap_err().to_string();
    assert_eq!(newer, "a.yaml:1:9: version 9 of `tree` is newer than this program: expected 1");
}

#[test]
fn doubling_subtrees_are_stopped() {
    let mut text = "sentir: tree 1\ntrees:\n  t0: succeed\n".to_owned();
    for number in 1..40 {
        let before = number - 1;
        text += &format!("  t{number}: {{sequence: [{{subtree: t{before}}}, {{subtree: t{before}}}]}}\n");
    }
    let library = Library::read(&keys(), [("a.yaml", text.as_bytes())]).unwrap();
    let error = library.tree("t39", &leaves()).map(|_| ()).unwrap_err().to_string();
    assert!(error.ends_with(": the tree has more than 4096 nodes, with its subtrees"), "{error}");
}

#[test]
fn subtrees_in_subtrees_are_stopped() {
    let mut text = "sentir: tree 1\ntrees:\n  t0: succeed\n".to_owned();
    for number in 1..2000 {
        text += &format!("  t{number}: {{invert: {{subtree: t{}}}}}\n", number - 1);
    }
    let library = Library::read(&keys(), [("a.yaml", text.as_bytes())]).unwrap();
    let error = library.tree("t1999", &leaves()).map(|_| ()).unwrap_err().to_string();
    assert!(error.ends_with(": the tree is more than 128 levels deep, with its subtrees"), "{error}");
    assert!(library.tree("t50", &leaves()).is_ok());
}

proptest! {
    #[test]
    fn mangled_files_never_panic(cut in 0usize..2000, at in 0usize..2000, with in "[a-z$:{}\\[\\]\\-,0-9\" \n]{0,6}") {
        let whole = include_str!("../../assets/zombies.yaml");
        let mut text = whole.to_owned();
        let at = at.min(text.len());
        let end = (at + cut % 40).min(text.len());
        if text.is_char_boundary(at) && text.is_char_boundary(end) {
            text.replace_range(at..end, &with);
        }
        sentir_think::tree::asset::fuzz(text.as_bytes());
        if let Ok(library) = Library::read(&keys(), [("a.yaml", text.as_bytes())]) {
            for name in library.names() {
                prop_assert!(library.tree(name, &leaves()).is_err());
            }
        }
    }
}
