//! A contact sheet: small frames side by side with captions, to look at motion in one picture.

use sentir_core::draw::Color;

use crate::canvas::{Canvas, PxRect, over};
use crate::font::{Fonts, fitted};
use crate::{FilmError, Frame, Style};

/// Columns of a sheet at most.
pub(crate) const COLUMNS_MAX: u32 = 16;
/// Width of a small frame, px.
pub(crate) const CELL_WIDTH_PX_MIN: u32 = 16;
/// Width of a small frame, px.
pub(crate) const CELL_WIDTH_PX_MAX: u32 = 1024;
/// Frames of a sheet at most.
pub(crate) const FRAMES_MAX: usize = 256;
/// Pixels of a sheet at most: 256 MB of bytes.
const PIXELS_MAX: u64 = 64_000_000;
/// Between frames and around them, px.
const GAP_PX: u32 = 8;
/// Height of a caption, px.
const CAPTION_PX: u32 = 16;

/// A contact sheet being made. Frames of another width are resized as they come; ones painted at `frame_width` are
/// taken as they are, which keeps their labels sharp.
#[derive(Clone, Debug)]
pub struct Sheet {
    columns: u32,
    frame_width: u32,
    style: Style,
    cells: Vec<(Frame, String)>,
}

impl Sheet {
    /// A sheet without frames yet. Limits: 1..=16 columns, frames 16..=1024 px wide.
    ///
    /// # Errors
    /// When a number is out of its limits.
    pub fn new(columns: u32, frame_width: u32) -> Result<Sheet, FilmError> {
        if !(1..=COLUMNS_MAX).contains(&columns) {
            return Err(FilmError::SheetColumns(columns));
        }
        if !(CELL_WIDTH_PX_MIN..=CELL_WIDTH_PX_MAX).contains(&frame_width) {
            return Err(FilmError::SheetFrameWidth(frame_width));
        }
        Ok(Sheet { columns, frame_width, style: Style::light(), cells: Vec::new() })
    }

    /// The same sheet on the ground of another style.
    pub fn with_style(self, style: Style) -> Sheet {
        Sheet { style, ..self }
    }

    /// Adds a frame with a short caption.
    ///
    /// # Errors
    /// When the sheet holds 256 frames already.
    pub fn push(&mut self, frame: &Frame, caption: &str) -> Result<(), FilmError> {
        if self.cells.len() == FRAMES_MAX {
            return Err(FilmError::SheetFull);
        }
        let height = (u64::from(frame.height()) * u64::from(self.frame_width) / u64::from(frame.width())) as u32;
        let small = resized(frame, self.frame_width, height.clamp(1, 4 * self.frame_width));
        self.cells.push((small, caption.to_owned()));
        Ok(())
    }

    /// The sheet as one picture, row by row from the upper left; for [`png()`](crate::png()).
    ///
    /// # Errors
    /// When no frame was pushed, or the whole would have more than 64 million pixels.
    pub fn finish(self) -> Result<Frame, FilmError> {
        let columns = self.columns.min(self.cells.len() as u32);
        let rows: Vec<&[(Frame, String)]> = self.cells.chunks(self.columns as usize).collect();
        let row_height = |row: &[(Frame, String)]| row.iter().map(|(frame, _)| frame.height()).max().unwrap_or(0);
        let height: u64 = rows.iter().map(|row| u64::from(row_height(row) + CAPTION_PX + GAP_PX)).sum();
        let (width, height) = (u64::from(columns * (self.frame_width + GAP_PX) + GAP_PX), height + u64::from(GAP_PX));
        if self.cells.is_empty() {
            return Err(FilmError::Empty);
        }
        if width * height > PIXELS_MAX {
            return Err(FilmError::SheetSize { width, height });
        }
        let mut canvas = Canvas::new(width as u32, height as u32, self.style.background);
        let font = Fonts::of(960).note;
        let mut top = GAP_PX;
        for row in rows {
            for (column, (frame, caption)) in row.iter().enumerate() {
                let left = GAP_PX + column as u32 * (self.frame_width + GAP_PX);
                let text = fitted(caption, (self.frame_width as i32 / font.advance()) as usize);
                font.draw(&mut canvas, left as i32 + 1, top as i32 + 3, &text, self.style.ink);
                lay(&mut canvas, frame, left, top + CAPTION_PX, self.style.grid_coarse);
            }
            top += row_height(row) + CAPTION_PX + GAP_PX;
        }
        Ok(canvas.into_frame())
    }
}

