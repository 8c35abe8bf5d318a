//! Marks: the ground that obstacles would take, kept as ground of an area of its own.
//!
//! An obstacle that not everybody knows of is not carved: who does not know of it plans right through it. So the spans that
//! carving and eroding would take are told apart instead, span by span, together with every other obstacle that would take
//! them, too. A search then closes the areas of what its agent believes in, and no others.
//!
//! Eroding is by distances, and the distance to several obstacles is the least of the distances to each. So each obstacle is
//! measured by itself, in a window of its own size and a radius round it, and takes exactly the spans that it would take if
//! it were carved. O(spans in the windows).

use super::field::{FieldScratch, NONE, TileField};
use super::obstacle::Obstacle;
use crate::mesh::{AreaId, Patch};

/// The first area of overlays; those below are the ground's own.
pub const OVERLAY_FIRST: u8 = 64;
/// Overlays of a tile, and of a mesh, at most.
pub const OVERLAYS_MAX: usize = 190;
/// The area of what there were no numbers left for: nobody enters it.
pub const OVERLAY_FULL: AreaId = AreaId(OVERLAY_FIRST + OVERLAYS_MAX as u8);

/// Ground that some obstacles would take.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlay {
    /// The obstacles, by the numbers they were handed in with, ascending.
    pub marks: Vec<u32>,
    /// What the ground is without them.
    pub base: AreaId,
}

/// A marked obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked<'a> {
    /// Its number, as overlays tell it.
    pub(crate) number: u32,
    /// What it is.
    pub(crate) obstacle: &'a Obstacle,
}

impl TileField {
    /// The polygons of the tile, with obstacles carved and others marked: what the latter would take is of area
    /// [`OVERLAY_FIRST`] + n, told by entry n of `overlays`; of [`OVERLAY_FULL`] where there were too many. Marked obstacles
    /// have ascending numbers.
    pub(crate) fn polygonize_marked<'a>(
        &self,
        carved: impl Iterator<Item = &'a Obstacle>,
        marked: impl Iterator<Item = Marked<'a>>,
        scratch: &mut FieldScratch,
        overlays: &mut Vec<Overlay>,
    ) -> Patch {
        overlays.clear();
        if self.floors.is_empty() {
            return Patch::default();
        }
        self.open(carved, scratch);
        for Marked { number, obstacle } in marked.filter(|it| self.is_touched(it.obstacle)) {
            self.mark(number, obstacle, scratch, overlays);
        }
        self.outline(scratch)
    }

    /// Marks what one obstacle would take.
    fn mark(&self, number: u32, obstacle: &Obstacle, scratch: &mut FieldScratch, overlays: &mut Vec<Overlay>) {
        let FieldScratch { areas, near, distances, taken, .. } = scratch;
        taken.clear();
        taken.resize(areas.len(), 1);
        self.carve(obstacle, taken);
        let (columns, rows) = self.grid.cells(obstacle.bounds(), &self.block, &self.rules);
        let grow = u32::from(self.rules.radius) + 1;
        let columns = columns.start.saturating_sub(grow)..(columns.end + grow).min(self.block.columns);
        let rows = rows.start.saturating_sub(grow)..(rows.end + grow).min(self.block.rows);
        let row_spans = |row: u32| {
            let at = |column: u32| self.starts[(row * self.block.columns + column) as usize] as usize;
            at(columns.start)..at(columns.end)
        };
        let is_taken = |span: u32| span != NONE && taken[span as usize] == 0;
        distances.clear();
        distances.resize(areas.len(), u8::MAX);
        for span in rows.clone().flat_map(row_spans) {
            let is_source = taken[span] == 0 || (self.rules.radius > 0 && near[span].iter().any(|&to| is_taken(to)));
            distances[span] = if is_source { 0 } else { u8::MAX };
        }
        for row in rows.clone() {
            row_spans(row).for_each(|span| self.relax_forward(span, near, distances));
        }
        for row in rows.clone().rev() {
            row_spans(row).rev().for_each(|span| self.relax_backward(span, near, distances));
        }
        let least = (2 * self.rules.radius as u8).max(1);
        // What each area becomes under this obstacle; 0 is not known yet.
        let mut under = [0u8; 256];
        for span in rows.flat_map(row_spans) {
            let area = areas[span];
            if area != 0 && distances[span] < least {
                if under[usize::from(area)] == 0 {
                    under[usize::from(area)] = overlay(area, number, overlays);
                }
                areas[span] = under[usize::from(area)];
            }
        }
    }
}

/// The number (plus one) of an area under one more obstacle.
fn overlay(area: u8, number: u32, overlays: &mut Vec<Overlay>) -> u8 {
    let full = OVERLAY_FULL.0 + 1;
    if area == full {
        return full;
    }
    let mut found = match area.checked_sub(OVERLAY_FIRST + 1) {
        Some(at) => overlays[usize::from(at)].clone(),
        None => Overlay { marks: Vec::new(), base: AreaId(area - 1) },
    };
    found.marks.push(number);
    let at = overlays.iter().position(|other| *other == found).unwrap_or(overlays.len());
    if at == OVERLAYS_MAX {
        return full;
    }
    if at == overlays.len() {
        overlays.push(found);
    }
    OVERLAY_FIRST + 1 + at as u8
}
