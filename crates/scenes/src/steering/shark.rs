//! `shark`: a flock that follows a wanderer and parts before a shark.

use sentir::core::draw::Layer;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Combiner, Repertoire, Scheme, Target};
use sentir_act::steer::WanderConfig;

use super::stage::{add, keep_min};
use super::steering_basic::{GRAY, ORANGE, RED, green};
use super::{Glance, Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "shark",
    title: "A flock, a wanderer and a shark",
    about: "A flock follows one who wanders. A shark seeks one of them: close by they scatter, else they flock and follow; \
            they halt when it passes ahead, and part when it goes through.",
    controls: None,
    kinds: &[
        KindLook::new(0, "wanderer", Model::Fish),
        KindLook::new(1, "shark", Model::Shark),
        KindLook::new(2, "fish", Model::Fish),
    ],
    look: SceneLook::on(Ground::Water),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[
        Setting {
            name: "count",
            about: "how many in the flock",
            kind: SettingKind::Whole { min: 1, max: 120 },
            stock: "40",
        },
        Setting {
            name: "idle",
            about: "what becomes of the turn of a group without a wish",
            kind: SettingKind::Choice(&["spent", "skipped"]),
            stock: "spent",
        },
    ],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 90 * 60,
    trials: &[&["count=12", "idle=skipped"]],
    build,
};

const PLACE: Purpose = Purpose::new("shark.place");
/// How near the shark scares, m.
const SCARE_M: f32 = 3.0;

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Water,
    figures: &["to_wanderer_m", "shark_least_m", "near_shark_share", "spacing_m", "passes_s", "gap_m"],
    look,
    is_over: |_| None,
    player: None,
    seconds: 60.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let (wanderer, shark) = (Target::Whom(0), Target::Whom(1));
    let mut roles = vec![
        Role {
            name: "wanderer",
            color: GRAY,
            at: Vec2::new(-4.0, 0.0),
            mover: Mover { speed_m_per_s_max: 0.9, ..Mover::default() },
            sets: vec![Repertoire::new("wander", &[Behavior::Contain(3.0), Behavior::Wander(WanderConfig::default())])],
            ..Role::default()
        },
        Role {
            name: "shark",
            color: RED,
            at: Vec2::new(13.0, 8.0),
            mover: Mover { speed_m_per_s_max: 1.7, acceleration_m_per_s2_max: 2.0, ..Mover::default() },
            sets: vec![Repertoire::new("seek", &[Behavior::Seek(Target::Whom(0))])],
            contain_s: 0.7,
            sight: (30.0, 3.2),
            choose: Some(hunt),
            ..Role::default()
        },
    ];
    let scheme = if setup.settings.word("idle") == "skipped" { Scheme::SHARK.skipping() } else { Scheme::SHARK };
    for number in 0..setup.settings.whole("count") {
        let (column, row) = ((number % 8) as f32, (number / 8) as f32);
        let jitter = Vec2::new(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
        roles.push(Role {
            color: ORANGE,
            at: Vec2::new(-13.0 + column * 1.1, -7.0 + row) + jitter,
            yaw: random.between(-3.0, 3.0),
            mover: Mover {
                at: sentir_act::Moving { radius_m: 0.22, ..Default::default() },
                speed_m_per_s_max: 2.0,
                acceleration_m_per_s2_max: 8.0,
                ..Mover::default()
            },
            sets: vec![
                Repertoire::new(
                    "flock",
                    &[
                        Behavior::Leave(shark, SCARE_M),
                        Behavior::Separation(0.9),
                        Behavior::Cohesion,
                        Behavior::Alignment,
                        Behavior::Arrive(wanderer, sentir_act::steer::Deceleration::Slow),
                    ],
                )
                .weighed(&[4.0, 3.0, 2.0, 1.0, 1.0])
                .combined(Combiner::Arbiter(scheme)),
            ],
            targets: vec![0, 1],
            contain_s: 0.4,
            near_m: 1.6,
            ..Role::default()
        });
    }
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(0.8)), ..Steerer::default() })
}

