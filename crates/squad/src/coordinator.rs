//! The coordinator of a squad: takes in what members report, briefs each of them, answers questions about places by environment
//! queries, and finds ways. It runs in the loop's coordination stage; what it gives is known on the next tick.
//!
//! **Budget.** [`Tuning::queries_per_tick`] queries a run for every four members or part of four, and path searches by
//! [`Requests`](sentir_nav::request::Requests), whose budget grows in the same way. A coordinator serves one squad: what another one asks changes nothing here.
//! Members take turns at being first.
//!
//! **Claims** are those of the living members, see [`claim`](crate::claim). Beside them a *grant* stands for an answer that
//! was just given and not taken up yet, so that two who ask in one tick do not get one place.
//!
//! **Sight** for queries and ways is all round from where the target is thought to be, through the fixed level: for cover at
//! the height of who crouches, else of who stands.
//!
//! State is [`Coordinator`]; the memory of searches is [`CoordinatorScratch`] and may be dropped at any tick.

mod grant;
mod path;
mod query;

pub use path::{Paths, request_config};
pub use query::{Queries, QueryName};

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::intent::{Ask, Question, Ticket};
use sentir_core::outcome::{Answer, Cause};
use sentir_core::random::{Purpose, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};
use sentir_nav::request::Reply;
use sentir_space::query::QueryRun;
use sentir_space::visibility::{Region, Sweep};

use crate::tactical_map::TacticalMap;
use crate::team::{Alert, Lead, Member, Team, TeamScratch};
use crate::tuning::Tuning;
use grant::{Grant, Grants};
use path::{PathContext, PathScratch};
use query::{Asked, QueryContext, QueryScratch, Questions, Waiting};

const LUCK: Purpose = Purpose::new("soldier query");
/// How long a grant stands for a claim, s.
const GRANT_S: f32 = 0.5;
/// Subjects of one context at most.
const SUBJECTS_MAX: usize = 24;

/// What a squad is coordinated by: tables, shared by all squads.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// The ground.
    pub tactical_map: &'a TacticalMap,
    /// Taste.
    pub tuning: &'a Tuning,
    /// What is asked about places.
    pub queries: &'a Queries,
}

/// A moment of a squad.
#[derive(Clone, Copy, Debug)]
pub struct SquadContext {
    /// When.
    pub now: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// The world's seed.
    pub streams: Streams,
    /// The squad's place among all: work that is done now and then is spread by it.
    pub place: u32,
}

/// What the coordinator of a squad remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Coordinator {
    /// What the squad knows.
    pub team: Team,
    /// The ways that its members want.
    pub paths: Paths,
    grants: Grants,
    questions: Questions,
}

/// Memory of searches; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct CoordinatorScratch {
    team: TeamScratch,
    sights: Sights,
    query: QueryScratch,
    path: PathScratch,
}

/// What is in sight for the search at hand.
#[derive(Clone, Debug, Default)]
struct Sights {
    sweep: Sweep,
    /// What the target sees, what the asker sees, what the target sees of who crouches.
    regions: [Region; 3],
}

impl Coordinator {
    /// A coordinator whose squad begins in another way than by knowing nothing: for hosts that tell it where to look.
    pub fn briefed(tables: &Tables<'_>, alert: Alert, lead: Option<Lead>) -> Coordinator {
        let mut one = Coordinator::default();
        one.team.brief(tables, alert, lead);
        one
    }

    /// Queries answered so far, and those that found no place.
    pub fn counts(&self) -> [u32; 2] {
        self.questions.counts()
    }

    /// Takes in what the members report now.
    pub fn update(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        moment: &SquadContext,
        scratch: &mut CoordinatorScratch,
    ) {
        self.team.update(tables, members, moment, &mut scratch.team);
        let is_there = |who: AgentId| members.binary_search_by_key(&who, |it| it.agent).is_ok();
        self.grants.retain(moment.now, is_there);
        self.questions.retain(is_there);
    }

