//! Storeys of levels that do not say theirs: heights that their ground is at.
//!
//! Ground is counted by height in steps of [`STEP_M`], and a storey is put where there is some that no storey below
//! explains; what slopes gets a storey every [`APART_M`]. O(polygons + cells).

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_nav::grid::Cell;
use sentir_nav::mesh::Mesh;
use sentir_space::influence::Grid;

/// Storeys that are made at most; ground above the last is looked at from it, by rays.
const STOREYS_MAX: usize = 48;
/// Heights are told apart in steps of this, m.
const STEP_M: f32 = 0.25;
/// A storey explains ground as far above it as this, m, and half a step below it.
const APART_M: f32 = 0.75;
/// A floor that was authored explains ground as far above or below it as this, m.
const FLOOR_M: f32 = 1.25;
/// Less ground than this at a height is no storey, m².
const AREA_M2: f64 = 2.0;

/// Heights of ground that no floor explains, ascending, m.
pub(crate) fn heights(mesh: &Mesh, floors: &[f32]) -> Vec<f32> {
    let mut areas: Vec<(i32, f64)> = Vec::new();
    for polygon in 0..mesh.polygon_count() {
        let corners: Vec<Vec3> = mesh.ring(polygon).collect();
        let height_m = corners.iter().map(|corner| corner.y).sum::<f32>() / corners.len().max(1) as f32;
        if !floors.iter().any(|level_m| (height_m - level_m).abs() <= FLOOR_M) {
            areas.push(((height_m / STEP_M).round() as i32, area_m2(&corners)));
        }
    }
    areas.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut steps: Vec<(i32, f64)> = Vec::new();
    for (step, area) in areas {
        match steps.last_mut() {
            Some(last) if last.0 == step => last.1 += area,
            _ => steps.push((step, area)),
        }
    }
    let mut found: Vec<f32> = Vec::new();
    for (step, _) in steps.into_iter().filter(|it| it.1 >= AREA_M2) {
        let height_m = step as f32 * STEP_M;
        let is_new = found.last().is_none_or(|last| height_m - last > APART_M);
        if is_new && found.len() < STOREYS_MAX {
            found.push(height_m);
        }
    }
    found
}

/// Area on the ground of a ring of corners, m².
fn area_m2(corners: &[Vec3]) -> f64 {
    let at = |number: usize| plane::ground(corners[number % corners.len()]).as_dvec2();
    (0..corners.len()).map(|number| at(number).perp_dot(at(number + 1))).sum::<f64>().abs() * 0.5
}

/// Every ground of every cell: the height of each polygon that has the middle of the cell.
pub(crate) fn grounds(mesh: &Mesh, grid: &Grid, mut visit: impl FnMut(Cell, f32)) {
    let [columns, rows] = grid.size();
    for polygon in 0..mesh.polygon_count() {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let mut height_m = 0.0;
        let ring = mesh.ring(polygon);
        let count = ring.len().max(1) as f32;
        for corner in ring {
            let at = plane::ground(corner);
            (low, high) = (low.min(at), high.max(at));
            height_m += corner.y / count;
        }
        let cell = |at: Vec2| (at - grid.origin()) / grid.cell_m();
        let span = |low: f32, high: f32, count: u32| {
            let most = count.saturating_sub(1) as f32;
            math::clamp(low.floor(), 0.0, most) as u16..=math::clamp(high.floor(), 0.0, most) as u16
        };
        let (low, high) = (cell(low), cell(high));
        for y in span(low.y, high.y, rows) {
            for x in span(low.x, high.x, columns) {
                let at = plane::lift(grid.center(Cell::new(x, y)), height_m);
                let place = mesh.nearest_on(polygon, at);
                if plane::ground(place.point).distance(plane::ground(at)) < 1e-3 {
                    visit(Cell::new(x, y), place.point.y);
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir_level::LevelState;
    use sentir_nav::bake::{BakeConfig, LevelFilter, level};

    fn mesh(text: &str) -> Mesh {
        let level_of = sentir_level::parse(text.as_bytes(), "storeys.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level_of);
        level(&level_of, &state, &LevelFilter::default(), &BakeConfig::default()).unwrap().mesh().unwrap()
    }

    const TWO: &str = "name: two\nsolids:\n  - slab: { outline: [[0, 0], [20, 0], [20, 10], [0, 10]], thickness_m: 0.5 }\n  \
                       - slab: { outline: [[0, 0], [8, 0], [8, 10], [0, 10]], base_m: 5, thickness_m: 0.3 }\n";

    #[test]
    fn ground_that_no_floor_explains_is_a_storey() {
        let mesh = mesh(TWO);
        let found = heights(&mesh, &[0.0]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0] - 5.0).abs() < 0.5, "{found:?}");
        assert!(heights(&mesh, &[0.0, 5.0]).is_empty());
        assert_eq!(heights(&mesh, &[]).len(), 2);
    }

    #[test]
    fn cells_under_a_roof_one_can_walk_on_have_two_grounds() {
        let mesh = mesh(TWO);
        let grid = Grid::from_mesh(&mesh, Vec2::ZERO, 1.0, [20, 10], [2.5, 4.0]).unwrap();
        let mut counts = [0; 200];
        grounds(&mesh, &grid, |cell, _| counts[usize::from(cell.y) * 20 + usize::from(cell.x)] += 1);
        assert_eq!(counts[5 * 20 + 4], 2);
        assert_eq!(counts[5 * 20 + 15], 1);
        assert_eq!(counts[0], 0, "too near to the edge to stand");
    }
}
