//! What happens in the small games, and the game events of core that it becomes.
//!
//! Metrics are counted from events only. One happening may be two events: a hit is the shooter's and the victim's.

use std::ops::Range;

use sentir::core::blunder::Blunder;
use sentir::core::event::{EventKind, EventTag};
use sentir::core::id::{AgentId, TeamId};
use sentir::{Loop, Mind, State};
use sentir_level::PieceId;

use crate::armory::WeaponId;
use crate::round::RoundEvent;

/// Something that happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum SimEvent {
    /// Somebody used a weapon.
    Fired {
        /// Who.
        by: AgentId,
        /// Which.
        weapon: WeaponId,
        /// Rounds, strikes or throws.
        rounds: u32,
    },
    /// Somebody was hurt.
    Hurt {
        /// Who.
        who: AgentId,
        /// By whom, if by anybody.
        by: Option<AgentId>,
        /// Health lost.
        lost: f32,
        /// Whether by a hit of a shot or strike in the head.
        is_head: bool,
    },
    /// Somebody died.
    Died {
        /// Who.
        who: AgentId,
        /// By whom, if by anybody.
        by: Option<AgentId>,
        /// Whether that was a friend, or the shooter.
        is_friend: bool,
    },
    /// A shot passed somebody.
    NearMiss {
        /// Whom.
        who: AgentId,
        /// Whose shot.
        by: AgentId,
        /// How near, m.
        apart_m: f32,
        /// Whether it was a friend's.
        is_friend: bool,
    },
    /// Somebody began to reload.
    Reloaded {
        /// Who.
        who: AgentId,
    },
    /// Somebody took an item.
    Took {
        /// Who.
        who: AgentId,
        /// Which, by number.
        item: u16,
    },
    /// Somebody got health back.
    Healed {
        /// Who.
        who: AgentId,
        /// How much.
        amount: f32,
    },
    /// Somebody opened or closed a door.
    Door {
        /// Who.
        who: AgentId,
        /// Which.
        piece: PieceId,
        /// Whether it opens.
        opens: bool,
    },
    /// A piece of the level broke.
    Broke {
        /// By whom, if by anybody.
        by: Option<AgentId>,
        /// Which.
        piece: PieceId,
    },
    /// Something burst.
    Burst {
        /// Whose.
        by: AgentId,
        /// How many it hurt.
        hurt: u32,
    },
    /// A round began or ended.
    Round(RoundEvent),
}

/// Calls `visit` with the game events that a happening is, and the agent that each is about.
pub fn game_events(event: &SimEvent, mut visit: impl FnMut(Option<AgentId>, EventKind)) {
    match *event {
        SimEvent::Fired { by, rounds, .. } => visit(Some(by), EventKind::Fired { rounds }),
        SimEvent::Hurt { who, by, lost: damage, is_head } => {
            if let Some(by) = by.filter(|by| *by != who) {
                visit(Some(by), EventKind::Hit { damage });
                if is_head {
                    visit(Some(by), EventKind::HeadHit { damage });
                }
            }
            visit(Some(who), EventKind::Hurt { damage });
        }
        SimEvent::Died { who, by, is_friend } => {
            if by.is_some() {
                visit(by, if is_friend { EventKind::KilledFriend } else { EventKind::Killed });
            }
            visit(Some(who), EventKind::Died);
        }
        SimEvent::NearMiss { who, apart_m, is_friend: true, .. } => {
            visit(Some(who), EventKind::FriendNearMiss { apart_m });
        }
        SimEvent::NearMiss { who, apart_m, .. } => visit(Some(who), EventKind::NearMiss { apart_m }),
        SimEvent::Reloaded { who } => visit(Some(who), EventKind::Reloaded),
        SimEvent::Took { who, item } => visit(Some(who), EventKind::TookItem { item }),
        SimEvent::Healed { who, amount: health } => visit(Some(who), EventKind::Healed { health }),
        SimEvent::Door { who, piece: PieceId(piece), opens } => {
            visit(Some(who), if opens { EventKind::DoorOpened { piece } } else { EventKind::DoorClosed { piece } });
        }
        SimEvent::Broke { by, piece: PieceId(piece) } => visit(by, EventKind::PieceBroken { piece }),
        SimEvent::Burst { by, hurt } => visit(Some(by), EventKind::Blast { hurt }),
        SimEvent::Round(RoundEvent::Began { number }) => visit(None, EventKind::RoundBegan { number }),
        SimEvent::Round(RoundEvent::Ended { winner, .. }) => visit(None, EventKind::RoundEnded { winner }),
    }
}

/// Emits the game events of a happening; `count` gets those of agents that are there, with the side of each.
pub fn emit<M: Mind>(brains: &mut Loop<M>, event: &SimEvent, mut count: impl FnMut(TeamId, EventKind)) {
    game_events(event, |agent, kind| {
        if let Some(it) = agent.and_then(|agent| brains.presence(agent)) {
            count(it.team, kind);
        }
        brains.emit(agent, kind);
    });
}

/// The first kind that is counted; those of the loop itself stand before it.
const FIRST: usize = EventTag::Fired as usize;
/// The places of blunders: one for each kind.
const BLUNDERS: Range<usize> =
    EventTag::Blunder as usize - FIRST..EventTag::Blunder as usize - FIRST + Blunder::ALL.len();
/// How many places there are: the last is that of breakpoints.
const PLACES: usize = BLUNDERS.end + 1;

/// How often each kind of event came, and the sum of its amounts: what metrics are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Totals {
    /// How often, by place.
    counts: [u32; PLACES],
    /// Sum of the amounts, by place. Of those of 64-bit precision, so that long matches lose nothing.
    sums: [f64; PLACES],
}

