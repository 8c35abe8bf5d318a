//! Borders of obstacles as segments on a grid: which obstacles are near a point, and how near.
//!
//! Built once, O(segments); a question looks at the cells within reach. Each closed ring is one obstacle; those of a mesh
//! are put together from the walls of its polygons, so the outer border of a floor is one, too.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_nav::mesh::Mesh;

/// Side of a cell of the grid, m; wider if there would be over [`CELLS_MAX`] cells.
const CELL_M: f32 = 2.0;
/// Cells of the grid at most.
const CELLS_MAX: f32 = 65_536.0;
/// Obstacles that count near a point at most: those found first.
const NEAR_MAX: usize = 16;
/// How far above or below a point a border may be, m: beyond is another floor.
const FLOOR_M: f32 = 1.5;

/// A piece of a border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// Where it begins, on the ground, m.
    pub from: Vec2,
    /// Where it ends, m.
    pub to: Vec2,
    /// Its height, m; NaN if it counts at all heights.
    pub height_m: f32,
    /// Which obstacle it belongs to.
    pub obstacle: u32,
}

/// All borders of a level or mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Borders {
    borders: Vec<Border>,
    origin: Vec2,
    cell_m: f32,
    columns: u32,
    rows: u32,
    /// Where the list of each cell begins in `members`, and the end.
    firsts: Vec<u32>,
    members: Vec<u32>,
}

impl Borders {
    /// The borders of closed rings, one an obstacle. Rings that are not finite or have under two corners are left out.
    #[must_use]
    pub fn from_rings(rings: &[Vec<Vec2>]) -> Borders {
        let mut borders = Vec::new();
        let sound = rings.iter().filter(|ring| ring.len() > 1 && ring.iter().all(|corner| corner.is_finite()));
        for (obstacle, ring) in (0..).zip(sound) {
            for (&from, &to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                borders.push(Border { from, to, height_m: f32::NAN, obstacle });
            }
        }
        Borders::index(borders)
    }

    /// The walls of a mesh.
    #[must_use]
    pub fn from_mesh(mesh: &Mesh) -> Borders {
        let mut walls: Vec<[Vec3; 2]> = Vec::new();
        visit_walls(mesh, |_, from, to| walls.push([from, to]));
        // Walls that share an end are of one obstacle: ends sorted, then joined.
        let mut parents: Vec<u32> = (0..walls.len() as u32).collect();
        let bits = |point: Vec3| point.to_array().map(f32::to_bits);
        let mut ends: Vec<([u32; 3], u32)> =
            (0..).zip(&walls).flat_map(|(number, wall)| wall.map(|end| (bits(end), number))).collect();
        ends.sort_unstable();
        for pair in ends.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (a, b) = (root(&mut parents, pair[0].1), root(&mut parents, pair[1].1));
            parents[a.max(b) as usize] = a.min(b);
        }
        let border = |(number, &[from, to]): (u32, &[Vec3; 2])| Border {
            from: plane::ground(from),
            to: plane::ground(to),
            height_m: (from.y + to.y) * 0.5,
            obstacle: root(&mut parents, number),
        };
        Borders::index((0..).zip(&walls).map(border).collect())
    }

    fn index(borders: Vec<Border>) -> Borders {
        let points = borders.iter().flat_map(|it| [it.from, it.to]);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for point in points {
            (low, high) = (low.min(point), high.max(point));
        }
        if borders.is_empty() {
            return Borders::default();
        }
        let size = high - low;
        let mut cell_m = CELL_M;
        while (size.x / cell_m + 1.0) * (size.y / cell_m + 1.0) > CELLS_MAX {
            cell_m *= 2.0;
        }
        let (columns, rows) = ((size.x / cell_m) as u32 + 1, (size.y / cell_m) as u32 + 1);
        let mut all = Borders { borders, origin: low, cell_m, columns, rows, ..Borders::default() };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (number, border) in (0..).zip(&all.borders) {
            let (low, high) = (border.from.min(border.to), border.from.max(border.to));
            all.visit_cells(low, high, |cell| pairs.push((cell, number)));
        }
        pairs.sort_unstable();
        all.firsts = (0..=columns * rows).map(|cell| pairs.partition_point(|pair| pair.0 < cell) as u32).collect();
        all.members = pairs.into_iter().map(|pair| pair.1).collect();
        all
    }

    fn visit_cells(&self, low: Vec2, high: Vec2, mut visit: impl FnMut(u32)) {
        let axis = |at: f32, origin: f32, count: u32| (((at - origin) / self.cell_m) as u32).min(count - 1);
        let columns = axis(low.x, self.origin.x, self.columns)..=axis(high.x, self.origin.x, self.columns);
        for row in axis(low.y, self.origin.y, self.rows)..=axis(high.y, self.origin.y, self.rows) {
            for column in columns.clone() {
                visit(row * self.columns + column);
            }
        }
    }

    /// The pieces, in the order of obstacles.
    pub fn borders(&self) -> &[Border] {
        &self.borders
    }

    /// How near obstacles are to a point: for each within `reach_m` the share of the reach that is left, all of them together.
    /// So it is 1 at one wall, and up to 2 in the corner of two obstacles.
    pub fn nearness(&self, point: Vec3, reach_m: f32) -> f32 {
        let at = plane::ground(point);
        if self.firsts.is_empty() || !at.is_finite() || reach_m.is_nan() || reach_m <= 0.0 {
            return 0.0;
        }
        let mut near = [(u32::MAX, 0.0f32); NEAR_MAX];
        let mut count = 0;
        let reach = Vec2::splat(reach_m);
        self.visit_cells(at - reach, at + reach, |cell| {
            let run = self.firsts[cell as usize] as usize..self.firsts[cell as usize + 1] as usize;
            for &member in &self.members[run] {
                let border = &self.borders[member as usize];
                if (border.height_m - point.y).abs() > FLOOR_M {
                    continue;
                }
                let squared = (plane::nearest_on_segment(border.from, border.to, at).0 - at).length_squared();
                if squared >= reach_m * reach_m {
                    continue;
                }
                match near[..count].iter_mut().find(|it| it.0 == border.obstacle) {
                    Some(known) => known.1 = math::min(known.1, squared),
                    None if count < NEAR_MAX => {
                        near[count] = (border.obstacle, squared);
                        count += 1;
                    }
                    None => {}
                }
            }
        });
        // A sum in the order of obstacles, whatever the order of cells.
        near[..count].sort_unstable_by_key(|it| it.0);
        near[..count].iter().map(|it| 1.0 - it.1.sqrt() / reach_m).sum()
    }
}

