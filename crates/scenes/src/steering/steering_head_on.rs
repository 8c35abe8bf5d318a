//! `steering-head-on`: pairs that meet head on, seen coming.

use sentir::core::draw::Layer;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{CollisionConfig, Deceleration};

use super::stage::{add, keep_max, keep_min};
use super::steering_basic::{BLUE, ORANGE, green};
use super::{Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "steering-head-on",
    title: "Predictive avoidance, head on",
    about: "Four pairs walk straight at each other, exactly or a little beside. Each sees the other coming and passes; \
            exactly head on, on the right. One walks at one who stands; two meet at a right angle.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 30 * 60,
    trials: &[&[]],
    build,
};

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Concrete,
    figures: &["least_gap_m", "body_bumps", "arrived", "last_s", "most_aside_m"],
    look,
    is_over: |figures| (figures.get(2).is_some_and(|&arrived| arrived >= 12.0)).then_some("all passed"),
    player: None,
    seconds: 30.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let role = |color, from: Vec2, to: Vec2, speed: f32| Role {
        color,
        at: from,
        yaw: sentir::core::plane::yaw(to - from),
        mover: Mover { speed_m_per_s_max: speed, ..Mover::default() },
        sets: vec![
            Repertoire::new(
                "cross",
                &[
                    Behavior::AvoidCollisions(CollisionConfig { margin_m: 0.3, ..CollisionConfig::default() }),
                    Behavior::Arrive(Target::Place(to), Deceleration::Fast),
                ],
            )
            .weighed(&[1.5, 1.0]),
        ],
        near_m: 9.0,
        ..Role::default()
    };
    let mut roles = Vec::new();
    // Exactly head on; beside by some; faster against slower.
    for (y, aside, fast) in [(8.0, 0.0, 1.5), (4.5, 0.2, 1.5), (1.0, -0.4, 1.5), (-2.5, 0.0, 2.2)] {
        roles.push(role(BLUE, Vec2::new(-13.0, y), Vec2::new(13.0, y), fast));
        roles.push(role(ORANGE, Vec2::new(13.0, y + aside), Vec2::new(-13.0, y + aside), 1.5));
    }
    // At one who stands.
    roles.push(role(BLUE, Vec2::new(-13.0, -6.0), Vec2::new(2.0, -6.0), 1.5));
    roles.push(role(ORANGE, Vec2::new(-6.0, -6.0), Vec2::new(-6.0, -6.0), 1.5));
    // At a right angle.
    roles.push(role(BLUE, Vec2::new(5.0, -5.0), Vec2::new(13.0, -5.0), 1.5));
    roles.push(role(ORANGE, Vec2::new(9.0, -9.0), Vec2::new(9.0, -0.8), 1.5));
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(0.4)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [least_gap_m, body_bumps, arrived, last_s, aside_m] = figures else { return };
    add(body_bumps, look.bumps[1] as f32);
    let mut there = 0.0;
    for (number, one) in look.bodies.iter().enumerate() {
        let role = &look.mind.roles[number];
        if let Some(Behavior::Arrive(Target::Place(place), _)) = role.sets[0].parts.last().map(|part| part.behavior) {
            there += f32::from(u8::from(place.distance(one.position) < 0.1));
            let (nearest, _) = sentir::core::plane::nearest_on_segment(role.at, place, one.position);
            keep_max(aside_m, nearest.distance(one.position));
        }
        for other in &look.bodies[number + 1..] {
            keep_min(least_gap_m, one.position.distance(other.position) - one.radius_m - other.radius_m);
        }
    }
    if there > math::max(*arrived, 0.0) {
        *last_s = look.time_s;
    }
    *arrived = there;
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn all_pass_each_other_without_a_touch_and_arrive() {
        let figure = figures("steering-head-on", 1, &[]);
        assert!(figure("arrived") == 12.0, "{} arrived", figure("arrived"));
        assert!(figure("least_gap_m") > 0.0 && figure("body_bumps") == 0.0, "{}", figure("least_gap_m"));
        assert!(figure("most_aside_m") < 2.0, "{}", figure("most_aside_m"));
    }
}
