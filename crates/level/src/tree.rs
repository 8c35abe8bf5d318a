//! The triangle tree: a flat bounding volume hierarchy, four children a node, up to four triangles a leaf.
//!
//! Built top down by the surface area heuristic over 16 bins (Wald 2007), each node by splitting its widest group until
//! it has four. O(n log n). The depth is bounded by [`LEVELS_MAX`]: where the heuristic would build too deep a tree, the
//! median splits. The same triangles in the same order give the same tree.
//!
//! Every box is grown by a pad of about a millionth of the coordinates, so that rounding in the triangle test never finds
//! a hit outside the boxes on the way to it; see [`crate::cast`].

use glam::Vec3;
use sentir_core::math;

use crate::aabb::Aabb;

/// Lanes of a node and of a leaf.
pub(crate) const LANES: usize = 4;
/// Levels of nodes at most. 4^16 triangles fit by median splits alone; 2 million leave ample room for the heuristic.
const LEVELS_MAX: u32 = 16;
/// Entries a traversal may have waiting: three a level, and the root.
pub(crate) const WAITING_MAX: usize = 3 * LEVELS_MAX as usize + 4;
const BINS: usize = 16;
/// Marks a child that is a leaf.
pub(crate) const LEAF: u32 = 1 << 31;
/// Marks a lane without a triangle.
pub(crate) const NO_TRIANGLE: u32 = u32::MAX;
/// Pad of the boxes, as a share of the greatest coordinate.
const PAD_SHARE: f32 = 1.0 / (1 << 20) as f32;

/// A triangle and what it is made of. Counter-clockwise seen from outside where it bounds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Triangle {
    pub corners: [Vec3; 3],
    pub surface: u16,
    /// What it blocks; see [`crate::surface::Blocks`].
    pub blocks: u8,
    /// Part of a closed shape, so that its front is the outside.
    pub is_closed: bool,
}

impl Triangle {
    /// Twice the area, along the front.
    pub(crate) fn cross(&self) -> Vec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }
}

/// Boxes of four children, lane by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Low and high planes of x, y and z, in that order, and two that are not used: eight need no check of an index.
    /// Lanes without a child hold an empty box.
    pub planes: [[f32; LANES]; 8],
    /// Node numbers, or numbers of packs with [`LEAF`].
    pub children: [u32; LANES],
}

/// Up to four triangles, lane by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack {
    /// Coordinates by corner, axis, lane. Lanes without a triangle are all zero: an area of zero is never hit.
    pub corners: [[[f32; LANES]; 3]; 3],
    pub ids: [u32; LANES],
    pub blocks: [u8; LANES],
}

/// Triangles and the tree over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub triangles: Vec<Triangle>,
    pub nodes: Vec<Node>,
    pub packs: Vec<Pack>,
    /// Pad of every box, m.
    pub pad_m: f32,
}

/// A triangle on its way into the tree.
#[derive(Clone, Copy)]
struct Entry {
    bounds: Aabb,
    center: Vec3,
    id: u32,
}

/// The box of one triangle, as the tree and the triangle test both use it.
#[inline]
pub(crate) fn padded(low: [f32; 3], high: [f32; 3], pad_m: f32) -> Aabb {
    Aabb { low: Vec3::from(low), high: Vec3::from(high) }.grown(pad_m)
}

impl Tree {
    /// The tree over `triangles`, which keep their order as their numbers.
    pub(crate) fn build(triangles: Vec<Triangle>) -> Tree {
        let mut scale = 0.0;
        for corner in triangles.iter().flat_map(|one| one.corners) {
            scale = corner.to_array().into_iter().fold(scale, |most, x| math::max(most, x.abs()));
        }
        let mut tree = Tree { triangles, nodes: Vec::new(), packs: Vec::new(), pad_m: scale * PAD_SHARE };
        let mut entries: Vec<Entry> = (0..).zip(&tree.triangles).map(|(id, one)| entry(one, id, tree.pad_m)).collect();
        if !entries.is_empty() {
            tree.nodes.push(Node { planes: EMPTY_PLANES, children: [0; LANES] });
            tree.fill(0, &mut entries, LEVELS_MAX - 1);
        }
        tree
    }

    /// The box around every triangle; empty without any.
    pub(crate) fn bounds(&self) -> Aabb {
        Aabb::around(self.triangles.iter().flat_map(|one| one.corners))
    }

