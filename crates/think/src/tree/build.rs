//! From what is authored to what runs, checked once.

use std::collections::BTreeSet;

use sentir_asset::{FilePosition, Problem, Refusal};
use sentir_core::state::hash;
use thiserror::Error;

use super::condition::{ConditionSpec, TreeCondition, too_early};
use super::{Aborts, Arity, NodeKind, NodeSpec, Quorum};
use super::{DEPTH_MAX, FAILS, Label, MIXED_CHILDREN_MAX, NODES_MAX, Observer, SUCCEEDS, Tree, TreeNode};
use crate::align::{Naming, Part};
use crate::key::{AnyKey, KeySet, Route};
use crate::leaf::Host;
use crate::node::NodeId;

/// Why a tree is refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{node}: {problem}")]
pub struct TreeError {
    /// The tree of a library in which the node was written; nothing for a tree made by code.
    pub tree: String,
    /// Where the node stands in its file, if it came from one.
    pub place: FilePosition,
    /// The node, by kind and name.
    pub node: String,
    /// What is wrong.
    pub problem: TreeProblem,
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        Refusal::new(error.place, Problem::Wrong(error.to_string()))
    }
}

/// What is wrong with a tree.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TreeProblem {
    /// Too many children, or too few.
    #[error("has {found} children: expected {expected}")]
    Children {
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: &'static str,
    },
    /// A list for the children has another length.
    #[error("has {found} {what} for {children} children: expected one each")]
    ForEach {
        /// What the list holds.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of children.
        children: usize,
    },
    /// A number outside its limits.
    #[error("{what} is {found}: expected {expected}")]
    Number {
        /// Which.
        what: &'static str,
        /// What it is.
        found: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// Nothing to the right to end.
    #[error("cannot abort lower branches here: expected a selector as the next composite above")]
    NoSelector,
    /// A cooldown has nothing of its own to end.
    #[error("cannot abort its own branch: expected `none` or `lower`")]
    NothingOwn,
    /// The branch cannot be reached.
    #[error("is never reached: the {kind} before it {never}")]
    Unreachable {
        /// The kind of its left sibling.
        kind: &'static str,
        /// What that one never does.
        never: &'static str,
    },
    /// Two of one id.
    #[error("two nodes have the id `{0}`: expected every id once")]
    Twice(String),
    /// A named condition is read before it is asked.
    #[error("reads `{0}`, which is asked after it: expected that above it")]
    TooEarly(String),
    /// Too big.
    #[error("the tree has more than {NODES_MAX} nodes, with its subtrees")]
    TooMany,
    /// Too deep.
    #[error("the tree is more than {DEPTH_MAX} levels deep, with its subtrees")]
    TooDeep,
}

fn title<H: Host>(spec: &NodeSpec<H>) -> String {
    let name = label_name(spec);
    if name.is_empty() { spec.kind.name().to_owned() } else { format!("{} `{name}`", spec.kind.name()) }
}

fn label_name<H: Host>(spec: &NodeSpec<H>) -> String {
    if spec.name.is_empty() { spec.kind.leaf_name().to_owned() } else { spec.name.clone() }
}

fn refuse<H: Host, T>(spec: &NodeSpec<H>, problem: TreeProblem) -> Result<T, TreeError> {
    Err(TreeError { tree: spec.tree.clone(), place: spec.place, node: title(spec), problem })
}

impl<H: Host> Tree<H> {
    /// Checks a tree and makes it ready to run.
    pub fn build(root: NodeSpec<H>) -> Result<Tree<H>, TreeError> {
        Tree::build_with(root, Vec::new())
    }

    /// The same with named conditions, in the order in which they are asked.
    pub fn build_with(root: NodeSpec<H>, conditions: Vec<ConditionSpec>) -> Result<Tree<H>, TreeError> {
        check(&root, 1, &mut 0)?;
        let mut tree = Tree {
            nodes: Vec::new(),
            labels: Vec::new(),
            parts: Vec::new(),
            observers: Vec::new(),
            conditions: Vec::new(),
            judged: KeySet::default(),
            lowers: Vec::new(),
            shared: Vec::new(),
            words: 0,
            slots: 0,
            shape: 0,
        };
        let mut ids = BTreeSet::new();
        flatten(&mut tree, &mut ids, root, Above { parent: 0, id: NodeId::NONE, within: NodeId::NONE, ordinal: 0 })?;
        follow(&mut tree);
        let mut shared = BTreeSet::new();
        judge(&mut tree, conditions, &mut shared)?;
        observers(&mut tree, &mut shared)?;
        tree.shared = shared.into_iter().collect();
        let mut parts: Vec<_> = tree.labels().map(|(id, label)| (id.0, label.kind.to_owned())).collect();
        // A block fits only a tree with the same words behind those of the nodes.
        parts.extend(tree.conditions.iter().map(|one| (one.word.map_or(0, u64::from), one.spec.name.clone())));
        let bounds: Vec<_> = tree.nodes.iter().map(|node| (node.end, node.word, node.slot)).collect();
        tree.shape = hash(&(parts, bounds)).max(1);
        Ok(tree)
    }
}

