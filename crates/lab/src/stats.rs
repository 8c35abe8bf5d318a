//! Statistics of many matches: means, quantiles, and intervals that hold the true value in 95 of 100 batteries.
//!
//! Shares of outcomes and rare counts get exact intervals ([`exact`]), which hold for few matches and for shares of 0 and 1; other
//! means the studentized bootstrap, which asks little of how the values spread. What each holds is simulated in `coverage`.
//! Sums run in the order given and the bootstrap draws from a stream handed in: the same values give the same bits. A value
//! that is not finite tells nothing and is for the caller to leave out ([`told`]).

#[cfg(test)]
mod coverage;
pub(crate) mod exact;

use sentir::prelude::Stream;

/// How often the bootstrap draws a sample anew. The ends of its interval then waver by about 1 % of its width.
const RESAMPLES: usize = 2000;
/// Fewer values that differ from the rest are few.
const FEW: usize = 8;
/// A count with fewer events in all is rare.
const EVENTS_MIN: f64 = 30.0;
/// Of more events than this the Poisson interval is not asked.
const EVENTS_MAX: f64 = 300.0;
/// Under so many values the bootstrap's ends are taken farther out: its own tails are too light then.
const CAUTIOUS_UNDER: f64 = 40.0;
/// No end is farther from the mean than this, standard errors.
const ERRORS_MAX: f64 = 50.0;
/// Under so many matches people are warned.
pub(crate) const MATCHES_FEW: usize = 30;
/// The bootstrap draws from at most so many values: indices are 32 bits wide.
const VALUES_MAX: usize = u32::MAX as usize;

/// Where a true value lies, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The lower end.
    pub(crate) low: f64,
    /// The upper end; not under `low`.
    pub(crate) high: f64,
}

impl Interval {
    /// The narrowest one that holds both.
    fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// What an interval rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The distribution of a share.
    Exact,
    /// That of events, for rare counts.
    Poisson,
    /// Samples of the sample.
    Bootstrap,
}

impl Method {
    /// As it is told.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Poisson => "poisson",
            Method::Bootstrap => "bootstrap",
        }
    }
}

/// What a metric measures, by the unit at the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// A share, 0 to 1.
    Share,
    /// How many, if all values are whole.
    Count,
    /// With a unit.
    Measure,
}

impl Quantity {
    /// Of a metric of that name.
    pub(crate) fn of(name: &str) -> Quantity {
        const UNITS: [&str; 11] = ["s", "m", "m2", "ms", "rad", "deg", "hz", "ratio", "weight", "min", "max"];
        match name.rsplit('_').next() {
            _ if name.contains("share") => Quantity::Share,
            Some(last) if last != name && UNITS.contains(&last) => Quantity::Measure,
            _ => Quantity::Count,
        }
    }
}

/// The figures of one metric over many matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// How many values there are. At least 1.
    pub(crate) count: usize,
    /// Their mean.
    pub(crate) mean: f64,
    /// The 95 % interval of the mean and what it rests on; none, with the reason, where nothing can be said.
    pub(crate) interval: Result<(Interval, Method), &'static str>,
    /// The least one.
    pub(crate) min: f64,
    /// The middle one.
    pub(crate) median: f64,
    /// The one under which nine of ten lie.
    pub(crate) p90: f64,
    /// The greatest one.
    pub(crate) max: f64,
}

/// The values that tell something: the finite ones, in their order.
pub(crate) fn told(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    values.into_iter().filter(|value| value.is_finite()).collect()
}

/// The figures of `values`; none of none. O(values · [`RESAMPLES`]).
pub(crate) fn spread(values: &[f64], of: Quantity, random: &mut Stream) -> Option<Spread> {
    let mean = mean(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let interval = interval(values, of, random);
    let (median, p90) = (quantile(&sorted, 0.5)?, quantile(&sorted, 0.9)?);
    Some(Spread { count: values.len(), mean, interval, min, median, p90, max })
}

/// The mean; none of none.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value under which a `share` of the sorted values lies, straight between neighbors (R's type 7); none of none.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let under = (place as usize).min(last);
    let over = (under + 1).min(last);
    let part = place - under as f64;
    // In this form equal neighbors give exactly themselves; the bound holds where the product rounds up.
    Some((sorted[under] + (sorted[over] - sorted[under]) * part).min(sorted[over]))
}

/// The 95 % interval of the mean of a metric, and what it rests on; none, with the reason, where nothing can be said.
///
/// | values | interval |
/// |---|---|
/// | shares of which few differ | exact, as if they were yes and no |
/// | whole numbers of which few are not 0 | Poisson; wider where several events come in one match |
/// | others of which few differ | none |
/// | all others | studentized bootstrap |
///
/// What comes in clumps and did not come at all cannot be known of: of a count that was 0 in every match, the interval is that of
/// events that come one by one.
pub(crate) fn interval(values: &[f64], of: Quantity, random: &mut Stream) -> Result<(Interval, Method), &'static str> {
    interval_by(values, of, RESAMPLES, random)
}

