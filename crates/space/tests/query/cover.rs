//! Cover along walls and by cell, and the map that follows the level.

use proptest::prelude::*;
use sentir_level::{Level, LevelState, LevelView, yaml};
use sentir_nav::bake::{BakeConfig, BakeSource, LevelFilter, whole};
use sentir_nav::mesh::Mesh;
use sentir_space::core::body::Pose;
use sentir_space::core::glam::{Vec2, Vec3};
use sentir_space::core::plane;
use sentir_space::core::pool::Serial;
use sentir_space::cover::{Borders, CoverConfig, CoverHeight, CoverMap, CoverMapConfig, CoverSet};
use sentir_space::query::{Lexicon, QueryRun, QueryWorld, Subject, load};

const YARD: &str = "
name: yard
floors:
  - { name: ground, up_m: 3 }
solids:
  - slab: { outline: [[-10, -10], [10, -10], [10, 10], [-10, 10]], thickness_m: 0.5 }
  - box: { at: [0, 0], size: [2, 2], height_m: 2.5 }
  - box: { at: [4.5, 0], size: [1, 4], height_m: 1 }
pieces:
  - { name: crate, at: [-5, 0], health: 10, solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 2 } }] }
annotations:
  - { kind: attack, at: [7, 7], yaw_deg: 0 }
  - { kind: cover, at: [-3, -3], yaw_deg: 0 }
";

fn level() -> Level {
    yaml::parse(YARD.as_bytes(), "yard.yaml").and_then(|spec| spec.build()).unwrap()
}

fn mesh(level: &Level) -> Mesh {
    let config = BakeConfig { cell_m: 0.15, radius_m: 0.4, edge_max_m: 0.0, ..BakeConfig::default() };
    let source = BakeSource::from_level(level, &LevelState::new(level), &LevelFilter::default());
    Mesh::from_patch(whole(&source, &config).unwrap()).unwrap()
}

#[test]
fn walls_give_high_and_low_cover_and_corners_let_lean() {
    let level = level();
    let (mesh, state) = (mesh(&level), LevelState::new(&level));
    let set = CoverSet::build(&mesh, &LevelView { level: &level, state: &state }, &CoverConfig::default());
    let near = |x: f32, y: f32| {
        let at = plane::lift(Vec2::new(x, y), 0.0);
        let gap = |position: Vec3| (position - at).length();
        set.points().iter().min_by(|a, b| gap(a.position).total_cmp(&gap(b.position))).unwrap()
    };
    let pillar = near(-1.5, 0.0);
    assert_eq!(pillar.height, CoverHeight::High);
    assert!(pillar.facing.x > 0.95, "{}", pillar.facing);
    let wall = near(3.5, 0.0);
    assert_eq!((wall.height, wall.facing.x > 0.95), (CoverHeight::Low, true));
    // The outer border of the floor is open: no cover there.
    assert!(set.points().iter().all(|it| it.position.x.abs() < 9.0 && it.position.z.abs() < 9.0));
    let corner = near(-1.5, 0.9);
    assert!(corner.leans[0] && !near(-1.5, 0.0).leans[1], "{corner:?}");
    for point in set.points() {
        let edge = &set.edges()[point.edge as usize];
        assert_eq!((edge.height, edge.facing), (point.height, point.facing));
    }
    assert!(Borders::from_mesh(&mesh).nearness(plane::lift(Vec2::new(-1.5, 0.0), 0.0), 1.0) > 0.8);
}

