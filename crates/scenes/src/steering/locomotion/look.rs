//! What there is to see: goals, trails, and each body by its kind.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Moving;

use super::mind::{Driver, Motor};
use super::{QUARTERS, Track, World};

const COLORS: [Color; 4] = [Color::rgb(0x2f_6fb0), Color::rgb(0x3b_8a4a), Color::rgb(0xb8_433f), Color::rgb(0x7a_4fa3)];
const NAMES: [&str; 4] = ["point mass", "biped", "car", "turret"];
const INK: Color = Color::rgb(0x23_272b);
/// Height at which things are drawn, m.
const OVER_M: f32 = 0.1;
/// From the rear axle to the front one, m.
const WHEELBASE_M: f32 = 1.6;

pub(super) fn draw(brains: &Loop<Driver>, world: &World, list: &mut DrawList) {
    let tracks = world.tracks.iter().zip(QUARTERS).zip(COLORS.into_iter().zip(NAMES));
    for ((key, walker), ((track, middle), (color, name))) in world.bodies.iter().zip(tracks) {
        course(world, track, middle, color, list);
        let motor = brains.agent_of(key).and_then(|agent| brains.motor(agent)).copied().unwrap_or_default();
        let at = Moving::of(&walker.body());
        list.body(key.0, color, up(at.position), math::min(at.radius_m, 0.3));
        match key.0 {
            0 => mass(&at, color, list),
            1 => person(&at, color, list),
            2 => car(&at, &motor, color, list),
            _ => tank(&at, &motor, color, list),
        }
        list.label(Layer::NAMES, INK, up(middle + Vec2::new(0.0, 7.2)), format_args!("{name}"));
        if !track.finish_s.is_nan() {
            let place = up(middle + Vec2::new(0.0, 6.2));
            list.label(Layer::NAMES, color, place, format_args!("{:.1} s", track.finish_s));
        }
    }
}

fn up(place: Vec2) -> Vec3 {
    plane::lift(place, OVER_M)
}

fn course(world: &World, track: &Track, middle: Vec2, color: Color, list: &mut DrawList) {
    for (number, goal) in (1..).zip(&world.goals) {
        let place = middle + *goal;
        list.circle(Layer::PATHS, INK.alpha(120), up(place), 0.3, false);
        list.label(Layer::PATHS, INK.alpha(160), up(place + Vec2::new(0.6, 0.5)), format_args!("{number}"));
    }
    // The post to look at.
    list.circle(Layer::LEVEL, Color::rgb(0xd9_822b), up(middle), 0.25, true);
    let mut last: Option<Vec2> = None;
    for point in track.points() {
        if let Some(last) = last.replace(point) {
            list.line(Layer::PATHS, color.alpha(150), up(last), up(point), 0.08);
        }
    }
}

/// A polygon given in a body's own frame: right and ahead.
fn shape(at: &Moving, corners: &[[f32; 2]], color: Color, list: &mut DrawList) {
    list.polygon(Layer::BODIES, color, corners.iter().map(|&corner| up(at.to_world(Vec2::from(corner)))));
}

fn plank(at: &Moving, half_width: f32, back: f32, front: f32, color: Color, list: &mut DrawList) {
    let corners = [[-half_width, back], [half_width, back], [half_width, front], [-half_width, front]];
    shape(at, &corners, color, list);
}

fn mass(at: &Moving, color: Color, list: &mut DrawList) {
    list.circle(Layer::BODIES, INK, up(at.position), at.radius_m, false);
    let to = at.position + at.velocity * 0.3;
    list.add(Layer::BODIES, color, Shape::Arrow { from: up(at.position), to: up(to), width_m: 0.08 });
}

fn person(at: &Moving, color: Color, list: &mut DrawList) {
    // Shoulders, and a nose.
    plank(at, 0.42, -0.14, 0.14, color, list);
    shape(at, &[[-0.12, 0.25], [0.12, 0.25], [0.0, 0.55]], INK, list);
    list.circle(Layer::BODIES, Color::rgb(0xf0_d9b5), up(at.position), 0.17, true);
}

fn car(at: &Moving, motor: &Motor, color: Color, list: &mut DrawList) {
    let turn = math::atan(motor.stride.curvature_per_m * WHEELBASE_M);
    for side in [-0.62, 0.62] {
        for (ahead, yaw) in [(0.0, 0.0), (WHEELBASE_M, turn)] {
            let place = at.to_world(Vec2::new(side, ahead));
            let wheel = Moving { position: place, yaw: at.yaw + yaw, ..*at };
            plank(&wheel, 0.11, -0.3, 0.3, INK, list);
        }
    }
    plank(at, 0.55, -0.5, 2.1, color, list);
    plank(at, 0.45, 1.0, 1.35, Color::rgb(0xdc_e8f0), list);
}

fn tank(at: &Moving, motor: &Motor, color: Color, list: &mut DrawList) {
    for side in [-0.75, 0.75] {
        let track = Moving { position: at.to_world(Vec2::new(side, 0.0)), ..*at };
        plank(&track, 0.2, -1.15, 1.15, INK, list);
    }
    plank(at, 0.6, -1.0, 1.0, color, list);
    let turret = Moving { yaw: motor.stride.turret_yaw, ..*at };
    plank(&turret, 0.08, 0.0, 1.7, INK, list);
    list.circle(Layer::BODIES, Color::rgb(0x9d_7ac2), up(at.position), 0.42, true);
}
