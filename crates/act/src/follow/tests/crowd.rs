//! Among others: sides, ways round, goals that are taken; and nothing left behind.

use super::*;
use crate::follow::bypass;

/// An open place, 24 m by 16 m.
const PLACE: [&str; 8] = ["............"; 8];

#[test]
fn in_a_passage_one_keeps_to_the_right_and_in_the_open_one_goes_straight() {
    let side_at = |rows: &[&str], from: Vec3, to: Vec3, x: f32| {
        let mut world = World::new(mesh(rows), from, to);
        while (world.position.x - x).abs() > 0.1 {
            assert_eq!(world.step(), None);
        }
        world.position.z
    };
    let passage = ["............"; 2];
    // Going east, south is on the right; the wall is at 4 m, the middle at 2 m.
    assert!(side_at(&passage, at(0.5, 0.5), at(11.5, 0.5), 12.0) > 2.1);
    assert!(side_at(&passage, at(11.5, 1.5), at(0.5, 1.5), 12.0) < 1.9);
    assert!((side_at(&PLACE, at(0.5, 4.0), at(11.5, 4.0), 12.0) - 8.0).abs() < 0.05);
}

#[test]
fn between_two_rooms_both_ways_bear_to_the_right() {
    let rooms = ["....###....", "....###....", "...........", "...........", "....###....", "....###...."];
    for (from, to, right) in [(at(0.5, 0.5), at(10.5, 0.5), 1.0), (at(10.5, 5.5), at(0.5, 5.5), -1.0)] {
        let side = |passage_m: f32| {
            let mut world = World::new(mesh(&rooms), from, to);
            world.config.passage_m = passage_m;
            while (world.position.x - 11.0).abs() > 0.1 {
                assert_eq!(world.step(), None);
            }
            let side = world.position.z;
            assert!(world.run(60.0).is_ok() && world.off_m < 0.02);
            side
        };
        assert!((side(7.0) - side(0.0)) * right > 0.6, "{} {}", side(7.0), side(0.0));
    }
}

#[test]
fn who_is_off_the_mesh_comes_back_whoever_drives_it_out() {
    // The ground begins at z = 0, where others stand so near that avoidance alone leads away from them: out.
    let mut world = World::new(mesh(&PLACE), Vec3::new(8.0, 0.0, -0.2), at(11.5, 0.5));
    world.others.extend([Vec2::new(7.75, -0.28), Vec2::new(8.3, -0.3)]);
    world.step();
    let mut off_m = 0.2;
    while off_m > 0.01 {
        world.step();
        let before = std::mem::replace(&mut off_m, -world.position.z);
        assert!(off_m < before, "from {before} m off to {off_m} m");
    }
    assert!(world.tick < 12, "{} ticks", world.tick);
}

#[test]
fn a_way_along_a_border_is_walked() {
    let rows = [".......", "......#", "...#...", ".......", ".......", ".......", "......."];
    let mut world = World::new(mesh(&rows), Vec3::new(12.53053, 0.0, 4.0), Vec3::new(0.0, 0.0, 4.8742704));
    assert!(world.run(30.0).is_ok());
    // Between two corners that leave a line and no more.
    let rows = [".......", ".......", ".......", ".......", ".......", "......#", "..#...."];
    let mut world = World::new(mesh(&rows), Vec3::new(0.0, 0.0, 13.183565), Vec3::new(13.769782, 0.0, 12.0));
    let time_s = world.run(30.0).unwrap();
    assert!(time_s < 13.0, "{time_s} s for 14 m");
}

#[test]
fn a_crowd_that_stands_is_gone_round() {
    let time = |look_m: f32| {
        let mut world = World::new(mesh(&PLACE), at(0.5, 4.0), at(11.5, 4.0));
        world.config.look_m = look_m;
        for row in 0..6 {
            world.others.extend((0..5).map(|column| Vec2::new(10.0 + column as f32 * 0.8, -6.0 - row as f32 * 0.8)));
        }
        let time_s = world.run(60.0).unwrap_or(60.0);
        assert!(world.gap_m > -0.02, "{} m", world.gap_m);
        time_s
    };
    let (plain_s, time_s) = (time(0.0), time(6.0));
    assert!(time_s < 22.0 / PACE * 1.6 && time_s < plain_s, "{time_s} s for 22 m, {plain_s} s without a look");
}

#[test]
fn near_a_goal_that_is_taken_one_has_arrived_and_before_a_barrier_one_has_not() {
    let street = ["........"];
    let mut world = World::new(mesh(&street), at(0.5, 0.5), at(6.5, 0.5));
    world.others.push(plane::ground(at(6.5, 0.5)));
    assert!(world.run(30.0).is_ok());
    let far_m = world.position.distance(at(6.5, 0.5));
    assert!((0.5..1.5).contains(&far_m), "{far_m}");
    // As near, but nobody stands on the goal itself.
    let mut world = World::new(mesh(&street), at(0.5, 0.5), at(6.5, 0.5));
    world.others.extend([-0.2, -0.75, -1.3, -1.8].map(|y| Vec2::new(12.2, y)));
    assert_eq!(world.run(60.0), Err(Some(Cause::Stuck)));
    assert!(world.position.distance(at(6.5, 0.5)) < 1.8, "{}", world.position);
}