#[test]
fn a_cell_knows_from_where_it_is_covered() {
    let level = level();
    let (mesh, state) = (mesh(&level), LevelState::new(&level));
    let view = LevelView { level: &level, state: &state };
    let map = CoverMap::build(&mesh, &view, &CoverMapConfig { cell_m: 0.5, ..CoverMapConfig::default() }, &Serial);
    let at = |x: f32, y: f32| plane::lift(Vec2::new(x, y), 0.0);
    let west = at(-1.8, 0.0);
    assert_eq!((map.quality(west, at(8.0, 0.0)), map.quality(west, at(-8.0, 0.0))), (1.0, 0.0));
    assert_eq!(map.quality(at(3.3, 0.0), at(9.0, 0.0)), 0.5);
    assert_eq!(map.quality(at(0.0, 0.0), at(9.0, 0.0)), 0.0);
    assert!(map.cell_at(at(50.0, 0.0)).is_none() && map.cell_at(Vec3::NAN).is_none());
    let cell = map.cell_at(at(-8.0, 8.0)).unwrap();
    assert_eq!((cell.covered_count(), cell.sight_m(0)), (0, 50.0));
    let empty = CoverMap::build(&Mesh::default(), &view, &CoverMapConfig::default(), &Serial);
    assert!(empty.cells().is_empty() && empty.cell_at(Vec3::ZERO).is_none());
}

#[test]
fn queries_take_points_along_cover_and_from_the_level_and_score_their_cover() {
    let level = level();
    let (mesh, state) = (mesh(&level), LevelState::new(&level));
    let view = LevelView { level: &level, state: &state };
    let set = CoverSet::build(&mesh, &view, &CoverConfig::default());
    let map = CoverMap::build(&mesh, &view, &CoverMapConfig { cell_m: 0.5, ..CoverMapConfig::default() }, &Serial);
    let at = |x: f32, y: f32| plane::lift(Vec2::new(x, y), 0.0);
    let [me, target] = [at(0.0, -4.0), at(8.5, 0.0)].map(|at| [Subject::new(at)]);
    let world = QueryWorld {
        level: Some(view),
        cover: Some(&set),
        cover_map: Some(&map),
        contexts: &[&me, &target],
        ..QueryWorld::new(&mesh)
    };
    let mut run = QueryRun::default();
    let mut ask = |points: &str| {
        let text = format!(
            "sentir: query 1\nname: test\npoints:\n  - {points}\ntests:\n  - test: {{ cover_quality: {{}} }}\n"
        );
        let query = load(text.as_bytes(), "test.yaml", &Lexicon::default()).unwrap();
        let best = run.ask(&query, &world, 1).best[0];
        (run.point_count(), plane::ground(best.place.point), map.quality(best.place.point, target[0].position))
    };
    let (count, best, quality) = ask("edges: { within_m: 5 }");
    let near = set.points().iter().filter(|it| (it.position - me[0].position).length() <= 5.0).count();
    assert_eq!((count, quality), (near, 1.0));
    assert!(count > 3 && best.x < 0.0, "{count} points, {best}");
    let (count, best, _) = ask("notes: { kind: attack, within_m: 100 }");
    assert_eq!(count, 1);
    assert!((best - Vec2::splat(7.0)).length() < 0.1, "{best}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_map_that_follows_the_level_is_one_built_afresh(
        moves in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0, -3.0f32..3.0, any::<bool>()), 1..5),
    ) {
        let level = level();
        let (mesh, mut state) = (mesh(&level), LevelState::new(&level));
        let config = CoverMapConfig { cell_m: 1.0, ..CoverMapConfig::default() };
        let mut map = CoverMap::build(&mesh, &LevelView { level: &level, state: &state }, &config, &Serial);
        let piece = level.piece_named("crate").unwrap();
        for (x, z, yaw, breaks) in moves {
            state.move_piece(&level, piece, Pose { position: Vec3::new(x, 0.0, z), yaw });
            if breaks {
                state.damage_piece(&level, piece, 6.0);
            }
            let view = LevelView { level: &level, state: &state };
            map.follow(&view, &Serial);
            prop_assert_eq!(map.follow(&view, &Serial), 0);
            let fresh = CoverMap::build(&mesh, &view, &config, &Serial);
            prop_assert!(map == fresh);
        }
    }
}
