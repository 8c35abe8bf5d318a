//! `hide`: behind pillars, out of a hunter's eyes.

use sentir::core::draw::Layer;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{DiscConfig, FeelerConfig, HideConfig, Path, PathConfig};

use super::stage::add;
use super::steering_basic::{BLUE, RED, green};
use super::steering_collision::discs_of;
use super::{Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "hide",
    title: "Behind pillars, out of a hunter's eyes",
    about: "A hunter walks its round among pillars. Three others keep a pillar between themselves and the hunter.",
    controls: None,
    kinds: &[KindLook::new(0, "hunter", Model::Soldier), KindLook::new(1, "hider", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("pillars.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/pillars.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&[]],
    build,
};

const PLACE: Purpose = Purpose::new("hide.place");

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Concrete,
    figures: &["seen_share", "behind_share", "wall_bumps"],
    look,
    is_over: |_| None,
    player: None,
    seconds: 60.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "pillars.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let round = [(-13.0, 8.0), (-13.0, -8.5), (-6.0, -1.0), (0.0, -8.5), (13.0, -8.5), (13.0, 8.5), (4.0, 7.5)];
    let discs = Behavior::AvoidDiscs(DiscConfig { margin_m: 0.15, ..DiscConfig::default() });
    let walls = Behavior::AvoidWalls(FeelerConfig { reach_m: 0.4, horizon_s: 0.3, ..FeelerConfig::default() });
    let mut roles = vec![Role {
        name: "hunter",
        color: RED,
        at: Vec2::new(-13.0, 8.0),
        mover: Mover { speed_m_per_s_max: 1.2, ..Mover::default() },
        sets: vec![Repertoire::new(
            "hunt",
            &[discs, Behavior::FollowPath(PathConfig { lead_m: 1.5, ..PathConfig::default() })],
        )],
        path: Some(Path::new(&round.map(Vec2::from), true)),
        ..Role::default()
    }];
    for _ in 0..3 {
        roles.push(Role {
            name: "hider",
            color: BLUE,
            at: Vec2::new(random.between(-5.0, 13.0), random.between(-9.0, -7.0)),
            mover: Mover { speed_m_per_s_max: 2.6, ..Mover::default() },
            sets: vec![
                Repertoire::new(
                    "hide",
                    &[
                        walls,
                        discs,
                        Behavior::Separation(1.2),
                        Behavior::Hide(Target::Whom(0), HideConfig { stubborn_m: 2.0, ..HideConfig::default() }),
                    ],
                )
                .weighed(&[1.0, 0.6, 0.4, 1.0]),
            ],
            targets: vec![0],
            ..Role::default()
        });
    }
    let discs = discs_of(&level);
    begin(setup, STEERING, level, Steerer { roles, discs, field: field_of(&green(0.4)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let Some((hunter, hiders)) = look.bodies.split_first() else { return };
    let [seen, behind, bumps] = figures else { return };
    add(bumps, look.bumps[0] as f32);
    let is_behind = |place: Vec2| {
        look.mind.discs.iter().any(|disc| {
            let (nearest, share) = plane::nearest_on_segment(hunter.position, place, disc.center);
            share < 1.0 && nearest.distance(disc.center) < disc.radius_m
        })
    };
    let count = hiders.iter().filter(|hider| is_behind(hider.position)).count() as f32;
    let share = count / hiders.len() as f32;
    look.mean(behind, share, 4.0);
    let in_eyes = |place: Vec2| {
        let way = place - hunter.position;
        way.dot(hunter.heading()) > 0.5 * way.length() && !is_behind(place)
    };
    let eyed = hiders.iter().filter(|hider| in_eyes(hider.position)).count() as f32;
    look.mean(seen, eyed / hiders.len() as f32, 4.0);
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn most_of_the_time_a_pillar_is_in_between() {
        for seed in 0..5 {
            let figure = figures("hide", seed, &[]);
            assert!(figure("behind_share") > 0.75, "seed {seed}: {}", figure("behind_share"));
            assert!(figure("seen_share") < 0.15, "seed {seed}: {}", figure("seen_share"));
        }
    }
}
