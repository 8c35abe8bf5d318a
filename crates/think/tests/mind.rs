//! Contract of all brains: the same cases for every kind, snapshots, explanations, bad files, steady
//! ticks.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod mind {
    pub mod brain;
    pub mod code;
    pub mod decision;
    pub mod explain;
    pub mod goap;
    pub mod guard;
    pub mod host;
    pub mod htn;
    pub mod kind;
    pub mod machine;
    pub mod reload;
    pub mod rule;
    pub mod schema;
    pub mod utility;
    pub mod xml;
}
