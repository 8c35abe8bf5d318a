//! Tiles beside the whole, and beside each other.

use super::*;
use crate::mesh::TileGrid;
use proptest::prelude::*;

#[test]
fn tiles_cover_what_the_whole_covers() {
    for (text, config) in [(PARK, body()), (PARK, BakeConfig { border_error_cells: 0.0, ..body() })] {
        let (_, source) = built(text);
        let one = area_m2([&whole(&source, &config).unwrap()]);
        for tile_cells in [256, 48, 32] {
            let tiles = area_m2(&bake(&source, &[], &BakeConfig { tile_cells, ..config }).unwrap().patches);
            assert!((one - tiles).abs() <= 0.005 * one, "{one} and {tiles} by tiles of {tile_cells}");
        }
    }
}

#[test]
fn polygons_of_tiles_are_convex_and_apart() {
    let (_, source) = built(PARK);
    for config in [body(), BakeConfig { corners_max: 3, ..body() }, BakeConfig { corners_max: 16, ..body() }] {
        let table = bake(&source, &[], &config).unwrap();
        for patch in &table.patches {
            assert_sound(patch, config.corners_max.into());
            assert_apart(patch, 0.37, 0.9);
        }
    }
}

/// The stretches of a tile's polygons on a line x = `at`, as z from and to, by height.
fn stretches(patch: &Patch, at: f32, is_x: bool) -> Vec<[f32; 3]> {
    let mut found = Vec::new();
    for corners in loops(patch) {
        for index in 0..corners.len() {
            let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
            let across = |point: Vec3| if is_x { point.x } else { point.z };
            let along = |point: Vec3| if is_x { point.z } else { point.x };
            if across(a) == at && across(b) == at {
                let (low, high) = if along(a) < along(b) { (a, b) } else { (b, a) };
                found.push([along(low), along(high), (low.y + high.y) * 0.5]);
            }
        }
    }
    found
}

/// Both sides of a border have the same stretches of ground on it, to the bit of its coordinate.
#[test]
fn tiles_meet_exactly_on_their_borders() {
    let (_, source) = built(PARK);
    let table = bake(&source, &[], &body()).unwrap();
    let mut total = 0.0;
    let TileGrid { origin, columns, rows, tile_size_m, .. } = table.grid;
    for row in 0..rows {
        for column in 0..columns {
            let number = |column: u32, row: u32| (row * columns + column) as usize;
            let line =
                |from: f32, tile: u32| (f64::from(from) + f64::from(tile * 48) * f64::from(body().cell_m)) as f32;
            let own = &table.patches[number(column, row)];
            for is_x in [true, false] {
                let (next_column, next_row) = if is_x { (column + 1, row) } else { (column, row + 1) };
                if next_column == columns || next_row == rows {
                    continue;
                }
                let other = &table.patches[number(next_column, next_row)];
                let at = if is_x { line(origin.x, next_column) } else { line(origin.z, next_row) };
                let length =
                    |patch: &Patch| -> f32 { stretches(patch, at, is_x).iter().map(|[low, high, _]| high - low).sum() };
                assert!(
                    (length(own) - length(other)).abs() < 0.5,
                    "{:?} {:?}",
                    stretches(own, at, is_x),
                    stretches(other, at, is_x)
                );
                total += length(own);
                for [low, high, y] in stretches(own, at, is_x) {
                    let over = |[from, to, height]: &[f32; 3]| {
                        let part = sentir_core::math::min(high, *to) - sentir_core::math::max(low, *from);
                        if (height - y).abs() < 0.5 { sentir_core::math::max(part, 0.0) } else { 0.0 }
                    };
                    let shared: f32 = stretches(other, at, is_x).iter().map(over).sum();
                    assert!(shared > high - low - 0.5, "{shared} of {low} to {high} at {at}");
                }
            }
        }
    }
    assert!(total > 40.0);
    for (tile, patch) in table.patches.iter().enumerate() {
        let middle = table.grid.middle(tile as u32);
        assert_eq!(table.grid.tile(middle), Some(tile as u32));
        for corner in &patch.corners {
            let off = (plane::ground(*corner) - plane::ground(middle)).abs();
            assert!(off.max_element() <= tile_size_m * 0.5 + 1e-4, "{corner} is outside tile {tile}");
        }
    }
}

#[test]
fn the_same_geometry_gives_the_same_bytes() {
    let (_, source) = built(PARK);
    let (first, second) = (bake(&source, &[], &body()).unwrap(), bake(&source, &[], &body()).unwrap());
    assert_eq!(first.patches, second.patches);
    assert_eq!(first.fields, second.fields);
    assert!(first.bytes(0) > first.fields[0].bytes());
    let (first, second) = (whole(&source, &body()).unwrap(), whole(&source, &body()).unwrap());
    assert_eq!(first, second);
}

/// Boxes and plates at random: steps, ledges, ceilings, pinched passages.
fn heap() -> impl Strategy<Value = BakeSource> {
    let one = (0i16..60, 0i16..60, 1i16..20, 1i16..20, 0i16..30, 1i16..12);
    proptest::collection::vec(one, 1..24).prop_map(|boxes| {
        let mut solids = String::from("{slab: {outline: [[0, 0], [8, 0], [8, 8], [0, 8]]}}");
        for (x, y, width, depth, base, height) in boxes {
            let [x, y, width, depth, base, height] = [x, y, width, depth, base, height].map(|at| f32::from(at) * 0.1);
            let (x, y) = (x + 1.0 + width / 2.0, y + 1.0 + depth / 2.0);
            solids +=
                &format!(", {{box: {{at: [{x}, {y}], size: [{width}, {depth}], height_m: {height}, base_m: {base}}}}}");
        }
        built(&format!("{{name: t, solids: [{solids}]}}")).1
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// However the cells lie, no ground is lost: unstraightened, polygons have the area of the cells they are made of, and
    /// straightened ones are sound and apart.
    #[test]
    fn no_heap_of_boxes_loses_ground(source in heap(), radius in 0u8..3) {
        let radius_m = f32::from(radius) * 0.1;
        let config = BakeConfig { cell_m: 0.1, radius_m, region_min_cells: 0, tile_cells: 48, ..body() };
        let exact = bake(&source, &[], &BakeConfig { border_error_cells: 0.0, ..config }).unwrap();
        for (field, patch) in exact.fields.iter().zip(&exact.patches) {
            let expected = f64::from(field.open_cells()) * 0.01;
            prop_assert!((area_m2([patch]) - expected).abs() < 1e-2, "{} for {expected}", area_m2([patch]));
        }
        let straight = bake(&source, &[], &config).unwrap();
        for patch in &straight.patches {
            assert_sound(patch, 6);
        }
    }
}
