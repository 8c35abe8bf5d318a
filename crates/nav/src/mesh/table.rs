//! The mesh itself: flat tables made for searching, put together from tiles.
//!
//! Each polygon is a run of edges; an edge lies from its own point to that of the next one in the run. Border edges are
//! split where portals end, so that **every edge has one neighbor or none**, and the neighbor is named by the same edge
//! seen from the other side (its *twin*): a search that crosses an edge knows at once where in the next ring it is.
//!
//! Replacing a tile looks anew at that tile and its four seams only; the flat tables are then put together again from all
//! tiles, in order, so that a replaced mesh is bit for bit the mesh that is built afresh. That last part is a copy with
//! shifted numbers and a pass for labels: O(edges of the mesh).

use std::fmt;

use sentir_core::State;
use sentir_core::glam::{DVec2, Vec3};

use super::label;
use super::link::{Link, LinkError, LinkId};
use super::patch::{AreaId, Patch, PatchError};
use super::tile::{NONE, Portal, Tile, TileGrid, WELD_M, seam};

/// A point on the mesh and the polygon it is on.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct MeshPoint {
    /// The polygon. Numbers hold until the mesh is changed.
    pub polygon: u32,
    /// The point, m.
    pub point: Vec3,
}

/// An edge of a polygon: from its own point to that of the next one in the ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Ground coordinates of where it begins, m.
    pub(super) x: f32,
    pub(super) y: f32,
    /// The same edge in the neighboring polygon, or [`NONE`] for a wall.
    pub(super) twin: u32,
    /// See [`Edge::turn`] and [`Edge::is_dead_end`].
    pub(super) mark: u32,
}

impl Edge {
    pub(super) const DEAD_END: u32 = 1 << 31;
    /// No turn here.
    pub(super) const NO_TURN: u32 = (1 << 31) - 1;

    /// Where it begins.
    #[inline]
    pub(super) fn at(&self) -> DVec2 {
        DVec2::new(f64::from(self.x), f64::from(self.y))
    }

    /// The number of the corner where it begins, if shortest ways may turn there; [`Edge::NO_TURN`] if they never do.
    #[inline]
    pub(super) fn turn(&self) -> u32 {
        self.mark & Edge::NO_TURN
    }

    /// Whether all there is on the other side is a part of the mesh with no other way out.
    #[inline]
    pub(super) fn is_dead_end(&self) -> bool {
        self.mark & Edge::DEAD_END != 0
    }
}

/// A polygon: a run of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) first: u32,
    pub(super) count: u16,
    pub(super) area: AreaId,
    /// Whether a link begins here.
    pub(super) has_link: bool,
}

/// A link put onto the mesh, in the direction in which it can be passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hop {
    pub(super) link: LinkId,
    pub(super) from: MeshPoint,
    pub(super) to: MeshPoint,
    pub(super) cost_m: f64,
}

/// Why a mesh is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshError {
    /// The table of tiles is out of its limits.
    BadGrid,
    /// There is not one patch for each tile, or no tile of that number.
    BadTile {
        /// Which tile, or how many patches there are.
        tile: u32,
    },
    /// A corner of a patch lies outside its tile.
    OutsideTile {
        /// Which tile.
        tile: u32,
    },
    /// A patch is not valid.
    Patch {
        /// Of which tile.
        tile: u32,
        /// Why.
        why: PatchError,
    },
    /// More edges than the tables have room for, or a polygon with over 65 535 of them.
    TooLarge,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::BadGrid => write!(f, "the table of tiles is out of its limits: see the fields of TileGrid"),
            MeshError::BadTile { tile } => write!(f, "there is no tile {tile}: expected one patch for each tile"),
            MeshError::OutsideTile { tile } => write!(f, "the patch of tile {tile} has a corner outside that tile"),
            MeshError::Patch { tile, why } => write!(f, "the patch of tile {tile} is not valid: {why}"),
            MeshError::TooLarge => write!(f, "the mesh is too large: expected under 2^30 edges, 65535 a polygon"),
        }
    }
}

impl std::error::Error for MeshError {}

