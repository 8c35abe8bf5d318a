//! Our way: curves over the ground that is seen, as wide as the body all along.

use sentir_core::belief::{Percept, Sighted};
use sentir_core::glam::Vec2;
use sentir_core::random::Stream;
use sentir_core::tick::Tick;
use sentir_core::{math, plane};

use super::{Aim, Bronto, BrontoConfig, BrontoScratch, Feel, Reaction, Sighting};
use crate::color::{AMMO, ENEMY, HEALTH};
use crate::curve::Curve;
use crate::outlook::Outlook;
use crate::thing::Class;

/// What one walks through.
pub(super) const PASSABLE: [Class; 3] = [HEALTH, AMMO, ENEMY];
/// How far ahead a way is looked for, m.
const RANGE_M: f32 = 12.0;
/// The shortest way that is worth it, m.
const LEAST_M: f32 = 0.9;
/// Every so many columns are a candidate.
const COLUMN_STEP: usize = 4;
/// What a radian of turning costs, m.
const TURN_COST_M: f32 = 1.6;
/// What having been there lately costs, m, for each place that was so near, and so many at most.
const STALE_COST_M: f32 = 0.9;
const STALE_NEAR_M: f32 = 2.0;
const STALE_MAX: usize = 8;
/// How far apart the places of the trail are, m, and how many are kept.
const TRAIL_STEP_M: f32 = 1.2;
const TRAIL_MAX: usize = 64;
/// What is given up for now, and for how long, s.
const SPURN_M: f32 = 1.0;
const SPURN_S: f32 = 6.0;
/// Objects that a way is looked for to, the nearest first.
const TRIES_MAX: usize = 3;
/// How far the eyes turn aside at the most, rad.
pub const GLANCE_RAD: f32 = 0.75;
/// Who is squeezed takes this share of its usual room.
const SQUEEZE: f32 = 0.78;
/// Who has turned on the spot in vain steps down so far, m.
pub(super) const DARE_M: f32 = 1.2;
/// A goal is still the same when it is so near to the old one, m.
const SAME_M: f32 = 0.6;

/// Places of a curve that are held against what is in the way at a time.
const STRETCH: usize = 16;

/// Whether the body can go all along a curve from `from_m` on, as far as is known: nowhere nearer to what is in the way than
/// `half_m`, or than it is already. Stretch by stretch: only what is in its box counts.
fn is_clear(outlook: &Outlook, here: Vec2, curve: &Curve, from_m: f32, half_m: f32) -> bool {
    let step = math::max(half_m / 2.0, 0.05);
    let steps = ((curve.length_m() - from_m) / step).ceil();
    if steps.is_nan() || steps > 2000.0 {
        return false;
    }
    let (rail, last) = (curve.rail(), steps as u32);
    let mut places = [Vec2::ZERO; STRETCH];
    let mut first = 0;
    while first <= last {
        let count = (last - first + 1).min(STRETCH as u32);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (index, place) in (first..first + count).zip(&mut places) {
            *place = rail.along(from_m + index as f32 * step).0;
            low = Vec2::new(math::min(low.x, place.x), math::min(low.y, place.y));
            high = Vec2::new(math::max(high.x, place.x), math::max(high.y, place.y));
        }
        // A little more than half a body around: rounding must not leave anything out.
        let (low, high) = (low - Vec2::splat(half_m + 0.01), high + Vec2::splat(half_m + 0.01));
        let places = &places[..count as usize];
        for point in outlook.obstacles() {
            let is_far = point.x < low.x || point.x > high.x || point.y < low.y || point.y > high.y;
            if is_far {
                continue;
            }
            let needs = math::min(half_m, point.distance(here) - 0.02);
            if !places.iter().all(|place| point.distance(*place) >= needs) {
                return false;
            }
        }
        first += count;
    }
    true
}

