//! Round things, walls and each other, seen coming.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use crate::mover::{Disc, Mover, Moving, Wall, sound};

/// Where one goes, or, hardly moving, faces.
fn course(me: &Mover) -> Vec2 {
    if me.at.velocity.length() > 0.05 { plane::direction(me.at.velocity) } else { me.at.heading() }
}

/// Tuning of [`avoid_discs`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct DiscConfig {
    /// How far it looks ahead, s of its way. Limit: ≥ 0.
    pub horizon_s: f32,
    /// How far it looks at least, m. Limit: ≥ 0.
    pub reach_m: f32,
    /// Room it likes to keep, m. Limit: ≥ 0.
    pub margin_m: f32,
}

impl Default for DiscConfig {
    fn default() -> Self {
        DiscConfig { horizon_s: 1.5, reach_m: 1.0, margin_m: 0.2 }
    }
}

/// Part of the strongest acceleration that goes into braking before a disc.
const BRAKE_SHARE: f32 = 0.4;

/// Aside and a little slower before the first disc on the way; the more, the nearer it is. Exactly head on, it passes on
/// the right.
pub fn avoid_discs(me: &Mover, discs: &[Disc], config: &DiscConfig) -> Vec2 {
    let ahead = course(me);
    let left = plane::left_of(ahead);
    let reach_m = math::max(config.reach_m, me.at.velocity.length() * config.horizon_s);
    // Way until contact, how far to the left its middle is, its radius grown by one's own.
    let mut first: Option<(f32, f32, f32)> = None;
    let mut off = Vec2::ZERO;
    for disc in discs {
        let way = disc.center - me.at.position;
        let grown = disc.radius_m + me.at.radius_m + config.margin_m;
        // Nearer than one likes: straight off, whatever the way, unless one is leaving already.
        let depth = grown - way.length();
        if depth > 0.0 && me.at.velocity.dot(way) >= 0.0 {
            off -= plane::direction(way) * math::saturate(depth / math::max(config.margin_m, 1e-3));
        }
        let (along, aside) = (way.dot(ahead), way.dot(left));
        if aside.abs() >= grown || along < 0.0 {
            continue;
        }
        let contact = along - (grown * grown - aside * aside).sqrt();
        if contact < reach_m && first.is_none_or(|(nearest, _, _)| contact < nearest) {
            first = Some((contact, aside, grown));
        }
    }
    let off = off * me.acceleration_m_per_s2_max;
    let Some((contact, aside, grown)) = first else { return sound(off) };
    let urgency = 1.0 - math::saturate(contact / math::max(reach_m, 1e-6));
    let overlap = 1.0 - aside.abs() / grown;
    // A sliver of overlap still needs a push worth the name.
    let push = me.acceleration_m_per_s2_max * urgency * (0.25 + 0.75 * overlap);
    let side = if aside < 0.0 { left } else { -left };
    let brake = me.acceleration_m_per_s2_max * BRAKE_SHARE * urgency * urgency * overlap;
    let speed_share = math::saturate(me.at.velocity.length() / math::max(me.speed_m_per_s_max, 1e-6));
    sound(off + side * push - ahead * (brake * speed_share))
}

/// Tuning of [`avoid_walls`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct FeelerConfig {
    /// Length of the middle feeler, s of the way. Limit: ≥ 0.
    pub horizon_s: f32,
    /// Its least length, m. Limit: ≥ 0.
    pub reach_m: f32,
    /// Angle of the outer feelers, rad. Limit: 0..=π/2.
    pub spread_rad: f32,
    /// Length of the outer feelers as a share of the middle one. Limit: 0..=1.
    pub outer_share: f32,
}

impl Default for FeelerConfig {
    fn default() -> Self {
        FeelerConfig { horizon_s: 0.8, reach_m: 0.8, spread_rad: 0.8, outer_share: 0.6 }
    }
}

/// The feelers' tips: ahead, left, right.
pub fn feelers(me: &Mover, config: &FeelerConfig) -> [Vec2; 3] {
    let ahead = course(me);
    let length = math::max(config.reach_m, me.at.velocity.length() * config.horizon_s) + me.at.radius_m;
    let (sin, cos) = math::sin_cos(config.spread_rad);
    let left = plane::left_of(ahead);
    let outer = length * config.outer_share;
    [ahead * length, (ahead * cos + left * sin) * outer, (ahead * cos - left * sin) * outer]
        .map(|way| me.at.position + way)
}

/// Where a feeler first goes through a wall from its open side: the share of its length, and the normal.
fn felt(from: Vec2, tip: Vec2, walls: &[Wall]) -> Option<(f32, Vec2)> {
    let way = tip - from;
    let mut first: Option<(f32, Vec2)> = None;
    for wall in walls {
        let along = wall.to - wall.from;
        let normal = wall.normal();
        let slope = way.perp_dot(along);
        if way.dot(normal) >= 0.0 || slope == 0.0 {
            continue;
        }
        let gap = wall.from - from;
        let (share, place) = (gap.perp_dot(along) / slope, gap.perp_dot(way) / slope);
        let is_hit = (0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&place);
        if is_hit && first.is_none_or(|(nearest, _)| share < nearest) {
            first = Some((share, normal));
        }
    }
    first
}

