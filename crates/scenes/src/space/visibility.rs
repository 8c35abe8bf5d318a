//! `visibility`: what a watcher sees on its way through a town, and five small cases below it: the situations that the
//! algorithm with rays to corners tells apart, each with its rays.

use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_nav::grid::{AnyAngle, Cell};
use sentir_space::visibility::draw::{draw_obstacles, draw_region};
use sentir_space::visibility::fan::{FarPoint, corner_rays};
use sentir_space::visibility::{Memo, Obstacles, Region, Sweep, Watcher};

use super::town::{BLUE, Inhabited, People, RATE, RED, SIGHT, TOWN, Town, draw_person, town};
use crate::grid::Strider;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "visibility",
    title: "What a watcher sees",
    about: "A watcher walks through a town; what it sees is yellow, exactly, to the range. Below are the five situations of \
            the classic algorithm: the first ray meets an obstacle, it meets none, a ray is stopped before its corner, it \
            grazes the first corner of an obstacle, or the last one. Red crosses mark what that algorithm gets wrong.",
    controls: None,
    kinds: &[KindLook::new(0, "watcher", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::FORCES],
    settings: SETTINGS,
    assets: &[TOWN],
    rate: RATE,
    ticks_max: 60 * 60,
    trials: &[&[], &["half_angle_deg=180"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "half_angle_deg",
        about: "angle of view to either side, degrees",
        kind: SettingKind::Number { min: 5.0, max: 180.0 },
        stock: "55",
    },
    Setting {
        name: "range_m",
        about: "how far it sees, m",
        kind: SettingKind::Number { min: 2.0, max: 60.0 },
        stock: "16",
    },
];

const ROUND: [Cell; 6] =
    [Cell::new(3, 3), Cell::new(16, 11), Cell::new(26, 8), Cell::new(37, 17), Cell::new(22, 22), Cell::new(4, 19)];
const TICKS_MAX: u64 = 50 * 60;
/// Where the first of the five cases is, south of the town, and how far apart they are, m.
const CASES: Vec2 = Vec2::new(6.0, -8.5);
const CASE_STEP_M: f32 = 7.6;
const CASE_NAMES: [&str; 5] = ["1 hits", "2 free", "3 stopped", "4 first corner", "5 last corner"];

struct Look {
    town: Town,
    half_angle_rad: f32,
    range_m: f32,
    cases: Vec<(Obstacles, Watcher)>,
}

#[derive(State)]
struct World {
    people: People,
    /// Which stop it goes to.
    stop: u8,
    /// Area seen: of the last tick, and of all, m².
    area_m2: f32,
    area_sum_m2: f64,
    is_over: bool,
}

#[derive(Default)]
struct Cache {
    search: AnyAngle,
    memo: Memo,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let town = town(setup, 2.4)?;
    let (brains, people) = town.people(setup.seed, &ROUND[..1]);
    let half_angle_rad = math::min(setup.settings.number("half_angle_deg").to_radians(), math::PI);
    let world = World { people, stop: 0, area_m2: 0.0, area_sum_m2: 0.0, is_over: false };
    let scene = Look { town, half_angle_rad, range_m: setup.settings.number("range_m"), cases: cases()? };
    Ok(Box::new(SceneMatch::new(scene, brains, world)))
}

/// The five cases: small obstacles before a watcher that looks north.
fn cases() -> Result<Vec<(Obstacles, Watcher)>, SceneError> {
    let block = |x: f32, y: f32, wide: f32, high: f32| {
        [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)].map(|(dx, dy)| Vec2::new(x + dx, y + dy)).to_vec()
    };
    let layouts = [
        vec![block(0.9, 2.0, 2.4, 0.8)],
        vec![block(-1.0, 2.6, 1.4, 0.8)],
        vec![block(-0.8, 1.6, 1.2, 0.6), block(-0.3, 3.2, 1.0, 0.6)],
        vec![block(0.1, 2.4, 2.6, 0.8)],
        vec![block(-2.6, 2.4, 2.6, 0.8)],
    ];
    let mut cases = Vec::new();
    for (number, layout) in layouts.iter().enumerate() {
        let origin = CASES + Vec2::new(CASE_STEP_M * number as f32, 0.0);
        let moved: Vec<Vec<Vec2>> =
            layout.iter().map(|ring| ring.iter().map(|&corner| corner + origin).collect()).collect();
        let refuse = |error: sentir_space::visibility::ObstacleError| SceneError::Asset {
            name: TOWN.0.to_owned(),
            line: 0,
            column: 0,
            what: error.to_string(),
        };
        let obstacles = Obstacles::build(&moved, &[]).map_err(refuse)?;
        cases.push((obstacles, Watcher { origin, facing: 0.0, half_angle_rad: 0.6, range_m: 5.0 }));
    }
    Ok(cases)
}

