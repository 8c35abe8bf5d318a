//! One shape of the draw list on the canvas. What is not finite is skipped, as is what lies outside.

use glam::{DVec2, UVec2, Vec3};
use sentir_core::draw::{Color, DrawList, Item, Shape};
use sentir_core::{math, plane};

use crate::View;
use crate::canvas::{Canvas, PxRect, over};
use crate::clip::Bounds;
use crate::style::mixed;

/// Opacity a slice of sight is filled with at most: what stands in it must stay visible.
const SECTOR_ALPHA_MAX: u8 = 60;
/// Discs up to this size count as bodies, which labels keep off, px.
const BODY_RADIUS_PX_MAX: f64 = 48.0;
/// Corners of the finest circle; beyond a radius of some 20000 px its sides begin to show.
const CIRCLE_CORNERS_MAX: f32 = 1024.0;

/// Draws a shape; labels are not shapes of this module.
pub(crate) fn draw_shape(canvas: &mut Canvas, view: &View, list: &DrawList, item: &Item) {
    let color = item.color;
    if color.a == 0 {
        return;
    }
    match &item.shape {
        Shape::Line { from, to, width_m } => {
            if let Some((ends, width)) = line_px(view, *from, *to, *width_m) {
                // Round ends close the corners of walls and ways; a translucent one would show the overlap.
                canvas.stroke(&ends, false, width, color, color.a == 255 && width > 1.5);
            }
        }
        Shape::Arrow { from, to, width_m } => {
            if let Some((ends, width)) = line_px(view, *from, *to, *width_m) {
                draw_arrow(canvas, ends, width, 7.0 * view.thickness(), color);
            }
        }
        Shape::Circle { center, radius_m, is_filled } => {
            if let Some(disc) = Disc::of(canvas, view, *center, *radius_m) {
                draw_circle(canvas, &disc, *is_filled, view.thickness(), color);
            }
        }
        Shape::Sector { center, yaw, half_angle, radius_m } => {
            if let Some(disc) = Disc::of(canvas, view, *center, *radius_m)
                && yaw.is_finite()
                && *half_angle > 0.0
            {
                draw_sector(canvas, &disc, *yaw, *half_angle, view.thickness(), color);
            }
        }
        Shape::Polygon { corners } | Shape::Prism { corners, .. } => {
            let corners = list.corners(corners);
            if corners.iter().all(|corner| plane::ground(*corner).is_finite()) {
                let corners: Vec<DVec2> = corners.iter().map(|corner| view.project(plane::ground(*corner))).collect();
                canvas.fill(&corners, color);
                if color.a == 255 && corners.len() > 2 {
                    // Antialiased neighbors would let the ground shine through their common edge.
                    canvas.stroke(&corners, true, 0.75, color, false);
                }
            }
        }
        Shape::Heat { origin, cell_m, size, values } => {
            draw_heat(canvas, view, *origin, *cell_m, *size, list.values(values), color);
        }
        Shape::Label { .. } => {}
    }
}

/// The place a body takes, px: an opaque disc that is not too large to be one. None for other shapes.
pub(crate) fn body_rect(canvas: &Canvas, view: &View, item: &Item) -> Option<PxRect> {
    let Shape::Circle { center, radius_m, is_filled: true } = &item.shape else { return None };
    let disc = Disc::of(canvas, view, *center, *radius_m)?;
    if item.color.a < 255 || disc.radius > BODY_RADIUS_PX_MAX {
        return None;
    }
    let (low, side) = ((disc.center - disc.radius).floor(), (2.0 * disc.radius).ceil() as i32);
    Some(PxRect { left: low.x as i32, top: low.y as i32, width: side, height: side })
}

/// Ends and thickness of a line, px; None when something is not finite.
fn line_px(view: &View, from: Vec3, to: Vec3, width_m: f32) -> Option<([DVec2; 2], f64)> {
    let (from, to) = (plane::ground(from), plane::ground(to));
    let width = f64::from(width_m) * view.scale();
    let least = view.thickness();
    let is_finite = from.is_finite() && to.is_finite() && width_m.is_finite();
    is_finite.then(|| ([view.project(from), view.project(to)], if width > least { width } else { least }))
}

/// One polygon, shaft and head, so that a translucent arrow has no seam.
fn draw_arrow(canvas: &mut Canvas, [from, to]: [DVec2; 2], width: f64, head_min: f64, color: Color) {
    let way = to - from;
    let length = way.length();
    if !(length > 0.0 && length.is_finite()) {
        return;
    }
    let along = way / length;
    let aside = along.perp();
    let head = if width * 3.5 > head_min { width * 3.5 } else { head_min };
    // A short arrow is all head.
    let head = if head < length { head } else { length };
    let (base, shaft, wing) = (to - along * head, aside * (width * 0.5), aside * (head * 0.45));
    canvas.fill(&[from + shaft, base + shaft, base + wing, to, base - wing, base - shaft, from - shaft], color);
}

