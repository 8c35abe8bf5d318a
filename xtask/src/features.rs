//! Crates taken alone: how much of others they bring, and that they compile with some of their features as with all. The other
//! steps build the whole workspace, in which every feature is on that somebody names.

use std::path::Path;

use crate::{limits, process};

/// Rows of the limits that count crates of others.
const COUNTED: [&str; 2] = ["crates-act", "crates-least"];

/// What has to compile without a warning: a crate with the features that a user may have.
const CHECKED: [&str; 7] = [
    "sentir_act --no-default-features",
    "sentir_act",
    "sentir --no-default-features",
    "sentir --no-default-features --features bake",
    "sentir --no-default-features --features files",
    "sentir --no-default-features --features gltf,levels,schema,vision,xml",
    "sentir",
];

/// Counts crates and compiles combinations of features.
pub fn check(root: &Path) -> Result<(), String> {
    for name in COUNTED {
        println!("{}", limits::hold_row(root, name)?);
    }
    for one in CHECKED {
        let report = process::tee_errors(&mut process::cargo(root, &format!("check -p {one}")))?;
        if let Some(warning) = report.lines().find(|line| is_warning(line)) {
            return Err(format!("`cargo check -p {one}` warns: {warning}"));
        }
    }
    println!("{} combinations of features compile", CHECKED.len());
    Ok(())
}

fn is_warning(line: &str) -> bool {
    line.starts_with("warning")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_told_from_progress() {
        assert!(is_warning("warning: unused import: `a`"));
        assert!(is_warning("warning: `sentir_nav` (lib) generated 1 warning"));
        assert!(!is_warning("    Checking sentir_nav v0.1.0"));
        assert!(!is_warning("   |         warning: of a text"));
    }
}
