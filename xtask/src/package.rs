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

use crate::process;
use crate::same_bits::{WASM_TARGET, artifact, is_named, require_node, require_wasm_target};
use crate::workspace::{self, array, text};

const SCRIPT: &str = "xtask/node/package.mjs";
const OUT: &str = "web/pkg";
const BINDER: &str = "xtask/bindgen/Cargo.toml";
/// What a page may have to load, gzipped.
const GZIPPED_BYTES_MAX: u64 = 2_000_000;

/// Builds the package; returns its folder.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    require_wasm_target()?;
    let line = format!("build --release -p sentir_web --target {WASM_TARGET}");
    let is_wasm = |path: &Path| path.extension().is_some_and(|ending| ending == "wasm");
    let wasm = artifact(root, &line, is_wasm)?;
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
    println!("{}", size(&report)?);
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

/// The size as a sentence; an error when it is too much for a page.
fn size(report: &Value) -> Result<String, String> {
    let number = |key| report.get(key).and_then(Value::as_u64).ok_or_else(|| format!("the report has no '{key}'"));
    let (bytes, gzipped) = (number("bytes")?, number("gzipped_bytes")?);
    let sentence = format!("{bytes} bytes of wasm, {gzipped} gzipped");
    if gzipped > GZIPPED_BYTES_MAX {
        return Err(format!("{sentence}: expected at most {GZIPPED_BYTES_MAX}"));
    }
    Ok(sentence)
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
    use serde_json::json;

    use super::*;

    #[test]
    fn a_package_too_big_for_a_page_is_an_error() {
        let report = |gzipped: u64| json!({ "bytes": 3_000_000, "gzipped_bytes": gzipped });
        assert_eq!(size(&report(900_000)).as_deref(), Ok("3000000 bytes of wasm, 900000 gzipped"));
        assert!(size(&report(2_000_001)).unwrap_err().ends_with("expected at most 2000000"));
        assert_eq!(size(&json!({})).unwrap_err(), "the report has no 'bytes'");
    }
}
