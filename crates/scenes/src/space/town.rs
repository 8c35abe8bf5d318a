//! Scenes of spatial reasoning: people in a small town of blocks, what they see of it, and what they make of what they do
//! not see. Minds and bodies are those of the scenes on tiles.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::Ending;
use sentir_nav::grid::{AnyAngle, Cell, Query};
use sentir_space::influence::Grid;
use sentir_space::visibility::{Obstacles, Watcher};

use crate::grid::{Notice, Route, Strider, center, change, enter, route, terrain_of, walk};
use sentir_harness::honesty::tamper::Allowed;
use sentir_harness::honesty::truth::TilePlan;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{SceneError, Setup, level_asset};
use sentir_harness::scene::{Audited, Scene};

/// Ticks per second of these scenes.
pub(crate) const RATE: TickRate = TickRate::new(60);
/// Ticks between two updates of a map.
pub(crate) const UPDATE_TICKS: u64 = 15;
/// The asset of the town.
pub(crate) const TOWN: (&str, &str) =
    ("town.txt", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/space/town.txt")));
pub(crate) const RED: Color = Color::rgb(0xb8_433f);
pub(crate) const BLUE: Color = Color::rgb(0x2f_5d8a);
pub(crate) const SIGHT: Color = Color::rgb(0xe0_b63a);

/// The town: one level, as walkers, influence and eyes know it.
pub(crate) struct Town {
    pub(crate) mind: Strider,
    pub(crate) level: Level,
    pub(crate) grid: Grid,
    pub(crate) obstacles: Obstacles,
}

/// Where everybody is; what all these scenes remember.
#[derive(Clone, Debug, PartialEq, State)]
pub(crate) struct People {
    pub(crate) level: LevelState,
    pub(crate) places: Vec<Vec2>,
    pub(crate) yaws: Vec<f32>,
}

/// A world with people in a town, all that changes of it.
pub(crate) trait Inhabited {
    /// The people.
    fn people(&self) -> &People;
    /// The same, to be changed.
    fn people_mut(&mut self) -> &mut People;
}

/// Where nobody senses anything of others: the whole of what judges ask.
impl<S: Scene<Mind = Strider, World: Inhabited>> Audited<S> for Town {
    fn reach(&self) -> Reach {
        Reach::legs(0.0)
    }

    fn level<'a>(&'a self, world: &'a S::World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.people().level }
    }

    fn change(&self, brains: &mut Loop<Strider>, world: &mut S::World, tamper: &Tamper) -> bool {
        change(brains, &mut world.people_mut().places, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::LISTED
    }

    fn plan(&self) -> Option<TilePlan<'_>> {
        Some(Town::plan(self))
    }
}

/// The town of a setup.
pub(crate) fn town(setup: &Setup, pace_m_per_s: f32) -> Result<Town, SceneError> {
    let level = level_asset(setup, TOWN.0)?;
    let (_, ground) = terrain_of(&level, TOWN.0)?;
    let refuse = |what: String| SceneError::Asset { name: TOWN.0.to_owned(), line: 0, column: 0, what };
    let (origin, cell_m) = (level.tiles()[0].origin, level.tiles()[0].cell_m);
    if cell_m != 1.0 {
        return Err(refuse("cells are not of 1 m: expected `cell_m: 1`".to_owned()));
    }
    let grid = Grid::from_ground(&ground, origin, cell_m).map_err(|error| refuse(error.to_string()))?;
    let obstacles = Obstacles::build(&blocks(&grid), &[]).map_err(|error| refuse(error.to_string()))?;
    Ok(Town { mind: Strider { ground, origin, pace_m_per_s }, level, grid, obstacles })
}

/// What cannot be walked on as few rectangles: runs of a row, and rows of equal runs joined.
fn blocks(grid: &Grid) -> Vec<Vec<Vec2>> {
    let [columns, rows] = grid.size();
    let mut open: Vec<[u16; 4]> = Vec::new();
    let mut done: Vec<[u16; 4]> = Vec::new();
    for y in 0..rows as u16 {
        let mut runs: Vec<[u16; 2]> = Vec::new();
        for x in (0..columns as u16).filter(|&x| !grid.is_free(Cell::new(x, y))) {
            match runs.last_mut() {
                Some(run) if run[1] == x => run[1] = x + 1,
                _ => runs.push([x, x + 1]),
            }
        }
        let (kept, ended): (Vec<_>, Vec<_>) = open.into_iter().partition(|block| runs.contains(&[block[0], block[1]]));
        done.extend(ended);
        open = kept;
        open.iter_mut().for_each(|block| block[3] = y + 1);
        let fresh = runs.iter().filter(|run| !open.iter().any(|block| [block[0], block[1]] == **run));
        let fresh: Vec<[u16; 4]> = fresh.map(|run| [run[0], run[1], y, y + 1]).collect();
        open.extend(fresh);
    }
    done.extend(open);
    let corner = |x: u16, y: u16| grid.origin() + Vec2::new(x.into(), y.into()) * grid.cell_m();
    done.iter().map(|&[a, b, c, d]| vec![corner(a, c), corner(b, c), corner(b, d), corner(a, d)]).collect()
}

