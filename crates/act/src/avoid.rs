//! Reciprocal avoidance: everybody takes a share of the trouble of not running into each other.
//!
//! **Method.** Optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha: *Reciprocal n-body collision
//! avoidance*, 2011). Velocities that lead to a collision with somebody within the horizon form a cone with a round end;
//! the least change that leaves it is shared out between the two, which makes a [`HalfPlane`] of velocities for either.
//! Walls make half-planes of their own, which nobody shares. Of all velocities within the speed limit and the half-planes
//! the one nearest to the wish is taken; where there is none, the one that breaks those of the neighbors least, walls
//! kept. See [`neighbor_plane`], [`wall_plane`] and [`Planes::best`].
//!
//! **Sides.** Nothing is random. Where a neighbor is met dead ahead and neither side is better (the best velocity is the
//! wish, only slower), the wish is turned a little to the right and the choice made again; whoever comes the other way
//! does the same, so the two pass. Where that does not help either, as in an even ring that closes on its middle, everybody
//! backs by a share that its rank gives. Turning the world turns the answer; mirroring it mirrors the answer but in exactly
//! those symmetric cases. Two at the very same place and velocity part along x, the lower `rank` to the west.
//!
//! **Cost** O(neighbors²) at the worst for one, about O(neighbors) as a rule; [`step`] does a whole crowd.
//! **Guarantees**: never faster than allowed; never NaN; who is not sound (see [`Avoider::is_sound`]) stands still and is
//! not seen by the others; nothing is allocated when warm; the same bits for any pool.

mod batch;
pub mod draw;
mod plane;
mod solve;
#[cfg(test)]
mod tests;
mod wall_index;

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::index::REACH_M;
use sentir_core::order::Ranked;
use sentir_core::{math, plane as ground};

pub use batch::{AvoidScratch, step};
pub use plane::{neighbor_plane, share_of, wall_plane};
pub use solve::{HalfPlane, Planes};
pub use wall_index::WallIndex;

use crate::mover::{Moving, Wall, limited};

/// Most neighbors that count for one.
pub const NEIGHBORS_MAX: usize = 32;
/// Most walls that count for one; the first ones given.
pub const WALLS_MAX: usize = 16;
/// Fastest that anything counts as, m/s.
pub const SPEED_MAX: f32 = 1e4;
/// How far a wish with no better side is turned to the right, rad, as sine and cosine.
const LEAN: (f32, f32) = (0.199, 0.98);
/// Slower than this share of the wish is held up.
const HELD: f32 = 0.05;
/// How much to either side counts as none, as a share of the wish.
const SIDEWAYS: f32 = 1e-4;

/// Tuning, the same for everybody. What is outside a limit counts as the limit, and what is no number as the stock value.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct AvoidConfig {
    /// Who is farther away is not looked at, m. Limit: 0..=1000.
    pub range_m: f32,
    /// At most so many are looked at, the nearest. Limit: 0..=[`NEIGHBORS_MAX`].
    pub neighbors_max: u32,
    /// How far ahead walls count, s. Limit: 0.01..=100.
    pub wall_horizon_s: f32,
    /// In what time two who overlap want to be apart, s: a tick, or more for gentle ones. Limit: 0.001..=100.
    pub separate_s: f32,
}

impl Default for AvoidConfig {
    /// People on foot.
    fn default() -> Self {
        AvoidConfig { range_m: 6.0, neighbors_max: 10, wall_horizon_s: 0.5, separate_s: 0.25 }
    }
}

impl AvoidConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> AvoidConfig {
        let stock = AvoidConfig::default();
        let clamped = |value: f32, stock: f32, low: f32, high: f32| {
            math::clamp(if value.is_nan() { stock } else { value }, low, high)
        };
        AvoidConfig {
            range_m: clamped(self.range_m, stock.range_m, 0.0, 1000.0),
            neighbors_max: self.neighbors_max.min(NEIGHBORS_MAX as u32),
            wall_horizon_s: clamped(self.wall_horizon_s, stock.wall_horizon_s, 0.01, 100.0),
            separate_s: clamped(self.separate_s, stock.separate_s, 0.001, 100.0),
        }
    }
}

/// Somebody who avoids the others, and whom they avoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Avoider {
    /// Where, m. Limit: [`REACH_M`] on either axis.
    pub position: Vec2,
    /// Velocity, m/s. Limit: [`SPEED_MAX`] on either axis.
    pub velocity: Vec2,
    /// The velocity it would take if it were alone, m/s. What is not finite counts as none.
    pub wanted: Vec2,
    /// Radius, m. Limit: 0..=1000.
    pub radius_m: f32,
    /// Fastest, m/s. Limit: 0..=[`SPEED_MAX`].
    pub speed_m_per_s_max: f32,
    /// How little it gives way: of two, either takes the share that the other's priority has of both. Limit: ≥ 0.
    pub priority: f32,
    /// How far ahead it looks for others, s. Limit: 0.01..=1000.
    pub horizon_s: f32,
}

impl Avoider {
    /// Whether it can be reckoned with: place, velocity and radius are numbers within their limits.
    pub fn is_sound(&self) -> bool {
        is_sound(self.position, self.velocity, self.radius_m)
    }

    /// What the others see of it. `rank` settles who goes where when two are at the very same place.
    pub fn seen(&self, rank: u32) -> Neighbor {
        let Avoider { position, velocity, radius_m, priority, .. } = *self;
        Neighbor { position, velocity, yaw: None, radius_m, priority, rank }
    }
}

