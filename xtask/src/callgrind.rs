//! Instructions by callgrind: repeatable whatever else a machine does. Where valgrind is not here, nothing is counted, aloud.

use std::path::Path;
use std::process::Command;

use crate::process;

/// Whether there is a valgrind.
pub fn is_here() -> bool {
    process::capture(Command::new("valgrind").arg("--version")).is_ok()
}

/// The program of an example, built as it is measured.
pub fn example(root: &Path, package: &str, example: &str) -> Result<String, String> {
    let build = format!("build --release -p {package} --example {example} --message-format=json");
    let report = process::capture_watched(&mut process::cargo(root, &build))?;
    executable(&report).ok_or_else(|| format!("cargo names no program for the example {example}"))
}

/// Instructions of one call of a program.
pub fn count(root: &Path, program: &str, words: &[String]) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program]).args(words).current_dir(root);
    let (_, report) = process::capture_report(&mut command)?;
    collected(&report).ok_or_else(|| format!("`{}` counted nothing:\n{report}", process::line(&command)))
}

/// The program that cargo's messages name last.
fn executable(report: &str) -> Option<String> {
    let mark = "\"executable\":\"";
    let found = report.lines().filter_map(|line| line.split_once(mark)).next_back()?;
    found.1.split('"').next().map(str::to_owned)
}

/// The count in callgrind's report.
fn collected(report: &str) -> Option<u64> {
    report.lines().find_map(|line| line.split_once("Collected :")).and_then(|(_, count)| count.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_programs_are_read_from_reports() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 123456\n"), Some(123_456));
        assert_eq!(collected("==7== nothing\n"), None);
        let report = "{\"executable\":null}\n{\"target\":1,\"executable\":\"/t/orca\",\"fresh\":true}\n";
        assert_eq!(executable(report), Some("/t/orca".to_owned()));
        assert_eq!(executable("{\"executable\":null}"), None);
    }
}
