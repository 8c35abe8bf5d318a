//! `attack`: a soldier attacks from a good firing position.

use super::game::drill::{Drill, DrillInfo, ONE_SETTING, facing, in_the_open, scene};
use super::game::play;
use super::game::player::Player;
use sentir::prelude::Vec2;
use sentir::squad::team::Alert;
use sentir_harness::info::{SceneInfo, Setting, SettingKind};

/// One attacks from a good place.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "attack",
    title: "A soldier attacks from a good place",
    about: "The player stands in the open and does nothing. The soldier takes a place near cover from where it sees the player, holds it \
     and shoots. With player=late the player begins to shoot back, and the soldier leaves its place under fire.",
    settings: &[ONE_SETTING, PLAYER_SETTING, BEGINS_SETTING],
    seconds: 20,
    build: |setup| {
        let drill = Drill {
            player: Player::named(setup.settings.word("player")),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 20.0,
            brief: Some((Alert::Fight, true)),
            soldier_health: 400.0,
            places: if setup.settings.word("begins") == "close" { at_hand() } else { in_the_open() },
            ..Drill::default()
        };
        play(setup, &drill)
    },
});

const PLAYER_SETTING: Setting = Setting {
    name: "player",
    about: "whether the player only stands there, shoots from where it stands, or begins to when it has been hit a few times",
    kind: SettingKind::Choice(&["still", "camper", "late"]),
    stock: "still",
};
const BEGINS_SETTING: Setting = Setting {
    name: "begins",
    about: "how far off the soldiers begin: who is close is run at",
    kind: SettingKind::Choice(&["far", "close"]),
    stock: "far",
};

/// The same, with a soldier a few steps off.
fn at_hand() -> Vec<(Vec2, f32)> {
    let mut places = in_the_open();
    places[1] = facing((1.6, -7.4), (6.5, -7.5));
    places
}
