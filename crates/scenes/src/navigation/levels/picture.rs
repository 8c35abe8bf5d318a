//! What there is to see of `levels`: the level, the mesh on it, ways and bodies.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::LevelView;

use super::mind::Traveler;
use super::{Levels, World};

/// Over this height one is on the upper level, m.
const UPPER_M: f32 = 2.0;
const LOWER: Color = Color::rgb(0xc2_5f2a);
const UPPER: Color = Color::rgb(0x2f_6fb0);

pub(super) fn draw(scene: &Levels, brains: &Loop<Traveler>, world: &World, list: &mut DrawList) {
    sentir_level::draw::draw(&LevelView { level: &scene.level, state: &world.bodies.level }, list);
    sentir_nav::mesh::draw::draw(&scene.mind.mesh, list);
    for &stop in &scene.mind.stops {
        list.circle(Layer::PATHS, Color::rgb(0x23_272b).alpha(160), stop + Vec3::Y * 0.05, 0.3, false);
    }
    let lift = Vec3::Y * 0.08;
    for (key, walker) in world.bodies.iter() {
        let at = walker.pose.position;
        let color = if at.y > UPPER_M { UPPER } else { LOWER };
        let errand = brains.agent_of(key).and_then(|agent| brains.brain(agent));
        let mut here = at;
        for leg in errand.iter().flat_map(|errand| errand.legs.iter().rev()) {
            let width_m = if leg.is_jump { 0.12 } else { 0.06 };
            list.line(Layer::PATHS, color.alpha(170), here + lift, leg.to + lift, width_m);
            here = leg.to;
        }
        list.body(key.0, color, at, walker.radius_m);
        let nose = at + plane::lift(plane::heading(walker.pose.yaw) * walker.radius_m, 0.0);
        list.line(Layer::BODIES, Color::rgb(0xff_ffff), at, nose, 0.08);
    }
    let label = Vec3::new(6.0, 0.0, 13.2);
    let (arrivals, jumps) = (world.tally.arrivals, world.tally.jumps);
    list.label(Layer::NAMES, Color::rgb(0x23_272b), label, format_args!("{arrivals} arrivals, {jumps} jumps"));
}
