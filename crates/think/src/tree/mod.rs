//! Behavior trees: priorities, sequences and reactions, as data.
//!
//! A [`NodeSpec`] is built into a [`Tree`] once: nodes in pre-order in one array, so that a subtree is a range. What an
//! agent remembers is a [`TreeState`]. A tick goes down the running path only; a composite with memory goes on where it
//! was. The semantics of every node are in [`NodeKind`]; `tests/table` holds them case by case.
//!
//! **Waiting costs nothing.** A tree knows the next tick at which anything is due, and which keys could make a difference
//! to what runs now; before that tick, and while none of those keys changed, a tick returns after a few comparisons. Tasks
//! say how long they need no tick ([`Thought::sleep_until`]); `wait`, `delay`, `cooldown`, `time_limit` and services know
//! it. Reactive composites, loops and tasks that do not say so are due in every tick.
//!
//! **Observers** are `when` and `cooldown` with [`Aborts`]. There are no callbacks: changes set dirty bits, and at the start of
//! a tick, once, in node order, each observer whose keys changed asks again. If its answer changed, *own* ends its branch,
//! which fails; *lower* ends what runs to its right under its selector, which goes on with the observer's branch. An answer
//! counts as changed against the one given when the selector came past in that tick; if the observer was not asked then (a
//! decorator above it refused first, or its branch had been running and failed), against the one at the end of that tick.
//!
//! **Named conditions** ([`ConditionSpec`]) are yes-or-no keys that the tree keeps itself: asked before the observers.
//!
//! **Pairing.** Each task that was started ends or is aborted exactly once. Ends go from the last node to the first.
//!
//! **Cost**: O(nodes visited); a tick allocates nothing. At most [`NODES_MAX`] nodes, [`DEPTH_MAX`] deep.
//!
//! ```
//! use sentir_think::board::{Blackboard, Board};
//! use sentir_think::key::{KeySpec, Keys, Scope};
//! use sentir_think::leaf::{Host, Status, Task, TaskLeaf};
//! use sentir_think::test::Test;
//! use sentir_think::thought::{Sinks, Thinker, Thought};
//! use sentir_think::tree::{Aborts, NodeKind, Tree, TreeState};
//! use sentir_core::{id::AgentId, random::Streams, tick::{Tick, TickRate}, why::WhyLog};
//!
//! struct Game;
//! impl Host for Game {
//!     type View<'a> = ();
//!     type Out = Vec<&'static str>;
//! }
//! struct Do;
//! impl Task<Game> for Do {
//!     const NAME: &'static str = "do";
//!     type Params = &'static str;
//!     type State = ();
//!     fn tick(what: &&'static str, _: &mut (), thought: &mut Thought<'_, Game>) -> Status {
//!         thought.out.push(what);
//!         Status::Running
//!     }
//! }
//!
//! let keys = Keys::build([KeySpec::new::<AgentId>("enemy", Scope::Own)]).unwrap();
//! let enemy = keys.key::<AgentId>("enemy").unwrap();
//! let act = |what| NodeKind::<Game>::Task(TaskLeaf::new::<Do>(what)).leaf();
//! let sees = NodeKind::When { test: Test::IsSet(enemy.any()), aborts: Aborts::Both };
//! let tree = Tree::build(NodeKind::Selector.of([sees.over(act("fight")), act("patrol")])).unwrap();
//!
//! let (mut own, shared) = (Blackboard::new(&keys), Blackboard::new(&keys));
//! let (mut state, mut done, mut why) = (TreeState::default(), Vec::new(), WhyLog::default());
//! for tick in 0..3 {
//!     if tick == 1 {
//!         own.set(enemy, AgentId::from_bits(7));
//!     }
//!     let board = Board { own: &mut own, team: &shared, world: &shared };
//!     let (agent, rate, streams) = (AgentId::from_bits(1), TickRate::new(10), Streams { seed: 1 });
//!     let thinker = Thinker { agent, tick: Tick(tick), rate, streams };
//!     let mut thought = Thought::new(thinker, (), board, Sinks { out: &mut done, why: &mut why });
//!     assert_eq!(tree.tick(&mut state, &mut thought), Status::Running);
//! }
//! assert_eq!(done, ["patrol", "fight", "fight"]);
//! ```

