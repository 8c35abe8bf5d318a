//! The level: immutable, checked, ready to be asked. What can change lies beside it, in a [`LevelState`].
//!
//! [`LevelState`]: crate::state::LevelState

use glam::{UVec2, Vec2, Vec3};
use sentir_core::body::Pose;
use sentir_core::{math, plane};

use crate::aabb::Aabb;
use crate::polygon;
use crate::solid::{Patch, PatchKind};
use crate::surface::SurfaceClass;
use crate::tree::Tree;

/// A number of a floor of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sentir_core::State)]
pub struct FloorId(pub u16);

/// A number of a piece of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sentir_core::State)]
pub struct PieceId(pub u16);

/// A level. Made by [`LevelSpec::build`](crate::spec::LevelSpec::build).
#[derive(Clone, Debug)]
pub struct Level {
    pub(crate) name: String,
    pub(crate) surfaces: Vec<SurfaceClass>,
    pub(crate) floors: Vec<Floor>,
    pub(crate) tree: Tree,
    pub(crate) patches: Vec<Patch>,
    pub(crate) dropped: u32,
    pub(crate) left_out_spawns: u32,
    pub(crate) obstacles: Vec<Obstacle>,
    pub(crate) tiles: Vec<TileMap>,
    pub(crate) spawns: Vec<Spawn>,
    pub(crate) items: Vec<Item>,
    pub(crate) areas: Vec<Area>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) annotations: Vec<Annotation>,
}

/// A floor: a range of heights, over all of the ground or over a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Its name.
    pub name: String,
    /// The height one walks at, m.
    pub level_m: f32,
    /// Least height that belongs to it, m.
    pub low_m: f32,
    /// Heights from here on do not belong to it, m.
    pub high_m: f32,
    /// Where it is; everywhere when empty.
    pub outline: Vec<Vec2>,
}

impl Floor {
    /// Whether a point belongs to its range of heights and to its outline.
    pub fn holds(&self, point: Vec3) -> bool {
        self.low_m <= point.y
            && point.y < self.high_m
            && (self.outline.is_empty() || polygon::contains(&self.outline, plane::ground(point)))
    }
}

/// A 2D obstacle of a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Which floor.
    pub floor: FloorId,
    /// Its border, counter-clockwise, m.
    pub outline: Vec<Vec2>,
    /// Its surface class.
    pub surface: u16,
}

/// A kind of terrain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Whether nobody may pass.
    pub is_impassable: bool,
}

/// Tile terrain of a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    /// Which floor.
    pub floor: FloorId,
    /// The corner with the least ground coordinates, m.
    pub origin: Vec2,
    /// Side of a tile, m.
    pub cell_m: f32,
    /// Tiles along ground x and y.
    pub size: UVec2,
    /// Kinds of terrain; at most 255.
    pub tags: Vec<Tag>,
    /// Numbers of tags, row by row from the origin on.
    pub cells: Vec<u8>,
}

impl TileMap {
    /// The tile under a ground point; none off the map.
    pub fn cell_at(&self, point: Vec2) -> Option<UVec2> {
        let cell = (point - self.origin) / self.cell_m;
        let inside = cell.x >= 0.0 && cell.y >= 0.0 && cell.x < self.size.x as f32 && cell.y < self.size.y as f32;
        inside.then(|| UVec2::new(cell.x as u32, cell.y as u32))
    }

    /// What a tile is; none off the map.
    pub fn tag(&self, cell: UVec2) -> Option<&Tag> {
        let is_inside = cell.x < self.size.x && cell.y < self.size.y;
        let index = cell.y as usize * self.size.x as usize + cell.x as usize;
        is_inside.then(|| &self.tags[usize::from(self.cells[index])])
    }
}

/// Where a body begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// Whose.
    pub team: String,
    /// Feet on the ground, and where it looks.
    pub pose: Pose,
    /// Which floor.
    pub floor: FloorId,
}

/// Something to pick up.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: String,
    /// Where, m.
    pub position: Vec3,
    /// Which floor.
    pub floor: FloorId,
    /// How much of it.
    pub amount: f32,
    /// When it comes back after it was taken, s; 0 is never.
    pub respawn_s: f32,
}

/// A named region of a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: String,
    /// Which floor.
    pub floor: FloorId,
    /// Its border, counter-clockwise, m.
    pub outline: Vec<Vec2>,
}

/// A designer's hint.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// What it is.
    pub kind: String,
    /// Where, m.
    pub position: Vec3,
    /// Which floor.
    pub floor: FloorId,
    /// A direction that matters, rad.
    pub yaw: Option<f32>,
    /// Free words.
    pub text: String,
}

/// A piece that moves, opens or breaks: its shape about its own pivot, and what it can do.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// Which floor it was authored on.
    pub floor: FloorId,
    /// Its pose at first; a door's when closed.
    pub pose: Pose,
    /// How it opens.
    pub door: Option<Door>,
    /// How much damage it takes.
    pub health: Option<f32>,
    /// Where it goes by itself.
    pub path: Option<Path>,
    /// Its upper faces, about the pivot.
    pub patches: Vec<Patch>,
    pub(crate) tree: Tree,
    /// The box about the pivot that holds it at any yaw.
    pub(crate) reach: Aabb,
}

