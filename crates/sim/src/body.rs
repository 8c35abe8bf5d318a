//! Bodies of the games: upright capsules that walk, climb steps, jump, fall, crouch and are in each other's way.
//!
//! **Method.** A tick is a few passes. In each, every body looks at the others and at the triangles around it as they
//! stand before the pass, turns each into a half-space of moves that keep clear of it (capsules and triangles are convex,
//! so the plane between the nearest points is safe for the whole move), takes the move in all of them that is nearest to
//! its wish, and goes there. The room between two bodies is shared out before either moves, by how much each wants of it.
//! So bodies that do not overlap never come to overlap, whatever their number, speed and order, and there is no sweep to
//! be missed: see [`shape`] and `contact`. What overlaps nevertheless (spawned there, or a moved piece) is pushed out at
//! no more than [`BodyConfig::push_m_per_s_max`].
//!
//! On the ground, walls turn a move aside on the level and slopes turn it up; a blocked body tries to go up, over and down
//! by a step; and who stood on ground before is put down on it after. Who stands on a moving piece is carried along; how
//! pieces keep clear of bodies, see [`piece_may_go`].
//!
//! What is not walkable is no ground: nobody steps on it, and its border holds a walker as a rail does. Who jumps or falls
//! on it does not stand: it cannot jump off or climb, and slides and steers as in the air.
//!
//! **Cost** O(bodies × (faces + bodies near each)). **Guarantees**: the same bits for any pool; after warm-up nothing is
//! allocated; no state, not even a forged one, panics. The order of bodies matters only as that of summands, and where
//! two stand at the very same place.

mod contact;
mod drive;
mod ground;
mod pass;
mod room;
pub mod shape;

use sentir::State;
use sentir::core::body::person;
use sentir::core::glam::{Vec2, Vec3};
use sentir::core::index::PointIndex;
use sentir::core::pool::{JOBS_MAX, Pool, chunk_len, each};
use sentir::core::tick::TickRate;
use sentir::core::{math, plane};
use sentir::prelude::{Body, Pose, Stance};
use sentir_level::{LevelView, PieceId};

use crate::input::Input;
pub use room::{PIECE_ROOM_M, piece_may_go};
pub use shape::Capsule;

/// How far from the origin a body may be on any axis, m.
pub const REACH_M: f32 = 1e5;
/// Moves toward the wish per tick. Each halves what is left of the gaps that linear planes leave at corners.
const PASSES: u32 = 3;
/// Bodies per job below which splitting does not pay.
const BODIES_PER_JOB_MIN: usize = 16;

/// Tuning of a body. Values outside a limit count as the limit, and what is no number as the stock value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyConfig {
    /// Half its width, m. Limit: 0.05..=2.
    pub radius_m: f32,
    /// Height upright, m. Limit: two radii..=10.
    pub stand_m: f32,
    /// Height crouched, m. Limit: two radii..=`stand_m`.
    pub crouch_m: f32,
    /// Eyes over the feet when upright, m. Limit: 0..=10.
    pub stand_eye_m: f32,
    /// Eyes over the feet when crouched, m. Limit: 0..=10.
    pub crouch_eye_m: f32,
    /// Fastest walk, m/s. Limit: 0..=30.
    pub speed_m_per_s_max: f32,
    /// Share of the speed when crouched. Limit: 0..=1.
    pub crouch_factor: f32,
    /// Gain or loss of speed on the ground, m/s². Limit: 0..=1000.
    pub acceleration_m_per_s2: f32,
    /// Share of the acceleration in the air. Limit: 0..=1.
    pub air_factor: f32,
    /// Pull downward, m/s². Limit: 0..=100.
    pub gravity_m_per_s2: f32,
    /// Upward speed of a jump, m/s. Limit: 0..=30.
    pub jump_m_per_s: f32,
    /// Highest step it climbs or walks down, m. Limit: 0..=2.
    pub step_up_m: f32,
    /// Cosine of the steepest slope it walks on. Limit: 0.1..=1.
    pub slope_cos_min: f32,
    /// Fastest turn, rad/s. Limit: 0..=1000.
    pub turn_rad_per_s_max: f32,
    /// How fast it is pushed out of what it overlaps, m/s. Limit: 0..=20.
    pub push_m_per_s_max: f32,
    /// Room it keeps to everything, m; at least half of it always. Limit: 0.002..=0.05.
    pub skin_m: f32,
}

