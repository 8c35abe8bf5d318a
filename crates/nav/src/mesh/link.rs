//! Links: ways between two points of a mesh that are not ground, such as jumps, drops, doors and ladders.

use sentir_core::State;
use sentir_core::glam::Vec3;

/// Which link of a mesh: its place in the order they were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct LinkId(pub u32);

/// How a link is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Traversal {
    /// By a jump.
    Jump,
    /// By letting oneself fall.
    Drop,
    /// Through a door.
    Door,
    /// On a ladder.
    Ladder,
    /// In a way the host knows; the number is its own.
    User(u16),
}

/// A way between two points of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it begins, m; put onto the mesh when added.
    pub from: Vec3,
    /// Where it ends, m; put onto the mesh when added.
    pub to: Vec3,
    /// How it is passed.
    pub traversal: Traversal,
    /// Whether it can also be passed from its end to its beginning.
    pub is_two_way: bool,
    /// What passing it costs, m of plain ground. Limit: finite, >= 0.
    pub cost_m: f32,
    /// Whether it can be passed at the moment.
    pub is_open: bool,
}

/// Why a link is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// An end or the cost is not finite, or the cost is negative.
    NotFinite,
    /// An end has no ground within reach. After a tile was replaced this may hold for links that were good before.
    OffMesh,
}

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LinkError::NotFinite => "the link is not finite: expected plain points and a cost of 0 or more",
            LinkError::OffMesh => "the link ends in the air: expected ground of the mesh at both ends",
        })
    }
}

impl std::error::Error for LinkError {}