impl Totals {
    /// Adds one event; those of the loop itself and a scene's own are left alone.
    pub fn add(&mut self, kind: EventKind) {
        let places = places(kind.tag());
        let place = match kind {
            EventKind::Blunder { kind } => places.start + kind as usize,
            _ => places.start,
        };
        if places.contains(&place) {
            self.counts[place] = self.counts[place].saturating_add(1);
            self.sums[place] += kind.amount();
        }
    }

    /// How often a kind came.
    pub fn count(&self, tag: EventTag) -> u32 {
        self.counts[places(tag)].iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The sum of its amounts.
    pub fn sum(&self, tag: EventTag) -> f64 {
        self.sums[places(tag)].iter().sum()
    }
}

/// Where a kind is counted; empty for those that are not.
fn places(tag: EventTag) -> Range<usize> {
    match tag {
        EventTag::Blunder => BLUNDERS,
        EventTag::Breakpoint => BLUNDERS.end..PLACES,
        EventTag::Custom => 0..0,
        _ => (tag as usize).checked_sub(FIRST).map_or(0..0, |place| place..place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir::core::state::{Noticed, perturb};

    fn agent(number: u64) -> AgentId {
        AgentId::from_bits(number << 32)
    }

    fn events_of(event: SimEvent) -> Vec<(Option<AgentId>, EventKind)> {
        let mut all = Vec::new();
        game_events(&event, |agent, kind| all.push((agent, kind)));
        all
    }

    #[test]
    fn a_hit_is_the_shooters_and_the_victims() {
        let (me, foe) = (agent(1), agent(2));
        let hit = SimEvent::Hurt { who: foe, by: Some(me), lost: 30.0, is_head: true };
        let damage = 30.0;
        let both = [
            (Some(me), EventKind::Hit { damage }),
            (Some(me), EventKind::HeadHit { damage }),
            (Some(foe), EventKind::Hurt { damage }),
        ];
        assert_eq!(events_of(hit), both);
        let own = SimEvent::Hurt { who: me, by: Some(me), lost: 5.0, is_head: false };
        assert_eq!(events_of(own), [(Some(me), EventKind::Hurt { damage: 5.0 })]);
        let kill = SimEvent::Died { who: foe, by: Some(me), is_friend: false };
        assert_eq!(events_of(kill), [(Some(me), EventKind::Killed), (Some(foe), EventKind::Died)]);
        let friend = SimEvent::Died { who: foe, by: Some(me), is_friend: true };
        assert_eq!(events_of(friend)[0].1, EventKind::KilledFriend);
        let alone = SimEvent::Died { who: foe, by: None, is_friend: false };
        assert_eq!(events_of(alone), [(Some(foe), EventKind::Died)]);
    }

    #[test]
    fn every_kind_comes_from_some_happening_and_is_counted() {
        let (a, b) = (agent(1), agent(2));
        let piece = PieceId(4);
        let all = [
            SimEvent::Fired { by: a, weapon: WeaponId(0), rounds: 3 },
            SimEvent::Hurt { who: b, by: Some(a), lost: 12.5, is_head: true },
            SimEvent::Died { who: b, by: Some(a), is_friend: false },
            SimEvent::Died { who: b, by: Some(b), is_friend: true },
            SimEvent::NearMiss { who: b, by: a, apart_m: 0.5, is_friend: false },
            SimEvent::NearMiss { who: b, by: a, apart_m: 0.5, is_friend: true },
            SimEvent::Reloaded { who: a },
            SimEvent::Took { who: a, item: 2 },
            SimEvent::Healed { who: a, amount: 20.0 },
            SimEvent::Door { who: a, piece, opens: true },
            SimEvent::Door { who: a, piece, opens: false },
            SimEvent::Broke { by: None, piece },
            SimEvent::Burst { by: a, hurt: 2 },
            SimEvent::Round(RoundEvent::Began { number: 2 }),
            SimEvent::Round(RoundEvent::Ended { winner: None, is_over: true }),
        ];
        let mut totals = Totals::default();
        all.iter().for_each(|event| game_events(event, |_, kind| totals.add(kind)));
        let counted = &EventTag::ALL[FIRST..EventTag::Blunder as usize];
        assert!(counted.iter().all(|tag| totals.count(*tag) > 0), "{totals:?}");
        assert_eq!((totals.count(EventTag::Died), totals.sum(EventTag::Fired)), (2, 3.0));
        assert_eq!((totals.sum(EventTag::Hurt), totals.sum(EventTag::Killed)), (12.5, 1.0));
        assert!(perturb(&totals).iter().all(|one| one.outcome == Noticed::Yes));
        assert!(all.iter().all(|event| perturb(event).iter().all(|one| one.outcome != Noticed::No)));
    }

    #[test]
    fn blunders_and_breakpoints_are_counted_apart_and_what_is_not_the_games_is_not() {
        let mut totals = Totals::default();
        for kind in Blunder::ALL {
            totals.add(EventKind::Blunder { kind });
        }
        totals.add(EventKind::Breakpoint { part: 7 });
        totals.add(EventKind::Breakpoint { part: 7 });
        totals.add(EventKind::Custom { code: 7, value: 1.0 });
        totals.add(EventKind::Spawned);
        assert_eq!(totals.counts[BLUNDERS], [1; Blunder::ALL.len()]);
        assert_eq!(totals.count(EventTag::Blunder) as usize, Blunder::ALL.len());
        assert_eq!((totals.count(EventTag::Breakpoint), totals.counts[PLACES - 1]), (2, 2));
        assert_eq!((totals.count(EventTag::Custom), totals.count(EventTag::Spawned)), (0, 0));
        assert_eq!(totals.counts.iter().sum::<u32>() as usize, Blunder::ALL.len() + 2);
    }
}
