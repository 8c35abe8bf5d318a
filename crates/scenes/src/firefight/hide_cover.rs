//! `hide-cover`: a soldier hides when it is hit or must reload.

use super::game::drill::{Drill, DrillInfo, ONE_SETTING, facing, scene};
use super::game::play;
use super::game::player::Player;
use sentir::squad::team::Alert;
use sentir_harness::info::{SceneInfo, Setting, SettingKind};

/// One hides when it is hit or low on rounds.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "hide-cover",
    title: "A soldier hides when it is hit or must reload",
    about: "The soldier begins with a few rounds, before a player who shoots without moving. It goes out of the player's sight, keeps \
     low where that is enough, reloads there, and comes back.",
    settings: &[ONE_SETTING, ROUNDS_SETTING],
    seconds: 30,
    build: |setup| {
        let drill = Drill {
            player: Some(Player::Camper),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 30.0,
            brief: Some((Alert::Fight, true)),
            places: vec![
                facing((14.0, -8.0), (2.0, -8.0)),
                facing((2.0, -7.0), (14.0, -8.0)),
                facing((3.0, -14.0), (14.0, -8.0)),
                facing((6.0, -1.0), (14.0, -8.0)),
                facing((-2.0, -6.0), (14.0, -8.0)),
            ],
            magazine_share: setup.settings.number("rounds"),
            ..Drill::default()
        };
        play(setup, &drill)
    },
});

const ROUNDS_SETTING: Setting = Setting {
    name: "rounds",
    about: "share of the magazine that the soldiers begin with; with all of it one hides only when it is hit",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    stock: "0.35",
};
