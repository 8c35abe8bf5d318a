//! Brains as files: one guard with any kind of brain, and a soldier who plans.

pub(crate) mod guard;
pub(crate) mod soldier_plan;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[guard::SCENE, soldier_plan::SCENE];
