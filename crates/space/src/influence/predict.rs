//! Where a target that was lost may be.
//!
//! The map starts at 1 where the target was last seen, and spreads as fast as it can run: a step costs its length, divided by
//! how fast the target is likely to go that way, and nothing is reached that costs more than the time since allows. So the
//! front is a distance over walkable ground, not a square of cells (by eight directions, so up to 8 % and a cell ahead of a
//! runner along an axis; never behind one). Cells that somebody watches are emptied and not entered,
//! and when nobody watches them any more, it comes back into them from beside.
//!
//! **Velocity**: with the velocity at which it was last seen, the map starts a little ahead (as far as no wall is in the way),
//! and likelihood spreads slower against that direction than along it; how much slower is forgotten in time. It slows what is
//! likely, not what is possible: the front is the same.
//!
//! **Recency**: on open ground everything within reach becomes likely. Who runs is near the front, so what was reached lately
//! ranks higher: a cell's likelihood is halved every so many seconds since it was reached.
//!
//! O(cells · iterations) an update; nothing allocated once warm.

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::{math, plane};
use sentir_nav::grid::Cell;

use super::grid::STEPS;
use super::kernel::spread_biased;
use super::{Grid, ITERATIONS_MAX, Map, Scratch, Watch};

/// How much longer a way by eight directions is than a straight one at most: who runs straight is never before the front.
const OCTILE: f32 = 1.0824;

/// How a target is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionConfig {
    /// Time from one update to the next, s. Limit: > 0.
    pub period_s: f32,
    /// How fast the target can run, m/s. Limit: >= 0.
    pub speed_m_per_s: f32,
    /// Strength lost a meter of way. Near 0: likelihood is a matter of reach. Limit: 1e-4..=1.
    pub decay_per_m: f32,
    /// How far ahead of where it was last seen the map starts, in seconds at its velocity. Limit: >= 0.
    pub lead_s: f32,
    /// How much slower it is expected to go straight back than ahead, as a share. Limit: 0..=0.9; 0 is no matter.
    pub bias: f32,
    /// After how long half of the bias is forgotten, s. Limit: > 0.
    pub bias_half_life_s: f32,
    /// After how long the likelihood of a cell is halved once it was reached, s; infinite: never. Limit: > 0.
    pub recency_half_life_s: f32,
}

impl Default for PredictionConfig {
    fn default() -> PredictionConfig {
        PredictionConfig {
            period_s: 0.25,
            speed_m_per_s: 4.0,
            decay_per_m: 0.05,
            lead_s: 0.5,
            bias: 0.8,
            bias_half_life_s: 10.0,
            recency_half_life_s: 4.0,
        }
    }
}

/// A search for one target; state. Before [`lost`](Prediction::lost) and after [`found`](Prediction::found) it is empty. The default
/// has no cells: it takes those of the grid on which its first target is lost.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Prediction {
    map: Map,
    /// The same without regard to direction: where it can be at all.
    reach: Map,
    /// When each cell was reached, s since the target was lost; with the rim. Meaningless where the map is 0.
    reached_s: Vec<f32>,
    elapsed_s: f32,
    /// Direction in which it was last seen to go; zero if it stood, or nobody knows.
    heading: Vec2,
    is_active: bool,
}

