//! From straightened outlines to convex polygons: a constrained Delaunay triangulation of each layer (crate `spade`, exact
//! predicates), finer where the ground is uneven, then joined greedily across the longest sides (after Hertel and Mehlhorn).
//!
//! Places are half cells, so corners of cells and middles of cells are whole numbers and every decision is exact.

use sentir_core::glam::Vec3;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::contour::Outlines;
use super::field::{NONE, TileField};
use super::layer::Layers;
use crate::mesh::{AreaId, Patch, Polygon};

pub(super) mod join;
use join::{Joined, Vertex};

/// How often a triangulation is refined at most. Each round halves the error as a rule.
const ROUNDS_MAX: usize = 8;

pub(super) type Mesh = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PolygonScratch {
    /// Spans by layer, and where those of each layer begin.
    spans: Vec<u32>,
    starts: Vec<u32>,
    /// The span of the layer in each cell of the tile.
    cells: Vec<u32>,
    vertices: Vec<Vertex>,
    sides: Vec<[u32; 2]>,
    joined: Joined,
    windings: Vec<i32>,
    /// Corners of the patch at each crossing of lines, and the next of each.
    heads: Vec<u32>,
    next: Vec<u32>,
}

/// All polygons of a tile, or the first layer whose outlines cross, unless layers that do are to be left out.
pub(crate) fn patch(
    field: &TileField,
    layers: &Layers,
    outlines: &Outlines,
    scratch: &mut PolygonScratch,
    leaves_out: bool,
) -> Result<Patch, u16> {
    let lines = field.side() as usize + 1;
    scratch.heads.clear();
    scratch.heads.resize(lines * lines, NONE);
    scratch.next.clear();
    sort_spans(layers, scratch);
    let mut patch = Patch::default();
    for id in 1..=layers.count {
        let (mesh, handles) = match outline_mesh(id, outlines, scratch) {
            Some(found) => found,
            None if leaves_out => continue,
            None => return Err(id),
        };
        let mesh = refine(mesh, &handles, field, layers, id, scratch);
        let tolerance = f64::from(field.rules.height_error) * 0.4;
        scratch.joined.join(&mesh, &scratch.windings, &scratch.vertices, field.rules.corners_max.into(), tolerance);
        write(field, AreaId(layers.areas[usize::from(id)] - 1), scratch, &mut patch);
    }
    Ok(patch)
}

fn sort_spans(layers: &Layers, scratch: &mut PolygonScratch) {
    scratch.starts.clear();
    scratch.starts.resize(usize::from(layers.count) + 2, 0);
    for &id in layers.of.iter().filter(|&&id| id != 0) {
        scratch.starts[usize::from(id) + 1] += 1;
    }
    for id in 1..scratch.starts.len() {
        scratch.starts[id] += scratch.starts[id - 1];
    }
    let mut at = scratch.starts.clone();
    scratch.spans.clear();
    scratch.spans.resize(scratch.starts.last().map_or(0, |&end| end as usize), 0);
    for (span, &id) in (0..).zip(&layers.of).filter(|&(_, &id)| id != 0) {
        let place = &mut at[usize::from(id)];
        scratch.spans[*place as usize] = span;
        *place += 1;
    }
}

