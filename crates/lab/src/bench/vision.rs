//! `sentir bench vision`: looks at a level by rendering, and rays through it. Instructions are counted by `cargo xtask prove
//! vision`, on the examples `look` of the crate `sentir_vision` and `ray_queries` of `sentir_level`.

use super::{Figure, Rows, median_ms, row};
use crate::cli::BenchOptions;
use crate::error::LabError;
use crate::vision::{load, scenery};
use sentir::core::body::person::PLAN_EYE_M;
use sentir::core::geometry::{Geometry, Ray};
use sentir::core::math;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_vision::{Class, Eye, Lens, MotionMode, Retina, Solid, Thing, Viewport};
use std::hint::black_box;
use std::path::PathBuf;

/// Looks that are measured, each from another place.
const LOOKS: usize = 100;

/// The rows.
pub(super) fn rows(options: &BenchOptions) -> Result<Rows, LabError> {
    let level = level(options)?;
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let scenery = scenery(&level);
    let lens = Lens::default();
    let refuse = |why: sentir_vision::LensError| LabError::Measure(why.to_string());
    let mut retina = Retina::new(lens).map_err(refuse)?;
    let mut viewport = Viewport::new(lens).map_err(refuse)?;
    let eyes = eyes(&view)?;
    let ball = Solid::ball(0.5, 8);
    let thing = |index: usize| {
        let position = eyes[(index * 7 + 3) % eyes.len()].position;
        Thing { solid: &ball, position, yaw: 0.0, velocity: Vec3::X * 3.0, class: Class(6) }
    };
    let things: Vec<Thing<'_>> = (0..10).map(thing).collect();
    let (name, triangles) = (level.name(), scenery.len());
    let each_ms = |mut work: Box<dyn FnMut(&Eye) + '_>| {
        let all = median_ms(11, || eyes.iter().for_each(&mut work));
        all / eyes.len() as f64
    };
    let bare = each_ms(Box::new(|eye| retina.look(eye, &scenery, &[])));
    let full = each_ms(Box::new(|eye| {
        retina.look(eye, &scenery, &things);
        black_box(viewport.take(&retina, eye, MotionMode::View, 10.0));
    }));
    let whole = "the same with 10 movers, and class, depth and motion of every pixel";
    let what = format!("look of 160 × 120 pixels, {name}, {triangles} triangles");
    let mut rows = vec![
        row("look", what, Figure::new(bare, 3, "ms"), ""),
        row("look_movers", whole, Figure::new(full, 3, "ms"), ""),
    ];
    // A tenth of the pixels of a tenth of the looks is enough to tell.
    let rays: Vec<Ray> = eyes.iter().step_by(10).flat_map(|eye| pixel_rays(&mut retina, eye, &scenery)).collect();
    let mut hits = vec![None; rays.len()];
    let one_us = median_ms(11, || {
        for (ray, hit) in rays.iter().zip(&mut hits) {
            *hit = view.ray(ray);
        }
        black_box(&hits);
    }) * 1e3
        / rays.len() as f64;
    let many_us = median_ms(11, || view.rays(black_box(&rays), &mut hits)) * 1e3 / rays.len() as f64;
    let by_rays = Figure::new(many_us * 19.2, 2, "ms");
    rows.push(row("ray", "one ray through a pixel", Figure::new(one_us, 3, "µs"), ""));
    rows.push(row("ray_batch", "one ray in a batch of neighbors", Figure::new(many_us, 3, "µs"), ""));
    rows.push(row("look_by_rays", "a look by one ray a pixel", by_rays, "what the rendering spares"));
    Ok(rows)
}

/// The level named by --data, or the real one that `cargo xtask levels` fetched, or else a stock one.
fn level(options: &BenchOptions) -> Result<Level, LabError> {
    if let Some(path) = options.data.as_ref().filter(|path| path.is_file()) {
        return load(path);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let fetched = target.join("levels/maps/oa_dm1.bsp");
    if fetched.is_file() {
        return load(&fetched);
    }
    sentir_level::stock("heights").map_err(|error| LabError::Level(Box::new(error)))
}

/// Eyes at random places a little over some ground, all the same in every run.
fn eyes(view: &LevelView<'_>) -> Result<Vec<Eye>, LabError> {
    let bounds = view.level.bounds();
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bench vision"));
    let mut eyes = Vec::new();
    for _ in 0..LOOKS * 1000 {
        let at = Vec3::new(random.unit(), random.unit(), random.unit());
        let from = bounds.low + (bounds.high - bounds.low) * at;
        let ground = view.ground_below(from, 100.0).filter(|ground| ground.normal.y > 0.7);
        if let Some(ground) = ground {
            let position = ground.position + Vec3::Y * PLAN_EYE_M;
            eyes.push(Eye { position, yaw: random.unit() * math::TAU, pitch: 0.0 });
        }
        if eyes.len() == LOOKS {
            return Ok(eyes);
        }
    }
    Err(LabError::Measure(format!("'{}' has too little ground to stand on", view.level.name())))
}

/// Rays through every third pixel of every third row.
fn pixel_rays(retina: &mut Retina, eye: &Eye, scenery: &sentir_vision::Scenery) -> Vec<Ray> {
    retina.look(eye, scenery, &[]);
    let places = (0..120).step_by(3).flat_map(|row| (0..160).step_by(3).map(move |column| (column, row)));
    let ray = |(column, row)| {
        let way = retina.way(column, row);
        Ray { origin: eye.position, direction: way / way.length(), length_m: 200.0 }
    };
    places.map(ray).collect()
}
