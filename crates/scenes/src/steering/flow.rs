//! `flow`: along a field of directions to a gap, and in a queue before it.

use sentir::core::draw::Layer;
use sentir::core::glam::UVec2;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire};
use sentir_act::steer::FlowField;

use super::stage::{add, keep_min};
use super::steering_basic::{BLUE, ORANGE};
use super::{Look, Role, Steerer, SteeringScene, begin};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_sim::wall::walls;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "flow",
    title: "Along a field of directions, and in a queue",
    about: "A field of directions leads from everywhere on the green round a wall to a gap, and away behind it. Walkers \
            follow it; where somebody slower is ahead they brake, so that they queue before the gap instead of pushing.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::PATHS, Layer::FORCES],
    settings: &[
        Setting { name: "count", about: "how many walkers", kind: SettingKind::Whole { min: 1, max: 60 }, stock: "24" },
        Setting {
            name: "queue",
            about: "whether they brake behind each other",
            kind: SettingKind::Choice(&["yes", "no"]),
            stock: "yes",
        },
    ],
    assets: &[("gap.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/gap.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 120 * 60,
    trials: &[&["count=8"], &["count=12", "queue=no"]],
    build,
};

const PLACE: Purpose = Purpose::new("flow.place");
/// The middle of the gap.
const GAP: Vec2 = Vec2::new(3.0, 0.0);

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["through", "last_s", "body_bumps", "least_gap_m"],
    look,
    is_over: |figures| figures.get(1).is_some_and(|last| !last.is_nan()).then_some("all through"),
    player: None,
    seconds: 120.0,
};

/// West of the gap toward it, ever straighter the nearer; east of it on to the eastern end, where it calms down.
fn direction(place: Vec2) -> Vec2 {
    if place.x < GAP.x + 0.6 {
        let way = plane::direction(GAP + Vec2::X * 0.8 - place);
        let near = math::saturate(1.0 - place.distance(GAP) / 3.0);
        plane::direction(way.lerp(Vec2::X, near * math::saturate(1.0 - place.y.abs() / 0.5)))
    } else {
        // Fans out behind the gap, and stops before the wall.
        let fan = plane::direction(Vec2::new(1.0, place.y * 0.25));
        fan * math::saturate((13.5 - place.x) / 2.0)
    }
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "gap.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let queues = setup.settings.word("queue") == "yes";
    let role = |number: u32| {
        let (column, row) = ((number / 10) as f32, (number % 10) as f32);
        let jitter = Vec2::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3));
        let behaviors = [Behavior::Queue(0.4), Behavior::Separation(0.75), Behavior::FollowFlow(0.2)];
        let set = Repertoire::new("flow", if queues { &behaviors } else { &behaviors[1..] });
        Role {
            color: if number.is_multiple_of(2) { BLUE } else { ORANGE },
            at: Vec2::new(-13.5 + column * 1.4, row * 1.8 - 8.1) + jitter,
            yaw: -math::FRAC_PI_2,
            mover: Mover { speed_m_per_s_max: random.between(1.2, 1.6), ..Mover::default() },
            sets: vec![if queues { set.weighed(&[1.5, 0.5, 1.0]) } else { set.weighed(&[0.5, 1.0]) }],
            near_m: 2.0,
            ..Role::default()
        }
    };
    let roles = (0..setup.settings.whole("count")).map(role).collect();
    let flow = Some(FlowField::new(Vec2::new(-15.0, -10.0), 0.5, UVec2::new(61, 41), direction));
    let mind = Steerer { roles, walls: walls(&level), flow, ..Steerer::default() };
    begin(setup, STEERING, level, mind)
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [through, last_s, bumps, least_gap_m] = figures else { return };
    add(bumps, look.bumps[1] as f32);
    *through = look.bodies.iter().filter(|one| one.position.x > GAP.x + 0.5).count() as f32;
    if last_s.is_nan() && *through >= look.bodies.len() as f32 {
        *last_s = look.time_s;
    }
    for (number, one) in look.bodies.iter().enumerate() {
        for other in &look.bodies[number + 1..] {
            keep_min(least_gap_m, one.position.distance(other.position) - one.radius_m - other.radius_m);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn all_come_through_the_gap_and_who_queues_bumps_less() {
        let (mut queued, mut pushed) = (0.0, 0.0);
        for seed in 0..4 {
            let queue = figures("flow", seed, &[]);
            assert!(!queue("last_s").is_nan(), "seed {seed}: {} through", queue("through"));
            queued += queue("body_bumps");
            pushed += figures("flow", seed, &[("queue", "no")])("body_bumps");
        }
        assert!(queued < 0.95 * pushed, "{queued} bumps in a queue, {pushed} without");
    }
}