/// How far the body can go straight, m.
fn free_m(outlook: &Outlook, here: Vec2, toward: Vec2, range_m: f32, half_m: f32) -> f32 {
    outlook.obstacles().iter().fold(range_m, |free, &point| {
        let off = point - here;
        let (along, across) = (off.dot(toward), off.perp_dot(toward).abs());
        // Most are behind, aside or beyond: no roots for them.
        if along <= 0.0 || across >= half_m || along - half_m > free {
            return free;
        }
        let half = math::min(half_m, off.length() - 0.02);
        if across >= half {
            return free;
        }
        math::min(free, math::max(along - (half * half - across * across).sqrt(), 0.0))
    })
}

impl Bronto {
    pub(super) fn decide_by_ground(
        &mut self,
        config: &BrontoConfig,
        percept: &Percept,
        feel: &Feel,
        random: &mut Stream,
        scratch: &mut BrontoScratch,
    ) {
        let here = plane::ground(feel.feet);
        let outlook = &mut scratch.outlook;
        outlook.take(percept, &config.gait);
        outlook.recall(&mut self.memory);
        self.leave_trail(here);
        let enemy = self.react(config, percept, feel);
        let was_centered = self.neck == 0.0;
        self.move_eyes(feel, enemy.as_ref());
        // A turn is held; one that looks for a way out ends with the first one seen.
        if self.turn_to.is_some() && !self.is_searching(config) {
            return;
        }
        // What the legs are on must still be free.
        let half = config.gait.half_width_m * SQUEEZE;
        let mut start_m = self.travelled_m;
        let is_free = self.curves().all(|curve| {
            let is_free = is_clear(outlook, here, &curve, start_m, half);
            start_m = 0.0;
            is_free
        });
        if !is_free {
            self.halt();
        }
        if self.reaction == Reaction::Intercept
            && self.intercept(config, feel, outlook, enemy, percept.at.unwrap_or(feel.tick))
        {
            return;
        }
        if self.seek_item(config, percept, feel, outlook) {
            return;
        }
        let is_on_errand = self.aim != Aim::Around && !self.legs.is_empty();
        let is_under_way = !self.legs.is_empty() && self.share_travelled() < config.renew_share;
        let is_standing = self.legs.is_empty();
        if (was_centered || is_standing) && !is_on_errand && !is_under_way {
            let is_found = self.wander(config, feel, outlook, random);
            if !is_found && is_standing && was_centered && self.turn_to.is_none() {
                self.turn_about(feel, random);
            }
        }
    }

    fn leave_trail(&mut self, here: Vec2) {
        if self.trail.last().is_none_or(|last| last.distance(here) > TRAIL_STEP_M) {
            if self.trail.len() >= TRAIL_MAX {
                self.trail.remove(0);
            }
            self.trail.reserve(TRAIL_MAX);
            self.trail.push(here);
        }
    }

    /// Every other look is straight ahead; the others follow an enemy, or look aside for what is wanted.
    fn move_eyes(&mut self, feel: &Feel, enemy: Option<&Sighted>) {
        let is_aside = self.looks % 2 == 1;
        self.neck = match enemy {
            _ if !is_aside || self.turn_to.is_some() => 0.0,
            Some(enemy) => {
                let toward = plane::yaw(plane::ground(enemy.place - feel.feet));
                math::clamp(math::angle_between(feel.yaw, toward), -GLANCE_RAD, GLANCE_RAD)
            }
            None if self.mood.wanted().is_empty() || self.aim != Aim::Around => 0.0,
            None if self.looks % 4 == 1 => GLANCE_RAD,
            None => -GLANCE_RAD,
        };
    }

