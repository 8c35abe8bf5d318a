//! Ground: what counts as such, how steps are climbed, how bodies are put down on it, and how a tick ends.

use sentir::core::glam::{Vec2, Vec3};
use sentir::core::{math, plane};
use sentir_level::{LevelView, PieceId};

use super::contact::{self, Contact, Obstacle};
use super::drive::STEP_ADVANCE_M;
use super::pass::Mover;
use super::shape::{Capsule, Face};
use super::{BodyConfig, CharacterBody, Lane, Ride, SceneInfo, Track};

/// Ground counts as touched up to this many skins away.
const TOUCH_SKINS: f32 = 1.6;
/// Who is this near to ground, in skins, is not put down on it.
const REST_SKINS: f32 = 1.01;
/// Least upward part of a normal that holds a body on the edge of a flat face.
const EDGE_UP_MIN: f32 = 0.5;
/// Least upward part of a normal that is below at all.
const BELOW_UP_MIN: f32 = 0.05;
/// Slower than this is at rest, m/s.
const REST_M_PER_S: f32 = 1e-3;
/// Less than this was lost by rounding, m.
const LOST_MIN_M: f32 = 1e-5;

/// What holds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Support {
    height_m: f32,
    piece: Option<PieceId>,
}

/// Turns to either side that a walker tries at the border of what is not walkable, rad; steepest last.
const RAIL_TURNS_RAD: [f32; 4] = [0.4, 0.8, 1.2, 1.5];

/// Whether a surface may be walked on, where it is flat enough.
pub(super) fn is_walkable(view: &LevelView<'_>, surface: u16) -> bool {
    view.level.surfaces().get(usize::from(surface)).is_none_or(|class| class.is_walkable)
}

/// Whether what is straight below, within a step, is flat but must not be walked on.
fn is_barred(scene: &SceneInfo<'_>, capsule: &Capsule, config: &BodyConfig) -> bool {
    let reach_m = capsule.radius_m + config.step_up_m + config.skin_m;
    let below = scene.view.ground_below(capsule.low(), reach_m);
    below.is_some_and(|below| below.normal.y >= config.slope_cos_min && !is_walkable(scene.view, below.surface))
}

/// Keeps a walker off what is not walkable: at its border the way turns aside, by as little as will do, or ends.
pub(super) fn rail(scene: &SceneInfo<'_>, mover: &mut Mover<'_>, capsule: Capsule, wish: Vec3, way: Vec3) -> Vec3 {
    let config = mover.config;
    let is_water = |face: &Face| !face.is_walkable && face.normal.y >= config.slope_cos_min;
    if !mover.is_walking || way == Vec3::ZERO || !mover.faces.iter().any(is_water) {
        return way;
    }
    // A body that is over it already, held by its border, may go anywhere.
    if !is_barred(scene, &capsule.by(way), config) || is_barred(scene, &capsule, config) {
        return way;
    }
    let ahead = plane::ground(wish);
    for turn_rad in RAIL_TURNS_RAD {
        let (sin, cos) = math::sin_cos(turn_rad);
        for side in [sin, -sin] {
            // What is left of the wish along a border at that angle.
            let turned = (ahead * cos + plane::left_of(ahead) * side) * cos;
            let along = mover.slide(capsule, plane::lift(turned, 0.0));
            if along != Vec3::ZERO && !is_barred(scene, &capsule.by(along), config) {
                return along;
            }
        }
    }
    Vec3::ZERO
}

/// Whether a face ends low enough to be stepped on from `support_m`.
pub(super) fn is_low(face: &Face, support_m: f32, config: &BodyConfig) -> bool {
    face.bounds.high.y <= support_m + config.step_up_m + config.skin_m
}

