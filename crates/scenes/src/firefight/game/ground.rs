//! The ground of a match: a level, and where everybody begins, walks and hides on it.
//!
//! Arenas of our own say all of that. Any other level (of a game, or drawn by somebody) does as far as it goes: what it lacks
//! is chosen from the ground, always the same way. All of it is within reach of each other: on the largest connected part.
//! Places are spread out by taking, again and again, the one farthest from those already taken (Gonzalez 1985), out of
//! draws that depend on nothing but the ground. Both sides begin as far apart as the ground allows, up to [`APART_M`]; the
//! rest lies around them, so that on a large level they meet.
//!
//! In a level by path nothing moves by itself: doors are open (gone), what goes to and fro stands where it begins.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::squad::tactical_map::{TacticalMap, TacticalMapConfig};
use sentir::squad::tuning::Tuning;
use sentir_level::LevelSpec;
use sentir_nav::bake::BakeConfig;
use sentir_nav::mesh::{Mesh, WallScratch};

use super::obstacle;
use sentir_harness::info::{SceneError, Setup, level_error, spec_of};

const DRAW: Purpose = Purpose::new("firefight.ground");
/// Draws of places, and how much room each must have to the next wall, m.
const DRAWS: u32 = 600;
const ROOM_M: f32 = 0.3;
/// As far apart as this both sides begin, if they can, m; and what is farther from between them is left out.
const APART_M: f32 = 45.0;
/// Places with rounds that are chosen.
const SUPPLIES: usize = 3;
/// Posts and spots that are chosen.
const POSTS: usize = 12;
const SPOTS: usize = 24;
/// Places to begin at that are chosen for soldiers and for the player.
const SOLDIERS_MAX: usize = 8;
const PLAYERS_MAX: usize = 5;
/// Soldiers begin as far apart as this, m.
const BESIDE_M: f32 = 1.5;
/// Who begins farther from the mesh than this is put onto it, m.
const BESIDE_MESH_M: f32 = 0.2;
/// The player begins as far from soldiers as this, if he can, m.
const SAFE_M: f32 = 12.0;
/// Less ground in one part than this is no arena, m².
const AREA_M2: f64 = 80.0;
/// How any level is baked: finer than our arenas need, so that a step the mesh takes is one that a body takes, with some to
/// spare, and so that thin posts and ledges count.
const FINE: BakeConfig = BakeConfig { height_m: 1.9, climb_m: 0.35, tile_cells: 48, ..BakeConfig::PERSON };

/// A level made ready.
pub(super) struct Ground {
    pub(super) tactical_map: TacticalMap,
    pub(super) player: Vec<Pose>,
    pub(super) soldiers: Vec<Pose>,
    /// Where soldiers walk while nothing is known, m.
    pub(super) posts: Vec<Vec3>,
    /// Where players go, m.
    pub(super) spots: Vec<Vec3>,
}

/// Which asset is the level of a setup, and whether it is anybody's own.
fn asset_of(setup: &Setup) -> (&'static str, bool) {
    match setup.settings.word("arena") {
        "warehouse" => (super::WAREHOUSE, false),
        "street" => (super::STREET, false),
        _ if setup.assets.iter().any(|asset| asset.name == super::ANY) => (super::ANY, true),
        _ => (super::COMPOUND, false),
    }
}

/// Lets everything stand still: open doors are no more, the rest is where it begins.
fn still(spec: &mut LevelSpec) {
    spec.pieces.retain(|piece| piece.value.door.is_none());
    for piece in &mut spec.pieces {
        (piece.value.path, piece.value.health) = (None, None);
    }
}

impl Ground {
    /// The ground of a setup. With `is_dynamic`, obstacles may come.
    pub(super) fn of(setup: &Setup, is_dynamic: bool) -> Result<Ground, SceneError> {
        let (asset, is_own) = asset_of(setup);
        let refused = |what: String| SceneError::Asset { name: asset.to_owned(), line: 0, column: 0, what };
        let mut spec = spec_of(setup.asset(asset), asset).map_err(|error| level_error(&error))?;
        // A replaced arena may be any level as well.
        let is_ours = !is_own && setup.assets.iter().any(|it| it.name == asset && it.is_stock);
        if !is_ours {
            still(&mut spec);
        }
        if is_dynamic {
            obstacle::stow(&mut spec);
        }
        let level = spec.build().map_err(|error| level_error(&error))?;
        let stock = TacticalMapConfig::default();
        let bake = if is_ours { stock.bake } else { FINE };
        let config = TacticalMapConfig { bake, has_pieces: true, is_dynamic, ..stock };
        let tactical_map = TacticalMap::bake(level, &config).map_err(|error| refused(error.to_string()))?;
        Ground::choose(tactical_map).map_err(refused)
    }

