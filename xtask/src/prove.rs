//! `cargo xtask prove`: the checks too long for CI, run by hand; each writes a dated figure. A new one is a new
//! line in [`ITEMS`]. An item that fails writes nothing: a broken figure never replaces a good one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::figure::{self, Outcome};
use crate::{Failure, limits, process};

const NAVIGATION: &str = "navigation";
/// What writes no figure of its own, but into a file of all promises.
const LIMITS: &str = "limits";

/// One long check.
struct Item {
    name: &'static str,
    about: &'static str,
    run: fn(&Path, &Options) -> Result<Outcome, String>,
}

/// Every long check.
const ITEMS: &[Item] = &[
    Item { name: "loop", about: "cost of the loop per agent and tick", run: |root, _| bench(root, "loop") },
    Item { name: "patrol", about: "speed of the patrol scene", run: |root, _| bench(root, "patrol") },
    Item { name: "memory", about: "allocations and bytes per agent", run: |root, _| bench(root, "memory") },
    Item { name: "index", about: "speed of the spatial index", run: |root, _| bench(root, "index") },
    Item { name: "bodies", about: "speed of five hundred bodies", run: |root, _| bench(root, "bodies") },
    Item { name: "movement", about: "speed of movement, beside other libraries, and instructions", run: movement },
    Item {
        name: "brains",
        about: "speed of brains and plans, beside other libraries, and instructions",
        run: |root, _| crate::brains::measure(root),
    },
    Item {
        name: "scale",
        about: "one world of 1 000 and of 10 000 soldiers in squads: the loop's step, memory, threads",
        run: |root, _| bench(root, "scale"),
    },
    Item {
        name: "soldiers",
        about: "a tick of a thousand soldiers on one thread, bodies and rules included",
        run: |root, _| bench(root, "soldiers"),
    },
    Item {
        name: "space",
        about: "speed of regions, influence and queries, instructions; ranks of a lost runner",
        run: space,
    },
    Item { name: "sense", about: "speed of sight by density, and instructions", run: sense },
    Item {
        name: "bronto",
        about: "an agent that lives by sight: ways of seeing beside each other on three levels",
        run: bronto,
    },
    Item {
        name: "firefight",
        about: "soldiers over many matches, beside soldiers that lack something",
        run: |root, _| crate::firefight::measure(root),
    },
    Item {
        name: "horde",
        about: "the bot against five versions of the horde, beside the source's tables, and what each drop is owed to",
        run: |root, _| crate::horde::measure(root),
    },
    Item {
        name: "war",
        about: "what the war must hold, over many matches with intervals; attitudes against each other",
        run: |root, _| crate::war::measure(root),
    },
    Item { name: "honesty", about: "what no sense reached changes no decision, in every scene", run: honesty },
    Item { name: NAVIGATION, about: "searches, meshes and bakes on the public files in --data", run: navigation },
    Item { name: "following", about: "100 000 trips of 500 people on three storeys, and one alone", run: following },
    Item {
        name: "levels",
        about: "every real level of Debian's package: loads, bakes; instructions",
        run: |root, _| crate::levels::measure(root),
    },
    Item {
        name: "firefight-levels",
        about: "the firefight on ten real levels with obstacles: nobody stuck, nobody off the mesh",
        run: |root, _| crate::firefight_levels::measure(root),
    },
    Item {
        name: "vision",
        about: "speed of looks and of rays in a real level, and instructions",
        run: |root, _| crate::levels::measure_vision(root),
    },
    Item { name: "properties", about: "property tests on new random cases, ten times as many", run: properties },
    Item {
        name: "recording",
        about: "instructions of recorded ticks, and of those in the page, beside bare ones",
        run: |root, _| crate::recording::measure(root),
    },
    Item { name: "package", about: "what pages load: sizes, the first picture, hashes as native", run: package },
    Item { name: "studio", about: "the page in a browser: jumps through five minutes, ticks a second", run: studio },
    Item {
        name: "same-bits",
        about: "equal hashes of whole matches: builds, threads, wasm",
        run: |root, _| same_bits(root),
    },
    Item {
        name: "fuzz",
        about: "random input for every fuzz target or those of --target, --seconds each",
        run: |root, options| crate::fuzz::run(root, options.seconds, &options.targets),
    },
    Item {
        name: "attack",
        about: "mutated files, command lines, kills, slow clients, forged states; --seconds in all",
        run: |root, options| crate::attack::run(root, options.seconds),
    },
    Item {
        name: "soak",
        about: "every scene with random settings, long matches, memory; --seconds in all",
        run: |root, options| crate::soak::run(root, options.seconds),
    },
    Item { name: "build", about: "cold build time of the default program", run: |root, _| build(root) },
];

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// Names of items; empty means all.
    what: Vec<String>,
    /// Time for each fuzz target, seconds.
    seconds: u32,
    /// Names of fuzz targets; empty means all.
    targets: Vec<String>,
    /// Where the public benchmark files are.
    data: Option<PathBuf>,
    list: bool,
}

