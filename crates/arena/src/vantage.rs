//! What the scenes about good places have in common: one who asks, one who watches, one who has its place already, and a query
//! that is asked again and again while they move.

pub(crate) mod cover;
pub(crate) mod queries;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane, state};
use sentir::prelude::*;
use sentir_level::{FloorId, Level, LevelState, LevelView};
use sentir_nav::bake::LevelFilter;
use sentir_nav::mesh::{AnyAngleSearch, Mesh, MeshQuery};
use sentir_nav::tactic::{Exposure, ExposurePrice, Field, Spread, Tactic};
use sentir_space::core::pool::Serial;
use sentir_space::cover::{self as shelter, Borders, CoverConfig, CoverMap, CoverMapConfig, CoverSet};
use sentir_space::query::{FieldChart, Lexicon, Query, QueryEnding, QueryRun, Subject, World, why};
use sentir_space::visibility::draw::draw_region;
use sentir_space::visibility::{FloorSight, Obstacles, Region, Seen, Sweep, Watcher};

use crate::body::BodyConfig;
use crate::cast::{Cast, CastScratch};
use crate::honesty::Reach;
use crate::honesty::tamper::Allowed;
use crate::plain::{Notice, Plain};
use crate::scene::{Metric, SceneError, Setup, level_asset};
use crate::story::{Moment, Story, Tale};
use crate::trek::mesh_of;

/// Ticks per second of these scenes.
pub(crate) const RATE: TickRate = TickRate::new(60);
/// How long they take.
pub(crate) const TICKS_MAX: u64 = 40 * 60;
/// How fast everybody walks, m/s.
const PACE_M_PER_S: f32 = 2.0;
/// Height of eyes, m.
const EYE_M: f32 = 1.6;
/// How far anybody sees, m.
const SIGHT_M: f32 = 40.0;
/// Heights that count as this floor, m.
const BAND_M: [f32; 2] = [-1.0, 3.0];
/// Points with their scores beside them at most.
const LABELS_MAX: usize = 10;
/// How far scores are apart at least, along and across the writing, m.
const LABELS_APART_M: Vec2 = Vec2::new(3.4, 1.7);
/// Who is who.
const ASKER: HostKey = HostKey(0);
const WATCHER: HostKey = HostKey(1);
const FRIEND: HostKey = HostKey(2);
const LUCK: Purpose = Purpose::new("vantage.luck");
/// Where the lost one may be, for searches: the middle of a hill of influence, on the ground, m.
const RUMOR: Vec2 = Vec2::new(9.0, -8.0);

/// The story.
pub(crate) struct Vantage {
    level: Level,
    mesh: Mesh,
    spread: Spread,
    sight: FloorSight,
    borders: Borders,
    covers: CoverSet,
    cover_map: CoverMap,
    rumor: Field,
    query: Query,
    /// Ticks between two questions.
    period_ticks: u64,
    /// Whether the one who asks goes to what it finds.
    goes: bool,
    /// Whether it asks only when it is seen.
    is_shy: bool,
    /// Whether cover is drawn, and not the points of the query alone.
    shows_cover: bool,
    shows_rumor: bool,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(crate) struct Ground {
    cast: Cast,
    /// Where the watcher was seen last by the one who asks; at first, where it was told that he is.
    sighted: Pose,
    /// Points of the last question.
    spots: Vec<Spot>,
    /// The number of the best of them; past the end if there is none.
    best: u32,
    asked: u32,
    answered: u32,
    seen_ticks: u32,
    score: f32,
    is_over: bool,
}

/// A point of a query.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Spot {
    at: Vec3,
    /// Its score; under 0 if it was dropped.
    score: f32,
}

impl Ground {
    fn check(&self) -> Result<(), &'static str> {
        if self.cast.len() == 3 { Ok(()) } else { Err("there are not three bodies") }
    }
}

/// What a step needs and need not remember.
#[derive(Default)]
pub(crate) struct Cache {
    bodies: CastScratch,
    run: QueryRun,
    search: AnyAngleSearch,
    sweep: Sweep,
    regions: [Region; 2],
}

