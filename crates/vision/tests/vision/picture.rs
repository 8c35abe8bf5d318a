//! Contract: pictures for people are the viewport, upside up, in the colors of palette and formulas.

use sentir_core::glam::{Vec2, Vec3};
use sentir_vision::{Class, Eye, Eyesight, Lens, Motion, MotionMode, Palette, Retina, Scenery, Solid, Thing, Viewport};

const LENS: Lens = Lens { width: 4, height: 3, fov_y_rad: 1.0, near_m: 1.0, far_m: 5.0 };

#[test]
fn pictures_have_the_lowest_row_last_and_the_colors_of_the_source() {
    let mut view = Viewport::new(LENS).unwrap();
    view.draw(1, 0, Class::FLOOR, 0.25, Motion::STILL);
    view.draw(3, 2, Class(6), 0.0, Motion { speed: 1.0, away: 0.0, across: 0.0 });
    view.draw(0, 0, Class(200), 1.0, Motion::STILL);
    let sight = Eyesight::of(&view, &Palette::source());
    let names: Vec<&str> = sight.pictures.iter().map(|one| one.name).collect();
    assert_eq!(names, ["static", "depth", "dynamic"]);
    let at = |picture: usize, column: usize, row: usize| {
        let from = ((2 - row) * 4 + column) * 4;
        <[u8; 4]>::try_from(&sight.pictures[picture].rgba[from..from + 4]).unwrap()
    };
    assert_eq!([at(0, 1, 0), at(1, 1, 0), at(2, 1, 0)], [[0, 255, 0, 255], [128, 128, 128, 255], [0, 128, 255, 255]]);
    assert_eq!([at(0, 3, 2), at(1, 3, 2), at(2, 3, 2)], [[255, 0, 255, 255], [255; 4], [255, 0, 0, 255]]);
    // Nothing is black; a class without a color is white.
    assert_eq!([at(0, 2, 1), at(1, 2, 1), at(2, 2, 1)], [[0, 0, 0, 255]; 3]);
    assert_eq!(at(0, 0, 0), [255; 4]);
}

#[test]
fn a_point_is_marked_where_the_picture_shows_it() {
    let mut view = Viewport::new(Lens::default()).unwrap();
    view.set_eye(Eye { position: Vec3::new(1.0, 2.0, 3.0), yaw: 0.7, pitch: -0.2 });
    view.draw(100, 40, Class::WALL, 0.1, Motion::STILL);
    let point = view.unproject(100, 40).unwrap();
    assert!(view.project(point).unwrap().distance(Vec2::new(100.5, 40.5)) < 1e-3);
    let (column, row, along) = view.pixel(point).unwrap();
    assert_eq!((column, row), (100, 40));
    assert!((along - view.distance_m(100, 40)).abs() < 1e-4);
    let mut sight = Eyesight::of(&view, &Palette::source());
    let behind = view.eye().position * 2.0 - point;
    sight.mark(&view, "way", [behind, point]);
    sight.mark(&view, "lost", [behind, Vec3::NAN]);
    assert_eq!(sight.marks.len(), 1);
    assert!(sight.marks[0].points[0].distance(Vec2::new(100.5, 79.5)) < 1e-3);
    assert_eq!(view.pixel(behind), None);
    assert_eq!(view.project(Vec3::NAN), None);
}

#[test]
fn motion_of_every_pixel_is_that_of_the_formulas() {
    let solid = Solid::cuboid(Vec3::splat(0.7));
    let eye = Eye { yaw: 0.3, pitch: 0.1, ..Eye::default() };
    let mut retina = Retina::new(Lens::default()).unwrap();
    let velocity = Vec3::new(2.0, -1.0, 3.0);
    let position = Vec3::new(-1.0, 0.5, -6.0);
    let mover = Thing { solid: &solid, position, yaw: 0.4, velocity, class: Class(6) };
    let still =
        Thing { velocity: Vec3::ZERO, class: Class(4), position: position + Vec3::new(-3.0, 0.0, -1.0), ..mover };
    retina.look(&eye, &Scenery::default(), &[mover, still]);
    let mut view = Viewport::new(Lens::default()).unwrap();
    assert!(view.take(&retina, &eye, MotionMode::View, 8.0));
    // What the viewport took over is what the retina says, pixel by pixel.
    for (column, row) in (0..120).flat_map(|row| (0..160).map(move |column| (column, row))) {
        let pixel = retina.at(column, row);
        assert_eq!((view.class(column, row), view.depth(column, row)), (retina.class(pixel), pixel.depth));
        assert_eq!(view.motion(column, row), retina.motion(column, row, MotionMode::View, 8.0));
    }
    // R = |v| / v_max, c = v·D / |v|, G = c/2 + 1/2, B = √(1 − c²), with D of yaw and pitch.
    let [(turn_sin, turn_cos), (tilt_sin, tilt_cos)] = [eye.yaw, eye.pitch].map(sentir_core::math::sin_cos);
    let ahead = Vec3::new(-turn_sin * tilt_cos, tilt_sin, -turn_cos * tilt_cos).as_dvec3();
    let (speed, velocity) = (velocity.as_dvec3().length(), velocity.as_dvec3());
    let c = velocity.dot(ahead) / speed;
    let expected = [speed / 8.0, c / 2.0 + 0.5, (1.0 - c * c).sqrt()];
    let mut counts = [0; 2];
    for (column, row) in (0..120).flat_map(|row| (0..160).map(move |column| (column, row))) {
        let color = view.motion(column, row).color();
        match view.class(column, row) {
            Class(6) => {
                counts[0] += 1;
                assert!((0..3).all(|part| (f64::from(color[part]) - expected[part]).abs() < 1e-5), "{color:?}");
            }
            class => {
                counts[1] += u32::from(class == Class(4));
                assert_eq!(color, [0.0, 0.5, 1.0]);
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 100), "both are seen: {counts:?}");
}
