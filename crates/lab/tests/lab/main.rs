//! The program as people and scripts call it.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod battery;
mod brain;
mod process;
mod program;
mod reliability;
