//! `herding`: a dog brings strays back to the fold.

use sentir::core::draw::Layer;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{Deceleration, FeelerConfig, WanderConfig};
use sentir_act::{Mover, Moving};

use super::stage::add;
use super::steering_basic::{BLUE, GRAY, green};
use super::{Glance, Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_sim::wall::walls;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "herding",
    title: "A dog brings strays back to the fold",
    about: "Strays graze all over a green and run from a dog close by. The dog goes behind the stray that is farthest from \
            the fold, drives it in, and fetches the next.",
    controls: None,
    kinds: &[KindLook::new(DOG, "dog", Model::Dog), KindLook::new(DOG + 1, "sheep", Model::Sheep)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[Setting {
        name: "strays",
        about: "how many strays",
        kind: SettingKind::Whole { min: 1, max: 12 },
        stock: "6",
    }],
    assets: &[("fold.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/fold.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 240 * 60,
    trials: &[&["strays=2"]],
    build,
};

const PLACE: Purpose = Purpose::new("herding.place");
/// The middle of the gate.
const GATE: Vec2 = Vec2::new(9.5, 0.0);
/// The dog's role, and its sets.
const DOG: u16 = 0;
const ROUND: u16 = 0;
const DRIVE: u16 = 1;
const REST: u16 = 2;
/// A stray's sets.
const GRAZE: u16 = 0;
const RUN: u16 = 1;
const HOME: u16 = 2;
/// How near the dog scares, m.
const SCARE_M: f32 = 3.2;
/// How far behind a stray the dog goes before it drives, m.
const BEHIND_M: f32 = 3.4;

/// Whether a stray at a place is in the fold.
fn is_in(place: Vec2) -> bool {
    place.x > 9.3 && place.y.abs() < 4.0
}

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["in_fold", "home_s", "wall_bumps", "dog_m"],
    look,
    is_over: |figures| figures.get(1).is_some_and(|home| !home.is_nan()).then_some("all home"),
    player: None,
    seconds: 240.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "fold.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let feel = Behavior::AvoidWalls(FeelerConfig { reach_m: 0.5, horizon_s: 0.4, ..FeelerConfig::default() });
    let (field, goal) = (Behavior::Contain(0.4), Target::Whom(0));
    let mut roles = vec![Role {
        name: "dog",
        color: BLUE,
        at: Vec2::new(0.0, -7.0),
        mover: Mover { speed_m_per_s_max: 3.4, acceleration_m_per_s2_max: 14.0, ..Mover::default() },
        sets: vec![
            Repertoire::new(
                "round",
                &[feel, field, Behavior::Separation(3.0), Behavior::Arrive(goal, Deceleration::Fast)],
            )
            .weighed(&[1.0, 1.0, 0.9, 1.0]),
            Repertoire::new("drive", &[feel, field, Behavior::Arrive(goal, Deceleration::Normal)]),
            Repertoire::new("rest", &[Behavior::Arrive(goal, Deceleration::Normal)]),
        ],
        near_m: 3.5,
        sight: (40.0, 3.2),
        choose: Some(herd),
        ..Role::default()
    }];
    for number in 0..setup.settings.whole("strays") {
        let drift = WanderConfig { radius_m: 0.8, distance_m: 1.5, jitter_m: 1.0 };
        // Its own spot in the fold: three columns.
        let spot = Vec2::new(11.0 + (number / 4) as f32 * 1.2, (number % 4) as f32 * 1.6 - 2.4);
        let is_own = Behavior::Arrive(Target::Place(spot), Deceleration::Slow);
        roles.push(Role {
            name: "stray",
            color: GRAY,
            at: Vec2::new(random.between(-12.0, 1.0), random.between(-8.0, 8.0)),
            yaw: random.between(-3.0, 3.0),
            mover: Mover {
                at: Moving { radius_m: 0.35, ..Moving::default() },
                speed_m_per_s_max: 2.2,
                acceleration_m_per_s2_max: 8.0,
                ..Mover::default()
            },
            sets: vec![
                Repertoire::new("graze", &[feel, field, Behavior::Separation(1.5), Behavior::Wander(drift)])
                    .weighed(&[1.0, 1.0, 0.3, 0.6])
                    .at_pace(0.2),
                Repertoire::new(
                    "run",
                    &[feel, field, Behavior::Separation(0.9), Behavior::Evade(Target::Whom(0), 6.0)],
                )
                .weighed(&[1.0, 1.5, 0.5, 1.0]),
                Repertoire::new("home", &[feel, Behavior::Separation(0.9), is_own]).weighed(&[0.7, 0.5, 1.0]),
            ],
            targets: vec![DOG],
            near_m: 2.0,
            sight: (8.0, 3.2),
            choose: Some(stray),
            ..Role::default()
        });
    }
    let mind = Steerer { roles, walls: walls(&level), field: field_of(&green(0.4)), ..Steerer::default() };
    begin(setup, STEERING, level, mind)
}

/// Fetches the stray farthest from the gate: first gets behind it, then drives it.
fn herd(glance: &Glance<'_>, intents: &mut Intents) {
    let go = |intents: &mut Intents, place: Vec2| {
        let goal = plane::lift(place, 0.0);
        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: 9.0, arrive_m: 0.2 });
    };
    let mut farthest: Option<(f32, Vec2)> = None;
    for other in glance.view.beliefs.others() {
        let place = plane::ground(other.position);
        let distance = place.distance(GATE);
        if !is_in(place) && farthest.is_none_or(|(most, _)| distance > most) {
            farthest = Some((distance, place));
        }
    }
    let Some((_, stray)) = farthest else {
        intents.behavior = REST;
        return go(intents, Vec2::new(5.0, -5.0));
    };
    let away = plane::direction(stray - GATE);
    let way = stray - glance.here;
    // No farther than the wall: who stands in a corner is driven from beside it.
    let held = |place: Vec2| Vec2::new(math::clamp(place.x, -14.2, 8.4), math::clamp(place.y, -9.2, 9.2));
    let behind = held(stray + away * BEHIND_M);
    let is_there = behind.distance(glance.here) < 0.5;
    // Behind it is where the stray lies between the dog and the gate.
    let is_behind = plane::direction(way).dot(-away) > if intents.behavior == DRIVE { 0.75 } else { 0.93 };
    if is_there || (is_behind && way.length() < BEHIND_M + 2.0) {
        intents.behavior = DRIVE;
        go(intents, held(stray + away * 1.6));
    } else {
        intents.behavior = ROUND;
        go(intents, behind);
    }
}

