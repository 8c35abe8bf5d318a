//! `steering-delegated`: behaviors that hand their work to simpler ones.

use sentir::core::draw::Layer;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{FeelerConfig, Path, PathConfig, PursueConfig, WanderConfig};
use sentir_act::{Mover, Moving};

use super::stage::keep_min;
use super::steering_basic::{BLUE, GRAY, GREEN, ORANGE, RED, VIOLET, green, stroll};
use super::{Look, Role, Steerer, SteeringScene, Turns, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "steering-delegated",
    title: "Behaviors that hand their work to simpler ones",
    about: "A player walks about a green. One pursues it, one evades it, one stands and faces it, one keeps a \
            place beside it, looking outward, one chases such a place; one wanders and looks where it goes; one follows a path.",
    controls: Some(super::walked_as("the player")),
    kinds: &[KindLook::new(0, "player", Model::Player), KindLook::new(1, "walker", Model::Person)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&[]],
    build,
};

/// The place beside the player that is kept.
const BESIDE: Vec2 = Vec2::new(1.5, -1.0);

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &[
        "pursue_m",
        "evade_least_m",
        "face_rad",
        "offset_m",
        "offset_rad",
        "offset_pursue_m",
        "wandered_m",
        "path_off_m",
    ],
    look,
    is_over: |_| None,
    player: Some(stroll),
    seconds: 40.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let me = Target::Whom(0);
    let (walls, field) = (Behavior::AvoidWalls(FeelerConfig::default()), Behavior::Contain(0.6));
    let role = |name, color, x, y, behaviors: &[Behavior]| Role {
        name,
        color,
        at: Vec2::new(x, y),
        sets: vec![Repertoire::new(name, behaviors)],
        targets: vec![0],
        ..Role::default()
    };
    let slow = Mover { speed_m_per_s_max: 1.4, ..Mover::default() };
    let path = Path::new(&[(6.0, 4.0), (13.0, 4.0), (13.0, 8.0), (9.5, 6.0), (6.0, 8.0)].map(Vec2::from), true);
    let roles = vec![
        Role { name: "player", color: GREEN, at: Vec2::new(-2.0, -2.0), mover: slow, ..Role::default() },
        role("pursue", BLUE, -12.0, 7.0, &[Behavior::Pursue(me, PursueConfig::default())]),
        role("evade", RED, 2.0, 4.0, &[walls, field, Behavior::Evade(me, 5.0)]),
        Role { turns: Turns::Face, ..role("face", VIOLET, 0.0, 8.0, &[]) },
        Role {
            turns: Turns::OffsetAlign(math::FRAC_PI_2),
            ..role("offset", BLUE, 8.0, -8.0, &[Behavior::OffsetArrive(me, BESIDE, Default::default())])
        },
        role("offset pursuit", BLUE, 12.0, -8.0, &[Behavior::OffsetPursue(me, -BESIDE)]),
        role("wander", GRAY, -10.0, -5.0, &[field, Behavior::Wander(WanderConfig::default())]),
        Role { path: Some(path), ..role("path", ORANGE, 6.0, 4.0, &[Behavior::FollowPath(PathConfig::default())]) },
    ];
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(1.0)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [player, pursue, evade, face, offset, chaser, wander, path] = look.bodies else { return };
    let [pursue_m, evade_m, face_rad, offset_m, offset_rad, chase_m, wandered_m, path_m] = figures else { return };
    let distance = |other: &Moving| other.position.distance(player.position);
    look.mean(pursue_m, distance(pursue), 12.0);
    keep_min(evade_m, distance(evade));
    let yaw = sentir::core::plane::yaw(player.position - face.position);
    look.mean(face_rad, math::angle_between(face.yaw, yaw).abs(), 2.0);
    look.mean(offset_m, offset.position.distance(player.to_world(BESIDE)), 12.0);
    let beside = math::angle_between(offset.yaw, math::wrap_angle(player.yaw + math::FRAC_PI_2));
    look.mean(offset_rad, beside.abs(), 12.0);
    look.mean(chase_m, chaser.position.distance(player.to_world(-BESIDE)), 12.0);
    super::stage::add(wandered_m, wander.velocity.length() * super::stage::RATE.tick_s());
    if let Some(line) = &look.mind.roles[7].path {
        let along = line.nearest(Default::default(), path.position, line.length_m());
        let off = line.at(along).map_or(f32::NAN, |place| place.distance(path.position));
        look.mean(path_m, off, 2.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn everybody_does_what_its_name_says() {
        for seed in 0..3 {
            let figure = figures("steering-delegated", seed, &[]);
            assert!(figure("pursue_m") < 1.2, "{}", figure("pursue_m"));
            assert!(figure("evade_least_m") > 4.5, "{}", figure("evade_least_m"));
            assert!(figure("face_rad") < 0.1, "{}", figure("face_rad"));
            assert!(figure("offset_m") < 0.9, "{}", figure("offset_m"));
            assert!(figure("offset_rad") < 0.3, "{}", figure("offset_rad"));
            assert!(figure("offset_pursue_m") < 1.6, "{}", figure("offset_pursue_m"));
            assert!(figure("wandered_m") > 50.0, "{}", figure("wandered_m"));
            assert!(figure("path_off_m") < 0.3, "{}", figure("path_off_m"));
        }
    }
}
