//! What can be wrong with the frames handed in, each as a sentence to act on.

use crate::SIDE_PX_MAX;
use crate::film::FRAMES_PER_S_MAX;
use crate::sheet::{CELL_WIDTH_PX_MAX, CELL_WIDTH_PX_MIN, COLUMNS_MAX, FRAMES_MAX};

/// Why a frame, film or sheet was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilmError {
    /// A side is zero or too long.
    #[error("a picture of {width} x {height} px cannot be made: each side must be 1 to {SIDE_PX_MAX} px")]
    Size {
        /// Asked width, px.
        width: u32,
        /// Asked height, px.
        height: u32,
    },
    /// The bytes do not fill the picture.
    #[error("a frame of {width} x {height} px needs {expected} bytes (4 for a pixel), but {found} were given")]
    Bytes {
        /// Width, px.
        width: u32,
        /// Height, px.
        height: u32,
        /// Bytes needed.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The frame rate cannot be played.
    #[error("a film of {0} frames per second cannot be made: the rate must be 1 to {FRAMES_PER_S_MAX}")]
    Rate(u32),
    /// A frame of another size than the film's.
    #[error(
        "frame {index} is {found_width} x {found_height} px, but the film is {width} x {height} px: \
         paint every frame with the same view size"
    )]
    FrameSize {
        /// Which frame, from 0.
        index: u32,
        /// The film's width, px.
        width: u32,
        /// The film's height, px.
        height: u32,
        /// The frame's width, px.
        found_width: u32,
        /// The frame's height, px.
        found_height: u32,
    },
    /// Nothing was pushed.
    #[error("there is no frame to show: push at least one before finishing")]
    Empty,
    /// Columns out of range.
    #[error("a sheet of {0} columns cannot be made: columns must be 1 to {COLUMNS_MAX}")]
    SheetColumns(u32),
    /// Width of the small frames out of range.
    #[error(
        "frames {0} px wide cannot be laid on a sheet: the width must be {CELL_WIDTH_PX_MIN} to {CELL_WIDTH_PX_MAX} px"
    )]
    SheetFrameWidth(u32),
    /// Too many frames.
    #[error("a sheet holds at most {FRAMES_MAX} frames: push every second or third frame instead")]
    SheetFull,
    /// The laid-out sheet would be too large.
    #[error(
        "the sheet would be {width} x {height} px, more than 64 million pixels: take fewer frames or a smaller frame width"
    )]
    SheetSize {
        /// Width it would have, px.
        width: u64,
        /// Height it would have, px.
        height: u64,
    },
    /// The encoder refused, which sizes checked before rule out.
    #[error("the frame could not be encoded: {0}")]
    Encode(String),
}
