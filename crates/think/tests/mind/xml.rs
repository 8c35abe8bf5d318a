//! Trees drawn elsewhere: in and out, with the same meaning, or refused where and why.

use sentir_think::brain::{Brain, BrainScratch};
use sentir_think::key::Keys;
use sentir_think::leaf::{Host, Status};
use sentir_think::registry::Leaves;
use sentir_think::stock;
use sentir_think::tree::xml;

use super::guard::{happen, shown};
use super::host::{Game, World, leaves};

struct Nobody;

impl Host for Nobody {
    type View<'a> = ();
    type Out = ();
}

const XML: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Guard">
  <BehaviorTree ID="Guard">
    <Fallback name="what first">
      <Sequence>
        <Sees target="{enemy}"/>
        <Timeout msec="2500"><Action ID="Fire" rounds="3" aim="0.5"/></Timeout>
      </Sequence>
      <ReactiveSequence>
        <Inverter><Condition ID="Tired"/></Inverter>
        <Parallel success_count="1" failure_count="2"><Action ID="Walk"/><Sleep msec="100"/></Parallel>
      </ReactiveSequence>
      <RetryUntilSuccessful num_attempts="3"><SubTree ID="Rest"/></RetryUntilSuccessful>
      <Repeat num_cycles="-1"><AlwaysSuccess/></Repeat>
    </Fallback>
  </BehaviorTree>
  <BehaviorTree ID="Rest">
    <Sequence>
      <SetBlackboard value="true" output_key="rested"/>
      <KeepRunningUntilFailure><Action ID="Lie"/></KeepRunningUntilFailure>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Condition ID="Sees"><input_port name="target" type="int"/></Condition>
  </TreeNodesModel>
</root>"#;

#[test]
fn a_tree_drawn_elsewhere_is_read_and_goes_back() {
    let text = xml::import(XML.as_bytes(), "guard.xml").unwrap();
    let brain = Brain::<Nobody>::read(text.as_bytes(), "guard.yaml", &Keys::default(), &Leaves::open());
    let brain = brain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(text.contains("enemy: int") && text.contains("rested: bool"), "{text}");
    let kinds: Vec<&str> = brain.outline(None).parts.iter().map(|part| part.kind).collect();
    for kind in ["selector", "check", "time_limit", "task", "reactive_sequence", "invert", "parallel", "catch", "loop"]
    {
        assert!(kinds.contains(&kind), "{kind} is missing in {kinds:?}\n{text}");
    }
    let back = xml::export(text.as_bytes(), "guard.yaml").unwrap();
    // The XML has no place for the kinds of keys but its model of nodes, which is not written: the trees are the same.
    let again = xml::import(back.as_bytes(), "back.xml").unwrap();
    let trees = |text: &str| text.split_once("trees:").map(|(_, trees)| trees.to_owned());
    assert_eq!(trees(&again), trees(&text), "{back}");
}

