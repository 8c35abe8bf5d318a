//! Could anything that differs between two worlds reach any sense of anybody? Answered from the truth alone, generously: a
//! contact that is none only ends a comparison early, one that is missed would accuse an honest mind.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::smell::Trace;

use super::truth::Truth;

/// The most that the senses and the legs of a scene's minds reach, as the scene declares it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// How far anybody sees, m.
    pub sight_m: f32,
    /// How far to either side, rad. A tenth is added.
    pub half_rad: f32,
    /// How far off others matter whatever stands between: touch, and what movement minds, m.
    pub near_m: f32,
    /// How many times its range a noise is heard; 0 if nobody has ears.
    pub hearing: f32,
    /// Whether teams talk.
    pub talks: bool,
    /// How far off anybody smells a trace, m; 0 if nobody has a nose.
    pub smell_m: f32,
}

impl Default for Reach {
    /// Eyes all round, ears, talk, and arms that bump.
    fn default() -> Self {
        Reach { sight_m: 60.0, half_rad: math::PI, near_m: 3.0, hearing: 1.0, talks: true, smell_m: 0.0 }
    }
}

impl Reach {
    /// Neither eyes nor ears: legs that mind others within `near_m`, whatever stands between.
    pub const fn legs(near_m: f32) -> Reach {
        Reach { sight_m: 0.0, half_rad: math::PI, near_m, hearing: 0.0, talks: false, smell_m: 0.0 }
    }
}

/// How something that differs could be known to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// In plain sight.
    Sight,
    /// So near that it could be felt.
    Touch,
    /// In earshot.
    Hearing,
    /// Hurt by it.
    Damage,
    /// Said to the team.
    Talk,
    /// Left as a trace.
    Smell,
}

impl Contact {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Contact::Sight => "sight",
            Contact::Touch => "touch",
            Contact::Hearing => "hearing",
            Contact::Damage => "damage",
            Contact::Talk => "talk",
            Contact::Smell => "smell",
        }
    }
}

/// Heights at which a body is looked for, as shares of the height of its eyes.
const HEIGHTS: [f32; 8] = [0.06, 0.3, 0.55, 0.7, 0.85, 0.93, 1.0, 1.08];
/// How far to either side of its middle, as shares of its radius.
const SIDES: [f32; 7] = [-1.05, -1.0, -0.5, 0.0, 0.5, 1.0, 1.05];

/// The first contact of any of `watchers` with anything that differs, at this moment. Who of them and how.
pub fn contact(reach: &Reach, here: &dyn Truth, there: &dyn Truth, watchers: &[HostKey]) -> Option<(HostKey, Contact)> {
    let changed = differing(here, there);
    for &key in watchers {
        let Some(me) = here.presence(key) else { continue };
        let found = bodies(reach, here, there, me, &changed)
            .or_else(|| things(reach, here, there, me))
            .or_else(|| sounds(reach, here, there, me))
            .or_else(|| wounds(here, there, me))
            .or_else(|| words(reach, here, there, me))
            .or_else(|| traces(reach, here, there, me));
        if let Some(contact) = found {
            return Some((key, contact));
        }
    }
    None
}

/// Whether a place is in the declared cone, and how far it is.
fn is_before(reach: &Reach, me: &Presence, place: Vec3) -> bool {
    let way = plane::ground(place - me.body.pose.position);
    let angle = math::angle_between(me.body.pose.yaw, plane::yaw(way)).abs();
    way.length() <= reach.sight_m && angle <= reach.half_rad * 1.1 + 0.02
}

/// Whether somebody is within reach of another's body as it is in one of the worlds.
fn body_reached(reach: &Reach, world: &dyn Truth, me: &Presence, it: &Body) -> Option<Contact> {
    let eye = me.body.eye();
    if it.pose.position.distance(me.body.pose.position) <= reach.near_m {
        return Some(Contact::Touch);
    }
    if !is_before(reach, me, it.pose.position) {
        return None;
    }
    let across = plane::left_of(plane::direction(plane::ground(it.pose.position - eye)));
    let shows = HEIGHTS.iter().any(|share| {
        SIDES.iter().any(|side| {
            let aside = plane::lift(across * (side * it.radius_m), it.eye_m * share);
            world.is_clear(eye, it.pose.position + aside)
        })
    });
    shows.then_some(Contact::Sight)
}

/// An agent that is not the same in both worlds, as it is in one of them.
#[derive(Clone, Copy, Debug)]
struct Changed {
    key: HostKey,
    body: Body,
}

/// Every agent that is not the same in both worlds, as it is in the one and in the other.
fn differing(here: &dyn Truth, there: &dyn Truth) -> [Vec<Changed>; 2] {
    [(here, there), (there, here)].map(|(one, other)| {
        let mut found = Vec::new();
        one.visit(&mut |it| {
            if other.presence(it.key) != Some(it) {
                found.push(Changed { key: it.key, body: it.body });
            }
        });
        found
    })
}

