//! How well the player is surrounded: the circle around it in eight sectors, each held if a zombie is in it within some meters.

use sentir::core::{math, plane};
use sentir::prelude::*;

/// Sectors of the circle, and how near a zombie holds one, m.
const SECTORS: usize = 8;
pub(crate) const HELD_M: f32 = 6.0;
/// With so many held for so long, s, the player is surrounded.
const SURROUNDED: u32 = 5;
const SURROUNDED_S: f32 = 0.5;
/// Once surrounded, a player that lives and is held on so few sides or fewer has escaped. Not from the first sector that a kill
/// opens for a moment.
const OUT: u32 = 2;

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Surround {
    /// Sectors held now, as bits.
    pub(super) held: u8,
    /// Ticks with a zombie near, the sum of sectors held in them, and ticks with as many held as surround.
    pub(super) near_ticks: u64,
    pub(super) sector_sum: u64,
    pub(super) surrounded: u64,
    /// Times the player was surrounded, and times it got out of that alive.
    pub(super) times: u32,
    pub(super) escapes: u32,
    /// For how long enough sectors are held now, ticks.
    lasts: u64,
    /// Whether the player is surrounded and has not escaped.
    is_inside: bool,
}

impl Surround {
    /// One tick: where the player is, and where all zombies are.
    pub(super) fn watch(&mut self, player: Vec3, zombies: impl Iterator<Item = Vec3>, rate: TickRate) {
        self.held = 0;
        for place in zombies {
            let way = plane::ground(place - player);
            if way.length_squared() <= HELD_M * HELD_M {
                let turn = math::wrap_angle(plane::yaw(way)) / math::TAU + 0.5;
                self.held |= 1 << ((turn * SECTORS as f32) as usize).min(SECTORS - 1);
            }
        }
        let count = self.held.count_ones();
        self.near_ticks += u64::from(count > 0);
        self.sector_sum += u64::from(count);
        self.surrounded += u64::from(count >= SURROUNDED);
        self.lasts = if count >= SURROUNDED { self.lasts + 1 } else { 0 };
        if !self.is_inside && self.lasts >= rate.ticks(SURROUNDED_S) {
            self.is_inside = true;
            self.times += 1;
        } else if self.is_inside && count <= OUT {
            self.is_inside = false;
            self.escapes += 1;
        }
    }

    /// Sectors held on average while a zombie is near.
    pub(super) fn mean(&self) -> f32 {
        if self.near_ticks == 0 { 0.0 } else { self.sector_sum as f32 / self.near_ticks as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: TickRate = TickRate::new(30);

    /// Zombies in the first so many of the eight sectors.
    fn ring(count: usize, far_m: f32) -> Vec<Vec3> {
        let turn = |number: usize| (number as f32 + 0.5) * math::TAU / SECTORS as f32;
        (0..count).map(|number| plane::lift(plane::heading(turn(number)) * far_m, 0.0)).collect()
    }

    fn watch(surround: &mut Surround, count: usize, far_m: f32, ticks: usize) {
        (0..ticks).for_each(|_| surround.watch(Vec3::ZERO, ring(count, far_m).into_iter(), RATE));
    }

    #[test]
    fn who_is_held_on_five_sides_for_half_a_second_is_surrounded_once_and_escapes_when_most_sides_are_free() {
        let mut surround = Surround::default();
        watch(&mut surround, 6, 5.0, 14);
        assert_eq!((surround.times, surround.held.count_ones()), (0, 6));
        watch(&mut surround, 6, 5.0, 20);
        assert_eq!((surround.times, surround.escapes, surround.surrounded), (1, 0, 34));
        // One killed: a gap for a moment, and no escape.
        watch(&mut surround, 4, 5.0, 20);
        watch(&mut surround, 7, 5.0, 40);
        assert_eq!((surround.times, surround.escapes), (1, 0));
        watch(&mut surround, 2, 5.0, 1);
        watch(&mut surround, 0, 5.0, 9);
        assert_eq!((surround.times, surround.escapes), (1, 1));
    }

    #[test]
    fn who_is_far_off_holds_no_sector_and_time_alone_is_not_counted() {
        let mut surround = Surround::default();
        watch(&mut surround, 8, HELD_M + 0.1, 90);
        assert_eq!(surround, Surround::default());
        watch(&mut surround, 3, 2.0, 10);
        assert_eq!((surround.mean(), surround.near_ticks), (3.0, 10));
    }
}
