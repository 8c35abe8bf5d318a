//! A patch: convex polygons over shared corners, before anything is known about neighbors.
//!
//! It is what bakes, polygon builders and readers of mesh files hand over, a patch a tile. Two polygons of one patch are
//! neighbors where they share two corners (by index); polygons of two patches meet where their edges lie on each other.

use std::fmt;

use sentir_core::glam::{DVec2, Vec3};

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
    /// Two polygons lie on the same side of the same edge: they overlap.
    Overlap {
        /// The later one of the two.
        polygon: u32,
    },
    /// More corners, loops or polygons than [`Patch::SIZE_MAX`].
    TooLarge,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchError::NotFinite { corner } => {
                write!(f, "corner {corner} is not finite: expected three plain numbers")
            }
            PatchError::BadPolygon { polygon } => {
                write!(f, "polygon {polygon} is not whole: expected at least three different corners that exist")
            }
            PatchError::NotConvex { polygon } => {
                write!(f, "polygon {polygon} is not convex and counter-clockwise seen from above, or has no area")
            }
            PatchError::Overlap { polygon } => {
                write!(f, "polygon {polygon} shares an edge with another one on the same side: expected no overlap")
            }
            PatchError::TooLarge => {
                write!(f, "the patch is too large: expected at most {} of anything", Patch::SIZE_MAX)
            }
        }
    }
}

impl std::error::Error for PatchError {}

/// How far a corner may bend inward, as the sine of the angle: rounding of corners that should lie on one line.
const BEND_MAX: f64 = 1e-4;

impl Patch {
    /// Most corners, loops or polygons of a patch.
    pub const SIZE_MAX: u32 = 1 << 26;

    /// The corners of a polygon, in order. Empty if the polygon is none of this patch's.
    pub fn ring(&self, polygon: &Polygon) -> impl ExactSizeIterator<Item = Vec3> + Clone + '_ {
        let from = polygon.first as usize;
        let loops = self.loops.get(from..from.saturating_add(polygon.count as usize)).unwrap_or_default();
        loops.iter().map(|&corner| self.corners.get(corner as usize).copied().unwrap_or(Vec3::NAN))
    }

    /// Whether this is what it should be: finite corners, whole convex counter-clockwise polygons, and no edge with two
    /// polygons on one side. O(n log n).
    ///
    /// # Errors
    /// The first breach found, by kind and then by number.
    pub fn check(&self) -> Result<(), PatchError> {
        let most = [self.corners.len(), self.loops.len(), self.polygons.len()].into_iter().max().unwrap_or(0);
        if most > Patch::SIZE_MAX as usize {
            return Err(PatchError::TooLarge);
        }
        if let Some(corner) = self.corners.iter().position(|corner| !corner.is_finite()) {
            return Err(PatchError::NotFinite { corner: corner as u32 });
        }
        for (number, polygon) in self.polygons.iter().enumerate() {
            let number = number as u32;
            let end = polygon.first as usize + polygon.count as usize;
            let is_whole = polygon.count >= 3
                && end <= self.loops.len()
                && self.loops[polygon.first as usize..end].iter().all(|&it| (it as usize) < self.corners.len());
            if !is_whole {
                return Err(PatchError::BadPolygon { polygon: number });
            }
            if !is_convex(self.ring(polygon)) {
                return Err(PatchError::NotConvex { polygon: number });
            }
        }
        self.directed().map(|_| ())
    }

    /// Every edge, sorted. The polygons must be whole.
    pub(super) fn directed(&self) -> Result<Vec<DirectedEdge>, PatchError> {
        let mut edges = Vec::with_capacity(self.loops.len());
        for polygon in &self.polygons {
            for number in 0..polygon.count {
                let next = if number + 1 == polygon.count { 0 } else { number + 1 };
                let place = polygon.first + number;
                let (from, to) = (self.loops[place as usize], self.loops[(polygon.first + next) as usize]);
                edges.push(DirectedEdge { from, to, place });
            }
        }
        edges.sort_unstable();
        for pair in edges.windows(2) {
            if pair[0].from == pair[1].from && pair[0].to == pair[1].to {
                let place = pair[1].place;
                let owner = self.polygons.iter().rposition(|it| (it.first..it.first + it.count).contains(&place));
                return Err(PatchError::Overlap { polygon: owner.unwrap_or(0) as u32 });
            }
        }
        Ok(edges)
    }
}