impl Default for BodyConfig {
    /// A person.
    fn default() -> Self {
        BodyConfig {
            radius_m: person::RADIUS_M,
            stand_m: person::HEIGHT_M,
            crouch_m: person::CROUCH_HEIGHT_M,
            stand_eye_m: person::EYE_M,
            crouch_eye_m: person::CROUCH_EYE_M,
            speed_m_per_s_max: 4.0,
            crouch_factor: 0.5,
            acceleration_m_per_s2: 30.0,
            air_factor: 0.25,
            gravity_m_per_s2: 9.81,
            jump_m_per_s: 4.5,
            step_up_m: 0.4,
            slope_cos_min: 0.643,
            turn_rad_per_s_max: 12.0,
            push_m_per_s_max: 4.0,
            skin_m: 0.005,
        }
    }
}

impl BodyConfig {
    /// Every value within its limits.
    pub fn held(&self) -> BodyConfig {
        let stock = BodyConfig::default();
        let held = |value: f32, stock: f32, low: f32, high: f32| {
            math::clamp(if value.is_nan() { stock } else { value }, low, high)
        };
        let radius_m = held(self.radius_m, stock.radius_m, 0.05, 2.0);
        let stand_m = held(self.stand_m, stock.stand_m, 2.0 * radius_m, 10.0);
        BodyConfig {
            radius_m,
            stand_m,
            crouch_m: held(self.crouch_m, stock.crouch_m, 2.0 * radius_m, stand_m),
            stand_eye_m: held(self.stand_eye_m, stock.stand_eye_m, 0.0, 10.0),
            crouch_eye_m: held(self.crouch_eye_m, stock.crouch_eye_m, 0.0, 10.0),
            speed_m_per_s_max: held(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 30.0),
            crouch_factor: held(self.crouch_factor, stock.crouch_factor, 0.0, 1.0),
            acceleration_m_per_s2: held(self.acceleration_m_per_s2, stock.acceleration_m_per_s2, 0.0, 1000.0),
            air_factor: held(self.air_factor, stock.air_factor, 0.0, 1.0),
            gravity_m_per_s2: held(self.gravity_m_per_s2, stock.gravity_m_per_s2, 0.0, 100.0),
            jump_m_per_s: held(self.jump_m_per_s, stock.jump_m_per_s, 0.0, 30.0),
            step_up_m: held(self.step_up_m, stock.step_up_m, 0.0, 2.0),
            slope_cos_min: held(self.slope_cos_min, stock.slope_cos_min, 0.1, 1.0),
            turn_rad_per_s_max: held(self.turn_rad_per_s_max, stock.turn_rad_per_s_max, 0.0, 1000.0),
            push_m_per_s_max: held(self.push_m_per_s_max, stock.push_m_per_s_max, 0.0, 20.0),
            skin_m: held(self.skin_m, stock.skin_m, 0.002, 0.05),
        }
    }

    /// Height in a stance, m.
    pub fn height_m(&self, stance: Stance) -> f32 {
        if stance == Stance::Stand { self.stand_m } else { self.crouch_m }
    }
}

/// A moving piece one stands on.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Ride {
    /// Which.
    pub piece: PieceId,
    /// Where it was when the body was last moved.
    pub pose: Pose,
}

/// A body in the world: all of its state.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct CharacterBody {
    /// Feet, the lowest point of the capsule, and where it looks.
    pub pose: Pose,
    /// How high it looks, rad.
    pub pitch: f32,
    /// Velocity, m/s; without what it is carried or pushed.
    pub velocity: Vec3,
    /// How it holds itself. It stays low where there is no room to stand.
    pub stance: Stance,
    /// Half its width, m; from its config.
    pub radius_m: f32,
    /// Its height in its stance, m; from its config.
    pub height_m: f32,
    /// Its eyes over the feet, m; from its config.
    pub eye_m: f32,
    /// Whether it stands on something it can walk on.
    pub is_grounded: bool,
    /// Height of what it stands on, m: steps are measured from there.
    pub support_m: f32,
    /// Whether the jump of the last input was the same press as now: one press, one jump.
    pub is_jump_held: bool,
    /// The moving piece it stands on.
    pub ride: Option<Ride>,
}

