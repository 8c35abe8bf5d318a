//! One cluster: its borders, its crossings, and searches that stay inside.

use super::super::bucket::BucketQueue;
use super::super::{DIAGONAL, STEPS, UnitGrid, octile};
use super::{FAR, Hierarchy, PLAIN};

/// A search within a rectangle of at most 32 × 32 cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    nodes: Vec<(u32, u8)>,
    left: u32,
    bottom: u32,
    width: u32,
    height: u32,
}

/// A stretch of border shorter than this has one crossing, in its middle.
const SHORT: u32 = 3;
/// The way that led to the first cell: none.
const FIRST: u8 = 8;

impl Patch {
    fn local(&self, ground: &UnitGrid, index: u32) -> usize {
        let (x, y) = (index % ground.width(), index / ground.width());
        ((y - self.bottom) * self.width + x - self.left) as usize
    }

    /// Takes the cells of a cluster.
    pub(crate) fn take(&mut self, ground: &UnitGrid, side: u32, cluster_x: u32, cluster_y: u32) {
        (self.left, self.bottom) = (cluster_x * side, cluster_y * side);
        self.width = side.min(ground.width() - self.left);
        self.height = side.min(ground.height() - self.bottom);
    }

    /// Lengths from a cell to all others of the rectangle, or until `target` is reached. How many cells were expanded.
    pub(crate) fn run(&mut self, ground: &UnitGrid, queue: &mut BucketQueue, from: u32, target: Option<u32>) -> u32 {
        self.nodes.clear();
        self.nodes.resize((self.width * self.height) as usize, (FAR, FIRST));
        let (offsets, least) = (ground.offsets(), u32::from(ground.cost_min()));
        let aim = target.map(|target| ground.cell(target));
        let guess = |index: u32| aim.map_or(0, |aim| least * octile(ground.cell(index).apart(aim)));
        let first = guess(from);
        queue.clear(4 * DIAGONAL * u32::from(ground.cost_max()), first);
        let local = self.local(ground, from);
        self.nodes[local] = (0, FIRST);
        queue.push(first, from);
        let mut expanded = 0;
        while let Some((key, index)) = queue.pop_key() {
            let (length, _) = self.nodes[self.local(ground, index)];
            if key != length + guess(index) {
                continue;
            }
            if target == Some(index) {
                break;
            }
            expanded += 1;
            let (x, y) = (index % ground.width(), index / ground.width());
            for way in (0..8).filter(|way| ground.moves()[index as usize] >> way & 1 == 1) {
                let (dx, dy) = STEPS[way];
                let (next_x, next_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let is_inside =
                    next_x.wrapping_sub(self.left) < self.width && next_y.wrapping_sub(self.bottom) < self.height;
                if !is_inside {
                    continue;
                }
                let next = index.wrapping_add_signed(offsets[way]);
                let total = length + ground.step_cost(index, next, way);
                let local = ((next_y - self.bottom) * self.width + next_x - self.left) as usize;
                if total < self.nodes[local].0 {
                    self.nodes[local] = (total, way as u8);
                    queue.push(total + guess(next), next);
                }
            }
        }
        expanded
    }

    /// The length found to a cell of the rectangle.
    pub(crate) fn length(&self, ground: &UnitGrid, index: u32) -> u32 {
        self.nodes[self.local(ground, index)].0
    }

    /// The cells from a cell back to the first one, which is left out.
    pub(crate) fn back(&self, ground: &UnitGrid, from: u32, mut visit: impl FnMut(u32)) {
        let (offsets, mut index) = (ground.offsets(), from);
        loop {
            let (_, way) = self.nodes[self.local(ground, index)];
            if way >= FIRST {
                return;
            }
            visit(index);
            index = index.wrapping_add_signed(-offsets[usize::from(way)]);
        }
    }
}

impl Hierarchy {
    /// Finds the crossings of a cluster and the lengths between them.
    pub(super) fn rebuild(&mut self, ground: &UnitGrid, number: u32) {
        let (x, y) = (number % self.columns, number / self.columns);
        self.patch.take(ground, self.config.side, x, y);
        for row in 0..self.patch.height {
            for column in 0..self.patch.width {
                let index = (self.patch.bottom + row) * ground.width() + self.patch.left + column;
                self.slots[index as usize] = PLAIN;
            }
        }
        let cluster = &mut self.clusters[number as usize];
        cluster.crossings.clear();
        for way in [0, 2, 4, 6] {
            border(ground, &self.patch, way, self.config.spacing, &mut cluster.crossings);
        }
        cluster.crossings.sort_unstable();
        cluster.crossings.dedup();
        cluster.lengths.clear();
        for (slot, &crossing) in cluster.crossings.iter().enumerate() {
            self.slots[crossing as usize] = slot as u8;
            self.patch.run(ground, &mut self.queue, crossing, None);
            cluster.lengths.extend(cluster.crossings.iter().map(|&other| self.patch.length(ground, other)));
        }
    }
}

/// The crossings of one border: for each stretch along which one can step over, its ends and some between, or its middle if it
/// is short. Seen from the other side they are the same.
fn border(ground: &UnitGrid, patch: &Patch, way: usize, spacing: u32, crossings: &mut Vec<u32>) {
    let (count, step) = if way & 2 == 0 { (patch.height, ground.width()) } else { (patch.width, 1) };
    let corner = patch.bottom * ground.width() + patch.left;
    let first = match way {
        0 => corner + patch.width - 1,
        2 => corner + (patch.height - 1) * ground.width(),
        _ => corner,
    };
    let is_open = |at: u32| at < count && ground.moves()[(first + at * step) as usize] >> way & 1 == 1;
    let mut at = 0;
    while at < count {
        if !is_open(at) {
            at += 1;
            continue;
        }
        let from = at;
        while is_open(at) {
            at += 1;
        }
        let length = at - from;
        if length < SHORT {
            crossings.push(first + (from + length / 2) * step);
            continue;
        }
        let gaps = (length - 1).div_ceil(spacing);
        crossings.extend((0..=gaps).map(|gap| first + (from + gap * (length - 1) / gaps.max(1)) * step));
    }
}
