//! What a watcher sees: sectors round it in order of direction, each bounded by a wall, by the range, or closed.
//!
//! The region is star-shaped, so whether it holds a point is one bisection and one comparison, O(log n); a segment goes
//! through the sectors in order and is cut by each of them exactly, O(log n + sectors passed). The arc of the range is a true
//! arc in everything but [`Region::ring`] and [`Region::triangles`], where it is a polygon inside of it.

use sentir_core::glam::{DVec2, Vec2};
use sentir_core::math;
use sentir_nav::tactic::{self, Segment, Sight, Spans};

use super::tree::Bounds;
use super::{Watcher, key};

/// How far the polygon of an arc stays inside of it at most, unless asked otherwise, m.
pub const SAG_M: f32 = 0.01;
/// Corners of the polygon of a whole circle at most; beyond, it stays inside by more.
pub const CIRCLE_MAX: u32 = 4096;

/// What is as near as this to the region touches it, for whoever asks whether it still holds, m.
const TOUCH_M: f64 = 1e-3;

/// A stretch of a segment, m along it.
pub type Span = [f64; 2];

/// Directions from `key` to the next sector. In it, p is seen while normal · p <= offset and p is in range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sector {
    pub(super) key: f64,
    pub(super) normal: DVec2,
    pub(super) offset: f64,
    /// The ends of its border, seen from the origin; the direction in which it begins, if it is closed.
    pub(super) from: DVec2,
    pub(super) to: DVec2,
}

impl Sector {
    pub(super) fn shut(key: f64, direction: DVec2) -> Sector {
        Sector { key, normal: DVec2::ZERO, offset: -1.0, from: direction, to: direction }
    }

    fn is_shut(&self) -> bool {
        self.offset < 0.0
    }

    /// The angle of an arc, rad: less than half a turn.
    fn turn(&self) -> f32 {
        let (cross, dot) = (self.from.perp_dot(self.to) as f32, self.from.dot(self.to) as f32);
        math::max(math::atan2(cross, dot), 0.0)
    }

    fn is_arc(&self) -> bool {
        self.offset > 0.0 && self.normal == DVec2::ZERO
    }
}

/// What a watcher sees. Filled by [`Sweep::look`](super::Sweep::look); empty before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    origin: DVec2,
    range: f64,
    is_all_round: bool,
    version: u64,
    sectors: Vec<Sector>,
}

impl Region {
    pub(super) fn begin(&mut self, watcher: &Watcher, version: u64) {
        self.origin = watcher.origin.as_dvec2();
        self.range = f64::from(watcher.range_m);
        self.is_all_round = watcher.is_all_round();
        self.version = version;
        self.sectors.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, sector: Sector) {
        self.sectors.push(sector);
    }

    /// A sector that the range bounds, between two directions.
    pub(super) fn push_arc(&mut self, key: f64, from: DVec2, to: DVec2, range: f64) {
        let out = |direction: DVec2| direction * (range / direction.length());
        self.sectors.push(Sector { key, normal: DVec2::ZERO, offset: 1.0, from: out(from), to: out(to) });
    }

