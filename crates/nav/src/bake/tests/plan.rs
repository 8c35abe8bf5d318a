//! Floor plans beside a twin that measures distances.

use super::*;
use proptest::prelude::*;

fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[dx, dy]| Vec2::new(x + dx * half, y + dy * half))
        .to_vec()
}

fn room(border: Vec<Vec2>, holes: Vec<Vec<Vec2>>) -> PlanShape {
    PlanShape { border, holes }
}

#[test]
fn a_room_with_a_pillar_is_narrowed_on_both_sides() {
    let shapes = [room(square(0.0, 0.0, 5.0), vec![square(0.0, 0.0, 1.0)])];
    let patch = plan(&shapes, &PlanConfig { radius_m: 0.5, level_m: 2.0, ..PlanConfig::default() }).unwrap();
    assert_sound(&patch, 6);
    assert_apart(&patch, 0.17, 0.1);
    // Around the pillar, round corners: a little more than a quarter circle each is taken.
    let taken = 3.0 * 3.0 - 4.0 * (0.25 - 0.25 * 0.785);
    assert!((area_m2([&patch]) - (81.0 - taken)).abs() < 0.03, "{}", area_m2([&patch]));
    assert!(patch.corners.iter().all(|corner| corner.y == 2.0));
    assert_eq!(components(&patch).iter().max(), Some(&0));
}

#[test]
fn rooms_that_overlap_are_one_and_narrow_ones_vanish() {
    let config = PlanConfig { radius_m: 0.5, ..PlanConfig::default() };
    let both = [room(square(0.0, 0.0, 2.0), vec![]), room(square(3.0, 0.0, 2.0), vec![])];
    let patch = plan(&both, &config).unwrap();
    assert!((area_m2([&patch]) - 6.0 * 3.0).abs() < 0.01);
    assert_eq!(components(&patch).iter().max(), Some(&0));
    assert_eq!(plan(&[room(square(0.0, 0.0, 0.4), vec![])], &config).unwrap(), Patch::default());
    assert_eq!(plan(&[], &config).unwrap(), Patch::default());
    let exact = plan(&both[..1], &PlanConfig { radius_m: 0.0, ..config }).unwrap();
    assert_eq!((exact.polygons.len(), area_m2([&exact])), (1, 16.0));
}

#[test]
fn faults_of_plans_are_named() {
    let stock = PlanConfig::default();
    let say = |border: Vec<Vec2>, holes: Vec<Vec<Vec2>>| plan(&[room(border, holes)], &stock).unwrap_err().to_string();
    let points = |list: &[[f32; 2]]| list.iter().map(|&at| Vec2::from(at)).collect::<Vec<_>>();
    let bow = points(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
    let expected = "side 1 of ring 1 of shape 1 meets side 3: expected a ring that never meets itself";
    assert_eq!(say(bow.clone(), vec![]), expected);
    let expected = "side 1 of ring 2 of shape 1 meets side 3: expected a ring that never meets itself";
    assert_eq!(say(square(0.0, 0.0, 5.0), vec![bow]), expected);
    assert_eq!(say(points(&[[0.0, 0.0], [1.0, 0.0]]), vec![]), "ring 1 of shape 1 has 2 corners: expected at least 3");
    let line = points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    assert_eq!(say(line, vec![]), "side 1 of ring 1 of shape 1 meets side 2: expected a ring that never meets itself");
    let twice = points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.00001], [0.0, 1.0]]);
    assert_eq!(say(twice, vec![]), "corners 2 and 3 of ring 1 of shape 1 are at one place");
    let odd = points(&[[0.0, 0.0], [1.0, f32::NAN], [0.0, 1.0]]);
    let expected = "corner 2 of ring 1 of shape 1 is (1, NaN): expected coordinates within ±10000 m";
    assert_eq!(say(odd, vec![]), expected);
    let expected = "ring 2 of shape 1 is a hole that is not inside the border, or meets ring 1";
    assert_eq!(say(square(0.0, 0.0, 1.0), vec![square(5.0, 0.0, 1.0)]), expected);
    assert_eq!(say(square(0.0, 0.0, 1.0), vec![square(1.0, 0.0, 0.5)]), expected);
    let expected = "ring 3 of shape 1 is a hole that is not inside the border, or meets ring 2";
    assert_eq!(say(square(0.0, 0.0, 9.0), vec![square(1.0, 0.0, 0.5), square(1.0, 0.0, 0.2)]), expected);
    let many = (0..5000).map(|at| Vec2::new(at as f32, (at % 2) as f32)).collect();
    assert_eq!(say(many, vec![]), "the plan has 5000 corners: expected at most 4096");
    let refuse = |config: PlanConfig| plan(&[], &config).unwrap_err().to_string();
    let radius = refuse(PlanConfig { radius_m: f32::NAN, ..stock });
    assert_eq!(radius, "the radius of the body is NaN: expected 0 to 100");
    let level = refuse(PlanConfig { level_m: f32::INFINITY, ..stock });
    assert_eq!(level, "the height of the floor is inf: expected -10000 to 10000");
    let corners = refuse(PlanConfig { corners_max: 40, ..stock });
    assert_eq!(corners, "the count of corners a polygon is 40: expected 3 to 16");
}

fn star(radii: &[f32], center: Vec2) -> Vec<Vec2> {
    let step = sentir_core::math::TAU / radii.len() as f32;
    let corner = |(index, radius): (usize, &f32)| center + plane::heading(step * index as f32) * *radius;
    radii.iter().enumerate().map(corner).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A point is on the patch when it is on the floor and no wall is nearer than the radius; near the limit, either.
    #[test]
    fn a_plan_holds_what_is_far_enough_from_every_wall(
        border in proptest::collection::vec(4.0f32..9.0, 5..24),
        holes in proptest::collection::vec(proptest::collection::vec(0.2f32..0.9, 3..8), 0..4),
        radius_m in 0.0f32..1.2,
        samples in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 64),
    ) {
        let places = [Vec2::new(-1.5, -1.5), Vec2::new(1.5, -1.5), Vec2::new(1.5, 1.5), Vec2::new(-1.5, 1.5)];
        let holes: Vec<_> = holes.iter().zip(places).map(|(radii, at)| star(radii, at)).collect();
        let shape = room(star(&border, Vec2::ZERO), holes);
        let config = PlanConfig { radius_m, ..PlanConfig::default() };
        let Ok(patch) = plan(std::slice::from_ref(&shape), &config) else {
            return Err(TestCaseError::reject("the star is no plan"));
        };
        assert_sound(&patch, 6);
        for (x, y) in samples {
            let point = Vec2::new(x, y);
            let rings = || shape.holes.iter().chain([&shape.border]);
            let is_floor = sentir_level::polygon::contains(&shape.border, point)
                && !shape.holes.iter().any(|hole| sentir_level::polygon::contains(hole, point));
            let mut nearest = f32::INFINITY;
            for ring in rings() {
                for index in 0..ring.len() {
                    let (at, _) = plane::nearest_on_segment(ring[index], ring[(index + 1) % ring.len()], point);
                    nearest = sentir_core::math::min(nearest, at.distance(point));
                }
            }
            let is_on = loops(&patch).any(|corners| height_at(&corners, point, 0.0).is_some());
            if (nearest - radius_m).abs() > 0.03 * radius_m + 0.02 {
                prop_assert_eq!(is_on, is_floor && nearest > radius_m, "{} at {}", nearest, point);
            }
        }
    }
}
