//! `cargo xtask prove soak`: matches with random settings for so long in all, then long matches with an eye on memory. What must
//! hold: no match breaks off, no figure is NaN without a word, memory does not grow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::dice::Dice;
use crate::figure::Outcome;
use crate::process;
use crate::workspace::{array, text};

/// How long one match with random settings may take; what takes longer is ended and counted.
const MATCH_S: u64 = 60;
/// Ticks of such a match at most.
const MATCH_TICKS: &str = "3000";
/// The long matches: words of `run`, and how long they are meant to be.
const LONG: [(&str, &str); 3] = [
    ("commute, an hour of 200 people", "run commute --set seconds=3600 --set count=200 --json"),
    ("patrol, match after match on one thread", "battery patrol --matches 20000 --threads 1 --json"),
    ("firefight, an hour", "run firefight --set seconds=3600 --json"),
];
/// How much more memory a long match may have at its end than after a quarter of its time, bytes. 16 MiB.
const GROWTH_MAX: u64 = 16 << 20;

/// What came of the short matches.
#[derive(Default)]
struct Tally {
    matches: u64,
    refused: u64,
    too_long: u64,
    /// Figures without a value, by scene and name.
    empty: BTreeMap<String, u64>,
    broken: Vec<String>,
}

/// Plays for `seconds` in all.
pub fn run(root: &Path, seconds: u32) -> Result<Outcome, String> {
    let program = built(root)?;
    let started = Instant::now();
    let until = started + Duration::from_secs(seconds.into());
    // Half of the time for many short matches, half for few long ones.
    let many = started + Duration::from_secs(u64::from(seconds) / 2);
    let scenes = process::json(Command::new(&program).args(["scenes", "--json"]))?;
    let scenes: Vec<&Value> =
        scenes.as_array().map_or_else(|| array(&scenes, "scenes"), Vec::as_slice).iter().collect();
    let mut tally = Tally::default();
    let mut dice = Dice::new(26);
    while Instant::now() < many {
        let Some(scene) = scenes.get(dice.below(scenes.len() as u64) as usize) else { break };
        play(&program, scene, &mut dice, &mut tally);
    }
    let mut output = format!(
        "{} matches of {} scenes with random settings, of at most {MATCH_TICKS} ticks, without a number that is none: {} calls refused \
         with a sentence, {} ended after {MATCH_S} s, {} broke off\n",
        tally.matches,
        scenes.len(),
        tally.refused,
        tally.too_long,
        tally.broken.len()
    );
    let empty: Vec<String> = tally.empty.iter().map(|(name, count)| format!("{name} {count}")).collect();
    output.push_str(&format!(
        "figures without a value: {}\n",
        if empty.is_empty() { "none".to_owned() } else { empty.join(", ") }
    ));
    let mut broken = tally.broken;
    for (name, words) in LONG {
        let left = until.saturating_duration_since(Instant::now()) / LONG.len() as u32;
        let (line, fault) = long(&program, name, words, left.max(Duration::from_secs(10)))?;
        output.push_str(&line);
        broken.extend(fault);
    }
    print!("{output}");
    if broken.is_empty() {
        return Ok(Outcome { command: format!("cargo xtask prove soak --seconds {seconds}"), output });
    }
    Err(format!("what must hold does not:\n{}", broken.join("\n")))
}

