//! The two classic algorithms: where they are right, and where the second one, as published, is not.

use sentir_space::core::glam::Vec2;
use sentir_space::core::math;
use sentir_space::core::random::{Purpose, Streams};
use sentir_space::visibility::fan::{FarPoint, corner_rays, fixed_angles};
use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};

use crate::oracle::{SIDE, World, regular, sees_clearly};

fn block(x: f32, y: f32, wide: f32, high: f32) -> Vec<Vec2> {
    vec![Vec2::new(x, y), Vec2::new(x + wide, y), Vec2::new(x + wide, y + high), Vec2::new(x, y + high)]
}

/// Looks along +x from zero.
fn watcher(half_angle_rad: f32, range_m: f32) -> Watcher {
    Watcher { origin: Vec2::ZERO, facing: -math::FRAC_PI_2, half_angle_rad, range_m }
}

fn region(obstacles: &Obstacles, watcher: &Watcher) -> Region {
    let mut region = Region::default();
    Sweep::default().look(obstacles, watcher, &mut region);
    region
}

#[test]
fn rays_at_fixed_angles_are_right_but_for_what_lies_between_them() {
    let mut wrong = [0, 0];
    let mut asked = 0;
    for seed in 0..40 {
        let mut random = Streams { seed }.stream(0, Purpose::new("fans"));
        let world = World::random(&mut random);
        let (obstacles, walls) = (world.obstacles(), world.all_walls());
        let fans = [0.05, 0.002].map(|step| fixed_angles(&obstacles, &world.watcher, step));
        for _ in 0..100 {
            let point = Vec2::new(random.between(0.0, SIDE), random.between(0.0, SIDE));
            let Some(is_seen) = sees_clearly(&walls, &world.watcher, point.as_dvec2()) else { continue };
            asked += 1;
            for (wrong, fan) in wrong.iter_mut().zip(&fans) {
                *wrong += u32::from(fan.contains(point) != is_seen);
            }
        }
    }
    assert!(wrong[1] * 4 <= wrong[0] && wrong[1] * 1000 < asked, "{wrong:?} of {asked}");
}

#[test]
fn corner_rays_are_right_for_blocks_that_stand_free() {
    let obstacles =
        Obstacles::build(&[block(4.0, -1.0, 1.0, 2.0), regular(Vec2::new(5.0, 4.0), 0.8, 6, 0.2)], &[]).unwrap();
    let watcher = watcher(0.9, 12.0);
    let (fan, region) = (corner_rays(&obstacles, &watcher, FarPoint::Normalized), region(&obstacles, &watcher));
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("fans"));
    for _ in 0..2000 {
        // Far out the chord of the far points cuts the arc.
        let point = Vec2::new(random.between(0.2, 7.0), random.between(-5.0, 5.0));
        let walls: Vec<_> = obstacles.walls().map(|wall| wall.map(|end| end.as_dvec2())).collect();
        if sees_clearly(&walls, &watcher, point.as_dvec2()).is_some() {
            assert_eq!(fan.contains(point), region.contains(point), "{point}");
        }
    }
}

#[test]
fn corner_rays_see_through_a_wall_with_no_corner_in_view() {
    // Both edges of the view meet the wall, so only the far end between differs: look along two walls, one behind the gap.
    let across = Obstacles::build(
        &[],
        &[[Vec2::new(5.0, -9.0), Vec2::new(5.0, 9.0)], [Vec2::new(3.0, -0.2), Vec2::new(3.0, 0.2)]],
    )
    .unwrap();
    let watcher = watcher(0.5, 20.0);
    let behind = Vec2::new(8.0, 1.5);
    assert!(!region(&across, &watcher).contains(behind));
    // The ray that grazes the small wall ends at the range, through the long one.
    assert!(corner_rays(&across, &watcher, FarPoint::Normalized).contains(behind));
}

#[test]
fn corner_rays_miss_walls_whose_corners_are_past_the_range() {
    let wall = Obstacles::build(&[], &[[Vec2::new(4.0, -9.0), Vec2::new(4.0, 9.0)]]).unwrap();
    let watcher = watcher(1.2, 6.0);
    // The edges of the view miss the wall within range; the wall itself is 4 m away.
    let (fan, region) = (corner_rays(&wall, &watcher, FarPoint::Normalized), region(&wall, &watcher));
    let before = Vec2::new(3.5, 0.0);
    assert!(region.contains(before) && !region.contains(Vec2::new(4.5, 0.0)));
    assert!(!fan.contains(before), "the chord between the two edges cuts off what is seen");
}

#[test]
fn corner_rays_see_behind_a_grazed_corner_whatever_stands_there() {
    let two = Obstacles::build(&[block(3.0, -1.0, 1.0, 2.0), block(7.0, -6.0, 1.0, 12.0)], &[]).unwrap();
    let watcher = watcher(0.6, 20.0);
    let behind = Vec2::new(10.0, 3.4);
    assert!(!region(&two, &watcher).contains(behind));
    assert!(corner_rays(&two, &watcher, FarPoint::Normalized).contains(behind));
}

#[test]
fn the_printed_far_point_is_far_too_far() {
    let one = Obstacles::build(&[block(4.0, -1.0, 1.0, 2.0)], &[]).unwrap();
    let watcher = watcher(0.9, 12.0);
    let reach = |far_point| {
        let fan = corner_rays(&one, &watcher, far_point);
        fan.edges.iter().flatten().fold(0.0, |most, at| math::max(most, at.length()))
    };
    assert!(reach(FarPoint::Normalized) < 12.001 && reach(FarPoint::AsPrinted) > 48.0);
}

#[test]
fn watchers_that_cannot_see_have_nothing() {
    let obstacles = Obstacles::build(&[block(4.0, -1.0, 1.0, 2.0)], &[]).unwrap();
    let good = watcher(0.9, 12.0);
    let odd = [
        Watcher { origin: Vec2::NAN, ..good },
        Watcher { facing: f32::INFINITY, ..good },
        Watcher { half_angle_rad: 0.0, ..good },
        Watcher { half_angle_rad: f32::NAN, ..good },
        Watcher { range_m: -1.0, ..good },
        Watcher { range_m: f32::INFINITY, ..good },
    ];
    for odd in odd {
        let (mut ring, mut spans) = (vec![Vec2::ZERO; 9], Vec::new());
        let region = region(&obstacles, &odd);
        region.ring(0.01, &mut ring);
        region.clip(Vec2::ZERO, Vec2::ONE, &mut spans);
        assert!(region.is_empty() && ring.len() < 3 && spans.is_empty() && region.area_m2() == 0.0, "{odd:?}");
        assert!(!region.contains(odd.origin) && !region.contains(Vec2::ONE) && region.to_tactic(0.0, 1.0).is_none());
        assert!(fixed_angles(&obstacles, &odd, 0.1).edges.is_empty());
        assert!(corner_rays(&obstacles, &odd, FarPoint::Normalized).edges.is_empty());
    }
    assert!(!region(&obstacles, &good).contains(Vec2::NAN));
}
