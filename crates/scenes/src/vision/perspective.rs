//! `perspective`: a gap that looks wide enough from near, beside the mend.

use super::bronto_game::{DEFECT, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// Another.
pub const SCENE: SceneInfo = SceneInfo {
    name: "perspective",
    title: "A gap that looks wide enough from near",
    about: "Two columns leave a gap that is narrower than a body. An upright rectangle of floor pixels fits through it once one \
            is near: on the left it gets stuck between them. On the right the way is measured on the ground.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &DEFECT,
    assets: &[("level.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/perspective.yaml")))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};
