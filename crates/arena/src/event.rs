//! What happens in the small games, and the one table by which it becomes core's game events.
//!
//! Metrics are counted from events only. One happening may be two events: a hit is the shooter's and the victim's.

use sentir::core::event::{EventKind, GameEvent};
use sentir::core::id::{AgentId, TeamId};
use sentir::core::tick::Tick;
use sentir::{Loop, Mind, State};
use sentir_level::PieceId;

use crate::armory::WeaponId;
use crate::round::RoundEvent;

/// Something that happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum ArenaEvent {
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
        /// Whether it was a friend, or he himself.
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

/// Who is named where a happening is nobody's: an id that names no agent.
pub fn nobody() -> AgentId {
    AgentId::from_bits(u64::MAX)
}

/// What happened, in words; `decision_name` is the scene's.
pub fn in_words(kind: EventKind, decision_name: impl Fn(u16) -> &'static str) -> String {
    match kind {
        EventKind::Spawned => "came".to_owned(),
        EventKind::Despawned => "left".to_owned(),
        EventKind::Teleported => "was moved by force".to_owned(),
        EventKind::Noticed { .. } => "noticed somebody".to_owned(),
        EventKind::Lost { .. } => "lost sight of somebody".to_owned(),
        EventKind::Decided { decision } => match decision_name(decision) {
            "" => format!("decided on {decision}"),
            name => format!("decided to {name}"),
        },
        EventKind::Arrived { .. } => "arrived".to_owned(),
        EventKind::Failed { cause, .. } => format!("gave up: {cause:?}"),
        EventKind::Overruled { .. } => "was overruled".to_owned(),
        EventKind::Released => "was released".to_owned(),
        EventKind::Said { word } => format!("said {word}"),
        EventKind::Forgot => "forgot".to_owned(),
        EventKind::BadBody => "had a body that is no number".to_owned(),
        EventKind::Custom { code: code::BREAKPOINT, .. } => "came to a breakpoint".to_owned(),
        EventKind::Custom { code, value } => match code::TABLE.iter().find(|(known, _)| *known == code) {
            Some((_, name)) => format!("{}: {value}", name.replace('_', " ")),
            None => format!("event {code}: {value}"),
        },
    }
}

/// The codes of the arena's own game events, in one block, clear of those of scenes (below 100).
pub mod code {
    /// A weapon was used; value: rounds.
    pub const SHOT: u16 = 100;
    /// Hurt another; value: health taken.
    pub const HIT: u16 = 101;
    /// The same, in the head; comes beside a hit. Value: health taken.
    pub const HEAD_HIT: u16 = 102;
    /// Was hurt; value: health lost.
    pub const HURT: u16 = 103;
    /// Killed a foe; value: 1.
    pub const KILL: u16 = 104;
    /// Killed a friend or oneself; value: 1.
    pub const FRIEND_KILL: u16 = 105;
    /// Died; value: 1.
    pub const DEATH: u16 = 106;
    /// Was passed by a shot; value: how near, m.
    pub const NEAR_MISS: u16 = 107;
    /// Began to reload; value: 1.
    pub const RELOAD: u16 = 108;
    /// Took an item; value: its number.
    pub const ITEM: u16 = 109;
    /// Got health back; value: how much.
    pub const HEAL: u16 = 110;
    /// Opened a door; value: the number of the piece.
    pub const DOOR_OPENED: u16 = 111;
    /// Closed a door; value: the number of the piece.
    pub const DOOR_CLOSED: u16 = 112;
    /// Broke a piece of the level; value: its number.
    pub const PIECE_BROKEN: u16 = 113;
    /// Something of one's own burst; value: how many it hurt.
    pub const BLAST: u16 = 114;
    /// A round began (nobody's); value: its number.
    pub const ROUND_BEGAN: u16 = 115;
    /// A round ended (nobody's); value: the winner's team, −1 for a draw.
    pub const ROUND_ENDED: u16 = 116;
    /// Was passed by a friend's shot; value: how near, m.
    pub const FRIEND_PASSED: u16 = 117;
    /// Did something stupid, of the first kind of [`stupidity::NAMES`](crate::stupidity::NAMES); the others follow. Value: 1.
    pub const STUPID: u16 = 118;
    /// A brain entered a breakpoint; value: the number of its part, see [`Story::part_name`](crate::story::Story::part_name).
    pub const BREAKPOINT: u16 = 126;

