//! Obstacles that appear: crates, low and high, that block bodies, shots, looks and ways.
//!
//! Crates are pieces of the level that are put away until they are brought in, so everything that meets the level meets
//! them. Every so often one comes to a place on the ground where nobody stands near. When all are in use, the oldest goes.
//!
//! **Who knows.** Everybody, at once: as a wall that breaks in `collapse`, a crate is a public change (one hears it come
//! down). It is carved out of the mesh by its tiles in the same tick, and eyes of the mind (cover, lines of fire) meet it,
//! too. What is private there, doors and slabs that one must notice, has no counterpart here.
//!
//! State is the [`Obstacles`] of the mesh and which crates are in use; where they stand is state of the level. The mesh, and
//! all that is made of it, is a memo in the cache (`super::Cache`). With no crates nothing of this costs anything.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::squad::tactical_map::TacticalMap;
use sentir_level::spec::{BoxSpec, PieceSpec, SolidSpec};
use sentir_level::{Level, LevelSpec, LevelView, PieceId, STOWED_M};
use sentir_nav::dynamic::{ObstacleId, Obstacles, obstacle_of};

use sentir_harness::metric::Metric;
use sentir_sim::body_set::BodySet;

const COMES: Purpose = Purpose::new("firefight.obstacle");
/// Crates of each height.
const EACH: usize = 6;
/// Heights, m: one to crouch behind, one to stand behind.
const HEIGHTS_M: [f32; 2] = [1.05, 2.3];
/// Side of a crate, m.
const SIDE_M: f32 = 1.2;
/// A crate reaches so far into the ground, so that no gap is left on slopes, m.
const SUNK_M: f32 = 0.25;
/// From any body a crate keeps as far as this, m: nobody is in what is taken out of the mesh, nor shut into a corner.
const BODY_M: f32 = 3.0;
/// And from any other crate, m.
const CRATE_M: f32 = 2.4;
/// Draws of a place; if none is free, none comes this time.
const DRAWS: u32 = 40;
/// What breaks a crate: nothing that there is.
const HEALTH: f32 = 1e6;

/// Adds the crates to a level, put away.
pub(super) fn stow(spec: &mut LevelSpec) {
    let floor_m = spec.floors.first().map_or(0.0, |floor| floor.value.level_m);
    for number in 0..2 * EACH {
        let height_m = HEIGHTS_M[number % 2] + SUNK_M;
        let (size, surface, floor) = ([SIDE_M; 2], None, None);
        let solid = BoxSpec { at: [0.0; 2], size, height_m, yaw_deg: 0.0, base_m: 0.0, surface, floor };
        spec.pieces.push(
            PieceSpec {
                name: format!("{NAME}{number}"),
                at: [0.0; 2],
                base_m: 1.5 * STOWED_M - floor_m,
                yaw_deg: 0.0,
                floor: None,
                solids: vec![SolidSpec::Box(solid).into()],
                door: None,
                health: Some(HEALTH),
                path: None,
            }
            .into(),
        );
    }
}

/// How the names of crates begin.
const NAME: &str = "crate that appears ";

/// A crate in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
struct Placed {
    piece: PieceId,
    obstacle: ObstacleId,
}

/// Crates so far.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Rubble {
    /// What the mesh is made of.
    pub(super) obstacles: Obstacles,
    /// The oldest first.
    placed: Vec<Placed>,
    next: Tick,
    came: u32,
    /// Times that no place was free.
    skipped: u32,
}

