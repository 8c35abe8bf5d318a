//! A level as it stands: rays, overlaps, ground. Moved pieces are where they are at once; nothing is cached.
//!
//! The fixed geometry is asked first, then each piece that the ray comes near, in its own axes. O(log n) in triangles,
//! O(n) in pieces. Nothing allocates.

use std::ops::ControlFlow;

use glam::Vec3;
use sentir_core::geometry::{Geometry, Ray, RayHit};

use crate::aabb::Aabb;
use crate::cast::{self, Met, Probe};
use crate::level::{Level, Piece, PieceId};
use crate::overlap;
use crate::state::{Frame, LevelState, PieceState};
use crate::surface::Blocks;
use crate::tree::{EMPTY_PLANES, LANES, Node, Tree, Triangle};

/// Nodes that the boxes of pieces take in a batch at most, so that nothing is allocated: room for 64 pieces.
const NODES_MAX: usize = 16;

/// A level and its state, ready to be asked.
#[derive(Clone, Copy, Debug)]
pub struct LevelView<'a> {
    /// What stays.
    pub level: &'a Level,
    /// What changes.
    pub state: &'a LevelState,
}

/// Where a ray met the level, and what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelHit {
    /// Distance, normal and surface class.
    pub hit: RayHit,
    /// Which piece it was; none for the fixed geometry.
    pub piece: Option<PieceId>,
}

/// GroundHit under a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// Where, m.
    pub position: Vec3,
    /// Unit normal of the surface, upward.
    pub normal: Vec3,
    /// Its surface class.
    pub surface: u16,
    /// Which piece it is; none for the fixed geometry. Who stands on a mover moves with it.
    pub piece: Option<PieceId>,
}

/// A triangle of the level as it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelTriangle {
    /// Its corners, m.
    pub corners: [Vec3; 3],
    /// Its surface class.
    pub surface: u16,
    /// Which piece it belongs to; none for the fixed geometry.
    pub piece: Option<PieceId>,
}

/// A hit by triangle, in the piece's own axes.
struct Found<'a> {
    met: Met,
    tree: &'a Tree,
    piece: Option<(PieceId, Frame)>,
}

