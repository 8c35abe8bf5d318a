use proptest::prelude::*;
use sentir_asset::FilePosition;

use super::decompose::{DEPTH_MAX, STEPS_MAX};
use super::network::{Job, PAUSE};
use super::*;
use crate::situation::{Allowed, Change, Domain, Sample, Situation, VariableSpec, Variables};

fn yes(value: bool) -> Allowed {
    Allowed::Is(Sample::Bool(value))
}

fn sets(value: bool) -> Change {
    Change::Set(Sample::Bool(value))
}

fn bools(names: &[&str]) -> Variables {
    Variables::build(names.iter().map(|name| VariableSpec::new(name, Domain::Bool)).collect()).unwrap()
}

fn found(network: &Network, start: &Situation) -> Option<Vec<String>> {
    let mut scratch = TaskScratch::default();
    let request = Request { agenda: &whole(network), kept: &[], first_method: 0, beat: None, tries_max: 10_000 };
    match decompose(network, start, request, &mut scratch) {
        Decomposed::Found => Some(scratch.steps().iter().map(|step| network.name(step.task).to_owned()).collect()),
        _ => None,
    }
}

/// The obvious planner: a function that calls itself with what is left to do.
struct Twin<'a> {
    network: &'a Network,
    tries: u32,
    tries_max: u32,
}

impl Twin<'_> {
    /// `Err` when the tries are used up.
    fn plan(&mut self, agenda: &[(u16, u8)], now: Situation, steps: &[u16]) -> Result<Option<Vec<u16>>, ()> {
        let Some(&(task, depth)) = agenda.first() else { return Ok(Some(steps.to_vec())) };
        if task == PAUSE {
            return Ok(Some(steps.to_vec()));
        }
        match &self.network.jobs[usize::from(task)] {
            Job::Primitive { need, effects } => {
                if !now.meets(need) || steps.len() == STEPS_MAX {
                    return Ok(None);
                }
                self.plan(&agenda[1..], effects.apply(&now), &[steps, &[task]].concat())
            }
            &Job::Compound { first, count } => {
                if depth == DEPTH_MAX {
                    return Ok(None);
                }
                for method in first..first + count {
                    if self.tries == self.tries_max {
                        return Err(());
                    }
                    self.tries += 1;
                    if now.meets(&self.network.methods[usize::from(method)].need) {
                        let parts = self.network.subtasks(method).iter().map(|&task| (task, depth + 1));
                        let agenda: Vec<_> = parts.chain(agenda[1..].iter().copied()).collect();
                        if let Some(steps) = self.plan(&agenda, now, steps)? {
                            return Ok(Some(steps));
                        }
                    }
                }
                Ok(None)
            }
        }
    }
}

/// Conditions or effects over five facts: 0 is none, 1 and 2 are no and yes.
type Facts = [u8; 5];

const FACTS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn conditions(facts: &Facts) -> Vec<(&'static str, Allowed)> {
    FACTS.into_iter().zip(facts).filter(|(_, code)| **code > 0).map(|(name, code)| (name, yes(*code == 2))).collect()
}

fn effects(facts: &Facts) -> Vec<(&'static str, Change)> {
    FACTS.into_iter().zip(facts).filter(|(_, code)| **code > 0).map(|(name, code)| (name, sets(*code == 2))).collect()
}

fn facts() -> impl Strategy<Value = Facts> {
    proptest::array::uniform5(prop_oneof![4 => Just(0u8), 1 => Just(1u8), 1 => Just(2u8)])
}

/// A random network: tasks 0..6 are primitive, 6..11 compound, 11 is a pause. The last method of a task has no tasks but
/// primitive ones, so that everything can end.
fn network() -> impl Strategy<Value = Network> {
    let primitive = (facts(), facts());
    let method = (facts(), proptest::collection::vec(0u8..12, 0..4));
    let compound = proptest::collection::vec(method, 1..4);
    (proptest::collection::vec(primitive, 6), proptest::collection::vec(compound, 5)).prop_map(
        |(primitives, compounds)| {
            let name = |task: u8| if task == 11 { "pause".to_owned() } else { format!("t{task}") };
            let mut specs = Vec::new();
            for (index, (when, makes)) in (0..).zip(&primitives) {
                specs.push(TaskSpec::primitive(&name(index), &conditions(when)).making(&effects(makes)));
            }
            for (index, methods) in (6..).zip(&compounds) {
                let methods = methods.iter().enumerate().map(|(number, (when, tasks))| {
                    let is_last = number + 1 == methods.len();
                    let tasks: Vec<String> =
                        tasks.iter().map(|&task| name(if is_last { task % 6 } else { task })).collect();
                    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
                    MethodSpec::new(&format!("m{number}"), &conditions(when), &tasks)
                });
                specs.push(TaskSpec::compound(&name(index), methods.collect()));
            }
            // Everything is used, by the last method of the root, which is looked at last.
            let all: Vec<String> = (0..11).map(name).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let ways = vec![
                MethodSpec::new("first", &[], &["t6", "t7"]),
                MethodSpec::new("second", &[], &["t8", "t9", "t10"]),
                MethodSpec::new("rest", &[], &all),
            ];
            specs.push(TaskSpec::compound("root", ways));
            Network::build(bools(&FACTS), &specs, "root", FilePosition::default()).unwrap()
        },
    )
}

