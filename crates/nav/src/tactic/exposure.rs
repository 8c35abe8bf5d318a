//! Exposure: which stretches of a segment are in sight, and what they cost.
//!
//! Two ways to find the stretches: **exact**, by clipping the segment against regions (see [`region`](super::region)), and
//! **sampled**, by asking about points, one in the middle of each step of 0.1 m. Steps are counted in whole numbers; sums of
//! a float step are never compared with an end. As the step shrinks, the sampled cost goes to the exact one.
//!
//! Two prices, of one form. Ours adds (run / 1 m)^exponent to the length, so being seen never makes a way cheaper. The
//! other one, from the thesis this module started from, has a price per meter for each of hidden and seen ground and takes
//! the power of a whole run alone: short runs under 1 are then cheaper than hidden ground, and no straight line can be a
//! bound, so searches by it look everywhere.
//!
//! A hidden gap shorter than [`GAP_M`] between two stretches, or between a stretch and an end of the segment, is rounding
//! and counts as seen: regions that share a border are one.

use sentir_core::glam::Vec2;
use sentir_core::math;

use super::layer::Segment;

/// Hidden gaps shorter than this do not end a run, m.
pub const GAP_M: f64 = 1e-4;
/// Samples of a segment at most; longer segments have longer steps.
pub const SAMPLES_MAX: u32 = 100_000;

/// Stretches of a segment in sight: from where to where, m along it, in order and apart.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    spans: Vec<[f64; 2]>,
    /// Crossings of one ring, for [`region`](super::region).
    pub(super) crossings: Vec<f64>,
}

impl Spans {
    /// The stretches found.
    pub fn as_slice(&self) -> &[[f64; 2]] {
        &self.spans
    }

    /// Adds a stretch; they may overlap and come in any order. What is empty or no number is left out.
    pub fn push(&mut self, from_m: f64, to_m: f64) {
        if to_m > from_m {
            self.spans.push([from_m, to_m]);
        }
    }

    /// Forgets what was found and asks anew.
    pub fn fill(&mut self, sight: &dyn Sight, segment: &Segment, length_m: f64) {
        self.spans.clear();
        if length_m > 0.0 && length_m.is_finite() {
            sight.look(segment, self);
            self.settle(length_m);
        }
    }

    /// Puts the stretches in order, joins those that touch, and cuts them at the ends of the segment.
    fn settle(&mut self, length_m: f64) {
        // Sampled stretches and single regions come in order.
        if self.spans.windows(2).any(|pair| pair[0][0] > pair[1][0]) {
            self.spans.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        }
        let mut kept = 0;
        for number in 0..self.spans.len() {
            let [from, to] = self.spans[number];
            let from = if from < GAP_M { 0.0 } else { from };
            let to = if to > length_m - GAP_M { length_m } else { to };
            if from >= to {
                continue;
            }
            if kept > 0 && from - self.spans[kept - 1][1] < GAP_M {
                if to > self.spans[kept - 1][1] {
                    self.spans[kept - 1][1] = to;
                }
            } else {
                self.spans[kept] = [from, to];
                kept += 1;
            }
        }
        self.spans.truncate(kept);
    }
}

/// Something that knows which stretches of a segment are in sight of watchers.
pub trait Sight {
    /// Adds the stretches of `segment` that are in sight to `spans`, in meters along it.
    fn look(&self, segment: &Segment, spans: &mut Spans);
}

/// Sight by samples: asks about the middle of each step.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<F> {
    /// Length of a step, m. Limit: > 0; otherwise 0.1.
    pub step_m: f64,
    /// Whether a ground point at a height is in sight.
    pub is_visible: F,
}

impl<F: Fn(Vec2, f32) -> bool> Sampled<F> {
    /// One sample per 0.1 m.
    pub fn new(is_visible: F) -> Self {
        Sampled { step_m: 0.1, is_visible }
    }
}

/// How many steps of about `step_m` a length is: at least one, at most [`SAMPLES_MAX`].
pub(super) fn steps(length_m: f64, step_m: f64) -> u32 {
    let step_m = if step_m > 0.0 { step_m } else { 0.1 };
    // A hair less, so that 0.3 m are three steps of 0.1; a cast keeps within its range.
    (((length_m / step_m) - 1e-6).ceil() as u32).clamp(1, SAMPLES_MAX)
}

