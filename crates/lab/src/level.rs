//! `sentir level info`: what a level holds, and what navigation makes of it.

use crate::cli::{InfoOptions, LevelCommand, LevelOptions};
use crate::error::LabError;
use crate::{Done, file};
use comfy_table::{ContentArrangement, Table, presets};
use sentir::core::draw::DrawList;
use sentir::core::glam::Vec3;
use sentir_film::{LayerFilter, Style, View, paint, png};
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelView, bsp};
use sentir_nav::bake::{BakeConfig, BakeSource, LevelFilter, bake};
use sentir_nav::mesh::{Link, Mesh, Traversal};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// How far from the mesh a spawn, an item or the end of a link may be, m.
const EXTENT_M: Vec3 = Vec3::new(1.5, 2.0, 1.5);
/// How a teleporter is passed, for hosts.
const TELEPORT: Traversal = Traversal::User(1);
/// Empty ground around a picture, m.
const MARGIN_M: f32 = 2.0;

/// How many of each name.
type Counts = BTreeMap<String, u64>;

/// What is told of a level.
struct Report {
    level: Level,
    load_ms: f64,
    surfaces: Counts,
    mesh: Mesh,
    tiles: usize,
    bake_ms: f64,
    /// Parts of the mesh that no way joins.
    parts: usize,
    /// Spawns and items that stand on the mesh.
    spawns_on_mesh: u64,
    items_on_mesh: u64,
}

/// Tells of levels.
pub(crate) fn level(options: &LevelOptions) -> Done {
    let LevelCommand::Info(options) = &options.command;
    info(options)
}

