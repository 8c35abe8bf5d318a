//! What bakes must hold, with slow and obvious twins: every triangle, every cell, every pair.

mod budget;
mod carve;
mod level;
mod plan;
mod refusal;
mod tile;

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::plane;
use sentir_level::{Level, LevelState};

use super::*;
use crate::mesh::Patch;

/// A level out of YAML, and what of it is baked.
pub(super) fn built(text: &str) -> (Level, BakeSource) {
    let level = sentir_level::yaml::parse(text.as_bytes(), "test.yaml").unwrap().build().unwrap();
    let source = BakeSource::from_level(&level, &LevelState::new(&level), &LevelFilter::default());
    (level, source)
}

/// A floor of 24 m with boxes, a ramp onto a platform, a bridge over a passage, stairs, and a low ceiling.
pub(super) const PARK: &str = "
name: park
floors: [{name: ground, down_m: 1, up_m: 8}]
solids:
- slab: {outline: [[0, 0], [24, 0], [24, 24], [0, 24]]}
- box: {at: [4, 4], size: [2, 3], height_m: 3, yaw_deg: 30}
- box: {at: [9, 20], size: [5, 4], height_m: 2}
- ramp: {from: [1.5, 20], to: [6.5, 20], width_m: 3, rise_m: 2}
- stairs: {from: [9, 12], to: [9, 18], width_m: 3, rise_m: 2, steps: 10}
- slab: {outline: [[12, 4], [22, 4], [22, 7], [12, 7]], base_m: 3, thickness_m: 0.2}
- ramp: {from: [12.2, 13], to: [12.2, 6.5], width_m: 2.4, rise_m: 3}
- slab: {outline: [[16, 14.3], [22, 14.3], [22, 20], [16, 20]], base_m: 1.2, thickness_m: 0.2}
";

pub(super) fn body() -> BakeConfig {
    BakeConfig::PERSON_CLOSE
}

/// The polygons of a patch, corner by corner.
pub(super) fn loops(patch: &Patch) -> impl Iterator<Item = Vec<Vec3>> {
    patch.polygons.iter().map(|one| {
        let range = one.first as usize..(one.first + one.count) as usize;
        patch.loops[range].iter().map(|&at| patch.corners[at as usize]).collect()
    })
}

pub(super) fn area_m2<'a>(patches: impl IntoIterator<Item = &'a Patch>) -> f64 {
    let fan = |corners: Vec<Vec3>| -> f64 {
        let at: Vec<Vec2> = corners.into_iter().map(plane::ground).collect();
        at.windows(2).map(|pair| f64::from(plane::side(at[0], pair[0], pair[1]))).sum::<f64>() / 2.0
    };
    patches.into_iter().flat_map(loops).map(fan).sum()
}

/// The height of a polygon at a ground point, as a fan from its first corner; none outside.
pub(super) fn height_at(corners: &[Vec3], point: Vec2, inset: f32) -> Option<f32> {
    let count = corners.len();
    let ground = |index: usize| plane::ground(corners[index % count]);
    let is_in = |index: usize| {
        let (a, b) = (ground(index), ground(index + 1));
        plane::side(a, b, point) >= inset * (b - a).length()
    };
    if !(0..count).all(is_in) {
        return None;
    }
    (1..count - 1).find_map(|index| {
        let [a, b, c] = [ground(0), ground(index), ground(index + 1)];
        let all = plane::side(a, b, c);
        let shares = [plane::side(b, c, point), plane::side(c, a, point), plane::side(a, b, point)];
        let is_in = all > 0.0 && shares.iter().all(|&share| share >= -1e-3 * all);
        let heights = [corners[0].y, corners[index].y, corners[index + 1].y];
        is_in.then(|| shares.iter().zip(heights).map(|(share, height)| share * height).sum::<f32>() / all)
    })
}

/// That polygons are convex and counter-clockwise, and name corners that exist.
pub(super) fn assert_sound(patch: &Patch, corners_max: u32) {
    for (one, corners) in patch.polygons.iter().zip(loops(patch)) {
        assert!((3..=corners_max).contains(&one.count));
        let count = corners.len();
        let at = |index: usize| plane::ground(corners[index % count]);
        for index in 0..count {
            let (a, b, c) = (at(index), at(index + 1), at(index + 2));
            assert!(a != b && plane::side(a, b, c) >= -1e-3, "{corners:?}");
        }
        let area: f32 = (1..count - 1).map(|index| plane::side(at(0), at(index), at(index + 1))).sum();
        assert!(area > 0.0, "{corners:?}");
    }
}

/// That no sampled point is in two polygons at about one height.
pub(super) fn assert_apart(patch: &Patch, step_m: f32, height_m: f32) {
    let all: Vec<Vec<Vec3>> = loops(patch).collect();
    let (low, high) = obstacle::around(&all.iter().flatten().map(|&at| plane::ground(at)).collect::<Vec<_>>());
    let mut y = low.y + 0.37 * step_m;
    while y < high.y {
        let mut x = low.x + 0.41 * step_m;
        while x < high.x {
            let mut heights: Vec<f32> =
                all.iter().filter_map(|corners| height_at(corners, Vec2::new(x, y), 1e-3)).collect();
            heights.sort_by(f32::total_cmp);
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > height_m), "{x} {y}: {heights:?}");
            x += step_m;
        }
        y += step_m;
    }
}

/// Which polygons hang together, by shared sides: a number for each polygon.
pub(super) fn components(patch: &Patch) -> Vec<usize> {
    let mut of: Vec<usize> = (0..patch.polygons.len()).collect();
    let sides = |number: usize| {
        let one = &patch.polygons[number];
        let corners = &patch.loops[one.first as usize..(one.first + one.count) as usize];
        (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]]).collect::<Vec<_>>()
    };
    for one in 0..of.len() {
        for other in 0..one {
            if sides(one).iter().any(|[a, b]| sides(other).contains(&[*b, *a])) {
                let (low, high) = (of[one].min(of[other]), of[one].max(of[other]));
                of.iter_mut().filter(|number| **number == high).for_each(|number| *number = low);
            }
        }
    }
    of
}

/// The component of the polygon at a point, if there is one within a step of its height.
pub(super) fn component_at(patch: &Patch, ground: Vec2, height_m: f32) -> Option<usize> {
    let is_it = |corners: &Vec<Vec3>| height_at(corners, ground, 0.0).is_some_and(|y| (y - height_m).abs() < 0.6);
    loops(patch).position(|corners| is_it(&corners)).map(|number| components(patch)[number])
}
