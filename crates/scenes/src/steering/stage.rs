//! The stage on which steering scenes play.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::{Mover, Moving, Wall, draw};
use sentir_level::{Level, LevelView};

use super::mind::{Motor, Role, Steerer};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{Ground, SceneError, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::{BodyConfig, Touched};
use sentir_sim::body_set::{BodySet, BodySetScratch};
use sentir_sim::input::{Held, Input};

/// Ticks per second of all steering scenes.
pub const RATE: TickRate = TickRate::new(60);
/// Places kept of everybody's way.
const TRAIL_MAX: usize = 80;
/// Ticks between two of them.
const TRAIL_TICKS: u64 = 12;
/// More than this many have no trails and no names.
const CROWD: usize = 16;

/// How the first role is moved when it is a player's: by a person's input once there is one, else by this script, as a
/// stick at a time in seconds.
pub type Player = fn(f32) -> Vec2;

/// What a scene says about itself.
#[derive(Clone, Copy)]
pub struct SteeringScene {
    /// How its ground looks.
    pub ground: Ground,
    /// Its figures by name; NaN until they are set.
    pub figures: &'static [&'static str],
    /// Looks at a tick, and keeps the figures.
    pub look: fn(&Look<'_>, &mut [f32]),
    /// Whether the scene is over before its time, from the figures.
    pub is_over: fn(&[f32]) -> Option<&'static str>,
    /// The script of the first role, where that is a player's.
    pub player: Option<Player>,
    /// When it ends, s.
    pub seconds: f32,
}

/// What a scene looks at in a tick.
pub struct Look<'a> {
    /// Time since the beginning, s.
    pub time_s: f32,
    /// Everybody, by role.
    pub bodies: &'a [Moving],
    /// The set everybody moves by, by role.
    pub sets: &'a [u16],
    /// The roles and what stands around.
    pub mind: &'a Steerer,
    /// How many bodies were held up by a wall in this tick, and how many by another body.
    pub bumps: [u32; 2],
}

impl Look<'_> {
    /// The mean of what was and what is, kept as a running mean over the ticks since `from_s`.
    pub fn mean(&self, figure: &mut f32, value: f32, from_s: f32) {
        let since = (self.time_s - from_s) * RATE.tick_s().recip();
        if since >= 0.0 {
            let count = since.round() + 1.0;
            *figure = if figure.is_nan() { value } else { *figure + (value - *figure) / count };
        }
    }
}

/// Keeps the greatest value.
pub fn keep_max(figure: &mut f32, value: f32) {
    *figure = if figure.is_nan() { value } else { math::max(*figure, value) };
}

/// Keeps the least value.
pub fn keep_min(figure: &mut f32, value: f32) {
    *figure = if figure.is_nan() { value } else { math::min(*figure, value) };
}

/// Adds to a count.
pub fn add(figure: &mut f32, value: f32) {
    *figure = if figure.is_nan() { value } else { *figure + value };
}

/// The story of a steering scene.
pub struct Staged {
    scene: SteeringScene,
    mind: Steerer,
    level: Level,
    body_configs: Vec<BodyConfig>,
}

/// What is remembered beside the brains.
#[derive(State)]
pub struct World {
    bodies: BodySet,
    figures: Vec<f32>,
    /// The player's controls, once there are some.
    input: Option<Held>,
    /// Ways, by role.
    trails: Vec<Vec<Vec2>>,
    is_over: bool,
}

/// What a step needs and need not remember.
#[derive(Default)]
pub struct Cache {
    body_set: BodySetScratch,
    moving: Vec<Moving>,
    sets: Vec<u16>,
}

/// The walls of a convex field, open inward, from its corners in any order of turning.
pub fn field_of(corners: &[Vec2]) -> Vec<Wall> {
    let area: f32 = Wall::around(corners).map(|wall| wall.from.perp_dot(wall.to)).sum();
    let inward = |wall: Wall| if area > 0.0 { Wall { from: wall.to, to: wall.from } } else { wall };
    Wall::around(corners).map(inward).collect()
}