/// How a branch may end.
#[derive(Clone, Copy)]
struct Ends {
    success: bool,
    failure: bool,
}

/// Checks a node and all below it, and says how it may end. `level` counts from 1.
fn check<H: Host>(spec: &NodeSpec<H>, level: usize, count: &mut usize) -> Result<Ends, TreeError> {
    *count += 1;
    if *count > NODES_MAX {
        return refuse(spec, TreeProblem::TooMany);
    }
    if level > DEPTH_MAX {
        return refuse(spec, TreeProblem::TooDeep);
    }
    let found = spec.children.len();
    match spec.kind.arity() {
        Arity::Composite if found == 0 => {
            return refuse(spec, TreeProblem::Children { found, expected: "one or more" });
        }
        Arity::Decorator if found != 1 => return refuse(spec, TreeProblem::Children { found, expected: "one" }),
        Arity::Leaf if found != 0 => return refuse(spec, TreeProblem::Children { found, expected: "none" }),
        _ => {}
    }
    numbers(spec)?;
    let ends = spec.children.iter().map(|child| check(child, level + 1, count)).collect::<Result<Vec<_>, _>>()?;
    reached(spec, &ends)?;
    Ok(ends_of(&spec.kind, &ends))
}

fn reached<H: Host>(spec: &NodeSpec<H>, ends: &[Ends]) -> Result<(), TreeError> {
    for (index, child) in spec.children.iter().enumerate().skip(1) {
        let before = ends[index - 1];
        let never = match spec.kind {
            NodeKind::Sequence | NodeKind::ReactiveSequence if !before.success => "never succeeds",
            NodeKind::Selector | NodeKind::ReactiveSelector if !before.failure => "never fails",
            _ => continue,
        };
        let kind = spec.children[index - 1].kind.name();
        return refuse(child, TreeProblem::Unreachable { kind, never });
    }
    Ok(())
}

fn ends_of<H: Host>(kind: &NodeKind<H>, children: &[Ends]) -> Ends {
    use NodeKind as K;
    let (all_succeed, all_fail) = (children.iter().all(|one| one.success), children.iter().all(|one| one.failure));
    let any = Ends { success: children.iter().any(|one| one.success), failure: children.iter().any(|one| one.failure) };
    let (success, failure) = match kind {
        K::Sequence | K::ReactiveSequence | K::RandomSequence { .. } => (all_succeed, any.failure),
        K::Selector | K::ReactiveSelector | K::RandomSelector { .. } => (any.success, all_fail),
        // Scores may forbid all of them.
        K::UtilitySelector { .. } => (any.success, true),
        K::Invert => (any.failure, any.success),
        K::ForceSuccess => (any.success || any.failure, false),
        K::ForceFailure => (false, any.success || any.failure),
        K::UntilSuccess => (any.success, false),
        K::UntilFailure => (any.failure, false),
        K::Loop | K::Idle => (false, false),
        K::Cooldown { .. } | K::TimeLimit { .. } | K::When { .. } | K::If { .. } | K::RunLimit { .. } => {
            (any.success, true)
        }
        K::Probability { chance } => (any.success && *chance > 0.0, any.failure || *chance < 1.0),
        K::Repeat { .. } | K::Catch { .. } | K::Delay { .. } | K::Log | K::Breakpoint | K::Service { .. } => {
            (any.success, any.failure)
        }
        K::Wait(_) | K::Set { .. } | K::Succeed => (true, false),
        K::Fail => (false, true),
        K::Parallel { .. } | K::Check(_) | K::Test(_) | K::Task(_) => (true, true),
    };
    Ends { success, failure }
}

