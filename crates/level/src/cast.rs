//! Ray casts through a triangle tree.
//!
//! The triangle test is the watertight one of Woop, Benthin and Wald (2013): the triangle is sheared so that the ray runs
//! along an axis, and the signs of three edge functions decide. They are taken in double precision, where products of
//! single floats are exact, so their signs are exact and two triangles that share an edge or a corner never both let a
//! ray through. A ray that runs exactly along a triangle's plane does not hit it.
//!
//! The answer is the least (distance, triangle number), the same to the last bit as that of a loop over all triangles,
//! for a reason and not by luck: a hit counts only if the ray meets the triangle's own padded box, and its distance is
//! held within that box; the slab test is monotone in the planes, so an outer box is never entered later than an inner
//! one, and a box entered past the best hit holds no better one.
//!
//! Watertight for origins within about four extents of the level. Rays that are not finite hit nothing.

use glam::Vec3;
use sentir_core::geometry::Ray;
use sentir_core::math;

use crate::aabb::Aabb;
use crate::tree::{LANES, LEAF, Node, Pack, Tree, WAITING_MAX, padded};

/// Directions nearer to zero than this are taken as this: over any level, the ray is level with the plane all the same.
const DIRECTION_MIN: f32 = 1e-20;
/// Far planes are moved out by this factor, more than the rounding of the slab test (Ize 2013).
const WIDEN: f32 = 1.000_000_5;

/// A ray, prepared for many tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    origin: [f32; 3],
    inverse: [f32; 3],
    inverse_far: [f32; 3],
    /// Index of the near plane of each axis in a node; the far one has the last bit flipped.
    near: [u8; 3],
    /// The two other axes, and the one the ray runs along most.
    axes: [u8; 3],
    shear: [f32; 2],
    /// Direction along the third of `axes`.
    along: f32,
    /// How far it goes, m.
    pub length_m: f32,
}

/// What a ray met first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Met {
    pub distance_m: f32,
    pub triangle: u32,
    /// The leaf that it is in, where any hit would do; 0 else.
    pub pack: u32,
}

