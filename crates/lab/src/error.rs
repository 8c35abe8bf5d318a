//! What can go wrong, as sentences, and the exit code of each.

use sentir_film::FilmError;
use sentir_harness::info::SceneError;
use sentir_harness::recording::ReplayError;
use sentir_harness::snapshot::SnapshotError;
use sentir_nav::bake::BakeError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a command did not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum LabError {
    /// A scene, setting or asset as given is none.
    #[error("{why}{}", hint(.why))]
    SceneInfo {
        /// Why not.
        #[from]
        why: SceneError,
    },
    /// A file of a brain is refused.
    #[error("{why}")]
    Asset {
        /// Why, with its place.
        #[from]
        why: sentir_asset::AssetError,
    },
    /// A brain cannot be brought forward.
    #[error("{0}")]
    Brain(String),
    /// There is nothing to draw.
    #[error("there is no brain to draw in these files")]
    NoBrain,
    /// A scene whose minds are code.
    #[error("the brains of '{scene}' are no files: expected one of {}", sentir_scenes::brain_file::scenes().collect::<Vec<_>>().join(", "))]
    NoBrainFile {
        /// Which.
        scene: String,
    },
    /// A `key=value` without `=`.
    #[error("'{text}' is not of the form {form}")]
    Pair {
        /// As typed.
        text: String,
        /// As expected.
        form: &'static str,
    },
    /// A file could not be read.
    #[error("{} cannot be read: {why}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file could not be written.
    #[error("{} cannot be written: {why}", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A match cannot go on from a file.
    #[error("{} {why}", .path.display())]
    Snapshot {
        /// Which.
        path: PathBuf,
        /// Why.
        why: SnapshotError,
    },
    /// One file was asked to hold two things.
    #[error("{} is named twice: each output needs a file of its own", .path.display())]
    SamePlace {
        /// Which.
        path: PathBuf,
    },
    /// A file would be replaced by what is made of it.
    #[error("{} would be written over itself: name another file with --out", .path.display())]
    OverItself {
        /// Which.
        path: PathBuf,
    },
    /// A picture was asked for at a moment that did not come.
    #[error("{} cannot be made: the match lasted from {from_s:.2} to {to_s:.2} s, not {at_s:.2} s", .path.display())]
    NoMoment {
        /// Which.
        path: PathBuf,
        /// The moment, s.
        at_s: f64,
        /// When the match began here, s.
        from_s: f64,
        /// When it ended, s.
        to_s: f64,
    },
    /// There is no built page.
    #[error("there is no built studio in '{}': `cargo xtask studio` builds it and serves it, or name its folder with --files", .path.display())]
    NoStudio {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A port is taken or not ours.
    #[error("port {port} cannot be served: {why}; choose another with --port, or 0 for a free one")]
    Port {
        /// Which.
        port: u16,
        /// Why.
        why: String,
    },
    /// A recording cannot be played.
    #[error("{} {why}", .path.display())]
    Replay {
        /// Which.
        path: PathBuf,
        /// Why.
        why: ReplayError,
    },
    /// A picture or film could not be made.
    #[error("{} cannot be made: {why}", .path.display())]
    Film {
        /// Which.
        path: PathBuf,
        /// Why.
        why: FilmError,
    },
    /// A file name does not say what is to be written.
    #[error("{} cannot be written: its name must end in {expected}", .path.display())]
    Ending {
        /// Which.
        path: PathBuf,
        /// What was expected.
        expected: &'static str,
    },
    /// A measurement needs a file that was not named.
    #[error("{what} needs {option}, which was not given")]
    Needs {
        /// What was asked for.
        what: &'static str,
        /// What it takes.
        option: &'static str,
    },
    /// A level is none.
    #[error("{0}")]
    Level(Box<sentir_level::LevelError>),
    /// A level cannot be baked.
    #[error("{} cannot be baked: {why}", .path.display())]
    Bake {
        /// Which.
        path: PathBuf,
        /// Why.
        why: BakeError,
    },
    /// A look that cannot be.
    #[error("cannot look: {0}")]
    Look(String),
    /// What a measurement is made on cannot be built.
    #[error("cannot be measured: {0}")]
    Measure(String),
    /// A scene is named more than once.
    #[error("the scene '{0}' is named twice: name each scene once")]
    Twice(&'static str),
    /// The seeds run out.
    #[error("there are no {matches} seeds from {seed} on: expected a --seed of at most {}", u64::MAX - .matches)]
    Seeds {
        /// The first one.
        seed: u64,
        /// How many are wanted.
        matches: u64,
    },
    /// The program was built without a feature.
    #[cfg(not(feature = "parquet"))]
    #[error(
        "{option} needs the feature '{feature}', which this program was built without\n  \
         `cargo run --release --features {feature} -- battery` has it"
    )]
    Feature {
        /// What was asked for.
        option: &'static str,
        /// What it takes.
        feature: &'static str,
    },
    /// A parquet file could not be made.
    #[cfg(feature = "parquet")]
    #[error("{} cannot be made: {why}", .path.display())]
    Parquet {
        /// Which.
        path: PathBuf,
        /// Why.
        why: parquet::errors::ParquetError,
    },
    /// A map or its scenarios are wrong.
    #[error(transparent)]
    Grid(#[from] sentir_nav::grid::GridError),
    /// A folder without what is looked for.
    #[error("{} has no {missing}", .path.display())]
    NoMap {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        missing: String,
    },
    /// Ctrl-C could not be listened to.
    #[error("Ctrl-C cannot be listened to: {0}")]
    Interrupt(#[from] ctrlc::Error),
    /// Threads could not be started.
    #[error("{0} threads could not be started")]
    Threads(usize),
    /// Standard output is closed or full.
    #[error("the output cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

impl LabError {
    /// 2 when the program was called wrongly, 1 when it failed.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            LabError::SceneInfo { why: SceneError::Asset { .. } } => 1,
            LabError::SceneInfo { .. }
            | LabError::Pair { .. }
            | LabError::SamePlace { .. }
            | LabError::OverItself { .. }
            | LabError::Ending { .. } => 2,
            LabError::Twice(_) | LabError::Seeds { .. } | LabError::Needs { .. } | LabError::Look(_) => 2,
            LabError::NoBrainFile { .. } => 2,
            #[cfg(not(feature = "parquet"))]
            LabError::Feature { .. } => 2,
            _ => 1,
        }
    }
}

/// Where to find the valid words.
fn hint(error: &SceneError) -> &'static str {
    match error {
        SceneError::Unknown { .. } => "\n  `sentir scenes` lists them all",
        SceneError::Setting(_) => "\n  `sentir scenes` lists the settings of each scene",
        _ => "",
    }
}
