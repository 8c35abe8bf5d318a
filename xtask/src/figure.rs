//! A figure: the dated output of a long check, kept in `figures/NAME.md` with what is needed to repeat it.

use std::path::Path;
use std::process::Command;

use crate::{date, process};

/// What a long check did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The command line, to repeat it by hand.
    pub command: String,
    /// What it printed.
    pub output: String,
}

/// Where and when: equal for all figures of a call but for the date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Head {
    date: String,
    commit: String,
    machine: String,
}

/// Writes `figures/NAME.md`.
pub fn write(root: &Path, name: &str, outcome: &Outcome) -> Result<(), String> {
    let head = Head { date: date::now_utc(), commit: commit(root), machine: machine(root) };
    let folder = root.join("figures");
    let path = folder.join(format!("{name}.md"));
    let unwritable = |error| format!("'{}' cannot be written: {error}", path.display());
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    std::fs::write(&path, render(name, &head, outcome)).map_err(unwritable)?;
    println!("wrote figures/{name}.md");
    Ok(())
}

fn render(name: &str, head: &Head, outcome: &Outcome) -> String {
    let Head { date, commit, machine } = head;
    format!(
        "# {name}\n\n- date: {date}\n- commit: {commit}\n- command: `{}`\n- machine: {machine}\n\n```text\n{}\n```\n",
        outcome.command,
        outcome.output.trim_end(),
    )
}

/// The short hash, with `+changes` when the tree differs from it. Figures themselves do not count as changes.
pub fn commit(root: &Path) -> String {
    let git = |words: &[&str]| process::capture(Command::new("git").args(words).current_dir(root));
    let Ok(hash) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "none yet".to_owned();
    };
    let status = git(&["status", "--porcelain", "--", ".", ":(exclude)figures"]).unwrap_or_default();
    let changes = if status.trim().is_empty() { "" } else { "+changes" };
    format!("{}{changes}", hash.trim())
}

fn machine(root: &Path) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let compiler = process::capture(Command::new("rustc").arg("--version").current_dir(root))
        .unwrap_or_else(|_| "rustc of unknown version".to_owned());
    format!("{}, {cores} cores, {}", cpu_model(&cpuinfo), compiler.trim())
}

fn cpu_model(cpuinfo: &str) -> &str {
    cpuinfo
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")
        .map_or("unknown processor", |(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_says_how_to_repeat_it() {
        let head = Head {
            date: "2026-04-14 09:05 UTC".to_owned(),
            commit: "abc1234+changes".to_owned(),
            machine: "Some CPU, 2 cores, rustc 1.95.0".to_owned(),
        };
        let outcome = Outcome { command: "cargo run --release -- bench loop".to_owned(), output: "1\n2\n".to_owned() };
        let expected = "\
# loop

- date: 2026-04-14 09:05 UTC
- commit: abc1234+changes
- command: `cargo run --release -- bench loop`
- machine: Some CPU, 2 cores, rustc 1.95.0

```text
1
2
```
";
        assert_eq!(render("loop", &head, &outcome), expected);
    }

    #[test]
    fn the_processor_is_named_when_known() {
        assert_eq!(cpu_model("processor : 0\nmodel name\t: Some CPU @ 2 GHz\n"), "Some CPU @ 2 GHz");
        assert_eq!(cpu_model(""), "unknown processor");
    }
}