    /// All places of a tactical map: the level's own, or else chosen ones.
    fn choose(tactical_map: TacticalMap) -> Result<Ground, String> {
        let level = tactical_map.view().level;
        let (main, area_m2) = main_part(tactical_map.mesh());
        if area_m2 < AREA_M2 {
            return Err(format!(
                "its largest part that one can walk about in has {area_m2:.0} m² of ground: expected {AREA_M2:.0} m² at least"
            ));
        }
        let is_main =
            |at: Vec3| tactical_map.ground(at).is_some_and(|it| tactical_map.mesh().component(it.polygon) == main);
        // Who would begin beside the mesh begins at its border.
        let own = level.spawns().iter().filter(|it| is_main(it.pose.position));
        let own: Vec<(&str, Pose)> = own.map(|it| (it.team.as_str(), on_mesh(&tactical_map, it.pose))).collect();
        let poses = |team: &str| -> Vec<Pose> { own.iter().filter(|it| it.0 == team).map(|it| it.1).collect() };
        let noted = |kind: &str| -> Vec<Vec3> {
            let notes = level.annotations().iter().filter(|note| note.kind == kind && is_main(note.position));
            notes.filter_map(|note| tactical_map.ground(note.position)).map(|place| place.point).collect()
        };
        let (mut player, mut soldiers) = (poses("player"), poses("soldier"));
        let (mut posts, mut spots) = (noted("post"), noted("spot"));
        if player.is_empty() || soldiers.is_empty() || posts.is_empty() || spots.is_empty() {
            let draws = draws(&tactical_map, main);
            let starts: Vec<Vec3> = own.iter().map(|it| it.1.position).collect();
            let mut all = if starts.len() >= 4 { starts } else { Vec::new() };
            all.extend(&draws);
            let ends = match (soldiers.first(), player.first()) {
                (Some(soldier), Some(player)) => [soldier.position, player.position],
                _ => far_pair(&all).ok_or("nobody has room to stand anywhere in it")?,
            };
            let middle = (ends[0] + ends[1]) * 0.5;
            if soldiers.is_empty() || player.is_empty() {
                soldiers = soldier_poses(&tactical_map, &all, ends);
                player = player_poses(&tactical_map, &all, ends, &soldiers);
            }
            let near: Vec<Vec3> = draws.into_iter().filter(|at| at.distance(middle) <= APART_M).collect();
            posts = if posts.is_empty() { spread_out(&near, POSTS) } else { posts };
            spots = if spots.is_empty() { spread_out(&near, SPOTS) } else { spots };
        }
        if player.is_empty() || soldiers.is_empty() || posts.is_empty() || spots.is_empty() {
            return Err("it has no room for both sides: expected places that can be reached from each other".to_owned());
        }
        let mut tactical_map = tactical_map;
        if tactical_map.supplies().is_empty() {
            tactical_map.set_supplies(spread_out(&posts, SUPPLIES));
        }
        Ok(Ground { player, soldiers, posts, spots, tactical_map })
    }
}

/// The largest connected part of a mesh, and its area, m².
fn main_part(mesh: &Mesh) -> (Option<u32>, f64) {
    let mut areas: Vec<f64> = Vec::new();
    for polygon in 0..mesh.polygon_count() {
        let Some(part) = mesh.component(polygon).map(|part| part as usize) else { continue };
        if areas.len() <= part {
            areas.resize(part + 1, 0.0);
        }
        let ring: Vec<_> = mesh.ring(polygon).map(|corner| plane::ground(corner).as_dvec2()).collect();
        let sum: f64 = (0..ring.len()).map(|at| ring[at].perp_dot(ring[(at + 1) % ring.len()])).sum();
        areas[part] += sum.abs() * 0.5;
    }
    let mut best = (None, 0.0);
    for (part, area) in (0..).zip(areas) {
        if area > best.1 {
            best = (Some(part), area);
        }
    }
    best
}

