//! A decision tree laid out flat, and how it runs.

use sentir_asset::{AssetError, Refusal};
use sentir_core::State;
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::spec::{self, BranchSpec, DecisionSpec, NODES_MAX, NodeSpec};
use crate::align::{Naming, Part, align};
use crate::clause::Clause;
use crate::current_task::{Act, CurrentTask};
use crate::key::Keys;
use crate::leaf::{Host, Status};
use crate::node::NodeId;
use crate::open::id_of;
use crate::registry::Leaves;
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("decision", 1);

/// Chance of times.
const TIME: Purpose = Purpose::new("decision");
/// The deepest tree: what a file can nest.
const DEPTH_MAX: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Branch(u16),
    Act(u16),
}

#[derive(Clone, Debug)]
pub(super) struct Branch<H: Host> {
    pub(super) id: NodeId,
    pub(super) when: Clause<H>,
    keep: Option<Clause<H>>,
    hold: Option<Span>,
    pub(super) yes: Next,
    pub(super) no: Next,
    part: Part,
}

/// A decision tree, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Decision<H: Host> {
    keys: Keys,
    pub(super) branches: Vec<Branch<H>>,
    pub(super) acts: Vec<Act<H>>,
    /// What tells the acts apart when another version takes over.
    parts: Vec<Part>,
    names: Vec<(String, NodeId)>,
    pub(super) first: Next,
    delay: Span,
    root: NodeId,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct DecisionState {
    pub(super) current_task: CurrentTask,
    /// By branch: whether it was answered yes in the last thought.
    yes: Vec<bool>,
    /// By branch: the yes stays until then.
    until: Vec<Tick>,
}

