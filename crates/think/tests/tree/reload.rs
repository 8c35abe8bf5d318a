//! Contract: another tree takes over what runs by node id; what is gone is aborted once; a broken file replaces nothing.

use proptest::prelude::*;
use sentir_think::key::Keys;
use sentir_think::leaf::Status;
use sentir_think::registry::Leaves;
use sentir_think::tree::Tree;
use sentir_think::tree::asset::Library;

use super::host::{Actor, Event, Script, Stage, Work};
use super::property::built;
use super::shape::any_shape;

fn load(root: &str) -> Result<Tree<Stage>, String> {
    let mut leaves = Leaves::default();
    leaves.task::<Work>();
    let text = format!("sentir: tree 1\ntrees:\n  main: {root}\n");
    let library = Library::read(&Keys::default(), [("a.yaml", text.as_bytes())]).map_err(|error| error.to_string())?;
    library.tree("main", &leaves).map_err(|error| error.to_string())
}

fn script() -> Script {
    // Task 0 is done at once, the others go on.
    let mut letters = vec![b"R".to_vec(); super::host::LEAVES];
    letters[0] = b"S".to_vec();
    Script::Letters(letters)
}

/// Ticks the first tree so often, then gives the agent the second and ticks once: the events of change and tick.
fn change(first: &str, ticks: u32, second: &str) -> (Vec<Event>, Vec<Event>) {
    let (old, new) = (load(first).unwrap(), load(second).unwrap());
    let (mut actor, script) = (Actor::new(1), script());
    for _ in 0..ticks {
        assert_eq!(actor.step(&old, &script), Status::Running);
    }
    actor.notes.events.clear();
    actor.with(&script, |state, thought| new.adopt(&old, state, thought));
    let changed = std::mem::take(&mut actor.notes.events);
    actor.step(&new, &script);
    (changed, actor.notes.events)
}

const ONE: &str =
    "{sequence: [{task: work, with: 0}, {task: work, with: 1, name: one}, {task: work, with: 2, name: two}]}";

#[test]
fn the_same_tree_goes_on_at_the_same_node() {
    assert_eq!(change(ONE, 2, ONE), (vec![], vec![Event::Tick(1, 3)]));
}

#[test]
fn an_insertion_before_the_running_node_changes_nothing() {
    let more = "{sequence: [{task: work, with: 0}, {task: work, with: 3, name: new}, {task: work, with: 1, name: one}, {task: work, with: 2, name: two}]}";
    assert_eq!(change(ONE, 2, more), (vec![], vec![Event::Tick(1, 3)]));
}

#[test]
fn equal_nodes_without_a_name_are_told_apart_by_what_the_file_says() {
    let list = |tasks: &str| {
        let tasks: Vec<String> = tasks.split(' ').map(|one| format!("{{task: work, with: {one}}}")).collect();
        format!("{{sequence: [{}]}}", tasks.join(", "))
    };
    // Put in before the running one, taken out before it, both, and moved.
    for new in ["3 0 1 2", "0 3 1 2", "1 2", "3 1", "2 0 1"] {
        assert_eq!(change(&list("0 1 2"), 2, &list(new)), (vec![], vec![Event::Tick(1, 3)]), "{new}");
    }
    // Edited where it stands, it goes on with the new value; taken out, it is ended.
    assert_eq!(change(&list("0 1 2"), 2, &list("0 5 2")), (vec![], vec![Event::Tick(5, 3)]));
    let next = vec![Event::Start(2), Event::Tick(2, 1)];
    assert_eq!(change(&list("0 1 2"), 2, &list("0 2")), (vec![Event::Abort(1, 2)], next));
}

#[test]
fn whole_branches_are_told_apart_by_what_is_in_them() {
    let branch =
        |number: u32| format!("{{sequence: [{{task: work, with: {number}, id: x{number}}}, {{wait: {number}}}]}}");
    let list = |kind: &str, numbers: &[u32]| {
        let branches: Vec<String> = numbers.iter().map(|number| branch(*number)).collect();
        format!("{{{kind}: [{}]}}", branches.join(", "))
    };
    for kind in ["sequence", "selector", "reactive_selector", "parallel", "random_selector", "random_sequence"] {
        let (changed, after) = change(&list(kind, &[1]), 2, &list(kind, &[3, 1]));
        assert_eq!(changed, [], "{kind}");
        let goes_on = after.contains(&Event::Tick(1, 3));
        // A reactive one begins anew with what was put in before; a parallel begins it beside.
        assert!(goes_on || kind == "reactive_selector", "{kind}: {after:?}");
        assert_eq!(
            after.len(),
            if matches!(kind, "parallel" | "reactive_selector") { 3 } else { 1 },
            "{kind}: {after:?}"
        );
        let (changed, after) = change(&list(kind, &[1]), 2, &list(kind, &[1, 3]));
        assert_eq!((changed, after[0]), (vec![], Event::Tick(1, 3)), "{kind}");
    }
}