/// What the story asks, and how.
pub(crate) struct Plan {
    pub(crate) query: Query,
    pub(crate) period_s: f32,
    pub(crate) goes: bool,
    pub(crate) is_shy: bool,
    pub(crate) shows_cover: bool,
    pub(crate) shows_rumor: bool,
}

/// The match.
pub(crate) fn begin(setup: &Setup, plan: Plan) -> Result<Tale<Vantage>, SceneError> {
    let level = level_asset(setup, "vantage.yaml")?;
    let refuse = |what: String| SceneError::Asset { name: level.name().to_owned(), line: 0, column: 0, what };
    let (mesh, spread) = mesh_of(&level, &LevelFilter::default())?;
    let fresh = LevelState::new(&level);
    let view = LevelView { level: &level, state: &fresh };
    let sight = FloorSight::build(&view, FloorId(0), EYE_M).map_err(|error| refuse(error.to_string()))?;
    let covers = CoverSet::build(&mesh, &view, &CoverConfig::default());
    let cover_map = CoverMap::build(&mesh, &view, &CoverMapConfig::default(), &Serial);
    let rumor = rumor().map_err(|error| refuse(error.to_string()))?;
    let config = LoopConfig { rate: RATE, index_cell_m: 2.0, ..LoopConfig::default() };
    let mut brains = Loop::<Plain>::new(config, setup.seed);
    let mut cast = Cast::new(&level);
    for (key, at) in [(ASKER, Vec2::new(6.0, 1.0)), (WATCHER, Vec2::new(-9.0, 2.5)), (FRIEND, Vec2::new(-3.0, -8.5))] {
        let pose = Pose { position: plane::lift(at, 0.02), yaw: plane::yaw(-at) };
        let body = cast.add(key, 0, pose).body();
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn(AgentSpec { body, ..AgentSpec::new(key) });
    }
    let story = Vantage {
        borders: Borders::from_mesh(&mesh),
        level,
        mesh,
        spread,
        sight,
        covers,
        cover_map,
        rumor,
        query: plan.query,
        period_ticks: RATE.ticks(plan.period_s),
        goes: plan.goes,
        is_shy: plan.is_shy,
        shows_cover: plan.shows_cover,
        shows_rumor: plan.shows_rumor,
    };
    let spots = Vec::with_capacity(1024);
    let sighted = cast.walker(WATCHER).map_or_else(Pose::default, |walker| walker.pose);
    let (best, asked, answered) = (u32::MAX, 0, 0);
    let world = Ground { cast, sighted, spots, best, asked, answered, seen_ticks: 0, score: 0.0, is_over: false };
    Ok(Tale::new(story, brains, world))
}

/// A hill of influence where the lost one may be.
fn rumor() -> Result<Field, sentir_nav::tactic::FieldError> {
    let value = |number: u16| {
        let at = Vec2::new(f32::from(number % 30) - 14.5, f32::from(number / 30) - 10.5);
        math::exp(-(at - RUMOR).length_squared() / 18.0)
    };
    Field::new(Vec2::new(-15.0, -11.0), 1.0, [30, 22], (0..30 * 22).map(value).collect())
}

impl Vantage {
    fn obstacles(&self) -> &Obstacles {
        self.sight.obstacles()
    }

    fn at(world: &Ground, key: HostKey) -> Pose {
        world.cast.walker(key).map_or_else(Pose::default, |walker| walker.pose)
    }

    fn look(&self, sweep: &mut Sweep, pose: Pose, region: &mut Region) {
        sweep.look(self.obstacles(), &Watcher::all_round(plane::ground(pose.position), SIGHT_M), region);
    }

