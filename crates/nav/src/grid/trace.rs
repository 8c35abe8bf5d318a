//! What all searches share: the door through which a query comes in, and what a path costs.

use super::{Cell, Query, UnitGrid};
use crate::answer::{Ending, Fault};

/// A query that was let in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedQuery {
    pub(crate) start: u32,
    /// The goal, or the reachable cell nearest to it.
    pub(crate) goal: u32,
    /// How it ends if that cell is reached.
    pub(crate) ending: Ending,
}

/// Checks start and goal; where no way leads to the goal, the nearest reachable cell takes its place.
pub(crate) fn enter(ground: &UnitGrid, query: &Query) -> Result<CheckedQuery, Ending> {
    let stand = |cell: Cell| match ground.index(cell) {
        None => Err(Fault::Outside),
        Some(_) if !ground.is_free(cell) => Err(Fault::Blocked),
        Some(index) => Ok(index),
    };
    let start = stand(query.start).map_err(Ending::BadStart)?;
    let goal = stand(query.goal).map_err(Ending::BadGoal)?;
    if ground.component(query.start) == ground.component(query.goal) {
        return Ok(CheckedQuery { start, goal, ending: Ending::Found });
    }
    let nearest = ground.nearest(query.start, query.goal).and_then(|cell| ground.index(cell));
    Ok(CheckedQuery { start, goal: nearest.unwrap_or(start), ending: Ending::NoPath })
}

/// What a path of single steps costs: length times the mean cost of both cells, summed without rounding but the last.
pub(crate) fn cost(ground: &UnitGrid, path: &[Cell]) -> f64 {
    let (mut straight, mut diagonal) = (0u64, 0u64);
    for pair in path.windows(2) {
        let sum = u64::from(ground.cost(pair[0]).unwrap_or(0)) + u64::from(ground.cost(pair[1]).unwrap_or(0));
        if pair[0].apart(pair[1]) == (1, 1) {
            diagonal += sum;
        } else {
            straight += sum;
        }
    }
    (straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2) * 0.5
}

/// How long a path of single steps is, in cells.
pub(crate) fn length(path: &[Cell]) -> f64 {
    let diagonal = path.windows(2).filter(|pair| pair[0].apart(pair[1]) == (1, 1)).count();
    let straight = path.len().saturating_sub(1) - diagonal;
    straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2
}

/// Whether a path of single steps stays on ground the unit can walk and cuts no corner.
#[must_use]
pub fn is_walkable(ground: &UnitGrid, path: &[Cell]) -> bool {
    let is_step = |pair: &[Cell]| {
        let (dx, dy) = (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y));
        let way = super::STEPS.iter().position(|&step| step == (dx, dy));
        way.zip(ground.index(pair[0])).is_some_and(|(way, from)| ground.moves()[from as usize] >> way & 1 == 1)
    };
    path.iter().all(|&cell| ground.is_free(cell)) && path.windows(2).all(is_step)
}