mod analyze;
pub mod asset;
mod build;
mod composite;
mod condition;
mod decorator;
mod observe;
mod outline;
mod port;
mod reload;
mod run;
#[cfg(feature = "schema")]
pub(crate) mod schema;
mod spec;
mod state;
#[cfg(feature = "xml")]
pub mod xml;

pub use analyze::{Analysis, Ratio};
pub use build::{TreeError, TreeProblem};
pub use condition::ConditionSpec;
#[cfg(feature = "schema")]
pub use schema::schema;
pub use spec::{Aborts, Arity, NodeKind, NodeSpec, Quorum};
pub use state::TreeState;

use condition::TreeCondition;
use sentir_asset::FilePosition;

use crate::align::Part;
use crate::board::Board;
use crate::key::KeySet;
use crate::leaf::{Host, Status};
use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::Cause;

/// Most nodes of a tree, its subtrees included.
pub const NODES_MAX: usize = 4096;
/// Most levels of a tree, its subtrees included.
pub const DEPTH_MAX: usize = 128;
/// Most children of a parallel or a composite with a drawn order.
pub const MIXED_CHILDREN_MAX: usize = 32;

/// Instead of a node that follows: the topmost of nested sequences and selectors succeeds.
pub(crate) const SUCCEEDS: u16 = u16::MAX;
/// The same: it fails.
pub(crate) const FAILS: u16 = u16::MAX - 1;

/// One node of a built tree.
pub(crate) struct TreeNode<H: Host> {
    pub(crate) kind: NodeKind<H>,
    /// The node above; the root's is itself.
    pub(crate) parent: u16,
    /// One past the last node of its subtree; also its next sibling, if there is one.
    pub(crate) end: u16,
    /// Under a sequence or selector with memory: the node that follows its success, and its failure, or how that ends.
    pub(crate) next: [u16; 2],
    /// Its first word in the block.
    pub(crate) word: u32,
    /// Its first byte in the slots, and how many.
    pub(crate) slot: (u32, u32),
    /// Its part of [`Tree::lowers`].
    pub(crate) lowers: (u16, u16),
    pub(crate) id: NodeId,
}

/// What a node is called, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The kind's name.
    pub kind: &'static str,
    /// The authored name, or the leaf's.
    pub name: String,
    /// The tree of a library it was written in.
    pub tree: String,
    /// Where it stands in that tree's file.
    pub place: FilePosition,
}

/// An observer, resolved.
pub(crate) struct Observer {
    /// Its node.
    pub(crate) node: u16,
    /// The selector above, and the child of it that leads to the observer; none if it ends nothing to its right.
    pub(crate) lower: Option<(u16, u16)>,
    /// Whether it ends its own branch.
    pub(crate) own: bool,
    /// The keys it looks at.
    pub(crate) keys: KeySet,
}

/// A built tree: immutable, shared by all agents that wear it.
pub struct Tree<H: Host> {
    pub(crate) nodes: Vec<TreeNode<H>>,
    /// What the nodes are called: apart, because no tick needs it.
    pub(crate) labels: Vec<Label>,
    /// What tells the nodes apart when another version takes over.
    pub(crate) parts: Vec<Part>,
    pub(crate) observers: Vec<Observer>,
    /// Named conditions, in the order in which they are asked.
    pub(crate) conditions: Vec<TreeCondition>,
    /// The keys that those read and do not keep themselves.
    pub(crate) judged: KeySet,
    /// The observers that end what runs to their right, selector by selector.
    pub(crate) lowers: Vec<u16>,
    /// Keys that observers and named conditions read and that may be on shared boards.
    pub(crate) shared: Vec<u8>,
    pub(crate) words: usize,
    pub(crate) slots: usize,
    pub(crate) shape: u64,
}

