//! `suppression`: two soldiers fire at where a hidden player would come out.

use super::game::drill::{Drill, DrillInfo, TWO_SETTING, behind_a_wall, scene};
use super::game::play;
use super::game::player::Player;
use sentir::squad::team::Alert;
use sentir_harness::info::SceneInfo;

/// Two hold somebody down from two sides.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "suppression",
    title: "Two soldiers shoot at where somebody would come out",
    about: "The player crouches behind a low wall, and the soldiers know where. While they gain ground, each shoots at \
     another point where the player would first come out.",
    settings: &[TWO_SETTING],
    seconds: 20,
    build: |setup| {
        let drill = Drill {
            player: Some(Player::Low),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 20.0,
            brief: Some((Alert::Fight, true)),
            places: behind_a_wall(),
            ..Drill::default()
        };
        play(setup, &drill)
    },
});
