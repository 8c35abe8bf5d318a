//! What the matches of one scene have in common: shares of outcomes and figures of metrics, with intervals.

use super::round::{Row, column_names};
use crate::pool::Threads;
use crate::stats::{Interval, Quantity, Spread, exact, spread, told};
use sentir::core::state::hash_bytes;
use sentir::prelude::{Purpose, Streams};
use sentir_harness::info::SceneInfo;

/// The stream that the bootstrap draws from, one per scene and metric: a further metric changes no other's interval.
const BOOTSTRAP: Purpose = Purpose::new("battery bootstrap");
/// What stands for the outcome of a match that came to no ending.
pub(crate) const NO_ENDING: &str = "no ending";

/// One scene, summed up.
pub(crate) struct Summary {
    /// Which.
    pub(crate) scene: &'static SceneInfo,
    /// How many matches were played to their end.
    pub(crate) matches: usize,
    /// The first and the last seed of them; none without matches.
    pub(crate) seeds: Option<(u64, u64)>,
    /// How they ended, the most frequent first, equals by name.
    pub(crate) outcomes: Vec<Outcome>,
    /// What they report, in the order of the scene.
    pub(crate) metrics: Vec<Figures>,
}

/// One way to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Its name.
    pub(crate) name: &'static str,
    /// How many matches ended so.
    pub(crate) count: usize,
    /// Their share, 0 to 1.
    pub(crate) share: f64,
    /// The exact 95 % interval of the share (Clopper and Pearson).
    pub(crate) interval: Interval,
}

/// One metric.
pub(crate) struct Figures {
    /// Its name, with its unit.
    pub(crate) name: &'static str,
    /// The values there are, by seed.
    pub(crate) values: Vec<f64>,
    /// Their figures; none if no match has a value.
    pub(crate) spread: Option<Spread>,
}

impl Summary {
    /// Sums up the matches of `scene`.
    pub(crate) fn new(scene: &'static SceneInfo, rows: &[Row], threads: &Threads) -> Summary {
        let names = column_names(rows);
        let metrics = threads.map(names.len(), |index| figures(scene, names[index], rows));
        let seeds = rows.first().zip(rows.last()).map(|(first, last)| (first.seed, last.seed));
        Summary { scene, matches: rows.len(), seeds, outcomes: outcomes(rows), metrics }
    }
}

fn figures(scene: &SceneInfo, name: &'static str, rows: &[Row]) -> Figures {
    let values = told(rows.iter().map(|row| row.metric(name)));
    let owner = hash_bytes(format!("{}/{name}", scene.name).as_bytes());
    // Not the seed of the battery: what is drawn for the interval must not follow what was drawn in the matches.
    let mut random = Streams { seed: 0 }.stream(owner, BOOTSTRAP);
    let spread = spread(&values, Quantity::of(name), &mut random);
    Figures { name, values, spread }
}

fn outcomes(rows: &[Row]) -> Vec<Outcome> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for row in rows {
        let name = row.outcome.unwrap_or(NO_ENDING);
        match counts.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    counts.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then(a.cmp(b)));
    let outcome = |(name, count): (&'static str, usize)| {
        let share = count as f64 / rows.len() as f64;
        Outcome { name, count, share, interval: exact::share(count as f64, rows.len() as f64) }
    };
    counts.into_iter().map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::super::round::tests::row;
    use super::*;

    fn summary(rows: &[Row]) -> Summary {
        Summary::new(sentir_scenes::CATALOG.find("patrol").unwrap(), rows, &Threads::new(1).unwrap())
    }

    #[test]
    fn outcomes_stand_by_frequency_then_by_name() {
        let mut rows: Vec<Row> = ["b", "c", "a", "c"].map(|name| row(1, name, &[])).to_vec();
        rows[0].outcome = None;
        let names: Vec<_> = summary(&rows).outcomes.iter().map(|one| (one.name, one.count)).collect();
        assert_eq!(names, [("c", 2), ("a", 1), (NO_ENDING, 1)]);
        let shares: f64 = summary(&rows).outcomes.iter().map(|one| one.share).sum();
        assert_eq!(shares, 1.0);
    }

    #[test]
    fn a_metric_counts_the_matches_that_have_a_value() {
        let rows = [row(4, "a", &[("x", 1.0)]), row(5, "a", &[("x", f64::NAN)]), row(6, "a", &[("x", 2.0)])];
        let summary = summary(&rows);
        let spread = summary.metrics[0].spread.unwrap();
        assert_eq!((spread.count, spread.mean, summary.matches, summary.seeds), (2, 1.5, 3, Some((4, 6))));
    }

    #[test]
    fn a_metric_more_changes_no_other_interval() {
        let rows = |extra: &[(&'static str, f64)]| -> Vec<Row> {
            let metrics = |seed: u64| [extra, &[("x", (seed * 7 % 11) as f64)]].concat();
            (0..30).map(|seed| row(seed, "a", &metrics(seed))).collect()
        };
        let (plain, more) = (summary(&rows(&[])), summary(&rows(&[("y", 3.0)])));
        assert_eq!(plain.metrics[0].spread, more.metrics[1].spread);
    }

    #[test]
    fn nothing_played_is_nothing_told() {
        let empty = summary(&[]);
        assert!(empty.outcomes.is_empty() && empty.metrics.is_empty() && empty.seeds.is_none());
    }
}
