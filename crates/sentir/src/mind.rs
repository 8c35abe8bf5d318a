//! The stages as a game writes them, and what each of them may see.
//!
//! What a brain may know is settled by types. [`Mind::sense`] sees the truth but writes only beliefs; [`Mind::think`] sees
//! beliefs and the board of its squad, which senses by its members only, and nothing else. Each stage has memory of its own that the others cannot read. [`Mind::act`] moves one body
//! through a world of others and walls, so it sees the truth, too: what it steers by must be near enough to be felt, and
//! it may report outcomes only. That is its author's duty.

use sentir_core::State;
use sentir_core::belief::{Beliefs, Message};
use sentir_core::budget::Budget;
use sentir_core::event::{EventKind, GameEvent};
use sentir_core::geometry::Geometry;
use sentir_core::glam::Vec3;
use sentir_core::id::{AgentId, TeamId};
use sentir_core::index::PointIndex;
use sentir_core::intent::{Actions, Attention, Gaze, Intents, Motion, Ticket, Travel};
use sentir_core::outcome::Outcome;
use sentir_core::plane;
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::{Reason, WhyLog};
use sentir_think::board::Blackboard;

use crate::coordinate::{Boards, FoundPath, Order, Roster, SquadView, Store};
use crate::host::{Hurt, Noise, Presence};
use crate::why::{Stage, Why};

/// The characters of a game: four stages, each of which may be left empty. The mind itself is tuning and tables, shared
/// by all agents and never changed; what an agent remembers is in the four memories.
pub trait Mind: Sync + Sized {
    /// What the senses remember: half-noticed things, smells.
    type Senses: State + Default + Send;
    /// What the brain remembers: states, plans.
    type Brain: State + Default + Send;
    /// What movement remembers: paths, stuck counters. Starts anew when the body is teleported.
    type Motor: State + Default + Send;
    /// What a squad remembers, beside its board.
    type Squad: State + Default + Send + Sync;
    /// What a brain can be told from outside of its senses: by the host ([`Loop::notify`](crate::Loop::notify)) or by its
    /// squad ([`Roster::notify`]).
    type Notice: State + Send;

    /// Turns truth into beliefs. `beliefs.me` and the outcomes are up to date already.
    fn sense(&self, _view: &SenseView<'_>, _senses: &mut Self::Senses, _beliefs: &mut Beliefs, _notes: &mut Notes<'_>) {
    }

    /// Takes in what the brain is told, on the tick after it was told and before anything is sensed. What is not known to
    /// everybody, nor felt by the agent itself, has no place in a notice: the test of honesty watches them.
    fn receive(&self, _view: &ThinkView<'_>, _notice: Self::Notice, _brain: &mut Self::Brain) {}

    /// Turns beliefs into intents.
    fn think(&self, _view: &ThinkView<'_>, _brain: &mut Self::Brain, _intents: &mut Intents, _notes: &mut Notes<'_>) {}

    /// Looks at what the members of one squad believe, want and ask; answers, briefs, and may overrule them.
    fn coordinate(&self, _view: &SquadView, _squad: &mut Self::Squad, _roster: &mut Roster<'_, '_, Self>) {}

    /// Takes a path that the squad found for a member into what its movement remembers ([`Roster::bring_path`]): the one way by
    /// which a squad reaches a motor. For minds with searches of their own; those that walk on meshes have
    /// [`Router`](crate::walk::Router).
    fn take_path(&self, _path: &FoundPath<'_>, _motor: &mut Self::Motor) {}

    /// Hands a brain over from another version of this mind to this one: its file was edited while it thinks. Intents may be
    /// read to end what goes on.
    fn adopt(&self, _old: &Self, _view: &ThinkView<'_>, _intents: &Intents, _brain: &mut Self::Brain) {}

    /// Hands the board of a squad over in the same way.
    fn adopt_board(&self, _old: &Self, _board: &mut Blackboard) {}

    /// Turns intents and orders into motion.
    fn act(
        &self,
        _view: &ActView<'_>,
        _motor: &mut Self::Motor,
        _motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
    }

    /// The name of a decision that [`EventKind::Decided`] speaks of.
    fn decision_name(&self, _decision: u16) -> &'static str {
        ""
    }
}

/// The truth, as senses and movement may look at it.
#[derive(Clone, Copy)]
pub struct WorldView<'a> {
    /// The host's level.
    pub geometry: &'a dyn Geometry,
    pub(crate) presences: &'a [Option<Presence>],
    pub(crate) index: Option<&'a PointIndex>,
    pub(crate) noises: &'a [Noise],
    pub(crate) hurts: &'a [Hurt],
    pub(crate) messages: &'a [(TeamId, Message)],
    /// Not the truth, but what brains read: the boards of the squads.
    pub(crate) boards: &'a dyn Boards,
    pub(crate) streams: Streams,
    pub(crate) tick: Tick,
    pub(crate) rate: TickRate,
}

impl<'a> WorldView<'a> {
    /// Everybody, in slot order.
    pub fn presences(&self) -> impl Iterator<Item = &'a Presence> + use<'a> {
        self.presences.iter().flatten()
    }

