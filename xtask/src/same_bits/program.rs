//! What runs a case: the builds, and what they need installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::case::{Case, read_hashes};
use crate::workspace::{array, text};
use crate::{debug, package, process};

/// The target of wasm builds.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
const NODE_MAJOR_MIN: u32 = 20;
const PROBE_SCRIPT: &str = "xtask/node/probe.mjs";

/// One way to run a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// Unoptimized, one thread.
    Debug,
    /// Optimized.
    Release { threads: u32 },
    /// Optimized, in Node.
    Wasm,
}

impl Build {
    /// For people.
    pub fn name(self) -> String {
        match self {
            Self::Debug => "debug".to_owned(),
            Self::Release { threads } => format!("release on {threads} threads"),
            Self::Wasm => "wasm in Node".to_owned(),
        }
    }
}

/// Where the builds lie.
pub struct Programs {
    root: PathBuf,
    debug: PathBuf,
    release: PathBuf,
    wasm: PathBuf,
}

impl Programs {
    /// Builds all; installs the wasm target if need be.
    pub fn build(root: &Path) -> Result<Self, String> {
        require_node()?;
        require_wasm_target()?;
        Ok(Self {
            root: root.to_owned(),
            debug: debug::program(root, "sentir")?,
            release: package::native(root)?,
            wasm: wasm(root, "sentir_probe")?,
        })
    }

    /// What `sentir scenes --json` says.
    pub fn scenes(&self) -> Result<String, String> {
        process::capture(Command::new(&self.release).args(["scenes", "--json"]))
    }

    /// The hash after every tick of a case in one build.
    pub fn hashes(&self, case: &Case, build: Build) -> Result<Vec<String>, String> {
        let mut command = match build {
            Build::Debug => native(&self.debug, case, 1),
            Build::Release { threads } => native(&self.release, case, threads),
            Build::Wasm => self.probe(case),
        };
        let answer = process::capture(command.current_dir(&self.root))?;
        read_hashes(&answer).map_err(|error| format!("`{}` {error}", process::line(&command)))
    }

    fn probe(&self, case: &Case) -> Command {
        let mut command = Command::new("node");
        command.arg(self.root.join(PROBE_SCRIPT)).arg(&self.wasm);
        command.arg(&case.scene).arg(case.seed.to_string()).arg(case.ticks_max.to_string()).args(&case.settings);
        command
    }
}

fn native(program: &Path, case: &Case, threads: u32) -> Command {
    let mut command = Command::new(program);
    command.args(["run", &case.scene, "--seed", &case.seed.to_string(), "--json", "--hashes"]);
    for setting in &case.settings {
        command.args(["--set", setting]);
    }
    if case.ticks_max > 0 {
        command.args(["--ticks", &case.ticks_max.to_string()]);
    }
    command.args(["--threads", &threads.to_string()]);
    command
}

/// How every wasm module is built.
const WASM_CONFIG: &str = "xtask/wasm.toml";

/// A wasm module, built: of the crate `sentir_probe` or `sentir_js`, or of a family. All are built by one call: alone, each would have
/// other features, and everything below it would be built once more.
pub fn wasm(root: &Path, name: &str) -> Result<PathBuf, String> {
    let families: String =
        package::families(root)?.iter().map(|family| format!(" --example {}", package::module(family))).collect();
    let line = format!(
        "build --release --config {WASM_CONFIG} --target {WASM_TARGET} -p sentir_probe -p sentir_js -p sentir_web \
         --features sentir_web/family --lib{families}"
    );
    let is_wanted = |path: &Path| {
        path.extension().is_some_and(|ending| ending == "wasm") && path.file_stem().is_some_and(|stem| stem == name)
    };
    artifact(root, &line, is_wanted)
}

/// Builds and returns the file that `wanted` picks among cargo's artifacts.
pub fn artifact(root: &Path, line: &str, wanted: impl Fn(&Path) -> bool) -> Result<PathBuf, String> {
    println!("cargo {line}");
    let mut command = process::cargo(root, line);
    let report = process::capture_watched(command.arg("--message-format=json-render-diagnostics"))?;
    artifact_paths(&report)
        .into_iter()
        .rev()
        .find(|path| wanted(path))
        .ok_or_else(|| format!("`cargo {line}` built no file of the expected name"))
}

fn artifact_paths(report: &str) -> Vec<PathBuf> {
    report
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|entry| text(entry, "reason") == Some("compiler-artifact"))
        .flat_map(|entry| {
            array(&entry, "filenames").iter().filter_map(Value::as_str).map(PathBuf::from).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the path is a program of that name, on any system.
pub fn is_named(path: &Path, name: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == name) && path.extension().is_none_or(|ending| ending == "exe")
}

/// Installs the wasm target if need be.
pub fn require_wasm_target() -> Result<(), String> {
    let installed = process::capture(Command::new("rustup").args(["target", "list", "--installed"]))?;
    if installed.lines().any(|line| line.trim() == WASM_TARGET) {
        return Ok(());
    }
    process::run(Command::new("rustup").args(["target", "add", WASM_TARGET]))
}

/// An error if Node is missing or too old.
pub fn require_node() -> Result<(), String> {
    let version = process::capture(Command::new("node").arg("--version")).unwrap_or_default();
    match node_major(&version) {
        Some(major) if major >= NODE_MAJOR_MIN => Ok(()),
        Some(major) => Err(format!("Node {major} is too old; install Node {NODE_MAJOR_MIN} or later")),
        None => Err(format!("Node is missing; install Node {NODE_MAJOR_MIN} or later, with `node` on the path")),
    }
}

fn node_major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Case {
        Case { scene: "guard".to_owned(), seed: 7, settings: vec!["agents=9".to_owned()], ticks_max: 90 }
    }

    #[test]
    fn a_case_becomes_a_command_line() {
        let line = process::line(&native(Path::new("sentir"), &case(), 3));
        assert_eq!(line, "sentir run guard --seed 7 --json --hashes --set agents=9 --ticks 90 --threads 3");
        let programs = Programs {
            root: PathBuf::from("tree"),
            debug: PathBuf::new(),
            release: PathBuf::new(),
            wasm: PathBuf::from("sentir_probe.wasm"),
        };
        let line = process::line(&programs.probe(&case()));
        assert_eq!(line, "node tree/xtask/node/probe.mjs sentir_probe.wasm guard 7 90 agents=9");
    }

    #[test]
    fn artifacts_are_found_in_the_report_of_cargo() {
        let report = concat!(
            r#"{"reason":"compiler-artifact","filenames":["t/libsentir.rlib","t/libsentir.rmeta"]}"#,
            "\n",
            r#"{"reason":"compiler-artifact","filenames":["t/sentir"]}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let paths = artifact_paths(report);
        assert_eq!(paths.len(), 3);
        assert_eq!(paths.iter().position(|path| is_named(path, "sentir")), Some(2));
        assert!(is_named(Path::new("t/sentir.exe"), "sentir"));
        assert!(!is_named(Path::new("t/sentir.d"), "sentir"));
    }

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major(""), None);
        assert_eq!(node_major("command not found"), None);
    }
}
