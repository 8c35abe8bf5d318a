//! `stream`: two thousand people follow one flow field through a town, and a gate on their way shuts and opens.
//!
//! The people are points of the world, moved in one pass: each looks up the field where it stands, keeps off its neighbors
//! and walls, and comes in again in the west when it has arrived in the east. Terrain is state, as the gate changes it; ground
//! and field follow from it, so they are caches. One porter is an agent of the loop and walks against the stream.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::index::PointIndex;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::grid::{AnyAngle, Cell, FlowField, Query, Terrain, UnitGrid};

use super::{Route, Strider, center, change, enter, route, stops, terrain_of, walk};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::Reach;
use sentir_harness::honesty::tamper::{Allowed, Tamper};
use sentir_harness::honesty::truth::TilePlan;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "stream",
    title: "Two thousand through a town",
    about: "One flow field leads two thousand people past houses, through gates and between pillars to the east, and a porter \
            walks against them. Every so often one of the two gates shuts: the field is filled again, and the stream bends to \
            the other one.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[("stream.txt", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/grid/stream.txt")))],
    rate: RATE,
    ticks_max: 600 * 30,
    trials: &[&["count=120", "gate_s=10", "seconds=30"]],
    build,
};

const RATE: TickRate = TickRate::new(30);
const PLACE: Purpose = Purpose::new("stream.place");
/// The columns where one comes in, and from where on one has arrived.
const WEST: [f32; 2] = [2.0, 14.0];
const EAST_X: u16 = 106;
/// Rows where people are, and the gate that shuts: columns and rows.
const ROWS: [f32; 2] = [2.0, 60.0];
const GATE_X: [u16; 2] = [62, 65];
const GATE_Y: [u16; 2] = [13, 21];
const RADIUS_M: f32 = 0.22;
const PACE_M_PER_S: f32 = 2.2;
/// How fast one takes on the wanted velocity, 1/s.
const EASE_PER_S: f32 = 5.0;
/// Neighbors nearer than this are kept off, m, by so much, m/s.
const ROOM_M: f32 = 0.95;
const PUSH_M_PER_S: f32 = 2.6;
/// Nearer than this they are moved apart at once, m.
const APART_M: f32 = 0.5;
/// The porter is given way from so far, m.
const PORTER_M: f32 = 2.2;
/// Where the porter goes to and fro.
const ENDS: [Cell; 2] = [Cell::new(104, 24), Cell::new(6, 31)];

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many people", kind: SettingKind::Whole { min: 1, max: 5000 }, stock: "2000" },
    Setting {
        name: "gate_s",
        about: "how long the gate stays open, and then shut, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "25",
    },
    Setting {
        name: "seconds",
        about: "when the match ends, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "90",
    },
];

struct Town {
    mind: Strider,
    level: Level,
    goals: Vec<Cell>,
    count: usize,
    gate_ticks: u64,
    ticks_max: u64,
}

#[derive(State)]
struct World {
    level: LevelState,
    terrain: Terrain,
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    /// Of the porter.
    places: Vec<Vec2>,
    arrivals: u32,
    /// Pushed out of walls, over all ticks.
    touches: u32,
    is_over: bool,
}

#[derive(Default)]
struct Cache {
    ground: Option<UnitGrid>,
    field: FlowField,
    filled: Option<u64>,
    index: PointIndex,
    wanted: Vec<Vec2>,
    /// By how much each is moved apart from those too near.
    shoves: Vec<Vec2>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "stream.txt")?;
    let (terrain, ground) = terrain_of(&level, "stream.txt")?;
    let config = LoopConfig { index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Strider>::new(config, setup.seed);
    let mut random = brains.streams().stream(0, PLACE);
    let count = setup.settings.whole("count") as usize;
    let mut positions = Vec::with_capacity(count);
    for _ in 0..100 * count {
        // A wide start, so that the stream is there from the beginning.
        let place = Vec2::new(random.between(WEST[0], 60.0), random.between(ROWS[0], ROWS[1]));
        if positions.len() < count && ground.is_free(Cell::new(place.x as u16, place.y as u16)) {
            positions.push(place);
        }
    }
    positions.resize(count, Vec2::new(WEST[0], 30.0));
    let mut places = Vec::new();
    let [from, to] = ENDS;
    let there = way(&ground, from, to);
    // To and fro, more often than time allows.
    let back: Vec<Vec2> = there.iter().rev().skip(1).copied().chain([center(Vec2::ZERO, from)]).collect();
    let round: Vec<Vec2> = back.iter().rev().chain(&there).copied().collect();
    let stops = std::iter::repeat_n(round, 20).flatten().collect();
    enter(&mut brains, &mut places, center(Vec2::ZERO, from), Route { stops, ..Route::default() });
    let height = ground.height() as u16;
    let goals = (0..height).map(|y| Cell::new(EAST_X, y)).filter(|&cell| ground.is_free(cell)).collect();
    let world = World {
        level: LevelState::new(&level),
        terrain,
        velocities: vec![Vec2::ZERO; count],
        positions,
        places,
        arrivals: 0,
        touches: 0,
        is_over: false,
    };
    let mind = Strider { ground, origin: Vec2::ZERO, pace_m_per_s: 1.5 };
    let gate_ticks = RATE.ticks(setup.settings.number("gate_s")).max(1);
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Box::new(SceneMatch::new(Town { mind, level, goals, count, gate_ticks, ticks_max }, brains, world)))
}

