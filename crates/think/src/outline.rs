//! Outlines: the parts of a brain of any kind, for charts and figures.

use sentir_core::chart::{Chart, Mood, PartId};

use crate::clause::Clause;
use crate::key::{AnyBind, AnyKey, Bind, Keys};
use crate::leaf::{Host, Status};
use crate::node::NodeId;
use crate::span::Span;
use crate::test::{Finding, Test, Wanted};
use crate::why::{Cause, Why};

/// The parts of a brain, each after what it is a part of, and the ways between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// What kind of brain it is, in words.
    pub kind: &'static str,
    /// The parts.
    pub parts: Vec<OutlinePart>,
    /// Transitions.
    pub ways: Vec<OutlineWay>,
}

/// A node, a state, an option, a step.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlinePart {
    /// Its node.
    pub id: NodeId,
    /// What it is a part of, by place among the parts.
    pub parent: Option<usize>,
    /// What it is.
    pub kind: &'static str,
    /// What it is called.
    pub label: String,
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineWay {
    /// Its node.
    pub id: NodeId,
    /// From which part, by place.
    pub from: usize,
    /// To which part, by place.
    pub to: usize,
    /// When it is taken.
    pub label: String,
}

impl Outline {
    pub(crate) fn new(kind: &'static str) -> Outline {
        Outline { kind, ..Outline::default() }
    }

    /// Adds a part; says its place.
    pub(crate) fn add(&mut self, id: NodeId, parent: Option<usize>, kind: &'static str, label: &str) -> usize {
        self.parts.push(OutlinePart { id, parent, kind, label: label.to_owned() });
        self.parts.len() - 1
    }

    /// The outline as a chart: what is active is lit with all that it is a part of, and the reasons of the last thought
    /// say what refused and why. `whys` are those of one agent, oldest first; only the last thought among them counts.
    pub fn chart<'a>(
        &self,
        name: &str,
        keys: &Keys,
        active: &[NodeId],
        whys: impl IntoIterator<Item = &'a Why>,
    ) -> Chart {
        let mut chart = Chart::new(self.kind, name);
        let mut ids: Vec<PartId> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let id = chart.add(part.parent.and_then(|parent| ids.get(parent)).copied(), part.kind, part.label.as_str());
            ids.push(id);
        }
        let mut taken = Vec::new();
        for why in whys {
            self.note(why, keys, &ids, &mut chart, &mut taken);
        }
        for (place, part) in self.parts.iter().enumerate() {
            if active.contains(&part.id) {
                self.light(place, &ids, &mut chart);
            }
        }
        for way in &self.ways {
            if let (Some(&from), Some(&to)) = (ids.get(way.from), ids.get(way.to)) {
                chart.link(from, to, way.label.as_str(), taken.contains(&way.id));
            }
        }
        chart
    }

    fn note(&self, why: &Why, keys: &Keys, ids: &[PartId], chart: &mut Chart, taken: &mut Vec<NodeId>) {
        let (node, mood, note) = match *why {
            Why::Active { node } => (node, Mood::Active, String::new()),
            Why::Refused { node, cause } => (node, Mood::Refused, in_words(&cause, keys)),
            Why::Aborted { node, by, cause } => {
                taken.push(by);
                let by = self.parts.iter().find(|part| part.id == by).map_or("", |part| part.label.as_str());
                let because = in_words(&cause, keys);
                (node, Mood::Aborted, if by.is_empty() { because } else { format!("by {by}: {because}") })
            }
            Why::Finished { node, status: Status::Failure } => (node, Mood::Failed, String::new()),
            Why::Finished { node, .. } => (node, Mood::Succeeded, String::new()),
            Why::Logged { node } | Why::Breakpoint { node } => (node, Mood::Active, String::new()),
        };
        for (part, &id) in self.parts.iter().zip(ids).filter(|(part, _)| part.id == node) {
            let _ = part;
            let shown = chart.part_mut(id);
            (shown.mood, shown.note) = (mood, note.clone());
            if let Why::Refused { cause: Cause::ConditionResult(answer), .. } = *why
                && answer.limit > 0.0
                && self.kind == "utility"
            {
                shown.share = Some(answer.value / answer.limit);
            }
        }
    }

    /// Lights a part and all it is a part of.
    fn light(&self, place: usize, ids: &[PartId], chart: &mut Chart) {
        let mut at = Some(place);
        while let Some(place) = at {
            let part = chart.part_mut(ids[place]);
            part.mood = Mood::Active;
            if self.kind == "utility" && self.parts[place].parent.is_some() {
                part.share = Some(1.0);
            }
            at = self.parts[place].parent;
        }
    }
}

