//! What is authored: a level as data, from a file or from code. [`LevelSpec::build`] checks it and makes a level of it.
//!
//! Places are ground coordinates, (x, −z), as on a plan seen from above; heights count from the level of the floor that a
//! thing names (the first floor if it names none). Angles are degrees here and nowhere else: people write them.
//! Limit of every coordinate: ±[`REACH_M`].

use std::collections::BTreeMap;

use serde::Deserialize;

pub use sentir_asset::Placed;

use crate::mesh::MeshSpec;
use crate::surface::SurfaceClass;

/// How far from the origin anything may lie, m: there, floats have steps of 1 mm.
pub const REACH_M: f32 = 10_000.0;

/// A list of values with their places.
pub type List<T> = Vec<Placed<T>>;

/// A whole level.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelSpec {
    /// The file it came from, for messages.
    #[serde(skip)]
    pub file: String,
    /// What the level is called.
    pub name: String,
    /// Surface classes besides the stock ones.
    #[serde(default)]
    pub surfaces: List<SurfaceClass>,
    /// Floors; a level without any gets one, `ground`, at height 0.
    #[serde(default)]
    pub floors: List<FloorSpec>,
    /// Fixed geometry.
    #[serde(default)]
    pub solids: List<SolidSpec>,
    /// 2D obstacles that are no part of the geometry.
    #[serde(default)]
    pub obstacles: List<ObstacleSpec>,
    /// Tile terrain.
    #[serde(default)]
    pub tiles: List<TileSpec>,
    /// Where bodies begin.
    #[serde(default)]
    pub spawns: List<SpawnSpec>,
    /// What can be picked up.
    #[serde(default)]
    pub items: List<ItemSpec>,
    /// Named regions.
    #[serde(default)]
    pub areas: List<AreaSpec>,
    /// Doors, destructible and moving pieces.
    #[serde(default)]
    pub pieces: List<PieceSpec>,
    /// Designers' hints.
    #[serde(default)]
    pub annotations: List<AnnotationSpec>,
    /// Meshes by name, for solids of kind `mesh`; put in by the host, which reads the files.
    #[serde(skip)]
    pub meshes: BTreeMap<String, MeshSpec>,
    /// Made for another game: spawns fall onto the ground, and those without ground or room are left out and counted
    /// ([`Level::left_out_spawn_count`](crate::level::Level::left_out_spawn_count)), instead of being refused.
    #[serde(skip)]
    pub is_foreign: bool,
    /// Numbers of items that fall onto the ground, if there is any below them.
    #[serde(skip)]
    pub falling_items: Vec<u32>,
}

/// A floor: what 2D data belongs to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloorSpec {
    /// Its name.
    pub name: String,
    /// The height one walks at, m.
    #[serde(default)]
    pub level_m: f32,
    /// How far below that it reaches, m. Limit: ≥ 0.
    #[serde(default = "down_m")]
    pub down_m: f32,
    /// How far above that it reaches, m. Limit: > 0.
    #[serde(default = "up_m")]
    pub up_m: f32,
    /// Where it is; everywhere when empty.
    #[serde(default)]
    pub outline: Vec<[f32; 2]>,
}

fn down_m() -> f32 {
    0.5
}

fn up_m() -> f32 {
    2.5
}

/// A piece of geometry.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SolidSpec {
    /// A box, turned about its middle.
    Box(BoxSpec),
    /// A wall along a line of corners.
    Wall(WallSpec),
    /// A wedge that rises from one end to the other.
    Ramp(RampSpec),
    /// A flight of steps that rises from one end to the other.
    Stairs(StairsSpec),
    /// A level plate with holes.
    Slab(SlabSpec),
    /// A mesh by name.
    Mesh(MeshUseSpec),
}

