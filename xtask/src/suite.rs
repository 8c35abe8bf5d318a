//! `cargo xtask test`: the named steps, in order, cheap ones first. A new check is a new line in [`STEPS`].
//! Steps share profiles and the target folder, so that nothing is built twice without need.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Failure, bans, levels, license, limits, package, process, readme, same_bits, studio, tidy};

/// One check, with a name to run it alone.
struct Step {
    name: &'static str,
    about: &'static str,
    run: Check,
}

/// What a step does in the project's root; a sentence says what is wrong.
type Check = fn(&Path) -> Result<(), String>;

/// Every step of the suite.
const STEPS: &[Step] = &[
    Step { name: "format", about: "rustfmt changes nothing", run: format },
    Step { name: "tidy", about: "crate edges, sizes, names, spelling", run: tidy::check },
    Step { name: "licenses", about: "licenses, sources and bans of dependencies", run: license::check },
    Step { name: "lints", about: "clippy finds nothing", run: lints },
    Step { name: "bans", about: "what must not be called cannot be", run: bans::check },
    Step { name: "unit", about: "unit, integration and documentation tests", run: unit },
    Step { name: "docs", about: "the documentation builds without a warning", run: docs },
    Step { name: "examples", about: "every example of the library runs", run: examples },
    Step { name: "readme", about: "every command of README.md runs", run: readme::check },
    Step { name: "limits", about: "a sample of figures/limits.yaml: what is promised holds", run: limits::sample },
    Step {
        name: "levels",
        about: "real levels, fetched: they load, bake, and are seen as rays find",
        run: levels::check_some,
    },
    Step { name: "same-bits", about: "equal hashes: builds, threads, wasm", run: same_bits::check },
    Step { name: "studio", about: "every scene in the page, in Chromium, as natively", run: studio::check },
    Step { name: "fuzz-short", about: "random input for every fuzz target", run: fuzz_short },
];

/// What a step must fetch before it can check anything; where that cannot be, it is skipped, aloud.
const FETCHES: &[(&str, Check)] = &[("levels", |root| levels::fetch(root).map(|_| ()))];

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// Names of steps; empty means all.
    only: Vec<String>,
    keep_going: bool,
    list: bool,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    /// What it checks could not be fetched: it has not been checked, and the summary says so.
    Skipped,
}

/// A step that ended.
struct Outcome {
    name: &'static str,
    verdict: Verdict,
    time: Duration,
}

/// Runs the steps that `arguments` ask for.
pub fn test(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let options = parse(arguments)?;
    if options.list {
        for step in STEPS {
            println!("{:<12}{}", step.name, step.about);
        }
        return Ok(());
    }
    let chosen = |step: &&Step| options.only.is_empty() || options.only.iter().any(|name| name == step.name);
    let mut outcomes = Vec::new();
    for step in STEPS.iter().filter(chosen) {
        let outcome = perform(root, step);
        let failed = outcome.verdict == Verdict::Failed;
        outcomes.push(outcome);
        if failed && !options.keep_going {
            break;
        }
    }
    print!("{}", summary(&outcomes));
    if options.only.is_empty() {
        println!("{}", whole(root, &outcomes));
    }
    let failed: Vec<&str> = outcomes.iter().filter(|it| it.verdict == Verdict::Failed).map(|it| it.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let failed = failed.join(",");
    Err(Failure::Check(format!("failed: {failed}; run only that again with `cargo xtask test --only {failed}`")))
}

fn parse(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => options.list = true,
            "--keep-going" => options.keep_going = true,
            "--only" => {
                let names = words.next().map_or("", String::as_str);
                options.only.extend(names.split(',').filter(|name| !name.is_empty()).map(str::to_owned));
                if options.only.is_empty() {
                    return Err(Failure::Usage(format!("--only needs the names of steps: {}", names_of_steps())));
                }
            }
            other => {
                return Err(Failure::Usage(format!(
                    "there is no option '{other}' of test; expected --only, --keep-going or --list"
                )));
            }
        }
    }
    match options.only.iter().find(|name| STEPS.iter().all(|step| step.name != name.as_str())) {
        Some(unknown) => {
            Err(Failure::Usage(format!("there is no step '{unknown}'; expected one of: {}", names_of_steps())))
        }
        None => Ok(options),
    }
}

fn names_of_steps() -> String {
    STEPS.iter().map(|step| step.name).collect::<Vec<_>>().join(", ")
}

fn perform(root: &Path, step: &Step) -> Outcome {
    println!("==== {}: {}", step.name, step.about);
    let start = Instant::now();
    if let Some(Err(sentence)) = FETCHES.iter().find(|(name, _)| *name == step.name).map(|(_, fetch)| fetch(root)) {
        println!("{sentence}\n     {} SKIPPED: not checked\n", step.name);
        return Outcome { name: step.name, verdict: Verdict::Skipped, time: start.elapsed() };
    }
    let result = (step.run)(root);
    let verdict = if result.is_ok() { Verdict::Passed } else { Verdict::Failed };
    let outcome = Outcome { name: step.name, verdict, time: start.elapsed() };
    let seconds = outcome.time.as_secs_f64();
    match result {
        Ok(()) => println!("     {} passed in {seconds:.1} s\n", step.name),
        Err(sentence) => println!("{sentence}\n     {} FAILED in {seconds:.1} s\n", step.name),
    }
    outcome
}

