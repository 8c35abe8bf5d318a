//! The squad stage's view of a team: what the members believe and want, and orders that overrule them.
//!
//! A squad senses only through its members, so the truth is not to be seen here. Orders stand until the next run of the
//! stage; an agent learns on the next tick that it was overruled, and the event says so to everybody who watches.

use sentir_core::State;
use sentir_core::belief::Beliefs;
use sentir_core::event::{EventKind, GameEvent};
use sentir_core::id::{Agent as AgentMark, AgentId, Slots, TeamId};
use sentir_core::intent::{Actions, Gaze, Intents, Ticket, Travel};
use sentir_core::outcome::Outcome;
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::{Reason, WhyLog};

use crate::agent::Agent;
use crate::mind::Mind;
use crate::why::Why;

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

/// What [`Mind::squad`] sees beside the members.
pub struct SquadView {
    /// Which team.
    pub team: TeamId,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    pub(crate) streams: Streams,
}

impl SquadView {
    /// Chance, for this team, tick and purpose.
    pub fn random(&self, purpose: Purpose) -> Stream {
        // Teams draw from owners that no agent can be.
        self.streams.at(u64::MAX - u64::from(self.team.0), purpose, self.tick)
    }
}

/// A team: who belongs to it, and what its squad remembers.
#[derive(State)]
pub(crate) struct Team<M: Mind> {
    pub(crate) id: TeamId,
    /// Ascending.
    pub(crate) members: Vec<AgentId>,
    pub(crate) memory: M::Squad,
}

/// The members of a team, for [`Mind::squad`].
pub struct Roster<'a, M: Mind> {
    pub(crate) members: &'a [AgentId],
    pub(crate) agents: &'a mut Slots<Agent<M>, AgentMark>,
    /// The members' orders of the last run.
    pub(crate) before: &'a mut Vec<Option<Order>>,
    pub(crate) tick: Tick,
    pub(crate) events: &'a mut Vec<GameEvent>,
    pub(crate) whys: &'a mut WhyLog<Why>,
}

impl<M: Mind> Roster<'_, M> {
    /// The members, ascending by id.
    pub fn members(&self) -> &[AgentId] {
        self.members
    }

    /// What a member believes.
    pub fn beliefs(&self, agent: AgentId) -> Option<&Beliefs> {
        self.member(agent).map(|member| &member.beliefs)
    }

    /// What a member wants.
    pub fn intents(&self, agent: AgentId) -> Option<&Intents> {
        self.member(agent).map(|member| &member.intents)
    }

    /// Overrules a member; false if it is none. The last order of a tick counts.
    pub fn order(&mut self, agent: AgentId, order: Order, reason: Reason) -> bool {
        if self.members.binary_search(&agent).is_err() {
            return false;
        }
        let Some(member) = self.agents.at_mut(agent) else { return false };
        member.order = Some(order);
        self.whys.because(self.tick, agent, || Why::Overruled(reason));
        true
    }

    fn member(&self, agent: AgentId) -> Option<&Agent<M>> {
        self.members.binary_search(&agent).ok()?;
        self.agents.at(agent)
    }

    /// Begins a run: the orders of the last one are put aside.
    pub(crate) fn open(&mut self) {
        self.before.clear();
        for &agent in self.members {
            self.before.push(self.agents.at_mut(agent).and_then(|member| member.order.take()));
        }
    }

    /// Ends a run: whoever has another order than before is told.
    pub(crate) fn close(&mut self) {
        for (&agent, before) in self.members.iter().zip(self.before.iter()) {
            let Some(member) = self.agents.at_mut(agent) else { continue };
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
            self.events.push(GameEvent { tick: self.tick, agent, kind });
        }
    }
}