fn info(options: &InfoOptions) -> Done {
    if let Some(path) = &options.picture {
        file::check_place(path)?;
    }
    let mut objects = Vec::new();
    for path in &options.files {
        let report = look_at(path)?;
        if let Some(to) = &options.picture {
            picture(&report, to)?;
        }
        if options.json {
            objects.push(as_json(path, &report));
        } else {
            writeln!(std::io::stdout(), "{}", as_table(&report))?;
        }
    }
    if options.json {
        writeln!(std::io::stdout(), "{}", json!({ "levels": objects }))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn look_at(path: &Path) -> Result<Report, LabError> {
    let bytes = file::read(path)?;
    let started = Instant::now();
    let level = sentir_level::parse(&bytes, &path.display().to_string()).and_then(|spec| spec.build());
    let level = level.map_err(|error| LabError::Level(Box::new(error)))?;
    let load_ms = started.elapsed().as_secs_f64() * 1e3;
    let state = LevelState::new(&level);
    let source = BakeSource::from_level(&level, &state, &LevelFilter::default());
    let refuse = |why| LabError::Bake { path: path.to_owned(), why };
    let started = Instant::now();
    let table = bake(&source, &[], &BakeConfig::default()).map_err(refuse)?;
    let mesh = table.mesh().map_err(|why| LabError::Read { path: path.to_owned(), why: why.to_string() })?;
    let bake_ms = started.elapsed().as_secs_f64() * 1e3;
    let mut report = Report {
        surfaces: surfaces(&LevelView { level: &level, state: &state }),
        parts: parts(&mesh),
        spawns_on_mesh: on_mesh(&mesh, level.spawns().iter().map(|spawn| spawn.pose.position)),
        items_on_mesh: on_mesh(&mesh, level.items().iter().map(|item| item.position)),
        level,
        load_ms,
        mesh,
        tiles: table.patches.len(),
        bake_ms,
    };
    link(&mut report);
    Ok(report)
}

/// Teleporters become links of the mesh, where both ends are on it. Jump pads are not: where one lands is not in the level.
fn link(report: &mut Report) {
    for one in report.level.annotations().iter().filter(|one| one.kind == "teleporter") {
        let Some(to) = bsp::link_end(one) else { continue };
        let (from, traversal) = (one.position, TELEPORT);
        let link = Link { from, to, traversal, is_two_way: false, cost_m: 0.0, is_open: true };
        // One that ends in the air is not there for navigation.
        let _ = report.mesh.add_link(link, EXTENT_M);
    }
}

fn surfaces(view: &LevelView<'_>) -> Counts {
    let mut counts = Counts::new();
    let everywhere = Aabb { low: Vec3::splat(f32::MIN), high: Vec3::splat(f32::MAX) };
    view.triangles_in(&everywhere, Blocks::ANYTHING, |triangle| {
        let class = view.level.surfaces().get(usize::from(triangle.surface));
        *counts.entry(class.map_or_else(String::new, |class| class.name.clone())).or_default() += 1;
    });
    counts
}

fn counted<'a>(names: impl Iterator<Item = &'a str>) -> Counts {
    let mut counts = Counts::new();
    names.for_each(|name| *counts.entry(name.to_owned()).or_default() += 1);
    counts
}

fn parts(mesh: &Mesh) -> usize {
    let mut parts: Vec<Option<u32>> = (0..mesh.polygon_count()).map(|polygon| mesh.component(polygon)).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.len()
}

fn on_mesh(mesh: &Mesh, places: impl Iterator<Item = Vec3>) -> u64 {
    places.filter(|&place| mesh.nearest(place, EXTENT_M).is_some()).count() as u64
}

/// 'health 3, ammo 2', or a dash.
fn told(counts: &Counts) -> String {
    let all: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if all.is_empty() { "–".to_owned() } else { all.join(", ") }
}

fn as_table(report: &Report) -> Table {
    let Report { level, mesh, .. } = report;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let size = level.bounds().high - level.bounds().low;
    let left_out = match level.left_out_spawn_count() {
        0 => String::new(),
        count => format!("; {count} left out, as nobody can stand there"),
    };
    let doors = level.pieces().iter().filter(|piece| piece.door.is_some()).count();
    let movers = level.pieces().iter().filter(|piece| piece.path.is_some()).count();
    let on_mesh =
        |count: u64, all: usize| if all > 0 { format!("; {count} of {all} on the mesh") } else { String::new() };
    let spawns = counted(level.spawns().iter().map(|spawn| spawn.team.as_str()));
    let items = counted(level.items().iter().map(|item| item.kind.as_str()));
    let rows = [
        ("level", level.name().to_owned()),
        ("triangles", format!("{}, read and built in {:.1} ms", level.triangle_count(), report.load_ms)),
        ("surfaces", told(&report.surfaces)),
        ("size", if level.triangle_count() > 0 { extent(size) } else { "–".to_owned() }),
        ("spawns", told(&spawns) + &on_mesh(report.spawns_on_mesh, level.spawns().len()) + &left_out),
        ("items", told(&items) + &on_mesh(report.items_on_mesh, level.items().len())),
        ("pieces", format!("{}, of them {doors} doors and {movers} movers", level.pieces().len())),
        ("hints", told(&counted(level.annotations().iter().map(|one| one.kind.as_str())))),
        ("mesh", format!("{} polygons in {} tiles and {} parts", mesh.polygon_count(), report.tiles, report.parts)),
        ("ground", format!("{:.1} m²", mesh.area_m2())),
        ("links", mesh.links().len().to_string()),
        ("bake", format!("{:.1} ms", report.bake_ms)),
    ];
    for (name, value) in rows {
        table.add_row([name, &value]);
    }
    table
}

fn extent(size: Vec3) -> String {
    format!("{:.1} × {:.1} m, {:.1} m high", size.x, size.z, size.y)
}

fn as_json(path: &Path, report: &Report) -> Value {
    let Report { level, mesh, .. } = report;
    let object = |counts: Counts| counts.into_iter().map(|(name, count)| (name, count.into())).collect::<Map<_, _>>();
    let bounds = level.bounds();
    let corner = |corner: Vec3| if level.triangle_count() > 0 { json!(corner.to_array()) } else { Value::Null };
    json!({
        "file": path.display().to_string(),
        "name": level.name(),
        "triangles": level.triangle_count(),
        "surfaces": object(report.surfaces.clone()),
        "low": corner(bounds.low),
        "high": corner(bounds.high),
        "spawns": object(counted(level.spawns().iter().map(|spawn| spawn.team.as_str()))),
        "spawns_on_mesh": report.spawns_on_mesh,
        "spawns_left_out": level.left_out_spawn_count(),
        "items": object(counted(level.items().iter().map(|item| item.kind.as_str()))),
        "items_on_mesh": report.items_on_mesh,
        "pieces": level.pieces().len(),
        "hints": object(counted(level.annotations().iter().map(|one| one.kind.as_str()))),
        "polygons": mesh.polygon_count(),
        "tiles": report.tiles,
        "parts": report.parts,
        "ground_m2": mesh.area_m2(),
        "links": mesh.links().len(),
        "load_ms": report.load_ms,
        "bake_ms": report.bake_ms,
    })
}

/// The level from above, with its mesh.
fn picture(report: &Report, to: &Path) -> Result<(), LabError> {
    let state = LevelState::new(&report.level);
    let mut list = DrawList::default();
    sentir_level::draw::draw(&LevelView { level: &report.level, state: &state }, &mut list);
    sentir_nav::mesh::draw::draw(&report.mesh, &mut list);
    let view = View::fit(list.bounds(|_| true), 1600, MARGIN_M);
    file::write(to, &png(&paint(&list, &view, &Style::light(), &LayerFilter::all(), report.level.name())))
}
