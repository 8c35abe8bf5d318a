//! `sentir bench movement`: one function a subject, each with its rows. Instructions are counted by `cargo xtask prove
//! movement`, on an example of the crate `sentir_act` for each subject.

use super::{Figure, Rows, median_ms, row};
use crate::error::LabError;
use crate::pool::Threads;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::avoid::{AvoidConfig, AvoidScratch, Avoider, WallIndex, step};
use sentir_act::flock::{FlockConfig, FlockScratch, flock};
use std::hint::black_box;

/// The rows of every subject.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    rows.extend(avoidance()?);
    rows.extend(flocking()?);
    Ok(rows)
}

/// Seconds of a step of avoidance.
const STEP_S: f32 = 0.25;
/// The step whose state is measured: all are on their way and in each other's.
const MEASURED_STEP: usize = 30;

/// Everybody on a circle, on the way to the opposite point.
struct Circle {
    config: AvoidConfig,
    crowd: Vec<Avoider>,
    goals: Vec<Vec2>,
    velocities: Vec<Vec2>,
    scratch: AvoidScratch,
}

impl Circle {
    fn new(count: usize) -> Circle {
        let place = |number: usize| plane::heading(math::TAU * number as f32 / count as f32) * (0.2 * count as f32);
        let one = |number: usize| Avoider {
            position: place(number),
            radius_m: 1.5,
            speed_m_per_s_max: 2.0,
            priority: 1.0,
            horizon_s: 10.0,
            ..Avoider::default()
        };
        let crowd: Vec<Avoider> = (0..count).map(one).collect();
        let goals = crowd.iter().map(|it| -it.position).collect();
        let config = AvoidConfig { range_m: 15.0, neighbors_max: 10, wall_horizon_s: 10.0, separate_s: STEP_S };
        Circle { config, crowd, goals, velocities: vec![Vec2::ZERO; count], scratch: AvoidScratch::default() }
    }

    fn choose(&mut self, pool: &dyn Pool) {
        step(&self.config, &self.crowd, &WallIndex::default(), &mut self.velocities, pool, &mut self.scratch);
    }

    /// As it is after some steps.
    fn after(mut self, steps: usize) -> Circle {
        for _ in 0..steps {
            for (it, &goal) in self.crowd.iter_mut().zip(&self.goals) {
                it.wanted = plane::truncated(goal - it.position, 1.0);
            }
            self.choose(&Serial);
            for (it, &velocity) in self.crowd.iter_mut().zip(&self.velocities) {
                it.velocity = velocity;
                it.position += velocity * STEP_S;
            }
        }
        self
    }
}

/// Flocks with about 17 neighbors each.
fn flocking() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for (count, threads) in [(1000, 1), (1000, 2), (10_000, 1), (10_000, 2)] {
        let pool = Threads::new(threads)?;
        let config = FlockConfig::default();
        let reach = (count as f32 * math::PI * config.radius_m * config.radius_m / 19.3).sqrt() * 0.5;
        let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bench flock"));
        let mut spread = |reach: f32| -> Vec<Vec2> {
            (0..count).map(|_| Vec2::new(random.between(-reach, reach), random.between(-reach, reach))).collect()
        };
        let (positions, velocities) = (spread(reach), spread(3.0));
        let (mut accelerations, mut scratch) = (Vec::new(), FlockScratch::default());
        let ms = pool.within(|| {
            median_ms(301, || flock(&config, &positions, &velocities, &mut accelerations, &pool, &mut scratch))
        });
        black_box(&accelerations);
        let (key, what) = (format!("flock_{count}_{threads}"), format!("flock of {count}, {threads} thread(s)"));
        rows.push(row(key, what, Figure::new(ms, 3, "ms a step"), ""));
    }
    Ok(rows)
}

/// Mutual avoidance on a circle of 1 000.
fn avoidance() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    let mut alone_ms = f64::NAN;
    for (count, threads) in [(1000, 1), (1000, 2), (10_000, 1), (10_000, 2)] {
        let pool = Threads::new(threads)?;
        let mut circle = Circle::new(count).after(MEASURED_STEP);
        let ms = pool.within(|| median_ms(301, || circle.choose(&pool)));
        black_box(&circle.velocities);
        let what = format!("avoidance, circle of {count}, {threads} thread(s)");
        let remark = if threads == 1 {
            alone_ms = ms;
            format!("{:.0} agents per ms", count as f64 / ms)
        } else {
            format!("{:.2} × one thread", alone_ms / ms)
        };
        let one = row(format!("avoid_{count}_{threads}"), what, Figure::new(ms, 3, "ms"), remark);
        rows.push(one.also("times_one_thread", alone_ms / ms));
    }
    rows.extend(beside_peers());
    Ok(rows)
}

#[cfg(not(feature = "peers"))]
fn beside_peers() -> Rows {
    vec![row("dodgy_2d", "beside dodgy_2d", "not measured", "build with --features peers")]
}

/// The crate dodgy_2d on the same circle. Its own simulator looks at the wrong neighbors (it leaves out the near ones), so
/// it is handed the ten nearest, and finding them is not counted; ours is counted whole.
#[cfg(feature = "peers")]
fn beside_peers() -> Rows {
    use dodgy_2d::{Agent, AvoidanceOptions};
    use std::borrow::Cow;
    let mut circle = Circle::new(1000).after(MEASURED_STEP);
    let agent = |it: &Avoider| Agent {
        position: dodgy_2d::Vec2::new(it.position.x, it.position.y),
        velocity: dodgy_2d::Vec2::new(it.velocity.x, it.velocity.y),
        radius: it.radius_m,
        avoidance_responsibility: 1.0,
    };
    let agents: Vec<Agent> = circle.crowd.iter().map(agent).collect();
    let nearest = |at: &Avoider| {
        let mut near: Vec<(f32, usize)> =
            circle.crowd.iter().enumerate().map(|(number, it)| (it.position.distance(at.position), number)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The first is oneself.
        near[1..11]
            .iter()
            .filter(|(distance, _)| *distance <= 15.0)
            .map(|(_, number)| Cow::Borrowed(&agents[*number]))
            .collect()
    };
    let neighbors: Vec<Vec<Cow<'_, Agent>>> = circle.crowd.iter().map(nearest).collect();
    let wishes: Vec<dodgy_2d::Vec2> =
        circle.crowd.iter().map(|it| dodgy_2d::Vec2::new(it.wanted.x, it.wanted.y)).collect();
    let options = AvoidanceOptions { obstacle_margin: 1.5, time_horizon: 10.0, obstacle_time_horizon: 10.0 };
    let theirs_ms = median_ms(31, || {
        for ((agent, near), &wish) in agents.iter().zip(&neighbors).zip(&wishes) {
            black_box(agent.compute_avoiding_velocity(near, &[], wish, 2.0, STEP_S, &options));
        }
    });
    let ours_ms = median_ms(301, || circle.choose(&Serial));
    let ratio = theirs_ms / ours_ms;
    let remark = format!("{ratio:.2} × ours, and its neighbors are found for it");
    let what = "dodgy_2d, the same circle of 1000, 1 thread";
    vec![row("dodgy_2d", what, Figure::new(theirs_ms, 3, "ms"), remark).also("times_ours", ratio)]
}
