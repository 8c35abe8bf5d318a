//! glTF 2.0 levels, the geometry of them: triangles of all meshes of the scene, with the transforms of their nodes.
//!
//! `.glb`, and `.gltf` with buffers inside (base64); a buffer in a file of its own is refused, as only bytes come in here.
//! glTF has meters, y up, right-handed axes, as we do. The JSON is read by the crate `gltf`; accessors by code of our own,
//! which checks every offset. A material gives triangles their class, by its name, as in OBJ. Skins, morphs, points, lines
//! and compressed meshes are not read. O(bytes); memory follows what the file really holds.

use ::gltf as format;
use format::accessor::{DataType, Dimensions};
use format::mesh::Mode;
use format::{Accessor, Gltf, Node, Primitive, Semantic, buffer};
use glam::{DMat4, DVec3};

use crate::error::{FilePosition, Flaw, LevelError, Problem, shortened};
use crate::mesh::{MeshSpec, TRIANGLES_MAX, VERTICES_MAX};
use crate::obj;
use crate::spec::{LevelSpec, REACH_M};

/// Bytes of a file at most.
const BYTES_MAX: usize = 256 << 20;
/// Nodes on the way from a root to a mesh at most.
const DEPTH_MAX: usize = 64;
/// Nodes met on all ways from the roots at most: a node may have several parents in a lying file.
const NODES_MAX: usize = 1_000_000;
/// Materials of a mesh at most.
const MATERIALS_MAX: usize = 4096;

/// Reads a mesh.
pub fn parse_mesh(bytes: &[u8], name: &str) -> Result<MeshSpec, LevelError> {
    let refuse = |problem: Problem| LevelError { file: name.to_owned(), place: FilePosition::default(), problem };
    if bytes.len() > BYTES_MAX {
        return Err(refuse(Flaw::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.into()));
    }
    if let Some(why) = bad_head(bytes) {
        return Err(refuse(Problem::Wrong(why)));
    }
    if names_a_missing_accessor(bytes) {
        return Err(refuse(Problem::Scene("a mesh names an accessor that is not there".to_owned())));
    }
    let file = Gltf::from_slice(bytes).map_err(|why| refuse(Problem::Scene(shortened(&why.to_string()))))?;
    let mut reader = Reader { buffers: buffers(&file).map_err(refuse)?, mesh: MeshSpec::default(), nodes: 0 };
    let materials = file.materials().map(|material| material.name().unwrap_or_default().to_owned());
    reader.mesh.material_names = std::iter::once(String::new()).chain(materials.take(MATERIALS_MAX)).collect();
    let scene = file.default_scene().or_else(|| file.scenes().next());
    for node in scene.iter().flat_map(|scene| scene.nodes()) {
        reader.node(&node, DMat4::IDENTITY, 0).map_err(refuse)?;
    }
    if reader.mesh.triangles.is_empty() {
        return Err(refuse(Problem::Wrong("the scene has no triangles: expected at least one mesh on a node of it")));
    }
    Ok(reader.mesh)
}

/// Reads a scene as a level of its own, called after the file, with one floor that reaches over all of it.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    Ok(obj::level_of(parse_mesh(bytes, name)?, name))
}

/// What is wrong with the head of a `.glb`, before the crate reckons with the length in it; none of a sound one, and of `.gltf`.
fn bad_head(bytes: &[u8]) -> Option<&'static str> {
    if !bytes.starts_with(b"glTF") {
        return None;
    }
    let length = bytes.get(8..12).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    match length {
        None => Some("the file is cut off: expected a head of 12 bytes"),
        Some(length) if length < 12 => Some("the length in the file's head is less than that of the head itself"),
        Some(length) if length as usize > bytes.len() => Some("the file is cut off: its head tells of more bytes"),
        Some(_) => None,
    }
}

/// The bytes of every buffer.
fn buffers(file: &Gltf) -> Result<Vec<Vec<u8>>, Problem> {
    let buffer = |buffer: buffer::Buffer<'_>| match buffer.source() {
        buffer::Source::Bin => {
            file.blob.clone().ok_or(Problem::Wrong("a buffer is empty: expected the binary part of a .glb"))
        }
        buffer::Source::Uri(uri) => {
            let coded = uri.strip_prefix("data:").and_then(|uri| uri.split_once(";base64,"));
            let Some((_, coded)) = coded else {
                let text = shortened(uri);
                return Err(Problem::Line {
                    text,
                    expected: "a buffer inside the file: save the level as .glb, or embed it",
                });
            };
            decoded(coded).ok_or(Problem::Wrong("a buffer of the file is not base64"))
        }
    };
    file.buffers().map(buffer).collect()
}

