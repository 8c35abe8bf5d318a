//! `sentir battery`: many matches on all cores, and what they have in common.
//!
//! One job is one match, played by one thread; results are merged in the order of scenes and seeds, and every figure
//! and file is made from the merged list: none depends on the number of threads or on who was faster.

mod csv;
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
use round::{Plan, Row, column_names};
use sentir_harness::info::SceneInfo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use summary::Summary;

/// Plays the matches, writes the files, prints what came of it.
pub(crate) fn battery(options: &BatteryOptions) -> Done {
    let scenes = find_scenes(&options.scenes)?;
    let changes = pairs(&options.settings, &options.assets)?;
    let plan = Plan::new(&scenes, options.seed, options.matches, &changes)?;
    check_places(options)?;
    let threads = Threads::new(thread_count(options))?;
    let played = plan.play(&threads, !options.json)?;
    let summaries: Vec<Summary> =
        scenes.iter().map(|&scene| Summary::new(scene, played.rows_of(scene), &threads)).collect();
    let object = report::as_json(options, &changes, &played, &summaries);
    let written = write_files(options, &played.rows, &summaries, &format!("{object}\n"))?;
    if options.json {
        report::print_json(&object)?;
    } else {
        report::print_tables(options, &played, &summaries, &written)?;
    }
    Ok(if played.is_stopped { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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

/// Writes what was asked for; gives the paths.
fn write_files(
    options: &BatteryOptions,
    rows: &[Row],
    summaries: &[Summary],
    json: &str,
) -> Result<Vec<PathBuf>, LabError> {
    let mut written = Vec::new();
    let mut put = |path: PathBuf, bytes: &[u8]| {
        file::write(&path, bytes)?;
        written.push(path);
        Ok::<(), LabError>(())
    };
    let columns = column_names(rows);
    if let Some(path) = &options.csv {
        put(path.clone(), csv::table(rows, &columns).as_bytes())?;
    }
    if let Some(path) = &options.parquet {
        put(path.clone(), &parquet_bytes(path, rows, &columns)?)?;
    }
    if let Some(folder) = &options.out {
        put(folder.join("matches.csv"), csv::table(rows, &columns).as_bytes())?;
        put(folder.join("summary.json"), json.as_bytes())?;
        for summary in summaries {
            for (name, plot) in plot::plots(summary) {
                put(folder.join(name), plot.as_bytes())?;
            }
        }
    }
    Ok(written)
}

#[cfg(feature = "parquet")]
fn parquet_bytes(path: &Path, rows: &[Row], columns: &[&str]) -> Result<Vec<u8>, LabError> {
    parquet::table(rows, columns).map_err(|why| LabError::Parquet { path: path.to_owned(), why })
}

#[cfg(not(feature = "parquet"))]
fn parquet_bytes(_: &Path, _: &[Row], _: &[&str]) -> Result<Vec<u8>, LabError> {
    Err(LabError::Feature { option: "--parquet", feature: "parquet" })
}
