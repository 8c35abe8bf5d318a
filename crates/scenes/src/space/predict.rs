//! `predict`: a runner goes from hiding place to hiding place; two guards on their rounds see it now and then. Where is it
//! when they do not? One map knows the velocity at which it was last seen, the other does not.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::state::StateHasher;
use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_nav::grid::{AnyAngle, Cell};
use sentir_space::influence::draw::draw_map;
use sentir_space::influence::{Map, Prediction, PredictionConfig, Scratch as Buffer, Watch};
use sentir_space::visibility::draw::draw_region;
use sentir_space::visibility::{Memo, Region, Sweep};

use super::town::{BLUE, People, RATE, RED, SIGHT, TOWN, Town, UPDATE_TICKS, draw_person, town};
use crate::grid::{Strider, change};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::Reach;
use sentir_harness::honesty::tamper::{Allowed, Tamper};
use sentir_harness::honesty::truth::TilePlan;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "predict",
    title: "Where may the runner be?",
    about: "A runner (green) goes from hiding place to hiding place. When the guards lose it, the map says where it may be: \
            it begins where it was last seen, a little ahead, and spreads as fast as it runs, more along the way it was \
            going; what a guard sees is cleared. The figures are the rank of the cell in which it really is, beside that of \
            a map that does not know how the runner was going.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::INFLUENCE],
    settings: SETTINGS,
    assets: &[TOWN],
    rate: RATE,
    ticks_max: 130 * 60,
    trials: &[&["seconds=50"], &["seconds=50", "range_m=7"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "range_m",
        about: "how far guards see, m",
        kind: SettingKind::Number { min: 2.0, max: 40.0 },
        stock: "11",
    },
    Setting {
        name: "seconds",
        about: "how long the match is, s",
        kind: SettingKind::Number { min: 5.0, max: 120.0 },
        stock: "120",
    },
];

const RUNNER: usize = 2;
const STARTS: [Cell; 3] = [Cell::new(10, 11), Cell::new(31, 16), Cell::new(3, 3)];
const ROUNDS: [[Cell; 4]; 2] = [
    [Cell::new(10, 11), Cell::new(11, 19), Cell::new(3, 19), Cell::new(3, 10)],
    [Cell::new(31, 16), Cell::new(37, 7), Cell::new(26, 7), Cell::new(26, 16)],
];
const GREEN: Color = Color::rgb(0x3d_7a4a);
const HALF_ANGLE_RAD: f32 = 0.9;
/// How fast the runner runs; guards walk at the mind's pace, m/s.
const RUN_M_PER_S: f32 = 3.0;
const HIDE: Purpose = Purpose::new("predict.hide");
/// How long the runner stays hidden, s.
const HIDE_S: [f32; 2] = [1.0, 5.0];

struct Hunt {
    town: Town,
    config: PredictionConfig,
    range_m: f32,
    ticks_max: u64,
}

