//! Contract: the stock levels are what their scenes need; floors never mix; the draw list shows everything.

use glam::{Vec2, Vec3};
use sentir_core::draw::{DrawList, Shape};
use sentir_core::geometry::Geometry;
use sentir_core::plane;
use sentir_level::draw::draw;
use sentir_level::{LevelState, LevelView, STOCK, stand, stock};

#[test]
fn every_stock_level_builds_and_its_spawns_stand_clear_on_ground() {
    for (name, _) in STOCK {
        let level = stock(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((level.name(), level.dropped_triangle_count()), (*name, 0));
        assert!(!level.spawns().is_empty());
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        for spawn in level.spawns() {
            let feet = spawn.pose.position;
            assert_eq!(stand::feet(&view, feet, spawn.floor), Ok(feet), "{name}");
            assert_eq!(level.floor_at(feet), Some(spawn.floor), "{name} {feet}");
        }
        for item in level.items() {
            assert!(view.ground_below(item.position + Vec3::Y * 0.5, 1.0).is_some(), "{name} {item:?}");
        }
    }
}

#[test]
fn the_yard_has_a_patrol_loop_with_clear_ways_and_walls_that_break_sight() {
    let level = stock("yard").unwrap();
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let points: Vec<Vec3> =
        level.annotations().iter().filter(|one| one.kind == "patrol").map(|one| one.position).collect();
    assert_eq!(points.len(), 4);
    for (index, &from) in points.iter().enumerate() {
        let to = points[(index + 1) % points.len()];
        assert!(!view.capsule_overlap(from + Vec3::Y, to + Vec3::Y, 0.5), "from {from} to {to}");
    }
    assert!(!view.sees(points[0] + Vec3::Y * 1.7, points[2] + Vec3::Y * 1.7));
    let bounds = level.bounds();
    assert!((bounds.high.x - bounds.low.x - 40.0).abs() < 0.5 && (bounds.high.z - bounds.low.z - 30.0).abs() < 0.5);
}

#[test]
fn the_doorway_lets_a_ball_of_55_cm_through_and_none_of_65_cm() {
    let level = stock("doorway").unwrap();
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let (west, east) = (Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0));
    assert!(!view.capsule_overlap(west, east, 0.55) && view.capsule_overlap(west, east, 0.65));
    for y in -9..10 {
        let at = |x: f32| plane::lift(Vec2::new(x, y as f32), 1.0);
        assert_eq!(view.is_clear(at(-2.0), at(2.0)), y == 0);
    }
}

#[test]
fn the_range_has_a_clear_lane_of_60_m() {
    let level = stock("range").unwrap();
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let at = |y: f32| plane::lift(Vec2::new(-1.0, y), 1.5);
    assert!(view.is_clear(at(0.0), at(60.0)));
}

#[test]
fn a_bridge_and_the_passage_under_it_never_mix() {
    let level = stock("heights").unwrap();
    let names = |point: Vec3| level.areas_at(point).map(|area| area.name.as_str()).collect::<Vec<_>>();
    let under = plane::lift(Vec2::new(0.0, 8.0), 0.0);
    assert_eq!(names(under), ["below the bridge"]);
    assert_eq!(names(under + Vec3::Y * 1.8), ["below the bridge"]);
    assert_eq!(names(under + Vec3::Y * 3.0), ["on the bridge"]);
    assert_eq!(names(under + Vec3::Y * 2.9), ["on the bridge"], "a foot a little deep in the planks");
    assert_eq!(level.floor_at(under), level.floor_named("ground"));
    assert_eq!(level.floor_at(under + Vec3::Y * 3.0), level.floor_named("high"));
    assert_eq!(level.floor_at(under + Vec3::Y * 50.0), None);
}

#[test]
fn everything_is_drawn_and_nothing_of_what_is_gone() {
    let level = stock("collapse").unwrap();
    let mut state = LevelState::new(&level);
    let mut list = DrawList::default();
    draw(&LevelView { level: &level, state: &state }, &mut list);
    let (low, high) = list.bounds(|_| true).unwrap();
    assert!((low - Vec2::new(-20.15, -12.15)).length() < 0.01 && (high - Vec2::new(20.15, 12.15)).length() < 0.01);
    let is_face = |shape: &Shape| matches!(shape, Shape::Polygon { .. } | Shape::Prism { .. });
    let faces = |list: &DrawList| list.items().iter().filter(|one| is_face(&one.shape)).count();
    let whole = faces(&list);
    assert!(whole >= level.patches().len() + level.pieces().len() + level.areas().len());
    let wall = level.piece_named("wall south").unwrap();
    assert!(state.damage_piece(&level, wall, 500.0));
    list.clear();
    draw(&LevelView { level: &level, state: &state }, &mut list);
    assert_eq!(faces(&list), whole - 1);
}

#[test]
fn outlines_are_what_a_body_runs_into() {
    let level = stock("doorway").unwrap_or_else(|error| panic!("{error}"));
    let outlines = level.outlines(0.1, 1.8);
    // Four sides of the halls and two walls beside the opening; the lintel only for who is taller than 2.2 m.
    assert_eq!(outlines.len(), 6);
    assert_eq!(level.outlines(0.1, 2.3).len(), 7);
    for outline in &outlines {
        let area: f32 = (0..outline.len()).map(|i| outline[i].perp_dot(outline[(i + 1) % outline.len()])).sum();
        assert!(area > 0.0, "counter-clockwise: {outline:?}");
    }
    let is_inside = |point: Vec2| outlines.iter().any(|outline| sentir_level::polygon::contains(outline, point));
    assert!(is_inside(Vec2::new(0.0, 5.0)) && !is_inside(Vec2::ZERO) && !is_inside(Vec2::new(-5.0, 5.0)));
}
