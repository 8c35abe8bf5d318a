//! Ticks a tree so often, for counting instructions: the difference between two counts is that of the ticks alone.
//!
//! `tree_ticks visited TICKS`: 30 nodes, all visited in every tick: a selector of seven sequences of two conditions that
//! hold and one that does not, and a task that is done at once. `tree_ticks reactive TICKS`: the same under a reactive
//! selector, with a task that goes on. `tree_ticks waiting TICKS`: a tree of observers whose task sleeps.

use std::hint::black_box;

use sentir_core::id::AgentId;
use sentir_core::random::Streams;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::{Blackboard, Board};
use sentir_think::key::{KeySpec, Keys, Scope};
use sentir_think::leaf::{Condition, ConditionLeaf, ConditionResult, Host, Status, Task, TaskLeaf};
use sentir_think::test::Test;
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::tree::{Aborts, NodeKind, NodeSpec, Tree};

struct Bench;

impl Host for Bench {
    type View<'a> = &'a [f32; 8];
    type Out = u64;
}

struct Above;

impl Condition<Bench> for Above {
    const NAME: &'static str = "above";
    type Params = (usize, f32);

    fn check((place, limit): &(usize, f32), thought: &Thought<'_, Bench>) -> ConditionResult {
        ConditionResult::at_least(thought.view[*place & 7], *limit)
    }
}

struct Count;

impl Task<Bench> for Count {
    const NAME: &'static str = "count";
    /// Whether it sleeps, and how it ends.
    type Params = (bool, Status);
    type State = ();

    fn tick((sleeps, status): &(bool, Status), (): &mut (), thought: &mut Thought<'_, Bench>) -> Status {
        *thought.out += 1;
        if *sleeps {
            thought.sleep_until(Tick(u64::MAX));
        }
        *status
    }
}

fn visited(root: NodeKind<Bench>, status: Status) -> NodeSpec<Bench> {
    let check = |place, limit| NodeKind::Check(ConditionLeaf::new::<Above>((place, limit))).leaf();
    let branch = |place| NodeKind::Sequence.of([check(place, 0.1), check(place + 1, 0.2), check(place, 0.9)]);
    let task = NodeKind::Task(TaskLeaf::new::<Count>((false, status))).leaf();
    root.of((0..7).map(branch).chain([task]))
}

fn waiting(keys: &Keys) -> Result<NodeSpec<Bench>, Box<dyn std::error::Error>> {
    let task = || NodeKind::Task(TaskLeaf::new::<Count>((true, Status::Running))).leaf();
    let mut branches = Vec::new();
    for spec in keys.specs() {
        let test = Test::IsSet(keys.any(&spec.name)?);
        branches.push(NodeKind::When { test, aborts: Aborts::Both }.over(NodeKind::Sequence.of([task(), task()])));
    }
    branches.push(task());
    Ok(NodeKind::Selector.of(branches))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ticks: u64 = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(1000);
    let keys = Keys::build((0..7).map(|number| KeySpec::new::<f32>(&format!("key{number}"), Scope::Own)))?;
    let spec = match words.first().map(String::as_str) {
        Some("waiting") => waiting(&keys)?,
        Some("reactive") => visited(NodeKind::ReactiveSelector, Status::Running),
        _ => visited(NodeKind::Selector, Status::Success),
    };
    let tree = Tree::build(spec)?;
    let (mut own, shared) = (Blackboard::new(&keys), Blackboard::new(&keys));
    let (mut state, mut count, mut why) = (tree.state(), 0, WhyLog::default());
    let view = [0.5; 8];
    for tick in 0..ticks {
        let board = Board { own: &mut own, team: &shared, world: &shared };
        let (agent, rate, streams) = (AgentId::from_bits(1), TickRate::new(10), Streams { seed: 1 });
        let thinker = Thinker { agent, tick: Tick(tick), rate, streams };
        let mut thought = Thought::new(thinker, black_box(&view), board, Sinks { out: &mut count, why: &mut why });
        black_box(tree.tick(&mut state, &mut thought));
    }
    println!("{} nodes, {ticks} ticks, {count} ticks of tasks", tree.len());
    Ok(())
}
