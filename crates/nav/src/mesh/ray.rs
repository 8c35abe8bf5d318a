//! A ray on the mesh: straight on over the ground, polygon to polygon, until a wall or the end.
//!
//! Each polygon is left by the edge that lies from the ray's right to its left; a corner exactly on the ray counts as on
//! its left. If that ends at a wall that the ray only touches with a corner, the other reading is tried, too, and the one
//! that comes farther wins. Cost: the edges of the polygons crossed.

use sentir_core::glam::{DVec2, Vec3};

use super::cost::AreaCosts;
use super::patch::ground;
use super::table::{Edge, Mesh, MeshPoint};
use super::tile::NONE;

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshRay {
    /// The last place on the mesh: the end of the ray if nothing was in the way.
    pub place: MeshPoint,
    /// Share of the way that is free. Limit: 0..=1, and 1 if nothing was in the way.
    pub share: f32,
    /// The ends of the edge that was hit, right one first seen along the ray; none if nothing was in the way.
    pub wall: Option<[Vec3; 2]>,
}

/// A polygon on the way of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Which.
    pub(crate) polygon: u32,
    /// Share of the way at which it is entered. Limit: 0..=1.
    pub(crate) share: f64,
}

/// One reading of the ray.
struct Walk {
    polygon: u32,
    /// Share of the way, and the edge that was hit.
    hit: Option<(f64, u32)>,
    /// Whether a corner lay exactly on the ray.
    has_touched: bool,
}

impl Mesh {
    /// Walks from a place straight toward `to` (its height is not used) over passable ground. None if the place is not on
    /// this mesh or something is not finite. Links are not passed.
    pub fn ray(&self, from: MeshPoint, to: Vec3, costs: &AreaCosts) -> Option<MeshRay> {
        if from.polygon >= self.polygon_count() || !from.point.is_finite() || !to.is_finite() {
            return None;
        }
        let (start, end) = (ground(from.point), ground(to));
        let mut walk = self.walk::<1>(from.polygon, start, end, costs, |_, _| {});
        if walk.has_touched && walk.hit.is_some_and(|hit| hit.0 < 1.0) {
            let other = self.walk::<-1>(from.polygon, start, end, costs, |_, _| {});
            if other.hit.map_or(f64::INFINITY, |hit| hit.0) > walk.hit.map_or(f64::INFINITY, |hit| hit.0) {
                walk = other;
            }
        }
        let share = walk.hit.map_or(1.0, |hit| hit.0);
        let at = start + (end - start) * share;
        let (x, z) = if walk.hit.is_none() { (to.x, to.z) } else { (at.x as f32, -at.y as f32) };
        let point = Vec3::new(x, self.surface(walk.polygon, at), z);
        let wall = walk.hit.map(|(_, edge)| [self.point(edge), self.point(self.next(edge))]);
        Some(MeshRay { place: MeshPoint { polygon: walk.polygon, point }, share: share as f32, wall })
    }

    /// As [`Mesh::ray`], and the polygons on the way, in order. The share of the way that is free.
    pub(crate) fn crossings(&self, from: MeshPoint, to: Vec3, costs: &AreaCosts, into: &mut Vec<Crossing>) -> f64 {
        into.clear();
        if from.polygon >= self.polygon_count() || !from.point.is_finite() || !to.is_finite() {
            return 0.0;
        }
        let (start, end) = (ground(from.point), ground(to));
        into.push(Crossing { polygon: from.polygon, share: 0.0 });
        let walk =
            self.walk::<1>(from.polygon, start, end, costs, |polygon, share| into.push(Crossing { polygon, share }));
        let share = walk.hit.map_or(1.0, |hit| hit.0);
        if share >= 1.0 || !walk.has_touched {
            return share;
        }
        into.truncate(1);
        let walk =
            self.walk::<-1>(from.polygon, start, end, costs, |polygon, share| into.push(Crossing { polygon, share }));
        walk.hit.map_or(1.0, |hit| hit.0)
    }

    /// `SIDE` 1 reads corners on the ray as on its left, -1 as on its right. `enter` hears of each next polygon, with the
    /// share of the way up to it.
    fn walk<const SIDE: i8>(
        &self,
        polygon: u32,
        start: DVec2,
        end: DVec2,
        costs: &AreaCosts,
        mut enter: impl FnMut(u32, f64),
    ) -> Walk {
        let way = end - start;
        let (mut polygon, mut has_touched) = (polygon, false);
        let side_of = |it: &Edge| way.x * (f64::from(it.y) - start.y) - way.y * (f64::from(it.x) - start.x);
        // A straight line meets a polygon once; more steps than that is rounding that goes round in circles.
        for _ in 0..self.faces.len() {
            let face = self.faces[polygon as usize];
            let ring = &self.edges[face.first as usize..][..usize::from(face.count)];
            let is_left = |side: f64| if SIDE > 0 { side >= 0.0 } else { side > 0.0 };
            // The exit: from right to left. With the start on the far side of it by rounding there may be none ahead.
            let mut before = side_of(&ring[ring.len() - 1]);
            let mut exit = NONE;
            for (number, edge) in ring.iter().enumerate() {
                let side = side_of(edge);
                has_touched |= side == 0.0;
                if is_left(side) && !is_left(before) {
                    exit = if number == 0 { ring.len() as u32 - 1 } else { number as u32 - 1 };
                    if SIDE > 0 && side != 0.0 {
                        break;
                    }
                }
                before = side;
            }
            if exit == NONE {
                // The line misses the polygon by a rounding: the start is its nearest point.
                return Walk { polygon, hit: self.miss(polygon, start, end), has_touched };
            }
            let a = ring[exit as usize].at();
            let b = ring[if exit as usize + 1 == ring.len() { 0 } else { exit as usize + 1 }].at();
            let along = b - a;
            let depth = along.perp_dot(end - a);
            if depth >= 0.0 {
                return Walk { polygon, hit: None, has_touched };
            }
            let twin = ring[exit as usize].twin;
            let next = if twin == NONE { NONE } else { self.owners[twin as usize] };
            if next == NONE || !costs.is_passable(self.faces[next as usize].area) {
                let from = along.perp_dot(start - a);
                let share = if from > 0.0 { from / (from - depth) } else { 0.0 };
                return Walk { polygon, hit: Some((share, face.first + exit)), has_touched };
            }
            let from = along.perp_dot(start - a);
            enter(next, if from > 0.0 { from / (from - depth) } else { 0.0 });
            polygon = next;
        }
        Walk { polygon, hit: self.miss(polygon, start, end), has_touched }
    }

    /// For a ray that has no exit from a polygon: none hit if its end is in there, else stopped at the start.
    fn miss(&self, polygon: u32, start: DVec2, end: DVec2) -> Option<(f64, u32)> {
        let run = self.run(polygon);
        let mut worst = (0.0, NONE);
        for edge in run {
            let edge = edge as u32;
            let (a, b) = (self.edges[edge as usize].at(), self.edges[self.next(edge) as usize].at());
            let depth = (b - a).perp_dot(end - a);
            if depth < worst.0 {
                worst = (depth, edge);
            }
        }
        (worst.1 != NONE && start != end).then_some((0.0, worst.1))
    }
}
