//! From a wish to a velocity: past others, with the walls of the mesh in mind, smoothed, and on the mesh.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use super::footing::Spot;
use super::wall::{on_mesh, walls_near, way_back};
use super::{Follower, MeshGround, Phase, STILL_M_PER_S, SteerConfig, bypass};
use crate::avoid::{self, Avoider, Nearest, Planes};
use crate::mover::limited;

/// Who counts as a point keeps this far off the walls of its mesh, m.
const SKIN_M: f32 = 0.01;
/// How fast it comes to bear aside, rad/s, and back twice as fast.
const LEAN_RAD_PER_S: f32 = 0.6;
/// Standing for so long, it tries the other side, s.
const TRY_S: f32 = 4.0;

/// A body among its neighbors.
#[derive(Clone, Copy, Debug)]
pub struct Neighborhood<'a> {
    /// The body, with the wish of [`Follower::step`] as `wanted`.
    pub me: Avoider,
    /// Its rank: of two held up by each other the lower goes first.
    pub rank: u32,
    /// Its neighbors on the same floor.
    pub near: &'a Nearest,
}

/// How it moves.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Motion {
    /// What it does now, smoothed, m/s.
    velocity: Vec2,
    /// How far it bears to the right, rad, and whether it tries the left.
    lean: f32,
    tries_left: bool,
}

impl Motion {
    /// The wish of who is held up, turned to the right, all the more the longer; then to the left, and so on. Who has no room
    /// on the right turns to the left at once: against a wall it would stand until it tried the other side.
    fn bear_aside(&mut self, spot: Option<Spot<'_>>, me: &Avoider, stall_s: f32, config: &SteerConfig<'_>) -> Vec2 {
        let is_held = stall_s > config.follow.aside_s && me.velocity.length() < 0.6 * me.wanted.length();
        let has_room = || spot.is_none_or(|spot| has_room(spot, me));
        self.tries_left = is_held && ((stall_s / TRY_S) as u32 % 2 == 1 || !has_room());
        let most = if self.tries_left { -config.follow.aside_rad } else { config.follow.aside_rad };
        let (to, rate) = if is_held { (most, LEAN_RAD_PER_S) } else { (0.0, 2.0 * LEAN_RAD_PER_S) };
        self.lean = math::approach(self.lean, to, rate * config.tick_s);
        let (sin, cos) = math::sin_cos(self.lean);
        me.wanted * cos - plane::left_of(me.wanted) * sin
    }
}

impl Follower {
    /// The velocity to take. Bears aside when held up, avoids the others with the walls of the mesh in mind, smooths, and
    /// cuts what would leave the mesh. On a link it goes as wanted.
    pub fn steer(&mut self, ground: &MeshGround<'_>, around: &Neighborhood<'_>, config: &SteerConfig<'_>) -> Vec2 {
        let &Neighborhood { me, rank, near } = around;
        let most = config.follow.acceleration_m_per_s2 * config.tick_s;
        if matches!(self.phase, Phase::Traverse(_)) {
            self.motion.velocity = me.wanted;
            return me.wanted;
        }
        let goal = plane::ground(self.goal);
        self.progress.is_taken = near.iter().any(|it| it.position.distance(goal) < it.radius_m + me.radius_m);
        let spot = self.footing.spot(ground);
        let wanted = match self.jam.make_room(spot, around, self.progress.is_backing(), config) {
            Some(wanted) => wanted,
            None => self.past_others(spot, &me, near, config),
        };
        let me = Avoider { wanted, ..me };
        let mut planes = Planes::default();
        if let Some(Spot { ground, place }) = spot {
            way_back(place, &me, config.tick_s).into_iter().for_each(|plane| planes.push_wall(plane));
            let slim = Avoider { radius_m: SKIN_M, ..me };
            let reach_m = SKIN_M + me.speed_m_per_s_max * config.avoid.wall_horizon_s;
            for wall in walls_near(ground.mesh, ground.costs, place, reach_m).iter() {
                if let Some(plane) = avoid::wall_plane(&slim, &wall, config.avoid) {
                    planes.push_wall(plane);
                }
            }
        }
        let chosen = avoid::avoid_neighbors(&me, rank, config.avoid, near, &mut planes);
        let chosen = if chosen.length() < STILL_M_PER_S { Vec2::ZERO } else { chosen };
        let velocity = &mut self.motion.velocity;
        *velocity += limited(chosen - *velocity, most);
        if let Some(spot) = spot {
            *velocity = on_mesh(spot, *velocity, &me, config.tick_s);
        }
        *velocity
    }

    /// The wish of who goes its way past others.
    fn past_others(&mut self, spot: Option<Spot<'_>>, me: &Avoider, near: &Nearest, config: &SteerConfig<'_>) -> Vec2 {
        let stall_s = self.progress.stall_s(config.tick_s);
        let wanted = self.motion.bear_aside(spot, me, stall_s, config);
        let me = Avoider { wanted, ..*me };
        let range_m = self.ahead().first().map_or(0.0, |&corner| plane::ground(corner).distance(me.position));
        bypass::choose(spot, &me, near, math::min(range_m, config.follow.look_m))
    }
}

/// Whether there is ground of its own breadth to the right of its wish.
fn has_room(Spot { ground, place }: Spot<'_>, me: &Avoider) -> bool {
    let right = -plane::left_of(plane::direction(me.wanted));
    let to = plane::lift(plane::ground(place.point) + right * me.radius_m, place.point.y);
    ground.mesh.ray(place, to, ground.costs).is_some_and(|ray| ray.wall.is_none())
}