#[test]
fn a_use_of_a_subtree_put_in_before_leaves_the_running_one() {
    let file = |uses: &str| {
        format!(
            "sentir: tree 1\ntrees:\n  main: {{sequence: [{uses}]}}\n  part:\n    ports: {{wait: float}}\n    root: {{sequence: [{{task: work, with: 1, id: x}}, {{wait: $wait}}]}}\n"
        )
    };
    let mut leaves = Leaves::default();
    leaves.task::<Work>();
    let load = |uses: &str| {
        let library = Library::read(&Keys::default(), [("a.yaml", file(uses).as_bytes())]).unwrap();
        library.tree::<Stage>("main", &leaves).unwrap()
    };
    let old = load("{subtree: part, ports: {wait: 1}}");
    let new = load("{subtree: part, ports: {wait: 2}}, {subtree: part, ports: {wait: 1}}");
    let (mut actor, script) = (Actor::new(1), script());
    actor.step(&old, &script);
    actor.notes.events.clear();
    actor.with(&script, |state, thought| new.adopt(&old, state, thought));
    actor.step(&new, &script);
    assert_eq!(actor.notes.events, [Event::Tick(1, 2)]);
}

#[test]
fn a_deleted_running_node_is_aborted_and_the_next_one_starts() {
    let less = "{sequence: [{task: work, with: 0}, {task: work, with: 2, name: two}]}";
    assert_eq!(change(ONE, 2, less), (vec![Event::Abort(1, 2)], vec![Event::Start(2), Event::Tick(2, 1)]));
    let last = "{sequence: [{task: work, with: 0}]}";
    assert_eq!(change(ONE, 2, last), (vec![Event::Abort(1, 2)], vec![Event::Start(0), Event::Tick(0, 1)]));
}

#[test]
fn a_changed_kind_starts_anew_alone() {
    let (changed, after) = change(
        "{sequence: [{task: work, with: 0}, {task: work, with: 1, id: x}]}",
        3,
        "{sequence: [{task: work, with: 0}, {time_limit: 5, id: x, do: {task: work, with: 1}}]}",
    );
    assert_eq!(changed, [Event::Abort(1, 3)]);
    assert_eq!(after, [Event::Start(1), Event::Tick(1, 1)]);
    // The same without an authored id: what stands in its place starts.
    let (changed, after) = change(
        ONE,
        2,
        "{sequence: [{task: work, with: 0}, {invert: {task: work, with: 4}}, {task: work, with: 2, name: two}]}",
    );
    assert_eq!((changed, after), (vec![Event::Abort(1, 2)], vec![Event::Start(4), Event::Tick(4, 1)]));
}

#[test]
fn a_changed_parameter_goes_on_with_the_new_value() {
    let other = ONE.replace("with: 1", "with: 5");
    assert_eq!(change(ONE, 2, &other), (vec![], vec![Event::Tick(5, 3)]));
}

#[test]
fn counters_and_parallel_branches_are_kept_by_id() {
    let first = "{parallel: [{task: work, with: 0, name: a}, {task: work, with: 1, name: b}, {task: work, with: 2, name: c}], failure: all}";
    let second = "{parallel: [{task: work, with: 2, name: c}, {task: work, with: 3, name: d}, {task: work, with: 0, name: a}], failure: all}";
    let (changed, after) = change(first, 2, second);
    assert_eq!(changed, [Event::Abort(1, 2)]);
    // The first is done and is not asked again; the third goes on; the new one starts.
    assert_eq!(after, [Event::Tick(2, 3), Event::Start(3), Event::Tick(3, 1)]);
    let limit = |seconds: u32| format!("{{time_limit: {seconds}, do: {{task: work, with: 1}}}}");
    assert_eq!(change(&limit(3), 3, &limit(9)).1, [Event::Abort(1, 3)], "the time it has was set when it started");
}

#[test]
fn a_subtree_used_twice_has_ids_of_its_own_in_each_place() {
    let text = "sentir: tree 1\ntrees:\n  main: {sequence: [{subtree: two}, {subtree: two}, {subtree: two, name: other}]}\n  two: {sequence: [{task: work, with: 1, id: x}, succeed]}\n";
    let mut leaves = Leaves::default();
    leaves.task::<Work>();
    let library = Library::read(&Keys::default(), [("a.yaml", text.as_bytes())]).unwrap();
    let tree: Tree<Stage> = library.tree("main", &leaves).unwrap();
    let ids: std::collections::BTreeSet<_> = tree.labels().map(|(id, _)| id).collect();
    assert_eq!((tree.len(), ids.len()), (10, 10));
}

