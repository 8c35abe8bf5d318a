//! What happens to the ruin: slabs crack, fall and are put up again, doors close and open, walls break.

use sentir::prelude::*;
use sentir_level::{Level, PieceId};
use sentir_nav::bake::TileTable;
use sentir_nav::dynamic::{ObstacleError, ObstacleTiles};

use super::{RATE, World};

const SCRIPT: Purpose = Purpose::new("collapse.script");
/// How long a slab cracks before it falls, s.
const WARNING_S: f32 = 1.5;
/// Time between two things that happen, s.
const PAUSE_S: [f32; 2] = [1.0, 3.0];
/// Passages shut at once, by slabs and doors.
const SHUT_MAX: usize = 4;
/// Damage of a blow; walls take a few.
const BLOW: f32 = 50.0;

/// What is about to happen.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Script {
    next: Tick,
    /// Slabs that crack, and when they fall.
    pub(super) cracking: Vec<Crack>,
    pub(super) fallen: u32,
    pub(super) broken: u32,
    pub(super) doors: u32,
}

/// A slab that cracks.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Crack {
    pub(super) piece: PieceId,
    falls: Tick,
}

/// Whether a piece is one of the slabs.
pub(super) fn is_slab(level: &Level, piece: PieceId) -> bool {
    level.pieces().get(usize::from(piece.0)).is_some_and(|piece| piece.name.starts_with("slab"))
}

impl Script {
    pub(super) fn new() -> Script {
        Script { next: Tick(RATE.ticks(3.0)), ..Script::default() }
    }
}

/// Lets slabs fall that have cracked long enough.
pub(super) fn fall(level: &Level, now: Tick, world: &mut World) {
    let mut place = 0;
    while let Some(crack) = world.script.cracking.get(place).copied() {
        if crack.falls > now {
            place += 1;
            continue;
        }
        world.script.cracking.remove(place);
        world.bodies.level.open_door(level, crack.piece);
        world.script.fallen = world.script.fallen.saturating_add(1);
    }
}

/// Now and then something happens.
pub(super) fn happen(
    level: &Level,
    table: &TileTable,
    streams: &Streams,
    now: Tick,
    world: &mut World,
) -> Result<(), ObstacleError> {
    if now < world.script.next || level.pieces().is_empty() {
        return Ok(());
    }
    let mut random = streams.at(0, SCRIPT, now);
    world.script.next = now + RATE.ticks(random.between(PAUSE_S[0], PAUSE_S[1]));
    let piece = PieceId(random.below(level.pieces().len() as u32) as u16);
    turn(level, table, piece, now, world)
}

/// Something happens to a piece: the other of what it does.
pub(super) fn turn(
    level: &Level,
    table: &TileTable,
    piece: PieceId,
    now: Tick,
    world: &mut World,
) -> Result<(), ObstacleError> {
    let index = usize::from(piece.0);
    let (Some(spec), Some(state)) = (level.pieces().get(index), world.bodies.level.piece(piece)) else { return Ok(()) };
    let is_up = !state.is_opening;
    let room = shut_count(level, world) < SHUT_MAX;
    match &spec.door {
        Some(door) if is_slab(level, piece) => {
            if is_up && room && !world.script.cracking.iter().any(|one| one.piece == piece) {
                let falls = now + RATE.ticks(WARNING_S);
                world.script.cracking.push(Crack { piece, falls });
                let tiles = ObstacleTiles { table, obstacles: &mut world.obstacles };
                world.watch.foretell(piece, door.open, level, tiles)?;
            } else if !is_up {
                world.bodies.level.close_door(level, piece);
            }
        }
        Some(_) if is_up => {
            world.bodies.level.open_door(level, piece);
            world.script.doors = world.script.doors.saturating_add(1);
        }
        Some(_) if room => {
            world.bodies.level.close_door(level, piece);
            world.script.doors = world.script.doors.saturating_add(1);
        }
        None if world.bodies.level.damage_piece(level, piece, BLOW) => {
            world.script.broken = world.script.broken.saturating_add(1);
        }
        _ => {}
    }
    Ok(())
}

/// How many passages are shut, or about to be.
fn shut_count(level: &Level, world: &World) -> usize {
    let is_shut = |piece: PieceId| {
        let is_door = level.pieces().get(usize::from(piece.0)).is_some_and(|piece| piece.door.is_some());
        let is_opening = world.bodies.level.piece(piece).is_some_and(|state| state.is_opening);
        let cracks = world.script.cracking.iter().any(|one| one.piece == piece);
        is_door && (cracks || is_opening == is_slab(level, piece))
    };
    (0..level.pieces().len() as u16).filter(|&number| is_shut(PieceId(number))).count()
}
