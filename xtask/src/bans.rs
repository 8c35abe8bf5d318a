//! Proof that the lint bans bite: clippy runs over a fixture crate full of forbidden calls, and its findings must
//! be exactly the marked lines. Also, every entry of the root `clippy.toml` must have been found once, so that
//! a misspelled path (which clippy would pass over) cannot hide.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::process;
use crate::workspace::{array, text};

const FIXTURE: &str = "xtask/fixtures/banned/src/lib.rs";
const CONFIG: &str = "clippy.toml";
const MARK: &str = "// banned";
const LINTS: [&str; 3] = ["clippy::disallowed_methods", "clippy::disallowed_types", "clippy::iter_over_hash_type"];

/// One message of the compiler.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    file: String,
    /// Counted from 1; 0 when the message has no place.
    line: usize,
    /// Lint name; empty for messages about the configuration.
    lint: String,
    level: String,
    message: String,
}

/// Runs clippy over the fixture and compares.
pub fn check(root: &Path) -> Result<(), String> {
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path} cannot be read: {error}"))
    };
    let (fixture, config) = (read(FIXTURE)?, read(CONFIG)?);
    let mut command = process::cargo(root, "clippy --quiet -p banned --message-format=json -- -D warnings");
    // The nearest file to the fixture would be that of this program, which is milder.
    command.env("CLIPPY_CONF_DIR", root);
    let (report, errors) = process::capture_report(&mut command)?;
    let findings = findings(&report)?;
    let marked = marked_lines(&fixture);
    let breaches = compare(&marked, &banned_paths(&config), &findings);
    if breaches.is_empty() {
        println!("{} marked lines bitten, no other; every entry of {CONFIG} has bitten", marked.len());
        return Ok(());
    }
    Err(format!("{errors}the bans do not bite as marked:\n{}", breaches.join("\n")))
}

/// Lines that end in the mark, counted from 1; a mark alone on its line stands for the next one.
fn marked_lines(fixture: &str) -> BTreeSet<usize> {
    fixture
        .lines()
        .enumerate()
        .filter(|(_, line)| line.ends_with(MARK))
        .map(|(index, line)| index + 1 + usize::from(line.trim() == MARK))
        .collect()
}

/// The `path = "…"` of every entry.
fn banned_paths(config: &str) -> BTreeSet<&str> {
    config
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_once("path = \""))
        .filter_map(|(_, rest)| rest.split_once('"'))
        .map(|(path, _)| path)
        .collect()
}

/// Reads cargo's JSON lines.
fn findings(report: &str) -> Result<Vec<Finding>, String> {
    let mut found = Vec::new();
    for line in report.lines().filter(|line| !line.trim().is_empty()) {
        let entry: Value = serde_json::from_str(line)
            .map_err(|error| format!("clippy wrote a line that is no JSON ({error}): {line}"))?;
        let Some(message) = entry.get("message").filter(|_| text(&entry, "reason") == Some("compiler-message")) else {
            continue;
        };
        let primary = |span: &&Value| span.get("is_primary").and_then(Value::as_bool) == Some(true);
        let lint = message.get("code").and_then(|code| text(code, "code")).unwrap_or_default();
        // Closing remarks of the compiler have neither place nor lint.
        let Some(span) = array(message, "spans").iter().find(primary) else { continue };
        let line = span.get("line_start").and_then(Value::as_u64).unwrap_or_default();
        found.push(Finding {
            file: text(span, "file_name").unwrap_or_default().replace('\\', "/"),
            line: usize::try_from(line).unwrap_or_default(),
            lint: lint.to_owned(),
            level: text(message, "level").unwrap_or_default().to_owned(),
            message: text(message, "message").unwrap_or_default().to_owned(),
        });
    }
    Ok(found)
}

/// Every way in which the findings differ from the marks, as sentences.
fn compare(marked: &BTreeSet<usize>, paths: &BTreeSet<&str>, findings: &[Finding]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut bitten: BTreeSet<usize> = BTreeSet::new();
    let mut proven: BTreeSet<&str> = BTreeSet::new();
    for finding in findings {
        let Finding { file, line, message, .. } = finding;
        if !LINTS.contains(&finding.lint.as_str()) || finding.level != "error" || file != FIXTURE {
            breaches.push(format!("{file}:{line}: {}: {message}", finding.level));
        } else if marked.contains(line) {
            bitten.insert(*line);
            proven.extend(message.split('`').nth(1));
        } else {
            breaches.push(format!("{FIXTURE}:{line}: bitten, but not marked `{MARK}`: {message}"));
        }
    }
    for line in marked.iter().filter(|line| !bitten.contains(line)) {
        breaches.push(format!("{FIXTURE}:{line}: marked `{MARK}`, but no lint bites"));
    }
    for path in paths.iter().filter(|path| !proven.contains(*path)) {
        breaches.push(format!("{CONFIG}: `{path}` has no line in {FIXTURE}"));
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "let a = x.sin(); // banned\nlet b = x.abs();\n// banned\nfor k in map {\n";

    fn report(line: usize, lint: &str, message: &str) -> String {
        serde_json::json!({
            "reason": "compiler-message",
            "message": {
                "level": "error",
                "message": message,
                "code": { "code": lint },
                "spans": [{ "is_primary": true, "file_name": FIXTURE, "line_start": line }],
            },
        })
        .to_string()
    }

    fn breaches(config: &str, reports: &[String]) -> Vec<String> {
        let found = findings(&reports.join("\n")).expect("JSON");
        compare(&marked_lines(CODE), &banned_paths(config), &found)
    }

    #[test]
    fn bans_that_bite_where_marked_pass() {
        let sine = report(1, LINTS[0], "use of a disallowed method `f32::sin`");
        let order = report(4, LINTS[2], "iteration over unordered hash-based type");
        let config = "# { path = \"f32::tan\" }\n{ path = \"f32::sin\", reason = \"why\" },";
        assert_eq!(breaches(config, &[sine, order]), Vec::<String>::new());
    }

    #[test]
    fn every_difference_is_listed() {
        let absolute = report(2, LINTS[0], "use of a disallowed method `f32::abs`");
        let other = report(2, "missing_docs", "missing documentation for a function");
        let found = breaches("{ path = \"f32::sinn\" },", &[absolute, other]);
        assert_eq!(
            found,
            [
                format!("{FIXTURE}:2: bitten, but not marked `// banned`: use of a disallowed method `f32::abs`"),
                format!("{FIXTURE}:2: error: missing documentation for a function"),
                format!("{FIXTURE}:1: marked `// banned`, but no lint bites"),
                format!("{FIXTURE}:4: marked `// banned`, but no lint bites"),
                format!("clippy.toml: `f32::sinn` has no line in {FIXTURE}"),
            ]
        );
    }
}
