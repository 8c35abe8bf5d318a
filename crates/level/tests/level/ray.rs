//! Contract: rays agree with parry's, never slip through closed shapes, and obey surface classes, poses and floors.

use glam::Vec3;
use parry3d::math::Vector;
use parry3d::query::RayCast;
use parry3d::shape::TriMesh;
use sentir_core::body::{Body, Pose};
use sentir_core::geometry::{Geometry, Ray, RayHit};
use sentir_level::mesh::MeshSpec;
use sentir_level::spec::{MeshUseSpec, SolidSpec};
use sentir_level::{Aabb, Blocks, Level, LevelSpec, LevelState, LevelView, STOCK, sight};

use crate::{level, point, stream};

fn soup(triangles: &[[Vec3; 3]]) -> Level {
    let mut mesh = MeshSpec { material_names: vec![String::new()], ..MeshSpec::default() };
    for corners in triangles {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|corner| corner.to_array()));
        mesh.triangles.push([first, first + 1, first + 2]);
        mesh.materials.push(0);
    }
    let used = MeshUseSpec {
        name: "soup".into(),
        at: [0.0; 2],
        yaw_deg: 0.0,
        scale: 1.0,
        base_m: 0.0,
        surfaces: Default::default(),
        surface: None,
        floor: None,
    };
    let solids = vec![SolidSpec::Mesh(used).into()];
    LevelSpec { name: "soup".into(), solids, meshes: [("soup".into(), mesh)].into(), ..LevelSpec::default() }
        .build()
        .expect("a soup builds")
}

/// Parry's mesh of everything that holds bodies.
fn oracle(view: &LevelView<'_>) -> TriMesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    let all = Aabb { low: Vec3::splat(-1e6), high: Vec3::splat(1e6) };
    view.triangles_in(&all, Blocks::BODIES, |triangle| {
        let first = vertices.len() as u32;
        vertices.extend(triangle.corners.map(|corner| Vector::new(corner.x, corner.y, corner.z)));
        indices.push([first, first + 1, first + 2]);
    });
    TriMesh::new(vertices, indices).expect("parry takes the triangles")
}

/// Compares many rays; how many hit. A ray that parry and we judge differently must graze: a hair beside it, the other
/// answer is found too.
fn compare(view: &LevelView<'_>, mesh: &TriMesh, rays: impl Iterator<Item = Ray>) -> u32 {
    let (mut hits, mut grazes, mut count) = (0, 0, 0);
    for ray in rays {
        count += 1;
        let (origin, direction) = (ray.origin.to_array(), ray.direction.to_array());
        let theirs = parry3d::query::Ray::new(Vector::from(origin), Vector::from(direction));
        let theirs = mesh.cast_local_ray(&theirs, ray.length_m, false);
        let ours = view.ray(&ray).map(|hit| hit.distance_m);
        let agree = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() < 1e-4,
            (None, None) => true,
            _ => false,
        };
        hits += u32::from(ours.is_some());
        if !agree {
            grazes += 1;
            assert!(is_grazing(view, &ray, theirs), "{ray:?}: ours {ours:?}, parry's {theirs:?}");
        }
    }
    assert!(grazes * 1000 < count, "{grazes} of {count} rays graze");
    hits
}

fn is_grazing(view: &LevelView<'_>, ray: &Ray, theirs: Option<f32>) -> bool {
    let beside = |shift: Vec3| {
        let ray = Ray { origin: ray.origin + shift, length_m: ray.length_m + shift.length(), ..*ray };
        view.ray(&ray).map(|hit| hit.distance_m)
    };
    let shifts = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis * 2e-4, axis * -2e-4]);
    shifts.map(beside).any(|near| match (near, theirs) {
        (Some(near), Some(theirs)) => (near - theirs).abs() < 1e-2,
        (None, None) => true,
        _ => false,
    })
}

