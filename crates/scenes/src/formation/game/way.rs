//! Ways on tiles: for whoever is sent somewhere on the drill ground, by A* or by LRTA*. That there is none is an answer, too.

use sentir::core::glam::Vec2;
use sentir_act::Wall;
use sentir_act::formation::trail::{is_clear, is_inside};
use sentir_nav::grid::{Astar, AstarConfig, Cell, Cost, Lrta, LrtaStep, Query, Terrain, Unit, UnitGrid};

/// Side of a tile, m.
const CELL_M: f32 = 0.5;
/// What a tile needs around its middle to be walked on, m.
const ROOM_M: f32 = 0.4;
/// What a straight stretch needs on either side, m.
pub const CLEARANCE_M: f32 = 0.45;
/// How far off a free tile counts for a place beside it, m.
const NEAR_M: f32 = 1.0;
/// Steps of one trial of LRTA*, and trials: what it learned in one makes the next one shorter.
const STEPS_MAX: u32 = 200_000;
const TRIALS: u32 = 12;

/// How a way is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// The shortest one.
    #[default]
    Astar,
    /// What a unit walks that learns as it goes, after some trials and with its loops cut off.
    Lrta,
}

/// The ground in tiles.
#[derive(Clone, Debug)]
pub struct Tiles {
    grid: UnitGrid,
    origin: Vec2,
}

impl Tiles {
    /// Tiles over all walls and places; none if there is nothing to walk on.
    pub fn of(walls: &[Wall], places: &[Vec2]) -> Option<Tiles> {
        let points = || walls.iter().flat_map(|wall| [wall.from, wall.to]).chain(places.iter().copied());
        let low = points().fold(Vec2::INFINITY, Vec2::min).floor();
        let high = points().fold(Vec2::NEG_INFINITY, Vec2::max).ceil();
        if !low.is_finite() || !high.is_finite() {
            return None;
        }
        let size = ((high - low) / CELL_M).max(Vec2::ONE);
        let (width, height) = (size.x as u32, size.y as u32);
        let middle = |x: u32, y: u32| low + (Vec2::new(x as f32, y as f32) + 0.5) * CELL_M;
        let is_free =
            |at: Vec2| walls.iter().all(|wall| wall.nearest(at).distance(at) >= ROOM_M) && !is_inside(at, walls);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let tags = cells.map(|(x, y)| u8::from(!is_free(middle(x, y)))).collect();
        let terrain = Terrain::build(width, height, vec!["free".to_owned(), "wall".to_owned()], tags).ok()?;
        let unit = Unit { name: "soldier".to_owned(), costs: vec![Cost::Times(1), Cost::Impassable] };
        Some(Tiles { grid: UnitGrid::build(&terrain, &unit).ok()?, origin: low })
    }

    fn middle(&self, cell: Cell) -> Vec2 {
        self.origin + (Vec2::new(f32::from(cell.x), f32::from(cell.y)) + 0.5) * CELL_M
    }

    /// The free tile next to a place; none if there is none near.
    fn footing(&self, place: Vec2) -> Option<Cell> {
        let at = ((place - self.origin) / CELL_M).floor();
        let reach = (NEAR_M / CELL_M) as i32;
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
        let cells = around.filter_map(|(dx, dy)| {
            let (x, y) = (at.x as i32 + dx, at.y as i32 + dy);
            let cell = Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?);
            self.grid.is_free(cell).then_some(cell)
        });
        let near = |cell: &Cell| (self.middle(*cell).distance(place) * 256.0) as u32;
        cells
            .filter(|cell| self.middle(*cell).distance(place) <= NEAR_M)
            .min_by_key(|cell| (near(cell), cell.y, cell.x))
    }

    /// Fills `out` with a way, the next place last; false if no way leads there, and then it is empty.
    pub fn path(&self, [from, to]: [Vec2; 2], search: Search, walls: &[Wall], out: &mut Vec<Vec2>) -> bool {
        out.clear();
        let (Some(start), Some(goal)) = (self.footing(from), self.footing(to)) else { return false };
        if search == Search::Astar && is_clear(from, to, CLEARANCE_M, walls) {
            out.push(to);
            return true;
        }
        let Some(cells) = (match search {
            Search::Astar => self.shortest(start, goal),
            Search::Lrta => self.walked(start, goal),
        }) else {
            return false;
        };
        let places: Vec<Vec2> = cells.iter().map(|&cell| self.middle(cell)).chain([to]).collect();
        pull(from, &places, walls, out);
        out.reverse();
        true
    }

    fn shortest(&self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let mut search = Astar::default();
        let answer = search.query(&self.grid, &Query::new(start, goal), &AstarConfig::default());
        answer.is_found().then(|| answer.path.to_vec())
    }

    /// What a unit walks at its last trial: learning is over when a trial is no shorter than the one before.
    fn walked(&self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let mut unit = Lrta::new(&self.grid, start, goal);
        let mut best: Option<Vec<Cell>> = None;
        for _ in 0..TRIALS {
            unit.restart(start);
            let mut way = vec![start];
            loop {
                match unit.step(&self.grid) {
                    LrtaStep::Moved(cell) => {
                        // Where it was before: the loop is cut off.
                        let known = way.iter().position(|&it| it == cell);
                        way.truncate(known.map_or(way.len(), |place| place));
                        way.push(cell);
                    }
                    LrtaStep::Arrived => break,
                    LrtaStep::NoPath | LrtaStep::BadStart | LrtaStep::BadGoal => return None,
                }
                if unit.steps() > STEPS_MAX {
                    return best;
                }
            }
            let has_learned_all = best.as_ref().is_some_and(|before| before.len() <= way.len());
            best = Some(way);
            if has_learned_all {
                break;
            }
        }
        best
    }
}

/// Leaves out the places that one can walk past straight.
fn pull(from: Vec2, places: &[Vec2], walls: &[Wall], out: &mut Vec<Vec2>) {
    let (mut at, mut next) = (from, 0);
    while next < places.len() {
        let is_free = |place: &usize| is_clear(at, places[*place], CLEARANCE_M, walls);
        let far = (next..places.len()).rev().find(is_free).unwrap_or(next);
        out.push(places[far]);
        (at, next) = (places[far], far + 1);
    }
}
