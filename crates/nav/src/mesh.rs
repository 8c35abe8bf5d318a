//! Navigation meshes: convex polygons one can walk on, and the searches on them.
//!
//! | room | holds |
//! |---|---|
//! | [`patch`] | polygons as bakes and files hand them over |
//! | [`table`], [`tile`], [`link`] | the mesh put together from tiles, jumps and doors in it |
//! | [`cost`] | what each kind of ground costs, per request |
//! | [`query`], [`ray`] | nearest place, height, random place, walls; straight lines |
//! | [`any_angle`] | shortest ways, by intervals |
//! | [`corridor`] | ways by costs of areas: A* over polygons, then pulled taut |
//! | [`load`] | the public mesh benchmark files |
//! | [`draw`] | the mesh as shapes |

pub mod any_angle;
mod bvh;
pub mod corridor;
pub mod cost;
pub mod draw;
mod funnel;
mod label;
pub mod link;
pub mod load;
pub(crate) mod open;
pub mod patch;
pub mod query;
pub mod ray;
mod reach;
pub mod table;
pub mod tile;

pub use any_angle::AnyAngleSearch;
pub use corridor::CorridorSearch;
pub use cost::{AreaCost, AreaCosts};
pub use link::{Link, LinkError, LinkId, Traversal};
pub use patch::{AreaId, Patch, PatchError, Polygon};
pub use query::{Wall, WallScratch};
pub(crate) use ray::Crossing;
pub use ray::MeshRay;
pub use reach::MeshQuery;
pub use table::{Mesh, MeshError, MeshPoint};
pub use tile::TileGrid;
