//! The loop: all agents of a world, and what one tick does with them.

use sentir_core::State;
use sentir_core::belief::{Beliefs, Message};
use sentir_core::body::{Body, Pose};
use sentir_core::event::{EventKind, GameEvent};
use sentir_core::geometry::Geometry;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::{Agent as AgentMark, AgentId, Slots, SquadId, TeamId};
use sentir_core::index::PointIndex;
use sentir_core::intent::{Intents, Motion, Ticket};
use sentir_core::outcome::Outcome;
use sentir_core::plane;
use sentir_core::pool::Pool;
use sentir_core::random::Streams;
use sentir_core::state::{self, EnvelopeError, FileKind};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::Blackboard;
use thiserror::Error;

use crate::agent::{Agent, Spare};
use crate::coordinate::{Boards, Order, Squad, SquadScratch, Stage};
use crate::host::{AgentSpec, HostKey, Hurt, Noise, Presence, SpawnError};
use crate::mind::{Mind, ThinkView, WorldView};
use crate::pass::{self, Part, Pass};
use crate::schedule::{Importance, LoopConfig};
use crate::why::Why;

/// Number of the snapshot format.
const SNAPSHOT_FORMAT: u32 = 2;
/// What a loop keeps of each kind of thing that it is told between two steps, in all or for one agent: noises, hurts, events,
/// notices, outcomes. What a host goes on telling a world that is paused is lost from there on.
pub const TOLD_MAX: usize = 1 << 16;

fn push_told<T>(list: &mut Vec<T>, one: T) {
    if list.len() < TOLD_MAX {
        list.push(one);
    }
}

/// All agents of one world: pure state, to be stepped, saved, hashed and compared. Several worlds are several loops.
///
/// The mind (tables and tuning) and the [`Scratch`] (caches and the notes of the last tick) are handed in, so that a
/// snapshot of the loop is the whole truth about it.
#[derive(State)]
#[state(check)]
pub struct Loop<M: Mind> {
    config: LoopConfig,
    is_paused: bool,
    agents: Slots<Agent<M>, AgentMark>,
    facts: Facts,
    /// Ascending by key.
    keys: Vec<(HostKey, AgentId)>,
    /// Ascending by id.
    squads: Vec<Squad<M>>,
    /// What happened since the last step.
    pending: Vec<GameEvent>,
}

/// The truth of a tick: what agents read while they write themselves.
#[derive(State)]
struct Facts {
    streams: Streams,
    tick: Tick,
    /// By slot, in step with the agents.
    presences: Vec<Option<Presence>>,
    noises: Vec<Noise>,
    hurts: Vec<Hurt>,
    messages: Vec<(TeamId, Message)>,
}

impl Facts {
    fn world<'a>(
        &'a self,
        config: &LoopConfig,
        geometry: &'a dyn Geometry,
        index: &'a PointIndex,
        boards: &'a dyn Boards,
    ) -> WorldView<'a> {
        WorldView {
            geometry,
            boards,
            presences: &self.presences,
            index: config.has_index().then_some(index),
            noises: &self.noises,
            hurts: &self.hurts,
            messages: &self.messages,
            streams: self.streams,
            tick: self.tick,
            rate: config.rate,
        }
    }

    fn presence(&self, agent: AgentId) -> Option<&Presence> {
        self.presences.get(agent.index())?.as_ref().filter(|presence| presence.agent == agent)
    }

    fn presence_mut(&mut self, agent: AgentId) -> Option<&mut Presence> {
        self.presences.get_mut(agent.index())?.as_mut().filter(|presence| presence.agent == agent)
    }

    /// Drops what everybody had the time to sense.
    fn forget(&mut self, oldest: Tick) {
        self.noises.retain(|noise| noise.at >= oldest);
        self.hurts.retain(|hurt| hurt.at >= oldest);
        self.messages.retain(|(_, message)| message.at >= oldest);
    }
}

/// What a loop needs to work and does not need to remember: caches, spare lists, the notes of the last tick. A new one
/// at any tick changes nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    events: Vec<GameEvent>,
    whys: WhyLog<Why>,
    parts: Vec<Part>,
    points: Vec<Vec2>,
    index: PointIndex,
    squads: SquadScratch,
    spares: Vec<Spare>,
}

impl Scratch {
    /// What happened in the last step and since the one before, in the order of the agents' slots within each stage.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// Why it happened; empty unless [`listen`](Scratch::listen) was called. Grows until [`forget`](Scratch::forget).
    pub fn whys(&self) -> &WhyLog<Why> {
        &self.whys
    }

