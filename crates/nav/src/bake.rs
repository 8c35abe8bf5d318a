//! Baking: navigation meshes out of triangles, tile by tile, and out of floor plans.
//!
//! Triangles become a field of spans (heights one can stand at, cell by cell) by the crate `rerecast`, a port of Recast's
//! voxelization (Mononen 2009): rasterize, then leave out what is too steep, too low or a ledge. From there on there are
//! two ways:
//!
//! - [`whole()`]: Recast's own stages (watershed, contours, polygons) in one piece. The reference.
//! - [`level`], [`TileField`]: ours, by tiles. A tile keeps its field, so an obstacle that comes or goes costs one
//!   [`TileField::polygonize`]: carve, erode by the radius of the body, split into layers that never overlap, trace and
//!   straighten the borders, triangulate (constrained Delaunay), join into convex polygons.
//!
//! Guarantees of the tiled way: polygons of a layer do not overlap; borders of tiles are exact (both sides have the same
//! f32 coordinate); at the middle of every cell, a polygon is within about [`BakeConfig::height_error_m`] of the field; the same
//! input gives the same bytes, on every target, and a removed obstacle gives back the bytes from before.
//!
//! [`plan()`] makes a patch of polygons with holes, without any field.

mod budget;
pub mod config;
mod contour;
mod field;
mod layer;
pub mod mark;
pub mod obstacle;
pub mod plan;
mod polygon;
mod raster;
mod simplify;
mod solid;
pub mod source;
pub mod table;
#[cfg(test)]
mod tests;
pub mod whole;

pub use budget::{STEPS_MAX, TOUCHES_MAX};
pub use config::{BakeConfig, BakeError};
pub use field::{FieldScratch, TileField};
pub use mark::Overlay;
pub use obstacle::{Obstacle, Shape};
pub use plan::{PlanConfig, PlanError, PlanShape, plan};
pub use source::{AreaVolume, BakeSource, LevelFilter};
pub use table::{TileTable, bake, check, level};
pub use whole::whole;
