//! What is ground, by twins that look at the level itself.

use super::*;
use crate::mesh::AreaId;
use sentir_level::{Blocks, LevelView};

/// In one tile, so that polygons hang together by index.
fn one_tile(source: &BakeSource, config: &BakeConfig) -> Patch {
    let table = bake(source, &[], &BakeConfig { tile_cells: 256, ..*config }).unwrap();
    assert_eq!(table.patches.len(), 1);
    table.patches[0].clone()
}

#[test]
fn a_plain_floor_is_ground_but_for_the_radius() {
    let (_, source) = built("{name: t, solids: [{slab: {outline: [[0, 0], [10, 0], [10, 10], [0, 10]]}}]}");
    let patch = one_tile(&source, &body());
    // A cell at each edge counts as a ledge.
    let expected = (10.0 - 2.0 * (0.4 + 0.2)) * (10.0 - 2.0 * (0.4 + 0.2));
    assert_eq!(patch.polygons.len(), 1);
    assert!((area_m2([&patch]) - expected).abs() < 0.5, "{}", area_m2([&patch]));
}

/// Each sampled point of each polygon stands on walkable ground and has room for the body, by rays and capsules.
#[test]
fn everywhere_on_the_mesh_is_ground_and_room() {
    let (level, source) = built(PARK);
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let config = body();
    let table = bake(&source, &[], &config).unwrap();
    let mut count = 0;
    for corners in table.patches.iter().flat_map(loops) {
        let (low, high) = obstacle::around(&corners.iter().map(|&at| plane::ground(at)).collect::<Vec<_>>());
        for step in 0..400 {
            let share = |step: i32| (step as f32 + 0.5) / 20.0;
            let point = low + (high - low) * Vec2::new(share(step % 20), share(step / 20));
            let Some(y) = height_at(&corners, point, 0.0) else { continue };
            count += 1;
            let at = plane::lift(point, y);
            let ground = view.ground_below(at + Vec3::Y * 0.5, 1.1);
            assert!(ground.is_some_and(|ground| ground.normal.y > 0.7), "no ground at {at}");
            // Two cells of straightening and one of rounding, less than the body is wide.
            let width_m = config.radius_m - 1.5 * config.cell_m;
            let (foot, head) = (at + Vec3::Y * (config.climb_m + 0.4), at + Vec3::Y * (config.height_m - 0.6));
            assert!(!view.capsule_overlap(foot, head, width_m), "no room at {at}");
            assert!(!view.is_inside(at + Vec3::Y * 0.6), "inside a solid at {at}");
        }
    }
    assert!(count > 1000);
}

#[test]
fn a_bridge_and_the_passage_under_it_are_both_there() {
    let (_, source) = built(PARK);
    let patch = one_tile(&source, &body());
    let (under, over) =
        (component_at(&patch, Vec2::new(18.0, 5.5), 0.0), component_at(&patch, Vec2::new(18.0, 5.5), 3.0));
    assert!(under.is_some());
    // One reaches the bridge by its ramp, the platform by a ramp and by stairs.
    assert_eq!(under, over);
    assert_eq!(component_at(&patch, Vec2::new(9.0, 20.0), 2.0), under);
    assert_eq!(component_at(&patch, Vec2::new(9.0, 15.0), 1.0), under);
    assert_apart(&patch, 0.23, 0.9);
    // Under the low ceiling nobody stands, on top of it one could, but nothing leads there.
    assert_eq!(component_at(&patch, Vec2::new(19.0, 17.0), 0.0), None);
    assert!(component_at(&patch, Vec2::new(19.0, 17.0), 1.2).is_some_and(|top| Some(top) != under));
}

/// Levels are built of faces, and what is between the faces of a thick plate is no room.
#[test]
fn inside_a_thick_plate_nobody_walks_whatever_its_outline() {
    let bend = "[[2, 2], [10, 2], [10, 10], [7, 10], [7, 5], [2, 5]]";
    let (_, source) = built(&format!(
        "{{name: t, solids: [{{slab: {{outline: [[0, 0], [12, 0], [12, 12], [0, 12]]}}}}, \
         {{slab: {{outline: {bend}, base_m: 3, thickness_m: 3}}}}]}}"
    ));
    let patch = one_tile(&source, &body());
    for at in [Vec2::new(4.0, 3.5), Vec2::new(8.5, 8.0)] {
        assert_eq!(component_at(&patch, at, 0.0), None);
        assert!(component_at(&patch, at, 3.0).is_some());
    }
    // In the crook of its outline there is ground.
    assert!(component_at(&patch, Vec2::new(4.0, 8.0), 0.0).is_some());
}

