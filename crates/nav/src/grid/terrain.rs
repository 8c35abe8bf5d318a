//! Terrain: a tag a cell, obstacles apart from it, and a log of what changed.
//!
//! The log keeps the last changes by number, so a ground, a hierarchy or a plan can follow them one by one; whoever is too far
//! behind is told so and begins anew. An edit costs O(1).

use sentir_core::State;

use super::error::{GridError, GridProblem};
use super::{CELLS_MAX, Cell, SIDE_MAX};

/// Changes that are remembered at least; up to twice as many may be.
const LOG_MIN: usize = 4096;

/// A kind of terrain: a number into the table of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct Tag(pub u8);

/// What was done to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Edit {
    /// An obstacle came.
    Blocked,
    /// The obstacle went.
    Freed,
    /// The terrain became another.
    Painted,
}

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Change {
    /// Where.
    pub cell: Cell,
    /// What.
    pub edit: Edit,
}

/// What a map holds.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Terrain {
    width: u32,
    height: u32,
    names: Vec<String>,
    tags: Vec<u8>,
    obstacles: Vec<bool>,
    /// Number of changes so far.
    version: u64,
    /// The last changes, the newest last.
    log: Vec<Change>,
}

impl Terrain {
    /// Terrain of `width` columns; `tags` are the cells row by row, as numbers into `names`.
    pub fn build(width: u32, height: u32, names: Vec<String>, tags: Vec<u8>) -> Result<Terrain, GridError> {
        check_size(width.into(), height.into()).map_err(GridProblem::bare)?;
        let expected = u64::from(width) * u64::from(height);
        if tags.len() as u64 != expected {
            return Err(GridProblem::Count { count: tags.len() as u64, expected }.bare());
        }
        if names.is_empty() || names.len() > 255 {
            return Err(GridProblem::Tags(names.len()).bare());
        }
        if let Some(&tag) = tags.iter().find(|&&tag| usize::from(tag) >= names.len()) {
            return Err(GridProblem::UnknownTag(tag).bare());
        }
        let obstacles = vec![false; tags.len()];
        Ok(Terrain { width, height, names, tags, obstacles, version: 0, log: Vec::new() })
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether this is terrain of that size and whole, as after loading it.
    #[must_use]
    pub fn fits(&self, width: u32, height: u32) -> bool {
        let count = u64::from(self.width) * u64::from(self.height);
        let is_whole = self.tags.len() as u64 == count && self.obstacles.len() as u64 == count;
        (self.width, self.height) == (width, height) && is_whole
    }

    /// The names of the tags, in the order of their numbers.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The tag of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Tag> {
        self.names.iter().position(|one| one == name).map(|number| Tag(number as u8))
    }

    /// The terrain of a cell; none outside.
    #[must_use]
    pub fn tag(&self, cell: Cell) -> Option<Tag> {
        self.index(cell).map(|index| Tag(self.tags[index]))
    }

    /// Whether an obstacle stands on a cell; outside none does.
    #[must_use]
    pub fn is_obstacle(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.obstacles[index])
    }

    /// How many changes there were. A copy of the terrain has the number of its original.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What changed since a version, the oldest first; none if the log does not reach back so far.
    #[must_use]
    pub fn changes_since(&self, version: u64) -> Option<&[Change]> {
        let count = usize::try_from(self.version.checked_sub(version)?).ok()?;
        self.log.len().checked_sub(count).map(|first| &self.log[first..])
    }

    /// Puts an obstacle on a cell. False, and nothing is done, if one is there or the cell is outside.
    pub fn block(&mut self, cell: Cell) -> bool {
        self.place(cell, true)
    }

    /// Takes the obstacle off a cell. False, and nothing is done, if there is none or the cell is outside.
    pub fn unblock(&mut self, cell: Cell) -> bool {
        self.place(cell, false)
    }

    /// Makes a cell another terrain. False, and nothing is done, if it is that already, outside, or the tag has no name.
    pub fn paint(&mut self, cell: Cell, tag: Tag) -> bool {
        let Some(index) = self.index(cell).filter(|_| usize::from(tag.0) < self.names.len()) else { return false };
        let is_new = self.tags[index] != tag.0;
        if is_new {
            self.tags[index] = tag.0;
            self.note(cell, Edit::Painted);
        }
        is_new
    }

    fn place(&mut self, cell: Cell, is_obstacle: bool) -> bool {
        let Some(index) = self.index(cell).filter(|&index| self.obstacles[index] != is_obstacle) else { return false };
        self.obstacles[index] = is_obstacle;
        self.note(cell, if is_obstacle { Edit::Blocked } else { Edit::Freed });
        true
    }

    fn note(&mut self, cell: Cell, edit: Edit) {
        if self.log.len() >= 2 * LOG_MIN {
            self.log.drain(..LOG_MIN);
        }
        self.log.push(Change { cell, edit });
        self.version += 1;
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.width && y < self.height).then_some((y * self.width + x) as usize)
    }

    /// Tag and obstacle of a cell by number.
    pub(crate) fn at(&self, index: usize) -> (u8, bool) {
        (self.tags[index], self.obstacles[index])
    }
}

