//! Snapshots as files: the state of a match, and what it is the state of. A match goes on only from its own.

use sentir::State;
use sentir::core::state::{EnvelopeError, FileKind, pack, unpack};
use thiserror::Error;

use crate::game_match::Match;
use crate::info::{SceneError, SceneInfo, Setup};

/// Number of the file format.
const FORMAT: u32 = 1;

/// A match at one tick, as a file holds it.
#[derive(Clone, Debug, PartialEq, State)]
struct Snapshot {
    scene: String,
    seed: u64,
    settings: Vec<(String, String)>,
    /// Name and content hash of every asset.
    assets: Vec<(String, u64)>,
    /// As [`Match::snapshot`] gives it.
    state: Vec<u8>,
}

/// Why a match cannot go on from a file. The sentences go on from 'FILE …'.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// The file is not a whole snapshot of this version.
    #[error(transparent)]
    File(#[from] EnvelopeError),
    /// It is of another run.
    #[error("is of another run: its {what} is {there}, not {here}")]
    OtherRun {
        /// What differs.
        what: String,
        /// There.
        there: String,
        /// Here.
        here: String,
    },
    /// The scene cannot be started.
    #[error("cannot be gone on from: {0}")]
    SceneInfo(#[from] SceneError),
}

/// A match as the bytes of a file.
pub fn to_file(scene: &SceneInfo, setup: &Setup, game: &dyn Match) -> Vec<u8> {
    pack(FileKind::Snapshot, FORMAT, &Snapshot { state: game.snapshot(), ..identity(scene, setup) })
}

/// The match of a file, which must be of this scene and setup.
pub fn from_file(scene: &SceneInfo, setup: &Setup, file: &[u8]) -> Result<Box<dyn Match>, SnapshotError> {
    let there: Snapshot = unpack(FileKind::Snapshot, file)?.open(FORMAT)?;
    let here = identity(scene, setup);
    let differs =
        |what: &str, there: String, here: String| SnapshotError::OtherRun { what: what.to_owned(), there, here };
    if there.scene != here.scene {
        return Err(differs("scene", there.scene, here.scene));
    }
    if there.seed != here.seed {
        return Err(differs("seed", there.seed.to_string(), here.seed.to_string()));
    }
    for (name, value) in &here.settings {
        let old = there.settings.iter().find(|(other, _)| other == name).map_or("absent", |(_, old)| old);
        if old != value {
            return Err(differs(&format!("setting '{name}'"), old.to_owned(), value.clone()));
        }
    }
    if let Some((name, _)) = here.assets.iter().find(|asset| !there.assets.contains(asset)) {
        return Err(differs(&format!("asset '{name}'"), "another one".to_owned(), "this one".to_owned()));
    }
    let mut game = scene.start(setup)?;
    game.restore(&there.state)?;
    Ok(game)
}

/// Everything but the state.
fn identity(scene: &SceneInfo, setup: &Setup) -> Snapshot {
    Snapshot {
        scene: scene.name.to_owned(),
        seed: setup.seed,
        settings: setup.settings.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        assets: setup.assets.iter().map(|asset| (asset.name.clone(), asset.hash())).collect(),
        state: Vec::new(),
    }
}
