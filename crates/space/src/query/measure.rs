//! What each test measures of a point: one number, before bounds, scales and curves.

use sentir_core::body::Pose;
use sentir_core::geometry::Ray;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::Blocks;
use sentir_nav::mesh::{MeshPoint, WallScratch};

use super::build::{Query, TestKind};
use super::spec::{Each, Posture};
use super::world::{QueryWorld, Subject};

/// How far it is to nobody, m: farther than any level is wide.
pub const FAR_M: f32 = 1e6;

/// Who is in which context, as they were when the query began: positions and yaws, context by context.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frozen {
    subjects: Vec<Pose>,
    ends: Vec<u32>,
}

impl Frozen {
    pub(super) fn freeze(&mut self, query: &Query, world: &QueryWorld<'_>) {
        self.subjects.clear();
        self.ends.clear();
        for context in 0..query.context_count {
            let finite = world.subjects(context).iter().filter(|it| it.position.is_finite());
            self.subjects.extend(finite.map(|it| Pose { position: it.position, yaw: it.yaw }));
            self.ends.push(self.subjects.len() as u32);
        }
    }

    pub(super) fn of(&self, context: usize) -> &[Pose] {
        let end = |context: usize| self.ends.get(context).copied().unwrap_or(0) as usize;
        let first = if context == 0 { 0 } else { end(context - 1) };
        self.subjects.get(first..end(context)).unwrap_or_default()
    }
}

/// A point that a test is asked about.
pub(super) struct Candidate {
    pub(super) place: MeshPoint,
    /// Its number among the points of the query.
    pub(super) index: u32,
    /// What was read for this test when the query began.
    pub(super) known: f32,
}

/// What tests read: what was frozen when the query began, and what does not move.
pub(super) struct MeasureView<'a, 'w> {
    pub(super) frozen: &'a Frozen,
    pub(super) world: &'a QueryWorld<'w>,
}

/// The value of a test at a point.
pub(super) fn measure(kind: TestKind, at: &Candidate, view: &MeasureView<'_, '_>, walls: &mut WallScratch) -> f32 {
    let &Candidate { place, index, known } = at;
    let &MeasureView { frozen, world } = view;
    let point = place.point;
    match kind {
        TestKind::Visibility { .. } | TestKind::Influence { .. } => known,
        TestKind::Randomness | TestKind::PathCost { .. } => 0.0,
        TestKind::Distance { to, each } => fold(frozen.of(to), each, FAR_M, |it| (it.position - point).length()),
        TestKind::Spread { from } => fold(frozen.of(from), Each::Least, FAR_M, |it| (it.position - point).length()),
        TestKind::BehindCover { .. } if known == f32::INFINITY => known,
        TestKind::BehindCover { from } => {
            fold(frozen.of(from), Each::Most, 0.0, |it| shelter(world, place, it.position))
        }
        TestKind::Obstacles { reach_m } => match world.borders {
            Some(borders) => borders.nearness(point, reach_m),
            None => 1.0 - clearance(world, place, reach_m, walls) / reach_m,
        },
        TestKind::Flank { target, from } => {
            let Some(&Pose { position: eye, .. }) = frozen.of(target).first() else { return math::PI };
            let way = plane::ground(point - eye);
            fold(frozen.of(from), Each::Least, math::PI, |it| angle(way, plane::ground(it.position - eye)))
        }
        TestKind::LineOfFire { to, past, width_m, heights_m } => {
            let up = heights_m.map(|height_m| Vec3::Y * height_m);
            let is_clear = |&Pose { position: target, .. }: &Pose| {
                is_open(world, place, target, up) && !is_barred(frozen.of(past), point, target, width_m)
            };
            f32::from(u8::from(frozen.of(to).iter().all(is_clear)))
        }
        TestKind::Facing { of, each } => fold(frozen.of(of), each, 0.0, |it| {
            plane::direction(plane::ground(point - it.position)).dot(plane::heading(it.yaw))
        }),
        TestKind::Height { above, each } => fold(frozen.of(above), each, 0.0, |it| point.y - it.position.y),
        TestKind::CoverQuality { from } => {
            let quality = |it: &Pose| world.cover_map.map_or(0.0, |map| map.quality(point, it.position));
            fold(frozen.of(from), Each::Least, 0.0, quality)
        }
        TestKind::Clearance { reach_m } => clearance(world, place, reach_m, walls),
        TestKind::Own { number } => world.tests.get(number).map_or(0.0, |test| test(place, index)),
    }
}

