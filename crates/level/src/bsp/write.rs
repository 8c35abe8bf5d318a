//! A writer of small level files, for tests and as seeds of fuzzing: boxes, patches, triangles and entities.
//!
//! What it writes is a whole file as [`lump::read`](super::lump::read) reads it. The tree has one node: what is on the front
//! of its plane belongs to the level.

use super::lump::{Plane, Vertex};

/// A level file in the making. Units and axes of the file.
#[derive(Clone, Debug, Default)]
pub struct BspWriter {
    entities: String,
    textures: Vec<u8>,
    planes: Vec<u8>,
    brushes: Vec<u8>,
    sides: Vec<u8>,
    vertices: Vec<u8>,
    mesh_vertices: Vec<u8>,
    faces: Vec<u8>,
    models: Vec<u8>,
    /// Brushes and faces of models already ended.
    ended: [usize; 2],
    /// Corners of the model in the making.
    reach: Option<[[f32; 3]; 2]>,
    split: Option<Plane>,
}

fn ints(bytes: &mut Vec<u8>, numbers: &[i32]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

fn floats(bytes: &mut Vec<u8>, numbers: &[f32]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

impl BspWriter {
    /// Adds an entity: keys and values.
    pub fn entity(&mut self, pairs: &[(&str, &str)]) {
        let pairs: String = pairs.iter().map(|(key, value)| format!("\"{key}\" \"{value}\"\n")).collect();
        self.entities.push_str(&format!("{{\n{pairs}}}\n"));
    }

    /// Adds a shader and says its number.
    pub fn texture(&mut self, name: &str, flags: u32, contents: u32) -> i32 {
        let mut record = [0; 64];
        name.bytes().take(63).zip(&mut record).for_each(|(byte, slot)| *slot = byte);
        self.textures.extend(record);
        ints(&mut self.textures, &[flags as i32, contents as i32]);
        (self.textures.len() / 72) as i32 - 1
    }

    fn reach(&mut self, points: &[[f32; 3]]) {
        for point in points {
            let [low, high] = self.reach.get_or_insert([*point; 2]);
            for axis in 0..3 {
                low[axis] = sentir_core::math::min(low[axis], point[axis]);
                high[axis] = sentir_core::math::max(high[axis], point[axis]);
            }
        }
    }

    /// Adds a convex body behind planes, all of one shader.
    pub fn brush(&mut self, planes: &[Plane], texture: i32) {
        let first = (self.sides.len() / 8) as i32;
        for plane in planes {
            ints(&mut self.sides, &[(self.planes.len() / 16) as i32, texture]);
            floats(&mut self.planes, &plane.normal);
            floats(&mut self.planes, &[plane.distance]);
        }
        ints(&mut self.brushes, &[first, planes.len() as i32, texture]);
    }

    /// Adds a box between two corners.
    pub fn block(&mut self, low: [f32; 3], high: [f32; 3], texture: i32) {
        self.reach(&[low, high]);
        let mut planes = Vec::new();
        for axis in 0..3 {
            for (sign, distance) in [(-1.0, -low[axis]), (1.0, high[axis])] {
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                planes.push(Plane { normal, distance });
            }
        }
        self.brush(&planes, texture);
    }

    fn face(&mut self, kind: i32, vertices: &[Vertex], triangles: &[[i32; 3]], size: [i32; 2], texture: i32) {
        let (first, first_mesh) = ((self.vertices.len() / 44) as i32, (self.mesh_vertices.len() / 4) as i32);
        for vertex in vertices {
            floats(&mut self.vertices, &vertex.position);
            floats(&mut self.vertices, &[0.0; 4]);
            floats(&mut self.vertices, &vertex.normal);
            ints(&mut self.vertices, &[-1]);
        }
        triangles.iter().for_each(|triangle| ints(&mut self.mesh_vertices, triangle));
        let counts = [vertices.len() as i32, first_mesh, 3 * triangles.len() as i32];
        ints(&mut self.faces, &[texture, -1, kind, first, counts[0], counts[1], counts[2]]);
        ints(&mut self.faces, &[0; 17]);
        ints(&mut self.faces, &size);
    }

    /// Adds triangles: a mesh, or with `is_flat` a polygon.
    pub fn triangles(&mut self, vertices: &[Vertex], triangles: &[[i32; 3]], is_flat: bool, texture: i32) {
        self.face(if is_flat { 1 } else { 3 }, vertices, triangles, [0; 2], texture);
    }

    /// Adds a curved patch: control points row by row.
    pub fn patch(&mut self, points: &[Vertex], columns: i32, texture: i32) {
        let rows = points.len() as i32 / columns;
        self.face(2, points, &[], [columns, rows], texture);
    }

    /// Adds a face of another kind, as a billboard is.
    pub fn billboard(&mut self) {
        self.face(4, &[], &[], [0; 2], -1);
    }

    /// Ends a model: what was added since the last one belongs to it. The first is the world.
    pub fn end_model(&mut self) {
        let [brushes, faces] = [self.brushes.len() / 12, self.faces.len() / 104];
        let [first_brush, first_face] = self.ended;
        let [low, high] = self.reach.take().unwrap_or_default();
        floats(&mut self.models, &low);
        floats(&mut self.models, &high);
        let spans = [first_face, faces - first_face, first_brush, brushes - first_brush];
        ints(&mut self.models, &spans.map(|number| number as i32));
        self.ended = [brushes, faces];
    }

    /// Says what is inside: the front of a plane. Without it, everything is.
    pub fn split(&mut self, plane: Plane) {
        self.split = Some(plane);
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut planes, mut nodes, mut leafs) = (self.planes.clone(), Vec::new(), Vec::new());
        if let Some(plane) = &self.split {
            ints(&mut nodes, &[(planes.len() / 16) as i32, -1, -2]);
            ints(&mut nodes, &[0; 6]);
            floats(&mut planes, &plane.normal);
            floats(&mut planes, &[plane.distance]);
        }
        for cluster in [0, -1] {
            ints(&mut leafs, &[cluster]);
            ints(&mut leafs, &[0; 11]);
        }
        let mut visibility = Vec::new();
        ints(&mut visibility, &[1, 1]);
        visibility.push(1);
        let mut entities = self.entities.clone().into_bytes();
        entities.push(0);
        let empty = Vec::new();
        let lumps: [&Vec<u8>; 17] = [
            &entities,
            &self.textures,
            &planes,
            &nodes,
            &leafs,
            &empty,
            &empty,
            &self.models,
            &self.brushes,
            &self.sides,
            &self.vertices,
            &self.mesh_vertices,
            &empty,
            &self.faces,
            &empty,
            &empty,
            &visibility,
        ];
        let mut bytes = b"IBSP".to_vec();
        ints(&mut bytes, &[46]);
        let mut at = 8 + 8 * lumps.len();
        for lump in lumps {
            ints(&mut bytes, &[at as i32, lump.len() as i32]);
            at += lump.len();
        }
        lumps.iter().for_each(|lump| bytes.extend_from_slice(lump));
        bytes
    }

    /// A small level with some of everything: a floor and walls, a clip, a patch, a mesh, spawns, items, a door, a jump pad.
    pub fn sample() -> BspWriter {
        let mut writer = BspWriter::default();
        let solid = writer.texture("textures/base/floor", 0, 1);
        let clip = writer.texture("textures/common/clip", 0x80, 0x1_0000);
        let trigger = writer.texture("textures/common/trigger", 0x80, 0x4000_0000);
        let up = |position: [f32; 3]| Vertex { position, normal: [0.0, 0.0, 1.0] };
        writer.block([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0], solid);
        writer.block([-512.0, -512.0, 0.0], [-480.0, 512.0, 256.0], solid);
        writer.block([480.0, -512.0, 0.0], [512.0, 512.0, 256.0], solid);
        writer.block([-64.0, -64.0, 0.0], [64.0, 64.0, 128.0], clip);
        let points: Vec<Vertex> = (0..9)
            .map(|at| {
                up([(at % 3) as f32 * 64.0 + 128.0, (at / 3) as f32 * 64.0, if at % 3 == 1 { 64.0 } else { 8.0 }])
            })
            .collect();
        writer.patch(&points, 3, solid);
        let banner = [[-200.0, 0.0, 100.0], [-100.0, 0.0, 100.0], [-150.0, 0.0, 180.0]].map(up);
        writer.triangles(&banner, &[[0, 1, 2]], false, solid);
        writer.billboard();
        writer.end_model();
        writer.block([256.0, -32.0, 0.0], [272.0, 32.0, 96.0], solid);
        writer.end_model();
        writer.block([-300.0, -300.0, 0.0], [-236.0, -236.0, 16.0], trigger);
        writer.end_model();
        writer.split(Plane { normal: [0.0, 0.0, 1.0], distance: -16.0 });
        writer.entity(&[("classname", "worldspawn"), ("message", "A sample")]);
        writer.entity(&[("classname", "info_player_deathmatch"), ("origin", "-256 128 40"), ("angle", "90")]);
        writer.entity(&[("classname", "team_CTF_redspawn"), ("origin", "-256 256 30")]);
        writer.entity(&[("classname", "item_health"), ("origin", "128 -128 32")]);
        writer.entity(&[("classname", "weapon_shotgun"), ("origin", "128 -256 96"), ("spawnflags", "1")]);
        writer.entity(&[("classname", "func_door"), ("model", "*1"), ("angle", "-1"), ("speed", "200")]);
        writer.entity(&[("classname", "trigger_push"), ("model", "*2"), ("target", "t1")]);
        writer.entity(&[("classname", "target_position"), ("targetname", "t1"), ("origin", "0 0 256")]);
        writer
    }
}
