//! The mind of `guard` and `soldier-plan`: simple eyes and ears, a brain out of a file, straight ways.

use std::sync::Mutex;

use sentir::core::chart::Chart;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, sight};
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::{Brain, BrainScratch, BrainState};
use sentir_think::key::{Key, Keys};
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::value::Fact;

use super::leaf::{Deed, Game, Known, Posts, REACH_M, foe, leaves};
use sentir_harness::edit::emit_breakpoint;
use sentir_harness::honesty::Reach;
use sentir_harness::info::{SceneError, asset_error};
use sentir_harness::scene::{Inspectable, MatchView, Scene};

/// Who thinks with a brain out of a file.
pub(crate) const GUARD: u16 = 0;
/// Who does what the scene says.
pub(crate) const FOE: u16 = 1;

/// Rounds a soldier begins with.
pub(crate) const ROUNDS: i32 = 4;

/// Tables and tuning, shared by all.
pub(crate) struct GuardMind {
    pub(crate) level: Level,
    pub(crate) posts: Posts,
    pub(crate) brain: Brain<Game>,
    pub(crate) name: &'static str,
    /// The file of the brain, and its text as it is now.
    pub(crate) file: &'static str,
    pub(crate) text: String,
    pub(crate) facts: Facts,
    /// The boards of the team and of the world, which nobody writes here.
    pub(crate) shared: Blackboard,
    pub(crate) nerve: f32,
    pub(crate) sight_m: f32,
    pub(crate) half_angle: f32,
    /// Memory of searches; any state of it gives the same decisions.
    scratch: Mutex<BrainScratch>,
}

/// What one remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Memory {
    pub(crate) board: Blackboard,
    pub(crate) state: BrainState,
    pub(crate) noise: Option<Vec3>,
    /// An edit of the brain ended what was done: the next thought begins at rest.
    pub(crate) is_cut: bool,
    pub(crate) deed: u16,
    /// For a foe: where it is sent.
    pub(crate) goal: Option<Vec3>,
    pub(crate) is_fighting: bool,
}

/// What the scene tells somebody.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum Notice {
    /// A soldier gets new rounds.
    Rounds,
    /// A foe is sent somewhere, to fight or not.
    Sent {
        /// Where, m.
        goal: Vec3,
        /// Whether it is to fight.
        is_fighting: bool,
    },
}

/// The keys that brains may have, looked up once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    heard: Option<Key<bool>>,
    seen: Option<Key<bool>>,
    phone: Option<Key<bool>>,
    enemy: Option<Key<bool>>,
    near: Option<Key<bool>>,
    rifle: Option<Key<bool>>,
    health: Option<Key<f32>>,
    nerve: Option<Key<f32>>,
    ammo: Option<Key<i32>>,
}

impl Facts {
    pub(crate) fn of(keys: &Keys) -> Facts {
        let flag = |name| keys.key::<bool>(name).ok();
        Facts {
            heard: flag("heard"),
            seen: flag("seen"),
            phone: flag("phone"),
            enemy: flag("enemy"),
            near: flag("near"),
            rifle: flag("rifle"),
            health: keys.key("health").ok(),
            nerve: keys.key("nerve").ok(),
            ammo: keys.key("ammo").ok(),
        }
    }
}

/// A file with a brain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrainFile<'a> {
    /// What the brain is called.
    pub(crate) name: &'static str,
    /// The file's name.
    pub(crate) file: &'static str,
    /// Its text.
    pub(crate) text: &'a str,
}

impl GuardMind {
    /// A mind with the brain of a file.
    pub(crate) fn new(level: Level, posts: Posts, file: BrainFile<'_>, nerve: f32) -> Result<GuardMind, SceneError> {
        let BrainFile { name, file, text } = file;
        let brain = read(file, text)?;
        let (shared, facts) = (Blackboard::new(brain.keys()), Facts::of(brain.keys()));
        let (text, scratch) = (text.to_owned(), Mutex::new(BrainScratch::default()));
        let (sight_m, half_angle) = (13.0, 1.0);
        Ok(GuardMind { level, posts, brain, name, file, text, facts, shared, nerve, sight_m, half_angle, scratch })
    }

