//! Contract: aiming and driving minds by pixels alone.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::tick::{Tick, TickRate};
use sentir_vision::driver::{DriverConfig, drive};
use sentir_vision::seeker::{Seeker, Sight, fix};
use sentir_vision::{
    BodyLimits, Class, ENEMY, Eye, Lens, MotionMode, Outlook, OutlookMemory, Retina, Scenery, Solid, Thing, Viewport,
};

const RATE: TickRate = TickRate::new(30);

/// What an eye at the origin sees of a hot ball.
fn seen(place: Vec3) -> Viewport {
    let (solid, lens) = (Solid::ball(0.5, 6), Lens::default());
    let ball = Thing { solid: &solid, position: place, yaw: 0.0, velocity: Vec3::ZERO, class: ENEMY };
    let mut retina = Retina::new(lens).unwrap();
    retina.look(&Eye::default(), &Scenery::default(), &[ball]);
    let mut view = Viewport::new(lens).unwrap();
    assert!(view.take(&retina, &Eye::default(), MotionMode::Line, 30.0));
    view
}

/// What a seeker at the origin makes of a view.
fn look(seeker: &mut Seeker, view: &Viewport, tick: u64) -> Option<Sight> {
    seeker.see(Vec3::ZERO, fix(view, ENEMY).map(|fix| fix.place), Tick(tick))
}

#[test]
fn a_fix_is_the_middle_of_what_is_seen() {
    let place = Vec3::new(2.0, 1.0, -15.0);
    let found = fix(&seen(place), ENEMY).unwrap();
    assert!(found.place.distance(place) < 0.6 && found.pixels > 10, "{found:?}");
    assert_eq!(fix(&seen(place), Class(9)), None);
}

#[test]
fn a_missile_turns_ahead_of_a_crosser_and_a_gun_leads_it() {
    let mut seeker = Seeker::default();
    let first = look(&mut seeker, &seen(Vec3::new(0.0, 0.0, -20.0)), 0).unwrap();
    assert!(first.velocity(RATE).is_none());
    assert!(first.pursue(Vec3::X, 4.0).z < -0.99, "straight at what it sees first");
    // To the right at 15 m/s.
    let second = look(&mut seeker, &seen(Vec3::new(1.0, 0.0, -20.0)), 2).unwrap();
    let velocity = second.velocity(RATE).unwrap();
    assert!((velocity.x - 15.0).abs() < 2.0, "{velocity}");
    let (chase, ahead) = (second.pursue(Vec3::NEG_Z, 1.0), second.pursue(Vec3::NEG_Z, 4.0));
    assert!(ahead.x > chase.x * 2.0 && chase.x > 0.0, "{chase} {ahead}");
    // A shot at 60 m/s takes a third of a second: five meters on.
    let lead = second.lead(RATE, 60.0);
    assert!((lead.x - 6.2).abs() < 1.2, "{lead}");
    let nothing = Viewport::new(Lens::default()).unwrap();
    assert_eq!(look(&mut seeker, &nothing, 4), None);
    assert_eq!(seeker.lost_looks(), 1);
}

fn road(walls: &[(Vec3, Vec3)]) -> Outlook {
    let lens = Lens { fov_y_rad: 1.1, far_m: 80.0, ..Lens::default() };
    let cuboid = |&(low, high): &(Vec3, Vec3)| -> Vec<[Vec3; 3]> {
        let solid = Solid::cuboid((high - low) / 2.0);
        solid.triangles().iter().map(|corners| corners.map(|corner| corner + (low + high) / 2.0)).collect()
    };
    let ground = (Vec3::new(-90.0, -1.0, -90.0), Vec3::new(90.0, 0.0, 90.0));
    let triangles: Vec<_> = walls.iter().chain([&ground]).flat_map(cuboid).collect();
    let eye = Eye { position: Vec3::Y * 1.3, yaw: 0.0, pitch: -0.12 };
    let mut retina = Retina::new(lens).unwrap();
    retina.look(&eye, &Scenery::build(&triangles), &[]);
    let mut view = Viewport::new(lens).unwrap();
    assert!(view.take(&retina, &eye, MotionMode::Line, 30.0));
    let mut outlook = Outlook::default();
    let gait = BodyLimits { half_width_m: 1.25, step_m: 0.2, drop_m: 0.2, slope: 0.3, near_m: 5.0 };
    outlook.look(&view, 0.0, &gait, &[], &mut OutlookMemory::default());
    outlook
}

#[test]
fn a_driver_is_fast_on_a_straight_and_slow_before_a_wall() {
    let config = DriverConfig::default();
    let sides = [
        (Vec3::new(-5.0, 0.0, -70.0), Vec3::new(-4.0, 1.0, 5.0)),
        (Vec3::new(4.0, 0.0, -70.0), Vec3::new(5.0, 1.0, 5.0)),
    ];
    let straight = drive(&road(&sides), Vec2::Y, &config).unwrap();
    assert!(straight.speed_m_per_s > 15.0 && straight.toward.y > 0.99, "{straight:?}");
    // A wall across, open to the left.
    let end = (Vec3::new(-3.0, 0.0, -13.0), Vec3::new(5.0, 1.0, -12.0));
    let bend = drive(&road(&[sides[1], end]), Vec2::Y, &config).unwrap();
    assert!(bend.toward.x < -0.1 && bend.speed_m_per_s < straight.speed_m_per_s - 1.0, "{bend:?}");
    let close = (Vec3::new(-30.0, 0.0, -5.0), Vec3::new(30.0, 1.0, -4.0));
    let stop = drive(&road(&[close]), Vec2::Y, &config).unwrap();
    assert!(stop.speed_m_per_s < 6.0, "{stop:?}");
    assert_eq!(drive(&Outlook::default(), Vec2::Y, &config), None);
}
