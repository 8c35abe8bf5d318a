//! Steps a flock so often, for counting instructions: the difference between two lengths is that of the steps alone.
//!
//! `flock_steps STEPS [COUNT]`. The field is as large as to give about 17 neighbors each.

use sentir_act::core::glam::Vec2;
use sentir_act::core::pool::Serial;
use sentir_act::core::random::{Purpose, Streams};
use sentir_act::flock::{FlockConfig, FlockScratch, flock};

const TICK_S: f32 = 1.0 / 60.0;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (steps, count) = (numbers.first().copied().unwrap_or(100), numbers.get(1).copied().unwrap_or(1000));
    let config = FlockConfig::default();
    // Separation spreads them more evenly than chance, so for 17 neighbors: count / side² · π · radius² = 19.3.
    let side_m = (count as f32 * std::f32::consts::PI * config.radius_m * config.radius_m / 19.3).sqrt();
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("flock_steps"));
    let mut spread = |reach: f32| -> Vec<Vec2> {
        (0..count).map(|_| Vec2::new(random.between(-reach, reach), random.between(-reach, reach))).collect()
    };
    let (mut positions, mut velocities) = (spread(side_m * 0.5), spread(3.0));
    let (mut accelerations, mut scratch) = (Vec::new(), FlockScratch::default());
    for _ in 0..steps {
        flock(&config, &positions, &velocities, &mut accelerations, &Serial, &mut scratch);
        for ((position, velocity), &acceleration) in positions.iter_mut().zip(&mut velocities).zip(&accelerations) {
            *velocity = (*velocity + acceleration * TICK_S).clamp_length_max(config.speed_m_per_s_max);
            *position += *velocity * TICK_S;
            // Who leaves on one side comes in on the other, so that the flock stays as dense as it is.
            *position -= (*position / side_m).round() * side_m;
        }
    }
    let mut neighbors = 0;
    for &position in &positions {
        scratch.index().visit_radius(position, config.radius_m, |_, _| neighbors += 1);
    }
    let mean = f64::from(neighbors) / count.max(1) as f64 - 1.0;
    println!("{count} boids, {steps} steps, {mean:.1} neighbors each at the end");
}
