//! Trees as they are authored: in code by these types, in files by [`asset`](crate::tree::asset), which makes them.

use sentir_asset::FilePosition;

use crate::key::{AnyBind, AnyKey};
use crate::leaf::{ConditionLeaf, Host, ScoreLeaf, ServiceLeaf, TaskLeaf};
use crate::span::Span;
use crate::test::Test;

/// Which running branches an observer may end when its answer changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aborts {
    /// None: the answer is asked for on entry only.
    #[default]
    Nothing,
    /// The own branch, when the answer becomes no.
    Own,
    /// Branches to the right under the selector above, when the answer becomes yes.
    Lower,
    /// Both.
    Both,
}

impl Aborts {
    /// All of them, with their names in files.
    pub const NAMES: [(&'static str, Aborts); 4] =
        [("none", Aborts::Nothing), ("self", Aborts::Own), ("lower", Aborts::Lower), ("both", Aborts::Both)];

    pub(crate) fn own(self) -> bool {
        matches!(self, Aborts::Own | Aborts::Both)
    }

    pub(crate) fn lower(self) -> bool {
        matches!(self, Aborts::Lower | Aborts::Both)
    }
}

/// How many children of a parallel it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quorum {
    /// Any one.
    One,
    /// Every one.
    All,
    /// So many. Limit: 1..=number of children.
    Count(u32),
}

impl Quorum {
    pub(crate) fn needed(self, children: u32) -> u32 {
        match self {
            Quorum::One => 1,
            Quorum::All => children,
            Quorum::Count(count) => count,
        }
    }
}

/// What a node does. The sentences say what it returns; *runs* means that it returns running.
pub enum NodeKind<H: Host> {
    /// Runs its children in order until one fails: fails with it, succeeds after the last. Goes on where it was.
    Sequence,
    /// Runs its children in order until one succeeds: succeeds with it, fails after the last. Goes on where it was.
    Selector,
    /// A sequence that begins anew at its first child in every tick. A child that runs ends what ran to its right.
    ReactiveSequence,
    /// A selector that begins anew at its first child in every tick. A child that takes over ends what ran to its right.
    ReactiveSelector,
    /// Runs all children at once, each until it is done. When all had their tick, it fails if enough failed, else succeeds
    /// if enough succeeded, else fails if none is left; what still runs is ended. At most 32 children.
    Parallel {
        /// Successes it takes to succeed.
        success: Quorum,
        /// Failures it takes to fail.
        failure: Quorum,
    },
    /// A selector in a random order, drawn when it starts. At most 32 children.
    RandomSelector {
        /// How likely each is to be next, among those left; none means all alike. Weight 0 goes last, in order.
        weights: Vec<f32>,
    },
    /// A sequence in a random order, drawn when it starts. At most 32 children.
    RandomSequence {
        /// As in [`NodeKind::RandomSelector`].
        weights: Vec<f32>,
    },
    /// A selector in the order of scores, the best first, asked when it starts. A child that scores −∞ is not tried. At
    /// most 32 children.
    UtilitySelector {
        /// A score for each child; an appeal is one by [`Appraise`](crate::utility::Appraise).
        scores: Vec<ScoreLeaf<H>>,
    },
    /// Success for failure, failure for success.
    Invert,
    /// Success, however its child ends.
    ForceSuccess,
    /// Failure, however its child ends.
    ForceFailure,
    /// Runs its child until it succeeded so often; fails with it. One end of the child a tick.
    Repeat {
        /// How often. Limit: ≥ 1.
        times: u32,
    },
    /// Runs its child again until it succeeds.
    UntilSuccess,
    /// Runs its child again until it fails, and succeeds then.
    UntilFailure,
    /// Runs its child again and again, for ever.
    Loop,
    /// Rests after its child ended or was ended; fails while it rests.
    Cooldown {
        /// How long. Limit: > 0.
        rest: Span,
        /// What it may end when the rest is over; it has nothing of its own to end.
        aborts: Aborts,
    },
    /// Ends its child after that time, and fails.
    TimeLimit {
        /// How long.
        limit: Span,
    },
    /// Lets its child start with that probability; fails otherwise.
    Probability {
        /// Limit: 0..=1.
        chance: f32,
    },
    /// Lets its child start if the test holds; fails otherwise. With `aborts` it observes the keys of the test.
    When {
        /// The test.
        test: Test,
        /// What it may end.
        aborts: Aborts,
    },
    /// Lets its child start if the condition holds; fails otherwise.
    If {
        /// The condition.
        condition: ConditionLeaf<H>,
    },
    /// Lets its child start so often in the life of the tree; fails from then on.
    RunLimit {
        /// How often.
        runs: u32,
    },
    /// Catches failures of its child and restarts it, so often in one run; then fails with it. One end a tick.
    Catch {
        /// Restarts at most.
        restarts: u32,
    },
    /// Waits before its child starts.
    Delay {
        /// How long.
        wait: Span,
    },
    /// Notes that it was entered ([`Why::Logged`](crate::why::Why::Logged)).
    Log,
    /// Tells the host that it was entered, see [`Thought::breakpoint`](crate::thought::Thought::breakpoint).
    Breakpoint,
    /// Runs a service when its branch starts and then now and then, before its child.
    Service {
        /// The service.
        service: ServiceLeaf<H>,
        /// How long from one run to the next; at least a tick.
        period: Span,
    },
    /// Succeeds if the condition holds, fails otherwise.
    Check(ConditionLeaf<H>),
    /// Succeeds if the test holds, fails otherwise.
    Test(Test),
    /// Does the task.
    Task(TaskLeaf<H>),
    /// Runs for that time, then succeeds.
    Wait(Span),
    /// Writes or clears a key, and succeeds.
    Set {
        /// The key.
        key: AnyKey,
        /// Its new value; none, or a key without a value, clears.
        value: Option<AnyBind>,
    },
    /// Succeeds.
    Succeed,
    /// Fails.
    Fail,
    /// Runs for ever.
    Idle,
}

/// How many children a kind of node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Several, at least one.
    Composite,
    /// One.
    Decorator,
    /// None.
    Leaf,
}

