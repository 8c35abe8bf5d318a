//! Baked levels put together: by tiles they are the world that they are in one tile, obstacles come and go tile by tile,
//! and nobody is led off the ground. The slow twin is the field of cells that polygons were made of, baked with borders
//! that were not straightened, and every polygon looked at for every question.

use crate::world::{ground, stream};
use proptest::prelude::*;
use sentir_core::glam::{DVec2, Vec2, Vec3};
use sentir_level::LevelState;
use sentir_nav::bake::*;
use sentir_nav::mesh::*;

/// A hall with a ramp up to a bridge over a passage, stairs down on its other side, a doorway, and a yard that only
/// the doorway leads to. Tiles of 6.4 m have borders at 6.4, 12.8 and 19.2: in the ramp, in the stairs, in the doorway.
const HALL: &str = "
name: hall
floors: [{name: ground, down_m: 1, up_m: 8}]
solids:
- slab: {outline: [[0, 0], [25.6, 0], [25.6, 25.6], [0, 25.6]]}
- ramp: {from: [3, 5], to: [10, 5], width_m: 3, rise_m: 3}
- slab: {outline: [[10, 3.5], [16, 3.5], [16, 6.5], [10, 6.5]], base_m: 3, thickness_m: 0.2}
- stairs: {from: [22, 5], to: [16, 5], width_m: 3, rise_m: 3, steps: 15}
- wall: {along: [[0, 19.2], [12, 19.2]], height_m: 3, thickness_m: 0.4}
- wall: {along: [[13.6, 19.2], [25.6, 19.2]], height_m: 3, thickness_m: 0.4}
- box: {at: [7, 13], size: [3, 3], height_m: 3, yaw_deg: 30}
- box: {at: [20, 14], size: [2, 4], height_m: 3}
";

/// A block nobody gets onto, a low table one steps on, and two rooms, one of them closed.
const ROOMS: &str = "
name: rooms
floors: [{name: ground, down_m: 1, up_m: 8}]
solids:
- slab: {outline: [[0, 0], [20, 0], [20, 20], [0, 20]]}
- box: {at: [10, 4], size: [4, 4], height_m: 1.5}
- box: {at: [4, 10], size: [3, 5], height_m: 0.3}
- wall: {along: [[12, 12], [19, 12], [19, 19], [12, 19]], is_closed: true, height_m: 2.5, thickness_m: 0.3}
- wall: {along: [[8, 12.8], [2, 12.8], [2, 19], [8, 19]], height_m: 2.5, thickness_m: 0.3}
";

fn config(tile_cells: u16) -> BakeConfig {
    BakeConfig { tile_cells, ..BakeConfig::PERSON_CLOSE }
}

fn source(text: &str) -> BakeSource {
    let level = sentir_level::yaml::parse(text.as_bytes(), "test.yaml").unwrap().build().unwrap();
    BakeSource::from_level(&level, &LevelState::new(&level), &LevelFilter::default())
}

fn mesh(source: &BakeSource, obstacles: &[Obstacle], tile_cells: u16) -> Mesh {
    bake(source, obstacles, &config(tile_cells)).unwrap().mesh().unwrap()
}

fn at(x: f32, y: f32, height: f32) -> Vec3 {
    Vec3::new(x, height, -y)
}

/// How far a place of one bake may be from the ground of another: both borders are straightened, by 1.3 cells at most.
const NEAR: Vec3 = Vec3::new(0.6, 0.6, 0.6);

/// The areas of the parts of a mesh, largest first, m².
fn parts(mesh: &Mesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.polygon_count() as usize];
    for polygon in 0..mesh.polygon_count() {
        let ring: Vec<DVec2> = mesh.ring(polygon).map(ground).collect();
        let fan = |at: usize| (ring[at] - ring[0]).perp_dot(ring[at + 1] - ring[0]) * 0.5;
        areas[mesh.component(polygon).unwrap() as usize] += (1..ring.len() - 1).map(fan).sum::<f64>();
    }
    areas.retain(|&area| area > 0.0);
    areas.sort_by(|a, b| b.total_cmp(a));
    areas
}