/// Runs the items that `arguments` ask for and writes their figures.
pub fn prove(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    if let Some((LIMITS, rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return limits::prove(root, rest);
    }
    let options = parse(arguments)?;
    if options.list {
        println!("{LIMITS:<18}every promise with a number, held by the command that measures it");
        for item in ITEMS {
            println!("{:<18}{}", item.name, item.about);
        }
        return Ok(());
    }
    let is_named = |item: &Item| options.what.iter().any(|name| name == item.name);
    // What needs files that only the caller has is left out unless they are there or it is asked for.
    let has_files = |item: &Item| item.name != NAVIGATION || options.data.is_some();
    let chosen = |item: &&Item| if options.what.is_empty() { has_files(item) } else { is_named(item) };
    for item in ITEMS.iter().filter(chosen) {
        println!("==== {}: {}", item.name, item.about);
        let outcome = (item.run)(root, &options).map_err(|error| format!("{} is not proven: {error}", item.name))?;
        figure::write(root, item.name, &outcome)?;
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options { what: Vec::new(), seconds: 600, targets: Vec::new(), data: None, list: false };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => options.list = true,
            "--seconds" => {
                let text = words.next().map_or("", String::as_str);
                options.seconds =
                    text.parse().ok().filter(|seconds| *seconds > 0).ok_or_else(|| {
                        Failure::Usage(format!("--seconds needs a whole number above 0, not '{text}'"))
                    })?;
            }
            "--target" => match words.next() {
                Some(names) => options.targets.extend(names.split(',').map(str::to_owned)),
                None => {
                    return Err(Failure::Usage("--target needs names, as in --target tree_yaml,tree_xml".to_owned()));
                }
            },
            "--data" => match words.next() {
                Some(folder) => options.data = Some(PathBuf::from(folder)),
                None => return Err(Failure::Usage("--data needs a folder".to_owned())),
            },
            name if ITEMS.iter().any(|item| item.name == name) => options.what.push(name.to_owned()),
            LIMITS => {
                let sentence = "'limits' is proven alone, with options of its own: prove limits --list";
                return Err(Failure::Usage(sentence.to_owned()));
            }
            other => {
                let names = ITEMS.iter().map(|item| item.name).collect::<Vec<_>>().join(", ");
                return Err(Failure::Usage(format!(
                    "there is nothing called '{other}' to prove; expected --list, --seconds, --target, \
                     --data or one of: {names}"
                )));
            }
        }
    }
    Ok(options)
}

fn bench(root: &Path, name: &str) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -- bench");
    let output = process::tee(command.arg(name))?;
    Ok(Outcome { command: process::line(&command), output })
}

/// The benchmark with peers, then instructions per step of one.
fn movement(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -p sentir_lab --features peers -- bench movement");
    let output = process::tee(&mut command)?
        + &limits::counted(root, None, |command| command.starts_with("callgrind sentir_act/"))?;
    Ok(Outcome { command: process::line(&command), output })
}

