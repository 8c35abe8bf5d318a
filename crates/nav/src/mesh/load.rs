//! Readers of the public mesh benchmark: `.mesh` (format 2) and its `.scen` files.
//!
//! A mesh file has the word `mesh`, the number 2, counts of vertices and polygons, then a line a vertex (x, y, a count and
//! so many neighbors, which are not needed) and a line a polygon (a count, so many vertices counter-clockwise, so many
//! neighbors; -1 is a wall). Words may be spread over lines at will. Neighbors are worked out anew from the vertices, so
//! a file that lies about them does no harm. A scenario file has a line a query: bucket, map, width, height, start x, start
//! y, goal x, goal y, length on the grid the mesh came from.
//!
//! Ground coordinates are taken as they are, at height 0. Limits: 2^22 vertices or polygons, and no more than the file
//! has words for; what is read is a [`Patch`] that passed [`Patch::check`].

use std::fmt;

use sentir_core::glam::Vec3;

use super::patch::{AreaId, Patch, PatchError, Polygon};

/// What a file does not hold that it should, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Line, from 1.
    pub line: u32,
    /// What was expected, as a sentence.
    pub what: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for LoadError {}

/// Most vertices, and most polygons.
const COUNT_MAX: u32 = 1 << 22;

/// Words of a text with their lines.
struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitAsciiWhitespace<'a>,
    line: u32,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Words { lines: text.lines().enumerate(), words: "".split_ascii_whitespace(), line: 1 }
    }

    fn next(&mut self, what: &str) -> Result<&'a str, LoadError> {
        loop {
            if let Some(word) = self.words.next() {
                return Ok(word);
            }
            let Some((number, line)) = self.lines.next() else {
                return Err(self.refuse(format!("the text ends where {what} was expected")));
            };
            self.line = u32::try_from(number + 1).unwrap_or(u32::MAX);
            self.words = line.split_ascii_whitespace();
        }
    }

    fn refuse(&self, what: String) -> LoadError {
        LoadError { line: self.line, what }
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, LoadError> {
        let word = self.next(what)?;
        let shown: String = word.chars().take(40).collect();
        word.parse().map_err(|_| self.refuse(format!("'{shown}' stands where {what} was expected")))
    }

    fn finite(&mut self, what: &str) -> Result<f32, LoadError> {
        let value: f32 = self.number(what)?;
        if value.abs() <= 1e7 {
            Ok(value)
        } else {
            Err(self.refuse(format!("{what} is {value}: expected -1e7 to 1e7")))
        }
    }

    fn count(&mut self, what: &str, low: u32, high: u32) -> Result<u32, LoadError> {
        let value: u32 = self.number(what)?;
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(self.refuse(format!("{what} is {value}: expected {low} to {high}")))
        }
    }
}

/// Reads a `.mesh` file.
///
/// # Errors
/// With the line, when something is missing, not a number or out of its limits, or the polygons are no valid patch.
pub fn mesh(text: &str) -> Result<Patch, LoadError> {
    let mut words = Words::new(text);
    for expected in ["mesh", "2"] {
        let word = words.next(&format!("'{expected}'"))?;
        if word != expected {
            let shown: String = word.chars().take(40).collect();
            return Err(words.refuse(format!("'{shown}' stands where '{expected}' was expected: format 2 is known")));
        }
    }
    let vertex_count = words.count("a count of vertices", 0, COUNT_MAX)?;
    let polygon_count = words.count("a count of polygons", 0, COUNT_MAX)?;
    let mut patch = Patch::default();
    for _ in 0..vertex_count {
        let (x, y) = (words.finite("x of a vertex")?, words.finite("y of a vertex")?);
        for _ in 0..words.count("a count of neighbors", 0, COUNT_MAX)? {
            words.number::<i64>("the number of a polygon, or -1")?;
        }
        patch.corners.push(Vec3::new(x, 0.0, -y));
    }
    let mut lines = Vec::new();
    for _ in 0..polygon_count {
        let count = words.count("a count of corners", 3, COUNT_MAX)?;
        let first = patch.loops.len() as u32;
        lines.push(words.line);
        for _ in 0..count {
            let last = vertex_count.saturating_sub(1);
            let corner = words.count("the number of a vertex", 0, last)?;
            patch.loops.push(corner);
        }
        for _ in 0..count {
            words.number::<i64>("the number of a polygon, or -1")?;
        }
        patch.polygons.push(Polygon { first, count, area: AreaId(0) });
    }
    patch.check().map_err(|why| {
        let line = match why {
            PatchError::BadPolygon { polygon }
            | PatchError::NotConvex { polygon }
            | PatchError::Overlap { polygon } => lines.get(polygon as usize).copied().unwrap_or(1),
            PatchError::NotFinite { .. } | PatchError::TooLarge => 1,
        };
        LoadError { line, what: why.to_string() }
    })?;
    Ok(patch)
}

