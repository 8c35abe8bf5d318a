//! GIF: at most 255 colors a frame and a clear one, for where APNG is not shown.
//!
//! Each frame has its own palette, of the changed pixels only. Up to 255 colors are kept exactly; else the commonest
//! half are, so that flat grounds never shift, then common ones that differ visibly from these, so that thin things
//! keep their hue, and NeuQuant (Dekker 1994) finds the rest among the blends of edges.

use color_quant::NeuQuant;

use crate::FilmError;
use crate::delta::Patch;

/// Colors of a palette beside the clear one.
const COLORS_MAX: usize = 255;
/// Of these, how many are taken as they are when there are too many.
const EXACT_COLORS: usize = 191;
/// Of these, how many are the commonest even when they look alike.
const COMMON_COLORS: usize = 128;
/// Square of the distance up to which two colors look alike: three steps in each channel.
const ALIKE_SQUARED: u32 = 27;
/// NeuQuant learns by samples: fewer give poor palettes.
const SAMPLES_MIN: usize = 8192;
/// The index of the clear color.
const CLEAR: u8 = 0;

pub(crate) struct GifReel {
    encoder: gif::Encoder<Vec<u8>>,
    frames: u32,
}

impl GifReel {
    /// Sides are 1..=4096 px.
    pub fn new(width: u32, height: u32) -> Result<GifReel, FilmError> {
        let mut encoder =
            gif::Encoder::new(Vec::new(), width as u16, height as u16, &[]).map_err(|error| refused(&error))?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| refused(&error))?;
        Ok(GifReel { encoder, frames: 0 })
    }

    pub fn push(&mut self, patch: &Patch, frames_per_s: u32) -> Result<(), FilmError> {
        let palette = Palette::of(&patch.rgba);
        let indices: Vec<u8> = patch.rgba.chunks_exact(4).map(|pixel| palette.index_of(pixel)).collect();
        let frame = gif::Frame {
            delay: delay_cs(self.frames, frames_per_s),
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(CLEAR),
            left: patch.left as u16,
            top: patch.top as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            palette: Some(palette.rgb),
            buffer: indices.into(),
            ..gif::Frame::default()
        };
        self.frames += 1;
        self.encoder.write_frame(&frame).map_err(|error| refused(&error))
    }

    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.encoder.into_inner().map_err(|error| refused(&error))
    }
}

/// How long a frame stays, hundredths of a second: rounded so that the film as a whole keeps its time.
fn delay_cs(index: u32, frames_per_s: u32) -> u16 {
    let end_cs = |frames: u64| frames * 100 / u64::from(frames_per_s);
    (end_cs(u64::from(index) + 1) - end_cs(u64::from(index))) as u16
}

/// The colors of a frame and the index of each color that occurs.
struct Palette {
    rgb: Vec<u8>,
    /// Color as 0xRRGGBB and its index; by color.
    indices: Vec<(u32, u8)>,
}

impl Palette {
    fn of(rgba: &[u8]) -> Palette {
        let mut occurring: Vec<u32> = rgba.chunks_exact(4).filter(|pixel| pixel[3] == 255).map(hex).collect();
        occurring.sort_unstable();
        let counted: Vec<(u32, usize)> =
            occurring.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect();
        let colors = chosen(&counted);
        let indices = counted.iter().map(|(color, _)| (*color, nearest(&colors, *color) + 1)).collect();
        // The clear color is black, which nobody sees.
        let rgb = [0].iter().chain(&colors).flat_map(|color| channels(*color)).collect();
        Palette { rgb, indices }
    }

    fn index_of(&self, pixel: &[u8]) -> u8 {
        if pixel[3] == 0 {
            return CLEAR;
        }
        let found = self.indices.binary_search_by_key(&hex(pixel), |(color, _)| *color);
        found.map_or(CLEAR, |at| self.indices[at].1)
    }
}

/// At most 255 colors for colors that occur so and so often.
fn chosen(counted: &[(u32, usize)]) -> Vec<u32> {
    if counted.len() <= COLORS_MAX {
        return counted.iter().map(|(color, _)| *color).collect();
    }
    let mut by_count = counted.to_vec();
    by_count.sort_unstable_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    let mut colors: Vec<u32> = Vec::with_capacity(COLORS_MAX);
    let mut rare: Vec<u32> = Vec::new();
    for (color, _) in by_count {
        let is_alike = |other: &u32| distance_squared(*other, color) <= ALIKE_SQUARED;
        if colors.len() >= COMMON_COLORS && colors.iter().any(is_alike) {
            continue;
        }
        if colors.len() < EXACT_COLORS { colors.push(color) } else { rare.push(color) }
    }
    if rare.len() <= COLORS_MAX - EXACT_COLORS {
        colors.extend(rare);
        return colors;
    }
    let samples = rare.len() * SAMPLES_MIN.div_ceil(rare.len());
    let pixels: Vec<u8> = rare
        .iter()
        .cycle()
        .take(samples)
        .flat_map(|color| {
            let [r, g, b] = channels(*color);
            [r, g, b, 255]
        })
        .collect();
    let learned = NeuQuant::new(1, COLORS_MAX - EXACT_COLORS, &pixels).color_map_rgb();
    colors.extend(learned.chunks_exact(3).map(hex));
    colors
}

/// The index of the nearest color; the first of equals. 0 when there is none.
fn nearest(colors: &[u32], wanted: u32) -> u8 {
    let found = colors.iter().enumerate().min_by_key(|(index, color)| (distance_squared(**color, wanted), *index));
    found.map_or(0, |(index, _)| index as u8)
}

fn distance_squared(a: u32, b: u32) -> u32 {
    channels(a).iter().zip(channels(b)).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

fn hex(pixel: &[u8]) -> u32 {
    u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]])
}

fn channels(hex: u32) -> [u8; 3] {
    let [_, r, g, b] = hex.to_be_bytes();
    [r, g, b]
}

fn refused(error: &dyn std::fmt::Display) -> FilmError {
    FilmError::Encode(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gif_keeps_its_time_at_any_rate() {
        for rate in 1..=50 {
            let total: u32 = (0..rate * 7).map(|index| u32::from(delay_cs(index, rate))).sum();
            assert_eq!(total, 700);
            assert!((0..rate).all(|index| delay_cs(index, rate) >= 2), "browsers slow shorter delays down");
        }
    }

    #[test]
    fn few_colors_are_kept_and_many_come_near() {
        let few: Vec<u8> = (0..200u8).flat_map(|i| [i, 255 - i, i / 2, 255]).chain([0; 4]).collect();
        let palette = Palette::of(&few);
        let shown = |palette: &Palette, pixel: &[u8]| {
            let index = palette.index_of(pixel) as usize;
            [palette.rgb[index * 3], palette.rgb[index * 3 + 1], palette.rgb[index * 3 + 2]]
        };
        for pixel in few.chunks(4).take(200) {
            assert_eq!(shown(&palette, pixel), pixel[..3]);
        }
        assert_eq!(palette.index_of(&[0; 4]), CLEAR);
        let many: Vec<u8> = (0..20_000u32).flat_map(|i| [(i % 251) as u8, (i / 79) as u8, 90, 255]).collect();
        let palette = Palette::of(&many);
        assert!(palette.rgb.len() <= 256 * 3);
        for pixel in many.chunks(4) {
            let far = shown(&palette, pixel).iter().zip(pixel).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(far <= Some(60), "{pixel:?} became {:?}", shown(&palette, pixel));
        }
    }
}
