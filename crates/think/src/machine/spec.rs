//! A state machine as it is written, by code or in a file:
//!
//! ```yaml
//! sentir: machine 1
//! start: watch
//! any:
//!   - {to: flee, when: {key: $health, "<": 0.2}}
//! states:
//!   - name: watch
//!     history: deep
//!     start: to_door
//!     states:
//!       - {name: to_door, task: go, with: {to: $door}, go: [{to: to_safe, on: done}]}
//!       - {name: to_safe, task: go, with: {to: $safe}, go: [{to: to_door, on: done}]}
//!     go:
//!       - {to: talk, when: {set: $phone}}
//!   - {name: talk, task: talk, go: [{to: watch, after: 5 ± 1}]}
//!   - {name: flee, use: flee}                      # a state of another machine
//! ```

use std::collections::BTreeMap;

use sentir_asset::{FilePosition, Node, Refusal};

use crate::align::content_of;
use crate::clause::{Clause, with};
use crate::leaf::{Host, TaskLeaf};
use crate::open::{id_in, name_of};
use crate::registry::Leaves;
use crate::span::Span;

/// Where a machine that is entered again goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum History {
    /// At its start.
    #[default]
    None,
    /// In the state it was left in; machines inside that one by their own history.
    Shallow,
    /// In the very state it was left in, however deep.
    Deep,
}

/// What has to have happened to the task of the present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ended.
    Done,
    /// It ended well.
    Success,
    /// It ended in vain.
    Failure,
}

/// A transition as it is written.
#[derive(Debug)]
pub struct TransitionSpec<H: Host> {
    /// The name of the state it leads to.
    pub to: String,
    /// What must hold.
    pub when: Clause<H>,
    /// What must have happened to the task.
    pub on: Option<Ended>,
    /// How long the state must have been active.
    pub after: Option<Span>,
    /// For how long `when` must have held: the reaction time.
    pub delay: Option<Span>,
    /// Higher ones of a state are looked at first; equal ones in their order.
    pub priority: i32,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
    /// Stands for what its file says of it; 0 when made by code. After an edit it tells which of several transitions to
    /// one state is which.
    pub content: u64,
}

// By hand, because a derive would ask the same of `H`.
impl<H: Host> Clone for TransitionSpec<H> {
    fn clone(&self) -> Self {
        TransitionSpec { to: self.to.clone(), when: self.when.clone(), ..*self }
    }
}

impl<H: Host> TransitionSpec<H> {
    /// A transition made by code.
    pub fn new(to: &str, when: Clause<H>) -> TransitionSpec<H> {
        let (to, place) = (to.to_owned(), FilePosition::default());
        TransitionSpec { to, when, on: None, after: None, delay: None, priority: 0, place, content: 0 }
    }
}

/// A state as it is written: a task to do, or a machine of its own.
#[derive(Debug)]
pub struct StateSpec<H: Host> {
    /// Its name, once in the whole machine.
    pub name: String,
    /// What is done once on the way in, and once on the way out. What does not end at once is ended.
    pub enter: Vec<TaskLeaf<H>>,
    /// What is done as long as the state is active.
    pub task: Option<TaskLeaf<H>>,
    /// See `enter`.
    pub exit: Vec<TaskLeaf<H>>,
    /// The states inside.
    pub states: Vec<StateSpec<H>>,
    /// Which of them is the first; the first one if it says nothing.
    pub start: Option<StartSpec>,
    /// Which of them is active when it is entered again.
    pub history: History,
    /// The ways out.
    pub go: Vec<TransitionSpec<H>>,
    /// The authored id, if any.
    pub id: Option<String>,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

impl<H: Host> Clone for StateSpec<H> {
    fn clone(&self) -> Self {
        StateSpec {
            name: self.name.clone(),
            enter: self.enter.clone(),
            task: self.task.clone(),
            exit: self.exit.clone(),
            states: self.states.clone(),
            start: self.start.clone(),
            history: self.history,
            go: self.go.clone(),
            id: self.id.clone(),
            place: self.place,
        }
    }
}

impl<H: Host> StateSpec<H> {
    /// A state made by code, with nothing to do yet and no way out.
    pub fn new(name: &str) -> StateSpec<H> {
        StateSpec {
            name: name.to_owned(),
            enter: Vec::new(),
            task: None,
            exit: Vec::new(),
            states: Vec::new(),
            start: None,
            history: History::None,
            go: Vec::new(),
            id: None,
            place: FilePosition::default(),
        }
    }
}

/// The state that is the first, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct StartSpec {
    /// Its name.
    pub name: String,
    /// Where that stands in the file; unknown when made by code.
    pub place: FilePosition,
}