    /// One agent, if it is there.
    pub fn presence(&self, agent: AgentId) -> Option<&'a Presence> {
        self.presences.get(agent.index())?.as_ref().filter(|presence| presence.agent == agent)
    }

    /// What an agent's brain may see of the moment.
    pub(crate) fn think_view<'b>(&self, me: &Presence, beliefs: &'b Beliefs) -> ThinkView<'b>
    where
        'a: 'b,
    {
        let &Presence { agent, team, kind, .. } = me;
        let board = self.boards.board_of(me.squad_id());
        ThinkView { agent, team, kind, tick: self.tick, rate: self.rate, beliefs, board, streams: self.streams }
    }

    /// Calls `visit` for everybody whose feet are within `radius_m` of a place on the ground, heights aside, in an order
    /// that is fixed for the same world and settings.
    pub fn visit_near(&self, place: Vec3, radius_m: f32, mut visit: impl FnMut(&'a Presence)) {
        let center = plane::ground(place);
        if radius_m.is_nan() || radius_m < 0.0 {
            return;
        }
        match self.index {
            Some(index) => index.visit_radius(center, radius_m, |slot, _| {
                if let Some(presence) = &self.presences[slot as usize] {
                    visit(presence);
                }
            }),
            None => {
                let near = |presence: &&Presence| {
                    plane::ground(presence.body.pose.position).distance_squared(center) <= radius_m * radius_m
                };
                self.presences().filter(near).for_each(visit);
            }
        }
    }
}

/// What [`Mind::sense`] sees.
pub struct SenseView<'a> {
    /// Oneself, in truth.
    pub me: &'a Presence,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// All there is.
    pub world: &'a WorldView<'a>,
    /// Where the brain wants the eyes to look, and how hard.
    pub attention: Attention,
    /// Facts before this moment were sensed already.
    pub(crate) since: Tick,
}

impl<'a> SenseView<'a> {
    /// Noises since the last look, oldest first, one's own left out.
    pub fn noises(&self) -> impl Iterator<Item = &'a Noise> + use<'a> {
        let (me, since) = (self.me.agent, self.since);
        self.world.noises.iter().filter(move |noise| noise.at >= since && noise.by != Some(me))
    }

    /// Hurts to oneself since the last look, oldest first.
    pub fn hurts(&self) -> impl Iterator<Item = &'a Hurt> + use<'a> {
        let (me, since) = (self.me.agent, self.since);
        self.world.hurts.iter().filter(move |hurt| hurt.at >= since && hurt.who == me)
    }

    /// What the own team said since the last look, oldest first, oneself left out. Who hears it is up to the senses.
    pub fn messages(&self) -> impl Iterator<Item = &'a Message> + use<'a> {
        let (me, team, since) = (self.me.agent, self.me.team, self.since);
        let fits = move |(to, message): &&(TeamId, Message)| *to == team && message.at >= since && message.from != me;
        self.world.messages.iter().filter(fits).map(|(_, message)| message)
    }

    /// Whether what a sense does every so many ticks (0 counts as 1) is due: one of its ticks came since the last run, however
    /// seldom that is. Agents of different keys have different ticks.
    pub fn is_due(&self, every: u64) -> bool {
        let since_turn = self.tick.0.wrapping_add(self.me.key.0) % every.max(1);
        since_turn <= self.tick.since(self.since)
    }

    /// Chance, for this agent, tick and purpose.
    pub fn random(&self, purpose: Purpose) -> Stream {
        self.world.streams.at(self.me.agent.to_bits(), purpose, self.tick)
    }
}

/// What [`Mind::think`] sees: beliefs, what its squad has written for all members, and who it is.
pub struct ThinkView<'a> {
    /// Oneself.
    pub agent: AgentId,
    /// On which side.
    pub team: TeamId,
    /// What kind of character.
    pub kind: u16,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// All it knows.
    pub beliefs: &'a Beliefs,
    /// The board of its squad, as coordination left it in the tick before: the team's board of a brain of `sentir_think`.
    pub board: &'a Blackboard,
    pub(crate) streams: Streams,
}

impl ThinkView<'_> {
    /// Whether what it wants to reach now was just reported as reached. An outcome of an earlier wish does not count.
    pub fn has_arrived(&self, intents: &Intents) -> bool {
        let wish = intents.travel().map(|(ticket, _)| ticket);
        let is_mine = |one: &Outcome| matches!(one, Outcome::Arrived { ticket } if Some(*ticket) == wish);
        self.beliefs.outcomes().iter().any(is_mine)
    }

    /// The world's seed, for brains that draw by themselves.
    pub fn streams(&self) -> Streams {
        self.streams
    }

    /// Chance, for this agent, tick and purpose.
    pub fn random(&self, purpose: Purpose) -> Stream {
        self.streams.at(self.agent.to_bits(), purpose, self.tick)
    }
}