fn at(table: &Variables, bits: u8) -> Situation {
    let mut situation = table.first();
    for id in table.ids() {
        table.set(&mut situation, id, bits >> id.index() & 1);
    }
    situation
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn plans_are_those_of_a_plain_recursion(network in network(), bits in 0u8..32) {
        let start = at(network.table(), bits);
        let mut scratch = TaskScratch::default();
        let agenda = whole(&network);
        let request = Request { agenda: &agenda, kept: &[], first_method: 0, beat: None, tries_max: 2000 };
        let outcome = decompose(&network, &start, request, &mut scratch);
        let mut twin = Twin { network: &network, tries: 0, tries_max: 2000 };
        let expected = twin.plan(&[(network.root(), 0)], start, &[]);
        prop_assert_eq!(scratch.tries(), twin.tries);
        match expected {
            Err(()) => prop_assert_eq!(outcome, Decomposed::OutOfBudget),
            Ok(None) => prop_assert_eq!(outcome, Decomposed::NoPlan),
            Ok(Some(steps)) => {
                prop_assert_eq!(outcome, Decomposed::Found);
                let ours: Vec<u16> = scratch.steps().iter().map(|step| step.task).collect();
                prop_assert_eq!(ours, steps);
            }
        }
    }

    /// Beating the plan of another situation finds the plan of this one if its choices come first, and nothing otherwise.
    #[test]
    fn a_plan_is_beaten_only_by_earlier_methods(network in network(), bits in 0u8..32, other in 0u8..32) {
        let agenda = whole(&network);
        let free = Request { agenda: &agenda, kept: &[], first_method: 0, beat: None, tries_max: 100_000 };
        let (mut old, mut new, mut beaten) = (TaskScratch::default(), TaskScratch::default(), TaskScratch::default());
        let start = at(network.table(), bits);
        let was = decompose(&network, &at(network.table(), other), free, &mut old);
        let is = decompose(&network, &start, free, &mut new);
        if was != Decomposed::Found || is == Decomposed::OutOfBudget {
            return Ok(());
        }
        let order = |scratch: &TaskScratch| scratch.choices.iter().map(|one| one.method).collect::<Vec<_>>();
        let wins = is == Decomposed::Found && {
            let (old, new) = (order(&old), order(&new));
            old.iter().zip(&new).find(|(a, b)| a != b).is_some_and(|(old, new)| new < old)
        };
        let beat = Request { beat: Some(&old.choices), ..free };
        let outcome = decompose(&network, &start, beat, &mut beaten);
        prop_assert_eq!(outcome == Decomposed::Found, wins);
        if wins {
            prop_assert_eq!(beaten.steps(), new.steps());
        }
        prop_assert!(beaten.tries() <= new.tries() || !wins);
    }
}

#[test]
fn a_failed_step_is_mended_without_planning_again_what_is_done() {
    let table = bools(&["door", "window", "inside"]);
    let specs = [
        TaskSpec::compound("burgle", vec![MethodSpec::new("plain", &[], &["scout", "enter", "grab"])]),
        TaskSpec::compound(
            "enter",
            vec![
                MethodSpec::new("by_door", &[("door", yes(true))], &["push", "step_in"]),
                MethodSpec::new("by_window", &[("window", yes(true))], &["climb"]),
            ],
        ),
        TaskSpec::primitive("scout", &[]),
        TaskSpec::primitive("push", &[]),
        TaskSpec::primitive("step_in", &[]).making(&[("inside", sets(true))]),
        TaskSpec::primitive("climb", &[]).making(&[("inside", sets(true))]),
        TaskSpec::primitive("grab", &[("inside", yes(true))]),
    ];
    let network = Network::build(table, &specs, "burgle", FilePosition::default()).unwrap();
    let start = at(network.table(), 0b011);
    assert_eq!(found(&network, &start).unwrap(), ["scout", "push", "step_in", "grab"]);
    let mut scratch = TaskScratch::default();
    let request = Request { agenda: &whole(&network), kept: &[], first_method: 0, beat: None, tries_max: 100 };
    assert_eq!(decompose(&network, &start, request, &mut scratch), Decomposed::Found);
    let (choices, failed) = (scratch.choices.clone(), scratch.steps()[1]);
    assert_eq!(repair(&network, &start, &choices, failed, 100, &mut scratch), Decomposed::Found);
    let names: Vec<_> = scratch.steps().iter().map(|step| network.name(step.task)).collect();
    assert_eq!(names, ["climb", "grab"]);
    // With the window shut nothing is left, not even further up.
    let shut = at(network.table(), 0b001);
    assert_eq!(repair(&network, &shut, &choices, failed, 100, &mut scratch), Decomposed::NoPlan);
    assert_eq!(repair(&network, &shut, &choices, failed, 0, &mut scratch), Decomposed::OutOfBudget);
}

