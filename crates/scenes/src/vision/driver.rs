//! `driver`: a car laps a track by what its driver sees.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelView};
use sentir_vision::driver::{DriverConfig, drive};
use sentir_vision::{BodyLimits, Eye, Eyesight, Lens, MotionMode, Outlook, OutlookMemory, Palette, Scenery, Solid};

use super::bronto_game::RATE;
use super::bronto_game::picture::inset;
use super::bronto_game::sight::{Drawn, Sight, SightScratch, scenery};
use crate::cone::Cone;
use sentir_harness::game_match::Match;
use sentir_harness::hud::{Gauge, Place, Play, ResultCard};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "seconds",
        about: "how long it is, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "90",
    },
    Setting {
        name: "width",
        about: "columns of the picture it sees, pixels",
        kind: SettingKind::Whole { min: 40, max: 640 },
        stock: "160",
    },
    Setting {
        name: "speed_max",
        about: "how fast the car is, m/s",
        kind: SettingKind::Number { min: 2.0, max: 25.0 },
        stock: "16",
    },
];

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "driver",
    title: "A racing driver that only sees",
    about: "A car laps a track. Its driver knows no track, no map and no position: it sees a tiny picture of colors and depths \
            and steers to where its width is free the farthest, as fast as it could still brake or turn.",
    controls: None,
    kinds: &[KindLook::new(0, "car", Model::Car)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[("track.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vision/track.yaml")))],
    rate: RATE,
    ticks_max: 18_000,
    trials: &[&["seconds=40", "width=80"]],
    build,
};

const LOOK_EVERY: u64 = 3;
const CAR: BodyConfig = BodyConfig {
    radius_m: 0.9,
    stand_m: 1.9,
    crouch_m: 1.9,
    stand_eye_m: 1.3,
    crouch_eye_m: 1.3,
    speed_m_per_s_max: 28.0,
    crouch_factor: 1.0,
    acceleration_m_per_s2: 60.0,
    air_factor: 0.2,
    gravity_m_per_s2: 9.81,
    jump_m_per_s: 0.0,
    step_up_m: 0.2,
    slope_cos_min: 0.8,
    turn_rad_per_s_max: 100.0,
    push_m_per_s_max: 4.0,
    skin_m: 0.02,
};
const GAIT: BodyLimits = BodyLimits { half_width_m: 1.25, step_m: 0.2, drop_m: 0.2, slope: 0.3, near_m: 5.0 };
const PITCH: f32 = -0.12;
/// Gain of speed, m/s².
const DRIVE_M_PER_S2: f32 = 5.0;
/// The smallest circle, m.
const CIRCLE_M: f32 = 4.0;
const START: Purpose = Purpose::new("driver.start");

/// The mind: a look, what it means for wheel and pedals, and the car's motion.
struct Driver {
    config: DriverConfig,
    scenery: Scenery,
    lens: Lens,
    nothing: Solid,
}

/// What the driver remembers: what it wants of the car.
#[derive(Clone, Debug, Default, PartialEq, State)]
struct Wheel {
    toward: Vec2,
    speed_m_per_s: f32,
    free_m: f32,
    memory: OutlookMemory,
    /// When the last look was that it took in.
    seen: Option<Tick>,
}

/// What the car remembers: how fast it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Engine {
    speed_m_per_s: f32,
}

impl Mind for Driver {
    type Senses = ();
    type Brain = Wheel;
    type Motor = Engine;
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, _senses: &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (body, percept) = (&view.me.body, &mut beliefs.percept);
        if !view.is_due(LOOK_EVERY) {
            return;
        }
        percept.begin(view.tick, body.eye());
        let mut scratch = notes.take_scratch::<SightScratch>();
        let SightScratch { sight, outlook, .. } = &mut *scratch;
        if let Some(sight) = Sight::provide(sight, self.lens) {
            self.look(sight, body);
            outlook.read(&sight.view, body.pose.position.y, &GAIT, &[]);
            outlook.tell(percept);
        }
        notes.put_scratch(scratch);
    }

    fn think(&self, view: &ThinkView<'_>, wheel: &mut Wheel, intents: &mut Intents, notes: &mut Notes<'_>) {
        self.take_in(view, wheel, notes);
        let (free, fast) = (wheel.free_m, wheel.speed_m_per_s);
        notes.because(|| Reason { what: "road ahead", held: free > 0.0, value: free, limit: fast });
        let goal = view.beliefs.me.pose.position + plane::lift(wheel.toward * math::max(wheel.free_m, 1.0), 0.0);
        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: wheel.speed_m_per_s, arrive_m: 0.0 });
    }

    fn act(
        &self,
        view: &ActView<'_>,
        engine: &mut Engine,
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let (tick_s, body) = (view.rate.tick_s(), &view.me.body);
        let Some((_, travel)) = view.travel() else { return };
        // What holds the car back holds its speed back.
        let true_speed = plane::ground(body.velocity).length();
        let speed = math::min(engine.speed_m_per_s, true_speed + 2.0);
        let change =
            math::clamp(travel.pace_m_per_s - speed, -self.config.brake_m_per_s2 * tick_s, DRIVE_M_PER_S2 * tick_s);
        engine.speed_m_per_s = math::clamp(speed + change, 0.0, self.config.speed_m_per_s_max);
        // Tires hold so much sideways, and the wheel turns so far.
        let speed = math::max(engine.speed_m_per_s, 0.1);
        let turn = math::min(self.config.grip_m_per_s2 * 1.3 / speed, speed / CIRCLE_M + 0.3) * tick_s;
        let toward = plane::yaw(plane::ground(travel.goal - body.pose.position));
        motion.yaw = math::approach_angle(body.pose.yaw, toward, turn);
        motion.velocity = plane::lift(plane::heading(motion.yaw) * engine.speed_m_per_s, 0.0);
    }
}