impl CharacterBody {
    /// A person at rest, with the stock measures; the first step takes those of its config.
    pub fn at(pose: Pose) -> CharacterBody {
        let stock = BodyConfig::default();
        CharacterBody {
            pose,
            pitch: 0.0,
            velocity: Vec3::ZERO,
            stance: Stance::Stand,
            radius_m: stock.radius_m,
            height_m: stock.stand_m,
            eye_m: stock.stand_eye_m,
            is_grounded: false,
            support_m: pose.position.y,
            is_jump_held: false,
            ride: None,
        }
    }

    /// What the loop wants told. Health is the game's: it stands at 1 here.
    pub fn body(&self) -> Body {
        Body {
            pose: self.pose,
            velocity: self.velocity,
            radius_m: self.radius_m,
            eye_m: self.eye_m,
            health: 1.0,
            stance: self.stance,
            pitch: self.pitch,
        }
    }

    /// Where it looks: unit length.
    pub fn aim(&self) -> Vec3 {
        let (sin, cos) = math::sin_cos(self.pitch);
        plane::lift(plane::heading(self.pose.yaw) * cos, sin)
    }

    /// The room it takes.
    pub fn capsule(&self) -> Capsule {
        Capsule { feet: self.pose.position, radius_m: self.radius_m, height_m: self.height_m }
    }
}

/// What a body ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The level.
    Wall,
    /// Another body, by its place in the slice.
    CharacterBody(u32),
}

/// A body was held up. At most one wall and one walker per body and tick, those that held it most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bump {
    /// Who, by its place in the slice.
    pub walker: u32,
    /// By what.
    pub touched: Touched,
    /// Unit normal, from what it ran into.
    pub normal: Vec3,
    /// How much of its way of this tick was taken, m.
    pub lost_m: f32,
}

/// What the others see of a body during a pass.
#[derive(Clone, Copy, Debug)]
struct Slot {
    capsule: Capsule,
    /// What it wants of this pass, m.
    wish: Vec3,
}

/// What a body keeps to itself during a tick.
#[derive(Clone, Copy, Debug)]
struct Track {
    /// Config, held within its limits.
    config: BodyConfig,
    /// The way it wants to go this tick, m.
    wish: Vec3,
    /// How far it came on it, m.
    gone: Vec3,
    /// How it is carried this tick, m.
    carried: Vec3,
    /// Whether it stood on ground and does not jump off.
    is_walking: bool,
    /// Height of what it stands on, m.
    support_m: f32,
    /// How it wants to hold itself.
    stance: Stance,
    /// Its faces and neighbors in the lane.
    faces: [u32; 2],
    near: [u32; 2],
    /// The wall and the walker that held it most.
    bumps: [Option<Bump>; 2],
}

/// Room to work for one job.
#[derive(Debug, Default)]
struct Lane {
    faces: Vec<shape::Face>,
    near: Vec<u32>,
    contacts: Vec<contact::Contact>,
    rows: Vec<contact::Row>,
}

/// What a step needs and need not remember, and what it reports.
#[derive(Debug, Default)]
pub struct BodyScratch {
    /// Who was held up in the last step, in order of walkers.
    pub bumps: Vec<Bump>,
    index: PointIndex,
    points: Vec<Vec2>,
    slots: Vec<Slot>,
    next: Vec<Slot>,
    tracks: Vec<Track>,
    lanes: Vec<Lane>,
}

/// What every part of a step reads.
#[derive(Clone, Copy)]
struct SceneInfo<'a> {
    view: &'a LevelView<'a>,
    index: &'a PointIndex,
    tick_s: f32,
    /// Farthest that anybody may come this tick, m.
    reach_m: f32,
    /// Widest radius, m.
    radius_m: f32,
}

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Out of what overlaps, and along with what carries.
    Push,
    /// Toward the wish; so many passes are left with this one.
    Slide(u32),
    /// Down to the ground.
    Drop,
}

