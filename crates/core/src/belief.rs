//! Beliefs: all that a brain may know. Senses write them, brains read them, nothing else does.

use glam::{Vec2, Vec3};
use sentir_derive::State;

use crate::body::{Body, Pose, Stance};
use crate::id::{AgentId, TeamId};
use crate::intent::Say;
use crate::outcome::Outcome;
use crate::tick::Tick;

/// Most outcomes kept for a brain that has not thought for long. The oldest go first.
pub const OUTCOMES_MAX: usize = 32;

/// Most others one agent keeps in mind. The one it knows nothing new of for the longest time goes first.
pub const OTHERS_MAX: usize = 256;

/// Most things one agent keeps in mind. The one it knows nothing new of for the longest time goes first.
pub const THINGS_MAX: usize = 64;

/// Everything one agent knows.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Beliefs {
    /// About its own body; always true.
    pub me: Me,
    /// About others, ascending by id, one each.
    others: Vec<Other>,
    /// About doors, obstacles, items, ascending by id, one each.
    things: Vec<Thing>,
    /// Noises heard since the last thought.
    pub noises: Vec<Heard>,
    /// Hurts felt since the last thought.
    pub hurts: Vec<Felt>,
    /// Traces smelled since the last thought, strongest first.
    pub smells: Vec<Smelled>,
    /// Messages received since the last thought.
    pub messages: Vec<Message>,
    /// What synthetic vision made of its last picture; stays until the next.
    pub percept: Percept,
    /// What became of its own intents since the last thought, oldest first. The loop writes them.
    outcomes: Vec<Outcome>,
}

/// What an agent feels of its own body.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Me {
    /// Where it stands and looks.
    pub pose: Pose,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Share of full health, 0..=1.
    pub health: f32,
    /// How it holds itself.
    pub stance: Stance,
    /// Height of its eyes over its feet, m.
    pub eye_m: f32,
    /// How far up it looks, rad.
    pub pitch: f32,
}

/// What an agent believes about another.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Other {
    /// Whom.
    pub who: AgentId,
    /// On which side.
    pub team: TeamId,
    /// Where it was last, m.
    pub position: Vec3,
    /// How it moved then, m/s.
    pub velocity: Vec3,
    /// Where it looked when it was last seen, rad; of who was not seen, nothing is known, and it is 0.
    pub yaw: f32,
    /// When that was.
    pub at: Tick,
    /// Whether it is in sight now.
    pub is_visible: bool,
    /// Whether its last known place was seen since, and it was not there.
    pub is_vanished: bool,
    /// How sure that is, 0..=1.
    pub confidence: f32,
    /// By which sense.
    pub source: Sense,
}

/// What an agent believes about a door, an obstacle, an item: a number whose meaning is the game's.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Thing {
    /// Which; numbers are the game's.
    pub id: u32,
    /// How it is; numbers are the game's: open or shut, there or taken.
    pub value: u16,
    /// Where, m.
    pub position: Vec3,
    /// When that was learned.
    pub at: Tick,
    /// By which sense; [`Sense::Public`] for what everybody is told.
    pub source: Sense,
}

/// By which sense something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Sense {
    /// Seen.
    Sight,
    /// Heard.
    Hearing,
    /// Felt as a hurt.
    Damage,
    /// Felt by touch.
    Touch,
    /// Told by the team.
    Message,
    /// Smelled.
    Smell,
    /// Told to everybody, by the rules of the game.
    Public,
}

/// A trace of somebody: of what kind, never whose.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Smelled {
    /// Where it lies, m.
    pub position: Vec3,
    /// What kind of character left it; numbers are the game's.
    pub kind: u16,
    /// How strong it still is here, 0..=1.
    pub strength: f32,
    /// When it was left, as far as a nose can tell.
    pub left_at: Tick,
}

/// A noise: a place, never an identity.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Heard {
    /// Where it seems to come from, m.
    pub position: Vec3,
    /// How loud it still was, 0..=1.
    pub loudness: f32,
    /// When.
    pub at: Tick,
}

/// A hurt: how much, and from where.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Felt {
    /// Share of full health lost, 0..=1.
    pub amount: f32,
    /// Unit direction toward where it came from; zero if unknown.
    pub from: Vec3,
    /// When.
    pub at: Tick,
}

/// What an eye that renders what it sees made of its last picture: all that a brain may know of it. Each part may be left
/// empty by eyes that are not made for it.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Percept {
    /// When it looked; none before the first look.
    pub at: Option<Tick>,
    /// Where the eye was, m.
    pub from: Vec3,
    /// The ground, from the left: how far it goes in each direction that was looked in.
    pub reaches: Vec<Reach>,
    /// Points on the ground that end it, m.
    pub obstacles: Vec<Vec2>,
    /// Objects that were told apart; the nearest of a class first.
    pub objects: Vec<Sighted>,
    /// Places that stand out, as the end of a free way.
    pub landmarks: Vec<Landmark>,
}

