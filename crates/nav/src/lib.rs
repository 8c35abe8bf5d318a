//! Navigation: where one can walk, and the way there.
//!
//! | module | holds |
//! |---|---|
//! | [`answer`] | what every search answers with |
//! | [`bake`] | navigation meshes out of triangles and out of floor plans |
//! | [`grid`] | tile grids and the searches on them |
//! | [`dynamic`] | meshes that change: obstacles by id, tiles rebuilt within a budget, what each agent believes of it |
//! | [`mesh`] | navigation meshes and the searches on them |
//! | [`request`] | searches asked for now and answered later, within a budget |
//! | [`tactic`] | costs beyond length, in layers: exposure, influence, lines of fire; the search for them, and why |
//!
//! **Features**: `bake` (on by default) has [`bake`] and [`dynamic`], with the crates for voxels and triangles that they need, and
//! `level`; `level` makes grids of a level's tiles. Without any there are grids, meshes that were baked elsewhere, and every
//! search.

pub mod answer;
#[cfg(feature = "bake")]
pub mod bake;
#[cfg(feature = "bake")]
pub mod dynamic;
pub mod grid;
pub mod mesh;
pub mod request;
pub mod tactic;

pub use answer::{Ending, Fault, PathAnswer};
pub use sentir_core as core;
#[cfg(feature = "level")]
pub use sentir_level as level;
