//! Licenses, sources and bans of every dependency, on all platforms: what `cargo deny` checks, from the answer of
//! `cargo metadata` alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use crate::workspace::{self, array, text};

/// Licenses that ask for no more than a notice.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "ISC",
    "CC0-1.0",
    "BSL-1.0",
    "Unicode-3.0",
];

/// A workspace of its own, with dependencies of its own.
const BINDER: &str = "xtask/bindgen";

/// Where packages may come from, but for the workspace itself.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A reason that holds for optional packages, too.
const UNMAINTAINED: &str = "no longer maintained";

/// Packages that stay out, with the reason.
const BANNED: &[(&str, &str)] = &[
    ("bincode", "no longer maintained; the state derive writes bytes"),
    ("chrono", "the library has no calendar; xtask computes its dates"),
    ("gifski", "AGPL"),
    ("instant", "no longer maintained, and the library reads no clock"),
    ("openssl", "needs a system library; use rustls"),
    ("openssl-sys", "needs a system library; use rustls"),
    ("serde_yaml", "no longer maintained; use serde-saphyr"),
    ("yaml-rust", "no longer maintained; use serde-saphyr"),
];

/// Packages that may be there in one version only, with the reason.
const SINGLE: &[(&str, &str)] = &[("glam", "its vectors are in the public interface, and two versions are two types")];

/// What matters of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// None for a path.
    source: Option<String>,
    manifest: String,
}

/// Checks all packages and prints a count per license.
pub fn check(root: &Path) -> Result<(), String> {
    let folders = [root.to_owned(), root.join(BINDER)];
    let mut breaches = breaches(&packages_of(&folders, "--locked")?, &root.to_string_lossy())?;
    // What only a feature brings, such as libraries to compare with, may have a calendar; a license it must have.
    let packages = packages_of(&folders, "--locked --all-features")?;
    breaches.extend(optional_breaches(&packages, &root.to_string_lossy())?);
    breaches.sort();
    breaches.dedup();
    for (license, count) in count(&packages) {
        println!("{count:>4}  {license}");
    }
    if breaches.is_empty() {
        println!("{} packages, all allowed", packages.len());
        return Ok(());
    }
    Err(format!("dependencies that are not allowed:\n{}", breaches.join("\n")))
}