    /// Asks the query, keeps its points, and sends the one who asks there.
    fn ask(&self, brains: &mut Loop<Plain>, world: &mut Ground, cache: &mut Cache) {
        // A friend says where it is; of the watcher one knows what one saw.
        let ([me, friend], it) = ([ASKER, FRIEND].map(|key| Vantage::at(world, key)), world.sighted);
        let Cache { run, search, sweep, regions: [mine, its], .. } = cache;
        self.look(sweep, me, mine);
        self.look(sweep, it, its);
        let subject = |pose: Pose| Subject { yaw: pose.yaw, ..Subject::new(pose.position) };
        let oneself = [Subject { seen: Some(mine), ..subject(me) }];
        let target = [Subject { seen: Some(its), ..subject(it) }];
        let others = [subject(friend)];
        let sight = Seen { regions: std::slice::from_ref(its), band_m: BAND_M };
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 1.0) });
        let chart = FieldChart { field: &self.rumor, cell_m: 1.0 };
        let place = World {
            spread: Some(&self.spread),
            tactic: Tactic { layers: &[], exposure },
            level: Some(LevelView { level: &self.level, state: &world.cast.level }),
            obstacles: Some(self.obstacles()),
            borders: Some(&self.borders),
            cover: Some(&self.covers),
            cover_map: Some(&self.cover_map),
            contexts: &[&oneself, &target, &others, &others],
            maps: &[&chart],
            ..World::new(&self.mesh)
        };
        let luck = brains.streams().at(ASKER.0, LUCK, brains.tick()).bits();
        let answer = run.ask(&self.query, &place, luck);
        world.asked += 1;
        world.answered += u32::from(answer.ending == QueryEnding::Found);
        let best = answer.best.first().copied();
        world.best = best.map_or(u32::MAX, |best| best.index);
        world.score = best.map_or(0.0, |best| best.score);
        world.spots.clear();
        let count = run.point_count() as u32;
        let spot =
            |index: u32| Spot { at: run.point(index).unwrap_or(Vec3::ZERO), score: run.score(index).unwrap_or(-1.0) };
        world.spots.extend((0..count).map(spot));
        if let (Some(best), Some(agent), true) = (best, brains.agent_of(ASKER), self.goes) {
            let path = search.find(&self.mesh, &MeshQuery::new(me.position, best.place.point)).path;
            brains.notify(agent, Notice::Halt);
            for &point in path.iter().skip(1).rev() {
                brains.notify(agent, Notice::Stop(plane::ground(point)));
            }
        }
    }

    /// Whether the watcher and the one who asks see each other.
    fn is_seen(&self, world: &Ground) -> bool {
        let [from, to] = [WATCHER, ASKER].map(|key| plane::ground(Vantage::at(world, key).position));
        self.obstacles().ray(from, to - from, 1.0).is_none()
    }
}

/// The round of the watcher, last stop first.
const ROUND: [Vec2; 6] = [
    Vec2::new(-9.0, 2.5),
    Vec2::new(-9.0, 8.0),
    Vec2::new(-1.5, 4.0),
    Vec2::new(-2.0, -2.0),
    Vec2::new(-2.5, -5.0),
    Vec2::new(-9.0, -8.0),
];

impl Story for Vantage {
    type Mind = Plain;
    type World = Ground;
    type Cache = Cache;

    fn step(&self, moment: Moment<'_, Vantage>) {
        let Moment { brains, world, pool, scratch, cache, .. } = moment;
        let is_due = brains.tick().0.is_multiple_of(self.period_ticks.max(1));
        let is_seen = self.is_seen(world);
        if is_seen {
            world.sighted = Vantage::at(world, WATCHER);
        }
        if is_due && (!self.is_shy || is_seen || world.asked == 0) {
            self.ask(brains, world, cache);
        }
        if let Some(agent) = brains.agent_of(WATCHER)
            && brains.brain(agent).is_some_and(|errand| errand.stops.is_empty())
        {
            for stop in ROUND {
                brains.notify(agent, Notice::Stop(stop));
            }
        }
        let body = [BodyConfig { speed_m_per_s_max: PACE_M_PER_S, ..BodyConfig::default() }];
        let mind = Plain { pace_m_per_s: if self.goes { PACE_M_PER_S } else { 1.0 }, sway_rad: 0.0 };
        let view = LevelView { level: &self.level, state: &world.cast.level };
        brains.step(&mind, &view, pool, scratch);
        world.cast.follow(brains, &body);
        world.cast.step(&self.level, &body, RATE, pool, &mut cache.bodies);
        world.cast.tell(brains);
        world.seen_ticks += u32::from(is_seen);
        world.is_over = brains.tick().0 >= TICKS_MAX;
    }

