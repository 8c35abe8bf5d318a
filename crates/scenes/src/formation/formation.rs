//! `formation`: a squad forms up and marches round a corner and through a door.

use super::game::{KINDS, RATE, SETTINGS, TICKS_MAX, build, hand, layout};
use sentir::core::draw::Layer;
use sentir_harness::info::{Ground, SceneInfo, SceneLook, View};

/// The scene `formation`.
pub const SCENE: SceneInfo = SceneInfo {
    name: "formation",
    title: "A squad forms up and marches round a corner and through a door",
    about: "A dozen soldiers form each pattern in turn, or the one that is set, then march: slots lie along the leader's \
            way, bend round the corners, narrow to a file before the door and widen behind it. The leader waits for \
            stragglers.",
    controls: Some(hand::CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow]),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::SLOTS],
    settings: SETTINGS,
    assets: &[(layout::NAME, layout::STOCK)],
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[], &["pattern=squares"], &["pattern=line", "count=7"], &["pattern=fixed1", "count=3"]],
    build,
};
