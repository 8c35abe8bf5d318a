//! What a screen shows of a moment beside the picture, as data: the body that a person plays (what its hands, skin and ears
//! feel), what the rules of the game tell everybody, and what can be pressed. Nothing of it comes from another one's head: a
//! screen that shows just this is an honest one.
//!
//! Made of the state between two ticks ([`Match::play`](crate::game_match::Match::play)); looking changes nothing.

use sentir::State;
use sentir::core::math;
use sentir::prelude::{HostKey, Pose, TeamId, Tick, Vec2, Vec3};

use crate::info::names;
use sentir_sim::armory::Armory;
use sentir_sim::kit::{Carried, Kit};

/// Hurts and noises that are told at most.
pub const SIGNS_MAX: usize = 8;

/// Something felt or heard, and where it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Sign {
    /// Where it seemed to come from, m.
    pub from: Vec3,
    /// Health lost, or how loud it was, 0..=1.
    pub amount: f32,
    /// When.
    pub at: Tick,
}

/// An agent that died, as it lies there.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Fallen {
    /// Whose key it was.
    pub key: HostKey,
    /// On which side.
    pub team: TeamId,
    /// Which kind.
    pub kind: u16,
    /// Where it stood, m.
    pub pose: Pose,
    /// When it died.
    pub at: Tick,
}

/// What a screen shows of a moment beside the picture: for a person who plays the match, or watches as one who plays would.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Play {
    /// The player's body; none while nobody plays.
    pub hud: Option<Hud>,
    /// Who lies dead, oldest first.
    pub fallen: Vec<Fallen>,
    /// The scene's own figures around the picture.
    pub gauges: Vec<Gauge>,
    /// What can be used now.
    pub prompt: Option<Prompt>,
    /// What was announced last, while it is to be read.
    pub banner: Option<Banner>,
    /// How it ended, once it has.
    pub result: Option<ResultCard>,
    /// Boxes with rows and buttons.
    pub panels: Vec<Panel>,
    /// The ground, small; agents are marked on it by whoever shows it.
    pub minimap: Option<Minimap>,
    /// Whom a commander has selected.
    pub selection: Vec<HostKey>,
}

/// A body as who plays it knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hud {
    /// Whose body.
    pub key: HostKey,
    /// Health left, and when whole.
    pub health: [f32; 2],
    /// Rounds in the magazine, when it is full, and carried besides.
    pub rounds: [u32; 3],
    /// How far a reload in progress is, 0..=1; none without one.
    pub reload: Option<f32>,
    /// Half the angle in which the next shot goes, rad.
    pub spread_rad: f32,
    /// How high it looks, rad.
    pub pitch_rad: f32,
    /// Shots fired, hits, and foes killed so far.
    pub counts: [u32; 3],
    /// When it last fired, hit somebody, hit a head, and killed somebody.
    pub last: [Option<Tick>; 4],
    /// Where it was hurt from, newest first.
    pub hurts: [Option<Sign>; SIGNS_MAX],
    /// What it heard, newest first.
    pub noises: [Option<Sign>; SIGNS_MAX],
    /// Foes that are left: a death is told to all.
    pub foes: u32,
    /// Seconds until time is up.
    pub left_s: f32,
    /// Whether the match was won, once it is decided.
    pub is_won: Option<bool>,
    /// What it carries, in the order of its slots.
    pub weapons: Vec<WeaponLine>,
}

/// A weapon that is carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeaponLine {
    /// What it is called.
    pub name: String,
    /// Rounds in it.
    pub rounds: u32,
    /// Rounds when it is full; 0 for what needs none.
    pub magazine: u32,
    /// Rounds carried besides.
    pub carried: u32,
    /// Whether it is in the hands.
    pub is_held: bool,
}

impl WeaponLine {
    /// All that is carried.
    pub fn all(kit: &Kit, armory: &Armory) -> Vec<WeaponLine> {
        let line = |(place, one): (usize, &Option<Carried>)| {
            let Carried { id, weapon } = one.as_ref()?;
            let spec = armory.spec(*id)?;
            Some(WeaponLine {
                name: spec.name.clone(),
                rounds: weapon.magazine,
                magazine: spec.magazine_max(),
                carried: weapon.reserve,
                is_held: place == usize::from(kit.in_hand),
            })
        };
        kit.places.iter().enumerate().filter_map(line).collect()
    }
}

names! {
    /// How something is meant.
    Tone {
        /// As it is.
        Plain = "plain",
        /// Well for who plays.
        Good = "good",
        /// Something to watch.
        Warn = "warn",
        /// Ill for who plays.
        Bad = "bad",
    }
}

names! {
    /// Where on the screen.
    Place {
        /// Left above.
        TopLeft = "top_left",
        /// In the middle above.
        TopCenter = "top_center",
        /// Right above.
        TopRight = "top_right",
        /// Left below.
        BottomLeft = "bottom_left",
        /// Right below.
        BottomRight = "bottom_right",
    }
}

