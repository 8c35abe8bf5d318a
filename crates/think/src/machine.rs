//! State machines, flat and nested: one state at a time, guarded ways between them.
//!
//! A state does a task, or is a machine of its own. Entering does what stands under `enter`, then the task starts; leaving
//! ends the task and does what stands under `exit`; nested states are entered from outside inwards and left from inside
//! outwards. Each thought looks at the transitions: those from any state first, then those of the active states from
//! outside inwards, in each by priority and then by order, so an interruption comes before business as usual. One is
//! taken when its condition holds (for the time of its `delay`), its task ended as it says (`on`), and its time has come
//! (`after`). At most eight are taken within one thought.
//!
//! With history a nested machine goes on where it was left: a phone call, one state beside it, interrupts whatever it does
//! and leads back to it. Cost: O(transitions of the active states); nothing is allocated.

pub mod brain;
mod build;
mod outline;
mod reload;
pub mod spec;

pub use brain::{FORMAT, Machine, MachineState};
pub use build::STATES_MAX;
pub use spec::{Ended, History, MachineSpec, StartSpec, StateLibrary, StateSpec, TransitionSpec};
