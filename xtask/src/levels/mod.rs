//! `cargo xtask levels`: real levels, of a package of Debian (OpenArena's, under the GPL). They are fetched by the system's
//! own tools, kept in the target folder and never part of the project. Then every one must load, bake and have spawns and
//! items: `prove levels` for all of them, `cargo xtask levels` (a step of `cargo xtask test`, too) for some. What an eye sees in
//! some of them must be what one ray a pixel finds. Where there is neither the package nor a way to fetch it, the
//! command fails and says what to do, and the step is skipped, aloud: a check that did not run has not passed.

mod archive;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::figure::Outcome;
use crate::{debug, limits, process, workspace};

/// The package that holds the levels.
const PACKAGE: &str = "openarena-081-maps";
/// Levels the package has at the least.
const LEVELS_MIN: usize = 50;
/// Levels that `cargo xtask levels` checks: small and large, with curves, terrain, movers, teams, no table of visibility.
const SOME: [&str; 6] = ["oa_dm1", "oa_dm5", "aggressor", "islanddm", "kaos2", "oa_ctf2"];
/// Levels in which pictures are held against one ray a pixel.
const SEEN: [&str; 3] = ["oa_dm1", "aggressor", "islanddm"];
/// Looks in each of them: for a quick look, and for a figure.
const SEEN_LOOKS: [&str; 2] = ["2", "12"];
/// Share of spawns that must be on the mesh, of all spawns of all levels.
const ON_MESH_MIN: f64 = 0.95;

/// Fetches and unpacks the levels, unless they are there, and gives their files, sorted.
pub fn fetch(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = folder(root)?;
    let maps = folder.join("maps");
    let there = files(&maps).unwrap_or_default();
    if there.len() >= LEVELS_MIN {
        return Ok(there);
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("'{}' cannot be made: {error}", folder.display()))?;
    let package = package(&folder)?;
    let unpacked = folder.join("unpacked");
    process::capture(Command::new("dpkg-deb").arg("-x").args([&package, &unpacked]))?;
    let mut archives = Vec::new();
    find(&unpacked, "pk3", &mut archives)?;
    let count = archive::unpack(&archives, "bsp", &maps)?;
    println!("{count} levels of {PACKAGE} are in '{}'", maps.display());
    let there = files(&maps)?;
    if there.len() < LEVELS_MIN {
        return Err(format!("{PACKAGE} holds {} levels, expected at least {LEVELS_MIN}", there.len()));
    }
    Ok(there)
}

/// A few levels: a quick look.
pub fn check_some(root: &Path) -> Result<(), String> {
    let all = fetch(root)?;
    let some = named(&all, &SOME)?;
    print!("{}", check(root, &some)?);
    print!("{}", compare_looks(root, &all, SEEN_LOOKS[0])?);
    Ok(())
}

/// The files of these levels.
pub fn named(all: &[PathBuf], names: &[&str]) -> Result<Vec<PathBuf>, String> {
    let file = |name: &&str| all.iter().find(|path| path.file_stem().is_some_and(|stem| stem == *name)).cloned();
    names.iter().map(|name| file(name).ok_or_else(|| format!("{PACKAGE} lacks the level {name}"))).collect()
}

/// Pictures against one ray a pixel.
fn compare_looks(root: &Path, all: &[PathBuf], looks: &str) -> Result<String, String> {
    let mut command = Command::new(debug::program(root, "oracle")?);
    process::capture_watched(command.arg(looks).args(named(all, &SEEN)?))
}

/// Every level of the package, and instructions on one of them.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let all = fetch(root)?;
    let mut output = check(root, &all)?;
    print!("{output}");
    let mut sight = process::cargo(root, "run --release -p sentir_level --example bsp_sight -- 2000");
    let looks = process::capture_watched(sight.args(&all))? + &compare_looks(root, &all, SEEN_LOOKS[1])?;
    print!("{looks}");
    output.push_str(&looks);
    let is_mesh = |command: &str| command.starts_with("callgrind sentir_nav/") && command.contains("{levels}");
    output.push_str(&limits::counted(root, None, is_mesh)?);
    Ok(Outcome { command: "cargo xtask prove levels".to_owned(), output })
}

/// The benchmark of vision on a real level, and instructions of looks and rays.
pub fn measure_vision(root: &Path) -> Result<Outcome, String> {
    let all = fetch(root)?;
    let level = &named(&all, &["oa_dm1"])?[0];
    let mut command = process::cargo(root, "run --release -- bench vision --data");
    let mut output = process::tee(command.arg(level))?;
    let is_sight = |command: &str| {
        ["sentir_vision/", "sentir_level/"].iter().any(|package| command.starts_with(&format!("callgrind {package}")))
    };
    output.push_str(&limits::counted(root, None, is_sight)?);
    Ok(Outcome { command: "cargo xtask prove vision".to_owned(), output })
}

