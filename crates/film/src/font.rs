//! Text in the fixed-width bitmap fonts of the X Window System (public domain; shipped by `embedded-graphics`).
//! Latin-1; characters beyond it become a near relative or `?`. Pixel for pixel, so that small text stays sharp.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::{MonoFont, iso_8859_1 as latin};
use embedded_graphics::pixelcolor::BinaryColor;
use sentir_core::draw::Color;

use crate::canvas::{Canvas, PxRect};

/// Fonts of a picture, by its width.
#[derive(Clone, Copy)]
pub(crate) struct Fonts {
    /// The first line of a caption.
    pub title: Font,
    /// Labels and scale.
    pub label: Font,
    /// Notes that matter less.
    pub note: Font,
}

impl Fonts {
    /// The fonts that read well on a picture of this width.
    pub fn of(width_px: u32) -> Fonts {
        // The largest font is made for about 1920 px; beyond, pixels are drawn double or threefold.
        let scale = if width_px < 2400 { 1 } else { width_px as i32 / 1200 };
        let (title, label, note) = match width_px / scale as u32 {
            ..480 => (&latin::FONT_7X13, &latin::FONT_6X10, &latin::FONT_5X8),
            480..1440 => (&latin::FONT_9X15_BOLD, &latin::FONT_8X13_BOLD, &latin::FONT_6X10),
            _ => (&latin::FONT_10X20, &latin::FONT_9X18_BOLD, &latin::FONT_7X13),
        };
        let scaled = |font| Font { font, scale };
        Fonts { title: scaled(title), label: scaled(label), note: scaled(note) }
    }
}

/// One fixed-width font.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    font: &'static MonoFont<'static>,
    /// Side of a dot, px.
    scale: i32,
}

impl Font {
    /// Width of a character, px.
    pub fn advance(&self) -> i32 {
        (self.font.character_size.width + self.font.character_spacing) as i32 * self.scale
    }

    /// Height of a line, px.
    pub fn height(&self) -> i32 {
        self.font.character_size.height as i32 * self.scale
    }

    /// Draws one line with its upper left corner at (`left`, `top`), clipped to the picture.
    pub fn draw(&self, canvas: &mut Canvas, left: i32, top: i32, text: &str, color: Color) {
        let mut left = left;
        for character in text.chars() {
            if left >= canvas.width() {
                return;
            }
            self.draw_glyph(canvas, left, top, character, color);
            left += self.advance();
        }
    }

    fn draw_glyph(&self, canvas: &mut Canvas, left: i32, top: i32, character: char, color: Color) {
        let size = self.font.character_size;
        let glyphs_per_row = (self.font.image.size().width / size.width).max(1);
        let index = self.font.glyph_mapping.index(character) as u32;
        let (column, row) = (index % glyphs_per_row, index / glyphs_per_row);
        let corner = Point::new((column * size.width) as i32, (row * size.height) as i32);
        for y in 0..size.height as i32 {
            for x in 0..size.width as i32 {
                if self.font.image.pixel(corner + Point::new(x, y)) == Some(BinaryColor::On) {
                    let (left, top) = (left + x * self.scale, top + y * self.scale);
                    canvas.fill_rect(PxRect { left, top, width: self.scale, height: self.scale }, color);
                }
            }
        }
    }
}

/// `text` in characters the fonts have, cut to `characters_max` with two dots at the end where it was longer.
pub(crate) fn fitted(text: &str, characters_max: usize) -> String {
    let mut plain = String::new();
    for character in text.chars().take(characters_max.saturating_add(1)) {
        match character {
            '…' => plain.push_str("..."),
            '–' | '—' | '−' | '‑' => plain.push('-'),
            '‘' | '’' => plain.push('\''),
            '“' | '”' => plain.push('"'),
            '→' => plain.push('>'),
            '←' => plain.push('<'),
            '•' => plain.push('·'),
            other if other.is_control() => plain.push(' '),
            other => plain.push(other),
        }
    }
    if plain.chars().count() > characters_max {
        let dots = if characters_max > 2 { ".." } else { "" };
        let kept: String = plain.chars().take(characters_max - dots.len()).collect();
        plain = format!("{}{dots}", kept.trim_end());
    }
    plain
}

/// A backing with rounded corners, so that text reads on any ground.
pub(crate) fn draw_backing(canvas: &mut Canvas, rect: PxRect, color: Color) {
    let PxRect { left, top, width, height } = rect;
    for (inset, row, rows) in [(2, 0, 1), (1, 1, 1), (0, 2, height - 4), (1, height - 2, 1), (2, height - 1, 1)] {
        let band = PxRect { left: left + inset, top: top + row, width: width - 2 * inset, height: rows };
        if band.width > 0 && band.height > 0 {
            canvas.fill_rect(band, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_foreign_text_is_made_to_fit() {
        assert_eq!(fitted("guard", 5), "guard");
        assert_eq!(fitted("guard 17", 7), "guard..");
        assert_eq!(fitted("“go” → wait…", 40), "\"go\" > wait...");
        assert_eq!((fitted("guard", 0), fitted("guard", 2)), (String::new(), "gu".to_owned()));
        assert_eq!(fitted("a\tb", 9), "a b");
    }

    #[test]
    fn text_may_start_and_end_outside() {
        let mut canvas = Canvas::new(30, 20, Color::rgb(0xffffff));
        let font = Fonts::of(960).title;
        font.draw(&mut canvas, -20, -9, "over the edge, ß and 漢", Color::rgb(0));
        font.draw(&mut canvas, 25, 15, "end", Color::rgb(0));
        let frame = canvas.into_frame();
        assert!(frame.rgba().chunks(4).any(|pixel| pixel[0] == 0), "some of it is seen");
    }
}
