//! A patch: convex polygons over shared corners, before anything is known about neighbors.
//!
//! It is what bakes, polygon builders and readers of mesh files hand over, a patch a tile. Two polygons of one patch are
//! neighbors where they share two corners (by index); polygons of two patches meet where their edges lie on each other.

use sentir_core::glam::Vec3;

/// What kind of ground a polygon is: an index into a table of costs. 0 is plain ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub u8);

/// A convex polygon: a run of [`Patch::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polygon {
    /// Where its corners begin in [`Patch::loops`].
    pub first: u32,
    /// How many corners. Limit: >= 3.
    pub count: u32,
    /// What kind of ground it is.
    pub area: AreaId,
}

/// Convex polygons, counter-clockwise seen from above (ground = (x, -z)); corners in a row may lie on one line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// Corner points, m.
    pub corners: Vec<Vec3>,
    /// Corner numbers of all polygons, one polygon after the other.
    pub loops: Vec<u32>,
    /// The polygons.
    pub polygons: Vec<Polygon>,
}

/// Why a patch is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchError {
    /// A corner is not finite.
    NotFinite {
        /// Which corner.
        corner: u32,
    },
    /// A polygon has under three corners, or names loops or corners that do not exist.
    BadPolygon {
        /// Which polygon.
        polygon: u32,
    },
    /// A polygon is not convex and counter-clockwise, or has no area.
    NotConvex {
        /// Which polygon.
        polygon: u32,
    },
}