/// A navigation mesh. Equal meshes have equal tables, however they came to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub(super) grid: Option<TileGrid>,
    pub(super) tiles: Vec<Tile>,
    /// Portals to the next tile along x and along z, by tile.
    seams: Vec<[Vec<Portal>; 2]>,
    /// The first polygon of each tile, and the end.
    pub(super) bases: Vec<u32>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    /// The polygon of each edge.
    pub(super) owners: Vec<u32>,
    /// The height of the point where each edge begins, m.
    pub(super) heights: Vec<f32>,
    /// The part of the mesh each polygon belongs to; what no edge or link joins has different numbers.
    pub(super) components: Vec<u32>,
    /// On the way out of a part with one exit, the next polygon; [`NONE`] for all that is not in such a part.
    pub(super) exits: Vec<u32>,
    /// The sum of areas up to and with each polygon, m².
    pub(super) area_sums: Vec<f64>,
    /// Corners where shortest ways may turn.
    pub(super) turn_count: u32,
    /// Twice the area under which three points count as on one line, m².
    pub(super) tolerance: f64,
    pub(super) links: Vec<Link>,
    /// Both directions of all links that are on the mesh, by the polygon where they begin.
    pub(super) hops: Vec<Hop>,
    /// Meters of way per meter of straight line at least: under 1 if a link is cheaper than its length.
    pub(super) thrift: f64,
}

impl Mesh {
    /// The mesh of one patch.
    ///
    /// # Errors
    /// When the patch is not valid.
    pub fn from_patch(patch: Patch) -> Result<Mesh, MeshError> {
        let tile = Tile::new(patch, None).map_err(|why| MeshError::Patch { tile: 0, why })?;
        let mut mesh = Mesh { tiles: tile.into_iter().collect(), seams: vec![Default::default()], ..Mesh::default() };
        mesh.assemble()?;
        Ok(mesh)
    }

    /// The mesh of a table of tiles, row by row.
    ///
    /// # Errors
    /// When the table or a patch is not valid, or a patch is larger than its tile.
    pub fn from_tiles(grid: TileGrid, patches: Vec<Patch>) -> Result<Mesh, MeshError> {
        if !grid.is_valid() {
            return Err(MeshError::BadGrid);
        }
        if patches.len() as u64 != u64::from(grid.columns) * u64::from(grid.rows) {
            return Err(MeshError::BadTile { tile: patches.len() as u32 });
        }
        let mut tiles = Vec::with_capacity(patches.len());
        for (number, patch) in patches.into_iter().enumerate() {
            tiles.push(tile_of(&grid, number as u32, patch)?);
        }
        let seams = vec![Default::default(); tiles.len()];
        let mut mesh = Mesh { grid: Some(grid), tiles, seams, ..Mesh::default() };
        for tile in 0..mesh.tiles.len() as u32 {
            mesh.sew(&grid, tile, 0);
            mesh.sew(&grid, tile, 1);
        }
        mesh.assemble()?;
        Ok(mesh)
    }

    /// Puts another patch in a tile's place. Numbers of polygons change; links stay where they find ground.
    ///
    /// # Errors
    /// When there is no such tile or the patch is not valid; the mesh is then as it was.
    pub fn replace(&mut self, tile: u32, patch: Patch) -> Result<(), MeshError> {
        self.replace_all([(tile, patch)])
    }

    /// Puts other patches in the places of several tiles, and puts the tables together once. Of two for one tile the later
    /// one holds.
    ///
    /// # Errors
    /// As [`Mesh::replace`]: the mesh is then as it was, with none of them in it.
    pub fn replace_all(&mut self, patches: impl IntoIterator<Item = (u32, Patch)>) -> Result<(), MeshError> {
        let mut made = Vec::new();
        for (tile, patch) in patches {
            if tile as usize >= self.tiles.len() {
                return Err(MeshError::BadTile { tile });
            }
            let new = match &self.grid {
                Some(grid) => tile_of(grid, tile, patch)?,
                None => Tile::new(patch, None).map_err(|why| MeshError::Patch { tile, why })?.unwrap_or_default(),
            };
            made.push((tile, new));
        }
        for (tile, new) in &mut made {
            std::mem::swap(&mut self.tiles[*tile as usize], new);
        }
        made.iter().for_each(|(tile, _)| self.sew_around(*tile));
        let outcome = self.assemble();
        if outcome.is_err() {
            // The tables are still the old ones; so are the tiles and the seams again.
            for (tile, old) in made.iter_mut().rev() {
                std::mem::swap(&mut self.tiles[*tile as usize], old);
            }
            made.iter().for_each(|(tile, _)| self.sew_around(*tile));
        }
        outcome
    }

