//! Labels: kept inside the picture, moved aside where they would overprint, backed so that they read on any ground.
//!
//! Greedy, in list order: a label takes the first free place of a short list of offsets, near ones first; a place that
//! covers no body if there is one. A label that finds none is left out and counted, for a heap of overprinted names
//! tells nothing. O(labels · (labels + bodies) · offsets), capped.

use glam::DVec2;
use sentir_core::draw::Color;

use crate::Style;
use crate::canvas::{Canvas, PxRect};
use crate::font::{Fonts, draw_backing, fitted};
use crate::style::readable;

/// Labels looked at in one picture; 960 x 720 px hold about this many.
const LABELS_MAX: usize = 1000;
/// Characters of a line.
const CHARACTERS_MAX: usize = 48;
/// Lines of a label.
const LINES_MAX: usize = 4;
/// Room around the text, px.
const PADDING: (i32, i32) = (4, 1);
/// A label further than this from its point gets a line to it, px.
const LEADER_PX_MIN: i32 = 8;
/// Opacity of what backs a label.
const BACKING_ALPHA: u8 = 205;

/// Places tried, in half widths and half heights of the label, near ones first.
const OFFSETS: [(i32, i32); 29] = [
    (0, 0),
    (0, -1),
    (0, 1),
    (0, -2),
    (0, 2),
    (0, -3),
    (0, 3),
    (1, -2),
    (-1, -2),
    (1, 2),
    (-1, 2),
    (0, -4),
    (0, 4),
    (2, 0),
    (-2, 0),
    (2, -1),
    (-2, -1),
    (2, 1),
    (-2, 1),
    (2, -2),
    (-2, -2),
    (2, 2),
    (-2, 2),
    (0, -6),
    (0, 6),
    (2, -4),
    (-2, -4),
    (2, 4),
    (-2, 4),
];

/// A text to place.
pub(crate) struct Label<'a> {
    /// Where its middle should stand, px.
    pub at: DVec2,
    pub text: &'a str,
    pub color: Color,
}

/// Where a label goes, and what it reads there.
struct Placed {
    rect: PxRect,
    at: (i32, i32),
    lines: Vec<String>,
    color: Color,
}

/// Places that labels keep off.
#[derive(Default)]
pub(crate) struct Obstacles {
    /// Captions: never covered.
    pub taken: Vec<PxRect>,
    /// Bodies: covered when there is no other place.
    pub bodies: Vec<PxRect>,
}

/// Draws the labels that find room; gives back how many found none.
pub(crate) fn draw_labels(
    canvas: &mut Canvas,
    labels: &[Label],
    obstacles: Obstacles,
    style: &Style,
    fonts: &Fonts,
) -> usize {
    let (placed, left_out) = place(canvas.width(), canvas.height(), labels, obstacles, fonts);
    // Lines first, so that none crosses a text.
    for label in &placed {
        draw_leader(canvas, label);
    }
    let font = fonts.label;
    for Placed { rect, lines, color, .. } in &placed {
        let backing = (u32::from(BACKING_ALPHA) * u32::from(color.a) / 255) as u8;
        draw_backing(canvas, *rect, style.background.alpha(backing));
        let ink = readable(*color, style.background, style.ink);
        for (row, line) in lines.iter().enumerate() {
            let width = line.chars().count() as i32 * font.advance();
            let top = rect.top + PADDING.1 + row as i32 * font.height();
            font.draw(canvas, rect.left + (rect.width - width) / 2, top, line, ink);
        }
    }
    left_out
}

