//! `sentir bench query`: environment queries of 81 and 529 points with six tests, the path search and the sweep of the
//! watcher's region with them; and how exact the one search for all points is. Instructions are counted by running callgrind
//! on the example `query_rounds` of the crate `sentir_arena`, with two counts of rounds.

use super::{Rows, median_ms, row};
use crate::error::LabError;
use sentir_arena::survey::{STAGE_UNITS, Survey};
use std::hint::black_box;

/// Queries by number of points, in one go and in stages.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for (half, by, limit) in
        [(4, "length", "limit 0.12 ms"), (11, "length", "limit 0.5 ms"), (4, "tactic", ""), (11, "tactic", "")]
    {
        let mut survey = Survey::new(half, by)?;
        let mut stages = 0;
        let whole_ms = median_ms(301, || {
            black_box(survey.ask(1, false));
        });
        let staged_ms = median_ms(301, || stages = survey.ask(1, true));
        let (points, kept, _) = survey.outcome();
        let what = format!("query of {points} points, six tests, path cost by {by}, in one go");
        let remark = format!("{kept} kept{}{limit}", if limit.is_empty() { "" } else { "; " });
        rows.push(row(what, format!("{whole_ms:.3} ms"), remark));
        let what = format!("the same in {stages} stages of at most {STAGE_UNITS} units");
        rows.push(row(what, format!("{staged_ms:.3} ms"), ""));
    }
    let accuracy = Survey::new(4, "length")?.accuracy();
    for (what, accuracy) in ["length", "the price of being seen"].iter().zip(accuracy) {
        let what = format!("one search for all points against one for each, by {what}");
        let figure = format!("{:.4} % off at most", accuracy.most * 100.0);
        rows.push(row(what, figure, format!("{:.4} % in the mean, {} points", accuracy.mean * 100.0, accuracy.count)));
    }
    Ok(rows)
}
