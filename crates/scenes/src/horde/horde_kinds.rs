//! `horde-kinds`: a few of each kind, to tell them apart.

use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Controls, Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

use super::game::picture::LAYERS;
use super::game::plan::{self, Plan};
use super::game::{BARKER, DUMMY, STEALTHY, TEST_MAP, THROWER};
use super::setting::{ASSETS, CONTROLS, KINDS, PLAYER, seconds};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "horde-kinds",
    title: "Four kinds of zombies",
    about: "Dummies bite who is near. Barkers see far and howl for the others. The stealthy one is seen only near, keeps out of \
            your aim and comes when you look away; its steps can be heard. The thrower is bigger, slow, and throws in an arc \
            what bursts. A noise grenade draws those who heed alarms.",
    controls: Some(Controls { difficulty: None, ..CONTROLS }),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: LAYERS,
    settings: &[
        PLAYER,
        Setting {
            name: "each",
            about: "zombies of each kind",
            kind: SettingKind::Whole { min: 1, max: 10 },
            stock: "2",
        },
        seconds("120"),
    ],
    assets: ASSETS,
    rate: RATE,
    ticks_max: 3600 * 60,
    trials: &[&["each=1", "seconds=20"], &["player=input", "seconds=10"]],
    build,
};

const RATE: TickRate = TickRate::new(60);

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let each = setup.settings.whole("each");
    let kind = |kind: u16, mind: &str| (kind, each, mind.to_owned());
    let crowd =
        vec![kind(DUMMY, "dummy_v4"), kind(BARKER, "barker_v4"), kind(STEALTHY, "stealthy"), kind(THROWER, "thrower")];
    plan::play(setup, Plan { crowd, is_battery: true, ..Plan::new(setup, RATE, TEST_MAP) })
}
