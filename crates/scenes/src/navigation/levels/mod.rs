//! `levels`: people go to and fro on two levels, by a navigation mesh that is baked when the match begins.
//!
//! Whoever has a goal and no way is brought one by the coordination when its turn comes; a way is a corridor search, pulled taut.
//! Minds follow it (see [`mind`]).

mod mind;
mod picture;
mod tally;
#[cfg(test)]
mod tests;

use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::{self, BakeConfig, LevelFilter};
use sentir_nav::mesh::{Link, Mesh, Traversal};

use mind::{Notice, REACH, Traveler, WalkerBrain};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::{BodyConfig, CharacterBody};
use sentir_sim::body_set::{BodySet, BodySetScratch};
use tally::{Searches, Tally};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "levels",
    title: "People go to and fro over a bridge, under it, and over a gap",
    about: "A navigation mesh is baked from the level: two terraces with a bridge over a passage, a ramp, stairs, and a \
            tower that only a jump leads to. Everybody goes from place to place on both levels, by the way that a search \
            over the mesh gives, pulled taut.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::NAVMESH],
    settings: SETTINGS,
    assets: &[(LEVEL, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/navigation/levels.yaml")))],
    rate: RATE,
    ticks_max: 120 * 60,
    trials: &[&["count=4", "seconds=60"], &["count=16", "seconds=60"]],
    build,
};

const LEVEL: &str = "levels.yaml";
const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("levels.place");

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many people", kind: SettingKind::Whole { min: 1, max: 24 }, stock: "10" },
    Setting {
        name: "seconds",
        about: "how long the match is, s",
        kind: SettingKind::Number { min: 1.0, max: 120.0 },
        stock: "120",
    },
];

/// What a jump costs beside its length, m: one does not jump for nothing.
const JUMP_COST_M: f32 = 2.0;
/// So far aside of its way on the ground, or fallen so far, one needs another, m.
const ASTRAY_M: f32 = 1.5;
/// Standing for so long on the way, one needs another, s.
const STUCK_S: f32 = 3.0;

/// The scene: level, mesh, minds.
struct Levels {
    mind: Traveler,
    level: Level,
    body: [BodyConfig; 1],
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
struct World {
    bodies: BodySet,
    strolls: Vec<Stroll>,
    tally: Tally,
    is_over: bool,
}

/// How somebody's way goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Stroll {
    /// For how many ticks on end it has stood on its way.
    stood: u32,
    /// Whether it is in the air over a link.
    is_jumping: bool,
    /// Height of the ground it stood on last, m.
    high_m: f32,
    /// Whether it was on a way in the last tick.
    was_on_way: bool,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.strolls.len() == self.bodies.len() { Ok(()) } else { Err("bodies and ways are not as many") }
    }
}

