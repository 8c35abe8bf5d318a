//! What there is to see: people and their ways, footprints as they are, ghosts, and what the first one believes.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_nav::bake::Shape;
use sentir_nav::dynamic::Footprint;

use super::mind::Dweller;
use super::{World, script};

const CRACK: Color = Color::rgb(0xd9822b);
const THERE: Color = Color::rgb(0xc0392b);
const GHOST: Color = Color::rgb(0x7a5ea8);
const PERSON: Color = Color::rgb(0x2f6fb0);
const FIRST: Color = Color::rgb(0x1d8a5b);

/// Draws the people, what stands where, and what the first of them believes.
pub(super) fn draw(brains: &Loop<Dweller>, world: &World, list: &mut DrawList) {
    let first = brains.motions().next().map(|(it, _)| it.agent);
    let senses = first.and_then(|agent| brains.senses(agent));
    let eye = first.and_then(|agent| brains.presence(agent)).map(|it| it.body.pose.position);
    for footprint in world.obstacles.footprints().filter(|it| !it.is_public) {
        outline(footprint, if footprint.is_there() { THERE } else { GHOST }, 0.06, list);
        if let Some(eye) = eye.filter(|_| senses.is_some_and(|it| it.knowledge.believes(footprint.id))) {
            outline(footprint, FIRST, 0.14, list);
            let (low, high) = footprint.obstacle.bounds();
            list.line(Layer::SENSES, FIRST.alpha(60), eye, plane::lift((low + high) * 0.5, 0.1), 0.05);
        }
    }
    for crack in &world.script.cracking {
        let footprint = world.watch.obstacle(crack.piece).and_then(|id| world.obstacles.footprint_of(id));
        if let Some(footprint) = footprint {
            outline(footprint, CRACK, 0.25, list);
        }
    }
    for (it, _) in brains.motions() {
        let at = it.body.pose.position;
        let color = if Some(it.agent) == first { FIRST } else { PERSON };
        list.body(it.key.0, color, at, it.body.radius_m);
        let nose = at + plane::lift(plane::heading(it.body.pose.yaw) * it.body.radius_m, 0.0);
        list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
        let mut here = at;
        for &corner in brains.motor(it.agent).map_or(&[][..], |legs| legs.follower.ahead()) {
            list.line(Layer::PATHS, color.alpha(if Some(it.agent) == first { 200 } else { 50 }), here, corner, 0.06);
            here = corner;
        }
    }
    for ((_, walker), _) in world.bodies.iter().zip(&world.stills).filter(|(_, still)| still.is_held()) {
        list.circle(Layer::SENSES, THERE, walker.pose.position, 0.6, false);
    }
    let script::Script { fallen, broken, doors, .. } = &world.script;
    let text =
        format_args!("{} trips, {fallen} slabs fell, {broken} walls broke, {doors} doors", world.figures.trips.arrived);
    list.label(Layer::NAMES, Color::rgb(0x23272b), Vec3::new(-14.0, 0.0, 16.2), text);
}

fn outline(footprint: &Footprint, color: Color, width_m: f32, list: &mut DrawList) {
    let Shape::Polygon(corners) = &footprint.obstacle.shape else { return };
    for (at, &corner) in corners.iter().enumerate() {
        let next = corners[(at + 1) % corners.len()];
        list.line(Layer::SENSES, color, plane::lift(corner, 0.1), plane::lift(next, 0.1), width_m);
    }
}
