//! Levels: what stands where, what it is made of, what a ray meets, and what changed.
//!
//! | module | holds |
//! |---|---|
//! | [`spec`] | what is authored; [`LevelSpec::build`](spec::LevelSpec::build) checks it once |
//! | [`level`] | the immutable [`Level`]: geometry, floors, tiles, spawns, items, areas, pieces, hints |
//! | [`state`] | the [`LevelState`] beside it: doors, movers, damage, the log of changes |
//! | [`view`] | both together: rays, overlaps, ground; core's `Geometry` |
//! | [`mod@sight`] | three rays to a body |
//! | [`load`] | readers of bytes ([`tile`], [`obj`], [`bsp`]; with their features [`yaml`], [`image`] and `gltf`), stock levels, the table for fuzzing |
//! | [`draw`] | the level from above |
//!
//! **Features**: `yaml` (YAML and the stock levels) and `png` (pictures as tiles), on by default; `gltf`, off. Without any of
//! them a level is authored by code, or read from tiles, OBJ and BSP.
//!
//! Nothing here does I/O: hosts read files and hand in bytes. The same bytes give the same bits on every target.

mod aabb;
pub mod bsp;
mod build;
mod cast;
mod check;
pub mod draw;
pub mod error;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "png")]
pub mod image;
pub mod level;
pub mod load;
pub mod mesh;
pub mod obj;
mod overlap;
pub mod polygon;
pub mod sight;
pub mod solid;
pub mod spec;
pub mod stand;
pub mod state;
pub mod surface;
mod sweep;
pub mod tile;
mod tree;
#[cfg(test)]
mod twin;
pub mod view;
#[cfg(feature = "yaml")]
pub mod yaml;

pub use aabb::Aabb;
pub use build::{PIECES_MAX, THINGS_MAX, TILES_MAX, TILES_PER_AXIS_MAX};
pub use error::{FilePosition, LevelError, Problem};
pub use level::{FloorId, Level, PieceId};
pub use load::{LOADERS, parse};
#[cfg(feature = "yaml")]
pub use load::{STOCK, stock};
pub use overlap::nearest_on_triangle;
pub use sentir_asset as asset;
pub use sentir_core as core;
pub use sight::{Sight, sight};
pub use spec::LevelSpec;
pub use state::{Change, ChangeKind, Changes, DoorAnswer, LevelState, STOWED_M};
pub use surface::{Blocks, SurfaceClass};
pub use sweep::CapsuleAxis;
pub use view::{GroundHit, LevelHit, LevelTriangle, LevelView};
