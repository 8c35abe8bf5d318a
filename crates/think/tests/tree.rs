//! Contract of behavior trees: semantics by table and by twin, pairing, explanations, reloading, files, steady ticks.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod tree {
    pub mod condition;
    pub mod file;
    pub mod host;
    pub mod property;
    pub mod reason;
    pub mod reload;
    pub mod shape;
    pub mod steady;
    pub mod table;
    pub mod twin;
    pub mod zombie;
}
