//! The contract of the loop, one module a promise.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod facts;
mod host;
mod perceive;
mod same;
mod schedule;
mod soldier;
mod squad;
mod village;
