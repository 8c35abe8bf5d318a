//! The surface that is painted on: antialiased polygons and lines by tiny-skia, whole pixels by hand.
//!
//! The ground is opaque and so is everything after it, hence premultiplied and plain colors are the same bytes.
//! Only straight edges reach the rasterizer: arcs come as polygons, whose corners are computed with exact maths.

use glam::DVec2;
use sentir_core::draw::Color;
use tiny_skia::{FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use crate::Frame;
use crate::clip::{Bounds, clip_polygon, clip_segment};

/// A rectangle of whole pixels; may lie outside the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PxRect {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
}

impl PxRect {
    /// Whether two rectangles share a pixel.
    pub fn meets(&self, other: &PxRect) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }
}

pub(crate) struct Canvas {
    pixmap: Pixmap,
    /// The picture's box, px.
    bounds: Bounds,
    points: Vec<DVec2>,
    scratch: Vec<DVec2>,
}

impl Canvas {
    /// An empty ground. Sides are 1..=4096 px.
    pub fn new(width: u32, height: u32, ground: Color) -> Canvas {
        let mut pixmap = Pixmap::new(width, height).expect("the sides are clamped within limits");
        pixmap.fill(tiny_skia::Color::from_rgba8(ground.r, ground.g, ground.b, 255));
        let bounds = Bounds { low: DVec2::ZERO, high: DVec2::new(f64::from(width), f64::from(height)) };
        Canvas { pixmap, bounds, points: Vec::new(), scratch: Vec::new() }
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn width(&self) -> i32 {
        self.pixmap.width() as i32
    }

    pub fn height(&self) -> i32 {
        self.pixmap.height() as i32
    }

    /// The finished picture.
    pub fn into_frame(self) -> Frame {
        Frame::trusted(self.pixmap.width(), self.pixmap.height(), self.pixmap.take())
    }

    /// Fills a polygon of finite corners, px.
    pub fn fill(&mut self, corners: &[DVec2], color: Color) {
        if let Some(path) = self.polygon(corners) {
            self.pixmap.fill_path(&path, &paint_of(color), FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Draws a way of finite corners `width` px thick. `is_round` rounds its ends.
    pub fn stroke(&mut self, corners: &[DVec2], is_closed: bool, width: f64, color: Color, is_round: bool) {
        // Wider than the picture's diagonal nothing changes any more.
        let width = if width < 8192.0 { width } else { 8192.0 };
        let guard = self.bounds.grown(width + 16.0);
        let Some(clamped) = Bounds::of(corners) else { return };
        if color.a == 0 || !clamped.meets(&guard) {
            return;
        }
        let mut path = PathBuilder::new();
        let is_whole = guard.holds(&clamped);
        let mut pen: Option<DVec2> = None;
        let closing = if is_closed { corners.first() } else { None };
        for (&from, &to) in corners.iter().zip(corners.iter().skip(1).chain(closing)) {
            let Some((from, to)) = (if is_whole { Some((from, to)) } else { clip_segment(from, to, &guard) }) else {
                continue;
            };
            if pen != Some(from) {
                path.move_to(from.x as f32, from.y as f32);
            }
            path.line_to(to.x as f32, to.y as f32);
            pen = Some(to);
        }
        if is_closed && is_whole {
            path.close();
        }
        let Some(path) = path.finish() else { return };
        let line_cap = if is_round { LineCap::Round } else { LineCap::Butt };
        let stroke = Stroke { width: width as f32, line_cap, ..Stroke::default() };
        self.pixmap.stroke_path(&path, &paint_of(color), &stroke, Transform::identity(), None);
    }

    /// Blends a color over whole pixels; outside is fine.
    pub fn fill_rect(&mut self, rect: PxRect, color: Color) {
        let (width, height) = (self.width(), self.height());
        let (left, right) = (rect.left.clamp(0, width), rect.left.saturating_add(rect.width).clamp(0, width));
        let (top, bottom) = (rect.top.clamp(0, height), rect.top.saturating_add(rect.height).clamp(0, height));
        let bytes = self.pixmap.data_mut();
        for y in top..bottom {
            let row = (y * width) as usize;
            let span = (row + left as usize) * 4..(row + right.max(left) as usize) * 4;
            for pixel in bytes[span].chunks_exact_mut(4) {
                pixel[0] = over(color.r, pixel[0], color.a);
                pixel[1] = over(color.g, pixel[1], color.a);
                pixel[2] = over(color.b, pixel[2], color.a);
            }
        }
    }

    /// A row of pixels from `left` on, for shapes that are sampled pixel by pixel. `row` and `left` are inside.
    pub fn row_from(&mut self, row: usize, left: usize) -> impl Iterator<Item = &mut [u8]> {
        let width = self.pixmap.width() as usize;
        self.pixmap.data_mut()[(row * width + left) * 4..(row + 1) * width * 4].chunks_exact_mut(4)
    }

    /// The polygon's path, cut when it reaches far out; None when nothing of it is on the picture.
    fn polygon(&mut self, corners: &[DVec2]) -> Option<Path> {
        let guard = self.bounds.grown(16.0);
        let clamped = Bounds::of(corners)?;
        if !clamped.meets(&self.bounds) {
            return None;
        }
        self.points.clear();
        self.points.extend_from_slice(corners);
        if !guard.holds(&clamped) {
            clip_polygon(&mut self.points, &mut self.scratch, &guard);
        }
        let (first, rest) = self.points.split_first()?;
        if rest.len() < 2 {
            return None;
        }
        let mut path = PathBuilder::with_capacity(self.points.len() + 1, self.points.len());
        path.move_to(first.x as f32, first.y as f32);
        for point in rest {
            path.line_to(point.x as f32, point.y as f32);
        }
        path.close();
        path.finish()
    }
}

/// A channel of a color blended over another at an opacity.
pub(crate) fn over(top: u8, below: u8, opacity: u8) -> u8 {
    let opacity = u32::from(opacity);
    ((u32::from(top) * opacity + u32::from(below) * (255 - opacity) + 127) / 255) as u8
}

fn paint_of(color: Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color.r, color.g, color.b, color.a);
    paint
}