impl Probe {
    /// None when the ray is not finite, has no direction or a negative length.
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Option<Probe> {
        let (origin, direction) = (ray.origin.to_array(), ray.direction.to_array());
        // Zero times a number is zero, unless the number is infinite or not one.
        let zero = ray.origin * 0.0 + ray.direction * 0.0;
        let is_finite = zero.x + zero.y + zero.z == 0.0;
        // Written so that a length that is not a number fails.
        let is_long = ray.length_m >= 0.0;
        if !is_finite || !is_long {
            return None;
        }
        let [x, y, z] = direction.map(f32::abs);
        let most = if x >= y && x >= z { 0 } else { 1 + usize::from(z > y) };
        if direction[most].abs() < DIRECTION_MIN {
            return None;
        }
        let axes: [u8; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]][most];
        let other = [direction[usize::from(axes[0])], direction[usize::from(axes[1])]];
        let inverse = direction.map(inverted);
        let side = |axis: usize| 2 * axis as u8 + u8::from(inverse[axis] < 0.0);
        let near = [side(0), side(1), side(2)];
        let along = inverse[most];
        Some(Probe {
            origin,
            inverse,
            inverse_far: inverse.map(|one| one * WIDEN),
            near,
            shear: [other[0] * along, other[1] * along],
            axes,
            along: direction[most],
            length_m: ray.length_m,
        })
    }

    /// Where the ray enters and leaves a box; the box is missed when it enters after it leaves.
    #[inline]
    pub(crate) fn slab(&self, bounds: &Aabb) -> (f32, f32) {
        let (mut near, mut far) = (0.0, f32::INFINITY);
        for axis in 0..3 {
            let (low, high) = (bounds.low[axis], bounds.high[axis]);
            let (first, second) = if self.near[axis] & 1 == 0 { (low, high) } else { (high, low) };
            let enter = (first - self.origin[axis]) * self.inverse[axis];
            let leave = (second - self.origin[axis]) * self.inverse_far[axis];
            near = if enter > near { enter } else { near };
            far = if leave < far { leave } else { far };
        }
        (near, far)
    }

    /// Whether the ray may meet a box before `limit`: never no where [`slab`](Self::slab) would have it met, and cheaper, as the
    /// axes are lanes.
    #[inline(always)]
    pub(crate) fn may_meet(&self, low: Vec3, high: Vec3, limit: f32) -> bool {
        let lanes = |of: [f32; 3]| [of[0], of[1], of[2], of[2]];
        let (low, high) = (lanes(low.to_array()), lanes(high.to_array()));
        let (origin, inverse) = (lanes(self.origin), lanes(self.inverse));
        let (mut near, mut far) = ([0.0f32; LANES], [0.0f32; LANES]);
        for lane in 0..LANES {
            let one = (low[lane] - origin[lane]) * inverse[lane];
            let other = (high[lane] - origin[lane]) * inverse[lane];
            near[lane] = if one < other { one } else { other };
            far[lane] = if one < other { other } else { one };
        }
        let most = |a: f32, b: f32| if a > b { a } else { b };
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let enter = most(most(near[0], near[1]), near[2]);
        let leave = least(least(far[0], far[1]), far[2]) * (WIDEN * WIDEN);
        enter <= leave && leave >= 0.0 && enter <= limit
    }

    /// The same for the four boxes of a node, lane by lane, up to `limit`: where each is entered, and a bit for each that
    /// is met.
    #[inline(always)]
    pub(crate) fn slabs(&self, node: &Node, limit: f32) -> ([f32; LANES], u32) {
        let (mut near, mut far) = ([0.0; LANES], [limit; LANES]);
        for axis in 0..3 {
            // Eight planes, so that no index is out of bounds.
            let first = usize::from(self.near[axis] & 7);
            let (enter, leave) = (&node.planes[first], &node.planes[first ^ 1]);
            for lane in 0..LANES {
                let enter = (enter[lane] - self.origin[axis]) * self.inverse[axis];
                let leave = (leave[lane] - self.origin[axis]) * self.inverse_far[axis];
                near[lane] = if enter > near[lane] { enter } else { near[lane] };
                far[lane] = if leave < far[lane] { leave } else { far[lane] };
            }
        }
        let mut met = 0;
        for lane in 0..LANES {
            met |= u32::from(near[lane] <= far[lane]) << lane;
        }
        (near, met)
    }

    /// Edge functions of the four triangles of a pack: by corner opposite to the edge, and lane.
    #[inline(always)]
    fn edges(&self, pack: &Pack) -> [[f64; LANES]; 3] {
        let [u, v, w] = self.axes.map(|axis| usize::from(axis.min(2)));
        let (mut x, mut y) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for corner in 0..3 {
            let at = &pack.corners[corner];
            for lane in 0..LANES {
                let deep = at[w][lane] - self.origin[w];
                x[corner][lane] = f64::from((at[u][lane] - self.origin[u]) - self.shear[0] * deep);
                y[corner][lane] = f64::from((at[v][lane] - self.origin[v]) - self.shear[1] * deep);
            }
        }
        let mut edges = [[0.0; LANES]; 3];
        for (corner, edge) in edges.iter_mut().enumerate() {
            let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
            for lane in 0..LANES {
                edge[lane] = x[next][lane] * y[last][lane] - y[next][lane] * x[last][lane];
            }
        }
        edges
    }

    /// Distance to the triangle of a lane whose edge functions are known. None when it is behind, edge-on or outside.
    #[inline(always)]
    fn distance(&self, pack: &Pack, lane: usize, edges: [f64; 3], pad_m: f32) -> Option<f32> {
        let sum = edges[0] + edges[1] + edges[2];
        if sum == 0.0 {
            return None;
        }
        let w = usize::from(self.axes[2].min(2));
        let deep = |corner: usize| f64::from(pack.corners[corner][w][lane]) - f64::from(self.origin[w]);
        let scaled = edges[0] * deep(0) + edges[1] * deep(1) + edges[2] * deep(2);
        let exact = (scaled / (sum * f64::from(self.along))) as f32;
        if exact.is_nan() || exact < 0.0 {
            return None;
        }
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let [a, b, c] = [pack.corners[0][axis][lane], pack.corners[1][axis][lane], pack.corners[2][axis][lane]];
            low[axis] = math::min(math::min(a, b), c);
            high[axis] = math::max(math::max(a, b), c);
        }
        let own = padded(low, high, pad_m);
        let (near, far) = self.slab(&own);
        (near <= far).then(|| math::clamp(exact, near, far))
    }

    /// The nearest hit of a pack that beats `best`.
    #[inline(always)]
    fn pack(&self, pack: &Pack, blocks: u8, pad_m: f32, best: &mut Best) {
        let edges = self.edges(pack);
        // Through it where no two edge functions have opposite signs.
        let (mut least, mut most) = (edges[0], edges[0]);
        for edge in &edges[1..] {
            for lane in 0..LANES {
                least[lane] = if edge[lane] < least[lane] { edge[lane] } else { least[lane] };
                most[lane] = if edge[lane] > most[lane] { edge[lane] } else { most[lane] };
            }
        }
        for lane in 0..LANES {
            if (least[lane] >= 0.0 || most[lane] <= 0.0)
                && pack.blocks[lane] & blocks != 0
                && let Some(distance) = self.distance(pack, lane, edges.map(|edge| edge[lane]), pad_m)
            {
                best.offer(distance, pack.ids[lane]);
            }
        }
    }
}

