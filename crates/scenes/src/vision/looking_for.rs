//! `looking-for`: an item seen through an open stair, beside the mend.

use super::bronto_game::{HUNGRY, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// And a third.
pub const SCENE: SceneInfo = SceneInfo {
    name: "looking-for",
    title: "What one sees through an open stair is not within reach",
    about: "Ammunition lies behind an open stair and is seen through it. On the left, Bronto goes straight for it and runs into \
            the stair. On the right it sweeps its own width along the curve, and goes around by two of them.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &HUNGRY,
    assets: &[("level.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/looking_for.yaml")))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};
