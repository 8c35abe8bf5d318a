//! `fox`: a fox that wanders until it sees the rabbit, then pursues.

use sentir::core::draw::Layer;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Combiner, Repertoire, Target};
use sentir_act::steer::{FeelerConfig, PursueConfig, WanderConfig};

use super::steering_basic::{GRAY, ORANGE, green};
use super::{Glance, Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_sim::wall::walls;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "fox",
    title: "A fox and a rabbit",
    about: "A fox wanders among hedges until it sees the rabbit, then runs to where the rabbit will be; out of sight for \
            long enough, it wanders again. The rabbit grazes until it sees the fox near, then evades. It ends with a catch.",
    controls: None,
    kinds: &[KindLook::new(0, "fox", Model::Fox), KindLook::new(RABBIT, "rabbit", Model::Rabbit)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[Setting {
        name: "fox_m_per_s",
        about: "how fast the fox runs, m/s; the rabbit runs 2.6",
        kind: SettingKind::Number { min: 0.5, max: 6.0 },
        stock: "3",
    }],
    assets: &[("warren.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/warren.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 120 * 60,
    trials: &[&["fox_m_per_s=2"]],
    build,
};

const PLACE: Purpose = Purpose::new("fox.place");
/// Sets of both, by number.
const CALM: u16 = 0;
const RUN: u16 = 1;
/// Roles.
const FOX: u16 = 0;
const RABBIT: u16 = 1;
/// How near the fox must be for the rabbit to run, m.
const SCARE_M: f32 = 7.0;
/// How near is a catch, m.
const CATCH_M: f32 = 0.7;

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["caught_s", "first_seen_s", "pursuing_share", "least_m"],
    look,
    is_over: |figures| figures.first().is_some_and(|caught| !caught.is_nan()).then_some("caught"),
    player: None,
    seconds: 120.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "warren.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let feel = Behavior::AvoidWalls(FeelerConfig::default());
    let field = Behavior::Contain(0.5);
    let stroll = WanderConfig { radius_m: 1.0, distance_m: 2.0, jitter_m: 1.0 };
    let wander =
        Repertoire::new("wander", &[feel, field, Behavior::Wander(stroll)]).weighed(&[1.5, 1.0, 0.6]).at_pace(0.55);
    let graze =
        Repertoire::new("graze", &[feel, field, Behavior::Wander(stroll)]).weighed(&[1.5, 1.0, 0.6]).at_pace(0.25);
    let pursue = Repertoire::new("pursue", &[feel, Behavior::Pursue(Target::Whom(0), PursueConfig::default())]);
    let evade = Repertoire::new("evade", &[feel, field, Behavior::Evade(Target::Whom(0), 14.0)])
        .weighed(&[1.5, 1.5, 1.0])
        .combined(Combiner::Context);
    let fox_speed = setup.settings.number("fox_m_per_s");
    let roles = vec![
        Role {
            name: "fox",
            color: ORANGE,
            at: Vec2::new(random.between(-14.0, -12.0), random.between(6.0, 9.0)),
            yaw: -math::FRAC_PI_2,
            mover: Mover { speed_m_per_s_max: fox_speed, acceleration_m_per_s2_max: 7.0, ..Mover::default() },
            sets: vec![wander, pursue.weighed(&[1.2, 1.0])],
            targets: vec![RABBIT],
            sight: (12.0, 1.1),
            choose: Some(hunt),
            ..Role::default()
        },
        Role {
            name: "rabbit",
            color: GRAY,
            at: Vec2::new(random.between(11.0, 13.0), random.between(-9.0, -6.0)),
            yaw: random.between(-3.0, 3.0),
            mover: Mover {
                at: sentir_act::Moving { radius_m: 0.2, ..Default::default() },
                speed_m_per_s_max: 2.6,
                acceleration_m_per_s2_max: 12.0,
                ..Mover::default()
            },
            sets: vec![graze, evade],
            targets: vec![FOX],
            sight: (12.0, 2.7),
            choose: Some(watch),
            ..Role::default()
        },
    ];
    let mind = Steerer { roles, walls: walls(&level), field: field_of(&green(0.4)), ..Steerer::default() };
    begin(setup, STEERING, level, mind)
}

/// Pursues what it saw within the last moment; it gives up after two seconds.
fn hunt(glance: &Glance<'_>, intents: &mut Intents) {
    let patience_s = if intents.behavior == RUN { 2.0 } else { 0.1 };
    intents.behavior = if glance.unseen_s(RABBIT) < patience_s { RUN } else { CALM };
}

/// Runs from a fox close by, and a little longer.
fn watch(glance: &Glance<'_>, intents: &mut Intents) {
    let reach_m = if intents.behavior == RUN { SCARE_M + 3.0 } else { SCARE_M };
    let is_near = glance.distance_m(FOX) < reach_m && glance.unseen_s(FOX) < 4.0;
    intents.behavior = if is_near { RUN } else { CALM };
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let ([fox, rabbit], [hunting, _]) = (look.bodies, look.sets) else { return };
    let [caught_s, first_s, share, least_m] = figures else { return };
    let distance = fox.position.distance(rabbit.position);
    super::stage::keep_min(least_m, distance);
    let is_hunting = *hunting == RUN;
    if is_hunting && first_s.is_nan() {
        *first_s = look.time_s;
    }
    look.mean(share, if is_hunting { 1.0 } else { 0.0 }, 0.0);
    if distance < CATCH_M && caught_s.is_nan() {
        *caught_s = look.time_s;
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    /// How many of twelve foxes of a speed catch the rabbit, and how long after they first saw it, s.
    fn hunts(speed: &str) -> (u32, f64) {
        let (mut caught, mut chase_s) = (0, 0.0);
        for seed in 0..12 {
            let figure = figures("fox", seed, &[("fox_m_per_s", speed)]);
            // The hedges hide the rabbit at first.
            let first_s = figure("first_seen_s");
            assert!(first_s.is_nan() || first_s > 0.5, "seed {seed}: {first_s}");
            if !figure("caught_s").is_nan() {
                (caught, chase_s) = (caught + 1, chase_s + figure("caught_s") - first_s);
            }
        }
        (caught, chase_s / f64::from(caught))
    }

    #[test]
    fn the_fox_wanders_first_then_pursues_and_a_fast_one_catches_sooner() {
        let (fast, slow) = (hunts("3.4"), hunts("1.8"));
        assert!(fast.0 >= 9 && fast.0 >= slow.0, "{fast:?} {slow:?}");
        assert!(slow.1 > 1.3 * fast.1, "{fast:?} {slow:?}");
    }
}