#[inline]
fn inverted(direction: f32) -> f32 {
    if direction.abs() < DIRECTION_MIN { (1.0 / DIRECTION_MIN).copysign(direction) } else { 1.0 / direction }
}

/// The best hit so far.
#[derive(Clone, Copy)]
struct Best {
    distance_m: f32,
    triangle: Option<u32>,
}

impl Best {
    #[inline]
    fn offer(&mut self, distance_m: f32, triangle: u32) {
        let ties = distance_m == self.distance_m && self.triangle.is_none_or(|old| triangle < old);
        if distance_m < self.distance_m || ties {
            *self = Best { distance_m, triangle: Some(triangle) };
        }
    }
}

/// Entries that wait at once in nearly every cast.
const WAITING_FEW: usize = 12;

/// More entries wait than there is room for.
struct Crowded;

/// The nearest triangle within `limit_m` that blocks any of `blocks`; with `ANY`, some such triangle.
pub(crate) fn cast<const ANY: bool>(tree: &Tree, probe: &Probe, blocks: u8, limit_m: f32) -> Option<Met> {
    match cast_within::<ANY, WAITING_FEW>(tree, probe, blocks, limit_m) {
        Ok(met) => met,
        Err(Crowded) => cast_at_length::<ANY>(tree, probe, blocks, limit_m),
    }
}

/// The same with room for all that could ever wait.
#[cold]
#[inline(never)]
fn cast_at_length<const ANY: bool>(tree: &Tree, probe: &Probe, blocks: u8, limit_m: f32) -> Option<Met> {
    // A tree is never so deep that this room is too small.
    cast_within::<ANY, WAITING_MAX>(tree, probe, blocks, limit_m).unwrap_or(None)
}

/// The same with room for `ROOM` entries that wait. Making room is a good part of a short cast.
#[inline(always)]
fn cast_within<const ANY: bool, const ROOM: usize>(
    tree: &Tree,
    probe: &Probe,
    blocks: u8,
    limit_m: f32,
) -> Result<Option<Met>, Crowded> {
    let mut best = Best { distance_m: limit_m, triangle: None };
    let mut waiting = [(0.0f32, 0u32); ROOM];
    let mut count = 0;
    let mut child = if tree.nodes.is_empty() { return Ok(None) } else { 0 };
    let mut pack = 0;
    loop {
        if child & LEAF != 0 {
            probe.pack(&tree.packs[(child & !LEAF) as usize], blocks, tree.pad_m, &mut best);
            if ANY && best.triangle.is_some() {
                pack = child & !LEAF;
                break;
            }
        } else {
            let node = &tree.nodes[child as usize];
            let (enter, mut met) = probe.slabs(node, best.distance_m);
            if met != 0 {
                // On to the nearest; the others wait, in no order but behind it.
                let mut nearest = met.trailing_zeros() as usize % LANES;
                met &= met - 1;
                while met != 0 {
                    let lane = met.trailing_zeros() as usize % LANES;
                    met &= met - 1;
                    let is_nearer = enter[lane] < enter[nearest];
                    let (first, second) = if is_nearer { (lane, nearest) } else { (nearest, lane) };
                    let Some(place) = waiting.get_mut(count) else { return Err(Crowded) };
                    *place = (enter[second], node.children[second]);
                    count += 1;
                    nearest = first;
                }
                child = node.children[nearest];
                continue;
            }
        }
        // What was met earlier may lie past the best hit by now.
        while count > 0 && waiting[count - 1].0 > best.distance_m {
            count -= 1;
        }
        if count == 0 {
            break;
        }
        count -= 1;
        child = waiting[count].1;
    }
    Ok(best.triangle.map(|triangle| Met { distance_m: best.distance_m, triangle, pack }))
}