/// An edge of a polygon, from corner to corner. Ordered by corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DirectedEdge {
    /// The corner it begins at.
    pub(super) from: u32,
    /// The corner it ends at.
    pub(super) to: u32,
    /// Its place in the loops.
    pub(super) place: u32,
}

/// The ground point of a point in space, in double precision.
#[inline]
pub(super) fn ground(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), -f64::from(point.z))
}

/// Whether a closed ring turns left all the way, once round, with some area.
fn is_convex(ring: impl ExactSizeIterator<Item = Vec3> + Clone) -> bool {
    let count = ring.len();
    let points = ring.map(ground);
    let mut edges = points.clone().zip(points.cycle().skip(1)).map(|(a, b)| b - a).take(count);
    let Some(first) = edges.next() else { return false };
    let is_ahead = |it: DVec2| it.x > 0.0 || (it.x == 0.0 && it.y > 0.0);
    let (mut before, mut changes, mut area, mut at) = (first, 0, 0.0, first);
    for edge in edges.chain([first]) {
        let turn = before.perp_dot(edge);
        let is_back = turn.abs() <= 1e-12 * before.length() * edge.length() && before.dot(edge) < 0.0;
        if edge == DVec2::ZERO || is_back || turn < -BEND_MAX * before.length() * edge.length() {
            return false;
        }
        changes += u32::from(is_ahead(before) != is_ahead(edge));
        area += at.perp_dot(edge);
        at += edge;
        before = edge;
    }
    changes == 2 && area > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(points: &[[f32; 2]], rings: &[&[u32]]) -> Patch {
        let corners = points.iter().map(|&[x, y]| Vec3::new(x, 0.0, -y)).collect();
        let mut patch = Patch { corners, ..Patch::default() };
        for ring in rings {
            let first = patch.loops.len() as u32;
            patch.loops.extend_from_slice(ring);
            patch.polygons.push(Polygon { first, count: ring.len() as u32, area: AreaId(0) });
        }
        patch
    }

    const SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    #[test]
    fn a_square_and_collinear_corners_pass() {
        assert_eq!(flat(&SQUARE, &[&[0, 1, 2, 3]]).check(), Ok(()));
        let points = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0]];
        assert_eq!(flat(&points, &[&[0, 1, 2, 3]]).check(), Ok(()));
        assert_eq!(Patch::default().check(), Ok(()));
    }

    #[test]
    fn bent_flat_clockwise_and_star_rings_are_refused() {
        let refused = Err(PatchError::NotConvex { polygon: 0 });
        assert_eq!(flat(&SQUARE, &[&[3, 2, 1, 0]]).check(), refused);
        assert_eq!(flat(&SQUARE, &[&[0, 1, 3, 2]]).check(), refused);
        assert_eq!(flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], &[&[0, 1, 2]]).check(), refused);
        assert_eq!(flat(&SQUARE, &[&[0, 1, 1, 2]]).check(), refused);
        let star = [[0.0, 2.0], [-1.2, -1.6], [1.9, 0.6], [-1.9, 0.6], [1.2, -1.6]];
        assert_eq!(flat(&star, &[&[0, 1, 2, 3, 4]]).check(), refused);
        let bent = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
        assert_eq!(flat(&bent, &[&[0, 1, 2, 3]]).check(), refused);
    }

    #[test]
    fn broken_numbers_and_overlaps_are_refused() {
        let mut odd = flat(&SQUARE, &[&[0, 1, 2, 3]]);
        odd.corners[2].y = f32::NAN;
        assert_eq!(odd.check(), Err(PatchError::NotFinite { corner: 2 }));
        assert_eq!(flat(&SQUARE, &[&[0, 1, 9]]).check(), Err(PatchError::BadPolygon { polygon: 0 }));
        assert_eq!(flat(&SQUARE, &[&[0, 1]]).check(), Err(PatchError::BadPolygon { polygon: 0 }));
        let mut long = flat(&SQUARE, &[&[0, 1, 2, 3]]);
        long.polygons[0].first = u32::MAX;
        assert_eq!(long.check(), Err(PatchError::BadPolygon { polygon: 0 }));
        assert_eq!(flat(&SQUARE, &[&[0, 1, 2], &[0, 1, 3]]).check(), Err(PatchError::Overlap { polygon: 1 }));
        assert!(PatchError::Overlap { polygon: 1 }.to_string().contains("polygon 1"));
    }
}
