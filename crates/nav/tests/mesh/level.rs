//! Several levels, links and areas, on worlds written by hand.

use sentir_core::glam::Vec3;
use sentir_nav::mesh::*;
use sentir_nav::{Ending, Fault};

/// A patch of rectangles (x from, x to, y from, y to, height at x from, height at x to, area); equal corners are shared.
fn patch(rectangles: &[([f32; 6], u8)]) -> Patch {
    let mut patch = Patch::default();
    for &([x0, x1, y0, y1, low, high], area) in rectangles {
        let first = patch.loops.len() as u32;
        for corner in [(x0, y0, low), (x1, y0, high), (x1, y1, high), (x0, y1, low)] {
            let corner = Vec3::new(corner.0, corner.2, -corner.1);
            let at = patch.corners.iter().position(|&it| it == corner).unwrap_or(patch.corners.len());
            if at == patch.corners.len() {
                patch.corners.push(corner);
            }
            patch.loops.push(at as u32);
        }
        patch.polygons.push(Polygon { first, count: 4, area: AreaId(area) });
    }
    patch
}

/// Flat ground on both sides, a ramp up, a bridge over a passage, a ramp down.
fn bridge() -> Patch {
    patch(&[
        ([0.0, 4.0, 4.0, 6.0, 0.0, 3.0], 0),
        ([4.0, 8.0, 4.0, 6.0, 3.0, 3.0], 0),
        ([8.0, 12.0, 4.0, 6.0, 3.0, 0.0], 0),
        ([5.0, 7.0, 0.0, 4.0, 0.0, 0.0], 0),
        ([5.0, 7.0, 4.0, 6.0, 0.0, 0.0], 0),
        ([5.0, 7.0, 6.0, 10.0, 0.0, 0.0], 0),
    ])
}

fn at(x: f32, y: f32, height: f32) -> Vec3 {
    Vec3::new(x, height, -y)
}

#[test]
fn a_bridge_and_the_passage_under_it_never_mix() {
    let mesh = Mesh::from_patch(bridge()).unwrap();
    assert_eq!((mesh.component(0), mesh.component(2)), (Some(0), Some(0)));
    assert_eq!((mesh.component(3), mesh.component(5)), (Some(1), Some(1)));
    assert_eq!(mesh.locate(at(6.0, 5.0, 2.5), 1.0).map(|it| it.polygon), Some(1));
    assert_eq!(mesh.locate(at(6.0, 5.0, 0.5), 1.0).map(|it| it.polygon), Some(4));
    assert_eq!(mesh.height(at(2.0, 5.0, 1.0), 1.0), Some(1.5));
    let mut search = AnyAngleSearch::default();
    let over = search.find(&mesh, &MeshQuery::new(at(0.0, 5.0, 0.0), at(12.0, 5.0, 0.0)));
    assert_eq!((over.ending, over.cost), (Ending::Found, 12.0));
    let under = search.find(&mesh, &MeshQuery::new(at(6.0, 0.0, 0.0), at(6.0, 10.0, 0.0)));
    assert_eq!((under.ending, under.cost), (Ending::Found, 10.0));
    let across = search.find(&mesh, &MeshQuery::new(at(0.0, 5.0, 0.0), at(6.0, 0.0, 0.0)));
    assert_eq!(across.ending, Ending::NoPath);
    let ray = mesh.ray(mesh.locate(at(6.0, 5.0, 3.0), 0.5).unwrap(), at(6.0, 9.0, 0.0), &AreaCosts::PLAIN).unwrap();
    assert_eq!((ray.share, ray.place.point), (0.25, at(6.0, 6.0, 3.0)));
}

#[test]
fn the_same_bridge_on_tiles_stays_two_levels() {
    let grid = TileGrid {
        origin: Vec3::new(0.0, 0.0, -12.0),
        tile_size_m: 6.0,
        columns: 2,
        rows: 2,
        climb_m: 0.5,
        border_m: 0.001,
    };
    let tiles = vec![
        patch(&[([5.0, 6.0, 6.0, 10.0, 0.0, 0.0], 0)]),
        patch(&[([6.0, 7.0, 6.0, 10.0, 0.0, 0.0], 0)]),
        patch(&[
            ([0.0, 4.0, 4.0, 6.0, 0.0, 3.0], 0),
            ([4.0, 6.0, 4.0, 6.0, 3.0, 3.0], 0),
            ([5.0, 6.0, 0.0, 6.0, 0.0, 0.0], 0),
        ]),
        patch(&[
            ([6.0, 8.0, 4.0, 6.0, 3.0, 3.0], 0),
            ([8.0, 12.0, 4.0, 6.0, 3.0, 0.0], 0),
            ([6.0, 7.0, 0.0, 6.0, 0.0, 0.0], 0),
        ]),
    ];
    let mesh = Mesh::from_tiles(grid, tiles).unwrap();
    let mut search = CorridorSearch::default();
    let over = search.find(&mesh, &MeshQuery::new(at(0.0, 5.0, 0.0), at(12.0, 5.0, 0.0)));
    assert_eq!((over.ending, over.cost), (Ending::Found, 12.0));
    let under = search.find(&mesh, &MeshQuery::new(at(6.5, 0.0, 0.0), at(6.5, 10.0, 0.0)));
    assert_eq!((under.ending, under.cost), (Ending::Found, 10.0));
    let across = search.find(&mesh, &MeshQuery::new(at(0.0, 5.0, 0.0), at(6.0, 0.0, 0.0)));
    assert_eq!(across.ending, Ending::NoPath);
    // A climb that bridges the gap would be a mistake of the host's, and is one.
    assert_eq!(mesh.component(2), mesh.component(6));
    assert_ne!(mesh.component(3), mesh.component(4));
}

