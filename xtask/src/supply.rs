//! What the project is built from, beside licenses: checksums, yanked versions, advisories; and the list of it all.
//!
//! | asked | of | without a network |
//! |---|---|---|
//! | does every package have a checksum, from the one registry? | `Cargo.lock` | the same |
//! | is a version yanked? | the registry's index, which cargo is asked to fetch anew | the index as cargo keeps it, with the age of the oldest file |
//! | is there an advisory? | a copy of RustSec's database: `--advisories FOLDER`, or `~/.cargo/advisory-db` | the same copy |
//!
//! Where something cannot be asked, the answer says so, and says that it was not checked: it is no approval.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::workspace::{self, array, text};
use crate::{Failure, process};

/// Where packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// The lock files of the project.
const LOCKS: [&str; 2] = ["Cargo.lock", "xtask/bindgen/Cargo.lock"];

/// A package of a lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Locked {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
}

/// What was found out about one question.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answer {
    /// What is wrong, as sentences.
    breaches: Vec<String>,
    /// What could be asked.
    said: String,
    /// What could not.
    unasked: Option<String>,
}

/// The step of the suite: what can be asked without a network, which takes a second and not a minute.
pub fn check(root: &Path) -> Result<(), String> {
    look(root, true, None)
}

/// `cargo xtask supply`.
pub fn supply(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let (mut is_offline, mut advisories) = (false, None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match (word.as_str(), words.as_slice().first()) {
            ("--offline", _) => is_offline = true,
            ("--advisories", Some(folder)) => {
                advisories = Some(PathBuf::from(folder));
                words.next();
            }
            (other, _) => {
                return Err(Failure::Usage(format!("expected --offline or --advisories FOLDER, not '{other}'")));
            }
        }
    }
    Ok(look(root, is_offline, advisories)?)
}

fn look(root: &Path, is_offline: bool, advisories: Option<PathBuf>) -> Result<(), String> {
    let mut packages = Vec::new();
    for lock in LOCKS {
        let path = root.join(lock);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("'{lock}' cannot be read: {error}"))?;
        packages.extend(locked(&text));
    }
    packages.sort();
    packages.dedup();
    let foreign: Vec<&Locked> = packages.iter().filter(|package| package.source.is_some()).collect();
    // Cargo fetches the index of every package for this, and changes nothing.
    let is_fresh = !is_offline && process::capture(&mut process::cargo(root, "update --dry-run --quiet")).is_ok();
    let home = std::env::home_dir().unwrap_or_default().join(".cargo");
    let database = advisories.unwrap_or_else(|| home.join("advisory-db"));
    let answers =
        [checksums(&foreign), yanked(&foreign, &home.join("registry/index"), is_fresh), advised(&foreign, &database)];
    let mut breaches = Vec::new();
    for answer in answers {
        println!("{}", answer.said);
        if let Some(unasked) = &answer.unasked {
            println!("NOT CHECKED: {unasked}");
        }
        breaches.extend(answer.breaches);
    }
    if breaches.is_empty() { Ok(()) } else { Err(format!("the supply chain:\n{}", breaches.join("\n"))) }
}

/// The packages of a lock file.
fn locked(text: &str) -> Vec<Locked> {
    let part = |part: &str| {
        let field = |key: &str| {
            let line = part.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
            line.map(|rest| rest.trim_end_matches('"').to_owned())
        };
        Some(Locked {
            name: field("name")?,
            version: field("version")?,
            source: field("source"),
            checksum: field("checksum"),
        })
    };
    text.split("[[package]]").skip(1).filter_map(part).collect()
}

