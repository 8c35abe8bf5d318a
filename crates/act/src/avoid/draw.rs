//! What avoidance weighed, to be looked at.

use sentir_core::draw::{Color, DrawList, Layer, Shape};
use sentir_core::glam::Vec2;
use sentir_core::plane::{left_of, lift};

use super::{Avoider, HalfPlane, Planes};

/// By what name it is shown or hidden.
pub const LAYER: Layer = Layer::AVOIDANCE;

const NEIGHBOR: Color = Color::rgb(0xb8433f);
const WALL: Color = Color::rgb(0x5b6670);
const WANTED: Color = Color::rgb(0xd9822b);
const CHOSEN: Color = Color::rgb(0x2a8c4a);

/// Adds the half-planes of one, at its place: what is not allowed within its speed limit is shaded; arrows are the
/// velocity it wanted and the one it chose. `scale_s` meters are drawn for a meter per second.
pub fn draw(me: &Avoider, planes: &Planes, chosen: Vec2, scale_s: f32, list: &mut DrawList) {
    let at = |velocity: Vec2| lift(me.position + velocity * scale_s, 0.05);
    let speed = me.speed_m_per_s_max;
    let limit = Shape::Circle { center: at(Vec2::ZERO), radius_m: speed * scale_s, is_filled: false };
    list.add(LAYER, WALL.alpha(160), limit);
    let mut forbid = |plane: &HalfPlane, color: Color| {
        let room = speed * speed - plane.offset * plane.offset;
        if room <= 0.0 {
            return;
        }
        let (middle, along) = (plane.normal * plane.offset, left_of(plane.normal) * room.sqrt());
        list.polygon(LAYER, color.alpha(28), slice(plane, speed, middle, along).map(at));
        list.line(LAYER, color.alpha(200), at(middle - along), at(middle + along), 0.03);
    };
    planes.neighbors().iter().for_each(|plane| forbid(plane, NEIGHBOR));
    planes.walls().iter().for_each(|plane| forbid(plane, WALL));
    for (velocity, color) in [(me.wanted, WANTED), (chosen, CHOSEN)] {
        list.add(LAYER, color, Shape::Arrow { from: at(Vec2::ZERO), to: at(velocity), width_m: 0.05 });
    }
}

/// The border, and points on the speed limit on its far side.
fn slice(plane: &HalfPlane, speed: f32, middle: Vec2, along: Vec2) -> [Vec2; 7] {
    let (left, right) = (middle + along, middle - along);
    let mut corners = [left; 7];
    corners[6] = right;
    // Halving the arc: the middle of two points of a circle, pushed out to it; away from the normal.
    let out = |point: Vec2, fallback: Vec2| {
        let length = point.length();
        if length > 1e-3 * speed { point * (speed / length) } else { fallback }
    };
    let far = -plane.normal * speed;
    corners[3] = far;
    corners[1] = out(left * 2.0 + far, left);
    corners[2] = out(left + far * 2.0, far);
    corners[4] = out(right + far * 2.0, far);
    corners[5] = out(right * 2.0 + far, right);
    corners
}