/// One number of several; `none` of none.
fn fold(subjects: &[Pose], each: Each, none: f32, value: impl Fn(&Pose) -> f32) -> f32 {
    let Some((first, rest)) = subjects.split_first() else { return none };
    let first = value(first);
    match each {
        Each::Least => rest.iter().fold(first, |least, it| math::min(least, value(it))),
        Each::Most => rest.iter().fold(first, |most, it| math::max(most, value(it))),
        Each::Mean => rest.iter().fold(first, |sum, it| sum + value(it)) / subjects.len() as f32,
    }
}

fn sees(subject: &Subject<'_>, point: Vec3) -> bool {
    subject.seen.is_some_and(|seen| seen.sees(plane::ground(point), point.y))
}

/// Whether it sees who crouches at a point; who does not tell sees as much of it as of who stands.
fn sees_low(subject: &Subject<'_>, point: Vec3) -> bool {
    subject.seen_low.or(subject.seen).is_some_and(|seen| seen.sees(plane::ground(point), point.y))
}

/// Whether anybody sees a point.
pub(super) fn is_seen(subjects: &[Subject<'_>], point: Vec3) -> bool {
    subjects.iter().any(|it| sees(it, point))
}

/// Whether a point is seen by all, by any, or by which share.
pub(super) fn visibility(subjects: &[Subject<'_>], each: Each, of: Posture, point: Vec3) -> f32 {
    let sees = |it: &Subject<'_>| if of == Posture::Crouching { sees_low(it, point) } else { sees(it, point) };
    match each {
        Each::Least => f32::from(u8::from(!subjects.is_empty() && subjects.iter().all(sees))),
        Each::Most => f32::from(u8::from(subjects.iter().any(sees))),
        Each::Mean => {
            let count = subjects.iter().filter(|it| sees(it)).count();
            if subjects.is_empty() { 0.0 } else { count as f32 / subjects.len() as f32 }
        }
    }
}

/// How far the first obstacle in the direction of somebody is; all the way to them if there is none.
fn shelter(world: &QueryWorld<'_>, place: MeshPoint, threat: Vec3) -> f32 {
    let way = plane::ground(threat - place.point);
    let length = way.length();
    if !(length > 0.0 && length.is_finite()) {
        return length;
    }
    match world.obstacles {
        Some(obstacles) => {
            let share = obstacles.ray(plane::ground(place.point), way, 1.0);
            share.map_or(length, |share| share as f32 * length)
        }
        None => world.mesh.ray(place, threat, world.costs).map_or(length, |ray| ray.share * length),
    }
}

/// What a straight way costs if one can walk it; else infinity.
pub(super) fn straight(world: &QueryWorld<'_>, from: MeshPoint, to: MeshPoint) -> f32 {
    let ray = world.mesh.ray(from, to.point, world.costs);
    let is_there = ray.is_some_and(|ray| ray.wall.is_none() && (ray.place.point.y - to.point.y).abs() < 0.5);
    if is_there { plane::ground(to.point - from.point).length() } else { f32::INFINITY }
}

/// How far the nearest wall of the mesh is, at most `reach_m`.
fn clearance(world: &QueryWorld<'_>, place: MeshPoint, reach_m: f32, walls: &mut WallScratch) -> f32 {
    world.mesh.nearest_wall(place, reach_m, walls).map_or(reach_m, |wall| wall.distance_m)
}

/// Whether a shot from a point reaches another, each that much above the ground.
fn is_open(world: &QueryWorld<'_>, place: MeshPoint, target: Vec3, up: [Vec3; 2]) -> bool {
    match (world.level, world.obstacles) {
        (Some(level), _) => {
            Ray::between(place.point + up[0], target + up[1]).is_none_or(|ray| !level.is_blocked(&ray, Blocks::SHOTS))
        }
        (None, Some(obstacles)) => {
            let way = plane::ground(target - place.point);
            obstacles.ray(plane::ground(place.point), way, 1.0).is_none()
        }
        (None, None) => world.mesh.ray(place, target, world.costs).is_some_and(|ray| ray.wall.is_none()),
    }
}

/// Whether anybody is in a line of fire.
fn is_barred(friends: &[Pose], from: Vec3, to: Vec3, width_m: f32) -> bool {
    let (a, b) = (plane::ground(from), plane::ground(to));
    friends.iter().any(|friend| {
        let at = plane::ground(friend.position);
        (plane::nearest_on_segment(a, b, at).0 - at).length_squared() < width_m * width_m
    })
}

/// The angle between two directions, rad; 0 if one is none.
fn angle(a: Vec2, b: Vec2) -> f32 {
    math::atan2(a.perp_dot(b).abs(), a.dot(b))
}