fn checksums(packages: &[&Locked]) -> Answer {
    let breach = |package: &&&Locked| match (package.source.as_deref(), &package.checksum) {
        (Some(REGISTRY), Some(sum)) if sum.len() == 64 => None,
        (Some(REGISTRY), _) => Some("has no checksum in the lock file".to_owned()),
        (other, _) => Some(format!("comes from '{}', not from the default registry", other.unwrap_or("nowhere"))),
    };
    let told = |package: &&Locked| Some(format!("{} {} {}", package.name, package.version, breach(&package)?));
    let breaches: Vec<String> = packages.iter().filter_map(told).collect();
    Answer { said: format!("{} packages have a checksum, from one registry", packages.len()), breaches, unasked: None }
}

/// The path of a package in the index.
fn index_path(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.len() {
        1 => format!("1/{name}"),
        2 => format!("2/{name}"),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
    }
}

/// Whether the index says that a version is yanked; none if it does not tell of the version.
fn is_yanked(index: &str, version: &str) -> Option<bool> {
    // Lines of JSON, or cargo's own file: the same objects, parted by zeros.
    index.split(['\n', '\0']).filter(|one| one.starts_with('{')).find_map(|one| {
        let object: Value = serde_json::from_str(one).ok()?;
        (text(&object, "vers") == Some(version)).then(|| object["yanked"].as_bool().unwrap_or(false))
    })
}

fn yanked(packages: &[&Locked], kept: &Path, is_fresh: bool) -> Answer {
    let caches: Vec<PathBuf> =
        std::fs::read_dir(kept).into_iter().flatten().flatten().map(|entry| entry.path().join(".cache")).collect();
    let (mut breaches, mut unknown, mut oldest_days) = (Vec::new(), Vec::new(), 0);
    for package in packages {
        let path = index_path(&package.name);
        let answer = caches.iter().map(|cache| cache.join(&path)).find(|file| file.is_file()).and_then(|file| {
            let age = std::fs::metadata(&file).ok()?.modified().ok()?.elapsed().unwrap_or_default();
            oldest_days = oldest_days.max(age.as_secs() / 86_400);
            is_yanked(&String::from_utf8_lossy(&std::fs::read(&file).ok()?), &package.version)
        });
        let name = format!("{} {}", package.name, package.version);
        match answer {
            Some(true) => breaches.push(format!("{name} is yanked")),
            Some(false) => {}
            None => unknown.push(name),
        }
    }
    let from = if is_fresh { "the registry's index".to_owned() } else { format!("a copy of up to {oldest_days} days") };
    let asked = packages.len() - unknown.len();
    let unasked = (!unknown.is_empty()).then(|| format!("whether these are yanked: {}", unknown.join(", ")));
    Answer { said: format!("{asked} packages were looked up by {from}: {} yanked", breaches.len()), breaches, unasked }
}

/// What concerns us of an advisory.
#[derive(Debug, Default, PartialEq, Eq)]
struct Advisory {
    id: String,
    package: String,
    is_withdrawn: bool,
    /// What kind of notice it is, if it is no vulnerability.
    notice: Option<String>,
    /// Versions that are not concerned, as requirements.
    sound: Vec<String>,
}

/// The head of an advisory's file: TOML of strings and lists of strings.
fn advisory(text: &str) -> Option<Advisory> {
    let head = text.split_once("```toml")?.1.split_once("```")?.0;
    let value = |key: &str| {
        let at = head.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?;
        Some(at.trim().trim_matches('"').to_owned())
    };
    let list = |key: &str| -> Vec<String> {
        let Some(at) = head.find(&format!("\n{key} = [")) else { return Vec::new() };
        let rest = &head[at..];
        let inside = rest.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(inside, _)| inside);
        inside.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    Some(Advisory {
        id: value("id")?,
        package: value("package")?,
        is_withdrawn: value("withdrawn").is_some(),
        notice: value("informational"),
        sound: [list("patched"), list("unaffected")].concat(),
    })
}

/// A version's three numbers; what comes after is left out.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.trim().parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

