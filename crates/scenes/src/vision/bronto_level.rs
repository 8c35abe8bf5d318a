//! `bronto-level`: Bronto in any level.

use super::bronto_game::{BRONTO, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// The same on any level.
pub const SCENE: SceneInfo = SceneInfo {
    name: "bronto-level",
    title: "Bronto in a level of your own",
    about: "Bronto in any level: one of your own, or of a game, given by --asset level.yaml=PATH (YAML, OBJ, a Quake III \
            BSP). It begins at one of the level's spawns and takes what the level has of health and ammunition.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &BRONTO,
    assets: &[("level.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/warren.yaml")))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=30", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};
