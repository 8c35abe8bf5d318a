//! What a new figure says about a promise: broken or not, and whether anything changed.

use super::row::Row;

/// The verdict over one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The limit does not hold, or what should be measured could not be for a reason of our own.
    Broken,
    /// As it was.
    Same,
    /// Not as it was, on the good side.
    Better,
    /// Not as it was, and the limit holds.
    Moved,
    /// By the clock: it is held against the limit only.
    Holds,
    /// Measured for the first time.
    New,
    /// A target that had not been reached is: the row can promise it now.
    Reached,
    /// What it is measured on, or by, is not here.
    NotMeasured,
}

impl Verdict {
    /// For the table.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Broken => "BROKEN",
            Verdict::Same => "same",
            Verdict::Better => "better",
            Verdict::Moved => "moved",
            Verdict::Holds => "holds",
            Verdict::New => "new",
            Verdict::Reached => "TARGET REACHED",
            Verdict::NotMeasured => "NOT MEASURED",
        }
    }

    /// Whether somebody should look at it: it is not as it was.
    pub fn is_news(self) -> bool {
        matches!(self, Verdict::Better | Verdict::Moved | Verdict::Reached)
    }
}

/// Digits that a file keeps of a figure: beyond them two figures are equal.
const EQUAL: f64 = 1e-8;

/// Holds a figure against what the row promises, and against what it was.
pub fn judge(row: &Row, now: f64) -> Verdict {
    if !row.limit.holds(now) {
        return Verdict::Broken;
    }
    if row.unmet.as_ref().is_some_and(|unmet| unmet.target.holds(now)) {
        return Verdict::Reached;
    }
    let Some(last) = &row.last else { return Verdict::New };
    if row.by_clock {
        return Verdict::Holds;
    }
    let noise = row.noise.max(EQUAL) * last.value.abs();
    if (now - last.value).abs() <= noise {
        Verdict::Same
    } else if row.limit.prefers(now, last.value) {
        Verdict::Better
    } else {
        Verdict::Moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::row::read;

    fn row(more: &str) -> Row {
        let text = format!(
            "rows:\n- name: a\n  promise: it is fast\n  class: quick\n  command: sentir bench loop\n  figure: {{ key: x }}\n{more}"
        );
        read(&text).expect("a right row").remove(0)
    }

    #[test]
    fn exact_figures_are_the_same_or_not() {
        let row = row("  limit: at most 100 ms\n  last: { value: 50, date: 2026-01-01, commit: abc }\n");
        let verdicts = [50.0, 50.000_000_1, 51.0, 49.0, 100.0, 100.1, f64::NAN].map(|now| judge(&row, now));
        use Verdict::{Better, Broken, Moved, Same};
        assert_eq!(verdicts, [Same, Same, Moved, Better, Moved, Broken, Broken]);
    }

    #[test]
    fn noise_hides_small_moves_but_no_broken_limit() {
        let row = row("  limit: at most 100\n  noise: 0.02\n  last: { value: 99, date: 2026-01-01, commit: abc }\n");
        let verdicts = [99.5, 98.0, 96.0, 100.5].map(|now| judge(&row, now));
        assert_eq!(verdicts, [Verdict::Same, Verdict::Same, Verdict::Better, Verdict::Broken]);
    }

    #[test]
    fn times_are_held_against_the_limit_only() {
        let row = row("  limit: at most 1 ms\n  clock: true\n  last: { value: 0.5, date: 2026-01-01, commit: abc }\n");
        assert_eq!([0.1, 0.99, 1.1].map(|now| judge(&row, now)), [Verdict::Holds, Verdict::Holds, Verdict::Broken]);
    }

    #[test]
    fn a_target_not_reached_is_no_failure_until_it_gets_worse() {
        let row = row(
            "  limit: at most 200\n  unmet: { target: at most 160, why: rasterizing takes it }\n  last: { value: 191, date: 2026-01-01, commit: abc }\n",
        );
        let verdicts = [191.0, 180.0, 199.0, 201.0, 160.0].map(|now| judge(&row, now));
        use Verdict::{Better, Broken, Moved, Reached, Same};
        assert_eq!(verdicts, [Same, Better, Moved, Broken, Reached]);
    }

    #[test]
    fn a_first_figure_is_new() {
        assert_eq!(judge(&row("  limit: at least 1\n"), 2.0), Verdict::New);
        assert_eq!(judge(&row("  limit: at least 1\n"), 0.0), Verdict::Broken);
    }
}
