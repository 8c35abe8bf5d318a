//! What dynamic meshes must hold, with slow and obvious twins: a bake of everything, one obstacle at a time.

mod belief;
mod piece;

use proptest::prelude::*;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{plane, state};
use sentir_level::LevelState;

use super::obstacles::{OBSTACLES_MAX, PRIVATE_MAX};
use super::*;
use crate::bake::mark::{Marked, OVERLAY_FIRST, Overlay};
use crate::bake::{BakeConfig, BakeSource, FieldScratch, LevelFilter, Obstacle, Shape, TileTable, bake};
use crate::mesh::{AreaCosts, AreaId, Mesh};

/// Two storeys, a ramp, a pillar: 20 m by 12 m in tiles of 5 m.
const HALL: &str = "
name: hall
floors: [{name: ground, down_m: 1, up_m: 8}]
solids:
- slab: {outline: [[0, 0], [20, 0], [20, 12], [0, 12]]}
- box: {at: [5, 8], size: [1, 1], height_m: 3}
- slab: {outline: [[13, 0], [20, 0], [20, 6], [13, 6]], base_m: 3, thickness_m: 0.2}
- ramp: {from: [5, 2], to: [13, 2], width_m: 3, rise_m: 3}
";

pub(super) fn source() -> BakeSource {
    let level = sentir_level::yaml::parse(HALL.as_bytes(), "hall.yaml").unwrap().build().unwrap();
    BakeSource::from_level(&level, &LevelState::new(&level), &LevelFilter::default())
}

pub(super) fn config() -> BakeConfig {
    BakeConfig { cell_m: 0.25, tile_cells: 20, region_min_cells: 2, ..BakeConfig::PERSON_CLOSE }
}

pub(super) fn table() -> TileTable {
    bake(&source(), &[], &config()).unwrap()
}

pub(super) fn crate_at(x: f32, y: f32) -> Obstacle {
    let shape = Shape::Rectangle { center: Vec2::new(x, y), half: Vec2::new(0.5, 0.9), yaw: 0.4 };
    Obstacle { shape, low_m: 0.0, high_m: 1.2 }
}

fn obstacle() -> impl Strategy<Value = Obstacle> {
    let place = (-1.0f32..21.0, -1.0f32..13.0).prop_map(|(x, y)| Vec2::new(x, y));
    let circle = (place.clone(), 0.2f32..2.0).prop_map(|(center, radius_m)| Shape::Circle { center, radius_m });
    let rectangle = (place.clone(), 0.1f32..2.0, 0.1f32..2.0, 0.0f32..6.0)
        .prop_map(|(center, x, y, yaw)| Shape::Rectangle { center, half: Vec2::new(x, y), yaw });
    let triangle = (place, 0.3f32..2.0)
        .prop_map(|(at, size)| Shape::Polygon(vec![at, at + Vec2::new(size, 0.1), at + Vec2::new(0.2, size)]));
    let heights = (0.0f32..4.0, 0.0f32..3.0);
    (prop_oneof![circle, rectangle, triangle], heights).prop_map(|(shape, (low_m, high))| Obstacle {
        shape,
        low_m,
        high_m: low_m + high,
    })
}

/// Something done to obstacles.
#[derive(Clone, Debug)]
enum Deed {
    Add(Obstacle, bool),
    Move(usize, Obstacle),
    Remove(usize),
    Step(u32),
    Sweep(u32),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (obstacle(), any::<bool>()).prop_map(|(obstacle, is_public)| Deed::Add(obstacle, is_public)),
        2 => (any::<usize>(), obstacle()).prop_map(|(which, obstacle)| Deed::Move(which, obstacle)),
        1 => any::<usize>().prop_map(Deed::Remove),
        2 => (0u32..3000).prop_map(Deed::Step),
        1 => (1u32..4).prop_map(Deed::Sweep),
    ]
}

fn apply(deed: &Deed, table: &TileTable, obstacles: &mut Obstacles, ids: &mut Vec<ObstacleId>) {
    match deed {
        Deed::Add(obstacle, is_public) => ids.push(obstacles.add(table, obstacle.clone(), *is_public).unwrap()),
        Deed::Move(which, obstacle) if !ids.is_empty() => {
            obstacles.move_to(table, ids[which % ids.len()], obstacle.clone()).unwrap();
        }
        Deed::Remove(which) if !ids.is_empty() => {
            let id = ids.remove(which % ids.len());
            obstacles.remove(table, id).unwrap();
        }
        Deed::Step(spans_max) => assert!(obstacles.step(table, *spans_max) <= 12),
        Deed::Sweep(keep) => obstacles.sweep(table, |id| id.0.is_multiple_of(*keep)),
        _ => {}
    }
}