/// A match of a steering scene.
pub fn begin(setup: &Setup, scene: SteeringScene, level: Level, mind: Steerer) -> Result<Box<dyn Match>, SceneError> {
    let config = LoopConfig { rate: RATE, index_cell_m: 3.0, ..LoopConfig::default() };
    let mut brains = Loop::<Steerer>::new(config, setup.seed);
    let mut bodies = BodySet::new(&level);
    for (number, role) in mind.roles.iter().enumerate() {
        let key = HostKey(number as u64);
        let pose = Pose { position: plane::lift(role.at, 0.02), yaw: role.yaw };
        let walker = bodies.add(key, number.min(255) as u8, pose);
        let team = TeamId(u32::from(number > 0));
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn(AgentSpec { body: walker.body(), team, kind: number as u16, ..AgentSpec::new(key) });
    }
    let body_configs = mind.roles.iter().take(256).map(|role| body_of(&role.mover)).collect();
    let trails = vec![Vec::with_capacity(TRAIL_MAX + 1); if mind.roles.len() <= CROWD { mind.roles.len() } else { 0 }];
    let world = World { bodies, figures: vec![f32::NAN; scene.figures.len()], input: None, trails, is_over: false };
    Ok(Box::new(SceneMatch::new(Staged { scene, mind, level, body_configs }, brains, world)))
}

/// A body that does just what steering says.
fn body_of(mover: &Mover) -> BodyConfig {
    BodyConfig {
        radius_m: mover.at.radius_m,
        speed_m_per_s_max: mover.speed_m_per_s_max,
        acceleration_m_per_s2: 1000.0,
        turn_rad_per_s_max: 100.0,
        ..BodyConfig::default()
    }
}

/// The first role.
const PLAYER_KEY: HostKey = HostKey(0);

impl Staged {
    /// Takes the player's controls: a person's, or the script's.
    fn play(&self, world: &mut World, inputs: &[Input], time_s: f32) {
        let Some(script) = self.scene.player else { return };
        if let Some(input) = inputs.iter().rev().find(|input| input.player == 0) {
            world.input = Some(input.held());
        }
        let stick = world.input.map_or_else(|| script(time_s), |held| held.input().stick());
        let key = PLAYER_KEY;
        let looks = world.bodies.walker(key).map_or(0.0, |walker| walker.pose.yaw);
        let yaw = if stick.length() < 0.05 { looks } else { plane::yaw(stick) };
        let smooth = math::approach_angle(looks, yaw, 6.0 * RATE.tick_s());
        world.bodies.steer(key, Input::quantized(0, stick, smooth, 0.0, Stance::Stand, Actions::default()));
    }

    /// Everybody's way, a place now and then.
    fn trace(&self, world: &mut World, tick: Tick) {
        if !tick.0.is_multiple_of(TRAIL_TICKS) {
            return;
        }
        for (trail, (_, walker)) in world.trails.iter_mut().zip(world.bodies.iter()) {
            if trail.len() >= TRAIL_MAX {
                trail.remove(0);
            }
            trail.push(plane::ground(walker.pose.position));
        }
    }
}

impl Scene for Staged {
    type Mind = Steerer;
    type World = World;
    type Cache = Cache;

    fn player(&self, _world: &World) -> Option<HostKey> {
        self.scene.player.map(|_| PLAYER_KEY)
    }

    fn step(&self, moment: StepContext<'_, Staged>) {
        let StepContext { brains, world, inputs, pool, scratch, cache } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        let time_s = RATE.seconds(brains.tick().0);
        world.bodies.follow(brains, &self.body_configs);
        self.play(world, inputs, time_s);
        world.bodies.step(&self.level, &self.body_configs, RATE, pool, &mut cache.body_set);
        world.bodies.observe(brains);
        self.trace(world, brains.tick());
        cache.moving.clear();
        // Those with a role; a stranger has none.
        let walkers = world.bodies.iter().take(self.mind.roles.len());
        cache.moving.extend(walkers.map(|(_, walker)| Moving::of(&walker.body())));
        cache.sets.clear();
        let set_of =
            |(key, _)| brains.agent_of(key).and_then(|agent| brains.intents(agent)).map_or(0, |it| it.behavior);
        cache.sets.extend(world.bodies.iter().map(set_of));
        let count = |is_wall: bool| {
            let bumps = cache.body_set.body.bumps.iter();
            bumps.filter(|bump| (bump.touched == Touched::Wall) == is_wall && bump.lost_m > 1e-4).count() as u32
        };
        let look = Look {
            time_s,
            bodies: &cache.moving,
            sets: &cache.sets,
            mind: &self.mind,
            bumps: [count(true), count(false)],
        };
        (self.scene.look)(&look, &mut world.figures);
        world.is_over = time_s >= self.scene.seconds || (self.scene.is_over)(&world.figures).is_some();
    }

