//! Navigation meshes: convex polygons one can walk on, and the searches on them.

pub mod patch;

pub use patch::{AreaId, Patch, PatchError, Polygon};