/// How far one can walk in a direction, as far as was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Reach {
    /// Where it leads, a unit direction on the ground.
    pub toward: Vec2,
    /// How far ground is seen, m; 0 if none is.
    pub ground_m: f32,
    /// Whether something ends it; else it only goes out of sight.
    pub is_blocked: bool,
}

/// An object on a picture: of which class, never which one.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Sighted {
    /// What it is; numbers are those of the eye.
    pub class: u8,
    /// Where it is seen, m.
    pub place: Vec3,
    /// The ground below it, m, where that was looked for and is seen.
    pub foot: Option<Vec3>,
    /// Whether it comes nearer.
    pub comes: bool,
}

/// A place on a picture that means something.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Landmark {
    /// What; numbers are those of the eye.
    pub meaning: u8,
    /// Where, m.
    pub place: Vec3,
}

/// Something a teammate said.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Message {
    /// Who said it.
    pub from: AgentId,
    /// What.
    pub say: Say,
    /// When.
    pub at: Tick,
}

impl Other {
    /// The belief about a body in plain sight.
    pub fn seen(who: AgentId, team: TeamId, body: &Body, at: Tick) -> Other {
        Other {
            who,
            team,
            position: body.pose.position,
            velocity: body.velocity,
            yaw: body.pose.yaw,
            at,
            is_visible: true,
            is_vanished: false,
            confidence: 1.0,
            source: Sense::Sight,
        }
    }
}

impl Percept {
    /// Begins a look: forgets the last one, but for its memory.
    pub fn begin(&mut self, at: Tick, from: Vec3) {
        (self.at, self.from) = (Some(at), from);
        self.reaches.clear();
        self.obstacles.clear();
        self.objects.clear();
        self.landmarks.clear();
    }

    /// Whether there was a look since that of a moment, or any if there was none then.
    pub fn is_newer(&self, than: Option<Tick>) -> bool {
        self.at > than
    }
}

impl Beliefs {
    /// What is believed about others, ascending by id.
    pub fn others(&self) -> &[Other] {
        &self.others
    }

    /// What is believed about one.
    pub fn other(&self, who: AgentId) -> Option<&Other> {
        self.place_of(who).ok().map(|place| &self.others[place])
    }

    /// Writes what is believed about one, in place of what was believed before.
    pub fn update(&mut self, other: Other) {
        match self.place_of(other.who) {
            Ok(place) => self.others[place] = other,
            Err(place) if self.others.len() < OTHERS_MAX => self.others.insert(place, other),
            Err(_) => {
                let oldest = (0..self.others.len()).min_by_key(|&place| self.others[place].at).unwrap_or(0);
                self.others.remove(oldest);
                self.update(other);
            }
        }
    }

    /// Goes through what is believed about others; what `keep` refuses is forgotten.
    pub fn revise(&mut self, mut keep: impl FnMut(&mut Other) -> bool) {
        // Ids do not change here: a belief about another is another belief.
        self.others.retain_mut(|other| {
            let who = other.who;
            let kept = keep(other);
            other.who = who;
            kept
        });
    }

    /// What is believed about things, ascending by id.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// What is believed about one thing.
    pub fn thing(&self, id: u32) -> Option<&Thing> {
        self.things.binary_search_by_key(&id, |thing| thing.id).ok().map(|place| &self.things[place])
    }

    /// Writes what is believed about a thing, in place of what was believed before. Whether that is news: another value,
    /// or the first that is known of it.
    pub fn note(&mut self, thing: Thing) -> bool {
        match self.things.binary_search_by_key(&thing.id, |one| one.id) {
            Ok(place) => {
                let is_news = self.things[place].value != thing.value;
                self.things[place] = thing;
                is_news
            }
            Err(_) if self.things.len() >= THINGS_MAX => {
                let oldest = (0..self.things.len()).min_by_key(|&place| self.things[place].at).unwrap_or(0);
                self.things.remove(oldest);
                self.note(thing)
            }
            Err(place) => {
                self.things.insert(place, thing);
                true
            }
        }
    }

    /// What became of its own intents since the last thought, oldest first.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Adds an outcome. False when an older one had to go for it.
    pub fn learn(&mut self, outcome: Outcome) -> bool {
        let fits = self.outcomes.len() < OUTCOMES_MAX;
        if !fits {
            self.outcomes.remove(0);
        }
        self.outcomes.push(outcome);
        fits
    }

    /// Drops what was news to the thought that just ended.
    pub fn digest(&mut self) {
        self.noises.clear();
        self.hurts.clear();
        self.smells.clear();
        self.messages.clear();
        self.outcomes.clear();
    }