/// The benchmark, then instructions a round; then where a lost runner ranks among the cells that are likely, with and without
/// its velocity.
fn space(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -- bench space query");
    let mut output = process::tee(&mut command)?;
    let is_space = |command: &str| {
        ["sentir_space/", "sentir_workload/query_rounds"].iter().any(|example| command.contains(example))
    };
    output.push_str(&limits::counted(root, None, is_space)?);
    let mut battery = process::cargo(root, "run --release -- battery predict --matches 1000");
    let ranks = process::tee(&mut battery)?;
    output.push_str(&format!("`{}`\n{ranks}", process::line(&battery)));
    Ok(Outcome { command: "cargo xtask prove space".to_owned(), output })
}

/// The benchmark of sight, then instructions per tick of one by density.
fn sense(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -- bench sense");
    let output = process::tee(&mut command)?
        + &limits::counted(root, None, |command| command.contains("sentir_workload/sight_load"))?;
    Ok(Outcome { command: process::line(&command), output })
}

/// The honesty test over every scene that can be tested.
fn honesty(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -- honesty");
    let output = process::tee(&mut command)?;
    Ok(Outcome { command: process::line(&command), output })
}

/// Ten minutes of an agent that lives by sight, 200 seeds for each level and way of seeing, and the three defects.
fn bronto(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut output = String::new();
    let mut play = |words: &str| {
        let command = format!("run --release -- battery {words}");
        output.push_str(&format!("cargo {command}\n{}\n", process::tee(&mut process::cargo(root, &command))?));
        Ok::<(), String>(())
    };
    for level in ["rooms", "hall", "warren"] {
        for mind in ["source-away", "source-toward", "ours"] {
            play(&format!("bronto --matches 200 --set level={level} --set mind={mind}"))?;
        }
    }
    for rule in ["source-away", "source-toward"] {
        play(&format!("higher-floor perspective looking-for --matches 50 --set mind={rule}"))?;
    }
    output.push_str("Must hold: with mind=ours a longest_stand_s of at most 3 in every match\n");
    Ok(Outcome { command: "cargo xtask prove bronto".to_owned(), output })
}

/// Navigation on the public files.
fn navigation(root: &Path, options: &Options) -> Result<Outcome, String> {
    let data = options.data.as_ref().ok_or("it needs --data FOLDER, with grid, mesh and level/dungeon.obj in it")?;
    crate::navigation::measure(root, data)
}

/// Trips of the scene `commute`: one alone, then a crowd, by several seeds until [`TRIPS`] are over. What must hold stands
/// below.
fn following(root: &Path, _: &Options) -> Result<Outcome, String> {
    let alone = "run --release -- run commute --set count=1 --set seconds=7200";
    let mut output = format!("cargo {alone}\n{}", process::tee(&mut process::cargo(root, alone))?);
    let (mut trips, mut seed) = (0, 0);
    while trips < TRIPS {
        seed += 1;
        let crowd = format!("run --release -- run commute --seed {seed} --set count=500 --set seconds=1850");
        let table = process::tee(&mut process::cargo(root, &crowd))?;
        output.push_str(&format!("cargo {crowd}\n{table}"));
        trips += ended(&table).filter(|&count| count > 0).ok_or("the table of the run names no trips")?;
    }
    output.push_str(&format!(
        "{trips} trips of a crowd were over. Must hold: failed_stuck 0, stuck 0, off_mesh_ticks 0; alone a time_ratio of 0.9 to \
         1.1\n"
    ));
    Ok(Outcome { command: "cargo xtask prove following".to_owned(), output })
}

/// Trips that a proof of following takes.
const TRIPS: u64 = 100_000;

