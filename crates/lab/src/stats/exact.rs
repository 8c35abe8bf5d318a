//! Exact intervals of shares and of rare counts, by the distributions that they have: Clopper and Pearson 1934 for shares,
//! Garwood 1936 for counts. Quantiles are found by halving, to the last bits of a double; compared with scipy 1.17 and
//! statsmodels 0.15 in the tests.

use super::Interval;

/// What lies under the lower end, and over the upper one, at most.
const TAIL: f64 = 0.025;
/// Halvings of an interval until doubles have no middle any more, and to spare.
const HALVINGS: usize = 200;
/// Terms of a continued fraction at most; those in use here need under a hundred.
const TERMS_MAX: usize = 10_000;

/// The interval of a share, of `hits` in `count`; hits may be a sum of shares, as no share of the same mean spreads more than one
/// of yes and no. With a count of 0 nothing is known: 0 to 1.
pub(crate) fn share(hits: f64, count: f64) -> Interval {
    if count <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (hits, missed) = (hits.clamp(0.0, count), (count - hits).clamp(0.0, count));
    let low = if hits <= 0.0 { 0.0 } else { solve(0.0, 1.0, |x| beta(hits, missed + 1.0, x) >= TAIL) };
    let high = if missed <= 0.0 { 1.0 } else { solve(0.0, 1.0, |x| beta(hits + 1.0, missed, x) >= 1.0 - TAIL) };
    Interval { low, high }
}

/// The interval of the expected sum of events that come one by one, of which `events` came.
pub(crate) fn poisson(events: u32) -> Interval {
    let most = f64::from(events) * 2.0 + 20.0;
    let low = if events == 0 { 0.0 } else { solve(0.0, most, |mean| 1.0 - at_most(events - 1, mean) >= TAIL) };
    let high = solve(0.0, most, |mean| at_most(events, mean) <= TAIL);
    Interval { low, high }
}

/// How many standard errors hold 95 % of a mean of `count` normal values (Student's t).
pub(crate) fn student(count: usize) -> f64 {
    let freedom = count.saturating_sub(1).max(1) as f64;
    // What lies beyond ±t is the incomplete beta function of ν / (ν + t²).
    solve(0.0, 1e3, |t| beta(freedom / 2.0, 0.5, freedom / (freedom + t * t)) <= 2.0 * TAIL)
}

/// The least x from which on `holds` is true; it must be false before.
fn solve(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// How likely at most `events` of a Poisson distribution are.
fn at_most(events: u32, mean: f64) -> f64 {
    let (mut term, mut sum) = (libm::exp(-mean), 0.0);
    for event in 0..=events {
        sum += term;
        term *= mean / f64::from(event + 1);
    }
    sum
}

/// The regularized incomplete beta function, by its continued fraction (Lentz).
fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return f64::from(u8::from(x >= 1.0));
    }
    // The fraction is quick on this side; the other one mirrors it.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log(1.0 - x);
    let tiny = 1e-300;
    let apart = |value: f64| if value.abs() < tiny { tiny } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / apart(1.0 - (a + b) * x / (a + 1.0));
    let mut sum = d;
    for term in 1..TERMS_MAX {
        let m = term as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / apart(1.0 + even * d);
        c = apart(1.0 + even / c);
        sum *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / apart(1.0 + odd * d);
        c = apart(1.0 + odd / c);
        sum *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    libm::exp(front) * sum / a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Interval, low: f64, high: f64) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        near(found.low, low) && near(found.high, high)
    }

    #[test]
    fn shares_are_those_of_scipy_and_statsmodels() {
        // scipy.stats.binomtest(k, n).proportion_ci(method='exact'); statsmodels' proportion_confint(method='beta') agrees.
        for (hits, count, low, high) in [
            (0.0, 20.0, 0.0, 0.168_433_470_983_085_48),
            (1.0, 20.0, 0.001_265_089_497_956_033_9, 0.248_732_762_772_027_72),
            (8.0, 10.0, 0.443_904_537_692_358_5, 0.974_789_273_673_166_5),
            (81.0, 263.0, 0.252_736_745_585_042_67, 0.367_621_922_601_347_46),
            (3.0, 100.0, 0.006_229_971_538_306_227, 0.085_176_052_974_280_28),
            // scipy.stats.beta.ppf of 18.4 and 2.6, 19.4 and 1.6.
            (18.4, 20.0, 0.709_379_545_169_623_9, 0.993_368_223_028_098_4),
        ] {
            let found = share(hits, count);
            assert!(close(found, low, high), "{hits} of {count}: {found:?}, expected {low} to {high}");
        }
        assert_eq!(share(20.0, 20.0).high, 1.0);
        assert_eq!(share(0.0, 0.0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn counts_are_those_of_scipy_and_statsmodels() {
        // scipy.stats.chi2.ppf, as Garwood has it; statsmodels' confint_poisson(method='exact-c') agrees.
        for (events, low, high) in [
            (0, 0.0, 3.688_879_454_113_935_4),
            (1, 0.025_317_807_984_289_876, 5.571_643_390_938_898),
            (7, 2.814_363_051_519_865_4, 14.422_675_361_702_376),
            (42, 30.269_905_732_477_7, 56.771_798_778_490_65),
        ] {
            let found = poisson(events);
            assert!(close(found, low, high), "{events}: {found:?}, expected {low} to {high}");
        }
    }

    #[test]
    fn student_is_that_of_scipy() {
        for (count, expected) in [(2, 12.706_204_736_174_694), (10, 2.262_157_162_798_205), (30, 2.045_229_642_132_703)]
        {
            assert!((student(count) - expected).abs() < 1e-9, "{count}: {}", student(count));
        }
    }
}
