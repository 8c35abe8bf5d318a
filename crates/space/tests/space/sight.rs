//! Regions against rays.

use sentir_space::core::glam::{DVec2, Vec2};
use sentir_space::core::random::{Purpose, Streams};
use sentir_space::visibility::region::SAG_M;
use sentir_space::visibility::{Region, Sweep};

use crate::oracle::{SIDE, World, sees_clearly};

#[test]
fn a_thousand_odd_worlds_are_seen_as_rays_see_them() {
    let (mut sweep, mut halves) = (Sweep::default(), Sweep::by_halves());
    let (mut region, mut other) = (Region::default(), Region::default());
    let (mut asked, mut seen) = (0, 0);
    for seed in 0..1000 {
        let mut random = Streams { seed }.stream(0, Purpose::new("worlds"));
        let world = World::random(&mut random);
        let (obstacles, walls) = (world.obstacles(), world.all_walls());
        sweep.look(&obstacles, &world.watcher, &mut region);
        halves.look(&obstacles, &world.watcher, &mut other);
        for number in 0..200 {
            // Half of them near the origin, where things are narrow.
            let reach = if number % 2 == 0 { SIDE } else { 3.0 };
            let at = Vec2::new(random.between(-reach, reach), random.between(-reach, reach));
            let point = if number % 2 == 0 { at + Vec2::splat(SIDE * 0.5) } else { at + world.watcher.origin };
            let Some(is_seen) = sees_clearly(&walls, &world.watcher, point.as_dvec2()) else { continue };
            asked += 1;
            seen += u32::from(is_seen);
            assert_eq!(region.contains(point), is_seen, "seed {seed}: {point} by {:?}", world.watcher);
            assert_eq!(other.contains(point), is_seen, "seed {seed}, by halves: {point} by {:?}", world.watcher);
        }
    }
    assert!(asked > 150_000 && seen > 20_000, "{seen} of {asked} seen");
}

#[test]
fn segments_are_clipped_where_samples_change() {
    let (mut sweep, mut region, mut spans) = (Sweep::default(), Region::default(), Vec::new());
    let mut long = 0;
    for seed in 0..400 {
        let mut random = Streams { seed }.stream(0, Purpose::new("clips"));
        let world = World::random(&mut random);
        sweep.look(&world.obstacles(), &world.watcher, &mut region);
        for number in 0..20 {
            let mut place = || Vec2::new(random.between(0.0, SIDE), random.between(0.0, SIDE));
            let (mut from, to) = (place(), place());
            if number == 0 {
                from = world.watcher.origin;
            }
            let way = to.as_dvec2() - from.as_dvec2();
            let length = way.length();
            spans.clear();
            region.clip(from, to, &mut spans);
            assert!(spans.windows(2).all(|pair| pair[0][1] < pair[1][0]), "seed {seed}: {spans:?}");
            assert!(spans.iter().all(|span| span[0] >= 0.0 && span[1] <= length + 1e-9 && span[0] < span[1]));
            long += spans.len();
            for step in 0..100 {
                let along = length * (f64::from(step) + 0.5) / 100.0;
                let point = from.as_dvec2() + way * (along / length);
                // Ends of stretches are borders, where rounding decides.
                if spans.iter().flatten().any(|end| (end - along).abs() < 1e-6) {
                    continue;
                }
                let is_in = spans.iter().any(|span| span[0] < along && along < span[1]);
                assert_eq!(region.holds(point), is_in, "seed {seed} line {number}: {along} of {spans:?}");
            }
        }
    }
    assert!(long > 2000, "{long} stretches");
}

#[test]
fn rings_triangles_area_and_tactic_regions_are_the_same_region() {
    let (mut sweep, mut region, mut ring) = (Sweep::default(), Region::default(), Vec::new());
    for seed in 0..300 {
        let mut random = Streams { seed }.stream(0, Purpose::new("rings"));
        let world = World::random(&mut random);
        sweep.look(&world.obstacles(), &world.watcher, &mut region);
        region.ring(SAG_M, &mut ring);
        let cross = |a: Vec2, b: Vec2| a.as_dvec2().perp_dot(b.as_dvec2());
        let shoelace: f64 = (0..ring.len()).map(|at| 0.5 * cross(ring[at], ring[(at + 1) % ring.len()])).sum();
        let mut fan = 0.0;
        region.triangles(SAG_M, |[o, a, b]| fan += 0.5 * (a - o).as_dvec2().perp_dot((b - o).as_dvec2()));
        let lost = f64::from(SAG_M * world.watcher.range_m) * 6.3 + 0.01;
        assert!((shoelace - fan).abs() < 0.01, "seed {seed}: {shoelace} {fan}");
        assert!(
            region.area_m2() > fan - 0.01 && region.area_m2() - fan < lost,
            "seed {seed}: {} {fan}",
            region.area_m2()
        );
        let Some(tactic) = region.to_tactic(0.0, 2.0) else { continue };
        let set = sentir_nav::tactic::RegionSet::new(&[tactic]).unwrap();
        let walls = world.all_walls();
        for _ in 0..60 {
            let point = Vec2::new(random.between(0.0, SIDE), random.between(0.0, SIDE));
            let d = (point.as_dvec2() - region.origin().as_dvec2()).length();
            let is_at_range = (d - f64::from(region.range_m())).abs() < 0.02;
            if sees_clearly(&walls, &world.watcher, point.as_dvec2()).is_some() && !is_at_range {
                assert_eq!(set.contains(point, 1.0), region.holds(point.as_dvec2()), "seed {seed}: {point}");
            }
        }
        assert!(!set.contains(region.origin() + Vec2::splat(0.001), 3.0));
        assert!(region.holds(region.origin().as_dvec2()) && !region.holds(DVec2::splat(1e9)));
    }
}
