//! What can change in a level: poses of pieces, doors, damage; and a log of the changes, so that caches know what to drop.
//!
//! Small: a few numbers a piece, and at most [`CHANGES_MAX`] changes. Every change raises the version by one.

use glam::Vec3;
use sentir_core::State;
use sentir_core::body::Pose;
use sentir_core::math;
use sentir_core::tick::TickRate;

use crate::aabb::Aabb;
use crate::level::{Level, Piece, PieceId};
use crate::spec::REACH_M;
use crate::view::LevelView;

/// Changes kept at most. When the log is full, the older half goes.
pub const CHANGES_MAX: usize = 256;
/// A piece whose pivot is at this height or below it is put away until the host brings it in: it is not drawn, m.
pub const STOWED_M: f32 = -5_000.0;

/// The changing part of a level.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct LevelState {
    version: u64,
    /// The version before the oldest kept change.
    kept_from: u64,
    changes: Vec<Change>,
    pieces: Vec<PieceState>,
}

/// The changing part of a piece.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct PieceState {
    /// Where it is.
    pub pose: Pose,
    /// How far a door is open, 0..=1; 0 for what is no door.
    pub openness: f32,
    /// Whether a door is open or opening, rather than closed or closing.
    pub is_opening: bool,
    /// Whether a door is locked.
    pub is_locked: bool,
    /// Damage it still takes; 0 for what does not break.
    pub health: f32,
    /// Whether it is gone.
    pub is_destroyed: bool,
    /// Where a mover is in its round, s.
    pub round_s: f32,
}

/// What happened to a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum ChangeKind {
    /// It moved by itself or by the host.
    Moved,
    /// A door moved on its way.
    Swung,
    /// It is gone.
    Destroyed,
}

/// One change of the geometry.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Change {
    /// The version it led to.
    pub version: u64,
    /// What changed.
    pub piece: PieceId,
    /// Where it was.
    pub before: Aabb,
    /// Where it is; empty when it is gone.
    pub after: Aabb,
    /// How.
    pub kind: ChangeKind,
}

/// What changed since a version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Changes<'a> {
    /// Nothing.
    None,
    /// These, oldest first.
    Some(&'a [Change]),
    /// More than is kept, or the version is of another state: take everything as changed.
    All,
}

/// What a door answers to who opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorAnswer {
    /// It goes, or is there already.
    Moves,
    /// It is locked.
    Locked,
    /// It is no door, or gone.
    NoDoor,
}

impl LevelState {
    /// The state a level begins in.
    pub fn new(level: &Level) -> LevelState {
        LevelState { version: 0, kept_from: 0, changes: Vec::new(), pieces: level.pieces.iter().map(first).collect() }
    }

    /// Raised by one with every change of the geometry.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether it is a state of this level, as far as counts tell. After loading, ask before use.
    pub fn fits(&self, level: &Level) -> bool {
        self.pieces.len() == level.pieces.len()
    }

    /// The pieces, in the level's order.
    pub fn pieces(&self) -> &[PieceState] {
        &self.pieces
    }

    /// One piece.
    pub fn piece(&self, id: PieceId) -> Option<&PieceState> {
        self.pieces.get(usize::from(id.0))
    }