    fn fits(&self, world: &World) -> bool {
        let is_whole = world.figures.len() == self.scene.figures.len() && world.bodies.len() == self.mind.roles.len();
        world.bodies.fits(&self.level) && is_whole
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then(|| (self.scene.is_over)(&world.figures).unwrap_or(TIME_UP))
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        self.scene.figures.iter().zip(&world.figures).map(|(&name, &value)| Metric::new(name, value)).collect()
    }

    fn draw(&self, brains: &Loop<Steerer>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        sentir_level::draw::draw_on(&view, self.scene.ground.tints(), list);
        for (role, trail) in self.mind.roles.iter().zip(&world.trails) {
            for pair in trail.windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|place| plane::lift(place, 0.05));
                list.line(Layer::PATHS, role.color.alpha(110), from, to, 0.06);
            }
            if let Some(path) = &role.path {
                draw::path(path, list);
            }
        }
        let is_crowd = self.mind.roles.len() > CROWD;
        for (number, (key, walker)) in world.bodies.iter().enumerate() {
            let Some(role) = self.mind.roles.get(number) else { continue };
            draw_body(key, &walker.body(), role.color, list);
            let Some(agent) = brains.agent_of(key) else { continue };
            let (legs, set) = (brains.motor(agent), brains.intents(agent).map_or(0, |intents| intents.behavior));
            if let Some((legs, set)) = legs.zip(role.sets.get(usize::from(set)).or(role.sets.first())) {
                draw_forces(role, set, &Moving::of(&walker.body()), legs, list);
            }
            if !is_crowd && !role.name.is_empty() {
                let at = walker.pose.position + Vec3::Z * (walker.radius_m + 0.45);
                let doing = role.sets.get(usize::from(set)).map_or("", |set| set.name);
                let says = if role.sets.len() > 1 { doing } else { "" };
                let gap = if says.is_empty() { "" } else { ": " };
                list.label(Layer::NAMES, Color::rgb(0x23272b), at, format_args!("{}{gap}{says}", role.name));
            }
        }
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        let role = self.mind.roles.get(usize::try_from(agent.key.0).ok()?)?;
        let is_only = self.mind.roles.iter().filter(|other| other.name == role.name).count() == 1;
        (is_only && !role.name.is_empty()).then(|| role.name.to_owned())
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Staged {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Staged {
    fn reach(&self) -> Reach {
        let sight_m = self.mind.roles.iter().map(|role| role.sight.0).fold(0.0, math::max);
        let near_m = self.mind.roles.iter().map(|role| role.near_m).fold(2.0, math::max) + 1.0;
        Reach { sight_m, ..Reach::legs(near_m) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Steerer>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Roles go by slot: nobody is removed.
        Allowed::LISTED
    }

    fn may_change(&self, it: &Presence) -> bool {
        // A role's targets are told to its legs, wherever they are.
        !self.mind.roles.iter().any(|role| role.targets.contains(&it.kind))
    }
}

/// A disc with a line to where it faces.
fn draw_body(key: HostKey, body: &Body, color: Color, list: &mut DrawList) {
    let center = body.pose.position;
    list.body(key.0, color, center, body.radius_m);
    let nose = center + body.facing() * (body.radius_m * 1.7);
    list.line(Layer::BODIES, Color::rgb(0x23272b), center, nose, body.radius_m * 0.3);
}

/// What steering asks for: the acceleration, the wander circle, the feelers and the auxiliary targets of whoever has them.
fn draw_forces(role: &Role, set: &Repertoire, at: &Moving, legs: &Motor, list: &mut DrawList) {
    let me = set.mover(&Mover { at: *at, ..role.mover });
    draw::forces(&me, legs.wish, list);
    for part in &set.parts {
        match part.behavior {
            Behavior::Wander(config) => draw::wander(&me, &legs.memory.wander, &config, list),
            Behavior::AvoidWalls(config) => draw::feelers(&me, &config, list),
            Behavior::Arrive(Target::Place(place), _) => draw::target(place, role.color, list),
            Behavior::FollowPath(config) => {
                let along = legs.memory.cursor.along_m + config.lead_m;
                let aim = role.path.as_ref().and_then(|path| path.at(along));
                if let Some(aim) = aim {
                    draw::target(aim, role.color, list);
                }
            }
            _ => {}
        }
    }
}
