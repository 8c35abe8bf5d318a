//! Influence: values on the cells of a floor that spread over walkable ground, fade with distance and are forgotten.
//!
//! An update takes for each cell the greatest of its own value and of what comes from its eight neighbors,
//! `value · e^(−distance · decay)`, fades it by the time passed, and moves the old value toward that; **momentum** is how much
//! of the old value stays (0: the new value at once; 1: nothing ever changes). Steps keep the corner rule of `nav::grid`: a
//! diagonal one needs both cells beside it. The cell itself counts in the greatest value, or a source that is stamped once
//! would be gone after one update. O(cells) an update, nothing allocated; neighbors are read from the old buffer and written
//! to the new one, so no order of cells shows.
//!
//! | room | holds |
//! |---|---|
//! | [`grid`] | where one can walk, and what is in sight |
//! | [`map`] | values, stamps, updates |
//! | [`algebra`] | layers combined in place, and what combats are judged by: control, tension, vulnerability, front |
//! | [`predict`] | where a target that was lost may be |
//! | [`graph`] | the same on a graph, as the polygons of a navigation mesh |
//! | [`draw`] | maps as heat |
//!
//! ```
//! use sentir_nav::grid::Cell;
//! use sentir_space::core::glam::Vec2;
//! use sentir_space::influence::{Config, Grid, Map, Scratch};
//!
//! let grid = Grid::build(Vec2::ZERO, 1.0, [8, 4], |cell| cell.x != 4 || cell.y == 0)?;
//! let config = Config { momentum: 0.0, decay_per_m: 0.5, ..Config::TACTICAL };
//! let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
//! for _ in 0..20 {
//!     map.raise(&grid, Cell::new(1, 2), 1.0);
//!     map.update(&grid, &config, None, &mut scratch);
//! }
//! // Behind the wall it is weaker than in front of it.
//! assert!(map.value(Cell::new(5, 2)) < map.value(Cell::new(3, 2)));
//! assert_eq!(map.value(Cell::new(4, 2)), 0.0);
//! # Ok::<(), sentir_space::influence::GridError>(())
//! ```

pub mod algebra;
pub mod draw;
pub mod graph;
pub mod grid;
mod kernel;
pub mod map;
pub mod predict;

pub use graph::{Graph, GraphMap};
pub use grid::{Grid, GridError, Watch};
pub use map::{InfluenceSource, Map, Scratch};
pub use predict::{Prediction, PredictionConfig};

use sentir_core::math;

/// How influence spreads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Share of the old value that stays at an update. Limit: 0..=1.
    pub momentum: f32,
    /// Strength lost a meter, as in e^(−d · decay). Limit: >= 0.
    pub decay_per_m: f32,
    /// Strength lost a second, as in e^(−t · fade): how fast what is not stamped again is forgotten. Limit: >= 0.
    pub fade_per_s: f32,
    /// Time from one update to the next, s. Limit: > 0.
    pub period_s: f32,
}

impl Config {
    /// Who holds which ground, for single fights: 4 Hz.
    pub const TACTICAL: Config = Config { momentum: 0.3, decay_per_m: 0.15, fade_per_s: 0.5, period_s: 0.25 };
    /// The same for whole armies: 1 Hz, slow to change.
    pub const STRATEGIC: Config = Config { momentum: 0.7, decay_per_m: 0.05, fade_per_s: 0.1, period_s: 1.0 };
    /// Where shots and deaths happen: stays long and hardly spreads.
    pub const HISTORY: Config = Config { momentum: 0.9, decay_per_m: 0.7, fade_per_s: 0.02, period_s: 1.0 };

    /// The same within its limits; NaN is the lower one.
    #[must_use]
    pub fn checked(self) -> Config {
        let within = |value: f32, low: f32, high: f32| if value > low { math::min(value, high) } else { low };
        Config {
            momentum: within(self.momentum, 0.0, 1.0),
            decay_per_m: within(self.decay_per_m, 0.0, 1e3),
            fade_per_s: within(self.fade_per_s, 0.0, 1e3),
            period_s: within(self.period_s, 1e-3, 1e3),
        }
    }

    /// How many times to spread an update, so that the front runs at a speed: run speed / (cell · frequency), rounded up.
    #[must_use]
    pub fn iterations(&self, speed_m_per_s: f32, cell_m: f32) -> u32 {
        let cells = speed_m_per_s * self.period_s / cell_m;
        // A cast keeps within its range; NaN is 0.
        (cells.ceil() as u32).clamp(1, ITERATIONS_MAX)
    }
}

/// Spreads an update at most.
pub const ITERATIONS_MAX: u32 = 64;
