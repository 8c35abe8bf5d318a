//! The truth about what comes and goes: footprints, the tiles that wait to be rebuilt, and their versions.

use sentir_core::State;

use crate::bake::{BakeError, Obstacle, TileTable};

/// Obstacles there may be at once.
pub const OBSTACLES_MAX: usize = 4096;
/// Private footprints there may be at once, ghosts included. When there are more, the oldest ghost goes.
pub const PRIVATE_MAX: usize = 128;

/// Names an obstacle for as long as it is there; counts up, and 0 names none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct ObstacleId(pub u32);

/// Names an obstacle where it stood at some time: it gets another footprint when it moves. Counts up with all changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct FootprintId(pub u32);

/// An obstacle at a place.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Footprint {
    /// Which; the number of the change that brought it.
    pub id: FootprintId,
    /// Of which obstacle.
    pub of: ObstacleId,
    /// What and where it is.
    pub obstacle: Obstacle,
    /// Whether everybody knows.
    pub is_public: bool,
    /// The change that took the obstacle from here; 0 while it is here.
    gone: u32,
    /// The change that took the footprint out of the mesh; 0 while it is in there.
    cleared: u32,
}

impl Footprint {
    /// Whether the obstacle is here.
    pub fn is_there(&self) -> bool {
        self.gone == 0
    }

    /// Whether it is not, and somebody may still believe it is.
    pub fn is_ghost(&self) -> bool {
        self.gone != 0 && self.cleared == 0
    }

    /// Whether a tile that was rebuilt after a change has it.
    pub(crate) fn is_in(&self, built: u32) -> bool {
        self.id.0 <= built && (self.cleared == 0 || self.cleared > built)
    }
}

/// A tile that was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub(crate) struct Touched {
    pub(crate) tile: u32,
    /// The last change when it was rebuilt.
    pub(crate) built: u32,
    /// The version of the mesh since which it is as it is.
    pub(crate) version: u32,
    is_waiting: bool,
}

/// Why an obstacle is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObstacleError {
    /// It is no shape.
    #[error(transparent)]
    Shape(#[from] BakeError),
    /// There is none of that number.
    #[error("there is no obstacle {number}: it was never added, or was removed")]
    Unknown {
        /// Which.
        number: u32,
    },
    /// There are as many as there may be.
    #[error("there are {limit} {what} already, which is the most: remove some first, or make some public")]
    Full {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
}

/// What became of the work so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct ObstacleCounts {
    /// Added, moved and removed.
    pub changes: u64,
    /// Tiles rebuilt.
    pub tiles: u64,
    /// Spans of the tiles rebuilt.
    pub spans: u64,
    /// Ghosts taken out for want of numbers, though somebody may have believed in them.
    pub ghosts_lost: u64,
}

/// All obstacles of a table of tiles, by stable ids. Every function is given the same table.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Obstacles {
    /// Ascending by number.
    footprints: Vec<Footprint>,
    /// Ascending by tile.
    tiles: Vec<Touched>,
    /// Tiles to be rebuilt, in order.
    waiting: Vec<u32>,
    /// The last change.
    change: u32,
    /// The last id given out.
    issued: ObstacleId,
    version: u32,
    owed: u64,
    counts: ObstacleCounts,
}

impl Obstacles {
    /// Adds an obstacle. One that is not public is not known to anybody until it is learned of.
    ///
    /// # Errors
    /// When it is no shape, or there are too many.
    pub fn add(&mut self, table: &TileTable, obstacle: Obstacle, is_public: bool) -> Result<ObstacleId, ObstacleError> {
        obstacle.check(self.issued.0 as usize + 1)?;
        if self.footprints.iter().filter(|it| it.is_there()).count() >= OBSTACLES_MAX {
            return Err(ObstacleError::Full { what: "obstacles", limit: OBSTACLES_MAX });
        }
        self.make_room(table, is_public)?;
        self.issued.0 += 1;
        self.put(table, self.issued, obstacle, is_public);
        Ok(self.issued)
    }

