//! Levels: what stands where, what it is made of, what a ray meets, and what changed.
//!
//! | room | holds |
//! |---|---|
//! | [`spec`] | what is authored; [`LevelSpec::build`](spec::LevelSpec::build) checks it once |
//! | [`level`] | the immutable [`Level`]: geometry, floors, tiles, spawns, items, areas, pieces, hints |
//! | [`state`] | the [`LevelState`] beside it: doors, movers, damage, the log of changes |
//! | [`view`] | both together: rays, overlaps, ground; core's `Geometry` |
//! | [`mod@sight`] | three rays to a body |
//! | [`load`] | readers of bytes ([`yaml`], [`tile`], [`image`], [`obj`], [`bsp`]; with the feature `gltf`, `gltf`), stock levels, the table for fuzzing |
//! | [`draw`] | the level from above |
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
pub mod yaml;

pub use aabb::Aabb;
pub use build::{PIECES_MAX, THINGS_MAX, TILES_MAX, TILES_PER_AXIS_MAX};
pub use error::{LevelError, Place, Problem};
pub use level::{FloorId, Level, PieceId};
pub use load::{LOADERS, STOCK, parse, stock};
pub use overlap::nearest_on_triangle;
pub use sight::{Sight, sight};
pub use spec::LevelSpec;
pub use state::{Change, ChangeKind, Changes, DoorAnswer, LevelState, STOWED_M};
pub use surface::{Blocks, SurfaceClass};
pub use view::{Ground, LevelHit, LevelTriangle, LevelView};
