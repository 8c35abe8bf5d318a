//! Viewports for people: the three views as pictures of bytes, with what the eye's owner makes of them drawn on top.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::math;

use crate::color::{Color, Palette, bytes};
use crate::thing::Class;
use crate::viewport::Viewport;

/// The color of a class that a palette has none for.
const NAMELESS: Color = [1.0, 1.0, 1.0];

/// One view as a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Which: `static`, `depth` or `dynamic`.
    pub name: &'static str,
    /// Columns, pixels.
    pub width: u32,
    /// Rows, pixels.
    pub height: u32,
    /// Red, green, blue and 255, row after row **from the top**, as files and screens have it.
    pub rgba: Vec<u8>,
}

/// Something to draw on top of each view: a place, or a line through places.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it is, as in `target` or `way`.
    pub name: &'static str,
    /// Pixels from the left and **from the top**; whole numbers are between pixels. They may lie off the picture.
    pub points: Vec<Vec2>,
}

/// All that somebody who sees by vision sees, for whoever looks over their shoulder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eyesight {
    /// The views.
    pub pictures: Vec<Picture>,
    /// What to draw on top of them.
    pub marks: Vec<Mark>,
}

impl Picture {
    fn of(view: &Viewport, name: &'static str, color: impl Fn(u32, u32) -> Color) -> Picture {
        let (width, height) = (view.lens().width, view.lens().height);
        let rows = (0..height).rev();
        let pixels = rows.flat_map(|row| (0..width).map(move |column| (column, row)));
        let rgba = pixels.flat_map(|(column, row)| {
            let [red, green, blue] = bytes(color(column, row));
            [red, green, blue, 255]
        });
        Picture { name, width, height, rgba: rgba.collect() }
    }
}

impl Eyesight {
    /// The three views of a viewport. Classes have the colors of the palette; depth is bright where it is near, 1 − √depth, so
    /// that near differences show; motion has the colors of the source.
    pub fn of(view: &Viewport, palette: &Palette) -> Eyesight {
        let near = |column, row| [1.0 - math::saturate(view.depth(column, row)).sqrt(); 3];
        let class = |column, row| palette.color(view.class(column, row)).unwrap_or(NAMELESS);
        let motion = |column, row| match view.class(column, row) {
            Class::NOTHING => [0.0; 3],
            _ => view.motion(column, row).color(),
        };
        let pictures = vec![
            Picture::of(view, "static", class),
            Picture::of(view, "depth", near),
            Picture::of(view, "dynamic", motion),
        ];
        Eyesight { pictures, marks: Vec::new() }
    }

    /// Adds a mark by points of the world; those that are not ahead are left out.
    pub fn mark(&mut self, view: &Viewport, name: &'static str, points: impl IntoIterator<Item = Vec3>) {
        let height = view.lens().height as f32;
        let ahead = points.into_iter().filter_map(|point| view.project(point));
        let points: Vec<Vec2> = ahead.map(|place| Vec2::new(place.x, height - place.y)).collect();
        if !points.is_empty() {
            self.marks.push(Mark { name, points });
        }
    }
}
