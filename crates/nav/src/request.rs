//! Path requests: asked for now, answered in a later tick, within a budget of nominal expansions.
//!
//! **Method.** Open requests lie in one total order: higher priority first, then the tick they were made in, then the
//! agent, then the number. Each tick [`Requests::process`] takes them from the front while the tick's budget lasts, at most
//! one an agent. A search is never cut in two: it is capped, and what it takes beyond the budget is owed by the ticks
//! after. So the work of a tick is at most the budget and one capped search, and over many ticks no more than the budget.
//! What is left of a budget is lost. With [`BudgetScope::Each`] every agent has a budget of its own instead, so that nobody waits
//! for anybody else. Every search counts as one expansion at least; one that finds no way counts the
//! polygons of the mesh beside, for it has looked at them all.
//!
//! **Endings.** Every request ends once, with a path or with a [`Failure`], and [`RequestCounts`] has counted it then:
//! `submitted = found + Σ failures + open`. What waited too long ends as [`Failure::OutOfBudget`], so that a budget of
//! zero holds nobody for ever. An ended request leaves nothing behind.
//!
//! Cost: O(log open + open moved) to submit, the searches to serve. Memory: [`RequestConfig::open_max`] entries.
//! State is plain ([`Requests`]); the searches' memory is [`RequestScratch`] and may be dropped at any tick.

use std::cmp::Reverse;

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::tick::Tick;

use crate::answer::{Ending, PathAnswer};
use crate::mesh::{AnyAngleSearch, AreaCosts, CorridorSearch, LinkId, Mesh, MeshQuery};

/// Names a request; counts up, and 0 names none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct RequestId(pub u64);

/// Tuning, the same for all. Any value is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct RequestConfig {
    /// Expansions a tick; with 0 nothing is searched.
    pub expansions_per_tick: u32,
    /// Whether that is for all together or for each agent.
    pub scope: BudgetScope,
    /// Expansions of one search at most.
    pub expansions_max: u32,
    /// Requests open at once for one agent; more are refused.
    pub open_per_agent_max: u32,
    /// Requests open at once for all; more are refused.
    pub open_max: u32,
    /// Who has waited for more ticks than this is told that there was no budget.
    pub wait_ticks_max: u32,
}

impl Default for RequestConfig {
    /// A building with some hundred people at 60 Hz.
    fn default() -> Self {
        RequestConfig {
            expansions_per_tick: 2000,
            scope: BudgetScope::Shared,
            expansions_max: 4000,
            open_per_agent_max: 2,
            open_max: 4096,
            wait_ticks_max: 600,
        }
    }
}

/// Whose a budget is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum BudgetScope {
    /// All share it: the work of a tick is bounded, and who else asks decides when an answer comes.
    #[default]
    Shared,
    /// Each agent has its own, and pays off alone what its searches take beyond it: when an answer comes tells nothing of
    /// others, which sensory honesty asks for. The work of a tick is bounded by a capped search for each agent only.
    Each,
}

/// Which search answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Method {
    /// The corridor search: by the costs of areas.
    #[default]
    Corridor,
    /// The any-angle search: the shortest way; areas count as passable or not.
    Shortest,
    /// The way of a [`Tactician`]; without one, as [`Method::Corridor`].
    Tactic,
}

/// Who finds ways by more than length: by what a host knows of watchers, fire and influence at this moment. Its answer may
/// depend on the request and on what stands in its own tables only, and has no links.
pub trait Tactician {
    /// The way from `request.from` to `request.to`, with at most so many expansions.
    fn find(&mut self, request: &Request, costs: &AreaCosts, expansions_max: u32) -> PathAnswer<'_, Vec3>;
}

/// A wish for a path.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Request {
    /// Who asks.
    pub agent: AgentId,
    /// Where it is, m.
    pub from: Vec3,
    /// Where it wants to be, m.
    pub to: Vec3,
    /// How far off the mesh both may be: half sides of a box, m.
    pub extent: Vec3,
    /// Higher goes first.
    pub priority: u8,
    /// Which of the cost tables handed to [`Requests::process`]; a number that is none counts as plain ground.
    pub costs: u16,
    /// Which search.
    pub method: Method,
}

