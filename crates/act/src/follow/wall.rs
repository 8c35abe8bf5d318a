//! The walls of the mesh near a place, and motion that stays on the mesh.

use sentir_core::glam::Vec2;
use sentir_core::{math, plane};
use sentir_nav::mesh::{AreaCosts, Mesh, Place};

use super::{FollowConfig, Follower, Ground, OFF_M, Phase, bypass, lane, precedence};
use crate::avoid::{self, AvoidConfig, Avoider, HalfPlane, Nearest, Planes, WALLS_MAX};
use crate::mover::{Wall, limited};

/// Polygons looked at for walls at most.
const POLYGONS_MAX: usize = 48;
/// Who counts as a point keeps this far off the walls of its mesh, m.
const SKIN_M: f32 = 0.01;
/// How fast it comes to bear aside, rad/s, and back twice as fast.
const LEAN_RAD_PER_S: f32 = 0.6;
/// Standing for so long, it tries the other side, s.
const TRY_S: f32 = 4.0;

/// The nearest walls of a place, nearest first.
#[derive(Clone, Debug)]
pub struct WallList {
    count: usize,
    all: [(f32, Wall); WALLS_MAX],
}

impl WallList {
    /// The walls, nearest first.
    pub fn iter(&self) -> impl Iterator<Item = Wall> + '_ {
        self.all[..self.count].iter().map(|it| it.1)
    }

    fn add(&mut self, square: f32, wall: Wall) {
        let mut to = self.count;
        if to < WALLS_MAX {
            self.count += 1;
        } else if square < self.all[to - 1].0 {
            to -= 1;
        } else {
            return;
        }
        while to > 0 && square < self.all[to - 1].0 {
            self.all[to] = self.all[to - 1];
            to -= 1;
        }
        self.all[to] = (square, wall);
    }
}

/// The walls of the mesh within a radius of a place, as one would walk to them; the nearest ones where there are many. On
/// the stack; allocates nothing.
pub fn walls_near(mesh: &Mesh, costs: &AreaCosts, place: Place, radius_m: f32) -> WallList {
    let mut list = WallList { count: 0, all: [(0.0, Wall::default()); WALLS_MAX] };
    let mut seen = [place.polygon; POLYGONS_MAX];
    let (mut done, mut count) = (0, 1);
    let at = plane::ground(place.point);
    while done < count {
        let polygon = seen[done];
        done += 1;
        let ring = mesh.ring(polygon);
        let ends = ring.clone().skip(1).chain(ring.clone().take(1));
        for ((from, to), beyond) in ring.zip(ends).zip(mesh.neighbors(polygon)) {
            let (from, to) = (plane::ground(from), plane::ground(to));
            let square = plane::nearest_on_segment(from, to, at).0.distance_squared(at);
            if square > radius_m * radius_m {
                continue;
            }
            match beyond.filter(|&other| costs.is_passable(mesh.area(other))) {
                // Rings go round counter-clockwise, with the open on their left.
                None => list.add(square, Wall { from: to, to: from }),
                Some(other) if count < POLYGONS_MAX && !seen[..count].contains(&other) => {
                    seen[count] = other;
                    count += 1;
                }
                Some(_) => {}
            }
        }
    }
    list
}

/// How a follower steers: its own tuning and that of avoidance.
#[derive(Clone, Copy, Debug)]
pub struct SteerConfig<'a> {
    /// Following.
    pub follow: &'a FollowConfig,
    /// Avoidance.
    pub avoid: &'a AvoidConfig,
    /// Length of a tick, s.
    pub tick_s: f32,
}

