//! Connected components: which cells can be reached from which, kept through edits.
//!
//! As no corner is cut, cells hang together by straight steps. A freed cell joins what it touches: all but the greatest
//! component are flooded with its number. A blocked cell parts nothing if its free neighbors still hang together around it;
//! else each side is flooded anew.

use super::Cell;
use super::bitmap::Bitmap;

/// A number for each cell; 0 where nobody can stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    labels: Vec<u32>,
    /// Cells of each number.
    sizes: Vec<u32>,
    stack: Vec<u32>,
}

impl Components {
    pub(crate) fn build(&mut self, costs: &[u8], width: u32) {
        let (width, count) = (width as usize, costs.len());
        self.labels.clear();
        self.labels.resize(count, 0);
        self.sizes.clear();
        self.sizes.push(0);
        for first in 0..count {
            if costs[first] == 0 || self.labels[first] != 0 {
                continue;
            }
            let (label, mut size) = (self.sizes.len() as u32, 0);
            self.labels[first] = label;
            self.stack.push(first as u32);
            while let Some(one) = self.stack.pop() {
                size += 1;
                let (one, x) = (one as usize, one as usize % width);
                let near = [(x > 0, one.wrapping_sub(1)), (x + 1 < width, one + 1)];
                let far = [(one >= width, one.wrapping_sub(width)), (one + width < count, one + width)];
                for (_, next) in near.into_iter().chain(far).filter(|&(is_inside, _)| is_inside) {
                    if costs[next] > 0 && self.labels[next] == 0 {
                        self.labels[next] = label;
                        self.stack.push(next as u32);
                    }
                }
            }
            self.sizes.push(size);
        }
    }

    pub(crate) fn label(&self, index: usize) -> u32 {
        self.labels[index]
    }

    /// A cell became free.
    pub(crate) fn join(&mut self, index: usize, moves: &[u8], width: u32) {
        let mut greatest = 0;
        for next in straight(index, moves, width) {
            let label = self.labels[next];
            if self.sizes[label as usize] > self.sizes[greatest as usize] {
                greatest = label;
            }
        }
        if greatest == 0 {
            greatest = self.sizes.len() as u32;
            self.sizes.push(0);
        }
        self.labels[index] = greatest;
        self.sizes[greatest as usize] += 1;
        for next in straight(index, moves, width) {
            if self.labels[next] != greatest {
                self.flood(next, greatest, moves, width);
            }
        }
    }

    /// A cell became blocked.
    pub(crate) fn part(&mut self, index: usize, rows: &Bitmap, moves: &[u8], width: u32) {
        let old = self.labels[index];
        self.labels[index] = 0;
        self.sizes[old as usize] -= 1;
        let (x, y) = (index % width as usize + 1, index / width as usize + 1);
        let ring = super::STEPS
            .map(|(dx, dy)| rows.is_free(x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize)));
        // Gaps of the ring: a straight neighbor is free and the ring is broken behind it.
        let sides = (0..4).filter(|side| ring[side * 2] && !(ring[side * 2 + 1] && ring[(side * 2 + 2) % 8])).count();
        if sides <= 1 {
            return;
        }
        let offsets = [1, width as isize, -1, -(width as isize)];
        for (side, offset) in offsets.into_iter().enumerate() {
            let next = index.wrapping_add_signed(offset);
            if ring[side * 2] && self.labels[next] == old {
                let label = self.sizes.len() as u32;
                self.sizes.push(0);
                self.flood(next, label, moves, width);
            }
        }
    }

    /// Gives a cell and all that hangs together with it, and has the same number, another one.
    fn flood(&mut self, first: usize, label: u32, moves: &[u8], width: u32) {
        let old = self.labels[first];
        self.labels[first] = label;
        self.stack.push(first as u32);
        let mut size = 0;
        while let Some(one) = self.stack.pop() {
            size += 1;
            for next in straight(one as usize, moves, width) {
                if self.labels[next] == old {
                    self.labels[next] = label;
                    self.stack.push(next as u32);
                }
            }
        }
        self.sizes[old as usize] -= size;
        self.sizes[label as usize] += size;
    }

    /// The cell of a component nearest to a place: rings around it, until no farther one can hold a nearer cell.
    pub(crate) fn nearest(&self, label: u32, to: Cell, width: u32, height: u32) -> Option<Cell> {
        let (x, y, width, height) = (i32::from(to.x), i32::from(to.y), width as i32, height as i32);
        let mut best: Option<(i64, i32, i32)> = None;
        let reach_max = x.max(width - 1 - x).max(y).max(height - 1 - y).max(0);
        // The first ring that touches the map.
        let reach_min = (x - width + 1).max(y - height + 1).max(0);
        for reach in reach_min..=reach_max {
            if best.is_some_and(|(square, ..)| square < i64::from(reach) * i64::from(reach)) {
                break;
            }
            for row in (y - reach).max(0)..=(y + reach).min(height - 1) {
                let is_edge = row == y - reach || row == y + reach;
                let step = if is_edge || reach == 0 { 1 } else { 2 * reach };
                let first = if is_edge { (x - reach).max(0) } else { x - reach };
                for column in (first..=(x + reach).min(width - 1)).step_by(step as usize) {
                    if column >= 0 && self.labels[(row * width + column) as usize] == label {
                        let (dx, dy) = (i64::from(column - x), i64::from(row - y));
                        let found = (dx * dx + dy * dy, row, column);
                        best = Some(best.map_or(found, |old| old.min(found)));
                    }
                }
            }
        }
        best.map(|(_, row, column)| Cell::new(column as u16, row as u16))
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.labels.len() + self.sizes.len()) * 4
    }
}

/// The cells one straight step away.
fn straight(index: usize, moves: &[u8], width: u32) -> impl Iterator<Item = usize> + use<> {
    let open = moves[index];
    let offsets = [1, width as isize, -1, -(width as isize)];
    (0..4).filter(move |side| open >> (side * 2) & 1 == 1).map(move |side| index.wrapping_add_signed(offsets[side]))
}
