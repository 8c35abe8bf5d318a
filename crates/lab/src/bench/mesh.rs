//! `sentir bench mesh --data FOLDER`: every query of the public mesh scenarios in a folder. Instructions are counted by
//! running callgrind on the example `mesh_queries` of the crate `sentir_nav`, with two counts of rounds.

use super::{Figure, Row, Rows, row};
use crate::cli::BenchOptions;
use crate::error::LabError;
use sentir_nav::mesh::load::{self, MeshScenario};
use sentir_nav::mesh::{AnyAngleSearch, AreaCosts, CorridorSearch, Mesh, MeshPoint, MeshQuery};
use sentir_nav::{Ending, PathAnswer};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The rows of every scenario file with a mesh beside it.
pub(super) fn rows(options: &BenchOptions) -> Result<Rows, LabError> {
    let Some(folder) = &options.data else {
        // With nothing named everything is measured, as far as that can be.
        if options.what.is_empty() {
            return Ok(vec![row("none", "ways on meshes", "not measured", "name a folder: bench mesh --data FOLDER")]);
        }
        return Err(LabError::Needs { what: "mesh", option: "--data FOLDER" });
    };
    let mut rows = Rows::new();
    for path in scenario_files(folder)? {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if options.map.as_ref().is_some_and(|map| *map != name) {
            continue;
        }
        let beside = |ending: &str| path.with_file_name(format!("{name}{ending}"));
        let mesh = [beside("-merged.mesh"), beside(".mesh")].into_iter().find(|path| path.exists());
        if let Some(mesh) = mesh {
            rows.extend(one(&name, &mesh, &path, options.repeat)?);
        }
    }
    if rows.is_empty() {
        let why = "there is no NAME.scen with a NAME.mesh or NAME-merged.mesh of that name in it".to_owned();
        return Err(LabError::Read { path: folder.clone(), why });
    }
    Ok(rows)
}

fn scenario_files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let refuse = |why: std::io::Error| LabError::Read { path: folder.to_owned(), why: why.to_string() };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if path.extension().is_some_and(|ending| ending == "scen") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read<T, E: std::fmt::Display>(path: &Path, parse: impl Fn(&str) -> Result<T, E>) -> Result<T, LabError> {
    let refuse = |why: String| LabError::Read { path: path.to_owned(), why };
    let text = std::fs::read_to_string(path).map_err(|why| refuse(why.to_string()))?;
    parse(&text).map_err(|why| refuse(why.to_string()))
}

/// What all queries together came to.
#[derive(Default)]
struct Sum {
    found: u32,
    length: f64,
    expanded: u64,
    seconds: f64,
}

