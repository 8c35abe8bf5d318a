//! Statistics of many matches: means, quantiles, and intervals that hold the true value in 95 of 100 batteries.
//!
//! Shares get the Wilson score interval (Wilson 1927), which stays sensible for few matches and for shares of 0 and 1;
//! means get the percentile bootstrap (Efron 1979), which asks nothing of how the values spread. Sums run in the order
//! given and the bootstrap draws from a stream handed in: the same values give the same bits. A value that is not
//! finite tells nothing and is for the caller to leave out ([`told`]).

use sentir::prelude::Stream;

/// Standard deviations of a normal distribution that hold 95 % of it.
const Z_95: f64 = 1.959_963_984_540_054;
/// How often the bootstrap draws a sample anew. The ends of its interval then waver by about 1 % of its width.
const RESAMPLES: usize = 2000;
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

/// The figures of one metric over many matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// How many values there are. At least 1.
    pub(crate) count: usize,
    /// Their mean.
    pub(crate) mean: f64,
    /// The bootstrap's 95 % interval of the mean; none for a single value, which tells nothing of the others.
    pub(crate) interval: Option<Interval>,
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
pub(crate) fn spread(values: &[f64], random: &mut Stream) -> Option<Spread> {
    let mean = mean(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let interval = bootstrap(values, random);
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

/// The Wilson 95 % interval of a share, of `hits` in `count`. With a count of 0 nothing is known: 0 to 1.
pub(crate) fn wilson(hits: usize, count: usize) -> Interval {
    if count == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (hits, n) = (hits.min(count) as f64, count as f64);
    let share = hits / n;
    let z2 = Z_95 * Z_95;
    let middle = share + z2 / (2.0 * n);
    let reach = Z_95 * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // Exactly 0 and 1 at the ends, where rounding would leave a hair; and never past the share itself.
    let low = if hits == 0.0 { 0.0 } else { ((middle - reach) / scale).clamp(0.0, share) };
    let high = if hits == n { 1.0 } else { ((middle + reach) / scale).clamp(share, 1.0) };
    Interval { low, high }
}

/// The percentile bootstrap's 95 % interval of the mean; none of fewer than two values.
pub(crate) fn bootstrap(values: &[f64], random: &mut Stream) -> Option<Interval> {
    let mean = mean(values)?;
    if values.len() < 2 {
        return None;
    }
    let count = values.len().min(VALUES_MAX) as u32;
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| (0..count).map(|_| values[random.below(count) as usize]).sum::<f64>() / f64::from(count))
        .collect();
    means.sort_by(f64::total_cmp);
    // Where nearly all values are equal, the resampled means may all miss the mean by a hair: it is in, always.
    let low = quantile(&means, 0.025)?.min(mean);
    let high = quantile(&means, 0.975)?.max(mean);
    Some(Interval { low, high })
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
    fn wilson_gives_the_published_values() {
        // The last four are the table of Newcombe 1998, method 3.
        for (hits, count, low, high) in [
            (8, 10, 0.4902, 0.9433),
            (0, 10, 0.0, 0.2775),
            (10, 10, 0.7225, 1.0),
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(hits, count);
            assert!(
                near(found.low, low, 5e-5) && near(found.high, high, 5e-5),
                "{hits} of {count} gives {found:?}, expected {low} to {high}"
            );
        }
        assert_eq!(wilson(0, 10).low, 0.0);
        assert_eq!(wilson(10, 10).high, 1.0);
    }

    #[test]
    fn without_matches_a_share_may_be_anything() {
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
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
        assert_eq!((mean(&[]), spread(&[], &mut random(1))), (None, None));
        let one = spread(&[3.0], &mut random(1)).unwrap();
        assert_eq!((one.count, one.mean, one.interval, one.min, one.max), (1, 3.0, None, 3.0, 3.0));
    }

    #[test]
    fn values_that_are_no_numbers_tell_nothing() {
        let values = [1.0, f64::NAN, 3.0, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(told(values), [1.0, 3.0]);
        assert!(told([f64::NAN]).is_empty());
    }

    #[test]
    fn the_bootstrap_agrees_with_the_normal_interval_of_many_values() {
        // 0..400 uniform: the standard error of the mean is sqrt((n² - 1) / 12 / n) = 5.77.
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let found = bootstrap(&values, &mut random(3)).unwrap();
        let reach = Z_95 * ((400.0 * 400.0 - 1.0) / 12.0 / 400.0_f64).sqrt();
        assert!(near(found.low, 199.5 - reach, 1.0) && near(found.high, 199.5 + reach, 1.0), "{found:?}");
    }

    #[test]
    fn the_bootstrap_holds_the_true_mean_in_about_95_of_100_batteries() {
        let mut held = 0;
        for seed in 0..200 {
            let mut draws = Streams { seed }.stream(1, Purpose::new("values"));
            let values: Vec<f64> = (0..60).map(|_| f64::from(draws.unit())).collect();
            let interval = bootstrap(&values, &mut random(seed)).unwrap();
            held += usize::from(interval.low <= 0.5 && 0.5 <= interval.high);
        }
        assert!((180..=198).contains(&held), "{held} of 200");
    }

    #[test]
    fn the_same_stream_gives_the_same_interval() {
        let values = [1.0, 5.0, 2.5, 9.0, 0.25];
        assert_eq!(bootstrap(&values, &mut random(9)), bootstrap(&values, &mut random(9)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_share_lies_in_its_interval(count in 1_usize..5000, part in 0.0..=1.0) {
            let hits = (count as f64 * part) as usize;
            let found = wilson(hits, count);
            let share = hits as f64 / count as f64;
            prop_assert!(0.0 <= found.low && found.low <= share && share <= found.high && found.high <= 1.0);
        }

        #[test]
        fn an_interval_of_a_share_narrows_with_more_matches(
            count in 1_usize..500, part in 0.0..=1.0, times in 2_usize..9,
        ) {
            let hits = (count as f64 * part) as usize;
            let width = |interval: Interval| interval.high - interval.low;
            prop_assert!(width(wilson(hits * times, count * times)) < width(wilson(hits, count)));
        }

        #[test]
        fn a_share_and_its_opposite_mirror_each_other(count in 1_usize..5000, part in 0.0..=1.0) {
            let hits = (count as f64 * part) as usize;
            let (one, other) = (wilson(hits, count), wilson(count - hits, count));
            prop_assert!(near(one.low, 1.0 - other.high, 1e-12) && near(one.high, 1.0 - other.low, 1e-12));
        }

        #[test]
        fn a_mean_lies_in_its_interval_and_both_between_the_ends(
            values in prop::collection::vec(-1e6..1e6_f64, 2..40), seed in any::<u64>(),
        ) {
            let all = spread(&values, &mut random(seed)).unwrap();
            let Interval { low, high } = all.interval.unwrap();
            let hair = 1e-9 * (all.max - all.min + all.max.abs());
            prop_assert!(low <= all.mean && all.mean <= high);
            prop_assert!(all.min - hair <= low && high <= all.max + hair);
            prop_assert!(all.min <= all.median && all.median <= all.p90 && all.p90 <= all.max);
        }

        #[test]
        fn an_interval_of_a_mean_narrows_with_more_values(
            values in prop::collection::vec(0.0..100.0_f64, 5..20), seed in any::<u64>(),
        ) {
            let width = |values: &[f64]| bootstrap(values, &mut random(seed)).map(|one| one.high - one.low).unwrap();
            prop_assert!(width(&values.repeat(9)) < width(&values));
        }

        #[test]
        fn equal_values_leave_no_doubt(value in -1e6..1e6_f64, count in 2_usize..50) {
            let found = bootstrap(&vec![value; count], &mut random(1)).unwrap();
            prop_assert!(found.low == found.high && near(found.low, value, 1e-9 * value.abs()));
        }
    }
}
