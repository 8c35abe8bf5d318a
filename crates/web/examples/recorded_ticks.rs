//! Plays a scene, for counting instructions: the difference between two counts of ticks is the work of those in between.
//! `recorded_ticks SCENE TICKS [bare|recorded|page]`: the match alone, with its recording, or as the page plays it (recording,
//! snapshots, reasons).

use sentir::core::pool::Serial;
use sentir_harness::info::{Changes, SceneError};
use sentir_harness::recording::Recording;
use sentir_web::session::Session;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, stock: &'static str| words.get(at).map_or(stock, String::as_str);
    let (scene, ticks, way) = (word(0, "firefight"), word(1, "600").parse().unwrap_or(600), word(2, "recorded"));
    let hash = match way {
        "page" => watched(scene, ticks).map_err(|error| error.to_string()),
        _ => played(scene, ticks, way == "recorded").map_err(|error| error.to_string()),
    };
    match hash {
        Ok(hash) => println!("{scene}, {ticks} ticks {way}: {hash:016x}"),
        Err(error) => eprintln!("{error}"),
    }
}

fn played(scene: &str, ticks: u64, is_recorded: bool) -> Result<u64, SceneError> {
    let scene = sentir_scenes::CATALOG.find(scene)?;
    let setup = scene.setup(1, Changes::default())?;
    let mut game = scene.start(&setup)?;
    let mut recording = is_recorded.then(|| Recording::new(scene, &setup));
    for _ in 0..ticks {
        game.step(&[], &Serial);
        if let Some(recording) = &mut recording {
            recording.note(&*game, &[]);
        }
    }
    Ok(game.hash())
}

/// A tick at a time, as a page that shows every one of them does.
fn watched(scene: &str, ticks: u64) -> Result<u64, sentir_web::session::SessionError> {
    let mut session = Session::start::<&str>(scene, 1, &[])?;
    for _ in 0..ticks {
        session.play(1);
    }
    Ok(session.hash())
}
