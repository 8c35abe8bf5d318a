//! `maze`: every search of the grid on the same query, side by side, with as many expansions a second each.
//!
//! What a panel shows is computed when it is drawn, by running its search with the budget of that moment: a search is capped,
//! never suspended. When the budget suffices, its walker sets out.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::core::glam::UVec2;
use sentir_nav::grid::{Cell, Cost, Query, Terrain, Unit};

use super::panel::{NAMES, Progress, run};
use super::{Notice, Route, Strider, center, change, draw_path, enter, ground_of, route, stops, walk};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::Reach;
use sentir_harness::honesty::tamper::{Allowed, Tamper};
use sentir_harness::honesty::truth::TilePlan;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_of,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "maze",
    title: "Eight searches, one maze",
    about: "Every search on the same query at the same rate of expansions: shaded cells were taken from the open list so far, and \
            counted beside the name. \
            Who has found a way sets out. Jump points and the hierarchy need few, Dijkstra and the flow field look everywhere, \
            LRTA* walks while it searches.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[],
    rate: RATE,
    ticks_max: 600 * 60,
    trials: &[&[], &["loops=60", "rate=900"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const CARVE: Purpose = Purpose::new("maze.carve");
/// Cells of the maze: odd, so that walls lie between.
const SIZE: [u16; 2] = [41, 31];
/// From one panel to the next, m.
const STRIDE: [f32; 2] = [44.0, 37.0];
const PACE_M_PER_S: f32 = 12.0;
const WALL: Color = Color::rgb(0x4a_4f55);
const SEEN: Color = Color::rgb(0xe0_a84a);
const WAY: Color = Color::rgb(0x2f_5d8a);
/// Two minutes are enough for the slowest search and walker.
const OVER_TICKS: u64 = 120 * 60;

const SETTINGS: &[Setting] = &[
    Setting {
        name: "loops",
        about: "how many in a hundred walls are taken out again, so that there is more than one way",
        kind: SettingKind::Whole { min: 0, max: 100 },
        stock: "25",
    },
    Setting {
        name: "rate",
        about: "expansions a second of each search",
        kind: SettingKind::Whole { min: 1, max: 10_000 },
        stock: "120",
    },
];

/// A level for the test of [`honesty`](sentir_harness::honesty) alone: all that counts here is the terrain.
const FLOOR: &str = "name: maze\nsolids:\n  - slab: { outline: [[0, 0], [1, 0], [1, 1], [0, 1]], thickness_m: 0.5 }\n";

struct Maze {
    mind: Strider,
    /// Without walls of its own, and as it always stands.
    level: (Level, LevelState),
    terrain: Terrain,
    /// Each search with all the budget it needs.
    results: Vec<Progress>,
    rate: u32,
}

#[derive(State)]
struct World {
    places: Vec<Vec2>,
    /// When each set out and arrived, ticks.
    left: Vec<Option<u64>>,
    arrived: Vec<Option<u64>>,
    is_over: bool,
}

/// A maze by depth first, then some walls less.
fn carve(random: &mut Stream, loops: u32) -> Vec<u8> {
    let [width, height] = SIZE.map(usize::from);
    let mut tags = vec![1u8; width * height];
    let mut stack = vec![(1usize, 1usize)];
    tags[width + 1] = 0;
    while let Some(&(x, y)) = stack.last() {
        let around = [(x + 2, y), (x.wrapping_sub(2), y), (x, y + 2), (x, y.wrapping_sub(2))];
        let is_new = |&(x, y): &(usize, usize)| x < width && y < height && tags[y * width + x] == 1;
        let open: Vec<(usize, usize)> = around.into_iter().filter(is_new).collect();
        let Some(&(next_x, next_y)) = random.pick(&open) else {
            stack.pop();
            continue;
        };
        tags[next_y * width + next_x] = 0;
        tags[usize::midpoint(y, next_y) * width + usize::midpoint(x, next_x)] = 0;
        stack.push((next_x, next_y));
    }
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            if tags[y * width + x] == 1 && random.below(100) < loops {
                tags[y * width + x] = 0;
            }
        }
    }
    tags
}

