//! The command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// The brain of game characters: sense, think, act.
///
/// Runs scenes without a screen, records and replays them, and measures them. The same seed and settings give the same
/// match, to the bit, on any machine and with any number of threads.
#[derive(Debug, Parser)]
#[command(name = "sentir", version, propagate_version = true, args_override_self = true, after_help = TRY)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const TRY: &str = "Try first:
  sentir run patrol                      a guard, its round, and an intruder
  sentir run patrol --seed 7 --json      the same for a machine
  sentir run patrol --record out.srec    record it, then `sentir replay out.srec`
  sentir battery patrol --matches 200    many matches, and what they have in common
  sentir studio                          watch, play and rewind them in the browser

Exit code: 0 done, 1 it failed, 2 called wrongly.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the scenes, with their settings and assets
    #[command(after_help = "Example:\n  sentir scenes --json")]
    Scenes(ScenesOptions),
    /// Plays one match as fast as it goes and prints what came of it
    #[command(after_help = crate::run::help())]
    Run(Box<RunOptions>),
    /// Plays a recording again and says whether it is identical, or where it first differs
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayOptions),
    /// Plays many matches on all cores and tells shares and means with their 95 % intervals
    #[command(after_help = crate::battery::EXAMPLES)]
    Battery(Box<BatteryOptions>),
    /// Counts what is in brains (nodes, depth, branching) and draws them
    #[command(after_help = ANALYZE_EXAMPLES)]
    Analyze(AnalyzeOptions),
    /// Brings brain files to the current version of their format, comments and all
    #[command(after_help = MIGRATE_EXAMPLES)]
    Migrate(MigrateOptions),
    /// Turns the XML of BehaviorTree.CPP into a tree of ours, and the other way round
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertOptions),
    /// Checks files: levels, brains, queries, layouts of scenes, recordings and snapshots
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckOptions),
    /// Prints the JSON schema of a kind of file, for completion in editors
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema(SchemaOptions),
    /// Changes what no sense reached and says whether any decision changed: the test of honesty
    #[command(after_help = HONESTY_EXAMPLES)]
    Honesty(HonestyOptions),
    /// Tells of levels: what they hold, and what navigation makes of them
    Level(LevelOptions),
    /// Shows what an eye in a level sees by synthetic vision: class, depth and motion as pictures
    #[command(after_help = crate::vision::EXAMPLES)]
    Vision(Box<crate::vision::VisionOptions>),
    /// Measures the program itself: time per step, speed against real time, bytes per agent
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(BenchOptions),
    /// Serves the studio, the page to watch, play and rewind every scene, and opens it in the browser
    #[command(after_help = STUDIO_EXAMPLES)]
    Studio(StudioOptions),
}

const SCHEMA_EXAMPLES: &str = "Examples:
  sentir schema query > query.schema.json
  sentir schema tree > tree.schema.json       (for leaves of any game)

A query file then names it in its first line, `# yaml-language-server: $schema=query.schema.json`: editors with a YAML \
language server complete names, show what they mean and mark what is wrong.";

/// Options of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaOptions {
    /// Which kind of file
    #[arg(value_enum)]
    pub(crate) kind: SchemaKind,
}

/// A kind of file with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SchemaKind {
    /// Environment queries
    Query,
    /// Behavior trees
    Tree,
    /// State machines
    Machine,
    /// Decision trees
    Decision,
    /// Options by worth
    Utility,
    /// Goals and plans
    Goap,
    /// Networks of tasks
    Htn,
    /// Rules
    Rule,
}

const HONESTY_EXAMPLES: &str = "Examples:
  sentir honesty
  sentir honesty skirmish patrol --changes 200
  sentir honesty honesty --set leak=team --cases

Each change (somebody moved, added or removed, a door, an item, a noise) is made where no sense of anybody reaches, and \
both worlds are played on until one could; until then everybody must believe, want and do the same to the bit. Changes that \
somebody could know of within a second do not count. Exit code 1 when a decision changed.

With --json, one object: tested and left_out (scenes), changes (made and played on), leaks (scenes in which a decision \
changed), too_few (scenes with fewer changes than asked for).";