/// A query of a scenario file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshScenario {
    /// Where it begins, m.
    pub from: Vec3,
    /// Where it should lead, m.
    pub to: Vec3,
    /// The length on the grid the mesh came from; a way on the mesh is shorter.
    pub grid_length_m: f64,
}

/// Reads a `.scen` file: every query in it.
///
/// # Errors
/// With the line, when a column is missing or not a number.
pub fn scenarios(text: &str) -> Result<Vec<MeshScenario>, LoadError> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let is_blank = line.trim().is_empty();
        if is_blank || (number == 0 && line.starts_with("version")) {
            continue;
        }
        let mut words = Words { lines: "".lines().enumerate(), words: line.split_ascii_whitespace(), line: 0 };
        words.line = u32::try_from(number + 1).unwrap_or(u32::MAX);
        words.next("a bucket")?;
        words.next("the name of a map")?;
        words.finite("the width of the map")?;
        words.finite("the height of the map")?;
        let mut point = |what: &str| -> Result<Vec3, LoadError> {
            let (x, y) = (words.finite(what)?, words.finite(what)?);
            Ok(Vec3::new(x, 0.0, -y))
        };
        let (from, to) = (point("a coordinate of the start")?, point("a coordinate of the goal")?);
        let grid_length_m = f64::from(words.finite("the length on the grid")?);
        found.push(MeshScenario { from, to, grid_length_m });
    }
    Ok(found)
}

/// Feeds any bytes to both readers, and asks what was read for a way; for fuzzing.
#[doc(hidden)]
pub fn fuzz(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = scenarios(&text);
    let Ok(patch) = mesh(&text) else { return };
    let Ok(mesh) = super::Mesh::from_patch(patch) else { return };
    let Some([from, to]) = (mesh.polygon_count() > 0).then(|| {
        let last = mesh.polygon_count() - 1;
        [0, last].map(|polygon| mesh.ring(polygon).next().unwrap_or_default())
    }) else {
        return;
    };
    let query = super::MeshQuery { expansions_max: 2000, ..super::MeshQuery::new(from, to) };
    super::AnyAngleSearch::default().find(&mesh, &query);
    super::CorridorSearch::default().find(&mesh, &query);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "mesh\n2\n6 2\n0 0 2 0 -1\n1 0 3 0 1 -1\n2 0 2 1 -1\n2 1 2 1 -1\n1 1 3 1 0 -1\n0 1 2 0 -1\n\
                       4 0 1 4 5 -1 1 -1 -1\n4 1 2 3 4 -1 -1 -1 0\n";

    #[test]
    fn a_mesh_of_two_squares_is_read() {
        let patch = mesh(TWO).unwrap();
        assert_eq!((patch.corners.len(), patch.polygons.len()), (6, 2));
        assert_eq!(patch.corners[3], Vec3::new(2.0, 0.0, -1.0));
        let made = super::super::Mesh::from_patch(patch).unwrap();
        assert_eq!(made.neighbors(0).flatten().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn every_cut_of_a_file_is_refused_with_its_line() {
        for end in 0..TWO.len() - 3 {
            if let Err(error) = mesh(&TWO[..end]) {
                assert!(error.line as usize <= TWO[..end].lines().count().max(1), "{error}");
            }
        }
        let refused = |text: &str| mesh(text).unwrap_err().to_string();
        assert_eq!(refused("mosh"), "line 1: 'mosh' stands where 'mesh' was expected: format 2 is known");
        assert_eq!(refused("mesh\n2\n1 x"), "line 3: 'x' stands where a count of polygons was expected");
        assert_eq!(refused("mesh\n2\n1 0\nNaN 0 0"), "line 4: x of a vertex is NaN: expected -1e7 to 1e7");
        assert_eq!(refused("mesh\n2\n9999999 1"), "line 3: a count of vertices is 9999999: expected 0 to 4194304");
        assert!(refused(&TWO.replace("4 0 1 4 5", "4 5 4 1 0")).starts_with("line 10: polygon 0 is not convex"));
        assert_eq!(
            refused(&TWO.replace("4 0 1 4 5", "4 0 1 4 9")),
            "line 10: the number of a vertex is 9: expected 0 to 5"
        );
    }

    #[test]
    fn scenarios_are_read_and_refused_by_line() {
        let line = "0\tmaps/a.map\t49\t49\t1\t11\t1\t12\t1.5";
        let read = scenarios(&format!("version 1\n{line}\n\n{line}\n")).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].from, Vec3::new(1.0, 0.0, -11.0));
        assert_eq!(read[1].grid_length_m, 1.5);
        let refused = scenarios("version 1\n0 a 1 1 2 3 4").unwrap_err().to_string();
        assert_eq!(refused, "line 2: the text ends where a coordinate of the goal was expected");
    }
}