fn drain(table: &TileTable, obstacles: &mut Obstacles) {
    obstacles.sweep(table, |_| false);
    for _ in 0..1000 {
        obstacles.step(table, 2000);
    }
    assert!(obstacles.waiting().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// After any history, the mesh is bit for bit that of a fresh bake with the obstacles there are.
    #[test]
    fn a_rebuilt_mesh_equals_a_fresh_bake(deeds in proptest::collection::vec(deed(), 1..14)) {
        let (table, mut obstacles, mut ids) = (table(), Obstacles::default(), Vec::new());
        let mut dynamic = DynamicMesh::new(&table).unwrap();
        for deed in &deeds {
            // All public here.
            let deed = match deed { Deed::Add(one, _) => Deed::Add(one.clone(), true), other => other.clone() };
            apply(&deed, &table, &mut obstacles, &mut ids);
            dynamic.follow(&table, &obstacles).unwrap();
        }
        drain(&table, &mut obstacles);
        dynamic.follow(&table, &obstacles).unwrap();
        let there: Vec<Obstacle> = obstacles.footprints().map(|it| it.obstacle.clone()).collect();
        prop_assert_eq!(there.len(), ids.len());
        let fresh = bake(&source(), &there, &config()).unwrap();
        prop_assert!(dynamic.mesh() == &fresh.mesh().unwrap());
    }

    /// The mesh is a memo: made anew of the state at any tick, tiles waiting or not, it is the same bits; the state can be
    /// saved and loaded, and another history with the same end gives the same polygons.
    #[test]
    fn a_dropped_mesh_comes_back_the_same(deeds in proptest::collection::vec(deed(), 1..14)) {
        let (table, mut obstacles, mut ids) = (table(), Obstacles::default(), Vec::new());
        let mut dynamic = DynamicMesh::new(&table).unwrap();
        for deed in &deeds {
            apply(deed, &table, &mut obstacles, &mut ids);
            dynamic.follow(&table, &obstacles).unwrap();
            let mut fresh = DynamicMesh::new(&table).unwrap();
            fresh.follow(&table, &obstacles).unwrap();
            prop_assert!(fresh.mesh() == dynamic.mesh());
            let loaded: Obstacles = state::from_bytes(&state::to_bytes(&obstacles)).unwrap();
            prop_assert_eq!(&loaded, &obstacles);
            prop_assert!(loaded.fits(&table));
        }
        drain(&table, &mut obstacles);
        dynamic.follow(&table, &obstacles).unwrap();
        let mut again = Obstacles::default();
        for it in obstacles.footprints() {
            again.add(&table, it.obstacle.clone(), it.is_public).unwrap();
        }
        again.step(&table, u32::MAX);
        let mut fresh = DynamicMesh::new(&table).unwrap();
        fresh.follow(&table, &again).unwrap();
        prop_assert!(fresh.mesh() == dynamic.mesh());
    }

    /// What a mark takes is what carving it would take, span by span, for each obstacle and for all together.
    #[test]
    fn marks_take_what_carving_takes(
        carved in proptest::collection::vec(obstacle(), 0..2),
        marked in proptest::collection::vec(obstacle(), 1..5),
    ) {
        let table = table();
        for field in &table.fields {
            let open = |more: &[&Obstacle]| {
                let mut scratch = FieldScratch::default();
                field.open(carved.iter().chain(more.iter().copied()), &mut scratch);
                scratch.areas
            };
            if field.span_count() == 0 {
                continue;
            }
            let (mut scratch, mut overlays) = (FieldScratch::default(), Vec::<Overlay>::new());
            let marks = (0..).zip(&marked).map(|(number, obstacle)| Marked { number, obstacle });
            field.polygonize_marked(carved.iter(), marks, &mut scratch, &mut overlays);
            let without = open(&[]);
            let each: Vec<Vec<u8>> = marked.iter().map(|one| open(&[one])).collect();
            // Islands too small to matter are taken out of both, after this was looked at.
            for span in (0..without.len()).filter(|&span| scratch.areas[span] != 0) {
                let marks: Vec<u32> = (0..).zip(&each).filter(|(_, areas)| areas[span] == 0).map(|it| it.0).collect();
                let is = scratch.areas[span] - 1;
                if marks.is_empty() {
                    prop_assert_eq!(is, without[span] - 1);
                } else {
                    let overlay = &overlays[usize::from(is - OVERLAY_FIRST)];
                    prop_assert_eq!((&overlay.marks, overlay.base), (&marks, AreaId(without[span] - 1)));
                }
            }
            let all = open(&marked.iter().collect::<Vec<_>>());
            let both = |span: usize| each.iter().any(|areas| areas[span] == 0) || without[span] == 0;
            prop_assert!((0..all.len()).all(|span| (all[span] == 0) == both(span)));
        }
    }
}

#[test]
fn tiles_are_rebuilt_in_order_within_the_budget() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let long = Shape::Rectangle { center: Vec2::new(10.0, 9.0), half: Vec2::new(9.0, 0.3), yaw: 0.0 };
    obstacles.add(&table, Obstacle { shape: long, low_m: 0.0, high_m: 1.0 }, true).unwrap();
    obstacles.add(&table, crate_at(2.0, 2.0), true).unwrap();
    let order = obstacles.waiting().to_vec();
    assert!(order.len() >= 6, "{order:?}");
    assert_eq!(obstacles.step(&table, 0), 0);
    let budget = 100;
    let mut done = Vec::new();
    for _ in 0..2000 {
        let before = obstacles.version();
        let count = obstacles.step(&table, budget);
        assert!(count <= 1);
        assert_eq!(obstacles.version(), before + count);
        done.extend(obstacles.tiles_since(before));
    }
    assert_eq!(done, order);
    let counts = *obstacles.counts();
    assert_eq!((counts.tiles, counts.changes), (order.len() as u64, 2));
    assert!(counts.spans > 10 * u64::from(budget) && obstacles.waiting().is_empty());
    assert!(order.iter().all(|&tile| obstacles.tile_version(tile) > 0));
    assert_eq!(obstacles.tile_version(9999), 0);
    // Over many ticks no more than the budget: so many were needed at least.
    let mut again = obstacles.clone();
    again.add(&table, crate_at(2.0, 2.0), true).unwrap();
    again.add(&table, crate_at(18.0, 10.0), true).unwrap();
    let spans = again.counts().spans;
    let mut ticks = 0;
    while !again.waiting().is_empty() {
        again.step(&table, budget);
        ticks += 1;
    }
    let last = table.fields.iter().map(|field| field.span_count()).max().unwrap();
    assert!(ticks * u64::from(budget) + u64::from(last) >= again.counts().spans - spans);
}

