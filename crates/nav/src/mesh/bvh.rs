//! A tree of boxes over the polygons of a tile.
//!
//! Median splits on the longest axis; the nodes lie in the order of a walk, each with the number of the node to go on
//! with when its box is of no interest, so a walk is one loop without a stack. Build O(n log² n).

use sentir_core::glam::Vec3;
use sentir_core::math;

use super::patch::Patch;
use super::tile::NONE;

/// A box, and what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// The node after everything below this one.
    pub(super) skip: u32,
    /// The polygon, or [`NONE`] if more nodes follow below.
    pub(super) polygon: u32,
}

impl Node {
    /// Squared distance from a point to the box.
    #[inline]
    pub(super) fn distance_squared(&self, point: Vec3) -> f32 {
        let gap = |at: f32, low: f32, high: f32| math::max(math::max(low - at, at - high), 0.0);
        let x = gap(point.x, self.low.x, self.high.x);
        let y = gap(point.y, self.low.y, self.high.y);
        let z = gap(point.z, self.low.z, self.high.z);
        x * x + y * y + z * z
    }

    /// Whether the box touches another one.
    #[inline]
    pub(super) fn touches(&self, low: Vec3, high: Vec3) -> bool {
        self.low.x <= high.x
            && self.high.x >= low.x
            && self.low.z <= high.z
            && self.high.z >= low.z
            && self.low.y <= high.y
            && self.high.y >= low.y
    }
}

/// The tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bvh {
    pub(super) nodes: Vec<Node>,
}

impl Bvh {
    /// The tree over a checked patch.
    pub(super) fn build(patch: &Patch) -> Bvh {
        let mut leaves: Vec<Node> = Vec::with_capacity(patch.polygons.len());
        for (number, polygon) in patch.polygons.iter().enumerate() {
            let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for corner in patch.ring(polygon) {
                (low, high) = (low.min(corner), high.max(corner));
            }
            leaves.push(Node { low, high, skip: 0, polygon: number as u32 });
        }
        let mut nodes = Vec::with_capacity(leaves.len() * 2);
        if !leaves.is_empty() {
            split(&mut leaves, &mut nodes);
        }
        Bvh { nodes }
    }
}

fn split(leaves: &mut [Node], nodes: &mut Vec<Node>) {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for leaf in leaves.iter() {
        (low, high) = (low.min(leaf.low), high.max(leaf.high));
    }
    let at = nodes.len();
    let polygon = if leaves.len() == 1 { leaves[0].polygon } else { NONE };
    nodes.push(Node { low, high, skip: 0, polygon });
    if leaves.len() > 1 {
        let size = high - low;
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.z >= size.y {
            2
        } else {
            1
        };
        let middle = |it: &Node| it.low[axis] * 0.5 + it.high[axis] * 0.5;
        leaves.sort_unstable_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.polygon.cmp(&b.polygon)));
        let (left, right) = leaves.split_at_mut(leaves.len() / 2);
        split(left, nodes);
        split(right, nodes);
    }
    nodes[at].skip = nodes.len() as u32;
}
