//! Context steering: how interesting and how dangerous each direction is, then one choice (Fray 2013).
//!
//! Wishes that are summed can cancel out: between two equal threats one stands still, between goal and wall one crawls.
//! Here each wish writes what it likes and fears into maps over directions; the direction of most interest among the
//! least dangerous ones wins, refined between its neighbors. Directions count from where the body faces, so they turn with
//! it. O(directions) per wish; allocates nothing.

use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use crate::mover::Mover;

/// How many directions.
pub const DIRECTIONS: usize = 16;
/// Directions this much more dangerous than the least dangerous one are out.
const DANGER_GIVE: f32 = 0.1;

/// Interest and danger, 0 to 1, in [`DIRECTIONS`] directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextMap {
    ahead: Vec2,
    /// The directions, counter-clockwise from ahead.
    directions: [Vec2; DIRECTIONS],
    interest: [f32; DIRECTIONS],
    danger: [f32; DIRECTIONS],
    /// The fastest that anybody who likes a direction wants to go, as a share of full speed.
    pace: f32,
}

impl ContextMap {
    /// Nothing of interest, no danger, around a facing direction; what has no direction counts as ground north.
    pub fn new(ahead: Vec2) -> ContextMap {
        let ahead = plane::direction(ahead);
        let ahead = if ahead == Vec2::ZERO { Vec2::Y } else { ahead };
        let mut directions = [ahead; DIRECTIONS];
        for (number, direction) in directions.iter_mut().enumerate().skip(1) {
            let (sin, cos) = math::sin_cos(math::TAU * number as f32 / DIRECTIONS as f32);
            *direction = ahead * cos + plane::left_of(ahead) * sin;
        }
        ContextMap { ahead, directions, interest: [0.0; DIRECTIONS], danger: [0.0; DIRECTIONS], pace: 0.0 }
    }

    /// The directions with their interest and danger, for drawing.
    pub fn entries(&self) -> impl Iterator<Item = (Vec2, f32, f32)> + '_ {
        self.directions
            .iter()
            .zip(self.interest)
            .zip(self.danger)
            .map(|((&way, interest), danger)| (way, interest, danger))
    }

    /// Likes a direction by `strength`, and those beside it less: by the cosine, down to nothing behind. `pace` is how fast
    /// it wants to go there, as a share of full speed.
    pub fn like(&mut self, direction: Vec2, strength: f32, pace: f32) {
        let direction = plane::direction(direction);
        if strength > 0.0 {
            self.pace = math::max(self.pace, math::saturate(pace));
        }
        for (slot, way) in self.interest.iter_mut().zip(self.directions) {
            let value = strength * (0.5 + 0.5 * way.dot(direction));
            *slot = if direction == Vec2::ZERO { *slot } else { math::max(*slot, math::saturate(value)) };
        }
    }

    /// Fears a direction by `strength`, and those within a quarter turn less.
    pub fn fear(&mut self, direction: Vec2, strength: f32) {
        let direction = plane::direction(direction);
        for (slot, way) in self.danger.iter_mut().zip(self.directions) {
            let value = strength * math::max(way.dot(direction), 0.0);
            *slot = math::max(*slot, math::saturate(value));
        }
    }

    /// The velocity to want, as a share of full speed: the liked direction among the safe ones, slower where even that one
    /// is feared. Zero when nothing is of interest. Equals: nearest to ahead, then to the right.
    pub fn choose(&self) -> Vec2 {
        let least = self.danger.iter().fold(1.0, |least, &danger| math::min(least, danger));
        let worth = |number: usize| {
            let is_safe = self.danger[number] <= least + DANGER_GIVE;
            if is_safe { self.interest[number] } else { 0.0 }
        };
        // From ahead outward, the right-hand side first.
        let order = (0..DIRECTIONS).map(|rank| {
            let aside = rank.div_ceil(2);
            if rank % 2 == 1 { (DIRECTIONS - aside) % DIRECTIONS } else { aside }
        });
        let mut best = (0.0, None);
        for number in order {
            if worth(number) > best.0 {
                best = (worth(number), Some(number));
            }
        }
        let Some(number) = best.1 else { return Vec2::ZERO };
        // The top of a parabola through it and its neighbors: sixteen directions are too few to walk straight.
        let (before, after) = ((number + DIRECTIONS - 1) % DIRECTIONS, (number + 1) % DIRECTIONS);
        let (low, high) = (worth(before), worth(after));
        let bend = 2.0 * best.0 - low - high;
        let is_open = low > 0.0 && high > 0.0 && bend > 1e-6;
        let lean = if is_open { math::clamp(0.5 * (high - low) / bend, -0.5, 0.5) } else { 0.0 };
        let beside = self.directions[if lean < 0.0 { before } else { after }];
        let way = self.directions[number].lerp(beside, lean.abs());
        plane::direction(way) * ((1.0 - self.danger[number]) * self.pace)
    }

    /// The acceleration to the chosen velocity.
    pub fn steer(&self, me: &Mover) -> Vec2 {
        me.clamped(me.toward(self.choose() * me.speed_m_per_s_max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_liked_direction_is_taken_as_it_is_where_nothing_is_feared() {
        for angle in [0.0f32, 0.1, 0.5, 1.0, 2.0, 3.0, -1.2] {
            let mut map = ContextMap::new(Vec2::Y);
            let goal = plane::heading(angle);
            map.like(goal, 1.0, 1.0);
            assert!(math::angle_between(plane::yaw(map.choose()), angle).abs() < 0.06, "{angle}: {}", map.choose());
            assert!((map.choose().length() - 1.0).abs() < 1e-4);
        }
        assert_eq!(ContextMap::new(Vec2::ZERO).choose(), Vec2::ZERO);
    }

    #[test]
    fn a_feared_goal_is_gone_round_and_not_crawled_at() {
        let mut map = ContextMap::new(Vec2::Y);
        map.like(Vec2::Y, 1.0, 1.0);
        map.fear(Vec2::Y, 1.0);
        let way = map.choose();
        // Beside the danger and not back; to the right, as nothing tells the sides apart.
        assert!(way.x > 0.9 && way.y > -0.2 && way.length() > 0.8, "{way}");
    }

    #[test]
    fn fear_all_round_slows_down() {
        let mut map = ContextMap::new(Vec2::X);
        map.like(Vec2::X, 1.0, 1.0);
        for number in 0..16u8 {
            map.fear(plane::heading(f32::from(number) * math::TAU / 16.0), 0.7);
        }
        assert!((map.choose().length() - 0.3).abs() < 0.01, "{}", map.choose());
    }

    proptest! {
        #[test]
        fn choices_are_finite_and_turn_with_the_world(
            wishes in proptest::collection::vec((-3.0f32..3.0, 0.0f32..1.5, any::<bool>()), 1..6),
            turn in -3.0f32..3.0,
        ) {
            let choose = |turn: f32| {
                let mut map = ContextMap::new(plane::heading(turn));
                for &(angle, strength, is_liked) in &wishes {
                    let way = plane::heading(angle + turn);
                    if is_liked { map.like(way, strength, 1.0) } else { map.fear(way, strength) }
                }
                map
            };
            let (here, there) = (choose(0.0), choose(turn));
            prop_assert!(here.choose().is_finite() && here.choose().length() <= 1.0001);
            // Rounding may decide between directions of equal worth; their worth is the same.
            let near = |(a, b): (f32, f32)| (a - b).abs() < 1e-4;
            prop_assert!(here.interest.into_iter().zip(there.interest).all(near));
            prop_assert!(here.danger.into_iter().zip(there.danger).all(near));
        }
    }
}
