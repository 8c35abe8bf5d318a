//! Contract: the three defects of walking by floor pixels are cured by walking on the ground that is seen.

use sentir_core::glam::{Vec2, Vec3};
use sentir_vision::classic::{Margins, SideRule, choose};
use sentir_vision::{
    BodyLimits, Class, Curve, Eye, Lens, MotionMode, Outlook, OutlookMemory, Retina, Scenery, Solid, Viewport,
};

const LENS: Lens = Lens { width: 160, height: 120, fov_y_rad: 1.3, near_m: 0.05, far_m: 60.0 };
/// At 1.6 m, a little down, along −Z.
const EYE: Eye = Eye { position: Vec3::new(0.0, 1.6, 0.0), yaw: 0.0, pitch: -0.3 };

/// A box from corner to corner.
fn cuboid(low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
    let middle = (low + high) / 2.0;
    Solid::cuboid((high - low) / 2.0).triangles().iter().map(|corners| corners.map(|corner| corner + middle)).collect()
}

fn ground() -> Vec<[Vec3; 3]> {
    cuboid(Vec3::new(-50.0, -1.0, -50.0), Vec3::new(50.0, 0.0, 50.0))
}

fn seen(parts: &[Vec<[Vec3; 3]>], eye: &Eye) -> Viewport {
    let scenery = Scenery::build(&parts.concat());
    let mut retina = Retina::new(LENS).unwrap();
    retina.look(eye, &scenery, &[]);
    let mut view = Viewport::new(LENS).unwrap();
    assert!(view.take(&retina, eye, MotionMode::View, 10.0));
    view
}

fn outlook(view: &Viewport) -> Outlook {
    let mut outlook = Outlook::default();
    outlook.look(view, 0.0, &BodyLimits::default(), &[], &mut OutlookMemory::default());
    outlook
}

#[test]
fn open_ground_is_free_in_all_directions() {
    let view = seen(&[ground()], &EYE);
    let outlook = outlook(&view);
    assert_eq!(outlook.obstacles(), []);
    assert_eq!(outlook.reaches().len(), 160);
    for reach in outlook.reaches() {
        assert!(reach.ground_m > 30.0 && !reach.is_blocked, "{reach:?}");
        assert_eq!(outlook.free_m(reach.toward, 20.0), 20.0);
    }
    let (toward, free) = outlook.best(Vec2::Y, 20.0, 2.0, 1.0).unwrap();
    assert!(toward.y > 0.999 && free == 20.0);
}

#[test]
fn the_top_of_a_box_is_no_ground() {
    // 0.9 m high and so near that its side is below the picture: all one sees is its top, as green as the floor.
    let low = cuboid(Vec3::new(-6.0, 0.0, -8.0), Vec3::new(6.0, 0.9, -0.45));
    let view = seen(&[ground(), low], &EYE);
    let margins = Margins { half_width: 8, upper: 6, lower: 20 };
    let target = choose(&view, &margins, SideRule::Away).unwrap();
    let end = view.unproject(target.column, target.row).unwrap();
    assert!(end.y > 0.8, "the source walks into the box to get onto its top: {end}");
    assert!(outlook(&view).free_m(Vec2::Y, 20.0) < 0.2);
    // From farther off its side is seen, too.
    let far = cuboid(Vec3::new(-6.0, 0.0, -8.0), Vec3::new(6.0, 0.9, -3.0));
    let free = outlook(&seen(&[ground(), far], &EYE)).free_m(Vec2::Y, 20.0);
    assert!((2.0..=3.0).contains(&free), "{free}");
}

#[test]
fn a_long_corridor_is_wide_enough_however_it_looks() {
    let walls = [
        cuboid(Vec3::new(-1.4, 0.0, -40.0), Vec3::new(-0.9, 3.0, 5.0)),
        cuboid(Vec3::new(0.9, 0.0, -40.0), Vec3::new(1.4, 3.0, 5.0)),
    ];
    let view = seen(&[vec![ground()], walls.to_vec()].concat(), &EYE);
    // The body is 0.9 m wide and the corridor 1.8 m. A rectangle as wide as the body at its feet ends soon.
    let margins = Margins { half_width: 24, upper: 8, lower: 20 };
    let classic = choose(&view, &margins, SideRule::Away);
    let reach = classic.and_then(|target| view.unproject(target.column, target.row)).map_or(0.0, |end| -end.z);
    let ours = outlook(&view).free_m(Vec2::Y, 30.0);
    assert!(reach < 8.0, "the source sees {reach} m of it");
    assert!(ours > 25.0, "{ours}");
}

#[test]
fn a_gap_narrower_than_the_body_is_no_way() {
    let wall = |from: f32, to: f32| cuboid(Vec3::new(from, 0.0, -6.0), Vec3::new(to, 3.0, -5.0));
    let narrow = outlook(&seen(&[ground(), wall(-8.0, -0.3), wall(0.3, 8.0)], &EYE));
    assert!(narrow.free_m(Vec2::Y, 20.0) < 5.0);
    let wide = outlook(&seen(&[ground(), wall(-8.0, -0.7), wall(0.7, 8.0)], &EYE));
    assert!(wide.free_m(Vec2::Y, 20.0) > 9.0);
}

