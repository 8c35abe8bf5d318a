//! Other libraries on the same trees and plans: `bonsai-bt`, `dogoap`.

use super::{GOAL, LIMITS, TICKS, VIEW};
use crate::bench::{Figure, Rows, median_ms, row};
use crate::error::LabError;
use bonsai_bt as bonsai;
use dogoap::prelude as goap;
use sentir::think::situation::{Allowed, Change, Sample};
use sentir::think::stock;
use sentir_asset::{AssetError, Node, Refusal, Value};
use std::hint::black_box;

/// The tree of 30 nodes in another library, and what ours takes.
pub(super) fn trees(ours_ns: f64) -> Rows {
    let rows = [("bonsai-bt", bonsai_ns())];
    let told = |(name, theirs_ns): (&str, f64)| {
        let (figure, ratio) = (Figure::new(theirs_ns, 0, "ns"), theirs_ns / ours_ns);
        row(name, format!("{name}, the same tree"), figure, format!("{ratio:.1} × ours")).also("times_ours", ratio)
    };
    rows.map(told).into()
}

/// What the leaves of the tree are there.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Above(usize, f32),
    Count,
}

fn bonsai_ns() -> f64 {
    use bonsai::{Action, Select, Sequence};
    let check = |branch: usize, (place, limit): (usize, f32)| Action(Leaf::Above(branch + place, limit));
    let mut branches: Vec<bonsai::Behavior<Leaf>> =
        (0..7).map(|branch| Sequence(LIMITS.map(|limit| check(branch, limit)).to_vec())).collect();
    branches.push(Action(Leaf::Count));
    let mut tree = bonsai::BT::new(Select(branches).memory(false), ());
    let event: bonsai::Event = bonsai::UpdateArgs { dt: 0.1 }.into();
    let (mut count, mut ticks) = (0u64, 0u64);
    let ms = median_ms(31, || {
        for _ in 0..TICKS {
            ticks += 1;
            let view = black_box(&VIEW);
            black_box(tree.tick(&event, &mut |args: bonsai::ActionArgs<'_, bonsai::Event, Leaf>, (): &mut ()| {
                match *args.action {
                    Leaf::Above(place, limit) if view[place & 7] >= limit => (bonsai::Success, args.dt),
                    Leaf::Above(..) => (bonsai::Failure, args.dt),
                    Leaf::Count => {
                        count += 1;
                        (bonsai::Running, 0.0)
                    }
                }
            }));
        }
    });
    assert_eq!(count, ticks, "every branch but the last is refused in every tick");
    ms * 1e6 / TICKS as f64
}

/// Facts of the raid for dogoap: names, and the values they can have.
struct Facts(Vec<(String, Values)>);

enum Values {
    Bool,
    Range(i64, i64),
    Words(Vec<String>),
}

impl Facts {
    fn read(node: &Node) -> Result<Facts, Refusal> {
        let mut facts = Vec::new();
        for entry in node.map()? {
            let values = match (entry.node.find("words"), entry.node.find("from"), entry.node.find("to")) {
                (Some(words), ..) => {
                    let words = words.list()?.iter().map(|word| word.text().map(str::to_owned));
                    Values::Words(words.collect::<Result<_, _>>()?)
                }
                (None, Some(low), Some(high)) => Values::Range(low.read()?, high.read()?),
                _ => Values::Bool,
            };
            facts.push((entry.key.clone(), values));
        }
        Ok(Facts(facts))
    }

    fn values(&self, fact: &str) -> Option<&Values> {
        self.0.iter().find(|(name, _)| name == fact).map(|(_, values)| values)
    }

    fn datum(&self, fact: &str, sample: &Sample) -> goap::Datum {
        match (sample, self.values(fact)) {
            (Sample::Bool(value), _) => goap::Datum::Bool(*value),
            (Sample::Int(value), _) => goap::Datum::I64(*value),
            (Sample::Word(word), Some(Values::Words(words))) => {
                goap::Datum::Enum(words.iter().position(|one| one == word).unwrap_or_default())
            }
            (Sample::Word(_), _) => goap::Datum::Enum(0),
        }
    }

