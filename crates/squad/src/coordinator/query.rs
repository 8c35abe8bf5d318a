//! Questions about places: those that wait, and how one is answered by an environment query.

use sentir_asset::AssetError;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::AgentId;
use sentir_core::intent::Ask;
use sentir_core::{State, plane};
use sentir_nav::tactic::{Exposure, Tactic};
use sentir_space::influence::{Grid, Map};
use sentir_space::query::{self, Lexicon, MapChart, Query, QueryRun, QueryWorld, Seer, Subject};
use sentir_space::visibility::Seen;
use serde::Deserialize;

use super::grant::Grants;
use super::path::price;
use super::{Asker, SUBJECTS_MAX, Sights, Tables};
use crate::claim::ClaimKind;
use crate::stock;
use crate::tactical_map::{CROUCH_M, EYE_M, Outlook};
use crate::team::{self, Team};

/// Questions of one member that wait at most.
const ASKS_MAX: usize = 4;

/// The queries that a soldier asks, by the number that [`Question::Place`](sentir_core::intent::Question::Place) has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, State)]
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
    /// What to shoot at while the target hides.
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
    pub(super) fn claims(self) -> ClaimKind {
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
    /// One of them.
    pub(super) fn of(&self, name: QueryName) -> &Query {
        &self.0[name as usize]
    }

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

/// A question that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Waiting {
    /// Who asks.
    pub(super) who: AgentId,
    /// What.
    pub(super) ask: Ask,
}

/// The questions of a squad.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Questions {
    /// Oldest first.
    waiting: Vec<Waiting>,
    /// Queries answered, and those without a place.
    answered: u32,
    unanswered: u32,
}

impl Questions {
    /// Queries answered so far, and those that found no place.
    pub(super) fn counts(&self) -> [u32; 2] {
        [self.answered, self.unanswered]
    }

    /// Counts a query.
    pub(super) fn count(&mut self, is_answered: bool) {
        *(if is_answered { &mut self.answered } else { &mut self.unanswered }) += 1;
    }

    /// Drops the questions of who is gone.
    pub(super) fn retain(&mut self, is_there: impl Fn(AgentId) -> bool) {
        self.waiting.retain(|one| is_there(one.who));
    }

    /// Adds one; of too many of a member, the newest are dropped.
    pub(super) fn add(&mut self, who: AgentId, ask: Ask) {
        let own = self.waiting.iter().filter(|one| one.who == who).count();
        if own < ASKS_MAX {
            if self.waiting.capacity() == 0 {
                self.waiting.reserve(4 * ASKS_MAX);
            }
            self.waiting.push(Waiting { who, ask });
        }
    }

    /// Takes out the one that has waited longest.
    pub(super) fn take_oldest(&mut self) -> Option<Waiting> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }
}

/// Memory of queries; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryScratch {
    pub(super) run: QueryRun,
    window: Grid,
    likely: Map,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The query.
    pub(super) query: &'a Query,
    /// Which one it is.
    pub(super) name: QueryName,
    /// The seed of its random numbers.
    pub(super) rng: u64,
}

impl Asked<'_> {
    /// Whether the place is for who crouches.
    fn is_low(&self) -> bool {
        self.name == QueryName::Cover
    }

    /// Whether it matters what the target sees of who crouches at the place.
    fn is_stand(&self) -> bool {
        matches!(self.name, QueryName::Attack | QueryName::Advance)
    }
}

/// A question, with all that answers it.
#[derive(Clone, Copy)]
pub(super) struct QueryContext<'a> {
    /// Ground and tuning.
    pub(super) tables: &'a Tables<'a>,
    /// What the squad knows.
    pub(super) team: &'a Team,
    /// Places that were just given.
    pub(super) grants: &'a Grants,
    /// Who asks.
    pub(super) asker: Asker<'a>,
    /// What.
    pub(super) asked: Asked<'a>,
}

