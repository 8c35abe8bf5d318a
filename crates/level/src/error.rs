//! Why a level is refused: a sentence that says what, where, what was expected and the nearest valid name.

use std::fmt;

use thiserror::Error;

/// A place in a file. Line and column count from 1; 0 is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Place {
    /// A place by line and column.
    pub fn new(line: u64, column: u64) -> Place {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Place { line: narrow(line), column: narrow(column) }
    }
}

/// A refused level.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct LevelError {
    /// The file's name, as the caller gave it; the level's name when it was not read from a file.
    pub file: String,
    /// Where in it, as far as it is known.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.file.is_empty() { "level" } else { &self.file })?;
        if self.place.line > 0 {
            write!(f, ":{}", self.place.line)?;
        }
        if self.place.line > 0 && self.place.column > 0 {
            write!(f, ":{}", self.place.column)?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// What is wrong with a level.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Problem {
    /// The name of the file says of no format we read.
    #[error("unknown kind of level file: expected a name that ends in .yaml, .yml, .txt, .png or .obj")]
    UnknownFormat,
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
    /// Something of YAML that level files do not use.
    #[error("{0} are not used in level files: write the value out")]
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
    /// A name that names nothing in this level.
    #[error("no {what} is called `{name}`{}", hint(.nearest.as_deref()))]
    UnknownName {
        /// What was meant.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest valid one.
        nearest: Option<String>,
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
    /// A number out of its range, infinite or not a number.
    #[error("{what} is {value}: expected {low} to {high}")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The least allowed.
        low: f32,
        /// The greatest allowed.
        high: f32,
    },
    /// More than allowed.
    #[error("{count} {what} are too many: expected at most {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A polygon that bounds no area.
    #[error("{what} is no simple polygon: {fault}")]
    Polygon {
        /// Which polygon.
        what: &'static str,
        /// Why not.
        fault: Fault,
    },
    /// A spawn over nothing.
    #[error(
        "the spawn of team `{team}` at ({x}, {y}) stands on nothing: expected ground within {reach} m of its height"
    )]
    SpawnOffGround {
        /// Its team.
        team: String,
        /// Ground place, m.
        x: f32,
        /// Ground place, m.
        y: f32,
        /// How far ground is looked for, m.
        reach: f32,
    },
    /// A spawn inside something.
    #[error(
        "the spawn of team `{team}` at ({x}, {y}) is inside something solid: expected room for a body 0.6 m wide and 1.8 m high"
    )]
    SpawnBlocked {
        /// Its team.
        team: String,
        /// Ground place, m.
        x: f32,
        /// Ground place, m.
        y: f32,
    },
    /// Anything else that is wrong, as a whole sentence.
    #[error("{0}")]
    Wrong(&'static str),
    /// A line of a text format that cannot be read.
    #[error("cannot read `{text}`: expected {expected}")]
    Line {
        /// What stands there, shortened.
        text: String,
        /// What should.
        expected: &'static str,
    },
    /// A picture that cannot be read.
    #[error("cannot read the picture: {0}")]
    Picture(String),
    /// A color without a meaning.
    #[error("the pixel in column {column}, row {row} has the color #{color:06x}, which the legend does not name")]
    Color {
        /// From 0, from the left.
        column: u32,
        /// From 0, from the top.
        row: u32,
        /// Red, green, blue.
        color: u32,
    },
}

/// Why corners give no simple polygon.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// Fewer than three corners.
    #[error("it has {0} corners, expected at least 3")]
    TooFew(u32),
    /// Two corners in one place.
    #[error("corners {0} and {1} are in one place")]
    Repeated(u32, u32),
    /// Two sides that meet where they should not.
    #[error("the sides after corners {0} and {1} cross")]
    Crossing(u32, u32),
    /// All corners on a line.
    #[error("it has no area")]
    Flat,
    /// A hole that is not inside.
    #[error("hole {0} is not inside it, or meets another hole")]
    Hole(u32),
}

fn hint(nearest: Option<&str>) -> String {
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
pub(crate) fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 40;
    let mut short: String = text.chars().take(CHARS_MAX).map(|one| if one.is_control() { '?' } else { one }).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    short
}
