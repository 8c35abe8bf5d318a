//! From triangles to spans: a block of cells at a time, by rerecast's rasterizer and filters.
//!
//! Blocks lie on one grid. A block has a margin, so that what is cut out of its middle does not depend on where it ends.

use rerecast::{Aabb3d, AreaType, Heightfield, HeightfieldBuilder};
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::math;

use super::config::{BakeError, Rules};
use super::source::BakeSource;

/// The grid of a bake: where cell (0, 0) begins, and the height from which heights count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// The corner with the least x, y and z, m.
    pub origin: Vec3,
    /// The greatest height, m.
    pub high_m: f32,
    /// Cells along x. What lies beyond is margin, and empty.
    pub columns: u32,
    /// Cells along z.
    pub rows: u32,
}

/// A rectangle of cells: from `x`, `z` on, possibly left of the grid's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub x: i32,
    pub z: i32,
    pub columns: u32,
    pub rows: u32,
}

/// No link.
pub(crate) const NO_LINK: u8 = u8::MAX;

/// Spans of a block: ground with room for the body over it, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockField {
    /// Where the spans of each column begin, row by row; one more at the end.
    pub starts: Vec<u32>,
    /// Heights, cells over the grid's origin.
    pub floors: Vec<u16>,
    /// Heights of the ceilings; the greatest number where there is none.
    pub ceilings: Vec<u16>,
    /// Area plus one; 0 for what was taken out.
    pub areas: Vec<u8>,
}

impl Grid {
    /// The x (or, from the z of the origin, the z) of a line between cells: the same bits for whoever asks.
    pub(crate) fn line(from: f32, index: i32, cell_m: f32) -> f32 {
        (f64::from(from) + f64::from(index) * f64::from(cell_m)) as f32
    }

    /// The middle of a cell at a height in cells.
    pub(crate) fn middle(&self, x: i32, z: i32, floor: u16, rules: &Rules) -> Vec3 {
        let half =
            |from: f32, index: i32| (f64::from(from) + (f64::from(index) + 0.5) * f64::from(rules.cell_m)) as f32;
        Vec3::new(half(self.origin.x, x), self.height(floor, rules), half(self.origin.z, z))
    }

    /// The height in meters.
    pub(crate) fn height(&self, floor: u16, rules: &Rules) -> f32 {
        (f64::from(self.origin.y) + f64::from(floor) * f64::from(rules.cell_height_m)) as f32
    }

    /// The cells that a box on the ground may touch, within a block: columns and rows from its corner on.
    pub(crate) fn cells(
        &self,
        (low, high): (Vec2, Vec2),
        block: &Block,
        rules: &Rules,
    ) -> (std::ops::Range<u32>, std::ops::Range<u32>) {
        let range = |low_m: f32, high_m: f32, from: f32, first: i32, count: u32| {
            // Floats become integers by saturation, so any box has a range.
            let low = ((low_m - from) / rules.cell_m).floor() as i32;
            let high = ((high_m - from) / rules.cell_m).floor() as i32;
            let begin = low.saturating_sub(first).clamp(0, count as i32) as u32;
            let end = high.saturating_sub(first).saturating_add(1).clamp(0, count as i32) as u32;
            begin..end.max(begin)
        };
        (
            range(low.x, high.x, self.origin.x, block.x, block.columns),
            // Ground y is −z.
            range(-high.y, -low.y, self.origin.z, block.z, block.rows),
        )
    }
}