impl<H: Host> std::fmt::Debug for Tree<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.labels.iter().map(|label| (label.kind, &label.name))).finish()
    }
}

impl<H: Host> Tree<H> {
    /// One tick of an agent's tree. When the tree is done, the next tick starts it again.
    ///
    /// The dirty bits of the own board are taken notice of: it belongs to this tree.
    #[inline]
    pub fn tick(&self, state: &mut TreeState, thought: &mut Thought<'_, H>) -> Status {
        let own = &*thought.board.own;
        if thought.tick < state.wake
            && state.shape == self.shape
            && (state.seen[0] == own.version() || !state.watch.meets(&own.dirty))
            && !self.is_shared_news(state, &thought.board)
        {
            return Status::Running;
        }
        run::think(self, state, thought)
    }

    /// Whether a shared key that matters to what runs now changed since the last tick.
    #[inline]
    fn is_shared_news(&self, state: &TreeState, board: &Board<'_>) -> bool {
        let (team, world) = (board.team, board.world);
        if self.shared.is_empty() || state.seen[1] == team.version() && state.seen[2] == world.version() {
            return false;
        }
        let is_news = |index: u8| {
            state.watch.contains_index(index)
                && (team.index_is_newer(index, state.seen[1]) || world.index_is_newer(index, state.seen[2]))
        };
        self.shared.iter().any(|&index| is_news(index))
    }

    /// Ends whatever runs, with all aborts: for the host, before it takes the tree away from an agent.
    pub fn stop(&self, state: &mut TreeState, thought: &mut Thought<'_, H>) {
        if self.fits(state) {
            let end = self.nodes.len();
            run::Run { tree: self, state, thought, wake: 0 }.halt(0, end, NodeId::NONE, || Cause::Host);
        }
        state.wake = thought.tick;
    }

    /// A block for this tree, with nothing running.
    pub fn state(&self) -> TreeState {
        TreeState {
            shape: self.shape,
            active: vec![0; self.nodes.len().div_ceil(64)],
            words: vec![0; self.words],
            slots: vec![0; self.slots],
            ..TreeState::default()
        }
    }

    /// Whether changes of keys matter to it.
    pub(crate) fn watches(&self) -> bool {
        !self.observers.is_empty() || !self.conditions.is_empty()
    }

    pub(crate) fn fits(&self, state: &TreeState) -> bool {
        state.shape == self.shape
            && state.active.len() == self.nodes.len().div_ceil(64)
            && state.words.len() == self.words
            && state.slots.len() == self.slots
    }

    /// Stands for the ids and kinds of all nodes: a block fits trees of one shape.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The ids of the nodes, in pre-order, with what they are called.
    pub fn labels(&self) -> impl Iterator<Item = (NodeId, &Label)> {
        self.nodes.iter().map(|node| node.id).zip(&self.labels)
    }

    /// What a node is called.
    pub fn label(&self, id: NodeId) -> Option<&Label> {
        self.labels().find(|(one, _)| *one == id).map(|(_, label)| label)
    }

    /// The nodes that run, in pre-order.
    pub fn active<'a>(&'a self, state: &'a TreeState) -> impl Iterator<Item = NodeId> + 'a {
        let count = if self.fits(state) { self.nodes.len() } else { 0 };
        (0..count).filter(|&at| state.is_active(at)).map(|at| self.nodes[at].id)
    }

    /// The children of a node, by their places.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = usize::from(self.nodes[at].end);
        let next = move |&child: &usize| Some(usize::from(self.nodes[child].end)).filter(|&next| next < end);
        std::iter::successors(Some(at + 1).filter(|&first| first < end), next)
    }
}
