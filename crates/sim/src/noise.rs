//! What is heard: every happening that makes a noise, and how far it carries.
//!
//! Ranges are for the open; walls are the business of hearing. Weapons bring their own range; the rest is in one table.

use sentir::core::body::Stance;
use sentir::core::glam::Vec3;
use sentir::core::id::AgentId;
use sentir::core::math;
use sentir::core::tick::Tick;
use sentir::{Noise, State};

/// What makes noise by itself, and how far that carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseTable {
    /// A step at [`run_m_per_s`](NoiseTable::run_m_per_s), upright, m. Slower steps carry less, in proportion.
    pub step_m: f32,
    /// The speed that counts as a run, m/s. Limit: > 0.
    pub run_m_per_s: f32,
    /// Share of it that a low stance leaves.
    pub crouch_share: f32,
    /// Way between two steps, m. Limit: > 0.
    pub stride_m: f32,
    /// Coming down after a jump or a fall, m.
    pub land_m: f32,
    /// A door that begins to move, m.
    pub door_m: f32,
    /// A reload, m.
    pub reload_m: f32,
    /// A thing taken, m.
    pub item_m: f32,
    /// A thrown thing that bounces, m.
    pub bounce_m: f32,
    /// A piece of the level that breaks, m.
    pub break_m: f32,
}

impl NoiseTable {
    /// Those of a person.
    pub const STOCK: NoiseTable = NoiseTable {
        step_m: 14.0,
        run_m_per_s: 6.0,
        crouch_share: 0.25,
        stride_m: 1.5,
        land_m: 12.0,
        door_m: 10.0,
        reload_m: 8.0,
        item_m: 5.0,
        bounce_m: 12.0,
        break_m: 40.0,
    };
}

impl Default for NoiseTable {
    fn default() -> Self {
        NoiseTable::STOCK
    }
}

/// The way one has gone since the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Footsteps {
    /// So far, m.
    pub way_m: f32,
}

/// A noise as the loop takes it; the loop sets the time. None if it carries nowhere, or from nowhere.
pub fn noise(position: Vec3, range_m: f32, by: Option<AgentId>) -> Option<Noise> {
    let is_sound = range_m > 0.0 && range_m.is_finite() && position.is_finite();
    is_sound.then_some(Noise { position, range_m, by, at: Tick(0) })
}

/// How far a step at a speed carries, m.
pub fn step_range_m(table: &NoiseTable, speed_m_per_s: f32, stance: Stance) -> f32 {
    let pace = math::max(0.0, math::min(1.0, speed_m_per_s / table.run_m_per_s));
    let share = match stance {
        Stance::Stand => 1.0,
        Stance::Crouch => table.crouch_share,
    };
    table.step_m * pace * share
}

/// Goes on by one tick's way on the ground; the range of the step that ends in it, if one does. At most one a tick: who is
/// faster than a stride a tick makes one noise.
pub fn stride(
    table: &NoiseTable,
    stride: &mut Footsteps,
    speed_m_per_s: f32,
    stance: Stance,
    tick_s: f32,
) -> Option<f32> {
    let way_m = stride.way_m + math::max(0.0, speed_m_per_s) * tick_s;
    let is_step = way_m >= table.stride_m;
    // A way that is not finite, from a loaded state, starts anew.
    let is_sound = way_m.is_finite() && way_m < 2.0 * table.stride_m;
    stride.way_m = match (is_step, is_sound) {
        (_, false) => 0.0,
        (true, true) => way_m - table.stride_m,
        (false, true) => way_m,
    };
    is_step.then(|| step_range_m(table, speed_m_per_s, stance)).filter(|range_m| *range_m > 0.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    #[test]
    fn faster_is_louder_and_low_is_quieter() {
        let table = NoiseTable::default();
        let range = |speed, stance| step_range_m(&table, speed, stance);
        assert_eq!(range(6.0, Stance::Stand), 14.0);
        assert_eq!(range(3.0, Stance::Stand), 7.0);
        assert_eq!(range(3.0, Stance::Crouch), 1.75);
        assert_eq!([0.0, -1.0, 60.0].map(|speed| range(speed, Stance::Stand)), [0.0, 0.0, 14.0]);
    }

    #[test]
    fn a_walk_of_thirty_meters_is_twenty_steps_at_any_rate() {
        let table = NoiseTable::default();
        for hz in [20u16, 60, 144] {
            let mut way = Footsteps::default();
            let tick_s = 1.0 / f32::from(hz);
            let ticks = 10 * u32::from(hz) + 1;
            let steps = (0..ticks).filter(|_| stride(&table, &mut way, 3.0, Stance::Stand, tick_s).is_some()).count();
            assert_eq!(steps, 20, "at {hz} Hz");
        }
    }

    #[test]
    fn odd_numbers_make_no_noise() {
        let table = NoiseTable::default();
        let mut way = Footsteps { way_m: f32::NAN };
        assert_eq!(stride(&table, &mut way, 3.0, Stance::Stand, 0.01), None);
        assert_eq!(way.way_m, 0.0);
        stride(&table, &mut way, f32::INFINITY, Stance::Stand, 0.01);
        assert!(way.way_m.is_finite());
        assert!(noise(Vec3::NAN, 3.0, None).is_none() && noise(Vec3::ZERO, 0.0, None).is_none());
        let heard = noise(Vec3::X, 3.0, Some(AgentId::from_bits(5))).unwrap();
        assert_eq!((heard.position, heard.range_m, heard.by), (Vec3::X, 3.0, Some(AgentId::from_bits(5))));
    }
}