impl Prediction {
    /// Nothing is looked for yet.
    #[must_use]
    pub fn new(grid: &Grid) -> Prediction {
        let reached_s = vec![0.0; grid.len()];
        Prediction {
            map: Map::new(grid),
            reach: Map::new(grid),
            reached_s,
            elapsed_s: 0.0,
            heading: Vec2::ZERO,
            is_active: false,
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_sized = self.reached_s.len() == self.map.values.len() && self.reach.size() == self.map.size();
        let is_sound = is_sized && self.elapsed_s >= 0.0 && self.heading.is_finite();
        if is_sound { Ok(()) } else { Err("a prediction has not one time a cell, or a number out of its range") }
    }

    /// The target was last seen here, going there (zero if that is not known); it is looked for from now on. Off the walkable
    /// cells, the nearest walkable one within three cells counts. On a grid of another size than the last it begins anew.
    pub fn lost(&mut self, grid: &Grid, config: &PredictionConfig, at: Vec2, velocity: Vec2) {
        self.found();
        if !at.is_finite() {
            return;
        }
        if !self.map.fits(grid) {
            *self = Prediction::new(grid);
        }
        self.is_active = true;
        self.heading = plane::direction(velocity);
        let near = grid.disc(at, 3.0 * grid.cell_m()).filter(|&cell| grid.is_free(cell));
        let apart = |cell: Cell| grid.center(cell).distance_squared(at);
        let own = grid.cell_at(at).filter(|&cell| grid.is_free(cell));
        let start =
            own.or_else(|| near.min_by(|&a, &b| apart(a).total_cmp(&apart(b)).then((a.y, a.x).cmp(&(b.y, b.x)))));
        let Some(start) = start else { return };
        self.start(grid, start);
        // Ahead, cell by cell, until something is in the way.
        let speed = math::min(velocity.length(), config.speed_m_per_s);
        let ahead_m = if self.heading == Vec2::ZERO { 0.0 } else { speed * config.lead_s };
        let steps = ((ahead_m / grid.cell_m()) * 2.0) as u32;
        let from = grid.center(start);
        for step in 1..=steps.min(2 * ITERATIONS_MAX) {
            let cell = grid.cell_at(from + self.heading * (step as f32 * 0.5 * grid.cell_m()));
            let Some(cell) = cell.filter(|&cell| grid.is_free(cell)) else { break };
            self.start(grid, cell);
        }
    }

    fn start(&mut self, grid: &Grid, cell: Cell) {
        self.map.raise(grid, cell, 1.0);
        self.reach.raise(grid, cell, 1.0);
        if let Some(index) = self.map.index(cell) {
            self.reached_s[index] = 0.0;
        }
    }

    /// The target is seen again, or given up: nothing is looked for.
    pub fn found(&mut self) {
        if !self.is_active {
            return;
        }
        self.map.clear();
        self.reach.clear();
        self.elapsed_s = 0.0;
        self.is_active = false;
    }

    /// Whether something is looked for.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// One update: the front runs on by the time of a period.
    pub fn update(&mut self, grid: &Grid, config: &PredictionConfig, watch: Option<&Watch>, scratch: &mut Scratch) {
        if !self.is_active || !self.map.fits(grid) {
            return;
        }
        let sound = |value: f32, low: f32, high: f32| if value > low { math::min(value, high) } else { low };
        let (period_s, speed) = (sound(config.period_s, 1e-3, 1e3), sound(config.speed_m_per_s, 0.0, 1e3));
        let decay = sound(config.decay_per_m, 1e-4, 1.0);
        self.elapsed_s += period_s;
        let left = math::exp2(-self.elapsed_s / sound(config.bias_half_life_s, 1e-3, 1e9));
        let (even, biased) =
            (self.factors(grid, decay, 0.0), self.factors(grid, decay, sound(config.bias, 0.0, 0.9) * left));
        let floor = math::exp(-decay * (OCTILE * speed * self.elapsed_s + grid.cell_m()));
        let count = ((OCTILE * speed * period_s / grid.cell_m()).ceil() as u32).clamp(1, ITERATIONS_MAX);
        for _ in 0..count {
            let next = scratch.fit(self.reach.values.len());
            spread_biased(grid, &even, floor, &self.reach.values, next);
            if let Some(watch) = watch {
                watch.wipe(next);
            }
            for ((reached_s, &old), &new) in self.reached_s.iter_mut().zip(&self.reach.values).zip(next.iter()) {
                *reached_s = if old == 0.0 && new > 0.0 { self.elapsed_s } else { *reached_s };
            }
            std::mem::swap(&mut self.reach.values, next);
            let next = scratch.fit(self.map.values.len());
            spread_biased(grid, &biased, 0.0, &self.map.values, next);
            for (value, &reach) in next.iter_mut().zip(&self.reach.values) {
                *value = if reach > 0.0 { *value } else { 0.0 };
            }
            std::mem::swap(&mut self.map.values, next);
        }
        self.map.clear_rim();
        self.reach.clear_rim();
    }

    /// What is left after a step in each of the eight directions.
    fn factors(&self, grid: &Grid, decay: f32, bias: f32) -> [f32; 8] {
        STEPS.map(|(dx, dy)| {
            let way = Vec2::new(dx as f32, dy as f32);
            let length = way.length();
            let ahead = if self.heading == Vec2::ZERO { 1.0 } else { self.heading.dot(way) / length };
            let speed = 1.0 - bias * 0.5 * (1.0 - ahead);
            math::exp(-decay * length * grid.cell_m() / speed)
        })
    }

    /// The reach map: e^(−decay · way) where the target may be, 0 elsewhere.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// How likely a cell is, 0..=1: its reach, and how lately it was reached.
    #[must_use]
    pub fn likelihood(&self, config: &PredictionConfig, cell: Cell) -> f32 {
        let Some(index) = self.map.index(cell).filter(|_| self.is_active) else { return 0.0 };
        let (value, age_s) = (self.map.values[index], self.elapsed_s - self.reached_s[index]);
        let age = age_s / config.recency_half_life_s;
        if value > 0.0 && age > 0.0 { value * math::exp2(-age) } else { value }
    }

    /// Writes the likelihood of every cell into a map of the same size.
    pub fn fill(&self, config: &PredictionConfig, out: &mut Map) {
        if out.size() != self.map.size() {
            return;
        }
        for index in 0..out.values.len() {
            let (value, age_s) = (self.map.values[index], self.elapsed_s - self.reached_s[index]);
            let age = age_s / config.recency_half_life_s;
            let is_aged = value > 0.0 && age > 0.0;
            out.values[index] = if is_aged { value * math::exp2(-age) } else { value };
        }
    }

    /// How many walkable cells are likelier than this one, with half of those equally likely: its rank, 0 the first. As many
    /// as there are if it is none of those where the target may be. O(cells).
    #[must_use]
    pub fn rank(&self, grid: &Grid, config: &PredictionConfig, cell: Cell) -> f32 {
        let own = self.likelihood(config, cell);
        if own <= 0.0 {
            return grid.free_count() as f32;
        }
        let (mut above, mut equal) = (0u32, 0u32);
        for other in grid.free_cells() {
            let value = self.likelihood(config, other);
            above += u32::from(value > own);
            equal += u32::from(value == own && other != cell);
        }
        above as f32 + 0.5 * equal as f32
    }
}
