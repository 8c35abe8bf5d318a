//! A written machine laid out flat and checked: names, reach, ways that go round for ever.

use std::collections::BTreeMap;

use sentir_asset::{FilePosition, Problem, Refusal};

use super::spec::{Ended, History, MachineSpec, StartSpec, StateSpec, TransitionSpec};
use crate::align::{Naming, Part};
use crate::clause::Clause;
use crate::leaf::{Host, TaskLeaf};
use crate::node::NodeId;
use crate::open::{Ids, id_of};
use crate::span::Span;

/// Most states of a machine.
pub const STATES_MAX: usize = 1024;

/// No state: the outside of the machine.
pub(super) const OUTSIDE: u16 = u16::MAX;

#[derive(Clone, Debug)]
pub(super) struct StateRow<H: Host> {
    pub(super) id: NodeId,
    pub(super) name: String,
    pub(super) parent: u16,
    pub(super) depth: u16,
    /// The first state inside, if it is a machine of its own.
    pub(super) start: Option<u16>,
    pub(super) history: History,
    pub(super) enter: Vec<TaskLeaf<H>>,
    pub(super) task: Option<TaskLeaf<H>>,
    pub(super) exit: Vec<TaskLeaf<H>>,
    /// Its transitions, in the order they are looked at: numbers from..to.
    pub(super) go: (u16, u16),
    place: FilePosition,
}

#[derive(Clone, Debug)]
pub(super) struct Way<H: Host> {
    pub(super) id: NodeId,
    pub(super) to: u16,
    pub(super) when: Clause<H>,
    pub(super) on: Option<Ended>,
    pub(super) after: Option<Span>,
    pub(super) delay: Option<Span>,
    /// What tells it apart from others when another version takes over.
    pub(super) part: Part,
}

#[derive(Clone, Debug)]
pub(super) struct Layout<H: Host> {
    pub(super) states: Vec<StateRow<H>>,
    pub(super) ways: Vec<Way<H>>,
    pub(super) any: (u16, u16),
    pub(super) start: u16,
}

/// Lays a machine out.
pub(super) fn layout<H: Host>(spec: MachineSpec<H>, root: NodeId) -> Result<Layout<H>, Refusal> {
    let mut layout = Layout { states: Vec::new(), ways: Vec::new(), any: (0, 0), start: 0 };
    let mut known = Known { by_name: BTreeMap::new(), ids: Ids::default(), pending: Vec::new() };
    let start = spec.start.clone();
    let top = add_states(&mut layout, spec.states, Owner { number: OUTSIDE, id: root }, &mut known)?;
    let Known { by_name, pending, .. } = known;
    layout.start = start_of(&layout, &top, start, &Within { name: "the machine", place: FilePosition::default() })?;
    if let Some(timed) = spec.any.iter().find(|way| way.after.is_some()) {
        let sentence =
            "`after` counts from entering a state, and `any` belongs to none: expected `delay`, or a state's own";
        return Err(Refusal::wrong(timed.place, sentence));
    }
    layout.any = add_ways(&mut layout, spec.any, root, &by_name)?;
    for (state, go) in pending {
        let id = layout.states[usize::from(state)].id;
        layout.states[usize::from(state)].go = add_ways(&mut layout, go, id, &by_name)?;
    }
    check_reach(&layout)?;
    check_rounds(&layout)?;
    Ok(layout)
}

/// What is known of the states so far.
struct Known<H: Host> {
    by_name: BTreeMap<String, u16>,
    ids: Ids,
    /// Their transitions, to be added when all names are known.
    pending: Vec<(u16, Vec<TransitionSpec<H>>)>,
}

/// Whose states are added.
#[derive(Clone, Copy)]
struct Owner {
    /// Its number, or [`OUTSIDE`].
    number: u16,
    id: NodeId,
}

