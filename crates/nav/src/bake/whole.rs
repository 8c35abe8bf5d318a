//! A bake in one piece by Recast's own stages, as the crate rerecast has them: watershed regions, contours, polygons.
//!
//! The reference for the tiled bake, and what to take for small levels that never change. Heights of its polygons are those
//! of their corners only: in between, ground may be elsewhere.

use rerecast::{AreaType, BuildContoursFlags, PolygonNavmesh};
use sentir_core::glam::Vec3;

use super::config::{BakeConfig, BakeError, WHOLE_CELLS_MAX};
use super::raster::{Block, Grid, heightfield};
use super::source::BakeSource;
use super::{budget, table};
use crate::mesh::{AreaId, Patch, Polygon};

/// Bakes everything into one patch. No triangles give an empty patch.
pub fn whole(source: &BakeSource, config: &BakeConfig) -> Result<Patch, BakeError> {
    let rules = config.rules()?;
    source.check()?;
    let Some((grid, columns, rows)) = table::grid(source, &rules)? else { return Ok(Patch::default()) };
    let cells = u64::from(columns) * u64::from(rows);
    if cells > WHOLE_CELLS_MAX {
        return Err(BakeError::TooLarge { what: "cells of a bake in one piece", count: cells, limit: WHOLE_CELLS_MAX });
    }
    budget::hold(source, &grid, &rules)?;
    let voxel = |error: &dyn std::fmt::Display| BakeError::Voxel(error.to_string());
    let block = Block { x: 0, z: 0, columns, rows };
    let field = heightfield(source, &grid, &block, &rules)?;
    let mut field = field.into_compact(rules.height, rules.climb).map_err(|error| voxel(&error))?;
    each_span(&mut field, |area, x, z, floor| {
        let middle = grid.middle(x, z, floor, &rules);
        if source.solids.iter().any(|solid| solid.holds(middle, rules.cell_height_m)) {
            *area = AreaType(0);
        }
        for volume in source.volumes.iter().filter(|volume| volume.holds(middle)) {
            *area = AreaType(volume.area.filter(|_| area.0 != 0).map_or(0, |area| area.0 + 1));
        }
    });
    field.erode_walkable_area(rules.radius);
    field.build_distance_field();
    let (least, merged) = (rules.region_min as u16, rules.region_merge as u16);
    field.build_regions(0, least, merged).map_err(|error| voxel(&error))?;
    let contours = field.build_contours(rules.border_error, rules.edge_max, BuildContoursFlags::DEFAULT);
    let mesh = contours.into_polygon_mesh(rules.corners_max).map_err(|error| voxel(&error))?;
    Ok(patch(&mesh, &grid, &rules))
}

/// Calls `visit` with the area, the cell and the floor of each span.
fn each_span(field: &mut rerecast::CompactHeightfield, mut visit: impl FnMut(&mut AreaType, i32, i32, u16)) {
    for z in 0..field.height {
        for x in 0..field.width {
            for span in field.cell_at(x, z).index_range() {
                visit(&mut field.areas[span], x.into(), z.into(), field.spans[span].y);
            }
        }
    }
}

fn patch(mesh: &PolygonNavmesh, grid: &Grid, rules: &super::config::Rules) -> Patch {
    let line = |from: f32, index: u16| Grid::line(from, index.into(), rules.cell_m);
    let corner =
        |x: u16, y: u16, z: u16| Vec3::new(line(grid.origin.x, x), grid.height(y, rules), line(grid.origin.z, z));
    let corners = mesh.vertices.iter().map(|at| corner(at.x, at.y, at.z)).collect();
    let mut patch = Patch { corners, ..Patch::default() };
    let most = usize::from(mesh.max_vertices_per_polygon);
    for (number, loops) in mesh.polygons.chunks(most).take(mesh.polygon_count()).enumerate() {
        let first = patch.loops.len() as u32;
        patch.loops.extend(loops.iter().take_while(|&&at| at != PolygonNavmesh::NO_INDEX).map(|&at| u32::from(at)));
        let area = AreaId(mesh.areas[number].0.saturating_sub(1));
        patch.polygons.push(Polygon { first, count: patch.loops.len() as u32 - first, area });
    }
    patch
}
