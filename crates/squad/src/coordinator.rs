//! The coordinator of a squad: takes in what members report, briefs each of them, answers questions about places by environment
//! queries, and finds ways. It runs in the loop's coordination stage; what it gives is known on the next tick.
//!
//! **Budget.** [`Tuning::queries_per_tick`] queries a run for every four members or part of four, and path searches by
//! [`Requests`], whose budget grows in the same way. A coordinator serves one squad: what another one asks changes nothing here.
//! Members take turns at being first.
//!
//! **Claims** are those of the living members, see [`claim`](crate::claim). Beside them a *grant* stands for an answer that
//! was just given and not taken up yet, so that two who ask in one tick do not get one place.
//!
//! **Sight** for queries and ways is all round from where the target is thought to be, through the fixed level: for cover at
//! the height of who crouches, else of who stands.
//!
//! State is [`Coordinator`]; the memory of searches is [`CoordinatorScratch`] and may be dropped at any tick.

use schemars::JsonSchema;
use sentir_asset::AssetError;
use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::intent::{Ask, Question, Ticket};
use sentir_core::outcome::{Answer, Cause};
use sentir_core::random::{Purpose, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};
use sentir_nav::answer::Answer as Found;
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::{Reply, Request, RequestConfig, RequestScratch, Requests, Tactician};
use sentir_nav::tactic::{
    Exposure, ExposurePrice, FireLine, FireLines, LabelConfig, Tactic, TacticQuery, TacticSearch, Weighted,
};
use sentir_space::influence::{Grid, Map};
use sentir_space::query::{self, Lexicon, MapChart, Query, QueryRun, Seer, Subject, World};
use sentir_space::visibility::{Region, Seen, Sweep};
use serde::Deserialize;

use crate::claim::ClaimKind;
use crate::stock;
use crate::team::{self, Alert, Lead, Member, Team, TeamScratch};
use crate::theater::{CROUCH_M, EYE_M, Outlook, Theater};
use crate::tuning::Tuning;

const LUCK: Purpose = Purpose::new("soldier query");
/// How long a grant stands for a claim, s.
const GRANT_S: f32 = 0.5;
/// Subjects of one context at most.
const SUBJECTS_MAX: usize = 24;
/// Questions of one member that wait at most.
const ASKS_MAX: usize = 4;
/// Lines of fire at most.
const LINES_MAX: usize = 16;

/// The queries that a soldier asks, by the number that [`Question::Place`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, State)]
#[serde(rename_all = "snake_case")]
pub enum QueryName {
    /// Where to look.
    Search,
    /// Where to hide.
    Cover,
    /// Where to shoot from.
    Attack,
    /// Where to gain ground.
    Advance,
    /// What to shoot at while he hides.
    Suppression,
    /// From where the line of fire is clear.
    ClearLine,
}

impl QueryName {
    /// All of them, in the order of their numbers.
    pub const ALL: [QueryName; 6] = [
        QueryName::Search,
        QueryName::Cover,
        QueryName::Attack,
        QueryName::Advance,
        QueryName::Suppression,
        QueryName::ClearLine,
    ];

    /// Which claims of others count for it.
    fn claims(self) -> ClaimKind {
        match self {
            QueryName::Search => ClaimKind::Search,
            QueryName::Cover => ClaimKind::Cover,
            QueryName::Attack | QueryName::Advance | QueryName::ClearLine => ClaimKind::Attack,
            QueryName::Suppression => ClaimKind::Suppress,
        }
    }
}

/// Checked queries, by [`QueryName`].
#[derive(Clone, Debug)]
pub struct Queries([Query; 6]);

impl Queries {
    /// The queries that come with the library: the soldier's own, and stock ones.
    ///
    /// # Errors
    /// Never: a test holds that.
    pub fn stock() -> Result<Queries, AssetError> {
        let common =
            |name: &str| query::STOCK.iter().find(|(one, _)| *one == name).map_or(&b""[..], |(_, bytes)| *bytes);
        Queries::read([
            ("search.yaml", stock::SEARCH.as_bytes()),
            ("cover.yaml", stock::COVER.as_bytes()),
            ("attack.yaml", stock::ATTACK.as_bytes()),
            ("advance.yaml", stock::ADVANCE.as_bytes()),
            ("suppression.yaml", common("suppression")),
            ("clear_line.yaml", common("clear_line")),
        ])
    }

