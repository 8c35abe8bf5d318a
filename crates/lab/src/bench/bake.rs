//! `sentir bench bake --data FILE`: navigation meshes of a level, in one piece and by tiles. Instructions are counted by
//! callgrind on the example `bake_steps` of the crate `sentir_nav`, as the difference between two counts of bakes.

use super::{Figure, Rows, median_ms, row};
use crate::cli::BenchOptions;
use crate::error::LabError;
use crate::file;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelState;
use sentir_nav::bake::{
    BakeConfig, BakeError, BakeSource, FieldScratch, LevelFilter, Obstacle, Shape, TileTable, bake, whole,
};
use sentir_nav::dynamic::{DynamicMesh, Obstacles};
use sentir_nav::mesh::Patch;
use std::hint::black_box;

/// Half the side of the crate that is carved, m.
const CRATE_M: Vec2 = Vec2::new(0.8, 1.2);

/// The rows for the level that was named. Where all is measured and none was named, bakes are not.
pub(super) fn rows(options: &BenchOptions) -> Result<Rows, LabError> {
    let Some(path) = &options.data else {
        let is_asked = !options.what.is_empty();
        let missing = LabError::Needs { what: "bake", option: "--data FILE" };
        return if is_asked { Err(missing) } else { Ok(vec![row("none", "bake", "not measured", "give --data FILE")]) };
    };
    let bytes = file::read(path)?;
    let level = sentir_level::parse(&bytes, &path.display().to_string()).and_then(|spec| spec.build());
    let level = level.map_err(|error| LabError::Read { path: path.clone(), why: error.to_string() })?;
    let source = BakeSource::from_level(&level, &LevelState::new(&level), &LevelFilter::default());
    measured(&source).map_err(|why| LabError::Bake { path: path.clone(), why })
}

fn measured(source: &BakeSource) -> Result<Rows, BakeError> {
    let config = BakeConfig::default();
    let one = whole(source, &config)?;
    let one_area = area_m2(&one);
    let mut rows = Rows::new();
    let polygons = Figure::new(one.polygons.len() as f64, 0, "polygons");
    let text = format!("{} polygons, {one_area:.1} m²", one.polygons.len());
    rows.push(row("whole", "bake in one piece, by rerecast", polygons, "").also("area_m2", one_area).shown_as(text));
    let one_ms = median_ms(11, || drop(black_box(whole(source, &config))));
    rows.push(row("whole_time", "time of it", Figure::new(one_ms, 2, "ms"), ""));
    let table = bake(source, &[], &config)?;
    let polygons: usize = table.patches.iter().map(|patch| patch.polygons.len()).sum();
    let area: f64 = table.patches.iter().map(area_m2).sum();
    let what = format!("bake by {} × {} tiles of {} cells", table.grid.columns, table.grid.rows, config.tile_cells);
    let share = if one_area > 0.0 { 100.0 * (area - one_area) / one_area } else { 0.0 };
    let remark = format!("{share:+.2} % of the area in one piece");
    let text = format!("{polygons} polygons, {area:.1} m²");
    let tiled = row("tiled", what, Figure::new(polygons as f64, 0, "polygons"), remark);
    rows.push(tiled.also("area_percent_off", share.abs()).shown_as(text));
    let tiled_ms = median_ms(11, || drop(black_box(bake(source, &[], &config))));
    let count = table.patches.len().max(1);
    let remark = format!("{:.3} ms a tile, rasterizing included", tiled_ms / count as f64);
    rows.push(row("tiled_time", "time of it", Figure::new(tiled_ms, 2, "ms"), remark));
    rows.extend(carved(&table));
    let bytes: Vec<usize> = (0..table.patches.len()).map(|tile| table.bytes(tile)).collect();
    let most = bytes.iter().max().copied().unwrap_or(0);
    let mean = bytes.iter().sum::<usize>() / count;
    let mean = Figure::new(mean as f64, 0, "bytes a tile");
    rows.push(row("tile", "kept field and polygons", mean, format!("at most {most}")).also("most", most as f64));
    Ok(rows)
}

/// The slowest tile with a crate in its middle, and the mean over all tiles.
fn carved(table: &TileTable) -> Rows {
    let mut scratch = FieldScratch::default();
    let (mut slowest_ms, mut sum_ms, mut slowest) = (0.0, 0.0, 0);
    for (tile, field) in table.fields.iter().enumerate() {
        let center = plane::ground(table.grid.middle(tile as u32));
        let shape = Shape::Rectangle { center, half: CRATE_M, yaw: math::FRAC_PI_2 / 4.0 };
        let obstacles = [Obstacle { shape, low_m: -1e4, high_m: 1e4 }];
        let ms = median_ms(11, || drop(black_box(field.polygonize_with(&obstacles, &mut scratch))));
        sum_ms += ms;
        if ms > slowest_ms {
            (slowest_ms, slowest) = (ms, tile);
        }
    }
    let mean = sum_ms / table.fields.len().max(1) as f64;
    let remark = format!("tile {slowest}, the slowest; {mean:.3} ms on average");
    let mut rows = vec![row("carved", "a tile with an obstacle carved", Figure::new(slowest_ms, 3, "ms"), remark)];
    for (is_public, key, what) in
        [(true, "moved_public", "a public obstacle moved, mesh and all"), (false, "moved_private", "a private one")]
    {
        let center = plane::ground(table.grid.middle(slowest as u32));
        // a dynamic mesh refuses nothing here: the table is that of a bake, the shape is one.
        if let Some((ms, tiles)) = moved(table, center, is_public) {
            let each_ms = ms / f64::from(tiles.max(1));
            rows.push(row(key, what, Figure::new(ms, 3, "ms"), format!("{tiles} tiles")).also("ms_a_tile", each_ms));
        }
    }
    rows
}

/// The time that it takes to bring an obstacle that moved into a dynamic mesh, and how many tiles are rebuilt.
fn moved(table: &TileTable, center: Vec2, is_public: bool) -> Option<(f64, u32)> {
    let at = |shift: f32| {
        let shape = Shape::Rectangle { center: center + Vec2::new(shift, 0.0), half: CRATE_M, yaw: 0.4 };
        Obstacle { shape, low_m: -1e4, high_m: 1e4 }
    };
    let (mut obstacles, mut dynamic) = (Obstacles::default(), DynamicMesh::new(table).ok()?);
    let id = obstacles.add(table, at(0.0), is_public).ok()?;
    let (mut is_there, mut tiles) = (true, 0);
    let ms = median_ms(11, || {
        is_there = !is_there;
        let outcome = obstacles.move_to(table, id, at(if is_there { 0.0 } else { 0.5 }));
        obstacles.sweep(table, |_| false);
        obstacles.step(table, u32::MAX);
        tiles = outcome.ok().and_then(|()| dynamic.follow(table, &obstacles).ok()).unwrap_or(0);
    });
    Some((ms, tiles))
}

/// The area of all polygons.
fn area_m2(patch: &Patch) -> f64 {
    let corner = |at: u32| plane::ground(patch.corners[patch.loops[at as usize] as usize]);
    let fans = patch.polygons.iter().flat_map(|one| {
        (one.first + 1..one.first + one.count - 1)
            .map(move |at| f64::from(plane::side(corner(one.first), corner(at), corner(at + 1))))
    });
    fans.sum::<f64>() / 2.0
}
