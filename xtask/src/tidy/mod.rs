//! The rules of the house that no compiler checks: crate edges, sizes, names, spelling, one state derive, tests
//! that assert, parameters with names. Most scan the text line by line, trusting rustfmt for the indentation, which is good
//! enough for formatted code; only `parameter` parses it. A new rule is a new line in [`RULES`] or [`check`].

mod brain;
mod document;
mod edge;
mod function;
mod head;
mod parameter;
mod proof;
mod scene;
mod size;
mod state;
mod walk;
mod word;

use std::path::Path;

use crate::workspace;

/// A file of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// From the root, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// From the root.
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub sentence: String,
}

/// The rules that look at one file.
const RULES: &[fn(&Source) -> Vec<Breach>] =
    &[size::check, word::check, state::check, proof::check, brain::check, parameter::check];

/// Checks the whole tree and prints every breach.
pub fn check(root: &Path) -> Result<(), String> {
    let members = workspace::members(root)?;
    let sources = sources(root)?;
    let mut breaches: Vec<Breach> =
        sources.iter().flat_map(|source| RULES.iter().flat_map(|rule| rule(source))).collect();
    breaches.extend(edge::check(&members, &sources));
    breaches.extend(head::check(&members, &sources));
    breaches.extend(scene::check(&sources));
    breaches.extend(walk::check(&sources));
    breaches.extend(document::check(&sources));
    breaches.sort();
    for Breach { path, line, sentence } in &breaches {
        println!("{path}:{line}: {sentence}");
    }
    match breaches.len() {
        0 => {
            println!("{} files are tidy", sources.len());
            Ok(())
        }
        1 => Err("1 rule of the house is broken".to_owned()),
        count => Err(format!("{count} rules of the house are broken")),
    }
}

/// Every text file; others are passed over.
fn sources(root: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in workspace::files(root)? {
        let bytes = std::fs::read(root.join(&path)).map_err(|error| format!("{path} cannot be read: {error}"))?;
        if let Some(text) = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}

impl Source {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether all of the file is for tests.
    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }

    fn breach(&self, line: usize, sentence: impl Into<String>) -> Breach {
        Breach { path: self.path.clone(), line, sentence: sentence.into() }
    }
}

/// For the tests of the rules: the sentences about one file.
#[cfg(test)]
fn sentences(rule: fn(&Source) -> Vec<Breach>, path: &str, text: &str) -> Vec<String> {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    rule(&source).into_iter().map(|breach| format!("{}: {}", breach.line, breach.sentence)).collect()
}
