//! The actions an agent has, compiled for the search.

use sentir_asset::{FilePosition, Problem, Refusal};

use super::ACTIONS_MAX;
use crate::situation::{Allowed, BITS_MAX, Change, Effects, Need, Variables, WORDS, needed, stated};

/// An action as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionSpec {
    /// Its name.
    pub name: String,
    /// What must hold before: fact, values, place in the file.
    pub when: Vec<(String, Allowed, FilePosition)>,
    /// What it changes: fact, change, place in the file.
    pub makes: Vec<(String, Change, FilePosition)>,
    /// What it costs. Limit: 0 to 1 000, counted in thousandths.
    pub cost: f32,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

impl ActionSpec {
    /// An action that costs 1, needs nothing and does nothing yet.
    pub fn new(name: &str) -> ActionSpec {
        ActionSpec {
            name: name.to_owned(),
            when: Vec::new(),
            makes: Vec::new(),
            cost: 1.0,
            place: FilePosition::default(),
        }
    }

    /// The same with one more condition.
    pub fn when(mut self, fact: &str, allowed: Allowed) -> ActionSpec {
        self.when.push((fact.to_owned(), allowed, FilePosition::default()));
        self
    }

    /// The same with one more effect.
    pub fn makes(mut self, fact: &str, change: Change) -> ActionSpec {
        self.makes.push((fact.to_owned(), change, FilePosition::default()));
        self
    }

    /// The same at another cost.
    pub fn costs(self, cost: f32) -> ActionSpec {
        ActionSpec { cost, ..self }
    }
}

/// An action ready for planning.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What must hold before, with room for every number it moves.
    pub need: Need,
    /// What it changes.
    pub effects: Effects,
    /// What it costs, thousandths.
    pub cost: u32,
}

/// The words of an action that the search reads, side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) need: [u64; WORDS],
    pub(super) groups: [u64; WORDS],
    pub(super) values: [u64; WORDS],
    pub(super) is_moving: bool,
}

/// A part of a condition or effect, in one word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) word: u8,
    /// Bits of the values it may have before.
    pub(super) before: u64,
    /// How it changes.
    pub(super) turn: Turn,
}

/// How an effect changes one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// Not: a condition.
    Stay,
    /// To the value of this bit, counted over all words.
    To(u8),
    /// By so many values.
    By(i8),
}

/// The conditions and effects of an action, part by part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) conditions: Vec<Part>,
    pub(super) effects: Vec<Part>,
}

/// All actions of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repertoire {
    pub(super) table: Variables,
    pub(super) actions: Vec<Action>,
    pub(super) rows: Vec<Row>,
    pub(super) parts: Vec<Parts>,
    /// By variable: which actions change it.
    pub(super) changers: Vec<[u64; ACTIONS_MAX / 64]>,
    /// By the top bit of a group, over all words: which variable.
    pub(super) owner: Vec<u8>,
}

impl Repertoire {
    /// Compiles the actions; refused when a name is unknown or repeats, or an action can never be done or does nothing.
    pub fn build(table: Variables, specs: &[ActionSpec]) -> Result<Repertoire, Refusal> {
        let mut actions: Vec<Action> = Vec::new();
        for spec in specs {
            if actions.len() == ACTIONS_MAX {
                return Err(Refusal::wrong(spec.place, format!("more than {ACTIONS_MAX} actions are too many")));
            }
            if actions.iter().any(|one| one.name == spec.name) {
                return Err(Refusal::new(spec.place, Problem::Twice { what: "actions", name: spec.name.clone() }));
            }
            actions.push(compiled(&table, spec)?);
        }
        let mut repertoire = Repertoire { table, actions, ..Repertoire::default() };
        repertoire.index();
        Ok(repertoire)
    }

    /// The variables that conditions and effects are about.
    pub fn table(&self) -> &Variables {
        &self.table
    }

    /// The actions, in the order of their numbers.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    fn index(&mut self) {
        self.changers = vec![Default::default(); self.table.list().len()];
        self.owner = vec![0; BITS_MAX];
        for (index, variable) in self.table.list().iter().enumerate() {
            let top = usize::from(variable.word) * 64 + usize::from(variable.shift + variable.width - 1);
            // At most 128 variables.
            self.owner[top] = index as u8;
        }
        for (number, action) in self.actions.iter().enumerate() {
            let effects = &action.effects;
            self.rows.push(Row {
                need: action.need.words,
                groups: effects.groups,
                values: effects.values,
                is_moving: !effects.moves.is_empty(),
            });
            let mut parts = Parts::default();
            for (index, variable) in self.table.list().iter().enumerate() {
                let (word, group) = (usize::from(variable.word), variable.group());
                let before = action.need.words[word] & group;
                let part = |turn| Part { word: variable.word, before, turn };
                if before != group {
                    parts.conditions.push(part(Turn::Stay));
                }
                let moved = effects.moves.iter().find(|one| usize::from(one.word) == word && one.group == group);
                let turn = if effects.groups[word] & group != 0 {
                    let bit = (effects.values[word] & group).trailing_zeros();
                    Some(Turn::To((word * 64) as u8 + bit as u8))
                } else {
                    moved.map(|one| Turn::By(one.by))
                };
                if let Some(turn) = turn {
                    parts.effects.push(part(turn));
                    self.changers[index][number / 64] |= 1 << (number % 64);
                }
            }
            self.parts.push(parts);
        }
    }
}

fn compiled(table: &Variables, spec: &ActionSpec) -> Result<Action, Refusal> {
    let when = spec.when.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place));
    let makes = spec.makes.iter().map(|(name, change, place)| (name.as_str(), change, *place));
    let conditions = needed(table, when)?;
    let (effects, possible) = stated(table, makes)?;
    let need = conditions.and(&possible);
    if table.is_impossible(&need) {
        let sentence = format!("`{}` can never be done: what it adds always leaves the range", spec.name);
        return Err(Refusal::wrong(spec.place, sentence));
    }
    if effects.is_empty() {
        let sentence = format!("`{}` changes nothing, so no plan can use it: expected effects", spec.name);
        return Err(Refusal::wrong(spec.place, sentence));
    }
    let Some(cost) = super::cost_units(spec.cost) else {
        let sentence = format!("`{}` costs {}: expected 0 to 1000", spec.name, spec.cost);
        return Err(Refusal::wrong(spec.place, sentence));
    };
    Ok(Action { name: spec.name.clone(), need, effects, cost })
}
