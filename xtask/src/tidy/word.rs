//! Words that stay out: names that say nothing, notes left behind, British spellings, registry hosts and paths of
//! one machine. This file holds them all, and is the only one exempt.

use super::{Breach, Source};

/// The path of this file.
const SELF: &str = "xtask/src/tidy/word.rs";

/// Parts of a file, folder or module name that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "misc", "manager", "common"];

/// The same for types and functions, where `common` and `misc` may have a meaning.
const EMPTY_ITEM_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "manager"];

/// Left behind in Rust code.
const LEFT_IN_CODE: &[&str] = &["todo!(", "unimplemented!(", "#[ignore", "dbg!("];

/// Left behind anywhere.
const LEFT_ANYWHERE: &[&str] = &["FIXME", "XXX"];

/// Registries are the business of the machine's configuration.
const HOSTS: &[&str] =
    &["://crates.io", "index.crates.io", "static.crates.io", "registry.npmjs.org", "pypi.org", "deb.debian.org"];

/// Folders that another machine lacks.
const MACHINE_PATHS: &[&str] = &["/work/", "/root/", "/home/"];

/// British spelling, and the American one.
const SPELLINGS: &[(&str, &str)] = &[
    ("behaviour", "behavior"),
    ("colour", "color"),
    ("neighbour", "neighbor"),
    ("centre", "center"),
    ("metre", "meter"),
    ("serialise", "serialize"),
    ("initialise", "initialize"),
    ("optimise", "optimize"),
    ("normalise", "normalize"),
    ("grey", "gray"),
];

/// Words that stay out, in the path and in every line.
pub fn check(source: &Source) -> Vec<Breach> {
    if source.path == SELF {
        return Vec::new();
    }
    let mut breaches = Vec::new();
    if let Some(part) = source.path.split('/').find_map(|part| empty_part(part, EMPTY_NAMES)) {
        breaches.push(source.breach(1, format!("the path says '{part}'; name it by what is inside")));
    }
    for (index, line) in source.text.lines().enumerate() {
        let sentences = line_sentences(source, line);
        breaches.extend(sentences.into_iter().map(|sentence| source.breach(index + 1, sentence)));
    }
    breaches
}

fn line_sentences(source: &Source, line: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let contained = |words: &[&'static str]| words.iter().copied().find(|word| line.contains(word));
    if source.is_rust() {
        sentences.extend(declared_names(line));
        sentences.extend(contained(LEFT_IN_CODE).map(|word| format!("`{word}` is left behind")));
    }
    sentences.extend(contained(LEFT_ANYWHERE).map(|word| format!("`{word}` is left behind")));
    sentences.extend(contained(HOSTS).map(|host| format!("the registry host '{host}' is named")));
    sentences.extend(machine_path(line).map(|path| format!("the path '{path}' exists on one machine only")));
    if source.is_rust() || source.path.ends_with(".md") {
        let lower = line.to_lowercase();
        let british = SPELLINGS.iter().filter(|(british, _)| lower.contains(british));
        sentences.extend(british.map(|(british, american)| format!("write '{american}', not '{british}'")));
    }
    sentences
}

/// Breaches in the names that a line of Rust declares.
fn declared_names(line: &str) -> Vec<String> {
    let code = super::function::code(line);
    let words: Vec<&str> =
        code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty()).collect();
    let mut sentences = Vec::new();
    for pair in words.windows(2) {
        let &[kind, name] = pair else { continue };
        let empty = match kind {
            "mod" => EMPTY_NAMES,
            "struct" | "enum" | "trait" | "type" | "fn" => EMPTY_ITEM_NAMES,
            _ => continue,
        };
        if let Some(part) = empty_part(name, empty) {
            sentences.push(format!("`{name}` says '{part}'; name it by what it does"));
        }
        if kind == "fn" && name.starts_with("get_") {
            sentences.push(format!("`{name}`: a look-up has no `get_` in its name"));
        }
    }
    sentences
}

