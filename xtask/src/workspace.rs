//! The tree and its crates, as git and cargo see them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process;

/// A crate of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Package name.
    pub name: String,
    /// Folder of the manifest, from the root, with `/`.
    pub folder: String,
    /// The library's root file, from the root; none for a pure program.
    pub library: Option<String>,
    /// Workspace crates it uses as normal dependencies, by package name, sorted.
    pub uses: Vec<String>,
}

/// The root folder: the parent of this crate's.
pub fn root() -> Result<PathBuf, String> {
    let manifest_folder =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    match manifest_folder.parent() {
        Some(root) if root.join("Cargo.toml").is_file() => Ok(root.to_owned()),
        _ => Err(format!(
            "no workspace found above '{}'; run `cargo xtask` inside the repository",
            manifest_folder.display()
        )),
    }
}

/// Every file that is tracked, or would be: relative to the root, sorted.
pub fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-co", "--exclude-standard", "-z"]).current_dir(root);
    let listing = process::capture(&mut command)?;
    let mut files: Vec<String> =
        listing.split('\0').filter(|path| !path.is_empty() && root.join(path).is_file()).map(str::to_owned).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The workspace's crates, without their dependencies from elsewhere.
pub fn members(root: &Path) -> Result<Vec<Member>, String> {
    let metadata = metadata(root, "--no-deps")?;
    let packages = array(&metadata, "packages");
    let names: Vec<&str> = packages.iter().filter_map(|package| text(package, "name")).collect();
    packages.iter().map(|package| member(root, package, &names)).collect()
}

/// The answer of `cargo metadata`.
pub fn metadata(root: &Path, option: &str) -> Result<Value, String> {
    let mut command = process::cargo(root, &format!("metadata --format-version 1 {option}"));
    process::json(&mut command)
}

/// The array at `key`; empty when there is none.
pub fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The string at `key`.
pub fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn member(root: &Path, package: &Value, names: &[&str]) -> Result<Member, String> {
    let (Some(name), Some(manifest)) = (text(package, "name"), text(package, "manifest_path")) else {
        return Err("`cargo metadata` lists a package without name or manifest".to_owned());
    };
    let folder = Path::new(manifest).parent().unwrap_or(root);
    let library = array(package, "targets")
        .iter()
        .filter(|target| array(target, "kind").iter().any(is_library))
        .find_map(|target| text(target, "src_path"))
        .map(|path| relative(root, Path::new(path)));
    let mut uses: Vec<String> = array(package, "dependencies")
        .iter()
        .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
        .filter_map(|dependency| text(dependency, "name"))
        .filter(|name| names.contains(name))
        .map(str::to_owned)
        .collect();
    uses.sort();
    uses.dedup();
    Ok(Member { name: name.to_owned(), folder: relative(root, folder), library, uses })
}

fn is_library(kind: &Value) -> bool {
    matches!(kind.as_str(), Some("lib" | "rlib" | "cdylib" | "dylib" | "staticlib" | "proc-macro"))
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_normal_edges_inside_the_workspace_count() {
        let package = json!({
            "name": "sentir",
            "manifest_path": "/tree/crates/sentir/Cargo.toml",
            "targets": [{ "kind": ["lib"], "src_path": "/tree/crates/sentir/src/lib.rs" }],
            "dependencies": [
                { "name": "sentir_core", "kind": null },
                { "name": "sentir_sim", "kind": "dev" },
                { "name": "serde", "kind": null },
            ],
        });
        let member = member(Path::new("/tree"), &package, &["sentir", "sentir_core", "sentir_sim"]).expect("readable");
        assert_eq!(member.folder, "crates/sentir");
        assert_eq!(member.library.as_deref(), Some("crates/sentir/src/lib.rs"));
        assert_eq!(member.uses, ["sentir_core"]);
    }

    #[test]
    fn the_tree_is_found_and_lists_this_crate() {
        let root = root().expect("the root");
        let files = files(&root).expect("git lists");
        assert!(files.contains(&"xtask/src/main.rs".to_owned()));
        assert!(files.iter().all(|path| !path.starts_with("target/")));
    }
}