impl<H: Host> Decision<H> {
    /// Reads a file of kind `decision`.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Decision<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Decision::build(spec::read(node, leaves)?, keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: DecisionSpec<H>, keys: Keys) -> Result<Decision<H>, Refusal> {
        let root = NodeId::derived(NodeId::NONE, "decision", "", 0);
        let mut tree = Decision {
            keys,
            branches: Vec::new(),
            acts: Vec::new(),
            parts: Vec::new(),
            names: Vec::new(),
            first: Next::Act(0),
            delay: spec.delay,
            root,
        };
        tree.first = tree.add(spec.root, root, "root", 0)?;
        Ok(tree)
    }

    /// Adds a node and all behind it. The side it is on tells siblings apart.
    fn add(&mut self, spec: NodeSpec<H>, parent: NodeId, side: &str, depth: usize) -> Result<Next, Refusal> {
        match spec {
            NodeSpec::Act { name, task, id: authored, content } => {
                let id = id_of(parent, side, &name, authored.as_deref());
                let naming = Naming { authored: authored.as_deref(), kind: "do", name: &name };
                self.parts.push(Part::new(id, naming, content));
                self.names.push((name, id));
                self.acts.push(Act { id, task });
                // Limited by NODES_MAX, as branches are.
                Ok(Next::Act(self.acts.len() as u16 - 1))
            }
            NodeSpec::Branch(branch) => {
                let BranchSpec { name, when, keep, hold, yes, no, id: authored, place, content } = *branch;
                if when.is_always() {
                    let sentence = "this is out of reach: the question before it is always answered yes";
                    return Err(Refusal::wrong(place, sentence));
                }
                if depth == DEPTH_MAX || self.branches.len() + self.acts.len() >= NODES_MAX {
                    let sentence = format!("expected at most {NODES_MAX} nodes and {DEPTH_MAX} questions in a row");
                    return Err(Refusal::wrong(place, sentence));
                }
                if let Some(twice) = yes.id().filter(|id| no.id() == Some(id)) {
                    let sentence = format!("both answers have the id `{twice}`: expected every id once");
                    return Err(Refusal::wrong(place, sentence));
                }
                let id = id_of(parent, side, &name, authored.as_deref());
                let naming = Naming { authored: authored.as_deref(), kind: "if", name: &name };
                let part = Part::new(id, naming, content);
                let number = self.branches.len();
                self.branches.push(Branch { id, when, keep, hold, yes: Next::Act(0), no: Next::Act(0), part });
                self.names.push((name, id));
                let yes = self.add(yes, id, "then", depth + 1)?;
                let no = self.add(no, id, "else", depth + 1)?;
                self.branches[number].yes = yes;
                self.branches[number].no = no;
                Ok(Next::Branch(number as u16))
            }
        }
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The node of each question and each thing to do; questions may have no name.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.names.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> DecisionState {
        let count = self.branches.len();
        DecisionState {
            current_task: CurrentTask::new(&self.acts),
            yes: vec![false; count],
            until: vec![Tick(0); count],
        }
    }

    /// Takes over what an agent remembers of another version of this brain: what is done goes on if it is there, and so
    /// do answers that are held on to.
    pub fn adopt(&self, old: &Decision<H>, state: &mut DecisionState, thought: &mut Thought<'_, H>) {
        let mut fresh = self.start();
        let parts = |brain: &Decision<H>| brain.branches.iter().map(|branch| branch.part).collect::<Vec<_>>();
        for (at, was) in align(&parts(old), &parts(self)).into_iter().enumerate() {
            if let Some(was) = was {
                fresh.yes[at] = state.yes.get(was).copied().unwrap_or_default();
                fresh.until[at] = state.until.get(was).copied().unwrap_or_default();
            }
        }
        state.current_task.adopt(&old.acts, &self.acts, align(&old.parts, &self.parts), thought);
        state.yes = fresh.yes;
        state.until = fresh.until;
    }

    fn id(&self, next: Next) -> NodeId {
        match next {
            Next::Branch(number) => self.branches[usize::from(number)].id,
            Next::Act(number) => self.acts[usize::from(number)].id,
        }
    }

    /// Thinks once: how what is done stands.
    pub fn tick(&self, state: &mut DecisionState, thought: &mut Thought<'_, H>) -> Status {
        let count = self.branches.len();
        if !state.current_task.fits(self.acts.len()) || state.yes.len() != count || state.until.len() != count {
            *state = self.start();
        }
        let DecisionState { current_task, yes, until } = state;
        current_task.follow(&self.acts, self.delay, |thought| self.decide(yes, until, thought), thought)
    }

    /// Asks from the first question to the answer.
    fn decide(&self, yes: &mut [bool], until: &mut [Tick], thought: &mut Thought<'_, H>) -> (Option<u16>, Cause) {
        let mut path = [(0u16, false); DEPTH_MAX];
        let mut length = 0;
        let mut next = self.first;
        let mut cause = Cause::Host;
        let act = loop {
            match next {
                Next::Act(act) => break act,
                Next::Branch(number) => {
                    let (is_yes, why) = self.ask(number, yes, until, thought);
                    path[length] = (number, is_yes);
                    length += 1;
                    let branch = &self.branches[usize::from(number)];
                    next = if is_yes { branch.yes } else { branch.no };
                    cause = why;
                }
            }
        };
        yes.fill(false);
        for &(number, is_yes) in &path[..length] {
            yes[usize::from(number)] = is_yes;
        }
        (Some(act), cause)
    }

    /// Ends what is at work, for a host that takes the brain away.
    pub fn stop(&self, state: &mut DecisionState, thought: &mut Thought<'_, H>) {
        if state.current_task.fits(self.acts.len()) {
            state.current_task.abort(&self.acts, self.root, |_| Cause::Host, thought);
        }
    }

    /// The answer of a question, and why the other side is not taken.
    fn ask(&self, number: u16, yes: &[bool], until: &mut [Tick], thought: &mut Thought<'_, H>) -> (bool, Cause) {
        let branch = &self.branches[usize::from(number)];
        let number = usize::from(number);
        let was_yes = yes[number];
        let held = was_yes && thought.tick < until[number];
        let clause = branch.keep.as_ref().filter(|_| was_yes).unwrap_or(&branch.when);
        let is_yes = held || clause.holds(thought);
        if let Some(hold) = branch.hold.filter(|_| is_yes && !held) {
            thought.node = branch.id;
            until[number] = thought.tick + hold.ticks(thought.rate, || thought.random(TIME));
        }
        if !thought.why.is_on() {
            return (is_yes, Cause::Host);
        }
        let cause = if held { Cause::Cooldown { until: until[number] } } else { clause.cause(thought) };
        let node = self.id(if is_yes { branch.no } else { branch.yes });
        thought.because(|| Why::Refused { node, cause });
        (is_yes, cause)
    }
}
