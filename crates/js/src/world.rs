//! A world of a page: level, mesh, brains and agents, one tick at a time.
//!
//! The page tells where its bodies are, what is to be heard and who was hurt; [`World::step`] plays a tick; the page moves its bodies
//! as they are asked to ([`World::motion`]). Everything that can be refused is, with a sentence, and leaves the world as it was.

use std::sync::Arc;
use std::time::Duration;

use sentir::RestoreError;
use sentir::core::math;
use sentir::core::state::{self, EnvelopeError, FileKind};
use sentir::level::{Blocks, LevelError, LevelState};
use sentir::nav::bake::BakeError;
use sentir::nav::mesh::{AnyAngleSearch, MeshError, MeshQuery};
use sentir::nav::request::RequestConfig;
use sentir::prelude::*;
use sentir::think::asset::{AssetError, nearest};
use sentir::think::key::KeyError;
use sentir::think::value::{Kind, Literal, Value};
use sentir::walk::WalkConfig;
use thiserror::Error;

use crate::make::{
    check_body, check_place, ground_hash, level_of, loop_config, mesh_of, number, read_brain, shown, versions,
};
use crate::mind::{Ground, Memory, NO_BRAIN, PageMind, ToldFact};
use crate::page::Page;

/// Most agents of a world.
pub const AGENTS_MAX: usize = 10_000;
/// Ticks that one frame may ask for at most; a slower page slows its world down.
const CATCH_UP_MAX: u32 = 8;
/// How much is searched for a way that the page asks for, expansions.
const PATH_EXPANSIONS_MAX: u32 = 100_000;
/// How far above the place that a page gives a noise is made, m.
const NOISE_UP_M: f32 = 0.1;
/// Number of the format of saves.
const SAVE_FORMAT: u32 = 1;