/// A cause with the names of keys instead of their numbers.
pub fn in_words(cause: &Cause, keys: &Keys) -> String {
    match cause {
        Cause::Finding(found) => finding(found, keys),
        other => other.to_string(),
    }
}

fn finding(found: &Finding, keys: &Keys) -> String {
    let name = name_of(found.key, keys);
    let value = found.value.map_or_else(|| "not set".to_owned(), |value| value.to_string());
    match found.wanted {
        Wanted::Set => format!("{name} is not set"),
        Wanted::Unset => format!("{name} is {value}, wanted none"),
        Wanted::Compared { how, with: Some(with) } => format!("{name} is {value}, wanted {how} {with}"),
        Wanted::Compared { how, with: None } => format!("{name} is {value}, wanted {how} what is not set"),
        Wanted::Within { within_m, .. } => format!("{name} is {value}, wanted within {within_m} m"),
        Wanted::Beyond { within_m, .. } => format!("{name} is {value}, wanted farther than {within_m} m"),
    }
}

fn name_of(key: AnyKey, keys: &Keys) -> &str {
    if key.index() < keys.len() { keys.name(key) } else { "?" }
}

/// A test as people read it.
pub(crate) fn test_in_words(test: &Test, keys: &Keys) -> String {
    let joined = |parts: &[Test], word: &str| {
        let said = parts.iter().map(|part| match part {
            Test::All(_) | Test::Any(_) => format!("({})", test_in_words(part, keys)),
            plain => test_in_words(plain, keys),
        });
        said.collect::<Vec<_>>().join(word)
    };
    let value = |bind: &AnyBind| match *bind {
        AnyBind::Literal(value) => value.to_string(),
        AnyBind::Key(key) => name_of(key, keys).to_owned(),
    };
    match test {
        Test::IsSet(key) => format!("{} is set", name_of(*key, keys)),
        Test::IsUnset(key) => format!("{} is not set", name_of(*key, keys)),
        Test::Compare { key, how, with } => format!("{} {how} {}", name_of(*key, keys), value(with)),
        Test::IsAt { here, place, within_m } => {
            let place = match place {
                Bind::Literal(place) => place.to_string(),
                Bind::Key(key) => name_of(key.any(), keys).to_owned(),
            };
            format!("{} within {within_m} m of {place}", name_of(here.any(), keys))
        }
        Test::Not(inner) => format!("not ({})", test_in_words(inner, keys)),
        Test::All(parts) => joined(parts, " and "),
        Test::Any(parts) => joined(parts, " or "),
    }
}

/// A time as people read it.
pub(crate) fn span_in_words(span: Span) -> String {
    if span.deviation_s > 0.0 {
        format!("{} ± {} s", span.seconds, span.deviation_s)
    } else {
        format!("{} s", span.seconds)
    }
}

/// A clause as people read it.
pub(crate) fn clause_in_words<H: Host>(clause: &Clause<H>, keys: &Keys) -> String {
    let joined = |parts: &[Clause<H>], word: &str| {
        parts.iter().map(|part| clause_in_words(part, keys)).collect::<Vec<_>>().join(word)
    };
    match clause {
        Clause::Always => "always".to_owned(),
        Clause::Test(test) => test_in_words(test, keys),
        Clause::Check(leaf) => leaf.name().to_owned(),
        Clause::Not(inner) => format!("not ({})", clause_in_words(inner, keys)),
        Clause::All(parts) => joined(parts, " and "),
        Clause::Any(parts) => joined(parts, " or "),
    }
}
