//! Every kind of brain behind one face, for tests that go over all of them.

use sentir_asset::AssetError;
use sentir_core::state::{from_bytes, to_bytes};
use sentir_think::decision::{Decision, DecisionState};
use sentir_think::goap::{Goap, GoapScratch, GoapState};
use sentir_think::htn::{Htn, HtnState, TaskScratch};
use sentir_think::key::Keys;
use sentir_think::leaf::Status;
use sentir_think::machine::{Machine, MachineState, StateLibrary};
use sentir_think::rule::{Rules, RulesState};
use sentir_think::thought::Thought;
use sentir_think::tree::asset::Library;
use sentir_think::tree::{Tree, TreeState};
use sentir_think::utility::{Utility, UtilityState};
use sentir_think::why::Why;

use super::host::{Game, World, leaves};

pub enum Brain {
    Machine(Machine<Game>, MachineState),
    Decision(Decision<Game>, DecisionState),
    Utility(Utility<Game>, UtilityState),
    Goap(Goap<Game>, GoapState, GoapScratch),
    Htn(Htn<Game>, HtnState, TaskScratch),
    Rules(Rules<Game>, RulesState),
    Tree(Keys, Tree<Game>, TreeState),
}

/// Reads a brain of any kind; the header says which.
pub fn read(text: &str, file: &str) -> Result<Brain, AssetError> {
    read_with(text, file, &Keys::default(), &StateLibrary::new())
}

pub fn read_with(text: &str, file: &str, keys: &Keys, library: &StateLibrary<Game>) -> Result<Brain, AssetError> {
    let (bytes, leaves) = (text.as_bytes(), leaves());
    let kind = text.lines().find_map(|line| line.strip_prefix("sentir: ")).unwrap_or_default();
    Ok(match kind.split(' ').next().unwrap() {
        "decision" => {
            let brain = Decision::read(bytes, file, keys, &leaves)?;
            let state = brain.start();
            Brain::Decision(brain, state)
        }
        "utility" => {
            let brain = Utility::read(bytes, file, keys, &leaves)?;
            let state = brain.start();
            Brain::Utility(brain, state)
        }
        "goap" => {
            let brain = Goap::read(bytes, file, keys, &leaves)?;
            let state = brain.start();
            Brain::Goap(brain, state, GoapScratch::default())
        }
        "htn" => {
            let brain = Htn::read(bytes, file, keys, &leaves)?;
            let state = brain.start();
            Brain::Htn(brain, state, TaskScratch::default())
        }
        "rule" => {
            let brain = Rules::read(bytes, file, keys, &leaves)?;
            let state = brain.start();
            Brain::Rules(brain, state)
        }
        "tree" => {
            let library = Library::read(keys, [(file, bytes)])?;
            let tree = library.tree(library.names().next().unwrap_or("guard"), &leaves)?;
            let state = tree.state();
            Brain::Tree(library.keys().clone(), tree, state)
        }
        _ => {
            let brain = Machine::read(bytes, file, keys, &leaves, library)?;
            let state = brain.start();
            Brain::Machine(brain, state)
        }
    })
}

impl Brain {
    pub fn keys(&self) -> &Keys {
        match self {
            Brain::Machine(brain, ..) => brain.keys(),
            Brain::Decision(brain, ..) => brain.keys(),
            Brain::Utility(brain, ..) => brain.keys(),
            Brain::Goap(brain, ..) => brain.keys(),
            Brain::Htn(brain, ..) => brain.keys(),
            Brain::Rules(brain, ..) => brain.keys(),
            Brain::Tree(keys, ..) => keys,
        }
    }

    pub fn tick(&mut self, thought: &mut Thought<'_, Game>) -> Status {
        match self {
            Brain::Machine(brain, state) => brain.tick(state, thought),
            Brain::Decision(brain, state) => brain.tick(state, thought),
            Brain::Utility(brain, state) => brain.tick(state, thought),
            Brain::Goap(brain, state, scratch) => brain.tick(state, scratch, thought),
            Brain::Htn(brain, state, scratch) => brain.tick(state, scratch, thought),
            Brain::Rules(brain, state) => brain.tick(state, thought),
            Brain::Tree(_, tree, state) => tree.tick(state, thought),
        }
    }