/// Why a world did not do what was asked. The sentences are for people.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The level is wrong.
    #[error(transparent)]
    Level(Box<LevelError>),
    /// It cannot be baked.
    #[error("the ground cannot be baked: {0}")]
    Bake(#[from] BakeError),
    /// Its ground is no mesh.
    #[error("the ground cannot be walked on: {0}")]
    Mesh(#[from] MeshError),
    /// Nobody can stand anywhere.
    #[error("nobody of {radius_m} m by {height_m} m can stand anywhere in this level")]
    NoGround {
        /// Radius of the body, m.
        radius_m: f32,
        /// Height of the body, m.
        height_m: f32,
    },
    /// A brain file is wrong.
    #[error(transparent)]
    Brain(Box<AssetError>),
    /// A brain file has a key that the engine writes, of another kind.
    #[error("{file}: {error}")]
    FactKind {
        /// Which file.
        file: String,
        /// What is wrong.
        error: KeyError,
    },
    /// A brain file has a key of a scope that pages do not have.
    #[error(
        "{file}: the key `{key}` is of scope {scope}: a page's brains have keys of their own only, which `tell` writes"
    )]
    Shared {
        /// Which file.
        file: String,
        /// Which key.
        key: String,
        /// Which scope.
        scope: &'static str,
    },
    /// There is no such brain.
    #[error("there is no brain '{name}'{}", hint(nearest))]
    NoBrain {
        /// As given.
        name: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// There is no such agent.
    #[error("there is no agent with key {key}: add it first")]
    NoAgent {
        /// As given.
        key: u64,
    },
    /// The agent has no brain.
    #[error("agent {key} has no brain: the page moves it, so nothing can be told to it")]
    Brainless {
        /// Which.
        key: u64,
    },
    /// An agent could not come in.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// Too many.
    #[error("there are {AGENTS_MAX} agents already, which is the most")]
    TooMany,
    /// A number is none, or is out of its range.
    #[error("`{what}` is {value}: expected {expected}")]
    Number {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// The brain has no such key.
    #[error("the brain '{brain}' has no key `{name}`{}", hint(nearest))]
    NoKey {
        /// Which brain.
        brain: String,
        /// As given.
        name: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// The key holds something else.
    #[error("the key `{name}` of the brain '{brain}' holds a {kind}: {expected} was given")]
    KeyKind {
        /// Which brain.
        brain: String,
        /// Which key.
        name: String,
        /// What it holds.
        kind: Kind,
        /// What was given.
        expected: &'static str,
    },
    /// The bytes are no save.
    #[error("the save {0}")]
    Save(#[from] EnvelopeError),
    /// The world in the save is broken.
    #[error("the save is broken: {0}")]
    Restore(#[from] RestoreError),
    /// The save is of another level.
    #[error("the save is of another level, or of other bodies: it was made where the ground is not the same")]
    OtherLevel,
    /// The save is of other brains.
    #[error(
        "the save was made with {had}, and this world has {has}: make a world with the same files, load it, then edit them"
    )]
    OtherBrains {
        /// In words.
        had: String,
        /// In words.
        has: String,
    },
}

impl From<LevelError> for WorldError {
    fn from(error: LevelError) -> Self {
        WorldError::Level(Box::new(error))
    }
}

impl From<AssetError> for WorldError {
    fn from(error: AssetError) -> Self {
        WorldError::Brain(Box::new(error))
    }
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

/// Where a level comes from.
#[derive(Clone, Copy, Debug)]
pub enum LevelSource<'a> {
    /// A file: its name, whose ending says the format, and its bytes.
    File(&'a str, &'a [u8]),
    /// Triangles: coordinates, three a corner, and numbers of corners, three a triangle.
    Triangles(&'a [f32], &'a [u32]),
    /// Flat ground without anything on it, so many meters wide.
    Flat(f32),
}

/// For which body the ground is baked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySize {
    /// Half of its width, m.
    pub radius_m: f32,
    /// Its height, m.
    pub height_m: f32,
    /// How high it steps, m.
    pub climb_m: f32,
}

impl Default for BodySize {
    fn default() -> Self {
        BodySize { radius_m: 0.35, height_m: 1.8, climb_m: 0.4 }
    }
}

/// A brain file with the senses of those who think by it.
#[derive(Clone, Copy, Debug)]
pub struct BrainSource<'a> {
    /// What the page calls it.
    pub name: &'a str,
    /// The file.
    pub text: &'a str,
    /// Eyes and ears.
    pub senses: SenseConfig,
}

/// What a world is made of.
pub struct WorldSpec<'a> {
    /// All chance follows from it.
    pub seed: u64,
    /// Ticks a second. Limit: 1..=1000.
    pub rate_hz: u16,
    /// The level.
    pub level: LevelSource<'a>,
    /// Whether rays are cast by the page instead of through the level.
    pub has_own_rays: bool,
    /// For whom the ground is baked.
    pub body: BodySize,
    /// The brains.
    pub brains: &'a [BrainSource<'a>],
    /// The page's functions.
    pub page: Box<dyn Page>,
}

/// Somebody who comes in.
#[derive(Clone, Copy, Debug)]
pub struct Newcomer<'a> {
    /// The page's key; one agent each.
    pub key: u64,
    /// On which side.
    pub team: u32,
    /// What kind of character; numbers are the page's.
    pub kind: u16,
    /// By which brain it thinks; none if the page moves it.
    pub brain: Option<&'a str>,
    /// Its body.
    pub body: Body,
}

/// A world as bytes: what it fits, and the loop.
#[derive(State)]
struct Save {
    ground: u64,
    brains: Vec<(String, u64)>,
    world: Vec<u8>,
}

/// A world of a page.
pub struct World {
    mind: PageMind,
    ground_hash: u64,
    brains: Loop<PageMind>,
    scratch: Scratch,
    clock: Clock,
}

