//! `higher-floor`: a defect of seeing by colors alone, beside its mend.

use super::bronto_game::{DEFECT, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// A defect of seeing by colors alone.
pub const SCENE: SceneInfo = SceneInfo {
    name: "higher-floor",
    title: "The top of a box is as green as the floor",
    about: "Two Brontos in rooms alike stand before a platform lower than their eyes. By colors its top is floor: on the left, \
            it walks into the platform again and again. On the right it sees by heights, and goes around.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &DEFECT,
    assets: &[("level.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/higher_floor.yaml")))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};
