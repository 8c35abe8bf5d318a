//! `sentir bench sense`: what looking around costs, by how many are in the cone of each. Instructions are counted on the
//! example `sight_load` of the crate `sentir_workload`.

use super::{Figure, Rows, row};
use crate::error::LabError;
use sentir::core::pool::Serial;
use sentir_workload::sight::Vigil;
use std::time::Instant;

/// Agents.
const COUNT: u32 = 1000;
/// Ticks between two looks of one.
const SENSE_EVERY: u16 = 6;

pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for candidates in [5.0f32, 10.0, 20.0, 40.0] {
        let quota = 64 * (candidates / 10.0).ceil() as u32;
        let mut vigil = Vigil::new(COUNT, candidates, SENSE_EVERY, quota)?;
        let (before, seen) = vigil.density();
        for _ in 0..120 {
            vigil.walk();
            vigil.look(&Serial);
        }
        let mut times: Vec<f64> = (0..301)
            .map(|_| {
                vigil.walk();
                let started = Instant::now();
                vigil.look(&Serial);
                started.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let what = format!("sight of {COUNT} agents, a look every {SENSE_EVERY} ticks, one thread");
        let remark = format!("{before:.1} in the cone of each, {seen:.1} seen");
        let figure = Figure::new(times[times.len() / 2], 3, "ms a tick");
        rows.push(row(format!("sight_{candidates:.0}"), what, figure, remark));
    }
    Ok(rows)
}
