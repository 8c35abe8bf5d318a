//! Conditions and effects as people write them, and what they become.

use sentir_asset::{FilePosition, Node, Refusal, Value};

use super::{Domain, Effects, Move, Need, Variable, VariableId, Variables};

/// A value of a variable, written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Of a yes-or-no fact.
    Bool(bool),
    /// Of a number.
    Int(i64),
    /// Of a fact with words.
    Word(String),
}

/// What a condition allows of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// This value only.
    Is(Sample),
    /// Any but this one.
    Not(Sample),
    /// Any of these.
    AnyOf(Vec<Sample>),
    /// This number or more.
    AtLeast(i64),
    /// This number or less.
    AtMost(i64),
}

/// What an effect does to one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Gives it a value.
    Set(Sample),
    /// Adds to a number. What would leave the range cannot be done.
    Add(i64),
}

impl Allowed {
    /// Reads `true`, `3`, `">= 2"`, `door`, `not door` or a list of values.
    pub fn read(node: &Node) -> Result<Allowed, Refusal> {
        match &node.value {
            Value::List(nodes) => nodes.iter().map(Sample::read).collect::<Result<_, _>>().map(Allowed::AnyOf),
            Value::Text(text) => {
                Allowed::parse(text).ok_or_else(|| node.expected("a value, or a limit as in \">= 2\""))
            }
            _ => Sample::read(node).map(Allowed::Is),
        }
    }

    fn parse(text: &str) -> Option<Allowed> {
        let number = |rest: &str| rest.trim().parse::<i64>().ok();
        if let Some(rest) = text.strip_prefix(">=") {
            return number(rest).map(Allowed::AtLeast);
        }
        if let Some(rest) = text.strip_prefix("<=") {
            return number(rest).map(Allowed::AtMost);
        }
        if let Some(rest) = text.strip_prefix('>') {
            return number(rest).and_then(|limit| limit.checked_add(1)).map(Allowed::AtLeast);
        }
        if let Some(rest) = text.strip_prefix('<') {
            return number(rest).and_then(|limit| limit.checked_sub(1)).map(Allowed::AtMost);
        }
        if let Some(rest) = text.strip_prefix("not ").or_else(|| text.strip_prefix("!=")) {
            let rest = rest.trim();
            return Some(Allowed::Not(number(rest).map_or_else(|| Sample::Word(rest.to_owned()), Sample::Int)));
        }
        Some(Allowed::Is(Sample::Word(text.to_owned())))
    }
}

impl Change {
    /// Reads a value, or `{add: 1}`.
    pub fn read(node: &Node) -> Result<Change, Refusal> {
        let Value::Map(_) = node.value else { return Sample::read(node).map(Change::Set) };
        node.allow(&["add"])?;
        match node.need("add")?.value {
            Value::Int(by) => Ok(Change::Add(by)),
            _ => Err(node.need("add")?.expected("a whole number")),
        }
    }
}

impl Sample {
    /// Reads a plain value.
    pub fn read(node: &Node) -> Result<Sample, Refusal> {
        match &node.value {
            Value::Bool(value) => Ok(Sample::Bool(*value)),
            Value::Int(value) => Ok(Sample::Int(*value)),
            Value::Text(text) => Ok(Sample::Word(text.clone())),
            _ => Err(node.expected("`true`, `false`, a whole number or a word")),
        }
    }

    /// The place of the value among those of the variable.
    pub fn code(&self, variable: &Variable, place: FilePosition) -> Result<u8, Refusal> {
        let other = |found: &str, expected: &str| {
            Err(Refusal::wrong(place, format!("`{}` is {found} here: expected {expected}", variable.name)))
        };
        match (self, &variable.domain) {
            (Sample::Bool(value), Domain::Bool) => Ok(u8::from(*value)),
            (Sample::Int(value), Domain::Range { low, high }) => {
                let code = value.checked_sub((*low).into()).and_then(|code| u8::try_from(code).ok());
                match code.filter(|_| *value <= (*high).into()) {
                    Some(code) => Ok(code),
                    None => other(&value.to_string(), &format!("{low} to {high}")),
                }
            }
            (Sample::Word(word), Domain::Words(words)) => {
                let known = words.iter().position(|one| one == word).and_then(|code| u8::try_from(code).ok());
                known.ok_or_else(|| Refusal::unknown(place, "word", word, words.iter().map(String::as_str)))
            }
            (_, Domain::Bool) => other(self.kind(), "`true` or `false`"),
            (_, Domain::Range { low, high }) => other(self.kind(), &format!("a whole number from {low} to {high}")),
            (_, Domain::Words(words)) => other(self.kind(), &format!("one of {}", words.join(", "))),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Sample::Bool(_) => "`true` or `false`",
            Sample::Int(_) => "a number",
            Sample::Word(_) => "a word",
        }
    }
}