/// A circle on the picture, px.
struct Disc {
    center: DVec2,
    radius: f64,
    /// Corners its polygon takes to stay within a tenth of a pixel.
    corners: u32,
}

impl Disc {
    /// None when it is not finite, has no area, or lies outside the picture.
    fn of(canvas: &Canvas, view: &View, center: Vec3, radius_m: f32) -> Option<Disc> {
        let ground = plane::ground(center);
        if !(ground.is_finite() && radius_m.is_finite() && radius_m > 0.0) {
            return None;
        }
        let (center, radius) = (view.project(ground), f64::from(radius_m) * view.scale());
        let clamped = Bounds { low: center, high: center }.grown(radius + 2.0 * view.thickness());
        // An edge of length s is s² / 8r away from its arc.
        let corners = math::clamp((6.0 * math::max(radius as f32, 1.0).sqrt()).ceil(), 12.0, CIRCLE_CORNERS_MAX);
        clamped.meets(&canvas.bounds()).then_some(Disc { center, radius, corners: corners as u32 })
    }

    /// Points of the arc between two yaws, both ends included.
    fn arc(&self, from: f32, to: f32, steps: u32) -> impl Iterator<Item = DVec2> {
        (0..=steps).map(move |step| {
            let heading = plane::heading(math::lerp(from, to, step as f32 / steps as f32));
            self.center + DVec2::new(f64::from(heading.x), -f64::from(heading.y)) * self.radius
        })
    }
}

fn draw_circle(canvas: &mut Canvas, disc: &Disc, is_filled: bool, thickness: f64, color: Color) {
    let ring: Vec<DVec2> = disc.arc(0.0, math::TAU, disc.corners).take(disc.corners as usize).collect();
    if !is_filled {
        canvas.stroke(&ring, true, 1.5 * thickness, color, false);
        return;
    }
    canvas.fill(&ring, color);
    // A darker rim keeps bodies apart that stand together.
    if color.a == 255 && disc.radius > 3.0 * thickness {
        canvas.stroke(&ring, true, thickness, mixed(color, Color::rgb(0), 90), false);
    }
}

fn draw_sector(canvas: &mut Canvas, disc: &Disc, yaw: f32, half_angle: f32, thickness: f64, color: Color) {
    let half_angle = math::min(half_angle, math::PI);
    let is_round = half_angle >= math::PI;
    let steps = (disc.corners as f32 * half_angle / math::PI).ceil() as u32;
    let tip = (!is_round).then_some(disc.center);
    let outline: Vec<DVec2> =
        tip.into_iter().chain(disc.arc(yaw - half_angle, yaw + half_angle, steps.max(2))).collect();
    canvas.fill(&outline, color.alpha(color.a.min(SECTOR_ALPHA_MAX)));
    canvas.stroke(&outline, true, thickness, color.alpha(color.a.min(SECTOR_ALPHA_MAX * 2)), false);
}

/// Samples the grid at each pixel's middle: cells keep sharp edges, as the values do.
fn draw_heat(canvas: &mut Canvas, view: &View, origin: Vec3, cell_m: f32, size: UVec2, values: &[f32], color: Color) {
    let ground = plane::ground(origin);
    let is_sound = ground.is_finite() && cell_m.is_finite() && cell_m > 0.0 && size.x > 0 && size.y > 0;
    if !is_sound {
        return;
    }
    // Cells run up from the origin, pixels down from the top.
    let (corner, cell) = (view.project(ground), f64::from(cell_m) * view.scale());
    let cell_of = |offset: f64, count: u32| {
        let index = (offset / cell).floor();
        (index >= 0.0 && index < f64::from(count)).then_some(index as u32)
    };
    let columns: Vec<Option<u32>> =
        (0..canvas.width()).map(|x| cell_of(f64::from(x) + 0.5 - corner.x, size.x)).collect();
    let Some(left) = columns.iter().position(Option::is_some) else { return };
    for y in 0..canvas.height() {
        let Some(row) = cell_of(corner.y - f64::from(y) - 0.5, size.y) else { continue };
        let row = usize::try_from(u64::from(row) * u64::from(size.x)).unwrap_or(usize::MAX);
        for (pixel, column) in canvas.row_from(y as usize, left).zip(&columns[left..]) {
            let Some(column) = column else { break };
            let value = values.get(row.saturating_add(*column as usize)).copied().unwrap_or(0.0);
            // NaN saturates to 0 in the conversion.
            let alpha = (f32::from(color.a) * math::saturate(value)).round() as u8;
            if alpha > 0 {
                pixel[0] = over(color.r, pixel[0], alpha);
                pixel[1] = over(color.g, pixel[1], alpha);
                pixel[2] = over(color.b, pixel[2], alpha);
            }
        }
    }
}
