//! `horde-prototype`: where it began: tanks with a state machine, and a touch loses.

use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Controls, Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

use super::game::picture::PROTOTYPE_LAYERS;
use super::game::plan::{self, Plan};
use super::game::{TANK, TEST_MAP};
use super::setting::{ASSETS, CONTROLS, KINDS, PLAYER, seconds};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "horde-prototype",
    title: "Tanks with a state machine: do not be touched",
    about: "The prototype of the horde. Each tank patrols, and chases who is near in a straight line, its turret on the target; it knows \
            no way around a pillar. One touch and it is over. Its mind is a state machine in a file: edit it while it rolls.",
    controls: Some(Controls { difficulty: None, ..CONTROLS }),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: PROTOTYPE_LAYERS,
    settings: &[
        PLAYER,
        Setting { name: "count", about: "tanks", kind: SettingKind::Whole { min: 1, max: 12 }, stock: "4" },
        seconds("90"),
    ],
    assets: ASSETS,
    rate: RATE,
    ticks_max: 3600 * 60,
    trials: &[&["count=2", "seconds=20"], &["player=input", "seconds=10"]],
    build,
};

const RATE: TickRate = TickRate::new(60);

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let crowd = vec![(TANK, setup.settings.whole("count"), "prototype".to_owned())];
    let base = Plan::new(setup, RATE, TEST_MAP);
    plan::play(setup, Plan { crowd, is_battery: true, touch_loses: true, has_alarms: false, ..base })
}