/// rerecast's field of a block, rasterized and filtered.
pub(crate) fn heightfield(
    source: &BakeSource,
    grid: &Grid,
    block: &Block,
    rules: &Rules,
) -> Result<Heightfield, BakeError> {
    let voxel = |error: &dyn std::fmt::Display| BakeError::Voxel(error.to_string());
    let at = |x: i32, z: i32, y: f32| {
        let line = |from: f32, index: i32| Grid::line(from, index, rules.cell_m);
        Vec3::new(line(grid.origin.x, x), y, line(grid.origin.z, z))
    };
    let aabb = Aabb3d {
        min: at(block.x, block.z, grid.origin.y),
        max: at(block.x + block.columns as i32, block.z + block.rows as i32, grid.high_m),
    };
    let builder = HeightfieldBuilder { aabb, cell_size: rules.cell_m, cell_height: rules.cell_height_m };
    let mut field = builder.build().map_err(|error| voxel(&error))?;
    for (number, corners) in source.triangles.iter().enumerate() {
        let low = |axis: usize| math::min(math::min(corners[0][axis], corners[1][axis]), corners[2][axis]);
        let high = |axis: usize| math::max(math::max(corners[0][axis], corners[1][axis]), corners[2][axis]);
        let is_in = |axis: usize| low(axis) <= aabb.max[axis] && high(axis) >= aabb.min[axis];
        if is_in(0) && is_in(2) {
            let area = AreaType(source.voxel_area(number, rules));
            let corners = corners.map(Into::into);
            field.rasterize_triangle(corners, area, rules.climb).map_err(|error| voxel(&error))?;
        }
    }
    empty_beyond(&mut field, grid, block);
    field.filter_low_hanging_walkable_obstacles(rules.climb);
    field.filter_ledge_spans(rules.height, rules.climb);
    field.filter_walkable_low_height_spans(rules.height);
    Ok(field)
}

/// Empties the columns beyond the grid. A face that ends on the last line touches them, and would be wider than it is.
fn empty_beyond(field: &mut Heightfield, grid: &Grid, block: &Block) {
    let is_beyond = |at: i32, count: u32| at < 0 || at >= count as i32;
    for (column, first) in field.spans.iter_mut().enumerate() {
        let (x, z) = (column as u32 % block.columns, column as u32 / block.columns);
        if is_beyond(block.x + x as i32, grid.columns) || is_beyond(block.z + z as i32, grid.rows) {
            *first = None;
        }
    }
}

/// The spans of a block where a body can stand; areas marked, the insides of solids taken out.
pub(crate) fn block_field(
    source: &BakeSource,
    grid: &Grid,
    block: &Block,
    rules: &Rules,
) -> Result<BlockField, BakeError> {
    let field = heightfield(source, grid, block, rules)?;
    let count = block.columns as usize * block.rows as usize;
    let mut spans = BlockField { starts: Vec::with_capacity(count + 1), ..BlockField::default() };
    for column in 0..count {
        spans.starts.push(spans.floors.len() as u32);
        let mut next = field.spans.get(column).copied().flatten();
        while let Some(key) = next {
            let span = field.span(key);
            next = span.next;
            if span.area.0 != 0 {
                spans.floors.push(span.max);
                spans.ceilings.push(next.map_or(u16::MAX, |above| field.span(above).min));
                spans.areas.push(span.area.0);
            }
        }
    }
    spans.starts.push(spans.floors.len() as u32);
    take_out_solids(&mut spans, source, grid, block, rules);
    mark(&mut spans, source, grid, block, rules);
    Ok(spans)
}

impl BlockField {
    /// Calls `visit` with the number and the place of each span of a range of columns and rows.
    fn each(
        &self,
        ranges: (std::ops::Range<u32>, std::ops::Range<u32>),
        block: &Block,
        mut visit: impl FnMut(usize, i32, i32),
    ) {
        for row in ranges.1 {
            for column in ranges.0.clone() {
                let at = (row * block.columns + column) as usize;
                for span in self.starts[at]..self.starts[at + 1] {
                    visit(span as usize, block.x + column as i32, block.z + row as i32);
                }
            }
        }
    }
}

fn take_out_solids(spans: &mut BlockField, source: &BakeSource, grid: &Grid, block: &Block, rules: &Rules) {
    let mut areas = std::mem::take(&mut spans.areas);
    for solid in &source.solids {
        let ranges = grid.cells(super::obstacle::around(&solid.outline), block, rules);
        spans.each(ranges, block, |span, x, z| {
            if solid.holds(grid.middle(x, z, spans.floors[span], rules), rules.cell_height_m) {
                areas[span] = 0;
            }
        });
    }
    spans.areas = areas;
}

fn mark(spans: &mut BlockField, source: &BakeSource, grid: &Grid, block: &Block, rules: &Rules) {
    let mut areas = std::mem::take(&mut spans.areas);
    for volume in &source.volumes {
        let ranges = grid.cells(volume.bounds(), block, rules);
        spans.each(ranges, block, |span, x, z| {
            let middle = grid.middle(x, z, spans.floors[span], rules);
            if areas[span] != 0 && volume.holds(middle) {
                areas[span] = volume.area.map_or(0, |area| area.0 + 1);
            }
        });
    }
    spans.areas = areas;
}