    /// Back to knowing nothing, with the same memory: for an agent that takes a dead one's place. Has room for a few
    /// outcomes afterwards, which everybody gets sooner or later.
    pub fn reset(&mut self) {
        self.me = Me::default();
        self.others.clear();
        self.things.clear();
        self.percept.begin(Tick(0), Vec3::ZERO);
        self.percept.at = None;
        self.digest();
        self.outcomes.reserve(4);
    }

    /// Makes room for so many others and things in all, up to the most there may be: learning of them then allocates nothing.
    pub fn reserve(&mut self, others: usize, things: usize) {
        self.others.reserve(others.min(OTHERS_MAX).saturating_sub(self.others.len()));
        self.things.reserve(things.min(THINGS_MAX).saturating_sub(self.things.len()));
    }

    fn place_of(&self, who: AgentId) -> Result<usize, usize> {
        self.others.binary_search_by_key(&who, |other| other.who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::Ticket;

    fn about(who: u64, confidence: f32) -> Other {
        Other { confidence, ..Other::seen(AgentId::from_bits(who), TeamId(1), &Body::default(), Tick(0)) }
    }

    #[test]
    fn there_is_one_belief_about_each_other() {
        let mut beliefs = Beliefs::default();
        for who in [5, 2, 9, 2, 5] {
            beliefs.update(about(who, 1.0));
        }
        let ids: Vec<_> = beliefs.others().iter().map(|other| other.who.to_bits()).collect();
        assert_eq!(ids, [2, 5, 9]);
        beliefs.revise(|other| {
            other.who = AgentId::from_bits(77);
            other.confidence = 0.5;
            true
        });
        assert_eq!(beliefs.other(AgentId::from_bits(9)).map(|other| other.confidence), Some(0.5));
        beliefs.revise(|other| other.who.to_bits() != 5);
        assert_eq!(beliefs.other(AgentId::from_bits(5)), None);
    }

    #[test]
    fn the_least_recently_known_makes_room() {
        let mut beliefs = Beliefs::default();
        for who in 0..=OTHERS_MAX as u64 {
            beliefs.update(Other { at: Tick(if who == 7 { 0 } else { 9 }), ..about(who, 1.0) });
        }
        assert_eq!(beliefs.others().len(), OTHERS_MAX);
        assert!(beliefs.other(AgentId::from_bits(7)).is_none());
        assert!(beliefs.others().is_sorted_by_key(|other| other.who));
    }

    #[test]
    fn things_are_one_each_and_only_another_value_is_news() {
        let mut beliefs = Beliefs::default();
        let thing = |id, value, at| Thing { id, value, position: Vec3::ZERO, at: Tick(at), source: Sense::Sight };
        assert!(beliefs.note(thing(7, 1, 0)) && beliefs.note(thing(3, 1, 0)));
        assert!(!beliefs.note(thing(7, 1, 5)) && beliefs.note(thing(7, 2, 6)));
        assert_eq!(beliefs.thing(7), Some(&thing(7, 2, 6)));
        for id in 100..100 + THINGS_MAX as u32 {
            beliefs.note(thing(id, 0, 9));
        }
        assert_eq!((beliefs.things().len(), beliefs.thing(3), beliefs.thing(7)), (THINGS_MAX, None, None));
        assert!(beliefs.things().is_sorted_by_key(|thing| thing.id));
        beliefs.reset();
        assert!(beliefs.things().is_empty());
    }

    #[test]
    fn a_look_replaces_the_last_one_and_is_news_once() {
        let mut beliefs = Beliefs::default();
        assert!(!beliefs.percept.is_newer(None));
        beliefs.percept.begin(Tick(0), Vec3::Y);
        beliefs.percept.objects.push(Sighted { class: 6, ..Sighted::default() });
        assert!(beliefs.percept.is_newer(None) && !beliefs.percept.is_newer(Some(Tick(0))));
        beliefs.digest();
        assert_eq!(beliefs.percept.objects.len(), 1, "a thought does not use it up");
        beliefs.percept.begin(Tick(6), Vec3::X);
        assert!(beliefs.percept.is_newer(Some(Tick(0))) && beliefs.percept.objects.is_empty());
        beliefs.reset();
        assert_eq!(beliefs, Beliefs::default());
    }

    #[test]
    fn the_oldest_outcome_goes_first() {
        let mut beliefs = Beliefs::default();
        let all = 1..=OUTCOMES_MAX as u32 + 1;
        let fitted =
            all.map(|number| beliefs.learn(Outcome::Arrived { ticket: Ticket(number) })).filter(|&fits| fits).count();
        assert_eq!(fitted, OUTCOMES_MAX);
        assert_eq!(beliefs.outcomes()[0], Outcome::Arrived { ticket: Ticket(2) });
        beliefs.digest();
        assert!(beliefs.outcomes().is_empty());
    }
}