fn place(width: i32, height: i32, labels: &[Label], obstacles: Obstacles, fonts: &Fonts) -> (Vec<Placed>, usize) {
    let Obstacles { mut taken, bodies } = obstacles;
    let font = fonts.label;
    let line_max = CHARACTERS_MAX.min(((width - 2 * PADDING.0 - 2) / font.advance()).max(1) as usize);
    let mut placed = Vec::new();
    let mut left_out = labels.len().saturating_sub(LABELS_MAX);
    for label in labels.iter().take(LABELS_MAX) {
        let lines: Vec<String> = label.text.lines().take(LINES_MAX).map(|line| fitted(line, line_max)).collect();
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as i32;
        if longest == 0 || label.color.a == 0 {
            continue;
        }
        let size = (longest * font.advance() + 2 * PADDING.0, lines.len() as i32 * font.height() + 2 * PADDING.1);
        if size.0 > width || size.1 > height {
            left_out += 1;
            continue;
        }
        // The point lies on the picture, so its coordinates are small.
        let at = (label.at.x.round() as i32, label.at.y.round() as i32);
        let candidates = OFFSETS.iter().map(|(x, y)| PxRect {
            left: (at.0 - size.0 / 2 + x * (size.0 / 2 + 1)).clamp(0, width - size.0),
            top: (at.1 - size.1 / 2 + y * (size.1 / 2 + 1)).clamp(0, height - size.1),
            width: size.0,
            height: size.1,
        });
        let mut free = candidates.filter(|rect| taken.iter().all(|other| !other.meets(rect)));
        let covers_none = |rect: &PxRect| bodies.iter().all(|body| !body.meets(rect));
        let found =
            free.next().map(|first| if covers_none(&first) { first } else { free.find(covers_none).unwrap_or(first) });
        match found {
            Some(rect) => {
                taken.push(rect);
                placed.push(Placed { rect, at, lines, color: label.color });
            }
            None => left_out += 1,
        }
    }
    (placed, left_out)
}

/// A thin line from a label that had to move away to its point.
fn draw_leader(canvas: &mut Canvas, label: &Placed) {
    let PxRect { left, top, width, height } = label.rect;
    let near = (label.at.0.clamp(left, left + width), label.at.1.clamp(top, top + height));
    let distance = (near.0 - label.at.0).abs().max((near.1 - label.at.1).abs());
    if distance >= LEADER_PX_MIN {
        let ends = [label.at, near].map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
        let alpha = (u32::from(label.color.a) * 5 / 8) as u8;
        canvas.stroke(&ends, false, 1.0, label.color.alpha(alpha), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn labels_stay_inside_and_apart(
            spots in prop::collection::vec((0i32..640, 0i32..480, 0usize..90), 0..60),
            width in 16i32..640,
            height in 16i32..480,
        ) {
            let texts: Vec<String> = spots.iter().map(|spot| "w".repeat(spot.2)).collect();
            let labels: Vec<Label> = spots
                .iter()
                .zip(&texts)
                .map(|(&(x, y, _), text)| Label { at: DVec2::new(x.into(), y.into()), text, color: Color::rgb(0) })
                .collect();
            let (placed, left_out) = place(width, height, &labels, Obstacles::default(), &Fonts::of(640));
            prop_assert_eq!(placed.len() + left_out, texts.iter().filter(|text| !text.is_empty()).count());
            for (index, label) in placed.iter().enumerate() {
                let rect = label.rect;
                prop_assert!(rect.left >= 0 && rect.top >= 0);
                prop_assert!(rect.left + rect.width <= width && rect.top + rect.height <= height);
                prop_assert!(placed[..index].iter().all(|other| !other.rect.meets(&rect)));
            }
        }
    }

    #[test]
    fn labels_at_one_place_are_moved_aside() {
        let label = || Label { at: DVec2::splat(200.0), text: "guard", color: Color::rgb(0) };
        let labels: Vec<Label> = (0..12).map(|_| label()).collect();
        let (placed, left_out) = place(400, 400, &labels, Obstacles::default(), &Fonts::of(960));
        assert_eq!((placed.len(), left_out), (12, 0));
    }

    #[test]
    fn labels_keep_off_bodies_where_they_can() {
        let labels = [Label { at: DVec2::splat(200.0), text: "guard", color: Color::rgb(0) }];
        let body = PxRect { left: 190, top: 190, width: 20, height: 20 };
        let around = |bodies| Obstacles { taken: Vec::new(), bodies };
        let (placed, _) = place(400, 400, &labels, around(vec![body]), &Fonts::of(960));
        assert!(!placed[0].rect.meets(&body));
        let everywhere = PxRect { left: 0, top: 0, width: 400, height: 400 };
        let (placed, left_out) = place(400, 400, &labels, around(vec![everywhere]), &Fonts::of(960));
        assert_eq!((placed.len(), left_out), (1, 0));
    }
}
