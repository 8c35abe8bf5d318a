//! Obstacles of a floor of a level, at the height of an eye: the level's triangles that end looks, cut at that height.
//!
//! A triangle with corners on both sides of the height gives one wall (a corner at the very height counts as above, so that
//! walls of closed solids close up). Edges are cut from their lower end, whichever triangle they belong to: neighbors share
//! the point to the bit. 2D obstacles of the floor are polygons. Windows and fences let see; doors, movers and what breaks
//! are followed by the level's log, each on its own.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::plane;
use sentir_level::{Aabb, Blocks, Changes, FloorId, LevelTriangle, LevelView, PieceId};

use super::obstacle::{ObstacleError, ObstacleId, Obstacles};
use super::{REACH_M, Sweep, Watcher};
use crate::visibility::Region;

/// What ends looks on a floor.
#[derive(Clone, Debug)]
pub struct FloorSight {
    obstacles: Obstacles,
    height_m: f32,
    floor: FloorId,
    /// The walls of each piece of the level.
    pieces: Vec<Vec<ObstacleId>>,
    version: u64,
    sweep: Sweep,
}

impl FloorSight {
    /// The obstacles of a floor at `eye_m` over the height one walks at.
    ///
    /// # Errors
    /// When the level has more walls than a set can hold, or an obstacle too far out.
    pub fn build(view: &LevelView<'_>, floor: FloorId, eye_m: f32) -> Result<FloorSight, ObstacleError> {
        let level_m = view.level.floors().get(usize::from(floor.0)).map_or(0.0, |floor| floor.level_m);
        let mut sight = FloorSight {
            obstacles: Obstacles::default(),
            height_m: level_m + eye_m,
            floor,
            pieces: vec![Vec::new(); view.level.pieces().len()],
            version: 0,
            sweep: Sweep::default(),
        };
        sight.rebuild(view)?;
        Ok(sight)
    }

    /// The obstacles as they were at the last [`follow`](Self::follow).
    #[must_use]
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// The height at which the level is cut, m.
    #[must_use]
    pub fn height_m(&self) -> f32 {
        self.height_m
    }

    /// Takes over what moved in the level. Whether anything did. Costs O(changes · log n).
    ///
    /// # Errors
    /// When there are more walls than a set can hold.
    pub fn follow(&mut self, view: &LevelView<'_>) -> Result<bool, ObstacleError> {
        match view.state.changes_since(self.version) {
            Changes::None => return Ok(false),
            Changes::All => {
                let fresh = FloorSight::build(view, self.floor, 0.0)?;
                *self = FloorSight { height_m: self.height_m, ..fresh };
                self.rebuild(view)?;
            }
            Changes::Some(changes) => {
                let mut moved: Vec<PieceId> = changes.iter().map(|change| change.piece).collect();
                moved.sort_unstable();
                moved.dedup();
                for piece in moved {
                    let walls = slice(view, self.height_m, Some(piece));
                    self.put(piece, &walls)?;
                }
            }
        }
        self.version = view.state.version();
        Ok(true)
    }

    /// What a watcher on this floor sees.
    pub fn look(&mut self, watcher: &Watcher, region: &mut Region) {
        self.sweep.look(&self.obstacles, watcher, region);
    }

    fn rebuild(&mut self, view: &LevelView<'_>) -> Result<(), ObstacleError> {
        let is_seen = |surface: u16| {
            let class = view.level.surfaces().get(usize::from(surface));
            class.is_none_or(|class| class.blocks_sight)
        };
        let flat = view.level.obstacles().iter().filter(|it| it.floor == self.floor && is_seen(it.surface));
        let polygons: Vec<Vec<Vec2>> = flat.map(|obstacle| obstacle.outline.clone()).collect();
        self.obstacles = Obstacles::build(&polygons, &slice(view, self.height_m, None))?;
        self.pieces.iter_mut().for_each(Vec::clear);
        for number in 0..view.level.pieces().len() as u16 {
            let piece = PieceId(number);
            let walls = slice(view, self.height_m, Some(piece));
            self.put(piece, &walls)?;
        }
        self.obstacles.settle();
        self.version = view.state.version();
        Ok(())
    }

    /// Gives a piece these walls.
    fn put(&mut self, piece: PieceId, walls: &[[Vec2; 2]]) -> Result<(), ObstacleError> {
        let ids = &mut self.pieces[usize::from(piece.0)];
        for (id, wall) in ids.iter().zip(walls) {
            self.obstacles.replace(*id, wall)?;
        }
        for wall in walls.iter().skip(ids.len()) {
            ids.push(self.obstacles.add_walls(wall)?);
        }
        for id in ids.drain(walls.len()..) {
            self.obstacles.remove(id)?;
        }
        Ok(())
    }
}

/// The walls of a level at a height: of one of its pieces, or of the fixed geometry.
#[must_use]
pub fn slice(view: &LevelView<'_>, height_m: f32, piece: Option<PieceId>) -> Vec<[Vec2; 2]> {
    let far = Vec3::new(REACH_M, 0.0, REACH_M);
    let at = Vec3::new(0.0, height_m, 0.0);
    let mut walls = Vec::new();
    view.triangles_in(&Aabb { low: at - far, high: at + far }, Blocks::SIGHT, |triangle: &LevelTriangle| {
        if triangle.piece == piece {
            walls.extend(cut(&triangle.corners, height_m));
        }
    });
    walls
}

/// The wall of a triangle at a height.
fn cut(corners: &[Vec3; 3], height_m: f32) -> Option<[Vec2; 2]> {
    let mut ends = [Vec2::ZERO; 2];
    let mut count = 0;
    for number in 0..3 {
        let (a, b) = (corners[number], corners[(number + 1) % 3]);
        if (a.y >= height_m) == (b.y >= height_m) {
            continue;
        }
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        let share = (height_m - low.y) / (high.y - low.y);
        ends[count] = plane::ground(low + (high - low) * share);
        count += 1;
    }
    (count == 2 && ends[0] != ends[1]).then_some(ends)
}
