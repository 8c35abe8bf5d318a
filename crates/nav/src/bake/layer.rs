//! Layers: connected ground of one area that can be drawn on a plan: no column has two spans, and cells side by side are
//! reached from each other.
//!
//! Grown breadth first from the first free span on; O(spans). Islands too small to matter are left out first.

use super::field::{NONE, STEPS, TileField};

/// Layers of a tile, without the margin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    /// The layer of each span, from 1; 0 for none.
    pub of: Vec<u16>,
    /// How many there are.
    pub count: u16,
    /// Area of each layer plus one; the first entry is of no layer.
    pub areas: Vec<u8>,
    /// The column of each span.
    pub columns: Vec<u32>,
    queue: Vec<u32>,
    /// The span that the last layer has in each column, if it still is of the layer that asks.
    taken: Vec<u32>,
}

/// Whether a column is in the tile, not in the margin.
pub(crate) fn is_own(field: &TileField, x: u32, z: u32) -> bool {
    let (margin, side) = (field.rules.margin, field.side());
    x >= margin && z >= margin && x < margin + side && z < margin + side
}

/// Whether a column is in the middle of a block of any size, not in its margin.
pub(crate) fn is_inner(field: &TileField, x: u32, z: u32) -> bool {
    let margin = field.rules.margin;
    x >= margin && z >= margin && x + margin < field.block.columns && z + margin < field.block.rows
}

/// Each span's column: its number, its x and its z.
pub(crate) fn columns(field: &TileField) -> impl Iterator<Item = (u32, u32, u32)> {
    let width = field.block.columns;
    (0..width * field.block.rows).flat_map(move |column| {
        let count = field.starts[column as usize + 1] - field.starts[column as usize];
        std::iter::repeat_n((column, column % width, column / width), count as usize)
    })
}

/// Splits the open spans of the tile.
pub(crate) fn split(field: &TileField, areas: &mut [u8], near: &[[u32; 4]], layers: &mut Layers) {
    layers.columns.clear();
    let mut is_mine = Vec::with_capacity(areas.len());
    for (column, x, z) in columns(field) {
        layers.columns.push(column);
        is_mine.push(is_own(field, x, z));
    }
    drop_islands(field, areas, near, &is_mine, layers);
    layers.of.clear();
    layers.of.resize(areas.len(), 0);
    layers.taken.clear();
    layers.taken.resize((field.block.columns * field.block.rows) as usize, NONE);
    layers.areas.clear();
    layers.areas.push(0);
    layers.count = 0;
    for first in 0..areas.len() {
        if areas[first] == 0 || !is_mine[first] || layers.of[first] != 0 || layers.count == u16::MAX - 8 {
            continue;
        }
        layers.count += 1;
        let (id, area) = (layers.count, areas[first]);
        layers.areas.push(area);
        layers.queue.clear();
        layers.queue.push(first as u32);
        layers.of[first] = id;
        layers.taken[layers.columns[first] as usize] = first as u32;
        let mut at = 0;
        while at < layers.queue.len() {
            let span = layers.queue[at] as usize;
            at += 1;
            for &to in &near[span] {
                let is_free = to != NONE && {
                    let to = to as usize;
                    areas[to] == area && is_mine[to] && layers.of[to] == 0
                };
                if is_free && fits(field, near, layers, to, id) {
                    layers.of[to as usize] = id;
                    layers.taken[layers.columns[to as usize] as usize] = to;
                    layers.queue.push(to);
                }
            }
        }
    }
}

/// Whether a layer stays a surface with a span more: its column is free, and what the layer has beside it is linked to it.
fn fits(field: &TileField, near: &[[u32; 4]], layers: &Layers, span: u32, id: u16) -> bool {
    let (column, width) = (layers.columns[span as usize] as i32, field.block.columns as i32);
    // Spans of the tile have the margin around them, so every neighbor has a column.
    let beside = |x: i32, z: i32| {
        let other = layers.taken[(column + z * width + x) as usize];
        (other != NONE && layers.of[other as usize] == id).then_some(other)
    };
    let is_linked =
        |side: usize| beside(STEPS[side].0, STEPS[side].1).is_none_or(|other| near[span as usize][side] == other);
    let is_near = |x: i32, z: i32| {
        let floor = |span: u32| field.floors[span as usize];
        beside(x, z).is_none_or(|other| floor(span).abs_diff(floor(other)) <= 2 * field.rules.climb.max(1))
    };
    beside(0, 0).is_none()
        && (0..4).all(is_linked)
        && [(-1, -1), (-1, 1), (1, -1), (1, 1)].iter().all(|&(x, z)| is_near(x, z))
}

/// Takes out islands with too few spans that do not go on beyond what is one's own.
pub(crate) fn drop_islands(
    field: &TileField,
    areas: &mut [u8],
    near: &[[u32; 4]],
    is_mine: &[bool],
    layers: &mut Layers,
) {
    layers.of.clear();
    layers.of.resize(areas.len(), 0);
    for first in 0..areas.len() {
        if areas[first] == 0 || !is_mine[first] || layers.of[first] != 0 {
            continue;
        }
        layers.queue.clear();
        layers.queue.push(first as u32);
        layers.of[first] = 1;
        let (mut at, mut goes_on) = (0, false);
        while at < layers.queue.len() {
            let span = layers.queue[at] as usize;
            at += 1;
            for &to in near[span].iter().filter(|&&to| to != NONE && areas[to as usize] != 0) {
                goes_on |= !is_mine[to as usize];
                if is_mine[to as usize] && layers.of[to as usize] == 0 {
                    layers.of[to as usize] = 1;
                    layers.queue.push(to);
                }
            }
        }
        if !goes_on && (layers.queue.len() as u32) < field.rules.region_min {
            layers.queue.iter().for_each(|&span| areas[span as usize] = 0);
        }
    }
}