    /// Moves an obstacle, or gives it another shape. The same again changes nothing.
    ///
    /// # Errors
    /// When there is none of that number, or it is no shape, or there are too many; it is then where it was.
    pub fn move_to(&mut self, table: &TileTable, id: ObstacleId, obstacle: Obstacle) -> Result<(), ObstacleError> {
        let place = self.place_of(id).ok_or(ObstacleError::Unknown { number: id.0 })?;
        obstacle.check(id.0 as usize)?;
        if self.footprints[place].obstacle == obstacle {
            return Ok(());
        }
        let is_public = self.footprints[place].is_public;
        self.make_room(table, is_public)?;
        self.end(table, id);
        self.put(table, id, obstacle, is_public);
        Ok(())
    }

    /// Takes an obstacle away.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn remove(&mut self, table: &TileTable, id: ObstacleId) -> Result<(), ObstacleError> {
        self.place_of(id).ok_or(ObstacleError::Unknown { number: id.0 })?;
        self.end(table, id);
        Ok(())
    }

    /// Takes the ghosts out of the mesh that nobody believes in any more. To be called before [`Obstacles::step`].
    pub fn sweep(&mut self, table: &TileTable, mut is_believed: impl FnMut(FootprintId) -> bool) {
        for place in 0..self.footprints.len() {
            if self.footprints[place].is_ghost() && !is_believed(self.footprints[place].id) {
                self.change += 1;
                self.clear(table, place);
            }
        }
    }

    /// Rebuilds the tiles that wait, first come first served, while the budget (spans) lasts; how many. A tile is never
    /// cut in two: what it takes beyond the budget is owed by the ticks after. With 0 nothing is rebuilt.
    pub fn step(&mut self, table: &TileTable, spans_max: u32) -> u32 {
        let paid = self.owed.min(u64::from(spans_max));
        self.owed -= paid;
        let mut left = u64::from(spans_max) - paid;
        let mut done = 0;
        while left > 0 && done < self.waiting.len() {
            let tile = self.waiting[done];
            done += 1;
            let work = table.fields.get(tile as usize).map_or(1, |field| u64::from(field.span_count().max(1)));
            self.counts.spans += work;
            self.owed += work.saturating_sub(left);
            left = left.saturating_sub(work);
            if let Ok(place) = self.tiles.binary_search_by_key(&tile, |it| it.tile) {
                self.tiles[place] = Touched { tile, built: self.change, version: self.version + 1, is_waiting: false };
            }
        }
        if done > 0 {
            self.version += 1;
            self.counts.tiles += done as u64;
            self.waiting.drain(..done);
            self.purge(table);
        }
        done as u32
    }

    /// The version of the mesh: raised by one whenever tiles are rebuilt.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The version since which a tile is as it is; 0 for what was never touched.
    pub fn tile_version(&self, tile: u32) -> u32 {
        self.tiles.binary_search_by_key(&tile, |it| it.tile).map_or(0, |place| self.tiles[place].version)
    }

    /// The tiles that were rebuilt after a version, ascending: what a cache of that version must drop.
    pub fn tiles_since(&self, version: u32) -> impl Iterator<Item = u32> + '_ {
        self.tiles.iter().filter(move |it| it.version > version).map(|it| it.tile)
    }

    /// Tiles that wait to be rebuilt, the next first.
    pub fn waiting(&self) -> &[u32] {
        &self.waiting
    }

    /// What became of the work so far.
    pub fn counts(&self) -> &ObstacleCounts {
        &self.counts
    }

    /// Every footprint that is there or a ghost, ascending by number.
    pub fn footprints(&self) -> impl Iterator<Item = &Footprint> {
        self.footprints.iter().filter(|it| it.cleared == 0)
    }

    /// Where an obstacle is.
    pub fn footprint_of(&self, id: ObstacleId) -> Option<&Footprint> {
        self.place_of(id).map(|place| &self.footprints[place])
    }

    /// A footprint by its number, as long as it is in the mesh.
    pub fn footprint(&self, id: FootprintId) -> Option<&Footprint> {
        let place = self.footprints.binary_search_by_key(&id, |it| it.id).ok()?;
        Some(&self.footprints[place]).filter(|it| it.cleared == 0)
    }

    /// Whether it is a state of this table, as far as counts tell. After loading, ask before use.
    pub fn fits(&self, table: &TileTable) -> bool {
        self.tiles.last().is_none_or(|it| (it.tile as usize) < table.fields.len())
    }

    pub(crate) fn touched(&self) -> &[Touched] {
        &self.tiles
    }

    /// Every footprint that a tile of some change has.
    pub(crate) fn all(&self) -> &[Footprint] {
        &self.footprints
    }

    fn place_of(&self, id: ObstacleId) -> Option<usize> {
        self.footprints.iter().position(|it| it.of == id && it.is_there())
    }

    fn make_room(&mut self, table: &TileTable, is_public: bool) -> Result<(), ObstacleError> {
        let count = self.footprints.iter().filter(|it| !it.is_public && it.cleared == 0).count();
        if is_public || count < PRIVATE_MAX {
            return Ok(());
        }
        let Some(oldest) = self.footprints.iter().position(Footprint::is_ghost) else {
            return Err(ObstacleError::Full { what: "private obstacles", limit: PRIVATE_MAX });
        };
        self.change += 1;
        self.counts.ghosts_lost += 1;
        self.clear(table, oldest);
        Ok(())
    }

    fn put(&mut self, table: &TileTable, of: ObstacleId, obstacle: Obstacle, is_public: bool) {
        self.change += 1;
        self.counts.changes += 1;
        self.touch(table, &obstacle);
        let id = FootprintId(self.change);
        self.footprints.push(Footprint { id, of, obstacle, is_public, gone: 0, cleared: 0 });
    }

    /// The obstacle is here no more: a hole is closed at once, a mark stays as a ghost.
    fn end(&mut self, table: &TileTable, id: ObstacleId) {
        let Some(place) = self.place_of(id) else { return };
        self.change += 1;
        self.counts.changes += 1;
        self.footprints[place].gone = self.change;
        if self.footprints[place].is_public {
            self.clear(table, place);
        }
    }

    fn clear(&mut self, table: &TileTable, place: usize) {
        self.footprints[place].cleared = self.change;
        let obstacle = self.footprints[place].obstacle.clone();
        self.touch(table, &obstacle);
    }

    /// Puts the tiles that an obstacle touches into the queue.
    fn touch(&mut self, table: &TileTable, obstacle: &Obstacle) {
        for (tile, _) in (0u32..).zip(&table.fields).filter(|(_, field)| field.is_touched(obstacle)) {
            let place = self.tiles.binary_search_by_key(&tile, |it| it.tile);
            let place = place.unwrap_or_else(|place| {
                self.tiles.insert(place, Touched { tile, built: 0, version: 0, is_waiting: false });
                place
            });
            if !std::mem::replace(&mut self.tiles[place].is_waiting, true) {
                self.waiting.push(tile);
            }
        }
    }

    /// Drops the footprints that are in no tile any more.
    fn purge(&mut self, table: &TileTable) {
        let Obstacles { footprints, tiles, waiting, .. } = self;
        footprints.retain(|it| {
            it.cleared == 0 || {
                let has = |tile: &u32| {
                    let built = tiles.binary_search_by_key(tile, |it| it.tile).map_or(0, |place| tiles[place].built);
                    it.is_in(built) && table.fields.get(*tile as usize).is_some_and(|at| at.is_touched(&it.obstacle))
                };
                waiting.iter().any(has)
            }
        });
    }

    /// What a loaded state must satisfy.
    fn check(&self) -> Result<(), &'static str> {
        let is_sound = |it: &Footprint| {
            it.obstacle.check(0).is_ok() && it.id.0 <= self.change && it.of <= self.issued && it.of.0 > 0
        };
        let is_once =
            |it: &Footprint| !it.is_there() || self.place_of(it.of).map(|at| self.footprints[at].id) == Some(it.id);
        let in_order =
            self.footprints.is_sorted_by(|a, b| a.id < b.id) && self.tiles.is_sorted_by(|a, b| a.tile < b.tile);
        if !in_order || !self.footprints.iter().all(|it| is_sound(it) && is_once(it)) {
            return Err("footprints are not in order, or no shapes");
        }
        let waits = |tile: &u32| {
            self.tiles.binary_search_by_key(tile, |it| it.tile).is_ok_and(|place| self.tiles[place].is_waiting)
        };
        let counted = self.tiles.iter().filter(|it| it.is_waiting).count();
        if counted != self.waiting.len() || !self.waiting.iter().all(waits) {
            return Err("the tiles that wait are not those in the queue");
        }
        Ok(())
    }
}