fn numbers<H: Host>(spec: &NodeSpec<H>) -> Result<(), TreeError> {
    use NodeKind as K;
    let children = spec.children.len();
    let mixed = || match children {
        0..=MIXED_CHILDREN_MAX => Ok(()),
        found => refuse(spec, TreeProblem::Children { found, expected: "at most 32" }),
    };
    let wrong = |what, found, expected| refuse(spec, TreeProblem::Number { what, found, expected });
    match &spec.kind {
        K::Parallel { success, failure } => {
            mixed()?;
            for (what, quorum) in [("the quorum of success", success), ("the quorum of failure", failure)] {
                let Quorum::Count(count) = *quorum else { continue };
                if count == 0 || count as usize > children {
                    return wrong(what, f64::from(count), "1 to the number of children");
                }
            }
        }
        K::RandomSelector { weights } | K::RandomSequence { weights } => {
            mixed()?;
            let found = weights.len();
            if found != 0 && found != children {
                return refuse(spec, TreeProblem::ForEach { what: "weights", found, children });
            }
            if let Some(weight) = weights.iter().find(|weight| !(0.0..=1.0e6).contains(*weight)) {
                return wrong("a weight", f64::from(*weight), "0 to 1 000 000");
            }
        }
        K::UtilitySelector { scores } => {
            mixed()?;
            let found = scores.len();
            if found != children {
                return refuse(spec, TreeProblem::ForEach { what: "scores", found, children });
            }
        }
        K::Repeat { times: 0 } => return wrong("the number of times", 0.0, "1 or more"),
        K::Probability { chance } if !(0.0..=1.0).contains(chance) => {
            return wrong("the probability", f64::from(*chance), "0 to 1");
        }
        K::Cooldown { rest, aborts } => {
            if rest.seconds <= 0.0 || rest.seconds.is_nan() {
                return wrong("the rest", f64::from(rest.seconds), "more than 0 seconds");
            }
            if aborts.own() {
                return refuse(spec, TreeProblem::NothingOwn);
            }
        }
        _ => {}
    }
    Ok(())
}

/// What a node needs to know of what stands above it.
#[derive(Clone, Copy)]
struct Above {
    parent: u16,
    id: NodeId,
    /// The scope of authored ids.
    within: NodeId,
    /// Earlier siblings of its kind and name.
    ordinal: u32,
}

fn flatten<H: Host>(
    tree: &mut Tree<H>,
    ids: &mut BTreeSet<NodeId>,
    spec: NodeSpec<H>,
    above: Above,
) -> Result<(), TreeError> {
    // Fits: `check` counted the nodes.
    let at = tree.nodes.len() as u16;
    let name = label_name(&spec);
    let (sort, called) = naming(&spec);
    let id = match &spec.id {
        Some(id) => NodeId::authored(above.within, id),
        None => NodeId::derived(above.id, sort, called, above.ordinal),
    };
    if !ids.insert(id) {
        return refuse(&spec, TreeProblem::Twice(spec.id.clone().unwrap_or(name)));
    }
    let part = Part::new(id, Naming { authored: spec.id.as_deref(), kind: sort, name: called }, spec.content);
    let within = if spec.subtree.is_some() { id } else { above.within };
    let label = Label { kind: spec.kind.name(), name, tree: spec.tree.clone(), place: spec.place };
    let (words, bytes) = room(&spec.kind, spec.children.len());
    let (word, slot) = (tree.words as u32, (tree.slots as u32, bytes as u32));
    tree.words += words;
    tree.slots += bytes;
    tree.nodes.push(TreeNode {
        kind: spec.kind,
        parent: above.parent,
        end: 0,
        next: [SUCCEEDS, FAILS],
        word,
        slot,
        lowers: (0, 0),
        id,
    });
    tree.labels.push(label);
    tree.parts.push(part);
    let mut equals: Vec<(String, String, u32)> = Vec::new();
    for child in spec.children {
        let (sort, called) = naming(&child);
        let place = match equals.iter().position(|(one, other, _)| one == sort && other == called) {
            Some(place) => place,
            None => {
                equals.push((sort.to_owned(), called.to_owned(), 0));
                equals.len() - 1
            }
        };
        let ordinal = equals[place].2;
        // A node with an id of its own does not shift the others.
        equals[place].2 += u32::from(child.id.is_none());
        flatten(tree, ids, child, Above { parent: at, id, within, ordinal })?;
    }
    tree.nodes[usize::from(at)].end = tree.nodes.len() as u16;
    Ok(())
}

/// What a node is known by among its siblings: its kind and name, or that it is a certain subtree.
fn naming<H: Host>(spec: &NodeSpec<H>) -> (&str, &str) {
    match &spec.subtree {
        Some(subtree) => ("subtree", subtree),
        None if spec.name.is_empty() => (spec.kind.name(), spec.kind.leaf_name()),
        None => (spec.kind.name(), &spec.name),
    }
}