#[test]
fn what_is_removed_leaves_nothing_behind() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let mut dynamic = DynamicMesh::new(&table).unwrap();
    let plain = dynamic.mesh().clone();
    let ids: Vec<ObstacleId> = [(2.0, 2.0, true), (3.0, 9.0, false), (16.0, 9.0, false)]
        .map(|(x, y, is_public)| obstacles.add(&table, crate_at(x, y), is_public).unwrap())
        .to_vec();
    obstacles.step(&table, u32::MAX);
    assert!(dynamic.follow(&table, &obstacles).unwrap() > 1);
    assert!(dynamic.mesh() != &plain);
    for id in ids {
        obstacles.remove(&table, id).unwrap();
        assert!(obstacles.remove(&table, id).is_err() && obstacles.footprint_of(id).is_none());
    }
    obstacles.sweep(&table, |_| false);
    obstacles.step(&table, u32::MAX);
    dynamic.follow(&table, &obstacles).unwrap();
    assert!(dynamic.mesh() == &plain);
    assert_eq!((obstacles.footprints().count(), obstacles.all().len()), (0, 0));
    assert_eq!(dynamic.overlay(AreaId(OVERLAY_FIRST)), None);
    assert_eq!(dynamic.follow(&table, &obstacles), Ok(0));
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let id = obstacles.add(&table, crate_at(2.0, 2.0), false).unwrap();
    let before = obstacles.clone();
    let bad = |shape: Shape| Obstacle { shape, low_m: 0.0, high_m: 1.0 };
    let nan = bad(Shape::Circle { center: Vec2::new(f32::NAN, 0.0), radius_m: 1.0 });
    let bent = bad(Shape::Polygon(vec![Vec2::ZERO, Vec2::X, Vec2::new(0.4, 0.1), Vec2::Y]));
    let flat = Obstacle { low_m: 2.0, ..crate_at(1.0, 1.0) };
    for one in [nan, bent, flat] {
        let text = obstacles.add(&table, one.clone(), true).unwrap_err().to_string();
        assert!(text.starts_with("obstacle 2 is not a shape: "), "{text}");
        let text = obstacles.move_to(&table, id, one).unwrap_err().to_string();
        assert!(text.starts_with("obstacle 1 is not a shape: "), "{text}");
    }
    let text = obstacles.remove(&table, ObstacleId(7)).unwrap_err().to_string();
    assert_eq!(text, "there is no obstacle 7: it was never added, or was removed");
    assert!(obstacles.move_to(&table, ObstacleId::default(), crate_at(0.0, 0.0)).is_err());
    assert_eq!(obstacles, before);
    // Far away, and on a table without tiles: fine, and without effect.
    obstacles.add(&table, crate_at(1e6, -1e6), true).unwrap();
    assert_eq!(Obstacles::default().add(&TileTable::default(), crate_at(0.0, 0.0), false), Ok(ObstacleId(1)));
}