/// Whether a version meets a requirement such as `>= 1.2.3, < 2`, `^1.2` or `1.2.3`.
fn meets(version: &str, requirement: &str) -> bool {
    let found = numbers(version);
    requirement.split(',').map(str::trim).all(|one| {
        let split = one.find(|letter: char| letter.is_ascii_digit()).unwrap_or(one.len());
        let (sign, wanted) = (one[..split].trim(), numbers(&one[split..]));
        match sign {
            ">=" => found >= wanted,
            ">" => found > wanted,
            "<=" => found <= wanted,
            "<" => found < wanted,
            "=" => found == wanted,
            "~" => found >= wanted && found[..2] == wanted[..2],
            // As cargo has it: the first number that is not 0 stays.
            _ => {
                let kept = wanted.iter().position(|&number| number != 0).map_or(3, |place| place + 1);
                found >= wanted && found[..kept] == wanted[..kept]
            }
        }
    })
}

fn advised(packages: &[&Locked], database: &Path) -> Answer {
    let folder = database.join("crates");
    if !folder.is_dir() {
        let unasked = format!(
            "advisories: there is no copy of RustSec's database in '{}' (git clone https://github.com/RustSec/advisory-db)",
            database.display()
        );
        return Answer { said: "0 advisories were read".to_owned(), breaches: Vec::new(), unasked: Some(unasked) };
    }
    let (mut read, mut breaches) = (0, Vec::new());
    for package in packages {
        let files = std::fs::read_dir(folder.join(&package.name)).into_iter().flatten().flatten();
        for one in files.filter_map(|file| advisory(&std::fs::read_to_string(file.path()).ok()?)) {
            read += 1;
            let concerns = !one.is_withdrawn && !one.sound.iter().any(|sound| meets(&package.version, sound));
            if concerns {
                let kind = one.notice.as_deref().unwrap_or("vulnerability");
                breaches.push(format!("{} {} has {}: {kind}", package.name, package.version, one.id));
            }
        }
    }
    let said = format!("{read} advisories about packages of ours were read, {} concern us", breaches.len());
    Answer { said, breaches, unasked: None }
}

/// `cargo xtask bill [FILE]`: a software bill of materials, to a file or the terminal.
pub fn bill(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let metadata = workspace::metadata(root, "--locked --all-features")?;
    let text = format!("{:#}\n", materials(&metadata));
    match arguments {
        [] => print!("{text}"),
        [path] => {
            std::fs::write(path, &text).map_err(|error| format!("'{path}' cannot be written: {error}"))?;
            println!("{} packages are listed in {path}", array(&metadata, "packages").len());
        }
        [_, extra, ..] => return Err(Failure::Usage(format!("'bill' takes one file, but got '{extra}'"))),
    }
    Ok(())
}

