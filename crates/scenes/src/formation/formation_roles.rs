//! `formation-roles`: a formation with roles, losses and reinforcements.

use super::game::{KINDS, RATE, ROLES_SETTINGS, TICKS_MAX, build_roles, hand, layout};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, SceneInfo, SceneLook, View};

/// The scene `formation-roles`.
pub const SCENE: SceneInfo = SceneInfo {
    name: "formation-roles",
    title: "A formation with roles, losses and reinforcements",
    about: "Four types of soldiers take slots of four roles. Hard roles leave a slot empty rather than break a rule; soft \
            roles fill every slot as well as can be. Some die, others join: who can keeps the slot it has.",
    controls: Some(hand::CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow]),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::SLOTS],
    settings: ROLES_SETTINGS,
    assets: &[(layout::NAME, layout::STOCK)],
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[], &["roles=soft"], &["mix=foot", "pattern=fixed2", "count=9"]],
    build: build_roles,
};
