//! `sentir battery`: many matches on all cores, and what they have in common.
//!
//! One job is one match, played by one thread; results are merged in the order of scenes and seeds, and every figure
//! and file is made from the merged list: none depends on the number of threads or on who was faster.

mod csv;
mod journal;
#[cfg(feature = "parquet")]
mod parquet;
mod plot;
mod report;
mod round;
mod scale;
mod summary;
mod svg;

use crate::cli::BatteryOptions;
use crate::error::LabError;
use crate::play::{Changed, pairs};
use crate::pool::Threads;
use crate::{Done, file};
use journal::{Found, Journal};
use round::{Plan, Row, column_names};
use sentir_harness::info::SceneInfo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use summary::Summary;

/// What stands below the options.
pub(crate) const EXAMPLES: &str = "Examples:
  sentir battery patrol --matches 200
  sentir battery patrol --matches 200 --seed 1000 --set guards=3
  sentir battery patrol --matches 200 --out results      table, CSV and plots in a folder
  sentir battery patrol --matches 200 --csv matches.csv
  sentir battery patrol --matches 200 --json

Match k of a scene has the seed --seed + k: `sentir run SCENE --seed N` plays any of them again. The same call gives the \
same numbers and files, byte for byte, with any number of threads. Ctrl-C keeps what is finished (exit code 1).

--out FOLDER gets matches.csv, summary.json, SCENE-outcomes.svg, and SCENE-METRIC.svg for each metric. CSV and parquet \
have one row a match: scene, seed, outcome, ticks, seconds (of the match), then every metric, empty where there is \
nothing to tell. Shares of outcomes have exact intervals (Clopper and Pearson), rare counts those of Poisson (Garwood), other means \
those of the studentized bootstrap (2000 resamples); of what hardly differs from match to match none is told.

With --out or --csv every match that is over is noted in FOLDER/battery.journal or FILE.journal: after Ctrl-C, a kill or a power \
cut the same call goes on from there. A match that breaks off is reported as one that failed (exit code 1).

With --json, one object: seed (the first), matches (asked for, per scene), played and planned (in all scenes), stopped \
(by Ctrl-C), failed (sentences), settings and assets (as changed), scenes. A scene: scene, matches (played), warning, outcomes, \
metrics. An outcome: outcome, count, share, low, high. A metric: metric, matches (that have a value), mean, low, high, \
interval (exact, poisson, bootstrap), why_none (where there is no interval), min, median, p90, max; \
numbers are null where there is nothing to tell.";

/// Plays the matches, writes the files, prints what came of it.
pub(crate) fn battery(options: &BatteryOptions) -> Done {
    let scenes = find_scenes(&options.scenes)?;
    let changes = pairs(&options.settings, &options.assets)?;
    let plan = Plan::new(&scenes, options.seed, options.matches, &changes)?;
    check_places(options)?;
    let threads = Threads::new(thread_count(options))?;
    let (journal, found) = match journal_place(options) {
        Some(path) => Journal::open(&path, &plan.told(&changes)).map(|(journal, found)| (Some(journal), found))?,
        None => (None, Found::new()),
    };
    let played = plan.play(&threads, !options.json, journal.as_ref(), &found)?;
    let summaries: Vec<Summary> =
        scenes.iter().map(|&scene| Summary::new(scene, played.rows_of(scene), &threads)).collect();
    let object = report::as_json(options, &changes, &played, &summaries);
    let Output { written, refused } = write_files(options, &played.rows, &summaries, &format!("{object}\n"));
    if options.json {
        report::print_json(&object)?;
    } else {
        report::print_tables(options, &played, &summaries, &written)?;
        report::print_journal(journal.as_ref(), found.len(), played.is_stopped)?;
    }
    let is_whole = !played.is_stopped && refused.is_empty();
    if let Some(journal) = journal.filter(|_| is_whole) {
        journal.remove();
    }
    // The figures are out by now: what could not be written comes after them.
    file::first_of(refused)?;
    let is_well = is_whole && report::failures(&played).is_empty();
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where matches are noted while they are played: beside what is to be written; nowhere if nothing is.
fn journal_place(options: &BatteryOptions) -> Option<PathBuf> {
    let beside = |path: &PathBuf| {
        let mut name = path.as_os_str().to_owned();
        name.push(".journal");
        PathBuf::from(name)
    };
    // Not beside a device or a pipe.
    let is_plain = |path: &&PathBuf| std::fs::metadata(path).map_or(true, |about| about.is_file());
    let folder = options.out.as_ref().map(|folder| folder.join("battery.journal"));
    folder.or_else(|| options.csv.iter().chain(&options.parquet).find(is_plain).map(beside))
}

fn find_scenes(names: &[String]) -> Result<Vec<&'static SceneInfo>, LabError> {
    let mut scenes: Vec<&SceneInfo> = Vec::new();
    for name in names {
        let scene = sentir_scenes::CATALOG.find(name)?;
        if scenes.iter().any(|other| other.name == scene.name) {
            return Err(LabError::Twice(scene.name));
        }
        scenes.push(scene);
    }
    Ok(scenes)
}