/// Words and slot bytes a node needs.
fn room<H: Host>(kind: &NodeKind<H>, children: usize) -> (usize, usize) {
    use NodeKind as K;
    match kind {
        K::RandomSelector { .. } | K::RandomSequence { .. } | K::UtilitySelector { .. } => {
            (1 + children.div_ceil(8), 0)
        }
        K::Task(task) => (1, task.slot_bytes()),
        K::Service { service, .. } => (1, service.slot_bytes()),
        K::Sequence
        | K::Selector
        | K::Parallel { .. }
        | K::Repeat { .. }
        | K::Cooldown { .. }
        | K::TimeLimit { .. }
        | K::When { .. }
        | K::RunLimit { .. }
        | K::Catch { .. }
        | K::Delay { .. }
        | K::Wait(_) => (1, 0),
        _ => (0, 0),
    }
}

/// Works out what follows each child of a sequence or selector with memory. Parents come first.
fn follow<H: Host>(tree: &mut Tree<H>) {
    for at in 1..tree.nodes.len() {
        let parent = usize::from(tree.nodes[at].parent);
        let above = &tree.nodes[parent];
        let sibling = tree.nodes[at].end;
        let is_last = sibling == above.end;
        // Whoever runs the topmost of nested ones deals with how it ends; a reactive one is always the topmost.
        let mut next = match above.kind {
            NodeKind::Sequence | NodeKind::Selector => above.next,
            _ => [SUCCEEDS, FAILS],
        };
        match above.kind {
            NodeKind::Sequence | NodeKind::ReactiveSequence if !is_last => next[0] = sibling,
            NodeKind::Selector | NodeKind::ReactiveSelector if !is_last => next[1] = sibling,
            _ => {}
        }
        tree.nodes[at].next = next;
    }
}

/// Takes in the named conditions: each may read those above it.
fn judge<H: Host>(
    tree: &mut Tree<H>,
    conditions: Vec<ConditionSpec>,
    shared: &mut BTreeSet<u8>,
) -> Result<(), TreeError> {
    if let Some((spec, other)) = too_early(&conditions) {
        let (node, problem) = (format!("condition `{}`", spec.name), TreeProblem::TooEarly(other.to_owned()));
        return Err(TreeError { tree: String::new(), place: spec.place, node, problem });
    }
    let is_kept = |key| conditions.iter().any(|one| one.key.any() == key);
    for spec in &conditions {
        spec.each_key(&mut |key| {
            if !is_kept(key) {
                tree.judged.insert(key);
                note_shared(key, shared);
            }
        });
    }
    for spec in conditions {
        let word = spec.after_s.is_some().then_some(tree.words as u32);
        tree.words += usize::from(word.is_some());
        tree.conditions.push(TreeCondition { spec, word });
    }
    Ok(())
}

fn note_shared(key: AnyKey, shared: &mut BTreeSet<u8>) {
    if key.route.0 & (Route::TEAM | Route::WORLD) != 0 {
        shared.insert(key.index);
    }
}

fn observers<H: Host>(tree: &mut Tree<H>, shared: &mut BTreeSet<u8>) -> Result<(), TreeError> {
    let mut found = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let (aborts, test) = match &node.kind {
            NodeKind::When { test, aborts } => (*aborts, Some(test)),
            NodeKind::Cooldown { aborts, .. } => (*aborts, None),
            _ => continue,
        };
        if aborts == Aborts::Nothing {
            continue;
        }
        let mut keys = KeySet::default();
        if let Some(test) = test {
            test.each_key(&mut |key| {
                keys.insert(key);
                note_shared(key, shared);
            });
        }
        let lower = if aborts.lower() { Some(selector_above(tree, at)?) } else { None };
        found.push(Observer { node: at as u16, lower, own: aborts.own(), keys });
    }
    for at in 0..tree.nodes.len() {
        let first = tree.lowers.len() as u16;
        let is_mine = |one: &&Observer| one.lower.is_some_and(|(selector, _)| usize::from(selector) == at);
        if matches!(tree.nodes[at].kind, NodeKind::Selector) {
            tree.lowers.extend(found.iter().filter(is_mine).map(|one| one.node));
        }
        tree.nodes[at].lowers = (first, tree.lowers.len() as u16);
    }
    tree.observers = found;
    Ok(())
}

/// The next composite above, which must be a selector, and the child of it on the way.
fn selector_above<H: Host>(tree: &Tree<H>, at: usize) -> Result<(u16, u16), TreeError> {
    let mut child = at;
    while child != 0 {
        let parent = usize::from(tree.nodes[child].parent);
        match tree.nodes[parent].kind {
            NodeKind::Selector | NodeKind::ReactiveSelector => return Ok((parent as u16, child as u16)),
            ref other if other.arity() == Arity::Composite => break,
            _ => child = parent,
        }
    }
    let label = &tree.labels[at];
    let title = if label.name.is_empty() { label.kind.to_owned() } else { label.name.clone() };
    Err(TreeError { tree: label.tree.clone(), place: label.place, node: title, problem: TreeProblem::NoSelector })
}
