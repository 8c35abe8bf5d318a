//! The commands that README.md promises, so that they can be run as they stand.
//! Run are the lines of blocks tagged `sh` that start with [`PREFIX`]; blocks tagged `console` or `text` are
//! for reading, and so is `cargo xtask`, which would call itself.

use std::path::Path;
use std::process::Command;

use crate::process;

const PREFIX: &str = "cargo run --release --";

/// Runs every promised command from the root; the first that fails ends it.
pub fn check(root: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(root.join("README.md"))
        .map_err(|error| format!("README.md cannot be read: {error}"))?;
    let commands = commands(&text);
    if commands.is_empty() {
        return Err(format!("README.md has no line that starts with `{PREFIX}` in a block tagged sh"));
    }
    // Where its commands put what they make; it is not there where cargo builds elsewhere.
    std::fs::create_dir_all(root.join("target"))
        .map_err(|error| format!("the folder 'target' cannot be made: {error}"))?;
    for (line, command) in &commands {
        println!("README.md:{line}: {command}");
        process::run(Command::new("sh").args(["-c", command]).current_dir(root))
            .map_err(|error| format!("README.md:{line}: {error}"))?;
    }
    println!("{} commands of README.md ran", commands.len());
    Ok(())
}

/// The commands to run, each with its line number, counted from 1. A `\` at the end joins the next line.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut tag: Option<&str> = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("```") {
            tag = if tag.is_some() { None } else { Some(rest.trim()) };
            continue;
        }
        let mut command = line.strip_prefix("$ ").unwrap_or(line).to_owned();
        if tag != Some("sh") || !command.starts_with(PREFIX) || command.contains("cargo xtask") {
            continue;
        }
        while command.ends_with('\\') {
            command.pop();
            command.push_str(lines.next().map_or("", |(_, next)| next.trim()));
        }
        found.push((index + 1, command));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shell_blocks_and_the_program_count() {
        let text = "\
cargo run --release -- outside
```sh
git clone somewhere
$ cargo run --release -- run guard
cargo run --release -- run guard --seed 2 \\
    --film out/guard.png
cargo run --release -- run guard && cargo xtask test
cargo xtask test
```
```console
$ cargo run --release -- run shown
```
```sh
cargo run --release -- scenes
```
";
        let expected = [
            (4, "cargo run --release -- run guard"),
            (5, "cargo run --release -- run guard --seed 2 --film out/guard.png"),
            (14, "cargo run --release -- scenes"),
        ];
        let found = commands(text);
        let found: Vec<_> = found.iter().map(|(line, command)| (*line, command.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_missing_or_empty_readme_fails() {
        let error = check(Path::new("no/such/folder")).unwrap_err();
        assert!(error.starts_with("README.md cannot be read"), "{error}");
        assert!(commands("# Title\n\n```text\ncargo run --release -- x\n```\n").is_empty());
    }
}