/// Bytes of base64; none for other letters.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

struct Reader {
    buffers: Vec<Vec<u8>>,
    mesh: MeshSpec,
    nodes: usize,
}

impl Reader {
    fn node(&mut self, node: &Node<'_>, parent: DMat4, depth: usize) -> Result<(), Problem> {
        self.nodes += 1;
        if depth > DEPTH_MAX || self.nodes > NODES_MAX {
            return Err(Problem::Wrong(
                "the nodes of the scene are nested too deeply, or in a circle: expected at most 64 levels",
            ));
        }
        let own = DMat4::from_cols_array_2d(&node.transform().matrix().map(|column| column.map(f64::from)));
        let transform = parent * own;
        for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
            self.primitive(&primitive, transform)?;
        }
        node.children().try_for_each(|child| self.node(&child, transform, depth + 1))
    }

    fn primitive(&mut self, primitive: &Primitive<'_>, transform: DMat4) -> Result<(), Problem> {
        let mode = primitive.mode();
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(());
        }
        let Some(positions) = primitive.get(&Semantic::Positions) else { return Ok(()) };
        let first = self.mesh.vertices.len();
        self.positions(&positions, transform)?;
        let count = self.mesh.vertices.len() - first;
        let corners = match primitive.indices() {
            Some(indices) => self.indices(&indices, count)?,
            None => (0..count as u32).collect(),
        };
        let material = primitive.material().index().map_or(0, |index| index + 1).min(MATERIALS_MAX) as u16;
        // A transform that mirrors turns triangles over.
        let is_mirror = transform.determinant() < 0.0;
        for [a, b, c] in triangles(&corners, mode) {
            if self.mesh.triangles.len() >= TRIANGLES_MAX {
                let limit = TRIANGLES_MAX as u64;
                return Err(Problem::TooMany { what: "triangles", count: limit + 1, limit });
            }
            let turned = if is_mirror { [a, c, b] } else { [a, b, c] };
            self.mesh.triangles.push(turned.map(|corner| first as u32 + corner));
            self.mesh.materials.push(material);
        }
        Ok(())
    }

    /// Where the elements of an accessor are: first byte, step, and the bytes of its buffer. Refused unless all are there.
    fn elements(&self, accessor: &Accessor<'_>, size: usize) -> Result<(usize, usize, &[u8]), Problem> {
        let refuse = |fault: &'static str| Problem::Record { what: "accessor", number: accessor.index() as u64, fault };
        if accessor.sparse().is_some() {
            return Err(refuse("is sparse, which is not read: expected a plain one"));
        }
        let view = accessor.view().ok_or(refuse("has no buffer view"))?;
        let buffer = self.buffers.get(view.buffer().index()).ok_or(refuse("names a buffer that is not there"))?;
        let stride = view.stride().unwrap_or(size);
        let first = view.offset().checked_add(accessor.offset());
        let length = accessor.count().saturating_sub(1).checked_mul(stride).and_then(|length| length.checked_add(size));
        let end = first.zip(length).and_then(|(first, length)| first.checked_add(length));
        match (first, end) {
            (Some(first), Some(end)) if end <= buffer.len() && stride >= size => Ok((first, stride, buffer)),
            _ => Err(refuse("reaches past the end of its buffer")),
        }
    }

    fn positions(&mut self, accessor: &Accessor<'_>, transform: DMat4) -> Result<(), Problem> {
        let refuse = |fault: &'static str| Problem::Record { what: "accessor", number: accessor.index() as u64, fault };
        if accessor.data_type() != DataType::F32 || accessor.dimensions() != Dimensions::Vec3 {
            return Err(refuse("holds no positions: expected three floats each"));
        }
        let (first, stride, buffer) = self.elements(accessor, 12)?;
        if self.mesh.vertices.len() + accessor.count() > VERTICES_MAX {
            let (count, limit) = ((self.mesh.vertices.len() + accessor.count()) as u64, VERTICES_MAX as u64);
            return Err(Problem::TooMany { what: "vertices", count, limit });
        }
        let float = |at: usize| {
            buffer.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(f32::NAN, f32::from_le_bytes)
        };
        let mut moved = Vec::with_capacity(accessor.count());
        for number in 0..accessor.count() {
            let at = first + number * stride;
            let point = DVec3::new(float(at).into(), float(at + 4).into(), float(at + 8).into());
            let point = transform.transform_point3(point).as_vec3().to_array();
            if !point.iter().all(|x| x.abs() <= REACH_M) {
                return Err(refuse("has a position that is too far away or nowhere: expected within 10 000 m"));
            }
            moved.push(point);
        }
        self.mesh.vertices.extend(moved);
        Ok(())
    }

    fn indices(&self, accessor: &Accessor<'_>, vertices: usize) -> Result<Vec<u32>, Problem> {
        let refuse = |fault: &'static str| Problem::Record { what: "accessor", number: accessor.index() as u64, fault };
        let size = match (accessor.data_type(), accessor.dimensions()) {
            (DataType::U8, Dimensions::Scalar) => 1,
            (DataType::U16, Dimensions::Scalar) => 2,
            (DataType::U32, Dimensions::Scalar) => 4,
            _ => return Err(refuse("holds no indices: expected one unsigned number each")),
        };
        let (first, stride, buffer) = self.elements(accessor, size)?;
        let count = accessor.count();
        if count > 3 * TRIANGLES_MAX {
            return Err(Problem::TooMany { what: "indices", count: count as u64, limit: 3 * TRIANGLES_MAX as u64 });
        }
        let index = |number: usize| {
            let bytes = buffer.get(first + number * stride..first + number * stride + size).unwrap_or_default();
            bytes.iter().rev().fold(0u32, |index, byte| index << 8 | u32::from(*byte))
        };
        let indices: Vec<u32> = (0..count).map(index).collect();
        let is_there = indices.iter().all(|&index| (index as usize) < vertices);
        is_there.then_some(indices).ok_or(refuse("names a vertex that is not there"))
    }
}