#[cfg(test)]
impl Sheet {
    /// Lets a test fill a sheet without resizing hundreds of frames.
    pub(crate) fn cells_for_test(&mut self) -> &mut Vec<(Frame, String)> {
        &mut self.cells
    }
}

/// Copies a frame onto the canvas, where it fits, and draws a thin edge around it.
fn lay(canvas: &mut Canvas, frame: &Frame, left: u32, top: u32, edge: Color) {
    let (width, height) = (frame.width() as i32, frame.height() as i32);
    let around = PxRect { left: left as i32 - 1, top: top as i32 - 1, width: width + 2, height: height + 2 };
    canvas.fill_rect(around, edge);
    for (y, row) in frame.rgba().chunks_exact(frame.width() as usize * 4).enumerate() {
        for (below, pixel) in canvas.row_from(top as usize + y, left as usize).zip(row.chunks_exact(4)) {
            for channel in 0..3 {
                below[channel] = over(pixel[channel], below[channel], pixel[3]);
            }
        }
    }
}

/// The frame at another size: each new pixel is the mean of the old ones under it, by area, in whole numbers.
fn resized(frame: &Frame, width: u32, height: u32) -> Frame {
    if (width, height) == (frame.width(), frame.height()) {
        return frame.clone();
    }
    let columns = coverage(frame.width(), width);
    let rows = coverage(frame.height(), height);
    let area = u64::from(frame.width()) * u64::from(frame.height());
    let stride = frame.width() as usize * 4;
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for row in &rows {
        for column in &columns {
            let mut sums = [area / 2; 4];
            for &(y, high) in row {
                for &(x, wide) in column {
                    let pixel = &frame.rgba()[y as usize * stride + x as usize * 4..][..4];
                    for (sum, channel) in sums.iter_mut().zip(pixel) {
                        *sum += u64::from(*channel) * high * wide;
                    }
                }
            }
            rgba.extend(sums.map(|sum| (sum / area) as u8));
        }
    }
    Frame::trusted(width, height, rgba)
}

/// For each new place along an axis: the old places under it and how much of it they cover. Shares sum to `old`.
fn coverage(old: u32, new: u32) -> Vec<Vec<(u32, u64)>> {
    let (old_wide, new_wide) = (u64::from(old), u64::from(new));
    (0..new_wide)
        .map(|place| {
            // On a ruler where an old place is `new` long and a new one `old`.
            let (from, to) = (place * old_wide, (place + 1) * old_wide);
            let under = from / new_wide..to.div_ceil(new_wide);
            under.map(|at| (at as u32, to.min((at + 1) * new_wide) - from.max(at * new_wide))).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_cover_each_place_once() {
        for (old, new) in [(1, 1), (960, 320), (7, 3), (3, 7), (1000, 999), (1, 16)] {
            let shares = coverage(old, new);
            assert!(shares.iter().all(|place| place.iter().map(|share| share.1).sum::<u64>() == u64::from(old)));
            let of_last = shares.iter().flatten().filter(|share| share.0 == old - 1).map(|share| share.1).sum::<u64>();
            assert_eq!(of_last, u64::from(new));
        }
    }

    #[test]
    fn shrinking_takes_the_mean() {
        let frame = Frame::from_rgba(2, 2, vec![0, 0, 0, 255, 100, 0, 0, 255, 200, 0, 0, 255, 100, 8, 0, 255]);
        let small = resized(&frame.expect("four pixels"), 1, 1);
        assert_eq!(small.rgba(), [100, 2, 0, 255]);
    }
}
