//! What all commands that play share: from the words of the command line to a match.

use crate::cli::Changes;
use crate::error::LabError;
use crate::file;
use sentir_harness::info::embedded;
use serde_json::Value;
use std::path::Path;

/// The changes of a run, taken apart and with the assets read.
pub(crate) struct Changed {
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) assets: Vec<(String, String)>,
}

/// Takes `key=value` and `name=path` apart and reads the files.
pub(crate) fn changed(changes: &Changes) -> Result<Changed, LabError> {
    pairs(&changes.settings, &changes.assets)
}

/// The same from the bare words.
pub(crate) fn pairs(settings: &[String], assets: &[String]) -> Result<Changed, LabError> {
    let settings = settings.iter().map(|text| pair(text, "KEY=VALUE")).collect::<Result<_, _>>()?;
    let assets = assets.iter().map(|text| {
        let (name, path) = pair(text, "NAME=PATH")?;
        Ok((name, read_asset(path.as_ref())?))
    });
    Ok(Changed { settings, assets: assets.collect::<Result<_, LabError>>()? })
}

/// Endings of files that are no text of ours: they are embedded.
const FOREIGN: [&str; 5] = ["bsp", "obj", "png", "glb", "gltf"];

/// The content of an asset: the text of a file, or a level of another program, embedded.
fn read_asset(path: &Path) -> Result<String, LabError> {
    let ending = path.extension().map_or_else(String::new, |it| it.to_string_lossy().to_ascii_lowercase());
    if FOREIGN.contains(&ending.as_str()) {
        return Ok(embedded(&file::read(path)?, &ending));
    }
    file::read_text(path)
}

fn pair(text: &str, form: &'static str) -> Result<(String, String), LabError> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err(LabError::Pair { text: text.to_owned(), form }),
    }
}

/// A hash as people and JSON see it.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A number for JSON: null where it is none.
pub(crate) fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}