/// A figure of the scene at the edge of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// What it is of.
    pub name: &'static str,
    /// As it is read.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// How full it is, 0..=1, where that makes sense.
    pub share: Option<f32>,
    /// How it is meant.
    pub tone: Tone,
}

impl Gauge {
    /// A plain one.
    pub fn new(name: &'static str, text: impl Into<String>, place: Place) -> Gauge {
        Gauge { name, text: text.into(), place, share: None, tone: Tone::Plain }
    }

    /// The same with how full it is, held within 0..=1; what is no number counts as 0.
    pub fn with_share(self, share: f32) -> Gauge {
        Gauge { share: Some(saturated(share)), ..self }
    }

    /// The same with a tone.
    pub fn with_tone(self, tone: Tone) -> Gauge {
        Gauge { tone, ..self }
    }
}

/// What can be used now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// By which key, as it is written on it: `E`.
    pub key: &'static str,
    /// What for.
    pub text: String,
}

/// Something announced to all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banner {
    /// In a few words.
    pub text: String,
    /// A line more.
    pub detail: Option<String>,
    /// How it is meant.
    pub tone: Tone,
    /// Until when it is to be read.
    pub until: Tick,
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCard {
    /// How it ended, in a few words.
    pub title: String,
    /// Whether who played won; none where nobody did.
    pub is_won: Option<bool>,
    /// Figures: what, and how much.
    pub rows: Vec<(&'static str, String)>,
}

/// A box with rows and buttons.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its name for programs, the same in the whole match.
    pub id: &'static str,
    /// What it is about.
    pub title: String,
    /// What it tells.
    pub rows: Vec<PanelRow>,
    /// What can be pressed.
    pub buttons: Vec<Button>,
}

/// A line of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRow {
    /// What it is of.
    pub name: String,
    /// As it is read.
    pub text: String,
    /// How full it is, 0..=1, where that makes sense.
    pub share: Option<f32>,
    /// How it is meant.
    pub tone: Tone,
}

impl PanelRow {
    /// A plain one.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> PanelRow {
        PanelRow { name: name.into(), text: text.into(), share: None, tone: Tone::Plain }
    }

    /// The same with how full it is, held within 0..=1; what is no number counts as 0.
    pub fn with_share(self, share: f32) -> PanelRow {
        PanelRow { share: Some(saturated(share)), ..self }
    }

    /// The same with a tone.
    pub fn with_tone(self, tone: Tone) -> PanelRow {
        PanelRow { tone, ..self }
    }
}

/// Something to press: an [input](sentir_sim::input::Input::button) with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// Its number, the same in the whole scene. Limit: > 0.
    pub id: u16,
    /// What is written on it.
    pub text: String,
    /// Whether what it does is so now.
    pub is_on: bool,
    /// Whether pressing it does anything now.
    pub is_enabled: bool,
    /// What it does.
    pub about: String,
}

impl Button {
    /// One that can be pressed and is not on.
    pub fn new(id: u16, text: impl Into<String>, about: impl Into<String>) -> Button {
        Button { id, text: text.into(), is_on: false, is_enabled: true, about: about.into() }
    }

    /// The same, on or not.
    pub fn on(self, is_on: bool) -> Button {
        Button { is_on, ..self }
    }

    /// The same, to be pressed or not.
    pub fn enabled(self, is_enabled: bool) -> Button {
        Button { is_enabled, ..self }
    }
}

/// The ground, small.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimap {
    /// Its left lower corner, ground coordinates, m.
    pub corner: Vec2,
    /// How far it reaches along ground x and y, m.
    pub size: Vec2,
    /// Cells along x and y.
    pub cells: [u32; 2],
    /// Four bytes a cell, row by row from the top (the highest y) down.
    pub rgba: Vec<u8>,
}

fn saturated(share: f32) -> f32 {
    if share.is_nan() { 0.0 } else { math::saturate(share) }
}

/// Puts a sign in front; the oldest goes.
pub fn push(signs: &mut [Option<Sign>; SIGNS_MAX], sign: Sign) {
    signs.rotate_right(1);
    signs[0] = Some(sign);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_sign_is_first_and_the_oldest_goes() {
        let mut signs = [None; SIGNS_MAX];
        for number in 0..SIGNS_MAX as u64 + 3 {
            push(&mut signs, Sign { at: Tick(number), ..Sign::default() });
        }
        let ticks: Vec<u64> = signs.iter().flatten().map(|sign| sign.at.0).collect();
        assert_eq!(ticks, (3..SIGNS_MAX as u64 + 3).rev().collect::<Vec<_>>());
    }

    #[test]
    fn shares_are_held_within_bounds_and_no_number_is_none_left() {
        let shares = [-1.0, 0.25, 7.0, f32::NAN].map(|share| {
            let gauge = Gauge::new("health", "1", Place::TopLeft).with_share(share);
            let row = PanelRow::new("health", "1").with_share(share);
            assert_eq!(gauge.share, row.share);
            gauge.share
        });
        assert_eq!(shares, [Some(0.0), Some(0.25), Some(1.0), Some(0.0)]);
    }
}
