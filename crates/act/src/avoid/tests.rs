//! Avoidance against its slow twins: sampled velocity obstacles, all corners of the planes, all pairs.
#![expect(clippy::disallowed_methods, reason = "twins reckon in double precision, with the standard library")]

use proptest::prelude::*;
use sentir_core::index::PointIndex;
use sentir_core::pool::{Pool, Serial};

use super::*;

/// So many threads, for real.
struct Threads(usize);

impl Pool for Threads {
    fn width(&self) -> usize {
        self.0
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        job(number);
                    }
                });
            }
        });
    }
}

fn person(position: Vec2, velocity: Vec2, wanted: Vec2) -> Avoider {
    Avoider { position, velocity, wanted, radius_m: 0.3, speed_m_per_s_max: 2.0, priority: 1.0, horizon_s: 3.0 }
}

/// One tick of a quarter second for everybody, each by itself.
fn walk(crowd: &mut [Avoider], goals: &[Vec2], walls: &[Wall], tick_s: f32) {
    let before = crowd.to_vec();
    let mut planes = Planes::default();
    for (rank, it) in (0..).zip(crowd.iter_mut()) {
        it.wanted = ground::truncated((goals[rank as usize] - it.position) * 2.0, 1.5);
        let others = before.iter().zip(0..).map(|(other, rank)| other.seen(rank));
        it.velocity = avoid(it, rank, &AvoidConfig::default(), others, walls.iter().copied(), &mut planes);
    }
    for it in crowd {
        it.position += it.velocity * tick_s;
    }
}

/// Least distance between two bodies, m; below 0 they overlap.
fn least_gap(crowd: &[Avoider]) -> f32 {
    let mut least = f32::INFINITY;
    for (number, one) in crowd.iter().enumerate() {
        for other in &crowd[..number] {
            least = math::min(least, one.position.distance(other.position) - one.radius_m - other.radius_m);
        }
    }
    least
}

#[test]
fn two_dead_ahead_of_each_other_pass_on_the_right_without_touching() {
    let (left, right) = (Vec2::new(-4.0, 0.0), Vec2::new(4.0, 0.0));
    let mut crowd = [person(left, Vec2::ZERO, Vec2::ZERO), person(right, Vec2::ZERO, Vec2::ZERO)];
    let mut gap = f32::INFINITY;
    for _ in 0..200 {
        walk(&mut crowd, &[right, left], &[], 0.05);
        gap = math::min(gap, least_gap(&crowd));
        if (crowd[0].position.x).abs() < 0.2 {
            assert!(crowd[0].position.y < -0.1 && crowd[1].position.y > 0.1, "right is south for who goes east");
        }
    }
    assert!(gap > -1e-3, "{gap}");
    assert!(crowd[0].position.distance(right) < 0.1 && crowd[1].position.distance(left) < 0.1);
}

/// Everybody on a ring of 6 m to the opposite point, for a minute: the least gap on the way, and how many arrive.
fn ring(count: i16) -> (f32, usize) {
    let place = |number: i16| ground::heading(math::TAU * f32::from(number) / f32::from(count)) * 6.0;
    let mut crowd: Vec<Avoider> = (0..count).map(|number| person(place(number), Vec2::ZERO, Vec2::ZERO)).collect();
    let goals: Vec<Vec2> = crowd.iter().map(|it| -it.position).collect();
    let mut gap = f32::INFINITY;
    for _ in 0..1200 {
        walk(&mut crowd, &goals, &[], 0.05);
        gap = math::min(gap, least_gap(&crowd));
    }
    (gap, crowd.iter().zip(&goals).filter(|(it, goal)| it.position.distance(**goal) < 0.2).count())
}

#[test]
fn an_even_ring_crosses_over_and_all_arrive() {
    let (gap, arrived) = ring(12);
    assert!(gap > -0.02 && arrived == 12, "{gap} m, {arrived}");
    // Where all meet, more than ten touch at once and no velocity is safe: the least breach is taken, and bodies are to
    // be kept apart by whoever moves them.
    let (gap, arrived) = ring(40);
    assert!(gap > -0.2 && arrived == 40, "{gap} m, {arrived}");
}

