//! A planning brain from a file:
//!
//! ```yaml
//! sentir: goap 1
//! delay: 0.3 ± 0.1
//! facts:
//!   seen: {key: $seen}
//!   loaded: {key: $loaded}
//! actions:
//!   - {name: load, when: {loaded: false}, makes: {loaded: true}, task: reload}
//!   - {name: shoot, when: {loaded: true}, makes: {seen: false}, cost: 2, task: shoot, with: {bursts: 3}}
//! goals:
//!   - {name: win, when: {seen: true}, wants: {seen: false}}
//! ```
//!
//! `cost` is a number, a key, or `{score: name, with: …}`.

use sentir_asset::{Node, Refusal, Value};

use super::brain::{GoalSpec, GoapSpec, Price, StepSpec};
use super::repertoire::ActionSpec;
use crate::clause::with;
use crate::file::read_bind;
use crate::key::{AnyBind, Bind};
use crate::leaf::Host;
use crate::open::{count_in, id_in, name_of};
use crate::registry::Leaves;
use crate::situation::{FactSpec, read_changes, read_conditions};
use crate::span::Span;
use crate::value::{Kind, Value as Fact};

/// Expansions allowed when a file says nothing.
const EXPANSIONS: u32 = 1000;
/// The most a file may allow.
const EXPANSIONS_MAX: u32 = 100_000;

pub(super) fn read<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<GoapSpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "facts", "actions", "goals", "expansions_max", "delay", "retry"])?;
    let span = |key: &str, otherwise: Span| node.find(key).map_or(Ok(otherwise), Node::read);
    Ok(GoapSpec {
        facts: FactSpec::read_all(node.need("facts")?, leaves)?,
        actions: node.need("actions")?.list()?.iter().map(|one| read_step(one, leaves)).collect::<Result<_, _>>()?,
        goals: node.need("goals")?.list()?.iter().map(read_goal).collect::<Result<_, _>>()?,
        expansions_max: count_in(node, "expansions_max", EXPANSIONS, EXPANSIONS_MAX)?,
        delay: span("delay", Span::exact(0.0))?,
        retry: span("retry", Span::exact(1.0))?,
    })
}

fn read_step<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<StepSpec<H>, Refusal> {
    node.allow(&["name", "id", "when", "makes", "cost", "task", "with"])?;
    let mut action = ActionSpec {
        name: name_of(node)?,
        when: read_conditions(node.find("when"))?,
        makes: read_changes(node.find("makes"))?,
        cost: 1.0,
        place: node.place,
    };
    let price = match node.find("cost") {
        None => Price::Fixed,
        Some(cost) if matches!(cost.value, Value::Map(_)) => {
            cost.allow(&["score", "with"])?;
            Price::Score(leaves.bind_score(cost.need("score")?, &with(cost))?)
        }
        Some(cost) => match read_bind(cost, Kind::Float)? {
            AnyBind::Literal(Fact::Float(fixed)) => {
                action.cost = fixed;
                action.place = cost.place;
                Price::Fixed
            }
            AnyBind::Literal(_) => return Err(cost.expected("a number")),
            AnyBind::Key(key) => key.typed().map(Bind::Key).map(Price::Key).ok_or_else(|| cost.expected("a number"))?,
        },
    };
    let task = leaves.bind_task(node.need("task")?, &with(node))?;
    Ok(StepSpec { action, price, task, id: id_in(node)? })
}

fn read_goal(node: &Node) -> Result<GoalSpec, Refusal> {
    node.allow(&["name", "id", "when", "wants"])?;
    node.need("wants")?;
    Ok(GoalSpec {
        name: name_of(node)?,
        when: read_conditions(node.find("when"))?,
        wants: read_conditions(node.find("wants"))?,
        id: id_in(node)?,
        place: node.place,
    })
}
