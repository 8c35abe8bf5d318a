//! Cost layers on a grid: what a cell costs beside its terrain, such as influence and danger.
//!
//! A cell costs `terrain + Σ weight · part`, where the part of a layer is its share of the cell (0..=1) if the unit shuns it, and
//! what is missing to 1 if the unit seeks it. So every layer only ever adds, costs stay positive, and heuristics that count
//! with the least cost stay admissible. The sum is kept in whole steps of 1/`detail` in a [`UnitGrid`] of its own:
//! [`Astar`], [`FlowField`](super::FlowField), [`Hierarchy`](super::Hierarchy) and all other searches read it as they read plain ground,
//! and find the least cost.
//!
//! The other variant ([`LayerUse::Heuristic`]) is that of a well-known student project: terrain and layers are added to the heuristic
//! instead of the cost. Its paths lean toward what is cheap near by and are not optimal; it is here to be compared with.
//!
//! Laying costs O(cells · layers) and allocates nothing once it has seen as many.

use sentir_core::math;

use super::heap::Heap;
use super::trace;
use super::{Astar, AstarConfig, COST_MAX, Cell, Query, STEPS, STRAIGHT, UnitGrid, octile};
use crate::answer::{Ending, PathAnswer};

/// What a unit makes of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pull {
    /// Cells cost more the more of it there is.
    #[default]
    Shun,
    /// Cells cost more the less of it there is.
    Seek,
    /// It counts for nothing.
    Off,
}

/// A layer: something that a cell has a share of.
#[derive(Clone, Copy, Debug)]
pub struct CostLayer<'a> {
    /// What it is called in reasons.
    pub name: &'static str,
    /// Seek or shun.
    pub pull: Pull,
    /// What a cell costs more at the most, in cells of cost 1. What is negative or no number counts as 0.
    pub weight: f32,
    /// The share of each cell, row by row, 0..=1. What is outside counts as the nearer end, what is no number or missing as 0.
    pub shares: &'a [f32],
}

impl CostLayer<'_> {
    /// What it adds to a cell, in cells of cost 1. Limit: ≥ 0.
    #[must_use]
    pub fn cost(&self, index: usize) -> f32 {
        let share = self.shares.get(index).copied().filter(|share| *share > 0.0).map_or(0.0, math::saturate);
        let weight = if self.weight > 0.0 { self.weight } else { 0.0 };
        match self.pull {
            Pull::Shun => weight * share,
            Pull::Seek => weight * (1.0 - share),
            Pull::Off => 0.0,
        }
    }
}

/// Where the layers count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerUse {
    /// In the cost of each step: paths are optimal.
    #[default]
    Cost,
    /// In the guess of the way left: paths are not.
    Heuristic,
}

/// What a layer's part of a path's cost was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerWhy {
    /// The layer; `terrain` for the ground itself.
    pub name: &'static str,
    /// Its part, in cells of cost 1.
    pub cost: f64,
}

/// A unit's ground with layers on it.
#[derive(Clone, Debug)]
pub struct LayeredGrid {
    base: UnitGrid,
    ground: UnitGrid,
    detail: u8,
    /// Names of the layers as they lie, with what each added, row by row, in steps of 1/`detail`.
    parts: Vec<(&'static str, Vec<u8>)>,
}

impl LayeredGrid {
    /// A ground without layers. `detail` is the number of steps that a cost of 1 is told apart by: the greatest cost of a
    /// cell, terrain and layers, is [`COST_MAX`] / `detail`, and what is more counts as that. Limit: 1..=16, others count as the
    /// nearest of these.
    #[must_use]
    pub fn new(base: UnitGrid, detail: u8) -> LayeredGrid {
        let ground = base.clone();
        let mut grid = LayeredGrid { base, ground, detail: detail.clamp(1, 16), parts: Vec::new() };
        grid.lay(&[]);
        grid
    }

    /// The terrain alone.
    #[must_use]
    pub fn base(&self) -> &UnitGrid {
        &self.base
    }

    /// Terrain and layers, for any search; a cost of 1 is [`detail`](LayeredGrid::detail) here.
    #[must_use]
    pub fn ground(&self) -> &UnitGrid {
        &self.ground
    }

    /// Steps that a cost of 1 is told apart by.
    #[must_use]
    pub fn detail(&self) -> u8 {
        self.detail
    }