/// The part of a name (`snake_case`, `CamelCase`, `file.name`) that is on the list.
fn empty_part(name: &str, list: &[&'static str]) -> Option<&'static str> {
    let mut spaced = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphanumeric() {
            spaced.push(' ');
        }
        spaced.extend(letter.to_lowercase().filter(|letter| letter.is_alphanumeric()));
    }
    list.iter().copied().find(|empty| spaced.split_whitespace().any(|part| part == *empty))
}

/// An absolute path of one machine; not the middle of a longer one.
fn machine_path(line: &str) -> Option<&'static str> {
    let begins = |at: usize| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|letter| !letter.is_alphanumeric() && !"_-.)}]*".contains(letter))
    };
    MACHINE_PATHS.iter().copied().find(|path| line.match_indices(path).any(|(at, _)| begins(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    fn found(path: &str, text: &str) -> Vec<String> {
        sentences(check, path, text)
    }

    #[test]
    fn empty_names_of_files_and_modules_are_found() {
        for path in ["crates/common/src/lib.rs", "a/src/path_utils.rs", "a/tests/helpers/mod.rs"] {
            assert_eq!(found(path, "").len(), 1, "{path}");
        }
        assert_eq!(found("a.rs", "pub mod misc;"), ["1: `misc` says 'misc'; name it by what it does"]);
        assert!(found("a/src/utility.rs", "mod commonly;").is_empty());
    }

    #[test]
    fn empty_names_of_items_are_found() {
        for line in ["pub struct PathManager {", "fn helper_of(a: u8) {", "enum Util {"] {
            assert_eq!(found("a.rs", line).len(), 1, "{line}");
        }
        for line in ["fn common_prefix() {", "// struct PathManager", "let manager = 1;"] {
            assert!(found("a.rs", line).is_empty(), "{line}");
        }
    }

    #[test]
    fn look_ups_have_no_get() {
        assert_eq!(found("a.rs", "    pub fn get_path() {"), ["1: `get_path`: a look-up has no `get_` in its name"]);
        assert!(found("a.rs", "fn target_of() {}\nlet a = map.get_mut(1);").is_empty());
    }

    #[test]
    fn notes_left_behind_are_found() {
        for line in ["todo!()", "unimplemented!()", "#[ignore = \"slow\"]", "dbg!(a)", "// FIXME", "// XXX"] {
            assert_eq!(found("a.rs", line).len(), 1, "{line}");
        }
        assert_eq!(found("a.md", "FIXME later"), ["1: `FIXME` is left behind"]);
        assert!(found("a.md", "`dbg!(a)` is for people; xxx").is_empty());
    }

    #[test]
    fn registry_hosts_are_found() {
        for line in ["https://crates.io/crates/a", "registry = \"https://registry.npmjs.org/\"", "pypi.org"] {
            assert_eq!(found("a.toml", line).len(), 1, "{line}");
        }
        let lock = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        assert!(found("Cargo.lock", lock).is_empty());
        assert!(found("README.md", "It is on crates.io.").is_empty());
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for line in ["cd /home/someone", "path = \"/root/a\"", "`/work/main`"] {
            assert_eq!(found("a.sh", line).len(), 1, "{line}");
        }
        for line in ["https://example.org/home/page", "src/work/a.rs", "$X/../root/"] {
            assert!(found("a.sh", line).is_empty(), "{line}");
        }
    }

    #[test]
    fn british_spelling_is_found() {
        assert_eq!(found("a.md", "The Behaviour tree."), ["1: write 'behavior', not 'behaviour'"]);
        assert_eq!(found("a.rs", "fn normalised() {}"), ["1: write 'normalize', not 'normalise'"]);
        assert!(found("a.rs", "let color = parameter;").is_empty());
        assert!(found("a.yaml", "colour: 1").is_empty());
    }
}