#[test]
fn a_step_over_a_border_is_passed_where_it_is_low_enough() {
    let grid = TileGrid {
        origin: Vec3::new(0.0, 0.0, -8.0),
        tile_size_m: 4.0,
        columns: 1,
        rows: 2,
        climb_m: 0.5,
        border_m: 0.001,
    };
    // The lower tile is flat, the upper one rises along x from 0 to 2: passable up to x = 1.
    let tiles = vec![patch(&[([0.0, 4.0, 4.0, 8.0, 0.0, 2.0], 0)]), patch(&[([0.0, 4.0, 0.0, 4.0, 0.0, 0.0], 0)])];
    let mesh = Mesh::from_tiles(grid, tiles).unwrap();
    let mut search = AnyAngleSearch::default();
    let answer = search.find(&mesh, &MeshQuery::new(at(4.0, 3.0, 0.0), at(4.0, 5.0, 2.0)));
    let one = f64::from(10.0f32).sqrt();
    assert!(answer.is_found() && (answer.cost - 2.0 * one).abs() < 1e-6, "{answer:?}");
    assert!((answer.path[1].x - 1.0).abs() < 1e-5);
}

fn jump(is_two_way: bool, cost_m: f32) -> Link {
    let (from, to) = (at(6.0, 4.5, 3.0), at(6.0, 3.0, 0.0));
    Link { from, to, traversal: Traversal::Drop, is_two_way, cost_m, is_open: true }
}

#[test]
fn a_drop_leads_down_and_not_up_and_can_be_closed() {
    let mut mesh = Mesh::from_patch(bridge()).unwrap();
    let id = mesh.add_link(jump(false, 2.0), Vec3::splat(0.1)).unwrap();
    let down = MeshQuery::new(at(0.0, 5.0, 0.0), at(6.0, 0.0, 0.0));
    let up = MeshQuery::new(down.to, down.from);
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let length = f64::from(36.25f32).sqrt() + 2.0 + 3.0;
    let answer = search.find(&mesh, &down);
    assert!(answer.is_found() && (answer.cost - length).abs() < 1e-5, "{answer:?} {length}");
    assert_eq!(answer.path, [at(0.0, 5.0, 0.0), at(6.0, 4.5, 3.0), at(6.0, 3.0, 0.0), at(6.0, 0.0, 0.0)]);
    assert_eq!(search.links(), [(1, id)]);
    let answer = corridor.find(&mesh, &down);
    assert!(answer.is_found() && (answer.cost - length).abs() < 1e-5, "{answer:?}");
    assert_eq!(answer.path.len(), 4);
    assert_eq!(corridor.links(), [(1, id)]);
    assert_eq!(search.find(&mesh, &up).ending, Ending::NoPath);
    assert_eq!(corridor.find(&mesh, &up).ending, Ending::NoPath);
    assert!(mesh.set_link_open(id, false) && !mesh.set_link_open(LinkId(7), true));
    assert_eq!(search.find(&mesh, &down).ending, Ending::NoPath);
    assert_eq!(corridor.find(&mesh, &down).ending, Ending::NoPath);
    mesh.set_link_open(id, true);
    mesh.replace(0, bridge()).unwrap();
    assert!(search.find(&mesh, &down).is_found());
}

