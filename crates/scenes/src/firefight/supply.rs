//! `supply`: a soldier without ammunition fetches some.

use super::game::drill::{Drill, DrillInfo, ONE_SETTING, in_the_open, scene};
use super::game::play;
use super::game::player::Player;
use sentir::squad::team::Alert;
use sentir_harness::info::SceneInfo;

/// Nothing left but a few rounds.
pub const SCENE: SceneInfo = scene(DrillInfo {
    name: "supply",
    title: "A soldier fetches rounds",
    about: "The soldier begins with a few rounds and carries none besides. When they are gone it goes to where there are more, out \
     of sight of the player, who does nothing; fills up, and comes back.",
    settings: &[ONE_SETTING],
    seconds: 60,
    build: |setup| {
        let drill = Drill {
            player: Some(Player::Still),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 60.0,
            brief: Some((Alert::Fight, true)),
            places: in_the_open(),
            magazine_share: 0.4,
            reserve_share: 0.0,
            ..Drill::default()
        };
        play(setup, &drill)
    },
});