/// Whether a triangle of one leaf blocks any of `blocks` within `limit_m`. What it finds, a cast would find, too.
#[inline]
pub(crate) fn is_blocked_by(tree: &Tree, pack: u32, probe: &Probe, blocks: u8, limit_m: f32) -> bool {
    let mut best = Best { distance_m: limit_m, triangle: None };
    if let Some(pack) = tree.packs.get(pack as usize) {
        probe.pack(pack, blocks, tree.pad_m, &mut best);
    }
    best.triangle.is_some()
}

/// The slow, obvious twin: every triangle in turn.
#[cfg(test)]
pub(crate) fn cast_slow(tree: &Tree, probe: &Probe, blocks: u8, limit_m: f32) -> Option<Met> {
    let mut best = Best { distance_m: limit_m, triangle: None };
    for pack in &tree.packs {
        for lane in (0..LANES).filter(|&lane| pack.ids[lane] != crate::tree::NO_TRIANGLE) {
            let mut alone =
                Pack { ids: [crate::tree::NO_TRIANGLE; LANES], blocks: [0; LANES], corners: [[[0.0; LANES]; 3]; 3] };
            let triangle = &tree.triangles[pack.ids[lane] as usize];
            for (corner, at) in triangle.corners.iter().enumerate() {
                for axis in 0..3 {
                    alone.corners[corner][axis][0] = at[axis];
                }
            }
            (alone.ids[0], alone.blocks[0]) = (pack.ids[lane], triangle.blocks);
            probe.pack(&alone, blocks, tree.pad_m, &mut best);
        }
    }
    best.triangle.map(|triangle| Met { distance_m: best.distance_m, triangle, pack: 0 })
}

/// Calls `visit` with the number of every triangle whose padded box passes `wants`, in an order fixed by the tree.
/// `wants` must hold for a box that holds one for which it holds. Stops when `visit` says so, and says whether it did.
pub(crate) fn visit(
    tree: &Tree,
    wants: impl Fn(&Aabb) -> bool,
    mut visit: impl FnMut(u32) -> std::ops::ControlFlow<()>,
) -> bool {
    let mut waiting = [0u32; WAITING_MAX];
    let mut count = usize::from(!tree.nodes.is_empty());
    while count > 0 {
        count -= 1;
        let child = waiting[count];
        if child & LEAF != 0 {
            for &id in tree.packs[(child & !LEAF) as usize].ids.iter().filter(|&&id| id != crate::tree::NO_TRIANGLE) {
                if visit(id).is_break() {
                    return true;
                }
            }
            continue;
        }
        let node = &tree.nodes[child as usize];
        for lane in (0..LANES).rev() {
            let plane = |number: usize| node.planes[number][lane];
            let low = Vec3::new(plane(0), plane(2), plane(4));
            let bounds = Aabb { low, high: Vec3::new(plane(1), plane(3), plane(5)) };
            if !bounds.is_empty() && wants(&bounds) {
                waiting[count] = node.children[lane];
                count += 1;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Triangle;
    use proptest::prelude::*;

    /// Triangles in a crowd, so that many boxes overlap.
    fn crowd() -> impl Strategy<Value = Vec<Triangle>> {
        let at = || prop::array::uniform3(-3.0f32..3.0).prop_map(Vec3::from);
        let one = (at(), at(), at()).prop_map(|(a, b, c)| Triangle {
            corners: [a, b, c],
            surface: 0,
            blocks: 1,
            is_closed: false,
        });
        prop::collection::vec(one, 1..400)
    }

    proptest! {
        #[test]
        fn room_for_few_finds_what_room_for_all_does(
            triangles in crowd(),
            origin in prop::array::uniform3(-4.0f32..4.0),
            direction in prop::array::uniform3(-1.0f32..1.0),
            length_m in 0.0f32..12.0,
        ) {
            let tree = Tree::build(triangles);
            let (origin, direction) = (Vec3::from(origin), Vec3::from(direction).normalize_or(Vec3::X));
            let ray = Ray { origin, direction, length_m };
            if let Some(probe) = Probe::new(&ray) {
                let all = cast_at_length::<false>(&tree, &probe, 1, length_m);
                prop_assert_eq!(cast::<false>(&tree, &probe, 1, length_m), all);
                if let Ok(few) = cast_within::<false, 2>(&tree, &probe, 1, length_m) {
                    prop_assert_eq!(few, all);
                }
                prop_assert_eq!(cast_slow(&tree, &probe, 1, length_m), all);
                prop_assert_eq!(cast::<true>(&tree, &probe, 1, length_m).is_some(), all.is_some());
            }
        }
    }
}
