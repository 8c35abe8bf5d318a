//! Contract: a picture is what one ray through the middle of each pixel finds, but for pixels at an edge.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod bronto;
mod classic;
mod option;
mod oracle;
mod outlook;
mod picture;
mod seeker;

use oracle::{DEPTH_OFF_MAX, Verdict, compare};
use proptest::prelude::*;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::random::{Purpose, Streams};
use sentir_level::{Aabb, Blocks, LevelState, LevelView};
use sentir_vision::{
    Class, Eye, Lens, LensError, Motion, MotionMode, Palette, PaletteError, Retina, Scenery, Solid, Thing,
};

fn stock(name: &str) -> Vec<[Vec3; 3]> {
    let level = sentir_level::stock(name).unwrap();
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let all = Aabb { low: Vec3::splat(-10_000.0), high: Vec3::splat(10_000.0) };
    let mut triangles = Vec::new();
    view.triangles_in(&all, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
    triangles
}

#[test]
fn a_picture_is_what_rays_find_in_stock_levels() {
    let streams = Streams { seed: 5 };
    for (name, _) in sentir_level::STOCK {
        let triangles = stock(name);
        let scenery = Scenery::build(&triangles);
        assert_eq!(scenery.len(), scenery.triangles().len());
        let low = triangles.iter().flatten().fold(Vec3::splat(f32::INFINITY), |low, corner| low.min(*corner));
        let high = triangles.iter().flatten().fold(Vec3::splat(f32::NEG_INFINITY), |high, corner| high.max(*corner));
        let mut retina = Retina::new(Lens { width: 80, height: 60, ..Lens::default() }).unwrap();
        for look in 0..4u64 {
            let mut random = streams.stream(look, Purpose::new("vision test"));
            let at = Vec3::new(random.unit(), random.unit(), random.unit());
            let position = low + (high - low) * at;
            let eye = Eye { position, yaw: random.unit() * math::TAU, pitch: random.unit() - 0.5 };
            retina.look(&eye, &scenery, &[]);
            let mut verdict = Verdict::default();
            compare(&retina, &eye, scenery.triangles(), 1, &mut verdict);
            assert!(verdict.differing * 200 <= verdict.pixels, "{name}, look {look}: {verdict:?}");
            assert_eq!(verdict.unexplained, 0, "{name}, look {look}: {verdict:?}");
            assert!(verdict.depth_off < DEPTH_OFF_MAX, "{name}: {verdict:?}");
        }
    }
}

fn soup(seed: u64, count: u32) -> Vec<[Vec3; 3]> {
    let mut random = Streams { seed }.stream(0, Purpose::new("soup"));
    (0..count)
        .map(|_| {
            let mut point = |reach: f32| {
                Vec3::new(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach))
            };
            let middle = point(8.0);
            [middle + point(3.0), middle + point(3.0), middle + point(3.0)]
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_picture_of_any_triangles_is_what_rays_find(
        seed in any::<u64>(),
        yaw in -4.0f32..4.0,
        pitch in -1.5f32..1.5,
        (width, height) in (1u32..70, 1u32..50),
        fov_y_rad in 0.3f32..2.5,
    ) {
        let scenery = Scenery::build(&soup(seed, 30));
        let mut retina = Retina::new(Lens { width, height, fov_y_rad, ..Lens::default() }).unwrap();
        let eye = Eye { position: Vec3::ZERO, yaw, pitch };
        retina.look(&eye, &scenery, &[]);
        let mut verdict = Verdict::default();
        compare(&retina, &eye, scenery.triangles(), 1, &mut verdict);
        // Thirty triangles that cross one another have many edges: 0.5 % of the pixels, or two in a tiny picture.
        prop_assert!(verdict.differing <= 2.max(width * height / 200), "{:?}", verdict);
        prop_assert_eq!(verdict.unexplained, 0, "{:?}", verdict);
        prop_assert!(verdict.depth_off < DEPTH_OFF_MAX);
    }

    #[test]
    fn leaving_out_what_is_hidden_changes_no_bit(seed in any::<u64>(), yaw in -4.0f32..4.0) {
        let scenery = Scenery::build(&soup(seed, 300));
        let eye = Eye { position: Vec3::ZERO, yaw, pitch: 0.0 };
        let mut culled = Retina::new(Lens::default()).unwrap();
        culled.look(&eye, &scenery, &[]);
        // A thing is drawn whole, triangle by triangle.
        let solid = Solid::new(scenery.triangles().iter().copied());
        let thing = Thing { solid: &solid, position: Vec3::ZERO, yaw: 0.0, velocity: Vec3::ZERO, class: Class(9) };
        let mut whole = Retina::new(Lens::default()).unwrap();
        whole.look(&eye, &Scenery::default(), &[thing]);
        for row in 0..120 {
            for column in 0..160 {
                let (one, other) = (culled.at(column, row), whole.at(column, row));
                prop_assert_eq!(one.depth.to_bits(), other.depth.to_bits());
            }
        }
    }
}

#[test]
fn a_wall_of_many_triangles_has_no_gap() {
    let mut random = Streams { seed: 3 }.stream(0, Purpose::new("wall"));
    let side = 40;
    let corners: Vec<Vec3> = (0..=side)
        .flat_map(|row| (0..=side).map(move |column| (column, row)))
        .map(|(column, row)| {
            let jitter = if column % side == 0 || row % side == 0 { 0.0 } else { random.between(-0.2, 0.2) };
            Vec3::new(column as f32 - 20.0 + jitter, row as f32 - 20.0 - jitter, -6.0)
        })
        .collect();
    let at = |column: usize, row: usize| corners[row * (side + 1) + column];
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (column, row)));
    let triangles: Vec<_> = cells
        .flat_map(|(x, y)| [[at(x, y), at(x + 1, y), at(x + 1, y + 1)], [at(x, y), at(x + 1, y + 1), at(x, y + 1)]])
        .collect();
    let scenery = Scenery::build(&triangles);
    let mut retina = Retina::new(Lens::default()).unwrap();
    for (yaw, pitch) in [(0.0, 0.0), (0.3, 0.2), (-0.35, -0.31)] {
        retina.look(&Eye { position: Vec3::ZERO, yaw, pitch }, &scenery, &[]);
        let seen = (0..120).flat_map(|row| (0..160).map(move |column| (column, row)));
        assert!(seen.clone().all(|(column, row)| retina.class(retina.at(column, row)) == Class::WALL));
    }
}

