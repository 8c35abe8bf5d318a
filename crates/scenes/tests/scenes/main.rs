//! What holds for every scene of the catalog.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod every_scene;
mod honesty;
mod screen;