impl World {
    /// Makes a world: reads the level, bakes its ground, reads the brains.
    ///
    /// # Errors
    /// When a file is wrong, or nobody can stand in the level.
    pub fn new(spec: WorldSpec<'_>) -> Result<World, WorldError> {
        let WorldSpec { seed, rate_hz, level, has_own_rays, body, brains, page } = spec;
        let rate = TickRate::new(rate_hz);
        let ground_hash = ground_hash(level, body);
        let level = level_of(level)?;
        let state = LevelState::new(&level);
        let mesh = mesh_of(&level, &state, body)?;
        let ground = Arc::new(Ground { level, state, mesh, has_own_rays, page });
        let read = |source: &BrainSource<'_>| read_brain(source, &*ground.page).map(Arc::new);
        let brains = brains.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mind = PageMind { ground, brains, gait: WalkConfig::default(), requests: RequestConfig::default() };
        let (brains, scratch) = (Loop::new(loop_config(rate), seed), Scratch::default());
        Ok(World { mind, ground_hash, brains, scratch, clock: Clock::new(rate, CATCH_UP_MAX) })
    }

    /// The mind of its agents.
    pub fn mind(&self) -> &PageMind {
        &self.mind
    }

    /// The loop.
    pub fn agents(&self) -> &Loop<PageMind> {
        &self.brains
    }

    /// The notes of the last tick.
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// The hash of the whole state.
    pub fn hash(&self) -> u64 {
        state::hash(&self.brains)
    }

    /// Brings somebody in.
    ///
    /// # Errors
    /// When the key is taken, a number is none, or there is no such brain.
    pub fn add(&mut self, newcomer: Newcomer<'_>) -> Result<(), WorldError> {
        let Newcomer { key, team, kind, brain, body } = newcomer;
        let number = brain.map_or(Ok(NO_BRAIN), |name| self.brain_number(name))?;
        check_body(&body)?;
        if self.brains.len() >= AGENTS_MAX {
            return Err(WorldError::TooMany);
        }
        let home = body.pose.position;
        let (board, state) = match self.mind.brain(number) {
            Some(brain) => (brain.board(home), brain.brain.start()),
            None => Default::default(),
        };
        let memory = Memory { key: HostKey(key), kind, home, board, state, ..Memory::default() };
        let spec = AgentSpec { team: TeamId(team), kind: number, body, ..AgentSpec::new(HostKey(key)) };
        let agent = self.brains.spawn_from(spec, memory, &mut self.scratch)?;
        // Whom the page moves neither senses nor thinks nor walks by itself.
        self.brains.pause_agent(agent, number == NO_BRAIN);
        Ok(())
    }

    /// Takes somebody out; whether there was one.
    pub fn remove(&mut self, key: u64) -> bool {
        let agent = self.brains.agent_of(HostKey(key));
        agent.is_some_and(|agent| self.brains.despawn_into(agent, &mut self.scratch))
    }

    /// The agent of a key.
    ///
    /// # Errors
    /// When there is none.
    pub fn agent(&self, key: u64) -> Result<AgentId, WorldError> {
        self.brains.agent_of(HostKey(key)).ok_or(WorldError::NoAgent { key })
    }

    /// Its body as it was told last.
    ///
    /// # Errors
    /// When there is no such agent.
    pub fn body(&self, key: u64) -> Result<Body, WorldError> {
        let agent = self.agent(key)?;
        self.brains.presence(agent).map(|it| it.body).ok_or(WorldError::NoAgent { key })
    }

    /// Tells where a body is now and how it moves.
    ///
    /// # Errors
    /// When there is no such agent, or a number is none.
    pub fn observe(&mut self, key: u64, body: Body) -> Result<(), WorldError> {
        let agent = self.agent(key)?;
        check_body(&body)?;
        self.brains.observe(agent, body);
        Ok(())
    }

    /// Puts a body somewhere by force: its way is given up, and its brain learns of it.
    ///
    /// # Errors
    /// When there is no such agent, or a number is none.
    pub fn teleport(&mut self, key: u64, pose: Pose) -> Result<(), WorldError> {
        let agent = self.agent(key)?;
        check_body(&Body { pose, ..Body::default() })?;
        self.brains.teleport(agent, pose);
        Ok(())
    }

