//! Obstacles that come and go.

use super::*;

fn crate_at(x: f32, y: f32) -> Obstacle {
    let shape = Shape::Rectangle { center: Vec2::new(x, y), half: Vec2::new(0.7, 1.1), yaw: 0.5 };
    Obstacle { shape, low_m: 0.0, high_m: 1.0 }
}

fn barrel_at(x: f32, y: f32) -> Obstacle {
    Obstacle { shape: Shape::Circle { center: Vec2::new(x, y), radius_m: 0.6 }, low_m: 0.0, high_m: 1.2 }
}

#[test]
fn a_carved_tile_equals_a_fresh_bake_and_goes_back_to_the_same_bytes() {
    let (_, source) = built(PARK);
    let before = bake(&source, &[], &body()).unwrap();
    let obstacles = [crate_at(9.4, 9.3), barrel_at(19.2, 9.6), crate_at(18.0, 5.5)];
    let after = bake(&source, &obstacles, &body()).unwrap();
    let mut patches = before.patches.clone();
    let mut touched: Vec<u32> = obstacles.iter().flat_map(|obstacle| before.touched(obstacle)).collect();
    touched.sort_unstable();
    touched.dedup();
    assert!(touched.len() > 1 && touched.len() < patches.len());
    let mut scratch = FieldScratch::default();
    for &tile in &touched {
        patches[tile as usize] = before.fields[tile as usize].polygonize_with(&obstacles, &mut scratch);
    }
    assert_eq!(patches, after.patches);
    assert_ne!(patches, before.patches);
    for &tile in &touched {
        patches[tile as usize] = before.fields[tile as usize].polygonize_with(&[], &mut scratch);
    }
    assert_eq!(patches, before.patches);
}

/// As geometry nobody walks on, the same crate takes the same ground, but for the cells its sides touch.
#[test]
fn a_carved_crate_takes_about_the_ground_that_a_built_one_does() {
    let floor = "{slab: {outline: [[0, 0], [12, 0], [12, 12], [0, 12]]}}";
    let (_, plain) = built(&format!("{{name: t, solids: [{floor}]}}"));
    let (_, full) = built(&format!(
        "{{name: t, surfaces: [{{name: smooth, is_walkable: false}}], solids: [{floor}, \
         {{box: {{at: [6, 6], size: [2, 3], height_m: 2, surface: smooth}}}}]}}"
    ));
    let shape =
        Shape::Polygon(vec![Vec2::new(5.0, 4.5), Vec2::new(5.0, 7.5), Vec2::new(7.0, 7.5), Vec2::new(7.0, 4.5)]);
    let obstacle = Obstacle { shape, low_m: 0.0, high_m: 2.0 };
    let free = area_m2(&bake(&plain, &[], &body()).unwrap().patches);
    let carved = area_m2(&bake(&plain, &[obstacle], &body()).unwrap().patches);
    let built = area_m2(&bake(&full, &[], &body()).unwrap().patches);
    let expected = 2.8 * 3.8;
    assert!((free - carved - expected).abs() < 1.5, "{} taken", free - carved);
    assert!((carved - built).abs() < 2.5, "{carved} {built}");
    assert!(built <= carved);
}

#[test]
fn an_obstacle_takes_its_own_floor_only() {
    let (_, source) = built(PARK);
    let config = BakeConfig { tile_cells: 256, ..body() };
    let field = &bake(&source, &[], &config).unwrap().fields[0];
    let point = Vec2::new(18.0, 5.5);
    let over = Obstacle { low_m: 3.1, high_m: 4.0, ..barrel_at(point.x, point.y) };
    let patch = field.polygonize(&[over]);
    assert!(component_at(&patch, point, 0.0).is_some() && component_at(&patch, point, 3.0).is_none());
    let patch = field.polygonize(&[barrel_at(point.x, point.y)]);
    assert!(component_at(&patch, point, 0.0).is_none() && component_at(&patch, point, 3.0).is_some());
    assert_sound(&patch, 6);
    assert_apart(&patch, 0.31, 0.9);
}

/// Where a body's middle may be is at least the radius from a carved obstacle, but for the rounding to cells.
#[test]
fn nobody_gets_nearer_to_an_obstacle_than_the_radius() {
    let (_, source) = built("{name: t, solids: [{slab: {outline: [[0, 0], [12, 0], [12, 12], [0, 12]]}}]}");
    let table = bake(&source, &[barrel_at(6.1, 5.9)], &body()).unwrap();
    for corners in table.patches.iter().flat_map(loops) {
        for index in 0..corners.len() {
            let (a, b) = (plane::ground(corners[index]), plane::ground(corners[(index + 1) % corners.len()]));
            let (nearest, _) = plane::nearest_on_segment(a, b, Vec2::new(6.1, 5.9));
            assert!(nearest.distance(Vec2::new(6.1, 5.9)) > 0.6 + 0.4 - 1.5 * 0.2);
        }
    }
}