    /// Goes where an enemy will be. False when there is no way.
    fn intercept(
        &mut self,
        config: &BrontoConfig,
        feel: &Feel,
        outlook: &Outlook,
        enemy: Option<Sighted>,
        at: Tick,
    ) -> bool {
        let Some(place) = enemy.map(|enemy| plane::ground(enemy.place)) else { return false };
        let here = plane::ground(feel.feet);
        // How it moves: from where it was a look or two ago.
        let before = self.enemy.replace(Sighting { place, at });
        let velocity = before.map_or(Vec2::ZERO, |before| {
            let time_s = feel.rate.seconds(at.since(before.at));
            let is_one = time_s > 0.0 && time_s < 0.7 && place.distance(before.place) < 8.0 * time_s;
            if is_one { (place - before.place) / time_s } else { Vec2::ZERO }
        });
        let lead_s = math::min(place.distance(here) / math::max(config.run_m_per_s, 0.1), 1.5);
        [place + velocity * lead_s, place]
            .into_iter()
            .any(|goal| self.go_for(config, feel, outlook, goal, Aim::Enemy(goal)))
    }

    /// Goes for the nearest thing it wants that it can get to. False when there is none.
    fn seek_item(&mut self, config: &BrontoConfig, percept: &Percept, feel: &Feel, outlook: &Outlook) -> bool {
        let wanted = self.mood.wanted();
        let items = percept.objects.iter().filter(|object| wanted.iter().any(|class| class.0 == object.class));
        for item in items.take(TRIES_MAX) {
            let place = plane::ground(item.place);
            let is_spurned = feel.tick < self.spurned.at && place.distance(self.spurned.place) < SPURN_M;
            if is_spurned {
                continue;
            }
            let is_same = |goal: Vec2| goal.distance(place) < SAME_M;
            if matches!(self.aim, Aim::Item(goal) if is_same(goal)) && !self.legs.is_empty() {
                return true;
            }
            if self.go_for(config, feel, outlook, place, Aim::Item(place)) {
                return true;
            }
            self.spurned = Sighting { place, at: feel.tick + feel.rate.ticks(SPURN_S) };
        }
        false
    }

    /// Takes a free way to a place: one curve, or two around what is between. False when none is known.
    fn go_for(&mut self, config: &BrontoConfig, feel: &Feel, outlook: &Outlook, goal: Vec2, aim: Aim) -> bool {
        let (here, heading) = (plane::ground(feel.feet), plane::heading(feel.yaw));
        for half in [config.gait.half_width_m, config.gait.half_width_m * SQUEEZE] {
            for leaving in [heading, goal - here] {
                let curve = Curve::to(here, leaving, goal).filter(|curve| is_clear(outlook, here, curve, 0.0, half));
                if let Some(curve) = curve {
                    self.go(aim, &[curve]);
                    return true;
                }
            }
        }
        let Some(curves) = chain(outlook, here, goal, config.gait.half_width_m) else { return false };
        self.go(aim, &curves);
        true
    }

    /// Turns on the spot: back first, then to the sides.
    fn turn_about(&mut self, feel: &Feel, random: &mut Stream) {
        // What is remembered and was wrong must not hold it for ever.
        if self.turns >= 1 {
            self.memory.forget();
        }
        let by = if self.turns.is_multiple_of(2) { math::PI } else { math::FRAC_PI_2 };
        self.turn(feel.yaw, by, random);
    }

    /// Walks on, rather far, rather straight, and rather where it has not been. False when there is no way.
    fn wander(&mut self, config: &BrontoConfig, feel: &Feel, outlook: &Outlook, random: &mut Stream) -> bool {
        let (here, heading) = (plane::ground(feel.feet), plane::heading(feel.yaw));
        for half in [config.gait.half_width_m, config.gait.half_width_m * SQUEEZE] {
            let mut best: Option<(f32, Vec2)> = None;
            for reach in outlook.reaches().iter().step_by(COLUMN_STEP) {
                let free = free_m(outlook, here, reach.toward, RANGE_M, half);
                let far = math::min(free, reach.ground_m - if reach.is_blocked { half } else { 0.0 });
                if far < LEAST_M {
                    continue;
                }
                let end = here + reach.toward * far;
                let was_there = |place: &&Vec2| place.distance(end) < STALE_NEAR_M;
                let stale = self.trail.iter().filter(was_there).count().min(STALE_MAX) as f32;
                let angle = math::acos(math::clamp(reach.toward.dot(heading), -1.0, 1.0));
                let worth = far - TURN_COST_M * angle - STALE_COST_M * stale + random.between(0.0, 1.5);
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, end));
                }
            }
            let Some((_, end)) = best else { continue };
            let bent = Curve::to(here, heading, end).filter(|curve| is_clear(outlook, here, curve, 0.0, half));
            if let Some(curve) = bent.or_else(|| Curve::to(here, end - here, end)) {
                self.go(Aim::Around, &[curve]);
                return true;
            }
        }
        false
    }
}

