//! Lines between cells: whether one can walk straight from center to center.
//!
//! Every cell that the line touches must be free; where it runs through a corner, all four cells around it. So no corner is
//! cut at any angle. Whole numbers only, O(length).

use super::{Cell, UnitGrid};

/// Whether the straight line between the centers of two cells touches free cells only. Outside nothing is free.
#[must_use]
pub fn is_clear(ground: &UnitGrid, from: Cell, to: Cell) -> bool {
    let (Some(start), Some(goal)) = (ground.index(from), ground.index(to)) else { return false };
    if !ground.is_free(from) {
        return false;
    }
    let (dx, dy) = from.apart(to);
    // The steps along x, along y and through a corner, as numbers of ways.
    let along = if to.x >= from.x { 0u32 } else { 4 };
    let across = if to.y >= from.y { 2u32 } else { 6 };
    let both = match (along, across) {
        (0, 2) => 1u32,
        (4, 2) => 3,
        (4, _) => 5,
        _ => 7,
    };
    let (offsets, moves) = (ground.offsets(), ground.moves());
    // How far the next border is along the line, on both axes, times 2·dx·dy.
    let (mut next_x, mut next_y) = (i64::from(dy), i64::from(dx));
    let (step_x, step_y) = (2 * i64::from(dy), 2 * i64::from(dx));
    let mut index = start;
    while index != goal {
        let way = match next_x.cmp(&next_y) {
            _ if dx == 0 => across,
            _ if dy == 0 => along,
            std::cmp::Ordering::Less => along,
            std::cmp::Ordering::Equal => both,
            std::cmp::Ordering::Greater => across,
        };
        if moves[index as usize] >> way & 1 == 0 {
            return false;
        }
        next_x += if way == across { 0 } else { step_x };
        next_y += if way == along { 0 } else { step_y };
        index = index.wrapping_add_signed(offsets[way as usize]);
    }
    true
}

/// How far two centers are apart, in cells.
pub(crate) fn distance(from: Cell, to: Cell) -> f64 {
    let (dx, dy) = from.apart(to);
    (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt()
}