/// The stops of a taut way, the next one last.
fn way(ground: &UnitGrid, from: Cell, to: Cell) -> Vec<Vec2> {
    stops(Vec2::ZERO, AnyAngle::default().query(ground, &Query::new(from, to)).path)
}

/// Pushes a disc out of the blocked cells around it. Whether it was in one.
fn push_out(ground: &UnitGrid, position: &mut Vec2) -> bool {
    let mut is_touched = false;
    let (x, y) = (position.x.floor() as i32, position.y.floor() as i32);
    for (dx, dy) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let (Ok(near_x), Ok(near_y)) = (u16::try_from(x.saturating_add(dx)), u16::try_from(y.saturating_add(dy)))
        else {
            continue;
        };
        if ground.is_free(Cell::new(near_x, near_y)) {
            continue;
        }
        let low = Vec2::new(f32::from(near_x), f32::from(near_y));
        let nearest = position.clamp(low, low + Vec2::ONE);
        let off = *position - nearest;
        let distance = off.length();
        if distance > 1e-4 && distance < RADIUS_M {
            *position = nearest + off * (RADIUS_M / distance);
            is_touched = true;
        }
    }
    is_touched
}

impl Town {
    /// Shuts or opens the gate when it is time.
    fn turn_gate(&self, tick: Tick, world: &mut World) {
        if tick.0 == 0 || !tick.0.is_multiple_of(self.gate_ticks) {
            return;
        }
        let is_shut = (tick.0 / self.gate_ticks) % 2 == 1;
        for y in GATE_Y[0]..GATE_Y[1] {
            let cell = Cell::new(usize::midpoint(GATE_X[0].into(), GATE_X[1].into()) as u16, y);
            if is_shut {
                world.terrain.block(cell)
            } else {
                world.terrain.unblock(cell)
            };
        }
    }

    /// Brings ground and field up to date.
    fn follow(&self, world: &World, cache: &mut Cache) {
        let ground = cache.ground.get_or_insert_with(|| self.mind.ground.clone());
        ground.follow(&world.terrain);
        if cache.filled != Some(ground.version()) {
            cache.field.fill(ground, &self.goals, u32::MAX);
            cache.filled = Some(ground.version());
        }
    }

    /// What everybody wants: along the field, off the others and off the porter.
    fn wish(&self, world: &World, pool: &dyn Pool, cache: &mut Cache) {
        let Cache { field, index, wanted, shoves, .. } = cache;
        index.build(&world.positions, 1.0, pool);
        wanted.clear();
        shoves.clear();
        for (number, &position) in (0..).zip(&world.positions) {
            let (mut push, mut shove) = (Vec2::ZERO, Vec2::ZERO);
            index.visit_radius(position, ROOM_M, |other, squared| {
                if other != number && squared > 1e-6 {
                    let distance = squared.sqrt();
                    let away = (position - world.positions[other as usize]) / distance;
                    push += away * (1.0 - distance / ROOM_M);
                    shove += away * (0.4 * math::max(APART_M - distance, 0.0));
                }
            });
            for porter in &world.places {
                let way = position - *porter;
                push += plane::direction(way) * (2.0 * math::max(1.0 - way.length() / PORTER_M, 0.0));
            }
            shoves.push(sentir_act::mover::limited(shove, 0.15));
            let along = field.direction(position) * PACE_M_PER_S;
            wanted.push(sentir_act::mover::limited(along + push * PUSH_M_PER_S, 1.3 * PACE_M_PER_S));
        }
    }

    /// Moves everybody by a tick.
    fn flow(&self, tick: Tick, streams: Streams, world: &mut World, cache: &Cache) {
        let Some(ground) = &cache.ground else { return };
        let tick_s = RATE.tick_s();
        for (number, &wanted) in cache.wanted.iter().enumerate() {
            let (velocity, old) = (&mut world.velocities[number], world.positions[number]);
            *velocity += (wanted - *velocity) * math::min(EASE_PER_S * tick_s, 1.0);
            let mut new = old + *velocity * tick_s + cache.shoves[number];
            let is_touched = push_out(ground, &mut new);
            world.touches += u32::from(is_touched);
            let cell = Cell::new(new.x as u16, new.y as u16);
            // No step is so long as to cross a cell; who stands where a gate shut backs out to the west.
            if !ground.is_free(Cell::new(old.x as u16, old.y as u16)) {
                new = old - Vec2::X * (PACE_M_PER_S * tick_s);
            } else if !ground.is_free(cell) {
                new = old;
            }
            *velocity = (new - old) / tick_s;
            world.positions[number] = new;
            if new.x >= f32::from(EAST_X) {
                world.arrivals += 1;
                let mut random = streams.at(number as u64, PLACE, tick);
                world.positions[number] = Vec2::new(random.between(WEST[0], WEST[1]), random.between(ROWS[0], ROWS[1]));
            }
        }
    }
}