    /// Every code with its name, in order.
    pub const TABLE: &[(u16, &str)] = &[
        (SHOT, "shot"),
        (HIT, "hit"),
        (HEAD_HIT, "head_hit"),
        (HURT, "hurt"),
        (KILL, "kill"),
        (FRIEND_KILL, "friend_kill"),
        (DEATH, "death"),
        (NEAR_MISS, "near_miss"),
        (RELOAD, "reload"),
        (ITEM, "item"),
        (HEAL, "heal"),
        (DOOR_OPENED, "door_opened"),
        (DOOR_CLOSED, "door_closed"),
        (PIECE_BROKEN, "piece_broken"),
        (BLAST, "blast"),
        (ROUND_BEGAN, "round_began"),
        (ROUND_ENDED, "round_ended"),
        (FRIEND_PASSED, "friend_passed"),
        (STUPID, "stupid_walked_into_a_wall"),
        (STUPID + 1, "stupid_stuck"),
        (STUPID + 2, "stupid_ignored_a_shooter"),
        (STUPID + 3, "stupid_killed_a_friend"),
        (STUPID + 4, "stupid_reloaded_in_sight"),
        (STUPID + 5, "stupid_crossed_a_line_of_fire"),
        (STUPID + 6, "stupid_two_at_one_point"),
        (STUPID + 7, "stupid_wavered"),
        (BREAKPOINT, "breakpoint"),
    ];
}

/// Calls `visit` with the game events that a happening is.
pub fn game_events(event: &ArenaEvent, tick: Tick, mut visit: impl FnMut(GameEvent)) {
    let mut tell = |agent: AgentId, code: u16, value: f32| {
        visit(GameEvent { tick, agent, kind: EventKind::Custom { code, value } });
    };
    match *event {
        ArenaEvent::Fired { by, rounds, .. } => tell(by, code::SHOT, rounds as f32),
        ArenaEvent::Hurt { who, by, lost, is_head } => {
            if let Some(by) = by.filter(|by| *by != who) {
                tell(by, code::HIT, lost);
                if is_head {
                    tell(by, code::HEAD_HIT, lost);
                }
            }
            tell(who, code::HURT, lost);
        }
        ArenaEvent::Died { who, by, is_friend } => {
            if let Some(by) = by {
                tell(by, if is_friend { code::FRIEND_KILL } else { code::KILL }, 1.0);
            }
            tell(who, code::DEATH, 1.0);
        }
        ArenaEvent::NearMiss { who, apart_m, is_friend, .. } => {
            tell(who, if is_friend { code::FRIEND_PASSED } else { code::NEAR_MISS }, apart_m);
        }
        ArenaEvent::Reloaded { who } => tell(who, code::RELOAD, 1.0),
        ArenaEvent::Took { who, item } => tell(who, code::ITEM, item.into()),
        ArenaEvent::Healed { who, amount } => tell(who, code::HEAL, amount),
        ArenaEvent::Door { who, piece, opens } => {
            tell(who, if opens { code::DOOR_OPENED } else { code::DOOR_CLOSED }, piece.0.into());
        }
        ArenaEvent::Broke { by, piece } => tell(by.unwrap_or_else(nobody), code::PIECE_BROKEN, piece.0.into()),
        ArenaEvent::Burst { by, hurt } => tell(by, code::BLAST, hurt as f32),
        ArenaEvent::Round(RoundEvent::Began { number }) => tell(nobody(), code::ROUND_BEGAN, number as f32),
        ArenaEvent::Round(RoundEvent::Ended { winner, .. }) => {
            tell(nobody(), code::ROUND_ENDED, winner.map_or(-1.0, |TeamId(team)| team as f32));
        }
    }
}

/// Hands a happening to the loop, and its game events, with the side of whoever they are about, to the figures.
pub fn tell<M: Mind>(brains: &mut Loop<M>, event: &ArenaEvent, tick: Tick, mut count: impl FnMut(TeamId, &GameEvent)) {
    game_events(event, tick, |event| {
        if let Some(it) = brains.presence(event.agent) {
            count(it.team, &event);
        }
        brains.emit(event.agent, event.kind);
    });
}

/// How often each code came, and the sum of its values: what metrics are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Totals {
    /// How often, by place in [`code::TABLE`].
    pub counts: [u32; code::TABLE.len()],
    /// Sum of the values, by place in [`code::TABLE`]. Of those of 64-bit precision, so that long matches lose nothing.
    pub sums: [f64; code::TABLE.len()],
}

impl Totals {
    /// Adds one event; others than the arena's own are left alone.
    pub fn add(&mut self, event: &GameEvent) {
        if let EventKind::Custom { code, value } = event.kind
            && let Some(place) = place(code)
        {
            self.counts[place] = self.counts[place].saturating_add(1);
            self.sums[place] += f64::from(value);
        }
    }

    /// How often a code came.
    pub fn count(&self, code: u16) -> u32 {
        place(code).map_or(0, |place| self.counts[place])
    }

    /// The sum of its values.
    pub fn sum(&self, code: u16) -> f64 {
        place(code).map_or(0.0, |place| self.sums[place])
    }
}

