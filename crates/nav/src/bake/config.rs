//! Settings of a bake, and why a bake is refused.

use sentir_core::body::person;
use sentir_core::math;

/// Cells of a bake along one axis at most.
pub const CELLS_PER_AXIS_MAX: u32 = 16_384;
/// Cells of a bake in one piece at most; a tiled bake goes by blocks of [`BLOCK_CELLS`] instead.
pub const WHOLE_CELLS_MAX: u64 = 4_194_304;
/// Side of the blocks that a tiled bake rasterizes at once, cells, margins aside.
pub const BLOCK_CELLS: u32 = 1024;
/// Layers of height at most: what Recast's spans can count, with room to spare.
pub const LAYERS_MAX: u32 = 8192;
/// Tiles of a bake at most.
pub const TILES_MAX: u64 = 262_144;
/// Largest number of an area.
pub const AREA_MAX: u8 = 62;

/// What a mesh is baked for: one kind of body, and how finely. Checked by [`check`](BakeConfig::check) whenever it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeConfig {
    /// Side of a cell, m. Limit: 0.01..=10.
    pub cell_m: f32,
    /// Height of a cell, m. Limit: 0.01..=10.
    pub cell_height_m: f32,
    /// Half the width of the body, m. Limit: 0..=32 cells.
    pub radius_m: f32,
    /// Height of the body, m. Limit: 3..=254 cell heights.
    pub height_m: f32,
    /// How high it steps, m. Limit: ≥ 0 and under its height.
    pub climb_m: f32,
    /// How steep it walks, degrees. Limit: 0..=89.
    pub slope_deg: f32,
    /// Islands smaller than a square of this side are left out, cells. Limit: 0..=150.
    pub region_min_cells: u16,
    /// Regions smaller than a square of this side are joined to others, cells; for [`whole`](crate::bake::whole()). Limit: 0..=150.
    pub region_merge_cells: u16,
    /// Longer sides along walls are split, m, 0 for never; for [`whole`](crate::bake::whole()). Limit: 0..=1000.
    pub edge_max_m: f32,
    /// How far a straightened border may be from the border of the cells, cells. Limit: 0..=10.
    pub border_error_cells: f32,
    /// How far a polygon may be above or below the ground, m; for tiles. Limit: at least 2 cell heights, at most 1000.
    pub height_error_m: f32,
    /// Corners of a polygon at most. Limit: 3..=16.
    pub corners_max: u16,
    /// Side of a tile, cells. Limit: 8..=256.
    pub tile_cells: u16,
}

impl BakeConfig {
    /// The settings of Recast's demo, tiles of 48 cells.
    pub const RECAST: BakeConfig = BakeConfig {
        cell_m: 0.3,
        cell_height_m: 0.2,
        radius_m: 0.6,
        height_m: 2.0,
        climb_m: 0.9,
        slope_deg: 45.0,
        region_min_cells: 8,
        region_merge_cells: 20,
        edge_max_m: 12.0,
        border_error_cells: 1.3,
        height_error_m: 0.5,
        corners_max: 6,
        tile_cells: 48,
    };
    /// People in buildings and streets: half as much room again as a body takes, steps that it takes with some to spare.
    pub const PERSON: BakeConfig = BakeConfig {
        cell_m: 0.25,
        cell_height_m: 0.1,
        radius_m: 0.45,
        height_m: person::HEIGHT_M,
        climb_m: 0.4,
        slope_deg: 40.0,
        height_error_m: 0.25,
        tile_cells: 64,
        ..BakeConfig::RECAST
    };
    /// People with little room to spare, on finer cells.
    pub const PERSON_CLOSE: BakeConfig = BakeConfig {
        cell_m: 0.2,
        cell_height_m: 0.1,
        radius_m: 0.4,
        height_m: person::HEIGHT_M,
        climb_m: 0.4,
        ..BakeConfig::RECAST
    };
}

impl Default for BakeConfig {
    /// [`BakeConfig::RECAST`].
    fn default() -> Self {
        BakeConfig::RECAST
    }
}

