//! Searches: optimal, taut, never off the mesh, the same on tiles, free of allocation, and defined on bad input.

use crate::world::{World, ground, height, point, stream, worlds};
use proptest::prelude::*;
use sentir_core::glam::{DVec2, Vec3};
use sentir_nav::mesh::*;
use sentir_nav::{Ending, Fault, PathAnswer};

const EXTENT: Vec3 = Vec3::new(0.001, 1.0, 0.001);

fn query(from: DVec2, to: DVec2) -> MeshQuery<'static> {
    MeshQuery { extent: EXTENT, ..MeshQuery::new(point(from), point(to)) }
}

fn length(path: &[Vec3]) -> f64 {
    path.windows(2).map(|pair| (ground(pair[1]) - ground(pair[0])).length()).sum()
}

/// Ends where they should be, on the ground all the way, as long as it says.
fn check(world: &World, answer: &PathAnswer<'_, Vec3>, from: DVec2, to: DVec2) {
    let (first, last) = (answer.path[0], answer.path[answer.path.len() - 1]);
    assert!((ground(first) - from).length() < 1e-4 && (ground(last) - to).length() < 1e-4, "{from} {to} {answer:?}");
    assert!((length(answer.path) - answer.cost).abs() < 1e-4, "{answer:?}");
    for &it in answer.path {
        assert!((it.y - height(ground(it))).abs() < 1e-3, "{it}");
    }
    for pair in answer.path.windows(2) {
        let (a, b) = (ground(pair[0]), ground(pair[1]));
        for step in 0..=40 {
            let at = a + (b - a) * (f64::from(step) / 40.0);
            assert!(world.is_free(at, 1e-4), "{at} of {a} to {b} is off the mesh: {from} to {to}");
        }
    }
}

#[test]
fn the_shortest_way_is_that_of_the_visibility_graph() {
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let mut found = 0;
    for (number, world) in worlds(1, 30, 6, 3).enumerate() {
        let meshes = [world.mesh(), world.tiled()];
        let mut random = stream(number as u64);
        for _ in 0..12 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let twin = world.shortest(from, to);
            for mesh in &meshes {
                let answer = search.find(mesh, &query(from, to));
                assert_eq!(answer.is_found(), twin.is_some(), "{from} {to} in {:?} {:?}", world.cut, answer);
                let Some(best) = twin else { continue };
                let what = (number, world.cut, mesh.polygon_count());
                assert!(
                    (answer.cost - best).abs() <= 1e-6 * (1.0 + best),
                    "{} {best}: {from} to {to}, {what:?}",
                    answer.cost
                );
                check(&world, &answer, from, to);
                let answer = corridor.find(mesh, &query(from, to));
                assert!(answer.is_found() && answer.cost >= best - 1e-6, "{} {best}", answer.cost);
                check(&world, &answer, from, to);
                found += 1;
            }
        }
    }
    assert!(found > 300);
}

#[test]
fn no_way_of_ten_thousand_leaves_the_mesh() {
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    for (number, world) in worlds(500, 3, 12, 4).enumerate() {
        let (mesh, mut random) = (world.tiled(), stream(number as u64));
        for _ in 0..10_000 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let shortest = search.find(&mesh, &query(from, to));
            let taut = corridor.find(&mesh, &query(from, to));
            assert_eq!(shortest.ending, taut.ending);
            if shortest.is_found() {
                check(&world, &shortest, from, to);
                check(&world, &taut, from, to);
                assert!(taut.cost >= shortest.cost - 1e-6, "{} {}", taut.cost, shortest.cost);
            }
        }
    }
}

#[test]
fn a_taut_way_turns_only_at_corners_toward_the_wall() {
    let mut corridor = CorridorSearch::default();
    let mut turns = 0;
    for (number, world) in worlds(40, 12, 8, 4).enumerate() {
        let (mesh, mut random) = (world.mesh(), stream(number as u64));
        for _ in 0..100 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let answer = corridor.find(&mesh, &query(from, to));
            if !answer.is_found() {
                continue;
            }
            let path = answer.path.to_vec();
            // In its own corridor, no shortcut between points around a turn: the corridor as a mesh of its own has no
            // shorter way.
            let mut patch = Patch::default();
            for &polygon in corridor.corridor() {
                let first = patch.loops.len() as u32;
                for corner in mesh.ring(polygon) {
                    let at = patch.corners.iter().position(|&it| it == corner).unwrap_or(patch.corners.len());
                    if at == patch.corners.len() {
                        patch.corners.push(corner);
                    }
                    patch.loops.push(at as u32);
                }
                let count = patch.loops.len() as u32 - first;
                patch.polygons.push(Polygon { first, count, area: AreaId(0) });
            }
            let alone = Mesh::from_patch(patch).unwrap();
            let mut best = AnyAngleSearch::default();
            let [from, to] = [(0, from), (alone.polygon_count() - 1, to)]
                .map(|(polygon, at)| MeshPoint { polygon, point: point(at) });
            let best = best.find_between(&alone, from, to, &AreaCosts::PLAIN, 10_000);
            assert!(best.is_found() && length(&path) >= best.cost - 1e-6);
            // Corridor polygons that touch elsewhere may give a shorter way; where they do not, it is the same.
            let joints: usize = (0..alone.polygon_count()).map(|it| alone.neighbors(it).flatten().count()).sum();
            let is_simple = joints == 2 * (corridor.corridor().len() - 1);
            assert!(!is_simple || (length(&path) - best.cost).abs() < 1e-5, "{} {}", length(&path), best.cost);
            turns += path.len().saturating_sub(2);
        }
    }
    assert!(turns > 500);
}

