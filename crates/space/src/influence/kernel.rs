//! The inner loops of spreading: plain loops over slices of equal length that compilers turn into vectors, the same operations
//! in the same order for each cell whatever the width, so every target gives the same bits. [`cell`] is the scalar twin.

use super::grid::{Grid, Run, STEPS};

/// What a step of spreading multiplies with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factors {
    /// What is left after a straight and after a diagonal step.
    pub(super) straight: f32,
    pub(super) diagonal: f32,
    /// What is left after the time of an update.
    pub(super) fade: f32,
    /// How much of the old value stays.
    pub(super) momentum: f32,
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Spreads once, from `old` to `new`; both have the rim, which stays 0.
pub(super) fn spread(grid: &Grid, factors: &Factors, old: &[f32], new: &mut [f32]) {
    let stride = grid.stride();
    if old.len() != grid.len() || new.len() != grid.len() {
        return;
    }
    for run in &grid.runs {
        if run.is_open {
            spread_open(run, stride, factors, old, new);
        } else {
            spread_walled(grid, run, stride, factors, old, new);
        }
    }
}

#[inline(always)]
fn spread_open(run: &Run, stride: usize, factors: &Factors, old: &[f32], new: &mut [f32]) {
    let (start, count) = (run.start as usize, (run.end - run.start) as usize);
    let row = |shift: usize| &old[shift..][..count];
    let (south_west, south, south_east) = (row(start - stride - 1), row(start - stride), row(start - stride + 1));
    let (west, here, east) = (row(start - 1), row(start), row(start + 1));
    let (north_west, north, north_east) = (row(start + stride - 1), row(start + stride), row(start + stride + 1));
    let out = &mut new[start..][..count];
    let Factors { straight, diagonal, fade, momentum } = *factors;
    let rest = 1.0 - momentum;
    for at in 0..count {
        let beside = larger(larger(west[at], east[at]), larger(south[at], north[at]));
        let across = larger(larger(south_west[at], south_east[at]), larger(north_west[at], north_east[at]));
        let best = larger(here[at], larger(beside * straight, across * diagonal));
        out[at] = here[at] * momentum + best * fade * rest;
    }
}

#[inline(always)]
fn spread_walled(grid: &Grid, run: &Run, stride: usize, factors: &Factors, old: &[f32], new: &mut [f32]) {
    let (start, count) = (run.start as usize, (run.end - run.start) as usize);
    let row = |shift: usize| &old[shift..][..count];
    let (south_west, south, south_east) = (row(start - stride - 1), row(start - stride), row(start - stride + 1));
    let (west, here, east) = (row(start - 1), row(start), row(start + 1));
    let (north_west, north, north_east) = (row(start + stride - 1), row(start + stride), row(start + stride + 1));
    let (moves, free) = (&grid.moves[start..][..count], &grid.free_bits()[start..][..count]);
    let out = &mut new[start..][..count];
    let Factors { straight, diagonal, fade, momentum } = *factors;
    let rest = 1.0 - momentum;
    for at in 0..count {
        let open = |way: u32, value: f32| if moves[at] & (1 << way) != 0 { value } else { 0.0 };
        let beside = larger(larger(west[at], east[at]), larger(south[at], north[at]));
        let across = larger(
            larger(open(5, south_west[at]), open(7, south_east[at])),
            larger(open(3, north_west[at]), open(1, north_east[at])),
        );
        let best = larger(here[at], larger(beside * straight, across * diagonal));
        let value = here[at] * momentum + best * fade * rest;
        out[at] = if free[at] { value } else { 0.0 };
    }
}

/// The scalar twin: one cell by its definition.
#[cfg(test)]
pub(super) fn cell(grid: &Grid, factors: &Factors, old: &[f32], index: usize) -> f32 {
    if !grid.free_bits()[index] {
        return 0.0;
    }
    let stride = grid.stride() as i32;
    let (mut beside, mut across) = (0.0, 0.0);
    for (way, (dx, dy)) in STEPS.iter().enumerate() {
        let value = old[(index as i32 + dy * stride + dx) as usize];
        if grid.moves[index] & (1 << way) != 0 {
            let best = if way % 2 == 0 { &mut beside } else { &mut across };
            *best = larger(value, *best);
        }
    }
    let best = larger(old[index], larger(beside * factors.straight, across * factors.diagonal));
    old[index] * factors.momentum + best * factors.fade * (1.0 - factors.momentum)
}

/// Spreads once with a factor for each of the eight directions of travel, and nothing under `floor`: a front whose reach is
/// a distance, and which may run farther one way than the other. No momentum, no fade.
pub(super) fn spread_biased(grid: &Grid, factors: &[f32; 8], floor: f32, old: &[f32], new: &mut [f32]) {
    let stride = grid.stride();
    if old.len() != grid.len() || new.len() != grid.len() {
        return;
    }
    for run in &grid.runs {
        let (start, count) = (run.start as usize, (run.end - run.start) as usize);
        // Who comes by step `way` was one step back.
        let from = |way: usize| {
            let (dx, dy) = STEPS[way];
            let back = start as isize - (dy as isize * stride as isize + dx as isize);
            &old[back as usize..][..count]
        };
        let sources = [from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7)];
        let (here, out) = (&old[start..][..count], &mut new[start..][..count]);
        let (moves, free) = (&grid.moves[start..][..count], &grid.free_bits()[start..][..count]);
        for at in 0..count {
            // A step is open both ways or neither: going back is way + 4.
            let came = |way: usize| {
                let value = sources[way][at] * factors[way];
                if moves[at] & (1 << ((way + 4) & 7)) != 0 { value } else { 0.0 }
            };
            let left = larger(larger(came(0), came(1)), larger(came(2), came(3)));
            let right = larger(larger(came(4), came(5)), larger(came(6), came(7)));
            let best = larger(left, right);
            let best = larger(here[at], if best >= floor { best } else { 0.0 });
            out[at] = if free[at] { best } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir_core::glam::Vec2;

    proptest! {
        #[test]
        fn vectors_and_single_cells_have_the_same_bits(
            columns in 1u32..70,
            rows in 1u32..9,
            walls in proptest::collection::vec(0u8..10, 70 * 9),
            values in proptest::collection::vec(0.0f32..3.0, 70 * 9),
            density in 0u8..6,
            momentum in 0.0f32..1.0,
        ) {
            let number = |x: u16, y: u16| usize::from(y) * 70 + usize::from(x);
            let grid = Grid::build(Vec2::ZERO, 0.5, [columns, rows], |cell| walls[number(cell.x, cell.y)] >= density).unwrap();
            let factors = Factors { straight: 0.9, diagonal: 0.87, fade: 0.99, momentum };
            let mut old = vec![0.0; grid.len()];
            for cell in grid.free_cells() {
                old[grid.index(cell).unwrap()] = values[number(cell.x, cell.y)];
            }
            let mut new = vec![0.0; grid.len()];
            spread(&grid, &factors, &old, &mut new);
            for (index, value) in new.iter().enumerate() {
                prop_assert_eq!(value.to_bits(), cell(&grid, &factors, &old, index).to_bits(), "cell {}", index);
            }
        }
    }
}
