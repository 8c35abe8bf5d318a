//! `flock`: up to ten thousand birds over a walled meadow, and hawks among them.
//!
//! The hawks are agents of the loop. The birds are not: they decide nothing, and a flock is computed as a whole, in one
//! pass over all of them, while the loop hands every mind one agent at a time and keeps beliefs and intents for each. So
//! birds are points of the world, moved by the scene; they know of the hawks what the host tells, where each of them is.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::index::PointIndex;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::flock::{FlockConfig, FlockScratch, flock};
use sentir_act::mover::limited;
use sentir_level::{Level, LevelView};

use crate::straight_walker::{StraightWalker, WalkerBrain};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
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
    name: "flock",
    title: "A thousand birds and a hawk",
    about: "Birds that start in disorder draw together and fly as one: each keeps off its neighbors, stays with them and \
            takes on their course. Walls turn the flocks about; a hawk parts them, and they close again behind it.",
    controls: None,
    kinds: &[KindLook::new(0, "hawk", Model::Bird)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES],
    settings: SETTINGS,
    assets: &[("meadow.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/meadow.yaml")))],
    rate: RATE,
    ticks_max: 600 * 60,
    trials: &[&["count=150", "seconds=20"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("flock.place");
/// Half the meadow, m.
const FIELD: Vec2 = Vec2::new(60.0, 40.0);
/// Where birds begin to turn away from a wall: this far before it, m, looking so far ahead, s.
const MARGIN_M: f32 = 5.0;
const LOOK_S: f32 = 0.7;
/// How hard they turn, m/s² per m past the margin.
const TURN_PER_S2: f32 = 5.0;
/// Room that is kept to the walls whatever happens, m.
const WALL_M: f32 = 0.5;
/// From where a hawk is fled, m, and how hard at its side, m/s².
const FEAR_M: f32 = 8.0;
const FEAR_M_PER_S2: f32 = 30.0;
/// The speed birds like, and the slowest they fly, m/s.
const CRUISE_M_PER_S: f32 = 5.0;
const SLOW_M_PER_S: f32 = 2.5;
/// Greatest acceleration of all together, m/s².
const PULL_MAX: f32 = 25.0;
/// Ground for each bird at the start, m².
const ROOM_M2: f32 = 2.0;
/// Ticks from one look at the distances to the next.
const LOOK_TICKS: u64 = 15;
/// Ticks until distances count: at first birds are thrown together.
const SETTLE_TICKS: u64 = 300;

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many birds", kind: SettingKind::Whole { min: 1, max: 10_000 }, stock: "1000" },
    Setting { name: "hawks", about: "how many hawks", kind: SettingKind::Whole { min: 0, max: 8 }, stock: "1" },
    Setting {
        name: "view_deg",
        about: "how far to either side of its way a bird sees, degrees",
        kind: SettingKind::Number { min: 10.0, max: 180.0 },
        stock: "135",
    },
    Setting {
        name: "seconds",
        about: "when the match ends, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "60",
    },
];

/// The story of `flock`.
struct Meadow {
    mind: StraightWalker,
    level: Level,
    body: [BodyConfig; 1],
    flock: FlockConfig,
    count: usize,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    /// Length of the mean heading at the start and now, 0..=1.
    polarization: [f32; 2],
    /// Least distance of two birds that was seen once they had settled, m; infinite before.
    apart_min: f32,
    /// Birds that came to the wall itself, over all ticks.
    touches: u32,
    is_over: bool,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
    flock: FlockScratch,
    pulls: Vec<Vec2>,
    hawks: Vec<Vec2>,
    index: PointIndex,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "meadow.yaml")?;
    let mut brains =
        Loop::<StraightWalker>::new(LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() }, setup.seed);
    let mut random = brains.streams().stream(0, PLACE);
    let mut bodies = BodySet::new(&level);
    for number in 0..u64::from(setup.settings.whole("hawks")) {
        let place = Vec2::new(-50.0 + number as f32 * 2.0, -32.0);
        let walker = bodies.add(HostKey(number), 0, Pose { position: plane::lift(place, 0.02), yaw: 0.0 });
        let spec = AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) };
        // To and fro across the meadow; more stops than it comes to.
        let stops = (0..200).map(|_| Vec2::new(random.between(-50.0, 50.0), random.between(-30.0, 30.0))).collect();
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(spec, WalkerBrain { stops });
    }
    let count = setup.settings.whole("count") as usize;
    // As wide as the meadow, but no thinner than flocks can form in.
    let share = math::min((count as f32 * ROOM_M2 / (4.0 * FIELD.x * FIELD.y)).sqrt(), 0.85);
    let reach = FIELD * share;
    let mut spread = |x: f32, y: f32| Vec2::new(random.between(-x, x), random.between(-y, y));
    let positions: Vec<Vec2> = (0..count).map(|_| spread(reach.x, reach.y)).collect();
    let velocities: Vec<Vec2> = (0..count).map(|_| plane::heading(spread(math::PI, 0.0).x) * CRUISE_M_PER_S).collect();
    let flock = FlockConfig {
        radius_m: 4.0,
        view_rad: setup.settings.number("view_deg") / 180.0 * math::PI,
        speed_m_per_s_max: 7.0,
        acceleration_m_per_s2_max: 20.0,
        response_s: 0.25,
        push_m_per_s2: 3.0,
        ..FlockConfig::default()
    };
    let start = polarization(&velocities);
    let world = World {
        bodies,
        positions,
        velocities,
        polarization: [start, start],
        apart_min: f32::INFINITY,
        touches: 0,
        is_over: false,
    };
    let body = [BodyConfig { speed_m_per_s_max: 8.0, ..BodyConfig::default() }];
    let mind = StraightWalker { pace_m_per_s: 8.0, sway_rad: 0.3 };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Box::new(SceneMatch::new(Meadow { mind, level, body, flock, count, ticks_max }, brains, world)))
}

