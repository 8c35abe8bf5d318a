//! `cargo xtask npm-package`: the package that web game programmers get, `web/npm/sentir-VERSION.tgz`: the engine without any scene, its
//! types, its README and licenses, packed by `npm pack`.
//!
//! [`check`] tries it as they would: the tarball is unpacked beside the example of the guide, which is run in Node and in Chromium; what it
//! refuses is tried sentence by sentence; and a world comes out the same natively.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::same_bits::{require_node, require_wasm_target, wasm};
use crate::workspace::text;
use crate::{debug, limits, package, process};

const OUT: &str = "web/npm";
const FILES: &str = "crates/js/npm";
const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];
const EXAMPLE: &str = "crates/js/example";
/// What is shown of the example, word for word.
const GUIDE: &str = "docs/guide/web.md";
const SHOWN: &str = "crates/js/example/guards.js";
/// Refusals and the comparison with the native program; the example in Node and in a browser.
const REFUSALS: &str = "xtask/node/engine.mjs";
const IN_BROWSER: &str = "web/test/package.mjs";
/// Plays the same world natively.
const NATIVE: &str = "yard_hash";

/// Builds the package; returns the tarball.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    require_wasm_target()?;
    require_node()?;
    let folder = root.join(OUT);
    let failed =
        |what: &str, path: &Path, error: std::io::Error| format!("'{}' cannot be {what}: {error}", path.display());
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).map_err(|error| failed("removed", &folder, error))?;
    }
    let wasm = wasm(root, "sentir_js")?;
    package::bind(root, &wasm, &folder, "sentir")?;
    let listed = std::fs::read_dir(root.join(FILES)).map_err(|error| failed("listed", Path::new(FILES), error))?;
    let files = listed.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    for file in files.chain(LICENSES.iter().map(|name| root.join(name))) {
        let to = folder.join(file.file_name().unwrap_or_default());
        std::fs::copy(&file, &to).map_err(|error| failed("copied", &file, error))?;
    }
    let mut pack = Command::new("npm");
    let report = process::json(pack.args(["pack", "--json"]).current_dir(&folder))?;
    let name = report.get(0).and_then(|entry| text(entry, "filename")).ok_or("`npm pack` names no file")?;
    let tarball = folder.join(name);
    println!("the package is {}", tarball.display());
    println!("{}", limits::hold(root, "wasm-gzipped", package::gzipped(&folder.join("sentir_bg.wasm"))? as f64)?);
    Ok(tarball)
}

/// Builds the package and tries it; `browser` is the program of one.
pub fn check(root: &Path, browser: &Path) -> Result<(), String> {
    shown(root)?;
    let tarball = build(root)?;
    let native = process::json(&mut Command::new(debug::program(root, NATIVE)?))?;
    let hash = text(&native, "hash").ok_or("the native program tells no hash")?;
    let folder = tarball.with_file_name("");
    process::run(
        Command::new("node").arg(root.join(REFUSALS)).arg(&folder).arg(root.join("crates/js/tests")).arg(hash),
    )?;
    let mut command = Command::new("node");
    command.arg(root.join(IN_BROWSER)).arg(&tarball).arg(root.join(EXAMPLE)).arg(browser);
    process::run(command.arg(package::target_folder(root)?.join("studio")))
}

/// Whether the guide shows the example that is tried.
fn shown(root: &Path) -> Result<(), String> {
    let read = |name: &str| {
        std::fs::read_to_string(root.join(name)).map_err(|error| format!("'{name}' cannot be read: {error}"))
    };
    if has_block(&read(GUIDE)?, &read(SHOWN)?) {
        Ok(())
    } else {
        Err(format!("{GUIDE} does not show {SHOWN} as it is"))
    }
}

fn has_block(guide: &str, code: &str) -> bool {
    guide.contains(&format!("```js\n{code}```"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_that_shows_other_code_is_found_out() {
        let guide = "# Guide\n```js\nplay();\n```\n";
        assert!(has_block(guide, "play();\n") && !has_block(guide, "play(1);\n"));
    }
}