#[test]
fn priority_decides_who_steps_aside() {
    let mut sway = [0.0f32; 2];
    for (run, sway) in sway.iter_mut().enumerate() {
        let goals = [Vec2::new(4.0, 0.0), Vec2::new(-4.0, 0.2)];
        let mut crowd = [person(-goals[0], Vec2::ZERO, Vec2::ZERO), person(-goals[1], Vec2::ZERO, Vec2::ZERO)];
        crowd[0].priority = if run == 0 { 9.0 } else { 1.0 };
        crowd[1].priority = if run == 0 { 1.0 } else { 9.0 };
        for _ in 0..120 {
            walk(&mut crowd, &goals, &[], 0.05);
            *sway = math::max(*sway, crowd[0].position.y.abs());
        }
    }
    assert!(sway[0] < 0.5 * sway[1], "{sway:?}");
    assert_eq!((share_of(1.0, 1.0), share_of(0.0, 0.0), share_of(f32::INFINITY, 1.0)), (0.5, 0.5, 0.0));
    assert_eq!((share_of(1.0, f32::INFINITY), share_of(f32::NAN, 1.0), share_of(3.0, 1.0)), (1.0, 0.5, 0.25));
}

#[test]
fn two_at_the_very_same_place_part_by_rank() {
    let config = AvoidConfig::default();
    let me = person(Vec2::ONE, Vec2::ZERO, Vec2::ZERO);
    let mut planes = Planes::default();
    let first = avoid(&me, 3, &config, [me.seen(7)], [], &mut planes);
    let second = avoid(&me, 7, &config, [me.seen(3)], [], &mut planes);
    assert!(first.x < -0.5 && second.x > 0.5 && first.y == 0.0 && second.y == 0.0, "{first} {second}");
}

#[test]
fn who_overlaps_is_apart_after_the_time_asked_for() {
    let config = AvoidConfig { separate_s: 0.5, ..AvoidConfig::default() };
    let crowd = [Vec2::ZERO, Vec2::new(0.2, 0.1)].map(|place| person(place, Vec2::ZERO, Vec2::ZERO));
    let mut planes = Planes::default();
    let one = avoid(&crowd[0], 0, &config, [crowd[1].seen(1)], [], &mut planes);
    let other = avoid(&crowd[1], 1, &config, [crowd[0].seen(0)], [], &mut planes);
    let (a, b) = (crowd[0].position + one * 0.5, crowd[1].position + other * 0.5);
    assert!((a.distance(b) - 0.6).abs() < 1e-4, "{}", a.distance(b));
}

#[test]
fn walls_hold_from_the_open_side_and_let_through_from_behind() {
    let config = AvoidConfig::default();
    // The open side of a wall going north is the east.
    let wall = Wall { from: Vec2::new(0.0, -3.0), to: Vec2::new(0.0, 3.0) };
    let mut planes = Planes::default();
    let west = Vec2::new(-1.5, 0.0);
    let mut me = person(Vec2::new(1.0, 0.0), west, west);
    for _ in 0..100 {
        me.velocity = avoid(&me, 0, &config, [], [wall], &mut planes);
        me.position += me.velocity * 0.05;
    }
    assert!(me.position.x > 0.299 && me.position.x < 0.32, "{}", me.position);
    let me = person(Vec2::new(-0.5, 0.0), Vec2::ZERO, -west);
    assert_eq!(avoid(&me, 0, &config, [], [wall], &mut planes), -west);
    // A crowd of one pressed between walls that leave no room is no harm.
    let back = Wall { from: Vec2::new(0.4, 3.0), to: Vec2::new(0.4, -3.0) };
    let me = person(Vec2::new(0.2, 0.0), Vec2::ZERO, Vec2::Y);
    let chosen = avoid(&me, 0, &config, [], [wall, back], &mut planes);
    assert!(chosen.is_finite() && chosen.x.abs() < 1e-4);
}

