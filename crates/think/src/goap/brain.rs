//! A brain that plans: goals in the order of their weight, the cheapest plan for the first that can be had, step by step.
//!
//! Each thought reads the facts. While nothing changed, the step at work goes on. When something did:
//! - a plan stays as long as what its rest needs holds; if what a later step needs holds already, the steps before are
//!   skipped;
//! - a goal that stands before the present one and can be reached interrupts, after the reaction time;
//! - a plan that no longer leads anywhere is given up, and another is searched.
//!
//! A step that fails is not tried again for a while, and another plan is searched without it; several rest at once, each
//! for its own time. A goal without a plan is looked at again after that while if prices may have changed. 'No plan' and 'out of
//! budget' leave the goal to the next one. Memory of searches is handed in; ticks allocate nothing once it is warm.

use sentir_asset::{AssetError, FilePosition, Refusal};
use sentir_core::State;
use sentir_core::tick::Tick;

use super::repertoire::{ActionSpec, Repertoire};
use super::search::{PlanScratch, Planned, plan};
use super::{reach, read};
use crate::key::{Bind, Keys};
use crate::leaf::{Host, ScoreLeaf, Status, TaskLeaf};
use crate::node::NodeId;
use crate::open::{Ids, id_of, refuse_twice};
use crate::registry::Leaves;
use crate::situation::{Allowed, FactSpec, Facts, Need, Situation, needed};
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};
use crate::work::Work;
use sentir_core::random::Purpose;

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("goap", 1);

/// Chance of the reaction time.
const REACTION: Purpose = Purpose::new("reaction");
/// Steps that may end within one thought.
const ENDS_MAX: usize = 8;
/// No moment.
pub(super) const NEVER: Tick = Tick(u64::MAX);
/// Most goals.
pub const GOALS_MAX: usize = 256;

/// What an action costs.
#[derive(Clone, Debug)]
pub enum Price<H: Host> {
    /// What its spec says.
    Fixed,
    /// What a key says when a plan is searched; a missing value leaves the action out.
    Key(Bind<f32>),
    /// What the game says when a plan is searched.
    Score(ScoreLeaf<H>),
}

/// Something to do, with what it is good for.
#[derive(Clone, Debug)]
pub struct StepSpec<H: Host> {
    /// Conditions, effects, fixed cost.
    pub action: ActionSpec,
    /// The cost, if it is not fixed.
    pub price: Price<H>,
    /// What is done.
    pub task: TaskLeaf<H>,
    /// The authored id, if any.
    pub id: Option<String>,
}

/// Something to be wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalSpec {
    /// Its name.
    pub name: String,
    /// When it is wanted at all: fact, values, place in the file.
    pub when: Vec<(String, Allowed, FilePosition)>,
    /// What should be: fact, values, place in the file.
    pub wants: Vec<(String, Allowed, FilePosition)>,
    /// The authored id, if any.
    pub id: Option<String>,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

/// A planning brain as it is written.
#[derive(Clone, Debug)]
pub struct GoapSpec<H: Host> {
    /// The facts it plans with.
    pub facts: Vec<FactSpec<H>>,
    /// What it can do.
    pub actions: Vec<StepSpec<H>>,
    /// What it wants, the weightiest first.
    pub goals: Vec<GoalSpec>,
    /// Expansions allowed for the search of one plan.
    pub expansions_max: u32,
    /// How long it takes to turn to a weightier goal.
    pub delay: Span,
    /// How long a failed action is left out of plans.
    pub retry: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) id: NodeId,
    name: String,
    when: Need,
    wants: Need,
}

#[derive(Clone, Debug)]
pub(super) struct Step<H: Host> {
    pub(super) id: NodeId,
    pub(super) price: Price<H>,
    pub(super) task: TaskLeaf<H>,
}

