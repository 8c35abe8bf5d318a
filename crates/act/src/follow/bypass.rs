//! Past others: which way to turn for a way on.
//!
//! **Method.** A rule of people on foot (Moussaïd, Helbing, Theraulaz: *How simple rules determine pedestrian behavior and
//! crowd disasters*, 2011): one turns to where the first collision, if all go on as they do, leaves one nearest to the goal.
//! So a crowd that stands is gone round. Walls are met by mesh rays. Of two directions alike the one straight on is taken,
//! then the one to the right. Their second rule, to keep a time to whoever is before one, is left out: where streams cross,
//! all would wait for each other.
//!
//! **Cost** a mesh ray and a look at every neighbor for each of [`FAN`] directions ([`FAN_WIDE`] where somebody is about to
//! be touched), if somebody is in the way; else one look.

use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use super::footing::Spot;
use crate::avoid::{Avoider, Nearest};

/// Directions that are looked at: straight on, then by steps to the right and to the left.
const FAN: i32 = 11;
/// The same for who has somebody before the breast: every way that leads on at all is across, or nearly so.
const FAN_WIDE: i32 = 17;
/// Nearer than this is before the breast, m.
const BREAST_M: f32 = 0.3;
/// From one to the next, rad.
const STEP_RAD: f32 = 0.2;
/// What a turn costs at least, as a share of the range for each step; to the left a little more.
const TURN: f32 = 0.004;
const LEFT: f32 = 0.002;
/// Directions that are looked at for a way out of a press; how far, m; less is no way, m; and how much farther a way back has to
/// be clear than one straight on, half of it, m.
const AROUND: i32 = 16;
const OUT_M: f32 = 1.2;
const OUT_M_MIN: f32 = 0.35;
const ONWARD_M: f32 = 0.25;

/// How far one comes at a speed, m up to a limit, before one meets somebody, if all go on as they do.
pub(super) fn clear(me: &Avoider, velocity: Vec2, near: &Nearest, limit_m: f32) -> f32 {
    let speed = velocity.length();
    let mut least = limit_m;
    for other in near.iter() {
        let to = other.position - me.position;
        let radius = me.radius_m + other.radius_m;
        let along = velocity - other.velocity;
        let (square, toward) = (along.length_squared(), to.dot(along));
        let apart = to.length_squared() - radius * radius;
        let room = toward * toward - square * apart;
        if toward <= 0.0 || room < 0.0 || square <= 1e-6 {
            continue;
        }
        let time_s = math::max((toward - room.sqrt()) / square, 0.0);
        least = math::min(least, time_s * speed);
    }
    least
}

/// The way out of a press: of directions all round, the one that is clear for longest, up to [`OUT_M`], and of those alike the
/// one nearest to the wish; none where all are shut.
pub(super) fn way_out(Spot { ground, place }: Spot<'_>, me: &Avoider, near: &Nearest) -> Option<Vec2> {
    let (speed, straight) = (me.wanted.length(), plane::direction(me.wanted));
    let mut best: Option<(f32, Vec2)> = None;
    for number in 0..AROUND {
        let step = (number + 1) / 2 * if number % 2 == 1 { -1 } else { 1 };
        let (sin, cos) = math::sin_cos(step as f32 * (math::TAU / AROUND as f32));
        let along = straight * cos + plane::left_of(straight) * sin;
        let free = clear(me, along * speed, near, OUT_M);
        let to = plane::lift(plane::ground(place.point) + along * free, place.point.y);
        let free = free * ground.mesh.ray(place, to, ground.costs).map_or(0.0, |ray| ray.share);
        let worth = free + ONWARD_M * cos;
        if free > OUT_M_MIN && best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, along));
        }
    }
    best.map(|it| it.1)
}

/// The wish of one who minds the others, as far as it looks ahead, m.
pub(super) fn choose(spot: Option<Spot<'_>>, me: &Avoider, near: &Nearest, range_m: f32) -> Vec2 {
    let (speed, straight) = (me.wanted.length(), plane::direction(me.wanted));
    if straight == Vec2::ZERO || range_m <= 0.1 {
        return me.wanted;
    }
    let mut best = (f32::MAX, straight);
    let front = clear(me, me.wanted, near, range_m);
    if front < range_m {
        let fan = if front < BREAST_M { FAN_WIDE } else { FAN };
        for number in 0..fan {
            // 0, right, left, farther right, …
            let step = (number + 1) / 2 * if number % 2 == 1 { -1 } else { 1 };
            let (sin, cos) = math::sin_cos(step as f32 * STEP_RAD);
            let along = straight * cos + plane::left_of(straight) * sin;
            let mut free = if step == 0 { front } else { clear(me, along * speed, near, range_m) };
            if let Some(Spot { ground, place }) = spot.filter(|_| step != 0) {
                let to = plane::lift(plane::ground(place.point) + along * free, place.point.y);
                free *= ground.mesh.ray(place, to, ground.costs).map_or(0.0, |ray| ray.share);
            }
            let rest = (range_m * range_m + free * free - 2.0 * range_m * free * cos).abs().sqrt();
            let turn = TURN * step.abs() as f32 + if step > 0 { LEFT } else { 0.0 };
            let cost = rest + turn * range_m;
            if cost < best.0 {
                best = (cost, along);
            }
        }
    }
    best.1 * speed
}