    /// What somebody remembers at the beginning.
    pub(crate) fn fresh(&self) -> Memory {
        let mut board = Blackboard::new(self.brain.keys());
        let facts = &self.facts;
        for key in [facts.heard, facts.seen, facts.phone, facts.enemy, facts.near] {
            write(&mut board, key, false);
        }
        write(&mut board, facts.health, 1.0);
        write(&mut board, facts.nerve, self.nerve);
        write(&mut board, facts.rifle, true);
        write(&mut board, facts.ammo, ROUNDS);
        Memory { board, state: self.brain.start(), ..Memory::default() }
    }

    /// The rounds somebody has left.
    pub(crate) fn rounds(&self, memory: &Memory) -> i32 {
        self.facts.ammo.and_then(|key| memory.board.get(key)).unwrap_or(0)
    }

    fn sees(&self, view: &SenseView<'_>, it: &Presence) -> bool {
        let body = &view.me.body;
        let way = plane::ground(it.body.pose.position - body.pose.position);
        let distance = way.length();
        let is_ahead = plane::heading(body.pose.yaw).dot(way) >= distance * math::cos(self.half_angle);
        let is_near = distance < 2.0;
        distance <= self.sight_m
            && (is_near || is_ahead)
            && sight::points(body.eye(), &it.body).iter().any(|&point| view.world.geometry.is_clear(body.eye(), point))
    }

    /// What its senses reach at the most. Visitors go for whoever is within two arm's lengths.
    pub(crate) fn reach(&self) -> Reach {
        let near_m = 2.0 * REACH_M + 1.0;
        Reach { sight_m: self.sight_m, half_rad: self.half_angle, hearing: 1.0, ..Reach::legs(near_m) }
    }

    /// Writes what is believed onto the board.
    fn write_facts(&self, view: &ThinkView<'_>, memory: &mut Memory) {
        let Memory { board, noise, .. } = memory;
        let facts = &self.facts;
        let known = Known { beliefs: view.beliefs, posts: &self.posts, noise: *noise };
        let enemy = foe(&known).filter(|foe| foe.is_visible);
        let me = view.beliefs.me.pose.position;
        write(board, facts.seen, enemy.is_some());
        write(board, facts.enemy, enemy.is_some());
        write(board, facts.near, enemy.is_some_and(|foe| foe.position.distance(me) < REACH_M));
        write(board, facts.health, view.beliefs.me.health);
        for heard in &view.beliefs.noises {
            if heard.position.distance(self.posts.phone) < 1.0 {
                write(board, facts.phone, true);
            } else {
                *noise = Some(heard.position);
                write(board, facts.heard, true);
            }
        }
    }
}

impl<S: Scene<Mind = GuardMind>> Inspectable<S> for GuardMind {
    fn chart(&self, view: MatchView<'_, S>, agent: AgentId) -> Option<Chart> {
        let memory =
            view.brains.brain(agent).filter(|_| view.brains.presence(agent).is_some_and(|it| it.kind == GUARD))?;
        let mine = || view.whys.entries().iter().filter(move |entry| entry.agent == agent);
        let is_brain = |why: &Why| matches!(why, Why::Brain(_));
        let last = mine().filter(|entry| is_brain(&entry.why)).map(|entry| entry.tick).next_back();
        let reasons: Vec<_> = mine()
            .filter(|entry| Some(entry.tick) == last)
            .filter_map(|entry| match &entry.why {
                Why::Brain(why) => Some(why),
                _ => None,
            })
            .collect();
        Some(self.brain.chart(self.name, &memory.state, reasons))
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Mind::decision_name(self, decision)
    }
}

/// The brain in the text of a file.
pub(crate) fn read(file: &str, text: &str) -> Result<Brain<Game>, SceneError> {
    Brain::read(text.as_bytes(), file, &Keys::default(), &leaves()).map_err(|error| asset_error(&error))
}

/// Writes a fact, if the brain has a key for it.
fn write<T: Fact>(board: &mut Blackboard, key: Option<Key<T>>, fact: T) {
    if let Some(key) = key {
        board.set(key, fact);
    }
}

