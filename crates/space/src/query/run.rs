//! A query at work: generate, read what moves, filter, score, rank; in one go or in stages.
//!
//! Filters run before scores, cheap tests before dear ones, each over all points that are left. Between any two points the
//! work may stop and go on later; only the path search is one piece. Shares are taken over the points that survive every
//! test (ways that come last are left out of that: see `rank`), so the order of work changes no score. What moves is read at
//! the beginning, so a run in stages gives the answer of the moment it began, bit for bit that of a run in one go.

use sentir_core::budget::Budget;
use sentir_core::glam::Vec3;
use sentir_core::{math, plane};
use sentir_nav::mesh::{AnyAngleSearch, MeshPoint, WallScratch};
use sentir_nav::tactic::Flood;

use super::build::{POINTS_MAX, Query, Test, TestKind};
use super::generate::generate;
use super::measure::{self, Candidate, Frozen, MeasureView};
use super::world::QueryWorld;

/// Work of generating a point and putting it onto the ground.
const POINT_WORK: u32 = 10;
/// How far off the mesh who asks may be, m.
pub(super) const FOOTING_M: Vec3 = Vec3::new(1.0, 2.0, 1.0);
/// How far above or below a polygon one is on it for sure, m: floors are farther apart.
const LEVEL_M: f32 = 0.5;
/// The polygon of a point that is on none.
const NOWHERE: u32 = u32::MAX;

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Alive,
    OffMesh,
    Dropped {
        test: u16,
    },
    NoValue {
        test: u16,
    },
    /// Whatever its way costs, it is not among the best: no way was looked for.
    Behind {
        test: u16,
    },
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    Working,
    /// The answer is there.
    Done,
    /// What stands has changed since it began: begin anew.
    Stale,
}

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryEnding {
    /// There is a best point.
    Found,
    /// No point is left.
    NoPoint {
        /// The test that dropped the last ones; none if no point was on navigable ground.
        test: Option<u16>,
        /// How many it dropped.
        dropped: u32,
    },
    /// Nobody is in a context that the query cannot do without.
    NoContext {
        /// Its number in the lexicon.
        context: u32,
    },
    /// It has not ended yet.
    Unfinished,
}

/// A good point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Its number, in the order of generation.
    pub index: u32,
    /// Where it is.
    pub place: MeshPoint,
    /// How good it is. Limit: 0..=1.
    pub score: f32,
}

/// What a query answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryAnswer<'a> {
    /// How it ended.
    pub ending: QueryEnding,
    /// The best points, best first; of equals the one generated first.
    pub best: &'a [Best],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Idle,
    /// The next test of the order, and the next of the points left.
    Test {
        number: u32,
        cursor: u32,
    },
    Done,
}

/// The memory of queries, and the run under way: keep one, use it for any query. Warm runs allocate nothing. After a change
/// of the world it holds the last answer; a run under way is not to be saved but begun anew.
#[derive(Clone, Debug, Default)]
pub struct QueryRun {
    /// Points as they were generated.
    pub(super) found: Vec<Vec3>,
    /// The same on the ground.
    pub(super) places: Vec<MeshPoint>,
    pub(super) fates: Vec<Fate>,
    /// Values, test by test.
    pub(super) values: Vec<f32>,
    /// What is 0 and what is 1 for each test.
    pub(super) limits: Vec<[f32; 2]>,
    pub(super) scores: Vec<f32>,
    /// The test whose ways come last, when all other scores are known.
    pub(super) last: Option<u16>,
    /// Points whose ways are still to be looked for, and how good each may be at most.
    pub(super) hopes: Vec<(f32, u32)>,
    pub(super) frozen: Frozen,
    pub(super) alive: Vec<u32>,
    pub(super) best: Vec<Best>,
    pub(super) goals: Vec<MeshPoint>,
    pub(super) flood: Flood,
    search: AnyAngleSearch,
    walls: WallScratch,
    phase: Phase,
    pub(super) ending: Option<QueryEnding>,
    version: u64,
    pub(super) rng: u64,
    owed: u32,
    spent: u64,
    is_cut: bool,
}

