//! Tiles of a mesh, and the seams between them.
//!
//! A tile knows its patch (corners next to a border put exactly onto it), which edges of the patch share two corners,
//! and which lie on its borders. A seam compares the edges on both sides of a border line: where two overlap, and their
//! heights differ by no more than a climb, there is a portal. Heights along an edge are linear, so the stretch where the
//! climb is small enough is an interval too, and a bridge never joins the passage under it.

use sentir_core::glam::{DVec2, Vec3};

use super::bvh::Bvh;
use super::patch::{DirectedEdge, Patch, PatchError};

/// No edge, no polygon, nothing.
pub(super) const NONE: u32 = u32::MAX;

/// Points nearer than this along a border are one, m.
pub(super) const WELD_M: f64 = 1e-4;
/// A portal shorter than this is none, m.
const PORTAL_M_MIN: f64 = 1e-3;

/// How tiles lie on the ground: row by row along z, in each row along x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TileGrid {
    /// The corner with the least x and z, m; its height is not used.
    pub origin: Vec3,
    /// Side of a tile, m. Limit: finite, > 0.
    pub tile_size_m: f32,
    /// Tiles along x. Limit: 1..=4096.
    pub columns: u32,
    /// Tiles along z. Limit: 1..=4096.
    pub rows: u32,
    /// Greatest step between the edges of two tiles, m: that of the body, and what straightened edges may be off. Limit: >= 0.
    pub climb_m: f32,
    /// How far from a border a corner may lie and still be on it, m. Limit: 0 to a quarter of a tile.
    pub border_m: f32,
}

impl TileGrid {
    /// Whether every field is within its limits.
    pub fn is_valid(&self) -> bool {
        let sides = 1..=4096;
        self.origin.is_finite()
            && self.tile_size_m.is_finite()
            && self.tile_size_m > 0.0
            && sides.contains(&self.columns)
            && sides.contains(&self.rows)
            && self.climb_m >= 0.0
            && self.climb_m.is_finite()
            && (0.0..=self.tile_size_m * 0.25).contains(&self.border_m)
    }

    /// The coordinate of border line `number`, counted from the origin, on axis 0 (x) or 1 (z).
    pub(super) fn line(&self, axis: usize, number: u32) -> f32 {
        let start = if axis == 0 { self.origin.x } else { self.origin.z };
        (f64::from(start) + f64::from(number) * f64::from(self.tile_size_m)) as f32
    }

    /// The middle of a tile, at the height of the origin, m.
    pub fn middle(&self, tile: u32) -> Vec3 {
        let along = |from: f32, number: u32| from + (number as f32 + 0.5) * self.tile_size_m;
        let [column, row] = self.place(tile);
        Vec3::new(along(self.origin.x, column), self.origin.y, along(self.origin.z, row))
    }

    /// The number of the tile over or under a point; none outside.
    pub fn tile(&self, point: Vec3) -> Option<u32> {
        let (x, z) = ((point.x - self.origin.x) / self.tile_size_m, (point.z - self.origin.z) / self.tile_size_m);
        let is_inside = x >= 0.0 && z >= 0.0 && x < self.columns as f32 && z < self.rows as f32;
        is_inside.then(|| z as u32 * self.columns + x as u32)
    }

    /// Column and row of a tile.
    pub(super) fn place(&self, tile: u32) -> [u32; 2] {
        [tile % self.columns.max(1), tile / self.columns.max(1)]
    }

    /// The tile over a ground point; off the table, the nearest one.
    pub(super) fn tile_at(&self, axis: usize, coordinate: f32) -> u32 {
        let count = if axis == 0 { self.columns } else { self.rows };
        // A cast of floats saturates, so far away and negative values are fine.
        (((coordinate - self.line(axis, 0)) / self.tile_size_m).floor() as u32).min(count - 1)
    }
}

/// The borders of a tile: at the least x, the greatest x, the least z, the greatest z.
pub(super) const SIDES: [(usize, u32); 4] = [(0, 0), (0, 1), (1, 0), (1, 1)];

/// An edge of a tile on one of its borders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BorderEdge {
    /// Its place in the loops of the patch.
    pub(super) place: u32,
    /// Where it begins and ends along the border, least first, m.
    pub(super) span: [f64; 2],
    /// The heights there, m.
    heights: [f64; 2],
}

impl BorderEdge {
    fn height(&self, at: f64) -> f64 {
        let share = (at - self.span[0]) / (self.span[1] - self.span[0]);
        self.heights[0] + (self.heights[1] - self.heights[0]) * share
    }
}

/// A stretch of a border over which one can walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Portal {
    /// The edge in the tile with the lesser coordinates, and in the other one: places in their loops.
    pub(super) places: [u32; 2],
    /// From where to where along the border, m.
    pub(super) span: [f64; 2],
}

/// A tile, ready to be put into a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tile {
    pub(super) patch: Patch,
    /// For each place in the loops, the place of the same edge in the neighboring polygon of this tile, or [`NONE`].
    pub(super) twins: Vec<u32>,
    /// Edges on each of [`SIDES`], in order of their span.
    pub(super) borders: [Vec<BorderEdge>; 4],
    pub(super) bvh: Bvh,
}

