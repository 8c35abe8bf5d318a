//! `collapse`: people travel through six rooms while slabs fall, doors shut and walls break; what one has not noticed, one
//! does not know.

mod figure;
mod mind;
mod picture;
mod script;
#[cfg(test)]
mod tests;

use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::WalkConfig;
use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::FollowConfig;
use sentir_level::{Level, LevelState, LevelView, PieceId};
use sentir_nav::bake::{BakeConfig, LevelFilter, TileTable};
use sentir_nav::dynamic::{DynamicMesh, FootprintId, ObstacleError, ObstacleTiles, Obstacles, PieceWatch};
use sentir_nav::mesh::{AreaCosts, CorridorSearch, Mesh};
use sentir_nav::request::{BudgetScope, RequestConfig};

use figure::{Figures, Still};
use mind::{Dweller, Tuning};
use script::Script;
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

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "collapse",
    title: "Walls fall, doors shut, and nobody knows what it has not noticed",
    about: "Fifty people travel between six rooms. Slabs crack and fall across passages, doors shut and open, walls break, a \
            crate is pushed to and fro. Only the touched tiles of the mesh are rebuilt. Each plans by what it believes: what it \
            saw, walked into or failed at; who could not see a door shut walks to it first.",
    controls: None,
    kinds: &[KindLook::new(0, "person", Model::Person)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::NAVMESH],
    settings: SETTINGS,
    assets: &[("collapse.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/crowd/collapse.yaml")))],
    rate: RATE,
    ticks_max: 36_000 * 30,
    trials: &[&["count=50", "seconds=60"], &["count=6", "seconds=60", "sight=0", "spans=300"]],
    build,
};

const RATE: TickRate = TickRate::new(30);
const PLACE: Purpose = Purpose::new("collapse.place");

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many people", kind: SettingKind::Whole { min: 0, max: 200 }, stock: "50" },
    Setting {
        name: "seconds",
        about: "how long it is, s",
        kind: SettingKind::Number { min: 1.0, max: 36_000.0 },
        stock: "120",
    },
    Setting {
        name: "sight",
        about: "how far people see, m",
        kind: SettingKind::Number { min: 0.0, max: 60.0 },
        stock: "18",
    },
    Setting {
        name: "spans",
        about: "rebuilding budget, spans of the field a tick",
        kind: SettingKind::Whole { min: 0, max: 1_000_000 },
        stock: "4000",
    },
    Setting {
        name: "script",
        about: "whether anything happens",
        kind: SettingKind::Choice(&["on", "off"]),
        stock: "on",
    },
];

/// What the mesh is baked for: small tiles, as they are made anew while one plays.
const BAKE: BakeConfig = BakeConfig { tile_cells: 32, ..BakeConfig::PERSON };

/// Who is avoided, and how.
const AVOID: AvoidConfig = AvoidConfig { range_m: 4.0, neighbors_max: 10, wall_horizon_s: 0.4, separate_s: 0.4 };

/// The scene: what never changes.
struct Ruin {
    level: Level,
    table: TileTable,
    /// The mesh of the table, without any obstacle.
    plain: Mesh,
    tuning: Tuning,
    body: [BodyConfig; 1],
    spans_max: u32,
    has_script: bool,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
struct World {
    bodies: BodySet,
    obstacles: Obstacles,
    watch: PieceWatch,
    script: Script,
    /// By body.
    stills: Vec<Still>,
    figures: Figures,
    is_over: bool,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.stills.len() == self.bodies.len() { Ok(()) } else { Err("bodies and their rests are not as many") }
    }
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    /// Made of the state when it is missing.
    mind: Option<Box<Dweller>>,
    bodies: BodySetScratch,
    search: CorridorSearch,
    believed: Vec<FootprintId>,
}