    /// Looks at all seams of a tile.
    fn sew_around(&mut self, tile: u32) {
        let Some(grid) = self.grid else { return };
        let [column, row] = grid.place(tile);
        self.sew(&grid, tile, 0);
        self.sew(&grid, tile, 1);
        if column > 0 {
            self.sew(&grid, tile - 1, 0);
        }
        if row > 0 {
            self.sew(&grid, tile - grid.columns, 1);
        }
    }

    /// Looks at the seam between a tile and the next one along an axis.
    fn sew(&mut self, grid: &TileGrid, tile: u32, axis: usize) {
        let (count, step) = if axis == 0 { (grid.columns, 1) } else { (grid.rows, grid.columns) };
        if grid.place(tile)[axis] + 1 < count {
            let (near, far) = (&self.tiles[tile as usize], &self.tiles[(tile + step) as usize]);
            self.seams[tile as usize][axis] = seam(&near.borders[axis * 2 + 1], &far.borders[axis * 2], grid.climb_m);
        }
    }

    /// Puts the tables together from tiles and seams.
    fn assemble(&mut self) -> Result<(), MeshError> {
        let edge_count: u64 = self.tiles.iter().map(|it| it.patch.loops.len() as u64).sum();
        let polygons = || self.tiles.iter().flat_map(|it| &it.patch.polygons);
        if edge_count >= 1 << 28 || polygons().any(|it| it.count > 20_000) {
            return Err(MeshError::TooLarge);
        }
        let mut flat = Assembly::default();
        for tile in 0..self.tiles.len() as u32 {
            flat.bases.push(flat.faces.len() as u32);
            let cuts = self.cuts(tile);
            flat.add(&self.tiles[tile as usize], &cuts);
        }
        flat.bases.push(flat.faces.len() as u32);
        flat.ends.sort_unstable();
        for pair in flat.ends.chunks_exact(2) {
            let [a, b] = [pair[0].1, pair[1].1];
            flat.edges[a as usize].twin = b;
            flat.edges[b as usize].twin = a;
        }
        if flat.faces.iter().any(|face| face.count == u16::MAX) {
            return Err(MeshError::TooLarge);
        }
        (self.bases, self.faces, self.edges) = (flat.bases, flat.faces, flat.edges);
        (self.owners, self.heights) = (flat.owners, flat.heights);
        self.place_links();
        label::label(self);
        Ok(())
    }