/// Seeks one of the flock and goes right through: to a place beyond the nearest one it sees, then back again.
fn hunt(glance: &Glance<'_>, intents: &mut Intents) {
    let goal = intents.travel().map(|(_, travel)| plane::ground(travel.goal));
    if goal.is_some_and(|goal| goal.distance(glance.here) > 1.5) {
        return;
    }
    let flock = glance.view.beliefs.others().iter().filter(|other| other.who.index() > 1);
    let places = flock.map(|other| plane::ground(other.position));
    let Some(prey) = places.min_by(|a, b| {
        // Not the one under its nose: whoever is nearest to four meters away.
        let off = |place: &Vec2| (place.distance(glance.here) - 4.0).abs();
        off(a).total_cmp(&off(b))
    }) else {
        return;
    };
    let beyond = prey + plane::direction(prey - glance.here) * 5.0;
    let held = Vec2::new(math::clamp(beyond.x, -13.0, 13.0), math::clamp(beyond.y, -8.0, 8.0));
    let goal = plane::lift(held, 0.0);
    intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: 9.0, arrive_m: 1.5 });
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [wanderer, shark, flock @ ..] = look.bodies else { return };
    let [to_m, least_m, near_share, spacing_m, passes_s, gap_m] = figures else { return };
    let count = flock.len() as f32;
    let mean = |value: &dyn Fn(Vec2) -> f32| flock.iter().map(|one| value(one.position)).sum::<f32>() / count;
    look.mean(to_m, mean(&|place| place.distance(wanderer.position)), 15.0);
    if look.time_s > 3.0 {
        flock.iter().for_each(|one| keep_min(least_m, one.position.distance(shark.position)));
    }
    // Amid the flock: some on either side of its way, close by. How near is the nearest then?
    let side = |left: bool| {
        flock.iter().any(|one| {
            let local = shark.to_local(one.position);
            local.length() < SCARE_M && (local.x < 0.0) == left
        })
    };
    let is_amid = look.time_s > 3.0 && side(true) && side(false);
    add(passes_s, if is_amid { super::stage::RATE.tick_s() } else { 0.0 });
    if is_amid {
        let nearest = flock.iter().map(|one| one.position.distance(shark.position)).fold(f32::INFINITY, math::min);
        // A running mean over the time amid them.
        let weight = super::stage::RATE.tick_s() / *passes_s;
        *gap_m = if gap_m.is_nan() { nearest } else { *gap_m + (nearest - *gap_m) * weight };
    }
    let is_near = |place: Vec2| if place.distance(shark.position) < SCARE_M * 0.5 { 1.0 } else { 0.0 };
    look.mean(near_share, mean(&is_near), 5.0);
    let nearest = |place: Vec2| {
        let others = flock.iter().map(|other| other.position.distance(place)).filter(|&distance| distance > 0.0);
        others.fold(f32::INFINITY, math::min)
    };
    if flock.len() > 1 {
        look.mean(spacing_m, mean(&nearest), 15.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn the_flock_follows_and_keeps_off_the_shark() {
        for seed in 0..3 {
            let figure = figures("shark", seed, &[]);
            assert!(figure("to_wanderer_m") < 6.0, "seed {seed}: {}", figure("to_wanderer_m"));
            assert!(figure("near_shark_share") < 0.12, "seed {seed}: {}", figure("near_shark_share"));
            assert!(figure("passes_s") > 5.0, "seed {seed}: amid them for only {} s", figure("passes_s"));
            assert!(figure("gap_m") > 0.8, "seed {seed}: they do not part, {} m", figure("gap_m"));
            assert!(figure("spacing_m") > 0.45 && figure("spacing_m") < 1.5, "seed {seed}: {}", figure("spacing_m"));
        }
    }
}
