//! Triangles onto the picture: clip, project, fill.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::math;

use crate::fill;
use crate::frame::{Retina, TILE};

/// Corners a triangle can have after clipping at five planes.
const CORNERS_MAX: usize = 8;

/// How far off the picture corners may lie before the sides are cut off, pixels: beyond, floats get coarse.
const REACH_PX: f32 = 4096.0;

/// A convex polygon in view coordinates.
struct Polygon {
    corners: [Vec3; CORNERS_MAX],
    count: usize,
}

impl Polygon {
    /// Cuts off what is on the negative side of a plane. A new corner is computed from the corner inside to the one
    /// outside, so that two triangles with a common edge get the same one.
    fn cut(&mut self, side: impl Fn(Vec3) -> f32) {
        let old = self.corners;
        let count = std::mem::take(&mut self.count);
        for index in 0..count {
            let (here, next) = (old[index], old[(index + 1) % count]);
            let (at_here, at_next) = (side(here), side(next));
            if at_here >= 0.0 {
                self.push(here);
            }
            if (at_here >= 0.0) != (at_next >= 0.0) {
                let (inside, outside, from, to) =
                    if at_here >= 0.0 { (here, next, at_here, at_next) } else { (next, here, at_next, at_here) };
                self.push(inside + (outside - inside) * (from / (from - to)));
            }
        }
    }

    fn push(&mut self, corner: Vec3) {
        if let Some(room) = self.corners.get_mut(self.count) {
            *room = corner;
            self.count += 1;
        }
    }
}

/// 1/distance as a plane over the picture.
#[derive(Clone, Copy)]
struct Plane {
    across: f32,
    up: f32,
    /// At the middle of the pixel in column 0 of row 0.
    start: f32,
}

impl Retina {
    /// Draws a triangle given in view coordinates, with its normal (of any length).
    pub(crate) fn draw(&mut self, corners: &[Vec3; 3], normal: Vec3, number: u32) {
        let view = &self.view;
        let [a, b, c] = *corners;
        let off = normal.dot(a);
        // Seen edge-on it has no pixels.
        if off == 0.0 || !off.is_finite() {
            return;
        }
        let (wide, tall) = view.spread;
        let all = |test: &dyn Fn(Vec3) -> bool| test(a) && test(b) && test(c);
        if all(&|p| p.z < view.near)
            || all(&|p| p.x > wide * p.z)
            || all(&|p| p.x < -wide * p.z)
            || all(&|p| p.y > tall * p.z)
            || all(&|p| p.y < -tall * p.z)
        {
            return;
        }
        // Where the plane of the triangle meets the way through a pixel: n·way / n·a is 1/distance.
        let scale = 1.0 / off;
        let (across, up) = (normal.x * scale / view.focal, normal.y * scale / view.focal);
        let start = normal.z * scale + across * (0.5 - view.middle.0) + up * (0.5 - view.middle.1);
        let plane = Plane { across, up, start };
        let is_whole = a.z >= view.near && b.z >= view.near && c.z >= view.near;
        if is_whole {
            let [a, b, c] = corners.map(|corner| self.to_picture(corner));
            if all_near(a) && all_near(b) && all_near(c) {
                self.fill(a, b, c, plane, number);
                return;
            }
        }
        self.draw_cut(corners, plane, number);
    }

    /// Draws what is left of a triangle between the near plane and the sides of the picture.
    fn draw_cut(&mut self, corners: &[Vec3; 3], plane: Plane, number: u32) {
        let (near, (wide, tall)) = (self.view.near, self.view.spread);
        let mut polygon = Polygon { corners: [Vec3::ZERO; CORNERS_MAX], count: 3 };
        polygon.corners[..3].copy_from_slice(corners);
        polygon.cut(|p| p.z - near);
        let is_far_off = polygon.corners[..polygon.count].iter().any(|&corner| !all_near(self.to_picture(corner)));
        if is_far_off {
            // A little beyond the picture, so that the cut itself is never on it.
            let (wide, tall) = (wide * 1.1, tall * 1.1);
            polygon.cut(|p| wide * p.z - p.x);
            polygon.cut(|p| wide * p.z + p.x);
            polygon.cut(|p| tall * p.z - p.y);
            polygon.cut(|p| tall * p.z + p.y);
        }
        if polygon.count < 3 {
            return;
        }
        let first = self.to_picture(polygon.corners[0]);
        for index in 1..polygon.count - 1 {
            let second = self.to_picture(polygon.corners[index]);
            let third = self.to_picture(polygon.corners[index + 1]);
            self.fill(first, second, third, plane, number);
        }
    }

