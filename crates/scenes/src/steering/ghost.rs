//! `ghost`: as in the old arcade: wander, pursue, evade.

use sentir::core::draw::Layer;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{FeelerConfig, Path, PathConfig, PursueConfig, WanderConfig};

use super::stage::{add, keep_min};
use super::steering_basic::{BLUE, GREEN, ORANGE, RED, VIOLET, green};
use super::{Glance, Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};
use sentir_sim::wall::walls;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "ghost",
    title: "Ghosts in the lanes of an arcade",
    about: "An eater goes its round through the lanes. Four ghosts wander until they see it, then pursue; while it is \
            strong (a third of the time), those who see it evade. It ends with a touch.",
    controls: None,
    kinds: &[KindLook::new(0, "eater", Model::Ball), KindLook::new(1, "ghost", Model::Ghost)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("lanes.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/lanes.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 90 * 60,
    trials: &[&[]],
    build,
};

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Tile,
    figures: &["wander_share", "pursue_share", "evade_share", "caught_s", "strong_least_m", "wall_bumps"],
    look,
    is_over: |figures| figures.get(3).is_some_and(|caught| !caught.is_nan()).then_some("caught"),
    player: None,
    seconds: 60.0,
};

/// Sets of a ghost, by number.
const WANDER: u16 = 0;
const PURSUE: u16 = 1;
const EVADE: u16 = 2;
/// The eater's role.
const EATER: u16 = 0;
/// Of every this many seconds the eater is strong for the first third.
const ROUND_S: f32 = 12.0;

fn is_strong(time_s: f32) -> bool {
    let part = time_s / ROUND_S;
    part - part.floor() < 1.0 / 3.0
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "lanes.yaml")?;
    let feel = Behavior::AvoidWalls(FeelerConfig { reach_m: 0.7, horizon_s: 0.5, spread_rad: 0.7, outer_share: 0.7 });
    let field = Behavior::Contain(0.3);
    let drift = WanderConfig { radius_m: 1.0, distance_m: 1.6, jitter_m: 1.2 };
    let round =
        [(-14.0, 9.0), (-14.0, -3.0), (-2.8, -3.0), (-2.8, -9.0), (8.4, -9.0), (8.4, 3.0), (14.0, 3.0), (14.0, 9.0)];
    let mut roles = vec![Role {
        name: "eater",
        color: GREEN,
        at: Vec2::new(-14.0, 9.0),
        mover: Mover { speed_m_per_s_max: 2.2, ..Mover::default() },
        sets: vec![Repertoire::new(
            "round",
            &[Behavior::FollowPath(PathConfig { lead_m: 0.5, ..PathConfig::default() })],
        )],
        path: Some(Path::new(&round.map(Vec2::from), true)),
        ..Role::default()
    }];
    let ghosts = [
        ("ghost", RED, 2.8, 3.0),
        ("ghost", BLUE, 2.8, -3.0),
        ("ghost", ORANGE, -8.4, 3.0),
        ("ghost", VIOLET, 8.4, 3.0),
    ];
    for (name, color, x, y) in ghosts {
        roles.push(Role {
            name,
            color,
            at: Vec2::new(x, y),
            yaw: math::FRAC_PI_2,
            mover: Mover { speed_m_per_s_max: 2.0, ..Mover::default() },
            sets: vec![
                Repertoire::new("wander", &[feel, field, Behavior::Separation(1.2), Behavior::Wander(drift)])
                    .weighed(&[1.5, 1.0, 0.5, 0.6]),
                Repertoire::new(
                    "pursue",
                    &[feel, Behavior::Separation(1.0), Behavior::Pursue(Target::Whom(0), PursueConfig::default())],
                )
                .weighed(&[1.2, 0.5, 1.0]),
                Repertoire::new(
                    "evade",
                    &[feel, field, Behavior::Evade(Target::Whom(0), 12.0), Behavior::Wander(drift)],
                )
                .weighed(&[1.5, 1.0, 1.0, 0.6]),
            ],
            targets: vec![EATER],
            near_m: 2.0,
            sight: (16.0, 1.2),
            choose: Some(haunt),
            ..Role::default()
        });
    }
    let mind = Steerer { roles, walls: walls(&level), field: field_of(&green(0.3)), ..Steerer::default() };
    begin(setup, STEERING, level, mind)
}

/// Wanders until it sees the eater; what it does then is up to the eater's strength.
fn haunt(glance: &Glance<'_>, intents: &mut Intents) {
    let view = glance.view;
    let patience_s = if intents.behavior == WANDER { 0.1 } else { 1.5 };
    intents.behavior = match glance.unseen_s(EATER) < patience_s {
        false => WANDER,
        true if is_strong(view.rate.seconds(view.tick.0)) => EVADE,
        true => PURSUE,
    };
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let (Some((eater, ghosts)), Some((_, sets))) = (look.bodies.split_first(), look.sets.split_first()) else { return };
    let [wander, pursue, evade, caught_s, strong_m, bumps] = figures else { return };
    add(bumps, look.bumps[0] as f32);
    let share = |set: u16| sets.iter().filter(|&&one| one == set).count() as f32 / sets.len() as f32;
    look.mean(wander, share(WANDER), 0.0);
    look.mean(pursue, share(PURSUE), 0.0);
    look.mean(evade, share(EVADE), 0.0);
    let nearest = ghosts.iter().map(|ghost| ghost.position.distance(eater.position)).fold(f32::INFINITY, math::min);
    if !is_strong(look.time_s) && nearest < 0.65 && caught_s.is_nan() {
        *caught_s = look.time_s;
    }
    if is_strong(look.time_s) {
        keep_min(strong_m, nearest);
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn ghosts_do_all_three_and_get_at_the_eater() {
        let (mut caught, mut shares) = (0, [0.0; 3]);
        for seed in 0..10 {
            let figure = figures("ghost", seed, &[]);
            let names = ["wander_share", "pursue_share", "evade_share"];
            shares.iter_mut().zip(names).for_each(|(share, name)| *share += figure(name) / 10.0);
            caught += u32::from(!figure("caught_s").is_nan());
        }
        let [wander, pursue, evade] = shares;
        assert!(wander > 0.3 && pursue > 0.03 && evade > 0.03, "{wander} {pursue} {evade}");
        assert!(caught >= 5, "{caught} of 10");
    }
}