/// Refuses sizes out of bounds before anything is allocated for them.
pub(crate) fn check_size(width: u64, height: u64) -> Result<(), GridProblem> {
    let sides = 1..=u64::from(SIDE_MAX);
    let fits = sides.contains(&width) && sides.contains(&height) && width * height <= u64::from(CELLS_MAX);
    if fits { Ok(()) } else { Err(GridProblem::Size { width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meadow() -> Terrain {
        Terrain::build(3, 2, vec!["grass".into(), "water".into()], vec![0, 0, 1, 0, 0, 0]).unwrap()
    }

    #[test]
    fn bad_terrain_is_refused_with_a_sentence() {
        let names = || vec!["grass".to_owned()];
        let sentence = |built: Result<Terrain, GridError>| built.unwrap_err().to_string();
        let size = "grid: 0 × 5 cells: expected 1 to 4096 along each side and at most 4194304 in all";
        assert_eq!(sentence(Terrain::build(0, 5, names(), vec![])), size);
        assert!(sentence(Terrain::build(u32::MAX, u32::MAX, names(), vec![])).contains("4294967295 × 4294967295"));
        assert_eq!(sentence(Terrain::build(2, 2, names(), vec![0; 3])), "grid: 3 cells are given: expected 4");
        assert_eq!(sentence(Terrain::build(1, 1, vec![], vec![0])), "grid: 0 tags: expected 1 to 255");
        assert_eq!(sentence(Terrain::build(1, 1, names(), vec![4])), "grid: tag 4 is not in the table of tags");
    }

    #[test]
    fn edits_are_logged_and_those_that_change_nothing_are_not() {
        let mut terrain = meadow();
        let cell = Cell::new(1, 1);
        assert!(terrain.block(cell) && !terrain.block(cell) && terrain.is_obstacle(cell));
        assert!(terrain.paint(cell, Tag(1)) && !terrain.paint(cell, Tag(1)) && !terrain.paint(cell, Tag(9)));
        assert!(terrain.unblock(cell) && !terrain.unblock(cell));
        assert!(!terrain.block(Cell::new(3, 0)) && !terrain.is_obstacle(Cell::new(900, 900)));
        let edits: Vec<Edit> = terrain.changes_since(0).unwrap().iter().map(|change| change.edit).collect();
        assert_eq!(edits, [Edit::Blocked, Edit::Painted, Edit::Freed]);
        assert_eq!((terrain.version(), terrain.changes_since(3).unwrap().len()), (3, 0));
        assert!(terrain.changes_since(4).is_none());
    }

    #[test]
    fn the_log_forgets_what_is_long_past_and_says_so() {
        let mut terrain = meadow();
        for _ in 0..LOG_MIN {
            assert!(terrain.block(Cell::new(0, 0)) && terrain.unblock(Cell::new(0, 0)));
        }
        assert!(terrain.block(Cell::new(0, 0)));
        assert!(terrain.changes_since(0).is_none());
        assert_eq!(terrain.changes_since(terrain.version() - LOG_MIN as u64).unwrap().len(), LOG_MIN);
    }
}
