//! What one believes, and what becomes of it.

use super::*;
use crate::dynamic::knowledge;
use crate::mesh::{CorridorSearch, MeshQuery};

/// A wall of 12 m across the hall, south to north.
fn wall(x: f32) -> Obstacle {
    let shape = Shape::Rectangle { center: Vec2::new(x, 6.0), half: Vec2::new(0.4, 6.2), yaw: 0.0 };
    Obstacle { shape, low_m: 0.0, high_m: 5.0 }
}

fn up_to_date(table: &TileTable, obstacles: &mut Obstacles, dynamic: &mut DynamicMesh) {
    obstacles.step(table, u32::MAX);
    dynamic.follow(table, obstacles).unwrap();
}

fn finds(dynamic: &DynamicMesh, knowledge: &Knowledge) -> bool {
    let costs = dynamic.costs(&AreaCosts::PLAIN, knowledge);
    let query = MeshQuery::new(Vec3::new(1.5, 0.0, -9.0), Vec3::new(18.0, 0.0, -9.0));
    CorridorSearch::default().find(dynamic.mesh(), &MeshQuery { costs: &costs, ..query }).is_found()
}

fn eye(x: f32) -> Eye {
    let yaw = plane::yaw(Vec2::X);
    Eye { position: Vec3::new(x, 1.6, -9.0), yaw, range_m: 12.0, half_angle_rad: 1.5 }
}

#[test]
fn each_plans_by_what_it_believes_and_ghosts_stay_for_believers() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let mut dynamic = DynamicMesh::new(&table).unwrap();
    let id = obstacles.add(&table, wall(10.0), false).unwrap();
    up_to_date(&table, &mut obstacles, &mut dynamic);
    let (mut aware, unaware) = (Knowledge::default(), Knowledge::default());
    assert!(aware.learn(obstacles.footprint_of(id).unwrap()));
    assert!(!finds(&dynamic, &aware) && finds(&dynamic, &unaware));
    // It goes; who saw it does not know yet.
    let footprint = obstacles.footprint_of(id).unwrap().id;
    obstacles.remove(&table, id).unwrap();
    obstacles.sweep(&table, |one| aware.believes(one));
    up_to_date(&table, &mut obstacles, &mut dynamic);
    assert!(!finds(&dynamic, &aware) && finds(&dynamic, &unaware));
    let truth = dynamic.costs_of_truth(&AreaCosts::PLAIN, &obstacles);
    assert!((0..=255).all(|area| truth.is_passable(AreaId(area)) || area == 254));
    // It sees the place, and nobody believes any more.
    assert_eq!(aware.look(&obstacles, &eye(3.0), |_, _| true), Learned { found: 0, lost: 1 });
    assert!(finds(&dynamic, &aware) && !aware.believes(footprint));
    obstacles.sweep(&table, |one| aware.believes(one));
    up_to_date(&table, &mut obstacles, &mut dynamic);
    assert!(obstacles.all().is_empty() && dynamic.mesh() == &table.mesh().unwrap());
}

#[test]
fn a_public_change_is_known_at_once() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let mut dynamic = DynamicMesh::new(&table).unwrap();
    let id = obstacles.add(&table, wall(10.0), true).unwrap();
    up_to_date(&table, &mut obstacles, &mut dynamic);
    assert!(!finds(&dynamic, &Knowledge::default()));
    assert!(!Knowledge::default().look(&obstacles, &eye(3.0), |_, _| true).is_any());
    obstacles.remove(&table, id).unwrap();
    up_to_date(&table, &mut obstacles, &mut dynamic);
    assert!(finds(&dynamic, &Knowledge::default()));
}

#[test]
fn the_moved_is_believed_where_it_was_until_it_is_seen() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let id = obstacles.add(&table, crate_at(6.0, 9.0), false).unwrap();
    let mut knowledge = Knowledge::default();
    // Behind a wall, out of range, behind one's back: not seen.
    assert!(!knowledge.look(&obstacles, &eye(3.0), |_, _| false).is_any());
    assert!(!knowledge.look(&obstacles, &Eye { range_m: 1.5, ..eye(3.0) }, |_, _| true).is_any());
    assert!(!knowledge.look(&obstacles, &eye(9.0), |_, _| true).is_any());
    assert_eq!(knowledge.look(&obstacles, &eye(3.0), |_, _| true), Learned { found: 1, lost: 0 });
    assert!(!knowledge.look(&obstacles, &eye(3.0), |_, _| true).is_any());
    let old = obstacles.footprint_of(id).unwrap().id;
    obstacles.move_to(&table, id, crate_at(12.0, 9.0)).unwrap();
    obstacles.sweep(&table, |one| knowledge.believes(one));
    assert!(!knowledge.look(&obstacles, &Eye { range_m: 1.5, ..eye(3.0) }, |_, _| true).is_any());
    assert!(knowledge.believes(old) && knowledge.beliefs().len() == 1);
    // The new place is in sight, which tells that it is not at the old one.
    let changes = knowledge.changes();
    assert!(knowledge.look(&obstacles, &eye(3.0), |_, _| true).is_any());
    assert!(!knowledge.believes(old) && knowledge.believes(obstacles.footprint_of(id).unwrap().id));
    assert!(knowledge.changes() > changes);
}

