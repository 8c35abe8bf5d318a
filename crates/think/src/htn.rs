//! Hierarchical task networks: what to do, found by taking big tasks apart into small ones.
//!
//! | room | holds |
//! |---|---|
//! | [`network`] | primitive and compound tasks, methods, compiled |
//! | [`mod@decompose`] | forward decomposition with going back, beating and mending of plans |
//! | [`brain`] | a brain that carries out such plans |

pub mod brain;
pub mod decompose;
pub mod network;
mod outline;
mod read;
mod reload;

pub use brain::{FORMAT, Htn, HtnSpec, HtnState, HtnTask};
pub use decompose::{Decomposed, Pending, Request, TaskScratch, decompose, repair, resume, whole};
pub use network::{MethodSpec, Network, TaskForm, TaskSpec};

#[cfg(test)]
mod tests;