/// Triangles of corners in a row, all turned the same way.
fn triangles(corners: &[u32], mode: Mode) -> Vec<[u32; 3]> {
    let three = |window: &[u32]| [window[0], window[1], window[2]];
    match mode {
        Mode::TriangleStrip => {
            let turned = |(number, [a, b, c]): (usize, [u32; 3])| if number % 2 == 0 { [a, b, c] } else { [b, a, c] };
            corners.windows(3).map(three).enumerate().map(turned).collect()
        }
        Mode::TriangleFan => {
            corners.iter().skip(1).zip(corners.iter().skip(2)).map(|(&b, &c)| [corners[0], b, c]).collect()
        }
        _ => corners.chunks_exact(3).map(three).collect(),
    }
}

/// A small file for tests and as a seed of fuzzing: a floor of two triangles, moved up by its node; `.glb` or `.gltf`.
pub fn sample(is_binary: bool) -> Vec<u8> {
    let corners = [[-8.0f32, 0.0, -8.0], [-8.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, -8.0]];
    let mut bin: Vec<u8> = corners.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    bin.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    let uri = if is_binary {
        String::new()
    } else {
        format!(r#""uri":"data:application/octet-stream;base64,{}","#, coded(&bin))
    };
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"children":[1],"translation":[0,1,0]}},{{"mesh":0,"scale":[2,1,1]}}],"materials":[{{"name":"fence"}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-8,0,-8],"max":[8,0,8]}},{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],"buffers":[{{{uri}"byteLength":{}}}]}}"#,
        bin.len()
    )
    .into_bytes();
    if !is_binary {
        return json;
    }
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + bin.len();
    [2, length as u32, json.len() as u32].iter().for_each(|number| file.extend(number.to_le_bytes()));
    file.extend(b"JSON");
    file.extend(&json);
    file.extend((bin.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(&bin);
    file
}

/// Base64 of bytes, without padding.
fn coded(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = bytes.chunks(3).flat_map(|chunk| {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |number| char::from(LETTERS[(bits >> (18 - 6 * number) & 63) as usize]))
    });
    letters.collect()
}

