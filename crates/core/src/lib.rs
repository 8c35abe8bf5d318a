//! Base types of sentir, shared by every other crate.
//!
//! | module | holds |
//! |---|---|
//! | [`id`] | generational ids and the slots they name |
//! | [`tick`] | time as a count of ticks, and rates |
//! | [`random`] | random streams from (world seed, owner, purpose) |
//! | [`math`], [`plane`], [`order`] | exact maths, the ground plane and yaw, total orders |
//! | [`index`] | the uniform spatial index of points |
//! | [`state`] | save, load, hash, difference: one derive |
//! | [`body`], [`geometry`] | what a host tells of bodies and of its level |
//! | [`belief`], [`intent`], [`outcome`] | what flows between sense, think and act |
//! | [`budget`], [`pool`] | nominal work, and where it runs |
//! | [`event`], [`blunder`], [`why`], [`draw`] | what happened, what of it was stupid, why, and how to show it |
//!
//! Nothing here does I/O, asks a clock, starts a thread or draws; nothing here can fail at run time. The same inputs give
//! the same bits on every target, for any number of threads.

extern crate self as sentir_core;

pub mod belief;
pub mod blunder;
pub mod body;
pub mod budget;
pub mod chart;
pub mod draw;
pub mod event;
pub mod geometry;
pub mod id;
pub mod index;
pub mod intent;
pub mod math;
pub mod order;
pub mod outcome;
pub mod plane;
pub mod pool;
pub mod random;
pub mod state;
pub mod tick;
pub mod why;

pub use glam;
pub use sentir_derive::State;
pub use state::State;
