//! `push`: a soldier gains ground on a player who hides.

use super::game::drill::{Drill, DrillInfo, ONE_SETTING, behind_a_wall, scene};
use super::game::play;
use super::game::player::Player;
use sentir::squad::team::Alert;
use sentir_harness::info::SceneInfo;

/// Soldiers gain ground on somebody who hides.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "push",
    title: "A soldier gains ground on somebody who hides",
    about: "The player crouches behind a low wall, and the soldier knows where. It goes where it sees that place, by a way \
     that is seen least from there, and comes nearer until it finds the player.",
    settings: &[ONE_SETTING],
    seconds: 30,
    build: |setup| {
        let drill = Drill {
            player: Some(Player::Low),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 30.0,
            brief: Some((Alert::Fight, true)),
            places: behind_a_wall(),
            ..Drill::default()
        };
        play(setup, &drill)
    },
});