/// The release program.
pub fn built(root: &Path) -> Result<PathBuf, String> {
    process::run(&mut process::cargo(root, "build --release --quiet -p sentir_lab"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join(format!("sentir{}", std::env::consts::EXE_SUFFIX)))
}

fn play(program: &Path, scene: &Value, dice: &mut Dice, tally: &mut Tally) {
    let name = text(scene, "name").unwrap_or_default();
    let mut words =
        vec!["run".to_owned(), name.to_owned(), "--json".to_owned(), "--ticks".to_owned(), MATCH_TICKS.to_owned()];
    words.extend(["--seed".to_owned(), dice.below(1 << 40).to_string()]);
    for setting in array(scene, "settings") {
        let pair = any_value(setting, dice);
        if let Some(pair) = pair.filter(|_| dice.below(3) == 0) {
            words.extend(["--set".to_owned(), pair]);
        }
    }
    let line = format!("sentir {}", words.join(" "));
    match timed(Command::new(program).args(&words), Duration::from_secs(MATCH_S)) {
        None => tally.too_long += 1,
        Some(Ended { code: Some(0), out, .. }) => {
            tally.matches += 1;
            let told: Value = serde_json::from_str(&out).unwrap_or_default();
            if told["bad_numbers"] != 0 {
                tally.broken.push(format!("{line}: {} motions or bodies were no numbers", told["bad_numbers"]));
            }
            for (metric, value) in told["metrics"].as_object().into_iter().flatten() {
                if value.is_null() {
                    *tally.empty.entry(format!("{name}/{metric}")).or_default() += 1;
                }
            }
        }
        Some(Ended { code: Some(1 | 2), errors, .. }) if errors.starts_with("error: ") => tally.refused += 1,
        Some(Ended { code, errors, .. }) => tally.broken.push(format!("{line}: exit code {code:?}: {}", errors.trim())),
    }
}

/// `KEY=VALUE` with any value that the setting may have.
fn any_value(setting: &Value, dice: &mut Dice) -> Option<String> {
    let name = text(setting, "name")?;
    let expected = text(setting, "expected")?;
    if let Some(words) = expected.strip_prefix("one of ") {
        let words: Vec<&str> = words.split(", ").collect();
        return Some(format!("{name}={}", words[dice.below(words.len() as u64) as usize]));
    }
    let (before, range) = expected.split_once(" from ")?;
    let (low, high) = range.split_once(" to ")?;
    let (low, high) = (low.parse::<f64>().ok()?, high.parse::<f64>().ok()?);
    // The ends are where things break; within, nearer to the lower end, lest every match takes its minute.
    let value = match dice.below(4) {
        0 => low,
        1 if high <= 50.0 => high,
        _ => low + (high - low) * dice.share() * dice.share() * dice.share(),
    };
    Some(if before.contains("whole") { format!("{name}={}", value.round()) } else { format!("{name}={value:.3}") })
}

/// How a call ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; none if it was killed.
    pub code: Option<i32>,
    /// What it wrote.
    pub out: String,
    /// And to the error output.
    pub errors: String,
}

/// How a call ended; none if it took longer and was ended by us.
pub fn timed(command: &mut Command, most: Duration) -> Option<Ended> {
    let folder = std::env::temp_dir().join(format!("sentir-timed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let (out, errors) = (folder.join("out"), folder.join("err"));
    command.stdin(Stdio::null()).stdout(std::fs::File::create(&out).ok()?).stderr(std::fs::File::create(&errors).ok()?);
    let mut child = command.spawn().ok()?;
    let until = Instant::now() + most;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
            _ => break None,
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    status.map(|status| Ended { code: status.code(), out: read(&out), errors: read(&errors) })
}

/// A long match for at most so long: memory after a quarter of the time it took and at its end.
fn long(program: &Path, name: &str, words: &str, most: Duration) -> Result<(String, Option<String>), String> {
    let mut command = Command::new(program);
    let mut child = command
        .args(words.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{name} cannot be begun: {error}"))?;
    let (started, mut sizes, mut code) = (Instant::now(), Vec::new(), None);
    while code.is_none() && started.elapsed() < most {
        sizes.extend(resident(child.id()));
        std::thread::sleep(Duration::from_millis(100));
        code = child.try_wait().ok().flatten();
    }
    let took = started.elapsed().as_secs_f64();
    let end = match code {
        Some(status) => format!("exit code {:?}", status.code()),
        None => {
            let _ = child.kill();
            let _ = child.wait();
            "not over, and ended".to_owned()
        }
    };
    let (quarter, last) = (sizes.get(sizes.len() / 4).copied().unwrap_or(0), sizes.last().copied().unwrap_or(0));
    let grown = last.saturating_sub(quarter);
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let line = format!(
        "{name} (`sentir {words}`): {took:.0} s, {end}; memory {:.1} MiB after a quarter of it, {:.1} MiB at the end\n",
        mib(quarter),
        mib(last)
    );
    let is_bad = grown > GROWTH_MAX || code.is_some_and(|status| !status.success());
    Ok((line.clone(), is_bad.then_some(line)))
}

/// Memory that a process holds, bytes; where the system tells.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_within_their_limits() {
        let whole = json!({"name": "n", "expected": "a whole number from 1 to 9"});
        let word = json!({"name": "w", "expected": "one of a, b"});
        let mut dice = Dice::new(1);
        for _ in 0..200 {
            let value = any_value(&whole, &mut dice).expect("a value");
            let number: f64 = value.strip_prefix("n=").expect("its name").parse().expect("a number");
            assert!((1.0..=9.0).contains(&number) && number.fract() == 0.0, "{value}");
            assert!(["w=a", "w=b"].contains(&any_value(&word, &mut dice).expect("a word").as_str()));
        }
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let started = Instant::now();
        assert_eq!(timed(Command::new("sleep").arg("30"), Duration::from_millis(50)), None);
        assert!(started.elapsed() < Duration::from_secs(10));
        let ended = timed(Command::new("echo").arg("well"), Duration::from_secs(10)).expect("it ends");
        assert_eq!((ended.code, ended.out.as_str()), (Some(0), "well\n"));
    }
}
