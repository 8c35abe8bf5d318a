//! Contract: the tree answers to the last bit like a loop over all triangles, whatever the rays and the poses.

use glam::Vec3;
use sentir_core::body::Pose;
use sentir_core::geometry::{Geometry, Ray};
use sentir_core::random::{Purpose, Stream, Streams};

use crate::cast::{Probe, cast, cast_slow, visit};
use crate::level::{Level, PieceId};
use crate::state::LevelState;
use crate::surface::Blocks;
use crate::tree::{Tree, Triangle};
use crate::view::LevelView;
use crate::{STOCK, stock};

fn stream(seed: u64) -> Stream {
    Streams { seed }.stream(0, Purpose::new("twin"))
}

fn point(rng: &mut Stream, reach: f32) -> Vec3 {
    let mut number = || (rng.unit() * 2.0 - 1.0) * reach;
    Vec3::new(number(), number(), number())
}

fn soup(rng: &mut Stream, count: usize) -> Vec<Triangle> {
    let one = |rng: &mut Stream| {
        let at = point(rng, 10.0);
        let corners = [0, 1, 2].map(|_| at + point(rng, 3.0));
        // Some corners on a grid, so that planes, edges and boxes coincide.
        let corners = if rng.unit() < 0.5 { corners.map(Vec3::round) } else { corners };
        let blocks = 1 + (rng.unit() * 7.0) as u8;
        Triangle { corners, surface: 0, blocks, is_closed: false }
    };
    (0..count).map(|_| one(rng)).collect()
}

/// Rays of every kind: between points, along axes, from grid points, through corners of triangles.
fn ray(rng: &mut Stream, triangles: &[Triangle]) -> Ray {
    let from = point(rng, 14.0);
    let to = match (rng.unit() * 4.0) as u32 {
        0 => point(rng, 14.0),
        1 => triangles[(rng.unit() * triangles.len() as f32) as usize % triangles.len()].corners[0],
        2 => from + [Vec3::X, Vec3::NEG_Y, Vec3::Z][(rng.unit() * 3.0) as usize % 3] * 20.0,
        _ => from.round() + point(rng, 14.0).round() + Vec3::splat(0.5),
    };
    let from = if rng.unit() < 0.3 { from.round() } else { from };
    Ray::between(from, to).unwrap_or(Ray { origin: from, direction: Vec3::X, length_m: 1.0 })
}

#[test]
fn the_tree_answers_like_a_loop_over_all_triangles() {
    let mut rng = stream(11);
    let mut hits = 0;
    for round in 0..100 {
        let tree = Tree::build(soup(&mut rng, 1 + round / 2));
        for _ in 0..1000 {
            let ray = ray(&mut rng, &tree.triangles);
            let probe = Probe::new(&ray).unwrap();
            let blocks = 1 << (rng.unit() * 3.0) as u8;
            let fast = cast::<false>(&tree, &probe, blocks, ray.length_m);
            let slow = cast_slow(&tree, &probe, blocks, ray.length_m);
            let bits = |met: Option<crate::cast::Met>| met.map(|met| (met.distance_m.to_bits(), met.triangle));
            assert_eq!(bits(fast), bits(slow), "{ray:?}");
            assert_eq!(cast::<true>(&tree, &probe, blocks, ray.length_m).is_some(), slow.is_some());
            hits += u32::from(fast.is_some());
        }
    }
    assert!(hits > 10_000, "only {hits} hits");
}

fn stirred(level: &Level, rng: &mut Stream) -> LevelState {
    let mut state = LevelState::new(level);
    for (index, piece) in (0..).zip(level.pieces()) {
        let pose = Pose { position: piece.pose.position + point(rng, 2.0), yaw: rng.unit() * 6.0 - 3.0 };
        assert!(state.move_piece(level, PieceId(index), pose));
    }
    state
}

#[test]
fn stock_levels_with_moved_pieces_answer_like_a_loop_over_all_triangles() {
    let mut rng = stream(12);
    for (name, _) in STOCK {
        let level = stock(name).unwrap();
        let state = stirred(&level, &mut rng);
        let view = LevelView { level: &level, state: &state };
        let bounds = level.bounds();
        let place = |rng: &mut Stream| {
            let share = point(rng, 0.5) + Vec3::splat(0.5);
            bounds.low + (bounds.high - bounds.low) * share
        };
        let rays: Vec<Ray> = (0..400).filter_map(|_| Ray::between(place(&mut rng), place(&mut rng))).collect();
        let mut batch = vec![None; rays.len()];
        view.rays(&rays, &mut batch);
        for (ray, batched) in rays.iter().zip(batch) {
            for blocks in [Blocks::SIGHT, Blocks::SHOTS, Blocks::BODIES] {
                let (fast, slow) = (view.hit(ray, blocks), view.hit_slow(ray, blocks));
                assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{name} {ray:?}");
                assert_eq!(view.is_blocked(ray, blocks), slow.is_some());
            }
            assert_eq!(format!("{batched:?}"), format!("{:?}", view.ray(ray)));
        }
    }
}

#[test]
fn triangles_in_a_box_are_those_that_a_loop_finds() {
    let mut rng = stream(13);
    for round in 0..60 {
        let tree = Tree::build(soup(&mut rng, 1 + round * 4));
        let bounds = crate::Aabb::around([point(&mut rng, 10.0), point(&mut rng, 10.0)]);
        let touches = |id: &u32| crate::Aabb::around(tree.triangles[*id as usize].corners).touches(&bounds);
        let mut found = Vec::new();
        visit(
            &tree,
            |one| one.touches(&bounds),
            |id| {
                found.push(id);
                std::ops::ControlFlow::Continue(())
            },
        );
        found.retain(touches);
        found.sort_unstable();
        let expected: Vec<u32> = (0..tree.triangles.len() as u32).filter(touches).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn piled_up_triangles_build_a_tree_of_bounded_depth() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let same = Triangle { corners, surface: 0, blocks: 7, is_closed: false };
    let tree = Tree::build(vec![same; 5000]);
    let ray = Ray { origin: Vec3::new(0.2, 0.2, 4.0), direction: Vec3::NEG_Z, length_m: 9.0 };
    let met = cast::<false>(&tree, &Probe::new(&ray).unwrap(), 7, 9.0).unwrap();
    assert_eq!((met.distance_m, met.triangle), (4.0, 0));
    // Triangles whose centers double in distance: the heuristic would peel them off one by one.
    let far = |power: i32| {
        let at = Vec3::X * sentir_core::math::powi(1.9, power % 14) * if power % 2 == 0 { 1.0 } else { 1e-3 };
        Triangle { corners: corners.map(|corner| corner * 1e-3 + at), ..same }
    };
    let tree = Tree::build((0..3000).map(far).collect());
    assert!(cast::<false>(&tree, &Probe::new(&ray).unwrap(), 7, 9.0).is_none());
}