    /// Starts or stops noting reasons. Never changes what happens.
    pub fn listen(&mut self, is_on: bool) {
        self.whys.listen(is_on);
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        self.parts.iter_mut().for_each(|part| part.whys.listen(is_on));
    }

    /// Forgets the reasons noted before a moment.
    pub fn forget_before(&mut self, tick: Tick) {
        self.whys.clear_before(tick);
    }

    /// Forgets the reasons noted so far.
    pub fn forget(&mut self) {
        self.whys.clear();
    }

    /// Appends what the jobs noted, in slot order.
    fn merge(&mut self, said: &mut Vec<(TeamId, Message)>) {
        for part in &mut self.parts {
            self.events.append(&mut part.events);
            self.whys.append(&mut part.whys);
            said.append(&mut part.said);
        }
    }
}

/// Why a snapshot could not be restored.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the snapshot {0}")]
pub struct RestoreError(EnvelopeError);

impl<M: Mind> Loop<M> {
    /// Bytes that one agent takes, with its place in the world and its host key; what its lists hold comes on top.
    pub const BYTES_PER_AGENT: usize =
        size_of::<Agent<M>>() + size_of::<Option<Presence>>() + size_of::<(HostKey, AgentId)>() + size_of::<AgentId>();

    /// A world without agents. Everything random in it follows from the seed.
    pub fn new(config: LoopConfig, seed: u64) -> Self {
        Loop {
            config,
            is_paused: false,
            agents: Slots::default(),
            facts: Facts {
                streams: Streams { seed },
                tick: Tick(0),
                presences: Vec::new(),
                noises: Vec::new(),
                hurts: Vec::new(),
                messages: Vec::new(),
            },
            keys: Vec::new(),
            squads: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// The tick that the next step will play.
    pub fn tick(&self) -> Tick {
        self.facts.tick
    }

    /// Ticks per second.
    pub fn rate(&self) -> TickRate {
        self.config.rate
    }

    /// The tuning it was made with.
    pub fn config(&self) -> &LoopConfig {
        &self.config
    }

    /// The world's root of randomness, for a host that wants its own streams of it.
    pub fn streams(&self) -> Streams {
        self.facts.streams
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Brings an agent into the world. It takes part from the next step on.
    pub fn spawn(&mut self, spec: AgentSpec) -> Result<AgentId, SpawnError> {
        self.spawn_with(spec, M::Brain::default())
    }

    /// [`spawn`](Loop::spawn) with what its brain knows from the beginning.
    pub fn spawn_with(&mut self, spec: AgentSpec, brain: M::Brain) -> Result<AgentId, SpawnError> {
        self.spawn_from(spec, brain, &mut Scratch::default())
    }

    /// [`spawn_with`](Loop::spawn_with), taking lists of agents that left out of `scratch`, so that nothing is
    /// allocated before it is told something for the first time.
    pub fn spawn_from(
        &mut self,
        spec: AgentSpec,
        brain: M::Brain,
        scratch: &mut Scratch,
    ) -> Result<AgentId, SpawnError> {
        let AgentSpec { key, team, squad, kind, importance, body } = spec;
        if !body.is_in_reach() {
            return Err(SpawnError::BadBody { key });
        }
        let place = match self.keys.binary_search_by_key(&key, |&(key, _)| key) {
            Ok(place) => return Err(SpawnError::KeyTaken { key, agent: self.keys[place].1 }),
            Err(place) => place,
        };
        let spare = scratch.spares.pop().unwrap_or_default();
        let agent = self.agents.insert(Agent::new(spare, brain, importance, body.pose.yaw, self.facts.tick));
        self.keys.insert(place, (key, agent));
        if self.facts.presences.len() <= agent.index() {
            self.facts.presences.resize(agent.index() + 1, None);
        }
        self.facts.presences[agent.index()] = Some(Presence { agent, key, team, squad, kind, body });
        let squad = self.squad_mut(SquadId { team, number: squad });
        let place = squad.members.partition_point(|&other| other < agent);
        squad.members.insert(place, agent);
        self.emit(Some(agent), EventKind::Spawned);
        Ok(agent)
    }

    /// Takes an agent out of the world. False if it is not there.
    pub fn despawn(&mut self, agent: AgentId) -> bool {
        self.despawn_into(agent, &mut Scratch::default())
    }

    /// [`despawn`](Loop::despawn), leaving its lists in `scratch` for the next one.
    pub fn despawn_into(&mut self, agent: AgentId, scratch: &mut Scratch) -> bool {
        let Some(gone) = self.agents.remove(agent) else { return false };
        scratch.spares.push(gone.into_spare());
        if let Some(presence) = self.facts.presences[agent.index()].take() {
            self.keys.retain(|&(key, _)| key != presence.key);
            self.squad_mut(presence.squad_id()).members.retain(|&other| other != agent);
        }
        self.emit(Some(agent), EventKind::Despawned);
        true
    }

    /// The agent of a host's entity.
    pub fn agent_of(&self, key: HostKey) -> Option<AgentId> {
        self.keys.binary_search_by_key(&key, |&(key, _)| key).ok().map(|place| self.keys[place].1)
    }

    /// The truth about an agent, as the host told it last.
    pub fn presence(&self, agent: AgentId) -> Option<&Presence> {
        self.facts.presence(agent)
    }

    /// Tells where a body is and how it moves. False, and the old body stays, when the agent is not there or a number is
    /// not finite, or absurd (which is also an event): farther out than [`REACH_M`](sentir_core::body::REACH_M).
    pub fn observe(&mut self, agent: AgentId, body: Body) -> bool {
        if !body.is_in_reach() {
            if self.agents.contains(agent) {
                self.emit(Some(agent), EventKind::BadBody);
            }
            return false;
        }
        match self.facts.presence_mut(agent) {
            Some(presence) => {
                presence.body = body;
                true
            }
            None => false,
        }
    }

    /// Tells that a body was moved by force. Its movement starts anew, its wish to travel is given up, and its brain
    /// learns of it on the next tick. False when the agent is not there or the pose is not finite.
    pub fn teleport(&mut self, agent: AgentId, pose: Pose) -> bool {
        let Some(presence) = self.facts.presence_mut(agent).filter(|_| pose.is_in_reach()) else { return false };
        presence.body.pose = pose;
        presence.body.velocity = Vec3::ZERO;
        if let Some(moved) = self.agents.at_mut(agent) {
            moved.motor = M::Motor::default();
            moved.motion = Motion { yaw: pose.yaw, ..Motion::default() };
            let ticket = moved.intents.travel().map_or(Ticket::default(), |(ticket, _)| ticket);
            moved.intents.stay();
            moved.outcomes.push(Outcome::Teleported { ticket });
        }
        self.emit(Some(agent), EventKind::Teleported);
        true
    }

    /// Tells of a noise; it can be heard from the next step on.
    pub fn noise(&mut self, noise: Noise) {
        if noise.position.is_finite() && noise.range_m > 0.0 && self.facts.noises.len() < TOLD_MAX {
            self.facts.noises.push(Noise { at: self.facts.tick, ..noise });
        }
    }

    /// Noises that somebody may not have heard yet, oldest first: for hosts that show or test them.
    pub fn noises(&self) -> &[Noise] {
        &self.facts.noises
    }

    /// Hurts that somebody may not have felt yet, oldest first.
    pub fn hurts(&self) -> &[Hurt] {
        &self.facts.hurts
    }

    /// Messages that somebody may not have heard yet, and to which team, oldest first.
    pub fn messages(&self) -> &[(TeamId, Message)] {
        &self.facts.messages
    }

    /// Tells of a hurt; it is felt from the next step on.
    pub fn hurt(&mut self, hurt: Hurt) {
        if hurt.amount.is_finite() && hurt.from.is_finite() && self.facts.hurts.len() < TOLD_MAX {
            self.facts.hurts.push(Hurt { at: self.facts.tick, ..hurt });
        }
    }

    /// Tells what became of something an agent wanted, where only the host can know: an action its body could not do.
    pub fn report(&mut self, agent: AgentId, outcome: Outcome) -> bool {
        self.agents.at_mut(agent).map(|agent| push_told(&mut agent.outcomes, outcome)).is_some()
    }

    /// Emits an event of an agent, or of none; it comes out with those of the next step.
    pub fn emit(&mut self, agent: Option<AgentId>, kind: EventKind) {
        push_told(&mut self.pending, GameEvent { tick: self.facts.tick, agent, kind });
    }

    /// Tells a brain something that its senses cannot: how its gun is, which task the rules give it. It receives it in the
    /// next step ([`Mind::receive`]). False if the agent is not there.
    pub fn notify(&mut self, agent: AgentId, notice: M::Notice) -> bool {
        self.agents.at_mut(agent).map(|agent| push_told(&mut agent.inbox, notice)).is_some()
    }

    /// What an agent was told since the last step, by the host and by its squad, oldest first.
    pub fn inbox(&self, agent: AgentId) -> &[M::Notice] {
        self.agents.at(agent).map_or(&[], |agent| &agent.inbox)
    }

    /// Gives a squad something to remember from the beginning, in place of what it remembers now.
    pub fn brief_squad(&mut self, id: SquadId, memory: M::Squad) {
        self.squad_mut(id).memory = memory;
    }

    /// What a squad remembers; none if nobody was ever in it.
    pub fn squad(&self, id: SquadId) -> Option<&M::Squad> {
        let place = self.squads.binary_search_by_key(&id, |squad| squad.id).ok()?;
        Some(&self.squads[place].memory)
    }

    /// The board of an agent's squad: what its brain reads in the next step. None if the agent is not there.
    pub fn board(&self, agent: AgentId) -> Option<&Blackboard> {
        self.presence(agent).map(|it| self.squads.board_of(it.squad_id()))
    }

    /// Every squad, its members and what it remembers, ascending by id.
    pub fn squads(&self) -> impl Iterator<Item = (SquadId, &[AgentId], &M::Squad)> {
        self.squads.iter().map(|squad| (squad.id, squad.members.as_slice(), &squad.memory))
    }

    /// Hands every brain and every squad's board over from one version of the mind to another, between two ticks: hot reload.
    pub fn adopt(&mut self, old: &M, new: &M) {
        let (tick, rate, streams) = (self.facts.tick, self.config.rate, self.facts.streams);
        for (id, agent) in self.agents.iter_mut() {
            let Some(me) = self.facts.presence(id) else { continue };
            let (team, kind) = (me.team, me.kind);
            let board = self.squads.board_of(me.squad_id());
            let view = ThinkView { agent: id, team, kind, tick, rate, beliefs: &agent.beliefs, board, streams };
            new.adopt(old, &view, &agent.intents, &mut agent.brain);
        }
        for squad in &mut self.squads {
            new.adopt_board(old, &mut squad.board);
        }
    }

    /// Stops the world, or lets it go on. A stopped world does not step.
    pub fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// Stops one agent, or lets it go on. It stands still and neither senses nor thinks, but others see it.
    pub fn pause_agent(&mut self, agent: AgentId, is_paused: bool) -> bool {
        self.agents.at_mut(agent).map(|agent| agent.is_paused = is_paused).is_some()
    }

    /// Says how much an agent matters now. False if it is not there.
    pub fn set_importance(&mut self, agent: AgentId, importance: Importance) -> bool {
        self.agents.at_mut(agent).map(|agent| agent.importance = importance).is_some()
    }

    /// What the agent's body is asked to do.
    pub fn motion(&self, agent: AgentId) -> Option<&Motion> {
        self.agents.at(agent).map(|agent| &agent.motion)
    }

    /// What all bodies are asked to do, in slot order.
    pub fn motions(&self) -> impl Iterator<Item = (&Presence, &Motion)> {
        self.agents.iter().filter_map(|(id, agent)| Some((self.presence(id)?, &agent.motion)))
    }

    /// What an agent believes.
    pub fn beliefs(&self, agent: AgentId) -> Option<&Beliefs> {
        self.agents.at(agent).map(|agent| &agent.beliefs)
    }

    /// What an agent wants.
    pub fn intents(&self, agent: AgentId) -> Option<&Intents> {
        self.agents.at(agent).map(|agent| &agent.intents)
    }

    /// What an agent's squad wants of it.
    pub fn order(&self, agent: AgentId) -> Option<&Order> {
        self.agents.at(agent)?.order.as_ref()
    }

    /// What an agent's senses remember; for hosts that hand it on to movement, and for debuggers.
    pub fn senses(&self, agent: AgentId) -> Option<&M::Senses> {
        self.agents.at(agent).map(|agent| &agent.senses)
    }

    /// What an agent's brain remembers.
    pub fn brain(&self, agent: AgentId) -> Option<&M::Brain> {
        self.agents.at(agent).map(|agent| &agent.brain)
    }

    /// What movement remembers of an agent.
    pub fn motor(&self, agent: AgentId) -> Option<&M::Motor> {
        self.agents.at(agent).map(|agent| &agent.motor)
    }

    /// Plays one tick: sense and think, coordinate, act. False if the world is paused.
    pub fn step(&mut self, mind: &M, geometry: &dyn Geometry, pool: &dyn Pool, scratch: &mut Scratch) -> bool {
        if self.is_paused {
            return false;
        }
        scratch.events.clear();
        scratch.events.reserve(2 * self.agents.slot_count());
        scratch.events.append(&mut self.pending);
        self.build_index(scratch, pool);
        let world = self.facts.world(&self.config, geometry, &scratch.index, &self.squads);
        pass::run(Pass::SenseAndThink, mind, &self.config, self.agents.chunk(), &world, &mut scratch.parts, pool);
        scratch.merge(&mut self.facts.messages);
        self.coordinate(mind, pool, scratch);
        let world = self.facts.world(&self.config, geometry, &scratch.index, &self.squads);
        pass::run(Pass::Act, mind, &self.config, self.agents.chunk(), &world, &mut scratch.parts, pool);
        scratch.merge(&mut self.facts.messages);
        self.facts.tick = self.facts.tick + 1;
        self.facts.forget(self.facts.tick - self.config.facts_kept());
        true
    }

    /// A snapshot of everything, as the bytes of a file.
    pub fn snapshot(&self) -> Vec<u8> {
        state::pack(FileKind::Snapshot, SNAPSHOT_FORMAT, self)
    }

    /// The world of a snapshot.
    pub fn restore(file: &[u8]) -> Result<Self, RestoreError> {
        state::unpack(FileKind::Snapshot, file)
            .and_then(|envelope| envelope.open(SNAPSHOT_FORMAT))
            .map_err(RestoreError)
    }

    fn build_index(&self, scratch: &mut Scratch, pool: &dyn Pool) {
        if self.config.has_index() {
            let ground = |presence: &Option<Presence>| {
                presence.as_ref().map_or(Vec2::NAN, |presence| plane::ground(presence.body.pose.position))
            };
            scratch.points.clear();
            scratch.points.extend(self.facts.presences.iter().map(ground));
            scratch.index.build(&scratch.points, self.config.index_cell_m, pool);
        }
    }

    fn coordinate(&mut self, mind: &M, pool: &dyn Pool, scratch: &mut Scratch) {
        let (tick, streams) = (self.facts.tick, self.facts.streams);
        let stage = Stage { mind, config: &self.config, tick, streams, pool };
        stage.run(&mut self.squads, &mut self.agents, &mut scratch.parts, &mut scratch.squads);
        scratch.merge(&mut self.facts.messages);
    }

    fn squad_mut(&mut self, id: SquadId) -> &mut Squad<M> {
        let place = match self.squads.binary_search_by_key(&id, |squad| squad.id) {
            Ok(place) => place,
            Err(place) => {
                let (members, memory, board) = (Vec::new(), M::Squad::default(), Blackboard::EMPTY);
                self.squads.insert(place, Squad { id, members, memory, board });
                place
            }
        };
        &mut self.squads[place]
    }

    /// What a loaded loop must satisfy: everybody has one presence, one key and one squad.
    fn check(&self) -> Result<(), &'static str> {
        let present = |id: AgentId| self.presence(id).is_some();
        let count = self.agents.len();
        let mut members: Vec<_> = self.squads.iter().flat_map(|squad| &squad.members).copied().collect();
        members.sort_unstable();
        members.dedup();
        let keyed = |&(key, id): &(HostKey, AgentId)| self.presence(id).is_some_and(|presence| presence.key == key);
        let in_squad = |squad: &Squad<M>| {
            let fits = |&id: &AgentId| self.presence(id).is_some_and(|presence| presence.squad_id() == squad.id);
            squad.members.is_sorted() && squad.members.iter().all(fits)
        };
        let holds = [
            self.facts.presences.iter().flatten().count() == count && self.agents.iter().all(|(id, _)| present(id)),
            self.keys.len() == count && self.keys.iter().all(keyed),
            self.keys.is_sorted_by(|a, b| a.0 < b.0),
            self.squads.is_sorted_by(|a, b| a.id < b.id),
            members.len() == count && self.squads.iter().map(|squad| squad.members.len()).sum::<usize>() == count,
            self.squads.iter().all(in_squad),
            self.facts.presences.iter().flatten().all(|presence| presence.body.is_in_reach()),
        ];
        if holds.iter().all(|&holds| holds) {
            Ok(())
        } else {
            Err("agents, presences, keys and squads do not fit together")
        }
    }
}
