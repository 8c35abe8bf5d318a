//! The test world: discs on a plane with walls. Small enough to be read at one sitting, real enough for the loop.
//!
//! Discs speed up toward the wanted velocity, slide along walls and push each other apart. A step is O(discs × walls):
//! a few dozen walls at most are meant here.

use sentir::State;
use sentir::core::geometry::{Geometry, Ray, RayHit};
use sentir::core::glam::{Vec2, Vec3};
use sentir::core::index::PointIndex;
use sentir::core::pool::Pool;
use sentir::core::tick::TickRate;
use sentir::core::{math, plane};
use sentir::prelude::{Body, HostKey, Motion, Pose};

/// Rounds of pushing apart per step.
const PUSHES: u32 = 4;

/// A wall: a segment of ground, as high as anybody.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Wall {
    /// One end, ground m.
    pub a: Vec2,
    /// The other end, ground m.
    pub b: Vec2,
}

/// A body of the test world.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Disc {
    /// Handle for the loop.
    pub key: HostKey,
    /// Its body, as the loop wants it told.
    pub body: Body,
    /// Fastest it can go, m/s.
    pub speed_max: f32,
    /// Fastest it can turn, rad/s.
    pub turn_max: f32,
}

/// How fast a disc gains or loses speed, m/s².
const ACCELERATION: f32 = 12.0;

/// The walls: the static level, which anybody may know.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Walls {
    /// In no particular order.
    pub list: Vec<Wall>,
}

impl Walls {
    /// Whether a disc of `radius_m` could go straight from one ground point to another.
    pub fn is_passable(&self, from: Vec2, to: Vec2, radius_m: f32) -> bool {
        self.list.iter().all(|wall| segment_distance(from, to, wall.a, wall.b) > radius_m)
    }

    /// The least push that takes a disc out of the walls, one wall at a time.
    fn push_out(&self, mut center: Vec2, radius_m: f32) -> Vec2 {
        for wall in &self.list {
            let (nearest, _) = plane::nearest_on_segment(wall.a, wall.b, center);
            let away = center - nearest;
            let distance = away.length();
            if distance < radius_m {
                let out =
                    if distance > 1e-6 { away / distance } else { plane::direction(plane::left_of(wall.b - wall.a)) };
                center = nearest + out * radius_m;
            }
        }
        center
    }
}

impl Geometry for Walls {
    fn version(&self) -> u64 {
        0
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        let (from, direction) = (plane::ground(ray.origin), plane::ground(ray.direction));
        let mut nearest: Option<RayHit> = None;
        for wall in &self.list {
            let along = wall.b - wall.a;
            let cross = direction.perp_dot(along);
            if cross == 0.0 {
                continue;
            }
            let distance_m = (wall.a - from).perp_dot(along) / cross;
            let share = (wall.a - from).perp_dot(direction) / cross;
            let is_hit = (0.0..=ray.length_m).contains(&distance_m) && (0.0..=1.0).contains(&share);
            if is_hit && nearest.is_none_or(|hit| distance_m < hit.distance_m) {
                let normal = plane::direction(plane::left_of(along));
                let toward = if normal.dot(direction) > 0.0 { -normal } else { normal };
                nearest = Some(RayHit { distance_m, normal: plane::lift(toward, 0.0), surface: 0 });
            }
        }
        nearest
    }

    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        let center = plane::ground(center);
        let touches = |wall: &Wall| plane::nearest_on_segment(wall.a, wall.b, center).0.distance(center) <= radius_m;
        self.list.iter().any(touches)
    }
}

