//! Looks around in a level from many places and prints what is seen: `cargo run --release -p sentir_vision --example look -- FILE LOOKS`.
#![allow(clippy::print_stdout, reason = "an example tells what it found")]

use std::error::Error;

use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::random::{Purpose, Streams};
use sentir_level::{Aabb, Blocks, LevelState, LevelView};
use sentir_vision::{Class, Eye, Lens, Retina, Scenery};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().unwrap_or_default();
    let looks: u64 = words.next().map_or(Ok(20), |word| word.parse())?;
    let level = if file.is_empty() {
        sentir_level::stock("heights")?
    } else {
        sentir_level::parse(&std::fs::read(&file)?, &file)?.build()?
    };
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let mut triangles = Vec::new();
    let all = Aabb { low: Vec3::splat(-1e4), high: Vec3::splat(1e4) };
    view.triangles_in(&all, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
    let scenery = Scenery::build(&triangles);
    let mut retina = Retina::new(Lens::default())?;
    let mut counts = [0u64; 4];
    let bounds = level.bounds();
    for look in 0..looks {
        let mut random = Streams { seed: 1 }.stream(look, Purpose::new("look"));
        // A place a little over some ground.
        let ground = loop {
            let at = Vec3::new(random.unit(), random.unit(), random.unit());
            let from = bounds.low + (bounds.high - bounds.low) * at;
            if let Some(ground) = view.ground_below(from, 100.0) {
                break ground.position;
            }
        };
        let eye = Eye { position: ground + Vec3::Y * 1.6, yaw: random.unit() * math::TAU, pitch: 0.0 };
        retina.look(&eye, &scenery, &[]);
        for row in (0..120).step_by(10) {
            for column in (0..160).step_by(10) {
                counts[usize::from(retina.class(retina.at(column, row)).0).min(3)] += 1;
            }
        }
    }
    let names =
        [(Class::NOTHING, "nothing"), (Class::WALL, "wall"), (Class::FLOOR, "floor"), (Class::CEILING, "ceiling")];
    println!("{} triangles, {looks} looks; pixels of every tenth row and column:", scenery.len());
    for (class, name) in names {
        println!("{:>9} {name}", counts[usize::from(class.0)]);
    }
    Ok(())
}