impl<'a> LevelView<'a> {
    /// The pieces that are there.
    fn pieces(&self) -> impl Iterator<Item = (PieceId, &'a Piece, &'a PieceState)> + use<'a> {
        let both = (0..).zip(self.level.pieces.iter().zip(self.state.pieces()));
        both.filter(|(_, (_, state))| !state.is_destroyed).map(|(index, (piece, state))| (PieceId(index), piece, state))
    }

    #[inline(always)]
    fn find<const ANY: bool>(&self, ray: &Ray, blocks: Blocks) -> Option<Found<'a>> {
        let probe = Probe::new(ray)?;
        let fixed = cast::cast::<ANY>(&self.level.tree, &probe, blocks.0, probe.length_m);
        let found = fixed.map(|met| Found { met, tree: &self.level.tree, piece: None });
        let is_done = self.level.pieces.is_empty() || (ANY && found.is_some());
        if is_done { found } else { self.find_piece::<ANY>(ray, &probe, blocks, found) }
    }

    /// The first piece on the ray, if it is nearer than what was found already. Kept apart, so that levels without pieces
    /// do not pay for its preparations.
    #[inline(never)]
    fn find_piece<const ANY: bool>(
        &self,
        ray: &Ray,
        probe: &Probe,
        blocks: Blocks,
        mut found: Option<Found<'a>>,
    ) -> Option<Found<'a>> {
        let mut limit = found.as_ref().map_or(probe.length_m, |found| found.met.distance_m);
        for (id, piece, state) in self.pieces() {
            let (low, high) = (piece.reach.low + state.pose.position, piece.reach.high + state.pose.position);
            if !probe.may_meet(low, high, limit) {
                continue;
            }
            if let Some(nearer) = self.meet_piece::<ANY>(ray, id, blocks, limit, found.is_none()) {
                limit = nearer.met.distance_m;
                found = Some(nearer);
                if ANY {
                    break;
                }
            }
        }
        found
    }

    /// Where the ray meets one piece before `limit`, or at it if nothing was found there.
    fn meet_piece<const ANY: bool>(
        &self,
        ray: &Ray,
        id: PieceId,
        blocks: Blocks,
        limit: f32,
        is_first: bool,
    ) -> Option<Found<'a>> {
        let piece = self.level.pieces.get(id.0 as usize)?;
        let frame = Frame::new(&self.state.pieces().get(id.0 as usize)?.pose);
        let met = cast::cast::<ANY>(&piece.tree, &local(ray, &frame)?, blocks.0, limit)?;
        // The fixed geometry, and the earlier piece, win a tie.
        let is_nearer = is_first || met.distance_m < limit;
        is_nearer.then_some(Found { met, tree: &piece.tree, piece: Some((id, frame)) })
    }

    /// The boxes of the pieces, four to a node, and how many nodes; none if there are more than a batch has room for.
    fn piece_nodes(&self) -> Option<([Node; NODES_MAX], usize)> {
        let mut nodes = [Node { planes: EMPTY_PLANES, children: [0; LANES] }; NODES_MAX];
        let mut count = 0;
        for (id, piece, state) in self.pieces() {
            let node = nodes.get_mut(count / LANES)?;
            let (low, high) = (piece.reach.low + state.pose.position, piece.reach.high + state.pose.position);
            for axis in 0..3 {
                node.planes[2 * axis][count % LANES] = low[axis];
                node.planes[2 * axis + 1][count % LANES] = high[axis];
            }
            node.children[count % LANES] = id.0.into();
            count += 1;
        }
        Some((nodes, count.div_ceil(LANES)))
    }

    /// [`hit`](Self::hit) with the pieces in nodes: a ray is held against four of them at once.
    fn hit_among(&self, ray: &Ray, blocks: Blocks, nodes: &[Node]) -> Option<LevelHit> {
        let probe = Probe::new(ray)?;
        let fixed = cast::cast::<false>(&self.level.tree, &probe, blocks.0, probe.length_m);
        let mut found = fixed.map(|met| Found { met, tree: &self.level.tree, piece: None });
        let mut limit = found.as_ref().map_or(probe.length_m, |found| found.met.distance_m);
        for node in nodes {
            let (_, mut met) = probe.slabs(node, limit);
            while met != 0 {
                let lane = met.trailing_zeros() as usize % LANES;
                met &= met - 1;
                let id = PieceId(node.children[lane] as u16);
                if let Some(nearer) = self.meet_piece::<false>(ray, id, blocks, limit, found.is_none()) {
                    limit = nearer.met.distance_m;
                    found = Some(nearer);
                }
            }
        }
        found.map(|found| found.hit(ray))
    }

    /// The first surface on the ray that blocks any of `blocks`.
    pub fn hit(&self, ray: &Ray, blocks: Blocks) -> Option<LevelHit> {
        let found = self.find::<false>(ray, blocks)?;
        Some(found.hit(ray))
    }

    /// Whether anything on the ray blocks any of `blocks`. Cheaper than asking for the first.
    pub fn is_blocked(&self, ray: &Ray, blocks: Blocks) -> bool {
        self.find::<true>(ray, blocks).is_some()
    }

    /// The first surface that ends a look.
    pub fn sight_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.hit(ray, Blocks::SIGHT).map(|hit| hit.hit)
    }

    /// The first surface that ends a shot.
    pub fn shot_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.hit(ray, Blocks::SHOTS).map(|hit| hit.hit)
    }

    /// Whether one point sees the other: nothing between them blocks sight. Coinciding points do; points that are not
    /// finite do not.
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        match Ray::between(from, to) {
            Some(ray) => !self.is_blocked(&ray, Blocks::SIGHT),
            None => from.is_finite() && from == to,
        }
    }

    /// The number of the first of some points that another sees; the same as asking [`sees`](Self::sees) for each in turn.
    /// Cheaper where what hides one hides the next: its triangles are tried first.
    pub fn sees_first(&self, from: Vec3, points: &[Vec3]) -> Option<usize> {
        let (tree, blocks) = (&self.level.tree, Blocks::SIGHT);
        let mut hider = None;
        points.iter().position(|&to| {
            let Some(ray) = Ray::between(from, to) else { return from.is_finite() && from == to };
            let Some(probe) = Probe::new(&ray) else { return true };
            let is_hidden = |pack: u32| cast::is_blocked_by(tree, pack, &probe, blocks.0, probe.length_m);
            if hider.is_some_and(is_hidden) {
                return false;
            }
            if let Some(met) = cast::cast::<true>(tree, &probe, blocks.0, probe.length_m) {
                hider = Some(met.pack);
                return false;
            }
            self.level.pieces.is_empty() || self.find_piece::<true>(&ray, &probe, blocks, None).is_none()
        })
    }

    /// [`Geometry::ray`] for many: the same answers to the bit. Rays past the shorter slice are left alone.
    pub fn rays(&self, rays: &[Ray], hits: &mut [Option<RayHit>]) {
        self.each(rays, Blocks::BODIES, hits, |hit| hit.hit);
    }

    /// [`hit`](Self::hit) for many: the same answers to the bit. Rays past the shorter slice are left alone.
    pub fn hits(&self, rays: &[Ray], blocks: Blocks, hits: &mut [Option<LevelHit>]) {
        self.each(rays, blocks, hits, |hit| hit);
    }

    /// Many rays, with what they have in common done once: the boxes of the pieces.
    #[inline(always)]
    fn each<T>(&self, rays: &[Ray], blocks: Blocks, hits: &mut [Option<T>], tell: impl Fn(LevelHit) -> T) {
        let nodes = self.piece_nodes();
        for (ray, hit) in rays.iter().zip(hits) {
            let found = match &nodes {
                Some((nodes, count)) => self.hit_among(ray, blocks, &nodes[..*count]),
                None => self.hit(ray, blocks),
            };
            *hit = found.map(&tell);
        }
    }

    /// Whether an upright or slanted capsule, the points within `radius_m` of the way from one point to another, touches
    /// a solid surface.
    pub fn capsule_overlap(&self, from: Vec3, to: Vec3, radius_m: f32) -> bool {
        if !from.is_finite() || !to.is_finite() || radius_m.is_nan() {
            return false;
        }
        let touches = |tree: &Tree, frame: Option<&Frame>| {
            let own = |point: Vec3| frame.map_or(point, |frame| frame.to_local(point));
            let (from, to) = (own(from), own(to));
            let around = Aabb::around([from, to]).grown(radius_m);
            cast::visit(
                tree,
                |bounds| bounds.touches(&around),
                |id| {
                    let triangle = &tree.triangles[id as usize];
                    let is_solid = triangle.blocks & Blocks::BODIES.0 != 0;
                    let squared = || overlap::segment_distance_squared(from, to, &triangle.corners);
                    if is_solid && squared() <= radius_m * radius_m {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            )
        };
        let around = Aabb::around([from, to]).grown(radius_m);
        let near = |piece: &Piece, state: &PieceState| {
            let (low, high) = (piece.reach.low + state.pose.position, piece.reach.high + state.pose.position);
            around.touches(&Aabb { low, high })
        };
        touches(&self.level.tree, None)
            || self
                .pieces()
                .any(|(_, piece, state)| near(piece, state) && touches(&piece.tree, Some(&Frame::new(&state.pose))))
    }

    /// Calls `visit` with every triangle that blocks any of `blocks` and whose box touches `bounds`: what a body solver
    /// collides with. The order is fixed by the level: fixed geometry first, then pieces.
    pub fn triangles_in(&self, bounds: &Aabb, blocks: Blocks, mut visit: impl FnMut(&LevelTriangle)) {
        let mut offer = |triangle: &Triangle, corners: [Vec3; 3], piece: Option<PieceId>| {
            if triangle.blocks & blocks.0 != 0 && Aabb::around(corners).touches(bounds) {
                visit(&LevelTriangle { corners, surface: triangle.surface, piece });
            }
        };
        let tree = &self.level.tree;
        cast::visit(
            tree,
            |one| one.touches(bounds),
            |id| {
                let triangle = &tree.triangles[id as usize];
                offer(triangle, triangle.corners, None);
                ControlFlow::Continue(())
            },
        );
        for (id, piece, state) in self.pieces() {
            let (low, high) = (piece.reach.low + state.pose.position, piece.reach.high + state.pose.position);
            if bounds.touches(&Aabb { low, high }) {
                let frame = Frame::new(&state.pose);
                for triangle in &piece.tree.triangles {
                    offer(triangle, triangle.corners.map(|corner| frame.to_world(corner)), Some(id));
                }
            }
        }
    }

    /// The first solid surface straight below a point, at most `drop_max_m` down. A point on the surface is on it.
    pub fn ground_below(&self, point: Vec3, drop_max_m: f32) -> Option<GroundHit> {
        let ray = Ray { origin: point, direction: Vec3::NEG_Y, length_m: drop_max_m };
        let LevelHit { hit, piece } = self.hit(&ray, Blocks::BODIES)?;
        let position = Vec3::new(point.x, point.y - hit.distance_m, point.z);
        Some(GroundHit { position, normal: hit.normal, surface: hit.surface, piece })
    }

    /// Whether a point is inside a closed solid: the first thing above it is met from within. Meshes do not count: nobody
    /// knows their outside.
    pub fn is_inside(&self, point: Vec3) -> bool {
        let ray = Ray { origin: point, direction: Vec3::Y, length_m: f32::MAX };
        self.find::<false>(&ray, Blocks::BODIES).is_some_and(|found| {
            let triangle = &found.tree.triangles[found.met.triangle as usize];
            triangle.is_closed && triangle.cross().y > 0.0
        })
    }
}

/// A ray in a piece's own axes.
fn local(ray: &Ray, frame: &Frame) -> Option<Probe> {
    let (origin, direction) = (frame.to_local(ray.origin), frame.turned_back(ray.direction));
    Probe::new(&Ray { origin, direction, length_m: ray.length_m })
}

impl Found<'_> {
    fn hit(&self, ray: &Ray) -> LevelHit {
        let triangle = &self.tree.triangles[self.met.triangle as usize];
        let cross = triangle.cross();
        let front = cross / cross.length();
        let front = self.piece.as_ref().map_or(front, |(_, frame)| frame.turned(front));
        let normal = if front.dot(ray.direction) > 0.0 { -front } else { front };
        LevelHit {
            hit: RayHit { distance_m: self.met.distance_m, normal, surface: triangle.surface },
            piece: self.piece.as_ref().map(|(id, _)| *id),
        }
    }
}