impl Follower {
    /// The velocity to take: `me` has the wish of [`Follower::step`] as `wanted`; `near` holds its neighbors on the same
    /// floor. Bears aside when held up, avoids the others with the walls of the mesh in mind, smooths, and cuts what would
    /// leave the mesh. On a link it goes as wanted.
    pub fn steer(
        &mut self,
        ground: &Ground<'_>,
        me: &Avoider,
        rank: u32,
        near: &Nearest,
        config: &SteerConfig<'_>,
    ) -> Vec2 {
        let most = config.follow.acceleration_m_per_s2 * config.tick_s;
        if matches!(self.phase, Phase::Traverse(_)) {
            self.velocity = me.wanted;
            return self.velocity;
        }
        let goal = plane::ground(self.goal);
        self.is_taken = near.iter().any(|it| it.position.distance(goal) < it.radius_m + me.radius_m);
        let wanted = match self.make_room(ground, me, (rank, near), config) {
            Some(wanted) => wanted,
            None => self.past_others(ground, me, near, config),
        };
        let me = Avoider { wanted, ..*me };
        let mut planes = Planes::default();
        if let Some(place) = self.place {
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
        self.velocity += limited(chosen - self.velocity, most);
        self.velocity = self.on_mesh(ground, &me, config.tick_s);
        self.velocity
    }

    /// The wish of who stands against somebody who goes first, or rests in somebody's way in a passage; see `precedence`. For a
    /// moment, and then not again for a while, in case that one wants to stay.
    fn make_room(
        &mut self,
        ground: &Ground<'_>,
        me: &Avoider,
        (rank, near): (u32, &Nearest),
        config: &SteerConfig<'_>,
    ) -> Option<Vec2> {
        let room_s = config.follow.room_s;
        if room_s <= 0.0 {
            return None;
        }
        let ticks = |seconds: f32| math::clamp(seconds / math::max(config.tick_s, 1e-4), 1.0, 1e4) as u16;
        let rests = me.wanted.length() <= STILL_M_PER_S;
        let pace = if rests { me.speed_m_per_s_max } else { me.wanted.length() };
        let may = pace > STILL_M_PER_S && self.backing == 0;
        let is_held = may && precedence::is_held(me.velocity, pace);
        self.held = if is_held { self.held.saturating_add(1) } else { 0 };
        if self.yielding == 0 && self.held >= ticks(HELD_S) {
            let room = match self.place {
                Some(place) if rests => precedence::room_at_rest(me, near)
                    .filter(|&(_, way)| lane::is_narrow(ground, place, way, config.follow.passage_m))
                    .map(|it| it.0),
                _ if rests => None,
                _ => precedence::room_for(me, rank, near),
            };
            if let Some(room) = room {
                (self.room, self.yielding) = (room, ticks(room_s + PAUSE_S));
            }
        }
        let is_pressed = may && !rests && near.iter().next().is_some();
        let is_here = is_pressed && me.position.distance(self.anchor) < ANCHOR_M;
        (self.anchor, self.anchored) =
            if is_here { (self.anchor, self.anchored.saturating_add(1)) } else { (me.position, 0) };
        if self.anchored >= ticks(PRESS_S)
            && let Some(room) = self.place.and_then(|place| bypass::way_out(ground, place, me, near))
        {
            (self.room, self.yielding, self.anchored) = (room, ticks(OUT_S + PAUSE_S), 0);
        }
        self.yielding = self.yielding.saturating_sub(1);
        (may && self.yielding > ticks(PAUSE_S)).then(|| self.room * pace)
    }

    /// The wish of who goes its way past others.
    fn past_others(&mut self, ground: &Ground<'_>, me: &Avoider, near: &Nearest, config: &SteerConfig<'_>) -> Vec2 {
        let wanted = self.bear_aside(ground, me, config);
        let me = Avoider { wanted, ..*me };
        let range_m = self.ahead().first().map_or(0.0, |&corner| plane::ground(corner).distance(me.position));
        bypass::choose(ground, self.place, &me, near, range_m, config.follow)
    }

    /// The wish of who is held up, turned to the right, all the more the longer; then to the left, and so on. Who has no room
    /// on the right turns to the left at once: against a wall it would stand until it tried the other side.
    fn bear_aside(&mut self, ground: &Ground<'_>, me: &Avoider, config: &SteerConfig<'_>) -> Vec2 {
        let stall_s = self.stall as f32 * config.tick_s;
        let is_held = stall_s > config.follow.aside_s && me.velocity.length() < 0.6 * me.wanted.length();
        self.tries_left = is_held && ((stall_s / TRY_S) as u32 % 2 == 1 || !self.has_room(ground, me));
        let most = if self.tries_left { -config.follow.aside_rad } else { config.follow.aside_rad };
        let (to, rate) = if is_held { (most, LEAN_RAD_PER_S) } else { (0.0, 2.0 * LEAN_RAD_PER_S) };
        self.lean = math::approach(self.lean, to, rate * config.tick_s);
        let (sin, cos) = math::sin_cos(self.lean);
        me.wanted * cos - plane::left_of(me.wanted) * sin
    }

    /// Whether there is ground of its own breadth to the right of its wish.
    fn has_room(&self, ground: &Ground<'_>, me: &Avoider) -> bool {
        let Some(place) = self.place else { return true };
        let right = -plane::left_of(plane::direction(me.wanted));
        let to = plane::lift(plane::ground(place.point) + right * me.radius_m, place.point.y);
        ground.mesh.ray(place, to, ground.costs).is_some_and(|ray| ray.wall.is_none())
    }

    /// Its velocity, along the wall where it would leave the mesh in the next ticks; back onto the mesh, where it has left it.
    fn on_mesh(&self, ground: &Ground<'_>, me: &Avoider, tick_s: f32) -> Vec2 {
        let mut velocity = self.velocity;
        let Some(place) = self.place else { return velocity };
        if let Some(HalfPlane { normal, offset }) = way_back(place, me, tick_s) {
            let short = math::max(offset - normal.dot(velocity), 0.0);
            velocity = limited(velocity + normal * short, me.speed_m_per_s_max);
        }
        let from = plane::ground(place.point);
        if from.distance(me.position) > OFF_M {
            return velocity;
        }
        let ahead = |velocity: Vec2| {
            let to = plane::lift(from + velocity * (CUT_TICKS * tick_s), place.point.y);
            ground.mesh.ray(place, to, ground.costs)
        };
        let Some((share, [a, b])) = ahead(velocity).and_then(|ray| Some((ray.share, ray.wall?))) else {
            return velocity;
        };
        let along = plane::direction(plane::ground(b) - plane::ground(a));
        let slide = along * velocity.dot(along);
        match ahead(slide) {
            Some(ray) if ray.share > share => slide,
            _ => velocity * share,
        }
    }
}

/// The velocities of one off the mesh that lead back onto it within [`BACK_TICKS`], or as fast as it may; none for one on it.
///
/// A body goes round others by what its solver finds, and so it may be led off the mesh; from there every wall of the mesh is
/// seen from behind and says nothing, so that others could drive it on.
fn way_back(place: Place, me: &Avoider, tick_s: f32) -> Option<HalfPlane> {
    let back = plane::ground(place.point) - me.position;
    let off_m = back.length();
    let fast = math::min(off_m / math::max(BACK_TICKS * tick_s, 1e-4), BACK_SHARE * me.speed_m_per_s_max);
    (off_m > ON_M).then(|| HalfPlane { normal: back / off_m, offset: fast })
}

/// Off the mesh by less than this is a rounding, m.
const ON_M: f32 = 0.002;
/// So many ticks it takes to come back, but no faster than this share of its speed.
const BACK_TICKS: f32 = 3.0;
const BACK_SHARE: f32 = 0.8;
/// So many ticks ahead it looks for the border of the mesh.
const CUT_TICKS: f32 = 2.0;
/// Slower than this is standing, m/s.
const STILL_M_PER_S: f32 = 0.05;
/// Within this of one place it has not moved, m.
const ANCHOR_M: f32 = 0.35;
/// After so long of standing it looks who goes first, s.
const HELD_S: f32 = 0.1;
/// So long it does not make room again, s.
const PAUSE_S: f32 = 0.6;
/// After so long about one place it looks for a way out of the press, s, and so long it takes that, s.
const PRESS_S: f32 = 0.9;
const OUT_S: f32 = 0.6;