#[test]
fn tiles_hang_together_where_one_tile_does() {
    for text in [HALL, ROOMS] {
        let source = source(text);
        let whole = mesh(&source, &[], 256);
        for tile_cells in [32, 48, 20] {
            let tiled = mesh(&source, &[], tile_cells);
            let (one, many) = (parts(&whole), parts(&tiled));
            assert_eq!(one.len(), many.len(), "{tile_cells}: {one:?} {many:?}");
            for (one, many) in one.iter().zip(&many) {
                assert!((one - many).abs() <= 0.02 * one + 0.5, "{tile_cells}: {one} {many}");
            }
            let (mut random, mut joined) = (stream(7), 0);
            for _ in 0..1000 {
                let pair = [0, 1].map(|_| whole.random_place(&mut random).unwrap());
                let there = pair.map(|place| tiled.nearest(place.point, NEAR).unwrap());
                let is_same = |mesh: &Mesh, pair: &[MeshPoint; 2]| {
                    mesh.component(pair[0].polygon) == mesh.component(pair[1].polygon)
                };
                assert_eq!(is_same(&whole, &pair), is_same(&tiled, &there), "{tile_cells}: {pair:?}");
                joined += u32::from(is_same(&whole, &pair));
            }
            assert!(joined > 300);
        }
    }
}

/// Straightened borders lie up to 1.3 cells (0.26 m) off those of the cells, differently in each cut into tiles. A way
/// turns at a few corners; at each it may be longer or shorter by twice that, so half a meter a turn is what may differ.
#[test]
fn shortest_ways_are_as_long_by_tiles_as_in_one() {
    for text in [HALL, ROOMS] {
        let source = source(text);
        let (whole, tiled) = (mesh(&source, &[], 256), mesh(&source, &[], 32));
        let (mut search, mut corridor, mut random) = (AnyAngleSearch::default(), CorridorSearch::default(), stream(11));
        let (mut sums, mut found) = ([0.0; 3], 0);
        for _ in 0..1000 {
            let [from, to] = [0, 1].map(|_| whole.random_place(&mut random).unwrap().point);
            let query = MeshQuery { extent: NEAR, ..MeshQuery::new(from, to) };
            let one = search.find(&whole, &query);
            let (cost, turns, ending) = (one.cost, one.path.len() as f64, one.ending);
            let many = search.find(&tiled, &query);
            assert_eq!(ending, many.ending, "{from} {to}");
            if many.is_found() {
                assert!((cost - many.cost).abs() <= 0.52 * turns, "{cost} {} from {from} to {to}", many.cost);
                let best = many.cost;
                let taut = corridor.find(&tiled, &query).cost;
                assert!(taut >= best - 1e-4, "{taut} {best}");
                sums = [sums[0] + cost, sums[1] + best, sums[2] + taut];
                found += 1;
            }
        }
        assert!(found > 300 && (sums[0] - sums[1]).abs() < 0.01 * sums[0], "{sums:?}");
        assert!(sums[2] < 1.05 * sums[1], "{sums:?}");
    }
}

#[test]
fn heights_follow_the_ramp_over_a_border_of_tiles() {
    let mesh = mesh(&source(HALL), &[], 32);
    for step in 0..=60 {
        let x = 3.8 + f32::from(step as u8) * 0.1;
        let height = (x - 3.0) / 7.0 * 3.0;
        let found = mesh.height(at(x, 5.0, height), 1.0).unwrap();
        // A height error, and a cell: spans are rounded up.
        assert!((found - height).abs() <= 0.5 + 0.1, "{found} for {height} at {x}");
    }
    let mut search = AnyAngleSearch::default();
    let over = search.find(&mesh, &MeshQuery::new(at(2.0, 5.0, 0.0), at(23.0, 5.0, 0.0)));
    assert!(over.is_found() && over.path.iter().all(|point| (point.z + 5.0).abs() < 2.0), "{over:?}");
    let under = search.find(&mesh, &MeshQuery::new(at(13.0, 1.0, 0.0), at(13.0, 10.0, 0.0)));
    assert!(under.is_found() && (under.cost - 9.0).abs() < 1e-3, "{under:?}");
    assert!((mesh.height(at(13.0, 5.0, 3.0), 0.5).unwrap() - 3.0).abs() < 0.11);
    assert!(mesh.height(at(13.0, 5.0, 0.0), 0.5).unwrap() < 0.2);
}

