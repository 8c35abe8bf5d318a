//! A brain that does what is worth most now.
//!
//! Each thought scores every option. Only options of the highest rank that is worth anything compete. What is done already
//! gets a bonus (inertia), is kept for a least time unless something of a higher rank is worth doing, and, when one of
//! several best is picked by chance, as long as it is among them: so it does not dither. Cost: O(considerations); nothing is allocated.

use sentir_asset::{AssetError, FilePosition, Node, Refusal};
use sentir_core::State;
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;

use super::appeal::{Appeal, NOWHERE, Pick, SCORES_MAX, ranked};
use crate::clause::with;
use crate::current_task::{Act, CurrentTask, by_id};
use crate::key::{Bind, Keys};
use crate::leaf::{Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::open::{Ids, id_in, id_of, name_of, refuse_twice};
use crate::registry::Leaves;
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("utility", 1);

/// Chance of choosing and of times.
const CHOICE: Purpose = Purpose::new("utility");

/// Something that may be worth doing, as it is written.
#[derive(Clone, Debug)]
pub struct OptionSpec<H: Host> {
    /// Its name.
    pub name: String,
    /// Options of a higher rank come before all of a lower one, if they are worth anything.
    pub rank: i32,
    /// How much it is worth.
    pub appeal: Appeal<H>,
    /// How long it is kept at least, unless something of a higher rank is worth doing.
    pub least: Option<Span>,
    /// How long it rests when it is over.
    pub cooldown: Span,
    /// What is done.
    pub task: TaskLeaf<H>,
    /// The authored id, if any.
    pub id: Option<String>,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

impl<H: Host> OptionSpec<H> {
    /// An option made by code, worth 1 as long as nothing is considered.
    pub fn new(name: &str, task: TaskLeaf<H>) -> OptionSpec<H> {
        let appeal = Appeal { weight: Bind::Literal(1.0), considerations: Vec::new() };
        let (name, cooldown) = (name.to_owned(), Span::default());
        OptionSpec { name, rank: 0, appeal, least: None, cooldown, task, id: None, place: NOWHERE }
    }
}

/// A brain of options as it is written.
#[derive(Clone, Debug)]
pub struct UtilitySpec<H: Host> {
    /// What may be worth doing. Limit: 64.
    pub options: Vec<OptionSpec<H>>,
    /// How to choose.
    pub pick: Pick,
    /// What is done counts as so much more: 0.2 is a fifth. Limit: ≥ 0.
    pub inertia: f32,
    /// How long anything is kept at least, if it does not say itself.
    pub least: Span,
    /// How long it takes to turn to something else.
    pub delay: Span,
}

/// A brain of options, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Utility<H: Host> {
    keys: Keys,
    pub(super) options: Vec<OptionSpec<H>>,
    pub(super) acts: Vec<Act<H>>,
    pick: Pick,
    inertia: f32,
    least: Span,
    delay: Span,
    pub(super) root: NodeId,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct UtilityState {
    current_task: CurrentTask,
    /// What is done is kept until then.
    keep_until: Tick,
    /// By option: rests until then.
    rests: Vec<Tick>,
}

impl UtilityState {
    /// Which option is at work, by number.
    pub fn current(&self) -> Option<u16> {
        self.current_task.current()
    }
}

impl<H: Host> Utility<H> {
    /// Reads a file of kind `utility`.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Utility<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Utility::build(read(node, leaves)?, keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: UtilitySpec<H>, keys: Keys) -> Result<Utility<H>, Refusal> {
        refuse_twice("options", spec.options.iter().map(|option| (option.name.as_str(), option.place)))?;
        let mut ids = Ids::default();
        spec.options.iter().try_for_each(|option| ids.add(option.id.as_deref(), &option.name, option.place))?;
        if spec.options.is_empty() || spec.options.len() > SCORES_MAX {
            let sentence = format!("{} options: expected 1 to {SCORES_MAX}", spec.options.len());
            return Err(Refusal::wrong(NOWHERE, sentence));
        }
        for option in &spec.options {
            for one in &option.appeal.considerations {
                if let Some(problem) = one.curve.problem() {
                    return Err(Refusal::wrong(option.place, problem));
                }
            }
        }
        if spec.inertia.is_nan() || spec.inertia < 0.0 {
            let sentence = format!("an inertia of {}: expected 0 or more", spec.inertia);
            return Err(Refusal::wrong(NOWHERE, sentence));
        }
        let root = NodeId::derived(NodeId::NONE, "utility", "", 0);
        let act = |option: &OptionSpec<H>| Act {
            id: id_of(root, "option", &option.name, option.id.as_deref()),
            task: option.task.clone(),
        };
        let acts = spec.options.iter().map(act).collect();
        let UtilitySpec { options, pick, inertia, least, delay } = spec;
        Ok(Utility { keys, options, acts, pick, inertia, least, delay, root })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The node of each option.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.options.iter().zip(&self.acts).map(|(option, act)| (option.name.as_str(), act.id))
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> UtilityState {
        let rests = vec![Tick(0); self.options.len()];
        UtilityState { current_task: CurrentTask::new(&self.acts), rests, ..UtilityState::default() }
    }

    /// Thinks once: running, or failure when nothing is worth doing. When what is done ends, something else may begin at
    /// once; the same begins again with the next thought.
    pub fn tick(&self, state: &mut UtilityState, thought: &mut Thought<'_, H>) -> Status {
        if !state.current_task.fits(self.acts.len()) || state.rests.len() != self.acts.len() {
            *state = self.start();
        }
        let mut status = Status::Failure;
        for _ in 0..=self.options.len() {
            let wanted = self.weigh(state, thought);
            self.turn(wanted, state, thought);
            let Some(current) = state.current_task.current() else { break };
            status = state.current_task.run(&self.acts, thought);
            if status == Status::Running {
                break;
            }
            self.rest(Some(current), 1, state, thought);
        }
        status
    }

    /// Scores everything and says what to do.
    fn weigh(&self, state: &UtilityState, thought: &mut Thought<'_, H>) -> Option<u16> {
        let mut scores = [0.0; SCORES_MAX];
        let scores = &mut scores[..self.options.len()];
        for (number, option) in self.options.iter().enumerate() {
            let is_current = state.current_task.current().is_some_and(|one| usize::from(one) == number);
            if is_current || thought.tick >= state.rests[number] {
                thought.node = self.acts[number].id;
                scores[number] = option.appeal.score(thought);
            } else {
                let until = state.rests[number];
                thought.because(|| Why::Refused { node: self.acts[number].id, cause: Cause::Cooldown { until } });
            }
        }
        let wanted = self.choose(scores, state, thought);
        if thought.why.is_on() {
            let best = wanted.map_or(0.0, |one| scores[usize::from(one)]);
            for (number, option) in self.options.iter().enumerate() {
                let rests = thought.tick < state.rests[number];
                if !rests && wanted.is_none_or(|one| usize::from(one) != number) {
                    option.appeal.refuse(self.acts[number].id, scores[number], best, thought);
                }
            }
        }
        wanted
    }

    /// Turns to what is wanted, and counts the times that begin with it.
    fn turn(&self, wanted: Option<u16>, state: &mut UtilityState, thought: &mut Thought<'_, H>) {
        let before = state.current_task.current();
        let by = wanted.map_or(self.root, |one| self.acts[usize::from(one)].id);
        state.current_task.want(&self.acts, wanted, self.delay, |_| Cause::Branch { node: by }, thought);
        let after = state.current_task.current();
        if after == before {
            return;
        }
        self.rest(before, 0, state, thought);
        if let Some(current) = after.map(usize::from) {
            let least = self.options[current].least.unwrap_or(self.least);
            thought.node = self.acts[current].id;
            state.keep_until = thought.tick + least.ticks(thought.rate, || thought.random(CHOICE));
        }
    }

    /// Takes over what an agent remembers of another version of this brain: what is done goes on if it is there under the
    /// same id, and what rests goes on resting.
    pub fn adopt(&self, old: &Utility<H>, state: &mut UtilityState, thought: &mut Thought<'_, H>) {
        let rest_of = |act: &Act<H>| {
            let was = old.acts.iter().position(|one| one.id == act.id);
            was.and_then(|was| state.rests.get(was).copied()).unwrap_or_default()
        };
        let rests = self.acts.iter().map(rest_of).collect();
        state.rests = rests;
        state.current_task.adopt(&old.acts, &self.acts, by_id(&old.acts, &self.acts), thought);
    }

    /// Ends what is at work, for a host that takes the brain away.
    pub fn stop(&self, state: &mut UtilityState, thought: &mut Thought<'_, H>) {
        if state.current_task.fits(self.acts.len()) {
            state.current_task.abort(&self.acts, self.root, |_| Cause::Host, thought);
        }
    }

    /// Starts the rest of an option that is over, at least so many ticks.
    fn rest(&self, option: Option<u16>, ticks_min: u64, state: &mut UtilityState, thought: &mut Thought<'_, H>) {
        if let Some(number) = option.map(usize::from) {
            thought.node = self.acts[number].id;
            let ticks = self.options[number].cooldown.ticks(thought.rate, || thought.random(CHOICE));
            state.rests[number] = thought.tick + ticks.max(ticks_min);
        }
    }

    /// What to do. Scores of ranks that do not compete become 0.
    fn choose(&self, scores: &mut [f32], state: &UtilityState, thought: &mut Thought<'_, H>) -> Option<u16> {
        let worth = self.options.iter().zip(&*scores).filter(|(_, score)| **score > 0.0);
        let rank = worth.map(|(option, _)| option.rank).max();
        let current = state.current_task.current();
        if let Some(kept) = current.filter(|_| thought.tick < state.keep_until)
            && rank.is_none_or(|rank| rank <= self.options[usize::from(kept)].rank)
        {
            return Some(kept);
        }
        let rank = rank?;
        for (option, score) in self.options.iter().zip(&mut *scores) {
            if option.rank != rank {
                *score = 0.0;
            }
        }
        if let Some(current) = current.filter(|&one| scores[usize::from(one)] > 0.0) {
            scores[usize::from(current)] *= 1.0 + self.inertia;
            let mut order = [0; SCORES_MAX];
            let good = ranked(scores, &mut order);
            if good[..good.len().min(self.pick.breadth())].contains(&current) {
                return Some(current);
            }
        }
        // What it is about to turn to stays that as long as it is good enough: another draw in every thought would begin
        // the reaction time anew, for ever.
        if let Some(pending) = state.current_task.pending() {
            let mut order = [0; SCORES_MAX];
            let good = ranked(scores, &mut order);
            if good[..good.len().min(self.pick.breadth())].contains(&pending) {
                return Some(pending);
            }
        }
        thought.node = self.root;
        self.pick.choose(scores, || thought.random(CHOICE)).map(|one| one as u16)
    }
}

fn read<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<UtilitySpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "pick", "inertia", "least", "delay", "options"])?;
    let span = |key: &str| node.find(key).map_or(Ok(Span::default()), Node::read);
    let inertia = node.find("inertia").map_or(Ok(0.0), Node::number)? as f32;
    if let Some(wrong) = node.find("inertia").filter(|_| inertia < 0.0) {
        return Err(Refusal::wrong(wrong.place, format!("an inertia of {inertia}: expected 0 or more")));
    }
    Ok(UtilitySpec {
        options: node.need("options")?.list()?.iter().map(|one| read_option(one, leaves)).collect::<Result<_, _>>()?,
        pick: Pick::read(node.find("pick"))?,
        inertia,
        least: span("least")?,
        delay: span("delay")?,
    })
}

fn read_option<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<OptionSpec<H>, Refusal> {
    node.allow(&["name", "id", "rank", "weight", "considerations", "least", "cooldown", "task", "with"])?;
    Ok(OptionSpec {
        name: name_of(node)?,
        rank: node.find("rank").map_or(Ok(0), Node::read)?,
        appeal: Appeal::read(node, leaves)?,
        least: node.find("least").map(Node::read).transpose()?,
        cooldown: node.find("cooldown").map_or(Ok(Span::default()), Node::read)?,
        task: leaves.bind_task(node.need("task")?, &with(node))?,
        id: id_in(node)?,
        place: node.place,
    })
}
