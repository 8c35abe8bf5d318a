//! `wall-following`: round a tower, along a wall, through an M.

use sentir::core::draw::Layer;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Repertoire};
use sentir_act::steer::{Side, WallConfig};
use sentir_act::{Mover, Moving};

use super::stage::add;
use super::steering_basic::{BLUE, ORANGE, VIOLET};
use super::{Look, Role, Steerer, SteeringScene, begin};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};
use sentir_sim::wall::walls;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "wall-following",
    title: "Round a tower, along a wall, through an M",
    about: "Three walkers keep a wall at their left hand: one goes round a round tower, one along a straight wall and round \
            its end, one into and out of the notches of a wall like an M.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("walls.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/walls.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&[]],
    build,
};

const PLACE: Purpose = Purpose::new("wall.place");

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Concrete,
    figures: &["disc_turns", "wall_turns", "m_legs", "contacts", "off_m", "done_s"],
    look,
    is_over: |figures| is_done(figures).then_some("all round"),
    player: None,
    seconds: 60.0,
};

/// The tower's middle, the middle of the straight wall.
const TOWER: Vec2 = Vec2::new(-11.0, 0.0);
const WALL: Vec2 = Vec2::new(-1.0, 0.0);
/// Places beside the M that are passed in this order, within [`PASS_M`]: past its near end, its three corners from the
/// outside and the notch, past its far end.
const LEGS: [Vec2; 7] = [
    Vec2::new(13.9, -3.0),
    Vec2::new(13.5, 6.0),
    Vec2::new(9.5, 0.9),
    Vec2::new(5.5, 6.0),
    Vec2::new(5.1, -3.0),
    Vec2::new(7.2, 0.0),
    Vec2::new(11.8, 0.0),
];
const PASS_M: f32 = 1.6;
/// What a whole round is.
const WHOLE: f32 = 1.0;

fn is_done(figures: &[f32]) -> bool {
    matches!(figures, [disc, wall, legs, ..] if *disc >= WHOLE && *wall >= WHOLE && *legs >= LEGS.len() as f32)
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "walls.yaml")?;
    let mut random = Streams { seed: setup.seed }.stream(0, PLACE);
    let mut role = |name, color, at: Vec2| Role {
        name,
        color,
        at: at + Vec2::new(random.between(0.0, 0.8), random.between(-0.5, 0.5)),
        yaw: random.between(-math::PI, math::PI),
        mover: Mover { speed_m_per_s_max: random.between(1.4, 2.2), ..Mover::default() },
        sets: vec![Repertoire::new(
            name,
            &[Behavior::FollowWall(WallConfig { side: Side::Left, ..WallConfig::default() })],
        )],
        ..Role::default()
    };
    let roles = vec![
        role("tower", BLUE, Vec2::new(-7.6, 0.0)),
        role("wall", ORANGE, Vec2::new(0.2, -3.0)),
        role("M", VIOLET, Vec2::new(13.9, -4.0)),
    ];
    let mind = Steerer { roles, walls: walls(&level), ..Steerer::default() };
    begin(setup, STEERING, level, mind)
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [tower, wall, m] = look.bodies else { return };
    let [disc_turns, wall_turns, legs, contacts, off_m, done_s] = figures else { return };
    let tick_s = super::stage::RATE.tick_s();
    let turn = |it: &Moving, middle: Vec2| {
        let before = it.position - it.velocity * tick_s - middle;
        math::angle_between(plane::yaw(before), plane::yaw(it.position - middle)) / math::TAU
    };
    add(disc_turns, turn(tower, TOWER));
    add(wall_turns, turn(wall, WALL));
    *legs = if legs.is_nan() { 0.0 } else { *legs };
    if LEGS.get(*legs as usize).is_some_and(|place| place.distance(m.position) < PASS_M) {
        *legs += 1.0;
    }
    add(contacts, look.bumps[0] as f32);
    // How far off the wanted distance, once they are on their way.
    let off = |one: &Moving| {
        let near = sentir_act::steer::wall::nearest_on_walls(&look.mind.walls, one.position);
        let distance = near.map_or(f32::NAN, |near| near.distance(one.position));
        (distance - WallConfig::default().distance_m).abs()
    };
    look.mean(off_m, look.bodies.iter().map(off).sum::<f32>() / look.bodies.len() as f32, 3.0);
    if done_s.is_nan() && is_done(&[*disc_turns, *wall_turns, *legs]) {
        *done_s = look.time_s;
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn a_hundred_seeds_go_round_all_three_without_a_touch() {
        for seed in 0..100 {
            let figure = figures("wall-following", seed, &[]);
            let [disc, wall, legs, contacts] = ["disc_turns", "wall_turns", "m_legs", "contacts"].map(&figure);
            assert!(
                !figure("done_s").is_nan(),
                "seed {seed}: {disc} round the tower, {wall} round the wall, {legs} of the M"
            );
            assert_eq!(contacts, 0.0, "seed {seed}");
            assert!(figure("off_m") < 0.35, "seed {seed}: {}", figure("off_m"));
        }
    }
}