    /// What its body is asked to do.
    ///
    /// # Errors
    /// When there is no such agent.
    pub fn motion(&self, key: u64) -> Result<Motion, WorldError> {
        let agent = self.agent(key)?;
        self.brains.motion(agent).copied().ok_or(WorldError::NoAgent { key })
    }

    /// Makes a noise, which can be heard from the next tick on. It is made a hand above the place, lest the ground that one gives for it
    /// muffles it as a wall would.
    ///
    /// # Errors
    /// When a number is none, the range is not above 0, or there is no such agent.
    pub fn noise(&mut self, position: Vec3, range_m: f32, by: Option<u64>) -> Result<(), WorldError> {
        let by = by.map(|key| self.agent(key)).transpose()?;
        check_place("at", position)?;
        if !range_m.is_finite() || range_m <= 0.0 {
            return Err(number("range_m", range_m, "a number above 0"));
        }
        let position = position + Vec3::Y * NOISE_UP_M;
        self.brains.noise(Noise { position, range_m, by, at: self.brains.tick() });
        Ok(())
    }

    /// Hurts somebody, which is felt from the next tick on. Health is the page's to take.
    ///
    /// # Errors
    /// When a number is none, the amount is not a share, or there is no such agent.
    pub fn hurt(&mut self, key: u64, amount: f32, from: Vec3) -> Result<(), WorldError> {
        let who = self.agent(key)?;
        check_place("from", from)?;
        if !(0.0..=1.0).contains(&amount) {
            return Err(number("amount", amount, "a share of full health, 0 to 1"));
        }
        self.brains.hurt(Hurt { who, amount, from, at: self.brains.tick() });
        Ok(())
    }

    /// Tells somebody a fact that no sense gives; it knows it from the next tick on. None clears it.
    ///
    /// # Errors
    /// When there is no such agent or key, or the key holds something else.
    pub fn tell(&mut self, key: u64, name: &str, fact: Option<&Literal>) -> Result<(), WorldError> {
        let (agent, value) = self.check_fact(key, name, fact)?;
        self.brains.notify(agent, ToldFact { name: name.to_owned(), value });
        Ok(())
    }

    /// Whether somebody can be told a fact, and as what.
    ///
    /// # Errors
    /// As [`tell`](World::tell).
    pub fn check_fact(
        &self,
        key: u64,
        name: &str,
        fact: Option<&Literal>,
    ) -> Result<(AgentId, Option<Value>), WorldError> {
        let agent = self.agent(key)?;
        let number = self.brains.presence(agent).map_or(NO_BRAIN, |it| it.kind);
        let brain = self.mind.brain(number).ok_or(WorldError::Brainless { key })?;
        let found = brain.brain.keys().any(name).map_err(|_| {
            let names = brain.brain.keys().specs().iter().map(|spec| spec.name.as_str());
            WorldError::NoKey { brain: brain.name.clone(), name: name.to_owned(), nearest: nearest(name, names) }
        })?;
        let value = fact.map(|fact| {
            fact.value(found.kind()).ok_or_else(|| WorldError::KeyKind {
                brain: brain.name.clone(),
                name: name.to_owned(),
                kind: found.kind(),
                expected: shown(fact),
            })
        });
        Ok((agent, value.transpose()?))
    }

    /// Plays one tick.
    pub fn step(&mut self) {
        self.brains.step(&self.mind, &*self.mind.ground, &Serial, &mut self.scratch);
    }

    /// Starts or stops noting reasons; those noted so far are forgotten. Never changes what happens.
    pub fn listen(&mut self, is_on: bool) {
        self.scratch.forget();
        self.scratch.listen(is_on);
    }

    /// Forgets reasons that are older than so many ticks.
    pub fn forget_reasons(&mut self, ticks: u64) {
        let oldest = Tick(self.brains.tick().0.saturating_sub(ticks));
        self.scratch.forget_before(oldest);
    }