#[test]
fn what_is_touched_is_known_and_only_at_the_height_of_the_body() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    obstacles.add(&table, crate_at(6.0, 9.0), false).unwrap();
    obstacles.add(&table, Obstacle { low_m: 2.5, high_m: 4.0, ..crate_at(6.0, 9.0) }, false).unwrap();
    let circle = Shape::Circle { center: Vec2::new(8.0, 9.0), radius_m: 0.5 };
    obstacles.add(&table, Obstacle { shape: circle, low_m: 0.0, high_m: 1.0 }, false).unwrap();
    let mut knowledge = Knowledge::default();
    assert!(!knowledge.touch(&obstacles, Vec3::new(4.0, 0.0, -9.0), 0.5).is_any());
    assert_eq!(knowledge.touch(&obstacles, Vec3::new(5.2, 0.0, -9.0), 0.5).found, 1);
    assert_eq!(knowledge.touch(&obstacles, Vec3::new(8.0, 0.0, -9.3), 0.1).found, 1);
    assert_eq!(knowledge.beliefs().len(), 2);
    assert!(knowledge.forget(knowledge.beliefs()[0].of) && !knowledge.forget(ObstacleId(99)));
    assert!(!knowledge.touch(&obstacles, Vec3::NAN, 1.0).is_any());
}

#[test]
fn beliefs_are_bounded_and_revised() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let mut knowledge = Knowledge::default();
    for number in 0..70 {
        let id = obstacles.add(&table, crate_at(100.0 + number as f32, 0.0), false).unwrap();
        knowledge.learn(obstacles.footprint_of(id).unwrap());
    }
    assert_eq!(knowledge.beliefs().len(), knowledge::BELIEFS_MAX);
    assert!(!knowledge.believes(FootprintId(1)) && knowledge.believes(FootprintId(70)));
    assert_eq!(knowledge.revise(&obstacles), 0);
    obstacles.remove(&table, ObstacleId(70)).unwrap();
    obstacles.sweep(&table, |_| false);
    assert_eq!(knowledge.revise(&obstacles), 1);
    let changes = knowledge.changes();
    assert_eq!(knowledge.clone().doubt(), 63);
    let mut doubtful = knowledge.clone();
    doubtful.doubt();
    assert!(doubtful.beliefs().is_empty() && doubtful.changes() == changes + 63 && doubtful.doubt() == 0);
    let loaded: Knowledge = state::from_bytes(&state::to_bytes(&knowledge)).unwrap();
    assert_eq!(loaded, knowledge);
}

#[test]
fn looking_touching_and_costs_allocate_nothing_when_warm() {
    let (table, mut obstacles) = (table(), Obstacles::default());
    let mut dynamic = DynamicMesh::new(&table).unwrap();
    let ids: Vec<ObstacleId> =
        (0..4).map(|at| obstacles.add(&table, crate_at(3.0 + at as f32 * 3.0, 9.0), false).unwrap()).collect();
    up_to_date(&table, &mut obstacles, &mut dynamic);
    let mut knowledge = Knowledge::default();
    knowledge.look(&obstacles, &eye(1.0), |_, _| true);
    knowledge.forget(ids[0]);
    let counted = allocation_counter::measure(|| {
        assert!(knowledge.look(&obstacles, &eye(1.0), |_, _| true).is_any());
        assert!(!knowledge.touch(&obstacles, Vec3::new(1.0, 0.0, -2.0), 0.5).is_any());
        knowledge.revise(&obstacles);
        assert!(!dynamic.costs(&AreaCosts::PLAIN, &knowledge).is_passable(AreaId(OVERLAY_FIRST)));
        obstacles.sweep(&table, |_| true);
        assert_eq!(obstacles.step(&table, 100), 0);
        assert_eq!(dynamic.follow(&table, &obstacles), Ok(0));
    });
    assert_eq!(counted.count_total, 0);
}
