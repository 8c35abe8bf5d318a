//! `cargo xtask prove fuzz`: random input for the targets of `fuzz/`, so many seconds each. Some targets alone
//! (`--target A,B`) keep the rows of the others in the figure, with the date and commit they were made at.

use std::path::Path;
use std::process::Command;

use crate::figure::Outcome;
use crate::process;

/// Folder of the libFuzzer crate, from the root.
const FUZZ_FOLDER: &str = "fuzz/libfuzzer";

/// The figure, from the root.
const FIGURE: &str = "figures/fuzz.md";

/// libFuzzer where a nightly compiler is there, else the plain driver; the figure says which.
pub fn run(root: &Path, seconds: u32, wanted: &[String]) -> Result<Outcome, String> {
    let mut call = format!("cargo xtask prove fuzz --seconds {seconds}");
    if !wanted.is_empty() {
        call.push_str(&format!(" --target {}", wanted.join(",")));
    }
    let toolchains = process::capture(Command::new("rustup").args(["toolchain", "list"])).unwrap_or_default();
    let is_guided = has_nightly(&toolchains) && root.join(FUZZ_FOLDER).join("Cargo.toml").is_file();
    let (driver, rows) = if is_guided {
        ("libFuzzer from the targets' seeds", guided(root, seconds, wanted)?)
    } else {
        // The profile has overflow checks and debug assertions, as libFuzzer's builds have.
        let line = format!("run --profile checked -p sentir_fuzz -- --seconds {seconds}");
        let mut command = process::cargo(root, &line);
        ("plain random driver", process::tee(command.args(wanted))?)
    };
    let mut output = format!("{driver}, {seconds} s per target\n{rows}");
    if !wanted.is_empty() {
        output.push_str(&kept(&std::fs::read_to_string(root.join(FIGURE)).unwrap_or_default(), &rows));
    }
    Ok(Outcome { command: call, output })
}

fn guided(root: &Path, seconds: u32, wanted: &[String]) -> Result<String, String> {
    if process::capture(&mut nightly(root, "fuzz --version")).is_err() {
        process::run(&mut process::cargo(root, "install cargo-fuzz --locked"))?;
    }
    let listed = process::capture(&mut nightly(root, &format!("fuzz list --fuzz-dir {FUZZ_FOLDER}")))?;
    let targets = chosen(&listed, wanted)?;
    let seeds = format!("run --release -p sentir_fuzz -- --write-seeds {FUZZ_FOLDER}/corpus");
    process::run(process::cargo(root, &seeds).args(&targets))?;
    let mut rows = String::new();
    for target in targets {
        let line = format!("fuzz run --fuzz-dir {FUZZ_FOLDER} {target} -- -max_total_time={seconds}");
        let log = process::tee_errors(&mut nightly(root, &line))?;
        rows.push_str(&format!("{target}: {}\n", last_words(&log)));
    }
    Ok(rows)
}

/// The targets to run: all that are listed, or those that are wanted, which must be among them.
fn chosen<'a>(listed: &'a str, wanted: &'a [String]) -> Result<Vec<&'a str>, String> {
    let listed: Vec<&str> = listed.split_whitespace().collect();
    if listed.is_empty() {
        return Err(format!("{FUZZ_FOLDER} lists no target"));
    }
    if let Some(other) = wanted.iter().find(|name| !listed.contains(&name.as_str())) {
        return Err(format!("there is no fuzz target '{other}'; expected one of: {}", listed.join(", ")));
    }
    Ok(if wanted.is_empty() { listed } else { wanted.iter().map(String::as_str).collect() })
}

/// Rows of an older figure for targets that have no new one, each with when and of what it was made.
fn kept(figure: &str, rows: &str) -> String {
    let said = |what: &str| figure.lines().find_map(|line| line.strip_prefix(what)).unwrap_or("unknown").trim();
    let (date, commit) = (said("- date:"), said("- commit:"));
    let name = |line: &str| line.split_once(": ").map(|(name, _)| name.to_owned()).filter(|name| !name.contains(' '));
    let fresh: Vec<String> = rows.lines().filter_map(name).collect();
    let block = figure.split("```").nth(1).unwrap_or_default();
    let old = block.lines().filter(|line| name(line).is_some_and(|name| !fresh.contains(&name)));
    old.map(|line| if line.ends_with(']') { format!("{line}\n") } else { format!("{line} [{date}, {commit}]\n") })
        .collect()
}

/// Cargo of the nightly toolchain, through rustup, as the cargo that runs this program is pinned to its own.
fn nightly(root: &Path, line: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(line.split_whitespace()).current_dir(root);
    command
}

fn has_nightly(toolchains: &str) -> bool {
    toolchains.lines().any(|line| line.starts_with("nightly-") || line.trim() == "nightly")
}

/// What libFuzzer says when it ends: the last line with its coverage and the count of runs.
fn last_words(log: &str) -> String {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let last = |mark: &str| log.lines().rev().find(|line| line.contains(mark)).map(plain);
    let words: Vec<String> = [last(" cov: "), last("Done ")].into_iter().flatten().collect();
    if words.is_empty() { "ended without a word".to_owned() } else { words.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nightly_compiler_is_recognized() {
        assert!(has_nightly("stable-x86_64-unknown-linux-gnu (active)\nnightly-x86_64-unknown-linux-gnu\n"));
        assert!(!has_nightly("stable-x86_64-unknown-linux-gnu (active)\n"));
        assert!(!has_nightly(""));
    }

    #[test]
    fn the_end_of_a_fuzz_run_is_kept() {
        let log = "#2\tINITED cov: 2 ft: 2\n#9\tDONE   cov: 41 ft: 90\nDone 9 runs in 61 second(s)\n";
        assert_eq!(last_words(log), "#9 DONE cov: 41 ft: 90; Done 9 runs in 61 second(s)");
        assert_eq!(last_words(""), "ended without a word");
    }

    #[test]
    fn targets_are_those_that_are_wanted() {
        let wanted = ["mesh".to_owned()];
        assert_eq!(chosen("mesh tree_xml\n", &[]), Ok(vec!["mesh", "tree_xml"]));
        assert_eq!(chosen("mesh tree_xml\n", &wanted), Ok(vec!["mesh"]));
        let refused = chosen("tree_xml", &wanted).unwrap_err();
        assert_eq!(refused, "there is no fuzz target 'mesh'; expected one of: tree_xml");
    }

    #[test]
    fn rows_of_other_targets_keep_their_date() {
        let figure = "# fuzz\n\n- date: monday\n- commit: abc\n\n```text\nlibFuzzer, 600 s per target\nmesh: 7 runs\n\
                      layout: 8 runs [sunday, def]\ntree_xml: 9 runs\n```\n";
        let expected = "mesh: 7 runs [monday, abc]\nlayout: 8 runs [sunday, def]\n";
        assert_eq!(kept(figure, "tree_xml: 1 run\n"), expected);
        assert_eq!(kept("", "tree_xml: 1 run\n"), "");
    }
}