    /// These, with another file for one of them.
    ///
    /// # Errors
    /// What is wrong with the file, with its place.
    pub fn with(mut self, name: QueryName, (file, bytes): (&str, &[u8])) -> Result<Queries, AssetError> {
        self.0[name as usize] = query::load(bytes, file, &Lexicon::default())?;
        Ok(self)
    }

    /// Queries by files, each with its name, in the order of [`QueryName::ALL`].
    ///
    /// # Errors
    /// What is wrong with the first bad one, with its place.
    pub fn read(files: [(&str, &[u8]); 6]) -> Result<Queries, AssetError> {
        let lexicon = Lexicon::default();
        let read = |(file, bytes): (&str, &[u8])| query::load(bytes, file, &lexicon);
        let [a, b, c, d, e, f] = files;
        Ok(Queries([read(a)?, read(b)?, read(c)?, read(d)?, read(e)?, read(f)?]))
    }
}

/// An answer that was just given.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Grant {
    who: AgentId,
    kind: ClaimKind,
    place: Vec3,
    until: Tick,
}

/// A question that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Waiting {
    who: AgentId,
    ask: Ask,
}

/// What a squad is coordinated by: tables, shared by all squads.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// The ground.
    pub theater: &'a Theater,
    /// Taste.
    pub tuning: &'a Tuning,
    /// What is asked about places.
    pub queries: &'a Queries,
}

/// A moment of a squad.
#[derive(Clone, Copy, Debug)]
pub struct SquadMoment {
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
    /// Path requests of its members.
    pub requests: Requests,
    grants: Vec<Grant>,
    /// Oldest first.
    waiting: Vec<Waiting>,
    /// Queries answered, and those without a place.
    answered: u32,
    unanswered: u32,
}

