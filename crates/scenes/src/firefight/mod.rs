//! The firefight: one player against soldiers of the library, and scenes that show one behavior of a soldier each.

mod game;

pub(crate) mod attack;
pub(crate) mod duel;
#[allow(clippy::module_inception, reason = "a scene's file has the scene's name")]
pub(crate) mod firefight;
pub(crate) mod firefight_level;
pub(crate) mod group_attack;
pub(crate) mod hide_cover;
pub(crate) mod push;
pub(crate) mod search;
pub(crate) mod supply;
pub(crate) mod suppression;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[
    firefight::SCENE,
    duel::SCENE,
    firefight_level::SCENE,
    search::SCENE,
    hide_cover::SCENE,
    push::SCENE,
    suppression::SCENE,
    attack::SCENE,
    group_attack::SCENE,
    supply::SCENE,
];
