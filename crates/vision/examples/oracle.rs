//! Holds pictures of levels against one ray a pixel: `oracle LOOKS FILE...`. Fails if more than 0.5 % of the pixels of a level
//! differ, one of them not at an edge, or a depth is off by more than 0.001.
#![allow(clippy::print_stdout, reason = "an example tells what it found")]

#[path = "../tests/vision/oracle.rs"]
mod oracle;

use std::error::Error;

use oracle::Verdict;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::random::{Purpose, Streams};
use sentir_level::{Aabb, Blocks, LevelState, LevelView};
use sentir_vision::{Eye, Lens, Retina, Scenery};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [looks, files @ ..] = words.as_slice() else {
        println!("usage: oracle LOOKS FILE...");
        return Ok(());
    };
    let looks: u64 = looks.parse()?;
    for file in files {
        let level = sentir_level::parse(&std::fs::read(file)?, file)?.build()?;
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let mut triangles = Vec::new();
        let all = Aabb { low: Vec3::splat(-1e5), high: Vec3::splat(1e5) };
        view.triangles_in(&all, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
        let scenery = Scenery::build(&triangles);
        let mut retina = Retina::new(Lens::default())?;
        let mut sum = Verdict::default();
        for look in 0..looks {
            let eye = eye(&view, look)?;
            retina.look(&eye, &scenery, &[]);
            oracle::compare(&retina, &eye, scenery.triangles(), 2, &mut sum);
        }
        let Verdict { pixels, differing, unexplained, depth_off } = sum;
        let share = f64::from(differing) / f64::from(pixels.max(1)) * 100.0;
        println!(
            "{}: {looks} looks, {pixels} pixels, {differing} ({share:.3} %) differ, {unexplained} of them not at an edge; \
             depth off by {depth_off:.1e} at most",
            level.name()
        );
        if share > 0.5 || unexplained > 0 {
            return Err(format!("{}: the picture is not what rays find", level.name()).into());
        }
    }
    Ok(())
}

/// An eye over some ground, looking anywhere.
fn eye(view: &LevelView<'_>, look: u64) -> Result<Eye, &'static str> {
    let bounds = view.level.bounds();
    let mut random = Streams { seed: 1 }.stream(look, Purpose::new("oracle"));
    for _ in 0..10_000 {
        let at = Vec3::new(random.unit(), random.unit(), random.unit());
        let from = bounds.low + (bounds.high - bounds.low) * at;
        if let Some(ground) = view.ground_below(from, 100.0).filter(|ground| ground.normal.y > 0.7) {
            let position = ground.position + Vec3::Y * 1.6;
            return Ok(Eye { position, yaw: random.unit() * math::TAU, pitch: random.between(-0.5, 0.5) });
        }
    }
    Err("there is no ground to stand on")
}