/// Adds states and all inside them; gives their numbers.
fn add_states<H: Host>(
    layout: &mut Layout<H>,
    specs: Vec<StateSpec<H>>,
    owner: Owner,
    known: &mut Known<H>,
) -> Result<Vec<u16>, Refusal> {
    let parent = owner.number;
    let depth = if parent == OUTSIDE { 0 } else { layout.states[usize::from(parent)].depth + 1 };
    let mut numbers = Vec::new();
    for spec in specs {
        if layout.states.len() == STATES_MAX {
            return Err(Refusal::wrong(spec.place, format!("more than {STATES_MAX} states are too many")));
        }
        // Limited by STATES_MAX.
        let number = layout.states.len() as u16;
        known.ids.add(spec.id.as_deref(), &spec.name, spec.place)?;
        if known.by_name.insert(spec.name.clone(), number).is_some() {
            return Err(Refusal::new(spec.place, Problem::Twice { what: "states", name: spec.name }));
        }
        if spec.task.is_some() && !spec.states.is_empty() {
            let sentence = format!("`{}` has a task and states: expected one or the other", spec.name);
            return Err(Refusal::wrong(spec.place, sentence));
        }
        let id = id_of(owner.id, "state", &spec.name, spec.id.as_deref());
        layout.states.push(StateRow {
            id,
            name: spec.name.clone(),
            parent,
            depth,
            start: None,
            history: spec.history,
            enter: spec.enter,
            task: spec.task,
            exit: spec.exit,
            go: (0, 0),
            place: spec.place,
        });
        known.pending.push((number, spec.go));
        if !spec.states.is_empty() {
            let inside = add_states(layout, spec.states, Owner { number, id }, known)?;
            let within = Within { name: &format!("`{}`", spec.name), place: spec.place };
            let start = start_of(layout, &inside, spec.start, &within)?;
            layout.states[usize::from(number)].start = Some(start);
        } else if let Some(StartSpec { place, .. }) = spec.start {
            return Err(Refusal::wrong(place, format!("`{}` has no states to start in", spec.name)));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// Whose start is looked for: as a sentence names it, and its place in the file.
struct Within<'a> {
    name: &'a str,
    place: FilePosition,
}

/// The state that one begins in, among those of one owner; the first if none is named.
fn start_of<H: Host>(
    layout: &Layout<H>,
    among: &[u16],
    start: Option<StartSpec>,
    within: &Within<'_>,
) -> Result<u16, Refusal> {
    let Some(&first) = among.first() else {
        let sentence = format!("{} has no states: expected at least one", within.name);
        return Err(Refusal::wrong(within.place, sentence));
    };
    let Some(StartSpec { name, place }) = start else { return Ok(first) };
    let name_of = |number: &u16| layout.states[usize::from(*number)].name.as_str();
    let unknown = || Refusal::unknown(place, "state", &name, among.iter().map(name_of).collect::<Vec<_>>());
    among.iter().copied().find(|number| name_of(number) == name).ok_or_else(unknown)
}

fn add_ways<H: Host>(
    layout: &mut Layout<H>,
    mut specs: Vec<TransitionSpec<H>>,
    owner: NodeId,
    by_name: &BTreeMap<String, u16>,
) -> Result<(u16, u16), Refusal> {
    let from = layout.ways.len();
    // Stable: equal priorities keep their order.
    specs.sort_by_key(|spec| std::cmp::Reverse(spec.priority));
    let mut ordinals: BTreeMap<String, u32> = BTreeMap::new();
    for spec in specs {
        let unknown = || Refusal::unknown(spec.place, "state", &spec.to, by_name.keys().map(String::as_str));
        let to = *by_name.get(&spec.to).ok_or_else(unknown)?;
        if spec.after.is_some() && spec.delay.is_some() {
            let sentence = "`after` and `delay` at once: expected one of them";
            return Err(Refusal::wrong(spec.place, sentence));
        }
        let ordinal = ordinals.entry(spec.to.clone()).and_modify(|count| *count += 1).or_insert(0);
        let id = NodeId::derived(owner, "go", &spec.to, *ordinal);
        let part = Part::new(id, Naming { authored: None, kind: "go", name: &spec.to }, spec.content);
        let TransitionSpec { when, on, after, delay, .. } = spec;
        layout.ways.push(Way { id, to, when, on, after, delay, part });
    }
    let narrow = |count: usize| {
        u16::try_from(count)
            .map_err(|_| Refusal::wrong(FilePosition::default(), "more than 65535 transitions are too many"))
    };
    Ok((narrow(from)?, narrow(layout.ways.len())?))
}

/// Every state must be reached by a start, a transition, or from inside.
fn check_reach<H: Host>(layout: &Layout<H>) -> Result<(), Refusal> {
    let mut reached = vec![false; layout.states.len()];
    let mut open = vec![layout.start];
    let targets = |range: (u16, u16)| layout.ways[usize::from(range.0)..usize::from(range.1)].iter().map(|way| way.to);
    open.extend(targets(layout.any));
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut reached[usize::from(state)], true) {
            continue;
        }
        let row = &layout.states[usize::from(state)];
        open.extend(targets(row.go));
        open.extend(row.start);
        open.extend(Some(row.parent).filter(|&parent| parent != OUTSIDE));
    }
    match reached.iter().position(|&reached| !reached) {
        None => Ok(()),
        Some(state) => {
            let row = &layout.states[state];
            Err(Refusal::wrong(row.place, format!("`{}` is out of reach: no transition leads there", row.name)))
        }
    }
}

/// Refuses states that hand on to each other without condition or time: such a round would never end.
fn check_rounds<H: Host>(layout: &Layout<H>) -> Result<(), Refusal> {
    let next = |state: u16| {
        let mut at = state;
        // Entering a machine means entering its start.
        while let Some(start) = layout.states[usize::from(at)].start {
            at = start;
        }
        let mut owner = at;
        while owner != OUTSIDE {
            let row = &layout.states[usize::from(owner)];
            let ways = &layout.ways[usize::from(row.go.0)..usize::from(row.go.1)];
            let is_free =
                |way: &&Way<H>| way.when.is_always() && way.on.is_none() && way.after.is_none() && way.delay.is_none();
            if let Some(way) = ways.iter().find(is_free) {
                return Some(way.to);
            }
            owner = row.parent;
        }
        None
    };
    for state in 0..layout.states.len() as u16 {
        let mut at = state;
        for _ in 0..=layout.states.len() {
            match next(at) {
                None => break,
                Some(to) if to == state => {
                    let row = &layout.states[usize::from(state)];
                    let sentence = format!("`{}` goes round in a cycle: expected a condition or a time", row.name);
                    return Err(Refusal::wrong(row.place, sentence));
                }
                Some(to) => at = to,
            }
        }
    }
    Ok(())
}
