//! What following must hold, on small worlds.

mod crowd;
mod stream;

use proptest::prelude::*;
use sentir_core::id::AgentId;
use sentir_core::state;
use sentir_core::tick::Tick;
use sentir_nav::mesh::{AreaId, Link, Patch, Polygon, Traversal};
use sentir_nav::request::{ProcessContext, Request, RequestConfig, RequestScratch, Requests};

use super::*;
use crate::avoid::{AvoidConfig, Avoider, Nearest, Neighbor};

const TICK_S: f32 = 1.0 / 30.0;
const PACE: f32 = 1.5;

/// The squares of 2 m of a picture that are not `#`; rows go down the page.
fn mesh(rows: &[&str]) -> Mesh {
    let mut patch = Patch::default();
    for (row, line) in rows.iter().enumerate() {
        for (column, _) in line.bytes().enumerate().filter(|(_, mark)| *mark != b'#') {
            let first = patch.loops.len() as u32;
            for (x, z) in [(0, 1), (1, 1), (1, 0), (0, 0)] {
                let corner = Vec3::new((column + x) as f32 * 2.0, 0.0, (row + z) as f32 * 2.0);
                let at = patch.corners.iter().position(|&it| it == corner).unwrap_or(patch.corners.len());
                if at == patch.corners.len() {
                    patch.corners.push(corner);
                }
                patch.loops.push(at as u32);
            }
            patch.polygons.push(Polygon { first, count: 4, area: AreaId(0) });
        }
    }
    Mesh::from_patch(patch).unwrap()
}

fn at(column: f32, row: f32) -> Vec3 {
    Vec3::new(column * 2.0, 0.0, row * 2.0)
}

/// The walls within a radius of a place, by a look at every side of every polygon that can be walked to.
fn walls_by_sides(mesh: &Mesh, place: MeshPoint, radius_m: f32) -> Vec<(f32, [Vec2; 2])> {
    let (mut seen, mut walls, mut done) = (vec![place.polygon], Vec::new(), 0);
    let at = plane::ground(place.point);
    while let Some(&polygon) = seen.get(done) {
        done += 1;
        let ring: Vec<Vec2> = mesh.ring(polygon).map(plane::ground).collect();
        for (number, beyond) in mesh.neighbors(polygon).enumerate() {
            let (from, to) = (ring[number], ring[(number + 1) % ring.len()]);
            let square = plane::nearest_on_segment(from, to, at).0.distance_squared(at);
            match beyond {
                _ if square > radius_m * radius_m => {}
                None => walls.push((square, [to, from])),
                Some(other) if !seen.contains(&other) => seen.push(other),
                Some(_) => {}
            }
        }
    }
    walls.sort_by(|a, b| a.0.total_cmp(&b.0));
    walls
}

proptest! {
    /// The twin looks at every side.
    #[test]
    fn walls_near_a_place_are_those_that_a_look_at_every_side_finds(
        spot in (0.1f32..9.9, 0.1f32..5.9),
        radius_m in 0.0f32..4.0,
    ) {
        let mesh = mesh(&["..#..", ".....", "#.#.."]);
        let place = mesh.nearest(Vec3::new(spot.0, 0.0, spot.1), Vec3::splat(3.0)).unwrap();
        let found: Vec<[Vec2; 2]> =
            walls_near(&mesh, &AreaCosts::PLAIN, place, radius_m).iter().map(|wall| [wall.from, wall.to]).collect();
        let mut twin: Vec<[Vec2; 2]> = walls_by_sides(&mesh, place, radius_m).into_iter().map(|it| it.1).collect();
        twin.truncate(crate::avoid::WALLS_MAX);
        prop_assert_eq!(found, twin);
    }
}

/// One who follows on a mesh, with a queue of its own.
struct World {
    mesh: Mesh,
    version: u32,
    follower: Follower,
    position: Vec3,
    velocity: Vec2,
    requests: Requests,
    budget: RequestConfig,
    scratch: RequestScratch,
    tick: u64,
    /// Farthest off the mesh so far, m, and the way walked, m.
    off_m: f32,
    walked_m: f32,
    actions: Actions,
    config: FollowConfig,
    /// Bodies that stand about.
    others: Vec<Vec2>,
    /// Least room to one of them so far, m.
    gap_m: f32,
}

