//! `locomotion`: four bodies, one steering. Each quarter of the yard has the same goals; what differs is what a body can do.

mod look;
mod mind;

use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Locomotion;
use sentir_act::locomotion::{BipedConfig, CarConfig, PointMassConfig, TurretConfig};
use sentir_act::steer::Deceleration;
use sentir_level::{Level, LevelView};

use mind::{Driver, WalkerBrain};
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
    name: "locomotion",
    title: "Four bodies, one steering",
    about: "A point mass, a person, a car and a tracked hull with a turret drive to the same goals, one after the other, \
            with the very same steering. The mass goes straight, the person turns and strafes while it watches the post, the car \
            takes several legs to what lies beside or behind it, the hull turns on the spot under a turret that never \
            leaves the post.",
    controls: None,
    kinds: &[
        KindLook::new(0, "point mass", Model::Ball),
        KindLook::new(1, "person", Model::Person),
        KindLook::new(2, "car", Model::Car),
        KindLook::new(3, "tracked hull", Model::Tank),
    ],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[("lanes.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/crowd/lanes.yaml")))],
    rate: RATE,
    ticks_max: 180 * 60,
    trials: &[&["radius_m=3"], &["stop=fast"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("locomotion.place");
/// Middle of each quarter.
const QUARTERS: [Vec2; 4] =
    [Vec2::new(-11.0, 8.5), Vec2::new(11.0, 8.5), Vec2::new(-11.0, -8.5), Vec2::new(11.0, -8.5)];
/// Where everybody starts, looking north, as seen from the middle of its quarter.
const START: Vec2 = Vec2::new(-7.0, -4.5);
/// The goals: ahead, round a bend, one meter beside, straight behind, and round two more bends.
const GOALS: [Vec2; 6] = [
    Vec2::new(-7.0, 4.0),
    Vec2::new(6.0, 4.0),
    Vec2::new(6.0, 3.0),
    Vec2::new(-3.0, 3.0),
    Vec2::new(-3.0, -4.5),
    Vec2::new(6.0, -4.5),
];
/// Points of a trail at most; older ones go.
const TRAIL_MAX: usize = 600;
/// Distance of two points of a trail, m.
const TRAIL_STEP_M: f32 = 0.2;
/// Distance of the points by which curvature is measured, m: long enough for what quantized controls leave of an arc.
const ARC_STEP_M: f32 = 0.8;

const SETTINGS: &[Setting] = &[
    Setting {
        name: "radius_m",
        about: "the car's tightest turn, m",
        kind: SettingKind::Number { min: 1.0, max: 5.0 },
        stock: "3.5",
    },
    Setting {
        name: "stop",
        about: "how gently all of them come to a stop",
        kind: SettingKind::Choice(&["slow", "normal", "fast"]),
        stock: "normal",
    },
    Setting {
        name: "seconds",
        about: "when the match ends at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 180.0 },
        stock: "120",
    },
];

/// The story of `locomotion`.
struct Course {
    mind: Driver,
    level: Level,
    body: [BodyConfig; 4],
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    /// By body, as are the tracks.
    goals: Vec<Vec2>,
    tracks: Vec<Track>,
    is_over: bool,
}

/// What one body did so far.
#[derive(Clone, Debug, Default, PartialEq, State)]
struct Track {
    /// The last points, the oldest at `oldest` once the trail is full.
    trail: Vec<Vec2>,
    oldest: u32,
    /// Places on one arc, the newest last, and how many of them there are.
    arc: [Vec2; 3],
    arc_len: u8,
    /// Whether it rolled backward last.
    is_back: bool,
    /// Changes between forward and backward.
    gears: u32,
    /// When it was at its last goal, s; NaN before.
    finish_s: f32,
    /// One over the radius of its tightest bend, 1/m.
    curvature_max: f32,
    /// Fastest to the side, m/s.
    strafe_max: f32,
    /// How far the turret was off the post at the worst, once it had found it, rad.
    off_max: f32,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "lanes.yaml")?;
    let mut brains =
        Loop::<Driver>::new(LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    let car = CarConfig { radius_m_min: setup.settings.number("radius_m"), ..CarConfig::default() };
    let kinds = [
        Locomotion::PointMass(PointMassConfig::default()),
        Locomotion::Biped(BipedConfig::default()),
        Locomotion::Car(car),
        Locomotion::Turret(TurretConfig::default()),
    ];
    // A little different every time, and the same for all four.
    let mut jitter = |place: Vec2| place + Vec2::new(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
    let goals = GOALS.map(&mut jitter);
    for (key, middle) in (0..).zip(QUARTERS) {
        let pose = Pose { position: plane::lift(middle + START, 0.02), yaw: 0.0 };
        let walker = bodies.add(HostKey(key), key as u8, pose);
        let spec = AgentSpec { body: walker.body(), kind: key as u16, ..AgentSpec::new(HostKey(key)) };
        let stops = goals.iter().rev().map(|goal| middle + *goal).collect();
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(spec, WalkerBrain { stops, watched: middle });
    }
    let deceleration = match setup.settings.word("stop") {
        "slow" => Deceleration::Slow,
        "fast" => Deceleration::Fast,
        _ => Deceleration::Normal,
    };
    // The body solver takes whatever locomotion decides.
    let body = kinds.map(|kind| {
        let mover = kind.mover(&sentir_act::LocomotionState::default());
        BodyConfig {
            radius_m: mover.at.radius_m,
            speed_m_per_s_max: mover.speed_m_per_s_max * 1.05,
            acceleration_m_per_s2: 1000.0,
            turn_rad_per_s_max: 1000.0,
            stand_m: 2.2,
            ..BodyConfig::default()
        }
    });
    let track = Track { finish_s: f32::NAN, ..Track::default() };
    let world = World { bodies, goals: goals.to_vec(), tracks: vec![track; kinds.len()], is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Box::new(SceneMatch::new(
        Course { mind: Driver { kinds, deceleration }, level, body, ticks_max },
        brains,
        world,
    )))
}

impl Track {
    /// Notes where a body is now, how it points and moves.
    fn note(&mut self, place: Vec2, yaw: f32, velocity: Vec2) {
        if self.newest().is_none_or(|last| last.distance(place) >= TRAIL_STEP_M) {
            if self.trail.len() < TRAIL_MAX {
                self.trail.push(place);
            } else if let Some(oldest) = self.trail.get_mut(self.oldest as usize) {
                *oldest = place;
                self.oldest = (self.oldest + 1) % TRAIL_MAX as u32;
            }
        }
        let ahead = plane::heading(yaw);
        let (along, aside) = (velocity.dot(ahead), velocity.dot(plane::left_of(ahead)));
        self.strafe_max = math::max(self.strafe_max, aside.abs());
        if along.abs() > 0.15 && (along < 0.0) != self.is_back {
            (self.is_back, self.arc_len) = (along < 0.0, 0);
            self.gears += 1;
        }
        let [_, middle, last] = self.arc;
        if self.arc_len == 0 || last.distance(place) >= ARC_STEP_M {
            self.arc = [middle, last, place];
            self.arc_len = (self.arc_len + 1).min(3);
            if self.arc_len == 3 {
                let [a, b, c] = self.arc;
                let sides = a.distance(b) * b.distance(c) * c.distance(a);
                self.curvature_max = math::max(self.curvature_max, 2.0 * plane::side(a, b, c).abs() / sides);
            }
        }
    }

    fn newest(&self) -> Option<Vec2> {
        let newest = (self.oldest as usize + self.trail.len()).checked_sub(1)?;
        self.trail.get(newest % self.trail.len().max(1)).copied()
    }

    /// The trail, oldest point first.
    fn points(&self) -> impl Iterator<Item = Vec2> {
        let (new, old) = self.trail.split_at((self.oldest as usize).min(self.trail.len()));
        old.iter().chain(new).copied()
    }
}

impl Scene for Course {
    type Mind = Driver;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Course>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, cache);
        world.bodies.observe(brains);
        let now_s = RATE.seconds(brains.tick().0);
        for (((key, walker), track), middle) in world.bodies.iter().zip(&mut world.tracks).zip(QUARTERS) {
            let place = plane::ground(walker.pose.position);
            track.note(place, walker.pose.yaw, plane::ground(walker.velocity));
            let Some(agent) = brains.agent_of(key) else { continue };
            if track.finish_s.is_nan() && brains.brain(agent).is_some_and(|errand| errand.stops.is_empty()) {
                track.finish_s = now_s;
            }
            if let Some(motor) = brains.motor(agent).filter(|_| now_s > 2.0) {
                let off = math::angle_between(motor.stride.turret_yaw, plane::yaw(middle - place)).abs();
                track.off_max = math::max(track.off_max, off);
            }
        }
        let is_done = world.tracks.iter().all(|track| !track.finish_s.is_nan());
        world.is_over = is_done || brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level) && world.tracks.len() == self.body.len() && world.bodies.len() == self.body.len()
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let is_done = world.tracks.iter().all(|track| !track.finish_s.is_nan());
        world.is_over.then_some(if is_done { "all there" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let [mass, biped, car, turret] = world.tracks.as_slice() else { return Vec::new() };
        vec![
            Metric::new("point_mass_s", mass.finish_s),
            Metric::new("biped_s", biped.finish_s),
            Metric::new("car_s", car.finish_s),
            Metric::new("turret_s", turret.finish_s),
            Metric::new("car_curvature_per_m_max", car.curvature_max),
            Metric::new("car_gear_changes", car.gears as f32),
            Metric::new("car_slide_m_per_s_max", car.strafe_max),
            Metric::new("biped_strafe_m_per_s_max", biped.strafe_max),
            Metric::new("turret_off_rad_max", turret.off_max),
        ]
    }

    fn draw(&self, brains: &Loop<Driver>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        look::draw(brains, world, list);
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Course {
    fn reach(&self) -> Reach {
        // Hulls are wide.
        Reach::legs(4.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Driver>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    fn played(radius_m: &str, stop: &str) -> Vec<Metric> {
        let scene = crate::CATALOG.find("locomotion").unwrap();
        let changes = [("radius_m", radius_m), ("stop", stop)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut game = scene.start(&scene.setup(5, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
        while game.ending().is_none() {
            game.step(&[], &Serial);
        }
        assert_eq!(game.ending(), Some("all there"), "{:?}", game.metrics());
        game.metrics()
    }

    #[test]
    fn one_steering_brings_four_bodies_home_each_in_its_own_way() {
        for (radius_m, stop) in [("3.5", "slow"), ("3.5", "normal"), ("3.5", "fast"), ("2", "normal")] {
            let metrics = played(radius_m, stop);
            let metric = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value;
            let limit = 1.0 / radius_m.parse::<f64>().unwrap();
            let tightest = metric("car_curvature_per_m_max");
            assert!(tightest > limit * 0.7 && tightest < limit * 1.06, "{tightest} for {limit} per m");
            // A chord lies half a tick of the turn off the heading; controls are quantized.
            assert!(metric("car_slide_m_per_s_max") < 0.15, "{}", metric("car_slide_m_per_s_max"));
            let changes = metric("car_gear_changes");
            assert!((4.0..=12.0).contains(&changes), "what is beside and behind takes maneuvers, but few: {changes}");
            assert!(metric("biped_strafe_m_per_s_max") > 1.0);
            assert!(metric("turret_off_rad_max") < 0.15);
            assert!(metric("point_mass_s") < metric("car_s"));
        }
    }

    #[test]
    fn a_trail_keeps_its_newest_points_in_order() {
        let mut track = Track::default();
        for step in 0..2000u16 {
            track.note(Vec2::new(f32::from(step) * 0.25, 0.0), 0.0, Vec2::ZERO);
        }
        let points: Vec<Vec2> = track.points().collect();
        assert_eq!(points.len(), TRAIL_MAX);
        assert!(points.windows(2).all(|pair| pair[0].x < pair[1].x));
        assert_eq!(
            (points.last().copied(), track.newest()),
            (Some(Vec2::new(499.75, 0.0)), Some(Vec2::new(499.75, 0.0)))
        );
    }
}
