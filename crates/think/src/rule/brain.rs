//! A list of rules, and how it runs.

use std::cmp::Reverse;

use sentir_asset::{AssetError, FilePosition, Node, Refusal};
use sentir_core::State;

use super::fuzzy::{Feeling, Fuzzy, FuzzyOutput};
use crate::clause::{Clause, with};
use crate::current_task::{Act, CurrentTask, by_id};
use crate::key::Keys;
use crate::leaf::{ConditionResult, Host, Status, TaskLeaf};
use crate::node::NodeId;
use crate::open::{Ids, id_in, id_of, name_of, refuse_twice};
use crate::registry::Leaves;
use crate::span::Span;
use crate::thought::Thought;
use crate::why::{Cause, Why};

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("rule", 1);
/// Most rules.
pub const RULES_MAX: usize = 1024;

/// A rule as it is written.
#[derive(Clone, Debug)]
pub struct RuleSpec<H: Host> {
    /// Its name.
    pub name: String,
    /// What must hold.
    pub when: Clause<H>,
    /// What must be felt.
    pub feels: Vec<Feeling>,
    /// Higher ones win.
    pub priority: i32,
    /// What is done.
    pub task: TaskLeaf<H>,
    /// The authored id, if any.
    pub id: Option<String>,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

/// A brain of rules as it is written.
#[derive(Clone, Debug)]
pub struct RulesSpec<H: Host> {
    /// The fuzzy sets.
    pub fuzzy: Fuzzy,
    /// The rules.
    pub rules: Vec<RuleSpec<H>>,
    /// The numbers that follow from feelings.
    pub outputs: Vec<FuzzyOutput>,
    /// How strong a rule must be. Limit: 0..=1.
    pub threshold: f32,
    /// How long it takes to turn to something else.
    pub delay: Span,
}

/// A brain of rules, shared by all who wear it.
#[derive(Clone, Debug)]
pub struct Rules<H: Host> {
    pub(super) keys: Keys,
    fuzzy: Fuzzy,
    /// In the order of their priority.
    pub(super) rules: Vec<RuleSpec<H>>,
    pub(super) acts: Vec<Act<H>>,
    outputs: Vec<FuzzyOutput>,
    threshold: f32,
    delay: Span,
    pub(super) root: NodeId,
}

/// What one agent remembers of it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct RulesState {
    pub(super) current_task: CurrentTask,
}

