//! The desk of a team: between two ticks it takes in what members know, tells each what the team knows, answers questions
//! about places by environment queries, and finds ways.
//!
//! **Budget.** At most [`Tuning::queries_per_tick`] queries a tick, in the order of the members, and path searches by
//! [`Requests`]. A desk serves one team: what another one asks changes nothing here.
//!
//! **Claims** are those of the living members, see [`claim`](crate::claim). Beside them a *grant* stands for an answer that
//! was just given and not taken up yet, so that two who ask in one tick do not get one place.
//!
//! **Sight** for queries and ways is all round from where the target is thought to be, through the fixed level: for cover at
//! the height of who crouches, else of who stands.
//!
//! State is [`Desk`]; the memory of searches is [`DeskScratch`] and may be dropped at any tick.

use schemars::JsonSchema;
use sentir_asset::AssetError;
use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
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
use sentir_space::influence::Map;
use sentir_space::query::{self, Lexicon, MapChart, Query, QueryRun, Seer, Subject, World};
use sentir_space::visibility::{Region, Seen, Sweep};
use serde::Deserialize;

use crate::claim::ClaimKind;
use crate::stock;
use crate::team::{self, Member, Team, TeamScratch, Told};
use crate::theater::{CROUCH_M, EYE_M, Outlook, Theater};
use crate::tuning::Tuning;

const LUCK: Purpose = Purpose::new("soldier query");
/// How long a grant stands for a claim, s.
const GRANT_S: f32 = 0.5;
/// Subjects of one context at most.
const SUBJECTS_MAX: usize = 24;
/// Lines of fire at most.
const LINES_MAX: usize = 16;

/// The queries that a soldier asks, by the number that [`Question::Place`](sentir_core::intent::Question::Place) has.
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

/// What the desk of a team remembers.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Desk {
    /// What the team knows.
    pub team: Team,
    /// Path requests of its members.
    pub requests: Requests,
    grants: Vec<Grant>,
    /// Queries answered, and those without a place.
    answered: u32,
    unanswered: u32,
}

/// Memory of searches; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct DeskScratch {
    team: TeamScratch,
    sweep: Sweep,
    /// What the target sees, what the asker sees, what the target sees of who crouches.
    regions: [Region; 3],
    run: QueryRun,
    likely: Option<Map>,
    requests: RequestScratch,
    tactic: TacticSearch,
}

impl Desk {
    /// The desk of a team that knows nothing yet.
    pub fn new(theater: &Theater) -> Desk {
        let (team, requests) = (Team::new(theater), Requests::default());
        Desk { team, requests, grants: Vec::with_capacity(16), answered: 0, unanswered: 0 }
    }

    /// Whether it is one of this theater.
    pub fn fits(&self, theater: &Theater) -> bool {
        self.team.fits(theater)
    }

    /// Queries answered so far, and those that found no place.
    pub fn counts(&self) -> [u32; 2] {
        [self.answered, self.unanswered]
    }

    /// Takes in what the members know now. `is_dead`: whether the game has told that the target is.
    pub fn update(
        &mut self,
        ground: (&Theater, &Tuning),
        members: &[Member],
        (now, rate): (Tick, TickRate),
        is_dead: bool,
        scratch: &mut DeskScratch,
    ) {
        self.team.update(ground, members, (now, rate), is_dead, &mut scratch.team);
        self.grants.retain(|grant| grant.until > now && members.iter().any(|it| it.agent == grant.who));
    }

    /// Writes what a member is told.
    pub fn tell(&self, members: &[Member], me: &Member, told: &mut Told) {
        self.team.tell(members, me, told);
    }

    /// Answers a question about a place. `query` is a number of [`QueryName`]; any other has no answer.
    pub fn answer(
        &mut self,
        (theater, tuning, queries): (&Theater, &Tuning, &Queries),
        (members, me): (&[Member], &Member),
        query: u16,
        (now, rate, streams): (Tick, TickRate, Streams),
        scratch: &mut DeskScratch,
    ) -> Answer {
        let Some(&name) = QueryName::ALL.get(usize::from(query)) else { return Answer::Nothing(Cause::BadGoal) };
        let luck = streams.at(me.agent.to_bits(), LUCK, now).bits();
        let best = self.ask((theater, tuning, &queries.0[usize::from(query)]), (members, me), name, luck, scratch);
        match best {
            Some((at, score)) => {
                self.answered += 1;
                let until = now + rate.ticks(GRANT_S);
                if self.grants.len() < SUBJECTS_MAX {
                    self.grants.push(Grant { who: me.agent, kind: name.claims(), place: at, until });
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
        (theater, tuning, queries): (&Theater, &Tuning, &Queries),
        (members, me): (&[Member], &Member),
        name: QueryName,
        luck: u64,
        scratch: &'a mut DeskScratch,
    ) -> &'a QueryRun {
        let query = queries.0[name as usize].asking_all();
        self.ask((theater, tuning, &query), (members, me), name, luck, scratch);
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
        (theater, tuning, query): (&Theater, &Tuning, &Query),
        (members, me): (&[Member], &Member),
        name: QueryName,
        luck: u64,
        scratch: &mut DeskScratch,
    ) -> Option<(Vec3, f32)> {
        let DeskScratch { sweep, regions: [his, mine, his_low], run, likely, .. } = scratch;
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
        let map = likely.get_or_insert_with(|| Map::new(theater.grid()));
        if query.asks_maps() {
            self.team.prediction().fill(&team::predicts(tuning), map);
        }
        let chart = MapChart { map, grid: theater.grid() };
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
    pub fn serve(
        &mut self,
        (theater, tuning): (&Theater, &Tuning),
        members: &[Member],
        now: Tick,
        scratch: &mut DeskScratch,
        reply: impl FnMut(&Reply<'_>),
    ) {
        if self.requests.open_count() == 0 {
            return;
        }
        let DeskScratch { sweep, regions: [his, ..], requests, tactic, .. } = scratch;
        let lead = self.team.lead().copied();
        if let Some(lead) = lead {
            theater.look(lead.place, true, sweep, his);
        }
        let band_m = lead.map_or([0.0; 2], |lead| theater.band(lead.place.y));
        let mut guide =
            Guide { theater, tuning, search: tactic, region: his, band_m, has_lead: lead.is_some(), members };
        let config = request_config(tuning);
        let by = (&[][..], Some(&mut guide as &mut dyn Tactician));
        self.requests.serve_by(theater.mesh(), by, now, &config, requests, reply);
    }
}

/// The budget of path searches.
pub fn request_config(tuning: &Tuning) -> RequestConfig {
    RequestConfig {
        expansions_per_tick: tuning.expansions_per_tick,
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
