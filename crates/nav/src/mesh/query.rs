//! Questions about places: the nearest one, what is under a point, how high it is, a random one, how far the next wall is.
//!
//! *Near* means: nearest on the ground plane within each polygon, then by distance in space, and of equals the polygon
//! with the least number. The surface of a polygon is the fan of triangles from its first corner.

use sentir_core::glam::{DVec2, Vec2, Vec3};
use sentir_core::math;
use sentir_core::random::Stream;

use super::cost::AreaCosts;
use super::patch::ground;
use super::table::{Mesh, MeshPoint};
use super::tile::{NONE, Tile};

/// The wall nearest to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// How far it is on the ground, m.
    pub distance_m: f32,
    /// The nearest point of it, m.
    pub point: Vec3,
    /// The polygon it belongs to.
    pub polygon: u32,
}

/// Memory of [`Mesh::nearest_wall`]; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct WallScratch {
    seen: Vec<u32>,
    round: u32,
    stack: Vec<u32>,
}

/// A box round a point.
struct SearchBox {
    /// Whose nearest place is looked for, m.
    point: Vec3,
    /// The least corner of the box, m.
    low: Vec3,
    /// The greatest corner, m.
    high: Vec3,
}

/// The nearest place so far.
#[derive(Clone, Copy)]
struct Nearest {
    /// Square of its distance, m².
    distance_squared: f64,
    place: MeshPoint,
}

impl Mesh {
    /// The nearest place within a box round a point; `extent` is half of its sides, m. None if the box holds no ground,
    /// or something is not finite.
    pub fn nearest(&self, point: Vec3, extent: Vec3) -> Option<MeshPoint> {
        self.nearest_where(point, extent, |_| true)
    }

    /// The nearest place on ground that may be entered.
    pub fn nearest_passable(&self, point: Vec3, extent: Vec3, costs: &AreaCosts) -> Option<MeshPoint> {
        self.nearest_where(point, extent, |polygon| costs.is_passable(self.area(polygon)))
    }

    /// The nearest place on a polygon that pleases.
    pub(super) fn nearest_where(&self, point: Vec3, extent: Vec3, pleases: impl Fn(u32) -> bool) -> Option<MeshPoint> {
        let is_box = extent.x >= 0.0 && extent.y >= 0.0 && extent.z >= 0.0;
        if !point.is_finite() || !is_box {
            return None;
        }
        let within = SearchBox { point, low: point - extent, high: point + extent };
        let mut best: Option<Nearest> = None;
        let Some(grid) = &self.grid else {
            self.nearest_in_tile(0, &within, &pleases, &mut best);
            return best.map(|it| it.place);
        };
        // A corner may be up to the border's breadth off its tile before it is put onto it, and none after.
        let columns = grid.tile_at(0, within.low.x)..=grid.tile_at(0, within.high.x);
        let rows = grid.tile_at(1, within.low.z)..=grid.tile_at(1, within.high.z);
        for row in rows {
            for column in columns.clone() {
                self.nearest_in_tile(row * grid.columns + column, &within, &pleases, &mut best);
            }
        }
        best.map(|it| it.place)
    }

    fn nearest_in_tile(
        &self,
        tile: u32,
        within: &SearchBox,
        pleases: &impl Fn(u32) -> bool,
        best: &mut Option<Nearest>,
    ) {
        let &SearchBox { point, low, high } = within;
        let Some(Tile { bvh, .. }) = self.tiles.get(tile as usize) else { return };
        let base = self.bases[tile as usize];
        // A hair more, since boxes are compared in single precision.
        let mut limit = best.map_or(f32::INFINITY, |it| it.distance_squared as f32 * 1.000_01);
        let mut at = 0;
        while let Some(node) = bvh.nodes.get(at as usize) {
            let is_near = node.touches(low, high) && (limit == f32::INFINITY || node.distance_squared(point) <= limit);
            if !is_near {
                at = node.skip;
                continue;
            }
            at += 1;
            let polygon = base.wrapping_add(node.polygon);
            if node.polygon == NONE || !pleases(polygon) {
                continue;
            }
            let found = self.nearest_on(polygon, point);
            let gap = found.point - point;
            let distance = gap.as_dvec3().length_squared();
            let is_within = found.point.x >= low.x
                && found.point.x <= high.x
                && found.point.z >= low.z
                && found.point.z <= high.z
                && found.point.y >= low.y
                && found.point.y <= high.y;
            let is_better = |old: &Nearest| {
                distance < old.distance_squared || (distance == old.distance_squared && polygon < old.place.polygon)
            };
            if is_within && best.as_ref().is_none_or(is_better) {
                *best = Some(Nearest { distance_squared: distance, place: found });
                limit = distance as f32 * 1.000_01;
            }
        }
    }

