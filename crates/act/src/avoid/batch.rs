//! A whole crowd at once.
//!
//! Neighbors come from a [`PointIndex`] built anew each step. Everybody asks for those within about the distance of the
//! last one it looked at in the step before, and for more if these are too few: what it finds does not depend on the guess.

use sentir_core::glam::Vec2;
use sentir_core::index::PointIndex;
use sentir_core::pool::{JOBS_MAX, Pool, chunk_len, each};

use super::{AvoidConfig, Avoider, Planes, WallIndex, choose, neighbor_plane, wall_plane};

/// Avoiders per job below which splitting does not pay.
const PER_JOB_MIN: usize = 64;

/// What a step needs and need not remember.
#[derive(Debug, Default)]
pub struct AvoidScratch {
    index: PointIndex,
    points: Vec<Vec2>,
    /// How far to look at first, m, by place; 0 for as far as allowed.
    guesses: Vec<f32>,
    lanes: Vec<Lane>,
}

/// Room to work for one job.
#[derive(Debug, Default)]
struct Lane {
    planes: Planes,
    /// Neighbors: distance squared in the upper half, place in the lower, which orders by distance, then place.
    near: Vec<u64>,
}

/// What every job reads.
struct Scene<'a> {
    config: AvoidConfig,
    avoiders: &'a [Avoider],
    walls: &'a WallIndex,
    index: &'a PointIndex,
}

/// The velocities to take, by place; both slices are of one length, else what has no partner is left alone. Those who are
/// not sound get zero.
pub fn step(
    config: &AvoidConfig,
    avoiders: &[Avoider],
    walls: &WallIndex,
    velocities: &mut [Vec2],
    pool: &dyn Pool,
    scratch: &mut AvoidScratch,
) {
    let config = config.clamped();
    let AvoidScratch { index, points, guesses, lanes } = scratch;
    points.clear();
    points.extend(avoiders.iter().map(|it| if it.is_sound() { it.position } else { Vec2::NAN }));
    guesses.resize(avoiders.len(), 0.0);
    index.build(points, config.range_m * 0.5, pool);
    let len = chunk_len(pool, avoiders.len(), PER_JOB_MIN);
    lanes.resize_with(lanes.len().max(avoiders.len().div_ceil(len)).min(JOBS_MAX), Lane::default);
    let scene = Scene { config, avoiders, walls, index };
    let jobs = velocities.chunks_mut(len).zip(guesses.chunks_mut(len)).zip(lanes.iter_mut()).enumerate();
    each(pool, jobs, |(job, ((velocities, guesses), lane))| {
        for (place, (velocity, guess)) in (job * len..avoiders.len()).zip(velocities.iter_mut().zip(guesses)) {
            *velocity = one(&scene, place, guess, lane);
        }
    });
}

/// The velocity for one.
fn one(scene: &Scene<'_>, place: usize, guess: &mut f32, lane: &mut Lane) -> Vec2 {
    let Lane { planes, near } = lane;
    let me = &scene.avoiders[place];
    planes.clear();
    if !me.is_sound() {
        return Vec2::ZERO;
    }
    if !scene.walls.walls().is_empty() {
        let radius_m = me.radius_m + me.speed_m_per_s_max * scene.config.wall_horizon_s;
        for wall in scene.walls.around(me.position, radius_m) {
            if let Some(plane) = wall_plane(me, &wall, &scene.config) {
                planes.push_wall(plane);
            }
        }
    }
    gather(scene, me, place as u32, guess, near);
    for &key in near.iter() {
        let rank = key as u32;
        let other = scene.avoiders[rank as usize].seen(rank);
        planes.push_neighbor(neighbor_plane(me, place as u32, &other, scene.config.separate_s));
    }
    choose(me, place as u32, planes)
}

/// The nearest neighbors, nearest first, equals by place.
fn gather(scene: &Scene<'_>, me: &Avoider, place: u32, guess: &mut f32, near: &mut Vec<u64>) {
    let (range_m, count) = (scene.config.range_m, scene.config.neighbors_max as usize);
    let mut radius_m = if *guess > 0.0 && *guess < range_m { *guess } else { range_m };
    loop {
        near.clear();
        scene.index.visit_radius(me.position, radius_m, |other, square| {
            if other != place {
                near.push(u64::from(square.to_bits()) << 32 | u64::from(other));
            }
        });
        if near.len() >= count || radius_m >= range_m {
            break;
        }
        radius_m = if radius_m * 1.5 < range_m { radius_m * 1.5 } else { range_m };
    }
    *guess = 0.0;
    if count == 0 {
        near.clear();
    } else if near.len() >= count {
        if near.len() > 2 * count {
            near.select_nth_unstable(count - 1);
            near.truncate(count);
        }
        sort(near);
        near.truncate(count);
        *guess = f32::from_bits((near[count - 1] >> 32) as u32).sqrt() * 1.08;
    } else {
        sort(near);
    }
}

/// A few numbers in order, by insertion.
#[inline]
fn sort(numbers: &mut [u64]) {
    for from in 1..numbers.len() {
        let number = numbers[from];
        let mut to = from;
        while to > 0 && numbers[to - 1] > number {
            numbers[to] = numbers[to - 1];
            to -= 1;
        }
        numbers[to] = number;
    }
}
