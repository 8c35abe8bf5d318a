//! The level as it is seen: triangles in a hierarchy of boxes, built once.

use sentir_core::glam::Vec3;
use sentir_core::math;

/// How far from the origin a corner may lie, m: beyond, floats are too coarse to clip by.
pub const REACH_M: f32 = 100_000.0;

/// Triangles in a leaf at most, unless they cannot be told apart.
const LEAF_MAX: usize = 6;

/// The unchanging part of what there is to see.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    pub(crate) boxes: Vec<Box3>,
    pub(crate) triangles: Vec<[Vec3; 3]>,
    /// How far the upper side of each triangle points up, −1..=1.
    pub(crate) slopes: Vec<f32>,
}

/// A node: bounds, and what is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Box3 {
    pub(crate) middle: Vec3,
    pub(crate) half: Vec3,
    /// For a leaf its first triangle; else its second child, the first being the next node.
    pub(crate) at: u32,
    /// Triangles of a leaf; 0 for others.
    pub(crate) count: u16,
    /// Along which axis the children were parted.
    pub(crate) axis: u16,
}

impl Scenery {
    /// Makes a scenery of triangles. Those with a corner that is no number or beyond [`REACH_M`], and those without area, are
    /// left out.
    /// O(n log² n).
    pub fn build(triangles: &[[Vec3; 3]]) -> Scenery {
        let is_seen = |[a, b, c]: &&[Vec3; 3]| {
            let normal = (*b - *a).cross(*c - *a);
            let is_near = |corner: &Vec3| corner.abs().max_element() <= REACH_M;
            is_near(a) && is_near(b) && is_near(c) && normal.length() > 0.0
        };
        let mut scenery =
            Scenery { triangles: triangles.iter().filter(is_seen).copied().collect(), ..Scenery::default() };
        if !scenery.triangles.is_empty() {
            let mut all = std::mem::take(&mut scenery.triangles);
            split(&mut scenery, &mut all);
        }
        scenery.slopes = scenery.triangles.iter().map(slope).collect();
        scenery
    }

    /// How many triangles can be seen.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The triangles, in an order of its own.
    pub fn triangles(&self) -> &[[Vec3; 3]] {
        &self.triangles
    }
}

fn slope([a, b, c]: &[Vec3; 3]) -> f32 {
    let normal = (*b - *a).cross(*c - *a);
    normal.y / normal.length()
}

/// Puts triangles below a new node, splitting them in halves by the middle along the longest axis of their middles.
fn split(scenery: &mut Scenery, triangles: &mut [[Vec3; 3]]) {
    let middle = |[a, b, c]: &[Vec3; 3]| (*a + *b + *c) / 3.0;
    let fold = |points: &mut dyn Iterator<Item = Vec3>| {
        let empty = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        points.fold(empty, |(low, high), point| {
            let each =
                |pick: fn(f32, f32) -> f32, a: Vec3, b: Vec3| Vec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z));
            (each(math::min, low, point), each(math::max, high, point))
        })
    };
    let (low, high) = fold(&mut triangles.iter().flatten().copied());
    let (from, to) = fold(&mut triangles.iter().map(middle));
    let extent = to - from;
    let axis = match extent {
        wide if wide.x >= wide.y && wide.x >= wide.z => 0,
        wide if wide.y >= wide.z => 1,
        _ => 2,
    };
    let index = scenery.boxes.len();
    let bounds = Box3 { middle: (low + high) / 2.0, half: (high - low) / 2.0, at: 0, count: 0, axis: axis as u16 };
    scenery.boxes.push(bounds);
    if triangles.len() <= LEAF_MAX {
        scenery.boxes[index].at = scenery.triangles.len() as u32;
        scenery.boxes[index].count = triangles.len() as u16;
        scenery.triangles.extend_from_slice(triangles);
        return;
    }
    // Stable, so equal middles keep the order they were given in.
    triangles.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (near, far) = triangles.split_at_mut(triangles.len() / 2);
    split(scenery, near);
    scenery.boxes[index].at = scenery.boxes.len() as u32;
    split(scenery, far);
}
