//! The contracts of `sentir_level`, one module each.

#[path = "level/bsp.rs"]
mod bsp;
#[path = "level/change.rs"]
mod change;
#[path = "level/fuzz.rs"]
mod fuzz;
#[path = "level/ray.rs"]
mod ray;
#[path = "level/refusal.rs"]
mod refusal;
#[path = "level/stock.rs"]
mod stock;

use glam::Vec3;
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_level::{Level, LevelSpec, yaml};

/// Random numbers for a test.
fn stream(seed: u64) -> Stream {
    Streams { seed }.stream(0, Purpose::new("level tests"))
}

fn point(stream: &mut Stream, low: Vec3, high: Vec3) -> Vec3 {
    let mut between = |axis: usize| stream.between(low[axis], high[axis]);
    Vec3::new(between(0), between(1), between(2))
}

fn spec(text: &str) -> LevelSpec {
    yaml::parse(text.as_bytes(), "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

fn level(text: &str) -> Level {
    spec(text).build().unwrap_or_else(|error| panic!("{error}"))
}
