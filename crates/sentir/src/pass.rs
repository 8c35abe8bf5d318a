//! The two parallel passes of a tick: sense and think, then act. Each job works on a run of slots, writes only them and a
//! part of the notes of its own; the parts are merged in slot order, so the number of jobs changes nothing.

use sentir_core::belief::Message;
use sentir_core::budget::Budget;
use sentir_core::event::{EventKind, GameEvent};
use sentir_core::id::{Agent as AgentMark, AgentId, Chunk, TeamId};
use sentir_core::pool::{Pool, chunk_len, each};
use sentir_core::why::WhyLog;

use crate::agent::Agent;
use crate::coordinate::{Order, Store};
use crate::host::Presence;
use crate::mind::{ActView, Mind, Notes, Outcomes, SenseView, WorldView};
use crate::schedule::{LoopConfig, is_due};
use crate::why::{Stage, Why};

/// Agents per job below which splitting does not pay.
const AGENTS_PER_JOB_MIN: usize = 32;

/// What one job notes down.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) events: Vec<GameEvent>,
    pub(crate) whys: WhyLog<Why>,
    pub(crate) said: Vec<(TeamId, Message)>,
    /// The members' orders of the last run of the squad that is at work.
    pub(crate) orders: Vec<Option<Order>>,
    /// Memory that minds use.
    pub(crate) store: Store,
}

impl Part {
    /// Makes sure that there are as many parts as jobs, all of which listen or none.
    pub(crate) fn provide(parts: &mut Vec<Part>, jobs: usize) {
        if parts.len() < jobs {
            let is_on = parts.first().is_some_and(|part| part.whys.is_on());
            parts.resize_with(jobs, Part::default);
            parts.iter_mut().for_each(|part| part.whys.listen(is_on));
        }
    }