#[test]
fn a_point_goes_onto_the_picture_and_back() {
    let solid = Solid::ball(0.4, 12);
    let eye = Eye { position: Vec3::new(1.0, 2.0, 3.0), yaw: 0.7, pitch: -0.2 };
    let mut retina = Retina::new(Lens::default()).unwrap();
    retina.look(&eye, &Scenery::default(), &[]);
    let position = eye.position + retina.way(100, 40) * 9.0;
    let ball = Thing { solid: &solid, position, yaw: 0.0, velocity: Vec3::ZERO, class: Class(6) };
    retina.look(&eye, &Scenery::default(), &[ball]);
    let pixel = retina.at(100, 40);
    assert_eq!((retina.class(pixel), retina.thing(pixel)), (Class(6), Some(0)));
    let point = retina.unproject(100, 40).unwrap();
    assert!((point.distance(position) - 0.4).abs() < 0.02, "{point} is on the ball around {position}");
    assert_eq!(retina.unproject(0, 119), None);
    assert_eq!(retina.at(0, 119).depth, 1.0);
}

#[test]
fn motion_has_the_colors_of_the_source() {
    let ahead = Vec3::NEG_Z;
    let color = |velocity: Vec3| Motion::of(velocity, ahead, 10.0).color();
    assert_eq!(color(Vec3::ZERO), [0.0, 0.5, 1.0]);
    assert_eq!(color(Vec3::new(0.0, 0.0, -5.0)), [0.5, 1.0, 0.0]);
    assert_eq!(color(Vec3::new(0.0, 0.0, 20.0)), [1.0, 0.0, 0.0]);
    assert_eq!(color(Vec3::new(3.0, 0.0, 0.0)), [0.3, 0.5, 1.0]);
    assert_eq!(color(Vec3::NAN), [0.0, 0.5, 1.0]);
    // 60 degrees off: c = 1/2.
    let [red, green, blue] = color(Vec3::new(3f32.sqrt(), 0.0, -1.0));
    assert!((red - 0.2).abs() < 1e-6 && (green - 0.75).abs() < 1e-6 && (blue - 0.75f32.sqrt()).abs() < 1e-6);
}