/// The outlines of a layer as constraints; none if they cross.
fn outline_mesh(id: u16, outlines: &Outlines, scratch: &mut PolygonScratch) -> Option<(Mesh, Vec<[u32; 2]>)> {
    let mut mesh = Mesh::new();
    scratch.vertices.clear();
    scratch.sides.clear();
    let mut begin = 0;
    for &(layer, end) in &outlines.walks {
        let corners = outlines.corners[begin..end as usize].iter().filter(|corner| corner.is_kept);
        begin = end as usize;
        if layer != id {
            continue;
        }
        let (mut first, mut last) = (None, None);
        for corner in corners {
            let vertex = Vertex { x: 2 * i32::from(corner.x), y: -2 * i32::from(corner.z), height: corner.y.into() };
            let at = insert(&mut mesh, &mut scratch.vertices, vertex)?;
            scratch.sides.extend(last.map(|last| [last, at]));
            first = first.or(Some(at));
            last = Some(at);
        }
        scratch.sides.extend(last.zip(first).map(|(last, first)| [last, first]));
    }
    let handle = |at: u32| spade::handles::FixedVertexHandle::from_index(at as usize);
    for &[from, to] in &scratch.sides {
        let (from, to) = (handle(from), handle(to));
        let fits = from != to && mesh.can_add_constraint(from, to);
        if !fits {
            return None;
        }
        mesh.add_constraint(from, to);
        // A corner in the middle of a side splits it: the outlines touch.
        mesh.get_edge_from_neighbors(from, to)?;
    }
    Some((mesh, scratch.sides.clone()))
}

pub(super) fn insert(mesh: &mut Mesh, vertices: &mut Vec<Vertex>, vertex: Vertex) -> Option<u32> {
    let at = mesh.insert(Point2::new(f64::from(vertex.x), f64::from(vertex.y))).ok()?.index();
    if at == vertices.len() {
        vertices.push(vertex);
    }
    Some(at as u32)
}

/// Puts the middles of cells into triangles that are too far from the ground, until none is.
fn refine(
    mut mesh: Mesh,
    sides: &[[u32; 2]],
    field: &TileField,
    layers: &Layers,
    id: u16,
    scratch: &mut PolygonScratch,
) -> Mesh {
    let side = field.side();
    scratch.cells.clear();
    scratch.cells.resize((side * side) as usize, NONE);
    let (first, last) = (scratch.starts[usize::from(id)], scratch.starts[usize::from(id) + 1]);
    let (mut low, mut high) = (u16::MAX, 0);
    for &span in &scratch.spans[first as usize..last as usize] {
        let column = layers.columns[span as usize];
        let (x, z) = (column % field.block.columns, column / field.block.columns);
        scratch.cells[((z - field.rules.margin) * side + x - field.rules.margin) as usize] = span;
        let floor = field.floors[span as usize];
        (low, high) = (low.min(floor), high.max(floor));
    }
    let tolerance = f64::from(field.rules.height_error) * 0.6;
    windings(&mesh, sides, &mut scratch.windings);
    if f64::from(high - low) <= tolerance {
        return mesh;
    }
    for _ in 0..ROUNDS_MAX {
        let mut points: Vec<Vertex> = Vec::new();
        for face in mesh.inner_faces().filter(|face| scratch.windings[face.index()] > 0) {
            let corners = face.vertices().map(|vertex| scratch.vertices[vertex.index()]);
            points.extend(worst_cell(&corners, field, &scratch.cells, tolerance));
        }
        if points.is_empty() {
            break;
        }
        for point in points {
            // The middle of a cell is a valid place.
            let _ = insert(&mut mesh, &mut scratch.vertices, point);
        }
        windings(&mesh, sides, &mut scratch.windings);
    }
    mesh
}

/// The middle of the cell, within a triangle, that is farthest from it in height, if it is too far.
fn worst_cell(corners: &[Vertex; 3], field: &TileField, cells: &[u32], tolerance: f64) -> Option<Vertex> {
    let [a, b, c] = *corners;
    let side = field.side() as i32;
    let twice = join::turn(a, b, c) as f64;
    let least = |at: fn(&Vertex) -> i32| corners.iter().map(at).min().unwrap_or(0);
    let most = |at: fn(&Vertex) -> i32| corners.iter().map(at).max().unwrap_or(0);
    let (left, right) = (least(|at| at.x) / 2, most(|at| at.x) / 2);
    let (near, far) = (-most(|at| at.y) / 2, -least(|at| at.y) / 2);
    let (mut found, mut most) = (None, tolerance);
    for z in near.max(0)..far.min(side) {
        for x in left.max(0)..right.min(side) {
            let span = cells[(z * side + x) as usize];
            let mut at = Vertex { x: 2 * x + 1, y: -(2 * z + 1), height: 0 };
            if span == NONE {
                continue;
            }
            let shares = [join::turn(b, c, at), join::turn(c, a, at), join::turn(a, b, at)];
            if shares.iter().any(|&share| share <= 0) {
                continue;
            }
            at.height = field.floors[span as usize].into();
            let heights = [a, b, c].map(|corner| f64::from(corner.height));
            let sum: f64 = shares.iter().zip(heights).map(|(&share, height)| share as f64 * height).sum();
            let error = (sum / twice - f64::from(at.height)).abs();
            if error > most {
                (found, most) = (Some(at), error);
            }
        }
    }
    found
}