fn interval_by(
    values: &[f64],
    of: Quantity,
    resamples: usize,
    random: &mut Stream,
) -> Result<(Interval, Method), &'static str> {
    let count = values.len();
    if count < 2 {
        return Err("one match tells nothing of others");
    }
    let sum: f64 = values.iter().sum();
    let differing = count - most_frequent(values);
    if of == Quantity::Share && values.iter().all(|value| (0.0..=1.0).contains(value)) {
        if differing < FEW {
            return Ok((exact::share(sum, count as f64), Method::Exact));
        }
        let Interval { low, high } = studentized(values, resamples, random);
        return Ok((Interval { low: low.max(0.0), high: high.min(1.0) }, Method::Bootstrap));
    }
    let is_positive = values.iter().all(|&value| value >= 0.0);
    let is_whole = of == Quantity::Count && is_positive && values.iter().all(|value| value.fract() == 0.0);
    let positive = values.iter().filter(|&&value| value > 0.0).count();
    if is_whole && (positive < FEW || sum < EVENTS_MIN) {
        return Ok((rare(values, resamples, random), Method::Poisson));
    }
    if differing < FEW {
        return Err("fewer than eight matches differ from the others");
    }
    let found = studentized(values, resamples, random);
    let low = if is_positive { found.low.max(0.0) } else { found.low };
    Ok((Interval { low, ..found }, Method::Bootstrap))
}

/// How many values are equal to the most frequent one.
fn most_frequent(values: &[f64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0)
}

/// The interval of a rare count: the wider of two, events that come one by one, and matches in which so many come at once.
fn rare(values: &[f64], resamples: usize, random: &mut Stream) -> Interval {
    let (n, sum) = (values.len() as f64, values.iter().sum::<f64>());
    let positive = values.iter().filter(|&&value| value > 0.0).count();
    // Past that, clumps decide; as an integer it fits.
    let single = exact::poisson(sum.min(EVENTS_MAX) as u32);
    let mut found = if sum <= EVENTS_MAX {
        Interval { low: single.low / n, high: single.high / n }
    } else {
        Interval { low: sum / n, high: sum / n }
    };
    if positive > 0 {
        let (matches, at_once) = (exact::share(positive as f64, n), sum / positive as f64);
        found = found.hull(Interval { low: matches.low * at_once, high: matches.high * at_once });
    }
    if positive >= FEW {
        let Interval { low, high } = studentized(values, resamples, random);
        found = found.hull(Interval { low: low.max(0.0), high });
    }
    found
}

