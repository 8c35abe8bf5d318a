//! `sentir bench scale`: one world with very many soldiers: the step of the loop (sense, think, coordinate, act), its worst
//! ticks, what a soldier takes of memory, and what a second thread brings. Bodies and rules are not in it.

use super::row::{Figure, Rows, row};
use crate::error::LabError;
use crate::pool::Threads;
use sentir::prelude::*;
use sentir_workload::soldiers::{Scale, ScaleConfig};
use std::time::Instant;

/// 250 squads of four, each in a yard with its target.
const THOUSAND: ScaleConfig = ScaleConfig { yards: [25, 10], squads: 1, soldiers: 4, is_mixed: false };
/// 2 500 squads of four, ten in a yard, of mixed importance.
const TEN_THOUSAND: ScaleConfig = ScaleConfig { yards: [25, 10], squads: 10, soldiers: 4, is_mixed: true };
/// Ticks before the measurement, so that fights are under way, and in it.
const WARM_TICKS: usize = 600;
const TICKS: usize = 600;

/// What one measurement gives, ms.
struct Times {
    mean: f64,
    p99: f64,
    worst: f64,
}

pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    let mut scale = Scale::new(&THOUSAND)?;
    let one = measure(&mut scale, &Serial);
    let doings = told(&scale);
    let count = scale.soldier_count();
    let what = format!("step of {count} soldiers in 250 squads in one world, one thread");
    let remark = format!("99 % under {:.2} ms, worst {:.2} ms; {doings}", one.p99, one.worst);
    let first = row("soldiers_1000", what, Figure::new(one.mean, 2, "ms"), remark);
    rows.push(first.also("p99_ms", one.p99).also("p99_by_mean", one.p99 / one.mean).also("worst_ms", one.worst));
    let bytes = scale.bytes_per_soldier() as f64 / 1024.0;
    rows.push(row(
        "bytes_per_soldier",
        "state of a soldier and its share of its squad's",
        Figure::new(bytes, 1, "KB"),
        "",
    ));
    let pool = Threads::new(2)?;
    let mut scale = Scale::new(&THOUSAND)?;
    let two = pool.within(|| measure(&mut scale, &pool));
    let remark = format!("{:.2} ms; 99 % under {:.2} ms", two.mean, two.p99);
    rows.push(row(
        "threads_2_by_1",
        "the same on two threads: how much faster",
        Figure::new(one.mean / two.mean, 2, "×"),
        remark,
    ));
    let mut scale = Scale::new(&TEN_THOUSAND)?;
    let many = pool.within(|| measure(&mut scale, &pool));
    let what = format!("step of {} soldiers in 2 500 squads, importance mixed, two threads", scale.soldier_count());
    let remark = format!("99 % under {:.2} ms, worst {:.2} ms; {}", many.p99, many.worst, told(&scale));
    rows.push(row("soldiers_10000", what, Figure::new(many.mean, 2, "ms"), remark).also("p99_ms", many.p99));
    Ok(rows)
}

fn measure(scale: &mut Scale, pool: &dyn Pool) -> Times {
    let mut times = Vec::with_capacity(TICKS);
    for tick in 0..WARM_TICKS + TICKS {
        let started = Instant::now();
        scale.think(pool);
        if tick >= WARM_TICKS {
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        scale.play();
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let last = times.len() - 1;
    Times { mean, p99: times[last * 99 / 100], worst: times[last] }
}

/// What everybody is at, at the end.
fn told(scale: &Scale) -> String {
    scale.doings().iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}