impl<H: Host> NodeKind<H> {
    /// How many children it has.
    pub fn arity(&self) -> Arity {
        use NodeKind as K;
        match self {
            K::Sequence
            | K::Selector
            | K::ReactiveSequence
            | K::ReactiveSelector
            | K::Parallel { .. }
            | K::RandomSelector { .. }
            | K::RandomSequence { .. }
            | K::UtilitySelector { .. } => Arity::Composite,
            K::Check(_) | K::Test(_) | K::Task(_) | K::Wait(_) | K::Set { .. } | K::Succeed | K::Fail | K::Idle => {
                Arity::Leaf
            }
            _ => Arity::Decorator,
        }
    }

    /// The kind's name, as in files.
    pub fn name(&self) -> &'static str {
        use NodeKind as K;
        match self {
            K::Sequence => "sequence",
            K::Selector => "selector",
            K::ReactiveSequence => "reactive_sequence",
            K::ReactiveSelector => "reactive_selector",
            K::Parallel { .. } => "parallel",
            K::RandomSelector { .. } => "random_selector",
            K::RandomSequence { .. } => "random_sequence",
            K::UtilitySelector { .. } => "utility_selector",
            K::Invert => "invert",
            K::ForceSuccess => "force_success",
            K::ForceFailure => "force_failure",
            K::Repeat { .. } => "repeat",
            K::UntilSuccess => "until_success",
            K::UntilFailure => "until_failure",
            K::Loop => "loop",
            K::Cooldown { .. } => "cooldown",
            K::TimeLimit { .. } => "time_limit",
            K::Probability { .. } => "probability",
            K::When { .. } => "when",
            K::If { .. } => "if",
            K::RunLimit { .. } => "run_limit",
            K::Catch { .. } => "catch",
            K::Delay { .. } => "delay",
            K::Log => "log",
            K::Breakpoint => "breakpoint",
            K::Service { .. } => "service",
            K::Check(_) => "check",
            K::Test(_) => "test",
            K::Task(_) => "task",
            K::Wait(_) => "wait",
            K::Set { .. } => "set",
            K::Succeed => "succeed",
            K::Fail => "fail",
            K::Idle => "idle",
        }
    }

    /// The name of the leaf in it, or nothing.
    pub fn leaf_name(&self) -> &'static str {
        match self {
            NodeKind::Check(leaf) | NodeKind::If { condition: leaf } => leaf.name(),
            NodeKind::Task(leaf) => leaf.name(),
            NodeKind::Service { service, .. } => service.name(),
            _ => "",
        }
    }

    /// A node of this kind over several children.
    pub fn of(self, children: impl IntoIterator<Item = NodeSpec<H>>) -> NodeSpec<H> {
        NodeSpec {
            id: None,
            name: String::new(),
            subtree: None,
            tree: String::new(),
            place: FilePosition::default(),
            content: 0,
            kind: self,
            children: children.into_iter().collect(),
        }
    }

    /// A node of this kind over one child.
    pub fn over(self, child: NodeSpec<H>) -> NodeSpec<H> {
        self.of([child])
    }

    /// A node of this kind without children.
    pub fn leaf(self) -> NodeSpec<H> {
        self.of([])
    }
}

/// A node as it is authored, with all below it.
pub struct NodeSpec<H: Host> {
    /// Its authored id, if it has one: unique in its tree or subtree.
    pub id: Option<String>,
    /// What it is called, for people. Part of its id unless one is authored.
    pub name: String,
    /// The name of the subtree of which it is the root, if it is one.
    pub subtree: Option<String>,
    /// The tree of a library it was written in; nothing for a tree made by code.
    pub tree: String,
    /// Where it stands in its file.
    pub place: FilePosition,
    /// Stands for what its file says of it and all below it; 0 for one made by code. After an edit it tells which of
    /// several nodes of one kind and name is which.
    pub content: u64,
    /// What it does.
    pub kind: NodeKind<H>,
    /// Its children.
    pub children: Vec<NodeSpec<H>>,
}

impl<H: Host> NodeSpec<H> {
    /// The same node under a name.
    pub fn named(self, name: &str) -> Self {
        NodeSpec { name: name.to_owned(), ..self }
    }

    /// The same node with an authored id.
    pub fn with_id(self, id: &str) -> Self {
        NodeSpec { id: Some(id.to_owned()), ..self }
    }
}
