//! `cargo xtask test`: the named steps, in order, cheap ones first. A new check is a new line in [`STEPS`], with a row
//! `suite-NAME` in `figures/limits.yaml` for the CPU seconds it may take in a suite that begins with nothing built.
//!
//! No crate is built twice without need. Cargo builds a crate once more for every other set of features, of the crate or of
//! anything below it, and that set depends on all packages that a call names, and on whether tests or examples are among its
//! targets. Hence three builds, each by one selection: the tests' one ([`debug`]), the program for release alone, as README.md
//! has it, and both wasm modules together.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::limits::Bound;
use crate::{
    Failure, bans, cpu, debug, features, levels, license, limits, process, readme, same_bits, studio, supply, tidy,
};

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
    Step {
        name: "supply",
        about: "checksums, yanked versions and advisories of dependencies, as far as they are at hand",
        run: supply::check,
    },
    Step { name: "lints", about: "clippy finds nothing", run: lints },
    Step { name: "features", about: "crates taken alone compile, and bring little of others", run: features::check },
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
    /// Of the programs that it ran; none where nobody counts.
    cpu_s: Option<f64>,
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
    print!("{}", summary(&outcomes, |step| limits::limit(root, &format!("suite-{step}"))));
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
    let (start, cpu_before) = (Instant::now(), cpu::seconds());
    let ended = |verdict| {
        let cpu_s = cpu::seconds().zip(cpu_before).map(|(after, before)| after - before);
        Outcome { name: step.name, verdict, time: start.elapsed(), cpu_s }
    };
    if let Some(Err(sentence)) = FETCHES.iter().find(|(name, _)| *name == step.name).map(|(_, fetch)| fetch(root)) {
        println!("{sentence}\n     {} SKIPPED: not checked\n", step.name);
        return ended(Verdict::Skipped);
    }
    let result = (step.run)(root);
    let outcome = ended(if result.is_ok() { Verdict::Passed } else { Verdict::Failed });
    let times = format!("{:.1} s, {}", outcome.time.as_secs_f64(), used(outcome.cpu_s));
    match result {
        Ok(()) => println!("     {} passed in {times}\n", step.name),
        Err(sentence) => println!("{sentence}\n     {} FAILED in {times}\n", step.name),
    }
    outcome
}

/// CPU time for people.
fn used(cpu_s: Option<f64>) -> String {
    cpu_s.map_or_else(|| "CPU s unknown".to_owned(), |seconds| format!("{seconds:.1} CPU s"))
}

/// A line per step with its time and CPU time against the `limit` of the step, the total, and the closing count. What is over
/// is told and fails nothing: times depend on the machine.
fn summary(outcomes: &[Outcome], limit: impl Fn(&str) -> Result<Bound, String>) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let word = match outcome.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Skipped => "SKIPPED",
        };
        let budget = match limit(outcome.name) {
            Ok(bound) if outcome.cpu_s.is_some_and(|seconds| !bound.holds(seconds)) => format!("{bound}, OVER"),
            Ok(bound) => bound.to_string(),
            Err(sentence) => sentence,
        };
        let (name, seconds) = (outcome.name, outcome.time.as_secs_f64());
        text += &format!("{name:<12}{word:<8}{seconds:>8.1} s   suite-{name}: {} ({budget})\n", used(outcome.cpu_s));
    }
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.time.as_secs_f64()).sum();
    let cpu_s: Option<f64> = outcomes.iter().map(|outcome| outcome.cpu_s).sum();
    text += &format!("{:<20}{seconds:>8.1} s   {}\n", "total", used(cpu_s));
    let count = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    text += &format!("\n{} passed, {} failed", count(Verdict::Passed), count(Verdict::Failed));
    if count(Verdict::Skipped) > 0 {
        text += &format!(", {} NOT CHECKED", count(Verdict::Skipped));
    }
    text + "\n"
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
    process::run(&mut process::cargo(root, &format!("clippy {} --all-targets -- -D warnings", debug::PACKAGES)))
}

fn unit(root: &Path) -> Result<(), String> {
    // The same cases in every run, so that a red run stays red; `prove properties` goes on to new ones.
    let mut command = process::cargo(root, &format!("test {}", debug::PACKAGES));
    process::run(command.env("PROPTEST_RNG_SEED", "1"))
}

fn docs(root: &Path) -> Result<(), String> {
    let mut command = process::cargo(root, &format!("doc {} --no-deps", debug::PACKAGES));
    process::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn examples(root: &Path) -> Result<(), String> {
    let folder = root.join("crates/sentir/examples");
    let names = example_names(&folder)?;
    for name in &names {
        process::run(std::process::Command::new(debug::program(root, name)?).current_dir(root))?;
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

/// As the unit tests build it: slower than for release, and it panics at what overflows, too.
/// Forged states of every scene are left to `prove fuzz`: two seconds reach few of them, and each time others.
fn fuzz_short(root: &Path) -> Result<(), String> {
    let words = ["--seconds", "2", "--without", "scene_state"];
    process::run(std::process::Command::new(debug::program(root, "sentir_fuzz")?).args(words))
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
    fn every_step_has_a_budget_in_cpu_seconds() {
        let root = crate::workspace::root().expect("a workspace");
        for step in STEPS {
            let limit = limits::limit(&root, &format!("suite-{}", step.name)).expect("a row");
            assert!(limit.to_string().starts_with("at most ") && limit.unit == "CPU s", "{}: {limit}", step.name);
        }
    }

    #[test]
    fn the_summary_tells_times_budgets_and_the_count() {
        use Verdict::{Failed, Passed, Skipped};
        let outcome =
            |name, verdict, cpu_s| Outcome { name, verdict, time: Duration::from_millis(1500), cpu_s: Some(cpu_s) };
        let told = |outcomes: &[Outcome]| summary(outcomes, |_| Bound::parse("at most 2 CPU s"));
        let text = told(&[outcome("format", Passed, 2.0), outcome("lints", Passed, 2.5)]);
        assert!(
            text.starts_with("format      passed       1.5 s   suite-format: 2.0 CPU s (at most 2 CPU s)\n"),
            "{text}"
        );
        assert!(text.contains("suite-lints: 2.5 CPU s (at most 2 CPU s, OVER)\n"), "{text}");
        assert!(text.contains("total                    3.0 s   4.5 CPU s\n"), "{text}");
        assert!(text.ends_with("\n\n2 passed, 0 failed\n"), "{text}");
        let text = told(&[outcome("format", Passed, 0.0), outcome("lints", Failed, 0.0)]);
        assert!(text.ends_with("\n1 passed, 1 failed\n"), "{text}");
        let uncounted = Outcome { cpu_s: None, ..outcome("levels", Skipped, 0.0) };
        let text = told(&[outcome("format", Passed, 0.0), uncounted]);
        assert!(text.contains("suite-levels: CPU s unknown (at most 2 CPU s)\n"), "{text}");
        assert!(text.contains("s   CPU s unknown\n"), "{text}");
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
