//! What would take gigabytes or minutes is refused before it is begun.

use super::*;

/// Two triangles over a square around the origin, at a height.
fn square(side_m: f32, height_m: f32) -> [[Vec3; 3]; 2] {
    let half = side_m / 2.0;
    let [a, b, c, d] = [[-half, -half], [half, -half], [half, half], [-half, half]]
        .map(|[x, y]| plane::lift(Vec2::new(x, y), height_m));
    [[a, b, c], [a, c, d]]
}

/// Why a source is refused: the check alone finds it out, and the bake says the same before it begins.
fn refusal(source: &BakeSource) -> String {
    let config = BakeConfig::default();
    let refused = check(source, &config).unwrap_err();
    assert_eq!(bake(source, &[], &config).unwrap_err(), refused);
    refused.to_string()
}

#[test]
fn squares_of_kilometers_are_refused() {
    let expected = "cells would be 256000000: expected at most 33554432; take larger cells, or a smaller level";
    let stacked = (0..3).flat_map(|storey| square(4800.0, storey as f32 * 5.0)).collect();
    assert_eq!(refusal(&BakeSource::from_triangles(stacked)), expected);
    let wide = refusal(&BakeSource::from_triangles(square(4000.0, 0.0).to_vec()));
    assert!(wide.starts_with("cells would be 177768889: "), "{wide}");
}

#[test]
fn storeys_count_as_often_as_they_are() {
    let tower = |storeys: u32| {
        BakeSource::from_triangles((0..storeys).flat_map(|storey| square(700.0, storey as f32 * 3.0)).collect())
    };
    assert_eq!(check(&tower(3), &BakeConfig::default()), Ok(()));
    let refused = refusal(&tower(9));
    assert!(refused.starts_with("cells under all triangles would be "), "{refused}");
}

#[test]
fn many_spans_in_few_columns_are_refused_by_the_time_they_take() {
    // 4000 sheets over 20 m, 40 cm apart: few cells, but each sheet looks at all below it.
    let sheets = |count: u32| {
        BakeSource::from_triangles((0..count).flat_map(|sheet| square(20.0, sheet as f32 * 0.4)).collect())
    };
    assert_eq!(check(&sheets(100), &BakeConfig::default()), Ok(()));
    let refused = refusal(&sheets(4000));
    assert!(refused.starts_with("spans to look at would be "), "{refused}");
}

#[test]
fn coinciding_boxes_are_refused() {
    let boxes = "- box: {at: [0, 0], size: [20, 20], height_m: 3}\n".repeat(18_000);
    let (_, source) = built(&format!("name: pile\nsolids:\n{boxes}"));
    let refused = refusal(&source);
    assert!(refused.starts_with("cells under all triangles would be "), "{refused}");
}

#[test]
fn a_large_level_of_one_storey_is_not_refused() {
    let field = BakeSource::from_triangles(square(1700.0, 0.0).to_vec());
    assert_eq!(check(&field, &BakeConfig::default()), Ok(()));
}
