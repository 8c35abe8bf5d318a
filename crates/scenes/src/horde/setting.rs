//! What the scenes of the horde have in common: how they are played, their kinds and files, and some settings.

use sentir_harness::info::{
    BY_PERSON, Binding, ControlAction, ControlMode, Controls, KindLook, Model, Setting, SettingKind,
};

use super::game::registry::FILES;
use super::game::{ARENA, BARKER, DUMMY, PERSON, RULES, STEALTHY, TANK, TEST_MAP, THROWER};

/// How a person plays.
pub(super) const CONTROLS: Controls = Controls {
    mode: ControlMode::FirstPerson,
    setting: Some("player"),
    difficulty: None,
    whom: "the one they hunt",
    bindings: &[
        Binding::new(ControlAction::Move, "walk"),
        Binding::new(ControlAction::Look, "look"),
        Binding::new(ControlAction::Fire, "fire"),
        Binding::new(ControlAction::Reload, "reload"),
        Binding::new(ControlAction::Use, "heal or refill at a point"),
        Binding::new(ControlAction::Throw, "throw a noise grenade"),
        Binding::new(ControlAction::Jump, "jump"),
        Binding::new(ControlAction::Letter('Q'), "change weapons"),
    ],
};

/// Every kind of agent.
pub(super) const KINDS: &[KindLook] = &[
    KindLook::new(PERSON, "player", Model::Player),
    KindLook::new(DUMMY, "dummy", Model::ZombieDummy).titled("zombie that walks and bites"),
    KindLook::new(BARKER, "barker", Model::ZombieBarker).titled("zombie that howls for the others"),
    KindLook::new(STEALTHY, "stealthy", Model::ZombieStealthy).titled("zombie that sneaks up"),
    KindLook::new(THROWER, "thrower", Model::ZombieThrower).titled("zombie that throws"),
    KindLook::new(TANK, "tank", Model::Tank).titled("prototype on tracks"),
];

/// The rules, both maps and every mind.
pub(super) const ASSETS: &[(&str, &str)] = &{
    let mut all = [("", ""); 3 + FILES.len()];
    all[0] = (RULES, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/horde/rules.yaml")));
    all[1] = (ARENA, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/horde/arena.yaml")));
    all[2] = (TEST_MAP, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/horde/test_map.yaml")));
    let mut at = 0;
    while at < FILES.len() {
        all[3 + at] = FILES[at];
        at += 1;
    }
    all
};

/// Who plays.
pub(super) const PLAYER: Setting = Setting {
    name: "player",
    about: "who is hunted: the bot, or a person",
    kind: SettingKind::Choice(&["bot", BY_PERSON]),
    stock: "bot",
};

/// How long a match may be.
pub(super) const fn seconds(stock: &'static str) -> Setting {
    Setting {
        name: "seconds",
        about: "when it is over at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 3600.0 },
        stock,
    }
}
