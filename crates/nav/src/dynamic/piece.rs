//! Pieces of a level as obstacles: a watch that reads the level's change log.
//!
//! A door stands where it goes: one rebuild for each use, and nobody plans into its way. Anything else that moves is told
//! when it has gone [`SLACK_M`] or turned as much at its rim, and when it has come to rest. What is destroyed is removed.

use sentir_core::State;
use sentir_core::body::Pose;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::level::Piece;
use sentir_level::{Changes, Level, LevelView, PieceId};

use super::obstacles::{ObstacleError, ObstacleId, Obstacles};
use crate::bake::{Obstacle, Shape, TileTable};

/// A piece that moves is told again after so much, m.
pub const SLACK_M: f32 = 0.75;
/// Corners nearer to a line than this are on it, twice the area in m².
const FLAT_M2: f32 = 1e-4;
/// Corners kept of a piece at most.
const CORNERS_MAX: usize = 64;

/// The hull of a piece in a pose, from its lowest foot to its highest top, with `grow_m` more to each side: half a cell, so
/// that what is thinner than a cell takes cells, too. None for a piece without an extent.
pub fn obstacle_of(piece: &Piece, pose: &Pose, grow_m: f32) -> Option<Obstacle> {
    let (sin, cos) = math::sin_cos(pose.yaw);
    let placed = |at: Vec3| pose.position + Vec3::new(at.x * cos + at.z * sin, at.y, at.z * cos - at.x * sin);
    let corners = || piece.patches.iter().flat_map(|patch| &patch.corners).map(|&corner| placed(corner));
    let grown = |point: Vec2| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| point + Vec2::new(x, y) * grow_m)
    };
    let mut points: Vec<Vec2> = corners().map(plane::ground).flat_map(grown).collect();
    let low_m = piece.patches.iter().map(|patch| patch.foot_m + pose.position.y).fold(f32::INFINITY, math::min);
    let high_m = corners().map(|corner| corner.y).fold(f32::NEG_INFINITY, math::max);
    let obstacle = Obstacle { shape: Shape::Polygon(hull(&mut points)), low_m: math::min(low_m, high_m), high_m };
    obstacle.check(0).is_ok().then_some(obstacle)
}

/// The convex hull, counter-clockwise, by Andrew's two chains; corners on a side are left out.
fn hull(points: &mut [Vec2]) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut ring: Vec<Vec2> = Vec::new();
    for is_back in [false, true] {
        let first = ring.len();
        for number in 0..points.len() {
            let point = points[if is_back { points.len() - 1 - number } else { number }];
            while ring.len() >= first + 2 && plane::side(ring[ring.len() - 2], ring[ring.len() - 1], point) <= FLAT_M2 {
                ring.pop();
            }
            ring.push(point);
        }
        ring.pop();
    }
    ring.truncate(CORNERS_MAX);
    ring
}

/// A piece and its obstacle.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Watched {
    piece: PieceId,
    obstacle: ObstacleId,
    /// Where it was told to be.
    told: Pose,
    /// Whether it is told to be where it is not yet, and stays told so until it is there.
    is_foretold: bool,
    /// Whether it was under way at the last look.
    is_moving: bool,
}

/// Keeps pieces of a level in step with obstacles.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct PieceWatch {
    /// Ascending by piece.
    watched: Vec<Watched>,
    /// The version of the level at the last look.
    looked: u64,
}

/// Where the obstacles of pieces go.
#[derive(Debug)]
pub struct ObstacleTiles<'a> {
    /// The tiles that they are carved into.
    pub table: &'a TileTable,
    /// All obstacles on them.
    pub obstacles: &'a mut Obstacles,
}

impl PieceWatch {
    /// Adds a piece, where it stands. A piece without an extent, or gone, or watched already, is left alone.
    ///
    /// # Errors
    /// As [`Obstacles::add`].
    pub fn watch(
        &mut self,
        piece: PieceId,
        is_public: bool,
        view: LevelView<'_>,
        tiles: ObstacleTiles<'_>,
    ) -> Result<Option<ObstacleId>, ObstacleError> {
        let (LevelView { level, state }, ObstacleTiles { table, obstacles }) = (view, tiles);
        let Err(place) = self.watched.binary_search_by_key(&piece, |it| it.piece) else { return Ok(None) };
        let now = level.pieces().get(usize::from(piece.0)).zip(state.piece(piece));
        let Some((shape, now)) = now.filter(|it| !it.1.is_destroyed) else { return Ok(None) };
        let Some(made) = obstacle_of(shape, &now.pose, table.half_cell_m()) else { return Ok(None) };
        let obstacle = obstacles.add(table, made, is_public)?;
        let one = Watched { piece, obstacle, told: now.pose, is_foretold: false, is_moving: false };
        self.watched.insert(place, one);
        self.looked = state.version();
        Ok(Some(obstacle))
    }

