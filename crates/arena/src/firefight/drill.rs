//! The scenes of one behavior: where everybody begins, what the soldiers know, and who plays.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::squad::theater::{EYE_M, Theater};

use super::player::Player;
use super::setting::HEALTH_SETTING;
use super::variant::MIND_SETTING;
use super::{ASSETS, Alert, RATE, begin};
use crate::scene::{Match, Scene, SceneError, Setting, SettingKind, Setup};

/// How a match begins and ends.
#[derive(Clone, Debug)]
pub(super) struct Drill {
    /// Who plays; none is a soldier.
    pub(super) player: Option<Player>,
    pub(super) soldiers: u32,
    /// Health of the player, and of a soldier.
    pub(super) health: f32,
    pub(super) soldier_health: f32,
    pub(super) seconds: f32,
    /// What the soldiers know at first of where the player is, and whether exactly; none is nothing.
    pub(super) brief: Option<(Alert, bool)>,
    /// Where everybody begins: the player, then the soldiers; ground and yaw. Those not named come in as in a match.
    pub(super) places: Vec<(Vec2, f32)>,
    /// Shares of health and magazine that soldiers begin with.
    pub(super) health_share: f32,
    pub(super) magazine_share: f32,
    /// The same of what is carried besides.
    pub(super) reserve_share: f32,
    /// Whether it is over as soon as somebody has seen the player.
    pub(super) ends_when_seen: bool,
    /// Whether the player begins where no soldier sees him, at one of the places where players go.
    pub(super) begins_hidden: bool,
}

impl Default for Drill {
    fn default() -> Self {
        Drill {
            player: None,
            soldiers: 4,
            health: 450.0,
            soldier_health: 100.0,
            seconds: 180.0,
            brief: None,
            places: Vec::new(),
            health_share: 1.0,
            magazine_share: 1.0,
            reserve_share: 1.0,
            ends_when_seen: false,
            begins_hidden: false,
        }
    }
}

impl Drill {
    /// Puts those who have a place there.
    pub(super) fn place(&self, theater: &Theater, player: &mut [Pose], soldiers: &mut [Pose]) {
        let all = player.iter_mut().take(1).chain(soldiers.iter_mut());
        for (pose, &(at, yaw)) in all.zip(&self.places) {
            if let Some(place) = theater.ground(plane::lift(at, 0.0)) {
                *pose = Pose { position: place.point + Vec3::Y * 0.02, yaw };
            }
        }
    }

    /// Puts the player out of sight of the soldiers, and not before their feet, if he is to begin so.
    pub(super) fn hide(
        &self,
        theater: &Theater,
        luck: &mut Stream,
        spots: &[Vec3],
        [player, soldiers]: [&mut [Pose]; 2],
    ) {
        if !self.begins_hidden {
            return;
        }
        let foes = &soldiers[..soldiers.len().min(self.soldiers as usize)];
        let is_hidden = |spot: &&Vec3| {
            let is_far = |foe: &Pose| foe.position.distance(**spot) > HIDDEN_M;
            let is_seen = |foe: &Pose| theater.is_in_sight(foe.position + Vec3::Y * EYE_M, **spot, EYE_M);
            foes.iter().all(|foe| is_far(foe) && !is_seen(foe))
        };
        let hidden: Vec<Vec3> = spots.iter().filter(is_hidden).copied().collect();
        if let (Some(pose), Some(&spot)) = (player.first_mut(), luck.pick(&hidden)) {
            pose.position = spot + Vec3::Y * 0.02;
        }
    }
}

/// Nobody who begins hidden is nearer to a soldier than this, m.
const HIDDEN_M: f32 = 8.0;

/// Angles in degrees are easier to read.
fn facing(at: (f32, f32), to: (f32, f32)) -> (Vec2, f32) {
    let (at, to) = (Vec2::new(at.0, at.1), Vec2::new(to.0, to.1));
    (at, plane::yaw(to - at))
}

const SOLDIERS_SETTING: Setting =
    Setting { name: "soldiers", about: "how many soldiers", kind: SettingKind::Whole { min: 1, max: 4 }, stock: "4" };
const PLAYER_SETTING: Setting = Setting {
    name: "player",
    about: "whether the player only stands there, shoots from where he stands, or begins to when he has been hit a few times",
    kind: SettingKind::Choice(&["still", "camper", "late"]),
    stock: "still",
};
const BEGINS_SETTING: Setting = Setting {
    name: "begins",
    about: "how far off the soldiers begin: who is close is run at",
    kind: SettingKind::Choice(&["far", "close"]),
    stock: "far",
};
const ROUNDS_SETTING: Setting = Setting {
    name: "rounds",
    about: "share of the magazine that the soldiers begin with; with all of it one hides only when it is hit",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    stock: "0.35",
};
const ONE_SETTING: Setting = Setting { stock: "1", ..SOLDIERS_SETTING };
const TWO_SETTING: Setting = Setting { stock: "2", ..SOLDIERS_SETTING };

const fn scene(
    (name, title): (&'static str, &'static str),
    about: &'static str,
    settings: &'static [Setting],
    seconds: u64,
    build: fn(&Setup) -> Result<Box<dyn Match>, SceneError>,
) -> Scene {
    Scene {
        name,
        title,
        about,
        controls: "",
        settings,
        assets: ASSETS,
        rate: RATE,
        ticks_max: 60 * seconds,
        trials: &[&[]],
        build,
    }
}