/// What [`Mind::act`] sees.
pub struct ActView<'a> {
    /// Oneself, in truth.
    pub me: &'a Presence,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// All there is.
    pub world: &'a WorldView<'a>,
    pub(crate) intents: &'a Intents,
    pub(crate) order: Option<&'a Order>,
    pub(crate) order_ticket: Ticket,
}

impl<'a> ActView<'a> {
    /// Where to go: as ordered, or else as wanted.
    pub fn travel(&self) -> Option<(Ticket, Travel)> {
        match self.order.and_then(|order| order.travel) {
            Some(travel) => Some((self.order_ticket, travel)),
            None => self.intents.travel(),
        }
    }

    /// Where to look: as ordered, or else as wanted.
    pub fn gaze(&self) -> Gaze {
        self.order.and_then(|order| order.gaze).unwrap_or(self.intents.gaze)
    }

    /// What to do: as ordered, or else as wanted.
    pub fn actions(&self) -> Actions {
        self.order.and_then(|order| order.actions).unwrap_or(self.intents.actions)
    }

    /// What the brain itself wants, orders aside.
    pub fn intents(&self) -> &'a Intents {
        self.intents
    }

    /// Chance, for this agent, tick and purpose.
    pub fn random(&self, purpose: Purpose) -> Stream {
        self.random_for(purpose, 1)
    }

    /// Chance that stays the same for `ticks` ticks (0 counts as 1): for what is drawn now and then and held in between.
    pub fn random_for(&self, purpose: Purpose, ticks: u64) -> Stream {
        let held = Tick(self.tick.0 - self.tick.0 % ticks.max(1));
        self.world.streams.at(self.me.agent.to_bits(), purpose, held)
    }
}

/// Where a stage leaves events and reasons, and what work it may still do.
pub struct Notes<'a> {
    pub(crate) tick: Tick,
    pub(crate) agent: AgentId,
    pub(crate) stage: Stage,
    pub(crate) budget: Budget,
    pub(crate) is_woken: bool,
    pub(crate) events: &'a mut Vec<GameEvent>,
    pub(crate) whys: &'a mut WhyLog<Why>,
    pub(crate) store: &'a mut Store,
}

impl Notes<'_> {
    /// Tells what happened.
    pub fn event(&mut self, kind: EventKind) {
        self.events.push(GameEvent { tick: self.tick, agent: Some(self.agent), kind });
    }

    /// Tells why. The closure is called only if somebody listens; it must not decide anything.
    #[inline]
    pub fn because(&mut self, reason: impl FnOnce() -> Reason) {
        self.whys.because(self.tick, self.agent, || Why::Because(reason()));
    }

    /// Lets a brain of `sentir_think` think, with a log for its reasons; they go to the loop's.
    pub fn think<T>(&mut self, think: impl FnOnce(&mut WhyLog<sentir_think::why::Why>) -> T) -> T {
        let mut log = WhyLog::default();
        log.listen(self.whys.is_on());
        let result = think(&mut log);
        for entry in log.entries() {
            self.whys.because(entry.tick, entry.agent, || Why::Brain(entry.why));
        }
        result
    }

    /// Takes work out of the agent's quota for this run of the stage. False when too little is left: then the work must
    /// not be done.
    #[must_use]
    pub fn spend(&mut self, units: u32) -> bool {
        let is_granted = self.budget.spend(units);
        if !is_granted {
            let (stage, left) = (self.stage, self.budget.left());
            self.whys.because(self.tick, self.agent, || Why::OutOfBudget { stage, wanted: units, left });
        }
        is_granted
    }

    /// Memory for pictures, searches and lists, to be given back by [`put_scratch`](Notes::put_scratch). It is that of the last
    /// agent of the same job, or a new one: nothing may depend on what it holds.
    pub fn take_scratch<T: Default + Send + 'static>(&mut self) -> Box<T> {
        self.store.take()
    }

    /// Gives memory back, for the next agent.
    pub fn put_scratch<T: Send + 'static>(&mut self, scratch: Box<T>) {
        self.store.put(scratch);
    }

    /// Units left for this run of the stage.
    pub fn work_left(&self) -> u32 {
        self.budget.left()
    }

    /// From [`Mind::sense`]: something happened that the brain should think about in this tick, whether it is due or not.
    pub fn wake(&mut self) {
        self.is_woken = true;
    }
}

/// Where movement reports what became of the intents. The brain learns it on the next tick.
pub struct Outcomes<'a> {
    pub(crate) list: &'a mut Vec<Outcome>,
}

impl Outcomes<'_> {
    /// Reports an outcome.
    pub fn report(&mut self, outcome: Outcome) {
        self.list.push(outcome);
    }
}

/// The mind of nobody: every stage empty.
impl Mind for () {
    type Senses = ();
    type Brain = ();
    type Motor = ();
    type Squad = ();
    type Notice = ();
}
