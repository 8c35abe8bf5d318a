//! Regions and obstacles as shapes.

use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::{math, plane};

use super::region::SAG_M;
use super::{Obstacles, Region};

/// How high over the ground shapes lie, m.
const LIFT_M: f32 = 0.03;

/// Adds a region as a fan of triangles on [`Layer::SENSES`].
pub fn draw_region(region: &Region, color: Color, height_m: f32, list: &mut DrawList) {
    // As coarse as nobody sees.
    let sag_m = math::max(SAG_M, region.range_m() * 0.002);
    region.triangles(sag_m, |corners| {
        list.polygon(Layer::SENSES, color, corners.map(|corner| plane::lift(corner, height_m + LIFT_M)));
    });
}

/// Adds the walls of obstacles: convex ones filled, on [`Layer::LEVEL`].
pub fn draw_obstacles(obstacles: &Obstacles, color: Color, height_m: f32, list: &mut DrawList) {
    for (corners, is_filled) in obstacles.rings() {
        let corner = |at: &sentir_core::glam::DVec2| plane::lift(at.as_vec2(), height_m + LIFT_M);
        if is_filled {
            list.polygon(Layer::LEVEL, color, corners.iter().map(corner));
        } else {
            for pair in corners.windows(2) {
                list.line(Layer::LEVEL, color, corner(&pair[0]), corner(&pair[1]), 0.1);
            }
        }
    }
}