/// What a host does when a file was saved: the new tree takes over if it can be read; else the old one stays, and somebody is
/// told where the file is wrong.
fn save(running: &mut Tree<Stage>, root: &str, actor: &mut Actor, script: &Script) -> Option<String> {
    match load(root) {
        Ok(new) => {
            actor.with(script, |state, thought| new.adopt(running, state, thought));
            *running = new;
            None
        }
        Err(error) => Some(error),
    }
}

#[test]
fn a_broken_file_is_refused_at_its_line_and_the_running_tree_goes_on() {
    let many = |second: &str| format!("\n    sequence:\n      - {{task: work, with: 0}}\n      - {second}");
    let broken = [
        (many("{task: wrok, with: 1}"), "a.yaml:6:16: unknown task `wrok` (did you mean `work`?)"),
        (many("{sequence: ["), "a.yaml:6:20: unclosed bracket"),
        (many("{selector: [succeed, idle]}"), "a.yaml:6:30: idle: is never reached: the succeed before it never fails"),
        (many("{subtree: main}"), "a.yaml:6:19: a tree cannot be part of itself: `main` → `main`"),
        (many("{task: work, with: 1, nmae: x}"), "a.yaml:6:31: unknown key `nmae` (did you mean `name`?)"),
        (many("{wait: soon}"), "a.yaml:6:16: not a time"),
    ];
    let (mut tree, script, mut actor) = (load(&many("{task: work, with: 1}")).unwrap(), script(), Actor::new(1));
    actor.step(&tree, &script);
    for (count, (root, expected)) in (2..).zip(&broken) {
        let told = save(&mut tree, root, &mut actor, &script).unwrap_or_else(|| panic!("nothing is wrong with {root}"));
        assert!(told.starts_with(expected), "{told}\n{root}");
        // What ran before the broken edit runs on, tick by tick.
        actor.notes.events.clear();
        actor.step(&tree, &script);
        assert_eq!(actor.notes.events, [Event::Tick(1, count)], "{root}");
    }
    // The next sound version takes over from there.
    assert_eq!(save(&mut tree, &many("{task: work, with: 5}"), &mut actor, &script), None);
    actor.notes.events.clear();
    actor.step(&tree, &script);
    assert_eq!(actor.notes.events, [Event::Tick(5, broken.len() as u32 + 2)]);
}

/// Counts tasks that have started and not ended. All in one: a task goes on as another letter when its parameter changed.
fn open(events: &[Event], script: &Script, tick: u64, count: &mut i64) {
    for event in events {
        match *event {
            Event::Start(_) => *count += 1,
            Event::Abort(..) => *count -= 1,
            Event::Tick(leaf, _) if script.task(leaf, 0, tick).0 != Status::Running => *count -= 1,
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Whatever tree replaces whatever tree: every started task ends or is aborted once, and a tree that replaces itself
    /// changes nothing.
    #[test]
    fn changes_keep_the_pairing(first in any_shape(), second in any_shape(), seed in any::<u64>()) {
        let (mut actor, script) = (Actor::new(seed), Script::Chance(seed));
        let (Some(one), Some(two)) = (built(&first, &actor), built(&second, &actor)) else { return Ok(()) };
        let mut count = 0;
        for round in 0..12 {
            let (old, new) = if round % 2 == 0 { (&one, &two) } else { (&two, &one) };
            for tick in 0..3 {
                if tick == 1 {
                    let (before, now) = (actor.state.clone(), actor.notes.events.len());
                    actor.with(&script, |state, thought| old.adopt(old, state, thought));
                    prop_assert_eq!(actor.notes.events.len(), now);
                    prop_assert_eq!(old.active(&actor.state).collect::<Vec<_>>(), old.active(&before).collect::<Vec<_>>());
                }
                let now = actor.tick;
                actor.notes.events.clear();
                actor.set((now % 5) as u8, now % 3 == 0);
                actor.step(old, &script);
                open(&actor.notes.events, &script, now, &mut count);
                actor.notes.events.clear();
                prop_assert!(count >= 0);
            }
            actor.with(&script, |state, thought| new.adopt(old, state, thought));
            open(&actor.notes.events, &script, actor.tick, &mut count);
            actor.notes.events.clear();
        }
        actor.with(&script, |state, thought| one.stop(state, thought));
        open(&actor.notes.events, &script, actor.tick, &mut count);
        prop_assert_eq!(count, 0);
    }
}