impl Scene for Look {
    type Mind = Strider;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Look>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        if self.town.is_idle(brains, 0) {
            world.stop = (world.stop + 1) % ROUND.len() as u8;
            self.town.send(brains, world.people.places[0], 0, ROUND[usize::from(world.stop)], &mut cache.search);
        }
        let view = LevelView { level: &self.town.level, state: &world.people.level };
        brains.step(&self.town.mind, &view, pool, scratch);
        self.town.walk(brains, &mut world.people);
        let watcher = self.town.watcher(&world.people, 0, self.half_angle_rad, self.range_m);
        world.area_m2 = cache.memo.look(&self.town.obstacles, &watcher).area_m2() as f32;
        world.area_sum_m2 += f64::from(world.area_m2);
        world.is_over = brains.tick().0 >= TICKS_MAX;
    }

    fn fits(&self, world: &World) -> bool {
        self.town.fits(&world.people, 1) && usize::from(world.stop) < ROUND.len()
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let [wrong, asked] = self.wrong(world, |_| {});
        vec![
            Metric::new("seen_m2", world.area_m2),
            Metric::new("mean_seen_m2", (world.area_sum_m2 / TICKS_MAX as f64) as f32),
            Metric::new("corner_rays_wrong_cells", wrong as f32),
            Metric::new("cells", asked as f32),
        ]
    }

    fn draw(&self, _: &Loop<Strider>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.town.level, state: &world.people.level }, list);
        let (mut sweep, mut region) = (Sweep::default(), Region::default());
        for ((obstacles, watcher), name) in self.cases.iter().zip(CASE_NAMES) {
            sweep.look(obstacles, watcher, &mut region);
            draw_region(&region, SIGHT.alpha(150), 0.0, list);
            draw_obstacles(obstacles, BLUE, 0.05, list);
            for [_, to] in corner_rays(obstacles, watcher, FarPoint::Normalized).edges {
                list.line(Layer::FORCES, RED, plane::lift(watcher.origin, 0.2), plane::lift(to, 0.2), 0.04);
            }
            list.circle(Layer::SENSES, BLUE, plane::lift(watcher.origin, 0.2), 0.3, true);
            let under = plane::lift(watcher.origin - Vec2::new(0.0, 0.9), 0.2);
            list.label(Layer::NAMES, BLUE, under, format_args!("{name}"));
        }
        let watcher = self.town.watcher(&world.people, 0, self.half_angle_rad, self.range_m);
        sweep.look(&self.town.obstacles, &watcher, &mut region);
        draw_region(&region, SIGHT.alpha(170), 0.0, list);
        let [wrong, _] = self.wrong(world, |at| {
            for (dx, dy) in [(0.2, 0.2), (0.2, -0.2)] {
                let ends = [at - Vec2::new(dx, dy), at + Vec2::new(dx, dy)].map(|end| plane::lift(end, 0.15));
                list.line(Layer::SENSES, RED, ends[0], ends[1], 0.08);
            }
        });
        draw_person(&world.people, 0, BLUE, list);
        let seen = world.area_m2;
        self.town.caption(24.0, 0, BLUE, format_args!("{seen:.0} m² seen; {wrong} cells wrong by corner rays"), list);
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

impl Look {
    /// In how many cells the algorithm with rays to corners disagrees, of how many; their middles go to `visit`.
    fn wrong(&self, world: &World, mut visit: impl FnMut(Vec2)) -> [u32; 2] {
        let watcher = self.town.watcher(&world.people, 0, self.half_angle_rad, self.range_m);
        let mut region = Region::default();
        Sweep::default().look(&self.town.obstacles, &watcher, &mut region);
        let fan = corner_rays(&self.town.obstacles, &watcher, FarPoint::Normalized);
        let mut counts = [0, 0];
        for cell in self.town.grid.free_cells() {
            let at = self.town.grid.center(cell);
            counts[1] += 1;
            if region.contains(at) != fan.contains(at) {
                counts[0] += 1;
                visit(at);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn a_watcher_sees_much_of_the_town_and_corner_rays_err() {
        let (ending, metric) = play("visibility", 1, &[("half_angle_deg", "180"), ("range_m", "30")]);
        assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
        assert!(metric("mean_seen_m2") > 100.0 && metric("mean_seen_m2") < 1120.0, "{}", metric("mean_seen_m2"));
        assert!(metric("corner_rays_wrong_cells") > 0.0);
    }
}
