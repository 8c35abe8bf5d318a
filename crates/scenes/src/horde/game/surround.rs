//! How well the player is surrounded: the circle round him in eight sectors, each held if a zombie is in it within some meters.

use sentir::core::{math, plane};
use sentir::prelude::*;

/// Sectors of the circle, and how near a zombie holds one, m.
const SECTORS: usize = 8;
pub(crate) const HELD_M: f32 = 6.0;
/// With so many held he is surrounded.
const SURROUNDED: u32 = 5;
/// Who was surrounded for so long and then is not has escaped, s.
const ESCAPE_S: f32 = 0.5;

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Surround {
    /// Sectors held now, as bits.
    pub(super) held: u8,
    /// Ticks with a zombie near, the sum of sectors held in them, and ticks surrounded.
    pub(super) near_ticks: u64,
    pub(super) sector_sum: u64,
    pub(super) surrounded: u64,
    /// Times he was surrounded, and times he got out of it alive.
    pub(super) times: u32,
    pub(super) escapes: u32,
    /// For how long he is surrounded now, ticks.
    lasts: u64,
}

impl Surround {
    /// One tick: where he is, and where all zombies are.
    pub(super) fn watch(&mut self, player: Vec3, zombies: impl Iterator<Item = Vec3>, rate: TickRate) {
        self.held = 0;
        for place in zombies {
            let way = plane::ground(place - player);
            if way.length() <= HELD_M {
                let turn = math::wrap_angle(plane::yaw(way)) / math::TAU + 0.5;
                self.held |= 1 << ((turn * SECTORS as f32) as usize).min(SECTORS - 1);
            }
        }
        let count = self.held.count_ones();
        if count == 0 && self.lasts == 0 {
            return;
        }
        self.near_ticks += u64::from(count > 0);
        self.sector_sum += u64::from(count);
        if count >= SURROUNDED {
            self.surrounded += 1;
            self.lasts += 1;
            self.times += u32::from(self.lasts == rate.ticks(ESCAPE_S));
        } else {
            self.escapes += u32::from(self.lasts >= rate.ticks(ESCAPE_S));
            self.lasts = 0;
        }
    }

    /// Sectors held on average while a zombie is near.
    pub(super) fn mean(&self) -> f32 {
        if self.near_ticks == 0 { 0.0 } else { self.sector_sum as f32 / self.near_ticks as f32 }
    }
}
