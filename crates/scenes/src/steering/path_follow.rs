//! `path-follow`: the same path, plain and predictive, side by side; once and for ever.

use sentir::core::draw::Layer;
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Repertoire};
use sentir_act::steer::{Path, PathConfig};

use super::stage::keep_max;
use super::steering_basic::{BLUE, ORANGE};
use super::{Look, Role, Steerer, SteeringScene, begin};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "path-follow",
    title: "One path, plain and predictive",
    about: "Above, two walk round a cycle with sharp corners: one aims a little farther along than it is, the other looks \
            from where it will be, and rounds the corners off. Below, the same two ways on a path that ends.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
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
    figures: &["plain_off_m", "predictive_off_m", "plain_laps", "predictive_laps", "plain_end_m", "predictive_end_m"],
    look,
    is_over: |_| None,
    player: None,
    seconds: 50.0,
};

const CYCLE: [(f32, f32); 6] = [(0.0, 0.0), (6.0, 3.0), (12.0, 0.0), (12.0, 7.0), (6.0, 5.0), (0.0, 7.0)];
const LINE: [(f32, f32); 6] = [(0.0, 0.0), (4.0, 4.5), (5.0, 0.0), (9.0, 0.0), (9.0, 4.5), (12.5, 4.5)];

/// Where each of the four paths begins.
const ORIGINS: [Vec2; 4] = [Vec2::new(-13.5, 1.5), Vec2::new(1.0, 1.5), Vec2::new(-13.5, -8.0), Vec2::new(1.0, -8.0)];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let plain = PathConfig { lead_m: 0.6, ..PathConfig::default() };
    let predictive = PathConfig { predict_s: 0.6, ..plain };
    let role = |number: usize| {
        let (name, color, config) = match number % 2 {
            0 => ("plain", BLUE, plain),
            _ => ("predictive", ORANGE, predictive),
        };
        let (is_cyclic, points) = if number < 2 { (true, CYCLE) } else { (false, LINE) };
        let points = points.map(|point| Vec2::from(point) + ORIGINS[number]);
        Role {
            name,
            color,
            at: points[0],
            sets: vec![Repertoire::new(name, &[Behavior::FollowPath(config)])],
            path: Some(Path::new(&points, is_cyclic)),
            ..Role::default()
        }
    };
    begin(setup, STEERING, level, Steerer { roles: (0..4).map(role).collect(), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [plain_off, predictive_off, plain_laps, predictive_laps, plain_end, predictive_end] = figures else { return };
    for (number, (off_m, laps)) in [(plain_off, plain_laps), (predictive_off, predictive_laps)].into_iter().enumerate()
    {
        let Some(path) = &look.mind.roles[number].path else { continue };
        let place = look.bodies[number].position;
        let along = path.nearest(Default::default(), place, path.length_m());
        keep_max(off_m, path.at(along).map_or(f32::NAN, |near| near.distance(place)));
        // Progress along the path since the last tick; a jump over its beginning is none.
        let before = place - look.bodies[number].velocity * super::stage::RATE.tick_s();
        let was = path.nearest(Default::default(), before, path.length_m());
        let gone = along - was;
        super::stage::add(laps, if gone.abs() < 1.0 { gone / path.length_m() } else { 0.0 });
    }
    for (number, end_m) in [(2, plain_end), (3, predictive_end)] {
        let Some(path) = &look.mind.roles[number].path else { continue };
        *end_m = path.at(path.length_m()).map_or(f32::NAN, |end| end.distance(look.bodies[number].position));
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn the_two_ways_differ_visibly_and_both_arrive() {
        let figure = figures("path-follow", 1, &[]);
        let (plain, predictive) = (figure("plain_off_m"), figure("predictive_off_m"));
        assert!(plain < 0.5 && predictive < 1.5, "{plain} {predictive}");
        assert!((predictive - plain).abs() > 0.1, "{plain} {predictive}");
        assert!(figure("plain_laps") > 1.5 && figure("predictive_laps") > 1.5);
        assert!(figure("plain_end_m") < 0.02 && figure("predictive_end_m") < 0.02, "{}", figure("plain_end_m"));
    }
}
