//! `commute`: many people make trips of their own through a building of three storeys, on a baked navigation mesh.

mod mind;
#[cfg(test)]
mod tests;
mod watch;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::WalkConfig;
use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::Phase;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::{BakeConfig, LevelFilter};
use sentir_nav::mesh::Mesh;
use sentir_nav::request::{BudgetScope, RequestConfig, RequestCounts};

use mind::{Commuter, Motor, Trips};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};
use watch::Watch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "commute",
    title: "Trips through a building of three storeys",
    about: "Everybody picks a place anywhere in the building and goes there, by ramps and stairs, then to the next. Paths \
            are asked for and come when the budget allows; on the way people give way to each other and stay on the mesh. \
            Every trip arrives, or says why not.",
    controls: None,
    kinds: &[KindLook::new(0, "commuter", Model::Person)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::NAVMESH],
    settings: SETTINGS,
    assets: &[("commute.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/crowd/commute.yaml")))],
    rate: RATE,
    ticks_max: 36_000 * 30,
    trials: &[&["count=40", "seconds=40"], &["count=1", "seconds=60"]],
    build,
};

const RATE: TickRate = TickRate::new(30);
const PLACE: Purpose = Purpose::new("commute.place");
/// Room between two at the start, m.
const APART_M: f32 = 0.8;
/// Draws for a place with that much room before any place will do.
const DRAWS_MAX: u32 = 60;

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many people", kind: SettingKind::Whole { min: 1, max: 600 }, stock: "500" },
    Setting {
        name: "seconds",
        about: "how long it is, s",
        kind: SettingKind::Number { min: 1.0, max: 36_000.0 },
        stock: "120",
    },
    Setting {
        name: "expansions",
        about: "search budget of each, polygons a tick",
        kind: SettingKind::Whole { min: 0, max: 100_000 },
        stock: "20",
    },
];

/// The scene.
struct Commute {
    mind: Commuter,
    level: Level,
    body: [BodyConfig; 1],
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    /// What became of all searches.
    searches: RequestCounts,
    /// The figures of everybody together.
    trips: Trips,
    /// What is seen of the bodies.
    watch: Watch,
    is_over: bool,
}

/// The part of the mesh with the most ground: the tops of tables are parts of their own.
fn main_component(mesh: &Mesh) -> u32 {
    let mut areas: Vec<f32> = Vec::new();
    for polygon in 0..mesh.polygon_count() {
        let Some(component) = mesh.component(polygon) else { continue };
        let place = component as usize;
        if areas.len() <= place {
            areas.resize(place + 1, 0.0);
        }
        let ring: Vec<Vec2> = mesh.ring(polygon).map(plane::ground).collect();
        areas[place] += ring.windows(2).map(|pair| plane::side(ring[0], pair[0], pair[1])).sum::<f32>();
    }
    let best = (0..areas.len()).max_by(|&a, &b| areas[a].total_cmp(&areas[b]).then(b.cmp(&a)));
    best.unwrap_or(0) as u32
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "commute.yaml")?;
    let wrong = |what: String| SceneError::Asset { name: "commute.yaml".to_owned(), line: 0, column: 0, what };
    let table = sentir_nav::bake::level(&level, &LevelState::new(&level), &LevelFilter::default(), &BakeConfig::PERSON)
        .map_err(|error| wrong(error.to_string()))?;
    let mesh = table.mesh().map_err(|error| wrong(error.to_string()))?;
    if mesh.polygon_count() == 0 {
        return Err(wrong("has no ground to walk on: expected some".to_owned()));
    }
    let mut brains =
        Loop::<Commuter>::new(LoopConfig { rate: RATE, index_cell_m: 2.0, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    let component = main_component(&mesh);
    for number in 0..u64::from(setup.settings.whole("count")) {
        let mut draw = || mind::place_in(&mesh, component, &mut random).unwrap_or(Vec3::ZERO);
        let is_free = |place: Vec3| bodies.iter().all(|(_, other)| other.pose.position.distance(place) > APART_M);
        let mut place = draw();
        for _ in 0..DRAWS_MAX {
            if is_free(place) {
                break;
            }
            place = draw();
        }
        let pose = Pose { position: place + Vec3::new(0.0, 0.15, 0.0), yaw: random.between(-3.0, 3.0) };
        let walker = bodies.add(HostKey(number), 0, pose);
        let _ = brains.spawn(AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) });
    }
    let expansions_per_tick = setup.settings.whole("expansions");
    let mind = Commuter {
        requests: RequestConfig { expansions_per_tick, scope: BudgetScope::Each, ..RequestConfig::default() },
        mesh,
        component,
        pace_m_per_s: 1.4,
        gait: WalkConfig {
            avoid: AvoidConfig { range_m: 4.0, neighbors_max: 10, wall_horizon_s: 0.4, separate_s: 0.4 },
            // Farther and more than who is avoided, for a way past them.
            look: AvoidConfig { range_m: 6.0, neighbors_max: 24, ..AvoidConfig::default() },
            margin_m: 0.03,
            ..WalkConfig::default()
        },
    };
    let body = [BodyConfig { speed_m_per_s_max: 1.6, ..BodyConfig::default() }];
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let world = World {
        bodies,
        searches: RequestCounts::default(),
        trips: Trips::default(),
        watch: Watch::default(),
        is_over: false,
    };
    Ok(Box::new(SceneMatch::new(Commute { mind, level, body, ticks_max }, brains, world)))
}

