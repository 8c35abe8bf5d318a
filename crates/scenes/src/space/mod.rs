//! Spatial reasoning: regions of sight, influence maps, prediction, environment queries, cover.

pub(crate) mod cover;
pub(crate) mod env_queries;
pub(crate) mod influence;
pub(crate) mod influence_watched;
pub(crate) mod predict;
pub(crate) mod queries;
pub(crate) mod town;
pub(crate) mod visibility;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] =
    &[visibility::SCENE, influence::SCENE, influence_watched::SCENE, predict::SCENE, queries::SCENE, cover::SCENE];
