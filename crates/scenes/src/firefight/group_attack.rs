//! `group-attack`: soldiers attack from different flanks.

use super::game::drill::{Drill, DrillInfo, SOLDIERS_SETTING, in_the_open, scene};
use super::game::play;
use super::game::player::Player;
use super::game::variant::MIND_SETTING;
use sentir::squad::team::Alert;
use sentir_harness::info::SceneInfo;

/// Four attack from different flanks.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "group-attack",
    title: "Soldiers attack from different flanks",
    about: "The player stands in the open and does nothing. Four soldiers take places to shoot from, each on another \
     flank; nobody shoots past a friend.",
    settings: &[SOLDIERS_SETTING, MIND_SETTING],
    seconds: 30,
    build: |setup| {
        let drill = Drill {
            player: Some(Player::Still),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 30.0,
            brief: Some((Alert::Fight, true)),
            places: in_the_open(),
            ..Drill::default()
        };
        play(setup, &drill)
    },
});
