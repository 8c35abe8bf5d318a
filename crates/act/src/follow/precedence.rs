//! Who goes first where two streams stand against each other.
//!
//! Avoidance alone has no end to it when people stand face to face before a door: nobody can give way to somebody who does not
//! move. So among all who are held up near by, the one of the lowest rank goes first: who faces it makes room, to the side of
//! its way and back, for a moment; who goes its way goes on. Ranks are a total order that everybody sees alike, so of any jam
//! somebody gets out, and then the next. Who rests in a passage makes room for whoever is held up by it. What is read of the
//! others is what can be seen: where they are, that they stand, where they face.
//!
//! **Cost** one look at every neighbor, by who is held up itself.

use sentir_core::glam::Vec2;
use sentir_core::plane;

use crate::avoid::{Avoider, Nearest, Neighbor};

/// Who is farther away is in another jam, m.
const JAM_M: f32 = 2.5;
/// Bodies with less room between them are face to face, m.
const FACE_M: f32 = 0.6;
/// Slower than this share of the wish is standing.
const HELD: f32 = 0.6;
/// Two whose ways make more than this, as a cosine, are against each other.
const AGAINST: f32 = -0.2;
/// How much of making room is to the side; the rest is along the way of who comes.
const ASIDE: f32 = 0.6;

/// Whether somebody is held up who wants to go.
pub(super) fn is_held(velocity: Vec2, pace_m_per_s: f32) -> bool {
    velocity.length() < HELD * pace_m_per_s
}

/// Where somebody wants to go, as far as one sees.
fn way_of(other: &Neighbor) -> Vec2 {
    other.yaw.map_or_else(|| plane::direction(other.velocity), plane::heading)
}

/// The way to make room for whoever goes first: a unit vector; none for who need not.
pub(super) fn room_for(me: &Avoider, rank: u32, near: &Nearest) -> Option<Vec2> {
    let (ahead, pace) = (plane::direction(me.wanted), me.wanted.length());
    let stands = |it: &Neighbor| it.priority.is_finite() && is_held(it.velocity, pace);
    let is_against = |it: &Neighbor| way_of(it).dot(ahead) < AGAINST;
    let is_faced = |it: &Neighbor| {
        let to = it.position - me.position;
        let gap = to.length() - me.radius_m - it.radius_m;
        gap < FACE_M && to.dot(ahead) > 0.0 && stands(it) && is_against(it)
    };
    if !near.iter().any(|it| is_faced(&it)) {
        return None;
    }
    let is_near = |it: &Neighbor| it.position.distance(me.position) < JAM_M;
    let first = near.iter().filter(|it| is_near(it) && stands(it)).min_by_key(|it| it.rank)?;
    if first.rank > rank || !is_against(&first) {
        return None;
    }
    Some(out_of_way(me, &first))
}

/// The way to make room for one who is held up by somebody who rests: a unit vector, and whom it is for.
pub(super) fn room_at_rest(me: &Avoider, near: &Nearest) -> Option<(Vec2, Vec2)> {
    let faces = |it: &Neighbor| {
        let off = me.position - it.position;
        let gap = off.length() - me.radius_m - it.radius_m;
        let stands = it.priority.is_finite() && is_held(it.velocity, me.speed_m_per_s_max);
        stands && gap < FACE_M && way_of(it).dot(off) > FACING * off.length()
    };
    let first = near.iter().filter(faces).min_by_key(|it| it.rank)?;
    Some((out_of_way(me, &first), way_of(&first)))
}

/// To the side of somebody's way, and along it: a unit vector.
fn out_of_way(me: &Avoider, first: &Neighbor) -> Vec2 {
    let way = way_of(first);
    let off = me.position - first.position;
    let aside = plane::direction(off - way * off.dot(way));
    // Straight before it: to the right of who comes the other way.
    let aside = if aside == Vec2::ZERO { plane::left_of(way) } else { aside };
    plane::direction(aside * ASIDE + way * (1.0 - ASIDE))
}

/// Faced is who is within this of where somebody faces, as a cosine.
const FACING: f32 = 0.6;