    fn fits(&self, world: &Ground) -> bool {
        world.cast.fits(&self.level)
    }

    fn ending(&self, world: &Ground) -> Option<&'static str> {
        world.is_over.then_some("time up")
    }

    fn metrics(&self, world: &Ground) -> Vec<Metric> {
        let kept = world.spots.iter().filter(|spot| spot.score >= 0.0).count();
        vec![
            Metric::new("asked", world.asked as f32),
            Metric::new("answered", world.answered as f32),
            Metric::new("points", world.spots.len() as f32),
            Metric::new("kept", kept as f32),
            Metric::new("best_score", world.score),
            Metric::new("seen_s", RATE.seconds(world.seen_ticks.into())),
        ]
    }

    fn parts(&self, world: &Ground) -> Vec<(&'static str, u64)> {
        let rest =
            ((world.best, world.sighted), world.asked, world.answered, (world.seen_ticks, world.score, world.is_over));
        vec![("bodies", state::hash(&world.cast)), ("points", state::hash(&world.spots)), ("count", state::hash(&rest))]
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach { sight_m: SIGHT_M, ..Reach::legs(2.5) })
    }

    fn stage<'a>(&'a self, world: &'a Ground) -> Option<(&'a Level, &'a Cast)> {
        Some((&self.level, &world.cast))
    }

    fn stage_mut<'a>(&'a self, world: &'a mut Ground) -> Option<(&'a Level, &'a mut Cast)> {
        Some((&self.level, &mut world.cast))
    }

    fn allowed(&self) -> Allowed {
        Allowed::LISTED
    }

    fn may_change(&self, it: &Presence) -> bool {
        // The friend says where it is.
        it.key != FRIEND
    }

    fn knowledge(&self, world: &Ground, key: HostKey) -> u64 {
        if key == ASKER { state::hash(&(world.sighted, world.best)) } else { 0 }
    }

    fn draw(&self, brains: &Loop<Plain>, world: &Ground, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.cast.level }, list);
        let mut region = Region::default();
        self.look(&mut Sweep::default(), Vantage::at(world, WATCHER), &mut region);
        draw_region(&region, Color::rgb(0xb8433f).alpha(40), 0.0, list);
        if self.shows_cover {
            shelter::draw::draw_set(&self.covers, list);
            if let Some(cell) = self.cover_map.cell_at(Vantage::at(world, ASKER).position) {
                shelter::draw::draw_cell(cell, list);
            }
        }
        self.draw_spots(world, list);
        let errand = brains.agent_of(ASKER).and_then(|agent| brains.brain(agent));
        let mut from = Vantage::at(world, ASKER).position;
        for stop in errand.iter().flat_map(|errand| errand.stops.iter().rev()) {
            let to = plane::lift(*stop, 0.1);
            list.line(Layer::PATHS, Color::rgb(0xe08a2a), from, to, 0.06);
            from = to;
        }
        for ((key, walker), (name, hex)) in
            world.cast.iter().zip([("asks", 0xe08a2a), ("watches", 0xb8433f), ("friend", 0x2f6fb0)])
        {
            let (at, color) = (walker.pose.position, Color::rgb(hex));
            list.circle(Layer::BODIES, color, at, math::max(walker.radius_m, 0.35), true);
            let nose = at + plane::lift(plane::heading(walker.pose.yaw) * walker.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
            let above = at + plane::lift(Vec2::new(0.0, 0.8), 0.0);
            list.label(Layer::NAMES, Color::rgb(0x23272b), above, format_args!("{name}"));
            debug_assert!(key.0 < 3);
        }
    }
}