/// A planning brain, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Goap<H: Host> {
    keys: Keys,
    pub(super) facts: Facts<H>,
    repertoire: Repertoire,
    pub(super) steps: Vec<Step<H>>,
    pub(super) goals: Vec<Goal>,
    /// Whether a price comes from a key or the game.
    is_priced: bool,
    expansions_max: u32,
    delay: Span,
    retry: Span,
    pub(super) root: NodeId,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct GoapState {
    /// Facts without a source, as the plan made them so far; the rest is not read.
    pub(super) notes: Situation,
    /// The situation at the last thought.
    pub(super) seen: Situation,
    /// The goal of the plan at work.
    pub(super) goal: Option<u16>,
    pub(super) plan: Vec<u16>,
    pub(super) at: u16,
    pub(super) work: Work,
    /// A weightier goal that waits for the reaction time to pass.
    pub(super) pending: Option<u16>,
    pub(super) react_at: Tick,
    /// By action: one that failed is left out until then; 0 for the others.
    pub(super) failed: Vec<Tick>,
    /// When the first of them is back, or what had no price is looked at again.
    pub(super) retry_at: Tick,
    /// Nothing can be done while nothing changes.
    pub(super) gave_up: bool,
}

/// Memory of searches; what it holds never changes a decision.
#[derive(Clone, Debug, Default)]
pub struct GoapScratch {
    pub(super) plan: PlanScratch,
    pub(super) costs: Vec<u32>,
    searches: u64,
}

impl GoapScratch {
    /// How many plans were searched with it.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// Needs expanded by the search made last: its nominal work.
    pub fn expansions(&self) -> u32 {
        self.plan.expansions()
    }
}