#[test]
fn numbers_are_bounded_and_the_oldest_ghost_makes_room() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let far = |number: usize| crate_at(1000.0 + number as f32, 0.0);
    let ids: Vec<ObstacleId> =
        (0..PRIVATE_MAX).map(|number| obstacles.add(&table, far(number), false).unwrap()).collect();
    let text = obstacles.add(&table, far(0), false).unwrap_err().to_string();
    assert_eq!(
        text,
        "there are 128 private obstacles already, which is the most: remove some first, or make some public"
    );
    assert!(obstacles.move_to(&table, ids[0], far(7)).is_err());
    obstacles.remove(&table, ids[3]).unwrap();
    let ghost = obstacles.footprints().find(|it| it.is_ghost()).unwrap().id;
    obstacles.add(&table, far(1), false).unwrap();
    assert!(obstacles.footprint(ghost).is_none() && obstacles.counts().ghosts_lost == 1);
    for number in obstacles.footprints().count()..OBSTACLES_MAX {
        obstacles.add(&table, far(number), true).unwrap();
    }
    let text = obstacles.add(&table, far(1), true).unwrap_err().to_string();
    assert!(text.starts_with("there are 4096 obstacles already"), "{text}");
}

#[test]
fn more_overlaps_than_numbers_are_shut_for_everybody() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    // A grid of crossing beams: every crossing is a kind of its own.
    for at in 0..22 {
        let beam = |center: Vec2, half: Vec2| Obstacle {
            shape: Shape::Rectangle { center, half, yaw: 0.0 },
            low_m: 0.0,
            high_m: 1.0,
        };
        let (x, y) = (1.0 + at as f32 * 0.85, 1.0 + at as f32 * 0.5);
        obstacles.add(&table, beam(Vec2::new(x, 6.0), Vec2::new(0.2, 6.0)), false).unwrap();
        obstacles.add(&table, beam(Vec2::new(10.0, y), Vec2::new(10.0, 0.2)), false).unwrap();
    }
    obstacles.step(&table, u32::MAX);
    let (mut dynamic, mut fresh) = (DynamicMesh::new(&table).unwrap(), DynamicMesh::new(&table).unwrap());
    dynamic.follow(&table, &obstacles).unwrap();
    fresh.follow(&table, &obstacles).unwrap();
    assert!(dynamic.mesh() == fresh.mesh());
    let mesh: &Mesh = dynamic.mesh();
    let full = crate::bake::mark::OVERLAY_FULL;
    assert!((0..mesh.polygon_count()).any(|polygon| mesh.area(polygon) == full));
    let costs = dynamic.costs(&AreaCosts::PLAIN, &Knowledge::default());
    assert!(!costs.is_passable(full) && costs.is_passable(AreaId(OVERLAY_FIRST)));
    assert_eq!(dynamic.overlay(full), None);
}

#[test]
fn every_field_of_the_state_counts_and_broken_bytes_are_refused() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let id = obstacles.add(&table, crate_at(2.0, 2.0), false).unwrap();
    obstacles.add(&table, crate_at(6.0, 6.0), true).unwrap();
    obstacles.step(&table, 500);
    obstacles.move_to(&table, id, crate_at(3.0, 2.0)).unwrap();
    let mut knowledge = Knowledge::default();
    knowledge.learn(obstacles.footprint_of(id).unwrap());
    assert!(state::perturb(&obstacles).iter().all(|one| one.outcome != state::Noticed::No));
    assert!(state::perturb(&knowledge).iter().all(|one| one.outcome != state::Noticed::No));
    let bytes = state::to_bytes(&obstacles);
    assert!((0..bytes.len()).step_by(7).all(|end| state::from_bytes::<Obstacles>(&bytes[..end]).is_err()));
    let far = Obstacles::default();
    assert!(far.fits(&TileTable::default()) && !obstacles.fits(&TileTable::default()));
    assert!(plane::ground(Vec3::ZERO) == Vec2::ZERO);
}