impl World {
    fn new(mesh: Mesh, from: Vec3, to: Vec3) -> World {
        let mut world = World {
            mesh,
            version: 1,
            follower: Follower::default(),
            position: from,
            velocity: Vec2::ZERO,
            requests: Requests::default(),
            budget: RequestConfig::default(),
            scratch: RequestScratch::default(),
            tick: 0,
            off_m: 0.0,
            walked_m: 0.0,
            actions: Actions::default(),
            config: FollowConfig { give_up_s: 10.0, ..FollowConfig::default() },
            others: Vec::new(),
            gap_m: f32::INFINITY,
        };
        world.go(1, to);
        world
    }

    fn go(&mut self, ticket: u32, to: Vec3) {
        self.follower.go(Ticket(ticket), to, &self.config);
    }

    fn step(&mut self) -> Option<Outcome> {
        let ground = MeshGround { mesh: &self.mesh, version: self.version, costs: &AreaCosts::PLAIN };
        let me = Walk {
            position: self.position,
            velocity: self.velocity,
            is_grounded: true,
            pace_m_per_s: PACE,
            arrive_m: 0.2,
            tick_s: TICK_S,
        };
        let advice = self.follower.step(&ground, &me, &self.config);
        self.actions = self.actions.with(advice.actions);
        let place = plane::ground(self.position);
        let avoider = Avoider {
            position: place,
            velocity: self.velocity,
            wanted: advice.wanted,
            radius_m: 0.3,
            speed_m_per_s_max: PACE,
            priority: 1.0,
            horizon_s: 2.0,
        };
        let avoid = AvoidConfig::default();
        let steer = SteerConfig { follow: &self.config, avoid: &avoid, tick_s: TICK_S };
        let look = AvoidConfig { neighbors_max: 24, ..avoid };
        let mut near = Nearest::around(place, 0, &look);
        for (rank, &position) in (1..).zip(&self.others) {
            self.gap_m = math::min(self.gap_m, position.distance(place) - 0.6);
            near.add(Neighbor { position, radius_m: 0.3, priority: f32::INFINITY, rank, ..Neighbor::default() });
        }
        let around = Neighborhood { me: avoider, rank: 0, near: &near };
        self.velocity = self.follower.steer(&ground, &around, &steer);
        self.position += plane::lift(self.velocity * TICK_S, 0.0);
        self.walked_m += self.velocity.length() * TICK_S;
        if !matches!(self.follower.phase(), Phase::Traverse(_) | Phase::Land(_)) {
            let near =
                self.mesh.nearest(self.position, Vec3::splat(3.0)).map_or(3.0, |it| it.point.distance(self.position));
            self.off_m = math::max(self.off_m, near);
        }
        let (now, from) = (Tick(self.tick), self.position);
        self.follower.post(Request::new(AgentId::from_bits(0), from, from), &mut self.requests, now, &self.budget);
        let World { requests, follower, scratch, budget, config, .. } = self;
        let context = ProcessContext { mesh: &self.mesh, costs: &[], tactician: None, now, config: budget };
        requests.process(context, scratch, |reply| follower.take(reply, &ground, config));
        self.tick += 1;
        advice.outcome
    }

    /// Steps until the wish is over; the time it took, s.
    fn run(&mut self, seconds: f32) -> Result<f32, Option<Cause>> {
        for tick in 0..(seconds / TICK_S) as u32 {
            match self.step() {
                Some(Outcome::Arrived { .. }) => return Ok(tick as f32 * TICK_S),
                Some(Outcome::Failed { cause, .. }) => return Err(Some(cause)),
                _ => {}
            }
        }
        Err(None)
    }
}

const ROOMS: &[&str] = &["....#....", "....#....", ".........", "....#....", "....#...."];

#[test]
fn a_walk_through_a_door_takes_the_time_of_the_path() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    let path_m = 2.0 * (at(0.5, 0.5).distance(at(4.0, 2.0))) + 2.0;
    let time_s = world.run(60.0).unwrap();
    assert!(time_s < path_m / PACE * 1.1 + 0.5, "{time_s} s for {path_m} m");
    assert!(world.off_m < 0.02, "{} m off", world.off_m);
    assert!(world.position.distance(at(8.5, 0.5)) < 0.25);
    assert_eq!((world.follower.phase(), world.requests.open_count()), (Phase::Idle, 0));
}