/// Places of a part, drawn, with room around them.
fn draws(tactical_map: &TacticalMap, main: Option<u32>) -> Vec<Vec3> {
    let mesh = tactical_map.mesh();
    let mut rng = Streams { seed: 0 }.stream(0, DRAW);
    let mut scratch = WallScratch::default();
    let mut found = Vec::new();
    for _ in 0..DRAWS {
        let Some(place) = mesh.random_place(&mut rng) else { break };
        if mesh.component(place.polygon) == main && mesh.nearest_wall(place, ROOM_M, &mut scratch).is_none() {
            found.push(place.point);
        }
    }
    found
}

/// Two places as far apart as there are, up to [`APART_M`]; the first of those that are alike.
fn far_pair(all: &[Vec3]) -> Option<[Vec3; 2]> {
    let mut best: Option<(f32, [Vec3; 2])> = None;
    for (number, &one) in all.iter().enumerate() {
        for &other in &all[number + 1..] {
            let apart = one.distance(other);
            let worth = if apart > APART_M { APART_M } else { apart };
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, [one, other]));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// Places spread out over those given: each the farthest from all before it.
fn spread_out(all: &[Vec3], count: usize) -> Vec<Vec3> {
    let mut taken: Vec<Vec3> = Vec::new();
    let mut gaps = vec![f32::INFINITY; all.len()];
    while taken.len() < count.min(all.len()) {
        let mut best = 0;
        for number in 1..all.len() {
            if gaps[number] > gaps[best] {
                best = number;
            }
        }
        if gaps[best] <= 0.5 {
            break;
        }
        taken.push(all[best]);
        for (gap, at) in gaps.iter_mut().zip(all) {
            let apart = at.distance(all[best]);
            *gap = if apart < *gap { apart } else { *gap };
        }
    }
    taken
}

/// Somebody at a place, facing another, with its feet on the ground.
fn pose(tactical_map: &TacticalMap, at: Vec3, to: Vec3) -> Pose {
    let below = tactical_map.view().ground_below(at + Vec3::Y * 0.8, 1.6).map_or(at, |ground| ground.position);
    Pose { position: below + Vec3::Y * 0.02, yaw: plane::yaw(plane::ground(to - at)) }
}

/// A pose as it is, or at the border of the mesh if it is beside it.
fn on_mesh(tactical_map: &TacticalMap, pose_of: Pose) -> Pose {
    let Some(place) = tactical_map.ground(pose_of.position) else { return pose_of };
    if plane::ground(place.point - pose_of.position).length() <= BESIDE_MESH_M {
        return pose_of;
    }
    Pose { yaw: pose_of.yaw, ..pose(tactical_map, place.point, place.point) }
}

/// Searches may look at all of a large level before they give up: stock budgets are for arenas of our size.
pub(super) fn stretch(tuning: &mut Tuning, tactical_map: &TacticalMap) {
    tuning.expansions_max = tuning.expansions_max.max(4 * tactical_map.mesh().polygon_count());
}

/// The nearest first.
fn by_distance(all: &[Vec3], from: Vec3) -> Vec<Vec3> {
    let mut sorted = all.to_vec();
    sorted.sort_by(|a, b| a.distance(from).total_cmp(&b.distance(from)));
    sorted
}

/// Where soldiers begin: as many as there is room for, around one end.
fn soldier_poses(tactical_map: &TacticalMap, all: &[Vec3], ends: [Vec3; 2]) -> Vec<Pose> {
    let mut taken: Vec<Vec3> = Vec::new();
    for at in by_distance(all, ends[0]) {
        let is_free = taken.iter().all(|other| other.distance(at) >= BESIDE_M);
        if is_free && taken.len() < SOLDIERS_MAX {
            taken.push(at);
        }
    }
    taken.into_iter().map(|at| pose(tactical_map, at, ends[1])).collect()
}

/// Where the player may begin: around the other end, away from soldiers.
fn player_poses(tactical_map: &TacticalMap, all: &[Vec3], ends: [Vec3; 2], soldiers: &[Pose]) -> Vec<Pose> {
    let gap =
        |at: Vec3| soldiers.iter().map(|it| it.position.distance(at)).fold(f32::INFINITY, sentir::core::math::min);
    let near = by_distance(all, ends[1]);
    let mut taken: Vec<Vec3> = near.iter().copied().filter(|&at| gap(at) >= SAFE_M).take(PLAYERS_MAX).collect();
    if taken.is_empty() {
        taken.extend(near.iter().copied().max_by(|&a, &b| gap(a).total_cmp(&gap(b))).filter(|&at| gap(at) >= BESIDE_M));
    }
    taken.into_iter().map(|at| pose(tactical_map, at, ends[0])).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    fn ground(text: &str) -> Result<Ground, String> {
        let scene = crate::CATALOG.find("firefight-level").unwrap();
        let setup =
            scene.setup(1, Changes { settings: &[], assets: &[("level.yaml".to_owned(), text.to_owned())] }).unwrap();
        Ground::of(&setup, false).map_err(|error| error.to_string())
    }

    fn slab(width: f32, height: f32) -> String {
        format!(
            "name: bare\nsolids:\n  - slab: {{ outline: [[0, 0], [{width}, 0], [{width}, {height}], [0, {height}]] }}\n"
        )
    }

    #[test]
    fn a_level_without_any_place_gets_places_that_are_spread_out_and_reachable() {
        let bare = ground(&slab(40.0, 30.0)).unwrap();
        assert_eq!((bare.posts.len(), bare.spots.len()), (POSTS, SPOTS));
        assert_eq!((bare.soldiers.len(), bare.player.len()), (SOLDIERS_MAX, PLAYERS_MAX));
        let mut gaps = bare
            .posts
            .iter()
            .enumerate()
            .flat_map(|(number, one)| bare.posts[number + 1..].iter().map(|other| one.distance(*other)));
        assert!(gaps.all(|gap| gap > 5.0), "posts are crowded");
        for soldier in &bare.soldiers {
            assert!(bare.player.iter().all(|player| player.position.distance(soldier.position) > SAFE_M));
        }
        let again = ground(&slab(40.0, 30.0)).unwrap();
        assert_eq!((bare.posts, bare.spots, bare.soldiers), (again.posts, again.spots, again.soldiers));
    }

    #[test]
    fn of_two_islands_the_larger_one_is_the_arena() {
        let text = "name: isles\nsolids:\n  - slab: { outline: [[0, 0], [12, 0], [12, 12], [0, 12]] }\n  \
                    - slab: { outline: [[40, 0], [70, 0], [70, 20], [40, 20]] }\n";
        let isles = ground(text).unwrap();
        let places = isles.posts.iter().chain(&isles.spots).copied().chain(isles.soldiers.iter().map(|it| it.position));
        assert!(places.into_iter().all(|at| at.x > 39.0));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_a_reason() {
        let small = ground(&slab(6.0, 6.0)).err().unwrap();
        assert!(small.contains("expected 80 m² at least"), "{small}");
        let none =
            ground("name: none\nsolids:\n  - box: { at: [0, 0], size: [0.3, 0.3], height_m: 1 }\n").err().unwrap();
        assert!(none.contains("nobody of 0.45 m by"), "{none}");
        let broken = ground("name: [").err().unwrap();
        assert!(broken.starts_with("level.yaml:"), "{broken}");
        let cut = ground("data:bsp,494253502e000000").err().unwrap();
        assert!(cut.contains("level.yaml.bsp"), "{cut}");
    }

    #[test]
    fn doors_of_any_level_are_open_and_what_moves_stands_still() {
        let text = slab(40.0, 30.0)
            + "pieces:\n  - name: door\n    at: [20, 5]\n    solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 2 } }]\n    \
               door: { by: [2, 0] }\n  - name: cart\n    at: [10, 10]\n    \
               solids: [{ box: { at: [0, 0], size: [2, 2], height_m: 2 } }]\n    \
               path: { stops: [{ by: [5, 0], travel_s: 2, wait_s: 1 }], back_s: 2, wait_s: 1 }\n";
        let level = ground(&text).unwrap();
        let pieces = level.tactical_map.view().level.pieces();
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].path.is_none() && pieces[0].name == "cart");
        let on = |x: f32, y: f32| level.tactical_map.mesh().locate(Vec3::new(x, 0.0, -y), 0.5).is_some();
        assert!(on(20.0, 5.0) && !on(10.0, 10.0));
    }
}
