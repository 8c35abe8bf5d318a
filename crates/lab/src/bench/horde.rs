//! `sentir bench horde`: the horde on one thread: three hundred zombies at 60 Hz, alarms and seats and all, and matches of the
//! battery by version against real time. What is told is the middle of many, which others on the machine hardly move.

use super::{Figure, Rows, row};
use crate::error::LabError;
use sentir::prelude::Serial;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneError};
use std::time::Instant;

/// Steps of the game with three hundred, and matches of each version.
const STEPS: usize = 900;
const MATCHES: u64 = 41;
const VERSIONS: [&str; 5] = ["v1", "v2", "v3", "v4", "v5"];

pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    rows.extend(game()?);
    for version in VERSIONS {
        rows.extend(battery(version)?);
    }
    Ok(rows)
}

fn start(name: &str, settings: &[(&str, &str)], seed: u64) -> Result<Box<dyn Match>, SceneError> {
    let scene = sentir_scenes::CATALOG.find(name)?;
    let settings: Vec<_> = settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    scene.start(&scene.setup(seed, Changes { settings: &settings, assets: &[] })?)
}

/// Three hundred at 60 Hz; a match that is over begins anew.
fn game() -> Result<Rows, LabError> {
    let settings = [("player", "bot"), ("count", "300")];
    let (mut seed, mut game) = (1, start("horde-slots", &settings, 1)?);
    let mut times = Vec::with_capacity(STEPS);
    while times.len() < STEPS {
        if game.ending().is_some() {
            seed += 1;
            game = start("horde-slots", &settings, seed)?;
        }
        let started = Instant::now();
        game.step(&[], &Serial);
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let [median, late] = [0.5, 0.95].map(|share| times[(share * (STEPS - 1) as f64) as usize]);
    let what = format!("step of 300 zombies and the bot, {STEPS} steps of {seed} match(es), 1 thread");
    let remark = format!("95 of 100 steps take {late:.2} ms at most; 16.67 ms are one at 60 Hz");
    Ok(vec![row("zombies_300", what, Figure::new(median, 2, "ms"), remark).also("p95_ms", late)])
}

/// Matches of the battery, how they are made left out.
fn battery(version: &str) -> Result<Rows, LabError> {
    let rate = sentir_scenes::CATALOG.find("horde-battery")?.rate;
    let mut speeds = Vec::new();
    for seed in 1..=MATCHES {
        let mut game = start("horde-battery", &[("version", version)], seed)?;
        let started = Instant::now();
        while game.ending().is_none() {
            game.step(&[], &Serial);
        }
        speeds.push(f64::from(rate.seconds(game.tick().0)) / started.elapsed().as_secs_f64());
    }
    speeds.sort_by(f64::total_cmp);
    let what = format!("matches of the battery, {version}, {MATCHES} of them, 1 thread: the middle one");
    let slowest = format!("the slowest {:.0}", speeds[0]);
    let figure = Figure::new(speeds[speeds.len() / 2], 0, "× real time");
    Ok(vec![row(format!("battery_{version}"), what, figure, slowest)])
}
