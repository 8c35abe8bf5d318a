//! Running a machine.

use sentir_asset::{AssetError, Problem, Refusal};
use sentir_core::State;
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::build::{Layout, OUTSIDE, StateRow, Way, layout};
use super::spec::{self, Ended, History, MachineSpec, StateLibrary};
use crate::key::Keys;
use crate::leaf::{ConditionResult, Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::registry::Leaves;
use crate::thought::Thought;
use crate::why::{Cause, Why};
use crate::work::Work;

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("machine", 1);
/// Chance of times.
pub(super) const TIME: Purpose = Purpose::new("machine");
/// Transitions that may be taken within one thought.
const TURNS_MAX: usize = 8;
/// No moment.
pub(super) const NEVER: Tick = Tick(u64::MAX);

/// A state machine, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Machine<H: Host> {
    pub(super) keys: Keys,
    pub(super) layout: Layout<H>,
    pub(super) root: NodeId,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct MachineState {
    /// The active state that has no states inside.
    pub(super) leaf: Option<u16>,
    /// By state: the state inside that was active last.
    pub(super) last: Vec<Option<u16>>,
    /// By transition: when its time comes, if it is counted.
    pub(super) due: Vec<Tick>,
    /// How the task of the active state ended.
    pub(super) ended: Option<bool>,
    pub(super) work: Work,
    /// Room for what is done on the way.
    once: Work,
}

impl<H: Host> Machine<H> {
    /// Reads a file of kind `machine`; states of `library` may be used by name.
    #[cfg(feature = "files")]
    pub fn read(
        bytes: &[u8],
        file: &str,
        keys: &Keys,
        leaves: &Leaves<H>,
        library: &StateLibrary<H>,
    ) -> Result<Machine<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Machine::build(spec::read(node, leaves, library)?, keys)
        })
    }

    /// Reads the outermost states of a file of kind `machine`, for other machines to use.
    #[cfg(feature = "files")]
    pub fn read_library(
        bytes: &[u8],
        file: &str,
        keys: &Keys,
        leaves: &Leaves<H>,
    ) -> Result<StateLibrary<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, _| {
            let spec = spec::read(node, leaves, &StateLibrary::new())?;
            Ok(spec.states.into_iter().map(|state| (state.name.clone(), state)).collect())
        })
    }

    /// Adds the outermost states of a file of kind `machine` to a library. Gives the keys with those that the file declares:
    /// the files that are read next have to be read with them.
    #[cfg(feature = "files")]
    pub fn read_states(
        bytes: &[u8],
        file: &str,
        keys: &Keys,
        leaves: &Leaves<H>,
        library: &mut StateLibrary<H>,
    ) -> Result<Keys, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            for state in spec::read(node, leaves, library)?.states {
                let (name, place) = (state.name.clone(), state.place);
                if library.insert(name.clone(), state).is_some() {
                    return Err(Refusal::new(place, Problem::Twice { what: "shared states", name }));
                }
            }
            Ok(keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: MachineSpec<H>, keys: Keys) -> Result<Machine<H>, Refusal> {
        let root = NodeId::derived(NodeId::NONE, "machine", "", 0);
        Ok(Machine { keys, layout: layout(spec, root)?, root })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The node of each state.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.layout.states.iter().map(|row| (row.name.as_str(), row.id))
    }

    /// The node of each transition, by the names of the state it belongs to (none for those from any) and leads to.
    pub fn transitions(&self) -> impl Iterator<Item = (Option<&str>, &str, NodeId)> {
        let rows = self.layout.states.iter().map(|row| (Some(row.name.as_str()), row.go));
        rows.chain([(None, self.layout.any)]).flat_map(move |(from, range)| {
            let ways = &self.layout.ways[usize::from(range.0)..usize::from(range.1)];
            ways.iter().map(move |way| (from, self.layout.states[usize::from(way.to)].name.as_str(), way.id))
        })
    }

    /// What an agent that just got this brain remembers: not even the first state, which it enters with its first thought.
    pub fn start(&self) -> MachineState {
        let rows = &self.layout.states;
        MachineState {
            last: vec![None; rows.len()],
            due: vec![NEVER; self.layout.ways.len()],
            work: Work::new(rows.iter().filter_map(|row| row.task.as_ref())),
            once: Work::new(rows.iter().flat_map(|row| row.enter.iter().chain(&row.exit))),
            ..MachineState::default()
        }
    }

    /// The active states, innermost first, by name.
    pub fn active<'a>(&'a self, state: &MachineState) -> impl Iterator<Item = &'a str> {
        let mut at = state.leaf.filter(|&leaf| usize::from(leaf) < self.layout.states.len()).unwrap_or(OUTSIDE);
        std::iter::from_fn(move || {
            let row = self.layout.states.get(usize::from(at))?;
            at = row.parent;
            Some(row.name.as_str())
        })
    }

    /// Thinks once. A machine is always running.
    pub fn tick(&self, state: &mut MachineState, thought: &mut Thought<'_, H>) -> Status {
        self.mend(state);
        if state.leaf.is_none() {
            self.enter(OUTSIDE, self.layout.start, state, thought);
        }
        for _ in 0..TURNS_MAX {
            if let Some((owner, way)) = self.next(state, thought) {
                self.go(owner, way, state, thought);
                continue;
            }
            let row = self.row(state.leaf.unwrap_or(self.layout.start));
            let (Some(task), None) = (&row.task, state.ended) else {
                thought.because(|| Why::Active { node: row.id });
                break;
            };
            match state.work.tick(task, row.id, thought) {
                Status::Running => break,
                status => state.ended = Some(status == Status::Success),
            }
        }
        Status::Running
    }

    /// Ends the task at work and leaves all states, for a host that takes the brain away. History is kept.
    pub fn stop(&self, state: &mut MachineState, thought: &mut Thought<'_, H>) {
        self.mend(state);
        self.leave(OUTSIDE, self.root, |_| Cause::Host, state, thought);
    }

    pub(super) fn row(&self, state: u16) -> &StateRow<H> {
        &self.layout.states[usize::from(state)]
    }

    /// A block from outside may say anything; what does not fit is forgotten.
    pub(super) fn mend(&self, state: &mut MachineState) {
        let rows = &self.layout.states;
        let is_leaf = |leaf: u16| rows.get(usize::from(leaf)).is_some_and(|row| row.start.is_none());
        let is_inside = |(parent, last): (usize, &Option<u16>)| {
            last.is_none_or(|last| rows.get(usize::from(last)).is_some_and(|row| usize::from(row.parent) == parent))
        };
        let fits = state.leaf.is_none_or(is_leaf)
            && state.last.len() == rows.len()
            && state.last.iter().enumerate().all(is_inside)
            && state.due.len() == self.layout.ways.len()
            && (!state.work.is_running() || state.leaf.is_some_and(|leaf| self.row(leaf).task.is_some()));
        if !fits {
            *state = self.start();
        }
    }

    /// The transition to take now, and whose it is: from any state first, then from outside inwards.
    fn next(&self, state: &mut MachineState, thought: &mut Thought<'_, H>) -> Option<(u16, u16)> {
        let leaf = state.leaf?;
        for way in self.layout.any.0..self.layout.any.1 {
            if self.is_within(leaf, self.layout.ways[usize::from(way)].to) {
                // Where it leads to is active: when that is left, the reaction time counts anew.
                state.due[usize::from(way)] = NEVER;
            } else if self.is_due(way, state, thought) {
                return Some((OUTSIDE, way));
            }
        }
        for depth in 0..=self.row(leaf).depth {
            let mut at = leaf;
            while self.row(at).depth > depth {
                at = self.row(at).parent;
            }
            for way in self.row(at).go.0..self.row(at).go.1 {
                if self.is_due(way, state, thought) {
                    return Some((at, way));
                }
            }
        }
        None
    }

    fn is_within(&self, inner: u16, outer: u16) -> bool {
        let mut at = inner;
        while at != OUTSIDE && at != outer {
            at = self.row(at).parent;
        }
        at == outer
    }

    /// Whether a transition is to be taken, and if not, why.
    fn is_due(&self, number: u16, state: &mut MachineState, thought: &mut Thought<'_, H>) -> bool {
        let way = &self.layout.ways[usize::from(number)];
        let due = &mut state.due[usize::from(number)];
        let refuse = |cause: Cause, thought: &mut Thought<'_, H>| {
            thought.because(|| Why::Refused { node: way.id, cause });
            false
        };
        if let Some(on) = way.on
            && !is_ended(on, state.ended)
        {
            return refuse(Cause::ConditionResult(ConditionResult::from(false)), thought);
        }
        if way.after.is_some() && thought.tick < *due {
            return refuse(Cause::Cooldown { until: *due }, thought);
        }
        if !way.when.holds(thought) {
            if way.delay.is_some() {
                *due = NEVER;
            }
            if thought.why.is_on() {
                let cause = way.when.cause(thought);
                refuse(cause, thought);
            }
            return false;
        }
        if let Some(delay) = way.delay {
            if *due == NEVER {
                thought.node = way.id;
                *due = thought.tick + delay.ticks(thought.rate, || thought.random(TIME));
            }
            if thought.tick < *due {
                return refuse(Cause::Cooldown { until: *due }, thought);
            }
        }
        true
    }

    /// Takes a transition: out of all that source and target do not share, and in again.
    fn go(&self, owner: u16, number: u16, state: &mut MachineState, thought: &mut Thought<'_, H>) {
        let way: &Way<H> = &self.layout.ways[usize::from(number)];
        let mut shared = self.row(way.to).parent;
        let inner = if owner == OUTSIDE { state.leaf.unwrap_or(OUTSIDE) } else { self.row(owner).parent };
        while shared != OUTSIDE && (inner == OUTSIDE || !self.is_within(inner, shared)) {
            shared = self.row(shared).parent;
        }
        self.leave(shared, way.id, |thought| way.when.cause(thought), state, thought);
        self.enter(shared, way.to, state, thought);
    }

    /// Leaves all active states inside `shared`, the innermost first.
    pub(super) fn leave(
        &self,
        shared: u16,
        by: NodeId,
        cause: impl FnOnce(&Thought<'_, H>) -> Cause,
        state: &mut MachineState,
        thought: &mut Thought<'_, H>,
    ) {
        let Some(leaf) = state.leaf.take() else { return };
        if let Some(task) = &self.row(leaf).task {
            state.work.abort(task, self.row(leaf).id, by, cause, thought);
        }
        state.ended = None;
        let mut at = leaf;
        while at != shared && at != OUTSIDE {
            let row = self.row(at);
            for task in &row.exit {
                once(&mut state.once, task, row.id, thought);
            }
            for way in row.go.0..row.go.1 {
                state.due[usize::from(way)] = NEVER;
            }
            at = row.parent;
        }
    }

    /// Enters a state from outside inwards, and what is active inside it.
    fn enter(&self, shared: u16, to: u16, state: &mut MachineState, thought: &mut Thought<'_, H>) {
        let mut outermost = to;
        while self.row(outermost).parent != shared && self.row(outermost).parent != OUTSIDE {
            outermost = self.row(outermost).parent;
        }
        let mut at = outermost;
        self.enter_one(at, state, thought);
        while at != to {
            let mut inner = to;
            while self.row(inner).parent != at {
                inner = self.row(inner).parent;
            }
            at = inner;
            self.enter_one(at, state, thought);
        }
        let mut is_deep = false;
        while let Some(start) = self.row(at).start {
            let history = self.row(at).history;
            is_deep |= history == History::Deep;
            let uses_last = is_deep || history == History::Shallow;
            at = state.last[usize::from(at)].filter(|_| uses_last).unwrap_or(start);
            self.enter_one(at, state, thought);
        }
        state.leaf = Some(at);
        state.ended = None;
    }

    fn enter_one(&self, number: u16, state: &mut MachineState, thought: &mut Thought<'_, H>) {
        let row = self.row(number);
        if row.parent != OUTSIDE {
            state.last[usize::from(row.parent)] = Some(number);
        }
        for way in row.go.0..row.go.1 {
            let due = &mut state.due[usize::from(way)];
            let way = &self.layout.ways[usize::from(way)];
            *due = NEVER;
            if let Some(after) = way.after {
                thought.node = way.id;
                *due = thought.tick + after.ticks(thought.rate, || thought.random(TIME));
            }
        }
        for task in &row.enter {
            once(&mut state.once, task, row.id, thought);
        }
    }
}

fn is_ended(on: Ended, ended: Option<bool>) -> bool {
    match on {
        Ended::Done => ended.is_some(),
        Ended::Success => ended == Some(true),
        Ended::Failure => ended == Some(false),
    }
}

/// Does something that has no time to last.
fn once<H: Host>(work: &mut Work, task: &TaskLeaf<H>, node: NodeId, thought: &mut Thought<'_, H>) {
    if work.tick(task, node, thought) == Status::Running {
        work.abort(task, node, node, |_| Cause::TimeLimit { at: Tick(0) }, thought);
    }
}
