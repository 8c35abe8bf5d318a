//! A brain that takes tasks apart: the plan that the order of methods prefers, step by step.
//!
//! Each thought reads the facts. While nothing changed, the step at work goes on. When something did:
//! - if what a method wants kept (`while`) no longer holds, the plan is given up and made anew;
//! - if a method that stands earlier now works out, its plan takes over, after the reaction time.
//!
//! The conditions of a step are looked at when it starts. If they do not hold, or the step fails, the plan is mended from
//! there ([`repair`]): what is done stays done. If it cannot be mended, planning starts anew when something
//! changes or a while has passed. A plan that pauses is planned on when its steps are done. Ticks allocate nothing once
//! the memory of searches, which is handed in, is warm.

use sentir_asset::{AssetError, FilePosition, Refusal};
use sentir_core::State;
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::decompose::{
    Choice, Decomposed, Pending, Request, STEPS_MAX, TaskScratch, decompose, repair, resume, whole,
};
use super::network::{Job, Network, TaskSpec};
use super::read;
use crate::key::Keys;
use crate::leaf::{Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::open::{Ids, id_of};
use crate::registry::Leaves;
use crate::situation::{FactSpec, Facts, Situation};
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};
use crate::work::Work;

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("htn", 1);

/// Chance of the reaction time.
const REACTION: Purpose = Purpose::new("reaction");
/// Steps that may end within one thought.
const ENDS_MAX: usize = 8;

/// A task and, if it is primitive, what is done.
#[derive(Clone, Debug)]
pub struct HtnTask<H: Host> {
    /// Conditions and effects, or methods.
    pub spec: TaskSpec,
    /// What is done; none for a compound task.
    pub leaf: Option<TaskLeaf<H>>,
    /// The authored id, if any.
    pub id: Option<String>,
}

/// A brain of tasks as it is written.
#[derive(Clone, Debug)]
pub struct HtnSpec<H: Host> {
    /// The facts it plans with.
    pub facts: Vec<FactSpec<H>>,
    /// The tasks.
    pub tasks: Vec<HtnTask<H>>,
    /// The task that every plan begins with, and where the file says so.
    pub root: (String, FilePosition),
    /// Methods that may be looked at for one plan.
    pub tries_max: u32,
    /// How long it takes to turn to a method that stands earlier.
    pub delay: Span,
    /// How long nothing is tried when nothing works out and nothing changes.
    pub retry: Span,
}

/// A brain of tasks, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Htn<H: Host> {
    keys: Keys,
    pub(super) facts: Facts<H>,
    pub(super) network: Network,
    pub(super) leaves: Vec<Option<TaskLeaf<H>>>,
    pub(super) ids: Vec<NodeId>,
    pub(super) methods: Vec<NodeId>,
    tries_max: u32,
    delay: Span,
    retry: Span,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct HtnState {
    /// Facts without a source, as the plan made them so far; the rest is not read.
    pub(super) notes: Situation,
    /// The situation at the last thought.
    pub(super) seen: Situation,
    pub(super) has_plan: bool,
    pub(super) plan: Vec<Pending>,
    pub(super) at: u16,
    pub(super) choices: Vec<Choice>,
    pub(super) pause: Option<Pending>,
    /// The plan was mended from that choice on: what stands earlier than it there has failed and beats nothing.
    pub(super) mended: Option<u16>,
    pub(super) work: Work,
    /// A better plan waits for the reaction time to pass.
    pub(super) is_reacting: bool,
    react_at: Tick,
    /// Nothing works out; until then, or until something changes, nothing is tried.
    pub(super) gave_up: bool,
    retry_at: Tick,
}

/// What comes behind the steps of a plan.
enum Further {
    /// More steps.
    On,
    /// Nothing: it is done.
    Over,
    /// Nothing works out.
    Stuck,
}

