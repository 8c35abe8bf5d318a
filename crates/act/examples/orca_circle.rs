//! A circle of a thousand, everybody on the way to the opposite point: so many steps of avoidance, for counting
//! instructions. `orca_circle STEPS [AGENTS [CIRCLE_M]]`; the difference between two counts of steps leaves set-up out.

use sentir_act::avoid::{AvoidConfig, AvoidScratch, Avoider, WallIndex, step};
use sentir_act::core::glam::Vec2;
use sentir_act::core::pool::Serial;
use sentir_act::core::{math, plane};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<f32>().unwrap_or(0.0));
    let steps = arguments.next().unwrap_or(40.0) as u32;
    let count = arguments.next().unwrap_or(1000.0) as usize;
    let circle_m = arguments.next().unwrap_or(200.0);
    let config = AvoidConfig { range_m: 15.0, neighbors_max: 10, wall_horizon_s: 10.0, separate_s: 0.25 };
    let place = |number: usize| plane::heading(math::TAU * number as f32 / count as f32) * circle_m;
    let mut crowd: Vec<Avoider> = (0..count)
        .map(|number| Avoider {
            position: place(number),
            radius_m: 1.5,
            speed_m_per_s_max: 2.0,
            priority: 1.0,
            horizon_s: 10.0,
            ..Avoider::default()
        })
        .collect();
    let goals: Vec<Vec2> = crowd.iter().map(|it| -it.position).collect();
    let walls = WallIndex::default();
    let mut scratch = AvoidScratch::default();
    let mut velocities = vec![Vec2::ZERO; count];
    for _ in 0..steps {
        for (it, &goal) in crowd.iter_mut().zip(&goals) {
            it.wanted = plane::truncated(goal - it.position, 1.0);
        }
        step(&config, &crowd, &walls, &mut velocities, &Serial, &mut scratch);
        for (it, &velocity) in crowd.iter_mut().zip(&velocities) {
            it.velocity = velocity;
            it.position += velocity * 0.25;
        }
    }
    let sum: Vec2 = crowd.iter().map(|it| it.position.abs()).sum();
    println!("{steps} steps of {count}: mean distance from the axes {:.4} m", (sum.x + sum.y) / count as f32);
}