    /// Where the eye is, m.
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin.as_vec2()
    }

    /// How far it sees, m.
    #[must_use]
    pub fn range_m(&self) -> f32 {
        self.range as f32
    }

    /// The version of the obstacles that it was made of.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether nothing is seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sectors.iter().all(Sector::is_shut)
    }

    /// How many sectors it has: stretches of one wall, of the range, or closed.
    #[must_use]
    pub fn sector_count(&self) -> usize {
        self.sectors.len()
    }

    /// The sector of a direction.
    #[inline(always)]
    fn locate(&self, key: f64) -> usize {
        self.sectors.partition_point(|sector| sector.key <= key).saturating_sub(1)
    }

    /// Whether a point is seen; walls themselves are. The origin is, if anything is.
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.holds(point.as_dvec2())
    }

    /// The same in double precision.
    #[must_use]
    pub fn holds(&self, point: DVec2) -> bool {
        let d = point - self.origin;
        if d == DVec2::ZERO {
            return !self.is_empty();
        }
        let is_in_range = d.length_squared() <= self.range * self.range;
        if self.sectors.is_empty() || !is_in_range {
            return false;
        }
        let sector = &self.sectors[self.locate(key(d))];
        sector.normal.dot(d) <= sector.offset
    }

    /// The area, m².
    #[must_use]
    pub fn area_m2(&self) -> f64 {
        let all = self.sectors.iter().filter(|sector| !sector.is_shut());
        let area = |sector: &Sector| {
            if sector.is_arc() {
                0.5 * self.range * self.range * f64::from(sector.turn())
            } else {
                0.5 * sector.from.perp_dot(sector.to)
            }
        };
        all.map(area).sum()
    }

    /// Calls `visit` with both ends of every edge of the border, counter-clockwise, seen from the origin; arcs in pieces that
    /// stay inside by at most `sag_m`.
    fn visit_edges(&self, sag_m: f32, mut visit: impl FnMut(DVec2, DVec2)) {
        for sector in &self.sectors {
            if sector.is_shut() {
                continue;
            }
            if !sector.is_arc() {
                visit(sector.from, sector.to);
                continue;
            }
            let turn = sector.turn();
            let sag = math::clamp(sag_m / self.range as f32, 1e-7, 1.0);
            let step_max = math::max(2.0 * math::acos(1.0 - sag), math::TAU / CIRCLE_MAX as f32);
            let count = ((turn / step_max).ceil() as u32).clamp(1, CIRCLE_MAX);
            let start = math::atan2(sector.from.y as f32, sector.from.x as f32);
            let mut last = sector.from;
            for step in 1..=count {
                let next = if step == count {
                    sector.to
                } else {
                    let (sin, cos) = math::sin_cos(start + turn * (step as f32 / count as f32));
                    DVec2::new(f64::from(cos), f64::from(sin)) * self.range
                };
                visit(last, next);
                last = next;
            }
        }
    }

    /// Calls `visit` with every triangle of the fan, counter-clockwise, the origin first; arcs stay inside by at most `sag_m`.
    pub fn triangles(&self, sag_m: f32, mut visit: impl FnMut([Vec2; 3])) {
        let at = |d: DVec2| (self.origin + d).as_vec2();
        self.visit_edges(sag_m, |from, to| visit([at(DVec2::ZERO), at(from), at(to)]));
    }

    /// Replaces `corners` by the border as a polygon, counter-clockwise, from the right edge of the field of view on (all
    /// round: from the east on). Arcs stay inside by at most `sag_m`. Fewer than three corners for an empty region.
    pub fn ring(&self, sag_m: f32, corners: &mut Vec<Vec2>) {
        corners.clear();
        let mut start = 0;
        if !self.is_all_round {
            corners.push(self.origin.as_vec2());
        }
        self.visit_edges(sag_m, |from, to| {
            // A field of view over the east begins in the middle of the list.
            let is_shut_before = !self.is_all_round && from == self.first_seen();
            if is_shut_before {
                start = corners.len();
            }
            for d in [from, to] {
                let corner = (self.origin + d).as_vec2();
                if corners.last() != Some(&corner) {
                    corners.push(corner);
                }
            }
        });
        if !self.is_all_round && start > 1 {
            corners[1..].rotate_left(start - 1);
        }
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if !self.is_all_round {
            corners.dedup();
        }
    }

    /// The first point of the border after the last closed sector.
    fn first_seen(&self) -> DVec2 {
        let shut = self.sectors.iter().rposition(Sector::is_shut);
        let next = shut.map_or(0, |number| number + 1);
        let wrapped = if next < self.sectors.len() { next } else { 0 };
        let open = self.sectors[wrapped..].iter().find(|sector| !sector.is_shut());
        open.map_or(DVec2::ZERO, |sector| sector.from)
    }

    /// Adds the stretches of the segment from one ground point to another that are seen to `spans`, in order and apart.
    pub fn clip(&self, from: Vec2, to: Vec2, spans: &mut Vec<Span>) {
        self.visit_spans(from.as_dvec2(), to.as_dvec2(), |begin, end| spans.push([begin, end]));
    }

    /// Calls `visit` with each stretch of a segment that is seen, m along it, in order and apart.
    pub fn visit_spans(&self, from: DVec2, to: DVec2, mut visit: impl FnMut(f64, f64)) {
        let (a, b) = (from - self.origin, to - self.origin);
        let length = (b - a).length();
        if self.sectors.is_empty() || !(length > 0.0 && length.is_finite()) {
            return;
        }
        let Some([near, far]) = in_circle(a, b - a, self.range) else { return };
        let mut open: Option<Span> = None;
        let mut give = |first: f64, last: f64| {
            if last <= first {
                return;
            }
            match &mut open {
                Some(span) if first - span[1] <= 1e-9 => span[1] = last,
                _ => {
                    if let Some([first, last]) = open.replace([first, last]) {
                        visit(first * length, last * length);
                    }
                }
            }
        };
        let turn = a.perp_dot(b);
        if turn.abs() <= 1e-12 * length * length || a == DVec2::ZERO || b == DVec2::ZERO {
            self.clip_radial(a, b, [near, far], &mut give);
        } else {
            self.clip_across(a, b - a, [near, far], turn > 0.0, &mut give);
        }
        if let Some([first, last]) = open {
            visit(first * length, last * length);
        }
    }

    /// Along a ray from the origin, or two of them.
    fn clip_radial(&self, a: DVec2, b: DVec2, [near, far]: Span, give: &mut impl FnMut(f64, f64)) {
        let along = b - a;
        // Where it is at the origin.
        let middle = -a.dot(along) / along.length_squared();
        for [low, high] in
            [[near, if middle < far { middle } else { far }], [if middle > near { middle } else { near }, far]]
        {
            if low >= high {
                continue;
            }
            let inside = a + along * ((low + high) * 0.5);
            let sector = &self.sectors[self.locate(key(inside))];
            if let Some([first, last]) = before(sector, a, along, [low, high]) {
                give(first, last);
            }
        }
    }

    /// Across sectors, counter-clockwise or (`is_left` not set) clockwise.
    fn clip_across(&self, a: DVec2, along: DVec2, [near, far]: Span, is_left: bool, give: &mut impl FnMut(f64, f64)) {
        let count = self.sectors.len();
        let mut at = self.locate(key(a + along * near));
        let mut low = near;
        for _ in 0..=count {
            let next = if at + 1 < count { at + 1 } else { 0 };
            let bound = if is_left { next } else { at };
            let edge = if bound == 0 { DVec2::X } else { self.sectors[bound].from };
            // Where it leaves the sector: on the ray between it and the next one, if that lies ahead.
            let rate = edge.perp_dot(along);
            let leave = -edge.perp_dot(a) / rate;
            // No sector is wider than half a turn, so the ray is never behind, but for rounding.
            let is_ahead = (rate > 0.0) == is_left && rate != 0.0;
            let high = if is_ahead && leave < far { leave } else { far };
            if high > low
                && let Some([first, last]) = before(&self.sectors[at], a, along, [low, high])
            {
                give(first, last);
            }
            if high >= far {
                return;
            }
            low = if high > low { high } else { low };
            at = if is_left { next } else { at.checked_sub(1).unwrap_or(count - 1) };
        }
    }

    /// Whether a change within a box could change the region: whether any of the box is seen.
    pub(super) fn touches(&self, bounds: &Bounds) -> bool {
        // A hair more: what bounds the region touches it.
        let Bounds { low, high } = bounds.seen_from(self.origin);
        let (low, high) = (low - TOUCH_M, high + TOUCH_M);
        if !(low.x <= high.x && low.y <= high.y) {
            return false;
        }
        if low.x <= 0.0 && high.x >= 0.0 && low.y <= 0.0 && high.y >= 0.0 {
            return true;
        }
        let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)].map(|at| at + self.origin);
        // The border of a star-shaped region cannot be inside a box without the box's sides being seen.
        let mut is_seen = corners.iter().any(|&corner| self.holds(corner));
        for side in 0..4 {
            self.visit_spans(corners[side], corners[(side + 1) % 4], |_, _| is_seen = true);
        }
        is_seen
    }

    /// The region as one of `nav::tactic`, which counts between two heights; arcs stay inside by at most [`SAG_M`]. None if
    /// nothing is seen.
    #[must_use]
    pub fn to_tactic(&self, low_m: f32, high_m: f32) -> Option<tactic::Region> {
        let mut ring = Vec::new();
        self.ring(SAG_M, &mut ring);
        (ring.len() >= 3).then_some(tactic::Region { ring, low_m, high_m })
    }
}