/// The mesh of a level for people, with a link for each two annotations of the kind `jump`.
fn mesh_of(level: &Level, body: &BodyConfig) -> Result<Mesh, String> {
    let config = BakeConfig {
        radius_m: body.radius_m + 0.1,
        height_m: body.stand_m + 0.1,
        climb_m: body.step_up_m - 0.05,
        height_error_m: 0.3,
        ..BakeConfig::PERSON_CLOSE
    };
    let table = bake::level(level, &LevelState::new(level), &LevelFilter::default(), &config);
    let mut mesh = table.map_err(|why| why.to_string())?.mesh().map_err(|why| why.to_string())?;
    let ends: Vec<Vec3> = level.annotations().iter().filter(|one| one.kind == "jump").map(|one| one.position).collect();
    for pair in ends.chunks_exact(2) {
        let (from, to) = (pair[0], pair[1]);
        let cost_m = from.distance(to) + JUMP_COST_M;
        let link = Link { from, to, traversal: Traversal::Jump, is_two_way: true, cost_m, is_open: true };
        mesh.add_link(link, REACH).map_err(|why| why.to_string())?;
    }
    Ok(mesh)
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, LEVEL)?;
    let refuse = |what: String| SceneError::Asset { name: LEVEL.to_owned(), line: 0, column: 0, what };
    let body = BodyConfig { speed_m_per_s_max: 3.2, ..BodyConfig::default() };
    let mesh = mesh_of(&level, &body).map_err(refuse)?;
    let stops: Vec<Vec3> =
        level.annotations().iter().filter(|one| one.kind == "stop").map(|one| one.position).collect();
    if stops.len() < 2 {
        return Err(refuse("expected at least two annotations of the kind 'stop'".to_owned()));
    }
    if let Some(stop) = stops.iter().find(|&&stop| mesh.nearest(stop, REACH).is_none()) {
        return Err(refuse(format!("the stop at {stop} is off the walkable ground: expected room for a body there")));
    }
    let mut config = LoopConfig { rate: RATE, index_cell_m: 2.0, ..LoopConfig::default() };
    config.detail[0].think_every = 1;
    let mut brains = Loop::<Traveler>::new(config, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    let count = setup.settings.whole("count");
    for number in 0..count {
        // Somewhere, but not in each other.
        let is_clear = |at: Vec3| bodies.iter().all(|(_, other)| other.pose.position.distance(at) > 1.5);
        let draws = std::iter::repeat_with(|| mesh.random_place(&mut random)).take(200).flatten();
        let Some(place) = draws.map(|place| place.point).find(|&at| is_clear(at)) else { continue };
        let pose = Pose { position: place + Vec3::Y * 0.1, yaw: random.between(-math::PI, math::PI) };
        let key = HostKey(number.into());
        let walker = bodies.add(key, 0, pose);
        // Keys differ and bodies are finite: nobody is refused.
        let _ = brains.spawn(AgentSpec { body: walker.body(), ..AgentSpec::new(key) });
    }
    let world =
        World { strolls: vec![Stroll::default(); bodies.len()], bodies, tally: Tally::default(), is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let scene = Levels { mind: Traveler::new(mesh, stops), level, body: [body], ticks_max };
    Ok(Box::new(SceneMatch::new(scene, brains, world)))
}

impl Levels {
    /// Notes who arrived, who is astray, and who stands.
    fn note(&self, brains: &mut Loop<Traveler>, world: &mut World) {
        let World { bodies, strolls, tally, .. } = world;
        for ((key, walker), stroll) in bodies.iter().zip(strolls) {
            let Some(agent) = brains.agent_of(key) else { continue };
            let Some(errand) = brains.brain(agent) else { continue };
            let is_in_air = errand.is_in_air;
            let is_on_link = errand.legs.last().is_some_and(|leg| leg.is_jump);
            if is_on_link && !walker.is_grounded && !stroll.is_jumping {
                (stroll.is_jumping, tally.jumps) = (true, tally.jumps + 1);
            }
            stroll.is_jumping &= is_on_link || !walker.is_grounded;
            let is_on_way = !errand.legs.is_empty();
            tally.arrivals += u32::from(stroll.was_on_way && !is_on_way && !errand.needs_way);
            stroll.was_on_way = is_on_way;
            let stands = is_on_way && plane::ground(walker.velocity).length() < 0.1;
            stroll.stood = if stands { stroll.stood + 1 } else { 0 };
            tally.walked(walker, stroll.stood, self.is_on_mesh(walker), is_on_way && !stroll.is_jumping);
            let is_lost = is_on_way && walker.is_grounded && self.is_astray(walker, errand, stroll.high_m);
            if walker.is_grounded {
                stroll.high_m = walker.pose.position.y;
            }
            if is_lost || stroll.stood as f32 * RATE.tick_s() > STUCK_S {
                (stroll.stood, tally.replans) = (0, tally.replans + 1);
                brains.notify(agent, Notice::Lost);
            }
            if is_in_air == walker.is_grounded {
                brains.notify(agent, Notice::Air(!is_in_air));
            }
        }
    }

    /// Whether the feet are on the mesh, a tenth of a meter aside at most.
    fn is_on_mesh(&self, walker: &CharacterBody) -> bool {
        self.mind.mesh.nearest(walker.pose.position, Vec3::new(0.1, 0.6, 0.1)).is_some()
    }

    /// Whether somebody was pushed aside or has fallen so far that the leg is no good; `high_m` is where it stood last.
    fn is_astray(&self, walker: &CharacterBody, errand: &WalkerBrain, high_m: f32) -> bool {
        let Some(leg) = errand.legs.last() else { return false };
        let feet = walker.pose.position;
        let (at, from, to) = (plane::ground(feet), plane::ground(errand.from), plane::ground(leg.to));
        let along = to - from;
        let share = math::saturate((at - from).dot(along) / math::max(along.length_squared(), 1e-6));
        at.distance(from + along * share) > ASTRAY_M || high_m - feet.y > ASTRAY_M
    }
}

impl Scene for Levels {
    type Mind = Traveler;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Levels>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, cache);
        world.bodies.observe(brains);
        self.note(brains, world);
        // All are of one squad.
        world.tally.searches = brains.squads().next().map_or_else(Searches::default, |(_, _, searches)| *searches);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        world.tally.metrics()
    }

    fn draw(&self, brains: &Loop<Traveler>, world: &World, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Levels {
    fn reach(&self) -> Reach {
        // What avoidance minds, and a body.
        Reach::legs(5.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Traveler>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}
