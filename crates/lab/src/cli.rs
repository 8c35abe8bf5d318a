//! The command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// The brain of game characters: sense, think, act.
///
/// Runs scenes without a screen, records and replays them, and measures them. The same seed and settings give the same
/// match, to the bit, on any machine and with any number of threads.
#[derive(Debug, Parser)]
#[command(name = "sentir", version, propagate_version = true, after_help = TRY)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const TRY: &str = "Try first:
  sentir run patrol                      a guard, its round, and an intruder
  sentir run patrol --seed 7 --json      the same for a machine
  sentir run patrol --record out.srec    record it, then `sentir replay out.srec`

Exit code: 0 done, 1 it failed, 2 called wrongly.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the scenes, with their settings and assets
    #[command(after_help = "Example:\n  sentir scenes --json")]
    Scenes(ScenesOptions),
    /// Plays one match as fast as it goes and prints what came of it
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<RunOptions>),
    /// Plays a recording again and says whether it is identical, or where it first differs
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayOptions),
    /// Measures the program itself: time per step, speed against real time, bytes per agent
    #[command(after_help = "Examples:\n  sentir bench\n  sentir bench loop memory")]
    Bench(BenchOptions),
}

const RUN_EXAMPLES: &str = "Examples:
  sentir run patrol
  sentir run patrol --seed 7 --json
  sentir run patrol --set guards=3 --set give_up_s=10
  sentir run patrol --asset patrol.yaml=my-yard.yaml
  sentir run patrol --record out.srec
  sentir run patrol --film out.png               (or out.gif)
  sentir run patrol --sheet sheet.png --layers -senses
  sentir run patrol --picture now.png --at 12.5
  sentir run patrol --ticks 600 --snapshot half.snap
  sentir run patrol --from half.snap

With --json, one object: scene, seed, ticks, seconds (of the match), hash (of the last state), outcome (null if stopped
by --ticks), metrics (name to number, null where there is nothing to tell); with --hashes also hashes, one per tick.";

const REPLAY_EXAMPLES: &str = "Examples:
  sentir replay out.srec
  sentir replay out.srec --set give_up_s=2     what would have been different?

With --json, one object: file, scene, seed, ticks, identical, first_difference (tick and parts, or null), changes.
Exit code 1 when the run differs.";

/// Options of `scenes`.
#[derive(Debug, Args)]
pub(crate) struct ScenesOptions {
    /// For machines: an array of objects with name, title, about, controls, settings, assets, rate_hz, trials
    #[arg(long)]
    pub(crate) json: bool,
}

/// What changes a run, shared by all commands that play.
#[derive(Debug, Args)]
pub(crate) struct Changes {
    /// Changes a setting of the scene; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Plays with a file of yours in place of a stock asset; may be given several times
    #[arg(long = "asset", value_name = "NAME=PATH")]
    pub(crate) assets: Vec<String>,
    /// How many threads to use; changes no result
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Prints one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Which scene
    pub(crate) scene: String,
    /// The world seed: everything random follows from it
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stops after so many ticks, if the match is not over before
    #[arg(long)]
    pub(crate) ticks: Option<u64>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Writes a recording, to be replayed
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) record: Option<PathBuf>,
    /// Writes the whole state after the last tick
    #[arg(long, value_name = "FILE")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Goes on from a snapshot instead of the beginning; give the same seed and settings it was made with
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Prints the state's hash after every tick
    #[arg(long)]
    pub(crate) hashes: bool,
    #[command(flatten)]
    pub(crate) camera: CameraOptions,
}

/// What to show of a match, seen from above.
#[derive(Debug, Args)]
pub(crate) struct CameraOptions {
    /// Writes a film of the match: animated PNG (.png) or GIF (.gif)
    #[arg(long, value_name = "FILE")]
    pub(crate) film: Option<PathBuf>,
    /// Writes one picture (.png)
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Writes a contact sheet (.png): moments of the whole match side by side
    #[arg(long, value_name = "FILE")]
    pub(crate) sheet: Option<PathBuf>,
    /// When to take the picture, in seconds of the match; at its end if not given
    #[arg(long, value_name = "SECONDS", requires = "picture")]
    pub(crate) at: Option<f32>,
    /// What to show: layer names with commas, or with a minus in front what to leave out
    #[arg(long, default_value = "all", allow_hyphen_values = true)]
    pub(crate) layers: String,
    /// Width of pictures and films, in pixels
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u32).range(160..=4096))]
    pub(crate) width: u32,
    /// Frames a second of the film
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=50))]
    pub(crate) fps: u16,
    /// Light on dark
    #[arg(long)]
    pub(crate) dark: bool,
}

/// Options of `replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayOptions {
    /// The recording
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) changes: Changes,
}

/// Options of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchOptions {
    /// What to measure; everything if nothing is named
    #[arg(value_enum)]
    pub(crate) what: Vec<BenchItem>,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BenchItem {
    /// 10 000 agents with empty stages: time per step
    Loop,
    /// The scene patrol: speed against real time
    Patrol,
    /// Bytes per agent and per snapshot
    Memory,
    /// The spatial index: building and asking, 100 000 points
    Index,
}
