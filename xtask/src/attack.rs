//! `cargo xtask prove attack`: what a careless or ill-willed world does to the program. Mutated files of every kind, command lines
//! of any words, kills in the middle of writing, clients that drip, and forged states of every scene.
//!
//! What must hold: no panic, no file that is half written, no call that takes longer than its share, a page that is still served.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::dice::Dice;
use crate::figure::Outcome;
use crate::soak::{Ended, built, timed};
use crate::{process, workspace};

/// Files that one call of `check` gets.
const FILES_A_CALL: usize = 100;
/// How long one call may take.
const CALL: Duration = Duration::from_secs(120);
/// Endings of files that are mutated.
const ENDINGS: [&str; 8] = ["yaml", "yml", "txt", "obj", "png", "glb", "srec", "snap"];
/// Bytes of such a file at most.
const FILE_BYTES_MAX: u64 = 256 << 10;
/// Words of which command lines are made, beside numbers and names of files.
const WORDS: [&str; 34] = [
    "run",
    "replay",
    "battery",
    "check",
    "analyze",
    "convert",
    "migrate",
    "schema",
    "scenes",
    "level",
    "info",
    "honesty",
    "vision",
    "patrol",
    "circle",
    "firefight",
    "nothing",
    "--seed",
    "--ticks",
    "--set",
    "--json",
    "--matches",
    "--threads",
    "--asset",
    "--as",
    "--scene",
    "--layers",
    "guards=3",
    "guards=-1",
    "x=y",
    "",
    "-",
    "--",
    "tree",
];

/// What was done, and what broke.
#[derive(Default)]
struct Tally {
    lines: Vec<String>,
    broken: Vec<String>,
}

/// Attacks for `seconds` in all, a fifth for each kind.
pub fn run(root: &Path, seconds: u32) -> Result<Outcome, String> {
    let program = built(root)?;
    let folder = Folder::new()?;
    let share = Duration::from_secs((u64::from(seconds) / 5).max(2));
    let mut tally = Tally::default();
    let mut dice = Dice::new(26);
    mutate_files(root, &program, &folder.0, share, &mut dice, &mut tally)?;
    call_anyhow(&program, &folder.0, share, &mut dice, &mut tally);
    kill(&program, &folder.0, share, &mut dice, &mut tally);
    drip(&program, &folder.0, share, &mut tally)?;
    forge_states(root, share, &mut tally)?;
    let output = tally.lines.concat();
    print!("{output}");
    if tally.broken.is_empty() {
        return Ok(Outcome { command: format!("cargo xtask prove attack --seconds {seconds}"), output });
    }
    tally.broken.truncate(20);
    Err(format!("what must hold does not:\n{}", tally.broken.join("\n")))
}

/// A folder of our own, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("sentir-attack-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("'{}' cannot be made: {error}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The files of the project that the program reads, and a recording and a snapshot.
fn samples(root: &Path, program: &Path, folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let (recording, snapshot) = (folder.join("sample.srec"), folder.join("sample.snap"));
    let mut command = Command::new(program);
    command.args(["run", "patrol", "--ticks", "300", "--record"]).arg(&recording).arg("--snapshot").arg(&snapshot);
    process::capture(&mut command)?;
    let mut paths: Vec<PathBuf> = workspace::files(root)?.into_iter().map(|path| root.join(path)).collect();
    paths.extend([recording, snapshot]);
    let ending = |path: &Path| path.extension().and_then(|end| end.to_str()).map(str::to_owned).unwrap_or_default();
    paths.retain(|path| {
        let is_small = std::fs::metadata(path).is_ok_and(|about| about.len() <= FILE_BYTES_MAX);
        is_small && ENDINGS.contains(&ending(path).as_str())
    });
    Ok(paths.iter().filter_map(|path| Some((ending(path), std::fs::read(path).ok()?))).collect())
}