impl<H: Host> Htn<H> {
    /// Reads a file of kind `htn`.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Htn<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Htn::build(read::read(node, leaves)?, keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: HtnSpec<H>, keys: Keys) -> Result<Htn<H>, Refusal> {
        let facts = Facts::build(spec.facts)?;
        let specs: Vec<TaskSpec> = spec.tasks.iter().map(|task| task.spec.clone()).collect();
        let network = Network::build(facts.table().clone(), &specs, &spec.root.0, spec.root.1)?;
        network.check_facts(&specs, facts.possible())?;
        let root = NodeId::derived(NodeId::NONE, "htn", "", 0);
        let mut authored = Ids::default();
        spec.tasks.iter().try_for_each(|one| authored.add(one.id.as_deref(), &one.spec.name, one.spec.place))?;
        let (mut leaves, mut ids, mut methods) = (Vec::new(), Vec::new(), vec![NodeId::NONE; network.methods.len()]);
        for (task, job) in spec.tasks.into_iter().zip(&network.jobs) {
            let id = id_of(root, "task", &task.spec.name, task.id.as_deref());
            match (job, &task.leaf) {
                (Job::Primitive { .. }, None) => {
                    let sentence = format!("`{}` says nothing to do: expected a task", task.spec.name);
                    return Err(Refusal::wrong(task.spec.place, sentence));
                }
                (Job::Primitive { .. }, Some(_)) => {}
                (&Job::Compound { first, count }, _) => {
                    let range = usize::from(first)..usize::from(first + count);
                    for (node, method) in methods[range.clone()].iter_mut().zip(&network.methods[range]) {
                        *node = NodeId::derived(id, "method", &method.name, 0);
                    }
                }
            }
            leaves.push(task.leaf);
            ids.push(id);
        }
        let (tries_max, delay, retry) = (spec.tries_max, spec.delay, spec.retry);
        Ok(Htn { keys, facts, network, leaves, ids, methods, tries_max, delay, retry })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The tasks and their methods.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The node of each task.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        (0..).zip(&self.ids).map(|(task, id)| (self.network.name(task), *id))
    }

    /// The node of each method, by the name of its task and its own.
    pub fn methods(&self) -> impl Iterator<Item = (&str, &str, NodeId)> {
        (0..).zip(&self.network.jobs).flat_map(move |(task, job)| {
            let range = match *job {
                Job::Compound { first, count } => usize::from(first)..usize::from(first + count),
                Job::Primitive { .. } => 0..0,
            };
            range.map(move |method| {
                (self.network.name(task), self.network.methods[method].name.as_str(), self.methods[method])
            })
        })
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> HtnState {
        HtnState {
            notes: self.facts.table().first(),
            work: Work::new(self.leaves.iter().flatten()),
            plan: Vec::with_capacity(STEPS_MAX),
            choices: Vec::with_capacity(STEPS_MAX),
            ..HtnState::default()
        }
    }

    /// The rest of the plan at work, by name.
    pub fn plan<'a>(&'a self, state: &'a HtnState) -> impl Iterator<Item = &'a str> {
        let rest = state.plan.get(usize::from(state.at)..).unwrap_or_default();
        rest.iter().map(|step| self.network.name(step.task))
    }

    /// Thinks once: running while a plan is at work, success when the plan has no steps, failure when there is none.
    pub fn tick(&self, state: &mut HtnState, scratch: &mut TaskScratch, thought: &mut Thought<'_, H>) -> Status {
        self.mend(state);
        for _ in 0..ENDS_MAX {
            let now = self.facts.observe(&state.notes, thought);
            if now != state.seen || state.is_reacting && thought.tick >= state.react_at {
                state.seen = now;
                state.gave_up = false;
                self.review(&now, state, scratch, thought);
            }
            if !state.has_plan {
                if state.gave_up && thought.tick < state.retry_at {
                    return Status::Failure;
                }
                let agenda = whole(&self.network);
                let request = self.request(&agenda, None);
                let found = decompose(&self.network, &now, request, scratch);
                self.explain(&now, found, scratch, thought);
                if !self.take(found, state, scratch, thought) {
                    return Status::Failure;
                }
            }
            let Some(&step) = state.plan.get(usize::from(state.at)) else {
                match self.go_on(&now, state, scratch, thought) {
                    Further::On => continue,
                    Further::Over => return Status::Success,
                    Further::Stuck => return Status::Failure,
                }
            };
            match self.work(step, &now, state, thought) {
                Status::Running => return Status::Running,
                Status::Success => {
                    if let Job::Primitive { effects, .. } = &self.network.jobs[usize::from(step.task)] {
                        state.notes = self.facts.record(&now, &effects.apply(&now), thought);
                    }
                    state.at += 1;
                    if usize::from(state.at) == state.plan.len() && state.pause.is_none() {
                        self.forget(state);
                    }
                }
                Status::Failure => {
                    let now = self.facts.observe(&state.notes, thought);
                    let found = repair(&self.network, &now, &state.choices, step, self.tries_max, scratch);
                    let same = scratch.choices.iter().zip(&state.choices).take_while(|(new, old)| new == old).count();
                    // Limited by CHOICES_MAX.
                    let mended = state.mended.map_or(same as u16, |before| before.min(same as u16));
                    if !self.take(found, state, scratch, thought) {
                        return Status::Failure;
                    }
                    state.mended = Some(mended);
                }
            }
        }
        Status::Running
    }

    /// Ends the task at work, for a host that takes the brain away.
    pub fn stop(&self, state: &mut HtnState, thought: &mut Thought<'_, H>) {
        self.mend(state);
        self.abort(self.ids[usize::from(self.network.root())], |_| Cause::Host, state, thought);
    }

    fn request<'a>(&self, agenda: &'a [Pending], beat: Option<&'a [Choice]>) -> Request<'a> {
        Request { agenda, kept: &[], first_method: 0, beat, tries_max: self.tries_max }
    }

    /// Does a step, if it can start.
    fn work(&self, step: Pending, now: &Situation, state: &mut HtnState, thought: &mut Thought<'_, H>) -> Status {
        let task = usize::from(step.task);
        let (Job::Primitive { need, .. }, Some(leaf)) = (&self.network.jobs[task], &self.leaves[task]) else {
            return Status::Failure;
        };
        if !state.work.is_running() && !now.meets(need) {
            if thought.why.is_on() {
                let cause = self.facts.cause(now, need, thought);
                thought.because(|| Why::Refused { node: self.ids[task], cause });
            }
            return Status::Failure;
        }
        state.work.tick(leaf, self.ids[task], thought)
    }

    /// Looks whether the plan at work still stands in a situation that is new.
    fn review(&self, now: &Situation, state: &mut HtnState, scratch: &mut TaskScratch, thought: &mut Thought<'_, H>) {
        if !state.has_plan {
            return;
        }
        let mut at = state.plan.get(usize::from(state.at)).map(|step| step.owner);
        while let Some(choice) = at.and_then(|owner| state.choices.get(usize::from(owner))) {
            let method = usize::from(choice.method);
            let keep = &self.network.methods[method].keep;
            if !now.meets(keep) {
                self.abort(self.methods[method], |thought| self.facts.cause(now, keep, thought), state, thought);
                return;
            }
            at = Some(choice.whom.owner);
        }
        let agenda = whole(&self.network);
        let sound = state.mended.map_or(state.choices.len(), usize::from).min(state.choices.len());
        let request = self.request(&agenda, Some(&state.choices[..sound]));
        if decompose(&self.network, now, request, scratch) != Decomposed::Found {
            state.is_reacting = false;
            return;
        }
        let won = scratch.choices.iter().zip(&state.choices).find(|(new, old)| new.method != old.method);
        let by = won.map_or(NodeId::NONE, |(new, _)| self.methods[usize::from(new.method)]);
        if !state.is_reacting {
            thought.node = by;
            state.is_reacting = true;
            state.react_at = thought.tick + self.delay.ticks(thought.rate, || thought.random(REACTION));
        }
        if thought.tick < state.react_at {
            thought.because(|| Why::Refused { node: by, cause: Cause::Cooldown { until: state.react_at } });
            return;
        }
        self.abort(by, |_| Cause::Branch { node: by }, state, thought);
        self.take(Decomposed::Found, state, scratch, thought);
    }

    /// Takes over the plan in the scratch. Without one, waits a while.
    fn take(
        &self,
        found: Decomposed,
        state: &mut HtnState,
        scratch: &TaskScratch,
        thought: &mut Thought<'_, H>,
    ) -> bool {
        if found != Decomposed::Found {
            self.forget(state);
            state.gave_up = true;
            thought.node = self.ids[usize::from(self.network.root())];
            let ticks = self.retry.ticks(thought.rate, || thought.random(REACTION));
            state.retry_at = thought.tick + ticks.max(1);
            return false;
        }
        state.gave_up = false;
        state.has_plan = true;
        state.plan.clear();
        state.plan.extend_from_slice(&scratch.steps);
        state.choices.clear();
        state.choices.extend_from_slice(&scratch.choices);
        state.pause = scratch.pause;
        state.mended = None;
        state.at = 0;
        true
    }

    /// Plans on behind a pause.
    fn go_on(
        &self,
        now: &Situation,
        state: &mut HtnState,
        scratch: &mut TaskScratch,
        thought: &mut Thought<'_, H>,
    ) -> Further {
        let Some(pause) = state.pause.take() else {
            self.forget(state);
            return Further::Over;
        };
        let mended = state.mended;
        let found = resume(&self.network, now, &state.choices, pause, self.tries_max, scratch);
        let goes_on = self.take(found, state, scratch, thought);
        state.mended = mended.filter(|_| goes_on);
        if goes_on { Further::On } else { Further::Stuck }
    }

    /// Says why the methods before the chosen ones were not taken, as far as the situation is the present one.
    fn explain(&self, now: &Situation, found: Decomposed, scratch: &TaskScratch, thought: &mut Thought<'_, H>) {
        if !thought.why.is_on() {
            return;
        }
        let refuse = |from: u16, to: u16, thought: &mut Thought<'_, H>| {
            for method in usize::from(from)..usize::from(to) {
                let need = &self.network.methods[method].need;
                let failed = now.meets(need);
                let cause = if failed { Cause::Failed } else { self.facts.cause(now, need, thought) };
                thought.because(|| Why::Refused { node: self.methods[method], cause });
            }
        };
        let first_of = |task: u16| match self.network.jobs[usize::from(task)] {
            Job::Compound { first, count } => (first, first + count),
            Job::Primitive { .. } => (0, 0),
        };
        if found != Decomposed::Found {
            let (first, end) = first_of(self.network.root());
            refuse(first, end, thought);
        }
        let mut owner = scratch.steps.first().map(|step| step.owner);
        while let Some(choice) = owner.and_then(|owner| scratch.choices.get(usize::from(owner))) {
            refuse(first_of(choice.whom.task).0, choice.method, thought);
            owner = Some(choice.whom.owner);
        }
    }

    pub(super) fn abort(
        &self,
        by: NodeId,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        state: &mut HtnState,
        thought: &mut Thought<'_, H>,
    ) {
        if let Some(step) = state.plan.get(usize::from(state.at))
            && let Some(leaf) = &self.leaves[usize::from(step.task)]
        {
            state.work.abort(leaf, self.ids[usize::from(step.task)], by, cause, thought);
        }
        self.forget(state);
    }

    /// The plan is over: its notes begin anew.
    fn forget(&self, state: &mut HtnState) {
        state.has_plan = false;
        state.is_reacting = false;
        state.plan.clear();
        state.choices.clear();
        state.pause = None;
        state.mended = None;
        state.at = 0;
        state.notes = self.facts.table().first();
    }
}
