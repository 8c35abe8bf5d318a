//! `bronto-ball`: Bronto intercepts or avoids balls that fly.

use super::bronto_game::{BALLS, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// With balls.
pub const SCENE: SceneInfo = SceneInfo {
    name: "bronto-ball",
    title: "Bronto intercepts, avoids, or does not worry",
    about: "Balls fly through the hall and bounce off its walls. While Bronto has health and ammunition enough it goes for the \
            nearest one, to where it will be; when it lacks some, it turns away from those that come at it and does not worry \
            about the others.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::FORCES],
    settings: &BALLS,
    assets: &[
        ("rooms.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/rooms.yaml"))),
        ("hall.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/hall.yaml"))),
        ("warren.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/warren.yaml"))),
    ],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=60", "width=80", "level=hall"]],
    build: |setup| build(setup, &format!("{}.yaml", setup.settings.word("level"))),
};