/// A machine as it is written.
#[derive(Clone, Debug)]
pub struct MachineSpec<H: Host> {
    /// The states of the outermost level.
    pub states: Vec<StateSpec<H>>,
    /// Which of them is the first; the first one if it says nothing.
    pub start: Option<StartSpec>,
    /// Transitions from any state. One that leads to what is active already is not taken.
    pub any: Vec<TransitionSpec<H>>,
}

/// States by name, to be used by machines with `use`.
pub type StateLibrary<H> = BTreeMap<String, StateSpec<H>>;

pub(super) fn read<H: Host>(
    node: &Node,
    leaves: &Leaves<H>,
    library: &StateLibrary<H>,
) -> Result<MachineSpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "start", "any", "states"])?;
    Ok(MachineSpec {
        states: read_states(node.need("states")?, leaves, library)?,
        start: read_start(node)?,
        any: read_ways(node.find("any"), leaves)?,
    })
}

fn read_start(node: &Node) -> Result<Option<StartSpec>, Refusal> {
    let read = |start: &Node| Ok(StartSpec { name: start.text()?.to_owned(), place: start.place });
    node.find("start").map(read).transpose()
}

fn read_states<H: Host>(
    node: &Node,
    leaves: &Leaves<H>,
    library: &StateLibrary<H>,
) -> Result<Vec<StateSpec<H>>, Refusal> {
    node.list()?.iter().map(|one| read_state(one, leaves, library)).collect()
}

fn read_state<H: Host>(node: &Node, leaves: &Leaves<H>, library: &StateLibrary<H>) -> Result<StateSpec<H>, Refusal> {
    node.allow(&["name", "id", "use", "enter", "task", "with", "exit", "states", "start", "history", "go"])?;
    let name = name_of(node)?;
    let mut state = match node.find("use") {
        None => StateSpec::new(&name),
        Some(used) => {
            let text = used.text()?;
            let unknown = || Refusal::unknown(used.place, "shared state", text, library.keys().map(String::as_str));
            library.get(text).cloned().ok_or_else(unknown)?
        }
    };
    state.name = name;
    state.place = node.place;
    state.id = id_in(node)?;
    if let Some(task) = node.find("task") {
        state.task = Some(leaves.bind_task(task, &with(node))?);
    }
    if let Some(states) = node.find("states") {
        state.states = read_states(states, leaves, library)?;
    }
    if let Some(start) = read_start(node)? {
        state.start = Some(start);
    }
    if let Some(history) = node.find("history") {
        state.history = match history.text()? {
            "none" => History::None,
            "shallow" => History::Shallow,
            "deep" => History::Deep,
            other => return Err(Refusal::unknown(history.place, "history", other, ["none", "shallow", "deep"])),
        };
    }
    for (key, list) in [("enter", &mut state.enter), ("exit", &mut state.exit)] {
        if let Some(tasks) = node.find(key) {
            *list = tasks.list()?.iter().map(|one| read_once(one, leaves)).collect::<Result<_, _>>()?;
        }
    }
    if node.find("go").is_some() {
        state.go = read_ways(node.find("go"), leaves)?;
    }
    Ok(state)
}

fn read_once<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<TaskLeaf<H>, Refusal> {
    node.allow(&["task", "with"])?;
    leaves.bind_task(node.need("task")?, &with(node))
}

fn read_ways<H: Host>(node: Option<&Node>, leaves: &Leaves<H>) -> Result<Vec<TransitionSpec<H>>, Refusal> {
    let Some(node) = node else { return Ok(Vec::new()) };
    node.list()?.iter().map(|one| read_way(one, leaves)).collect()
}

fn read_way<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<TransitionSpec<H>, Refusal> {
    node.allow(&["to", "when", "on", "after", "delay", "priority"])?;
    let to = node.need("to")?;
    let on = match node.find("on") {
        None => None,
        Some(on) => Some(match on.text()? {
            "done" => Ended::Done,
            "success" => Ended::Success,
            "failure" => Ended::Failure,
            other => return Err(Refusal::unknown(on.place, "end", other, ["done", "success", "failure"])),
        }),
    };
    Ok(TransitionSpec {
        to: to.text()?.to_owned(),
        when: Clause::read_optional(node.find("when"), leaves)?,
        on,
        after: node.find("after").map(Node::read).transpose()?,
        delay: node.find("delay").map(Node::read).transpose()?,
        priority: node.find("priority").map_or(Ok(0), Node::read)?,
        place: to.place,
        content: content_of(node),
    })
}