#[test]
fn a_door_narrower_than_the_body_is_closed() {
    let house = |door_m: f32| {
        let (left, right) = (5.0 - door_m / 2.0, 5.0 + door_m / 2.0);
        format!(
            "{{name: t, solids: [{{slab: {{outline: [[0, 0], [10, 0], [10, 10], [0, 10]]}}}}, \
             {{wall: {{along: [[0, 5], [{left}, 5]], height_m: 3}}}}, \
             {{wall: {{along: [[{right}, 5], [10, 5]], height_m: 3}}}}]}}"
        )
    };
    for (door_m, is_open) in [(0.6, false), (1.6, true)] {
        let patch = one_tile(&built(&house(door_m)).1, &body());
        let (south, north) = (Vec2::new(5.0, 2.0), Vec2::new(5.0, 8.0));
        let (south, north) = (component_at(&patch, south, 0.0), component_at(&patch, north, 0.0));
        assert!(south.is_some() && north.is_some());
        assert_eq!(south == north, is_open, "a door of {door_m} m");
    }
}

#[test]
fn holes_stay_open_and_small_islands_go() {
    let text = "{name: t, solids: [{slab: {outline: [[0, 0], [12, 0], [12, 12], [0, 12]], \
                holes: [[[5, 5], [8, 5], [8, 8], [5, 8]]]}}, {box: {at: [2, 2], size: [1.8, 1.8], height_m: 1.5}}]}";
    let (_, source) = built(text);
    let patch = one_tile(&source, &body());
    assert_eq!(component_at(&patch, Vec2::new(6.5, 6.5), 0.0), None);
    assert_eq!(component_at(&patch, Vec2::new(2.0, 2.0), 1.5), None);
    assert!(component_at(&patch, Vec2::new(3.8, 6.5), 0.0).is_some());
    let kept = one_tile(&source, &BakeConfig { region_min_cells: 0, ..body() });
    assert!(component_at(&kept, Vec2::new(2.0, 2.0), 1.5).is_some());
}

#[test]
fn classes_and_areas_of_a_level_count() {
    let text = "{name: t, surfaces: [{name: ice}, {name: lava, is_walkable: false}], solids: [\
                {slab: {outline: [[0, 0], [4, 0], [4, 4], [0, 4]]}}, \
                {slab: {outline: [[4, 0], [8, 0], [8, 4], [4, 4]], surface: ice}}, \
                {slab: {outline: [[8, 0], [12, 0], [12, 4], [8, 4]], surface: lava}}, \
                {box: {at: [2, 2], size: [1, 1], height_m: 2, surface: fence}}], \
                areas: [{name: m, kind: mud, outline: [[1, 0], [2, 0], [2, 1.9], [1, 1.9]]}]}";
    let (level, _) = built(text);
    let config = BakeConfig { radius_m: 0.0, region_min_cells: 0, ..body() };
    let filter = LevelFilter {
        excluded: vec!["fence".to_owned()],
        surfaces: vec![("ice".to_owned(), AreaId(3))],
        areas: vec![("mud".to_owned(), Some(AreaId(5)))],
        has_pieces: false,
    };
    let state = LevelState::new(&level);
    let table = super::super::level(&level, &state, &filter, &BakeConfig { tile_cells: 256, ..config }).unwrap();
    let patch = &table.patches[0];
    let area_at = |x: f32, y: f32| {
        let found = loops(patch).position(|corners| height_at(&corners, Vec2::new(x, y), 0.0).is_some());
        found.map(|number| patch.polygons[number].area)
    };
    assert_eq!(area_at(2.0, 2.1), Some(AreaId(0)), "the fence is excluded");
    assert_eq!(area_at(6.0, 2.0), Some(AreaId(3)));
    assert_eq!(area_at(10.0, 2.0), None);
    assert_eq!(area_at(1.5, 1.0), Some(AreaId(5)));
    // Kinds of ground side by side share their corners, so one walks from one to the next.
    assert_eq!(component_at(patch, Vec2::new(6.0, 2.0), 0.0), component_at(patch, Vec2::new(3.0, 3.0), 0.0));
    let source = BakeSource::from_level(&level, &state, &filter);
    let one = whole(&source, &config).unwrap();
    assert!((area_m2([&one]) - area_m2([patch])).abs() < 0.03 * area_m2([patch]));
    let mut triangles = 0;
    let around = source.bounds();
    LevelView { level: &level, state: &state }.triangles_in(&around, Blocks::BODIES, |_| triangles += 1);
    assert!(source.triangles.len() < triangles, "the fence is left out");
}

#[test]
fn polygons_keep_to_the_height_of_the_ground() {
    let (level, source) = built(PARK);
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let config = body();
    let table = bake(&source, &[], &config).unwrap();
    for corners in table.patches.iter().flat_map(loops) {
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
        let ground = view.ground_below(Vec3::new(middle.x, middle.y + 1.0, middle.z), 2.0).unwrap();
        // Spans lie up to a cell height over the ground, and at most by a step over its edges.
        assert!((ground.position.y - middle.y).abs() <= config.height_error_m + 0.3, "{middle} {ground:?}");
    }
}