/// Some bytes with a few things done to them.
fn mutated(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(5) {
        let at = dice.below(bytes.len() as u64 + 1) as usize;
        match dice.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, dice.bits() as u8),
            2 => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xff),
            3 => {
                let part: Vec<u8> = bytes.iter().skip(at).take(dice.below(64) as usize).copied().collect();
                bytes.splice(at..at, part);
            }
            4 => {
                // A number made absurd.
                let digit = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|place| place + at);
                let absurd = ["1e30", "-1", "99999999999", "NaN", "0"][dice.below(5) as usize];
                digit.into_iter().for_each(|place| drop(bytes.splice(place..place + 1, absurd.bytes())));
            }
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << dice.below(8)),
        }
    }
    bytes
}

fn mutate_files(
    root: &Path,
    program: &Path,
    folder: &Path,
    time: Duration,
    dice: &mut Dice,
    tally: &mut Tally,
) -> Result<(), String> {
    let samples = samples(root, program, folder)?;
    let (started, mut files) = (Instant::now(), 0);
    while started.elapsed() < time {
        let mut paths = Vec::new();
        for number in 0..FILES_A_CALL {
            let (ending, bytes) = &samples[dice.below(samples.len() as u64) as usize];
            let path = folder.join(format!("{number}.{ending}"));
            std::fs::write(&path, mutated(bytes, dice))
                .map_err(|error| format!("a file cannot be written: {error}"))?;
            paths.push(path);
        }
        files += paths.len();
        judge(timed(Command::new(program).arg("check").args(&paths), CALL), "check of mutated files", tally);
    }
    let kinds = samples.len();
    tally.lines.push(format!("{files} mutated files of {kinds} kinds and makers, by `sentir check`\n"));
    Ok(())
}

/// Notes a call that panicked, was killed or took too long.
fn judge(ended: Option<Ended>, what: &str, tally: &mut Tally) {
    match ended {
        Some(Ended { code: Some(0..=2), errors, .. }) if !errors.contains("panicked") => {}
        Some(Ended { code, errors, .. }) => {
            let first: String = errors.lines().take(2).collect::<Vec<_>>().join(" ");
            tally.broken.push(format!("{what}: exit code {code:?}: {first}"));
        }
        None => tally.broken.push(format!("{what}: not over after {} s", CALL.as_secs())),
    }
}

fn call_anyhow(program: &Path, folder: &Path, time: Duration, dice: &mut Dice, tally: &mut Tally) {
    let (started, mut calls) = (Instant::now(), 0);
    while started.elapsed() < time {
        let mut words: Vec<String> = Vec::new();
        for _ in 0..=dice.below(6) {
            words.push(match dice.below(5) {
                0 => [0, 1, 7, u64::MAX][dice.below(4) as usize].to_string(),
                1 => folder.join(format!("{}.yaml", dice.below(100))).display().to_string(),
                _ => WORDS[dice.below(WORDS.len() as u64) as usize].to_owned(),
            });
        }
        // What would rightly take long is not what is asked here.
        if words.iter().any(|word| matches!(word.as_str(), "battery" | "honesty" | "firefight")) {
            words.extend(["--matches".to_owned(), "1".to_owned()]);
        }
        let line = format!("sentir {}", words.join(" "));
        judge(timed(Command::new(program).args(&words), CALL), &line, tally);
        calls += 1;
    }
    tally.lines.push(format!("{calls} command lines of random words\n"));
}

/// Kills batteries and runs at any moment: what is there afterwards is whole, and the battery goes on.
fn kill(program: &Path, folder: &Path, time: Duration, dice: &mut Dice, tally: &mut Tally) {
    let (started, mut kills, mut torn) = (Instant::now(), 0, 0);
    let out = folder.join("battery");
    while started.elapsed() < time {
        let mut command = Command::new(program);
        command.args(["battery", "patrol", "--matches", "40", "--out"]).arg(&out);
        let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else { continue };
        std::thread::sleep(Duration::from_millis(dice.below(1500)));
        let _ = child.kill();
        let _ = child.wait();
        kills += 1;
        let is_whole = |path: &Path| match path.extension().and_then(|end| end.to_str()) {
            Some("svg") => std::fs::read(path).is_ok_and(|bytes| bytes.ends_with(b"</svg>\n")),
            Some("json" | "csv") => std::fs::read(path).is_ok_and(|bytes| bytes.ends_with(b"\n")),
            _ => true,
        };
        for path in std::fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if !is_whole(&path) {
                torn += 1;
                tally.broken.push(format!("{} is not whole after a kill", path.display()));
            }
        }
    }
    let mut command = Command::new(program);
    command.args(["battery", "patrol", "--matches", "40", "--out"]).arg(&out);
    judge(timed(&mut command, CALL), "a battery after kills", tally);
    tally.lines.push(format!("{kills} kills of a battery that goes on from its journal, {torn} files not whole\n"));
}

