//! Places, heights, rays, walls and reach, each against going through everything.

use crate::world::{World, ground, height, is_in, point, stream, worlds};
use sentir_core::glam::{DVec2, Vec3};
use sentir_nav::mesh::*;
use std::collections::BTreeSet;

fn nearest_on_segment(p: DVec2, q: DVec2, at: DVec2) -> DVec2 {
    p + (q - p) * ((at - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0)
}

fn nearest_on_ring(ring: &[DVec2], at: DVec2) -> DVec2 {
    if is_in(ring, at, 0.0) {
        return at;
    }
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    let near = ends.map(|(&p, &q)| nearest_on_segment(p, q, at));
    near.min_by(|a, b| (*a - at).length().total_cmp(&(*b - at).length())).unwrap()
}

#[test]
fn the_nearest_place_is_that_of_going_through_all_polygons() {
    let (mut found, mut missed) = (0, 0);
    for (number, world) in worlds(3, 12, 8, 4).enumerate() {
        let mut random = stream(number as u64);
        for mesh in [world.mesh(), world.tiled()] {
            for _ in 0..200 {
                let at = DVec2::new(f64::from(random.between(-2.0, 10.0)), f64::from(random.between(-2.0, 10.0)));
                let query = point(at) + Vec3::new(0.0, random.between(-2.0, 2.0), 0.0);
                let reach = random.between(0.1, 2.0);
                let extent = Vec3::new(reach, 1.5, reach);
                let distances = (0..mesh.polygon_count()).filter_map(|polygon| {
                    let ring: Vec<DVec2> = mesh.ring(polygon).map(ground).collect();
                    let near = point(nearest_on_ring(&ring, ground(query)));
                    let gap = (near - query).abs();
                    // At the very rim of the box either answer is right.
                    (gap.x <= extent.x && gap.y <= extent.y && gap.z <= extent.z).then(|| gap.length())
                });
                let least = distances.fold(f32::INFINITY, f32::min);
                match mesh.nearest(query, extent) {
                    Some(place) => {
                        let distance = place.point.distance(query);
                        assert!((distance - least).abs() < 1e-3 || least == f32::INFINITY, "{distance} {least}");
                        assert!((place.point.y - height(ground(place.point))).abs() < 1e-3);
                        found += 1;
                    }
                    None => {
                        assert!(least == f32::INFINITY || least > reach * 0.99 || least > 1.48, "{least}");
                        missed += 1;
                    }
                }
            }
        }
    }
    assert!(found > 1000 && missed > 50);
}

#[test]
fn odd_questions_have_no_answer() {
    let world = worlds(3, 1, 8, 4).next().unwrap();
    let mesh = world.mesh();
    let here = MeshPoint { polygon: 0, point: mesh.ring(0).next().unwrap() };
    let away = MeshPoint { polygon: 1 << 20, ..here };
    let odd = MeshPoint { point: Vec3::NAN, ..here };
    assert_eq!(mesh.nearest(Vec3::NAN, Vec3::ONE), None);
    assert_eq!(mesh.nearest(Vec3::ZERO, Vec3::NAN), None);
    assert_eq!(mesh.nearest(Vec3::ZERO, -Vec3::ONE), None);
    assert_eq!(mesh.height(Vec3::splat(1e30), 1.0), None);
    for bad in [away, odd] {
        assert_eq!(mesh.ray(bad, Vec3::ZERO, &AreaCosts::PLAIN), None);
        assert_eq!(mesh.nearest_wall(bad, 1.0, &mut WallScratch::default()), None);
        assert!(CorridorSearch::default().within(&mesh, bad, 1.0, &AreaCosts::PLAIN).is_empty());
    }
    assert_eq!(mesh.ray(here, Vec3::INFINITY, &AreaCosts::PLAIN), None);
    let empty = Mesh::from_patch(Patch::default()).unwrap();
    assert_eq!(empty.nearest(Vec3::ZERO, Vec3::INFINITY), None);
    assert_eq!(empty.random_place(&mut stream(1)), None);
    assert_eq!((empty.polygon_count(), empty.area_m2()), (0, 0.0));
    assert_eq!((empty.ring(3).len(), empty.neighbors(3).len(), empty.component(3)), (0, 0, None));
}

/// How much of the way from a to b is free: cut at every wall.
fn free_share(world: &World, walls: &[[DVec2; 2]], a: DVec2, b: DVec2) -> f64 {
    let way = b - a;
    let mut shares = vec![0.0, 1.0];
    for &[p, q] in walls {
        let along = q - p;
        let spread = way.perp_dot(along);
        if spread != 0.0 {
            shares.push((p - a).perp_dot(along) / spread);
        }
    }
    shares.retain(|share| (0.0..=1.0).contains(share));
    shares.sort_by(f64::total_cmp);
    for pair in shares.windows(2) {
        if pair[1] - pair[0] > 1e-9 && !world.is_free(a + way * (0.5 * (pair[0] + pair[1])), 1e-9) {
            return pair[0];
        }
    }
    1.0
}

#[test]
fn a_ray_ends_where_going_through_all_walls_says() {
    let (mut hits, mut clear) = (0, 0);
    for (number, world) in worlds(90, 12, 8, 4).enumerate() {
        let (walls, mut random) = (world.walls(), stream(number as u64));
        for mesh in [world.mesh(), world.tiled()] {
            for _ in 0..150 {
                // From inside of a cell: on a wall it is a matter of taste.
                let from = loop {
                    let at = world.place(&mut random);
                    let cell = at.y.floor() as usize * world.size + at.x.floor() as usize;
                    let is_inside = cell < world.free.len() && is_in(&world.cell(cell), at, -0.01);
                    if is_inside && world.free[cell] {
                        break at;
                    }
                };
                let to = DVec2::new(f64::from(random.between(-1.0, 9.0)), f64::from(random.between(-1.0, 9.0)));
                let place = mesh.nearest(point(from), Vec3::new(0.001, 1.0, 0.001)).unwrap();
                let ray = mesh.ray(place, point(to), &AreaCosts::PLAIN).unwrap();
                let twin = free_share(&world, &walls, ground(place.point), ground(point(to)));
                assert!(
                    (f64::from(ray.share) - twin).abs() < 1e-4,
                    "{} {twin}: {from} to {to} {:?}",
                    ray.share,
                    world.cut
                );
                assert_eq!(ray.wall.is_none(), ray.share == 1.0);
                let at = from + (to - from) * f64::from(ray.share);
                assert!((ground(ray.place.point) - at).length() < 1e-3);
                if let Some([right, left]) = ray.wall {
                    assert!(
                        (to - from).perp_dot(ground(right) - from) <= 1e-6
                            && (to - from).perp_dot(ground(left) - from) >= -1e-6
                    );
                    hits += 1;
                } else {
                    clear += 1;
                }
            }
        }
    }
    assert!(hits > 500 && clear > 100, "{hits} {clear}");
}

#[test]
fn random_places_cover_the_ground_evenly() {
    let world = worlds(11, 1, 6, 3).next().unwrap();
    let (mesh, mut random) = (world.mesh(), stream(2));
    let mut counts = vec![0u32; mesh.polygon_count() as usize];
    let rounds = 40_000;
    for _ in 0..rounds {
        let place = mesh.random_place(&mut random).unwrap();
        assert!(world.is_free(ground(place.point), 1e-5));
        assert!((place.point.y - height(ground(place.point))).abs() < 1e-3);
        counts[place.polygon as usize] += 1;
    }
    for (polygon, &count) in counts.iter().enumerate() {
        let ring: Vec<DVec2> = mesh.ring(polygon as u32).map(ground).collect();
        let area: f64 = (1..ring.len() - 1).map(|it| (ring[it] - ring[0]).perp_dot(ring[it + 1] - ring[0]) * 0.5).sum();
        let expected = f64::from(rounds) * area / mesh.area_m2();
        assert!((f64::from(count) - expected).abs() < 6.0 * expected.sqrt() + 1.0, "{count} {expected}");
    }
}

#[test]
fn the_nearest_wall_is_that_of_going_through_all() {
    let mut scratch = WallScratch::default();
    for (number, world) in worlds(20, 10, 8, 4).enumerate() {
        let (walls, mut random) = (world.walls(), stream(number as u64));
        for mesh in [world.mesh(), world.tiled()] {
            for _ in 0..60 {
                let at = world.place(&mut random);
                let place = mesh.nearest(point(at), Vec3::new(0.001, 1.0, 0.001)).unwrap();
                let gap = |&[p, q]: &[DVec2; 2]| (nearest_on_segment(p, q, at) - at).length();
                let least = walls.iter().map(gap).fold(f64::INFINITY, f64::min);
                let wall = mesh.nearest_wall(place, 20.0, &mut scratch).unwrap();
                assert!((f64::from(wall.distance_m) - least).abs() < 1e-3, "{} {least}", wall.distance_m);
                assert!(((ground(wall.point) - at).length() - least).abs() < 1e-3);
                let near = mesh.nearest_wall(place, least as f32 * 0.5, &mut scratch);
                assert!(near.is_none() || least < 1e-3);
            }
        }
    }
}

#[test]
fn components_are_those_of_a_plain_search() {
    for world in worlds(200, 20, 8, 4) {
        for mesh in [world.mesh(), world.tiled()] {
            for seed in 0..mesh.polygon_count() {
                let mut seen = BTreeSet::from([seed]);
                let mut stack = vec![seed];
                while let Some(polygon) = stack.pop() {
                    stack.extend(mesh.neighbors(polygon).flatten().filter(|&it| seen.insert(it)));
                }
                let same = (0..mesh.polygon_count()).filter(|&it| mesh.component(it) == mesh.component(seed));
                assert!(same.eq(seen.iter().copied()));
            }
        }
    }
}

#[test]
fn what_is_within_reach_is_so_by_a_way_of_that_cost() {
    let (mut corridor, mut search) = (CorridorSearch::default(), AnyAngleSearch::default());
    for (number, world) in worlds(31, 6, 8, 4).enumerate() {
        let (mesh, mut random) = (world.mesh(), stream(number as u64));
        let from = mesh.random_place(&mut random).unwrap();
        let everything = corridor.within(&mesh, from, f64::INFINITY, &AreaCosts::PLAIN).to_vec();
        let same = (0..mesh.polygon_count()).filter(|&it| mesh.component(it) == mesh.component(from.polygon)).count();
        assert_eq!(everything.len(), same);
        assert!(everything.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        let some = corridor.within(&mesh, from, 3.0, &AreaCosts::PLAIN).to_vec();
        assert_eq!(some, everything.iter().copied().filter(|it| it.1 <= 3.0).collect::<Vec<_>>());
        for (polygon, cost) in everything {
            // No corner is nearer than its polygon can be entered, but for the breadth of the guess.
            let nearest = mesh.ring(polygon).map(|corner| {
                search.find_between(&mesh, from, MeshPoint { polygon, point: corner }, &AreaCosts::PLAIN, 10_000).cost
            });
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(cost <= 1.6 * nearest + 3.0, "{cost} {nearest}");
        }
    }
}