impl Rubble {
    /// Brings a crate in when it is time, every so many ticks.
    pub(super) fn step(
        &mut self,
        every: u64,
        tactical_map: &TacticalMap,
        bodies: &mut BodySet,
        streams: &Streams,
        now: Tick,
    ) {
        if now < self.next {
            return;
        }
        self.next = now + every;
        let (level, Some(tiles)) = (tactical_map.view().level, tactical_map.tiles()) else { return };
        if now.0 == 0 {
            return;
        }
        let mut rng = streams.at(0, COMES, now);
        let wants_high = rng.below(2) == 1;
        let Some((place, yaw, is_high)) = self.draw(tactical_map, bodies, wants_high, &mut rng) else {
            self.skipped += 1;
            return;
        };
        let Some(piece) = self.free(level, is_high) else {
            // All of that height are in use: the oldest goes, and comes back next time.
            if let Some(number) = self.placed.iter().position(|it| is_high_one(level, it.piece) == is_high) {
                let gone = self.placed.remove(number);
                let _ = self.obstacles.remove(tiles, gone.obstacle);
                self.obstacles.step(tiles, u32::MAX);
                let away = Pose { position: Vec3::Y * (1.5 * STOWED_M), yaw: 0.0 };
                bodies.level.move_piece(level, gone.piece, away);
            }
            self.next = now + 1;
            return;
        };
        let pose = Pose { position: place - Vec3::Y * SUNK_M, yaw };
        let made = obstacle_of(&level.pieces()[usize::from(piece.0)], &pose, tiles.half_cell_m());
        let Some(obstacle) = made.and_then(|made| self.obstacles.add(tiles, made, true).ok()) else { return };
        self.obstacles.step(tiles, u32::MAX);
        bodies.level.move_piece(level, piece, pose);
        self.placed.push(Placed { piece, obstacle });
        self.came += 1;
    }

    /// A crate of a height that is put away.
    fn free(&self, level: &Level, is_high: bool) -> Option<PieceId> {
        let crates = (0..).map(PieceId).zip(level.pieces()).filter(|(_, piece)| piece.name.starts_with(NAME));
        let mut free = crates.map(|(id, _)| id).filter(|&id| is_high_one(level, id) == is_high);
        free.find(|&id| self.placed.iter().all(|it| it.piece != id))
    }

