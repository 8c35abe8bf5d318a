//! The scenes of one behavior: where everybody begins, what the soldiers know, and who plays.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::squad::tactical_map::{EYE_M, TacticalMap};

use super::player::Player;
use super::setting::{KINDS, LAYERS};
use super::{ASSETS, Alert, RATE};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

/// How a match begins and ends.
#[derive(Clone, Debug)]
pub(crate) struct Drill {
    /// Who plays; none is a soldier.
    pub(crate) player: Option<Player>,
    pub(crate) soldiers: u32,
    /// Health of the player, and of a soldier.
    pub(crate) health: f32,
    pub(crate) soldier_health: f32,
    pub(crate) seconds: f32,
    /// What the soldiers know at first of where the player is, and whether exactly; none is nothing.
    pub(crate) brief: Option<(Alert, bool)>,
    /// Where everybody begins: the player, then the soldiers; ground and yaw. Those not named come in as in a match.
    pub(crate) places: Vec<(Vec2, f32)>,
    /// Shares of health and magazine that soldiers begin with.
    pub(crate) health_share: f32,
    pub(crate) magazine_share: f32,
    /// The same of what is carried besides.
    pub(crate) reserve_share: f32,
    /// Whether it is over as soon as somebody has seen the player.
    pub(crate) ends_when_seen: bool,
    /// Whether the player begins where no soldier sees it, at one of the places where players go.
    pub(crate) begins_hidden: bool,
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
    pub(crate) fn place(&self, tactical_map: &TacticalMap, player: &mut [Pose], soldiers: &mut [Pose]) {
        let all = player.iter_mut().take(1).chain(soldiers.iter_mut());
        for (pose, &(at, yaw)) in all.zip(&self.places) {
            if let Some(place) = tactical_map.ground(plane::lift(at, 0.0)) {
                *pose = Pose { position: place.point + Vec3::Y * 0.02, yaw };
            }
        }
    }

    /// Puts the player out of sight of the soldiers, and not before their feet, if it is to begin so.
    pub(crate) fn hide(
        &self,
        tactical_map: &TacticalMap,
        rng: &mut Stream,
        spots: &[Vec3],
        [player, soldiers]: [&mut [Pose]; 2],
    ) {
        if !self.begins_hidden {
            return;
        }
        let foes = &soldiers[..soldiers.len().min(self.soldiers as usize)];
        let is_hidden = |spot: &&Vec3| {
            let is_far = |foe: &Pose| foe.position.distance(**spot) > HIDDEN_M;
            let is_seen = |foe: &Pose| tactical_map.is_in_sight(foe.position + Vec3::Y * EYE_M, **spot, EYE_M);
            foes.iter().all(|foe| is_far(foe) && !is_seen(foe))
        };
        let hidden: Vec<Vec3> = spots.iter().filter(is_hidden).copied().collect();
        if let (Some(pose), Some(&spot)) = (player.first_mut(), rng.pick(&hidden)) {
            pose.position = spot + Vec3::Y * 0.02;
        }
    }
}

/// Nobody who begins hidden is nearer to a soldier than this, m.
const HIDDEN_M: f32 = 8.0;

/// Angles in degrees are easier to read.
pub(crate) fn facing(at: (f32, f32), to: (f32, f32)) -> (Vec2, f32) {
    let (at, to) = (Vec2::new(at.0, at.1), Vec2::new(to.0, to.1));
    (at, plane::yaw(to - at))
}

pub(crate) const SOLDIERS_SETTING: Setting =
    Setting { name: "soldiers", about: "how many soldiers", kind: SettingKind::Whole { min: 1, max: 4 }, stock: "4" };
pub(crate) const ONE_SETTING: Setting = Setting { stock: "1", ..SOLDIERS_SETTING };
pub(crate) const TWO_SETTING: Setting = Setting { stock: "2", ..SOLDIERS_SETTING };

/// What one drill's scene has of its own; see [`SceneInfo`].
#[derive(Clone, Copy)]
pub(crate) struct DrillInfo {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) settings: &'static [Setting],
    /// How long a match lasts at most, s.
    pub(crate) seconds: u64,
    pub(crate) build: fn(&Setup) -> Result<Box<dyn Match>, SceneError>,
}

/// The scene of a drill.
pub(crate) const fn scene(info: DrillInfo) -> SceneInfo {
    let DrillInfo { name, title, about, settings, seconds, build } = info;
    SceneInfo {
        name,
        title,
        about,
        controls: None,
        kinds: KINDS,
        look: SceneLook::on(Ground::Concrete),
        layers: LAYERS,
        settings,
        assets: ASSETS,
        rate: RATE,
        ticks_max: 60 * seconds,
        trials: &[&[]],
        build,
    }
}

/// Where the player crouches behind a low wall, and soldiers that saw the player go there.
pub(crate) fn behind_a_wall() -> Vec<(Vec2, f32)> {
    let foe = (9.0, -4.0);
    vec![
        facing(foe, (8.5, -12.0)),
        facing((4.5, -13.6), foe),
        facing((14.5, -13.5), foe),
        facing((9.0, -14.5), foe),
        facing((18.0, -9.0), foe),
    ]
}

/// Where the player stands in the open, and soldiers that see the player.
pub(crate) fn in_the_open() -> Vec<(Vec2, f32)> {
    let foe = (6.5, -7.5);
    vec![
        facing(foe, (-6.0, -7.5)),
        facing((-6.3, -7.3), foe),
        facing((-5.5, -4.0), foe),
        facing((-5.5, -0.5), foe),
        facing((-0.5, 0.5), foe),
    ]
}
