//! `duel`: one soldier against one player of equal health.

use super::game::drill::{Drill, DrillInfo, scene};
use super::game::play;
use super::game::player::Player;
use super::game::setting::{CONTROLS, HEALTH_SETTING};
use super::game::variant::MIND_SETTING;
use sentir_harness::info::{BY_PERSON, Controls, SceneInfo, Setting, SettingKind};

/// One against one.
pub const SCENE: SceneInfo = SceneInfo {
    controls: Some(Controls { difficulty: None, ..CONTROLS }),
    trials: &[&[], &["player=input", "seconds=40"]],
    ..scene(DrillInfo {
        name: "duel",
        title: "One against one",
        about: "A soldier and a player of equal health, each with more of it than in a firefight, so that there is time for \
         everything: to look for the other, to hide, to gain ground, to hold a good place and to leave it under fire.",
        settings: &[
            Setting {
                name: "player",
                about: "who plays against the soldier: another soldier, a plain mind of some kind, or you",
                kind: SettingKind::Choice(&["strong", "hider", "camper", "rusher", "flanker", "base", BY_PERSON]),
                stock: "strong",
            },
            Setting { stock: "300", ..HEALTH_SETTING },
            Setting {
                name: "seconds",
                about: "how long it goes on at most, s",
                kind: SettingKind::Number { min: 1.0, max: 180.0 },
                stock: "180",
            },
            MIND_SETTING,
        ],
        seconds: 180,
        build: |setup| {
            let settings = &setup.settings;
            let health = settings.number("health");
            let drill = Drill {
                player: Player::named(settings.word("player")),
                soldiers: 1,
                health,
                soldier_health: health,
                seconds: settings.number("seconds"),
                ..Drill::default()
            };
            play(setup, &drill)
        },
    })
};