#[derive(State)]
struct World {
    people: People,
    /// The next stop of each guard.
    stops: [u8; 2],
    /// Until when the runner stays, ticks.
    hides_until: u64,
    /// Where it was seen last, and how fast it then went, m/s.
    last_place: Vec2,
    last_velocity: Vec2,
    is_seen: bool,
    was_ever_seen: bool,
    /// With velocity, and without.
    knowing: Prediction,
    plain: Prediction,
    tally: Tally,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Tally {
    seen_ticks: u32,
    losses: u32,
    /// Updates in which it was looked for, and the sums of its rank as a share of all cells, with velocity and without.
    updates: u32,
    ranks: [f32; 2],
    /// The last of them.
    last: [f32; 2],
}

#[derive(Default)]
struct Cache {
    search: AnyAngle,
    memo: Memo,
    watch: Watch,
    buffer: Buffer,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let town = town(setup, RUN_M_PER_S)?;
    let (brains, people) = town.people(setup.seed, &STARTS);
    let config = PredictionConfig {
        period_s: RATE.seconds(UPDATE_TICKS),
        speed_m_per_s: RUN_M_PER_S,
        ..PredictionConfig::default()
    };
    let prediction = || Prediction::new(&town.grid);
    let world = World {
        last_place: people.places[RUNNER],
        last_velocity: Vec2::ZERO,
        people,
        stops: [0; 2],
        hides_until: 0,
        is_seen: false,
        was_ever_seen: false,
        knowing: prediction(),
        plain: prediction(),
        tally: Tally::default(),
        is_over: false,
    };
    let (range_m, ticks_max) = (setup.settings.number("range_m"), RATE.ticks(setup.settings.number("seconds")));
    Ok(Box::new(SceneMatch::new(Hunt { town, config, range_m, ticks_max }, brains, world)))
}

impl Hunt {
    fn guide(&self, brains: &mut Loop<Strider>, world: &mut World, search: &mut AnyAngle) {
        for (key, (stop, round)) in (0u64..).zip(world.stops.iter_mut().zip(&ROUNDS)) {
            if self.town.is_idle(brains, key) {
                *stop = (*stop + 1) % round.len() as u8;
                self.town.send(brains, world.people.places[key as usize], key, round[usize::from(*stop)], search);
            }
        }
        let tick = brains.tick().0;
        if self.town.is_idle(brains, RUNNER as u64) && tick >= world.hides_until {
            let mut random = brains.streams().at(RUNNER as u64, HIDE, brains.tick());
            let to = self.town.somewhere(&mut random);
            self.town.send(brains, world.people.places[RUNNER], RUNNER as u64, to, search);
            world.hides_until = tick + RATE.ticks(random.between(HIDE_S[0], HIDE_S[1]) + 8.0);
        }
    }

    /// What the guards see, and what they make of what they do not.
    fn sense(&self, world: &mut World, tick: u64, cache: &mut Cache) {
        let grid = &self.town.grid;
        let place = world.people.places[RUNNER];
        let mut is_seen = false;
        let is_due = tick.is_multiple_of(UPDATE_TICKS);
        cache.watch.clear();
        for guard in 0..RUNNER {
            let watcher = self.town.watcher(&world.people, guard, HALF_ANGLE_RAD, self.range_m);
            let region = cache.memo.look(&self.town.obstacles, &watcher);
            is_seen |= region.contains(place);
            if is_due {
                cache.watch.add(grid, region);
            }
        }
        if world.is_seen && !is_seen {
            world.knowing.lost(grid, &self.config, world.last_place, world.last_velocity);
            world.plain.lost(grid, &self.config, world.last_place, Vec2::ZERO);
            world.tally.losses += 1;
        } else if is_seen && !world.is_seen {
            world.knowing.found();
            world.plain.found();
        }
        if is_seen {
            // The way since the last look counts only if it was in view then, too.
            let way = if world.is_seen { place - world.last_place } else { Vec2::ZERO };
            (world.last_place, world.last_velocity) = (place, way * RATE.hz() as f32);
        }
        world.is_seen = is_seen;
        world.was_ever_seen |= is_seen;
        world.tally.seen_ticks += u32::from(is_seen);
        if is_due && world.knowing.is_active() {
            let all = grid.free_count() as f32;
            let cell = grid.cell_at(place).unwrap_or_default();
            for (number, prediction) in [&mut world.knowing, &mut world.plain].into_iter().enumerate() {
                prediction.update(grid, &self.config, Some(&cache.watch), &mut cache.buffer);
                world.tally.last[number] = prediction.rank(grid, &self.config, cell) / all;
                world.tally.ranks[number] += world.tally.last[number];
            }
            world.tally.updates += 1;
        }
    }
}

impl Scene for Hunt {
    type Mind = Strider;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Hunt>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        self.guide(brains, world, &mut cache.search);
        // What is as it was told, and not where they go in this tick.
        self.sense(world, brains.tick().0, cache);
        let view = LevelView { level: &self.town.level, state: &world.people.level };
        brains.step(&self.town.mind, &view, pool, scratch);
        self.town.walk(brains, &mut world.people);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        let maps = [&world.knowing, &world.plain];
        let is_round = world.stops.iter().all(|&stop| stop < 4);
        self.town.fits(&world.people, STARTS.len()) && is_round && maps.iter().all(|it| it.map().fits(&self.town.grid))
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let tally = &world.tally;
        let mean = |sum: f32| if tally.updates > 0 { sum / tally.updates as f32 } else { f32::NAN };
        vec![
            Metric::new("mean_rank", mean(tally.ranks[0])),
            Metric::new("mean_rank_plain", mean(tally.ranks[1])),
            Metric::new("losses", tally.losses as f32),
            Metric::new("seen_s", RATE.seconds(tally.seen_ticks.into())),
            Metric::new("sought_s", RATE.seconds(u64::from(tally.updates) * UPDATE_TICKS)),
        ]
    }

