//! Levels in YAML: the strict subset of all authored files.

use sentir_asset::parse as read;

use crate::error::LevelError;
use crate::spec::LevelSpec;

/// Bytes of a file at most.
pub const BYTES_MAX: usize = sentir_asset::BYTES_MAX;

/// Reads a level. Names and numbers are checked by [`LevelSpec::build`]; the shape of the file is checked here.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    let mut spec: LevelSpec = read(bytes, name)?;
    spec.file = name.to_owned();
    Ok(spec)
}
