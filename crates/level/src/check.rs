//! The door's checks, each with its sentence.

use glam::Vec2;

use crate::build::{PIECES_MAX, THINGS_MAX, TILES_MAX, TILES_PER_AXIS_MAX};
use crate::error::{FilePosition, Flaw, LevelError, Problem, nearest};
use crate::polygon;
use crate::spec::{LevelSpec, List, Placed, REACH_M, TagSpec, TileSpec};

/// Sizes of things at least, m.
const SIZE_MIN_M: f32 = 1e-3;
/// Letters of a name at most.
const NAME_LENGTH_MAX: usize = 256;

/// Makes errors that name the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checker<'a> {
    pub file: &'a str,
}

impl Checker<'_> {
    pub(crate) fn error(&self, place: FilePosition, problem: Problem) -> LevelError {
        LevelError { file: self.file.to_owned(), place, problem }
    }

    pub(crate) fn count(
        &self,
        place: FilePosition,
        what: &'static str,
        count: usize,
        limit: usize,
    ) -> Result<(), LevelError> {
        let problem = Problem::TooMany { what, count: count as u64, limit: limit as u64 };
        if count <= limit { Ok(()) } else { Err(self.error(place, problem)) }
    }

    pub(crate) fn range(
        &self,
        place: FilePosition,
        what: &'static str,
        value: f32,
        low: f32,
        high: f32,
    ) -> Result<(), LevelError> {
        if low <= value && value <= high {
            return Ok(());
        }
        Err(self.error(place, Problem::Range { what, value, low, high }))
    }

    pub(crate) fn sizes(&self, place: FilePosition, what: &'static str, sizes: &[f32]) -> Result<(), LevelError> {
        sizes.iter().try_for_each(|&size| self.range(place, what, size, SIZE_MIN_M, REACH_M))
    }

    pub(crate) fn point(&self, place: FilePosition, what: &'static str, point: [f32; 2]) -> Result<(), LevelError> {
        point.into_iter().try_for_each(|number| self.range(place, what, number, -REACH_M, REACH_M))
    }

    /// Corners of an open line: two at least, neighbors apart.
    pub(crate) fn line(&self, place: FilePosition, what: &'static str, corners: &[[f32; 2]]) -> Result<(), LevelError> {
        if corners.len() < 2 {
            return Err(self.error(place, Problem::Wrong("a wall needs at least two corners in `along`")));
        }
        self.count(place, "corners of a line", corners.len(), polygon::RING_CORNERS_MAX)?;
        corners.iter().try_for_each(|&corner| self.point(place, what, corner))?;
        let is_apart = |pair: &[[f32; 2]]| Vec2::from(pair[0]).distance(Vec2::from(pair[1])) >= SIZE_MIN_M;
        if corners.windows(2).all(is_apart) {
            return Ok(());
        }
        Err(self
            .error(place, Problem::Wrong("two neighboring corners are in one place: expected at least 1 mm between")))
    }

    /// A simple ring, counter-clockwise.
    pub(crate) fn ring(
        &self,
        place: FilePosition,
        what: &'static str,
        corners: &[[f32; 2]],
    ) -> Result<Vec<Vec2>, LevelError> {
        self.count(place, "corners of a polygon", corners.len(), polygon::RING_CORNERS_MAX)?;
        corners.iter().try_for_each(|&corner| self.point(place, what, corner))?;
        polygon::ring(corners).map_err(|fault| self.error(place, Problem::Polygon { what, fault }))
    }

    /// The index of a name that must be known.
    pub(crate) fn known(
        &self,
        place: FilePosition,
        what: &'static str,
        name: &str,
        names: &[&str],
    ) -> Result<usize, LevelError> {
        names.iter().position(|one| *one == name).ok_or_else(|| {
            let problem = Problem::UnknownName {
                what,
                name: crate::error::shortened(name),
                nearest: nearest(name, names.iter().copied()),
            };
            self.error(place, problem)
        })
    }

    /// A name that must be new.
    pub(crate) fn new_name(
        &self,
        place: FilePosition,
        what: &'static str,
        name: &str,
        names: &[&str],
    ) -> Result<(), LevelError> {
        if name.is_empty() || name.len() > NAME_LENGTH_MAX {
            return Err(self.error(place, Problem::Wrong("a name needs 1 to 256 letters")));
        }
        if names.contains(&name) {
            return Err(self.error(place, Flaw::Twice { what, name: name.to_owned() }.into()));
        }
        Ok(())
    }

    /// Limits of all lists, and the names that must differ but are not looked up later.
    pub(crate) fn counts(&self, spec: &LevelSpec) -> Result<(), LevelError> {
        let none = FilePosition::default();
        self.new_name(none, "levels", &spec.name, &[])?;
        let lists: [(&'static str, usize, usize); 10] = [
            ("surfaces", spec.surfaces.len(), 1024),
            ("floors", spec.floors.len(), 256),
            ("solids", spec.solids.len(), THINGS_MAX),
            ("obstacles", spec.obstacles.len(), THINGS_MAX),
            ("tile maps", spec.tiles.len(), 256),
            ("spawns", spec.spawns.len(), THINGS_MAX),
            ("items", spec.items.len(), THINGS_MAX),
            ("areas", spec.areas.len(), 1024),
            ("pieces", spec.pieces.len(), PIECES_MAX),
            ("annotations", spec.annotations.len(), THINGS_MAX),
        ];
        lists.into_iter().try_for_each(|(what, count, limit)| self.count(none, what, count, limit))?;
        let pieces = spec.pieces.iter().map(|one| (one.place, one.value.name.as_str()));
        self.all_differ("pieces", pieces)?;
        let areas = spec.areas.iter().map(|one| (one.place, one.value.name.as_str()));
        self.all_differ("areas", areas)
    }

    fn all_differ<'n>(
        &self,
        what: &'static str,
        named: impl Iterator<Item = (FilePosition, &'n str)>,
    ) -> Result<(), LevelError> {
        let mut names = Vec::new();
        for (place, name) in named {
            self.new_name(place, what, name, &names)?;
            names.push(name);
        }
        Ok(())
    }

    pub(crate) fn legend(&self, place: FilePosition, legend: &[Placed<TagSpec>]) -> Result<(), LevelError> {
        self.range(place, "the count of kinds in the legend", legend.len() as f32, 1.0, 255.0)?;
        let mut marks = Vec::new();
        for one in legend {
            if marks.contains(&one.value.mark) {
                let name = one.value.mark.to_string();
                return Err(self.error(one.place, Flaw::Twice { what: "kinds of the legend", name }.into()));
            }
            marks.push(one.value.mark);
        }
        Ok(())
    }

    /// Tiles of authored rows: how many in a row, and numbers into the legend from the nearest row on.
    pub(crate) fn rows(&self, place: FilePosition, spec: &TileSpec) -> Result<(usize, Vec<u8>), LevelError> {
        let columns = spec.rows.first().map_or(0, |row| row.value.chars().count());
        if columns == 0 {
            return Err(self.error(place, Problem::Wrong("a tile map needs at least one row of at least one tile")));
        }
        self.count(place, "tiles in a row or column", columns.max(spec.rows.len()), TILES_PER_AXIS_MAX)?;
        self.count(place, "tiles", columns * spec.rows.len(), TILES_MAX)?;
        let mut cells = Vec::with_capacity(columns * spec.rows.len());
        for row in spec.rows.iter().rev() {
            let before = cells.len();
            for (column, mark) in row.value.chars().enumerate().take(columns + 1) {
                cells.push(self.mark(&spec.legend, mark).map_err(|problem| {
                    let column = row.place.column + column as u32;
                    self.error(FilePosition { column, ..row.place }, problem)
                })?);
            }
            if cells.len() - before != columns {
                let why = "the rows of a tile map are not of one length";
                return Err(self.error(row.place, Problem::Wrong(why)));
            }
        }
        Ok((columns, cells))
    }

    fn mark(&self, legend: &List<TagSpec>, mark: char) -> Result<u8, Problem> {
        let known = legend.iter().position(|one| one.value.mark == mark);
        let expected = || legend.iter().map(|one| format!("`{}`", one.value.mark)).collect::<Vec<_>>().join(", ");
        known.map(|index| index as u8).ok_or_else(|| {
            let name = crate::error::shortened(&mark.to_string());
            Flaw::UnknownWord { what: "mark", name, nearest: None, expected: expected() }.into()
        })
    }
}