/// A line per step with its time, the total, and the closing count.
fn summary(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let mut row = |name: &str, verdict: &str, time: Duration| {
        text.push_str(&format!("{name:<12}{verdict:<8}{:>8.1} s\n", time.as_secs_f64()));
    };
    for outcome in outcomes {
        let word = match outcome.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Skipped => "SKIPPED",
        };
        row(outcome.name, word, outcome.time);
    }
    row("total", "", outcomes.iter().map(|outcome| outcome.time).sum());
    let count = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    text.push_str(&format!("\n{} passed, {} failed", count(Verdict::Passed), count(Verdict::Failed)));
    if count(Verdict::Skipped) > 0 {
        text.push_str(&format!(", {} NOT CHECKED", count(Verdict::Skipped)));
    }
    text.push('\n');
    text
}

/// The time of the whole suite against its limit. It is told and not held here: times depend on the machine.
fn whole(root: &Path, outcomes: &[Outcome]) -> String {
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.time.as_secs_f64()).sum();
    limits::hold(root, "suite", seconds).unwrap_or_else(|sentence| sentence)
}

fn format(root: &Path) -> Result<(), String> {
    process::run(&mut process::cargo(root, "fmt --all -- --check"))
        .map_err(|error| format!("{error}\nformat the code with `cargo fmt --all`"))
}

fn lints(root: &Path) -> Result<(), String> {
    process::run(&mut process::cargo(root, "clippy --workspace --all-targets --exclude banned -- -D warnings"))
}

fn unit(root: &Path) -> Result<(), String> {
    // The same cases in every run, so that a red run stays red; `prove properties` goes on to new ones.
    let mut command = process::cargo(root, "test --workspace --exclude banned");
    process::run(command.env("PROPTEST_RNG_SEED", "1"))
}

fn docs(root: &Path) -> Result<(), String> {
    let mut command = process::cargo(root, "doc --workspace --no-deps --exclude banned");
    process::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn examples(root: &Path) -> Result<(), String> {
    let folder = root.join("crates/sentir/examples");
    let names = example_names(&folder)?;
    // As the unit tests build them: with the features of one crate alone, everything below it would be built once more.
    process::run(&mut process::cargo(root, "build --workspace --exclude banned --examples"))?;
    let built = package::target_folder(root)?.join("debug/examples");
    for name in &names {
        process::run(std::process::Command::new(built.join(name)).current_dir(root))?;
    }
    println!("{} examples ran", names.len());
    Ok(())
}

/// The examples of a folder, sorted: `NAME.rs` and `NAME/main.rs`. None at all is an error.
fn example_names(folder: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error| format!("the folder '{}' cannot be listed: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_example = path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file();
        if let Some(stem) = path.file_stem().filter(|_| is_example) {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    if names.is_empty() {
        return Err(format!("the folder '{}' holds no example", folder.display()));
    }
    names.sort();
    Ok(names)
}

fn fuzz_short(root: &Path) -> Result<(), String> {
    process::run(&mut process::cargo(root, "run --release -p sentir_fuzz -- --seconds 2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let options = parse(&words("--only format,lints --keep-going")).expect("a right call");
        let expected = Options { only: words("format lints"), keep_going: true, list: false };
        assert_eq!(options, expected);
        assert_eq!(parse(&[]), Ok(Options::default()));
        assert!(parse(&words("--list")).expect("a right call").list);
    }

    #[test]
    fn step_names_are_distinct() {
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|earlier| earlier.name != step.name), "{}", step.name);
        }
    }

    #[test]
    fn the_summary_ends_with_the_count() {
        use Verdict::{Failed, Passed, Skipped};
        let outcome = |name, verdict| Outcome { name, verdict, time: Duration::from_millis(1500) };
        let text = summary(&[outcome("format", Passed), outcome("lints", Passed)]);
        assert!(text.starts_with("format      passed       1.5 s\n"), "{text}");
        assert!(text.contains("total                    3.0 s\n"), "{text}");
        assert!(text.ends_with("\n\n2 passed, 0 failed\n"), "{text}");
        let text = summary(&[outcome("format", Passed), outcome("lints", Failed)]);
        assert!(text.ends_with("\n1 passed, 1 failed\n"), "{text}");
        let text = summary(&[outcome("format", Passed), outcome("levels", Skipped)]);
        assert!(text.ends_with("\n1 passed, 0 failed, 1 NOT CHECKED\n"), "{text}");
    }

    #[test]
    fn a_folder_without_examples_fails() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let names = example_names(&here.join("src")).expect("sources are listed");
        assert!(names.contains(&"suite".to_owned()), "{names:?}");
        assert!(example_names(&here.join("node")).unwrap_err().ends_with("holds no example"));
        assert!(example_names(&here.join("nowhere")).unwrap_err().contains("cannot be listed"));
    }
}
