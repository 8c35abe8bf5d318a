//! Paths made shorter afterwards: pulled taut at any angle, or straightened within the eight directions.
//!
//! Neither makes a path costlier: each replaces a piece only by one that is no more.

use super::sight::is_clear;
use super::{Cell, STEPS, UnitGrid, octile};

/// Keeps the turns of a path only, then of these only what sight needs: each corner is the farthest one seen from the one
/// before, as far as seeing goes on without a break. No longer than the path, as it is one of chords. O(turns · length).
pub(crate) fn pull(ground: &UnitGrid, path: &[Cell], taut: &mut Vec<Cell>) {
    taut.clear();
    let Some((&first, &last)) = path.first().zip(path.last()) else { return };
    taut.push(first);
    let step =
        |pair: &[Cell]| (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y));
    let is_turn = |three: &&[Cell]| step(&three[..2]) != step(&three[1..]);
    let turns = path.windows(3).filter(is_turn).map(|three| three[1]).chain(std::iter::once(last));
    let (mut anchor, mut before) = (first, first);
    for turn in turns {
        if !is_clear(ground, anchor, turn) {
            anchor = before;
            taut.push(anchor);
        }
        before = turn;
    }
    if taut.last() != Some(&last) {
        taut.push(last);
    }
}

/// How far ahead a straighter piece is looked for, in steps: the greatest that works is taken.
const AHEAD: [usize; 10] = [96, 64, 48, 32, 24, 16, 12, 8, 4, 2];

/// Straightens a path of single steps: where the direct way (diagonal and straight, in either order) to a cell ahead is open
/// and costs less, it takes its place. O(length · [`AHEAD`]), and most looks end at the first glance: where the piece is as
/// short as can be already.
pub(crate) fn straighten(ground: &UnitGrid, path: &[Cell], lengths: &mut Vec<u32>, better: &mut Vec<Cell>) {
    better.clear();
    lengths.clear();
    let Some(&first) = path.first() else { return };
    // What the path costs up to each of its cells.
    let mut total = 0u32;
    lengths.push(0);
    for pair in path.windows(2) {
        total = total.saturating_add(step_cost(ground, pair[0], pair[1]));
        lengths.push(total);
    }
    better.push(first);
    let (mut at, least) = (0, u32::from(ground.cost_min()));
    while at + 1 < path.len() {
        let (left, from) = (path.len() - 1 - at, path[at]);
        let shorter = AHEAD.into_iter().filter(|&ahead| ahead <= left).find_map(|ahead| {
            let (to, budget) = (path[at + ahead], lengths[at + ahead] - lengths[at]);
            if octile(from.apart(to)) * least >= budget {
                return None;
            }
            let way = |is_diagonal_first| direct(ground, from, to, is_diagonal_first, budget - 1);
            let best =
                way(true).map(|length| (length, true)).into_iter().chain(way(false).map(|length| (length, false)));
            best.min_by_key(|&(length, _)| length).map(|(_, is_diagonal_first)| (ahead, is_diagonal_first))
        });
        match shorter {
            Some((ahead, is_diagonal_first)) => {
                walk(from, path[at + ahead], is_diagonal_first, |cell| better.push(cell));
                at += ahead;
            }
            None => {
                at += 1;
                better.push(path[at]);
            }
        }
    }
}

/// Goes the direct way, cell by cell, the first one left out.
pub(crate) fn walk(from: Cell, to: Cell, is_diagonal_first: bool, mut visit: impl FnMut(Cell)) {
    let mut cell = from;
    for (way, count) in runs(from, to, is_diagonal_first) {
        let (dx, dy) = STEPS[way];
        for _ in 0..count {
            cell = Cell::new(cell.x.wrapping_add_signed(dx as i16), cell.y.wrapping_add_signed(dy as i16));
            visit(cell);
        }
    }
}

/// The direct way as two runs of equal steps: their ways and how many.
fn runs(from: Cell, to: Cell, is_diagonal_first: bool) -> [(usize, u32); 2] {
    let (dx, dy) = from.apart(to);
    let (is_east, is_north) = (to.x >= from.x, to.y >= from.y);
    let diagonal = match (is_east, is_north) {
        (true, true) => 1,
        (false, true) => 3,
        (false, false) => 5,
        (true, false) => 7,
    };
    let straight = match (dx > dy, is_east, is_north) {
        (true, true, _) => 0,
        (true, false, _) => 4,
        (false, _, true) => 2,
        (false, _, false) => 6,
    };
    let both = if dx < dy { dx } else { dy };
    let runs = [(diagonal, both), (straight, dx.abs_diff(dy))];
    if is_diagonal_first { runs } else { [runs[1], runs[0]] }
}

/// What the direct way costs; none if it is not open or costs more than the budget.
pub(crate) fn direct(ground: &UnitGrid, from: Cell, to: Cell, is_diagonal_first: bool, budget: u32) -> Option<u32> {
    let (offsets, mut length, mut at) = (ground.offsets(), 0u32, ground.index(from)?);
    for (way, count) in runs(from, to, is_diagonal_first) {
        for _ in 0..count {
            if ground.moves()[at as usize] >> way & 1 == 0 {
                return None;
            }
            let next = at.wrapping_add_signed(offsets[way]);
            length = length.saturating_add(ground.step_cost(at, next, way));
            if length > budget {
                return None;
            }
            at = next;
        }
    }
    Some(length)
}

fn step_cost(ground: &UnitGrid, from: Cell, to: Cell) -> u32 {
    let way = usize::from(from.apart(to) == (1, 1));
    ground.index(from).zip(ground.index(to)).map_or(0, |(from, to)| ground.step_cost(from, to, way))
}
