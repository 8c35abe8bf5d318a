//! Steering made visible: into a draw list, for films, studios and gizmos.

use sentir_core::draw::{Color, DrawList, Layer, Shape};
use sentir_core::glam::Vec2;
use sentir_core::plane;

use crate::mover::Mover;
use crate::steer::obstacle::{FeelerConfig, feelers as tips};
use crate::steer::path::Path;
use crate::steer::wander::{Wander, WanderConfig};

const GREEN: Color = Color::rgb(0x2e8b57);
const RED: Color = Color::rgb(0xb8433f);
const GRAY: Color = Color::rgb(0x8a8f94);
const VIOLET: Color = Color::rgb(0x6b5fa8);
const ORANGE: Color = Color::rgb(0xd9822b);
/// How high over the ground lines lie, m.
const HEIGHT_M: f32 = 0.1;
/// Shorter arrows are not drawn, m.
const ARROW_M_MIN: f32 = 0.05;

fn arrow(list: &mut DrawList, color: Color, from: Vec2, way: Vec2) {
    if way.length() > ARROW_M_MIN {
        let [from, to] = [from, from + way].map(|place| plane::lift(place, HEIGHT_M));
        list.add(Layer::FORCES, color, Shape::Arrow { from, to, width_m: 0.05 });
    }
}

/// The velocity (green: half a second of it), the acceleration asked for (red), and the velocity it leads to (gray).
pub fn forces(me: &Mover, acceleration: Vec2, list: &mut DrawList) {
    let at = me.at.position;
    let wanted = me.at.velocity + acceleration * me.response_s;
    arrow(list, GRAY.alpha(160), at, crate::mover::limited(wanted, me.speed_m_per_s_max) * 0.5);
    arrow(list, GREEN, at, me.at.velocity * 0.5);
    arrow(list, RED, at, acceleration * 0.12);
}

/// The feelers for walls.
pub fn feelers(me: &Mover, config: &FeelerConfig, list: &mut DrawList) {
    for tip in tips(me, config) {
        let [from, to] = [me.at.position, tip].map(|place| plane::lift(place, HEIGHT_M));
        list.line(Layer::FORCES, VIOLET.alpha(120), from, to, 0.03);
    }
}

/// The wander circle and the target on its rim.
pub fn wander(me: &Mover, state: &Wander, config: &WanderConfig, list: &mut DrawList) {
    let middle = plane::lift(me.at.to_world(Vec2::Y * config.distance_m), HEIGHT_M);
    list.circle(Layer::FORCES, GRAY.alpha(120), middle, config.radius_m, false);
    list.circle(Layer::FORCES, ORANGE, plane::lift(state.target(me, config), HEIGHT_M), 0.1, true);
}

/// An auxiliary target: where somebody is going in truth.
pub fn target(place: Vec2, color: Color, list: &mut DrawList) {
    list.circle(Layer::FORCES, color, plane::lift(place, HEIGHT_M), 0.12, false);
}

/// A path.
pub fn path(path: &Path, list: &mut DrawList) {
    let points = path.points();
    let close = path.is_cyclic().then(|| points.last().copied().zip(points.first().copied())).flatten();
    let pieces = points.windows(2).map(|pair| (pair[0], pair[1])).chain(close);
    for (from, to) in pieces {
        let [from, to] = [from, to].map(|place| plane::lift(place, 0.03));
        list.line(Layer::PATHS, GRAY.alpha(150), from, to, 0.08);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::draw::Shape;

    #[test]
    fn everything_there_is_to_see_is_in_the_list() {
        let mut list = DrawList::default();
        let mut me = Mover::default();
        forces(&me, Vec2::ZERO, &mut list);
        assert!(list.items().is_empty(), "nothing to show at rest");
        me.at.velocity = Vec2::Y;
        forces(&me, Vec2::X * 5.0, &mut list);
        let arrows = list.items().iter().filter(|item| matches!(item.shape, Shape::Arrow { .. })).count();
        assert_eq!(arrows, 3);
        feelers(&me, &FeelerConfig::default(), &mut list);
        wander(&me, &Wander::default(), &WanderConfig::default(), &mut list);
        target(Vec2::ONE, RED, &mut list);
        path(&Path::new(&[Vec2::ZERO, Vec2::X, Vec2::ONE], true), &mut list);
        assert_eq!(list.items().len(), 3 + 3 + 2 + 1 + 3);
        assert!(list.bounds(|_| true).is_some());
    }
}
