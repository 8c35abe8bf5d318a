//! What the scenes of tactical ways have in common: walkers who each follow a way found before they set out, and figures of
//! how long they were in sight of whom.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::{BakeConfig, BakeSource, LevelFilter, whole};
use sentir_nav::mesh::Mesh;
use sentir_nav::tactic::{PathCost, RegionSet, Spread, SpreadConfig, why};

use crate::straight_walker::{StraightWalker, WalkerBrain};
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{Ground, SceneError};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// Ticks per second of these scenes.
pub(crate) const RATE: TickRate = TickRate::new(60);
/// How fast everybody walks, m/s.
const PACE_M_PER_S: f32 = 1.5;
/// Places kept of everybody's way, and the ticks between two of them.
const TRAIL_MAX: usize = 200;
const TRAIL_TICKS: u64 = 10;

/// Colors of the mesh by kind of area, those of the terrain: grass, path, forest, water.
const AREAS: [u32; 4] = [0x5f_8c46, 0xb8_9447, 0x2f_5a33, 0x2f_6fa8];

/// Somebody with a way before it.
pub(crate) struct Hiker {
    pub(crate) name: &'static str,
    pub(crate) color: Color,
    /// Where it begins.
    pub(crate) at: Vec2,
    /// The way and what it costs; no points for one who stays.
    pub(crate) way: PathCost,
    /// The names of its figures: length of the way, m; its cost; time in sight, s; time of arrival, s. Empty ones are not told.
    pub(crate) figures: [&'static str; 4],
}

/// The scene.
pub(crate) struct Trek {
    pub(crate) level: Level,
    pub(crate) mesh: Mesh,
    /// What the watcher sees.
    pub(crate) sight: RegionSet,
    pub(crate) hikers: Vec<Hiker>,
    /// Figures that are known before anybody moves.
    pub(crate) metrics: Vec<Metric>,
    pub(crate) ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(crate) struct World {
    bodies: BodySet,
    marks: Vec<Mark>,
    is_over: bool,
}

/// How a hiker has fared.
#[derive(Clone, Debug, PartialEq, State)]
struct Mark {
    seen_ticks: u32,
    /// When it came to its end; NaN before, s.
    arrived_s: f32,
    trail: Vec<Vec2>,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.marks.len() == self.bodies.len() { Ok(()) } else { Err("bodies and marks are not as many") }
    }
}

/// The mesh of a small level in one piece for a person, and points spread over it.
pub(crate) fn mesh_of(level: &Level, areas: &LevelFilter) -> Result<(Mesh, Spread), SceneError> {
    let config = BakeConfig { cell_m: 0.15, height_m: 2.0, edge_max_m: 0.0, ..BakeConfig::PERSON_CLOSE };
    let refuse = |what: String| SceneError::Asset { name: level.name().to_owned(), line: 0, column: 0, what };
    let source = BakeSource::from_level(level, &LevelState::new(level), areas);
    let patch = whole(&source, &config).map_err(|error| refuse(error.to_string()))?;
    let mesh = Mesh::from_patch(patch).map_err(|error| refuse(error.to_string()))?;
    let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 1.0, lattice_m: 1.0 });
    Ok((mesh, spread.map_err(|error| refuse(error.to_string()))?))
}

/// The match.
pub(crate) fn begin(scene: Trek, seed: u64) -> SceneMatch<Trek> {
    let config = LoopConfig { rate: RATE, index_cell_m: 2.0, ..LoopConfig::default() };
    let mut brains = Loop::<StraightWalker>::new(config, seed);
    let mut bodies = BodySet::new(&scene.level);
    for (number, hiker) in (0u64..).zip(&scene.hikers) {
        let ahead = hiker.way.points.get(1).map_or(Vec2::Y, |&next| plane::ground(next) - hiker.at);
        let pose = Pose { position: plane::lift(hiker.at, 0.02), yaw: plane::yaw(ahead) };
        let body = bodies.add(HostKey(number), 0, pose).body();
        let stops = hiker.way.points.iter().skip(1).rev().map(|&point| plane::ground(point)).collect();
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(AgentSpec { body, ..AgentSpec::new(HostKey(number)) }, WalkerBrain { stops });
    }
    let mark = |_: &Hiker| Mark { seen_ticks: 0, arrived_s: f32::NAN, trail: Vec::with_capacity(TRAIL_MAX) };
    let marks = scene.hikers.iter().map(mark).collect();
    SceneMatch::new(scene, brains, World { bodies, marks, is_over: false })
}