/// The shares of a segment within a circle round the origin.
fn in_circle(a: DVec2, along: DVec2, range: f64) -> Option<Span> {
    let square = along.length_squared();
    let half = a.dot(along) / square;
    let inside = half * half - (a.length_squared() - range * range) / square;
    if inside.is_nan() || inside <= 0.0 {
        return None;
    }
    let root = inside.sqrt();
    let (first, last) = (-half - root, -half + root);
    let span = [if first > 0.0 { first } else { 0.0 }, if last < 1.0 { last } else { 1.0 }];
    (span[0] < span[1]).then_some(span)
}

/// What of a stretch lies before the border of a sector.
fn before(sector: &Sector, a: DVec2, along: DVec2, [low, high]: Span) -> Option<Span> {
    let (start, rate) = (sector.normal.dot(a) - sector.offset, sector.normal.dot(along));
    let span = if rate > 0.0 {
        let end = -start / rate;
        [low, if end < high { end } else { high }]
    } else if rate < 0.0 {
        let begin = -start / rate;
        [if begin > low { begin } else { low }, high]
    } else if start <= 0.0 {
        [low, high]
    } else {
        return None;
    };
    (span[0] < span[1]).then_some(span)
}

/// The regions of several watchers as `nav::tactic` asks for them: exact, arcs and all.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// What is seen by each.
    pub regions: &'a [Region],
    /// Heights between which it counts, m.
    pub band_m: [f32; 2],
}

impl Sight for Seen<'_> {
    fn look(&self, segment: &Segment, spans: &mut Spans) {
        if segment.height_m < self.band_m[0] || segment.height_m > self.band_m[1] {
            return;
        }
        for region in self.regions {
            region.visit_spans(segment.from, segment.to, |begin, end| spans.push(begin, end));
        }
    }
}
