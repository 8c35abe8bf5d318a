//! Why a level is refused: a sentence that says what, where, what was expected and the nearest valid name.

use std::fmt;

use sentir_asset::AssetError;
pub(crate) use sentir_asset::shortened;
pub use sentir_asset::{FilePosition, Problem as Flaw, nearest};
use thiserror::Error;

/// A refused level.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct LevelError {
    /// The file's name, as the caller gave it; the level's name when it was not read from a file.
    pub file: String,
    /// Where in it, as far as it is known.
    pub place: FilePosition,
    /// What is wrong.
    pub problem: Problem,
}

impl From<AssetError> for LevelError {
    fn from(refused: AssetError) -> LevelError {
        LevelError { file: refused.file, place: refused.place, problem: Problem::Asset(refused.problem) }
    }
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
    #[error("unknown kind of level file: expected a name that ends in .yaml, .yml, .txt, .png, .obj or .bsp")]
    UnknownFormat,
    /// What is wrong with any kind of file: no text, too long, an unknown word, a name twice.
    #[error(transparent)]
    Asset(#[from] Flaw),
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
    /// A part of a binary file that is not where its directory says.
    #[error("the file is cut off, or its directory is wrong: the {what} should be at bytes {from} to {to} of {length}")]
    Lump {
        /// Which part.
        what: &'static str,
        /// Its first byte.
        from: u64,
        /// The byte after its last.
        to: u64,
        /// Bytes of the file.
        length: u64,
    },
    /// A part of a binary file that is not made of whole records.
    #[error("the {what} have {bytes} bytes: expected whole records of {record} bytes")]
    Part {
        /// Which part.
        what: &'static str,
        /// Its bytes.
        bytes: u64,
        /// Bytes of a record.
        record: u64,
    },
    /// A record of a binary file that contradicts the others.
    #[error("{what} {number} {fault}")]
    Record {
        /// What it is.
        what: &'static str,
        /// Which, from 0.
        number: u64,
        /// What is wrong, as the rest of the sentence.
        fault: &'static str,
    },
    /// A glTF scene that cannot be read.
    #[error("cannot read the scene: {0}")]
    Scene(String),
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