#[test]
fn xml_that_cannot_be_taken_over_says_where() {
    let cases = [
        (
            "<root><BehaviorTree ID=\"a\"><Switch2/></BehaviorTree></root>",
            "a.xml:1:28: `Switch2` has no counterpart here: expected `Fallback` of `Sequence`s, each with its condition first",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><Repeat><AlwaysSuccess/></Repeat></BehaviorTree></root>",
            "a.xml:1:28: `num_cycles` is missing, or neither -1 nor over 0",
        ),
        ("<root><BehaviorTree ID=\"a\"/></root>", "a.xml:1:7: `BehaviorTree` has no child: expected one"),
        ("<root/>", "a.xml:1:1: no `BehaviorTree` in it"),
        ("<tree/>", "a.xml:1:1: expected `root` around the trees"),
        (
            "<root><BehaviorTree ID=\"a\"><Go _skipIf=\"x\"/></BehaviorTree></root>",
            "a.xml:1:28: the script `_skipIf` has no counterpart: write it as a condition",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><Fallbak><AlwaysSuccess/></Fallbak></BehaviorTree></root>",
            "a.xml:1:28: unknown node with children `Fallbak` (did you mean `Fallback`?): expected `Sequence`, `Fallback`, ",
        ),
        ("<root>", "a.xml:1:1: no XML that can be read:"),
        (
            "<root main_tree_to_execute=\"b\"><BehaviorTree ID=\"a\"><Go/></BehaviorTree></root>",
            "a.xml:1:1: unknown tree `b`",
        ),
        ("<root><BehaviorTree ID=\"a\"><SubTree ID=\"b\"/></BehaviorTree></root>", "a.xml:1:28: unknown tree `b`"),
        (
            "<root><BehaviorTree ID=\"a\"><Go/></BehaviorTree><BehaviorTree ID=\"a\"><Go/></BehaviorTree></root>",
            "a.xml:1:48: a second `BehaviorTree` with the ID `a`: expected one",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><Go at=\"{here}\" to=\"{Here}\"/></BehaviorTree></root>",
            "a.xml:1:28: `Here` and `here` would be one key here",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><ScriptCondition code=\"a &lt; 1 &amp;&amp; b\"/></BehaviorTree></root>",
            "a.xml:1:28: the script `a < 1 && b` has no counterpart: expected one comparison of a key",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><SequenceWithMemory><Go/></SequenceWithMemory></BehaviorTree></root>",
            "a.xml:1:28: `SequenceWithMemory` has no counterpart here: expected `Sequence`, with a `RetryUntilSuccessful` ",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><AsyncFallback><Go/></AsyncFallback></BehaviorTree></root>",
            "a.xml:1:28: `AsyncFallback` has no counterpart here: expected `Fallback`, with a `Sleep` ",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><Inverter><RunOnce><Go/></RunOnce></Inverter></BehaviorTree></root>",
            "a.xml:1:38: a `RunOnce` that is skipped later has a counterpart only as a child of a sequence or fallback",
        ),
        (
            "<root><BehaviorTree ID=\"a\"><Sequence><RunOnce><Go/></RunOnce></Sequence></BehaviorTree></root>",
            "a.xml:1:28: a `Sequence` of nothing but `RunOnce` is skipped as a whole",
        ),
    ];
    for (text, expected) in cases {
        let refused = xml::import(text.as_bytes(), "a.xml").unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
    let ours = "sentir: tree 1\ntrees:\n  main:\n    cooldown: 2\n    do: succeed\n";
    let refused = xml::export(ours.as_bytes(), "a.yaml").unwrap_err().to_string();
    assert_eq!(
        refused,
        "a.yaml:4:5: `cooldown` has no counterpart in that XML: expected a task of the game's own for it"
    );
    let refused = xml::export(ours.replace("cooldown", "repaet").as_bytes(), "a.yaml").unwrap_err().to_string();
    assert!(refused.starts_with("a.yaml:4:5: unknown kind of node `repaet` (did you mean `repeat`?)"), "{refused}");
}

/// A brain of the test game, from XML.
fn imported(xml: &str) -> (Brain<Game>, World, String) {
    let text = xml::import(xml.as_bytes(), "a.xml").unwrap_or_else(|error| panic!("{error}"));
    let brain = Brain::read(text.as_bytes(), "a.yaml", &Keys::default(), &leaves());
    let brain = brain.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let world = World::new(brain.keys());
    (brain, world, text)
}

/// What the ticks said, and what was shown at the end of each: S, F or R, and a letter.
fn said(brain: &Brain<Game>, world: &mut World, ticks: u32) -> String {
    let (mut state, mut scratch, mut out) = (brain.start(), BrainScratch::default(), Vec::new());
    for _ in 0..ticks {
        let status = world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
        let letter = match status {
            Status::Success => "S",
            Status::Failure => "F",
            Status::Running => "R",
        };
        let shows = ["a", "b", "c"].into_iter().find(|name| world.shows(name)).unwrap_or("-");
        out.push(format!("{letter}{shows}"));
    }
    out.join(" ")
}

#[test]
fn what_is_run_once_is_skipped_later_or_says_for_ever_how_it_ended() {
    let file = |within: &str, attribute: &str, fails: &str| {
        format!(
            r#"<root><BehaviorTree ID="t"><{within}><RunOnce {attribute}><Action ID="act" what="a" for_s="0.2" fails="{fails}"/></RunOnce><Action ID="act" what="b" for_s="0.1"/></{within}></BehaviorTree></root>"#
        )
    };
    let run = |within: &str, attribute: &str, fails: &str| {
        let (brain, mut world, _) = imported(&file(within, attribute, fails));
        said(&brain, &mut world, 7)
    };
    // In a sequence: done, then as if it were not there; a first failure counts once.
    assert_eq!(run("Sequence", "", "false"), "Ra Ra Rb S- Rb S- Rb");
    assert_eq!(run("Sequence", "", "true"), "Ra Ra F- Rb S- Rb S-");
    // In a fallback: a first success counts once.
    assert_eq!(run("Fallback", "", "false"), "Ra Ra S- Rb S- Rb S-");
    assert_eq!(run("Fallback", "then_skip=\"true\"", "true"), "Ra Ra Rb S- Rb S- Rb");
    // Without skipping it goes on to say how it ended.
    assert_eq!(run("Sequence", "then_skip=\"false\"", "true"), "Ra Ra F- F- F- F- F-");
    assert_eq!(run("Fallback", "then_skip=\"false\"", "false"), "Ra Ra S- S- S- S- S-");
    assert_eq!(run("Fallback", "then_skip=\"false\"", "true"), "Ra Ra Rb S- Rb S- Rb");
}

#[test]
fn a_tree_called_main_that_is_not_the_main_one_gets_another_name() {
    let (brain, mut world, text) = imported(
        r#"<root main_tree_to_execute="top">
          <BehaviorTree ID="main"><Action ID="act" what="b"/></BehaviorTree>
          <BehaviorTree ID="top"><Sequence><Action ID="act" what="a" for_s="0.1"/><SubTree ID="main" _autoremap="false" _uid="7"/></Sequence></BehaviorTree>
        </root>"#,
    );
    assert!(text.contains("main_2:") && text.contains("subtree: main_2"), "{text}");
    assert_eq!(said(&brain, &mut world, 3), "Ra Rb Rb");
}

const PORTS: &str = r#"<root main_tree_to_execute="top">
  <BehaviorTree ID="top">
    <Sequence>
      <SubTree ID="Show" what="{enemyName}" for="0.1" isDone="{firstDone}"/>
      <SubTree ID="Show" what="b" for="{pause}"/>
      <ScriptCondition code="firstDone == true"/>
      <ScriptCondition code="enemyName != 'b'"/>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Show">
    <Sequence><Say what="{what}" seconds="{for}"/><SetBlackboard value="true" output_key="isDone"/><SetBlackboard value="3" output_key="own"/></Sequence>
  </BehaviorTree>
  <TreeNodesModel><Action ID="Say"><input_port name="seconds" type="double"/></Action></TreeNodesModel>
</root>"#;

#[test]
fn ports_of_subtrees_carry_keys_and_values_in_and_out() {
    let text = xml::import(PORTS.as_bytes(), "a.xml").unwrap();
    let brain = Brain::<Nobody>::read(text.as_bytes(), "a.yaml", &Keys::default(), &Leaves::open());
    assert!(brain.is_ok(), "{}\n{text}", brain.err().unwrap());
    // Kinds come from the model, through the port, to the key outside; what is no port is the subtree's own.
    for line in [
        "enemy_name: symbol",
        "first_done: bool",
        "pause: float",
        "show_own: int",
        "show_is_done: bool",
        "what: $enemy_name",
        "for: $pause",
        "is_done: $first_done",
        "is_done: $show_is_done",
        "is_done: bool",
        "for: float",
        "set: $is_done",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    let back = xml::export(text.as_bytes(), "a.yaml").unwrap();
    let again = xml::import(back.as_bytes(), "back.xml").unwrap();
    let trees = |text: &str| text.split_once("trees:").map(|(_, trees)| trees.to_owned());
    assert_eq!(trees(&again), trees(&text), "{back}");
}

#[test]
fn the_guard_goes_out_with_its_observers_and_comes_back_doing_the_same() {
    let (_, file, text) = stock::GUARD.into_iter().find(|(_, file, _)| *file == "guard/tree.yaml").unwrap();
    let out = xml::export(text.as_bytes(), file).unwrap();
    assert!(
        out.contains("<ReactiveFallback>") && out.contains(r#"<ScriptCondition code="health &lt; nerve"/>"#),
        "{out}"
    );
    let back = xml::import(out.as_bytes(), "guard.xml").unwrap();
    // The kinds of keys are lost on the way: they are those of the first file.
    let keys = text.lines().find(|line| line.starts_with("keys:")).unwrap();
    let trees = back.split_once("trees:").unwrap().1;
    let back = format!("sentir: tree 1\n{keys}\ntrees:{trees}");
    let brain = Brain::read(back.as_bytes(), "back.yaml", &Keys::default(), &leaves());
    let brain = brain.unwrap_or_else(|error| panic!("{error}\n{back}"));
    let mut passed = 0;
    for case in include_str!("../../assets/guard/cases.txt").split("\ncase ").skip(1) {
        let mut world = World::new(brain.keys());
        for key in ["heard", "seen", "phone"] {
            world.set_bool(key, false);
        }
        world.set_float("health", 1.0);
        world.set_float("nerve", 0.3);
        let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
        for line in case.lines().skip(1).filter(|line| line.contains('|')) {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            parts[0].split(' ').for_each(|event| happen(&mut world, event));
            for _ in 0..parts[2].parse().unwrap() {
                world.think(|thought| brain.tick(&mut state, &mut scratch, thought));
                assert_eq!(shown(&world), parts[1], "`{line}`\n{back}");
            }
        }
        passed += 1;
    }
    assert_eq!(passed, 14);
}

#[test]
fn observers_that_cannot_go_out_say_what_to_change() {
    let file = |root: &str| format!("sentir: tree 1\nkeys: {{p: bool}}\ntrees:\n  main:\n{root}");
    let when = "when: {key: $p, '==': true}, aborts: both, do: idle";
    let say = |root: &str| xml::export(file(root).as_bytes(), "a.yaml").unwrap_err().to_string();
    assert_eq!(
        say(&format!("    selector:\n      - {{task: a}}\n      - {{{when}}}\n      - {{task: b}}\n")),
        "a.yaml:6:9: stands beside branches with `aborts: lower` or `both`, which that XML can say only if every branch but the last is such a `when`: expected a `when` around it"
    );
    assert_eq!(
        say(&format!("    selector:\n      - force_failure: {{{when}}}\n      - {{task: b}}\n")),
        "a.yaml:6:25: ends lower branches, which that XML can say only directly under a selector: expected it there, or another `aborts`"
    );
    assert_eq!(
        say("    selector:\n      - {when: {set: $p}, do: {task: a}}\n      - {task: b}\n"),
        "a.yaml:6:16: a test that is no single comparison has no counterpart in that XML: expected a condition of the game's own"
    );
    assert_eq!(
        say("    {when: {any: [$p, {set: $p}]}, do: {task: a}}\n"),
        "a.yaml:5:12: a test that is no single comparison has no counterpart in that XML: expected a condition of the game's own"
    );
    let named = file("    idle\n").replace("trees:", "conditions: {q: $p}\ntrees:");
    assert_eq!(
        xml::export(named.as_bytes(), "a.yaml").unwrap_err().to_string(),
        "a.yaml:3:14: a named condition has no counterpart in that XML: expected its test where it is used"
    );
    let flag = xml::export(file("    {when: $p, do: {task: a}}\n").as_bytes(), "a.yaml").unwrap();
    assert!(flag.contains("ScriptCondition code=\"p == true\""), "{flag}");
    assert_eq!(
        say("    run_limit: 1\n    do: {task: a}\n"),
        "a.yaml:5:5: `run_limit` has no counterpart in that XML: expected a task of the game's own for it"
    );
}

#[test]
fn what_would_be_dropped_silently_is_refused() {
    let refusal = |body: &str, outer: &str| {
        let text = format!("<root>{outer}<BehaviorTree ID=\"A\">{body}</BehaviorTree></root>");
        xml::import(text.as_bytes(), "a.xml").unwrap_err().to_string()
    };
    let included = refusal("<AlwaysSuccess/>", "<include path=\"b.xml\"/>");
    assert_eq!(included, "a.xml:1:7: `include` names another file, which is not read: expected its trees in this one");
    let misspelled = refusal("<AlwaysSuccess/>", "<BehaviorTre ID=\"B\"><AlwaysSuccess/></BehaviorTre>");
    assert!(
        misspelled.contains("`BehaviorTre`") && misspelled.contains("did you mean `BehaviorTree`?"),
        "{misspelled}"
    );
    let attribute = refusal("<Sleep msecs=\"10\" msec=\"10\"/>", "");
    assert!(attribute.contains("`msecs`") && attribute.contains("did you mean `msec`?"), "{attribute}");
    let none = refusal("<Sequence memory=\"true\"><AlwaysSuccess/></Sequence>", "");
    assert!(none.contains("`Sequence` has an attribute `memory`"), "{none}");
    let children = refusal("<Sleep msec=\"10\"><AlwaysSuccess/></Sleep>", "");
    assert!(children.contains("`Sleep` has no children"), "{children}");
}

#[test]
fn trees_that_hold_each_other_are_refused() {
    let tree = |id: &str, used: &str| format!("<BehaviorTree ID=\"{id}\"><SubTree ID=\"{used}\"/></BehaviorTree>");
    let text = format!("<root main_tree_to_execute=\"A\">{}{}</root>", tree("A", "B"), tree("B", "A"));
    let refused = xml::import(text.as_bytes(), "a.xml").unwrap_err().to_string();
    assert!(refused.contains("the tree `A` holds `B`, which holds it again: expected no circle"), "{refused}");
}