/// Options of `honesty`.
#[derive(Debug, Args)]
pub(crate) struct HonestyOptions {
    /// Which scenes; all that can be tested if none is named
    #[arg(value_name = "SCENE")]
    pub(crate) scenes: Vec<String>,
    /// How many changes of each scene
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) changes: u32,
    /// The world seed
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Changes a setting of the scenes; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Prints every change, too
    #[arg(long)]
    pub(crate) cases: bool,
    /// Prints one JSON object instead of the table
    #[arg(long, conflicts_with = "cases")]
    pub(crate) json: bool,
}

const STUDIO_EXAMPLES: &str = "Examples:
  sentir studio
  sentir studio --port 8080 --no-open
  sentir studio --files path/to/built/page

The page is plain files; `cargo xtask studio` builds them and serves them in one go.";

/// Options of `studio`.
#[derive(Debug, Args)]
pub(crate) struct StudioOptions {
    /// Where the built page is
    #[arg(long, value_name = "FOLDER", default_value = "web/dist")]
    pub(crate) files: PathBuf,
    /// On which port of this machine; 0 picks a free one
    #[arg(long, default_value_t = 4173)]
    pub(crate) port: u16,
    /// Only prints the address
    #[arg(long)]
    pub(crate) no_open: bool,
}

pub(crate) const RUN_EXAMPLES: &str = "Examples:
  sentir run patrol
  sentir run patrol --seed 7 --json
  sentir run patrol --set guards=3 --set give_up_s=10
  sentir run patrol --asset patrol.yaml=my-yard.yaml
  sentir run patrol --record out.srec
  sentir run firefight --events out.csv          (when was it stupid?)
  sentir run patrol --film out.png               (or out.gif)
  sentir run patrol --sheet sheet.png --layers -senses
  sentir run patrol --picture now.png --at 12.5
  sentir run patrol --ticks 600 --snapshot half.snap
  sentir run patrol --from half.snap

With --json, one object: scene, seed, ticks, seconds (of the match), hash (of the last state), outcome (null if stopped
by --ticks), metrics (name to number, null where there is nothing to tell), stupidity (kind to count), breakpoints (ticks in which a \
brain came to one), bad_numbers (motions or bodies that were no numbers: an error of the program); with --hashes also hashes, one per tick.";

const REPLAY_EXAMPLES: &str = "Examples:
  sentir replay out.srec
  sentir replay out.srec --set give_up_s=2     what would have been different?

With --json, one object: file, scene, seed, ticks, identical, first_difference (tick, alike_ticks, parts; or null), outcome \
(what else differs at the end: sentences), changes.
Exit code 1 when the run differs.";

const ANALYZE_EXAMPLES: &str = "Examples:
  sentir analyze guard.yaml
  sentir analyze guard.yaml --svg guard.svg
  sentir analyze zombies.yaml --tree barker_v2 --svg barker.svg

Branching is nodes but the root over nodes with children; the effective one counts what is visited when every sequence \
fails at its first child. Leaves are the game's own and are taken as they are.";

