//! Shots and strikes: a ray, or an arc, against bodies and the level.
//!
//! Bodies are capsules. The ray–capsule test is exact (two balls and a cylinder, in double precision), O(bodies); the
//! level answers in O(log triangles). What the level lets shots through (`fence`, `hedge`) stops none. Nothing allocates.

use sentir::core::body::person;
use sentir::core::geometry::Ray;
use sentir::core::glam::{DVec3, Vec3};
use sentir::core::id::{AgentId, TeamId};
use sentir::core::math;
use sentir_level::{Blocks, LevelView, PieceId};

use crate::armory::BladeSpec;
use crate::body::CharacterBody;

/// Share of a body's height, from the top, that is its head.
pub const HEAD_SHARE: f32 = 0.15;
/// How near a shot passes to be noticed, m from the skin.
pub const NEAR_MISS_M: f32 = 1.0;

/// A body to be hit: all points within the radius of its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Whose body.
    pub agent: AgentId,
    /// On which side.
    pub team: TeamId,
    /// Its lowest point, m.
    pub foot: Vec3,
    /// Its highest point, m.
    pub head: Vec3,
    /// Its radius, m. Limit: ≥ 0.
    pub radius_m: f32,
}

impl Target {
    /// A body as it stands.
    pub fn of(agent: AgentId, team: TeamId, walker: &CharacterBody) -> Target {
        let foot = walker.pose.position;
        Target { agent, team, foot, head: foot + Vec3::Y * walker.height_m, radius_m: walker.radius_m }
    }

    /// A person who stands somewhere.
    pub fn standing(agent: AgentId, team: TeamId, foot: Vec3) -> Target {
        Target { agent, team, foot, head: foot + Vec3::Y * person::HEIGHT_M, radius_m: person::RADIUS_M }
    }

    /// The ends of the axis: both ends of the body, a radius inward. A body lower than wide is a ball.
    pub fn axis(&self) -> (Vec3, Vec3) {
        let way = self.head - self.foot;
        let height_m = way.length();
        if height_m > 2.0 * self.radius_m {
            let inset = way * (self.radius_m / height_m);
            (self.foot + inset, self.head - inset)
        } else {
            (self.center(), self.center())
        }
    }

    /// Its middle, m.
    pub fn center(&self) -> Vec3 {
        (self.foot + self.head) * 0.5
    }

    /// The point of the axis nearest to `point`.
    pub fn nearest_on_axis(&self, point: Vec3) -> Vec3 {
        let (low, high) = self.axis();
        let along = high - low;
        let squared = along.length_squared();
        let share = if squared > 0.0 { math::saturate((point - low).dot(along) / squared) } else { 0.0 };
        low + along * share
    }

    /// How far a point is from the skin, m; 0 inside.
    pub fn distance_m(&self, point: Vec3) -> f32 {
        math::max((point - self.nearest_on_axis(point)).length() - self.radius_m, 0.0)
    }

    /// Whether a point of the body belongs to its head.
    pub fn is_head(&self, point: Vec3) -> bool {
        let way = self.head - self.foot;
        (point - self.foot).dot(way) >= way.length_squared() * (1.0 - HEAD_SHARE)
    }
}

/// What a shot hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShotWhat {
    /// Somebody.
    Body {
        /// Whom.
        agent: AgentId,
        /// Whether in the head.
        is_head: bool,
    },
    /// A piece of the level, which may break.
    Piece(PieceId),
    /// The level.
    Level,
    /// Nothing within its range.
    Nothing,
}

/// Where a shot ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotHit {
    /// What it hit.
    pub what: ShotWhat,
    /// Where, m.
    pub point: Vec3,
    /// How far from the muzzle, m.
    pub distance_m: f32,
}