#[test]
fn a_goal_changed_on_a_link_costs_no_search_before_the_far_side() {
    let mut ground = mesh(&["..#..", "..#..", "..#..", "..#.."]);
    let (from, to) = (at(2.0, 1.5), at(3.0, 1.5));
    let link = Link { from, to, traversal: Traversal::Jump, is_two_way: true, cost_m: 2.0, is_open: true };
    ground.add_link(link, Vec3::splat(0.5)).unwrap();
    let mut world = World::new(ground, at(0.5, 0.5), at(4.5, 0.5));
    while !matches!(world.follower.phase(), Phase::Traverse(_)) {
        assert_eq!(world.step(), None);
    }
    let before = world.requests.counts().submitted;
    world.go(2, at(0.5, 3.5));
    while matches!(world.follower.phase(), Phase::Traverse(_)) {
        assert_eq!(world.step(), None);
        assert_eq!(world.requests.counts().submitted, before);
    }
    assert!(world.run(60.0).is_ok() && world.position.distance(at(0.5, 3.5)) < 0.25);
    assert!(world.requests.counts().submitted <= before + 2, "{:?}", world.requests.counts());
    assert_eq!(world.requests.open_count(), 0);
}

#[test]
fn nothing_is_left_behind() {
    let begun = || {
        let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
        world.budget = RequestConfig { expansions_per_tick: 0, wait_ticks_max: 60, ..world.budget };
        (0..5).for_each(|_| assert_eq!(world.step(), None));
        assert_eq!(world.requests.open_count(), 1);
        world
    };
    // No budget: the wait has an end, and a cause.
    let mut world = begun();
    assert_eq!(world.run(10.0), Err(Some(Cause::OutOfBudget)));
    assert_eq!(
        (world.follower.phase(), world.follower.ahead().len(), world.requests.open_count()),
        (Phase::Idle, 0, 0)
    );
    // Taken back by somebody else: asked for anew, and found.
    let mut world = begun();
    assert_eq!(world.requests.forget(AgentId::from_bits(0)), 1);
    world.budget = RequestConfig::default();
    assert!(world.run(60.0).is_ok() && world.requests.open_count() == 0);
    // The agent is gone: an answer to nobody changes nothing.
    let mut world = begun();
    world.requests.forget(AgentId::from_bits(0));
    let before = state::to_bytes(&world.follower);
    let World { mesh: ground, requests, scratch, .. } = &mut world;
    let mut answers = 0;
    let config = &RequestConfig::default();
    let context = ProcessContext { mesh: ground, costs: &[], tactician: None, now: Tick(9), config };
    requests.process(context, scratch, |_| answers += 1);
    assert_eq!((answers, requests.open_count(), state::to_bytes(&world.follower) == before), (0, 0, true));
    // A goal that moves every tick: one open request at most, and an end.
    let mut world = World::new(mesh(ROOMS), at(0.5, 0.5), at(8.5, 0.5));
    for number in 0..200u32 {
        world.go(2 + number, at(5.0 + (number % 40) as f32 * 0.1, 0.5 + (number % 2) as f32 * 4.0));
        world.step();
        assert!(world.requests.open_count() <= 1);
    }
    assert!(world.run(60.0).is_ok() && world.requests.open_count() == 0);
}

proptest! {
    /// The first meeting is where two discs, moved by small steps, first touch.
    #[test]
    fn the_way_to_the_first_meeting_is_that_of_small_steps(
        position in (-5.0f32..5.0, -5.0f32..5.0),
        theirs in (-2.0f32..2.0, -2.0f32..2.0),
        mine in (-2.0f32..2.0, -2.0f32..2.0),
    ) {
        let (position, theirs, mine) = (Vec2::from(position), Vec2::from(theirs), Vec2::from(mine));
        prop_assume!(mine.length() > 0.1 && position.length() > 0.65);
        let me = Avoider { radius_m: 0.3, ..Avoider::default() };
        let mut near = Nearest::around(Vec2::ZERO, 0, &AvoidConfig { range_m: 9.0, ..AvoidConfig::default() });
        near.add(Neighbor { position, velocity: theirs, radius_m: 0.3, rank: 1, ..Neighbor::default() });
        let free = bypass::clear(&me, mine, &near, 6.0);
        let gap = |walked_m: f32| (position + (theirs - mine) * (walked_m / mine.length())).length() - 0.6;
        for step in 0..600 {
            let walked_m = step as f32 * 0.01;
            prop_assert!(walked_m > free || gap(walked_m) > -1e-3, "met at {} of {}", walked_m, free);
        }
        prop_assert!(free == 6.0 || gap(free).abs() < 1e-3, "{} m apart at {}", gap(free), free);
    }
}
