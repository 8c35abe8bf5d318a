//! A film: frames in, one file out. Each frame is encoded as it comes, as the difference to the one before, so a film
//! holds one raw frame and the encoded bytes.

use crate::apng::ApngReel;
use crate::delta::Patch;
use crate::frame::check_size;
use crate::gif_reel::GifReel;
use crate::{FilmError, Frame};

/// The fastest film, frames per second: browsers slow GIF frames shorter than 0.02 s down.
pub(crate) const FRAMES_PER_S_MAX: u32 = 50;

/// What file a film becomes. Both loop forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// Animated PNG: without loss; every browser shows it, other viewers its first frame.
    Apng,
    /// GIF: at most 255 colors in what changes from frame to frame; shown everywhere.
    Gif,
}

/// A film being made.
pub struct Film {
    width: u32,
    height: u32,
    frames_per_s: u32,
    frames: u32,
    /// The frame shown last; empty before the first.
    shown: Vec<u8>,
    patch: Patch,
    reel: Reel,
}

enum Reel {
    Apng(ApngReel),
    Gif(Box<GifReel>),
}

impl Film {
    /// A film without frames yet.
    ///
    /// # Errors
    /// When a side is not 1..=4096 px, or the rate not 1..=50 frames per second.
    pub fn new(width: u32, height: u32, frames_per_s: u32, format: FilmFormat) -> Result<Film, FilmError> {
        check_size(width, height)?;
        if !(1..=FRAMES_PER_S_MAX).contains(&frames_per_s) {
            return Err(FilmError::Rate(frames_per_s));
        }
        let reel = match format {
            FilmFormat::Apng => Reel::Apng(ApngReel::default()),
            FilmFormat::Gif => Reel::Gif(Box::new(GifReel::new(width, height)?)),
        };
        Ok(Film { width, height, frames_per_s, frames: 0, shown: Vec::new(), patch: Patch::default(), reel })
    }

    /// Frames pushed so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Adds a frame; it counts as opaque.
    ///
    /// # Errors
    /// When its size is not the film's.
    pub fn push(&mut self, frame: &Frame) -> Result<(), FilmError> {
        if (frame.width(), frame.height()) != (self.width, self.height) {
            return Err(FilmError::FrameSize {
                index: self.frames,
                width: self.width,
                height: self.height,
                found_width: frame.width(),
                found_height: frame.height(),
            });
        }
        let before = (self.frames > 0).then_some(&self.shown[..]);
        self.patch.set(before, frame.rgba(), self.width);
        match &mut self.reel {
            Reel::Apng(reel) => reel.push(&self.patch)?,
            Reel::Gif(reel) => reel.push(&self.patch, self.frames_per_s)?,
        }
        self.shown.clear();
        self.shown.extend_from_slice(frame.rgba());
        self.frames += 1;
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// When no frame was pushed.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        if self.frames == 0 {
            return Err(FilmError::Empty);
        }
        match self.reel {
            Reel::Apng(reel) => reel.finish(self.width, self.height, self.frames_per_s),
            Reel::Gif(reel) => reel.finish(),
        }
    }
}
