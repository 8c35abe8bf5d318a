//! `sentir replay`: a recording, played again and compared.

use crate::cli::ReplayOptions;
use crate::error::LabError;
use crate::play::{Changed, changed};
use crate::pool::Threads;
use crate::progress::Progress;
use crate::{Done, file};
use sentir_harness::info::Changes;
use sentir_harness::recording::{FirstDifference, Recording, Replay};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// Plays a recording again and says whether it is identical.
pub(crate) fn replay(options: &ReplayOptions) -> Done {
    let path = &options.file;
    let bytes = file::read(path)?;
    let recording =
        Recording::from_file(&bytes).map_err(|why| LabError::Replay { path: path.clone(), why: why.into() })?;
    let Changed { settings, assets } = changed(&options.changes)?;
    let changes = Changes { settings: &settings, assets: &assets };
    // What was typed here is checked as such: the recording is not to blame for it.
    if let Ok(scene) = sentir_scenes::CATALOG.find(&recording.scene) {
        scene.setup(recording.seed, changes)?;
    }
    let threads = Threads::new(options.changes.threads)?;
    let ticks = recording.hashes.len() as u64;
    let progress = Progress::new(ticks, recording.rate.hz(), !options.changes.json);
    let outcome = threads
        .within(|| recording.replay(&sentir_scenes::CATALOG, changes, &threads, |game| progress.at(game.tick().0)))
        .map_err(|why| LabError::Replay { path: path.clone(), why })?;
    progress.finish();
    if options.changes.json {
        print_json(options, &recording, &outcome)?;
    } else {
        print_text(options, &recording, &outcome)?;
    }
    Ok(if outcome.is_identical() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_json(options: &ReplayOptions, recording: &Recording, outcome: &Replay) -> Result<(), LabError> {
    let told = |first: &FirstDifference| json!({ "tick": first.tick.0, "alike_ticks": first.alike_ticks, "parts": first.parts });
    let difference = outcome.difference.as_ref().map(told);
    let object = json!({
        "file": options.file.display().to_string(),
        "scene": recording.scene,
        "seed": recording.seed,
        "ticks": outcome.ticks,
        "identical": outcome.is_identical(),
        "first_difference": difference,
        "outcome": outcome.outcome,
        "changes": outcome.changes,
    });
    writeln!(std::io::stdout(), "{object}")?;
    Ok(())
}

fn print_text(options: &ReplayOptions, recording: &Recording, outcome: &Replay) -> Result<(), LabError> {
    let mut out = std::io::stdout().lock();
    let (file, Recording { scene, seed, .. }) = (options.file.display(), recording);
    match &outcome.difference {
        None if outcome.ticks == 0 => {
            writeln!(out, "nothing to compare: {file}, {scene} with seed {seed}, has no ticks")?;
            return Ok(());
        }
        None if outcome.outcome.is_empty() => {
            writeln!(out, "identical: {file}, {scene} with seed {seed}, {} ticks", outcome.ticks)?;
        }
        None => writeln!(out, "differs: {file}, {scene} with seed {seed}, {} ticks, not in a tick", outcome.ticks)?,
        Some(first) => {
            writeln!(out, "differs: {file}, {scene} with seed {seed}, first at tick {}", first.tick)?;
            if !first.parts.is_empty() {
                writeln!(out, "  in: {}", first.parts.join(", "))?;
            }
            if first.alike_ticks > 0 {
                writeln!(out, "  the whole state was the same for the first {} ticks", first.alike_ticks)?;
            }
        }
    }
    for told in &outcome.outcome {
        writeln!(out, "  {told}")?;
    }
    let head = if outcome.is_identical() { "although" } else { "because" };
    for change in &outcome.changes {
        writeln!(out, "  {head} {change}")?;
    }
    if !outcome.is_identical() && outcome.changes.is_empty() {
        writeln!(out, "  no setting or asset changed: the program itself plays it otherwise now")?;
    }
    Ok(())
}
