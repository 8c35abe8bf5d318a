//! With others: apart, together, the same way; behind a leader, in a queue.
//!
//! Neighbors are handed in, oneself left out, already chosen by distance (`sentir_core::index`). For thousands at a time
//! there is the batched form in `flock`.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use super::goal::{Deceleration, arrive, seek};
use crate::mover::{Mover, Moving, sound};

/// Away from each neighbor nearer than `radius_m`, the more the nearer; who is at the very same place does not count.
pub fn separation(me: &Mover, neighbors: &[Moving], radius_m: f32) -> Vec2 {
    let mut push = Vec2::ZERO;
    for other in neighbors {
        let away = me.at.position - other.position;
        let share = 1.0 - away.length() / radius_m;
        if share > 0.0 {
            push += plane::direction(away) * share;
        }
    }
    sound(push * me.acceleration_m_per_s2_max)
}

/// To the middle of the neighbors.
pub fn cohesion(me: &Mover, neighbors: &[Moving]) -> Vec2 {
    let Some(middle) = mean(neighbors.iter().map(|other| other.position)) else { return Vec2::ZERO };
    seek(me, middle)
}

/// The neighbors' mean velocity.
pub fn alignment(me: &Mover, neighbors: &[Moving]) -> Vec2 {
    let Some(velocity) = mean(neighbors.iter().map(|other| other.velocity)) else { return Vec2::ZERO };
    me.toward(velocity)
}

fn mean(values: impl Iterator<Item = Vec2>) -> Option<Vec2> {
    let (mut sum, mut count) = (Vec2::ZERO, 0.0);
    for value in values {
        (sum, count) = (sum + value, count + 1.0);
    }
    let mean = sum / count;
    mean.is_finite().then_some(mean)
}

/// Tuning of [`follow_leader`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct LeaderConfig {
    /// How far behind the leader one stays, m. Limit: ≥ 0.
    pub behind_m: f32,
    /// How far the lane ahead of the leader is kept clear, m. Limit: ≥ 0.
    pub lane_m: f32,
    /// Half the width of that lane, m. Limit: ≥ 0.
    pub lane_half_m: f32,
}

impl Default for LeaderConfig {
    fn default() -> Self {
        LeaderConfig { behind_m: 1.5, lane_m: 3.0, lane_half_m: 0.8 }
    }
}

/// To a place behind the leader; out of the lane ahead of it, sideways, when one stands there.
pub fn follow_leader(me: &Mover, leader: &Moving, config: &LeaderConfig) -> Vec2 {
    let local = leader.to_local(me.at.position);
    let is_in_lane = local.y > 0.0 && local.y < config.lane_m && local.x.abs() < config.lane_half_m;
    if is_in_lane {
        // Exactly ahead, to the right.
        let side = if local.x < 0.0 { -1.0 } else { 1.0 };
        return me.toward(leader.turned(Vec2::X * side) * me.speed_m_per_s_max);
    }
    arrive(me, leader.to_world(Vec2::NEG_Y * config.behind_m), Deceleration::Normal)
}

/// Brakes behind whoever is close ahead and slower, so that people queue instead of pushing: within `reach_m`, beside the
/// way by no more than both radii.
pub fn queue(me: &Mover, neighbors: &[Moving], reach_m: f32) -> Vec2 {
    let speed = me.at.velocity.length();
    let ahead = if speed > 0.05 { me.at.velocity / speed } else { me.at.heading() };
    let mut most = 0.0;
    for other in neighbors {
        let way = other.position - me.at.position;
        let along = way.dot(ahead);
        let aside = way.dot(plane::left_of(ahead)).abs();
        let gap = along - me.at.radius_m - other.radius_m;
        let is_before = along > 0.0 && gap < reach_m && aside < me.at.radius_m + other.radius_m;
        let excess = speed - math::max(other.velocity.dot(ahead), 0.0);
        if is_before && excess > 0.0 {
            most = math::max(most, excess * math::saturate(1.0 - gap / math::max(reach_m, 1e-3)));
        }
    }
    me.toward(me.at.velocity - ahead * most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32) -> Moving {
        Moving { radius_m: 0.3, ..Moving::at(Vec2::new(x, y)) }
    }

    #[test]
    fn separation_is_nothing_at_its_radius_and_grows_inward() {
        let me = Mover::default();
        let push = |x: f32| separation(&me, &[at(x, 0.0)], 2.0).x;
        assert_eq!((push(2.0), push(3.0), push(0.0)), (0.0, 0.0, 0.0));
        assert!(push(0.5) < push(1.5) && push(1.5) < 0.0);
        assert_eq!(separation(&me, &[at(1.0, 0.0), at(-1.0, 0.0)], 2.0), Vec2::ZERO);
        assert_eq!(separation(&me, &[at(1.0, 0.0)], 0.0), Vec2::ZERO);
    }

    #[test]
    fn cohesion_and_alignment_go_by_the_mean() {
        let me = Mover::default();
        let mut others = [at(2.0, 1.0), at(4.0, 3.0)];
        (others[0].velocity, others[1].velocity) = (Vec2::X, Vec2::Y);
        assert_eq!(cohesion(&me, &others), seek(&me, Vec2::new(3.0, 2.0)));
        assert_eq!(alignment(&me, &others), me.toward(Vec2::splat(0.5)));
        assert_eq!((cohesion(&me, &[]), alignment(&me, &[])), (Vec2::ZERO, Vec2::ZERO));
    }

    #[test]
    fn followers_clear_the_lane_and_stand_behind() {
        let leader = Moving { yaw: 0.0, radius_m: 0.3, ..Moving::at(Vec2::ZERO) };
        let follower = |x: f32, y: f32| {
            let mut me = Mover::default();
            me.at.position = Vec2::new(x, y);
            follow_leader(&me, &leader, &LeaderConfig::default())
        };
        assert!(follower(0.2, 1.0).x > 0.0 && follower(-0.2, 1.0).x < 0.0 && follower(0.0, 1.0).x > 0.0);
        assert!(follower(2.0, 1.0).x < 0.0 && follower(2.0, 1.0).y < 0.0);
        assert!(follower(0.0, -1.5).length() < 1e-4);
    }

    #[test]
    fn one_queues_behind_the_slow_and_not_behind_the_fast_or_the_passed() {
        let mut me = Mover::default();
        me.at.velocity = Vec2::Y * 1.5;
        assert!(queue(&me, &[at(0.1, 1.0)], 1.5).y < -1.0);
        let fast = Moving { velocity: Vec2::Y * 2.0, ..at(0.1, 1.0) };
        for none in [fast, at(0.0, -1.0), at(1.0, 1.0), at(0.0, 9.0)] {
            assert_eq!(queue(&me, &[none], 1.5), Vec2::ZERO);
        }
    }
}
