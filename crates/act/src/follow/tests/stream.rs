//! Two streams through one door: who goes first, and that nobody stands for long.

use sentir_core::random::{Purpose, Stream, Streams};
use sentir_nav::request::BudgetScope;

use super::*;
use crate::follow::precedence;

/// Two rooms of 14 m by 14 m, joined by a door of 2 m.
const DOOR: [&str; 7] = [
    ".......#.......",
    ".......#.......",
    ".......#.......",
    "...............",
    ".......#.......",
    ".......#.......",
    ".......#.......",
];
/// Radius of a body, and the room that it keeps beside that, m.
const BODY_M: f32 = 0.3;
const MARGIN_M: f32 = 0.05;
const AVOID: AvoidConfig = AvoidConfig { range_m: 4.0, neighbors_max: 10, wall_horizon_s: 0.4, separate_s: 0.4 };

/// One of the crowd.
struct One {
    follower: Follower,
    position: Vec3,
    velocity: Vec2,
    yaw: f32,
    trips: u32,
    is_east: bool,
    still: Vec3,
    ticks: u32,
}

/// What was seen of a crowd.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    arrived: u32,
    failed: u32,
    /// Times that somebody was within 0.4 m of one place for 2 s, though it wanted to go.
    jams: u32,
    /// Deepest that a body was in another, m.
    deep_m: f32,
}

fn spot(random: &mut Stream, is_east: bool) -> Vec3 {
    let x = random.between(0.8, 13.2) + if is_east { 16.0 } else { 0.0 };
    Vec3::new(x, 0.0, random.between(0.8, 13.2))
}

fn crowd(count: usize, random: &mut Stream) -> Vec<One> {
    let mut all: Vec<One> = Vec::new();
    while all.len() < count {
        let is_east = all.len() % 2 == 1;
        let position = spot(random, is_east);
        if all.iter().all(|one| one.position.distance(position) > 0.7) {
            let (follower, velocity) = (Follower::default(), Vec2::ZERO);
            all.push(One { follower, position, velocity, yaw: 0.0, trips: 0, is_east, still: position, ticks: 0 });
        }
    }
    all
}

/// The velocity of one, by what it sees of the others.
fn decide(
    one: &mut One,
    rank: u32,
    seen: &[Neighbor],
    ground: &MeshGround<'_>,
    config: &FollowConfig,
) -> Option<Outcome> {
    let (position, velocity) = (one.position, one.velocity);
    let me = Walk { position, velocity, is_grounded: true, pace_m_per_s: PACE, arrive_m: 0.4, tick_s: TICK_S };
    let advice = one.follower.step(ground, &me, config);
    let me = Avoider {
        position: plane::ground(position),
        velocity,
        wanted: advice.wanted,
        radius_m: BODY_M + MARGIN_M,
        speed_m_per_s_max: PACE,
        priority: seen[rank as usize].priority,
        horizon_s: 0.4,
    };
    let mut near = Nearest::around(me.position, rank, &AVOID);
    seen.iter().for_each(|&other| near.add(other));
    let steer = SteerConfig { follow: config, avoid: &AVOID, tick_s: TICK_S };
    one.velocity = one.follower.steer(ground, &Neighborhood { me, rank, near: &near }, &steer);
    let facing = if one.velocity.length() > 0.4 { one.velocity } else { advice.wanted };
    if facing.length() > 0.2 {
        one.yaw = math::approach_angle(one.yaw, plane::yaw(facing), 5.0 * TICK_S);
    }
    advice.outcome
}

/// Moves the bodies as far as walls and the others let them.
fn push(all: &mut [One], mesh: &Mesh) {
    let before: Vec<Vec3> = all.iter().map(|one| one.position).collect();
    all.iter_mut().for_each(|one| one.position += plane::lift(one.velocity * TICK_S, 0.0));
    for _ in 0..4 {
        for a in 0..all.len() {
            for b in 0..a {
                let gap = all[a].position - all[b].position;
                let short = 2.0 * BODY_M - gap.length();
                if short > 0.0 && gap.length() > 1e-4 {
                    let part = gap.normalize() * (short * 0.5);
                    all[a].position += part;
                    all[b].position -= part;
                }
            }
        }
    }
    for (one, from) in all.iter_mut().zip(before) {
        let place = mesh.nearest(from, Vec3::ONE).unwrap();
        one.position = mesh.ray(place, one.position, &AreaCosts::PLAIN).unwrap().place.point;
        one.velocity = plane::ground(one.position - from) / TICK_S;
    }
}