impl Request {
    /// From here to there over plain ground, both within 1 m of the mesh (2 m in height), of middle priority.
    pub fn new(agent: AgentId, from: Vec3, to: Vec3) -> Request {
        let extent = Vec3::new(1.0, 2.0, 1.0);
        Request { agent, from, to, extent, priority: 128, costs: 0, method: Method::Corridor }
    }
}

/// Why a request ended without a way to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Failure {
    /// Nobody can stand where it begins.
    BadStart,
    /// Nobody can stand where it should lead.
    BadGoal,
    /// There is no way.
    NoPath,
    /// The search was capped, or its turn never came.
    OutOfBudget,
    /// The agent, or all together, have too many open requests.
    Quota,
    /// Taken back by who made it.
    Cancelled,
    /// A newer one took its place.
    Superseded,
    /// Who made it is no more.
    RequesterGone,
}

impl Failure {
    /// All of them, in the order of [`RequestCounts::failures`].
    pub const ALL: [Failure; 8] = [
        Failure::BadStart,
        Failure::BadGoal,
        Failure::NoPath,
        Failure::OutOfBudget,
        Failure::Quota,
        Failure::Cancelled,
        Failure::Superseded,
        Failure::RequesterGone,
    ];

    /// The failure that an ending of a search is; none for a path to the goal.
    pub fn of(ending: Ending) -> Option<Failure> {
        match ending {
            Ending::Found => None,
            Ending::NoPath => Some(Failure::NoPath),
            Ending::OutOfBudget => Some(Failure::OutOfBudget),
            Ending::BadStart(_) => Some(Failure::BadStart),
            Ending::BadGoal(_) => Some(Failure::BadGoal),
        }
    }
}

/// What became of all requests so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct RequestCounts {
    /// Made, refused ones included.
    pub submitted: u64,
    /// Answered with a path to the goal.
    pub found: u64,
    /// By cause, in the order of [`Failure::ALL`].
    pub failures: [u64; 8],
    /// Nominal expansions spent.
    pub expanded: u64,
    /// The longest that an answered one waited, ticks.
    pub waited_max: u64,
}

impl RequestCounts {
    /// How many ended so.
    pub fn of(&self, failure: Failure) -> u64 {
        self.failures[failure as usize]
    }
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply<'a> {
    /// Which request.
    pub id: RequestId,
    /// Whose.
    pub agent: AgentId,
    /// What went wrong; none if the path leads to the goal.
    pub failure: Option<Failure>,
    /// From the start to where it leads; with [`Failure::NoPath`] the reachable place nearest to the goal, with
    /// [`Failure::OutOfBudget`] the most promising place seen. May be empty.
    pub path: &'a [Vec3],
    /// The links on it, each with the number of the path point from which it leads to the next one.
    pub links: &'a [(u32, LinkId)],
    /// Cost of the path, m of plain ground.
    pub cost: f64,
}

/// An open request.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Open {
    id: RequestId,
    /// Since when it counts as waiting.
    since: Tick,
    request: Request,
}

/// The order of service: by priority, then who waits longest, then by agent and number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    priority: Reverse<u8>,
    since: Tick,
    agent: AgentId,
    id: RequestId,
}

impl Open {
    fn rank(&self) -> Rank {
        let Request { priority, agent, .. } = self.request;
        Rank { priority: Reverse(priority), since: self.since, agent, id: self.id }
    }
}

/// The open requests, and what became of the others.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Requests {
    /// In order of service.
    open: Vec<Open>,
    /// The last number given out.
    issued: RequestId,
    /// Expansions that ticks before have taken beyond their budget.
    owed: u64,
    /// With a purse for each: who pays off a search, ascending, and until when.
    debts: Vec<(AgentId, Tick)>,
    counts: RequestCounts,
}

/// The searches' memory; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct RequestScratch {
    corridor: CorridorSearch,
    any_angle: AnyAngleSearch,
    /// Who was served in this tick.
    served: Vec<AgentId>,
}

/// What requests are answered by in a tick.
pub struct ProcessContext<'a> {
    /// What paths lead over.
    pub mesh: &'a Mesh,
    /// The tables that requests name; of one that is not there ground is plain.
    pub costs: &'a [AreaCosts],
    /// Answers the requests of [`Method::Tactic`]; without one they are as those of [`Method::Corridor`].
    pub tactician: Option<&'a mut dyn Tactician>,
    /// The tick.
    pub now: Tick,
    /// The budget.
    pub config: &'a RequestConfig,
}

