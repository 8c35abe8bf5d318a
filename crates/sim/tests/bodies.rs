//! Contract of the body solver: nobody is ever in a wall or in another body, walks are what a player expects, and the
//! same inputs give the same bits. The judge of 'in a wall' is a plain loop over all triangles, in double precision.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
#![allow(clippy::disallowed_methods, reason = "the twin is plain: nothing it computes is kept")]

use sentir::core::glam::{DVec3, Vec2, Vec3};
use sentir::core::plane;
use sentir::core::pool::{Pool, Serial};
use sentir::core::random::{Purpose, Stream, Streams};
use sentir::core::tick::TickRate;
use sentir::prelude::{Actions, Pose, Stance};
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelTriangle, LevelView, parse, stock};
use sentir_sim::body::{BodyConfig, BodyScratch, CharacterBody, Touched, step};
use sentir_sim::input::Input;

/// Deepest that anything may be in anything, m.
const DEPTH_MAX: f64 = 1e-3;

/// A level with bodies in it.
struct World {
    level: Level,
    state: LevelState,
    rate: TickRate,
    config: BodyConfig,
    walkers: Vec<CharacterBody>,
    scratch: BodyScratch,
}

impl World {
    fn of(level: Level, rate: u16) -> World {
        let state = LevelState::new(&level);
        let (config, scratch) = (BodyConfig::default(), BodyScratch::default());
        World { level, state, rate: TickRate::new(rate), config, walkers: Vec::new(), scratch }
    }

    fn stock(name: &str) -> World {
        World::of(stock(name).unwrap(), 60)
    }

    /// A level of a floor, 40 by 40 m, and these solids.
    fn built(solids: &str) -> World {
        let floor = "slab: { outline: [[-20, -20], [20, -20], [20, 20], [-20, 20]], thickness_m: 0.5 }";
        let text = format!("name: test\nfloors:\n  - {{ name: ground, up_m: 9 }}\nsolids:\n  - {floor}\n{solids}");
        World::of(parse(text.as_bytes(), "test.yaml").unwrap().build().unwrap(), 60)
    }

    /// Adds a body with its feet a little over the ground at ground coordinates.
    fn with(mut self, x: f32, y: f32, height: f32) -> World {
        let position = plane::lift(Vec2::new(x, y), height + self.config.skin_m);
        self.walkers.push(CharacterBody::at(Pose { position, yaw: 0.0 }));
        self
    }

    fn step_on(&mut self, inputs: &[Input], pool: &dyn Pool) {
        let view = LevelView { level: &self.level, state: &self.state };
        step(&mut self.walkers, inputs, &[self.config], &view, self.rate, pool, &mut self.scratch);
    }

    fn step(&mut self, inputs: &[Input]) {
        self.step_on(inputs, &Serial);
    }

    /// Holds one input for a time.
    fn hold(&mut self, input: Input, seconds: f32) {
        for _ in 0..self.rate.ticks(seconds) {
            self.step(&vec![input; self.walkers.len()]);
            self.check();
        }
    }

    fn place(&self, number: usize) -> (Vec2, f32) {
        let position = self.walkers[number].pose.position;
        (plane::ground(position), position.y)
    }

    fn triangles(&self) -> Vec<LevelTriangle> {
        let view = LevelView { level: &self.level, state: &self.state };
        let mut all = Vec::new();
        let everywhere = Aabb { low: Vec3::splat(-1e4), high: Vec3::splat(1e4) };
        view.triangles_in(&everywhere, Blocks::BODIES, |triangle| all.push(*triangle));
        all
    }

    fn check(&self) {
        check_walls(&self.walkers, &self.triangles());
        check_bodies(&self.walkers);
    }
}

fn go(x: f32, y: f32) -> Input {
    Input::quantized(0, Vec2::new(x, y), 0.0, 0.0, Stance::Stand, Actions::default())
}

