//! UnitGrid: the terrain as one kind of unit walks it.
//!
//! Everything here follows from terrain and unit and is kept in step with the terrain's log by [`UnitGrid::follow`]: the cost
//! of each cell, the open steps of each cell (a byte, corners respected), free cells as bits by rows and by columns, and the
//! connected components. Building costs O(cells); an edit O(1), but for one that may part a component, which costs O(its cells).

use super::bitmap::Bitmap;
use super::component::Components;
use super::error::{GridError, GridProblem};
use super::terrain::{Change, Terrain};
use super::{COST_MAX, Cell, DIAGONAL, STEPS, STRAIGHT};

/// What a tag costs a kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// It cannot stand there.
    Impassable,
    /// So many times the way. Limit: 1..=[`COST_MAX`].
    Times(u8),
}

/// A kind of unit: what each tag costs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What it is called.
    pub name: String,
    /// A cost for each tag of the terrain, in the order of their numbers.
    pub costs: Vec<Cost>,
}

/// The terrain as one kind of unit walks it.
#[derive(Clone, Debug)]
pub struct UnitGrid {
    width: u32,
    height: u32,
    /// Cost of each tag, 0 if impassable.
    tag_costs: Vec<u8>,
    /// Cost of each cell, 0 if nobody can stand there.
    costs: Vec<u8>,
    /// Open steps of each cell, a bit each.
    moves: Vec<u8>,
    rows: Bitmap,
    columns: Bitmap,
    components: Components,
    cost_min: u8,
    cost_max: u8,
    version: u64,
}

impl UnitGrid {
    /// The ground of a unit. Refuses a unit whose costs do not match the terrain's tags.
    pub fn build(terrain: &Terrain, unit: &Unit) -> Result<UnitGrid, GridError> {
        let names = terrain.names();
        if unit.costs.len() != names.len() {
            return Err(GridProblem::Costs { count: unit.costs.len(), expected: names.len() }.bare());
        }
        let mut tag_costs = Vec::with_capacity(names.len());
        for (name, &cost) in names.iter().zip(&unit.costs) {
            tag_costs.push(match cost {
                Cost::Impassable => 0,
                Cost::Times(cost) if (1..=COST_MAX).contains(&cost) => cost,
                Cost::Times(cost) => return Err(GridProblem::Cost { tag: name.clone(), cost }.bare()),
            });
        }
        let passable = || tag_costs.iter().copied().filter(|&cost| cost > 0);
        let (cost_min, cost_max) = (passable().min().unwrap_or(1), passable().max().unwrap_or(1));
        let mut ground = UnitGrid {
            width: terrain.width(),
            height: terrain.height(),
            costs: Vec::new(),
            moves: Vec::new(),
            rows: Bitmap::default(),
            columns: Bitmap::default(),
            components: Components::default(),
            tag_costs,
            cost_min,
            cost_max,
            version: 0,
        };
        ground.rebuild(terrain);
        Ok(ground)
    }

    fn rebuild(&mut self, terrain: &Terrain) {
        let (width, height) = (self.width as usize, self.height as usize);
        (self.rows, self.columns) = (Bitmap::new(width, height), Bitmap::new(height, width));
        self.costs = (0..width * height).map(|index| self.cost_now(terrain, index)).collect();
        for (index, &cost) in self.costs.iter().enumerate() {
            self.rows.set(index % width, index / width, cost > 0);
            self.columns.set(index / width, index % width, cost > 0);
        }
        self.moves = vec![0; width * height];
        for index in 0..width * height {
            self.moves[index] = self.moves_now(index);
        }
        self.components.build(&self.costs, self.width);
        self.version = terrain.version();
    }

    /// Takes over what changed in the terrain this ground was built of. Whether anything did.
    pub fn follow(&mut self, terrain: &Terrain) -> bool {
        if terrain.version() == self.version && terrain.width() == self.width && terrain.height() == self.height {
            return false;
        }
        let is_same_size = terrain.width() == self.width && terrain.height() == self.height;
        match terrain.changes_since(self.version).filter(|_| is_same_size) {
            Some(changes) => changes.iter().for_each(|change| self.refresh(terrain, *change)),
            None => {
                (self.width, self.height) = (terrain.width(), terrain.height());
                self.rebuild(terrain);
            }
        }
        self.version = terrain.version();
        true
    }

    fn refresh(&mut self, terrain: &Terrain, change: Change) {
        let Some(index) = self.index(change.cell).map(|index| index as usize) else { return };
        let (old, new) = (self.costs[index], self.cost_now(terrain, index));
        self.costs[index] = new;
        if (old > 0) == (new > 0) {
            return;
        }
        let (x, y) = (usize::from(change.cell.x), usize::from(change.cell.y));
        self.rows.set(x, y, new > 0);
        self.columns.set(y, x, new > 0);
        for near_y in y.saturating_sub(1)..=(y + 1).min(self.height as usize - 1) {
            for near_x in x.saturating_sub(1)..=(x + 1).min(self.width as usize - 1) {
                let near = near_y * self.width as usize + near_x;
                self.moves[near] = self.moves_now(near);
            }
        }
        if new > 0 {
            self.components.join(index, &self.moves, self.width);
        } else {
            self.components.part(index, &self.rows, &self.moves, self.width);
        }
    }