/// The studentized bootstrap's interval of the mean (Efron and Tibshirani 1993, 12.5) of at least two values. Few values make it
/// cautious: its ends lie farther out, and never nearer than those of normal values.
fn studentized(values: &[f64], resamples: usize, random: &mut Stream) -> Interval {
    let n = values.len().min(VALUES_MAX);
    let (mean, error) = mean_and_error(values.iter().copied(), n as f64);
    let mut ratios: Vec<f64> = (0..resamples)
        .map(|_| {
            let sample = (0..n).map(|_| values[random.below(n as u32) as usize]);
            let (one, its_error) = mean_and_error(sample, n as f64);
            let off = one - mean;
            // A sample without any spread says no more than its side.
            if its_error > 0.0 { off / its_error } else { off * f64::MAX }
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let tail = 0.025 * (n as f64 / CAUTIOUS_UNDER).min(1.0);
    let at = |share: f64| ratios[((share * resamples as f64) as usize).min(resamples - 1)];
    let least = exact::student(n);
    let (below, above) = (at(1.0 - tail).clamp(least, ERRORS_MAX), at(tail).clamp(-ERRORS_MAX, -least));
    Interval { low: mean - below * error, high: mean - above * error }
}

/// The mean of a sample and its standard error.
fn mean_and_error(sample: impl Iterator<Item = f64>, n: f64) -> (f64, f64) {
    // Welford: one pass, and equal values give exactly 0.
    let (mut mean, mut squares, mut count) = (0.0, 0.0, 0.0);
    for value in sample {
        count += 1.0;
        let off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
    }
    (mean, (squares / (n - 1.0) / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir::prelude::{Purpose, Streams};

    fn random(seed: u64) -> Stream {
        Streams { seed }.stream(0, Purpose::new("test"))
    }

    fn near(value: f64, expected: f64, within: f64) -> bool {
        (value - expected).abs() <= within
    }

    #[test]
    fn quantiles_lie_straight_between_neighbors() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        for (share, expected) in
            [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.75, 5.0), (1.0, 8.0), (-1.0, 1.0), (2.0, 8.0)]
        {
            assert_eq!(quantile(&sorted, share), Some(expected), "at {share}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.9), Some(7.0));
    }

    #[test]
    fn of_no_value_nothing_and_of_one_no_interval_is_told() {
        assert_eq!((mean(&[]), spread(&[], Quantity::Count, &mut random(1))), (None, None));
        let one = spread(&[3.0], Quantity::Count, &mut random(1)).unwrap();
        let why = Err("one match tells nothing of others");
        assert_eq!((one.count, one.mean, one.interval, one.min, one.max), (1, 3.0, why, 3.0, 3.0));
    }

    #[test]
    fn values_that_are_no_numbers_tell_nothing() {
        let values = [1.0, f64::NAN, 3.0, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(told(values), [1.0, 3.0]);
        assert!(told([f64::NAN]).is_empty());
    }

    #[test]
    fn the_same_stream_gives_the_same_interval() {
        let values = [1.0, 5.0, 2.5, 9.0, 0.25, 3.0, 7.5, 6.0, 2.0, 8.0];
        let again = || interval(&values, Quantity::Measure, &mut random(9));
        assert_eq!(again(), again());
        assert!(again().is_ok());
    }

    #[test]
    fn what_never_happened_is_not_told_to_be_impossible() {
        // 20 matches without an event: Garwood's 3.689 events at most in 20 matches.
        let (found, method) = interval(&[0.0; 20], Quantity::Count, &mut random(1)).unwrap();
        assert_eq!((found.low, method), (0.0, Method::Poisson));
        assert!(near(found.high, 3.688_879_454 / 20.0, 1e-9), "{found:?}");
        let (shares, method) = interval(&[1.0; 20], Quantity::Share, &mut random(1)).unwrap();
        assert_eq!((shares.high, method), (1.0, Method::Exact));
        assert!(near(shares.low, 1.0 - 0.168_433_471, 1e-9), "{shares:?}");
        let why = interval(&[0.0; 20], Quantity::Measure, &mut random(1)).unwrap_err();
        assert_eq!(why, "fewer than eight matches differ from the others");
    }

    #[test]
    fn a_metric_is_known_by_the_unit_in_its_name() {
        for (name, expected) in [
            ("killed_friends", Quantity::Count),
            ("first_bite_s", Quantity::Measure),
            ("walked_m", Quantity::Measure),
            ("speed_m_per_s", Quantity::Measure),
            ("held_share", Quantity::Share),
            ("share_of_time", Quantity::Share),
            ("m", Quantity::Count),
        ] {
            assert_eq!(Quantity::of(name), expected, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_share_lies_in_its_interval(count in 1_u32..5000, part in 0.0..=1.0_f64) {
            let hits = (f64::from(count) * part).floor();
            let found = exact::share(hits, count.into());
            let share = hits / f64::from(count);
            prop_assert!(0.0 <= found.low && found.low <= share && share <= found.high && found.high <= 1.0);
        }

        #[test]
        fn a_share_and_its_opposite_mirror_each_other(count in 1_u32..5000, part in 0.0..=1.0_f64) {
            let (n, hits) = (f64::from(count), (f64::from(count) * part).floor());
            let (one, other) = (exact::share(hits, n), exact::share(n - hits, n));
            prop_assert!(near(one.low, 1.0 - other.high, 1e-9) && near(one.high, 1.0 - other.low, 1e-9));
        }

        #[test]
        fn a_mean_lies_in_its_interval(
            values in prop::collection::vec(-1e6..1e6_f64, 12..40), seed in any::<u64>(),
        ) {
            let all = spread(&values, Quantity::Measure, &mut random(seed)).unwrap();
            let (Interval { low, high }, _) = all.interval.unwrap();
            prop_assert!(low <= all.mean && all.mean <= high);
            prop_assert!(all.min <= all.median && all.median <= all.p90 && all.p90 <= all.max);
        }

        #[test]
        fn a_rare_count_lies_in_its_interval(values in prop::collection::vec(0_u8..3, 2..40), seed in any::<u64>()) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let all = spread(&values, Quantity::Count, &mut random(seed)).unwrap();
            if let Ok((Interval { low, high }, _)) = all.interval {
                prop_assert!(0.0 <= low && low <= all.mean && all.mean <= high && low < high);
            }
        }

        #[test]
        fn an_interval_of_a_mean_narrows_with_more_values(
            values in prop::collection::vec(0.0..100.0_f64, 10..20), seed in any::<u64>(),
        ) {
            let width = |values: &[f64]| {
                interval(values, Quantity::Measure, &mut random(seed)).map(|(one, _)| one.high - one.low).unwrap()
            };
            prop_assert!(width(&values.repeat(9)) < width(&values));
        }
    }
}
