//! Navigation meshes: levels with storeys, tactical paths, costs of each kind of unit.

pub(crate) mod levels;
pub(crate) mod safe_path;
pub(crate) mod tactical_paths;
pub(crate) mod unit_tastes;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[levels::SCENE, safe_path::SCENE, unit_tastes::SCENE];
