//! Cover: where obstacles are near, where one is covered along their edges, and from which directions everywhere else.
//!
//! | room | holds |
//! |---|---|
//! | [`border`] | borders of obstacles and how near they are |
//! | [`set`] | cover points and edges along the walls of a mesh, by rays into the level at two heights |
//! | [`map`] | cover of every cell in sixteen directions, followed through the level's changes |

pub mod border;
pub mod draw;
pub mod map;
pub mod set;

pub use border::{Border, Borders};
pub use map::{CoverCell, CoverMap, CoverMapConfig};
pub use set::{CoverConfig, CoverEdge, CoverHeight, CoverPoint, CoverSet};
