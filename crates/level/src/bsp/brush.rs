//! The surface of brushes: polygons of their sides, without what nobody can touch.
//!
//! A side's polygon is a large square on its plane, cut by the planes of all other sides. Of it, three things go: what lies
//! inside another brush that blocks at least as much, what lies face to face with one, and what looks into no part of the
//! level (by the tree of the file, whose leafs inside walls and outside have no cluster). Where nearly nothing goes, the
//! polygon stays whole, so that there are few triangles and few seams.
//!
//! O(sides x sides of a brush), then O(sides x brushes nearby). Work is counted: a file that needs more than
//! [`CUT_MAX`] steps to cut its brushes is refused; past [`HIDE_MAX`] steps, the rest of the sides stay whole, which is
//! right and only has more triangles.

use std::ops::Range;

use glam::DVec3;

use crate::error::Problem;

use super::class::{self, Class};
use super::lump::{Bsp, Child};
use super::surface::Sheet;
use super::winding::{Cut, Lies, ON_UNITS, Winding, behind, cross, lies, snapped, split, square};

/// Corners tested against planes to make the polygons of a file, at most.
pub const CUT_MAX: u64 = 400_000_000;
/// Steps to find what is hidden, at most.
pub const HIDE_MAX: u64 = 500_000_000;
/// Polygons with less area are nothing, square units.
const AREA_MIN: f64 = 0.05;
/// A polygon that keeps this share of its area stays whole.
const WHOLE_SHARE: f64 = 0.999;
/// How far from a body a draw face may lie and be its skin, units.
const SKIN_UNITS: f64 = 1.0;

/// A brush that blocks something.
#[derive(Clone, Debug)]
struct Body {
    class: Class,
    cuts: Vec<Cut>,
    low: DVec3,
    high: DVec3,
}

/// The bodies of a file, and how much work may still be done on them.
#[derive(Clone, Debug)]
pub struct Cutter<'a> {
    bsp: &'a Bsp,
    bodies: Vec<Option<Body>>,
    cut_left: u64,
    hide_left: u64,
}

/// A side to be looked at: its brush, its class and where it looks.
#[derive(Clone, Copy)]
struct Facet {
    brush: usize,
    class: Class,
    normal: DVec3,
}

