//! What its eyes tell its brain.

use sentir_core::belief::{Landmark, Percept, Sighted};
use sentir_core::math;

use super::ground::{DARE_M, PASSABLE};
use super::source::{LEFT, ON, RIGHT};
use super::{BrontoConfig, BrontoScratch, Way};
use crate::classic::{Side, SideRule, Target, choose, turn};
use crate::color::{AMMO, ENEMY, HEALTH};
use crate::object::{self, Joining, Object};
use crate::outlook::BodyLimits;
use crate::thing::Class;
use crate::viewport::Viewport;

/// Pixels of an enemy farther apart are two, m.
const ENEMY_M: f32 = 1.0;
/// Depth at which the floor below something is still below it, m.
const FOOT_M: f32 = 0.6;

/// One look, as its eyes have it.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// Whose.
    pub config: &'a BrontoConfig,
    /// What is on the picture.
    pub view: &'a Viewport,
    /// The height that the body stands at, m.
    pub feet_m: f32,
    /// Whether deeper steps are taken for ground, too.
    pub is_daring: bool,
}

/// Reads a picture: adds to the percept of this look what the way of seeing needs, and nothing of where it comes from.
pub fn perceive(glance: &Glance<'_>, percept: &mut Percept, scratch: &mut BrontoScratch) {
    let &Glance { config, view, feet_m, is_daring } = glance;
    let BrontoScratch { objects, outlook } = scratch;
    let joining = |reach_m: f32| match config.way {
        Way::Source(_) => Joining::Source { reach: config.object_m },
        Way::Ours => Joining::Size { reach_m },
    };
    tell_objects(config, view, &[ENEMY], joining(ENEMY_M), objects, percept);
    tell_objects(config, view, &[HEALTH, AMMO], joining(config.object_m), objects, percept);
    match config.way {
        Way::Source(rule) => tell_ways(config, rule, view, percept),
        Way::Ours => {
            // Down a stair, what lies before the feet is out of view and looks like a ledge: who finds no other way dares it.
            let drop_m = if is_daring { math::max(config.gait.drop_m, DARE_M) } else { config.gait.drop_m };
            outlook.read(view, feet_m, &BodyLimits { drop_m, ..config.gait }, &PASSABLE);
            outlook.tell(percept);
        }
    }
}

/// The objects of these classes, the nearest first.
fn tell_objects(
    config: &BrontoConfig,
    view: &Viewport,
    classes: &[Class],
    joining: Joining,
    objects: &mut Vec<Object>,
    percept: &mut Percept,
) {
    object::find(view, classes, joining, objects);
    objects.sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth).then((a.row, a.column).cmp(&(b.row, b.column))));
    let lens = view.lens();
    let off_max = FOOT_M / (lens.far_m - lens.near_m);
    percept.objects.extend(objects.iter().filter_map(|object| {
        let &Object { column, row, .. } = object;
        let foot = match config.way {
            Way::Source(_) => object::foot(view, object, off_max).and_then(|(column, row)| view.unproject(column, row)),
            Way::Ours => None,
        };
        let comes = view.motion(column, row).away < 0.5;
        Some(Sighted { class: object.class.0, place: view.unproject(column, row)?, foot, comes })
    }));
}

/// Where floor is enough to go on, or else to turn to.
fn tell_ways(config: &BrontoConfig, rule: SideRule, view: &Viewport, percept: &mut Percept) {
    let mut tell = |meaning: u8, target: Option<Target>| {
        let place = target.and_then(|target| view.unproject(target.column, target.row));
        percept.landmarks.extend(place.map(|place| Landmark { meaning, place }));
        place.is_some()
    };
    let margins = &config.margins;
    if !tell(ON, choose(view, margins, rule)) {
        tell(LEFT, turn(view, margins, Side::Left));
        tell(RIGHT, turn(view, margins, Side::Right));
    }
}
