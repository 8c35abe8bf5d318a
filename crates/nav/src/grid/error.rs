//! Why a terrain, a unit or a file is refused: a sentence that says what, where and what was expected.

use std::fmt;

/// A refused grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridError {
    /// The file's name as the caller gave it; empty for what came from no file.
    pub file: String,
    /// Line, from 1; 0 if the whole is meant.
    pub line: u32,
    /// Column, from 1; 0 if the whole line is meant.
    pub column: u32,
    /// What is wrong.
    pub problem: GridProblem,
}

/// What is wrong with a grid.
#[derive(Clone, Debug, PartialEq)]
pub enum GridProblem {
    /// No cell at all, or more than allowed.
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
    /// Not as many cells as columns times rows.
    Count {
        /// Cells given.
        count: u64,
        /// Cells expected.
        expected: u64,
    },
    /// No tag, or more than 255.
    Tags(usize),
    /// A cell of a tag that the table does not name.
    UnknownTag(u8),
    /// A unit with another number of costs than there are tags.
    Costs {
        /// Costs of the unit.
        count: usize,
        /// Tags of the terrain.
        expected: usize,
    },
    /// A cost of zero or above the limit.
    Cost {
        /// For which tag.
        tag: String,
        /// The cost.
        cost: u8,
    },
    /// Not text.
    NotText,
    /// More bytes than allowed.
    TooLong {
        /// Bytes there are.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A line that is not what belongs there.
    Line {
        /// What is there, shortened.
        text: String,
        /// What was expected.
        expected: String,
    },
    /// The file ends too early.
    Short {
        /// What is missing.
        missing: String,
    },
    /// A letter that stands for no terrain.
    Mark {
        /// The letter.
        mark: char,
        /// The letters there are.
        expected: &'static str,
    },
    /// What the reader of levels says.
    Level(String),
}

impl GridProblem {
    /// The problem of something that came from no file.
    pub(crate) fn bare(self) -> GridError {
        GridError { file: String::new(), line: 0, column: 0, problem: self }
    }

    pub(crate) fn at(self, file: &str, line: usize, column: usize) -> GridError {
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        GridError { file: file.to_owned(), line: narrow(line), column: narrow(column), problem: self }
    }
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.file.is_empty() { "grid" } else { &self.file })?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for GridError {}

impl fmt::Display for GridProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use super::{CELLS_MAX, COST_MAX, SIDE_MAX};
        match self {
            GridProblem::Size { width, height } => write!(
                f,
                "{width} × {height} cells: expected 1 to {SIDE_MAX} along each side and at most {CELLS_MAX} in all"
            ),
            GridProblem::Count { count, expected } => write!(f, "{count} cells are given: expected {expected}"),
            GridProblem::Tags(count) => write!(f, "{count} tags: expected 1 to 255"),
            GridProblem::UnknownTag(tag) => write!(f, "tag {tag} is not in the table of tags"),
            GridProblem::Costs { count, expected } => {
                write!(f, "the unit has {count} costs: expected one for each of the {expected} tags")
            }
            GridProblem::Cost { tag, cost } => {
                write!(f, "`{tag}` costs {cost}: expected 1 to {COST_MAX}, or impassable")
            }
            GridProblem::NotText => f.write_str("not UTF-8 text"),
            GridProblem::TooLong { bytes, limit } => {
                write!(f, "{bytes} bytes are too many: expected at most {limit}")
            }
            GridProblem::Line { text, expected } => write!(f, "`{text}` is not understood: expected {expected}"),
            GridProblem::Short { missing } => write!(f, "the file ends too early: {missing}"),
            GridProblem::Mark { mark, expected } => {
                write!(f, "`{}` stands for no terrain: expected one of {expected}", mark.escape_default())
            }
            GridProblem::Level(what) => f.write_str(what),
        }
    }
}