/// Calls `visit` with every wall of a mesh: polygon, and both ends with the ground on the left.
pub(super) fn visit_walls(mesh: &Mesh, mut visit: impl FnMut(u32, Vec3, Vec3)) {
    for polygon in 0..mesh.polygon_count() {
        let ends = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
        for ((from, to), neighbor) in ends.zip(mesh.neighbors(polygon)) {
            if neighbor.is_none() {
                visit(polygon, from, to);
            }
        }
    }
}

fn root(parents: &mut [u32], mut at: u32) -> u32 {
    while parents[at as usize] != at {
        parents[at as usize] = parents[parents[at as usize] as usize];
        at = parents[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(u, v)| Vec2::new(x + u * half, y + v * half))
            .to_vec()
    }

    #[test]
    fn near_two_obstacles_is_nearer_than_near_one() {
        let borders = Borders::from_rings(&[square(-2.0, 0.0, 1.0), square(2.0, 0.0, 1.0), square(40.0, 0.0, 1.0)]);
        let nearness = |x: f32, y: f32| borders.nearness(Vec3::new(x, 0.0, -y), 2.0);
        assert_eq!((nearness(0.0, 0.0), nearness(-4.0, 0.0), nearness(-5.0, 0.0)), (1.0, 0.5, 0.0));
        assert_eq!(nearness(-1.0, 0.0), 1.0);
        assert!(nearness(f32::NAN, 0.0) == 0.0 && borders.nearness(Vec3::ZERO, f32::NAN) == 0.0);
        assert_eq!(Borders::default().nearness(Vec3::ZERO, 2.0), 0.0);
    }

    proptest! {
        #[test]
        fn nearness_is_that_of_a_loop_over_all_borders(
            squares in proptest::collection::vec((-20.0f32..20.0, -20.0f32..20.0, 0.2f32..3.0), 1..9),
            at in (-25.0f32..25.0, -25.0f32..25.0),
            reach in 0.1f32..6.0,
        ) {
            let rings: Vec<_> = squares.iter().map(|&(x, y, half)| square(x, y, half)).collect();
            let borders = Borders::from_rings(&rings);
            let point = Vec2::new(at.0, at.1);
            let mut slow = 0.0;
            for ring in &rings {
                let sides = ring.iter().zip(ring.iter().cycle().skip(1));
                let least = sides.map(|(&a, &b)| (plane::nearest_on_segment(a, b, point).0 - point).length_squared());
                let least = least.fold(f32::MAX, math::min);
                if least < reach * reach {
                    slow += 1.0 - least.sqrt() / reach;
                }
            }
            prop_assert_eq!(borders.nearness(plane::lift(point, 3.0), reach), slow);
        }
    }
}
