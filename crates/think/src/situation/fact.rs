//! Facts: a planner's variables, and where their values come from.
//!
//! A fact is read from a blackboard key (yes or no, a whole number held to its range, a word), from a test or from a
//! condition of the game's own, whenever the brain thinks. A key that is not set reads as the first value. A fact without
//! a source is a note of the plan's own: it starts at its first value with each plan and changes as steps are done. In
//! files:
//!
//! ```yaml
//! facts:
//!   seen: {key: $seen}
//!   hurt: {test: {key: $health, "<": 0.3}}
//!   near: {check: is_near, with: {range_m: 5}}
//!   ammo: {key: $ammo, from: 0, to: 6, write: true}     # steps that are done write their effect to the key
//!   weapon: {key: $weapon, words: [none, rifle, knife]}
//!   warned: note
//! ```

use sentir_asset::{Entry, Node, Problem, Refusal, Value as Asset};

use super::{Domain, Need, Situation, VariableId, VariableSpec, Variables};
use crate::clause::with;
use crate::file::{read_key, read_test};
use crate::key::AnyKey;
use crate::leaf::{ConditionLeaf, ConditionResult, Host};
use crate::registry::Leaves;
use crate::test::{Comparison, Finding, Test, Wanted};
use crate::thought::Thought;
use crate::value::{Kind, Symbol, Value};
use crate::why::Cause;

/// Where a fact comes from.
#[derive(Clone, Debug)]
pub enum FactSource<H: Host> {
    /// From nowhere: a note of the plan's own.
    Note,
    /// From a key.
    Key {
        /// The key: of kind bool, int or symbol, as the fact's values are.
        key: AnyKey,
        /// Whether a step that is done writes its effect there.
        writes: bool,
    },
    /// From a test of boards.
    Test(Test),
    /// From a condition of the game's own.
    Check(ConditionLeaf<H>),
}

/// A fact as it is declared.
#[derive(Clone, Debug)]
pub struct FactSpec<H: Host> {
    /// Its name and values.
    pub variable: VariableSpec,
    /// Where it comes from.
    pub source: FactSource<H>,
}

impl<H: Host> FactSpec<H> {
    /// A fact made by code.
    pub fn new(name: &str, domain: Domain, source: FactSource<H>) -> FactSpec<H> {
        FactSpec { variable: VariableSpec::new(name, domain), source }
    }

    /// Reads the facts of a resolved file.
    pub fn read_all(node: &Node, leaves: &Leaves<H>) -> Result<Vec<FactSpec<H>>, Refusal> {
        node.map()?.iter().map(|entry| FactSpec::read(entry, leaves)).collect()
    }

    fn read(entry: &Entry, leaves: &Leaves<H>) -> Result<FactSpec<H>, Refusal> {
        let node = &entry.node;
        let fact = |domain, source| {
            Ok(FactSpec { variable: VariableSpec { name: entry.key.clone(), domain, place: entry.place }, source })
        };
        if let Asset::Text(text) = &node.value {
            return match text.as_str() {
                "note" => fact(Domain::Bool, FactSource::Note),
                mark if AnyKey::from_mark(mark).is_some() => {
                    let name = mark.rsplit(' ').next().unwrap_or_default();
                    let sentence = format!("found the key ${name} alone: expected {{key: ${name}}}, or `note`");
                    Err(Refusal::wrong(node.place, sentence))
                }
                other => Err(Refusal::unknown(node.place, "sort of fact", other, ["note"])),
            };
        }
        if let Some(test) = node.find("test") {
            node.allow(&["test"])?;
            return fact(Domain::Bool, FactSource::Test(read_test(test)?));
        }
        if let Some(name) = node.find("check") {
            node.allow(&["check", "with"])?;
            return fact(Domain::Bool, FactSource::Check(leaves.bind_condition(name, &with(node))?));
        }
        node.allow(&["key", "write", "from", "to", "words"])?;
        let domain = read_domain(node)?;
        let Some(key_node) = node.find("key") else { return fact(domain, FactSource::Note) };
        let key = read_key(key_node)?;
        let wanted = match domain {
            Domain::Bool => Kind::Bool,
            Domain::Range { .. } => Kind::Int,
            Domain::Words(_) => Kind::Symbol,
        };
        if key.kind() != wanted {
            let hint = match key.kind() {
                Kind::Int => ", or `from` and `to` for its range",
                Kind::Symbol => ", or `words` for its values",
                _ => ", or a test of the key",
            };
            let sentence = format!("found a key of kind {}: expected one of kind {wanted}{hint}", key.kind());
            return Err(Refusal::wrong(key_node.place, sentence));
        }
        let writes = node.find("write").map_or(Ok(false), Node::read)?;
        fact(domain, FactSource::Key { key, writes })
    }
}