    /// Adds a frame's time; how many ticks are due.
    ///
    /// # Errors
    /// When the time is none or below 0.
    pub fn due(&mut self, seconds: f64) -> Result<u32, WorldError> {
        let frame = Duration::try_from_secs_f64(seconds).map_err(|_| WorldError::Number {
            what: "seconds",
            value: seconds,
            expected: "a time of 0 or more",
        })?;
        Ok(self.clock.advance(frame))
    }

    /// How far the present is past the last tick, as a share of a tick.
    pub fn alpha(&self) -> f32 {
        self.clock.alpha()
    }

    /// Lets those who think by a brain go on by another version of its file, where they were.
    ///
    /// # Errors
    /// When the file is wrong or there is no such brain; then the old one goes on.
    pub fn edit(&mut self, name: &str, text: &str) -> Result<(), WorldError> {
        let number = usize::from(self.brain_number(name)?);
        let senses = self.mind.brains[number].senses;
        let brain = read_brain(&BrainSource { name, text, senses }, &*self.mind.ground.page)?;
        let mut new = self.mind.clone();
        new.brains[number] = Arc::new(brain);
        self.brains.adopt(&self.mind, &new);
        self.mind = new;
        Ok(())
    }

    /// The world as bytes.
    pub fn save(&self) -> Vec<u8> {
        let brains = self.mind.brains.iter().map(|brain| (brain.name.clone(), brain.hash)).collect();
        let save = Save { ground: self.ground_hash, brains, world: self.brains.snapshot() };
        state::pack(FileKind::Snapshot, SAVE_FORMAT, &save)
    }

    /// Becomes the world of bytes that [`save`](World::save) gave.
    ///
    /// # Errors
    /// When they are none, or of another level or other brains; then the world stays as it is.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let save: Save = state::unpack(FileKind::Snapshot, bytes)?.open(SAVE_FORMAT)?;
        if save.ground != self.ground_hash {
            return Err(WorldError::OtherLevel);
        }
        let has: Vec<(String, u64)> = self.mind.brains.iter().map(|brain| (brain.name.clone(), brain.hash)).collect();
        if save.brains != has {
            return Err(WorldError::OtherBrains { had: versions(&save.brains), has: versions(&has) });
        }
        self.brains = Loop::restore(&save.world)?;
        self.scratch = Scratch::default();
        Ok(())
    }

    /// The shortest way between two places, corner by corner; none if there is none.
    pub fn path(&self, from: Vec3, to: Vec3) -> Option<Vec<Vec3>> {
        let mut search = AnyAngleSearch::default();
        let query = MeshQuery { expansions_max: PATH_EXPANSIONS_MAX, ..MeshQuery::new(from, to) };
        let answer = search.find(&self.mind.ground.mesh, &query);
        answer.is_found().then(|| answer.path.to_vec())
    }

    /// The height of the ground to walk on at a place, m.
    pub fn ground(&self, at: Vec3) -> Option<f32> {
        self.mind.ground.mesh.height(at, 2.0)
    }

    /// How far the way between two points is free, as a share of it; none if nothing stands in it.
    pub fn ray(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let ray = Ray::between(from, to)?;
        self.mind.ground.ray(&ray).map(|hit| math::clamp(hit.distance_m / ray.length_m, 0.0, 1.0))
    }

    /// The level's triangles, 9 numbers each.
    pub fn triangles(&self) -> Vec<f32> {
        let view = self.mind.ground.view();
        let mut numbers = Vec::new();
        view.triangles_in(&view.level.bounds(), Blocks::ANYTHING, |triangle| {
            numbers.extend(triangle.corners.iter().flat_map(|corner| corner.to_array()));
        });
        numbers
    }

    fn brain_number(&self, name: &str) -> Result<u16, WorldError> {
        let names = || self.mind.brains.iter().map(|brain| brain.name.as_str());
        let place = names().position(|one| one == name).and_then(|place| u16::try_from(place).ok());
        place.ok_or_else(|| WorldError::NoBrain { name: name.to_owned(), nearest: nearest(name, names()) })
    }
}
