//! Formations: slots, roles and columns of agents that march together.

mod game;

pub(crate) mod column;
#[allow(clippy::module_inception, reason = "a scene's file has the scene's name")]
pub(crate) mod formation;
pub(crate) mod formation_roles;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[formation::SCENE, formation_roles::SCENE, column::SCENE];