impl<H: Host> Rules<H> {
    /// Reads a file of kind `rule`.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Rules<H>, AssetError> {
        crate::open::open(&crate::open::BrainFile { bytes, file, format: FORMAT, keys }, |node, keys| {
            Rules::build(read(node, leaves)?, keys)
        })
    }

    /// Compiles a spec; refused with the place of what is wrong.
    pub fn build(spec: RulesSpec<H>, keys: Keys) -> Result<Rules<H>, Refusal> {
        let RulesSpec { fuzzy, mut rules, outputs, threshold, delay } = spec;
        refuse_twice("rules", rules.iter().map(|rule| (rule.name.as_str(), rule.place)))?;
        let mut ids = Ids::default();
        rules.iter().try_for_each(|rule| ids.add(rule.id.as_deref(), &rule.name, rule.place))?;
        if rules.is_empty() || rules.len() > RULES_MAX {
            let sentence = format!("{} rules: expected 1 to {RULES_MAX}", rules.len());
            return Err(Refusal::wrong(FilePosition::default(), sentence));
        }
        if !(0.0..=1.0).contains(&threshold) {
            let sentence = format!("a threshold of {threshold}: expected 0 to 1");
            return Err(Refusal::wrong(FilePosition::default(), sentence));
        }
        // Stable: equal priorities keep their order.
        rules.sort_by_key(|rule| Reverse(rule.priority));
        // A rule that always fits at full strength leaves nothing to those behind it.
        let always = rules.iter().position(|rule| rule.when.is_always() && rule.feels.is_empty());
        if let Some(hidden) = always.and_then(|at| rules.get(at + 1)) {
            let first = always.map_or("", |at| &rules[at].name);
            let sentence = format!("`{}` is out of reach: `{first}` before it always fits", hidden.name);
            return Err(Refusal::wrong(hidden.place, sentence));
        }
        let root = NodeId::derived(NodeId::NONE, "rule", "", 0);
        let act = |rule: &RuleSpec<H>| Act {
            id: id_of(root, "rule", &rule.name, rule.id.as_deref()),
            task: rule.task.clone(),
        };
        let acts = rules.iter().map(act).collect();
        Ok(Rules { keys, fuzzy, rules, acts, outputs, threshold, delay, root })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The node of each rule.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.rules.iter().zip(&self.acts).map(|(rule, act)| (rule.name.as_str(), act.id))
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> RulesState {
        RulesState { current_task: CurrentTask::new(&self.acts) }
    }

    /// Thinks once: how what is done stands, or failure when no rule fits.
    pub fn tick(&self, state: &mut RulesState, thought: &mut Thought<'_, H>) -> Status {
        if !state.current_task.fits(self.acts.len()) {
            *state = self.start();
        }
        for output in &self.outputs {
            if let Some(value) = self.fuzzy.infer(output, thought) {
                thought.board.write(output.key, value);
            }
        }
        state.current_task.follow(&self.acts, self.delay, |thought| self.decide(thought), thought)
    }

    /// The rule to follow.
    fn decide(&self, thought: &mut Thought<'_, H>) -> (Option<u16>, Cause) {
        let mut best: Option<(u16, f32)> = None;
        for (number, rule) in (0..).zip(&self.rules) {
            if let Some((won, strength)) = best
                && (self.rules[usize::from(won)].priority > rule.priority || strength >= 1.0)
            {
                break;
            }
            if let Some(strength) = self.fits(number, rule, thought)
                && best.is_none_or(|(_, other)| strength > other)
            {
                best = Some((number, strength));
            }
        }
        match best {
            None => (None, Cause::Failed),
            Some((number, _)) if thought.why.is_on() => {
                (Some(number), self.rules[usize::from(number)].when.cause(thought))
            }
            Some((number, _)) => (Some(number), Cause::Host),
        }
    }

    /// Takes over what an agent remembers of another version of this brain: what is done goes on if its rule is there
    /// under the same id.
    pub fn adopt(&self, old: &Rules<H>, state: &mut RulesState, thought: &mut Thought<'_, H>) {
        state.current_task.adopt(&old.acts, &self.acts, by_id(&old.acts, &self.acts), thought);
    }

    /// Ends what is at work, for a host that takes the brain away.
    pub fn stop(&self, state: &mut RulesState, thought: &mut Thought<'_, H>) {
        if state.current_task.fits(self.acts.len()) {
            state.current_task.abort(&self.acts, self.root, |_| Cause::Host, thought);
        }
    }

    /// How strong a rule is, if it is strong enough.
    fn fits(&self, number: u16, rule: &RuleSpec<H>, thought: &mut Thought<'_, H>) -> Option<f32> {
        let node = self.acts[usize::from(number)].id;
        if !rule.when.holds(thought) {
            if thought.why.is_on() {
                let cause = rule.when.cause(thought);
                thought.because(|| Why::Refused { node, cause });
            }
            return None;
        }
        let strength = self.fuzzy.strength(&rule.feels, thought);
        if strength < self.threshold {
            let cause = Cause::ConditionResult(ConditionResult::at_least(strength, self.threshold));
            thought.because(|| Why::Refused { node, cause });
            return None;
        }
        Some(strength)
    }
}

fn read<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<RulesSpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "sets", "rules", "outputs", "threshold", "delay"])?;
    let fuzzy = Fuzzy::read(node.find("sets"))?;
    let rule = |node: &Node| -> Result<RuleSpec<H>, Refusal> {
        node.allow(&["name", "id", "when", "feels", "priority", "do", "with"])?;
        Ok(RuleSpec {
            name: name_of(node)?,
            when: Clause::read_optional(node.find("when"), leaves)?,
            feels: fuzzy.read_feelings(node.find("feels"))?,
            priority: node.find("priority").map_or(Ok(0), Node::read)?,
            task: leaves.bind_task(node.need("do")?, &with(node))?,
            id: id_in(node)?,
            place: node.place,
        })
    };
    let rules = node.need("rules")?.list()?.iter().map(rule).collect::<Result<_, _>>()?;
    let threshold = match node.find("threshold") {
        None => 0.5,
        Some(limit) => {
            let number = limit.number()?;
            if !(0.0..=1.0).contains(&number) {
                return Err(Refusal::wrong(limit.place, format!("a threshold of {number}: expected 0 to 1")));
            }
            number as f32
        }
    };
    let outputs = fuzzy.read_outputs(node.find("outputs"))?;
    let delay = node.find("delay").map_or(Ok(Span::default()), Node::read)?;
    Ok(RulesSpec { fuzzy, rules, outputs, threshold, delay })
}
