//! The matches of a battery: planned, played on all threads, merged in the order of scenes and seeds.

use super::Changed;
use super::journal::{Found, Journal};
use crate::error::LabError;
use crate::interrupt;
use crate::pool::Threads;
use crate::progress::MatchProgress;
use sentir::core::state::hash_bytes;
use sentir::prelude::Serial;
use sentir_harness::info::{Changes, SceneError, SceneInfo, Setup};
use sentir_harness::metric::Metric;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    /// Why it broke off: what the program said when it panicked. As a rule none.
    pub(crate) failure: Option<String>,
}

/// What stands for the outcome of a match that broke off.
pub(crate) const FAILED: &str = "failed";

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

    /// What is played, in a line: by it a journal is known.
    pub(crate) fn told(&self, changes: &Changed) -> String {
        let scenes: Vec<&str> = self.setups.iter().map(|(scene, _)| scene.name).collect();
        let seed = self.setups.first().map_or(0, |(_, setup)| setup.seed);
        let settings = changes.settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        let asset = |(name, text): &(String, String)| format!("{name}:{:016x}", hash_bytes(text.as_bytes()));
        let assets = changes.assets.iter().map(asset).collect::<Vec<_>>();
        serde_json::json!({
            "battery": scenes, "seed": seed, "matches": self.matches, "settings": settings, "assets": assets,
            "program": env!("CARGO_PKG_VERSION"),
        })
        .to_string()
    }

    /// Plays all matches that are not `found` already, until they are done or Ctrl-C is pressed.
    pub(crate) fn play(
        &self,
        threads: &Threads,
        is_watched: bool,
        journal: Option<&Journal>,
        found: &Found,
    ) -> Result<Played, LabError> {
        interrupt::listen()?;
        // At most 1 000 000 matches of each scene: fits on every machine that holds their rows.
        let planned = self.setups.len() * self.matches as usize;
        let progress = MatchProgress::new(planned as u64, is_watched);
        let results = threads.map(planned, |job| {
            let (scene, setup) = &self.setups[job / self.matches as usize];
            let seed = setup.seed + job as u64 % self.matches;
            if let Some(row) = found.get(&job) {
                return Ok(Some(row.clone()));
            }
            let setup = Setup { seed, ..setup.clone() };
            let row = guarded(scene, seed, || play_one(scene, &setup, interrupt::is_stopped))?;
            if let Some(row) = &row {
                progress.one_more();
                journal.into_iter().for_each(|journal| journal.note(job, row));
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

/// A match that panics is one match that failed, and the others go on.
fn guarded(
    scene: &SceneInfo,
    seed: u64,
    play: impl FnOnce() -> Result<Option<Row>, SceneError>,
) -> Result<Option<Row>, SceneError> {
    // What the match has made goes with it: nothing of it is looked at afterwards.
    catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|thrown| {
        let text = thrown.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| thrown.downcast_ref::<String>().cloned()).unwrap_or_default();
        let failure = Some(text.lines().next().unwrap_or_default().to_owned());
        let (scene, outcome, metrics) = (scene.name, Some(FAILED), Vec::new());
        Ok(Some(Row { scene, seed, outcome, ticks: 0, seconds: 0.0, metrics, failure }))
    })
}

/// Plays one match; none if it was stopped before its end.
fn play_one(scene: &SceneInfo, setup: &Setup, is_stopped: impl Fn() -> bool) -> Result<Option<Row>, SceneError> {
    if is_stopped() {
        return Ok(None);
    }
    let mut game = scene.start(setup)?;
    while game.ending().is_none() && game.tick().0 < scene.ticks_max {
        if is_stopped() {
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
        failure: None,
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
        Row { scene: "patrol", seed, outcome: Some(outcome), ticks: 90, seconds: 1.5, metrics, failure: None }
    }

    #[test]
    fn a_match_that_is_stopped_tells_nothing() {
        let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
        let setup = scene.setup(1, Changes::default()).unwrap();
        assert_eq!(play_one(scene, &setup, || true), Ok(None));
        assert!(play_one(scene, &setup, || false).unwrap().is_some());
    }

    #[test]
    fn a_match_that_panics_is_one_match_that_failed() {
        let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
        let failed = guarded(scene, 7, || panic!("the guard has {} heads", 2)).unwrap().unwrap();
        assert_eq!((failed.seed, failed.outcome), (7, Some(FAILED)));
        assert_eq!(failed.failure.as_deref(), Some("the guard has 2 heads"));
        assert!(failed.metrics.is_empty());
        assert_eq!(guarded(scene, 7, || Ok(None)), Ok(None));
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
