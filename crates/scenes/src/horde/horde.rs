//! `horde`: zombies in rounds, in the arena; for a person or the bot.

use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Controls, Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

use super::game::ARENA;
use super::game::picture::LAYERS;
use super::game::plan::{self, Plan};
use super::setting::{ASSETS, CONTROLS, KINDS, PLAYER, seconds};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "horde",
    title: "Zombies in rounds: survive",
    about: "They come in at the four corners of an arena on three heights, and come back stronger in each round. Dummies bite \
            who is near, barkers howl and bring the others, the stealthy one waits until you look away, the thrower throws. \
            Heal and refill at the points in the corridors: look at one, press the key. The difficulty chooses their minds \
            and the mix of kinds; a director paces who comes in. Rings are nodes of the alarm, red dots seats, red sectors \
            the sides on which you are held.",
    controls: Some(Controls { difficulty: Some("difficulty"), ..CONTROLS }),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: LAYERS,
    settings: SETTINGS,
    assets: ASSETS,
    rate: RATE,
    ticks_max: 3600 * 60,
    trials: &[
        &["difficulty=hard", "rounds=1", "seconds=16", "director=off"],
        &["player=input", "difficulty=medium", "seconds=12"],
    ],
    build,
};

const RATE: TickRate = TickRate::new(60);

const SETTINGS: &[Setting] = &[
    PLAYER,
    Setting {
        name: "difficulty",
        about: "which minds they wear, how many there are and of which kinds",
        kind: SettingKind::Choice(&["easy", "medium", "hard"]),
        stock: "medium",
    },
    Setting {
        name: "rounds",
        about: "rounds that win the match",
        kind: SettingKind::Whole { min: 1, max: 50 },
        stock: "5",
    },
    Setting {
        name: "director",
        about: "whether a director paces who comes in",
        kind: SettingKind::Choice(&["on", "off"]),
        stock: "on",
    },
    seconds("1800"),
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let rules = plan::rules(setup)?;
    let difficulty = match setup.settings.word("difficulty") {
        "easy" => &rules.difficulty.easy,
        "hard" => &rules.difficulty.hard,
        _ => &rules.difficulty.medium,
    };
    let plan = Plan {
        rounds: setup.settings.whole("rounds"),
        has_director: setup.settings.word("director") == "on",
        ..Plan::new(setup, RATE, ARENA).difficulty(rules.rounds.count, difficulty)
    };
    plan::play(setup, plan)
}
