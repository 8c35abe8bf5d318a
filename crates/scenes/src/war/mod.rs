//! A small real-time strategy game: two sides, a river with two bridges, workers, soldiers, spies, turrets.

pub(crate) mod game;
#[allow(clippy::module_inception, reason = "the scene `war` of the family `war`")]
pub(crate) mod war;
pub(crate) mod war_crowd;
pub(crate) mod war_economy;
pub(crate) mod war_march;
pub(crate) mod war_tastes;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] =
    &[war::SCENE, war_economy::SCENE, war_tastes::SCENE, war_march::SCENE, war_crowd::SCENE];