impl Tile {
    /// The tile of a checked patch; `at` is its grid and number, if it is one of several. None if a corner lies outside.
    pub(super) fn new(mut patch: Patch, at: Option<(&TileGrid, u32)>) -> Result<Option<Tile>, PatchError> {
        if let Some((grid, tile)) = at
            && !snap(&mut patch, grid, grid.place(tile))
        {
            return Ok(None);
        }
        patch.check()?;
        let edges = patch.directed()?;
        let mut twins = vec![NONE; patch.loops.len()];
        for &DirectedEdge { from, to, place } in &edges {
            let found = edges.binary_search_by(|it| (it.from, it.to).cmp(&(to, from)));
            twins[place as usize] = found.map_or(NONE, |number| edges[number].place);
        }
        let mut borders: [Vec<BorderEdge>; 4] = Default::default();
        if let Some((grid, tile)) = at {
            for (border, &(axis, far)) in borders.iter_mut().zip(&SIDES) {
                let line = grid.line(axis, grid.place(tile)[axis] + far);
                let on_rim = edges.iter().filter(|it| twins[it.place as usize] == NONE);
                *border = border_edges(&patch, on_rim, axis, f64::from(line));
            }
        }
        let bvh = Bvh::build(&patch);
        Ok(Some(Tile { patch, twins, borders, bvh }))
    }
}

/// Puts corners near a border of the tile onto it. False if one lies beyond.
fn snap(patch: &mut Patch, grid: &TileGrid, place: [u32; 2]) -> bool {
    for corner in &mut patch.corners {
        for (axis, number) in place.into_iter().enumerate() {
            let value = if axis == 0 { corner.x } else { corner.z };
            let lines = [grid.line(axis, number), grid.line(axis, number + 1)];
            let near = lines.into_iter().find(|line| (value - line).abs() <= grid.border_m);
            if value < lines[0] - grid.border_m || value > lines[1] + grid.border_m {
                return false;
            }
            match (near, axis) {
                (Some(line), 0) => corner.x = line,
                (Some(line), _) => corner.z = line,
                (None, _) => {}
            }
        }
    }
    true
}

/// Of the edges on the rim of a patch, those on a line across an axis of the ground.
fn border_edges<'a>(
    patch: &Patch,
    on_rim: impl Iterator<Item = &'a DirectedEdge>,
    axis: usize,
    line: f64,
) -> Vec<BorderEdge> {
    let (across, along) = (|it: DVec2| it[axis], |it: DVec2| it[1 - axis]);
    let mut found = Vec::new();
    for &DirectedEdge { from, to, place } in on_rim {
        let ends = [patch.corners[from as usize], patch.corners[to as usize]];
        let points = ends.map(|end| DVec2::new(f64::from(end.x), f64::from(end.z)));
        if points.iter().all(|&point| across(point) == line) {
            let mut ends = [(along(points[0]), f64::from(ends[0].y)), (along(points[1]), f64::from(ends[1].y))];
            ends.sort_by(|a, b| a.0.total_cmp(&b.0));
            found.push(BorderEdge { place, span: ends.map(|it| it.0), heights: ends.map(|it| it.1) });
        }
    }
    found.sort_by(|a, b| a.span[0].total_cmp(&b.span[0]).then(a.place.cmp(&b.place)));
    found
}

/// The portals between the far border of one tile and the near border of the next one. Where several would overlap, the
/// one with the least step wins.
pub(super) fn seam(near: &[BorderEdge], far: &[BorderEdge], climb_m: f32) -> Vec<Portal> {
    let mut found: Vec<(f64, Portal)> = Vec::new();
    for a in near {
        for b in far.iter().take_while(|b| b.span[0] < a.span[1]).filter(|b| b.span[1] > a.span[0]) {
            if let Some(span) = overlap(a, b, f64::from(climb_m)) {
                let middle = 0.5 * (span[0] + span[1]);
                let step = (a.height(middle) - b.height(middle)).abs();
                found.push((step, Portal { places: [a.place, b.place], span }));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.places.cmp(&b.1.places)));
    let mut kept: Vec<Portal> = Vec::with_capacity(found.len());
    for (_, portal) in found {
        let clashes = |other: &Portal| {
            (other.places[0] == portal.places[0] || other.places[1] == portal.places[1])
                && other.span[0] < portal.span[1]
                && portal.span[0] < other.span[1]
        };
        if !kept.iter().any(clashes) {
            kept.push(portal);
        }
    }
    kept
}

/// Where two edges on a border line lie side by side within a climb.
fn overlap(a: &BorderEdge, b: &BorderEdge, climb_m: f64) -> Option<[f64; 2]> {
    let low = if a.span[0] > b.span[0] { a.span[0] } else { b.span[0] };
    let high = if a.span[1] < b.span[1] { a.span[1] } else { b.span[1] };
    if high - low < PORTAL_M_MIN {
        return None;
    }
    let steps = [low, high].map(|at| a.height(at) - b.height(at));
    // The step is linear in between: clip it against climb on both sides.
    let (mut from, mut to) = (0.0, 1.0);
    for sign in [1.0, -1.0] {
        let [start, end] = steps.map(|step| climb_m - sign * step);
        if start < 0.0 && end < 0.0 {
            return None;
        }
        let crossing = start / (start - end);
        if start < 0.0 && crossing > from {
            from = crossing;
        }
        if end < 0.0 && crossing < to {
            to = crossing;
        }
    }
    let place = |share: f64| if share == 1.0 { high } else { low + (high - low) * share };
    let span = [place(from), place(to)];
    (span[1] - span[0] >= PORTAL_M_MIN).then_some(span)
}
