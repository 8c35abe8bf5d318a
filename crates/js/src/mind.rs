//! How an agent of a page senses, thinks by a file and walks: the facade's stages put together, with nothing of a game in them.

use std::sync::{Arc, Mutex};

use sentir::act::follow::Follower;
use sentir::core::chart::Chart;
use sentir::core::why::WhyLog;
use sentir::core::{math, plane};
use sentir::level::{Level, LevelState, LevelView};
use sentir::nav::mesh::Mesh;
use sentir::nav::request::{RequestConfig, Requests};
use sentir::prelude::*;
use sentir::think::board::{Blackboard, Board};
use sentir::think::brain::{Brain, BrainScratch, BrainState};
use sentir::think::thought::{Sinks, Thinker, Thought};
use sentir::think::value::Value;
use sentir::walk::{Field, Router, WalkConfig, WalkRequest, Walks};

use crate::fact::FactKeys;
use crate::leaf::{Known, PageHost};
use crate::page::Page;

/// The fastest body that avoidance reckons with, m/s, and as fast at least makes room who stands.
const SPEED_M_PER_S_MAX: f32 = 12.0;
const ROOM_M_PER_S: f32 = 1.0;

/// The number of the brain that nobody has: the page moves such an agent itself. Others perceive it.
pub const NO_BRAIN: u16 = u16::MAX;

/// The level of a page: public knowledge, made once.
pub struct Ground {
    /// What stands where.
    pub level: Level,
    /// Doors and pieces of it, as they begin.
    pub state: LevelState,
    /// Where one can walk.
    pub mesh: Mesh,
    /// Whether rays are cast by the page instead of through the level.
    pub has_own_rays: bool,
    /// The page's functions.
    pub page: Box<dyn Page>,
}

impl Ground {
    /// The level, ready to be asked.
    pub fn view(&self) -> LevelView<'_> {
        LevelView { level: &self.level, state: &self.state }
    }
}

impl Geometry for Ground {
    fn version(&self) -> u64 {
        0
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        if !self.has_own_rays {
            return self.view().ray(ray);
        }
        let share = self.page.ray(ray.origin, ray.origin + ray.direction * ray.length_m)?;
        Some(RayHit { distance_m: share * ray.length_m, normal: -ray.direction, surface: 0 })
    }

    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        self.view().overlap(center, radius_m)
    }
}

/// A brain file of a page.
pub struct NamedBrain {
    /// What the page calls it.
    pub name: String,
    /// The hash of its text.
    pub hash: u64,
    /// The brain.
    pub brain: Brain<PageHost>,
    /// Eyes and ears of those who think by it.
    pub senses: SenseConfig,
    pub(crate) facts: FactKeys,
    /// The boards of the team and of the world, which nobody writes: files with such keys are refused.
    shared: Blackboard,
    /// Memory of searches; any state of it gives the same decisions.
    scratch: Mutex<BrainScratch>,
}

impl NamedBrain {
    pub(crate) fn new(name: &str, hash: u64, brain: Brain<PageHost>, facts: FactKeys, senses: SenseConfig) -> Self {
        let (shared, scratch) = (Blackboard::new(brain.keys()), Mutex::default());
        NamedBrain { name: name.to_owned(), hash, brain, senses, facts, shared, scratch }
    }

    /// A board on which nothing is known but where one begins.
    pub(crate) fn board(&self, home: Vec3) -> Blackboard {
        let mut board = Blackboard::new(self.brain.keys());
        self.facts.begin(&mut board, home);
        board
    }

    /// Lets one think once.
    fn think(&self, known: &Known<'_>, view: &ThinkView<'_>, memory: &mut Memory, sinks: Sinks<'_, Intents>) {
        let Memory { board, state, .. } = memory;
        let board = Board { own: board, team: &self.shared, world: &self.shared };
        let mut thought = Thought::<PageHost>::new(thinker(view), known, board, sinks);
        // Somebody else may be searching: then with fresh memory.
        match self.scratch.try_lock() {
            Ok(mut scratch) => self.brain.tick(state, &mut scratch, &mut thought),
            Err(_) => self.brain.tick(state, &mut BrainScratch::default(), &mut thought),
        };
    }

    /// Brings what one remembers from another version of this brain to this one. Whether what went on was ended by it.
    fn take_over(&self, old: &NamedBrain, known: &Known<'_>, adopted: Adopted<'_>) -> bool {
        let Adopted { view, intents, memory } = adopted;
        // What ends is ended by the old leaves, over the old keys.
        let (mut wanted, mut unheard) = (intents.clone(), WhyLog::default());
        let board = Board { own: &mut memory.board, team: &old.shared, world: &old.shared };
        let sinks = Sinks { out: &mut wanted, why: &mut unheard };
        let mut thought = Thought::<PageHost>::new(thinker(view), known, board, sinks);
        self.brain.adopt(&old.brain, &mut memory.state, &mut thought);
        if old.brain.keys() != self.brain.keys() {
            let mut board = self.board(memory.home);
            board.carry(self.brain.keys(), &memory.board, old.brain.keys());
            memory.board = board;
        }
        wanted != *intents
    }
}

/// One agent, when its brain file is edited.
struct Adopted<'a> {
    view: &'a ThinkView<'a>,
    intents: &'a Intents,
    memory: &'a mut Memory,
}