/// How far along a ray a body is, m; 0 when the ray begins in it.
pub fn distance_to(ray: &Ray, target: &Target) -> Option<f32> {
    let (low, high) = target.axis();
    let (low, high, origin) = (low.as_dvec3(), high.as_dvec3(), ray.origin.as_dvec3());
    let way = ray.direction.as_dvec3();
    let way = way / way.length();
    let radius = f64::from(target.radius_m);
    let axis = high - low;
    let axis_squared = axis.length_squared();
    let is_inside = {
        let from_low = origin - low;
        let share = if axis_squared > 0.0 { from_low.dot(axis) / axis_squared } else { 0.0 };
        let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
        (from_low - axis * share).length_squared() <= radius * radius
    };
    if is_inside {
        return Some(0.0);
    }
    let hits = [ball(origin, way, low, radius), ball(origin, way, high, radius), tube(origin, way, low, axis, radius)];
    let nearest = hits.into_iter().flatten().reduce(|best, one| if one < best { one } else { best })?;
    let distance_m = nearest as f32;
    (distance_m <= ray.length_m).then_some(distance_m)
}

/// Where a ray from outside enters a ball.
fn ball(origin: DVec3, way: DVec3, center: DVec3, radius: f64) -> Option<f64> {
    let from = origin - center;
    let half = from.dot(way);
    let root = half * half - (from.length_squared() - radius * radius);
    let at = -half - root.sqrt();
    // A root below 0 is NaN here, and fails.
    (at >= 0.0).then_some(at)
}

/// Where a ray from outside enters the side of a cylinder, between its ends.
fn tube(origin: DVec3, way: DVec3, low: DVec3, axis: DVec3, radius: f64) -> Option<f64> {
    let from = origin - low;
    let axis_squared = axis.length_squared();
    let (along_way, along_from) = (axis.dot(way), axis.dot(from));
    let a = axis_squared - along_way * along_way;
    let b = axis_squared * from.dot(way) - along_from * along_way;
    let c = axis_squared * (from.length_squared() - radius * radius) - along_from * along_from;
    // A ray along the axis meets an end first, and ends are balls.
    if a <= 1e-12 * axis_squared {
        return None;
    }
    let at = (-b - (b * b - a * c).sqrt()) / a;
    let height = along_from + at * along_way;
    (at >= 0.0 && height > 0.0 && height < axis_squared).then_some(at)
}

/// Where a shot ends: at the nearest body (but never the shooter's own) or surface that stops shots. A surface wins a tie,
/// then the earlier target. A ray that is not finite hits nothing.
pub fn shoot(view: &LevelView<'_>, ray: &Ray, by: AgentId, targets: &[Target]) -> ShotHit {
    let wall = view.hit(ray, Blocks::SHOTS);
    let mut what = match wall {
        Some(hit) => hit.piece.map_or(ShotWhat::Level, ShotWhat::Piece),
        None => ShotWhat::Nothing,
    };
    let mut distance_m = wall.map_or(ray.length_m, |hit| hit.hit.distance_m);
    for target in targets.iter().filter(|target| target.agent != by) {
        let is_open_end = what == ShotWhat::Nothing;
        let Some(at) = distance_to(ray, target) else { continue };
        if at < distance_m || (is_open_end && at <= distance_m) {
            distance_m = at;
            what = ShotWhat::Body { agent: target.agent, is_head: target.is_head(ray.origin + ray.direction * at) };
        }
    }
    ShotHit { what, point: ray.origin + ray.direction * distance_m, distance_m }
}

/// Calls `visit` with everybody, but the shooter and who was hit, whom a shot passed within [`NEAR_MISS_M`], and with how
/// near, m from the skin. Walls between do not count: a shot that passes behind a thin one is heard. Friends are told too;
/// who minds is for the game to say.
pub fn near_misses(ray: &Ray, hit: &ShotHit, by: AgentId, targets: &[Target], mut visit: impl FnMut(&Target, f32)) {
    let end = ray.origin + ray.direction * hit.distance_m;
    for target in targets.iter().filter(|target| target.agent != by) {
        let is_hit = matches!(hit.what, ShotWhat::Body { agent, .. } if agent == target.agent);
        let (low, high) = target.axis();
        let apart = segments_apart(ray.origin, end, low, high) - target.radius_m;
        if !is_hit && apart <= NEAR_MISS_M {
            visit(target, math::max(apart, 0.0));
        }
    }
}