fn check_walls(walkers: &[CharacterBody], triangles: &[LevelTriangle]) {
    for walker in walkers {
        assert!(walker.body().is_finite() && walker.pitch.is_finite());
        let capsule = walker.capsule();
        let around = Aabb::around([capsule.low(), capsule.high()]).grown(capsule.radius_m);
        for triangle in triangles.iter().filter(|triangle| Aabb::around(triangle.corners).touches(&around)) {
            let depth = f64::from(capsule.radius_m) - axis_to_triangle(capsule.low(), capsule.high(), triangle);
            assert!(depth <= DEPTH_MAX, "{depth} m in a wall: {walker:?} {triangle:?}");
        }
    }
}

fn check_bodies(walkers: &[CharacterBody]) {
    let mut by_x: Vec<&CharacterBody> = walkers.iter().collect();
    by_x.sort_by(|a, b| a.pose.position.x.total_cmp(&b.pose.position.x));
    for (number, one) in by_x.iter().enumerate() {
        for other in &by_x[number + 1..] {
            if other.pose.position.x - one.pose.position.x > 2.0 {
                break;
            }
            let (a, b) = (one.capsule(), other.capsule());
            let over = f64::from(a.low().y - b.high().y).max(f64::from(b.low().y - a.high().y)).max(0.0);
            let beside = (plane::ground(a.feet) - plane::ground(b.feet)).as_dvec2().length_squared();
            let depth = f64::from(a.radius_m + b.radius_m) - (beside + over * over).sqrt();
            assert!(depth <= DEPTH_MAX, "{depth} m in each other: {one:?} {other:?}");
        }
    }
}

/// The slow, obvious distance of an axis and a triangle: the distance along the axis is convex, so search it by thirds.
fn axis_to_triangle(low: Vec3, high: Vec3, triangle: &LevelTriangle) -> f64 {
    let (low, high) = (low.as_dvec3(), high.as_dvec3());
    let corners = triangle.corners.map(|corner| corner.as_dvec3());
    let at = |share: f64| point_to_triangle(low + (high - low) * share, corners);
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..40 {
        let (one, two) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if at(one) <= at(two) { to = two } else { from = one }
    }
    at(from).min(at(to)).min(at(0.0)).min(at(1.0))
}

