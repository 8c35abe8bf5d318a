//! The mesh that obstacles make of a table of tiles: a memo, good for searches, that may be dropped at any tick.
//!
//! Areas of marks are numbered over the whole mesh, in the order of what they stand for: the newest footprint first decides,
//! so that a change at one place hardly ever renumbers another, and the numbers follow from the state alone. Where there are
//! more kinds than numbers, the rest is [`OVERLAY_FULL`]: shut for everybody.

use super::knowledge::Knowledge;
use super::obstacles::{FootprintId, Obstacles};
use crate::bake::mark::{Marked, OVERLAY_FIRST, OVERLAY_FULL, OVERLAYS_MAX, Overlay};
use crate::bake::{FieldScratch, TileTable};
use crate::mesh::{AreaCosts, AreaId, Mesh, MeshError, Patch};

/// What a tile was made of.
#[derive(Clone, Debug, Default)]
struct TileMemo {
    tile: u32,
    version: u32,
    /// With the tile's own numbers of overlays.
    patch: Patch,
    overlays: Vec<Overlay>,
    /// Whether the mesh does not have it yet.
    is_new: bool,
}

/// A mesh in step with [`Obstacles`].
#[derive(Clone, Debug)]
pub struct DynamicMesh {
    mesh: Mesh,
    version: u32,
    /// Ascending by tile.
    tiles: Vec<TileMemo>,
    /// What areas stand for, from [`OVERLAY_FIRST`] on; those without a number last.
    overlays: Vec<Overlay>,
    scratch: FieldScratch,
}

impl DynamicMesh {
    /// The mesh of a table without obstacles.
    ///
    /// # Errors
    /// As [`TileTable::mesh`].
    pub fn new(table: &TileTable) -> Result<DynamicMesh, MeshError> {
        Ok(DynamicMesh::of(table.mesh()?))
    }

    /// The same from the mesh of the table, to which the host has added links.
    pub fn of(mesh: Mesh) -> DynamicMesh {
        let (tiles, overlays) = (Vec::new(), Vec::new());
        DynamicMesh { mesh, version: 0, tiles, overlays, scratch: FieldScratch::default() }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The version of the obstacles it is of.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What an area of a mark stands for: the footprints, and the ground without them. None for ground as it is.
    pub fn overlay(&self, area: AreaId) -> Option<&Overlay> {
        self.overlays.get(usize::from(area.0.checked_sub(OVERLAY_FIRST)?)).filter(|_| area < OVERLAY_FULL)
    }

    /// Follows the obstacles, which are those of the last time, later, or any at all if this is fresh. How many tiles were
    /// polygonized.
    ///
    /// # Errors
    /// When a patch does not go into the mesh: the mesh is then as it was. Tables of [`bake`](crate::bake) give no reason.
    pub fn follow(&mut self, table: &TileTable, obstacles: &Obstacles) -> Result<u32, MeshError> {
        if self.version == obstacles.version() {
            return Ok(0);
        }
        let mut count = 0;
        for touched in obstacles.touched() {
            let Some(field) = table.fields.get(touched.tile as usize) else { continue };
            let found = self.tiles.binary_search_by_key(&touched.tile, |it| it.tile);
            let place = match found {
                Ok(place) if self.tiles[place].version == touched.version => continue,
                Err(_) if touched.version == 0 => continue,
                Ok(place) => place,
                Err(place) => {
                    self.tiles.insert(place, TileMemo { tile: touched.tile, ..TileMemo::default() });
                    place
                }
            };
            let memo = &mut self.tiles[place];
            let there = || obstacles.all().iter().filter(|it| it.is_in(touched.built));
            let carved = there().filter(|it| it.is_public).map(|it| &it.obstacle);
            let marked =
                there().filter(|it| !it.is_public).map(|it| Marked { number: it.id.0, obstacle: &it.obstacle });
            memo.patch = field.polygonize_marked(carved, marked, &mut self.scratch, &mut memo.overlays);
            (memo.version, memo.is_new) = (touched.version, true);
            count += 1;
        }
        self.put()?;
        self.version = obstacles.version();
        Ok(count)
    }

    /// Numbers the overlays, and puts the tiles into the mesh that are new or have other numbers.
    fn put(&mut self) -> Result<(), MeshError> {
        let mut overlays: Vec<Overlay> = Vec::new();
        for memo in &self.tiles {
            let mut is_used = [false; 256];
            memo.patch.polygons.iter().for_each(|it| is_used[usize::from(it.area.0)] = true);
            let used = memo.overlays.iter().zip(&is_used[usize::from(OVERLAY_FIRST)..]).filter(|it| *it.1);
            overlays.extend(used.map(|(overlay, _)| overlay.clone()));
        }
        let rank = |a: &Overlay, b: &Overlay| a.marks.last().cmp(&b.marks.last()).then_with(|| a.cmp(b));
        overlays.sort_by(rank);
        overlays.dedup();
        let number = |list: &[Overlay], overlay: &Overlay| match list.binary_search_by(|it| rank(it, overlay)) {
            Ok(place) if place < OVERLAYS_MAX => AreaId(OVERLAY_FIRST + place as u8),
            _ => OVERLAY_FULL,
        };
        let mut changed = Vec::new();
        for memo in &self.tiles {
            let has_moved = |it: &Overlay| number(&self.overlays, it) != number(&overlays, it);
            if memo.is_new || memo.overlays.iter().any(has_moved) {
                let mut patch = memo.patch.clone();
                for polygon in &mut patch.polygons {
                    let at = polygon.area.0.checked_sub(OVERLAY_FIRST);
                    if let Some(overlay) = at.and_then(|at| memo.overlays.get(usize::from(at))) {
                        polygon.area = number(&overlays, overlay);
                    }
                }
                changed.push((memo.tile, patch));
            }
        }
        self.mesh.replace_all(changed)?;
        self.tiles.iter_mut().for_each(|memo| memo.is_new = false);
        self.overlays = overlays;
        Ok(())
    }

    /// What ground costs somebody who believes what it believes: footprints it believes in are impassable, the others are
    /// the ground below them, as `base` has it.
    pub fn costs(&self, base: &AreaCosts, knowledge: &Knowledge) -> AreaCosts {
        self.costs_where(base, |footprint| knowledge.believes(footprint))
    }

    /// The same for somebody who stands in one of the footprints: what one stands in is not shut yet, so that the way out is
    /// open on either side.
    pub fn costs_within(&self, base: &AreaCosts, knowledge: &Knowledge, within: Option<FootprintId>) -> AreaCosts {
        self.costs_where(base, |footprint| Some(footprint) != within && knowledge.believes(footprint))
    }

    /// What it costs who knows everything: for figures and tests.
    pub fn costs_of_truth(&self, base: &AreaCosts, obstacles: &Obstacles) -> AreaCosts {
        self.costs_where(base, |id| obstacles.footprint(id).is_some_and(|it| it.is_there()))
    }

    fn costs_where(&self, base: &AreaCosts, is_shut: impl Fn(FootprintId) -> bool) -> AreaCosts {
        let open = |it: &Overlay| (!it.marks.iter().any(|&mark| is_shut(FootprintId(mark)))).then_some(it.base);
        let known = self.overlays.iter().take(OVERLAYS_MAX).map(open);
        let rest = OVERLAYS_MAX.saturating_sub(self.overlays.len());
        // Numbers that stand for nothing are as plain as anything; what has no number is shut.
        let none = std::iter::repeat_n(Some(AreaId(0)), rest);
        base.overlaid(OVERLAY_FIRST, known.chain(none).chain([None]))
    }
}