/// Places in the six rooms.
fn stops(mesh: &Mesh) -> Vec<Vec3> {
    let mut stops = Vec::new();
    for x in [-16.0, 0.0, 16.0] {
        for y in [-7.5, 7.5] {
            for (right, up) in [(-4.5, -3.5), (4.5, -3.5), (-4.5, 4.0), (4.5, 4.0)] {
                let place = plane::lift(Vec2::new(x + right, y + up), 0.0);
                stops.extend(mesh.nearest(place, Vec3::new(1.5, 0.5, 1.5)).map(|it| it.point));
            }
        }
    }
    stops
}

/// The pieces as obstacles, where they stand at the beginning.
fn watched(level: &Level, table: &TileTable, state: &LevelState) -> Result<(PieceWatch, Obstacles), ObstacleError> {
    let (mut watch, mut obstacles) = (PieceWatch::default(), Obstacles::default());
    for (number, piece) in (0..).zip(level.pieces()) {
        // Walls belong to the plan of the house; when one breaks, everybody hears it.
        let is_public = piece.health.is_some();
        let tiles = ObstacleTiles { table, obstacles: &mut obstacles };
        watch.watch(PieceId(number), is_public, LevelView { level, state }, tiles)?;
    }
    obstacles.step(table, u32::MAX);
    Ok((watch, obstacles))
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<SceneMatch<Ruin>, SceneError> {
    let level = level_asset(setup, "collapse.yaml")?;
    let wrong = |what: String| SceneError::Asset { name: "collapse.yaml".to_owned(), line: 0, column: 0, what };
    let table = sentir_nav::bake::level(&level, &LevelState::new(&level), &LevelFilter::default(), &BAKE)
        .map_err(|error| wrong(error.to_string()))?;
    let plain = table.mesh().map_err(|error| wrong(error.to_string()))?;
    let stops = stops(&plain);
    if stops.is_empty() {
        return Err(wrong("has no ground to walk on: expected some within 20 m of the middle".to_owned()));
    }
    let mut bodies = BodySet::new(&level);
    let (watch, obstacles) = watched(&level, &table, &bodies.level).map_err(|error| wrong(error.to_string()))?;
    let mut brains = Loop::new(LoopConfig { rate: RATE, index_cell_m: 2.0, ..LoopConfig::default() }, setup.seed);
    let mut random = brains.streams().stream(0, PLACE);
    for number in 0..u64::from(setup.settings.whole("count")) {
        // Round the places, some steps apart.
        let (place, ring) = (number as usize % stops.len(), (number as usize / stops.len()) as f32);
        let around = plane::heading(ring * 2.4) * math::min(ring, 6.0) * 0.4;
        let spot = plain.nearest(stops[place] + plane::lift(around, 0.0), Vec3::splat(1.5));
        let position = spot.map_or(stops[place], |it| it.point) + Vec3::new(0.0, 0.02, 0.0);
        let walker = bodies.add(HostKey(number), 0, Pose { position, yaw: random.between(-3.0, 3.0) });
        let _ = brains.spawn(AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) });
    }
    let tuning = Tuning {
        stops,
        pace_m_per_s: 1.5,
        sight_m: setup.settings.number("sight"),
        requests: RequestConfig { expansions_per_tick: 40, scope: BudgetScope::Each, ..RequestConfig::default() },
        gait: WalkConfig {
            follow: FollowConfig { give_up_s: 20.0, room_s: 1.3, ..FollowConfig::default() },
            avoid: AVOID,
            look: AVOID,
            horizon_s: mind::HORIZON_S,
            standing_priority: 0.5,
            ..WalkConfig::default()
        },
    };
    let stills = bodies.iter().map(|(_, walker)| Still::at(walker.pose.position)).collect();
    let world =
        World { bodies, obstacles, watch, script: Script::new(), stills, figures: Figures::default(), is_over: false };
    let scene = Ruin {
        level,
        table,
        plain,
        tuning,
        body: [BodyConfig { speed_m_per_s_max: 1.7, ..BodyConfig::default() }],
        spans_max: setup.settings.whole("spans"),
        has_script: setup.settings.word("script") == "on",
        ticks_max: RATE.ticks(setup.settings.number("seconds")),
    };
    Ok(SceneMatch::new(scene, brains, world))
}

