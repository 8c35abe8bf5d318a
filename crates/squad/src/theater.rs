//! The ground of a fight: what everybody may know of a level before it begins, made once of its fixed geometry.
//!
//! The level itself is public, so all of this is: where one can walk and hide, and what is in sight of what. What comes and
//! goes (doors, people, obstacles) is not in it.
//!
//! Looks go by regions on the floor of the looker, cut at the height of a standing eye and at that of a crouching head, and
//! by rays through the whole level to other floors. Influence lies on one grid over all floors, so where two floors are one
//! above the other, it is that of the lower one for both.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_level::{FloorId, Level, LevelState, LevelView};
use sentir_nav::bake::{self, BakeConfig, BakeError, LevelFilter};
use sentir_nav::mesh::{Mesh, MeshError, Place};
use sentir_nav::tactic::spread::SpreadError;
use sentir_nav::tactic::{Spread, SpreadConfig};
use sentir_space::cover::Borders;
use sentir_space::influence::{Grid, GridError};
use sentir_space::query::Seer;
use sentir_space::visibility::{FloorSight, ObstacleError, Region, Sweep, Watcher};
use thiserror::Error;

/// How high eyes are over the ground, standing, m.
pub const EYE_M: f32 = 1.6;
/// How high a crouching head is, m: what hides it hides who crouches.
pub const CROUCH_M: f32 = 1.0;
/// Who is this far over or under a floor stands on another one, m.
const STOREY_M: f32 = 1.2;
/// Nobody sees farther, m.
const SIGHT_M: f32 = 200.0;

/// How a theater is made. Any value is valid but those that a bake refuses.
#[derive(Clone, Copy, Debug)]
pub struct TheaterConfig {
    /// For which body the ground is baked.
    pub bake: BakeConfig,
    /// Side of the cells of influence, m. Limit: 0.1..=100.
    pub cell_m: f32,
}

impl Default for TheaterConfig {
    fn default() -> Self {
        let bake = BakeConfig { radius_m: 0.45, climb_m: 0.4, tile_cells: 48, ..BakeConfig::default() };
        TheaterConfig { bake, cell_m: 1.0 }
    }
}

/// Why a level is no theater.
#[derive(Debug, Error)]
pub enum TheaterError {
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
}

/// All that is public about the ground.
#[derive(Clone, Debug)]
pub struct Theater {
    level: Level,
    state: LevelState,
    mesh: Mesh,
    spread: Spread,
    borders: Borders,
    grid: Grid,
    /// Ascending by height.
    storeys: Vec<Storey>,
}

impl Theater {
    /// Makes the theater of a level.
    ///
    /// # Errors
    /// When the level cannot be baked for this body, or is too large.
    pub fn bake(level: Level, config: &TheaterConfig) -> Result<Theater, TheaterError> {
        let state = LevelState::new(&level);
        let mesh = bake::level(&level, &state, &LevelFilter::default(), &config.bake)?.mesh()?;
        if mesh.polygon_count() == 0 {
            let BakeConfig { radius_m, height_m, .. } = config.bake;
            return Err(TheaterError::NoGround { radius_m, height_m });
        }
        let view = LevelView { level: &level, state: &state };
        let mut storeys = Vec::new();
        for (number, floor) in (0..).zip(level.floors()) {
            let sight = |eye_m| FloorSight::build(&view, FloorId(number), eye_m);
            storeys.push(Storey { level_m: floor.level_m, high: sight(EYE_M)?, low: sight(CROUCH_M)? });
        }
        storeys.sort_by(|a, b| a.level_m.total_cmp(&b.level_m));
        let spread = Spread::build(&mesh, &SpreadConfig::default())?;
        let grid = grid_of(&mesh, config.cell_m)?;
        let borders = Borders::from_mesh(&mesh);
        Ok(Theater { level, state, mesh, spread, borders, grid, storeys })
    }

    /// Where one can walk.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Points spread over it, for tactical ways.
    pub fn spread(&self) -> &Spread {
        &self.spread
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
    pub fn ground(&self, point: Vec3) -> Option<Place> {
        self.mesh.nearest(point, Vec3::new(2.0, 3.0, 2.0))
    }

    /// Whether somebody at `at` whose top is `top_m` high is in sight of an eye: the fixed level alone counts.
    pub fn is_in_sight(&self, eye: Vec3, at: Vec3, top_m: f32) -> bool {
        let view = self.view();
        let across = plane::left_of(plane::direction(plane::ground(at - eye))) * 0.25;
        let aside = plane::lift(across, 0.0);
        let shoulder = at + Vec3::Y * (top_m * 0.8);
        [at + Vec3::Y * top_m, shoulder + aside, shoulder - aside].into_iter().any(|point| view.sees(eye, point))
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

    /// What a cone sees on the floor of the looker.
    pub fn look_cone(&self, from: Vec3, cone: (f32, f32, f32), sweep: &mut Sweep, region: &mut Region) {
        let (facing, half_angle_rad, range_m) = cone;
        let watcher = Watcher { origin: plane::ground(from), facing, half_angle_rad, range_m };
        match self.storey(from.y) {
            Some(storey) => sweep.look(storey.high.obstacles(), &watcher, region),
            None => *region = Region::default(),
        }
    }

    /// The heights between which a region seen from a height counts, m.
    pub fn band(&self, height_m: f32) -> [f32; 2] {
        let level_m = self.storey(height_m).map_or(height_m, |storey| storey.level_m);
        [level_m - STOREY_M, level_m + STOREY_M]
    }

    /// The floor that feet at a height are on: the highest one that is not far above them, or else the lowest.
    fn storey(&self, height_m: f32) -> Option<&Storey> {
        let below = self.storeys.iter().rev().find(|storey| storey.level_m <= height_m + 0.5);
        below.or_else(|| self.storeys.first())
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
    pub theater: &'a Theater,
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
        self.theater.is_in_sight(self.eye, plane::lift(at, height_m), self.top_m)
    }
}
