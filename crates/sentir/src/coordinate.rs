//! The coordination stage: squads look at what their members believe and want, answer what they ask, brief them and may
//! overrule them.
//!
//! A squad senses only through its members, so the truth is not to be seen here. Everything it gives reaches a member's brain
//! on the next tick: an answer and an overruling as outcomes, a notice through the inbox, what concerns all members by the
//! squad's board, which their brains read. Orders stand until the squad's next run; the event of an overruling tells everybody
//! who watches.
//!
//! Squads run in parallel. A job reads and writes its own squads and their members and nothing else, so the number of jobs
//! changes nothing. Nothing is allocated when warm.

use std::any::Any;

use sentir_core::State;
use sentir_core::belief::Beliefs;
use sentir_core::event::{EventKind, GameEvent};
use sentir_core::glam::Vec2;
use sentir_core::id::{Agent as AgentMark, AgentId, Slots, SquadId};
use sentir_core::intent::{Actions, Ask, Gaze, Intents, Ticket, Travel};
use sentir_core::outcome::{Answer, Outcome};
use sentir_core::pool::{JOBS_MAX, Pool, each};
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::Reason;
use sentir_think::board::Blackboard;

use crate::agent::Agent;
use crate::mind::Mind;
use crate::pass::Part;
use crate::schedule::{LoopConfig, is_due, is_turn};
use crate::why::Why;

/// Squads per job below which splitting does not pay.
const SQUADS_PER_JOB_MIN: usize = 2;
/// Jobs a worker: few squads ask for much in a tick, so large jobs would be uneven.
const JOBS_PER_WORKER: usize = 8;

/// What a squad wants of a member; parts left out stay the member's own affair.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Order {
    /// Where to go.
    pub travel: Option<Travel>,
    /// Where to look.
    pub gaze: Option<Gaze>,
    /// What to do.
    pub actions: Option<Actions>,
}

/// A path that a squad found for a member.
#[derive(Clone, Copy, Debug)]
pub struct FoundPath<'a> {
    /// Where it leads, m.
    pub goal: Vec2,
    /// Places to go to, the next one last.
    pub stops: &'a [Vec2],
    /// Whether no way leads to the goal: the stops end elsewhere.
    pub is_hopeless: bool,
    /// The moment.
    pub tick: Tick,
}

/// What [`Mind::coordinate`] sees beside the members.
#[derive(Clone, Copy, Debug)]
pub struct SquadView {
    /// Which squad.
    pub squad: SquadId,
    /// Its place among all squads: to spread work that is not done on every tick.
    pub place: u32,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    pub(crate) streams: Streams,
}

impl SquadView {
    /// The world's seed, for squads that draw by themselves.
    pub fn streams(&self) -> Streams {
        self.streams
    }

    /// Chance, for this squad, tick and purpose.
    pub fn random(&self, purpose: Purpose) -> Stream {
        // Squads draw from owners that no agent can be.
        let SquadId { team, number } = self.squad;
        self.streams.at(!(u64::from(team.0) << 32 | u64::from(number)), purpose, self.tick)
    }
}

/// A squad: who belongs to it, and what it remembers.
#[derive(State)]
pub(crate) struct Squad<M: Mind> {
    pub(crate) id: SquadId,
    /// Ascending.
    pub(crate) members: Vec<AgentId>,
    pub(crate) memory: M::Squad,
    /// What all members read.
    pub(crate) board: Blackboard,
}

/// The boards of the squads, for thoughts: whatever the mind.
pub(crate) trait Boards: Sync {
    /// The board of a squad; an empty one if there is no such squad.
    fn board_of(&self, squad: SquadId) -> &Blackboard;
}

/// The board of a squad that is not there.
static NO_BOARD: Blackboard = Blackboard::EMPTY;

impl<M: Mind> Boards for Vec<Squad<M>> {
    fn board_of(&self, squad: SquadId) -> &Blackboard {
        let place = self.binary_search_by_key(&squad, |one| one.id);
        place.map_or(&NO_BOARD, |place| &self[place].board)
    }
}

/// Memory of a job that may be dropped at any tick: a value of each type that the mind's stages ask for.
#[derive(Debug, Default)]
pub(crate) struct Store(Vec<Box<dyn Any + Send>>);

impl Store {
    pub(crate) fn take<T: Default + Send + 'static>(&mut self) -> Box<T> {
        let place = self.0.iter().position(|kept| kept.is::<T>());
        place.and_then(|place| self.0.swap_remove(place).downcast().ok()).unwrap_or_default()
    }

    pub(crate) fn put<T: Send + 'static>(&mut self, scratch: Box<T>) {
        self.0.push(scratch);
    }
}

/// What a squad knows of a member: what that one knows and wants itself.
pub struct Member<'a, M: Mind> {
    /// Who.
    pub agent: AgentId,
    /// What it believes, its own body among it.
    pub beliefs: &'a Beliefs,
    /// What it wants.
    pub intents: &'a Intents,
    /// What its brain remembers, and so reports.
    pub brain: &'a M::Brain,
    /// What its movement remembers, and so needs.
    pub motor: &'a M::Motor,
}