    /// The place of a polygon nearest to a point on the ground plane; the point itself for a number that is none.
    pub fn nearest_on(&self, polygon: u32, point: Vec3) -> MeshPoint {
        let run = self.run(polygon);
        let ring = &self.edges[run.clone()];
        let at = ground(point);
        let Some(last) = ring.last() else { return MeshPoint { polygon, point } };
        let (mut from, mut best) = (last.at(), None::<(f64, DVec2)>);
        for edge in ring {
            let to = edge.at();
            let (along, way) = (to - from, at - from);
            // Only an edge with the point on its outer side can hold the nearest one.
            if along.perp_dot(way) < 0.0 {
                let share = way.dot(along) / along.length_squared();
                let share = if share < 0.0 { 0.0 } else { share };
                let near = if share >= 1.0 { to } else { from + along * share };
                let distance = (near - at).length_squared();
                if best.is_none_or(|it| distance < it.0) {
                    best = Some((distance, near));
                }
            }
            from = to;
        }
        let (x, z, spot) = match best {
            Some((_, near)) => (near.x as f32, -near.y as f32, near),
            None => (point.x, point.z, at),
        };
        MeshPoint { polygon, point: Vec3::new(x, self.surface(polygon, spot), z) }
    }

    /// The height of a polygon over a ground point in or near it.
    pub(crate) fn surface(&self, polygon: u32, at: DVec2) -> f32 {
        let run = self.run(polygon);
        let (ring, heights) = (&self.edges[run.clone()], &self.heights[run]);
        let Some(first) = ring.first() else { return 0.0 };
        if heights.iter().all(|&height| height == heights[0]) {
            return heights[0];
        }
        let origin = first.at();
        let spot = at - origin;
        let base = f64::from(heights[0]);
        let mut answer = base;
        for number in 1..ring.len() - 1 {
            let (a, b) = (ring[number].at() - origin, ring[number + 1].at() - origin);
            let twice = a.perp_dot(b);
            if twice > 0.0 {
                // Shares of the two far corners.
                let (u, v) = (spot.perp_dot(b) / twice, a.perp_dot(spot) / twice);
                let rise = |at: usize| f64::from(heights[at]) - base;
                answer = base + u * rise(number) + v * rise(number + 1);
                if u >= 0.0 {
                    // Not beyond this triangle: it is the one, or the point is before all of them.
                    break;
                }
            }
        }
        let (mut low, mut high) = (heights[0], heights[0]);
        for &height in heights {
            (low, high) = (math::min(low, height), math::max(high, height));
        }
        math::clamp(answer as f32, low, high)
    }

    /// The place under or over a point, at most `height_m` off in height: the nearest such one.
    pub fn locate(&self, point: Vec3, height_m: f32) -> Option<MeshPoint> {
        self.nearest(point, Vec3::new(0.0, height_m, 0.0))
    }

    /// The height of the mesh at a point, at most `height_m` off.
    pub fn height(&self, point: Vec3, height_m: f32) -> Option<f32> {
        self.locate(point, height_m).map(|place| place.point.y)
    }

