//! Regions in sight: simple polygons on the ground, each within a band of height, and exact clipping against them.
//!
//! A segment is laid along an axis; each side of a ring that goes from one side of the axis to the other crosses it once
//! (a corner on the axis counts as on its left, so crossings always come in pairs). Sorted, every other gap between them is
//! inside. Exact but for rounding of the crossing points; O(sides) a segment, nothing for rings whose box is elsewhere.

use std::fmt;

use sentir_core::glam::{DVec2, Vec2};

use super::exposure::{Sight, Spans};
use super::layer::Segment;

/// Corners of a set of regions at most.
pub const CORNERS_MAX: usize = 1 << 20;

/// What a watcher sees: a simple polygon, either way round.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Its corners on the ground, m. Limit: at least 3.
    pub ring: Vec<Vec2>,
    /// Height from which on it counts, m.
    pub low_m: f32,
    /// Height up to which it counts, m.
    pub high_m: f32,
}

impl Region {
    /// A region that counts at all heights.
    #[must_use]
    pub fn new(ring: Vec<Vec2>) -> Region {
        Region { ring, low_m: f32::NEG_INFINITY, high_m: f32::INFINITY }
    }
}

/// Why regions are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionError {
    /// A region has under three corners.
    TooFew {
        /// Which region.
        region: u32,
    },
    /// A corner is not finite, or a height is NaN.
    NotFinite {
        /// Which region.
        region: u32,
    },
    /// Over [`CORNERS_MAX`] corners in all.
    TooLarge,
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegionError::TooFew { region } => write!(f, "region {region} has under three corners: expected a polygon"),
            RegionError::NotFinite { region } => {
                write!(f, "region {region} has a corner or a height that is no number: expected finite corners")
            }
            RegionError::TooLarge => write!(f, "the regions have too many corners: expected at most {CORNERS_MAX}"),
        }
    }
}

impl std::error::Error for RegionError {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    first: u32,
    count: u32,
    low: DVec2,
    high: DVec2,
    low_m: f32,
    high_m: f32,
}

/// Everything in sight of all watchers: the union of regions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionSet {
    corners: Vec<DVec2>,
    parts: Vec<Part>,
}

impl RegionSet {
    /// A set of regions, checked.
    ///
    /// # Errors
    /// The first region that is none.
    pub fn new(regions: &[Region]) -> Result<RegionSet, RegionError> {
        let mut set = RegionSet::default();
        for (number, region) in regions.iter().enumerate() {
            set.add(region).map_err(|error| match error {
                RegionError::TooFew { .. } => RegionError::TooFew { region: number as u32 },
                RegionError::NotFinite { .. } => RegionError::NotFinite { region: number as u32 },
                RegionError::TooLarge => error,
            })?;
        }
        Ok(set)
    }

    /// Empties the set and keeps its memory.
    pub fn clear(&mut self) {
        self.corners.clear();
        self.parts.clear();
    }

    /// Adds a region; the set is as it was if it is refused.
    ///
    /// # Errors
    /// When it is no polygon, or the set would be too large.
    pub fn add(&mut self, region: &Region) -> Result<(), RegionError> {
        let number = self.parts.len() as u32;
        if region.ring.len() < 3 {
            return Err(RegionError::TooFew { region: number });
        }
        if region.ring.iter().any(|corner| !corner.is_finite()) || region.low_m.is_nan() || region.high_m.is_nan() {
            return Err(RegionError::NotFinite { region: number });
        }
        if self.corners.len() + region.ring.len() > CORNERS_MAX {
            return Err(RegionError::TooLarge);
        }
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let first = self.corners.len() as u32;
        for corner in &region.ring {
            let corner = corner.as_dvec2();
            (low, high) = (low.min(corner), high.max(corner));
            self.corners.push(corner);
        }
        let (count, low_m, high_m) = (region.ring.len() as u32, region.low_m, region.high_m);
        self.parts.push(Part { first, count, low, high, low_m, high_m });
        Ok(())
    }

    /// How many regions there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether nothing is in sight.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The corners of each region.
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        self.parts.iter().map(|part| &self.corners[part.first as usize..][..part.count as usize])
    }

    /// Whether a ground point at a height is in sight.
    pub fn contains(&self, at: Vec2, height_m: f32) -> bool {
        let at = at.as_dvec2();
        self.parts.iter().any(|part| {
            let is_near = at.x >= part.low.x
                && at.x <= part.high.x
                && at.y >= part.low.y
                && at.y <= part.high.y
                && height_m >= part.low_m
                && height_m <= part.high_m;
            is_near && holds(&self.corners[part.first as usize..][..part.count as usize], at)
        })
    }
}

/// Whether a ring holds a point: how often a line from it to the east crosses the ring.
fn holds(ring: &[DVec2], at: DVec2) -> bool {
    let mut is_inside = false;
    let Some(mut a) = ring.last().copied() else { return false };
    for &b in ring {
        if (a.y < at.y) != (b.y < at.y) && a.x + (b.x - a.x) * ((at.y - a.y) / (b.y - a.y)) > at.x {
            is_inside = !is_inside;
        }
        a = b;
    }
    is_inside
}