impl Ruin {
    /// The mind, in step with the state of the world.
    fn mind(&self, brains: &Loop<Dweller>, world: &World) -> Box<Dweller> {
        let mut mind = Box::new(Dweller {
            dynamic: DynamicMesh::of(self.plain.clone()),
            truth: Obstacles::default(),
            costs: Vec::new(),
            versions: Vec::new(),
            tuning: self.tuning.clone(),
        });
        self.follow(&mut mind, brains, world);
        mind
    }

    /// Brings the mesh, and what everybody believes of it, up to date.
    fn follow(&self, mind: &mut Dweller, brains: &Loop<Dweller>, world: &World) {
        // Patches of a bake go into the mesh of that bake; if one did not, the mesh would stay as it was.
        let _ = mind.dynamic.follow(&self.table, &world.obstacles);
        for (it, _) in brains.motions() {
            let (slot, Some(senses)) = (it.agent.index(), brains.senses(it.agent)) else { continue };
            if mind.costs.len() <= slot {
                mind.costs.resize(slot + 1, AreaCosts::PLAIN);
                mind.versions.resize(slot + 1, 0);
            }
            let within = senses.knowledge.within(&world.obstacles, it.body.pose.position);
            let mark = within.map_or(0, |footprint| footprint.0.wrapping_mul(0x9e37_79b9) | 1);
            let version = mind.dynamic.version().wrapping_add(senses.knowledge.changes()) ^ mark;
            if mind.versions[slot] != version {
                mind.versions[slot] = version;
                mind.costs[slot] = mind.dynamic.costs_within(&AreaCosts::PLAIN, &senses.knowledge, within);
            }
        }
    }

    /// Brings what happened to the level to the mesh, as far as the budget goes.
    fn rebuild(&self, brains: &Loop<Dweller>, world: &mut World, believed: &mut Vec<FootprintId>) {
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        let tiles = ObstacleTiles { table: &self.table, obstacles: &mut world.obstacles };
        let outcome = world.watch.follow(view, tiles);
        world.figures.refused = world.figures.refused.saturating_add(u32::from(outcome.is_err()));
        believed.clear();
        for senses in brains.motions().filter_map(|(it, _)| brains.senses(it.agent)) {
            believed.extend(senses.knowledge.beliefs().iter().map(|it| it.footprint));
        }
        believed.sort_unstable();
        world.obstacles.sweep(&self.table, |id| believed.binary_search(&id).is_ok());
        world.obstacles.step(&self.table, self.spans_max);
    }
}

impl Scene for Ruin {
    type Mind = Dweller;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Ruin>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        script::fall(&self.level, brains.tick(), world);
        if self.has_script && !world.is_over {
            let outcome = script::happen(&self.level, &self.table, &brains.streams(), brains.tick(), world);
            world.figures.refused = world.figures.refused.saturating_add(u32::from(outcome.is_err()));
        }
        let mut mind = cache.mind.take().unwrap_or_else(|| self.mind(brains, world));
        std::mem::swap(&mut mind.truth, &mut world.obstacles);
        brains.step(&*mind, &LevelView { level: &self.level, state: &world.bodies.level }, pool, scratch);
        std::mem::swap(&mut mind.truth, &mut world.obstacles);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        self.rebuild(brains, world, &mut cache.believed);
        self.follow(&mut mind, brains, world);
        figure::note(self, &mind, brains, world, &mut cache.search);
        cache.mind = Some(mind);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level) && world.obstacles.fits(&self.table)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        figure::metrics(world)
    }

    fn draw(&self, brains: &Loop<Dweller>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        let mind = self.mind(brains, world);
        sentir_nav::mesh::draw::draw(mind.dynamic.mesh(), list);
        picture::draw(brains, world, list);
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Ruin {
    fn reach(&self) -> Reach {
        // Eyes for what stands there; others are minded by the legs alone.
        let near_m = self.tuning.gait.look.range_m + 1.0;
        Reach { sight_m: self.tuning.sight_m, half_rad: mind::LOOK_RAD, ..Reach::legs(near_m) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Dweller>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}