/// Two curves to a goal around what is between: over the place beside it that makes the shortest way.
fn chain(outlook: &Outlook, here: Vec2, goal: Vec2, half_m: f32) -> Option<[Curve; 2]> {
    let mut best: Option<(f32, [Curve; 2])> = None;
    let most_m = here.distance(goal) * 2.0 + 4.0;
    for reach in outlook.reaches().iter().step_by(COLUMN_STEP) {
        let free = free_m(outlook, here, reach.toward, RANGE_M, half_m);
        let far = math::min(free, reach.ground_m);
        for share in [0.35, 0.65, 1.0] {
            let corner = here + reach.toward * (far * share);
            let length = far * share + corner.distance(goal);
            if far * share < LEAST_M || length > most_m || best.is_some_and(|(least, _)| length >= least) {
                continue;
            }
            let curves = Curve::to(here, reach.toward, corner).zip(Curve::to(corner, reach.toward, goal));
            let Some((first, second)) = curves else { continue };
            if is_clear(outlook, here, &second, 0.0, half_m) {
                best = Some((length, [first, second]));
            }
        }
    }
    best.map(|(_, curves)| curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outlook::Outlook;
    use proptest::prelude::*;

    /// The same, every place of the curve against every point.
    fn is_clear_slow(outlook: &Outlook, here: Vec2, curve: &Curve, from_m: f32, half_m: f32) -> bool {
        let step = math::max(half_m / 2.0, 0.05);
        let steps = ((curve.length_m() - from_m) / step).ceil();
        let needs = |point: &Vec2| math::min(half_m, point.distance(here) - 0.02);
        (0..=steps as u32).all(|index| {
            let (place, _) = curve.along(from_m + index as f32 * step);
            outlook.obstacles().iter().all(|point| point.distance(place) >= needs(point))
        })
    }

    fn free_m_slow(outlook: &Outlook, here: Vec2, toward: Vec2, range_m: f32, half_m: f32) -> f32 {
        outlook.obstacles().iter().fold(range_m, |free, &point| {
            let off = point - here;
            let half = math::min(half_m, off.length() - 0.02);
            let (along, across) = (off.dot(toward), off.perp_dot(toward).abs());
            if along <= 0.0 || across >= half {
                return free;
            }
            math::min(free, math::max(along - (half * half - across * across).sqrt(), 0.0))
        })
    }

    fn place() -> impl Strategy<Value = Vec2> {
        (-6.0f32..6.0, -6.0f32..6.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn a_way_is_as_free_as_when_every_point_is_tried(
            points in prop::collection::vec(place(), 0..30),
            (here, heading, goal) in (place(), place(), place()),
            from_m in 0.0f32..3.0,
            half_m in 0.0f32..1.0,
        ) {
            let outlook = Outlook::among(points);
            if let Some(curve) = Curve::to(here, heading, goal) {
                let slow = is_clear_slow(&outlook, here, &curve, from_m, half_m);
                prop_assert_eq!(is_clear(&outlook, here, &curve, from_m, half_m), slow);
            }
            let toward = plane::direction(heading);
            let slow = free_m_slow(&outlook, here, toward, RANGE_M, half_m);
            prop_assert_eq!(free_m(&outlook, here, toward, RANGE_M, half_m).to_bits(), slow.to_bits());
        }
    }
}