impl Requests {
    /// Asks for a path. The answer comes from [`Requests::process`], in this tick at the earliest.
    ///
    /// # Errors
    /// With [`Failure::Quota`] when the agent or all together have too many open.
    pub fn submit(&mut self, request: Request, now: Tick, config: &RequestConfig) -> Result<RequestId, Failure> {
        self.counts.submitted += 1;
        let own = self.open.iter().filter(|it| it.request.agent == request.agent).count();
        if own >= config.open_per_agent_max as usize || self.open.len() >= config.open_max as usize {
            self.count(Failure::Quota);
            return Err(Failure::Quota);
        }
        Ok(self.insert(request, now))
    }

    /// Puts a newer request of the same agent in the place of an open one, whose age it inherits: a goal that keeps moving
    /// does not wait for ever. If the old one is not open (any more) it is as [`Requests::submit`].
    ///
    /// # Errors
    /// As [`Requests::submit`].
    pub fn supersede(
        &mut self,
        old: RequestId,
        request: Request,
        now: Tick,
        config: &RequestConfig,
    ) -> Result<RequestId, Failure> {
        let place = self.open.iter().position(|it| it.id == old && it.request.agent == request.agent);
        let Some(place) = place else { return self.submit(request, now, config) };
        let since = self.open.remove(place).since;
        self.count(Failure::Superseded);
        self.counts.submitted += 1;
        Ok(self.insert(request, since))
    }

    /// Takes a request back. False if it is not open (any more).
    pub fn cancel(&mut self, id: RequestId) -> bool {
        let Some(place) = self.open.iter().position(|it| it.id == id) else { return false };
        self.open.remove(place);
        self.count(Failure::Cancelled);
        true
    }

    /// Takes back all requests of an agent that is no more; how many there were.
    pub fn forget(&mut self, agent: AgentId) -> u32 {
        self.keep(|it| it != agent)
    }

    /// Takes back all requests of agents that are no more; how many there were.
    pub fn keep(&mut self, is_there: impl Fn(AgentId) -> bool) -> u32 {
        let before = self.open.len();
        self.open.retain(|it| is_there(it.request.agent));
        let gone = (before - self.open.len()) as u32;
        self.counts.failures[Failure::RequesterGone as usize] += u64::from(gone);
        gone
    }

    /// Whether a request waits for its answer.
    pub fn is_open(&self, id: RequestId) -> bool {
        self.open.iter().any(|it| it.id == id)
    }

    /// How many wait.
    pub fn open_count(&self) -> u32 {
        self.open.len() as u32
    }

    /// What became of all so far.
    pub fn counts(&self) -> &RequestCounts {
        &self.counts
    }

