//! The kept field of a tile: where a body's feet could be, before its width and obstacles count. From it, polygons are made
//! as often as obstacles change, without rasterizing again.
//!
//! Obstacles are carved *before* the field is eroded by the body's radius: so a carved obstacle and a wall are treated alike.
//! A tile of 48 cells with a margin of 5 takes about 11 bytes a cell with one floor.

use sentir_core::glam::Vec2;
use sentir_core::plane;

use super::config::Rules;
use super::contour::{self, Outlines};
use super::layer::{self, Layers};
use super::obstacle::Obstacle;
use super::polygon::{self, PolygonScratch};
use super::raster::{Block, BlockField, Grid, NO_LINK};
use super::simplify::{self, ErrorLimits};
use crate::mesh::Patch;

/// No span.
pub(crate) const NONE: u32 = u32::MAX;
/// Rounds of straightening at most, before nothing is straightened.
const ROUNDS_MAX: u32 = 8;
/// Steps to the four neighbors of a cell: −x, +z, +x, −z.
pub(crate) const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A tile's spans with a margin around them.
#[derive(Clone, Debug, PartialEq)]
pub struct TileField {
    pub(crate) grid: Grid,
    pub(crate) rules: Rules,
    /// The cells it covers, margin included.
    pub(crate) block: Block,
    pub(crate) starts: Vec<u32>,
    pub(crate) floors: Vec<u16>,
    /// Area plus one.
    pub(crate) areas: Vec<u8>,
    /// For each of the four sides, which span of the neighboring column one walks to.
    pub(crate) links: Vec<[u8; 4]>,
}

/// Buffers for [`TileField::polygonize_with`], to be used again and again.
#[derive(Clone, Debug, Default)]
pub struct FieldScratch {
    /// Area plus one as it is now; 0 where nobody's middle may be.
    pub(crate) areas: Vec<u8>,
    /// Neighbors by number, [`NONE`] where there is none.
    pub(crate) near: Vec<[u32; 4]>,
    pub(crate) distances: Vec<u8>,
    /// Spans that one obstacle holds are 0.
    pub(crate) taken: Vec<u8>,
    layers: Layers,
    outlines: Outlines,
    polygons: PolygonScratch,
    /// How much each layer is straightened, and those that were straightened too much.
    levels: Vec<u8>,
    bad: Vec<u16>,
}

impl TileField {
    /// A tile without ground.
    pub(crate) fn empty(grid: &Grid, rules: &Rules) -> TileField {
        let block = Block { x: 0, z: 0, columns: 0, rows: 0 };
        let (starts, floors, areas, links) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        TileField { grid: *grid, rules: *rules, block, starts, floors, areas, links }
    }

    /// The part `own` of the spans of a block.
    pub(crate) fn cut(spans: &BlockField, block: &Block, own: &Block, grid: &Grid, rules: &Rules) -> TileField {
        let mut field = TileField { block: *own, ..TileField::empty(grid, rules) };
        field.starts.clear();
        let column = |x: i32, z: i32| (z - block.z) as usize * block.columns as usize + (x - block.x) as usize;
        let range = |x: i32, z: i32| {
            let at = column(x, z);
            spans.starts[at] as usize..spans.starts[at + 1] as usize
        };
        let is_in =
            |x: i32, z: i32| x >= own.x && z >= own.z && x < own.x + own.columns as i32 && z < own.z + own.rows as i32;
        let is_there = |span: &usize| spans.areas[*span] != 0;
        for z in own.z..own.z + own.rows as i32 {
            for x in own.x..own.x + own.columns as i32 {
                field.starts.push(field.floors.len() as u32);
                for span in range(x, z).filter(is_there) {
                    let link = |(step_x, step_z): (i32, i32)| {
                        let (to_x, to_z) = (x + step_x, z + step_z);
                        if !is_in(to_x, to_z) {
                            return NO_LINK;
                        }
                        let found = range(to_x, to_z).filter(is_there).position(|to| passes(spans, span, to, rules));
                        found.and_then(|index| u8::try_from(index).ok()).unwrap_or(NO_LINK)
                    };
                    field.floors.push(spans.floors[span]);
                    field.areas.push(spans.areas[span]);
                    field.links.push(STEPS.map(link));
                }
            }
        }
        field.starts.push(field.floors.len() as u32);
        if field.floors.is_empty() {
            field = TileField::empty(grid, rules);
            field.block = Block { columns: 0, rows: 0, ..*own };
        }
        field
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<TileField>()
            + self.starts.len() * size_of::<u32>()
            + self.floors.len() * (size_of::<u16>() + size_of::<u8>() + size_of::<[u8; 4]>())
    }

