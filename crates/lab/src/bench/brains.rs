//! `sentir bench brains`: what a tick of a brain costs, and plans; with `--features peers` beside other libraries.
//! Instructions are counted by `cargo xtask prove brains`, on the examples `tree_ticks`, `goap_plan` and `htn_plan` of the
//! crate `sentir_think`.

mod guard;
#[cfg(feature = "peers")]
mod peers;

use guard::Events;

use super::{Figure, Rows, median_ms, row};
use crate::brain::Anybody;
use crate::error::LabError;
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir::think::board::{Blackboard, Board};
use sentir::think::brain::{Brain, BrainScratch};
use sentir::think::goap::{Goap, PlanScratch, Planned, plan};
use sentir::think::key::Keys;
use sentir::think::leaf::{Condition, ConditionLeaf, ConditionResult, Host, Status, Task, TaskLeaf};
use sentir::think::registry::Leaves;
use sentir::think::situation::{Allowed, Sample, needed};
use sentir::think::stock;
use sentir::think::thought::{Sinks, Thinker, Thought};
use sentir::think::tree::{NodeKind, Tree};
use std::hint::black_box;

/// Agents that think at once.
const AGENTS: usize = 100_000;
/// Ticks before guards are measured.
const WARM: usize = 60;
/// Ticks of a tree in one measurement.
const TICKS: u64 = 10_000;

/// Who thinks in a world of ten ticks a second.
fn thinker(agent: AgentId, tick: Tick) -> Thinker {
    Thinker { agent, tick, rate: TickRate::new(10), streams: Streams { seed: 1 } }
}

/// The rows of every subject.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = thoughts()?;
    let tree_ns = visited_ns()?;
    rows.push(row("tree", "a tick of a tree of 30 nodes, all visited", Figure::new(tree_ns, 0, "ns"), ""));
    let (plan_us, steps) = raid_us()?;
    let what = format!("a plan of {steps} steps among 50 actions, warm");
    rows.push(row("plan", what, Figure::new(plan_us, 1, "µs"), ""));
    rows.extend(beside_peers(tree_ns, plan_us)?);
    Ok(rows)
}

#[cfg(not(feature = "peers"))]
fn beside_peers(_: f64, _: f64) -> Result<Rows, LabError> {
    Ok(vec![row("peers", "beside bonsai-bt, dogoap", "not measured", "build with --features peers")])
}

#[cfg(feature = "peers")]
fn beside_peers(tree_ns: f64, plan_us: f64) -> Result<Rows, LabError> {
    let mut rows = peers::trees(tree_ns);
    rows.extend(peers::plans(plan_us)?);
    Ok(rows)
}

/// Ticks of the guard in every kind of brain, for a hundred thousand agents at work.
fn thoughts() -> Result<Rows, LabError> {
    let mut rows = Vec::new();
    for (name, file, text) in stock::GUARD {
        let brain = Brain::read(text.as_bytes(), file, &Keys::default(), &guard::leaves())?;
        let Some(events) = Events::new(brain.keys()) else {
            return Err(LabError::Brain(format!("{file} has other keys than a guard")));
        };
        let mut states = vec![brain.start(); AGENTS];
        let mut boards = vec![Blackboard::new(brain.keys()); AGENTS];
        boards.iter_mut().for_each(|board| events.begin(board));
        let shared = Blackboard::new(brain.keys());
        let (mut scratch, mut why) = (BrainScratch::default(), WhyLog::default());
        let (mut tick, mut worked) = (0, 0);
        let mut all = |count: usize| {
            median_ms(count, || {
                tick += 1;
                for ((number, state), own) in (0..).zip(&mut states).zip(&mut boards) {
                    events.happen(number, tick, own);
                    let board = Board { own, team: &shared, world: &shared };
                    let now = thinker(AgentId::from_bits(number), Tick(tick));
                    let mut thought = Thought::new(now, (), board, Sinks { out: &mut worked, why: &mut why });
                    brain.tick(state, &mut scratch, &mut thought);
                }
            })
        };
        // Until everybody is somewhere in the middle of something.
        all(WARM);
        let ms = all(31);
        assert!(worked >= tick * AGENTS as u64, "{name}: every thought does something");
        let figure = Figure::new(ms * 1e6 / AGENTS as f64, 0, "ns");
        let remark = format!("{ms:.1} ms for 100 000 agents at work");
        rows.push(row(format!("thought_{name}"), format!("a thought of the guard, {name}"), figure, remark));
    }
    Ok(rows)
}

