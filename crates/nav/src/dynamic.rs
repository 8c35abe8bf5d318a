//! Living meshes: obstacles appear, move and go, tiles are rebuilt within a budget, and each agent knows what it knows.
//!
//! **The truth is one.** [`Obstacles`] is the state: footprints by stable ids, the tiles that wait, a version for each tile
//! that was rebuilt. [`DynamicMesh`] is a memo of it: the mesh, made of the table and of nothing but that state, so it may be
//! dropped and made again at any tick. A tile is made of the footprints that were in the mesh when it was rebuilt last, and a
//! footprint that went is kept until no waiting tile needs it: so the memo is the same bits whenever it is made.
//!
//! **What is known differs.** A *public* obstacle is carved: a hole for everybody. A *private* one is marked: its footprint,
//! a body's radius round it included, stays as ground of an area of its own. An agent's [`Knowledge`] says which footprints
//! it believes in, and [`DynamicMesh::costs`] makes these, and no others, impassable for its searches, rays and walls. What
//! moved or went stays marked as a *ghost* while somebody still believes in it ([`Obstacles::sweep`]): the truth is open,
//! the belief is shut.
//!
//! **Work** is counted in spans of the tiles rebuilt; what a tick takes beyond its budget is owed, as in
//! [`request`](crate::request). Cost of a rebuilt tile: polygons from the kept field, then one pass over the tables of the
//! mesh; this allocates. All else does not, once its lists have grown.
//!
//! ```
//! use sentir_nav::bake::{BakeConfig, LevelFilter, Obstacle, Shape, level};
//! use sentir_nav::core::glam::{Vec2, Vec3};
//! use sentir_nav::dynamic::{Knowledge, DynamicMesh, Obstacles};
//! use sentir_nav::mesh::{AreaCosts, CorridorSearch, MeshQuery};
//!
//! let text = b"{name: hall, solids: [{slab: {outline: [[0, 0], [20, 0], [20, 6], [0, 6]]}}]}";
//! let hall = sentir_level::yaml::parse(text, "hall.yaml").unwrap().build().unwrap();
//! let state = sentir_level::LevelState::new(&hall);
//! let table = level(&hall, &state, &LevelFilter::default(), &BakeConfig::default()).unwrap();
//!
//! let mut obstacles = Obstacles::default();
//! let mut dynamic = DynamicMesh::new(&table).unwrap();
//! // A wall across the hall that only some know of.
//! let shape = Shape::Rectangle { center: Vec2::new(10.0, 3.0), half: Vec2::new(0.3, 3.0), yaw: 0.0 };
//! let wall = obstacles.add(&table, Obstacle { shape, low_m: 0.0, high_m: 3.0 }, false).unwrap();
//! obstacles.step(&table, u32::MAX);
//! dynamic.follow(&table, &obstacles).unwrap();
//!
//! let (mut simple, mut informed) = (Knowledge::default(), Knowledge::default());
//! informed.learn(obstacles.footprint_of(wall).unwrap());
//! let mut search = CorridorSearch::default();
//! let mut finds = |knowledge: &Knowledge| {
//!     let costs = dynamic.costs(&AreaCosts::PLAIN, knowledge);
//!     let query = MeshQuery::new(Vec3::new(2.0, 0.0, -3.0), Vec3::new(18.0, 0.0, -3.0));
//!     search.find(dynamic.mesh(), &MeshQuery { costs: &costs, ..query }).is_found()
//! };
//! assert!(finds(&simple) && !finds(&informed));
//! simple.touch(&obstacles, Vec3::new(9.5, 0.0, -3.0), 0.5);
//! assert!(!finds(&simple));
//! ```

pub mod knowledge;
pub mod mesh;
pub mod obstacles;
pub mod piece;
#[cfg(test)]
mod tests;

pub use knowledge::{Belief, Eye, Knowledge, Learned};
pub use mesh::DynamicMesh;
pub use obstacles::{Footprint, FootprintId, ObstacleError, ObstacleId, Obstacles};
pub use piece::{ObstacleTiles, PieceWatch, obstacle_of};
