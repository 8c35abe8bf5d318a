//! The plain random driver: mutates the seeds of every target for so many seconds each. No coverage guidance, no special
//! compiler; a panic ends it with the input written down.

use sentir::prelude::{Purpose, Stream, Streams};
use sentir_fuzz::{TARGETS, Target};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const USAGE: &str = "usage: sentir_fuzz [--seconds N] [--seed N] [--write-seeds FOLDER] [--without TARGET] [TARGET...]";

fn main() -> ExitCode {
    let mut seconds = 2;
    let mut seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let mut wanted = Vec::new();
    let mut unwanted = Vec::new();
    let mut folder = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse::<u64>().ok());
        let is_understood = match word.as_str() {
            "--seconds" => number().map(|value| seconds = value).is_some(),
            "--seed" => number().map(|value| seed = value).is_some(),
            "--write-seeds" => words.next().map(|path| folder = Some(PathBuf::from(path))).is_some(),
            "--without" => words.next().is_some_and(|name| {
                let is_known = TARGETS.iter().any(|target| target.name == name);
                unwanted.push(name);
                is_known
            }),
            name => {
                wanted.push(name.to_owned());
                TARGETS.iter().any(|target| target.name == name)
            }
        };
        if !is_understood {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("{word} is not understood\n{USAGE}\ntargets: {}", names.join(", "));
            return ExitCode::from(2);
        }
    }
    let has = |list: &[String], target: &Target| list.iter().any(|name| name == target.name);
    let is_chosen = |target: &&Target| (wanted.is_empty() || has(&wanted, target)) && !has(&unwanted, target);
    let chosen: Vec<&Target> = TARGETS.iter().filter(is_chosen).collect();
    let is_well = match folder {
        Some(folder) => chosen.iter().all(|target| match write_seeds(target, &folder.join(target.name)) {
            Ok(()) => true,
            Err(error) => {
                eprintln!("the seeds of {} cannot be written: {error}", target.name);
                false
            }
        }),
        None => fuzz_all(&chosen, Duration::from_secs(seconds), seed),
    };
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Feeds targets, one per core at a time; false if one panicked, and then no other is begun.
fn fuzz_all(targets: &[&Target], time: Duration, seed: u64) -> bool {
    let (next, is_well) = (AtomicUsize::new(0), AtomicBool::new(true));
    let work = || {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !is_well.load(Ordering::Relaxed) || !fuzz(target, time, seed) {
                is_well.store(false, Ordering::Relaxed);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| _ = scope.spawn(work)));
    is_well.into_inner()
}

/// Puts a target's seeds into a folder as files: where a fuzzer with coverage guidance starts from.
fn write_seeds(target: &Target, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number}")), seed)?;
    }
    Ok(())
}

/// Feeds one target; false if it panicked.
fn fuzz(target: &Target, time: Duration, seed: u64) -> bool {
    let seeds = (target.seeds)();
    let mut random = Streams { seed }.stream(0, Purpose::new(target.name));
    let started = Instant::now();
    let mut count = 0u64;
    while started.elapsed() < time {
        let input = mutated(&seeds, &mut random);
        if catch_unwind(|| (target.feed)(&input)).is_err() {
            let path = std::env::temp_dir().join(format!("sentir-fuzz-{}-{count}.bin", target.name));
            let kept =
                std::fs::write(&path, &input).map_or_else(|_| "not kept".to_owned(), |()| path.display().to_string());
            eprintln!("{}: panicked on input {count} of seed {seed}: {kept}", target.name);
            return false;
        }
        count += 1;
    }
    println!("{}: {count} inputs, no panic (plain random driver, seed {seed})", target.name);
    true
}

/// A seed with a few things done to it.
fn mutated(seeds: &[Vec<u8>], random: &mut Stream) -> Vec<u8> {
    let mut bytes = random.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len().max(1) as u32) as usize;
        match random.below(7) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.bits() as u8,
            2 => bytes.truncate(at),
            3 => bytes.insert(at.min(bytes.len()), random.bits() as u8),
            4 if !bytes.is_empty() => drop(bytes.remove(at)),
            5 => {
                // A length or number made huge.
                for byte in bytes.iter_mut().skip(at).take(4) {
                    *byte = 0xff;
                }
            }
            _ => {
                let len = random.below(16) as usize;
                let part: Vec<u8> = bytes.iter().skip(at).take(len).copied().collect();
                let to = random.below(bytes.len() as u32 + 1) as usize;
                bytes.splice(to..to, part);
            }
        }
    }
    bytes
}