    #[inline]
    fn to_picture(&self, corner: Vec3) -> Vec2 {
        let scale = self.view.focal / corner.z;
        Vec2::new(self.view.middle.0 + corner.x * scale, self.view.middle.1 + corner.y * scale)
    }

    /// Fills a triangle of the picture, row by row.
    fn fill(&mut self, a: Vec2, b: Vec2, c: Vec2, plane: Plane, number: u32) {
        let (low, middle, high) = by_height(a, b, c);
        let lens = *self.lens();
        let (width, height) = (lens.width as usize, lens.height as usize);
        let (first, turn, last) = (pixel(low.y, height), pixel(middle.y, height), pixel(high.y, height));
        if first >= last {
            return;
        }
        let columns = bounds(low.x, middle.x, high.x);
        let (left, right) = (pixel(columns.0, width), pixel(columns.1, width));
        if left >= right {
            return;
        }
        self.mark_stale(left, right, first, last);
        let long = Edge::new(low, high);
        let is_left = (middle - low).perp_dot(high - low) < 0.0;
        for (rows, short) in [(first..turn, Edge::new(low, middle)), (turn..last, Edge::new(middle, high))] {
            let (from, to) = if is_left { (short, long) } else { (long, short) };
            for row in rows {
                let height = row as f32 + 0.5;
                let (from, to) = (pixel(from.at(height), width), pixel(to.at(height), width));
                if from < to {
                    let nearness = plane.start + plane.up * row as f32 + plane.across * from as f32;
                    let range = row * width + from..row * width + to;
                    let (depth, numbers) = (&mut self.nearness[range.clone()], &mut self.numbers[range]);
                    fill::row(depth, numbers, nearness, plane.across, number);
                }
            }
        }
    }

    fn mark_stale(&mut self, left: usize, right: usize, bottom: usize, top: usize) {
        for row in bottom / TILE..=(top - 1) / TILE {
            let line = row * self.tile_columns;
            self.tile_is_stale[line + left / TILE..=line + (right - 1) / TILE].fill(true);
        }
    }
}

fn all_near(point: Vec2) -> bool {
    point.x.abs() <= REACH_PX && point.y.abs() <= REACH_PX
}

/// A side of a triangle, from its lower to its upper end: both triangles that share it get the same one.
#[derive(Clone, Copy)]
struct Edge {
    start: Vec2,
    slope: f32,
}

impl Edge {
    #[inline]
    fn new(low: Vec2, high: Vec2) -> Edge {
        let rise = high.y - low.y;
        Edge { start: low, slope: if rise > 0.0 { (high.x - low.x) / rise } else { 0.0 } }
    }

    #[inline]
    fn at(self, height: f32) -> f32 {
        self.start.x + (height - self.start.y) * self.slope
    }
}

/// The first pixel whose middle is at or past a coordinate, within the picture.
#[inline]
fn pixel(at: f32, count: usize) -> usize {
    let shifted = at - 0.5;
    if shifted <= 0.0 || shifted.is_nan() {
        return 0;
    }
    let whole = shifted as i32;
    let up = whole + i32::from((whole as f32) < shifted);
    (up as usize).min(count)
}

#[inline]
fn bounds(a: f32, b: f32, c: f32) -> (f32, f32) {
    (math::min(math::min(a, b), c), math::max(math::max(a, b), c))
}

/// The corners from the lowest to the highest, equal heights by column.
#[inline]
fn by_height(a: Vec2, b: Vec2, c: Vec2) -> (Vec2, Vec2, Vec2) {
    let is_below = |a: Vec2, b: Vec2| a.y < b.y || (a.y == b.y && a.x <= b.x);
    let (a, b) = if is_below(a, b) { (a, b) } else { (b, a) };
    let (b, c) = if is_below(b, c) { (b, c) } else { (c, b) };
    let (a, b) = if is_below(a, b) { (a, b) } else { (b, a) };
    (a, b, c)
}
