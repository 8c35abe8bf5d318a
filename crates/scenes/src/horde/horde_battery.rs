//! `horde-battery`: one round of thirty on the plain map against the bot, version by version, and what each drop is owed to.

use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Controls, Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_squad::alarm::{AlarmVariant, NodeStrategy};

use super::game::leaf::AtNode;
use super::game::picture::LAYERS;
use super::game::plan::{self, Plan};
use super::game::{BARKER, DUMMY, TEST_MAP};
use super::setting::{ASSETS, CONTROLS, KINDS, PLAYER, seconds};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "horde-battery",
    title: "The bot against thirty, version by version",
    about: "One round on a plain map: the bot looks for zombies and shoots them, and all that differs from version to version \
            are the minds of those it meets. V1: nobody heeds a howl. V2: an alarm brings them to the nodes near where it was \
            seen, where they stay. V3: they go on to where it was last known to be. V4: they take seats at the nodes. V5: \
            the seats lie on a ring round it. The other settings switch single causes off.",
    controls: Some(Controls { difficulty: Some("version"), ..CONTROLS }),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: LAYERS,
    settings: SETTINGS,
    assets: ASSETS,
    rate: RATE,
    ticks_max: 3600 * 30,
    trials: &[
        &["version=v3", "count=5", "seconds=40"],
        &["version=v5", "seconds=25"],
        &["version=v4", "player=input", "seconds=10"],
    ],
    build,
};

/// Steps of a thirtieth of a second: half as many as in the game, and fine enough for a body that runs.
const RATE: TickRate = TickRate::new(30);

const SETTINGS: &[Setting] = &[
    PLAYER,
    Setting {
        name: "version",
        about: "which version of the minds they wear",
        kind: SettingKind::Choice(&["v1", "v2", "v3", "v4", "v5"]),
        stock: "v3",
    },
    Setting { name: "count", about: "zombies", kind: SettingKind::Whole { min: 1, max: 300 }, stock: "30" },
    Setting {
        name: "dummy",
        about: "the mind of dummies, if not the version's",
        kind: SettingKind::Choice(&["version", "dummy_v1", "dummy_v2", "dummy_v3", "dummy_v4", "dummy_v5"]),
        stock: "version",
    },
    Setting {
        name: "barker",
        about: "the mind of barkers, if not the version's",
        kind: SettingKind::Choice(&["version", "barker_v1", "barker_v2", "barker_v3", "barker_v4"]),
        stock: "version",
    },
    Setting {
        name: "alarms",
        about: "whether cries raise alarms",
        kind: SettingKind::Choice(&["on", "off"]),
        stock: "on",
    },
    Setting {
        name: "at_node",
        about: "what one does at its node, if not the version's",
        kind: SettingKind::Choice(&["version", "stay", "go_on"]),
        stock: "version",
    },
    Setting {
        name: "nodes",
        about: "which nodes an alarm reports, if not the version's",
        kind: SettingKind::Choice(&["version", "nearest", "farthest"]),
        stock: "version",
    },
    Setting {
        name: "seats",
        about: "seats as they should be, or with one of the source's two bugs",
        kind: SettingKind::Choice(&["sound", "order_lost", "seats_kept"]),
        stock: "sound",
    },
    seconds("300"),
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let (rules, settings) = (plan::rules(setup)?, &setup.settings);
    let version = settings.word("version");
    let [dummy, barker] = match version {
        "v1" => ["dummy_v1", "barker_v1"],
        "v2" => ["dummy_v2", "barker_v2"],
        "v3" => ["dummy_v3", "barker_v3"],
        "v4" => ["dummy_v4", "barker_v4"],
        _ => ["dummy_v5", "barker_v4"],
    };
    let chosen = |name: &str, stock: &str| match settings.word(name) {
        "version" => stock.to_owned(),
        word => word.to_owned(),
    };
    let count = settings.whole("count");
    let barkers = count * rules.battery.barkers / 10;
    let crowd = vec![(DUMMY, count - barkers, chosen("dummy", dummy)), (BARKER, barkers, chosen("barker", barker))];
    let base = Plan::new(setup, RATE, TEST_MAP);
    let base = if version == "v5" { base.ring(&rules) } else { base };
    let plan = Plan {
        crowd,
        is_battery: true,
        has_alarms: settings.word("alarms") == "on",
        at_node: match settings.word("at_node") {
            "stay" => Some(AtNode::Stay),
            "go_on" => Some(AtNode::GoOn),
            _ => None,
        },
        strategy: match settings.word("nodes") {
            "nearest" => NodeStrategy::Nearest,
            "farthest" => NodeStrategy::Farthest,
            _ => base.strategy,
        },
        variant: match settings.word("seats") {
            "order_lost" => AlarmVariant::OrderLost,
            "seats_kept" => AlarmVariant::SeatsKept,
            _ => AlarmVariant::Sound,
        },
        ..base
    };
    plan::play(setup, plan)
}