fn place(code: u16) -> Option<usize> {
    let place = usize::from(code.checked_sub(code::SHOT)?);
    (place < code::TABLE.len()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir::core::state::{Noticed, perturb};

    fn agent(number: u64) -> AgentId {
        AgentId::from_bits(number << 32)
    }

    fn told(event: ArenaEvent) -> Vec<(AgentId, u16, f32)> {
        let mut all = Vec::new();
        game_events(&event, Tick(3), |one| {
            assert_eq!(one.tick, Tick(3));
            if let EventKind::Custom { code, value } = one.kind {
                all.push((one.agent, code, value));
            }
        });
        all
    }

    #[test]
    fn codes_are_in_one_block_and_in_order() {
        for (index, (number, name)) in (0..).zip(code::TABLE) {
            assert_eq!(*number, code::SHOT + index, "{name}");
            assert!(code::TABLE.iter().filter(|(_, other)| other == name).count() == 1);
        }
    }

    #[test]
    fn a_hit_is_the_shooters_and_the_victims() {
        let (me, foe) = (agent(1), agent(2));
        let hit = ArenaEvent::Hurt { who: foe, by: Some(me), lost: 30.0, is_head: true };
        assert_eq!(told(hit), [(me, code::HIT, 30.0), (me, code::HEAD_HIT, 30.0), (foe, code::HURT, 30.0)]);
        let own = ArenaEvent::Hurt { who: me, by: Some(me), lost: 5.0, is_head: false };
        assert_eq!(told(own), [(me, code::HURT, 5.0)]);
        let kill = ArenaEvent::Died { who: foe, by: Some(me), is_friend: false };
        assert_eq!(told(kill), [(me, code::KILL, 1.0), (foe, code::DEATH, 1.0)]);
        let friend = ArenaEvent::Died { who: foe, by: Some(me), is_friend: true };
        assert_eq!(told(friend)[0].1, code::FRIEND_KILL);
    }

    #[test]
    fn every_code_comes_from_some_happening_and_is_counted() {
        let (a, b) = (agent(1), agent(2));
        let piece = PieceId(4);
        let all = [
            ArenaEvent::Fired { by: a, weapon: WeaponId(0), rounds: 3 },
            ArenaEvent::Hurt { who: b, by: Some(a), lost: 12.5, is_head: true },
            ArenaEvent::Died { who: b, by: Some(a), is_friend: false },
            ArenaEvent::Died { who: b, by: Some(b), is_friend: true },
            ArenaEvent::NearMiss { who: b, by: a, apart_m: 0.5, is_friend: false },
            ArenaEvent::NearMiss { who: b, by: a, apart_m: 0.5, is_friend: true },
            ArenaEvent::Reloaded { who: a },
            ArenaEvent::Took { who: a, item: 2 },
            ArenaEvent::Healed { who: a, amount: 20.0 },
            ArenaEvent::Door { who: a, piece, opens: true },
            ArenaEvent::Door { who: a, piece, opens: false },
            ArenaEvent::Broke { by: None, piece },
            ArenaEvent::Burst { by: a, hurt: 2 },
            ArenaEvent::Round(RoundEvent::Began { number: 2 }),
            ArenaEvent::Round(RoundEvent::Ended { winner: None, is_over: true }),
        ];
        let mut totals = Totals::default();
        all.iter().for_each(|event| game_events(event, Tick(0), |one| totals.add(&one)));
        totals.add(&GameEvent { tick: Tick(0), agent: a, kind: EventKind::Custom { code: 7, value: 1.0 } });
        totals.add(&GameEvent { tick: Tick(0), agent: a, kind: EventKind::Spawned });
        // What is stupid is found by those who watch, not told by the rules.
        for (number, name) in code::TABLE.iter().filter(|(number, _)| *number < code::STUPID) {
            assert!(totals.count(*number) > 0, "nothing is a {name}");
        }
        let stupid_codes = code::STUPID..code::BREAKPOINT;
        let stupid = code::TABLE.iter().filter(|(number, _)| stupid_codes.contains(number)).map(|(_, name)| *name);
        assert_eq!(stupid.collect::<Vec<_>>(), crate::stupidity::NAMES);
        assert_eq!((totals.count(code::DEATH), totals.sum(code::SHOT), totals.sum(code::HURT)), (2, 3.0, 12.5));
        assert_eq!((totals.sum(code::ROUND_ENDED), totals.count(7), totals.sum(9000)), (-1.0, 0, 0.0));
        assert!(perturb(&totals).iter().all(|one| one.outcome == Noticed::Yes));
        assert!(all.iter().all(|event| perturb(event).iter().all(|one| one.outcome != Noticed::No)));
    }
}