    /// A place where nobody stands, how it is turned, and whether a high one has room there.
    fn draw(
        &self,
        tactical_map: &TacticalMap,
        bodies: &BodySet,
        wants_high: bool,
        rng: &mut Stream,
    ) -> Option<(Vec3, f32, bool)> {
        let view = LevelView { level: tactical_map.view().level, state: &bodies.level };
        let is_apart = |at: Vec3, other: Vec3, apart_m: f32| {
            plane::ground(at - other).length() >= apart_m || (at.y - other.y).abs() > 4.0
        };
        for _ in 0..DRAWS {
            let (drawn, yaw) = (tactical_map.mesh().random_place(rng)?, rng.between(-math::PI, math::PI));
            let Some(ground) = view.ground_below(drawn.point + Vec3::Y * 0.8, 1.6) else { continue };
            let at = ground.position;
            let poses = self.placed.iter().filter_map(|it| bodies.level.piece(it.piece)).map(|it| it.pose.position);
            let is_free = bodies.iter().all(|(_, walker)| is_apart(at, walker.pose.position, BODY_M))
                && poses.into_iter().all(|other| is_apart(at, other, CRATE_M));
            let has_room = |height_m: f32| {
                let corners = [(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                corners.into_iter().all(|(x, z)| {
                    let foot = at + Vec3::new(x, 0.0, z) * (SIDE_M * 0.5) + Vec3::Y * 0.5;
                    view.is_clear(foot, foot + Vec3::Y * (height_m - 0.3))
                })
            };
            let is_high = wants_high && has_room(HEIGHTS_M[1]);
            if is_free && (is_high || has_room(HEIGHTS_M[0])) {
                return Some((at, yaw, is_high));
            }
        }
        None
    }

    /// Whether it is of this tactical map.
    pub(super) fn fits(&self, tactical_map: &TacticalMap) -> bool {
        let pieces = tactical_map.view().level.pieces().len();
        let is_there = |it: &Placed| usize::from(it.piece.0) < pieces;
        match tactical_map.tiles() {
            Some(tiles) => self.obstacles.fits(tiles) && self.placed.iter().all(is_there),
            None => self.placed.is_empty() && self.obstacles.version() == 0,
        }
    }

    /// As a scene reports them.
    pub(super) fn report(&self, metrics: &mut Vec<Metric>) {
        metrics.push(Metric::new("obstacles", self.came as f32));
        metrics.push(Metric::new("obstacles_without_a_place", self.skipped as f32));
        metrics.push(Metric::new("tiles_rebuilt", self.obstacles.counts().tiles as f32));
    }
}

/// Whether a piece is a crate to stand behind: its top, over its pivot, is nearer to that of a high one.
fn is_high_one(level: &Level, piece: PieceId) -> bool {
    let between_m = (HEIGHTS_M[0] + HEIGHTS_M[1]) / 2.0 + SUNK_M;
    let patches = level.pieces().get(usize::from(piece.0)).map_or(&[][..], |piece| &piece.patches);
    patches.iter().flat_map(|patch| &patch.corners).any(|corner| corner.y > between_m)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::super::ground::Ground;
    use super::super::{Drill, Player, begin};
    use super::*;
    use sentir_harness::game_match::Match;
    use sentir_harness::info::Changes;
    use sentir_level::Blocks;

    #[test]
    fn crates_come_block_everything_and_go() {
        let scene = crate::CATALOG.find("firefight").unwrap();
        let changes =
            [("obstacle_s", "1"), ("arena", "warehouse")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let setup = scene.setup(3, Changes { settings: &changes, assets: &[] }).unwrap();
        let drill = Drill { player: Some(Player::Still), health: 1e5, seconds: 40.0, ..Drill::default() };
        let mut game = begin(&setup, &drill).unwrap();
        let mut tactical_map = Ground::of(&setup, true).unwrap().tactical_map;
        let level = tactical_map.view().level;
        let is_high: Vec<bool> = (0..2 * EACH as u16).map(|piece| is_high_one(level, PieceId(piece))).collect();
        assert_eq!(is_high, [false, true].repeat(EACH), "low and high crates in turns");
        let mut most = 0;
        for tick in 0..40 * 60 {
            game.step(&[], &Serial);
            let world = game.world();
            most = most.max(world.rubble.placed.len());
            if tick % 60 != 30 {
                continue;
            }
            tactical_map.follow(&world.rubble.obstacles, &world.bodies.level).unwrap();
            let view = LevelView { level: tactical_map.view().level, state: &world.bodies.level };
            for it in &world.rubble.placed {
                let foot = world.bodies.level.piece(it.piece).unwrap().pose.position + Vec3::Y * SUNK_M;
                assert!(tactical_map.mesh().locate(foot, 0.6).is_none(), "one walks through the crate at {foot}");
                let ray = Ray::between(foot + Vec3::new(-1.0, 0.6, 0.0), foot + Vec3::new(1.0, 0.6, 0.0)).unwrap();
                assert!(view.is_blocked(&ray, Blocks::SHOTS) && view.is_blocked(&ray, Blocks::SIGHT));
            }
            for (_, walker) in world.bodies.iter() {
                let capsule = walker.capsule();
                assert!(!view.capsule_overlap(capsule.low(), capsule.high(), capsule.radius_m - 1e-3), "in a crate");
            }
        }
        let rubble = &game.world().rubble;
        assert!(rubble.came > 20 && most <= 2 * EACH, "{} came, {most} at once", rubble.came);
        assert!(rubble.obstacles.counts().tiles > 20 && rubble.obstacles.waiting().is_empty());
    }

    #[test]
    fn without_crates_the_level_has_none() {
        let scene = crate::CATALOG.find("firefight").unwrap();
        let setup = scene.setup(3, Changes::default()).unwrap();
        let ground = Ground::of(&setup, false).unwrap();
        assert!(ground.tactical_map.view().level.pieces().is_empty() && ground.tactical_map.tiles().is_none());
        assert!(Rubble::default().fits(&ground.tactical_map));
    }
}
