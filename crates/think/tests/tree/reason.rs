//! Contract: a brain tells which node is active, what was refused by which value and what aborted what; and the value it
//! names is the one that decides.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sentir_core::glam::Vec3;
use sentir_core::random::{Purpose, Streams};
use sentir_core::tick::Tick;
use sentir_think::leaf::Status;
use sentir_think::node::NodeId;
use sentir_think::test::{Comparison, Wanted};
use sentir_think::tree::Tree;
use sentir_think::value::Value;
use sentir_think::why::{Cause, Why};

use super::host::{Actor, Script, Stage};
use super::shape::{Many, One, Shape, any_shape, parse, spec};

fn reasons(actor: &mut Actor, tree: &Tree<Stage>, script: &Script) -> Vec<Why> {
    actor.why.clear();
    actor.why.listen(true);
    actor.step(tree, script);
    actor.why.entries().iter().map(|entry| entry.why).collect()
}

fn script(letters: &[(u8, &str)]) -> Script {
    let mut leaves = vec![b"S".to_vec(); super::host::LEAVES];
    for (leaf, said) in letters {
        leaves[usize::from(leaf - b'a')] = said.as_bytes().to_vec();
    }
    Script::Letters(leaves)
}

#[test]
fn a_tick_tells_what_is_active_refused_and_aborted() {
    let mut actor = Actor::new(1);
    let tree = Tree::build(spec(&parse("sel(when.p.both(a),seq(?c,b),d)"), &actor.keys)).unwrap();
    let ids: Vec<NodeId> = tree.labels().map(|(id, _)| id).collect();
    let script = script(&[(b'a', "R"), (b'b', "RF"), (b'c', "S"), (b'd', "R")]);
    let first = reasons(&mut actor, &tree, &script);
    let [Why::Refused { node, cause: Cause::Finding(finding) }, Why::Active { node: active }] = first[..] else {
        panic!("{first:?}")
    };
    assert_eq!((node, active), (ids[1], ids[5]));
    assert_eq!((finding.key, finding.value), (actor.keys[0], None));
    let second = reasons(&mut actor, &tree, &script);
    assert_eq!(second, [Why::Finished { node: ids[5], status: Status::Failure }, Why::Active { node: ids[6] }]);
    actor.set(0, true);
    let third = reasons(&mut actor, &tree, &script);
    let [Why::Aborted { node, by, cause: Cause::Finding(finding) }, Why::Active { node: active }] = third[..] else {
        panic!("{third:?}")
    };
    assert_eq!((node, by, active), (ids[6], ids[1], ids[2]));
    assert_eq!(finding.value, Some(Value::Bool(true)));
    let sentence = Cause::Finding(finding).to_string();
    assert_eq!(sentence, "key 0 is true, wanted == true");
}

#[test]
fn logs_and_breakpoints_are_told() {
    let mut actor = Actor::new(1);
    let tree = Tree::build(spec(&parse("seq(log(a),break(b))"), &actor.keys)).unwrap();
    let ids: Vec<NodeId> = tree.labels().map(|(id, _)| id).collect();
    let script = script(&[(b'a', "S"), (b'b', "R")]);
    actor.why.listen(true);
    let stopped = actor.with(&script, |state, thought| {
        tree.tick(state, thought);
        thought.breakpoint
    });
    assert_eq!(stopped, Some(ids[3]));
    let whys: Vec<Why> = actor.why.entries().iter().map(|entry| entry.why).collect();
    assert!(whys.contains(&Why::Logged { node: ids[1] }) && whys.contains(&Why::Breakpoint { node: ids[3] }));
}

