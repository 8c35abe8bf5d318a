//! sentir for the browser: scenes to be started, stepped, rewound, forked, recorded and drawn from JavaScript.
//!
//! This is a library. A module that a page loads is the engine with the scenes of one family: a file of three lines in `family/`, made by
//! [`family!`], which the linker makes a `.wasm` of with nothing in it that the family does not use. Everything else is built once for all.
//!
//! | module | holds |
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

pub use binding::set_catalog;

/// A module of one family: `sentir_web::family!(FIREFIGHT);`.
#[macro_export]
macro_rules! family {
    ($family:ident) => {
        /// Says what this module plays, as soon as it is there.
        #[wasm_bindgen::prelude::wasm_bindgen(start)]
        pub fn begin() {
            const CATALOG: sentir_harness::info::Catalog =
                sentir_harness::info::Catalog { families: &[sentir_scenes::$family] };
            sentir_web::set_catalog(CATALOG);
        }
    };
}