    /// Whether an obstacle may change its polygons.
    pub fn is_touched(&self, obstacle: &Obstacle) -> bool {
        let (columns, rows) = self.grid.cells(obstacle.bounds(), &self.block, &self.rules);
        !columns.is_empty() && !rows.is_empty()
    }

    /// The polygons of the tile among obstacles. Obstacles that [`Obstacle::check`] refuses carve nothing or nonsense, but
    /// never panic.
    pub fn polygonize(&self, obstacles: &[Obstacle]) -> Patch {
        self.polygonize_with(obstacles, &mut FieldScratch::default())
    }

    /// [`polygonize`](Self::polygonize) with buffers of the caller; what was in them is of no matter.
    pub fn polygonize_with(&self, obstacles: &[Obstacle], scratch: &mut FieldScratch) -> Patch {
        if self.floors.is_empty() {
            return Patch::default();
        }
        self.open(obstacles.iter(), scratch);
        self.outline(scratch)
    }

    /// Finds out where a body's middle may be.
    pub(crate) fn open<'a>(&self, obstacles: impl Iterator<Item = &'a Obstacle>, scratch: &mut FieldScratch) {
        self.resolve(scratch);
        scratch.areas.clone_from(&self.areas);
        for obstacle in obstacles.filter(|obstacle| self.is_touched(obstacle)) {
            self.carve(obstacle, &mut scratch.areas);
        }
        self.erode(scratch);
    }

    /// The polygons of what is open.
    pub(crate) fn outline(&self, scratch: &mut FieldScratch) -> Patch {
        let FieldScratch { areas, near, layers, outlines, polygons, levels, bad, .. } = scratch;
        layer::split(self, areas, near, layers);
        contour::trace(self, near, layers, outlines);
        levels.clear();
        levels.resize(usize::from(layers.count) + 1, 0);
        let errors = ErrorLimits { plan: self.rules.border_error, height: self.rules.height_error * 0.5 };
        for _ in 0..ROUNDS_MAX {
            bad.clear();
            simplify::simplify(outlines, errors, levels, bad);
            if bad.is_empty() {
                match polygon::patch(self, layers, outlines, polygons, false) {
                    Ok(patch) => return patch,
                    Err(layer) => bad.push(layer),
                }
            }
            for &layer in bad.iter() {
                let level = &mut levels[usize::from(layer)];
                *level = (*level + 1).min(simplify::LEVEL_LAST);
            }
        }
        levels.fill(simplify::LEVEL_LAST);
        simplify::simplify(outlines, errors, levels, bad);
        polygon::patch(self, layers, outlines, polygons, true).unwrap_or_default()
    }

    /// The side of the tile, cells.
    pub(crate) fn side(&self) -> u32 {
        self.block.columns - 2 * self.rules.margin
    }

    fn resolve(&self, scratch: &mut FieldScratch) {
        scratch.near.clear();
        scratch.near.resize(self.floors.len(), [NONE; 4]);
        let width = self.block.columns as i32;
        let offsets = STEPS.map(|(x, z)| z * width + x);
        for column in 0..self.starts.len() - 1 {
            for span in self.starts[column] as usize..self.starts[column + 1] as usize {
                for (side, &offset) in offsets.iter().enumerate() {
                    let link = self.links[span][side];
                    if link != NO_LINK {
                        let to = (column as i32 + offset) as usize;
                        scratch.near[span][side] = self.starts[to] + u32::from(link);
                    }
                }
            }
        }
    }

    /// Takes out the spans on which a body would stand in an obstacle.
    pub(crate) fn carve(&self, obstacle: &Obstacle, areas: &mut [u8]) {
        let outline = obstacle.outline();
        let (columns, rows) = self.grid.cells(obstacle.bounds(), &self.block, &self.rules);
        let height_m = f32::from(self.rules.height) * self.rules.cell_height_m;
        for row in rows {
            for column in columns.clone() {
                let at = (row * self.block.columns + column) as usize;
                let (x, z) = (self.block.x + column as i32, self.block.z + row as i32);
                let spans = self.starts[at] as usize..self.starts[at + 1] as usize;
                let middle: Vec2 = plane::ground(self.grid.middle(x, z, 0, &self.rules));
                if spans.is_empty() || !obstacle.holds(&outline, middle) {
                    continue;
                }
                for span in spans {
                    let floor_m = self.grid.height(self.floors[span], &self.rules);
                    if floor_m <= obstacle.high_m && floor_m + height_m > obstacle.low_m {
                        areas[span] = 0;
                    }
                }
            }
        }
    }

    /// One step of the pass by which distances grow along the order of spans.
    #[inline]
    pub(crate) fn relax_forward(&self, span: usize, near: &[[u32; 4]], distances: &mut [u8]) {
        if distances[span] != 0 {
            relax(span, 0, 3, near, distances);
            relax(span, 3, 2, near, distances);
        }
    }

    /// The same against it.
    #[inline]
    pub(crate) fn relax_backward(&self, span: usize, near: &[[u32; 4]], distances: &mut [u8]) {
        if distances[span] != 0 {
            relax(span, 2, 1, near, distances);
            relax(span, 1, 0, near, distances);
        }
    }

    /// Spans there are: what work on it is counted by.
    pub fn span_count(&self) -> u32 {
        self.floors.len() as u32
    }

    /// Takes out what is nearer to an edge than the radius: chamfer distances in two passes, 2 straight and 3 aslant.
    fn erode(&self, scratch: &mut FieldScratch) {
        let FieldScratch { areas, near, distances, .. } = scratch;
        let least = 2 * self.rules.radius as u8;
        if least == 0 {
            return;
        }
        let is_open = |to: u32| to != NONE && areas[to as usize] != 0;
        distances.clear();
        distances.extend((0..areas.len()).map(|span| {
            let is_inner = areas[span] != 0 && near[span].iter().all(|&to| is_open(to));
            if is_inner { u8::MAX } else { 0 }
        }));
        for span in 0..areas.len() {
            self.relax_forward(span, near, distances);
        }
        for span in (0..areas.len()).rev() {
            self.relax_backward(span, near, distances);
        }
        for (area, distance) in areas.iter_mut().zip(distances.iter()) {
            if *distance < least {
                *area = 0;
            }
        }
    }
}