/// Where levels are kept: with what cargo builds.
fn folder(root: &Path) -> Result<PathBuf, String> {
    let metadata = workspace::metadata(root, "--no-deps")?;
    let target = workspace::text(&metadata, "target_directory").ok_or("`cargo metadata` names no target folder")?;
    Ok(Path::new(target).join("levels"))
}

/// The package's file: as it is there, or fetched.
fn package(folder: &Path) -> Result<PathBuf, String> {
    let there = || {
        let mut found = Vec::new();
        find(folder, "deb", &mut found).ok()?;
        found.into_iter().find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PACKAGE)))
    };
    if let Some(path) = there() {
        return Ok(path);
    }
    let download = || process::capture(Command::new("apt-get").args(["download", PACKAGE]).current_dir(folder));
    let fetched = download().or_else(|_| {
        // The lists of packages may be old or missing; whoever may not renew them is told why the second try failed.
        let _ = process::capture(Command::new("apt-get").arg("update"));
        download()
    });
    let refused = |error: &str| {
        format!(
            "the real levels are not here and could not be fetched: {error}\n\
             they are the package {PACKAGE} of Debian; put its .deb into '{}', or run this where apt-get works",
            folder.display()
        )
    };
    fetched.map_err(|error| refused(&error))?;
    there().ok_or_else(|| refused("apt-get wrote no file"))
}

/// Files of an ending below a folder, sorted.
fn find(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error| format!("the folder '{}' cannot be listed: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            find(&path, ending, found)?;
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

fn files(maps: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    find(maps, "bsp", &mut found)?;
    Ok(found)
}

/// Loads and bakes levels by the program, and holds what it says against what is expected.
fn check(root: &Path, levels: &[PathBuf]) -> Result<String, String> {
    let mut command = process::cargo(root, "run --release -- level info --json");
    let answer = process::json_watched(command.args(levels))?;
    judged(workspace::array(&answer, "levels"), levels.len())
}

/// A line a level and the sums, or what is wrong.
fn judged(levels: &[Value], expected: usize) -> Result<String, String> {
    if levels.len() != expected {
        return Err(format!("`level info` told of {} levels, expected {expected}", levels.len()));
    }
    let number = |level: &Value, key: &str| level.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let sum = |level: &Value, key: &str| -> f64 {
        let counts = level.get(key).and_then(Value::as_object);
        counts.map_or(0.0, |counts| counts.values().filter_map(Value::as_f64).sum())
    };
    let mut report = format!(
        "{:<16}{:>10}{:>9}{:>8}{:>7}{:>8}{:>10}{:>7}{:>10}{:>9}{:>9}\n",
        "level",
        "triangles",
        "spawns",
        "on mesh",
        "items",
        "pieces",
        "polygons",
        "parts",
        "ground m²",
        "load ms",
        "bake ms"
    );
    let (mut spawns, mut on_mesh) = (0.0, 0.0);
    for level in levels {
        let name = workspace::text(level, "name").unwrap_or("?");
        let values = [number(level, "triangles"), sum(level, "spawns"), sum(level, "items"), number(level, "polygons")];
        let lacks = ["triangles", "spawns", "items", "polygons"].iter().zip(values).find(|(_, value)| *value <= 0.0);
        if let Some((what, _)) = lacks {
            return Err(format!("the level {name} has no {what}"));
        }
        let [triangles, here, items, polygons] = values;
        let reached = number(level, "spawns_on_mesh");
        (spawns, on_mesh) = (spawns + here + number(level, "spawns_left_out"), on_mesh + reached);
        report.push_str(&format!(
            "{name:<16}{triangles:>10}{here:>9}{reached:>8}{items:>7}{:>8}{polygons:>10}{:>7}{:>10.0}{:>9.1}{:>9.1}\n",
            number(level, "pieces"),
            number(level, "parts"),
            number(level, "ground_m2"),
            number(level, "load_ms"),
            number(level, "bake_ms"),
        ));
    }
    let share = on_mesh / spawns;
    report.push_str(&format!("{} levels; {on_mesh} of {spawns} spawns stand on the mesh\n", levels.len()));
    if share < ON_MESH_MIN {
        return Err(format!("{report}only {:.1} % of the spawns stand on the mesh", share * 100.0));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn levels_without_spawns_or_off_the_mesh_are_refused() {
        let level = |spawns: u64, on_mesh: u64| {
            let (spawns, items) = (json!({ "free": spawns }), json!({ "health": 2 }));
            json!({ "name": "a", "triangles": 9, "polygons": 3, "spawns": spawns, "items": items, "spawns_on_mesh": on_mesh })
        };
        let report = judged(&[level(4, 4)], 1).expect("a good level");
        assert!(report.ends_with("1 levels; 4 of 4 spawns stand on the mesh\n"), "{report}");
        assert_eq!(judged(&[level(0, 0)], 1), Err("the level a has no spawns".to_owned()));
        assert!(judged(&[level(4, 1)], 1).is_err_and(|error| error.contains("only 25.0 %")));
        assert!(judged(&[level(4, 4)], 2).is_err());
    }
}