impl Driver {
    fn look(&self, sight: &mut Sight, body: &Body) {
        let eye = Eye { position: body.eye(), yaw: body.pose.yaw, pitch: PITCH };
        sight.look(&eye, &self.scenery, &Drawn::new(&self.nothing), MotionMode::Line, 30.0);
    }

    /// Makes up its mind about what its eyes told, if that is news.
    fn take_in(&self, view: &ThinkView<'_>, wheel: &mut Wheel, notes: &mut Notes<'_>) {
        let percept = &view.beliefs.percept;
        if !percept.is_newer(wheel.seen) {
            return;
        }
        wheel.seen = percept.at;
        let mut outlook = notes.take_scratch::<Outlook>();
        outlook.take(percept, &GAIT);
        outlook.recall(&mut wheel.memory);
        let heading = plane::heading(view.beliefs.me.pose.yaw);
        let helm = drive(&outlook, heading, &self.config);
        notes.put_scratch(outlook);
        (wheel.toward, wheel.speed_m_per_s, wheel.free_m) =
            helm.map_or((heading, 1.0, 0.0), |helm| (helm.toward, helm.speed_m_per_s, helm.free_m));
    }
}

/// What never changes.
struct Race {
    mind: Driver,
    level: Level,
    ticks_max: u64,
}

/// What is remembered beside the brain.
#[derive(State)]
struct World {
    bodies: BodySet,
    /// The way around the middle so far, rad.
    around: f32,
    /// Tick at which the last lap began, and the best lap.
    begun: Tick,
    best: Option<u32>,
    laps: u32,
    top_m_per_s: f32,
    driven_m: f32,
    /// Ticks in which the car was held up by something.
    held: u32,
    is_over: bool,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "track.yaml")?;
    let Some(spawn) = level.spawns().first() else {
        let what = "expected at least one spawn".to_owned();
        return Err(SceneError::Asset { name: "track.yaml".to_owned(), line: 0, column: 0, what });
    };
    let mut config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() };
    (config.detail[0].sense_every, config.detail[0].think_every) = (1, 1);
    let mut brains = Loop::<Driver>::new(config, setup.seed);
    let mut random = brains.streams().stream(0, START);
    let pose = spawn.pose;
    let right = plane::lift(plane::heading(pose.yaw - math::FRAC_PI_2), 0.0);
    let position = pose.position + right * random.between(-1.0, 1.0) + Vec3::Y * 0.02;
    let mut bodies = BodySet::new(&level);
    let walker = bodies.add(HostKey(0), 0, Pose { position, ..pose });
    // One key, one finite body: nobody is refused.
    let _ = brains.spawn(AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(0)) });
    let width = setup.settings.whole("width");
    let race = Race {
        mind: Driver {
            config: DriverConfig { speed_m_per_s_max: setup.settings.number("speed_max"), ..DriverConfig::default() },
            scenery: scenery(&level),
            lens: Lens { width, height: width * 3 / 4, fov_y_rad: 1.1, near_m: 0.05, far_m: 80.0 },
            nothing: Solid::default(),
        },
        level,
        ticks_max: RATE.ticks(setup.settings.number("seconds")),
    };
    let world = World {
        bodies,
        around: 0.0,
        begun: Tick(0),
        best: None,
        laps: 0,
        top_m_per_s: 0.0,
        driven_m: 0.0,
        held: 0,
        is_over: false,
    };
    Ok(Box::new(SceneMatch::new(race, brains, world)))
}