    /// Answers what this tick's budget allows, in order; `reply` hears each answer once.
    pub fn process(
        &mut self,
        mut context: ProcessContext<'_>,
        scratch: &mut RequestScratch,
        mut reply: impl FnMut(&Reply<'_>),
    ) {
        let ProcessContext { now, config, .. } = context;
        scratch.served.clear();
        let paid = self.owed.min(u64::from(config.expansions_per_tick));
        self.owed -= paid;
        let mut left = u64::from(config.expansions_per_tick) - paid;
        let is_own = config.scope == BudgetScope::Each;
        self.debts.retain(|&(_, until)| is_own && until > now);
        let mut kept = 0;
        for number in 0..self.open.len() {
            let one = self.open[number];
            let Open { id, since, request } = one;
            let waited = now.0.saturating_sub(since.0);
            let known = scratch.served.binary_search(&request.agent);
            let is_free = || self.debts.binary_search_by_key(&request.agent, |debt| debt.0).is_err();
            let may = if is_own { config.expansions_per_tick > 0 && is_free() } else { left > 0 };
            if may && let Err(place) = known {
                scratch.served.insert(place, request.agent);
                let (failure, work) = answer(&one, &mut context, scratch, &mut reply);
                self.counts.expanded += work;
                if is_own {
                    self.indebt(request.agent, now, work, config);
                } else {
                    self.owed += work.saturating_sub(left);
                    left = left.saturating_sub(work);
                }
                self.counts.waited_max = self.counts.waited_max.max(waited);
                match failure {
                    Some(failure) => self.count(failure),
                    None => self.counts.found += 1,
                }
            } else if waited >= u64::from(config.wait_ticks_max) {
                self.count(Failure::OutOfBudget);
                let failure = Some(Failure::OutOfBudget);
                reply(&Reply { id, agent: request.agent, failure, path: &[], links: &[], cost: 0.0 });
            } else {
                self.open[kept] = one;
                kept += 1;
            }
        }
        self.open.truncate(kept);
    }

    /// Notes how long an agent pays for a search.
    fn indebt(&mut self, agent: AgentId, now: Tick, work: u64, config: &RequestConfig) {
        let until = now + work.div_ceil(u64::from(config.expansions_per_tick.max(1)));
        match self.debts.binary_search_by_key(&agent, |debt| debt.0) {
            Ok(place) => self.debts[place].1 = until,
            Err(place) => self.debts.insert(place, (agent, until)),
        }
    }

    fn insert(&mut self, request: Request, since: Tick) -> RequestId {
        self.issued.0 += 1;
        let one = Open { id: self.issued, since, request };
        let place = self.open.partition_point(|it| it.rank() < one.rank());
        self.open.insert(place, one);
        one.id
    }

    fn count(&mut self, failure: Failure) {
        self.counts.failures[failure as usize] += 1;
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_sorted = self.open.is_sorted_by(|a, b| a.rank() < b.rank());
        let is_listed = self.debts.is_sorted_by(|a, b| a.0 < b.0);
        let is_issued = self.open.iter().all(|it| it.id <= self.issued);
        if is_sorted && is_issued && is_listed { Ok(()) } else { Err("open requests are not in order") }
    }
}

/// Searches, and hands the answer on: why it failed, and the nominal work.
fn answer(
    one: &Open,
    context: &mut ProcessContext<'_>,
    scratch: &mut RequestScratch,
    reply: &mut impl FnMut(&Reply<'_>),
) -> (Option<Failure>, u64) {
    let &mut ProcessContext { mesh, costs, config, ref mut tactician, .. } = context;
    let costs = costs.get(usize::from(one.request.costs)).unwrap_or(&AreaCosts::PLAIN);
    let Request { agent, from, to, extent, method, .. } = one.request;
    let query = MeshQuery { from, to, extent, costs, expansions_max: config.expansions_max };
    let mut tell = |ending: Ending, path: &[Vec3], links: &[(u32, LinkId)], cost: f64, expanded: u32| {
        let failure = Failure::of(ending);
        reply(&Reply { id: one.id, agent, failure, path, links, cost });
        let flood = if ending == Ending::NoPath { mesh.polygon_count() } else { 0 };
        (failure, u64::from(expanded.max(1)) + u64::from(flood))
    };
    // The links lie in the search, which the answer borrows: the path is long done when they are asked for.
    match (method, tactician.as_deref_mut()) {
        (Method::Tactic, Some(tactician)) => {
            let PathAnswer { ending, path, cost, expanded } =
                tactician.find(&one.request, costs, config.expansions_max);
            tell(ending, path, &[], cost, expanded)
        }
        (Method::Corridor | Method::Tactic, _) => {
            let PathAnswer { ending, cost, expanded, .. } = scratch.corridor.find(mesh, &query);
            let refused = matches!(ending, Ending::BadStart(_) | Ending::BadGoal(_));
            let (path, links) = (scratch.corridor.path(), scratch.corridor.links());
            if refused { tell(ending, &[], &[], 0.0, expanded) } else { tell(ending, path, links, cost, expanded) }
        }
        (Method::Shortest, _) => {
            let PathAnswer { ending, cost, expanded, .. } = scratch.any_angle.find(mesh, &query);
            let refused = matches!(ending, Ending::BadStart(_) | Ending::BadGoal(_));
            let (path, links) = (scratch.any_angle.path(), scratch.any_angle.links());
            if refused { tell(ending, &[], &[], 0.0, expanded) } else { tell(ending, path, links, cost, expanded) }
        }
    }
}

#[cfg(test)]
mod tests;
