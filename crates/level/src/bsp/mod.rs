//! Quake III levels: binary space partitions of version 46 (`IBSP`), read by code of our own.
//!
//! # The file
//! Little-endian. Eight bytes of head (`IBSP`, 46), then 17 pairs (offset, length), each a lump of records:
//!
//! | lump | record, bytes | what is taken of it |
//! |---|---|---|
//! | 0 entities | text | spawns, items, doors and movers, jump pads and teleporters |
//! | 1 textures | 72 | shader name, surface flags, content flags |
//! | 2 planes | 16 | normal and distance |
//! | 3 nodes, 4 leafs | 36, 48 | what is inside the level and what is not (cluster -1) |
//! | 5 leaf faces, 6 leaf brushes | 4 | kept for who asks |
//! | 7 models | 40 | faces and brushes of the world (0) and of movers |
//! | 8 brushes, 9 brush sides | 12, 8 | convex bodies as sets of planes |
//! | 10 vertices, 11 mesh vertices, 13 faces | 44, 4, 104 | curved patches, models, see-through decoration |
//! | 16 visibility | bits | which clusters may see each other |
//!
//! Effects, light maps and light volumes (12, 14, 15) are passed over, and so are billboards among the faces.
//!
//! # What becomes of it
//! One unit is 1/32 m ([`UNIT_M`]): a power of two, so that coordinates stay exact, and a player of 56 units is 1.75 m
//! tall. The file has x to the east, y to the north and z up; ours is (x, z, -y), so the ground is the file's (x, y).
//!
//! **Bodies, shots and looks all meet brushes and patches**, as in the game itself, where draw faces are for the eye alone:
//! they leave out clips and caulked sides, and hold decoration that one walks through. Of the brushes only the surface is
//! kept: what lies in another brush, faces another one or looks out of the level is cut away ([`brush`]), or bodies would
//! find floors inside of walls and on the roof. Draw faces that no brush explains (models, banners) block looks only. So
//! one set of triangles serves everybody, and each class says what it blocks ([`class`]).
//!
//! Curved patches are cut as finely as it takes to stay within [`patch::TOLERANCE_UNITS`] of the curve.
//!
//! # Cost and limits
//! O(bytes), and about O(sides x neighbors) for cutting brushes. Every number that names a record is checked before
//! anything is built; work and memory are bounded by the counts in [`lump`] and [`brush`]. The same bytes give the same
//! level to the bit. Cut surfaces meet at T-junctions, so a ray may slip through a seam some micrometers wide.

pub mod brush;
pub mod class;
pub mod entity;
pub mod lump;
pub mod patch;
mod surface;
mod thing;
mod winding;
pub mod write;

use glam::Vec3;

use crate::error::{FilePosition, LevelError, Problem};
use crate::level::Annotation;
use crate::mesh::MeshSpec;
use crate::spec::{FloorSpec, LevelSpec, REACH_M, SolidSpec};

pub use lump::Bsp;

/// Length of a unit of the file, m.
pub const UNIT_M: f32 = 1.0 / 32.0;

/// Ours of a point of the file: meters, y up.
pub fn meters([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, -y) * UNIT_M
}

/// The point of the file that is at one of ours.
pub fn units(point: Vec3) -> [f32; 3] {
    let point = point / UNIT_M;
    [point.x, -point.z, point.y]
}

/// Reads a level, called after the file without folders and ending, with one floor that reaches over all of it.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    let refuse = |(place, problem): (FilePosition, Problem)| LevelError { file: name.to_owned(), place, problem };
    let bsp = lump::read(bytes).map_err(|problem| refuse((FilePosition::default(), problem)))?;
    let entities = entity::parse(&bsp.entities).map_err(refuse)?;
    let mut spec = LevelSpec {
        file: name.to_owned(),
        name: stem(name),
        surfaces: class::surfaces().into_iter().map(Into::into).collect(),
        is_foreign: true,
        ..LevelSpec::default()
    };
    let mut world = surface::Sheet::default();
    let mut cutter = brush::Cutter::new(&bsp).map_err(|problem| refuse((FilePosition::default(), problem)))?;
    let built = surface::world(&bsp, &mut cutter, &mut world)
        .and_then(|()| thing::entities(&bsp, &entities, &mut cutter, &mut world, &mut spec));
    built.map_err(|problem| refuse((FilePosition::default(), problem)))?;
    let mesh = world.mesh;
    if mesh.triangles.is_empty() {
        let why = "the level has no surface: expected brushes or patches that hold bodies";
        return Err(refuse((FilePosition::default(), Problem::Wrong(why))));
    }
    spec.floors.push(floor(&mesh).into());
    spec.solids.push(SolidSpec::Mesh(surface::use_of("world")).into());
    spec.meshes.insert("world".to_owned(), mesh);
    Ok(spec)
}

/// What draw faces show: polygons, meshes and patches of the world with a material each, named by the shader. What a
/// picture of the level is made of; bodies go by [`parse`].
pub fn drawn(bytes: &[u8], name: &str) -> Result<MeshSpec, LevelError> {
    let refuse = |problem: Problem| LevelError { file: name.to_owned(), place: FilePosition::default(), problem };
    let bsp = lump::read(bytes).map_err(refuse)?;
    surface::drawn(&bsp).map_err(refuse)
}

/// Where a jump pad or teleporter among the annotations of such a level leads to, m; none for other annotations. For a
/// jump pad it is the highest point of the flight.
pub fn link_end(annotation: &Annotation) -> Option<Vec3> {
    let mut numbers = annotation.text.strip_prefix("to ")?.split(' ').map(|word| word.parse::<f32>().ok());
    let (x, y, height_m) = (numbers.next()??, numbers.next()??, numbers.next()??);
    Some(Vec3::new(x, height_m, -y))
}

/// The name without folders and ending, cut to what a name may have.
fn stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let stem: String = stem.chars().take(64).collect();
    if stem.is_empty() { "level".to_owned() } else { stem }
}

fn floor(mesh: &MeshSpec) -> FloorSpec {
    let most = mesh.vertices.iter().fold(0.0, |most, vertex| sentir_core::math::max(most, vertex[1].abs()));
    let reach = sentir_core::math::min(most + 4.0, REACH_M);
    FloorSpec { name: "ground".to_owned(), level_m: 0.0, down_m: reach, up_m: reach, outline: Vec::new() }
}
