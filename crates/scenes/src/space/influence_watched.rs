//! `influence-watched`: influence spreads from where somebody was last seen, but not into what a guard watches; when the guard
//! looks away, it comes in.

use sentir::core::draw::{DrawList, Layer};
use sentir::core::plane;
use sentir::core::state::StateHasher;
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_nav::grid::Cell;
use sentir_space::influence::draw::draw_map;
use sentir_space::influence::{Prediction, PredictionConfig, Scratch as Buffer, Watch};
use sentir_space::visibility::draw::draw_region;
use sentir_space::visibility::{Memo, Region, Sweep};

use super::town::{BLUE, Inhabited, People, RATE, RED, SIGHT, TOWN, Town, UPDATE_TICKS, draw_person, town};
use crate::grid::Strider;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "influence-watched",
    title: "Not where somebody looks",
    about: "Somebody was last seen in the south-west (the cross) and may be anywhere within reach by now: red. A guard \
            watches the middle of the town: there it is not, so the red does not enter. After a while the guard turns away, \
            and what it watched is entered from beside, while what it watches now is cleared.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::INFLUENCE],
    settings: SETTINGS,
    assets: &[TOWN],
    rate: RATE,
    ticks_max: 60 * 60,
    trials: &[&[], &["turn_s=3"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "turn_s",
        about: "when the guard turns away, s",
        kind: SettingKind::Number { min: 1.0, max: 30.0 },
        stock: "14",
    },
    Setting {
        name: "speed",
        about: "how fast the lost one can run, m/s",
        kind: SettingKind::Number { min: 0.5, max: 10.0 },
        stock: "3",
    },
];

const GUARD: Cell = Cell::new(14, 17);
const LAST_SEEN: Cell = Cell::new(3, 3);
const TICKS_MAX: u64 = 32 * 60;
const HALF_ANGLE_RAD: f32 = 0.75;
const RANGE_M: f32 = 17.0;
/// Where the guard looks first, and then, rad.
const LOOKS: [f32; 2] = [-1.57, 1.57];

struct Watched {
    town: Town,
    config: PredictionConfig,
    turn_ticks: u64,
}

#[derive(State)]
struct World {
    people: People,
    prediction: Prediction,
    /// Cells that were entered though watched: none, ever.
    entered: u32,
    /// When a cell of what was watched first was entered after the turn, ticks.
    returned: Option<u64>,
    /// Share of the walkable cells that may hold the lost one.
    share: f32,
    is_over: bool,
}

#[derive(Default)]
struct Cache {
    memo: Memo,
    watch: Watch,
    buffer: Buffer,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let town = town(setup, 1.0)?;
    let (brains, people) = town.people(setup.seed, &[GUARD]);
    let config = PredictionConfig {
        period_s: RATE.seconds(UPDATE_TICKS),
        speed_m_per_s: setup.settings.number("speed"),
        ..PredictionConfig::default()
    };
    let mut prediction = Prediction::new(&town.grid);
    prediction.lost(&town.grid, &config, town.grid.center(LAST_SEEN), Vec2::ZERO);
    let world = World { people, prediction, entered: 0, returned: None, share: 0.0, is_over: false };
    let turn_ticks = RATE.ticks(setup.settings.number("turn_s"));
    Ok(Box::new(SceneMatch::new(Watched { town, config, turn_ticks }, brains, world)))
}

impl Scene for Watched {
    type Mind = Strider;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Watched>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let tick = brains.tick().0;
        let has_turned = tick >= self.turn_ticks;
        world.people.yaws[0] = LOOKS[usize::from(has_turned)];
        let view = LevelView { level: &self.town.level, state: &world.people.level };
        brains.step(&self.town.mind, &view, pool, scratch);
        if tick.is_multiple_of(UPDATE_TICKS) {
            let grid = &self.town.grid;
            let watcher = self.town.watcher(&world.people, 0, HALF_ANGLE_RAD, RANGE_M);
            let region = cache.memo.look(&self.town.obstacles, &watcher);
            cache.watch.clear();
            cache.watch.add(grid, region);
            world.prediction.update(grid, &self.config, Some(&cache.watch), &mut cache.buffer);
            let first = sentir_space::visibility::Watcher { facing: LOOKS[0], ..watcher };
            let before = cache.memo.look(&self.town.obstacles, &first);
            let (mut reached, mut is_back) = (0u32, false);
            for cell in grid.free_cells().filter(|&cell| world.prediction.map().value(cell) > 0.0) {
                reached += 1;
                is_back |= has_turned && before.contains(grid.center(cell));
                world.entered += u32::from(cache.watch.holds(grid, cell));
            }
            if is_back && world.returned.is_none() {
                world.returned = Some(tick);
            }
            world.share = reached as f32 / grid.free_count() as f32;
        }
        world.is_over = brains.tick().0 >= TICKS_MAX;
    }

    fn fits(&self, world: &World) -> bool {
        self.town.fits(&world.people, 1) && world.prediction.map().fits(&self.town.grid)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let returned_s = world.returned.map_or(f32::NAN, |tick| RATE.seconds(tick - self.turn_ticks));
        vec![
            Metric::new("entered_while_watched", world.entered as f32),
            Metric::new("returned_s", returned_s),
            Metric::new("share_of_town", world.share),
        ]
    }

    fn draw(&self, _: &Loop<Strider>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.town.level, state: &world.people.level }, list);
        let grid = &self.town.grid;
        let watcher = self.town.watcher(&world.people, 0, HALF_ANGLE_RAD, RANGE_M);
        let mut region = Region::default();
        Sweep::default().look(&self.town.obstacles, &watcher, &mut region);
        draw_region(&region, SIGHT.alpha(150), 0.0, list);
        draw_map(grid, world.prediction.map(), RED.alpha(200), 1.0, 0.05, list);
        let at = grid.center(LAST_SEEN);
        for (dx, dy) in [(0.5, 0.5), (0.5, -0.5)] {
            let ends = [at - Vec2::new(dx, dy), at + Vec2::new(dx, dy)].map(|end| plane::lift(end, 0.15));
            list.line(Layer::SENSES, RED, ends[0], ends[1], 0.15);
        }
        draw_person(&world.people, 0, BLUE, list);
        let share = world.share * 100.0;
        self.town.caption(24.0, 0, RED, format_args!("may be in {share:.0} % of the town"), list);
    }

    /// All but the map, which is made of where the people are.
    fn digest(&self, world: &World, hasher: &mut StateHasher) {
        hasher.add(&world.people);
        hasher.add(&(world.entered, world.returned, world.share, world.is_over));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(&self.town)
    }
}

impl Inhabited for World {
    fn people(&self) -> &People {
        &self.people
    }

    fn people_mut(&mut self) -> &mut People {
        &mut self.people
    }
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn what_is_watched_is_never_entered_and_comes_back_soon_after() {
        let (ending, metric) = play("influence-watched", 1, &[]);
        assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
        assert_eq!(metric("entered_while_watched"), 0.0);
        assert!(metric("returned_s") < 2.0 && metric("share_of_town") > 0.5, "{}", metric("returned_s"));
    }
}
