//! Senses and honesty: patrols, hearing and smell, hide and seek.

pub(crate) mod hide_and_seek;
pub(crate) mod honesty;
pub mod patrol;
pub(crate) mod scout;
pub(crate) mod senses;
pub(crate) mod waypoint_path;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[patrol::SCENE, senses::SCENE, hide_and_seek::SCENE, honesty::SCENE];
