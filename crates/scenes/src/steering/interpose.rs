//! `interpose`: a guard between two who move.

use sentir::core::draw::Layer;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{Deceleration, WanderConfig};

use super::stage::keep_max;
use super::steering_basic::{BLUE, GREEN, RED, green};
use super::{Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "interpose",
    title: "A guard between two who move",
    about: "Two wander about a green. A guard stays between them, where the middle will be.",
    controls: None,
    kinds: &[KindLook::new(0, "wanderer", Model::Person), KindLook::new(2, "guard", Model::Soldier)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&[]],
    build,
};

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["from_middle_m", "from_line_m", "from_middle_most_m"],
    look,
    is_over: |_| None,
    player: None,
    seconds: 40.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let wandering = |name, color, x: f32| Role {
        name,
        color,
        at: Vec2::new(x, 0.0),
        mover: Mover { speed_m_per_s_max: 1.3, ..Mover::default() },
        sets: vec![
            Repertoire::new(
                "wander",
                &[Behavior::Contain(1.0), Behavior::Separation(4.0), Behavior::Wander(WanderConfig::default())],
            )
            .weighed(&[1.0, 0.3, 1.0]),
        ],
        near_m: 4.0,
        ..Role::default()
    };
    let guard = Role {
        name: "guard",
        color: BLUE,
        at: Vec2::new(0.0, -8.0),
        mover: Mover { speed_m_per_s_max: 2.4, ..Mover::default() },
        sets: vec![Repertoire::new(
            "between",
            &[Behavior::Interpose(Target::Whom(0), Target::Whom(1), Deceleration::Fast)],
        )],
        targets: vec![1, 2],
        ..Role::default()
    };
    let roles = vec![guard, wandering("ward", GREEN, -8.0), wandering("stranger", RED, 8.0)];
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(2.0)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [guard, one, other] = look.bodies else { return };
    let [middle_m, line_m, most_m] = figures else { return };
    let off = guard.position.distance((one.position + other.position) * 0.5);
    look.mean(middle_m, off, 6.0);
    let (nearest, _) = plane::nearest_on_segment(one.position, other.position, guard.position);
    look.mean(line_m, nearest.distance(guard.position), 6.0);
    if look.time_s > 6.0 {
        keep_max(most_m, off);
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn the_guard_stays_in_the_middle() {
        for seed in 0..5 {
            let figure = figures("interpose", seed, &[]);
            assert!(figure("from_middle_m") < 0.5, "seed {seed}: {}", figure("from_middle_m"));
            assert!(figure("from_line_m") < 0.4, "seed {seed}: {}", figure("from_line_m"));
        }
    }
}
