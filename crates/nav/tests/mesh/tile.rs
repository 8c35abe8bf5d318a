//! Tiles: cut or whole, replaced or built afresh, it is the same world.

use crate::world::{World, ground, point, stream, worlds};
use sentir_core::glam::Vec3;
use sentir_nav::mesh::*;

const EXTENT: Vec3 = Vec3::new(0.001, 1.0, 0.001);

#[test]
fn every_neighbor_has_this_polygon_as_neighbor_over_the_same_edge() {
    for world in worlds(300, 20, 9, 3) {
        let mesh = world.tiled();
        let mut across = 0;
        for polygon in 0..mesh.polygon_count() {
            let ring: Vec<Vec3> = mesh.ring(polygon).collect();
            for (number, other) in mesh.neighbors(polygon).enumerate() {
                let Some(other) = other else { continue };
                let (a, b) = (ring[number], ring[(number + 1) % ring.len()]);
                let theirs: Vec<Vec3> = mesh.ring(other).collect();
                let back = mesh.neighbors(other).enumerate().any(|(at, it)| {
                    it == Some(polygon)
                        && theirs[at].distance(b) < 1e-5
                        && theirs[(at + 1) % theirs.len()].distance(a) < 1e-5
                });
                assert!(back, "{polygon} {other}");
                across += 1;
            }
        }
        assert!(across > 0 && (mesh.area_m2() - world.mesh().area_m2()).abs() < 1e-6);
    }
}

#[test]
fn a_replaced_tile_gives_the_mesh_that_is_built_afresh() {
    for seed in 0..12 {
        let mut pair = worlds(seed * 40, 40, 9, 3).filter(|world| world.cut == crate::world::Cut::Runs);
        let (old, new) = (pair.next().unwrap(), pair.next().unwrap());
        let mut mesh = old.tiled();
        let mut patches: Vec<Patch> = (0..9).map(|tile| old.tile_patch(tile)).collect();
        for tile in [4, 0, 8, 5, 4] {
            let patch = if patches[tile] == new.tile_patch(tile) { old.tile_patch(tile) } else { new.tile_patch(tile) };
            patches[tile] = patch.clone();
            mesh.replace(tile as u32, patch).unwrap();
            assert_eq!(mesh, Mesh::from_tiles(old.grid(), patches.clone()).unwrap());
        }
        mesh.replace(4, Patch::default()).unwrap();
        patches[4] = Patch::default();
        assert_eq!(mesh, Mesh::from_tiles(old.grid(), patches).unwrap());
    }
}

#[test]
fn a_bad_tile_is_refused_and_changes_nothing() {
    let world = worlds(5, 1, 9, 3).next().unwrap();
    let mut mesh = world.tiled();
    let before = mesh.clone();
    assert_eq!(mesh.replace(9, Patch::default()), Err(MeshError::BadTile { tile: 9 }));
    assert_eq!(mesh.replace(0, world.tile_patch(8)), Err(MeshError::OutsideTile { tile: 0 }));
    let mut bent = (0..9).map(|tile| world.tile_patch(tile)).find(|patch| patch.polygons.len() > 1).unwrap();
    bent.loops[0] = bent.loops[1];
    assert!(mesh.replace(4, bent).is_err());
    assert_eq!(mesh, before);
    let grid = world.grid();
    assert_eq!(Mesh::from_tiles(grid, vec![]), Err(MeshError::BadTile { tile: 0 }));
    for odd in [
        TileGrid { tile_size_m: f32::NAN, ..grid },
        TileGrid { tile_size_m: 0.0, ..grid },
        TileGrid { columns: 0, ..grid },
        TileGrid { rows: 1 << 20, ..grid },
        TileGrid { climb_m: -1.0, ..grid },
        TileGrid { border_m: f32::INFINITY, ..grid },
    ] {
        assert_eq!(Mesh::from_tiles(odd, vec![]), Err(MeshError::BadGrid));
    }
    assert!(MeshError::OutsideTile { tile: 3 }.to_string().contains("tile 3"));
}

/// Random pairs have the same shortest ways.
fn same_ways(world: &World, a: &Mesh, b: &Mesh, seed: u64) -> u32 {
    let (mut search, mut random) = (AnyAngleSearch::default(), stream(seed));
    let mut found = 0;
    for _ in 0..100 {
        let (from, to) = (world.place(&mut random), world.place(&mut random));
        let query = MeshQuery { extent: EXTENT, ..MeshQuery::new(point(from), point(to)) };
        let one = search.find(a, &query);
        let (ending, cost, last) = (one.ending, one.cost, one.path.last().copied());
        let two = search.find(b, &query);
        assert_eq!(ending, two.ending);
        assert!((cost - two.cost).abs() < 1e-6 * (1.0 + cost), "{cost} {}: {from} to {to}", two.cost);
        assert!((ground(last.unwrap()) - ground(*two.path.last().unwrap())).length() < 1e-3);
        found += u32::from(two.is_found());
    }
    found
}

#[test]
fn cut_into_tiles_the_ways_are_the_same() {
    let found: u32 = worlds(600, 30, 12, 4)
        .zip(0..)
        .map(|(world, seed)| same_ways(&world, &world.mesh(), &world.tiled(), seed))
        .sum();
    assert!(found > 1000);
}