fn read_domain(node: &Node) -> Result<Domain, Refusal> {
    match (node.find("from"), node.find("to"), node.find("words")) {
        (None, None, None) => Ok(Domain::Bool),
        (None, None, Some(words)) => {
            let words = words.list()?.iter().map(|word| word.text().map(str::to_owned));
            Ok(Domain::Words(words.collect::<Result<_, _>>()?))
        }
        (Some(low), Some(high), None) => Ok(Domain::Range { low: low.read()?, high: high.read()? }),
        (Some(_), None, _) => Err(Refusal::new(node.place, Problem::Missing("to".to_owned()))),
        (None, Some(_), _) => Err(Refusal::new(node.place, Problem::Missing("from".to_owned()))),
        (_, _, Some(words)) => Err(Refusal::wrong(words.place, "a fact has a range or words, not both")),
    }
}

/// All facts of a planner.
#[derive(Clone, Debug)]
pub struct Facts<H: Host> {
    table: Variables,
    sources: Vec<FactSource<H>>,
    /// By fact: the symbols of its words.
    symbols: Vec<Vec<Symbol>>,
}

impl<H: Host> Facts<H> {
    /// Lays out the facts.
    pub fn build(specs: Vec<FactSpec<H>>) -> Result<Facts<H>, Refusal> {
        let symbols = |spec: &FactSpec<H>| match &spec.variable.domain {
            Domain::Words(words) => words.iter().map(|word| Symbol::new(word)).collect(),
            _ => Vec::new(),
        };
        let symbols = specs.iter().map(symbols).collect();
        let (variables, sources) = specs.into_iter().map(|spec| (spec.variable, spec.source)).unzip();
        Ok(Facts { table: Variables::build(variables)?, sources, symbols })
    }

    /// The variables.
    pub fn table(&self) -> &Variables {
        &self.table
    }

    /// All values that facts may have before anything is done, at once: notes have their first.
    pub(crate) fn possible(&self) -> Situation {
        let mut possible = self.table.first();
        for (id, source) in self.table.ids().zip(&self.sources) {
            let variable = self.table.variable(id);
            if !matches!(source, FactSource::Note) {
                possible.words[usize::from(variable.word)] |= variable.group();
            }
        }
        possible
    }

    /// The situation now: what comes from somewhere is read, notes are taken from `notes`.
    pub fn observe(&self, notes: &Situation, thought: &Thought<'_, H>) -> Situation {
        let mut now = self.table.mended(notes);
        for (id, source) in self.table.ids().zip(&self.sources) {
            let code = match source {
                FactSource::Note => continue,
                FactSource::Key { key, .. } => self.code(id, thought.board.value(*key)),
                FactSource::Test(test) => u8::from(test.holds(&thought.board)),
                FactSource::Check(leaf) => u8::from(leaf.check(thought).held),
            };
            self.table.set(&mut now, id, code);
        }
        now
    }

    /// Notes that were taken with other facts, as far as these have them: by name and value. What is not there begins anew.
    pub(crate) fn carried(&self, old: &Facts<H>, notes: &Situation) -> Situation {
        let (mut now, notes) = (self.table.first(), old.table.mended(notes));
        for id in self.table.ids() {
            let Some(was) = old.table.find(&self.table.variable(id).name) else { continue };
            let value = old.value(was, old.table.code(&notes, was));
            self.table.set(&mut now, id, self.code(id, Some(value)));
        }
        now
    }

    fn code(&self, id: VariableId, value: Option<Value>) -> u8 {
        match (&self.table.variable(id).domain, value) {
            (Domain::Bool, Some(Value::Bool(value))) => u8::from(value),
            (&Domain::Range { low, high }, Some(Value::Int(value))) => {
                u8::try_from(i64::from(value.clamp(low, high)) - i64::from(low)).unwrap_or(0)
            }
            (Domain::Words(_), Some(Value::Symbol(symbol))) => {
                self.symbols[id.index()].iter().position(|&one| one == symbol).map_or(0, |code| code as u8)
            }
            _ => 0,
        }
    }

