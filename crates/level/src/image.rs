//! Navigability from a picture: one pixel a tile, one color a kind of terrain, north (greatest y) at the top.
//!
//! PNG of any color type; opacity is ignored. The size is checked before anything is allocated for it.

use std::io::Cursor;

use crate::error::{FilePosition, Flaw, LevelError, Problem};
use crate::spec::{CellSpec, LevelSpec, TagSpec, TileSpec};

/// Pixels along one axis at most.
const SIDE_MAX: u32 = 4096;
/// Bytes of a file at most.
const BYTES_MAX: usize = 65 << 20;
/// No deflate stream expands by more than this.
const EXPANSION_MAX: u64 = 1032;

/// A color that stands for a kind of terrain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorTag {
    /// Red, green and blue, as 0xRRGGBB.
    pub color: u32,
    /// The name of the terrain.
    pub tag: String,
    /// Whether nobody may pass.
    pub is_impassable: bool,
}

/// White is floor, black is wall.
pub fn black_and_white() -> Vec<ColorTag> {
    let color = |color, tag: &str, is_impassable| ColorTag { color, tag: tag.to_owned(), is_impassable };
    vec![color(0xff_ffff, "floor", false), color(0, "wall", true)]
}

/// Reads a level that is one tile map of 1 m tiles; white is floor, black is wall.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    parse_with(bytes, name, &black_and_white(), 1.0)
}

/// Reads a level that is one tile map, by a legend of colors (at most 255). A color it does not name is refused.
pub fn parse_with(bytes: &[u8], name: &str, legend: &[ColorTag], cell_m: f32) -> Result<LevelSpec, LevelError> {
    let cells = cells(bytes, legend).map_err(|problem| LevelError {
        file: name.to_owned(),
        place: FilePosition::default(),
        problem,
    })?;
    let tag = |one: &ColorTag| TagSpec { mark: ' ', tag: one.tag.clone(), is_impassable: one.is_impassable };
    // Marks are not needed, but must differ.
    let marks = (0..).filter_map(char::from_u32);
    let legend = legend.iter().zip(marks).map(|(one, mark)| TagSpec { mark, ..tag(one) }.into()).collect();
    let tiles = TileSpec { floor: None, origin: [0.0; 2], cell_m, legend, rows: Vec::new(), cells: Some(cells) };
    Ok(LevelSpec { file: name.to_owned(), name: name.to_owned(), tiles: vec![tiles.into()], ..LevelSpec::default() })
}

fn cells(bytes: &[u8], legend: &[ColorTag]) -> Result<CellSpec, Problem> {
    if bytes.len() > BYTES_MAX {
        return Err(Flaw::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.into());
    }
    if legend.len() > 255 {
        return Err(Problem::TooMany { what: "colors of the legend", count: legend.len() as u64, limit: 255 });
    }
    let unreadable = |error: png::DecodingError| Problem::Picture(error.to_string());
    let limits = png::Limits { bytes: 4 * SIDE_MAX as usize * SIDE_MAX as usize };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let head = decoder.read_header_info().map_err(unreadable)?;
    let (width, height) = (head.width, head.height);
    if width > SIDE_MAX || height > SIDE_MAX {
        let (what, count) = ("pixels along one side", u64::from(width.max(height)));
        return Err(Problem::TooMany { what, count, limit: SIDE_MAX.into() });
    }
    let bits = u64::from(width) * u64::from(height) * head.bits_per_pixel() as u64;
    if bits / 8 > EXPANSION_MAX * bytes.len() as u64 {
        return Err(Problem::Picture(format!("{} bytes cannot hold {width} × {height} pixels", bytes.len())));
    }
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let size = reader.output_buffer_size().ok_or_else(|| Problem::Picture("its size overflows".to_owned()))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(unreadable)?;
    let samples = frame.color_type.samples();
    let mut tags = Vec::with_capacity(width as usize * height as usize);
    for row in (0..height).rev() {
        let start = row as usize * frame.line_size;
        let line = &pixels[start..start + width as usize * samples];
        for (column, pixel) in (0..).zip(line.chunks_exact(samples)) {
            let color = color(pixel);
            let known = legend.iter().position(|one| one.color == color);
            tags.push(known.ok_or(Problem::Color { column, row, color })? as u8);
        }
    }
    Ok(CellSpec { columns: width, tags })
}

/// The color of a pixel of 8-bit samples: gray, or red, green and blue, with opacity or without.
fn color(pixel: &[u8]) -> u32 {
    let [red, green, blue] = match *pixel {
        [red, green, blue] | [red, green, blue, _] => [red, green, blue],
        [gray, ..] => [gray; 3],
        [] => [0; 3],
    };
    u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)
}
