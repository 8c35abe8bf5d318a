//! Game events: small facts about what happened, always on. Every metric is counted from them.
//!
//! Each kind is one row of the table below: its fields, its words, and the amount that is summed up where it is counted.

use sentir_derive::State;

use crate::blunder::Blunder;
use crate::id::{AgentId, TeamId};
use crate::intent::Ticket;
use crate::outcome::Cause;
use crate::tick::Tick;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct GameEvent {
    /// When.
    pub tick: Tick,
    /// To which agent, or by which; none for what is no agent's.
    pub agent: Option<AgentId>,
    /// What.
    pub kind: EventKind,
}

/// Declares [`EventKind`] and [`EventTag`] from one row a kind: the variant with its fields, the words (which may use the
/// fields and the function that names decisions), and the amount, 1 where none is given.
macro_rules! events {
    (
        |$decision_name:ident|
        $($(#[$about:meta])* $kind:ident $({ $($(#[$note:meta])* $field:ident: $type:ty,)+ })?
            => $words:expr $(, amount $amount:expr)?;)+
    ) => {
        /// What can happen. Numbers (`decision`, `word`, `item`, `piece`, `part`, `code`) are indices into the game's own
        /// tables.
        #[derive(Clone, Copy, Debug, PartialEq, State)]
        pub enum EventKind {
            $($(#[$about])* $kind $({ $($(#[$note])* $field: $type,)+ })?,)+
        }

        /// A kind of event without what it carries: what is counted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum EventTag {
            $($(#[$about])* $kind,)+
        }

        impl EventKind {
            /// The kind without what it carries.
            pub fn tag(&self) -> EventTag {
                match self {
                    $(EventKind::$kind { .. } => EventTag::$kind,)+
                }
            }

            /// What happened, in words; `decision_name` is the game's, and empty where a decision has no name.
            #[allow(unused_variables, reason = "most words use no field")]
            pub fn words(&self, $decision_name: impl Fn(u16) -> &'static str) -> String {
                match *self {
                    $(EventKind::$kind $({ $($field),+ })? => $words.into(),)+
                }
            }

            /// How much or how many it was, or the number of what it was about; 1 for what has no number.
            #[allow(unused_variables, reason = "not every field is an amount")]
            pub fn amount(&self) -> f64 {
                match *self {
                    $(EventKind::$kind $({ $($field),+ })? => [$(f64::from($amount),)? 1.0][0],)+
                }
            }
        }

        impl EventTag {
            /// All kinds, in the order of the table.
            pub const ALL: &[EventTag] = &[$(EventTag::$kind),+];
        }
    };
}

events! {
    |decision_name|
    /// It came into the world.
    Spawned => "came";
    /// It left the world.
    Despawned => "left";
    /// The host moved it by force.
    Teleported => "was moved by force";
    /// It noticed another.
    Noticed {
        /// Whom.
        other: AgentId,
    } => "noticed somebody";
    /// It no longer sees another.
    Lost {
        /// Whom.
        other: AgentId,
    } => "lost sight of somebody";
    /// It changed its mind.
    Decided {
        /// To what.
        decision: u16,
    } => match decision_name(decision) {
        "" => format!("decided on {decision}"),
        name => format!("decided to {name}"),
    };
    /// It reached a goal.
    Arrived {
        /// Which.
        ticket: Ticket,
    } => "arrived";
    /// It gave up a goal.
    Failed {
        /// Which.
        ticket: Ticket,
        /// Why.
        cause: Cause,
    } => format!("gave up: {cause:?}");
    /// Its squad overruled it.
    Overruled {
        /// Which of its wishes was put aside; the empty ticket if it wanted to go nowhere or the order is about other things.
        ticket: Ticket,
    } => "was overruled";
    /// Its squad's order ended.
    Released => "was released";
    /// It said something to its team.
    Said {
        /// Which word.
        word: u16,
    } => format!("said {word}");
    /// An outcome was dropped because the brain had not thought for too long.
    Forgot => "forgot";
    /// The host gave a body that is not finite, or absurd; the old one was kept.
    BadBody => "had a body that is no number";
    /// It used a weapon.
    Fired {
        /// Rounds, strikes or throws.
        rounds: u32,
    } => format!("fired {rounds}"), amount rounds;
    /// It hurt another.
    Hit {
        /// Health taken.
        damage: f32,
    } => format!("hit for {damage}"), amount damage;
    /// The same, in the head; comes beside a hit.
    HeadHit {
        /// Health taken.
        damage: f32,
    } => format!("hit a head for {damage}"), amount damage;
    /// It was hurt.
    Hurt {
        /// Health lost.
        damage: f32,
    } => format!("lost {damage} health"), amount damage;
    /// It killed an enemy.
    Killed => "killed an enemy";
    /// It killed a friend or itself.
    KilledFriend => "killed a friend";
    /// It died.
    Died => "died";
    /// A shot passed it.
    NearMiss {
        /// How near, m.
        apart_m: f32,
    } => format!("was missed by {apart_m} m"), amount apart_m;
    /// It began to reload.
    Reloaded => "began to reload";
    /// It took an item.
    TookItem {
        /// Which.
        item: u16,
    } => format!("took item {item}"), amount item;
    /// It got health back.
    Healed {
        /// How much.
        health: f32,
    } => format!("got {health} health back"), amount health;
    /// It opened a door.
    DoorOpened {
        /// Which piece of the level.
        piece: u16,
    } => format!("opened door {piece}"), amount piece;
    /// It closed a door.
    DoorClosed {
        /// Which piece of the level.
        piece: u16,
    } => format!("closed door {piece}"), amount piece;
    /// It broke a piece of the level; without an agent, the piece broke.
    PieceBroken {
        /// Which.
        piece: u16,
    } => format!("broke piece {piece}"), amount piece;
    /// Something of its own burst.
    Blast {
        /// How many it hurt.
        hurt: u32,
    } => format!("caused a blast that hurt {hurt}"), amount hurt;
    /// A round began; no agent's.
    RoundBegan {
        /// Its number.
        number: u32,
    } => format!("round {number} began"), amount number;
    /// A round ended; no agent's.
    RoundEnded {
        /// The team that won; none for a draw.
        winner: Option<TeamId>,
    } => match winner {
        Some(TeamId(team)) => format!("team {team} won the round"),
        None => "the round was a draw".to_owned(),
    };
    /// A friend's shot passed it.
    FriendNearMiss {
        /// How near, m.
        apart_m: f32,
    } => format!("was missed by a friend by {apart_m} m"), amount apart_m;
    /// It did what a player would laugh at.
    Blunder {
        /// What.
        kind: Blunder,
    } => format!("was stupid: {}", kind.title());
    /// Its brain entered a breakpoint.
    Breakpoint {
        /// Which part of the brain.
        part: u32,
    } => "came to a breakpoint";
    /// Something of the game's own.
    Custom {
        /// Which kind, by the game's own codes.
        code: u16,
        /// How much.
        value: f32,
    } => format!("event {code}: {value}"), amount value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Noticed, perturb};

    #[test]
    fn events_are_small() {
        assert!(size_of::<EventKind>() <= 12 && size_of::<GameEvent>() <= 32);
    }

    #[test]
    fn words_tell_what_is_carried_and_who_won() {
        let words = |kind: EventKind| kind.words(|decision| if decision == 2 { "hide" } else { "" });
        assert_eq!(words(EventKind::Decided { decision: 2 }), "decided to hide");
        assert_eq!(words(EventKind::Decided { decision: 3 }), "decided on 3");
        assert_eq!(words(EventKind::Hurt { damage: 12.5 }), "lost 12.5 health");
        assert_eq!(words(EventKind::Blunder { kind: Blunder::TwoAtOnePoint }), "was stupid: two at one point");
        assert_eq!(words(EventKind::RoundEnded { winner: Some(TeamId(1)) }), "team 1 won the round");
        assert_eq!(words(EventKind::RoundEnded { winner: None }), "the round was a draw");
    }

    #[test]
    fn amounts_are_what_is_carried_and_else_one() {
        assert_eq!(EventKind::Fired { rounds: 3 }.amount(), 3.0);
        assert_eq!(EventKind::Healed { health: 20.5 }.amount(), 20.5);
        assert_eq!((EventKind::Died.amount(), EventKind::Spawned.amount()), (1.0, 1.0));
    }

    #[test]
    fn tags_are_in_the_order_of_the_table() {
        assert!(EventTag::ALL.iter().enumerate().all(|(place, tag)| *tag as usize == place));
        assert_eq!(EventKind::Fired { rounds: 1 }.tag(), EventTag::Fired);
        assert_eq!(EventTag::ALL.last(), Some(&EventKind::Custom { code: 0, value: 0.0 }.tag()));
    }

    #[test]
    fn every_field_of_an_event_is_state() {
        let kinds = [EventKind::RoundEnded { winner: Some(TeamId(1)) }, EventKind::Blunder { kind: Blunder::Stuck }];
        for kind in kinds {
            let event = GameEvent { tick: Tick(3), agent: Some(AgentId::from_bits(1)), kind };
            assert!(perturb(&event).iter().all(|one| one.outcome != Noticed::No), "{event:?}");
        }
    }
}