/// The members of a squad, for [`Mind::coordinate`]. Places count from 0, ascending by id.
pub struct Roster<'a, 'b, M: Mind> {
    members: &'a [AgentId],
    /// In step with `members`.
    agents: &'a mut [Option<&'b mut Agent<M>>],
    board: &'a mut Blackboard,
    tick: Tick,
    config: &'a LoopConfig,
    /// Ticks to the squad's next run.
    every: u16,
    part: &'a mut Part,
}

impl<M: Mind> Roster<'_, '_, M> {
    /// The members, ascending by id.
    pub fn members(&self) -> &[AgentId] {
        self.members
    }

    /// The place of a member; none of who is none.
    pub fn place_of(&self, agent: AgentId) -> Option<usize> {
        self.members.binary_search(&agent).ok()
    }

    /// The member at a place.
    pub fn member(&self, place: usize) -> Option<Member<'_, M>> {
        let (&agent, one) = (self.members.get(place)?, self.agents.get(place)?.as_deref()?);
        let Agent { beliefs, intents, brain, motor, .. } = one;
        Some(Member { agent, beliefs, intents, brain, motor })
    }

    /// The questions a member has asked since the last run of its squad, oldest first.
    pub fn asks(&self, place: usize) -> &[Ask] {
        self.agents.get(place).and_then(|one| one.as_deref()).map_or(&[], |one| &one.intents.asks)
    }

    /// Whether a member takes part: who is paused neither senses nor thinks, nor is it told anything.
    pub fn is_active(&self, place: usize) -> bool {
        self.agents.get(place).and_then(|one| one.as_deref()).is_some_and(|one| !one.is_paused)
    }

    /// Whether it is a member's turn to think before the squad's next run, so that it should know now what there is to know.
    pub fn thinks_soon(&self, place: usize) -> bool {
        let (Some(&agent), Some(one)) =
            (self.members.get(place), self.agents.get(place).and_then(|one| one.as_deref()))
        else {
            return false;
        };
        let think_every = self.config.detail_of(one.importance).think_every;
        (1..=u64::from(self.every.max(1))).any(|ahead| is_due(self.tick + ahead, agent, think_every))
    }

    /// Answers a question; the member learns it on the next tick. False if there is no such member.
    pub fn answer(&mut self, place: usize, ticket: Ticket, answer: Answer) -> bool {
        self.at(place).map(|one| one.outcomes.push(Outcome::Answered { ticket, answer })).is_some()
    }

    /// Tells a member something; its brain receives it on the next tick. False if there is no such member.
    pub fn notify(&mut self, place: usize, notice: M::Notice) -> bool {
        self.at(place).map(|one| one.inbox.push(notice)).is_some()
    }

    /// The squad's board: what is written here the brains of all members read from the next tick on ([`ThinkView::board`]). It
    /// has no room for keys until the mind gives it some ([`Blackboard::new`]).
    ///
    /// [`ThinkView::board`]: crate::ThinkView::board
    pub fn board_mut(&mut self) -> &mut Blackboard {
        self.board
    }

    /// Brings a member a path that its squad found; it walks by it from this tick on. False if there is no such member.
    pub fn bring_path(&mut self, mind: &M, place: usize, path: &FoundPath<'_>) -> bool {
        self.at(place).map(|one| mind.take_path(path, &mut one.motor)).is_some()
    }

    /// What movement remembers of a member, for the loop's own walkers.
    pub(crate) fn motor_mut(&mut self, place: usize) -> Option<&mut M::Motor> {
        self.at(place).map(|one| &mut one.motor)
    }

    /// Overrules a member; false if it is none. The last order of a run counts.
    pub fn order(&mut self, agent: AgentId, order: Order, reason: Reason) -> bool {
        let tick = self.tick;
        let Some(member) = self.place_of(agent).and_then(|place| self.at(place)) else { return false };
        member.order = Some(order);
        self.part.whys.because(tick, agent, || Why::Overruled(reason));
        true
    }

    /// Memory for searches and lists, to be given back by [`put_scratch`](Roster::put_scratch). It is that of the last squad
    /// of the same job, or a new one: nothing may depend on what it holds.
    pub fn take_scratch<T: Default + Send + 'static>(&mut self) -> Box<T> {
        self.part.store.take()
    }

    /// Gives memory back, for the next squad.
    pub fn put_scratch<T: Send + 'static>(&mut self, scratch: Box<T>) {
        self.part.store.put(scratch);
    }

    fn at(&mut self, place: usize) -> Option<&mut Agent<M>> {
        self.agents.get_mut(place)?.as_deref_mut()
    }

    /// Begins a run: the orders of the last one are put aside.
    fn open(&mut self) {
        self.part.orders.clear();
        for one in self.agents.iter_mut() {
            self.part.orders.push(one.as_mut().and_then(|one| one.order.take()));
        }
    }

    /// Ends a run: whoever has another order than before is told; what was asked is no news any more.
    fn close(&mut self) {
        let Part { orders, events, .. } = &mut *self.part;
        for ((&agent, one), before) in self.members.iter().zip(self.agents.iter_mut()).zip(orders.iter()) {
            let Some(member) = one.as_deref_mut() else { continue };
            member.intents.asks.clear();
            if member.order == *before {
                continue;
            }
            let (outcome, kind) = match &member.order {
                None => (Outcome::Released, EventKind::Released),
                Some(order) => {
                    if order.travel != before.and_then(|before| before.travel) {
                        member.order_ticket = Ticket(member.order_ticket.0 | Ticket::ORDERED.0).next();
                    }
                    let wish = member.intents.travel().filter(|_| order.travel.is_some());
                    let ticket = wish.map_or(Ticket::default(), |(ticket, _)| ticket);
                    (Outcome::Overruled { ticket }, EventKind::Overruled { ticket })
                }
            };
            member.outcomes.push(outcome);
            events.push(GameEvent { tick: self.tick, agent: Some(agent), kind });
        }
    }
}

