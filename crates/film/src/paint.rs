//! From a draw list to a picture.

use sentir_core::draw::{DrawList, Shape};
use sentir_core::plane;

use crate::canvas::Canvas;
use crate::clip::Bounds;
use crate::font::Fonts;
use crate::label::{Label, Obstacles, draw_labels};
use crate::shape::{body_rect, draw_shape};
use crate::{Frame, LayerFilter, Style, View, ground};

/// Paints what a list holds, back to front, labels last, with the caption in the upper left corner.
///
/// Colors come from the list. Lines are never thinner than a pixel; slices of sight are translucent even when their
/// color is not; labels that find no room are left out and counted in the lower right corner. Shapes that are not
/// finite, and what lies outside the view, are skipped.
pub fn paint(list: &DrawList, view: &View, style: &Style, layers: &LayerFilter, caption: &str) -> Frame {
    let view = view.clamped();
    let mut canvas = Canvas::new(view.width_px, view.height_px, style.background);
    if style.is_grid_shown {
        ground::draw_grid(&mut canvas, &view, style);
    }
    let mut labels = Vec::new();
    let mut obstacles = Obstacles::default();
    for item in list.items().iter().filter(|item| layers.shows(item.layer)) {
        if let Shape::Label { at, text } = &item.shape {
            let at = view.project(plane::ground(*at));
            if at.is_finite() && canvas.bounds().holds(&Bounds { low: at, high: at }) {
                labels.push(Label { at, text: list.text(text), color: item.color });
            }
        } else {
            draw_shape(&mut canvas, &view, list, item);
            obstacles.bodies.extend(body_rect(&canvas, &view, item));
        }
    }
    let fonts = Fonts::of(view.width_px);
    obstacles.taken.extend(ground::draw_caption(&mut canvas, caption, style, &fonts));
    if style.is_scale_bar_shown {
        obstacles.taken.extend(ground::draw_scale_bar(&mut canvas, &view, style, &fonts));
    }
    let left_out = draw_labels(&mut canvas, &labels, obstacles, style, &fonts);
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        ground::draw_note(&mut canvas, &format!("{left_out} label{plural} without room"), style, &fonts);
    }
    canvas.into_frame()
}

/// A caption of title and time: `firefight   1:07.4`. Time in seconds; what is below 0 or no number is 0.
pub fn caption(title: &str, time_s: f64) -> String {
    let tenths = (time_s * 10.0).floor() as u64;
    format!("{title}   {}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}