impl<F: Fn(Vec2, f32) -> bool> Sight for Sampled<F> {
    fn look(&self, segment: &Segment, spans: &mut Spans) {
        let length = segment.length_m();
        let count = steps(length, self.step_m);
        let (way, step) = (segment.to - segment.from, length / f64::from(count));
        let mut begun: Option<u32> = None;
        for number in 0..=count {
            let share = (f64::from(number) + 0.5) / f64::from(count);
            let is_seen = number < count && (self.is_visible)((segment.from + way * share).as_vec2(), segment.height_m);
            match (begun, is_seen) {
                (None, true) => begun = Some(number),
                (Some(first), false) => {
                    spans.push(f64::from(first) * step, f64::from(number) * step);
                    begun = None;
                }
                _ => {}
            }
        }
    }
}

/// What exposure costs: `seen_per_m` · seen meters + `hidden_per_m` · hidden meters + `weight` · Σ (`scale_per_m` · run)^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExposurePrice {
    /// Plain cost of a meter in sight. Limit: >= 0.
    pub seen_per_m: f64,
    /// Plain cost of a hidden meter. Limit: >= 0.
    pub hidden_per_m: f64,
    /// How much runs count. Limit: >= 0.
    pub weight: f64,
    /// What a meter of a run counts before the power is taken. Limit: >= 0.
    pub scale_per_m: f64,
    /// The power. Limit: 1..=8; under 1 a long run would be cheaper than its parts.
    pub exponent: f64,
}

/// What a segment costs: for the way, and for runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bill {
    pub(super) way: f64,
    pub(super) runs: f64,
}

/// `value`, or the nearest end; NaN is `low`.
fn within(value: f64, low: f64, high: f64) -> f64 {
    if value > low { if value < high { value } else { high } } else { low }
}

impl ExposurePrice {
    /// Ours: length + `weight` · Σ (run / 1 m)^`exponent`.
    #[must_use]
    pub fn new(weight: f64, exponent: f64) -> ExposurePrice {
        ExposurePrice { seen_per_m: 1.0, hidden_per_m: 1.0, weight, scale_per_m: 1.0, exponent }.checked()
    }

    /// That of the thesis: Σ (`visible_cost` · run)^`exponent` + `hidden_cost` · hidden meters.
    #[must_use]
    pub fn bare_power(visible_cost: f64, hidden_cost: f64, exponent: f64) -> ExposurePrice {
        let (seen_per_m, hidden_per_m) = (0.0, hidden_cost);
        ExposurePrice { seen_per_m, hidden_per_m, weight: 1.0, scale_per_m: visible_cost, exponent }.checked()
    }

    /// The same within its limits.
    #[must_use]
    pub fn checked(self) -> ExposurePrice {
        let cost = |value: f64| within(value, 0.0, 1e6);
        ExposurePrice {
            seen_per_m: cost(self.seen_per_m),
            hidden_per_m: cost(self.hidden_per_m),
            weight: cost(self.weight),
            scale_per_m: cost(self.scale_per_m),
            exponent: within(self.exponent, 1.0, 8.0),
        }
    }

    /// What a run of this length costs in all.
    pub fn run(&self, run_m: f64) -> f64 {
        self.weight * power(self.scale_per_m * run_m, self.exponent)
    }

    /// Cost per meter at least.
    pub fn floor_per_m(&self) -> f64 {
        let linear = if self.exponent == 1.0 { self.weight * self.scale_per_m } else { 0.0 };
        let seen = self.seen_per_m + linear;
        if seen < self.hidden_per_m { seen } else { self.hidden_per_m }
    }

    /// Goes over the stretches of a segment with a run that may be open already, and may be left open.
    pub(super) fn walk(&self, run_m: &mut f64, spans: &[[f64; 2]], length_m: f64) -> Bill {
        let mut bill = Bill::default();
        let (mut at, mut seen_m) = (0.0, 0.0);
        for &[from, to] in spans {
            if from > at {
                *run_m = 0.0;
            }
            let longer = *run_m + (to - from);
            bill.runs += self.run(longer) - self.run(*run_m);
            *run_m = longer;
            seen_m += to - from;
            at = to;
        }
        if at < length_m || self.exponent == 1.0 {
            // With the first power it does not matter how long a run is: labels then differ by cost alone.
            *run_m = 0.0;
        }
        let hidden_m = length_m - seen_m;
        bill.way = self.seen_per_m * seen_m + if hidden_m > 0.0 { self.hidden_per_m * hidden_m } else { 0.0 };
        bill.runs = if bill.runs > 0.0 { bill.runs } else { 0.0 };
        bill
    }
}

