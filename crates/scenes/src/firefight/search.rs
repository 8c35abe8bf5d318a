//! `search`: soldiers look for a player who made a noise.

use super::game::drill::{Drill, DrillInfo, SOLDIERS_SETTING, scene};
use super::game::play;
use super::game::player::Player;
use super::game::variant::MIND_SETTING;
use sentir::core::draw::Layer;
use sentir::squad::team::Alert;
use sentir_harness::info::SceneInfo;

/// Four after a noise.
pub const SCENE: SceneInfo = SceneInfo {
    // It is over before anybody shoots.
    layers: &[
        Layer::LEVEL,
        Layer::BODIES,
        Layer::NAMES,
        Layer::SENSES,
        Layer::PATHS,
        Layer::INFLUENCE,
        Layer::QUERIES,
        Layer::CLAIMS,
    ],
    ..scene(DrillInfo {
        name: "search",
        title: "Soldiers look for somebody who made a noise",
        about: "Soldiers know only where a noise was, out of sight of all of them. They go where the player may be by now, each to another \
     place, and look left and right on the way; what they see is empty. The player hides, and runs when they come near. The match is over when the player is seen.",
        settings: &[SOLDIERS_SETTING, MIND_SETTING],
        seconds: 60,
        build: |setup| {
            let drill = Drill {
                player: Some(Player::Hider),
                soldiers: setup.settings.whole("soldiers"),
                seconds: 60.0,
                brief: Some((Alert::Search, true)),
                ends_when_seen: true,
                begins_hidden: true,
                ..Drill::default()
            };
            play(setup, &drill)
        },
    })
};
