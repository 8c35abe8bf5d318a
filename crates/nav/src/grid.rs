//! Tile grids: terrain with tags, a cost per tag and kind of unit, and the searches on them.
//!
//! A [`Terrain`] is what the map holds: a tag a cell (path, grass, water, …) and obstacles that are no part of the terrain.
//! A [`UnitGrid`] is the terrain as one kind of unit walks it: where it can stand, which of the eight steps are open, what they
//! cost, and which cells hang together. Searches read a `UnitGrid` and keep their memory in a struct of their own, so a second
//! query allocates nothing.
//!
//! | search | for |
//! |---|---|
//! | [`Astar`] | any costs, four or eight neighbors, a heuristic of one's choice; the plain one |
//! | [`JumpPoint`] | eight neighbors where all ground costs the same: the same lengths for a fraction of the work |
//! | [`AnyAngle`] | the same ground, but paths that do not keep to eight directions; what a body should walk |
//! | [`Hierarchy`] | long ways on big maps with any costs, a few percent too long |
//! | [`Lrta`] | a unit that decides one step at a time and learns as it goes; cheap, and it shows |
//! | [`Dstar`] | a unit on its way while the map changes: repairs instead of searching again |
//! | [`FlowField`] | one goal (or several) and thousands that go there |
//! | [`LayeredSearch`] | ground with influence, danger and other layers of cost on it ([`LayeredGrid`]), which all of these can read |
//!
//! **Steps and corners.** A straight step leads to one of four neighbors, a diagonal one to the other four, and only if both
//! cells that it passes between are free: no corner is cut. So what hangs together, hangs together by straight steps.
//!
//! **Lengths** are whole numbers inside a search: 985 a straight step and 1393 a diagonal one, times the sum of the costs of
//! both cells, which is twice their mean. 1393 / 985 is √2 but for 2.6 parts in ten million, whole numbers add up to the same
//! sum in any order, and a queue of buckets can hold them. An [`PathAnswer`](crate::PathAnswer) has the path's true cost, a + b·√2.

mod angle;
mod astar;
mod bitmap;
mod bucket;
mod component;
mod dstar;
mod error;
mod flow;
mod ground;
mod heap;
mod hierarchy;
mod jump;
mod layer;
mod lrta;
mod read;
mod sight;
mod smooth;
mod terrain;
mod trace;

pub use angle::AnyAngle;
pub use astar::{Astar, AstarConfig, Heuristic, Neighbors};
pub use dstar::Dstar;
pub use error::{GridError, GridProblem};
pub use flow::FlowField;
pub use ground::{Cost, Unit, UnitGrid};
pub use hierarchy::{Hierarchy, HierarchyConfig, HierarchySearch};
pub use jump::JumpPoint;
pub use layer::{CostLayer, LayerUse, LayerWhy, LayeredGrid, LayeredSearch, Pull};
pub use lrta::{Lrta, LrtaStep};
pub use read::{Scenario, map, plain_unit, raster, scenarios};
#[cfg(feature = "level")]
pub use read::{text, tiles};
pub use sight::is_clear;
pub use terrain::{Change, Edit, Tag, Terrain};
pub use trace::is_walkable;

use sentir_core::State;

/// Cells of a terrain at most, so that every length fits 32 bits.
pub const CELLS_MAX: u32 = 1 << 22;
/// Cells along one axis at most.
pub const SIDE_MAX: u32 = 4096;
/// The greatest cost of a tag.
pub const COST_MAX: u8 = 64;
/// Twice a straight step over ground of cost 1, in the unit of the searches, by the sum of the costs of both cells.
pub(crate) const STRAIGHT: u32 = 985;
/// The same of a diagonal step.
pub(crate) const DIAGONAL: u32 = 1393;
/// A length past which nothing is expanded: what is left is room for the heuristic.
pub(crate) const REACH_MAX: u32 = 3 << 30;

/// A cell by its column and row. Any number is allowed; searches refuse what is outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct Cell {
    /// Column, from 0.
    pub x: u16,
    /// Row, from 0. Where row 0 is (north in `.map` files, south in tiles of a level) is up to the host.
    pub y: u16,
}

impl Cell {
    /// The cell of that column and row.
    #[must_use]
    pub const fn new(x: u16, y: u16) -> Cell {
        Cell { x, y }
    }

    /// Columns and rows between two cells.
    pub(crate) fn apart(self, other: Cell) -> (u32, u32) {
        (u32::from(self.x.abs_diff(other.x)), u32::from(self.y.abs_diff(other.y)))
    }
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// From where.
    pub start: Cell,
    /// Where to.
    pub goal: Cell,
    /// Nodes that may be taken from the open list at most; 0 gives the start alone.
    pub expansions_max: u32,
}

impl Query {
    /// A query without a limit but the map's.
    #[must_use]
    pub const fn new(start: Cell, goal: Cell) -> Query {
        Query { start, goal, expansions_max: u32::MAX }
    }
}

/// The eight steps as columns and rows, counter-clockwise from +x; even ones are straight. A step's opposite is `way ^ 4`.
pub(crate) const STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The octile length between cells so far apart over ground of cost 1.
#[inline]
pub(crate) fn octile((dx, dy): (u32, u32)) -> u32 {
    let less = if dx < dy { dx } else { dy };
    2 * (STRAIGHT * (dx + dy) - (2 * STRAIGHT - DIAGONAL) * less)
}