impl Vantage {
    fn draw_spots(&self, world: &Ground, list: &mut DrawList) {
        if self.shows_rumor {
            let at = Vec2::new(-15.0, -11.0);
            let value = |number: usize| {
                let cell = at + Vec2::new((number % 30) as f32 + 0.5, (number / 30) as f32 + 0.5);
                self.rumor.sample(cell.as_dvec2()) as f32
            };
            let values: Vec<f32> = (0..30 * 22).map(value).collect();
            let size = sentir::core::glam::UVec2::new(30, 22);
            list.heat(Layer::INFLUENCE, Color::rgb(0x7d4bb0).alpha(120), plane::lift(at, 0.02), 1.0, size, &values);
        }
        let kept = || world.spots.iter().map(|spot| spot.score).filter(|&score| score >= 0.0);
        let (low, high) = (kept().fold(1.0, math::min), kept().fold(0.0, math::max));
        for (number, spot) in (0..).zip(&world.spots) {
            let at = spot.at + Vec3::Y * 0.05;
            if spot.score < 0.0 {
                list.circle(Layer::QUERIES, Color::rgb(0x9aa0a6).alpha(90), at, 0.07, false);
                continue;
            }
            let share = if high > low { (spot.score - low) / (high - low) } else { 1.0 };
            list.circle(Layer::QUERIES, why::ramp(share), at, 0.17, true);
            if number == world.best {
                list.circle(Layer::QUERIES, Color::rgb(0x14532d), at, 0.45, false);
            }
        }
        for spot in labeled(world) {
            let above = spot.at + plane::lift(Vec2::new(0.0, 0.35), 0.0);
            list.label(Layer::QUERIES, Color::rgb(0x4a5058), above, format_args!("{:.2}", spot.score));
        }
    }
}

/// Points whose scores are written: the best and the worst, then the next best ones that leave room for the writing.
fn labeled(world: &Ground) -> Vec<Spot> {
    let mut ranked: Vec<Spot> = world.spots.iter().copied().filter(|spot| spot.score >= 0.0).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let names = world.cast.iter().map(|(_, walker)| walker.pose.position + plane::lift(Vec2::new(0.0, 0.5), 0.0));
    let mut taken: Vec<Vec3> = names.collect();
    let mut labeled = Vec::new();
    let worst = ranked.last().copied();
    for spot in ranked.first().copied().into_iter().chain(worst).chain(ranked.iter().copied()) {
        let is_clear = |at: &Vec3| {
            let apart = plane::ground(spot.at - *at).abs();
            apart.x > LABELS_APART_M.x || apart.y > LABELS_APART_M.y
        };
        if labeled.len() < LABELS_MAX && taken.iter().all(is_clear) {
            taken.push(spot.at);
            labeled.push(spot);
        }
    }
    labeled
}

/// A stock query, or one of a single test over a lattice about oneself.
pub(crate) fn query_of(name: &str, test: &str) -> Result<Query, SceneError> {
    let refuse = |what: String| SceneError::Asset { name: name.to_owned(), line: 0, column: 0, what };
    let lexicon = Lexicon::default();
    if test == "query" {
        let found = sentir_space::query::stock::stock(name, &lexicon);
        return found.ok_or_else(|| refuse("no such query".to_owned()))?.map_err(|error| refuse(error.to_string()));
    }
    let content = match test {
        "influence" => "{ map: prediction }",
        "repetition" => "{ within_m: 6 }",
        "distance" => "{ to: target }",
        _ => "{}",
    };
    let text = format!(
        "sentir: query 1\nname: {test}\nbest: 0\npoints:\n  - grid: {{ half_m: 22, step_m: 1.25 }}\ntests:\n  \
         - test: {{ {test}: {content} }}\n"
    );
    sentir_space::query::load(text.as_bytes(), test, &lexicon).map_err(|error| refuse(error.to_string()))
}
