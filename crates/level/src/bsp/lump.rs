//! The lumps of a level file as records whose numbers all name something that is there.
//!
//! O(bytes); memory follows the bytes. A file that is cut off, or whose directory lies, is refused before its lumps are read.

use std::ops::Range;

use crate::error::{Flaw, Problem};
use crate::mesh::TRIANGLES_MAX;
use crate::spec::REACH_M;

use super::UNIT_M;

/// Bytes of a file at most.
const BYTES_MAX: usize = 256 << 20;
/// Lumps of a file.
const LUMPS: usize = 17;
/// Bytes before the first lump.
const HEAD: usize = 8 + 8 * LUMPS;
/// How far from the origin anything may lie, units.
const REACH_UNITS: f32 = REACH_M / UNIT_M;
/// Sides of a brush at most.
pub const SIDES_MAX: usize = 256;
/// Control points of a patch along one side at most.
pub const PATCH_POINTS_MAX: usize = 65;

/// Names of the lumps, and bytes of a record.
const RECORDS: [(&str, usize); LUMPS] = [
    ("entities", 1),
    ("textures", 72),
    ("planes", 16),
    ("nodes", 36),
    ("leafs", 48),
    ("leaf faces", 4),
    ("leaf brushes", 4),
    ("models", 40),
    ("brushes", 12),
    ("brush sides", 8),
    ("vertices", 44),
    ("mesh vertices", 4),
    ("effects", 1),
    ("faces", 104),
    ("light maps", 1),
    ("light volumes", 1),
    ("visibility", 1),
];

/// A level file as read. Numbers that name records are checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bsp {
    /// The text of the entities.
    pub entities: String,
    /// Shaders.
    pub textures: Vec<Texture>,
    /// Planes.
    pub planes: Vec<Plane>,
    /// Inner nodes of the tree; the first is the root. Children have greater numbers than their parent.
    pub nodes: Vec<Node>,
    /// Leafs of the tree.
    pub leafs: Vec<Leaf>,
    /// Numbers of faces, by leaf.
    pub leaf_faces: Vec<u32>,
    /// Numbers of brushes, by leaf.
    pub leaf_brushes: Vec<u32>,
    /// The world, then movers and triggers.
    pub models: Vec<Model>,
    /// Convex bodies.
    pub brushes: Vec<Brush>,
    /// Their sides.
    pub sides: Vec<Side>,
    /// Corners of faces, control points of patches.
    pub vertices: Vec<Vertex>,
    /// Corners of triangles of faces, counted from the face's first vertex.
    pub mesh_vertices: Vec<u32>,
    /// Polygons, patches and meshes; others are there with the kind [`FaceKind::Other`].
    pub faces: Vec<Face>,
    /// Which clusters may see each other.
    pub visibility: Visibility,
}

/// Records one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Span {
    /// As numbers.
    pub fn range(self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// A shader, as far as the file tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Its name, as in `textures/base/floor`.
    pub name: String,
    /// Flags of the surface; see [`super::class`].
    pub flags: u32,
    /// Flags of what it encloses; see [`super::class`].
    pub contents: u32,
}

/// A plane; points in front of it have `normal . p > distance`. Units and axes of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: [f32; 3],
    /// Distance from the origin along it.
    pub distance: f32,
}

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// A node.
    Node(u32),
    /// A leaf.
    Leaf(u32),
}

/// An inner node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The plane that splits it.
    pub plane: u32,
    /// What is in front of it, and behind.
    pub children: [Child; 2],
}

/// A leaf of the tree: a convex part of space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// Its cluster; -1 inside of walls and outside of the level.
    pub cluster: i32,
    /// Its faces, numbers into [`Bsp::leaf_faces`].
    pub faces: Span,
    /// Its brushes, numbers into [`Bsp::leaf_brushes`].
    pub brushes: Span,
}

/// Faces and brushes that move together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Model {
    /// Least coordinates.
    pub low: [f32; 3],
    /// Greatest coordinates.
    pub high: [f32; 3],
    /// Its faces.
    pub faces: Span,
    /// Its brushes.
    pub brushes: Span,
}