    /// A random place, every square meter as likely as any other. None on a mesh without ground.
    pub fn random_place(&self, random: &mut Stream) -> Option<MeshPoint> {
        let wanted = self.area_m2() * unit(random);
        let polygon = self.area_sums.partition_point(|&sum| sum <= wanted).min(self.faces.len().checked_sub(1)?);
        let run = self.run(polygon as u32);
        let ring = &self.edges[run];
        let origin = ring[0].at();
        let corners = |number: usize| (ring[number].at() - origin, ring[number + 1].at() - origin);
        let twice = |number: usize| {
            let (a, b) = corners(number);
            a.perp_dot(b)
        };
        let total: f64 = (1..ring.len() - 1).map(twice).sum();
        let mut left = total * unit(random);
        let mut number = 1;
        while number + 2 < ring.len() && left >= twice(number) {
            left -= twice(number);
            number += 1;
        }
        let (a, b) = corners(number);
        let (mut u, mut v) = (unit(random), unit(random));
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let at = origin + a * u + b * v;
        Some(self.nearest_on(polygon as u32, Vec3::new(at.x as f32, 0.0, -at.y as f32)))
    }

    /// Calls `visit` with the sides of a polygon that may be within a distance of a ground point, in the order of
    /// [`ring`](Mesh::ring): both ends on the ground, and the polygon beyond; none where there is a wall. Sides whose box is
    /// farther off are left out, with some slack for rounding.
    #[inline]
    pub fn visit_sides_near(
        &self,
        polygon: u32,
        at: Vec2,
        radius_m: f32,
        mut visit: impl FnMut(Vec2, Vec2, Option<u32>),
    ) {
        let far = radius_m * 1.001 + 1e-3 + 1e-6 * (at.x.abs() + at.y.abs());
        let (low, high) = (at - far, at + far);
        let ring = &self.edges[self.run(polygon)];
        for (number, edge) in ring.iter().enumerate() {
            let next = ring.get(number + 1).unwrap_or(&ring[0]);
            let is_far = (edge.x < low.x && next.x < low.x)
                || (edge.x > high.x && next.x > high.x)
                || (edge.y < low.y && next.y < low.y)
                || (edge.y > high.y && next.y > high.y);
            if !is_far {
                let beyond = self.owners.get(edge.twin as usize).copied();
                visit(Vec2::new(edge.x, edge.y), Vec2::new(next.x, next.y), beyond);
            }
        }
    }

    /// The wall nearest to a place within `radius_m`, as one would walk to it: polygon by polygon, over edges within that
    /// radius. None if there is none, or the place is not on this mesh.
    pub fn nearest_wall(&self, from: MeshPoint, radius_m: f32, scratch: &mut WallScratch) -> Option<Wall> {
        if from.polygon >= self.polygon_count() || !from.point.is_finite() || radius_m.is_nan() {
            return None;
        }
        scratch.round = scratch.round.wrapping_add(1);
        if scratch.round == 0 || scratch.seen.len() != self.faces.len() {
            scratch.seen.clear();
            scratch.seen.resize(self.faces.len(), 0);
            scratch.round = 1;
        }
        let at = ground(from.point);
        let mut limit = f64::from(radius_m) * f64::from(radius_m);
        let mut best = None;
        scratch.stack.clear();
        scratch.stack.push(from.polygon);
        scratch.seen[from.polygon as usize] = scratch.round;
        while let Some(polygon) = scratch.stack.pop() {
            for edge in self.run(polygon) {
                let edge = edge as u32;
                let (a, b) = (self.edges[edge as usize].at(), self.edges[self.next(edge) as usize].at());
                let share = (at - a).dot(b - a) / (b - a).length_squared();
                let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
                let distance = (a + (b - a) * share - at).length_squared();
                if distance > limit {
                    continue;
                }
                let twin = self.edges[edge as usize].twin;
                if twin == NONE {
                    let is_better = best.is_none_or(|(old, old_edge, _)| distance < old || edge < old_edge);
                    if is_better {
                        limit = distance;
                        best = Some((distance, edge, share));
                    }
                } else if let other = self.owners[twin as usize]
                    && scratch.seen[other as usize] != scratch.round
                {
                    scratch.seen[other as usize] = scratch.round;
                    scratch.stack.push(other);
                }
            }
        }
        let (distance, edge, share) = best?;
        let (a, b) = (self.point(edge), self.point(self.next(edge)));
        let point = a + (b - a) * share as f32;
        Some(Wall { distance_m: distance.sqrt() as f32, point, polygon: self.owners[edge as usize] })
    }
}

/// Uniform in [0, 1), in steps of 2^-53.
fn unit(random: &mut Stream) -> f64 {
    (random.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}
