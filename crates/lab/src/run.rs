//! `sentir run`: one match.

use crate::camera::Camera;
use crate::cli::{RUN_EXAMPLES, RunOptions};
use crate::diary::Diary;
use crate::error::LabError;
use crate::play::{Changed, changed, hex, number};
use crate::pool::Threads;
use crate::progress::Progress;
use crate::{Done, file, interrupt};
use comfy_table::{ContentArrangement, Table, presets};
use sentir::prelude::Blunder;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneInfo};
use sentir_harness::recording::Recording;
use sentir_harness::snapshot;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What stands below the options: examples, and what counts as stupid.
pub(crate) fn help() -> String {
    let kinds = Blunder::ALL.map(|kind| format!("\n  {}: {}", kind.title(), kind.about())).concat();
    format!("{RUN_EXAMPLES}\n\nStupid is who, or what:{kinds}")
}

/// What came of a match.
struct Played {
    game: Box<dyn Match>,
    hashes: Vec<u64>,
    recording: Option<Recording>,
    diary: Option<Diary>,
    camera: Camera,
    speed: f64,
    /// Ticks in which a brain came to a breakpoint.
    breakpoints: u64,
    /// Whether Ctrl-C ended it.
    is_stopped: bool,
}

/// Plays one match and prints what came of it.
pub(crate) fn run(options: &RunOptions) -> Done {
    let scene = sentir_scenes::CATALOG.find(&options.scene)?;
    let Changed { settings, assets } = changed(&options.changes)?;
    let setup = scene.setup(options.seed, Changes { settings: &settings, assets: &assets })?;
    let game = match &options.from {
        None => scene.start(&setup)?,
        Some(path) => snapshot::from_file(scene, &setup, &file::read(path)?)
            .map_err(|why| LabError::Snapshot { path: path.clone(), why })?,
    };
    let camera = Camera::new(&options.camera, scene, options.seed)?;
    for (place, path) in files(options).enumerate() {
        file::check_place(path)?;
        if files(options).take(place).any(|other| other == path) {
            return Err(LabError::SamePlace { path: path.clone() });
        }
    }
    let recording = options.record.is_some().then(|| Recording::new(scene, &setup));
    let threads = Threads::new(options.changes.threads)?;
    interrupt::listen()?;
    let mut played = threads.within(|| play(game, scene, options, recording, camera, &threads))?;
    let mut refused = Vec::new();
    let mut put = |written: Result<(), LabError>| refused.extend(written.err());
    if let (Some(path), Some(recording)) = (&options.record, &played.recording) {
        put(file::write(path, &recording.to_file()));
    }
    if let (Some(path), Some(diary)) = (&options.events, &played.diary) {
        put(file::write(path, diary.as_bytes()));
    }
    if let Some(path) = &options.snapshot {
        put(file::write(path, &snapshot::to_file(scene, &setup, &*played.game)));
    }
    played.camera.finish(&*played.game, &mut put);
    if options.changes.json {
        print_json(scene, options, &played)?;
    } else {
        print_table(scene, options, &played)?;
    }
    // The figures are out by now: what could not be written comes after them.
    file::first_of(refused)?;
    Ok(if played.is_stopped { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Every file that the match is to leave.
fn files(options: &RunOptions) -> impl Iterator<Item = &PathBuf> {
    let camera = &options.camera;
    [&options.record, &options.snapshot, &options.events, &camera.film, &camera.picture, &camera.sheet]
        .into_iter()
        .flatten()
}

fn play(
    mut game: Box<dyn Match>,
    scene: &SceneInfo,
    options: &RunOptions,
    mut recording: Option<Recording>,
    mut camera: Camera,
    threads: &Threads,
) -> Result<Played, LabError> {
    let first = game.tick().0;
    let ticks = options.ticks.unwrap_or(u64::MAX);
    let progress = Progress::new(scene.ticks_max.min(ticks), scene.rate.hz(), !options.changes.json);
    let (mut hashes, mut breakpoints) = (Vec::new(), 0);
    let mut diary = options.events.is_some().then(Diary::new);
    camera.see(&*game)?;
    while game.ending().is_none() && game.tick().0 - first < ticks && !interrupt::is_stopped() {
        game.step(&[], threads);
        breakpoints += u64::from(game.editor().is_some_and(|it| it.breakpoint().is_some()));
        if let Some(recording) = &mut recording {
            recording.note(&*game, &[]);
        }
        if let Some(diary) = &mut diary {
            diary.note(&*game, scene);
        }
        if options.hashes {
            hashes.push(game.hash());
        }
        camera.see(&*game)?;
        progress.at(game.tick().0);
    }
    if let Some(recording) = &mut recording {
        recording.finish(&*game);
    }
    let speed = progress.speed(game.tick().0 - first);
    progress.finish();
    let is_stopped = interrupt::is_stopped() && game.ending().is_none();
    Ok(Played { game, hashes, recording, diary, camera, speed, breakpoints, is_stopped })
}

fn print_json(scene: &SceneInfo, options: &RunOptions, played: &Played) -> Result<(), LabError> {
    let game = &played.game;
    let metrics: Map<String, Value> =
        game.metrics().iter().map(|metric| (metric.name.to_owned(), number(metric.value))).collect();
    let stupidity: Map<String, Value> =
        game.stupidity().iter().map(|metric| (metric.name.to_owned(), number(metric.value))).collect();
    let mut object = json!({
        "scene": scene.name,
        "seed": options.seed,
        "ticks": game.tick().0,
        "seconds": number(game.tick().0 as f64 / f64::from(scene.rate.hz())),
        "hash": hex(game.hash()),
        "outcome": game.ending(),
        "metrics": metrics,
        "stupidity": stupidity,
        "breakpoints": played.breakpoints,
        "bad_numbers": game.bad_numbers(),
    });
    if options.hashes {
        object["hashes"] = played.hashes.iter().map(|&hash| Value::String(hex(hash))).collect();
    }
    writeln!(std::io::stdout(), "{object}")?;
    Ok(())
}

/// How often somebody was stupid, and how.
fn stupid(game: &dyn Match) -> String {
    let figures = game.stupidity();
    let Some((sum, kinds)) = figures.split_last() else { return "0".to_owned() };
    let came = Blunder::ALL.into_iter().zip(kinds).filter(|(_, figure)| figure.value > 0.0);
    let named: Vec<_> = came.map(|(kind, figure)| format!("{} {}", kind.title(), figure.value)).collect();
    if named.is_empty() { "0".to_owned() } else { format!("{} ({})", sum.value, named.join(", ")) }
}

fn print_table(scene: &SceneInfo, options: &RunOptions, played: &Played) -> Result<(), LabError> {
    let game = &played.game;
    let mut out = std::io::stdout().lock();
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let seconds = scene.rate.seconds(game.tick().0);
    let stopped = if played.is_stopped { "stopped by Ctrl-C" } else { "stopped by --ticks" };
    let outcome = game.ending().unwrap_or(stopped);
    table.add_row(["scene", &format!("{}: {}", scene.name, scene.title)]);
    table.add_row(["outcome", outcome]);
    table.add_row(["seed", &options.seed.to_string()]);
    table.add_row(["time", &format!("{seconds:.2} s, {} ticks of {} Hz", game.tick(), scene.rate.hz())]);
    table.add_row(["speed", &format!("{:.0} × real time", played.speed)]);
    for metric in game.metrics() {
        let value = if metric.value.is_nan() { "–".to_owned() } else { format!("{:.2}", metric.value) };
        table.add_row([metric.name, value.trim_end_matches(".00")]);
    }
    table.add_row(["stupid", &stupid(&**game)]);
    if game.bad_numbers() > 0 {
        table.add_row([
            "bad numbers",
            &format!("{} motions or bodies were no numbers: please report it", game.bad_numbers()),
        ]);
    }
    if played.breakpoints > 0 {
        table.add_row(["breakpoints", &played.breakpoints.to_string()]);
    }
    table.add_row(["hash", &hex(game.hash())]);
    writeln!(out, "{table}")?;
    for path in files(options) {
        // What could not be written is told as an error.
        if let Ok(about) = std::fs::metadata(path) {
            writeln!(out, "written: {} ({} bytes)", path.display(), about.len())?;
        }
    }
    for (tick, &hash) in (game.tick().0 - played.hashes.len() as u64..).zip(&played.hashes) {
        writeln!(out, "{tick} {}", hex(hash))?;
    }
    Ok(())
}