/// One against one.
pub(crate) const DUEL: Scene = Scene {
    controls: "With player=input you are the player: move, look, fire, reload, crouch, jump.",
    trials: &[&[], &["player=input", "seconds=40"]],
    ..scene(
        ("duel", "One against one"),
        "A soldier and a player of equal health, each with more of it than in a firefight, so that there is time for \
         everything: to look for the other, to hide, to gain ground, to hold a good place and to leave it under fire.",
        &[
            Setting {
                name: "player",
                about: "who plays against the soldier: another soldier, a plain mind of some kind, or you",
                kind: SettingKind::Choice(&["strong", "hider", "camper", "rusher", "flanker", "base", "input"]),
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
        180,
        |setup| {
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
            Ok(Box::new(begin(setup, &drill)?))
        },
    )
};

/// Four after a noise.
pub(crate) const SEARCH: Scene = scene(
    ("search", "Soldiers look for somebody who made a noise"),
    "Soldiers know only where a noise was, out of sight of all of them. They go where he may be by now, each to another \
     place, and look left and right on the way; what they see is empty. The player hides, and runs when they come near. It is over when he is seen.",
    &[SOLDIERS_SETTING, MIND_SETTING],
    60,
    |setup| {
        let drill = Drill {
            player: Some(Player::Hider),
            soldiers: setup.settings.whole("soldiers"),
            seconds: 60.0,
            brief: Some((Alert::Search, true)),
            ends_when_seen: true,
            begins_hidden: true,
            ..Drill::default()
        };
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// One hides when it is hit or low on rounds.
pub(crate) const HIDE_COVER: Scene = scene(
    ("hide-cover", "A soldier hides when it is hit or must reload"),
    "The soldier begins with a few rounds, before a player who shoots from where he stands. It goes out of his sight, keeps \
     low where that is enough, reloads there, and comes back.",
    &[ONE_SETTING, ROUNDS_SETTING],
    30,
    |setup| {
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
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// Where somebody crouches behind a low wall, and soldiers who saw him go there.
fn behind_a_wall() -> Vec<(Vec2, f32)> {
    let him = (9.0, -4.0);
    vec![
        facing(him, (8.5, -12.0)),
        facing((4.5, -13.6), him),
        facing((14.5, -13.5), him),
        facing((9.0, -14.5), him),
        facing((18.0, -9.0), him),
    ]
}

/// Soldiers gain ground on somebody who hides.
pub(crate) const PUSH: Scene = scene(
    ("push", "A soldier gains ground on somebody who hides"),
    "The player crouches behind a low wall, and the soldier knows where he went. It goes where it sees the place, by a way \
     that is seen least from there, and comes nearer until it finds him.",
    &[ONE_SETTING],
    30,
    |setup| {
        let drill = Drill {
            player: Some(Player::Low),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 30.0,
            brief: Some((Alert::Fight, true)),
            places: behind_a_wall(),
            ..Drill::default()
        };
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// Two hold somebody down from two sides.
pub(crate) const SUPPRESSION: Scene = scene(
    ("suppression", "Two soldiers shoot at where somebody would come out"),
    "The player crouches behind a low wall, and the soldiers know where he went. While they gain ground, each shoots at \
     another point where he would first show himself.",
    &[TWO_SETTING],
    20,
    |setup| {
        let drill = Drill {
            player: Some(Player::Low),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 20.0,
            brief: Some((Alert::Fight, true)),
            places: behind_a_wall(),
            ..Drill::default()
        };
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// Where somebody stands in the open, and soldiers who see him.
fn in_the_open() -> Vec<(Vec2, f32)> {
    let him = (6.5, -7.5);
    vec![
        facing(him, (-6.0, -7.5)),
        facing((-6.3, -7.3), him),
        facing((-5.5, -4.0), him),
        facing((-5.5, -0.5), him),
        facing((-0.5, 0.5), him),
    ]
}

/// The same, with a soldier a few steps off.
fn at_hand() -> Vec<(Vec2, f32)> {
    let mut places = in_the_open();
    places[1] = facing((1.6, -7.4), (6.5, -7.5));
    places
}

/// One attacks from a good place.
pub(crate) const ATTACK: Scene = scene(
    ("attack", "A soldier attacks from a good place"),
    "The player stands in the open and does nothing. The soldier takes a place from where it sees him, near cover, holds it \
     and shoots. With player=late he begins to shoot back, and it leaves its place under fire.",
    &[ONE_SETTING, PLAYER_SETTING, BEGINS_SETTING],
    20,
    |setup| {
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
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// Nothing left but a few rounds.
pub(crate) const SUPPLY: Scene = scene(
    ("supply", "A soldier fetches rounds"),
    "The soldier begins with a few rounds and carries none besides. When they are gone it goes to where there are more, out \
     of sight of the player, who does nothing; fills up, and comes back.",
    &[ONE_SETTING],
    60,
    |setup| {
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
        Ok(Box::new(begin(setup, &drill)?))
    },
);

/// Four attack from different flanks.
pub(crate) const GROUP_ATTACK: Scene = scene(
    ("group-attack", "Soldiers attack from different flanks"),
    "The player stands in the open and does nothing. Four soldiers take places to shoot from, each on another \
     flank; nobody shoots past a friend.",
    &[SOLDIERS_SETTING, MIND_SETTING],
    30,
    |setup| {
        let drill = Drill {
            player: Some(Player::Still),
            soldiers: setup.settings.whole("soldiers"),
            health: 100_000.0,
            seconds: 30.0,
            brief: Some((Alert::Fight, true)),
            places: in_the_open(),
            ..Drill::default()
        };
        Ok(Box::new(begin(setup, &drill)?))
    },
);