#[test]
fn rays_through_random_soups_agree_with_parry() {
    let mut random = stream(1);
    let mut hits = 0;
    for round in 0..50 {
        let triangles: Vec<[Vec3; 3]> = (0..20 + round * 4)
            .map(|_| {
                let at = point(&mut random, Vec3::splat(-10.0), Vec3::splat(10.0));
                [0, 1, 2].map(|_| at + point(&mut random, Vec3::splat(-3.0), Vec3::splat(3.0)))
            })
            .collect();
        let level = soup(&triangles);
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let mesh = oracle(&view);
        let mut ends = || point(&mut random, Vec3::splat(-14.0), Vec3::splat(14.0));
        hits += compare(&view, &mesh, (0..1500).filter_map(|_| Ray::between(ends(), ends())));
    }
    assert!(hits > 20_000, "only {hits} hits");
}

#[test]
fn rays_through_the_stock_levels_agree_with_parry() {
    let mut random = stream(2);
    for (name, _) in STOCK {
        let level = sentir_level::stock(name).unwrap();
        let mut state = LevelState::new(&level);
        for _ in 0..40 {
            state.step(&level, sentir_core::tick::TickRate::new(10));
        }
        let view = LevelView { level: &level, state: &state };
        let mesh = oracle(&view);
        let bounds = level.bounds();
        let mut ends = || point(&mut random, bounds.low, bounds.high);
        let hits = compare(&view, &mesh, (0..6000).filter_map(|_| Ray::between(ends(), ends())));
        assert!(hits > 1000, "only {hits} hits in {name}");
    }
}

#[test]
fn the_first_of_some_points_in_view_is_the_one_that_asking_for_each_finds() {
    let mut random = stream(3);
    for (name, _) in STOCK {
        let level = sentir_level::stock(name).unwrap();
        let mut state = LevelState::new(&level);
        (0..40).for_each(|_| state.step(&level, sentir_core::tick::TickRate::new(10)));
        let view = LevelView { level: &level, state: &state };
        let bounds = level.bounds();
        let mut found = [0u32; 4];
        for _ in 0..4000 {
            let mut place = || point(&mut random, bounds.low, bounds.high);
            let (eye, body) = (place(), Body { pose: Pose { position: place(), yaw: 0.0 }, ..Body::default() });
            let points = body.outline(eye);
            let first = view.sees_first(eye, &points);
            assert_eq!(first, points.iter().position(|&point| view.sees(eye, point)), "{name}: {eye} to {points:?}");
            found[first.unwrap_or(3)] += 1;
        }
        assert!(found[0] > 100 && found[3] > 100, "{name}: {found:?}");
    }
    let level = sentir_level::stock(STOCK[0].0).unwrap();
    let view = LevelView { level: &level, state: &LevelState::new(&level) };
    assert_eq!(view.sees_first(Vec3::ONE, &[Vec3::NAN, Vec3::ONE]), Some(1));
    assert_eq!(view.sees_first(Vec3::NAN, &[Vec3::ONE]), None);
    assert_eq!(view.sees_first(Vec3::ONE, &[]), None);
}

/// A ball of triangles around the origin, closed, with corners shared to the bit.
fn ball() -> Vec<[Vec3; 3]> {
    let (rings, sectors) = (9, 14);
    let corner = |ring: u32, sector: u32| {
        let (up, around) = (ring as f32 / rings as f32, (sector % sectors) as f32 / sectors as f32);
        let (sin, cos) = sentir_core::math::sin_cos(up * sentir_core::math::PI);
        let (z, x) = sentir_core::math::sin_cos(around * sentir_core::math::TAU);
        // The poles are one corner, whatever the sector.
        if ring == 0 || ring == rings { Vec3::Y * 3.0 * cos.signum() } else { Vec3::new(x * sin, cos, z * sin) * 3.0 }
    };
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for sector in 0..sectors {
            let [a, b] = [corner(ring, sector), corner(ring, sector + 1)];
            let [c, d] = [corner(ring + 1, sector), corner(ring + 1, sector + 1)];
            triangles.extend([[a, c, b], [b, c, d]].into_iter().filter(|[a, b, c]| a != b && b != c && c != a));
        }
    }
    triangles
}