/// What one sees of somebody to be avoided.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Neighbor {
    /// Where, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Where it faces, rad, if that can be seen: in a jam it tells which way somebody wants to go who stands. Avoidance itself
    /// does not look at it.
    pub yaw: Option<f32>,
    /// Radius, m. Limit: 0..=1000.
    pub radius_m: f32,
    /// How little it gives way, as [`Avoider::priority`]; infinite for what never does.
    pub priority: f32,
    /// A number that no other has.
    pub rank: u32,
}

impl Neighbor {
    /// Somebody who moves, as a neighbor.
    pub fn of(it: &Moving, priority: f32, rank: u32) -> Neighbor {
        let Moving { position, velocity, yaw, radius_m } = *it;
        Neighbor { position, velocity, yaw: Some(yaw), radius_m, priority, rank }
    }
}

fn is_sound(position: Vec2, velocity: Vec2, radius_m: f32) -> bool {
    // Comparisons with NaN are false.
    let (place, speed) = (position.abs(), velocity.abs());
    place.x <= REACH_M
        && place.y <= REACH_M
        && speed.x <= SPEED_MAX
        && speed.y <= SPEED_MAX
        && (0.0..=1000.0).contains(&radius_m)
}

/// The velocity to take, for one: `rank` is its own number; of `neighbors` the nearest within range count, in any order
/// (itself may be among them: it is known by its rank); of `walls` the first [`WALLS_MAX`]. What was weighed stays in
/// `planes`, to be drawn.
pub fn avoid(
    me: &Avoider,
    rank: u32,
    config: &AvoidConfig,
    neighbors: impl IntoIterator<Item = Neighbor>,
    walls: impl IntoIterator<Item = Wall>,
    planes: &mut Planes,
) -> Vec2 {
    let config = config.clamped();
    planes.clear();
    if !me.is_sound() {
        return Vec2::ZERO;
    }
    for wall in walls.into_iter().take(WALLS_MAX) {
        if let Some(plane) = wall_plane(me, &wall, &config) {
            planes.push_wall(plane);
        }
    }
    let mut near = Nearest::around(me.position, rank, &config);
    neighbors.into_iter().for_each(|neighbor| near.add(neighbor));
    avoid_neighbors(me, rank, &config, &near, planes)
}

/// The same for neighbors already collected, of which the nearest count, and walls already in `planes`, which the neighbors
/// are added to.
pub fn avoid_neighbors(me: &Avoider, rank: u32, config: &AvoidConfig, near: &Nearest, planes: &mut Planes) -> Vec2 {
    if !me.is_sound() {
        return Vec2::ZERO;
    }
    let AvoidConfig { separate_s, neighbors_max, .. } = config.clamped();
    for neighbor in near.iter().take(neighbors_max as usize) {
        planes.push_neighbor(neighbor_plane(me, rank, &neighbor, separate_s));
    }
    choose(me, rank, planes)
}

/// The nearest neighbors of one, collected one by one. On the stack; allocates nothing.
#[derive(Clone, Debug)]
pub struct Nearest {
    center: Vec2,
    rank: u32,
    square_max: f32,
    most: usize,
    count: usize,
    all: [(Ranked, Neighbor); NEIGHBORS_MAX],
}

impl Nearest {
    /// None yet, around the place of the one of this rank.
    pub fn around(center: Vec2, rank: u32, config: &AvoidConfig) -> Nearest {
        let AvoidConfig { range_m, neighbors_max, .. } = config.clamped();
        let all = [(Ranked { value: 0.0, index: 0 }, Neighbor::default()); NEIGHBORS_MAX];
        Nearest { center, rank, square_max: range_m * range_m, most: neighbors_max as usize, count: 0, all }
    }

    /// Takes one in, if it is sound, within range, somebody else and one of the nearest so far; equals by rank.
    pub fn add(&mut self, it: Neighbor) {
        let value = it.position.distance_squared(self.center);
        let counts = value <= self.square_max && it.rank != self.rank && self.most > 0;
        if !counts || !is_sound(it.position, it.velocity, it.radius_m) {
            return;
        }
        let rank = Ranked { value, index: it.rank };
        let mut to = self.count;
        if to < self.most {
            self.count += 1;
        } else if rank < self.all[to - 1].0 {
            to -= 1;
        } else {
            return;
        }
        while to > 0 && rank < self.all[to - 1].0 {
            self.all[to] = self.all[to - 1];
            to -= 1;
        }
        self.all[to] = (rank, it);
    }

    /// The nearest, nearest first.
    pub fn iter(&self) -> impl Iterator<Item = Neighbor> + '_ {
        self.all[..self.count].iter().map(|(_, neighbor)| *neighbor)
    }
}

/// The best velocity within the planes, and the way out of what is symmetric.
fn choose(me: &Avoider, rank: u32, planes: &mut Planes) -> Vec2 {
    let speed = math::clamp(me.speed_m_per_s_max, 0.0, SPEED_MAX);
    let speed = if speed.is_nan() { 0.0 } else { speed };
    let wanted = if me.wanted.is_finite() { limited(me.wanted, speed) } else { Vec2::ZERO };
    let best = planes.best(wanted, speed);
    let square = wanted.length_squared();
    let is_straight =
        |velocity: Vec2| wanted.perp_dot(velocity).abs() <= SIDEWAYS * square && velocity.dot(wanted) < 0.99 * square;
    if !is_straight(best) || square == 0.0 {
        return best;
    }
    let leaned = planes.best(wanted * LEAN.1 - ground::left_of(wanted) * LEAN.0, speed);
    if !is_straight(leaned) || leaned.length_squared() > HELD * HELD * square {
        return leaned;
    }
    // Held in an arch as even as a ruler drew it: everybody steps back a little, and nobody by as much as another.
    let share = (rank.wrapping_mul(0x9e37_79b9) >> 8) as f32 / (1 << 24) as f32;
    planes.best(wanted * (-0.5 * share), speed)
}