#[test]
fn bad_ends_are_told_and_budgets_hold() {
    let world = worlds(7, 1, 8, 4).next().unwrap();
    let mesh = world.mesh();
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let mut random = stream(1);
    let (from, to) = (0..)
        .map(|_| (world.place(&mut random), world.place(&mut random)))
        .find(|&(from, to)| (from - to).length() > 3.0 && search.find(&mesh, &query(from, to)).path.len() > 3)
        .unwrap();
    let good = query(from, to);
    for (odd, fault) in [(Vec3::NAN, Fault::NotFinite), (Vec3::splat(500.0), Fault::Outside)] {
        let (bad_start, bad_goal) = (MeshQuery { from: odd, ..good }, MeshQuery { to: odd, ..good });
        assert_eq!(search.find(&mesh, &bad_start).ending, Ending::BadStart(fault));
        assert_eq!(search.find(&mesh, &bad_goal).ending, Ending::BadGoal(fault));
        assert_eq!(corridor.find(&mesh, &bad_start).ending, Ending::BadStart(fault));
        assert_eq!(corridor.find(&mesh, &bad_goal).ending, Ending::BadGoal(fault));
        assert_eq!(
            search.find(&Mesh::from_patch(Patch::default()).unwrap(), &good).ending,
            Ending::BadStart(Fault::Outside)
        );
    }
    for budget in 0..20 {
        let tight = MeshQuery { expansions_max: budget, ..good };
        for answer in [search.find(&mesh, &tight), corridor.find(&mesh, &tight)] {
            assert!(answer.expanded <= budget && !answer.path.is_empty());
            assert!(
                budget > 0 || (answer.ending == Ending::OutOfBudget && answer.path.len() == 1 && answer.cost == 0.0)
            );
            assert!((length(answer.path) - answer.cost).abs() < 1e-4);
            if answer.ending == Ending::OutOfBudget && answer.path.len() > 1 {
                check(&world, &answer, from, ground(answer.path[answer.path.len() - 1]));
            }
        }
    }
    let elsewhere = MeshPoint { polygon: 9999, point: Vec3::ZERO };
    let here = mesh.nearest(point(from), EXTENT).unwrap();
    let answer = search.find_between(&mesh, here, elsewhere, &AreaCosts::PLAIN, 10);
    assert_eq!(answer.ending, Ending::BadGoal(Fault::Outside));
    let answer = corridor.find_between(&mesh, elsewhere, here, &AreaCosts::PLAIN, 10);
    assert_eq!(answer.ending, Ending::BadStart(Fault::Outside));
}

#[test]
fn a_goal_beyond_reach_gives_the_way_to_the_nearest_reachable_point() {
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let mut seen = 0;
    for (number, world) in worlds(70, 20, 8, 4).enumerate() {
        let (mesh, mut random) = (world.tiled(), stream(number as u64));
        for _ in 0..20 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let [a, b] = [from, to].map(|at| mesh.nearest(point(at), EXTENT).unwrap());
            if mesh.component(a.polygon) == mesh.component(b.polygon) {
                continue;
            }
            let reachable = (0..mesh.polygon_count()).filter(|&it| mesh.component(it) == mesh.component(a.polygon));
            let gap = |ring: Vec<DVec2>| {
                let ends = ring.iter().zip(ring.iter().cycle().skip(1));
                let near = ends.map(|(&p, &q)| {
                    let share = ((to - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
                    let at = p + (q - p) * share;
                    (at - to).length_squared() + f64::from(height(at) - height(to)).powi(2)
                });
                near.fold(f64::INFINITY, f64::min)
            };
            let least = reachable.map(|it| gap(mesh.ring(it).map(ground).collect())).fold(f64::INFINITY, f64::min);
            for answer in [search.find(&mesh, &query(from, to)), corridor.find(&mesh, &query(from, to))] {
                assert_eq!(answer.ending, Ending::NoPath);
                let last = answer.path[answer.path.len() - 1];
                let distance = f64::from((last - point(to)).length());
                assert!((distance - least.sqrt()).abs() < 1e-3, "{distance} {}", least.sqrt());
                check(&world, &answer, from, ground(last));
            }
            seen += 1;
        }
    }
    assert!(seen > 20);
}

#[test]
fn warm_searches_allocate_nothing() {
    let world = worlds(7, 1, 12, 4).next().unwrap();
    let mesh = world.tiled();
    let (mut search, mut corridor, mut walls) = Default::default();
    let mut pass = || {
        let mut random = stream(5);
        for _ in 0..50 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            AnyAngleSearch::find(&mut search, &mesh, &query(from, to));
            CorridorSearch::find(&mut corridor, &mesh, &query(from, to));
            let place = mesh.nearest(point(from), EXTENT).unwrap();
            mesh.ray(place, point(to), &AreaCosts::PLAIN);
            mesh.nearest_wall(place, 3.0, &mut walls);
            corridor.within(&mesh, place, 5.0, &AreaCosts::PLAIN);
        }
    };
    pass();
    assert_eq!(allocation_counter::measure(pass).count_total, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn lengths_agree_on_any_world(seed in 0u64..100_000) {
        let world = worlds(seed, 1, 6, 3).next().unwrap();
        let mut random = stream(seed);
        let (mesh, tiled) = (world.mesh(), world.tiled());
        let mut search = AnyAngleSearch::default();
        for _ in 0..3 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let twin = world.shortest(from, to);
            for mesh in [&mesh, &tiled] {
                let answer = search.find(mesh, &query(from, to));
                prop_assert_eq!(answer.is_found(), twin.is_some());
                if let Some(best) = twin {
                    prop_assert!((answer.cost - best).abs() <= 1e-6 * (1.0 + best), "{} {} {} {}", answer.cost, best, from, to);
                }
            }
        }
    }
}