impl Commute {
    /// The figures of everybody together.
    fn trips(brains: &Loop<Commuter>) -> Trips {
        let mut all = Trips::default();
        for legs in brains.motions().filter_map(|(it, _)| brains.motor(it.agent)) {
            all.add(&legs.trips);
        }
        all
    }
}

impl Scene for Commute {
    type Mind = Commuter;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Commute>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, cache);
        world.bodies.observe(brains);
        // All are of one squad.
        world.searches =
            brains.squads().next().map_or_else(RequestCounts::default, |(_, _, requests)| *requests.counts());
        world.trips = Commute::trips(brains);
        world.watch.look(&self.mind.mesh, &world.bodies, |key| {
            let legs = brains.agent_of(key).and_then(|agent| brains.motor(agent));
            legs.is_some_and(|legs| legs.follower.phase() == Phase::Walking)
        });
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level) && world.watch.fits(&world.bodies)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let Trips { arrived, failed, blocked, way_m, ticks } = world.trips;
        let alone_s = way_m / f64::from(self.mind.pace_m_per_s);
        let ratio = (ticks as f64 * f64::from(RATE.tick_s()) / alone_s) as f32;
        let mut metrics = vec![
            Metric::new("trips", arrived as f32),
            Metric::new("failed_no_path", failed[0] as f32),
            Metric::new("failed_bad_goal", failed[1] as f32),
            Metric::new("failed_out_of_budget", failed[2] as f32),
            Metric::new("failed_stuck", failed[3] as f32),
            Metric::new("failed_bad_start", failed[4] as f32),
            Metric::new("blocked", blocked as f32),
            Metric::new("time_ratio", if arrived > 0 { ratio } else { f32::NAN }),
            Metric::new("mean_way_m", if arrived > 0 { (way_m / arrived as f64) as f32 } else { f32::NAN }),
            Metric::new("longest_wait_s", RATE.seconds(world.searches.waited_max)),
            Metric::new("expansions", world.searches.expanded as f32),
        ];
        world.watch.metrics(&mut metrics);
        metrics
    }

    fn draw(&self, brains: &Loop<Commuter>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        sentir_nav::mesh::draw::draw(&self.mind.mesh, list);
        for (it, _) in brains.motions() {
            let at = it.body.pose.position;
            let color = STOREYS[(math::clamp(at.y / 3.2 + 0.5, 0.0, 2.0)) as usize];
            list.body(it.key.0, color, at, it.body.radius_m);
            let nose = at + plane::lift(plane::heading(it.body.pose.yaw) * it.body.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
            let Some(legs) = brains.motor(it.agent) else { continue };
            draw_path(legs, at, color, list);
        }
        let trips = world.trips;
        let at = Vec3::new(0.0, 0.0, 21.0);
        list.label(Layer::NAMES, Color::rgb(0x23272b), at, format_args!("{} trips", trips.arrived));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Commute {
    fn reach(&self) -> Reach {
        Reach::legs(self.mind.gait.look.range_m + 1.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Commuter>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}

/// By storey: ground, first, second.
const STOREYS: [Color; 3] = [Color::rgb(0x2f6fb0), Color::rgb(0xd9822b), Color::rgb(0x8a3fa0)];

fn draw_path(legs: &Motor, from: Vec3, color: Color, list: &mut DrawList) {
    let mut here = from;
    for &corner in legs.follower.ahead() {
        list.line(Layer::PATHS, color.alpha(70), here, corner, 0.06);
        here = corner;
    }
}
