//! sentir for the browser: every scene of the product, to be started, stepped, rewound, forked, recorded and drawn from
//! JavaScript.
//!
//! | room | holds |
//! |---|---|
//! | [`session`] | one run: steps, inputs, seeking by snapshots, forks, the recording; plain Rust |
//! | [`note`] | what was worth a mark on the time bar |
//! | [`compare`] | where two runs part: the first decision that came out otherwise |
//! | [`picture`] | the draw list as two flat arrays and one text: one copy a frame, no call per shape |
//! | [`report`] | scenes, figures and agents as JSON |
//! | `screen` | what a screen shows beside the picture, as JSON |
//! | `binding` | the thin layer that JavaScript calls |
//!
//! Everything that can go wrong is a value with a sentence, `{ error: "…" }`, never an exception.

mod binding;
pub mod compare;
pub mod note;
pub mod picture;
pub mod report;
mod screen;
pub mod session;
