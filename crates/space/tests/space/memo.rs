//! Kept regions are the same as fresh ones, and are kept as long as they can be.

use sentir_nav::mesh::AreaId;
use sentir_nav::tactic::{Segment, Spans};
use sentir_space::core::glam::{Vec2, Vec3};
use sentir_space::core::random::{Purpose, Streams};
use sentir_space::visibility::{Memo, ObstacleId, Obstacles, Region, Seen, Sweep, Watcher};

use crate::oracle::{SIDE, World, regular};

#[test]
fn the_same_question_is_answered_once() {
    let world = World::random(&mut Streams { seed: 3 }.stream(0, Purpose::new("memo")));
    let (obstacles, mut memo) = (world.obstacles(), Memo::default());
    for _ in 0..5 {
        memo.look(&obstacles, &world.watcher);
    }
    assert_eq!(memo.swept_of_asked(), (1, 5));
}

#[test]
fn what_moves_unseen_changes_nothing_and_what_moves_in_sight_does() {
    let wall = |x: f32| vec![Vec2::new(x, -2.0), Vec2::new(x, 2.0)];
    let mut obstacles = Obstacles::build(&[], &[]).unwrap();
    let [near, hidden] = [3.0, 6.0].map(|x| obstacles.add_walls(&wall(x)).unwrap());
    let watcher = Watcher { half_angle_rad: 0.3, facing: -1.57, ..Watcher::all_round(Vec2::ZERO, 10.0) };
    let mut memo = Memo::default();
    memo.look(&obstacles, &watcher);
    obstacles.replace(hidden, &wall(7.0)).unwrap();
    assert!(!memo.look(&obstacles, &watcher).contains(Vec2::new(5.0, 0.0)));
    assert_eq!(memo.swept_of_asked(), (1, 2));
    obstacles.replace(near, &wall(4.0)).unwrap();
    assert!(memo.look(&obstacles, &watcher).contains(Vec2::new(3.5, 0.0)));
    obstacles.remove(near).unwrap();
    assert!(memo.look(&obstacles, &watcher).contains(Vec2::new(5.0, 0.0)));
    assert_eq!(memo.swept_of_asked(), (3, 4));
}

#[test]
fn kept_regions_are_fresh_regions_whatever_moves() {
    let (mut saved, mut all) = (0, 0);
    for seed in 0..40 {
        let mut random = Streams { seed }.stream(0, Purpose::new("memo moves"));
        let mut obstacles = Obstacles::default();
        let mut ids: Vec<ObstacleId> = Vec::new();
        let shape = |random: &mut sentir_space::core::random::Stream| {
            let at = Vec2::new(random.between(0.0, SIDE), random.between(0.0, SIDE));
            regular(at, random.between(0.2, 1.5), 3 + random.below(5), 0.0)
        };
        for _ in 0..20 {
            ids.push(obstacles.add_polygon(&shape(&mut random)).unwrap());
        }
        let watchers: Vec<Watcher> = (0..6)
            .map(|_| World::random(&mut random).watcher)
            .map(|watcher| Watcher { range_m: 15.0, ..watcher })
            .collect();
        let (mut memo, mut sweep, mut fresh) = (Memo::new(5), Sweep::default(), Region::default());
        for _ in 0..40 {
            match random.below(6) {
                0 => ids.push(obstacles.add_polygon(&shape(&mut random)).unwrap()),
                1 => drop(obstacles.remove(ids[random.below(ids.len() as u32) as usize])),
                _ => drop(obstacles.replace(ids[random.below(ids.len() as u32) as usize], &shape(&mut random))),
            }
            for watcher in &watchers[..4] {
                let kept = memo.look(&obstacles, watcher).clone();
                sweep.look(&obstacles, watcher, &mut fresh);
                // Arcs may be cut elsewhere, and their angles are single precision.
                assert!((kept.area_m2() - fresh.area_m2()).abs() < 1e-3, "seed {seed}");
                for _ in 0..20 {
                    let point = Vec2::new(random.between(0.0, SIDE), random.between(0.0, SIDE));
                    assert_eq!(kept.contains(point), fresh.contains(point), "seed {seed}: {point}");
                }
            }
        }
        let (swept, asked) = memo.swept_of_asked();
        (saved, all) = (saved + asked - swept, all + asked);
    }
    assert!(saved * 3 > all, "{saved} of {all} were kept");
}

#[test]
fn warm_regions_allocate_nothing() {
    let world = World::random(&mut Streams { seed: 8 }.stream(0, Purpose::new("memo")));
    let obstacles = world.obstacles();
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("watchers"));
    let watchers: Vec<Watcher> = (0..30).map(|_| World::random(&mut random).watcher).collect();
    let (mut sweep, mut halves, mut region, mut memo) =
        (Sweep::default(), Sweep::by_halves(), Region::default(), Memo::new(8));
    let (mut ring, mut spans) = (Vec::new(), Vec::new());
    let mut round = || {
        let mut area = 0.0;
        for watcher in &watchers {
            halves.look(&obstacles, watcher, &mut region);
            sweep.look(&obstacles, watcher, &mut region);
            area += region.area_m2() + memo.look(&obstacles, watcher).area_m2();
            region.ring(0.01, &mut ring);
            spans.clear();
            region.clip(Vec2::ZERO, Vec2::splat(SIDE), &mut spans);
        }
        area
    };
    let cold = round();
    // The memo's places are used by turns: once more until each has held every region.
    (0..40).for_each(|_| assert_eq!(round(), cold));
    let mut warm = 0.0;
    let counted = allocation_counter::measure(|| warm = round());
    assert_eq!((counted.count_total, warm), (0, cold));
}

#[test]
fn exposure_is_that_of_the_region_arcs_and_all() {
    let watcher = Watcher::all_round(Vec2::ZERO, 5.0);
    let obstacles = Obstacles::build(&[], &[[Vec2::new(2.0, 1.0), Vec2::new(4.0, 1.0)]]).unwrap();
    let mut region = Region::default();
    Sweep::default().look(&obstacles, &watcher, &mut region);
    let seen = Seen { regions: &[region], band_m: [0.0, 2.0] };
    let mut spans = Spans::default();
    let lift = |x: f32, y: f32, height: f32| Vec3::new(x, height, -y);
    let line = |y: f32, height| Segment::new(lift(-9.0, y, height), lift(9.0, y, height), AreaId(0));
    spans.fill(&seen, &line(0.0, 1.0), 18.0);
    assert_eq!(spans.as_slice(), [[4.0, 14.0]]);
    spans.fill(&seen, &line(2.0, 1.0), 18.0);
    // In range from −√21 on, and behind the wall from x = 4 on; it hides up to 8, which is out of range.
    let half = 21f64.sqrt();
    assert_eq!(spans.as_slice().len(), 1);
    assert!(
        (spans.as_slice()[0][0] - (9.0 - half)).abs() < 1e-9 && (spans.as_slice()[0][1] - 13.0).abs() < 1e-9,
        "{spans:?}"
    );
    spans.fill(&seen, &line(0.0, 3.0), 18.0);
    assert!(spans.as_slice().is_empty());
}