#[test]
fn a_carved_tile_gives_the_mesh_that_is_baked_with_the_obstacle() {
    let source = source(HALL);
    let table = bake(&source, &[], &config(32)).unwrap();
    let plain = table.mesh().unwrap();
    let shapes = [
        // In the doorway, which it shuts; on the bridge; on a border of tiles.
        (Shape::Rectangle { center: Vec2::new(12.8, 19.2), half: Vec2::new(1.0, 0.5), yaw: 0.0 }, [0.0, 2.0]),
        (Shape::Circle { center: Vec2::new(13.0, 5.0), radius_m: 0.5 }, [3.0, 4.0]),
        (Shape::Polygon(vec![Vec2::new(5.0, 9.0), Vec2::new(8.0, 9.5), Vec2::new(6.0, 11.0)]), [0.0, 2.0]),
    ];
    for (shape, [low_m, high_m]) in shapes {
        let obstacle = Obstacle { shape, low_m, high_m };
        let fresh = mesh(&source, std::slice::from_ref(&obstacle), 32);
        let mut changed = plain.clone();
        let touched = table.touched(&obstacle);
        assert!(!touched.is_empty() && touched.len() < table.patches.len());
        for &tile in &touched {
            let patch = table.fields[tile as usize].polygonize(std::slice::from_ref(&obstacle));
            changed.replace(tile, patch).unwrap();
        }
        assert!(changed == fresh && changed != plain);
        for &tile in &touched {
            changed.replace(tile, table.fields[tile as usize].polygonize(&[])).unwrap();
        }
        assert!(changed == plain);
    }
}

#[test]
fn an_obstacle_in_the_only_doorway_cuts_the_yard_off() {
    let source = source(HALL);
    let shape = Shape::Rectangle { center: Vec2::new(12.8, 19.2), half: Vec2::new(1.0, 0.5), yaw: 0.0 };
    let shut = mesh(&source, &[Obstacle { shape, low_m: 0.0, high_m: 2.0 }], 32);
    let query = MeshQuery::new(at(12.8, 16.0, 0.0), at(12.8, 23.0, 0.0));
    let mut search = CorridorSearch::default();
    assert!(search.find(&mesh(&source, &[], 32), &query).is_found());
    assert_eq!(search.find(&shut, &query).ending, sentir_nav::Ending::NoPath);
}

#[test]
fn an_empty_level_has_a_mesh_without_ground_and_broken_patches_are_refused() {
    let empty = bake(&BakeSource::default(), &[], &config(32)).unwrap().mesh().unwrap();
    assert_eq!((empty.polygon_count(), empty.nearest(Vec3::ZERO, Vec3::ONE)), (0, None));
    let mut table = bake(&source(ROOMS), &[], &config(32)).unwrap();
    table.patches[0].corners[0].x = f32::NAN;
    assert!(table.mesh().unwrap_err().to_string().contains("tile 0"));
    table.patches.pop();
    assert!(matches!(table.mesh(), Err(MeshError::BadTile { .. })));
}

/// The polygons of a mesh, corner by corner: all that the slow twin knows.
fn rings(mesh: &Mesh) -> Vec<Vec<Vec3>> {
    (0..mesh.polygon_count()).map(|polygon| mesh.ring(polygon).collect()).collect()
}

/// The height of the polygon over a point that is nearest to a height, every polygon looked at; none where there is none
/// within a step: that of the body, and what polygons may be off.
fn height_at(rings: &[Vec<Vec3>], point: DVec2, near_m: f64, slack_m: f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    for ring in rings {
        let plan = |at: usize| ground(ring[at % ring.len()]);
        let is_in = (0..ring.len()).all(|at| {
            let along = plan(at + 1) - plan(at);
            along.perp_dot(point - plan(at)) >= -slack_m * along.length()
        });
        if !is_in {
            continue;
        }
        let shares = |at: usize| {
            let [a, b, c] = [plan(0), plan(at), plan(at + 1)];
            let all = (b - a).perp_dot(c - a);
            [(c - b).perp_dot(point - b) / all, (a - c).perp_dot(point - c) / all, (b - a).perp_dot(point - a) / all]
        };
        // Of the fan's triangles, the one the point is in, or is least outside.
        let least = |at: usize| shares(at).into_iter().fold(f64::INFINITY, f64::min);
        let best_fan = (1..ring.len() - 1)
            .filter(|&at| shares(at)[0].is_finite())
            .max_by(|&a, &b| least(a).total_cmp(&least(b)))
            .unwrap();
        let heights = [0, best_fan, best_fan + 1].map(|at| f64::from(ring[at].y));
        let height: f64 = shares(best_fan).iter().zip(heights).map(|(share, height)| share * height).sum();
        if (height - near_m).abs() <= 0.95 && best.is_none_or(|old| (height - near_m).abs() < (old - near_m).abs()) {
            best = Some(height);
        }
    }
    best
}

