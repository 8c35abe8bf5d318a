//! What can be set in a firefight.

use super::mind::MindKind;
use super::variant::MIND_SETTING;
use sentir::core::draw::Layer;
use sentir_harness::info::{
    BY_PERSON, Binding, ControlAction, ControlMode, Controls, KindLook, Model, Setting, SettingKind,
};

/// Soldiers, and players of all sorts.
pub(crate) const KINDS: &[KindLook] = &[
    KindLook::new(MindKind::Soldier.number(), "soldier", Model::Soldier),
    KindLook::new(MindKind::Soldier.number() + 1, "player", Model::Player),
];

/// What is drawn of a fight.
pub(crate) const LAYERS: &[Layer] = &[
    Layer::LEVEL,
    Layer::BODIES,
    Layer::NAMES,
    Layer::SENSES,
    Layer::PATHS,
    Layer::INFLUENCE,
    Layer::QUERIES,
    Layer::FIRE,
    Layer::CLAIMS,
    Layer::SHOTS,
];

/// How a person plays the player.
pub(crate) const CONTROLS: Controls = Controls {
    mode: ControlMode::FirstPerson,
    setting: Some("player"),
    difficulty: None,
    whom: "the player",
    bindings: &[
        Binding::new(ControlAction::Move, "walk"),
        Binding::new(ControlAction::Look, "look"),
        Binding::new(ControlAction::Fire, "fire"),
        Binding::new(ControlAction::Reload, "reload"),
        Binding::new(ControlAction::Crouch, "crouch"),
        Binding::new(ControlAction::Jump, "jump"),
    ],
};

/// Those of a whole match; on a level by path all but the first.
pub(crate) const SETTINGS: &[Setting] = &[
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
        kind: SettingKind::Choice(&["strong", "hider", "camper", "rusher", "flanker", "base", BY_PERSON]),
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

pub(crate) const HEALTH_SETTING: Setting = Setting {
    name: "health",
    about: "health of either",
    kind: SettingKind::Number { min: 1.0, max: 10_000.0 },
    stock: "100",
};
