//! Wavefront OBJ, the geometry of it: `v`, `f`, `usemtl`, `g` and `o`. Everything else is passed over.
//!
//! Faces of more than three corners are cut as a fan from their first. A material gives triangles their class; groups and
//! objects do only as long as the file names no material. O(bytes); memory follows the count of lines.

use crate::error::{FilePosition, Flaw, LevelError, Problem, shortened};
use crate::mesh::{MeshSpec, TRIANGLES_MAX, VERTICES_MAX};
use crate::spec::{LevelSpec, MeshUseSpec, REACH_M, SolidSpec};

/// Bytes of a file at most.
const BYTES_MAX: usize = 256 << 20;
/// Corners of a face at most.
const FACE_CORNERS_MAX: usize = 64;
/// Materials of a mesh at most.
const MATERIALS_MAX: usize = 4096;

/// Reads a mesh.
pub fn parse_mesh(bytes: &[u8], name: &str) -> Result<MeshSpec, LevelError> {
    let error = |line: usize, column: usize, problem: Problem| LevelError {
        file: name.to_owned(),
        place: FilePosition::new(line as u64, column as u64),
        problem,
    };
    if bytes.len() > BYTES_MAX {
        return Err(error(0, 0, Flaw::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.into()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| error(0, 0, Flaw::NotText.into()))?;
    let mut reader = Reader::default();
    reader.mesh.material_names.push(String::new());
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(line).map_err(|(column, problem)| error(number, column, problem))?;
    }
    if reader.mesh.triangles.is_empty() {
        return Err(error(0, 0, Problem::Wrong("the mesh has no faces: expected at least one line `f 1 2 3`")));
    }
    Ok(reader.mesh)
}

/// Reads a mesh as a level of its own, called after the file, with one floor that reaches over all of it.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    Ok(level_of(parse_mesh(bytes, name)?, name))
}

/// A level of one mesh.
pub(crate) fn level_of(mesh: MeshSpec, name: &str) -> LevelSpec {
    let use_spec = MeshUseSpec {
        name: name.to_owned(),
        at: [0.0; 2],
        yaw_deg: 0.0,
        scale: 1.0,
        base_m: 0.0,
        surfaces: Default::default(),
        surface: None,
        floor: None,
    };
    let heights = mesh.vertices.iter().map(|vertex| vertex[1]);
    let reach = heights.fold(0.0, |most, y| sentir_core::math::max(most, y.abs())) + 4.0;
    let floor = crate::spec::FloorSpec {
        name: "ground".to_owned(),
        level_m: 0.0,
        down_m: sentir_core::math::min(reach, REACH_M),
        up_m: sentir_core::math::min(reach, REACH_M),
        outline: Vec::new(),
    };
    LevelSpec {
        file: name.to_owned(),
        name: name.to_owned(),
        floors: vec![floor.into()],
        solids: vec![SolidSpec::Mesh(use_spec).into()],
        meshes: [(name.to_owned(), mesh)].into(),
        ..LevelSpec::default()
    }
}

#[derive(Default)]
struct Reader {
    mesh: MeshSpec,
    material: u16,
    has_materials: bool,
}

/// A problem and its column.
type Refused = (usize, Problem);

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Refused> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = words(line);
        match words.next().map(|(_, word)| word) {
            Some("v") => self.vertex(line),
            Some("f") => self.face(line),
            Some("usemtl") => {
                self.has_materials = true;
                self.name(line)
            }
            Some("g" | "o") if !self.has_materials => self.name(line),
            _ => Ok(()),
        }
    }

    fn vertex(&mut self, line: &str) -> Result<(), Refused> {
        const EXPECTED: &str = "three coordinates, as in `v 1 0 -2.5`";
        if self.mesh.vertices.len() >= VERTICES_MAX {
            return Err((1, too_many("vertices", VERTICES_MAX)));
        }
        let mut vertex = [0.0; 3];
        let mut words = words(line).skip(1);
        for one in &mut vertex {
            let (column, word) = words.next().ok_or((1, unreadable(line, EXPECTED)))?;
            let number: f32 = word.parse().map_err(|_| (column, unreadable(word, EXPECTED)))?;
            if !number.is_finite() || number.abs() > REACH_M {
                let range = Problem::Range { what: "the coordinate", value: number, low: -REACH_M, high: REACH_M };
                return Err((column, range));
            }
            *one = number;
        }
        self.mesh.vertices.push(vertex);
        Ok(())
    }

    fn face(&mut self, line: &str) -> Result<(), Refused> {
        let mut corners = [0; FACE_CORNERS_MAX];
        let mut count = 0;
        for (column, word) in words(line).skip(1) {
            let corner = self.corner(word).map_err(|problem| (column, problem))?;
            let slot = corners.get_mut(count).ok_or((column, too_many("corners of a face", FACE_CORNERS_MAX)))?;
            *slot = corner;
            count += 1;
        }
        if count < 3 {
            return Err((1, unreadable(line, "at least three corners, as in `f 1 2 3`")));
        }
        if self.mesh.triangles.len() + count - 2 > TRIANGLES_MAX {
            return Err((1, too_many("triangles", TRIANGLES_MAX)));
        }
        for pair in corners[1..count].windows(2) {
            self.mesh.triangles.push([corners[0], pair[0], pair[1]]);
            self.mesh.materials.push(self.material);
        }
        Ok(())
    }

    /// A vertex number: from 1, or counted back from the last by a negative one.
    fn corner(&self, word: &str) -> Result<u32, Problem> {
        const EXPECTED: &str = "the number of a vertex above, as in `3` or `-1`";
        let number = word.split('/').next().unwrap_or_default();
        let number: i64 = number.parse().map_err(|_| unreadable(word, EXPECTED))?;
        let count = self.mesh.vertices.len() as i64;
        let index = if number < 0 { count.checked_add(number) } else { number.checked_sub(1) };
        match index {
            Some(index) if (0..count).contains(&index) => Ok(index as u32),
            _ => Err(unreadable(word, EXPECTED)),
        }
    }

    fn name(&mut self, line: &str) -> Result<(), Refused> {
        let name = words(line).nth(1).map_or("", |(_, word)| word);
        let names = &mut self.mesh.material_names;
        let known = names.iter().position(|one| one == name);
        let index = known.unwrap_or(names.len());
        if index >= MATERIALS_MAX {
            return Err((1, too_many("materials", MATERIALS_MAX)));
        }
        if known.is_none() {
            names.push(name.to_owned());
        }
        self.material = index as u16;
        Ok(())
    }
}

/// Words with their columns, from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_ascii_whitespace().map(move |word| (word.as_ptr() as usize - line.as_ptr() as usize + 1, word))
}

fn unreadable(text: &str, expected: &'static str) -> Problem {
    Problem::Line { text: shortened(text), expected }
}

fn too_many(what: &'static str, limit: usize) -> Problem {
    Problem::TooMany { what, count: limit as u64 + 1, limit: limit as u64 }
}