    fn value(&self, id: VariableId, code: u8) -> Value {
        match &self.table.variable(id).domain {
            Domain::Bool => Value::Bool(code > 0),
            Domain::Range { low, .. } => Value::Int(low + i32::from(code)),
            Domain::Words(_) => {
                Value::Symbol(self.symbols[id.index()].get(usize::from(code)).copied().unwrap_or_default())
            }
        }
    }

    /// Writes to keys what a step changed, for the facts that want it. Gives back the notes.
    pub(crate) fn record(&self, before: &Situation, after: &Situation, thought: &mut Thought<'_, H>) -> Situation {
        for (id, source) in self.table.ids().zip(&self.sources) {
            let code = self.table.code(after, id);
            if let FactSource::Key { key, writes: true } = *source
                && code != self.table.code(before, id)
            {
                thought.board.put(key, Some(self.value(id, code)));
            }
        }
        *after
    }

    /// Why a need is not met: the first fact with a value that is not allowed.
    pub(crate) fn cause(&self, now: &Situation, need: &Need, thought: &Thought<'_, H>) -> Cause {
        let Some(id) = self.table.unmet(now, need) else { return Cause::ConditionResult(ConditionResult::from(true)) };
        self.cause_of(id, now, need, thought)
    }

    /// What a need wants of one fact.
    pub(crate) fn cause_of(&self, id: VariableId, now: &Situation, need: &Need, thought: &Thought<'_, H>) -> Cause {
        let allowed = self.table.allowed(need, id).trailing_zeros() as u8;
        let wanted = Wanted::Compared { how: Comparison::Equal, with: Some(self.value(id, allowed)) };
        self.reason(now, id, &Limit { code: allowed, wanted }, thought)
    }

    /// Why a need is met already: the first fact it is about.
    pub(crate) fn cause_met(&self, now: &Situation, need: &Need, thought: &Thought<'_, H>) -> Cause {
        let anything = self.table.anything();
        let is_about = |id: &VariableId| self.table.allowed(need, *id) != self.table.allowed(&anything, *id);
        let Some(id) = self.table.ids().find(is_about) else {
            return Cause::ConditionResult(ConditionResult::from(true));
        };
        let code = self.table.code(now, id);
        let wanted = Wanted::Compared { how: Comparison::Unequal, with: Some(self.value(id, code)) };
        self.reason(now, id, &Limit { code, wanted }, thought)
    }

    fn reason(&self, now: &Situation, id: VariableId, limit: &Limit, thought: &Thought<'_, H>) -> Cause {
        match &self.sources[id.index()] {
            FactSource::Key { key, .. } => {
                Cause::Finding(Finding { key: *key, value: thought.board.value(*key), wanted: limit.wanted })
            }
            FactSource::Test(test) => test.cause(&thought.board),
            FactSource::Check(leaf) => Cause::ConditionResult(leaf.check(thought)),
            FactSource::Note => Cause::ConditionResult(ConditionResult {
                held: false,
                value: self.table.code(now, id).into(),
                limit: limit.code.into(),
            }),
        }
    }
}

/// What a fact is held against: the code of a value, and how a reason says it.
struct Limit {
    code: u8,
    wanted: Wanted,
}

/// Reads the conditions of a map: fact and what is allowed of it.
pub(crate) fn read_conditions(
    node: Option<&Node>,
) -> Result<Vec<(String, super::Allowed, sentir_asset::FilePosition)>, Refusal> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let one = |entry: &Entry| Ok((entry.key.clone(), super::Allowed::read(&entry.node)?, entry.place));
    node.map()?.iter().map(one).collect()
}

/// Reads the effects of a map: fact and what becomes of it.
pub(crate) fn read_changes(
    node: Option<&Node>,
) -> Result<Vec<(String, super::Change, sentir_asset::FilePosition)>, Refusal> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let one = |entry: &Entry| Ok((entry.key.clone(), super::Change::read(&entry.node)?, entry.place));
    node.map()?.iter().map(one).collect()
}
