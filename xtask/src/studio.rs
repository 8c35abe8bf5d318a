//! `cargo xtask studio`: builds the page with its engine and has `sentir studio` serve it on loopback. The built page is
//! plain files in `web/dist`, which any web server can serve.
//!
//! [`check`] runs the page in Debian's Chromium and holds what it plays against the native program.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{array, text};
use crate::{Failure, package, process};

const PAGE: &str = "web";
const BUILT: &str = "web/dist";
const GALLERY: &str = "web/public/gallery";
/// When the pictures of the gallery are taken, s.
const PICTURE_AT_S: u64 = 9;
const PICTURE_WIDTH: &str = "480";
const SCRIPT: &str = "web/test/browser.mjs";
const MEASURE: &str = "web/test/measure.mjs";
const PORT: u16 = 4173;
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Builds, then has the program serve it until it is stopped.
pub fn studio(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let port = port(arguments)?;
    build(root)?;
    let mut command = Command::new(package::native(root)?);
    command.args(["studio", "--port", &port.to_string(), "--files"]).arg(root.join(BUILT));
    Ok(process::run(&mut command)?)
}

fn port(arguments: &[String]) -> Result<u16, Failure> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(PORT),
        ["--port", number] => number
            .parse()
            .map_err(|_| Failure::Usage(format!("--port needs a number from 0 to 65535, but got '{number}'"))),
        ["--port"] => Err(Failure::Usage("--port needs a number from 0 to 65535".to_owned())),
        [other, ..] => Err(Failure::Usage(format!("there is no option '{other}' of studio; expected --port"))),
    }
}

/// Builds engine, pictures and page.
fn build(root: &Path) -> Result<(), String> {
    package::build(root)?;
    paint_gallery(root)?;
    let page = root.join(PAGE);
    let npm = |words: &[&str]| process::run(Command::new("npm").args(words).current_dir(&page));
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "build"])
}

/// Has the program paint a picture of every scene, some seconds into it.
fn paint_gallery(root: &Path) -> Result<(), String> {
    let native = package::native(root)?;
    let gallery = root.join(GALLERY);
    std::fs::create_dir_all(&gallery)
        .map_err(|error| format!("the folder '{}' cannot be made: {error}", gallery.display()))?;
    let scenes = process::capture(Command::new(&native).args(["scenes", "--json"]))?;
    let scenes: Value = serde_json::from_str(&scenes).map_err(|error| format!("`scenes` is unreadable: {error}"))?;
    for scene in scenes.as_array().into_iter().flatten() {
        let name = text(scene, "name").ok_or("a scene has no name")?;
        let rate_hz = scene.get("rate_hz").and_then(Value::as_u64).ok_or("a scene has no rate")?;
        let ticks = (PICTURE_AT_S * rate_hz).to_string();
        let mut command = Command::new(&native);
        command.args(["run", name, "--seed", "7", "--ticks", &ticks, "--width", PICTURE_WIDTH, "--json", "--picture"]);
        process::capture(command.arg(gallery.join(format!("{name}.png"))))?;
    }
    Ok(())
}

/// Builds the page, tries it in a browser, and compares what it played with the native program.
pub fn check(root: &Path) -> Result<(), String> {
    build(root)?;
    let browser = browser()?;
    let pictures = package::target_folder(root)?.join("studio");
    let mut command = Command::new("node");
    command.arg(root.join(SCRIPT)).arg(root.join(BUILT)).arg(browser).arg(&pictures);
    let report = process::capture_watched(&mut command)?;
    let report: Value = serde_json::from_str(&report).map_err(|error| format!("{SCRIPT} is unreadable: {error}"))?;
    let scenes = array(&report, "scenes");
    if scenes.is_empty() {
        return Err("the page lists no scene".to_owned());
    }
    let native = package::native(root)?;
    scenes.iter().try_for_each(|scene| package::same_hash(&native, scene))?;
    let record = text(&report, "record").ok_or("the page recorded nothing")?;
    process::capture(Command::new(&native).arg("replay").arg(record))?;
    println!("{} scenes play in the browser as natively; pictures are in {}", scenes.len(), pictures.display());
    Ok(())
}

/// Measures the built page in a browser; returns the figures.
pub fn measure(root: &Path) -> Result<String, String> {
    build(root)?;
    let mut command = Command::new("node");
    command.arg(root.join(MEASURE)).arg(root.join(BUILT)).arg(browser()?);
    process::capture_watched(&mut command)
}

/// A browser of this machine; Debian's is installed where there is none and we may.
fn browser() -> Result<PathBuf, String> {
    let found = || BROWSERS.iter().find(|name| process::capture(Command::new(name).arg("--version")).is_ok());
    if found().is_none() {
        process::run(Command::new("apt-get").args(["install", "-y", "chromium"]))
            .map_err(|error| format!("{error}\ninstall Chromium, with `chromium` on the path"))?;
    }
    let name = found().ok_or("Chromium is missing; install it, with `chromium` on the path")?;
    let path = process::capture(Command::new("sh").args(["-c", &format!("command -v {name}")]))?;
    Ok(PathBuf::from(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_a_number() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(port(&words("--port 8080")), Ok(8080));
        assert_eq!(port(&[]), Ok(PORT));
        for line in ["--port", "--port many", "--prot 1"] {
            assert!(matches!(port(&words(line)), Err(Failure::Usage(_))), "{line}");
        }
    }
}