/// So many go to and fro through the door for a minute.
fn streams(seed: u64, count: usize, config: &FollowConfig) -> Seen {
    let mesh = mesh(&DOOR);
    let ground = MeshGround { mesh: &mesh, version: 1, costs: &AreaCosts::PLAIN };
    let mut random = Streams { seed }.stream(0, Purpose::new("streams"));
    let mut all = crowd(count, &mut random);
    let budget = RequestConfig { expansions_per_tick: 200, scope: BudgetScope::Each, ..RequestConfig::default() };
    let (mut requests, mut scratch) = (Requests::default(), RequestScratch::default());
    let mut figures = Seen::default();
    for tick in (0..1800).map(Tick) {
        let look = |(rank, one): (u32, &One)| {
            let priority = if one.velocity.length() < 0.1 { 0.5 } else { 1.0 };
            let (position, velocity) = (plane::ground(one.position), one.velocity);
            Neighbor { position, velocity, yaw: Some(one.yaw), radius_m: BODY_M + MARGIN_M, priority, rank }
        };
        let seen: Vec<Neighbor> = (0..).zip(&all).map(look).collect();
        for (rank, one) in (0..).zip(&mut all) {
            if one.follower.phase() == Phase::Idle {
                (one.is_east, one.trips) = (!one.is_east, one.trips + 1);
                one.follower.go(Ticket(one.trips), spot(&mut random, one.is_east), config);
            }
            match decide(one, rank, &seen, &ground, config) {
                Some(Outcome::Arrived { .. }) => figures.arrived += 1,
                Some(Outcome::Failed { .. }) => figures.failed += 1,
                _ => {}
            }
        }
        push(&mut all, &mesh);
        for (number, one) in (0..).zip(&mut all) {
            let request = Request::new(AgentId::from_bits(number), one.position, one.position);
            one.follower.post(request, &mut requests, tick, &budget);
            let stands = one.position.distance(one.still) < 0.4 && one.follower.phase() != Phase::Idle;
            (one.still, one.ticks) = if stands { (one.still, one.ticks + 1) } else { (one.position, 0) };
            figures.jams += u32::from(one.ticks == 60);
        }
        let context = ProcessContext { mesh: &mesh, costs: &[], tactician: None, now: tick, config: &budget };
        requests.process(context, &mut scratch, |reply| {
            all[reply.agent.to_bits() as usize].follower.take(reply, &ground, config);
        });
    }
    let apart = |a: usize, b: usize| all[a].position.distance(all[b].position);
    for a in 0..count {
        figures.deep_m = (0..a).fold(figures.deep_m, |most, b| math::max(most, 2.0 * BODY_M - apart(a, b)));
    }
    figures
}

#[test]
fn two_streams_through_one_door_let_each_other_pass() {
    let sum = |room_s: f32| {
        let config = FollowConfig { room_s, ..FollowConfig::default() };
        (1..=4).map(|seed| streams(seed, 20, &config)).fold(Seen::default(), |mut sum, one| {
            sum.arrived += one.arrived;
            (sum.failed, sum.jams) = (sum.failed + one.failed, sum.jams + one.jams);
            sum.deep_m = math::max(sum.deep_m, one.deep_m);
            sum
        })
    };
    let (with, without) = (sum(FollowConfig::default().room_s), sum(0.0));
    assert!(with.jams == 0 && without.jams >= 10, "{with:?}, and without the rule {without:?}");
    assert!(with.failed == 0 && with.arrived >= 300 && with.deep_m < 0.05, "{with:?}");
}

#[test]
fn who_faces_the_lowest_rank_makes_room_and_who_goes_its_way_goes_on() {
    let me = Avoider { wanted: Vec2::X * PACE, radius_m: 0.3, ..Avoider::default() };
    let stands = |x: f32, y: f32, yaw: Vec2, rank: u32| Neighbor {
        position: Vec2::new(x, y),
        yaw: Some(plane::yaw(yaw)),
        radius_m: 0.3,
        priority: 1.0,
        rank,
        ..Neighbor::default()
    };
    let room = |rank: u32, others: &[Neighbor]| {
        let mut near = Nearest::around(Vec2::ZERO, rank, &AVOID);
        others.iter().for_each(|&other| near.add(other));
        precedence::room_for(&me, rank, &near)
    };
    let faced = stands(0.7, 0.1, Vec2::NEG_X, 3);
    // Aside, away from the other's way, and back; the other does not.
    let away = room(5, &[faced]).unwrap();
    assert!(away.y < -0.5 && away.x < -0.3, "{away}");
    assert_eq!(room(2, &[faced]), None);
    // Somebody of a lower rank yet goes the same way behind: then the other has to make room.
    assert_eq!(room(5, &[faced, stands(-0.7, 0.0, Vec2::X, 1)]), None);
    // Who walks off, who faces the same way, and what never gives way, is no jam.
    let walks = Neighbor { velocity: Vec2::NEG_X * PACE, ..faced };
    for other in [walks, stands(0.7, 0.1, Vec2::X, 3), Neighbor { priority: f32::INFINITY, ..faced }] {
        assert_eq!(room(5, &[other]), None);
    }
    // At rest one makes room for who faces one, and for nobody else.
    let rest = |other: Neighbor| {
        let mut near = Nearest::around(Vec2::ZERO, 1, &AVOID);
        near.add(other);
        precedence::room_at_rest(&Avoider { wanted: Vec2::ZERO, speed_m_per_s_max: PACE, ..me }, &near)
    };
    assert!(rest(faced).is_some_and(|(room, way)| room.x < 0.0 && way.dot(Vec2::NEG_X) > 0.99));
    assert_eq!(rest(stands(0.7, 0.1, Vec2::X, 3)), None);
    assert_eq!(rest(Neighbor { yaw: Some(f32::NAN), ..faced }), None);
}
