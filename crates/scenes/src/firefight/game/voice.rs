//! What soldiers call out, for ears of people alone: no mind hears it. Made of the events of the last tick.

use sentir::prelude::*;
use sentir::squad::soldier::SoldierBehavior;
use sentir_harness::scene::MatchView;
use sentir_harness::sound::{Sound, SoundKind, loudness};

use super::{Firefight, SOLDIER_TEAM};

/// How far a call and a cry carry, m.
const CALL_M: f32 = 20.0;
const CRY_M: f32 = 25.0;

/// Adds a call for each soldier who has something to say, and a cry for who died.
pub(super) fn speak(view: MatchView<'_, Firefight>, list: &mut Vec<Sound>) {
    let brains = view.brains;
    let soldiers = brains.motions().map(|(it, _)| it).filter(|it| it.team == SOLDIER_TEAM);
    for it in soldiers {
        let own = view.events.iter().filter(|event| event.agent == Some(it.agent));
        let said = own.filter_map(|event| words(brains.presence(other_of(event.kind)), event.kind)).next();
        if let Some(text) = said {
            list.push(Sound::new(SoundKind::Voice, it.body.eye(), loudness(CALL_M), Some(it.key)).saying(text));
        }
    }
    for dead in view.world.felt.fallen().iter().filter(|dead| dead.at == brains.tick()) {
        list.push(Sound::new(SoundKind::Voice, dead.pose.position, loudness(CRY_M), Some(dead.key)));
    }
}

/// Whom an event is about beside its agent; nobody for most.
fn other_of(kind: EventKind) -> AgentId {
    match kind {
        EventKind::Noticed { other } | EventKind::Lost { other } => other,
        _ => AgentId::from_bits(u64::MAX),
    }
}

/// What one says about an event; nothing about friends, and nothing that is no news to them.
fn words(other: Option<&Presence>, kind: EventKind) -> Option<&'static str> {
    let is_foe = other.is_some_and(|other| other.team != SOLDIER_TEAM);
    match kind {
        EventKind::Noticed { .. } if is_foe => Some("Contact!"),
        EventKind::Lost { .. } if is_foe => Some("Lost him!"),
        EventKind::Reloaded => Some("Reloading!"),
        EventKind::Decided { decision } => match SoldierBehavior::ALL.get(usize::from(decision))? {
            SoldierBehavior::Search => Some("Search for him!"),
            SoldierBehavior::Hide => Some("Taking cover!"),
            SoldierBehavior::Push => Some("Moving up!"),
            SoldierBehavior::Rush => Some("Rush him!"),
            SoldierBehavior::Supply => Some("Out of rounds!"),
            _ => None,
        },
        _ => None,
    }
}
