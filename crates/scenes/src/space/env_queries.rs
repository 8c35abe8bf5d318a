//! What the scenes about good places have in common: one who asks, one who watches, one who has its place already, and a query
//! that is asked again and again while they move.

mod mind;

use sentir::core::body::person::PLAN_EYE_M;
use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{FloorId, LevelState, LevelView};
use sentir_nav::bake::LevelFilter;
use sentir_nav::tactic::Field;
use sentir_space::cover::{self as shelter, Borders, CoverConfig, CoverMap, CoverMapConfig, CoverSet};
use sentir_space::query::{Lexicon, Query, draw};
use sentir_space::visibility::draw::draw_region;
use sentir_space::visibility::{FloorSight, Region, Sweep};

use crate::navigation::tactical_paths::mesh_of;
use crate::straight_walker::StraightWalker;
use mind::{Findings, Role, Seeker, Spot, Thoughts};
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{SceneError, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// Ticks per second of these scenes.
pub(crate) const RATE: TickRate = TickRate::new(60);
/// How long they take.
pub(crate) const TICKS_MAX: u64 = 40 * 60;
/// How fast everybody walks, m/s.
const PACE_M_PER_S: f32 = 2.0;
/// How far anybody sees, m.
const SIGHT_M: f32 = 40.0;
/// Points with their scores beside them at most.
const LABELS_MAX: usize = 10;
/// How far scores are apart at least, along and across the writing, m.
const LABELS_APART_M: Vec2 = Vec2::new(3.4, 1.7);
/// Who is who.
const ASKER: HostKey = HostKey(0);
const WATCHER: HostKey = HostKey(1);
const FRIEND: HostKey = HostKey(2);
/// The sides: who asks and its friend are one squad, the watcher is of the other.
const SEEKERS: TeamId = TeamId(0);
const WATCHERS: TeamId = TeamId(1);
/// Where the watcher is at first, as all are told, m.
const WATCHED_FROM: Vec2 = Vec2::new(-9.0, 2.5);
/// Where the lost one may be, for searches: the middle of a hill of influence, on the ground, m.
const RUMOR: Vec2 = Vec2::new(9.0, -8.0);

/// The scene.
pub(crate) struct QueryScene {
    mind: Seeker,
    /// Whether cover is drawn, and not the points of the query alone.
    shows_cover: bool,
    shows_rumor: bool,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(crate) struct World {
    bodies: BodySet,
    figures: Figures,
    is_over: bool,
}

/// What is measured: of the questions, as the squad counts them, and for how long the two saw each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Figures {
    asked: u32,
    answered: u32,
    points: u32,
    kept: u32,
    score: f32,
    seen_ticks: u32,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.bodies.len() == 3 { Ok(()) } else { Err("there are not three bodies") }
    }
}

/// What the scene asks, and how.
pub(crate) struct Plan {
    pub(crate) query: Query,
    pub(crate) period_s: f32,
    pub(crate) goes: bool,
    pub(crate) is_shy: bool,
    pub(crate) shows_cover: bool,
    pub(crate) shows_rumor: bool,
}