impl<'a> Cutter<'a> {
    /// Finds the bodies and their boxes.
    pub fn new(bsp: &'a Bsp) -> Result<Cutter<'a>, Problem> {
        let sides: u64 = bsp.brushes.iter().map(|brush| u64::from(brush.sides.count)).sum();
        let in_models: u64 = bsp.models.iter().map(|model| u64::from(model.brushes.count)).sum();
        let faces: u64 = bsp.models.iter().map(|model| u64::from(model.faces.count)).sum();
        let is_shared = in_models > bsp.brushes.len() as u64 || faces > bsp.faces.len() as u64;
        if sides > bsp.sides.len() as u64 || is_shared {
            let why = "brushes share sides, or models share brushes or faces: expected each to have its own";
            return Err(Problem::Wrong(why));
        }
        let mut cutter = Cutter { bsp, bodies: Vec::new(), cut_left: CUT_MAX, hide_left: HIDE_MAX };
        for brush in 0..bsp.brushes.len() {
            let body = cutter.body(brush)?;
            cutter.bodies.push(body);
        }
        Ok(cutter)
    }

    fn body(&mut self, brush: usize) -> Result<Option<Body>, Problem> {
        let record = &self.bsp.brushes[brush];
        let Some(class) = class::of_body(&self.bsp.textures[record.texture as usize]) else { return Ok(None) };
        let sides = &self.bsp.sides[record.sides.range()];
        let cuts: Vec<Cut> = sides.iter().map(|side| Cut::new(&self.bsp.planes[side.plane as usize])).collect();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for side in 0..cuts.len() {
            for &corner in &self.polygon(&cuts, side)? {
                for axis in 0..3 {
                    low[axis] = if corner[axis] < low[axis] { corner[axis] } else { low[axis] };
                    high[axis] = if corner[axis] > high[axis] { corner[axis] } else { high[axis] };
                }
            }
        }
        let is_empty = low.x > high.x;
        Ok((!is_empty).then_some(Body { class, cuts, low, high }))
    }

    /// The polygon of a side; empty for a plane that only bevels an edge.
    fn polygon(&mut self, cuts: &[Cut], side: usize) -> Result<Winding, Problem> {
        let own = &cuts[side];
        let mut winding = square(own);
        for (other, cut) in cuts.iter().enumerate().filter(|(other, _)| *other != side) {
            self.cut_left = self.cut_left.saturating_sub(winding.len() as u64);
            if self.cut_left == 0 {
                let what = "steps of cutting brushes";
                return Err(Problem::TooMany { what, count: CUT_MAX + 1, limit: CUT_MAX });
            }
            // One of two sides on a plane has the polygon.
            let is_twin = lies(&winding, cut) == Lies::On && cut.normal.dot(own.normal) > 0.0;
            winding = match is_twin {
                true if other < side => Vec::new(),
                true => winding,
                false => behind(winding, cut),
            };
            if winding.is_empty() {
                break;
            }
        }
        let winding = snapped(&winding);
        Ok(if cross(&winding).length() < 2.0 * AREA_MIN { Vec::new() } else { winding })
    }

    /// Puts the surface of some brushes onto a sheet, moved by `shift`. Brushes hide each other; with `is_world`, what looks
    /// into no part of the level is left out, too.
    pub(super) fn emit(
        &mut self,
        brushes: Range<usize>,
        is_world: bool,
        shift: [f32; 3],
        sheet: &mut Sheet,
    ) -> Result<(), Problem> {
        for brush in brushes.clone() {
            let Some(body) = self.bodies[brush].clone() else { continue };
            let near = self.near(brush, &body, brushes.clone());
            for side in 0..body.cuts.len() {
                let whole = self.polygon(&body.cuts, side)?;
                if whole.is_empty() {
                    continue;
                }
                let record = &self.bsp.sides[self.bsp.brushes[brush].sides.first as usize + side];
                let class = class::of_side(body.class, &self.bsp.textures[record.texture as usize]);
                let facet = Facet { brush, class, normal: body.cuts[side].normal };
                for polygon in self.visible(whole, facet, &near, is_world) {
                    sheet.polygon(&polygon, class, shift)?;
                }
            }
        }
        Ok(())
    }

    /// The other brushes whose box touches that of a body.
    fn near(&mut self, brush: usize, body: &Body, brushes: Range<usize>) -> Vec<usize> {
        self.hide_left = self.hide_left.saturating_sub(brushes.len() as u64);
        if self.hide_left == 0 {
            return Vec::new();
        }
        let touches = |other: &Body| {
            let gap = |axis: usize| {
                body.low[axis] > other.high[axis] + ON_UNITS || other.low[axis] > body.high[axis] + ON_UNITS
            };
            !(0..3).any(gap)
        };
        let is_near = |&other: &usize| other != brush && self.bodies[other].as_ref().is_some_and(touches);
        brushes.filter(is_near).collect()
    }

    /// What of a side's polygon can be touched or seen.
    fn visible(&mut self, whole: Winding, facet: Facet, near: &[usize], is_world: bool) -> Vec<Winding> {
        let mut parts = vec![whole.clone()];
        for &other in near {
            let Some(hider) = &self.bodies[other] else { continue };
            let (theirs, ours) = (hider.class.blocks(), facet.class.blocks());
            let steps: usize = parts.iter().map(|part| part.len() * hider.cuts.len()).sum();
            self.hide_left = self.hide_left.saturating_sub(steps as u64);
            if theirs & ours != ours || self.hide_left == 0 {
                continue;
            }
            let wins_ties = theirs != ours || other < facet.brush;
            parts = parts.into_iter().flat_map(|part| without(part, hider, facet.normal, wins_ties)).collect();
            if parts.is_empty() {
                return parts;
            }
        }
        let area = |winding: &Winding| cross(winding).length();
        if parts.iter().map(area).sum::<f64>() >= WHOLE_SHARE * area(&whole) {
            parts = vec![whole];
        }
        if is_world {
            parts.retain(|part| self.looks_inside(part, facet.normal));
        }
        parts
    }

    /// Whether any of a polygon's front is in a leaf of the level.
    fn looks_inside(&mut self, winding: &Winding, normal: DVec3) -> bool {
        if self.bsp.nodes.is_empty() {
            return true;
        }
        let mut waiting = vec![(Child::Node(0), winding.clone())];
        while let Some((child, part)) = waiting.pop() {
            self.hide_left = self.hide_left.saturating_sub(part.len() as u64);
            if self.hide_left == 0 {
                return true;
            }
            let node = match child {
                Child::Node(node) => &self.bsp.nodes[node as usize],
                Child::Leaf(leaf) if self.bsp.leafs[leaf as usize].cluster >= 0 => return true,
                Child::Leaf(_) => continue,
            };
            let cut = Cut::new(&self.bsp.planes[node.plane as usize]);
            let [front, back] = node.children;
            match lies(&part, &cut) {
                Lies::On => waiting.push((if normal.dot(cut.normal) > 0.0 { front } else { back }, part)),
                Lies::Front => waiting.push((front, part)),
                Lies::Back => waiting.push((back, part)),
                Lies::Across => {
                    let (before, behind) = split(&part, &cut);
                    waiting.extend([(back, behind), (front, before)]);
                }
            }
        }
        false
    }

    /// Whether a point lies on or in a body that ends looks.
    pub(super) fn is_skin(&mut self, point: DVec3) -> bool {
        self.hide_left = self.hide_left.saturating_sub(self.bodies.len() as u64);
        let holds = |body: &Body| {
            let is_far =
                |axis: usize| point[axis] < body.low[axis] - SKIN_UNITS || point[axis] > body.high[axis] + SKIN_UNITS;
            !(0..3).any(is_far) && body.cuts.iter().all(|cut| cut.height(point) <= SKIN_UNITS)
        };
        let sight = crate::surface::Blocks::SIGHT.0;
        self.hide_left > 0 && self.bodies.iter().flatten().any(|body| body.class.blocks() & sight != 0 && holds(body))
    }
}

/// The parts of a polygon that are not inside a body, nor face to face with it; whole where they are apart. A polygon that
/// lies on a side of the body and looks the same way goes if the body `wins_ties`.
fn without(winding: Winding, body: &Body, normal: DVec3, wins_ties: bool) -> Vec<Winding> {
    let mut inside = winding.clone();
    let mut outside = Vec::new();
    for cut in &body.cuts {
        match lies(&inside, cut) {
            Lies::On if normal.dot(cut.normal) > 0.0 && !wins_ties => return vec![winding],
            Lies::On | Lies::Back => {}
            Lies::Front => return vec![winding],
            Lies::Across => {
                let (front, back) = split(&inside, cut);
                outside.push(front);
                inside = back;
            }
        }
    }
    if cross(&inside).length() < 2.0 * AREA_MIN {
        return vec![winding];
    }
    outside.retain(|part| cross(part).length() >= 2.0 * AREA_MIN);
    outside
}
