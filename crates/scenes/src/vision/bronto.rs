//! `bronto`: an agent that lives by what it sees, walks, looks for items and takes them.

use super::bronto_game::{BRONTO, RATE, build};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, KindLook, Model, SceneInfo, SceneLook};

/// Walking, looking for things, living on.
pub const SCENE: SceneInfo = SceneInfo {
    name: "bronto",
    title: "Bronto lives by what it sees",
    about: "Bronto walks through rooms, a corridor and stairs. Its health and ammunition fall; it looks for what brings them \
            up again, and runs when it is bad. All it knows comes from a tiny picture of colors, depths and motions, \
            which is shown beside. The setting 'mind' gives it the ways of seeing that synthetic vision began with.",
    controls: None,
    kinds: &[KindLook::new(0, "bronto", Model::Bronto)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &BRONTO,
    assets: &[
        ("rooms.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/rooms.yaml"))),
        ("hall.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/hall.yaml"))),
        ("warren.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/warren.yaml"))),
    ],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=60", "width=80"], &["seconds=30", "width=80", "mind=source-away", "level=hall"]],
    build: |setup| build(setup, &format!("{}.yaml", setup.settings.word("level"))),
};
