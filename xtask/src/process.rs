//! Running other programs: echoed, captured or both. A failure is a sentence that holds the command line.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// A call of cargo in the folder `root`; `line` is split at spaces.
pub fn cargo(root: &Path, line: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(line.split_whitespace()).current_dir(root);
    command
}

/// The command as one would type it.
pub fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs, with the output going to the terminal.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| unstartable(command, &error))?;
    judge(command, status, "")
}

/// Runs silently and returns the standard output; on failure the sentence ends with the standard error.
pub fn capture(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| unstartable(command, &error))?;
    judge(command, output.status, &String::from_utf8_lossy(&output.stderr))?;
    String::from_utf8(output.stdout).map_err(|_| format!("`{}` wrote something that is not UTF-8", line(command)))
}

/// As [`capture`], with the error output on the terminal: for builds, which show there how far they are.
pub fn capture_watched(command: &mut Command) -> Result<String, String> {
    capture(command.stderr(Stdio::inherit()))
}

/// The JSON that a program answers with; as [`capture`].
pub fn json(command: &mut Command) -> Result<Value, String> {
    let answer = capture(command)?;
    parse(command, &answer)
}

/// As [`json`], with the error output on the terminal.
pub fn json_watched(command: &mut Command) -> Result<Value, String> {
    let answer = capture_watched(command)?;
    parse(command, &answer)
}

fn parse(command: &Command, answer: &str) -> Result<Value, String> {
    serde_json::from_str(answer)
        .map_err(|error| format!("`{}` wrote something that is no JSON: {error}", line(command)))
}

/// Runs silently and returns standard output and error whatever the exit code: for programs whose report says why
/// they failed.
pub fn capture_report(command: &mut Command) -> Result<(String, String), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| unstartable(command, &error))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&output.stdout), text(&output.stderr)))
}

/// Runs, echoes the standard output line by line, and returns it.
pub fn tee(command: &mut Command) -> Result<String, String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| unstartable(command, &error))?;
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        echo(BufReader::new(stdout), &mut text);
    }
    let status = child.wait().map_err(|error| unstartable(command, &error))?;
    judge(command, status, "")?;
    Ok(text)
}

/// Starts a program that serves something, does what is to be done with the address that its first line names, and ends it.
pub fn while_serving<T>(server: &mut Command, work: impl FnOnce(&str) -> Result<T, String>) -> Result<T, String> {
    let mut child = server.stdout(Stdio::piped()).spawn().map_err(|error| unstartable(server, &error))?;
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // What cannot be read names no address, which is told below.
        let _ = BufReader::new(stdout).read_line(&mut said);
    }
    let address = said.split_whitespace().find(|word| word.starts_with("http://"));
    let result = match address {
        Some(address) => work(address),
        None => Err(format!("`{}` named no address: '{}'", line(server), said.trim())),
    };
    let _ = child.kill();
    let _ = child.wait();
    result
}

/// As [`tee`], for programs that report on the error output.
pub fn tee_errors(command: &mut Command) -> Result<String, String> {
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(|error| unstartable(command, &error))?;
    let mut text = String::new();
    if let Some(stderr) = child.stderr.take() {
        echo(BufReader::new(stderr), &mut text);
    }
    let status = child.wait().map_err(|error| unstartable(command, &error))?;
    judge(command, status, "")?;
    Ok(text)
}

fn echo(reader: impl BufRead, text: &mut String) {
    for bytes in reader.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&bytes);
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    }
    // A closed terminal is no reason to lose the figures.
    let _ = std::io::stdout().flush();
}

fn unstartable(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` could not be started: {error}", line(command))
}

fn judge(command: &Command, status: ExitStatus, details: &str) -> Result<(), String> {
    if status.success() {
        return Ok(());
    }
    let details = details.trim_end();
    let separator = if details.is_empty() { "" } else { ":\n" };
    Err(format!("`{}` ended with {status}{separator}{details}", line(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.starts_with("`no-such-program-here` could not be started"), "{error}");
    }

    #[test]
    fn a_failing_program_is_quoted_with_its_own_words() {
        let error = capture(&mut cargo(Path::new("."), "no-such-subcommand")).unwrap_err();
        assert!(error.starts_with("`cargo no-such-subcommand` ended with"), "{error}");
        assert!(error.contains("no such command"), "{error}");
    }

    #[test]
    fn an_answer_that_is_no_json_is_told_with_the_call() {
        let error = json(&mut cargo(Path::new("."), "--version")).unwrap_err();
        assert!(error.starts_with("`cargo --version` wrote something that is no JSON: "), "{error}");
        let metadata = json(&mut cargo(Path::new("."), "metadata --format-version 1 --no-deps --offline"));
        assert!(metadata.expect("cargo answers").get("packages").is_some());
    }

    #[test]
    fn teed_output_is_kept() {
        let text = tee(&mut cargo(Path::new("."), "--version")).expect("cargo runs");
        assert!(text.starts_with("cargo "), "{text}");
        assert!(text.ends_with('\n'));
    }
}