/// The distance of a span by a neighbor and the one aslant of that.
#[inline]
fn relax(span: usize, straight: usize, aslant: usize, near: &[[u32; 4]], distances: &mut [u8]) {
    let to = near[span][straight];
    if to == NONE {
        return;
    }
    let mut least = distances[to as usize].saturating_add(2);
    let corner = near[to as usize][aslant];
    if corner != NONE {
        least = least.min(distances[corner as usize].saturating_add(3));
    }
    distances[span] = distances[span].min(least);
}

/// Takes the islands out of a block that are too small to matter, before it is cut into tiles: a tile sees only its part.
pub(crate) fn drop_islands(spans: &mut BlockField, block: &Block, grid: &Grid, rules: &Rules) {
    let field = TileField::cut(spans, block, block, grid, rules);
    if field.floors.is_empty() || rules.region_min == 0 {
        return;
    }
    let mut scratch = FieldScratch::default();
    field.resolve(&mut scratch);
    scratch.areas.clone_from(&field.areas);
    field.erode(&mut scratch);
    let is_inner: Vec<bool> = layer::columns(&field).map(|(_, x, z)| layer::is_inner(&field, x, z)).collect();
    let open = scratch.areas.clone();
    layer::drop_islands(&field, &mut scratch.areas, &scratch.near, &is_inner, &mut Layers::default());
    let kept = (0..spans.areas.len()).filter(|&span| spans.areas[span] != 0).collect::<Vec<_>>();
    for (number, span) in kept.into_iter().enumerate() {
        if open[number] != 0 && scratch.areas[number] == 0 {
            spans.areas[span] = 0;
        }
    }
}

/// Whether a body walks from one span to another of the next column.
fn passes(spans: &BlockField, from: usize, to: usize, rules: &Rules) -> bool {
    let floor = spans.floors[from].max(spans.floors[to]);
    let ceiling = spans.ceilings[from].min(spans.ceilings[to]);
    let has_room = i32::from(ceiling) - i32::from(floor) >= i32::from(rules.height);
    has_room && spans.floors[from].abs_diff(spans.floors[to]) <= rules.climb
}

#[cfg(test)]
impl TileField {
    /// How many cells of the tile are open, without obstacles; a slow count for tests.
    pub(crate) fn open_cells(&self) -> u32 {
        if self.floors.is_empty() {
            return 0;
        }
        let mut scratch = FieldScratch::default();
        self.resolve(&mut scratch);
        scratch.areas.clone_from(&self.areas);
        self.erode(&mut scratch);
        let mut count = 0;
        for column in 0..self.block.columns * self.block.rows {
            let spans = self.starts[column as usize] as usize..self.starts[column as usize + 1] as usize;
            if layer::is_own(self, column % self.block.columns, column / self.block.columns) {
                count += scratch.areas[spans].iter().filter(|&&area| area != 0).count() as u32;
            }
        }
        count
    }
}