#[test]
fn who_crosses_off_the_middle_closes_in_by_line_of_sight_only() {
    let solid = Solid::cuboid(Vec3::splat(0.5));
    let eye = Eye::default();
    let mut retina = Retina::new(Lens::default()).unwrap();
    let velocity = Vec3::new(-4.0, 0.0, 0.0);
    let thing = Thing { solid: &solid, position: Vec3::new(5.0, 0.0, -10.0), yaw: 0.4, velocity, class: Class(6) };
    retina.look(&eye, &Scenery::default(), &[thing]);
    let column = (0..160).find(|&column| retina.thing(retina.at(column, 60)).is_some()).unwrap();
    assert_eq!(retina.motion(column, 60, MotionMode::View, 10.0).away, 0.5);
    assert!(retina.motion(column, 60, MotionMode::Line, 10.0).away < 0.4);
    assert_eq!(retina.motion(0, 0, MotionMode::Line, 10.0), Motion::STILL);
}

#[test]
fn a_palette_tells_all_classes_apart() {
    let source = Palette::source();
    assert_eq!(Palette::build(source.colors()), Ok(source.clone()));
    assert_eq!(source.class([0, 255, 0]), Some(Class::FLOOR));
    assert_eq!(source.color(Class::WALL), Some([0.0, 0.0, 1.0]));
    assert_eq!(source.class([1, 2, 3]), None);
    let alike = [(Class(4), [0.5, 0.0, 0.0]), (Class(5), [0.5001, 0.0, 0.0])];
    assert_eq!(Palette::build(&alike), Err(PaletteError::Alike(Class(4), Class(5))));
    let twice = [(Class(4), [0.5, 0.0, 0.0]), (Class(4), [0.9, 0.0, 0.0])];
    assert_eq!(Palette::build(&twice), Err(PaletteError::Twice(Class(4))));
    assert_eq!(Palette::build(&[(Class(4), [f32::NAN, 0.0, 0.0])]), Err(PaletteError::Outside(Class(4))));
}

#[test]
fn odd_lenses_eyes_and_triangles_have_a_defined_outcome() {
    let lens = Lens::default();
    let refused = |lens: Lens| Retina::new(lens).err();
    assert_eq!(refused(Lens { width: 0, ..lens }), Some(LensError::Size { width: 0, height: 120 }));
    assert_eq!(
        refused(Lens { width: 4096, height: 4096, ..lens }),
        Some(LensError::Size { width: 4096, height: 4096 })
    );
    assert!(matches!(refused(Lens { fov_y_rad: f32::NAN, ..lens }), Some(LensError::Angle(_))));
    assert!(matches!(refused(Lens { near_m: 0.0, ..lens }), Some(LensError::Range { .. })));
    assert!(matches!(refused(Lens { far_m: f32::INFINITY, ..lens }), Some(LensError::Range { .. })));

    let odd = [Vec3::NAN, Vec3::ZERO, Vec3::X];
    let flat = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    let large = [Vec3::new(-9e4, 0.0, 9e4), Vec3::new(9e4, 0.0, 9e4), Vec3::new(0.0, 0.0, -9e4)];
    let scenery = Scenery::build(&[odd, flat, large, large.map(|corner| corner * 2.0)]);
    assert_eq!(scenery.len(), 1);
    let mut retina = Retina::new(lens).unwrap();
    retina.look(&Eye { position: Vec3::Y, ..Eye::default() }, &scenery, &[]);
    assert_eq!(retina.class(retina.at(80, 0)), Class::FLOOR);
    assert_eq!(retina.class(retina.at(80, 119)), Class::NOTHING);
    retina.look(&Eye { yaw: f32::NAN, ..Eye::default() }, &scenery, &[]);
    assert_eq!(retina.class(retina.at(80, 0)), Class::NOTHING);
    assert_eq!(retina.class(retina.at(9999, 9999)), Class::NOTHING);
}

#[test]
fn a_warm_look_allocates_nothing() {
    let scenery = Scenery::build(&soup(1, 500));
    let solid = Solid::ball(1.0, 6);
    let thing =
        Thing { solid: &solid, position: Vec3::new(0.0, 0.0, -4.0), yaw: 0.0, velocity: Vec3::X, class: Class(6) };
    let mut retina = Retina::new(Lens::default()).unwrap();
    retina.look(&Eye::default(), &scenery, &[thing]);
    let used = allocation_counter::measure(|| retina.look(&Eye { yaw: 2.0, ..Eye::default() }, &scenery, &[thing]));
    assert_eq!(used.count_total, 0);
}