#[test]
fn a_paused_plan_goes_on_with_what_is_true_then() {
    let table = bools(&["gold"]);
    let ways = |name: &str, first: &str, second: &str| {
        let methods =
            vec![MethodSpec::new("rich", &[("gold", yes(true))], &[first]), MethodSpec::new("poor", &[], &[second])];
        TaskSpec::compound(name, methods)
    };
    let specs = [
        TaskSpec::compound("root", vec![MethodSpec::new("plain", &[], &["dig", "pause", "spend", "rest"])]),
        ways("spend", "feast", "beg"),
        TaskSpec::primitive("dig", &[]),
        TaskSpec::primitive("feast", &[]),
        TaskSpec::primitive("beg", &[]),
        TaskSpec::primitive("rest", &[]),
    ];
    let network = Network::build(table, &specs, "root", FilePosition::default()).unwrap();
    let mut scratch = TaskScratch::default();
    let request = Request { agenda: &whole(&network), kept: &[], first_method: 0, beat: None, tries_max: 100 };
    assert_eq!(decompose(&network, &at(network.table(), 0), request, &mut scratch), Decomposed::Found);
    assert!(scratch.is_partial() && scratch.steps().len() == 1);
    for (gold, expected) in [(0, ["beg", "rest"]), (1, ["feast", "rest"])] {
        let (choices, pause) = (scratch.choices.clone(), scratch.pause.unwrap());
        let mut after = TaskScratch::default();
        let now = at(network.table(), gold);
        assert_eq!(resume(&network, &now, &choices, pause, 100, &mut after), Decomposed::Found);
        let names: Vec<_> = after.steps().iter().map(|step| network.name(step.task)).collect();
        assert_eq!(names, expected);
    }
}

/// Ten blocks: everything goes to the table, from the top down, and then the towers are built, from the ground up.
fn blocks(goal: &[usize; 10]) -> Network {
    const TABLE: usize = 10;
    let block = |number: usize| if number == TABLE { "table".to_owned() } else { format!("b{number}") };
    let is = |number: usize| Allowed::Is(Sample::Word(block(number)));
    let to = |number: usize| Change::Set(Sample::Word(block(number)));
    let words: Vec<String> = (0..=TABLE).map(block).collect();
    let mut variables = Vec::new();
    let names: Vec<(String, String)> = (0..10).map(|b| (format!("on{b}"), format!("clear{b}"))).collect();
    for (on, clear) in &names {
        variables.push(VariableSpec::new(on, Domain::Words(words.clone())));
        variables.push(VariableSpec::new(clear, Domain::Bool));
    }
    let table = Variables::build(variables).unwrap();
    let mut specs = Vec::new();
    for (b, (on, clear)) in names.iter().enumerate() {
        // Down: from whatever it stands on, one primitive for each.
        let mut ways = vec![MethodSpec::new("stands", &[(on, is(TABLE))], &[])];
        for other in (0..10).filter(|&other| other != b) {
            let (name, under) = (format!("down{b}_{other}"), &names[other].1);
            let when = [(on.as_str(), is(other)), (clear.as_str(), yes(true))];
            specs.push(TaskSpec::primitive(&name, &when).making(&[(on, to(TABLE)), (under, sets(true))]));
            ways.push(MethodSpec::new(&format!("off{other}"), &when, &[&name]));
            let above = [(names[other].0.as_str(), is(b))];
            ways.push(MethodSpec::new(
                &format!("under{other}"),
                &above,
                &[&format!("free{other}"), &format!("free{b}")],
            ));
        }
        specs.push(TaskSpec::compound(&format!("free{b}"), ways));
        let goal = goal[b];
        if goal != TABLE {
            let under = &names[goal].1;
            let when = [(on.as_str(), is(TABLE)), (clear.as_str(), yes(true)), (under.as_str(), yes(true))];
            specs.push(TaskSpec::primitive(&format!("up{b}"), &when).making(&[(on, to(goal)), (under, sets(false))]));
        }
    }
    // From the ground up: a block after the one it goes onto.
    let mut order: Vec<usize> = Vec::new();
    while order.len() < 10 {
        let next = (0..10).find(|b| !order.contains(b) && (goal[*b] == TABLE || order.contains(&goal[*b])));
        order.push(next.unwrap());
    }
    let mut tasks: Vec<String> = (0..10).map(|b| format!("free{b}")).collect();
    tasks.extend(order.iter().filter(|b| goal[**b] != TABLE).map(|b| format!("up{b}")));
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    specs.push(TaskSpec::compound("solve", vec![MethodSpec::new("plain", &[], &tasks)]));
    Network::build(table, &specs, "solve", FilePosition::default()).unwrap()
}