/// A server of a small page.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Clients that say nothing, drip, leave, ask for nonsense: the page must be served all the same.
fn drip(program: &Path, folder: &Path, time: Duration, tally: &mut Tally) -> Result<(), String> {
    let page = folder.join("page");
    let port = 20_000 + std::process::id() as u16 % 20_000;
    std::fs::create_dir_all(&page)
        .and_then(|()| std::fs::write(page.join("index.html"), vec![b'x'; 1 << 20]))
        .map_err(|error| format!("a page cannot be made: {error}"))?;
    let mut command = Command::new(program);
    command.args(["studio", "--no-open", "--port", &port.to_string(), "--files"]).arg(&page);
    let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let _server = Server(server.map_err(|error| format!("the studio cannot be served: {error}"))?);
    let ask = |head: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Some(String::from_utf8_lossy(&answer[..answer.len().min(40)]).into_owned())
    };
    let (started, mut clients, mut served) = (Instant::now(), 0, 0);
    while started.elapsed() < time {
        let silent: Vec<TcpStream> = (0..100).filter_map(|_| TcpStream::connect(("127.0.0.1", port)).ok()).collect();
        for (number, mut stream) in silent.iter().enumerate() {
            let _ = stream.write_all(if number % 2 == 0 { b"GET /" } else { b"\xff\0\r\n" });
        }
        clients += silent.len();
        drop(silent);
        for head in [
            "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "\r\n\r\n",
            "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ] {
            clients += usize::from(ask(head).is_some());
        }
        // Closed connections give their place back at once: the page is there within a few tries.
        let page = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let is_served = (0..100).any(|_| {
            let is_served = ask(page).is_some_and(|answer| answer.starts_with("HTTP/1.1 200"));
            std::thread::sleep(Duration::from_millis(if is_served { 0 } else { 50 }));
            is_served
        });
        served += usize::from(is_served);
        if !is_served {
            tally.broken.push("the page is not served any more".to_owned());
            break;
        }
    }
    tally.lines.push(format!(
        "{clients} silent, broken and hostile clients of the studio; the page was served {served} times between\n"
    ));
    Ok(())
}

/// Forged states of every scene, with overflow checks and debug assertions.
fn forge_states(root: &Path, time: Duration, tally: &mut Tally) -> Result<(), String> {
    let line =
        format!("run -p sentir_fuzz -- --seconds {} scene_state world snapshot recording", time.as_secs().max(1));
    let rows = process::tee(&mut process::cargo(root, &line))?;
    tally.lines.extend(rows.lines().map(|row| format!("forged states, debug build: {row}\n")));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_is_that_of_its_dice() {
        let bytes = b"name: a\nsolids:\n- box: {at: [0, 0], size: [20, 20], height_m: 3}\n";
        let of = |seed: u64| mutated(bytes, &mut Dice::new(seed));
        assert_eq!(of(3), of(3));
        assert!((0..50).filter(|&seed| of(seed) != bytes).count() > 40);
    }

    #[test]
    fn what_panicked_or_took_too_long_is_noted() {
        let mut tally = Tally::default();
        let ended = |code, errors: &str| Some(Ended { code, errors: errors.to_owned(), ..Ended::default() });
        judge(ended(Some(1), "error: no such file"), "a call", &mut tally);
        assert!(tally.broken.is_empty());
        judge(ended(Some(101), "thread 'main' panicked at"), "a call", &mut tally);
        judge(ended(None, ""), "a call", &mut tally);
        judge(None, "a call", &mut tally);
        assert_eq!(tally.broken.len(), 3);
    }
}