/// Trips that arrived or failed, by the table of a run.
fn ended(table: &str) -> Option<u64> {
    let figures = table.lines().filter_map(|line| {
        let mut words = line.split_whitespace().filter(|word| *word != "│");
        let name = words.next().filter(|name| *name == "trips" || name.starts_with("failed_"))?;
        Some((name, words.next()?.parse::<f64>().ok()?))
    });
    let figures: Vec<_> = figures.collect();
    figures.iter().any(|(name, _)| *name == "trips").then(|| figures.iter().map(|(_, count)| *count as u64).sum())
}

/// Property tests with new seeds: 2 560 cases each where `test` does 256.
fn properties(root: &Path, _: &Options) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "test --workspace --exclude banned --lib --tests");
    let report = process::tee(command.env("PROPTEST_CASES", "2560"))?;
    let output =
        report.lines().filter(|line| line.starts_with("test result")).map(|line| format!("{line}\n")).collect();
    Ok(Outcome { command: format!("PROPTEST_CASES=2560 {}", process::line(&command)), output })
}

/// What pages load: every scene in Node by the module of its family, then sizes, and the first picture in a browser.
fn package(root: &Path, _: &Options) -> Result<Outcome, String> {
    crate::package::check(root)?;
    let mut output = crate::studio::measure_package(root)?;
    output.push_str("every scene loads, advances, seeks and records in Node with the hashes of the native program\n");
    Ok(Outcome { command: "cargo xtask prove package".to_owned(), output })
}

/// The page in Chromium.
fn studio(root: &Path, _: &Options) -> Result<Outcome, String> {
    Ok(Outcome { command: "cargo xtask prove studio".to_owned(), output: crate::studio::measure(root)? })
}

/// What `test` compares the beginning of, to the end of every match.
fn same_bits(root: &Path) -> Result<Outcome, String> {
    let output = crate::same_bits::check_whole(root)?;
    Ok(Outcome { command: "cargo xtask prove same-bits".to_owned(), output: format!("{output}\n") })
}

/// A build in a fresh target folder, with the sources of dependencies at hand.
fn build(root: &Path) -> Result<Outcome, String> {
    process::run(&mut process::cargo(root, "fetch --locked --quiet"))?;
    let folder = Scratch::new()?;
    let mut command = process::cargo(root, "build --release");
    let start = Instant::now();
    process::run(command.env("CARGO_TARGET_DIR", &folder.0))?;
    let seconds = start.elapsed().as_secs_f64();
    let output = format!("cold build: {seconds:.1} s\n");
    print!("{output}");
    limits::hold(root, "cold-build", seconds)?;
    Ok(Outcome { command: format!("CARGO_TARGET_DIR=$(mktemp -d) {}", process::line(&command)), output })
}

/// A temporary folder, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("sentir-cold-build-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("'{}' cannot be made: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left-overs in the temporary folder are the system's to clear.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn items_and_seconds_are_read() {
        let options = parse(&words("loop fuzz --seconds 60")).expect("a right call");
        assert_eq!(
            options,
            Options { what: words("loop fuzz"), seconds: 60, targets: Vec::new(), data: None, list: false }
        );
        let options = parse(&words("fuzz --target tree_yaml,tree_xml --target mesh")).expect("a right call");
        assert_eq!(options.targets, words("tree_yaml tree_xml mesh"));
        let options = parse(&[]).expect("a right call");
        assert_eq!(options, Options { what: Vec::new(), seconds: 600, targets: Vec::new(), data: None, list: false });
    }

    #[test]
    fn trips_that_are_over_are_read_from_the_table_of_a_run() {
        let table =
            "│ speed   13 × real time │\n│ trips          1460 │\n│ failed_no_path 2    │\n│ failed_stuck   0.00 │\n";
        assert_eq!(ended(table), Some(1462));
        assert_eq!(ended("│ failed_stuck 3 │"), None);
    }

    #[test]
    fn a_scratch_folder_goes_away() {
        let scratch = Scratch::new().expect("a temporary folder");
        let path = scratch.0.clone();
        assert!(path.is_dir());
        drop(scratch);
        assert!(!path.exists());
    }
}