    /// The first value of each.
    fn start(&self) -> goap::LocalState {
        self.0.iter().fold(goap::LocalState::new(), |state, (name, values)| {
            let first = match values {
                Values::Bool => goap::Datum::Bool(false),
                Values::Range(low, _) => goap::Datum::I64(*low),
                Values::Words(_) => goap::Datum::Enum(0),
            };
            state.with_datum(name, first)
        })
    }
}

/// Actions of the raid for dogoap. It has no 'one of these', so such an action becomes several.
fn actions(facts: &Facts, nodes: &[Node]) -> Result<Vec<goap::Action>, Refusal> {
    let mut actions = Vec::new();
    for node in nodes {
        let mut action = goap::Action::new(node.need("name")?.text()?);
        for entry in node.find("makes").map_or(Ok(&[][..]), Node::map)? {
            let name = entry.key.clone();
            let change = match Change::read(&entry.node)? {
                Change::Set(sample) => goap::Mutator::Set(name, facts.datum(&entry.key, &sample)),
                Change::Add(by) => {
                    // No number leaves its range.
                    if let Some(Values::Range(low, high)) = facts.values(&entry.key) {
                        let room = goap::Compare::LessThanEquals(goap::Datum::I64(high - by));
                        let rest = goap::Compare::GreaterThanEquals(goap::Datum::I64(low - by));
                        let limit = if by > 0 { room } else { rest };
                        action = action.with_precondition(&entry.key, limit);
                    }
                    goap::Mutator::Increment(name, goap::Datum::I64(by))
                }
            };
            action = action.add_mutator(change);
        }
        let cost = node.find("cost").map_or(Ok(1.0), Node::number)?;
        let mut several = vec![action.set_cost(cost as usize)];
        for entry in node.find("when").map_or(Ok(&[][..]), Node::map)? {
            let name = entry.key.as_str();
            let datum = |sample: &Sample| facts.datum(name, sample);
            let limits: Vec<goap::Compare> = match Allowed::read(&entry.node)? {
                Allowed::Is(sample) => vec![goap::Compare::Equals(datum(&sample))],
                Allowed::Not(sample) => vec![goap::Compare::NotEquals(datum(&sample))],
                Allowed::AtLeast(limit) => vec![goap::Compare::GreaterThanEquals(goap::Datum::I64(limit))],
                Allowed::AtMost(limit) => vec![goap::Compare::LessThanEquals(goap::Datum::I64(limit))],
                Allowed::AnyOf(samples) => samples.iter().map(|one| goap::Compare::Equals(datum(one))).collect(),
            };
            let with = |one: &goap::Action| {
                limits.iter().map(|limit| one.clone().with_precondition(name, limit.clone())).collect::<Vec<_>>()
            };
            several = several.iter().flat_map(with).collect();
        }
        actions.extend(several);
    }
    Ok(actions)
}

/// The raid planned by dogoap.
pub(super) fn plans(ours_us: f64) -> Result<Rows, LabError> {
    let (file, text) = stock::RAID;
    let node: Node = sentir_asset::parse(text.as_bytes(), file)?;
    let read = || {
        let facts = Facts::read(node.need("facts")?)?;
        let list = match &node.need("actions")?.value {
            Value::List(list) => actions(&facts, list)?,
            _ => Vec::new(),
        };
        Ok((facts.start(), list))
    };
    let (start, actions) = read().map_err(|refusal| AssetError::new(file, refusal))?;
    let yes = || goap::Compare::Equals(goap::Datum::Bool(true));
    let goal = GOAL.iter().fold(goap::Goal::new(), |goal, fact| goal.with_req(fact, yes()));
    let mut found = None;
    let theirs_ms = median_ms(1, || found = goap::make_plan(&start, &actions, &goal));
    let remark = match &found {
        Some((nodes, cost)) => {
            let ratio = theirs_ms * 1e3 / ours_us;
            format!("{ratio:.0} × ours; {} steps at a cost of {cost}", nodes.len() - 1)
        }
        None => "found no plan".to_owned(),
    };
    Ok(vec![row("dogoap", "dogoap, the same raid, one plan", Figure::new(theirs_ms * 1e3, 0, "µs"), remark)])
}