/// Away from walls that the feelers touch, along their normals, by how deep the feelers are in. Head on, where the normal
/// only brakes, it also turns to the right.
pub fn avoid_walls(me: &Mover, walls: &[Wall], config: &FeelerConfig) -> Vec2 {
    let tips = feelers(me, config);
    let ahead = plane::direction(tips[0] - me.at.position);
    let mut push = Vec2::ZERO;
    for (number, tip) in tips.into_iter().enumerate() {
        let Some((share, normal)) = felt(me.at.position, tip, walls) else { continue };
        // The depth of the tip behind the wall, as a share of the feeler.
        let depth = 1.0 - share;
        push += normal * depth;
        if number == 0 {
            let aside = plane::left_of(normal);
            let turn = aside.dot(ahead);
            let is_head_on = turn.abs() < 1e-3;
            let side = if is_head_on { -plane::left_of(ahead) } else { aside * turn.signum() };
            push += side * (depth * 0.5);
        }
    }
    sound(push * me.acceleration_m_per_s2_max)
}

/// Keeps within a convex field whose walls are open inward: whoever would be past a wall within `horizon_s` is turned back
/// along its normal.
pub fn contain(me: &Mover, walls: &[Wall], horizon_s: f32) -> Vec2 {
    let horizon_s = math::max(horizon_s, 0.05);
    let future = me.at.position + me.at.velocity * horizon_s;
    let mut push = Vec2::ZERO;
    for wall in walls {
        let normal = wall.normal();
        let deep = me.at.radius_m - (future - wall.from).dot(normal);
        if deep > 0.0 {
            push += normal * (2.0 * deep / (horizon_s * horizon_s));
        }
    }
    sound(push)
}

/// Tuning of [`avoid_collisions`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct CollisionConfig {
    /// How far ahead collisions count, s. Limit: ≥ 0.
    pub horizon_s: f32,
    /// Room it likes to keep, m. Limit: ≥ 0.
    pub margin_m: f32,
}

impl Default for CollisionConfig {
    fn default() -> Self {
        CollisionConfig { horizon_s: 3.0, margin_m: 0.25 }
    }
}

/// When two who go on as they do are nearest, s from now on, and how they then lie to each other.
pub fn closest_approach(me: &Moving, other: &Moving) -> (f32, Vec2) {
    let (way, drift) = (other.position - me.position, other.velocity - me.velocity);
    let squared = drift.length_squared();
    let time_s = if squared > 0.0 { math::max(-way.dot(drift) / squared, 0.0) } else { 0.0 };
    let time_s = if time_s.is_finite() { time_s } else { 0.0 };
    (time_s, way + drift * time_s)
}