/// Grazes; runs from the dog; goes in where the gate is near, and stays in.
fn stray(glance: &Glance<'_>, intents: &mut Intents) {
    let is_scared = glance.distance_m(DOG) < SCARE_M && glance.unseen_s(DOG) < 0.5;
    let is_before_gate = glance.here.x > 7.0 && glance.here.y.abs() < 1.6;
    intents.behavior = if is_in(glance.here) || (is_before_gate && (is_scared || intents.behavior != GRAZE)) {
        HOME
    } else if is_scared {
        RUN
    } else {
        GRAZE
    };
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let Some((dog, strays)) = look.bodies.split_first() else { return };
    let [in_fold, home_s, bumps, dog_m] = figures else { return };
    add(bumps, look.bumps[0] as f32);
    add(dog_m, dog.velocity.length() * super::stage::RATE.tick_s());
    *in_fold = strays.iter().filter(|stray| is_in(stray.position)).count() as f32;
    if home_s.is_nan() && *in_fold >= strays.len() as f32 {
        *home_s = math::max(look.time_s, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn all_strays_come_home() {
        for seed in 0..6 {
            let figure = figures("herding", seed, &[]);
            assert!(!figure("home_s").is_nan(), "seed {seed}: only {} of 6 in the fold", figure("in_fold"));
        }
    }
}