    /// Lays layers on the terrain, in place of those before.
    pub fn lay(&mut self, layers: &[CostLayer<'_>]) {
        let (base, detail) = (self.base.costs(), self.detail);
        self.parts.truncate(layers.len());
        self.parts.resize_with(layers.len(), || ("", Vec::new()));
        for (layer, (name, part)) in layers.iter().zip(&mut self.parts) {
            *name = layer.name;
            part.clear();
            let step = |index: usize| math::min(layer.cost(index) * f32::from(detail) + 0.5, f32::from(COST_MAX)) as u8;
            part.extend((0..base.len()).map(step));
        }
        let parts = &self.parts;
        self.ground.set_costs(|index| {
            let own = u16::from(base[index]) * u16::from(detail);
            let sum = parts.iter().fold(own, |sum, (_, part)| sum + u16::from(part[index]));
            if base[index] == 0 { 0 } else { sum.clamp(1, u16::from(COST_MAX)) as u8 }
        });
    }

    /// What a path of single steps costs, in cells of cost 1.
    #[must_use]
    pub fn cost(&self, path: &[Cell]) -> f64 {
        trace::cost(&self.ground, path) / f64::from(self.detail)
    }

    /// What of a path's cost is whose: terrain first, then the layers as they were laid. Where a cell was cut at the greatest
    /// cost, what each layer added before the cut is told, so the sum may be more than the path's cost.
    pub fn why(&self, path: &[Cell], out: &mut Vec<LayerWhy>) {
        out.clear();
        let own = |cell: Cell| f64::from(self.base.cost(cell).unwrap_or(0));
        out.push(LayerWhy { name: "terrain", cost: sum_over(path, own) });
        for (name, part) in &self.parts {
            let share = |cell: Cell| self.base.index(cell).map_or(0.0, |index| f64::from(part[index as usize]));
            out.push(LayerWhy { name, cost: sum_over(path, share) / f64::from(self.detail) });
        }
    }
}

/// A sum along a path of single steps: length times the mean of both cells.
fn sum_over(path: &[Cell], of: impl Fn(Cell) -> f64) -> f64 {
    let step = |pair: &[Cell]| {
        let length = if pair[0].apart(pair[1]) == (1, 1) { std::f64::consts::SQRT_2 } else { 1.0 };
        length * 0.5 * (of(pair[0]) + of(pair[1]))
    };
    path.windows(2).map(step).sum()
}

/// An entry of the open list: f, then the later of equals, then the cell.
type Entry = (u32, u32, u32);

/// What is known of a cell: length to it, the step that led there, whether it is done, and of which query that is.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    length: u32,
    query: u32,
    came: u8,
    is_closed: bool,
}

/// The memory of a search by layers, to be used again.
#[derive(Clone, Debug, Default)]
pub struct LayeredSearch {
    astar: Astar,
    nodes: Vec<Node>,
    query: u32,
    open: Heap<Entry>,
    path: Vec<Cell>,
}

impl LayeredSearch {
    /// A way from start to goal. Its cost is in cells of cost 1, layers and all, whichever variant found it.
    pub fn query(&mut self, grid: &LayeredGrid, query: &Query, layers: LayerUse) -> PathAnswer<'_, Cell> {
        match layers {
            LayerUse::Cost => {
                let answer = self.astar.query(grid.ground(), query, &AstarConfig::default());
                PathAnswer { cost: answer.cost / f64::from(grid.detail), ..answer }
            }
            LayerUse::Heuristic => self.leaning(grid, query),
        }
    }

    /// The search that adds terrain and layers to the heuristic: f = length + octile guess + what the cell costs. A cell that was
    /// taken once is not taken again.
    fn leaning(&mut self, grid: &LayeredGrid, query: &Query) -> PathAnswer<'_, Cell> {
        let ground = grid.ground();
        let errand = match trace::enter(ground, query) {
            Ok(errand) => errand,
            Err(ending) => return PathAnswer::refused(ending),
        };
        if self.nodes.len() != ground.len() || self.query == u32::MAX {
            self.nodes.clear();
            self.nodes.resize(ground.len(), Node::default());
            self.query = 0;
        }
        self.query += 1;
        self.open.clear();
        let (goal, offsets, moves, costs) =
            (ground.cell(errand.goal), ground.offsets(), ground.moves(), ground.costs());
        let cell_cost = |index: u32| 2 * STRAIGHT * u32::from(costs[index as usize]) / u32::from(grid.detail);
        let rank = |length: u32, index: u32| {
            (length + octile(ground.cell(index).apart(goal)) + cell_cost(index), u32::MAX - length, index)
        };
        self.nodes[errand.start as usize] = Node { length: 0, query: self.query, came: 8, is_closed: false };
        self.open.push(rank(0, errand.start));
        let (mut expanded, mut last, mut ending) = (0, errand.start, Ending::OutOfBudget);
        while let Some((_, _, index)) = self.open.pop() {
            if self.nodes[index as usize].is_closed {
                continue;
            }
            if index == errand.goal || expanded == query.expansions_max {
                (last, ending) = (index, if index == errand.goal { errand.ending } else { Ending::OutOfBudget });
                break;
            }
            expanded += 1;
            self.nodes[index as usize].is_closed = true;
            let length = self.nodes[index as usize].length;
            for way in (0..8usize).filter(|way| moves[index as usize] >> way & 1 == 1) {
                let next = index.wrapping_add_signed(offsets[way]);
                let (dx, dy) = STEPS[way];
                let total = length + octile((dx.unsigned_abs(), dy.unsigned_abs()));
                let node = &mut self.nodes[next as usize];
                if node.query == self.query && (node.is_closed || node.length <= total) {
                    continue;
                }
                *node = Node { length: total, query: self.query, came: way as u8, is_closed: false };
                self.open.push(rank(total, next));
            }
        }
        self.trace(ground, last);
        PathAnswer { ending, path: &self.path, cost: grid.cost(&self.path), expanded }
    }

    fn trace(&mut self, ground: &UnitGrid, last: u32) {
        let offsets = ground.offsets();
        self.path.clear();
        let mut index = last;
        loop {
            self.path.push(ground.cell(index));
            let Some(offset) = offsets.get(usize::from(self.nodes[index as usize].came)) else { break };
            index = index.wrapping_add_signed(-offset);
        }
        self.path.reverse();
    }
}
