//! Navigation: where one can walk, and the way there.
//!
//! | room | holds |
//! |---|---|
//! | [`answer`] | what every search answers with |
//! | [`bake`] | navigation meshes out of triangles and out of floor plans |
//! | [`grid`] | tile grids and the searches on them |
//! | [`living`] | meshes that change: obstacles by id, tiles rebuilt within a budget, what each agent believes of it |
//! | [`mesh`] | navigation meshes and the searches on them |
//! | [`request`] | searches asked for now and answered later, within a budget |
//! | [`tactic`] | costs beyond length, in layers: exposure, influence, lines of fire; the search for them, and why |

pub mod answer;
pub mod bake;
pub mod grid;
pub mod living;
pub mod mesh;
pub mod request;
pub mod tactic;

pub use answer::{Answer, Ending, Fault};
pub use sentir_core as core;
