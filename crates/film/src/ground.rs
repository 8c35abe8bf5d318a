//! What lies under and around the scene: grid, scale bar, caption.

use glam::Vec2;

use crate::canvas::{Canvas, PxRect};
use crate::font::{Fonts, draw_backing, fitted};
use crate::{Style, View};

/// Grid lines nearer together than this are left out, px.
const GRID_STEP_PX_MIN: f64 = 9.0;
/// Distance of captions from the picture's edge, px.
const MARGIN_PX: i32 = 10;
/// Opacity of what backs captions.
const BACKING_ALPHA: u8 = 225;
/// Lines a caption may have.
const CAPTION_LINES_MAX: usize = 4;

/// Draws fine and coarse lines of 1 m and 5 m, or ten times that as often as it takes to keep them apart.
pub(crate) fn draw_grid(canvas: &mut Canvas, view: &View, style: &Style) {
    let mut step_m = 1.0;
    while step_m * 5.0 * view.scale() < 24.0 {
        step_m *= 10.0;
    }
    let fine = (step_m, style.grid_fine);
    let coarse = (step_m * 5.0, style.grid_coarse);
    for (step_m, color) in [fine, coarse] {
        if step_m * view.scale() < GRID_STEP_PX_MIN {
            continue;
        }
        let (width, height) = (canvas.width(), canvas.height());
        let low = view.to_ground(Vec2::new(0.0, height as f32)).as_dvec2();
        for axis in 0..2 {
            let across = if axis == 0 { width } else { height };
            let first = (low[axis] / step_m).ceil();
            let count = (f64::from(across) / (step_m * view.scale())).ceil() as u32;
            for line in 0..=count {
                let at_m = (first + f64::from(line)) * step_m;
                let px = view.project(Vec2::splat(at_m as f32))[axis].floor() as i32;
                canvas.fill_rect(
                    if axis == 0 {
                        PxRect { left: px, top: 0, width: 1, height }
                    } else {
                        PxRect { left: 0, top: px, width, height: 1 }
                    },
                    color,
                );
            }
        }
    }
}

/// Draws the scale bar in the lower left corner; gives back the place it takes. None when there is no room.
pub(crate) fn draw_scale_bar(canvas: &mut Canvas, view: &View, style: &Style, fonts: &Fonts) -> Option<PxRect> {
    let bar_px_max = f64::from(canvas.width()) * 0.2;
    let length_m = round_length_below(bar_px_max / view.scale());
    let text = if length_m >= 1000.0 {
        format!("{} km", length_m / 1000.0)
    } else if length_m >= 1.0 {
        format!("{length_m} m")
    } else {
        format!("{} cm", (length_m * 100.0).round())
    };
    let bar = (length_m * view.scale()).round() as i32;
    let font = fonts.label;
    let text_width = text.chars().count() as i32 * font.advance();
    let (width, height) = (bar.max(text_width) + 12, font.height() + 11);
    let place = PxRect { left: MARGIN_PX, top: canvas.height() - MARGIN_PX - height, width, height };
    if place.top < MARGIN_PX + 2 * height {
        return None;
    }
    draw_backing(canvas, place, style.background.alpha(BACKING_ALPHA));
    font.draw(canvas, place.left + (width - text_width) / 2, place.top + 1, &text, style.ink);
    let (left, bottom) = (place.left + (width - bar) / 2, place.top + height - 4);
    canvas.fill_rect(PxRect { left, top: bottom - 2, width: bar, height: 2 }, style.ink);
    for end in [left, left + bar - 2] {
        canvas.fill_rect(PxRect { left: end, top: bottom - 6, width: 2, height: 4 }, style.ink);
    }
    Some(place)
}

/// Draws the caption in the upper left corner, its first line larger; gives back the place it takes.
pub(crate) fn draw_caption(canvas: &mut Canvas, text: &str, style: &Style, fonts: &Fonts) -> Option<PxRect> {
    let room = canvas.width() - 2 * MARGIN_PX - 12;
    let lines: Vec<_> = text
        .lines()
        .take(CAPTION_LINES_MAX)
        .enumerate()
        .map(|(index, line)| {
            let font = if index == 0 { fonts.title } else { fonts.label };
            (font, fitted(line, (room / font.advance()).max(0) as usize))
        })
        .collect();
    let width = lines.iter().map(|(font, line)| line.chars().count() as i32 * font.advance()).max()?;
    if width == 0 {
        return None;
    }
    let height: i32 = lines.iter().map(|(font, _)| font.height() + 2).sum();
    let place = PxRect { left: MARGIN_PX, top: MARGIN_PX, width: width + 12, height: height + 4 };
    draw_backing(canvas, place, style.background.alpha(BACKING_ALPHA));
    let mut top = place.top + 3;
    for (font, line) in &lines {
        font.draw(canvas, place.left + 6, top, line, style.ink);
        top += font.height() + 2;
    }
    Some(place)
}

/// Draws a small note in the lower right corner.
pub(crate) fn draw_note(canvas: &mut Canvas, text: &str, style: &Style, fonts: &Fonts) {
    let width = text.chars().count() as i32 * fonts.note.advance();
    let height = fonts.note.height();
    let (left, top) = (canvas.width() - MARGIN_PX - width - 8, canvas.height() - MARGIN_PX - height - 4);
    draw_backing(canvas, PxRect { left, top, width: width + 8, height: height + 4 }, style.background.alpha(255));
    fonts.note.draw(canvas, left + 4, top + 2, text, style.ink.alpha(190));
}

/// The greatest of 1, 2, 5, 10, 20, 50, … (and 0.5, 0.2, …) that is not above `length`. Limit: 1e-3..1e7.
fn round_length_below(length: f64) -> f64 {
    let mut best = 0.01;
    for exponent in [0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6] {
        for digit in [1.0, 2.0, 5.0] {
            best = if digit * exponent <= length { digit * exponent } else { best };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_have_round_lengths() {
        for (length, round) in [(0.013, 0.01), (0.9, 0.5), (3.9, 2.0), (5.0, 5.0), (199.0, 100.0), (2e5, 2e5)] {
            assert_eq!(round_length_below(length), round);
        }
    }
}