impl Sight for RegionSet {
    fn look(&self, segment: &Segment, spans: &mut Spans) {
        let way = segment.to - segment.from;
        let length = way.length();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let ahead = way / length;
        let (low, high) = (segment.from.min(segment.to), segment.from.max(segment.to));
        for part in &self.parts {
            let is_near = low.x <= part.high.x
                && high.x >= part.low.x
                && low.y <= part.high.y
                && high.y >= part.low.y
                && segment.height_m >= part.low_m
                && segment.height_m <= part.high_m;
            if !is_near {
                continue;
            }
            let ring = &self.corners[part.first as usize..][..part.count as usize];
            let mut crossings = std::mem::take(&mut spans.crossings);
            cross(ring, segment.from, ahead, &mut crossings);
            for pair in crossings.chunks_exact(2) {
                // Out of the segment on either side is nothing; the spans are cut at its ends.
                if pair[1] > 0.0 && pair[0] < length {
                    spans.push(pair[0], pair[1]);
                }
            }
            spans.crossings = crossings;
        }
    }
}

/// Where a ring crosses the line from `from` along `ahead`, in order, m.
fn cross(ring: &[DVec2], from: DVec2, ahead: DVec2, crossings: &mut Vec<f64>) {
    crossings.clear();
    let Some(last) = ring.last() else { return };
    let mut a = *last - from;
    let mut a_side = ahead.perp_dot(a);
    for corner in ring {
        let b = *corner - from;
        let b_side = ahead.perp_dot(b);
        if (a_side < 0.0) != (b_side < 0.0) {
            let at = a + (b - a) * (a_side / (a_side - b_side));
            crossings.push(ahead.dot(at));
        }
        (a, a_side) = (b, b_side);
    }
    crossings.sort_unstable_by(f64::total_cmp);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::AreaId;
    use crate::tactic::{Exposure, ExposurePrice, LayerCosts, Sampled, Tactic, Walk};
    use proptest::prelude::*;
    use sentir_core::glam::Vec3;

    fn square(x: f32, y: f32, side: f32) -> Vec<Vec2> {
        vec![Vec2::new(x, y), Vec2::new(x + side, y), Vec2::new(x + side, y + side), Vec2::new(x, y + side)]
    }

    fn spans(set: &RegionSet, from: Vec2, to: Vec2) -> Vec<[f64; 2]> {
        let lift = |at: Vec2| Vec3::new(at.x, 0.0, -at.y);
        let segment = Segment::new(lift(from), lift(to), AreaId(0));
        let mut spans = Spans::default();
        spans.fill(set, &segment, segment.length_m());
        spans.as_slice().to_vec()
    }

    #[test]
    fn a_segment_is_clipped_by_a_hollow_shape_into_two_stretches() {
        // A U, open to the north.
        let corners = [(0, 0), (6, 0), (6, 4), (4, 4), (4, 1), (2, 1), (2, 4), (0, 4)];
        let ring = corners.map(|(x, y)| Vec2::new(x as f32, y as f32)).to_vec();
        let set = RegionSet::new(&[Region::new(ring)]).unwrap();
        assert_eq!(spans(&set, Vec2::new(-2.0, 2.0), Vec2::new(8.0, 2.0)), [[2.0, 4.0], [6.0, 8.0]]);
        assert_eq!(spans(&set, Vec2::new(3.0, 2.0), Vec2::new(5.0, 2.0)), [[1.0, 2.0]]);
        assert_eq!(spans(&set, Vec2::new(-2.0, 5.0), Vec2::new(8.0, 5.0)), [[0.0; 2]; 0]);
        assert!(set.contains(Vec2::new(1.0, 3.0), 0.0) && !set.contains(Vec2::new(3.0, 3.0), 0.0));
    }

    #[test]
    fn regions_of_several_watchers_are_one_union() {
        let set = RegionSet::new(&[
            Region::new(square(0.0, 0.0, 2.0)),
            Region::new(square(2.0, 0.0, 2.0)),
            Region::new(square(3.0, 0.0, 4.0)),
        ])
        .unwrap();
        assert_eq!(spans(&set, Vec2::new(-1.0, 1.0), Vec2::new(9.0, 1.0)), [[1.0, 8.0]]);
    }

    #[test]
    fn another_floor_is_out_of_sight() {
        let region = Region { low_m: 3.0, high_m: 6.0, ..Region::new(square(0.0, 0.0, 2.0)) };
        let set = RegionSet::new(&[region]).unwrap();
        assert!(spans(&set, Vec2::new(-1.0, 1.0), Vec2::new(9.0, 1.0)).is_empty());
        assert!(!set.contains(Vec2::ONE, 0.0) && set.contains(Vec2::ONE, 4.0));
    }

    #[test]
    fn what_is_no_region_is_refused_with_its_number() {
        let good = Region::new(square(0.0, 0.0, 1.0));
        let say = |bad: Region| RegionSet::new(&[good.clone(), bad]).unwrap_err().to_string();
        assert_eq!(say(Region::new(vec![Vec2::ZERO; 2])), "region 1 has under three corners: expected a polygon");
        let nan = Region::new(vec![Vec2::ZERO, Vec2::X, Vec2::NAN]);
        assert!(say(nan).starts_with("region 1 has a corner or a height that is no number"));
        let large = Region::new(vec![Vec2::ZERO; CORNERS_MAX]);
        assert_eq!(RegionSet::new(&[good.clone(), large]).unwrap_err(), RegionError::TooLarge);
    }

    /// A star-shaped ring round a point.
    fn star(center: Vec2, radii: &[f32]) -> Region {
        let corner = |(number, radius): (usize, &f32)| {
            let angle = number as f32 / radii.len() as f32 * sentir_core::math::TAU;
            let (sin, cos) = sentir_core::math::sin_cos(angle);
            center + Vec2::new(cos, sin) * *radius
        };
        Region::new(radii.iter().enumerate().map(corner).collect())
    }

    proptest! {
        /// The twin tells the layers apart.
        #[test]
        fn going_on_under_watchers_alone_costs_the_sum_of_the_layers_to_the_bit(
            radii in proptest::collection::vec(1.0f32..7.0, 5..14),
            ends in (-10.0f32..10.0, -10.0f32..10.0, -10.0f32..10.0, -10.0f32..10.0),
            (exponent, weight, cost, run_m) in (0u8..5, 0.0f64..4.0, 0.0f64..50.0, 0.0f64..3.0),
            link_cost_m in proptest::option::of(0.0f64..5.0),
        ) {
            let set = RegionSet::new(&[star(Vec2::ONE, &radii)]).unwrap();
            let price = ExposurePrice::new(weight, 1.0 + f64::from(exponent) * 0.25);
            let tactic = Tactic { layers: &[], exposure: Some(Exposure { sight: &set, price }) };
            let segment = Segment::new(Vec3::new(ends.0, 0.0, ends.1), Vec3::new(ends.2, 0.0, ends.3), AreaId(0));
            let (segment, walk) = (Segment { link_cost_m, ..segment }, Walk { cost, run_m });
            let (mut spans, mut costs) = (Spans::default(), LayerCosts::default());
            let twin = tactic.advance_by_layer(walk, &segment, &mut spans, &mut costs);
            prop_assert_eq!(tactic.advance(walk, &segment, &mut spans), twin);
        }
    }

    proptest! {
        #[test]
        fn samples_go_to_the_exact_cost_as_the_step_shrinks(
            centers in proptest::collection::vec((-6.0f32..6.0, -6.0f32..6.0), 1..4),
            radii in proptest::collection::vec(1.0f32..7.0, 5..14),
            ends in (-10.0f32..10.0, -10.0f32..10.0, -10.0f32..10.0, -10.0f32..10.0),
            exponent in 1.0f64..3.0,
        ) {
            let regions: Vec<Region> = centers.iter().map(|&(x, y)| star(Vec2::new(x, y), &radii)).collect();
            let set = RegionSet::new(&regions).unwrap();
            let segment = Segment::new(Vec3::new(ends.0, 0.0, ends.1), Vec3::new(ends.2, 0.0, ends.3), AreaId(0));
            let length = segment.length_m();
            prop_assume!(length > 0.1);
            let mut exact = Spans::default();
            exact.fill(&set, &segment, length);
            let is_visible = |at: Vec2, height_m: f32| set.contains(at, height_m);
            let step_m = 0.002;
            let mut sampled = Spans::default();
            sampled.fill(&Sampled { step_m, is_visible }, &segment, length);
            let seen = |spans: &Spans| spans.as_slice().iter().map(|it| it[1] - it[0]).sum::<f64>();
            let pieces = exact.as_slice().len() + 1;
            prop_assert!((seen(&exact) - seen(&sampled)).abs() <= step_m * (2 * pieces) as f64);
            // Runs join where the gap between is under a step: costs can be compared where none is.
            let gaps = exact.as_slice().windows(2).map(|pair| pair[1][0] - pair[0][1]);
            let least = exact.as_slice().iter().map(|it| it[1] - it[0]).chain(gaps).fold(1.0, |a: f64, b| if b < a { b } else { a });
            if least > 2.0 * step_m {
                let price = ExposurePrice::new(1.0, exponent);
                let cost = |spans: &Spans| price.walk(&mut 0.0, spans.as_slice(), length).runs;
                // The slope of the power at the whole length bounds what an error in length makes of the cost.
                let slope = exponent * price.run(length) / length + 1.0;
                prop_assert!((cost(&exact) - cost(&sampled)).abs() <= slope * step_m * (2 * pieces) as f64);
            }
        }
    }
}
