//! `sentir bench war`: a minute of `war-crowd`, a thousand units on either side that march, fight and come back, on one thread and
//! on two. The same match is played several times, and the least time of each step counts: what else the machine does is not
//! measured.

use super::{Figure, Rows, row};
use crate::error::LabError;
use crate::pool::Threads;
use sentir_harness::info::Changes;
use std::time::Instant;

const TICKS: usize = 1200;
const PLAYS: usize = 3;

pub(super) fn rows() -> Result<Rows, LabError> {
    let scene = sentir_scenes::CATALOG.find("war-crowd")?;
    let changes = [("blue", "attack"), ("red", "attack"), ("seconds", "900")];
    let changes = changes.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut rows = Rows::new();
    for threads in [1, 2] {
        let pool = Threads::new(threads)?;
        let mut steps_ms = vec![f64::INFINITY; TICKS];
        for _ in 0..PLAYS {
            let mut game = scene.start(&scene.setup(1, Changes { settings: &changes, assets: &[] })?)?;
            pool.within(|| {
                for least in &mut steps_ms {
                    let started = Instant::now();
                    game.step(&[], &pool);
                    *least = least.min(started.elapsed().as_secs_f64() * 1e3);
                }
            });
        }
        let mean = steps_ms.iter().sum::<f64>() / TICKS as f64;
        steps_ms.sort_by(f64::total_cmp);
        let [p95, worst] = [steps_ms[TICKS * 95 / 100], steps_ms[TICKS - 1]];
        let what = format!("step of war-crowd, 1 000 units a side, the slowest of {TICKS}, {threads} thread(s)");
        let remark = format!("mean {mean:.1} ms, 19 of 20 within {p95:.1} ms");
        let row = row(format!("war_crowd_{threads}"), what, Figure::new(worst, 1, "ms"), remark);
        rows.push(row.also("mean_ms", mean).also("p95_ms", p95));
    }
    Ok(rows)
}