/// One mesh with its queries.
fn one(name: &str, mesh_path: &Path, path: &Path, rounds: u32) -> Result<Rows, LabError> {
    let patch = read(mesh_path, load::mesh)?;
    let why = |why: sentir_nav::mesh::MeshError| LabError::Read { path: mesh_path.to_owned(), why: why.to_string() };
    let mesh = Mesh::from_patch(patch).map_err(why)?;
    let queries = read(path, load::scenarios)?;
    let count = queries.len().max(1) as f64 * f64::from(rounds);
    let (mut angle, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let shortest = ask(&queries, rounds, |query| {
        let answer = angle.find(&mesh, &MeshQuery::new(query.from, query.to));
        measure(&answer)
    });
    let taut = ask(&queries, rounds, |query| {
        let answer = corridor.find(&mesh, &MeshQuery::new(query.from, query.to));
        measure(&answer)
    });
    let line = |key: &str, what: &str, sum: &Sum| {
        let figure = Figure::new(sum.seconds / count * 1e6, 2, "µs a query");
        let mean = sum.length / f64::from(sum.found.max(1));
        let remark = format!(
            "mean length {mean:.3}, {:.1} expansions, {} of {} found",
            sum.expanded as f64 / count,
            sum.found / rounds,
            queries.len()
        );
        let lost = queries.len() as f64 - f64::from(sum.found / rounds);
        let one = row(format!("{name}_{key}"), format!("{name}: {what}"), figure, remark);
        one.also("mean_length", mean).also("not_found", lost)
    };
    let mut rows =
        vec![line("angle", "shortest way, any angle", &shortest), line("straight", "corridor, pulled taut", &taut)];
    rows.extend(places(name, &mesh, &queries));
    let bytes = mesh.table_bytes() as f64 / f64::from(mesh.polygon_count().max(1));
    let remark = format!("{} polygons; tables of the searches", mesh.polygon_count());
    let bytes = Figure::new(bytes, 0, "bytes a polygon");
    rows.push(row(format!("{name}_memory"), format!("{name}: memory"), bytes, remark));
    rows.push(beside_peers(name, mesh_path, &queries, &shortest, rounds)?);
    Ok(rows)
}

/// Whether it was found, how long it is, and the expansions.
fn measure<P>(answer: &PathAnswer<'_, P>) -> (bool, f64, u32) {
    (answer.ending == Ending::Found, answer.cost, answer.expanded)
}

/// Asks every query, after once around to warm up.
fn ask(queries: &[MeshScenario], rounds: u32, mut find: impl FnMut(&MeshScenario) -> (bool, f64, u32)) -> Sum {
    for query in queries {
        black_box(find(query));
    }
    let mut sum = Sum::default();
    let started = Instant::now();
    for query in (0..rounds).flat_map(|_| queries) {
        let (is_found, length, expanded) = find(query);
        sum.found += u32::from(is_found);
        sum.length += if is_found { length } else { 0.0 };
        sum.expanded += u64::from(expanded);
    }
    sum.seconds = started.elapsed().as_secs_f64();
    sum
}

/// Nearest places and rays.
fn places(name: &str, mesh: &Mesh, queries: &[MeshScenario]) -> Rows {
    let count = queries.len().max(1) as f64;
    let extent = sentir::prelude::Vec3::new(1.0, 2.0, 1.0);
    let mut starts: Vec<Option<MeshPoint>> = Vec::with_capacity(queries.len());
    let started = Instant::now();
    starts.extend(queries.iter().map(|query| mesh.nearest(query.from, extent)));
    let nearest_us = started.elapsed().as_secs_f64() * 1e6 / count;
    let started = Instant::now();
    let mut free = 0;
    for (query, start) in queries.iter().zip(&starts) {
        let ray = start.and_then(|start| mesh.ray(start, query.to, &AreaCosts::PLAIN));
        free += u32::from(ray.is_some_and(|ray| ray.wall.is_none()));
    }
    let ray_us = started.elapsed().as_secs_f64() * 1e6 / count;
    vec![
        row(format!("{name}_nearest"), format!("{name}: nearest place"), Figure::new(nearest_us, 2, "µs"), ""),
        row(
            format!("{name}_ray"),
            format!("{name}: ray from start to goal"),
            Figure::new(ray_us, 2, "µs"),
            format!("{free} are free"),
        ),
    ]
}

#[cfg(not(feature = "peers"))]
fn beside_peers(name: &str, _: &Path, _: &[MeshScenario], _: &Sum, _: u32) -> Result<Row, LabError> {
    let what = format!("{name}: beside polyanya");
    Ok(row(format!("{name}_polyanya"), what, "not measured", "build with --features peers"))
}

/// The crate polyanya on the same mesh and queries.
#[cfg(feature = "peers")]
fn beside_peers(
    name: &str,
    mesh_path: &Path,
    queries: &[MeshScenario],
    ours: &Sum,
    rounds: u32,
) -> Result<Row, LabError> {
    let refuse = |why: String| LabError::Read { path: mesh_path.to_owned(), why };
    // Our reader has read it by now, so theirs, which panics on what it does not know, can.
    let bytes = std::fs::read(mesh_path).map_err(|why| refuse(why.to_string()))?;
    let file = polyanya::PolyanyaFile::from_bytes(&bytes);
    let mesh: polyanya::Mesh = file.try_into().map_err(|why| refuse(format!("{why:?}")))?;
    let theirs = ask(queries, rounds, |query| {
        let point = |at: sentir::prelude::Vec3| polyanya::Coords::from(sentir::prelude::Vec2::new(at.x, -at.z));
        let path = mesh.path(point(query.from), point(query.to));
        path.map_or((false, 0.0, 0), |path| (true, f64::from(path.length), 0))
    });
    let count = queries.len().max(1) as f64 * f64::from(rounds);
    let figure = Figure::new(theirs.seconds / count * 1e6, 2, "µs a query");
    let mean = theirs.length / f64::from(theirs.found.max(1));
    let ratio = theirs.seconds / ours.seconds;
    let remark = format!("mean length {mean:.3}; {ratio:.2} × ours");
    Ok(row(format!("{name}_polyanya"), format!("{name}: crate polyanya"), figure, remark).also("times_ours", ratio))
}