/// Where a query is.
#[derive(Clone, Copy)]
struct TestCursor {
    /// The test that is asked.
    test: u16,
    /// The next point, among those that are left.
    cursor: u32,
}

impl QueryRun {
    /// Asks in one go. `luck` is any number, from a random stream of who asks: the same luck, the same answer.
    pub fn ask(&mut self, query: &Query, world: &QueryWorld<'_>, rng: u64) -> QueryAnswer<'_> {
        self.begin(query, world, rng);
        let mut budget = Budget::new(u32::MAX);
        while self.step(query, world, &mut budget) == Progress::Working {
            budget = Budget::new(u32::MAX);
        }
        self.answer()
    }

    /// Begins: generates points, puts them onto the ground and reads what moves. Its work is owed to the first steps.
    pub fn begin(&mut self, query: &Query, world: &QueryWorld<'_>, rng: u64) {
        self.clear();
        (self.version, self.rng) = (world.version, rng);
        self.frozen.freeze(query, world);
        if let Some(&context) = query.needs.iter().find(|&&context| world.subjects(context).is_empty()) {
            self.end(QueryEnding::NoContext { context: context as u32 });
            return;
        }
        let (found, search) = (&mut self.found, &mut self.search);
        let mut is_cut = false;
        generate(query, world, search, &mut |point| {
            if found.len() < POINTS_MAX {
                found.push(point);
            } else {
                is_cut = true;
            }
        });
        self.is_cut = is_cut;
        self.project(query, world);
        self.values.resize(query.tests.len() * self.found.len(), 0.0);
        self.read_moving(query, world);
        self.owe(POINT_WORK * self.found.len() as u32);
        self.phase = Phase::Test { number: 0, cursor: 0 };
    }

    /// Goes on for as long as the budget lasts. What the last piece of work took beyond it is owed to the next step.
    pub fn step(&mut self, query: &Query, world: &QueryWorld<'_>, budget: &mut Budget) -> Progress {
        if self.phase == Phase::Done {
            return Progress::Done;
        }
        if self.phase == Phase::Idle || self.version != world.version {
            return Progress::Stale;
        }
        let paid = self.owed.min(budget.left());
        self.owed -= paid;
        let _ = budget.spend(paid);
        while let Phase::Test { number, cursor } = self.phase {
            if self.alive.is_empty() || number as usize >= query.order.len() {
                self.finish(query);
                break;
            }
            if budget.left() == 0 {
                return Progress::Working;
            }
            let test = query.order[number as usize];
            let is_last = number as usize + 1 == query.order.len();
            let cursor = if let TestKind::PathCost { .. } = query.tests[usize::from(test)].kind {
                let work = self.find_paths(query, world, (test, is_last));
                self.pay(work, budget);
                self.alive.len() as u32
            } else {
                self.judge_all(query, world, TestCursor { test, cursor }, budget)
            };
            self.phase = Phase::Test { number, cursor };
            if cursor as usize >= self.alive.len() {
                self.close_test(test);
                self.phase = Phase::Test { number: number + 1, cursor: 0 };
            }
        }
        Progress::Done
    }

    /// The answer, as far as it is there.
    pub fn answer(&self) -> QueryAnswer<'_> {
        QueryAnswer { ending: self.ending.unwrap_or(QueryEnding::Unfinished), best: &self.best }
    }

    /// How many points were generated, those off the ground with them.
    pub fn point_count(&self) -> usize {
        self.found.len()
    }

    /// Whether generators gave more points than a query may have.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Work beyond what was granted so far.
    pub fn owed(&self) -> u32 {
        self.owed
    }

    fn clear(&mut self) {
        self.found.clear();
        self.places.clear();
        self.fates.clear();
        self.values.clear();
        self.limits.clear();
        self.scores.clear();
        self.alive.clear();
        self.best.clear();
        self.last = None;
        (self.phase, self.ending, self.owed, self.spent) = (Phase::Idle, None, 0, 0);
    }

    fn owe(&mut self, work: u32) {
        self.owed = self.owed.saturating_add(work);
    }

    pub(super) fn end(&mut self, ending: QueryEnding) {
        (self.phase, self.ending) = (Phase::Done, Some(ending));
    }

