//! Small headless games in which sentir's characters live: every scene of the product.
//!
//! | room | holds |
//! |---|---|
//! | [`flat`] | the test world: discs on a plane with walls |
//! | [`input`] | what a person or a script does, quantized at the door |
//! | [`scene`] | the registry of scenes, their settings and assets, and the [`Match`](scene::Match) they play |
//! | [`story`] | what a scene writes, and the match that comes of it |
//! | [`recording`] | runs as files: record, replay, find the first difference |
//! | [`patrol`] | the first scene: a guard, its round, and an intruder |

pub mod flat;
pub mod input;
pub mod patrol;
pub mod recording;
pub mod scene;
pub mod story;

pub use sentir;