fn find(table: &Variables, name: &str, place: FilePosition) -> Result<VariableId, Refusal> {
    let names = table.list().iter().map(|one| one.name.as_str());
    table.find(name).ok_or_else(|| Refusal::unknown(place, "fact", name, names))
}

/// The need that all of these conditions make; refused when a name or value is unknown, or nothing could meet it.
pub fn needed<'a>(
    table: &Variables,
    conditions: impl IntoIterator<Item = (&'a str, &'a Allowed, FilePosition)>,
) -> Result<Need, Refusal> {
    let mut need = table.anything();
    for (name, allowed, place) in conditions {
        let id = find(table, name, place)?;
        let variable = table.variable(id);
        let bit = |sample: &Sample| sample.code(variable, place).map(|code| 1u64 << code);
        let from = |limit: &i64| match &variable.domain {
            Domain::Range { low, .. } => Ok(limit.saturating_sub((*low).into()).clamp(0, 64)),
            _ => Err(Refusal::wrong(place, format!("`{name}` is no number: expected one of its values"))),
        };
        // The bits below a place; all of them for 64.
        let below = |code: i64| if code >= 64 { u64::MAX } else { (1u64 << code) - 1 };
        let bits = match allowed {
            Allowed::Is(sample) => bit(sample)?,
            Allowed::Not(sample) => !bit(sample)?,
            Allowed::AnyOf(samples) => samples.iter().map(bit).try_fold(0, |all, one| one.map(|one| all | one))?,
            Allowed::AtLeast(limit) => !below(from(limit)?),
            Allowed::AtMost(limit) => below(from(&limit.saturating_add(1))?),
        };
        table.restrict(&mut need, id, bits);
        if table.allowed(&need, id) == 0 {
            return Err(Refusal::wrong(place, format!("no value of `{name}` can be like this")));
        }
    }
    Ok(need)
}

/// The effects that all of these changes make, and what they need so that no number leaves its range.
pub fn stated<'a>(
    table: &Variables,
    changes: impl IntoIterator<Item = (&'a str, &'a Change, FilePosition)>,
) -> Result<(Effects, Need), Refusal> {
    let mut effects = Effects::default();
    let mut need = table.anything();
    for (name, change, place) in changes {
        let id = find(table, name, place)?;
        let variable = table.variable(id);
        let (word, group) = (usize::from(variable.word), variable.group());
        let taken = effects.groups[word] & group != 0
            || effects.moves.iter().any(|one| usize::from(one.word) == word && one.group == group);
        if taken {
            return Err(Refusal::wrong(place, format!("`{name}` is changed twice: expected one effect for each fact")));
        }
        match change {
            Change::Set(sample) => {
                effects.groups[word] |= group;
                effects.values[word] |= 1 << (variable.shift + sample.code(variable, place)?);
            }
            Change::Add(by) => {
                let width = i64::from(variable.width);
                let Domain::Range { .. } = variable.domain else {
                    return Err(Refusal::wrong(place, format!("`{name}` is no number: nothing can be added to it")));
                };
                let Some(by) = i8::try_from(*by).ok().filter(|&by| by != 0 && i64::from(by).abs() < width) else {
                    let sentence = format!("`{name}` cannot change by {by}: expected 1 to {} either way", width - 1);
                    return Err(Refusal::wrong(place, sentence));
                };
                let one = Move { word: variable.word, by, group };
                table.restrict(&mut need, id, one.backward(group) >> variable.shift);
                effects.moves.push(one);
            }
        }
    }
    Ok((effects, need))
}
