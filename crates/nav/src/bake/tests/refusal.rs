//! Bad input is refused in a sentence.

use super::*;
use crate::mesh::AreaId;

fn floor() -> BakeSource {
    let [a, b, c, d] = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]].map(|[x, y]| plane::lift(Vec2::new(x, y), 0.0));
    BakeSource::from_triangles(vec![[a, b, c], [a, c, d]])
}

fn sentence(source: &BakeSource, config: &BakeConfig) -> String {
    let (tiled, one) = (bake(source, &[], config).unwrap_err(), whole(source, config).unwrap_err());
    assert_eq!(tiled.to_string().split(':').next_back(), one.to_string().split(':').next_back());
    tiled.to_string()
}

#[test]
fn settings_out_of_range_are_named() {
    let stock = BakeConfig::default();
    assert_eq!(stock.check(), Ok(()));
    for (config, expected) in [
        (BakeConfig { cell_m: 0.0, ..stock }, "the cell size is 0: expected 0.01 to 10"),
        (BakeConfig { cell_height_m: f32::NAN, ..stock }, "the cell height is NaN: expected 0.01 to 10"),
        (BakeConfig { radius_m: -1.0, ..stock }, "the radius of the body is -1: expected 0 to 9.6"),
        (BakeConfig { height_m: 0.1, ..stock }, "the height of the body is 0.1: expected 0.6 to 50.8"),
        (BakeConfig { climb_m: 3.0, ..stock }, "the step height is 3: expected 0 to 1.8"),
        (BakeConfig { slope_deg: 90.0, ..stock }, "the slope is 90: expected 0 to 89"),
        (BakeConfig { region_min_cells: 900, ..stock }, "the least region size is 900: expected 0 to 150"),
        (BakeConfig { region_merge_cells: 900, ..stock }, "the merged region size is 900: expected 0 to 150"),
        (BakeConfig { edge_max_m: -1.0, ..stock }, "the greatest edge length is -1: expected 0 to 1000"),
        (BakeConfig { border_error_cells: 11.0, ..stock }, "the border error is 11: expected 0 to 10"),
        (BakeConfig { height_error_m: 0.0, ..stock }, "the height error is 0: expected 0.4 to 1000"),
        (BakeConfig { corners_max: 2, ..stock }, "the count of corners a polygon is 2: expected 3 to 16"),
        (BakeConfig { tile_cells: 1, ..stock }, "the tile size is 1: expected 8 to 256"),
    ] {
        assert_eq!(config.check().unwrap_err().to_string(), expected);
        assert_eq!(sentence(&floor(), &config), expected);
    }
}

#[test]
fn corners_that_are_no_numbers_are_refused() {
    let mut source = floor();
    source.triangles[1][2].y = f32::NAN;
    let expected = "triangle 1 has a corner at (0, NaN, -8): expected coordinates within ±20000 m";
    assert_eq!(sentence(&source, &BakeConfig::default()), expected);
    source.triangles[1][2].y = 1e9;
    assert!(sentence(&source, &BakeConfig::default()).starts_with("triangle 1 has a corner at (0, 1000000000, -8)"));
}

#[test]
fn absurd_sizes_are_refused_before_anything_is_allocated() {
    let mut source = floor();
    source.triangles[0][1].x = 19_000.0;
    let sentence_of = |config: &BakeConfig, source: &BakeSource| bake(source, &[], config).unwrap_err().to_string();
    let expected = "cells along x would be 63333: expected at most 16384; take larger cells, or a smaller level";
    assert_eq!(sentence_of(&BakeConfig::default(), &source), expected);
    let mut source = floor();
    source.triangles[0][1].y = 9000.0;
    let expected = "layers of height would be 45000: expected at most 8192; take larger cells, or a smaller level";
    assert_eq!(sentence_of(&BakeConfig::default(), &source), expected);
    let mut source = floor();
    source.triangles[0][1] += Vec3::new(4000.0, 0.0, 0.0);
    source.triangles[1][2] -= Vec3::new(0.0, 0.0, 4000.0);
    let error = whole(&source, &BakeConfig::default()).unwrap_err().to_string();
    assert!(error.starts_with("cells of a bake in one piece would be 178"), "{error}");
    let tiny = BakeConfig { tile_cells: 8, ..BakeConfig::default() };
    assert!(sentence_of(&tiny, &source).starts_with("tiles would be 27"));
}

#[test]
fn areas_and_volumes_are_checked() {
    let mut source = floor();
    source.areas[1] = Some(AreaId(63));
    assert_eq!(sentence(&source, &BakeConfig::default()), "area 63 of triangle 1 is too great: expected at most 62");
    source.areas.pop();
    assert!(sentence(&source, &BakeConfig::default()).starts_with("areas of triangles would be 1"));
    let mut source = floor();
    let outline = vec![Vec2::ZERO, Vec2::X];
    source.volumes.push(AreaVolume { outline, low_m: 0.0, high_m: 1.0, area: None });
    let expected = "area volume 0 is not a shape: expected at least three finite corners, and heights";
    assert_eq!(sentence(&source, &BakeConfig::default()), expected);
    source.volumes[0].outline.push(Vec2::Y);
    source.volumes[0].area = Some(AreaId(200));
    assert_eq!(
        sentence(&source, &BakeConfig::default()),
        "area 200 of area volume 0 is too great: expected at most 62"
    );
}

#[test]
fn obstacles_without_a_shape_are_refused() {
    let cylinder = |radius_m: f32| Shape::Circle { center: Vec2::ZERO, radius_m };
    let slab = |half: Vec2| Shape::Rectangle { center: Vec2::ZERO, half, yaw: 0.0 };
    let bow = vec![Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::Y];
    for (shape, expected) in [
        (cylinder(0.0), "expected a finite middle and a radius over 0 m"),
        (slab(Vec2::new(f32::NAN, 1.0)), "expected a finite middle and turn, and a size over 0 m"),
        (Shape::Polygon(bow), "expected 3 to 64 finite corners of a convex polygon"),
        (Shape::Polygon(vec![]), "expected 3 to 64 finite corners of a convex polygon"),
    ] {
        let obstacles = [Obstacle { shape, low_m: 0.0, high_m: 1.0 }];
        let error = bake(&floor(), &obstacles, &BakeConfig::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("obstacle 0 is not a shape: {expected}"));
        // Past the door, they do no harm.
        let table = bake(&floor(), &[], &BakeConfig::default()).unwrap();
        assert_sound(&table.fields[0].polygonize(&obstacles), 6);
    }
    let flat = Obstacle { shape: cylinder(1.0), low_m: 1.0, high_m: 0.0 };
    assert!(flat.check(3).unwrap_err().to_string().starts_with("obstacle 3 is not a shape: its heights"));
}

#[test]
fn nothing_gives_nothing() {
    let table = bake(&BakeSource::default(), &[], &BakeConfig::default()).unwrap();
    assert_eq!((table.grid.columns, table.grid.rows, table.patches.len()), (0, 0, 0));
    assert_eq!(table.grid.tile(Vec3::ZERO), None);
    assert_eq!(table.bytes(0), 0);
    assert_eq!(whole(&BakeSource::default(), &BakeConfig::default()).unwrap(), Patch::default());
    // A wall and nothing else: tiles, but no ground.
    let wall = vec![[Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(4.0, 3.0, 0.0)]];
    let table = bake(&BakeSource::from_triangles(wall), &[], &BakeConfig::default()).unwrap();
    assert!(table.patches.iter().all(|patch| patch.polygons.is_empty()));
}