impl Mind for GuardMind {
    type Senses = ();
    type Brain = Memory;
    type Motor = Vec2;
    type Squad = ();
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, memory: &mut Memory) {
        match notice {
            Notice::Rounds => write(&mut memory.board, self.facts.ammo, ROUNDS),
            Notice::Sent { goal, is_fighting } => (memory.goal, memory.is_fighting) = (Some(goal), is_fighting),
        }
    }

    fn adopt(&self, old: &Self, view: &ThinkView<'_>, intents: &Intents, memory: &mut Memory) {
        if view.kind == GUARD {
            self.take_over(old, view, intents, memory);
        }
    }

    fn sense(&self, view: &SenseView<'_>, (): &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        beliefs.noises.extend(view.noises().filter_map(|noise| {
            let distance = noise.position.distance(view.me.body.pose.position);
            let loudness = 1.0 - distance / noise.range_m;
            (loudness > 0.0).then_some(Heard { position: noise.position, loudness, at: noise.at })
        }));
        beliefs.revise(|other| {
            let seen = view.world.presence(other.who).filter(|it| self.sees(view, it));
            if seen.is_none() && other.is_visible {
                other.is_visible = false;
                notes.event(EventKind::Lost { other: other.who });
            }
            // Who has not been seen for a while is not thought of any more.
            seen.is_some() || view.tick.since(other.at) < view.rate.ticks(5.0)
        });
        for it in view.world.presences().filter(|it| it.team != view.me.team) {
            if self.sees(view, it) {
                if beliefs.other(it.agent).is_none_or(|other| !other.is_visible) {
                    notes.event(EventKind::Noticed { other: it.agent });
                }
                beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            }
        }
    }

    fn think(&self, view: &ThinkView<'_>, memory: &mut Memory, intents: &mut Intents, notes: &mut Notes<'_>) {
        intents.actions = Actions::default();
        if view.kind == FOE {
            match memory.goal {
                Some(goal) => {
                    intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: 2.6, arrive_m: 0.3 });
                }
                None => intents.stay(),
            }
            intents.actions = if memory.is_fighting { Actions::MELEE } else { Actions::default() };
            intents.gaze = Gaze::Ahead;
            return;
        }
        if std::mem::take(&mut memory.is_cut) {
            intents.stay();
        }
        self.write_facts(view, memory);
        let Memory { board, state, noise, .. } = memory;
        let known = Known { beliefs: view.beliefs, posts: &self.posts, noise: *noise };
        let breakpoint = notes.think(|why| {
            let board = Board { own: board, team: &self.shared, world: &self.shared };
            let mut thought = Thought::<Game>::new(thinker(view), &known, board, Sinks { out: intents, why });
            // Somebody else may be searching: then with fresh memory.
            match self.scratch.try_lock() {
                Ok(mut scratch) => self.brain.tick(state, &mut scratch, &mut thought),
                Err(_) => self.brain.tick(state, &mut BrainScratch::default(), &mut thought),
            };
            thought.breakpoint
        });
        if let Some(node) = breakpoint {
            emit_breakpoint(&self.brain.outline(None), node, notes);
        }
        let deed = intents.behavior;
        if deed != memory.deed {
            memory.deed = deed;
            notes.event(EventKind::Decided { decision: deed });
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        last: &mut Vec2,
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let body = &view.me.body;
        motion.actions = view.actions();
        let mut wanted = Vec2::ZERO;
        if let Some((_, travel)) = view.travel() {
            let way = plane::ground(travel.goal - body.pose.position);
            let left = way.length() - travel.arrive_m;
            if left > 0.0 {
                let speed = math::min(travel.pace_m_per_s, left * 3.0 + 0.2);
                let facing = plane::heading(body.pose.yaw).dot(plane::direction(way));
                wanted = plane::direction(way) * (speed * math::clamp(facing, 0.25, 1.0));
            }
        }
        // Starts and stops take their time.
        let change = plane::truncated(wanted - *last, 9.0 * view.rate.tick_s());
        *last += change;
        motion.velocity = plane::lift(*last, 0.0);
        let toward = match view.gaze() {
            Gaze::Along(yaw) => {
                motion.yaw = yaw;
                return;
            }
            Gaze::Ahead => wanted,
            Gaze::At(place) => plane::ground(place - body.pose.position),
        };
        if toward.length() > 0.05 {
            motion.yaw = plane::yaw(toward);
        }
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        usize::from(decision).checked_sub(1).and_then(|index| Deed::ALL.get(index)).map_or("", |deed| deed.name())
    }
}

/// Who thinks, as a brain wants to know it.
pub(super) fn thinker(view: &ThinkView<'_>) -> Thinker {
    Thinker { agent: view.agent, tick: view.tick, rate: view.rate, streams: view.streams() }
}
