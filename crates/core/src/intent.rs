//! Intents: what a brain wants its body to do. Movement reads them; a squad may overrule them, visibly.

use glam::Vec3;
use sentir_derive::State;

use crate::body::Stance;
use crate::id::{AgentId, TeamId};

/// Names one request of an agent, so that its outcome can be told apart. Counts up; 0 names none; from
/// [`Ticket::ORDERED`] on they name what the squad ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct Ticket(pub u32);

impl Ticket {
    /// The first ticket of orders.
    pub const ORDERED: Ticket = Ticket(1 << 31);

    /// The next one of the same sort: past the last of either, they start anew.
    pub fn next(self) -> Ticket {
        match self.0 {
            0x7fff_ffff => Ticket(1),
            u32::MAX => Ticket::ORDERED,
            number => Ticket(number + 1),
        }
    }

    /// Whether it names an order of the squad rather than a wish of the agent's own.
    pub fn is_order(self) -> bool {
        self >= Ticket::ORDERED
    }
}

/// How a way is to be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Manner {
    /// The shortest way.
    #[default]
    Shortest,
    /// The way on which known watchers see least of one.
    Safest,
    /// Straight ahead, no path.
    Straight,
}

/// A wish to be somewhere.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Travel {
    /// Where, m.
    pub goal: Vec3,
    /// By which kind of way.
    pub manner: Manner,
    /// How fast, m/s. Limit: ≥ 0; the body has its own.
    pub pace_m_per_s: f32,
    /// How near counts as there, m. Limit: ≥ 0.
    pub arrive_m: f32,
}

/// Where to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum Gaze {
    /// Where the body goes.
    #[default]
    Ahead,
    /// At a place.
    At(Vec3),
    /// Along a yaw, rad.
    Along(f32),
}

/// What the brain asks of eyes that can be turned and closed; other senses need not heed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Attention {
    /// How far the eyes are turned from where the body faces, rad; left is positive.
    pub turn_rad: f32,
    /// Whether nothing that could be seen matters now: then no picture need be made.
    pub is_idle: bool,
    /// Whether what is hard to pass counts as a way, too, for want of any other.
    pub is_daring: bool,
}

/// What to do with the hands and feet, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Actions(pub u16);

impl Actions {
    /// Pull the trigger.
    pub const FIRE: Actions = Actions(1);
    /// Fill the magazine.
    pub const RELOAD: Actions = Actions(2);
    /// Leave the ground.
    pub const JUMP: Actions = Actions(4);
    /// Open, take, press what is in front.
    pub const USE: Actions = Actions(8);
    /// Strike.
    pub const MELEE: Actions = Actions(16);
    /// Throw.
    pub const THROW: Actions = Actions(32);

    /// Whether all of `other` are in the set.
    pub fn contains(self, other: Actions) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with `other` added.
    pub fn with(self, other: Actions) -> Actions {
        Actions(self.0 | other.0)
    }
}

/// Something to tell the own team.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Say {
    /// Which word; numbers are the game's.
    pub word: u16,
    /// The place it is about, m.
    pub place: Option<Vec3>,
    /// The one it is about.
    pub who: Option<AgentId>,
    /// On which side that one is, where one knows.
    pub team: Option<TeamId>,
}

/// A question whose answer comes back as an outcome.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Ask {
    /// Names it.
    pub ticket: Ticket,
    /// What is asked.
    pub question: Question,
}

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Question {
    /// A way to a place.
    Path {
        /// Where to, m.
        goal: Vec3,
        /// By which kind of way.
        manner: Manner,
    },
    /// The best place by an environment query.
    Place {
        /// Which query; numbers are the game's.
        query: u16,
    },
}

/// Everything one brain wants now. Stays until the brain changes it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Intents {
    travel: Option<Travel>,
    ticket: Ticket,
    /// The last ticket given out.
    issued: Ticket,
    /// By which set of steering behaviors to move; numbers are the game's.
    pub behavior: u16,
    /// Where to look.
    pub gaze: Gaze,
    /// What to look for.
    pub attention: Attention,
    /// How to hold oneself.
    pub stance: Stance,
    /// What to do with hands and feet.
    pub actions: Actions,
    /// What to tell the team, now. Taken away once sent.
    pub says: Vec<Say>,
    /// What to ask, now. Taken away once asked.
    pub asks: Vec<Ask>,
}

impl Intents {
    /// Goes somewhere. The same wish again keeps its ticket; another one gets a new ticket, by which its outcome is
    /// known.
    pub fn go(&mut self, travel: Travel) -> Ticket {
        if self.travel != Some(travel) {
            self.travel = Some(travel);
            self.ticket = self.issue();
        }
        self.ticket
    }

    /// Stays where it is.
    pub fn stay(&mut self) {
        self.travel = None;
        self.ticket = Ticket::default();
    }

    /// Where it goes, and under which ticket.
    pub fn travel(&self) -> Option<(Ticket, Travel)> {
        self.travel.map(|travel| (self.ticket, travel))
    }

    /// Asks for a path or a place; the answer carries the ticket.
    pub fn ask(&mut self, question: Question) -> Ticket {
        let ticket = self.issue();
        self.asks.push(Ask { ticket, question });
        ticket
    }

    /// Tells the team.
    pub fn say(&mut self, say: Say) {
        self.says.push(say);
    }

    /// Back to wanting nothing, with the same memory: for an agent that takes a dead one's place.
    pub fn reset(&mut self) {
        let (mut says, mut asks) = (std::mem::take(&mut self.says), std::mem::take(&mut self.asks));
        says.clear();
        asks.clear();
        *self = Intents { says, asks, ..Intents::default() };
    }

    fn issue(&mut self) -> Ticket {
        self.issued = self.issued.next();
        self.issued
    }
}

/// What a body is asked to do this tick: movement's answer to the intents, the host's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Motion {
    /// Wanted velocity, m/s.
    pub velocity: Vec3,
    /// Wanted yaw, rad.
    pub yaw: f32,
    /// Wanted pitch, rad; up is positive.
    pub pitch: f32,
    /// Wanted stance.
    pub stance: Stance,
    /// Actions to start.
    pub actions: Actions,
}

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: Travel = Travel { goal: Vec3::X, manner: Manner::Shortest, pace_m_per_s: 1.0, arrive_m: 0.1 };

    #[test]
    fn the_same_wish_keeps_its_ticket_and_another_gets_its_own() {
        let mut intents = Intents::default();
        let first = intents.go(THERE);
        assert_eq!(intents.go(THERE), first);
        let asked = intents.ask(Question::Place { query: 3 });
        let second = intents.go(Travel { goal: Vec3::Z, ..THERE });
        assert!(first < asked && asked < second && first != Ticket::default());
        intents.stay();
        assert_eq!(intents.travel(), None);
        assert_ne!(intents.go(Travel { goal: Vec3::Z, ..THERE }), second);
    }

    #[test]
    fn tickets_wrap_past_the_one_that_names_none() {
        let mut intents = Intents { issued: Ticket(0x7fff_ffff), ..Intents::default() };
        assert_eq!(intents.go(THERE), Ticket(1));
        assert_eq!(Ticket(u32::MAX).next(), Ticket::ORDERED);
        assert!(Ticket::ORDERED.next().is_order() && !Ticket(7).is_order());
    }

    #[test]
    fn actions_are_a_set() {
        let both = Actions::FIRE.with(Actions::JUMP);
        assert!(both.contains(Actions::FIRE) && both.contains(Actions::JUMP) && !both.contains(Actions::USE));
        assert!(!Actions::FIRE.contains(both));
    }
}
