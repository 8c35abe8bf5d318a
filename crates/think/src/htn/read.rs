//! A brain of tasks from a file:
//!
//! ```yaml
//! sentir: htn 1
//! facts:
//!   enemy: {key: $enemy}
//! root: be_guard
//! tasks:
//!   be_guard:                                     # a compound task is a list of methods
//!     - {name: fight, while: {enemy: true}, do: [attack]}
//!     - {name: walk, do: [patrol]}
//!   attack: {task: attack, with: {range_m: 8}}    # a primitive task says what is done
//!   patrol: {task: patrol}
//! ```
//!
//! `when` holds when a method or task begins, `while` as long as it goes on; `makes` is what a task changes. `pause` among
//! the tasks of a method stops planning there until what stands before it is done.

use sentir_asset::{Entry, Node, Refusal, Value};

use super::brain::{HtnSpec, HtnTask};
use super::network::{MethodSpec, TaskForm, TaskSpec};
use crate::clause::with;
use crate::leaf::Host;
use crate::open::{count_in, id_in, name_of};
use crate::registry::Leaves;
use crate::situation::{FactSpec, read_changes, read_conditions};
use crate::span::Span;

/// Tries allowed when a file says nothing.
const TRIES: u32 = 1000;
/// The most a file may allow.
const TRIES_MAX: u32 = 100_000;

pub(super) fn read<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<HtnSpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "facts", "root", "tasks", "tries_max", "delay", "retry"])?;
    let span = |key: &str, otherwise: Span| node.find(key).map_or(Ok(otherwise), Node::read);
    let root = node.need("root")?;
    Ok(HtnSpec {
        facts: FactSpec::read_all(node.need("facts")?, leaves)?,
        tasks: node.need("tasks")?.map()?.iter().map(|entry| read_task(entry, leaves)).collect::<Result<_, _>>()?,
        root: (root.text()?.to_owned(), root.place),
        tries_max: count_in(node, "tries_max", TRIES, TRIES_MAX)?,
        delay: span("delay", Span::exact(0.0))?,
        retry: span("retry", Span::exact(1.0))?,
    })
}

fn read_task<H: Host>(entry: &Entry, leaves: &Leaves<H>) -> Result<HtnTask<H>, Refusal> {
    let node = &entry.node;
    let spec = |form| TaskSpec { name: entry.key.clone(), place: entry.place, form };
    if let Value::List(methods) = &node.value {
        let methods = methods.iter().map(read_method).collect::<Result<_, _>>()?;
        return Ok(HtnTask { spec: spec(TaskForm::Compound(methods)), leaf: None, id: None });
    }
    node.allow(&["id", "when", "makes", "task", "with"])?;
    let form =
        TaskForm::Primitive { when: read_conditions(node.find("when"))?, makes: read_changes(node.find("makes"))? };
    let leaf = leaves.bind_task(node.need("task")?, &with(node))?;
    Ok(HtnTask { spec: spec(form), leaf: Some(leaf), id: id_in(node)? })
}

fn read_method(node: &Node) -> Result<MethodSpec, Refusal> {
    node.allow(&["name", "when", "while", "do"])?;
    let tasks = node.need("do")?.list()?.iter().map(|task| Ok((task.text()?.to_owned(), task.place)));
    Ok(MethodSpec {
        name: name_of(node)?,
        when: read_conditions(node.find("when"))?,
        keeps: read_conditions(node.find("while"))?,
        tasks: tasks.collect::<Result<_, Refusal>>()?,
        place: node.place,
    })
}