/// The match.
pub(crate) fn begin(setup: &Setup, plan: Plan) -> Result<SceneMatch<QueryScene>, SceneError> {
    let level = level_asset(setup, "vantage.yaml")?;
    let refuse = |what: String| SceneError::Asset { name: level.name().to_owned(), line: 0, column: 0, what };
    let (mesh, spread) = mesh_of(&level, &LevelFilter::default())?;
    let fresh = LevelState::new(&level);
    let view = LevelView { level: &level, state: &fresh };
    let sight = FloorSight::build(&view, FloorId(0), PLAN_EYE_M).map_err(|error| refuse(error.to_string()))?;
    let covers = CoverSet::build(&mesh, &view, &CoverConfig::default());
    let cover_map = CoverMap::build(&mesh, &view, &CoverMapConfig::default(), &Serial);
    let rumor = rumor().map_err(|error| refuse(error.to_string()))?;
    let config = LoopConfig { index_cell_m: 2.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Seeker>::new(config, setup.seed);
    let mut bodies = BodySet::new(&level);
    let people = [
        (ASKER, SEEKERS, Role::Asks, Vec2::new(6.0, 1.0)),
        (WATCHER, WATCHERS, Role::Watches, WATCHED_FROM),
        (FRIEND, SEEKERS, Role::Stands, Vec2::new(-3.0, -8.5)),
    ];
    let standing = |at: Vec2| Pose { position: plane::lift(at, 0.02), yaw: plane::yaw(-at) };
    for (key, team, role, at) in people {
        let body = bodies.add(key, 0, standing(at)).body();
        // Keys are all different and the body is finite: nobody is refused.
        let spec = AgentSpec { team, body, ..AgentSpec::new(key) };
        let _ = brains.spawn_with(spec, Thoughts::new(role, standing(WATCHED_FROM)));
    }
    brains.brief_squad(SquadId::whole(SEEKERS), Findings { spots: Vec::with_capacity(1024), ..Findings::default() });
    let mind = Seeker {
        borders: Borders::from_mesh(&mesh),
        level,
        fresh,
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
        walk: StraightWalker { pace_m_per_s: if plan.goes { PACE_M_PER_S } else { 1.0 }, sway_rad: 0.0 },
    };
    let scene = QueryScene { mind, shows_cover: plan.shows_cover, shows_rumor: plan.shows_rumor };
    Ok(SceneMatch::new(scene, brains, World { bodies, figures: Figures::default(), is_over: false }))
}

/// A hill of influence where the lost one may be.
fn rumor() -> Result<Field, sentir_nav::tactic::FieldError> {
    let value = |number: u16| {
        let at = Vec2::new(f32::from(number % 30) - 14.5, f32::from(number / 30) - 10.5);
        math::exp(-(at - RUMOR).length_squared() / 18.0)
    };
    Field::new(Vec2::new(-15.0, -11.0), 1.0, [30, 22], (0..30 * 22).map(value).collect())
}

impl QueryScene {
    fn at(world: &World, key: HostKey) -> Pose {
        world.bodies.walker(key).map_or_else(Pose::default, |walker| walker.pose)
    }
}

impl Scene for QueryScene {
    type Mind = Seeker;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, QueryScene>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let [from, to] = [WATCHER, ASKER].map(|key| QueryScene::at(world, key).position);
        world.figures.seen_ticks = world.figures.seen_ticks.saturating_add(u32::from(self.mind.sees(from, to)));
        let body = [BodyConfig { speed_m_per_s_max: PACE_M_PER_S, ..BodyConfig::default() }];
        let level = &self.mind.level;
        brains.step(&self.mind, &LevelView { level, state: &world.bodies.level }, pool, scratch);
        world.bodies.follow(brains, &body);
        world.bodies.step(level, &body, RATE, pool, cache);
        world.bodies.observe(brains);
        if let Some(findings) = brains.squad(SquadId::whole(SEEKERS)) {
            let &Findings { ref spots, asked, answered, score, .. } = findings;
            let kept = spots.iter().filter(|spot| spot.score >= 0.0).count() as u32;
            world.figures = Figures { asked, answered, points: spots.len() as u32, kept, score, ..world.figures };
        }
        world.is_over = brains.tick().0 >= TICKS_MAX;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let Figures { asked, answered, points, kept, score, seen_ticks } = world.figures;
        vec![
            Metric::new("asked", asked as f32),
            Metric::new("answered", answered as f32),
            Metric::new("points", points as f32),
            Metric::new("kept", kept as f32),
            Metric::new("best_score", score),
            Metric::new("seen_s", RATE.seconds(seen_ticks.into())),
        ]
    }

    fn draw(&self, brains: &Loop<Seeker>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.mind.level, state: &world.bodies.level }, list);
        let mut region = Region::default();
        self.mind.look(&mut Sweep::default(), QueryScene::at(world, WATCHER), &mut region);
        draw_region(&region, Color::rgb(0xb8433f).alpha(40), 0.0, list);
        if self.shows_cover {
            shelter::draw::draw_set(&self.mind.covers, list);
            if let Some(cell) = self.mind.cover_map.cell_at(QueryScene::at(world, ASKER).position) {
                shelter::draw::draw_cell(cell, list);
            }
        }
        if let Some(findings) = brains.squad(SquadId::whole(SEEKERS)) {
            self.draw_spots(world, findings, list);
        }
        let errand = brains.agent_of(ASKER).and_then(|agent| brains.brain(agent)).map(|thoughts| &thoughts.errand);
        let mut from = QueryScene::at(world, ASKER).position;
        for stop in errand.iter().flat_map(|errand| errand.stops.iter().rev()) {
            let to = plane::lift(*stop, 0.1);
            list.line(Layer::PATHS, Color::rgb(0xe08a2a), from, to, 0.06);
            from = to;
        }
        for ((key, walker), (name, hex)) in
            world.bodies.iter().zip([("asks", 0xe08a2a), ("watches", 0xb8433f), ("friend", 0x2f6fb0)])
        {
            let (at, color) = (walker.pose.position, Color::rgb(hex));
            list.body(key.0, color, at, math::max(walker.radius_m, 0.35));
            let nose = at + plane::lift(plane::heading(walker.pose.yaw) * walker.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
            let above = at + plane::lift(Vec2::new(0.0, 0.8), 0.0);
            list.label(Layer::NAMES, Color::rgb(0x23272b), above, format_args!("{name}"));
            debug_assert!(key.0 < 3);
        }
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for QueryScene {
    fn reach(&self) -> Reach {
        Reach { sight_m: SIGHT_M, ..Reach::legs(2.5) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Seeker>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::LISTED
    }

    fn may_change(&self, it: &Presence) -> bool {
        // The friend says where it is.
        it.key != FRIEND
    }
}

impl QueryScene {
    fn draw_spots(&self, world: &World, findings: &Findings, list: &mut DrawList) {
        if self.shows_rumor {
            let at = Vec2::new(-15.0, -11.0);
            let value = |number: usize| {
                let cell = at + Vec2::new((number % 30) as f32 + 0.5, (number / 30) as f32 + 0.5);
                self.mind.rumor.sample(cell.as_dvec2()) as f32
            };
            let values: Vec<f32> = (0..30 * 22).map(value).collect();
            let size = sentir::core::glam::UVec2::new(30, 22);
            list.heat(Layer::INFLUENCE, Color::rgb(0x7d4bb0).alpha(120), plane::lift(at, 0.02), 1.0, size, &values);
        }
        draw::draw_points(findings.spots.iter().map(|spot| (spot.at, (spot.score >= 0.0).then_some(spot.score))), list);
        if let Some(best) = findings.best.and_then(|best| findings.spots.get(best as usize)) {
            draw::draw_best(best.at, list);
        }
        for spot in labeled(world, findings) {
            draw::draw_score(spot.at, spot.score, list);
        }
    }
}

/// Points whose scores are written: the best and the worst, then the next best ones that leave room for the writing.
fn labeled(world: &World, findings: &Findings) -> Vec<Spot> {
    let mut ranked: Vec<Spot> = findings.spots.iter().copied().filter(|spot| spot.score >= 0.0).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let names = world.bodies.iter().map(|(_, walker)| walker.pose.position + plane::lift(Vec2::new(0.0, 0.5), 0.0));
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