/// Ten thousand ways in each world, walked in steps of a quarter of a meter: there is always a polygon under the feet, no
/// farther up or down than a step, and the way ends at the height it says. Each tenth way is walked on a bake without
/// straightened borders, too, give or take what straightening may move a border.
#[test]
fn ten_thousand_ways_never_leave_the_ground() {
    for text in [HALL, ROOMS] {
        let source = source(text);
        let tiled = mesh(&source, &[], 32);
        let exact = BakeConfig { border_error_cells: 0.0, ..config(256) };
        let grounds = [rings(&tiled), rings(&bake(&source, &[], &exact).unwrap().mesh().unwrap())];
        let (mut angle, mut corridor, mut random) = (AnyAngleSearch::default(), CorridorSearch::default(), stream(3));
        let mut found = 0;
        for number in 0..10_000 {
            let [from, to] = [0, 1].map(|_| tiled.random_place(&mut random).unwrap());
            let query = MeshQuery { extent: Vec3::new(0.01, 0.5, 0.01), ..MeshQuery::new(from.point, to.point) };
            let answer = if number % 2 == 0 { angle.find(&tiled, &query) } else { corridor.find(&tiled, &query) };
            assert!(!answer.path.is_empty());
            if !answer.is_found() {
                continue;
            }
            found += 1;
            let count = if number % 10 == 0 { 2 } else { 1 };
            for (rings, slack_m) in grounds.iter().zip([1e-3, 0.27]).take(count) {
                let mut height = f64::from(answer.path[0].y);
                for pair in answer.path.windows(2) {
                    let (a, b) = (ground(pair[0]), ground(pair[1]));
                    let steps = ((b - a).length() / 0.25).ceil().max(1.0) as u32;
                    for step in 0..=steps {
                        let at = a + (b - a) * (f64::from(step) / f64::from(steps));
                        let under = height_at(rings, at, height, slack_m);
                        height = under.unwrap_or_else(|| panic!("{at} of {pair:?} is off the ground at {height}"));
                    }
                    assert!((height - f64::from(pair[1].y)).abs() < 0.7, "{height} at the end of {pair:?}");
                }
            }
        }
        assert!(found > 3000, "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Boxes at random, cut into tiles or not: the same parts, and the same pairs joined.
    #[test]
    fn random_boxes_hang_together_by_tiles_as_in_one(
        boxes in proptest::collection::vec((2u8..22, 2u8..22, 4u8..24, 4u8..24, 0u8..4), 1..14),
        tile_cells in 16u16..40,
        seed in 0u64..1000,
    ) {
        let mut text = String::from("name: t\nsolids:\n- slab: {outline: [[0, 0], [24, 0], [24, 24], [0, 24]]}\n");
        for (x, y, width, depth, height) in boxes {
            let [width, depth] = [width, depth].map(|side| f32::from(side) * 0.25);
            let height = [0.2, 0.35, 1.5, 3.0][usize::from(height)];
            text += &format!("- box: {{at: [{x}, {y}], size: [{width}, {depth}], height_m: {height}}}\n");
        }
        let source = source(&text);
        let (whole, tiled) = (mesh(&source, &[], 256), mesh(&source, &[], tile_cells));
        let mut random = stream(seed);
        let mut odd = 0;
        for _ in 0..200 {
            let pair = [0, 1].map(|_| whole.random_place(&mut random).unwrap());
            let there = pair.map(|place| tiled.nearest(place.point, NEAR));
            let [Some(a), Some(b)] = there else {
                odd += 1;
                continue;
            };
            let is_joined = whole.component(pair[0].polygon) == whole.component(pair[1].polygon);
            odd += u32::from(is_joined != (tiled.component(a.polygon) == tiled.component(b.polygon)));
        }
        // A passage of one or two cells may be lost or won where a border is straightened anew: few places are there.
        prop_assert!(odd <= 10, "{odd} of 200");
    }
}
