//! The ground of a fight: what everybody may know of a level before it begins, made once of its fixed geometry.
//!
//! The level itself is public, so all of this is: where one can walk and hide, and what is in sight of what. Of what comes
//! and goes, people and doors are not in it. Obstacles that everybody is told of are, if the host wants them
//! ([`TacticalMapConfig::is_dynamic`]): a dynamic tactical map is a memo of the host's [`Obstacles`] and of the poses of its pieces, kept
//! up by [`TacticalMap::follow`], and the same bits whether it followed every change or was made anew of the last state.
//!
//! Looks go by regions on the storey of the looker, cut at the height of a standing eye and at that of a crouching head, and
//! by rays through the whole level to other storeys. Storeys are the level's floors, and where a level has ground that none
//! of its floors explains (real levels have one floor for all), heights are taken from the ground itself (`storey`).
//!
//! Influence lies on one grid over all storeys: what is likely in a cell is so on every ground that the cell has. So that
//! nobody is taken to be gone for a look at another storey, a look empties only cells whose ground is all on the storey
//! looked at ([`TacticalMap::watch`]).

use std::sync::Arc;

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::{FloorId, Level, LevelState, LevelView, STOWED_M};
use sentir_nav::bake::{self, BakeConfig, BakeError, LevelFilter, TileTable};
use sentir_nav::dynamic::{DynamicMesh, Obstacles};
use sentir_nav::grid::Cell;
use sentir_nav::mesh::{Mesh, MeshError, MeshPoint};
use sentir_nav::tactic::spread::SpreadError;
use sentir_nav::tactic::{Spread, SpreadConfig};
use sentir_space::cover::Borders;
use sentir_space::influence::{Grid, GridError, Watch};
use sentir_space::query::Seer;
use sentir_space::visibility::{FloorSight, ObstacleError, Region, Sweep, Watcher};
use thiserror::Error;

use crate::storey;

/// How high eyes are over the ground, standing, m.
pub const EYE_M: f32 = 1.6;
/// How high a crouching head is, m: what hides it hides who crouches.
pub const CROUCH_M: f32 = 1.0;
/// Who is this far over or under a floor stands on another one, m.
const STOREY_M: f32 = 1.2;
/// The kind of annotation that says where rounds are to be had.
const SUPPLY: &str = "supply";
/// How far ground may be from a point that is said to be on it, m.
const GROUND_REACH: Vec3 = Vec3::new(2.0, 3.0, 2.0);
/// Nobody sees farther, m.
const SIGHT_M: f32 = 200.0;
/// How dense points of tactical ways lie: ways over fewer are no more in sight (`exposed_share` of 150 matches), and cost a
/// tenth less time.
const SPREAD: SpreadConfig = SpreadConfig { portal_m: 3.0, lattice_m: 3.0 };
/// The same for what ways to many places cost.
const SKETCH: SpreadConfig = SpreadConfig { portal_m: 4.5, lattice_m: 4.5 };

/// How a tactical map is made. Any value is valid but those that a bake refuses.
#[derive(Clone, Copy, Debug)]
pub struct TacticalMapConfig {
    /// For which body the ground is baked.
    pub bake: BakeConfig,
    /// Side of the cells of influence, m. Limit: 0.1..=100.
    pub cell_m: f32,
    /// Whether pieces of the level are part of the ground where they begin: for games in which they never move.
    pub has_pieces: bool,
    /// Whether obstacles may come and go: keeps the tiles, which takes memory.
    pub is_dynamic: bool,
}

impl Default for TacticalMapConfig {
    fn default() -> Self {
        let bake = BakeConfig { radius_m: 0.45, climb_m: 0.4, tile_cells: 48, ..BakeConfig::default() };
        TacticalMapConfig { bake, cell_m: 1.0, has_pieces: false, is_dynamic: false }
    }
}

