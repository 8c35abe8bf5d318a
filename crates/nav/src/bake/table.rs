//! The tiles of a level for one kind of body.

use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_level::{Level, LevelState};

use super::budget;
use super::config::{BLOCK_CELLS, BakeConfig, BakeError, CELLS_PER_AXIS_MAX, LAYERS_MAX, Rules, TILES_MAX};
use super::field::{FieldScratch, TileField, drop_islands};
use super::obstacle::Obstacle;
use super::raster::{Block, Grid, block_field};
use super::source::{BakeSource, LevelFilter};
use crate::mesh::{Mesh, MeshError, Patch, TileGrid};

/// Tiles side by side, row by row along z, the fields they were made of, and their polygons.
#[derive(Clone, Debug, Default)]
pub struct TileTable {
    /// How they lie, and which steps between them are passed. The origin has the least x, y and z of the level.
    pub grid: TileGrid,
    /// What is kept to polygonize a tile again.
    pub fields: Vec<TileField>,
    /// The polygons of each tile.
    pub patches: Vec<Patch>,
}

/// The grid over a source, and how many cells it has along x and z; none over nothing.
pub(crate) fn grid(source: &BakeSource, rules: &Rules) -> Result<Option<(Grid, u32, u32)>, BakeError> {
    let bounds = source.bounds();
    if bounds.is_empty() {
        return Ok(None);
    }
    let size = bounds.high - bounds.low;
    // As Recast rounds: half a cell may be cut off at the far side.
    let cells = |length_m: f32| ((length_m / rules.cell_m + 0.5) as u32).max(1);
    let (columns, rows) = (cells(size.x), cells(size.z));
    let layers = (size.y / rules.cell_height_m).ceil() as u32;
    for (what, count, limit) in [
        ("cells along x", columns, CELLS_PER_AXIS_MAX),
        ("cells along z", rows, CELLS_PER_AXIS_MAX),
        ("layers of height", layers, LAYERS_MAX),
    ] {
        if count > limit {
            return Err(BakeError::TooLarge { what, count: count.into(), limit: limit.into() });
        }
    }
    Ok(Some((Grid { origin: bounds.low, high_m: bounds.high.y, columns, rows }, columns, rows)))
}

/// Whether a bake of these settings would be refused, without baking: settings, geometry, and what it would cost.
pub fn check(source: &BakeSource, config: &BakeConfig) -> Result<(), BakeError> {
    checked_grid(source, &config.rules()?).map(|_| ())
}

/// The grid of a source whose tiles are few enough and not too dear; none over nothing.
fn checked_grid(source: &BakeSource, rules: &Rules) -> Result<Option<Grid>, BakeError> {
    source.check()?;
    let Some((grid, columns, rows)) = grid(source, rules)? else { return Ok(None) };
    let count = u64::from(columns.div_ceil(rules.tile)) * u64::from(rows.div_ceil(rules.tile));
    if count > TILES_MAX {
        return Err(BakeError::TooLarge { what: "tiles", count, limit: TILES_MAX });
    }
    budget::hold(source, &grid, rules)?;
    Ok(Some(grid))
}

/// Bakes a level for a kind of body. Pieces are left out unless the filter says otherwise: hand them in as obstacles.
pub fn level(
    level: &Level,
    state: &LevelState,
    filter: &LevelFilter,
    config: &BakeConfig,
) -> Result<TileTable, BakeError> {
    bake(&BakeSource::from_level(level, state, filter), &[], config)
}