/// Whether there is ground at a place that is higher than `support_m` by a step at most: the side of a ramp is low at its
/// foot, however high it is at its head.
fn is_step_up(faces: &[Face], place: Vec2, support_m: f32, config: &BodyConfig) -> bool {
    let rise = |face: &&Face| face.is_walkable && face.normal.y >= config.slope_cos_min;
    faces.iter().filter(rise).filter_map(|face| height_at(face, place)).any(|height_m| {
        let up_m = height_m - support_m;
        up_m > config.skin_m && up_m <= config.step_up_m + config.skin_m
    })
}

/// How high a face is at a place, m; none beside it.
fn height_at(face: &Face, place: Vec2) -> Option<f32> {
    let [a, b, c] = face.corners.map(|corner| plane::ground(corner) - place);
    let [ab, bc, ca] = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
    let sum = ab + bc + ca;
    let is_inside = ab >= 0.0 && bc >= 0.0 && ca >= 0.0 || ab <= 0.0 && bc <= 0.0 && ca <= 0.0;
    let [one, two, three] = face.corners.map(|corner| corner.y);
    (is_inside && sum != 0.0).then(|| (one * bc + two * ca + three * ab) / sum)
}

/// The contact one can stand on, of those found around a capsule: the most level one.
fn support(capsule: &Capsule, faces: &[Face], contacts: &[Contact], config: &BodyConfig) -> Option<Support> {
    let is_ground = |contact: &&Contact| {
        let (face, up) = (&faces[contact.face as usize], contact.near.normal.y);
        let is_flat = face.normal.y.abs() >= config.slope_cos_min;
        let touches = contact.near.distance_m <= capsule.radius_m + config.skin_m * TOUCH_SKINS;
        touches && face.is_walkable && (up >= config.slope_cos_min || (is_flat && up >= EDGE_UP_MIN))
    };
    let best = contacts.iter().filter(is_ground).fold(None, |best: Option<&Contact>, contact| match best {
        Some(old) if old.near.normal.y >= contact.near.normal.y => best,
        _ => Some(contact),
    });
    best.map(|contact| Support { height_m: contact.near.point.y, piece: faces[contact.face as usize].piece })
}

/// Ground for one who hangs over an edge but has a step below it: who walks down stairs does not fall from each.
fn step_below(scene: &SceneInfo<'_>, capsule: &Capsule, contacts: &[Contact], config: &BodyConfig) -> Option<Support> {
    let touches = |contact: &Contact| {
        let limit = capsule.radius_m + config.skin_m * TOUCH_SKINS;
        contact.near.normal.y > BELOW_UP_MIN && contact.near.distance_m <= limit
    };
    if !contacts.iter().any(touches) {
        return None;
    }
    let ground = scene.view.ground_below(capsule.low(), capsule.radius_m + config.step_up_m + config.skin_m)?;
    let holds = ground.normal.y >= config.slope_cos_min && is_walkable(scene.view, ground.surface);
    holds.then_some(Support { height_m: ground.position.y, piece: ground.piece })
}

/// Tries to go up, over and down where `way` was held up by something low. The whole way, if that leads on.
pub(super) fn climb(mover: &mut Mover<'_>, capsule: Capsule, wish: Vec3, way: Vec3, support_m: f32) -> Option<Vec3> {
    let config = mover.config;
    if !mover.is_walking || config.step_up_m <= 0.0 {
        return None;
    }
    let length = wish.length();
    if length <= 0.0 {
        return None;
    }
    let ahead = wish / length;
    let is_held = ahead.dot(way) < length * 0.9;
    let beyond = plane::ground(capsule.feet + ahead * (capsule.radius_m + STEP_ADVANCE_M));
    let is_step = |row: &contact::Row| match row.from {
        Obstacle::Face(face) => {
            row.load_m > 0.0
                && row.normal.y < config.slope_cos_min
                && (is_low(&mover.faces[face as usize], support_m, config)
                    || is_step_up(mover.faces, beyond, support_m, config))
        }
        Obstacle::Body(_) => false,
    };
    if !is_held || !mover.rows.iter().any(is_step) {
        return None;
    }
    let skin_m = config.skin_m;
    let high = math::max(support_m + config.step_up_m + skin_m * 2.0 - capsule.feet.y, 0.0);
    let up = contact::advance(&capsule, mover.faces, Vec3::Y * high, skin_m, mover.contacts);
    let over = mover.slide(capsule.by(up), ahead * math::max(length, STEP_ADVANCE_M));
    let raised = up + over;
    let drop = Vec3::NEG_Y * (up.y + skin_m);
    let down = contact::advance(&capsule.by(raised), mover.faces, drop, skin_m, mover.contacts);
    let whole = raised + down;
    let there = capsule.by(whole);
    contact::find(&there, mover.faces, skin_m * TOUCH_SKINS, mover.contacts);
    let landed = support(&there, mover.faces, mover.contacts, config)?;
    let leads_on = ahead.dot(whole) > ahead.dot(way) + 1e-4;
    let is_step = landed.height_m <= support_m + config.step_up_m + skin_m;
    (leads_on && is_step && contact::permitted_by_rows(mover.rows, whole) >= 1.0).then_some(whole)
}