/// The least distance between two segments, m (Ericson, Real-Time Collision Detection, 5.1.9).
pub fn segments_apart(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f32 {
    let (first, second, between) = (b - a, d - c, a - c);
    let (first_squared, second_squared) = (first.length_squared(), second.length_squared());
    let (e, f, g) = (first.dot(between), second.dot(between), first.dot(second));
    let share = |over: f32, under: f32| if under > 0.0 { math::saturate(over / under) } else { 0.0 };
    let mut s = share(g * f - e * second_squared, first_squared * second_squared - g * g);
    let along = g * s + f;
    let t = share(along, second_squared);
    if along < 0.0 || along > second_squared || second_squared <= 0.0 {
        s = share(g * t - e, first_squared);
    }
    (a + first * s - c - second * t).length()
}

/// Whom a blade hits: the nearest who is in reach, within its angle, and with nothing that stops shots between the eyes
/// and it. `aim` has unit length.
pub fn strike(
    view: &LevelView<'_>,
    eye: Vec3,
    aim: Vec3,
    blade: &BladeSpec,
    by: AgentId,
    targets: &[Target],
) -> Option<AgentId> {
    let cos_least = math::cos(blade.half_angle_rad);
    let mut best: Option<(f32, AgentId)> = None;
    for target in targets.iter().filter(|target| target.agent != by) {
        let at = target.nearest_on_axis(eye);
        let (way, apart) = (at - eye, target.distance_m(eye));
        let is_before = way.dot(aim) >= cos_least * way.length();
        let is_nearer = best.is_none_or(|(least, _)| apart < least);
        if apart <= blade.reach_m && is_before && is_nearer && is_open(view, eye, at, Blocks::SHOTS) {
            best = Some((apart, target.agent));
        }
    }
    best.map(|(_, agent)| agent)
}

/// Whether nothing between two points blocks; points that are not finite are never open to each other.
pub fn is_open(view: &LevelView<'_>, from: Vec3, to: Vec3, blocks: Blocks) -> bool {
    match Ray::between(from, to) {
        Some(ray) => !view.is_blocked(&ray, blocks),
        None => from.is_finite() && from == to,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::armory::{WeaponKind, stock};
    use proptest::prelude::*;
    use sentir_level::{LevelState, parse};

    /// A wall, a window, a fence and a hedge across four lanes along −Z, and a piece that breaks across a fifth.
    const LANES: &str = "
name: lanes
solids:
  - slab: { outline: [[-20, -2], [30, -2], [30, 60], [-20, 60]], thickness_m: 0.5 }
  - wall: { along: [[-12, 10], [-8, 10]], height_m: 3 }
  - wall: { along: [[-2, 10], [2, 10]], height_m: 3, surface: window }
  - wall: { along: [[8, 10], [12, 10]], height_m: 3, surface: fence }
  - wall: { along: [[18, 10], [22, 10]], height_m: 3, surface: hedge }
pieces:
  - { name: crate, at: [26, 10], health: 10, solids: [{ box: { at: [0, 0], size: [2, 0.2], height_m: 3 } }] }
";

    fn target(number: u64, foot: Vec3) -> Target {
        Target::standing(AgentId::from_bits(number << 32), TeamId(1), foot)
    }

    fn forward(x: f32, y: f32) -> Ray {
        Ray { origin: Vec3::new(x, y, 0.0), direction: Vec3::NEG_Z, length_m: 50.0 }
    }

    #[test]
    fn walls_and_windows_stop_shots_and_fences_and_hedges_do_not() {
        let level = parse(LANES.as_bytes(), "lanes.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let me = AgentId::from_bits(99 << 32);
        let shot = |x: f32| shoot(&view, &forward(x, 1.0), me, &[target(1, Vec3::new(x, 0.0, -20.0))]);
        let body = ShotWhat::Body { agent: AgentId::from_bits(1 << 32), is_head: false };
        assert_eq!(
            [-10.0, 0.0, 10.0, 20.0, 26.0].map(|x| shot(x).what),
            [ShotWhat::Level, ShotWhat::Level, body, body, ShotWhat::Piece(level.piece_named("crate").unwrap()),]
        );
        assert!((shot(20.0).distance_m - 19.7).abs() < 1e-4 && (shot(-10.0).distance_m - 9.85).abs() < 1e-4);
        assert_eq!(shoot(&view, &forward(15.0, 1.0), me, &[]).what, ShotWhat::Nothing);
        // One's own body never stops one's shot, even around the muzzle; another's does.
        let around = target(7, Vec3::ZERO + Vec3::X * 15.0);
        assert_eq!(shoot(&view, &forward(15.0, 1.0), around.agent, &[around]).what, ShotWhat::Nothing);
        assert_eq!(shoot(&view, &forward(15.0, 1.0), me, &[around]).distance_m, 0.0);
    }

    #[test]
    fn the_nearer_body_takes_the_shot_and_the_top_of_it_is_the_head() {
        let level = parse(LANES.as_bytes(), "lanes.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let targets = [target(1, Vec3::new(15.0, 0.0, -20.0)), target(2, Vec3::new(15.0, 0.0, -9.0))];
        for (height, is_head) in [(1.0, false), (1.5, false), (1.6, true), (1.75, true)] {
            let hit = shoot(&view, &forward(15.0, height), AgentId::from_bits(0), &targets);
            assert_eq!(hit.what, ShotWhat::Body { agent: targets[1].agent, is_head }, "at {height}");
        }
    }

    #[test]
    fn shots_that_pass_within_a_meter_are_near_misses() {
        let me = AgentId::from_bits(0);
        let targets = [(1, 0.9), (2, 1.2), (3, 1.4), (4, 0.1)].map(|(id, x)| target(id, Vec3::new(x, 0.0, -20.0)));
        let hit = ShotHit {
            what: ShotWhat::Body { agent: targets[3].agent, is_head: false },
            point: Vec3::ZERO,
            distance_m: 30.0,
        };
        let mut near = Vec::new();
        near_misses(&forward(0.0, 1.0), &hit, me, &targets, |target, apart| near.push((target.agent, apart)));
        assert_eq!(near.iter().map(|one| one.0).collect::<Vec<_>>(), [targets[0].agent, targets[1].agent]);
        assert!((near[0].1 - 0.6).abs() < 1e-5 && (near[1].1 - 0.9).abs() < 1e-5);
        // A shot that ended before it came near is none.
        near.clear();
        near_misses(&forward(0.0, 1.0), &ShotHit { distance_m: 10.0, ..hit }, me, &targets, |target, apart| {
            near.push((target.agent, apart));
        });
        assert!(near.is_empty());
    }

    #[test]
    fn blades_reach_the_nearest_before_one_and_not_through_walls() {
        let level = parse(LANES.as_bytes(), "lanes.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let armory = stock();
        let WeaponKind::Blade(claws) = armory.spec(armory.named("claws").unwrap()).unwrap().kind else { panic!() };
        let strike = |x: f32, z: f32, targets: &[Target]| {
            strike(&view, Vec3::new(x, 1.6, z), Vec3::NEG_Z, &claws, AgentId::from_bits(0), targets)
        };
        let (near, far) = (target(1, Vec3::new(15.0, 0.0, -1.0)), target(2, Vec3::new(15.3, 0.0, -1.5)));
        assert_eq!(strike(15.0, 0.0, &[far, near]), Some(near.agent));
        assert_eq!(strike(15.0, 0.0, &[target(3, Vec3::new(15.0, 0.0, 1.0))]), None);
        assert_eq!(strike(15.0, 0.0, &[target(3, Vec3::new(15.0, 0.0, -1.9))]), None);
        assert_eq!(strike(-10.0, -9.5, &[target(3, Vec3::new(-10.0, 0.0, -10.5))]), None);
        assert_eq!(strike(-10.0, 0.0, &[target(3, Vec3::new(-10.0, 0.0, -1.0))]), Some(AgentId::from_bits(3 << 32)));
    }

    /// How far inside the skin a point is, m; negative outside.
    fn depth_m(target: &Target, point: Vec3) -> f32 {
        target.radius_m - (point - target.nearest_on_axis(point)).length()
    }

    /// The slow twin: walks along the ray in steps of 2 mm to the first point that is clearly inside.
    fn marched(ray: &Ray, target: &Target, until_m: f32) -> Option<f32> {
        let steps = (until_m / 0.002) as u32;
        (0..steps).map(|step| step as f32 * 0.002).find(|&at| depth_m(target, ray.origin + ray.direction * at) > 1e-4)
    }

    proptest! {
        #[test]
        fn the_ray_meets_the_capsule_where_the_march_does(
            from in any::<[i8; 3]>(), to in any::<[i8; 3]>(), head in any::<[i8; 3]>(), radius_m in 0.05f32..1.5,
        ) {
            let point = |[x, y, z]: [i8; 3], scale: f32| Vec3::new(x.into(), y.into(), z.into()) * scale;
            let target = Target {
                agent: AgentId::from_bits(1), team: TeamId(0), foot: Vec3::ZERO, head: point(head, 0.02), radius_m,
            };
            let Some(ray) = Ray::between(point(from, 0.05), point(to, 0.01)) else { return Ok(()) };
            let ray = Ray { length_m: 15.0, ..ray };
            match distance_to(&ray, &target) {
                Some(exact) => {
                    let depth = depth_m(&target, ray.origin + ray.direction * exact);
                    prop_assert!(depth.abs() < 1e-4 || (exact == 0.0 && depth > 0.0), "{} m inside at {}", depth, exact);
                    prop_assert_eq!(marched(&ray, &target, exact - 0.002), None);
                }
                None => prop_assert_eq!(marched(&ray, &target, ray.length_m), None),
            }
        }

        #[test]
        fn segments_are_as_far_apart_as_their_nearest_samples(points in any::<[[i8; 3]; 4]>()) {
            let [a, b, c, d] = points.map(|[x, y, z]| Vec3::new(x.into(), y.into(), z.into()) * 0.05);
            let mut least = f32::INFINITY;
            for s in 0..=60 {
                for t in 0..=60 {
                    least = math::min(least, (a.lerp(b, s as f32 / 60.0) - c.lerp(d, t as f32 / 60.0)).length());
                }
            }
            let exact = segments_apart(a, b, c, d);
            prop_assert!(exact <= least + 1e-3 && exact >= least - 0.4, "{exact} and {least}");
        }

        #[test]
        fn shots_of_any_numbers_do_not_panic(bits in any::<[u32; 13]>()) {
            let level = parse(LANES.as_bytes(), "lanes.yaml").unwrap().build().unwrap();
            let state = LevelState::new(&level);
            let view = LevelView { level: &level, state: &state };
            let vec = |at: usize| Vec3::new(f32::from_bits(bits[at]), f32::from_bits(bits[at + 1]), f32::from_bits(bits[at + 2]));
            let ray = Ray { origin: vec(0), direction: vec(3), length_m: 10.0 };
            let target = Target { agent: AgentId::from_bits(1), team: TeamId(0), foot: vec(6), head: vec(9), radius_m: f32::from_bits(bits[12]) };
            let hit = shoot(&view, &ray, AgentId::from_bits(0), &[target]);
            near_misses(&ray, &hit, AgentId::from_bits(0), &[target], |_, _| {});
            prop_assert!(!hit.distance_m.is_nan());
        }
    }
}
