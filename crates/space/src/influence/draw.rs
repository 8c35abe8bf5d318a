//! Maps as heat.

use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::glam::UVec2;
use sentir_core::{math, plane};

use super::{Grid, Map};

/// How high over the ground heat lies, m.
const LIFT_M: f32 = 0.02;

/// Adds a map as heat on [`Layer::INFLUENCE`]: values from 0 to `full` (> 0) become faint to full color. Those below 0 are not
/// shown; draw the map again with `full` negative for them.
pub fn draw_map(grid: &Grid, map: &Map, color: Color, full: f32, height_m: f32, list: &mut DrawList) {
    let values: Vec<f32> = map.rows().flatten().map(|value| math::saturate(value / full)).collect();
    let [columns, rows] = map.size();
    let at = plane::lift(grid.origin(), height_m + LIFT_M);
    list.heat(Layer::INFLUENCE, color, at, grid.cell_m(), UVec2::new(columns, rows), &values);
}

/// Adds what cannot be walked on as heat on [`Layer::LEVEL`].
pub fn draw_walls(grid: &Grid, color: Color, height_m: f32, list: &mut DrawList) {
    let [columns, rows] = grid.size();
    let cells = (0..rows as u16).flat_map(|y| (0..columns as u16).map(move |x| sentir_nav::grid::Cell::new(x, y)));
    let values: Vec<f32> = cells.map(|cell| if grid.is_free(cell) { 0.0 } else { 1.0 }).collect();
    let at = plane::lift(grid.origin(), height_m);
    list.heat(Layer::LEVEL, color, at, grid.cell_m(), UVec2::new(columns, rows), &values);
}
