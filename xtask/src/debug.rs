//! What the unit tests build: the whole workspace, with debug assertions and some optimization. Whoever wants a program of it
//! gets it from here, by the same selection, so that nothing is built a second time.

use std::path::{Path, PathBuf};

use crate::same_bits::{artifact, is_named};

/// The packages of every check, as cargo's words. `banned` is there to be refused.
pub const PACKAGES: &str = "--workspace --exclude banned";

/// A program or an example, built. All examples are built whatever is wanted: dependencies of tests count with them, and
/// without those the crates would have other features than in the tests.
pub fn program(root: &Path, name: &str) -> Result<PathBuf, String> {
    let line = format!("build {PACKAGES} --bin sentir --bin sentir_fuzz --examples");
    artifact(root, &line, |path| is_named(path, name))
}