fn thread_count(options: &BatteryOptions) -> u16 {
    let cores = || std::thread::available_parallelism().map_or(1, |count| count.get().min(256) as u16);
    options.threads.unwrap_or_else(cores)
}

/// Finds out before the matches that a file could not be written after them.
fn check_places(options: &BatteryOptions) -> Result<(), LabError> {
    #[cfg(not(feature = "parquet"))]
    if options.parquet.is_some() {
        return Err(LabError::Feature { option: "--parquet", feature: "parquet" });
    }
    for path in options.csv.iter().chain(&options.parquet) {
        file::check_place(path)?;
    }
    options.out.as_deref().map_or(Ok(()), file::make_folder)
}

/// What became of the files.
#[derive(Default)]
struct Output {
    written: Vec<PathBuf>,
    /// Why the others were not.
    refused: Vec<LabError>,
}

impl Output {
    fn put(&mut self, path: PathBuf, bytes: Result<Vec<u8>, LabError>) {
        match bytes.and_then(|bytes| file::write(&path, &bytes)) {
            Ok(()) => self.written.push(path),
            Err(why) => self.refused.push(why),
        }
    }
}

/// Writes what was asked for. What cannot be written is no reason to lose the rest.
fn write_files(options: &BatteryOptions, rows: &[Row], summaries: &[Summary], json: &str) -> Output {
    let mut output = Output::default();
    let columns = column_names(rows);
    let csv = || Ok(csv::table(rows, &columns).into_bytes());
    if let Some(path) = &options.csv {
        output.put(path.clone(), csv());
    }
    if let Some(path) = &options.parquet {
        output.put(path.clone(), parquet_bytes(path, rows, &columns));
    }
    if let Some(folder) = &options.out {
        output.put(folder.join("matches.csv"), csv());
        output.put(folder.join("summary.json"), Ok(json.as_bytes().to_vec()));
        for summary in summaries {
            for (name, plot) in plot::plots(summary) {
                output.put(folder.join(name), Ok(plot.into_bytes()));
            }
        }
        remove_old_plots(folder, &output.written);
    }
    output
}

/// Takes plots away that an earlier battery left in the folder and this one did not make. Files of others stay.
fn remove_old_plots(folder: &Path, written: &[PathBuf]) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_plot = path.extension().is_some_and(|end| end == "svg") && !written.contains(&path);
        let is_ours = || std::fs::read_to_string(&path).is_ok_and(|text| text.contains(svg::MADE_HERE));
        if is_plot && is_ours() {
            // One that cannot be removed is only old.
            let _ = std::fs::remove_file(&path);
        }
    }
}

#[cfg(feature = "parquet")]
fn parquet_bytes(path: &Path, rows: &[Row], columns: &[&str]) -> Result<Vec<u8>, LabError> {
    parquet::table(rows, columns).map_err(|why| LabError::Parquet { path: path.to_owned(), why })
}

#[cfg(not(feature = "parquet"))]
fn parquet_bytes(_: &Path, _: &[Row], _: &[&str]) -> Result<Vec<u8>, LabError> {
    Err(LabError::Feature { option: "--parquet", feature: "parquet" })
}
