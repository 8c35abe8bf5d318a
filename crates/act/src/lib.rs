//! Movement: from *go there, face that* to what a body does.
//!
//! | room | holds |
//! |---|---|
//! | [`mover`] | what steering reads: bodies, walls and discs on the ground, as plain values |
//!
//! Everything is a function of plain values on the ground plane (`sentir_core::plane`): no world, no clock, no global.
//! Accelerations are m/s² in ground coordinates. For finite input every result is finite, and turns and mirrors with the
//! world.

extern crate self as sentir_act;

pub mod mover;

pub use mover::{Disc, Mover, Moving, Wall};
pub use sentir_core as core;