#[test]
fn who_is_pushed_finds_back_and_arrives() {
    for push in [at(0.2, 4.8), at(3.9, 0.1), at(7.5, 4.0), Vec3::new(-0.7, 0.0, 5.0), at(4.5, 1.8)] {
        let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
        (0..60).for_each(|_| assert_eq!(world.step(), None));
        world.position = push;
        assert!(world.run(60.0).is_ok(), "pushed to {push}");
        assert!(world.position.distance(at(8.5, 0.5)) < 0.25);
    }
}

#[test]
fn a_goal_that_moves_a_little_costs_no_search_and_one_that_moves_far_costs_one() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    (0..30).for_each(|_| assert_eq!(world.step(), None));
    for number in 0..20 {
        world.go(2 + number, at(8.5, 0.5 + number as f32 * 0.02));
        world.step();
    }
    assert_eq!(world.requests.counts().submitted, 1);
    world.go(90, at(0.5, 4.5));
    assert!(world.run(60.0).is_ok() && world.position.distance(at(0.5, 4.5)) < 0.25);
    assert!(world.requests.counts().submitted <= 2 && world.requests.open_count() == 0);
}

#[test]
fn a_goal_that_moves_before_the_answer_supersedes_and_a_stop_takes_back() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    world.budget.expansions_per_tick = 0;
    world.step();
    world.go(2, at(5.5, 4.5));
    world.step();
    assert_eq!((world.requests.open_count(), world.requests.counts().submitted), (1, 2));
    world.follower.stop();
    world.step();
    assert_eq!(world.requests.open_count(), 0);
    assert_eq!(world.follower.phase(), Phase::Idle);
}

#[test]
fn every_failure_has_its_cause() {
    let islands = &["..#..", "..#..", "..#.."];
    let mut world = World::new(mesh(islands), at(0.5, 0.5), at(4.5, 0.5));
    assert_eq!(world.run(60.0), Err(Some(Cause::NoPath)));
    let mut world = World::new(mesh(islands), at(0.5, 0.5), at(40.0, 0.5));
    assert_eq!(world.run(60.0), Err(Some(Cause::BadGoal)));
    let mut world = World::new(mesh(islands), at(0.5, 0.5), Vec3::new(f32::NAN, 0.0, 1.0));
    assert_eq!(world.run(60.0), Err(Some(Cause::BadGoal)));
    let mut world = World::new(mesh(islands), at(-30.0, 0.5), at(0.5, 0.5));
    assert_eq!(world.run(60.0), Err(Some(Cause::BadStart)));
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    world.budget.expansions_max = 2;
    assert_eq!(world.run(60.0), Err(Some(Cause::OutOfBudget)));
    // Nobody home in a body without a place.
    world.position = Vec3::NAN;
    world.go(7, at(1.0, 1.0));
    assert_eq!(world.step(), None);
    assert!(world.velocity.is_finite());
}

#[test]
fn a_mesh_replaced_under_way_is_noticed_by_its_version() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    (0..60).for_each(|_| assert_eq!(world.step(), None));
    // The door moved, and with it all numbers.
    world.mesh = mesh(&["....#....", "....#....", "....#....", "....#....", "........."]);
    world.version = 2;
    assert!(world.run(60.0).is_ok());
    assert!(world.off_m < 0.02 && world.walked_m > 16.0 + 4.0);
    // And the way is gone altogether.
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    (0..60).for_each(|_| assert_eq!(world.step(), None));
    world.mesh = mesh(&["....#....", "....#....", "....#....", "....#....", "....#...."]);
    world.version = 2;
    assert_eq!(world.run(60.0), Err(Some(Cause::NoPath)));
    assert!(world.off_m < 0.02);
}