/// A game of eight numbers.
struct Eight;

impl Host for Eight {
    type View<'a> = &'a [f32; 8];
    type Out = u64;
}

/// Whether one of the numbers is over a limit.
struct Above;

impl Condition<Eight> for Above {
    const NAME: &'static str = "above";
    type Params = (usize, f32);

    fn check((place, limit): &(usize, f32), thought: &Thought<'_, Eight>) -> ConditionResult {
        ConditionResult::at_least(thought.view[*place & 7], *limit)
    }
}

/// Counts, and goes on.
struct Count;

impl Task<Eight> for Count {
    const NAME: &'static str = "count";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut Thought<'_, Eight>) -> Status {
        *thought.out += 1;
        Status::Running
    }
}

/// The numbers that the conditions look at.
const VIEW: [f32; 8] = [0.5; 8];

/// Limits of the three conditions of each of the seven sequences: the last does not hold.
const LIMITS: [(usize, f32); 3] = [(0, 0.1), (1, 0.2), (0, 0.9)];

/// Nanoseconds of a tick of a reactive selector over seven sequences of three conditions each, and a task that goes on.
fn visited_ns() -> Result<f64, LabError> {
    let check = |branch: usize, (place, limit): (usize, f32)| {
        NodeKind::Check(ConditionLeaf::new::<Above>((branch + place, limit))).leaf()
    };
    let branches = (0..7).map(|branch| NodeKind::Sequence.of(LIMITS.map(|limit| check(branch, limit))));
    let task = NodeKind::Task(TaskLeaf::new::<Count>(())).leaf();
    let spec = NodeKind::ReactiveSelector.of(branches.chain([task]));
    let tree = Tree::build(spec).map_err(|error| LabError::Brain(error.to_string()))?;
    let keys = Keys::default();
    let (mut own, shared) = (Blackboard::new(&keys), Blackboard::new(&keys));
    let (mut state, mut count, mut why, mut tick) = (tree.state(), 0, WhyLog::default(), 0);
    let ms = median_ms(31, || {
        for _ in 0..TICKS {
            tick += 1;
            let board = Board { own: &mut own, team: &shared, world: &shared };
            let now = thinker(AgentId::from_bits(1), Tick(tick));
            let view = black_box(&VIEW);
            let mut thought = Thought::new(now, view, board, Sinks { out: &mut count, why: &mut why });
            black_box(tree.tick(&mut state, &mut thought));
        }
    });
    assert_eq!(count, tick, "every branch but the last is refused in every tick");
    Ok(ms * 1e6 / TICKS as f64)
}

/// What the raid is for.
const GOAL: [&str; 2] = ["enemy_dead", "reported"];

/// Microseconds of planning the raid, and the steps of the plan.
fn raid_us() -> Result<(f64, usize), LabError> {
    let (file, text) = stock::RAID;
    let raid: Goap<Anybody> = Goap::read(text.as_bytes(), file, &Keys::default(), &Leaves::open())?;
    let repertoire = raid.repertoire();
    let costs: Vec<u32> = repertoire.actions().iter().map(|action| action.cost).collect();
    let yes = Allowed::Is(Sample::Bool(true));
    let goal = needed(repertoire.table(), GOAL.map(|fact| (fact, &yes, Default::default())))
        .map_err(|refusal| LabError::Brain(refusal.to_string()))?;
    let start = repertoire.table().first();
    let mut scratch = PlanScratch::default();
    let mut found = Planned::NoPlan;
    let ms = median_ms(31, || {
        for _ in 0..100 {
            found = plan(repertoire, black_box(&costs), &start, &goal, 10_000, &mut scratch);
        }
    });
    assert!(matches!(found, Planned::Found { .. }), "{found:?}");
    Ok((ms * 10.0, scratch.steps().len()))
}