fn bodies(
    reach: &Reach,
    here: &dyn Truth,
    there: &dyn Truth,
    me: &Presence,
    changed: &[Vec<Changed>; 2],
) -> Option<Contact> {
    [here, there].into_iter().zip(changed).find_map(|(world, list)| {
        list.iter().filter(|it| it.key != me.key).find_map(|it| body_reached(reach, world, me, &it.body))
    })
}

/// Doors, movers and items that are not the same in both worlds. A piece is looked for around its pose.
fn things(reach: &Reach, here: &dyn Truth, there: &dyn Truth, me: &Presence) -> Option<Contact> {
    let eye = me.body.eye();
    let reached = |place: Vec3, radius_m: f32, world: &dyn Truth| {
        if place.distance(me.body.pose.position) <= reach.near_m + radius_m {
            return Some(Contact::Touch);
        }
        // All around, near and far: a leaf turns about its hinge, and that may be in a wall.
        let around = (0..8u8).flat_map(|turn| {
            let side = plane::lift(plane::heading(f32::from(turn) * math::TAU / 8.0), 0.0);
            [0.25f32, 0.5, 0.75, 1.0].map(|share| place + side * (share * radius_m))
        });
        let shows = |spot: Vec3| {
            let is_clear = || [0.3f32, 1.2, 2.0].iter().any(|&up| world.is_clear(eye, spot + Vec3::Y * up));
            is_before(reach, me, spot) && is_clear()
        };
        std::iter::once(place).chain(around).any(shows).then_some(Contact::Sight)
    };
    let pieces = here.pieces().iter().zip(there.pieces()).filter(|(a, b)| a != b);
    for (a, b) in pieces {
        // Both leaves, and both worlds: what stands in one may hide it in the other.
        for (pose, world) in [(a.pose, here), (b.pose, there), (a.pose, there), (b.pose, here)] {
            // What is no door may be as long as a wall.
            let is_broken = a.is_destroyed != b.is_destroyed || a.health != b.health;
            let found = reached(pose.position, 1.6, world);
            let found = found.or_else(|| if is_broken { reached(pose.position, 5.0, world) } else { None });
            if found.is_some() {
                return found;
            }
        }
    }
    let mut states = Vec::new();
    here.visit_items(&mut |place, state| states.push((place, state)));
    let (mut number, mut found) = (0, None);
    there.visit_items(&mut |place, state| {
        let was = states.get(number);
        if was != Some(&(place, state)) && found.is_none() {
            // Where it is, and where it would be.
            found = reached(place, 0.4, here).or_else(|| reached(was?.0, 0.4, here));
        }
        number += 1;
    });
    found
}

/// Noises that are in one world only.
fn sounds(reach: &Reach, here: &dyn Truth, there: &dyn Truth, me: &Presence) -> Option<Contact> {
    let is_heard = |noise: &Noise| {
        noise.by != Some(me.agent) && noise.position.distance(me.body.eye()) <= noise.range_m * reach.hearing
    };
    let only = |one: &dyn Truth, other: &dyn Truth| {
        one.noises().iter().any(|noise| is_heard(noise) && !other.noises().contains(noise))
    };
    (only(here, there) || only(there, here)).then_some(Contact::Hearing)
}

/// Hurts that are in one world only, and health that is not the same.
fn wounds(here: &dyn Truth, there: &dyn Truth, me: &Presence) -> Option<Contact> {
    let only = |one: &dyn Truth, other: &dyn Truth| {
        one.hurts().iter().any(|hurt| hurt.who == me.agent && !other.hurts().contains(hurt))
    };
    let is_other = there.presence(me.key).is_some_and(|it| it.body.health != me.body.health);
    (is_other || only(here, there) || only(there, here)).then_some(Contact::Damage)
}

/// Messages to the own team that are in one world only.
fn words(reach: &Reach, here: &dyn Truth, there: &dyn Truth, me: &Presence) -> Option<Contact> {
    let only = |one: &dyn Truth, other: &dyn Truth| {
        one.messages().iter().any(|message| message.0 == me.team && !other.messages().contains(message))
    };
    (reach.talks && (only(here, there) || only(there, here))).then_some(Contact::Talk)
}

/// Traces near by that are in one world only.
fn traces(reach: &Reach, here: &dyn Truth, there: &dyn Truth, me: &Presence) -> Option<Contact> {
    let is_near = |trace: &&Trace| trace.position.distance(me.body.pose.position) <= reach.smell_m;
    let only = |one: &dyn Truth, other: &dyn Truth| {
        one.traces().iter().filter(is_near).any(|trace| !other.traces().contains(trace))
    };
    (reach.smell_m > 0.0 && (only(here, there) || only(there, here))).then_some(Contact::Smell)
}
