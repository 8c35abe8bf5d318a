//! Small fights over the rules of `sentir_sim`: a shooting range, and two teams in a yard.

pub(crate) mod range;
pub(crate) mod skirmish;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[range::SCENE, skirmish::SCENE];
