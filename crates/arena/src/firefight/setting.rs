//! What can be set in a firefight.

use super::variant::MIND_SETTING;
use crate::scene::{Setting, SettingKind};

/// Those of a whole match; on a level by path all but the first.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        name: "arena",
        about: "where: a compound with a deck, a warehouse with a gallery, a street with houses and roofs",
        kind: SettingKind::Choice(&["compound", "warehouse", "street"]),
        stock: "compound",
    },
    Setting {
        name: "obstacle_s",
        about: "every so often a crate appears and stays a while, s; 0 is never",
        kind: SettingKind::Number { min: 0.0, max: 180.0 },
        stock: "0",
    },
    Setting { name: "soldiers", about: "how many soldiers", kind: SettingKind::Whole { min: 1, max: 8 }, stock: "4" },
    Setting {
        name: "player",
        about: "who plays against them: a soldier with more health, a plain mind of some kind, or you",
        kind: SettingKind::Choice(&["strong", "hider", "camper", "rusher", "flanker", "base", "input"]),
        stock: "strong",
    },
    Setting {
        name: "health",
        about: "health of the player",
        kind: SettingKind::Number { min: 1.0, max: 10_000.0 },
        stock: "700",
    },
    Setting { name: "soldier_health", about: "health of a soldier", ..HEALTH_SETTING },
    MIND_SETTING,
    Setting {
        name: "seconds",
        about: "how long it goes on at most, s",
        kind: SettingKind::Number { min: 1.0, max: 180.0 },
        stock: "180",
    },
];

pub(super) const HEALTH_SETTING: Setting = Setting {
    name: "health",
    about: "health of either",
    kind: SettingKind::Number { min: 1.0, max: 10_000.0 },
    stock: "100",
};