impl Race {
    fn note(&self, before: Vec3, world: &mut World, wanted_m_per_s: f32, now: Tick) {
        let Some((_, walker)) = world.bodies.iter().next() else { return };
        let (from, to) = (plane::ground(before), plane::ground(walker.pose.position));
        let speed = plane::ground(walker.velocity).length();
        let turned = math::angle_between(math::atan2(from.y, from.x), math::atan2(to.y, to.x));
        world.around += turned;
        world.driven_m += from.distance(to);
        world.top_m_per_s = math::max(world.top_m_per_s, speed);
        world.held += u32::from(speed < wanted_m_per_s * 0.7 - 0.5);
        let laps = (world.around.abs() / math::TAU) as u32;
        if laps > world.laps {
            let took = now.since(world.begun) as u32;
            world.best = Some(world.best.map_or(took, |best| best.min(took)));
            (world.laps, world.begun) = (laps, now);
        }
    }
}

impl Scene for Race {
    type Mind = Driver;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Race>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        let before = world.bodies.walker(HostKey(0)).map_or(Vec3::ZERO, |walker| walker.pose.position);
        world.bodies.follow(brains, &[CAR]);
        world.bodies.step(&self.level, &[CAR], RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        let wanted =
            brains.agent_of(HostKey(0)).and_then(|agent| brains.motor(agent)).map_or(0.0, |it| it.speed_m_per_s);
        self.note(before, world, wanted, brains.tick());
        world.is_over |= brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        vec![
            Metric::new("laps", world.around.abs() / math::TAU),
            Metric::new("best_lap_s", world.best.map_or(f32::NAN, |ticks| RATE.seconds(ticks.into()))),
            Metric::new("top_m_per_s", world.top_m_per_s),
            Metric::new("driven_m", world.driven_m),
            Metric::new("held_s", RATE.seconds(world.held.into())),
        ]
    }

    fn draw(&self, brains: &Loop<Driver>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        let Some(agent) = brains.agent_of(HostKey(0)) else { return };
        let (Some(presence), Some(wheel)) = (brains.presence(agent), brains.brain(agent)) else { return };
        let (body, car) = (&presence.body, Color::rgb(0xc0_392b));
        let at = body.pose.position;
        let lens = &self.mind.lens;
        let half_angle = math::atan2(lens.width as f32 / 2.0, lens.focal_px());
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        Cone::of(body, half_angle, 9.0).draw(&view, car.alpha(30), Vec3::ZERO, list);
        let to = at + plane::lift(wheel.toward * wheel.free_m, 0.1);
        list.add(Layer::PATHS, car.alpha(200), Shape::Arrow { from: at, to, width_m: 0.2 });
        list.body(presence.key.0, car, at, body.radius_m);
        let nose = at + plane::lift(plane::heading(body.pose.yaw) * 1.6, 0.0);
        list.line(Layer::BODIES, car, at, nose, 0.7);
        let speed = plane::ground(body.velocity).length();
        let laps = world.around.abs() / math::TAU;
        let ink = Color::rgb(0x23_272b);
        let middle = Vec3::new(0.0, 0.0, -5.2);
        list.label(Layer::NAMES, ink, middle, format_args!("{laps:.1} laps, {speed:.0} m/s"));
        if let Some(mut sight) = Sight::new(*lens) {
            self.mind.look(&mut sight, body);
            inset(&sight.view, Vec3::new(-6.0, 0.0, -4.0), 12.0, list);
        }
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        let World { laps, best, bodies, is_over, .. } = view.world;
        let speed = bodies.walker(HostKey(0)).map_or(0.0, |car| plane::ground(car.velocity).length());
        let best = best.map_or_else(|| "none yet".to_owned(), |ticks| format!("{:.1} s", RATE.seconds(ticks.into())));
        let gauges = vec![
            Gauge::new("laps", laps.to_string(), Place::TopLeft),
            Gauge::new("best lap", best.clone(), Place::TopCenter),
            Gauge::new("speed", format!("{speed:.0} m/s"), Place::TopRight),
        ];
        let rows = vec![("laps", laps.to_string()), ("best lap", best)];
        let result = is_over.then(|| ResultCard { title: "Time is up".to_owned(), is_won: None, rows });
        Some(Play { gauges, result, ..Play::default() })
    }

    fn name_of(&self, _world: &World, _agent: &Presence) -> Option<String> {
        Some("car".to_owned())
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }
}

impl Inspectable for Race {
    fn eyesight(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Eyesight> {
        let brains = view.brains;
        let (body, wheel) = (&brains.presence(agent)?.body, brains.brain(agent)?);
        let mut sight = Sight::new(self.mind.lens)?;
        self.mind.look(&mut sight, body);
        let mut seen = Eyesight::of(&sight.view, &Palette::source());
        seen.mark(&sight.view, "target", [body.pose.position + plane::lift(wheel.toward * wheel.free_m, 0.0)]);
        Some(seen)
    }
}