    fn cost_now(&self, terrain: &Terrain, index: usize) -> u8 {
        let (tag, is_obstacle) = terrain.at(index);
        if is_obstacle { 0 } else { self.tag_costs.get(usize::from(tag)).copied().unwrap_or(0) }
    }

    fn moves_now(&self, index: usize) -> u8 {
        if self.costs[index] == 0 {
            return 0;
        }
        let (x, y) = (index % self.width as usize + 1, index / self.width as usize + 1);
        let mut free = 0u32;
        for (way, (dx, dy)) in STEPS.iter().enumerate() {
            let is_free = self.rows.is_free(x.wrapping_add_signed(*dx as isize), y.wrapping_add_signed(*dy as isize));
            free |= u32::from(is_free) << way;
        }
        // A diagonal step needs the straight ones on both sides of it.
        let sides = (free << 1 | free >> 7) & (free >> 1 | free << 7);
        (free & (0b0101_0101 | sides)) as u8
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The version of the terrain that this ground shows.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What a cell costs; none outside and where this unit cannot stand.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<u8> {
        self.index(cell).map(|index| self.costs[index as usize]).filter(|&cost| cost > 0)
    }

    /// Whether a unit can stand on a cell.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.cost(cell).is_some()
    }

    /// Whether all ground this unit can stand on costs the same: where jump-point search and any-angle paths are optimal.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.cost_min == self.cost_max
    }

    /// The least cost of a tag this unit can stand on: what heuristics count with, so that they never say too much.
    #[must_use]
    pub fn cost_min(&self) -> u8 {
        self.cost_min
    }

    /// The component of a cell: cells of equal number are reachable from each other. None where nobody can stand. Numbers
    /// change with edits.
    #[must_use]
    pub fn component(&self, cell: Cell) -> Option<u32> {
        self.index(cell).map(|index| self.components.label(index as usize)).filter(|&label| label > 0)
    }

    /// The cell of the component of `from` that is nearest to `to` in a straight line, the first by row and column of equals;
    /// none if nobody can stand at `from`. Outside is fine for `to`. Costs O(square of the distance).
    #[must_use]
    pub fn nearest(&self, from: Cell, to: Cell) -> Option<Cell> {
        self.component(from).and_then(|label| self.components.nearest(label, to, self.width, self.height))
    }

    /// Bytes held for each cell, about: the whole of it over the cells.
    #[must_use]
    pub fn bytes_per_cell(&self) -> f64 {
        let bytes = self.costs.len() + self.moves.len() + self.rows.bytes() + self.columns.bytes();
        (bytes + self.components.bytes()) as f64 / self.costs.len() as f64
    }

    /// The number of a cell; none outside.
    pub(crate) fn index(&self, cell: Cell) -> Option<u32> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    pub(crate) fn cell(&self, index: u32) -> Cell {
        Cell::new((index % self.width) as u16, (index / self.width) as u16)
    }

    pub(crate) fn len(&self) -> usize {
        self.costs.len()
    }

    /// Takes other costs for cells that can be stood on, by their number. Where one can stand does not change: a cost of 0 counts
    /// as 1 there, and any cost as 0 elsewhere.
    pub(crate) fn set_costs(&mut self, cost: impl Fn(usize) -> u8) {
        // The greatest that there can be, whatever there is: so queues of searches keep their size.
        (self.cost_min, self.cost_max) = (COST_MAX, COST_MAX);
        for (index, own) in self.costs.iter_mut().enumerate().filter(|(_, own)| **own > 0) {
            *own = cost(index).clamp(1, COST_MAX);
            self.cost_min = self.cost_min.min(*own);
        }
    }

    pub(crate) fn moves(&self) -> &[u8] {
        &self.moves
    }

    pub(crate) fn costs(&self) -> &[u8] {
        &self.costs
    }

    pub(crate) fn cost_max(&self) -> u8 {
        self.cost_max
    }

    pub(crate) fn rows(&self) -> &Bitmap {
        &self.rows
    }

    pub(crate) fn columns(&self) -> &Bitmap {
        &self.columns
    }

    /// How far each of the eight steps goes in numbers of cells.
    pub(crate) fn offsets(&self) -> [i32; 8] {
        STEPS.map(|(dx, dy)| dy * self.width as i32 + dx)
    }

    /// What a step costs in the unit of the searches.
    #[inline(always)]
    pub(crate) fn step_cost(&self, from: u32, to: u32, way: usize) -> u32 {
        let sum = u32::from(self.costs[from as usize]) + u32::from(self.costs[to as usize]);
        (if way & 1 == 0 { STRAIGHT } else { DIAGONAL }) * sum
    }
}
