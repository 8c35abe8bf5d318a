//! Brains: beliefs in, intents out, and every decision can say why.
//!
//! All brains share one contract, so that they can be swapped and compared on the same body:
//!
//! | module | holds |
//! |---|---|
//! | [`value`], [`key`], [`board`] | typed facts, their names, and the boards of an agent, its team and the world |
//! | [`mod@test`] | questions about boards: is it set, how does it compare, is it near |
//! | [`leaf`], [`registry`] | the game's own conditions, scores, tasks and services, and their names in files |
//! | [`thought`] | all that one thought may read and write |
//! | [`mod@file`] | what files share: `$name`, declarations of keys, tests |
//! | [`span`], [`node`] | times with a deviation; ids of nodes that outlive an edit of the file |
//! | [`why`] | reasons: what is active, what was refused by which value, what aborted it |
//!
//! On it stand the brains, which all run from files and from code, in blocks that can be saved, with reasons:
//!
//! | module | holds |
//! |---|---|
//! | [`tree`] | behavior trees |
//! | [`machine`] | state machines, flat and nested, with history |
//! | [`decision`] | decision trees |
//! | [`utility`] | considerations with response curves; also for selectors of trees |
//! | [`goap`] | plans by goal, searched backward |
//! | [`htn`] | plans by taking tasks apart |
//! | [`rule`] | rules, crisp and fuzzy |
//! | [`clause`], [`situation`], [`work`], [`current_task`] | what these share: conditions, a planner's world, the task at work |
//!
//! There is no geometry here and no clock: a brain reads what its host shows it ([`leaf::Host::View`]), its boards and a
//! tick count. A brain is immutable and shared by all agents that use it; what one agent remembers is a block of plain words that
//! saves, loads and hashes by the state derive. Ticks allocate nothing.
//!
//! **Features**: `files` (on by default) reads brains from files; without it they are built by code. `schema` writes JSON schemas
//! of such files, for editors; `xml` takes trees from and to the XML of BehaviorTree.CPP.

#![cfg_attr(
    not(feature = "files"),
    allow(dead_code, unused_imports, reason = "what makes brains of parsed files is reached from files alone")
)]

mod align;
pub mod board;
pub mod brain;
pub mod file;
pub mod key;
pub mod leaf;
pub mod node;
pub mod outline;
pub mod registry;
#[cfg(feature = "schema")]
pub mod schema;
pub mod span;
#[cfg(feature = "files")]
pub mod stock;
pub mod test;
pub mod thought;
pub mod tree;
pub mod value;
pub mod why;

pub mod clause;
pub mod current_task;
pub mod decision;
pub mod goap;
pub mod htn;
pub mod machine;
mod open;
pub mod rule;
pub mod situation;
pub mod utility;
pub mod work;

#[cfg(feature = "schema")]
pub use schemars;
pub use sentir_asset as asset;
pub use sentir_core as core;
pub use serde;
