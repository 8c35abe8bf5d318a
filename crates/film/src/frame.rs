//! A picture as plain bytes, and its PNG.

use crate::{FilmError, SIDE_PX_MAX};

/// A picture: rows from the top, four bytes a pixel (red, green, blue, opacity; not premultiplied).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Frame {
    /// A frame of bytes made elsewhere.
    ///
    /// # Errors
    /// When a side is zero or over 4096 px, or the bytes are not four for each pixel.
    pub fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Result<Frame, FilmError> {
        check_size(width, height)?;
        let expected = width as usize * height as usize * 4;
        if rgba.len() != expected {
            return Err(FilmError::Bytes { width, height, expected, found: rgba.len() });
        }
        Ok(Frame { width, height, rgba })
    }

    /// A frame whose sizes the caller made fit.
    pub(crate) fn trusted(width: u32, height: u32, rgba: Vec<u8>) -> Frame {
        debug_assert_eq!(rgba.len(), width as usize * height as usize * 4);
        Frame { width, height, rgba }
    }

    /// Width, px.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height, px.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The bytes, row by row from the top.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Red, green, blue and opacity of a pixel; x to the right, y down. None outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let is_inside = x < self.width && y < self.height;
        let at = (y as usize * self.width as usize + x as usize) * 4;
        is_inside.then(|| [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2], self.rgba[at + 3]])
    }
}

/// Refuses pictures without area and ones that are too large.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), FilmError> {
    let range = 1..=SIDE_PX_MAX;
    if range.contains(&width) && range.contains(&height) { Ok(()) } else { Err(FilmError::Size { width, height }) }
}

/// The frame as a PNG file: without loss; opacity is stored only when some pixel is not opaque.
pub fn png(frame: &Frame) -> Vec<u8> {
    let is_opaque = frame.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let bytes = if is_opaque {
        let rgb: Vec<u8> = frame.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encode(frame.width, frame.height, png::ColorType::Rgb, png::Filter::Adaptive, &rgb)
    } else {
        encode(frame.width, frame.height, png::ColorType::Rgba, png::Filter::Adaptive, &frame.rgba)
    };
    bytes.expect("memory takes every byte, and a frame's bytes fit its size")
}

/// A PNG of bytes that fit the size.
pub(crate) fn encode(
    width: u32,
    height: u32,
    color: png::ColorType,
    filter: png::Filter,
    bytes: &[u8],
) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    // `High` takes twice the time for files a hundredth smaller.
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(filter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    Ok(file)
}