/// `base`^`exponent`: whole powers and halves in double precision, the rest of the exponent in single.
#[inline]
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        return base;
    }
    let whole = exponent.floor();
    let mut product = 1.0;
    for _ in 0..whole as u32 {
        product *= base;
    }
    match exponent - whole {
        0.0 => product,
        0.5 => product * base.sqrt(),
        rest => product * f64::from(math::pow(base as f32, rest as f32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::AreaId;
    use sentir_core::glam::Vec3;

    fn segment(length_m: f32) -> Segment {
        Segment::new(Vec3::ZERO, Vec3::new(length_m, 0.0, 0.0), AreaId(0))
    }

    #[test]
    fn steps_are_counted_not_compared() {
        for tenths in 1..2000u32 {
            assert_eq!(steps(f64::from(tenths) / 10.0, 0.1), tenths);
        }
        assert_eq!((steps(0.0, 0.1), steps(1e300, 0.1), steps(1.0, f64::NAN)), (1, SAMPLES_MAX, 10));
    }

    #[test]
    fn one_long_run_costs_more_than_several_short_ones_of_equal_sum() {
        let price = ExposurePrice::new(1.0, 2.0);
        let bill = |spans: &[[f64; 2]]| price.walk(&mut 0.0, spans, 10.0);
        assert_eq!(bill(&[[0.0, 4.0]]), Bill { way: 10.0, runs: 16.0 });
        assert_eq!(bill(&[[0.0, 2.0], [5.0, 7.0]]), Bill { way: 10.0, runs: 8.0 });
        assert_eq!(bill(&[]), Bill { way: 10.0, runs: 0.0 });
    }

    #[test]
    fn a_run_over_two_segments_is_one_run() {
        let price = ExposurePrice::new(0.5, 2.0);
        let mut run = 0.0;
        let first = price.walk(&mut run, &[[2.0, 5.0]], 5.0);
        assert_eq!(run, 3.0);
        let second = price.walk(&mut run, &[[0.0, 1.0]], 5.0);
        assert_eq!((first.runs + second.runs, run), (8.0, 0.0));
    }

    #[test]
    fn the_bare_power_makes_short_runs_cheaper_than_hidden_ground_and_so_has_no_floor() {
        let price = ExposurePrice::bare_power(1.0, 1.0, 2.0);
        assert!(price.walk(&mut 0.0, &[[0.0, 0.5]], 0.5).runs < 0.5);
        assert_eq!(price.floor_per_m(), 0.0);
        assert_eq!(ExposurePrice::bare_power(3.0, 2.0, 1.0).floor_per_m(), 2.0);
        assert_eq!(ExposurePrice::new(3.0, 2.0).floor_per_m(), 1.0);
    }

    #[test]
    fn samples_find_the_stretch_to_within_a_step() {
        let sight = Sampled::new(|at: Vec2, _| at.x > 1.02 && at.x < 3.51);
        let mut spans = Spans::default();
        spans.fill(&sight, &segment(5.0), 5.0);
        let [from, to] = spans.as_slice()[0];
        assert!(spans.as_slice().len() == 1 && (from - 1.02).abs() <= 0.1 && (to - 3.51).abs() <= 0.1, "{from} {to}");
    }

    #[test]
    fn overlapping_and_touching_stretches_are_one() {
        struct Given(&'static [[f64; 2]]);
        impl Sight for Given {
            fn look(&self, _: &Segment, spans: &mut Spans) {
                self.0.iter().for_each(|&[from, to]| spans.push(from, to));
            }
        }
        let mut spans = Spans::default();
        let odd = Given(&[[4.0, 9.0], [-1.0, 1.0], [1.00001, 2.0], [3.0, f64::NAN], [1.5, 1.6], [2.5, 2.5]]);
        spans.fill(&odd, &segment(5.0), 5.0);
        assert_eq!(spans.as_slice(), [[0.0, 2.0], [4.0, 5.0]]);
    }

    #[test]
    fn prices_out_of_their_limits_are_brought_within() {
        let price = ExposurePrice::new(-1.0, 0.3);
        assert_eq!((price.weight, price.exponent), (0.0, 1.0));
        assert_eq!(ExposurePrice::new(f64::NAN, f64::NAN), price);
        assert!((power(3.0, 2.5) - 15.588_457_268_119_894).abs() < 1e-12);
        assert!((power(3.0, 2.3) - 12.513_502_532_843_182).abs() < 1e-5);
    }
}