/// Memory of searches; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct CoordinatorScratch {
    team: TeamScratch,
    sweep: Sweep,
    /// What the target sees, what the asker sees, what the target sees of who crouches.
    regions: [Region; 3],
    run: QueryRun,
    window: Grid,
    likely: Map,
    requests: RequestScratch,
    tactic: TacticSearch,
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
        [self.answered, self.unanswered]
    }

    /// Takes in what the members report now.
    pub fn update(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        moment: &SquadMoment,
        scratch: &mut CoordinatorScratch,
    ) {
        self.team.update(tables, members, moment, &mut scratch.team);
        let is_there = |who: AgentId| members.binary_search_by_key(&who, |it| it.agent).is_ok();
        self.grants.retain(|grant| grant.until > moment.now && is_there(grant.who));
        self.waiting.retain(|one| is_there(one.who));
    }

    /// Takes a question of a member. It waits until the squad's quota allows an answer; of too many, the newest are dropped.
    pub fn take(&mut self, who: AgentId, ask: Ask) {
        let own = self.waiting.iter().filter(|one| one.who == who).count();
        if own < ASKS_MAX {
            if self.waiting.capacity() == 0 {
                self.waiting.reserve(4 * ASKS_MAX);
            }
            self.waiting.push(Waiting { who, ask });
        }
    }

    /// Answers as many questions as the quota allows; `reply` hears each answer once.
    pub fn answer_waiting(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        moment: &SquadMoment,
        scratch: &mut CoordinatorScratch,
        mut reply: impl FnMut(AgentId, Ticket, Answer),
    ) {
        for _ in 0..quota(tables.tuning.queries_per_tick, members.len()) {
            if self.waiting.is_empty() {
                return;
            }
            let Waiting { who, ask } = self.waiting.remove(0);
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
        moment: &SquadMoment,
        scratch: &mut CoordinatorScratch,
    ) -> Answer {
        let Some(&name) = QueryName::ALL.get(usize::from(query)) else { return Answer::Nothing(Cause::BadGoal) };
        let who = asker.me.agent;
        let luck = moment.streams.at(who.to_bits(), LUCK, moment.now).bits();
        match self.ask(tables, asker, Asked { query: &tables.queries.0[usize::from(query)], name, luck }, scratch) {
            Some((at, score)) => {
                self.answered += 1;
                let until = moment.now + moment.rate.ticks(GRANT_S);
                if self.grants.len() < SUBJECTS_MAX {
                    self.grants.reserve(SUBJECTS_MAX - self.grants.len());
                    self.grants.push(Grant { who, kind: name.claims(), place: at, until });
                }
                Answer::Place { at, score }
            }
            None => {
                self.unanswered += 1;
                Answer::Nothing(Cause::NoPath)
            }
        }
    }

    /// Asks what a member would ask now, for who wants to look at every point and its score; nothing is answered by it.
    pub fn study<'a>(
        &self,
        tables: &Tables<'_>,
        asker: Asker<'_>,
        name: QueryName,
        luck: u64,
        scratch: &'a mut CoordinatorScratch,
    ) -> &'a QueryRun {
        let query = tables.queries.0[name as usize].asking_all();
        self.ask(tables, asker, Asked { query: &query, name, luck }, scratch);
        &scratch.run
    }

    /// Where others are at or have gone for the same purpose.
    fn claimed<'a>(
        &'a self,
        members: &'a [Member],
        me: &'a Member,
        kind: ClaimKind,
    ) -> impl Iterator<Item = Vec3> + 'a {
        let others = members.iter().filter(move |it| it.agent != me.agent);
        let grants = self.grants.iter().filter(move |it| it.who != me.agent && it.kind == kind);
        others.filter_map(move |it| it.claims.of(kind)).chain(grants.map(|it| it.place))
    }

    fn ask(
        &self,
        tables: &Tables<'_>,
        asker: Asker<'_>,
        asked: Asked<'_>,
        scratch: &mut CoordinatorScratch,
    ) -> Option<(Vec3, f32)> {
        let &Tables { theater, tuning, .. } = tables;
        let Asker { members, me } = asker;
        let Asked { query, name, luck } = asked;
        let CoordinatorScratch { sweep, regions: [his, mine, his_low], run, window, likely, .. } = scratch;
        let lead = self.team.lead();
        let is_low = name == QueryName::Cover;
        let is_stand = matches!(name, QueryName::Attack | QueryName::Advance);
        let mut target = [Subject::new(Vec3::ZERO)];
        let mut band_m = [0.0; 2];
        if let Some(lead) = lead {
            theater.look(lead.place, !is_low, sweep, his);
            if is_stand {
                theater.look(lead.place, false, sweep, his_low);
            }
            band_m = theater.band(lead.place.y);
            target[0].position = lead.place;
        }
        // What no test asks for is not looked at.
        if query.asks_sight_of(Lexicon::ONESELF) {
            theater.look(me.position, true, sweep, mine);
        }
        let top_m = if is_low { CROUCH_M } else { EYE_M };
        let eye_of = |place: Vec3| place + Vec3::Y * EYE_M;
        let his_sight = Outlook { theater, eye: eye_of(target[0].position), region: his, band_m, top_m };
        let low_sight = Low(his_sight);
        let my_sight =
            Outlook { theater, eye: eye_of(me.position), region: mine, band_m: theater.band(me.position.y), top_m };
        target[0].seen = Some(if is_low { &low_sight as &dyn Seer } else { &his_sight });
        let cut = Outlook { region: his_low, top_m: CROUCH_M, ..his_sight };
        if is_stand {
            target[0].seen_low = Some(&cut);
        }
        let oneself = [Subject { yaw: me.yaw, seen: Some(&my_sight), ..Subject::new(me.position) }];
        let mut allies = [Subject::new(Vec3::ZERO); SUBJECTS_MAX];
        let mut claimed = allies;
        let friends = members.iter().filter(|it| it.agent != me.agent).map(|it| it.position);
        let allies = fill(&mut allies, friends);
        let claimed = fill(&mut claimed, self.claimed(members, me, name.claims()));
        let sight = Seen { regions: std::slice::from_ref(his), band_m };
        if query.asks_maps() {
            self.team.crop(theater, window);
            if !likely.fits(window) {
                *likely = Map::new(window);
            }
            self.team.prediction().fill(&team::predicts(tuning), likely);
        }
        let chart = MapChart { map: likely, grid: window };
        let exposure = Exposure { sight: &sight, price: price(tuning) };
        let targets = if lead.is_some() { &target[..] } else { &[] };
        let world = World {
            spread: Some(theater.sketch()),
            tactic: Tactic { layers: &[], exposure: lead.map(|_| exposure) },
            level: Some(theater.view()),
            borders: Some(theater.borders()),
            contexts: &[&oneself, targets, allies, claimed],
            maps: &[&chart],
            ..World::new(theater.mesh())
        };
        let best = run.ask(query, &world, luck).best.first().copied()?;
        Some((best.place.point, best.score))
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
        if self.requests.open_count() == 0 {
            return;
        }
        let &Tables { theater, tuning, .. } = tables;
        let CoordinatorScratch { sweep, regions: [his, ..], requests, tactic, .. } = scratch;
        let lead = self.team.lead().copied();
        if let Some(lead) = lead {
            theater.look(lead.place, true, sweep, his);
        }
        let band_m = lead.map_or([0.0; 2], |lead| theater.band(lead.place.y));
        let mut guide =
            Guide { theater, tuning, search: tactic, region: his, band_m, has_lead: lead.is_some(), members };
        let config = request_config(tuning, members.len());
        let by = (&[][..], Some(&mut guide as &mut dyn Tactician));
        self.requests.process_by(theater.mesh(), by, now, &config, requests, reply);
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

/// What is asked.
#[derive(Clone, Copy)]
struct Asked<'a> {
    query: &'a Query,
    name: QueryName,
    luck: u64,
}

