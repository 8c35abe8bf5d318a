//! Documents name files that exist: what stands in backticks or as the target of a link, and begins with a folder of the
//! project, must be there. Records of what was (the changelog, figures) may name what is gone.

use std::collections::BTreeSet;

use super::{Breach, Source};

/// How a path of the project begins.
const FOLDERS: &[&str] = &["crates/", "xtask/", "web/", "docs/", "figures/", "fuzz/", "bindings/"];
/// Folders that are made, not kept.
const MADE: &[&str] = &["web/dist", "web/node_modules", "web/npm", "web/pkg"];

/// Paths that lead nowhere.
pub fn check(sources: &[Source]) -> Vec<Breach> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for source in sources {
        let path = source.path.as_str();
        known.insert(path);
        known.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
    }
    let is_record = |path: &str| path == "CHANGELOG.md" || path.starts_with("figures/");
    let documents = sources.iter().filter(|source| source.path.ends_with(".md") && !is_record(&source.path));
    documents
        .flat_map(|document| {
            let lines = document.text.lines().enumerate();
            lines
                .flat_map(|(index, line)| paths(line).map(move |path| (index + 1, path)))
                .filter(|(_, path)| !leads_somewhere(path, &document.path, &known))
                .map(|(line, path)| document.breach(line, format!("there is no {path}")))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The paths that a line names, in backticks or as targets of links.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let linked = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    quoted.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))).chain(linked)
}

fn leads_somewhere(path: &str, document: &str, known: &BTreeSet<&str>) -> bool {
    let path = path.trim_end_matches(['/', '.', ',', ';']);
    let is_pattern = path.contains(['<', '*', '{', '…', ':', '#']) || path.is_empty();
    let is_made = MADE.iter().any(|made| path.starts_with(made)) || path.ends_with(".png") || path.ends_with(".gif");
    if is_pattern || is_made || known.contains(path) {
        return true;
    }
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    known.contains(parts.join("/").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [source(path, text), source("crates/act/src/lib.rs", ""), source("docs/guide/brain.md", "")];
        check(&sources).into_iter().map(|breach| format!("{}: {}", breach.line, breach.sentence)).collect()
    }

    #[test]
    fn paths_must_lead_somewhere() {
        let good =
            "see `crates/act/src/lib.rs`, `crates/act`, [act](crates/act) and [brain](docs/guide/brain.md#keys)\n";
        assert!(found("README.md", good).is_empty());
        assert!(found("docs/guide/soldier.md", "[brain](brain.md) and [act](../../crates/act)").is_empty());
        assert!(found("README.md", "`crates/scenes/src/<family>/<scene>.rs`, `web/dist`, [x](https://a.b)").is_empty());
        assert_eq!(found("README.md", "a\n`crates/act/src/gone.rs`"), ["2: there is no crates/act/src/gone.rs"]);
        assert_eq!(found("docs/guide/soldier.md", "[x](gone.md)"), ["1: there is no gone.md"]);
        assert!(found("CHANGELOG.md", "`crates/act/src/gone.rs`").is_empty());
    }
}