    /// What changed after `version`.
    pub fn changes_since(&self, version: u64) -> Changes<'_> {
        if version == self.version {
            return Changes::None;
        }
        if version > self.version || version < self.kept_from {
            return Changes::All;
        }
        Changes::Some(&self.changes[(version - self.kept_from) as usize..])
    }

    /// Lets doors and movers go on by one tick, whatever stands in their way: as a host's car does that pushes people.
    pub fn step(&mut self, level: &Level, rate: TickRate) {
        self.step_held(level, rate, |_, _, _| true);
    }

    /// The same, but a piece goes to its next pose only if `may_go` says so of it; else it stays where it is for this
    /// tick, and tries again at the next. A door that is held goes on as soon as its way is free; a mover's round waits.
    pub fn step_held(
        &mut self,
        level: &Level,
        rate: TickRate,
        mut may_go: impl FnMut(&LevelView<'_>, PieceId, &Pose) -> bool,
    ) {
        let tick_s = rate.tick_s();
        for (index, piece) in level.pieces.iter().enumerate().take(self.pieces.len()) {
            let mut next = self.pieces[index];
            if next.is_destroyed {
                continue;
            }
            let kind = if let Some(door) = &piece.door {
                let goal = if next.is_opening { 1.0 } else { 0.0 };
                if next.openness == goal {
                    continue;
                }
                next.openness = math::approach(next.openness, goal, tick_s / door.open_s);
                next.pose = door_pose(piece, next.openness);
                ChangeKind::Swung
            } else if let Some(path) = &piece.path {
                next.round_s += tick_s;
                if next.round_s >= path.round_s {
                    // A round may be shorter than a tick: the rest is what counts.
                    next.round_s -= path.round_s * (next.round_s / path.round_s).floor();
                }
                next.pose = path.pose_at(next.round_s);
                ChangeKind::Moved
            } else {
                continue;
            };
            let moves = next.pose != self.pieces[index].pose;
            if moves && !may_go(&LevelView { level, state: self }, PieceId(index as u16), &next.pose) {
                continue;
            }
            let pose = next.pose;
            self.pieces[index] = PieceState { pose: self.pieces[index].pose, ..next };
            self.put(level, index, pose, kind);
        }
    }

    /// Starts to open a door.
    pub fn open_door(&mut self, level: &Level, id: PieceId) -> DoorAnswer {
        self.turn_door(level, id, true)
    }

    /// Starts to close a door. Locks do not hold it.
    pub fn close_door(&mut self, level: &Level, id: PieceId) -> DoorAnswer {
        self.turn_door(level, id, false)
    }

    fn turn_door(&mut self, level: &Level, id: PieceId, opens: bool) -> DoorAnswer {
        let index = usize::from(id.0);
        let is_door = level.pieces.get(index).is_some_and(|piece| piece.door.is_some());
        match self.pieces.get_mut(index) {
            Some(state) if is_door && !state.is_destroyed => {
                if opens && state.is_locked && !state.is_opening {
                    return DoorAnswer::Locked;
                }
                state.is_opening = opens;
                DoorAnswer::Moves
            }
            _ => DoorAnswer::NoDoor,
        }
    }

    /// Locks or unlocks a door; anything else stays as it is.
    pub fn lock_door(&mut self, id: PieceId, is_locked: bool) {
        if let Some(state) = self.pieces.get_mut(usize::from(id.0)) {
            state.is_locked = is_locked;
        }
    }

    /// Takes health from a piece. Whether this destroyed it; what does not break stays whole.
    pub fn damage_piece(&mut self, level: &Level, id: PieceId, damage: f32) -> bool {
        let index = usize::from(id.0);
        let (Some(piece), Some(state)) = (level.pieces.get(index), self.pieces.get_mut(index)) else { return false };
        if piece.health.is_none() || state.is_destroyed || damage.is_nan() || damage <= 0.0 {
            return false;
        }
        state.health = math::max(state.health - damage, 0.0);
        if state.health > 0.0 {
            return false;
        }
        state.is_destroyed = true;
        let before = bounds(piece, &state.pose);
        self.note(index, before, Aabb::EMPTY, ChangeKind::Destroyed);
        true
    }

    /// Moves a piece by force, as a host moves a car. Whether it did: a pose that is not finite or past the level's reach,
    /// or a piece that is gone, changes nothing.
    pub fn move_piece(&mut self, level: &Level, id: PieceId, pose: Pose) -> bool {
        let index = usize::from(id.0);
        let is_here = self.pieces.get(index).is_some_and(|state| !state.is_destroyed) && index < level.pieces.len();
        let is_sound = pose.is_finite() && pose.position.abs().cmple(Vec3::splat(REACH_M)).all();
        if is_here && is_sound {
            self.put(level, index, pose, ChangeKind::Moved);
        }
        is_here && is_sound
    }

    fn put(&mut self, level: &Level, index: usize, pose: Pose, kind: ChangeKind) {
        let piece = &level.pieces[index];
        let old = std::mem::replace(&mut self.pieces[index].pose, pose);
        if old != pose {
            self.note(index, bounds(piece, &old), bounds(piece, &pose), kind);
        }
    }

    fn note(&mut self, index: usize, before: Aabb, after: Aabb, kind: ChangeKind) {
        if self.changes.len() >= CHANGES_MAX {
            self.changes.drain(..CHANGES_MAX / 2);
            self.kept_from += CHANGES_MAX as u64 / 2;
        }
        self.version += 1;
        self.changes.push(Change { version: self.version, piece: PieceId(index as u16), before, after, kind });
    }

    /// What a loaded state must satisfy.
    fn check(&self) -> Result<(), &'static str> {
        let kept = self.version.checked_sub(self.kept_from);
        let numbered =
            (self.kept_from.wrapping_add(1)..).zip(&self.changes).all(|(version, one)| one.version == version);
        if kept != Some(self.changes.len() as u64) || self.changes.len() > CHANGES_MAX || !numbered {
            return Err("the change log does not lead up to the version");
        }
        let is_sound = |state: &PieceState| {
            let share = (0.0..=1.0).contains(&state.openness);
            state.pose.is_finite() && share && state.health.is_finite() && (0.0..=1e9).contains(&state.round_s)
        };
        if self.pieces.iter().all(is_sound) { Ok(()) } else { Err("a piece has a number out of its range") }
    }
}

