//! Joins triangles into convex polygons, across the longest sides first (after Hertel and Mehlhorn), all in whole numbers.

use spade::Triangulation;

use super::Mesh;

/// Corners of a polygon at most, whatever is asked for.
pub(crate) const CORNERS_MAX: usize = 16;

/// A corner of a triangulation: a place on the ground in units of its own, and a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vertex {
    pub x: i32,
    pub y: i32,
    pub height: i32,
}

/// Twice the area of a, b, c: positive for a turn to the left.
#[inline]
pub(crate) fn turn(a: Vertex, b: Vertex, c: Vertex) -> i64 {
    let (abx, aby) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (acx, acy) = (i64::from(c.x) - i64::from(a.x), i64::from(c.y) - i64::from(a.y));
    abx * acy - aby * acx
}

#[derive(Clone, Copy, Debug)]
struct Loop {
    count: usize,
    corners: [u32; CORNERS_MAX],
}

/// Polygons in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    loops: Vec<Loop>,
    /// The polygon of each face; and of each polygon, the one it went into.
    faces: Vec<u32>,
    into: Vec<u32>,
    sides: Vec<(i64, u32, u32, u32, u32)>,
}

impl Joined {
    /// The polygons, counter-clockwise, in the order of their first triangles.
    pub(crate) fn polygons(&self) -> impl Iterator<Item = &[u32]> {
        let is_left = |&(number, _): &(u32, &Loop)| self.into[number as usize] == number;
        (0..).zip(&self.loops).filter(is_left).map(|(_, one)| &one.corners[..one.count])
    }

    /// Takes the triangles inside and joins them to polygons of at most `most` corners, each within `tolerance` of a plane.
    pub(crate) fn join(&mut self, mesh: &Mesh, windings: &[i32], vertices: &[Vertex], most: usize, tolerance: f64) {
        self.loops.clear();
        self.sides.clear();
        self.faces.clear();
        self.faces.resize(mesh.num_all_faces(), u32::MAX);
        for face in mesh.inner_faces().filter(|face| windings[face.index()] > 0) {
            self.faces[face.index()] = self.loops.len() as u32;
            let [a, b, c] = face.vertices().map(|vertex| vertex.index() as u32);
            let mut corners = [0; CORNERS_MAX];
            corners[..3].copy_from_slice(&[a, b, c]);
            self.loops.push(Loop { count: 3, corners });
        }
        self.into.clear();
        self.into.extend(0..self.loops.len() as u32);
        for edge in mesh.undirected_edges().filter(|edge| !edge.is_constraint_edge()) {
            let edge = edge.as_directed();
            let [left, right] = [edge.face(), edge.rev().face()].map(|face| self.faces[face.index()]);
            if left != u32::MAX && right != u32::MAX {
                let [from, to] = edge.vertices().map(|vertex| vertex.index() as u32);
                let (a, b) = (vertices[from as usize], vertices[to as usize]);
                let (dx, dy) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
                self.sides.push((-(dx * dx + dy * dy), from, to, left, right));
            }
        }
        self.sides.sort_unstable();
        for index in 0..self.sides.len() {
            let (_, from, to, left, right) = self.sides[index];
            let (left, right) = (self.root(left), self.root(right));
            if left == right {
                continue;
            }
            let (one, other) = (self.loops[left as usize], self.loops[right as usize]);
            if let Some(joined) = joined(&one, &other, from, to, vertices, most.min(CORNERS_MAX), tolerance) {
                let (keeper, gone) = (left.min(right), left.max(right));
                self.loops[keeper as usize] = joined;
                self.into[gone as usize] = keeper;
            }
        }
    }

    fn root(&mut self, mut polygon: u32) -> u32 {
        while self.into[polygon as usize] != polygon {
            let next = self.into[polygon as usize];
            self.into[polygon as usize] = self.into[next as usize];
            polygon = next;
        }
        polygon
    }
}

/// Both polygons as one, if it is convex, near a plane and has few enough corners. `one` has the side from–to, `other` the
/// way back.
fn joined(
    one: &Loop,
    other: &Loop,
    from: u32,
    to: u32,
    vertices: &[Vertex],
    most: usize,
    tolerance: f64,
) -> Option<Loop> {
    let count = one.count + other.count - 2;
    if count > most {
        return None;
    }
    let start = |from: u32, one: &Loop| one.corners[..one.count].iter().position(|&corner| corner == from);
    let (at, other_at) = (start(to, one)?, start(from, other)?);
    let mut corners = [0; CORNERS_MAX];
    let (own, theirs) = corners[..count].split_at_mut(one.count - 1);
    for (index, corner) in own.iter_mut().enumerate() {
        *corner = one.corners[(at + index) % one.count];
    }
    for (index, corner) in theirs.iter_mut().enumerate() {
        *corner = other.corners[(other_at + index) % other.count];
    }
    let corner = |index: usize| vertices[corners[index % count] as usize];
    let is_convex_at = |index: usize| {
        let (a, b, c) = (corner(index + count - 1), corner(index), corner(index + 1));
        let side = turn(a, b, c);
        let goes_on = || {
            let [abx, aby, bcx, bcy] = [b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y].map(i64::from);
            abx * bcx + aby * bcy > 0
        };
        side > 0 || (side == 0 && goes_on())
    };
    let is_good = is_convex_at(0) && is_convex_at(one.count - 1) && is_flat(count, corner, tolerance);
    is_good.then_some(Loop { count, corners })
}

/// Whether the corners lie within the tolerance of the plane that fits their loop best (Newell).
fn is_flat(count: usize, corner: impl Fn(usize) -> Vertex, tolerance: f64) -> bool {
    let first = corner(0).height;
    if (1..count).all(|index| corner(index).height == first) {
        return true;
    }
    let at = |index: usize| {
        let one = corner(index);
        [f64::from(one.x), f64::from(one.y), f64::from(one.height)]
    };
    let (mut normal, mut middle) = ([0.0; 3], [0.0; 3]);
    for index in 0..count {
        let ([ax, ay, ah], [bx, by, bh]) = (at(index), at(index + 1));
        normal[0] += (ay - by) * (ah + bh);
        normal[1] += (ah - bh) * (ax + bx);
        normal[2] += (ax - bx) * (ay + by);
        middle = [middle[0] + ax, middle[1] + ay, middle[2] + ah];
    }
    let share = 1.0 / count as f64;
    (0..count).all(|index| {
        let [x, y, height] = at(index);
        let (x, y, height) = (x - middle[0] * share, y - middle[1] * share, height - middle[2] * share);
        let error = height + (normal[0] * x + normal[1] * y) / normal[2];
        error.abs() <= tolerance
    })
}
