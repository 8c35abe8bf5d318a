//! Any kind of brain behind one face: read from a file, whose header says the kind; think; be looked at; go over to
//! another version of the file, or to another kind.
//!
//! The kinds themselves are plain types, for callers that know which one they want. This is for games, tools and tests that leave
//! it to the file.

use sentir_asset::{AssetError, FilePosition, Header, Node, Refusal};
use sentir_core::State;
use sentir_core::chart::Chart;

use crate::decision::{Decision, DecisionState};
use crate::goap::{Goap, GoapScratch, GoapState};
use crate::htn::{Htn, HtnState, TaskScratch};
use crate::key::Keys;
use crate::leaf::{Host, Status};
use crate::machine::{Machine, MachineState, StateLibrary};
use crate::node::NodeId;
use crate::outline::Outline;
use crate::registry::Leaves;
use crate::rule::{Rules, RulesState};
use crate::thought::Thought;
use crate::tree::asset::Library;
use crate::tree::{Tree, TreeState};
use crate::utility::{Utility, UtilityState};
use crate::why::Why;

/// The kinds of files that hold a brain, each with the current version of its format.
pub const KINDS: [(&str, u32); 7] =
    [("tree", 1), ("machine", 1), ("decision", 1), ("utility", 1), ("goap", 1), ("htn", 1), ("rule", 1)];

/// The tree that thinks, in a file with several.
pub const MAIN_TREE: &str = "main";

/// A brain of any kind, shared by all who wear it.
pub enum Brain<H: Host> {
    /// A behavior tree, with the table of keys that its boards must have.
    Tree(Box<Tree<H>>, Keys),
    /// A state machine, flat or nested.
    Machine(Machine<H>),
    /// A decision tree.
    Decision(Decision<H>),
    /// Options by worth.
    Utility(Utility<H>),
    /// Goals and plans.
    Goap(Box<Goap<H>>),
    /// Tasks that come apart.
    Htn(Box<Htn<H>>),
    /// Rules.
    Rules(Rules<H>),
}

/// What one agent remembers of its brain. The default fits none yet: the first thought begins anew.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub enum BrainState {
    /// Nothing.
    #[default]
    Blank,
    /// Of a behavior tree.
    Tree(TreeState),
    /// Of a state machine.
    Machine(MachineState),
    /// Of a decision tree.
    Decision(DecisionState),
    /// Of options.
    Utility(UtilityState),
    /// Of goals and plans.
    Goap(GoapState),
    /// Of tasks.
    Htn(HtnState),
    /// Of rules.
    Rules(RulesState),
}

/// Memory of searches; what it holds never changes a decision.
#[derive(Clone, Debug, Default)]
pub struct BrainScratch {
    goap: GoapScratch,
    htn: TaskScratch,
}

/// A file that a brain is read from.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'a> {
    /// Its name, for sentences about it.
    pub name: &'a str,
    /// All of it.
    pub bytes: &'a [u8],
}

impl<H: Host> Brain<H> {
    /// Reads a file of any kind. `keys` are those the game has already; the file may declare more. Of a file with several
    /// trees the one called [`MAIN_TREE`] thinks.
    #[cfg(feature = "files")]
    pub fn read(bytes: &[u8], file: &str, keys: &Keys, leaves: &Leaves<H>) -> Result<Brain<H>, AssetError> {
        Brain::read_with(SourceFile { name: file, bytes }, &[], keys, leaves)
    }