/// A convex body: what is behind all of its sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Brush {
    /// Its sides.
    pub sides: Span,
    /// The shader that says what it is made of.
    pub texture: u32,
}

/// A side of a brush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Its plane, looking outward.
    pub plane: u32,
    /// Its shader.
    pub texture: u32,
}

/// A corner. Units and axes of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Where.
    pub position: [f32; 3],
    /// The normal there; zero where the file has none.
    pub normal: [f32; 3],
}

/// What a face is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaceKind {
    /// A flat polygon, cut into triangles.
    Polygon,
    /// A grid of control points, so many along its sides: biquadratic patches.
    Patch([u32; 2]),
    /// Triangles.
    Mesh,
    /// A billboard or anything else; it has no corners here.
    #[default]
    Other,
}

/// A face to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    /// What it is.
    pub kind: FaceKind,
    /// Its shader.
    pub texture: u32,
    /// Its corners or control points.
    pub vertices: Span,
    /// Its triangles, three each; numbers into [`Bsp::mesh_vertices`].
    pub mesh_vertices: Span,
}

/// Which clusters may see each other: a row of bits for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    /// How many clusters; 0 when the file does not tell.
    pub clusters: u32,
    /// Bytes of a row.
    pub row: u32,
    /// The rows.
    pub bits: Vec<u8>,
}

impl Visibility {
    /// Whether one cluster may see another. Clusters that the table does not know may see everything.
    pub fn may_see(&self, from: i32, to: i32) -> bool {
        let known = |cluster: i32| u32::try_from(cluster).ok().filter(|cluster| *cluster < self.clusters);
        let (Some(from), Some(to)) = (known(from), known(to)) else { return true };
        let at = from as usize * self.row as usize + to as usize / 8;
        to / 8 < self.row && self.bits.get(at).is_some_and(|byte| byte >> (to % 8) & 1 != 0)
    }
}

impl Bsp {
    /// The cluster of a point of the file; none without a tree.
    pub fn cluster_at(&self, point: [f32; 3]) -> Option<i32> {
        let mut child = Child::Node(0);
        loop {
            match child {
                Child::Leaf(leaf) => return self.leafs.get(leaf as usize).map(|leaf| leaf.cluster),
                Child::Node(node) => {
                    let node = self.nodes.get(node as usize)?;
                    let Plane { normal: [a, b, c], distance } = self.planes[node.plane as usize];
                    let is_behind = a * point[0] + b * point[1] + c * point[2] < distance;
                    child = node.children[usize::from(is_behind)];
                }
            }
        }
    }

    /// The leafs that a straight way passes through, in order, each with the shares of the way, 0..=1, at which it is entered
    /// and left. O(leafs on the way + depth of the tree).
    pub fn leafs_along(&self, from: [f32; 3], to: [f32; 3]) -> Vec<(u32, f64, f64)> {
        let mut passed = Vec::new();
        let mut waiting = vec![(Child::Node(0), 0.0, 1.0)];
        while let Some((child, enter, leave)) = waiting.pop() {
            let node = match child {
                Child::Leaf(leaf) => {
                    passed.push((leaf, enter, leave));
                    continue;
                }
                // Children have greater numbers, so this ends.
                Child::Node(node) => self.nodes.get(node as usize),
            };
            let Some(node) = node else { continue };
            let Plane { normal, distance } = self.planes[node.plane as usize];
            let height = |at: [f32; 3]| {
                (0..3).map(|axis| f64::from(normal[axis]) * f64::from(at[axis])).sum::<f64>() - f64::from(distance)
            };
            let (first, last) = (height(from), height(to));
            let (near, far) = (first + (last - first) * enter, first + (last - first) * leave);
            let side = |height: f64| node.children[usize::from(height < 0.0)];
            if (near < 0.0) == (far < 0.0) {
                waiting.push((side(near), enter, leave));
            } else {
                let cross = first / (first - last);
                // What is pushed last comes first.
                waiting.extend([(side(far), cross, leave), (side(near), enter, cross)]);
            }
        }
        passed
    }
}

/// Bytes of a record, by offset; out of it everything is zero.
#[derive(Clone, Copy)]
struct Record<'a>(&'a [u8]);