impl Geometry for LevelView<'_> {
    fn version(&self) -> u64 {
        self.state.version()
    }

    /// The first surface that holds bodies.
    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        self.hit(ray, Blocks::BODIES).map(|hit| hit.hit)
    }

    /// Whether a ball touches a solid surface; the inside of a wall far from its surface is not noticed.
    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        self.capsule_overlap(center, center, radius_m)
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        match Ray::between(from, to) {
            Some(ray) => !self.is_blocked(&ray, Blocks::BODIES),
            None => from.is_finite() && from == to,
        }
    }
}

#[cfg(test)]
impl LevelView<'_> {
    /// The slow, obvious twin of [`hit`](Self::hit): every triangle of everything in turn.
    pub(crate) fn hit_slow(&self, ray: &Ray, blocks: Blocks) -> Option<LevelHit> {
        let probe = Probe::new(ray)?;
        let fixed = cast::cast_slow(&self.level.tree, &probe, blocks.0, ray.length_m);
        let mut found = fixed.map(|met| Found { met, tree: &self.level.tree, piece: None });
        for (id, piece, state) in self.pieces() {
            let frame = Frame::new(&state.pose);
            let met = local(ray, &frame).and_then(|local| cast::cast_slow(&piece.tree, &local, blocks.0, ray.length_m));
            if let Some(met) = met.filter(|met| found.as_ref().is_none_or(|old| met.distance_m < old.met.distance_m)) {
                found = Some(Found { met, tree: &piece.tree, piece: Some((id, frame)) });
            }
        }
        found.map(|found| found.hit(ray))
    }
}