    fn notes(&mut self, world: &WorldView<'_>, agent: AgentId, stage: Stage, units: u32) -> Notes<'_> {
        Notes {
            tick: world.tick,
            agent,
            stage,
            budget: Budget::new(units),
            is_woken: false,
            events: &mut self.events,
            whys: &mut self.whys,
            store: &mut self.store,
        }
    }
}

/// Which of the two passes.
#[derive(Clone, Copy)]
pub(crate) enum Pass {
    SenseAndThink,
    Act,
}

/// Runs a pass over all agents. `parts` gets one part a job, in slot order; it holds as many as there ever were jobs.
pub(crate) fn run<M: Mind>(
    pass: Pass,
    mind: &M,
    config: &LoopConfig,
    agents: Chunk<'_, Agent<M>, AgentMark>,
    world: &WorldView<'_>,
    parts: &mut Vec<Part>,
    pool: &dyn Pool,
) {
    let slots = agents.slot_count();
    let len = chunk_len(pool, slots, AGENTS_PER_JOB_MIN);
    Part::provide(parts, slots.div_ceil(len));
    let mut rest = Some(agents);
    let chunks = std::iter::from_fn(|| {
        let (chunk, others) = rest.take()?.split_at(len);
        rest = (others.slot_count() > 0).then_some(others);
        Some(chunk)
    });
    each(pool, chunks.zip(parts.iter_mut()), |(chunk, part)| {
        // Room for one event an agent, so that a busy tick is no reason to allocate.
        part.events.reserve(chunk.slot_count());
        for (id, agent) in chunk {
            let Some(me) = world.presence(id) else { continue };
            match pass {
                Pass::SenseAndThink => sense_and_think(mind, config, agent, me, world, part),
                Pass::Act => act(mind, config, agent, me, world, part),
            }
        }
    });
}

fn sense_and_think<M: Mind>(
    mind: &M,
    config: &LoopConfig,
    agent: &mut Agent<M>,
    me: &Presence,
    world: &WorldView<'_>,
    part: &mut Part,
) {
    let (tick, rate, id) = (world.tick, world.rate, me.agent);
    feel(agent, me, world, part);
    receive(mind, agent, me, world);
    if agent.is_paused {
        return;
    }
    let detail = config.detail_of(agent.importance);
    let mut is_woken = false;
    // Also when its importance changed between two turns and the last look is a whole period ago: so nobody looks more
    // seldom than every period, and facts need be kept no longer than the longest.
    let is_late = tick.since(agent.sensed_until) + 1 >= u64::from(detail.sense_every.max(1));
    if is_late || is_due(tick, id, detail.sense_every) {
        let view = SenseView { me, tick, rate, world, attention: agent.intents.attention, since: agent.sensed_until };
        let mut notes = part.notes(world, id, Stage::Sense, detail.quota.sense);
        mind.sense(&view, &mut agent.senses, &mut agent.beliefs, &mut notes);
        is_woken = notes.is_woken;
        // What happens from this moment on is for the next look; what the host told before this tick was for this one.
        agent.sensed_until = tick + 1;
    }
    let is_turn = is_due(tick, id, detail.think_every);
    if is_turn || is_woken {
        part.whys.because(tick, id, || Why::Thought { is_woken: !is_turn });
        let view = world.think_view(me, &agent.beliefs);
        let mut notes = part.notes(world, id, Stage::Think, detail.quota.think);
        mind.think(&view, &mut agent.brain, &mut agent.intents, &mut notes);
        agent.has_digested = true;
        for say in agent.intents.says.drain(..) {
            // Heard from the next tick on: what is said now is not known now.
            part.said.push((me.team, Message { from: id, say, at: tick + 1 }));
            part.events.push(GameEvent { tick, agent: Some(id), kind: EventKind::Said { word: say.word } });
        }
    }
}

/// Gives the brain what the host and the squad told it since the last tick, oldest first.
fn receive<M: Mind>(mind: &M, agent: &mut Agent<M>, me: &Presence, world: &WorldView<'_>) {
    if agent.inbox.is_empty() {
        return;
    }
    let view = world.think_view(me, &agent.beliefs);
    for notice in agent.inbox.drain(..) {
        mind.receive(&view, notice, &mut agent.brain);
    }
}

/// What an agent knows without senses: its own body, and what became of its intents.
fn feel<M: Mind>(agent: &mut Agent<M>, me: &Presence, world: &WorldView<'_>, part: &mut Part) {
    if agent.has_digested {
        agent.has_digested = false;
        agent.beliefs.digest();
    }
    let body = &me.body;
    let felt = &mut agent.beliefs.me;
    (felt.pose, felt.velocity, felt.health) = (body.pose, body.velocity, body.health);
    (felt.stance, felt.eye_m, felt.pitch) = (body.stance, body.eye_m, body.pitch);
    for outcome in agent.outcomes.drain(..) {
        if !agent.beliefs.learn(outcome) {
            part.events.push(GameEvent { tick: world.tick, agent: Some(me.agent), kind: EventKind::Forgot });
        }
    }
}

fn act<M: Mind>(
    mind: &M,
    config: &LoopConfig,
    agent: &mut Agent<M>,
    me: &Presence,
    world: &WorldView<'_>,
    part: &mut Part,
) {
    if agent.is_paused {
        agent.motion = sentir_core::intent::Motion {
            yaw: me.body.pose.yaw,
            stance: me.body.stance,
            ..sentir_core::intent::Motion::default()
        };
        return;
    }
    let detail = config.detail_of(agent.importance);
    if !is_due(world.tick, me.agent, detail.act_every) {
        return;
    }
    let view = ActView {
        me,
        tick: world.tick,
        rate: world.rate,
        world,
        intents: &agent.intents,
        order: agent.order.as_ref(),
        order_ticket: agent.order_ticket,
    };
    let mut notes = part.notes(world, me.agent, Stage::Act, detail.quota.act);
    let mut out = Outcomes { list: &mut agent.outcomes };
    mind.act(&view, &mut agent.motor, &mut agent.motion, &mut out, &mut notes);
}
