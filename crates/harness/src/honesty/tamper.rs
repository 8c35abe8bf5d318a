//! What can be changed behind everybody's back, and how one such change is chosen.

use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir_level::{Level, PieceId};

use super::truth::Truth;
use sentir_sim::body_set::BodySet;

/// Keys of those who are added begin here; no scene has so many.
pub const ADDED_KEY: u64 = 1 << 63;

/// One change of a world.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Tamper {
    /// Somebody is somewhere else.
    Moved {
        /// Who.
        key: HostKey,
        /// Where now.
        to: Pose,
    },
    /// Somebody new, of the team and kind of another.
    Added {
        /// Who.
        key: HostKey,
        /// Like whom.
        like: HostKey,
        /// Where.
        at: Pose,
    },
    /// Somebody is gone.
    Removed {
        /// Who.
        key: HostKey,
    },
    /// A door that was open closes, or the other way round.
    Door {
        /// Which piece of the level.
        piece: u16,
    },
    /// A noise.
    Noise {
        /// Where, m.
        position: Vec3,
        /// How far it carries, m.
        range_m: f32,
    },
    /// An item that lay there is taken, or the other way round.
    Item {
        /// Which.
        number: u16,
    },
}

/// What kinds of changes a scene can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Others may be moved.
    pub moves: bool,
    /// Others may be added.
    pub adds: bool,
    /// Others may be removed.
    pub removes: bool,
    /// How many items there are.
    pub items: u16,
}

impl Allowed {
    /// Everybody may be moved, added and removed.
    pub const ALL: Allowed = Allowed { moves: true, adds: true, removes: true, items: 0 };
    /// Nobody may be removed: the scene keeps figures or roles by the order of its people.
    pub const LISTED: Allowed = Allowed { removes: false, ..Allowed::ALL };
    /// Strangers may come: all others are of one squad, which is told where its members are.
    pub const STRANGERS: Allowed = Allowed { moves: false, ..Allowed::LISTED };
}

impl Tamper {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Tamper::Moved { .. } => "moved",
            Tamper::Added { .. } => "added",
            Tamper::Removed { .. } => "removed",
            Tamper::Door { .. } => "door",
            Tamper::Noise { .. } => "noise",
            Tamper::Item { .. } => "item",
        }
    }

    /// Whose decisions are not compared: who is changed himself knows it.
    pub fn key(&self) -> Option<HostKey> {
        match *self {
            Tamper::Moved { key, .. } | Tamper::Added { key, .. } | Tamper::Removed { key } => Some(key),
            _ => None,
        }
    }
}

/// A change to try, by chance; none if this draw came to nothing. `keys` are those who may be changed.
pub fn choose(truth: &dyn Truth, keys: &[HostKey], allowed: &Allowed, number: u64, rng: &mut Stream) -> Option<Tamper> {
    let bounds = truth.bounds();
    let place = |rng: &mut Stream| {
        let share = Vec3::new(rng.unit(), rng.unit(), rng.unit());
        let point = bounds.low + (bounds.high - bounds.low) * share;
        Vec3::new(point.x, if rng.chance(0.5) { 0.0 } else { point.y }, point.z)
    };
    let somebody = rng.pick(keys).copied();
    match rng.below(8) {
        0..=2 if allowed.moves => {
            let to = Pose { position: truth.footing(place(rng))?, yaw: rng.between(-3.0, 3.0) };
            Some(Tamper::Moved { key: somebody?, to })
        }
        3 | 4 if allowed.adds => {
            let at = Pose { position: truth.footing(place(rng))?, yaw: rng.between(-3.0, 3.0) };
            Some(Tamper::Added { key: HostKey(ADDED_KEY + number), like: somebody?, at })
        }
        5 if allowed.removes => Some(Tamper::Removed { key: somebody? }),
        6 if allowed.items > 0 && rng.chance(0.5) => {
            Some(Tamper::Item { number: rng.below(u32::from(allowed.items)) as u16 })
        }
        6 => rng.pick(&truth.doors()).map(|&piece| Tamper::Door { piece }),
        7 => Some(Tamper::Noise { position: place(rng) + Vec3::Y, range_m: rng.between(2.0, 15.0) }),
        _ => None,
    }
}

/// Makes a change, but for items, which are the scene's. Whether there was anything to change.
pub fn apply<M: Mind>(brains: &mut Loop<M>, bodies: &mut BodySet, level: &Level, tamper: &Tamper) -> bool {
    match *tamper {
        Tamper::Moved { key, to } => {
            let Some(agent) = brains.agent_of(key) else { return false };
            bodies.put(key, to) && brains.teleport(agent, to)
        }
        Tamper::Added { key, like, at } => {
            let model = brains.agent_of(like).and_then(|agent| brains.presence(agent)).copied();
            let (Some(model), Some(kind)) = (model, bodies.kind_of(like)) else { return false };
            let body = bodies.add(key, kind, at).body();
            join(brains, &model, key, body)
        }
        Tamper::Removed { key } => {
            let Some(agent) = brains.agent_of(key) else { return false };
            bodies.remove(key) && brains.despawn(agent)
        }
        Tamper::Door { piece } => {
            let id = PieceId(piece);
            let Some(is_open) = bodies.level.piece(id).map(|piece| piece.is_opening) else { return false };
            if is_open {
                bodies.level.close_door(level, id);
            } else {
                bodies.level.lock_door(id, false);
                bodies.level.open_door(level, id);
            }
            true
        }
        Tamper::Noise { position, range_m } => {
            brains.noise(Noise { position, range_m, by: None, at: brains.tick() });
            true
        }
        Tamper::Item { .. } => false,
    }
}

/// Brings in one like another: of its team and kind, and with the very thoughts it has now. Not while the id of somebody who
/// left waits to be given again: whoever came next would get another one, and ids are no secret of a mind's.
pub fn join<M: Mind>(brains: &mut Loop<M>, model: &Presence, key: HostKey, body: Body) -> bool {
    // A copy by the bytes of its state, for a brain need not be one that can be cloned.
    let thoughts = brains.brain(model.agent).map(state::to_bytes).unwrap_or_default();
    let brain = state::from_bytes(&thoughts).unwrap_or_default();
    let &Presence { team, squad, kind, .. } = model;
    let spec = AgentSpec { team, squad, kind, body, ..AgentSpec::new(key) };
    let agent = brains.spawn_with(spec, brain);
    agent.is_ok_and(|agent| agent == AgentId::from_bits((agent.index() as u64) << 32))
}

/// A short sentence: who or what, and where.
pub fn sentence(tamper: &Tamper) -> String {
    let spot = |place: Vec3| {
        let ground = plane::ground(place);
        format!("({:.0}, {:.0})", ground.x, ground.y)
    };
    match *tamper {
        Tamper::Moved { key, to } => format!("{} moved to {}", key.0, spot(to.position)),
        Tamper::Added { like, at, .. } => format!("one like {} added at {}", like.0, spot(at.position)),
        Tamper::Removed { key } => format!("{} removed", key.0),
        Tamper::Door { piece } => format!("door {piece} turned"),
        Tamper::Noise { position, range_m } => format!("noise of {range_m:.0} m at {}", spot(position)),
        Tamper::Item { number } => format!("item {number} turned"),
    }
}