/// CycloneDX 1.5: every package with version, license and address, and who uses whom. The same packages give the same bytes.
fn materials(metadata: &Value) -> Value {
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for package in array(metadata, "packages") {
        let (name, version) = (text(package, "name").unwrap_or_default(), text(package, "version").unwrap_or_default());
        let address = format!("pkg:cargo/{name}@{version}");
        names.insert(text(package, "id").unwrap_or_default(), address.clone());
        let kind = if text(package, "source").is_some() { "library" } else { "application" };
        components.insert(
            address.clone(),
            json!({
                "type": kind, "bom-ref": address, "name": name, "version": version, "purl": address,
                "licenses": text(package, "license").map(|license| vec![json!({ "expression": license })]),
            }),
        );
    }
    let nodes = metadata.get("resolve").map_or(&[][..], |resolve| array(resolve, "nodes"));
    let mut uses: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
    for node in nodes {
        let Some(one) = text(node, "id").and_then(|id| names.get(id)) else { continue };
        let others = array(node, "dependencies").iter().filter_map(|id| names.get(id.as_str()?));
        uses.entry(one).or_default().extend(others);
    }
    let dependencies: Vec<Value> =
        uses.into_iter().map(|(one, others)| json!({ "ref": one, "dependsOn": others })).collect();
    json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": { "type": "application", "name": "sentir", "version": env!("CARGO_PKG_VERSION") } },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"some\"\n\
        version = \"1.2.3\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"ab\"\n";

    #[test]
    fn packages_without_a_checksum_or_from_elsewhere_are_told() {
        let packages = locked(LOCK);
        assert_eq!(packages.len(), 2);
        assert_eq!(packages[0].source, None);
        let git = Locked { source: Some("git+https://example.org".to_owned()), ..packages[1].clone() };
        let told = checksums(&[&packages[1], &git]).breaches;
        assert_eq!(told[0], "some 1.2.3 has no checksum in the lock file");
        assert!(told[1].contains("comes from 'git+https://example.org'"), "{told:?}");
    }

    #[test]
    fn yanked_versions_are_found_in_both_forms_of_the_index() {
        let lines = "{\"vers\":\"1.0.0\",\"yanked\":false}\n{\"vers\":\"1.2.3\",\"yanked\":true}\n";
        let kept = format!("\u{3}\u{2}\0etag\0{}", lines.replace('\n', "\0"));
        for index in [lines, &kept] {
            assert_eq!(is_yanked(index, "1.2.3"), Some(true));
            assert_eq!(is_yanked(index, "1.0.0"), Some(false));
            assert_eq!(is_yanked(index, "9.0.0"), None);
        }
        assert_eq!(["a", "ab", "abc", "Serde_json"].map(index_path), ["1/a", "2/ab", "3/a/abc", "se/rd/serde_json"]);
    }

    #[test]
    fn an_advisory_concerns_the_versions_that_it_does_not_call_sound() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-2024-0320\"\npackage = \"yaml-rust\"\n\
            informational = \"unmaintained\"\n\n[versions]\npatched = []\nunaffected = [\"< 0.4\", \">= 1.0, < 2\"]\n```\n# Title";
        let found = advisory(text).expect("a head");
        assert_eq!((found.id.as_str(), found.notice.as_deref()), ("RUSTSEC-2024-0320", Some("unmaintained")));
        assert_eq!(found.sound, ["< 0.4", ">= 1.0, < 2"]);
        let concerns = |version: &str| !found.sound.iter().any(|sound| meets(version, sound));
        assert!(concerns("0.4.5") && concerns("2.0.0") && !concerns("0.3.9") && !concerns("1.5.0"));
        for (version, requirement, is_met) in [
            ("1.4.0", "^1.2", true),
            ("2.0.0", "^1.2", false),
            ("0.3.1", "^0.3.0", true),
            ("0.4.0", "^0.3.0", false),
            ("1.2.9", "~1.2.3", true),
            ("1.3.0", "~1.2.3", false),
            ("1.2.3", "=1.2.3", true),
        ] {
            assert_eq!(meets(version, requirement), is_met, "{version} {requirement}");
        }
    }

    #[test]
    fn a_missing_database_is_told_as_not_checked() {
        let answer = advised(&[], Path::new("/nowhere"));
        assert!(answer.unasked.is_some_and(|text| text.starts_with("advisories: there is no copy")));
    }

    #[test]
    fn a_bill_lists_packages_and_who_uses_whom() {
        let metadata = json!({
            "packages": [
                { "id": "b", "name": "b", "version": "2.0.0", "license": "MIT", "source": "registry" },
                { "id": "a", "name": "a", "version": "1.0.0", "license": null, "source": null },
            ],
            "resolve": { "nodes": [{ "id": "a", "dependencies": ["b"] }, { "id": "b", "dependencies": [] }] },
        });
        let bill = materials(&metadata);
        assert_eq!(bill["components"][0]["purl"], "pkg:cargo/a@1.0.0");
        assert_eq!(bill["components"][1]["licenses"][0]["expression"], "MIT");
        assert_eq!(bill["dependencies"][0], json!({ "ref": "pkg:cargo/a@1.0.0", "dependsOn": ["pkg:cargo/b@2.0.0"] }));
    }
}