/// How often the outlines go round each face, counter-clockwise; over 0 is inside.
pub(super) fn windings(mesh: &Mesh, sides: &[[u32; 2]], windings: &mut Vec<i32>) {
    let mut steps = vec![0i32; mesh.num_directed_edges()];
    for &[from, to] in sides {
        let handle = |at: u32| spade::handles::FixedVertexHandle::from_index(at as usize);
        if let Some(edge) = mesh.get_edge_from_neighbors(handle(from), handle(to)) {
            steps[edge.fix().index()] += 1;
            steps[edge.fix().rev().index()] -= 1;
        }
    }
    windings.clear();
    windings.resize(mesh.num_all_faces(), i32::MIN);
    windings[mesh.outer_face().index()] = 0;
    let mut open: Vec<_> = mesh.convex_hull().collect();
    while let Some(edge) = open.pop() {
        let to = edge.rev().face();
        if windings[to.index()] == i32::MIN {
            windings[to.index()] = windings[edge.face().index()] - steps[edge.fix().index()];
            let inner = edge.rev();
            open.extend([inner.next(), inner.prev()]);
        }
    }
}

/// Adds the joined polygons to the patch; corners that other layers put there already are shared.
fn write(field: &TileField, area: AreaId, scratch: &mut PolygonScratch, patch: &mut Patch) {
    let lines = field.side() as i32 + 1;
    let (first_x, first_z) = (field.block.x + field.rules.margin as i32, field.block.z + field.rules.margin as i32);
    let mut numbers = vec![NONE; scratch.vertices.len()];
    let PolygonScratch { joined, vertices, heads, next, .. } = scratch;
    for polygon in joined.polygons() {
        let first = patch.loops.len() as u32;
        for &vertex in polygon {
            let number = &mut numbers[vertex as usize];
            if *number == NONE {
                let at = vertices[vertex as usize];
                let half = |from: f32, index: i32| {
                    (f64::from(from) + f64::from(index) * 0.5 * f64::from(field.rules.cell_m)) as f32
                };
                let corner = Vec3::new(
                    half(field.grid.origin.x, 2 * first_x + at.x),
                    field.grid.height(at.height as u16, &field.rules),
                    half(field.grid.origin.z, 2 * first_z - at.y),
                );
                // Only corners of cells are shared by layers; middles of cells are odd.
                let is_crossing = at.x % 2 == 0;
                let place = (-at.y / 2 * lines + at.x / 2) as usize;
                let mut known = if is_crossing { heads[place] } else { NONE };
                let climb_m = f32::from(field.rules.climb) * field.rules.cell_height_m;
                while known != NONE && (patch.corners[known as usize].y - corner.y).abs() > climb_m {
                    known = next[known as usize];
                }
                if known == NONE {
                    known = patch.corners.len() as u32;
                    patch.corners.push(corner);
                    next.push(NONE);
                    if is_crossing {
                        next[known as usize] = std::mem::replace(&mut heads[place], known);
                    }
                }
                *number = known;
            }
            patch.loops.push(*number);
        }
        patch.polygons.push(Polygon { first, count: polygon.len() as u32, area });
    }
}