impl QueryContext<'_> {
    /// The best place and its score; none if there is no place.
    pub(super) fn ask(&self, sights: &mut Sights, scratch: &mut QueryScratch) -> Option<(Vec3, f32)> {
        let QueryContext { tables, team, grants, asker, asked } = *self;
        let (tactical_map, Asker { members, me }, Asked { query, name, rng }) = (tables.tactical_map, asker, asked);
        let lead = team.lead();
        self.look(sights);
        self.predict(scratch);
        let Sights { regions: [target_region, mine, target_low], .. } = sights;
        let QueryScratch { run, window, likely } = scratch;
        let mut target = [Subject::new(lead.map_or(Vec3::ZERO, |lead| lead.place))];
        let band_m = lead.map_or([0.0; 2], |lead| tactical_map.band(lead.place.y));
        let top_m = if asked.is_low() { CROUCH_M } else { EYE_M };
        let eye_of = |place: Vec3| place + Vec3::Y * EYE_M;
        let target_sight =
            Outlook { tactical_map, eye: eye_of(target[0].position), region: target_region, band_m, top_m };
        let low_sight = Low(target_sight);
        let my_sight = Outlook {
            tactical_map,
            eye: eye_of(me.position),
            region: mine,
            band_m: tactical_map.band(me.position.y),
            top_m,
        };
        target[0].seen = Some(if asked.is_low() { &low_sight as &dyn Seer } else { &target_sight });
        let cut = Outlook { region: target_low, top_m: CROUCH_M, ..target_sight };
        if asked.is_stand() {
            target[0].seen_low = Some(&cut);
        }
        let oneself = [Subject { yaw: me.yaw, seen: Some(&my_sight), ..Subject::new(me.position) }];
        let mut allies = [Subject::new(Vec3::ZERO); SUBJECTS_MAX];
        let mut claimed = allies;
        let friends = members.iter().filter(|it| it.agent != me.agent).map(|it| it.position);
        let allies = fill(&mut allies, friends);
        let claimed = fill(&mut claimed, grants.claimed(asker, name.claims()));
        let sight = Seen { regions: std::slice::from_ref(target_region), band_m };
        let chart = MapChart { map: likely, grid: window };
        let exposure = Exposure { sight: &sight, price: price(tables.tuning) };
        let targets = if lead.is_some() { &target[..] } else { &[] };
        let world = QueryWorld {
            spread: Some(tactical_map.sketch()),
            tactic: Tactic { layers: &[], exposure: lead.map(|_| exposure) },
            level: Some(tactical_map.view()),
            borders: Some(tactical_map.borders()),
            contexts: &[&oneself, targets, allies, claimed],
            maps: &[&chart],
            ..QueryWorld::new(tactical_map.mesh())
        };
        let best = run.ask(query, &world, rng).best.first().copied()?;
        Some((best.place.point, best.score))
    }

    /// Looks from where the target is thought to be and from the asker; what no test asks for is not looked at.
    fn look(&self, sights: &mut Sights) {
        let (tactical_map, asked) = (self.tables.tactical_map, self.asked);
        let Sights { sweep, regions: [target_region, mine, target_low] } = sights;
        if let Some(lead) = self.team.lead() {
            tactical_map.look(lead.place, !asked.is_low(), sweep, target_region);
            if asked.is_stand() {
                tactical_map.look(lead.place, false, sweep, target_low);
            }
        }
        if asked.query.asks_sight_of(Lexicon::ONESELF) {
            tactical_map.look(self.asker.me.position, true, sweep, mine);
        }
    }

    /// Fills the map of where the target may be, if a test asks for it.
    fn predict(&self, scratch: &mut QueryScratch) {
        let QueryScratch { window, likely, .. } = scratch;
        if self.asked.query.asks_maps() {
            self.team.crop(self.tables.tactical_map, window);
            if !likely.fits(window) {
                *likely = Map::new(window);
            }
            self.team.prediction().fill(&team::predicts(self.tables.tuning), likely);
        }
    }
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
    fn sees(&self, at: Vec2, height_m: f32) -> bool {
        let Low(Outlook { tactical_map, eye, top_m, .. }) = self;
        self.0.sees(at, height_m) || tactical_map.is_in_sight(*eye, plane::lift(at, height_m), *top_m)
    }
}
