//! `cargo xtask studio-package`: the engine for the studio, as `web/pkg`: for each family of scenes one `.wasm` with its JavaScript module,
//! and `catalog.json`, by which a page knows every scene before it loads any of them.
//!
//! Modules are made by a small program of ours, `xtask/bindgen`: in this crate, its dependencies would be built by
//! everybody who runs any check.
//!
//! [`check`] builds them, plays every scene with them in Node and holds the hashes against the native program, which also
//! replays what was recorded there. What game programmers get is another package: [`npm`](crate::npm).

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::same_bits::{artifact, is_named, require_node, require_wasm_target, wasm};
use crate::workspace::{self, array, text};
use crate::{limits, process};

const SCRIPT: &str = "xtask/node/package.mjs";
const CATALOG: &str = "xtask/node/catalog.mjs";
/// Where the modules are.
pub const OUT: &str = "web/pkg";
const BINDER: &str = "xtask/bindgen/Cargo.toml";
/// Where the families are listed, in the order of the catalog.
const MANIFEST: &str = "crates/web/Cargo.toml";
/// What the name of a family's target begins with.
const FAMILY: &str = "family_";

/// The families that have a module, in the order of the catalog.
pub fn families(root: &Path) -> Result<Vec<String>, String> {
    let path = root.join(MANIFEST);
    let manifest = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let families = listed(&manifest);
    if families.is_empty() { Err(format!("'{}' lists no family", path.display())) } else { Ok(families) }
}

fn listed(manifest: &str) -> Vec<String> {
    let family =
        |line: &str| line.strip_prefix("name = \"")?.strip_prefix(FAMILY)?.strip_suffix('"').map(str::to_owned);
    manifest.lines().filter_map(family).collect()
}

/// The name of a family's target.
pub fn module(family: &str) -> String {
    format!("{FAMILY}{family}")
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("'{}' cannot be read: {error}", path.display())
}

/// Builds the modules of all families; returns their folder.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    require_wasm_target()?;
    require_node()?;
    let families = families(root)?;
    let out = root.join(OUT);
    // What an earlier version left behind would be taken for a module.
    if out.is_dir() {
        std::fs::remove_dir_all(&out).map_err(|error| format!("'{}' cannot be removed: {error}", out.display()))?;
    }
    let first = wasm(root, &module(&families[0]))?;
    let binder = binder(root)?;
    let bind = |family: &String| {
        let wasm = first.with_file_name(format!("{}.wasm", module(family)));
        process::run(Command::new(&binder).arg(wasm).arg(&out).arg(family))
    };
    in_two(&families, bind)?;
    process::run(Command::new("node").arg(root.join(CATALOG)).arg(&out).args(&families))?;
    println!("the modules of {} families are in {}", families.len(), out.display());
    Ok(out)
}

/// Does something for each, two at a time.
fn in_two<T: Sync>(all: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) -> Result<(), String> {
    let half = all.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = all.chunks(half).map(|part| scope.spawn(|| part.iter().try_for_each(&work))).collect();
        parts.into_iter().try_for_each(|part| part.join().map_err(|_| "a thread panicked".to_owned())?)
    })
}

/// Makes a JavaScript module of a `.wasm` file.
pub fn bind(root: &Path, wasm: &Path, out: &Path, name: &str) -> Result<(), String> {
    process::run(Command::new(binder(root)?).arg(wasm).arg(out).arg(name))
}

/// Builds the modules and proves them: every scene advances, seeks back and forth, records; hashes are the native ones.
pub fn check(root: &Path) -> Result<(), String> {
    require_node()?;
    let out = build(root)?;
    let native = native(root)?;
    let records = target_folder(root)?.join("package");
    std::fs::create_dir_all(&records)
        .map_err(|error| format!("the folder '{}' cannot be made: {error}", records.display()))?;
    let mut command = Command::new("node");
    command.arg(root.join(SCRIPT)).arg(&out).arg(&records);
    let report = process::json_watched(&mut command)?;
    println!("{}", largest(root, &out)?);
    let scenes = array(&report, "scenes");
    if scenes.is_empty() {
        return Err("the package lists no scene".to_owned());
    }
    let mut slowest = 0.0f64;
    for scene in scenes {
        same_hash(&native, scene)?;
        let record = records.join(format!("{}.srec", text(scene, "name").unwrap_or_default()));
        process::capture(Command::new(&native).arg("replay").arg(record))?;
        slowest = scene.get("seek_ms").and_then(Value::as_f64).map_or(slowest, |seek| seek.max(slowest));
    }
    println!("{} scenes: hashes as native, seek back and forth, recordings replay", scenes.len());
    println!("slowest seek within a run: {slowest:.0} ms");
    Ok(())
}