/// How a door opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    /// Its pose when open.
    pub open: Pose,
    /// How long it takes, s.
    pub open_s: f32,
    /// Whether it begins open.
    pub starts_open: bool,
    /// Whether it begins locked.
    pub is_locked: bool,
}

/// Where a mover goes, round and round.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The legs in turn; the last one ends where the first begins.
    pub legs: Vec<Leg>,
    /// How long one round takes, s.
    pub round_s: f32,
}

/// A way from one pose to the next, after a wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it waits first.
    pub from: Pose,
    /// Where it goes then.
    pub to: Pose,
    /// How long it waits, s.
    pub wait_s: f32,
    /// How long it goes, s.
    pub travel_s: f32,
}

impl Path {
    /// The pose at a time within a round, s.
    pub fn pose_at(&self, time_s: f32) -> Pose {
        let mut left = time_s;
        for leg in &self.legs {
            if left < leg.wait_s {
                return leg.from;
            }
            left -= leg.wait_s;
            if left < leg.travel_s {
                return leg.from.lerp(leg.to, left / leg.travel_s);
            }
            left -= leg.travel_s;
        }
        self.legs.last().map_or_else(Pose::default, |leg| leg.to)
    }
}

impl Level {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Surface classes; hits name them by number.
    pub fn surfaces(&self) -> &[SurfaceClass] {
        &self.surfaces
    }

    /// Floors; at least one.
    pub fn floors(&self) -> &[Floor] {
        &self.floors
    }

    /// The floor a point in space belongs to: of those that hold it, the highest, the first of equals. So who stands on a
    /// bridge is on the bridge, and who stands below it is not.
    pub fn floor_at(&self, point: Vec3) -> Option<FloorId> {
        let level = |floor: &Floor| if floor.holds(point) { floor.level_m } else { f32::NAN };
        sentir_core::order::greatest(self.floors.iter().map(level)).map(|index| FloorId(index as u16))
    }

    /// The floor of a name.
    pub fn floor_named(&self, name: &str) -> Option<FloorId> {
        self.floors.iter().position(|floor| floor.name == name).map(|index| FloorId(index as u16))
    }

    /// Upper faces of the fixed geometry, lowest first.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// The borders of what stands in the way of bodies between two heights, counter-clockwise, on the ground: fixed boxes
    /// and walls, then the 2D obstacles of floors in between. For what thinks in 2D; meshes have none.
    pub fn outlines(&self, low_m: f32, high_m: f32) -> Vec<Vec<Vec2>> {
        let is_between = |foot_m: f32, top_m: f32| foot_m < high_m && top_m > low_m;
        let blocks = self.patches.iter().filter(|patch| {
            let holds = self.surfaces.get(usize::from(patch.surface)).is_none_or(|class| class.blocks_bodies);
            let top_m = patch.corners.iter().fold(f32::MIN, |top, corner| math::max(top, corner.y));
            patch.kind == PatchKind::Block && holds && is_between(patch.foot_m, top_m)
        });
        let blocks = blocks.map(|patch| patch.corners.iter().map(|&corner| plane::ground(corner)).collect());
        let obstacles = self.obstacles.iter().filter(|obstacle| {
            self.floors.get(usize::from(obstacle.floor.0)).is_some_and(|floor| is_between(floor.low_m, floor.high_m))
        });
        blocks.chain(obstacles.map(|obstacle| obstacle.outline.clone())).collect()
    }

    /// 2D obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Tile terrain.
    pub fn tiles(&self) -> &[TileMap] {
        &self.tiles
    }

    /// Where bodies begin.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// What can be picked up.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Named regions.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The areas a point in space lies in, in order.
    pub fn areas_at(&self, point: Vec3) -> impl Iterator<Item = &Area> {
        let floor = self.floor_at(point);
        let ground = plane::ground(point);
        self.areas.iter().filter(move |area| Some(area.floor) == floor && polygon::contains(&area.outline, ground))
    }

    /// Doors, destructible and moving pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The piece of a name.
    pub fn piece_named(&self, name: &str) -> Option<PieceId> {
        self.pieces.iter().position(|piece| piece.name == name).map(|index| PieceId(index as u16))
    }

    /// Designers' hints.
    pub fn annotations(&self) -> &[Annotation] {
        &self.annotations
    }

    /// The box around the fixed geometry; empty when there is none.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// How many triangles the fixed geometry has.
    pub fn triangle_count(&self) -> usize {
        self.tree.triangles.len()
    }

    /// How many triangles without area the fixed geometry had; they are left out. Authored shapes have none, meshes may.
    pub fn dropped_triangle_count(&self) -> u32 {
        self.dropped
    }

    /// How many spawns of a level made for another game were left out, as nobody of ours can stand there.
    pub fn left_out_spawn_count(&self) -> u32 {
        self.left_out_spawns
    }
}
