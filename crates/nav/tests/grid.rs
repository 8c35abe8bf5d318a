//! The searches on grids, all on the same maps, against a plain Dijkstra.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

#[path = "grid/edit.rs"]
mod edit;
#[path = "grid/layer.rs"]
mod layer;
#[path = "grid/lrta.rs"]
mod lrta;
#[path = "grid/oracle.rs"]
mod oracle;
#[path = "grid/refusal.rs"]
mod refusal;
#[path = "grid/suite.rs"]
mod suite;
#[path = "grid/walk.rs"]
mod walk;
#[path = "grid/warm.rs"]
mod warm;
