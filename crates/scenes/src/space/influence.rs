//! `influence`: two teams in a town, whose ground is whose, and where the front is.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::core::state::StateHasher;
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_nav::grid::{AnyAngle, Cell};
use sentir_space::influence::draw::draw_map;
use sentir_space::influence::{Config, InfluenceSource, Map, Scratch as Buffer};

use super::town::{BLUE, Inhabited, People, RATE, RED, TOWN, Town, UPDATE_TICKS, draw_person, town};
use crate::grid::Strider;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "influence",
    title: "Whose ground it is",
    about: "Three red and three blue go about a town. Each raises the influence of its team where it is; it spreads over \
            ground that can be walked, not through blocks, fades with the way, and is forgotten in time. Where one team's \
            ground meets the other's is the front.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::INFLUENCE],
    settings: SETTINGS,
    assets: &[TOWN],
    rate: RATE,
    ticks_max: 60 * 60,
    trials: &[&[], &["momentum=0.9"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "momentum",
        about: "share of the old value that stays at an update",
        kind: SettingKind::Number { min: 0.0, max: 1.0 },
        stock: "0.3",
    },
    Setting {
        name: "decay_per_m",
        about: "strength lost a meter of way",
        kind: SettingKind::Number { min: 0.0, max: 2.0 },
        stock: "0.15",
    },
    Setting {
        name: "fade_per_s",
        about: "strength lost a second",
        kind: SettingKind::Number { min: 0.0, max: 5.0 },
        stock: "0.5",
    },
];

const STARTS: [Cell; 6] =
    [Cell::new(3, 3), Cell::new(3, 14), Cell::new(4, 24), Cell::new(36, 4), Cell::new(32, 16), Cell::new(37, 24)];
const TEAM: usize = 3;
const TICKS_MAX: u64 = 45 * 60;
const WAY: Purpose = Purpose::new("influence.way");
/// Weaker than this is nobody's ground.
const FAINT: f32 = 0.02;

struct Grounds {
    town: Town,
    config: Config,
}

#[derive(State)]
struct World {
    people: People,
    teams: Teams,
    front: Map,
    is_over: bool,
}

/// The maps of both teams.
#[derive(Clone, Debug, PartialEq, State)]
struct Teams {
    red: Map,
    blue: Map,
}

#[derive(Default)]
struct Cache {
    search: AnyAngle,
    buffer: Buffer,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let town = town(setup, 2.0)?;
    let (brains, people) = town.people(setup.seed, &STARTS);
    let number = |name: &str| setup.settings.number(name);
    let config = Config {
        momentum: number("momentum"),
        decay_per_m: number("decay_per_m"),
        fade_per_s: number("fade_per_s"),
        period_s: RATE.seconds(UPDATE_TICKS),
    };
    let map = || Map::new(&town.grid);
    let world = World { people, teams: Teams { red: map(), blue: map() }, front: map(), is_over: false };
    Ok(Box::new(SceneMatch::new(Grounds { town, config }, brains, world)))
}

impl Scene for Grounds {
    type Mind = Strider;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Grounds>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        for key in 0..STARTS.len() as u64 {
            if self.town.is_idle(brains, key) {
                let mut random = brains.streams().at(key, WAY, brains.tick());
                let to = self.town.somewhere(&mut random);
                self.town.send(brains, world.people.places[key as usize], key, to, &mut cache.search);
            }
        }
        let view = LevelView { level: &self.town.level, state: &world.people.level };
        brains.step(&self.town.mind, &view, pool, scratch);
        self.town.walk(brains, &mut world.people);
        if brains.tick().0.is_multiple_of(UPDATE_TICKS) {
            let World { people, teams, front, .. } = world;
            let source = |&at: &Vec2| InfluenceSource { at, strength: 1.0 };
            for (map, team) in [&mut teams.red, &mut teams.blue].into_iter().zip(people.places.chunks_exact(TEAM)) {
                for at in team {
                    map.stamp(&self.town.grid, &[source(at)]);
                }
                map.update(&self.town.grid, &self.config, None, &mut cache.buffer);
            }
            front.front(&self.town.grid, &teams.red, &teams.blue);
        }
        world.is_over = brains.tick().0 >= TICKS_MAX;
    }

    fn fits(&self, world: &World) -> bool {
        let maps = [&world.teams.red, &world.teams.blue, &world.front];
        self.town.fits(&world.people, STARTS.len()) && maps.iter().all(|map| map.fits(&self.town.grid))
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let [red, blue, front] = self.held(world);
        vec![
            Metric::new("red_cells", red as f32),
            Metric::new("blue_cells", blue as f32),
            Metric::new("front_cells", front as f32),
        ]
    }

    fn draw(&self, _: &Loop<Strider>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.town.level, state: &world.people.level }, list);
        let grid = &self.town.grid;
        let mut control = Map::new(grid);
        control.control(&world.teams.red, &world.teams.blue);
        draw_map(grid, &control, RED.alpha(220), 1.0, 0.0, list);
        draw_map(grid, &control, BLUE.alpha(220), -1.0, 0.0, list);
        for cell in grid.free_cells().filter(|&cell| world.front.value(cell) > FAINT) {
            let at = plane::lift(grid.center(cell), 0.1);
            list.circle(Layer::SENSES, Color::rgb(0x1d_1f22), at, 0.16, true);
        }
        for number in 0..world.people.places.len() {
            draw_person(&world.people, number, if number < TEAM { RED } else { BLUE }, list);
        }
        let [red, blue, front] = self.held(world);
        self.town.caption(15.0, 0, RED, format_args!("red holds {red} cells"), list);
        self.town.caption(33.0, 1, Color::rgb(0x1d_1f22), format_args!("front: {front} cells"), list);
        self.town.caption(31.0, 0, BLUE, format_args!("blue holds {blue} cells"), list);
    }

    /// The people. The maps are made of where they are.
    fn digest(&self, world: &World, hasher: &mut StateHasher) {
        hasher.add(&world.people);
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

impl Grounds {
    /// Cells that red holds, that blue holds, and of the front.
    fn held(&self, world: &World) -> [u32; 3] {
        let mut held = [0; 3];
        for cell in self.town.grid.free_cells() {
            let control = world.teams.red.value(cell) - world.teams.blue.value(cell);
            held[0] += u32::from(control > FAINT);
            held[1] += u32::from(control < -FAINT);
            held[2] += u32::from(world.front.value(cell) > FAINT);
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn both_teams_hold_ground_and_there_is_a_front() {
        let (ending, metric) = play("influence", 1, &[]);
        assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
        assert!(metric("red_cells") > 50.0 && metric("blue_cells") > 50.0 && metric("front_cells") > 3.0);
    }
}