fn thinker(view: &ThinkView<'_>) -> Thinker {
    Thinker { agent: view.agent, tick: view.tick, rate: view.rate, streams: view.streams() }
}

/// What one remembers. The default is somebody whom the page moves.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Memory {
    /// The page's key of it.
    pub key: HostKey,
    /// What kind of character it is; numbers are the page's.
    pub kind: u16,
    /// Where it was added, m.
    pub home: Vec3,
    /// What it knows, by key.
    pub board: Blackboard,
    /// What its brain remembers.
    pub state: BrainState,
    /// An edit of the brain ended what was done: the next thought begins at rest.
    pub(crate) is_cut: bool,
}

/// What the page tells one: a fact of its own. By name, so that an edit of the file in between does no harm.
#[derive(Clone, Debug, PartialEq, State)]
pub struct ToldFact {
    /// Which key.
    pub name: String,
    /// What it holds from now on; none clears it.
    pub value: Option<Value>,
}

/// What the legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Motor {
    /// The way.
    pub follower: Follower,
}

/// The mind of a page's agents: tables and tuning, shared by all. What the loop calls the kind of an agent is the number of its
/// brain here: each brain has senses of its own.
#[derive(Clone)]
pub struct PageMind {
    /// The level.
    pub ground: Arc<Ground>,
    /// The brains, by number.
    pub brains: Vec<Arc<NamedBrain>>,
    /// How people walk.
    pub gait: WalkConfig,
    /// How much is searched for ways.
    pub requests: RequestConfig,
}

impl PageMind {
    /// The brain of a number; none for [`NO_BRAIN`].
    pub fn brain(&self, number: u16) -> Option<&NamedBrain> {
        self.brains.get(usize::from(number)).map(Arc::as_ref)
    }

    fn known<'a>(&'a self, view: &ThinkView<'a>, memory: &Memory) -> Known<'a> {
        Known { beliefs: view.beliefs, team: view.team, key: memory.key, page: &*self.ground.page }
    }

    /// The brain of one as one can look at it, with the reasons of its last thought if somebody listened.
    pub fn chart(&self, it: &Presence, memory: &Memory, whys: &WhyLog<Why>) -> Option<Chart> {
        let (agent, brain) = (it.agent, self.brain(it.kind)?);
        let mine = || whys.entries().iter().filter(move |entry| entry.agent == agent);
        let last = mine().filter(|entry| matches!(entry.why, Why::Brain(_))).map(|entry| entry.tick).next_back();
        let reasons = mine().filter(|entry| Some(entry.tick) == last).filter_map(|entry| match &entry.why {
            Why::Brain(why) => Some(why),
            _ => None,
        });
        Some(brain.brain.chart(&brain.name, &memory.state, reasons.collect::<Vec<_>>()))
    }
}

impl Mind for PageMind {
    type Senses = Senses;
    type Brain = Memory;
    type Motor = Motor;
    type Squad = Requests;
    type Notice = ToldFact;

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        if let Some(brain) = self.brain(view.me.kind) {
            view.perceive(&brain.senses, &(), senses, beliefs, notes);
        }
    }

    fn receive(&self, view: &ThinkView<'_>, told: ToldFact, memory: &mut Memory) {
        let key = self.brain(view.kind).and_then(|brain| brain.brain.keys().any(&told.name).ok());
        if let Some(key) = key {
            memory.board.put(key, told.value);
        }
    }

    fn think(&self, view: &ThinkView<'_>, memory: &mut Memory, intents: &mut Intents, notes: &mut Notes<'_>) {
        let Some(brain) = self.brain(view.kind) else { return };
        intents.actions = Actions::default();
        if std::mem::take(&mut memory.is_cut) {
            intents.stay();
            intents.gaze = Gaze::Ahead;
        }
        brain.facts.refresh(&mut memory.board, view);
        let known = self.known(view, memory);
        notes.think(|why| brain.think(&known, view, memory, Sinks { out: intents, why }));
    }

    fn adopt(&self, old: &Self, view: &ThinkView<'_>, intents: &Intents, memory: &mut Memory) {
        let (Some(new), Some(was)) = (self.brain(view.kind), old.brain(view.kind)) else { return };
        if new.hash != was.hash {
            let known = self.known(view, memory);
            memory.is_cut |= new.take_over(was, &known, Adopted { view, intents, memory });
        }
    }

    fn coordinate(&self, view: &SquadView, requests: &mut Requests, roster: &mut Roster<'_, '_, Self>) {
        let field = Field::plain(&self.ground.mesh);
        Router { field, config: &self.requests, follow: &self.gait.follow }.route(view, roster, requests);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let travel = view.travel().map(|(_, travel)| travel);
        let pace = travel.map_or(0.0, |travel| travel.pace_m_per_s);
        let pace = math::min(math::max(pace, ROOM_M_PER_S), SPEED_M_PER_S_MAX);
        let errand = WalkRequest::of(view, pace, travel.map_or(0.3, |travel| travel.arrive_m));
        let ground = Field::plain(&self.ground.mesh).ground(view.me.agent);
        let stride = self.gait.stride(view, &ground, &mut legs.follower, &errand);
        stride.report(out, notes);
        motion.velocity = plane::lift(stride.velocity, 0.0);
        motion.stance = view.intents().stance;
        motion.actions = view.actions().with(stride.advice.actions);
        self.gait.gaze(view, &stride, motion);
    }
}

impl Walks for PageMind {
    fn follower(legs: &mut Motor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }
}
