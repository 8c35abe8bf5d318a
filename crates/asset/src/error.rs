//! Why a file is refused: a sentence that says what, where, what was expected and the nearest valid name.

use std::fmt;

use thiserror::Error;

/// A place in a file. Line and column count from 1; 0 is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePosition {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl FilePosition {
    /// A place by line and column.
    pub fn new(line: u64, column: u64) -> FilePosition {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        FilePosition { line: narrow(line), column: narrow(column) }
    }
}

/// `FILE:LINE:COLUMN`, as far as they are known, for the head of a message.
pub(crate) fn write_head(f: &mut fmt::Formatter<'_>, file: &str, place: FilePosition) -> fmt::Result {
    f.write_str(if file.is_empty() { "file" } else { file })?;
    if place.line > 0 {
        write!(f, ":{}", place.line)?;
    }
    if place.line > 0 && place.column > 0 {
        write!(f, ":{}", place.column)?;
    }
    Ok(())
}

/// Something wrong at a place of a file whose name the caller knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Where.
    pub place: FilePosition,
    /// What.
    pub problem: Problem,
}

impl Refusal {
    /// What is wrong, and where.
    pub fn new(place: FilePosition, problem: Problem) -> Refusal {
        Refusal { place, problem }
    }

    /// A whole sentence about a place.
    pub fn wrong(place: FilePosition, sentence: impl Into<String>) -> Refusal {
        Refusal { place, problem: Problem::Wrong(sentence.into()) }
    }

    /// A word that is not among those known.
    pub fn unknown<'a>(
        place: FilePosition,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) -> Refusal {
        Refusal { place, problem: Problem::unknown(what, name, known) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.problem)
    }
}

impl std::error::Error for Refusal {}

/// A refused file.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct AssetError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// Where in it, as far as it is known.
    pub place: FilePosition,
    /// What is wrong.
    pub problem: Problem,
}

impl AssetError {
    /// What is wrong in which file.
    pub fn new(file: &str, refusal: Refusal) -> AssetError {
        AssetError { file: file.to_owned(), place: refusal.place, problem: refusal.problem }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_head(f, &self.file, self.place)?;
        write!(f, ": {}", self.problem)
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Problem {
    /// Text that is none.
    #[error("not UTF-8 text")]
    NotText,
    /// More bytes than allowed.
    #[error("{bytes} bytes are too many: expected at most {limit}")]
    TooLong {
        /// Bytes there are.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The text is no YAML, or not of the expected shape.
    #[error("{0}")]
    Syntax(String),
    /// Something of YAML that these files do not use.
    #[error("{0} are not used in these files: write the value out")]
    Forbidden(&'static str),
    /// A key, kind or word that is not known here.
    #[error("unknown {what} `{name}`{}: expected {expected}", hint(.nearest.as_deref()))]
    UnknownWord {
        /// What it is.
        what: &'static str,
        /// The word.
        name: String,
        /// The nearest valid one.
        nearest: Option<String>,
        /// The valid ones.
        expected: String,
    },
    /// A key that is needed.
    #[error("`{0}` is missing")]
    Missing(String),
    /// Two things of one name.
    #[error("two {what} are called `{name}`: expected every name once")]
    Twice {
        /// What they are.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Anything else that is wrong, as a whole sentence.
    #[error("{0}")]
    Wrong(String),
}

impl Problem {
    /// A word that is not among those known; all of them are listed up to a dozen.
    pub fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Problem {
        const LISTED_MAX: usize = 12;
        let mut expected: Vec<String> =
            known.clone().into_iter().take(LISTED_MAX + 1).map(|one| format!("`{one}`")).collect();
        if expected.is_empty() {
            expected.push("none here".to_owned());
        } else if expected.len() > LISTED_MAX {
            expected[LISTED_MAX] = "…".to_owned();
        }
        Problem::UnknownWord {
            what,
            name: shortened(name),
            nearest: nearest(name, known),
            expected: expected.join(", "),
        }
    }
}

pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// The candidate nearest to `name` by edits, the first of equals; none when nothing is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Long names are no misspellings; comparing them would cost their product.
    const LENGTH_MAX: usize = 64;
    let reach = 2.max(name.chars().take(LENGTH_MAX).count() / 3);
    if name.len() > LENGTH_MAX {
        return None;
    }
    let distances = candidates
        .into_iter()
        .filter(|one| one.len() <= LENGTH_MAX)
        .map(|one| (strsim::damerau_levenshtein(name, one), one))
        .filter(|&(distance, _)| distance <= reach);
    distances.min_by_key(|&(distance, _)| distance).map(|(_, one)| one.to_owned())
}

/// Text shortened for a message, on a character's border.
pub fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 40;
    let mut short: String = text.chars().take(CHARS_MAX).map(|one| if one.is_control() { '?' } else { one }).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    short
}