/// Why a bake is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// A setting is out of its range, or no number.
    #[error("{what} is {value}: expected {low} to {high}")]
    Range {
        /// Which setting.
        what: &'static str,
        /// What it is.
        value: f32,
        /// Least allowed value.
        low: f32,
        /// Greatest allowed value.
        high: f32,
    },
    /// A triangle has a corner that is no number, or is farther out than a level may be.
    #[error("triangle {triangle} has a corner at ({x}, {y}, {z}): expected coordinates within ±{reach} m")]
    Corner {
        /// Which triangle, from 0.
        triangle: u64,
        /// The corner's coordinates, m.
        x: f32,
        /// See `x`.
        y: f32,
        /// See `x`.
        z: f32,
        /// The limit, m.
        reach: f32,
    },
    /// The area of a triangle or a volume is not in the table.
    #[error("area {area} of {what} {number} is too great: expected at most {AREA_MAX}")]
    Area {
        /// What has it.
        what: &'static str,
        /// Which of them, from 0.
        number: u64,
        /// The area.
        area: u8,
    },
    /// The level has more cells than a bake may have.
    #[error("{what} would be {count}: expected at most {limit}; take larger cells, or a smaller level")]
    TooLarge {
        /// Cells of what.
        what: &'static str,
        /// How many.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// An obstacle or an area volume is no convex shape with finite corners.
    #[error("{what} {number} is not a shape: {why}")]
    Shape {
        /// What it is.
        what: &'static str,
        /// Which of them, from 0.
        number: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// The voxelization gave up; it has no reason to on checked input.
    #[error("the geometry could not be voxelized: {0}")]
    Voxel(String),
}

/// The settings in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rules {
    pub cell_m: f32,
    pub cell_height_m: f32,
    pub radius: u16,
    pub height: u16,
    pub climb: u16,
    /// Least upward part of the normal of walkable ground; more is needed.
    pub slope_cos: f32,
    pub region_min: u32,
    pub region_merge: u32,
    pub edge_max: u16,
    pub border_error: f32,
    pub height_error: f32,
    pub corners_max: u16,
    pub tile: u32,
    /// Cells around a tile that its result depends on.
    pub margin: u32,
}

impl BakeConfig {
    /// Whether every setting is in its range.
    pub fn check(&self) -> Result<(), BakeError> {
        self.rules().map(|_| ())
    }

    pub(crate) fn rules(&self) -> Result<Rules, BakeError> {
        let range = |what: &'static str, value: f32, low: f32, high: f32| {
            let is_in = value >= low && value <= high;
            if is_in { Ok(()) } else { Err(BakeError::Range { what, value, low, high }) }
        };
        range("the cell size", self.cell_m, 0.01, 10.0)?;
        range("the cell height", self.cell_height_m, 0.01, 10.0)?;
        range("the radius of the body", self.radius_m, 0.0, 32.0 * self.cell_m)?;
        range("the height of the body", self.height_m, 3.0 * self.cell_height_m, 254.0 * self.cell_height_m)?;
        range("the step height", self.climb_m, 0.0, self.height_m - self.cell_height_m)?;
        range("the slope", self.slope_deg, 0.0, 89.0)?;
        range("the least region size", self.region_min_cells.into(), 0.0, 150.0)?;
        range("the merged region size", self.region_merge_cells.into(), 0.0, 150.0)?;
        range("the greatest edge length", self.edge_max_m, 0.0, 1000.0)?;
        range("the border error", self.border_error_cells, 0.0, 10.0)?;
        range("the height error", self.height_error_m, 2.0 * self.cell_height_m, 1000.0)?;
        range("the count of corners a polygon", self.corners_max.into(), 3.0, 16.0)?;
        range("the tile size", self.tile_cells.into(), 8.0, 256.0)?;
        let square = |side: u16| u32::from(side) * u32::from(side);
        let radius = (self.radius_m / self.cell_m).ceil() as u16;
        Ok(Rules {
            cell_m: self.cell_m,
            cell_height_m: self.cell_height_m,
            radius,
            height: (self.height_m / self.cell_height_m).ceil() as u16,
            climb: (self.climb_m / self.cell_height_m).floor() as u16,
            slope_cos: math::cos(self.slope_deg.to_radians()),
            region_min: square(self.region_min_cells),
            region_merge: square(self.region_merge_cells),
            edge_max: (self.edge_max_m / self.cell_m) as u16,
            border_error: self.border_error_cells,
            height_error: self.height_error_m / self.cell_height_m,
            corners_max: self.corners_max,
            tile: self.tile_cells.into(),
            margin: u32::from(radius) + 3,
        })
    }
}
