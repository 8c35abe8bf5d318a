//! Generators give the points they promise, and each is put onto the ground or dropped.

use super::yard::{Yard, at};
use sentir_nav::tactic::Spread;
use sentir_space::core::glam::{Vec2, Vec3};
use sentir_space::core::{math, plane};
use sentir_space::query::{Best, GeneratorSpec, Lexicon, POINTS_MAX, QueryRun, QuerySpec, QueryWorld, Reason, Subject};

fn ask(points: GeneratorSpec, world: &QueryWorld<'_>) -> (QueryRun, Vec<Best>) {
    let spec = QuerySpec { name: "points".to_owned(), best: 0, points: vec![points], ..QuerySpec::default() };
    let lexicon = Lexicon { generators: vec!["own".to_owned()], ..Lexicon::default() };
    let query = spec.build(&lexicon).unwrap();
    let mut run = QueryRun::default();
    let best = run.ask(&query, world, 0).best.to_vec();
    (run, best)
}

fn oneself() -> String {
    "self".to_owned()
}

#[test]
fn a_grid_is_a_lattice_and_points_in_walls_are_dropped() {
    let yard = Yard::new(&[(0.0, 0.0, 2.0)]);
    let me = [Subject::new(at(0.0, 5.0))];
    let world = QueryWorld { contexts: &[&me], ..yard.world() };
    let (run, best) = ask(GeneratorSpec::Grid { around: oneself(), half_m: 7.0, step_m: 1.0 }, &world);
    assert_eq!(run.point_count(), 225);
    assert!(best.len() < 225 && best.iter().all(|it| yard.mesh.locate(it.place.point, 0.1).is_some()));
    // The middle of the pillar.
    let index = (2 * 15 + 7) as u32;
    let spec = QuerySpec::default();
    assert_eq!(run.point(index), Some(at(0.0, 0.0)), "{spec:?}");
    assert_eq!(run.score(index), None);
}

#[test]
fn rings_and_cones_hold_their_radii_and_angles() {
    let yard = Yard::new(&[]);
    let me = [Subject { yaw: math::FRAC_PI_2, ..Subject::new(at(0.0, 0.0)) }];
    let world = QueryWorld { contexts: &[&me], ..yard.world() };
    let ring = GeneratorSpec::Ring { around: oneself(), least_m: 2.0, most_m: 4.0, step_m: 1.0 };
    let (run, best) = ask(ring, &world);
    assert_eq!(run.point_count(), 12 + 18 + 25);
    assert!(best.iter().all(|it| (1.99..4.01).contains(&it.place.point.length())));
    let cone = GeneratorSpec::Cone { around: oneself(), half_angle_deg: 45.0, range_m: 5.0, step_m: 1.0 };
    let (_, best) = ask(cone, &world);
    assert!(best.len() > 10);
    for it in best {
        let off = plane::ground(it.place.point);
        assert!(off.length() <= 5.0 && -off.x >= off.y.abs() - 1e-3, "{off}");
    }
}

#[test]
fn points_on_the_path_lie_on_the_way_round() {
    let yard = Yard::new(&[(0.0, 0.0, 2.0)]);
    let (me, target) = ([Subject::new(at(-6.0, 0.0))], [Subject::new(at(6.0, 0.0))]);
    let world = QueryWorld { contexts: &[&me, &target], ..yard.world() };
    let (run, best) = ask(GeneratorSpec::Path { to: "target".to_owned(), step_m: 1.0 }, &world);
    assert!(run.point_count() >= 13 && best.len() == run.point_count());
    assert_eq!((best[0].place.point, best[best.len() - 1].place.point), (at(-6.0, 0.0), at(6.0, 0.0)));
    assert!(best.windows(2).all(|pair| (pair[1].place.point - pair[0].place.point).length() <= 1.0 + 1e-3));
}

#[test]
fn meshes_agents_and_own_points_are_generators_too() {
    let yard = Yard::new(&[(0.0, 0.0, 2.0)]);
    let me = [Subject::new(at(5.0, 5.0))];
    let own = |give: &mut dyn FnMut(Vec3)| (0..2 * POINTS_MAX).for_each(|_| give(Vec3::new(3.0, 0.0, 3.0)));
    let agents = [(0, at(5.0, 0.0)), (1, at(6.0, 0.0)), (0, at(50.0, 0.0))];
    let world = QueryWorld { contexts: &[&me], agents: &agents, generators: &[&own], ..yard.world() };
    let near = GeneratorSpec::Mesh { around: oneself(), within_m: 4.0 };
    let (_, best) = ask(near.clone(), &world);
    assert!(!best.is_empty() && best.iter().all(|it| (it.place.point - me[0].position).length() <= 4.01));
    let empty = Spread::default();
    let fewer = ask(near, &QueryWorld { spread: Some(&empty), ..world }).1.len();
    assert!(fewer < best.len());
    let (run, best) = ask(GeneratorSpec::Agents { class: "ally".to_owned() }, &world);
    assert_eq!((run.point_count(), best.len()), (2, 1));
    let (run, best) = ask(GeneratorSpec::Own { name: "own".to_owned() }, &world);
    assert_eq!((run.point_count(), best.len(), run.is_cut()), (POINTS_MAX, POINTS_MAX, true));
}

#[test]
fn a_point_off_the_ground_says_so() {
    let yard = Yard::new(&[]);
    let me = [Subject::new(at(9.0, 9.0))];
    let world = QueryWorld { contexts: &[&me], ..yard.world() };
    let points = vec![GeneratorSpec::Grid { around: oneself(), half_m: 3.0, step_m: 3.0 }];
    let query = QuerySpec { name: "edge".to_owned(), best: 0, points, ..QuerySpec::default() };
    let query = query.build(&Lexicon::default()).unwrap();
    let mut run = QueryRun::default();
    assert_eq!(run.ask(&query, &world, 0).best.len(), 4);
    assert_eq!(run.reason(&query, 8), Some(Reason::OffMesh));
    assert_eq!(run.tell(&query, 8).to_string(), "no navigable ground is near");
    assert_eq!(run.point(8), Some(me[0].position + plane::lift(Vec2::splat(3.0), 0.0)));
}