/// What a squad of so many may do in a run, by what four may.
fn quota(of_four: u32, members: usize) -> u32 {
    of_four.saturating_mul((members as u32).div_ceil(4).max(1))
}

/// The budget of path searches of a squad of so many.
pub fn request_config(tuning: &Tuning, members: usize) -> RequestConfig {
    RequestConfig {
        expansions_per_tick: quota(tuning.expansions_per_tick, members),
        expansions_max: tuning.expansions_max,
        ..RequestConfig::default()
    }
}

/// What being seen costs.
fn price(tuning: &Tuning) -> ExposurePrice {
    ExposurePrice::new(tuning.exposure_weight.into(), tuning.exposure_exponent.into())
}

fn fill<'a, 'b>(into: &'b mut [Subject<'a>; SUBJECTS_MAX], places: impl Iterator<Item = Vec3>) -> &'b [Subject<'a>] {
    let mut count = 0;
    for (slot, place) in into.iter_mut().zip(places) {
        slot.position = place;
        count += 1;
    }
    &into[..count]
}

/// The sight of somebody on who crouches: what the cut at that height shows, and what rays from above show behind it.
struct Low<'a>(Outlook<'a>);

impl Seer for Low<'_> {
    fn sees(&self, at: sentir_core::glam::Vec2, height_m: f32) -> bool {
        let Low(Outlook { theater, eye, top_m, .. }) = self;
        self.0.sees(at, height_m) || theater.is_in_sight(*eye, plane::lift(at, height_m), *top_m)
    }
}

/// Ways on which the target sees least of one, and that cross no friend's line of fire.
struct Guide<'a> {
    theater: &'a Theater,
    tuning: &'a Tuning,
    search: &'a mut TacticSearch,
    region: &'a Region,
    band_m: [f32; 2],
    has_lead: bool,
    members: &'a [Member],
}

impl Tactician for Guide<'_> {
    fn find(&mut self, request: &Request, costs: &AreaCosts, expansions_max: u32) -> Found<'_, Vec3> {
        let mut lines = [FireLine { from: Default::default(), to: Default::default(), width_m: 0.0 }; LINES_MAX];
        let firing = self.members.iter().filter(|it| it.agent != request.agent);
        let fired = firing.filter_map(|it| Some((plane::ground(it.position), plane::ground(it.fires_at?))));
        let mut count = 0;
        for (line, (from, to)) in lines.iter_mut().zip(fired) {
            *line = FireLine { from, to, width_m: self.tuning.fire_line_width_m };
            count += 1;
        }
        let layer = FireLines { lines: &lines[..count] };
        let layers = [Weighted { layer: &layer, weight: self.tuning.fire_line_m.into() }];
        let layers = if count == 0 { &[][..] } else { &layers };
        let sight = Seen { regions: std::slice::from_ref(self.region), band_m: self.band_m };
        let exposure = Exposure { sight: &sight, price: price(self.tuning) };
        let query = TacticQuery {
            from: request.from,
            to: request.to,
            extent: request.extent,
            costs,
            tactic: Tactic { layers, exposure: self.has_lead.then_some(exposure) },
            bounds: LabelConfig { expansions_max, ..LabelConfig::default() },
        };
        self.search.find(self.theater.mesh(), self.theater.spread(), &query)
    }
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