/// A box.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxSpec {
    /// Middle, m.
    pub at: [f32; 2],
    /// Extent along x and y, m. Limit: > 0.
    pub size: [f32; 2],
    /// Height, m. Limit: > 0.
    pub height_m: f32,
    /// Turn, counter-clockwise from above, degrees.
    #[serde(default)]
    pub yaw_deg: f32,
    /// Height of its foot over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A wall.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WallSpec {
    /// Corners of its middle line, m. Limit: 2..=512.
    pub along: Vec<[f32; 2]>,
    /// Whether it goes on from the last corner to the first.
    #[serde(default)]
    pub is_closed: bool,
    /// Height, m. Limit: > 0.
    pub height_m: f32,
    /// Thickness, m. Limit: > 0.
    #[serde(default = "thickness_m")]
    pub thickness_m: f32,
    /// Height of its foot over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

fn thickness_m() -> f32 {
    0.3
}

/// A ramp.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RampSpec {
    /// Middle of its low end, m.
    pub from: [f32; 2],
    /// Middle of its high end, m.
    pub to: [f32; 2],
    /// Width, m. Limit: > 0.
    pub width_m: f32,
    /// How much it rises, m. Limit: > 0.
    pub rise_m: f32,
    /// Height of its foot over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// Stairs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StairsSpec {
    /// Middle of the foot of the first step, m.
    pub from: [f32; 2],
    /// Middle of the far edge of the last step, m.
    pub to: [f32; 2],
    /// Width, m. Limit: > 0.
    pub width_m: f32,
    /// How much all steps rise together, m. Limit: > 0.
    pub rise_m: f32,
    /// How many steps. Limit: 1..=256.
    pub steps: u32,
    /// Height of its foot over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A plate.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlabSpec {
    /// Its border, m. Limit: 3..=512 corners.
    pub outline: Vec<[f32; 2]>,
    /// Holes in it, apart from each other and from the border. Limit: 1024 corners with the border.
    #[serde(default)]
    pub holes: Vec<Vec<[f32; 2]>>,
    /// Height of its top over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Thickness, downward from its top, m; 0 is a sheet. Limit: ≥ 0.
    #[serde(default)]
    pub thickness_m: f32,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A mesh, placed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshUseSpec {
    /// Which mesh.
    pub name: String,
    /// Where its origin goes, m.
    #[serde(default)]
    pub at: [f32; 2],
    /// Turn, counter-clockwise from above, degrees.
    #[serde(default)]
    pub yaw_deg: f32,
    /// Factor of its size. Limit: > 0.
    #[serde(default = "scale")]
    pub scale: f32,
    /// Height of its origin over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Surface classes by material or group of the mesh. What is not named takes the class of its own name, if there is
    /// one, and `surface` otherwise.
    #[serde(default)]
    pub surfaces: BTreeMap<String, String>,
    /// Surface class of the rest; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

fn scale() -> f32 {
    1.0
}

/// A 2D obstacle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleSpec {
    /// Its border, m. Limit: 3..=512 corners.
    pub outline: Vec<[f32; 2]>,
    /// Surface class; `solid` when absent.
    #[serde(default)]
    pub surface: Option<String>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// Tile terrain.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSpec {
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
    /// The corner with the least coordinates, m.
    #[serde(default)]
    pub origin: [f32; 2],
    /// Side of a tile, m. Limit: > 0.
    #[serde(default = "scale")]
    pub cell_m: f32,
    /// What the marks mean. Limit: 1..=255.
    pub legend: List<TagSpec>,
    /// Rows of marks, the farthest (greatest y) first, all of one length.
    pub rows: List<String>,
    /// Tiles from elsewhere (a picture), as numbers into the legend; then `rows` is empty.
    #[serde(skip)]
    pub cells: Option<CellSpec>,
}

/// Tiles as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSpec {
    /// How many in a row. Limit: 1..=4096.
    pub columns: u32,
    /// Numbers into the legend, row by row, the nearest (least y) row first.
    pub tags: Vec<u8>,
}

/// A kind of terrain.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagSpec {
    /// The letter that stands for it in rows.
    pub mark: char,
    /// Its name.
    pub tag: String,
    /// Whether nobody may pass.
    #[serde(default)]
    pub is_impassable: bool,
}