#[test]
fn links_are_passed_as_tasks() {
    let islands = &["..#..", "..#..", "..#.."];
    for (traversal, action) in
        [(Traversal::Jump, Actions::JUMP), (Traversal::Drop, Actions::default()), (Traversal::Door, Actions::USE)]
    {
        let mut ground = mesh(islands);
        let link =
            Link { from: at(2.0, 1.5), to: at(3.0, 1.5), traversal, is_two_way: false, cost_m: 2.0, is_open: true };
        let id = ground.add_link(link, Vec3::splat(0.5)).unwrap();
        let mut world = World::new(ground, at(0.5, 0.5), at(4.5, 0.5));
        let mut phases = Vec::new();
        for _ in 0..600 {
            let outcome = world.step();
            let phase = world.follower.phase();
            if phases.last() != Some(&phase) {
                phases.push(phase);
            }
            if outcome.is_some() {
                assert!(matches!(outcome, Some(Outcome::Arrived { .. })), "{traversal:?} {outcome:?}");
                break;
            }
        }
        let wanted =
            [Phase::Walking, Phase::Approach(id), Phase::Traverse(id), Phase::Land(id), Phase::Walking, Phase::Idle];
        assert_eq!(phases[phases.len() - 6..], wanted, "{traversal:?}");
        assert_eq!(world.actions, action);
    }
}

#[test]
fn who_is_held_is_blocked_then_stuck() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    (0..30).for_each(|_| assert_eq!(world.step(), None));
    let clamped = world.position;
    let mut told = Vec::new();
    for _ in 0..600 {
        world.position = clamped;
        world.velocity = Vec2::ZERO;
        told.extend(world.step());
    }
    assert!(matches!(told[0], Outcome::Blocked { .. }), "{told:?}");
    assert!(matches!(told[told.len() - 1], Outcome::Failed { cause: Cause::Stuck, .. }), "{told:?}");
    assert!(world.requests.open_count() == 0 && world.requests.counts().submitted >= 2);
}

#[test]
fn a_warm_follower_allocates_nothing_and_its_state_is_whole() {
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    world.run(60.0).unwrap();
    world.go(2, at(0.5, 4.5));
    let counted = allocation_counter::measure(|| assert!(world.run(60.0).is_ok()));
    assert_eq!(counted.count_total, 0);
    world.go(3, at(8.5, 0.5));
    (0..40).for_each(|_| assert_eq!(world.step(), None));
    let back: Follower = state::from_bytes(&state::to_bytes(&world.follower)).unwrap();
    assert_eq!(back, world.follower);
    assert!(state::perturb(&back).iter().all(|one| one.outcome != state::Noticed::No));
    let mut bad = back;
    bad.route.at = 99;
    assert!(state::from_bytes::<Follower>(&state::to_bytes(&bad)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    /// On random worlds, every goal that the search reaches is reached, in about the time of the path, on the mesh.
    #[test]
    fn every_reachable_goal_is_reached_in_time(
        walls in proptest::collection::vec(any::<bool>(), 49),
        from in (0.0f32..7.0, 0.0f32..7.0),
        to in (0.0f32..7.0, 0.0f32..7.0),
    ) {
        let mut rows = vec![vec![b'.'; 7]; 7];
        for (number, &is_wall) in walls.iter().enumerate() {
            if is_wall && number % 3 != 0 {
                rows[number / 7][number % 7] = b'#';
            }
        }
        let text: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
        let text: Vec<&str> = text.iter().map(String::as_str).collect();
        let mesh = mesh(&text);
        let (from, to) = (at(from.0, from.1), at(to.0, to.1));
        let put = |point| mesh.nearest(point, Vec3::splat(0.9)).map(|it| it.point);
        let (Some(from), Some(to)) = (put(from), put(to)) else { return Ok(()) };
        let mut search = sentir_nav::mesh::CorridorSearch::default();
        let answer = search.find(&mesh, &sentir_nav::mesh::MeshQuery::new(from, to));
        let (is_found, path_m) = (answer.is_found(), answer.cost as f32);
        let mut world = World::new(mesh.clone(), from, to);
        let end = world.run(120.0);
        if is_found {
            let time_s = end.map_err(|cause| TestCaseError::fail(format!("{cause:?} {text:?} {from} {to}")))?;
            // Keeping right makes ways longer where every corner is a passage of one meter, as here; in the open it costs 3 %.
            prop_assert!(time_s <= path_m / PACE * 1.5 + 2.5, "{} s for {} m, {:?} {} {}", time_s, path_m, text, from, to);
        } else {
            prop_assert_eq!(end, Err(Some(Cause::NoPath)));
        }
        prop_assert!(world.off_m < 0.05, "{} m off", world.off_m);
    }
}
