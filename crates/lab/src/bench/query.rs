//! `sentir bench query`: environment queries of 81 and 529 points with six tests, the path search and the sweep of the
//! watcher's region with them; and how exact the one search for all points is. Instructions are counted by running callgrind
//! on the example `query_rounds` of the crate `sentir_workload`, with two counts of rounds.

use super::{Figure, Rows, median_ms, row};
use crate::error::LabError;
use sentir_workload::queries::{STAGE_UNITS, Survey};
use std::hint::black_box;

/// Queries by number of points, in one go and in stages.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for (half, by) in [(4, "length"), (11, "length"), (4, "tactic"), (11, "tactic")] {
        let mut survey = Survey::new(half, by)?;
        let mut stages = 0;
        let whole_ms = median_ms(301, || {
            black_box(survey.ask(1, false));
        });
        let staged_ms = median_ms(301, || stages = survey.ask(1, true));
        let (points, kept, _) = survey.outcome();
        let what = format!("query of {points} points, six tests, path cost by {by}, in one go");
        let key = format!("{by}_{points}");
        rows.push(row(&key, what, Figure::new(whole_ms, 3, "ms"), format!("{kept} kept")).also("kept", kept as f64));
        let what = format!("the same in {stages} stages of at most {STAGE_UNITS} units");
        rows.push(row(format!("{key}_staged"), what, Figure::new(staged_ms, 3, "ms"), ""));
    }
    let accuracy = Survey::new(4, "length")?.accuracy();
    let subjects = [("length_off", "length"), ("tactic_off", "the price of being seen")];
    for ((key, what), accuracy) in subjects.iter().zip(accuracy) {
        let what = format!("one search for all points against one for each, by {what}");
        let figure = Figure::new(accuracy.most * 100.0, 4, "% off at most");
        let remark = format!("{:.4} % in the mean, {} points", accuracy.mean * 100.0, accuracy.count);
        rows.push(row(*key, what, figure, remark));
    }
    Ok(rows)
}