fn first(piece: &Piece) -> PieceState {
    let starts_open = piece.door.is_some_and(|door| door.starts_open);
    let openness = if starts_open { 1.0 } else { 0.0 };
    PieceState {
        pose: door_pose(piece, openness),
        openness,
        is_opening: starts_open,
        is_locked: piece.door.is_some_and(|door| door.is_locked),
        health: piece.health.unwrap_or(0.0),
        is_destroyed: false,
        round_s: 0.0,
    }
}

/// Where a door is at some openness; anything else is where it was authored. Exact at both ends.
fn door_pose(piece: &Piece, openness: f32) -> Pose {
    match &piece.door {
        Some(door) if openness >= 1.0 => door.open,
        Some(door) if openness > 0.0 => piece.pose.lerp(door.open, openness),
        _ => piece.pose,
    }
}

/// The box around a piece in a pose.
pub(crate) fn bounds(piece: &Piece, pose: &Pose) -> Aabb {
    let frame = Frame::new(pose);
    Aabb::around(piece.tree.triangles.iter().flat_map(|one| one.corners).map(|corner| frame.to_world(corner)))
}

/// A pose with its sine and cosine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    position: Vec3,
    sin: f32,
    cos: f32,
}

impl Frame {
    pub(crate) fn new(pose: &Pose) -> Frame {
        let (sin, cos) = if pose.yaw == 0.0 { (0.0, 1.0) } else { math::sin_cos(pose.yaw) };
        Frame { position: pose.position, sin, cos }
    }

    /// A direction, from the piece's axes to the world's.
    pub(crate) fn turned(&self, local: Vec3) -> Vec3 {
        Vec3::new(local.x * self.cos + local.z * self.sin, local.y, local.z * self.cos - local.x * self.sin)
    }

    /// A direction, from the world's axes to the piece's.
    pub(crate) fn turned_back(&self, world: Vec3) -> Vec3 {
        Vec3::new(world.x * self.cos - world.z * self.sin, world.y, world.z * self.cos + world.x * self.sin)
    }

    pub(crate) fn to_world(self, local: Vec3) -> Vec3 {
        self.position + self.turned(local)
    }

    pub(crate) fn to_local(self, world: Vec3) -> Vec3 {
        self.turned_back(world - self.position)
    }
}
