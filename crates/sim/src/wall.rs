//! The walls of a level as steering knows them.

use sentir_act::Wall;
use sentir_level::Level;

/// What the feet of a person do not step over, m.
const LOW_M: f32 = 0.45;
/// Where its head ends, m.
const HIGH_M: f32 = 1.8;

/// The borders of everything a person on the lowest floor runs into.
pub fn walls(level: &Level) -> Vec<Wall> {
    level.outlines(LOW_M, HIGH_M).iter().flat_map(|border| Wall::around(border)).collect()
}