/// Holds the largest module of a family, gzipped, against its limit.
pub fn largest(root: &Path, out: &Path) -> Result<String, String> {
    let size = |family: &String| gzipped(&out.join(format!("{family}_bg.wasm")));
    let sizes = families(root)?.iter().map(size).collect::<Result<Vec<_>, String>>()?;
    limits::hold(root, "wasm-family-gzipped", sizes.into_iter().max().unwrap_or(0) as f64)
}

/// The size of a file, gzipped.
pub fn gzipped(path: &Path) -> Result<usize, String> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    Ok(limits::gzipped(&bytes))
}

/// The native program, built.
pub fn native(root: &Path) -> Result<PathBuf, String> {
    artifact(root, "build --release -p sentir_lab", |path| is_named(path, "sentir"))
}

/// Plays a scene (name, seed, ticks, hash) natively for as long and compares the hash.
pub fn same_hash(native: &Path, scene: &Value) -> Result<(), String> {
    let of = |key| text(scene, key).ok_or_else(|| format!("the report of a scene has no '{key}'"));
    let (name, seed, hash) = (of("name")?, of("seed")?, of("hash")?);
    let ticks = scene.get("ticks").and_then(Value::as_u64).unwrap_or(0).to_string();
    let mut command = Command::new(native);
    command.args(["run", name, "--seed", seed, "--ticks", &ticks, "--json"]);
    let answer = process::json(&mut command)?;
    let expected = text(&answer, "hash").unwrap_or("none");
    if hash != expected {
        return Err(format!("{name}, seed {seed}: the hash after {ticks} ticks is {hash}, natively {expected}"));
    }
    Ok(())
}

/// The program that makes the module, built. It has a folder of its own below the target folder: it is no member.
fn binder(root: &Path) -> Result<PathBuf, String> {
    let folder = target_folder(root)?.join("bindgen");
    let mut command = process::cargo(root, &format!("build --locked --manifest-path {BINDER} --target-dir"));
    process::run(command.arg(&folder))?;
    Ok(folder.join("debug").join("sentir_bindgen"))
}

/// Where cargo builds.
pub fn target_folder(root: &Path) -> Result<PathBuf, String> {
    let metadata = workspace::metadata(root, "--no-deps")?;
    text(&metadata, "target_directory").map(PathBuf::from).ok_or_else(|| "cargo names no target folder".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_is_not_there_is_an_error() {
        let error = gzipped(Path::new("no/such/folder/grid_bg.wasm")).unwrap_err();
        assert!(error.starts_with("'no/such/folder/grid_bg.wasm' cannot be read"), "{error}");
    }

    #[test]
    fn families_are_listed_in_their_order() {
        let manifest = "name = \"sentir_web\"\n[[example]]\nname = \"family_grid\"\nname = \"recorded_ticks\"\nname = \"family_brain\"\n";
        assert_eq!(listed(manifest), ["grid", "brain"]);
        assert_eq!(module("grid"), "family_grid");
    }

    #[test]
    fn work_in_two_halves_is_all_done_and_the_first_error_is_told() {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let work = |_: &u8| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        };
        assert_eq!((in_two(&[1, 2, 3, 4, 5], work), in_two(&[], work)), (Ok(()), Ok(())));
        assert_eq!(count.into_inner(), 5);
        assert_eq!(
            in_two(&[1, 2], |one| if *one == 2 { Err("two".to_owned()) } else { Ok(()) }),
            Err("two".to_owned())
        );
    }
}