    /// Takes a question of a member. It waits until the squad's quota allows an answer; of too many, the newest are dropped.
    pub fn take(&mut self, who: AgentId, ask: Ask) {
        self.questions.add(who, ask);
    }

    /// Answers as many questions as the quota allows; `reply` hears each answer once.
    pub fn answer_waiting(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        moment: &SquadContext,
        scratch: &mut CoordinatorScratch,
        mut reply: impl FnMut(AgentId, Ticket, Answer),
    ) {
        for _ in 0..quota(tables.tuning.queries_per_tick, members.len()) {
            let Some(Waiting { who, ask }) = self.questions.take_oldest() else { return };
            let Question::Place { query } = ask.question else { continue };
            let Ok(place) = members.binary_search_by_key(&who, |it| it.agent) else { continue };
            let answer = self.answer(tables, Asker { members, me: &members[place] }, query, moment, scratch);
            reply(who, ask.ticket, answer);
        }
    }

    /// Answers a question about a place. `query` is a number of [`QueryName`]; any other has no answer.
    pub fn answer(
        &mut self,
        tables: &Tables<'_>,
        asker: Asker<'_>,
        query: u16,
        moment: &SquadContext,
        scratch: &mut CoordinatorScratch,
    ) -> Answer {
        let Some(&name) = QueryName::ALL.get(usize::from(query)) else { return Answer::Nothing(Cause::BadGoal) };
        let who = asker.me.agent;
        let rng = moment.streams.at(who.to_bits(), LUCK, moment.now).bits();
        let best = self.ask(tables, asker, Asked { query: tables.queries.of(name), name, rng }, scratch);
        self.questions.count(best.is_some());
        let Some((at, score)) = best else { return Answer::Nothing(Cause::NoPath) };
        let until = moment.now + moment.rate.ticks(GRANT_S);
        self.grants.add(Grant { who, kind: name.claims(), place: at, until });
        Answer::Place { at, score }
    }

    fn ask(
        &self,
        tables: &Tables<'_>,
        asker: Asker<'_>,
        asked: Asked<'_>,
        scratch: &mut CoordinatorScratch,
    ) -> Option<(Vec3, f32)> {
        let context = QueryContext { tables, team: &self.team, grants: &self.grants, asker, asked };
        context.ask(&mut scratch.sights, &mut scratch.query)
    }

    /// Asks what a member would ask now, for who wants to look at every point and its score; nothing is answered by it.
    pub fn study<'a>(
        &self,
        tables: &Tables<'_>,
        asker: Asker<'_>,
        name: QueryName,
        rng: u64,
        scratch: &'a mut CoordinatorScratch,
    ) -> &'a QueryRun {
        let query = tables.queries.of(name).asking_all();
        self.ask(tables, asker, Asked { query: &query, name, rng }, scratch);
        &scratch.query.run
    }

    /// Finds ways for the open requests; `reply` hears each answer once.
    pub fn find_paths(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        now: Tick,
        scratch: &mut CoordinatorScratch,
        reply: impl FnMut(&Reply<'_>),
    ) {
        let context = PathContext { tables, members, lead: self.team.lead().copied(), now };
        self.paths.find(context, &mut scratch.sights, &mut scratch.path, reply);
    }
}

/// Who asks, and with whom.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// All members, ascending by id.
    pub members: &'a [Member],
    /// The one who asks.
    pub me: &'a Member,
}

/// What a squad of so many may do in a run, by what four may.
fn quota(of_four: u32, members: usize) -> u32 {
    of_four.saturating_mul((members as u32).div_ceil(4).max(1))
}

/// How far two angles seen from a place are apart at least, over several places: the flanks of a group, rad; none of less
/// than two.
pub fn least_angle(target: Vec3, places: &[Vec3]) -> Option<f32> {
    let yaw = |place: &Vec3| plane::yaw(plane::ground(*place - target));
    let mut least = None;
    for (number, one) in places.iter().enumerate() {
        for other in &places[number + 1..] {
            let apart = math::angle_between(yaw(one), yaw(other)).abs();
            least = Some(least.map_or(apart, |least| math::min(least, apart)));
        }
    }
    least
}