/// Distance of two segments; 0 when they cross.
fn segment_distance(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> f32 {
    let sides = |p, q, r, s| (plane::side(p, q, r) > 0.0) != (plane::side(p, q, s) > 0.0);
    if sides(a, b, c, d) && sides(c, d, a, b) {
        return 0.0;
    }
    let to = |point, from, end| plane::nearest_on_segment(from, end, point).0.distance(point);
    math::min(math::min(to(a, c, d), to(b, c, d)), math::min(to(c, a, b), to(d, a, b)))
}

/// What a step of the world needs and need not remember.
#[derive(Debug, Default)]
pub struct FlatScratch {
    index: PointIndex,
    centers: Vec<Vec2>,
    pushed: Vec<Vec2>,
}

/// Moves a disc one tick toward what its motion asks for; walls and others are [`settle`]'s business.
pub fn drive(disc: &mut Disc, motion: &Motion, rate: TickRate) {
    let tick_s = rate.tick_s();
    let body = &mut disc.body;
    let wanted = plane::truncated(plane::ground(motion.velocity), disc.speed_max);
    let velocity = plane::ground(body.velocity);
    let velocity = velocity + plane::truncated(wanted - velocity, ACCELERATION * tick_s);
    body.velocity = plane::lift(velocity, 0.0);
    body.pose = Pose {
        position: body.pose.position + body.velocity * tick_s,
        yaw: math::approach_angle(body.pose.yaw, motion.yaw, disc.turn_max * tick_s),
    };
    body.stance = motion.stance;
}

/// Pushes discs out of walls and out of each other. Each disc gives way by half of what it overlaps, all at once, so the
/// order of the discs does not matter.
pub fn settle(discs: &mut [Disc], walls: &Walls, pool: &dyn Pool, scratch: &mut FlatScratch) {
    let largest = discs.iter().map(|disc| disc.body.radius_m).fold(0.0, math::max);
    let FlatScratch { index, centers, pushed } = scratch;
    centers.clear();
    centers.extend(discs.iter().map(|disc| plane::ground(disc.body.pose.position)));
    for _ in 0..PUSHES {
        index.build(centers, largest * 4.0, pool);
        pushed.clear();
        for (disc, &center) in discs.iter().zip(centers.iter()) {
            let radius_m = disc.body.radius_m;
            let mut push = Vec2::ZERO;
            index.visit_radius(center, radius_m + largest, |other, squared| {
                let reach = radius_m + discs[other as usize].body.radius_m;
                let distance = squared.sqrt();
                // Two discs at the very same place have no direction to part in; the walls or the next motion give one.
                if distance > 0.0 && distance < reach {
                    push += (center - centers[other as usize]) / distance * ((reach - distance) * 0.5);
                }
            });
            pushed.push(walls.push_out(center + push, radius_m));
        }
        std::mem::swap(centers, pushed);
    }
    for (disc, &center) in discs.iter_mut().zip(centers.iter()) {
        let moved = plane::lift(center, disc.body.pose.position.y);
        // What a wall took away is gone from the velocity, too: no pushing on the spot.
        let lost = moved - disc.body.pose.position;
        let away = lost.normalize_or_zero();
        let into = disc.body.velocity.dot(away);
        if into < 0.0 {
            disc.body.velocity -= away * into;
        }
        disc.body.pose.position = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir::prelude::Serial;

    fn square() -> Walls {
        let corners = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| Vec2::new(x, y));
        Walls { list: (0..4).map(|i| Wall { a: corners[i], b: corners[(i + 1) % 4] }).collect() }
    }

    fn disc(at: Vec2) -> Disc {
        let pose = Pose { position: plane::lift(at, 0.0), yaw: 0.0 };
        Disc { key: HostKey(0), body: Body { pose, ..Body::default() }, speed_max: 4.0, turn_max: 4.0 }
    }

    #[test]
    fn rays_stop_at_the_nearest_wall() {
        let walls = square();
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X, length_m: 20.0 };
        let hit = walls.ray(&ray).unwrap();
        assert_eq!((hit.distance_m, hit.normal), (5.0, Vec3::NEG_X));
        assert_eq!(walls.ray(&Ray { length_m: 4.9, ..ray }), None);
        assert!(walls.overlap(Vec3::X * 4.8, 0.3) && !walls.overlap(Vec3::X * 4.6, 0.3));
        assert!(!walls.is_clear(Vec3::ZERO, Vec3::Z * 6.0) && walls.is_clear(Vec3::ZERO, Vec3::Z * 4.0));
    }

    #[test]
    fn a_way_needs_room_for_the_body() {
        let gate = Walls {
            list: vec![
                Wall { a: Vec2::new(-3.0, 0.0), b: Vec2::new(-0.5, 0.0) },
                Wall { a: Vec2::new(0.5, 0.0), b: Vec2::new(3.0, 0.0) },
            ],
        };
        let (from, to) = (Vec2::new(0.0, -2.0), Vec2::new(0.0, 2.0));
        assert!(gate.is_passable(from, to, 0.4) && !gate.is_passable(from, to, 0.6));
        assert!(!gate.is_passable(from + Vec2::X, to + Vec2::X, 0.1));
    }

    proptest! {
        #[test]
        fn nobody_ends_up_in_a_wall_or_out_of_the_room(seed in any::<u64>(), count in 1usize..30) {
            let walls = square();
            let mut random = sentir::prelude::Streams { seed }.stream(0, sentir::prelude::Purpose::new("walk"));
            let mut discs: Vec<_> = (0..count).map(|_| disc(Vec2::new(random.between(-4.0, 4.0), random.between(-4.0, 4.0)))).collect();
            let mut scratch = FlatScratch::default();
            let rate = TickRate::new(60);
            for _ in 0..200 {
                for disc in &mut discs {
                    let velocity = Vec3::new(random.between(-9.0, 9.0), 0.0, random.between(-9.0, 9.0));
                    drive(disc, &Motion { velocity, yaw: random.between(-3.0, 3.0), ..Motion::default() }, rate);
                }
                settle(&mut discs, &walls, &Serial, &mut scratch);
                for disc in &discs {
                    let at = plane::ground(disc.body.pose.position).abs();
                    prop_assert!(disc.body.is_finite());
                    prop_assert!(at.max_element() <= 5.0 - 0.3 + 1e-4, "{at} is in a wall");
                    prop_assert!(disc.body.velocity.length() <= 4.0 + 1e-3);
                }
            }
        }
    }
}
