//! `cargo xtask studio-package`: the engine for the browser, as `web/pkg`: one `.wasm`, its JavaScript module, its types.
//!
//! The module is made by a small program of ours, `xtask/bindgen`: in this crate, its dependencies would be built by
//! everybody who runs any check.
//!
//! [`check`] builds it, plays every scene with it in Node and holds the hashes against the native program, which also
//! replays what was recorded there.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::same_bits::{artifact, is_named, require_node, require_wasm_target, wasm};
use crate::workspace::{self, array, text};
use crate::{limits, process};

const SCRIPT: &str = "xtask/node/package.mjs";
const OUT: &str = "web/pkg";
const BINDER: &str = "xtask/bindgen/Cargo.toml";
/// The engine within it.
const WASM: &str = "sentir_bg.wasm";

/// Builds the package; returns its folder.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    require_wasm_target()?;
    let wasm = wasm(root, "sentir_web")?;
    let out = root.join(OUT);
    process::run(Command::new(binder(root)?).arg(&wasm).arg(&out).arg("sentir"))?;
    println!("the package is in {}", out.display());
    Ok(out)
}

/// Builds the package and proves it: every scene advances, seeks back and forth, records; hashes are the native ones.
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
    println!("{}", size(root, &out)?);
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

/// The size of what a page has to load, gzipped, as a sentence; an error when it is too much.
fn size(root: &Path, out: &Path) -> Result<String, String> {
    let path = out.join(WASM);
    let bytes = std::fs::read(&path).map_err(|error| format!("'{}' cannot be read: {error}", path.display()))?;
    limits::hold(root, "wasm-gzipped", limits::gzipped(&bytes) as f64)
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
    fn a_package_without_an_engine_is_an_error() {
        let error = size(Path::new("."), Path::new("no/such/folder")).unwrap_err();
        assert!(error.starts_with("'no/such/folder/sentir_bg.wasm' cannot be read"), "{error}");
    }
}