impl Scene for Town {
    type Mind = Strider;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Town>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let tick = brains.tick();
        self.turn_gate(tick, world);
        self.follow(world, cache);
        let view = LevelView { level: &self.level, state: &world.level };
        brains.step(&self.mind, &view, pool, scratch);
        walk(brains, &mut world.places, RATE);
        self.wish(world, pool, cache);
        self.flow(tick, brains.streams(), world, cache);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        let is_whole = world.positions.len() == self.count && world.velocities.len() == self.count;
        let (width, height) = (self.mind.ground.width(), self.mind.ground.height());
        let is_here = world.terrain.fits(width, height) && world.places.len() == 1;
        world.level.fits(&self.level) && is_whole && is_here
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let count = math::max(self.count as f32, 1.0);
        let speed: f32 = world.velocities.iter().map(|velocity| velocity.length()).sum::<f32>() / count;
        vec![
            Metric::new("arrivals", world.arrivals as f32),
            Metric::new("speed_m_per_s", speed),
            Metric::new("wall_touches", world.touches as f32),
        ]
    }

    fn draw(&self, brains: &Loop<Strider>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.level }, list);
        let gate = Cell::new(u16::midpoint(GATE_X[0], GATE_X[1]), GATE_Y[0]);
        if world.terrain.is_obstacle(gate) {
            let [west, east] = GATE_X.map(|x| f32::from(x) + 0.6);
            let [south, north] = GATE_Y.map(f32::from);
            let corners = [(west, south), (east - 1.2, south), (east - 1.2, north), (west, north)];
            list.polygon(Layer::LEVEL, Color::rgb(0x8f_5a3c), corners.map(|(x, y)| plane::lift(Vec2::new(x, y), 0.1)));
        }
        for (&position, &velocity) in world.positions.iter().zip(&world.velocities) {
            list.circle(Layer::BODIES, tint(velocity), plane::lift(position, 0.2), RADIUS_M + 0.05, true);
        }
        for (key, &place) in (0..).zip(&world.places) {
            list.body(key, Color::rgb(0xb8_433f), plane::lift(place, 0.3), 0.6);
        }
        if let Some(route) = route(brains, 0)
            && let (Some(&next), Some(&place)) = (route.stops.last(), world.places.first())
        {
            list.line(
                Layer::PATHS,
                Color::rgb(0xb8_433f).alpha(120),
                plane::lift(place, 0.1),
                plane::lift(next, 0.1),
                0.12,
            );
        }
        let at = plane::lift(Vec2::new(55.0, 63.5), 0.0);
        let (count, arrivals) = (self.count, world.arrivals);
        list.label(Layer::NAMES, Color::rgb(0x23_272b), at, format_args!("{count} people, {arrivals} arrived"));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Town {
    fn reach(&self) -> Reach {
        Reach::legs(0.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.level }
    }

    fn change(&self, brains: &mut Loop<Strider>, world: &mut World, tamper: &Tamper) -> bool {
        change(brains, &mut world.places, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::LISTED
    }

    fn plan(&self) -> Option<TilePlan<'_>> {
        Some(TilePlan { ground: &self.mind.ground, origin: self.mind.origin, obstacles: None })
    }
}

/// Blue on the way, amber where one is held up.
fn tint(velocity: Vec2) -> Color {
    let pace = math::saturate(velocity.length() / PACE_M_PER_S);
    let channel = |slow: f32, fast: f32| math::lerp(slow, fast, pace) as u8;
    Color { r: channel(208.0, 47.0), g: channel(130.0, 93.0), b: channel(40.0, 150.0), a: 255 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    #[test]
    fn people_arrive_and_nobody_stands_in_a_wall_but_where_the_gate_shut() {
        let scene = crate::CATALOG.find("stream").unwrap();
        let changes = [("count", "300"), ("seconds", "60"), ("gate_s", "100")];
        let changes = changes.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut game = scene.start(&scene.setup(3, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
        while game.ending().is_none() {
            game.step(&[], &Serial);
        }
        let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
        assert!(metric("arrivals") > 250.0, "{:?}", game.metrics());
    }

    #[test]
    fn a_disc_is_pushed_out_of_a_wall_by_the_short_way() {
        let scene = crate::CATALOG.find("stream").unwrap();
        let level = level_asset(&scene.setup(1, Changes::default()).unwrap(), "stream.txt").unwrap();
        let (_, ground) = terrain_of(&level, "stream.txt").unwrap();
        let (mut near, mut free) = (Vec2::new(1.1, 30.0), Vec2::new(1.5, 30.0));
        assert!(push_out(&ground, &mut near) && near == Vec2::new(1.0 + RADIUS_M, 30.0));
        assert!(!push_out(&ground, &mut free));
    }
}