fn packages_of(folders: &[PathBuf], options: &str) -> Result<Vec<Package>, String> {
    let mut packages: Vec<Package> = Vec::new();
    for folder in folders {
        let metadata = workspace::metadata(folder, options)?;
        packages.extend(array(&metadata, "packages").iter().map(package));
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    packages.dedup();
    Ok(packages)
}

/// What holds for packages that come with a feature alone: licenses, sources, and that somebody maintains them.
fn optional_breaches(packages: &[Package], workspace_root: &str) -> Result<Vec<String>, String> {
    let found = breaches(packages, workspace_root)?;
    let is_meant = |breach: &String| {
        !breach.contains(" is there in versions ")
            && (!breach.contains(" is banned: ") || breach.contains(UNMAINTAINED))
    };
    Ok(found.into_iter().filter(is_meant).collect())
}

fn package(value: &Value) -> Package {
    let owned = |key| text(value, key).map(str::to_owned);
    Package {
        name: owned("name").unwrap_or_default(),
        version: owned("version").unwrap_or_default(),
        license: owned("license"),
        source: owned("source"),
        manifest: owned("manifest_path").unwrap_or_default(),
    }
}

/// Packages per license expression.
fn count(packages: &[Package]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for package in packages {
        *counts.entry(package.license.as_deref().unwrap_or("none")).or_default() += 1;
    }
    counts
}

fn breaches(packages: &[Package], workspace_root: &str) -> Result<Vec<String>, String> {
    let allowed = ALLOWED
        .iter()
        .map(|name| Licensee::parse(name).map_err(|error| format!("an allowed license is unknown: {error}")))
        .collect::<Result<Vec<_>, _>>()?;
    let mut breaches = Vec::new();
    for package in packages {
        let problems = [
            license_problem(package, &allowed),
            source_problem(package, workspace_root),
            BANNED.iter().find(|(name, _)| *name == package.name).map(|(_, reason)| format!("is banned: {reason}")),
        ];
        let name = format!("{} {}", package.name, package.version);
        breaches.extend(problems.into_iter().flatten().map(|problem| format!("{name} {problem}")));
    }
    for (name, reason) in SINGLE {
        let versions: Vec<&str> =
            packages.iter().filter(|package| package.name == *name).map(|package| package.version.as_str()).collect();
        if versions.len() > 1 {
            breaches.push(format!("{name} is there in versions {}: {reason}", versions.join(" and ")));
        }
    }
    Ok(breaches)
}

fn license_problem(package: &Package, allowed: &[Licensee]) -> Option<String> {
    let Some(license) = &package.license else {
        return Some("names no license".to_owned());
    };
    // The lax mode knows the old form `MIT/Apache-2.0`.
    let expression = match Expression::parse_mode(license, ParseMode::LAX) {
        Ok(expression) => expression,
        Err(error) => return Some(format!("has a license that cannot be read: '{license}' ({})", error.reason)),
    };
    let satisfied = expression.evaluate(|requirement| allowed.iter().any(|licensee| licensee.satisfies(requirement)));
    (!satisfied).then(|| format!("is under '{license}', which is not allowed"))
}

fn source_problem(package: &Package, workspace_root: &str) -> Option<String> {
    match package.source.as_deref() {
        Some(REGISTRY) => None,
        Some(other) => Some(format!("comes from '{other}', not from the default registry")),
        None if Path::new(&package.manifest).starts_with(workspace_root) => None,
        None => Some(format!("lies at '{}', outside of the workspace", package.manifest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Package {
        Package {
            name: "some".to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MIT OR Apache-2.0".to_owned()),
            source: Some(REGISTRY.to_owned()),
            manifest: "/elsewhere/some/Cargo.toml".to_owned(),
        }
    }

    fn found(packages: &[Package]) -> Vec<String> {
        breaches(packages, "/tree").expect("the table of licenses is right")
    }

    #[test]
    fn licenses_that_can_be_satisfied_pass() {
        for license in [
            "MIT",
            "MIT/Apache-2.0",
            "Unlicense OR MIT",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "BSL-1.0",
        ] {
            let package = Package { license: Some(license.to_owned()), ..good() };
            assert_eq!(found(&[package]), Vec::<String>::new(), "{license}");
        }
    }

    #[test]
    fn other_licenses_are_refused() {
        for license in ["GPL-3.0-only", "MIT AND MPL-2.0", "AGPL-3.0-only OR SSPL-1.0"] {
            let package = Package { license: Some(license.to_owned()), ..good() };
            assert_eq!(found(&[package]), [format!("some 1.0.0 is under '{license}', which is not allowed")]);
        }
        assert_eq!(found(&[Package { license: None, ..good() }]), ["some 1.0.0 names no license"]);
        let odd = found(&[Package { license: Some("my own words".to_owned()), ..good() }]);
        assert!(odd[0].starts_with("some 1.0.0 has a license that cannot be read: 'my own words'"), "{odd:?}");
    }

    #[test]
    fn only_the_workspace_and_the_registry_are_sources() {
        let inside = Package { source: None, manifest: "/tree/crates/core/Cargo.toml".to_owned(), ..good() };
        assert_eq!(found(&[inside]), Vec::<String>::new());
        let outside = found(&[Package { source: None, ..good() }]);
        assert_eq!(outside, ["some 1.0.0 lies at '/elsewhere/some/Cargo.toml', outside of the workspace"]);
        let git = found(&[Package { source: Some("git+https://example.org/some".to_owned()), ..good() }]);
        assert_eq!(git, ["some 1.0.0 comes from 'git+https://example.org/some', not from the default registry"]);
    }

    #[test]
    fn bans_and_doubles_are_found() {
        let banned = found(&[Package { name: "bincode".to_owned(), ..good() }]);
        assert_eq!(banned, ["bincode 1.0.0 is banned: no longer maintained; the state derive writes bytes"]);
        let glam = |version: &str| Package { name: "glam".to_owned(), version: version.to_owned(), ..good() };
        assert_eq!(found(&[glam("0.33.0")]), Vec::<String>::new());
        let double = found(&[glam("0.33.0"), glam("0.34.0")]);
        assert!(double[0].starts_with("glam is there in versions 0.33.0 and 0.34.0: "), "{double:?}");
    }

    #[test]
    fn what_comes_with_a_feature_alone_must_be_licensed_and_maintained() {
        let named = |name: &str| Package { name: name.to_owned(), ..good() };
        let packages = [named("chrono"), named("yaml-rust"), Package { license: None, ..good() }];
        let found = optional_breaches(&packages, "/tree").expect("the table of licenses is right");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found.iter().any(|one| one.starts_with("yaml-rust 1.0.0 is banned: no longer maintained")),
            "{found:?}"
        );
    }

    #[test]
    fn licenses_are_counted() {
        let packages = [good(), good(), Package { license: None, ..good() }];
        assert_eq!(count(&packages), BTreeMap::from([("MIT OR Apache-2.0", 2), ("none", 1)]));
    }
}