fn origin(number: usize) -> Vec2 {
    Vec2::new((number % 4) as f32 * STRIDE[0], (1 - number / 4) as f32 * STRIDE[1])
}

fn query(expansions_max: u32) -> Query {
    let [width, height] = SIZE;
    Query { start: Cell::new(1, 1), goal: Cell::new(width - 2, height - 2), expansions_max }
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let config = LoopConfig { index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Strider>::new(config, setup.seed);
    let mut random = brains.streams().stream(0, CARVE);
    let tags = carve(&mut random, setup.settings.whole("loops"));
    let refused = |error: sentir_nav::grid::GridError| super::refused(&error, "maze");
    let names = vec!["floor".to_owned(), "wall".to_owned()];
    let terrain = Terrain::build(SIZE[0].into(), SIZE[1].into(), names, tags).map_err(refused)?;
    let unit = Unit { name: "walker".to_owned(), costs: vec![Cost::Times(1), Cost::Impassable] };
    let ground = ground_of(&terrain, &unit, "maze")?;
    let results: Vec<Progress> =
        (0..NAMES.len()).map(|number| run(number, &terrain, &ground, &query(u32::MAX))).collect();
    let mut places = Vec::new();
    for (number, result) in results.iter().enumerate() {
        // Stops are handed over when the search is done; room for them is made now.
        let stops = Vec::with_capacity(result.path.len());
        enter(&mut brains, &mut places, center(origin(number), Cell::new(1, 1)), Route { stops, ..Route::default() });
    }
    let world = World { places, left: vec![None; NAMES.len()], arrived: vec![None; NAMES.len()], is_over: false };
    let mind = Strider { ground, origin: Vec2::ZERO, pace_m_per_s: PACE_M_PER_S };
    let level = level_of(FLOOR, "maze.yaml")?;
    let fresh = LevelState::new(&level);
    let (rate, level) = (setup.settings.whole("rate"), (level, fresh));
    Ok(Box::new(SceneMatch::new(Maze { mind, level, terrain, results, rate }, brains, world)))
}

impl Maze {
    /// The budget at a tick.
    fn budget(&self, tick: Tick) -> u32 {
        let count = tick.0 * u64::from(self.rate) / u64::from(RATE.hz());
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

impl Scene for Maze {
    type Mind = Strider;
    type World = World;
    type Cache = ();

    fn step(&self, moment: StepContext<'_, Maze>) {
        let StepContext { brains, world, pool, scratch, .. } = moment;
        let (tick, budget) = (brains.tick(), self.budget(brains.tick()));
        for (number, result) in self.results.iter().enumerate() {
            if world.left[number].is_none() && budget > result.expanded {
                world.left[number] = Some(tick.0);
                if let Some(agent) = brains.agent_of(HostKey(number as u64)) {
                    for stop in stops(origin(number), &result.path) {
                        brains.notify(agent, Notice::Stop(stop));
                    }
                }
            }
        }
        brains.step(&self.mind, &Open, pool, scratch);
        walk(brains, &mut world.places, RATE);
        for number in 0..self.results.len() {
            let is_done = route(brains, number as u64).is_some_and(|route| route.is_done);
            if is_done && world.arrived[number].is_none() {
                world.arrived[number] = Some(brains.tick().0);
            }
        }
        let is_through = world.arrived.iter().all(Option::is_some);
        world.is_over = is_through || brains.tick().0 >= OVER_TICKS;
    }

    fn fits(&self, world: &World) -> bool {
        [world.places.len(), world.left.len(), world.arrived.len()] == [NAMES.len(); 3]
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let is_through = world.arrived.iter().all(Option::is_some);
        world.is_over.then_some(if is_through { "all arrived" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        const EXPANDED: [&str; 8] = [
            "astar_expanded",
            "dijkstra_expanded",
            "jump_expanded",
            "angle_expanded",
            "hierarchy_expanded",
            "dstar_expanded",
            "flow_expanded",
            "lrta_expanded",
        ];
        const CELLS: [&str; 8] = [
            "astar_cells",
            "dijkstra_cells",
            "jump_cells",
            "angle_cells",
            "hierarchy_cells",
            "dstar_cells",
            "flow_cells",
            "lrta_cells",
        ];
        const TIMES: [&str; 8] =
            ["astar_s", "dijkstra_s", "jump_s", "angle_s", "hierarchy_s", "dstar_s", "flow_s", "lrta_s"];
        let seconds = |end: Option<u64>| end.map_or(f32::NAN, |tick| RATE.seconds(tick));
        let mut metrics = Vec::new();
        for (number, result) in self.results.iter().enumerate() {
            metrics.push(Metric::new(EXPANDED[number], result.expanded as f32));
            metrics.push(Metric::new(CELLS[number], result.cost as f32));
            metrics.push(Metric::new(TIMES[number], seconds(world.arrived[number])));
        }
        metrics
    }

    fn draw(&self, brains: &Loop<Strider>, world: &World, list: &mut DrawList) {
        let (ground, size) = (&self.mind.ground, UVec2::new(SIZE[0].into(), SIZE[1].into()));
        let cell_of = |index: u32| Cell::new((index % size.x) as u16, (index / size.x) as u16);
        let walls: Vec<f32> =
            (0..size.x * size.y).map(|index| f32::from(u8::from(!ground.is_free(cell_of(index))))).collect();
        let budget = self.budget(brains.tick());
        // Room for the labels over the upper panels.
        let top = plane::lift(origin(0) + Vec2::new(0.0, 38.0), 0.0);
        list.line(Layer::LEVEL, WALL.alpha(0), top, top + Vec3::X, 0.1);
        for (number, name) in NAMES.iter().enumerate() {
            let (origin, result) = (origin(number), &self.results[number]);
            let is_done = budget > result.expanded;
            let now = if is_done { None } else { Some(run(number, &self.terrain, ground, &query(budget))) };
            let now = now.as_ref().unwrap_or(result);
            let mut seen = vec![0.0; walls.len()];
            for cell in &now.cells {
                seen[usize::from(cell.y) * size.x as usize + usize::from(cell.x)] = 1.0;
            }
            list.heat(Layer::LEVEL, WALL, plane::lift(origin, 0.0), 1.0, size, &walls);
            list.heat(Layer::SENSES, SEEN.alpha(150), plane::lift(origin, 0.02), 1.0, size, &seen);
            let color = if is_done { WAY } else { WAY.alpha(110) };
            draw_path(list, color, origin, &now.path, 0.3);
            let goal = plane::lift(center(origin, query(0).goal), 0.1);
            list.circle(Layer::PATHS, Color::rgb(0x3d_7a4a), goal, 0.9, false);
            list.body(number as u64, Color::rgb(0xb8_433f), plane::lift(world.places[number], 0.2), 0.6);
            let at = plane::lift(origin + Vec2::new(20.5, 33.0), 0.0);
            let (work, cost) = (now.expanded.min(budget), now.cost);
            let ink = Color::rgb(0x23_272b);
            if is_done {
                list.label(Layer::NAMES, ink, at, format_args!("{name}: {work}, {cost:.1} cells"));
            } else {
                list.label(Layer::NAMES, ink, at, format_args!("{name}: {work}"));
            }
        }
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Maze {
    fn reach(&self) -> Reach {
        Reach::legs(0.0)
    }

    fn level<'a>(&'a self, _: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level.0, state: &self.level.1 }
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

#[cfg(test)]
mod tests {
    use sentir_harness::info::Changes;

    #[test]
    fn searches_agree_in_length_and_differ_in_work() {
        let scene = crate::CATALOG.find("maze").unwrap();
        for seed in 1..6 {
            let game = scene.start(&scene.setup(seed, Changes::default()).unwrap()).unwrap();
            let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            let best = metric("astar_cells");
            for name in ["dijkstra_cells", "jump_cells", "dstar_cells", "flow_cells"] {
                assert!((metric(name) - best).abs() < 1e-3, "{name} is {}, not {best}", metric(name));
            }
            assert!(metric("angle_cells") <= best && metric("hierarchy_cells") < 1.05 * best);
            assert!(metric("jump_expanded") < metric("astar_expanded"));
            assert!(metric("astar_expanded") <= metric("dijkstra_expanded"));
        }
    }
}
