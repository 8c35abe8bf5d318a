//! Cover as shapes: edges by height, and the map of a cell as a rose.

use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::glam::Vec3;
use sentir_core::plane;

use super::map::{CoverCell, DIRECTIONS, way_of};
use super::set::{CoverHeight, CoverSet};

/// The color of cover by its height.
pub fn color_of(height: CoverHeight) -> Color {
    match height {
        CoverHeight::Low => Color::rgb(0xe08a2a),
        CoverHeight::High => Color::rgb(0x2f6fb0),
    }
}

/// Adds the edges of cover, with a tick at each point toward what covers, longer where one may lean out.
pub fn draw_set(set: &CoverSet, list: &mut DrawList) {
    let up = Vec3::Y * 0.06;
    for edge in set.edges() {
        list.line(Layer::SENSES, color_of(edge.height), edge.from + up, edge.to + up, 0.12);
    }
    for point in set.points() {
        let length = if point.leans.contains(&true) { 0.5 } else { 0.25 };
        let end = point.position + plane::lift(point.facing * length, 0.0);
        list.line(Layer::SENSES, color_of(point.height).alpha(170), point.position + up, end + up, 0.05);
    }
}

/// Adds the rose of a cell: a ray in each direction, as long as one sees, colored by cover.
pub fn draw_cell(cell: &CoverCell, list: &mut DrawList) {
    let up = Vec3::Y * 0.08;
    for direction in 0..DIRECTIONS {
        let way = plane::lift(way_of(direction), 0.0);
        let (color, length) = match cell.height(direction) {
            Some(height) => (color_of(height), 1.2),
            None => (Color::rgb(0xb8433f).alpha(140), 0.6 + 0.04 * cell.sight_m(direction)),
        };
        list.line(Layer::SENSES, color, cell.middle + up, cell.middle + up + way * length, 0.1);
    }
    list.circle(Layer::SENSES, Color::rgb(0x23272b), cell.middle + up, 0.12, true);
}