impl Scene for Trek {
    type Mind = StraightWalker;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Trek>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let body = [BodyConfig { speed_m_per_s_max: PACE_M_PER_S, ..BodyConfig::default() }];
        let mind = StraightWalker { pace_m_per_s: PACE_M_PER_S, sway_rad: 0.0 };
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&mind, &view, pool, scratch);
        world.bodies.follow(brains, &body);
        world.bodies.step(&self.level, &body, RATE, pool, cache);
        world.bodies.observe(brains);
        let World { bodies, marks, .. } = world;
        for ((key, walker), mark) in bodies.iter().zip(&mut *marks) {
            let place = plane::ground(walker.pose.position);
            let errand = brains.agent_of(key).and_then(|agent| brains.brain(agent));
            let is_there = errand.is_none_or(|errand| errand.stops.is_empty());
            if is_there && mark.arrived_s.is_nan() {
                mark.arrived_s = RATE.seconds(brains.tick().0);
            }
            if !is_there {
                mark.seen_ticks += u32::from(self.sight.contains(place, walker.pose.position.y));
                if brains.tick().0.is_multiple_of(TRAIL_TICKS) && mark.trail.len() < TRAIL_MAX {
                    mark.trail.push(place);
                }
            }
        }
        let all = world.marks.iter().all(|mark| !mark.arrived_s.is_nan());
        world.is_over = all || brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level) && world.marks.len() == self.hikers.len()
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let all = world.marks.iter().all(|mark| !mark.arrived_s.is_nan());
        world.is_over.then_some(if all { "everybody is there" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let mut metrics = self.metrics.clone();
        for (hiker, mark) in self.hikers.iter().zip(&world.marks) {
            let seen_s = RATE.seconds(u64::from(mark.seen_ticks));
            let values = [hiker.way.length_m as f32, hiker.way.total.total() as f32, seen_s, mark.arrived_s];
            let named = hiker.figures.into_iter().zip(values).filter(|(name, _)| !name.is_empty());
            metrics.extend(named.map(|(name, value)| Metric::new(name, value)));
        }
        metrics
    }

    fn draw(&self, _: &Loop<StraightWalker>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        sentir_level::draw::draw_on(&view, Ground::Grass.tints(), list);
        let tint = |area: u8| Color::rgb(AREAS[usize::from(area) % AREAS.len()]);
        sentir_nav::mesh::draw::draw_tinted(&self.mesh, tint, list);
        why::draw_regions(&self.sight, 0.04, list);
        for hiker in &self.hikers {
            why::draw_path(&hiker.way, list);
        }
        for ((hiker, mark), (key, walker)) in self.hikers.iter().zip(&world.marks).zip(world.bodies.iter()) {
            for pair in mark.trail.windows(2) {
                let ends = [plane::lift(pair[0], 0.1), plane::lift(pair[1], 0.1)];
                list.line(Layer::PATHS, hiker.color.alpha(150), ends[0], ends[1], 0.05);
            }
            let at = walker.pose.position;
            list.body(key.0, hiker.color, at, math::max(walker.radius_m, 0.3));
            let nose = at + plane::lift(plane::heading(walker.pose.yaw) * walker.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
            let above = at + plane::lift(Vec2::new(0.0, 0.8), 0.0);
            list.label(Layer::NAMES, Color::rgb(0x23272b), above, format_args!("{}", hiker.name));
        }
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        let hiker = usize::try_from(agent.key.0).ok().and_then(|number| self.hikers.get(number));
        hiker.map(|hiker| hiker.name.to_owned())
    }

    /// Minds tell nobody apart; each looks like what it is.
    fn looks_as(&self, _world: &World, agent: &Presence) -> u16 {
        agent.key.0 as u16
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Trek {
    fn reach(&self) -> Reach {
        Reach::legs(2.5)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<StraightWalker>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}