    fn draw(&self, _: &Loop<Strider>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.town.level, state: &world.people.level }, list);
        let grid = &self.town.grid;
        let (mut sweep, mut region, people) = (Sweep::default(), Region::default(), &world.people);
        for guard in 0..RUNNER {
            let watcher = self.town.watcher(people, guard, HALF_ANGLE_RAD, self.range_m);
            sweep.look(&self.town.obstacles, &watcher, &mut region);
            draw_region(&region, SIGHT.alpha(150), 0.0, list);
        }
        if world.knowing.is_active() {
            let mut likely = Map::new(grid);
            world.knowing.fill(&self.config, &mut likely);
            likely.normalize();
            draw_map(grid, &likely, RED.alpha(220), 1.0, 0.05, list);
        }
        for guard in 0..RUNNER {
            draw_person(people, guard, BLUE, list);
        }
        draw_person(people, RUNNER, GREEN, list);
        let dark = Color::rgb(0x23_272b);
        if world.is_seen {
            list.circle(Layer::SENSES, RED, plane::lift(people.places[RUNNER], 0.4), 0.8, false);
            self.town.caption(24.0, 0, RED, format_args!("seen"), list);
        } else if world.knowing.is_active() {
            let [known, plain] = world.tally.last.map(|rank| (rank * grid.free_count() as f32).round());
            let text = format_args!("lost: rank {known}; without velocity {plain}");
            self.town.caption(24.0, 0, dark, text, list);
        } else {
            self.town.caption(24.0, 0, dark, format_args!("not seen yet"), list);
        }
    }

    /// All but the maps, which are made of the rest.
    fn digest(&self, world: &World, hasher: &mut StateHasher) {
        hasher.add(&world.people);
        hasher.add(&(world.stops, world.hides_until, world.last_place, world.last_velocity));
        hasher.add(&(world.is_seen, world.was_ever_seen, world.tally, world.is_over));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Hunt {
    fn reach(&self) -> Reach {
        Reach { sight_m: self.range_m, ..Reach::legs(0.0) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.town.level, state: &world.people.level }
    }

    fn change(&self, brains: &mut Loop<Strider>, world: &mut World, tamper: &Tamper) -> bool {
        change(brains, &mut world.people.places, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::LISTED
    }

    fn may_change(&self, it: &Presence) -> bool {
        // The guards tell each other what they see.
        it.key.0 == RUNNER as u64
    }

    fn plan(&self) -> Option<TilePlan<'_>> {
        Some(self.town.plan())
    }

    fn knowledge(&self, world: &World, key: HostKey) -> u64 {
        // What both guards make of the runner.
        let maps = (world.knowing.clone(), world.plain.clone());
        if key.0 < RUNNER as u64 { state::hash(&(state::hash(&maps), world.is_seen)) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn the_map_finds_the_runner_among_the_first_cells() {
        let mut sums = [0.0, 0.0];
        for seed in 1..=8 {
            let (ending, metric) = play("predict", seed, &[]);
            assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
            assert!(metric("losses") >= 1.0, "seed {seed}: it was never seen");
            sums[0] += metric("mean_rank") / 8.0;
            sums[1] += metric("mean_rank_plain") / 8.0;
        }
        assert!(sums[0] < sums[1] && sums[0] < 0.35, "{sums:?}");
    }
}
