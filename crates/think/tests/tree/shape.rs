//! Trees as small expressions: `sel(when.p.both(a),b)`. Read by the table, drawn by the property tests, made into what the
//! engine builds and into what the twin walks.
//!
//! Lower-case letters a–o are tasks, `?a` conditions, `=p` tests of a key, `+p` and `-p` make them hold or not, `wait.3`,
//! `succeed`, `fail`, `idle`. Composites: seq sel rseq rsel, `par.S.F` with quorums 1, 2 or n, rndseq rndsel, wsel and
//! wseq (weights 1, 2, 3 …, from the first), `util` (scores of the leaf letters a, b, c …). Decorators take parameters
//! behind dots.

use proptest::prelude::*;
use sentir_think::key::{AnyBind, AnyKey};
use sentir_think::leaf::{ConditionLeaf, ScoreLeaf, ServiceLeaf, TaskLeaf};
use sentir_think::span::Span;
use sentir_think::tree::{Aborts, NodeKind, NodeSpec, Quorum};

use super::host::{Ask, Serve, Stage, Work, Worth, test};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Many {
    Sequence,
    Selector,
    ReactiveSequence,
    ReactiveSelector,
    /// Quorums of success and failure; 9 is all.
    Parallel(u32, u32),
    RandomSelector,
    RandomSequence,
    WeightedSelector,
    WeightedSequence,
    Utility,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum One {
    Invert,
    ForceSuccess,
    ForceFailure,
    Repeat(u32),
    UntilSuccess,
    UntilFailure,
    Loop,
    Cooldown(u32, bool),
    TimeLimit(u32),
    /// In tenths.
    Probability(u32),
    When(u8, Aborts),
    If(u8),
    RunLimit(u32),
    Catch(u32),
    Delay(u32),
    Log,
    Breakpoint,
    Service(u8, u32),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Task(u8),
    Check(u8),
    Test(u8),
    Set(u8, bool),
    Wait(u32),
    Succeed,
    Fail,
    Idle,
    Many(Many, Vec<Shape>),
    One(One, Box<Shape>),
}

const KEYS: &str = "pqrtw";

pub fn key_number(letter: &str) -> u8 {
    KEYS.find(letter).unwrap_or_else(|| panic!("no key `{letter}`")) as u8
}

pub fn parse(text: &str) -> Shape {
    let (shape, rest) = parse_one(text.trim());
    assert_eq!(rest, "", "left over in `{text}`");
    shape
}

fn parse_one(text: &str) -> (Shape, &str) {
    let end = text.find(['(', ')', ',']).unwrap_or(text.len());
    let (word, mut rest) = text.split_at(end);
    let mut children = Vec::new();
    if let Some(mut inner) = rest.strip_prefix('(') {
        loop {
            let (child, after) = parse_one(inner);
            children.push(child);
            match after.strip_prefix(',') {
                Some(more) => inner = more,
                None => {
                    rest = after.strip_prefix(')').unwrap_or_else(|| panic!("no `)` at `{after}`"));
                    break;
                }
            }
        }
    }
    (made(word, children), rest)
}

fn made(word: &str, mut children: Vec<Shape>) -> Shape {
    let mut parts = word.split('.');
    let head = parts.next().unwrap();
    let rest: Vec<&str> = parts.collect();
    let number = |place: usize| if rest[place] == "n" { 9 } else { rest[place].parse().unwrap() };
    let letter = |text: &str| text.as_bytes()[0] - b'a';
    if children.is_empty() {
        return match head {
            "wait" => Shape::Wait(number(0)),
            "succeed" => Shape::Succeed,
            "fail" => Shape::Fail,
            "idle" => Shape::Idle,
            _ if head.starts_with('?') => Shape::Check(letter(&head[1..])),
            _ if head.starts_with('=') => Shape::Test(key_number(&head[1..])),
            _ if head.starts_with(['+', '-']) => Shape::Set(key_number(&head[1..]), head.starts_with('+')),
            _ => Shape::Task(letter(head)),
        };
    }
    let many = match head {
        "seq" => Some(Many::Sequence),
        "sel" => Some(Many::Selector),
        "rseq" => Some(Many::ReactiveSequence),
        "rsel" => Some(Many::ReactiveSelector),
        "par" => Some(Many::Parallel(number(0), number(1))),
        "rndsel" => Some(Many::RandomSelector),
        "rndseq" => Some(Many::RandomSequence),
        "wsel" => Some(Many::WeightedSelector),
        "wseq" => Some(Many::WeightedSequence),
        "util" => Some(Many::Utility),
        _ => None,
    };
    if let Some(many) = many {
        return Shape::Many(many, children);
    }
    let one = match head {
        "inv" => One::Invert,
        "good" => One::ForceSuccess,
        "bad" => One::ForceFailure,
        "rep" => One::Repeat(number(0)),
        "untils" => One::UntilSuccess,
        "untilf" => One::UntilFailure,
        "loop" => One::Loop,
        "cool" => One::Cooldown(number(0), rest.get(1) == Some(&"lower")),
        "limit" => One::TimeLimit(number(0)),
        "prob" => One::Probability(number(0)),
        "when" => One::When(key_number(rest[0]), aborts(rest[1])),
        "if" => One::If(letter(rest[0])),
        "runs" => One::RunLimit(number(0)),
        "catch" => One::Catch(number(0)),
        "delay" => One::Delay(number(0)),
        "log" => One::Log,
        "break" => One::Breakpoint,
        "serve" => One::Service(letter(rest[0]), number(1)),
        other => panic!("no node `{other}`"),
    };
    Shape::One(one, Box::new(children.remove(0)))
}

fn aborts(name: &str) -> Aborts {
    Aborts::NAMES.iter().find(|(one, _)| *one == name).unwrap().1
}

fn span(seconds: u32) -> Span {
    Span::exact(seconds as f32)
}

/// How long from one run of a service to the next: the letters from p to t do not keep to it by more than a second.
pub fn period_of(leaf: u8, seconds: u32) -> Span {
    if leaf < b'u' - b'a' { Span::about(seconds as f32, 1.0) } else { span(seconds) }
}

fn quorum(number: u32) -> Quorum {
    match number {
        1 => Quorum::One,
        9 => Quorum::All,
        count => Quorum::Count(count),
    }
}

/// What the engine builds.
pub fn spec(shape: &Shape, keys: &[AnyKey]) -> NodeSpec<Stage> {
    let weights = |children: &[Shape]| (1..=children.len()).map(|weight| weight as f32).collect();
    match shape {
        Shape::Task(leaf) => NodeKind::Task(TaskLeaf::new::<Work>(*leaf)).leaf(),
        Shape::Check(leaf) => NodeKind::Check(ConditionLeaf::new::<Ask>(*leaf)).leaf(),
        Shape::Test(key) => NodeKind::Test(test(*key, keys)).leaf(),
        Shape::Set(key, value) => {
            let value = Some(AnyBind::Literal(super::host::value(*key, *value)));
            NodeKind::Set { key: keys[usize::from(*key)], value }.leaf()
        }
        Shape::Wait(seconds) => NodeKind::Wait(span(*seconds)).leaf(),
        Shape::Succeed => NodeKind::Succeed.leaf(),
        Shape::Fail => NodeKind::Fail.leaf(),
        Shape::Idle => NodeKind::Idle.leaf(),
        Shape::Many(many, children) => {
            let kind = match *many {
                Many::Sequence => NodeKind::Sequence,
                Many::Selector => NodeKind::Selector,
                Many::ReactiveSequence => NodeKind::ReactiveSequence,
                Many::ReactiveSelector => NodeKind::ReactiveSelector,
                Many::Parallel(success, failure) => {
                    NodeKind::Parallel { success: quorum(success), failure: quorum(failure) }
                }
                Many::RandomSelector => NodeKind::RandomSelector { weights: Vec::new() },
                Many::RandomSequence => NodeKind::RandomSequence { weights: Vec::new() },
                Many::WeightedSelector => NodeKind::RandomSelector { weights: weights(children) },
                Many::WeightedSequence => NodeKind::RandomSequence { weights: weights(children) },
                Many::Utility => {
                    let score = |leaf: usize| ScoreLeaf::new::<Worth>(leaf as u8);
                    NodeKind::UtilitySelector { scores: (0..children.len()).map(score).collect() }
                }
            };
            kind.of(children.iter().map(|child| spec(child, keys)))
        }
        Shape::One(one, child) => decorator(*one, keys).over(spec(child, keys)),
    }
}

fn decorator(one: One, keys: &[AnyKey]) -> NodeKind<Stage> {
    match one {
        One::Invert => NodeKind::Invert,
        One::ForceSuccess => NodeKind::ForceSuccess,
        One::ForceFailure => NodeKind::ForceFailure,
        One::Repeat(times) => NodeKind::Repeat { times },
        One::UntilSuccess => NodeKind::UntilSuccess,
        One::UntilFailure => NodeKind::UntilFailure,
        One::Loop => NodeKind::Loop,
        One::Cooldown(rest, is_lower) => {
            NodeKind::Cooldown { rest: span(rest), aborts: if is_lower { Aborts::Lower } else { Aborts::Nothing } }
        }
        One::TimeLimit(limit) => NodeKind::TimeLimit { limit: span(limit) },
        One::Probability(tenths) => NodeKind::Probability { chance: tenths as f32 / 10.0 },
        One::When(key, aborts) => NodeKind::When { test: test(key, keys), aborts },
        One::If(leaf) => NodeKind::If { condition: ConditionLeaf::new::<Ask>(leaf) },
        One::RunLimit(runs) => NodeKind::RunLimit { runs },
        One::Catch(restarts) => NodeKind::Catch { restarts },
        One::Delay(wait) => NodeKind::Delay { wait: span(wait) },
        One::Log => NodeKind::Log,
        One::Breakpoint => NodeKind::Breakpoint,
        One::Service(leaf, period) => {
            NodeKind::Service { service: ServiceLeaf::new::<Serve>(leaf), period: period_of(leaf, period) }
        }
    }
}

fn leaf() -> impl Strategy<Value = Shape> {
    prop_oneof![
        6 => (0u8..15).prop_map(Shape::Task),
        2 => (0u8..15).prop_map(Shape::Check),
        1 => (0u8..5).prop_map(Shape::Test),
        2 => (0u8..5, any::<bool>()).prop_map(|(key, value)| Shape::Set(key, value)),
        1 => (0u32..4).prop_map(Shape::Wait),
        1 => prop_oneof![Just(Shape::Succeed), Just(Shape::Fail), Just(Shape::Idle)],
    ]
}

fn many() -> impl Strategy<Value = Many> {
    let quorum = || prop_oneof![Just(1), Just(9)];
    prop_oneof![
        4 => Just(Many::Sequence),
        6 => Just(Many::Selector),
        2 => Just(Many::ReactiveSequence),
        2 => Just(Many::ReactiveSelector),
        2 => (quorum(), quorum()).prop_map(|(success, failure)| Many::Parallel(success, failure)),
        1 => Just(Many::RandomSelector),
        1 => Just(Many::RandomSequence),
        1 => Just(Many::WeightedSelector),
        1 => Just(Many::WeightedSequence),
        1 => Just(Many::Utility),
    ]
}

fn one() -> impl Strategy<Value = One> {
    let aborts = prop_oneof![Just(Aborts::Nothing), Just(Aborts::Own), Just(Aborts::Lower), Just(Aborts::Both)];
    prop_oneof![
        1 => Just(One::Invert),
        1 => Just(One::ForceSuccess),
        1 => Just(One::ForceFailure),
        1 => (1u32..4).prop_map(One::Repeat),
        1 => Just(One::UntilSuccess),
        1 => Just(One::UntilFailure),
        1 => Just(One::Loop),
        2 => (1u32..6, any::<bool>()).prop_map(|(rest, lower)| One::Cooldown(rest, lower)),
        2 => (0u32..5).prop_map(One::TimeLimit),
        1 => (1u32..10).prop_map(One::Probability),
        8 => (0u8..5, aborts).prop_map(|(key, aborts)| One::When(key, aborts)),
        1 => (0u8..15).prop_map(One::If),
        1 => (0u32..5).prop_map(One::RunLimit),
        1 => (0u32..3).prop_map(One::Catch),
        1 => (0u32..4).prop_map(One::Delay),
        1 => Just(One::Log),
        1 => Just(One::Breakpoint),
        2 => (15u8..26, 0u32..4).prop_map(|(leaf, period)| One::Service(leaf, period)),
    ]
}

/// Any tree; most are built, some are refused.
pub fn any_shape() -> impl Strategy<Value = Shape> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            3 => (many(), proptest::collection::vec(inner.clone(), 1..5)).prop_map(|(many, children)| Shape::Many(many, children)),
            2 => (one(), inner).prop_map(|(one, child)| Shape::One(one, Box::new(child))),
        ]
    })
    // Something to choose from at the top.
    .prop_flat_map(|shape| (Just(shape), one(), leaf()).prop_map(|(shape, guard, other)| {
        Shape::Many(Many::Selector, vec![Shape::One(guard, Box::new(shape)), other])
    }))
}