#[test]
fn no_ray_slips_out_of_a_closed_shape_through_an_edge_or_a_corner() {
    let triangles = ball();
    let level = soup(&triangles);
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let mut random = stream(3);
    let mut count = 0;
    for [a, b, c] in triangles {
        for _ in 0..12 {
            let inside = point(&mut random, Vec3::splat(-1.4), Vec3::splat(1.4));
            let share = random.unit();
            for target in [a, b, c, a.lerp(b, share), b.lerp(c, share), c.lerp(a, 0.5)] {
                let direction = (target - inside).normalize();
                let ray = Ray { origin: inside, direction, length_m: 100.0 };
                assert!(view.ray(&ray).is_some(), "slipped out toward {target} from {inside}");
                let from_far = Ray { origin: target + direction * 10.0, direction: -direction, length_m: 100.0 };
                assert!(view.ray(&from_far).is_some(), "slipped in at {target} from outside");
                count += 2;
            }
        }
    }
    assert!(count > 30_000);
}

#[test]
fn no_ray_slips_between_the_faces_of_authored_boxes() {
    let level = level("name: box\nsolids:\n  - box: { at: [0, 0], size: [2, 2], height_m: 2, base_m: -1 }\n");
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let mut random = stream(4);
    for _ in 0..4000 {
        let inside = point(&mut random, Vec3::splat(-0.9), Vec3::splat(0.9));
        let mut target = point(&mut random, Vec3::splat(-1.0), Vec3::splat(1.0));
        let fixed = random.below(3) as usize;
        target[fixed] = target[fixed].signum();
        target[(fixed + 1) % 3] = target[(fixed + 1) % 3].signum();
        for from in [inside, Vec3::ZERO, Vec3::new(0.0, 0.5, 0.0)] {
            let ray = Ray { origin: from, direction: (target - from).normalize(), length_m: 9.0 };
            assert!(view.ray(&ray).is_some(), "{ray:?}");
        }
    }
}

#[test]
fn odd_rays_hit_nothing_and_harm_nothing() {
    let level = level("name: box\nsolids:\n  - box: { at: [0, 0], size: [2, 2], height_m: 2 }\n");
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let ray = Ray { origin: Vec3::new(-4.0, 1.0, 0.0), direction: Vec3::X, length_m: 9.0 };
    let odd = [
        Ray { origin: Vec3::NAN, ..ray },
        Ray { origin: Vec3::INFINITY, ..ray },
        Ray { direction: Vec3::ZERO, ..ray },
        Ray { direction: Vec3::NAN, ..ray },
        Ray { length_m: f32::NAN, ..ray },
        Ray { length_m: -1.0, ..ray },
        Ray { length_m: 2.9, ..ray },
    ];
    for ray in odd {
        assert_eq!(view.ray(&ray), None, "{ray:?}");
    }
    let hit = RayHit { distance_m: 3.0, normal: Vec3::NEG_X, surface: 0 };
    assert_eq!(view.ray(&ray), Some(hit));
    assert_eq!(view.ray(&Ray { length_m: 3.0, ..ray }), Some(hit), "a ray that just reaches it hits");
    assert_eq!(view.ray(&Ray { length_m: f32::INFINITY, ..ray }), Some(hit));
    assert_eq!(view.ray(&Ray { direction: Vec3::new(1.0, -0.0, 1e-42), ..ray }), Some(hit));
    assert!(!view.overlap(Vec3::NAN, 1.0) && !view.overlap(Vec3::ZERO, f32::NAN));
}

#[test]
fn surfaces_let_through_what_they_should() {
    let text = "name: pane\nsurfaces:\n  - { name: curtain, blocks_shots: false, blocks_bodies: false }\nsolids:\n";
    for (class, sight, shot, body) in [
        ("solid", true, true, true),
        ("window", false, true, true),
        ("fence", false, false, true),
        ("hedge", true, false, false),
        ("curtain", true, false, false),
    ] {
        let level = level(&format!("{text}  - wall: {{ along: [[0, -2], [0, 2]], height_m: 2, surface: {class} }}\n"));
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let ray = Ray { origin: Vec3::new(-3.0, 1.0, 0.0), direction: Vec3::X, length_m: 6.0 };
        let found = (view.sight_ray(&ray).is_some(), view.shot_ray(&ray).is_some(), view.ray(&ray).is_some());
        assert_eq!(found, (sight, shot, body), "{class}");
        assert_eq!(view.overlap(Vec3::Y, 0.3), body, "{class}");
        assert_eq!(view.is_clear(ray.origin, -ray.origin), !body || !view.is_blocked(&ray, Blocks::BODIES));
        let hit = view.hit(&ray, Blocks::ANYTHING).unwrap().hit;
        assert_eq!(level.surfaces()[usize::from(hit.surface)].name, class);
    }
}

