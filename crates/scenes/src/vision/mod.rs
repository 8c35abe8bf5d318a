//! Synthetic vision: agents that know of the level only what a tiny rendering shows them.

mod bronto_game;

pub(crate) mod bronto;
pub(crate) mod bronto_ball;
pub(crate) mod bronto_level;
pub(crate) mod driver;
pub(crate) mod higher_floor;
pub(crate) mod looking_for;
pub(crate) mod missile;
pub(crate) mod perspective;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[
    bronto::SCENE,
    bronto_level::SCENE,
    bronto_ball::SCENE,
    higher_floor::SCENE,
    perspective::SCENE,
    looking_for::SCENE,
    missile::SCENE,
    driver::SCENE,
];