#[test]
fn every_way_to_refuse_names_its_cause() {
    let cases = [
        ("fail", "failed"),
        ("?c", "no (0 against 1)"),
        ("=p", "key 0 is not set, wanted == true"),
        ("if.c(a)", "no (0 against 1)"),
        ("when.p.none(a)", "key 0 is not set, wanted == true"),
        ("runs.0(a)", "ran 0 times already"),
    ];
    for (text, expected) in cases {
        let mut actor = Actor::new(1);
        let tree = Tree::build(spec(&parse(text), &actor.keys)).unwrap();
        let found = reasons(&mut actor, &tree, &script(&[(b'c', "F")]));
        let [Why::Refused { cause, .. }] = found[..] else { panic!("{text}: {found:?}") };
        assert_eq!(cause.to_string(), expected, "{text}");
    }
    let refusals = |text: &str, ticks: usize| {
        let mut actor = Actor::new(1);
        let tree = Tree::build(spec(&parse(text), &actor.keys)).unwrap();
        let all = (0..ticks).flat_map(|_| reasons(&mut actor, &tree, &script(&[(b'a', "S"), (b'b', "R")])));
        all.filter_map(|why| if let Why::Refused { cause, .. } = why { Some(cause) } else { None }).collect::<Vec<_>>()
    };
    assert_eq!(refusals("cool.3(a)", 2), [Cause::Cooldown { until: Tick(3) }]);
    assert_eq!(refusals("limit.2(b)", 3), [Cause::TimeLimit { at: Tick(2) }]);
    assert!(matches!(refusals("prob.0(a)", 1)[..], [Cause::Chance { below: 0.0, .. }]));
}

/// The same with a note right behind every test that holds: below a `when`, after a `test`.
fn noted(shape: &Shape) -> Shape {
    let note = |child: Shape| Shape::One(One::Log, Box::new(child));
    match shape {
        Shape::Test(key) => Shape::Many(Many::Sequence, vec![Shape::Test(*key), note(Shape::Succeed)]),
        Shape::Many(many, children) => Shape::Many(*many, children.iter().map(noted).collect()),
        Shape::One(one @ One::When(..), child) => Shape::One(*one, Box::new(note(noted(child)))),
        Shape::One(one, child) => Shape::One(*one, Box::new(noted(child))),
        other => other.clone(),
    }
}

/// Whether what stands behind the node's test was entered in this tick.
fn is_taken(tree: &Tree<Stage>, node: NodeId, after: &[Why]) -> bool {
    let behind = tree.labels().map(|(id, _)| id).skip_while(|id| *id != node).nth(1).unwrap();
    after.contains(&Why::Logged { node: behind })
}

/// A value that the refusal says would have done.
fn wanted(wanted: Wanted) -> Value {
    match wanted {
        Wanted::Compared { how: Comparison::Less, with: Some(Value::Float(with)) } => Value::Float(with - 0.01),
        Wanted::Compared { how: Comparison::Equal | Comparison::AtLeast, with: Some(with) } => with,
        Wanted::Within { place: Some(place), within_m } => Value::FilePosition(place + Vec3::X * (within_m * 0.9)),
        other => panic!("no value for {other:?}"),
    }
}

#[test]
fn changing_the_named_value_alone_takes_the_refused_branch() {
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let (mut tried, mut taken, mut asked) = (0, 0, [0; 5]);
    for seed in 0.. {
        let shape = any_shape().new_tree(&mut runner).unwrap().current();
        let mut actor = Actor::new(seed);
        let Ok(tree) = Tree::build(spec(&noted(&shape), &actor.keys)) else { continue };
        let script = Script::Chance(seed);
        let mut rng = Streams { seed }.stream(0, Purpose::new("refusals"));
        for _ in 0..10 {
            actor.set(rng.below(5) as u8, rng.chance(0.5));
            let before = actor.clone();
            let told = reasons(&mut actor, &tree, &script);
            let refusals: Vec<_> = told
                .iter()
                .filter_map(|why| match why {
                    Why::Refused { node, cause: Cause::Finding(finding) } => Some((*node, *finding)),
                    _ => None,
                })
                .collect();
            // The first of a tick: what comes before it is not changed by what it decides.
            let Some((node, finding)) = refusals.first().copied() else { continue };
            let mut other = before;
            let number = other.keys.iter().position(|one| *one == finding.key).unwrap();
            other.put(number as u8, wanted(finding.wanted));
            let after = reasons(&mut other, &tree, &script);
            tried += 1;
            taken += u32::from(is_taken(&tree, node, &after));
            asked[number] += 1;
            break;
        }
        if tried == 200 {
            break;
        }
    }
    assert!(taken >= 198, "{taken} of {tried}");
    assert!(asked.iter().all(|&count| count > 10), "every way to compare is among them: {asked:?}");
}