/// Lists of the stage; may be dropped at any tick.
#[derive(Debug, Default)]
pub(crate) struct SquadScratch {
    /// By slot: where its agent is lent to; none of who is in no squad.
    places: Vec<u32>,
    /// The memory of the list of lent agents, as numbers of no meaning.
    lent: Vec<usize>,
}

/// What a run of the stage needs beside the squads and the agents.
pub(crate) struct Stage<'a, M: Mind> {
    pub(crate) mind: &'a M,
    pub(crate) config: &'a LoopConfig,
    pub(crate) tick: Tick,
    pub(crate) streams: Streams,
    pub(crate) pool: &'a dyn Pool,
}

impl<M: Mind> Stage<'_, M> {
    /// Runs all squads that are due.
    pub(crate) fn run(
        &self,
        squads: &mut [Squad<M>],
        agents: &mut Slots<Agent<M>, AgentMark>,
        parts: &mut Vec<Part>,
        scratch: &mut SquadScratch,
    ) {
        let SquadScratch { places, lent } = scratch;
        places.clear();
        places.resize(agents.slot_count(), u32::MAX);
        let mut count = 0;
        for agent in squads.iter().flat_map(|squad| &squad.members) {
            places[agent.index()] = count;
            count += 1;
        }
        // The list is made of the old one's memory: a conversion in place, so that nothing is allocated.
        lent.clear();
        lent.resize(count as usize, 0);
        let mut list: Vec<Option<&mut Agent<M>>> = std::mem::take(lent).into_iter().map(|_| None).collect();
        for (agent, one) in agents.iter_mut() {
            if let Some(slot) = list.get_mut(places[agent.index()] as usize) {
                *slot = Some(one);
            }
        }
        self.split(squads, &mut list, parts);
        *lent = list.into_iter().map(|_| 0).collect();
    }

    /// Shares the squads out to jobs.
    fn split(&self, squads: &mut [Squad<M>], lent: &mut [Option<&mut Agent<M>>], parts: &mut Vec<Part>) {
        let width = self.pool.width();
        let jobs = if width > 1 { (width * JOBS_PER_WORKER).min(JOBS_MAX) } else { 1 };
        let len = squads.len().div_ceil(jobs).max(SQUADS_PER_JOB_MIN);
        Part::provide(parts, squads.len().div_ceil(len));
        let mut rest = lent;
        let jobs = squads.chunks_mut(len).zip(parts.iter_mut()).enumerate().map(|(number, (squads, part))| {
            let members = squads.iter().map(|squad| squad.members.len()).sum();
            let (own, others) = std::mem::take(&mut rest).split_at_mut(members);
            rest = others;
            (number * len, squads, own, part)
        });
        each(self.pool, jobs, |(first, squads, mut lent, part)| {
            for (place, squad) in (first as u32..).zip(squads) {
                let (agents, others) = lent.split_at_mut(squad.members.len());
                self.run_one(place, squad, agents, part);
                lent = others;
            }
        });
    }

    fn run_one(&self, place: u32, squad: &mut Squad<M>, agents: &mut [Option<&mut Agent<M>>], part: &mut Part) {
        // A squad matters as much as its most important member.
        let importance = agents.iter().flatten().map(|one| one.importance).min().unwrap_or_default();
        let every = self.config.detail_of(importance).coordinate_every;
        let is_asleep = agents.iter().flatten().all(|one| one.is_paused);
        if is_asleep || !is_turn(self.tick, place.into(), every) {
            return;
        }
        let (tick, rate) = (self.tick, self.config.rate);
        let view = SquadView { squad: squad.id, place, tick, rate, streams: self.streams };
        let Squad { members, memory, board, .. } = squad;
        let mut roster = Roster { members, agents, board, tick, config: self.config, every, part };
        roster.open();
        self.mind.coordinate(&view, memory, &mut roster);
        roster.close();
    }
}