/// Moves all bodies by one tick. `inputs` and `configs` belong to walkers by place; a missing input is at rest, a missing
/// config is the last one, so that one config will do for all. Move the level's pieces before.
pub fn step(
    walkers: &mut [CharacterBody],
    inputs: &[Input],
    configs: &[BodyConfig],
    view: &LevelView<'_>,
    rate: TickRate,
    pool: &dyn Pool,
    scratch: &mut BodyScratch,
) {
    let BodyScratch { bumps, index, points, slots, next, tracks, lanes } = scratch;
    bumps.clear();
    points.clear();
    slots.clear();
    tracks.clear();
    let tick_s = rate.tick_s();
    let stock = BodyConfig::default();
    let (mut reach_m, mut radius_m) = (0.0, 0.0);
    for (number, walker) in walkers.iter_mut().enumerate() {
        let config = configs.get(number).or(configs.last()).unwrap_or(&stock).held();
        let input = inputs.get(number).copied().unwrap_or_default();
        let track = drive::drive(walker, input, config, view, tick_s);
        reach_m = math::max(reach_m, track.reach_m(tick_s));
        radius_m = math::max(radius_m, config.radius_m);
        points.push(plane::ground(walker.pose.position));
        slots.push(Slot { capsule: walker.capsule(), wish: Vec3::ZERO });
        tracks.push(track);
    }
    index.build(points, radius_m * 4.0, pool);
    next.clone_from(slots);
    let len = chunk_len(pool, walkers.len(), BODIES_PER_JOB_MIN);
    lanes.resize_with(lanes.len().max(walkers.len().div_ceil(len)).min(JOBS_MAX), Lane::default);
    let scene = SceneInfo { view, index, tick_s, reach_m, radius_m };

    let jobs = walkers.chunks_mut(len).zip(tracks.chunks_mut(len)).zip(next.chunks_mut(len)).zip(lanes.iter_mut());
    each(pool, jobs.enumerate(), |(job, (((walkers, tracks), next), lane))| {
        pass::gather(&scene, slots, job * len, walkers, tracks, next, lane);
    });
    std::mem::swap(slots, next);
    let kinds = (0..PASSES).map(|done| Kind::Slide(PASSES - done));
    for kind in std::iter::once(Kind::Push).chain(kinds).chain(std::iter::once(Kind::Drop)) {
        if !prepare(kind, slots, tracks) {
            continue;
        }
        let (slots_now, scene) = (&*slots, &scene);
        let jobs = tracks.chunks_mut(len).zip(next.chunks_mut(len)).zip(lanes.iter_mut());
        each(pool, jobs.enumerate(), |(job, ((tracks, next), lane))| {
            for (number, (track, next)) in (job * len..).zip(tracks.iter_mut().zip(next)) {
                pass::run(scene, kind, number, slots_now, track, next, lane);
            }
        });
        std::mem::swap(slots, next);
    }
    let slots = &*slots;
    let jobs = walkers.chunks_mut(len).zip(tracks.chunks_mut(len)).zip(lanes.iter_mut());
    each(pool, jobs.enumerate(), |(job, ((walkers, tracks), lane))| {
        for (number, (walker, track)) in (job * len..).zip(walkers.iter_mut().zip(tracks)) {
            ground::settle(&scene, slots[number].capsule, walker, track, lane);
        }
    });
    bumps.reserve(tracks.len().min(64));
    bumps.extend(tracks.iter().flat_map(|track| track.bumps).flatten());
}

/// Writes what every body wants of a pass; of the push, [`pass::gather`] has. Whether anybody wants anything.
fn prepare(kind: Kind, slots: &mut [Slot], tracks: &[Track]) -> bool {
    let mut is_any = false;
    for (slot, track) in slots.iter_mut().zip(tracks) {
        slot.wish = match kind {
            Kind::Push => slot.wish,
            Kind::Slide(left) => track.wish_of_pass(left),
            Kind::Drop if track.is_walking => Vec3::NEG_Y * track.config.step_up_m,
            Kind::Drop => Vec3::ZERO,
        };
        is_any |= slot.wish != Vec3::ZERO;
    }
    is_any
}