/// Random towers: each block, in a random order, goes onto the table or onto a block that is still clear.
fn towers(choices: &[usize; 10], order: &[usize]) -> [usize; 10] {
    let mut on = [10; 10];
    let mut clear: Vec<usize> = Vec::new();
    for &b in order {
        let pick = choices[b] % (clear.len() + 1);
        if pick < clear.len() {
            on[b] = clear.remove(pick);
        }
        clear.push(b);
    }
    on
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn ten_blocks_are_put_where_they_should_be(
        picks in any::<([usize; 10], [usize; 10])>(),
        orders in (Just((0..10usize).collect::<Vec<_>>()).prop_shuffle(), Just((0..10usize).collect::<Vec<_>>()).prop_shuffle()),
    ) {
        let (start, goal) = (towers(&picks.0, &orders.0), towers(&picks.1, &orders.1));
        let network = blocks(&goal);
        let table = network.table();
        let mut situation = table.first();
        for b in 0..10 {
            table.set(&mut situation, table.find(&format!("on{b}")).unwrap(), start[b] as u8);
            let is_clear = !start.contains(&b);
            table.set(&mut situation, table.find(&format!("clear{b}")).unwrap(), u8::from(is_clear));
        }
        let steps = found(&network, &situation).unwrap();
        // Played on plain arrays, not on bits.
        let mut on = start;
        for step in &steps {
            let (name, to) = step.split_at(if step.starts_with("up") { 2 } else { 4 });
            let b: usize = to[..1].parse().unwrap();
            prop_assert!(!on.contains(&b), "{} moves b{} from under another", step, b);
            let target = if name == "up" { goal[b] } else { 10 };
            prop_assert!(target == 10 || !on.contains(&target));
            on[b] = target;
        }
        prop_assert_eq!(on, goal);
    }
}

#[test]
fn warm_searches_allocate_nothing() {
    let goal = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    let network = blocks(&goal);
    let table = network.table();
    let mut start = table.first();
    for b in 0..10u8 {
        // Upside down: each stands on the one before.
        table.set(&mut start, table.find(&format!("on{b}")).unwrap(), if b == 0 { 10 } else { b - 1 });
        table.set(&mut start, table.find(&format!("clear{b}")).unwrap(), u8::from(b == 9));
    }
    let mut scratch = TaskScratch::default();
    let agenda = whole(&network);
    let request = Request { agenda: &agenda, kept: &[], first_method: 0, beat: None, tries_max: 10_000 };
    let mut search = || assert_eq!(decompose(&network, &start, request, &mut scratch), Decomposed::Found);
    search();
    assert_eq!(allocation_counter::measure(search).count_total, 0);
    assert_eq!(scratch.steps().len(), 18);
}

#[test]
fn bad_networks_say_what() {
    let build = |specs: &[TaskSpec], root: &str| {
        Network::build(bools(&["a"]), specs, root, FilePosition::default()).unwrap_err().problem.to_string()
    };
    let done = TaskSpec::primitive("done", &[]);
    let compound = |name: &str, tasks: &[&str]| TaskSpec::compound(name, vec![MethodSpec::new("m", &[], tasks)]);
    assert_eq!(
        build(std::slice::from_ref(&done), "dome"),
        "unknown task `dome` (did you mean `done`?): expected `done`"
    );
    assert_eq!(build(&[done.clone(), done.clone()], "done"), "two tasks are called `done`: expected every name once");
    assert_eq!(
        build(&[compound("a", &["b"]), compound("b", &["a"])], "a"),
        "`a` goes round in a cycle: expected a method that ends"
    );
    assert_eq!(
        build(&[done.clone(), compound("a", &["done"])], "done"),
        "`a` is out of reach: no method that `done` leads to uses it"
    );
    assert_eq!(build(&[TaskSpec::compound("a", vec![])], "a"), "`a` has no methods: expected at least one");
    let twice = vec![MethodSpec::new("m", &[], &[]), MethodSpec::new("m", &[], &[])];
    assert_eq!(build(&[TaskSpec::compound("a", twice)], "a"), "two methods are called `m`: expected every name once");
}