#[test]
fn a_curve_that_grazes_a_wall_is_not_clear() {
    let wall = cuboid(Vec3::new(0.6, 0.0, -7.0), Vec3::new(4.0, 3.0, -4.0));
    let outlook = outlook(&seen(&[ground(), wall], &EYE));
    let clear = Curve::to(Vec2::ZERO, Vec2::Y, Vec2::new(-1.0, 6.0)).unwrap();
    let grazing = Curve::to(Vec2::ZERO, Vec2::Y, Vec2::new(0.5, 6.0)).unwrap();
    assert!(outlook.is_clear(&clear));
    assert!(!outlook.is_clear(&grazing));
}

#[test]
fn a_ledge_ends_the_ground_and_a_ramp_does_not() {
    let pit = [
        cuboid(Vec3::new(-50.0, -1.0, -4.0), Vec3::new(50.0, 0.0, 50.0)),
        cuboid(Vec3::new(-50.0, -4.0, -50.0), Vec3::new(50.0, -3.0, 50.0)),
    ];
    let free = outlook(&seen(&pit, &EYE)).free_m(Vec2::Y, 20.0);
    assert!((3.0..=4.0).contains(&free), "{free}");
    let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    // Up by 3 m over 10 m.
    let ramp = vec![
        [corner(-3.0, 0.0, -4.0), corner(3.0, 0.0, -4.0), corner(3.0, 3.0, -14.0)],
        [corner(-3.0, 0.0, -4.0), corner(3.0, 3.0, -14.0), corner(-3.0, 3.0, -14.0)],
    ];
    let free = outlook(&seen(&[ground(), ramp], &EYE)).free_m(Vec2::Y, 12.0);
    assert!(free > 11.0, "{free}");
}

#[test]
fn a_stair_down_is_a_ledge_until_it_is_dared() {
    // Its first steps are below the picture; what is seen first lies more than a step deeper than the feet.
    let step = |number: u8| {
        let (far, top) = (-0.5 * f32::from(number), -0.25 * f32::from(number));
        cuboid(Vec3::new(-3.0, -4.0, far - 0.5), Vec3::new(3.0, top, far))
    };
    let stair: Vec<_> = (0..8).map(step).collect();
    let view = seen(&stair, &EYE);
    let ground_m = |drop_m: f32| {
        let mut outlook = Outlook::default();
        let gait = BodyLimits { drop_m, ..BodyLimits::default() };
        outlook.look(&view, 0.0, &gait, &[], &mut OutlookMemory::default());
        outlook.reaches()[80].ground_m
    };
    assert!(ground_m(0.4) < 0.5 && ground_m(1.2) > 3.0, "{} and {}", ground_m(0.4), ground_m(1.2));
}

#[test]
fn what_is_before_the_feet_is_remembered() {
    let post = cuboid(Vec3::new(-0.2, 0.0, -2.2), Vec3::new(0.2, 2.5, -1.8));
    let scenery = [ground(), post];
    let (mut outlook, mut memory) = (Outlook::default(), OutlookMemory::default());
    let first = seen(&scenery, &EYE);
    outlook.look(&first, 0.0, &BodyLimits::default(), &[], &mut memory);
    assert!(outlook.free_m(Vec2::Y, 9.0) < 2.0);
    // Eyes up: the foot of the post is below the picture.
    let up = Eye { pitch: 0.7, ..EYE };
    outlook.look(&seen(&scenery, &up), 0.0, &BodyLimits::default(), &[], &mut memory);
    assert!(outlook.free_m(Vec2::Y, 9.0) < 2.0);
    let mut blank = OutlookMemory::default();
    outlook.look(&seen(&scenery, &Eye { pitch: 1.2, ..EYE }), 0.0, &BodyLimits::default(), &[], &mut blank);
    assert_eq!(blank, OutlookMemory::default());
}

#[test]
fn things_to_pick_up_are_walked_through() {
    let mut view = seen(&[ground()], &EYE);
    let depth = view.depth(80, 40);
    view.draw(80, 40, Class(4), depth, sentir_vision::Motion::STILL);
    let mut outlook = Outlook::default();
    let mut memory = OutlookMemory::default();
    outlook.look(&view, 0.0, &BodyLimits::default(), &[], &mut memory);
    assert_eq!(outlook.obstacles().len(), 1);
    let mut fresh = OutlookMemory::default();
    outlook.look(&view, 0.0, &BodyLimits::default(), &[Class(4)], &mut fresh);
    assert_eq!(outlook.obstacles(), []);
}

#[test]
fn an_empty_outlook_leads_nowhere() {
    let outlook = Outlook::default();
    assert_eq!(outlook.free_m(Vec2::Y, 20.0), 0.0);
    assert_eq!(outlook.best(Vec2::Y, 20.0, 1.0, 1.0), None);
    assert_eq!(outlook.free_m(Vec2::NAN, 20.0), 0.0);
}