    /// Fills node `at` with `entries`; `levels` more levels may follow below it.
    fn fill(&mut self, at: usize, entries: &mut [Entry], levels: u32) {
        let may_follow_area = entries.len() <= 1 << (2 * levels);
        let mut groups: Vec<&mut [Entry]> = vec![entries];
        while groups.len() < LANES {
            // The group that is most likely to be entered and has most to test; the first of equals.
            let cost = |group: &[Entry]| match group.len() {
                0..=LANES => f32::NAN,
                len if may_follow_area => bounds_of(group).half_area() * len as f32,
                len => len as f32,
            };
            let Some(widest) = sentir_core::order::greatest(groups.iter().map(|group| cost(group))) else { break };
            let group = groups.swap_remove(widest);
            let cut = if may_follow_area { cut_by_area(group) } else { cut_by_median(group) };
            let (left, right) = group.split_at_mut(cut);
            groups.extend([left, right]);
        }
        for (lane, group) in groups.into_iter().enumerate() {
            let child = if group.len() <= LANES {
                self.packs.push(pack(&self.triangles, group));
                LEAF | (self.packs.len() as u32 - 1)
            } else {
                self.nodes.push(Node { planes: EMPTY_PLANES, children: [0; LANES] });
                let child = self.nodes.len() - 1;
                self.fill(child, group, levels - 1);
                child as u32
            };
            let bounds = bounds_of(group);
            let node = &mut self.nodes[at];
            node.children[lane] = child;
            for axis in 0..3 {
                node.planes[2 * axis][lane] = bounds.low[axis];
                node.planes[2 * axis + 1][lane] = bounds.high[axis];
            }
        }
    }
}

pub(crate) const EMPTY_PLANES: [[f32; LANES]; 8] = {
    let (low, high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    [low, high, low, high, low, high, low, high]
};

fn entry(triangle: &Triangle, id: u32, pad_m: f32) -> Entry {
    let exact = Aabb::around(triangle.corners);
    let bounds = padded(exact.low.to_array(), exact.high.to_array(), pad_m);
    Entry { bounds, center: (exact.low + exact.high) * 0.5, id }
}

fn bounds_of(entries: &[Entry]) -> Aabb {
    entries.iter().fold(Aabb::EMPTY, |sum, one| sum.union(one.bounds))
}

fn pack(triangles: &[Triangle], entries: &mut [Entry]) -> Pack {
    entries.sort_unstable_by_key(|one| one.id);
    let mut pack = Pack { corners: [[[0.0; LANES]; 3]; 3], ids: [NO_TRIANGLE; LANES], blocks: [0; LANES] };
    for (lane, one) in entries.iter().enumerate() {
        let triangle = &triangles[one.id as usize];
        for (corner, place) in triangle.corners.iter().enumerate() {
            for axis in 0..3 {
                pack.corners[corner][axis][lane] = place[axis];
            }
        }
        pack.ids[lane] = one.id;
        pack.blocks[lane] = triangle.blocks;
    }
    pack
}

/// Orders the entries so that the heuristic's best cut is at the returned index, with entries on both sides.
fn cut_by_area(entries: &mut [Entry]) -> usize {
    let centers = Aabb::around(entries.iter().map(|one| one.center));
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        let Some(bins) = fill_bins(entries, &centers, axis) else { continue };
        for (cost, cut) in bin_costs(&bins) {
            if best.is_none_or(|(least, _, _)| cost < least) {
                best = Some((cost, axis, cut));
            }
        }
    }
    let Some((_, axis, cut)) = best else { return cut_by_median(entries) };
    entries.sort_unstable_by_key(|one| (bin_of(one, &centers, axis) >= cut, one.id));
    entries.partition_point(|one| bin_of(one, &centers, axis) < cut)
}

fn bin_of(entry: &Entry, centers: &Aabb, axis: usize) -> usize {
    let extent = centers.high[axis] - centers.low[axis];
    let share = (entry.center[axis] - centers.low[axis]) / extent;
    ((share * BINS as f32) as usize).min(BINS - 1)
}

/// Bounds and count per bin; nothing when all centers share the coordinate.
fn fill_bins(entries: &[Entry], centers: &Aabb, axis: usize) -> Option<[(Aabb, u32); BINS]> {
    let extent = centers.high[axis] - centers.low[axis];
    if extent.is_nan() || extent <= 0.0 {
        return None;
    }
    let mut bins = [(Aabb::EMPTY, 0); BINS];
    for one in entries {
        let (bounds, count) = &mut bins[bin_of(one, centers, axis)];
        *bounds = bounds.union(one.bounds);
        *count += 1;
    }
    Some(bins)
}

/// Cost of the cut before each bin that leaves something on both sides.
fn bin_costs(bins: &[(Aabb, u32); BINS]) -> impl Iterator<Item = (f32, usize)> {
    let mut after = [(Aabb::EMPTY, 0u32); BINS + 1];
    for index in (0..BINS).rev() {
        after[index] = (after[index + 1].0.union(bins[index].0), after[index + 1].1 + bins[index].1);
    }
    let mut before = (Aabb::EMPTY, 0u32);
    let mut costs = [None; BINS];
    for cut in 1..BINS {
        before = (before.0.union(bins[cut - 1].0), before.1 + bins[cut - 1].1);
        if before.1 > 0 && after[cut].1 > 0 {
            let cost = before.0.half_area() * before.1 as f32 + after[cut].0.half_area() * after[cut].1 as f32;
            costs[cut] = Some((cost, cut));
        }
    }
    costs.into_iter().flatten()
}

fn cut_by_median(entries: &mut [Entry]) -> usize {
    let centers = Aabb::around(entries.iter().map(|one| one.center));
    let size = centers.high - centers.low;
    let axis = sentir_core::order::greatest(size.to_array()).unwrap_or(0);
    entries.sort_unstable_by(|a, b| a.center[axis].total_cmp(&b.center[axis]).then(a.id.cmp(&b.id)));
    entries.len().div_ceil(2)
}