/// Out of the way of everybody with whom one would collide, the sooner the more; and straight off from whoever is too near
/// and coming nearer. Exactly head on, both pass on the right.
pub fn avoid_collisions(me: &Mover, others: &[Moving], config: &CollisionConfig) -> Vec2 {
    let (mut push, mut most) = (Vec2::ZERO, 0.0);
    for other in others {
        let (way, drift) = (other.position - me.at.position, other.velocity - me.at.velocity);
        let (time_s, gap) = closest_approach(&me.at, other);
        let room = me.at.radius_m + other.radius_m + config.margin_m;
        // Who is drawing away needs no help, nor does anybody at rest beside one at rest.
        let is_closing = way.dot(drift) < 0.0;
        if !is_closing || gap.length() >= room || time_s > config.horizon_s {
            continue;
        }
        let urgency = 1.0 - time_s / math::max(config.horizon_s, 1e-6) * 0.7;
        // Across the relative way, to the side on which there is more room; the right-hand side when there is none.
        let across = -plane::left_of(plane::direction(-drift));
        let aside = gap.dot(across);
        let side = if aside > 1e-3 * room { -across } else { across };
        let short = 1.0 - math::saturate(aside.abs() / room);
        let deep = math::saturate((room - way.length()) / math::max(config.margin_m, 1e-3));
        push += (side * (0.2 + 0.8 * short) - plane::direction(way) * deep) * (urgency * urgency);
        most = math::max(most, urgency);
    }
    // As urgent as the most urgent one: ten far ones are no emergency.
    sound(plane::direction(push) * (math::min(push.length(), most) * me.acceleration_m_per_s2_max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walker(speed: f32) -> Mover {
        let mut me = Mover::default();
        me.at.velocity = Vec2::Y * speed;
        me
    }

    #[test]
    fn discs_off_the_way_or_behind_do_not_matter() {
        let me = walker(2.0);
        let disc = |x: f32, y: f32| [Disc { center: Vec2::new(x, y), radius_m: 0.5 }];
        for (x, y) in [(1.1, 2.0), (0.0, -1.0), (0.0, 9.0)] {
            assert_eq!(avoid_discs(&me, &disc(x, y), &DiscConfig::default()), Vec2::ZERO, "{x} {y}");
        }
        let left = avoid_discs(&me, &disc(0.3, 2.0), &DiscConfig::default());
        let right = avoid_discs(&me, &disc(-0.3, 2.0), &DiscConfig::default());
        assert!(left.x < 0.0 && right.x > 0.0 && left.y < 0.0, "{left} {right}");
        assert!(avoid_discs(&me, &disc(0.0, 2.0), &DiscConfig::default()).x > 0.0, "head on it goes right");
        assert_eq!(avoid_discs(&me, &[], &DiscConfig::default()), Vec2::ZERO);
    }

    #[test]
    fn the_nearer_the_disc_the_stronger_the_push() {
        let push = |y: f32| {
            let disc = [Disc { center: Vec2::new(0.2, y), radius_m: 0.5 }];
            avoid_discs(&walker(2.0), &disc, &DiscConfig::default()).length()
        };
        assert!(push(1.5) > push(2.5) && push(2.5) > push(3.5) && push(3.5) > 0.0);
    }

    #[test]
    fn feelers_push_off_by_how_deep_they_are_in_and_only_from_the_open_side() {
        // A wall across the way, open to the south.
        let wall = |y: f32| [Wall { from: Vec2::new(5.0, y), to: Vec2::new(-5.0, y) }];
        assert_eq!(wall(1.0)[0].normal(), Vec2::Y);
        let open_south = |y: f32| [Wall { from: Vec2::new(-5.0, y), to: Vec2::new(5.0, y) }];
        let push = |walls: &[Wall]| avoid_walls(&walker(2.0), walls, &FeelerConfig::default());
        assert!(push(&open_south(1.0)).y < push(&open_south(1.5)).y && push(&open_south(1.5)).y < 0.0);
        assert_eq!(push(&open_south(3.0)), Vec2::ZERO);
        assert_eq!(push(&wall(1.0)), Vec2::ZERO);
        // One at the right pushes to the left.
        let side = [Wall { from: Vec2::new(0.5, 5.0), to: Vec2::new(0.5, -5.0) }];
        assert!(push(&side).x < 0.0);
    }

    #[test]
    fn the_field_turns_back_who_would_leave_it() {
        let field: Vec<Wall> =
            Wall::around(&[Vec2::splat(-9.0), Vec2::new(-9.0, 9.0), Vec2::splat(9.0), Vec2::new(9.0, -9.0)]).collect();
        let mut me = walker(2.0);
        assert_eq!(contain(&me, &field, 1.0), Vec2::ZERO);
        me.at.position.y = 7.0;
        assert!(contain(&me, &field, 1.0).y < 0.0);
        for _ in 0..600 {
            me.at.velocity = me.velocity_after(contain(&me, &field, 1.0), 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
            assert!(me.at.position.y < 9.0);
        }
    }

    #[test]
    fn two_who_meet_head_on_pass_on_the_right() {
        let mut one = walker(2.0);
        let mut other = walker(-2.0);
        (one.at.position, other.at.position) = (Vec2::Y * -5.0, Vec2::Y * 5.0);
        let mut least = f32::MAX;
        for _ in 0..600 {
            let seen = (one.at, other.at);
            for (me, it, way) in [(&mut one, seen.1, 1.0), (&mut other, seen.0, -1.0)] {
                let aside = avoid_collisions(me, &[it], &CollisionConfig::default());
                let onward = me.toward(Vec2::Y * 2.0 * way);
                me.at.velocity = me.velocity_after(aside * 2.0 + onward, 1.0 / 60.0);
                me.at.position += me.at.velocity / 60.0;
            }
            least = math::min(least, one.at.position.distance(other.at.position));
        }
        assert!(least > 0.6, "{least}");
        assert!(one.at.position.x > 0.1 && other.at.position.x < -0.1, "{} {}", one.at.position, other.at.position);
    }

    #[test]
    fn nobody_evades_who_draws_away_or_stands_beside() {
        let me = walker(1.0);
        let config = CollisionConfig::default();
        let faster = Moving { velocity: Vec2::Y * 2.0, radius_m: 0.3, ..Moving::at(Vec2::Y * 0.8) };
        assert_eq!(avoid_collisions(&me, &[faster], &config), Vec2::ZERO);
        let resting = Moving { radius_m: 0.3, ..Moving::at(Vec2::X * 0.5) };
        assert_eq!(avoid_collisions(&Mover::default(), &[resting, Moving::default()], &config), Vec2::ZERO);
        assert_eq!(closest_approach(&me.at, &me.at), (0.0, Vec2::ZERO));
    }
}