impl Town {
    /// A loop with people at these cells, with nowhere to go yet.
    pub(crate) fn people(&self, seed: u64, cells: &[Cell]) -> (Loop<Strider>, People) {
        let config = LoopConfig { index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
        let mut brains = Loop::<Strider>::new(config, seed);
        let mut places = Vec::new();
        for &cell in cells {
            let stops = Vec::with_capacity(64);
            enter(
                &mut brains,
                &mut places,
                center(self.mind.origin, cell),
                Route { stops, is_done: true, ..Route::default() },
            );
        }
        let yaws = vec![0.0; places.len()];
        (brains, People { level: LevelState::new(&self.level), places, yaws })
    }

    /// Its ground and walls, for the test of [`honesty`](sentir_harness::honesty).
    pub(crate) fn plan(&self) -> TilePlan<'_> {
        TilePlan { ground: &self.mind.ground, origin: self.mind.origin, obstacles: Some(&self.obstacles) }
    }

    /// Whether a world is one of this town with so many people.
    pub(crate) fn fits(&self, people: &People, count: usize) -> bool {
        people.level.fits(&self.level) && people.places.len() == count && people.yaws.len() == count
    }

    /// Lets everybody walk for a tick.
    pub(crate) fn walk(&self, brains: &mut Loop<Strider>, people: &mut People) {
        walk(brains, &mut people.places, RATE);
        for (key, yaw) in (0..).zip(&mut people.yaws) {
            if let Some(motion) = brains.agent_of(HostKey(key)).and_then(|agent| brains.motion(agent))
                && motion.velocity != Vec3::ZERO
            {
                *yaw = motion.yaw;
            }
        }
    }

    /// Sends one to a cell by the shortest way; whether there is one.
    pub(crate) fn send(&self, brains: &mut Loop<Strider>, at: Vec2, key: u64, to: Cell, search: &mut AnyAngle) -> bool {
        let Some(from) = self.grid.cell_at(at) else { return false };
        let answer = search.query(&self.mind.ground, &Query::new(from, to));
        let is_found = answer.ending == Ending::Found && answer.path.len() > 1;
        if let Some(agent) = brains.agent_of(HostKey(key)).filter(|_| is_found) {
            brains.notify(agent, Notice::Halt);
            for &cell in answer.path.iter().skip(1).rev() {
                brains.notify(agent, Notice::Stop(center(self.mind.origin, cell)));
            }
        }
        is_found
    }

    /// Whether one has nowhere to go any more.
    pub(crate) fn is_idle(&self, brains: &Loop<Strider>, key: u64) -> bool {
        route(brains, key).is_none_or(|route| route.is_done)
    }

    /// A walkable cell by chance.
    pub(crate) fn somewhere(&self, random: &mut Stream) -> Cell {
        let [columns, rows] = self.grid.size();
        for _ in 0..1000 {
            let cell = Cell::new(random.below(columns) as u16, random.below(rows) as u16);
            if self.grid.is_free(cell) {
                return cell;
            }
        }
        Cell::new(0, 0)
    }

    /// What one of the people looks at.
    pub(crate) fn watcher(&self, people: &People, key: usize, half_angle_rad: f32, range_m: f32) -> Watcher {
        Watcher { origin: people.places[key], facing: people.yaws[key], half_angle_rad, range_m }
    }

    /// Writes on the wall at the bottom (line 0) or at the top (line 1), the middle of the text at `x` m from the left: inside of
    /// the picture, beside its scale and its title.
    pub(crate) fn caption(&self, x: f32, line: u8, color: Color, text: std::fmt::Arguments<'_>, list: &mut DrawList) {
        let y = if line == 0 { 0.5 } else { self.grid.size()[1] as f32 * self.grid.cell_m() - 0.5 };
        list.label(Layer::NAMES, color, plane::lift(self.grid.origin() + Vec2::new(x, y), 0.1), text);
    }
}

/// Adds one of the people, seen from above.
pub(crate) fn draw_person(people: &People, key: usize, color: Color, list: &mut DrawList) {
    let (at, yaw) = (plane::lift(people.places[key], 0.3), people.yaws[key]);
    list.body(key as u64, color, at, 0.45);
    list.line(Layer::BODIES, Color::rgb(0xff_ffff), at, at + plane::lift(plane::heading(yaw) * 0.45, 0.0), 0.12);
}
