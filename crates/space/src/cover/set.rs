//! Cover along the walls of a mesh.
//!
//! Walls of the mesh are sampled at even steps. From each sample two rays go straight into the wall, at the height of a
//! crouching and of a standing chest: both blocked is high cover, only the lower one is low cover. A ray a step to the side
//! that is free tells that one may lean out there. Samples in a row of the same height and wall are an edge.
//! O(length / step) rays; built once a mesh, or anew where it changed.

use sentir_core::geometry::Ray;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::plane;
use sentir_level::{Blocks, LevelView};
use sentir_nav::mesh::{Mesh, MeshPoint};

use super::border::visit_walls;

/// Samples of a mesh at most; further ones are left out.
pub const POINTS_MAX: usize = 1 << 20;

/// How high cover is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoverHeight {
    /// Covers who crouches.
    Low,
    /// Covers who stands.
    High,
}

/// How cover is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverConfig {
    /// Distance of samples along a wall at most, m. Limit: 0.1..=10; otherwise it is 0.5.
    pub step_m: f32,
    /// Height of a crouching chest over the ground, m.
    pub crouch_m: f32,
    /// Height of a standing chest, m.
    pub stand_m: f32,
    /// How far from a wall of the mesh what covers may be, m: the radius of a body and a little.
    pub reach_m: f32,
    /// How far to the side one leans, m.
    pub lean_m: f32,
    /// What it must end: sight, shots or both.
    pub blocks: Blocks,
}

impl Default for CoverConfig {
    fn default() -> Self {
        CoverConfig { step_m: 0.5, crouch_m: 0.6, stand_m: 1.4, reach_m: 1.0, lean_m: 0.8, blocks: Blocks::SIGHT }
    }
}

/// A place behind cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverPoint {
    /// Where one stands, m.
    pub position: Vec3,
    /// The polygon of the mesh it is on.
    pub polygon: u32,
    /// Toward what covers: the direction one is covered against; unit length.
    pub facing: Vec2,
    /// How high it is.
    pub height: CoverHeight,
    /// Whether one may lean out to the left and to the right, seen along `facing`.
    pub leans: [bool; 2],
    /// The edge it is on.
    pub edge: u32,
}

/// A stretch of cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverEdge {
    /// Where it begins, m. The cover is on the right of the way to its end.
    pub from: Vec3,
    /// Where it ends, m.
    pub to: Vec3,
    /// Toward what covers; unit length.
    pub facing: Vec2,
    /// How high it is.
    pub height: CoverHeight,
}

/// Cover along the walls of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverSet {
    points: Vec<CoverPoint>,
    edges: Vec<CoverEdge>,
}

/// Where cover is looked for, and how.
struct Site<'a> {
    mesh: &'a Mesh,
    view: &'a LevelView<'a>,
    config: &'a CoverConfig,
}

/// A wall of the mesh.
struct WallSpan {
    /// The polygon that it is the border of.
    polygon: u32,
    /// Its ends, m.
    from: Vec3,
    to: Vec3,
    /// Away from the ground, a unit vector.
    facing: Vec2,
    /// So many parts it is sampled by.
    count: u32,
}

impl CoverSet {
    /// Looks for cover along all walls of a mesh in a level.
    #[must_use]
    pub fn build(mesh: &Mesh, view: &LevelView<'_>, config: &CoverConfig) -> CoverSet {
        let mut set = CoverSet::default();
        let step_m = if (0.1..=10.0).contains(&config.step_m) { config.step_m } else { 0.5 };
        visit_walls(mesh, |polygon, from, to| {
            let along = plane::ground(to - from);
            let facing = -plane::left_of(plane::direction(along));
            if facing != Vec2::ZERO {
                let count = ((along.length() / step_m).ceil() as u32).max(1);
                set.add_wall(&Site { mesh, view, config }, &WallSpan { polygon, from, to, facing, count });
            }
        });
        set
    }

    /// Samples a wall: the middle of each of its parts.
    fn add_wall(&mut self, site: &Site<'_>, wall: &WallSpan) {
        let (&Site { view, config, .. }, &WallSpan { polygon, from, to, facing, count }) = (site, wall);
        let mut last: Option<CoverHeight> = None;
        let at = |share: f32| from + (to - from) * (share / count as f32);
        for number in 0..count {
            let position = at(number as f32 + 0.5);
            let height = height_at(view, config, position, facing);
            if let Some(height) = height.filter(|_| self.points.len() < POINTS_MAX) {
                let end = at(number as f32 + 1.0);
                match self.edges.last_mut().filter(|_| last == Some(height)) {
                    Some(edge) => edge.to = end,
                    None => self.edges.push(CoverEdge { from: at(number as f32), to: end, facing, height }),
                }
                let left = plane::lift(plane::left_of(facing) * config.lean_m, 0.0);
                let leans =
                    [left, -left].map(|side| is_free(site, MeshPoint { polygon, point: position }, side, facing));
                let edge = self.edges.len() as u32 - 1;
                self.points.push(CoverPoint { position, polygon, facing, height, leans, edge });
            }
            last = height;
        }
    }

    /// The points, wall by wall.
    pub fn points(&self) -> &[CoverPoint] {
        &self.points
    }

    /// The edges, wall by wall.
    pub fn edges(&self) -> &[CoverEdge] {
        &self.edges
    }
}

/// How high what stands in a direction close by is.
pub(super) fn height_at(
    view: &LevelView<'_>,
    config: &CoverConfig,
    position: Vec3,
    facing: Vec2,
) -> Option<CoverHeight> {
    let is_blocked = |height_m: f32| {
        let ray = Ray {
            origin: position + Vec3::Y * height_m,
            direction: plane::lift(facing, 0.0),
            length_m: config.reach_m,
        };
        view.is_blocked(&ray, config.blocks)
    };
    match (is_blocked(config.crouch_m), is_blocked(config.stand_m)) {
        (true, true) => Some(CoverHeight::High),
        (true, false) => Some(CoverHeight::Low),
        _ => None,
    }
}

/// Whether one may lean out to a side: one can walk there, and from there nothing high stands ahead.
fn is_free(site: &Site<'_>, at: MeshPoint, side: Vec3, facing: Vec2) -> bool {
    let (&Site { mesh, view, config }, MeshPoint { polygon, point: position }) = (site, at);
    // A hair away from the wall, so that the way along it is no graze.
    let inward = plane::lift(-facing * 0.05, 0.0);
    let from = MeshPoint { polygon, point: position + inward };
    let way = mesh.ray(from, position + side + inward, &sentir_nav::mesh::AreaCosts::PLAIN);
    way.is_some_and(|way| way.wall.is_none()) && height_at(view, config, position + side, facing).is_none()
}
