//! The horde: zombies in rounds, the minds that drive them, and the bot that measures them.

pub(crate) mod game;
#[allow(clippy::module_inception, reason = "a scene's file has its name, and so has its family")]
pub(crate) mod horde;
pub(crate) mod horde_battery;
pub(crate) mod horde_kinds;
pub(crate) mod horde_prototype;
pub(crate) mod horde_slots;
mod setting;

use sentir_harness::info::SceneInfo;

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] =
    &[horde::SCENE, horde_battery::SCENE, horde_prototype::SCENE, horde_slots::SCENE, horde_kinds::SCENE];
