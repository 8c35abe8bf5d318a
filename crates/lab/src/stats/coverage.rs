//! What intervals hold: batteries are simulated whose true mean is known, and counted is how often it lies in the interval that
//! is told. 95 % is claimed; 93 % must be reached by every kind of interval, on data like those of matches: skewed, rare, bounded.

use super::*;
use sentir::prelude::{Purpose, Streams};

/// Batteries of each kind and size.
const BATTERIES: u64 = 400;

/// Values to be drawn, and their true mean.
struct Source {
    name: &'static str,
    of: Quantity,
    mean: f64,
    draw: fn(&mut Stream) -> f64,
}

fn unit(random: &mut Stream) -> f64 {
    // In the middle of its step: never 0 nor 1.
    (f64::from(random.below(1 << 30)) + 0.5) / f64::from(1 << 30)
}

fn exponential(random: &mut Stream) -> f64 {
    -libm::log(unit(random))
}

fn normal(random: &mut Stream) -> f64 {
    let radius = (2.0 * exponential(random)).sqrt();
    radius * libm::cos(std::f64::consts::TAU * unit(random))
}

fn events(mean: f64, random: &mut Stream) -> f64 {
    let (mut count, mut left) = (0.0, mean - exponential(random));
    while left > 0.0 {
        count += 1.0;
        left -= exponential(random);
    }
    count
}

const SOURCES: [Source; 14] = [
    Source { name: "normal", of: Quantity::Measure, mean: 10.0, draw: |random| 10.0 + 2.0 * normal(random) },
    Source { name: "uniform", of: Quantity::Measure, mean: 0.5, draw: unit },
    Source { name: "exponential", of: Quantity::Measure, mean: 1.0, draw: exponential },
    Source {
        name: "log-normal",
        of: Quantity::Measure,
        mean: 1.133_148_453_066_826,
        draw: |random| libm::exp(0.5 * normal(random)),
    },
    Source {
        name: "heavy log-normal",
        of: Quantity::Measure,
        mean: 1.648_721_270_700_128,
        draw: |random| libm::exp(normal(random)),
    },
    Source { name: "one event in 50 matches", of: Quantity::Count, mean: 0.02, draw: |random| events(0.02, random) },
    Source { name: "one event in 10 matches", of: Quantity::Count, mean: 0.1, draw: |random| events(0.1, random) },
    Source { name: "one event in 2 matches", of: Quantity::Count, mean: 0.5, draw: |random| events(0.5, random) },
    Source { name: "two events a match", of: Quantity::Count, mean: 2.0, draw: |random| events(2.0, random) },
    Source {
        name: "events more at once",
        of: Quantity::Count,
        mean: 0.5,
        draw: |random| {
            let rate = 0.5 * exponential(random);
            events(rate, random)
        },
    },
    Source {
        name: "yes in 3 of 100",
        of: Quantity::Count,
        mean: 0.03,
        draw: |random| f64::from(u8::from(unit(random) < 0.03)),
    },
    Source {
        name: "shares at both ends",
        of: Quantity::Share,
        mean: 0.5,
        // The arcsine distribution.
        draw: |random| 0.5 + 0.5 * libm::cos(std::f64::consts::PI * unit(random)),
    },
    Source {
        name: "shares near one",
        of: Quantity::Share,
        mean: 10.0 / 11.0,
        draw: |random| libm::pow(unit(random), 0.1),
    },
    Source {
        name: "shares that are mostly one",
        of: Quantity::Share,
        mean: 0.975,
        draw: |random| if unit(random) < 0.05 { unit(random) } else { 1.0 },
    },
];

#[test]
fn intervals_of_means_hold_the_truth() {
    for source in &SOURCES {
        for matches in [10, 20, 30, 100] {
            let (mut told, mut held) = (0u64, 0u64);
            for seed in 0..BATTERIES {
                let mut draws = Streams { seed }.stream(matches, Purpose::new("values"));
                let values: Vec<f64> = (0..matches).map(|_| (source.draw)(&mut draws)).collect();
                let mut random = Streams { seed }.stream(0, Purpose::new("resamples"));
                if let Ok((found, _)) = interval_of(&values, source.of, &mut random) {
                    told += 1;
                    held += u64::from(found.low <= source.mean && source.mean <= found.high);
                }
            }
            let name = source.name;
            assert!(
                told * 10 >= BATTERIES * 9,
                "{name}, {matches} matches: only {told} of {BATTERIES} have an interval"
            );
            assert!(held * 100 >= told * 93, "{name}, {matches} matches: {held} of {told} hold the mean");
        }
    }
}

/// As it is told, with fewer samples: what is held here is where its ends lie, not the last percent of its width.
fn interval_of(values: &[f64], of: Quantity, random: &mut Stream) -> Result<(Interval, Method), &'static str> {
    interval_by(values, of, 300, random)
}

#[test]
fn intervals_of_shares_hold_the_truth() {
    for share in [0.005, 0.02, 0.1, 0.3, 0.5, 0.97] {
        for matches in [5_u32, 20, 100] {
            let mut held = 0.0;
            // Exactly: each count of hits with how likely it is.
            for hits in 0..=matches {
                let ways = libm::lgamma(f64::from(matches) + 1.0)
                    - libm::lgamma(f64::from(hits) + 1.0)
                    - libm::lgamma(f64::from(matches - hits) + 1.0);
                let likely = libm::exp(
                    ways + f64::from(hits) * libm::log(share) + f64::from(matches - hits) * libm::log(1.0 - share),
                );
                let found = exact::share(hits.into(), matches.into());
                held += if found.low <= share && share <= found.high { likely } else { 0.0 };
            }
            assert!(held >= 0.95 - 1e-9, "a share of {share} in {matches} matches: {held}");
        }
    }
}