/// Length of the mean heading: 0 in disorder, 1 when all fly one way.
fn polarization(velocities: &[Vec2]) -> f32 {
    let sum: Vec2 = velocities.iter().map(|velocity| plane::direction(*velocity)).sum();
    sum.length() / math::max(velocities.len() as f32, 1.0)
}

/// Turns a bird back from the walls.
fn containment(position: Vec2, velocity: Vec2) -> Vec2 {
    let (ahead, edge) = (position + velocity * LOOK_S, FIELD - Vec2::splat(MARGIN_M));
    let inside = ahead.clamp(-edge, edge);
    (inside - ahead) * TURN_PER_S2
}

/// Drives a bird away from what it fears.
fn flight(position: Vec2, hawks: &[Vec2]) -> Vec2 {
    let fear = |hawk: &Vec2| {
        let way = position - *hawk;
        plane::direction(way) * (FEAR_M_PER_S2 * math::max(1.0 - way.length() / FEAR_M, 0.0))
    };
    hawks.iter().map(fear).sum()
}

impl Meadow {
    /// Moves all birds by a tick.
    fn fly(&self, world: &mut World, pool: &dyn Pool, cache: &mut Cache) {
        let Cache { flock: scratch, pulls, hawks, .. } = cache;
        hawks.clear();
        hawks.extend(world.bodies.iter().map(|(_, walker)| plane::ground(walker.pose.position)));
        flock(&self.flock, &world.positions, &world.velocities, pulls, pool, scratch);
        let (tick_s, wall) = (RATE.tick_s(), FIELD - Vec2::splat(WALL_M));
        for ((position, velocity), pull) in world.positions.iter_mut().zip(&mut world.velocities).zip(&*pulls) {
            let cruise = (plane::direction(*velocity) * CRUISE_M_PER_S - *velocity) / self.flock.response_s;
            let pull = *pull + cruise + containment(*position, *velocity) + flight(*position, hawks);
            let wanted = limited(*velocity + limited(pull, PULL_MAX) * tick_s, self.flock.speed_m_per_s_max);
            let speed = wanted.length();
            // Wings need wind.
            let is_slow = speed < SLOW_M_PER_S && speed > 1e-3;
            *velocity = if is_slow { wanted * (SLOW_M_PER_S / speed) } else { wanted };
            let free = *position + *velocity * tick_s;
            *position = free.clamp(-wall, wall);
            if *position != free {
                world.touches += 1;
                *velocity = (*position - (free - *velocity * tick_s)) / tick_s;
            }
        }
    }
}

/// The least distance of two birds, m; infinite for one.
fn apart_min(positions: &[Vec2], index: &PointIndex) -> f32 {
    let mut least = f32::INFINITY;
    for (number, &position) in (0..).zip(positions) {
        // Whoever is farther than the least so far does not matter.
        index.visit_radius(position, math::min(least, 1.0), |other, squared| {
            if other != number {
                least = math::min(least, squared.sqrt());
            }
        });
    }
    least
}

/// Mean distance to the nearest neighbor, m, and how many groups there are: birds hang together that see each other.
fn grouping(positions: &[Vec2], radius_m: f32) -> (f32, u32) {
    let mut index = PointIndex::default();
    index.build(positions, radius_m, &Serial);
    let (mut nearest, mut groups, mut sum) = (Vec::new(), 0u32, 0.0);
    let mut group_of = vec![u32::MAX; positions.len()];
    let mut open = Vec::new();
    for (number, &position) in positions.iter().enumerate() {
        index.nearest(position, 2, f32::INFINITY, &mut nearest);
        sum += nearest.last().map_or(0.0, |other| other.value.sqrt());
        if group_of[number] == u32::MAX {
            (group_of[number], groups) = (groups, groups + 1);
            open.push(number);
        }
        while let Some(one) = open.pop() {
            index.visit_radius(positions[one], radius_m, |other, _| {
                if group_of[other as usize] == u32::MAX {
                    group_of[other as usize] = group_of[one];
                    open.push(other as usize);
                }
            });
        }
    }
    (sum / math::max(positions.len() as f32, 1.0), groups)
}