    /// Reads a file of any kind that uses others of its kind: trees may use the trees of those as
    /// subtrees, machines their outermost states by `use`. A refusal names the file that it is about.
    #[cfg(feature = "files")]
    pub fn read_with(
        main: SourceFile<'_>,
        others: &[SourceFile<'_>],
        keys: &Keys,
        leaves: &Leaves<H>,
    ) -> Result<Brain<H>, AssetError> {
        let SourceFile { name: file, bytes } = main;
        let node: Node = sentir_asset::parse(bytes, file)?;
        let header = Header::expect(&node, &KINDS).map_err(|refusal| AssetError::new(file, refusal))?;
        if let ("decision" | "utility" | "goap" | "htn" | "rule", Some(other)) = (&*header.kind, others.first()) {
            let sentence = format!("a brain of kind `{}` uses no other files: expected none", header.kind);
            return Err(AssetError::new(other.name, Refusal::wrong(FilePosition::default(), sentence)));
        }
        Ok(match header.kind.as_str() {
            "tree" => {
                let files = std::iter::once(&main).chain(others).map(|it| (it.name, it.bytes));
                let library = Library::read(keys, files)?;
                let name = main_tree(&library, file).map_err(|refusal| AssetError::new(file, refusal))?;
                library.check(leaves)?;
                Brain::Tree(Box::new(library.tree(name, leaves)?), library.keys().clone())
            }
            "machine" => {
                let (mut states, mut keys) = (StateLibrary::new(), keys.clone());
                for other in others {
                    keys = Machine::read_states(other.bytes, other.name, &keys, leaves, &mut states)?;
                }
                Brain::Machine(Machine::read(bytes, file, &keys, leaves, &states)?)
            }
            "decision" => Brain::Decision(Decision::read(bytes, file, keys, leaves)?),
            "utility" => Brain::Utility(Utility::read(bytes, file, keys, leaves)?),
            "goap" => Brain::Goap(Box::new(Goap::read(bytes, file, keys, leaves)?)),
            "htn" => Brain::Htn(Box::new(Htn::read(bytes, file, keys, leaves)?)),
            _ => Brain::Rules(Rules::read(bytes, file, keys, leaves)?),
        })
    }

    /// The table of keys that its boards must have.
    pub fn keys(&self) -> &Keys {
        match self {
            Brain::Tree(_, keys) => keys,
            Brain::Machine(brain) => brain.keys(),
            Brain::Decision(brain) => brain.keys(),
            Brain::Utility(brain) => brain.keys(),
            Brain::Goap(brain) => brain.keys(),
            Brain::Htn(brain) => brain.keys(),
            Brain::Rules(brain) => brain.keys(),
        }
    }

    /// What an agent that just got this brain remembers.
    pub fn start(&self) -> BrainState {
        match self {
            Brain::Tree(brain, _) => BrainState::Tree(brain.state()),
            Brain::Machine(brain) => BrainState::Machine(brain.start()),
            Brain::Decision(brain) => BrainState::Decision(brain.start()),
            Brain::Utility(brain) => BrainState::Utility(brain.start()),
            Brain::Goap(brain) => BrainState::Goap(brain.start()),
            Brain::Htn(brain) => BrainState::Htn(brain.start()),
            Brain::Rules(brain) => BrainState::Rules(brain.start()),
        }
    }

    /// Thinks once. A state of another kind of brain counts as none.
    pub fn tick(&self, state: &mut BrainState, scratch: &mut BrainScratch, thought: &mut Thought<'_, H>) -> Status {
        if !self.fits(state) {
            *state = self.start();
        }
        match (self, state) {
            (Brain::Tree(brain, _), BrainState::Tree(state)) => brain.tick(state, thought),
            (Brain::Machine(brain), BrainState::Machine(state)) => brain.tick(state, thought),
            (Brain::Decision(brain), BrainState::Decision(state)) => brain.tick(state, thought),
            (Brain::Utility(brain), BrainState::Utility(state)) => brain.tick(state, thought),
            (Brain::Goap(brain), BrainState::Goap(state)) => brain.tick(state, &mut scratch.goap, thought),
            (Brain::Htn(brain), BrainState::Htn(state)) => brain.tick(state, &mut scratch.htn, thought),
            (Brain::Rules(brain), BrainState::Rules(state)) => brain.tick(state, thought),
            _ => Status::Failure,
        }
    }

    /// Ends what is at work.
    pub fn stop(&self, state: &mut BrainState, thought: &mut Thought<'_, H>) {
        match (self, state) {
            (Brain::Tree(brain, _), BrainState::Tree(state)) => brain.stop(state, thought),
            (Brain::Machine(brain), BrainState::Machine(state)) => brain.stop(state, thought),
            (Brain::Decision(brain), BrainState::Decision(state)) => brain.stop(state, thought),
            (Brain::Utility(brain), BrainState::Utility(state)) => brain.stop(state, thought),
            (Brain::Goap(brain), BrainState::Goap(state)) => brain.stop(state, thought),
            (Brain::Htn(brain), BrainState::Htn(state)) => brain.stop(state, thought),
            (Brain::Rules(brain), BrainState::Rules(state)) => brain.stop(state, thought),
            _ => {}
        }
    }

    /// Takes an agent over from another version of this brain: what is at work goes on where it is still there. From
    /// another kind of brain it begins anew, and what was at work is ended.
    pub fn adopt(&self, old: &Brain<H>, state: &mut BrainState, thought: &mut Thought<'_, H>) {
        match (self, old, &mut *state) {
            (Brain::Tree(new, _), Brain::Tree(old, _), BrainState::Tree(state)) => new.adopt(old, state, thought),
            (Brain::Machine(new), Brain::Machine(old), BrainState::Machine(state)) => new.adopt(old, state, thought),
            (Brain::Decision(new), Brain::Decision(old), BrainState::Decision(state)) => {
                new.adopt(old, state, thought);
            }
            (Brain::Utility(new), Brain::Utility(old), BrainState::Utility(state)) => new.adopt(old, state, thought),
            (Brain::Goap(new), Brain::Goap(old), BrainState::Goap(state)) => new.adopt(old, state, thought),
            (Brain::Htn(new), Brain::Htn(old), BrainState::Htn(state)) => new.adopt(old, state, thought),
            (Brain::Rules(new), Brain::Rules(old), BrainState::Rules(state)) => new.adopt(old, state, thought),
            (new, old, state) => {
                old.stop(state, thought);
                *state = new.start();
            }
        }
    }

    fn fits(&self, state: &BrainState) -> bool {
        matches!(
            (self, state),
            (Brain::Tree(..), BrainState::Tree(_))
                | (Brain::Machine(_), BrainState::Machine(_))
                | (Brain::Decision(_), BrainState::Decision(_))
                | (Brain::Utility(_), BrainState::Utility(_))
                | (Brain::Goap(_), BrainState::Goap(_))
                | (Brain::Htn(_), BrainState::Htn(_))
                | (Brain::Rules(_), BrainState::Rules(_))
        )
    }

    /// Its parts; a plan at work is among them if a state is given.
    pub fn outline(&self, state: Option<&BrainState>) -> Outline {
        match (self, state) {
            (Brain::Tree(brain, keys), _) => brain.outline(keys),
            (Brain::Machine(brain), _) => brain.outline(),
            (Brain::Decision(brain), _) => brain.outline(),
            (Brain::Utility(brain), _) => brain.outline(),
            (Brain::Goap(brain), Some(BrainState::Goap(state))) => brain.outline(Some(state)),
            (Brain::Goap(brain), _) => brain.outline(None),
            (Brain::Htn(brain), Some(BrainState::Htn(state))) => brain.outline(Some(state)),
            (Brain::Htn(brain), _) => brain.outline(None),
            (Brain::Rules(brain), _) => brain.outline(),
        }
    }

    /// The nodes at work.
    pub fn active(&self, state: &BrainState) -> Vec<NodeId> {
        match (self, state) {
            (Brain::Tree(brain, _), BrainState::Tree(state)) => brain.active(state).collect(),
            (Brain::Machine(brain), BrainState::Machine(state)) => brain.active_nodes(state),
            (Brain::Decision(brain), BrainState::Decision(state)) => brain.active_nodes(state),
            (Brain::Utility(brain), BrainState::Utility(state)) => brain.active_nodes(state),
            (Brain::Goap(brain), BrainState::Goap(state)) => brain.active_nodes(state),
            (Brain::Htn(brain), BrainState::Htn(state)) => brain.active_nodes(state),
            (Brain::Rules(brain), BrainState::Rules(state)) => brain.active_nodes(state),
            _ => Vec::new(),
        }
    }

    /// The brain of one agent as one can look at it; `whys` are the reasons of its last thought, if somebody listened.
    pub fn chart<'a>(&self, name: &str, state: &BrainState, whys: impl IntoIterator<Item = &'a Why>) -> Chart {
        self.outline(Some(state)).chart(name, self.keys(), &self.active(state), whys)
    }
}

/// The tree that thinks: the one of that name, or the only one of the file.
fn main_tree<'a>(library: &'a Library, file: &str) -> Result<&'a str, Refusal> {
    let mut names = library.names_in(file);
    if let Some(main) = library.names().find(|name| *name == MAIN_TREE) {
        return Ok(main);
    }
    match (names.next(), names.next()) {
        (Some(only), None) => Ok(only),
        _ => {
            let sentence = format!("several trees, and none is called `{MAIN_TREE}`: expected one that thinks");
            Err(Refusal::wrong(FilePosition::default(), sentence))
        }
    }
}