    /// The portals of a tile as cuts of its edges, in order of edges.
    fn cuts(&self, tile: u32) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let Some(grid) = &self.grid else { return cuts };
        let [column, row] = grid.place(tile);
        for axis in 0..2 {
            let step = if axis == 0 { 1 } else { grid.columns };
            let has_before = if axis == 0 { column > 0 } else { row > 0 };
            for (side, owner) in [(0, Some(tile)), (1, has_before.then(|| tile - step))] {
                let Some(owner) = owner else { continue };
                for (number, portal) in self.seams[owner as usize][axis].iter().enumerate() {
                    let seam = (owner * 2 + axis as u32, number as u32);
                    cuts.push(Cut { place: portal.places[side], axis, span: portal.span, seam });
                }
            }
        }
        cuts.sort_by(|a, b| a.place.cmp(&b.place).then(a.span[0].total_cmp(&b.span[0])).then(a.seam.cmp(&b.seam)));
        cuts
    }

    /// Adds a link; its ends are put onto the nearest ground within `extent` (half sides of a box, m).
    ///
    /// # Errors
    /// When it is not finite or an end is in the air.
    pub fn add_link(&mut self, link: Link, extent: Vec3) -> Result<LinkId, LinkError> {
        if !(link.from.is_finite() && link.to.is_finite() && link.cost_m.is_finite() && link.cost_m >= 0.0) {
            return Err(LinkError::NotFinite);
        }
        let on_mesh = |point| self.nearest(point, extent).ok_or(LinkError::OffMesh);
        let link = Link { from: on_mesh(link.from)?.point, to: on_mesh(link.to)?.point, ..link };
        self.links.push(link);
        self.place_links();
        label::label(self);
        Ok(LinkId(self.links.len() as u32 - 1))
    }

    /// Opens or closes a link; false if there is none of that number. O(links).
    pub fn set_link_open(&mut self, id: LinkId, is_open: bool) -> bool {
        let Some(link) = self.links.get_mut(id.0 as usize) else { return false };
        link.is_open = is_open;
        self.measure_links();
        true
    }

    /// Finds the ground under the ends of all links; those that have lost it are out of use until it is back.
    fn place_links(&mut self) {
        self.hops.clear();
        for (number, link) in self.links.iter().enumerate() {
            let reach = Vec3::new(0.01, 0.5, 0.01);
            let ends = (self.nearest(link.from, reach), self.nearest(link.to, reach));
            let (Some(from), Some(to)) = ends else { continue };
            let hop = Hop { link: LinkId(number as u32), from, to, cost_m: f64::from(link.cost_m) };
            self.hops.push(hop);
            if link.is_two_way {
                self.hops.push(Hop { from: to, to: from, ..hop });
            }
        }
        self.hops.sort_by_key(|hop| (hop.from.polygon, hop.link));
        for face in &mut self.faces {
            face.has_link = false;
        }
        for hop in &self.hops {
            self.faces[hop.from.polygon as usize].has_link = true;
        }
        self.measure_links();
    }

    fn measure_links(&mut self) {
        self.thrift = 1.0;
        for hop in &self.hops {
            let length = ground_distance(hop.from.point, hop.to.point);
            if self.links[hop.link.0 as usize].is_open && hop.cost_m < self.thrift * length {
                self.thrift = hop.cost_m / length;
            }
        }
    }

    /// The hops that begin in a polygon, each with its number, closed ones left out.
    #[inline]
    pub(super) fn hops_from(&self, polygon: u32) -> impl Iterator<Item = (u32, &Hop)> {
        let from = self.hops.partition_point(|hop| hop.from.polygon < polygon);
        let is_open = |hop: &Hop| self.links[hop.link.0 as usize].is_open;
        (from as u32..)
            .zip(&self.hops[from..])
            .take_while(move |(_, hop)| hop.from.polygon == polygon)
            .filter(move |(_, hop)| is_open(hop))
    }

    /// The links, by number.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Polygons there are.
    pub fn polygon_count(&self) -> u32 {
        self.faces.len() as u32
    }

    /// What kind of ground a polygon is; plain for a number that is none.
    pub fn area(&self, polygon: u32) -> AreaId {
        self.faces.get(polygon as usize).map_or(AreaId(0), |face| face.area)
    }

    /// The corners of a polygon, counter-clockwise; none for a number that is none.
    pub fn ring(&self, polygon: u32) -> impl ExactSizeIterator<Item = Vec3> + Clone + '_ {
        self.run(polygon).map(|edge| self.point(edge as u32))
    }

    /// The polygons beyond each edge of a polygon, in the order of [`Mesh::ring`]: none where there is a wall.
    pub fn neighbors(&self, polygon: u32) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.run(polygon).map(|edge| self.owners.get(self.edges[edge].twin as usize).copied())
    }

    /// The part of the mesh a polygon belongs to: two polygons of different numbers have no way between them. None for a
    /// number that is none.
    pub fn component(&self, polygon: u32) -> Option<u32> {
        self.components.get(polygon as usize).copied()
    }

    /// The ground covered by all polygons, m².
    pub fn area_m2(&self) -> f64 {
        self.area_sums.last().copied().unwrap_or(0.0)
    }

    /// Memory of the tables that searches use, bytes.
    pub fn table_bytes(&self) -> usize {
        let per_face = size_of::<Face>() + 4 + 4 + 8;
        let per_edge = size_of::<Edge>() + 4 + 4;
        self.faces.len() * per_face + self.edges.len() * per_edge
    }

    #[inline]
    pub(super) fn run(&self, polygon: u32) -> std::ops::Range<usize> {
        let face = self.faces.get(polygon as usize);
        face.map_or(0..0, |face| face.first as usize..face.first as usize + usize::from(face.count))
    }

    /// The point where an edge begins.
    #[inline]
    pub(super) fn point(&self, edge: u32) -> Vec3 {
        let Edge { x, y, .. } = self.edges[edge as usize];
        Vec3::new(x, self.heights[edge as usize], -y)
    }

    /// The edge after `edge` in its ring.
    #[inline]
    pub(super) fn next(&self, edge: u32) -> u32 {
        let face = self.faces[self.owners[edge as usize] as usize];
        if edge + 1 == face.first + u32::from(face.count) { face.first } else { edge + 1 }
    }

    /// The edge before `edge` in its ring.
    #[inline]
    pub(super) fn previous(&self, edge: u32) -> u32 {
        let face = self.faces[self.owners[edge as usize] as usize];
        if edge == face.first { face.first + u32::from(face.count) - 1 } else { edge - 1 }
    }
}