#[test]
fn who_is_no_number_stands_still_and_is_not_seen() {
    let config = AvoidConfig::default();
    let well = person(Vec2::ZERO, Vec2::ZERO, Vec2::X);
    for broken in [
        person(Vec2::NAN, Vec2::ZERO, Vec2::X),
        person(Vec2::new(0.5, 0.0), Vec2::new(f32::INFINITY, 0.0), Vec2::X),
        Avoider { radius_m: f32::NAN, ..person(Vec2::new(0.5, 0.0), Vec2::ZERO, Vec2::X) },
    ] {
        let mut velocities = [Vec2::ONE; 2];
        let scratch = &mut AvoidScratch::default();
        step(&config, &[well, broken], &WallIndex::default(), &mut velocities, &Serial, scratch);
        assert_eq!(velocities, [Vec2::X, Vec2::ZERO]);
        let alone = avoid(&well, 0, &config, [broken.seen(1)], [], &mut Planes::default());
        assert_eq!(alone, Vec2::X);
    }
}

fn vector(most: f32) -> impl Strategy<Value = Vec2> {
    (-most..most, -most..most).prop_map(|(x, y)| Vec2::new(x, y))
}

fn half_plane() -> impl Strategy<Value = HalfPlane> {
    (0.0f32..math::TAU, -2.0f32..1.0).prop_map(|(yaw, offset)| HalfPlane { normal: ground::heading(yaw), offset })
}

fn somebody() -> impl Strategy<Value = Avoider> {
    (vector(4.0), vector(1.5), vector(2.0), 0.1f32..0.6, 0.0f32..3.0).prop_map(
        |(position, velocity, wanted, radius_m, priority)| Avoider {
            radius_m,
            priority,
            ..person(position, velocity, wanted)
        },
    )
}

/// All places where the nearest one can be: the wish, its foot on every border, and every corner, with the speed limit's
/// circle among the borders. In double precision.
fn candidates(planes: &[HalfPlane], wanted: Vec2, speed: f32) -> Vec<sentir_core::glam::DVec2> {
    use sentir_core::glam::DVec2;
    let (wish, speed) = (wanted.as_dvec2(), f64::from(speed));
    let mut found = vec![wish, wish.normalize_or_zero() * speed];
    for (number, plane) in planes.iter().enumerate() {
        let (normal, offset) = (plane.normal.as_dvec2().normalize(), f64::from(plane.offset));
        found.push(wish + normal * (offset - normal.dot(wish)));
        let half = (speed * speed - offset * offset).max(0.0).sqrt();
        let along = DVec2::new(-normal.y, normal.x);
        found.extend([normal * offset + along * half, normal * offset - along * half]);
        for other in &planes[..number] {
            let (second, offset2) = (other.normal.as_dvec2().normalize(), f64::from(other.offset));
            let det = normal.perp_dot(second);
            if det.abs() > 1e-9 {
                let x = (offset * second.y - offset2 * normal.y) / det;
                found.push(DVec2::new(x, (normal.x * offset2 - second.x * offset) / det));
            }
        }
    }
    found.retain(|place| place.length() <= speed * 1.000_001);
    found
}

fn worst(planes: &[HalfPlane], place: sentir_core::glam::DVec2) -> f64 {
    let breach = |plane: &HalfPlane| f64::from(plane.offset) - plane.normal.as_dvec2().dot(place);
    planes.iter().map(breach).fold(0.0, f64::max)
}

fn filled(walls: &[HalfPlane], neighbors: &[HalfPlane]) -> Planes {
    let mut planes = Planes::default();
    walls.iter().for_each(|&plane| planes.push_wall(plane));
    neighbors.iter().for_each(|&plane| planes.push_neighbor(plane));
    planes
}

