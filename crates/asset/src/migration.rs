//! Old files to the current version of their format, by edits of the text: comments and layout stay as they were.

use thiserror::Error;

use crate::error::{AssetError, FilePosition, Refusal};
use crate::header::Header;
use crate::node::Node;
use crate::read::parse;

/// One step of a kind's format: from `from` to `from + 1`.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The kind of file it is for.
    pub kind: &'static str,
    /// The version it starts at.
    pub from: u32,
    /// Notes what has to change. The header's version is changed by [`migrate`].
    pub edit: fn(&Node, &mut Edits),
}

/// Changes to make in a text, by place.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Where, what stands there, what is to stand there.
    swaps: Vec<(FilePosition, String, String)>,
}

impl Edits {
    /// Writes `to` in place of `from`, which stands at `place`: a key, or a plain value on one line.
    pub fn swap(&mut self, place: FilePosition, from: &str, to: &str) {
        self.swaps.push((place, from.to_owned(), to.to_owned()));
    }
}

/// Why a file cannot be brought to the current version.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MigrationError {
    /// The file itself is refused.
    #[error(transparent)]
    Refused(#[from] AssetError),
    /// A migration wants to change what does not stand there.
    #[error("cannot change `{wanted}` in line {line}, column {column}: something else stands there")]
    Elsewhere {
        /// What it wants to change.
        wanted: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
}

/// What files are brought to, and how.
#[derive(Clone, Copy)]
pub struct MigrationPlan<'a> {
    /// The kinds of files with their current versions.
    pub known: &'a [(&'a str, u32)],
    /// Every step from a version to the next.
    pub steps: &'a [Migration],
}

/// Brings a file to the current version of its kind, step by step. Nothing when it is there already.
pub fn migrate(text: &str, file: &str, plan: &MigrationPlan<'_>) -> Result<Option<String>, MigrationError> {
    let &MigrationPlan { known, steps } = plan;
    let refused = |refusal: Refusal| AssetError::new(file, refusal);
    let mut current: Option<String> = None;
    loop {
        let now = current.as_deref().unwrap_or(text);
        let node: Node = parse(now.as_bytes(), file)?;
        let header = Header::read(&node).map_err(refused)?;
        let step = steps.iter().find(|step| step.kind == header.kind && step.from == header.version);
        let Some(step) = step else {
            // What no step leads on from is current, unknown, too old or too new: the header tells.
            Header::expect(&node, known).map_err(refused)?;
            return Ok(current);
        };
        let mut edits = Edits::default();
        (step.edit)(&node, &mut edits);
        let head = node.need(Header::KEY).map_err(refused)?;
        let next = format!("{} {}", header.kind, u64::from(header.version) + 1);
        edits.swap(head.place, head.text().map_err(refused)?, &next);
        current = Some(apply(now, edits)?);
    }
}

/// Makes the changes, the last place first, so that places before it stay true.
fn apply(text: &str, mut edits: Edits) -> Result<String, MigrationError> {
    edits.swaps.sort();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (place, from, to) in edits.swaps.iter().rev() {
        let elsewhere = || MigrationError::Elsewhere { wanted: from.clone(), line: place.line, column: place.column };
        let line = lines.get_mut((place.line as usize).wrapping_sub(1)).ok_or_else(elsewhere)?;
        let skipped = (place.column as usize).checked_sub(1).ok_or_else(elsewhere)?;
        let start = line.char_indices().map(|(at, _)| at).nth(skipped).ok_or_else(elsewhere)?;
        // A quoted value begins with its quote.
        let start = start + usize::from(line[start..].starts_with(['"', '\'']));
        if !line[start..].starts_with(from.as_str()) {
            return Err(elsewhere());
        }
        line.replace_range(start..start + from.len(), to);
    }
    Ok(lines.concat())
}
