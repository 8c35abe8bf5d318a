//! The files of the war scenes, as they come with the program.

/// A file under its name.
pub(crate) type File = (&'static str, &'static str);

/// How the name of a side's strategy ends, whichever folder it is in.
pub(crate) const STRATEGY_FILE: &str = "strategy.yaml";

/// Units, structures, times, places.
pub(crate) const RULES: File =
    ("war-rules.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/rules.yaml")));
/// The tiles.
pub(crate) const MAP: File = ("war-map.txt", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/map.txt")));
/// The brain of light, heavy and ranged.
pub(crate) const SOLDIER: File =
    ("war/soldier.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/soldier.yaml")));
/// The brain of spies.
pub(crate) const SPY: File =
    ("war/spy.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/spy.yaml")));
/// The brain of workers.
pub(crate) const WORKER: File =
    ("war/worker.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/worker.yaml")));
/// What a side is at.
pub(crate) const STRATEGY: File =
    ("war/strategy.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/war/strategy.yaml")));

/// All of them.
pub(crate) const ALL: &[File] = &[RULES, MAP, SOLDIER, SPY, WORKER, STRATEGY];