/// Distance on the ground, m.
#[inline]
pub(super) fn ground_distance(a: Vec3, b: Vec3) -> f64 {
    let (x, z) = (f64::from(a.x) - f64::from(b.x), f64::from(a.z) - f64::from(b.z));
    (x * x + z * z).sqrt()
}

fn tile_of(grid: &TileGrid, tile: u32, patch: Patch) -> Result<Tile, MeshError> {
    let made = Tile::new(patch, Some((grid, tile))).map_err(|why| MeshError::Patch { tile, why })?;
    made.ok_or(MeshError::OutsideTile { tile })
}

/// A portal as seen from one of its edges.
struct Cut {
    place: u32,
    axis: usize,
    span: [f64; 2],
    /// Which portal of the whole mesh.
    seam: (u32, u32),
}

/// The tables while they grow.
#[derive(Default)]
struct Assembly {
    bases: Vec<u32>,
    faces: Vec<Face>,
    edges: Vec<Edge>,
    owners: Vec<u32>,
    heights: Vec<f32>,
    /// Each portal twice, with its edge on either side.
    ends: Vec<((u32, u32), u32)>,
}

impl Assembly {
    fn add(&mut self, tile: &Tile, cuts: &[Cut]) {
        let patch = &tile.patch;
        // Where the edge of each place in the loops begins.
        let mut starts = vec![NONE; patch.loops.len()];
        let from = self.faces.len();
        for polygon in &patch.polygons {
            let first = self.edges.len() as u32;
            for number in 0..polygon.count {
                let place = polygon.first + number;
                let next = polygon.first + (number + 1) % polygon.count;
                starts[place as usize] = self.edges.len() as u32;
                let ends = [place, next].map(|it| patch.corners[patch.loops[it as usize] as usize]);
                let low = cuts.partition_point(|cut| cut.place < place);
                let high = cuts.partition_point(|cut| cut.place <= place);
                self.split(ends, &cuts[low..high]);
            }
            let count = self.edges.len() as u32 - first;
            let count = u16::try_from(count).unwrap_or(u16::MAX);
            self.faces.push(Face { first, count, area: polygon.area, has_link: false });
            self.owners.resize(self.edges.len(), self.faces.len() as u32 - 1);
        }
        for (polygon, face) in patch.polygons.iter().zip(&self.faces[from..]) {
            debug_assert!(u32::from(face.count) >= polygon.count);
            for place in polygon.first..polygon.first + polygon.count {
                let twin = tile.twins[place as usize];
                if twin != NONE {
                    self.edges[starts[place as usize] as usize].twin = starts[twin as usize];
                }
            }
        }
    }

    /// Adds an edge, cut where portals begin and end.
    fn split(&mut self, [from, to]: [Vec3; 2], cuts: &[Cut]) {
        let Some(axis) = cuts.first().map(|cut| cut.axis) else { return self.push(from) };
        let along = |point: Vec3| f64::from(if axis == 0 { point.z } else { point.x });
        let (start, end) = (along(from), along(to));
        let is_up = end > start;
        let at = |place: f64| {
            let share = (place - start) / (end - start);
            if share <= 0.0 {
                return from;
            }
            let height = f64::from(from.y) + (f64::from(to.y) - f64::from(from.y)) * share;
            let mut point = Vec3::new(from.x, height as f32, from.z);
            if axis == 0 {
                point.z = place as f32;
            } else {
                point.x = place as f32;
            }
            point
        };
        let mut here = start;
        for number in 0..cuts.len() {
            let cut = &cuts[if is_up { number } else { cuts.len() - 1 - number }];
            let (enter, leave) = if is_up { (cut.span[0], cut.span[1]) } else { (cut.span[1], cut.span[0]) };
            if (enter - here).abs() > WELD_M {
                self.push(at(here));
                here = enter;
            }
            self.ends.push((cut.seam, self.edges.len() as u32));
            self.push(at(here));
            here = leave;
        }
        if (end - here).abs() > WELD_M {
            self.push(at(here));
        }
    }

    fn push(&mut self, point: Vec3) {
        self.edges.push(Edge { x: point.x, y: -point.z, twin: NONE, mark: Edge::NO_TURN });
        self.heights.push(point.y);
    }
}
