//! sentir for web games: the loop of the facade with a page's own bodies, rays, level and brains.
//!
//! | room | holds |
//! |---|---|
//! | [`world`] | a world: level, mesh, brains, agents; plain Rust |
//! | `make` | levels, meshes and brains out of what a page gives, checked |
//! | [`view`] | what agents believe, want and why, for who looks |
//! | [`mind`] | how an agent of the page senses, thinks by a file and walks |
//! | [`fact`] | the keys that the engine writes on every board |
//! | [`leaf`] | the tasks that files may name |
//! | [`page`] | what the page answers while the world steps: rays and tasks of its own |
//! | `read`, `binding` | the thin layer that JavaScript calls |
//!
//! No scene, no rule of a game and no drawing is in here: the page has its own. What a page sees is told by `types.d.ts` and the
//! README of the package, `crates/js/npm`.
//!
//! **Honesty.** A brain reads what its senses gave and what the page told it by a notice; a task of the page gets the same, and
//! nothing else. **Determinism.** The same calls give the same bits, as natively, if the page's own functions are functions of
//! what they are given.

mod binding;
pub mod fact;
pub mod leaf;
mod make;
pub mod mind;
pub mod page;
mod read;
pub mod view;
pub mod world;
