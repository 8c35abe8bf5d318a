//! `tiles`: two zones with few passes, and an islet. One unit plans with A*, the other learns its way with LRTA*.
//!
//! LRTA* looks one cell ahead, so it walks into every bay and fills it with what it learns before it comes out: its trail
//! zigzags where A*'s path runs straight past. Both are told at once that no way leads to the islet.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::Ending;
use sentir_nav::core::glam::UVec2;
use sentir_nav::grid::{Astar, AstarConfig, Cell, Lrta, Query};

use super::{Route, Strider, center, change, draw_path, enter, route, stops, terrain_of, walk};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::Reach;
use sentir_harness::honesty::tamper::{Allowed, Tamper};
use sentir_harness::honesty::truth::TilePlan;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "tiles",
    title: "Planning beside learning",
    about: "Two units go the same way over tiles. One plans it with A* and walks it. The other knows its neighbors only and \
            learns as it goes (LRTA*): it strays into every bay, and the red shade shows what it learned there. To the islet \
            no way leads, and both say so.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[("tiles.txt", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/grid/tiles.txt")))],
    rate: RATE,
    ticks_max: 300 * 60,
    trials: &[&[], &["goal=islet"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const START: Cell = Cell::new(5, 14);
const FAR: Cell = Cell::new(25, 14);
const ISLET: Cell = Cell::new(26, 26);
const PLANNED: Color = Color::rgb(0x2f_5d8a);
const LEARNED: Color = Color::rgb(0xb8_433f);
/// Learned figures above the first guess that show in full color, cells.
const HEAT_CELLS: f64 = 14.0;

const SETTINGS: &[Setting] = &[
    Setting {
        name: "goal",
        about: "where both want to: the far zone, or the islet that no way leads to",
        kind: SettingKind::Choice(&["zone", "islet"]),
        stock: "zone",
    },
    Setting { name: "pace", about: "steps a second", kind: SettingKind::Number { min: 1.0, max: 30.0 }, stock: "10" },
];

struct Zones {
    mind: Strider,
    level: Level,
    /// What was planned.
    path: Vec<Cell>,
    ending: Ending,
    expanded: u32,
    goal: Cell,
}

#[derive(State)]
struct World {
    level: LevelState,
    places: Vec<Vec2>,
    /// Whether the planner and the learner are done, and when, ticks.
    ends: [Option<u64>; 2],
    /// Steps of the learner so far.
    walked: u32,
    is_over: bool,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "tiles.txt")?;
    let (_, ground) = terrain_of(&level, "tiles.txt")?;
    let origin = level.tiles()[0].origin;
    let goal = if setup.settings.word("goal") == "islet" { ISLET } else { FAR };
    let mut search = Astar::default();
    let answer = search.query(&ground, &Query::new(START, goal), &AstarConfig::default());
    let (path, ending, expanded) = (answer.path.to_vec(), answer.ending, answer.expanded);
    let config = LoopConfig { index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Strider>::new(config, setup.seed);
    let mut places = Vec::new();
    let planned = Route { stops: stops(origin, &path), ..Route::default() };
    enter(&mut brains, &mut places, center(origin, START), planned);
    let learner = Some(Lrta::new(&ground, START, goal));
    let mut trail = Vec::with_capacity(4096);
    trail.push(START);
    enter(&mut brains, &mut places, center(origin, START), Route { learner, trail, ..Route::default() });
    let world = World { level: LevelState::new(&level), places, ends: [None; 2], walked: 0, is_over: false };
    let mind = Strider { ground, origin, pace_m_per_s: setup.settings.number("pace") };
    Ok(Box::new(SceneMatch::new(Zones { mind, level, path, ending, expanded, goal }, brains, world)))
}

impl Scene for Zones {
    type Mind = Strider;
    type World = World;
    type Cache = ();

    fn step(&self, moment: StepContext<'_, Zones>) {
        let StepContext { brains, world, pool, scratch, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.level };
        brains.step(&self.mind, &view, pool, scratch);
        walk(brains, &mut world.places, RATE);
        for (key, end) in (0..).zip(&mut world.ends) {
            let is_done = route(brains, key).is_none_or(|route| route.is_done || route.is_hopeless);
            if is_done && end.is_none() {
                *end = Some(brains.tick().0);
            }
        }
        world.walked = route(brains, 1).map_or(0, |route| route.trail.len().saturating_sub(1) as u32);
        // A moment to look at it.
        let last = world.ends.iter().copied().reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        world.is_over = last.is_some_and(|last| brains.tick().0 > last + u64::from(RATE.hz()));
    }

    fn fits(&self, world: &World) -> bool {
        world.level.fits(&self.level) && world.places.len() == 2
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let outcome = if self.ending == Ending::Found { "both arrived" } else { "no path" };
        world.is_over.then_some(outcome)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let seconds = |end: Option<u64>| end.map_or(f32::NAN, |tick| RATE.seconds(tick));
        vec![
            Metric::new("astar_steps", self.path.len() as f32 - 1.0),
            Metric::new("astar_expanded", self.expanded as f32),
            Metric::new("lrta_steps", world.walked as f32),
            Metric::new("astar_s", seconds(world.ends[0])),
            Metric::new("lrta_s", seconds(world.ends[1])),
        ]
    }

    fn draw(&self, brains: &Loop<Strider>, world: &World, list: &mut DrawList) {
        let (ground, origin) = (&self.mind.ground, self.mind.origin);
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.level }, list);
        if let Some(route) = route(brains, 1)
            && let Some(learner) = &route.learner
        {
            let (columns, rows) = (ground.width() as u16, ground.height() as u16);
            let fresh = Lrta::new(ground, START, self.goal);
            let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| Cell::new(x, y)));
            let raised = |cell: Cell| {
                let (now, then) = (learner.heuristic(ground, cell), fresh.heuristic(ground, cell));
                now.zip(then).map_or(0.0, |(now, then)| ((now - then) / HEAT_CELLS) as f32)
            };
            let values: Vec<f32> = cells.map(|cell| sentir::core::math::saturate(raised(cell))).collect();
            let size = UVec2::new(columns.into(), rows.into());
            list.heat(Layer::SENSES, LEARNED.alpha(170), plane::lift(origin, 0.02), 1.0, size, &values);
            draw_path(list, LEARNED.alpha(200), origin, &route.trail, 0.14);
        }
        draw_path(list, PLANNED, origin, &self.path, 0.22);
        let goal = plane::lift(center(origin, self.goal), 0.1);
        list.circle(Layer::PATHS, Color::rgb(0x3d_7a4a), goal, 0.7, false);
        list.circle(Layer::PATHS, Color::rgb(0x3d_7a4a), goal, 0.45, false);
        for (key, (&place, color)) in (0..).zip(world.places.iter().zip([PLANNED, LEARNED])) {
            list.body(key, color, plane::lift(place, 0.2), 0.4);
        }
        self.captions(brains, list);
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Zones {
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

impl Zones {
    fn captions(&self, brains: &Loop<Strider>, list: &mut DrawList) {
        let at = |x: f32| plane::lift(self.mind.origin + Vec2::new(x, 0.9), 0.0);
        let steps = self.path.len() - 1;
        let how = if self.ending == Ending::Found { "" } else { ", no path" };
        list.label(Layer::NAMES, PLANNED, at(11.0), format_args!("A*: {steps} steps{how}"));
        let Some(route) = route(brains, 1) else { return };
        let walked = route.trail.len().saturating_sub(1);
        let how = if route.is_hopeless { ", no path" } else { "" };
        list.label(Layer::NAMES, LEARNED, at(22.0), format_args!("LRTA*: {walked} steps{how}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    fn played(goal: &str) -> Box<dyn Match> {
        let scene = crate::CATALOG.find("tiles").unwrap();
        let changes = [("goal".to_owned(), goal.to_owned())];
        let mut game = scene.start(&scene.setup(1, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
        while game.ending().is_none() {
            assert!(game.tick().0 < scene.ticks_max);
            game.step(&[], &Serial);
        }
        game
    }

    #[test]
    fn the_learner_arrives_much_later_than_the_planner() {
        let game = played("zone");
        assert_eq!(game.ending(), Some("both arrived"));
        let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
        assert!(metric("lrta_s") > 2.0 * metric("astar_s"), "{:?}", game.metrics());
    }

    #[test]
    fn nobody_claims_a_way_to_the_islet() {
        let game = played("islet");
        assert_eq!(game.ending(), Some("no path"));
    }
}