impl Record<'_> {
    fn int(&self, at: usize) -> i32 {
        let bytes = self.0.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, i32::from_le_bytes)
    }

    fn float(&self, at: usize) -> f32 {
        f32::from_bits(self.int(at) as u32)
    }

    fn floats(&self, at: usize) -> [f32; 3] {
        [self.float(at), self.float(at + 4), self.float(at + 8)]
    }
}

/// The file's lumps, where the directory says they are.
struct Lumps<'a>([&'a [u8]; LUMPS]);

impl<'a> Lumps<'a> {
    fn find(bytes: &'a [u8]) -> Result<Lumps<'a>, Problem> {
        if bytes.len() > BYTES_MAX {
            return Err(Flaw::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.into());
        }
        let head = Record(bytes);
        let is_ours = bytes.starts_with(b"IBSP") && head.int(4) == 46;
        if !is_ours {
            let why = "this is no Quake III level: expected a file that begins with `IBSP` and version 46";
            return Err(Problem::Wrong(why));
        }
        if bytes.len() < HEAD {
            return Err(Problem::Lump { what: "directory", from: 8, to: HEAD as u64, length: bytes.len() as u64 });
        }
        let mut lumps = [&bytes[..0]; LUMPS];
        for (number, (lump, (what, size))) in lumps.iter_mut().zip(RECORDS).enumerate() {
            // Negative numbers become huge ones, and are refused as such.
            let number_at = |at: usize| u64::from(head.int(at) as u32);
            let (from, length) = (number_at(8 + 8 * number), number_at(12 + 8 * number));
            let to = from + length;
            let found = bytes.get(from as usize..to as usize).filter(|_| to <= bytes.len() as u64);
            let length = bytes.len() as u64;
            *lump = found.ok_or(Problem::Lump { what, from, to, length })?;
            if !lump.len().is_multiple_of(size) {
                return Err(Problem::Part { what, bytes: lump.len() as u64, record: size as u64 });
            }
        }
        Ok(Lumps(lumps))
    }

    fn count(&self, lump: usize) -> usize {
        self.0[lump].len() / RECORDS[lump].1
    }

    fn each<T>(
        &self,
        lump: usize,
        mut make: impl FnMut(Record<'_>) -> Result<T, &'static str>,
    ) -> Result<Vec<T>, Problem> {
        let (what, size) = RECORDS[lump];
        let records = (0..).zip(self.0[lump].chunks_exact(size));
        let made = records.map(|(number, bytes)| {
            make(Record(bytes)).map_err(|fault| Problem::Record { what: single(what), number, fault })
        });
        made.collect()
    }

    /// A number that names a record of a lump.
    fn name(&self, number: i32, lump: usize, fault: &'static str) -> Result<u32, &'static str> {
        u32::try_from(number).ok().filter(|&number| (number as usize) < self.count(lump)).ok_or(fault)
    }

    /// Records of a lump, from the first of two numbers on, as many as the second.
    fn span(&self, [first, count]: [i32; 2], lump: usize, fault: &'static str) -> Result<Span, &'static str> {
        if count == 0 {
            return Ok(Span::default());
        }
        let (Ok(first), Ok(count)) = (u32::try_from(first), u32::try_from(count)) else { return Err(fault) };
        let is_there = u64::from(first) + u64::from(count) <= self.count(lump) as u64;
        is_there.then_some(Span { first, count }).ok_or(fault)
    }
}

/// What one record of a lump is called.
fn single(what: &'static str) -> &'static str {
    match what {
        "vertices" => "vertex",
        "mesh vertices" => "mesh vertex",
        "brushes" => "brush",
        "leaf brushes" => "leaf brush",
        _ => what.strip_suffix('s').unwrap_or(what),
    }
}

const ENTITIES: usize = 0;
const TEXTURES: usize = 1;
const PLANES: usize = 2;
const NODES: usize = 3;
const LEAFS: usize = 4;
const LEAF_FACES: usize = 5;
const LEAF_BRUSHES: usize = 6;
const MODELS: usize = 7;
const BRUSHES: usize = 8;
const SIDES: usize = 9;
const VERTICES: usize = 10;
const MESH_VERTICES: usize = 11;
const FACES: usize = 13;
const VISIBILITY: usize = 16;

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Bsp, Problem> {
    let lumps = Lumps::find(bytes)?;
    let number = |lump: usize, named: usize, fault: &'static str| {
        lumps.each(lump, move |record| Ok(record.int(0))).and_then(|numbers| {
            let names = (0..).zip(numbers).map(|(number, name)| {
                let what = single(RECORDS[lump].0);
                lumps.name(name, named, fault).map_err(|fault| Problem::Record { what, number, fault })
            });
            names.collect::<Result<Vec<u32>, Problem>>()
        })
    };
    let text = lumps.0[ENTITIES].split(|&byte| byte == 0).next().unwrap_or_default();
    Ok(Bsp {
        entities: String::from_utf8_lossy(text).into_owned(),
        textures: lumps.each(TEXTURES, texture)?,
        planes: lumps.each(PLANES, plane)?,
        nodes: nodes(&lumps)?,
        leafs: lumps.each(LEAFS, |record| leaf(&lumps, &record))?,
        leaf_faces: number(LEAF_FACES, FACES, "names a face that is not there")?,
        leaf_brushes: number(LEAF_BRUSHES, BRUSHES, "names a brush that is not there")?,
        models: lumps.each(MODELS, |record| model(&lumps, &record))?,
        brushes: lumps.each(BRUSHES, |record| brush(&lumps, &record))?,
        sides: lumps.each(SIDES, |record| {
            let plane = lumps.name(record.int(0), PLANES, "names a plane that is not there")?;
            Ok(Side { plane, texture: lumps.name(record.int(4), TEXTURES, "names a texture that is not there")? })
        })?,
        vertices: lumps.each(VERTICES, vertex)?,
        mesh_vertices: lumps.each(MESH_VERTICES, |record| {
            u32::try_from(record.int(0)).map_err(|_| "is negative: expected a number of a vertex of its face")
        })?,
        faces: faces(&lumps)?,
        visibility: visibility(lumps.0[VISIBILITY])?,
    })
}

fn texture(record: Record<'_>) -> Result<Texture, &'static str> {
    let name = record.0[..64].split(|&byte| byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name).into_owned();
    Ok(Texture { name, flags: record.int(64) as u32, contents: record.int(68) as u32 })
}

/// A point that is finite and near enough.
fn point(floats: [f32; 3]) -> Option<[f32; 3]> {
    floats.iter().all(|float| float.abs() <= REACH_UNITS).then_some(floats)
}

fn plane(record: Record<'_>) -> Result<Plane, &'static str> {
    let (normal, distance) = (record.floats(0), record.float(12));
    let squared: f32 = normal.iter().map(|float| float * float).sum();
    if !(0.99..=1.01).contains(&squared) {
        return Err("has no unit normal");
    }
    if distance.is_nan() || distance.abs() > 2.0 * REACH_UNITS {
        return Err("is too far away, or nowhere: expected a distance within 640 000 units");
    }
    Ok(Plane { normal, distance })
}

fn nodes(lumps: &Lumps<'_>) -> Result<Vec<Node>, Problem> {
    let mut parent = -1;
    lumps.each(NODES, |record| {
        parent += 1;
        let child = |at: usize| match record.int(at) {
            // Parents come first, so that no way down is endless.
            node if node >= 0 && node <= parent => Err("names a child that is not after it"),
            node if node >= 0 => lumps.name(node, NODES, "names a node that is not there").map(Child::Node),
            leaf => lumps.name(-(leaf + 1), LEAFS, "names a leaf that is not there").map(Child::Leaf),
        };
        let plane = lumps.name(record.int(0), PLANES, "names a plane that is not there")?;
        Ok(Node { plane, children: [child(4)?, child(8)?] })
    })
}

fn leaf(lumps: &Lumps<'_>, record: &Record<'_>) -> Result<Leaf, &'static str> {
    let pair = |at: usize| [record.int(at), record.int(at + 4)];
    Ok(Leaf {
        cluster: record.int(0),
        faces: lumps.span(pair(32), LEAF_FACES, "names faces that are not there")?,
        brushes: lumps.span(pair(40), LEAF_BRUSHES, "names brushes that are not there")?,
    })
}

fn model(lumps: &Lumps<'_>, record: &Record<'_>) -> Result<Model, &'static str> {
    let corner = |at: usize| point(record.floats(at)).ok_or("has a corner that is too far away or nowhere");
    let pair = |at: usize| [record.int(at), record.int(at + 4)];
    Ok(Model {
        low: corner(0)?,
        high: corner(12)?,
        faces: lumps.span(pair(24), FACES, "names faces that are not there")?,
        brushes: lumps.span(pair(32), BRUSHES, "names brushes that are not there")?,
    })
}

fn brush(lumps: &Lumps<'_>, record: &Record<'_>) -> Result<Brush, &'static str> {
    let sides = lumps.span([record.int(0), record.int(4)], SIDES, "names sides that are not there")?;
    if sides.count as usize > SIDES_MAX {
        return Err("has too many sides: expected at most 256");
    }
    Ok(Brush { sides, texture: lumps.name(record.int(8), TEXTURES, "names a texture that is not there")? })
}

fn vertex(record: Record<'_>) -> Result<Vertex, &'static str> {
    let position = point(record.floats(0)).ok_or("is too far away or nowhere: expected within 320 000 units")?;
    let normal = record.floats(28);
    let is_finite = normal.iter().all(|float| float.abs() < 1e6);
    Ok(Vertex { position, normal: if is_finite { normal } else { [0.0; 3] } })
}

fn faces(lumps: &Lumps<'_>) -> Result<Vec<Face>, Problem> {
    let mut corners_left = 3 * TRIANGLES_MAX;
    lumps.each(FACES, |record| {
        let kind = match record.int(8) {
            1 => FaceKind::Polygon,
            2 => FaceKind::Patch(patch_size(record.int(96), record.int(100))?),
            3 => FaceKind::Mesh,
            _ => return Ok(Face::default()),
        };
        let texture = lumps.name(record.int(0), TEXTURES, "names a texture that is not there")?;
        let pair = |at: usize| [record.int(at), record.int(at + 4)];
        let vertices = lumps.span(pair(12), VERTICES, "names vertices that are not there")?;
        if let FaceKind::Patch([columns, rows]) = kind {
            let is_whole = columns * rows == vertices.count;
            let face = Face { kind, texture, vertices, mesh_vertices: Span::default() };
            return is_whole.then_some(face).ok_or("is a patch with more or fewer control points than its sides say");
        }
        let mesh_vertices = lumps.span(pair(20), MESH_VERTICES, "names mesh vertices that are not there")?;
        // Faces may share them, so their sum is not bounded by the bytes.
        let left = corners_left.checked_sub(mesh_vertices.count as usize);
        corners_left = left.ok_or("has too many triangles, with those before it: expected at most 2 000 000")?;
        let corners =
            lumps.0[MESH_VERTICES].chunks_exact(4).take(mesh_vertices.range().end).skip(mesh_vertices.range().start);
        let is_within = |bytes: &[u8]| (Record(bytes).int(0) as u32) < vertices.count;
        if !corners.into_iter().all(is_within) {
            return Err("has a triangle with a corner that is none of its vertices");
        }
        Ok(Face { kind, texture, vertices, mesh_vertices })
    })
}

fn patch_size(columns: i32, rows: i32) -> Result<[u32; 2], &'static str> {
    let side = |count: i32| {
        let is_good = count >= 3 && count % 2 == 1 && count as usize <= PATCH_POINTS_MAX;
        is_good.then_some(count as u32).ok_or("is a patch of a bad size: expected 3, 5, .. 65 control points a side")
    };
    Ok([side(columns)?, side(rows)?])
}

fn visibility(bytes: &[u8]) -> Result<Visibility, Problem> {
    if bytes.is_empty() {
        return Ok(Visibility::default());
    }
    let head = Record(bytes);
    let (clusters, row) = (head.int(0) as u32, head.int(4) as u32);
    let length = u64::from(clusters) * u64::from(row);
    match bytes.get(8..).filter(|bits| bits.len() as u64 >= length) {
        Some(bits) => Ok(Visibility { clusters, row, bits: bits[..length as usize].to_vec() }),
        None => Err(Problem::Wrong("the table of visibility is shorter than it says")),
    }
}
