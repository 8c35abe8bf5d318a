//! Decision trees: questions to one answer, what to do, asked anew with every thought.
//!
//! A question may hold on to its yes: as long as `keep` holds instead of `if`, which is asked less strictly, or for a time
//! (`hold`). So what is near a limit does not make the agent waver. A part that several places need stands under `parts`
//! and is put in with `use`. Cost: O(depth) questions; nothing is allocated.
//!
//! ```yaml
//! sentir: decision 1
//! delay: 0.2 ± 0.1
//! root:
//!   if: {key: $health, "<": 0.3}
//!   keep: {key: $health, "<": 0.5}
//!   then: {do: retreat}
//!   else:
//!     if: {set: $enemy}
//!     hold: 2 ± 0.5
//!     then: {use: fight}
//!     else: {do: patrol, with: {route: 3}}
//! parts:
//!   fight: {do: attack}
//! ```

mod brain;
mod outline;
mod spec;

pub use brain::{Decision, DecisionState, FORMAT};
pub use spec::{BranchSpec, DecisionSpec, NODES_MAX, NodeSpec};