impl<H: Host> Goap<H> {
    /// Reads a file of kind `goap`.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Goap<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Goap::build(read::read(node, leaves)?, keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: GoapSpec<H>, keys: Keys) -> Result<Goap<H>, Refusal> {
        let root = NodeId::derived(NodeId::NONE, "goap", "", 0);
        let facts = Facts::build(spec.facts)?;
        let table = facts.table();
        let actions: Vec<ActionSpec> = spec.actions.iter().map(|step| step.action.clone()).collect();
        let repertoire = Repertoire::build(table.clone(), &actions)?;
        refuse_twice("goals", spec.goals.iter().map(|goal| (goal.name.as_str(), goal.place)))?;
        let mut ids = Ids::default();
        spec.actions.iter().try_for_each(|one| ids.add(one.id.as_deref(), &one.action.name, one.action.place))?;
        spec.goals.iter().try_for_each(|goal| ids.add(goal.id.as_deref(), &goal.name, goal.place))?;
        let mut goals = Vec::new();
        for goal in &spec.goals {
            let wants =
                needed(table, goal.wants.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place)))?;
            if wants == table.anything() {
                return Err(Refusal::wrong(goal.place, format!("`{}` wants nothing: expected facts", goal.name)));
            }
            let when = needed(table, goal.when.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place)))?;
            let id = id_of(root, "goal", &goal.name, goal.id.as_deref());
            goals.push(Goal { id, name: goal.name.clone(), when, wants });
        }
        if goals.is_empty() || goals.len() > GOALS_MAX {
            let sentence = format!("{} goals: expected 1 to {GOALS_MAX}", goals.len());
            return Err(Refusal::wrong(FilePosition::default(), sentence));
        }
        let step = |step: StepSpec<H>| Step {
            id: id_of(root, "action", &step.action.name, step.id.as_deref()),
            price: step.price,
            task: step.task,
        };
        let wants = spec.goals.iter().zip(&goals).map(|(spec, goal)| reach::GoalNeed { spec, wants: goal.wants });
        let wants: Vec<_> = wants.collect();
        reach::check(&facts, &repertoire, &spec.actions, &wants)?;
        let is_priced = spec.actions.iter().any(|step| !matches!(step.price, Price::Fixed));
        let steps = spec.actions.into_iter().map(step).collect();
        let (expansions_max, delay, retry) = (spec.expansions_max, spec.delay, spec.retry);
        Ok(Goap { keys, facts, repertoire, steps, goals, is_priced, expansions_max, delay, retry, root })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// What it can do.
    pub fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    /// The names of the goals, weightiest first, each with its node.
    pub fn goals(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.goals.iter().map(|goal| (goal.name.as_str(), goal.id))
    }

    /// The node of each action.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.repertoire.actions().iter().zip(&self.steps).map(|(action, step)| (action.name.as_str(), step.id))
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> GoapState {
        GoapState {
            notes: self.facts.table().first(),
            work: Work::new(self.steps.iter().map(|step| &step.task)),
            plan: Vec::with_capacity(super::STEPS_MAX),
            failed: vec![Tick(0); self.steps.len()],
            retry_at: NEVER,
            ..GoapState::default()
        }
    }

    /// The goal and the rest of the plan at work, by name.
    pub fn plan<'a>(&'a self, state: &'a GoapState) -> Option<(&'a str, impl Iterator<Item = &'a str>)> {
        let goal = self.goals.get(usize::from(state.goal?))?;
        let rest = state.plan.get(usize::from(state.at)..)?;
        let name = |step: &u16| self.repertoire.actions().get(usize::from(*step)).map(|action| action.name.as_str());
        Some((&goal.name, rest.iter().filter_map(name)))
    }

    /// Thinks once: running while a plan is at work, success when nothing is wanted, failure when nothing can be done.
    pub fn tick(&self, state: &mut GoapState, scratch: &mut GoapScratch, thought: &mut Thought<'_, H>) -> Status {
        self.mend(state);
        for _ in 0..ENDS_MAX {
            let now = self.facts.observe(&state.notes, thought);
            let is_due = state.pending.is_some() && thought.tick >= state.react_at || thought.tick >= state.retry_at;
            if now != state.seen || is_due || state.goal.is_none() && !state.gave_up {
                state.seen = now;
                self.choose(&now, state, scratch, thought);
            }
            let (Some(_), Some(&number)) = (state.goal, state.plan.get(usize::from(state.at))) else {
                let is_content = self.goals.iter().all(|goal| !is_wanted(goal, &now));
                return if is_content { Status::Success } else { Status::Failure };
            };
            let step = &self.steps[usize::from(number)];
            match state.work.tick(&step.task, step.id, thought) {
                Status::Running => return Status::Running,
                Status::Success => {
                    let after = self.repertoire.actions()[usize::from(number)].effects.apply(&now);
                    state.notes = self.facts.record(&now, &after, thought);
                    state.at += 1;
                    if usize::from(state.at) == state.plan.len() {
                        self.forget(state);
                    }
                }
                Status::Failure => {
                    let until = self.later(step.id, thought);
                    state.failed[usize::from(number)] = until;
                    state.retry_at = state.retry_at.min(until);
                    self.forget(state);
                }
            }
        }
        Status::Running
    }

    /// Ends the task at work, for a host that takes the brain away.
    pub fn stop(&self, state: &mut GoapState, thought: &mut Thought<'_, H>) {
        self.mend(state);
        self.abort(self.root, |_| Cause::Host, state, thought);
    }

    /// A block from outside may say anything; what does not fit is forgotten.
    pub(super) fn mend(&self, state: &mut GoapState) {
        let fits = state.goal.is_none_or(|goal| usize::from(goal) < self.goals.len())
            && state.plan.iter().all(|&step| usize::from(step) < self.steps.len())
            && state.failed.len() == self.steps.len()
            && (usize::from(state.at) < state.plan.len()) == state.goal.is_some()
            && (state.goal.is_some() || !state.work.is_running());
        if !fits {
            *state = self.start();
        }
    }

    /// Decides what to do in a situation that is new.
    fn choose(&self, now: &Situation, state: &mut GoapState, scratch: &mut GoapScratch, thought: &mut Thought<'_, H>) {
        state.gave_up = false;
        state.retry_at = NEVER;
        for until in &mut state.failed {
            *until = if thought.tick >= *until { Tick(0) } else { *until };
            state.retry_at = if *until == Tick(0) { state.retry_at } else { state.retry_at.min(*until) };
        }
        self.review(now, state, thought);
        let better = state.goal.map_or(self.goals.len(), usize::from);
        for (number, goal) in self.goals[..better].iter().enumerate() {
            if !is_wanted(goal, now) {
                if thought.why.is_on() {
                    let cause = self.unwanted(goal, now, thought);
                    thought.because(|| Why::Refused { node: goal.id, cause });
                }
                continue;
            }
            if !matches!(self.search(now, goal, state, scratch, thought), Planned::Found { .. }) {
                let unreached = reach::Unreached { goal: goal.id, wants: &goal.wants, now };
                self.tell_obstacle(&unreached, state, scratch, thought);
                // A price may change without any fact.
                if self.is_priced {
                    state.retry_at = state.retry_at.min(self.later(goal.id, thought));
                }
                continue;
            }
            // Limited by GOALS_MAX.
            let number = number as u16;
            if state.goal.is_some() && !self.has_reacted(number, goal.id, state, thought) {
                return;
            }
            self.abort(goal.id, |_| Cause::Branch { node: goal.id }, state, thought);
            state.goal = Some(number);
            state.plan.clear();
            state.plan.extend_from_slice(scratch.plan.steps());
            state.at = 0;
            state.pending = None;
            return;
        }
        state.pending = None;
        state.gave_up = state.goal.is_none();
    }

    /// Keeps the plan at work, skips what is done already, or gives it up.
    fn review(&self, now: &Situation, state: &mut GoapState, thought: &mut Thought<'_, H>) {
        let Some(goal) = state.goal.map(|goal| &self.goals[usize::from(goal)]) else { return };
        if !is_wanted(goal, now) {
            self.abort(goal.id, |thought| self.unwanted(goal, now, thought), state, thought);
            return;
        }
        let mut need = goal.wants;
        for at in (usize::from(state.at)..state.plan.len()).rev() {
            let action = &self.repertoire.actions()[usize::from(state.plan[at])];
            // A plan from outside may not work out at all.
            let Some(before) = action.effects.regress(&need) else { break };
            need = before.and(&action.need);
            if now.meets(&need) {
                if at != usize::from(state.at) {
                    let step = &self.steps[usize::from(state.plan[usize::from(state.at)])];
                    state.work.abort(&step.task, step.id, goal.id, |_| Cause::Branch { node: goal.id }, thought);
                    state.at = at as u16;
                }
                return;
            }
        }
        self.abort(self.root, |thought| self.facts.cause(now, &need, thought), state, thought);
    }

    /// Why a goal is not wanted now.
    fn unwanted(&self, goal: &Goal, now: &Situation, thought: &Thought<'_, H>) -> Cause {
        if now.meets(&goal.when) {
            self.facts.cause_met(now, &goal.wants, thought)
        } else {
            self.facts.cause(now, &goal.when, thought)
        }
    }

    fn search(
        &self,
        now: &Situation,
        goal: &Goal,
        state: &GoapState,
        scratch: &mut GoapScratch,
        thought: &mut Thought<'_, H>,
    ) -> Planned {
        scratch.searches += 1;
        scratch.costs.clear();
        for (number, (action, step)) in self.repertoire.actions().iter().zip(&self.steps).enumerate() {
            thought.node = step.id;
            let cost = match &step.price {
                Price::Fixed => Some(action.cost),
                Price::Key(bind) => bind.read(&thought.board).and_then(super::cost_units),
                Price::Score(leaf) => super::cost_units(leaf.score(thought)),
            };
            let is_in = state.failed[number] == Tick(0);
            scratch.costs.push(cost.filter(|_| is_in).unwrap_or(u32::MAX));
        }
        plan(&self.repertoire, &scratch.costs, now, &goal.wants, self.expansions_max, &mut scratch.plan)
    }

    /// When something that did not work out is tried again.
    fn later(&self, node: NodeId, thought: &mut Thought<'_, H>) -> Tick {
        thought.node = node;
        thought.tick + self.retry.ticks(thought.rate, || thought.random(REACTION)).max(1)
    }

    /// Whether the reaction time for a weightier goal has passed; starts it when it is news.
    fn has_reacted(&self, goal: u16, node: NodeId, state: &mut GoapState, thought: &mut Thought<'_, H>) -> bool {
        if state.pending != Some(goal) {
            thought.node = node;
            state.pending = Some(goal);
            state.react_at = thought.tick + self.delay.ticks(thought.rate, || thought.random(REACTION));
        }
        if thought.tick < state.react_at {
            thought.because(|| Why::Refused { node, cause: Cause::Cooldown { until: state.react_at } });
        }
        thought.tick >= state.react_at
    }

    pub(super) fn abort(
        &self,
        by: NodeId,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        state: &mut GoapState,
        thought: &mut Thought<'_, H>,
    ) {
        if let Some(&number) = state.plan.get(usize::from(state.at)) {
            let step = &self.steps[usize::from(number)];
            state.work.abort(&step.task, step.id, by, cause, thought);
        }
        self.forget(state);
    }

    /// The plan is over: its notes begin anew.
    fn forget(&self, state: &mut GoapState) {
        state.goal = None;
        state.plan.clear();
        state.at = 0;
        state.notes = self.facts.table().first();
    }
}

fn is_wanted(goal: &Goal, now: &Situation) -> bool {
    now.meets(&goal.when) && !now.meets(&goal.wants)
}