    /// The obstacle of a piece.
    pub fn obstacle(&self, piece: PieceId) -> Option<ObstacleId> {
        self.watched.binary_search_by_key(&piece, |it| it.piece).ok().map(|place| self.watched[place].obstacle)
    }

    /// Tells now where a piece will be, as a wall that cracks before it falls; it is taken to be there from now on. Whether
    /// it is watched.
    ///
    /// # Errors
    /// As [`Obstacles::move_to`].
    pub fn foretell(
        &mut self,
        piece: PieceId,
        pose: Pose,
        level: &Level,
        tiles: ObstacleTiles<'_>,
    ) -> Result<bool, ObstacleError> {
        let ObstacleTiles { table, obstacles } = tiles;
        let Ok(place) = self.watched.binary_search_by_key(&piece, |it| it.piece) else { return Ok(false) };
        let one = &mut self.watched[place];
        if let Some(made) =
            level.pieces().get(usize::from(piece.0)).and_then(|it| obstacle_of(it, &pose, table.half_cell_m()))
        {
            obstacles.move_to(table, one.obstacle, made)?;
            (one.told, one.is_foretold) = (pose, true);
        }
        Ok(true)
    }

    /// Reads the log, and brings every change to the obstacles. To be called once a tick.
    ///
    /// # Errors
    /// As [`Obstacles::move_to`]; what comes after is not brought then, but will be when it changes again.
    pub fn follow(&mut self, view: LevelView<'_>, tiles: ObstacleTiles<'_>) -> Result<(), ObstacleError> {
        let (LevelView { level, state }, ObstacleTiles { table, obstacles }) = (view, tiles);
        let changes = state.changes_since(self.looked);
        self.looked = state.version();
        let mut place = 0;
        while place < self.watched.len() {
            let one = &mut self.watched[place];
            let index = usize::from(one.piece.0);
            let (Some(piece), Some(now)) = (level.pieces().get(index), state.piece(one.piece)) else { break };
            if now.is_destroyed {
                let gone = self.watched.remove(place);
                obstacles.remove(table, gone.obstacle)?;
                continue;
            }
            place += 1;
            let has_changed = match changes {
                Changes::None => false,
                Changes::Some(list) => list.iter().any(|change| change.piece == one.piece),
                Changes::All => true,
            };
            let was_moving = std::mem::replace(&mut one.is_moving, has_changed);
            let goal = goal_of(piece, now);
            if one.is_foretold {
                one.is_foretold = now.pose != one.told;
                continue;
            }
            let gap_m = goal.position.distance(one.told.position);
            let turn_m = math::angle_between(goal.yaw, one.told.yaw).abs() * reach_m(piece);
            let is_told = goal == one.told || (has_changed && gap_m + turn_m < SLACK_M && piece.door.is_none());
            if is_told || !(has_changed || was_moving || piece.door.is_some()) {
                continue;
            }
            if let Some(made) = obstacle_of(piece, &goal, table.half_cell_m()) {
                obstacles.move_to(table, one.obstacle, made)?;
                one.told = goal;
            }
        }
        Ok(())
    }
}

/// Where a piece is, or, for a door, where it goes.
fn goal_of(piece: &Piece, now: &sentir_level::state::PieceState) -> Pose {
    match &piece.door {
        Some(door) if now.is_opening => door.open,
        Some(_) => piece.pose,
        None => now.pose,
    }
}

/// How far a piece reaches from its pivot, m.
fn reach_m(piece: &Piece) -> f32 {
    let corners = piece.patches.iter().flat_map(|patch| &patch.corners);
    corners.map(|corner| plane::ground(*corner).length()).fold(0.0, math::max)
}