impl Scene for Meadow {
    type Mind = StraightWalker;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Meadow>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        self.fly(world, pool, cache);
        if brains.tick().0.is_multiple_of(LOOK_TICKS) && brains.tick().0 > SETTLE_TICKS {
            cache.index.build(&world.positions, self.flock.radius_m, pool);
            world.apart_min = math::min(world.apart_min, apart_min(&world.positions, &cache.index));
        }
        world.polarization[1] = polarization(&world.velocities);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        let is_whole = world.positions.len() == self.count && world.velocities.len() == self.count;
        world.bodies.fits(&self.level) && is_whole
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let (near_m, groups) = grouping(&world.positions, self.flock.radius_m);
        let [start, now] = world.polarization;
        vec![
            Metric::new("neighbor_m", near_m),
            Metric::new("polarization_start", start),
            Metric::new("polarization", now),
            Metric::new("apart_m_min", if world.apart_min.is_finite() { world.apart_min } else { f32::NAN }),
            Metric::new("groups", groups as f32),
            Metric::new("wall_touches", world.touches as f32),
        ]
    }

    fn draw(&self, _: &Loop<StraightWalker>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        sentir_level::draw::draw_on(&view, SCENE.look.ground.tints(), list);
        for (&position, &velocity) in world.positions.iter().zip(&world.velocities) {
            let ahead = plane::direction(velocity);
            let wing = plane::left_of(ahead) * 0.3;
            let corners = [position + ahead * 0.65, position - ahead * 0.45 + wing, position - ahead * 0.45 - wing];
            list.polygon(Layer::BODIES, tint(ahead), corners.map(|corner| plane::lift(corner, 1.5)));
        }
        for (key, walker) in world.bodies.iter() {
            let place = walker.pose.position + Vec3::Y * 2.0;
            list.body(key.0, Color::rgb(0xb8_433f), place, 1.0);
            list.circle(Layer::SENSES, Color::rgb(0xb8_433f).alpha(90), place, FEAR_M, false);
        }
        let at = plane::lift(Vec2::new(0.0, FIELD.y + 2.0), 0.0);
        let [_, now] = world.polarization;
        let ink = Color::rgb(0x23_272b);
        list.label(Layer::NAMES, ink, at, format_args!("{} birds, polarization {now:.2}", world.positions.len()));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Meadow {
    fn reach(&self) -> Reach {
        Reach::legs(2.5)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<StraightWalker>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }
}

/// The color of a course: blue to the east and west, as one turns to the north and south through green and violet.
fn tint(ahead: Vec2) -> Color {
    let channel = |value: f32, low: f32, high: f32| math::lerp(low, high, value * 0.5 + 0.5) as u8;
    let red = channel(ahead.x, 30.0, 170.0);
    let green = channel(ahead.y, 50.0, 140.0);
    let blue = channel(-ahead.x, 70.0, 180.0);
    Color { r: red, g: green, b: blue, a: 255 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    #[test]
    fn birds_in_disorder_come_to_fly_as_one_and_stay_inside() {
        for seed in 1..6 {
            let scene = crate::CATALOG.find("flock").unwrap();
            let changes = [("count", "60"), ("hawks", "0"), ("seconds", "40")];
            let changes = changes.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let mut game =
                scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
            let metric =
                |game: &dyn Match, name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            assert!(metric(&*game, "polarization_start") < 0.3);
            while game.ending().is_none() {
                game.step(&[], &Serial);
                if game.tick().0 == 10 * 60 {
                    let now = metric(&*game, "polarization");
                    assert!(now > 0.7, "{now} after 10 s with seed {seed}");
                }
            }
            let apart = metric(&*game, "apart_m_min");
            assert!(apart > 0.1, "{apart} m apart with seed {seed}");
            assert_eq!((metric(&*game, "wall_touches"), metric(&*game, "groups")), (0.0, 1.0));
        }
    }

    #[test]
    fn birds_turn_back_from_walls_and_flee_hawks() {
        assert_eq!(containment(Vec2::ZERO, Vec2::ONE), Vec2::ZERO);
        let back = containment(Vec2::new(58.0, 0.0), Vec2::new(5.0, 1.0));
        assert!(back.x < -20.0 && back.y == 0.0, "{back}");
        let hawks = [Vec2::ZERO, Vec2::splat(30.0)];
        let (near, far) = (flight(Vec2::new(1.0, 0.0), &hawks), flight(Vec2::new(7.0, 0.0), &hawks));
        assert!(near.x > far.x && far.x > 0.0 && near.y == 0.0);
        assert_eq!(flight(Vec2::new(9.0, 0.0), &hawks), Vec2::ZERO);
    }

    #[test]
    fn groups_are_counted_by_who_sees_whom() {
        let line = |from: f32| (0..5u8).map(move |step| Vec2::new(from + f32::from(step), 0.0));
        let places: Vec<Vec2> = line(0.0).chain(line(20.0)).collect();
        assert_eq!(grouping(&places, 1.5), (1.0, 2));
        assert_eq!(grouping(&places, 0.5).1, 10);
        assert_eq!(grouping(&[], 1.0), (0.0, 0));
        let mut index = PointIndex::default();
        index.build(&places, 1.0, &Serial);
        assert_eq!(apart_min(&places, &index), 1.0);
    }
}
