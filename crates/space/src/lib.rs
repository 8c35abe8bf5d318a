//! Spatial reasoning: what is seen from where, influence over the ground, which place is best for an agent, where it has cover.
//!
//! | module | holds |
//! |---|---|
//! | [`visibility`] | obstacles, the region that a watcher sees, and what of a way lies in it |
//! | [`influence`] | values that spread over walkable ground: who holds what, where a lost target may be |
//! | [`query`] | environment queries: generators, tests, best points, and why the others lost |
//! | [`cover`] | borders of obstacles, cover along them, cover of every cell by direction |
//!
//! **Features**: `files` (on by default) reads queries from files; without it they are authored by code. `schema` writes the JSON
//! schema of such files, for editors.
//!
//! Nothing here is random unless a random stream is handed in, and the same inputs give the same bits on every target.

pub mod cover;
pub mod influence;
pub mod query;
pub mod visibility;

pub use sentir_asset as asset;
pub use sentir_core as core;
pub use sentir_level as level;
pub use sentir_nav as nav;
