//! `sentir bench travel --data LEVEL`: ways between random places of a level, baked in one piece and by tiles. Instructions
//! are counted by running callgrind on the example `mesh_queries` of the crate `sentir_nav`, with two counts of rounds.

use super::{Figure, Rows, row};
use crate::cli::BenchOptions;
use crate::error::LabError;
use crate::file;
use sentir::prelude::*;
use sentir_level::LevelState;
use sentir_nav::bake::{BakeConfig, BakeSource, LevelFilter, bake, whole};
use sentir_nav::mesh::{AnyAngleSearch, AreaCosts, CorridorSearch, Mesh, MeshError, MeshPoint, MeshQuery};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Pairs of places asked for.
const PAIRS: usize = 1000;
/// Draws of pairs at most: on a level in small pieces few are joined.
const DRAWS_MAX: usize = 200_000;
/// Most polygons taken from the open list of a search.
const EXPANSIONS_MAX: u32 = 1_000_000;

/// The rows for the level that was named.
pub(super) fn rows(options: &BenchOptions) -> Result<Rows, LabError> {
    let Some(path) = &options.data else { return Err(LabError::Needs { what: "travel", option: "--data FILE" }) };
    let bytes = file::read(path)?;
    let level = sentir_level::parse(&bytes, &path.display().to_string()).and_then(|spec| spec.build());
    let level = level.map_err(|error| LabError::Read { path: path.clone(), why: error.to_string() })?;
    let source = BakeSource::from_level(&level, &LevelState::new(&level), &LevelFilter::default());
    let refuse = |why| LabError::Bake { path: path.clone(), why };
    let config = BakeConfig::default();
    let one = whole(&source, &config).map_err(refuse)?;
    let tiles = bake(&source, &[], &config).map_err(refuse)?;
    let meshes = [("one piece", Mesh::from_patch(one)), ("tiles", tiles.mesh())];
    let mut rows = Rows::new();
    for (name, mesh) in meshes {
        rows.extend(measured(name, &valid(path, mesh)?, options.repeat));
    }
    Ok(rows)
}

fn valid(path: &Path, mesh: Result<Mesh, MeshError>) -> Result<Mesh, LabError> {
    mesh.map_err(|why| LabError::Read { path: path.to_owned(), why: why.to_string() })
}

/// Random places that one can go between.
fn pairs(mesh: &Mesh) -> Vec<[MeshPoint; 2]> {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bench.travel"));
    let draw = |_| Some([mesh.random_place(&mut random)?, mesh.random_place(&mut random)?]);
    let is_joined = |[from, to]: &[MeshPoint; 2]| mesh.component(from.polygon) == mesh.component(to.polygon);
    (0..DRAWS_MAX).map_while(draw).filter(is_joined).take(PAIRS).collect()
}

/// Microseconds a pair, after once around to warm up, and the sum of what the work gave.
fn time_us(pairs: &[[MeshPoint; 2]], rounds: u32, mut work: impl FnMut([MeshPoint; 2]) -> f64) -> (f64, f64) {
    let warm: f64 = pairs.iter().map(|&pair| work(pair)).sum();
    let started = Instant::now();
    for &pair in (0..rounds).flat_map(|_| pairs) {
        black_box(work(pair));
    }
    let count = pairs.len().max(1) as f64;
    (started.elapsed().as_secs_f64() * 1e6 / (count * f64::from(rounds)), warm / count)
}

fn measured(name: &str, mesh: &Mesh, rounds: u32) -> Rows {
    let pairs = pairs(mesh);
    let what = |what: &str| format!("{name}: {what}");
    let figure = |us: f64| Figure::new(us, 2, "µs");
    let key = |key: &str| format!("{}_{key}", name.replace(' ', "_"));
    if pairs.is_empty() {
        return vec![row(key("none"), what("ways"), "not measured", "there is no ground")];
    }
    let (mut search, mut angle) = (CorridorSearch::default(), AnyAngleSearch::default());
    let crossed: usize = pairs.iter().map(|pair| corridor(&mut search, mesh, *pair).1).sum();
    let (corridor_us, _) = time_us(&pairs, rounds, |pair| corridor(&mut search, mesh, pair).0);
    let (straight_us, taut_m) = time_us(&pairs, rounds, |[from, to]| {
        search.find_between(mesh, from, to, &AreaCosts::PLAIN, EXPANSIONS_MAX).cost
    });
    let (angle_us, best_m) =
        time_us(&pairs, rounds, |[from, to]| angle.find(mesh, &MeshQuery::new(from.point, to.point)).cost);
    let extent = Vec3::new(1.0, 2.0, 1.0);
    let (nearest_us, found) =
        time_us(&pairs, rounds, |[from, _]| f64::from(u8::from(mesh.nearest(from.point, extent).is_some())));
    let (ray_us, share) = time_us(&pairs, rounds, |[from, to]| {
        mesh.ray(from, to.point, &AreaCosts::PLAIN).map_or(0.0, |ray| f64::from(ray.share))
    });
    let mean = crossed as f64 / pairs.len() as f64;
    let polygons = format!("{} polygons, {mean:.1} on the way on average", mesh.polygon_count());
    let longer = 100.0 * (taut_m / best_m - 1.0);
    vec![
        row(key("corridor"), what("corridor"), figure(corridor_us), polygons),
        row(
            key("straight"),
            what("corridor, pulled taut"),
            figure(straight_us),
            format!("mean {taut_m:.3} m, {longer:.2} % over best"),
        )
        .also("percent_over_best", longer),
        row(key("angle"), what("shortest way, any angle"), figure(angle_us), format!("mean {best_m:.3} m")),
        row(key("nearest"), what("nearest place"), figure(nearest_us), format!("{:.1} % found", found * 100.0)),
        row(key("ray"), what("ray"), figure(ray_us), format!("{:.1} % of the way free on average", share * 100.0)),
    ]
}

/// The cost of a corridor and its polygons.
fn corridor(search: &mut CorridorSearch, mesh: &Mesh, [from, to]: [MeshPoint; 2]) -> (f64, usize) {
    let cost = search.corridor_between(mesh, from, to, &AreaCosts::PLAIN, EXPANSIONS_MAX).cost;
    (cost, search.corridor().len())
}
