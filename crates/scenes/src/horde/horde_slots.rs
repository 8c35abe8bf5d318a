//! `horde-slots`: alarms, the nodes they report and the seats at them, to look at.

use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    BY_PERSON, Controls, Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup,
};
use sentir_squad::alarm::{AlarmVariant, FillOrder, NodeStrategy};

use super::game::picture::SLOTS_LAYERS;
use super::game::plan::{self, Plan};
use super::game::{BARKER, DUMMY, TEST_MAP};
use super::setting::{ASSETS, CONTROLS, KINDS, seconds};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "horde-slots",
    title: "Alarms, nodes and seats: who goes where",
    about: "Somebody stands there and is found. A barker howls, the alarm reports nodes round the place, and each dummy \
            takes a free seat at one of them: the nearest nodes, the farthest ones in the radius, or a ring round it. With \
            local alarms several are on at once, each for those around it. The two bugs of the source can be switched on: \
            nodes in no order, and seats that are never free again.",
    controls: Some(Controls { difficulty: None, ..CONTROLS }),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: SLOTS_LAYERS,
    settings: SETTINGS,
    assets: ASSETS,
    rate: RATE,
    ticks_max: 3600 * 60,
    trials: &[&["seconds=20", "count=8"], &["nodes=ring", "reach=local", "seconds=15"]],
    build,
};

const RATE: TickRate = TickRate::new(60);

const SETTINGS: &[Setting] = &[
    Setting {
        name: "player",
        about: "who is hunted: one who stands there, the bot, or a person",
        kind: SettingKind::Choice(&["still", "bot", BY_PERSON]),
        stock: "still",
    },
    Setting { name: "count", about: "zombies", kind: SettingKind::Whole { min: 2, max: 300 }, stock: "20" },
    Setting {
        name: "nodes",
        about: "which nodes an alarm reports",
        kind: SettingKind::Choice(&["nearest", "farthest", "ring"]),
        stock: "nearest",
    },
    Setting {
        name: "reach",
        about: "whether an alarm is for all or for those around it",
        kind: SettingKind::Choice(&["all", "local"]),
        stock: "all",
    },
    Setting {
        name: "seats",
        about: "seats as they should be, or with one of the source's two bugs",
        kind: SettingKind::Choice(&["sound", "order_lost", "seats_kept"]),
        stock: "sound",
    },
    seconds("60"),
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let (rules, settings) = (plan::rules(setup)?, &setup.settings);
    let count = settings.whole("count");
    let barkers = (count / 4).max(1);
    let base = Plan::new(setup, RATE, TEST_MAP);
    let (base, dummy) = match settings.word("nodes") {
        "ring" => (base.ring(&rules), "dummy_v5"),
        "farthest" => (Plan { strategy: NodeStrategy::Farthest, ..base }, "dummy_v4"),
        _ => (Plan { fill: FillOrder::NearestFirst, ..base }, "dummy_v4"),
    };
    let plan = Plan {
        crowd: vec![(DUMMY, count - barkers, dummy.to_owned()), (BARKER, barkers, "barker_v4".to_owned())],
        is_battery: true,
        is_local: settings.word("reach") == "local",
        variant: match settings.word("seats") {
            "order_lost" => AlarmVariant::OrderLost,
            "seats_kept" => AlarmVariant::SeatsKept,
            _ => AlarmVariant::Sound,
        },
        ..base
    };
    plan::play(setup, plan)
}