/// Why a level is no tactical map.
#[derive(Debug, Error)]
pub enum TacticalMapError {
    /// It cannot be baked.
    #[error("the ground cannot be baked: {0}")]
    Bake(#[from] BakeError),
    /// Its ground is no mesh.
    #[error("the ground cannot be walked on: {0}")]
    Mesh(#[from] MeshError),
    /// Nobody can stand anywhere.
    #[error("nobody of {radius_m} m by {height_m} m can stand anywhere in this level")]
    NoGround {
        /// Radius of the body, m.
        radius_m: f32,
        /// Height of the body, m.
        height_m: f32,
    },
    /// It is too large for a grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// It has too many walls.
    #[error(transparent)]
    Sight(#[from] ObstacleError),
    /// Its mesh is too large.
    #[error(transparent)]
    Spread(#[from] SpreadError),
}

/// What is seen on a floor, cut at two heights.
#[derive(Clone, Debug)]
struct Storey {
    level_m: f32,
    high: FloorSight,
    low: FloorSight,
    /// Whether a cell of influence has ground on another storey, too, row by row; empty if none has.
    doubles: Vec<bool>,
}

/// All that is public about the ground.
#[derive(Clone, Debug)]
pub struct TacticalMap {
    level: Arc<Level>,
    state: LevelState,
    dynamic: DynamicMesh,
    /// What tiles are made of; none on ground that never changes.
    tiles: Option<Arc<TileTable>>,
    spread: Spread,
    sketch: Spread,
    borders: Borders,
    grid: Arc<Grid>,
    /// Ascending by height.
    storeys: Vec<Storey>,
    /// The same as they were baked; none on ground that never changes.
    baked: Arc<Vec<Storey>>,
    /// The version of the host's level that the pieces are of.
    followed: u64,
    /// Where rounds are to be had, m.
    supplies: Vec<Vec3>,
}

impl TacticalMap {
    /// Makes the tactical map of a level.
    ///
    /// # Errors
    /// When the level cannot be baked for this body, or is too large.
    pub fn bake(level: Level, config: &TacticalMapConfig) -> Result<TacticalMap, TacticalMapError> {
        let state = LevelState::new(&level);
        let filter = LevelFilter { has_pieces: config.has_pieces, ..LevelFilter::default() };
        let table = bake::level(&level, &unstowed(&level), &filter, &config.bake)?;
        let mesh = table.mesh()?;
        if mesh.polygon_count() == 0 {
            let BakeConfig { radius_m, height_m, .. } = config.bake;
            return Err(TacticalMapError::NoGround { radius_m, height_m });
        }
        let grid = grid_of(&mesh, config.cell_m)?;
        let mut storeys = storeys_of(&LevelView { level: &level, state: &state }, &mesh)?;
        note_doubles(&mut storeys, &mesh, &grid);
        let (spread, sketch) = (Spread::build(&mesh, &SPREAD)?, Spread::build(&mesh, &SKETCH)?);
        let borders = Borders::from_mesh(&mesh);
        let tiles = config.is_dynamic.then(|| Arc::new(table));
        let noted = level.annotations().iter().filter(|note| note.kind == SUPPLY);
        let on_ground = |at: Vec3| mesh.nearest(at, GROUND_REACH).map(|place| place.point);
        let supplies = noted.filter_map(|note| on_ground(note.position)).collect();
        let (level, dynamic, grid) = (Arc::new(level), DynamicMesh::of(mesh), Arc::new(grid));
        let baked = Arc::new(if config.is_dynamic { storeys.clone() } else { Vec::new() });
        Ok(TacticalMap {
            level,
            state,
            dynamic,
            tiles,
            spread,
            sketch,
            borders,
            grid,
            storeys,
            baked,
            followed: 0,
            supplies,
        })
    }

    /// Where rounds are to be had, m: the level's annotations of the kind `supply`, unless the host says otherwise.
    pub fn supplies(&self) -> &[Vec3] {
        &self.supplies
    }

    /// Says where rounds are to be had, m.
    pub fn set_supplies(&mut self, supplies: Vec<Vec3>) {
        self.supplies = supplies;
    }

    /// Takes over obstacles that everybody is told of, and the pieces of the level as they stand: the touched tiles of the
    /// mesh, then points, borders and sight. To be called in every tick, or once on a tactical map as it was baked. Whether
    /// anything changed. Ground that is not dynamic stays as it is.
    ///
    /// Cost of a change: the tiles, and O(ground) for points and borders; both allocate. Else two comparisons.
    ///
    /// # Errors
    /// When the ground has too many points or walls; bakes of one level with a few obstacles give no reason.
    pub fn follow(&mut self, obstacles: &Obstacles, state: &LevelState) -> Result<bool, TacticalMapError> {
        let Some(tiles) = self.tiles.clone() else { return Ok(false) };
        let has_moved = state.version() != self.followed;
        if has_moved {
            // From the storeys as they were baked, so that it does not matter what was there in between.
            self.state = LevelState::new(&self.level);
            for (number, piece) in (0..).zip(state.pieces()) {
                self.state.move_piece(&self.level, sentir_level::PieceId(number), piece.pose);
            }
            let view = LevelView { level: &self.level, state: &self.state };
            self.storeys.clone_from(&self.baked);
            for storey in &mut self.storeys {
                storey.high.follow(&view)?;
                storey.low.follow(&view)?;
            }
            self.followed = state.version();
        }
        let is_rebuilt = self.dynamic.follow(&tiles, obstacles)? > 0;
        if is_rebuilt {
            self.spread = Spread::build(self.dynamic.mesh(), &SPREAD)?;
            self.sketch = Spread::build(self.dynamic.mesh(), &SKETCH)?;
            self.borders = Borders::from_mesh(self.dynamic.mesh());
        }
        Ok(has_moved || is_rebuilt)
    }

    /// What tiles are made of; none on ground that never changes.
    pub fn tiles(&self) -> Option<&TileTable> {
        self.tiles.as_deref()
    }

    /// The version of the mesh: another number whenever polygons changed.
    pub fn version(&self) -> u32 {
        self.dynamic.version()
    }

    /// Where one can walk.
    pub fn mesh(&self) -> &Mesh {
        self.dynamic.mesh()
    }

    /// Points spread over it, for tactical ways.
    pub fn spread(&self) -> &Spread {
        &self.spread
    }

    /// The same, wider apart: for what ways to many places cost, where a few percent for a few of them do not matter.
    pub fn sketch(&self) -> &Spread {
        &self.sketch
    }

    /// The cells of influence.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The borders of obstacles.
    pub fn borders(&self) -> &Borders {
        &self.borders
    }

    /// The level as it was authored.
    pub fn view(&self) -> LevelView<'_> {
        LevelView { level: &self.level, state: &self.state }
    }

    /// The place on the ground nearest to a point; none if there is none within 2 m (3 m in height).
    pub fn ground(&self, point: Vec3) -> Option<MeshPoint> {
        self.mesh().nearest(point, GROUND_REACH)
    }

    /// Whether somebody at `at` whose top is `top_m` high is in sight of an eye: the fixed level alone counts.
    pub fn is_in_sight(&self, eye: Vec3, at: Vec3, top_m: f32) -> bool {
        let view = self.view();
        let across = plane::left_of(plane::direction(plane::ground(at - eye))) * 0.25;
        let aside = plane::lift(across, 0.0);
        let shoulder = at + Vec3::Y * (top_m * 0.8);
        view.sees_first(eye, &[at + Vec3::Y * top_m, shoulder + aside, shoulder - aside]).is_some()
    }

    /// What is in sight all round from a point of the ground, of who stands (`high`) or of heads as low as crouching ones.
    pub fn look(&self, from: Vec3, is_high: bool, sweep: &mut Sweep, region: &mut Region) {
        let watcher = Watcher { origin: plane::ground(from), facing: 0.0, half_angle_rad: math::PI, range_m: SIGHT_M };
        match self.storey(from.y) {
            Some(storey) => {
                let sight = if is_high { &storey.high } else { &storey.low };
                sweep.look(sight.obstacles(), &watcher, region);
            }
            None => *region = Region::default(),
        }
    }

    /// What a watcher whose feet are at a height sees on its floor.
    pub fn look_cone(&self, height_m: f32, watcher: &Watcher, sweep: &mut Sweep, region: &mut Region) {
        match self.storey(height_m) {
            Some(storey) => sweep.look(storey.high.obstacles(), watcher, region),
            None => *region = Region::default(),
        }
    }

    /// The heights between which a region seen from a height counts, m.
    pub fn band(&self, height_m: f32) -> [f32; 2] {
        let level_m = self.storey(height_m).map_or(height_m, |storey| storey.level_m);
        [level_m - STOREY_M, level_m + STOREY_M]
    }

    /// Adds the cells of a window that a look from a point shows to be empty: those of its region that have no ground
    /// elsewhere. The window is the whole grid or a [part](Grid::crop) of it.
    pub fn watch(&self, from: Vec3, region: &Region, window: &Grid, watch: &mut Watch) {
        match self.storey(from.y) {
            Some(storey) if !storey.doubles.is_empty() => {
                let columns = self.grid.size()[0] as usize;
                let first = ((window.origin() - self.grid.origin()) / self.grid.cell_m()).round();
                let (left, low) = (first.x as usize, first.y as usize);
                let is_single = |cell: Cell| {
                    let index = (usize::from(cell.y) + low) * columns + usize::from(cell.x) + left;
                    !storey.doubles.get(index).is_some_and(|&is_double| is_double)
                };
                watch.add_where(window, region, is_single);
            }
            _ => watch.add(window, region),
        }
    }

    /// The storey that feet at a height are on: the highest one that is not far above them, or else the lowest.
    fn storey(&self, height_m: f32) -> Option<&Storey> {
        let below = self.storeys.iter().rev().find(|storey| storey.level_m <= height_m + 0.5);
        below.or_else(|| self.storeys.first())
    }
}

/// The state to bake: pieces that are put away, and can break, are not there.
fn unstowed(level: &Level) -> LevelState {
    let mut state = LevelState::new(level);
    for (number, piece) in (0..).zip(level.pieces()) {
        if piece.pose.position.y <= STOWED_M {
            state.damage_piece(level, sentir_level::PieceId(number), f32::MAX);
        }
    }
    state
}

/// The storeys of a level: its floors, and heights of ground that none of them explains.
fn storeys_of(view: &LevelView<'_>, mesh: &Mesh) -> Result<Vec<Storey>, TacticalMapError> {
    let floors: Vec<f32> = view.level.floors().iter().map(|floor| floor.level_m).collect();
    let mut storeys = Vec::new();
    let mut add = |floor: u16, level_m: f32| -> Result<(), TacticalMapError> {
        let above_m = level_m - floors.get(usize::from(floor)).copied().unwrap_or(0.0);
        let sight = |eye_m| FloorSight::build(view, FloorId(floor), above_m + eye_m);
        storeys.push(Storey { level_m, high: sight(EYE_M)?, low: sight(CROUCH_M)?, doubles: Vec::new() });
        Ok(())
    };
    for (number, &level_m) in (0..).zip(&floors) {
        add(number, level_m)?;
    }
    for level_m in storey::heights(mesh, &floors) {
        add(0, level_m)?;
    }
    storeys.sort_by(|a, b| a.level_m.total_cmp(&b.level_m));
    Ok(storeys)
}

/// Notes for each storey which cells of influence have ground on another one.
fn note_doubles(storeys: &mut [Storey], mesh: &Mesh, grid: &Grid) {
    let [columns, rows] = grid.size();
    let mut heights: Vec<Vec<f32>> = vec![Vec::new(); columns as usize * rows as usize];
    storey::grounds(mesh, grid, |cell, height_m| {
        let list = &mut heights[usize::from(cell.y) * columns as usize + usize::from(cell.x)];
        if !list.iter().any(|&other: &f32| (other - height_m).abs() < STOREY_M) {
            list.push(height_m);
        }
    });
    if heights.iter().all(|list| list.len() < 2) {
        return;
    }
    for storey in storeys {
        let is_other = |height_m: &f32| (height_m - storey.level_m).abs() > STOREY_M;
        storey.doubles = heights.iter().map(|list| list.len() > 1 && list.iter().any(is_other)).collect();
        if !storey.doubles.contains(&true) {
            storey.doubles.clear();
        }
    }
}

/// Cells over all walkable ground.
fn grid_of(mesh: &Mesh, cell_m: f32) -> Result<Grid, GridError> {
    let (mut low, mut high) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
    for polygon in 0..mesh.polygon_count() {
        for corner in mesh.ring(polygon) {
            (low, high) = (low.min(corner), high.max(corner));
        }
    }
    let (a, b) = (plane::ground(low), plane::ground(high));
    let (from, to) = (a.min(b), a.max(b));
    let origin = (from / cell_m).floor() * cell_m;
    let size = ((to - origin) / cell_m).ceil();
    let height_m = (low.y + high.y) * 0.5;
    let reach_m = (high.y - low.y) * 0.5 + 0.5;
    Grid::from_mesh(mesh, origin, cell_m, [size.x as u32 + 1, size.y as u32 + 1], [height_m, reach_m])
}

/// What somebody sees: a region on its own floor, rays to others.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// The ground.
    pub tactical_map: &'a TacticalMap,
    /// Where the eye is, m.
    pub eye: Vec3,
    /// What it sees of its own floor.
    pub region: &'a Region,
    /// Between which heights that counts, m.
    pub band_m: [f32; 2],
    /// How high what it looks for is over the ground, m.
    pub top_m: f32,
}

impl Seer for Outlook<'_> {
    fn sees(&self, at: Vec2, height_m: f32) -> bool {
        if height_m >= self.band_m[0] && height_m <= self.band_m[1] {
            return self.region.contains(at);
        }
        self.tactical_map.is_in_sight(self.eye, plane::lift(at, height_m), self.top_m)
    }
}
