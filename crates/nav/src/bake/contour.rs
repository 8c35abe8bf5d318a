//! Outlines of layers: closed walks along the borders of cells, the layer on the left seen from above.
//!
//! Where more than two borders meet, or a border of the tile begins, a corner is *fixed*: both layers that share a border
//! then straighten the same stretches in the same way.

use super::field::{NONE, STEPS, TileField};
use super::layer::{self, Layers};

/// What is beyond a stretch of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Another layer of that number; 0 for a wall or a drop.
    Inside(u16),
    /// The side of the tile that faces −x, +z, +x or −z.
    Border(u8),
}

/// A corner of a walk, where a border of a cell ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// The layer whose outline it is on.
    pub layer: u16,
    /// Lines from the tile's corner on.
    pub x: u16,
    /// See `x`.
    pub z: u16,
    /// Height, cells.
    pub y: u16,
    /// Which way the border went that ends here: the side of the cell it was.
    pub side: u8,
    /// What was beyond it.
    pub beyond: Beyond,
    /// Whether it stays, whatever is straightened.
    pub is_fixed: bool,
    /// Whether it is left after straightening.
    pub is_kept: bool,
}

/// All outlines of a tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlines {
    /// Corners of all walks, one after the other.
    pub corners: Vec<Corner>,
    /// The layer of each walk, and where its corners end.
    pub walks: Vec<(u16, u32)>,
    done: Vec<u8>,
    /// The last corner noted at each crossing of lines, and the one before each.
    heads: Vec<u32>,
    before: Vec<u32>,
}

/// Traces every outline.
pub(crate) fn trace(field: &TileField, near: &[[u32; 4]], layers: &Layers, outlines: &mut Outlines) {
    outlines.corners.clear();
    outlines.walks.clear();
    outlines.done.clear();
    outlines.done.resize(near.len(), 0);
    for span in 0..near.len() {
        for side in 0..4 {
            let is_new = layers.of[span] != 0 && outlines.done[span] & (1 << side) == 0;
            if is_new && is_border(near, layers, span, side) {
                walk(field, near, layers, span, side, outlines);
                outlines.walks.push((layers.of[span], outlines.corners.len() as u32));
            }
        }
    }
    settle(field, outlines);
}

fn is_border(near: &[[u32; 4]], layers: &Layers, span: usize, side: usize) -> bool {
    let to = near[span][side];
    to == NONE || layers.of[to as usize] != layers.of[span]
}

fn walk(
    field: &TileField,
    near: &[[u32; 4]],
    layers: &Layers,
    first: usize,
    first_side: usize,
    outlines: &mut Outlines,
) {
    let (width, margin) = (field.block.columns, field.rules.margin);
    let (mut span, mut side) = (first, first_side);
    // Each step takes a border or goes to a neighbor, at most three times a span.
    loop {
        if is_border(near, layers, span, side) {
            outlines.done[span] |= 1 << side;
            let (x, z) = (layers.columns[span] % width, layers.columns[span] / width);
            let (step_x, step_z) = STEPS[side];
            let (to_x, to_z) = (x.wrapping_add_signed(step_x), z.wrapping_add_signed(step_z));
            let other = near[span][side];
            let other = if other == NONE { 0 } else { layers.of[other as usize] };
            let is_inside = layer::is_own(field, to_x, to_z);
            let beyond = if is_inside { Beyond::Inside(other) } else { Beyond::Border(side as u8) };
            let (over_x, over_z) = [(0, 1), (1, 1), (1, 0), (0, 0)][side];
            outlines.corners.push(Corner {
                layer: layers.of[span],
                x: (x - margin + over_x) as u16,
                z: (z - margin + over_z) as u16,
                y: corner_height(field, near, span, side),
                side: side as u8,
                beyond,
                is_fixed: false,
                is_kept: false,
            });
            side = (side + 1) & 3;
        } else {
            span = near[span][side] as usize;
            side = (side + 3) & 3;
        }
        if span == first && side == first_side {
            break;
        }
    }
}

/// The mean height of the ground around the corner between a side and the next.
fn corner_height(field: &TileField, near: &[[u32; 4]], span: usize, side: usize) -> u16 {
    let next = (side + 1) & 3;
    let (mut sum, mut count) = (u32::from(field.floors[span]), 1);
    let mut add = |span: u32| {
        sum += u32::from(field.floors[span as usize]);
        count += 1;
    };
    let mut aslant = NONE;
    for (first, second) in [(side, next), (next, side)] {
        let beside = near[span][first];
        if beside != NONE {
            add(beside);
            if aslant == NONE {
                aslant = near[beside as usize][second];
            }
        }
    }
    if aslant != NONE {
        add(aslant);
    }
    ((sum + count / 2) / count) as u16
}

/// Where the border goes on from a corner, and where it came from, as sides of cells one walks along.
fn ways(corner: &Corner, next: &Corner) -> u8 {
    // The border along side s leads the way of side s + 1; back is the way of side s + 3.
    (1 << ((next.side + 1) & 3)) | (1 << ((corner.side + 3) & 3))
}

/// Finds the fixed corners, and gives corners that several walks share one height.
fn settle(field: &TileField, outlines: &mut Outlines) {
    let lines = field.side() as usize + 1;
    let Outlines { corners, walks, heads, before, .. } = outlines;
    heads.clear();
    heads.resize(lines * lines, NONE);
    before.clear();
    let at = |corner: &Corner| usize::from(corner.z) * lines + usize::from(corner.x);
    for (number, corner) in (0..).zip(corners.iter()) {
        before.push(std::mem::replace(&mut heads[at(corner)], number));
    }
    let mut own_ways = vec![0; corners.len()];
    let mut begin = 0;
    for &(_, end) in walks.iter() {
        for index in begin..end as usize {
            let next = if index + 1 == end as usize { begin } else { index + 1 };
            own_ways[index] = ways(&corners[index], &corners[next]);
            corners[index].is_fixed = corners[index].beyond != corners[next].beyond;
        }
        begin = end as usize;
    }
    let mut heights = vec![0; corners.len()];
    for index in 0..corners.len() {
        let own = corners[index];
        let (mut all, mut height, mut is_fixed) = (0u8, 0, false);
        let mut other = heads[at(&own)];
        while other != NONE {
            let one = &corners[other as usize];
            if one.layer == own.layer || one.y.abs_diff(own.y) <= field.rules.climb {
                all |= own_ways[other as usize];
                height = height.max(one.y);
                is_fixed |= one.is_fixed;
            }
            other = before[other as usize];
        }
        heights[index] = height;
        if is_fixed || all.count_ones() > 2 {
            // Read by later rounds of this loop, too: fixed is fixed for all who share the corner.
            corners[index].is_fixed = true;
        }
    }
    for (corner, height) in corners.iter_mut().zip(heights) {
        corner.y = height;
    }
}
