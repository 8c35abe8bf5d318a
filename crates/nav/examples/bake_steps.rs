//! Bakes so often, for counting instructions: the difference between two counts is that of the bakes alone.
//!
//! `bake_steps FILE.obj whole|tiled|carve|plain|moved|marked COUNT`. `carve` polygonizes one tile with an obstacle in its middle,
//! `plain` without; the tile is the one with the most ground. `moved` moves a public obstacle there in a dynamic mesh, and
//! `marked` a private one: the tile is rebuilt and put into the mesh, which is put together again.

use sentir_nav::bake::{BakeConfig, BakeSource, FieldScratch, LevelFilter, Obstacle, Shape, TileTable, bake, whole};
use sentir_nav::core::glam::Vec2;
use sentir_nav::dynamic::{DynamicMesh, Obstacles};
use sentir_nav::mesh::Patch;

fn area_m2(patch: &Patch) -> f64 {
    let corner = |at: u32| sentir_nav::core::plane::ground(patch.corners[patch.loops[at as usize] as usize]);
    let twice = patch.polygons.iter().flat_map(|one| {
        (one.first + 1..one.first + one.count - 1)
            .map(move |at| f64::from(sentir_nav::core::plane::side(corner(one.first), corner(at), corner(at + 1))))
    });
    twice.sum::<f64>() / 2.0
}

/// Moves an obstacle to and fro.
fn moved(table: &TileTable, center: Vec2, is_public: bool, count: usize) -> Result<(), Box<dyn std::error::Error>> {
    let at = |shift: f32| {
        let shape = Shape::Rectangle { center: center + Vec2::new(shift, 0.0), half: Vec2::new(0.8, 1.2), yaw: 0.4 };
        Obstacle { shape, low_m: -100.0, high_m: 100.0 }
    };
    let (mut obstacles, mut dynamic) = (Obstacles::default(), DynamicMesh::new(table)?);
    let id = obstacles.add(table, at(0.0), is_public)?;
    obstacles.step(table, u32::MAX);
    let mut tiles = dynamic.follow(table, &obstacles)?;
    for number in 0..count {
        obstacles.move_to(table, id, at(if number % 2 == 0 { 0.5 } else { 0.0 }))?;
        obstacles.sweep(table, |_| false);
        obstacles.step(table, u32::MAX);
        tiles += dynamic.follow(table, &obstacles)?;
    }
    println!("{tiles} tiles rebuilt, {} polygons in the mesh", dynamic.mesh().polygon_count());
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, mode, count, ..] = words.as_slice() else {
        println!("usage: bake_steps FILE.obj whole|tiled|carve|plain|moved|marked COUNT");
        return Ok(());
    };
    let count: usize = count.parse()?;
    let level = sentir_level::parse(&std::fs::read(file)?, file)?.build()?;
    let source = BakeSource::from_level(&level, &sentir_level::LevelState::new(&level), &LevelFilter::default());
    let error = words.get(3).map_or(Ok(BakeConfig::default().border_error_cells), |word| word.parse())?;
    let config = BakeConfig { border_error_cells: error, ..BakeConfig::default() };
    if mode == "whole" {
        for _ in 0..count {
            let patch = whole(&source, &config)?;
            println!("{} polygons, {:.2} m²", patch.polygons.len(), area_m2(&patch));
        }
        return Ok(());
    }
    let runs = if mode == "tiled" { count } else { 1 };
    let mut table = None;
    for _ in 0..runs {
        table = Some(bake(&source, &[], &config)?);
    }
    let Some(table) = table else { return Ok(()) };
    let polygons: usize = table.patches.iter().map(|patch| patch.polygons.len()).sum();
    let area: f64 = table.patches.iter().map(area_m2).sum();
    println!("{} × {} tiles, {polygons} polygons, {area:.2} m²", table.grid.columns, table.grid.rows);
    if mode == "tiled" {
        return Ok(());
    }
    let areas: Vec<f64> = table.patches.iter().map(area_m2).collect();
    let most = sentir_nav::core::order::greatest(areas.iter().map(|&area| area as f32)).unwrap_or(0);
    let center = sentir_nav::core::plane::ground(table.grid.middle(most as u32));
    if mode == "moved" || mode == "marked" {
        return moved(&table, center, mode == "moved", count);
    }
    let shape = Shape::Rectangle { center, half: Vec2::new(0.8, 1.2), yaw: 0.4 };
    let obstacles = [Obstacle { shape, low_m: -100.0, high_m: 100.0 }];
    let obstacles = if mode == "carve" { &obstacles[..] } else { &[] };
    let mut scratch = FieldScratch::default();
    let mut patch = Patch::default();
    for _ in 0..count {
        patch = table.fields[most].polygonize_with(obstacles, &mut scratch);
    }
    println!("tile {most}: {} polygons, {:.2} m², {} bytes", patch.polygons.len(), area_m2(&patch), table.bytes(most));
    Ok(())
}
