//! The contracts of `sentir_nav::mesh` and of `sentir_nav::tactic` on it, one module each.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
#![allow(clippy::disallowed_methods, reason = "the standard library serves the slow twins")]

#[path = "mesh/baked.rs"]
mod baked;
#[path = "mesh/level.rs"]
mod level;
#[path = "mesh/load.rs"]
mod load;
#[path = "mesh/query.rs"]
mod query;
#[path = "mesh/search.rs"]
mod search;
#[path = "mesh/tactic.rs"]
mod tactic;
#[path = "mesh/tile.rs"]
mod tile;
#[path = "mesh/world.rs"]
mod world;
