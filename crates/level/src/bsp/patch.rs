//! Curved patches become triangles.
//!
//! A patch is a grid of control points with odd sides: each 3 x 3 of them, sharing borders, is a biquadratic Bezier surface.
//! A quadratic curve over a, b, c strays from its chord by a quarter of |a - 2b + c|, and from n chords by that over n², so
//! the count of steps along a side follows from the tolerance. All surfaces of a column, and of a row, have the same count,
//! so that a patch has no cracks; two patches that share a border may differ along it by the tolerance.

use glam::Vec3;

use super::lump::{Bsp, Face, FaceKind, Vertex};

/// How far triangles may lie from the curve along a side, units; 62.5 mm.
pub const TOLERANCE_UNITS: f32 = 2.0;
/// Steps along a side of one 3 x 3 at most.
const STEPS_MAX: u32 = 16;

/// Grid points of a tessellated patch, row by row.
struct Grid {
    columns: usize,
    points: Vec<(Vec3, Vec3)>,
}

/// The triangles of a patch, in units and axes of the file, counter-clockwise on the side its normals point to. Nothing for
/// other faces.
pub fn triangles(bsp: &Bsp, face: &Face) -> Vec<[Vec3; 3]> {
    let FaceKind::Patch([columns, rows]) = face.kind else { return Vec::new() };
    let points = &bsp.vertices[face.vertices.range()];
    let grid = tessellated(points, columns as usize, rows as usize);
    let mut triangles = Vec::new();
    for row in 1..grid.points.len() / grid.columns {
        for column in 1..grid.columns {
            let corner = |up: usize, right: usize| grid.points[(row - 1 + up) * grid.columns + column - 1 + right];
            let (a, b, c, d) = (corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0));
            triangles.extend([[a, b, c], [a, c, d]].into_iter().filter_map(facing));
        }
    }
    triangles
}

/// The triangle, turned to where its normals point; none without area.
pub(super) fn facing(corners: [(Vec3, Vec3); 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = corners.map(|(position, _)| position);
    let cross = (b - a).cross(c - a);
    let normal = corners.iter().fold(Vec3::ZERO, |sum, (_, normal)| sum + *normal);
    // Square units; a thousandth is a square millimeter.
    let has_area = cross.length_squared() > 1e-6;
    has_area.then(|| if cross.dot(normal) < 0.0 { [a, c, b] } else { [a, b, c] })
}

fn tessellated(points: &[Vertex], columns: usize, rows: usize) -> Grid {
    let at = |row: usize, column: usize| &points[row * columns + column];
    let across = counts(columns, rows, |line, place| at(line, place));
    let along = counts(rows, columns, |line, place| at(place, line));
    let (us, vs) = (places(&across), places(&along));
    let mut grid = Grid { columns: us.len(), points: Vec::with_capacity(us.len() * vs.len()) };
    for &(row, v) in &vs {
        for &(column, u) in &us {
            let (mut position, mut normal) = (Vec3::ZERO, Vec3::ZERO);
            for (up, weight_v) in weights(v).into_iter().enumerate() {
                for (right, weight_u) in weights(u).into_iter().enumerate() {
                    let vertex = at(row + up, column + right);
                    position += Vec3::from(vertex.position) * (weight_u * weight_v);
                    normal += Vec3::from(vertex.normal) * (weight_u * weight_v);
                }
            }
            grid.points.push((position, normal));
        }
    }
    grid
}

/// Bernstein's weights of the second degree.
fn weights(t: f32) -> [f32; 3] {
    [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t]
}

/// How many steps each 3 along a side takes, over all `lines`.
fn counts<'a>(places: usize, lines: usize, at: impl Fn(usize, usize) -> &'a Vertex) -> Vec<u32> {
    let bend = |line: usize, place: usize| {
        let [a, b, c] = [0, 1, 2].map(|step| Vec3::from(at(line, place + step).position));
        (a - b * 2.0 + c).length() * 0.25
    };
    let most = |place: usize| (0..lines).fold(0.0, |most, line| sentir_core::math::max(most, bend(line, place)));
    let steps = |place: usize| ((most(place) / TOLERANCE_UNITS).sqrt().ceil() as u32).clamp(1, STEPS_MAX);
    (0..places - 2).step_by(2).map(steps).collect()
}

/// Where the grid's lines are: the first control point of the 3, and the share of the way through them.
fn places(counts: &[u32]) -> Vec<(usize, f32)> {
    let mut places = vec![(0, 0.0)];
    for (number, &count) in counts.iter().enumerate() {
        places.extend((1..=count).map(|step| (2 * number, step as f32 / count as f32)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::lump::Span;
    use super::*;
    use proptest::prelude::*;

    fn patch(heights: &[f32; 9]) -> (Bsp, Face) {
        let vertex = |number: usize| {
            let position = [(number % 3) as f32 * 64.0, (number / 3) as f32 * 64.0, heights[number]];
            Vertex { position, normal: [0.0, 0.0, 1.0] }
        };
        let bsp = Bsp { vertices: (0..9).map(vertex).collect(), ..Bsp::default() };
        let vertices = Span { first: 0, count: 9 };
        (bsp, Face { kind: FaceKind::Patch([3, 3]), vertices, ..Face::default() })
    }

    #[test]
    fn a_flat_patch_is_two_triangles_that_look_up() {
        let (bsp, face) = patch(&[0.0; 9]);
        let triangles = triangles(&bsp, &face);
        assert_eq!(triangles.len(), 2);
        assert!(triangles.iter().all(|[a, b, c]| (*b - *a).cross(*c - *a).z > 0.0));
        assert!(super::triangles(&bsp, &Face::default()).is_empty());
    }

    /// The slow twin: the surface itself at a point of the ground, found by its weights, as x and y are linear in them.
    fn height(heights: &[f32; 9], x: f32, y: f32) -> f32 {
        let (u, v) = (weights(x / 128.0), weights(y / 128.0));
        (0..9).map(|number| heights[number] * u[number % 3] * v[number / 3]).sum()
    }

    proptest! {
        #[test]
        fn triangles_stay_near_the_curve(heights in proptest::array::uniform9(-64.0f32..64.0)) {
            let (bsp, face) = patch(&heights);
            for corners in triangles(&bsp, &face) {
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                // Once the tolerance along each side, and once for the twist between them.
                let stray = (middle.z - height(&heights, middle.x, middle.y)).abs();
                prop_assert!(stray <= 3.0 * TOLERANCE_UNITS + 1e-3, "{stray}");
                for corner in corners {
                    prop_assert!((corner.z - height(&heights, corner.x, corner.y)).abs() < 1e-3);
                }
            }
        }
    }
}