#[test]
fn a_body_behind_a_post_shows_its_shoulders_and_one_behind_a_low_wall_its_head() {
    let at = Pose { position: Vec3::new(0.0, 0.0, -5.0), yaw: 0.0 };
    let body = Body { pose: at, ..Body::default() };
    let eye = Vec3::new(0.0, 1.7, 5.0);
    let seen = |solid: &str| {
        let level = level(&format!("name: post\nsolids:\n  - {solid}\n"));
        let state = LevelState::new(&level);
        sight(&LevelView { level: &level, state: &state }, eye, &body)
    };
    let post = seen("box: { at: [0, 4], size: [0.1, 0.1], height_m: 3 }");
    assert_eq!((post.head, post.left, post.right, post.count()), (false, true, true, 2));
    let low = seen("wall: { along: [[-3, 4.5], [3, 4.5]], height_m: 1.6 }");
    assert_eq!((low.head, low.count(), low.share()), (true, 1, 1.0 / 3.0));
    // GroundHit x = -2..-0.1 is to the left of who looks along -Z.
    let half = seen("box: { at: [-1.05, 4], size: [1.9, 0.2], height_m: 3 }");
    assert_eq!((half.head, half.left, half.right), (true, false, true));
    assert!(!seen("wall: { along: [[-3, 4], [3, 4]], height_m: 3 }").is_any());
    let above = sight::points(Vec3::new(0.0, 9.0, -5.0), &body);
    assert!(above[1].x < 0.0 && above[2].x > 0.0, "straight above, the body's own left and right count");
}

#[test]
fn overlaps_feel_surfaces_within_the_radius() {
    let level = level("name: box\nsolids:\n  - box: { at: [0, 0], size: [2, 2], height_m: 2 }\n");
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let beside = Vec3::new(1.5, 1.0, 0.0);
    assert!(view.overlap(beside, 0.5) && !view.overlap(beside, 0.49));
    let (foot, head) = (Vec3::new(1.5, 2.2, 0.0), Vec3::new(1.5, 4.0, 0.0));
    assert!(!view.capsule_overlap(foot, head, 0.5) && view.capsule_overlap(foot - Vec3::Y, head, 0.5));
    assert!(view.capsule_overlap(Vec3::new(-3.0, 1.0, 0.0), Vec3::new(3.0, 1.0, 0.0), 0.0), "a way through it");
    assert!(view.is_inside(Vec3::Y) && !view.is_inside(beside) && !view.is_inside(Vec3::Y * 3.0));
}

#[test]
fn ground_is_what_is_straight_below() {
    let level = sentir_level::stock("heights").unwrap();
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let at = |x: f32, height: f32, y: f32| Vec3::new(x, height, -y);
    let height = |point: Vec3| view.ground_below(point, 5.0).map(|ground| ground.position.y);
    assert_eq!(height(at(0.0, 5.0, 8.0)), Some(3.0), "on the bridge");
    assert_eq!(height(at(0.0, 1.0, 8.0)), Some(0.0), "below the bridge");
    assert_eq!(height(at(12.0, 0.5, -7.0)), Some(-2.5), "in the pit");
    assert_eq!(view.ground_below(at(12.0, 0.5, -7.0), 2.0), None, "the pit is deeper than that");
    let ramp = view.ground_below(at(-14.0, 4.0, -1.75), 5.0).unwrap();
    assert!((ramp.position.y - 1.5).abs() < 1e-4 && ramp.normal.y < 0.99 && ramp.normal.z > 0.1);
    assert_eq!(height(at(12.0, 9.0, -2.9)), None, "too high above the stairs");
    assert!((height(at(12.0, 4.0, -2.9)).unwrap() - 0.2).abs() < 1e-5, "the first step");
}
