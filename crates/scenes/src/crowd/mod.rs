//! Crowds: agents that avoid each other, at doors, in lanes, in a building.

pub(crate) mod circle;
pub(crate) mod collapse;
pub(crate) mod collapse_demo;
pub(crate) mod commute;
#[allow(clippy::module_inception, reason = "a scene's file has the scene's name")]
pub(crate) mod crowd;
pub(crate) mod door;
pub(crate) mod lanes;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] =
    &[crowd::SCENE, circle::SCENE, door::SCENE, lanes::SCENE, commute::SCENE, collapse::SCENE, collapse_demo::SCENE];