/// Bakes triangles, with obstacles in them, into tiles. No triangles give a table without tiles.
pub fn bake(source: &BakeSource, obstacles: &[Obstacle], config: &BakeConfig) -> Result<TileTable, BakeError> {
    let rules = config.rules()?;
    (0..).zip(obstacles).try_for_each(|(number, obstacle)| obstacle.check(number))?;
    let Some(grid) = checked_grid(source, &rules)? else { return Ok(TileTable::default()) };
    let (columns, rows) = (grid.columns.div_ceil(rules.tile), grid.rows.div_ceil(rules.tile));
    let count = columns * rows;
    let mut table = TileTable { grid: tiles(&grid, [columns, rows], &rules), ..TileTable::default() };
    table.fields = vec![TileField::empty(&grid, &rules); count as usize];
    let tiles_a_block = (BLOCK_CELLS / rules.tile).max(1);
    for block_row in 0..rows.div_ceil(tiles_a_block) {
        for block_column in 0..columns.div_ceil(tiles_a_block) {
            let first = [block_column * tiles_a_block, block_row * tiles_a_block];
            let tiles = [tiles_a_block.min(columns - first[0]), tiles_a_block.min(rows - first[1])];
            let block = tile_block(first, tiles, &rules);
            let mut spans = block_field(source, &grid, &block, &rules)?;
            drop_islands(&mut spans, &block, &grid, &rules);
            for row in first[1]..first[1] + tiles[1] {
                for column in first[0]..first[0] + tiles[0] {
                    let own = tile_block([column, row], [1, 1], &rules);
                    table.fields[(row * columns + column) as usize] =
                        TileField::cut(&spans, &block, &own, &grid, &rules);
                }
            }
        }
    }
    let mut scratch = FieldScratch::default();
    table.patches = table.fields.iter().map(|field| field.polygonize_with(obstacles, &mut scratch)).collect();
    Ok(table)
}

/// How tiles lie. Steps between them: where one walks from cell to cell, floors differ by a climb at most, and the edges over
/// both by half the height error more each. Two floors of one place are a body's height apart, so that much joins no two.
fn tiles(grid: &Grid, [columns, rows]: [u32; 2], rules: &Rules) -> TileGrid {
    let tile_size_m = Grid::line(0.0, rules.tile as i32, rules.cell_m);
    let (climb, height) = (f32::from(rules.climb), f32::from(rules.height));
    let step = math::max(climb, math::min(climb + rules.height_error, height - rules.height_error));
    let climb_m = step * rules.cell_height_m;
    TileGrid { origin: grid.origin, tile_size_m, columns, rows, climb_m, border_m: rules.cell_m * 0.05 }
}

/// The cells of some tiles with the margin around them.
fn tile_block([column, row]: [u32; 2], [columns, rows]: [u32; 2], rules: &Rules) -> Block {
    let begin = |tile: u32| (tile * rules.tile) as i32 - rules.margin as i32;
    let count = |tiles: u32| tiles * rules.tile + 2 * rules.margin;
    Block { x: begin(column), z: begin(row), columns: count(columns), rows: count(rows) }
}

impl TileTable {
    /// The mesh of all tiles: its tiles have the same numbers, so what a changed tile polygonizes to goes into
    /// [`Mesh::replace`] as it is. No tiles give a mesh without ground.
    ///
    /// # Errors
    /// When the patches were changed by hand and are not valid any more, or there are more edges than a mesh may have.
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        if self.patches.is_empty() {
            return Mesh::from_patch(Patch::default());
        }
        Mesh::from_tiles(self.grid, self.patches.clone())
    }

    /// The tiles whose polygons an obstacle may change, in order.
    pub fn touched(&self, obstacle: &Obstacle) -> Vec<u32> {
        let numbers = 0u32..;
        numbers.zip(&self.fields).filter(|(_, field)| field.is_touched(obstacle)).map(|(number, _)| number).collect()
    }

    /// Half the side of a cell, m; 0 without tiles.
    pub fn half_cell_m(&self) -> f32 {
        self.fields.first().map_or(0.0, |field| field.rules.cell_m * 0.5)
    }

    /// Bytes that the field and the polygons of a tile take; 0 where there is no such tile.
    pub fn bytes(&self, tile: usize) -> usize {
        let field = self.fields.get(tile).map_or(0, TileField::bytes);
        field + self.patches.get(tile).map_or(0, patch_bytes)
    }
}

/// Bytes that a patch takes.
pub fn patch_bytes(patch: &Patch) -> usize {
    size_of::<Patch>()
        + patch.corners.len() * size_of::<Vec3>()
        + patch.loops.len() * size_of::<u32>()
        + patch.polygons.len() * size_of::<crate::mesh::Polygon>()
}
