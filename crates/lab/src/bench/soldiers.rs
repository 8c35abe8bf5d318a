//! `sentir bench soldiers`: a thousand soldiers in fights, at 60 Hz of bodies and senses and about 10 Hz of thought, on one
//! thread: 250 firefights of four, each on its own ground, stepped in turn. One that is over begins anew.

use super::{Rows, row};
use crate::error::LabError;
use sentir::prelude::Serial;
use sentir_arena::scene::{Match, Scene, SceneError};
use std::time::Instant;

/// Fights at once, and soldiers in each.
const FIGHTS: u64 = 250;
const SOLDIERS: u64 = 4;
/// Fights begin within so many ticks of each other.
const SPREAD_TICKS: usize = 60;
/// Ticks before the measurement, so that fights are under way, and in it.
const WARM_TICKS: u32 = 240;
const TICKS: u32 = 300;

pub(super) fn rows() -> Result<Rows, LabError> {
    let scene = Scene::find("firefight")?;
    let changes = [("player".to_owned(), "camper".to_owned())];
    let start = |seed: u64| -> Result<Box<dyn Match>, SceneError> { scene.start(&scene.setup(seed, &changes, &[])?) };
    let mut fights = (0..FIGHTS).map(start).collect::<Result<Vec<_>, _>>()?;
    // Not all are at the same moment of their second, as a thousand in one loop would not be.
    for (number, fight) in fights.iter_mut().enumerate() {
        for _ in 0..number % SPREAD_TICKS {
            fight.step(&[], &Serial);
        }
    }
    let mut next = FIGHTS;
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
    let count = FIGHTS * SOLDIERS;
    let what = format!(
        "tick of {count} soldiers and {FIGHTS} players in {FIGHTS} fights, one thread, bodies and rules included"
    );
    let remark =
        format!("limit 16.7 ms; median {median:.1}, 95 % under {late:.1} ms; {} fights were over", next - FIGHTS);
    Ok(vec![row(what, format!("{mean:.1} ms"), remark)])
}