/// Where a body begins.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpawnSpec {
    /// Whose.
    pub team: String,
    /// Where, m.
    pub at: [f32; 2],
    /// Where it looks, degrees; 0 is along +y, counter-clockwise.
    #[serde(default)]
    pub yaw_deg: f32,
    /// Height over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// Something to pick up.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemSpec {
    /// What it is, as in `health`.
    pub kind: String,
    /// Where, m.
    pub at: [f32; 2],
    /// Height over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// How much of it. Limit: ≥ 0.
    #[serde(default = "scale")]
    pub amount: f32,
    /// When it comes back after it was taken, s; 0 is never. Limit: ≥ 0.
    #[serde(default)]
    pub respawn_s: f32,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A named region of a floor.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaSpec {
    /// Its name.
    pub name: String,
    /// What it is for, as in `supply`, `heal`, `goal`.
    pub kind: String,
    /// Its border, m. Limit: 3..=512 corners.
    pub outline: Vec<[f32; 2]>,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A designer's hint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotationSpec {
    /// What it is, as in `cover`, `attack`.
    pub kind: String,
    /// Where, m.
    pub at: [f32; 2],
    /// Height over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// A direction that matters, degrees; 0 is along +y, counter-clockwise.
    #[serde(default)]
    pub yaw_deg: Option<f32>,
    /// Free words.
    #[serde(default)]
    pub text: String,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
}

/// A piece that moves, opens or breaks. Its solids are authored about its own pivot: (0, 0) at its foot.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceSpec {
    /// Its name.
    pub name: String,
    /// Where its pivot is, m.
    pub at: [f32; 2],
    /// Height of the pivot over the floor, m.
    #[serde(default)]
    pub base_m: f32,
    /// Turn about the pivot, counter-clockwise from above, degrees.
    #[serde(default)]
    pub yaw_deg: f32,
    /// Floor; the first when absent.
    #[serde(default)]
    pub floor: Option<String>,
    /// Its geometry; base heights count from the pivot, floors are not named here.
    pub solids: List<SolidSpec>,
    /// How it opens, if it is a door.
    #[serde(default)]
    pub door: Option<DoorSpec>,
    /// How much damage it takes, if it breaks. Limit: > 0.
    #[serde(default)]
    pub health: Option<f32>,
    /// Where it goes, if it moves by itself.
    #[serde(default)]
    pub path: Option<PathSpec>,
}

/// How a door opens: the way from its closed to its open pose.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoorSpec {
    /// Shift on the ground, m.
    #[serde(default)]
    pub by: [f32; 2],
    /// Shift upward, m.
    #[serde(default)]
    pub rise_m: f32,
    /// Turn about the pivot, degrees. Limit: ±180.
    #[serde(default)]
    pub turn_deg: f32,
    /// How long it takes, s. Limit: > 0.
    #[serde(default = "scale")]
    pub open_s: f32,
    /// Whether it begins open.
    #[serde(default)]
    pub starts_open: bool,
    /// Whether it begins locked; a locked door does not begin to open.
    #[serde(default)]
    pub is_locked: bool,
}

/// Where a mover goes: from its own pose through the stops in turn.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathSpec {
    /// The stops after the own pose. Limit: 1..=64.
    pub stops: List<StopSpec>,
    /// How long the way from the last stop back to the own pose takes, s. Limit: > 0.
    pub back_s: f32,
    /// How long it waits in its own pose, s. Limit: ≥ 0.
    #[serde(default)]
    pub wait_s: f32,
}

/// A stop of a mover, from its own pose.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSpec {
    /// Shift on the ground, m.
    #[serde(default)]
    pub by: [f32; 2],
    /// Shift upward, m.
    #[serde(default)]
    pub rise_m: f32,
    /// Turn about the pivot, degrees. Limit: ±180.
    #[serde(default)]
    pub turn_deg: f32,
    /// How long the way to here takes, s. Limit: > 0.
    pub travel_s: f32,
    /// How long it waits here, s. Limit: ≥ 0.
    #[serde(default)]
    pub wait_s: f32,
}