fn point_to_triangle(point: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize();
    let is_over = (0..3).all(|index| {
        let (from, to) = (corners[index], corners[(index + 1) % 3]);
        (to - from).cross(point - from).dot(normal) >= 0.0
    });
    if is_over {
        return (point - a).dot(normal).abs();
    }
    let to_edge = |from: DVec3, to: DVec3| {
        let share = ((point - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        (from + (to - from) * share - point).length()
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}

fn random_input(rng: &mut Stream) -> Input {
    let stick = Vec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
    let stick = if rng.chance(0.1) { Vec2::ZERO } else { plane::direction(stick) };
    let stance = if rng.chance(0.2) { Stance::Crouch } else { Stance::Stand };
    let actions = if rng.chance(0.3) { Actions::JUMP } else { Actions::default() };
    Input::quantized(0, stick, rng.between(-3.0, 3.0), rng.between(-1.0, 1.0), stance, actions)
}

/// A place where a person can stand.
fn random_place(world: &World, rng: &mut Stream) -> Option<Vec3> {
    let view = LevelView { level: &world.level, state: &world.state };
    let bounds = world.level.bounds();
    let point = Vec3::new(
        rng.between(bounds.low.x, bounds.high.x),
        if rng.chance(0.4) && world.level.floors().len() > 1 { 3.0 } else { 0.0 },
        rng.between(bounds.low.z, bounds.high.z),
    );
    let feet = sentir_level::stand::feet(&view, point, sentir_level::FloorId(0)).ok()? + Vec3::Y * 0.3;
    let is_free = !view.capsule_overlap(feet + Vec3::Y * 0.35, feet + Vec3::Y * 1.5, 0.34) && !view.is_inside(feet);
    let is_alone = world.walkers.iter().all(|other| other.pose.position.distance(feet) > 2.0);
    (is_free && is_alone).then_some(feet)
}

/// Lets random bodies walk, four at a time.
fn assert_walks_stay_clear(name: &str, seed: u64, walks: usize) {
    let mut outs = 0;
    for walk in 0..walks / 4 {
        let mut rng = Streams { seed }.stream(walk as u64, Purpose::new("wander"));
        let mut world = World::stock(name);
        world.rate = TickRate::new([20, 30, 60, 144][walk % 4]);
        world.config.speed_m_per_s_max = [3.0, 5.0, 9.0, 20.0][walk / 4 % 4];
        while world.walkers.len() < 4 {
            if let Some(feet) = random_place(&world, &mut rng) {
                world.walkers.push(CharacterBody::at(Pose { position: feet, yaw: 0.0 }));
            }
        }
        let (triangles, bounds) = (world.triangles(), world.level.bounds());
        let mut inputs = [Input::default(); 4];
        let mut until = [0; 4];
        for tick in 0..150 {
            for (input, until) in inputs.iter_mut().zip(&mut until) {
                if tick >= *until {
                    *input = random_input(&mut rng);
                    *until = tick + 5 + rng.below(60);
                }
            }
            world.step(&inputs);
            check_walls(&world.walkers, &triangles);
            check_bodies(&world.walkers);
            for walker in &world.walkers {
                // Who jumps from the bank of the range over its wall is out of the level, and falls with right.
                let (at, low, high) = (walker.pose.position, bounds.low, bounds.high);
                let is_out = at.x < low.x || at.z < low.z || at.x > high.x || at.z > high.z;
                assert!(is_out || at.y > low.y - 1.0, "fell through: {walker:?}");
                outs += u32::from(is_out);
            }
        }
    }
    assert!(outs < 600, "{outs} moments outside");
}

#[test]
fn random_walks_stay_out_of_everything_in_the_yard() {
    assert_walks_stay_clear("yard", 1, 1000);
}

#[test]
fn random_walks_stay_out_of_everything_on_the_range() {
    assert_walks_stay_clear("range", 2, 1000);
}

#[test]
fn random_walks_stay_out_of_everything_in_the_doorway() {
    assert_walks_stay_clear("doorway", 3, 1000);
}

#[test]
fn random_walks_stay_out_of_everything_in_the_collapse() {
    assert_walks_stay_clear("collapse", 4, 1000);
}

#[test]
fn random_walks_stay_out_of_everything_on_the_heights() {
    assert_walks_stay_clear("heights", 5, 1000);
}

#[test]
fn ramps_and_stairs_are_walked_up_and_down() {
    for rate in [20, 60, 144] {
        for (x, from, up) in [(-14.0, -5.0, 0.45), (12.0, -4.0, 0.0)] {
            let mut world = World::stock("heights").with(x, from, up);
            world.rate = TickRate::new(rate);
            world.hold(Input::default(), 0.2);
            world.hold(go(0.0, 1.0), 3.5);
            let (at, height) = world.place(0);
            assert!(at.y > 3.0 && (height - 3.0).abs() < 0.02, "at {at}, {height} m with {rate} Hz");
            // Down again without leaving the ground.
            let mut ticks = 0;
            while world.place(0).1 > 0.02 {
                world.step(&[go(0.0, -1.0)]);
                ticks += 1;
                assert!(world.walkers[0].is_grounded, "hops at {:?} with {rate} Hz", world.place(0));
                assert!(ticks < world.rate.ticks(5.0), "stuck at {:?} with {rate} Hz", world.place(0));
            }
            world.check();
        }
    }
}

#[test]
fn what_is_too_steep_or_too_high_is_not_climbed() {
    for (solid, climbs) in [
        ("  - ramp: { from: [0, 2], to: [0, 5], width_m: 4, rise_m: 3 }\n", true),
        ("  - ramp: { from: [0, 2], to: [0, 4], width_m: 4, rise_m: 3 }\n", false),
        // The side of a ramp, near its foot and farther up.
        ("  - ramp: { from: [-0.86, 3], to: [6.64, 3], width_m: 2, rise_m: 2 }\n", true),
        ("  - ramp: { from: [-2, 3], to: [5.5, 3], width_m: 2, rise_m: 2 }\n", false),
        ("  - box: { at: [0, 3], size: [4, 2], height_m: 0.38 }\n", true),
        ("  - box: { at: [0, 3], size: [4, 2], height_m: 0.43 }\n", false),
        ("  - box: { at: [0, 3], size: [4, 2], height_m: 0.6 }\n", false),
        ("  - stairs: { from: [0, 2], to: [0, 4], width_m: 4, rise_m: 2.4, steps: 8 }\n", true),
        ("  - stairs: { from: [0, 2], to: [0, 4], width_m: 4, rise_m: 2.4, steps: 5 }\n", false),
    ] {
        for speed in [0.05, 0.3, 1.0] {
            let mut world = World::built(solid).with(0.3, 1.4, 0.0);
            let mut top = 0.0f64;
            for _ in 0..world.rate.ticks(1.0 + 0.6 / speed) {
                world.step(&[go(0.0, speed)]);
                top = top.max(f64::from(world.place(0).1));
            }
            world.check();
            assert_eq!(top > 0.3, climbs, "{solid} at {top} m, speed {speed}");
        }
    }
}

/// Water from y = 2 to 6, flush with the floor, a little under it or a step over it, as a class of its own.
fn pond(top_m: f32) -> World {
    let text = format!(
        "name: pond\nfloors:\n  - {{ name: ground, up_m: 9, down_m: 2 }}\nsurfaces:\n  - {{ name: water, is_walkable: false }}\n\
         solids:\n  - slab: {{ outline: [[-20, -20], [20, -20], [20, 2], [-20, 2]], thickness_m: 1 }}\n  \
         - slab: {{ outline: [[-20, 6], [20, 6], [20, 20], [-20, 20]], thickness_m: 1 }}\n  \
         - slab: {{ outline: [[-20, 2], [20, 2], [20, 6], [-20, 6]], base_m: {top_m}, thickness_m: 0.5, surface: water }}\n"
    );
    World::of(parse(text.as_bytes(), "pond.yaml").unwrap().build().unwrap(), 60)
}

#[test]
fn what_is_not_walkable_is_walked_around_and_holds_nobody() {
    for top_m in [0.0, -0.2, 0.3] {
        for speed in [0.2, 1.0] {
            let mut world = pond(top_m).with(0.0, 0.0, 0.0);
            world.hold(go(0.0, speed), 4.0 / speed.max(0.4));
            let (at, height) = world.place(0);
            assert!(at.y > 1.5 && at.y < 2.05 && height < 0.1, "stopped at {at}, {height} m up, water at {top_m}");
            // Along the border it is no hindrance.
            world.hold(go(0.8 * speed, 0.6 * speed), 2.0);
            let (along, _) = world.place(0);
            assert!(along.x > 4.0 * speed && along.y < 2.05, "only to {along}, water at {top_m}");
            assert!(world.walkers[0].is_grounded);
        }
        // Fallen on it: not grounded, so it can neither jump nor rest as on ground, but it can get out.
        let mut world = pond(top_m).with(0.0, 4.0, 1.0);
        world.hold(Input::default(), 2.0);
        assert!(!world.walkers[0].is_grounded, "stands on water at {top_m}");
        let height = world.place(0).1;
        let jump = Input { actions: Actions::JUMP, ..Input::default() };
        world.hold(jump, 0.2);
        assert!(world.place(0).1 < height + 0.02, "jumps off water");
    }
}

#[test]
fn a_low_passage_is_for_those_who_crouch() {
    let solid = "  - box: { at: [0, 4], size: [6, 3], height_m: 1, base_m: 1.3 }\n";
    let mut world = World::built(solid).with(0.0, 0.0, 0.0);
    world.hold(go(0.0, 1.0), 2.0);
    assert!(world.place(0).0.y < 2.5);
    let low = Input { stance: Stance::Crouch, ..go(0.0, 1.0) };
    world.hold(low, 1.0);
    assert!(world.place(0).0.y > 3.0);
    // There is no room to stand up here; out of it there is.
    world.hold(go(0.0, 0.0), 1.0);
    assert_eq!((world.walkers[0].stance, world.walkers[0].body().eye_m), (Stance::Crouch, 1.0));
    world.hold(go(0.0, 1.0), 2.0);
    assert!(world.place(0).0.y > 5.8);
    assert_eq!((world.walkers[0].stance, world.walkers[0].body().eye_m), (Stance::Stand, 1.7));
}

fn crowd() -> (World, Vec<Input>) {
    let mut world = World::stock("doorway");
    for number in 0..500 {
        let (column, row) = ((number / 20) as f32, (number % 20) as f32);
        let shift = if number / 20 % 2 == 0 { 0.0 } else { 0.2 };
        world = world.with(-1.0 - 0.7 * column, -8.0 + 0.82 * row + shift, 0.0);
    }
    (world, Vec::new())
}

/// Everybody pushes on, but now and then somebody steps back: rigid bodies that only press on build arches at a door,
/// and those never break.
fn toward_the_door(walkers: &[CharacterBody], tick: u64, inputs: &mut Vec<Input>) {
    inputs.clear();
    inputs.extend((0..).zip(walkers).map(|(number, walker)| {
        let mut rng = Streams { seed: 5 }.stream(number * 1000 + tick / 30, Purpose::new("sway"));
        let at = plane::ground(walker.pose.position);
        let goal = if at.x < -0.3 { Vec2::new(0.5, 0.0) } else { Vec2::new(25.0, at.y * 4.0) };
        let way = plane::direction(goal - at);
        let way = way + plane::left_of(way) * rng.between(-1.2, 1.2);
        let way = plane::direction(way) * if rng.chance(0.25) { -0.6 } else { 1.0 };
        go(way.x, way.y)
    }));
}

#[test]
fn five_hundred_at_one_door_never_overlap_and_get_through() {
    let (mut world, mut inputs) = crowd();
    let triangles = world.triangles();
    for tick in 0..2400 {
        toward_the_door(&world.walkers, tick, &mut inputs);
        world.step(&inputs);
        check_bodies(&world.walkers);
        check_walls(&world.walkers, &triangles);
    }
    let through = world.walkers.iter().filter(|walker| walker.pose.position.x > 0.5).count();
    assert!(through > 15, "only {through} got through");
}

/// Runs jobs backwards, as four workers would split them.
struct Backwards;

impl Pool for Backwards {
    fn width(&self) -> usize {
        4
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(job);
    }
}

#[test]
fn every_pool_gives_the_same_bits() {
    let (mut one, mut inputs) = crowd();
    let (mut four, _) = crowd();
    for tick in 0..90 {
        toward_the_door(&one.walkers, tick, &mut inputs);
        one.step(&inputs);
        four.step_on(&inputs, &Backwards);
        let bits = |world: &World| sentir::core::state::hash(&world.walkers);
        assert_eq!(bits(&one), bits(&four));
        assert_eq!(one.scratch.bumps, four.scratch.bumps);
    }
    assert!(one.scratch.bumps.iter().any(|bump| matches!(bump.touched, Touched::CharacterBody(_))));
}

#[test]
fn the_order_of_bodies_changes_nothing_where_they_do_not_meet() {
    let spots = [(-10.0, -5.0), (-10.0, 5.0), (0.0, -12.0), (3.0, 0.0), (14.0, 10.0)];
    let mut there = spots.iter().fold(World::stock("heights"), |world, &(x, y)| world.with(x, y, 3.2));
    let mut back = spots.iter().rev().fold(World::stock("heights"), |world, &(x, y)| world.with(x, y, 3.2));
    let mut rng = Streams { seed: 9 }.stream(0, Purpose::new("order"));
    for _ in 0..20 {
        let mut inputs: Vec<Input> = spots.iter().map(|_| random_input(&mut rng)).collect();
        for _ in 0..10 {
            there.step(&inputs);
            inputs.reverse();
            back.step(&inputs);
            inputs.reverse();
        }
        assert!(there.scratch.bumps.iter().all(|bump| bump.touched == Touched::Wall));
        let turned: Vec<CharacterBody> = back.walkers.iter().rev().copied().collect();
        assert_eq!(there.walkers, turned);
    }
}

#[test]
fn a_wall_at_an_angle_leaves_the_speed_along_it() {
    let mut world =
        World::built("  - wall: { along: [[-15, 3], [-1, 3], [15, 3]], height_m: 3 }\n").with(-10.0, 1.0, 0.0);
    world.hold(go(0.8, 0.6), 1.5);
    assert!(world.scratch.bumps.iter().any(|bump| bump.touched == Touched::Wall && bump.walker == 0));
    for _ in 0..180 {
        world.step(&[go(0.8, 0.6)]);
        let along = world.walkers[0].velocity;
        assert!((along.x - 3.2).abs() < 0.05 && along.z.abs() < 0.01, "{along} at {:?}", world.place(0));
    }
    world.check();
}

#[test]
fn a_jump_is_as_high_as_its_speed_makes_it() {
    for rate in [20, 60, 144] {
        let mut world = World::built("").with(0.0, 0.0, 0.0);
        world.rate = TickRate::new(rate);
        world.hold(Input::default(), 0.2);
        let ground = world.place(0).1;
        let jump = Input { actions: Actions::JUMP, ..Input::default() };
        let (mut top, mut landings) = (0.0f64, 0);
        for _ in 0..world.rate.ticks(2.5) {
            let was_up = !world.walkers[0].is_grounded;
            world.step(&[jump]);
            landings += u32::from(was_up && world.walkers[0].is_grounded);
            top = top.max(f64::from(world.place(0).1 - ground));
        }
        let expected = 4.5 * 4.5 / (2.0 * 9.81);
        // The top may lie between two ticks.
        let missed = 9.81 / 8.0 / f64::from(rate) / f64::from(rate) + 1e-3;
        assert!((expected - missed..=expected + 1e-3).contains(&top), "{top} instead of {expected} at {rate} Hz");
        assert_eq!(landings, 1, "one press is one jump");
    }
}

#[test]
fn who_rests_does_not_creep_and_does_not_jitter() {
    let mut world = World::stock("heights").with(-14.0, -2.0, 1.5);
    world.hold(Input::default(), 2.0);
    let before = world.walkers[0].pose.position;
    assert!(world.walkers[0].is_grounded && world.walkers[0].velocity == Vec3::ZERO);
    world.hold(Input::default(), 5.0);
    assert!(world.walkers[0].pose.position.distance(before) < 1e-3);

    // Into a corner, pressed on.
    let solid = "  - wall: { along: [[-4, 2], [2, 2], [2, -4]], height_m: 3 }\n";
    let mut world = World::built(solid).with(0.0, 0.0, 0.0);
    world.hold(go(0.6, 0.8), 3.0);
    let before = world.walkers[0].pose.position;
    for _ in 0..60 {
        world.step(&[go(0.6, 0.8)]);
        assert_eq!(world.walkers[0].velocity, Vec3::ZERO);
    }
    assert!(world.walkers[0].pose.position.distance(before) < 1e-4);
}

#[test]
fn a_thin_wall_is_not_passed_at_any_speed() {
    for rate in [20, 30, 60, 144] {
        for slant in [0.0, 0.3, -0.7] {
            let solid = "  - wall: { along: [[-19, 4], [19, 4]], height_m: 3, thickness_m: 0.01 }\n";
            let mut world = World::built(solid).with(0.0, -8.0, 0.0);
            world.rate = TickRate::new(rate);
            (world.config.speed_m_per_s_max, world.config.acceleration_m_per_s2) = (20.0, 1000.0);
            world.hold(go(slant, 1.0), 1.2);
            let (at, _) = world.place(0);
            assert!((at.y - 3.7).abs() < 0.05, "at {at} with {rate} Hz");
        }
    }
}

#[test]
fn a_fast_fall_ends_on_the_floor() {
    for rate in [20, 60] {
        let mut world = World::built("").with(0.0, 0.0, 60.0);
        world.rate = TickRate::new(rate);
        world.hold(Input::default(), 5.0);
        assert!(world.walkers[0].is_grounded && world.place(0).1 < 0.02);
    }
}

#[test]
fn who_is_spawned_in_others_or_in_a_wall_comes_out_gently() {
    let solid =
        "  - wall: { along: [[-5, 3], [5, 3]], height_m: 3 }\n  - box: { at: [0, -6], size: [3, 3], height_m: 3 }\n";
    let mut world = World::built(solid);
    for (x, y) in [(0.0, 0.0), (0.0, 0.0), (0.1, 0.1), (0.2, -0.1), (2.0, 3.0), (-2.0, 2.8), (1.2, -6.0)] {
        world = world.with(x, y, 0.0);
    }
    for _ in 0..180 {
        let before: Vec<Vec3> = world.walkers.iter().map(|walker| walker.pose.position).collect();
        world.step(&[]);
        for (walker, before) in world.walkers.iter().zip(before) {
            let speed = walker.pose.position.distance(before) * 60.0;
            assert!(speed < 4.6 && walker.velocity.length() < 1.0, "explodes: {walker:?} with {speed} m/s");
        }
    }
    world.check();
}

#[test]
fn moving_pieces_carry_and_push_but_do_not_swallow() {
    // On the platform, and in the way of the cart.
    let mut world = World::stock("collapse").with(-8.0, 2.0, 0.35).with(4.0, -5.5, 0.0);
    let mut top = 0.0f64;
    for _ in 0..60 * 14 {
        world.state.step(&world.level, world.rate);
        world.step(&[]);
        world.check();
        top = top.max(f64::from(world.place(0).1));
    }
    assert!(top > 2.8, "was carried to {top} m only");
    assert!(world.place(1).0.y > -3.3, "was not pushed: {:?}", world.place(1));
}

#[test]
fn forged_states_are_healed() {
    let odd = [f32::NAN, f32::INFINITY, -1e30, 1e30, -0.0, 1e-40, 7.0];
    let mut rng = Streams { seed: 4 }.stream(0, Purpose::new("forged"));
    let mut world = World::stock("yard");
    for _ in 0..300 {
        let mut any = || odd[rng.below(7) as usize];
        let pose = Pose { position: Vec3::new(any(), any(), any()), yaw: any() };
        let mut walker =
            CharacterBody { velocity: Vec3::new(any(), any(), any()), pitch: any(), ..CharacterBody::at(pose) };
        (walker.radius_m, walker.height_m, walker.eye_m, walker.support_m) = (any(), any(), any(), any());
        walker.is_grounded = rng.chance(0.5);
        let ride = sentir_sim::body::Ride { piece: sentir_level::PieceId(3), pose };
        walker.ride = rng.chance(0.5).then_some(ride);
        world.walkers.push(walker);
    }
    for _ in 0..20 {
        let inputs: Vec<Input> = (0..300).map(|_| random_input(&mut rng)).collect();
        world.step(&inputs);
        assert!(world.walkers.iter().all(|walker| walker.body().is_finite() && walker.pitch.is_finite()));
    }
    let config = BodyConfig { radius_m: f32::NAN, stand_m: -1.0, step_up_m: f32::INFINITY, ..BodyConfig::default() };
    let held = config.held();
    assert_eq!((held.radius_m, held.stand_m, held.crouch_m, held.step_up_m), (0.3, 0.6, 0.6, 2.0));
}

#[test]
fn state_is_saved_whole() {
    let mut world = World::stock("collapse").with(-8.0, 2.0, 0.35);
    world.hold(go(0.3, 0.1), 0.5);
    let bytes = sentir::core::state::to_bytes(&world.walkers);
    let loaded: Vec<CharacterBody> = sentir::core::state::from_bytes(&bytes).unwrap();
    assert_eq!(loaded, world.walkers);
    assert!(loaded[0].ride.is_some());
}

#[test]
fn steady_steps_allocate_nothing() {
    let (mut world, mut inputs) = crowd();
    for tick in 0..200 {
        toward_the_door(&world.walkers, tick, &mut inputs);
        world.step(&inputs);
    }
    // The same moment again: it needs no more room than the first time.
    let before = world.walkers.clone();
    world.step(&inputs);
    world.walkers = before;
    let info = allocation_counter::measure(|| world.step(&inputs));
    assert_eq!(info.count_total, 0);
}
