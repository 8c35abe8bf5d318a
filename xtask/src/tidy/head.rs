//! Every library opens with what it is for, and every crate takes the lints of the workspace.

use super::{Breach, Source};
use crate::workspace::Member;

/// Libraries without a head, and crates without the common lints.
pub fn check(members: &[Member], sources: &[Source]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for member in members {
        let library = sources.iter().find(|source| Some(&source.path) == member.library.as_ref());
        if let Some(library) = library.filter(|source| !source.text.starts_with("//!")) {
            breaches.push(library.breach(1, "a library opens with `//!` and what it is for"));
        }
        let path = format!("{}/Cargo.toml", member.folder);
        let manifest = sources.iter().find(|source| source.path == path);
        if let Some(manifest) = manifest.filter(|source| !takes_workspace_lints(&source.text)) {
            breaches.push(manifest.breach(1, "the crate lacks `[lints]` with `workspace = true`"));
        }
    }
    breaches
}

fn takes_workspace_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[lints]").skip(1);
    lines.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line == "workspace = true")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n\n[dependencies]\n";

    fn found(library: &str, manifest: &str) -> Vec<String> {
        let member = Member {
            name: "a".to_owned(),
            folder: "crates/a".to_owned(),
            library: Some("crates/a/src/lib.rs".to_owned()),
            uses: Vec::new(),
        };
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [source("crates/a/src/lib.rs", library), source("crates/a/Cargo.toml", manifest)];
        check(&[member], &sources).into_iter().map(|breach| format!("{}: {}", breach.path, breach.sentence)).collect()
    }

    #[test]
    fn a_library_with_head_and_lints_passes() {
        assert_eq!(found("//! What for.\n", MANIFEST), Vec::<String>::new());
    }

    #[test]
    fn a_missing_head_and_missing_lints_are_found() {
        assert_eq!(found("mod a;\n", MANIFEST), ["crates/a/src/lib.rs: a library opens with `//!` and what it is for"]);
        let lacks = ["crates/a/Cargo.toml: the crate lacks `[lints]` with `workspace = true`"];
        assert_eq!(found("//! What for.\n", &MANIFEST.replace("[lints]\nworkspace = true\n", "")), lacks);
        assert_eq!(found("//! What for.\n", "[lints]\n[dependencies]\nworkspace = true\n"), lacks);
    }
}
