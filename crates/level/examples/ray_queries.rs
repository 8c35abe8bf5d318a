//! Asks rays of a level so often, for counting instructions: the difference between two counts of rounds is that of the rays
//! alone. `ray_queries LEVEL COUNT ROUNDS [hit|blocked|batch|parry]`. Rays begin at eye height over random ground and go
//! any way; `parry` asks the crate parry3d the same.

use parry3d::query::RayCast;
use sentir_core::geometry::Ray;
use sentir_core::glam::Vec3;
use sentir_core::random::{Purpose, Streams};
use sentir_level::{Aabb, Blocks, LevelState, LevelView};
use std::hint::black_box;

const USAGE: &str = "usage: ray_queries LEVEL COUNT ROUNDS [hit|blocked|batch|parry]";
/// Height of the eyes over the ground, m.
const EYE_M: f32 = 1.6;
/// How far a ray goes, m.
const LENGTH_M: f32 = 1000.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, rounds, rest @ ..] = words.as_slice() else {
        println!("{USAGE}");
        return Ok(());
    };
    let level = sentir_level::parse(&std::fs::read(file)?, file)?.build()?;
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let rays = rays(&view, count.parse()?);
    let kind = rest.first().map_or("hit", String::as_str);
    let rounds: u32 = rounds.parse()?;
    let (met, total) = match kind {
        "hit" => run(&rays, rounds, |ray| view.hit(ray, Blocks::BODIES).map(|hit| hit.hit.distance_m)),
        "blocked" => run(&rays, rounds, |ray| view.is_blocked(ray, Blocks::BODIES).then_some(1.0)),
        "batch" => batches(&view, &rays, rounds),
        "parry" => peer(&view, &rays, rounds),
        _ => return Err(USAGE.into()),
    };
    let (triangles, count) = (level.triangle_count(), rays.len());
    println!("{kind}: {triangles} triangles, {count} rays, {met} met, {total:.3} m in all");
    Ok(())
}

/// Random rays inside of the level: from above ground that is met from above.
fn rays(view: &LevelView<'_>, count: usize) -> Vec<Ray> {
    let bounds = view.level.bounds();
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("ray queries"));
    let mut rays = Vec::new();
    for _ in 0..count * 100 {
        let mut between = |axis: usize| random.between(bounds.low[axis], bounds.high[axis]);
        let point = Vec3::new(between(0), between(1), between(2));
        let direction = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let Some(ground) = view.ground_below(point, 3.0).filter(|ground| ground.normal.y > 0.7) else { continue };
        if direction.length() > 0.1 && rays.len() < count {
            let direction = direction / direction.length();
            rays.push(Ray { origin: ground.position + Vec3::Y * EYE_M, direction, length_m: LENGTH_M });
        }
    }
    rays
}

/// How many rays met something in the last round, and how far it was.
fn run(rays: &[Ray], rounds: u32, mut ask: impl FnMut(&Ray) -> Option<f32>) -> (usize, f64) {
    let mut result = (0, 0.0);
    for _ in 0..rounds {
        result = (0, 0.0);
        for distance_m in rays.iter().filter_map(|ray| black_box(ask(ray))) {
            result = (result.0 + 1, result.1 + f64::from(distance_m));
        }
    }
    result
}

fn batches(view: &LevelView<'_>, rays: &[Ray], rounds: u32) -> (usize, f64) {
    let mut hits = vec![None; rays.len()];
    for _ in 0..rounds {
        view.rays(black_box(rays), &mut hits);
        black_box(&mut hits);
    }
    let met = hits.iter().flatten();
    (met.clone().count(), met.map(|hit| f64::from(hit.distance_m)).sum())
}

/// The same triangles as a mesh of parry3d.
fn peer(view: &LevelView<'_>, rays: &[Ray], rounds: u32) -> (usize, f64) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let everywhere = Aabb { low: Vec3::splat(f32::MIN), high: Vec3::splat(f32::MAX) };
    view.triangles_in(&everywhere, Blocks::BODIES, |triangle| {
        let first = points.len() as u32;
        points.extend(triangle.corners.map(|at| parry3d::math::Vector::new(at.x, at.y, at.z)));
        triangles.push([first, first + 1, first + 2]);
    });
    let mesh = parry3d::shape::TriMesh::new(points, triangles).expect("triangles");
    run(rays, rounds, |ray| {
        let vector = |at: Vec3| parry3d::math::Vector::new(at.x, at.y, at.z);
        let ray = parry3d::query::Ray::new(vector(ray.origin), vector(ray.direction));
        mesh.cast_local_ray_and_get_normal(&ray, LENGTH_M, true).map(|hit| hit.time_of_impact)
    })
}
