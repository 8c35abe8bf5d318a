//! What a bake would cost, before any of it is spent: three squares of some kilometers are few bytes of a file and minutes of work.
//!
//! Counted are *touches*, cells under each triangle (memory: no bake has more spans), and *steps*, touches times the spans that
//! lie in the same column (time: a span is put into a sorted list). Touches follow from areas and perimeters, O(triangles);
//! steps are bounded by that too, and only where this bound is too great are columns counted, O(touches).

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::math;

use super::config::{BakeError, Rules};
use super::raster::{Block, Grid};
use super::source::BakeSource;

/// Cells, and touches of triangles or solids, of a bake at most: 1.7 km square with cells of 0.3 m on one storey.
pub const TOUCHES_MAX: u64 = 1 << 25;
/// Steps of a bake at most.
pub const STEPS_MAX: u64 = 1 << 30;

/// Refuses what takes too much memory or time.
pub(crate) fn hold(source: &BakeSource, grid: &Grid, rules: &Rules) -> Result<(), BakeError> {
    let limit = |what: &'static str, count: u64, limit: u64| {
        if count <= limit { Ok(()) } else { Err(BakeError::TooLarge { what, count, limit }) }
    };
    limit("cells", u64::from(grid.columns) * u64::from(grid.rows), TOUCHES_MAX)?;
    let touches = source.triangles.iter().map(|corners| touches(corners, rules.cell_m)).sum();
    limit("cells under all triangles", touches, TOUCHES_MAX)?;
    let (inside, weighed) = solid_cells(source, grid, rules);
    limit("cells under all solids", inside, TOUCHES_MAX)?;
    let layers = ((grid.high_m - grid.origin.y) / rules.cell_height_m).ceil() as u32;
    let depth_max = u64::from(layers).min(source.triangles.len() as u64) + 1;
    if (touches + weighed).saturating_mul(depth_max) <= STEPS_MAX {
        return Ok(());
    }
    limit("spans to look at", steps(source, grid, layers, rules), STEPS_MAX)
}

/// Cells that a triangle lies over, at most: its area seen from above, and a row of cells along its sides.
fn touches([a, b, c]: &[Vec3; 3], cell_m: f32) -> u64 {
    let flat = |at: &Vec3| Vec2::new(at.x, at.z);
    let (a, b, c) = (flat(a), flat(b), flat(c));
    let area = (b - a).perp_dot(c - a).abs() / 2.0;
    let sides = a.distance(b) + b.distance(c) + c.distance(a);
    // Saturates: corners are finite and within reach, as was checked before.
    (area / (cell_m * cell_m) + 2.0 * sides / cell_m) as u64 + 4
}

/// The whole grid.
fn whole(grid: &Grid) -> Block {
    Block { x: 0, z: 0, columns: grid.columns, rows: grid.rows }
}

/// Cells under the boxes around solids and area volumes, and the same weighed by how many corners are looked at for each.
fn solid_cells(source: &BakeSource, grid: &Grid, rules: &Rules) -> (u64, u64) {
    let (mut count, mut weighed) = (0u64, 0u64);
    for outline in outlines(source) {
        let (columns, rows) = grid.cells(super::obstacle::around(outline), &whole(grid), rules);
        let cells = columns.len() as u64 * rows.len() as u64;
        count += cells;
        weighed += cells * weight(outline);
    }
    (count, weighed)
}

fn outlines(source: &BakeSource) -> impl Iterator<Item = &[Vec2]> {
    let solids = source.solids.iter().map(|solid| solid.outline.as_slice());
    solids.chain(source.volumes.iter().map(|volume| volume.outline.as_slice()))
}

fn weight(outline: &[Vec2]) -> u64 {
    1 + outline.len() as u64 / 8
}

/// Spans that are looked at, column by column: each triangle looks at those of the ones before it, each solid at all.
fn steps(source: &BakeSource, grid: &Grid, layers: u32, rules: &Rules) -> u64 {
    let mut counts = vec![0u32; grid.columns as usize * grid.rows as usize];
    let depth = |count: u32| u64::from(count.min(layers));
    let mut steps = 0;
    for corners in &source.triangles {
        each_row(corners, grid, rules, |cells| {
            for count in &mut counts[cells] {
                steps += depth(*count);
                *count += 1;
            }
        });
    }
    for outline in outlines(source) {
        let (columns, rows) = grid.cells(super::obstacle::around(outline), &whole(grid), rules);
        for row in rows {
            let first = (row * grid.columns) as usize;
            let cells = first + columns.start as usize..first + columns.end as usize;
            steps += counts[cells].iter().map(|&count| depth(count)).sum::<u64>() * weight(outline);
        }
    }
    steps
}

/// The cells that a triangle lies over, row by row.
fn each_row(corners: &[Vec3; 3], grid: &Grid, rules: &Rules, mut visit: impl FnMut(std::ops::Range<usize>)) {
    let at = corners.map(|corner| {
        let place = (corner - grid.origin) / rules.cell_m;
        Vec2::new(place.x, place.z)
    });
    let cell = |place: f32, count: u32| (place.floor() as i64).clamp(0, i64::from(count) - 1) as u32;
    let least = at.iter().map(|one| one.y).fold(f32::INFINITY, math::min);
    let most = at.iter().map(|one| one.y).fold(f32::NEG_INFINITY, math::max);
    for row in cell(least, grid.rows)..=cell(most, grid.rows) {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for side in 0..3 {
            if let Some((from, to)) = within(at[side], at[(side + 1) % 3], row as f32) {
                (low, high) = (math::min(low, math::min(from, to)), math::max(high, math::max(from, to)));
            }
        }
        if low <= high {
            let first = row * grid.columns;
            visit((first + cell(low, grid.columns)) as usize..(first + cell(high, grid.columns)) as usize + 1);
        }
    }
}

/// The x at both ends of the part of a side that lies in a row of cells; none if it is not in it.
fn within(from: Vec2, to: Vec2, row: f32) -> Option<(f32, f32)> {
    let (low, high) = (math::min(from.y, to.y), math::max(from.y, to.y));
    if high < row || low > row + 1.0 {
        return None;
    }
    let x = |z: f32| {
        let share = (z - from.y) / (to.y - from.y);
        // A side along the row has no share: both its ends count.
        if share.is_finite() { from.x + (to.x - from.x) * math::clamp(share, 0.0, 1.0) } else { from.x }
    };
    if low == high {
        return Some((from.x, to.x));
    }
    Some((x(math::max(low, row)), x(math::min(high, row + 1.0))))
}