/// Whether a body rests on ground already.
pub(super) fn is_down(capsule: &Capsule, faces: &[Face], contacts: &mut Vec<Contact>, config: &BodyConfig) -> bool {
    contact::find(capsule, faces, config.skin_m * REST_SKINS, contacts);
    support(capsule, faces, contacts, config).is_some()
}

/// Puts a walking body down on the ground, at most `wish` below. No way at all where there is none.
pub(super) fn drop(scene: &SceneInfo<'_>, mover: &mut Mover<'_>, capsule: Capsule, wish: Vec3) -> Vec3 {
    let config = mover.config;
    let down = contact::advance(&capsule, mover.faces, wish, config.skin_m, mover.contacts);
    let down = down * contact::permitted_by_rows(mover.rows, down);
    let there = capsule.by(down);
    contact::find(&there, mover.faces, config.skin_m * TOUCH_SKINS, mover.contacts);
    let is_held = support(&there, mover.faces, mover.contacts, config).is_some()
        || step_below(scene, &there, mover.contacts, config).is_some();
    if is_held { down } else { Vec3::ZERO }
}

/// Ends the tick of a body: where it is, what is left of its velocity, whether it stands.
pub(super) fn settle(
    scene: &SceneInfo<'_>,
    capsule: Capsule,
    walker: &mut CharacterBody,
    track: &Track,
    lane: &mut Lane,
) {
    let config = &track.config;
    let faces = track.faces(&lane.faces);
    walker.pose.position = capsule.feet;
    let mut lost = track.wish - track.gone;
    if track.is_walking {
        lost.y = 0.0;
    }
    let length = lost.length();
    if length > LOST_MIN_M {
        // What was taken from the way is taken from the velocity, but no more than it had.
        let ahead = lost / length;
        let into = walker.velocity.dot(ahead);
        walker.velocity -= ahead * math::clamp(length / scene.tick_s, 0.0, math::max(into, 0.0));
    }
    let rises = !track.is_walking && walker.velocity.y > REST_M_PER_S;
    contact::find(&capsule, faces, config.skin_m * TOUCH_SKINS, &mut lane.contacts);
    let held = if rises {
        None
    } else {
        let below = || if track.is_walking { step_below(scene, &capsule, &lane.contacts, config) } else { None };
        support(&capsule, faces, &lane.contacts, config).or_else(below)
    };
    walker.is_grounded = held.is_some();
    walker.support_m = held.map_or(capsule.feet.y, |support| support.height_m);
    walker.ride = held.and_then(|support| support.piece).and_then(|piece| {
        let pose = scene.view.state.piece(piece)?.pose;
        Some(Ride { piece, pose })
    });
    if walker.is_grounded {
        walker.velocity.y = 0.0;
    }
    if walker.velocity.length_squared() < REST_M_PER_S * REST_M_PER_S {
        walker.velocity = Vec3::ZERO;
    }
}
