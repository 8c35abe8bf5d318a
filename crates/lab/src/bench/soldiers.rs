//! `sentir bench soldiers`: a thousand soldiers in fights, at 60 Hz of bodies and senses and about 10 Hz of thought, on one
//! thread: 250 firefights of four soldiers and a player, and 125 of eight and a player, each on its own ground, stepped in
//! turn. One that is over begins anew.

use super::{Figure, Rows, row};
use crate::error::LabError;
use sentir::prelude::Serial;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneError};
use std::time::Instant;

/// Fights at once, and soldiers in each.
const SHAPES: [[u64; 2]; 2] = [[250, 4], [125, 8]];
/// Fights begin within so many ticks of each other.
const SPREAD_TICKS: usize = 60;
/// Ticks before the measurement, so that fights are under way, and in it.
const WARM_TICKS: u32 = 240;
const TICKS: u32 = 300;

pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for shape in SHAPES {
        rows.extend(fights(shape)?);
    }
    Ok(rows)
}

fn fights([fight_count, soldiers]: [u64; 2]) -> Result<Rows, LabError> {
    let scene = sentir_scenes::CATALOG.find("firefight")?;
    let changes = [("player", "camper".to_owned()), ("soldiers", soldiers.to_string())];
    let changes = changes.map(|(name, value)| (name.to_owned(), value));
    let start = |seed: u64| -> Result<Box<dyn Match>, SceneError> {
        scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] })?)
    };
    let mut fights = (0..fight_count).map(start).collect::<Result<Vec<_>, _>>()?;
    // Not all are at the same moment of their second, as a thousand in one loop would not be.
    for (number, fight) in fights.iter_mut().enumerate() {
        for _ in 0..number % SPREAD_TICKS {
            fight.step(&[], &Serial);
        }
    }
    let mut next = fight_count;
    let mut times = Vec::with_capacity(TICKS as usize);
    for tick in 0..WARM_TICKS + TICKS {
        for fight in fights.iter_mut().filter(|fight| fight.ending().is_some()) {
            *fight = start(next)?;
            next += 1;
        }
        let started = Instant::now();
        for fight in &mut fights {
            fight.step(&[], &Serial);
        }
        if tick >= WARM_TICKS {
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let [median, late] = [0.5, 0.95].map(|share| times[(share * (times.len() - 1) as f64) as usize]);
    let count = fight_count * soldiers;
    let what = format!(
        "tick of {count} soldiers and {fight_count} players in as many fights, one thread, bodies and rules included"
    );
    let remark = format!("median {median:.1}, 95 % under {late:.1} ms; {} fights were over", next - fight_count);
    let one = row(format!("fights_{fight_count}x{soldiers}"), what, Figure::new(mean, 1, "ms"), remark);
    Ok(vec![one.also("median_ms", median).also("p95_ms", late)])
}