proptest! {
    #[test]
    fn the_choice_is_allowed_and_none_is_nearer(walls in prop::collection::vec(half_plane(), 0..3), neighbors in prop::collection::vec(half_plane(), 0..9), wanted in vector(2.0)) {
        let all: Vec<HalfPlane> = walls.iter().chain(&neighbors).copied().collect();
        let best = filled(&walls, &neighbors).best(wanted, 1.5).as_dvec2();
        let valid = candidates(&all, wanted, 1.5).into_iter().filter(|&place| worst(&all, place) < 1e-7);
        let least = valid.map(|place| place.distance(wanted.as_dvec2())).fold(f64::INFINITY, f64::min);
        prop_assert!(best.length() <= 1.500_001);
        if least.is_finite() {
            // Where what is allowed is a sliver, a breach of rounding may save a way.
            prop_assert!(worst(&all, best) < 1e-4, "broken by {}", worst(&all, best));
            prop_assert!(best.distance(wanted.as_dvec2()) <= least + 1e-3, "{best} for {least}");
        }
    }

    #[test]
    fn where_nothing_is_allowed_no_sample_breaks_less(neighbors in prop::collection::vec(half_plane(), 3..9), wall in half_plane(), wanted in vector(1.0)) {
        let wall = HalfPlane { offset: wall.offset.min(0.5), ..wall };
        let best = filled(&[wall], &neighbors).best(wanted, 1.5).as_dvec2();
        let breach = worst(&neighbors, best);
        prop_assert!(worst(&[wall], best) < 1e-4);
        for number in 0..4000u16 {
            // Samples of the disc that lie evenly.
            let (yaw, share) = (f32::from(number) * 2.399_963, (f32::from(number) / 4000.0).sqrt());
            let sample = (ground::heading(yaw) * (share * 1.5)).as_dvec2();
            if worst(&[wall], sample) <= 0.0 {
                prop_assert!(worst(&neighbors, sample) >= breach - 1e-3, "{} < {breach}", worst(&neighbors, sample));
            }
        }
    }

    /// The definition: a velocity is bad if the discs meet within the horizon. If both take one within their planes, they do not.
    #[test]
    fn whatever_two_choose_within_their_planes_they_do_not_meet(a in somebody(), b in somebody(), tries in prop::collection::vec((vector(2.0), vector(2.0)), 40)) {
        let radius = a.radius_m + b.radius_m;
        prop_assume!(a.position.distance(b.position) > radius + 0.01);
        let (one, other) = (neighbor_plane(&a, 0, &b.seen(1), 0.1), neighbor_plane(&b, 1, &a.seen(0), 0.1));
        for (mine, yours) in tries {
            // Put onto or into the planes.
            let mine = mine + one.normal * math::max(one.breach(mine), 0.0);
            let yours = yours + other.normal * math::max(other.breach(yours), 0.0);
            for sample in 0..=60u8 {
                let time_s = f32::from(sample) * 0.05;
                let gap = (a.position + mine * time_s).distance(b.position + yours * time_s) - radius;
                prop_assert!(gap > -2e-3, "{gap} after {time_s} s");
            }
        }
    }

    /// The change asked for is the least: nothing nearer to the relative velocity is out of (or in) the obstacle.
    #[test]
    fn the_plane_of_a_neighbor_touches_the_sampled_obstacle(a in somebody(), b in somebody()) {
        let radius = a.radius_m + b.radius_m;
        let to = b.position - a.position;
        prop_assume!(to.length() > radius + 0.01);
        let meets = |relative: Vec2| {
            let (near, _) = ground::nearest_on_segment(Vec2::ZERO, relative * 3.0, to);
            near.distance(to) < radius
        };
        let (a, b) = (Avoider { priority: 0.0, ..a }, Avoider { priority: 1.0, ..b });
        let relative = a.velocity - b.velocity;
        // All of a way out falls to `a`, none of a way in.
        let plane = neighbor_plane(&a, 0, &b.seen(1), 0.1);
        let change = plane.breach(a.velocity);
        if meets(relative) {
            prop_assert!(change > -1e-4);
            for sample in 0..64u8 {
                let nearer = relative + ground::heading(f32::from(sample) * 0.0982) * math::max(change * 0.98 - 1e-3, 0.0);
                prop_assert!(meets(nearer), "a shorter way out");
            }
            prop_assert!(!meets(relative + plane.normal * (change + 2e-3)));
        } else {
            prop_assert!(change < 1e-4);
        }
    }

    #[test]
    fn a_velocity_within_the_plane_of_a_wall_does_not_hit_it(me in somebody(), from in vector(4.0), to in vector(4.0), tries in prop::collection::vec(vector(2.0), 40)) {
        let (wall, config) = (Wall { from, to }, AvoidConfig { wall_horizon_s: 2.0, ..AvoidConfig::default() });
        prop_assume!(wall.nearest(me.position).distance(me.position) > me.radius_m + 0.01);
        let Some(plane) = wall_plane(&me, &wall, &config) else {
            let is_behind = (to - from).perp_dot(me.position - from) > 0.0;
            let gap = wall.nearest(me.position).distance(me.position) - me.radius_m;
            prop_assert!(is_behind || gap / 2.0 > me.speed_m_per_s_max * 0.999);
            return Ok(());
        };
        prop_assert!(plane.offset <= 0.0, "standing still is safe");
        for velocity in tries {
            let velocity = velocity + plane.normal * math::max(plane.breach(velocity), 0.0);
            for sample in 0..=40u8 {
                let place = me.position + velocity * (f32::from(sample) * 0.05);
                prop_assert!(wall.nearest(place).distance(place) > me.radius_m - 2e-3);
            }
        }
    }

    #[test]
    fn shares_of_two_sum_to_one(a in 0.0f32..1e6, b in 0.0f32..1e6) {
        prop_assert_eq!(share_of(a, b) + share_of(b, a), 1.0);
        prop_assert!(a <= b || share_of(a, b) <= 0.5);
    }

    #[test]
    fn turning_the_world_turns_the_answer_and_mirroring_mirrors_it(crowd in prop::collection::vec(somebody(), 1..6), yaw in 0.0f32..6.0) {
        prop_assume!(least_gap(&crowd) > 0.05);
        let (ahead, left) = (ground::heading(yaw), ground::left_of(ground::heading(yaw)));
        let turn = |vector: Vec2| ahead * vector.x + left * vector.y;
        let flip = |vector: Vec2| Vec2::new(vector.x, -vector.y);
        let answer = |change: &dyn Fn(Vec2) -> Vec2| {
            let moved = |it: &Avoider| Avoider { position: change(it.position), velocity: change(it.velocity), wanted: change(it.wanted), ..*it };
            let all: Vec<Avoider> = crowd.iter().map(moved).collect();
            let mut planes = Planes::default();
            let chosen = avoid(&all[0], 0, &AvoidConfig::default(), all.iter().zip(0..).map(|(it, rank)| it.seen(rank)), [], &mut planes);
            // Slivers and ties are where rounding decides.
            let is_tie = planes.neighbors().iter().any(|plane| planes.neighbors().iter().any(|other| plane != other && plane.normal.perp_dot(other.normal).abs() < 0.02));
            (chosen, is_tie)
        };
        let (plain, is_tie) = answer(&|vector| vector);
        prop_assume!(!is_tie && plain.perp_dot(crowd[0].wanted).abs() > 1e-2);
        prop_assert!(answer(&turn).0.distance(turn(plain)) < 5e-3);
        prop_assert!(answer(&flip).0.distance(flip(plain)) < 5e-3);
    }

    #[test]
    fn no_finite_input_gives_nan_or_too_much_speed(numbers in prop::collection::vec(any::<f32>(), 24), speed in 0.0f32..10.0) {
        let number = |at: usize| if numbers[at].is_finite() { numbers[at] } else { 1.0 };
        let pair = |at: usize| Vec2::new(number(at), number(at + 1));
        let one = |at: usize| Avoider { position: pair(at), velocity: pair(at + 2), wanted: pair(at + 4), radius_m: number(at + 6), speed_m_per_s_max: speed, priority: number(at + 7), horizon_s: number(at + 8) };
        let config = AvoidConfig { range_m: number(18), neighbors_max: 5, wall_horizon_s: number(19), separate_s: number(20) };
        let wall = Wall { from: pair(20), to: pair(22) };
        let chosen = avoid(&one(0), 0, &config, [one(9).seen(1)], [wall], &mut Planes::default());
        prop_assert!(chosen.is_finite() && chosen.length() <= speed * 1.000_01 + 1e-6, "{chosen}");
        let mut velocities = [Vec2::NAN; 2];
        step(&config, &[one(0), one(9)], &WallIndex::build(&[wall], number(23)), &mut velocities, &Serial, &mut AvoidScratch::default());
        prop_assert!(velocities.iter().all(|velocity| velocity.is_finite()));
    }

    #[test]
    fn a_crowd_is_what_each_would_do_by_itself_and_the_same_on_any_pool(crowd in prop::collection::vec(somebody(), 2..200), range_m in 0.5f32..6.0, neighbors_max in 0u32..12) {
        let config = AvoidConfig { range_m, neighbors_max, ..AvoidConfig::default() };
        let walls: Vec<Wall> = Wall::around(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]).collect();
        let index = WallIndex::build(&walls, 1.0);
        let mut scratch = AvoidScratch::default();
        let mut velocities = vec![Vec2::ZERO; crowd.len()];
        for threads in 0..4 {
            // The second round and on have guesses from the first.
            let pool: &dyn Pool = if threads == 0 { &Serial } else { &Threads(threads) };
            let mut again = vec![Vec2::ZERO; crowd.len()];
            step(&config, &crowd, &index, &mut again, pool, &mut scratch);
            prop_assert!(threads == 0 || again == velocities);
            velocities = again;
        }
        for (rank, it) in (0u32..).zip(&crowd) {
            let others = (0u32..).zip(&crowd).map(|(other, at)| at.seen(other));
            let mut close: Vec<(f32, usize)> = walls.iter().enumerate().map(|(number, wall)| (wall.nearest(it.position).distance_squared(it.position), number)).collect();
            close.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let alone = avoid(it, rank, &config, others, close.iter().map(|&(_, number)| walls[number]), &mut Planes::default());
            prop_assert_eq!(alone, velocities[rank as usize]);
        }
    }

    #[test]
    fn walls_near_a_place_are_found_once_and_all(ends in prop::collection::vec((vector(30.0), vector(30.0)), 0..40), center in vector(35.0), radius_m in 0.0f32..20.0, cell_m in -1.0f32..9.0) {
        let walls: Vec<Wall> = ends.into_iter().map(|(from, to)| Wall { from, to }).collect();
        let index = WallIndex::build(&walls, cell_m);
        let mut found = Vec::new();
        index.visit_near(center, radius_m, |number, _, _| found.push(number));
        found.sort_unstable();
        let is_near = |wall: &Wall| wall.nearest(center).distance_squared(center) <= radius_m * radius_m;
        let all: Vec<u32> = (0u32..).zip(&walls).filter(|(_, wall)| is_near(wall)).map(|(number, _)| number).collect();
        prop_assert_eq!(found, all);
        // Not an index over points; but that of points agrees where walls have no length.
        let points: Vec<Vec2> = walls.iter().map(|wall| wall.from).collect();
        let dots: Vec<Wall> = points.iter().map(|&from| Wall { from, to: from }).collect();
        let (mut ours, mut theirs) = ([Ranked { value: 0.0, index: 0 }; 5], Vec::new());
        let mut grid = PointIndex::default();
        grid.build(&points, 2.0, &Serial);
        let count = WallIndex::build(&dots, cell_m).nearest(center, radius_m, &mut ours);
        grid.nearest(center, 5, radius_m, &mut theirs);
        prop_assert_eq!(&ours[..count], &theirs);
    }
}

#[test]
fn what_was_weighed_is_drawn_on_its_layer() {
    use sentir_core::draw::DrawList;
    let mut planes = Planes::default();
    let me = person(Vec2::ZERO, Vec2::X, Vec2::X);
    let other = person(Vec2::new(1.5, 0.1), -Vec2::X, -Vec2::X);
    let wall = Wall { from: Vec2::new(-2.0, 0.5), to: Vec2::new(2.0, 0.5) };
    let chosen = avoid(&me, 0, &AvoidConfig::default(), [other.seen(1)], [wall], &mut planes);
    let mut list = DrawList::default();
    draw::draw(&me, &planes, chosen, 1.0, &mut list);
    assert!(list.items().iter().all(|item| item.layer == draw::LAYER));
    // The limit, two planes of two shapes, two arrows.
    assert_eq!((planes.walls().len(), planes.neighbors().len(), list.items().len()), (1, 1, 7));
    let (low, high) = list.bounds(|_| true).unwrap();
    assert!(low.cmpge(Vec2::splat(-2.2)).all() && high.cmple(Vec2::splat(2.2)).all());
}
