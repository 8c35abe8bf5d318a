//! Determinism, proven: every scene, with every setting it lists, must give the same hash at every tick in a debug
//! build, in a release build for any number of threads, and as wasm in Node. The release build on one thread is
//! the reference.

mod case;
mod program;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use case::{Case, first_difference};
use program::{Build, Programs};
pub use program::{artifact, is_named, require_node, require_wasm_target, wasm};

/// The builds to compare with the reference: `test` takes those before [`MORE`], `prove` all.
const TWINS: [Build; 5] = [
    Build::Release { threads: 3 },
    Build::Debug,
    Build::Wasm,
    Build::Release { threads: 2 },
    Build::Release { threads: 4 },
];
const MORE: usize = 3;

/// Ticks of every match that `test` compares; `prove` compares all of them.
const TICKS_MAX: u32 = 480;

/// The beginning of every case in every build.
pub fn check(root: &Path) -> Result<(), String> {
    check_until(root, TICKS_MAX, &TWINS[..MORE]).map(|report| println!("{report}"))
}

/// Every case in every build, to its end.
pub fn check_whole(root: &Path) -> Result<String, String> {
    check_until(root, 0, &TWINS)
}

/// Builds everything, runs every case in every build until a tick (0 for the end), and compares all hashes.
fn check_until(root: &Path, ticks_max: u32, twins: &[Build]) -> Result<String, String> {
    let programs = Programs::build(root)?;
    let cases = case::cases(&programs.scenes()?, ticks_max)?;
    let differences = compare_all(&cases, twins, |case, build| programs.hashes(case, build))?;
    let combinations = cases.len() * (twins.len() + 1);
    if differences.is_empty() {
        return Ok(format!("{combinations} combinations of scene, seed, settings and build agree on every tick"));
    }
    let agreed = combinations - differences.len();
    Err(format!("{agreed} of {combinations} combinations agree; the others do not:\n{}", differences.join("\n")))
}

/// The sentences about every difference, in the order of the cases. Cases run side by side, one per core.
fn compare_all<F>(cases: &[Case], twins: &[Build], hashes: F) -> Result<Vec<String>, String>
where
    F: Fn(&Case, Build) -> Result<Vec<String>, String> + Sync,
{
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(index) else { return done };
            done.push((index, compare(case, twins, &hashes)));
        }
    };
    let mut results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect::<Vec<_>>()
    });
    if results.len() != cases.len() {
        return Err("a comparison ended in a panic".to_owned());
    }
    results.sort_by_key(|(index, _)| *index);
    let mut differences = Vec::new();
    for (_, result) in results {
        differences.extend(result?);
    }
    Ok(differences)
}

fn compare<F>(case: &Case, twins: &[Build], hashes: F) -> Result<Vec<String>, String>
where
    F: Fn(&Case, Build) -> Result<Vec<String>, String>,
{
    let reference = hashes(case, Build::Release { threads: 1 })?;
    let mut differences = Vec::new();
    for &build in twins {
        let twin = hashes(case, build)?;
        if let Some(tick) = first_difference(&reference, &twin) {
            differences.push(format!(
                "{}, {}: first differs from release on 1 thread after tick {tick} ({} and {} ticks)",
                case.name(),
                build.name(),
                twin.len(),
                reference.len()
            ));
        }
    }
    println!("{}: {} ticks compared", case.name(), reference.len());
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> Vec<Case> {
        (0..9).map(|seed| Case { scene: "guard".to_owned(), seed, settings: Vec::new(), ticks_max: 0 }).collect()
    }

    fn hashes(of: u32) -> Vec<String> {
        vec!["00".to_owned(), format!("{of:02}"), "99".to_owned()]
    }

    #[test]
    fn equal_runs_have_no_differences() {
        assert_eq!(compare_all(&cases(), &TWINS, |case, _| Ok(hashes(case.seed))), Ok(Vec::new()));
    }

    #[test]
    fn a_difference_names_case_build_and_tick() {
        let found = compare_all(&cases(), &TWINS, |case, build| {
            let differs = build == Build::Wasm && case.seed % 4 == 3;
            Ok(hashes(if differs { 90 } else { case.seed }))
        });
        let sentence = |seed| {
            format!(
                "guard seed {seed} (stock settings), wasm in Node: \
                 first differs from release on 1 thread after tick 2 (3 and 3 ticks)"
            )
        };
        assert_eq!(found, Ok(vec![sentence(3), sentence(7)]));
    }

    #[test]
    fn a_run_that_fails_ends_it() {
        let found =
            compare_all(
                &cases(),
                &TWINS,
                |case, _| {
                    if case.seed == 5 { Err("no such scene".to_owned()) } else { Ok(hashes(0)) }
                },
            );
        assert_eq!(found, Err("no such scene".to_owned()));
    }
}
