//! The matches of a battery: planned, played on all threads, merged in the order of scenes and seeds.

use super::Changed;
use crate::error::LabError;
use crate::pool::Threads;
use crate::progress::MatchProgress;
use sentir::prelude::Serial;
use sentir_harness::info::{Changes, SceneError, SceneInfo, Setup};
use sentir_harness::metric::Metric;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C. A match looks at it between ticks.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// What is to be played: `matches` of each setup, with seeds from that of the setup on.
pub(crate) struct Plan {
    setups: Vec<(&'static SceneInfo, Setup)>,
    /// Matches of each scene. At least 1.
    matches: u64,
}

/// What came of one match.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Name of the scene.
    pub(crate) scene: &'static str,
    /// Its seed.
    pub(crate) seed: u64,
    /// How it ended; none if the scene's last tick came first.
    pub(crate) outcome: Option<&'static str>,
    /// How long it was, ticks.
    pub(crate) ticks: u64,
    /// How long it was, s.
    pub(crate) seconds: f64,
    /// What it reports.
    pub(crate) metrics: Vec<Metric>,
}

impl Row {
    /// A metric by name; NaN where there is nothing to tell.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        self.metrics.iter().find(|metric| metric.name == name).map_or(f64::NAN, |metric| metric.value)
    }
}

/// What came of all matches.
pub(crate) struct Played {
    /// The finished ones, by scene and seed.
    pub(crate) rows: Vec<Row>,
    /// How many were to be played, in all scenes.
    pub(crate) planned: usize,
    /// Whether Ctrl-C ended it before all were played.
    pub(crate) is_stopped: bool,
    /// How fast it went, matches per second of wall time. The only figure here that differs from call to call.
    pub(crate) matches_per_s: f64,
}

impl Played {
    /// The matches of one scene.
    pub(crate) fn rows_of(&self, scene: &SceneInfo) -> &[Row] {
        let start = self.rows.iter().position(|row| row.scene == scene.name).unwrap_or(self.rows.len());
        let rest = &self.rows[start..];
        let end = rest.iter().position(|row| row.scene != scene.name).unwrap_or(rest.len());
        &rest[..end]
    }
}

impl Plan {
    /// Checks settings, assets and seeds, before any match begins.
    pub(crate) fn new(
        scenes: &[&'static SceneInfo],
        seed: u64,
        matches: u64,
        changes: &Changed,
    ) -> Result<Plan, LabError> {
        if seed.checked_add(matches).is_none() {
            return Err(LabError::Seeds { seed, matches });
        }
        let mut setups = Vec::new();
        for &scene in scenes {
            let setup = scene.setup(seed, Changes { settings: &changes.settings, assets: &changes.assets })?;
            scene.start(&setup)?;
            setups.push((scene, setup));
        }
        Ok(Plan { setups, matches })
    }

    /// Plays all matches, until they are done or Ctrl-C is pressed.
    pub(crate) fn play(&self, threads: &Threads, is_watched: bool) -> Result<Played, LabError> {
        ctrlc::set_handler(|| IS_STOPPED.store(true, Ordering::Relaxed))?;
        // At most 1 000 000 matches of each scene: fits on every machine that holds their rows.
        let planned = self.setups.len() * self.matches as usize;
        let progress = MatchProgress::new(planned as u64, is_watched);
        let results = threads.map(planned, |job| {
            let (scene, setup) = &self.setups[job / self.matches as usize];
            let seed = setup.seed + job as u64 % self.matches;
            let row = play_one(scene, &Setup { seed, ..setup.clone() }, &IS_STOPPED)?;
            if row.is_some() {
                progress.one_more();
            }
            Ok(row)
        });
        let matches_per_s = progress.matches_per_s();
        progress.finish();
        let rows: Vec<Row> = results.into_iter().filter_map(Result::transpose).collect::<Result<_, SceneError>>()?;
        let is_stopped = rows.len() < planned;
        Ok(Played { rows, planned, is_stopped, matches_per_s })
    }
}

/// Plays one match; none if it was stopped before its end.
fn play_one(scene: &SceneInfo, setup: &Setup, is_stopped: &AtomicBool) -> Result<Option<Row>, SceneError> {
    if is_stopped.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut game = scene.start(setup)?;
    while game.ending().is_none() && game.tick().0 < scene.ticks_max {
        if is_stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        game.step(&[], &Serial);
    }
    let ticks = game.tick().0;
    Ok(Some(Row {
        scene: scene.name,
        seed: setup.seed,
        outcome: game.ending(),
        ticks,
        seconds: ticks as f64 / f64::from(scene.rate.hz()),
        metrics: game.metrics().into_iter().chain(game.stupidity()).collect(),
    }))
}

/// The names of all metrics of these matches, in the order in which they first appear.
pub(crate) fn column_names(rows: &[Row]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for metric in rows.iter().flat_map(|row| &row.metrics) {
        if !names.contains(&metric.name) {
            names.push(metric.name);
        }
    }
    names
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A match with these metrics.
    pub(crate) fn row(seed: u64, outcome: &'static str, metrics: &[(&'static str, f64)]) -> Row {
        let metrics = metrics.iter().map(|&(name, value)| Metric { name, value }).collect();
        Row { scene: "patrol", seed, outcome: Some(outcome), ticks: 90, seconds: 1.5, metrics }
    }

    #[test]
    fn a_match_that_is_stopped_tells_nothing() {
        let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
        let setup = scene.setup(1, Changes::default()).unwrap();
        assert_eq!(play_one(scene, &setup, &AtomicBool::new(true)), Ok(None));
        assert!(play_one(scene, &setup, &AtomicBool::new(false)).unwrap().is_some());
    }

    #[test]
    fn columns_stand_in_the_order_of_their_first_match() {
        let rows = [row(1, "a", &[("x", 1.0), ("z", 2.0)]), row(2, "a", &[("y", 1.0), ("x", 2.0)])];
        assert_eq!(column_names(&rows), ["x", "z", "y"]);
        assert!(rows[0].metric("y").is_nan());
    }

    #[test]
    fn seeds_that_would_run_out_are_refused() {
        let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
        let none = Changed { settings: vec![], assets: vec![] };
        assert!(Plan::new(&[scene], u64::MAX - 2, 2, &none).is_ok());
        let refusal = Plan::new(&[scene], u64::MAX - 1, 2, &none).err().unwrap().to_string();
        assert_eq!(
            refusal,
            "there are no 2 seeds from 18446744073709551614 on: expected a --seed of at most 18446744073709551613"
        );
    }
}