const MIGRATE_EXAMPLES: &str = "Examples:
  sentir migrate guard.yaml
  sentir migrate brains/*.yaml --write

The first line of a brain names its kind and version, as in `sentir: tree 1`. Without --write the new text is printed and \
the file is left alone. A file of a newer program is refused.";

const CONVERT_EXAMPLES: &str = "Examples:
  sentir convert tree.xml --out tree.yaml
  sentir convert tree.yaml --out tree.xml

What has no counterpart on the other side is refused, with its place.";

const CHECK_EXAMPLES: &str = "Examples:
  sentir check my-yard.yaml
  sentir check brains/*.yaml
  sentir check levels/*.yaml maps/*.png out.srec
  sentir check --as layout my-yard.yaml
  sentir check --scene guard my-tree.yaml

Prints one line a file: `ok: ` and what it holds, or `bad: ` and what is wrong, with file:line:column where known. \
What a file should be is told by its first bytes, the end of its name (.yaml .yml .txt .png .obj .bsp .glb .gltf .srec .snap) and, for \
YAML, by what it holds; --as overrules that. Of a snapshot only the envelope is checked: its scene reads the rest. \
What the leaves of a brain are called and take is the game's: it is checked for the scene that --scene names (guard, \
soldier-plan, firefight), and for the files of those scenes without being told.

With --json, one object: checked, bad (how many), files. A file: file, kind (null if unknown), ok, name (of the level or \
scene, or null), counts (what is in it, by name), error (null, or line, column, message; null where no place is known).
Exit code 1 when a file is bad.";

const INFO_EXAMPLES: &str = "Examples:
  sentir level info yard.yaml
  sentir level info maps/oa_dm1.bsp --picture from-above.png
  sentir level info maps/*.bsp --json

Reads every kind of level that `sentir check` does, Quake III levels (.bsp) among them, and bakes a navigation mesh with \
the stock settings.

With --json, one object: levels, an array in the order of the files. A level: file, name, triangles, surfaces (triangles \
by class), low and high (corners, m), spawns (by team), spawns_on_mesh, spawns_left_out, items (by kind), items_on_mesh, \
pieces, hints (by kind), polygons, tiles, parts (that no way joins), ground_m2, links, load_ms, bake_ms.";

const BENCH_EXAMPLES: &str = "Examples:
  sentir bench
  sentir bench loop memory
  sentir bench grid --data maps                        every query of every scenario file there
  sentir bench grid --data maps --map brc202d --spread 42
  sentir bench grid --data maps --map brc202d --spread 42 --only astar --repeat 3
  sentir bench mesh --data meshes --map aurora
  sentir bench bake --data level.obj
  sentir bench travel --data level.obj

For counting instructions of grid searches (by callgrind, say), take the difference between two --repeat.

With --json, one object: items, each with item and rows. A row: key (stays, whatever the words beside it), what, value \
(null where nothing was measured), unit, remark, also (further figures by name). What is promised of them is in \
figures/limits.yaml; `cargo xtask prove limits` holds it.";

/// Options of `scenes`.
#[derive(Debug, Args)]
pub(crate) struct ScenesOptions {
    /// For machines: an array of objects with name, family, title, about, controls (null, or mode, setting, sentence, bindings), kinds, layers,
    /// settings, assets, rate_hz, trials
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
    /// Writes what happened as CSV: who decided on what when, shots, hits, deaths, what was stupid
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
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
    #[arg(long, value_name = "SECONDS", requires = "picture", value_parser = moment)]
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

/// Options of `battery`.
#[derive(Debug, Args)]
pub(crate) struct BatteryOptions {
    /// Which scenes
    #[arg(required = true, value_name = "SCENE")]
    pub(crate) scenes: Vec<String>,
    /// How many matches of each scene
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) matches: u64,
    /// The seed of the first match; each further match has the next one
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads to use, all cores if not given; changes no result
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Changes a setting of all the scenes; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Plays with a file of yours in place of a stock asset; may be given several times
    #[arg(long = "asset", value_name = "NAME=PATH")]
    pub(crate) assets: Vec<String>,
    /// Writes everything into a folder, which is made if need be: CSV, summary and plots
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Writes the matches as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Writes the matches as parquet; only in programs built with the feature `parquet`
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Option<PathBuf>,
    /// Prints one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// Which files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What the files should be, instead of finding it out
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub(crate) kind: Option<CheckKind>,
    /// The scene that brains are for: checks the names of their leaves, and what those take, too
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<String>,
    /// Prints one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// What can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CheckKind {
    /// A level: .yaml, .yml, .txt, .png, .obj or .bsp
    Level,
    /// A level that the scene patrol can be played in: with waypoints and routes
    Layout,
    /// A recording of a match
    Recording,
    /// The state of a match: its envelope only
    Snapshot,
    /// An environment query: `sentir: query 1`
    Query,
    /// A soldier's tuning: `sentir: soldier 1`
    Tuning,
    /// A brain: `sentir: tree 1`, machine, decision, utility, goap, htn or rule
    Brain,
}

/// Options of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeOptions {
    /// Which files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only this tree of a file with several
    #[arg(long, value_name = "NAME")]
    pub(crate) tree: Option<String>,
    /// Draws the first brain as a picture
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Prints one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `migrate`.
#[derive(Debug, Args)]
pub(crate) struct MigrateOptions {
    /// Which files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Writes the files instead of printing what they would be
    #[arg(long)]
    pub(crate) write: bool,
}

/// Options of `convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertOptions {
    /// Which file: .xml, or else one of ours
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where to, instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Options of `level`.
#[derive(Debug, Args)]
pub(crate) struct LevelOptions {
    #[command(subcommand)]
    pub(crate) command: LevelCommand,
}

/// What to do with levels.
#[derive(Debug, Subcommand)]
pub(crate) enum LevelCommand {
    /// Counts what is in levels and bakes their navigation meshes
    #[command(after_help = INFO_EXAMPLES)]
    Info(InfoOptions),
}

/// Options of `level info`.
#[derive(Debug, Args)]
pub(crate) struct InfoOptions {
    /// Which levels: .yaml, .yml, .txt, .png, .obj or .bsp
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Prints one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Writes the last level from above, with its mesh (.png)
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
}

/// Options of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchOptions {
    /// What to measure; everything if nothing is named (without --data, what needs none)
    #[arg(value_enum)]
    pub(crate) what: Vec<BenchItem>,
    /// What is measured on: a level for bake and travel (.yaml, .yml, .txt, .png, .obj or .bsp), a folder with public benchmark files for
    /// grid (NAME.map, NAME.map.scen) and mesh (NAME.mesh, NAME.scen)
    #[arg(long, value_name = "PATH")]
    pub(crate) data: Option<PathBuf>,
    /// The files of this name only, all in the folder if not given
    #[arg(long, value_name = "NAME", requires = "data")]
    pub(crate) map: Option<String>,
    /// For grid: so many queries of each file, evenly over it, instead of all
    #[arg(long, value_name = "N", requires = "data", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) spread: Option<u32>,
    /// For grid: this search only
    #[arg(long, value_enum, value_name = "SEARCH", requires = "data")]
    pub(crate) only: Option<GridSearch>,
    /// How often every query is asked
    #[arg(long, value_name = "N", requires = "data", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) repeat: u32,
    /// Prints one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// A search that can be measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum GridSearch {
    /// A*, eight neighbors, octile heuristic
    Astar,
    /// Jump-point search
    Jump,
    /// Any-angle paths
    Angle,
    /// Hierarchical search
    Hierarchy,
    /// The crate `pathfinding`; only in programs built with the feature `peers`
    Peer,
}

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
    /// The scene crowd: five hundred bodies, time per tick
    Bodies,
    /// Searches on the grids of a benchmark (--data): wrong lengths, work and time of a query
    Grid,
    /// Movement of many: mutual avoidance, time per step (beside other libraries with the feature peers)
    Movement,
    /// Sight of 1 000 agents: time per tick, by how many are in the cone of each
    Sense,
    /// A thousand soldiers in fights: time per tick
    Soldiers,
    /// The horde: three hundred zombies at 60 Hz, and the battery by version against real time
    Horde,
    /// One world of 1 000 and of 10 000 soldiers in squads: the step of the loop, memory, threads
    Scale,
    /// Navigation meshes of the level --data: baking in one piece, by tiles, and a tile with an obstacle
    Bake,
    /// Ways on navigation meshes: the scenarios in the folder named by --data (beside polyanya with the feature peers)
    Mesh,
    /// Ways between random places of the level --data: corridors, taut ways, nearest places, rays
    Travel,
    /// What is seen among hexagons, and the spread of influence
    Space,
    /// Thoughts of the guard in every kind of brain, a hundred thousand agents
    Brains,
    /// Environment queries of 80 and 500 points with six tests: time of one, in one go and in stages
    Query,
    /// Looks by synthetic vision at the level --data (oa_dm1 if it was fetched, else a stock one), and rays through it
    Vision,
    /// The scene war-crowd: a thousand units on either side, time per step
    War,
}
impl BenchItem {
    pub(crate) fn needs_data(self) -> bool {
        matches!(self, BenchItem::Bake | BenchItem::Grid | BenchItem::Mesh | BenchItem::Travel)
    }
}

/// Seconds of a match.
fn moment(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|it| (0.0..=86_400.0).contains(it)).ok_or("expected seconds from 0 to 86400".to_owned())
}
