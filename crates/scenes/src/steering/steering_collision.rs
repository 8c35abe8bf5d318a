//! `steering-collision`: to and fro among pillars and each other.

use sentir::core::draw::Layer;
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Combiner, Repertoire, Scheme, Target};
use sentir_act::steer::{CollisionConfig, Deceleration, DiscConfig, FeelerConfig};
use sentir_act::{Disc, Mover};
use sentir_level::Level;

use super::stage::{add, keep_min};
use super::steering_basic::{BLUE, ORANGE, green};
use super::{Glance, Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "steering-collision",
    title: "To and fro among pillars and each other",
    about: "Two groups cross a green with seven pillars, to the other side and back again. They see pillars coming and \
            each other, too, and go round without a touch.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::PATHS, Layer::FORCES],
    settings: &[
        Setting { name: "count", about: "how many walkers", kind: SettingKind::Whole { min: 1, max: 16 }, stock: "12" },
        Setting {
            name: "combiner",
            about: "how wishes become one",
            kind: SettingKind::Choice(&["prioritized", "weighted", "truncated", "turns", "context"]),
            stock: "prioritized",
        },
    ],
    assets: &[("pillars.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/pillars.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&["count=4"], &["count=6", "combiner=context"]],
    build,
};

const PLACE: Purpose = Purpose::new("collision.place");

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Concrete,
    figures: &["crossings", "wall_bumps", "body_bumps", "least_gap_m", "least_disc_gap_m"],
    look,
    is_over: |_| None,
    player: None,
    seconds: 60.0,
};

/// The discs that a level hints at: annotations of kind `disc`, with the radius as text.
pub(super) fn discs_of(level: &Level) -> Vec<Disc> {
    let disc = |hint: &sentir_level::level::Annotation| {
        let center = sentir::core::plane::ground(hint.position);
        (hint.kind == "disc").then(|| Disc { center, radius_m: hint.text.parse().unwrap_or(0.5) })
    };
    level.annotations().iter().filter_map(disc).collect()
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "pillars.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let count = setup.settings.whole("count");
    let combiner = match setup.settings.word("combiner") {
        "weighted" => Combiner::Weighted,
        "truncated" => Combiner::Truncated,
        "turns" => Combiner::Arbiter(Scheme::ALL),
        "context" => Combiner::Context,
        _ => Combiner::Prioritized,
    };
    let rows = count.div_ceil(2) as f32;
    let row = |number: u32| (number as f32 + 0.5) / rows * 17.0 - 8.5;
    let mut far_rows: Vec<u32> = (0..count.div_ceil(2)).collect();
    random.shuffle(&mut far_rows);
    let role = |number: u32| {
        let is_west = number.is_multiple_of(2);
        let side = if is_west { -1.0 } else { 1.0 };
        // A meter apart from those who begin there.
        let far = Vec2::new(-side * 12.0, row(far_rows[(number / 2) as usize]));
        let near = Vec2::new(side * 13.0, row(number / 2));
        let to = |name, place| {
            Repertoire::new(
                name,
                &[
                    Behavior::AvoidDiscs(DiscConfig { margin_m: 0.3, ..DiscConfig::default() }),
                    Behavior::AvoidCollisions(CollisionConfig { margin_m: 0.35, ..CollisionConfig::default() }),
                    Behavior::Separation(1.0),
                    Behavior::AvoidWalls(FeelerConfig { reach_m: 0.5, horizon_s: 0.4, ..FeelerConfig::default() }),
                    Behavior::Arrive(Target::Place(place), Deceleration::Fast),
                ],
            )
            .weighed(&[1.5, 1.5, 1.0, 1.0, 1.0])
            .combined(combiner)
        };
        Role {
            color: if is_west { BLUE } else { ORANGE },
            at: near,
            yaw: side * sentir::core::math::FRAC_PI_2,
            mover: Mover { speed_m_per_s_max: random.between(1.3, 1.9), ..Mover::default() },
            sets: vec![to("over", far), to("back", near)],
            near_m: 6.0,
            choose: Some(choose),
            ..Role::default()
        }
    };
    let roles = (0..count).map(role).collect();
    let discs = discs_of(&level);
    begin(setup, STEERING, level, Steerer { roles, discs, field: field_of(&green(0.4)), ..Steerer::default() })
}

/// Turns back on arrival.
fn choose(glance: &Glance<'_>, intents: &mut Intents) {
    let goal = glance.role.sets.get(usize::from(intents.behavior)).and_then(|set| set.parts.last());
    let place = match goal.map(|part| part.behavior) {
        Some(Behavior::Arrive(Target::Place(place), _)) => place,
        _ => return,
    };
    if place.distance(glance.here) < 0.6 {
        intents.behavior = 1 - intents.behavior.min(1);
    }
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [crossings, wall_bumps, body_bumps, least_gap_m, least_disc_m] = figures else { return };
    add(wall_bumps, look.bumps[0] as f32);
    add(body_bumps, look.bumps[1] as f32);
    if crossings.is_nan() {
        *crossings = 0.0;
    }
    for (number, one) in look.bodies.iter().enumerate() {
        let goal = |set: usize| look.mind.roles[number].sets[set].parts.last().map(|part| part.behavior);
        // On the tick on which the brain turns back it stands within reach of the other goal.
        if let Some(Behavior::Arrive(Target::Place(place), _)) = goal(usize::from(look.sets[number].min(1))) {
            let before = place.distance(one.position - one.velocity * super::stage::RATE.tick_s());
            if before > 0.6 && place.distance(one.position) <= 0.6 {
                *crossings += 1.0;
            }
        }
        for other in &look.bodies[number + 1..] {
            keep_min(least_gap_m, one.position.distance(other.position) - one.radius_m - other.radius_m);
        }
        for disc in &look.mind.discs {
            keep_min(least_disc_m, one.position.distance(disc.center) - one.radius_m - disc.radius_m);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn every_combiner_gets_them_across() {
        for combiner in ["weighted", "truncated", "turns", "context"] {
            let figure = figures("steering-collision", 1, &[("combiner", combiner), ("count", "4")]);
            assert!(figure("crossings") >= 6.0, "{combiner}: {} crossings", figure("crossings"));
        }
    }

    #[test]
    fn they_cross_again_and_again_without_a_touch() {
        for seed in 0..4 {
            let figure = figures("steering-collision", seed, &[]);
            assert!(figure("crossings") >= 18.0, "seed {seed}: {} crossings", figure("crossings"));
            assert!(figure("least_disc_gap_m") > 0.0, "seed {seed}: {}", figure("least_disc_gap_m"));
            let (bumps, gap) = (figure("body_bumps"), figure("least_gap_m"));
            assert!(bumps == 0.0, "seed {seed}: {bumps} bumps, least gap {gap}");
        }
    }
}
