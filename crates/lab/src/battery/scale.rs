//! The scales of plots: round steps, bins of a histogram, names with their units.

/// Bins of a histogram at most, so that each stays wide enough to be seen.
const BINS_MAX: usize = 32;
/// Ticks of an axis at most: a guard against steps lost in rounding.
const TICKS_MAX: i64 = 50;
/// Whole numbers up to here get a bin each.
const WHOLE_MAX: f64 = 1e9;

/// A round step between ticks: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// How wide it is. Above 0.
    pub(crate) size: f64,
    /// How many decimals its multiples have.
    pub(crate) decimals: usize,
}

/// The least round step that is not under `least`; 1 if that is no positive number.
pub(crate) fn nice(least: f64) -> Step {
    // Parsed, because that rounds right on every machine, and powers of ten do not.
    let size = |digit: u32, power: i32| format!("{digit}e{power}").parse::<f64>().unwrap_or(1.0);
    if !(least.is_finite() && least > 0.0) {
        return Step { size: 1.0, decimals: 0 };
    }
    let mut power = 0;
    while power > -300 && size(1, power) > least {
        power -= 1;
    }
    while power < 300 && size(1, power + 1) <= least {
        power += 1;
    }
    let digit = [1, 2, 5].into_iter().find(|&digit| size(digit, power) >= least);
    let (digit, power) = digit.map_or((1, power + 1), |digit| (digit, power));
    Step { size: size(digit, power), decimals: usize::try_from(-power).unwrap_or(0) }
}

impl Step {
    /// Every multiple from `low` to `high`, with its text.
    pub(crate) fn ticks(self, low: f64, high: f64) -> Vec<(f64, String)> {
        // A hair of tolerance: 0.3 is three times 0.1.
        let first = (low / self.size - 1e-9).ceil() as i64;
        let last = (high / self.size + 1e-9).floor() as i64;
        let last = last.min(first.saturating_add(TICKS_MAX));
        (first..=last)
            .map(|count| {
                let value = count as f64 * self.size;
                (value, format!("{value:.*}", self.decimals))
            })
            .collect()
    }
}

/// Counts of values by neighboring ranges of equal width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bins {
    /// The lower edge of the first one.
    start: f64,
    /// How wide each is. Above 0.
    width: f64,
    /// Values in each. At least one bin.
    pub(crate) counts: Vec<usize>,
    /// Whether each bin holds one whole number, in its middle.
    pub(crate) is_whole: bool,
}

impl Bins {
    /// The edge before bin `index`.
    pub(crate) fn edge(&self, index: usize) -> f64 {
        self.start + self.width * index as f64
    }

    /// Where a value lies between the first and the last edge, 0 to 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        ((value - self.start) / (self.width * self.counts.len() as f64)).clamp(0.0, 1.0)
    }
}

/// Sorts finite values into bins: one each for few whole numbers, otherwise about 1.5 sqrt(n) of a round width.
pub(crate) fn bins(values: &[f64]) -> Option<Bins> {
    let min = values.iter().copied().reduce(f64::min)?;
    let max = values.iter().copied().reduce(f64::max)?;
    let range = max - min;
    let is_whole = range < BINS_MAX as f64 && values.iter().all(|one| one.fract() == 0.0 && one.abs() < WHOLE_MAX);
    let (start, width) = if is_whole {
        (min - 0.5, 1.0)
    } else {
        // Equal values, or as good as equal, get one bin around them.
        let wanted = ((values.len() as f64).sqrt() * 1.5).ceil().clamp(8.0, BINS_MAX as f64 - 2.0);
        let width = nice((range / wanted).max(min.abs().max(max.abs()) * 1e-6)).size;
        ((min / width).floor() * width, width)
    };
    let count = (((max - start) / width) as usize + 1).min(BINS_MAX);
    let mut counts = vec![0; count];
    for value in values {
        counts[(((value - start) / width) as usize).min(count - 1)] += 1;
    }
    Some(Bins { start, width, counts, is_whole })
}

/// The words of a metric and its unit, out of its name: `walked_m` is walked, in meters.
pub(crate) fn unit(name: &str, is_whole: bool) -> (String, Option<&'static str>) {
    const UNITS: [(&str, &str); 13] = [
        ("_rad_per_s", "radians per second"),
        ("_m_per_s", "meters per second"),
        ("_per_s", "per second"),
        ("_ms", "milliseconds"),
        ("_s", "seconds"),
        ("_m", "meters"),
        ("_deg", "degrees"),
        ("_rad", "radians"),
        ("_hz", "hertz"),
        ("_ticks", "ticks"),
        ("_bytes", "bytes"),
        ("_percent", "%"),
        ("_share", "share, 0 to 1"),
    ];
    let found = UNITS.iter().find_map(|&(end, unit)| Some((name.strip_suffix(end)?, unit)));
    let (words, unit) = found.map_or((name, is_whole.then_some("count")), |(words, unit)| (words, Some(unit)));
    (words.replace('_', " "), unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn steps_are_round() {
        let sizes = [0.003, 0.1, 0.11, 1.0, 3.0, 7.0, 10.0, 240.0].map(|least| nice(least).size);
        assert_eq!(sizes, [0.005, 0.1, 0.2, 1.0, 5.0, 10.0, 10.0, 500.0]);
        assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(|least| nice(least).size), [1.0; 4]);
    }

    #[test]
    fn ticks_stand_on_multiples_and_show_no_more_decimals_than_these_have() {
        let texts = |step: Step, low, high| step.ticks(low, high).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(nice(0.1), 0.05, 0.3), ["0.1", "0.2", "0.3"]);
        assert_eq!(texts(nice(5.0), -7.0, 11.0), ["-5", "0", "5", "10"]);
    }

    #[test]
    fn few_whole_numbers_get_a_bin_each() {
        let found = bins(&[1.0, 3.0, 3.0]).unwrap();
        assert_eq!((found.counts.as_slice(), found.edge(0), found.is_whole), (&[1, 0, 2][..], 0.5, true));
        assert!(!bins(&[1.0, 1000.0]).unwrap().is_whole);
        assert_eq!(bins(&[]), None);
    }

    #[test]
    fn units_come_from_names() {
        assert_eq!(unit("least_distance_m", false), ("least distance".to_owned(), Some("meters")));
        assert_eq!(unit("run_m_per_s", false), ("run".to_owned(), Some("meters per second")));
        assert_eq!(unit("give_ups", true), ("give ups".to_owned(), Some("count")));
        assert_eq!(unit("score", false), ("score".to_owned(), None));
    }

    proptest! {
        #[test]
        fn a_step_is_at_least_as_wide_as_asked_and_not_three_times_so(least in 1e-9..1e9_f64) {
            let step = nice(least);
            prop_assert!(least <= step.size && step.size <= least * 2.5 * (1.0 + 1e-12));
        }

        #[test]
        fn every_value_is_in_one_bin(values in prop::collection::vec(-1e9..1e9_f64, 1..200)) {
            let found = bins(&values).unwrap();
            prop_assert_eq!(found.counts.iter().sum::<usize>(), values.len());
            prop_assert!(found.counts.len() <= BINS_MAX && found.counts[0] > 0);
            let max = values.iter().copied().fold(f64::MIN, f64::max);
            prop_assert!(found.edge(0) <= values.iter().copied().fold(f64::MAX, f64::min));
            prop_assert!(max <= found.edge(found.counts.len()) * (1.0 + 1e-12) + 1e-3);
        }
    }
}