    pub fn stop(&mut self, thought: &mut Thought<'_, Game>) {
        match self {
            Brain::Machine(brain, state) => brain.stop(state, thought),
            Brain::Decision(brain, state) => brain.stop(state, thought),
            Brain::Utility(brain, state) => brain.stop(state, thought),
            Brain::Goap(brain, state, _) => brain.stop(state, thought),
            Brain::Htn(brain, state, _) => brain.stop(state, thought),
            Brain::Rules(brain, state) => brain.stop(state, thought),
            Brain::Tree(_, tree, state) => tree.stop(state, thought),
        }
    }

    /// Goes over to another version, which must be of the same kind.
    pub fn adopt(&mut self, new: Brain, thought: &mut Thought<'_, Game>) {
        match (self, new) {
            (Brain::Machine(old, state), Brain::Machine(new, _)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Decision(old, state), Brain::Decision(new, _)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Utility(old, state), Brain::Utility(new, _)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Goap(old, state, _), Brain::Goap(new, ..)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Htn(old, state, _), Brain::Htn(new, ..)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Rules(old, state), Brain::Rules(new, _)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            (Brain::Tree(_, old, state), Brain::Tree(_, new, _)) => {
                new.adopt(old, state, thought);
                *old = new;
            }
            _ => panic!("another kind of brain"),
        }
    }

    pub fn save(&self) -> Vec<u8> {
        match self {
            Brain::Machine(_, state) => to_bytes(state),
            Brain::Decision(_, state) => to_bytes(state),
            Brain::Utility(_, state) => to_bytes(state),
            Brain::Goap(_, state, _) => to_bytes(state),
            Brain::Htn(_, state, _) => to_bytes(state),
            Brain::Rules(_, state) => to_bytes(state),
            Brain::Tree(_, _, state) => to_bytes(state),
        }
    }

    /// Takes a saved block over; false when the bytes are none. Memory of searches begins anew.
    pub fn load(&mut self, bytes: &[u8]) -> bool {
        fn put<T: sentir_core::State>(state: &mut T, bytes: &[u8]) -> bool {
            from_bytes(bytes).map(|loaded| *state = loaded).is_ok()
        }
        match self {
            Brain::Machine(_, state) => put(state, bytes),
            Brain::Decision(_, state) => put(state, bytes),
            Brain::Utility(_, state) => put(state, bytes),
            Brain::Goap(_, state, scratch) => {
                *scratch = GoapScratch::default();
                put(state, bytes)
            }
            Brain::Htn(_, state, scratch) => {
                *scratch = TaskScratch::default();
                put(state, bytes)
            }
            Brain::Rules(_, state) => put(state, bytes),
            Brain::Tree(_, _, state) => put(state, bytes),
        }
    }

    /// The name of a node, for messages and tests.
    pub fn node(&self, name: &str) -> sentir_think::node::NodeId {
        let all: Vec<_> = match self {
            Brain::Machine(brain, ..) => brain.nodes().collect(),
            Brain::Decision(brain, ..) => brain.nodes().collect(),
            Brain::Utility(brain, ..) => brain.nodes().collect(),
            Brain::Goap(brain, ..) => brain.nodes().chain(brain.goals()).collect(),
            Brain::Htn(brain, ..) => brain.nodes().collect(),
            Brain::Rules(brain, ..) => brain.nodes().collect(),
            Brain::Tree(_, tree, _) => tree.labels().map(|(id, label)| (label.name.as_str(), id)).collect(),
        };
        all.into_iter().find(|(one, _)| *one == name).unwrap().1
    }
}

/// What is wrong with a file, as a sentence.
pub fn refused(text: &str) -> String {
    match read(text, "brain.yaml") {
        Ok(_) => panic!("nothing is wrong with {text}"),
        Err(error) => error.to_string(),
    }
}

/// Runs one thought and gives the reasons for it.
pub fn reasons(brain: &mut Brain, world: &mut World) -> Vec<Why> {
    world.why.clear();
    world.why.listen(true);
    world.think(|thought| brain.tick(thought));
    world.why.listen(false);
    world.why.entries().iter().map(|entry| entry.why).collect()
}