    /// Puts the points onto the ground.
    fn project(&mut self, query: &Query, world: &QueryWorld<'_>) {
        let aside = Vec3::new(query.across_m, query.height_m, query.across_m);
        let mut last = NOWHERE;
        let level_m = math::min(query.height_m, LEVEL_M);
        for (index, &point) in (0..).zip(&self.found) {
            // Neighbors mostly share a polygon; who stands on it at its height is on no other.
            let same = world.mesh.nearest_on(last, point);
            let is_same =
                same.point.x == point.x && same.point.z == point.z && (same.point.y - point.y).abs() <= level_m;
            let is_same = is_same && last != NOWHERE && point.is_finite();
            let place = if is_same { Some(same) } else { world.mesh.nearest(point, aside) };
            last = place.map_or(last, |place| place.polygon);
            let place = place.filter(|place| world.costs.is_passable(world.mesh.area(place.polygon)));
            self.fates.push(if place.is_some() { Fate::Alive } else { Fate::OffMesh });
            if place.is_some() {
                self.alive.push(index);
            }
            self.places.push(place.unwrap_or(MeshPoint { polygon: NOWHERE, point }));
        }
    }

    /// Reads what may be different when later stages run: who sees what, and influence.
    fn read_moving(&mut self, query: &Query, world: &QueryWorld<'_>) {
        let count = self.found.len();
        for (number, test) in query.tests.iter().enumerate() {
            let values = &mut self.values[number * count..][..count];
            let read = |point: Vec3| match test.kind {
                TestKind::Visibility { by, each, of } => Some(measure::visibility(world.subjects(by), each, of, point)),
                TestKind::BehindCover { from } => {
                    Some(if measure::is_seen(world.subjects(from), point) { f32::INFINITY } else { 0.0 })
                }
                TestKind::Influence { map } => {
                    Some(world.maps.get(map).map_or(0.0, |map| map.mean(plane::ground(point), point.y)))
                }
                _ => None,
            };
            for &index in &self.alive {
                let Some(value) = read(self.places[index as usize].point) else { break };
                values[index as usize] = value;
            }
        }
    }

    /// Pays for work, and owes what the budget has not.
    fn pay(&mut self, work: u32, budget: &mut Budget) {
        let paid = work.min(budget.left());
        let _ = budget.spend(paid);
        self.owe(work - paid);
        self.spent += u64::from(paid);
    }

    /// Asks one test about the points from one on, for as long as the budget lasts; where it stopped.
    fn judge_all(&mut self, query: &Query, world: &QueryWorld<'_>, from: TestCursor, budget: &mut Budget) -> u32 {
        let TestCursor { test, mut cursor } = from;
        while let Some(&point) = self.alive.get(cursor as usize).filter(|_| budget.left() > 0) {
            let work = self.judge(query, world, test, point);
            self.pay(work, budget);
            cursor += 1;
        }
        cursor
    }

    /// Asks one test about one point; the work it takes.
    fn judge(&mut self, query: &Query, world: &QueryWorld<'_>, number: u16, index: u32) -> u32 {
        let test = &query.tests[usize::from(number)];
        let slot = usize::from(number) * self.found.len() + index as usize;
        let known = self.values[slot];
        let place = self.places[index as usize];
        let view = MeasureView { frozen: &self.frozen, world };
        let value = measure::measure(test.kind, &Candidate { place, index, known }, &view, &mut self.walls);
        self.values[slot] = value;
        self.fates[index as usize] = fate(test, number, value);
        test.kind.work()
    }

    /// Leaves out the points that a test has dropped.
    fn close_test(&mut self, test: u16) {
        let before = self.alive.len();
        let fates = &self.fates;
        self.alive.retain(|&index| fates[index as usize] == Fate::Alive);
        if self.alive.is_empty() {
            self.ending = Some(QueryEnding::NoPoint { test: Some(test), dropped: before as u32 });
        }
    }
}

/// What a test makes of a value.
pub(super) fn fate(test: &Test, number: u16, value: f32) -> Fate {
    if test.is_filter && !(value >= test.least && value <= test.most) {
        Fate::Dropped { test: number }
    } else if test.is_score && !value.is_finite() {
        Fate::NoValue { test: number }
    } else {
        Fate::Alive
    }
}
