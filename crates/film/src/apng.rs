//! Animated PNG, without loss. Its header counts the frames, so frames wait compressed until the film is finished.
//!
//! Each frame is compressed by the `png` crate as a picture of its own, whose compressed rows are taken out and put
//! behind a frame control chunk. (PNG, third edition, W3C 2025, section 11.3.4.)

use png::chunk::{ChunkType, IDAT, acTL, fcTL, fdAT};

use crate::FilmError;
use crate::delta::Patch;
use crate::frame::encode;

/// Bytes before the first chunk of a PNG.
const SIGNATURE_LEN: usize = 8;
/// Blend operation `over`: clear pixels keep what was there.
const BLEND_OVER: u8 = 1;

#[derive(Debug, Default)]
pub(crate) struct ApngReel {
    frames: Vec<StoredFrame>,
}

#[derive(Debug)]
struct StoredFrame {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    /// Compressed rows.
    rows: Vec<u8>,
}

impl ApngReel {
    pub fn push(&mut self, patch: &Patch) -> Result<(), FilmError> {
        // Clear pixels compress best as plain zeros (filters made such frames a quarter larger); a whole picture does
        // so with a filter for each row.
        let filter = if self.frames.is_empty() { png::Filter::Adaptive } else { png::Filter::NoFilter };
        let file = encode(patch.width, patch.height, png::ColorType::Rgba, filter, &patch.rgba)
            .map_err(|error| refused(&error))?;
        let Patch { left, top, width, height, .. } = *patch;
        self.frames.push(StoredFrame { left, top, width, height, rows: compressed_rows(&file) });
        Ok(())
    }

    /// The file. Frames are let go one by one as they are written.
    pub fn finish(self, width: u32, height: u32, frames_per_s: u32) -> Result<Vec<u8>, FilmError> {
        let rows_len: usize = self.frames.iter().map(|frame| frame.rows.len()).sum();
        let mut file = Vec::with_capacity(rows_len + self.frames.len() * 64 + 128);
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| refused(&error))?;
        let mut write =
            |kind: ChunkType, bytes: &[u8]| writer.write_chunk(kind, bytes).map_err(|error| refused(&error));
        // Frames, then how often to play: 0 is forever.
        write(acTL, &[(self.frames.len() as u32).to_be_bytes(), [0; 4]].concat())?;
        let mut sequence = 0;
        for (index, frame) in self.frames.into_iter().enumerate() {
            write(fcTL, &frame_control(sequence, &frame, frames_per_s))?;
            sequence += 1;
            if index == 0 {
                write(IDAT, &frame.rows)?;
            } else {
                write(fdAT, &[&u32::to_be_bytes(sequence)[..], &frame.rows].concat())?;
                sequence += 1;
            }
        }
        writer.finish().map_err(|error| refused(&error))?;
        Ok(file)
    }
}

/// The 26 bytes that say where a frame lies, how long it stays and how it is laid over the one before.
fn frame_control(sequence: u32, frame: &StoredFrame, frames_per_s: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(26);
    for number in [sequence, frame.width, frame.height, frame.left, frame.top] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend(1u16.to_be_bytes());
    bytes.extend((frames_per_s as u16).to_be_bytes());
    // Leave the frame there when the next one comes.
    bytes.extend([0, BLEND_OVER]);
    bytes
}

/// The contents of all data chunks of a sound PNG.
fn compressed_rows(file: &[u8]) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut rest = &file[SIGNATURE_LEN..];
    // Length, kind, contents, checksum.
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if head[4..] == IDAT.0 {
            rows.extend_from_slice(&tail[..length]);
        }
        rest = &tail[length + 4..];
    }
    rows
}

fn refused(error: &dyn std::fmt::Display) -> FilmError {
    FilmError::Encode(error.to_string())
}