/// Whether a mesh takes its corners from an accessor that is not in the file: what checks the rest would stumble over it.
fn names_a_missing_accessor(bytes: &[u8]) -> bool {
    let text = match gltf::Glb::from_slice(bytes) {
        Ok(file) => file.json.into_owned(),
        Err(_) => bytes.to_vec(),
    };
    let Ok(root) = gltf::json::deserialize::from_slice::<gltf::json::Root>(&text) else { return false };
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut accessors = primitives.flat_map(|primitive| primitive.attributes.values());
    accessors.any(|accessor| accessor.value() >= root.accessors.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_forms_give_the_floor_where_its_nodes_put_it() {
        for is_binary in [true, false] {
            let level = parse(&sample(is_binary), "floor.glb").unwrap().build().unwrap();
            assert_eq!(level.triangle_count(), 2);
            assert_eq!(level.bounds().low.to_array(), [-16.0, 1.0, -8.0]);
            assert_eq!(level.bounds().high.to_array(), [16.0, 1.0, 8.0]);
            let state = crate::LevelState::new(&level);
            let ground =
                crate::LevelView { level: &level, state: &state }.ground_below(glam::Vec3::Y * 5.0, 9.0).unwrap();
            assert_eq!(level.surfaces()[usize::from(ground.surface)].name, "fence");
        }
    }

    #[test]
    fn what_is_not_read_is_told() {
        let say = |from: &str, to: &str| {
            let text = String::from_utf8(sample(false)).unwrap().replace(from, to);
            parse(text.as_bytes(), "a.gltf").and_then(|spec| spec.build()).expect_err(to).to_string()
        };
        assert!(
            say("data:application/octet-stream;base64,", "floor.bin?").contains("save the level as .glb, or embed it")
        );
        assert!(say("base64,", "base64,?").contains("not base64"));
        assert_eq!(say(r#""count":6"#, r#""count":7"#), "a.gltf: accessor 1 reaches past the end of its buffer");
        assert_eq!(say(r#""count":4"#, r#""count":2"#), "a.gltf: accessor 1 names a vertex that is not there");
        assert!(say(r#""children":[1]"#, r#""children":[0]"#).contains("in a circle"));
        assert!(say(r#""mesh":0,"#, "").contains("the scene has no triangles"));
        assert!(say("5123", "5126").contains("holds no indices"));
        assert!(say(r#"[2,1,1]"#, r#"[2e30,1,1]"#).contains("too far away"));
        assert!(say(r#""asset""#, r#""ass"#).starts_with("a.gltf: cannot read the scene: "));
    }

    #[test]
    fn strips_and_fans_keep_their_turn() {
        assert_eq!(triangles(&[0, 1, 2, 3, 4], Mode::TriangleStrip), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        assert_eq!(triangles(&[0, 1, 2, 3], Mode::TriangleFan), [[0, 1, 2], [0, 2, 3]]);
        assert!(triangles(&[0, 1], Mode::TriangleFan).is_empty());
    }

    proptest! {
        #[test]
        fn what_is_coded_is_decoded(bytes in any::<Vec<u8>>()) {
            prop_assert_eq!(decoded(&coded(&bytes)), Some(bytes));
        }

        #[test]
        fn flipped_and_cut_files_are_read_or_refused(
            is_binary in any::<bool>(),
            flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = sample(is_binary);
            for (at, byte) in flips {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let end = cut.index(2 * bytes.len()).min(bytes.len());
            prop_assert!(std::panic::catch_unwind(|| crate::load::fuzz_gltf(&bytes[..end])).is_ok());
        }
    }

    #[test]
    fn a_head_with_a_false_length_is_refused_before_it_is_reckoned_with() {
        let say = |bytes: &[u8]| parse_mesh(bytes, "a.glb").unwrap_err().to_string();
        for length in [0u32, 3, 11] {
            let head = [b"glTF".as_slice(), &2u32.to_le_bytes(), &length.to_le_bytes(), &[0; 16]].concat();
            assert!(say(&head).contains("less than that of the head itself"), "{length}: {}", say(&head));
        }
        let long = [b"glTF".as_slice(), &2u32.to_le_bytes(), &999u32.to_le_bytes(), &[0; 16]].concat();
        assert!(say(&long).contains("its head tells of more bytes"), "{}", say(&long));
        assert!(say(b"glTF\x02").contains("expected a head of 12 bytes"));
    }
}