#[test]
fn links_may_be_cheaper_than_their_length_and_lead_back() {
    let mut mesh = Mesh::from_patch(bridge()).unwrap();
    mesh.add_link(jump(true, 0.0), Vec3::splat(0.1)).unwrap();
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let up = MeshQuery::new(at(6.0, 0.0, 0.0), at(12.0, 4.5, 0.0));
    assert_eq!(search.find(&mesh, &up).cost, 9.0);
    assert_eq!(corridor.find(&mesh, &up).cost, 9.0);
    // A gate from one end of the bridge to the other.
    let gate = Link { from: at(1.0, 5.0, 0.75), to: at(11.0, 5.0, 0.75), ..jump(true, 0.5) };
    mesh.add_link(gate, Vec3::splat(0.1)).unwrap();
    let over = MeshQuery::new(at(0.0, 5.0, 0.0), at(12.0, 5.0, 0.0));
    assert_eq!(search.find(&mesh, &over).cost, 2.5);
    assert_eq!(corridor.find(&mesh, &over).cost, 2.5);
}

#[test]
fn links_in_the_air_or_not_finite_are_refused() {
    let mut mesh = Mesh::from_patch(bridge()).unwrap();
    let reach = Vec3::splat(0.1);
    assert_eq!(mesh.add_link(Link { to: Vec3::NAN, ..jump(true, 1.0) }, reach), Err(LinkError::NotFinite));
    assert_eq!(mesh.add_link(jump(true, -1.0), reach), Err(LinkError::NotFinite));
    assert_eq!(mesh.add_link(Link { to: at(20.0, 0.0, 0.0), ..jump(true, 1.0) }, reach), Err(LinkError::OffMesh));
    assert!(mesh.links().is_empty());
}

/// A field of three by three squares with another area in the middle.
fn pond() -> Mesh {
    let square = |number: usize| {
        let (x, y) = ((number % 3) as f32 * 2.0, (number / 3) as f32 * 2.0);
        ([x, x + 2.0, y, y + 2.0, 0.0, 0.0], u8::from(number == 4))
    };
    Mesh::from_patch(patch(&(0..9).map(square).collect::<Vec<_>>())).unwrap()
}

#[test]
fn dear_ground_is_walked_round_and_closed_ground_never_entered() {
    let mesh = pond();
    let over = MeshQuery::new(at(0.5, 3.0, 0.0), at(5.5, 3.0, 0.0));
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    assert_eq!(search.find(&mesh, &over).cost, 5.0);
    let dear = AreaCosts::PLAIN.with(AreaId(1), AreaCost::Times(1.2));
    assert!((corridor.find(&mesh, &MeshQuery { costs: &dear, ..over }).cost - 5.4).abs() < 1e-5);
    let dear = AreaCosts::PLAIN.with(AreaId(1), AreaCost::Times(10.0));
    let round = 2.0 + 2.0 * f64::from(1.5f32 * 1.5 + 1.0).sqrt();
    let answer = corridor.find(&mesh, &MeshQuery { costs: &dear, ..over });
    assert!((answer.cost - round).abs() < 1e-5, "{answer:?}");
    let closed = AreaCosts::PLAIN.with(AreaId(1), AreaCost::Impassable);
    let query = MeshQuery { costs: &closed, ..over };
    for answer in [search.find(&mesh, &query), corridor.find(&mesh, &query)] {
        assert!(answer.is_found() && (answer.cost - round).abs() < 1e-5, "{answer:?}");
        assert_eq!(answer.path.len(), 4);
    }
    let into = MeshQuery { to: at(3.0, 3.0, 0.0), ..query };
    assert_eq!(search.find(&mesh, &into).ending, Ending::BadGoal(Fault::Blocked));
    let ray = mesh.ray(mesh.locate(over.from, 1.0).unwrap(), over.to, &closed).unwrap();
    assert_eq!(ray.place.point, at(2.0, 3.0, 0.0));
    // From inside one may leave.
    let out = MeshQuery { from: at(3.0, 3.0, 0.0), ..query };
    assert_eq!((search.find(&mesh, &out).cost, corridor.find(&mesh, &out).cost), (2.5, 2.5));
}

#[test]
fn ground_behind_closed_ground_is_out_of_reach_and_the_nearest_bank_is_given() {
    let row =
        |number: usize| ([number as f32 * 2.0, number as f32 * 2.0 + 2.0, 0.0, 2.0, 0.0, 0.0], u8::from(number == 1));
    let mesh = Mesh::from_patch(patch(&(0..3).map(row).collect::<Vec<_>>())).unwrap();
    let closed = AreaCosts::PLAIN.with(AreaId(1), AreaCost::Impassable);
    let query = MeshQuery { costs: &closed, ..MeshQuery::new(at(0.5, 1.0, 0.0), at(5.0, 1.5, 0.0)) };
    let (mut search, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    for answer in [search.find(&mesh, &query), corridor.find(&mesh, &query)] {
        assert_eq!(answer.ending, Ending::NoPath);
        assert_eq!(answer.path, [at(0.5, 1.0, 0.0), at(2.0, 1.5, 0.0)]);
    }
}
